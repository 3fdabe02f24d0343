/* The system that the recurrences of a chain form outside of their box, where what enters is
 * constant: rows over the places of g. */
#include "graph/unbounded/unbounded.h"

#include <assert.h>

/* ---- The system outside ---- */

static struct matrix no_row(const struct outside *o)
{
    return matrix_of_zeros(o->algebra, 1, unbounded_places(o->e));
}

static void add_row(const struct outside *o, struct matrix *sum, const struct expr *factor,
                    const struct matrix *row)
{
    for (unsigned j = 0; j < row->columns; j++)
        sum->entry[j] =
            entry_sum(o->e->pool, sum->entry[j], entry_times(o->e->pool, factor, row->entry[j]));
}

static void add_place(const struct outside *o, struct matrix *sum, const struct expr *factor,
                      unsigned place)
{
    sum->entry[place] = entry_sum(o->e->pool, sum->entry[place], factor);
}

/* The row of what is one sample further out: row M. */
static struct matrix further(const struct outside *o, const struct matrix *row)
{
    const struct expansion *e = o->e;
    struct matrix next = no_row(o);
    for (size_t m = 0; m < o->member.count; m++) {
        const uint32_t stage = o->member.item[m];
        const unsigned constant = unbounded_constant_place(e, stage);
        if (row->entry[constant])
            add_place(o, &next, row->entry[constant], constant);
        for (int64_t lag = 1; lag <= e->lags; lag++) {
            const struct expr *factor = row->entry[unbounded_lag_place(e, stage, lag)];
            if (factor && lag == 1)
                add_row(o, &next, factor, &e->recurrence[stage].outward);
            else if (factor)
                add_place(o, &next, factor, unbounded_lag_place(e, stage, lag - 1));
        }
    }
    return next;
}

/* The row of what is one sample further in: g(q - 1) holds what g(q) does, one place further on. */
static struct matrix nearer(const struct outside *o, const struct matrix *row)
{
    const struct expansion *e = o->e;
    struct matrix next = no_row(o);
    for (size_t m = 0; m < o->member.count; m++) {
        const uint32_t stage = o->member.item[m];
        next.entry[unbounded_constant_place(e, stage)] =
            row->entry[unbounded_constant_place(e, stage)];
        assert(!row->entry[unbounded_lag_place(e, stage, e->lags)] && "there are lags enough");
        for (int64_t lag = 1; lag < e->lags; lag++)
            next.entry[unbounded_lag_place(e, stage, lag + 1)] =
                row->entry[unbounded_lag_place(e, stage, lag)];
    }
    return next;
}

/* sum += factor u(q + offset), as a row for g(q); offset counts outward. */
static void add_input(const struct outside *o, struct matrix *sum, uint32_t stage, int64_t offset,
                      const struct expr *factor)
{
    const struct unbounded *recurrence = &o->e->recurrence[stage];
    const bool outward = recurrence->sign != o->sign;
    if (outward && offset < 0) {
        add_place(o, sum, factor, unbounded_lag_place(o->e, stage, -offset));
        return;
    }
    struct matrix row = outward ? recurrence->outward : recurrence->inward;
    const int64_t known = outward ? 0 : recurrence->shift;
    for (int64_t i = known; i < offset; i++)
        row = further(o, &row);
    for (int64_t i = offset; i < known; i++)
        row = nearer(o, &row);
    add_row(o, sum, factor, &row);
}

/* What the recurrence is, at that side, without its own feedback: inputs and the constant. shift:
 * how far inside of the sample g is taken. */
static struct matrix forcing(const struct outside *o, uint32_t stage, int64_t shift)
{
    const struct unbounded *recurrence = &o->e->recurrence[stage];
    struct matrix row = no_row(o);
    for (size_t i = 0; i < recurrence->inputs.count; i++)
        add_input(o, &row, recurrence->inputs.item[i].stage,
                  o->sign * recurrence->inputs.item[i].offset + shift,
                  recurrence->inputs.item[i].coefficient);
    if (recurrence->rest)
        add_place(o, &row, expr_real(o->e->pool, o->e->element, 1),
                  unbounded_constant_place(o->e, stage));
    return row;
}

/* ---- Recurrences that run outward at this side ---- */

void unbounded_find_outward(const struct outside *o, uint32_t stage)
{
    struct unbounded *recurrence = &o->e->recurrence[stage];
    recurrence->outward = forcing(o, stage, 0);
    for (int64_t lag = 1; lag <= recurrence->feedback.order; lag++)
        if (recurrence->feedback.factor[lag])
            add_place(o, &recurrence->outward, recurrence->feedback.factor[lag],
                      unbounded_lag_place(o->e, stage, lag));
}

/* ---- Where one starts that runs inward ---- */

/* The places that the forcing depends on, close together. */
struct used_places {
    unsigned count, *place;
    bool *is_used;
};

static void use_row(struct used_places *used, const struct matrix *row)
{
    for (unsigned j = 0; j < row->columns; j++)
        if (row->entry[j] && !used->is_used[j]) {
            used->is_used[j] = true;
            used->place[used->count++] = j;
        }
}

static struct matrix step_of_place(const struct outside *o, unsigned place)
{
    struct matrix row = no_row(o);
    row.entry[place] = expr_real(o->e->pool, o->e->element, 1);
    return further(o, &row);
}

static struct used_places find_used(const struct outside *o, const struct matrix *force)
{
    struct arena *scratch = o->e->context->scratch;
    const unsigned most = unbounded_places(o->e) + 1;
    struct used_places used = {0, ARENA_ARRAY(scratch, unsigned, most),
                               ARENA_ARRAY(scratch, bool, most)};
    use_row(&used, force);
    for (unsigned i = 0; i < used.count; i++) { /* grows meanwhile */
        const struct matrix next = step_of_place(o, used.place[i]);
        use_row(&used, &next);
    }
    return used;
}

static struct matrix step_matrix(const struct outside *o, const struct used_places *used)
{
    struct matrix M = matrix_of_zeros(o->algebra, used->count, used->count);
    for (unsigned i = 0; i < used->count; i++) {
        const struct matrix row = step_of_place(o, used->place[i]);
        for (unsigned j = 0; j < used->count; j++)
            *matrix_entry(&M, i, j) = row.entry[used->place[j]];
    }
    return M;
}

void unbounded_find_inward(const struct outside *o, uint32_t stage)
{
    const struct expansion *e = o->e;
    struct unbounded *recurrence = &o->e->recurrence[stage];
    const struct matrix force = forcing(o, stage, recurrence->shift);
    const struct used_places used = find_used(o, &force);
    recurrence->inward = no_row(o);
    if (used.count == 0) /* nothing outside */
        return;
    struct matrix first_row = matrix_of_zeros(o->algebra, 1, used.count);
    for (unsigned j = 0; j < used.count; j++)
        first_row.entry[j] = force.entry[used.place[j]];
    const struct matrix M = step_matrix(o, &used);
    const stage_id edge = matrix_solve(o->algebra, &recurrence->feedback, &M, &first_row);
    for (unsigned j = 0; j < used.count; j++) {
        const struct expr *index = unbounded_integer(o->e, j);
        recurrence->inward.entry[used.place[j]] =
            expr_load(e->pool, edge.index, e->element, (struct interval){0, 0}, 1, &index, NULL);
    }
}
