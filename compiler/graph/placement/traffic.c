#include "graph/placement/traffic.h"

#include "graph/placement/tiles.h"

#include <string.h>

/* Signals are long, and what is called c are channels. */
static int64_t usual_extent(const struct expected_extents *extents, const struct expr *extent)
{
    const char *name = extent->as.variable.name->text;
    const size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".c") == 0 ? 3 : extents->usual;
}

static int64_t usual_in(const struct graph *graph)
{
    bool images = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        images = images ||
                 (graph->stages.item[i]->kind == STAGE_INPUT && graph->stages.item[i]->rank > 1);
    return images ? TRAFFIC_EXTENT : (int64_t)TRAFFIC_EXTENT * TRAFFIC_EXTENT;
}

struct expected_extents expected_extents(const struct graph *graph, struct expr_pool *pool)
{
    return (struct expected_extents){graph, pool, usual_in(graph)};
}

const struct expr *extent_expected(const struct expr *node, void *user)
{
    const struct expected_extents *extents = user;
    if (node->kind != EXPR_VARIABLE)
        return node;
    const int64_t expected = graph_expected(extents->graph, node);
    const bool is_extent = node->as.variable.kind == VARIABLE_EXTENT;
    return expected > 0 ? expr_integer(extents->pool, expected)
           : is_extent  ? expr_integer(extents->pool, usual_extent(extents, node))
                        : node;
}

double expected_samples(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                        const struct stage *stage)
{
    const struct arena_mark mark = arena_mark(scratch);
    struct expected_extents extents = expected_extents(graph, pool);
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = extent_expected, .context = &extents, .scratch = scratch};
    double samples = 1;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *extent = expr_rewrite(&rewriter, stage->axis[k].computed_extent);
        samples = samples >= 0 && extent->kind == EXPR_INTEGER
                      ? samples * (double)extent->as.integer
                      : -1;
    }
    arena_release(scratch, mark);
    return samples;
}

struct counting {
    const struct graph *graph;
    struct expr_pool *pool;
    struct arena *scratch;
    const struct stage *sink;
    const struct stage_readers *readers;
    struct tile_needs *needs; /* by stage */
    bool *is_member;          /* by stage */
    unsigned rank;            /* of images that lines read as often as they have samples */
    struct traffic traffic;
};

static bool is_cut(const struct stage *sink, unsigned axis)
{
    return sink->schedule && sink->schedule->rank && sink->schedule->tile[axis] > 0;
}

static bool follows(const struct counting *c, const struct stage *source, unsigned axis)
{
    bool any = false;
    for (unsigned k = 0; k < source->rank; k++)
        any = any || c->needs[source->id.index].axis[k].axis == axis;
    return any;
}

/* Places along an axis of the sink for which a tile has the same samples of the source. */
static double places_of_tile(const struct counting *c, const struct stage *source, unsigned axis)
{
    const struct expr *all = c->sink->axis[axis].computed_extent;
    if (is_cut(c->sink, axis))
        return (double)c->sink->schedule->tile[axis];
    return all->kind == EXPR_INTEGER && all->as.integer > 0 && !follows(c, source, axis)
               ? (double)all->as.integer
               : 1;
}

/* Samples of the source for each sample of the sink; 0: few for many. */
static double samples_read(const struct counting *c, const struct stage *source)
{
    const struct stage *sink = c->sink;
    double samples = 1;
    for (unsigned axis = 0; axis < sink->rank; axis++)
        if (!is_cut(sink, axis) && !axis_is_short(&sink->axis[axis]) && !follows(c, source, axis))
            return 0;
    for (unsigned k = 0; k < source->rank; k++) {
        const struct tile_need *need = &c->needs[source->id.index].axis[k];
        const bool follows = need->axis != NO_AXIS;
        if (follows && !is_cut(sink, need->axis))
            samples *= (double)need->numerator / (double)need->denominator;
        else
            samples *= (double)tile_extent(need, follows ? sink->schedule->tile : NULL);
    }
    for (unsigned axis = 0; axis < sink->rank; axis++)
        samples /= places_of_tile(c, source, axis);
    return samples;
}

