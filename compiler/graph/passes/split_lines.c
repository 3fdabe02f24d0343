/* split_lines: graph → graph. A complex transform of a single line of n = a b samples becomes
 * transforms of many lines side by side, along two axes of length near the square root.
 *   before: s [x 0 .. n] = fft of v(x)
 *   after:  s.columns [j 0 .. b] [i 0 .. a] = fft along j of v(a j + i)
 *           s.rows [j 0 .. b] [i 0 .. a] = fft along i of e^(-2 pi i j i / n) s.columns[j, i]
 *           s [x] = s.rows[x % b, x / b]
 * with the factors as products of two short tables. Lines known to be short are not split. */
#include "graph/rebuild.h"
#include "graph/transform_parts.h"

static const double TURN = 6.28318530717958647693;

struct splitting {
    struct rebuild graph;
    struct pass_context *context;
    struct expr_pool *pool;
    const struct stage *stage;    /* at hand */
    const struct expr *n, *a, *b; /* its samples, of rows, of columns */
};

static const struct expr *binary(const struct splitting *s, enum expr_kind kind,
                                 const struct expr *a, const struct expr *b)
{
    return expr_binary(s->pool, kind, a, b);
}

/* ---- Transforms ---- */

/* Along axis 0 or 1 of [j, i, parts]. */
static uint32_t add_transform(struct splitting *s, const char *part, unsigned along,
                              const struct stage_axis axis[3], struct complex_parts value)
{
    return add_made_stage(
        s->context, s->graph.out, s->stage, part,
        (struct stage){.kind = STAGE_TRANSFORM,
                       .element = s->stage->element,
                       .rank = 3,
                       .axis = arena_copy(s->context->output, axis, 3 * sizeof *axis),
                       .value = value.re,
                       .as.transform = {s->stage->as.transform.kind, s->stage->as.transform.norm,
                                        along, value.im}});
}

static void find_axes(const struct splitting *s, const char *part, struct stage_axis axis[3])
{
    struct symbol_table *symbols = &s->context->session->symbols;
    const int64_t most = INT32_MAX - 1;
    axis[0] = made_axis(s->context, s->stage, part, symbol_from(symbols, "j"), s->b, most);
    axis[1] = made_axis(s->context, s->stage, part, symbol_from(symbols, "i"), s->a, most);
    axis[2] = axis_of_parts(s->context);
}

/* A part of the sample of the line at that place. */
static const struct expr *sample_at(const struct splitting *s, const struct expr *value,
                                    const struct expr *place)
{
    const struct expr *const index[2] = {place_within(s->pool, place, s->n),
                                         s->stage->axis[1].variable};
    return value_moved(s->context, s->stage, rebuild_reads(&s->graph, value), index);
}

static uint32_t add_columns(struct splitting *s)
{
    struct stage_axis axis[3];
    find_axes(s, "columns", axis);
    const struct expr *place =
        binary(s, EXPR_ADD, binary(s, EXPR_MULTIPLY, s->a, axis[0].variable), axis[1].variable);
    const struct complex_parts value = {sample_at(s, s->stage->value, place),
                                        sample_at(s, s->stage->as.transform.imaginary, place)};
    return add_transform(s, "columns", 0, axis, value);
}

static uint32_t add_rows(struct splitting *s, uint32_t columns)
{
    struct stage_axis axis[3];
    find_axes(s, "rows", axis);
    const double turn = s->stage->as.transform.kind == TRANSFORM_FFT ? -TURN : TURN;
    const struct root_tables roots =
        root_tables_add(s->context, s->graph.out, s->stage, "roots", turn, s->n);
    const struct expr *const j = expr_convert(s->pool, CONVERT_EXACT, SCALAR_I64, axis[0].variable);
    const struct expr *const k =
        place_within(s->pool, binary(s, EXPR_MULTIPLY, j, axis[1].variable), s->n);
    const struct expr *const index[2] = {axis[0].variable, axis[1].variable};
    return add_transform(
        s, "rows", 1, axis,
        complex_product(s->pool, complex_load(s->pool, columns, s->stage->element, 3, index),
                        root_at(&roots, k)));
}

static uint32_t add_split(struct splitting *s, const struct stage *stage)
{
    s->stage = stage;
    s->n = stage->axis[0].extent;
    s->a = expr_unary(s->pool, EXPR_DIVISOR, s->n);
    s->b = binary(s, EXPR_DIVIDE, s->n, s->a);
    const uint32_t rows = add_rows(s, add_columns(s));
    const struct expr *x = stage->axis[0].variable;
    const struct expr *const index[3] = {
        binary(s, EXPR_REMAINDER, x, s->b),
        place_within(s->pool, binary(s, EXPR_DIVIDE, x, s->b), s->a), stage->axis[1].variable};
    struct stage line = *stage;
    line.kind = STAGE_MAP;
    line.binding_count = 0;
    line.value = expr_load(s->pool, rows, stage->element, scalar_info[stage->element].interval, 3,
                           index, NULL);
    return graph_add_stage(s->context->output, s->graph.out, line).index;
}

static bool is_single_line(const struct stage *stage)
{
    return stage->kind == STAGE_TRANSFORM && stage_imaginary(stage) && stage->rank == 2 &&
           !stage->schedule && !stage_says_any(stage) && line_is_split(stage->axis[0].extent);
}

const struct graph *split_lines(const struct graph *in, struct pass_context *context)
{
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || is_single_line(in->stages.item[i]);
    if (!any)
        return in;
    struct splitting s = {
        .graph = rebuild_begin(in, context), .context = context, .pool = context->pool};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        if (is_single_line(stage))
            rebuild_replace(&s.graph, stage, add_split(&s, stage));
        else
            rebuild_keep(&s.graph, stage, NULL);
    }
    return rebuild_end(&s.graph);
}
