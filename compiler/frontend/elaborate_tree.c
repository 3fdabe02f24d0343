/* Reductions whose ranges depend on extents or parameters, as explicit stages of the graph: the tree of
 * language.md. The terms of the reduced box are numbered in index order; term t belongs to run
 * t / 4096, where it goes to accumulator t % 16:
 *   lanes[run, lane]  = op[j in 0 ..< 256 where t < terms](term of t = 4096 run + 16 j + lane)
 *   runs_0[run]       = (lane 0 + lane 1) + (lane 2 + lane 3) …, level by level
 *   runs_k[run]       = runs_k-1[2 run] + runs_k-1[2 run + 1], an odd last one moving up
 * down to one. Where the order of terms does not matter, rows of the reduced box are reduced first. */
#include "frontend/elaborator.h"
#include "expr/affine.h"

enum { RUN_TERMS = 4096, LANES = 16, STEPS = RUN_TERMS / LANES };

/* What is reduced: the term itself, what it is compared by, the numbers of those that are the best, or
 * whether there is any. */
enum tree_goal { GOAL_TERM, GOAL_KEY, GOAL_NUMBER, GOAL_ANY };

struct tree {
    struct elaborator *el;
    enum tree_goal goal;
    const struct expr *best; /* of GOAL_NUMBER */
    struct stage_context *outer;
    enum reduction operation; /* of the steps; partial results are joined by `join` */
    struct span span;
    const struct expr *first[GRAPH_MAX_RANK], *extent[GRAPH_MAX_RANK]; /* of the ranges */
    const struct expr *terms;                                          /* how many; at least 0 */
    int64_t most_terms;
    bool never;                           /* no term is ever present */
    bool can_be_empty;                    /* a range may have no values */
    const struct expr *run, *lane, *step; /* coordinates; the variable of the inner reduction */
};

bool needs_tree(struct elaborator *el, struct stage_context *context, const struct ast_list *items)
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

static const struct expr *integer(const struct tree *t, int64_t value)
{
    return expr_integer(t->el->pool, value);
}

static const struct expr *binary(const struct tree *t, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(t->el->pool, kind, a, b);
}

static const struct expr *coordinate(struct tree *t, const char *name, int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(
        t->el->pool, VARIABLE_INDEX,
        symbol_format(&t->el->session->symbols, "%s.%s", reduction_text[t->operation], name),
        scalar_lane(interval), interval);
}

/* ---- Terms ---- */

static void multiply_terms(struct tree *t, const struct expr *extent)
{
    const int64_t most_samples = (int64_t)1 << 40, greatest = extent->interval.greatest;
    t->most_terms =
        greatest > most_samples / t->most_terms ? most_samples : t->most_terms * greatest;
    t->most_terms = t->most_terms < 1 ? 1 : t->most_terms;
    /* An image has at most 2^40 samples, so the product is cut there. */
    t->terms = binary(t, EXPR_MINIMUM, binary(t, EXPR_MULTIPLY, t->terms, extent),
                      integer(t, most_samples));
}

/* Extents of the ranges and their product. */
static bool measure_terms(struct tree *t, struct stage_context *inner, const struct ast_list *items)
{
    const struct expr **first = t->first, **extent = t->extent;
    t->terms = integer(t, 1);
    t->most_terms = 1;
    for (size_t i = 0; i < items->count; i++) {
        if (!elaborate_range(t->el, inner, items->item[i]->as.binding.range, &first[i], &extent[i]))
            return false;
        if (extent[i]->interval.least < 0)
            extent[i] = binary(t, EXPR_MAXIMUM, extent[i], integer(t, 0));
        if (extent[i]->interval.greatest > INT32_MAX)
            extent[i] = binary(t, EXPR_MINIMUM, extent[i], integer(t, INT32_MAX));
        multiply_terms(t, extent[i]);
    }
    return true;
}

/* The number of a term, by the coordinates of the tree. */
static const struct expr *number_of_term(struct tree *t)
{
    t->run = coordinate(t, "run", (t->most_terms - 1) / RUN_TERMS);
    t->lane = coordinate(t, "lane", LANES - 1);
    t->step = coordinate(t, "step", STEPS - 1);
    return binary(t, EXPR_ADD,
                  binary(t, EXPR_ADD, binary(t, EXPR_MULTIPLY, integer(t, RUN_TERMS), t->run),
                         binary(t, EXPR_MULTIPLY, integer(t, LANES), t->step)),
                  t->lane);
}

