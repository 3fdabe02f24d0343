/* expand_lines: graph → graph. A recurrence on the whole line becomes one that starts where its box does,
 * from the state that the infinite line gives there.
 *   before: s[x] = in[x clamp] + a s[x - 1] line
 *   after:  s[x] = in[x clamp] + a s[x - 1 constant(edge in[-1 clamp])]        edge = 1 / (1 - a)
 *
 * Where what lies outside is constant (zero, constant, clamp), all recurrences of a chain form a system
 * there that runs by itself: g(q + 1) = M g(q), q growing outward, where g holds the last samples of
 * those that run outward and the constants. One that runs inward is p g(q) with
 * p = force + a1 p M + a2 p M^2 + …, a its feedback. Where it is periodic (wrap, reflect, reflect101), so
 * are all recurrences: with z the state after one period from rest, the state is (1 - A^period)^-1 z; or
 * the state is that after so many samples that what was before them is less than 2^-80 of it.
 * The matrices are small stages, computed once per call, or when compiled (line_algebra.c).
 * Afterwards no stage is posed on a line. */
#include "pass.h"
#include "analysis/recurrence.h"
#include "analysis/regions.h"
#include "graph/line_algebra.h"

#include <assert.h>

enum { MOST_ORDER = 32 };

/* c u(n + offset), u another recurrence of the line. */
struct line_input {
    uint32_t stage; /* in the graph as it was */
    int64_t offset;
    const struct expr *load, *coefficient;
};

struct line {
    bool is_line, periodic, is_read; /* is_read: outside the box, or by another recurrence */
    const struct stage *stage;
    unsigned axis;
    int sign; /* outward, at the side where it starts: -1 causal, 1 anticausal */
    int64_t order;
    int64_t farthest;                            /* offset of an input, or the order */
    const struct expr *feedback[MOST_ORDER + 1]; /* by lag */
    VECTOR(struct line_input) inputs;
    const struct expr *rest; /* of images, or NULL */
    int64_t reach;           /* of the rest, along the axis, to either side */
    int64_t
        settled; /* so far out at the side that is looked at, the rows hold for it and its inputs */
    const struct expr *period;
    const struct expr *first, *end; /* what is computed in the end */
    /* Outside, at the side where it starts: s(q) = inward g(q - shift). At the other side, where it
     * runs outward: s(q) = outward g(q). Rows over all places; known once its stages are made. */
    int64_t shift;
    struct line_matrix inward, outward;
};

struct expansion {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    struct expr_pool *pool;
    struct line *line;    /* by stage */
    uint32_t *place;      /* by stage: its new id */
    unsigned lines, lags; /* g has 1 + lags places for each line: its constant, its last samples */
    unsigned *number;     /* by stage: which line it is */
    enum scalar element;  /* of all states */
};

static const struct expr *integer(struct expansion *e, int64_t value)
{
    return expr_integer(e->pool, value);
}

static const struct expr *plus(struct expansion *e, const struct expr *a, int64_t b)
{
    return region_sum(e->pool, a, integer(e, b), 1);
}

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
    return region_maximum(e->pool, plus(e, twice, -2), integer(e, 1));
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
            line->order = lag > line->order ? lag : line->order;
            line->feedback[lag] = term->coefficient;
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
    line->farthest = line->order > line->farthest ? line->order : line->farthest;
    if (form.rest) {
        struct expr_walk walk = {.scratch = scratch};
        expr_visit(&walk, form.rest, note_reach, &reach);
    }
    if (reach.rule == BORDER_WRAP || reach.rule == BORDER_REFLECT ||
        reach.rule == BORDER_REFLECT101) {
        line->periodic = true;
        line->period = period_of(e, axis, reach.rule);
    }
    line->first = axis->computed_first;
    line->end = region_sum(e->pool, axis->computed_first, axis->computed_extent, 1);
    line->is_read = axis->computed_first != axis->first || axis->computed_extent != axis->extent;
}

/* ---- The system outside ---- */

