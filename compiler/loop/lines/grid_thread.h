/* One line of a group, which a thread computes. */
#ifndef FLTC_LOOP_LINES_GRID_THREAD_H
#define FLTC_LOOP_LINES_GRID_THREAD_H

#include "loop/lines/line_places.h"

/* All stages of the line, sweep by sweep. Members but for the sink are in memory of the thread, or
 * of its block. common: as of lines_of_group. */
const struct statement *grid_line_of_thread(struct lines *l, const struct expr *common);

#endif
