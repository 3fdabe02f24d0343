/* What the recurrences on a line are made of, and their boxes. */
#include "graph/unbounded/unbounded.h"

#include "graph/recurrence/recurrence.h"

/* ---- What a line recurrence is made of ---- */

struct term_search {
    struct expansion *e;
    const struct stage *stage;
};

static bool is_on_line(const struct expr *load, void *user)
{
    const struct term_search *search = user;
    const struct stage *source = search->e->in->stages.item[load->as.load.source];
    if (source == search->stage)
        return true;
    return search->e->recurrence[source->id.index].is_unbounded &&
           source->axis[source->as.recurrence.axis].name ==
               search->stage->axis[search->stage->as.recurrence.axis].name &&
           load->as.load.border &&
           load->as.load.border[source->as.recurrence.axis].rule == BORDER_EXTEND;
}

static int64_t offset_of(const struct unbounded *recurrence, const struct expr *load, unsigned axis)
{
    return recurrence_offset(load->operand[axis],
                             recurrence->stage->axis[recurrence->axis].variable)
        .least;
}

/* Samples after which what was before counts less than 2^-80, for constant coefficients; 0: not
 * known. */
static int64_t memory_of(const struct unbounded *recurrence)
{
    enum { MOST = 1 << 14, STEPS = 1 << 19 }; /* what is found out in no time */
    const int64_t steps = STEPS / (recurrence->feedback.order * recurrence->feedback.order + 1);
    struct feedback feedback = {.order = recurrence->feedback.order};
    for (int64_t lag = 1; lag <= recurrence->feedback.order; lag++) {
        if (recurrence->feedback.factor[lag] && recurrence->feedback.factor[lag]->kind != EXPR_REAL)
            return 0;
        feedback.a[lag] =
            recurrence->feedback.factor[lag] ? recurrence->feedback.factor[lag]->as.real : 0;
    }
    return feedback_memory(&feedback, 0x1p-80, steps < MOST ? steps : MOST);
}

enum {
    SHORT = 512,
    SHORTER =
        96,  /* worth no state in closed form either, which other stages would have to wait for */
    MANY = 8 /* recurrences, whose closed form is a large system */
};

static bool has_memory_within(const struct unbounded *recurrence, int64_t most)
{
    return recurrence->memory > 0 && recurrence->memory <= most;
}

struct reach_search {
    struct unbounded *recurrence;
    enum border_rule rule;
};

static void note_reach(const struct expr *node, void *user)
{
    struct reach_search *search = user;
    const struct stage_axis *axis = &search->recurrence->stage->axis[search->recurrence->axis];
    for (unsigned k = 0; node->kind == EXPR_LOAD && k < node->count; k++) {
        const struct affine form = affine_from(node->operand[k]);
        if (affine_coefficient(&form, axis->variable) == 0)
            continue;
        const struct interval offset = recurrence_offset(node->operand[k], axis->variable);
        const int64_t back = -offset.least, ahead = offset.greatest;
        if (back > search->recurrence->reach)
            search->recurrence->reach = back;
        if (ahead > search->recurrence->reach)
            search->recurrence->reach = ahead;
        if (node->as.load.border)
            search->rule = node->as.load.border[k].rule;
    }
}

static const struct expr *period_of(struct expansion *e, const struct stage_axis *axis,
                                    enum border_rule rule)
{
    const struct expr *twice = region_sum(e->pool, axis->extent, axis->extent, 1);
    if (rule == BORDER_WRAP)
        return axis->extent;
    if (rule == BORDER_REFLECT)
        return twice;
    return region_maximum(e->pool, unbounded_plus(e, twice, -2), unbounded_integer(e, 1));
}

