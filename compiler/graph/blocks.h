/* A chain of recurrences in blocks along its axis: what the stages that are made for it are built of. For the pass
 * block_recurrences, which tells the mathematics. */
#ifndef FLTC_GRAPH_BLOCKS_H
#define FLTC_GRAPH_BLOCKS_H

#include "analysis/regions.h"
#include "graph/block_choices.h"
#include "graph/chains.h"
#include "graph_pass.h"

enum { BLOCKS_MOST_ROWS = 32, BLOCKS_LANES = 128 /* of a row in memory */ };

/* Lines across those of the chain, that are computed with each block (block_rows.c). */
struct blocks_rows {
    size_t count;
    const struct stage *stage[BLOCKS_MOST_ROWS]; /* readers first; the chain reads the first */
};

/* Lines that are computed with each tile of others, behind them: stages of the new graph, which are placed when all are there. */
struct blocks_behind {
    uint32_t lines, at;
};
struct blocks_all_behind {
    VECTOR(struct blocks_behind) items;
};

/* A part of the lines, along an axis before the one that they run along. */
struct blocks_part_of {
    const struct expr *first, *extent; /* NULL: they are all at hand */
    unsigned axis;
};

/* One chain. */
struct blocks {
    struct pass_context *context;
    const struct graph *in;
    const struct stage_readers *readers; /* of that */
    const bool *replaced;                /* by stage: it is in blocks */
    struct graph *out;
    const uint32_t *place; /* by old number of a stage: its new one */
    const struct stage *last;
    const struct block_choice *choice;
    const struct chain *chain;         /* of the old graph */
    unsigned lead, trail;              /* axes before the one of the line, and behind it */
    int64_t size;                      /* of a block */
    const struct expr *j, *i;          /* coordinates: of the block, within it */
    const struct symbol *block_name;   /* of the axis that counts blocks */
    const struct expr *count;          /* of blocks */
    const struct expr *base;           /* i of a block's first sample */
    stage_id carry[CHAIN_MOST_PASSES]; /* the states with which blocks begin */
    size_t rows_count;
    struct blocks_rows rows[BLOCKS_MOST_ROWS];
    uint32_t kept, sink; /* of the new graph: the samples in blocks; those that are stored */
    struct blocks_part_of part;
    const struct blocks
        *behind; /* those with whose tiles the tails are computed; NULL: with none */
    struct blocks_all_behind *all_behind; /* of all chains */
};

/* Whether lines run across those of the chain whose samples they read block by block. */
static inline bool blocks_are_turned(const struct blocks *b)
{
    return b->behind && b->behind->chain->axis != b->chain->axis;
}

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
/* Those before the line's, then these, and those behind. */
const struct stage_axis *blocks_axes(const struct blocks *b, unsigned count,
                                     const struct stage_axis own[]);

/* Lines run so in the first pass: they have what is left, fewer samples than a block, where it ends. */
static inline bool blocks_reversed(const struct blocks *b)
{
    return b->chain->pass[0].reversed;
}

static inline unsigned blocks_last_pass(const struct blocks *b)
{
    return b->chain->passes - 1;
}

/* The first pass that has a state. */
static inline unsigned blocks_first_pass(const struct blocks *b)
{
    return b->chain->pass[0].order ? 0 : 1;
}

/* Places of a line within a block: its samples; with as many behind, where the pass ends, as the states have places; those
 * alone. All states lie where the last pass ends. */
enum blocks_part { BLOCKS_SAMPLES, BLOCKS_SAMPLES_AND_STATE, BLOCKS_STATE };
struct stage_axis blocks_along(const struct blocks *b, enum blocks_part part, unsigned pass);
struct stage_axis blocks_along_all(const struct blocks *b, int64_t first);
/* Places of a state, counted from 0. */
struct stage_axis blocks_along_places(const struct blocks *b, unsigned order);
/* Where a place of the pass's state, counted from 0, lies behind a block. */
const struct expr *blocks_place_behind(const struct blocks *b, unsigned pass,
                                       const struct expr *place);
/* x = … + i, of the block of that number, counted from `from`. */
const struct expr *blocks_begin(const struct blocks *b, int64_t from);
/* Whether the line begins in that block. */
const struct expr *blocks_is_first(const struct blocks *b, int64_t from);

