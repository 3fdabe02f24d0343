/* split_edge_regions: loop → loop. Splits the loop over the fastest axis that has border rules into
 * two: the interior, where all its reads stay inside, and the edges at both ends. The loop of a
 * recurrence is split into three, in order.
 *   before: loop x 0 .. n { out[x] = in[x - 1 clamp] + in[x + 1 clamp] }
 *   after:  loop x 1 .. n-1 { out[x] = in[x - 1] + in[x + 1] }
 *           loop e 0 .. 2 { let x' = e < 1 ? e : e + n - 2;  out[x'] = in[x' - 1 clamp] + … }
 * The interior may depend on extents of other images: k.x / 2 on either side.
 * Rules of slower axes stay: their index arithmetic is the same along a row and is hoisted out of
 * it. If the loop computes a recurrence only at some places, the interior is restricted to them:
 *   before: loop x 0 .. n serial { if (a <= x && x < b) { s[x] = s[x - 1 zero] + in[x] } }
 *   after:  …  loop x max(1, a) .. min(n, b) serial { s[x] = s[x - 1] + in[x] }  …
 * Needs cores: on a grid, a thread computes one sample, and tiles apply the rules when they are
 * filled. A loop that runs several iterations at a time is not split; it gets a branch inside.
 * Afterwards reads of the interior carry no rule on that axis, unless their index is a gather. */
#include "loop_pass.h"
#include "analysis/reads.h"
#include "loop/loop_split.h"
#include "loop/rewrite.h"

struct splitting {
    struct pass_context *context;
    unsigned depth; /* loops around */
};

/* ---- Where a loop is split ---- */

struct split_search {
    struct splitting *splitting;
    struct hash_map outside; /* reads that a rule makes outside alone: in its value */
    const struct expr *variable;
    bool found;                    /* a rule on an index of the variable that has an interior */
    const struct expr *low, *high; /* the interior: low … high - 1, before clipping */
    VECTOR(struct span_bound) inner;
    struct hash_map own; /* names that the loop gives to values */
    bool groups;         /* several iterations run at a time */
    bool has_rules;      /* a load of the value at hand */
};

/* Whether it is not known before the loop; of a loop of groups names given to values outside are.
 * Of quotients and products those of extents and parameters are: k.x / 2. */
static bool depends_on_local(const struct split_search *search, const struct affine *form)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct expr *atom = form->term[i].atom;
        if (atom->kind != EXPR_VARIABLE
                ? (atom->holds & ~(unsigned)(HOLDS_EXTENT | HOLDS_PARAMETER)) != 0
                : atom->as.variable.kind == VARIABLE_LOCAL &&
                      (!search->groups || hash_map_find(&search->own, atom)))
            return true;
    }
    return false;
}

/* The coordinates for which floor((p v + rest) / q) is in first … first + extent - 1. */
static bool interior_of_index(struct split_search *search, const struct expr *index,
                              const struct border *border, unsigned count,
                              const struct span_bound bound[], const struct expr **low,
                              const struct expr **high)
{
    struct expr_pool *pool = search->splitting->context->pool;
    const struct scaled_index scaled = affine_index(index);
    const int64_t p = affine_coefficient(&scaled.numerator, search->variable);
    const struct affine rest = affine_without(scaled.numerator, search->variable);
    if (p == 0 || !scaled.numerator.exact || !rest.exact || depends_on_local(search, &rest))
        return false;
    const struct expr *least, *end;
    if (!region_of_index(pool, affine_build(pool, &rest), count, bound, &least, &end))
        return false;
    const struct expr *one = expr_integer(pool, 1);
    const struct expr *q = expr_integer(pool, scaled.denominator);
    const struct expr *box_first = expr_binary(pool, EXPR_MULTIPLY, q, border->first);
    const struct expr *box_end =
        expr_binary(pool, EXPR_MULTIPLY, q, region_sum(pool, border->first, border->extent, 1));
    const struct expr *greatest = region_sum(pool, end, one, -1);
    /* p v + rest >= box_first  and  p v + rest <= box_end - 1 */
    const struct expr *from = region_sum(pool, box_first, least, -1);
    const struct expr *to = region_sum(pool, region_sum(pool, box_end, one, -1), greatest, -1);
    if (p > 0) {
        *low = region_floor_divide(pool, region_sum(pool, from, expr_integer(pool, p - 1), 1), p);
        *high = region_sum(pool, region_floor_divide(pool, to, p), one, 1);
    } else {
        const struct expr *zero = expr_integer(pool, 0);
        const struct expr *minus_to = region_sum(pool, zero, to, -1);
        const struct expr *minus_from = region_sum(pool, zero, from, -1);
        *low = region_floor_divide(pool, region_sum(pool, minus_to, expr_integer(pool, -p - 1), 1),
                                   -p);
        *high = region_sum(pool, region_floor_divide(pool, minus_from, -p), one, 1);
    }
    return true;
}

