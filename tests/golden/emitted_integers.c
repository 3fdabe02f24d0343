/* integers. Written by fltc; needs the C library alone: cc -O3 -fopenmp -.c -lm */
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

/* Toward minus infinity; by zero: 0. */
static inline int32_t flt_floor_divide_i32(int32_t a, int32_t b)
{
    if (b == 0)
        return 0;
    return (int32_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

/* The sign of b; by zero: 0. Coordinates near a border need no division. */
static inline int32_t flt_floor_remainder_i32(int32_t a, int32_t b)
{
    if (a >= 0 && a < b)
        return a;
    if (a < 0 && b > 0 && a >= -b)
        return a + b;
    if (b == 0 || b == -1)
        return 0;
    return (int32_t)(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));
}

/* The sign of b; by zero: 0. Coordinates near a border need no division. */
static inline int64_t flt_floor_remainder_i64(int64_t a, int64_t b)
{
    if (a >= 0 && a < b)
        return a;
    if (a < 0 && b > 0 && a >= -b)
        return a + b;
    if (b == 0 || b == -1)
        return 0;
    return (int64_t)(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));
}

static inline int16_t flt_max_i16(int16_t a, int16_t b)
{
    return a > b ? a : b;
}

static inline int64_t flt_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int32_t flt_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int64_t flt_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int32_t flt_shift_left_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a << b);
}

/* Other threads see what was copied before. */
static inline void flt_stream_end(void)
{
#if defined(__SSE2__) && defined(__GNUC__)
    __builtin_ia32_sfence();
#endif
}

/* How many samples are stored past the caches at a time: up to the end of a line of these.
 * All, where none are. */
static inline int64_t flt_stream_part(const void *to, int64_t bytes, int streams)
{
    return streams ? (512 - (int64_t)((uintptr_t)to & 63)) / bytes : INT64_C(1) << 62;
}

/* Copies samples past the caches. */
#if defined(__AVX512F__)
#define FLT_LANES_BYTES 64
#define FLT_STREAM_LANES __builtin_ia32_movntdq512
#elif defined(__AVX__)
#define FLT_LANES_BYTES 32
#define FLT_STREAM_LANES __builtin_ia32_movntdq256
#else
#define FLT_LANES_BYTES 16
#define FLT_STREAM_LANES __builtin_ia32_movntdq
#endif
#if defined(__clang__)
#undef FLT_STREAM_LANES
#define FLT_STREAM_LANES(to, value) __builtin_nontemporal_store(value, to)
#endif
static inline void flt_stream_row(void *to, const void *from, int64_t bytes)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
#if defined(__SSE2__) && defined(__GNUC__)
    typedef long long lanes __attribute__((vector_size(FLT_LANES_BYTES), may_alias));
    typedef long long anywhere
        __attribute__((vector_size(FLT_LANES_BYTES), may_alias, aligned(1)));
    const int64_t before = (int64_t)(-(uintptr_t)t & 63);
    const int64_t lead = before < bytes ? before : bytes;
    memcpy(t, f, (size_t)lead);
    for (t += lead, f += lead, bytes -= lead; bytes >= 64; t += 64, f += 64, bytes -= 64)
        for (size_t i = 0; i < 64; i += sizeof(lanes)) {
            const lanes v = *(const anywhere *)(f + i);
            FLT_STREAM_LANES((lanes *)(void *)(t + i), v);
        }
#endif
    memcpy(t, f, (size_t)bytes);
}

/* Images of so many bytes do not stay in a cache: stores to them go past it. */
#ifndef FLT_STREAM_BYTES
#define FLT_STREAM_BYTES (UINT64_C(3) << 23)
#endif

/* What all kernels of one call share. Strides are in samples; the last axis has stride 1. */
struct integers_frame {
    int threads, team, cpu;
    const int16_t *in;
    int64_t in_t;
    int32_t *out;
    int out_streams; /* stores to it go past the caches */
    int32_t k;
};

