/* The texts of transforms against their definition, in f32 and f64; the definition against what is
 * known of it apart. */
#include "transform/transform.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = TRANSFORM_LANES, NUMBERS = 2 * LANES };

static uint64_t state = 1;

/* Uniform in -1 .. 1. */
static double any_number(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(state >> 11) / (double)(INT64_C(1) << 52) - 1;
}

static bool is_complex(enum transform kind)
{
    return transform_info[kind].is_complex;
}

static int64_t least_extent(enum transform kind)
{
    return kind == TRANSFORM_DCT1 ? 2 : 1;
}

static int64_t length_of_fft(enum transform kind, int64_t n)
{
    return kind == TRANSFORM_DCT1                             ? 2 * n - 2
           : kind == TRANSFORM_DST1                           ? 2 * n + 2
           : kind == TRANSFORM_DCT4 || kind == TRANSFORM_DST4 ? 2 * n
                                                              : n;
}

static bool has_large_factor(int64_t n)
{
    static const int64_t factor[] = {2, 3, 5, 7, 11, 13};
    for (int i = 0; i < 6; i++)
        while (n % factor[i] == 0)
            n /= factor[i];
    return n > 1;
}

/* ---- The texts ---- */

struct lines {
    enum transform kind;
    enum transform_norm norm;
    int64_t n;
    long double *x, *y; /* line after line; complex samples as pairs */
    double *panel;      /* of either type, as doubles */
};

static int64_t numbers_of_line(const struct lines *lines)
{
    return lines->n * (is_complex(lines->kind) ? 2 : 1);
}

static int lines_in_panel(const struct lines *lines)
{
    return is_complex(lines->kind) ? LANES : NUMBERS;
}

/* Where number i of a line is in the panel. */
static size_t place(const struct lines *lines, int line, int64_t i)
{
    return is_complex(lines->kind) ? (size_t)(i / 2 * NUMBERS + i % 2 * LANES + line)
                                   : (size_t)(i * NUMBERS + line);
}

static void transform_f32(const struct lines *lines, size_t count)
{
    float *panel = malloc(count * sizeof *panel);
    float *table = malloc((size_t)transform_table(lines->kind, lines->n) * sizeof *table + 1);
    for (size_t i = 0; i < count; i++)
        panel[i] = (float)lines->panel[i];
    transform_prepare_f32(lines->kind, lines->norm, lines->n, table);
    transform_lines_f32(lines->kind, lines->norm, lines->n, table, panel);
    for (size_t i = 0; i < count; i++)
        lines->panel[i] = (double)panel[i];
    free(panel);
    free(table);
}

static void transform_f64(const struct lines *lines)
{
    double *table = malloc((size_t)transform_table(lines->kind, lines->n) * sizeof *table + 1);
    transform_prepare_f64(lines->kind, lines->norm, lines->n, table);
    transform_lines_f64(lines->kind, lines->norm, lines->n, table, lines->panel);
    free(table);
}

/* Errors of all lines within the bound: ||e|| <= 5e-8 (2 + log2 N) ||y||, the largest 12 times that
 * of a sample, N being the samples that are transformed; twice as much after Bluestein. */
static void check_errors(const struct lines *lines, bool wide)
{
    const int64_t count = numbers_of_line(lines), over = length_of_fft(lines->kind, lines->n);
    const double bound =
        5e-8 * (2 + log2((double)over)) * (wide ? 0x1p-29 : 1) * (has_large_factor(over) ? 2 : 1);
    long double errors = 0, energy = 0, worst = 0;
    for (int line = 0; line < lines_in_panel(lines); line++)
        for (int64_t i = 0; i < count; i++) {
            const long double y = lines->y[(int64_t)line * count + i];
            const double is = lines->panel[place(lines, line, i)];
            const long double e = fabsl((long double)is - y);
            assert_true(e >= 0); /* no NaN */
            errors += e * e;
            energy += y * y;
            worst = e > worst ? e : worst;
        }
    const long double samples = (long double)(count * lines_in_panel(lines));
    if (errors > (long double)(bound * bound) * energy ||
        worst > 12 * (long double)bound * sqrtl(energy / samples))
        fail_msg("%s %s of %d, f%d: error %.3g, worst %.3g, of %.3g",
                 transform_info[lines->kind].name, transform_norm_text[lines->norm], (int)lines->n,
                 wide ? 64 : 32, (double)sqrtl(errors / energy),
                 (double)(worst / sqrtl(energy / samples)), bound);
}