static void search_load(const struct expr *load, unsigned count, const struct span_bound bound[],
                        void *user)
{
    struct split_search *search = user;
    struct expr_pool *pool = search->splitting->context->pool;
    if (hash_map_find(&search->outside, load))
        return;
    for (unsigned k = 0; load->as.load.border && k < load->count; k++) {
        const struct border *border = &load->as.load.border[k];
        const struct expr *low, *high;
        if (border->rule == BORDER_NONE || border->rule == BORDER_EXTEND ||
            !interior_of_index(search, load->operand[k], border, count, bound, &low, &high))
            continue;
        search->low = search->found ? region_maximum(pool, search->low, low) : low;
        search->high = search->found ? region_minimum(pool, search->high, high) : high;
        search->found = true;
    }
}

static void note_outside(const struct expr *node, void *user)
{
    struct split_search *search = user;
    if (node->kind == EXPR_LOAD)
        hash_map_put(search->splitting->context->scratch, &search->outside, node,
                     (void *)(uintptr_t)node);
}

static void note_border_values(const struct expr *node, void *user)
{
    struct split_search *search = user;
    search->has_rules = search->has_rules || (node->kind == EXPR_LOAD && node->as.load.border);
    struct expr_walk walk = {.scratch = search->splitting->context->scratch};
    for (unsigned k = 0; node->kind == EXPR_LOAD && node->as.load.border && k < node->count; k++)
        if (node->as.load.border[k].value)
            expr_visit(&walk, node->as.load.border[k].value, note_outside, search);
}

static void search_expression(const struct expr *node, void *user)
{
    struct split_search *search = user;
    search->has_rules = false;
    expr_nodes(search->splitting->context->scratch, node, note_border_values, search);
    if (search->has_rules)
        reads_visit(search->splitting->context->pool, search->splitting->context->scratch, node,
                (unsigned)search->inner.count, search->inner.item, search_load, search);
}

static void search_statement(const struct statement *statement, void *user)
{
    struct split_search *search = user;
    struct expr_pool *pool = search->splitting->context->pool;
    statement_expressions(statement, search_expression, search);
    if (statement->kind == STATEMENT_LOOP)
        VECTOR_PUSH(search->splitting->context->scratch, &search->inner,
                    (struct span_bound){
                        statement->as.loop.variable, statement->as.loop.first,
                        region_sum(pool, statement->as.loop.first, statement->as.loop.extent, 1)});
    statement_children(statement, search_statement, search);
    if (statement->kind == STATEMENT_LOOP)
        search->inner.count--;
}

/* ---- What is done at some places alone ---- */

static void note_own(const struct statement *statement, void *user)
{
    struct split_search *search = user;
    if (statement->kind == STATEMENT_LET)
        hash_map_put(search->splitting->context->scratch, &search->own, statement->as.let.variable,
                     (void *)(uintptr_t)statement);
    statement_children(statement, note_own, search);
}

static bool is_outside(struct split_search *search, const struct expr *node)
{
    bool outside =
        node->kind != EXPR_LOAD && node != search->variable && !hash_map_find(&search->own, node);
    for (unsigned i = 0; i < node->count && outside; i++)
        outside = is_outside(search, node->operand[i]);
    return outside;
}

/* The places where a condition holds become those of the interior; false: they are not known before
 * the loop. */
