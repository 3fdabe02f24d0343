/* Stages that are computed in the tiles of another one, by the threads of a block. */
#ifndef FLTC_LOOP_LOWER_GRID_TILES_H
#define FLTC_LOOP_LOWER_GRID_TILES_H

#include "loop/lower/tile_boxes.h"

/* A block for each tile; its threads share the samples of each member, which are in shared memory,
 * then those of the sink. body: computes and stores one sample of a stage, by place in the group,
 * the sink last. buffer: of the stages, likewise. */
const struct statement *grid_tiles(struct pass_context *context, const struct tile_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[]);

#endif