static unsigned constant_place(const struct expansion *e, uint32_t stage)
{
    return e->number[stage] * (1 + e->lags);
}

static unsigned lag_place(const struct expansion *e, uint32_t stage, int64_t lag)
{
    return constant_place(e, stage) + (unsigned)lag;
}

static unsigned places(const struct expansion *e)
{
    return e->lines * (1 + e->lags);
}

/* One recurrence, and the side where it starts. */
struct outside {
    struct expansion *e;
    const struct line_algebra *algebra;
    int sign;
    VECTOR(uint32_t) member; /* recurrences that it depends on, and itself, in order */
    int64_t reach;           /* so far out g runs by itself */
};

static struct line_matrix no_row(const struct outside *o)
{
    return line_matrix(o->algebra, 1, places(o->e));
}

static void add_row(const struct outside *o, struct line_matrix *sum, const struct expr *factor,
                    const struct line_matrix *row)
{
    for (unsigned j = 0; j < row->columns; j++)
        sum->entry[j] =
            line_sum(o->e->pool, sum->entry[j], line_times(o->e->pool, factor, row->entry[j]));
}

static void add_place(const struct outside *o, struct line_matrix *sum, const struct expr *factor,
                      unsigned place)
{
    sum->entry[place] = line_sum(o->e->pool, sum->entry[place], factor);
}

/* The row of what is one sample further out: row M. */
static struct line_matrix further(const struct outside *o, const struct line_matrix *row)
{
    const struct expansion *e = o->e;
    struct line_matrix next = no_row(o);
    for (size_t m = 0; m < o->member.count; m++) {
        const uint32_t stage = o->member.item[m];
        const unsigned constant = constant_place(e, stage);
        if (row->entry[constant])
            add_place(o, &next, row->entry[constant], constant);
        for (int64_t lag = 1; lag <= e->lags; lag++) {
            const struct expr *factor = row->entry[lag_place(e, stage, lag)];
            if (factor && lag == 1)
                add_row(o, &next, factor, &e->line[stage].outward);
            else if (factor)
                add_place(o, &next, factor, lag_place(e, stage, lag - 1));
        }
    }
    return next;
}

/* The row of what is one sample further in: g(q - 1) holds what g(q) does, one place further on. */
static struct line_matrix nearer(const struct outside *o, const struct line_matrix *row)
{
    const struct expansion *e = o->e;
    struct line_matrix next = no_row(o);
    for (size_t m = 0; m < o->member.count; m++) {
        const uint32_t stage = o->member.item[m];
        next.entry[constant_place(e, stage)] = row->entry[constant_place(e, stage)];
        assert(!row->entry[lag_place(e, stage, e->lags)] && "there are lags enough");
        for (int64_t lag = 1; lag < e->lags; lag++)
            next.entry[lag_place(e, stage, lag + 1)] = row->entry[lag_place(e, stage, lag)];
    }
    return next;
}

/* How far back in g one that runs outward looks for what it reads of one that runs inward. */
static int64_t look_back(const struct line *line, const struct line *source, int64_t offset)
{
    const int64_t back = source->shift - source->sign * offset;
    return source->sign != line->sign && back > 0 ? back : 0;
}

/* sum += factor u(q + offset), as a row for g(q); offset counts outward. */
static void add_input(const struct outside *o, struct line_matrix *sum, uint32_t stage,
                      int64_t offset, const struct expr *factor)
{
    const struct line *line = &o->e->line[stage];
    const bool outward = line->sign != o->sign;
    if (outward && offset < 0) {
        add_place(o, sum, factor, lag_place(o->e, stage, -offset));
        return;
    }
    struct line_matrix row = outward ? line->outward : line->inward;
    const int64_t known = outward ? 0 : line->shift;
    for (int64_t i = known; i < offset; i++)
        row = further(o, &row);
    for (int64_t i = offset; i < known; i++)
        row = nearer(o, &row);
    add_row(o, sum, factor, &row);
}

