/* The stages that segment_recurrences makes for a chain that is cut into segments. The pass
 * explains the mathematics, RECURRENCE.md the idea. */
#ifndef FLTC_GRAPH_SEGMENTS_SEGMENTS_H
#define FLTC_GRAPH_SEGMENTS_SEGMENTS_H

#include "analysis/regions.h"
#include "graph/segments/segment_choices.h"
#include "graph/segments/chains.h"
#include "graph_pass.h"

enum { SEGMENTS_MOST_ROWS = 32 };

/* Rows across the lines of the chain, which are computed with each segment (segment_rows.c). */
struct segments_rows {
    size_t count;
    const struct stage *stage[SEGMENTS_MOST_ROWS]; /* readers first; the chain reads the first */
};

/* A stage that is computed behind each tile of the stage `at`, or in it. Both are ids of the new
 * graph. Schedules are written when all stages exist. */
struct segments_placed {
    uint32_t stage, at;
    enum placement placement;
};
struct segments_all_placed {
    VECTOR(struct segments_placed) items;
};

/* The current lines: all, or a range along one of the axes before theirs; or other ones in their
 * place, which a variable of their own counts. */
struct segments_part_of {
    const struct expr *first, *extent; /* NULL: all lines */
    unsigned axis;
    const struct expr *variable; /* NULL: that of the axis */
};

/* One chain that is cut, and the graph that it is built in. */
struct segments {
    struct pass_context *context;
    const struct graph *in;
    const struct stage_readers *readers; /* of the graph `in` */
    const bool *replaced;                /* by stage: it belongs to a chain that is cut */
    struct graph *out;
    uint32_t *new_id;         /* by old id of a stage */
    const struct stage *last; /* of the chain, in the old graph */
    const struct segment_choice *choice;
    const struct chain *chain;         /* of the old graph */
    unsigned lead, trail;              /* axes before the line's axis, and after it */
    int64_t size;                      /* of a segment */
    const struct expr *j, *i;          /* number of the segment; coordinate within it */
    const struct symbol *segment_name; /* of the axis that counts segments */
    const struct expr *count;          /* of segments */
    const struct expr *base;           /* i of a segment's first sample */
    stage_id carry[CHAIN_MOST_SWEEPS]; /* the states with which segments begin */
    size_t rows_count;
    struct segments_rows rows[SEGMENTS_MOST_ROWS];
    uint32_t kept, sink; /* of the new graph: the samples in segments; the stage that stores them */
    struct segments_part_of part;
    /* of a chain that tiles compute again: its stages in tiles, tile_first .. tile_end - 1 */
    uint32_t tile_first, tile_end;
    const struct segments *again; /* the chain that this one's tiles compute again; NULL: none */
    /* the chain whose tiles also compute the tails; NULL: none */
    const struct segments *behind;
    struct segments_all_placed *all_placed; /* of all chains */
};

/* Whether this chain runs across the chain whose tiles compute its tails. */
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
/* The name of a stage that a pass makes: "NAME.PART". */
const struct symbol *segments_stage_name(const struct segments *s, const struct symbol *of,
                                         const char *part);
struct stage_axis segments_box(const struct symbol *name, const struct expr *variable,
                               const struct expr *first, const struct expr *extent);
/* All axes of a stage: those before the line's, then `own`, then those after the line's. */
const struct stage_axis *segments_axes(const struct segments *s, unsigned count,
                                       const struct stage_axis own[]);

/* Whether the first sweep runs backward. The rest of the line is where the first sweep ends. */
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

/* A range of places within a segment. The state is after the samples, where the last sweep ends;
 * its places hold the states of all sweeps. */
enum segments_part { SEGMENTS_SAMPLES, SEGMENTS_SAMPLES_AND_STATE, SEGMENTS_STATE };
struct stage_axis segments_along(const struct segments *s, enum segments_part part, unsigned sweep);
struct stage_axis segments_along_all(const struct segments *s, int64_t first);
/* Places of a state, counted from 0. */
struct stage_axis segments_along_places(const struct segments *s, unsigned order);
/* The coordinate after a segment that holds a place of the sweep's state. place: counted from 0. */
const struct expr *segments_place_behind(const struct segments *s, unsigned sweep,
                                         const struct expr *place);
