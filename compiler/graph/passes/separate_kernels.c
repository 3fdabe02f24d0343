/* separate_kernels: graph → graph. A window of two axes whose result does not depend on the order of its terms is taken
 * row by row first.
 *   before: out[y, x] = max[dy in -2 .. 2, dx in -2 .. 2](in[y + dy, x + dx clamp])           25 terms a sample
 *   after:  out.row[y, x] = max[dx in -2 .. 2](in[y, x + dx clamp])
 *           out[y, x] = max[dy in -2 .. 2](out.row[y + dy clamp, x])                        10
 * Sums of integers, and min, max, any and all of any type; floats are added in the order written. Rules that name a place
 * are the same along each axis by itself. Those that name a value are too, but for a sum the value has to be 0. */
#include "pass.h"
#include "expr/affine.h"

enum { LEAST_EXTENT = 3 };

struct separation {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *place; /* by old id: new id */
    const struct stage *stage;
    unsigned count; /* rows of the stage at hand so far */
};

/* A window that can be separated: its term is a read, maybe converted. */
struct window {
    const struct expr *reduce, *load;
    unsigned outer, inner; /* axes of the source that the two ranges run along */
};

/* ---- What can be separated ---- */

static bool is_order_free(const struct expr *reduce)
{
    switch (reduce->as.reduce.operation) {
    case REDUCTION_SUM:
        return scalar_is_integer(reduce->scalar);
    case REDUCTION_MINIMUM:
    case REDUCTION_MAXIMUM:
    case REDUCTION_ANY:
    case REDUCTION_ALL:
        return true;
    default:
        return false;
    }
}

static bool separates_rule(const struct expr *reduce, const struct border *border)
{
    switch (border->rule) {
    case BORDER_NONE:
    case BORDER_CLAMP:
    case BORDER_REFLECT:
    case BORDER_REFLECT101:
    case BORDER_WRAP:
        return true;
    case BORDER_ZERO:
    case BORDER_CONSTANT:
        return reduce->as.reduce.operation != REDUCTION_SUM || border->rule == BORDER_ZERO;
    default:
        return false;
    }
}

static bool names(const struct affine *form, const struct symbol *variable, int64_t *coefficient)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].atom->kind == EXPR_VARIABLE &&
            form->term[i].atom->as.variable.kind == VARIABLE_INDEX &&
            form->term[i].atom->as.variable.name == variable) {
            *coefficient = form->term[i].coefficient;
            return true;
        }
    return false;
}

/* The axis along which the range's variable runs, once and alone: axis variable + constant + its variable. GRAPH_MAX_RANK:
 * none. */
static unsigned axis_of_range(const struct separation *s, const struct expr *load,
                              const struct symbol *variable)
{
    unsigned axis = GRAPH_MAX_RANK;
    for (unsigned k = 0; k < load->count; k++) {
        const struct scaled_index index = affine_index(load->operand[k]);
        int64_t own = 0;
        bool coordinate = false;
        if (!index.numerator.exact)
            return GRAPH_MAX_RANK;
        if (!names(&index.numerator, variable, &own))
            continue;
        for (unsigned a = 0; a < s->stage->rank; a++)
            coordinate =
                coordinate || affine_coefficient(&index.numerator, s->stage->axis[a].variable) == 1;
        if (axis != GRAPH_MAX_RANK || own != 1 || index.denominator != 1 ||
            index.numerator.count != 2 || !coordinate)
            return GRAPH_MAX_RANK;
        axis = k;
    }
    return axis;
}

/* The axis of the stage whose coordinate the index has. */
static unsigned axis_of_index(const struct separation *s, const struct expr *index)
{
    const struct affine form = affine_from(index);
    unsigned a = 0;
    while (a < s->stage->rank && affine_coefficient(&form, s->stage->axis[a].variable) == 0)
        a++;
    return a;
}

/* Rows have the source's coordinate along the outer axis, the stage's along the others: no two of one name, nor one of a
 * variable of the reductions. */
static bool names_differ(const struct separation *s, const struct window *w)
{
    const struct stage *source = s->in->stages.item[w->load->as.load.source];
    const struct symbol *name[GRAPH_MAX_RANK + 2];
    unsigned count = 0;
    for (unsigned k = 0; k < w->load->count; k++) {
        const struct stage_axis *axis =
            k == w->outer ? &source->axis[k]
                          : &s->stage->axis[axis_of_index(s, w->load->operand[k])];
        name[count++] = axis->variable->as.variable.name;
    }
    for (unsigned r = 0; r < 2; r++)
        name[count++] = w->reduce->as.reduce.range[r].variable;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < i; k++)
            if (name[i] == name[k])
                return false;
    return true;
}

