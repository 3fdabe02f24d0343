/* expand_unbounded: graph → graph. Turns an unbounded recurrence into one that starts at its box,
 * from the state that the infinite line has there.
 *   before: s[x] = in[x clamp] + a s[x - 1] line
 *   after:  s[x] = in[x clamp] + a s[x - 1 constant(edge in[-1 clamp])]        edge = 1 / (1 - a)
 *
 * Where what lies outside is constant (zero, constant, clamp), all recurrences of a chain form a
 * system there that runs by itself: g(q + 1) = M g(q), q growing outward, where g holds the last
 * samples of those that run outward and the constants. One that runs inward is p g(q) with p =
 * force + a1 p M + a2 p M^2 + …, a its feedback. Where it is periodic (wrap, reflect,
 * reflect101), so are all recurrences: with z the state after one period from rest, the state is
 * (1 - A^period)^-1 z. Where the past fades soon, a line is at rest so far out that what was
 * before is less than 2^-80 of the state. The matrices are small stages, computed once per call,
 * or when compiled (unbounded.c, unbounded_outside.c, matrix_algebra.c). Afterwards no stage is
 * unbounded. */
#include "graph/unbounded/unbounded.h"
#include "graph/recurrence/recurrence.h"

/* ---- New stages ---- */

/* Loads of the graph as it was become those of the graph that is made; variables are replaced. */
struct moving {
    struct expansion *e;
    unsigned count;
    const struct expr *from[GRAPH_MAX_RANK], *to[GRAPH_MAX_RANK];
    /* A recurrence reads itself at the next stage that is made, and outside its box what this says
     * of the place; or NULL. */
    const struct unbounded *own;
    const struct expr *(*outside)(void *context, const struct expr *place);
    void *context;
    const struct expr_rewriter *rewriter; /* that is at work */
};

/* original: where there is one sample along the line, its coordinate is a number, and tells the
 * place in this box alone. */
static const struct expr *move_own(const struct moving *m, const struct expr *original,
                                   const struct expr *load)
{
    const unsigned axis = m->own->axis;
    const struct expr *variable = m->own->stage->axis[axis].variable, *index[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < load->count; k++)
        index[k] = load->operand[k];
    index[axis] = unbounded_plus(m->e, m->count ? m->to[0] : variable,
                                 recurrence_offset(original->operand[axis], variable).least);
    border[axis] =
        (struct border){.rule = BORDER_CONSTANT, .value = m->outside(m->context, index[axis])};
    return expr_load(m->e->pool, (uint32_t)m->e->out->stages.count, load->scalar, load->interval,
                     load->count, index, border);
}

static const struct expr *move(const struct expr *node, void *user)
{
    const struct moving *m = user;
    for (unsigned i = 0; i < m->count; i++)
        if (node == m->from[i])
            return m->to[i];
    if (node->kind != EXPR_LOAD)
        return node;
    if (m->own && node->as.load.source == m->own->stage->id.index)
        return move_own(m, m->rewriter->original, node);
    const struct unbounded *recurrence = &m->e->recurrence[node->as.load.source];
    struct border border[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; node->as.load.border && k < node->count; k++) {
        border[k] = node->as.load.border[k];
        if (recurrence->is_unbounded && recurrence->periodic && !recurrence->fades &&
            recurrence->is_read && k == recurrence->axis && border[k].rule == BORDER_EXTEND)
            border[k].rule = BORDER_WRAP;
    }
    return expr_load(m->e->pool, m->e->new_id[node->as.load.source], node->scalar, node->interval,
                     node->count, node->operand, border);
}

static struct expr_rewriter mover(struct moving *m)
{
    return (struct expr_rewriter){
        .pool = m->e->pool, .rule = move, .context = m, .scratch = m->e->context->scratch};
}

static const struct expr *moved(struct moving *m, const struct expr *value)
{
    struct expr_rewriter rewriter = mover(m);
    m->rewriter = &rewriter;
    return expr_rewrite(&rewriter, value);
}