/* out: emitted_integers.flt:6 */
FLT_INLINE void integers_out_body(const struct integers_frame *frame, int64_t flt_first,
    int64_t flt_end)
{
    const int16_t *FLT_RESTRICT const in = frame->in;
    int32_t *FLT_RESTRICT const out = frame->out;
    const int64_t in_t = frame->in_t;
    const int32_t k = frame->k;
    for (int64_t t_block = flt_first; t_block < flt_end; t_block++) {
        {
            const int64_t value_1 = 8192 * t_block + flt_min_i64(8192, in_t - t_block * 8192);
            const int64_t value_2 = flt_min_i64(flt_max_i64(2, 8192 * t_block), value_1);
            for (int64_t t_from = value_2,
                t_to; t_from < flt_max_i64(flt_min_i64(in_t - 1, value_1), value_2); t_from =
                t_to) {
                t_to = flt_min_i64(t_from + flt_stream_part(&out[t_from], 4, frame->out_streams),
                    flt_max_i64(flt_min_i64(in_t - 1, value_1), value_2));
                int32_t out_row_part[128];
                int32_t *FLT_RESTRICT const out_row =
                    frame->out_streams ? out_row_part : &out[t_from];
                FLT_SIMD
                for (int64_t t = t_from; t < t_to; t++)
                    out_row[t - t_from] = flt_floor_remainder_i32(in[t] * k, 17)
                        + flt_floor_divide_i32(flt_shift_left_i32(in[t + 1], 4), 3)
                        - flt_max_i16(in[t - 2], 0);
                if (frame->out_streams)
                    flt_stream_row(&out[t_from], out_row, 4 * (t_to - t_from));
            }
        }
        const int64_t t_block_1 = flt_min_i64(flt_max_i64(2, 8192 * t_block),
            8192 * t_block + flt_min_i64(8192, in_t - t_block * 8192)) - 8192 * t_block;
        const int64_t value_3 = 8192 * t_block + flt_min_i64(8192, in_t - t_block * 8192);
        const int64_t t_block_2 = 8192 * t_block
            + flt_max_i64(flt_min_i64(in_t - 1, value_3),
            flt_min_i64(flt_max_i64(2, 8192 * t_block), value_3));
        const int64_t t_block_3 = flt_min_i64(flt_max_i64(2, 8192 * t_block),
            8192 * t_block + flt_min_i64(8192, in_t - t_block * 8192));
        const int32_t value_4 = flt_min_i32(8192, (int32_t)(in_t - t_block * 8192));
        const int64_t value_5 = 8192 * t_block + (int64_t)value_4;
        const int64_t value_6 = flt_min_i64(flt_max_i64(2, 8192 * t_block), value_5);
        FLT_SIMD
        for (int64_t t_near_border = 0; t_near_border < (int64_t)value_4
            + value_6 - flt_max_i64(flt_min_i64(in_t - 1, value_5), value_6); t_near_border++) {
            const int64_t t_2 = t_near_border < t_block_1
                ? 8192 * t_block + t_near_border : t_block_2 + t_near_border - t_block_3;
            out[t_2] = flt_floor_remainder_i32(in[t_2] * k, 17)
                + flt_floor_divide_i32(flt_shift_left_i32(in[flt_floor_remainder_i64(t_2 + 1,
                in_t)], 4), 3) - flt_max_i16(in[flt_floor_remainder_i64(t_2 - 2, in_t)], 0);
        }
    }
    flt_stream_end();
}
FLT_KERNEL(integers_out, integers_frame)

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
FLT_INLINE void integers_launch(void (*kernel)(const struct integers_frame *, int64_t, int64_t),
    const struct integers_frame *frame, int64_t first, int64_t extent)
{
    const int64_t most = 8 * (int64_t)frame->team;
    const int64_t parts = extent < most ? extent : most;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(frame->team) if (parts > 1)
#endif
    for (int64_t part = 0; part < parts; part++)
        kernel(frame, first + extent * part / parts, first + extent * (part + 1) / parts);
}

int integers_is_fast(void)
{
    return FLT_FAST;
}

static void integers_kernels(const struct integers_frame *frame)
{
    const int64_t in_t = frame->in_t;
    integers_launch(FLT_PICK(integers_out), frame, 0, (in_t + 8191) / 8192);
}

const char *integers_status_text(int status)
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
    case 8:
        return "at least 4 samples";
    default:
        return "unknown status";
    }
}

