/* ramp. Written by fltc; needs the C library alone: cc -O3 -fopenmp -.c -lm */
#include "-.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The arithmetic below is exact as written: no contraction but where fma stands, no reassociation.
 * */
#ifdef __FAST_MATH__
#error "compile this file without -ffast-math: its results would change"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "compile this file for arithmetic without excess precision, such as -msse2 -mfpmath=sse"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpass-failed" /* a loop that is not worth vectors */
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-math-errno", "no-trapping-math")
/* gcc 12 takes (double)(float)v, of two doubles side by side, for v. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#if defined(__GNUC__)
#define FLT_RESTRICT __restrict__
#define FLT_INLINE static inline __attribute__((always_inline))
/* Square roots leave errno alone, so that loops with them may become vectors. */
__attribute__((const)) float sqrtf(float);
__attribute__((const)) double sqrt(double);
#else
#define FLT_RESTRICT
#define FLT_INLINE static inline
#endif

/* FLT_KERNEL compiles a body for the target of the compiler's options, and again for processors
 * with fused multiply-add. FLT_PICK takes the one for the processor at hand. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__FMA__)
#define FLT_V3 __attribute__((target("avx2,fma,bmi,bmi2")))
#define FLT_KERNEL(name, frame_type)                                                         \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)             \
    {                                                                                        \
        name##_body(frame, first, end);                                                      \
    }                                                                                        \
    FLT_V3 static void name##_v3(const struct frame_type *frame, int64_t first, int64_t end) \
    {                                                                                        \
        name##_body(frame, first, end);                                                      \
    }
#define FLT_PICK(name) \
    (frame->cpu == 3 ? name##_v3 : name)
/* No better processor than of this level of x86-64 is made use of. */
#ifndef FLT_MOST_CPU
#define FLT_MOST_CPU 4
#endif
static int flt_cpu(void)
{
    if (FLT_MOST_CPU >= 3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return 3;
    return 0;
}
#define FLT_CPU flt_cpu()
#else
#define FLT_KERNEL(name, frame_type)                                                         \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)             \
    {                                                                                        \
        name##_body(frame, first, end);                                                      \
    }
#define FLT_PICK(name) name
#define FLT_CPU 0
#endif
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
#define FLT_FAST 1
#else
#define FLT_FAST (FLT_CPU >= 3)
#endif
#ifdef _OPENMP
#define FLT_SIMD _Pragma("omp simd")
#else
#define FLT_SIMD
#endif

/* Floor division by powers of two is written as a shift. */
typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];

/* What all kernels of one call share. Strides are in samples; the last axis has stride 1. */
struct ramp_frame {
    int threads, team, cpu;
    float *out;
};

/* out: emitted_without_images.flt:5 */
FLT_INLINE void ramp_out_body(const struct ramp_frame *frame, int64_t flt_first, int64_t flt_end)
{
    float *FLT_RESTRICT const out = frame->out;
    for (int64_t x_block = flt_first; x_block < flt_end; x_block++) {
        FLT_SIMD
        for (int64_t x = 8192 * x_block; x < 256; x++)
            out[x] = (float)(int32_t)x / 255.0f;
    }
}
FLT_KERNEL(ramp_out, ramp_frame)

/* For how many threads there is scratch memory. */
#ifndef FLT_MOST_THREADS
#define FLT_MOST_THREADS 256
#endif
static int flt_threads(int threads)
{
#ifdef _OPENMP
    const int cores = omp_get_num_procs();
    const int most = cores > FLT_MOST_THREADS ? cores : FLT_MOST_THREADS;
    const int wanted = threads > 0 ? threads : omp_get_max_threads();
    return wanted < most ? wanted : most;
#else
    (void)threads;
    return 1;
#endif
}

/* How many of them are started: more than a few for each processor do not make it faster, and
 * OpenMP ends the process where the system gives it fewer than it asks for. */
static int flt_team_of(int threads)
{
#ifdef _OPENMP
    const int most = 4 * omp_get_num_procs();
    return threads < most ? threads : most;
#else
    return threads;
#endif
}

/* Runs a kernel over first ... first + extent - 1, in parts. */
FLT_INLINE void ramp_launch(void (*kernel)(const struct ramp_frame *, int64_t, int64_t),
    const struct ramp_frame *frame, int64_t first, int64_t extent)
{
    const int64_t most = 8 * (int64_t)frame->team;
    const int64_t parts = extent < most ? extent : most;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(frame->team) if (parts > 1)
#endif
    for (int64_t part = 0; part < parts; part++)
        kernel(frame, first + extent * part / parts, first + extent * (part + 1) / parts);
}

int ramp_is_fast(void)
{
    return FLT_FAST;
}

static void ramp_kernels(const struct ramp_frame *frame)
{
    ramp_launch(FLT_PICK(ramp_out), frame, 0, 1);
}

const char *ramp_status_text(int status)
{
    switch (status) {
    case 0:
        return "done";
    case 1:
        return "a pointer that is needed is NULL";
    case 2:
        return "an extent is less than 1, or an image has more than 2^40 samples";
    case 3:
        return "the output's extents are not those of the result";
    case 4:
        return "a parameter is out of its range";
    case 5:
        return "the scratch memory is too small or not aligned to 64 bytes";
    case 6:
        return "an output is the same memory as an input";
    case 7:
        return "there is not enough memory";
    default:
        return "unknown status";
    }
}

/* Checks inputs and parameters; sets extents. */
static int ramp_measure(struct ramp_frame *frame)
{
    (void)frame;
    return RAMP_OK;
}