static void bind_coordinate(struct tree *t, struct stage_context *inner, const struct ast *item,
                            const struct expr *value)
{
    struct entity *entity =
        scope_declare(t->el, inner->scope, item->as.binding.name, item->as.binding.name_span);
    entity->kind = ENTITY_VALUE;
    entity->as.value = operand_from(value);
}

/* The number in index order, taken apart. Places beyond the last term wrap around: such terms are excluded, but stay
 * inside. */
static void places_of_number(struct tree *t, const struct expr *number, size_t count,
                             const struct expr *const extent[], const struct expr *place[])
{
    for (size_t i = count; i-- > 0;) {
        place[i] = binary(t, EXPR_REMAINDER, number, extent[i]);
        number = binary(t, EXPR_DIVIDE, number, extent[i]);
    }
}

/* Each variable as a function of the term's number. */
static void number_terms(struct tree *t, struct stage_context *inner, const struct ast_list *items,
                         const struct expr *number)
{
    const struct expr *place[GRAPH_MAX_RANK];
    places_of_number(t, number, items->count, t->extent, place);
    for (size_t i = 0; i < items->count; i++)
        bind_coordinate(t, inner, items->item[i], binary(t, EXPR_ADD, t->first[i], place[i]));
}

/* ---- Rows ---- */

/* Where the order of terms does not matter, each row of the reduced box is reduced first, in parts of RUN_TERMS:
 *   rows[r, part] = op[j in 0 ..< 4096 where j < extent - 4096 part](term at first + r, first' + 4096 part + j)
 * and the tree grows over these. */
struct rows {
    const struct expr *axis[GRAPH_MAX_RANK], *extent[GRAPH_MAX_RANK]; /* r …, part */
    unsigned count;
    const struct expr *within; /* j < …: there is such a term */
    const struct expr *number; /* of the term, in index order */
};

/* The coordinates of the ranges by those of rows. After measure_terms. */
static void number_rows(struct tree *t, struct stage_context *inner, const struct ast_list *items,
                        struct rows *rows)
{
    const size_t last = items->count - 1;
    rows->count = (unsigned)items->count;
    rows->number = integer(t, 0);
    for (size_t i = 0; i < last; i++) {
        rows->extent[i] = t->extent[i];
        rows->axis[i] = coordinate(t, arena_format(t->el->arena, "row.%zu", i),
                                   t->extent[i]->interval.greatest - 1);
        rows->number = binary(t, EXPR_ADD, binary(t, EXPR_MULTIPLY, rows->number, t->extent[i]),
                              rows->axis[i]);
        bind_coordinate(t, inner, items->item[i], binary(t, EXPR_ADD, t->first[i], rows->axis[i]));
    }
    const struct expr *extent = t->extent[last];
    const struct expr *runs =
        binary(t, EXPR_DIVIDE, binary(t, EXPR_ADD, extent, integer(t, RUN_TERMS - 1)),
               integer(t, RUN_TERMS));
    rows->axis[last] = coordinate(t, "part", runs->interval.greatest - 1);
    rows->extent[last] = runs;
    t->step = coordinate(t, "step", RUN_TERMS - 1);
    const struct expr *begin = binary(t, EXPR_MULTIPLY, integer(t, RUN_TERMS), rows->axis[last]);
    rows->within = binary(t, EXPR_LESS, t->step, binary(t, EXPR_SUBTRACT, extent, begin));
    /* Places behind the last one are excluded, but stay inside. */
    const struct expr *place = binary(t, EXPR_MINIMUM, binary(t, EXPR_ADD, begin, t->step),
                                      binary(t, EXPR_SUBTRACT, extent, integer(t, 1)));
    rows->number = binary(t, EXPR_ADD, binary(t, EXPR_MULTIPLY, rows->number, extent), place);
    bind_coordinate(t, inner, items->item[last], binary(t, EXPR_ADD, t->first[last], place));
}

/* ---- Axes of the stage around that the term depends on ---- */

