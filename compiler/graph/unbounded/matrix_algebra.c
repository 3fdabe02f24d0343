/* Linear systems of a few unknowns. Matrices are stages of the axes row and column; the steps of an
 * iteration are an axis `step`, along which the stage reads itself. Systems are solved, and not
 * summed up as series of powers: those of a recurrence with poles close together grow by far before
 * they shrink, and squares of them lose all digits. */
#include "graph/unbounded/matrix_algebra.h"

struct matrix matrix_of_zeros(const struct matrix_algebra *a, unsigned rows, unsigned columns)
{
    return (struct matrix){rows, columns,
                           ARENA_ARRAY(a->arena, const struct expr *, rows *columns + 1)};
}

const struct expr *entry_sum(struct expr_pool *pool, const struct expr *a, const struct expr *b)
{
    return !a ? b : !b ? a : expr_binary(pool, EXPR_ADD, a, b);
}

const struct expr *entry_times(struct expr_pool *pool, const struct expr *a, const struct expr *b)
{
    if (!a || !b)
        return NULL;
    if (a->kind == EXPR_REAL && a->as.real == 1)
        return b;
    return b->kind == EXPR_REAL && b->as.real == 1 ? a : expr_binary(pool, EXPR_MULTIPLY, a, b);
}

/* ---- Stages ---- */

struct coordinate {
    const struct symbol *name;
    const struct expr *variable, *first, *extent;
};

static struct coordinate coordinate_from(const struct matrix_algebra *a, const char *name,
                                         int64_t first, const struct expr *extent)
{
    const struct symbol *symbol = symbol_from(a->symbols, name);
    const struct interval interval = {first, first + extent->interval.greatest - 1};
    return (struct coordinate){
        symbol, expr_variable(a->pool, VARIABLE_INDEX, symbol, scalar_width(interval), interval),
        expr_integer(a->pool, first), extent};
}

static struct coordinate coordinate(const struct matrix_algebra *a, const char *name,
                                    unsigned extent)
{
    return coordinate_from(a, name, 0, expr_integer(a->pool, extent));
}

static stage_id add_stage(const struct matrix_algebra *a, const char *part, unsigned rank,
                          const struct coordinate axes[], int along, const struct expr *value)
{
    struct stage_axis *axis = ARENA_ARRAY(a->arena, struct stage_axis, rank);
    for (unsigned k = 0; k < rank; k++)
        axis[k] = (struct stage_axis){axes[k].name,   axes[k].variable, axes[k].first,
                                      axes[k].extent, axes[k].first,    axes[k].extent};
    struct stage stage = {.kind = along < 0 ? STAGE_TABLE : STAGE_RECURRENCE,
                          .name = symbol_format(a->symbols, "%s.%s", a->name->text, part),
                          .span = a->span,
                          .element = a->element,
                          .rank = rank,
                          .axis = axis,
                          .value = value};
    if (along >= 0)
        stage.as.recurrence.axis = (unsigned)along;
    return graph_add_stage(a->arena, a->graph, stage);
}

enum { NOT_RECURRENT = -1 };

static stage_id next_stage(const struct matrix_algebra *a)
{
    return (stage_id){(uint32_t)a->graph->stages.count};
}

/* Every index is inside, or what is read does not count. */
static const struct expr *load(const struct matrix_algebra *a, stage_id stage, unsigned rank,
                               const struct expr *const index[])
{
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < rank; k++)
        border[k] = (struct border){.rule = BORDER_CLAMP};
    return expr_load(a->pool, stage.index, a->element, (struct interval){0, 0}, rank, index,
                     border);
}

static const struct expr *entry(const struct matrix_algebra *a, stage_id matrix,
                                const struct expr *row, const struct expr *column)
{
    const struct expr *const index[2] = {row, column};
    return load(a, matrix, 2, index);
}

static const struct expr *before(const struct matrix_algebra *a, const struct expr *coordinate)
{
    return expr_binary(a->pool, EXPR_SUBTRACT, coordinate, expr_integer(a->pool, 1));
}

