/* Rows in lanes: strips of them are turned to lie side by side, and back. */
#ifndef FLTC_LOOP_LINES_LINE_STRIPS_H
#define FLTC_LOOP_LINES_LINE_STRIPS_H

#include "loop/lines/line_places.h"

/* A sweep over the stages from `begin` to `end` - 1, strip by strip. */
const struct statement *line_strips(struct lines *l, size_t begin, size_t end);

#endif
