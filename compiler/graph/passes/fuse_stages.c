/* fuse_stages: graph → graph. Chooses which stages are computed in tiles of their reader, and the
 * tile sizes.
 *   before: rows[y, x] = in[y, x - 1] + …   out[y, x] = rows[y - 1, x] + …
 *   after:  rows at out                     out tile(64, 512)
 * A stage joins the group of its readers if all of them are in one group, the needs of tiles can be
 * derived from its reads (graph/placement/tiles.h), and recomputing the overlap of tiles costs less
 * than memory traffic and, on a grid, another launch. A recurrence with a short memory joins too,
 * and each tile starts it at rest. One-dimensional stages that an image reads stay in memory: they
 * are small, and all tiles need them. A tile slides along its rows if that is as cheap. Directives
 * of the program's schedule are respected. On a grid a tile belongs to a block of threads, and
 * members are in shared memory (loop/lower/grid_tiles.h). Such tiles do not slide. Afterwards every
 * computed stage has a placement, and every sink has a tile. */
#include "graph_pass.h"
#include "analysis/cost.h"
#include "graph/recurrence/feedback.h"
#include "graph/placement/beside.h"
#include "graph/placement/held_recurrences.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"
#include "graph/readers.h"
#include "graph/placement/tiles.h"
#include "graph/placement/traffic.h"

#include <math.h>

enum { MOST_TILE = 1 << 16, MOST_SIZES = 18, TILE_AXES = 3 };

struct member {
    const struct stage *stage;
    struct tile_needs needs;
    int64_t cost;       /* of a sample */
    double cost_beside; /* of one of several beside each other, where a thread may have these */
    bool in_place;      /* in the memory of what it reads */
};

/* A sink and the stages computed in its tiles. */
struct group {
    const struct stage *sink;
    VECTOR(struct member) members; /* the sink first, readers before what they read */
    bool tiled[GRAPH_MAX_RANK];    /* by axis of the sink: a member depends on it */
    int64_t tile[GRAPH_MAX_RANK];
    unsigned sliding; /* as of a schedule */
    double cost;      /* of a sample of the sink */
};

struct fusion {
    const struct graph *in;
    struct pass_context *context;
    struct stage_readers *readers;
    int64_t *beside;      /* by stage: samples of a row that a thread has at a time */
    bool *forgets;        /* by stage: a recurrence that tiles may begin anew */
    const char **root;    /* by stage: why no tile of another stage holds it, or NULL */
    uint32_t *asked;      /* by stage: 1 + the sink that the program wants it at; 0: none */
    struct group **group; /* by stage; NULL: it is not computed by a kernel of its own */
};

/* ---- Readers ---- */

/* Whether it is computed line by line. */
static bool is_of_lines(const struct graph *in, const struct stage *stage)
{
    const struct stage *sink = stage_is_at(stage) ? graph_stage(in, stage->schedule->at) : stage;
    return schedule_has_lines(sink->schedule);
}

static bool is_on_grid(const struct fusion *f)
{
    return f->context->target->execution == EXECUTION_GRID;
}

/* Whether it has a tile that recurrences begin in from states, or is in one. */
static bool is_of_tile(const struct graph *in, const struct stage *stage)
{
    const struct stage *sink = stage_is_at(stage) ? graph_stage(in, stage->schedule->at) : stage;
    bool found = false;
    for (size_t i = 0; i < sink->id.index && sink->schedule && !found; i++) {
        const struct stage *member = in->stages.item[i];
        found = member->kind == STAGE_RECURRENCE && member->as.recurrence.of_tile &&
                stage_is_in_tiles_of(member, sink);
    }
    return found;
}

/* Why its schedule stays, as in "it WHY"; NULL: it need not. */
static const char *reason_to_keep(const struct fusion *f, const struct stage *stage)
{
    return is_of_lines(f->in, stage)                    ? "is computed line by line"
           : stage->schedule && stage->schedule->staged ? "has tiles that are staged"
           : is_of_tile(f->in, stage)                   ? "begins its tiles from states"
                                                        : NULL;
}

static bool keeps_schedule(const struct fusion *f, const struct stage *stage)
{
    return reason_to_keep(f, stage) || (stage_is_in_panels(stage) && !is_on_grid(f));
}

/* Why it is in no tiles, of its own or of another stage, as in "it WHY"; NULL: it may be. */
static const char *reason_against(const struct fusion *f, const struct stage *stage)
{
    return stage_may_move(stage) || f->forgets[stage->id.index] ? reason_to_keep(f, stage)
           : stage->kind == STAGE_RECURRENCE ? "is a recurrence in which samples far before count"
           : stage_is_structure(stage)       ? "says where particles are"
           : stage_is_of_particles(stage)    ? "has one sample of each particle"
                                             : "is not computed sample by sample";
}

