/* How a stage is computed: where its samples are stored, and how much of it is computed at
 * once. */
#ifndef FLTC_GRAPH_SCHEDULE_H
#define FLTC_GRAPH_SCHEDULE_H

#include "source/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Index into graph.stage. A struct, so that the compiler rejects ids of other tables. */
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

/* How much is computed at once. */
enum schedule_kind {
    SCHEDULE_TILES, /* a tile; rank 0: the schedule gives no tile */
    SCHEDULE_LINES  /* whole lines, several side by side in vector lanes */
};

struct schedule_tiles {
    bool slide;
    unsigned axis; /* the axis along which tiles slide */
};

struct schedule_lines {
    unsigned axis;  /* the axis of the lines and of their recurrences */
    bool segmented; /* lines are cut into segments, which are computed in parallel. Otherwise, if
                     * the tile cuts the axis, into bands, which are computed in order */
    bool has_lanes;
    unsigned lanes; /* the axis of the vector lanes, if has_lanes; otherwise lanes run along the
                     * fastest axis other than `axis` */
};

struct schedule {
    struct span span;
    enum placement placement;
    /* PLACED_AT: the stage in whose tiles this one is computed; if that stage is computed in lines,
     * in its bands or with its segments. PLACED_BEHIND: the stage after whose tiles it is
     * computed. */
    stage_id at;
    unsigned rank; /* of the tile; 0: it has none */
    /* Tile size along each axis; 0: not cut. For lines: the number of lines computed at a time and,
     * along their own axis, the size of a band or segment. */
    const int64_t *tile;
    enum schedule_kind kind;
    union {
        struct schedule_tiles tiles;
        struct schedule_lines lines;
    } as;
    bool staged; /* what a tile reads is copied to shared memory */
    const struct schedule *next;
};

/* In the functions below s may be NULL, if the stage has no schedule; not in schedule_places and
 * schedule_lines_agree. */
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
/* For lines only: places per band or segment; 0 if lines are not cut. */
static inline int64_t schedule_places(const struct schedule *s)
{
    return s->tile[s->as.lines.axis];
}
/* Whether lines are cut into bands. Only then can other stages be computed band by band. */
static inline bool schedule_has_bands(const struct schedule *s)
{
    return schedule_has_lines(s) && !s->as.lines.segmented && schedule_places(s) > 0;
}
/* Whether the stage has the axes [segment, place, lane]. Only then can other stages be computed
 * segment by segment. */
static inline bool schedule_has_segment_lines(const struct schedule *s)
{
    return schedule_runs_along(s, 1) && s->rank == 3 && s->tile[1] == 0;
}
/* Both schedules have lines: whether both have the same line axis and the same lane axis. */
static inline bool schedule_lines_agree(const struct schedule *a, const struct schedule *b)
{
    const struct schedule_lines one = a->as.lines, other = b->as.lines;
    return one.axis == other.axis && one.has_lanes == other.has_lanes &&
           (!one.has_lanes || one.lanes == other.lanes);
}

#endif
