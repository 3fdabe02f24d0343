/* What the files of this folder share. */
#ifndef FLTC_EMIT_LAUNCH_OPENCL_OPENCL_H
#define FLTC_EMIT_LAUNCH_OPENCL_OPENCL_H

#include "emit/host/host.h"

/* kernel_arguments.c */
struct argument {
    const char *type; /* in the kernel, followed by a blank or `*` */
    const char *name; /* there, and in the frame */
    /* for memory: the next argument, the offset where the kernel's part begins; or NULL */
    const char *place;
    /* for an array of values: the type of one; or NULL */
    const char *values;
};
struct arguments {
    VECTOR(struct argument) list;
};
/* In the order of the kernel's parameters. */
struct arguments arguments_of(struct emission *e, const struct statement *kernel);
/* Prints the types of arrays of values that kernels get as arguments. */
void print_structures_of_values(struct emission *e);

/* handle.c: the functions that make a handle of the kernels' text. */
void declare_handle(struct emission *e);
void define_handle(struct emission *e);

/* embed_program.c */
void embed_program(struct emission *e, const struct text *kernels);
/* The kernels of the program, as they stand in the text. */
struct kernel_list {
    struct arena *arena;
    VECTOR(const struct statement *) kernels;
};
struct kernel_list kernels_of(struct emission *e);
/* Of a kernel, in the handle. */
unsigned kernel_number(struct emission *e, const struct statement *kernel);

/* emit_objects.c: the functions of the host that run kernels. */
extern const struct host_dialect host_of_objects;

/* run_host_images.c: NAME, which runs a filter on images of the host. */
void define_run_of_host_images(struct emission *e);

#endif