static void take_unbounded(struct expansion *e, const struct stage *stage)
{
    struct unbounded *recurrence = &e->recurrence[stage->id.index];
    struct arena *scratch = e->context->scratch;
    struct linear_form form;
    struct term_search search = {e, stage};
    e->element = stage->element;
    *recurrence = (struct unbounded){.is_unbounded = true,
                                     .stage = stage,
                                     .axis = stage->as.recurrence.axis,
                                     .sign = stage->as.recurrence.reversed ? 1 : -1};
    const struct stage_axis *axis = &stage->axis[recurrence->axis];
    linear_form_of(e->in, e->pool, scratch, stage->value, is_on_line, &search, &form);
    struct reach_search reach = {recurrence, BORDER_NONE};
    for (size_t i = 0; i < form.terms.count; i++) {
        const struct linear_term *term = &form.terms.item[i];
        const struct stage *source = e->in->stages.item[term->load->as.load.source];
        if (source == stage) {
            const int64_t offset = offset_of(recurrence, term->load, recurrence->axis);
            const int64_t lag = offset < 0 ? -offset : offset;
            recurrence->feedback.order =
                lag > recurrence->feedback.order ? lag : recurrence->feedback.order;
            recurrence->feedback.factor[lag] = term->coefficient;
            recurrence->feedback.lost[lag] = term->lost;
            continue;
        }
        const struct unbounded *other = &e->recurrence[source->id.index];
        const int64_t offset = offset_of(recurrence, term->load, other->axis);
        VECTOR_PUSH(
            scratch, &recurrence->inputs,
            (struct unbounded_input){source->id.index, offset, term->load, term->coefficient});
        const int64_t far = offset < 0 ? -offset : offset;
        recurrence->farthest = far > recurrence->farthest ? far : recurrence->farthest;
        /* One that starts at the same side is known as of g(q - shift). */
        if (other->sign == recurrence->sign &&
            other->shift - recurrence->sign * offset > recurrence->shift)
            recurrence->shift = other->shift - recurrence->sign * offset;
        recurrence->periodic = recurrence->periodic || other->periodic;
        recurrence->period = other->period ? other->period : recurrence->period;
    }
    recurrence->rest = form.rest;
    recurrence->farthest = recurrence->feedback.order > recurrence->farthest
                               ? recurrence->feedback.order
                               : recurrence->farthest;
    if (form.rest) {
        expr_nodes(scratch, form.rest, note_reach, &reach);
    }
    if (reach.rule == BORDER_WRAP || reach.rule == BORDER_REFLECT ||
        reach.rule == BORDER_REFLECT101) {
        recurrence->periodic = true;
        recurrence->period = period_of(e, axis, reach.rule);
    }
    recurrence->memory = memory_of(recurrence);
    recurrence->fades = recurrence->periodic && has_memory_within(recurrence, SHORT);
    recurrence->first = axis->computed_first;
    recurrence->end = region_sum(e->pool, axis->computed_first, axis->computed_extent, 1);
    recurrence->is_read =
        axis->computed_first != axis->first || axis->computed_extent != axis->extent;
}

/* How far back in g one that runs outward looks for what it reads of one that runs inward. */
static int64_t look_back(const struct unbounded *recurrence, const struct unbounded *source,
                         int64_t offset)
{
    const int64_t back = source->shift - source->sign * offset;
    return source->sign != recurrence->sign && back > 0 ? back : 0;
}

static void collect_members(struct outside *o, uint32_t stage)
{
    struct unbounded *recurrence = &o->e->recurrence[stage];
    for (size_t i = 0; i < o->member.count; i++)
        if (o->member.item[i] == stage)
            return;
    recurrence->settled = recurrence->reach;
    for (size_t i = 0; i < recurrence->inputs.count; i++) {
        const struct unbounded_input *input = &recurrence->inputs.item[i];
        const struct unbounded *source = &o->e->recurrence[input->stage];
        collect_members(o, input->stage);
        const int64_t back =
            source->sign == o->sign ? look_back(recurrence, source, input->offset) : 0;
        if (source->settled + back > recurrence->settled)
            recurrence->settled = source->settled + back;
    }
    VECTOR_PUSH(o->e->context->scratch, &o->member, stage);
}

/* ---- Boxes ---- */

static void need(struct expansion *e, struct unbounded *recurrence, const struct expr *first,
                 const struct expr *end)
{
    const struct stage_axis *axis = &recurrence->stage->axis[recurrence->axis];
    if (recurrence->periodic && !recurrence->fades) {
        recurrence->is_read = true;
        recurrence->first = axis->first;
        recurrence->end = region_sum(e->pool, axis->first, recurrence->period, 1);
        return;
    }
    recurrence->first = region_minimum(e->pool, recurrence->first, first);
    recurrence->end = region_maximum(e->pool, recurrence->end, end);
}

const struct expr *unbounded_far_out(struct expansion *e, const struct unbounded *recurrence,
                                     int sign, int64_t reach)
{
    const struct stage_axis *axis = &recurrence->stage->axis[recurrence->axis];
    return sign > 0 ? unbounded_plus(e, region_sum(e->pool, axis->first, axis->extent, 1), reach)
                    : unbounded_plus(e, axis->first, -1 - reach);
}

struct outside unbounded_outside(struct expansion *e, const struct matrix_algebra *a,
                                 uint32_t stage, int sign)
{
    struct outside o = {.e = e, .algebra = a, .sign = sign};
    collect_members(&o, stage);
    o.reach = e->recurrence[stage].settled;
    return o;
}

