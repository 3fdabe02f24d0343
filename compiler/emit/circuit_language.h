/* Circuit → files. */
#ifndef FLTC_EMIT_CIRCUIT_LANGUAGE_H
#define FLTC_EMIT_CIRCUIT_LANGUAGE_H

#include "emit/emit.h"
#include "hardware/circuit.h"

/* How circuits are written. */
struct circuit_language {
    const char *ending; /* of the name of its source file */
    /* The files of a circuit, whose names begin with stem. */
    struct emitted (*emit)(struct session *session, const struct circuit *circuit,
                           const char *stem);
    /* Whether the circuit can be called so; NULL: anything. */
    bool (*takes_name)(const char *stem);
};
extern const struct circuit_language language_verilog, language_hls, language_hls_c;

/* An identifier for each process, by id: letters, digits and underscores, distinct, none a word of
 * those (which end with NULL). */
const char *const *process_names(struct arena *arena, const struct circuit *circuit,
                                 const char *const words[]);

/* What the model of a circuit is called: the same filter in C, whose names meet none of the
 * circuit's. */
const char *circuit_model_name(struct arena *arena, const struct graph *graph);

#endif