/* What the members need of a stage, and so its readers; false: no member reads it. Where one need
 * is not known, those that follow from it are not either. */
static bool find_needs(struct counting *c, const struct stage *stage)
{
    const struct stage_readers *of = &c->readers[stage->id.index];
    struct tile_needs *needs = &c->needs[stage->id.index];
    bool reads = false;
    for (size_t r = 0; r < of->stages.count; r++) {
        const struct stage *reader = of->stages.item[r];
        if (!c->is_member[reader->id.index])
            continue;
        reads = true;
        if (c->traffic.known && (tile_needs_add(c->pool, c->scratch, reader,
                                                &c->needs[reader->id.index], stage, needs) ||
                                 !needs->any)) /* the steps of a scatter read it */
            c->traffic.known = false;
    }
    return reads;
}

struct load_count {
    const struct stage *source;
    double loads;
    bool reduces;
};

static void count_load(const struct expr *node, void *user)
{
    struct load_count *count = user;
    count->loads += node->kind == EXPR_LOAD && node->as.load.source == count->source->id.index;
    count->reduces = count->reduces || node->kind == EXPR_REDUCE;
}

/* As many at most as a sample of the sink, which alone reads it, has loads. */
static double at_most_loads(const struct counting *c, const struct stage *source, double samples)
{
    struct load_count count = {source, 0, false};
    stage_nodes(c->sink, c->scratch, count_load, &count);
    return count.loads > 0 && !count.reduces && count.loads < samples ? count.loads : samples;
}

/* The same where coordinates alone do not tell: each once. */
static double samples_counted_once(const struct counting *c, const struct stage *source)
{
    const double own = expected_samples(c->graph, c->pool, c->scratch, source);
    const double of = expected_samples(c->graph, c->pool, c->scratch, c->sink);
    return source->rank == c->rank || own < 0 || of <= 0 ? source->rank == c->rank
                                                         : at_most_loads(c, source, own / of);
}

static void count_source(struct counting *c, const struct stage *stage)
{
    const bool lines = schedule_has_lines(c->sink->schedule);
    if (stage->kind == STAGE_CONSTANT || stage_is_in_bands(stage) || stage_is_at(stage))
        return; /* not in memory */
    const double samples = lines              ? stage->rank == c->rank
                           : c->traffic.known ? samples_read(c, stage)
                                              : samples_counted_once(c, stage);
    c->traffic.read += scalar_info[stage->element].bytes * samples;
}

/* rank: of images that lines read beside. */
static struct traffic traffic_of_group(const struct graph *graph,
                                       const struct stage_readers *readers, struct expr_pool *pool,
                                       struct arena *scratch, const struct stage *stage,
                                       unsigned rank)
{
    struct counting c = {
        graph,
        pool,
        scratch,
        stage,
        readers,
        ARENA_ARRAY(scratch, struct tile_needs, stage->id.index + 1),
        ARENA_ARRAY(scratch, bool, graph->stages.count + 1),
        rank,
        {0, stage_is_in_bands(stage) ? 0 : scalar_info[stage->element].bytes, true}};
    c.is_member[stage->id.index] = true;
    c.needs[stage->id.index] = tile_needs_of_sink(stage);
    for (uint32_t i = stage->id.index; i-- > 0;) { /* readers first */
        const struct stage *source = graph->stages.item[i];
        c.is_member[i] = stage_is_in_tiles_of(source, stage);
        if (!find_needs(&c, source))
            continue;
        if (c.is_member[i] && c.traffic.known)
            (void)tile_needs_recur(graph, pool, scratch, source, &c.needs[i]);
        else if (!c.is_member[i])
            count_source(&c, source);
    }
    return c.traffic;
}

/* The part of a joined stage's samples that lines in segments, or of the rest, are computed
 * from. */