/* size × (j - from): add i for the coordinate along the line. from: the number of the first
 * segment. */
const struct expr *segments_begin(const struct segments *s, int64_t from);
/* Whether the first sweep begins with segment j. from: as above. */
const struct expr *segments_is_first(const struct segments *s, int64_t from);

/* The coordinate at which the sweep enters a segment. Its state is just before. */
const struct expr *segments_before(const struct segments *s, unsigned sweep);
/* The coordinate after the last segment. */
const struct expr *segments_behind_all(const struct segments *s);
/* The place in the state that holds the member's sample at coordinate `place`, if the sweep enters
 * at `at`. */
const struct expr *segments_slot(const struct segments *s, const struct expr *at,
                                 const struct chain_member *member, const struct expr *place);

/* ---- Loads ---- */

const struct expr *segments_load(const struct segments *s, uint32_t stage, enum scalar scalar,
                                 unsigned count, const struct expr *const own[],
                                 const struct border border[]);

/* ---- Copies of the chain ---- */

/* The state of a segment that begins at rest: 0; for recurrences with limits less, or more, than
 * any sample. */
enum segments_rest { SEGMENTS_ZERO, SEGMENTS_LEAST, SEGMENTS_GREATEST };
/* That value as a sample of the type; integers stay in the interval. */
const struct expr *segments_at_rest(const struct segments *s, enum segments_rest rest,
                                    enum scalar scalar, struct interval interval);

/* A copy of all members at other coordinates: x = shift + along. */
struct segments_copy {
    struct segments *s;
    const char *part; /* what the names of its stages end with */
    bool is_final;    /* the samples that are stored come from it, except those of the rest */
    bool goes_on;     /* it computes beyond the end of the segment; nothing reads those samples */
    bool is_little;   /* its stages are small where lines are few */
    unsigned rank;    /* axes in place of the line's: 2, segment and place, or 1 */
    int64_t from;     /* the number of the first segment */
    const struct expr *shift;
    const struct expr *along;
    struct {
        const struct expr *at;     /* value of `along` where the sweep enters */
        const struct expr *begins; /* whether the line begins there; NULL: it does not */
        const struct expr *row;    /* of the carry, from which it starts otherwise; NULL: at rest */
    } sweep[CHAIN_MOST_SWEEPS];
    enum segments_rest rest; /* the state at rest */
    /* copied in place of the members that feed the state; NULL: these themselves */
    const struct stage *instead;
    size_t reader;                      /* the member that is being copied */
    uint32_t stage[CHAIN_MOST_MEMBERS]; /* by member: its copy, in the new graph */
    uint32_t rows[SEGMENTS_MOST_ROWS];  /* copies of the rows that the chain reads */
};
/* Adds the copy of member m. own: its axes in place of the line's. */
void segments_copy_member(struct segments_copy *c, size_t m, const struct stage_axis own[]);

/* ---- segment_rows.c ---- */

/* Finds the rows that are computed with each segment. */
void segments_find_rows(struct segments *s);
/* Adds the rows of a copy, before its members. own: by member, its places on a part of the line;
 * NULL: in segments. */
void segments_copy_rows(struct segments_copy *c, const struct stage_axis own[]);
/* The id in the new graph of what the copy reads in place of a stage that is no member. */
uint32_t segments_place_of(const struct segments_copy *c, uint32_t stage);

/* ---- Stages that are made ---- */

/* Details for small helper stages: run on one thread. */
const struct stage_details *segments_of_little(const struct segments *s);

/* The schedule of stages over lines of segments: some lines at a time. own: axes in place of the
 * line's; lines run along the last of them. */
const struct schedule *segments_line_by_line(const struct segments *s, unsigned own);
/* Adds a stage with the states' element type and the chain's other axes. own: the axes in place of
 * the line's axis. */
