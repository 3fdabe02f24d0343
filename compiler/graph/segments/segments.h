/* A chain of recurrences in segments along its axis: what the stages that are made for it are built
 * of. For the pass segment_recurrences, which tells the mathematics. */
#ifndef FLTC_GRAPH_SEGMENTS_SEGMENTS_H
#define FLTC_GRAPH_SEGMENTS_SEGMENTS_H

#include "analysis/regions.h"
#include "graph/segments/segment_choices.h"
#include "graph/segments/chains.h"
#include "graph_pass.h"

enum { SEGMENTS_MOST_ROWS = 32, SEGMENTS_LANES = 128 /* of a row in memory */ };

/* Lines across those of the chain, that are computed with each segment (segment_rows.c). */
struct segments_rows {
    size_t count;
    const struct stage *stage[SEGMENTS_MOST_ROWS]; /* readers first; the chain reads the first */
};

/* Lines that are computed with each tile of others, behind them: stages of the new graph, which are
 * placed when all are there. */
struct segments_behind {
    uint32_t lines, at;
};
struct segments_all_behind {
    VECTOR(struct segments_behind) items;
};

/* A part of the lines, along an axis before the one that they run along. */
struct segments_part_of {
    const struct expr *first, *extent; /* NULL: they are all at hand */
    unsigned axis;
};

/* One chain. */
struct segments {
    struct pass_context *context;
    const struct graph *in;
    const struct stage_readers *readers; /* of that */
    const bool *replaced;                /* by stage: it is in segments */
    struct graph *out;
    const uint32_t *new_id; /* by old number of a stage: its new one */
    const struct stage *last;
    const struct segment_choice *choice;
    const struct chain *chain;         /* of the old graph */
    unsigned lead, trail;              /* axes before the one of the line, and behind it */
    int64_t size;                      /* of a segment */
    const struct expr *j, *i;          /* coordinates: of the segment, within it */
    const struct symbol *segment_name; /* of the axis that counts segments */
    const struct expr *count;          /* of segments */
    const struct expr *base;           /* i of a segment's first sample */
    stage_id carry[CHAIN_MOST_SWEEPS]; /* the states with which segments begin */
    size_t rows_count;
    struct segments_rows rows[SEGMENTS_MOST_ROWS];
    uint32_t kept, sink; /* of the new graph: the samples in segments; those that are stored */
    struct segments_part_of part;
    /* those with whose tiles the tails are computed; NULL: with none */
    const struct segments *behind;
    struct segments_all_behind *all_behind; /* of all chains */
};

/* Whether lines run across those of the chain whose samples they read segment by segment. */
static inline bool segments_are_turned(const struct segments *s)
{
    return s->behind && s->behind->chain->axis != s->chain->axis;
}

static inline struct expr_pool *segments_pool(const struct segments *s)
{
    return s->context->pool;
}

static inline const struct expr *segments_integer(const struct segments *s, int64_t value)
{
    return expr_integer(segments_pool(s), value);
}

static inline const struct expr *segments_plus(const struct segments *s, const struct expr *a,
                                               int64_t value)
{
    return region_sum(segments_pool(s), a, segments_integer(s, value), 1);
}

static inline const struct stage_axis *segments_line(const struct segments *s)
{
    return &s->last->axis[s->chain->axis];
}

/* ---- Axes ---- */

const struct symbol *segments_part_name(const struct segments *s, const struct symbol *of,
                                        const char *part);
/* Other passes name stages so, too. */
const struct symbol *segments_stage_name(const struct segments *s, const struct symbol *of,
                                         const char *part);
struct stage_axis segments_box(const struct symbol *name, const struct expr *variable,
                               const struct expr *first, const struct expr *extent);
/* Those before the line's, then these, and those behind. */
const struct stage_axis *segments_axes(const struct segments *s, unsigned count,
                                       const struct stage_axis own[]);

/* Lines run so in the first sweep: they have what is left, fewer samples than a segment, where it
 * ends. */
static inline bool segments_reversed(const struct segments *s)
{
    return s->chain->sweep[0].reversed;
}

static inline unsigned segments_last_sweep(const struct segments *s)
{
    return s->chain->sweeps - 1;
}

/* The first sweep that has a state. */
static inline unsigned segments_first_sweep(const struct segments *s)
{
    return s->chain->sweep[0].order ? 0 : 1;
}

/* Places of a line within a segment: its samples; with as many behind, where the sweep ends, as the
 * states have places; those alone. All states lie where the last sweep ends. */
enum segments_part { SEGMENTS_SAMPLES, SEGMENTS_SAMPLES_AND_STATE, SEGMENTS_STATE };
struct stage_axis segments_along(const struct segments *s, enum segments_part part, unsigned sweep);
struct stage_axis segments_along_all(const struct segments *s, int64_t first);
/* Places of a state, counted from 0. */
struct stage_axis segments_along_places(const struct segments *s, unsigned order);
/* Where a place of the sweep's state, counted from 0, lies behind a segment. */
const struct expr *segments_place_behind(const struct segments *s, unsigned sweep,
                                         const struct expr *place);
/* x = … + i, of the segment of that number, counted from `from`. */
const struct expr *segments_begin(const struct segments *s, int64_t from);
/* Whether the line begins in that segment. */
const struct expr *segments_is_first(const struct segments *s, int64_t from);

/* Where the samples of a segment begin that the sweep computes first: its state lies before
 * that. */
