/* From a graph to a circuit. */
#ifndef FLTC_HARDWARE_LOWER_H
#define FLTC_HARDWARE_LOWER_H

#include "hardware/circuit.h"
#include "session.h"

enum refusal_reason {
#define REFUSAL(name, why, cure) REFUSED_##name,
#include "hardware/refusals.def"
#undef REFUSAL
    REFUSAL_COUNT
};

/* Why a graph cannot be a circuit. */
struct refusal {
    bool refused;
    enum refusal_reason reason;
    const struct stage *stage; /* NULL: the filter as a whole */
    const char *why, *cure;
};

/* Lowers a graph with constant extents: each stage becomes a pipe fed by windows of what it reads.
 * NULL: it is impossible, and *refusal says why. */
const struct circuit *circuit_from_graph(struct session *session, const struct graph *graph,
                                         struct refusal *refusal);

#endif
