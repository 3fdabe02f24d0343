#include "command/particles.h"

bool particles_suit(struct command_context *c, const struct graph *graph,
                    const struct target *target)
{
    if (target->runs_on_host || target->execution == EXECUTION_DATAFLOW)
        return true; /* circuits say what they cannot stream */
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (!stage_is_structure(stage))
            continue;
        struct diagnostic *d = diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0227,
                                                 stage->span, target->name);
        COMMAND_HELP(c->session, d, "emit for target 'c', or leave it out");
        return false;
    }
    return true;
}
