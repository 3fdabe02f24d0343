/* Time of one value of each function, in a loop over arrays that fit the cache. Compiled twice:
 * with -DLIBRARY the functions are the C library's. -DONLY_F32: to see what becomes vectors.
 *     speed          prints "function ns" a line */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef LIBRARY
#define FLT_INLINE static inline __attribute__((always_inline))
#include "elementary/texts/arc_f32.h"
#include "elementary/texts/arc_f64.h"
#include "elementary/texts/exponential_f32.h"
#include "elementary/texts/exponential_f64.h"
#include "elementary/texts/logarithm_f32.h"
#include "elementary/texts/logarithm_f64.h"
#include "elementary/texts/trigonometric_f32.h"
#include "elementary/texts/trigonometric_f64.h"
#define F32(name) flt_##name##_f32
#define F64(name) flt_##name##_f64
#else
#define F32(name) name##f
#define F64(name) name
#endif

enum { SAMPLES = 4096 };
static float a32[SAMPLES], b32[SAMPLES], r32[SAMPLES];
static double a64[SAMPLES], b64[SAMPLES], r64[SAMPLES];

#define ARGUMENTS_1(a, b) a[i]
#define ARGUMENTS_2(a, b) a[i], b[i]
#define ELEMENTARY(kind, name, arguments)                                                          \
    __attribute__((noinline)) static void name##_all_f32(void)                                     \
    {                                                                                              \
        _Pragma("omp simd") for (int i = 0; i < SAMPLES; i++) r32[i] =                             \
            F32(name)(ARGUMENTS_##arguments(a32, b32));                                            \
    }
#include "elementary/elementary.def"
#undef ELEMENTARY
#ifndef ONLY_F32
#define ELEMENTARY(kind, name, arguments)                                                          \
    __attribute__((noinline)) static void name##_all_f64(void)                                     \
    {                                                                                              \
        for (int i = 0; i < SAMPLES; i++)                                                          \
            r64[i] = F64(name)(ARGUMENTS_##arguments(a64, b64));                                   \
    }
#else
#define ELEMENTARY(kind, name, arguments) enum { name##_all_f64 };
#endif
#include "elementary/elementary.def"
#undef ELEMENTARY

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of several runs, in ns a value. */
static double measure(void (*all)(void), int repetitions)
{
    double best = 1e9;
    for (int run = 0; run < 15; run++) {
        const double start = seconds();
        for (int i = 0; i < repetitions; i++) {
            all();
            __asm__ volatile(""
                             :
                             : "r"(r32), "r"(r64), "r"(a32), "r"(a64), "r"(b32), "r"(b64)
                             : "memory");
        }
        const double time = (seconds() - start) / repetitions / SAMPLES * 1e9;
        best = time < best ? time : best;
    }
    return best;
}

int main(void)
{
    for (int i = 0; i < SAMPLES; i++) { /* in the domain of every function */
        a32[i] = (float)(a64[i] = (i + 0.5) / SAMPLES);
        b32[i] = (float)(b64[i] = 0.3 + (i * 7919 % SAMPLES) / (double)SAMPLES);
    }
    static const struct {
        const char *name;
        void (*f32)(void), (*f64)(void);
    } row[] = {
#define ELEMENTARY(kind, name, arguments) {#name, name##_all_f32, name##_all_f64},
#include "elementary/elementary.def"
#undef ELEMENTARY
    };
    for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++)
        printf("%s %.2f %.2f\n", row[i].name, measure(row[i].f32, 20), measure(row[i].f64, 5));
    return 0;
}