/* What the recurrence is, at that side, without its own feedback: inputs and the constant. shift: how far
 * inside of the sample g is taken. */
static struct line_matrix forcing(const struct outside *o, uint32_t stage, int64_t shift)
{
    const struct line *line = &o->e->line[stage];
    struct line_matrix row = no_row(o);
    for (size_t i = 0; i < line->inputs.count; i++)
        add_input(o, &row, line->inputs.item[i].stage,
                  o->sign * line->inputs.item[i].offset + shift, line->inputs.item[i].coefficient);
    if (line->rest)
        add_place(o, &row, expr_real(o->e->pool, o->e->element, 1), constant_place(o->e, stage));
    return row;
}

/* ---- Recurrences that run outward at this side ---- */

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

static void find_outward(const struct outside *o, uint32_t stage)
{
    struct line *line = &o->e->line[stage];
    line->outward = forcing(o, stage, 0);
    for (int64_t lag = 1; lag <= line->order; lag++)
        if (line->feedback[lag])
            add_place(o, &line->outward, line->feedback[lag], lag_place(o->e, stage, lag));
}

/* ---- Where one starts that runs inward ---- */

/* The places that the forcing depends on, close together. */
struct used_places {
    unsigned count, *place;
    bool *is_used;
};

static void use_row(struct used_places *used, const struct line_matrix *row)
{
    for (unsigned j = 0; j < row->columns; j++)
        if (row->entry[j] && !used->is_used[j]) {
            used->is_used[j] = true;
            used->place[used->count++] = j;
        }
}

static struct line_matrix step_of_place(const struct outside *o, unsigned place)
{
    struct line_matrix row = no_row(o);
    row.entry[place] = expr_real(o->e->pool, o->e->element, 1);
    return further(o, &row);
}

static struct used_places find_used(const struct outside *o, const struct line_matrix *force)
{
    struct arena *scratch = o->e->context->scratch;
    const unsigned most = places(o->e) + 1;
    struct used_places used = {0, ARENA_ARRAY(scratch, unsigned, most),
                               ARENA_ARRAY(scratch, bool, most)};
    use_row(&used, force);
    for (unsigned i = 0; i < used.count; i++) { /* grows meanwhile */
        const struct line_matrix next = step_of_place(o, used.place[i]);
        use_row(&used, &next);
    }
    return used;
}

static struct line_matrix step_matrix(const struct outside *o, const struct used_places *used)
{
    struct line_matrix M = line_matrix(o->algebra, used->count, used->count);
    for (unsigned i = 0; i < used->count; i++) {
        const struct line_matrix row = step_of_place(o, used->place[i]);
        for (unsigned j = 0; j < used->count; j++)
            *line_entry(&M, i, j) = row.entry[used->place[j]];
    }
    return M;
}

static void find_inward(const struct outside *o, uint32_t stage)
{
    const struct expansion *e = o->e;
    struct line *line = &o->e->line[stage];
    const struct line_matrix force = forcing(o, stage, line->shift);
    const struct used_places used = find_used(o, &force);
    line->inward = no_row(o);
    if (used.count == 0) /* nothing outside */
        return;
    struct line_matrix first_row = line_matrix(o->algebra, 1, used.count);
    for (unsigned j = 0; j < used.count; j++)
        first_row.entry[j] = force.entry[used.place[j]];
    const struct line_matrix M = step_matrix(o, &used);
    const stage_id edge =
        line_solve(o->algebra, (unsigned)line->order, line->feedback, &M, &first_row);
    for (unsigned j = 0; j < used.count; j++) {
        const struct expr *index = integer(o->e, j);
        line->inward.entry[used.place[j]] =
            expr_load(e->pool, edge.index, e->element, (struct interval){0, 0}, 1, &index, NULL);
    }
}

/* ---- Boxes ---- */

