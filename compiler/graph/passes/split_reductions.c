/* split_reductions: graph → graph. Splits a reduction over counted ranges, whose stage has few
 * samples, into runs that threads share, and joins the runs.
 *   before: total = reduce(sum tree, [y … count in.y, x … count in.x], in[y, x])
 *   after:  total.runs[run] = reduce(sum run, [y … count in.y, x … count in.x], in[y, x], of run)
 *           total = reduce(sum pairs, [run … count runs], total.runs[run])
 * If the order does not matter, the runs are joined in index order. If there is only one run, the
 * cost is one sample that is stored and read. On a grid, with many slow threads, the runs are first
 * joined in groups:
 *           total.groups[g] = reduce(sum pairs, [run … count min(64, runs - 64 g)], total.runs[64 g + run])
 *           total = reduce(sum pairs, [g … count groups], total.groups[g])
 * The stage keeps its schedule; the schedule of the runs is free. */
#include "graph/rebuild.h"
#include "analysis/reductions.h"
#include "graph/placement/choose.h"

enum { CHANNELS = 4 }; /* as nobody tells how many there are */

struct splitting {
    struct pass_context *context;
    struct graph *out;
    const struct stage *stage;
    const struct expr *reduce; /* that is split */
    const struct expr *run, *runs;
};

static bool is_grid(const struct pass_context *context)
{
    return context->target->execution == EXECUTION_GRID;
}

/* Runs that are joined first, a power of two: pairs are those of all runs; 0: all are. */
static int64_t group_of(const struct pass_context *context)
{
    return choose_power(context, 0, CHOICE_REDUCTION_GROUP, 0, CHOICE_MOST);
}

/* Samples along an axis, as far as it is known; 0: many, or nobody knows. Cores are few enough to
 * take a channel each. */
static int64_t samples_along(const struct graph *in, const struct stage_axis *axis,
                             const struct pass_context *context)
{
    const struct expr *extent = axis->computed_extent;
    if (extent->kind == EXPR_INTEGER)
        return extent->as.integer;
    const int64_t expected = is_grid(context) ? graph_expected(in, extent) : 0;
    return expected > 0                                          ? expected
           : is_grid(context) && axis_is_of_channels(axis->name) ? CHANNELS
                                                                 : 0;
}

static bool has_few_samples(const struct graph *in, const struct stage *stage,
                            const struct pass_context *context)
{
    const int64_t most = choice_value(context, CHOICE_REDUCTION_SAMPLES);
    int64_t samples = 1;
    for (unsigned k = 0; k < stage->rank; k++) {
        const int64_t along = samples_along(in, &stage->axis[k], context);
        if (along < 1 || along > most)
            return false;
        samples *= along;
    }
    return samples <= most && stage->rank < GRAPH_MAX_RANK;
}

static bool can_split(const struct expr *reduce)
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    const bool can = shape->order == ORDER_TREE ||
                     (shape->order == ORDER_INDEX &&
                      !expr_reduction_is_ordered(shape->operation, reduce->scalar));
    return shape->counted && can && expr_reduction_terms(shape) > REDUCTION_RUN;
}

/* The first such reduction that stands in no other one; NULL: none. */
static const struct expr *find_reduction(const struct expr *node)
{
    if (!(node->holds & HOLDS_REDUCE) || node->kind == EXPR_LOAD)
        return NULL;
    if (node->kind == EXPR_REDUCE)
        return can_split(node) ? node : NULL;
    const struct expr *found = NULL;
    for (unsigned i = 0; i < node->count && !found; i++)
        found = find_reduction(node->operand[i]);
    return found;
}

/* The same reduction of the terms of one run. */
static const struct expr *reduce_run(const struct splitting *s)
{
    struct expr_reduction shape = s->reduce->as.reduce;
    const struct expr *operand[REDUCTION_MOST_OPERANDS + 1];
    for (unsigned i = 0; i < s->reduce->count; i++)
        operand[i] = s->reduce->operand[i];
    operand[s->reduce->count] = s->run;
    shape.order = ORDER_RUN;
    return expr_reduce_as(s->context->pool, &shape, operand);
}

static stage_id add_runs(struct splitting *s)
{
    struct pass_context *context = s->context;
    struct stage runs = *s->stage;
    const struct expr *value = reduce_run(s), *zero = expr_integer(context->pool, 0);
    if (scalar_is_integer(value->scalar))
        value = expr_convert(context->pool, CONVERT_EXACT, scalar_holding(value->interval), value);
    struct stage_axis *axis = ARENA_ARRAY(context->output, struct stage_axis, s->stage->rank + 1);
    axis[0] = (struct stage_axis){s->run->as.variable.name, s->run, zero, s->runs, zero, s->runs};
    if (s->stage->rank)
        memcpy(axis + 1, s->stage->axis, s->stage->rank * sizeof *axis);
    runs.name = symbol_format(&context->session->symbols, "%s.runs", s->stage->name->text);
    runs.rank = s->stage->rank + 1;
    runs.axis = axis;
    runs.element = value->scalar;
    runs.interval = value->interval;
    runs.value = value;
    runs.binding_count = 0;
    runs.schedule = NULL;
    runs.details = NULL;
    return graph_add_stage(context->output, s->out, runs);
}

