/* The loops of stages that are computed in the tiles of another stage. */
#ifndef FLTC_LOOP_LOWER_TILE_NEST_H
#define FLTC_LOOP_LOWER_TILE_NEST_H

#include "loop/lower/tile_boxes.h"

/* The loops over all tiles; in each tile the members, then the sink. body: computes and stores one
 * sample of a stage, by place in the group, the sink last. buffer: of the stages, likewise. */
const struct statement *tile_nest(struct pass_context *context, struct program *program,
                                  const struct tile_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[]);

#endif