static void need(struct expansion *e, struct line *line, const struct expr *first,
                 const struct expr *end)
{
    const struct stage_axis *axis = &line->stage->axis[line->axis];
    if (line->periodic) {
        line->is_read = true;
        line->first = axis->first;
        line->end = region_sum(e->pool, axis->first, line->period, 1);
        return;
    }
    line->first = region_minimum(e->pool, line->first, first);
    line->end = region_maximum(e->pool, line->end, end);
}

/* The first coordinate at the side from which on all that enters is constant. */
static const struct expr *far_out(struct expansion *e, const struct line *line, int sign,
                                  int64_t reach)
{
    const struct stage_axis *axis = &line->stage->axis[line->axis];
    return sign > 0 ? plus(e, region_sum(e->pool, axis->first, axis->extent, 1), reach)
                    : plus(e, axis->first, -1 - reach);
}

static struct outside outside_of(struct expansion *e, const struct line_algebra *a, uint32_t stage,
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
    if (line->periodic && line->is_read)
        need(e, line, NULL, NULL);
    if (!line->periodic) {
        const struct outside o = outside_of(e, NULL, stage, line->sign);
        const struct expr *far = far_out(e, line, line->sign, o.reach);
        if (line->sign > 0)
            line->end = region_maximum(e->pool, line->end, plus(e, far, line->shift));
        else
            line->first = region_minimum(e->pool, line->first, plus(e, far, 1 - line->shift));
        /* The last samples of those that run outward there. */
        const int64_t near = line->shift + e->lags, most = line->order + 1;
        for (size_t m = 0; m < o.member.count; m++) {
            struct line *member = &e->line[o.member.item[m]];
            if (member->sign == line->sign)
                continue;
            if (line->sign > 0)
                need(e, member, plus(e, line->end, -near), plus(e, line->end, most));
            else
                need(e, member, plus(e, line->first, -most), plus(e, line->first, near));
        }
    }
    for (size_t i = 0; i < line->inputs.count; i++)
        need(e, &e->line[line->inputs.item[i].stage],
             plus(e, line->first, line->inputs.item[i].offset),
             plus(e, line->end, line->inputs.item[i].offset));
}

/* ---- New stages ---- */

/* Loads of the graph as it was become those of the graph that is made; variables are replaced. */
struct moving {
    struct expansion *e;
    unsigned count;
    const struct expr *from[GRAPH_MAX_RANK], *to[GRAPH_MAX_RANK];
};

static const struct expr *move(const struct expr *node, void *user)
{
    const struct moving *m = user;
    for (unsigned i = 0; i < m->count; i++)
        if (node == m->from[i])
            return m->to[i];
    if (node->kind != EXPR_LOAD)
        return node;
    const struct line *line = &m->e->line[node->as.load.source];
    struct border border[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; node->as.load.border && k < node->count; k++) {
        border[k] = node->as.load.border[k];
        if (line->is_line && line->periodic && line->is_read && k == line->axis &&
            border[k].rule == BORDER_EXTEND)
            border[k].rule = BORDER_WRAP;
    }
    return expr_load(m->e->pool, m->e->place[node->as.load.source], node->scalar, node->interval,
                     node->count, node->operand, border);
}

static const struct expr *moved(struct moving *m, const struct expr *value)
{
    struct expr_rewriter rewriter = {
        .pool = m->e->pool, .rule = move, .context = m, .scratch = m->e->context->scratch};
    return expr_rewrite(&rewriter, value);
}

/* A coefficient, which may read numbers that are made of parameters. */
static const struct expr *coefficient(struct expansion *e, const struct expr *value)
{
    struct moving m = {.e = e};
    return value && value->kind != EXPR_REAL ? moved(&m, value) : value;
}

/* Before its stages are made: all that it reads has its place. */
static void move_coefficients(struct expansion *e, struct line *line)
{
    for (int64_t lag = 1; lag <= line->order; lag++)
        line->feedback[lag] = coefficient(e, line->feedback[lag]);
    for (size_t i = 0; i < line->inputs.count; i++)
        line->inputs.item[i].coefficient = coefficient(e, line->inputs.item[i].coefficient);
}

