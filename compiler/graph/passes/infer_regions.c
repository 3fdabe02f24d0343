/* infer_regions: graph → graph. Gives each stage the box that it must compute: its own box, plus
 * what readers with the rule `extend` need beyond it.
 *   before: a[x in 0 .. n-1] = …   b[x in 0 .. n-1] = a[x - 2] border extend + a[x + 1] border extend
 *   after:  a computes -2 .. n
 * An output that must be larger for another stage is copied, cropped to its own box. Afterwards the
 * interval of a coordinate contains the computed box, and outputs compute only their own box. */
#include "graph_pass.h"
#include "graph/extended.h"

static bool stage_is_extended(const struct stage *stage)
{
    for (unsigned k = 0; k < stage->rank; k++)
        if (axis_is_extended(&stage->axis[k]))
            return true;
    return false;
}

/* The stage's own box of it; old: the stage as it was, before its coordinates were widened. */
static stage_id add_cropped(struct pass_context *context, struct graph *out,
                            const struct stage *stage, const struct stage *old)
{
    struct stage_axis *axis = ARENA_ARRAY(context->output, struct stage_axis, stage->rank);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++) {
        axis[k] = old->axis[k];
        axis[k].computed_first = axis[k].first;
        axis[k].computed_extent = axis[k].extent;
        index[k] = axis[k].variable;
    }
    struct stage cropped = {
        .kind = STAGE_MAP,
        .name = symbol_format(&context->session->symbols, "%s.cropped", stage->name->text),
        .span = stage->span,
        .element = stage->element,
        .interval = stage->interval,
        .rank = stage->rank,
        .axis = axis,
        .value = expr_load(context->pool, stage->id.index, stage->element, stage->interval,
                           stage->rank, index, NULL)};
    return graph_add_stage(context->output, out, cropped);
}

static void crop_outputs(struct pass_context *context, const struct graph *in, struct graph *out)
{
    out->outputs.count = out->outputs.capacity = 0;
    for (size_t i = 0; i < in->outputs.count; i++) {
        struct graph_output output = in->outputs.item[i];
        const struct stage *stage = graph_stage(out, output.stage);
        if (stage_is_extended(stage))
            output.stage = add_cropped(context, out, stage, graph_stage(in, output.stage));
        VECTOR_PUSH(context->output, &out->outputs, output);
    }
}

const struct graph *infer_regions(const struct graph *in, struct pass_context *context)
{
    const struct stage *stages =
        extended_stages(context->pool, context->output, context->scratch, in);
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++)
        graph_add_stage(context->output, out, stages[i]);
    crop_outputs(context, in, out);
    return out;
}