/* Checks inputs and parameters; sets extents. */
static int integers_measure(struct integers_frame *frame, const struct integers_in *in, int32_t k)
{
    if (!in)
        return INTEGERS_NULL_POINTER;
    if (in->t < 1)
        return INTEGERS_BAD_EXTENT;
    if ((double)in->t > 1099511627776.0)
        return INTEGERS_BAD_EXTENT;
    const int64_t in_t = in->t;
    frame->in_t = in_t;
    if (!(k >= 1 && k <= 100))
        return INTEGERS_BAD_PARAMETER;
    frame->k = k;
    if (!(4 <= (int32_t)in_t))
        return INTEGERS_CHECK_1;
    return INTEGERS_OK;
}

int integers_extents(const struct integers_in *in, int32_t k, struct integers_out *out)
{
    struct integers_frame all;
    const int status = integers_measure(&all, in, k);
    if (status != INTEGERS_OK)
        return status;
    const struct integers_frame *const frame = &all;
    const int64_t in_t = frame->in_t;
    if (!out)
        return INTEGERS_NULL_POINTER;
    out->t = (int32_t)in_t;
    out->stride_t = 1;
    return INTEGERS_OK;
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
static uint64_t integers_layout(struct integers_frame *frame, char *memory,
    const struct integers_in *in, const struct integers_out *out)
{
    uint64_t at = 0;
    const int64_t in_t = frame->in_t;
    frame->out_streams = flt_times(4, in_t) >= FLT_STREAM_BYTES;
    frame->in = in->data;
    if (in->stride_t != 1 && in->t > 1) { /* a packed copy */
        if (memory)
            frame->in = (int16_t *)(void *)(memory + at);
        at = flt_behind(at, flt_times(2, in_t));
    }
    frame->out = out->data;
    if (out->stride_t != 1 && out->t > 1) { /* a packed copy */
        if (memory)
            frame->out = (int32_t *)(void *)(memory + at);
        at = flt_behind(at, flt_times(4, in_t));
    }
    return at;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int integers_check(struct integers_frame *frame, const struct integers_in *in, int32_t k,
    const struct integers_out *out, int threads)
{
    struct integers_frame all;
    int status;
    if (!in || !in->data)
        return INTEGERS_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = integers_measure(&all, in, k);
    if (status != INTEGERS_OK)
        return status;
    *frame = all;
    const int64_t in_t = frame->in_t;
    if (!out || !out->data)
        return INTEGERS_NULL_POINTER;
    if (out->t != in_t)
        return INTEGERS_BAD_OUTPUT;
    if ((const void *)out->data == (const void *)in->data)
        return INTEGERS_OVERLAP;
    frame->threads = flt_threads(threads);
    frame->team = flt_team_of(frame->threads);
    frame->cpu = FLT_CPU;
    return INTEGERS_OK;
}

size_t integers_scratch_bytes(const struct integers_in *in, int32_t k,
    const struct integers_out *out, int threads)
{
    struct integers_frame all;
    if (integers_check(&all, in, k, out, threads) != INTEGERS_OK)
        return 0;
    {
        const uint64_t bytes = integers_layout(&all, NULL, in, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

int integers_run(const struct integers_in *in, int32_t k, const struct integers_out *out,
    void *scratch, size_t scratch_bytes, int threads)
{
    struct integers_frame all;
    const int status = integers_check(&all, in, k, out, threads);
    if (status != INTEGERS_OK)
        return status;
    {
        const uint64_t bytes = integers_layout(&all, NULL, in, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return INTEGERS_BAD_SCRATCH;
    }
    (void)integers_layout(&all, (char *)scratch, in, out);
    if (in->stride_t != 1 && in->t > 1) {
        int16_t *FLT_RESTRICT const packed = (int16_t *)(uintptr_t)all.in;
        for (int64_t i0 = 0; i0 < in->t; i0++)
            packed[i0] = in->data[i0 * in->stride_t];
    }
    integers_kernels(&all);
    if (out->stride_t != 1 && out->t > 1) {
        const int32_t *FLT_RESTRICT const packed = (const int32_t *)(uintptr_t)all.out;
        for (int64_t i0 = 0; i0 < out->t; i0++)
            out->data[i0 * out->stride_t] = packed[i0];
    }
    return INTEGERS_OK;
}

int integers(const struct integers_in *in, int32_t k, const struct integers_out *out, int threads)
{
    struct integers_frame all;
    int status = integers_check(&all, in, k, out, threads);
    char *block;
    uint64_t bytes;
    if (status != INTEGERS_OK)
        return status;
    bytes = integers_layout(&all, NULL, in, out);
    if (bytes > SIZE_MAX - 64)
        return INTEGERS_NO_MEMORY;
    block = (char *)malloc((size_t)bytes + 64);
    if (!block)
        return INTEGERS_NO_MEMORY;
    status = integers_run(in, k, out, block + (64 - (uintptr_t)block % 64), (size_t)bytes, threads);
    free(block);
    return status;
}

int integers_region_of_in(const struct integers_in *in, int32_t k, const int64_t *output_box,
    int64_t *input_box)
{
    struct integers_frame all;
    const int status = integers_measure(&all, in, k);
    if (status != INTEGERS_OK)
        return status;
    if (!output_box || !input_box)
        return INTEGERS_NULL_POINTER;
    const struct integers_frame *const frame = &all;
    const int64_t in_t = frame->in_t;
    input_box[0] = 0;
    input_box[1] = in_t;
    return INTEGERS_OK;
}
/* integers. Written by fltc. */
#ifndef INTEGERS_H
#define INTEGERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum integers_status {
    INTEGERS_OK = 0, /* done */
    INTEGERS_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    INTEGERS_BAD_EXTENT = 2, /* an extent is less than 1, or an image has more than 2^40 samples */
    INTEGERS_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    INTEGERS_BAD_PARAMETER = 4, /* a parameter is out of its range */
    INTEGERS_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    INTEGERS_OVERLAP = 6, /* an output is the same memory as an input */
    INTEGERS_NO_MEMORY = 7, /* there is not enough memory */
    INTEGERS_CHECK_1 = 8, /* at least 4 samples */
};

/* in: [t] of i16. Strides are in samples and may be negative. */
struct integers_in {
    const int16_t *data;
    int32_t t; /* extents */
    ptrdiff_t stride_t;
};

/* out: [t] of i32. Strides are in samples and may be negative. */
struct integers_out {
    int32_t *data;
    int32_t t; /* extents */
    ptrdiff_t stride_t;
};

/* The text of a status. It is static: do not free it. */
const char *integers_status_text(int status);

/* Sets the extents and packed strides of the output; data is left unchanged.
 * Returns a status. */
int integers_extents(const struct integers_in *in, int32_t k, struct integers_out *out);

/* Bytes of scratch memory that integers_run needs with these arguments; 0 if an argument is
 * wrong. threads: as for integers_run. */
size_t integers_scratch_bytes(const struct integers_in *in, int32_t k,
    const struct integers_out *out, int threads);

/* Computes the output; returns a status. Allocates nothing and keeps nothing between calls, which
 * may run at the same time.
 * scratch: integers_scratch_bytes(...) or more, aligned to 64 bytes.
 * threads: 0 or less for as many as OpenMP gives; of more than four for each processor no more
 * are started. The result does not depend on it.
 * Samples are written only if all arguments are right. Outputs must not share memory with
 * inputs; only equal addresses are detected.
 * k, 1 .. 100, default 3.
 */
int integers_run(const struct integers_in *in, int32_t k, const struct integers_out *out,
    void *scratch, size_t scratch_bytes, int threads);

/* The same, with scratch memory from malloc. */
int integers(const struct integers_in *in, int32_t k, const struct integers_out *out, int threads);

/* Computes which box of an input a box of the output depends on. A box holds two numbers per
 * axis, in the order of the axes: first, end (exclusive). */
int integers_region_of_in(const struct integers_in *in, int32_t k, const int64_t *output_box,
    int64_t *input_box);

/* 1 if fused multiply-adds run in hardware, 0 if the C library computes them (slowly). */
int integers_is_fast(void);

#ifdef __cplusplus
}
#endif

#endif
