/* stage_tiles: loop → loop. In a kernel that asks for it, copies the samples of a buffer that the
 * threads of a block read to shared memory first, and applies the border rules while copying.
 *   before: grid x.block { block x.thread { out[32 x.block + x.thread] = in[… - 1 clamp] + in[… + 1 clamp] } }
 *   after:  grid x.block { allocate tile[34] shared
 *               block x.thread { loop part { tile[…] = in[32 x.block - 1 + … clamp] }  barrier
 *                                out[…] = tile[x.thread] + tile[x.thread + 2] } }
 * A buffer is copied if its indices are affine with one base for all reads, it has one border rule
 * per axis, the tile fits, and there is reuse: fewer samples in the tile than reads. Other buffers
 * are read directly. Such a kernel has no other shared memory, because fuse_stages adds no members
 * to a stage whose block the program describes. */
#include "loop_pass.h"
#include "analysis/reads.h"
#include "loop/rewrite.h"

/* The box of one buffer that a block reads: base + least … base + least + extent - 1 along each
 * axis. */
struct footprint {
    bool possible;
    unsigned reads;
    struct affine base[GRAPH_MAX_RANK];
    int64_t least[GRAPH_MAX_RANK], greatest[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK];
    buffer_id tile;
};

struct staging {
    struct pass_context *context;
    const struct program *in;
    struct program *out;
    struct footprint *footprint;              /* by buffer */
    struct hash_map counted;                  /* loads */
    VECTOR(const struct statement *) threads; /* BLOCK loops, outermost first */
    VECTOR(struct span_bound) bounds;         /* of their variables */
    VECTOR(const struct expr *) inner;        /* variables of loops inside threads */
    unsigned shared_bytes;
};

static bool is_block(const struct statement *s)
{
    return s->kind == STATEMENT_LOOP &&
           (s->as.loop.level == LEVEL_BLOCK_X || s->as.loop.level == LEVEL_BLOCK_Y);
}

/* ---- What is read ---- */

/* Splits an index into its base and the constants its bounded variables add. */
static bool split_index(struct staging *s, const struct expr *index, unsigned count,
                        const struct span_bound bound[], struct affine *base, int64_t *least,
                        int64_t *greatest)
{
    const struct scaled_index scaled = affine_index(index);
    *base = scaled.numerator;
    if (scaled.denominator != 1 || !base->exact)
        return false;
    *least = *greatest = base->constant;
    base->constant = 0;
    for (unsigned b = 0; b < count; b++) {
        const int64_t c = affine_coefficient(base, bound[b].variable);
        if (c == 0)
            continue;
        if (bound[b].first->kind != EXPR_INTEGER || bound[b].end->kind != EXPR_INTEGER)
            return false;
        const int64_t from = c * bound[b].first->as.integer;
        const int64_t to = c * (bound[b].end->as.integer - 1);
        *least += from < to ? from : to;
        *greatest += from < to ? to : from;
        *base = affine_without(*base, bound[b].variable);
    }
    for (unsigned i = 0; i < base->count; i++) {
        if (base->term[i].atom->kind != EXPR_VARIABLE)
            return false;
        for (size_t v = 0; v < s->inner.count; v++)
            if (base->term[i].atom == s->inner.item[v])
                return false;
    }
    return base->exact;
}

static bool same_form(const struct affine *a, const struct affine *b)
{
    const struct affine difference = affine_sum(*a, *b, -1);
    return difference.exact && difference.count == 0 && difference.constant == 0;
}

static bool same_rule(const struct border *a, const struct border *b)
{
    return a->rule == b->rule && a->value == b->value && a->first == b->first &&
           a->extent == b->extent;
}

static void note_load(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *user)
{
    struct staging *s = user;
    if (hash_map_find(&s->counted, load))
        return;
    hash_map_put(s->context->scratch, &s->counted, load, (void *)(uintptr_t)load);
    struct footprint *f = &s->footprint[load->as.load.source];
    const bool first = f->reads++ == 0;
    f->possible = first || f->possible;
    unsigned terms = 1;
    for (unsigned b = (unsigned)s->bounds.count; b < count; b++) {
        const int64_t extent = bound[b].end->as.integer - bound[b].first->as.integer;
        terms *= extent > 0 && extent < 1000 ? (unsigned)extent : 1;
    }
    f->reads += terms - 1;
    for (unsigned k = 0; k < load->count && f->possible; k++) {
        struct affine base;
        int64_t least, greatest;
        const struct border none = {0};
        const struct border *border = load->as.load.border ? &load->as.load.border[k] : &none;
        if (!split_index(s, load->operand[k], count, bound, &base, &least, &greatest) ||
            (!first && (!same_form(&base, &f->base[k]) || !same_rule(border, &f->border[k])))) {
            f->possible = false;
            break;
        }
        f->base[k] = base;
        f->border[k] = *border;
        f->least[k] = first || least < f->least[k] ? least : f->least[k];
        f->greatest[k] = first || greatest > f->greatest[k] ? greatest : f->greatest[k];
    }
}

