/* gather_in_tiles. Written by fltc; needs the C library alone: cc -O3 -fopenmp gather_in_tiles.c
 * -lm */
#include "gather_in_tiles.h"

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

/* FLT_KERNEL compiles a body for the target of the compiler's options, and once more for processors
 * with fused multiply-add; FLT_PICK takes the one for the processor at hand. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__FMA__)
#define FLT_KERNEL(name, frame_type)                                                        \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)            \
    {                                                                                       \
        name##_body(frame, first, end);                                                     \
    }                                                                                       \
    __attribute__((target("avx2,fma"))) static void name##_fast(                            \
        const struct frame_type *frame, int64_t first, int64_t end)                         \
    {                                                                                       \
        name##_body(frame, first, end);                                                     \
    }
#define FLT_PICK(name) (frame->fast ? name##_fast : name)
#define FLT_FAST (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define FLT_KERNEL(name, frame_type)                                                        \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)            \
    {                                                                                       \
        name##_body(frame, first, end);                                                     \
    }
#define FLT_PICK(name) name
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
#define FLT_FAST 1
#else
#define FLT_FAST 0
#endif
#endif
#ifdef _OPENMP
#define FLT_SIMD _Pragma("omp simd")
#else
#define FLT_SIMD
#endif

/* Floor division by powers of two is written as a shift. */
typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];

static inline int32_t flt_max_i32(int32_t a, int32_t b)
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

