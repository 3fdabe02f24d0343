/* Powers, doubling. Matrices are stages of the axes row and column; the steps of an iteration are an axis
 * `step`, along which the stage reads itself. */
#include "graph/line_algebra.h"

enum {
    DOUBLINGS = 48, /* poles up to 1 - 2^-40 */
    BITS = 32,      /* of a period */
};

struct line_matrix line_matrix(const struct line_algebra *a, unsigned rows, unsigned columns)
{
    return (struct line_matrix){rows, columns,
                                ARENA_ARRAY(a->arena, const struct expr *, rows *columns + 1)};
}

const struct expr *line_sum(struct expr_pool *pool, const struct expr *a, const struct expr *b)
{
    return !a ? b : !b ? a : expr_binary(pool, EXPR_ADD, a, b);
}

const struct expr *line_times(struct expr_pool *pool, const struct expr *a, const struct expr *b)
{
    if (!a || !b)
        return NULL;
    if (a->kind == EXPR_REAL && a->as.real == 1)
        return b;
    return b->kind == EXPR_REAL && b->as.real == 1 ? a : expr_binary(pool, EXPR_MULTIPLY, a, b);
}

struct line_matrix line_product(const struct line_algebra *a, const struct line_matrix *row,
                                const struct line_matrix *matrix)
{
    struct line_matrix product = line_matrix(a, 1, matrix->columns);
    for (unsigned j = 0; j < matrix->columns; j++)
        for (unsigned i = 0; i < matrix->rows; i++)
            product.entry[j] =
                line_sum(a->pool, product.entry[j],
                         line_times(a->pool, row->entry[i], *line_entry(matrix, i, j)));
    return product;
}

/* ---- Stages ---- */

struct coordinate {
    const struct symbol *name;
    const struct expr *variable, *extent;
};

static struct coordinate coordinate(const struct line_algebra *a, const char *name, unsigned extent)
{
    const struct symbol *symbol = symbol_from(a->symbols, name);
    const struct interval interval = {0, extent - 1};
    return (struct coordinate){symbol,
                               expr_variable(a->pool, VARIABLE_INDEX, symbol, SCALAR_I32, interval),
                               expr_integer(a->pool, extent)};
}

static stage_id add_stage(const struct line_algebra *a, const char *part, unsigned rank,
                          const struct coordinate axes[], bool recurs, const struct expr *value)
{
    struct stage_axis *axis = ARENA_ARRAY(a->arena, struct stage_axis, rank);
    for (unsigned k = 0; k < rank; k++) {
        const struct expr *zero = expr_integer(a->pool, 0);
        axis[k] = (struct stage_axis){axes[k].name, axes[k].variable, zero, axes[k].extent,
                                      zero,         axes[k].extent};
    }
    return graph_add_stage(
        a->arena, a->graph,
        (struct stage){.kind = recurs ? STAGE_RECURRENCE : STAGE_TABLE,
                       .name = symbol_format(a->symbols, "%s.%s", a->name->text, part),
                       .span = a->span,
                       .element = a->element,
                       .rank = rank,
                       .axis = axis,
                       .value = value});
}

static const struct expr *load(const struct line_algebra *a, stage_id stage, unsigned rank,
                               const struct expr *const index[])
{
    return expr_load(a->pool, stage.index, a->element, (struct interval){0, 0}, rank, index, NULL);
}

/* The matrix of the step before; of step 0 nothing is read there. */
static const struct expr *earlier(const struct line_algebra *a, stage_id stage,
                                  const struct coordinate *step, const struct expr *row,
                                  const struct expr *column)
{
    const struct expr *const index[3] = {
        expr_binary(a->pool, EXPR_SUBTRACT, step->variable, expr_integer(a->pool, 1)), row, column};
    const struct border border[3] = {
        {.rule = BORDER_ZERO, .value = expr_real(a->pool, a->element, 0)}};
    return expr_load(a->pool, stage.index, a->element, (struct interval){0, 0}, 3, index, border);
}

static stage_id next_stage(const struct line_algebra *a)
{
    return (stage_id){(uint32_t)a->graph->stages.count};
}