static void find_roots(struct fusion *f)
{
    struct arena *scratch = f->context->scratch;
    for (size_t i = 0; i < f->in->outputs.count; i++)
        f->root[f->in->outputs.item[i].stage.index] = "it is a result";
    for (size_t i = 0; i < f->in->stages.count; i++) {
        const struct stage *stage = f->in->stages.item[i];
        const char *reason = reason_against(f, stage);
        if (!f->root[i] && (reason || stage->rank == 0))
            f->root[i] = reason ? arena_format(scratch, "it %s", reason) : "it has one sample only";
        for (size_t r = 0; r < f->readers[i].stages.count && !f->root[i]; r++) {
            const struct stage *reader = f->readers[i].stages.item[r];
            const char *why = reason_against(f, reader);
            f->root[i] =
                why ? arena_format(scratch, "'%s' reads it and %s", reader->name->text, why) : NULL;
        }
        if (stage->kind == STAGE_CARRIED)
            f->root[stage->as.carried.initial.index] = f->root[stage->as.carried.next.index] =
                "a repeat carries it";
    }
}

/* What reads a stage that is asked for at a sink has to be there too. */
static void find_asked(struct fusion *f)
{
    for (size_t i = 0; i < f->in->stages.count; i++) {
        const struct stage *stage = f->in->stages.item[i];
        if (stage_is_at(stage) && !reason_to_keep(f, stage))
            f->asked[i] = 1 + stage->schedule->at.index;
        for (size_t r = 0; f->asked[i] && r < f->readers[i].stages.count; r++) {
            const struct stage *reader = f->readers[i].stages.item[r];
            if (reader->id.index + 1 != f->asked[i] &&
                (!reader->schedule || reader->schedule->placement == PLACED_FREELY))
                f->asked[reader->id.index] = f->asked[i];
        }
    }
}

/* ---- Tiles ---- */

/* Samples of a member that a tile takes, and the rows they lie in; false: too many. */
static bool samples_of_tile(const struct member *member, const int64_t tile[], double *samples,
                            double *rows)
{
    *samples = *rows = 1;
    for (unsigned k = 0; k < member->stage->rank; k++) {
        int64_t extent = tile_extent(&member->needs.axis[k], tile);
        if (extent > MOST_TILE)
            return false;
        if (tile_is_on_rows(member->stage) && k + 2 == member->stage->rank)
            extent = (extent + LINE_ROWS - 1) / LINE_ROWS * LINE_ROWS;
        *samples *= (double)extent;
        *rows *= k + 1 < member->stage->rank ? (double)extent : 1;
    }
    return true;
}

/* Samples that its memory has room for, of those in a tile: of axes that it shares loops over one
 * place, of the one that the tile slides along a few rows. */
static double samples_in_memory(const struct member *member, const int64_t tile[], unsigned sliding,
                                bool on_rows, double samples)
{
    for (unsigned k = 0; k < member->needs.shared && !sliding; k++)
        samples /= (double)tile_extent(&member->needs.axis[k], NULL);
    const unsigned along =
        sliding ? tile_follows(member->stage, &member->needs, sliding - 1) : NO_AXIS;
    const unsigned rank = member->stage->rank;
    if (rank > 1 && on_rows)
        return (double)tile_extent(&member->needs.axis[rank - 1], tile) * LINE_ROWS;
    if (along != NO_AXIS)
        samples = samples / (double)tile_extent(&member->needs.axis[along], tile) *
                  (double)tile_rows(&member->needs.axis[along]);
    return samples;
}

/* Along axes that are cut, but the fastest of those: the others are not known. */
static double rows_of_sink(const struct group *g, const int64_t tile[])
{
    double rows = 1;
    bool fastest = true;
    for (unsigned k = g->sink->rank; k-- > 0;) {
        if (!g->tiled[k])
            continue;
        rows *= fastest ? 1 : (double)tile[k];
        fastest = false;
    }
    return rows;
}

static unsigned cut_axes(const struct group *g)
{
    unsigned cut = 0;
    for (unsigned k = 0; k < g->sink->rank; k++)
        cut += g->tiled[k];
    return cut;
}

/* The axis of channels, which threads do not share; NO_AXIS: there is none. */
static unsigned channels_of(const struct group *g)
{
    const unsigned fastest = g->sink->rank - 1;
    return g->sink->rank && tile_has_channels(g->sink, g->tiled, fastest) ? fastest : NO_AXIS;
}

/* Along which a block has threads, at most. */
static unsigned thread_axes(const struct group *g)
{
    return cut_axes(g) - (channels_of(g) != NO_AXIS);
}

