/* realise_transforms: graph → graph. A cosine transform of type 2 or 3 takes the form that the
 * program's schedule wants: stages that order samples, complex transforms, a stage that combines.
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
 * Afterwards nothing is said of the form of a transform but where there is none. */
#include "graph_pass.h"
#include "analysis/regions.h"

enum { MOST_AXES = 3 };

/* Transforms along `axes` axes, the first of them innermost, and their form. */
struct form {
    enum transform_form wanted;
    unsigned axes;
    const struct stage *stage[MOST_AXES]; /* in order; the last one is what the program names */
};

struct realising {
    const struct graph *in;
    struct pass_context *context;
    struct expr_pool *pool;
    const struct form **form; /* by stage: of the last one; NULL: it stays */
    struct graph *out;
    uint32_t *new_id; /* by stage: its new number */
    struct renumbering renumbering;
};

/* A complex number. */
struct pair {
    const struct expr *re, *im;
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

static const struct expr *less(const struct realising *r, const struct expr *a,
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

static struct pair pair_times(const struct realising *r, struct pair a, struct pair w)
{
    return (struct pair){less(r, times(r, a.re, w.re), times(r, a.im, w.im)),
                         sum(r, times(r, a.re, w.im), times(r, a.im, w.re))};
}

static struct pair conjugate(const struct realising *r, struct pair a)
{
    return (struct pair){a.re, expr_unary(r->pool, EXPR_NEGATE, a.im)};
}

static struct pair pair_sum(const struct realising *r, struct pair a, struct pair b)
{
    return (struct pair){sum(r, a.re, b.re), sum(r, a.im, b.im)};
}

/* ---- Lines ---- */

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
    const struct expr *n = extent_of(form, i), *last = less(r, n, number(r, 1));
    const struct expr *const back =
        less(r, less(r, times(r, number(r, times_of(form->wanted)), n), number(r, 1)), place);
    const struct expr *const twice = times(r, number(r, 2), place);
    const struct expr *sample = NULL;
    switch (form->wanted) {
    case FORM_QUADRUPLE:
        sample = expr_binary(r->pool, EXPR_DIVIDE, smaller(r, place, back), number(r, 2));
        break;
    case FORM_MIRRORED:
        sample = smaller(r, place, back);
        break;
    case FORM_PADDED:
        sample = place;
        break;
    case FORM_REORDERED:
    case FORM_THREE_STAGES:
        sample = smaller(r, twice, sum(r, times(r, number(r, 2), back), number(r, 1)));
        break;
    }
    sample = expr_binary(r->pool, EXPR_MAXIMUM, smaller(r, sample, last), number(r, 0));
    return sample;
}

/* Whether a sample stands there; NULL: everywhere. */
static const struct expr *is_filled(const struct realising *r, const struct form *form,
                                    const struct expr *place)
{
    if (form->wanted == FORM_QUADRUPLE)
        return expr_binary(r->pool, EXPR_EQUAL,
                           expr_binary(r->pool, EXPR_REMAINDER, place, number(r, 2)), number(r, 1));
    return form->wanted == FORM_PADDED ? expr_binary(r->pool, EXPR_LESS, place, extent_of(form, 0))
                                       : NULL;
}

/* ---- Stages ---- */

static struct stage_axis whole_axis(const struct realising *r, const struct form *form,
                                    const struct stage_axis *like, const char *part,
                                    const struct expr *extent)
{
    const struct interval places = {0, INT32_MAX - 1};
    const struct symbol *name =
        symbol_format(&r->context->session->symbols, "%s.%s.%s",
                      form->stage[form->axes - 1]->name->text, part, like->name->text);
    return (struct stage_axis){
        like->name,   expr_variable(r->pool, VARIABLE_INDEX, name, SCALAR_I32, places),
        number(r, 0), extent,
        number(r, 0), extent};
}

static uint32_t add_made(struct realising *r, const struct form *form, const char *part,
                         struct stage made)
{
    const struct stage *last = form->stage[form->axes - 1];
    made.name = symbol_format(&r->context->session->symbols, "%s.%s", last->name->text, part);
    made.span = last->span;
    made.repeat = last->repeat;
    made.is_made = true;
    return graph_add_stage(r->context->output, r->out, made).index;
}

/* cos or -sin of pi k / 2 N by k, as a stage: both parts of w^k. */
static uint32_t add_factor(struct realising *r, const struct form *form, unsigned i,
                           enum expr_kind function)
{
    const struct stage *stage = form->stage[i];
    struct stage_axis *axis = ARENA_NEW(r->context->output, struct stage_axis);
    const char *const part =
        arena_format(r->context->scratch, "%s.%u", function == EXPR_COSINE ? "cosine" : "sine", i);
    *axis = whole_axis(r, form, &stage->axis[axis_of(form, i)], part, extent_of(form, i));
    const struct expr *const k = expr_convert(r->pool, CONVERT_EXACT, SCALAR_F64, axis->variable);
    const struct expr *const n =
        expr_convert(r->pool, CONVERT_EXACT, SCALAR_F64, extent_of(form, i));
    const struct expr *const quarter = expr_real(r->pool, SCALAR_F64, 1.57079632679489661923);
    const struct expr *value =
        expr_unary(r->pool, function, times(r, quarter, expr_binary(r->pool, EXPR_DIVIDE, k, n)));
    if (function == EXPR_SINE)
        value = expr_unary(r->pool, EXPR_NEGATE, value);
    return add_made(
        r, form, part,
        (struct stage){.kind = STAGE_MAP,
                       .element = stage->element,
                       .rank = 1,
                       .axis = axis,
                       .value = expr_convert(r->pool, CONVERT_EXACT, stage->element, value)});
}

static const struct expr *read(const struct realising *r, const struct form *form, uint32_t source,
                               unsigned rank, const struct expr *const index[])
{
    const enum scalar element = form->stage[0]->element;
    return expr_load(r->pool, source, element, scalar_info[element].interval, rank, index, NULL);
}

struct factors {
    uint32_t re[MOST_AXES], im[MOST_AXES];
};

static struct factors add_factors(struct realising *r, const struct form *form)
{
    struct factors factors = {{0}, {0}};
    for (unsigned i = 0; i < form->axes && form->wanted != FORM_QUADRUPLE; i++) {
        factors.re[i] = add_factor(r, form, i, EXPR_COSINE);
        factors.im[i] = add_factor(r, form, i, EXPR_SINE);
    }
    return factors;
}

static struct pair factor_at(const struct realising *r, const struct form *form,
                             const struct factors *factors, unsigned i, const struct expr *k)
{
    return (struct pair){read(r, form, factors->re[i], 1, &k),
                         read(r, form, factors->im[i], 1, &k)};
}

/* What the first of the transforms transforms, at those coordinates. */
static const struct expr *value_at(const struct realising *r, const struct form *form,
                                   const struct expr *const index[])
{
    const struct stage *stage = form->stage[0];
    struct expr_rewriter rewriter = {.pool = r->pool,
                                     .rule = graph_renumber_read,
                                     .context = (void *)(uintptr_t)&r->renumbering,
                                     .scratch = r->context->scratch};
    const struct expr *value = expr_rewrite(&rewriter, stage->value);
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *variable = stage->axis[k].variable, *by = index[k];
        if (by->scalar != variable->scalar)
            by = expr_convert(r->pool, CONVERT_EXACT, variable->scalar, by);
        value = expr_substitute(r->pool, r->context->scratch, value, variable, by);
    }
    return value;
}

