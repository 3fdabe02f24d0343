/* realise_transforms: graph → graph. Rewrites a cosine transform of type 2 or 3 in the form that
 * the schedule asks for: stages that reorder samples, complex transforms, a stage that combines
 * them.
 *   before:    stage s [x 0 .. N] = transform dct2 along x of v(x)
 *   quadruple: s.line [x 0 .. 4 N] = fft of v at odd places, mirrored      s[x] = re(s.line[x])
 *   mirrored:  s.line [x 0 .. 2 N] = fft of v, then v backwards            s[x] = re(w^x s.line[x])
 *   padded:    s.line [x 0 .. 2 N] = fft of v, then zeros                  s[x] = 2 re(w^x s.line[x])
 *   reordered: s.line [x 0 .. N]   = fft of the even samples, then the odd ones backwards
 *                                                                          s[x] = 2 re(w^x s.line[x])
 * with w = e^(-pi i / 2 N) (Makhoul 1980); times the factor of the norm. Type 3 is `reordered`
 * alone: s.line = ifft of w^-x (v(x) - i v(N - x)), where v(N) = 0, and s[x] its sample at the
 * place of x.
 *   three_stages: transforms along several axes, each of the one before, in one: samples are ordered
 *              along all axes, then transformed, then combined, 2^(axes - 1) of them for each.
 * Without a directive, a single line is `reordered`, because split_lines then splits its transform.
 * Afterwards only directives that could not be obeyed are left. */
#include "graph/rebuild.h"
#include "graph/transform_parts.h"

enum { MOST_AXES = 3 };

/* Transforms along `axes` axes, the first of them innermost, and their form. */
struct form {
    enum transform_form wanted;
    unsigned axes;
    const struct stage *stage[MOST_AXES]; /* in order */
};

struct realising {
    struct rebuild graph;
    struct pass_context *context;
    struct expr_pool *pool;
};

/* ---- Expressions ---- */

static const struct expr *number(const struct realising *r, int64_t value)
{
    return expr_integer(r->pool, value);
}

static const struct expr *sum(const struct realising *r, const struct expr *a, const struct expr *b)
{
    return expr_binary(r->pool, EXPR_ADD, a, b);
}

static const struct expr *minus(const struct realising *r, const struct expr *a,
                                const struct expr *b)
{
    return expr_binary(r->pool, EXPR_SUBTRACT, a, b);
}

static const struct expr *times(const struct realising *r, const struct expr *a,
                                const struct expr *b)
{
    return expr_binary(r->pool, EXPR_MULTIPLY, a, b);
}

static const struct expr *smaller(const struct realising *r, const struct expr *a,
                                  const struct expr *b)
{
    return expr_binary(r->pool, EXPR_MINIMUM, a, b);
}

static const struct expr *equals(const struct realising *r, const struct expr *a, int64_t b)
{
    return expr_binary(r->pool, EXPR_EQUAL, a, number(r, b));
}

static const struct expr *half(const struct realising *r, const struct expr *a)
{
    return expr_binary(r->pool, EXPR_DIVIDE, a, number(r, 2));
}

static const struct expr *is_odd(const struct realising *r, const struct expr *a)
{
    return equals(r, expr_binary(r->pool, EXPR_REMAINDER, a, number(r, 2)), 1);
}

/* ---- Lines ---- */

/* What the program names: it keeps its samples. */
static const struct stage *last_of(const struct form *form)
{
    return form->stage[form->axes - 1];
}

static enum transform kind_of(const struct form *form)
{
    return form->stage[0]->as.transform.kind;
}

static unsigned axis_of(const struct form *form, unsigned i)
{
    return form->stage[i]->as.transform.axis;
}

static const struct expr *extent_of(const struct form *form, unsigned i)
{
    return form->stage[i]->axis[axis_of(form, i)].extent;
}

