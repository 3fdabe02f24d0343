/* What the recurrences on a line are made of, and their boxes. */
#include "graph/lines.h"

#include "graph/recurrence.h"

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
    return search->e->line[source->id.index].is_line &&
           source->axis[source->as.recurrence.axis].name ==
               search->stage->axis[search->stage->as.recurrence.axis].name &&
           load->as.load.border &&
           load->as.load.border[source->as.recurrence.axis].rule == BORDER_EXTEND;
}

static int64_t offset_of(const struct line *line, const struct expr *load, unsigned axis)
{
    return recurrence_offset(load->operand[axis], line->stage->axis[line->axis].variable).least;
}

/* Samples after which what was before counts less than 2^-80, for constant coefficients; 0: not known. */
static int64_t memory_of(const struct line *line)
{
    enum { MOST = 1 << 14, STEPS = 1 << 19 }; /* what is found out in no time */
    const int64_t steps = STEPS / (line->feedback.order * line->feedback.order + 1);
    struct feedback feedback = {.order = line->feedback.order};
    for (int64_t lag = 1; lag <= line->feedback.order; lag++) {
        if (line->feedback.factor[lag] && line->feedback.factor[lag]->kind != EXPR_REAL)
            return 0;
        feedback.a[lag] = line->feedback.factor[lag] ? line->feedback.factor[lag]->as.real : 0;
    }
    return feedback_memory(&feedback, 0x1p-80, steps < MOST ? steps : MOST);
}

enum {
    SHORT = 512,
    SHORTER =
        96,  /* worth no state in closed form either, which other stages would have to wait for */
    MANY = 8 /* recurrences, whose closed form is a large system */
};

static bool has_memory_within(const struct line *line, int64_t most)
{
    return line->memory > 0 && line->memory <= most;
}

struct reach_search {
    struct line *line;
    enum border_rule rule;
};

