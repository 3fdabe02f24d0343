/* group_lines: graph → graph. Groups recurrences along one axis with the stages that they read and
 * their readers, and computes them several lines at a time.
 *   before: down[y, x] = in[y, x] + a down[y - 1, x]   up[y, x] = down[y, x] + a up[y + 1, x]
 *   after:  down at up   up tile(0, 64) along 0
 * If lines along y read lines along x at the same place, in one sweep, the lines along x are
 * computed in bands:
 *   before: rows[y, x] = in[y, x] + rows[y, x - 1]   out[y, x] = rows[y, x] + out[y - 1, x]
 *   after:  rows at out, tile(16, 0) along 1   out tile(32, 256) along 0
 * If all recurrences of a group have a short memory, they are left to tiles, each of which starts
 * them at rest (fuse_stages). The stages of a group read each other only on the same line, so the
 * order of computation along a line does not change. Directives of the program's schedule are
 * respected. Afterwards the stages of groups have a placement, and readers in memory read only the
 * sink. */
#include "graph_pass.h"
#include "graph/placement/held_recurrences.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"
#include "graph/readers.h"
#include "graph/placement/tiles.h"

enum {
    NO_LINES = GRAPH_MAX_RANK,
    MOST_MEMBERS = 32,
};

struct group {
    const struct stage *sink;
    unsigned along;
    VECTOR(const struct stage *) members; /* the sink first */
};

/* To tiles of a stage. */
struct left {
    const struct stage *sink; /* NULL: it is not */
    struct tile_needs needs;
};

struct grouping {
    const struct graph *in;
    struct pass_context *context;
    struct stage_readers *readers;
    bool *fixed;               /* by stage: a result, or carried, or placed */
    bool *has_tiles;           /* by stage: the program wants others in tiles of it */
    unsigned *axis;            /* by stage: of the lines that it is on or ends; NO_LINES: none */
    struct group **group;      /* by stage; NULL: none */
    struct left *left;         /* by stage */
    struct schedule *schedule; /* by stage: rank 0 and PLACED_FREELY without a directive */
};

static bool is_grid(const struct grouping *g)
{
    return g->context->target->execution == EXECUTION_GRID;
}

/* ---- What the program says ---- */

static bool asks_for_lines(const struct stage *stage)
{
    return schedule_has_lines(stage->schedule) && !stage_is_segmented(stage);
}

/* The sink in whose lines the program wants the stage; NULL: it says nothing of the kind. */
static const struct stage *asked_sink(const struct graph *in, const struct stage *stage)
{
    const struct stage *sink = stage_is_at(stage) ? graph_stage(in, stage->schedule->at) : NULL;
    return sink && asks_for_lines(sink) ? sink : NULL;
}

static void find_fixed(struct grouping *g)
{
    for (size_t i = 0; i < g->in->stages.count; i++) {
        const struct stage *stage = g->in->stages.item[i];
        if (stage->kind == STAGE_CARRIED)
            g->fixed[stage->as.carried.initial.index] = g->fixed[stage->as.carried.next.index] =
                true;
        if (stage_is_at(stage) && !stage_is_in_panels(stage) && !asked_sink(g->in, stage))
            g->fixed[i] = g->fixed[stage->schedule->at.index] =
                g->has_tiles[stage->schedule->at.index] = true;
    }
    for (size_t i = 0; i < g->in->outputs.count; i++)
        g->fixed[g->in->outputs.item[i].stage.index] = true;
}

/* ---- Groups ---- */

struct source_search {
    const struct grouping *g;
    unsigned axis;
};

static void search_source(const struct expr *node, void *user)
{
    struct source_search *search = user;
    const struct grouping *g = search->g;
    if (node->kind == EXPR_LOAD && search->axis == NO_LINES &&
        g->readers[node->as.load.source].stages.count == 1)
        search->axis = g->axis[node->as.load.source];
}

