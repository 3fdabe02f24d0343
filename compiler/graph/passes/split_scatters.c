/* split_scatters: graph → graph. Splits a scatter into a small target into parts, each with its own
 * target, and joins them, so that the parts can run in parallel.
 *   before: hist[b] = 0   hist[in[y, x]] += 1 over y, x
 *   after:  hist.part[p, b] = 0   hist.part[p, in[p h + j, x]] += 1 over p in 0 .. 15, j, x
 *           hist[b] = start + sum[p in 0 .. 15](hist.part[p, b])
 * A part with few steps cannot saturate; this is tested once:
 *           hist.part[p, b] = h x < 2^32 ? wrap(… + 1) : u32(… + 1)
 * Applies to integer sums of non-negative terms, or that wrap, and to min= and max=, which do not
 * depend on the order of the steps or on where they saturate. Missing rows of the last part are
 * excluded. */
#include "graph/rebuild.h"
#include "analysis/regions.h"
#include "graph/scatter_form.h"
#include "graph/placement/choose.h"

struct splitting {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *new_id; /* by old id: new id */
    const struct stage *scatter;
    int64_t parts;
    struct scatter_form form;
    unsigned row;                     /* axis of the steps that is cut */
    const struct expr *part, *parted; /* the variable of parts; the axis' coordinate in one */
};

/* ---- What can be split ---- */

static bool reads_itself(const struct splitting *s, const struct expr *node)
{
    return node->kind == EXPR_LOAD && node->as.load.source == s->scatter->id.index;
}

/* The axis of the steps that is cut: the slowest that the scatter is not mapped over, and that is
 * none of a few channels. NULL, or why there is none. */
static const char *row_problem(struct splitting *s)
{
    const struct stage *steps = s->scatter->as.scatter.steps;
    const bool said = stage_says(s->scatter, DETAIL_PARTS) != NULL;
    const int64_t rows = choice_value(s->context, CHOICE_SCATTER_ROWS);
    for (unsigned k = 0; k < steps->rank; k++) {
        const struct stage_axis *axis = &steps->axis[k];
        s->row = k;
        if (scatter_axis_mapped(s->scatter, axis) == GRAPH_MAX_RANK &&
            (said || (axis->computed_extent->interval.greatest >= rows &&
                      !axis_is_of_channels(axis->name))))
            return axis->computed_extent->interval.least >= 1 ? NULL
                                                              : "the axis to cut may be empty";
    }
    return "its steps have no long axis that its targets do not share";
}

static bool is_small(const struct splitting *s)
{
    const struct stage *scatter = s->scatter;
    const int64_t most = choice_value(s->context, CHOICE_SCATTER_PLACES);
    int64_t samples = 1;
    for (unsigned k = 0; k < scatter->rank; k++) {
        const struct expr *extent = scatter->axis[k].computed_extent;
        if (extent->kind != EXPR_INTEGER || extent->as.integer > most / samples)
            return false;
        samples *= extent->as.integer;
    }
    return true;
}

/* NULL, or why the stage is not split. */
static const char *problem_of(struct splitting *s, const struct stage *stage)
{
    const struct detail *said = stage_says(stage, DETAIL_PARTS);
    s->scatter = stage;
    const struct detail *threads = stage_says(stage, DETAIL_THREADS);
    s->parts = said                             ? said->value[0]
               : threads && threads->count == 0 ? 1
                                                : choice_value(s->context, CHOICE_SCATTER_PARTS);
    if (stage->kind != STAGE_SCATTER)
        return "it is no scatter";
    if (s->parts < 2 || stage->rank + 1 > GRAPH_MAX_RANK ||
        stage->as.scatter.steps->rank + 1 > GRAPH_MAX_RANK)
        return "it has too many axes";
    if (!is_small(s))
        return arena_format(s->context->scratch,
                            "it needs a number of targets that is known here, and at most %lld",
                            (long long)choice_value(s->context, CHOICE_SCATTER_PLACES));
    return scatter_form_of(s->context->scratch, stage, &s->form)
               ? row_problem(s)
               : "its steps do not add or compare integers, in any order";
}

/* ---- The parts ---- */

