/* transform_windows: graph → graph. Computes a large convolution, if the order of its terms is
 * free, by transforms where these are faster (placement/convolutions.h).
 *   before: out[y, x] = sum[v in 0 ..< n, u in 0 ..< m](k[v, u] * in[y + a - v, x + b - u])
 *   after:  out.spectrum[y, x] = fft of in, extended by n - 1 and m - 1 samples, y < h
 *           out.response[y, x] = fft of k, extended by zeros
 *           out.answer[y, x] = ifft of out.spectrum[y, x] * out.response[y, x]
 *           out[y, x] = y < h ? re(out.answer[y + n - 1, x + m - 1])
 *                             : im(out.answer[y - h + n - 1, x + m - 1])
 * The kernel is real, so the two halves of the image, h rows each, are transformed together as real
 * and imaginary part. Each transform has one stage per axis. Applies to fast sums of floats;
 * separate_kernels has already handled kernels that are a column times a row. */
#include "graph/rebuild.h"
#include "analysis/regions.h"
#include "graph/placement/convolutions.h"
#include "graph/placement/choose.h"
#include "graph/placement/windows.h"
#include "graph/transform_parts.h"

struct transforming {
    struct rebuild graph;
    struct pass_context *context;
    const struct stage *stage;
    unsigned count; /* of convolutions of the stage at hand so far */
};

/* The convolution at hand. */
struct work {
    struct transforming *t;
    struct expr_pool *pool;
    const struct convolution *c;
    enum scalar scalar;
    const struct expr *half; /* samples of each part of the image along the first axis */
    /* By axis of the convolution: results, samples that are transformed, and coordinates there. */
    const struct expr *results[GRAPH_MAX_RANK], *length[GRAPH_MAX_RANK], *variable[GRAPH_MAX_RANK];
};

static const struct expr *integer(const struct work *w, int64_t value)
{
    return expr_integer(w->pool, value);
}

static const struct expr *plus(const struct work *w, const struct expr *a, int64_t b)
{
    return region_sum(w->pool, a, integer(w, b), 1);
}

static const struct stage_axis *axis_of(const struct work *w, unsigned i)
{
    return &w->t->stage->axis[w->c->along[i].in_stage];
}

static int64_t taps_along(const struct work *w, unsigned i)
{
    return w->c->along[i].range.extent;
}

/* ---- Boxes ---- */

static void find_lengths(struct work *w)
{
    struct expr_pool *pool = w->pool;
    for (unsigned i = 0; i < w->c->count; i++) {
        const struct stage_axis *axis = axis_of(w, i);
        w->results[i] = axis->computed_extent;
        if (i == 0)
            w->results[i] = w->half =
                region_floor_divide(pool, plus(w, axis->computed_extent, 1), 2);
        w->length[i] =
            expr_unary(pool, EXPR_FAST_LENGTH, plus(w, w->results[i], taps_along(w, i) - 1));
        const struct interval places = {0, w->length[i]->interval.greatest - 1};
        w->variable[i] =
            expr_variable(pool, VARIABLE_INDEX, axis->name, scalar_width(places), places);
    }
}

static struct stage_axis transformed_axis(const struct work *w, unsigned i)
{
    const struct expr *const zero = integer(w, 0), *const length = w->length[i];
    return (struct stage_axis){axis_of(w, i)->name, w->variable[i], zero, length, zero, length};
}

/* Complex samples. */
struct made {
    uint32_t id;   /* of the stage */
    unsigned rank; /* with the axis of the parts */
    struct stage_axis axis[GRAPH_MAX_RANK];
};

/* The sample at the variables of the axes. */
static struct complex_parts sample_of(const struct work *w, const struct made *made)
{
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k + 1 < made->rank; k++)
        index[k] = made->axis[k].variable;
    return complex_load(w->pool, made->id, w->scalar, made->rank, index);
}

/* The transform of these values along an axis. */
static struct made add_transform(const struct work *w, const char *part, struct made like,
                                 unsigned axis, enum transform kind, struct complex_parts value)
{
    struct pass_context *context = w->t->context;
    const struct stage *const whom = w->t->stage;
    const char *const name =
        arena_format(context->scratch, "%s_%u.%s", part, w->t->count, like.axis[axis].name->text);
    const enum transform_norm norm = kind == TRANSFORM_IFFT ? NORM_INVERSE : NORM_NONE;
    like.axis[like.rank - 1] = axis_of_parts(context);
    like.id = add_made_stage(context, w->t->graph.out, whom, name,
                             (struct stage){.kind = STAGE_TRANSFORM,
                                            .element = w->scalar,
                                            .rank = like.rank,
                                            .axis = arena_copy(context->output, like.axis,
                                                               like.rank * sizeof *like.axis),
                                            .value = value.re,
                                            .as.transform = {kind, norm, axis, value.im}});
    return like;
}

static const struct expr *in_scalar(const struct work *w, const struct expr *load)
{
    return load->scalar == w->scalar ? load : expr_convert(w->pool, CONVERT_EXACT, w->scalar, load);
}