static void note_reach(const struct expr *node, void *user)
{
    struct reach_search *search = user;
    const struct stage_axis *axis = &search->line->stage->axis[search->line->axis];
    for (unsigned k = 0; node->kind == EXPR_LOAD && k < node->count; k++) {
        const struct affine form = affine_from(node->operand[k]);
        if (affine_coefficient(&form, axis->variable) == 0)
            continue;
        const struct interval offset = recurrence_offset(node->operand[k], axis->variable);
        const int64_t back = -offset.least, ahead = offset.greatest;
        if (back > search->line->reach)
            search->line->reach = back;
        if (ahead > search->line->reach)
            search->line->reach = ahead;
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
    return region_maximum(e->pool, line_plus(e, twice, -2), line_integer(e, 1));
}

static void take_line(struct expansion *e, const struct stage *stage)
{
    struct line *line = &e->line[stage->id.index];
    struct arena *scratch = e->context->scratch;
    struct linear_form form;
    struct term_search search = {e, stage};
    e->element = stage->element;
    *line = (struct line){.is_line = true,
                          .stage = stage,
                          .axis = stage->as.recurrence.axis,
                          .sign = stage->as.recurrence.reversed ? 1 : -1};
    const struct stage_axis *axis = &stage->axis[line->axis];
    linear_form_of(e->in, e->pool, scratch, stage->value, is_on_line, &search, &form);
    struct reach_search reach = {line, BORDER_NONE};
    for (size_t i = 0; i < form.terms.count; i++) {
        const struct linear_term *term = &form.terms.item[i];
        const struct stage *source = e->in->stages.item[term->load->as.load.source];
        if (source == stage) {
            const int64_t offset = offset_of(line, term->load, line->axis);
            const int64_t lag = offset < 0 ? -offset : offset;
            line->feedback.order = lag > line->feedback.order ? lag : line->feedback.order;
            line->feedback.factor[lag] = term->coefficient;
            line->feedback.lost[lag] = term->lost;
            continue;
        }
        const struct line *other = &e->line[source->id.index];
        const int64_t offset = offset_of(line, term->load, other->axis);
        VECTOR_PUSH(scratch, &line->inputs,
                    (struct line_input){source->id.index, offset, term->load, term->coefficient});
        const int64_t far = offset < 0 ? -offset : offset;
        line->farthest = far > line->farthest ? far : line->farthest;
        /* One that starts at the same side is known as of g(q - shift). */
        if (other->sign == line->sign && other->shift - line->sign * offset > line->shift)
            line->shift = other->shift - line->sign * offset;
        line->periodic = line->periodic || other->periodic;
        line->period = other->period ? other->period : line->period;
    }
    line->rest = form.rest;
    line->farthest = line->feedback.order > line->farthest ? line->feedback.order : line->farthest;
    if (form.rest) {
        struct expr_walk walk = {.scratch = scratch};
        expr_visit(&walk, form.rest, note_reach, &reach);
    }
    if (reach.rule == BORDER_WRAP || reach.rule == BORDER_REFLECT ||
        reach.rule == BORDER_REFLECT101) {
        line->periodic = true;
        line->period = period_of(e, axis, reach.rule);
    }
    line->memory = memory_of(line);
    line->fades = line->periodic && has_memory_within(line, SHORT);
    line->first = axis->computed_first;
    line->end = region_sum(e->pool, axis->computed_first, axis->computed_extent, 1);
    line->is_read = axis->computed_first != axis->first || axis->computed_extent != axis->extent;
}

/* How far back in g one that runs outward looks for what it reads of one that runs inward. */
static int64_t look_back(const struct line *line, const struct line *source, int64_t offset)
{
    const int64_t back = source->shift - source->sign * offset;
    return source->sign != line->sign && back > 0 ? back : 0;
}

static void collect_members(struct outside *o, uint32_t stage)
{
    struct line *line = &o->e->line[stage];
    for (size_t i = 0; i < o->member.count; i++)
        if (o->member.item[i] == stage)
            return;
    line->settled = line->reach;
    for (size_t i = 0; i < line->inputs.count; i++) {
        const struct line_input *input = &line->inputs.item[i];
        const struct line *source = &o->e->line[input->stage];
        collect_members(o, input->stage);
        const int64_t back = source->sign == o->sign ? look_back(line, source, input->offset) : 0;
        if (source->settled + back > line->settled)
            line->settled = source->settled + back;
    }
    VECTOR_PUSH(o->e->context->scratch, &o->member, stage);
}

/* ---- Boxes ---- */

static void need(struct expansion *e, struct line *line, const struct expr *first,
                 const struct expr *end)
{
    const struct stage_axis *axis = &line->stage->axis[line->axis];
    if (line->periodic && !line->fades) {
        line->is_read = true;
        line->first = axis->first;
        line->end = region_sum(e->pool, axis->first, line->period, 1);
        return;
    }
    line->first = region_minimum(e->pool, line->first, first);
    line->end = region_maximum(e->pool, line->end, end);
}

const struct expr *line_far_out(struct expansion *e, const struct line *line, int sign,
                                int64_t reach)
{
    const struct stage_axis *axis = &line->stage->axis[line->axis];
    return sign > 0 ? line_plus(e, region_sum(e->pool, axis->first, axis->extent, 1), reach)
                    : line_plus(e, axis->first, -1 - reach);
}

struct outside line_outside(struct expansion *e, const struct line_algebra *a, uint32_t stage,
                            int sign)
{
    struct outside o = {.e = e, .algebra = a, .sign = sign};
    collect_members(&o, stage);
    o.reach = e->line[stage].settled;
    return o;
}

/* Settles the box of a line, whose readers have told what they need, and tells what it needs. */
static void settle_box(struct expansion *e, uint32_t stage)
{
    struct line *line = &e->line[stage];
    if (line->fades && line->sign < 0)
        line->first = line_plus(e, line->first, -line->memory - line->feedback.order);
    else if (line->fades)
        line->end = line_plus(e, line->end, line->memory + line->feedback.order);
    else if (line->periodic && line->is_read)
        need(e, line, NULL, NULL);
    if (!line->periodic && !line->fades) {
        const struct outside o = line_outside(e, NULL, stage, line->sign);
        const struct expr *far = line_far_out(e, line, line->sign, o.reach);
        if (line->sign > 0)
            line->end = region_maximum(e->pool, line->end, line_plus(e, far, line->shift));
        else
            line->first = region_minimum(e->pool, line->first, line_plus(e, far, 1 - line->shift));
        /* The last samples of those that run outward there. */
        const int64_t near = line->shift + e->lags, most = line->feedback.order + 1;
        for (size_t m = 0; m < o.member.count; m++) {
            struct line *member = &e->line[o.member.item[m]];
            if (member->sign == line->sign)
                continue;
            if (line->sign > 0)
                need(e, member, line_plus(e, line->end, -near), line_plus(e, line->end, most));
            else
                need(e, member, line_plus(e, line->first, -most), line_plus(e, line->first, near));
        }
    }
    for (size_t i = 0; i < line->inputs.count; i++)
        need(e, &e->line[line->inputs.item[i].stage],
             line_plus(e, line->first, line->inputs.item[i].offset),
             line_plus(e, line->end, line->inputs.item[i].offset));
}

/* What a periodic line reads is periodic too: a line of constants is, by any period. What one reads that does not fade
 * is needed for a period. */
static void take_period(struct expansion *e, const struct line *line)
{
    for (size_t i = 0; i < line->inputs.count && line->periodic; i++) {
        struct line *input = &e->line[line->inputs.item[i].stage];
        const bool may_fade = !input->periodic || input->fades;
        input->periodic = true;
        input->period = line->period;
        input->fades = line->fades && may_fade && has_memory_within(input, SHORT);
    }
}

/* Where the state outside has a closed form, it is made of all that a chain holds: all of it fades, or none. */
static void fade_together(struct expansion *e)
{
    for (size_t i = 0; i < e->in->stages.count; i++)
        if (e->line[i].is_line && !e->line[i].periodic)
            e->line[i].fades = has_memory_within(&e->line[i], e->lines > MANY ? SHORT : SHORTER);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < e->in->stages.count; i++)
            for (size_t k = 0; k < e->line[i].inputs.count; k++) {
                struct line *line = &e->line[i], *input = &e->line[line->inputs.item[k].stage];
                if (line->periodic || input->periodic || line->fades == input->fades)
                    continue;
                line->fades = input->fades = false;
                changed = true;
            }
    }
}

void lines_find(struct expansion *e)
{
    int64_t farthest = 0, looked_back = 0;
    for (size_t i = 0; i < e->in->stages.count; i++) {
        const struct stage *stage = e->in->stages.item[i];
        if (stage->kind != STAGE_RECURRENCE || !stage->as.recurrence.line)
            continue;
        take_line(e, stage);
        e->number[i] = e->lines++;
        const struct line *line = &e->line[i];
        int64_t back = 0;
        for (size_t k = 0; k < line->inputs.count; k++) {
            const struct line_input *input = &line->inputs.item[k];
            const int64_t here = look_back(line, &e->line[input->stage], input->offset);
            back = here > back ? here : back;
        }
        looked_back += back;
        farthest = line->farthest > farthest ? line->farthest : farthest;
    }
    e->lags = (unsigned)(farthest + looked_back);
    fade_together(e);
    for (size_t i = e->in->stages.count; i-- > 0;) { /* readers first */
        if (!e->line[i].is_line)
            continue;
        take_period(e, &e->line[i]);
        settle_box(e, (uint32_t)i);
    }
}