/* The matrix as a stage: a choice by row and column. */
static stage_id stage_of(const struct line_algebra *a, const char *part,
                         const struct line_matrix *m)
{
    const struct coordinate axes[2] = {coordinate(a, "row", m->rows),
                                       coordinate(a, "column", m->columns)};
    const struct expr *zero = expr_real(a->pool, a->element, 0), *value = NULL;
    for (unsigned i = m->rows; i-- > 0;) {
        const struct expr *row = NULL;
        for (unsigned j = m->columns; j-- > 0;) {
            const struct expr *entry = *line_entry(m, i, j) ? *line_entry(m, i, j) : zero;
            row = row ? expr_select(a->pool,
                                    expr_binary(a->pool, EXPR_EQUAL, axes[1].variable,
                                                expr_integer(a->pool, j)),
                                    entry, row)
                      : entry;
        }
        value = value ? expr_select(a->pool,
                                    expr_binary(a->pool, EXPR_EQUAL, axes[0].variable,
                                                expr_integer(a->pool, i)),
                                    row, value)
                      : row;
    }
    return add_stage(a, part, 2, axes, false, value);
}

static const struct expr *product_sum(const struct line_algebra *a, unsigned extent,
                                      const struct coordinate *between, const struct expr *left,
                                      const struct expr *right)
{
    const struct expr_range range = {between->name, 0, extent};
    const struct expr *const factor[2] = {left, right};
    return expr_reduce(a->pool, REDUCTION_SUM, true, false, 1, &range, factor);
}

static const struct expr *is_first(const struct line_algebra *a, const struct coordinate *step)
{
    return expr_binary(a->pool, EXPR_EQUAL, step->variable, expr_integer(a->pool, 0));
}

/* squares[k] = matrix^(2^k). */
static stage_id add_squares(const struct line_algebra *a, const char *part, stage_id matrix,
                            unsigned size, unsigned steps)
{
    const struct coordinate axes[3] = {coordinate(a, "step", steps), coordinate(a, "row", size),
                                       coordinate(a, "column", size)};
    const struct coordinate inner = coordinate(a, "between", size);
    const stage_id id = next_stage(a);
    const struct expr *square =
        product_sum(a, size, &inner, earlier(a, id, &axes[0], axes[1].variable, inner.variable),
                    earlier(a, id, &axes[0], inner.variable, axes[2].variable));
    const struct expr *const place[2] = {axes[1].variable, axes[2].variable};
    return add_stage(
        a, part, 3, axes, true,
        expr_select(a->pool, is_first(a, &axes[0]), load(a, matrix, 2, place), square));
}

static const struct expr *step_load(const struct line_algebra *a, stage_id stage,
                                    const struct expr *step, const struct expr *row,
                                    const struct expr *column)
{
    const struct expr *const index[3] = {step, row, column};
    const struct border border[3] = {{.rule = BORDER_CLAMP}};
    return expr_load(a->pool, stage.index, a->element, (struct interval){0, 0}, 3, index, border);
}

static const struct expr *before(const struct line_algebra *a, const struct coordinate *step)
{
    return expr_binary(a->pool, EXPR_SUBTRACT, step->variable, expr_integer(a->pool, 1));
}

/* X[k + 1] = X[k] + A^(2^k) X[k] M^(2^k): the sum of A^i C M^i, twice as many terms with each step. */
stage_id line_solve(const struct line_algebra *a, const struct line_matrix *A,
                    const struct line_matrix *M, const struct line_matrix *first_row)
{
    const unsigned rows = A->rows, columns = M->columns;
    const stage_id left =
        add_squares(a, "feedback_powers", stage_of(a, "feedback", A), rows, DOUBLINGS);
    const stage_id right =
        add_squares(a, "outside_powers", stage_of(a, "outside", M), columns, DOUBLINGS);
    const stage_id forcing = stage_of(a, "forcing", first_row);
    const struct coordinate axes[3] = {coordinate(a, "step", DOUBLINGS + 1),
                                       coordinate(a, "row", rows),
                                       coordinate(a, "column", columns)};
    const struct coordinate l = coordinate(a, "left", rows), r = coordinate(a, "right", columns);
    const stage_id id = next_stage(a);
    const struct expr *zero = expr_integer(a->pool, 0);
    const struct expr *step = before(a, &axes[0]);
    const struct expr_range range[2] = {{l.name, 0, rows}, {r.name, 0, columns}};
    const struct expr *const factor[2] = {
        expr_binary(a->pool, EXPR_MULTIPLY, step_load(a, left, step, axes[1].variable, l.variable),
                    earlier(a, id, &axes[0], l.variable, r.variable)),
        step_load(a, right, step, r.variable, axes[2].variable)};
    const struct expr *more = expr_reduce(a->pool, REDUCTION_SUM, true, false, 2, range, factor);
    const struct expr *const place[2] = {zero, axes[2].variable};
    const struct expr *start =
        expr_select(a->pool, expr_binary(a->pool, EXPR_EQUAL, axes[1].variable, zero),
                    load(a, forcing, 2, place), expr_real(a->pool, a->element, 0));
    const struct expr *next = expr_binary(
        a->pool, EXPR_ADD, earlier(a, id, &axes[0], axes[1].variable, axes[2].variable), more);
    add_stage(a, "outside_sum", 3, axes, true,
              expr_select(a->pool, is_first(a, &axes[0]), start, next));
    const struct coordinate column = coordinate(a, "column", columns);
    const struct expr *const last[3] = {expr_integer(a->pool, DOUBLINGS), zero, column.variable};
    return add_stage(a, "edge", 1, &column, false, load(a, id, 3, last));
}

