/* Circuit → files. */
#ifndef FLTC_EMIT_CIRCUIT_LANGUAGE_H
#define FLTC_EMIT_CIRCUIT_LANGUAGE_H

#include "emit/emit.h"
#include "hardware/circuit.h"

struct target;

/* A language for circuits. */
struct circuit_language {
    const char *ending; /* of the name of its source file */
    /* Returns the files of a circuit. Their names begin with stem. Those for the vendor's tools
     * name the clock and the part of the target. */
    struct emitted (*emit)(struct session *session, const struct circuit *circuit, const char *stem,
                           const struct target *target);
    /* Whether the circuit can have this name; NULL: any name is allowed. */
    bool (*takes_name)(const char *stem);
};
extern const struct circuit_language language_verilog, language_hls, language_hls_c;
/* NULL: the target has no circuits. */
const struct circuit_language *circuit_language_of(const struct target *target);

/* An identifier for each process, by id: distinct, of letters, digits and underscores, no word of
 * the language; 0: of none. */
const char *const *process_names(struct arena *arena, const struct circuit *circuit,
                                 unsigned language);

/* The name of the circuit's model, the same filter in C, chosen so that its names do not clash with
 * the circuit's. */
const char *circuit_model_name(struct arena *arena, const struct graph *graph);

#endif