static void note_expression(const struct expr *node, void *user)
{
    struct staging *s = user;
    reads_visit(s->context->pool, s->context->scratch, node, (unsigned)s->bounds.count,
                s->bounds.item, note_load, s);
}

static void note_statement(const struct statement *statement, void *user)
{
    struct staging *s = user;
    if (statement->kind == STATEMENT_LOOP)
        VECTOR_PUSH(s->context->scratch, &s->inner, statement->as.loop.variable);
    if (statement->kind == STATEMENT_LET)
        VECTOR_PUSH(s->context->scratch, &s->inner, statement->as.let.variable);
    statement_expressions(statement, note_expression, s);
    statement_children(statement, note_statement, s);
}

/* Whether a copy pays and fits; then the tile is made. */
static bool make_tile(struct staging *s, uint32_t buffer_index)
{
    struct footprint *f = &s->footprint[buffer_index];
    const struct buffer *buffer = &s->in->buffers.item[buffer_index];
    if (!f->possible || f->reads < 2 || buffer->rank == 0 ||
        (buffer->space != SPACE_INPUT && buffer->space != SPACE_SCRATCH &&
         buffer->space != SPACE_OUTPUT))
        return false;
    struct expr_pool *pool = s->context->pool;
    struct buffer_axis *axis =
        ARENA_ARRAY(s->context->output, struct buffer_axis, buffer->rank + 1);
    int64_t samples = 1;
    for (unsigned k = 0; k < buffer->rank; k++) {
        const int64_t extent = f->greatest[k] - f->least[k] + 1;
        if (extent > INT32_MAX / samples)
            return false;
        samples *= extent;
        axis[k] = (struct buffer_axis){buffer->axis[k].name, expr_integer(pool, 0),
                                       expr_integer(pool, extent), false};
    }
    const int64_t bytes = samples * scalar_info[buffer->scalar].bytes;
    if (s->shared_bytes + bytes > target_fast_bytes(s->context->target))
        return false;
    s->shared_bytes += (unsigned)bytes;
    f->tile = program_add_buffer(
        s->context->output, s->out,
        (struct buffer){.name = symbol_format(&s->context->session->symbols, "%s.tile.%zu",
                                              buffer->name->text, s->out->buffers.count),
                        .span = buffer->span,
                        .scalar = buffer->scalar,
                        .interval = buffer->interval,
                        .space = SPACE_SHARED,
                        .rank = buffer->rank,
                        .axis = axis,
                        .slot = NO_SLOT});
    return true;
}

/* ---- The copy ---- */

/* Threads share the places of an axis: thread t takes t, t + threads, … of it. */
static void copy_axis(struct staging *s, const char *name, int64_t extent,
                      const struct statement *thread, const struct expr **place,
                      const struct expr **condition, const struct expr **part, int64_t *parts)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const int64_t threads = thread ? thread->as.loop.extent->as.integer : 1;
    *parts = (extent + threads - 1) / threads;
    const struct interval interval = {0, *parts - 1};
    *part = expr_variable(pool, VARIABLE_INDEX,
                          symbol_format(&context->session->symbols, "%s.part", name), SCALAR_I32,
                          interval);
    *place = expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, threads), *part);
    if (thread)
        *place = region_sum(pool, *place, thread->as.loop.variable, 1);
    if (*parts * threads != extent) {
        const struct expr *within =
            expr_binary(pool, EXPR_LESS, *place, expr_integer(pool, extent));
        *condition = *condition ? expr_binary(pool, EXPR_AND, *condition, within) : within;
    }
}