static inline uint8_t flt_min_u8(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* Memory for the tiles that a thread works on, and the number of the thread among those of a
 * launch. */
#define FLT_TILE_BYTES 167808

static int flt_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* What all kernels of one call share. Strides are in samples; the last axis has stride 1. */
struct gather_in_tiles_frame {
    int threads, fast;
    const uint8_t *in;
    ptrdiff_t in_stride_y;
    int64_t in_y;
    int64_t in_x;
    const uint16_t *v;
    ptrdiff_t v_stride_k;
    ptrdiff_t v_stride_y;
    int64_t v_k;
    int64_t v_y;
    int64_t v_x;
    int32_t *out;
    ptrdiff_t out_stride_y;
    char *tiles; /* FLT_TILE_BYTES for each thread */
};

/* out: gather_in_tiles.flt:6 */
FLT_INLINE void gather_in_tiles_out_body(const struct gather_in_tiles_frame *frame,
    int64_t flt_first, int64_t flt_end)
{
    char *const flt_tiles = frame->tiles + (size_t)flt_thread() * FLT_TILE_BYTES;
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const ptrdiff_t in_stride_y = frame->in_stride_y;
    const uint16_t *FLT_RESTRICT const v = frame->v;
    const ptrdiff_t v_stride_k = frame->v_stride_k;
    const ptrdiff_t v_stride_y = frame->v_stride_y;
    int32_t *FLT_RESTRICT const out = frame->out;
    const ptrdiff_t out_stride_y = frame->out_stride_y;
    const int64_t in_x = frame->in_x;
    const int64_t in_y = frame->in_y;
    const int64_t v_x = frame->v_x;
    const int64_t v_y = frame->v_y;
    const int64_t v_k = frame->v_k;
    const int64_t in_x_1 = (in_x + 8191) / 8192;
    for (int64_t y_block = flt_first; y_block < flt_end; y_block++) {
        for (int64_t x_block = 0; x_block < in_x_1; x_block++) {
            const int64_t out_y_tile = 64 * y_block;
            const int64_t out_y_tile_end = flt_min_i64(out_y_tile + 64, in_y);
            const int64_t out_x_tile = 8192 * x_block;
            const int64_t out_x_tile_end = flt_min_i64(out_x_tile + 8192, in_x);
            const int64_t smooth_y_tile = flt_min_i64(flt_max_i64(out_y_tile - 1, 0), in_y - 1);
            const int64_t smooth_x_tile = flt_min_i64(out_x_tile, in_x - 1);
            const int64_t smooth_x_tile_end = flt_max_i64(flt_min_i64(out_x_tile_end, in_x), 1);
            const int64_t smooth_row_1_y_tile =
                flt_min_i64(flt_max_i64(smooth_y_tile - 1, 0), in_y - 1);
            const int64_t smooth_row_1_x_tile = flt_min_i64(smooth_x_tile, in_x - 1);
            const int64_t smooth_row_1_x_tile_end =
                flt_max_i64(flt_min_i64(smooth_x_tile_end, in_x), 1);
            uint16_t *FLT_RESTRICT const smooth_row_1 = (uint16_t *)(void *)(flt_tiles + 0);
            uint8_t *FLT_RESTRICT const smooth = (uint8_t *)(void *)(flt_tiles + 133696);
            const int64_t smooth_row_1_x_tile_1 =
                flt_min_i64(flt_max_i64(1, smooth_row_1_x_tile), smooth_row_1_x_tile_end);
            const int32_t value_1 = flt_min_i32(flt_max_i32(1, (int32_t)smooth_row_1_x_tile),
                (int32_t)smooth_row_1_x_tile_end);
            const int64_t in_x_2 = flt_max_i64(flt_min_i64(in_x - 1, smooth_row_1_x_tile_end),
                (int64_t)value_1) - (int64_t)value_1;
            const int32_t value_2 = flt_min_i32(flt_max_i32(1, (int32_t)smooth_row_1_x_tile),
                (int32_t)smooth_row_1_x_tile_end);
            const int64_t smooth_row_1_x_tile_end_1 = smooth_row_1_x_tile_end
                + (int64_t)value_2 - smooth_row_1_x_tile
                - flt_max_i64(flt_min_i64(in_x - 1, smooth_row_1_x_tile_end), (int64_t)value_2);
            const int64_t smooth_row_1_x_tile_2 = flt_min_i64(flt_max_i64(1, smooth_row_1_x_tile),
                smooth_row_1_x_tile_end) - smooth_row_1_x_tile;
            const int64_t smooth_row_1_x_tile_3 = smooth_row_1_x_tile
                + flt_max_i64(flt_min_i64(in_x - 1, smooth_row_1_x_tile_end),
                flt_min_i64(flt_max_i64(1, smooth_row_1_x_tile), smooth_row_1_x_tile_end));
            const int64_t v_x_1 = flt_max_i64(flt_min_i64(v_x - 1, out_x_tile_end),
                flt_min_i64(out_x_tile, out_x_tile_end)) - flt_min_i64(out_x_tile, out_x_tile_end);
            const int64_t out_x_tile_end_1 = out_x_tile_end
                + flt_min_i64(out_x_tile, out_x_tile_end) - out_x_tile
                - flt_max_i64(flt_min_i64(v_x - 1, out_x_tile_end),
                flt_min_i64(out_x_tile, out_x_tile_end));
            const int64_t out_x_tile_1 = flt_min_i64(out_x_tile, out_x_tile_end) - out_x_tile;
            const int64_t v_x_2 = flt_max_i64(flt_min_i64(v_x - 1, out_x_tile_end),
                flt_min_i64(out_x_tile, out_x_tile_end));
            for (int64_t out_y = out_y_tile; out_y < out_y_tile_end; out_y++) {
                const int64_t smooth_y_row = (int32_t)out_y == (int32_t)out_y_tile
                    ? smooth_y_tile : flt_min_i64(out_y + 1, in_y);
                const int64_t smooth_y_row_end = flt_min_i64(out_y + 2, in_y);
                const int64_t smooth_row_1_y_row = (int32_t)out_y == (int32_t)out_y_tile
                    ? smooth_row_1_y_tile : flt_min_i64(smooth_y_row + 1, in_y);
                const int64_t smooth_row_1_y_row_end = flt_min_i64(smooth_y_row_end + 1, in_y);
                for (int64_t y = smooth_row_1_y_row; y < smooth_row_1_y_row_end; y++) {
                    FLT_SIMD
                    for (int64_t x =
                        smooth_row_1_x_tile_1; x < smooth_row_1_x_tile_1 + in_x_2; x++) {
                        int32_t sum_1 = 0;
                        sum_1 = sum_1 + in[y * in_stride_y + x - 1];
                        sum_1 = sum_1 + in[y * in_stride_y + x];
                        sum_1 = sum_1 + in[y * in_stride_y + x + 1];
                        smooth_row_1[((y - smooth_row_1_y_tile) & 7) * 8352
                            + x - smooth_row_1_x_tile] = (uint16_t)sum_1;
                    }
                    FLT_SIMD
                    for (int64_t x_near_border =
                        0; x_near_border < smooth_row_1_x_tile_end_1; x_near_border++) {
                        const int64_t x_2 = (int32_t)x_near_border < (int32_t)smooth_row_1_x_tile_2
                            ? smooth_row_1_x_tile + x_near_border
                            : smooth_row_1_x_tile_3 + x_near_border - smooth_row_1_x_tile_1;
                        int32_t sum_2 = 0;
                        sum_2 = sum_2
                            + in[y * in_stride_y + flt_min_i64(flt_max_i64(x_2 - 1, 0), in_x - 1)];
                        sum_2 = sum_2 + in[y * in_stride_y + flt_min_i64(x_2, in_x - 1)];
                        sum_2 = sum_2 + in[y * in_stride_y + flt_min_i64(x_2 + 1, in_x - 1)];
                        smooth_row_1[((y - smooth_row_1_y_tile) & 7) * 8352
                            + x_2 - smooth_row_1_x_tile] = (uint16_t)sum_2;
                    }
                }
                for (int64_t y = smooth_y_row; y < smooth_y_row_end; y++) {
                    const int64_t y_1 = flt_min_i64(flt_max_i64(y - 1, 0), in_y - 1);
                    const int64_t y_2 = flt_min_i64(y, in_y - 1);
                    const int64_t y_3 = flt_min_i64(y + 1, in_y - 1);
                    FLT_SIMD
                    for (int64_t x = smooth_x_tile; x < smooth_x_tile_end; x++) {
                        int32_t sum_3 = 0;
                        sum_3 = sum_3
                            + smooth_row_1[((y_1 - smooth_row_1_y_tile) & 7) * 8352
                            + x - smooth_row_1_x_tile];
                        sum_3 = sum_3
                            + smooth_row_1[((y_2 - smooth_row_1_y_tile) & 7) * 8352
                            + x - smooth_row_1_x_tile];
                        sum_3 = sum_3
                            + smooth_row_1[((y_3 - smooth_row_1_y_tile) & 7) * 8352
                            + x - smooth_row_1_x_tile];
                        smooth[((y - smooth_y_tile) & 3) * 8512 + x - smooth_x_tile] =
                            (uint8_t)(sum_3 / 9);
                    }
                }
                const int64_t out_y_1 = flt_min_i64(out_y, v_y - 1);
                const int64_t out_y_2 = flt_min_i64(flt_max_i64(out_y - 1, 0), in_y - 1);
                const int64_t out_y_3 = flt_min_i64(out_y + 1, in_y - 1);
                FLT_SIMD
                for (int64_t x = flt_min_i64(out_x_tile,
                    out_x_tile_end); x < flt_min_i64(out_x_tile, out_x_tile_end) + v_x_1; x++) {
                    const int32_t plane = flt_min_u8(in[out_y * in_stride_y + x], 3);
                    const int32_t value_3 = flt_min_i32(plane, (int32_t)v_k - 1);
                    out[out_y * out_stride_y + x] = v[(int64_t)value_3 * v_stride_k
                        + out_y_1 * v_stride_y + x]
                        + v[(int64_t)value_3 * v_stride_k + out_y_1 * v_stride_y + x + 1]
                        - smooth[((out_y_2 - smooth_y_tile) & 3) * 8512
                        + x - smooth_x_tile] * smooth[((out_y_3 - smooth_y_tile) & 3) * 8512
                        + x - smooth_x_tile];
                }
                FLT_SIMD
                for (int64_t x_near_border = 0; x_near_border < out_x_tile_end_1; x_near_border++) {
                    const int64_t x_2 = (int32_t)x_near_border < (int32_t)out_x_tile_1
                        ? out_x_tile + x_near_border
                        : out_x_tile + x_near_border
                        + v_x_2 - flt_min_i64(out_x_tile, out_x_tile_end);
                    const int32_t plane = flt_min_u8(in[out_y * in_stride_y + x_2], 3);
                    const int32_t value_4 = flt_min_i32(plane, (int32_t)v_k - 1);
                    out[out_y * out_stride_y + x_2] = v[(int64_t)value_4 * v_stride_k
                        + out_y_1 * v_stride_y + flt_min_i64(x_2, v_x - 1)]
                        + v[(int64_t)value_4 * v_stride_k + out_y_1 * v_stride_y
                        + flt_min_i64(x_2 + 1, v_x - 1)]
                        - smooth[((out_y_2 - smooth_y_tile) & 3) * 8512
                        + x_2 - smooth_x_tile] * smooth[((out_y_3 - smooth_y_tile) & 3) * 8512
                        + x_2 - smooth_x_tile];
                }
            }
        }
    }
}
FLT_KERNEL(gather_in_tiles_out, gather_in_tiles_frame)

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
FLT_INLINE void gather_in_tiles_launch(void (*kernel)(const struct gather_in_tiles_frame *, int64_t,
    int64_t),
    const struct gather_in_tiles_frame *frame, int64_t first, int64_t extent)
{
    const int64_t most = 8 * (int64_t)frame->threads;
    const int64_t parts = extent < most ? extent : most;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(frame->threads) if (parts > 1)
#endif
    for (int64_t part = 0; part < parts; part++)
        kernel(frame, first + extent * part / parts, first + extent * (part + 1) / parts);
}

int gather_in_tiles_is_fast(void)
{
    return FLT_FAST;
}

static void gather_in_tiles_kernels(const struct gather_in_tiles_frame *frame)
{
    const int64_t in_y = frame->in_y;
    gather_in_tiles_launch(FLT_PICK(gather_in_tiles_out), frame, 0, (in_y + 63) / 64);
}

const char *gather_in_tiles_status_text(int status)
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
static int gather_in_tiles_prepare(struct gather_in_tiles_frame *frame,
    const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v)
{
    if (!in)
        return GATHER_IN_TILES_NULL_POINTER;
    if (in->y < 1 || in->x < 1)
        return GATHER_IN_TILES_BAD_EXTENT;
    if ((double)in->y * in->x > 1099511627776.0)
        return GATHER_IN_TILES_BAD_EXTENT;
    const int64_t in_y = in->y;
    frame->in_y = in_y;
    const int64_t in_x = in->x;
    frame->in_x = in_x;
    if (!v)
        return GATHER_IN_TILES_NULL_POINTER;
    if (v->k < 1 || v->y < 1 || v->x < 1)
        return GATHER_IN_TILES_BAD_EXTENT;
    if ((double)v->k * v->y * v->x > 1099511627776.0)
        return GATHER_IN_TILES_BAD_EXTENT;
    const int64_t v_k = v->k;
    frame->v_k = v_k;
    const int64_t v_y = v->y;
    frame->v_y = v_y;
    const int64_t v_x = v->x;
    frame->v_x = v_x;
    return GATHER_IN_TILES_OK;
}

int gather_in_tiles_extents(const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    struct gather_in_tiles_out *out)
{
    struct gather_in_tiles_frame all;
    const int status = gather_in_tiles_prepare(&all, in, v);
    if (status != GATHER_IN_TILES_OK)
        return status;
    const struct gather_in_tiles_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return GATHER_IN_TILES_NULL_POINTER;
    out->y = (int32_t)in_y;
    out->x = (int32_t)in_x;
    out->stride_x = 1;
    out->stride_y = out->stride_x * out->x;
    return GATHER_IN_TILES_OK;
}

/* Sizes in bytes; 2^62 stands for all that is more. */
static uint64_t flt_times(uint64_t bytes, int64_t extent)
{
    const uint64_t most = (uint64_t)1 << 62;
    return bytes > most / (uint64_t)extent ? most : bytes * (uint64_t)extent;
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
static uint64_t gather_in_tiles_layout(struct gather_in_tiles_frame *frame, char *memory,
    const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    const struct gather_in_tiles_out *out)
{
    uint64_t at = 0;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    const int64_t v_k = frame->v_k;
    const int64_t v_y = frame->v_y;
    const int64_t v_x = frame->v_x;
    if (memory)
        frame->tiles = memory + at;
    at = flt_behind(at, flt_times(FLT_TILE_BYTES, frame->threads));
    frame->in = in->data;
    frame->in_stride_y = in->stride_y;
    if (in->stride_x != 1 && in->x > 1) { /* a packed copy */
        if (memory)
            frame->in = (uint8_t *)(void *)(memory + at);
        frame->in_stride_y = in->x;
        at = flt_behind(at, flt_times(flt_times(1, in_y), in_x));
    }
    frame->v = v->data;
    frame->v_stride_k = v->stride_k;
    frame->v_stride_y = v->stride_y;
    if (v->stride_x != 1 && v->x > 1) { /* a packed copy */
        if (memory)
            frame->v = (uint16_t *)(void *)(memory + at);
        frame->v_stride_y = v->x;
        frame->v_stride_k = frame->v_stride_y * v->y;
        at = flt_behind(at, flt_times(flt_times(flt_times(2, v_k), v_y), v_x));
    }
    frame->out = out->data;
    frame->out_stride_y = out->stride_y;
    if (out->stride_x != 1 && out->x > 1) { /* a packed copy */
        if (memory)
            frame->out = (int32_t *)(void *)(memory + at);
        frame->out_stride_y = out->x;
        at = flt_behind(at, flt_times(flt_times(4, in_y), in_x));
    }
    return at;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int gather_in_tiles_check(struct gather_in_tiles_frame *frame,
    const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    const struct gather_in_tiles_out *out, int threads)
{
    struct gather_in_tiles_frame all;
    int status;
    if (!in || !in->data)
        return GATHER_IN_TILES_NULL_POINTER;
    if (!v || !v->data)
        return GATHER_IN_TILES_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = gather_in_tiles_prepare(&all, in, v);
    if (status != GATHER_IN_TILES_OK)
        return status;
    *frame = all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out || !out->data)
        return GATHER_IN_TILES_NULL_POINTER;
    if (out->y != in_y)
        return GATHER_IN_TILES_BAD_OUTPUT;
    if (out->x != in_x)
        return GATHER_IN_TILES_BAD_OUTPUT;
    if ((const void *)out->data == (const void *)in->data)
        return GATHER_IN_TILES_OVERLAP;
    if ((const void *)out->data == (const void *)v->data)
        return GATHER_IN_TILES_OVERLAP;
    frame->threads = flt_threads(threads);
    frame->fast = gather_in_tiles_is_fast();
    return GATHER_IN_TILES_OK;
}

size_t gather_in_tiles_scratch_bytes(const struct gather_in_tiles_in *in,
    const struct gather_in_tiles_v *v, const struct gather_in_tiles_out *out, int threads)
{
    struct gather_in_tiles_frame all;
    if (gather_in_tiles_check(&all, in, v, out, threads) != GATHER_IN_TILES_OK)
        return 0;
    {
        const uint64_t bytes = gather_in_tiles_layout(&all, NULL, in, v, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

int gather_in_tiles_run(const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    const struct gather_in_tiles_out *out, void *scratch, size_t scratch_bytes, int threads)
{
    struct gather_in_tiles_frame all;
    const int status = gather_in_tiles_check(&all, in, v, out, threads);
    if (status != GATHER_IN_TILES_OK)
        return status;
    {
        const uint64_t bytes = gather_in_tiles_layout(&all, NULL, in, v, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return GATHER_IN_TILES_BAD_SCRATCH;
    }
    (void)gather_in_tiles_layout(&all, (char *)scratch, in, v, out);
    if (in->stride_x != 1 && in->x > 1) {
        uint8_t *FLT_RESTRICT const packed = (uint8_t *)(uintptr_t)all.in;
        for (int64_t i0 = 0; i0 < in->y; i0++)
            for (int64_t i1 = 0; i1 < in->x; i1++)
                packed[i0 * all.in_stride_y + i1] = in->data[i0 * in->stride_y + i1 * in->stride_x];
    }
    if (v->stride_x != 1 && v->x > 1) {
        uint16_t *FLT_RESTRICT const packed = (uint16_t *)(uintptr_t)all.v;
        for (int64_t i0 = 0; i0 < v->k; i0++)
            for (int64_t i1 = 0; i1 < v->y; i1++)
                for (int64_t i2 = 0; i2 < v->x; i2++)
                    packed[i0 * all.v_stride_k + i1 * all.v_stride_y + i2] =
                        v->data[i0 * v->stride_k + i1 * v->stride_y + i2 * v->stride_x];
    }
    gather_in_tiles_kernels(&all);
    if (out->stride_x != 1 && out->x > 1) {
        const int32_t *FLT_RESTRICT const packed = (const int32_t *)(uintptr_t)all.out;
        for (int64_t i0 = 0; i0 < out->y; i0++)
            for (int64_t i1 = 0; i1 < out->x; i1++)
                out->data[i0 * out->stride_y + i1 * out->stride_x] =
                    packed[i0 * all.out_stride_y + i1];
    }
    return GATHER_IN_TILES_OK;
}

int gather_in_tiles(const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    const struct gather_in_tiles_out *out, int threads)
{
    struct gather_in_tiles_frame all;
    int status = gather_in_tiles_check(&all, in, v, out, threads);
    char *block;
    uint64_t bytes;
    if (status != GATHER_IN_TILES_OK)
        return status;
    bytes = gather_in_tiles_layout(&all, NULL, in, v, out);
    if (bytes > SIZE_MAX - 64)
        return GATHER_IN_TILES_NO_MEMORY;
    block = (char *)malloc((size_t)bytes + 64);
    if (!block)
        return GATHER_IN_TILES_NO_MEMORY;
    status = gather_in_tiles_run(in, v, out, block + (64 - (uintptr_t)block % 64), (size_t)bytes,
        threads);
    free(block);
    return status;
}

int gather_in_tiles_region_of_in(const struct gather_in_tiles_in *in,
    const struct gather_in_tiles_v *v, const int64_t *output_box, int64_t *input_box)
{
    struct gather_in_tiles_frame all;
    const int status = gather_in_tiles_prepare(&all, in, v);
    if (status != GATHER_IN_TILES_OK)
        return status;
    if (!output_box || !input_box)
        return GATHER_IN_TILES_NULL_POINTER;
    const struct gather_in_tiles_frame *const frame = &all;
    const int64_t out_y_first = output_box[0];
    const int64_t out_y_end = output_box[1];
    const int64_t out_x_first = output_box[2];
    const int64_t out_x_end = output_box[3];
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    input_box[0] = flt_min_i64(flt_max_i64(out_y_first - 2, 0), in_y - 1);
    input_box[1] = flt_max_i64(flt_min_i64(out_y_end + 2, in_y), 1);
    input_box[2] = flt_min_i64(flt_max_i64(out_x_first - 1, 0), in_x - 1);
    input_box[3] = flt_max_i64(flt_min_i64(out_x_end + 1, in_x), 1);
    return GATHER_IN_TILES_OK;
}

int gather_in_tiles_region_of_v(const struct gather_in_tiles_in *in,
    const struct gather_in_tiles_v *v, const int64_t *output_box, int64_t *input_box)
{
    struct gather_in_tiles_frame all;
    const int status = gather_in_tiles_prepare(&all, in, v);
    if (status != GATHER_IN_TILES_OK)
        return status;
    if (!output_box || !input_box)
        return GATHER_IN_TILES_NULL_POINTER;
    const struct gather_in_tiles_frame *const frame = &all;
    const int64_t out_y_first = output_box[0];
    const int64_t out_y_end = output_box[1];
    const int64_t out_x_first = output_box[2];
    const int64_t out_x_end = output_box[3];
    const int64_t v_k = frame->v_k;
    const int64_t v_y = frame->v_y;
    const int64_t v_x = frame->v_x;
    input_box[0] = 0;
    input_box[1] = v_k;
    input_box[2] = flt_min_i64(flt_max_i64(out_y_first, 0), v_y - 1);
    input_box[3] = flt_max_i64(flt_min_i64(out_y_end, v_y), 1);
    input_box[4] = flt_min_i64(flt_max_i64(out_x_first, 0), v_x - 1);
    input_box[5] = flt_max_i64(flt_min_i64(out_x_end + 1, v_x), 1);
    return GATHER_IN_TILES_OK;
}