/* The entry after the step before; there is none before step 0. */
static const struct expr *earlier(const struct matrix_algebra *a, stage_id stage,
                                  const struct coordinate *step, const struct expr *row,
                                  const struct expr *column)
{
    const struct expr *const index[3] = {before(a, step->variable), row, column};
    const struct border border[3] = {
        {.rule = BORDER_ZERO, .value = expr_real(a->pool, a->element, 0)},
        {.rule = BORDER_CLAMP},
        {.rule = BORDER_CLAMP}};
    return expr_load(a->pool, stage.index, a->element, (struct interval){0, 0}, 3, index, border);
}

static const struct expr *equal(const struct matrix_algebra *a, const struct expr *left,
                                const struct expr *right)
{
    return expr_binary(a->pool, EXPR_EQUAL, left, right);
}

static const struct expr *is_number(const struct matrix_algebra *a, const struct expr *coordinate,
                                    int64_t number)
{
    return equal(a, coordinate, expr_integer(a->pool, number));
}

static const struct expr *unit(const struct matrix_algebra *a, const struct expr *row,
                               const struct expr *column)
{
    return expr_select(a->pool, equal(a, row, column), expr_real(a->pool, a->element, 1),
                       expr_real(a->pool, a->element, 0));
}

/* c - a b, rounded once */
static const struct expr *less_product(const struct matrix_algebra *a, const struct expr *c,
                                       const struct expr *left, const struct expr *right)
{
    const struct expr *const three[3] = {expr_unary(a->pool, EXPR_NEGATE, left), right, c};
    return expr_operation(a->pool, EXPR_FUSED, 3, three);
}

static const struct expr *over(const struct matrix_algebra *a, enum reduction operation,
                               const struct coordinate *variable, const struct expr *term)
{
    const struct expr_range range = {variable->name, 0, (unsigned)variable->extent->as.integer};
    return expr_reduce(a->pool, operation, false, false, 1, &range, &term);
}

/* The matrix as a stage: a choice by row and column. */
static stage_id stage_of(const struct matrix_algebra *a, const char *part, const struct matrix *m)
{
    const struct coordinate axes[2] = {coordinate(a, "row", m->rows),
                                       coordinate(a, "column", m->columns)};
    const struct expr *zero = expr_real(a->pool, a->element, 0), *value = NULL;
    for (unsigned i = m->rows; i-- > 0;) {
        const struct expr *row = NULL;
        for (unsigned j = m->columns; j-- > 0;) {
            const struct expr *here = *matrix_entry(m, i, j) ? *matrix_entry(m, i, j) : zero;
            row = row ? expr_select(a->pool, is_number(a, axes[1].variable, j), here, row) : here;
        }
        value = value ? expr_select(a->pool, is_number(a, axes[0].variable, i), row, value) : row;
    }
    return add_stage(a, part, 2, axes, NOT_RECURRENT, value);
}

/* ---- Elimination ---- */

/* How large the entry of a row in column k is; rows before row k are done. */
static const struct expr *entry_size(const struct matrix_algebra *a, stage_id id,
                                     const struct coordinate *step, const struct expr *row)
{
    const struct expr *k = before(a, step->variable);
    return expr_select(a->pool, expr_binary(a->pool, EXPR_LESS, row, k),
                       expr_real(a->pool, a->element, -1),
                       expr_unary(a->pool, EXPR_ABSOLUTE, earlier(a, id, step, row, k)));
}

/* The row that step k brings up: the first one whose entry in column k is greatest. */
static const struct expr *pivot_row(const struct matrix_algebra *a, stage_id id, unsigned rows,
                                    const struct coordinate *step)
{
    const struct coordinate candidate = coordinate(a, "candidate", rows);
    const struct coordinate other = coordinate(a, "other", rows);
    const struct expr *greatest =
        over(a, REDUCTION_MAXIMUM, &other, entry_size(a, id, step, other.variable));
    const struct expr *size = entry_size(a, id, step, candidate.variable);
    return over(a, REDUCTION_MINIMUM, &candidate,
                expr_select(a->pool, equal(a, size, greatest), candidate.variable,
                            expr_integer(a->pool, (int64_t)rows - 1)));
}

/* B X = C, given as the rows of [B C], in a stage of three axes: after as many steps as there are
 * rows, X stands where C stood. Gauss and Jordan, with partial pivoting; step k clears column k. */