/* Where k = 0 along an axis whose norm is ortho, times that. */
static const struct expr *weighted_by(const struct realising *r, const struct form *form, double by,
                                      const struct expr *value, const struct expr *const k[])
{
    const enum scalar element = form->stage[0]->element;
    for (unsigned i = 0; i < form->axes; i++)
        if (form->stage[i]->as.transform.norm == NORM_ORTHO)
            value = times(
                r, value,
                expr_select(r->pool,
                            expr_binary(r->pool, EXPR_EQUAL, k[axis_of(form, i)], number(r, 0)),
                            expr_real(r->pool, element, by), expr_real(r->pool, element, 1)));
    return value;
}

/* The product, over the axes from i on, of w^-k (v - i v reflected): type 3 before its
 * transform. */
static struct pair parted(const struct realising *r, const struct form *form,
                          const struct factors *factors, unsigned i, const struct expr *at[],
                          const struct expr *const k[])
{
    if (i == form->axes) {
        const struct expr *zero = expr_real(r->pool, form->stage[0]->element, 0);
        return (struct pair){
            weighted_by(r, form, 1.41421356237309504880, value_at(r, form, at), at), zero};
    }
    const unsigned axis = axis_of(form, i);
    const struct expr *const zero = expr_real(r->pool, form->stage[0]->element, 0);
    const struct expr *const is_first = expr_binary(r->pool, EXPR_EQUAL, k[axis], number(r, 0));
    const struct expr *const last = less(r, extent_of(form, i), number(r, 1));
    const struct pair own = parted(r, form, factors, i + 1, at, k);
    at[axis] = smaller(r, less(r, extent_of(form, i), k[axis]), last);
    struct pair other = parted(r, form, factors, i + 1, at, k);
    at[axis] = k[axis];
    other.re = expr_select(r->pool, is_first, zero, other.re);
    other.im = expr_select(r->pool, is_first, zero, other.im);
    const struct pair both = {sum(r, own.re, other.im), less(r, own.im, other.re)};
    return pair_times(r, both, conjugate(r, factor_at(r, form, factors, i, k[axis])));
}

