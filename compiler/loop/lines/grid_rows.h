/* Segments of rows, some of each a block: what threads side by side read and store lies as far
 * apart as segments are long. So a block copies what they read to shared memory in its order in
 * memory, and stores from there what they have computed, one place more for each segment, so that
 * threads meet different banks:
 *     allocate in.rows[8, 32, 33] shared
 *     loop row.part { … store in.rows[y.thread, p / 32, p % 32] = in[y, …] }   barrier
 *     if (…) { loop x serial { … in.rows[y.thread, x.blocks.thread, x] …  store out.rows[…] } }   barrier
 *     loop row.part { … store out[y, p / 32, p % 32] = out.rows[…] }
 * Where a segment is read at the places that it stores, both have the same memory. */
#ifndef FLTC_LOOP_LINES_GRID_ROWS_H
#define FLTC_LOOP_LINES_GRID_ROWS_H

#include "loop/lines/line_places.h"
#include "loop/lower/grid_nest.h"

/* Lets the block copy what threads read and store, where lines are segments along the fastest axis;
 * returns the work of a thread with its reads and stores in that memory. axis: of the nest, the
 * segments first, then the rows: a block may get fewer of these. is_read: others read what is read
 * here again, behind it. shared->count: 0 where nothing is copied. */
const struct statement *grid_add_rows(struct lines *l, struct grid_axis axis[], unsigned count,
                                      const struct buffer *stored, bool is_read,
                                      const struct statement *work, struct grid_shared *shared);

#endif
