/* Rows in a tile: recurrences along the fastest axis, and what is computed beside them sample by
 * sample, some rows at a time, side by side. A stage that stores the rows ends them; the others of
 * them have memory for these rows alone. */
#ifndef FLTC_LOOP_LINES_TILE_ROWS_H
#define FLTC_LOOP_LINES_TILE_ROWS_H

#include "loop/lines/line_nest.h"
#include "loop/lower/tile_boxes.h"

/* By place in the group, whose other fields are known: 1 + the place of the stage that ends its
 * rows; 0: it is on none. */
const size_t *tile_rows_of(struct arena *scratch, const struct tile_group *group);

/* The rows that end at a place of the group. */
struct line_group tile_rows_at(struct pass_context *context, const struct tile_group *group,
                               size_t end);

#endif