/* Complex transforms along all axes; their last stage. */
static uint32_t add_lines(struct realising *r, const struct form *form,
                          const struct factors *factors)
{
    const struct stage *last = form->stage[form->axes - 1];
    const unsigned rank = last->rank + 1;
    const enum transform kind = kind_of(form) == TRANSFORM_DCT2 ? TRANSFORM_FFT : TRANSFORM_IFFT;
    uint32_t id = 0;
    for (unsigned i = 0; i < form->axes; i++) {
        const char *const part = arena_format(r->context->scratch, "line.%u", i);
        struct stage_axis *axis = ARENA_ARRAY(r->context->output, struct stage_axis, rank);
        const struct expr *index[GRAPH_MAX_RANK], *at[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < last->rank; k++) {
            const struct expr *extent = last->axis[k].extent;
            if (k == axis_of(form, i))
                extent = times(r, number(r, times_of(form->wanted)), extent);
            axis[k] = whole_axis(r, form, &last->axis[k], part, extent);
            at[k] = index[k] = axis[k].variable;
        }
        struct stage_axis parts = {.name =
                                       symbol_from(&r->context->session->symbols, COMPLEX_AXIS)};
        axis[rank - 1] = whole_axis(r, form, &parts, part, number(r, 2));
        axis[rank - 1].variable =
            expr_variable(r->pool, VARIABLE_INDEX, axis[rank - 1].variable->as.variable.name,
                          SCALAR_I32, (struct interval){0, 1});
        struct pair value;
        if (i > 0) {
            index[rank - 1] = number(r, 0);
            value.re = read(r, form, id, rank, index);
            index[rank - 1] = number(r, 1);
            value.im = read(r, form, id, rank, index);
        } else if (kind == TRANSFORM_IFFT) {
            value = parted(r, form, factors, 0, at, index);
        } else {
            const struct expr *zero = expr_real(r->pool, last->element, 0);
            const struct expr *filled = is_filled(r, form, index[axis_of(form, 0)]);
            for (unsigned k = 0; k < form->axes; k++)
                at[axis_of(form, k)] = sample_at(r, form, k, index[axis_of(form, k)]);
            value = (struct pair){value_at(r, form, at), zero};
            if (filled)
                value.re = expr_select(r->pool, filled, value.re, zero);
        }
        id =
            add_made(r, form, part,
                     (struct stage){.kind = STAGE_TRANSFORM,
                                    .element = last->element,
                                    .rank = rank,
                                    .axis = axis,
                                    .value = value.re,
                                    .as.transform = {kind, NORM_NONE, axis_of(form, i), value.im}});
    }
    return id;
}

/* (w_i^k + w_i^-k R_i) over the axes from i on, R_i: the place is reflected; the last axis takes
 * w^k alone. */
static struct pair combined(const struct realising *r, const struct form *form,
                            const struct factors *factors, uint32_t line, unsigned i,
                            const struct expr *at[], const struct expr *const k[])
{
    const unsigned rank = form->stage[0]->rank;
    if (i == form->axes) {
        struct pair own;
        at[rank] = number(r, 0);
        own.re = read(r, form, line, rank + 1, at);
        at[rank] = number(r, 1);
        own.im = read(r, form, line, rank + 1, at);
        return own;
    }
    const unsigned axis = axis_of(form, i);
    const struct pair w = factor_at(r, form, factors, i, k[axis]);
    const struct pair own = pair_times(r, combined(r, form, factors, line, i + 1, at, k), w);
    if (i + 1 == form->axes)
        return own;
    at[axis] = expr_select(r->pool, expr_binary(r->pool, EXPR_EQUAL, k[axis], number(r, 0)),
                           number(r, 0), less(r, extent_of(form, i), k[axis]));
    at[axis] = smaller(r, expr_binary(r->pool, EXPR_MAXIMUM, at[axis], number(r, 0)),
                       less(r, extent_of(form, i), number(r, 1)));
    const struct pair other =
        pair_times(r, combined(r, form, factors, line, i + 1, at, k), conjugate(r, w));
    at[axis] = k[axis];
    return pair_sum(r, own, other);
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
    const struct stage *last = form->stage[form->axes - 1];
    const int64_t longer = times_of(form->wanted);
    const struct graph_check check = {
        expr_binary(r->pool, EXPR_LESS_EQUAL, times(r, number(r, longer), extent_of(form, 0)),
                    number(r, INT32_MAX)),
        arena_format(r->context->output, "'%s.line' would have more than 2^31 - 1 samples along %s",
                     last->name->text, last->axis[axis_of(form, 0)].name->text),
        last->span};
    if (longer > 1)
        VECTOR_PUSH(r->context->output, &r->out->checks, check);
}