/* ---- The image ---- */

/* What the first or second half of the results is made of, at the coordinates that are
 * transformed. */
static const struct expr *sample_of_image(const struct work *w, unsigned part)
{
    const struct convolution *c = w->c;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < c->image->count; k++)
        index[k] = c->image->operand[k];
    for (unsigned i = 0; i < c->count; i++) {
        const struct convolution_axis *along = &c->along[i];
        const struct stage_axis *axis = axis_of(w, i);
        const int64_t last = along->range.first + along->range.extent - 1;
        const int64_t least = along->shift + (along->sign > 0 ? along->range.first : -last);
        const struct expr *end =
            plus(w, axis->computed_extent, along->range.extent - 2); /* the last one */
        const struct expr *place = w->variable[i];
        if (i == 0 && part)
            place = region_sum(w->pool, place, w->half, 1);
        index[along->in_image] = region_sum(w->pool, plus(w, axis->computed_first, least),
                                            expr_binary(w->pool, EXPR_MINIMUM, place, end), 1);
    }
    return in_scalar(w, expr_load(w->pool, w->t->graph.new_id[c->image->as.load.source],
                                  c->image->scalar, c->image->interval, c->image->count, index,
                                  c->image->as.load.border));
}

static struct made transform_image(const struct work *w)
{
    const struct convolution *c = w->c;
    struct made made = {.rank = c->image->count + 1};
    for (unsigned k = 0; k < c->image->count; k++)
        made.axis[k] = w->t->stage->axis[window_axis_of_index(w->t->stage, c->image->operand[k])];
    for (unsigned i = 0; i < c->count; i++)
        made.axis[c->along[i].in_image] = transformed_axis(w, i);
    struct complex_parts value = {sample_of_image(w, 0), sample_of_image(w, 1)};
    for (unsigned i = c->count; i-- > 0;) {
        made = add_transform(w, "spectrum", made, c->along[i].in_image, TRANSFORM_FFT, value);
        value = sample_of(w, &made);
    }
    return made;
}

/* ---- The kernel ---- */

/* Of the kernel's samples, and of 0 outside. */
static struct interval with_zero(const struct expr *load)
{
    struct interval interval = load->interval;
    if (scalar_is_integer(load->scalar)) {
        interval.least = interval.least < 0 ? interval.least : 0;
        interval.greatest = interval.greatest > 0 ? interval.greatest : 0;
    }
    return interval;
}

/* The kernel, its last tap first where the image is read forwards. */
static const struct expr *tap(const struct work *w)
{
    const struct convolution *c = w->c;
    const struct stage *kernel = w->t->graph.in->stages.item[c->kernel->as.load.source];
    const struct expr *index[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK];
    const struct expr *zero =
        scalar_is_float(kernel->element) ? expr_real(w->pool, kernel->element, 0) : integer(w, 0);
    for (unsigned k = 0; k < c->kernel->count; k++) {
        index[k] = c->kernel->operand[k];
        for (unsigned i = 0; i < c->count; i++) {
            const struct expr_range *range = &c->along[i].range;
            const struct interval places = {range->first, range->first + range->extent - 1};
            const struct expr *variable = expr_variable(w->pool, VARIABLE_INDEX, range->variable,
                                                        scalar_width(places), places);
            const int64_t begin = c->along[i].sign < 0 ? places.least : places.greatest;
            index[k] = expr_substitute(w->pool, w->t->context->scratch, index[k], variable,
                                       region_sum(w->pool, integer(w, begin), w->variable[i],
                                                  c->along[i].sign < 0 ? 1 : -1));
        }
        const bool has_rule =
            c->kernel->as.load.border && c->kernel->as.load.border[k].rule != BORDER_NONE;
        border[k] = has_rule ? c->kernel->as.load.border[k]
                             : (struct border){BORDER_ZERO, zero, kernel->axis[k].computed_first,
                                               kernel->axis[k].computed_extent};
    }
    return expr_load(w->pool, w->t->graph.new_id[c->kernel->as.load.source], c->kernel->scalar,
                     with_zero(c->kernel), c->kernel->count, index, border);
}

/* The value, or 0 behind the taps along the axis. */
static const struct expr *within_taps(const struct work *w, unsigned i, const struct expr *value)
{
    return expr_select(
        w->pool, expr_binary(w->pool, EXPR_LESS, w->variable[i], integer(w, taps_along(w, i))),
        value, expr_real(w->pool, w->scalar, 0));
}