static double part_of_joined(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage *lines,
                             const struct stage *joined)
{
    const bool in_segments = lines->rank > joined->rank;
    const unsigned along = lines->schedule->as.lines.axis;
    struct stage places = *lines; /* of tails, those that they are made of */
    struct stage_axis *axis = arena_copy(scratch, lines->axis, lines->rank * sizeof *axis);
    places.axis = axis;
    if (in_segments)
        axis[along].computed_extent = expr_integer(pool, schedule_places(joined->schedule));
    const double own = expected_samples(graph, pool, scratch, &places);
    const double all = expected_samples(graph, pool, scratch, joined);
    return own >= 0 && all > 0 ? own / all : in_segments;
}

/* In segments a line is read for their states, and again for their samples: by all lines of what
 * was made for it. */
static struct traffic traffic_of_segments(const struct graph *graph,
                                          const struct stage_readers *readers,
                                          struct expr_pool *pool, struct arena *scratch,
                                          const struct stage *joined)
{
    struct traffic traffic = {0, scalar_info[joined->element].bytes, true};
    for (uint32_t i = joined->id.index; i-- > 0;) {
        const struct stage *stage = graph->stages.item[i];
        if (!stage->is_made && !stage_is_at(stage))
            break;
        const bool lines = stage_is_per_sample(stage) && schedule_has_lines(stage->schedule);
        if (lines &&
            (stage->rank > joined->rank || stage_joined_to(graph, stage, scratch) == joined))
            traffic.read +=
                traffic_of_group(graph, readers, pool, scratch, stage, joined->rank).read *
                part_of_joined(graph, pool, scratch, stage, joined);
    }
    return traffic;
}

struct traffic traffic_of(const struct graph *graph, const struct stage_readers *readers,
                          struct expr_pool *pool, struct arena *scratch, const struct stage *stage)
{
    const struct arena_mark mark = arena_mark(scratch);
    const struct traffic traffic =
        stage_is_segmented(stage)
            ? traffic_of_segments(graph, readers, pool, scratch, stage)
            : traffic_of_group(graph, readers, pool, scratch, stage, stage->rank);
    arena_release(scratch, mark);
    return traffic;
}

/* ---- All kernels ---- */

/* Of segments, and the rest of the line, what they are joined to tells; of others that are joined,
 * the parts. */
static bool is_told_elsewhere(const struct graph *graph, const struct stage *stage,
                              struct arena *scratch)
{
    const struct stage *joined = stage_joined_to(graph, stage, scratch);
    return stage->kind == STAGE_JOINED ? !stage_is_segmented(stage)
                                       : joined && stage_is_segmented(joined);
}

const struct kernel_traffic *traffic_of_kernels(const struct graph *graph,
                                                const struct stage_readers *readers,
                                                struct expr_pool *pool, struct arena *scratch)
{
    struct kernel_traffic *kernel =
        ARENA_ARRAY(scratch, struct kernel_traffic, graph->stages.count + 1);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage_computes(stage) || graph_output_of(graph, stage->id))
            kernel[i].samples = expected_samples(graph, pool, scratch, stage);
        kernel[i].counts = stage_computes(stage) && !stage_is_at(stage) &&
                           !is_told_elsewhere(graph, stage, scratch);
        if (kernel[i].counts)
            kernel[i].a_sample = traffic_of(graph, readers, pool, scratch, stage);
    }
    return kernel;
}

struct traffic traffic_of_all(const struct graph *graph, const struct kernel_traffic kernel[],
                              const struct stage *result, bool *told)
{
    struct traffic all = {.known = true};
    const double results = kernel[result->id.index].samples;
    *told = results > 0;
    for (size_t i = 0; i < graph->stages.count && *told; i++) {
        const struct traffic *own = &kernel[i].a_sample;
        const double samples = kernel[i].samples / results;
        if (!kernel[i].counts)
            continue;
        *told = samples >= 0;
        all.read += own->read * samples;
        all.written += own->written * samples;
        all.known = all.known && own->known;
    }
    return all;
}