static uint32_t add_form(struct realising *r, const struct form *form)
{
    add_check(r, form);
    struct stage last = *form->stage[form->axes - 1];
    const struct factors factors = add_factors(r, form);
    const uint32_t line = add_lines(r, form, &factors);
    const bool doubles = form->wanted != FORM_QUADRUPLE && form->wanted != FORM_MIRRORED;
    const struct expr *k[GRAPH_MAX_RANK], *at[GRAPH_MAX_RANK];
    for (unsigned a = 0; a < last.rank; a++)
        at[a] = k[a] = last.axis[a].variable;
    const struct expr *value = NULL;
    if (kind_of(form) == TRANSFORM_DCT3) {
        for (unsigned i = 0; i < form->axes; i++) {
            const unsigned axis = axis_of(form, i);
            const struct expr *half = expr_binary(r->pool, EXPR_DIVIDE, k[axis], number(r, 2));
            const struct expr *is_odd = expr_binary(
                r->pool, EXPR_EQUAL, expr_binary(r->pool, EXPR_REMAINDER, k[axis], number(r, 2)),
                number(r, 1));
            const struct expr *back = less(r, less(r, extent_of(form, i), number(r, 1)), half);
            at[axis] = expr_binary(r->pool, EXPR_MAXIMUM, expr_select(r->pool, is_odd, back, half),
                                   number(r, 0));
        }
        at[last.rank] = number(r, 0);
        value = read(r, form, line, last.rank + 1, at);
    } else if (form->wanted == FORM_QUADRUPLE) {
        at[last.rank] = number(r, 0);
        value = read(r, form, line, last.rank + 1, at);
    } else {
        value = combined(r, form, &factors, line, 0, at, k).re;
    }
    if (doubles && kind_of(form) == TRANSFORM_DCT2)
        value = times(r, value, expr_real(r->pool, last.element, 2));
    last.kind = STAGE_MAP;
    last.value = scaled(r, form, value, k);
    last.binding_count = 0;
    last.details = details_without(r->context->output, last.details, DETAIL_METHOD);
    return graph_add_stage(r->context->output, r->out, last).index;
}

/* ---- Which ---- */

static const struct stage *read_at_own_place(const struct realising *r, const struct stage *stage)
{
    const struct expr *value = stage->value;
    bool own = value->kind == EXPR_LOAD && value->count == stage->rank;
    for (unsigned k = 0; own && k < stage->rank; k++)
        own = value->operand[k] == stage->axis[k].variable;
    return own ? r->in->stages.item[value->as.load.source] : NULL;
}

/* Those before it that are of the same kind, each read by the next one at its own place. */
static struct form form_of(const struct realising *r, const struct stage *stage)
{
    struct form form = {.wanted = (enum transform_form)stage_says(stage, DETAIL_METHOD)->value[0]};
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

/* Whether it can be computed as the program wants it. */
static bool takes_form(const struct stage *stage)
{
    const struct detail *said = stage_says(stage, DETAIL_METHOD);
    const enum transform kind =
        stage->kind == STAGE_TRANSFORM ? stage->as.transform.kind : TRANSFORM_COUNT;
    return said && stage->rank < GRAPH_MAX_RANK &&
           (kind == TRANSFORM_DCT2 || (kind == TRANSFORM_DCT3 && said->value[0] >= FORM_REORDERED));
}

const struct graph *realise_transforms(const struct graph *in, struct pass_context *context)
{
    if (!graph_says(in, DETAIL_METHOD))
        return in;
    const size_t count = in->stages.count + 1;
    struct realising r = {.in = in,
                          .context = context,
                          .pool = context->pool,
                          .form = ARENA_ARRAY(context->scratch, const struct form *, count),
                          .out = graph_copy_without_stages(context->output, in),
                          .new_id = ARENA_ARRAY(context->scratch, uint32_t, count)};
    r.renumbering = (struct renumbering){context->pool, r.new_id};
    for (size_t i = 0; i < in->stages.count; i++) {
        if (!takes_form(in->stages.item[i]))
            continue;
        const struct form form = form_of(&r, in->stages.item[i]);
        r.form[i] = arena_copy(context->scratch, &form, sizeof form);
    }
    for (size_t i = 0; i < in->stages.count; i++) {
        struct expr_rewriter rewriter = {.pool = context->pool,
                                         .rule = graph_renumber_read,
                                         .context = &r.renumbering,
                                         .scratch = context->scratch};
        r.new_id[i] = (uint32_t)r.out->stages.count; /* a recurrence reads itself */
        if (r.form[i]) {
            r.new_id[i] = add_form(&r, r.form[i]);
            continue;
        }
        const struct stage stage = stage_rewrite(context->output, in->stages.item[i], &rewriter);
        r.new_id[i] = graph_add_stage(context->output, r.out, stage).index;
    }
    graph_renumber(context->output, r.out, r.new_id);
    return graph_of_needed(context->output, context->pool, r.out);
}