/* The same of a recurrence: threads have a line each. */
static bool samples_of_lines(const struct fusion *f, const struct group *g,
                             const struct member *member, const int64_t tile[], double *samples,
                             double *taken)
{
    const unsigned cut = thread_axes(g);
    const double threads =
        (double)(tile_threads(f->context, cut, 0, true) * tile_threads(f->context, cut, 1, true));
    double lines = 1, places = 1;
    for (unsigned k = 0; k < member->stage->rank; k++) {
        const int64_t extent = tile_extent(&member->needs.axis[k], tile);
        if (extent > MOST_TILE)
            return false;
        if (k == member->stage->as.recurrence.axis)
            places = (double)extent;
        else
            lines *= (double)extent;
    }
    *samples = lines * places;
    *taken = ceil(lines / threads) * threads * places;
    return true;
}

/* Samples of a member that a block computes, and what those cost that its threads take time for:
 * not all have one left. Along rows they have several beside each other while each has some. */
static bool cost_of_block(const struct fusion *f, const struct group *g,
                          const struct member *member, const int64_t tile[], bool recurs,
                          double *samples, double *cost)
{
    double taken;
    if (member->needs.memory) {
        const bool fits = samples_of_lines(f, g, member, tile, samples, &taken);
        *cost = taken * (double)member->cost;
        return fits;
    }
    const unsigned channels = channels_of(g), cut = thread_axes(g);
    const int64_t beside = f->beside[member->stage->id.index];
    unsigned along = 0;
    double of_row = (double)member->cost; /* of the samples along the fastest axis */
    taken = *samples = 1;
    for (unsigned k = member->stage->rank; k-- > 0;) {
        const int64_t extent = tile_extent(&member->needs.axis[k], tile);
        const unsigned follows =
            member->stage == g->sink ? (g->tiled[k] ? k : NO_AXIS) : member->needs.axis[k].axis;
        const bool is_shared = follows != NO_AXIS && follows != channels && along < TILE_THREADS;
        const bool is_row = is_shared && along == 0 && k + 1 == member->stage->rank && beside > 1;
        const int64_t threads = is_shared ? tile_threads(f->context, cut, along++, recurs) : 1;
        const int64_t whole = is_row ? extent / (beside * threads) * beside * threads : 0;
        const int64_t rest = (extent - whole + threads - 1) / threads * threads;
        if (extent > MOST_TILE)
            return false;
        *samples *= (double)extent;
        if (is_row)
            of_row = (double)whole * member->cost_beside + (double)rest * (double)member->cost;
        else
            taken *= (double)rest;
    }
    for (; along < TILE_THREADS; along++)
        taken *= (double)tile_threads(f->context, cut, along, recurs);
    *cost = taken * of_row;
    return true;
}

static bool has_lines_along_rows(const struct group *g)
{
    bool any = false;
    for (size_t m = 0; m < g->members.count; m++)
        any = any || tile_is_on_rows(g->members.item[m].stage);
    return any;
}

/* Samples of a member that a block has memory for. */
static double samples_stored(const struct fusion *f, const struct group *g,
                             const struct member *member, const int64_t tile[], double samples)
{
    const unsigned rank = member->stage->rank;
    if (rank < 2)
        return samples;
    const int64_t row = tile_extent(&member->needs.axis[rank - 1], tile);
    return samples / (double)row *
           (double)tile_row_in_block(row, f->beside[member->stage->id.index],
                                     has_lines_along_rows(g));
}

/* As cost_of_tile, of a block of threads: members are in shared memory, of which it takes a half,
 * so that there is another block to go on with while it waits; with recurrences, of which much is
 * computed twice, all of it. */
static bool cost_on_grid(const struct fusion *f, const struct group *g, const int64_t tile[],
                         double *cost)
{
    const unsigned axes = thread_axes(g);
    const double barrier = (double)choice_value(f->context, CHOICE_COST_OF_BARRIER);
    const double share = (double)choice_value(f->context, CHOICE_TILE_SHARE);
    double bytes = 0, whole = 1;
    bool recurs = false;
    *cost = 0;
    for (size_t m = 0; m < g->members.count; m++)
        recurs = recurs || g->members.item[m].needs.memory;
    for (size_t m = 0; m < g->members.count; m++) {
        const struct member *member = &g->members.item[m];
        double samples, taken;
        if (!cost_of_block(f, g, member, tile, recurs, &samples, &taken))
            return false;
        if (m == 0)
            whole = samples;
        bytes += m == 0 || member->in_place ? 0
                                            : samples_stored(f, g, member, tile, samples) *
                                                  scalar_info[member->stage->element].bytes;
        const double threads = (double)(tile_threads(f->context, axes, 0, recurs) *
                                        tile_threads(f->context, axes, 1, recurs));
        *cost += taken + (m == 0 ? 0 : threads * barrier);
    }
    *cost /= whole;
    return cut_axes(g) <= TILE_GRID_AXES &&
           bytes <= target_fast_bytes(f->context->target) / (recurs ? 1.0 : share);
}