static void replace_variable(struct moving *m, const struct expr *from, const struct expr *to)
{
    if (from == to)
        return;
    m->from[m->count] = from;
    m->to[m->count++] = to;
}

/* Far out a rule that gives a value gives it. */
static const struct expr *give_value(const struct expr *node, void *user)
{
    const struct expr *variable = user, *value = NULL;
    for (unsigned k = 0; node->kind == EXPR_LOAD && node->as.load.border && k < node->count; k++) {
        const struct border *border = &node->as.load.border[k];
        const struct affine form = affine_from(node->operand[k]);
        if (affine_coefficient(&form, variable) != 0)
            value = border->value;
        else if (border->rule != BORDER_NONE && k == 0) /* a slower axis may give another one */
            return node;
    }
    return value ? value : node;
}

/* The coordinates of a member, by its axes, where `line` is at its own: they are the same but for the one
 * along the line. False: it does not enter. */
static bool coordinates_of(struct expansion *e, const struct line *line, uint32_t member,
                           const struct expr *by_axis[])
{
    if (line->stage->id.index == member) {
        for (unsigned k = 0; k < line->stage->rank; k++)
            by_axis[k] = line->stage->axis[k].variable;
        return true;
    }
    for (size_t i = 0; i < line->inputs.count; i++) {
        const struct line_input *input = &line->inputs.item[i];
        const struct stage *source = e->in->stages.item[input->stage];
        const struct expr *inner[GRAPH_MAX_RANK];
        if (!coordinates_of(e, &e->line[input->stage], member, inner))
            continue;
        for (unsigned k = 0; k < e->in->stages.item[member]->rank; k++)
            for (unsigned s = 0; s < source->rank; s++)
                if (inner[k] == source->axis[s].variable)
                    by_axis[k] = input->load->operand[s];
        return true;
    }
    return false;
}

/* The constant of a member's rest, where `line` is at its other coordinates. */
static const struct expr *constant_outside(const struct outside *o, const struct line *line,
                                           uint32_t member, const struct expr *const coordinate[])
{
    struct expansion *e = o->e;
    const struct line *own = &e->line[member];
    const struct stage_axis *axis = own->stage->axis;
    struct expr_rewriter rewriter = {.pool = e->pool,
                                     .rule = give_value,
                                     .context = (void *)(uintptr_t)axis[own->axis].variable,
                                     .scratch = e->context->scratch};
    const struct expr *value = expr_rewrite(&rewriter, own->rest);
    struct moving m = {.e = e};
    for (unsigned k = 0; k < own->stage->rank; k++)
        replace_variable(&m, axis[k].variable,
                         k == own->axis ? far_out(e, line, o->sign, o->reach) : coordinate[k]);
    return moved(&m, value);
}

/* What the recurrence is at a place outside, where nothing is computed. */
static const struct expr *value_outside(const struct outside *o, const struct line *line,
                                        const struct expr *place)
{
    struct expansion *e = o->e;
    const struct expr *sum = NULL;
    for (size_t m = 0; m < o->member.count; m++) {
        const uint32_t member = o->member.item[m];
        const struct line *other = &e->line[member];
        const struct expr *coordinate[GRAPH_MAX_RANK], *index[GRAPH_MAX_RANK];
        const struct expr *factor = line->inward.entry[constant_place(e, member)];
        coordinates_of(e, line, member, coordinate);
        if (factor)
            sum = line_sum(
                e->pool, sum,
                line_times(e->pool, factor, constant_outside(o, line, member, coordinate)));
        for (int64_t lag = 1; lag <= e->lags; lag++) {
            struct border border[GRAPH_MAX_RANK] = {0};
            factor = line->inward.entry[lag_place(e, member, lag)];
            if (!factor)
                continue;
            for (unsigned k = 0; k < other->stage->rank; k++)
                index[k] = k == other->axis ? plus(e, place, -o->sign * (line->shift + lag))
                                            : coordinate[k];
            border[other->axis].rule = BORDER_CLAMP; /* it may be asked for inside, for nothing */
            sum = line_sum(
                e->pool, sum,
                line_times(e->pool, factor,
                           expr_load(e->pool, e->place[member], e->element, (struct interval){0, 0},
                                     other->stage->rank, index, border)));
        }
    }
    return sum ? sum : expr_real(e->pool, e->element, 0);
}

