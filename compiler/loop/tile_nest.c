/* Tiles of a group, with the overlap of neighbouring tiles computed in both:
 *   loop y.block { loop x.block {
 *       let out.y.tile = 64 y.block  let out.y.tile_end = min(…)  …     the tile of the sink
 *       let rows.y.tile = max(out.y.tile - 1, 0)  …                     what readers need of each member
 *       allocate rows  loop y { loop x { store rows … } }               members, in order
 *       loop y { loop x { store out … } } } }
 * Needs are cut to the box of the stage, so each is made of the ones of its readers alone. Members that share loops with
 * a reader are inside these:
 *       loop v { let apart.v.tile = v  …  allocate apart  loop y { … store apart }  loop y { … store columns } } */
#include "loop/tile_nest.h"

#include "analysis/reads.h"
#include "graph/choices.h"
#include "loop/prefetch.h"
#include "loop/rewrite.h"

struct nest {
    struct pass_context *context;
    const struct program *program;
    const struct tile_group *group;
    const struct buffer *const *buffer;
    bool tiled[GRAPH_MAX_RANK]; /* by axis of the sink */
    struct hash_map *read;      /* buffers that members so far have read from memory */
    VECTOR(const struct statement *) lets;
};

/* ---- The group ---- */

static const struct stage *stage_at(const struct tile_group *group, size_t place)
{
    return place == group->count ? group->sink : group->member[place];
}

/* As fuse_stages has counted on. */
static void share_loops(struct pass_context *context, const struct tile_group *group, size_t place,
                        struct tile_needs needs[])
{
    const struct stage **reader =
        ARENA_ARRAY(context->scratch, const struct stage *, group->count + 1);
    const struct tile_needs **reader_needs =
        ARENA_ARRAY(context->scratch, const struct tile_needs *, group->count + 1);
    size_t count = 0;
    for (size_t r = place + 1; r <= group->count; r++) {
        if (!stage_reads(stage_at(group, r), group->member[place], context->scratch))
            continue;
        reader[count] = stage_at(group, r);
        reader_needs[count++] = &needs[r];
    }
    tile_needs_share(context->scratch, count, reader, reader_needs, group->member[place],
                     &needs[place]);
    for (size_t r = place + 1; r < group->count && needs[place].shared; r++)
        if (group->member[r] == needs[place].root)
            needs[r].inner = needs[place].shared;
}

struct tile_group tile_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    VECTOR(const struct stage *) member = {0};
    for (uint32_t i = 0; i < sink->id.index; i++)
        if (stage_is_at(in->stages.item[i]) &&
            in->stages.item[i]->schedule->at.index == sink->id.index)
            VECTOR_PUSH(scratch, &member, in->stages.item[i]);
    struct tile_needs *needs = ARENA_ARRAY(scratch, struct tile_needs, member.count + 1);
    needs[member.count] = tile_needs_of_sink(sink);
    for (size_t m = member.count; m-- > 0;)
        for (size_t r = m + 1; r <= member.count; r++)
            (void)tile_needs_add(context->pool, scratch, r == member.count ? sink : member.item[r],
                                 &needs[r], member.item[m], &needs[m]);
    const struct tile_group group = {sink, member.count, member.item, needs};
    for (size_t m = member.count; m-- > 0;)
        share_loops(context, &group, m, needs);
    return group;
}

static const struct expr *bound_variable(struct pass_context *context, const struct stage *stage,
                                         unsigned k, const char *part, int64_t more)
{
    const struct interval axis = stage->axis[k].variable->interval;
    const struct interval interval = {axis.least, axis.greatest + more};
    return expr_variable(context->pool, VARIABLE_LOCAL,
                         symbol_format(&context->session->symbols, "%s.%s.%s", stage->name->text,
                                       stage->axis[k].name->text, part),
                         SCALAR_I64, interval);
}

const struct expr *tile_first(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "tile", 0);
}

static const struct expr *tile_end(struct pass_context *context, const struct stage *stage,
                                   unsigned k)
{
    return bound_variable(context, stage, k, "tile_end", 1);
}