/* power[k] = A^(period mod 2^(k + 1)), by the squares of A. */
static stage_id add_power(const struct line_algebra *a, stage_id squares, unsigned size,
                          const struct expr *period)
{
    const struct coordinate axes[3] = {coordinate(a, "step", BITS), coordinate(a, "row", size),
                                       coordinate(a, "column", size)};
    const struct coordinate inner = coordinate(a, "between", size);
    const stage_id id = next_stage(a);
    const struct expr *bit = expr_binary(
        a->pool, EXPR_BIT_AND, expr_binary(a->pool, EXPR_SHIFT_RIGHT, period, axes[0].variable),
        expr_integer(a->pool, 1));
    const struct expr *unit =
        expr_select(a->pool, expr_binary(a->pool, EXPR_EQUAL, axes[1].variable, axes[2].variable),
                    expr_real(a->pool, a->element, 1), expr_real(a->pool, a->element, 0));
    const struct expr *so_far =
        expr_select(a->pool, is_first(a, &axes[0]), unit,
                    earlier(a, id, &axes[0], axes[1].variable, axes[2].variable));
    const struct expr *own =
        step_load(a, squares, axes[0].variable, axes[1].variable, axes[2].variable);
    const struct expr *product =
        product_sum(a, size, &inner, earlier(a, id, &axes[0], axes[1].variable, inner.variable),
                    step_load(a, squares, axes[0].variable, inner.variable, axes[2].variable));
    const struct expr *with_bit = expr_select(a->pool, is_first(a, &axes[0]), own, product);
    add_stage(a, "power", 3, axes, true,
              expr_select(a->pool, expr_binary(a->pool, EXPR_EQUAL, bit, expr_integer(a->pool, 1)),
                          with_bit, so_far));
    const struct coordinate place[2] = {axes[1], axes[2]};
    const struct expr *const last[3] = {expr_integer(a->pool, BITS - 1), axes[1].variable,
                                        axes[2].variable};
    return add_stage(a, "period_power", 2, place, false, load(a, id, 3, last));
}

/* Q[k + 1] = Q[k] + H^(2^k) Q[k], from 1: the sum of the powers of H = A^period. */
stage_id line_periodic(const struct line_algebra *a, const struct line_matrix *A,
                       const struct expr *period)
{
    const unsigned size = A->rows;
    const stage_id squares =
        add_squares(a, "feedback_powers", stage_of(a, "feedback", A), size, BITS);
    const stage_id powers =
        add_squares(a, "period_powers", add_power(a, squares, size, period), size, DOUBLINGS);
    const struct coordinate axes[3] = {coordinate(a, "step", DOUBLINGS + 1),
                                       coordinate(a, "row", size), coordinate(a, "column", size)};
    const struct coordinate inner = coordinate(a, "between", size);
    const stage_id id = next_stage(a);
    const struct expr *unit =
        expr_select(a->pool, expr_binary(a->pool, EXPR_EQUAL, axes[1].variable, axes[2].variable),
                    expr_real(a->pool, a->element, 1), expr_real(a->pool, a->element, 0));
    const struct expr *more =
        product_sum(a, size, &inner,
                    step_load(a, powers, before(a, &axes[0]), axes[1].variable, inner.variable),
                    earlier(a, id, &axes[0], inner.variable, axes[2].variable));
    const struct expr *next = expr_binary(
        a->pool, EXPR_ADD, earlier(a, id, &axes[0], axes[1].variable, axes[2].variable), more);
    add_stage(a, "periods", 3, axes, true, expr_select(a->pool, is_first(a, &axes[0]), unit, next));
    const struct coordinate place[2] = {axes[1], axes[2]};
    const struct expr *const last[3] = {expr_integer(a->pool, DOUBLINGS), axes[1].variable,
                                        axes[2].variable};
    return add_stage(a, "edge", 2, place, false, load(a, id, 3, last));
}