/* Samples as which one of a line of N is transformed. */
static int64_t times_of(enum transform_form form)
{
    return form == FORM_QUADRUPLE ? 4 : form == FORM_MIRRORED || form == FORM_PADDED ? 2 : 1;
}

/* The sample of the line that stands at that place of the line that is transformed; at other places
 * there is 0. */
static const struct expr *sample_at(const struct realising *r, const struct form *form, unsigned i,
                                    const struct expr *place)
{
    const struct expr *const n = extent_of(form, i);
    const struct expr *const back =
        minus(r, minus(r, times(r, number(r, times_of(form->wanted)), n), number(r, 1)), place);
    const struct expr *sample = place;
    switch (form->wanted) {
    case FORM_QUADRUPLE:
        sample = half(r, smaller(r, place, back));
        break;
    case FORM_MIRRORED:
        sample = smaller(r, place, back);
        break;
    case FORM_PADDED:
        break;
    case FORM_REORDERED:
    case FORM_THREE_STAGES:
        sample = smaller(r, times(r, number(r, 2), place),
                         sum(r, times(r, number(r, 2), back), number(r, 1)));
        break;
    }
    return place_within(r->pool, sample, n);
}

/* Whether a sample stands there; NULL: everywhere. */
static const struct expr *is_filled(const struct realising *r, const struct form *form,
                                    const struct expr *place)
{
    if (form->wanted == FORM_QUADRUPLE)
        return is_odd(r, place);
    return form->wanted == FORM_PADDED ? expr_binary(r->pool, EXPR_LESS, place, extent_of(form, 0))
                                       : NULL;
}

/* ---- Stages ---- */

/* By axis of the form: w^k. */
struct factors {
    struct root_tables axis[MOST_AXES];
};

static struct factors add_factors(struct realising *r, const struct form *form)
{
    struct factors factors = {0};
    const double quarter = 1.57079632679489661923;
    for (unsigned i = 0; i < form->axes && form->wanted != FORM_QUADRUPLE; i++)
        factors.axis[i] = root_tables_add(r->context, r->graph.out, last_of(form),
                                          arena_format(r->context->scratch, "roots.%u", i),
                                          -quarter, extent_of(form, i));
    return factors;
}

/* What the first of the transforms transforms, at those coordinates. */
static const struct expr *value_at(const struct realising *r, const struct form *form,
                                   const struct expr *const index[])
{
    return value_moved(r->context, form->stage[0], rebuild_reads(&r->graph, form->stage[0]->value),
                       index);
}

/* Where k = 0 along an axis whose norm is ortho, times that. */
static const struct expr *weighted_by(const struct realising *r, const struct form *form, double by,
                                      const struct expr *value, const struct expr *const k[])
{
    const enum scalar element = form->stage[0]->element;
    for (unsigned i = 0; i < form->axes; i++)
        if (form->stage[i]->as.transform.norm == NORM_ORTHO)
            value =
                times(r, value,
                      expr_select(r->pool, equals(r, k[axis_of(form, i)], 0),
                                  expr_real(r->pool, element, by), expr_real(r->pool, element, 1)));
    return value;
}

/* The product, over the axes from i on, of w^-k (v - i v reflected): type 3 before its
 * transform. */
static struct complex_parts parted(const struct realising *r, const struct form *form,
                                   const struct factors *factors, unsigned i,
                                   const struct expr *at[], const struct expr *const k[])
{
    const struct expr *const zero = expr_real(r->pool, form->stage[0]->element, 0);
    if (i == form->axes)
        return (struct complex_parts){
            weighted_by(r, form, 1.41421356237309504880, value_at(r, form, at), at), zero};
    const unsigned axis = axis_of(form, i);
    const struct expr *const n = extent_of(form, i), *const is_first = equals(r, k[axis], 0);
    const struct complex_parts own = parted(r, form, factors, i + 1, at, k);
    at[axis] = smaller(r, minus(r, n, k[axis]), minus(r, n, number(r, 1)));
    struct complex_parts other = parted(r, form, factors, i + 1, at, k);
    at[axis] = k[axis];
    other.re = expr_select(r->pool, is_first, zero, other.re);
    other.im = expr_select(r->pool, is_first, zero, other.im);
    const struct complex_parts both = {sum(r, own.re, other.im), minus(r, own.im, other.re)};
    return complex_product(r->pool, both,
                           complex_conjugate(r->pool, root_at(&factors->axis[i], k[axis])));
}

