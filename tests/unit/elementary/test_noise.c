/* Philox 4x32-10 against the published test vectors, and what noise() makes of it. */
#include "elementary/elementary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FLT_INLINE static inline
#include "elementary/texts/noise.h"

/* From kat_vectors of Random123, by the authors of the method. */
static void blocks_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        struct flt_words place;
        uint64_t seed;
        struct flt_words block;
    } vector[] = {
        {{{0, 0, 0, 0}}, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
        {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
         UINT64_C(0xffffffffffffffff),
         {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         UINT64_C(0x299f31d0a4093822),
         {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
    };
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        const struct flt_words block = flt_philox(vector[i].seed, vector[i].place);
        assert_memory_equal(block.w, vector[i].block.w, sizeof block.w);
    }
}

static void noise_is_the_first_word(void **state)
{
    (void)state;
    const int64_t argument[5] = {INT64_C(0x299f31d0a4093822), 0x243f6a88, 0x85a308d3, 0x13198a2e,
                                 0x03707344};
    assert_true(elementary_noise(5, argument) == (float)(0xd16cfe09 >> 8) * 0x1p-24f);
    const int64_t zero[5] = {0};
    assert_true(elementary_noise(1, zero) == (float)(0x6627e8d5 >> 8) * 0x1p-24f);
}

static void integers_count_modulo_2_to_the_32(void **state)
{
    (void)state;
    const int64_t a[3] = {7, -1, 3}, b[3] = {7, 0xffffffff, 3 + (INT64_C(5) << 32)};
    assert_true(elementary_noise(3, a) == elementary_noise(3, b));
    const int64_t c[2] = {7, 2}, d[2] = {7 + (INT64_C(1) << 32), 2};
    assert_true(elementary_noise(2, c) != elementary_noise(2, d)); /* but for the seed */
}

static void more_than_four_make_a_second_block(void **state)
{
    (void)state;
    const int64_t argument[9] = {5, 1, 2, 3, 4, 6, 7, 8, 9};
    struct flt_words block = flt_philox(5, (struct flt_words){{1, 2, 3, 4}});
    for (int i = 0; i < 4; i++)
        block.w[i] ^= (uint32_t)argument[5 + i];
    block = flt_philox(5, block);
    assert_true(elementary_noise(9, argument) == (float)(block.w[0] >> 8) * 0x1p-24f);
}

/* 2^20 numbers in 256 bins: chi squared of 255 degrees of freedom is 255 with a deviation of
 * 22.6. */
static void numbers_are_spread_evenly(void **state)
{
    (void)state;
    unsigned bin[256] = {0};
    for (int64_t y = 0; y < 1024; y++)
        for (int64_t x = 0; x < 1024; x++) {
            const float v = elementary_noise(3, (const int64_t[]){1, y, x});
            assert_true(v >= 0 && v < 1);
            bin[(int)(v * 256)]++;
        }
    double chi = 0;
    for (int i = 0; i < 256; i++)
        chi += ((double)bin[i] - 4096) * ((double)bin[i] - 4096) / 4096;
    assert_true(chi > 255 - 5 * 22.6 && chi < 255 + 5 * 22.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_the_published_ones),
        cmocka_unit_test(noise_is_the_first_word),
        cmocka_unit_test(integers_count_modulo_2_to_the_32),
        cmocka_unit_test(more_than_four_make_a_second_block),
        cmocka_unit_test(numbers_are_spread_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