const struct expr *tile_most(struct pass_context *context, const struct tile_group *group,
                             size_t member, unsigned axis)
{
    const struct tile_needs *needs = &group->needs[member];
    return expr_integer(
        context->pool,
        axis < needs->shared ? 1 : tile_extent(&needs->axis[axis], group->sink->schedule->tile));
}

/* ---- Boxes ---- */

static void add_let(struct nest *n, const struct expr *variable, const struct expr *value)
{
    VECTOR_PUSH(n->context->scratch, &n->lets,
                STATEMENT_NEW(n->context->output, n->group->sink->span, .kind = STATEMENT_LET,
                              .as.let = {variable, value}));
}

/* What is read of a stage along an axis, before it is cut to the box. */
struct reach {
    bool any, mirrored;
    const struct expr *first, *end;
};

/* Reads under a rule that leads back into the stage's own box, and the others. */
struct box_need {
    struct expr_pool *pool;
    uint32_t source;
    struct reach ruled[GRAPH_MAX_RANK], plain[GRAPH_MAX_RANK];
};

static void join_reach(struct expr_pool *pool, struct reach *reach, const struct expr *first,
                       const struct expr *end)
{
    reach->first = reach->any ? region_minimum(pool, reach->first, first) : first;
    reach->end = reach->any ? region_maximum(pool, reach->end, end) : end;
    reach->any = true;
}

static void note_box(const struct expr *load, unsigned count, const struct span_bound bound[],
                     void *user)
{
    struct box_need *need = user;
    if (load->as.load.source != need->source)
        return;
    for (unsigned k = 0; k < load->count; k++) {
        const enum border_rule rule =
            load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
        const bool ruled = rule != BORDER_NONE && rule != BORDER_EXTEND;
        struct reach *reach = ruled ? &need->ruled[k] : &need->plain[k];
        const struct expr *first, *end;
        if (!region_of_index(need->pool, load->operand[k], count, bound, &first, &end))
            continue; /* all of the axis is needed, or tile_needs_add has refused it */
        join_reach(need->pool, reach, first, end);
        reach->mirrored = reach->mirrored || rule == BORDER_REFLECT || rule == BORDER_REFLECT101;
    }
}

/* What the members behind it, and the sink, need of a member. */
static void define_box(struct nest *n, size_t place)
{
    struct pass_context *context = n->context;
    const struct stage *stage = n->group->member[place];
    struct box_need need = {.pool = context->pool, .source = stage->id.index};
    for (size_t r = place + 1; r <= n->group->count; r++) {
        const struct stage *reader = stage_at(n->group, r);
        const struct tile_needs *needs = &n->group->needs[r];
        struct span_bound bound[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < reader->rank; k++) {
            const struct stage *of = k < needs->shared ? needs->root : reader; /* at all places */
            bound[k] = (struct span_bound){reader->axis[k].variable, tile_first(context, of, k),
                                           tile_end(context, of, k)};
        }
        reads_visit(context->pool, context->scratch, reader->value, reader->rank, bound, note_box,
                    &need);
    }
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        struct reach *ruled = &need.ruled[k], *all = &need.plain[k];
        if (n->group->needs[place].axis[k].whole) {
            all->first = axis->computed_first;
            all->end = region_sum(context->pool, axis->computed_first, axis->computed_extent, 1);
            ruled->any = false;
        }
        if (ruled->any) {
            region_clip(context->pool, ruled->mirrored, axis->first, axis->extent, &ruled->first,
                        &ruled->end);
            join_reach(context->pool, all, ruled->first, ruled->end);
        }
        region_clip(context->pool, false, axis->computed_first, axis->computed_extent, &all->first,
                    &all->end);
        if (k < n->group->needs[place].shared)
            continue; /* inside the loops it shares */
        add_let(n, tile_first(context, stage, k), all->first);
        add_let(n, tile_end(context, stage, k), all->end);
    }
}

/* ---- Loops ---- */

