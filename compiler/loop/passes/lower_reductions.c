/* lower_reductions: loop → loop. Turns a reduction into loops that update an accumulator in a
 * register.
 *   before: out[x] = sum[d in -1 .. 1](in[x + d])
 *   after:  allocate sum;  sum = -0.0;  loop d -1 .. 1 { sum = sum + in[x + d] }  out[x] = sum
 * Short loops are marked to be unrolled, unless they are nested and would be long together. Short
 * sums of integers are expanded in place: in[x - 1] + in[x] + in[x + 1]. Afterwards no expression
 * contains a reduction. */
#include "loop_pass.h"
#include "analysis/reductions.h"
#include "loop/loop_split.h"
#include "loop/lower/lower_median.h"
#include "loop/lower/lower_runs.h"

struct reducing {
    struct pass_context *context;
    struct program *out;
    unsigned *count;                         /* accumulators so far */
    VECTOR(const struct statement *) before; /* what the statement at hand needs done first */
    struct span span;
    const struct expr *loop; /* the coordinate of the innermost loop over samples; or NULL */
    int64_t copies;          /* that unrolling makes of the statement at hand */
    /* reductions that the block at hand has made → their results; or NULL */
    struct hash_map *known;
};

static const struct statement *visit(const struct statement *statement, void *user);

static const struct statement *store(struct reducing *r, buffer_id buffer, const struct expr *value)
{
    return STATEMENT_NEW(r->context->output, r->span, .kind = STATEMENT_STORE,
                         .as.store = {buffer, 0, NULL, value});
}

/* The node that the front end uses for a reduction's variable. */
static const struct expr *range_variable(struct reducing *r, const struct expr *reduce, unsigned k)
{
    return reduction_variable(r->context->pool, r->context->scratch, reduce, k);
}

/* The same of a median, whose terms are collected. */
static const struct expr *lower_one_median(struct reducing *r, const struct expr *reduce)
{
    struct expr_pool *pool = r->context->pool;
    struct span_bound bound[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < reduce->as.reduce.rank; k++)
        bound[k] = reduction_bounds(pool, reduce, k, range_variable(r, reduce, k));
    const struct median median = {
        .context = r->context,
        .out = r->out,
        .reduce = reduce,
        .name = symbol_format(&r->context->session->symbols, "median.%u", ++*r->count),
        .span = r->span,
        .condition = reduction_condition(pool, reduce),
        .bound = bound};
    size_t count;
    const struct statement **before;
    const struct expr *result = lower_median(&median, &count, &before);
    struct reducing inner = {.context = r->context,
                             .out = r->out,
                             .count = r->count,
                             .span = r->span,
                             .copies = r->copies};
    for (size_t i = 0; i < count; i++) {
        const struct statement *visited = visit(before[i], &inner);
        VECTOR_PUSH(r->context->scratch, &r->before, visited);
    }
    return result;
}

/* Whether terms are dealt to several accumulators: the order requires it, or vectors pay. */
static bool goes_to_lanes(const struct reducing *r, const struct expr *reduce, bool along_rows)
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    return shape->order != ORDER_INDEX ||
           (shape->counted && along_rows && r->context->target->has_vectors &&
            !expr_reduction_is_ordered(shape->operation, reduce->scalar));
}

/* NULL: one accumulator is right. */
static const struct expr *lower_one_in_lanes(struct reducing *r, const struct expr *reduce)
{
    const struct expr *variable[GRAPH_MAX_RANK];
    const unsigned rank = reduce->as.reduce.rank;
    for (unsigned k = 0; k < rank; k++)
        variable[k] = range_variable(r, reduce, k);
    const bool along_rows =
        !(reduce->operand[0]->holds & HOLDS_REDUCE) &&
        reduction_is_along_rows(r->context->scratch, reduce, variable[rank - 1], r->loop);
    if (!goes_to_lanes(r, reduce, along_rows))
        return NULL;
    const struct run_lowering runs = {
        .context = r->context,
        .out = r->out,
        .reduce = reduce,
        .name = symbol_format(&r->context->session->symbols, "%s.%u",
                              reduction_text[reduce->as.reduce.operation], ++*r->count),
        .span = r->span,
        .variable = variable,
        .condition = expr_reduce_condition(reduce),
        .in_vectors = along_rows && r->context->target->has_vectors};
    struct statement_items before = {0};
    const struct expr *result = lower_runs(&runs, &before);
    struct reducing inner = {.context = r->context,
                             .out = r->out,
                             .count = r->count,
                             .span = r->span,
                             .loop = r->loop,
                             .copies = r->copies};
    for (size_t i = 0; i < before.count; i++) {
        const struct statement *visited = visit(before.item[i], &inner);
        VECTOR_PUSH(r->context->scratch, &r->before, visited);
    }
    return scalar_is_integer(reduce->scalar)
               ? expr_convert(r->context->pool, CONVERT_EXACT, reduce->scalar, result)
               : result;
}

