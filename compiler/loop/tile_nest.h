/* Stages that are computed in the tiles of another one: their boxes in a tile, and the loops. */
#ifndef FLTC_LOOP_TILE_NEST_H
#define FLTC_LOOP_TILE_NEST_H

#include "graph/tiles.h"
#include "pass.h"

/* The stages of one group: the sink, and those with the placement "at" it. */
struct tile_group {
    const struct stage *sink;
    size_t count; /* of members, without the sink */
    const struct stage *const *member;
    const struct tile_needs *needs;
};

/* The group whose sink is this stage of the graph, which has a tile. */
struct tile_group tile_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context);

/* The box of a member's buffer: the first coordinate is a variable that the nest defines, the extent what a tile needs at
 * most. */
const struct expr *tile_first(struct pass_context *context, const struct stage *member,
                              unsigned axis);
const struct expr *tile_most(struct pass_context *context, const struct tile_group *group,
                             size_t member, unsigned axis);

/* The loops over all tiles; in each the members, then the sink. body: computes and stores one sample of a stage, by place
 * in the group, the sink last. buffer: of the stages, likewise. */
const struct statement *tile_nest(struct pass_context *context, const struct program *program,
                                  const struct tile_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[]);

#endif