/* A coefficient, which may read numbers that are made of parameters. */
static const struct expr *coefficient(struct expansion *e, const struct expr *value)
{
    struct moving m = {.e = e};
    return value && value->kind != EXPR_REAL ? moved(&m, value) : value;
}

/* Before its stages are made: all that it reads has its place. */
static void move_coefficients(struct expansion *e, struct unbounded *recurrence)
{
    for (int64_t lag = 1; lag <= recurrence->feedback.order; lag++)
        recurrence->feedback.factor[lag] = coefficient(e, recurrence->feedback.factor[lag]);
    for (size_t i = 0; i < recurrence->inputs.count; i++)
        recurrence->inputs.item[i].coefficient =
            coefficient(e, recurrence->inputs.item[i].coefficient);
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

/* The coordinates of a member, by its axes, where `line` is at its own: they are the same but for
 * the one along the line. False: it does not enter. */
static bool coordinates_of(struct expansion *e, const struct unbounded *recurrence, uint32_t member,
                           const struct expr *by_axis[])
{
    if (recurrence->stage->id.index == member) {
        for (unsigned k = 0; k < recurrence->stage->rank; k++)
            by_axis[k] = recurrence->stage->axis[k].variable;
        return true;
    }
    for (size_t i = 0; i < recurrence->inputs.count; i++) {
        const struct unbounded_input *input = &recurrence->inputs.item[i];
        const struct stage *source = e->in->stages.item[input->stage];
        const struct expr *inner[GRAPH_MAX_RANK];
        if (!coordinates_of(e, &e->recurrence[input->stage], member, inner))
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
static const struct expr *constant_outside(const struct outside *o,
                                           const struct unbounded *recurrence, uint32_t member,
                                           const struct expr *const coordinate[])
{
    struct expansion *e = o->e;
    const struct unbounded *own = &e->recurrence[member];
    const struct stage_axis *axis = own->stage->axis;
    struct expr_rewriter rewriter = {.pool = e->pool,
                                     .rule = give_value,
                                     .context = (void *)(uintptr_t)axis[own->axis].variable,
                                     .scratch = e->context->scratch};
    const struct expr *value = expr_rewrite(&rewriter, own->rest);
    struct moving m = {.e = e};
    for (unsigned k = 0; k < own->stage->rank; k++)
        replace_variable(&m, axis[k].variable,
                         k == own->axis ? unbounded_far_out(e, recurrence, o->sign, o->reach)
                                        : coordinate[k]);
    return moved(&m, value);
}

/* What the recurrence is at a place outside, where nothing is computed. */
static const struct expr *value_outside(const struct outside *o, const struct unbounded *recurrence,
                                        const struct expr *place)
{
    struct expansion *e = o->e;
    const struct expr *sum = NULL;
    for (size_t m = 0; m < o->member.count; m++) {
        const uint32_t member = o->member.item[m];
        const struct unbounded *other = &e->recurrence[member];
        const struct expr *coordinate[GRAPH_MAX_RANK], *index[GRAPH_MAX_RANK];
        const struct expr *factor = recurrence->inward.entry[unbounded_constant_place(e, member)];
        coordinates_of(e, recurrence, member, coordinate);
        if (factor)
            sum = entry_sum(
                e->pool, sum,
                entry_times(e->pool, factor, constant_outside(o, recurrence, member, coordinate)));
        for (int64_t lag = 1; lag <= e->lags; lag++) {
            struct border border[GRAPH_MAX_RANK] = {0};
            factor = recurrence->inward.entry[unbounded_lag_place(e, member, lag)];
            if (!factor)
                continue;
            for (unsigned k = 0; k < other->stage->rank; k++)
                index[k] = k == other->axis
                               ? unbounded_plus(e, place, -o->sign * (recurrence->shift + lag))
                               : coordinate[k];
            border[other->axis].rule = BORDER_CLAMP; /* it may be asked for inside, for nothing */
            sum = entry_sum(
                e->pool, sum,
                entry_times(e->pool, factor,
                            expr_load(e->pool, e->new_id[member], e->element,
                                      (struct interval){0, 0}, other->stage->rank, index, border)));
        }
    }
    return sum ? sum : expr_real(e->pool, e->element, 0);
}

/* The stage over another box along its axis, with a coordinate that holds it. */
static struct stage with_box(struct expansion *e, const struct unbounded *recurrence,
                             const struct expr *first, const struct expr *end, struct moving *m)
{
    struct stage stage = *recurrence->stage;
    struct stage_axis *axis = arena_copy(e->context->output, stage.axis, stage.rank * sizeof *axis);
    struct stage_axis *along = &axis[recurrence->axis];
    const struct interval old = along->variable->interval;
    const struct interval wide = {
        first->interval.least < old.least ? first->interval.least : old.least,
        end->interval.greatest - 1 > old.greatest ? end->interval.greatest - 1 : old.greatest};
    along->first = along->computed_first = first;
    along->extent = along->computed_extent = region_sum(e->pool, end, first, -1);
    along->variable = expr_variable(e->pool, VARIABLE_INDEX, along->variable->as.variable.name,
                                    scalar_width(wide), wide);
    replace_variable(m, recurrence->stage->axis[recurrence->axis].variable, along->variable);
    stage.axis = axis;
    stage.as.recurrence.unbounded = false;
    return stage;
}

/* The value, where reads of itself outside its box give `outside` of their place. */
static const struct expr *
value_with(const struct unbounded *recurrence, struct moving *m,
           const struct expr *(*outside)(void *context, const struct expr *place), void *context)
{
    m->own = recurrence;
    m->outside = outside;
    m->context = context;
    return moved(m, recurrence->stage->value);
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
    const struct unbounded *recurrence;
};

static const struct expr *edge_outside(void *user, const struct expr *place)
{
    const struct edge *edge = user;
    return value_outside(edge->outside, edge->recurrence, place);
}

static void expand_constant(struct expansion *e, const struct matrix_algebra *a,
                            struct unbounded *recurrence)
{
    const uint32_t stage = recurrence->stage->id.index;
    struct moving m = {.e = e};
    const struct outside inward = unbounded_outside(e, a, stage, recurrence->sign);
    const struct outside outward = unbounded_outside(e, a, stage, -recurrence->sign);
    unbounded_find_inward(&inward, stage);
    unbounded_find_outward(&outward, stage);
    struct stage state = with_box(e, recurrence, recurrence->first, recurrence->end, &m);
    struct edge edge = {&inward, recurrence};
    state.value = value_with(recurrence, &m, edge_outside, &edge);
    e->new_id[stage] = graph_add_stage(e->context->output, e->out, state).index;
}

/* ---- Periodic lines ---- */

struct period {
    struct expansion *e;
    const struct unbounded *recurrence;
    stage_id start, edge;
    const struct expr *last; /* coordinate of the last sample of `start` */
};

/* Of the place before the first sample, lag by lag: edge[lag, l] start[last - l]. */
static const struct expr *periodic_outside(void *user, const struct expr *place)
{
    const struct period *p = user;
    struct expansion *e = p->e;
    const struct stage *stage = p->recurrence->stage;
    const struct expr *sum = NULL;
    const struct expr *lag = p->recurrence->sign < 0 ? region_sum(e->pool, p->last, place, -1)
                                                     : region_sum(e->pool, place, p->last, -1);
    for (int64_t l = 0; l < p->recurrence->feedback.order; l++) {
        const struct expr *index[GRAPH_MAX_RANK], *const entry[2] = {lag, unbounded_integer(e, l)};
        struct border clamp[2] = {{.rule = BORDER_CLAMP}}, zero[GRAPH_MAX_RANK] = {0};
        for (unsigned k = 0; k < stage->rank; k++)
            index[k] = stage->axis[k].variable;
        index[p->recurrence->axis] = unbounded_plus(e, p->last, p->recurrence->sign * l);
        zero[p->recurrence->axis] =
            (struct border){.rule = BORDER_ZERO, .value = expr_real(e->pool, e->element, 0)};
        sum = entry_sum(e->pool, sum,
                        expr_binary(e->pool, EXPR_MULTIPLY,
                                    expr_load(e->pool, p->edge.index, e->element,
                                              (struct interval){0, 0}, 2, entry, clamp),
                                    expr_load(e->pool, p->start.index, e->element,
                                              (struct interval){0, 0}, stage->rank, index, zero)));
    }
    return sum;
}

static void expand_periodic(struct expansion *e, const struct matrix_algebra *a,
                            struct unbounded *recurrence)
{
    struct moving before = {.e = e}, m = {.e = e};
    const struct expr *window =
        recurrence->memory
            ? region_minimum(e->pool, recurrence->period, unbounded_integer(e, recurrence->memory))
            : recurrence->period;
    const bool causal = recurrence->sign < 0;
    const struct expr *first =
        causal ? region_sum(e->pool, recurrence->first, window, -1) : recurrence->end;
    const struct expr *end =
        causal ? recurrence->first : region_sum(e->pool, recurrence->end, window, 1);
    struct stage start = with_box(e, recurrence, first, end, &before);
    start.name = symbol_format(a->symbols, "%s.start", recurrence->stage->name->text);
    start.schedule = NULL; /* what the program says is about the line itself */
    start.value = value_with(recurrence, &before, nothing_outside, e);
    struct period period = {.e = e, .recurrence = recurrence};
    period.start = graph_add_stage(e->context->output, e->out, start);
    period.last = causal ? unbounded_plus(e, recurrence->first, -1) : recurrence->end;
    period.edge = matrix_periodic(a, &recurrence->feedback, window);
    struct stage state = with_box(e, recurrence, recurrence->first, recurrence->end, &m);
    state.value = value_with(recurrence, &m, periodic_outside, &period);
    e->new_id[recurrence->stage->id.index] =
        graph_add_stage(e->context->output, e->out, state).index;
}

/* ---- Lines that fade ---- */

/* From rest at the end of a box that begins so far out that it does not matter. */
static void expand_faded(struct expansion *e, struct unbounded *recurrence)
{
    struct moving m = {.e = e};
    struct stage state = with_box(e, recurrence, recurrence->first, recurrence->end, &m);
    state.value = value_with(recurrence, &m, nothing_outside, e);
    e->new_id[recurrence->stage->id.index] =
        graph_add_stage(e->context->output, e->out, state).index;
}

/* ---- The graph ---- */

static void copy_stage(struct expansion *e, const struct stage *old)
{
    struct moving m = {.e = e};
    struct expr_rewriter rewriter = mover(&m);
    e->new_id[old->id.index] = (uint32_t)e->out->stages.count; /* a recurrence reads itself */
    graph_add_stage(e->context->output, e->out, stage_rewrite(e->context->output, old, &rewriter));
}

const struct graph *expand_unbounded(const struct graph *in, struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    const size_t count = in->stages.count + 1;
    struct expansion e = {.in = in,
                          .out = graph_copy_without_stages(context->output, in),
                          .context = context,
                          .pool = context->pool,
                          .recurrence = ARENA_ARRAY(scratch, struct unbounded, count),
                          .new_id = ARENA_ARRAY(scratch, uint32_t, count),
                          .number = ARENA_ARRAY(scratch, unsigned, count)};
    unbounded_find_all(&e);
    if (e.recurrences == 0)
        return in;
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        const struct matrix_algebra algebra = {
            context->output, context->pool, &context->session->symbols, e.out, stage->name,
            stage->span,     stage->element};
        if (e.recurrence[i].is_unbounded)
            move_coefficients(&e, &e.recurrence[i]);
        if (!e.recurrence[i].is_unbounded)
            copy_stage(&e, stage);
        else if (e.recurrence[i].fades)
            expand_faded(&e, &e.recurrence[i]);
        else if (e.recurrence[i].periodic)
            expand_periodic(&e, &algebra, &e.recurrence[i]);
        else
            expand_constant(&e, &algebra, &e.recurrence[i]);
    }
    graph_renumber(context->output, e.out, e.new_id);
    return e.out;
}