struct within {
    struct expr_pool *pool;
    unsigned count;
    struct affine_bound bound[GRAPH_MAX_RANK];
};

static const struct expr *drop_minimum(const struct expr *node, void *user)
{
    const struct within *w = user;
    if (node->kind != EXPR_MINIMUM || !scalar_is_integer(node->scalar))
        return node;
    const struct affine a = affine_from(node->operand[0]), b = affine_from(node->operand[1]);
    if (affine_is_nonnegative(affine_sum(b, a, -1), w->count, w->bound))
        return node->operand[0];
    return affine_is_nonnegative(affine_sum(a, b, -1), w->count, w->bound) ? node->operand[1]
                                                                           : node;
}

/* The end that a value of the variable is below: that it is not before `first` is known where there
 * is a value. */
static const struct expr *end_of_values(const struct span_bound *bound)
{
    const struct expr *end = bound->end;
    if (end->kind != EXPR_MAXIMUM)
        return end;
    return end->operand[0] == bound->first   ? end->operand[1]
           : end->operand[1] == bound->first ? end->operand[0]
                                             : end;
}

/* Indices held inside by min(), which the loops' ends do already. */
static const struct expr *within_bounds(struct reducing *r, const struct expr *value,
                                        unsigned count, const struct span_bound bound[])
{
    struct expr_pool *pool = r->context->pool;
    struct within w = {.pool = pool, .count = count};
    for (unsigned k = 0; k < count; k++)
        w.bound[k] = (struct affine_bound){
            bound[k].variable, bound[k].first,
            region_sum(pool, end_of_values(&bound[k]), expr_integer(pool, 1), -1)};
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = drop_minimum, .context = &w, .scratch = r->context->scratch};
    return expr_rewrite(&rewriter, value);
}

/* Whether the loops over the terms are written out: they are few, and none may be absent. */
static bool is_unrolled(const struct reducing *r, const struct expr_reduction *shape)
{
    return !shape->counted && expr_reduction_terms(shape) <= MOST_UNROLLED_TERMS / r->copies;
}

/* Whether the terms are integers, few, and side by side: nothing is computed before them. */
static bool is_plain_sum(const struct reducing *r, const struct expr *reduce)
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    return shape->operation == REDUCTION_SUM && scalar_is_integer(reduce->scalar) &&
           !shape->has_condition && !(reduce->operand[0]->holds & HOLDS_REDUCE) &&
           is_unrolled(r, shape);
}

/* The sum and all terms where variables before the k-th are numbers already. */
static const struct expr *add_terms(struct reducing *r, const struct expr *reduce, unsigned k,
                                    const struct expr *term, const struct expr *sum)
{
    struct expr_pool *pool = r->context->pool;
    if (k == reduce->as.reduce.rank)
        return expr_binary(pool, EXPR_ADD, sum, term);
    const struct expr_range *range = &reduce->as.reduce.range[k];
    const struct expr *const variable = range_variable(r, reduce, k);
    for (int64_t i = 0; i < range->extent; i++) {
        const struct expr *const number = expr_integer(pool, range->first + i);
        sum = add_terms(r, reduce, k + 1,
                        expr_substitute(pool, r->context->scratch, term, variable, number), sum);
    }
    return sum;
}