/* Other data in each line; behind the samples, NaN. */
static void check_lines(enum transform kind, enum transform_norm norm, int64_t n)
{
    struct lines lines = {kind, norm, n, NULL, NULL, NULL};
    const int64_t count = numbers_of_line(&lines);
    const size_t all = (size_t)count * (size_t)lines_in_panel(&lines);
    const size_t numbers = (size_t)transform_places(kind, n) * NUMBERS;
    assert_true(transform_places(kind, n) >= n);
    lines.x = malloc(all * sizeof *lines.x);
    lines.y = malloc(all * sizeof *lines.y);
    lines.panel = malloc(numbers * sizeof *lines.panel);
    for (size_t i = 0; i < all; i++)
        lines.x[i] = (long double)(float)any_number();
    for (int line = 0; line < lines_in_panel(&lines); line++)
        transform_define(kind, norm, n, lines.x + line * count, lines.y + line * count);
    for (int wide = 0; wide < 2; wide++) {
        for (size_t i = 0; i < numbers; i++)
            lines.panel[i] = (double)NAN;
        for (int line = 0; line < lines_in_panel(&lines); line++)
            for (int64_t i = 0; i < count; i++)
                lines.panel[place(&lines, line, i)] = (double)lines.x[line * count + i];
        if (wide)
            transform_f64(&lines);
        else
            transform_f32(&lines, numbers);
        check_errors(&lines, wide);
    }
    free(lines.x);
    free(lines.y);
    free(lines.panel);
}

static void short_lines(void **context)
{
    (void)context;
    for (int kind = 0; kind < TRANSFORM_COUNT; kind++)
        for (int norm = 0; norm < NORM_COUNT; norm++)
            for (int64_t n = least_extent((enum transform)kind); n <= 70; n++)
                check_lines((enum transform)kind, (enum transform_norm)norm, n);
}

static void longer_lines(void **context)
{
    static const int64_t extent[] = {97, 100, 101, 127, 128, 143, 169, 210, 243, 256};
    (void)context;
    for (int kind = 0; kind < TRANSFORM_COUNT; kind++)
        for (size_t i = 0; i < sizeof extent / sizeof extent[0]; i++)
            check_lines((enum transform)kind, (enum transform_norm)(i % NORM_COUNT), extent[i]);
}

static void long_lines(void **context)
{
    (void)context;
    check_lines(TRANSFORM_DCT2, NORM_ORTHO, 360);
    check_lines(TRANSFORM_DCT2, NORM_NONE, 1009);
    check_lines(TRANSFORM_FFT, NORM_ORTHO, 1080);
    check_lines(TRANSFORM_FFT, NORM_NONE, 512);
    check_lines(TRANSFORM_DCT3, NORM_INVERSE, 509);
}

/* A NaN in one lane leaves all lines but its own and its neighbour in the other part alone. */
static void nan_stays_in_its_pair(void **context)
{
    enum { N = 12 };
    (void)context;
    for (int kind = TRANSFORM_DCT1; kind < TRANSFORM_COUNT; kind++) {
        const enum transform k = (enum transform)kind;
        const size_t numbers = (size_t)transform_places(k, N) * NUMBERS;
        float *panel = calloc(numbers, sizeof *panel);
        float *table = calloc((size_t)transform_table(k, N), sizeof *table);
        panel[3 * NUMBERS + 5] = NAN;
        transform_prepare_f32(k, NORM_NONE, N, table);
        transform_lines_f32(k, NORM_NONE, N, table, panel);
        for (int n = 0; n < N; n++)
            for (int l = 0; l < NUMBERS; l++)
                assert_true(l % LANES == 5 || panel[n * NUMBERS + l] == 0);
        free(panel);
        free(table);
    }
}

