/* Which axes of a stage are lines and places of a stream, and which are lanes. */
#ifndef FLTC_HARDWARE_SHAPE_H
#define FLTC_HARDWARE_SHAPE_H

#include "hardware/circuit.h"
#include "hardware/lower.h"

enum { NO_AXIS = GRAPH_MAX_RANK, MOST_LANES = 256 };

struct shape {
    bool streams;                /* false: it has no lines and places; it is a table or a number */
    unsigned axis[RASTER_COUNT]; /* of the stage; NO_AXIS: one line */
    uint32_t extent[RASTER_COUNT];
    int64_t first[RASTER_COUNT];
    unsigned lanes; /* samples along all other axes, the last one fastest */
};

/* By stage, with space for `more` entries at the end. After a refusal the rest is not valid. */
struct shape *shapes_of(struct arena *arena, struct arena *scratch, const struct graph *graph,
                        size_t more, struct refusal *refusal);
/* The shape of a stage that is not in the graph but reads stages of it. */
struct shape shape_as_map(struct arena *arena, struct arena *scratch, const struct graph *graph,
                          struct shape shape[], const struct stage *map, struct refusal *refusal);
/* The shape of one number per frame. */
struct shape shape_of_number(void);
/* Whether the axis is an axis of lanes. */
static inline bool shape_has_lane(const struct shape *shape, unsigned axis)
{
    return !shape->streams ||
           (axis != shape->axis[RASTER_LINES] && axis != shape->axis[RASTER_TOKENS]);
}
/* Notes a refusal unless there is one already. a and b fill the formats of why, then of cure. */
void refuse(struct arena *arena, struct refusal *refusal, enum refusal_reason reason,
            const struct stage *stage, const char *a, const char *b);

#endif