/* Keeps the axes that occur in the value. All reads stay: those of the stage around tell its box too. */
static void keep_used(struct tree *t, struct stage_context *inner, const struct expr *value)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < inner->axis_count; i++)
        if (expr_contains(t->el->session->scratch, value, inner->axis[i].variable))
            inner->axis[kept++] = inner->axis[i];
    inner->axis_count = kept;
    kept = 0;
    for (unsigned i = 0; i < inner->mapped_count; i++)
        if (expr_contains(t->el->session->scratch, value, inner->mapped[i].variable))
            inner->mapped[kept++] = inner->mapped[i];
    inner->mapped_count = kept;
}

/* ---- Stages ---- */

static struct stage_context_axis given_axis(const struct tree *t, const struct expr *variable,
                                            const struct expr *extent)
{
    return (struct stage_context_axis){.name = variable->as.variable.name,
                                       .variable = variable,
                                       .first = integer(t, 0),
                                       .extent = extent,
                                       .span = t->span};
}

static const struct expr *runs_of_terms(const struct tree *t)
{
    const struct expr *runs =
        binary(t, EXPR_DIVIDE, binary(t, EXPR_ADD, t->terms, integer(t, RUN_TERMS - 1)),
               integer(t, RUN_TERMS));
    return binary(t, EXPR_MAXIMUM, runs, integer(t, 1));
}

/* The reduction of the terms along t->step, of which there are `steps`; number: of the term, present: it is one. */
static struct operand reduce_terms(struct tree *t, struct stage_context *inner,
                                   const struct ast *node, int64_t steps, const struct expr *number,
                                   const struct expr *present)
{
    const struct ast *index = node->as.call.callee;
    struct operand term = elaborate_expr(t->el, inner, node->as.call.arguments->item[0]);
    const struct ast *where = index->as.index.where;
    const struct operand condition = where ? elaborate_expr(t->el, inner, where) : operand_error();
    if (!term.expr || (where && !condition.expr))
        return operand_error();
    if (where && condition.expr->scalar != SCALAR_BOOL) {
        REPORT(t->el, E0303, where->span, "'where'", "a truth value",
               operand_type_text(t->el, condition));
        return operand_error();
    }
    if (where)
        present = binary(t, EXPR_AND, present, condition.expr);
    if (t->goal == GOAL_KEY || t->goal == GOAL_NUMBER)
        term = selection_key(t->el, term, t->span);
    if (!term.expr)
        return operand_error();
    if (t->goal == GOAL_NUMBER) {
        present = binary(t, EXPR_AND, present, binary(t, EXPR_EQUAL, term.expr, t->best));
        term = operand_from(number);
    } else if (t->goal == GOAL_ANY) {
        term = operand_from(expr_boolean(t->el->pool, true));
    }
    if (term.present && t->operation == REDUCTION_SUM && scalar_is_float(term.expr->scalar))
        present = binary(t, EXPR_AND, present, term.present);
    t->never = present->kind == EXPR_INTEGER && present->as.integer == 0;
    const struct expr_range range = {t->step->as.variable.name, 0, steps};
    return operand_reduce(t->el, t->operation, 1, &range, term, present, false, t->span);
}

/* lanes[…, run, lane] */
static struct image_view make_lanes(struct tree *t, struct stage_context *inner,
                                    const struct ast *node, const struct expr *number)
{
    const struct operand value =
        reduce_terms(t, inner, node, STEPS, number, binary(t, EXPR_LESS, number, t->terms));
    if (!value.expr)
        return (struct image_view){0};
    keep_used(t, inner, value.expr);
    inner->axis[inner->axis_count++] = given_axis(t, t->run, runs_of_terms(t));
    inner->axis[inner->axis_count++] = given_axis(t, t->lane, integer(t, LANES));
    memset(&inner->bindings, 0, sizeof inner->bindings);
    return elaborate_finish(t->el, inner, value, (struct element_type){.scalar = SCALAR_COUNT},
                            t->span);
}

/* rows[…, r …, part] */
static struct image_view make_rows(struct tree *t, struct stage_context *inner,
                                   const struct ast *node, const struct rows *rows)
{
    const struct operand value =
        reduce_terms(t, inner, node, RUN_TERMS, rows->number, rows->within);
    if (!value.expr)
        return (struct image_view){0};
    keep_used(t, inner, value.expr);
    for (unsigned i = 0; i < rows->count; i++)
        inner->axis[inner->axis_count++] = given_axis(t, rows->axis[i], rows->extent[i]);
    memset(&inner->bindings, 0, sizeof inner->bindings);
    return elaborate_finish(t->el, inner, value, (struct element_type){.scalar = SCALAR_COUNT},
                            t->span);
}