/* Appends the accumulation to what goes before the statement; returns a read of the result. */
static const struct expr *lower_reduce(struct reducing *r, const struct expr *reduce)
{
    struct pass_context *context = r->context;
    struct expr_pool *pool = context->pool;
    const enum reduction operation = reduce->as.reduce.operation;
    if (operation == REDUCTION_MEDIAN)
        return lower_one_median(r, reduce);
    if (is_plain_sum(r, reduce))
        return expr_convert(pool, CONVERT_EXACT, reduce->scalar,
                            add_terms(r, reduce, 0, reduce->operand[0], expr_integer(pool, 0)));
    const struct expr *in_lanes = lower_one_in_lanes(r, reduce);
    if (in_lanes)
        return in_lanes;
    const struct expr *start = expr_reduction_start(pool, reduce);
    const bool counts = scalar_is_integer(reduce->scalar);
    const struct interval interval =
        counts ? interval_hull(reduce->interval, start->interval) : reduce->interval;
    /* The least and greatest of bytes are bytes: 64 of them fit a register. */
    const bool narrow =
        counts && (operation == REDUCTION_MINIMUM || operation == REDUCTION_MAXIMUM);
    const enum scalar scalar = narrow ? scalar_holding(interval) : reduce->scalar;
    const buffer_id id = program_add_buffer(
        context->output, r->out,
        (struct buffer){.name = symbol_format(&context->session->symbols, "%s.%u",
                                              reduction_text[operation], ++*r->count),
                        .span = r->span,
                        .scalar = scalar,
                        .interval = interval,
                        .space = SPACE_REGISTER,
                        .slot = NO_SLOT});
    const struct expr *accumulator = expr_load(pool, id.index, scalar, interval, 0, NULL, NULL);
    const struct expr *next =
        reduction_step(pool, reduce, reduction_condition(pool, reduce), accumulator);
    if (scalar_is_integer(reduce->scalar))
        next = expr_convert(pool, CONVERT_EXACT, scalar, next);

    const int64_t terms = expr_reduction_terms(&reduce->as.reduce);
    const bool unrolled = is_unrolled(r, &reduce->as.reduce);
    struct span_bound bound[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < reduce->as.reduce.rank; k++)
        bound[k] = reduction_bounds(pool, reduce, k, range_variable(r, reduce, k));
    const struct statement *body =
        store(r, id, within_bounds(r, next, reduce->as.reduce.rank, bound));
    for (unsigned k = reduce->as.reduce.rank; k-- > 0;) {
        body = STATEMENT_NEW(context->output, r->span, .kind = STATEMENT_LOOP,
                             .as.loop = {bound[k].variable, bound[k].first,
                                         region_sum(pool, bound[k].end, bound[k].first, -1),
                                         unrolled ? LEVEL_UNROLLED : LEVEL_SERIAL, body});
    }
    struct reducing inner = {.context = context,
                             .out = r->out,
                             .count = r->count,
                             .span = r->span,
                             .loop = r->loop,
                             .copies = unrolled && terms > 1 ? terms * r->copies : r->copies};
    const struct statement *loops = visit(body, &inner);
    VECTOR_PUSH(
        context->scratch, &r->before,
        STATEMENT_NEW(context->output, r->span, .kind = STATEMENT_ALLOCATE, .as.allocate = {id}));
    VECTOR_PUSH(context->scratch, &r->before, store(r, id, start));
    VECTOR_PUSH(context->scratch, &r->before, loops);
    return counts ? expr_convert(pool, CONVERT_EXACT, reduce->scalar, accumulator) : accumulator;
}

/* A reduction's own operands are left to the loops it becomes. */
static bool enters(const struct expr *node, void *user)
{
    (void)user;
    return node->kind != EXPR_REDUCE;
}

static void find_reductions(struct reducing *r, struct expr_rewriter *rewriter,
                            const struct expr *node, struct hash_map *seen)
{
    if (hash_map_find(seen, node))
        return;
    hash_map_put(r->context->scratch, seen, node, (void *)(uintptr_t)node);
    if (node->kind == EXPR_REDUCE) {
        const struct expr *result = r->known ? hash_map_find(r->known, node) : NULL;
        if (!result)
            result = lower_reduce(r, node);
        if (r->known)
            hash_map_put(r->context->scratch, r->known, node, (void *)(uintptr_t)result);
        hash_map_put(r->context->scratch, &rewriter->done, node, (void *)(uintptr_t)result);
        return;
    }
    for (unsigned i = 0; i < node->count; i++)
        find_reductions(r, rewriter, node->operand[i], seen);
}

