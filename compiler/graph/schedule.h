/* How a stage is computed: where its samples are, and what of it is computed at a time. */
#ifndef FLTC_GRAPH_SCHEDULE_H
#define FLTC_GRAPH_SCHEDULE_H

#include "source/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Index into graph.stage; a struct, so that ids of other tables do not mix. */
typedef struct {
    uint32_t index;
} stage_id;

/* Where the samples of a stage are when they are read. */
enum placement {
#define PLACEMENT(name, text) PLACED_##name,
#include "graph/placements.def"
#undef PLACEMENT
    PLACEMENT_COUNT
};
extern const char *const placement_text[PLACEMENT_COUNT];

static inline bool placement_names_stage(enum placement placement)
{
    return placement == PLACED_AT || placement == PLACED_BEHIND;
}

/* What is computed at a time. */
enum schedule_kind {
    SCHEDULE_TILES, /* tiles; of rank 0: nothing is said */
    SCHEDULE_LINES  /* lines, some side by side */
};

struct schedule_tiles {
    bool slide;
    unsigned axis; /* that they slide along */
};

struct schedule_lines {
    unsigned axis;  /* that they run along, which recurrences follow */
    bool segmented; /* they are cut into segments, which are computed side by side; else, where the
                     * tile cuts the axis, into bands, which are computed one after another */
    bool has_lanes;
    unsigned lanes; /* the axis on which they lie side by side in lanes; without it the fastest
                     * other one */
};

struct schedule {
    struct span span;
    enum placement placement;
    /* PLACED_AT: the stage in whose tiles it is computed; of lines: in whose bands, or with whose
     * segments. PLACED_BEHIND: the stage behind whose tiles it is computed. */
    stage_id at;
    unsigned rank; /* of the tile; 0: it has none */
    /* Samples of a tile along each axis, or of the lines at a time; 0: the axis is not cut. Along
     * the axis of lines: of a band or segment. */
    const int64_t *tile;
    enum schedule_kind kind;
    union {
        struct schedule_tiles tiles;
        struct schedule_lines lines;
    } as;
    bool staged; /* what a tile reads is copied to shared memory */
    const struct schedule *next;
};

/* NULL: nothing is said. */
static inline bool schedule_has_lines(const struct schedule *s)
{
    return s && s->kind == SCHEDULE_LINES;
}
static inline bool schedule_runs_along(const struct schedule *s, unsigned axis)
{
    return schedule_has_lines(s) && s->as.lines.axis == axis;
}
static inline bool schedule_has_lanes(const struct schedule *s)
{
    return schedule_has_lines(s) && s->as.lines.has_lanes;
}
static inline bool schedule_is_segmented(const struct schedule *s)
{
    return schedule_has_lines(s) && s->as.lines.segmented;
}
static inline bool schedule_slides(const struct schedule *s)
{
    return s && s->kind == SCHEDULE_TILES && s->as.tiles.slide;
}
static inline bool schedule_slides_along(const struct schedule *s, unsigned axis)
{
    return schedule_slides(s) && s->as.tiles.axis == axis;
}
/* Of lines: the places of a band or segment; 0: lines are whole. */
static inline int64_t schedule_places(const struct schedule *s)
{
    return s->tile[s->as.lines.axis];
}
/* Whether lines are cut into bands, so that others can be computed with each band. */
static inline bool schedule_has_bands(const struct schedule *s)
{
    return schedule_has_lines(s) && !s->as.lines.segmented && schedule_places(s) > 0;
}
/* Whether these are the lines of segments, [segment, place, lane], so that others can be computed
 * with each segment. */
static inline bool schedule_has_segment_lines(const struct schedule *s)
{
    return schedule_runs_along(s, 1) && s->rank == 3 && s->tile[1] == 0;
}
/* Of lines both: whether they lie and run along the same axes. */
static inline bool schedule_lines_agree(const struct schedule *a, const struct schedule *b)
{
    const struct schedule_lines one = a->as.lines, other = b->as.lines;
    return one.axis == other.axis && one.has_lanes == other.has_lanes &&
           (!one.has_lanes || one.lanes == other.lanes);
}

#endif