static const struct statement *copy_tile(struct staging *s, uint32_t buffer_index, struct span span)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const struct footprint *f = &s->footprint[buffer_index];
    const struct buffer *buffer = &s->in->buffers.item[buffer_index];
    const struct expr **place = ARENA_ARRAY(context->output, const struct expr *, buffer->rank + 1);
    const struct expr *part[GRAPH_MAX_RANK], *source[GRAPH_MAX_RANK], *condition = NULL;
    struct border border[GRAPH_MAX_RANK];
    int64_t parts[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < buffer->rank; k++) {
        /* The fastest axis over the innermost thread loop, the next one over the one around it. */
        const unsigned from_end = buffer->rank - 1 - k;
        const struct statement *thread =
            from_end < s->threads.count ? s->threads.item[s->threads.count - 1 - from_end] : NULL;
        copy_axis(s, buffer->axis[k].name->text, f->greatest[k] - f->least[k] + 1, thread,
                  &place[k], &condition, &part[k], &parts[k]);
        source[k] =
            region_sum(pool, affine_build(pool, &f->base[k]), expr_integer(pool, f->least[k]), 1);
        source[k] = region_sum(pool, source[k], place[k], 1);
        border[k] = f->border[k];
        if (border[k].rule == BORDER_NONE) /* blocks at the end of the image reach beyond it */
            border[k] =
                (struct border){BORDER_CLAMP, NULL, buffer->axis[k].first, buffer->axis[k].extent};
    }
    const struct statement *body =
        STATEMENT_NEW(context->output, span, .kind = STATEMENT_STORE,
                      .as.store = {f->tile, buffer->rank, place,
                                   expr_load(pool, buffer_index, buffer->scalar, buffer->interval,
                                             buffer->rank, source, border)});
    if (condition)
        body = STATEMENT_NEW(context->output, span, .kind = STATEMENT_IF,
                             .as.branch = {condition, body, NULL});
    for (unsigned k = buffer->rank; k-- > 0;)
        body = STATEMENT_NEW(context->output, span, .kind = STATEMENT_LOOP,
                             .as.loop = {part[k], expr_integer(pool, 0),
                                         expr_integer(pool, parts[k]), LEVEL_SERIAL, body});
    return body;
}

/* Reads of a copied buffer become reads of its tile. */
static const struct expr *read_tile(const struct expr *node, void *user)
{
    struct staging *s = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const struct footprint *f = &s->footprint[node->as.load.source];
    if (!f->possible)
        return node;
    struct expr_pool *pool = s->context->pool;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++) {
        struct affine origin = f->base[k];
        origin.constant = f->least[k];
        index[k] = region_sum(pool, node->operand[k], affine_build(pool, &origin), -1);
    }
    return expr_load(pool, f->tile.index, node->scalar, node->interval, node->count, index, NULL);
}

/* ---- The kernel ---- */

static const struct statement *stage_threads(struct staging *s, const struct statement *outer)
{
    struct pass_context *context = s->context;
    const struct statement *body = outer;
    for (; is_block(body); body = body->as.loop.body) {
        VECTOR_PUSH(context->scratch, &s->threads, body);
        VECTOR_PUSH(
            context->scratch, &s->bounds,
            (struct span_bound){body->as.loop.variable, body->as.loop.first, body->as.loop.extent});
    }
    note_statement(body, s);
    VECTOR(const struct statement *) allocations = {0}, inside = {0};
    for (uint32_t i = 0; i < s->in->buffers.count; i++) {
        s->footprint[i].possible = make_tile(s, i);
        if (!s->footprint[i].possible)
            continue;
        VECTOR_PUSH(context->scratch, &allocations,
                    STATEMENT_NEW(context->output, outer->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {s->footprint[i].tile}));
        VECTOR_PUSH(context->scratch, &inside, copy_tile(s, i, outer->span));
    }
    if (allocations.count == 0)
        return outer;
    VECTOR_PUSH(context->scratch, &inside,
                STATEMENT_NEW(context->output, outer->span, .kind = STATEMENT_BARRIER));
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = read_tile, .context = s, .scratch = context->scratch};
    VECTOR_PUSH(context->scratch, &inside, statement_rewrite(context->output, body, &rewriter));
    const struct statement *threads =
        statement_block(context->output, outer->span, inside.count, inside.item);
    for (size_t t = s->threads.count; t-- > 0;) {
        struct statement loop = *s->threads.item[t];
        loop.as.loop.body = threads;
        threads = statement_new(context->output, loop);
    }
    VECTOR_PUSH(context->scratch, &allocations, threads);
    return statement_block(context->output, outer->span, allocations.count, allocations.item);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct staging *outer = user;
    if (statement->kind == STATEMENT_KERNEL && !statement->as.kernel.staged)
        return statement;
    if (!is_block(statement))
        return statement_rebuild(outer->context->output, statement, visit, outer);
    struct staging s = {.context = outer->context,
                        .in = outer->in,
                        .out = outer->out,
                        .footprint = ARENA_ARRAY(outer->context->scratch, struct footprint,
                                                 outer->in->buffers.count + 1)};
    return stage_threads(&s, statement);
}

const struct program *stage_tiles(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct staging s = {.context = context, .in = in, .out = out};
    out->body = visit(in->body, &s);
    return out;
}
