/* What differs between the languages of kernels: a table of texts and a few hooks. The rest of
 * emit/ is common to all languages. */
#ifndef FLTC_EMIT_DIALECT_H
#define FLTC_EMIT_DIALECT_H

#include "emit/helper_texts.h"
#include "emit/launch/reserved.h"
#include "expr/scalar.h"
#include "loop/loop.h"
#include "support/text.h"

struct emission;
struct target;
struct kernel_state;

/* A status for an error of a device, besides the statuses of all filters. It has a number of its
 * own. */
struct device_status {
    const char *name;
    int number;
    const char *text;
};

/* The functions around the kernels: their parameters, and the functions that only this language
 * has. */
struct host_dialect {
    /* Kernels accept any strides of the caller's images; else images whose last axis is not
     * contiguous are packed first. */
    bool takes_strides;
    /* The type of images and scratch memory if they are objects of a device, with offsets in
     * samples; NULL: they are pointers. */
    const char *object;
    /* Members of image structures besides data, extents and strides; ends with NULL; NULL: none. */
    const char *const *members;
    /* NAME makes packed copies of the images; their size counts like scratch memory. */
    bool copies_images;
    /* A separate function fills the tables of transforms, so callers may keep them. */
    bool keeps_tables;
    /* The C library may have to compute fused multiply-adds; NAME_is_fast says so. */
    bool asks_fused;
    /* The number of threads that run a kernel whose threads have their own memory; NULL: one in
     * each block of the launch. */
    const char *threads;
    /* Callers may run the parts of kernels themselves, and cancel a call: struct flt_tasks. */
    bool takes_tasks;
    const char *frame;     /* the first fields of the frame, "" for none */
    const char *set_frame; /* the statements that set them when a call is checked */
    /* Parameter of functions that inspect a call, and the argument that passes it on: ", int
     * threads" */
    const char *parameter, *argument;
    /* How a run is carried out: the last parameters of NAME_run_box, the arguments that pass them
     * on, and the same as NAME_call takes them from struct flt_arguments; NULL: it cannot. */
    const char *run_parameters, *run_arguments, *run_fields;
    /* The first parameter of NAME_run and NAME, followed by ", "; NULL: none. */
    const char *(*handle_of)(struct emission *e);
    /* NAME_kernels: its result, its parameters besides the frame, its first and last statement. */
    const char *kernels_result, *kernels_begin, *kernels_end;
    const char *(*kernels_parameter_of)(struct emission *e);
    void (*define_handle)(struct emission *e); /* before NAME_run; NULL: there is none */
    /* Print NAME_run and NAME in the header and in the source. */
    void (*declare_run)(struct emission *e);
    void (*define_run)(struct emission *e);
    const struct device_status *statuses; /* ends with a NULL name, or NULL */
    /* Print more statuses: in the enumeration; as cases of NAME_status_text; the text of any other
     * number. NULL: nothing; "unknown status". */
    void (*print_statuses)(struct emission *e);
    void (*print_status_cases)(struct emission *e);
    void (*print_other_status)(struct emission *e);
    /* In NAME_call: the case FLT_LAUNCH; NULL: there is none. */
    void (*print_launch_call)(struct emission *e);
    /* The same: the statements that make `device`, the first argument of NAME; NULL: NAME has no
     * such argument. */
    const char *(*entry_begin)(struct emission *e);
};

/* A launch of a kernel by the host. */
struct launch {
    const struct statement *kernel;
    const char *name;
    const struct statement *around; /* the loop whose iterations its parts go through, or NULL */
    bool in_bands;                  /* it stands in a loop whose variable kernels use */
};

/* Around the first sample of an access to memory, and that in registers. */
struct access_words {
    const char *before, *between, *after;
};

struct dialect {
    const char *ending;   /* of the name of the source file */
    const char *prologue; /* after the includes: guards and macros */
    const struct helper_text *helpers;
    /* Other definitions of some; ends with a NULL name, or NULL. */
    const struct helper_text *definitions;
    const char *table;    /* definitions of tables of constants begin with it */
    /* Functions for products and quotients, if the compiler might contract a product and a sum or
     * replace a quotient by a product; NULL: a * b, a / b. */
    const char *product[SCALAR_COUNT], *quotient[SCALAR_COUNT];
    /* their definitions; ends with a NULL name, or NULL */
    const struct helper_text *arithmetic;
    unsigned language;   /* whose words are taken beside those of C; 0: there are none */
    const char *index_type; /* of coordinates: a parameter of kernels; NULL: 64 bits */
    const char *frame;   /* before what a kernel takes: "frame->"; "": it has arguments */
    const char *memory;  /* before the type of what lies in memory of all threads */
    const char *thread;  /* the number of a thread that has memory of its own */
    const char *barrier; /* a statement */
    /* Atomic functions of a pointer and a value. */
    const char *join[JOIN_COUNT];
    /* Around the declaration of what a block of threads shares, which begins where accesses of
     * several samples do. */
    const char *shared, *shared_behind;
    /* The line before a loop of the level, or NULL. */
    const char *loop_pragma[LEVEL_COUNT];
    /* The line before a short loop over arrays in registers, or NULL. The loop must be unrolled, so
     * that their indices become constants. */
    const char *unrolled;
    /* The line before a long loop that keeps samples in registers: several iterations become one.
     * NULL: none. */
    const char *partly_unrolled;
    /* The line before a loop that loads samples beside each other: so many iterations become one.
     * NULL: none. */
    const char *unrolled_by;
    /* The line before a loop of code for the few blocks at borders, which is kept short. NULL:
     * none. */
    const char *not_unrolled;
    /* The index of a GRID or BLOCK loop within the launch; NULL if it is printed as a loop. */
    const char *launch_index[LEVEL_COUNT];
    /* Prints the source up to the helpers: first comment, includes, prologue, macros; notes where
     * the prologue begins. */
    void (*open_file)(struct emission *e);
    void (*close_file)(struct emission *e); /* prints the last lines; NULL: none */
    /* Print macros and functions that the kernels use (NULL: none), and those that host functions
     * use. */
    void (*print_before_kernels)(struct emission *e, const char *kernels, const char *host);
    void (*print_before_host)(struct emission *e, const char *host);
    /* Prints what precedes kernels that are a separate text; NULL: nothing. */
    void (*print_before_embedded)(struct emission *e);
    /* If the kernels are a separate text: prints this text into the source, with the helpers in
     * use. NULL: the kernels are part of the source. */
    void (*embed)(struct emission *e, const struct text *kernels);
    /* Print what is around the body of a kernel: signature and opening brace; what follows it
     * (NULL: nothing). */
    void (*open_kernel)(struct emission *e, const struct statement *kernel, const char *name);
    void (*close_kernel)(struct emission *e, const struct statement *kernel, const char *name);
    /* Print a loop that threads share; one whose stores bypass the caches. NULL: this language has
     * none. */
    void (*print_shared_loop)(struct emission *e, const struct kernel_state *here,
                              const struct statement *loop);
    void (*print_bypassing_loop)(struct emission *e, const struct kernel_state *here,
                                 const struct statement *loop);
    /* An access of several samples beside each other; loads: from memory. NULL: none. */
    struct access_words (*access_of)(struct emission *e, unsigned beside,
                                     const struct buffer *memory, bool loads);
    /* Prints the host's call of the kernel. */
    void (*launch)(struct emission *e, const struct launch *launch);
    const struct host_dialect *host;
};

extern const struct dialect dialect_c, dialect_simulator, dialect_cuda, dialect_opencl;
/* NULL: the target has no kernels. */
const struct dialect *dialect_of(const struct target *target);

#endif