/* A recurrence's own axis; of what is computed sample by sample that of lines that nothing else
 * reads. */
static void find_axes(struct grouping *g)
{
    for (size_t i = 0; i < g->in->stages.count; i++) {
        const struct stage *stage = g->in->stages.item[i];
        struct source_search search = {g, NO_LINES};
        if (stage_is_per_sample(stage))
            stage_nodes(stage, g->context->scratch, search_source, &search);
        g->axis[i] = stage->kind == STAGE_RECURRENCE ? stage->as.recurrence.axis : search.axis;
    }
}

static bool is_inside(const struct grouping *g, const struct stage *stage,
                      const struct group *group)
{
    return g->group[stage->id.index] == group;
}

/* Whether it ends lines along another axis: it is computed with those. */
static bool ends_other_lines(const struct grouping *g, const struct stage *stage, unsigned along)
{
    const unsigned own = g->axis[stage->id.index];
    return stage_is_per_sample(stage) && own != NO_LINES && own != along;
}

/* What reads the stage in its lines; without what is computed behind each tile of these. */
static struct stage_readers readers_inside(const struct grouping *g, const struct stage *stage,
                                           const struct group *group)
{
    const struct stage_readers *all = &g->readers[stage->id.index];
    struct stage_readers inside = {0};
    for (size_t r = 0; r < all->stages.count; r++) {
        const struct group *own = g->group[all->stages.item[r]->id.index];
        const struct schedule *placed = own ? &g->schedule[own->sink->id.index] : NULL;
        if (!placed || placed->placement != PLACED_BEHIND ||
            placed->at.index != group->sink->id.index)
            VECTOR_PUSH(g->context->scratch, &inside.stages, all->stages.item[r]);
    }
    return inside;
}

/* Why the stage is not in the lines of the group, whatever reads it; NULL: it may be. */
static const char *reason_against(const struct grouping *g, const struct stage *stage,
                                  const struct group *group)
{
    return g->fixed[stage->id.index] || g->group[stage->id.index]
               ? "it is a result, or others are computed in its tiles, or a repeat carries it"
           : !stage_computes(stage) || recurrence_is_held(g->context, g->in, g->readers, stage)
               ? "blocks of threads hold it in tiles"
           : group->members.count == MOST_MEMBERS     ? "there are too many stages already"
           : ends_other_lines(g, stage, group->along) ? "it ends lines along another axis"
                                                      : NULL;
}

static bool joins(const struct grouping *g, const struct stage *stage, const struct group *group)
{
    const bool of_lines = is_grid(g) && stage->is_made && asks_for_lines(stage) &&
                          stage->schedule->as.lines.axis == group->along;
    const bool elsewhere = stage->schedule ? asked_sink(g->in, stage) != group->sink && !of_lines
                                           : stage_says(stage, DETAIL_VERSIONS) != NULL;
    const char *reason = reason_against(g, stage, group);
    struct arena *scratch = g->context->scratch;
    if (reason && asked_sink(g->in, stage) == group->sink)
        decline(g->context, stage, REMARK_PLACE, "%s", reason);
    if (reason || elsewhere)
        return false;
    const struct arena_mark mark = arena_mark(scratch);
    const struct stage_readers readers = readers_inside(g, stage, group);
    const bool fits = line_joins(scratch, stage, group->sink, group->along, readers.stages.count,
                                 readers.stages.item, group->members.count, group->members.item);
    arena_release(scratch, mark);
    if (!fits && asked_sink(g->in, stage) == group->sink)
        decline(g->context, stage, REMARK_PLACE, "%s",
                stage_says_loops(stage)
                    ? "its schedule gives details of loops, and lines have other ones"
                    : "it is read on other lines, or outside of them");
    return fits;
}

/* The members in order, and their places. */
static const struct line_place *places_of(const struct grouping *g, const struct group *group,
                                          const struct stage **stage)
{
    const size_t count = group->members.count;
    struct line_place *place = ARENA_ARRAY(g->context->scratch, struct line_place, count);
    for (size_t m = 0; m < count; m++)
        stage[m] = group->members.item[count - 1 - m];
    line_find_sweeps(g->context->scratch, group->along, count, stage, place);
    return place;
}

