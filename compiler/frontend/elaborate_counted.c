/* Reductions whose ranges depend on extents: their ranges are counted, and where the order of terms
 * matters it is the tree of LANGUAGE.md. Each is a stage of its own, over the axes that its term
 * depends on; inside of another reduction it stands where it is written. */
#include "frontend/elaborator.h"
#include "expr/affine.h"

/* What is reduced: the term itself, what it is compared by, the numbers of those that are the best,
 * or whether there is any. */
enum goal { GOAL_TERM, GOAL_KEY, GOAL_NUMBER, GOAL_ANY };

struct counted {
    struct elaborator *el;
    enum goal goal;
    const struct expr *best; /* of GOAL_NUMBER */
    struct stage_context *outer;
    enum reduction operation;
    struct span span;
    const struct expr *first[GRAPH_MAX_RANK], *extent[GRAPH_MAX_RANK]; /* of the ranges */
    const struct expr *variable[GRAPH_MAX_RANK];                       /* from 0 on */
    struct expr_range range[GRAPH_MAX_RANK];
    bool never;        /* no term is ever present */
    bool can_be_empty; /* a range may have no values */
};

bool has_counted_ranges(struct elaborator *el, struct stage_context *context,
                        const struct ast_list *items)
{
    unsigned held = 0;
    const unsigned named = el->extents_varying; /* though a requirement may make it a constant */
    for (size_t i = 0; i < items->count; i++) {
        const struct expr *first, *extent;
        if (items->item[i]->kind != AST_BINDING ||
            !elaborate_range(el, context, items->item[i]->as.binding.range, &first, &extent))
            return false;
        held |= first->holds | extent->holds;
    }
    return ((held & HOLDS_EXTENT) || el->extents_varying > named) && !(held & HOLDS_INDEX);
}

static const struct expr *integer(const struct counted *c, int64_t value)
{
    return expr_integer(c->el->pool, value);
}

static const struct expr *binary(const struct counted *c, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(c->el->pool, kind, a, b);
}

/* ---- Ranges ---- */

/* An entry check where there may be more terms than a reduction can have. */
static void limit_terms(struct counted *c, unsigned rank)
{
    int64_t most = 1;
    for (unsigned k = 0; k < rank; k++) {
        const int64_t extent = c->extent[k]->interval.greatest;
        most = extent > 0 && most > MOST_COUNTED_TERMS / extent ? MOST_COUNTED_TERMS + 1
                                                                : most * extent;
    }
    if (most <= MOST_COUNTED_TERMS ||
        rank < 3) /* two extents at most 2^31 fit 64 bits; an image tells them */
        return;
    const struct expr *rest = integer(c, MOST_COUNTED_TERMS);
    for (unsigned k = rank; k-- > 2;)
        rest = binary(c, EXPR_DIVIDE, rest, binary(c, EXPR_MAXIMUM, c->extent[k], integer(c, 1)));
    add_entry_check(
        c->el,
        binary(c, EXPR_LESS_EQUAL, binary(c, EXPR_MULTIPLY, c->extent[0], c->extent[1]), rest),
        c->span, "a reduction has more than 2^40 terms");
}

/* Declares the variables, and measures their ranges. */
static bool declare_ranges(struct counted *c, struct stage_context *inner,
                           const struct ast_list *items)
{
    struct elaborator *el = c->el;
    for (size_t i = 0; i < items->count; i++) {
        const struct ast *item = items->item[i];
        const struct expr **extent = &c->extent[i];
        if (!elaborate_range(el, inner, item->as.binding.range, &c->first[i], extent) ||
            !is_name_of_no_axis(el, inner, item))
            return false;
        const struct expr *last =
            sum_normal(el, *extent, integer(c, 1), -1); /* where there is a value */
        if ((*extent)->interval.least < 0)
            *extent = binary(c, EXPR_MAXIMUM, *extent, integer(c, 0));
        if ((*extent)->interval.greatest > INT32_MAX)
            *extent = binary(c, EXPR_MINIMUM, *extent, integer(c, INT32_MAX));
        c->can_be_empty = c->can_be_empty || (*extent)->interval.least < 1;
        const int64_t most = (*extent)->interval.greatest;
        c->range[i] = (struct expr_range){counted_variable(el, inner, item->as.binding.name), 0,
                                          most < 1 ? 1 : most};
        const struct interval interval = {0, c->range[i].extent - 1};
        c->variable[i] = expr_variable(el->pool, VARIABLE_INDEX, c->range[i].variable,
                                       scalar_width(interval), interval);
        VECTOR_PUSH(el->arena, &inner->counted,
                    (struct affine_bound){c->variable[i], integer(c, 0), last});
        struct entity *entity =
            scope_declare(el, inner->scope, item->as.binding.name, item->as.binding.name_span);
        entity->kind = ENTITY_VALUE;
        entity->as.value = operand_from(sum_normal(el, c->first[i], c->variable[i], 1));
    }
    limit_terms(c, (unsigned)items->count);
    return true;
}

