/* fltc schedule: the complete schedule of a filter, as directives. Put into the file it gives the same code. */
#include "command/command.h"

static const struct stage *find(const struct graph *graph, const struct symbol *name)
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (graph->stages.item[i]->name == name)
            return graph->stages.item[i];
    return NULL;
}

static void print_tile(const struct stage *stage)
{
    const struct schedule *schedule = stage->schedule;
    const char *before = "(";
    printf("    tile %s by ", stage->name->text);
    for (unsigned k = 0; k < schedule->rank; k++) {
        if (schedule->tile[k] == 0)
            continue;
        printf("%s%s: %lld", before, stage->axis[k].name->text, (long long)schedule->tile[k]);
        before = ", ";
    }
    printf(");\n");
}

/* done: the stage after the passes; NULL: it is computed where it is read, or not at all. */
static void print_stage(const struct graph *graph, const struct stage *stage,
                        const struct stage *done)
{
    if (stage->kind != STAGE_MAP || stage->rank == 0)
        return;
    if (!done)
        printf("    inline %s;\n", stage->name->text);
    else if (stage_is_at(done))
        printf("    compute %s at %s;\n", stage->name->text,
               graph_stage(graph, done->schedule->at)->name->text);
    else if (done->schedule && done->schedule->rank)
        print_tile(done);
    else
        printf("    compute %s at root;\n", stage->name->text);
}

enum exit_status command_schedule(struct command_context *c)
{
    const struct module_set *modules = command_load(c);
    if (!modules && c->options->arguments.count == 0)
        return EXIT_USAGE;
    const struct graph *graph = modules ? command_graph(c, modules) : NULL;
    const enum exit_status status = command_finish(c);
    if (!graph)
        return status == EXIT_DONE ? EXIT_WRONG_INPUT : status;
    const struct pass_options options = {0};
    const struct pass_result result = run_passes(c->session, graph, target_find("c"), &options);
    if (result.problem) {
        report_fault(result.problem);
        return EXIT_FAULT;
    }
    if (!command_schedule_is_kept(c, graph, result.graph))
        return command_finish(c);
    printf("schedule %s for c {\n", graph->name->text);
    for (size_t i = 0; i < graph->stages.count; i++)
        print_stage(result.graph, graph->stages.item[i],
                    find(result.graph, graph->stages.item[i]->name));
    printf("}\n");
    return EXIT_DONE;
}
