/* Lines on a grid: a thread each. */
#ifndef FLTC_LOOP_LINES_GRID_LINES_H
#define FLTC_LOOP_LINES_GRID_LINES_H

#include "loop/lines/line_nest.h"

/* The loops of a group: a thread computes all stages of a line, sweep by sweep. Members are in its
 * registers, but for the sink. body[]: one sample of each stage. */
const struct statement *grid_lines(struct pass_context *context, struct program *program,
                                   const struct line_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[]);

#endif
