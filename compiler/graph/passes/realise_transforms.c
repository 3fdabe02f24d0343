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
 * A single line is `reordered` where nothing is said: split_lines makes many of its transform.
 * Afterwards nothing is said of the form of a transform but where there is none. */
#include "graph/complex_parts.h"

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

static const struct expr *read(const struct realising *r, const struct form *form, uint32_t source,
                               unsigned rank, const struct expr *const index[])
{
    const enum scalar element = form->stage[0]->element;
    return expr_load(r->pool, source, element, scalar_info[element].interval, rank, index, NULL);
}

/* By axis of the form: w^k. */
struct factors {
    struct root_tables axis[MOST_AXES];
};

static struct factors add_factors(struct realising *r, const struct form *form)
{
    struct factors factors = {0};
    const double quarter = 1.57079632679489661923;
    for (unsigned i = 0; i < form->axes && form->wanted != FORM_QUADRUPLE; i++)
        factors.axis[i] = root_tables_add(r->context, r->out, form->stage[form->axes - 1],
                                          arena_format(r->context->scratch, "roots.%u", i),
                                          -quarter, extent_of(form, i));
    return factors;
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
static struct complex_parts parted(const struct realising *r, const struct form *form,
                                   const struct factors *factors, unsigned i,
                                   const struct expr *at[], const struct expr *const k[])
{
    if (i == form->axes) {
        const struct expr *zero = expr_real(r->pool, form->stage[0]->element, 0);
        return (struct complex_parts){
            weighted_by(r, form, 1.41421356237309504880, value_at(r, form, at), at), zero};
    }
    const unsigned axis = axis_of(form, i);
    const struct expr *const zero = expr_real(r->pool, form->stage[0]->element, 0);
    const struct expr *const is_first = expr_binary(r->pool, EXPR_EQUAL, k[axis], number(r, 0));
    const struct expr *const last = less(r, extent_of(form, i), number(r, 1));
    const struct complex_parts own = parted(r, form, factors, i + 1, at, k);
    at[axis] = smaller(r, less(r, extent_of(form, i), k[axis]), last);
    struct complex_parts other = parted(r, form, factors, i + 1, at, k);
    at[axis] = k[axis];
    other.re = expr_select(r->pool, is_first, zero, other.re);
    other.im = expr_select(r->pool, is_first, zero, other.im);
    const struct complex_parts both = {sum(r, own.re, other.im), less(r, own.im, other.re)};
    return complex_product(r->pool, both,
                           complex_conjugate(r->pool, root_at(&factors->axis[i], k[axis])));
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
        struct complex_parts value;
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
            value = (struct complex_parts){value_at(r, form, at), zero};
            if (filled)
                value.re = expr_select(r->pool, filled, value.re, zero);
        }
        id = add_made_stage(
            r->context, r->out, last, part,
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
static struct complex_parts combined(const struct realising *r, const struct form *form,
                                     const struct factors *factors, uint32_t line, unsigned i,
                                     const struct expr *at[], const struct expr *const k[])
{
    const unsigned rank = form->stage[0]->rank;
    if (i == form->axes) {
        struct complex_parts own;
        at[rank] = number(r, 0);
        own.re = read(r, form, line, rank + 1, at);
        at[rank] = number(r, 1);
        own.im = read(r, form, line, rank + 1, at);
        return own;
    }
    const unsigned axis = axis_of(form, i);
    const struct complex_parts w = root_at(&factors->axis[i], k[axis]);
    const struct complex_parts own =
        complex_product(r->pool, combined(r, form, factors, line, i + 1, at, k), w);
    if (i + 1 == form->axes)
        return own;
    at[axis] = expr_select(r->pool, expr_binary(r->pool, EXPR_EQUAL, k[axis], number(r, 0)),
                           number(r, 0), less(r, extent_of(form, i), k[axis]));
    at[axis] = smaller(r, expr_binary(r->pool, EXPR_MAXIMUM, at[axis], number(r, 0)),
                       less(r, extent_of(form, i), number(r, 1)));
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
    if (last.details)
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

/* Where nothing is said: that of a single line, whose complex transform is split. */
static bool is_long_line(const struct realising *r, const struct stage *stage)
{
    return stage->rank == 1 && !stage->schedule && !stage_says_any(stage) &&
           line_is_split(stage->axis[0].extent) && r->context->target->has_threads;
}

/* The form that it takes; false: it stays as it is. */
static bool method_of(const struct realising *r, const struct stage *stage,
                      enum transform_form *method)
{
    const struct detail *said = stage_says(stage, DETAIL_METHOD);
    const enum transform kind =
        stage->kind == STAGE_TRANSFORM ? stage->as.transform.kind : TRANSFORM_COUNT;
    *method = said ? (enum transform_form)said->value[0] : FORM_REORDERED;
    return (said || is_long_line(r, stage)) && stage->rank < GRAPH_MAX_RANK &&
           (kind == TRANSFORM_DCT2 || (kind == TRANSFORM_DCT3 && *method >= FORM_REORDERED));
}

const struct graph *realise_transforms(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct realising r = {.in = in,
                          .context = context,
                          .pool = context->pool,
                          .form = ARENA_ARRAY(context->scratch, const struct form *, count),
                          .out = graph_copy_without_stages(context->output, in),
                          .new_id = ARENA_ARRAY(context->scratch, uint32_t, count)};
    r.renumbering = (struct renumbering){context->pool, r.new_id};
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++) {
        enum transform_form method;
        if (!method_of(&r, in->stages.item[i], &method))
            continue;
        const struct form form = form_of(&r, in->stages.item[i], method);
        r.form[i] = arena_copy(context->scratch, &form, sizeof form);
        any = true;
    }
    if (!any)
        return in;
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