const struct expr *segments_before(const struct segments *s, unsigned sweep);
/* x behind the last segment. */
const struct expr *segments_behind_all(const struct segments *s);
/* The place in the states of a member's sample there, if that of its sweep lies before `at`. */
const struct expr *segments_slot(const struct segments *s, const struct expr *at,
                                 const struct chain_member *member, const struct expr *place);

/* ---- Loads ---- */

const struct expr *segments_load(const struct segments *s, uint32_t stage, enum scalar scalar,
                                 unsigned count, const struct expr *const own[],
                                 const struct border border[]);

/* ---- Copies of the chain ---- */

/* What is before where nothing is: 0, less than all, more than all. */
enum segments_rest { SEGMENTS_ZERO, SEGMENTS_LEAST, SEGMENTS_GREATEST };
/* Of that type; of integers within the interval. */
const struct expr *segments_at_rest(const struct segments *s, enum segments_rest rest,
                                    enum scalar scalar, struct interval interval);

/* The members once more, at other coordinates. */
struct segments_copy {
    struct segments *s;
    const char *part; /* of names */
    bool is_final;    /* what is stored is computed of them, but for the rest of the line */
    bool goes_on;     /* beyond the segment, where sweeps end: what is there counts for nothing */
    bool is_little;   /* where lines are few */
    unsigned rank;    /* in place of the line's axis: 2, or 1 as it was */
    int64_t from;     /* what segments are counted from */
    const struct expr *shift; /* x = shift + … */
    const struct expr *along; /* … this */
    struct {
        const struct expr *at;     /* … where the state is that was before */
        const struct expr *begins; /* whether the sweep begins there; NULL: it does not */
        const struct expr *row;    /* of the carry, elsewhere; NULL: it is at rest */
    } sweep[CHAIN_MOST_SWEEPS];
    enum segments_rest rest;     /* what that is */
    const struct stage *instead; /* of the members that feed; NULL: these themselves */
    size_t reader;               /* member at hand */
    uint32_t stage[CHAIN_MOST_MEMBERS];
    uint32_t rows[SEGMENTS_MOST_ROWS]; /* the stages that are read in place of their sinks */
};
void segments_copy_member(struct segments_copy *c, size_t m, const struct stage_axis own[]);

/* segment_rows.c */
void segments_find_rows(struct segments *s);
/* Those of the copy, before its members. own: by member, its places, where it has those of a part
 * of the line; NULL: in segments. */
void segments_copy_rows(struct segments_copy *c, const struct stage_axis own[]);
/* The stage that the copy reads in place of that one, which is no member. */
uint32_t segments_place_of(const struct segments_copy *c, uint32_t stage);

/* ---- Stages that are made ---- */

/* Of those that have few samples where there are few lines: no thread is woken for them. */
const struct stage_details *segments_of_little(const struct segments *s);

/* Each line of segments begins by itself; places of the state are lines of their own. own: axes in
 * place of the line's, the last of them that along which they run. */
const struct schedule *segments_line_by_line(const struct segments *s, unsigned own);
stage_id segments_add_map(struct segments *s, enum stage_kind kind, const char *part,
                          const struct stage_axis own[2], const struct expr *value);
/* Whether such lines can be computed with each tile of the samples that they read. */
bool segments_fit_tiles(const struct segments *s);
/* They are: that stage of the new graph. */
stage_id segments_place_behind_tiles(struct segments *s, stage_id lines);
/* By lines along the second one. */
stage_id segments_add_lines(struct segments *s, const char *part, const struct stage_axis own[2],
                            const struct expr *value);

/* segment_states.c */
/* What a copy of the chain leaves behind each segment that begins at rest, and what rest is, of
 * which there is one more. */
stage_id segments_add_ends(struct segments *s, enum segments_rest rest,
                           const struct stage *instead);
/* What a state becomes over a segment: a matrix of weights. */
stage_id segments_add_matrix(struct segments *s);
/* Those that a matrix is of, which is the same wherever they are; one: for all lines. */
struct segments segments_of_matrix(const struct segments *s, bool one);
/* The recurrence along the segments of that value, over places of the sweep's state. */
stage_id segments_add_carry(struct segments *s, unsigned sweep, struct stage_axis places,
                            const struct expr *value);
/* The sample of the carry before the one at hand, which is the next stage that is added; at first
 * 0. */
const struct expr *segments_before_carry(const struct segments *s, unsigned sweep, unsigned place);
/* The states with which the first sweep begins segments, and what leads to those of the next
 * one. */
struct segments_states {
    struct segments of_matrix; /* one for all lines, if it can be */
    stage_id ends, matrix;
};
struct segments_states segments_add_states(struct segments *s);
/* The weight in the state at that place behind a segment of a place of the state that it begins
 * with. */
const struct expr *segments_weight(const struct segments *s, const struct segments_states *states,
                                   unsigned slot, const struct expr *behind);
/* Those of a sweep that begins on the rest of the line, behind another chain; rest: its members
 * there. */
void segments_add_states_behind(struct segments *s, const uint32_t rest[]);
/* Those of the second sweep, which begins on the rest of the line; rest: its members there. */
void segments_add_states_back(struct segments *s, const struct segments_states *states,
                              const uint32_t rest[]);

/* segment_clamps.c: the same for chains that follow themselves up to limits. */
void segments_add_clamped_states(struct segments *s);

#endif