/* The cut coordinate becomes that of a part, and reads of the target become reads of the part's
 * own. */
static const struct expr *move(const struct expr *node, void *user)
{
    struct splitting *s = user;
    struct expr_pool *pool = s->context->pool;
    if (node == s->scatter->as.scatter.steps->axis[s->row].variable)
        return s->parted;
    if (node->kind != EXPR_LOAD)
        return node;
    if (!reads_itself(s, node))
        return graph_renumber_read(node, &(struct renumbering){pool, s->new_id});
    const struct expr *index[GRAPH_MAX_RANK] = {s->part};
    for (unsigned k = 0; k < node->count; k++)
        index[k + 1] = node->operand[k];
    return expr_load(pool, (uint32_t)s->out->stages.count, node->scalar, node->interval,
                     node->count + 1, index, NULL);
}

static struct stage_axis axis_of_parts(const struct splitting *s)
{
    struct expr_pool *pool = s->context->pool;
    const struct expr *zero = expr_integer(pool, 0), *parts = expr_integer(pool, s->parts);
    return (struct stage_axis){s->part->as.variable.name, s->part, zero, parts, zero, parts};
}

static const struct expr *first_value(const struct splitting *s)
{
    struct expr_pool *pool = s->context->pool;
    const struct interval ends = s->scatter->interval;
    const int64_t value = s->form.kind == EXPR_ADD               ? 0
                          : s->form.kind == EXPR_ORDERED_MINIMUM ? ends.greatest
                                                                 : ends.least;
    return expr_convert(pool, CONVERT_EXACT, s->scatter->element, expr_integer(pool, value));
}

/* Whether a part stays below where the sum saturates; NULL: that is not asked. */
static const struct expr *stays_below(const struct splitting *s, const struct expr *rows)
{
    const struct stage *steps = s->scatter->as.scatter.steps;
    const struct expr *extent[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < steps->rank; k++)
        extent[k] = k == s->row ? rows : steps->axis[k].computed_extent;
    const struct interval zero = {0, 0};
    return scatter_stays_below(s->context->pool, &s->form, s->scatter->element, zero, steps->rank,
                               extent);
}

static stage_id add_parts(struct splitting *s)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const struct interval parts_of = {0, s->parts - 1};
    s->part = expr_variable(pool, VARIABLE_INDEX, symbol_from(&context->session->symbols, "part"),
                            SCALAR_I32, parts_of);
    const struct stage *scatter = s->scatter, *old = scatter->as.scatter.steps;
    const struct stage_axis *cut = &old->axis[s->row];
    struct symbol_table *symbols = &context->session->symbols;
    const struct expr *rows =
        expr_binary(pool, EXPR_DIVIDE,
                    region_sum(pool, cut->computed_extent, expr_integer(pool, s->parts - 1), 1),
                    expr_integer(pool, s->parts));
    const struct interval within = {0, rows->interval.greatest};
    const struct expr *row =
        expr_variable(pool, VARIABLE_INDEX, symbol_format(symbols, "%s.row", cut->name->text),
                      scalar_width(within), within);
    const struct expr *offset =
        expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MULTIPLY, rows, s->part), row);
    /* Inside also where the step is excluded. */
    s->parted =
        expr_binary(pool, EXPR_ADD, cut->computed_first,
                    expr_binary(pool, EXPR_MINIMUM, offset,
                                region_sum(pool, cut->computed_extent, expr_integer(pool, 1), -1)));
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = move, .context = s, .scratch = context->scratch};
    struct stage steps = *old;
    struct stage_axis *step_axis = ARENA_ARRAY(context->output, struct stage_axis, old->rank + 2);
    struct stage_axis *axis = ARENA_ARRAY(context->output, struct stage_axis, scatter->rank + 2);
    struct stage_binding *binding =
        ARENA_ARRAY(context->output, struct stage_binding, scatter->rank + 3);
    step_axis[0] = axis[0] = axis_of_parts(s);
    memcpy(step_axis + 1, old->axis, old->rank * sizeof *step_axis);
    memcpy(axis + 1, scatter->axis, scatter->rank * sizeof *axis);
    const struct expr *zero = expr_integer(pool, 0);
    step_axis[s->row + 1] = (struct stage_axis){row->as.variable.name, row, zero, rows, zero, rows};
    binding[0] = (struct stage_binding){s->part->as.variable.name, s->part};
    for (unsigned k = 0; k < scatter->rank; k++)
        binding[k + 1] = (struct stage_binding){old->binding[k].name,
                                                expr_rewrite(&rewriter, old->binding[k].value)};
    const struct expr *there = expr_binary(pool, EXPR_LESS, offset, cut->computed_extent);
    const struct expr *condition = stage_condition(scatter);
    binding[scatter->rank + 1] = (struct stage_binding){
        symbol_from(symbols, "present"),
        condition ? expr_binary(pool, EXPR_AND, there, expr_rewrite(&rewriter, condition)) : there};
    steps.rank = old->rank + 1;
    steps.axis = step_axis;
    steps.binding = binding;
    steps.binding_count = scatter->rank + 2;
    const struct expr *below = stays_below(s, rows);
    steps.value = expr_rewrite(&rewriter, old->value);
    if (below) {
        const struct expr *const plain =
            expr_convert(pool, CONVERT_WRAP, s->scatter->element,
                         expr_rewrite(&rewriter, s->form.store->operand[0]));
        steps.value = expr_convert(pool, CONVERT_EXACT, s->scatter->element,
                                   expr_select(pool, below, plain, steps.value));
    }
    struct stage parts = *scatter;
    parts.name = symbol_format(symbols, "%s.part", scatter->name->text);
    parts.rank = scatter->rank + 1;
    parts.axis = axis;
    parts.binding_count = 0;
    parts.schedule = NULL; /* its details about threads apply to the parts, too */
    parts.value = first_value(s);
    parts.as.scatter.steps = &steps;
    return graph_add_stage(context->output, s->out, parts);
}