/* Cost of a sample of the sink with these tiles; false: they do not fit fast memory. */
static bool cost_of_tile(const struct fusion *f, const struct group *g, const int64_t tile[],
                         unsigned sliding, double *cost)
{
    const int64_t row = choice_value(f->context, CHOICE_COST_OF_ROW);
    const int64_t wide = choice_value(f->context, CHOICE_TILE_WIDE);
    double bytes = 0, whole = 1;
    bool recurs = false, rows_end = false; /* rows of recurrences, in the sink */
    if (is_on_grid(f))
        return cost_on_grid(f, g, tile, cost);
    *cost = 0;
    for (size_t m = 1; m < g->members.count; m++)
        rows_end = rows_end || tile_is_on_rows(g->members.item[m].stage);
    for (size_t m = 0; m < g->members.count; m++) {
        const struct member *member = &g->members.item[m];
        double samples, rows;
        if (!samples_of_tile(member, tile, &samples, &rows))
            return false;
        const double width = scalar_info[member->stage->element].bytes;
        const bool on_rows = tile_is_on_rows(member->stage);
        recurs = recurs || member->needs.memory;
        if (m == 0)
            whole = samples;
        bytes += member->in_place && !sliding
                     ? 0
                     : width * samples_in_memory(member, tile, sliding,
                                                 on_rows || (m == 0 && rows_end), samples);
        *cost += samples * (double)member->cost + (m == 0 ? rows_of_sink(g, tile) : rows) *
                                                      (double)(on_rows ? row / LINE_ROWS : row);
    }
    *cost /= whole;
    /* Threads take rows of tiles, and tiles of a row; of high ones there may be too few to
     * share. */
    const unsigned shared = tile_shared_axis(g->sink, g->tiled), fastest = g->sink->rank - 1;
    const bool is_narrow =
        !sliding && g->tiled[fastest] && shared != fastest && tile[fastest] < wide;
    const double part = is_narrow ? (double)tile[fastest] / (double)wide : 1;
    *cost *= shared == NO_AXIS ? 1
                               : 1 + part * (double)tile[shared] /
                                         (double)choice_value(f->context, CHOICE_TILE_ROWS);
    return bytes <= tile_bytes_for(f->context, recurs);
}

/* The sizes along the axis of that number, the fastest first; 0 ends them. Of equally cheap ones
 * the first is taken. */
static void find_powers(const struct fusion *f, unsigned number, int64_t size[])
{
    static const enum choice least[] = {CHOICE_TILE_X_LEAST, CHOICE_TILE_Y_LEAST,
                                        CHOICE_TILE_Z_LEAST};
    static const enum choice most[] = {CHOICE_TILE_X_MOST, CHOICE_TILE_Y_MOST, CHOICE_TILE_Z_MOST};
    const int64_t last = choice_value(f->context, most[number]);
    unsigned count = 0;
    size[count++] = choice_value(f->context, least[number]);
    for (; 2 * size[count - 1] <= last; count++)
        size[count] = 2 * size[count - 1];
    size[count] = 0;
}

/* What the program's schedule says of an axis; 0: nothing. */
static int64_t asked_tile(const struct group *g, unsigned axis)
{
    const struct schedule *schedule = g->sink->schedule;
    return schedule && schedule->rank ? schedule->tile[axis] : 0;
}

/* 1 + the axis, as g->sliding; 0: none. */
static unsigned asked_sliding(const struct group *g)
{
    return schedule_slides(g->sink->schedule) ? 1 + g->sink->schedule->as.tiles.axis : 0;
}

/* Whether tiles may slide along the sink's axis past all members. */
static bool can_slide(const struct group *g, unsigned axis)
{
    bool can = axis + 1 < g->sink->rank && (asked_sliding(g) || !stage_says_loops(g->sink));
    for (size_t m = 1; m < g->members.count && can; m++)
        can = tile_can_slide(g->members.item[m].stage, &g->members.item[m].needs, axis) &&
              (asked_sliding(g) || !stage_says_loops(g->members.item[m].stage));
    return can;
}

/* The axis along which tiles may slide, as of a schedule: what the program says of the tile, else
 * the fastest possible; 0: none. */
