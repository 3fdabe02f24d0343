/* realise_recurrences: graph → graph. Rewrites linear recurrences with constant coefficients in the
 * form that the schedule asks for. All forms give the same samples, up to rounding.
 *   before:   s[x] = in[x] + a s[x - 1] + b s[x - 2] + c s[x - 3]
 *   cascade:  s.section_1[x] = in[x] + d s.section_1[x - 1] + e s.section_1[x - 2]   s[x] = s.section_1[x] + f s[x - 1]
 *   parallel: s.section_1[x] = in[x] + d s.section_1[x - 1] + …   s.section_2[x] = in[x] + f s.section_2[x - 1]
 *             s[x] = g s.section_1[x] + h s.section_1[x - 1] + i s.section_2[x]
 *   direct:   of sections one after another, each read by the next one alone, one recurrence of their product
 * For results of f64 each coefficient has two parts, d s[x - 1] + d' s[x - 1], where d' is the
 * rounding error of d. Otherwise poles near the unit circle would move by far more than the
 * rounding of sums. Afterwards only directives that could not be obeyed are left. */
#include "graph_pass.h"
#include "graph/segments/carry_algebra.h"
#include "graph/recurrence/recurrence_forms.h"

struct realising {
    const struct graph *in;
    struct pass_context *context;
    struct recurrence_forms forms;
    struct graph *out;
    uint32_t *new_id; /* by stage: its new number */
    struct renumbering renumbering;
    struct expr_rewriter moving;
};

static const struct expr *real(const struct realising *r, double value)
{
    return expr_real(r->context->pool, SCALAR_F64, value);
}

/* The coordinate so many samples before x. */
static const struct expr *before(const struct realising *r, const struct stage *stage,
                                 const struct expr *x, int64_t lag)
{
    return lag == 0 ? x
                    : expr_binary(r->context->pool,
                                  stage->as.recurrence.reversed ? EXPR_ADD : EXPR_SUBTRACT, x,
                                  expr_integer(r->context->pool, lag));
}

/* A read on the same line; border: of it, by axis, or NULL. */
static const struct expr *read_before(const struct realising *r, const struct stage *stage,
                                      uint32_t source, int64_t lag, const struct border *border)
{
    const unsigned axis = stage->as.recurrence.axis;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    index[axis] = before(r, stage, index[axis], lag);
    return expr_load(r->context->pool, source, SCALAR_F64, scalar_info[SCALAR_F64].interval,
                     stage->rank, index, border);
}

static const struct expr *read_self(const struct realising *r, const struct recurrence_form *form,
                                    int64_t lag)
{
    return read_before(r, form->stage, (uint32_t)r->out->stages.count, lag,
                       form->load->as.load.border);
}

/* Of a read of another stage on the line: there is 0 before. */
static void rest_before(const struct realising *r, const struct stage *stage,
                        struct border border[GRAPH_MAX_RANK])
{
    for (unsigned k = 0; k < GRAPH_MAX_RANK; k++)
        border[k] = (struct border){.rule = BORDER_NONE};
    border[stage->as.recurrence.axis] =
        stage->as.recurrence.unbounded
            ? (struct border){.rule = BORDER_EXTEND}
            : (struct border){.rule = BORDER_CONSTANT, .value = real(r, 0)};
}

static const struct expr *read_section(const struct realising *r,
                                       const struct recurrence_form *form, uint32_t source,
                                       int64_t lag)
{
    struct border border[GRAPH_MAX_RANK];
    rest_before(r, form->stage, border);
    return read_before(r, form->stage, source, lag,
                       lag || form->stage->as.recurrence.unbounded ? border : NULL);
}

static const struct expr *add_product(const struct realising *r, double factor,
                                      const struct expr *sample, const struct expr *sum)
{
    if (factor == 0)
        return sum;
    return factor == 1 && !sum
               ? sample
               : carry_step(r->context->pool, &carry_reals, real(r, factor), sample, sum);
}

static const struct expr *or_zero(const struct realising *r, const struct expr *sum)
{
    return sum ? sum : real(r, 0);
}