static stage_id add_elimination(const struct matrix_algebra *a, stage_id system, unsigned rows,
                                unsigned columns)
{
    const struct coordinate axes[3] = {coordinate(a, "step", rows + 1), coordinate(a, "row", rows),
                                       coordinate(a, "column", columns)};
    const struct expr *row = axes[1].variable, *column = axes[2].variable;
    const stage_id id = next_stage(a);
    const struct expr *k = before(a, axes[0].variable);
    const struct expr *pivot = pivot_row(a, id, rows, &axes[0]);
    const struct expr *own =
        expr_binary(a->pool, EXPR_DIVIDE, earlier(a, id, &axes[0], pivot, column),
                    earlier(a, id, &axes[0], pivot, k));
    const struct expr *source = expr_select(a->pool, equal(a, row, pivot), k, row); /* exchanged */
    const struct expr *cleared = less_product(a, earlier(a, id, &axes[0], source, column),
                                              earlier(a, id, &axes[0], source, k), own);
    return add_stage(a, "elimination", 3, axes, 0,
                     expr_select(a->pool, is_number(a, axes[0].variable, 0),
                                 entry(a, system, row, column),
                                 expr_select(a->pool, equal(a, row, k), own, cleared)));
}

/* The entry of X that stands in this row and column of [B C]. */
static const struct expr *solution(const struct matrix_algebra *a, stage_id system, unsigned rows,
                                   unsigned columns, const struct expr *row,
                                   const struct expr *column)
{
    if (rows == 1)
        return expr_binary(a->pool, EXPR_DIVIDE, entry(a, system, row, column),
                           entry(a, system, row, expr_integer(a->pool, 0)));
    const struct expr *const index[3] = {expr_integer(a->pool, rows), row, column};
    return load(a, add_elimination(a, system, rows, columns), 3, index);
}

/* ---- In a constant surrounding ---- */

/* powers[k] = M^k, k = 0 … most. */
static stage_id add_powers(const struct matrix_algebra *a, const struct matrix *M, unsigned most)
{
    const stage_id matrix = stage_of(a, "outside", M);
    const struct coordinate axes[3] = {coordinate(a, "step", most + 1),
                                       coordinate(a, "row", M->rows),
                                       coordinate(a, "column", M->rows)};
    const struct coordinate inner = coordinate(a, "between", M->rows);
    const struct expr_range range = {inner.name, 0, M->rows};
    const stage_id id = next_stage(a);
    const struct expr *const factor[2] = {
        earlier(a, id, &axes[0], axes[1].variable, inner.variable),
        entry(a, matrix, inner.variable, axes[2].variable)};
    const struct expr *product =
        expr_reduce(a->pool, REDUCTION_SUM, true, false, 1, &range, factor);
    return add_stage(a, "powers", 3, axes, 0,
                     expr_select(a->pool, is_number(a, axes[0].variable, 0),
                                 unit(a, axes[1].variable, axes[2].variable), product));
}

enum { FEEDBACK_PARTS = 2 };

/* What f64 holds of it, then what it lacks, which counts where the sum of the former is near 1;
 * NULL for 0. */
static const struct expr *feedback_part(const struct matrix_algebra *a,
                                        const struct symbolic_feedback *feedback, unsigned part,
                                        int64_t lag)
{
    if (part == 0)
        return feedback->factor[lag];
    return feedback->lost[lag] != 0 ? expr_real(a->pool, a->element, feedback->lost[lag]) : NULL;
}