/* The number of a term in index order. */
static const struct expr *number_of_term(const struct counted *c, unsigned rank)
{
    const struct expr *number = c->variable[0];
    for (unsigned k = 1; k < rank; k++) /* there are at most 2^40 terms, so of rows */
        number =
            binary(c, EXPR_ADD,
                   binary(c, EXPR_MULTIPLY, binary(c, EXPR_MINIMUM, number, integer(c, UINT32_MAX)),
                          c->extent[k]),
                   c->variable[k]);
    return binary(c, EXPR_MINIMUM, number, integer(c, MOST_COUNTED_TERMS));
}

/* ---- The value ---- */

static struct operand reduce_terms(struct counted *c, struct stage_context *inner,
                                   const struct ast *node)
{
    const struct ast *index = node->as.call.callee;
    const unsigned rank = (unsigned)index->as.index.items->count;
    struct operand term = elaborate_expr(c->el, inner, node->as.call.arguments->item[0]);
    const struct ast *where = index->as.index.where;
    const struct operand condition = where ? elaborate_expr(c->el, inner, where) : operand_error();
    if (!term.expr || (where && !condition.expr))
        return operand_error();
    if (where && condition.expr->scalar != SCALAR_BOOL) {
        REPORT(c->el, E0303, where->span, "'where'", "a truth value",
               operand_type_text(c->el, condition));
        return operand_error();
    }
    const struct expr *present = condition.expr;
    if (c->goal == GOAL_KEY || c->goal == GOAL_NUMBER)
        term = selection_key(c->el, term, c->span);
    if (!term.expr)
        return operand_error();
    if (c->goal == GOAL_NUMBER) {
        const struct expr *is_best = binary(c, EXPR_EQUAL, term.expr, c->best);
        present = present ? binary(c, EXPR_AND, present, is_best) : is_best;
        term = operand_from(number_of_term(c, rank));
    } else if (c->goal == GOAL_ANY) {
        term = operand_from(expr_boolean(c->el->pool, true));
    }
    if (term.present && c->operation == REDUCTION_SUM && scalar_is_float(term.expr->scalar))
        present = present ? binary(c, EXPR_AND, present, term.present) : term.present;
    separate_names(c->el, inner, rank, c->range, &term, &present);
    c->never = present && present->kind == EXPR_INTEGER && present->as.integer == 0;
    const bool can_be_empty = where || c->can_be_empty || c->never;
    const struct expr_reduction shape = {
        .operation = c->operation,
        .order =
            expr_reduction_is_ordered(c->operation, term.expr->scalar) ? ORDER_TREE : ORDER_INDEX,
        .counted = true,
        .rank = rank,
        .range = c->range};
    return operand_reduce_counted(c->el, &shape, c->extent, term, present, can_be_empty, c->span);
}

/* ---- The stage ---- */

/* Keeps the axes that occur in the value. All reads stay: those of the stage around tell its box
 * too. */
static void keep_used(struct counted *c, struct stage_context *inner, const struct expr *value)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < inner->axis_count; i++)
        if (expr_contains(c->el->session->scratch, value, inner->axis[i].variable))
            inner->axis[kept++] = inner->axis[i];
    inner->axis_count = kept;
    kept = 0;
    for (unsigned i = 0; i < inner->mapped_count; i++)
        if (expr_contains(c->el->session->scratch, value, inner->mapped[i].variable))
            inner->mapped[kept++] = inner->mapped[i];
    inner->mapped_count = kept;
}

/* The stage around reads the sample at its own place, and along the axes that the filter is mapped
 * over, which it has from now on. */
static struct operand read_result(struct counted *c, stage_id id)
{
    const struct stage *stage = graph_stage(c->el->graph, id);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        if (!(index[k] = mapped_variable(c->el, c->outer, &stage->axis[k])))
            return operand_error();
    const struct expr *load =
        expr_load(c->el->pool, id.index, stage->element, stage->interval, stage->rank, index, NULL);
    VECTOR_PUSH(c->el->arena, &c->outer->reads,
                (struct pending_read){.load = load, .span = c->span, .image = stage->name});
    return operand_of_stage(c->el, stage, load);
}

static struct operand make_stage(struct counted *c, struct stage_context *inner,
                                 struct operand value)
{
    keep_used(c, inner, value.expr);
    memset(&inner->bindings, 0, sizeof inner->bindings);
    const struct image_view view = elaborate_finish(
        c->el, inner, value, (struct element_type){.scalar = SCALAR_COUNT}, c->span);
    return view.valid ? read_result(c, view.stage) : operand_error();
}

struct variable_search {
    const struct elaborator *el;
    bool found;
};

static void search_variable(const struct expr *node, void *user)
{
    struct variable_search *search = user;
    for (size_t i = 0; node->kind == EXPR_VARIABLE && i < search->el->reducing.count; i++)
        search->found = search->found || (node->as.variable.kind == VARIABLE_INDEX &&
                                          node->as.variable.name == search->el->reducing.item[i]);
}