/* ---- What they give together ---- */

static const struct expr *joined(struct splitting *s, stage_id parts, const struct expr *start)
{
    struct expr_pool *pool = s->context->pool;
    const struct stage *scatter = s->scatter;
    const struct expr *index[GRAPH_MAX_RANK] = {s->part};
    for (unsigned k = 0; k < scatter->rank; k++)
        index[k + 1] = scatter->axis[k].variable;
    const struct expr *read = expr_load(pool, parts.index, scatter->element, scatter->interval,
                                        scatter->rank + 1, index, NULL);
    const struct expr_range range = {s->part->as.variable.name, 0, s->parts};
    const enum reduction operation = s->form.kind == EXPR_ADD               ? REDUCTION_SUM
                                     : s->form.kind == EXPR_ORDERED_MINIMUM ? REDUCTION_MINIMUM
                                                                            : REDUCTION_MAXIMUM;
    const struct expr *all = expr_reduce(pool, operation, false, false, 1, &range, &read);
    const struct expr *value = expr_binary(pool, s->form.kind, start, all);
    return expr_convert(pool, scatter_wraps(&s->form) ? CONVERT_WRAP : CONVERT_ROUND,
                        scatter->element, value);
}

const struct graph *split_scatters(const struct graph *in, struct pass_context *context)
{
    struct rebuild r = rebuild_begin(in, context);
    struct splitting s = {.in = in, .out = r.out, .context = context, .new_id = r.new_id};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *old = in->stages.item[i];
        const char *problem = problem_of(&s, old);
        const bool splits = !problem;
        const stage_id made = splits ? add_parts(&s) : (stage_id){0};
        struct stage stage = splits ? *old : rebuild_stage(&r, old, NULL);
        if (splits) {
            stage.kind = STAGE_MAP;
            stage.value = joined(&s, made, rebuild_reads(&r, stage.value));
            stage.binding_count = 0;
        }
        const struct detail *said = stage_says(&stage, DETAIL_PARTS);
        if (said && (splits || (stage.kind == STAGE_SCATTER && said->value[0] == 1)))
            stage.details = details_without(context->output, stage.details, DETAIL_PARTS);
        else
            decline(context, old, DETAIL_PARTS, "%s", problem);
        rebuild_replace(&r, old, rebuild_add(&r, stage).index);
    }
    return rebuild_end(&r);
}
