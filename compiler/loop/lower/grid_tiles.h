/* Stages that are computed in the tiles of another stage, by the threads of a block. */
#ifndef FLTC_LOOP_LOWER_GRID_TILES_H
#define FLTC_LOOP_LOWER_GRID_TILES_H

#include "loop/lower/tile_boxes.h"

/* One block for each tile. Its threads share the work on each member, whose samples are in shared
 * memory, then on the sink. body: computes and stores one sample of a stage, by place in the group,
 * the sink last. buffer: likewise. */
const struct statement *grid_tiles(struct pass_context *context, const struct tile_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[]);

#endif