struct own_expressions {
    struct reducing *r;
    struct expr_rewriter rewriter;
    struct hash_map seen;
};

static const struct expr *lower_expression(const struct expr *node, void *user)
{
    struct own_expressions *own = user;
    find_reductions(own->r, &own->rewriter, node, &own->seen);
    return expr_rewrite(&own->rewriter, node);
}

/* A let must stay in the block it is in: the steps before it are spliced in there, and statements
 * after it that hold the same reductions take their results. */
static const struct statement *visit_block(const struct statement *block, struct reducing *r)
{
    VECTOR(const struct statement *) item = {0};
    struct hash_map known = {0};
    bool changed = false;
    for (size_t i = 0; i < block->as.block.count; i++) {
        const struct statement *old = block->as.block.item[i];
        struct reducing here = *r;
        const bool has_values = old->kind == STATEMENT_LET || old->kind == STATEMENT_STORE;
        if (!has_values)
            memset(&known, 0, sizeof known); /* it may change what they read */
        here.known = has_values ? &known : NULL;
        const struct statement *new = visit(old, &here);
        if (old->kind == STATEMENT_STORE)
            memset(&known, 0, sizeof known);
        changed = changed || new != old;
        if (old->kind == STATEMENT_LET && new->kind == STATEMENT_BLOCK)
            for (size_t k = 0; k < new->as.block.count; k++)
                VECTOR_PUSH(r->context->scratch, &item, new->as.block.item[k]);
        else
            VECTOR_PUSH(r->context->scratch, &item, new);
    }
    return changed ? statement_block(r->context->output, block->span, item.count, item.item)
                   : block;
}

/* The coordinate of the innermost loop over samples inside of the statement. */
static const struct expr *loop_over_samples(struct arena *scratch,
                                            const struct statement *statement,
                                            const struct expr *outer)
{
    return statement->kind == STATEMENT_LOOP && statement->as.loop.level == LEVEL_INDEPENDENT
               ? loop_coordinate(scratch, statement)
               : outer;
}

static const struct statement *visit_other(const struct statement *statement,
                                           const struct reducing *outer)
{
    struct reducing r = {.context = outer->context,
                         .out = outer->out,
                         .count = outer->count,
                         .span = statement->span,
                         .loop = loop_over_samples(outer->context->scratch, statement,
                                                   outer->loop),
                         .copies = outer->copies,
                         .known = outer->known};
    struct own_expressions own = {.r = &r,
                                  .rewriter = {.pool = r.context->pool,
                                               .enters = enters,
                                               .context = &r,
                                               .scratch = r.context->scratch}};
    const struct statement *result =
        statement_rewrite_expressions(r.context->output, statement, lower_expression, &own);
    r.known = NULL;
    result = statement_rebuild(r.context->output, result, visit, &r);
    if (r.before.count == 0)
        return result;
    VECTOR_PUSH(r.context->scratch, &r.before, result);
    const struct statement **item =
        arena_copy(r.context->output, r.before.item, r.before.count * sizeof *r.before.item);
    return STATEMENT_NEW(r.context->output, statement->span, .kind = STATEMENT_BLOCK,
                         .as.block = {item, r.before.count});
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct reducing *outer = user;
    struct arena *scratch = outer->context->scratch;
    if (statement->kind == STATEMENT_BLOCK)
        return visit_block(statement, outer);
    if (statement->kind != STATEMENT_KERNEL)
        return visit_other(statement, outer);
    const struct arena_mark mark = arena_mark(scratch);
    const struct statement *kernel = visit_other(statement, outer);
    arena_release(scratch, mark);
    return kernel;
}

const struct program *lower_reductions(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    unsigned count = 0;
    struct reducing r = {.context = context, .out = out, .count = &count, .copies = 1};
    out->body = visit(in->body, &r);
    return out;
}