/* Type 2 before its transform: samples in the order of the form. */
static struct complex_parts ordered(const struct realising *r, const struct form *form,
                                    const struct expr *at[], const struct expr *const place[])
{
    const struct expr *const zero = expr_real(r->pool, form->stage[0]->element, 0);
    const struct expr *const filled = is_filled(r, form, place[axis_of(form, 0)]);
    for (unsigned i = 0; i < form->axes; i++)
        at[axis_of(form, i)] = sample_at(r, form, i, place[axis_of(form, i)]);
    const struct expr *const value = value_at(r, form, at);
    return (struct complex_parts){filled ? expr_select(r->pool, filled, value, zero) : value, zero};
}

/* The complex transform along axis i, of what the one before has left: stage `before`. */
static uint32_t add_line(struct realising *r, const struct form *form,
                         const struct factors *factors, unsigned i, uint32_t before)
{
    const struct stage *last = last_of(form);
    const bool forward = kind_of(form) == TRANSFORM_DCT2;
    const unsigned rank = last->rank + 1;
    const char *const part = arena_format(r->context->scratch, "line.%u", i);
    struct stage_axis *axis = ARENA_ARRAY(r->context->output, struct stage_axis, rank);
    const struct expr *index[GRAPH_MAX_RANK], *at[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < last->rank; k++) {
        const int64_t longer = k == axis_of(form, i) ? times_of(form->wanted) : 1;
        axis[k] = made_axis(r->context, last, part, last->axis[k].name,
                            times(r, number(r, longer), last->axis[k].extent), INT32_MAX - 1);
        at[k] = index[k] = axis[k].variable;
    }
    axis[rank - 1] = axis_of_parts(r->context);
    const struct complex_parts value =
        i > 0     ? complex_load(r->pool, before, last->element, rank, index)
        : forward ? ordered(r, form, at, index)
                  : parted(r, form, factors, 0, at, index);
    return add_made_stage(r->context, r->graph.out, last, part,
                          (struct stage){.kind = STAGE_TRANSFORM,
                                         .element = last->element,
                                         .rank = rank,
                                         .axis = axis,
                                         .value = value.re,
                                         .as.transform = {forward ? TRANSFORM_FFT : TRANSFORM_IFFT,
                                                          NORM_NONE, axis_of(form, i), value.im}});
}

/* (w_i^k + w_i^-k R_i) over the axes from i on, R_i: the place is reflected; the last axis takes
 * w^k alone. */
static struct complex_parts combined(const struct realising *r, const struct form *form,
                                     const struct factors *factors, uint32_t line, unsigned i,
                                     const struct expr *at[], const struct expr *const k[])
{
    if (i == form->axes)
        return complex_load(r->pool, line, form->stage[0]->element, form->stage[0]->rank + 1, at);
    const unsigned axis = axis_of(form, i);
    const struct complex_parts w = root_at(&factors->axis[i], k[axis]);
    const struct complex_parts own =
        complex_product(r->pool, combined(r, form, factors, line, i + 1, at, k), w);
    if (i + 1 == form->axes)
        return own;
    const struct expr *const n = extent_of(form, i);
    at[axis] = place_within(
        r->pool, expr_select(r->pool, equals(r, k[axis], 0), number(r, 0), minus(r, n, k[axis])),
        n);
    const struct complex_parts other = complex_product(
        r->pool, combined(r, form, factors, line, i + 1, at, k), complex_conjugate(r->pool, w));
    at[axis] = k[axis];
    return complex_sum(r->pool, own, other);
}

