#include "graph/recurrence/recurrence_forms.h"

#include "graph/recurrence/filter_noise.h"
#include "graph/recurrence/line_reach.h"
#include "graph/recurrence/recurrence.h"

/* ---- What a recurrence is ---- */

static bool is_load_of(const struct expr *load, void *user)
{
    const struct stage *stage = user;
    return load->as.load.source == stage->id.index;
}

/* Whether the load is on the line of the sample that it is read for; rules do not matter there. */
static bool is_on_line(const struct stage *stage, const struct expr *load)
{
    bool is = load->count == stage->rank;
    for (unsigned k = 0; k < stage->rank && is; k++)
        is = k == stage->as.recurrence.axis || load->operand[k] == stage->axis[k].variable;
    return is;
}

/* Samples before, in the order of the recurrence; below 0: that is not one place for all. */
static int64_t lag_of(const struct stage *stage, const struct expr *load)
{
    const unsigned axis = stage->as.recurrence.axis;
    if (!is_on_line(stage, load))
        return -1;
    const struct interval offset =
        recurrence_offset(load->operand[axis], stage->axis[axis].variable);
    const int64_t lag = stage->as.recurrence.reversed ? offset.least : -offset.least;
    return offset.least == offset.greatest && lag <= FEEDBACK_MOST_ORDER ? lag : -1;
}

/* Whether what lies before the line counts as 0. */
static bool begins_at_rest(const struct stage *stage, const struct expr *load)
{
    const struct border *border =
        load->as.load.border ? &load->as.load.border[stage->as.recurrence.axis] : NULL;
    return stage->as.recurrence.unbounded ||
           (border && (border->rule == BORDER_ZERO ||
                       (border->rule == BORDER_CONSTANT && border->value->kind == EXPR_REAL &&
                        border->value->as.real == 0)));
}

/* The coefficients of a value's reads of a stage, by lag; *rest: what is left. */
static bool take_apart(const struct recurrence_forms *f, const struct stage *reader,
                       const struct stage *of, const struct expr *value, int64_t least,
                       long double coefficient[FEEDBACK_MOST_ORDER + 1], int64_t *most,
                       const struct expr **rest)
{
    struct linear_form form;
    bool fits = value && linear_form_of(f->in, f->context->pool, f->context->scratch, value,
                                        is_load_of, (void *)(uintptr_t)of, &form);
    *most = -1;
    for (size_t i = 0; fits && i < form.terms.count; i++) {
        const struct linear_term *term = &form.terms.item[i];
        const int64_t lag = lag_of(reader, term->load);
        fits = term->coefficient->kind == EXPR_REAL && lag >= least &&
               (lag == 0 || begins_at_rest(reader, term->load));
        if (!fits)
            break;
        coefficient[lag] += (long double)term->coefficient->as.real + term->lost;
        *most = lag > *most ? lag : *most;
    }
    *rest = fits ? form.rest : NULL;
    return fits;
}

struct self_search {
    const struct stage *stage;
    const struct expr *load;
};

static void search_self(const struct expr *node, void *user)
{
    struct self_search *search = user;
    if (node->kind == EXPR_LOAD && node->as.load.source == search->stage->id.index)
        search->load = node;
}

/* NULL, or why the stage has no other form. */
static const char *find_form(const struct recurrence_forms *f, const struct stage *stage,
                             struct recurrence_form *form)
{
    struct arena *scratch = f->context->scratch;
    struct self_search search = {.stage = stage};
    if (stage->kind != STAGE_RECURRENCE || stage->element != SCALAR_F64)
        return "it is no recurrence of floats";
    if (!line_reach_of(scratch, stage, stage, stage->as.recurrence.axis).beside)
        return "it reads itself on other lines";
    stage_nodes(stage, scratch, search_self, &search);
    form->stage = form->first = stage;
    form->load = search.load;
    form->filter.tap[0] = 1;
    return take_apart(f, stage, stage, stage->value, 1, form->filter.back, &form->filter.order,
                      &form->enters) &&
                   form->filter.order > 0
               ? NULL
               : "it is no linear recurrence with constant coefficients and 0 before its line";
}

/* ---- Direct ---- */

/* Whether both are of the same samples, by the same names. */
static bool has_samples_of(const struct stage *stage, const struct stage *other)
{
    bool same = stage->rank == other->rank;
    for (unsigned k = 0; same && k < stage->rank; k++)
        same = stage->axis[k].variable == other->axis[k].variable &&
               stage->axis[k].first == other->axis[k].first &&
               stage->axis[k].extent == other->axis[k].extent;
    return same;
}

struct source_search {
    const struct recurrence_forms *f;
    const struct stage *reader, *found;
};

static void search_section(const struct expr *node, void *user)
{
    struct source_search *search = user;
    const struct recurrence_forms *f = search->f;
    if (node->kind != EXPR_LOAD || search->found)
        return;
    const struct stage *stage = f->in->stages.item[node->as.load.source];
    const struct stage *reader = search->reader;
    if (stage->kind == STAGE_RECURRENCE && stage != reader &&
        f->readers[stage->id.index].stages.count == 1 && !graph_output_of(f->in, stage->id) &&
        !stage->schedule && !stage_says_any(stage) && stage->repeat == reader->repeat &&
        has_samples_of(stage, reader) && stage->as.recurrence.axis == reader->as.recurrence.axis &&
        stage->as.recurrence.reversed == reader->as.recurrence.reversed &&
        stage->as.recurrence.unbounded == reader->as.recurrence.unbounded)
        search->found = stage;
}

