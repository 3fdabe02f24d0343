/* separate_kernels: graph → graph. Splits a window of two axes into rows, then columns, if the
 * order of its terms is free.
 *   before: out[y, x] = max[dy in -2 .. 2, dx in -2 .. 2](in[y + dy, x + dx clamp])           25 terms a sample
 *   after:  out.row[y, x] = max[dx in -2 .. 2](in[y, x + dx clamp])
 *           out[y, x] = max[dy in -2 .. 2](out.row[y + dy clamp, x])                        10
 * Applies to sums of integers, to min, max, any and all of any type, and to fast sums of floats,
 * also if they are weighted by a constant kernel that is a column times a row. Border rules that
 * lead to a place act on each axis separately. So do rules that give a value, except that for a sum
 * the value must be 0. */
#include "graph_pass.h"
#include "graph/placement/windows.h"

struct separation {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *new_id; /* by old id: new id */
    const struct stage *stage;
    unsigned count; /* rows of the stage at hand so far */
};

/* ---- The two stages ---- */

static const struct expr *weight_value(const struct separation *s, const struct expr *window,
                                       double value)
{
    return scalar_is_float(window->scalar) ? expr_real(s->context->pool, window->scalar, value)
                                           : expr_integer(s->context->pool, (int64_t)value);
}

/* The column or row of the kernel, as constants, read at the variable of its range. */
static const struct expr *weight_along(struct separation *s, const struct window *w, unsigned r)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const struct expr_range *range = &w->reduce->as.reduce.range[r];
    const size_t count = (size_t)range->extent;
    const struct expr **value = ARENA_ARRAY(context->output, const struct expr *, count);
    struct interval interval = {INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < count; i++) {
        value[i] = weight_value(s, w->reduce, w->factor[r][i]);
        interval.least =
            value[i]->interval.least < interval.least ? value[i]->interval.least : interval.least;
        interval.greatest = value[i]->interval.greatest > interval.greatest
                                ? value[i]->interval.greatest
                                : interval.greatest;
    }
    const bool real = scalar_is_float(w->reduce->scalar);
    const enum scalar element = real ? w->reduce->scalar : scalar_holding(interval);
    if (real)
        interval = (struct interval){0, 0};
    const struct expr *first = expr_integer(pool, range->first);
    const struct expr *extent = expr_integer(pool, range->extent);
    const struct stage_axis axis = {range->variable, w->place[r], first, extent, first, extent};
    const struct symbol *name =
        symbol_format(&context->session->symbols, "%s.kernel_%u", s->stage->name->text, ++s->count);
    const stage_id id =
        graph_add_stage(context->output, s->out,
                        (struct stage){.kind = STAGE_CONSTANT,
                                       .name = name,
                                       .is_made = true,
                                       .span = s->stage->span,
                                       .element = element,
                                       .interval = interval,
                                       .rank = 1,
                                       .axis = arena_copy(context->output, &axis, sizeof axis),
                                       .as.constant = {value, count}});
    return expr_load(pool, id.index, element, interval, 1, &w->place[r], NULL);
}

/* op[range](load), or sum[range](weight * load). */
static const struct expr *reduce_along(struct separation *s, const struct window *w, unsigned r,
                                       const struct expr *load)
{
    struct expr_pool *pool = s->context->pool;
    const enum scalar scalar = w->weight ? w->reduce->scalar : w->reduce->operand[0]->scalar;
    const bool real = scalar_is_float(scalar);
    const struct expr *operand[3] = {load};
    bool fused = false, has_condition = false;
    if (real && load->scalar != scalar) /* halves are read as f32 */
        operand[0] = expr_convert(pool, CONVERT_EXACT, scalar, load);
    if (w->weight) {
        const struct expr *weight = weight_along(s, w, r);
        fused = real;
        for (int64_t i = 0; i < w->reduce->as.reduce.range[r].extent; i++)
            has_condition = has_condition || (real && w->factor[r][i] == 0);
        if (fused)
            operand[1] = weight;
        else
            operand[0] = expr_binary(pool, EXPR_MULTIPLY, weight, operand[0]);
        if (has_condition)
            operand[2] = expr_binary(pool, EXPR_NOT_EQUAL, weight, weight_value(s, w->reduce, 0));
    }
    pool->fast = w->reduce->fast;
    const struct expr *reduce =
        expr_reduce(pool, w->reduce->as.reduce.operation, fused, has_condition, 1,
                    &w->reduce->as.reduce.range[r], operand);
    pool->fast = false;
    return reduce;
}

