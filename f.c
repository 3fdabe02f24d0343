/* f. Written by fltc; needs the C library alone: cc -O3 -fopenmp f.c -lm */
#include "f.h"

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

/* A row that is wanted soon; those of a tile do not follow one another in memory. */
static inline void flt_prefetch_row(const void *from, int64_t bytes)
{
#if defined(__GNUC__)
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)from + i);
#else
    (void)from;
    (void)bytes;
#endif
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

/* to[x * to_stride + y] = from[y * from_stride + x] */
#if defined(__clang__) || __GNUC__ >= 12
#define FLT_SHUFFLE __builtin_shufflevector
typedef int32_t flt_transpose_i32_8 __attribute__((vector_size(32), aligned(4), may_alias));
static inline void flt_transpose_i32_block(int32_t *to, ptrdiff_t to_stride, const int32_t *from,
    ptrdiff_t from_stride)
{
    flt_transpose_i32_8 r[8], t[8];
    for (int i = 0; i < 8; i++)
        r[i] = *(const flt_transpose_i32_8 *)(from + i * from_stride);
    for (int i = 0; i < 8; i += 2) {
        t[i] = FLT_SHUFFLE(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = FLT_SHUFFLE(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        r[i] = FLT_SHUFFLE(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 1] = FLT_SHUFFLE(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        r[i + 2] = FLT_SHUFFLE(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 3] = FLT_SHUFFLE(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; i++) {
        *(flt_transpose_i32_8 *)(to + i * to_stride) =
            FLT_SHUFFLE(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(flt_transpose_i32_8 *)(to + (i + 4) * to_stride) =
            FLT_SHUFFLE(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#endif
static inline void flt_transpose_i32_rest(int32_t *FLT_RESTRICT to, ptrdiff_t to_stride,
    const int32_t *FLT_RESTRICT from,
    ptrdiff_t from_stride, int rows, int columns)
{
#if defined(__clang__) || __GNUC__ >= 12
    const int high = rows / 8 * 8, wide = columns / 8 * 8;
    for (int y = 0; y < high; y += 8) {
        for (int x = 0; x < wide; x += 8)
            flt_transpose_i32_block(to + x * to_stride + y, to_stride, from + y * from_stride + x,
                from_stride);
        for (int x = wide; x < columns; x++)
            for (int i = y; i < y + 8; i++)
                to[x * to_stride + i] = from[i * from_stride + x];
    }
#else
    const int high = 0;
#endif
    for (int y = high; y < rows; y++)
        for (int x = 0; x < columns; x++)
            to[x * to_stride + y] = from[y * from_stride + x];
}
#if defined(__AVX512F__) && (defined(__clang__) || __GNUC__ >= 12)
/* 16 by 16, in whole lines of the cache. */
typedef int32_t flt_transpose_i32_16 __attribute__((vector_size(64), aligned(4), may_alias));
static inline __attribute__((always_inline)) void flt_transpose_i32_lines(int32_t *to,
    ptrdiff_t to_stride,
    const int32_t *from, ptrdiff_t from_stride)
{
    flt_transpose_i32_16 r[16], t[16];
    for (int i = 0; i < 16; i++)
        r[i] = *(const flt_transpose_i32_16 *)(from + i * from_stride);
    for (int i = 0; i < 16; i += 2) {
        t[i] = FLT_SHUFFLE(r[i], r[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28,
            13, 29);
        t[i + 1] = FLT_SHUFFLE(r[i], r[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27,
            14, 30, 15, 31);
    }
    for (int i = 0; i < 16; i += 4)
        for (int k = 0; k < 2; k++) {
            r[i + 2 * k] = FLT_SHUFFLE(t[i + k], t[i + k + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9,
                24, 25, 12, 13, 28, 29);
            r[i + 2 * k + 1] = FLT_SHUFFLE(t[i + k], t[i + k + 2], 2, 3, 18, 19, 6, 7, 22, 23,
                10, 11, 26, 27, 14, 15, 30, 31);
        }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 16; k += 8) {
            t[k + i] = FLT_SHUFFLE(r[k + i], r[k + i + 4], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10,
                11, 24, 25, 26, 27);
            t[k + i + 4] = FLT_SHUFFLE(r[k + i], r[k + i + 4], 4, 5, 6, 7, 20, 21, 22, 23, 12,
                13, 14, 15, 28, 29, 30, 31);
        }
    for (int i = 0; i < 8; i++) {
        *(flt_transpose_i32_16 *)(to + i * to_stride) =
            FLT_SHUFFLE(t[i], t[i + 8], 0, 1, 2, 3, 4, 5, 6, 7,
            16, 17, 18, 19, 20, 21, 22, 23);
        *(flt_transpose_i32_16 *)(to + (i + 8) * to_stride) =
            FLT_SHUFFLE(t[i], t[i + 8], 8, 9, 10, 11, 12,
            13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
}
#endif
static inline void flt_transpose_i32(int32_t *FLT_RESTRICT to, ptrdiff_t to_stride,
    const int32_t *FLT_RESTRICT from,
    ptrdiff_t from_stride, int rows, int columns)
{
    int high = 0, wide = 0;
#if defined(__AVX512F__) && (defined(__clang__) || __GNUC__ >= 12)
    high = rows / 16 * 16;
    wide = columns / 16 * 16;
    for (int y = 0; y < high; y += 16)
        for (int x = 0; x < wide; x += 16)
            flt_transpose_i32_lines(to + x * to_stride + y, to_stride, from + y * from_stride + x,
                from_stride);
    if (high == rows && wide == columns)
        return;
#endif
    flt_transpose_i32_rest(to + wide * to_stride, to_stride, from + wide, from_stride, high,
        columns - wide);
    flt_transpose_i32_rest(to + high, to_stride, from + high * from_stride, from_stride,
        rows - high,
        columns);
}

/* Memory for the tiles that a thread works on. */
#define FLT_TILE_BYTES 4352

/* Images of so many bytes do not stay in a cache: stores to them go past it. */
#ifndef FLT_STREAM_BYTES
#define FLT_STREAM_BYTES (UINT64_C(3) << 23)
#endif

/* The number of the thread among those of a launch. */
static int flt_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* What all kernels of one call share. Strides are in samples; the last axis has stride 1. */
struct f_frame {
    int threads, cpu;
    const uint8_t *a;
    ptrdiff_t a_stride_y;
    int64_t a_y;
    int64_t a_x;
    const int32_t *b;
    ptrdiff_t b_stride_y;
    int64_t b_y;
    int64_t b_x;
    const uint32_t *c;
    ptrdiff_t c_stride_y;
    int64_t c_y;
    int64_t c_x;
    int32_t *s3_tails;
    ptrdiff_t s3_tails_stride_y_blocks;
    ptrdiff_t s3_tails_stride_y;
    int s3_tails_streams; /* stores to it go past the caches */
    int32_t *s3_nothing;
    ptrdiff_t s3_nothing_stride_y_blocks;
    ptrdiff_t s3_nothing_stride_y;
    int s3_nothing_streams; /* stores to it go past the caches */
    int32_t *s3_ends;
    ptrdiff_t s3_ends_stride_y_blocks;
    ptrdiff_t s3_ends_stride_y;
    int32_t *s3_matrix;
    ptrdiff_t s3_matrix_stride_y_place;
    int32_t *s3_carry;
    ptrdiff_t s3_carry_stride_y_blocks;
    ptrdiff_t s3_carry_stride_y_place;
    uint16_t *s3_blocks_stored;
    ptrdiff_t s3_blocks_stored_stride_y_blocks;
    ptrdiff_t s3_blocks_stored_stride_y;
    int s3_blocks_stored_streams; /* stores to it go past the caches */
    uint16_t *s3_rest_stored;
    ptrdiff_t s3_rest_stored_stride_y;
    int s3_rest_stored_streams; /* stores to it go past the caches */
    uint16_t *s3;
    ptrdiff_t s3_stride_y;
    int32_t *o0_tails;
    ptrdiff_t o0_tails_stride_y_blocks;
    ptrdiff_t o0_tails_stride_y;
    int o0_tails_streams; /* stores to it go past the caches */
    int32_t *o0_nothing;
    ptrdiff_t o0_nothing_stride_y_blocks;
    ptrdiff_t o0_nothing_stride_y;
    int o0_nothing_streams; /* stores to it go past the caches */
    int32_t *o0_ends;
    ptrdiff_t o0_ends_stride_y_blocks;
    ptrdiff_t o0_ends_stride_y;
    int32_t *o0_matrix;
    ptrdiff_t o0_matrix_stride_y_place;
    int32_t *o0_carry;
    ptrdiff_t o0_carry_stride_y_blocks;
    ptrdiff_t o0_carry_stride_y_place;
    uint32_t *o0_blocks_stored;
    ptrdiff_t o0_blocks_stored_stride_y_blocks;
    ptrdiff_t o0_blocks_stored_stride_y;
    int o0_blocks_stored_streams; /* stores to it go past the caches */
    uint32_t *o0_rest_stored;
    ptrdiff_t o0_rest_stored_stride_y;
    int o0_rest_stored_streams; /* stores to it go past the caches */
    uint32_t *o0;
    ptrdiff_t o0_stride_y;
    char *tiles; /* FLT_TILE_BYTES for each thread */
    int64_t s3_tails_y_blocks;
    int64_t s3_ends_y_blocks;
    int64_t s3_rest_y;
    int64_t s3_rest_y_first;
    int64_t o0_tails_y_blocks;
    int64_t o0_ends_y_blocks;
    int64_t o0_rest_y;
    int64_t o0_rest_y_first;
    int64_t s3_tails_skew; /* samples behind the begin of a line of cache */
    int64_t s3_blocks_stored_skew; /* samples behind the begin of a line of cache */
    int64_t s3_rest_stored_skew; /* samples behind the begin of a line of cache */
    int64_t o0_tails_skew; /* samples behind the begin of a line of cache */
    int64_t o0_blocks_stored_skew; /* samples behind the begin of a line of cache */
    int64_t o0_rest_stored_skew; /* samples behind the begin of a line of cache */
};

/* s3.tails: ub.flt:3 */
FLT_INLINE void f_s3_tails_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint8_t *FLT_RESTRICT const a = frame->a;
    const ptrdiff_t a_stride_y = frame->a_stride_y;
    int32_t *FLT_RESTRICT const s3_tails = frame->s3_tails;
    const ptrdiff_t s3_tails_stride_y_blocks = frame->s3_tails_stride_y_blocks;
    const ptrdiff_t s3_tails_stride_y = frame->s3_tails_stride_y;
    const int64_t a_x = frame->a_x;
    const int64_t s3_tails_skew = frame->s3_tails_skew;
    const int64_t a_y = frame->a_y;
    const int64_t a_x_1 = (a_x + s3_tails_skew % 16 + 127) / 128;
    for (int64_t y_blocks = flt_first; y_blocks < flt_end; y_blocks++) {
        for (int64_t x_block = 0; x_block < a_x_1; x_block++) {
            const int64_t s3_tails_x_tile = flt_max_i64(128 * x_block - s3_tails_skew % 16, 0);
            const int64_t s3_tails_x_tile_end =
                flt_min_i64(128 * x_block - s3_tails_skew % 16 + 128, a_x);
            uint16_t *FLT_RESTRICT const s3_local = (uint16_t *)(void *)(flt_tiles + 0);
            const int64_t s3_tails_x_tile_end_1 = flt_min_i64(s3_tails_x_tile_end - s3_tails_x_tile,
                a_x - flt_min_i64(s3_tails_x_tile, a_x - 1));
            const int64_t s3_tails_x_tile_1 = flt_min_i64(s3_tails_x_tile, a_x - 1);
            for (int64_t y = 0; y < 1; y++) {
                flt_prefetch_row(&a[flt_max_i64(flt_min_i64(64 * y_blocks + (y + 8) - 64, a_y - 1),
                    0) * a_stride_y + s3_tails_x_tile_1], s3_tails_x_tile_end_1);
                const int64_t y_1 = 64 * y_blocks + y - 64;
                const int y_2 = 0 <= (y - 1) && (y - 1) <= 64;
                const int64_t y_3 = flt_min_i64(flt_max_i64(y - 1, 0), 64);
                FLT_SIMD
                for (int64_t x = s3_tails_x_tile; x < s3_tails_x_tile_end; x++)
                    s3_local[(y & 1) * 128
                        + x - s3_tails_x_tile] = (uint16_t)(a[y_1 * a_stride_y + x]
                        + (y_2 ? s3_local[(y_3 & 1) * 128 + x - s3_tails_x_tile] : 0));
                if (64 <= y) {
                    for (int64_t x_from = s3_tails_x_tile,
                        x_to; x_from < s3_tails_x_tile_end; x_from = x_to) {
                        x_to = flt_min_i64(x_from
                            + flt_stream_part(&s3_tails[(y_blocks - 1) * s3_tails_stride_y_blocks
                            + (y - 64) * s3_tails_stride_y + x_from], 4,
                            frame->s3_tails_streams), s3_tails_x_tile_end);
                        int32_t s3_tails_row_part[128];
                        int32_t *FLT_RESTRICT const s3_tails_row = frame->s3_tails_streams
                            ? s3_tails_row_part
                            : &s3_tails[(y_blocks - 1) * s3_tails_stride_y_blocks
                            + (y - 64) * s3_tails_stride_y + x_from];
                        FLT_SIMD
                        for (int64_t x = x_from; x < x_to; x++)
                            s3_tails_row[x
                                - x_from] = (int32_t)(uint32_t)s3_local[((y - 1) & 1) * 128
                                + x - s3_tails_x_tile];
                        if (frame->s3_tails_streams)
                            flt_stream_row(&s3_tails[(y_blocks - 1) * s3_tails_stride_y_blocks
                                + (y - 64) * s3_tails_stride_y + x_from], s3_tails_row,
                                4 * (x_to - x_from));
                    }
                }
            }
            for (int64_t y = 1; y < 65; y++) {
                flt_prefetch_row(&a[flt_max_i64(flt_min_i64(64 * y_blocks + (y + 8) - 64, a_y - 1),
                    0) * a_stride_y + s3_tails_x_tile_1], s3_tails_x_tile_end_1);
                const int64_t y_4 = 64 * y_blocks + y - 64;
                FLT_SIMD
                for (int64_t x = s3_tails_x_tile; x < s3_tails_x_tile_end; x++)
                    s3_local[(y & 1) * 128
                        + x - s3_tails_x_tile] = (uint16_t)(a[y_4 * a_stride_y + x]
                        + s3_local[((y - 1) & 1) * 128 + x - s3_tails_x_tile]);
                if (64 <= y) {
                    for (int64_t x_from = s3_tails_x_tile,
                        x_to; x_from < s3_tails_x_tile_end; x_from = x_to) {
                        x_to = flt_min_i64(x_from
                            + flt_stream_part(&s3_tails[(y_blocks - 1) * s3_tails_stride_y_blocks
                            + (y - 64) * s3_tails_stride_y + x_from], 4,
                            frame->s3_tails_streams), s3_tails_x_tile_end);
                        int32_t s3_tails_row_2_part[128];
                        int32_t *FLT_RESTRICT const s3_tails_row_2 = frame->s3_tails_streams
                            ? s3_tails_row_2_part
                            : &s3_tails[(y_blocks - 1) * s3_tails_stride_y_blocks
                            + (y - 64) * s3_tails_stride_y + x_from];
                        FLT_SIMD
                        for (int64_t x = x_from; x < x_to; x++)
                            s3_tails_row_2[x
                                - x_from] = (int32_t)(uint32_t)s3_local[((y - 1) & 1) * 128
                                + x - s3_tails_x_tile];
                        if (frame->s3_tails_streams)
                            flt_stream_row(&s3_tails[(y_blocks - 1) * s3_tails_stride_y_blocks
                                + (y - 64) * s3_tails_stride_y + x_from], s3_tails_row_2,
                                4 * (x_to - x_from));
                    }
                }
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_s3_tails, f_frame)

/* s3.nothing: ub.flt:3 */
FLT_INLINE void f_s3_nothing_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    int32_t *FLT_RESTRICT const s3_nothing = frame->s3_nothing;
    const ptrdiff_t s3_nothing_stride_y_blocks = frame->s3_nothing_stride_y_blocks;
    const ptrdiff_t s3_nothing_stride_y = frame->s3_nothing_stride_y;
    const int64_t a_x = frame->a_x;
    const int64_t y_count = 1;
    for (int64_t y_blocks = flt_first / y_count; y_blocks * y_count < flt_end; y_blocks++) {
        const int64_t y_from = flt_max_i64(flt_first - y_blocks * y_count, 0);
        const int64_t y_to = flt_min_i64(flt_end - y_blocks * y_count, y_count);
        for (int64_t y = 64 + y_from; y < 64 + y_to; y++) {
            for (int64_t x_from = 0, x_to; x_from < a_x; x_from = x_to) {
                x_to = flt_min_i64(x_from
                    + flt_stream_part(&s3_nothing[y_blocks * s3_nothing_stride_y_blocks
                    + (y - 64) * s3_nothing_stride_y + x_from], 4, frame->s3_nothing_streams), a_x);
                int32_t s3_nothing_row_part[128];
                int32_t *FLT_RESTRICT const s3_nothing_row = frame->s3_nothing_streams
                    ? s3_nothing_row_part
                    : &s3_nothing[y_blocks * s3_nothing_stride_y_blocks
                    + (y - 64) * s3_nothing_stride_y + x_from];
                FLT_SIMD
                for (int64_t x = x_from; x < x_to; x++)
                    s3_nothing_row[x - x_from] = 0;
                if (frame->s3_nothing_streams)
                    flt_stream_row(&s3_nothing[y_blocks * s3_nothing_stride_y_blocks
                        + (y - 64) * s3_nothing_stride_y + x_from], s3_nothing_row,
                        4 * (x_to - x_from));
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_s3_nothing, f_frame)

/* s3.matrix: ub.flt:3 */
FLT_INLINE void f_s3_matrix_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    int32_t *FLT_RESTRICT const s3_matrix = frame->s3_matrix;
    const ptrdiff_t s3_matrix_stride_y_place = frame->s3_matrix_stride_y_place;
    for (int64_t y_place_block = flt_first; y_place_block < flt_end; y_place_block++) {
        const int64_t s3_matrix_y_place_tile = 16 * y_place_block;
        const int64_t s3_matrix_y_place_tile_end = 1;
        int32_t *FLT_RESTRICT const s3_response = (int32_t *)(void *)(flt_tiles + 0);
        for (int64_t y_strip = 0; y_strip < 2; y_strip++) {
            const int64_t y_from = 64 * y_strip;
            const int64_t y_to = flt_min_i64(64 * y_strip + 64, 65);
            int32_t *FLT_RESTRICT const s3_matrix_result = (int32_t *)(void *)(flt_tiles + 192);
            for (int64_t y = y_from; y < flt_min_i64(flt_max_i64(1, y_from), y_to); y++) {
                const int y_1 = 0 <= (y - 1) && (y - 1) <= 64;
                const int64_t y_2 = flt_min_i64(flt_max_i64(y - 1, 0), 64);
                const int64_t y_3 = (s3_matrix_y_place_tile_end - 1) == y ? 1 : 0;
                FLT_SIMD
                for (int64_t y_place = s3_matrix_y_place_tile; y_place < 16; y_place++)
                    s3_response[(y & 1) * 16 + 0] =
                        y_1 ? s3_response[(y_2 & 1) * 16 + 0] : (int32_t)y_3;
                if (64 <= y) {
                    FLT_SIMD
                    for (int64_t y_place = s3_matrix_y_place_tile; y_place < 16; y_place++)
                        s3_matrix_result[(y - y_from) * 16 + 0] =
                            s3_response[((y - 1) & 1) * 16 + 0];
                }
            }
            {
                const int64_t value_1 = flt_min_i64(flt_max_i64(1, y_from), y_to);
                const int64_t value_2 = value_1;
                for (int64_t y = value_2; y < flt_max_i64(flt_min_i64(66, y_to), value_2); y++) {
                    FLT_SIMD
                    for (int64_t y_place = s3_matrix_y_place_tile; y_place < 16; y_place++)
                        s3_response[(y & 1) * 16 + 0] = s3_response[((y - 1) & 1) * 16 + 0];
                    if (64 <= y) {
                        FLT_SIMD
                        for (int64_t y_place = s3_matrix_y_place_tile; y_place < 16; y_place++)
                            s3_matrix_result[(y - y_from) * 16 + 0] =
                                s3_response[((y - 1) & 1) * 16 + 0];
                    }
                }
            }
            {
                const int64_t value_3 =
                    flt_max_i64(flt_min_i64(66, y_to), flt_min_i64(flt_max_i64(1, y_from), y_to));
                const int64_t value_4 = value_3;
                for (int64_t y = value_4; y < y_to; y++) {
                    const int y_4 = 0 <= (y - 1) && (y - 1) <= 64;
                    const int64_t y_5 = flt_min_i64(flt_max_i64(y - 1, 0), 64);
                    const int64_t y_6 = (s3_matrix_y_place_tile_end - 1) == y ? 1 : 0;
                    FLT_SIMD
                    for (int64_t y_place = s3_matrix_y_place_tile; y_place < 16; y_place++)
                        s3_response[(y & 1) * 16 + 0] =
                            y_4 ? s3_response[(y_5 & 1) * 16 + 0] : (int32_t)y_6;
                    if (64 <= y) {
                        FLT_SIMD
                        for (int64_t y_place = s3_matrix_y_place_tile; y_place < 16; y_place++)
                            s3_matrix_result[(y - y_from) * 16 + 0] =
                                s3_response[((y - 1) & 1) * 16 + 0];
                    }
                }
            }
            const int64_t y_to_1 = y_to - flt_max_i64(y_from, 64);
            if (y_to_1 > 0)
                flt_transpose_i32(&s3_matrix[s3_matrix_y_place_tile * s3_matrix_stride_y_place
                    + flt_max_i64(y_from, 64) - 64], s3_matrix_stride_y_place,
                    &s3_matrix_result[(flt_max_i64(y_from, 64) - y_from) * 16 + 0], 16,
                    (int)(y_to_1), (int)(s3_matrix_y_place_tile_end - s3_matrix_y_place_tile));
        }
    }
}
FLT_KERNEL(f_s3_matrix, f_frame)

/* s3.carry: ub.flt:3 */
FLT_INLINE void f_s3_carry_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    const int32_t *FLT_RESTRICT const s3_matrix = frame->s3_matrix;
    const ptrdiff_t s3_matrix_stride_y_place = frame->s3_matrix_stride_y_place;
    int32_t *FLT_RESTRICT const s3_carry = frame->s3_carry;
    const ptrdiff_t s3_carry_stride_y_blocks = frame->s3_carry_stride_y_blocks;
    const ptrdiff_t s3_carry_stride_y_place = frame->s3_carry_stride_y_place;
    const int32_t *FLT_RESTRICT const s3_ends = frame->s3_ends;
    const ptrdiff_t s3_ends_stride_y_blocks = frame->s3_ends_stride_y_blocks;
    const ptrdiff_t s3_ends_stride_y = frame->s3_ends_stride_y;
    const int64_t s3_ends_y_blocks = frame->s3_ends_y_blocks;
    for (int64_t x = flt_first; x < flt_end; x++) {
        for (int64_t y_blocks = 0; y_blocks < 1; y_blocks++) {
            const int y_blocks_1 = 0 <= ((int32_t)y_blocks - 1)
                && ((int32_t)y_blocks - 1) <= ((int32_t)s3_ends_y_blocks - 1);
            const int64_t y_blocks_2 =
                flt_min_i64(flt_max_i64(y_blocks - 1, 0), s3_ends_y_blocks - 1);
            FLT_SIMD
            for (int64_t y_place = 0; y_place < 1; y_place++)
                s3_carry[y_blocks * s3_carry_stride_y_blocks + y_place * s3_carry_stride_y_place
                    + x] = (int32_t)(uint32_t)((int64_t)s3_matrix[0 * s3_matrix_stride_y_place
                    + 0] * (y_blocks_1
                    ? (int64_t)s3_carry[y_blocks_2 * s3_carry_stride_y_blocks
                    + 0 * s3_carry_stride_y_place + x]
                    : 0)
                    + (int64_t)s3_ends[y_blocks * s3_ends_stride_y_blocks + 0 * s3_ends_stride_y
                    + x]);
        }
        for (int64_t y_blocks = 1; y_blocks < s3_ends_y_blocks; y_blocks++) {
            FLT_SIMD
            for (int64_t y_place = 0; y_place < 1; y_place++)
                s3_carry[y_blocks * s3_carry_stride_y_blocks + y_place * s3_carry_stride_y_place
                    + x] = (int32_t)(uint32_t)((int64_t)s3_matrix[0 * s3_matrix_stride_y_place
                    + 0] * (int64_t)s3_carry[(y_blocks - 1) * s3_carry_stride_y_blocks
                    + 0 * s3_carry_stride_y_place + x]
                    + (int64_t)s3_ends[y_blocks * s3_ends_stride_y_blocks + 0 * s3_ends_stride_y
                    + x]);
        }
    }
}
FLT_KERNEL(f_s3_carry, f_frame)

/* s3.blocks.stored: ub.flt:3 */
FLT_INLINE void f_s3_blocks_stored_body(const struct f_frame *frame, int64_t flt_first,
    int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint8_t *FLT_RESTRICT const a = frame->a;
    const ptrdiff_t a_stride_y = frame->a_stride_y;
    const int32_t *FLT_RESTRICT const s3_carry = frame->s3_carry;
    const ptrdiff_t s3_carry_stride_y_blocks = frame->s3_carry_stride_y_blocks;
    const ptrdiff_t s3_carry_stride_y_place = frame->s3_carry_stride_y_place;
    uint16_t *FLT_RESTRICT const s3_blocks_stored = frame->s3_blocks_stored;
    const ptrdiff_t s3_blocks_stored_stride_y_blocks = frame->s3_blocks_stored_stride_y_blocks;
    const ptrdiff_t s3_blocks_stored_stride_y = frame->s3_blocks_stored_stride_y;
    const int64_t a_x = frame->a_x;
    const int64_t s3_blocks_stored_skew = frame->s3_blocks_stored_skew;
    const int64_t s3_ends_y_blocks = frame->s3_ends_y_blocks;
    const int64_t a_y = frame->a_y;
    const int64_t a_x_1 = (a_x + s3_blocks_stored_skew % 32 + 127) / 128;
    for (int64_t y_blocks = flt_first; y_blocks < flt_end; y_blocks++) {
        const int64_t y_blocks_1 = flt_min_i64(y_blocks, s3_ends_y_blocks - 1);
        for (int64_t x_block = 0; x_block < a_x_1; x_block++) {
            const int64_t s3_blocks_stored_x_tile =
                flt_max_i64(128 * x_block - s3_blocks_stored_skew % 32, 0);
            const int64_t s3_blocks_stored_x_tile_end =
                flt_min_i64(128 * x_block - s3_blocks_stored_skew % 32 + 128, a_x);
            uint16_t *FLT_RESTRICT const s3_blocks = (uint16_t *)(void *)(flt_tiles + 0);
            const int64_t s3_blocks_stored_x_tile_end_1 = flt_min_i64(s3_blocks_stored_x_tile_end
                - s3_blocks_stored_x_tile, a_x - flt_min_i64(s3_blocks_stored_x_tile, a_x - 1));
            const int64_t s3_blocks_stored_x_tile_1 = flt_min_i64(s3_blocks_stored_x_tile, a_x - 1);
            for (int64_t y = 0; y < 1; y++) {
                flt_prefetch_row(&a[flt_min_i64(64 * y_blocks + (y + 8), a_y - 1) * a_stride_y
                    + s3_blocks_stored_x_tile_1], s3_blocks_stored_x_tile_end_1);
                flt_prefetch_row(&s3_carry[y_blocks_1 * s3_carry_stride_y_blocks
                    + 0 * s3_carry_stride_y_place + s3_blocks_stored_x_tile_1],
                    4 * s3_blocks_stored_x_tile_end_1);
                const int64_t y_1 = 64 * y_blocks + y;
                const int y_2 = 0 <= (y - 1) && (y - 1) <= 63;
                const int64_t y_3 = flt_min_i64(flt_max_i64(y - 1, 0), 63);
                FLT_SIMD
                for (int64_t x = s3_blocks_stored_x_tile; x < s3_blocks_stored_x_tile_end; x++)
                    s3_blocks[(y & 1) * 128
                        + x - s3_blocks_stored_x_tile] = (uint16_t)(a[y_1 * a_stride_y + x]
                        + (y_2
                        ? s3_blocks[(y_3 & 1) * 128 + x - s3_blocks_stored_x_tile]
                        : ((int32_t)y_blocks == 0
                        ? 0
                        : (uint16_t)s3_carry[y_blocks * s3_carry_stride_y_blocks
                        + 0 * s3_carry_stride_y_place + x])));
                for (int64_t x_from = s3_blocks_stored_x_tile,
                    x_to; x_from < s3_blocks_stored_x_tile_end; x_from = x_to) {
                    x_to = flt_min_i64(x_from
                        + flt_stream_part(&s3_blocks_stored[y_blocks * s3_blocks_stored_stride_y_blocks + y * s3_blocks_stored_stride_y + x_from], 2, frame->s3_blocks_stored_streams), s3_blocks_stored_x_tile_end);
                    uint16_t s3_blocks_stored_row_part[256];
                    uint16_t *FLT_RESTRICT const s3_blocks_stored_row = frame->s3_blocks_stored_streams ? s3_blocks_stored_row_part : &s3_blocks_stored[y_blocks * s3_blocks_stored_stride_y_blocks + y * s3_blocks_stored_stride_y + x_from];
                    FLT_SIMD
                    for (int64_t x = x_from; x < x_to; x++)
                        s3_blocks_stored_row[x - x_from] =
                            s3_blocks[(y & 1) * 128 + x - s3_blocks_stored_x_tile];
                    if (frame->s3_blocks_stored_streams)
                        flt_stream_row(&s3_blocks_stored[y_blocks * s3_blocks_stored_stride_y_blocks + y * s3_blocks_stored_stride_y + x_from], s3_blocks_stored_row, 2 * (x_to - x_from));
                }
            }
            for (int64_t y = 1; y < 64; y++) {
                flt_prefetch_row(&a[flt_min_i64(64 * y_blocks + (y + 8), a_y - 1) * a_stride_y
                    + s3_blocks_stored_x_tile_1], s3_blocks_stored_x_tile_end_1);
                flt_prefetch_row(&s3_carry[y_blocks_1 * s3_carry_stride_y_blocks
                    + 0 * s3_carry_stride_y_place + s3_blocks_stored_x_tile_1],
                    4 * s3_blocks_stored_x_tile_end_1);
                const int64_t y_4 = 64 * y_blocks + y;
                FLT_SIMD
                for (int64_t x = s3_blocks_stored_x_tile; x < s3_blocks_stored_x_tile_end; x++)
                    s3_blocks[(y & 1) * 128
                        + x - s3_blocks_stored_x_tile] = (uint16_t)(a[y_4 * a_stride_y + x]
                        + s3_blocks[((y - 1) & 1) * 128 + x - s3_blocks_stored_x_tile]);
                for (int64_t x_from = s3_blocks_stored_x_tile,
                    x_to; x_from < s3_blocks_stored_x_tile_end; x_from = x_to) {
                    x_to = flt_min_i64(x_from
                        + flt_stream_part(&s3_blocks_stored[y_blocks * s3_blocks_stored_stride_y_blocks + y * s3_blocks_stored_stride_y + x_from], 2, frame->s3_blocks_stored_streams), s3_blocks_stored_x_tile_end);
                    uint16_t s3_blocks_stored_row_2_part[256];
                    uint16_t *FLT_RESTRICT const s3_blocks_stored_row_2 = frame->s3_blocks_stored_streams ? s3_blocks_stored_row_2_part : &s3_blocks_stored[y_blocks * s3_blocks_stored_stride_y_blocks + y * s3_blocks_stored_stride_y + x_from];
                    FLT_SIMD
                    for (int64_t x = x_from; x < x_to; x++)
                        s3_blocks_stored_row_2[x - x_from] =
                            s3_blocks[(y & 1) * 128 + x - s3_blocks_stored_x_tile];
                    if (frame->s3_blocks_stored_streams)
                        flt_stream_row(&s3_blocks_stored[y_blocks * s3_blocks_stored_stride_y_blocks + y * s3_blocks_stored_stride_y + x_from], s3_blocks_stored_row_2, 2 * (x_to - x_from));
                }
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_s3_blocks_stored, f_frame)

/* s3.rest.stored: ub.flt:3 */
FLT_INLINE void f_s3_rest_stored_body(const struct f_frame *frame, int64_t flt_first,
    int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint8_t *FLT_RESTRICT const a = frame->a;
    const ptrdiff_t a_stride_y = frame->a_stride_y;
    const int32_t *FLT_RESTRICT const s3_carry = frame->s3_carry;
    const ptrdiff_t s3_carry_stride_y_blocks = frame->s3_carry_stride_y_blocks;
    const ptrdiff_t s3_carry_stride_y_place = frame->s3_carry_stride_y_place;
    uint16_t *FLT_RESTRICT const s3_rest_stored = frame->s3_rest_stored;
    const ptrdiff_t s3_rest_stored_stride_y = frame->s3_rest_stored_stride_y;
    const int64_t s3_rest_y_first = frame->s3_rest_y_first;
    const int64_t s3_rest_y = frame->s3_rest_y;
    const int64_t o0_ends_y_blocks = frame->o0_ends_y_blocks;
    const int64_t a_x = frame->a_x;
    const int64_t s3_ends_y_blocks = frame->s3_ends_y_blocks;
    const int64_t o0_tails_y_blocks = frame->o0_tails_y_blocks;
    const int64_t s3_rest_stored_skew = frame->s3_rest_stored_skew;
    const int64_t a_y = frame->a_y;
    const int64_t s3_rest_y_first_1 =
        flt_min_i64(s3_rest_y_first + 1, s3_rest_y + s3_rest_y_first) - s3_rest_y_first;
    const int64_t o0_ends_y_blocks_1 = flt_min_i64(flt_min_i64(o0_ends_y_blocks,
        (flt_min_i32((int32_t)a_x, 9) < 9 ? 2147483647 : 0) + 1) - 1, s3_ends_y_blocks - 1);
    const int64_t s3_rest_y_1 = s3_rest_y + s3_rest_y_first - 1;
    const int o0_tails_y_blocks_1 = flt_min_i32((int32_t)o0_tails_y_blocks,
        flt_min_i32((int32_t)a_x, 9) < 9 ? 2147483647 : 0) == 0;
    const int64_t o0_tails_y_blocks_2 =
        flt_min_i64(o0_tails_y_blocks, flt_min_i32((int32_t)a_x, 9) < 9 ? 2147483647 : 0);
    const int64_t s3_rest_y_first_2 = flt_min_i64(s3_rest_y_first + 1, s3_rest_y + s3_rest_y_first);
    const int64_t s3_rest_y_2 = s3_rest_y
        + s3_rest_y_first - flt_min_i64(s3_rest_y_first + 1, s3_rest_y + s3_rest_y_first);
    for (int64_t x_block = flt_first; x_block < flt_end; x_block++) {
        const int64_t s3_rest_stored_x_tile =
            flt_max_i64(128 * x_block - s3_rest_stored_skew % 32, 0);
        const int64_t s3_rest_stored_x_tile_end =
            flt_min_i64(128 * x_block - s3_rest_stored_skew % 32 + 128, a_x);
        uint16_t *FLT_RESTRICT const s3_rest = (uint16_t *)(void *)(flt_tiles + 0);
        const int64_t s3_rest_stored_x_tile_end_1 = flt_min_i64(s3_rest_stored_x_tile_end
            - s3_rest_stored_x_tile, a_x - flt_min_i64(s3_rest_stored_x_tile, a_x - 1));
        const int64_t s3_rest_stored_x_tile_1 = flt_min_i64(s3_rest_stored_x_tile, a_x - 1);
        for (int64_t y = s3_rest_y_first; y < s3_rest_y_first + s3_rest_y_first_1; y++) {
            flt_prefetch_row(&a[flt_min_i64(y + 8, a_y - 1) * a_stride_y + s3_rest_stored_x_tile_1],
                s3_rest_stored_x_tile_end_1);
            flt_prefetch_row(&s3_carry[o0_ends_y_blocks_1 * s3_carry_stride_y_blocks
                + 0 * s3_carry_stride_y_place + s3_rest_stored_x_tile_1],
                4 * s3_rest_stored_x_tile_end_1);
            const int y_1 = (int32_t)s3_rest_y_first <= ((int32_t)y - 1) && (y - 1) <= s3_rest_y_1;
            const int64_t y_2 = flt_min_i64(flt_max_i64(y - 1, s3_rest_y_first), s3_rest_y_1);
            FLT_SIMD
            for (int64_t x = s3_rest_stored_x_tile; x < s3_rest_stored_x_tile_end; x++)
                s3_rest[((y - s3_rest_y_first) & 1) * 128
                    + x - s3_rest_stored_x_tile] = (uint16_t)(a[y * a_stride_y + x]
                    + (y_1
                    ? s3_rest[((y_2 - s3_rest_y_first) & 1) * 128 + x - s3_rest_stored_x_tile]
                    : (o0_tails_y_blocks_1
                    ? 0
                    : (uint16_t)s3_carry[o0_tails_y_blocks_2 * s3_carry_stride_y_blocks
                    + 0 * s3_carry_stride_y_place + x])));
            for (int64_t x_from = s3_rest_stored_x_tile,
                x_to; x_from < s3_rest_stored_x_tile_end; x_from = x_to) {
                x_to = flt_min_i64(x_from
                    + flt_stream_part(&s3_rest_stored[(y
                    - s3_rest_y_first) * s3_rest_stored_stride_y
                    + x_from], 2, frame->s3_rest_stored_streams), s3_rest_stored_x_tile_end);
                uint16_t s3_rest_stored_row_part[256];
                uint16_t *FLT_RESTRICT const s3_rest_stored_row = frame->s3_rest_stored_streams
                    ? s3_rest_stored_row_part
                    : &s3_rest_stored[(y - s3_rest_y_first) * s3_rest_stored_stride_y + x_from];
                FLT_SIMD
                for (int64_t x = x_from; x < x_to; x++)
                    s3_rest_stored_row[x - x_from] =
                        s3_rest[((y - s3_rest_y_first) & 1) * 128 + x - s3_rest_stored_x_tile];
                if (frame->s3_rest_stored_streams)
                    flt_stream_row(&s3_rest_stored[(y - s3_rest_y_first) * s3_rest_stored_stride_y
                        + x_from], s3_rest_stored_row, 2 * (x_to - x_from));
            }
        }
        for (int64_t y = s3_rest_y_first_2; y < s3_rest_y_first_2 + s3_rest_y_2; y++) {
            flt_prefetch_row(&a[flt_min_i64(y + 8, a_y - 1) * a_stride_y + s3_rest_stored_x_tile_1],
                s3_rest_stored_x_tile_end_1);
            flt_prefetch_row(&s3_carry[o0_ends_y_blocks_1 * s3_carry_stride_y_blocks
                + 0 * s3_carry_stride_y_place + s3_rest_stored_x_tile_1],
                4 * s3_rest_stored_x_tile_end_1);
            FLT_SIMD
            for (int64_t x = s3_rest_stored_x_tile; x < s3_rest_stored_x_tile_end; x++)
                s3_rest[((y - s3_rest_y_first) & 1) * 128
                    + x - s3_rest_stored_x_tile] = (uint16_t)(a[y * a_stride_y + x]
                    + s3_rest[((y - s3_rest_y_first - 1) & 1) * 128 + x - s3_rest_stored_x_tile]);
            for (int64_t x_from = s3_rest_stored_x_tile,
                x_to; x_from < s3_rest_stored_x_tile_end; x_from = x_to) {
                x_to = flt_min_i64(x_from
                    + flt_stream_part(&s3_rest_stored[(y
                    - s3_rest_y_first) * s3_rest_stored_stride_y
                    + x_from], 2, frame->s3_rest_stored_streams), s3_rest_stored_x_tile_end);
                uint16_t s3_rest_stored_row_2_part[256];
                uint16_t *FLT_RESTRICT const s3_rest_stored_row_2 = frame->s3_rest_stored_streams
                    ? s3_rest_stored_row_2_part
                    : &s3_rest_stored[(y - s3_rest_y_first) * s3_rest_stored_stride_y + x_from];
                FLT_SIMD
                for (int64_t x = x_from; x < x_to; x++)
                    s3_rest_stored_row_2[x - x_from] =
                        s3_rest[((y - s3_rest_y_first) & 1) * 128 + x - s3_rest_stored_x_tile];
                if (frame->s3_rest_stored_streams)
                    flt_stream_row(&s3_rest_stored[(y - s3_rest_y_first) * s3_rest_stored_stride_y
                        + x_from], s3_rest_stored_row_2, 2 * (x_to - x_from));
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_s3_rest_stored, f_frame)

/* o0.tails: ub.flt:4 */
FLT_INLINE void f_o0_tails_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint16_t *FLT_RESTRICT const s3 = frame->s3;
    const ptrdiff_t s3_stride_y = frame->s3_stride_y;
    int32_t *FLT_RESTRICT const o0_tails = frame->o0_tails;
    const ptrdiff_t o0_tails_stride_y_blocks = frame->o0_tails_stride_y_blocks;
    const ptrdiff_t o0_tails_stride_y = frame->o0_tails_stride_y;
    const int64_t a_x = frame->a_x;
    const int64_t o0_tails_skew = frame->o0_tails_skew;
    const int64_t a_y = frame->a_y;
    const int64_t a_x_1 = (a_x + o0_tails_skew % 16 + 127) / 128;
    for (int64_t y_blocks = flt_first; y_blocks < flt_end; y_blocks++) {
        for (int64_t x_block = 0; x_block < a_x_1; x_block++) {
            const int64_t o0_tails_x_tile = flt_max_i64(128 * x_block - o0_tails_skew % 16, 0);
            const int64_t o0_tails_x_tile_end =
                flt_min_i64(128 * x_block - o0_tails_skew % 16 + 128, a_x);
            uint32_t *FLT_RESTRICT const o0_local = (uint32_t *)(void *)(flt_tiles + 0);
            const int64_t o0_tails_x_tile_end_1 = flt_min_i64(o0_tails_x_tile_end - o0_tails_x_tile,
                a_x - flt_min_i64(o0_tails_x_tile, a_x - 1));
            const int64_t o0_tails_x_tile_1 = flt_min_i64(o0_tails_x_tile, a_x - 1);
            for (int64_t y = 0; y < 1; y++) {
                flt_prefetch_row(&s3[flt_max_i64(flt_min_i64(64 * y_blocks + (y + 8) - 64, a_y - 1),
                    0) * s3_stride_y + o0_tails_x_tile_1], 2 * o0_tails_x_tile_end_1);
                const int64_t y_1 = 64 * y_blocks + y - 64;
                const int y_2 = 0 <= (y - 1) && (y - 1) <= 64;
                const int64_t y_3 = flt_min_i64(flt_max_i64(y - 1, 0), 64);
                FLT_SIMD
                for (int64_t x = o0_tails_x_tile; x < o0_tails_x_tile_end; x++)
                    o0_local[(y & 1) * 128
                        + x - o0_tails_x_tile] = (uint32_t)((int64_t)s3[y_1 * s3_stride_y + x]
                        + (y_2 ? (int64_t)o0_local[(y_3 & 1) * 128 + x - o0_tails_x_tile] : 0));
                if (64 <= y) {
                    for (int64_t x_from = o0_tails_x_tile,
                        x_to; x_from < o0_tails_x_tile_end; x_from = x_to) {
                        x_to = flt_min_i64(x_from
                            + flt_stream_part(&o0_tails[(y_blocks - 1) * o0_tails_stride_y_blocks
                            + (y - 64) * o0_tails_stride_y + x_from], 4,
                            frame->o0_tails_streams), o0_tails_x_tile_end);
                        int32_t o0_tails_row_part[128];
                        int32_t *FLT_RESTRICT const o0_tails_row = frame->o0_tails_streams
                            ? o0_tails_row_part
                            : &o0_tails[(y_blocks - 1) * o0_tails_stride_y_blocks
                            + (y - 64) * o0_tails_stride_y + x_from];
                        FLT_SIMD
                        for (int64_t x = x_from; x < x_to; x++)
                            o0_tails_row[x
                                - x_from] = (int32_t)(uint32_t)(int64_t)o0_local[((y
                                - 1) & 1) * 128 + x - o0_tails_x_tile];
                        if (frame->o0_tails_streams)
                            flt_stream_row(&o0_tails[(y_blocks - 1) * o0_tails_stride_y_blocks
                                + (y - 64) * o0_tails_stride_y + x_from], o0_tails_row,
                                4 * (x_to - x_from));
                    }
                }
            }
            for (int64_t y = 1; y < 65; y++) {
                flt_prefetch_row(&s3[flt_max_i64(flt_min_i64(64 * y_blocks + (y + 8) - 64, a_y - 1),
                    0) * s3_stride_y + o0_tails_x_tile_1], 2 * o0_tails_x_tile_end_1);
                const int64_t y_4 = 64 * y_blocks + y - 64;
                FLT_SIMD
                for (int64_t x = o0_tails_x_tile; x < o0_tails_x_tile_end; x++)
                    o0_local[(y & 1) * 128
                        + x - o0_tails_x_tile] = (uint32_t)((int64_t)s3[y_4 * s3_stride_y + x]
                        + (int64_t)o0_local[((y - 1) & 1) * 128 + x - o0_tails_x_tile]);
                if (64 <= y) {
                    for (int64_t x_from = o0_tails_x_tile,
                        x_to; x_from < o0_tails_x_tile_end; x_from = x_to) {
                        x_to = flt_min_i64(x_from
                            + flt_stream_part(&o0_tails[(y_blocks - 1) * o0_tails_stride_y_blocks
                            + (y - 64) * o0_tails_stride_y + x_from], 4,
                            frame->o0_tails_streams), o0_tails_x_tile_end);
                        int32_t o0_tails_row_2_part[128];
                        int32_t *FLT_RESTRICT const o0_tails_row_2 = frame->o0_tails_streams
                            ? o0_tails_row_2_part
                            : &o0_tails[(y_blocks - 1) * o0_tails_stride_y_blocks
                            + (y - 64) * o0_tails_stride_y + x_from];
                        FLT_SIMD
                        for (int64_t x = x_from; x < x_to; x++)
                            o0_tails_row_2[x
                                - x_from] = (int32_t)(uint32_t)(int64_t)o0_local[((y
                                - 1) & 1) * 128 + x - o0_tails_x_tile];
                        if (frame->o0_tails_streams)
                            flt_stream_row(&o0_tails[(y_blocks - 1) * o0_tails_stride_y_blocks
                                + (y - 64) * o0_tails_stride_y + x_from], o0_tails_row_2,
                                4 * (x_to - x_from));
                    }
                }
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_o0_tails, f_frame)

/* o0.nothing: ub.flt:4 */
FLT_INLINE void f_o0_nothing_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    int32_t *FLT_RESTRICT const o0_nothing = frame->o0_nothing;
    const ptrdiff_t o0_nothing_stride_y_blocks = frame->o0_nothing_stride_y_blocks;
    const ptrdiff_t o0_nothing_stride_y = frame->o0_nothing_stride_y;
    const int64_t a_x = frame->a_x;
    const int64_t y_count = 1;
    for (int64_t y_blocks = flt_first / y_count; y_blocks * y_count < flt_end; y_blocks++) {
        const int64_t y_from = flt_max_i64(flt_first - y_blocks * y_count, 0);
        const int64_t y_to = flt_min_i64(flt_end - y_blocks * y_count, y_count);
        for (int64_t y = 64 + y_from; y < 64 + y_to; y++) {
            for (int64_t x_from = 0, x_to; x_from < a_x; x_from = x_to) {
                x_to = flt_min_i64(x_from
                    + flt_stream_part(&o0_nothing[y_blocks * o0_nothing_stride_y_blocks
                    + (y - 64) * o0_nothing_stride_y + x_from], 4, frame->o0_nothing_streams), a_x);
                int32_t o0_nothing_row_part[128];
                int32_t *FLT_RESTRICT const o0_nothing_row = frame->o0_nothing_streams
                    ? o0_nothing_row_part
                    : &o0_nothing[y_blocks * o0_nothing_stride_y_blocks
                    + (y - 64) * o0_nothing_stride_y + x_from];
                FLT_SIMD
                for (int64_t x = x_from; x < x_to; x++)
                    o0_nothing_row[x - x_from] = 0;
                if (frame->o0_nothing_streams)
                    flt_stream_row(&o0_nothing[y_blocks * o0_nothing_stride_y_blocks
                        + (y - 64) * o0_nothing_stride_y + x_from], o0_nothing_row,
                        4 * (x_to - x_from));
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_o0_nothing, f_frame)

/* o0.matrix: ub.flt:4 */
FLT_INLINE void f_o0_matrix_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    int32_t *FLT_RESTRICT const o0_matrix = frame->o0_matrix;
    const ptrdiff_t o0_matrix_stride_y_place = frame->o0_matrix_stride_y_place;
    for (int64_t y_place_block = flt_first; y_place_block < flt_end; y_place_block++) {
        const int64_t o0_matrix_y_place_tile = 16 * y_place_block;
        const int64_t o0_matrix_y_place_tile_end = 1;
        int32_t *FLT_RESTRICT const o0_response = (int32_t *)(void *)(flt_tiles + 0);
        for (int64_t y_strip = 0; y_strip < 2; y_strip++) {
            const int64_t y_from = 64 * y_strip;
            const int64_t y_to = flt_min_i64(64 * y_strip + 64, 65);
            int32_t *FLT_RESTRICT const o0_matrix_result = (int32_t *)(void *)(flt_tiles + 192);
            for (int64_t y = y_from; y < flt_min_i64(flt_max_i64(1, y_from), y_to); y++) {
                const int y_1 = 0 <= (y - 1) && (y - 1) <= 64;
                const int64_t y_2 = flt_min_i64(flt_max_i64(y - 1, 0), 64);
                const int64_t y_3 = (o0_matrix_y_place_tile_end - 1) == y ? 1 : 0;
                FLT_SIMD
                for (int64_t y_place = o0_matrix_y_place_tile; y_place < 16; y_place++)
                    o0_response[(y & 1) * 16 + 0] =
                        y_1 ? o0_response[(y_2 & 1) * 16 + 0] : (int32_t)y_3;
                if (64 <= y) {
                    FLT_SIMD
                    for (int64_t y_place = o0_matrix_y_place_tile; y_place < 16; y_place++)
                        o0_matrix_result[(y - y_from) * 16 + 0] =
                            o0_response[((y - 1) & 1) * 16 + 0];
                }
            }
            {
                const int64_t value_1 = flt_min_i64(flt_max_i64(1, y_from), y_to);
                const int64_t value_2 = value_1;
                for (int64_t y = value_2; y < flt_max_i64(flt_min_i64(66, y_to), value_2); y++) {
                    FLT_SIMD
                    for (int64_t y_place = o0_matrix_y_place_tile; y_place < 16; y_place++)
                        o0_response[(y & 1) * 16 + 0] = o0_response[((y - 1) & 1) * 16 + 0];
                    if (64 <= y) {
                        FLT_SIMD
                        for (int64_t y_place = o0_matrix_y_place_tile; y_place < 16; y_place++)
                            o0_matrix_result[(y - y_from) * 16 + 0] =
                                o0_response[((y - 1) & 1) * 16 + 0];
                    }
                }
            }
            {
                const int64_t value_3 =
                    flt_max_i64(flt_min_i64(66, y_to), flt_min_i64(flt_max_i64(1, y_from), y_to));
                const int64_t value_4 = value_3;
                for (int64_t y = value_4; y < y_to; y++) {
                    const int y_4 = 0 <= (y - 1) && (y - 1) <= 64;
                    const int64_t y_5 = flt_min_i64(flt_max_i64(y - 1, 0), 64);
                    const int64_t y_6 = (o0_matrix_y_place_tile_end - 1) == y ? 1 : 0;
                    FLT_SIMD
                    for (int64_t y_place = o0_matrix_y_place_tile; y_place < 16; y_place++)
                        o0_response[(y & 1) * 16 + 0] =
                            y_4 ? o0_response[(y_5 & 1) * 16 + 0] : (int32_t)y_6;
                    if (64 <= y) {
                        FLT_SIMD
                        for (int64_t y_place = o0_matrix_y_place_tile; y_place < 16; y_place++)
                            o0_matrix_result[(y - y_from) * 16 + 0] =
                                o0_response[((y - 1) & 1) * 16 + 0];
                    }
                }
            }
            const int64_t y_to_1 = y_to - flt_max_i64(y_from, 64);
            if (y_to_1 > 0)
                flt_transpose_i32(&o0_matrix[o0_matrix_y_place_tile * o0_matrix_stride_y_place
                    + flt_max_i64(y_from, 64) - 64], o0_matrix_stride_y_place,
                    &o0_matrix_result[(flt_max_i64(y_from, 64) - y_from) * 16 + 0], 16,
                    (int)(y_to_1), (int)(o0_matrix_y_place_tile_end - o0_matrix_y_place_tile));
        }
    }
}
FLT_KERNEL(f_o0_matrix, f_frame)

/* o0.carry: ub.flt:4 */
FLT_INLINE void f_o0_carry_body(const struct f_frame *frame, int64_t flt_first, int64_t flt_end)
{
    const int32_t *FLT_RESTRICT const o0_matrix = frame->o0_matrix;
    const ptrdiff_t o0_matrix_stride_y_place = frame->o0_matrix_stride_y_place;
    int32_t *FLT_RESTRICT const o0_carry = frame->o0_carry;
    const ptrdiff_t o0_carry_stride_y_blocks = frame->o0_carry_stride_y_blocks;
    const ptrdiff_t o0_carry_stride_y_place = frame->o0_carry_stride_y_place;
    const int32_t *FLT_RESTRICT const o0_ends = frame->o0_ends;
    const ptrdiff_t o0_ends_stride_y_blocks = frame->o0_ends_stride_y_blocks;
    const ptrdiff_t o0_ends_stride_y = frame->o0_ends_stride_y;
    const int64_t o0_ends_y_blocks = frame->o0_ends_y_blocks;
    for (int64_t x = flt_first; x < flt_end; x++) {
        for (int64_t y_blocks = 0; y_blocks < 1; y_blocks++) {
            const int y_blocks_1 = 0 <= ((int32_t)y_blocks - 1)
                && ((int32_t)y_blocks - 1) <= ((int32_t)o0_ends_y_blocks - 1);
            const int64_t y_blocks_2 =
                flt_min_i64(flt_max_i64(y_blocks - 1, 0), o0_ends_y_blocks - 1);
            FLT_SIMD
            for (int64_t y_place = 0; y_place < 1; y_place++)
                o0_carry[y_blocks * o0_carry_stride_y_blocks + y_place * o0_carry_stride_y_place
                    + x] = (int32_t)(uint32_t)((int64_t)o0_matrix[0 * o0_matrix_stride_y_place
                    + 0] * (y_blocks_1
                    ? (int64_t)o0_carry[y_blocks_2 * o0_carry_stride_y_blocks
                    + 0 * o0_carry_stride_y_place + x]
                    : 0)
                    + (int64_t)o0_ends[y_blocks * o0_ends_stride_y_blocks + 0 * o0_ends_stride_y
                    + x]);
        }
        for (int64_t y_blocks = 1; y_blocks < o0_ends_y_blocks; y_blocks++) {
            FLT_SIMD
            for (int64_t y_place = 0; y_place < 1; y_place++)
                o0_carry[y_blocks * o0_carry_stride_y_blocks + y_place * o0_carry_stride_y_place
                    + x] = (int32_t)(uint32_t)((int64_t)o0_matrix[0 * o0_matrix_stride_y_place
                    + 0] * (int64_t)o0_carry[(y_blocks - 1) * o0_carry_stride_y_blocks
                    + 0 * o0_carry_stride_y_place + x]
                    + (int64_t)o0_ends[y_blocks * o0_ends_stride_y_blocks + 0 * o0_ends_stride_y
                    + x]);
        }
    }
}
FLT_KERNEL(f_o0_carry, f_frame)

/* o0.blocks.stored: ub.flt:4 */
FLT_INLINE void f_o0_blocks_stored_body(const struct f_frame *frame, int64_t flt_first,
    int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint16_t *FLT_RESTRICT const s3 = frame->s3;
    const ptrdiff_t s3_stride_y = frame->s3_stride_y;
    const int32_t *FLT_RESTRICT const o0_carry = frame->o0_carry;
    const ptrdiff_t o0_carry_stride_y_blocks = frame->o0_carry_stride_y_blocks;
    const ptrdiff_t o0_carry_stride_y_place = frame->o0_carry_stride_y_place;
    uint32_t *FLT_RESTRICT const o0_blocks_stored = frame->o0_blocks_stored;
    const ptrdiff_t o0_blocks_stored_stride_y_blocks = frame->o0_blocks_stored_stride_y_blocks;
    const ptrdiff_t o0_blocks_stored_stride_y = frame->o0_blocks_stored_stride_y;
    const int64_t a_x = frame->a_x;
    const int64_t o0_blocks_stored_skew = frame->o0_blocks_stored_skew;
    const int64_t o0_ends_y_blocks = frame->o0_ends_y_blocks;
    const int64_t a_y = frame->a_y;
    const int64_t a_x_1 = (a_x + o0_blocks_stored_skew % 16 + 127) / 128;
    for (int64_t y_blocks = flt_first; y_blocks < flt_end; y_blocks++) {
        const int64_t y_blocks_1 = flt_min_i64(y_blocks, o0_ends_y_blocks - 1);
        for (int64_t x_block = 0; x_block < a_x_1; x_block++) {
            const int64_t o0_blocks_stored_x_tile =
                flt_max_i64(128 * x_block - o0_blocks_stored_skew % 16, 0);
            const int64_t o0_blocks_stored_x_tile_end =
                flt_min_i64(128 * x_block - o0_blocks_stored_skew % 16 + 128, a_x);
            uint32_t *FLT_RESTRICT const o0_blocks = (uint32_t *)(void *)(flt_tiles + 0);
            const int64_t o0_blocks_stored_x_tile_end_1 = flt_min_i64(o0_blocks_stored_x_tile_end
                - o0_blocks_stored_x_tile, a_x - flt_min_i64(o0_blocks_stored_x_tile, a_x - 1));
            const int64_t o0_blocks_stored_x_tile_1 = flt_min_i64(o0_blocks_stored_x_tile, a_x - 1);
            for (int64_t y = 0; y < 1; y++) {
                flt_prefetch_row(&s3[flt_min_i64(64 * y_blocks + (y + 8), a_y - 1) * s3_stride_y
                    + o0_blocks_stored_x_tile_1], 2 * o0_blocks_stored_x_tile_end_1);
                flt_prefetch_row(&o0_carry[y_blocks_1 * o0_carry_stride_y_blocks
                    + 0 * o0_carry_stride_y_place + o0_blocks_stored_x_tile_1],
                    4 * o0_blocks_stored_x_tile_end_1);
                const int64_t y_1 = 64 * y_blocks + y;
                const int y_2 = 0 <= (y - 1) && (y - 1) <= 63;
                const int64_t y_3 = flt_min_i64(flt_max_i64(y - 1, 0), 63);
                FLT_SIMD
                for (int64_t x = o0_blocks_stored_x_tile; x < o0_blocks_stored_x_tile_end; x++)
                    o0_blocks[(y & 1) * 128
                        + x
                        - o0_blocks_stored_x_tile] = (uint32_t)((int64_t)s3[y_1 * s3_stride_y + x]
                        + (y_2
                        ? (int64_t)o0_blocks[(y_3 & 1) * 128 + x - o0_blocks_stored_x_tile]
                        : ((int32_t)y_blocks == 0
                        ? 0
                        : (int64_t)(uint32_t)o0_carry[y_blocks * o0_carry_stride_y_blocks
                        + 0 * o0_carry_stride_y_place + x])));
                for (int64_t x_from = o0_blocks_stored_x_tile,
                    x_to; x_from < o0_blocks_stored_x_tile_end; x_from = x_to) {
                    x_to = flt_min_i64(x_from
                        + flt_stream_part(&o0_blocks_stored[y_blocks * o0_blocks_stored_stride_y_blocks + y * o0_blocks_stored_stride_y + x_from], 4, frame->o0_blocks_stored_streams), o0_blocks_stored_x_tile_end);
                    uint32_t o0_blocks_stored_row_part[128];
                    uint32_t *FLT_RESTRICT const o0_blocks_stored_row = frame->o0_blocks_stored_streams ? o0_blocks_stored_row_part : &o0_blocks_stored[y_blocks * o0_blocks_stored_stride_y_blocks + y * o0_blocks_stored_stride_y + x_from];
                    FLT_SIMD
                    for (int64_t x = x_from; x < x_to; x++)
                        o0_blocks_stored_row[x - x_from] =
                            o0_blocks[(y & 1) * 128 + x - o0_blocks_stored_x_tile];
                    if (frame->o0_blocks_stored_streams)
                        flt_stream_row(&o0_blocks_stored[y_blocks * o0_blocks_stored_stride_y_blocks + y * o0_blocks_stored_stride_y + x_from], o0_blocks_stored_row, 4 * (x_to - x_from));
                }
            }
            for (int64_t y = 1; y < 64; y++) {
                flt_prefetch_row(&s3[flt_min_i64(64 * y_blocks + (y + 8), a_y - 1) * s3_stride_y
                    + o0_blocks_stored_x_tile_1], 2 * o0_blocks_stored_x_tile_end_1);
                flt_prefetch_row(&o0_carry[y_blocks_1 * o0_carry_stride_y_blocks
                    + 0 * o0_carry_stride_y_place + o0_blocks_stored_x_tile_1],
                    4 * o0_blocks_stored_x_tile_end_1);
                const int64_t y_4 = 64 * y_blocks + y;
                FLT_SIMD
                for (int64_t x = o0_blocks_stored_x_tile; x < o0_blocks_stored_x_tile_end; x++)
                    o0_blocks[(y & 1) * 128
                        + x
                        - o0_blocks_stored_x_tile] = (uint32_t)((int64_t)s3[y_4 * s3_stride_y + x]
                        + (int64_t)o0_blocks[((y - 1) & 1) * 128 + x - o0_blocks_stored_x_tile]);
                for (int64_t x_from = o0_blocks_stored_x_tile,
                    x_to; x_from < o0_blocks_stored_x_tile_end; x_from = x_to) {
                    x_to = flt_min_i64(x_from
                        + flt_stream_part(&o0_blocks_stored[y_blocks * o0_blocks_stored_stride_y_blocks + y * o0_blocks_stored_stride_y + x_from], 4, frame->o0_blocks_stored_streams), o0_blocks_stored_x_tile_end);
                    uint32_t o0_blocks_stored_row_2_part[128];
                    uint32_t *FLT_RESTRICT const o0_blocks_stored_row_2 = frame->o0_blocks_stored_streams ? o0_blocks_stored_row_2_part : &o0_blocks_stored[y_blocks * o0_blocks_stored_stride_y_blocks + y * o0_blocks_stored_stride_y + x_from];
                    FLT_SIMD
                    for (int64_t x = x_from; x < x_to; x++)
                        o0_blocks_stored_row_2[x - x_from] =
                            o0_blocks[(y & 1) * 128 + x - o0_blocks_stored_x_tile];
                    if (frame->o0_blocks_stored_streams)
                        flt_stream_row(&o0_blocks_stored[y_blocks * o0_blocks_stored_stride_y_blocks + y * o0_blocks_stored_stride_y + x_from], o0_blocks_stored_row_2, 4 * (x_to - x_from));
                }
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_o0_blocks_stored, f_frame)

/* o0.rest.stored: ub.flt:4 */
FLT_INLINE void f_o0_rest_stored_body(const struct f_frame *frame, int64_t flt_first,
    int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint16_t *FLT_RESTRICT const s3 = frame->s3;
    const ptrdiff_t s3_stride_y = frame->s3_stride_y;
    const int32_t *FLT_RESTRICT const o0_carry = frame->o0_carry;
    const ptrdiff_t o0_carry_stride_y_blocks = frame->o0_carry_stride_y_blocks;
    const ptrdiff_t o0_carry_stride_y_place = frame->o0_carry_stride_y_place;
    uint32_t *FLT_RESTRICT const o0_rest_stored = frame->o0_rest_stored;
    const ptrdiff_t o0_rest_stored_stride_y = frame->o0_rest_stored_stride_y;
    const int64_t o0_rest_y_first = frame->o0_rest_y_first;
    const int64_t o0_rest_y = frame->o0_rest_y;
    const int64_t o0_tails_y_blocks = frame->o0_tails_y_blocks;
    const int64_t o0_ends_y_blocks = frame->o0_ends_y_blocks;
    const int64_t o0_rest_stored_skew = frame->o0_rest_stored_skew;
    const int64_t a_x = frame->a_x;
    const int64_t a_y = frame->a_y;
    const int64_t o0_rest_y_first_1 =
        flt_min_i64(o0_rest_y_first + 1, o0_rest_y + o0_rest_y_first) - o0_rest_y_first;
    const int64_t o0_tails_y_blocks_1 = flt_min_i64(o0_tails_y_blocks, o0_ends_y_blocks - 1);
    const int64_t o0_rest_y_1 = o0_rest_y + o0_rest_y_first - 1;
    const int64_t o0_rest_y_first_2 = flt_min_i64(o0_rest_y_first + 1, o0_rest_y + o0_rest_y_first);
    const int64_t o0_rest_y_2 = o0_rest_y
        + o0_rest_y_first - flt_min_i64(o0_rest_y_first + 1, o0_rest_y + o0_rest_y_first);
    for (int64_t x_block = flt_first; x_block < flt_end; x_block++) {
        const int64_t o0_rest_stored_x_tile =
            flt_max_i64(128 * x_block - o0_rest_stored_skew % 16, 0);
        const int64_t o0_rest_stored_x_tile_end =
            flt_min_i64(128 * x_block - o0_rest_stored_skew % 16 + 128, a_x);
        uint32_t *FLT_RESTRICT const o0_rest = (uint32_t *)(void *)(flt_tiles + 0);
        const int64_t o0_rest_stored_x_tile_end_1 = flt_min_i64(o0_rest_stored_x_tile_end
            - o0_rest_stored_x_tile, a_x - flt_min_i64(o0_rest_stored_x_tile, a_x - 1));
        const int64_t o0_rest_stored_x_tile_1 = flt_min_i64(o0_rest_stored_x_tile, a_x - 1);
        for (int64_t y = o0_rest_y_first; y < o0_rest_y_first + o0_rest_y_first_1; y++) {
            flt_prefetch_row(&s3[flt_min_i64(y + 8, a_y - 1) * s3_stride_y
                + o0_rest_stored_x_tile_1], 2 * o0_rest_stored_x_tile_end_1);
            flt_prefetch_row(&o0_carry[o0_tails_y_blocks_1 * o0_carry_stride_y_blocks
                + 0 * o0_carry_stride_y_place + o0_rest_stored_x_tile_1],
                4 * o0_rest_stored_x_tile_end_1);
            const int y_1 = (int32_t)o0_rest_y_first <= ((int32_t)y - 1) && (y - 1) <= o0_rest_y_1;
            const int64_t y_2 = flt_min_i64(flt_max_i64(y - 1, o0_rest_y_first), o0_rest_y_1);
            FLT_SIMD
            for (int64_t x = o0_rest_stored_x_tile; x < o0_rest_stored_x_tile_end; x++)
                o0_rest[((y - o0_rest_y_first) & 1) * 128
                    + x - o0_rest_stored_x_tile] = (uint32_t)((int64_t)s3[y * s3_stride_y + x]
                    + (y_1
                    ? (int64_t)o0_rest[((y_2 - o0_rest_y_first) & 1) * 128
                    + x - o0_rest_stored_x_tile]
                    : ((int32_t)o0_tails_y_blocks == 0
                    ? 0
                    : (int64_t)(uint32_t)o0_carry[o0_tails_y_blocks * o0_carry_stride_y_blocks
                    + 0 * o0_carry_stride_y_place + x])));
            for (int64_t x_from = o0_rest_stored_x_tile,
                x_to; x_from < o0_rest_stored_x_tile_end; x_from = x_to) {
                x_to = flt_min_i64(x_from
                    + flt_stream_part(&o0_rest_stored[(y
                    - o0_rest_y_first) * o0_rest_stored_stride_y
                    + x_from], 4, frame->o0_rest_stored_streams), o0_rest_stored_x_tile_end);
                uint32_t o0_rest_stored_row_part[128];
                uint32_t *FLT_RESTRICT const o0_rest_stored_row = frame->o0_rest_stored_streams
                    ? o0_rest_stored_row_part
                    : &o0_rest_stored[(y - o0_rest_y_first) * o0_rest_stored_stride_y + x_from];
                FLT_SIMD
                for (int64_t x = x_from; x < x_to; x++)
                    o0_rest_stored_row[x - x_from] =
                        o0_rest[((y - o0_rest_y_first) & 1) * 128 + x - o0_rest_stored_x_tile];
                if (frame->o0_rest_stored_streams)
                    flt_stream_row(&o0_rest_stored[(y - o0_rest_y_first) * o0_rest_stored_stride_y
                        + x_from], o0_rest_stored_row, 4 * (x_to - x_from));
            }
        }
        for (int64_t y = o0_rest_y_first_2; y < o0_rest_y_first_2 + o0_rest_y_2; y++) {
            flt_prefetch_row(&s3[flt_min_i64(y + 8, a_y - 1) * s3_stride_y
                + o0_rest_stored_x_tile_1], 2 * o0_rest_stored_x_tile_end_1);
            flt_prefetch_row(&o0_carry[o0_tails_y_blocks_1 * o0_carry_stride_y_blocks
                + 0 * o0_carry_stride_y_place + o0_rest_stored_x_tile_1],
                4 * o0_rest_stored_x_tile_end_1);
            FLT_SIMD
            for (int64_t x = o0_rest_stored_x_tile; x < o0_rest_stored_x_tile_end; x++)
                o0_rest[((y - o0_rest_y_first) & 1) * 128
                    + x - o0_rest_stored_x_tile] = (uint32_t)((int64_t)s3[y * s3_stride_y + x]
                    + (int64_t)o0_rest[((y - o0_rest_y_first - 1) & 1) * 128
                    + x - o0_rest_stored_x_tile]);
            for (int64_t x_from = o0_rest_stored_x_tile,
                x_to; x_from < o0_rest_stored_x_tile_end; x_from = x_to) {
                x_to = flt_min_i64(x_from
                    + flt_stream_part(&o0_rest_stored[(y
                    - o0_rest_y_first) * o0_rest_stored_stride_y
                    + x_from], 4, frame->o0_rest_stored_streams), o0_rest_stored_x_tile_end);
                uint32_t o0_rest_stored_row_2_part[128];
                uint32_t *FLT_RESTRICT const o0_rest_stored_row_2 = frame->o0_rest_stored_streams
                    ? o0_rest_stored_row_2_part
                    : &o0_rest_stored[(y - o0_rest_y_first) * o0_rest_stored_stride_y + x_from];
                FLT_SIMD
                for (int64_t x = x_from; x < x_to; x++)
                    o0_rest_stored_row_2[x - x_from] =
                        o0_rest[((y - o0_rest_y_first) & 1) * 128 + x - o0_rest_stored_x_tile];
                if (frame->o0_rest_stored_streams)
                    flt_stream_row(&o0_rest_stored[(y - o0_rest_y_first) * o0_rest_stored_stride_y
                        + x_from], o0_rest_stored_row_2, 4 * (x_to - x_from));
            }
        }
    }
    flt_stream_end();
}
FLT_KERNEL(f_o0_rest_stored, f_frame)

static int flt_threads(int threads)
{
#ifdef _OPENMP
    return threads > 0 ? threads : omp_get_max_threads();
#else
    (void)threads;
    return 1;
#endif
}

/* Runs a kernel over first ... first + extent - 1, in parts. */
FLT_INLINE void f_launch(void (*kernel)(const struct f_frame *, int64_t, int64_t),
    const struct f_frame *frame, int64_t first, int64_t extent)
{
    const int64_t most = 8 * (int64_t)frame->threads;
    const int64_t parts = extent < most ? extent : most;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(frame->threads) if (parts > 1)
#endif
    for (int64_t part = 0; part < parts; part++)
        kernel(frame, first + extent * part / parts, first + extent * (part + 1) / parts);
}

int f_is_fast(void)
{
    return FLT_FAST;
}

static void f_kernels(const struct f_frame *frame)
{
    const int64_t s3_rest_stored_skew = frame->s3_rest_stored_skew;
    const int64_t o0_rest_stored_skew = frame->o0_rest_stored_skew;
    const int64_t a_x = frame->a_x;
    const int64_t s3_tails_y_blocks = frame->s3_tails_y_blocks;
    const int64_t o0_tails_y_blocks = frame->o0_tails_y_blocks;
    f_launch(FLT_PICK(f_s3_tails), frame, 1, s3_tails_y_blocks);
    f_launch(FLT_PICK(f_s3_nothing), frame, 0, 1);
    f_launch(FLT_PICK(f_s3_matrix), frame, 0, 1);
    f_launch(FLT_PICK(f_s3_carry), frame, 0, a_x);
    f_launch(FLT_PICK(f_s3_blocks_stored), frame, 0, s3_tails_y_blocks);
    f_launch(FLT_PICK(f_s3_rest_stored), frame, 0, (a_x + s3_rest_stored_skew % 32 + 127) / 128);
    f_launch(FLT_PICK(f_o0_tails), frame, 1, o0_tails_y_blocks);
    f_launch(FLT_PICK(f_o0_nothing), frame, 0, 1);
    f_launch(FLT_PICK(f_o0_matrix), frame, 0, 1);
    f_launch(FLT_PICK(f_o0_carry), frame, 0, a_x);
    f_launch(FLT_PICK(f_o0_blocks_stored), frame, 0, o0_tails_y_blocks);
    f_launch(FLT_PICK(f_o0_rest_stored), frame, 0, (a_x + o0_rest_stored_skew % 16 + 127) / 128);
}

const char *f_status_text(int status)
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
static int f_prepare(struct f_frame *frame, const struct f_a *a, const struct f_b *b,
    const struct f_c *c)
{
    if (!a)
        return F_NULL_POINTER;
    if (a->y < 1 || a->x < 1)
        return F_BAD_EXTENT;
    if ((double)a->y * a->x > 1099511627776.0)
        return F_BAD_EXTENT;
    const int64_t a_y = a->y;
    frame->a_y = a_y;
    const int64_t a_x = a->x;
    frame->a_x = a_x;
    if (!b)
        return F_NULL_POINTER;
    if (b->y < 1 || b->x < 1)
        return F_BAD_EXTENT;
    if ((double)b->y * b->x > 1099511627776.0)
        return F_BAD_EXTENT;
    const int64_t b_y = b->y;
    frame->b_y = b_y;
    const int64_t b_x = b->x;
    frame->b_x = b_x;
    if (!c)
        return F_NULL_POINTER;
    if (c->y < 1 || c->x < 1)
        return F_BAD_EXTENT;
    if ((double)c->y * c->x > 1099511627776.0)
        return F_BAD_EXTENT;
    const int64_t c_y = c->y;
    frame->c_y = c_y;
    const int64_t c_x = c->x;
    frame->c_x = c_x;
    const int64_t s3_tails_y_blocks =
        flt_min_i64((a_y - 1) / 64, flt_min_i32((int32_t)a_x, 9) < 9 ? 2147483647 : 0);
    frame->s3_tails_y_blocks = s3_tails_y_blocks;
    const int64_t s3_ends_y_blocks = s3_tails_y_blocks + 1;
    frame->s3_ends_y_blocks = s3_ends_y_blocks;
    const int64_t s3_rest_y = a_y - 64 * s3_tails_y_blocks;
    frame->s3_rest_y = s3_rest_y;
    const int64_t s3_rest_y_first = 64 * s3_tails_y_blocks;
    frame->s3_rest_y_first = s3_rest_y_first;
    const int64_t o0_tails_y_blocks = (a_y - 1) / 64;
    frame->o0_tails_y_blocks = o0_tails_y_blocks;
    const int64_t o0_ends_y_blocks = o0_tails_y_blocks + 1;
    frame->o0_ends_y_blocks = o0_ends_y_blocks;
    const int64_t o0_rest_y = a_y - 64 * o0_tails_y_blocks;
    frame->o0_rest_y = o0_rest_y;
    const int64_t o0_rest_y_first = 64 * o0_tails_y_blocks;
    frame->o0_rest_y_first = o0_rest_y_first;
    return F_OK;
}

int f_extents(const struct f_a *a, const struct f_b *b, const struct f_c *c, struct f_o0 *o0)
{
    struct f_frame all;
    const int status = f_prepare(&all, a, b, c);
    if (status != F_OK)
        return status;
    const struct f_frame *const frame = &all;
    const int64_t a_y = frame->a_y;
    const int64_t a_x = frame->a_x;
    if (!o0)
        return F_NULL_POINTER;
    o0->y = (int32_t)a_y;
    o0->x = (int32_t)a_x;
    o0->stride_x = 1;
    o0->stride_y = o0->stride_x * o0->x;
    return F_OK;
}

/* Samples from one row to the next: lines of cache, and rows that are read together not at the same
 * place of a page, where they would drive each other out. */
static int64_t flt_row(int64_t samples, int bytes)
{
    const int64_t line = 64, page = 4096, apart = 5 * line;
    int64_t row = (samples * bytes + line - 1) / line * line;
    if (samples * bytes < page / 2)
        return samples;
    if (row % page < apart || row % page > page - apart)
        row += (apart - row % page + page) % page;
    return row / bytes;
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
static uint64_t f_layout(struct f_frame *frame, char *memory, const struct f_a *a,
    const struct f_b *b, const struct f_c *c, const struct f_o0 *o0)
{
    uint64_t at = 0;
    const int64_t a_y = frame->a_y;
    const int64_t a_x = frame->a_x;
    const int64_t b_y = frame->b_y;
    const int64_t b_x = frame->b_x;
    const int64_t c_y = frame->c_y;
    const int64_t c_x = frame->c_x;
    const int64_t s3_tails_y_blocks = frame->s3_tails_y_blocks;
    const int64_t s3_ends_y_blocks = frame->s3_ends_y_blocks;
    const int64_t s3_rest_y = frame->s3_rest_y;
    const int64_t s3_rest_y_first = frame->s3_rest_y_first;
    const int64_t o0_tails_y_blocks = frame->o0_tails_y_blocks;
    const int64_t o0_ends_y_blocks = frame->o0_ends_y_blocks;
    const int64_t o0_rest_y = frame->o0_rest_y;
    const int64_t o0_rest_y_first = frame->o0_rest_y_first;
    if (memory)
        frame->s3_ends = (int32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(4, s3_ends_y_blocks), 1), flt_row(a_x, 4)));
    if (memory)
        frame->s3_matrix = (int32_t *)(void *)(memory + at);
    if (memory)
        frame->o0_matrix = (int32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, 1), 1));
    if (memory)
        frame->s3_carry = (int32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(4, s3_ends_y_blocks), 1), flt_row(a_x, 4)));
    if (memory)
        frame->s3 = (uint16_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(2, a_y), flt_row(a_x, 2)));
    if (memory)
        frame->o0_ends = (int32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(4, o0_ends_y_blocks), 1), flt_row(a_x, 4)));
    if (memory)
        frame->o0_carry = (int32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(4, o0_ends_y_blocks), 1), flt_row(a_x, 4)));
    frame->s3_ends_stride_y_blocks = (ptrdiff_t)(1 * flt_row(a_x, 4));
    frame->s3_ends_stride_y = (ptrdiff_t)flt_row(a_x, 4);
    frame->s3_matrix_stride_y_place = (ptrdiff_t)1;
    frame->s3_carry_stride_y_blocks = (ptrdiff_t)(1 * flt_row(a_x, 4));
    frame->s3_carry_stride_y_place = (ptrdiff_t)flt_row(a_x, 4);
    frame->s3_stride_y = (ptrdiff_t)flt_row(a_x, 2);
    frame->o0_ends_stride_y_blocks = (ptrdiff_t)(1 * flt_row(a_x, 4));
    frame->o0_ends_stride_y = (ptrdiff_t)flt_row(a_x, 4);
    frame->o0_matrix_stride_y_place = (ptrdiff_t)1;
    frame->o0_carry_stride_y_blocks = (ptrdiff_t)(1 * flt_row(a_x, 4));
    frame->o0_carry_stride_y_place = (ptrdiff_t)flt_row(a_x, 4);
    frame->s3_tails_streams =
        flt_times(flt_times(flt_times(4, s3_tails_y_blocks), 1), a_x) >= FLT_STREAM_BYTES;
    frame->s3_nothing_streams = flt_times(flt_times(flt_times(4, 1), 1), a_x) >= FLT_STREAM_BYTES;
    frame->s3_blocks_stored_streams =
        flt_times(flt_times(flt_times(2, s3_tails_y_blocks), 64), a_x) >= FLT_STREAM_BYTES;
    frame->s3_rest_stored_streams = flt_times(flt_times(2, s3_rest_y), a_x) >= FLT_STREAM_BYTES;
    frame->o0_tails_streams =
        flt_times(flt_times(flt_times(4, o0_tails_y_blocks), 1), a_x) >= FLT_STREAM_BYTES;
    frame->o0_nothing_streams = flt_times(flt_times(flt_times(4, 1), 1), a_x) >= FLT_STREAM_BYTES;
    frame->o0_blocks_stored_streams =
        flt_times(flt_times(flt_times(4, o0_tails_y_blocks), 64), a_x) >= FLT_STREAM_BYTES;
    frame->o0_rest_stored_streams = flt_times(flt_times(4, o0_rest_y), a_x) >= FLT_STREAM_BYTES;
    if (memory)
        frame->tiles = memory + at;
    at = flt_behind(at, flt_times(FLT_TILE_BYTES, frame->threads));
    frame->a = a->data;
    frame->a_stride_y = a->stride_y;
    if (a->stride_x != 1 && a->x > 1) { /* a packed copy */
        if (memory)
            frame->a = (uint8_t *)(void *)(memory + at);
        frame->a_stride_y = a->x;
        at = flt_behind(at, flt_times(flt_times(1, a_y), a_x));
    }
    frame->b = b->data;
    frame->b_stride_y = b->stride_y;
    if (b->stride_x != 1 && b->x > 1) { /* a packed copy */
        if (memory)
            frame->b = (int32_t *)(void *)(memory + at);
        frame->b_stride_y = b->x;
        at = flt_behind(at, flt_times(flt_times(4, b_y), b_x));
    }
    frame->c = c->data;
    frame->c_stride_y = c->stride_y;
    if (c->stride_x != 1 && c->x > 1) { /* a packed copy */
        if (memory)
            frame->c = (uint32_t *)(void *)(memory + at);
        frame->c_stride_y = c->x;
        at = flt_behind(at, flt_times(flt_times(4, c_y), c_x));
    }
    frame->o0 = o0->data;
    frame->o0_stride_y = o0->stride_y;
    if (o0->stride_x != 1 && o0->x > 1) { /* a packed copy */
        if (memory)
            frame->o0 = (uint32_t *)(void *)(memory + at);
        frame->o0_stride_y = o0->x;
        at = flt_behind(at, flt_times(flt_times(4, a_y), a_x));
    }
    if (memory)
        frame->s3_tails = frame->s3_ends + (1) * frame->s3_ends_stride_y_blocks;
    frame->s3_tails_stride_y_blocks = frame->s3_ends_stride_y_blocks;
    frame->s3_tails_stride_y = frame->s3_ends_stride_y;
    if (memory)
        frame->s3_nothing = frame->s3_ends;
    frame->s3_nothing_stride_y_blocks = frame->s3_ends_stride_y_blocks;
    frame->s3_nothing_stride_y = frame->s3_ends_stride_y;
    if (memory)
        frame->s3_blocks_stored = frame->s3;
    frame->s3_blocks_stored_stride_y_blocks = 64 * frame->s3_stride_y;
    frame->s3_blocks_stored_stride_y = frame->s3_stride_y;
    if (memory)
        frame->s3_rest_stored = frame->s3 + (s3_rest_y_first) * frame->s3_stride_y;
    frame->s3_rest_stored_stride_y = frame->s3_stride_y;
    if (memory)
        frame->o0_tails = frame->o0_ends + (1) * frame->o0_ends_stride_y_blocks;
    frame->o0_tails_stride_y_blocks = frame->o0_ends_stride_y_blocks;
    frame->o0_tails_stride_y = frame->o0_ends_stride_y;
    if (memory)
        frame->o0_nothing = frame->o0_ends;
    frame->o0_nothing_stride_y_blocks = frame->o0_ends_stride_y_blocks;
    frame->o0_nothing_stride_y = frame->o0_ends_stride_y;
    if (memory)
        frame->o0_blocks_stored = frame->o0;
    frame->o0_blocks_stored_stride_y_blocks = 64 * frame->o0_stride_y;
    frame->o0_blocks_stored_stride_y = frame->o0_stride_y;
    if (memory)
        frame->o0_rest_stored = frame->o0 + (o0_rest_y_first) * frame->o0_stride_y;
    frame->o0_rest_stored_stride_y = frame->o0_stride_y;
    frame->s3_tails_skew = memory ? (int64_t)((uintptr_t)frame->s3_tails % 64 / 4) : 0;
    frame->s3_blocks_stored_skew =
        memory ? (int64_t)((uintptr_t)frame->s3_blocks_stored % 64 / 2) : 0;
    frame->s3_rest_stored_skew = memory ? (int64_t)((uintptr_t)frame->s3_rest_stored % 64 / 2) : 0;
    frame->o0_tails_skew = memory ? (int64_t)((uintptr_t)frame->o0_tails % 64 / 4) : 0;
    frame->o0_blocks_stored_skew =
        memory ? (int64_t)((uintptr_t)frame->o0_blocks_stored % 64 / 4) : 0;
    frame->o0_rest_stored_skew = memory ? (int64_t)((uintptr_t)frame->o0_rest_stored % 64 / 4) : 0;
    return at;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int f_check(struct f_frame *frame, const struct f_a *a, const struct f_b *b,
    const struct f_c *c, const struct f_o0 *o0, int threads)
{
    struct f_frame all;
    int status;
    if (!a || !a->data)
        return F_NULL_POINTER;
    if (!b || !b->data)
        return F_NULL_POINTER;
    if (!c || !c->data)
        return F_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = f_prepare(&all, a, b, c);
    if (status != F_OK)
        return status;
    *frame = all;
    const int64_t a_y = frame->a_y;
    const int64_t a_x = frame->a_x;
    if (!o0 || !o0->data)
        return F_NULL_POINTER;
    if (o0->y != a_y)
        return F_BAD_OUTPUT;
    if (o0->x != a_x)
        return F_BAD_OUTPUT;
    if ((const void *)o0->data == (const void *)a->data)
        return F_OVERLAP;
    if ((const void *)o0->data == (const void *)b->data)
        return F_OVERLAP;
    if ((const void *)o0->data == (const void *)c->data)
        return F_OVERLAP;
    frame->threads = flt_threads(threads);
    frame->cpu = FLT_CPU;
    return F_OK;
}

size_t f_scratch_bytes(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const struct f_o0 *o0, int threads)
{
    struct f_frame all;
    if (f_check(&all, a, b, c, o0, threads) != F_OK)
        return 0;
    {
        const uint64_t bytes = f_layout(&all, NULL, a, b, c, o0);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

int f_run(const struct f_a *a, const struct f_b *b, const struct f_c *c, const struct f_o0 *o0,
    void *scratch, size_t scratch_bytes, int threads)
{
    struct f_frame all;
    const int status = f_check(&all, a, b, c, o0, threads);
    if (status != F_OK)
        return status;
    {
        const uint64_t bytes = f_layout(&all, NULL, a, b, c, o0);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return F_BAD_SCRATCH;
    }
    (void)f_layout(&all, (char *)scratch, a, b, c, o0);
    if (a->stride_x != 1 && a->x > 1) {
        uint8_t *FLT_RESTRICT const packed = (uint8_t *)(uintptr_t)all.a;
        for (int64_t i0 = 0; i0 < a->y; i0++)
            for (int64_t i1 = 0; i1 < a->x; i1++)
                packed[i0 * all.a_stride_y + i1] = a->data[i0 * a->stride_y + i1 * a->stride_x];
    }
    if (b->stride_x != 1 && b->x > 1) {
        int32_t *FLT_RESTRICT const packed = (int32_t *)(uintptr_t)all.b;
        for (int64_t i0 = 0; i0 < b->y; i0++)
            for (int64_t i1 = 0; i1 < b->x; i1++)
                packed[i0 * all.b_stride_y + i1] = b->data[i0 * b->stride_y + i1 * b->stride_x];
    }
    if (c->stride_x != 1 && c->x > 1) {
        uint32_t *FLT_RESTRICT const packed = (uint32_t *)(uintptr_t)all.c;
        for (int64_t i0 = 0; i0 < c->y; i0++)
            for (int64_t i1 = 0; i1 < c->x; i1++)
                packed[i0 * all.c_stride_y + i1] = c->data[i0 * c->stride_y + i1 * c->stride_x];
    }
    f_kernels(&all);
    if (o0->stride_x != 1 && o0->x > 1) {
        const uint32_t *FLT_RESTRICT const packed = (const uint32_t *)(uintptr_t)all.o0;
        for (int64_t i0 = 0; i0 < o0->y; i0++)
            for (int64_t i1 = 0; i1 < o0->x; i1++)
                o0->data[i0 * o0->stride_y + i1 * o0->stride_x] = packed[i0 * all.o0_stride_y + i1];
    }
    return F_OK;
}

int f(const struct f_a *a, const struct f_b *b, const struct f_c *c, const struct f_o0 *o0,
    int threads)
{
    struct f_frame all;
    int status = f_check(&all, a, b, c, o0, threads);
    char *block;
    uint64_t bytes;
    if (status != F_OK)
        return status;
    bytes = f_layout(&all, NULL, a, b, c, o0);
    if (bytes > SIZE_MAX - 64)
        return F_NO_MEMORY;
    block = (char *)malloc((size_t)bytes + 64);
    if (!block)
        return F_NO_MEMORY;
    status = f_run(a, b, c, o0, block + (64 - (uintptr_t)block % 64), (size_t)bytes, threads);
    free(block);
    return status;
}

int f_region_of_a(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const int64_t *output_box, int64_t *input_box)
{
    struct f_frame all;
    const int status = f_prepare(&all, a, b, c);
    if (status != F_OK)
        return status;
    if (!output_box || !input_box)
        return F_NULL_POINTER;
    const struct f_frame *const frame = &all;
    const int64_t a_y = frame->a_y;
    const int64_t a_x = frame->a_x;
    input_box[0] = 0;
    input_box[1] = a_y;
    input_box[2] = 0;
    input_box[3] = a_x;
    return F_OK;
}

int f_region_of_b(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const int64_t *output_box, int64_t *input_box)
{
    struct f_frame all;
    const int status = f_prepare(&all, a, b, c);
    if (status != F_OK)
        return status;
    if (!output_box || !input_box)
        return F_NULL_POINTER;
    input_box[0] = 0;
    input_box[1] = 0;
    input_box[2] = 0;
    input_box[3] = 0;
    return F_OK;
}

int f_region_of_c(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const int64_t *output_box, int64_t *input_box)
{
    struct f_frame all;
    const int status = f_prepare(&all, a, b, c);
    if (status != F_OK)
        return status;
    if (!output_box || !input_box)
        return F_NULL_POINTER;
    input_box[0] = 0;
    input_box[1] = 0;
    input_box[2] = 0;
    input_box[3] = 0;
    return F_OK;
}
