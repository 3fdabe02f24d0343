/* Stages that are computed together over whole lines: recurrences along one axis, the axis of the
 * line, and what is read at the same coordinates of the other axes. Some lines at a time, side by
 * side in lanes, so that their samples stay in fast memory from one stage to the next. */
#ifndef FLTC_GRAPH_PLACEMENT_LINE_GROUPS_H
#define FLTC_GRAPH_PLACEMENT_LINE_GROUPS_H

#include "graph/recurrence/line_reach.h"

enum { LINE_ROWS = 16 }; /* rows that are turned to lie side by side */

/* Whether the stage can be computed with these readers, which are lines of a group. */
bool line_accepts(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                  unsigned along, size_t count, const struct stage *const reader[]);

/* The same of those that are among these members, and read it alone. */
bool line_joins(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                unsigned along, size_t count, const struct stage *const reader[],
                size_t member_count, const struct stage *const member[]);

/* Whether these members can be computed with each tile of the stage `at`: all else that they read
 * is computed before it. */
bool line_may_be_behind(struct arena *scratch, stage_id at, size_t count,
                        const struct stage *const member[]);

/* The order of places in a sweep over a line. */
enum line_direction { LINE_ANY, LINE_FORWARD, LINE_BACKWARD, LINE_DIRECTIONS };

/* A stage of a group. */
struct line_place {
    unsigned sweep;                /* stages of one sweep are computed place by place */
    enum line_direction direction; /* of the sweep */
    /* places of the line in memory, in turn, a power of two: those that its sweep looks back for,
     * or the next one begins with; 0: all */
    int64_t rows;
};

/* The sweeps over the lines of a group, whose stages are in order; each joins the sweep before it,
 * or begins another. */
void line_find_sweeps(struct arena *scratch, unsigned along, size_t count,
                      const struct stage *const stage[], struct line_place place[]);

/* ---- Bands ----
 * Where lines are taken place by place in one sweep, other stages may be computed a band of places
 * ahead of them, and are kept for that long alone:
 *     loop band { rows of the band, line by line along x   then the lines along y go on through the band } */

/* Whether a group can go through its lines band by band. place: of line_find_sweeps. */
bool line_takes_bands(unsigned along, size_t count, const struct stage *const stage[],
                      const struct line_place place[]);
/* Whether the readers, of such a group, need of the stage what is in the band alone. */
bool line_in_bands(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                   unsigned along, size_t count, const struct stage *const reader[]);

#endif
