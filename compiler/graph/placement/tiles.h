/* What a tile of one stage, the sink of a group, needs of the other stages of the group: for each
 * of their axes the coordinates  floor(n t / d) + low … floor(n t / d) + high  of the tile's
 * coordinates t along one axis of the sink. Coordinates are those that reads name; border rules
 * only ever lead back into that range. */
#ifndef FLTC_GRAPH_PLACEMENT_TILES_H
#define FLTC_GRAPH_PLACEMENT_TILES_H

#include "graph/graph.h"
#include "graph_pass.h"

enum { NO_AXIS = GRAPH_MAX_RANK };

struct tile_need {
    unsigned axis; /* of the sink; NO_AXIS: low … high, whatever the tile */
    int64_t numerator, denominator;
    int64_t low, high;
    bool whole; /* the whole axis, which is short: which samples are needed is known only at run
                 * time */
};

/* The needs of a stage, one per axis. Suppose a stage is read at the reader's own coordinates along
 * its first axes, and these follow no axis of the sink. Then it is computed inside the reader's
 * loops over these axes, one place at a time:
 *   apart[v, u, y, x] is read at [v, u, y + d, x]:     loop v { loop u { apart  columns } } */
struct tile_needs {
    bool any;                 /* read by a member of the group */
    const struct stage *sink; /* of the group */
    struct tile_need axis[GRAPH_MAX_RANK];
    unsigned shared;          /* the number of first axes that it computes one place at a time */
    const struct stage *root; /* shared > 0: the stage whose loops these are */
    unsigned inner;           /* of a root: the loops that hold other stages */
    /* of a recurrence: it starts at rest this many samples before those that are read */
    int64_t memory;
    /* of a recurrence of a tile: it starts at the multiple of this before those that are read; 0:
     * with these */
    int64_t begin;
    bool followed; /* a stage that follows it reads it */
    int64_t last;  /* so many of the last samples of each part are read */
    bool others;   /* others are, too */
};

/* The sink's needs of itself: its own coordinates. */
struct tile_needs tile_needs_of_sink(const struct stage *sink);

/* Adds to *needs what a member of the group needs of the stage `source` that it reads. Returns
 * NULL, or in a few words why tiles are impossible with these reads: "its rows are read in another
 * order". */
const char *tile_needs_add(struct expr_pool *pool, struct arena *scratch,
                           const struct stage *reader, const struct tile_needs *reader_needs,
                           const struct stage *source, struct tile_needs *needs);

/* To be called when all readers are added: extends the needs of a recurrence so far back that
 * earlier samples have no influence. NULL, or in a few words why a tile cannot hold it. */
const char *tile_needs_recur(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage *stage,
                             struct tile_needs *needs);

/* Lets the stage share the loops of its readers, which are members of the group: sets its `shared`
 * and `root`. If it is the first stage that shares the loops of that root, the caller sets the
 * root's `inner` to `shared`. */
void tile_needs_share(struct arena *scratch, size_t count, const struct stage *const reader[],
                      const struct tile_needs *const reader_needs[], const struct stage *stage,
                      struct tile_needs *needs);

/* On a grid, tiles cut at most TILE_GRID_AXES axes. A tile belongs to a block of threads, which are
 * arranged along the fastest TILE_THREADS of these axes. Returns the number of threads along axis i
 * of these, the fastest first. cut: the number of axes of the sink that are cut; recurs: the tile
 * has recurrences, with one line per thread, so there are fewer threads. */
enum { TILE_GRID_AXES = 3, TILE_THREADS = 2 };
int64_t tile_threads(const struct pass_context *context, unsigned cut, unsigned i, bool recurs);
/* Whether each thread computes all places along this axis, because it is the fastest, has at
 * most TILE_CHANNELS places (channels of a pixel), and another axis is cut. cut: by axis of the
 * stage. */
enum { TILE_CHANNELS = 4 };
bool tile_has_channels(const struct stage *stage, const bool cut[], unsigned axis);

/* The bytes that the stages of a tile may use. recurs: recurrences read their samples in order,
 * which hardware prefetches, so they may use more. */
double tile_bytes_for(const struct pass_context *context, bool recurs);

/* Whether tiles compute the stage LINE_ROWS rows at a time, transposed (loop/lines/tile_rows.h). */
bool tile_is_on_rows(const struct stage *stage);

/* Whether a tile may store the samples of a stage over those of the source, if the reader, which is
 * the stage or what it follows, alone reads the source: stage and source have one type and interval
 * and are read sample by sample. */
bool tile_takes_over(struct arena *scratch, const struct stage *stage, const struct stage *reader,
                     const struct stage *source);

/* The same for a block of threads, which needs a barrier between the two; it pays only for
 * recurrences. */
bool tile_takes_over_in_blocks(const struct stage *reader, const struct stage *source);

/* The greatest number of samples along an axis that a tile of the sink needs. tile: the extents of
 * the tile, by axis of the sink. */
int64_t tile_extent(const struct tile_need *need, const int64_t tile[]);
/* Samples of a row in shared memory: where threads go along rows of the tile, its neighbours begin
 * in other banks; else where accesses to `beside` samples begin. */
int64_t tile_row_in_block(int64_t extent, int64_t beside, bool along_rows);

/* The axis along which tiles are distributed to threads: of the axes that are cut and not short,
 * the second fastest, so that a thread has whole rows of tiles, or the only one; NO_AXIS: there is
 * none. */
unsigned tile_shared_axis(const struct stage *sink, const bool tiled[]);

/* ---- Tiles that slide ---- The sink is computed at one coordinate of an axis after another, each
 * time with the new rows of the stages that follow this axis. Of these stages, a circular buffer
 * holds the rows that are still read. */

/* The stage's own axis that follows the sink's; NO_AXIS: none does. */
unsigned tile_follows(const struct stage *stage, const struct tile_needs *needs,
                      unsigned sink_axis);
/* Whether a tile with this stage may slide along the sink's axis: at most one axis of the stage
 * follows it, and not the last one. */
bool tile_can_slide(const struct stage *stage, const struct tile_needs *needs, unsigned sink_axis);
/* The number of rows in memory along the stage's axis that follows: a power of two. */
int64_t tile_rows(const struct tile_need *need);
/* Of a recurrence of which a tile keeps the last samples: places in memory along its axis, as many
 * as are read, also by itself, a power of two; 0: it keeps all. follower: whether what follows it
 * is computed in its loop. */
int64_t tile_places_kept(struct arena *scratch, const struct stage *stage,
                         const struct tile_needs *needs, bool follower);

/* Whether a stage in a tile follows a recurrence of the tile: it reads that alone, each sample for
 * its own, such as what rounds a state. */
bool tile_follows_recurrence(struct arena *scratch, const struct stage *stage,
                             const struct stage *recurrence);

#endif