/* Times the factors of the norms of all axes. */
static const struct expr *scaled(const struct realising *r, const struct form *form,
                                 const struct expr *value, const struct expr *const k[])
{
    const enum scalar element = form->stage[0]->element;
    for (unsigned i = 0; i < form->axes; i++) {
        const enum transform_norm norm = form->stage[i]->as.transform.norm;
        const struct expr *n = expr_convert(r->pool, CONVERT_EXACT, SCALAR_F64, extent_of(form, i));
        const struct expr *by = times(r, expr_real(r->pool, SCALAR_F64, 2), n);
        if (norm == NORM_ORTHO)
            by = expr_unary(r->pool, EXPR_SQUARE_ROOT, by);
        by = expr_convert(r->pool, CONVERT_EXACT, element,
                          expr_binary(r->pool, EXPR_DIVIDE, expr_real(r->pool, SCALAR_F64, 1), by));
        if (norm != NORM_NONE)
            value = times(r, value, by);
    }
    return kind_of(form) == TRANSFORM_DCT2 ? weighted_by(r, form, 0.70710678118654752440, value, k)
                                           : value;
}

/* On entry: a line that is transformed has no more samples than there can be. */
static void add_check(struct realising *r, const struct form *form)
{
    const struct stage *last = last_of(form);
    const int64_t longer = times_of(form->wanted);
    const struct graph_check check = {
        expr_binary(r->pool, EXPR_LESS_EQUAL, times(r, number(r, longer), extent_of(form, 0)),
                    number(r, INT32_MAX)),
        arena_format(r->context->output, "'%s.line' would have more than 2^31 - 1 samples along %s",
                     last->name->text, last->axis[axis_of(form, 0)].name->text),
        last->span};
    if (longer > 1)
        VECTOR_PUSH(r->context->output, &r->graph.out->checks, check);
}

/* Where sample k stands in a line of even samples, then odd ones backwards. */
static const struct expr *place_of(const struct realising *r, const struct expr *k,
                                   const struct expr *n)
{
    const struct expr *const back = minus(r, minus(r, n, number(r, 1)), half(r, k));
    return expr_binary(r->pool, EXPR_MAXIMUM, expr_select(r->pool, is_odd(r, k), back, half(r, k)),
                       number(r, 0));
}

/* What is made of the samples of the last complex transform, without the factors of norms. */
static const struct expr *answer(const struct realising *r, const struct form *form,
                                 const struct factors *factors, uint32_t line,
                                 const struct expr *const k[])
{
    const struct stage *last = last_of(form);
    const struct expr *at[GRAPH_MAX_RANK];
    for (unsigned a = 0; a < last->rank; a++)
        at[a] = k[a];
    for (unsigned i = 0; i < form->axes && kind_of(form) == TRANSFORM_DCT3; i++)
        at[axis_of(form, i)] = place_of(r, k[axis_of(form, i)], extent_of(form, i));
    if (kind_of(form) == TRANSFORM_DCT3 || form->wanted == FORM_QUADRUPLE)
        return complex_load(r->pool, line, last->element, last->rank + 1, at).re;
    const struct expr *const value = combined(r, form, factors, line, 0, at, k).re;
    return form->wanted == FORM_MIRRORED ? value
                                         : times(r, value, expr_real(r->pool, last->element, 2));
}

static uint32_t add_form(struct realising *r, const struct form *form)
{
    struct stage last = *last_of(form);
    const struct factors factors = add_factors(r, form);
    const struct expr *k[GRAPH_MAX_RANK];
    uint32_t line = 0;
    add_check(r, form);
    for (unsigned i = 0; i < form->axes; i++)
        line = add_line(r, form, &factors, i, line);
    for (unsigned a = 0; a < last.rank; a++)
        k[a] = last.axis[a].variable;
    last.kind = STAGE_MAP;
    last.value = scaled(r, form, answer(r, form, &factors, line, k), k);
    last.binding_count = 0;
    if (last.details)
        last.details = details_without(r->context->output, last.details, DETAIL_METHOD);
    return graph_add_stage(r->context->output, r->graph.out, last).index;
}

