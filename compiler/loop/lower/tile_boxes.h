/* Stages that are computed in the tiles of another stage: which ones, their memory, and their boxes
 * in a tile. */
#ifndef FLTC_LOOP_LOWER_TILE_BOXES_H
#define FLTC_LOOP_LOWER_TILE_BOXES_H

#include "graph/placement/tiles.h"
#include "loop/loop.h"
#include "loop_pass.h"

/* The stages of one group: the sink, and those with the placement "at" it. */
struct tile_group {
    const struct stage *sink;
    size_t count;                      /* of members, without the sink */
    const struct stage *const *member; /* the sink behind them */
    const struct tile_needs *needs;
    const bool *const *reads; /* [place of a reader][place of a member] */
    unsigned sliding;         /* the axis of the sink along which its tiles slide; NO_AXIS: none */
    /* by place: 1 + that of the last stage of its rows (tile_rows.h); 0: none */
    const size_t *rows;
    const size_t *over; /* by place: 1 + that of the member whose memory it takes over; 0: none */
    /* by place of a recurrence: 1 + that of the stage that is computed in its loop, sample by
     * sample; 0: none. followed: the other way round. */
    const size_t *follower, *followed;
};

/* The group whose sink is this stage, which must have a tile. */
struct tile_group tile_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context);

/* Whether a stage in the loop of a recurrence alone reads it: a thread has its last samples. */
bool tile_is_of_thread(const struct tile_group *group, size_t place);

/* An axis of a member's buffer: the first coordinate is a variable that the nest defines, the
 * extent what a tile needs at most, or the rows that it keeps in turn. */
struct buffer_axis tile_axis(struct pass_context *context, const struct tile_group *group,
                             size_t member, unsigned axis);

/* The stage's axis along which its rows are computed one after another; NO_AXIS: there is none. */
unsigned tile_sliding_of(const struct tile_group *group, size_t place);

/* ---- The variables of a box ---- */

/* A stage's samples in a tile: from tile_first to tile_end - 1 along the axis. */
const struct expr *tile_first(struct pass_context *context, const struct stage *stage,
                              unsigned axis);
const struct expr *tile_end(struct pass_context *context, const struct stage *stage, unsigned axis);
/* Of its lines, those side by side: from tile_lane to tile_lane_end - 1. */
const struct expr *tile_lane(struct pass_context *context, const struct stage *stage,
                             unsigned axis);
const struct expr *tile_lane_end(struct pass_context *context, const struct stage *stage,
                                 unsigned axis);
/* Of rows, those that a segment of lines across them reads: from tile_segment to tile_segment_end -
 * 1. */
const struct expr *tile_segment(struct pass_context *context, const struct stage *stage,
                                unsigned axis);
const struct expr *tile_segment_end(struct pass_context *context, const struct stage *stage,
                                    unsigned axis);
/* New rows after the tile has slid: from tile_row to tile_row_end - 1. */
const struct expr *tile_row(struct pass_context *context, const struct stage *stage, unsigned axis);
const struct expr *tile_row_end(struct pass_context *context, const struct stage *stage,
                                unsigned axis);

/* ---- Their definitions ---- */

/* The statements of a tile so far. */
struct tile_code {
    struct pass_context *context;
    const struct tile_group *group;
    struct statement_items lets;
};

void tile_add_let(struct tile_code *t, const struct expr *variable, const struct expr *value);
/* The sink's coordinate along which its tiles slide. Loops over the rows of members are inside the
 * loop over it. */
const struct expr *tile_sliding_variable(const struct tile_code *t);
/* The number of the tile along an axis that is cut. */
const struct expr *tile_number(struct pass_context *context, const struct stage *sink, unsigned k);
/* Defines the sink's tile along an axis that is cut; the coordinate of tiles, and how many there
 * are. lag: samples by which the first tile is shorter than others. */
const struct expr *tile_cut_axis(struct tile_code *t, const struct buffer_axis *axis, unsigned k,
                                 const struct expr *lag, const struct expr **count);
/* Defines the box of a member from the boxes of its readers, which are defined before. */
void tile_define_box(struct tile_code *t, size_t place);
/* After all boxes: a member whose rows come one after the other needs its end along them only where
 * other boxes are made of it, and one on rows of another stage its bounds across them. */
void tile_drop_unused_bounds(struct tile_code *t);
/* Defines the rows of a member that are new after the tile has slid: from the previous end to the
 * end that readers now need; at first, all rows. */
void tile_define_rows(struct tile_code *t, size_t place);

#endif