/* The stage that was there, of another kind and value. */
static uint32_t add_last(struct realising *r, const struct recurrence_form *form,
                         enum stage_kind kind, const struct expr *value)
{
    struct stage last = *form->stage;
    last.kind = kind;
    last.value = value;
    last.binding_count = 0;
    if (r->forms.obeyed[last.id.index])
        last.details = details_without(r->context->output, last.details, DETAIL_FORM);
    return graph_add_stage(r->context->output, r->out, last).index;
}

static uint32_t add_made(struct realising *r, const struct recurrence_form *form, const char *part,
                         size_t number, enum stage_kind kind, const struct expr *value)
{
    struct symbol_table *symbols = &r->context->session->symbols;
    struct stage made = *form->stage;
    const char *name = made.name->text;
    made.name = number ? symbol_format(symbols, "%s.%s_%zu", name, part, number)
                       : symbol_format(symbols, "%s.%s", name, part);
    made.kind = kind;
    made.value = value;
    made.binding_count = 0;
    made.is_made = true;
    made.schedule = NULL;
    made.details = NULL;
    if (kind == STAGE_RECURRENCE)
        made.as.recurrence.narrow = false;
    return graph_add_stage(r->context->output, r->out, made).index;
}

enum { COEFFICIENT_PARTS = 2 };

/* Of a coefficient: what f64 holds, and what it leaves of it. */
static double part_of(long double coefficient, unsigned part)
{
    return (double)(part == 0 ? coefficient : coefficient - (double)coefficient);
}

/* All that is small is added to what enters: beside the greater products it would be less than half
 * an ulp, and nothing. */
static const struct expr *add_feedback(const struct realising *r,
                                       const struct recurrence_form *form,
                                       const struct linear_filter *s, const struct expr *sum)
{
    for (unsigned part = COEFFICIENT_PARTS; part-- > 0;)
        for (int64_t lag = 2; lag > 0; lag--)
            sum = add_product(r, part_of(s->back[lag], part), read_self(r, form, lag), sum);
    return or_zero(r, sum);
}

static const struct expr *what_enters(struct realising *r, const struct recurrence_form *form)
{
    return form->enters ? expr_rewrite(&r->moving, form->enters) : real(r, 0);
}

static uint32_t add_cascade(struct realising *r, const struct recurrence_form *form)
{
    const struct expr *input = what_enters(r, form);
    for (size_t s = 0; s + 1 < form->count; s++) {
        const uint32_t made = add_made(r, form, "section", s + 1, STAGE_RECURRENCE,
                                       add_feedback(r, form, &form->section[s], input));
        input = read_section(r, form, made, 0);
    }
    return add_last(r, form, STAGE_RECURRENCE,
                    add_feedback(r, form, &form->section[form->count - 1], input));
}

/* A section, at the place of a read on the same line. */
static const struct expr *read_beside(const struct realising *r, const struct recurrence_form *form,
                                      size_t s, int64_t lag, const struct expr *const index[],
                                      const struct border border[])
{
    const unsigned axis = form->stage->as.recurrence.axis;
    const struct expr *at[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < form->stage->rank; k++)
        at[k] = index[k];
    at[axis] = before(r, form->stage, index[axis], lag);
    return expr_load(r->context->pool, form->made[s], SCALAR_F64, scalar_info[SCALAR_F64].interval,
                     form->stage->rank, at,
                     form->stage->as.recurrence.unbounded || lag ? border : NULL);
}

/* The sum of all sections there. */
static const struct expr *sum_of_sections(const struct realising *r,
                                          const struct recurrence_form *form,
                                          const struct expr *const index[],
                                          const struct border border[])
{
    const struct expr *sum = NULL;
    for (unsigned part = COEFFICIENT_PARTS; part-- > 0;)
        for (size_t s = 0; s < form->count; s++)
            for (int64_t lag = 0; lag < 2; lag++)
                sum = add_product(r, part_of(form->section[s].tap[lag], part),
                                  read_beside(r, form, s, lag, index, border), sum);
    return or_zero(r, sum);
}