/* ---- The definition ---- */

enum { MOST = 24 };

/* Column j of the matrix: the transform of 1 at sample j. */
static void column(enum transform kind, enum transform_norm norm, int64_t n, int64_t j,
                   long double y[])
{
    long double x[2 * MOST] = {0};
    x[is_complex(kind) ? 2 * j : j] = 1;
    transform_define(kind, norm, n, x, y);
}

static void ortho_keeps_energies(void **context)
{
    (void)context;
    for (int kind = 0; kind < TRANSFORM_IDXST; kind++)
        for (int64_t n = least_extent((enum transform)kind); n <= MOST; n++)
            for (int64_t a = 0; a < n; a++)
                for (int64_t b = 0; b <= a; b++) {
                    long double y[2 * MOST], z[2 * MOST], product = 0;
                    column((enum transform)kind, NORM_ORTHO, n, a, y);
                    column((enum transform)kind, NORM_ORTHO, n, b, z);
                    for (int64_t i = 0; i < (is_complex((enum transform)kind) ? 2 * n : n); i++)
                        product += y[i] * z[i];
                    assert_true(fabsl(product - (a == b)) < 1e-16L);
                }
}

/* The kind that undoes it, with the norm inverse, and ortho. */
static void inverses_undo(void **context)
{
    (void)context;
    for (int kind = 0; kind < TRANSFORM_IDXST; kind++)
        for (int64_t n = least_extent((enum transform)kind); n <= MOST; n++)
            for (int ortho = 0; ortho < 2; ortho++) {
                const int64_t count = is_complex((enum transform)kind) ? 2 * n : n;
                long double x[2 * MOST], y[2 * MOST], back[2 * MOST];
                for (int64_t i = 0; i < count; i++)
                    x[i] = (long double)any_number();
                transform_define((enum transform)kind, ortho ? NORM_ORTHO : NORM_NONE, n, x, y);
                transform_define(transform_info[kind].inverse, ortho ? NORM_ORTHO : NORM_INVERSE, n,
                                 y, back);
                for (int64_t i = 0; i < count; i++)
                    assert_true(fabsl(back[i] - x[i]) < 1e-16L);
            }
}

/* The cosines of a line are the fft of it and its mirror image, turned by half a sample. */
static void cosines_are_those_of_mirrored_lines(void **context)
{
    (void)context;
    for (int64_t n = 1; n <= MOST; n++) {
        long double x[MOST], y[MOST], both[4 * MOST] = {0}, spectrum[4 * MOST];
        for (int64_t i = 0; i < n; i++) {
            x[i] = (long double)any_number();
            both[2 * i] = both[2 * (2 * n - 1 - i)] = x[i];
        }
        transform_define(TRANSFORM_DCT2, NORM_NONE, n, x, y);
        transform_define(TRANSFORM_FFT, NORM_NONE, 2 * n, both, spectrum);
        for (int64_t k = 0; k < n; k++) {
            const long double angle = acosl(-1) * (long double)k / (long double)(2 * n);
            const long double re =
                spectrum[2 * k] * cosl(angle) + spectrum[2 * k + 1] * sinl(angle);
            assert_true(fabsl(re - y[k]) < 1e-16L * (long double)(n + 1));
        }
    }
}

/* idxst is half of dst3 of the line without its first sample. */
static void idxst_is_half_of_dst3(void **context)
{
    (void)context;
    for (int64_t n = 1; n <= MOST; n++) {
        long double x[MOST + 1] = {0}, y[MOST], z[MOST];
        for (int64_t i = 0; i < n; i++)
            x[i] = (long double)any_number();
        transform_define(TRANSFORM_IDXST, NORM_NONE, n, x, y);
        x[n] = 0;
        transform_define(TRANSFORM_DST3, NORM_NONE, n, x + 1, z);
        for (int64_t k = 0; k < n; k++)
            assert_true(fabsl(y[k] - z[k] / 2) < 1e-17L * (long double)(n + 1));
    }
}

