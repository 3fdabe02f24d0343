/* fltc schedule: the complete schedule of a filter, as directives. Put into the file it gives the same code. */
#include "command/command.h"

/* done: the stage after the passes; NULL: it is computed where it is read, or not at all. */
static void print_stage(struct command_context *c, const struct graph *graph,
                        const struct stage *stage, const struct stage *done)
{
    if (stage->kind != STAGE_MAP || stage->rank == 0)
        return;
    if (!done)
        printf("    inline %s;\n", stage->name->text);
    else if (stage_is_at(done))
        printf("    compute %s at %s;\n", stage->name->text,
               graph_stage(graph, done->schedule->at)->name->text);
    else if (*command_tile_text(c, done))
        printf("    tile %s by (%s);\n", done->name->text, command_tile_text(c, done));
    else
        printf("    compute %s at root;\n", stage->name->text);
}

enum exit_status command_schedule(struct command_context *c)
{
    enum exit_status status;
    const struct graph *graph = command_graph_of_file(c, &status);
    const struct graph *done = graph ? command_passes(c, graph).graph : NULL;
    if (!graph)
        return status;
    if (!done)
        return command_finish(c);
    printf("schedule %s for c {\n", graph->name->text);
    for (size_t i = 0; i < graph->stages.count; i++)
        print_stage(c, done, graph->stages.item[i],
                    graph_stage_named(done, graph->stages.item[i]->name));
    printf("}\n");
    return EXIT_DONE;
}