static unsigned sliding_of(const struct fusion *f, const struct group *g)
{
    if (is_on_grid(f)) /* threads have all rows at once */
        return 0;
    const struct schedule *asked = g->sink->schedule;
    if (asked && asked->rank)
        return asked_sliding(g) && can_slide(g, asked_sliding(g) - 1) ? asked_sliding(g) : 0;
    for (unsigned axis = g->sink->rank; axis-- > 0;)
        if (g->tiled[axis] && can_slide(g, axis))
            return axis + 1;
    return 0;
}

/* The sizes that a tile may have along the axes that are cut; 0 ends each list. */
struct tile_sizes {
    unsigned count;
    unsigned axis[TILE_AXES];
    int64_t size[TILE_AXES][MOST_SIZES];
};

/* tile: what is known of it; 0 along the axes of the sizes. */
static void find_sizes(const struct fusion *f, const struct group *g, int64_t tile[],
                       struct tile_sizes *sizes)
{
    unsigned slow = 0; /* how many before are not short */
    sizes->count = 0;
    for (unsigned k = g->sink->rank; k-- > 0;) {
        const struct stage_axis *axis = &g->sink->axis[k];
        const unsigned at = sizes->count;
        tile[k] = asked_tile(g, k) ? asked_tile(g, k) : 1;
        if (!g->tiled[k] || asked_tile(g, k) || at == TILE_AXES)
            continue;
        const bool is_short = axis_is_short(axis) && axis->computed_extent->as.integer > 1;
        const bool channels = is_on_grid(f) && channels_of(g) == k;
        int64_t *size = sizes->size[at];
        size[0] = channels ? TILE_CHANNELS : 1; /* a place at a time, or all */
        size[1] = is_short && !channels ? axis->computed_extent->as.integer : 0;
        size[2] = 0;
        if (!is_short && !channels)
            find_powers(f, slow++, size);
        sizes->axis[sizes->count++] = k;
    }
}

/* The cheapest tile: all sizes along the axes that members depend on, but for those that the
 * program chooses. Other axes are not cut. */
static bool choose_tile_that(const struct fusion *f, struct group *g, unsigned sliding)
{
    struct tile_sizes sizes;
    unsigned choice[TILE_AXES] = {0};
    int64_t tile[GRAPH_MAX_RANK];
    bool found = false;
    g->sliding = sliding;
    find_sizes(f, g, tile, &sizes);
    for (;;) {
        double cost;
        for (unsigned a = 0; a < sizes.count; a++)
            tile[sizes.axis[a]] = sizes.size[a][choice[a]];
        if (cost_of_tile(f, g, tile, sliding, &cost) && (!found || cost < g->cost)) {
            found = true;
            g->cost = cost;
            memcpy(g->tile, tile, sizeof tile);
        }
        unsigned a = 0;
        while (a < sizes.count && sizes.size[a][++choice[a]] == 0)
            choice[a++] = 0;
        if (a == sizes.count)
            break;
    }
    for (unsigned a = 0; a < sizes.count && !found; a++)
        tile[sizes.axis[a]] = sizes.size[a][0];
    if (!found)
        memcpy(g->tile, tile, sizeof tile);
    return found;
}

/* Sliding or not, as the program says or as is cheaper. */
static bool choose_tile(const struct fusion *f, struct group *g)
{
    const unsigned sliding = sliding_of(f, g);
    struct group other = *g;
    const bool found = choose_tile_that(f, g, 0);
    if (!sliding || !choose_tile_that(f, &other, sliding) ||
        (found && g->cost < other.cost && asked_sliding(g) != sliding))
        return found;
    *g = other;
    return true;
}

static bool random_tile(const struct fusion *f, struct group *g)
{
    const uint32_t sink = g->sink->id.index;
    double cost;
    const bool slides = asked_sliding(g) || choose_whether(f->context, sink, CHOICE_SLIDES, false);
    g->sliding = slides ? sliding_of(f, g) : 0;
    for (unsigned k = 0; k < g->sink->rank; k++)
        g->tile[k] = asked_tile(g, k) ? asked_tile(g, k)
                     : g->tiled[k]    ? choose_along(f->context, sink, CHOICE_TILE, k, 1, MOST_TILE)
                                      : 1;
    return cost_of_tile(f, g, g->tile, g->sliding, &cost);
}

/* False: no tile fits fast memory. */
static bool take_tile(const struct fusion *f, struct group *g)
{
    return f->context->random_schedule ? random_tile(f, g) : choose_tile(f, g);
}

/* ---- Groups ---- */

/* Of a sample. */
static int64_t cost_of(const struct fusion *f, const struct stage *stage)
{
    return cost_with_loads(f->context->scratch, stage->value,
                           machine_load_cost(target_machine(f->context->target)));
}

