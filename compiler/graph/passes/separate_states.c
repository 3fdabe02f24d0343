/* separate_states: graph → graph. Splits a recurrence along the fastest axis that is stored into a
 * stage that carries the state and a stage that stores the samples, so that the two can have
 * different memory layouts (rows are transposed, see group_lines).
 *   before: rows[y, x] = in[y, x] + rows[y, x - 1]
 *   after:  rows.state[y, x] = in[y, x] + rows.state[y, x - 1]   rows[y, x] = rows.state[y, x]
 * Afterwards readers of the recurrence read the stage that stores it. Recurrences with few lines
 * side by side do not change. */
#include "graph/rebuild.h"
#include "graph/placement/line_groups.h"
#include "graph/readers.h"

static bool is_separated(const struct stage *stage, const struct graph *in,
                         const struct stage_readers *readers, struct arena *scratch)
{
    if (stage->kind != STAGE_RECURRENCE || stage->rank < 2 || stage->is_made ||
        stage->as.recurrence.axis + 1 != stage->rank ||
        axis_is_short(&stage->axis[stage->rank - 2]) ||
        (stage->schedule && stage->schedule->placement == PLACED_INLINE) ||
        !line_reach_of(scratch, stage, stage, stage->as.recurrence.axis).beside)
        return false;
    bool stores = graph_output_of(in, stage->id) != NULL;
    for (size_t r = 0; r < readers->stages.count; r++) {
        const struct stage *reader = readers->stages.item[r];
        stores = stores || !line_runs_along(reader, stage->as.recurrence.axis) ||
                 !line_reach_of(scratch, reader, stage, stage->as.recurrence.axis).beside;
    }
    return stores;
}

static struct stage state_of(struct pass_context *context, const struct stage *stage)
{
    struct stage state = *stage;
    state.name = symbol_format(&context->session->symbols, "%s.state", stage->name->text);
    state.is_made = true;
    state.schedule = NULL;
    return state;
}

static struct stage stored(struct pass_context *context, const struct stage *stage, uint32_t state)
{
    struct stage copy = *stage;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    copy.kind = STAGE_MAP;
    copy.binding_count = 0;
    copy.value =
        expr_load(context->pool, state, stage->element, stage->interval, stage->rank, index, NULL);
    return copy;
}

const struct graph *separate_states(const struct graph *in, struct pass_context *context)
{
    const struct stage_readers *readers = graph_readers(in, context->scratch);
    bool *separated = ARENA_ARRAY(context->scratch, bool, in->stages.count + 1), any = false;
    for (size_t i = 0; i < in->stages.count; i++) {
        separated[i] = is_separated(in->stages.item[i], in, &readers[i], context->scratch);
        any = any || separated[i];
    }
    if (!any)
        return in;
    struct rebuild r = rebuild_begin(in, context);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage stage = rebuild_stage(&r, in->stages.item[i], NULL);
        if (!separated[i]) {
            rebuild_add(&r, stage);
            continue;
        }
        const stage_id state = rebuild_add(&r, state_of(context, &stage));
        const stage_id kept = rebuild_add(&r, stored(context, &stage, state.index));
        rebuild_replace(&r, in->stages.item[i], kept.index);
    }
    return rebuild_end(&r);
}