/* The partial results that the loads read, of which there are `count`, in one. */
static const struct expr *join_all(const struct splitting *s, const struct expr_range *range,
                                   const struct expr *load, const struct expr *count)
{
    struct expr_pool *pool = s->context->pool;
    const struct expr *const operand[] = {load, count};
    const enum reduction operation = s->reduce->as.reduce.operation;
    const struct expr_reduction shape = {
        .operation = operation == REDUCTION_TALLY ? REDUCTION_SUM : operation,
        .order = s->reduce->as.reduce.order == ORDER_TREE ? ORDER_PAIRS : ORDER_INDEX,
        .counted = true,
        .rank = 1,
        .range = range};
    const struct expr *all = expr_reduce_as(pool, &shape, operand);
    const struct interval known = s->reduce->interval;
    if (!scalar_is_integer(all->scalar))
        return all;
    if (all->interval.greatest > known.greatest)
        all = expr_binary(pool, EXPR_MINIMUM, all, expr_integer(pool, known.greatest));
    if (all->interval.least < known.least)
        all = expr_binary(pool, EXPR_MAXIMUM, all, expr_integer(pool, known.least));
    return all;
}

/* Of partial results, the one at a place of their first axis. */
static const struct expr *load_partial(const struct splitting *s, stage_id id,
                                       const struct expr *place)
{
    const struct stage *partial = graph_stage(s->out, id);
    const struct expr *index[GRAPH_MAX_RANK] = {place};
    for (unsigned k = 1; k < partial->rank; k++)
        index[k] = partial->axis[k].variable;
    return expr_load(s->context->pool, id.index, partial->element, partial->interval, partial->rank,
                     index, NULL);
}

/* The runs joined in groups; *count: how many groups. */
static stage_id add_groups(struct splitting *s, stage_id runs, const struct expr **count,
                           const struct expr **number)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const int64_t group = group_of(context);
    const struct expr *size = expr_integer(pool, group), *zero = expr_integer(pool, 0);
    *count = expr_binary(pool, EXPR_DIVIDE,
                         expr_binary(pool, EXPR_ADD, s->runs, expr_integer(pool, group - 1)), size);
    const struct interval groups = {0, (*count)->interval.greatest - 1};
    const struct interval within = {0, group - 1};
    struct symbol_table *symbols = &context->session->symbols;
    *number = expr_variable(pool, VARIABLE_INDEX,
                            symbol_format(symbols, "%s.group", s->stage->name->text),
                            scalar_width(groups), groups);
    const struct expr_range range = {symbol_format(symbols, "%s.run", s->stage->name->text), 0,
                                     group};
    const struct expr *run =
        expr_variable(pool, VARIABLE_INDEX, range.variable, scalar_width(within), within);
    const struct expr *begin = expr_binary(pool, EXPR_MULTIPLY, size, *number);
    const struct expr *last = expr_binary(pool, EXPR_SUBTRACT, s->runs, expr_integer(pool, 1));
    const struct expr *place =
        expr_binary(pool, EXPR_MINIMUM, expr_binary(pool, EXPR_ADD, begin, run), last);
    const struct expr *left = expr_binary(
        pool, EXPR_MAXIMUM,
        expr_binary(pool, EXPR_MINIMUM, size, expr_binary(pool, EXPR_SUBTRACT, s->runs, begin)),
        expr_integer(pool, 1));
    struct stage stage = *graph_stage(s->out, runs);
    struct stage_axis *axis =
        arena_copy(context->output, stage.axis, stage.rank * sizeof *stage.axis);
    axis[0] = (struct stage_axis){(*number)->as.variable.name, *number, zero, *count, zero, *count};
    const struct expr *value = join_all(s, &range, load_partial(s, runs, place), left);
    if (scalar_is_integer(value->scalar))
        value = expr_convert(pool, CONVERT_EXACT, scalar_holding(value->interval), value);
    stage.name = symbol_format(symbols, "%s.groups", s->stage->name->text);
    stage.axis = axis;
    stage.element = value->scalar;
    stage.interval = value->interval;
    stage.value = value;
    return graph_add_stage(context->output, s->out, stage);
}

/* The runs in one. */
static const struct expr *join_runs(struct splitting *s, stage_id id)
{
    const struct expr *count = s->runs, *number = s->run;
    if (group_of(s->context) > 1 && s->runs->interval.greatest > group_of(s->context))
        id = add_groups(s, id, &count, &number);
    const struct expr_range range = {number->as.variable.name, 0, number->interval.greatest + 1};
    return join_all(s, &range, load_partial(s, id, number), count);
}

static const struct expr *split(struct splitting *s, const struct expr *value)
{
    struct pass_context *context = s->context;
    s->runs = reduction_runs(context->pool, s->reduce);
    const struct interval interval = {0, s->runs->interval.greatest - 1};
    s->run =
        expr_variable(context->pool, VARIABLE_INDEX,
                      symbol_format(&context->session->symbols, "%s.run", s->stage->name->text),
                      scalar_width(interval), interval);
    const struct expr *joined = join_runs(s, add_runs(s));
    if (joined->scalar != s->reduce->scalar) /* known to be less, run by run */
        joined = expr_convert(context->pool, CONVERT_EXACT, s->reduce->scalar, joined);
    return expr_substitute(context->pool, context->scratch, value, s->reduce, joined);
}

const struct graph *split_reductions(const struct graph *in, struct pass_context *context)
{
    struct rebuild r = rebuild_begin(in, context);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *old = in->stages.item[i];
        struct stage stage = rebuild_stage(&r, old, NULL);
        struct splitting s = {.context = context, .out = r.out, .stage = &stage};
        if (stage_may_move(old) && old->binding_count == 0 && has_few_samples(in, old, context) &&
            find_reduction(old->value)) {
            s.reduce = find_reduction(stage.value);
            const struct expr *value = split(&s, stage.value);
            stage.value = value;
        }
        rebuild_replace(&r, old, rebuild_add(&r, stage).index);
    }
    return rebuild_end(&r);
}
