/* Circuits of tests: from a program, and the extents of its images, by all passes. */
#include "graph/fix_extents.h"
#include "hardware/circuit_text.h"
#include "hardware/circuit_verify.h"
#include "pass_manager.h"
#include "target/target.h"

#include "../interpret/graph_of_text.h"

/* sizes: "y=9,x=7" */
static inline const struct graph *sized_graph(struct session *session, const char *text,
                                              const char *sizes)
{
    struct extent_setting setting[8];
    size_t count = 0;
    for (const char *at = sizes; *at; count++) {
        const size_t length = strcspn(at, "=");
        setting[count] = (struct extent_setting){arena_text(session->permanent, at, length),
                                                 atoi(at + length + 1), false};
        at += strcspn(at, ",");
        at += *at == ',';
    }
    const struct graph *graph =
        graph_fix_extents(session->ir, session->scratch, &session->pool, graph_of(session, text),
                          INT32_MAX, count, setting);
    const struct expr *unknown[1];
    assert_int_equal(graph_unknown_extents(graph, 1, unknown), 0);
    return graph;
}

static inline const struct circuit *circuit_until(struct session *session,
                                                  const struct graph *graph, const char *pass)
{
    const struct pass_options options = {.verify_each = true, .stop_after = pass};
    const struct pass_result result = run_passes(session, graph, target_find("verilog"), &options);
    if (result.problem)
        fail_msg("%s", result.problem);
    assert_non_null(result.circuit);
    return result.circuit;
}

static inline const char *circuit_text(struct session *session, const struct circuit *circuit)
{
    struct text text = text_create(session->ir);
    circuit_print(circuit, &text);
    return text.bytes;
}

static inline const struct circuit *circuit_of(struct session *session, const char *text,
                                               const char *sizes)
{
    return circuit_until(session, sized_graph(session, text, sizes), NULL);
}