/* row[…] = op[dx](in[…, x + dx]) over the source's own box along the outer axis; read at y + dy. */
static const struct expr *separate(struct separation *s, const struct window *w)
{
    struct pass_context *context = s->context;
    struct expr_pool *pool = context->pool;
    const struct expr *load = w->load;
    const struct stage *source = s->in->stages.item[load->as.load.source];
    struct stage_axis *axis = ARENA_ARRAY(context->output, struct stage_axis, load->count + 1);
    const struct expr *inner_index[GRAPH_MAX_RANK], *outer_index[GRAPH_MAX_RANK];
    struct border inner[GRAPH_MAX_RANK] = {0}, outer[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < load->count; k++) {
        const bool along = k == w->outer;
        axis[k] = along ? source->axis[k]
                        : s->stage->axis[window_axis_of_index(s->stage, load->operand[k])];
        inner_index[k] = along ? axis[k].variable : load->operand[k];
        outer_index[k] = along ? load->operand[k] : axis[k].variable;
        if (load->as.load.border && along)
            outer[k] = load->as.load.border[k];
        else if (load->as.load.border)
            inner[k] = load->as.load.border[k];
    }
    const struct expr *row =
        reduce_along(s, w, 1,
                     expr_load(pool, s->new_id[load->as.load.source], load->scalar, load->interval,
                               load->count, inner_index, inner));
    const enum scalar element =
        scalar_is_integer(row->scalar) ? scalar_holding(row->interval) : row->scalar;
    const stage_id id = graph_add_stage(
        context->output, s->out,
        (struct stage){.kind = STAGE_MAP,
                       .name = symbol_format(&context->session->symbols, "%s.row_%u",
                                             s->stage->name->text, ++s->count),
                       .is_made = true,
                       .span = s->stage->span,
                       .element = element,
                       .interval = row->interval,
                       .rank = load->count,
                       .axis = axis,
                       .repeat = s->stage->repeat,
                       .value = expr_convert(pool, CONVERT_EXACT, element, row)});
    for (unsigned k = 0; k < load->count; k++)
        if (outer[k].value && outer[k].value->scalar != element)
            outer[k].value = expr_convert(pool, CONVERT_EXACT, element, outer[k].value);
    const struct expr *window = reduce_along(
        s, w, 0,
        expr_load(pool, id.index, element, row->interval, load->count, outer_index, outer));
    return expr_convert(pool, CONVERT_EXACT, w->reduce->scalar, window);
}

/* ---- The graph ---- */

static const struct expr *rewrite(const struct expr *node, void *user)
{
    struct separation *s = user;
    const struct renumbering renumbering = {s->context->pool, s->new_id};
    return graph_renumber_read(node, (void *)(uintptr_t)&renumbering);
}

struct window_search {
    struct separation *s;
    struct expr_rewriter *rewriter;
};

/* Windows are replaced as a whole, before their operands are looked at. */
static void find_windows(const struct expr *node, void *user)
{
    struct window_search *search = user;
    struct window w;
    const char *problem =
        window_problem(search->s->context->scratch, search->s->in, search->s->stage, node, &w);
    if (!problem)
        hash_map_put(search->s->context->scratch, &search->rewriter->done, node,
                     (void *)(uintptr_t)separate(search->s, &w));
    else if (node->kind == EXPR_REDUCE)
        decline(search->s->context, search->s->stage, DETAIL_WINDOW, "%s", problem);
}

static void search_root(const struct expr *root, void *user)
{
    struct window_search *search = user;
    expr_nodes(search->s->context->scratch, root, find_windows, search);
}

const struct graph *separate_kernels(const struct graph *in, struct pass_context *context)
{
    struct separation s = {.in = in,
                           .out = graph_copy_without_stages(context->output, in),
                           .context = context,
                           .new_id = ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1)};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = s.stage = in->stages.item[i];
        struct expr_rewriter rewriter = {
            .pool = context->pool, .rule = rewrite, .context = &s, .scratch = context->scratch};
        struct window_search search = {&s, &rewriter};
        s.count = 0;
        if (stage_may_move(stage))
            stage_expressions(stage, search_root, &search);
        s.new_id[i] = (uint32_t)s.out->stages.count; /* a recurrence reads itself */
        struct stage made = stage_rewrite(context->output, stage, &rewriter);
        const struct detail *said = stage_says(stage, DETAIL_WINDOW);
        decline(context, stage, DETAIL_WINDOW, "it reduces no window");
        if (said && (s.count || !said->value[0]))
            made.details = details_without(context->output, stage->details, DETAIL_WINDOW);
        graph_add_stage(context->output, s.out, made);
    }
    graph_renumber(context->output, s.out, s.new_id);
    return s.out;
}
