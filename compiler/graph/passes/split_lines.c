/* split_lines: graph → graph. A complex transform of a single line of n = a b samples becomes
 * transforms of many lines side by side, along two axes of length near the square root.
 *   before: s [x 0 .. n] = fft of v(x)
 *   after:  s.columns [j 0 .. b] [i 0 .. a] = fft along j of v(a j + i)
 *           s.rows [j 0 .. b] [i 0 .. a] = fft along i of e^(-2 pi i j i / n) s.columns[j, i]
 *           s [x] = s.rows[x % b, x / b]
 * with the factors as products of two short tables. Not of lines known to be short. */
#include "graph/complex_parts.h"

static const double TURN = 6.28318530717958647693;

struct splitting {
    struct pass_context *context;
    struct expr_pool *pool;
    struct graph *out;
    const struct stage *stage;    /* at hand */
    const struct expr *n, *a, *b; /* its samples, of rows, of columns */
    uint32_t *new_id;             /* by stage: its new number */
    struct renumbering renumbering;
};

static const struct expr *number(const struct splitting *s, int64_t value)
{
    return expr_integer(s->pool, value);
}

static const struct expr *binary(const struct splitting *s, enum expr_kind kind,
                                 const struct expr *a, const struct expr *b)
{
    return expr_binary(s->pool, kind, a, b);
}

static struct stage_axis axis_named(const struct splitting *s, const char *name, const char *part,
                                    const struct expr *extent, int64_t most)
{
    struct symbol_table *symbols = &s->context->session->symbols;
    const struct expr *variable =
        expr_variable(s->pool, VARIABLE_INDEX,
                      symbol_format(symbols, "%s.%s.%s", s->stage->name->text, part, name),
                      SCALAR_I32, (struct interval){0, most});
    return (struct stage_axis){
        symbol_from(symbols, name), variable, number(s, 0), extent, number(s, 0), extent};
}

static const struct expr *read(const struct splitting *s, uint32_t source, unsigned rank,
                               const struct expr *const index[])
{
    return expr_load(s->pool, source, s->stage->element, scalar_info[s->stage->element].interval,
                     rank, index, NULL);
}

/* ---- Transforms ---- */

/* Along axis 0 or 1 of [j, i] or of [j, i, parts]. */
static uint32_t add_transform(struct splitting *s, const char *part, unsigned along,
                              const struct stage_axis axis[3], struct complex_parts value)
{
    return add_made_stage(
        s->context, s->out, s->stage, part,
        (struct stage){.kind = STAGE_TRANSFORM,
                       .rank = 3,
                       .axis = arena_copy(s->context->output, axis, 3 * sizeof *axis),
                       .value = value.re,
                       .as.transform = {s->stage->as.transform.kind, s->stage->as.transform.norm,
                                        along, value.im}});
}

static void find_axes(const struct splitting *s, const char *part, struct stage_axis axis[3])
{
    axis[0] = axis_named(s, "j", part, s->b, INT32_MAX - 1);
    axis[1] = axis_named(s, "i", part, s->a, INT32_MAX - 1);
    axis[2] = axis_named(s, COMPLEX_AXIS, part, number(s, 2), 1);
}

/* A sample of the line, at that place. */
static const struct expr *sample_at(const struct splitting *s, const struct expr *value,
                                    const struct expr *place)
{
    struct expr_rewriter rewriter = {.pool = s->pool,
                                     .rule = graph_renumber_read,
                                     .context = (void *)(uintptr_t)&s->renumbering,
                                     .scratch = s->context->scratch};
    const struct expr *variable = s->stage->axis[0].variable;
    const struct expr *last = binary(s, EXPR_SUBTRACT, s->n, number(s, 1));
    place = binary(s, EXPR_MAXIMUM, binary(s, EXPR_MINIMUM, place, last), number(s, 0));
    if (place->scalar != variable->scalar)
        place = expr_convert(s->pool, CONVERT_EXACT, variable->scalar, place);
    return expr_substitute(s->pool, s->context->scratch, expr_rewrite(&rewriter, value), variable,
                           place);
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
        root_tables_add(s->context, s->out, s->stage, "roots", turn, s->n);
    const struct expr *const last = binary(s, EXPR_SUBTRACT, s->n, number(s, 1));
    const struct expr *const k = binary(
        s, EXPR_MINIMUM,
        binary(s, EXPR_MULTIPLY, expr_convert(s->pool, CONVERT_EXACT, SCALAR_I64, axis[0].variable),
               axis[1].variable),
        last);
    const struct expr *index[3] = {axis[0].variable, axis[1].variable, number(s, 0)};
    struct complex_parts value = {read(s, columns, 3, index), NULL};
    index[2] = number(s, 1);
    value.im = read(s, columns, 3, index);
    return add_transform(s, "rows", 1, axis, complex_product(s->pool, value, root_at(&roots, k)));
}

static uint32_t add_split(struct splitting *s, const struct stage *stage)
{
    s->stage = stage;
    s->n = stage->axis[0].extent;
    s->a = expr_unary(s->pool, EXPR_DIVISOR, s->n);
    s->b = binary(s, EXPR_DIVIDE, s->n, s->a);
    const uint32_t rows = add_rows(s, add_columns(s));
    const struct expr *x = stage->axis[0].variable;
    const struct expr *const last = binary(s, EXPR_SUBTRACT, s->a, number(s, 1));
    const struct expr *const index[3] = {
        binary(s, EXPR_REMAINDER, x, s->b),
        binary(s, EXPR_MINIMUM, binary(s, EXPR_DIVIDE, x, s->b), last), stage->axis[1].variable};
    struct stage line = *stage;
    line.kind = STAGE_MAP;
    line.binding_count = 0;
    line.value = read(s, rows, 3, index);
    return graph_add_stage(s->context->output, s->out, line).index;
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
        any = any || (in->stages.item[i]->rank == 2 && is_single_line(in->stages.item[i]));
    if (!any)
        return in;
    struct splitting s = {.context = context,
                          .pool = context->pool,
                          .out = graph_copy_without_stages(context->output, in),
                          .new_id = ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1)};
    s.renumbering = (struct renumbering){context->pool, s.new_id};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        struct expr_rewriter rewriter = {.pool = context->pool,
                                         .rule = graph_renumber_read,
                                         .context = &s.renumbering,
                                         .scratch = context->scratch};
        s.new_id[i] = (uint32_t)s.out->stages.count; /* a recurrence reads itself */
        if (stage->rank == 2 && is_single_line(stage)) {
            s.new_id[i] = add_split(&s, stage);
            continue;
        }
        const struct stage other = stage_rewrite(context->output, stage, &rewriter);
        s.new_id[i] = graph_add_stage(context->output, s.out, other).index;
    }
    graph_renumber(context->output, s.out, s.new_id);
    return s.out;
}
