/* A chain of recurrences in blocks along its axis: what the stages that are made for it are built of. For the pass
 * block_recurrences, which tells the mathematics. */
#ifndef FLTC_GRAPH_BLOCKS_H
#define FLTC_GRAPH_BLOCKS_H

#include "analysis/regions.h"
#include "graph/chains.h"
#include "pass.h"

/* One chain. */
struct blocks {
    struct pass_context *context;
    const struct graph *in;
    struct graph *out;
    const uint32_t *place;     /* by old number of a stage: its new one */
    const struct chain *chain; /* of the old graph */
    const struct stage *last;
    unsigned lead;                   /* axes before the one of the line */
    int64_t size;                    /* of a block */
    const struct expr *j, *i, *k;    /* coordinates: of the block, within it, of a state's place */
    const struct symbol *block_name; /* of the axis that counts blocks */
    int64_t most_lines;              /* for which there are blocks; 0: any number */
    const struct expr *count;        /* of blocks */
    const struct expr *base;         /* i of a block's first sample */
    stage_id carry;                  /* the states with which blocks begin */
};

static inline struct expr_pool *blocks_pool(const struct blocks *b)
{
    return b->context->pool;
}

static inline const struct expr *blocks_integer(const struct blocks *b, int64_t value)
{
    return expr_integer(blocks_pool(b), value);
}

static inline const struct expr *blocks_plus(const struct blocks *b, const struct expr *a,
                                             int64_t value)
{
    return region_sum(blocks_pool(b), a, blocks_integer(b, value), 1);
}

static inline const struct stage_axis *blocks_line(const struct blocks *b)
{
    return &b->last->axis[b->chain->axis];
}

/* ---- Axes ---- */

const struct symbol *blocks_part_name(const struct blocks *b, const struct symbol *of,
                                      const char *part);
/* Other passes name stages so, too. */
const struct symbol *blocks_stage_name(const struct blocks *b, const struct symbol *of,
                                       const char *part);
struct stage_axis blocks_box(const struct symbol *name, const struct expr *variable,
                             const struct expr *first, const struct expr *extent);
/* Those before the line's, then these. */
const struct stage_axis *blocks_axes(const struct blocks *b, unsigned count,
                                     const struct stage_axis own[]);

/* Places of a line within a block: its samples; with as many behind as the state has places; those alone. */
enum blocks_part { BLOCKS_SAMPLES, BLOCKS_SAMPLES_AND_STATE, BLOCKS_STATE };
struct stage_axis blocks_along(const struct blocks *b, enum blocks_part part);
struct stage_axis blocks_along_all(const struct blocks *b, int64_t first);
struct stage_axis blocks_along_places(const struct blocks *b);
/* Where a place of the state lies behind a block. */
const struct expr *blocks_place_behind(const struct blocks *b, const struct expr *place);
/* x = … + i, of the block of that number, counted from `from`. */
const struct expr *blocks_begin(const struct blocks *b, int64_t from);
/* Whether the line begins in that block. */
const struct expr *blocks_is_first(const struct blocks *b, int64_t from);

/* Where the samples of a block begin that are computed first: the state lies before that. */
const struct expr *blocks_before(const struct blocks *b);
/* x behind the last block. */
const struct expr *blocks_behind_all(const struct blocks *b);
/* The place in the state, which lies before `at`, of a member's sample there. */
const struct expr *blocks_slot(const struct blocks *b, const struct expr *at,
                               const struct chain_member *member, const struct expr *place);

/* ---- Loads ---- */

const struct expr *blocks_load(const struct blocks *b, uint32_t stage, enum scalar scalar,
                               unsigned count, const struct expr *const own[],
                               const struct border border[]);

/* ---- Copies of the chain ---- */

/* What is before where nothing is: 0, less than all, more than all. */
enum blocks_rest { BLOCKS_ZERO, BLOCKS_LEAST, BLOCKS_GREATEST };
/* Of that type; of integers within the interval. */
const struct expr *blocks_at_rest(const struct blocks *b, enum blocks_rest rest, enum scalar scalar,
                                  struct interval interval);

/* The members once more, at other coordinates. */
struct blocks_copy {
    struct blocks *b;
    const char *part;         /* of names */
    bool is_final;            /* what is stored is computed of them, but for the rest of the line */
    unsigned rank;            /* behind the axes before the line's: 2, or 1 as it was */
    const struct expr *shift; /* x = shift + … */
    const struct expr *along; /* … this */
    const struct expr *at;    /* … where the state is that was before */
    const struct expr *begins;   /* the line begins there */
    const struct expr *row;      /* of the carry, elsewhere; NULL: it is at rest */
    enum blocks_rest rest;       /* what that is */
    const struct stage *instead; /* of the members that feed; NULL: these themselves */
    const struct stage *reader;  /* member at hand */
    uint32_t stage[CHAIN_MOST_MEMBERS];
};
void blocks_copy_member(struct blocks_copy *c, size_t m, const struct stage_axis own[]);

/* ---- Stages that are made ---- */

/* Each line of blocks begins by itself; places of the state are lines of their own. */
const struct schedule *blocks_line_by_line(const struct blocks *b, unsigned rank);
stage_id blocks_add_map(struct blocks *b, enum stage_kind kind, const char *part,
                        const struct stage_axis own[2], const struct expr *value);
/* By lines along its last axis. */
stage_id blocks_add_lines(struct blocks *b, const char *part, const struct stage_axis own[2],
                          const struct expr *value);

/* block_states.c: the states with which blocks begin. */
void blocks_add_states(struct blocks *b);
/* What a copy of the chain leaves behind each block that begins at rest, and what rest is, of which there is one more. */
stage_id blocks_add_ends(struct blocks *b, enum blocks_rest rest, const struct stage *instead);
/* What a state becomes over a block: a matrix of weights. */
stage_id blocks_add_matrix(struct blocks *b);
/* The recurrence of that value along the blocks. */
stage_id blocks_add_carry(struct blocks *b, const struct expr *value);
/* The sample of the carry before the one at hand, which is the next stage that is added; at first 0. */
const struct expr *blocks_before_carry(const struct blocks *b, unsigned place);

/* block_clamps.c: the same for chains that follow themselves up to limits. */
void blocks_add_clamped_states(struct blocks *b);

#endif
