/* Programs of tests: from their text to a graph, in a session of the test's own. */
#include "frontend/elaborate.h"

#include <string.h>

#include "../session_fixture.h"

/* The only filter of the text, which has to be accepted, with its schedules for the target. */
static const struct graph *graph_for(struct session *session, const char *text, const char *target)
{
    const struct module_set *modules = load_modules_text(session, "test.flt", text, strlen(text));
    const struct ast *filter = elaborate_choose(session, modules, NULL);
    assert_non_null(filter);
    const struct graph *graph =
        elaborate_filter(session, modules, filter, &(struct elaborate_options){.target = target});
    if (session->diagnostics.error_count)
        fail_msg("not accepted:\n%s", text);
    return graph;
}

static inline const struct graph *graph_of(struct session *session, const char *text)
{
    return graph_for(session, text, NULL);
}