static bool narrow_to(struct split_search *search, const struct expr *condition)
{
    struct expr_pool *pool = search->splitting->context->pool;
    if (condition->kind == EXPR_AND)
        return narrow_to(search, condition->operand[0]) && narrow_to(search, condition->operand[1]);
    const bool strict = condition->kind == EXPR_LESS;
    if ((!strict && condition->kind != EXPR_LESS_EQUAL) ||
        !scalar_is_integer(condition->operand[0]->scalar))
        return false;
    const struct expr *a = condition->operand[0], *b = condition->operand[1];
    const struct expr *const one = expr_integer(pool, 1);
    if (a == search->variable && is_outside(search, b)) {
        const struct expr *end = strict ? b : region_sum(pool, b, one, 1);
        search->high = search->high ? region_minimum(pool, search->high, end) : end;
        return true;
    }
    if (b == search->variable && is_outside(search, a)) {
        const struct expr *first = strict ? region_sum(pool, a, one, 1) : a;
        search->low = search->low ? region_maximum(pool, search->low, first) : first;
        return true;
    }
    return false;
}

static bool has_rules(const struct split_search *search, const struct statement *statement)
{
    struct split_search own = {
        .splitting = search->splitting, .variable = search->variable, .groups = search->groups};
    search_statement(statement, &own);
    return own.found;
}

/* The items of a loop's body with such rules stand under no such conditions in the interior. Others
 * keep theirs: they may hold at few places. */
static const struct statement *without_conditions(struct split_search *search,
                                                  const struct statement *body)
{
    struct pass_context *context = search->splitting->context;
    if (body->kind != STATEMENT_BLOCK) {
        struct split_search narrower = *search;
        if (body->kind != STATEMENT_IF || body->as.branch.otherwise || !has_rules(search, body) ||
            !narrow_to(&narrower, body->as.branch.condition))
            return body;
        search->low = narrower.low;
        search->high = narrower.high;
        return body->as.branch.then;
    }
    const struct statement **item =
        ARENA_ARRAY(context->output, const struct statement *, body->as.block.count + 1);
    for (size_t i = 0; i < body->as.block.count; i++)
        item[i] = body->as.block.item[i]->kind == STATEMENT_IF
                      ? without_conditions(search, body->as.block.item[i])
                      : body->as.block.item[i];
    return statement_block(context->output, body->span, body->as.block.count, item);
}

/* ---- The two loops ---- */

struct dropping {
    struct expr_pool *pool;
    const struct expr *variable;
    const struct split_search *search;
    const struct expr_rewriter *rewriter;
};

/* In the interior: the rules that the split was made for are gone. */
static const struct expr *drop_rules(const struct expr *node, void *user)
{
    const struct dropping *d = user;
    if (node->kind != EXPR_LOAD || !node->as.load.border ||
        hash_map_find(&d->search->outside, d->rewriter->original))
        return node;
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++) {
        const struct scaled_index scaled = affine_index(node->operand[k]);
        const struct affine rest = affine_without(scaled.numerator, d->variable);
        border[k] = node->as.load.border[k];
        if (border[k].rule != BORDER_EXTEND && scaled.numerator.exact &&
            affine_coefficient(&scaled.numerator, d->variable) != 0 &&
            !depends_on_local(d->search, &rest))
            border[k] = (struct border){0};
    }
    return expr_load(d->pool, node->as.load.source, node->scalar, node->interval, node->count,
                     node->operand, border);
}

static const struct statement *without_rules(struct pass_context *context,
                                             const struct statement *body,
                                             const struct expr *variable,
                                             const struct split_search *search)
{
    struct dropping d = {context->pool, variable, search, NULL};
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = drop_rules, .context = &d, .scratch = context->scratch};
    d.rewriter = &rewriter;
    return statement_rewrite(context->output, body, &rewriter);
}

/* A loop whose iterations have an order: before the interior, in it, after it. */
static const struct statement *split_in_order(struct pass_context *context,
                                              const struct statement *loop,
                                              const struct statement *interior,
                                              const struct expr *before, const struct expr *high,
                                              const struct expr *after)
{
    struct statement part[3] = {*loop, *interior, *loop};
    part[0].as.loop.extent = before;
    part[2].as.loop.first = high;
    part[2].as.loop.extent = after;
    const struct statement *item[3];
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        const struct statement *next = &part[loop->as.loop.reversed ? 2 - i : i];
        if (next->as.loop.extent->interval.greatest > 0)
            item[count++] = statement_new(context->output, *next);
    }
    return statement_block(context->output, loop->span, count, item);
}