static uint32_t add_parallel(struct realising *r, struct recurrence_form *form)
{
    const struct stage *stage = form->stage;
    const struct expr *input = what_enters(r, form);
    const struct expr *index[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK];
    for (size_t s = 0; s < form->count; s++)
        form->made[s] = add_made(r, form, "section", s + 1, STAGE_RECURRENCE,
                                 add_feedback(r, form, &form->section[s], input));
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    rest_before(r, stage, border);
    return add_last(r, form, STAGE_MAP, sum_of_sections(r, form, index, border));
}

/* Unbounded recurrences read each other there alone: sections, in place of their sum. */
static const struct expr *moved(const struct expr *node, void *user)
{
    struct realising *r = user;
    const struct recurrence_form *form =
        node->kind == EXPR_LOAD ? r->forms.form[node->as.load.source] : NULL;
    if (form && form->wanted == REALISED_PARALLEL && form->stage->as.recurrence.unbounded &&
        node->as.load.border &&
        node->as.load.border[form->stage->as.recurrence.axis].rule == BORDER_EXTEND)
        return sum_of_sections(r, form, node->operand, node->as.load.border);
    return graph_renumber_read(node, &r->renumbering);
}

/* What entered so many samples before: of whole lines as the program reads it, elsewhere a stage of
 * its own. */
static const struct expr *read_input(struct realising *r, const struct recurrence_form *form,
                                     const struct expr *input, uint32_t stage, int64_t lag)
{
    const struct stage *of = form->stage;
    return lag == 0 && (of->as.recurrence.unbounded || form->filter.taps == 0) ? input
           : of->as.recurrence.unbounded
               ? expr_substitute(r->context->pool, r->context->scratch, input,
                                 of->axis[of->as.recurrence.axis].variable,
                                 before(r, of, of->axis[of->as.recurrence.axis].variable, lag))
               : read_section(r, form, stage, lag);
}

static uint32_t add_direct(struct realising *r, const struct recurrence_form *form)
{
    const struct expr *input = what_enters(r, form), *sum = NULL;
    uint32_t stage = 0;
    if (form->filter.taps > 0 && !form->stage->as.recurrence.unbounded)
        stage = add_made(r, form, "input", 0, STAGE_MAP, input);
    for (unsigned part = COEFFICIENT_PARTS; part-- > 0;) {
        for (int64_t lag = form->filter.taps; lag >= 0; lag--)
            sum = add_product(r, part_of(form->filter.tap[lag], part),
                              read_input(r, form, input, stage, lag), sum);
        for (int64_t lag = form->filter.order; lag > 0; lag--)
            sum =
                add_product(r, part_of(form->filter.back[lag], part), read_self(r, form, lag), sum);
    }
    return add_last(r, form, STAGE_RECURRENCE, or_zero(r, sum));
}

static uint32_t add_form(struct realising *r, struct recurrence_form *form)
{
    switch (form->wanted) {
    case REALISED_DIRECT:
        return add_direct(r, form);
    case REALISED_CASCADE:
        return add_cascade(r, form);
    case REALISED_PARALLEL:
        return add_parallel(r, form);
    }
    return 0;
}

static uint32_t add_other(struct realising *r, const struct stage *stage)
{
    struct stage other = stage_rewrite(r->context->output, stage, &r->moving);
    if (r->forms.obeyed[stage->id.index])
        other.details = details_without(r->context->output, other.details, DETAIL_FORM);
    return graph_add_stage(r->context->output, r->out, other).index;
}

const struct graph *realise_recurrences(const struct graph *in, struct pass_context *context)
{
    if (!graph_says(in, DETAIL_FORM))
        return in;
    struct realising r = {.in = in,
                          .context = context,
                          .forms = recurrence_forms_of(in, context),
                          .new_id = ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1)};
    r.out = graph_copy_without_stages(context->output, in);
    r.renumbering = (struct renumbering){context->pool, r.new_id};
    r.moving = (struct expr_rewriter){
        .pool = context->pool, .rule = moved, .context = &r, .scratch = context->scratch};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        r.new_id[i] = (uint32_t)r.out->stages.count; /* it reads itself there */
        if (r.forms.form[i])
            r.new_id[i] = add_form(&r, r.forms.form[i]);
        else if (!r.forms.folded[i])
            r.new_id[i] = add_other(&r, stage);
    }
    graph_renumber(context->output, r.out, r.new_id);
    return graph_of_needed(context->output, context->pool, r.out);
}
