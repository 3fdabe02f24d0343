/* What memories take, and where they are kept. */
#include "hardware/memories.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "circuit_of_text.h"

static void blocks(void **state)
{
    static const struct {
        struct memory_shape shape;
        unsigned blocks;
    } known[] = {{{512, 36}, 1},  {{1024, 16}, 1}, {{1024, 18}, 1}, {{1024, 19}, 2},
                 {{1025, 9}, 1},  {{1920, 24}, 3}, {{3096, 8}, 2},  {{512, 96}, 3},
                 {{16384, 1}, 1}, {{32768, 1}, 2}, {{1920, 32}, 4}, {{12337, 13}, 13},
                 {{1034, 96}, 9}, {{33, 100}, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(memory_blocks(known[i].shape), known[i].blocks);
}

static void places(void **state)
{
    static const struct {
        struct memory_shape shape;
        enum memory_kind kind;
    } known[] = {{{0, 0}, MEMORY_REGISTERS}, {{1, 400}, MEMORY_REGISTERS}, {{2, 8}, MEMORY_LUT},
                 {{32, 500}, MEMORY_LUT},    {{33, 24}, MEMORY_LUT},       {{64, 24}, MEMORY_LUT},
                 {{64, 25}, MEMORY_BLOCK},   {{65, 1}, MEMORY_BLOCK}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(memory_for(known[i].shape), known[i].kind);
    assert_int_equal(memory_luts((struct memory_shape){32, 16}), 12);
    assert_int_equal(memory_luts((struct memory_shape){64, 8}), 12);
}

static const char sharpened[] =
    "filter f(in : image<u8>[y, x]) -> out : image<u8>[y, x]\n"
    "{ border clamp; low[y, x] = (in[y - 1, x] + 2 * in[y, x] + in[y + 1, x]) / 4;\n"
    "  out[y, x] = u8(2 * in[y, x] - low[y, x]); }";

/* Two lines of 8 bits, and a FIFO of a line and some tokens beside them. */
static void memories_of_a_circuit(void **state)
{
    static const struct {
        const char *sizes;
        enum memory_kind lines;
    } known[] = {{"y=9,x=16", MEMORY_LUT}, {"y=9,x=60", MEMORY_LUT}, {"y=9,x=640", MEMORY_BLOCK}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct circuit *circuit = circuit_of(*state, sharpened, known[i].sizes);
        unsigned found = 0;
        uint64_t bits = 0;
        for (size_t k = 0; k < circuit->processes.count; k++) {
            struct process p = circuit->processes.item[k];
            const struct memory_shape shape = process_memory(circuit, &p);
            if (shape.words) {
                assert_int_equal(*process_memory_kind(&p), known[i].lines);
                assert_int_equal(shape.bits, 16);
                found++;
            }
            bits += shape.words * shape.bits;
            for (unsigned e = 0; e < p.edge_count; e++) {
                const struct memory_shape own = edge_memory(circuit, &p.edge[e]);
                if (own.words) {
                    assert_int_equal(p.edge[e].memory, memory_for(own));
                    found++;
                }
                bits += own.words * own.bits;
            }
        }
        assert_true(found >= 1);
        assert_int_equal(circuit_memory_use(circuit).bits, bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),
        cmocka_unit_test(places),
        cmocka_unit_test_setup_teardown(memories_of_a_circuit, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
