/* Loops over lines, several side by side. line_nest.c shows them. */
#ifndef FLTC_LOOP_LINES_LINE_NEST_H
#define FLTC_LOOP_LINES_LINE_NEST_H

#include "graph/placement/line_groups.h"
#include "loop/lower/tile_boxes.h"
#include "loop/loop.h"
#include "loop_pass.h"

/* A range of places that all lines along an axis take at a time: `first` to `end` - 1. */
struct line_band {
    unsigned axis;
    /* the number of the band (VARIABLE_INDEX); NULL: the range is that of a segment */
    const struct expr *variable;
    const struct expr *count; /* of bands */
    const struct expr *first, *end;
    const struct expr *least, *past; /* of a segment: the values of `first` and `end` */
    const struct expr *most;         /* of a segment: the most places it has */
};

/* A sink whose tile takes whole lines, and its members; or such stages inside a tile, with the part
 * of the lines in it. */
struct line_group {
    const struct stage *sink; /* NULL: none */
    unsigned along, lanes;    /* axes of all of its stages */
    int64_t lane_count;       /* lines side by side */
    size_t count;             /* of stages, the sink last */
    const struct stage *const *stage;
    const struct line_place *place;
    /* the tile that holds a part of the lines; NULL: they are whole */
    const struct tile_group *tile;
    const size_t *in_tile;        /* by stage: its index in that tile */
    const struct line_band *band; /* at hand; NULL: all places at once */
    /* lines across, in the steps of whose wave this group is computed; NULL: none */
    const struct line_group *wave;
    /* it is computed with each segment of other lines, as far as these read it */
    bool with_segments;
    /* the group behind each tile of which it is computed; NULL: none */
    const struct line_group *host;
    bool panels; /* lines across are computed behind it: tiles begin where segments of those do */
};

/* Whether the lines run along those of the host. Otherwise they run across. */
static inline bool lines_are_of_tile(const struct line_group *group)
{
    return group->host && group->host->along == group->along;
}

/* Whether states go on from one band, or one step of a wave, to the next. They are in memory that
 * all threads share. */
static inline bool line_goes_on(const struct line_group *group)
{
    return group->wave || (group->band && group->band->axis == group->along);
}

struct line_group line_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context);
/* Whether the group, which is computed in bands of lines across, can be computed in steps of a
 * wave: it takes one sweep forward over the places where those lines are. */
bool line_joins_wave(const struct line_group *group, const struct line_group *across);

/* A member's memory: [along, lanes]. extent: of its box along the line. */
void line_memory(struct pass_context *context, const struct line_group *group, size_t place,
                 const struct expr *first, const struct expr *extent, struct buffer_axis axis[2]);

/* A stage of which only a part of one row is in memory at a time: `part` takes the place of its
 * buffer. */
struct row_part {
    buffer_id stage;
    const struct buffer *part;
};

/* What is computed with the lines. in_wave: before them, in each step. at_place: at each place of
 * theirs, the parts that they read there. in_segment: before them, with each segment. behind: after
 * them, in each tile. */
struct lines_beside {
    struct statement_items in_wave, at_place, in_segment, behind;
    VECTOR(struct row_part) parts;
};

/* The loops of a group. body[]: one sample of each stage. Adds buffers to the program: pointers to
 * its buffers are stale afterwards. */
const struct statement *line_nest(struct pass_context *context, struct program *program,
                                  const struct line_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[],
                                  const struct lines_beside *beside);
/* Adds to `beside` the part of one row that a step of a wave reads, at each place of the lines of
 * the wave. False: the rows of this group have to be computed several at a time. */
bool line_row(struct pass_context *context, struct program *program, const struct line_group *group,
              const struct buffer *const buffer[], const struct statement *const body[],
              struct lines_beside *beside);

#endif