static bool find_window(const struct separation *s, const struct expr *reduce, struct window *w)
{
    if (reduce->kind != EXPR_REDUCE || reduce->as.reduce.rank != 2 ||
        reduce->as.reduce.has_condition || reduce->as.reduce.fused || !is_order_free(reduce) ||
        reduce->as.reduce.range[0].extent < LEAST_EXTENT ||
        reduce->as.reduce.range[1].extent < LEAST_EXTENT)
        return false;
    const struct expr *load = reduce->operand[0];
    while (load->kind == EXPR_CONVERT && load->as.convert == CONVERT_EXACT)
        load = load->operand[0];
    if (load->kind != EXPR_LOAD || load->as.load.source == s->stage->id.index)
        return false;
    *w = (struct window){reduce, load, axis_of_range(s, load, reduce->as.reduce.range[0].variable),
                         axis_of_range(s, load, reduce->as.reduce.range[1].variable)};
    if (w->outer == GRAPH_MAX_RANK || w->inner == GRAPH_MAX_RANK || w->outer == w->inner)
        return false;
    for (unsigned k = 0; load->as.load.border && k < load->count; k++)
        if (!separates_rule(reduce, &load->as.load.border[k]))
            return false;
    /* The other axes are read at the coordinates of the stage. */
    unsigned plain = 0;
    for (unsigned k = 0; k < load->count; k++)
        for (unsigned a = 0; a < s->stage->rank; a++)
            plain +=
                k != w->outer && k != w->inner && load->operand[k] == s->stage->axis[a].variable;
    return plain + 2 == load->count && load->count == s->stage->rank && names_differ(s, w);
}

/* ---- The two stages ---- */

static const struct expr *reduce_along(struct separation *s, const struct window *w, unsigned range,
                                       const struct expr *load)
{
    const struct expr *term = load;
    const enum scalar scalar = w->reduce->operand[0]->scalar;
    if (scalar_is_float(scalar) && term->scalar != scalar) /* halves are read as f32 */
        term = expr_convert(s->context->pool, CONVERT_EXACT, scalar, term);
    return expr_reduce(s->context->pool, w->reduce->as.reduce.operation, false, false, 1,
                       &w->reduce->as.reduce.range[range], &term);
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
        axis[k] = along ? source->axis[k] : s->stage->axis[axis_of_index(s, load->operand[k])];
        inner_index[k] = along ? axis[k].variable : load->operand[k];
        outer_index[k] = along ? load->operand[k] : axis[k].variable;
        if (load->as.load.border && along)
            outer[k] = load->as.load.border[k];
        else if (load->as.load.border)
            inner[k] = load->as.load.border[k];
    }
    const struct expr *row =
        reduce_along(s, w, 1,
                     expr_load(pool, s->place[load->as.load.source], load->scalar, load->interval,
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
    const struct renumbering renumbering = {s->context->pool, s->place};
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
    if (find_window(search->s, node, &w))
        hash_map_put(search->s->context->scratch, &search->rewriter->done, node,
                     (void *)(uintptr_t)separate(search->s, &w));
}

static void search_root(const struct expr *root, void *user)
{
    struct window_search *search = user;
    struct expr_walk walk = {.scratch = search->s->context->scratch};
    expr_visit(&walk, root, find_windows, search);
}

const struct graph *separate_kernels(const struct graph *in, struct pass_context *context)
{
    if (context->target->tile_bytes == 0)
        return in;
    struct separation s = {.in = in,
                           .out = graph_copy_without_stages(context->output, in),
                           .context = context,
                           .place = ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1)};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = s.stage = in->stages.item[i];
        struct expr_rewriter rewriter = {
            .pool = context->pool, .rule = rewrite, .context = &s, .scratch = context->scratch};
        struct window_search search = {&s, &rewriter};
        s.count = 0;
        if (stage->kind == STAGE_MAP)
            stage_expressions(stage, search_root, &search);
        s.place[i] = (uint32_t)s.out->stages.count; /* a recurrence reads itself */
        graph_add_stage(context->output, s.out, stage_rewrite(context->output, stage, &rewriter));
    }
    graph_renumber(context->output, s.out, s.place);
    return s.out;
}