static enum expr_kind join_of(enum reduction operation)
{
    switch (operation) {
    case REDUCTION_MINIMUM:
        return EXPR_ORDERED_MINIMUM;
    case REDUCTION_MAXIMUM:
        return EXPR_ORDERED_MAXIMUM;
    case REDUCTION_PRODUCT:
        return EXPR_MULTIPLY;
    case REDUCTION_ANY:
        return EXPR_OR;
    case REDUCTION_ALL:
        return EXPR_AND;
    default:
        return EXPR_ADD;
    }
}

/* A sample of a stage at the axes of the tree, at other places of run and lane. */
static const struct expr *read_at(const struct tree *t, const struct stage *stage,
                                  const struct expr *run, const struct expr *lane)
{
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *variable = stage->axis[k].variable;
        index[k] = variable == t->run ? run : variable == t->lane ? lane : variable;
    }
    return expr_load(t->el->pool, stage->id.index, stage->element, stage->interval, stage->rank,
                     index, NULL);
}

/* Both in one, or a complaint that integers leave 64 bits. */
static const struct expr *join(struct tree *t, const struct expr *a, const struct expr *b)
{
    struct operand pair[2] = {operand_from(a), operand_from(b)};
    const enum expr_kind kind = join_of(t->operation);
    if (kind == EXPR_ADD || kind == EXPR_MULTIPLY)
        return operand_binary(t->el, kind == EXPR_ADD ? OPERATOR_ADD : OPERATOR_MULTIPLY, pair[0],
                              pair[1], t->span)
            .expr;
    return binary(t, kind, a, b);
}

static stage_id add_part(struct tree *t, unsigned rank, const struct stage_axis axis[],
                         const struct expr *value)
{
    const enum scalar element =
        scalar_is_integer(value->scalar) ? scalar_holding(value->interval) : value->scalar;
    value = expr_convert(t->el->pool, CONVERT_EXACT, element, value);
    return elaborate_add_stage(
        t->el, t->outer->instance,
        (struct stage){.kind = STAGE_MAP,
                       .name = symbol_format(&t->el->session->symbols, "%s.%s",
                                             t->outer->name->text, reduction_text[t->operation]),
                       .span = t->span,
                       .element = element,
                       .interval = value->interval,
                       .rank = rank,
                       .axis = axis,
                       .value = value});
}

/* A stage like `below` without the lane, its runs as many as given. */
static stage_id add_level(struct tree *t, const struct stage *below, const struct expr *value,
                          const struct expr *runs)
{
    struct stage_axis *axis = ARENA_ARRAY(t->el->arena, struct stage_axis, below->rank + 1);
    unsigned rank = 0;
    for (unsigned k = 0; k < below->rank; k++) {
        if (below->axis[k].variable == t->lane)
            continue;
        axis[rank] = below->axis[k];
        if (axis[rank].variable == t->run)
            axis[rank].extent = runs;
        rank++;
    }
    return add_part(t, rank, axis, value);
}

/* The lanes of the tree that grows over rows, which are its terms from now on. */
static bool make_lanes_of_rows(struct tree *t, const struct rows *rows, stage_id *at)
{
    const struct stage *stage = graph_stage(t->el->graph, *at);
    const struct expr *index[GRAPH_MAX_RANK], *place[GRAPH_MAX_RANK];
    struct stage_axis *axis = ARENA_ARRAY(t->el->arena, struct stage_axis, stage->rank + 2);
    unsigned rank = 0;
    t->terms = integer(t, 1);
    t->most_terms = 1;
    for (unsigned i = 0; i < rows->count; i++)
        multiply_terms(t, rows->extent[i]);
    const struct expr *number = number_of_term(t);
    places_of_number(t, number, rows->count, rows->extent, place);
    for (unsigned k = 0; k < stage->rank; k++) {
        index[k] = stage->axis[k].variable;
        bool is_row = false;
        for (unsigned i = 0; i < rows->count; i++)
            if (rows->axis[i] == stage->axis[k].variable) {
                index[k] = place[i];
                is_row = true;
            }
        if (!is_row)
            axis[rank++] = stage->axis[k];
    }
    const struct expr *zero = integer(t, 0);
    axis[rank++] = (struct stage_axis){.name = t->run->as.variable.name,
                                       .variable = t->run,
                                       .first = zero,
                                       .extent = runs_of_terms(t)};
    axis[rank++] = (struct stage_axis){.name = t->lane->as.variable.name,
                                       .variable = t->lane,
                                       .first = zero,
                                       .extent = integer(t, LANES)};
    if (t->operation == REDUCTION_TALLY)
        t->operation = REDUCTION_SUM;
    const struct expr_range steps = {t->step->as.variable.name, 0, STEPS};
    const struct operand row = operand_from(expr_load(t->el->pool, stage->id.index, stage->element,
                                                      stage->interval, stage->rank, index, NULL));
    const struct operand value =
        operand_reduce(t->el, t->operation, 1, &steps, row, binary(t, EXPR_LESS, number, t->terms),
                       false, t->span);
    if (value.expr)
        *at = add_part(t, rank, axis, value.expr);
    return value.expr != NULL;
}