static struct member new_member(const struct fusion *f, const struct stage *stage)
{
    const int64_t beside = f->beside[stage->id.index];
    const unsigned load = machine_load_cost(target_machine(f->context->target));
    struct member member = {.stage = stage, .cost = cost_of(f, stage)};
    member.cost_beside =
        beside > 1 ? cost_of_sample_beside(f->context, stage, beside, load) : (double)member.cost;
    return member;
}

static struct group *new_group(struct fusion *f, const struct stage *sink)
{
    struct arena *scratch = f->context->scratch;
    struct group *g = ARENA_NEW(scratch, struct group);
    g->sink = sink;
    g->sliding = asked_sliding(g);
    struct member member = new_member(f, sink);
    member.needs = tile_needs_of_sink(sink);
    VECTOR_PUSH(scratch, &g->members, member);
    g->cost = member.cost_beside;
    return g;
}

/* The group of the stage's first reader. */
static struct group *group_of_reader(const struct fusion *f, const struct stage *stage)
{
    const struct stage_readers *list = &f->readers[stage->id.index];
    return list->stages.count ? f->group[list->stages.item[0]->id.index] : NULL;
}

/* Why the stage is in no tiles of that group, whatever they cost; NULL: it may be. */
static const char *reason_of_group(const struct fusion *f, const struct group *g,
                                   const struct stage *stage)
{
    struct arena *scratch = f->context->scratch;
    const struct stage_readers *list = &f->readers[stage->id.index];
    const uint32_t asked = f->asked[stage->id.index];
    for (size_t i = 0; i < list->stages.count; i++) {
        const struct group *own = f->group[list->stages.item[i]->id.index];
        const bool is_there = asked ? own && own->sink->id.index + 1 == asked : own && own == g;
        if (!is_there)
            return arena_format(scratch,
                                asked ? "'%s' reads it too, and is not computed there"
                                      : "'%s' reads it, and is not computed in tiles with it",
                                list->stages.item[i]->name->text);
    }
    return !g || g->sink->is_made ? "what reads it has no name in schedules"
           : g->members.count >= (size_t)choice_value(f->context, CHOICE_TILE_MEMBERS)
               ? "there are too many stages already"
           : g->sink->repeat != stage->repeat ? "it is read in another step of a repeat"
           : !asked && stage->schedule &&
                   (stage->schedule->placement == PLACED_ROOT || stage->schedule->rank)
               ? "its schedule wants it there"
           : !asked && stage_says_apart(stage) ? "its schedule gives it loops of its own"
                                               : NULL;
}

/* What the group needs of the stage; NULL, or why tiles cannot follow it. */
static const char *find_needs(const struct fusion *f, const struct group *g,
                              const struct stage *stage, struct tile_needs *needs)
{
    struct arena *scratch = f->context->scratch;
    const struct stage_readers *list = &f->readers[stage->id.index];
    *needs = (struct tile_needs){.any = false};
    for (size_t m = 0; m < g->members.count; m++)
        for (size_t i = 0; i < list->stages.count; i++) {
            const struct member *member = &g->members.item[m];
            const char *problem = list->stages.item[i] == member->stage
                                      ? tile_needs_add(f->context->pool, scratch, member->stage,
                                                       &member->needs, stage, needs)
                                      : NULL;
            if (problem)
                return arena_format(scratch, "'%s': %s", member->stage->name->text, problem);
        }
    if (!needs->any)
        return "what has a name alone is not computed";
    const char *problem = tile_needs_recur(f->in, f->context->pool, scratch, stage, needs);
    bool follows = false;
    for (unsigned k = 0; k < stage->rank; k++)
        follows = follows || needs->axis[k].axis != NO_AXIS;
    return problem || follows ? problem : "each tile would compute the same";
}

/* The member of the group that is this stage. */
static struct member *member_of(const struct group *g, const struct stage *stage)
{
    size_t m = 0;
    while (g->members.item[m].stage != stage)
        m++;
    return &g->members.item[m];
}

/* Which loops the member shares with its readers. */
static void find_shared(const struct fusion *f, const struct group *g, struct member *member)
{
    const struct stage_readers *list = &f->readers[member->stage->id.index];
    const size_t count = list->stages.count;
    const struct stage **reader = ARENA_ARRAY(f->context->scratch, const struct stage *, count + 1);
    const struct tile_needs **needs =
        ARENA_ARRAY(f->context->scratch, const struct tile_needs *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct member *of = member_of(g, list->stages.item[i]);
        reader[i] = of->stage;
        needs[i] = &of->needs;
    }
    tile_needs_share(f->context->scratch, count, reader, needs, member->stage, &member->needs);
}