/* a times b, polynomials of 1 / z up to those orders; false: it is too long. */
static bool multiply(int64_t *order, long double a[], int64_t other, const long double b[])
{
    long double product[2 * FEEDBACK_MOST_ORDER + 1] = {0};
    if (*order + other > FEEDBACK_MOST_ORDER)
        return false;
    for (int64_t i = 0; i <= *order; i++)
        for (int64_t k = 0; k <= other; k++)
            product[i + k] += a[i] * b[k];
    *order += other;
    for (int64_t i = 0; i <= *order; i++)
        a[i] = product[i];
    return true;
}

/* The feedback as the polynomial 1 - back[1] / z - …, or back. */
static void turn_signs(struct linear_filter *filter, bool polynomial)
{
    for (int64_t lag = 1; lag <= filter->order; lag++)
        filter->back[lag] = -filter->back[lag];
    filter->back[0] = polynomial;
}

/* The filter that does what both do, one after the other; false: it is too long. */
static bool join(struct linear_filter *filter, struct linear_filter before)
{
    turn_signs(filter, true);
    turn_signs(&before, true);
    const bool fits = multiply(&filter->taps, filter->tap, before.taps, before.tap) &&
                      multiply(&filter->order, filter->back, before.order, before.back);
    turn_signs(filter, false);
    return fits;
}

/* The section before is one with it; false: there is none. */
static bool fold(const struct recurrence_forms *f, struct recurrence_form *form)
{
    struct arena *scratch = f->context->scratch;
    struct source_search search = {f, form->first, NULL};
    struct expr_walk walk = {.scratch = scratch};
    struct recurrence_form before = {.stage = NULL};
    struct linear_filter whole = form->filter, taps = {.taps = 0};
    const struct expr *rest;
    if (form->enters)
        expr_visit(&walk, form->enters, search_section, &search);
    if (!search.found || find_form(f, search.found, &before) ||
        !take_apart(f, form->first, search.found, form->enters, 0, taps.tap, &taps.taps, &rest) ||
        rest || !join(&whole, taps) || !join(&whole, before.filter))
        return false;
    join(&form->written.item[form->written.count - 1], taps);
    VECTOR_PUSH(scratch, &form->written, before.filter);
    VECTOR_PUSH(scratch, &form->folded, search.found->id.index);
    form->filter = whole;
    form->enters = before.enters;
    form->first = search.found;
    return true;
}

/* Whether one sum loses hardly more digits of f64 than those that it takes the place of. */
static bool is_quiet(const struct recurrence_form *form)
{
    const size_t count = form->written.count;
    struct linear_filter in_turn[FEEDBACK_MOST_ORDER + 1];
    for (size_t i = 0; i < count; i++)
        in_turn[i] = form->written.item[count - 1 - i];
    return filter_is_quiet(filter_noise_in_turn(1, &form->filter),
                           filter_noise_in_turn(count, in_turn));
}

static void round_coefficients(struct linear_filter *filter)
{
    for (int64_t lag = 0; lag <= FEEDBACK_MOST_ORDER; lag++) {
        filter->tap[lag] = (double)filter->tap[lag];
        filter->back[lag] = (double)filter->back[lag];
    }
}

/* NULL, or why they are not one. */
static const char *fold_all(const struct recurrence_forms *f, struct recurrence_form *form,
                            bool narrow)
{
    VECTOR_PUSH(f->context->scratch, &form->written, form->filter);
    while (fold(f, form))
        ;
    if (narrow)
        round_coefficients(&form->filter);
    return form->folded.count == 0 ? "it does not read, alone, a recurrence of the same samples"
           : narrow || is_quiet(form)
               ? NULL
               : "one sum would lose digits that the recurrences keep in turn";
}

/* ---- Which ---- */

/* NULL, or why it cannot have the form. */
static const char *find_realisation(const struct recurrence_forms *f, struct recurrence_form *form)
{
    const bool narrow = form->stage->as.recurrence.narrow;
    switch (form->wanted) {
    case REALISED_DIRECT:
        return fold_all(f, form, narrow);
    case REALISED_CASCADE:
        form->count = sections_in_cascade(&form->filter, narrow, form->section);
        break;
    case REALISED_PARALLEL:
        form->count = sections_in_parallel(&form->filter, narrow, form->section);
        break;
    }
    return form->filter.order < 3 ? "its order is less than 3"
           : form->count > 1      ? NULL
                                  : "its sections would lose digits that the recurrence keeps";
}

static void choose(struct recurrence_forms *f, const struct stage *stage)
{
    const struct detail *said = stage_says(stage, DETAIL_FORM);
    const struct stage *of = said ? recurrence_of(f->in, stage) : NULL;
    struct recurrence_form *form = ARENA_NEW(f->context->scratch, struct recurrence_form);
    if (said)
        form->wanted = (enum realisation)said->value[0];
    const char *problem = !of ? "it is no recurrence"
                          : f->form[of->id.index] || f->folded[of->id.index]
                              ? "its recurrence has another form already"
                              : find_form(f, of, form);
    if (of && !problem)
        problem = find_realisation(f, form);
    if (problem) {
        decline(f->context, stage, DETAIL_FORM, "%s", problem);
        return;
    }
    f->form[of->id.index] = form;
    for (size_t i = 0; i < form->folded.count; i++)
        f->folded[form->folded.item[i]] = true;
    f->obeyed[stage->id.index] = true;
}

struct recurrence_forms recurrence_forms_of(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct recurrence_forms f = {.in = in,
                                 .context = context,
                                 .readers = graph_readers(in, context->scratch),
                                 .form =
                                     ARENA_ARRAY(context->scratch, struct recurrence_form *, count),
                                 .folded = ARENA_ARRAY(context->scratch, bool, count),
                                 .obeyed = ARENA_ARRAY(context->scratch, bool, count)};
    for (size_t i = in->stages.count; i-- > 0;)
        choose(&f, in->stages.item[i]);
    return f;
}