/* runs_0: the sixteen lanes, pair by pair. */
static bool join_lanes(struct tree *t, stage_id *at)
{
    const struct stage *stage = graph_stage(t->el->graph, *at);
    const struct expr *part[LANES];
    for (int i = 0; i < LANES; i++)
        part[i] = read_at(t, stage, t->run, integer(t, i));
    for (int count = LANES; count > 1; count /= 2)
        for (int i = 0; i < count / 2; i++) {
            part[i] = part[2 * i] && part[2 * i + 1] ? join(t, part[2 * i], part[2 * i + 1]) : NULL;
            if (!part[i])
                return false;
        }
    *at = add_level(t, stage, part[0], runs_of_terms(t));
    return true;
}

/* runs_k: half as many, until one is left however large the images are. */
static bool join_runs(struct tree *t, stage_id *at)
{
    const struct expr *runs = runs_of_terms(t);
    while (runs->interval.greatest > 1) {
        const struct stage *stage = graph_stage(t->el->graph, *at);
        const struct expr *twice = binary(t, EXPR_MULTIPLY, integer(t, 2), t->run);
        const struct expr *next = binary(t, EXPR_ADD, twice, integer(t, 1));
        const struct expr *last = binary(t, EXPR_SUBTRACT, runs, integer(t, 1));
        const struct expr *left = read_at(t, stage, twice, NULL);
        const struct expr *right = read_at(t, stage, binary(t, EXPR_MINIMUM, next, last), NULL);
        const struct expr *both = join(t, left, right);
        if (!both)
            return false;
        runs = binary(t, EXPR_DIVIDE, binary(t, EXPR_ADD, runs, integer(t, 1)), integer(t, 2));
        *at = add_level(
            t, stage, expr_select(t->el->pool, binary(t, EXPR_LESS_EQUAL, next, last), both, left),
            runs);
    }
    return true;
}

/* The stage around reads the one run that is left. */
static struct operand read_result(struct tree *t, stage_id at, bool can_be_empty)
{
    const struct stage *stage = graph_stage(t->el->graph, at);
    const struct expr *load = read_at(t, stage, integer(t, 0), NULL);
    VECTOR_PUSH(t->el->arena, &t->outer->reads,
                (struct pending_read){.load = load, .span = t->span, .image = stage->name});
    if (t->operation == REDUCTION_SUM && scalar_is_float(load->scalar) && can_be_empty)
        load = binary(t, EXPR_ADD, load, expr_real(t->el->pool, load->scalar, 0));
    return operand_from(load);
}

/* Whether the result does not depend on the order of terms, and its interval not on their number. */
static bool takes_rows(const struct tree *t, const struct stage_context *context,
                       const struct ast_list *items)
{
    if (context->axis_count + context->mapped_count + items->count > GRAPH_MAX_RANK)
        return false;
    for (size_t i = 0; i < items->count; i++)
        if (t->extent[i]->interval.least < 1) /* places of no terms would be outside */
            return false;
    return t->operation == REDUCTION_MINIMUM || t->operation == REDUCTION_MAXIMUM ||
           t->operation == REDUCTION_ANY || t->operation == REDUCTION_ALL ||
           t->operation == REDUCTION_TALLY;
}

