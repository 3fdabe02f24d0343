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
    copy->estimates.capacity = copy->estimates.count;
    copy->outputs.capacity = copy->outputs.count;
    return copy;
}

stage_id graph_add_stage(struct arena *arena, struct graph *graph, struct stage stage)
{
    stage.id.index = (uint32_t)graph->stages.count;
    VECTOR_PUSH(arena, &graph->stages, arena_copy(arena, &stage, sizeof stage));
    return stage.id;
}
