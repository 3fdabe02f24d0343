/* The lines of a group that are at hand, and loops over them, place by place. What line_nest.c and
 * line_strips.c share. */
#ifndef FLTC_LOOP_LINES_LINE_PLACES_H
#define FLTC_LOOP_LINES_LINE_PLACES_H

#include "loop/lines/line_nest.h"

/* One nest. */
struct lines {
    struct pass_context *context;
    struct program *program;
    const struct line_group *group;
    struct tile_group alone;            /* of the sink */
    const struct buffer *const *buffer; /* by place */
    const struct statement **body;      /* by place: a sample, in the sink's variables */
    const struct expr *variable;        /* along the line */
    const struct expr *lane;            /* the coordinate of the lines */
    const struct expr *first, *end;     /* of the sweep at hand */
    const struct expr *from, *to;       /* of the part of the line at hand */
    enum parallel_level level;          /* of the sweep at hand: independent where its places are */
    bool reversed;
    size_t own_from; /* the first buffer that is of the nest alone: parts of strips */
    struct statement_list at_place; /* what is computed before the stages at each place */
};

static inline struct expr_pool *lines_pool(const struct lines *l)
{
    return l->context->pool;
}

/* The lines at hand, from the first to the end - 1. */
const struct expr *lines_lanes_first(struct pass_context *context, const struct line_group *group);
const struct expr *lines_lanes_end(struct pass_context *context, const struct line_group *group);

/* From `first` to `end` - 1. */
const struct statement *lines_loop(const struct lines *l, enum parallel_level level,
                                   const struct expr *variable, const struct expr *first,
                                   const struct expr *end, const struct statement *body,
                                   bool reversed);
/* The part of a stage that is computed: of its box, of the tile or of the band. */
const struct expr *lines_first(const struct lines *l, const struct stage *stage, unsigned k);
const struct expr *lines_end(const struct lines *l, const struct stage *stage, unsigned k);
const struct statement *lines_with_variable(const struct lines *l, const struct statement *body,
                                            const struct expr *from, const struct expr *to);
/* Replaces variables, all at once: two axes may have exchanged their names. */
const struct statement *lines_with_variables(const struct lines *l, const struct statement *body,
                                             unsigned count, const struct expr *const from[],
                                             const struct expr *const to[]);
/* Over the lines at hand; over all lanes. */
const struct statement *lines_over_lanes(const struct lines *l, enum parallel_level level,
                                         const struct statement *body);
/* Rows are so many that all lanes have one: of the last row there may be several, so that loops
 * over lanes are as long as C compilers know. */
bool lines_fill_lanes(const struct lines *l);
const struct statement *lines_over_all_lanes(const struct lines *l, enum parallel_level level,
                                             const struct statement *body);
void lines_allocate(struct lines *l, struct statement_items *items, const struct buffer *buffer);
const struct statement *lines_store(const struct lines *l, buffer_id buffer, unsigned count,
                                    const struct expr *const index[], const struct expr *value);
/* Memory of the nest alone, of what is so called, in the tile of a thread: with this one's name,
 * place, type, interval and axes. */
const struct buffer *lines_add_memory(struct lines *l, const char *part, struct buffer of);
/* The stages from `begin` to `end` - 1, place by place of the part of the line at hand. */
const struct statement *lines_places(const struct lines *l, size_t begin, size_t end,
                                     const struct statement *const body[]);

#endif
