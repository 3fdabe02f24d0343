#include "graph/readers.h"

struct reading {
    struct stage_readers *readers;
    const struct stage *reader;
    struct arena *arena;
};

static void note_read(const struct expr *node, void *user)
{
    struct reading *r = user;
    if (node->kind != EXPR_LOAD || node->as.load.source == r->reader->id.index)
        return;
    struct stage_readers *of = &r->readers[node->as.load.source];
    if (of->stages.count == 0 || of->stages.item[of->stages.count - 1] != r->reader)
        VECTOR_PUSH(r->arena, &of->stages, r->reader);
}

struct stage_readers *graph_readers(const struct graph *graph, struct arena *arena)
{
    struct stage_readers *readers =
        ARENA_ARRAY(arena, struct stage_readers, graph->stages.count + 1);
    for (size_t i = 0; i < graph->stages.count; i++) {
        struct reading reading = {readers, graph->stages.item[i], arena};
        stage_nodes(reading.reader, arena, note_read, &reading);
    }
    return readers;
}
