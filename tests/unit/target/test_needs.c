/* What targets have, what passes need, and that a pass runs where all it needs is there. */
#include "pass_manager.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../interpret/graph_of_text.h"

static void facts_follow_from_the_table(void **state)
{
    (void)state;
    char text[FACTS_TEXT];
    assert_string_equal(
        "streams",
        target_facts_text(target_facts(&(struct target){.execution = EXECUTION_DATAFLOW}), text));
    assert_string_equal(
        "cores caches tiles loops",
        target_facts_text(target_facts(&(struct target){.fast = {1, OWNER_CORE}}), text));
    assert_string_equal("grid shared parallel tiles loops",
                        target_facts_text(target_facts(&(struct target){.execution = EXECUTION_GRID,
                                                                        .fast = {1, OWNER_BLOCK}}),
                                          text));
    assert_string_equal(
        "cores caches threads vectors bypass grid shared parallel tiles loops streams",
        target_facts_text(~0u, text));
}

static void blocks_alone_share_memory(void **state)
{
    (void)state;
    assert_int_equal(0, target_shared_bytes(&(struct target){.fast = {7, OWNER_CORE}}));
    assert_int_equal(7, target_shared_bytes(&(struct target){.fast = {7, OWNER_BLOCK}}));
    assert_int_equal(0, target_shared_bytes(&(struct target){.fast = {0, OWNER_NONE}}));
}

static void a_pass_runs_where_nothing_is_lacking(void **state)
{
    (void)state;
    for (const struct pass_info *pass = pass_list; pass->name; pass++) {
        /* Circuits have no form LOOP. */
        const bool is_of_loops = strcmp(pass->from, "LOOP") == 0;
        const unsigned needs = pass->needs | (is_of_loops ? FACT_LOOPS : 0);
        for (size_t i = 0; target_list[i]; i++)
            assert_int_equal((needs & target_facts(target_list[i])) == needs,
                             pass_runs(pass->name, target_list[i]));
        assert_int_equal((needs & ~(unsigned)FACT_STREAMS) == 0,
                         pass_runs(pass->name, &(struct target){.execution = EXECUTION_DATAFLOW}));
    }
}

/* The names of the passes that ran, in order. */
struct names {
    char text[2000];
};

static bool note_name(const char *pass, const struct graph *graph, const struct program *program,
                      void *context)
{
    (void)graph;
    (void)program;
    struct names *names = context;
    strcat(strcat(names->text, pass), " ");
    return true;
}

static void the_manager_leaves_out_the_others(void **state)
{
    const struct target no_vectors = {.execution = EXECUTION_CORES,
                                      .has_threads = true,
                                      .fast = {1 << 19, OWNER_CORE}};
    const struct target *const target[] = {target_find("c"), target_find("simulator"), &no_vectors};
    const struct graph *graph =
        graph_of(*state, "filter f(in : image<u8>[x]) -> out : image<u8>[x] { out = in; }");
    for (size_t t = 0; t < 3; t++) {
        struct names ran = {""}, expected = {""};
        const struct pass_options options = {
            .verify_each = true, .after = note_name, .after_context = &ran};
        assert_null(run_passes(*state, graph, target[t], &options).problem);
        for (const struct pass_info *pass = pass_list; pass->name; pass++)
            if (pass_runs(pass->name, target[t]))
                note_name(pass->name, NULL, NULL, &expected);
        assert_string_equal(expected.text, ran.text);
        assert_int_equal(t == 0, strstr(ran.text, "join_lanes") != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_follow_from_the_table),
        cmocka_unit_test(blocks_alone_share_memory),
        cmocka_unit_test(a_pass_runs_where_nothing_is_lacking),
        cmocka_unit_test_setup_teardown(the_manager_leaves_out_the_others, open_session,
                                        close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