static void note_axes(struct group *g, const struct tile_needs *needs, unsigned rank)
{
    for (unsigned k = 0; k < rank; k++)
        if (needs->axis[k].axis != NO_AXIS)
            g->tiled[needs->axis[k].axis] = true;
}

/* Whether the member is a line, or less, beside a sink of two axes or more: then it is small, and
 * one tile over the other axes would have to compute it, in place of tiles that threads share. */
static bool is_small(const struct group *g, const struct member *member)
{
    unsigned all = 0, followed = 0;
    for (unsigned axis = 0; axis < g->sink->rank; axis++) {
        bool follows = false;
        for (unsigned k = 0; k < member->stage->rank; k++)
            follows = follows || member->needs.axis[k].axis == axis;
        const bool is_long = !axis_is_short(&g->sink->axis[axis]);
        all += is_long;
        followed += follows && is_long;
    }
    return followed < 2 && followed < all;
}

/* What another kernel costs a sample of the sink. */
static double kernel_of_a_sample(const struct fusion *f, const struct group *g)
{
    const double samples = expected_samples(f->in, f->context->pool, f->context->scratch, g->sink);
    return samples > 0 ? machine_kernel_cost(target_machine(f->context->target)) / samples : 0;
}

/* Samples of the stage for one of the sink; along an axis that follows none of its axes, all that
 * are read. */
static double samples_per_sample(const struct member *member)
{
    double samples = 1;
    for (unsigned k = 0; k < member->stage->rank; k++) {
        const struct tile_need *need = &member->needs.axis[k];
        samples *= need->axis == NO_AXIS ? (double)tile_extent(need, NULL)
                                         : (double)need->numerator / (double)need->denominator;
    }
    return samples;
}

/* The member of the group that may be computed in the place of the stage, which it alone reads;
 * NULL: there is none. */
static struct member *in_place_of(const struct fusion *f, const struct group *g,
                                  const struct stage *stage)
{
    const struct stage_readers *list = &f->readers[stage->id.index];
    const struct stage *reader = list->stages.item[0];
    const bool may = is_on_grid(f) ? tile_takes_over_in_blocks(reader, stage)
                                   : !tile_is_on_rows(stage) && !tile_is_on_rows(reader);
    return list->stages.count == 1 && reader != g->sink && may &&
                   tile_takes_over(f->context->scratch, reader, reader, stage)
               ? member_of(g, reader)
               : NULL;
}

/* Makes the stage a member, if that is asked for, or cheaper. NULL, or why it is none. */
static const char *join_group(struct fusion *f, const struct stage *stage)
{
    const uint32_t asked = f->asked[stage->id.index];
    struct group *g = group_of_reader(f, stage);
    struct member member = new_member(f, stage);
    const char *reason =
        f->root[stage->id.index] ? f->root[stage->id.index] : reason_of_group(f, g, stage);
    if (!reason)
        reason = find_needs(f, g, stage, &member.needs);
    if (reason)
        return reason;
    if (!asked && !f->context->random_schedule && is_small(g, &member))
        return "it is small, and all tiles need it";
    if (member.needs.memory && asked_sliding(g) && !asked)
        return "tiles begin it anew, and so do not slide";
    if (!is_on_grid(f))
        find_shared(f, g, &member);
    struct group larger = *g;
    VECTOR_PUSH(f->context->scratch, &larger.members, member);
    struct member *in_place = in_place_of(f, &larger, stage);
    if (in_place)
        in_place->in_place = true;
    note_axes(&larger, &member.needs, stage->rank);
    const bool fits = take_tile(f, &larger);
    /* In memory it would be moved twice; three times where a line is read before it is written. */
    const double bytes = (is_on_grid(f) ? 2 : 3) * scalar_info[stage->element].bytes;
    const double apart =
        g->cost + kernel_of_a_sample(f, g) +
        samples_per_sample(&member) *
            (member.cost_beside + bytes * machine_byte_cost(target_machine(f->context->target)));
    const bool pays = choose_whether(f->context, stage->id.index, CHOICE_FUSED,
                                     member.needs.memory || (fits && larger.cost < apart));
    const bool must_fit = is_on_grid(f); /* beyond its shared memory no block starts */
    if (asked ? must_fit && !fits : !(pays && (fits || (member.needs.memory && !must_fit)))) {
        if (in_place)
            in_place->in_place = false;
        return fits       ? "computing the overlap of tiles would cost more than memory"
               : must_fit ? "its tiles would take too much of the memory of a block"
                          : "its tiles would not fit fast memory";
    }
    *g = larger;
    if (member.needs.shared)
        member_of(g, member.needs.root)->needs.inner = member.needs.shared;
    f->group[stage->id.index] = g;
    return NULL;
}