stage_id segments_add_map(struct segments *s, enum stage_kind kind, const char *part,
                          const struct stage_axis own[2], const struct expr *value);
/* Whether the tails fit behind each tile of the samples that they read. */
bool segments_fit_tiles(const struct segments *s);
/* Notes that `lines` are placed behind these tiles; returns the stage that readers name. */
stage_id segments_place_behind_tiles(struct segments *s, stage_id lines);
/* Adds a map that is computed in lines along the second of its own axes. */
stage_id segments_add_lines(struct segments *s, const char *part, const struct stage_axis own[2],
                            const struct expr *value);

/* ---- segment_states.c ---- */

/* The states after segments that begin at rest (the tails), in memory with a row more for the state
 * before the first segment, which is `before`. */
struct segments_ends {
    stage_id stage;
    const struct expr *before;
};
struct segments_ends segments_add_ends(struct segments *s, enum segments_rest rest,
                                       const struct stage *instead);
/* What row s->j has at a place of the state. */
const struct expr *segments_end(const struct segments *s, const struct segments_ends *ends,
                                const struct expr *place);
/* Adds the matrix that maps the state before a segment to the state after it. */
stage_id segments_add_matrix(struct segments *s);
/* Adds the weights of the state before a segment in its samples: by place of the state, and place
 * in the segment. Of a chain with one member that feeds, whose matrix has just been added. */
stage_id segments_add_weights(struct segments *s);
/* The segments for which the matrix is made: one instead of all. one: also for one line only. */
struct segments segments_of_matrix(const struct segments *s, bool one);
/* Adds the recurrence over segments. Its value is the state with which the sweep begins the next
 * segment. */
stage_id segments_add_carry(struct segments *s, unsigned sweep, struct stage_axis places,
                            const struct expr *value);
/* The read of the carry by itself: the state of the previous segment, 0 for the first. The carry
 * must be the next stage that is added. */
const struct expr *segments_before_carry(const struct segments *s, unsigned sweep, unsigned place);
/* The stages that give the states of a chain. */
struct segments_states {
    struct segments of_matrix; /* the segments that the matrix is made for */
    struct segments_ends ends;
    stage_id matrix;
};
struct segments_states segments_add_states(struct segments *s);
/* An entry of the matrix: the weight of place `slot` of the state before a segment in place
 * `behind` of the state after it. */
const struct expr *segments_weight(const struct segments *s, const struct segments_states *states,
                                   unsigned slot, const struct expr *behind);
/* ends[j] + matrix carry[j - 1], of places of the sweep's own state. ends: by place s->i. */
void segments_add_carry_from(struct segments *s, unsigned sweep,
                             const struct segments_states *states, const struct expr *ends);
/* Adds the states of a sweep that begins on the rest of the line, for a chain behind another one.
 * rest: by member, its stage on the rest of the line. */
void segments_add_states_behind(struct segments *s, const uint32_t rest[]);
/* Adds the states of the second sweep, which begins on the rest of the line. rest: as above. */
void segments_add_states_back(struct segments *s, const struct segments_states *states,
                              const uint32_t rest[]);

/* segment_of_tile.c: adds the chain's stages as tiles compute them, from the states of its
 * segments; at rest: those that its states depend on, each segment from 0. part: the ending of
 * their names. */
void segments_add_of_tile(struct segments *s, const char *part, bool at_rest);
/* The stages first .. end - 1 are computed in tiles of the stage `sink`. */
void segments_place_at(struct segments *s, uint32_t first, uint32_t end, uint32_t sink);
/* tile: by axis of the stage. */
void segments_give_tile(struct segments *s, uint32_t sink, const int64_t tile[]);
/* segment_overlap.c: adds the states and samples of a chain whose tiles compute another chain
 * again. */
void segments_add_overlapped(struct segments *s);

/* segment_crossing.c: adds the states of both chains. */
void segments_add_crossing(struct segments *s, struct segments *rows);

/* segment_clamps.c: adds the states of a recurrence with limits. */
void segments_add_clamped_states(struct segments *s);

#endif