/* Where the samples of a block begin that the pass computes first: its state lies before that. */
const struct expr *blocks_before(const struct blocks *b, unsigned pass);
/* x behind the last block. */
const struct expr *blocks_behind_all(const struct blocks *b);
/* The place in the states of a member's sample there, if that of its pass lies before `at`. */
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
    const char *part; /* of names */
    bool is_final;    /* what is stored is computed of them, but for the rest of the line */
    bool goes_on;     /* beyond the block, where passes end: what is there counts for nothing */
    bool is_little;   /* where lines are few */
    unsigned rank;    /* in place of the line's axis: 2, or 1 as it was */
    int64_t from;     /* what blocks are counted from */
    const struct expr *shift; /* x = shift + … */
    const struct expr *along; /* … this */
    struct {
        const struct expr *at;     /* … where the state is that was before */
        const struct expr *begins; /* whether the pass begins there; NULL: it does not */
        const struct expr *row;    /* of the carry, elsewhere; NULL: it is at rest */
    } pass[CHAIN_MOST_PASSES];
    enum blocks_rest rest;       /* what that is */
    const struct stage *instead; /* of the members that feed; NULL: these themselves */
    size_t reader;               /* member at hand */
    uint32_t stage[CHAIN_MOST_MEMBERS];
    uint32_t rows[BLOCKS_MOST_ROWS]; /* the stages that are read in place of their sinks */
};
void blocks_copy_member(struct blocks_copy *c, size_t m, const struct stage_axis own[]);

/* block_rows.c */
void blocks_find_rows(struct blocks *b);
/* Those of the copy, before its members. own: by member, its places, where it has those of a part of the line; NULL: in blocks. */
void blocks_copy_rows(struct blocks_copy *c, const struct stage_axis own[]);
/* The stage that the copy reads in place of that one, which is no member. */
uint32_t blocks_place_of(const struct blocks_copy *c, uint32_t stage);

/* ---- Stages that are made ---- */

/* Of those that have few samples where there are few lines: no thread is woken for them. */
const struct stage_details *blocks_of_little(const struct blocks *b);

/* Each line of blocks begins by itself; places of the state are lines of their own. own: axes in place of the line's, the last
 * of them that along which they run. */
const struct schedule *blocks_line_by_line(const struct blocks *b, unsigned own);
stage_id blocks_add_map(struct blocks *b, enum stage_kind kind, const char *part,
                        const struct stage_axis own[2], const struct expr *value);
/* Whether such lines can be computed with each tile of the samples that they read. */
bool blocks_fit_tiles(const struct blocks *b);
/* They are: that stage of the new graph. */
stage_id blocks_place_behind_tiles(struct blocks *b, stage_id lines);
/* By lines along the second one. */
stage_id blocks_add_lines(struct blocks *b, const char *part, const struct stage_axis own[2],
                          const struct expr *value);

/* block_states.c */
/* What a copy of the chain leaves behind each block that begins at rest, and what rest is, of which there is one more. */
stage_id blocks_add_ends(struct blocks *b, enum blocks_rest rest, const struct stage *instead);
/* What a state becomes over a block: a matrix of weights. */
stage_id blocks_add_matrix(struct blocks *b);
/* Those that a matrix is of, which is the same wherever they are; one: for all lines. */
struct blocks blocks_of_matrix(const struct blocks *b, bool one);
/* The recurrence along the blocks of that value, over places of the pass's state. */
stage_id blocks_add_carry(struct blocks *b, unsigned pass, struct stage_axis places,
                          const struct expr *value);
/* The sample of the carry before the one at hand, which is the next stage that is added; at first 0. */
const struct expr *blocks_before_carry(const struct blocks *b, unsigned pass, unsigned place);
/* The states with which the first pass begins blocks, and what leads to those of the next one. */
struct blocks_states {
    struct blocks of_matrix; /* one for all lines, if it can be */
    stage_id ends, matrix;
};
struct blocks_states blocks_add_states(struct blocks *b);
/* The weight in the state at that place behind a block of a place of the state that it begins with. */
const struct expr *blocks_weight(const struct blocks *b, const struct blocks_states *states,
                                 unsigned slot, const struct expr *behind);
/* Those of a pass that begins on the rest of the line, behind another chain; rest: its members there. */
void blocks_add_states_behind(struct blocks *b, const uint32_t rest[]);
/* Those of the second pass, which begins on the rest of the line; rest: its members there. */
void blocks_add_states_back(struct blocks *b, const struct blocks_states *states,
                            const uint32_t rest[]);

/* block_clamps.c: the same for chains that follow themselves up to limits. */
void blocks_add_clamped_states(struct blocks *b);

#endif
