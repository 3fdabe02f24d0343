/* Building of graphs. */
#include "graph/graph.h"

const struct stage_info stage_info[STAGE_KIND_COUNT] = {
#define STAGE(kind, text, supported) [STAGE_##kind] = {text, supported},
#include "graph/graph_stages.def"
#undef STAGE
};

struct graph *graph_copy(struct arena *arena, const struct graph *graph)
{
    struct graph *copy = arena_copy(arena, graph, sizeof *graph);
    /* No room to spare: the first append makes a new array, and the original stays as it is. */
    copy->parameters.capacity = copy->parameters.count;
    copy->stages.capacity = copy->stages.count;
    copy->checks.capacity = copy->checks.count;
    copy->repeats.capacity = copy->repeats.count;
    copy->estimates.capacity = copy->estimates.count;
    copy->outputs.capacity = copy->outputs.count;
    return copy;
}

stage_id graph_add_stage(struct arena *arena, struct graph *graph, struct stage stage)
{
    stage.id.index = (uint32_t)graph->stages.count;
    if (stage.kind == STAGE_SCATTER) { /* its steps are parts of it */
        struct stage steps = *stage.as.scatter.steps;
        steps.id = stage.id;
        stage.as.scatter.steps = arena_copy(arena, &steps, sizeof steps);
    }
    VECTOR_PUSH(arena, &graph->stages, arena_copy(arena, &stage, sizeof stage));
    return stage.id;
}

struct stage stage_rewrite(struct arena *arena, const struct stage *stage,
                           const struct expr *(*rewrite)(const struct expr *node, void *context),
                           void *context)
{
    struct stage out = *stage;
    if (!stage_computes(stage))
        return out;
    struct stage_binding *binding =
        ARENA_ARRAY(arena, struct stage_binding, stage->binding_count + 1);
    out.value = rewrite(stage->value, context);
    for (size_t b = 0; b < stage->binding_count; b++)
        binding[b] = (struct stage_binding){stage->binding[b].name,
                                            rewrite(stage->binding[b].value, context)};
    out.binding = binding;
    if (stage->kind == STAGE_SCATTER) {
        const struct stage steps = stage_rewrite(arena, stage->as.scatter.steps, rewrite, context);
        out.as.scatter.steps = arena_copy(arena, &steps, sizeof steps);
    }
    return out;
}

void stage_expressions(const struct stage *stage,
                       void (*visit)(const struct expr *node, void *context), void *context)
{
    if (!stage_computes(stage))
        return;
    visit(stage->value, context);
    for (size_t b = 0; b < stage->binding_count; b++)
        visit(stage->binding[b].value, context);
    if (stage->kind == STAGE_SCATTER)
        stage_expressions(stage->as.scatter.steps, visit, context);
}

bool repeat_is_inside(const struct graph *graph, uint32_t repeat, uint32_t outer)
{
    while (repeat != outer && repeat != 0)
        repeat = graph->repeats.item[repeat - 1].outer;
    return repeat == outer;
}

uint32_t repeat_directly_inside(const struct graph *graph, uint32_t repeat, uint32_t outer)
{
    while (graph->repeats.item[repeat - 1].outer != outer)
        repeat = graph->repeats.item[repeat - 1].outer;
    return repeat;
}