static const struct statement *loop(const struct nest *n, const struct stage *stage,
                                    enum parallel_level level, const struct expr *variable,
                                    const struct expr *first, const struct expr *extent,
                                    const struct statement *body)
{
    return STATEMENT_NEW(n->context->output, stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false});
}

/* Whether the tile takes the stage's rows several times, for each place along another axis. */
static bool is_repeated(const struct tile_group *group, size_t place)
{
    bool repeated = false;
    for (unsigned k = 0; place < group->count && k < group->member[place]->rank; k++)
        repeated = repeated || group->needs[place].axis[k].axis == NO_AXIS;
    return repeated;
}

static const void *key_of(const struct nest *n, const struct statement *prefetch)
{
    return program_buffer(n->program, prefetch->as.prefetch.buffer);
}

/* Before the loop over a row: the next rows of what it reads, but for what a member before has read already. */
static const struct statement *with_prefetches(const struct nest *n, size_t place,
                                               const struct statement *sample,
                                               const struct statement *row)
{
    enum { MOST = 4 };
    struct pass_context *context = n->context;
    const struct stage *stage = stage_at(n->group, place), *sink = n->group->sink;
    const struct statement *item[MOST + 1];
    if (stage->rank < 2 || !n->tiled[sink->rank - 1] || is_repeated(n->group, place))
        return row;
    const unsigned last = stage->rank - 1;
    const unsigned count =
        prefetch_rows(context, n->program, stage, sample, tile_first(context, stage, last),
                      tile_end(context, stage, last), MOST, item);
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (!hash_map_find(n->read, key_of(n, item[i])))
            item[kept++] = item[i];
    for (unsigned i = 0; i < kept; i++)
        hash_map_put(context->scratch, n->read, key_of(n, item[i]), (void *)(uintptr_t)item[i]);
    item[kept] = row;
    return kept ? statement_block(context->output, stage->span, kept + 1, item) : row;
}

/* Over the box of the stage in the tile, along the axes from `from` to `end` - 1. An axis of the sink that is not cut is
 * taken whole. */
static const struct statement *loops_in_tile(const struct nest *n, size_t place, unsigned from,
                                             unsigned end, const struct statement *body)
{
    struct pass_context *context = n->context;
    const struct stage *stage = stage_at(n->group, place);
    const unsigned choosing = choosing_axis(context->scratch, stage);
    const struct statement *sample = body;
    for (unsigned k = end; k-- > from;) {
        if (k + 2 == stage->rank)
            body = with_prefetches(n, place, sample, body);
        const struct buffer_axis *axis = &n->buffer[place]->axis[k];
        const bool whole = stage == n->group->sink && !n->tiled[k];
        const struct expr *first = tile_first(context, stage, k);
        const enum parallel_level level =
            whole && k == choosing ? LEVEL_UNROLLED : LEVEL_INDEPENDENT;
        body = whole
                   ? loop(n, stage, level, stage->axis[k].variable, axis->first, axis->extent, body)
                   : loop(n, stage, level, stage->axis[k].variable, first,
                          region_sum(context->pool, tile_end(context, stage, k), first, -1), body);
    }
    return body;
}

/* A coordinate of tiles; the tile's ends become lets. */
static const struct expr *cut_axis(struct nest *n, unsigned k, const struct expr **count)
{
    struct expr_pool *pool = n->context->pool;
    const struct stage *sink = n->group->sink;
    const struct buffer_axis *axis = &n->buffer[n->group->count]->axis[k];
    const int64_t tile = sink->schedule->tile[k];
    const struct interval interval = {0, INT32_MAX / tile};
    const struct expr *block = expr_variable(
        pool, VARIABLE_INDEX,
        symbol_format(&n->context->session->symbols, "%s.block", sink->axis[k].name->text),
        SCALAR_I32, interval);
    const struct expr *size = expr_integer(pool, tile);
    const struct expr *end = region_sum(pool, axis->first, axis->extent, 1);
    const struct expr *first =
        region_sum(pool, axis->first, expr_binary(pool, EXPR_MULTIPLY, block, size), 1);
    add_let(n, tile_first(n->context, sink, k), first);
    add_let(n, tile_end(n->context, sink, k),
            region_minimum(pool, region_sum(pool, tile_first(n->context, sink, k), size, 1), end));
    *count = expr_binary(pool, EXPR_DIVIDE,
                         region_sum(pool, axis->extent, expr_integer(pool, tile - 1), 1), size);
    return block;
}

