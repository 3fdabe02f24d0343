/* A number for each elementary function that is made of the bits of its results, over special and
 * random arguments: the same from every compiler. Not-a-number counts as one value.
 *     bits [COUNT]       prints "function f32 f64" a line */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLT_INLINE static inline
#include "elementary/texts/arc_f32.h"
#include "elementary/texts/arc_f64.h"
#include "elementary/texts/exponential_f32.h"
#include "elementary/texts/exponential_f64.h"
#include "elementary/texts/half.h"
#include "elementary/texts/logarithm_f32.h"
#include "elementary/texts/logarithm_f64.h"
#include "elementary/texts/noise.h"
#include "elementary/texts/trigonometric_f32.h"
#include "elementary/texts/trigonometric_f64.h"

enum { MOST = 1 << 16 };
struct samples { /* and the results */
    float a32[MOST], b32[MOST], r32[MOST];
    double a64[MOST], b64[MOST], r64[MOST];
    int count;
};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Any float by its bits, or a moderate one. */
static double any_f64(uint64_t *state)
{
    const uint64_t bits = next(state);
    double v;
    memcpy(&v, &bits, sizeof v);
    return next(state) & 1 ? v : ((double)(int64_t)bits) * 0x1p-63 * (double)(1 << (bits & 15));
}

static float any_f32(uint64_t *state)
{
    const uint32_t bits = (uint32_t)next(state);
    float v;
    memcpy(&v, &bits, sizeof v);
    return next(state) & 1 ? v : ((float)(int32_t)bits) * 0x1p-31f * (float)(1 << (bits & 15));
}

static void mix(uint64_t *hash, uint64_t bits)
{
    *hash = (*hash ^ bits) * UINT64_C(0x100000001b3);
    *hash ^= *hash >> 29;
}

static uint64_t hash_f32(const float *r, int count)
{
    uint64_t hash = 1;
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &r[i], sizeof bits);
        mix(&hash, r[i] != r[i] ? 1 : bits);
    }
    return hash;
}

static uint64_t hash_f64(const double *r, int count)
{
    uint64_t hash = 1;
    for (int i = 0; i < count; i++)
        mix(&hash, r[i] != r[i] ? 1 : flt_bits(r[i]));
    return hash;
}

#define ARGUMENTS_1(a, b) a
#define ARGUMENTS_2(a, b) a, b
/* In loops of their own, so that compilers make vectors of them. */
#define ELEMENTARY(kind, name, arguments)                                                          \
    static void name##_all(struct samples *s)                                                      \
    {                                                                                              \
        for (int i = 0; i < s->count; i++)                                                         \
            s->r32[i] = flt_##name##_f32(ARGUMENTS_##arguments(s->a32[i], s->b32[i]));             \
        for (int i = 0; i < s->count; i++)                                                         \
            s->r64[i] = flt_##name##_f64(ARGUMENTS_##arguments(s->a64[i], s->b64[i]));             \
    }
#include "elementary/elementary.def"
#undef ELEMENTARY

static void noise_all(struct samples *s)
{
    for (int i = 0; i < s->count; i++)
        s->r32[i] = flt_noise_4(i, i / 7, i % 7, -i, 5);
    for (int i = 0; i < s->count; i++)
        s->r64[i] = (double)flt_noise_8(3, 1, 2, i, 4, i, 6, 7, i * INT64_C(65537));
}

static void half_all(struct samples *s)
{
    for (int i = 0; i < s->count; i++)
        s->r32[i] = flt_f32_of_f16((uint16_t)i);
    for (int i = 0; i < s->count; i++)
        s->r64[i] = flt_f16_of_f64(s->a64[i]);
}

int main(int argc, char *argv[])
{
    static const struct {
        const char *name;
        void (*all)(struct samples *);
    } function[] = {
#define ELEMENTARY(kind, name, arguments) {#name, name##_all},
#include "elementary/elementary.def"
#undef ELEMENTARY
        {"noise", noise_all},
        {"half", half_all},
    };
    struct samples *s = (struct samples *)malloc(sizeof *s);
    uint64_t state = 1;
    if (!s)
        return 1;
    s->count = argc > 1 ? atoi(argv[1]) : MOST;
    for (int i = 0; i < s->count; i++) {
        s->a32[i] = any_f32(&state);
        s->b32[i] = any_f32(&state);
        s->a64[i] = any_f64(&state);
        s->b64[i] = any_f64(&state);
    }
    for (size_t i = 0; i < sizeof function / sizeof function[0]; i++) {
        function[i].all(s);
        printf("%s %016llx %016llx\n", function[i].name,
               (unsigned long long)hash_f32(s->r32, s->count),
               (unsigned long long)hash_f64(s->r64, s->count));
    }
    free(s);
    return 0;
}