/* Whether the stage does not depend on the numbers of terms of another tree, in which this one is; else reports it. */
static bool is_apart(struct tree *t, stage_id at)
{
    const struct stage *stage = graph_stage(t->el->graph, at);
    if (stage_is_closed(stage, stage->value, t->el->arena))
        return true;
    report_not_yet(t->el, t->span,
                   "a reduction over a range that is not constant, whose terms differ from term to "
                   "term of another one around it (give it a stage of its own: rows[y] = "
                   "sum[x in 0 ..< in.x](in[y, x]);),");
    return false;
}

static struct operand grow(struct tree *t, struct stage_context *context, const struct ast *node)
{
    const struct ast *index = node->as.call.callee;
    const struct ast_list *items = index->as.index.items;
    struct stage_context inner = *context;
    inner.scope = scope_open(t->el, context->scope);
    inner.name = symbol_format(&t->el->session->symbols, "%s.%s", context->name->text,
                               reduction_text[t->operation]);
    inner.span = node->span;
    inner.reads.capacity = inner.reads.count; /* what is pushed there is not pushed to the outer */
    inner.bindings.capacity = inner.bindings.count;
    if (!measure_terms(t, &inner, items))
        return operand_error();
    t->can_be_empty = t->terms->interval.least < 1;
    const bool in_rows = takes_rows(t, context, items);
    struct rows rows;
    struct image_view parts;
    if (in_rows) {
        number_rows(t, &inner, items, &rows);
        parts = make_rows(t, &inner, node, &rows);
    } else {
        const struct expr *number = number_of_term(t);
        number_terms(t, &inner, items, number);
        parts = make_lanes(t, &inner, node, number);
    }
    stage_id at = parts.stage;
    if (parts.valid && !is_apart(t, at))
        return operand_error();
    if (!parts.valid || (in_rows && !make_lanes_of_rows(t, &rows, &at)) || !join_lanes(t, &at) ||
        !join_runs(t, &at))
        return operand_error();
    return read_result(t, at, index->as.index.where || t->can_be_empty || t->never);
}

/* argmin and argmax: the best term, then the least number of those that are equal to it. */
static struct operand grow_selection(struct elaborator *el, struct stage_context *context,
                                     const struct ast *node, const struct selection *s)
{
    const bool least = s->operation == REDUCTION_ARGMIN;
    const struct ast *index = node->as.call.callee;
    struct tree best = {.el = el,
                        .outer = context,
                        .goal = GOAL_KEY,
                        .operation = least ? REDUCTION_MINIMUM : REDUCTION_MAXIMUM,
                        .span = s->span};
    const struct operand key = grow(&best, context, node);
    if (!key.expr ||
        !check_selection(el, s, index->as.index.where || best.never || best.can_be_empty))
        return operand_error();
    struct tree numbers = {.el = el,
                           .outer = context,
                           .goal = GOAL_NUMBER,
                           .best = key.expr,
                           .operation = REDUCTION_MINIMUM,
                           .span = s->span};
    const struct operand number = grow(&numbers, context, node);
    if (!number.expr)
        return number;
    const struct operand place = selection_place(el, (unsigned)index->as.index.items->count,
                                                 numbers.first, numbers.extent, number.expr);
    if (!s->other)
        return place;
    struct tree any = {
        .el = el, .outer = context, .goal = GOAL_ANY, .operation = REDUCTION_ANY, .span = s->span};
    const struct operand found = grow(&any, context, node);
    return found.expr ? selection_or(el, context, s, place, found.expr) : found;
}

struct operand elaborate_tree(struct elaborator *el, struct stage_context *context,
                              const struct ast *node, enum reduction operation,
                              const struct ast *other)
{
    struct tree t = {.el = el, .outer = context, .operation = operation, .span = node->span};
    if (operation == REDUCTION_MEDIAN) {
        report_not_yet(el, node->span, "a median over a range that an extent bounds");
        return operand_error();
    }
    if (el->reducing.count || context->scalar_only) {
        report_not_yet(el, node->span,
                       "a reduction over a range that is not constant, inside another");
        return operand_error();
    }
    if (context->axis_count + context->mapped_count + 2 > GRAPH_MAX_RANK) {
        REPORT(el, E0320, node->span, GRAPH_MAX_RANK);
        return operand_error();
    }
    const struct selection s = {.operation = operation, .span = node->span, .other = other};
    return is_selection(operation) ? grow_selection(el, context, node, &s)
                                   : grow(&t, context, node);
}