/* Whether a stage's samples are kept for the whole line. */
static bool keeps_lines(const struct grouping *g, const struct group *group)
{
    const size_t count = group->members.count;
    const struct stage **stage = ARENA_ARRAY(g->context->scratch, const struct stage *, count);
    const struct line_place *place = places_of(g, group, stage);
    bool keeps = false;
    for (size_t m = 0; m + 1 < count; m++)
        keeps = keeps || place[m].rows == 0;
    return keeps;
}

/* Whether a thread holds what members keep: in registers, or, of short lines beside segments, in
 * memory. */
static bool fits_thread(const struct grouping *g, const struct group *group)
{
    const int64_t most = choice_value(g->context, CHOICE_LINE_PLACES);
    const size_t count = group->members.count;
    const struct stage **stage = ARENA_ARRAY(g->context->scratch, const struct stage *, count);
    const struct line_place *place = places_of(g, group, stage);
    bool fits = true;
    for (size_t m = 0; m + 1 < count; m++)
        fits = fits && line_fits_registers(&place[m], stage[m], group->along, most);
    return fits || (group->sink->is_made && !stage_is_behind(group->sink));
}

/* Rows that are turned at once: no more than there are, as far as that is known. */
static int64_t rows_turned(const struct grouping *g, const struct stage_axis *axis)
{
    const int64_t rows = graph_expected(g->in, axis->computed_extent);
    const int64_t most = choice_value(g->context, CHOICE_LINE_ROWS);
    return rows >= 1 && rows < most ? rows : most;
}

/* Lanes that a tile takes. */
static int64_t lanes_of(const struct grouping *g, const struct group *group)
{
    const struct schedule *asked = group->sink->schedule;
    const unsigned lanes = line_lanes(group->sink, group->along);
    if (asked && asked->rank)
        return asked->tile[lanes];
    const uint32_t sink = group->sink->id.index;
    if (lanes < group->along)
        return choose_or(g->context, sink, CHOICE_LINE_ROWS,
                         rows_turned(g, &group->sink->axis[lanes]), 1, CHOICE_MOST);
    return choose(g->context, sink,
                  keeps_lines(g, group) ? CHOICE_LINE_COLUMNS : CHOICE_LINE_COLUMNS_WIDE, 1,
                  CHOICE_MOST);
}

/* band: places of the line at a time; 0: all. */
static void settle(struct grouping *g, const struct group *group, int64_t band)
{
    struct arena *output = g->context->output;
    const struct stage *sink = group->sink;
    struct schedule *schedule = &g->schedule[sink->id.index];
    int64_t *tile = ARENA_ARRAY(output, int64_t, sink->rank + 1);
    for (unsigned k = 0; k < sink->rank; k++)
        tile[k] = k == group->along ? band : 1;
    tile[line_lanes(sink, group->along)] = lanes_of(g, group);
    *schedule = (struct schedule){.placement = PLACED_ROOT,
                                  .rank = sink->rank,
                                  .tile = tile,
                                  .kind = SCHEDULE_LINES,
                                  .as.lines.axis = group->along};
    if (sink->schedule) {
        if (stage_is_behind(sink) &&
            line_may_be_behind(g->context->scratch, sink->schedule->at, group->members.count,
                               group->members.item)) {
            schedule->placement = PLACED_BEHIND;
            schedule->at = sink->schedule->at;
        }
        if (schedule_has_lanes(sink->schedule)) {
            schedule->as.lines.has_lanes = true;
            schedule->as.lines.lanes = sink->schedule->as.lines.lanes;
        }
        schedule->span = sink->schedule->span;
    }
    for (size_t m = 1; m < group->members.count; m++)
        g->schedule[group->members.item[m]->id.index] =
            (struct schedule){.placement = PLACED_AT, .at = sink->id};
}