/* ---- The graph ---- */

/* By axis; 0: it is not cut. NULL: none is. */
static const int64_t *tile_of(struct fusion *f, const struct group *g)
{
    const unsigned rank = g->sink->rank;
    int64_t *tile = ARENA_ARRAY(f->context->output, int64_t, rank + 1);
    bool any = false;
    for (unsigned k = 0; k < rank; k++) {
        tile[k] = g->tiled[k] ? g->tile[k] : asked_tile(g, k);
        any = any || tile[k];
    }
    return any ? tile : NULL;
}

static const struct schedule *schedule_of(struct fusion *f, const struct stage *stage)
{
    struct arena *output = f->context->output;
    const struct group *g = f->group[stage->id.index];
    struct schedule schedule = {.placement = PLACED_ROOT};
    if (stage->schedule)
        schedule.span = stage->schedule->span;
    if (g && g->sink != stage) {
        schedule.placement = PLACED_AT;
        schedule.at = g->sink->id;
    } else if (g) {
        schedule.tile = tile_of(f, g);
        schedule.rank = schedule.tile ? stage->rank : 0;
        if (schedule.rank && g->sliding)
            schedule.as.tiles = (struct schedule_tiles){true, g->sliding - 1};
    }
    return arena_copy(output, &schedule, sizeof schedule);
}

/* Why a tile with members does not slide along the sink's axis. */
static const char *reason_against_sliding(const struct fusion *f, const struct group *g,
                                          unsigned axis)
{
    for (size_t m = 1; m < g->members.count; m++) {
        const struct member *member = &g->members.item[m];
        if (!tile_can_slide(member->stage, &member->needs, axis))
            return arena_format(f->context->scratch,
                                member->needs.memory
                                    ? "'%s' is a recurrence, which tiles begin anew"
                                    : "'%s' follows that axis along its fastest one, or along two",
                                member->stage->name->text);
    }
    return "its rows would not fit fast memory";
}

/* What its schedule says of its own tile, and is not so. */
static void decline_tile(struct fusion *f, const struct stage *stage)
{
    const struct group *g = f->group[stage->id.index];
    const unsigned asked = g ? asked_sliding(g) : 0;
    const char *reason = reason_against(f, stage);
    if (!stage->schedule || !stage->schedule->rank || keeps_schedule(f, stage))
        return;
    if (g && g->sink != stage)
        decline(f->context, stage, REMARK_TILES,
                "it lies between '%s' and what is computed in tiles of that", g->sink->name->text);
    else if (!g)
        decline(f->context, stage, REMARK_TILES, "it %s",
                reason             ? reason
                : stage->rank == 0 ? "has one sample only"
                                   : "is a recurrence");
    else if (asked && g->sliding != asked)
        decline(f->context, stage, REMARK_SLIDING, "%s", reason_against_sliding(f, g, asked - 1));
}

const struct graph *fuse_stages(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct fusion f = {in,
                       context,
                       graph_readers(in, context->scratch),
                       ARENA_ARRAY(context->scratch, int64_t, count),
                       ARENA_ARRAY(context->scratch, bool, count),
                       ARENA_ARRAY(context->scratch, const char *, count),
                       ARENA_ARRAY(context->scratch, uint32_t, count),
                       ARENA_ARRAY(context->scratch, struct group *, count)};
    for (size_t i = 0; i < in->stages.count && is_on_grid(&f); i++)
        f.beside[i] = samples_beside(context, in->stages.item[i]);
    for (size_t i = 0; i < in->stages.count; i++)
        f.forgets[i] =
            is_on_grid(&f)
                ? recurrence_is_held(context, in, f.readers, in->stages.item[i])
                : recurrence_memory(in, context->pool, context->scratch, in->stages.item[i]) > 0;
    find_roots(&f);
    find_asked(&f);
    for (size_t i = in->stages.count; i-- > 0;) {
        const struct stage *stage = in->stages.item[i];
        const char *reason = reason_against(&f, stage) ? f.root[i] : join_group(&f, stage);
        if (reason && stage_computes(stage))
            decline(context, stage, REMARK_PLACE, "%s", reason);
        if (reason && !reason_against(&f, stage) && stage->rank > 0 && stage_may_move(stage))
            f.group[i] = new_group(&f, stage);
    }
    for (size_t i = 0; i < in->stages.count; i++)
        decline_tile(&f, in->stages.item[i]);
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        if (stage_computes(&stage) && !keeps_schedule(&f, &stage))
            stage.schedule = schedule_of(&f, in->stages.item[i]);
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
