/* Independent loops as a launch of blocks of threads. */
#ifndef FLTC_LOOP_GRID_NEST_H
#define FLTC_LOOP_GRID_NEST_H

#include "graph/placement/tiles.h"
#include "loop_pass.h"

enum { GRID_MOST_AXES = TILE_GRID_AXES };

struct grid_axis {
    const struct symbol *name;
    const struct expr *variable, *first, *extent;
    int64_t tile; /* threads of a block along it; of the third axis 1 */
    int64_t rows; /* samples of a thread along it, one beside the other; of the third axis 1 */
};

/* The variables of an axis that is cut, and the place that they give, counted from 0. row: NULL if
 * a thread has one row. */
struct grid_cut {
    const struct expr *block, *thread, *row, *offset;
};
struct grid_cut grid_cut_of(struct pass_context *context, const struct grid_axis *axis);

/* Places that the threads along an axis share: thread t has place t, t + threads, … */
struct grid_parts {
    const struct expr *part, *place; /* the place of a thread in its part */
    int64_t count;                   /* of parts */
};
struct grid_parts grid_parts_of(struct pass_context *context, const struct grid_axis *axis,
                                int64_t places);

/* Shared memory of a block, and what its threads do before and after the body, also threads outside
 * the box; NULL: nothing. Not for threads that have several rows. */
struct grid_shared {
    size_t count;
    const buffer_id *buffer;
    const struct statement *ahead, *behind;
};

/* The body for all coordinates of the axes, the fastest first, of which there are GRID_MOST_AXES at
 * most. Two are cut in tiles, a block of threads each; threads beyond the box do nothing; the third
 * one's coordinates are blocks:
 *   loop z grid_z { loop y.block grid_y { loop x.block grid_x { loop y.thread block_y { loop x.thread block_x {
 *       if (y.block * 8 + y.thread < n …) { y = y.block * 8 + y.thread …; body } } } } } }
 * With rows:
 *       loop y.row 0 .. 4 { if (32 y.block + 4 y.thread + y.row < n …) { … } }
 * shared: may be NULL. written: the program if coordinates are to be expanded in the body, as
 * stage_tiles needs; NULL: they have names. */
const struct statement *grid_nest(struct pass_context *context, const struct program *written,
                                  struct span span, unsigned count, const struct grid_axis axis[],
                                  const struct grid_shared *shared, const struct statement *body);
/* The body for the samples of a thread beside each other. */
const struct statement *loop_together(struct pass_context *context, struct span span,
                                      const struct expr *variable, int64_t extent,
                                      const struct statement *body);
/* The body with the variable replaced by a name. *let, to be placed before the body, defines it.
 * Its value may leave the variable's interval in threads outside the box. */
const struct statement *grid_name_coordinate(struct pass_context *context, struct span span,
                                             const struct symbol *name, const struct expr *variable,
                                             const struct expr *value, const struct statement **let,
                                             const struct statement *body);
/* The default number of threads along the n-th fastest axis of a nest; index: of the stage. */
int64_t grid_tile(const struct pass_context *context, uint32_t index, unsigned n);

#endif