/* ---- Groups that tiles may hold ---- */

/* The sink of the tiles: of the group, or that of all that read it. NULL: there is none. */
static const struct stage *sink_of_tiles(const struct grouping *g, const struct group *group)
{
    const struct stage_readers *of = &g->readers[group->sink->id.index];
    if (stage_is_per_sample(group->sink))
        return group->sink;
    const struct stage *sink = of->stages.count ? g->left[of->stages.item[0]->id.index].sink : NULL;
    for (size_t r = 1; r < of->stages.count; r++)
        if (g->left[of->stages.item[r]->id.index].sink != sink)
            return NULL;
    return g->fixed[group->sink->id.index] ? NULL : sink;
}

/* What tiles need of a stage; false: they cannot hold it. */
static bool find_left_needs(const struct grouping *g, const struct stage *stage,
                            struct tile_needs *needs)
{
    const struct stage_readers *of = &g->readers[stage->id.index];
    struct pass_context *context = g->context;
    *needs = (struct tile_needs){.any = false};
    for (size_t r = 0; r < of->stages.count; r++)
        if (tile_needs_add(context->pool, context->scratch, of->stages.item[r],
                           &g->left[of->stages.item[r]->id.index].needs, stage, needs))
            return false;
    return needs->any && !tile_needs_recur(g->in, context->pool, context->scratch, stage, needs);
}

/* Whether it is computed in the place of what it reads. */
static bool is_in_place(const struct grouping *g, const struct stage *stage)
{
    const struct left *left = &g->left[stage->id.index];
    for (size_t i = 0; i < stage->id.index && stage != left->sink && !tile_is_on_rows(stage); i++) {
        const struct stage_readers *of = &g->readers[i];
        if (g->left[i].sink == left->sink && !tile_is_on_rows(g->in->stages.item[i]) &&
            of->stages.count == 1 && of->stages.item[0] == stage &&
            tile_takes_over(g->context->scratch, stage, stage, g->in->stages.item[i]))
            return true;
    }
    return false;
}

/* Bytes that a tile has for a stage. */
static double bytes_in_tile(const struct grouping *g, const struct stage *stage,
                            const int64_t tile[])
{
    const struct left *left = &g->left[stage->id.index];
    double bytes = stage == left->sink ? 0 : scalar_info[stage->element].bytes;
    for (unsigned k = 0; k < stage->rank; k++)
        bytes *= tile_is_on_rows(stage) && k + 1 < stage->rank
                     ? (k + 2 == stage->rank ? LINE_ROWS : 1)
                     : (double)tile_extent(&left->needs.axis[k], tile);
    return bytes > 0 && !is_in_place(g, stage) ? bytes : 0;
}

/* Whether a tile of that size fits fast memory, and computes not much twice. */
static bool tile_pays(const struct grouping *g, const struct stage *sink, const int64_t tile[])
{
    double bytes = 0, samples = 0, wanted = 0;
    for (size_t i = 0; i <= sink->id.index; i++) {
        double own = 1, area = 1;
        const struct stage *stage = g->in->stages.item[i];
        if (g->left[i].sink != sink)
            continue;
        for (unsigned k = 0; k < stage->rank; k++) {
            own *= (double)tile_extent(&g->left[i].needs.axis[k], tile);
            area *= (double)tile[k];
        }
        bytes += bytes_in_tile(g, stage, tile);
        samples += own;
        wanted += area;
    }
    return bytes <= tile_bytes_for(g->context, true) &&
           100 * samples <= (double)choice_value(g->context, CHOICE_LINES_TWICE) * wanted;
}

