/* The definition, and the texts as part of the compiler. */
#include "transform/transform.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FLT_INLINE static inline
#define FLT_RESTRICT __restrict__
#define FLT_SIMD
#include "transform/texts/transforms_f32.h"
#include "transform/texts/transforms_f64.h" /* made of the former */

enum { REAL, COMPLEX };
const struct transform_info transform_info[TRANSFORM_COUNT] = {
#define TRANSFORM(kind, name, samples, inverse, times, more, table)                                \
    {#name, samples, TRANSFORM_##inverse, times, more, #table},
#include "transform/transforms.def"
#undef TRANSFORM
};
const char *const transform_norm_text[NORM_COUNT] = {"none", "ortho", "inverse"};

/* ---- The definition ---- */

/* A term of the sum: the sample, times the weight, times the cosine or sine of pi p / q. */
struct term {
    int64_t p, q;
    int weight;
    bool sine;
};

static struct term term_of(enum transform kind, int64_t size, int64_t n, int64_t k)
{
    const bool first = n == 0, last = n == size - 1;
    switch (kind) {
    case TRANSFORM_FFT:
    case TRANSFORM_IFFT:
        return (struct term){2 * n * k, size, 1, false};
    case TRANSFORM_DCT1:
        return (struct term){n * k, size - 1, first || last ? 1 : 2, false};
    case TRANSFORM_DCT2:
        return (struct term){(2 * n + 1) * k, 2 * size, 2, false};
    case TRANSFORM_DCT3:
        return (struct term){n * (2 * k + 1), 2 * size, first ? 1 : 2, false};
    case TRANSFORM_DCT4:
        return (struct term){(2 * n + 1) * (2 * k + 1), 4 * size, 2, false};
    case TRANSFORM_DST1:
        return (struct term){(n + 1) * (k + 1), size + 1, 2, true};
    case TRANSFORM_DST2:
        return (struct term){(2 * n + 1) * (k + 1), 2 * size, 2, true};
    case TRANSFORM_DST3:
        return (struct term){(n + 1) * (2 * k + 1), 2 * size, last ? 1 : 2, true};
    case TRANSFORM_DST4:
        return (struct term){(2 * n + 1) * (2 * k + 1), 4 * size, 2, true};
    case TRANSFORM_IDXST:
        return (struct term){n * (2 * k + 1), 2 * size, first ? 0 : 1, true};
    case TRANSFORM_COUNT:
        break;
    }
    return (struct term){0, 1, 0, false};
}

/* Cosine and sine of pi p / q, the angle led back to the first eighth of a turn. */
static void cosine_and_sine(int64_t p, int64_t q, long double *c, long double *s)
{
    const long double quarter = acosl(0);
    p %= 2 * q;
    const int64_t turn = 2 * p / q, rest = 2 * p - turn * q; /* quarters of a turn, and behind */
    const bool near = 2 * rest <= q;
    const long double angle = quarter * (long double)(near ? rest : q - rest) / (long double)q;
    const long double a = near ? cosl(angle) : sinl(angle), b = near ? sinl(angle) : cosl(angle);
    *c = turn == 0 ? a : turn == 1 ? -b : turn == 2 ? -a : b;
    *s = turn == 0 ? b : turn == 1 ? a : turn == 2 ? -b : -a;
}

/* What sample n, or y_k, is multiplied by besides where the norm is ortho. */
static long double weight_of_sample(enum transform kind, int64_t size, int64_t n)
{
    const bool alone = (kind == TRANSFORM_DCT1 && (n == 0 || n == size - 1)) ||
                       (kind == TRANSFORM_DCT3 && n == 0) ||
                       (kind == TRANSFORM_DST3 && n == size - 1);
    return alone ? sqrtl(2) : 1;
}

static long double weight_of_result(enum transform kind, int64_t size, int64_t k)
{
    const bool alone = (kind == TRANSFORM_DCT1 && (k == 0 || k == size - 1)) ||
                       (kind == TRANSFORM_DCT2 && k == 0) ||
                       (kind == TRANSFORM_DST2 && k == size - 1);
    return alone ? 1 / sqrtl(2) : 1;
}

/* What all is multiplied by. */
static long double factor_of(enum transform kind, enum transform_norm norm, int64_t n)
{
    const bool is_fft = kind == TRANSFORM_FFT || kind == TRANSFORM_IFFT;
    const long double size = (long double)n;
    const long double whole = is_fft                   ? size
                              : kind == TRANSFORM_DCT1 ? 2 * (size - 1)
                              : kind == TRANSFORM_DST1 ? 2 * (size + 1)
                                                       : 2 * size;
    const long double of_kind = kind == TRANSFORM_IDXST ? 2 : 1;
    return norm == NORM_NONE ? 1 : of_kind / (norm == NORM_ORTHO ? sqrtl(whole) : whole);
}

struct unit {
    long double c, s;
};

/* Of all angles of a line, pi p / q for p below 2 q; NULL: there is no memory for them. */
static struct unit *units_of(int64_t q)
{
    struct unit *unit = malloc((size_t)q * 2 * sizeof *unit);
    for (int64_t p = 0; p < 2 * q && unit; p++)
        cosine_and_sine(p, q, &unit[p].c, &unit[p].s);
    return unit;
}

void transform_define(enum transform kind, enum transform_norm norm, int64_t n,
                      const long double x[], long double y[])
{
    struct unit *const known = units_of(term_of(kind, n, 0, 0).q);
    const bool is_complex = transform_info[kind].is_complex;
    const long double factor = factor_of(kind, norm, n);
    const long double sign = kind == TRANSFORM_IFFT ? 1 : -1;
    for (int64_t k = 0; k < n; k++) {
        long double re = 0, im = 0;
        for (int64_t i = 0; i < n; i++) {
            const struct term term = term_of(kind, n, i, k);
            struct unit u;
            if (known)
                u = known[term.p % (2 * term.q)];
            else
                cosine_and_sine(term.p, term.q, &u.c, &u.s);
            if (is_complex) {
                re += x[2 * i] * u.c - sign * x[2 * i + 1] * u.s;
                im += x[2 * i + 1] * u.c + sign * x[2 * i] * u.s;
                continue;
            }
            const long double own = norm == NORM_ORTHO ? weight_of_sample(kind, n, i) : 1;
            re += own * term.weight * x[i] * (term.sine ? u.s : u.c);
        }
        if (is_complex) {
            y[2 * k] = re * factor;
            y[2 * k + 1] = im * factor;
        } else {
            y[k] = re * factor * (norm == NORM_ORTHO ? weight_of_result(kind, n, k) : 1);
        }
    }
    free(known);
}

/* ---- The texts ---- */

/* The samples as which a line is transformed. */
static int64_t transformed(enum transform kind, int64_t n)
{
    return transform_info[kind].times * n + transform_info[kind].more;
}

int transform_together(enum transform kind)
{
    return transform_info[kind].is_complex ? TRANSFORM_LANES : 2 * TRANSFORM_LANES;
}

int64_t transform_fast_length(int64_t n)
{
    return flt_fast_length(n);
}

int64_t transform_divisor(int64_t n)
{
    return flt_divisor(n);
}

int64_t transform_places(enum transform kind, int64_t n)
{
    return flt_panel_places(n, transformed(kind, n));
}

int64_t transform_table(enum transform kind, int64_t n)
{
    return flt_table_numbers(transformed(kind, n));
}

bool transform_same_table(enum transform a, enum transform_norm norm_a, enum transform b,
                          enum transform_norm norm_b)
{
    const struct transform_info *of_a = &transform_info[a], *of_b = &transform_info[b];
    const bool is_of_roots = strcmp(of_a->table, "roots") == 0; /* which have no norm */
    return strcmp(of_a->table, of_b->table) == 0 && of_a->times == of_b->times &&
           of_a->more == of_b->more && (is_of_roots || norm_a == norm_b);
}

void transform_prepare_f32(enum transform kind, enum transform_norm norm, int64_t n, float table[])
{
    static void (*const fill[TRANSFORM_COUNT])(int, int64_t, float *) = {
#define TRANSFORM(kind, name, samples, inverse, times, more, table) flt_##table##_table_f32,
#include "transform/transforms.def"
#undef TRANSFORM
    };
    fill[kind]((int)norm, transformed(kind, n), table);
}

void transform_prepare_f64(enum transform kind, enum transform_norm norm, int64_t n, double table[])
{
    static void (*const fill[TRANSFORM_COUNT])(int, int64_t, double *) = {
#define TRANSFORM(kind, name, samples, inverse, times, more, table) flt_##table##_table_f64,
#include "transform/transforms.def"
#undef TRANSFORM
    };
    fill[kind]((int)norm, transformed(kind, n), table);
}

void transform_lines_f32(enum transform kind, enum transform_norm norm, int64_t n,
                         const float table[], float panel[])
{
    static void (*const lines[TRANSFORM_COUNT])(int, int64_t, const float *, float *) = {
#define TRANSFORM(kind, name, samples, inverse, times, more, table) flt_##name##_f32,
#include "transform/transforms.def"
#undef TRANSFORM
    };
    lines[kind]((int)norm, n, table, panel);
}

void transform_lines_f64(enum transform kind, enum transform_norm norm, int64_t n,
                         const double table[], double panel[])
{
    static void (*const lines[TRANSFORM_COUNT])(int, int64_t, const double *, double *) = {
#define TRANSFORM(kind, name, samples, inverse, times, more, table) flt_##name##_f64,
#include "transform/transforms.def"
#undef TRANSFORM
    };
    lines[kind]((int)norm, n, table, panel);
}