/* The stage over another box along its axis, with a coordinate that holds it. */
static struct stage with_box(struct expansion *e, const struct line *line, const struct expr *first,
                             const struct expr *end, struct moving *m)
{
    struct stage stage = *line->stage;
    struct stage_axis *axis = arena_copy(e->context->output, stage.axis, stage.rank * sizeof *axis);
    struct stage_axis *along = &axis[line->axis];
    const struct interval old = along->variable->interval;
    const struct interval wide = {
        first->interval.least < old.least ? first->interval.least : old.least,
        end->interval.greatest - 1 > old.greatest ? end->interval.greatest - 1 : old.greatest};
    along->first = along->computed_first = first;
    along->extent = along->computed_extent = region_sum(e->pool, end, first, -1);
    along->variable = expr_variable(e->pool, VARIABLE_INDEX, along->variable->as.variable.name,
                                    scalar_lane(wide), wide);
    replace_variable(m, line->stage->axis[line->axis].variable, along->variable);
    stage.axis = axis;
    stage.as.recurrence.line = false;
    return stage;
}

/* rest + c u + … + a s, where reads of itself outside its box give `outside` of their place. */
static const struct expr *
value_with(struct expansion *e, const struct line *line, struct moving *m,
           const struct expr *(*outside)(void *context, const struct expr *place), void *context)
{
    const struct stage *stage = line->stage;
    const uint32_t self = (uint32_t)e->out->stages.count;
    const struct expr *sum = line->rest ? moved(m, line->rest) : NULL;
    for (size_t i = 0; i < line->inputs.count; i++) {
        const struct line_input *input = &line->inputs.item[i];
        const struct expr *const three[3] = {input->coefficient, moved(m, input->load), sum};
        sum = sum && input->coefficient->kind != EXPR_REAL
                  ? expr_operation(e->pool, EXPR_FUSED, 3, three)
                  : line_sum(e->pool, sum, line_times(e->pool, three[0], three[1]));
    }
    for (int64_t lag = line->order; lag > 0; lag--) {
        const struct expr *index[GRAPH_MAX_RANK];
        struct border border[GRAPH_MAX_RANK] = {0};
        if (!line->feedback[lag])
            continue;
        for (unsigned k = 0; k < stage->rank; k++)
            index[k] = stage->axis[k].variable;
        index[line->axis] =
            plus(e, m->count ? m->to[0] : stage->axis[line->axis].variable, line->sign * lag);
        border[line->axis] =
            (struct border){.rule = BORDER_CONSTANT, .value = outside(context, index[line->axis])};
        const struct expr *load = expr_load(e->pool, self, e->element, (struct interval){0, 0},
                                            stage->rank, index, border);
        const struct expr *const three[3] = {line->feedback[lag], load, sum};
        sum = sum ? expr_operation(e->pool, EXPR_FUSED, 3, three)
                  : expr_binary(e->pool, EXPR_MULTIPLY, three[0], load);
    }
    return sum;
}

static const struct expr *nothing_outside(void *user, const struct expr *place)
{
    struct expansion *e = user;
    (void)place;
    return expr_real(e->pool, e->element, 0);
}

/* ---- Lines in a constant surrounding ---- */

struct edge {
    const struct outside *outside;
    const struct line *line;
};

static const struct expr *edge_outside(void *user, const struct expr *place)
{
    const struct edge *edge = user;
    return value_outside(edge->outside, edge->line, place);
}