/* Whether the value is another one for each term of a reduction around. */
static bool depends_on_term(const struct elaborator *el, const struct expr *value)
{
    struct variable_search search = {el, false};
    expr_nodes(el->session->scratch, value, search_variable, &search);
    return search.found;
}

/* A copy whose lists grow by themselves. */
static struct stage_context open_inside(struct counted *c, const struct stage_context *context,
                                        struct span span)
{
    struct stage_context inner = *context;
    inner.scope = scope_open(c->el, context->scope);
    inner.name = symbol_format(&c->el->session->symbols, "%s.%s", context->name->text,
                               reduction_text[c->operation]);
    inner.span = span;
    inner.reads.capacity = inner.reads.count;
    inner.bindings.capacity = inner.bindings.count;
    inner.counted.capacity = inner.counted.count;
    return inner;
}

/* The value stands in that of the stage around. */
static void keep_inside(const struct stage_context *inner, struct stage_context *context)
{
    struct stage_context kept = *inner;
    kept.scope = context->scope;
    kept.name = context->name;
    kept.span = context->span;
    *context = kept;
}

static struct operand reduce(struct counted *c, struct stage_context *context,
                             const struct ast *node)
{
    const struct ast_list *items = node->as.call.callee->as.index.items;
    struct elaborator *el = c->el;
    struct stage_context inner = open_inside(c, context, node->span);
    const size_t enclosing = el->reducing.count;
    struct operand value = operand_error();
    if (declare_ranges(c, &inner, items)) {
        for (size_t k = 0; k < items->count; k++)
            VECTOR_PUSH(el->arena, &el->reducing, c->range[k].variable);
        value = reduce_terms(c, &inner, node);
    }
    el->reducing.count = enclosing;
    if (!value.expr)
        return value;
    if (!depends_on_term(el, value.expr))
        return make_stage(c, &inner, value);
    keep_inside(&inner, context);
    return value;
}

/* Whether no range is empty. */
static const struct expr *has_terms(const struct counted *c, unsigned rank)
{
    const struct expr *found = expr_boolean(c->el->pool, true);
    for (unsigned k = 0; k < rank; k++)
        found = binary(c, EXPR_AND, found, binary(c, EXPR_LESS, integer(c, 0), c->extent[k]));
    return found;
}

/* argmin and argmax: the best term, then the least number of those that are equal to it. */
static struct operand select_place(struct elaborator *el, struct stage_context *context,
                                   const struct ast *node, const struct selection *s)
{
    const bool least = s->operation == REDUCTION_ARGMIN;
    const struct ast *index = node->as.call.callee;
    struct counted best = {.el = el,
                           .outer = context,
                           .goal = GOAL_KEY,
                           .operation = least ? REDUCTION_MINIMUM : REDUCTION_MAXIMUM,
                           .span = s->span};
    const struct operand key = reduce(&best, context, node);
    if (!key.expr ||
        !check_selection(el, s, index->as.index.where || best.never || best.can_be_empty))
        return operand_error();
    struct counted numbers = {.el = el,
                              .outer = context,
                              .goal = GOAL_NUMBER,
                              .best = key.expr,
                              .operation = REDUCTION_MINIMUM,
                              .span = s->span};
    const struct operand number = reduce(&numbers, context, node);
    if (!number.expr)
        return number;
    const struct operand place = selection_place(el, (unsigned)index->as.index.items->count,
                                                 numbers.first, numbers.extent, number.expr);
    if (!s->other)
        return place;
    if (!index->as.index.where)
        return selection_or(el, context, s, place,
                            has_terms(&numbers, (unsigned)index->as.index.items->count));
    struct counted any = {
        .el = el, .outer = context, .goal = GOAL_ANY, .operation = REDUCTION_ANY, .span = s->span};
    const struct operand found = reduce(&any, context, node);
    return found.expr ? selection_or(el, context, s, place, found.expr) : found;
}

struct operand elaborate_counted(struct elaborator *el, struct stage_context *context,
                                 const struct ast *node, enum reduction operation,
                                 const struct ast *other)
{
    struct counted c = {.el = el, .outer = context, .operation = operation, .span = node->span};
    if (operation == REDUCTION_MEDIAN) {
        report_not_yet(el, node->span, "a median over a range that an extent bounds");
        return operand_error();
    }
    if (context->scalar_only) {
        report_not_yet(el, node->span,
                       "a reduction over a range that is not constant, in a range or a bound,");
        return operand_error();
    }
    if (is_selection(operation) && el->reducing.count) {
        report_not_yet(
            el, node->span,
            "argmin or argmax over a range that is not constant, inside another reduction,");
        return operand_error();
    }
    const struct selection s = {.operation = operation, .span = node->span, .other = other};
    return is_selection(operation) ? select_place(el, context, node, &s)
                                   : reduce(&c, context, node);
}