static const struct statement *allocation(const struct nest *n, size_t place)
{
    return STATEMENT_NEW(n->context->output, n->group->sink->span, .kind = STATEMENT_ALLOCATE,
                         .as.allocate = {n->buffer[place]->id});
}

/* What shares the loops of a root, then its own samples: for one place of the shared axes. */
static const struct statement *shared_body(struct nest *n, size_t root,
                                           const struct statement *const body[])
{
    struct pass_context *context = n->context;
    const struct stage *of = n->group->member[root];
    const unsigned inner = n->group->needs[root].inner;
    struct nest inside = *n;
    memset(&inside.lets, 0, sizeof inside.lets);
    for (size_t m = 0; m < root; m++) {
        const struct stage *stage = n->group->member[m];
        const struct statement *samples = body[m];
        if (n->group->needs[m].root != of)
            continue;
        for (unsigned k = 0; k < inner; k++) {
            const struct expr *place = of->axis[k].variable;
            add_let(&inside, tile_first(context, stage, k), place);
            if (stage->axis[k].variable != place)
                samples = statement_substitute(context->output, context->scratch, context->pool,
                                               samples, stage->axis[k].variable, place);
        }
        VECTOR_PUSH(context->scratch, &inside.lets, allocation(n, m));
        VECTOR_PUSH(context->scratch, &inside.lets,
                    loops_in_tile(n, m, inner, stage->rank, samples));
    }
    VECTOR_PUSH(context->scratch, &inside.lets,
                loops_in_tile(n, root, inner, of->rank, body[root]));
    return statement_block(context->output, of->span, inside.lets.count, inside.lets.item);
}

/* The samples of a stage in the tile, with those of the stages that share its loops. */
static void add_member(struct nest *n, size_t place, const struct statement *const body[])
{
    const struct stage *stage = stage_at(n->group, place);
    const unsigned inner = n->group->needs[place].inner;
    const struct statement *samples =
        inner ? loops_in_tile(n, place, 0, inner, shared_body(n, place, body))
              : loops_in_tile(n, place, 0, stage->rank, body[place]);
    if (stage != n->group->sink)
        VECTOR_PUSH(n->context->scratch, &n->lets, allocation(n, place));
    VECTOR_PUSH(n->context->scratch, &n->lets, samples);
}

const struct statement *tile_nest(struct pass_context *context, const struct program *program,
                                  const struct tile_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[])
{
    struct hash_map read = {0};
    struct nest n = {
        .context = context, .program = program, .group = group, .buffer = buffer, .read = &read};
    const unsigned rank = group->sink->rank;
    const struct expr *block[GRAPH_MAX_RANK], *count[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < rank; k++) {
        n.tiled[k] = group->sink->schedule->tile[k] > 0;
        if (n.tiled[k])
            block[k] = cut_axis(&n, k, &count[k]);
    }
    for (size_t m = group->count; m-- > 0;)
        define_box(&n, m);
    for (size_t m = 0; m <= group->count; m++)
        if (m == group->count || !group->needs[m].shared)
            add_member(&n, m, body);
    const struct statement *nest =
        statement_block(context->output, group->sink->span, n.lets.count, n.lets.item);
    /* Rows of tiles to threads, so the second axis is the outermost. */
    const unsigned outermost = rank > 1 && n.tiled[rank - 2] ? rank - 2 : rank;
    for (unsigned k = rank; k-- > 0;)
        if (n.tiled[k] && k != outermost)
            nest = loop(&n, group->sink, LEVEL_INDEPENDENT, block[k],
                        expr_integer(context->pool, 0), count[k], nest);
    if (outermost < rank)
        nest = loop(&n, group->sink, LEVEL_INDEPENDENT, block[outermost],
                    expr_integer(context->pool, 0), count[outermost], nest);
    return nest;
}