static void expand_constant(struct expansion *e, const struct line_algebra *a, struct line *line)
{
    const uint32_t stage = line->stage->id.index;
    struct moving m = {.e = e};
    const struct outside inward = outside_of(e, a, stage, line->sign);
    const struct outside outward = outside_of(e, a, stage, -line->sign);
    find_inward(&inward, stage);
    find_outward(&outward, stage);
    struct stage state = with_box(e, line, line->first, line->end, &m);
    struct edge edge = {&inward, line};
    state.value = value_with(e, line, &m, edge_outside, &edge);
    e->place[stage] = graph_add_stage(e->context->output, e->out, state).index;
}

/* ---- Periodic lines ---- */

/* Samples after which what was before counts less than 2^-80, for constant coefficients; 0: not known. */
static int64_t memory_of(const struct line *line)
{
    enum { MOST = 1 << 14 };
    double worst = 0, state[MOST_ORDER + 1], a[MOST_ORDER + 1] = {0};
    for (int64_t lag = 1; lag <= line->order; lag++) {
        if (line->feedback[lag] && line->feedback[lag]->kind != EXPR_REAL)
            return 0;
        a[lag] = line->feedback[lag] ? line->feedback[lag]->as.real : 0;
    }
    int64_t memory = 0;
    for (int64_t start = 1; start <= line->order; start++) { /* each state alone */
        int64_t n = 0;
        for (int64_t lag = 1; lag <= line->order; lag++)
            state[lag] = lag == start;
        do {
            double next = 0;
            for (int64_t lag = line->order; lag > 0; lag--) {
                next += a[lag] * state[lag];
                if (lag < line->order)
                    state[lag + 1] = state[lag];
            }
            state[1] = next;
            worst = 0;
            for (int64_t lag = 1; lag <= line->order; lag++)
                worst = state[lag] > worst ? state[lag] : -state[lag] > worst ? -state[lag] : worst;
        } while (worst > 0x1p-80 && ++n < MOST);
        if (n >= MOST)
            return 0;
        memory = n + 1 > memory ? n + 1 : memory;
    }
    return memory;
}

struct period {
    struct expansion *e;
    const struct line *line;
    stage_id start, edge;
    bool is_faded;           /* nothing from before `start` is left: it is the state itself */
    const struct expr *last; /* coordinate of the last sample of `start` */
};

static const struct expr *faded_outside(const struct period *p, const struct expr *place)
{
    const struct stage *stage = p->line->stage;
    const struct expr *index[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    index[p->line->axis] = place;
    border[p->line->axis].rule = BORDER_CLAMP; /* it may be asked for inside, for nothing */
    return expr_load(p->e->pool, p->start.index, p->e->element, (struct interval){0, 0},
                     stage->rank, index, border);
}

/* Of the place before the first sample, lag by lag: edge[lag, l] start[last - l]. */
static const struct expr *periodic_outside(void *user, const struct expr *place)
{
    const struct period *p = user;
    struct expansion *e = p->e;
    const struct stage *stage = p->line->stage;
    const struct expr *sum = NULL;
    if (p->is_faded)
        return faded_outside(p, place);
    const struct expr *lag = p->line->sign < 0 ? region_sum(e->pool, p->last, place, -1)
                                               : region_sum(e->pool, place, p->last, -1);
    for (int64_t l = 0; l < p->line->order; l++) {
        const struct expr *index[GRAPH_MAX_RANK], *const entry[2] = {lag, integer(e, l)};
        struct border clamp[2] = {{.rule = BORDER_CLAMP}}, zero[GRAPH_MAX_RANK] = {0};
        for (unsigned k = 0; k < stage->rank; k++)
            index[k] = stage->axis[k].variable;
        index[p->line->axis] = plus(e, p->last, p->line->sign * l);
        zero[p->line->axis] =
            (struct border){.rule = BORDER_ZERO, .value = expr_real(e->pool, e->element, 0)};
        sum = line_sum(e->pool, sum,
                       expr_binary(e->pool, EXPR_MULTIPLY,
                                   expr_load(e->pool, p->edge.index, e->element,
                                             (struct interval){0, 0}, 2, entry, clamp),
                                   expr_load(e->pool, p->start.index, e->element,
                                             (struct interval){0, 0}, stage->rank, index, zero)));
    }
    return sum;
}

static void expand_periodic(struct expansion *e, const struct line_algebra *a, struct line *line)
{
    struct moving before = {.e = e}, m = {.e = e};
    enum { SHORT_MEMORY = 512 };
    const int64_t memory = memory_of(line);
    const bool is_faded = memory > 0 && memory <= SHORT_MEMORY;
    const struct expr *window = is_faded ? integer(e, memory + line->order)
                                : memory ? region_minimum(e->pool, line->period, integer(e, memory))
                                         : line->period;
    const bool causal = line->sign < 0;
    const struct expr *first = causal ? region_sum(e->pool, line->first, window, -1) : line->end;
    const struct expr *end = causal ? line->first : region_sum(e->pool, line->end, window, 1);
    struct stage start = with_box(e, line, first, end, &before);
    start.name = symbol_format(a->symbols, "%s.start", line->stage->name->text);
    start.value = value_with(e, line, &before, nothing_outside, e);
    struct period period = {.e = e, .line = line, .is_faded = is_faded};
    period.start = graph_add_stage(e->context->output, e->out, start);
    period.last = causal ? plus(e, line->first, -1) : line->end;
    if (!is_faded)
        period.edge = line_periodic(a, (unsigned)line->order, line->feedback, window);
    struct stage state = with_box(e, line, line->first, line->end, &m);
    state.value = value_with(e, line, &m, periodic_outside, &period);
    e->place[line->stage->id.index] = graph_add_stage(e->context->output, e->out, state).index;
}

/* ---- The graph ---- */

static void find_lines(struct expansion *e)
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
    for (size_t i = e->in->stages.count; i-- > 0;) /* readers first */
        if (e->line[i].is_line)
            settle_box(e, (uint32_t)i);
}

