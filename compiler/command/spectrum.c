/* What lies along the axes of a stage, followed through the graph from its inputs; and pictures of
 * complex samples. */
#include "command/spectrum.h"

#include "expr/affine.h"
#include "expr/scalar.h"

#include <math.h>

/* ---- Axes ---- */

/* What lies along an axis. Of a value that reads several stages the last of these counts. */
enum content {
    CONTENT_PLACES,
    CONTENT_UNKNOWN,
    CONTENT_FREQUENCIES, /* all of a line, from 0 */
    CONTENT_PART,        /* some of them, or in another order */
};

struct contents { /* by axis */
    enum content along[GRAPH_MAX_RANK];
};

struct search {
    struct arena *scratch;
    const struct graph *graph;
    struct contents *of;       /* by stage */
    const struct stage *stage; /* at hand */
};

/* The same, or checked on entry to be so. */
static bool are_equal(const struct graph *graph, const struct expr *a, const struct expr *b)
{
    bool equal = a == b;
    for (size_t i = 0; i < graph->checks.count && !equal; i++) {
        const struct expr *check = graph->checks.item[i].condition;
        equal = check->kind == EXPR_EQUAL && ((check->operand[0] == a && check->operand[1] == b) ||
                                              (check->operand[0] == b && check->operand[1] == a));
    }
    return equal;
}

/* Along axis k of the stage at hand, by what it reads along axis j of another. */
static enum content content_read(const struct search *s, unsigned k, const struct expr *load,
                                 unsigned j)
{
    const struct stage *source = s->graph->stages.item[load->as.load.source];
    const struct affine place = affine_from(load->operand[j]);
    const enum content content = s->of[source->id.index].along[j];
    const bool moves = !place.exact || affine_coefficient(&place, s->stage->axis[k].variable) != 1;
    const bool is_whole = are_equal(s->graph, source->axis[j].extent, s->stage->axis[k].extent);
    return content == CONTENT_PLACES || (!moves && is_whole) ? content : CONTENT_PART;
}

static void note_read(const struct expr *node, void *user)
{
    const struct search *s = user;
    if (node->kind != EXPR_LOAD || node->as.load.source == s->stage->id.index)
        return;
    enum content *own = s->of[s->stage->id.index].along;
    for (unsigned k = 0; k < s->stage->rank; k++)
        for (unsigned j = 0; j < node->count; j++) {
            if (!expr_contains(s->scratch, node->operand[j], s->stage->axis[k].variable))
                continue;
            const enum content content = content_read(s, k, node, j);
            own[k] = own[k] > content ? own[k] : content;
        }
}

static void find_content(struct search *s)
{
    const struct stage *stage = s->stage;
    enum content *own = s->of[stage->id.index].along;
    for (unsigned k = 0; k < stage->rank && stage->kind == STAGE_INPUT; k++)
        own[k] = stage_is_complex(stage) ? CONTENT_UNKNOWN : CONTENT_PLACES;
    if (stage->kind == STAGE_CARRIED)
        s->of[stage->id.index] = s->of[stage->as.carried.initial.index];
    stage_nodes(stage, s->scratch, note_read, s);
    if (stage->kind == STAGE_TRANSFORM)
        own[stage->as.transform.axis] =
            stage->as.transform.kind == TRANSFORM_IFFT ? CONTENT_PLACES : CONTENT_FREQUENCIES;
}

void spectrum_find_axes(struct arena *scratch, const struct graph *graph, const struct stage *stage,
                        bool centred[GRAPH_MAX_RANK])
{
    const size_t count = graph->stages.count;
    struct search s = {
        .scratch = scratch, .graph = graph, .of = ARENA_ARRAY(scratch, struct contents, count + 1)};
    for (size_t i = 0; i < count; i++) {
        s.stage = graph->stages.item[i];
        find_content(&s);
    }
    for (unsigned k = 0; k < stage->rank; k++) {
        const enum content content = s.of[stage->id.index].along[k];
        centred[k] = content == CONTENT_FREQUENCIES ||
                     (content == CONTENT_UNKNOWN && !axis_is_of_channels(stage->axis[k].name));
    }
}

/* ---- The picture ---- */

static double logarithm(const struct flt_image *image, ptrdiff_t at)
{
    const ptrdiff_t part = image->stride[image->rank - 1];
    if (image->element == FLT_F64) {
        const double *z = (const double *)image->data + at;
        return log1p(hypot(z[0], z[part]));
    }
    const float *z = (const float *)image->data + at;
    return log1p(hypot((double)z[0], (double)z[part]));
}

/* Samples from the first to the one that a picture shows at place i, which counts as its memory
 * does. */
static ptrdiff_t shown_at(const struct flt_image *image, const bool centred[], size_t i)
{
    ptrdiff_t at = 0;
    for (int k = image->rank - 1; k-- > 0;) {
        const size_t extent = (size_t)image->extent[k];
        const size_t half = centred[k] ? (extent + 1) / 2 : 0;
        at += (ptrdiff_t)((i % extent + half) % extent) * image->stride[k];
        i /= extent;
    }
    return at;
}

bool spectrum_picture(const struct flt_image *image, const bool centred[FLT_MAX_RANK],
                      struct flt_image *picture, double *greatest)
{
    const char *axis[FLT_MAX_RANK] = {NULL};
    const int rank = image->rank - 1;
    size_t count = 1;
    for (int k = 0; k < rank; k++) {
        axis[k] = image->axis[k];
        count *= (size_t)image->extent[k];
    }
    if (flt_image_create(picture, FLT_F32, rank, axis, image->extent) != FLT_OK)
        return false;
    *greatest = 0;
    for (size_t i = 0; i < count; i++) {
        const double sample = logarithm(image, shown_at(image, centred, i));
        *greatest = isfinite(sample) && sample > *greatest ? sample : *greatest;
    }
    const double unit = *greatest > 0 ? *greatest : 1;
    for (size_t i = 0; i < count; i++)
        ((float *)picture->data)[i] = (float)(logarithm(image, shown_at(image, centred, i)) / unit);
    return true;
}