/* Numbers that are known: of an impulse, of a constant. */
static bool is_fast(int64_t n)
{
    for (int p = 2; p < 8; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

static void fast_lengths_are_the_next_ones(void **context)
{
    (void)context;
    for (int64_t n = -3; n < 3000; n++) {
        int64_t next = n < 1 ? 1 : n;
        while (!is_fast(next))
            next++;
        assert_int_equal(transform_fast_length(n), next);
    }
    assert_true(transform_fast_length(INT32_MAX) == INT64_C(1) << 31);
    assert_true(transform_fast_length(TRANSFORM_MOST - 1) == TRANSFORM_MOST);
    assert_true(transform_fast_length(TRANSFORM_MOST) == TRANSFORM_MOST);
    assert_true(transform_fast_length(INT64_MAX) == INT64_MAX);
}

/* Of transforms that share it the table is the same, number by number. */
static void shared_tables_are_the_same(void **context)
{
    enum { N = 22, ROOM = 4096, WAYS = TRANSFORM_COUNT * NORM_COUNT };
    static float table[2][ROOM];
    unsigned shared = 0;
    (void)context;
    for (int i = 0; i < WAYS * WAYS; i++) {
        const enum transform a = i % TRANSFORM_COUNT, b = i / WAYS % TRANSFORM_COUNT;
        const enum transform_norm of_a = i / TRANSFORM_COUNT % NORM_COUNT,
                                  of_b = i / WAYS / TRANSFORM_COUNT;
        if (!transform_same_table(a, of_a, b, of_b))
            continue;
        shared++;
        const int64_t numbers = transform_table(a, N);
        assert_true(numbers == transform_table(b, N) && numbers <= ROOM);
        transform_prepare_f32(a, of_a, N, table[0]);
        transform_prepare_f32(b, of_b, N, table[1]);
        assert_memory_equal(table[0], table[1], (size_t)numbers * sizeof(float));
    }
    assert_true(shared > WAYS);
    assert_true(transform_same_table(TRANSFORM_FFT, NORM_NONE, TRANSFORM_IFFT, NORM_INVERSE));
    assert_false(transform_same_table(TRANSFORM_DCT2, NORM_ORTHO, TRANSFORM_DCT3, NORM_ORTHO));
}

static void known_numbers(void **context)
{
    const long double one[4] = {1, 1, 1, 1}, impulse[8] = {0, 0, 1, 0, 0, 0, 0, 0};
    long double y[8];
    (void)context;
    transform_define(TRANSFORM_DCT2, NORM_NONE, 4, one, y);
    assert_true(fabsl(y[0] - 8) < 1e-18L && fabsl(y[1]) < 1e-18L && fabsl(y[3]) < 1e-18L);
    transform_define(TRANSFORM_FFT, NORM_NONE, 4, impulse, y); /* 1 at 1: 1, -i, -1, i */
    const long double expected[8] = {1, 0, 0, -1, -1, 0, 0, 1};
    for (int i = 0; i < 8; i++)
        assert_true(fabsl(y[i] - expected[i]) < 1e-18L);
    transform_define(TRANSFORM_DST1, NORM_NONE, 1, one, y); /* 2 sin(pi / 2) */
    assert_true(fabsl(y[0] - 2) < 1e-18L);
    transform_define(TRANSFORM_DCT4, NORM_NONE, 1, one, y); /* 2 cos(pi / 4) */
    assert_true(fabsl(y[0] - sqrtl(2)) < 1e-18L);
    transform_define(TRANSFORM_DCT1, NORM_NONE, 2, one, y);
    assert_true(fabsl(y[0] - 2) < 1e-18L && fabsl(y[1]) < 1e-18L);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_lines),
        cmocka_unit_test(longer_lines),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(nan_stays_in_its_pair),
        cmocka_unit_test(ortho_keeps_energies),
        cmocka_unit_test(inverses_undo),
        cmocka_unit_test(cosines_are_those_of_mirrored_lines),
        cmocka_unit_test(idxst_is_half_of_dst3),
        cmocka_unit_test(fast_lengths_are_the_next_ones),
        cmocka_unit_test(shared_tables_are_the_same),
        cmocka_unit_test(known_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