static const struct expr *move_whole(const struct expr *node, void *moving)
{
    return moved(moving, node);
}

static void copy_stage(struct expansion *e, const struct stage *old)
{
    struct moving m = {.e = e};
    e->place[old->id.index] = (uint32_t)e->out->stages.count; /* a recurrence reads itself */
    graph_add_stage(e->context->output, e->out,
                    stage_rewrite(e->context->output, old, move_whole, &m));
}

const struct graph *expand_lines(const struct graph *in, struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    const size_t count = in->stages.count + 1;
    struct expansion e = {.in = in,
                          .out = graph_copy(context->output, in),
                          .context = context,
                          .pool = context->pool,
                          .line = ARENA_ARRAY(scratch, struct line, count),
                          .place = ARENA_ARRAY(scratch, uint32_t, count),
                          .number = ARENA_ARRAY(scratch, unsigned, count)};
    find_lines(&e);
    if (e.lines == 0)
        return in;
    e.out->stages.count = e.out->stages.capacity = 0;
    e.out->outputs.count = e.out->outputs.capacity = 0;
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        const struct line_algebra algebra = {
            context->output, context->pool, &context->session->symbols, e.out, stage->name,
            stage->span,     stage->element};
        if (e.line[i].is_line)
            move_coefficients(&e, &e.line[i]);
        if (!e.line[i].is_line)
            copy_stage(&e, stage);
        else if (e.line[i].periodic)
            expand_periodic(&e, &algebra, &e.line[i]);
        else
            expand_constant(&e, &algebra, &e.line[i]);
    }
    for (size_t i = 0; i < e.out->stages.count; i++) {
        struct stage *stage = e.out->stages.item[i];
        if (stage->kind != STAGE_CARRIED)
            continue;
        stage->as.carried.initial.index = e.place[stage->as.carried.initial.index];
        stage->as.carried.next.index = e.place[stage->as.carried.next.index];
    }
    for (size_t i = 0; i < in->outputs.count; i++)
        VECTOR_PUSH(context->output, &e.out->outputs,
                    (struct graph_output){{e.place[in->outputs.item[i].stage.index]},
                                          in->outputs.item[i].name});
    return e.out;
}
