/* Rows of running sums: each is summed where it lies. */
#ifndef FLTC_LOOP_LINES_LINE_SCANS_H
#define FLTC_LOOP_LINES_LINE_SCANS_H

#include "loop/lines/line_places.h"

/* Whether all that a sweep over rows carries from place to place, the stages from `begin` to `end`
 * - 1, are running sums. */
bool line_scans(const struct lines *l, size_t begin, size_t end);
/* The part of that sweep from l->from to l->to, at most so many places, of all lines at hand. */
const struct statement *line_scan(struct lines *l, int64_t most);
/* The same of the line at the coordinate of the sink's lanes, whose samples are then in memory of
 * the part, at their places along the line. */
const struct buffer *line_scan_part(struct lines *l, int64_t most, struct statement_items *items);

#endif
