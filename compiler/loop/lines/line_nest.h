/* Loops over whole lines, some at a time. */
#ifndef FLTC_LOOP_LINES_LINE_NEST_H
#define FLTC_LOOP_LINES_LINE_NEST_H

#include "graph/placement/line_groups.h"
#include "loop/lower/tile_boxes.h"
#include "loop/loop.h"
#include "loop_pass.h"

/* A part of all lines along an axis, from `first` to `end` - 1. */
struct line_band {
    unsigned axis;
    const struct expr *variable; /* VARIABLE_INDEX: which band; NULL: that of a segment */
    const struct expr *count;    /* of bands */
    const struct expr *first, *end;
    const struct expr *least, *past; /* of a segment: what the first and the end are */
    const struct expr *most;         /* of a segment: places that there are at most */
};

/* A sink whose tile takes whole lines, and the stages at it; or such stages inside a tile, with the
 * part of lines in it. */
struct line_group {
    const struct stage *sink; /* NULL: none */
    unsigned along, lanes;    /* axes of all of its stages */
    int64_t lane_count;       /* lines side by side */
    size_t count;             /* of stages, the sink last */
    const struct stage *const *stage;
    const struct line_place *place;
    const struct tile_group *tile; /* that holds the lines; NULL: they are whole */
    const size_t *in_tile;         /* by stage: its place in the tile */
    const struct line_band *band;  /* at hand; NULL: all places at once */
    /* across these lines, in whose steps it is computed; NULL: in none */
    const struct line_group *wave;
    /* it is computed with each segment of other lines, the part that these read */
    bool with_segments;
    const struct line_group *host; /* with each tile of which it is computed, behind; NULL: none */
    bool panels; /* others that run across are, so that tiles begin where segments of those do */
};

/* Whether the lines are those of each tile of the host's; or else they run across. */
static inline bool lines_are_of_tile(const struct line_group *group)
{
    return group->host && group->host->along == group->along;
}

/* Whether the group goes on along its lines from band to band, or from step to step of a wave: what
 * it keeps of them is in memory that all threads share. */
static inline bool line_goes_on(const struct line_group *group)
{
    return group->wave || (group->band && group->band->axis == group->along);
}

struct line_group line_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context);
/* Whether the group, which is computed in bands of lines across its own, can be computed in their
 * steps: it goes through its lines once, forward, over the places where they are. */
bool line_joins_wave(const struct line_group *group, const struct line_group *across);

/* A member's memory: [along, lanes]. extent: of its box along the line. */
void line_memory(struct pass_context *context, const struct line_group *group, size_t place,
                 const struct expr *first, const struct expr *extent, struct buffer_axis axis[2]);

/* A stage of which a part of one row is in memory at a time: in place of its buffer, at the places
 * along the row. */
struct row_part {
    buffer_id stage;
    const struct buffer *part;
};

/* What is computed before the lines: in each step of a wave; for that step at each place of its
 * lines, which read the parts there alone; for all lines at each place of the other axes. And
 * behind them in each tile. */
struct lines_beside {
    struct statement_items in_wave, at_place, in_segment, behind;
    VECTOR(struct row_part) parts;
};

/* body[]: one sample of each stage. Adds buffers to the program, after which those before lie
 * elsewhere. */
const struct statement *line_nest(struct pass_context *context, struct program *program,
                                  const struct line_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[],
                                  const struct lines_beside *beside);
/* Adds to what is ahead the part of one line in the step of a wave at hand, at each place of the
 * lines that the wave is of; false: the lines of the group are computed some at a time. */
bool line_row(struct pass_context *context, struct program *program, const struct line_group *group,
              const struct buffer *const buffer[], const struct statement *const body[],
              struct lines_beside *beside);

#endif