int ramp_extents(struct ramp_out *out)
{
    struct ramp_frame all;
    const int status = ramp_measure(&all);
    if (status != RAMP_OK)
        return status;
    if (!out)
        return RAMP_NULL_POINTER;
    out->x = (int32_t)256;
    out->stride_x = 1;
    return RAMP_OK;
}

/* Sizes in bytes; 2^62 stands for all that is more. */
static uint64_t flt_times(uint64_t bytes, int64_t extent)
{
    const uint64_t most = (uint64_t)1 << 62;
    return extent > 0 && bytes > most / (uint64_t)extent ? most
                                                         : bytes * (uint64_t)extent;
}

/* The next multiple of 64 behind so many bytes. */
static uint64_t flt_behind(uint64_t at, uint64_t bytes)
{
    const uint64_t most = (uint64_t)1 << 62;
    if (at > most - 64 || bytes > most - 64 - at)
        return most;
    return (at + bytes + 63) / 64 * 64;
}

/* Gives each buffer its place in memory; where memory is NULL, only measures. */
static uint64_t ramp_layout(struct ramp_frame *frame, char *memory, const struct ramp_out *out)
{
    uint64_t at = 0;
    frame->out = out->data;
    if (out->stride_x != 1 && out->x > 1) { /* a packed copy */
        if (memory)
            frame->out = (float *)(void *)(memory + at);
        at = flt_behind(at, flt_times(4, 256));
    }
    return at;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int ramp_check(struct ramp_frame *frame, const struct ramp_out *out, int threads)
{
    struct ramp_frame all;
    int status;
    memset(&all, 0, sizeof all);
    status = ramp_measure(&all);
    if (status != RAMP_OK)
        return status;
    *frame = all;
    if (!out || !out->data)
        return RAMP_NULL_POINTER;
    if (out->x != 256)
        return RAMP_BAD_OUTPUT;
    frame->threads = flt_threads(threads);
    frame->team = flt_team_of(frame->threads);
    frame->cpu = FLT_CPU;
    return RAMP_OK;
}

size_t ramp_scratch_bytes(const struct ramp_out *out, int threads)
{
    struct ramp_frame all;
    if (ramp_check(&all, out, threads) != RAMP_OK)
        return 0;
    {
        const uint64_t bytes = ramp_layout(&all, NULL, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

int ramp_run(const struct ramp_out *out, void *scratch, size_t scratch_bytes, int threads)
{
    struct ramp_frame all;
    const int status = ramp_check(&all, out, threads);
    if (status != RAMP_OK)
        return status;
    {
        const uint64_t bytes = ramp_layout(&all, NULL, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return RAMP_BAD_SCRATCH;
    }
    (void)ramp_layout(&all, (char *)scratch, out);
    ramp_kernels(&all);
    if (out->stride_x != 1 && out->x > 1) {
        const float *FLT_RESTRICT const packed = (const float *)(uintptr_t)all.out;
        for (int64_t i0 = 0; i0 < out->x; i0++)
            out->data[i0 * out->stride_x] = packed[i0];
    }
    return RAMP_OK;
}

int ramp(const struct ramp_out *out, int threads)
{
    struct ramp_frame all;
    int status = ramp_check(&all, out, threads);
    char *block;
    uint64_t bytes;
    if (status != RAMP_OK)
        return status;
    bytes = ramp_layout(&all, NULL, out);
    if (bytes > SIZE_MAX - 64)
        return RAMP_NO_MEMORY;
    block = (char *)malloc((size_t)bytes + 64);
    if (!block)
        return RAMP_NO_MEMORY;
    status = ramp_run(out, block + (64 - (uintptr_t)block % 64), (size_t)bytes, threads);
    free(block);
    return status;
}
/* ramp. Written by fltc. */
#ifndef RAMP_H
#define RAMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ramp_status {
    RAMP_OK = 0, /* done */
    RAMP_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    RAMP_BAD_EXTENT = 2, /* an extent is less than 1, or an image has more than 2^40 samples */
    RAMP_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    RAMP_BAD_PARAMETER = 4, /* a parameter is out of its range */
    RAMP_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    RAMP_OVERLAP = 6, /* an output is the same memory as an input */
    RAMP_NO_MEMORY = 7, /* there is not enough memory */
};

/* out: [x] of f32. Strides are in samples and may be negative. */
struct ramp_out {
    float *data;
    int32_t x; /* extents */
    ptrdiff_t stride_x;
};

/* The text of a status. It is static: do not free it. */
const char *ramp_status_text(int status);

/* Sets the extents and packed strides of the output; data is left unchanged.
 * Returns a status. */
int ramp_extents(struct ramp_out *out);

/* Bytes of scratch memory that ramp_run needs with these arguments; 0 if an argument is
 * wrong. threads: as for ramp_run. */
size_t ramp_scratch_bytes(const struct ramp_out *out, int threads);

/* Computes the output; returns a status. Allocates nothing and keeps nothing between calls, which
 * may run at the same time.
 * scratch: ramp_scratch_bytes(...) or more, aligned to 64 bytes.
 * threads: 0 or less for as many as OpenMP gives; of more than four for each processor no more
 * are started. The result does not depend on it.
 * Samples are written only if all arguments are right. Outputs must not share memory with
 * inputs; only equal addresses are detected.
 */
int ramp_run(const struct ramp_out *out, void *scratch, size_t scratch_bytes, int threads);

/* The same, with scratch memory from malloc. */
int ramp(const struct ramp_out *out, int threads);

/* 1 if fused multiply-adds run in hardware, 0 if the C library computes them (slowly). */
int ramp_is_fast(void);

#ifdef __cplusplus
}
#endif

#endif
