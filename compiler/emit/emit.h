/* Loop program → files. No other part of the compiler prints loop programs as code. */
#ifndef FLTC_EMIT_EMIT_H
#define FLTC_EMIT_EMIT_H

#include "emit/launch/reserved.h"
#include "loop/loop.h"
#include "session.h"
#include "support/text.h"
#include "target/target.h"

struct emitted_file {
    const char *name; /* "unsharp.c" */
    const char *text;
    size_t length;
};

/* An image of NAME_self_check for each input, and what they must give. */
struct self_check_trial {
    int content;                         /* of samples, as of flt_check_fill */
    int64_t (*extent)[GRAPH_MAX_RANK];   /* by input */
    const struct expr *const *parameter; /* by parameter: a constant */
    uint64_t digest;                     /* of all results */
};
enum { SELF_CHECK_TRIALS = 4 };
struct self_check {
    struct self_check_trial trial[SELF_CHECK_TRIALS];
    double most_bytes; /* of the images of a trial and its results */
    bool rounds;       /* a pass of the schedule has decided the last bits of results */
};

/* What the interface has of the text of the program, and of where it comes from. */
struct interface_constant {
    const char *name, *declared; /* "radius", "const radius : 1 .. 9 = 2" */
};
struct interface_type {
    const char *name;           /* of a type variable */
    bool allowed[SCALAR_COUNT]; /* types that it may be */
};
struct interface_given {
    const char *version, *source, *hash; /* of fltc; of the program */
    VECTOR(struct interface_constant) constants;
    VECTOR(struct interface_type) types;
};

/* The filter whose program over boxes is emitted: its symbol, header and images, and how many
 * parameters and checks it has of its own. */
struct boxes_of {
    const char *symbol, *header;
    const char *const *image; /* by image, inputs first: what its structure is called */
    size_t parameters, checks;
};

struct emit_options {
    const char *stem; /* file name without its ending: "unsharp" */
    bool entry;       /* emits NAME_call and NAME_filter, of flt/filter.h */
    /* Emits the interface, a file of JSON that is in NAME_filter, too; needs `entry`. NULL: does
     * not. */
    const struct interface_given *interface;
    /* Times each kernel: seconds are added to flt_kernel_seconds[], in the order of
     * emitted.kernels. Kernels that count particles store the number in flt_kernel_counts[]. */
    bool profiles;
    /* Of a device: adds the seconds of all kernels of a run, by its own clock, to
     * flt_kernel_seconds[0]. Not together with `profiles`. */
    bool times_device;
    bool multi;                          /* kernels for several processors in one object */
    bool gives_fft;                      /* a struct flt_fft of the caller transforms lines */
    bool boxes;                          /* declares NAME_run_box */
    const struct boxes_of *boxes_of;     /* defines that of another filter; NULL: does not */
    const struct self_check *self_check; /* emits NAME_self_check; NULL: none */
};

struct emitted {
    const char *symbol;          /* what the names of its functions begin with */
    VECTOR(const char *) images; /* inputs, then outputs: symbol_IMAGE is the structure */
    VECTOR(struct emitted_file) files;
    VECTOR(const char *) kernels; /* their names in the program */
};

struct emitted emit_program(struct session *session, const struct program *program,
                            const struct target *target, const struct emit_options *options);

/* The kind of samples, for flt_check_fill and flt_check_digest (host/texts/). */
char self_check_kind(enum scalar scalar);

/* Prints an #include for each header of the functions, once. */
void emit_includes(struct text *out, const struct external_list *functions);

/* The name of an image, a result or a parameter in C: an identifier that is not a keyword of C or
 * C++ and does not clash with names in emitted files. */
const char *name_in_c(struct arena *arena, const char *wanted, enum name_role role);

#endif
