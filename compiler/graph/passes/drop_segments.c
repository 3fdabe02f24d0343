/* drop_segments: graph → graph. Removes schedules of segments that segment_recurrences could not
 * make.
 *   before: s[x] = s[x] * s[x - 1], tile(64) along 0 segmented   t[x] at s
 *   after:  s[x] = s[x] * s[x - 1]   t[x]
 * Afterwards only joined stages have segments, and no stage is computed at them. */
#include "graph_pass.h"

static bool is_in_vain(const struct graph *in, const struct stage *stage)
{
    return (stage_is_segmented(stage) && stage->kind != STAGE_JOINED) ||
           (stage_follows(stage) && stage_is_segmented(graph_stage(in, stage->schedule->at)));
}

const struct graph *drop_segments(const struct graph *in, struct pass_context *context)
{
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || is_in_vain(in, in->stages.item[i]);
    if (!any)
        return in;
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        if (is_in_vain(in, &stage)) {
            decline(context, &stage, REMARK_SEGMENTS, "the filter has no recurrence");
            if (stage_follows(&stage))
                decline(context, &stage, REMARK_PLACE, "'%s' has no place for it in its blocks",
                        graph_stage(in, stage.schedule->at)->name->text);
            stage.schedule = NULL;
        }
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
