/* Lines on a grid: a thread each. */
#ifndef FLTC_LOOP_LINES_GRID_LINES_H
#define FLTC_LOOP_LINES_GRID_LINES_H

#include "loop/lines/grid_behind.h"

/* The loops of a group: a thread computes all stages of a line, sweep by sweep, and what is behind
 * it. Members are in its registers, but for the sink and what lines across read. body[]: one sample
 * of each stage. */
const struct statement *grid_lines(struct pass_context *context, struct program *program,
                                   const struct line_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[],
                                   const struct grid_all_behind *behind);

#endif
