#include "graph/placement/held_recurrences.h"

#include "graph/placement/choose.h"
#include "graph/recurrence/feedback.h"
#include "target/target.h"

struct holding {
    const struct pass_context *context;
    const struct graph *in;
    const struct stage_readers *readers;
    int64_t before[GRAPH_MAX_RANK]; /* by axis: how far before the sink's tile stages begin */
    unsigned depth;
};

static bool is_placed_elsewhere(const struct holding *h, const struct stage *stage)
{
    const struct schedule *schedule = stage->schedule;
    const struct stage *sink = stage_is_at(stage) ? graph_stage(h->in, schedule->at) : NULL;
    return schedule && schedule->placement != PLACED_FREELY &&
           !(sink && !schedule_has_lines(sink->schedule));
}

static bool is_held(struct holding *h, const struct stage *stage);

/* Whether a tile of the reader, or of what reads that, holds what it reads. */
static bool is_held_for(struct holding *h, const struct stage *stage, const struct stage *reader)
{
    if (reader->rank != stage->rank || reader->repeat != stage->repeat)
        return false;
    return reader->kind == STAGE_RECURRENCE ? is_held(h, reader) : stage_is_per_sample(reader);
}

static bool is_held(struct holding *h, const struct stage *stage)
{
    enum { MOST_BYTES = 4 };
    const struct stage_readers *of = &h->readers[stage->id.index];
    const unsigned axis = stage->as.recurrence.axis;
    if (stage->is_made || stage->rank < 2 || axis + 2 < stage->rank ||
        scalar_info[stage->element].bytes > MOST_BYTES || graph_output_of(h->in, stage->id) ||
        is_placed_elsewhere(h, stage) || stage_says_any(stage))
        return false;
    const int64_t memory = recurrence_memory(h->in, h->context->pool, h->context->scratch, stage);
    h->before[axis] += memory;
    bool held = memory > 0 && h->before[axis] <= choice_value(h->context, CHOICE_HELD_BEFORE) &&
                ++h->depth <= choice_value(h->context, CHOICE_HELD_DEPTH) && of->stages.count > 0;
    for (size_t r = 0; held && r < of->stages.count; r++)
        held = is_held_for(h, stage, of->stages.item[r]);
    return held;
}

bool recurrence_is_held(const struct pass_context *context, const struct graph *in,
                        const struct stage_readers *readers, const struct stage *stage)
{
    struct holding holding = {.context = context, .in = in, .readers = readers};
    return context->target->fast.owner == OWNER_BLOCK && stage->kind == STAGE_RECURRENCE &&
           !choose_whether(context, 0, CHOICE_LINES_STORED, false) && is_held(&holding, stage);
}
