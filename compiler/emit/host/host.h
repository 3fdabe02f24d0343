/* Shared by the files that print host functions, the functions around the kernels. */
#ifndef FLTC_EMIT_HOST_HOST_H
#define FLTC_EMIT_HOST_HOST_H

#include "emit/emission.h"

static inline const struct buffer *buffer_of(const struct emission *e, buffer_id id)
{
    return program_buffer(e->program, id);
}

/* parts.c */
/* Whether functions of libfltparticles are called that make or change particles. */
bool makes_particles(const struct emission *e);
/* The images of the filter: inputs, then outputs. */
size_t image_count(const struct emission *e);
const struct buffer *image_of(const struct emission *e, size_t i);
/* Sets the strides of an image without gaps. owner: what stands before its fields, as "in->". */
void print_packed_strides(struct emission *e, const struct buffer *image, const char *owner);
/* The types of strides and byte counts in the frame, which kernels may take as arguments. */
const char *stride_in_frame(const struct emission *e);
const char *size_in_frame(const struct emission *e);
/* Host expressions use extents and values by name. Call begin_body, print them, then call end_body,
 * which declares before them the names that they use. */
struct body {
    struct text *around;
    struct text text;
};
void begin_body(struct emission *e, struct body *body);
/* `frame`, where the body mentions what is declared from it. */
void print_frame_pointer(struct emission *e, const struct body *body);
/* Parameters too, where they are not arguments of the function at hand. */
void print_frame_parameters(struct emission *e, const struct body *body);
void print_frame_skews(struct emission *e, const struct body *body);
void end_body(struct emission *e, struct body *body, bool with_values);
/* An integer in parentheses, unless it is a name or a number. */
void print_operand(struct emission *e, const struct expr *node);
/* NAME_function(frame, inputs and parameters); NAME_measure(&all, ...) */
void print_call_of(struct emission *e, const char *function, const char *frame);
void print_measure_call(struct emission *e);
/* The samples from one row to the next; those of images between stages are kept apart where caches
 * would hold few of them. */
void print_row(struct emission *e, const struct buffer *buffer);
void print_bytes(struct emission *e, const struct buffer *buffer); /* of its samples */
/* Advances `from` past the buffer's samples; ends the statement. */
void print_room(struct emission *e, const struct buffer *buffer, const char *from);
/* emit_statuses.c: what functions of the filter return, in the order of the enumeration. */
long status_of_check(size_t check); /* of the program's checks, from 0 on */
void statuses_visit(struct emission *e,
                    void (*visit)(const char *name, long number, const char *text, void *user),
                    void *user);
void print_statuses(struct emission *e);
void print_status_text(struct emission *e);
/* emit_checks.c */
void print_measure(struct emission *e);
void print_extents(struct emission *e);
/* NAME_check for host images; NAME_check_objects for images that are objects of a device. */
void print_checks(struct emission *e);
/* emit_scratch.c */
void print_needs_copy(struct emission *e, const struct buffer *buffer);
void print_layout(struct emission *e);
void print_layout_call(struct emission *e, const char *memory);
void print_scratch_bytes(struct emission *e);
/* emit_prepared.c: prints nothing if no tables are kept. */
void prepared_print_type(struct emission *e);
void prepared_print_field(struct emission *e); /* of the frame */
void prepared_print_functions(struct emission *e);
void prepared_print_host(struct emission *e);
/* In a run: uses the tables of the object, if there is one. */
void prepared_print_use(struct emission *e);
void prepared_print_runs(struct emission *e);
/* emit_run.c: NAME_run up to the point where the frame is complete. parameter: its last
 * parameter. */
void print_run_begin(struct emission *e, const char *parameter);
/* emit_given.c: prints nothing if the caller supplies no library. */
void given_print_types(struct emission *e);
void given_print_field(struct emission *e); /* of the frame */
/* Before the other arguments of a function. */
void given_print_argument(struct emission *e, bool named);
void given_print_functions(struct emission *e);
void given_print_host(struct emission *e);
void given_print_check(struct emission *e);
void given_print_planning(struct emission *e);
/* emit_entry.c: prints nothing if NAME_call is not asked for. In NAME_call, the arguments of other
 * functions: images image_0, … and parameters. */
void entry_print_types(struct emission *e);
void entry_print_header(struct emission *e);
void entry_print_source(struct emission *e);
const char *entry_arguments(struct emission *e, bool with_outputs);
/* emit_self_check.c: prints nothing unless that is asked for. */
void self_check_print_function(struct emission *e);
void self_check_print_host(struct emission *e);
/* emit_boxes.c: print nothing unless boxes are asked for. */
void boxes_print_header(struct emission *e);
void boxes_print_source(struct emission *e);
/* emit_regions.c */
static inline bool has_regions(const struct emission *e)
{
    return e->program->regions.count > 0 && e->program->region_variables.count > 0;
}
void print_region(struct emission *e, const struct input_region *region);

/* ---- emit_host_kernels.c ---- */

/* Whether some buffer is in the space FRAME or HOST; prints their arrays as members of a
 * structure. */
bool has_values_of(const struct emission *e, enum buffer_space space);
void print_values_of(struct emission *e, enum buffer_space space);
/* Print the kernels that the host runs, as functions; their own memory, where they are called; a
 * call. */
void print_host_kernels(struct emission *e);
void print_host_memory(struct emission *e);
void print_host_call(struct emission *e, const struct statement *kernel);

/* Whether functions of the host compute floats beside kernels of the target. */
bool host_computes_floats(const struct emission *e);
/* Whether the host's functions ask if the compiler fuses products and sums. */
static inline bool host_asks_fused(const struct emission *e)
{
    return e->dialect->host->takes_tasks && e->has_floats;
}

#endif
