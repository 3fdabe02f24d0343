/* A filter over boxes of its results, in files of its own. */
#include "driver/driver.h"
#include "graph/box_outputs.h"

bool boxes_add(struct session *session, const struct graph *graph, const struct target *target,
               const struct choices *choices, const struct emit_options *options, const char *cure,
               struct emitted *emitted, const char **fault)
{
    const char *problem;
    const struct graph *boxed = graph_box_outputs(session, graph, &problem);
    if (!boxed) {
        diagnostic_help(&session->diagnostics,
                        session_error(session, DIAGNOSTIC_E0903,
                                      "'%s' cannot be emitted for boxes: %s", graph->name->text,
                                      problem),
                        "%s", cure);
        return false;
    }
    struct graph *named = graph_copy(session->ir, boxed);
    named->name = symbol_format(&session->symbols, "%s_box", emitted->symbol);
    const struct pass_options passes = {.choices = choices};
    const struct pass_result result = run_passes(session, named, target, &passes);
    if (result.problem) {
        *fault = result.problem;
        return false;
    }
    const struct boxes_of of = {.symbol = emitted->symbol,
                                .header = emitted->files.item[1].name,
                                .image = emitted->images.item,
                                .parameters = graph->parameters.count,
                                .checks = graph->checks.count};
    struct emit_options emit = {.stem = arena_format(session->permanent, "%s_box", options->stem),
                                .multi = options->multi,
                                .boxes_of = &of};
    const struct emitted files = emit_program(session, result.program, target, &emit);
    for (size_t i = 0; i < files.files.count; i++)
        VECTOR_PUSH(session->ir, &emitted->files, files.files.item[i]);
    return true;
}