/* ---- Which ---- */

static const struct stage *read_at_own_place(const struct realising *r, const struct stage *stage)
{
    const struct expr *value = stage->value;
    bool own = value->kind == EXPR_LOAD && value->count == stage->rank;
    for (unsigned k = 0; own && k < stage->rank; k++)
        own = value->operand[k] == stage->axis[k].variable;
    return own ? r->graph.in->stages.item[value->as.load.source] : NULL;
}

/* Those before it that are of the same kind, each read by the next one at its own place. */
static struct form form_of(const struct realising *r, const struct stage *stage,
                           enum transform_form method)
{
    struct form form = {.wanted = method};
    const struct stage *chain[MOST_AXES] = {stage};
    unsigned count = 1;
    while (form.wanted == FORM_THREE_STAGES && count < MOST_AXES) {
        const struct stage *before = read_at_own_place(r, chain[count - 1]);
        if (!before || before->kind != STAGE_TRANSFORM ||
            before->as.transform.kind != stage->as.transform.kind ||
            before->repeat != stage->repeat)
            break;
        chain[count++] = before;
    }
    form.axes = count;
    for (unsigned i = 0; i < count; i++)
        form.stage[i] = chain[count - 1 - i];
    return form;
}

/* A transform of a single line, whose complex transform is split unless the schedule gives it
 * another form. The stage that ends the split form may lie in tiles; a transform may not. */
static bool is_long_line(const struct graph *in, const struct pass_context *context,
                         const struct stage *stage)
{
    const struct schedule *schedule = stage->schedule;
    const bool is_free = !schedule || (schedule->placement == PLACED_AT &&
                                       graph_stage(in, schedule->at)->kind != STAGE_TRANSFORM);
    return stage->rank == 1 && is_free && !stage_says_any(stage) &&
           line_is_split(stage->axis[0].extent) && context->target->has_threads;
}

/* The form that it takes; false: it stays as it is. */
static bool method_of(const struct graph *in, const struct pass_context *context,
                      const struct stage *stage, enum transform_form *method)
{
    const struct detail *said = stage_says(stage, DETAIL_METHOD);
    const enum transform kind =
        stage->kind == STAGE_TRANSFORM ? stage->as.transform.kind : TRANSFORM_COUNT;
    *method = said ? (enum transform_form)said->value[0] : FORM_REORDERED;
    return (said || is_long_line(in, context, stage)) && stage->rank < GRAPH_MAX_RANK &&
           (kind == TRANSFORM_DCT2 || (kind == TRANSFORM_DCT3 && *method >= FORM_REORDERED));
}

const struct graph *realise_transforms(const struct graph *in, struct pass_context *context)
{
    enum transform_form method;
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        const bool has = method_of(in, context, stage, &method);
        any = any || has;
        if (!has)
            decline(context, stage, DETAIL_METHOD, "%s",
                    stage->kind == STAGE_TRANSFORM && stage->as.transform.kind == TRANSFORM_DCT3
                        ? "that form is one of a dct of type 2"
                        : "only a dct of type 2 or 3 has such forms");
    }
    if (!any)
        return in;
    struct realising r = {
        .graph = rebuild_begin(in, context), .context = context, .pool = context->pool};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        if (!method_of(in, context, stage, &method)) {
            rebuild_keep(&r.graph, stage, NULL);
            continue;
        }
        const struct form form = form_of(&r, stage, method);
        rebuild_replace(&r.graph, stage, add_form(&r, &form));
    }
    return graph_of_needed(context->output, context->pool, rebuild_end(&r.graph));
}