static bool some_tile_pays(const struct grouping *g, const struct stage *sink)
{
    static const int64_t size[][2] = {{32, 1024}, {64, 512}, {128, 256}};
    bool pays = false;
    for (size_t s = 0; s < sizeof size / sizeof size[0]; s++) {
        int64_t tile[GRAPH_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
        tile[sink->rank - 1] = size[s][1];
        tile[sink->rank - 2] = size[s][0];
        pays = pays || tile_pays(g, sink, tile);
    }
    return pays;
}

/* wanted: by the program, whether they pay or not. */
static bool leave_to_tiles(struct grouping *g, const struct group *group, bool wanted)
{
    const struct stage *sink = sink_of_tiles(g, group);
    if (!sink || schedule_slides(sink->schedule) ||
        (!wanted && choose_whether(g->context, sink->id.index, CHOICE_LINES_STORED, false)))
        return false;
    bool holds = true;
    for (size_t m = 0; m < group->members.count && holds; m++) { /* readers first */
        const struct stage *stage = group->members.item[m];
        struct left *left = &g->left[stage->id.index];
        left->needs = tile_needs_of_sink(sink);
        holds = stage == sink || find_left_needs(g, stage, &left->needs);
        left->sink = sink;
    }
    holds = holds && (g->context->random_schedule || wanted || some_tile_pays(g, sink));
    for (size_t m = 0; m < group->members.count; m++) {
        struct left *left = &g->left[group->members.item[m]->id.index];
        left->sink = holds ? sink : NULL;
        g->group[group->members.item[m]->id.index] = NULL;
    }
    return holds;
}

/* ---- Bands ---- */

/* Places of a band; 0: the program wants none, or chance. */
static int64_t band_of(const struct grouping *g, const struct stage *sink)
{
    const struct schedule *asked = sink->schedule;
    return schedule_has_lines(asked)
               ? schedule_places(asked)
               : choose_power(g->context, sink->id.index, CHOICE_BAND, 1, CHOICE_MOST);
}

/* NULL if the stage ends lines along the other axis that may be computed in bands of the group, or
 * why not. */
static const char *bands_problem(const struct grouping *g, const struct stage *stage,
                                 const struct group *group)
{
    const struct group *own = g->group[stage->id.index];
    const struct stage_readers *list = &g->readers[stage->id.index];
    for (size_t r = 0; r < list->stages.count; r++)
        if (!is_inside(g, list->stages.item[r], group))
            return arena_format(g->context->scratch, "'%s' reads it too, and is not computed there",
                                list->stages.item[r]->name->text);
    return !own || own->sink != stage || own->along == group->along
               ? "it ends no lines of its own across them"
           : g->fixed[stage->id.index] ? "it is a result, or a repeat carries it"
           : !line_in_bands(g->context->scratch, stage, group->sink, group->along,
                            list->stages.count, list->stages.item)
               ? "it is read at other places than its own"
               : NULL;
}

/* The group that ends in the stage, or what would be one; NULL: none can. */
static struct group *group_with_bands(struct grouping *g, const struct stage *sink)
{
    struct group *group = g->group[sink->id.index];
    if (group)
        return group->sink == sink ? group : NULL;
    if (sink->kind != STAGE_RECURRENCE || sink->is_made || sink->schedule ||
        g->left[sink->id.index].sink || g->has_tiles[sink->id.index] ||
        !line_reach_of(g->context->scratch, sink, sink, sink->as.recurrence.axis).beside)
        return NULL;
    group = ARENA_NEW(g->context->scratch, struct group);
    *group = (struct group){.sink = sink, .along = sink->as.recurrence.axis};
    VECTOR_PUSH(g->context->scratch, &group->members, sink);
    return group;
}

static void find_bands(struct grouping *g, const struct stage *sink)
{
    struct group *group = group_with_bands(g, sink);
    const int64_t band = group ? band_of(g, sink) : 0;
    if (!band ||
        (!sink->schedule && choose_whether(g->context, sink->id.index, CHOICE_BANDS_APART, false)))
        return;
    const struct stage **stage =
        ARENA_ARRAY(g->context->scratch, const struct stage *, group->members.count);
    const struct line_place *place = places_of(g, group, stage);
    if (!line_takes_bands(group->along, group->members.count, stage, place)) {
        decline(g->context, sink, REMARK_LINES,
                "its lines go there and back, or a stage in them is kept for whole lines");
        return;
    }
    struct group *const before = g->group[sink->id.index];
    bool any = false;
    g->group[sink->id.index] = group; /* until it has bands, or none */
    for (size_t i = 0; i < sink->id.index; i++) {
        const struct stage *rows = g->in->stages.item[i];
        if (rows->schedule &&
            !(stage_is_in_bands(rows) && rows->schedule->at.index == sink->id.index))
            continue;
        const char *problem = bands_problem(g, rows, group);
        if (problem && rows->schedule)
            decline(g->context, rows, REMARK_PLACE, "%s", problem);
        if (problem)
            continue;
        g->schedule[i].placement = PLACED_AT;
        g->schedule[i].at = sink->id;
        any = true;
    }
    g->group[sink->id.index] = any ? group : before;
    if (any)
        settle(g, group, band);
    else
        decline(g->context, sink, REMARK_LINES, "nothing is computed in its bands");
}

/* ---- With segments ---- */

/* Rows that lines of segments alone read are computed with each segment. */
static void find_segment(struct grouping *g, const struct stage *sink)
{
    const struct group *own = g->group[sink->id.index];
    const struct stage_readers *of = &g->readers[sink->id.index];
    const struct group *across = of->stages.count ? g->group[of->stages.item[0]->id.index] : NULL;
    bool with = own && own->sink == sink && sink->rank == 2 && own->along == 1 && across &&
                !g->fixed[sink->id.index] && across->sink->is_made &&
                schedule_has_segment_lines(&g->schedule[across->sink->id.index]);
    for (size_t r = 0; with && r < of->stages.count; r++)
        with = is_inside(g, of->stages.item[r], across);
    if (!with)
        return;
    g->schedule[sink->id.index].placement = PLACED_AT;
    g->schedule[sink->id.index].at = across->sink->id;
}

/* Lines that cannot be computed behind tiles of others, which have none, are computed by
 * themselves. */
static void settle_behind(struct grouping *g, size_t at)
{
    struct schedule *schedule = &g->schedule[at];
    const struct stage *host = g->in->stages.item[schedule->at.index];
    const struct group *group = g->group[host->id.index];
    if (schedule->placement == PLACED_BEHIND && !(group && group->sink == host))
        schedule->placement = PLACED_ROOT;
}

/* ---- All groups ---- */

/* Why no lines along the axis end in the stage, whatever is in them; NULL: they may. */
static const char *reason_against_lines(const struct grouping *g, const struct stage *sink,
                                        unsigned along)
{
    /* Rows are turned as they are stored, and are not read from there. */
    const bool reads_rows =
        sink->kind == STAGE_RECURRENCE && along + 1 == sink->rank && !is_grid(g);
    return sink->rank < 2                     ? "it has one axis"
           : g->group[sink->id.index]         ? "it is computed in the lines of what reads it"
           : g->left[sink->id.index].sink     ? "it is left to tiles"
           : sink->is_made && !sink->schedule ? "schedules could not name it"
           : recurrence_is_held(g->context, g->in, g->readers, sink)
               ? "blocks of threads hold it in tiles"
           : stage_says_loops(sink) ? "its schedule gives details of loops, and lines have others"
           : along >= sink->rank    ? "it reads no recurrence"
           : !line_reach_of(g->context->scratch, sink, sink, along).beside
               ? "it reads itself on other lines"
           : !line_runs_along(sink, along) ? "it is a recurrence along another axis"
           : reads_rows ? "rows of a recurrence end in a stage that reads it, not in itself"
                        : NULL;
}

static void find_group(struct grouping *g, const struct stage *sink)
{
    const struct schedule *asked = sink->schedule;
    const bool wants_tiles = g->has_tiles[sink->id.index] || (asked && !schedule_has_lines(asked));
    const unsigned along =
        schedule_has_lines(asked) ? asked->as.lines.axis : g->axis[sink->id.index];
    const char *reason = reason_against_lines(g, sink, along);
    if (reason)
        decline(g->context, sink, REMARK_LINES, "%s", reason);
    if (reason || (wants_tiles && !g->has_tiles[sink->id.index] && asked->rank == 0) ||
        (!asked && !choose_whether(g->context, sink->id.index, CHOICE_LINES_TOGETHER, true)))
        return;
    struct group group = {.sink = sink, .along = along};
    VECTOR_PUSH(g->context->scratch, &group.members, sink);
    g->group[sink->id.index] = &group; /* until it is kept, or not */
    bool recurs = sink->kind == STAGE_RECURRENCE;
    for (size_t i = sink->id.index; i-- > 0;) {
        const struct stage *stage = g->in->stages.item[i];
        if (!joins(g, stage, &group))
            continue;
        recurs = recurs || stage->kind == STAGE_RECURRENCE;
        g->group[i] = &group;
        VECTOR_PUSH(g->context->scratch, &group.members, stage);
    }
    const bool keeps = (recurs || (sink->is_made && asked && is_grid(g))) &&
                       (group.members.count > 1 || asked) &&
                       (!is_grid(g) || fits_thread(g, &group));
    if (keeps && !is_grid(g) && (!asked || wants_tiles) && leave_to_tiles(g, &group, wants_tiles))
        return;
    if (!keeps || wants_tiles)
        decline(g->context, sink, REMARK_LINES, "%s",
                !recurs       ? "it reads no recurrence along that axis that nothing else reads"
                : wants_tiles ? "others are computed in its tiles"
                              : "a thread cannot hold a line of it in registers");
    struct group *kept =
        keeps && !wants_tiles ? arena_copy(g->context->scratch, &group, sizeof group) : NULL;
    for (size_t m = 0; m < group.members.count; m++)
        g->group[group.members.item[m]->id.index] = kept;
    if (kept)
        settle(g, kept, 0);
}

const struct graph *group_lines(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || in->stages.item[i]->kind == STAGE_RECURRENCE ||
              asks_for_lines(in->stages.item[i]);
    if (!any)
        return in;
    struct grouping g = {in,
                         context,
                         graph_readers(in, context->scratch),
                         ARENA_ARRAY(context->scratch, bool, count),
                         ARENA_ARRAY(context->scratch, bool, count),
                         ARENA_ARRAY(context->scratch, unsigned, count),
                         ARENA_ARRAY(context->scratch, struct group *, count),
                         ARENA_ARRAY(context->scratch, struct left, count),
                         ARENA_ARRAY(context->scratch, struct schedule, count)};
    find_fixed(&g);
    find_axes(&g);
    for (size_t i = in->stages.count; i-- > 0;)
        if (stage_computes(in->stages.item[i]))
            find_group(&g, in->stages.item[i]);
    for (size_t i = in->stages.count; i-- > 0 && !is_grid(&g);)
        find_bands(&g, in->stages.item[i]);
    for (size_t i = in->stages.count; i-- > 0 && !is_grid(&g);)
        find_segment(&g, in->stages.item[i]);
    for (size_t i = 0; i < in->stages.count; i++)
        settle_behind(&g, i);
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        if (asked_sink(in, &stage) || (stage_is_in_bands(&stage) && !stage.is_made))
            decline(context, &stage, REMARK_PLACE, "'%s' is not computed in such lines",
                    graph_stage(in, stage.schedule->at)->name->text);
        /* What the program wants in vain is not there afterwards. */
        if (!stage_is_segmented(&stage) &&
            (g.group[i] || asks_for_lines(&stage) || asked_sink(in, &stage)))
            stage.schedule = arena_copy(context->output, &g.schedule[i], sizeof g.schedule[i]);
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