/* Settles the box of a line from what its readers need, and notes what the line needs itself. */
static void settle_box(struct expansion *e, uint32_t stage)
{
    struct unbounded *recurrence = &e->recurrence[stage];
    if (recurrence->fades && recurrence->sign < 0)
        recurrence->first =
            unbounded_plus(e, recurrence->first, -recurrence->memory - recurrence->feedback.order);
    else if (recurrence->fades)
        recurrence->end =
            unbounded_plus(e, recurrence->end, recurrence->memory + recurrence->feedback.order);
    else if (recurrence->periodic && recurrence->is_read)
        need(e, recurrence, NULL, NULL);
    if (!recurrence->periodic && !recurrence->fades) {
        const struct outside o = unbounded_outside(e, NULL, stage, recurrence->sign);
        const struct expr *far = unbounded_far_out(e, recurrence, recurrence->sign, o.reach);
        if (recurrence->sign > 0)
            recurrence->end =
                region_maximum(e->pool, recurrence->end, unbounded_plus(e, far, recurrence->shift));
        else
            recurrence->first = region_minimum(e->pool, recurrence->first,
                                               unbounded_plus(e, far, 1 - recurrence->shift));
        /* The last samples of those that run outward there. */
        const int64_t near = recurrence->shift + e->lags, most = recurrence->feedback.order + 1;
        for (size_t m = 0; m < o.member.count; m++) {
            struct unbounded *member = &e->recurrence[o.member.item[m]];
            if (member->sign == recurrence->sign)
                continue;
            if (recurrence->sign > 0)
                need(e, member, unbounded_plus(e, recurrence->end, -near),
                     unbounded_plus(e, recurrence->end, most));
            else
                need(e, member, unbounded_plus(e, recurrence->first, -most),
                     unbounded_plus(e, recurrence->first, near));
        }
    }
    for (size_t i = 0; i < recurrence->inputs.count; i++)
        need(e, &e->recurrence[recurrence->inputs.item[i].stage],
             unbounded_plus(e, recurrence->first, recurrence->inputs.item[i].offset),
             unbounded_plus(e, recurrence->end, recurrence->inputs.item[i].offset));
}

/* What a periodic line reads is periodic too: a line of constants is, by any period. What one reads
 * that does not fade is needed for a period. */
static void take_period(struct expansion *e, const struct unbounded *recurrence)
{
    for (size_t i = 0; i < recurrence->inputs.count && recurrence->periodic; i++) {
        struct unbounded *input = &e->recurrence[recurrence->inputs.item[i].stage];
        const bool may_fade = !input->periodic || input->fades;
        input->periodic = true;
        input->period = recurrence->period;
        input->fades = recurrence->fades && may_fade && has_memory_within(input, SHORT);
    }
}

/* Where the state outside has a closed form, it is made of all that a chain holds: all of it fades,
 * or none. */
static void fade_together(struct expansion *e)
{
    for (size_t i = 0; i < e->in->stages.count; i++)
        if (e->recurrence[i].is_unbounded && !e->recurrence[i].periodic)
            e->recurrence[i].fades =
                has_memory_within(&e->recurrence[i], e->recurrences > MANY ? SHORT : SHORTER);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < e->in->stages.count; i++)
            for (size_t k = 0; k < e->recurrence[i].inputs.count; k++) {
                struct unbounded *recurrence = &e->recurrence[i],
                                 *input = &e->recurrence[recurrence->inputs.item[k].stage];
                if (recurrence->periodic || input->periodic || recurrence->fades == input->fades)
                    continue;
                recurrence->fades = input->fades = false;
                changed = true;
            }
    }
}

void unbounded_find_all(struct expansion *e)
{
    int64_t farthest = 0, looked_back = 0;
    for (size_t i = 0; i < e->in->stages.count; i++) {
        const struct stage *stage = e->in->stages.item[i];
        if (stage->kind != STAGE_RECURRENCE || !stage->as.recurrence.unbounded)
            continue;
        take_unbounded(e, stage);
        e->number[i] = e->recurrences++;
        const struct unbounded *recurrence = &e->recurrence[i];
        int64_t back = 0;
        for (size_t k = 0; k < recurrence->inputs.count; k++) {
            const struct unbounded_input *input = &recurrence->inputs.item[k];
            const int64_t here = look_back(recurrence, &e->recurrence[input->stage], input->offset);
            back = here > back ? here : back;
        }
        looked_back += back;
        farthest = recurrence->farthest > farthest ? recurrence->farthest : farthest;
    }
    e->lags = (unsigned)(farthest + looked_back);
    fade_together(e);
    for (size_t i = e->in->stages.count; i-- > 0;) { /* readers first */
        if (!e->recurrence[i].is_unbounded)
            continue;
        take_period(e, &e->recurrence[i]);
        settle_box(e, (uint32_t)i);
    }
}