static const struct statement *split_loop(struct splitting *s, const struct statement *loop,
                                          struct split_search *search)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const struct statement *body = loop->as.loop.body;
    if (loop->as.loop.level == LEVEL_SERIAL)
        body = without_conditions(search, body);
    const struct expr *variable = loop->as.loop.variable, *first = loop->as.loop.first;
    const struct expr *end = region_sum(pool, first, loop->as.loop.extent, 1);
    const struct expr *low = region_minimum(pool, region_maximum(pool, search->low, first), end);
    const struct expr *high = region_maximum(pool, region_minimum(pool, search->high, end), low);
    const struct expr *inside = region_sum(pool, high, low, -1);
    const struct expr *before = region_sum(pool, low, first, -1);
    const struct expr *after = region_sum(pool, end, high, -1);

    struct statement interior = *loop;
    interior.as.loop.first = low;
    interior.as.loop.extent = inside;
    interior.as.loop.body = without_rules(context, body, variable, search);
    if (loop->as.loop.level == LEVEL_SERIAL)
        return split_in_order(context, loop, &interior, before, high, after);

    if (loop->as.loop.by) {
        const struct expr *at_least = expr_binary(pool, EXPR_LESS_EQUAL, low, variable);
        const struct expr *inside_both =
            expr_binary(pool, EXPR_AND, at_least, expr_binary(pool, EXPR_LESS, variable, high));
        struct statement groups = *loop;
        groups.as.loop.body =
            STATEMENT_NEW(context->output, loop->span, .kind = STATEMENT_IF,
                          .as.branch = {inside_both, interior.as.loop.body, loop->as.loop.body});
        return statement_new(context->output, groups);
    }
    const struct statement *inner = statement_new(context->output, interior);
    return loop_with_rest(context, loop, low, high, inner, "near_border");
}

struct nest_shape {
    unsigned loops, rank; /* inside; of what is stored */
};

static void note_shape(const struct statement *statement, void *user)
{
    struct nest_shape *shape = user;
    shape->loops += statement->kind == STATEMENT_LOOP;
    if (statement->kind == STATEMENT_STORE)
        shape->rank = statement->as.store.rank;
    statement_children(statement, note_shape, shape);
}

/* Whether it is the slowest of two axes or more, whose rules are hoisted anyway. */
static bool is_slowest(const struct statement *loop)
{
    struct nest_shape shape = {0, 0};
    note_shape(loop->as.loop.body, &shape);
    return shape.rank > 1 && shape.loops + 1 >= shape.rank;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct splitting *s = user;
    const bool is_loop = statement->kind == STATEMENT_LOOP;
    if (statement->kind == STATEMENT_KERNEL) {
        struct splitting inside = {s->context, 0};
        return statement_rebuild(s->context->output, statement, visit, &inside);
    }
    s->depth += is_loop;
    const struct statement *result = statement_rebuild(s->context->output, statement, visit, s);
    s->depth -= is_loop;
    /* One split, along the fastest axis, is enough; the outermost loop stays one, for threads. That
     * of a recurrence is split too: the reads of its own first samples are a choice otherwise. A
     * loop that is to be written out has an extent that is a number. */
    const bool serial = is_loop && statement->as.loop.level == LEVEL_SERIAL;
    if (!is_loop || statement->as.loop.level == LEVEL_UNROLLED ||
        statement->as.loop.level == LEVEL_THREADS || statement->as.loop.level == LEVEL_WAVEFRONT ||
        (!serial && !statement->as.loop.by &&
         (result != statement || s->depth == 0 || is_slowest(statement))))
        return result;
    struct split_search search = {.splitting = s,
                                  .variable = statement->as.loop.variable,
                                  .groups = statement->as.loop.by > 0};
    note_own(result->as.loop.body, &search);
    search_statement(result->as.loop.body, &search);
    return search.found ? split_loop(s, result, &search) : result;
}

const struct program *split_edge_regions(const struct program *in, struct pass_context *context)
{
    struct splitting s = {context, 0};
    struct program *out = program_copy(context->output, in);
    out->body = visit(in->body, &s);
    return out;
}