/* Transposed: (1 - a1 M - a2 M^2 - …)' p' = force', one row for each place. */
stage_id matrix_solve(const struct matrix_algebra *a, const struct symbolic_feedback *feedback,
                      const struct matrix *M, const struct matrix *force)
{
    const unsigned size = M->rows;
    const stage_id powers = add_powers(a, M, (unsigned)feedback->order),
                   forcing = stage_of(a, "forcing", force);
    const struct coordinate axes[2] = {coordinate(a, "row", size),
                                       coordinate(a, "column", size + 1)};
    const struct expr *row = axes[0].variable, *column = axes[1].variable;
    const struct expr *value = unit(a, row, column);
    for (unsigned part = 0; part < FEEDBACK_PARTS; part++)
        for (int64_t lag = 1; lag <= feedback->order; lag++) {
            const struct expr *const index[3] = {expr_integer(a->pool, lag), column, row};
            const struct expr *factor = feedback_part(a, feedback, part, lag);
            if (factor)
                value = less_product(a, value, factor, load(a, powers, 3, index));
        }
    const struct expr *right = entry(a, forcing, expr_integer(a->pool, 0), row);
    const stage_id system =
        add_stage(a, "system", 2, axes, NOT_RECURRENT,
                  expr_select(a->pool, is_number(a, column, size), right, value));
    return add_stage(a, "edge", 1, &axes[0], NOT_RECURRENT,
                     solution(a, system, size, size + 1, row, expr_integer(a->pool, size)));
}

/* ---- Periodic ---- */

/* response[c, n]: what the recurrence makes, without input, of the state whose lag c + 1 is 1; n
 * from -order, where the state stands. So run the powers of A keep their digits. */
static stage_id add_response(const struct matrix_algebra *a,
                             const struct symbolic_feedback *feedback, const struct expr *period)
{
    const unsigned order = (unsigned)feedback->order;
    const struct coordinate axes[2] = {
        coordinate(a, "column", order),
        coordinate_from(a, "time", -(int64_t)order,
                        expr_binary(a->pool, EXPR_ADD, period, expr_integer(a->pool, order)))};
    const struct expr *column = axes[0].variable, *time = axes[1].variable, *sum = NULL;
    const stage_id id = next_stage(a);
    for (unsigned part = FEEDBACK_PARTS; part-- > 0;)
        for (unsigned lag = order; lag > 0; lag--) {
            const struct expr *const index[2] = {
                column, expr_binary(a->pool, EXPR_SUBTRACT, time, expr_integer(a->pool, lag))};
            const struct border border[2] = {
                {0}, {.rule = BORDER_ZERO, .value = expr_real(a->pool, a->element, 0)}};
            const struct expr *const three[3] = {
                feedback_part(a, feedback, part, lag),
                expr_load(a->pool, id.index, a->element, (struct interval){0, 0}, 2, index, border),
                sum};
            if (!three[0])
                continue;
            sum = sum ? expr_operation(a->pool, EXPR_FUSED, 3, three)
                      : expr_binary(a->pool, EXPR_MULTIPLY, three[0], three[1]);
        }
    const struct expr *state =
        unit(a, column, expr_binary(a->pool, EXPR_SUBTRACT, expr_integer(a->pool, -1), time));
    const struct expr *begins = expr_binary(a->pool, EXPR_LESS, time, expr_integer(a->pool, 0));
    return add_stage(a, "response", 2, axes, 1, expr_select(a->pool, begins, state, sum));
}

stage_id matrix_periodic(const struct matrix_algebra *a, const struct symbolic_feedback *feedback,
                         const struct expr *period)
{
    const unsigned order = (unsigned)feedback->order;
    const stage_id response = add_response(a, feedback, period);
    const struct coordinate axes[2] = {coordinate(a, "row", order),
                                       coordinate(a, "column", 2 * order)};
    const struct expr *row = axes[0].variable, *column = axes[1].variable;
    const struct expr *size = expr_integer(a->pool, order);
    const struct expr *last = before(a, expr_binary(a->pool, EXPR_SUBTRACT, period, row));
    const struct expr *left =
        expr_binary(a->pool, EXPR_SUBTRACT, unit(a, row, column), entry(a, response, column, last));
    const stage_id system =
        add_stage(a, "system", 2, axes, NOT_RECURRENT,
                  expr_select(a->pool, expr_binary(a->pool, EXPR_LESS, column, size), left,
                              unit(a, row, expr_binary(a->pool, EXPR_SUBTRACT, column, size))));
    const struct coordinate place[2] = {axes[0], coordinate(a, "column", order)};
    const struct expr *inverse = expr_binary(a->pool, EXPR_ADD, place[1].variable, size);
    return add_stage(a, "edge", 2, place, NOT_RECURRENT,
                     solution(a, system, order, 2 * order, row, inverse));
}
