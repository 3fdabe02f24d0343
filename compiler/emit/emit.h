/* Loop program → files. The only walker of loop IR that prints. */
#ifndef FLTC_EMIT_EMIT_H
#define FLTC_EMIT_EMIT_H

#include "loop/loop.h"
#include "session.h"
#include "support/text.h"
#include "target/target.h"

struct emitted_file {
    const char *name; /* "unsharp.c" */
    const char *text;
    size_t length;
};

struct emit_options {
    const char *stem; /* file name without its ending: "unsharp" */
    /* Two more functions, flt_generic_run<suffix> and flt_generic_text<suffix>, that `fltc run`
     * calls; NULL: none. */
    const char *entry_suffix;
    /* Each kernel is timed: seconds are added to flt_generic_seconds<suffix>[], in the order of
     * emitted.kernels; kernels that count particles put their number into
     * flt_generic_counts<suffix>[]. */
    bool profiles;
    bool multi;     /* kernels for several processors in one object */
    bool gives_fft; /* lines are transformed by a struct flt_fft of the caller's */
};

struct emitted {
    VECTOR(struct emitted_file) files;
    VECTOR(const char *) kernels; /* their names in the program */
};

struct emitted emit_program(struct session *session, const struct program *program,
                            const struct target *target, const struct emit_options *options);

/* An #include of each header of the functions, once. */
void emit_includes(struct text *out, const struct external_list *functions);

/* What an image, a result or a parameter is called in C: an identifier that is no word of C or C++
 * and nothing that files of fltc call something else. */
const char *name_in_c(struct arena *arena, const char *wanted);

#endif
