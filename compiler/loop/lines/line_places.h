/* Loops over the lines at hand, place by place. Shared by the files that make line nests. */
#ifndef FLTC_LOOP_LINES_LINE_PLACES_H
#define FLTC_LOOP_LINES_LINE_PLACES_H

#include "loop/lines/line_nest.h"

/* A nest that is being made. */
struct lines {
    struct pass_context *context;
    struct program *program;
    const struct line_group *group;
    struct tile_group alone;            /* a tile of the sink alone */
    const struct buffer *const *buffer; /* by index of the stage in the group */
    const struct statement **body;      /* the same: one sample, in the sink's variables */
    const struct expr *variable;        /* along the line */
    const struct expr *lane;            /* the coordinate of the lines */
    const struct expr *first, *end;     /* of the sweep at hand */
    const struct expr *from, *to;       /* of the part of the line at hand */
    enum parallel_level level;          /* of the sweep at hand: independent where its places are */
    bool reversed;
    size_t own_from;                /* the program's buffers from here on belong to this nest */
    struct statement_list at_place; /* what is computed before the stages at each place */
};

/* The lines of the group; *common: what their coordinate is called. */
struct lines lines_of_group(struct pass_context *context, struct program *program,
                            const struct line_group *group, const struct buffer *const buffer[],
                            const struct statement *const body[], const struct expr **common);
/* The end of the sweep that begins with the stage. */
size_t lines_sweep_end(const struct lines *l, size_t begin);
/* Makes the stages from `begin` to `end` - 1 those of the sweep at hand; common: what the
 * coordinate along the line is called so far. */
void lines_begin_sweep(struct lines *l, const struct expr *common, size_t begin, size_t end);

static inline struct expr_pool *lines_pool(const struct lines *l)
{
    return l->context->pool;
}

/* The range of lines at hand: first and end. */
const struct expr *lines_lanes_first(struct pass_context *context, const struct line_group *group);
const struct expr *lines_lanes_end(struct pass_context *context, const struct line_group *group);

/* A loop from `first` to `end` - 1. */
const struct statement *lines_loop(const struct lines *l, enum parallel_level level,
                                   const struct expr *variable, const struct expr *first,
                                   const struct expr *end, const struct statement *body,
                                   bool reversed);
/* The range of the stage along axis k that is computed: its box, or what the tile or band takes of
 * it. */
const struct expr *lines_first(const struct lines *l, const struct stage *stage, unsigned k);
const struct expr *lines_end(const struct lines *l, const struct stage *stage, unsigned k);
/* Replaces a variable in a statement. */
const struct statement *lines_with_variable(const struct lines *l, const struct statement *body,
                                            const struct expr *from, const struct expr *to);
/* Replaces several at once: two axes may have exchanged their names. */
const struct statement *lines_with_variables(const struct lines *l, const struct statement *body,
                                             unsigned count, const struct expr *const from[],
                                             const struct expr *const to[]);
/* What is done for the stage at a place, under the condition that the stage has that place. */
const struct statement *lines_inside(const struct lines *l, size_t place,
                                     const struct statement *body);
/* A loop over the lines at hand. */
const struct statement *lines_over_lanes(const struct lines *l, enum parallel_level level,
                                         const struct statement *body);
/* Whether all lanes hold a row, the last row several times if need be, so that C compilers know the
 * length of loops over lanes. */
bool lines_fill_lanes(const struct lines *l);
/* A loop over all lanes. */
const struct statement *lines_over_all_lanes(const struct lines *l, enum parallel_level level,
                                             const struct statement *body);
void lines_allocate(struct lines *l, struct statement_items *items, const struct buffer *buffer);
const struct statement *lines_store(const struct lines *l, buffer_id buffer, unsigned count,
                                    const struct expr *const index[], const struct expr *value);
/* Adds a buffer in the thread's tile, for this nest alone: named after `of` and `part`, with the
 * type, interval and axes of `of`. */
const struct buffer *lines_add_memory(struct lines *l, const char *part, struct buffer of);
/* The stages from `begin` to `end` - 1, at each place from l->from to l->to. */
const struct statement *lines_places(const struct lines *l, size_t begin, size_t end,
                                     const struct statement *const body[]);

#endif
