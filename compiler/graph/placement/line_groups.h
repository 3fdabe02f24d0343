/* Groups of stages that are computed together over whole lines: recurrences along one axis, and the
 * stages that they read on the same line. Several lines are computed side by side in lanes, and
 * samples stay in cache from one stage to the next. */
#ifndef FLTC_GRAPH_PLACEMENT_LINE_GROUPS_H
#define FLTC_GRAPH_PLACEMENT_LINE_GROUPS_H

#include "graph/recurrence/line_reach.h"

enum { LINE_ROWS = 16 }; /* rows that are transposed together */

/* Whether the stage can be computed on the lines of the sink, together with these readers. */
bool line_accepts(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                  unsigned along, size_t count, const struct stage *const reader[]);

/* The same, but true only if there are readers and all of them are among these members. */
bool line_joins(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                unsigned along, size_t count, const struct stage *const reader[],
                size_t member_count, const struct stage *const member[]);

/* Whether these members can be computed behind each tile of the stage `at`: everything else that
 * they read must be computed before it. */
bool line_may_be_behind(struct arena *scratch, stage_id at, size_t count,
                        const struct stage *const member[]);

/* The order of places in a sweep over a line. */
enum line_direction { LINE_ANY, LINE_FORWARD, LINE_BACKWARD, LINE_DIRECTIONS };

/* A stage of a group. */
struct line_place {
    unsigned sweep;                /* stages of one sweep are computed place by place */
    enum line_direction direction; /* of the sweep */
    /* places kept in a circular buffer, a power of two: as many as its sweep reads back, or as the
     * next sweep starts with; 0: all */
    int64_t rows;
    bool read_behind; /* by lines computed behind each tile: all places are kept */
    bool in_memory;   /* of a thread that computes a line: all places are kept, in memory */
};

/* Whether a thread has registers for what a line keeps of the stage. most: places. */
bool line_fits_registers(const struct line_place *place, const struct stage *stage, unsigned along,
                         int64_t most);

/* Finds the sweeps of a group with its stages in order: each stage joins the sweep of the stage
 * before it or begins a new one. */
void line_find_sweeps(struct arena *scratch, unsigned along, size_t count,
                      const struct stage *const stage[], struct line_place place[]);

/* ---- Bands ---- If lines are computed place by place in one sweep, other stages may be computed
 * one band of places ahead of them; memory then holds only that band:
 *     loop band { rows of the band, line by line along x   then the lines along y go on through the band } */

/* Whether a group can go through its lines band by band. place: of line_find_sweeps. */
bool line_takes_bands(unsigned along, size_t count, const struct stage *const stage[],
                      const struct line_place place[]);
/* Whether the readers, members of such a group, need only samples of the stage that are in the
 * band. */
bool line_in_bands(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                   unsigned along, size_t count, const struct stage *const reader[]);

#endif
