/* What a tile of one stage, the sink of a group, needs of the other stages of the group: for each
 * of their axes the coordinates  floor(n t / d) + low … floor(n t / d) + high  of the tile's
 * coordinates t along one axis of the sink. Coordinates are those that reads name; border rules
 * only ever lead back into that range. */
#ifndef FLTC_GRAPH_PLACEMENT_TILES_H
#define FLTC_GRAPH_PLACEMENT_TILES_H

#include "graph/graph.h"

enum { NO_AXIS = GRAPH_MAX_RANK };

struct tile_need {
    unsigned axis; /* of the sink; NO_AXIS: low … high, whatever the tile */
    int64_t numerator, denominator;
    int64_t low, high;
    bool whole; /* all of the stage's axis, of a few samples: which of them is known when it runs */
};

/* The needs of a stage, one an axis. A stage that another one reads at its own coordinates along
 * the first axes, which follow no axis of the sink, is computed inside the loops of that one along
 * them, a place at a time:
 *   apart[v, u, y, x] is read at [v, u, y + d, x]:     loop v { loop u { apart  columns } } */
struct tile_needs {
    bool any;                 /* read by a member of the group */
    const struct stage *sink; /* of the group */
    struct tile_need axis[GRAPH_MAX_RANK];
    unsigned shared;          /* how many of the first axes it takes a place at a time */
    const struct stage *root; /* shared > 0: the stage whose loops these are */
    unsigned inner;           /* of a root: the loops that hold other stages */
    /* of a recurrence: it begins so many samples before those that are read, at rest */
    int64_t memory;
};

/* The sink's needs of itself: its own coordinates. */
struct tile_needs tile_needs_of_sink(const struct stage *sink);

/* Adds what a member of the group needs of the stage `source`, which it reads, to *needs. Returns
 * NULL, or in a few words why tiles cannot be followed through these reads: "its rows are read in
 * another order". */
const char *tile_needs_add(struct expr_pool *pool, struct arena *scratch,
                           const struct stage *reader, const struct tile_needs *reader_needs,
                           const struct stage *source, struct tile_needs *needs);

/* When all readers are added: a recurrence begins before what is read of it, so that what was
 * before that does not count. NULL, or why a tile cannot hold it, in a few words. */
const char *tile_needs_recur(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage *stage,
                             struct tile_needs *needs);

/* Lets the stage share the loops of its readers, which are members of the group: sets its `shared`
 * and `root`. Where a stage shares the loops of a root for the first time, the caller sets the
 * root's `inner` to as many. */
void tile_needs_share(struct arena *scratch, size_t count, const struct stage *const reader[],
                      const struct tile_needs *const reader_needs[], const struct stage *stage,
                      struct tile_needs *needs);

/* A grid has blocks along three axes at most: so many are cut. A tile belongs to a block of
 * threads, which lie along two of these at most, the fastest ones. cut: axes of the sink that are
 * cut; i: which of the two, the fastest first. Returns how many threads lie along it; recurs: where
 * recurrences are in the tile, of which a thread has a line, there are fewer. */
enum { TILE_GRID_AXES = 3, TILE_THREADS = 2 };
int64_t tile_threads(unsigned cut, unsigned i, bool recurs);
/* Whether threads take all places of a tile along the stage's axis, which are so few: channels of a
 * sample, along the fastest axis, beside another one that is cut. cut: by axis of the stage. */
enum { TILE_CHANNELS = 4 };
bool tile_has_channels(const struct stage *stage, const bool cut[], unsigned axis);

/* Bytes that a tile may have for its stages. Recurrences pass over theirs in order, which
 * processors foresee. */
double tile_bytes_for(unsigned fast_bytes, bool recurs);

/* Whether tiles take the stage's rows some at a time, LINE_ROWS, turned
 * (loop/lines/tile_rows.h). */
bool tile_is_on_rows(const struct stage *stage);

/* Whether what a tile computes of the reader may take the place of what it holds of the source,
 * sample by sample, if nothing else reads that: samples of one type and interval. */
bool tile_takes_over(struct arena *scratch, const struct stage *reader, const struct stage *source);

/* Whether it may in a block of threads: there a barrier parts the two, which pays for recurrences
 * alone. */
bool tile_takes_over_in_blocks(const struct stage *reader, const struct stage *source);

/* The most samples along an axis that a tile of the sink needs. tile: its extents, by axis of the
 * sink. */
int64_t tile_extent(const struct tile_need *need, const int64_t tile[]);

/* The axis along which threads share tiles: of those that are cut and not short, the second
 * fastest, so that a thread has whole rows of tiles; the only one, where there is one; NO_AXIS:
 * there is none. */
unsigned tile_shared_axis(const struct stage *sink, const bool tiled[]);

/* ---- Tiles that slide ----
 * The sink's samples at one coordinate of an axis after the other, each time with what is new of
 * the stages that follow it: of these only the rows that are still read are in memory, in turn. */

/* The stage's own axis that follows the sink's; NO_AXIS: none does. */
unsigned tile_follows(const struct stage *stage, const struct tile_needs *needs,
                      unsigned sink_axis);
/* Whether a tile may slide along the sink's axis past the stage: at most one of its own, not the
 * last, follows it. */
bool tile_can_slide(const struct stage *stage, const struct tile_needs *needs, unsigned sink_axis);
/* Rows that are in memory along the stage's axis that follows: a power of two. */
int64_t tile_rows(const struct tile_need *need);

#endif
