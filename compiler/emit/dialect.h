/* What differs between languages that kernels are printed in: a table of texts and few hooks. The
 * rest of emit/ is common to all. */
#ifndef FLTC_EMIT_DIALECT_H
#define FLTC_EMIT_DIALECT_H

#include "expr/scalar.h"
#include "loop/loop.h"
#include "support/text.h"

struct emission;

/* What may be wrong with a device: beside the statuses of all filters, with numbers of its own. */
struct device_status {
    const char *name;
    int number;
    const char *text;
};

/* The functions around the kernels: what they take, and those that are of this language alone. */
struct host_dialect {
    /* Kernels step over all axes of the caller's images; else those whose last axis is not
     * contiguous are packed before. */
    bool takes_strides;
    /* Images and scratch memory are objects of a device, of this type, and places in them are
     * counted in samples; NULL: they are pointers. */
    const char *object;
    /* What image structures have beside data, extents and strides; ends with NULL, or NULL. */
    const char *const *members;
    /* NAME makes packed copies of the images, and measures them as scratch memory is. */
    bool copies_images;
    /* The tables of transforms are filled by a function of their own: callers may keep them. */
    bool keeps_tables;
    /* The C library may compute fused multiply-adds: NAME_is_fast tells. */
    bool asks_fused;
    /* How many threads run a kernel whose threads have memory of their own; NULL: one in each block
     * of its launch. */
    const char *threads;
    /* Callers may run the parts of kernels themselves, and cancel a call: struct flt_tasks. */
    bool takes_tasks;
    const char *frame;     /* the first fields of the frame, "" for none */
    const char *set_frame; /* the statements that set them when a call is checked */
    /* What functions take that look at a call, and how they hand it on: ", int threads" */
    const char *parameter, *argument;
    /* Of NAME_run and NAME, before the images, ", " behind it; NULL: nothing. */
    const char *(*handle_of)(struct emission *e);
    /* NAME_kernels: its result, what it takes beside the frame, its first and last statement. */
    const char *kernels_result, *kernels_begin, *kernels_end;
    const char *(*kernels_parameter_of)(struct emission *e);
    void (*define_handle)(struct emission *e); /* before NAME_run; NULL: there is none */
    /* NAME_run and NAME: in the header, in the source. */
    void (*declare_run)(struct emission *e);
    void (*define_run)(struct emission *e);
    const struct device_status *statuses; /* ends with a NULL name, or NULL */
    /* More of them, in the enumeration and among the cases of their words; the words of any other
     * number, an expression. NULL: nothing more, "unknown status". */
    void (*print_statuses)(struct emission *e);
    void (*print_status_cases)(struct emission *e);
    void (*print_other_status)(struct emission *e);
    void (*print_entry)(struct emission *e); /* behind flt_generic_run; NULL: nothing */
    /* In flt_generic_run: the statements that make `device`, which NAME takes first; NULL: it takes
     * none. */
    const char *(*generic_begin)(struct emission *e);
};

struct arithmetic_text {
    const char *name, *text;
};

struct dialect {
    const char *ending;   /* of the name of the source file */
    const char *prologue; /* after the includes: guards and macros */
    const char *function; /* definitions of helpers begin with it; NULL: as they are written */
    const char *table;    /* those of tables of constants */
    const char *local;    /* where `function` is given: before "const" of a table in a helper */
    const char *lanes; /* where `function` is given: the line before loops over lanes of helpers */
    /* The functions that multiply and divide, where the compiler might round a product and a sum at
     * once, and take quotients for products; NULL: they are written a * b, a / b. */
    const char *product[SCALAR_COUNT], *quotient[SCALAR_COUNT];
    /* their definitions; ends with a NULL name, or NULL */
    const struct arithmetic_text *arithmetic;
    /* Other definitions of functions of elementary/texts; the same. */
    const struct arithmetic_text *definitions;
    const char *const *reserved; /* names that are taken beside those of C; ends with NULL */
    const char *frame;           /* before what a kernel takes: "frame->"; "": it has arguments */
    const char *memory;          /* before the type of what lies in memory of all threads */
    const char *thread;          /* the number of a thread that has memory of its own */
    const char *barrier;         /* a statement */
    /* Functions of a pointer and a value. */
    const char *join[JOIN_COUNT];
    const char *shared; /* before the declaration of what a block of threads shares */
    /* The line before a loop of the level, or NULL. */
    const char *loop_pragma[LEVEL_COUNT];
    /* The line before a loop over few places that keeps samples in registers, or NULL: indices of
     * these become numbers only where it is written out. */
    const char *unrolled;
    /* The index of a GRID or BLOCK loop within the launch, or NULL where it is a loop. */
    const char *launch_index[LEVEL_COUNT];
    /* All of the source up to the helpers: what it is, includes, the prologue, macros. */
    void (*open_file)(struct emission *e);
    /* Macros and functions that the kernels mention, NULL: there are none; then those that the
     * host's functions do. */
    void (*print_before_kernels)(struct emission *e, const char *kernels, const char *host);
    void (*print_before_host)(struct emission *e, const char *host);
    /* What stands before all kernels of a text of their own; NULL: nothing. */
    void (*print_before_embedded)(struct emission *e);
    /* Where the kernels are a text of their own: prints that into the source, with the helpers that
     * are in use. NULL: they stand in the source. */
    void (*embed)(struct emission *e, const struct text *kernels);
    /* What stands around the body of a kernel: signature and opening, then what follows it, NULL:
     * nothing. */
    void (*open_kernel)(struct emission *e, const struct statement *kernel, const char *name);
    void (*close_kernel)(struct emission *e, const struct statement *kernel, const char *name);
    /* The host's call of the kernel; around: the loop whose iterations its parts go through, or
     * NULL. */
    void (*launch)(struct emission *e, const struct statement *kernel, const char *name,
                   const struct statement *around);
    const struct host_dialect *host;
};

extern const struct dialect dialect_c, dialect_simulator, dialect_cuda, dialect_opencl;

#endif
