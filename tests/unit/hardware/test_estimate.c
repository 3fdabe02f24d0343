/* What pipes of one operation take of a device: numbers near those of yosys (synth_xilinx), whom
 * tests/circuit/area.sh alone asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "circuit_of_text.h"
#include "hardware/estimate.h"

static const struct {
    const char *value;
    struct resources taken;
} rows[] = {
    {"max(a[y, x], b[y, x])", {20, 26, 0, 0}},
    {"max(a[y, x], b[y, x]) / 32", {15, 21, 0, 0}}, /* compared whole, taken without five bits */
    {"min(a[y, x], b[y, x])", {20, 26, 0, 0}},
    {"max(a[y, x], b[y, x]) - min(a[y, x], b[y, x])", {37, 44, 0, 0}}, /* one comparison */
    {"max(a[y, x], b[y, x]) - min(a[y, x], 255 - b[y, x])", {54, 52, 0, 0}},
    {"max(a[y, x], 100)", {5, 18, 0, 0}},
    {"a[y, x] + b[y, x]", {11, 10, 0, 0}},
    {"(a[y, x] + b[y, x]) / 4", {9, 8, 0, 0}},
    {"a[y, x] + 21", {4, 10, 0, 0}},
    {"4 * a[y, x] + b[y, x]", {9, 12, 0, 0}},
    {"a[y, x] - b[y, x]", {12, 10, 0, 0}},
    {"(a[y, x] - 4 * b[y, x]) / 2", {12, 11, 0, 0}},
    {"abs(a[y, x] - b[y, x])", {28, 19, 0, 0}},
    {"a[y, x] * 5", {7, 12, 0, 0}},
    {"a[y, x] * 7", {12, 12, 0, 0}},
    {"a[y, x] * 11", {15, 32, 0, 0}},
    {"a[y, x] * b[y, x]", {3, 2, 0, 1}},
    {"a[y, x] * a[y, x] * b[y, x] * b[y, x]", {3, 38, 0, 3}},
    {"select(a[y, x] < b[y, x], a[y, x], 77 + b[y, x])", {25, 29, 0, 0}},
    {"select(a[y, x] == b[y, x], 1, 0)", {6, 2, 0, 0}},
    {"select(a[y, x] <= 77, 5, 9)", {3, 7, 0, 0}},
    {"a[y, x] & b[y, x]", {11, 9, 0, 0}},
    {"a[y, x] >> (b[y, x] & 7)", {22, 21, 0, 0}},
    {"a[y, x] % 24", {36, 65, 0, 0}},
};

static void pipes_of_one_operation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *session;
        open_session(&session);
        struct arena *arena = ((struct session *)session)->ir;
        const char *text = arena_format(
            arena,
            "filter f(a : image<u8>[y, x], b : image<u8>[y, x]) -> o : image<i64>[y, x] "
            "{ o[y, x] = %s; }",
            rows[i].value);
        const struct circuit *circuit = circuit_of(session, text, "y=12,x=16");
        const struct estimate estimate = circuit_estimate(arena, circuit);
        unsigned pipes = 0;
        for (size_t p = 0; p < circuit->processes.count; p++) {
            if (circuit->processes.item[p].kind != PROCESS_PIPE)
                continue;
            const struct resources r = estimate.process[p];
            pipes++;
            if (memcmp(&r, &rows[i].taken, sizeof r) != 0)
                fail_msg("%s: {%u, %u, %u, %u}", rows[i].value, r.luts, r.registers, r.blocks,
                         r.multipliers);
        }
        assert_int_equal(pipes, 1);
        close_session(&session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pipes_of_one_operation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
