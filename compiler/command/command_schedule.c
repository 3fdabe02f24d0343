/* fltc schedule: the complete schedule of a filter, as directives. Put into the file it gives the
 * same code. */
#include "command/command.h"
#include "graph/recurrence/recurrence.h"

/* What carries a stage that is rounded from it: schedules speak of that one. */
static bool is_state(const struct graph *graph, const struct stage *stage)
{
    bool is = false;
    for (size_t i = stage->id.index + 1; i < graph->stages.count && !is; i++)
        is = stage_may_move(graph->stages.item[i]) &&
             recurrence_of(graph, graph->stages.item[i]) == stage;
    return is;
}

/* A transform that is not computed in the panels of the next one, though it might be. */
static bool is_apart(const struct stage *done)
{
    return done->kind == STAGE_TRANSFORM && done->schedule &&
           done->schedule->placement == PLACED_ROOT;
}

/* Computed by tiles for rows and columns at once (graph/segments/segment_overlap.c), which no
 * directive asks for. */
static bool is_overlapped(struct command_context *c, const struct graph *graph,
                          const struct stage *stage)
{
    const char *of_tile = arena_format(c->session->scratch, "%s.tile", stage->name->text);
    const char *again = arena_format(c->session->scratch, "%s.again", stage->name->text);
    bool is = false;
    for (size_t i = 0; i < graph->stages.count && !is; i++) {
        const char *name = graph->stages.item[i]->name->text;
        is = strcmp(name, of_tile) == 0 || strcmp(name, again) == 0;
    }
    return is;
}

/* Nothing where a pass has made the sink: a program has no name for it. */
static void print_at(struct text *text, const struct graph *asked, const char *name,
                     const struct stage *sink)
{
    if (graph_stage_named(asked, sink->name))
        text_print(text, "    compute %s at %s;\n", name, sink->name->text);
}

/* asked: of the program; done: the stage after the passes; NULL: it is computed where it is read,
 * or not at all. */
static void print_stage(struct command_context *c, struct text *text, const struct graph *asked,
                        const struct graph *graph, const struct stage *stage,
                        const struct stage *done)
{
    const char *name = stage->name->text;
    const bool ends_lines = done && schedule_has_lines(done->schedule);
    const bool follows = done && stage_is_at(done) && !is_state(graph, done);
    const bool apart = done && is_apart(done);
    if (done && done->rank != stage->rank) /* that is of segments of its lines */
        return;
    if (is_overlapped(c, graph, stage))
        return;
    /* By itself: where a directive places what it is computed with, it might be cut in segments. */
    const bool whole = done && done->kind == STAGE_RECURRENCE && !stage_is_at(done);
    if ((!stage_may_move(stage) && !ends_lines && !follows && !apart && !whole) || stage->rank == 0)
        return;
    if (!done)
        text_print(text, "    inline %s;\n", name);
    else if (stage_is_at(done))
        print_at(text, asked, name, stage_sink(graph, done, c->session->scratch));
    else if (stage_is_in_bands(done))
        text_print(text, "    tile %s by %s at %s;\n", name, command_tile_text(c, done),
                   stage_sink(graph, done, c->session->scratch)->name->text);
    else if (*command_tile_text(c, done))
        text_print(text, "    tile %s by %s;\n", name, command_tile_text(c, done));
    else
        text_print(text, "    compute %s at root;\n", name);
}

/* What the program's schedule says besides. */
static void print_details(struct text *text, const struct stage *stage)
{
    for (unsigned d = 0; d < DETAIL_COUNT; d++)
        if (stage_says(stage, (enum stage_detail)d))
            text_print(text, "    %s\n", directive_text(text->arena, stage, (enum stage_detail)d));
}

const char *command_schedule_text(struct command_context *c, const struct graph *graph,
                                  const struct graph *done)
{
    struct text text = text_create(c->session->permanent);
    const bool forms = graph_says(graph, DETAIL_FORM);
    text_print(&text, "schedule %s for %s {\n", graph->name->text, command_target(c)->name);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        const struct stage *made = graph_stage_named(done, stage->name);
        const bool has_form = stage_says(stage, DETAIL_FORM) != NULL;
        if (made || !forms || !recurrence_of(graph, stage)) /* else others are read in its place */
            print_stage(c, &text, graph, done, stage, made);
        if (made || has_form) /* else nothing reads it */
            print_details(&text, stage);
    }
    text_print(&text, "}\n");
    return text.bytes;
}

enum exit_status command_schedule(struct command_context *c)
{
    enum exit_status status;
    const struct graph *graph = command_graph_of_file(c, &status);
    if (!graph)
        return status;
    if (!command_settings_are_known(c, graph))
        return EXIT_USAGE;
    const struct graph *done = command_passes(c, graph).graph;
    if (!done)
        return command_finish(c);
    fputs(command_schedule_text(c, graph, done), stdout);
    return EXIT_DONE;
}