/* Along the last axis only as many lines as there are taps; then they go on by zeros. */
static struct made transform_kernel(const struct work *w)
{
    const struct convolution *c = w->c;
    struct made made = {.rank = c->count + 1};
    struct complex_parts value = {within_taps(w, c->count - 1, in_scalar(w, tap(w))),
                                  expr_real(w->pool, w->scalar, 0)};
    for (unsigned i = 0; i < c->count; i++) {
        made.axis[i] = transformed_axis(w, i);
        if (i + 1 < c->count) {
            made.axis[i].extent = made.axis[i].computed_extent = integer(w, taps_along(w, i));
            const struct interval places = {0, taps_along(w, i) - 1};
            made.axis[i].variable =
                expr_variable(w->pool, VARIABLE_INDEX, made.axis[i].name, SCALAR_I32, places);
            value.re = expr_substitute(w->pool, w->t->context->scratch, value.re, w->variable[i],
                                       made.axis[i].variable);
        }
    }
    for (unsigned i = c->count; i-- > 0;) {
        made = add_transform(w, "response", made, i, TRANSFORM_FFT, value);
        if (i == 0)
            break;
        /* Lines along the axis before go on beyond what is there. */
        const struct expr *least = expr_binary(w->pool, EXPR_MINIMUM, w->variable[i - 1],
                                               integer(w, taps_along(w, i - 1) - 1));
        struct made read = made;
        read.axis[i - 1].variable = least;
        value = sample_of(w, &read);
        value.re = within_taps(w, i - 1, value.re);
        value.im = within_taps(w, i - 1, value.im);
        made.axis[i - 1] = transformed_axis(w, i - 1);
    }
    return made;
}

/* ---- The answer ---- */

/* The product of the spectrum and the response, which has the convolved axes alone, back; it is
 * fast as the sum was. */
static struct made transform_back(const struct work *w, const struct made *spectrum,
                                  const struct made *response)
{
    struct made made = *spectrum;
    w->pool->fast = true;
    struct complex_parts value =
        complex_product(w->pool, sample_of(w, spectrum), sample_of(w, response));
    w->pool->fast = false;
    for (unsigned i = 0; i < w->c->count; i++) {
        made = add_transform(w, "answer", made, w->c->along[i].in_image, TRANSFORM_IFFT, value);
        value = sample_of(w, &made);
    }
    return made;
}

/* The result at the stage's coordinates, of the half they lie in. */
static const struct expr *result(const struct work *w, struct made answer)
{
    const struct expr *of_part[2], *first = NULL;
    for (unsigned part = 0; part < 2; part++) {
        for (unsigned i = 0; i < w->c->count; i++) {
            const struct stage_axis *axis = axis_of(w, i);
            const struct expr *place =
                region_sum(w->pool, axis->variable, axis->computed_first, -1);
            if (i == 0 && part == 0) {
                first = expr_binary(w->pool, EXPR_LESS, place, w->half);
                place = expr_binary(w->pool, EXPR_MINIMUM, place, plus(w, w->half, -1));
            } else if (i == 0) {
                place = expr_binary(w->pool, EXPR_MAXIMUM, region_sum(w->pool, place, w->half, -1),
                                    integer(w, 0));
            }
            answer.axis[w->c->along[i].in_image].variable = plus(w, place, taps_along(w, i) - 1);
        }
        of_part[part] = part ? sample_of(w, &answer).im : sample_of(w, &answer).re;
    }
    return expr_select(w->pool, first, of_part[0], of_part[1]);
}

static const struct expr *by_transforms(struct transforming *t, const struct convolution *c)
{
    struct work w = {.t = t, .pool = t->context->pool, .c = c, .scalar = c->reduce->scalar};
    t->count++;
    find_lengths(&w);
    const struct made spectrum = transform_image(&w), response = transform_kernel(&w);
    return result(&w, transform_back(&w, &spectrum, &response));
}

/* ---- The graph ---- */

struct convolution_search {
    struct transforming *t;
    struct hash_map results; /* sum → what stands in its place */
};

/* Whether transforms take it: where they are faster, or at random. */
static bool is_taken(const struct transforming *t, const struct convolution *c)
{
    return choose_whether(t->context, t->stage->id.index, CHOICE_TRANSFORMED,
                          convolution_is_large(c));
}

static void find_convolutions(const struct expr *node, void *user)
{
    struct convolution_search *search = user;
    struct transforming *t = search->t;
    struct convolution c;
    if (node->kind == EXPR_REDUCE && node->fast &&
        convolution_find(t->context->scratch, t->graph.in, t->stage, node, &c) && is_taken(t, &c))
        hash_map_put(t->context->scratch, &search->results, node,
                     (void *)(uintptr_t)by_transforms(t, &c));
}

static void search_root(const struct expr *root, void *user)
{
    struct convolution_search *search = user;
    expr_nodes(search->t->context->scratch, root, find_convolutions, search);
}

const struct graph *transform_windows(const struct graph *in, struct pass_context *context)
{
    if (!graph_is_fast(in, context->scratch))
        return in;
    struct transforming t = {.graph = rebuild_begin(in, context), .context = context};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = t.stage = in->stages.item[i];
        struct convolution_search search = {.t = &t};
        t.count = 0;
        if (stage_may_move(stage))
            stage_expressions(stage, search_root, &search);
        rebuild_keep(&t.graph, stage, &search.results);
    }
    return rebuild_end(&t.graph);
}
