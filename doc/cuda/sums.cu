/* sums. Needs the CUDA runtime alone: nvcc -O3 -arch=native -c sums.cu */
#include "sums.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__
#pragma nv_diag_suppress 1675 /* what follows is for the host's compiler */
#endif
/* The arithmetic below is exact as written: no contraction but where fma stands, no reassociation.
 * */
#ifdef __FAST_MATH__
#error "compile this file without -ffast-math: its results would change"
#endif
#ifdef _M_FP_FAST
#error "compile this file without /fp:fast: its results would change"
#endif
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma clang diagnostic ignored "-Wpass-failed" /* a loop that is not worth vectors */
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-math-errno")
#pragma GCC optimize("no-unsafe-math-optimizations", "no-associative-math")
#pragma GCC optimize("no-reciprocal-math", "no-finite-math-only", "signed-zeros")
/* Behind no-unsafe-math-optimizations, which sets it back. */
#pragma GCC optimize("no-trapping-math")
/* gcc 12 takes (double)(float)v, of two doubles side by side, for v. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
/* Other filters may stand in the same translation unit. */
#define flt_shift_is_arithmetic sums_flt_shift_is_arithmetic
#define flt_max_index sums_flt_max_index
#define flt_min_i32 sums_flt_min_i32
#define flt_min_index sums_flt_min_index
#define flt_index sums_flt_index
#define flt_blocks sums_flt_blocks
#define flt_is_coordinate sums_flt_is_coordinate
#define flt_places_left sums_flt_places_left
#define flt_row sums_flt_row
#define flt_times sums_flt_times
#define flt_behind sums_flt_behind
#define flt_is_of_device sums_flt_is_of_device

/* On a device, products that a sum would take up are calls. nvcc defines no macro for its options
 * -use_fast_math, -ftz=true and -prec-sqrt=false; a constant of its own shows them, and the
 * assembler
 * refuses the instruction. */
#if defined(__NVCC__) && defined(__CUDA_ARCH__)
extern "C" __device__ int __nvvm_reflect(const char *);
#define FLT_NEEDS_EXACT_FLOATS() \
    if (__nvvm_reflect("__CUDA_FTZ") || !__nvvm_reflect("__CUDA_PREC_SQRT")) \
        asm volatile("compile_without_use_fast_math_or_ftz_or_prec_sqrt_false;")
#else
#define FLT_NEEDS_EXACT_FLOATS() ((void)0)
#endif
#define FLT_RESTRICT __restrict__
#define FLT_INLINE static inline
#define FLT_APART

/* Floor division by powers of two is written as a shift. */
typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];

template <typename A, typename B>
static __host__ __device__ inline auto flt_max_index(A v, B w) -> decltype(v + w)
{
    const decltype(v + w) a = v, b = w;
    return a > b ? a : b;
}

static __host__ __device__ inline int32_t flt_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

template <typename A, typename B>
static __host__ __device__ inline auto flt_min_index(A v, B w) -> decltype(v + w)
{
    const decltype(v + w) a = v, b = w;
    return a < b ? a : b;
}

/* What all kernels of one call share. Strides are in samples. */
struct sums_frame {
    int64_t flt_first_x, flt_first_y, flt_first_z; /* blocks before those of a launch */
    const uint8_t *in;
    ptrdiff_t in_stride_y;
    ptrdiff_t in_stride_x;
    int64_t in_y;
    int64_t in_x;
    int32_t *out_tails;
    ptrdiff_t out_tails_stride_y_blocks;
    ptrdiff_t out_tails_stride_y_state;
    ptrdiff_t out_tails_stride_x_blocks;
    int32_t *out_rows_carry;
    ptrdiff_t out_rows_carry_stride_y;
    ptrdiff_t out_rows_carry_stride_x_blocks;
    int32_t *out_carry;
    ptrdiff_t out_carry_stride_y_blocks;
    ptrdiff_t out_carry_stride_y_place;
    uint32_t *out;
    ptrdiff_t out_stride_y;
    ptrdiff_t out_stride_x;
    int64_t out_tails_y_blocks;
    int64_t out_tails_x_blocks;
    int64_t out_rows_carry_y;
    int64_t out_rows_carry_x_blocks;
    int64_t out_carry_y_blocks;
};

static __device__ const int32_t sums_out_rows_weights[64] = {1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1};

/* out.tails: std.summed_area:9 */
template <typename flt_index>
static __global__ void __launch_bounds__(128) sums_out_tails(
    const __grid_constant__ struct sums_frame all)
{
    const struct sums_frame *const frame = &all;
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    int32_t *const out_tails = frame->out_tails;
    const flt_index out_tails_stride_y_blocks = (flt_index)frame->out_tails_stride_y_blocks;
    const flt_index out_tails_stride_y_state = (flt_index)frame->out_tails_stride_y_state;
    const flt_index out_tails_stride_x_blocks = (flt_index)frame->out_tails_stride_x_blocks;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    const flt_index out_tails_y_blocks = (flt_index)frame->out_tails_y_blocks;
    (void)out_tails_y_blocks;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    alignas(16) __shared__ uint32_t out_rows_local[4160];
    alignas(16) __shared__ uint32_t out_local[130];
    const flt_index y_blocks_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_blocks_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index out_tails_x_blocks_tile = x_blocks_block;
    const flt_index out_tails_x_blocks_tile_end =
        flt_min_index(out_tails_x_blocks_tile + 1, out_tails_x_blocks);
    const flt_index out_tails_y_blocks_tile = y_blocks_block;
    const flt_index out_tails_y_blocks_tile_end =
        flt_min_index(out_tails_y_blocks_tile + 1, out_tails_y_blocks);
    const flt_index out_local_y_tile =
        64 * (flt_min_index(64 * out_tails_y_blocks_tile + 63, in_y - 1) >> 6);
    const flt_index out_local_y_tile_end =
        flt_max_index(flt_min_index(64 * out_tails_y_blocks_tile_end, in_y), 1);
    const flt_index out_local_x_tile = flt_min_index(64 * out_tails_x_blocks_tile, in_x - 1);
    const flt_index out_local_x_tile_end =
        flt_max_index(flt_min_index(64 * out_tails_x_blocks_tile_end, in_x), 1);
    const flt_index out_rows_local_y_tile =
        flt_min_index(out_local_y_tile, flt_min_index(64 * out_tails_y_blocks_tile, in_y - 1));
    const flt_index out_rows_local_y_tile_end = flt_min_index(flt_max_index(out_local_y_tile_end,
        flt_max_index(flt_min_index(64 * out_tails_y_blocks_tile_end, in_y), 1)), in_y);
    const flt_index out_rows_local_x_tile = 64 * (flt_min_index(out_local_x_tile,
        flt_min_index(64 * out_tails_x_blocks_tile + 63, in_x - 1)) >> 6);
    const flt_index out_rows_local_x_tile_end = flt_min_index(flt_max_index(out_local_x_tile_end,
        flt_max_index(flt_min_index(64 * out_tails_x_blocks_tile_end, in_x), 1)), in_x);
    {
        const flt_index y_thread = (flt_index)threadIdx.y;
        const flt_index x_thread = (flt_index)threadIdx.x;
        const int block_inside = (out_rows_local_x_tile + 64) <= out_rows_local_x_tile_end
            && (out_rows_local_y_tile + 64) <= out_rows_local_y_tile_end
            && (64 * out_tails_y_blocks_tile_end) <= in_y
            && (64 * out_tails_x_blocks_tile_end) <= in_x;
        if (in_stride_x == 1 && block_inside) {
            for (flt_index y_part = 0; y_part < 16; y_part++) {
                for (flt_index x_part = 0; x_part < 2; x_part++) {
                    const flt_index out_rows_local_x_at =
                        out_rows_local_x_tile + x_thread + 32 * x_part;
                    const flt_index out_rows_local_y_at =
                        out_rows_local_y_tile + y_thread + 4 * y_part;
                    out_rows_local[(out_rows_local_y_at - out_rows_local_y_tile) * 65
                        + out_rows_local_x_at - out_rows_local_x_tile] =
                        (uint32_t)in[out_rows_local_y_at * in_stride_y + out_rows_local_x_at];
                }
            }
        } else {
            #pragma unroll 1
            for (flt_index y_part = 0; y_part < 16; y_part++) {
                #pragma unroll 1
                for (flt_index x_part = 0; x_part < 2; x_part++) {
                    if ((out_rows_local_x_tile + x_thread
                        + 32 * x_part) < out_rows_local_x_tile_end
                        && (out_rows_local_y_tile + y_thread
                        + 4 * y_part) < out_rows_local_y_tile_end) {
                        const flt_index out_rows_local_x_at =
                            out_rows_local_x_tile + x_thread + 32 * x_part;
                        const flt_index out_rows_local_y_at =
                            out_rows_local_y_tile + y_thread + 4 * y_part;
                        out_rows_local[(out_rows_local_y_at - out_rows_local_y_tile) * 65
                            + out_rows_local_x_at
                            - out_rows_local_x_tile] =
                            (uint32_t)in[out_rows_local_y_at * in_stride_y
                            + out_rows_local_x_at * in_stride_x];
                    }
                }
            }
        }
        __syncthreads();
        if ((out_rows_local_y_tile + x_thread + 32 * y_thread) < out_rows_local_y_tile_end) {
            const flt_index out_rows_local_y_at = out_rows_local_y_tile + x_thread + 32 * y_thread;
            uint32_t out_rows_local_kept[2];
            out_rows_local_kept[0] = 0;
            for (flt_index x = out_rows_local_x_tile; x < out_rows_local_x_tile_end; x++) {
                out_rows_local_kept[1] = out_rows_local_kept[0];
                const int64_t out_rows_local_kept_now =
                    (int64_t)(uint32_t)((int64_t)(uint8_t)(int64_t)out_rows_local[(out_rows_local_y_at
                    - out_rows_local_y_tile) * 65
                    + x - out_rows_local_x_tile] + (int64_t)out_rows_local_kept[1]);
                out_rows_local_kept[0] = (uint32_t)(out_rows_local_kept_now);
                out_rows_local[(out_rows_local_y_at - out_rows_local_y_tile) * 65
                    + x - out_rows_local_x_tile] = (uint32_t)(out_rows_local_kept_now);
            }
        }
        __syncthreads();
        if ((out_local_x_tile + x_thread + 32 * y_thread) < out_local_x_tile_end) {
            const flt_index out_local_x_at = out_local_x_tile + x_thread + 32 * y_thread;
            uint32_t out_local_kept[2];
            out_local_kept[0] = 0;
            for (flt_index y = out_local_y_tile; y < out_local_y_tile_end; y++) {
                out_local_kept[1] = out_local_kept[0];
                const int64_t out_local_kept_now = (int64_t)(uint32_t)((int64_t)out_rows_local[(y
                    - out_rows_local_y_tile) * 65
                    + out_local_x_at - out_rows_local_x_tile] + (int64_t)out_local_kept[1]);
                out_local_kept[0] = (uint32_t)(out_local_kept_now);
                out_local[((y - out_local_y_tile) & 1) * 65 + out_local_x_at - out_local_x_tile] =
                    (uint32_t)(out_local_kept_now);
            }
        }
        __syncthreads();
        if (block_inside) {
            for (flt_index y_blocks =
                out_tails_y_blocks_tile; y_blocks < out_tails_y_blocks_tile_end; y_blocks++) {
                for (flt_index x_blocks =
                    out_tails_x_blocks_tile; x_blocks < out_tails_x_blocks_tile_end; x_blocks++) {
                    for (flt_index y_place_part = 0; y_place_part < 2; y_place_part++) {
                        if ((int32_t)y_thread == 0) {
                            const flt_index out_tails_y_place_at = x_thread + 32 * y_place_part;
                            out_tails[y_blocks * out_tails_stride_y_blocks
                                + 0 * out_tails_stride_y_state
                                + x_blocks * out_tails_stride_x_blocks
                                + out_tails_y_place_at] =
                                (int32_t)(uint32_t)(int64_t)out_local[((64 * y_blocks
                                - out_local_y_tile
                                + 63) & 1) * 65 + 64 * x_blocks
                                + out_tails_y_place_at - out_local_x_tile];
                        }
                    }
                }
                for (flt_index x_blocks =
                    out_tails_x_blocks_tile; x_blocks < out_tails_x_blocks_tile_end; x_blocks++) {
                    for (flt_index y_place_part = 0; y_place_part < 2; y_place_part++) {
                        if ((int32_t)y_thread == 0) {
                            const flt_index out_tails_y_place_at = x_thread + 32 * y_place_part;
                            out_tails[y_blocks * out_tails_stride_y_blocks
                                + 1 * out_tails_stride_y_state
                                + x_blocks * out_tails_stride_x_blocks
                                + out_tails_y_place_at] =
                                (int32_t)(uint32_t)(int64_t)out_rows_local[(64 * y_blocks
                                + out_tails_y_place_at - out_rows_local_y_tile) * 65
                                + 64 * x_blocks - out_rows_local_x_tile + 63];
                        }
                    }
                }
            }
        } else {
            #pragma unroll 1
            for (flt_index y_blocks =
                out_tails_y_blocks_tile; y_blocks < out_tails_y_blocks_tile_end; y_blocks++) {
                #pragma unroll 1
                for (flt_index x_blocks =
                    out_tails_x_blocks_tile; x_blocks < out_tails_x_blocks_tile_end; x_blocks++) {
                    #pragma unroll 1
                    for (flt_index y_place_part = 0; y_place_part < 2; y_place_part++) {
                        if (((int32_t)x_thread + 32 * (int32_t)y_place_part) < 64
                            && (int32_t)y_thread == 0) {
                            const flt_index out_tails_y_place_at = x_thread + 32 * y_place_part;
                            out_tails[y_blocks * out_tails_stride_y_blocks
                                + 0 * out_tails_stride_y_state
                                + x_blocks * out_tails_stride_x_blocks
                                + out_tails_y_place_at] =
                                (int32_t)(uint32_t)(int64_t)out_local[((flt_min_index(64 * y_blocks
                                + 63, in_y - 1)
                                - out_local_y_tile) & 1) * 65 + flt_min_index(64 * x_blocks
                                + out_tails_y_place_at, in_x - 1) - out_local_x_tile];
                        }
                    }
                }
                #pragma unroll 1
                for (flt_index x_blocks =
                    out_tails_x_blocks_tile; x_blocks < out_tails_x_blocks_tile_end; x_blocks++) {
                    #pragma unroll 1
                    for (flt_index y_place_part = 0; y_place_part < 2; y_place_part++) {
                        if (((int32_t)x_thread + 32 * (int32_t)y_place_part) < 64
                            && (int32_t)y_thread == 0) {
                            const flt_index out_tails_y_place_at = x_thread + 32 * y_place_part;
                            out_tails[y_blocks * out_tails_stride_y_blocks
                                + 1 * out_tails_stride_y_state
                                + x_blocks * out_tails_stride_x_blocks
                                + out_tails_y_place_at] =
                                (int32_t)(uint32_t)(int64_t)out_rows_local[(flt_min_index(64 * y_blocks
                                + out_tails_y_place_at, in_y - 1)
                                - out_rows_local_y_tile) * 65
                                + flt_min_index(64 * x_blocks + 63, in_x - 1)
                                - out_rows_local_x_tile];
                        }
                    }
                }
            }
        }
    }
}

/* out.rows.carry: std.summed_area:8 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) sums_out_rows_carry(
    const __grid_constant__ struct sums_frame all)
{
    const struct sums_frame *const frame = &all;
    int32_t *FLT_RESTRICT const out_rows_carry = frame->out_rows_carry;
    const flt_index out_rows_carry_stride_y = (flt_index)frame->out_rows_carry_stride_y;
    const flt_index out_rows_carry_stride_x_blocks =
        (flt_index)frame->out_rows_carry_stride_x_blocks;
    const int32_t *FLT_RESTRICT const out_tails = frame->out_tails;
    const flt_index out_tails_stride_y_blocks = (flt_index)frame->out_tails_stride_y_blocks;
    const flt_index out_tails_stride_y_state = (flt_index)frame->out_tails_stride_y_state;
    const flt_index out_tails_stride_x_blocks = (flt_index)frame->out_tails_stride_x_blocks;
    const flt_index out_rows_carry_y = (flt_index)frame->out_rows_carry_y;
    (void)out_rows_carry_y;
    const flt_index out_rows_carry_x_blocks = (flt_index)frame->out_rows_carry_x_blocks;
    (void)out_rows_carry_x_blocks;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index out_tails_y_blocks = (flt_index)frame->out_tails_y_blocks;
    (void)out_tails_y_blocks;
    const flt_index y_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.x;
    if ((32 * y_block + y_thread) < out_rows_carry_y) {
        const flt_index y = 32 * y_block + y_thread;
        int32_t out_rows_carry_kept[2];
        out_rows_carry_kept[0] = 0;
        if (0 < (int32_t)out_rows_carry_x_blocks) {
            out_rows_carry_kept[1] = out_rows_carry_kept[0];
            const int32_t out_rows_carry_kept_now = out_rows_carry_kept[1];
            out_rows_carry_kept[0] = out_rows_carry_kept_now;
            out_rows_carry[y * out_rows_carry_stride_y + 0 * out_rows_carry_stride_x_blocks + 0] =
                out_rows_carry_kept_now;
        }
        #pragma unroll 8
        for (flt_index x_blocks = 1; x_blocks < out_rows_carry_x_blocks; x_blocks++) {
            out_rows_carry_kept[1] = out_rows_carry_kept[0];
            const int32_t value_1 =
                flt_min_i32((int32_t)x_blocks - 1, (int32_t)out_tails_x_blocks - 1);
            const int32_t out_rows_carry_kept_now =
                (int32_t)(uint32_t)((int64_t)((flt_index)out_rows_carry_kept[1])
                + (int64_t)(y < in_y
                ? (flt_index)out_tails[flt_min_index(y >> 6,
                out_tails_y_blocks - 1) * out_tails_stride_y_blocks + 1 * out_tails_stride_y_state
                + (flt_index)value_1 * out_tails_stride_x_blocks + (y & 63)]
                : (flt_index)out_tails[flt_min_index(flt_max_index(y - in_y, 0),
                out_tails_y_blocks - 1) * out_tails_stride_y_blocks + 0 * out_tails_stride_y_state
                + (flt_index)value_1 * out_tails_stride_x_blocks + 63]));
            out_rows_carry_kept[0] = out_rows_carry_kept_now;
            out_rows_carry[y * out_rows_carry_stride_y + x_blocks * out_rows_carry_stride_x_blocks
                + 0] = out_rows_carry_kept_now;
        }
    }
}

/* out.carry: std.summed_area:9 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) sums_out_carry(
    const __grid_constant__ struct sums_frame all)
{
    const struct sums_frame *const frame = &all;
    int32_t *FLT_RESTRICT const out_carry = frame->out_carry;
    const flt_index out_carry_stride_y_blocks = (flt_index)frame->out_carry_stride_y_blocks;
    const flt_index out_carry_stride_y_place = (flt_index)frame->out_carry_stride_y_place;
    const int32_t *FLT_RESTRICT const out_rows_carry = frame->out_rows_carry;
    const flt_index out_rows_carry_stride_y = (flt_index)frame->out_rows_carry_stride_y;
    const flt_index out_rows_carry_stride_x_blocks =
        (flt_index)frame->out_rows_carry_stride_x_blocks;
    const int32_t *FLT_RESTRICT const out_tails = frame->out_tails;
    const flt_index out_tails_stride_y_blocks = (flt_index)frame->out_tails_stride_y_blocks;
    const flt_index out_tails_stride_y_state = (flt_index)frame->out_tails_stride_y_state;
    const flt_index out_tails_stride_x_blocks = (flt_index)frame->out_tails_stride_x_blocks;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_carry_y_blocks = (flt_index)frame->out_carry_y_blocks;
    (void)out_carry_y_blocks;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index out_rows_carry_y = (flt_index)frame->out_rows_carry_y;
    (void)out_rows_carry_y;
    const flt_index out_tails_y_blocks = (flt_index)frame->out_tails_y_blocks;
    (void)out_tails_y_blocks;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index x_thread = (flt_index)threadIdx.x;
    if (((int32_t)x_thread + 32 * (int32_t)x_block) < (int32_t)in_x) {
        const flt_index x = x_thread + 32 * x_block;
        int32_t out_carry_kept[2];
        out_carry_kept[0] = 0;
        if (0 < (int32_t)out_carry_y_blocks) {
            out_carry_kept[1] = out_carry_kept[0];
            const int32_t out_carry_kept_now = out_carry_kept[1];
            out_carry_kept[0] = out_carry_kept_now;
            out_carry[0 * out_carry_stride_y_blocks + 0 * out_carry_stride_y_place + x] =
                out_carry_kept_now;
        }
        #pragma unroll 8
        for (flt_index y_blocks = 1; y_blocks < out_carry_y_blocks; y_blocks++) {
            out_carry_kept[1] = out_carry_kept[0];
            const int32_t out_carry_kept_now =
                (int32_t)(uint32_t)((int64_t)((flt_index)out_carry_kept[1])
                + (int64_t)(int32_t)(uint32_t)((int64_t)((flt_index)sums_out_rows_weights[0 * 64
                + (x & 63)]) * (int64_t)((flt_index)out_rows_carry[flt_min_index(in_y + y_blocks
                + 64 - 65, out_rows_carry_y - 1) * out_rows_carry_stride_y
                + (x >> 6) * out_rows_carry_stride_x_blocks
                + 0]) + (int64_t)((flt_index)out_tails[flt_min_index(y_blocks - 1,
                out_tails_y_blocks - 1) * out_tails_stride_y_blocks + 0 * out_tails_stride_y_state
                + flt_min_index(x >> 6, out_tails_x_blocks - 1) * out_tails_stride_x_blocks
                + (x & 63)])));
            out_carry_kept[0] = out_carry_kept_now;
            out_carry[y_blocks * out_carry_stride_y_blocks + 0 * out_carry_stride_y_place + x] =
                out_carry_kept_now;
        }
    }
}

/* out: std.summed_area:9 */
template <typename flt_index>
static __global__ void __launch_bounds__(128) sums_out(
    const __grid_constant__ struct sums_frame all)
{
    const struct sums_frame *const frame = &all;
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    const int32_t *FLT_RESTRICT const out_rows_carry = frame->out_rows_carry;
    const flt_index out_rows_carry_stride_y = (flt_index)frame->out_rows_carry_stride_y;
    const flt_index out_rows_carry_stride_x_blocks =
        (flt_index)frame->out_rows_carry_stride_x_blocks;
    const int32_t *FLT_RESTRICT const out_carry = frame->out_carry;
    const flt_index out_carry_stride_y_blocks = (flt_index)frame->out_carry_stride_y_blocks;
    const flt_index out_carry_stride_y_place = (flt_index)frame->out_carry_stride_y_place;
    uint32_t *const out = frame->out;
    const flt_index out_stride_y = (flt_index)frame->out_stride_y;
    const flt_index out_stride_x = (flt_index)frame->out_stride_x;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    alignas(16) __shared__ uint32_t out_rows_again[4160];
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index out_x_tile = 64 * x_block;
    const flt_index out_x_tile_end = flt_min_index(out_x_tile + 64, in_x);
    const flt_index out_y_tile = 64 * y_block;
    const flt_index out_y_tile_end = flt_min_index(out_y_tile + 64, in_y);
    const flt_index out_tile_y_tile = flt_min_index(out_y_tile, in_y - 1);
    const flt_index out_tile_y_tile_end = flt_max_index(flt_min_index(out_y_tile_end, in_y), 1);
    const flt_index out_tile_x_tile = flt_min_index(out_x_tile, in_x - 1);
    const flt_index out_tile_x_tile_end = flt_max_index(flt_min_index(out_x_tile_end, in_x), 1);
    const flt_index out_rows_again_y_tile = flt_min_index(out_tile_y_tile, in_y - 1);
    const flt_index out_rows_again_y_tile_end =
        flt_max_index(flt_min_index(out_tile_y_tile_end, in_y), 1);
    const flt_index out_rows_again_x_tile = flt_min_index(out_tile_x_tile, in_x - 1);
    const flt_index out_rows_again_x_tile_end =
        flt_max_index(flt_min_index(out_tile_x_tile_end, in_x), 1);
    {
        const flt_index y_thread = (flt_index)threadIdx.y;
        const flt_index x_thread = (flt_index)threadIdx.x;
        const int block_inside = (out_rows_again_x_tile + 64) <= out_rows_again_x_tile_end
            && (out_rows_again_y_tile + 64) <= out_rows_again_y_tile_end
            && (int32_t)out_rows_again_x_tile <= (64 * ((int32_t)out_rows_again_x_tile >> 6))
            && (int32_t)out_tile_y_tile <= (64 * ((int32_t)out_tile_y_tile >> 6))
            && (out_x_tile + 64) <= out_x_tile_end && (out_y_tile + 64) <= out_y_tile_end;
        if (in_stride_x == 1 && block_inside) {
            for (flt_index y_part = 0; y_part < 16; y_part++) {
                for (flt_index x_part = 0; x_part < 2; x_part++) {
                    const flt_index out_rows_again_x_at =
                        out_rows_again_x_tile + x_thread + 32 * x_part;
                    const flt_index out_rows_again_y_at =
                        out_rows_again_y_tile + y_thread + 4 * y_part;
                    out_rows_again[(out_rows_again_y_at - out_rows_again_y_tile) * 65
                        + out_rows_again_x_at - out_rows_again_x_tile] =
                        (uint32_t)in[out_rows_again_y_at * in_stride_y + out_rows_again_x_at];
                }
            }
        } else {
            #pragma unroll 1
            for (flt_index y_part = 0; y_part < 16; y_part++) {
                #pragma unroll 1
                for (flt_index x_part = 0; x_part < 2; x_part++) {
                    if ((out_rows_again_x_tile + x_thread
                        + 32 * x_part) < out_rows_again_x_tile_end
                        && (out_rows_again_y_tile + y_thread
                        + 4 * y_part) < out_rows_again_y_tile_end) {
                        const flt_index out_rows_again_x_at =
                            out_rows_again_x_tile + x_thread + 32 * x_part;
                        const flt_index out_rows_again_y_at =
                            out_rows_again_y_tile + y_thread + 4 * y_part;
                        out_rows_again[(out_rows_again_y_at - out_rows_again_y_tile) * 65
                            + out_rows_again_x_at
                            - out_rows_again_x_tile] =
                            (uint32_t)in[out_rows_again_y_at * in_stride_y
                            + out_rows_again_x_at * in_stride_x];
                    }
                }
            }
        }
        __syncthreads();
        if (block_inside) {
            if ((out_rows_again_y_tile + x_thread + 32 * y_thread) < out_rows_again_y_tile_end) {
                const flt_index out_rows_again_y_at =
                    out_rows_again_y_tile + x_thread + 32 * y_thread;
                uint32_t out_rows_again_kept[2];
                out_rows_again_kept[0] = (uint32_t)(((int32_t)out_rows_again_x_tile >> 6) == 0
                    ? 0
                    : (int64_t)(uint32_t)out_rows_carry[out_rows_again_y_at * out_rows_carry_stride_y
                    + (out_rows_again_x_tile >> 6) * out_rows_carry_stride_x_blocks
                    + out_rows_again_x_tile - 64 * (out_rows_again_x_tile >> 6)]);
                for (flt_index x = out_rows_again_x_tile; x < out_rows_again_x_tile_end; x++) {
                    out_rows_again_kept[1] = out_rows_again_kept[0];
                    const int64_t out_rows_again_kept_now =
                        (int64_t)(uint32_t)((int64_t)(uint8_t)(int64_t)out_rows_again[(out_rows_again_y_at
                        - out_rows_again_y_tile) * 65
                        + x - out_rows_again_x_tile] + (int64_t)out_rows_again_kept[1]);
                    out_rows_again_kept[0] = (uint32_t)(out_rows_again_kept_now);
                    out_rows_again[(out_rows_again_y_at - out_rows_again_y_tile) * 65
                        + x - out_rows_again_x_tile] = (uint32_t)(out_rows_again_kept_now);
                }
            }
        } else {
            if ((out_rows_again_y_tile + x_thread + 32 * y_thread) < out_rows_again_y_tile_end) {
                const flt_index out_rows_again_y_at =
                    out_rows_again_y_tile + x_thread + 32 * y_thread;
                uint32_t out_rows_again_kept[2];
                out_rows_again_kept[0] = (uint32_t)(((int32_t)out_rows_again_x_tile >> 6) == 0
                    ? 0
                    : (int64_t)(uint32_t)out_rows_carry[out_rows_again_y_at * out_rows_carry_stride_y
                    + (out_rows_again_x_tile >> 6) * out_rows_carry_stride_x_blocks + 0]);
                #pragma unroll 1
                for (flt_index x = out_rows_again_x_tile; x < out_rows_again_x_tile_end; x++) {
                    out_rows_again_kept[1] = out_rows_again_kept[0];
                    const int64_t out_rows_again_kept_now =
                        (int64_t)(uint32_t)((int64_t)(uint8_t)(int64_t)out_rows_again[(out_rows_again_y_at
                        - out_rows_again_y_tile) * 65
                        + x - out_rows_again_x_tile] + (int64_t)out_rows_again_kept[1]);
                    out_rows_again_kept[0] = (uint32_t)(out_rows_again_kept_now);
                    out_rows_again[(out_rows_again_y_at - out_rows_again_y_tile) * 65
                        + x - out_rows_again_x_tile] = (uint32_t)(out_rows_again_kept_now);
                }
            }
        }
        __syncthreads();
        if (block_inside) {
            if ((x_thread + 32 * y_thread + out_tile_x_tile) < out_tile_x_tile_end) {
                const flt_index out_tile_x_at = x_thread + 32 * y_thread + out_tile_x_tile;
                uint32_t out_rows_again_kept_2[2];
                out_rows_again_kept_2[0] = (uint32_t)(((int32_t)out_tile_y_tile >> 6) == 0
                    ? 0
                    : (int64_t)(uint32_t)out_carry[(out_tile_y_tile >> 6) * out_carry_stride_y_blocks
                    + (out_tile_y_tile - 64 * (out_tile_y_tile >> 6)) * out_carry_stride_y_place
                    + out_tile_x_at]);
                for (flt_index y = out_tile_y_tile; y < out_tile_y_tile_end; y++) {
                    out_rows_again_kept_2[1] = out_rows_again_kept_2[0];
                    const int64_t out_rows_again_kept_2_now =
                        (int64_t)(uint32_t)((int64_t)out_rows_again[(y
                        - out_rows_again_y_tile) * 65
                        + out_tile_x_at - out_rows_again_x_tile]
                        + (int64_t)out_rows_again_kept_2[1]);
                    out_rows_again_kept_2[0] = (uint32_t)(out_rows_again_kept_2_now);
                    out_rows_again[(y - out_rows_again_y_tile) * 65
                        + out_tile_x_at - out_rows_again_x_tile] =
                        (uint32_t)(out_rows_again_kept_2_now);
                }
            }
        } else {
            if ((x_thread + 32 * y_thread + out_tile_x_tile) < out_tile_x_tile_end) {
                const flt_index out_tile_x_at = x_thread + 32 * y_thread + out_tile_x_tile;
                uint32_t out_rows_again_kept_2[2];
                out_rows_again_kept_2[0] = (uint32_t)(((int32_t)out_tile_y_tile >> 6) == 0
                    ? 0
                    : (int64_t)(uint32_t)out_carry[(out_tile_y_tile >> 6) * out_carry_stride_y_blocks
                    + 0 * out_carry_stride_y_place + out_tile_x_at]);
                #pragma unroll 1
                for (flt_index y = out_tile_y_tile; y < out_tile_y_tile_end; y++) {
                    out_rows_again_kept_2[1] = out_rows_again_kept_2[0];
                    const int64_t out_rows_again_kept_2_now =
                        (int64_t)(uint32_t)((int64_t)out_rows_again[(y
                        - out_rows_again_y_tile) * 65
                        + out_tile_x_at - out_rows_again_x_tile]
                        + (int64_t)out_rows_again_kept_2[1]);
                    out_rows_again_kept_2[0] = (uint32_t)(out_rows_again_kept_2_now);
                    out_rows_again[(y - out_rows_again_y_tile) * 65
                        + out_tile_x_at - out_rows_again_x_tile] =
                        (uint32_t)(out_rows_again_kept_2_now);
                }
            }
        }
        __syncthreads();
        if (out_stride_x == 1 && block_inside) {
            for (flt_index y_part = 0; y_part < 16; y_part++) {
                for (flt_index x_part = 0; x_part < 2; x_part++) {
                    const flt_index out_x_at = x_thread + 32 * x_part + out_x_tile;
                    const flt_index out_y_at = y_thread + 4 * y_part + out_y_tile;
                    out[out_y_at * out_stride_y
                        + out_x_at] = out_rows_again[(out_y_at - out_rows_again_y_tile) * 65
                        + out_x_at - out_rows_again_x_tile];
                }
            }
        } else {
            #pragma unroll 1
            for (flt_index y_part = 0; y_part < 16; y_part++) {
                #pragma unroll 1
                for (flt_index x_part = 0; x_part < 2; x_part++) {
                    if ((x_thread + 32 * x_part + out_x_tile) < out_x_tile_end
                        && (y_thread + 4 * y_part + out_y_tile) < out_y_tile_end) {
                        const flt_index out_x_at = x_thread + 32 * x_part + out_x_tile;
                        const flt_index out_y_at = y_thread + 4 * y_part + out_y_tile;
                        out[out_y_at * out_stride_y
                            + out_x_at * out_stride_x] = out_rows_again[(out_y_at
                            - out_rows_again_y_tile) * 65 + out_x_at - out_rows_again_x_tile];
                    }
                }
            }
        }
    }
}

/* Blocks of one launch along x; along y and z. */
#ifndef FLT_MOST_BLOCKS_X
#define FLT_MOST_BLOCKS_X 2147483647
#endif
#ifndef FLT_MOST_BLOCKS
#define FLT_MOST_BLOCKS 65535
#endif
static unsigned flt_blocks(int64_t blocks, int64_t most)
{
    return (unsigned)(blocks < most ? blocks : most);
}

/* Starts the kernel with so many blocks of threads: in one launch, in several where there are more
 * blocks than one takes, in none where there are none. */
static cudaError_t sums_launch(void (*kernel)(struct sums_frame), const struct sums_frame *frame,
    int64_t grid_x, int64_t grid_y, int64_t grid_z, unsigned block_x, unsigned block_y,
    struct CUstream_st *stream)
{
    const int64_t most_x = FLT_MOST_BLOCKS_X, most = FLT_MOST_BLOCKS;
    struct sums_frame all = *frame;
    void *arguments[] = {&all};
    cudaError_t error = cudaSuccess;
    for (int64_t z = 0; z < grid_z; z += most)
        for (int64_t y = 0; y < grid_y; y += most)
            for (int64_t x = 0; x < grid_x && error == cudaSuccess; x += most_x) {
                const dim3 grid(flt_blocks(grid_x - x, most_x), flt_blocks(grid_y - y, most),
                    flt_blocks(grid_z - z, most));
                all.flt_first_x = x;
                all.flt_first_y = y;
                all.flt_first_z = z;
                error =
                    cudaLaunchKernel(kernel, grid, dim3(block_x, block_y), arguments, 0, stream);
            }
    return error;
}

/* With more, kernels have coordinates of 64 bits; 0: always. */
#ifndef FLT_MOST_PLACES
#define FLT_MOST_PLACES INT32_MAX
#endif
static bool flt_is_coordinate(int64_t v)
{
    return -268435456 <= v && v <= 268435456;
}

/* Of so many places, those that an axis leaves; less than 0: there are fewer. */
static int64_t flt_places_left(int64_t places, int64_t extent, ptrdiff_t stride)
{
    const bool small = -INT32_MAX <= stride && stride <= INT32_MAX && flt_is_coordinate(extent);
    return places < 0 || !small ? -1 : places - extent * (stride < 0 ? -stride : stride);
}

/* Whether 32 bits hold all coordinates, and places in images. */
static bool sums_fits_32_bits(const struct sums_frame *frame)
{
    (void)frame;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    const int64_t out_tails_y_blocks = frame->out_tails_y_blocks;
    const int64_t out_tails_x_blocks = frame->out_tails_x_blocks;
    const int64_t out_rows_carry_y = frame->out_rows_carry_y;
    const int64_t out_rows_carry_x_blocks = frame->out_rows_carry_x_blocks;
    const int64_t out_carry_y_blocks = frame->out_carry_y_blocks;
    return FLT_MOST_PLACES > 0
        && flt_is_coordinate(in_y)
        && flt_is_coordinate(in_x)
        && flt_is_coordinate(out_tails_y_blocks)
        && flt_is_coordinate(out_tails_x_blocks)
        && flt_is_coordinate(out_rows_carry_y)
        && flt_is_coordinate(out_rows_carry_x_blocks)
        && flt_is_coordinate(out_carry_y_blocks)
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->in_stride_y), in_x,
            frame->in_stride_x) >= 0
        && flt_places_left(flt_places_left(flt_places_left(FLT_MOST_PLACES, out_tails_y_blocks,
            frame->out_tails_stride_y_blocks), 2,
            frame->out_tails_stride_y_state), out_tails_x_blocks,
            frame->out_tails_stride_x_blocks) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_rows_carry_y,
            frame->out_rows_carry_stride_y), out_rows_carry_x_blocks,
            frame->out_rows_carry_stride_x_blocks) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_carry_y_blocks,
            frame->out_carry_stride_y_blocks), 1, frame->out_carry_stride_y_place) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_stride_y), in_x,
            frame->out_stride_x) >= 0;
}

static cudaError_t sums_kernels(const struct sums_frame *frame, struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    const int64_t in_x = frame->in_x;
    const int64_t out_tails_y_blocks = frame->out_tails_y_blocks;
    const int64_t out_tails_x_blocks = frame->out_tails_x_blocks;
    const int64_t out_rows_carry_y = frame->out_rows_carry_y;
    error = sums_launch(sums_fits_32_bits(frame)
        ? sums_out_tails<int32_t> : sums_out_tails<int64_t>, frame, out_tails_x_blocks,
        out_tails_y_blocks, 1, 32, 4, stream);
    if (error != cudaSuccess)
        return error;
    error = sums_launch(sums_fits_32_bits(frame)
        ? sums_out_rows_carry<int32_t> : sums_out_rows_carry<int64_t>, frame,
        (out_rows_carry_y + 31) / 32, 1, 1, 32, 1, stream);
    if (error != cudaSuccess)
        return error;
    error = sums_launch(sums_fits_32_bits(frame)
        ? sums_out_carry<int32_t> : sums_out_carry<int64_t>, frame, (in_x + 31) / 32, 1, 1, 32, 1,
        stream);
    if (error != cudaSuccess)
        return error;
    error = sums_launch(sums_fits_32_bits(frame) ? sums_out<int32_t> : sums_out<int64_t>, frame,
        out_tails_x_blocks, out_tails_y_blocks, 1, 32, 4, stream);
    if (error != cudaSuccess)
        return error;
    return error;
}

const char *sums_status_text(int status)
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
    case 10000:
        return "there is no device, or no driver for it";
    case 10001:
        return "there is not enough memory on the device";
    default:
        return status == 15000 ? "in.data is no memory of a device"
        : status == 15001 ? "out.data is no memory of a device"
        : status == 15002 ? "scratch is no memory of a device"
        : status > 20000 ? cudaGetErrorString((cudaError_t)(status - 20000)) : "unknown status";
    }
}

/* Checks inputs and parameters; sets extents. */
static int sums_measure(struct sums_frame *frame, const struct sums_in *in)
{
    if (!in)
        return SUMS_NULL_POINTER;
    if (in->y < 1 || in->x < 1)
        return SUMS_BAD_EXTENT;
    if ((double)in->y * in->x > 1099511627776.0)
        return SUMS_BAD_EXTENT;
    const int64_t in_y = in->y;
    frame->in_y = in_y;
    const int64_t in_x = in->x;
    frame->in_x = in_x;
    const int64_t out_tails_y_blocks = (in_y + 63) / 64;
    frame->out_tails_y_blocks = out_tails_y_blocks;
    const int64_t out_tails_x_blocks = (in_x + 63) / 64;
    frame->out_tails_x_blocks = out_tails_x_blocks;
    const int64_t out_rows_carry_y = in_y + out_tails_y_blocks;
    frame->out_rows_carry_y = out_rows_carry_y;
    const int64_t out_rows_carry_x_blocks = (in_x - 1) / 64 + 1;
    frame->out_rows_carry_x_blocks = out_rows_carry_x_blocks;
    const int64_t out_carry_y_blocks = (in_y - 1) / 64 + 1;
    frame->out_carry_y_blocks = out_carry_y_blocks;
    return SUMS_OK;
}

int sums_extents(const struct sums_in *in, struct sums_out *out)
{
    struct sums_frame all;
    const int status = sums_measure(&all, in);
    if (status != SUMS_OK)
        return status;
    const struct sums_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return SUMS_NULL_POINTER;
    out->y = (int32_t)in_y;
    out->x = (int32_t)in_x;
    out->stride_x = 1;
    out->stride_y = out->stride_x * out->x;
    return SUMS_OK;
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
static uint64_t sums_layout(struct sums_frame *frame, char *memory, const struct sums_in *in,
    const struct sums_out *out)
{
    uint64_t at = 0;
    const int64_t in_x = frame->in_x;
    const int64_t out_tails_y_blocks = frame->out_tails_y_blocks;
    const int64_t out_tails_x_blocks = frame->out_tails_x_blocks;
    const int64_t out_rows_carry_y = frame->out_rows_carry_y;
    const int64_t out_rows_carry_x_blocks = frame->out_rows_carry_x_blocks;
    const int64_t out_carry_y_blocks = frame->out_carry_y_blocks;
    if (memory)
        frame->out_tails = (int32_t *)(void *)(memory + at);
    at = flt_behind(at,
        flt_times(flt_times(flt_times(flt_times(4, out_tails_y_blocks), 2), out_tails_x_blocks),
        64));
    if (memory)
        frame->out_rows_carry = (int32_t *)(void *)(memory + at);
    at = flt_behind(at,
        flt_times(flt_times(flt_times(4, out_rows_carry_y), out_rows_carry_x_blocks), 1));
    if (memory)
        frame->out_carry = (int32_t *)(void *)(memory + at);
    at = flt_behind(at,
        flt_times(flt_times(flt_times(4, out_carry_y_blocks), 1), flt_row(in_x, 4)));
    frame->out_tails_stride_y_blocks = (ptrdiff_t)(2 * out_tails_x_blocks * 64);
    frame->out_tails_stride_y_state = (ptrdiff_t)(out_tails_x_blocks * 64);
    frame->out_tails_stride_x_blocks = (ptrdiff_t)64;
    frame->out_rows_carry_stride_y = (ptrdiff_t)(out_rows_carry_x_blocks * 1);
    frame->out_rows_carry_stride_x_blocks = (ptrdiff_t)1;
    frame->out_carry_stride_y_blocks = (ptrdiff_t)(1 * flt_row(in_x, 4));
    frame->out_carry_stride_y_place = (ptrdiff_t)flt_row(in_x, 4);
    frame->in = in->data;
    frame->in_stride_y = in->stride_y;
    frame->in_stride_x = in->stride_x;
    frame->out = out->data;
    frame->out_stride_y = out->stride_y;
    frame->out_stride_x = out->stride_x;
    return at;
}

/* Checks all but memory of images; sets all of the frame but the scratch memory. */
static int sums_check_shapes(struct sums_frame *frame, const struct sums_in *in,
    const struct sums_out *out)
{
    struct sums_frame all;
    int status;
    if (!in)
        return SUMS_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = sums_measure(&all, in);
    if (status != SUMS_OK)
        return status;
    *frame = all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return SUMS_NULL_POINTER;
    if (out->y != in_y)
        return SUMS_BAD_OUTPUT;
    if (out->x != in_x)
        return SUMS_BAD_OUTPUT;
    return SUMS_OK;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int sums_check(struct sums_frame *frame, const struct sums_in *in,
    const struct sums_out *out)
{
    if (!in || !in->data)
        return SUMS_NULL_POINTER;
    if (!out || !out->data)
        return SUMS_NULL_POINTER;
    const int status = sums_check_shapes(frame, in, out);
    if (status != SUMS_OK)
        return status;
    if ((const void *)out->data == (const void *)in->data)
        return SUMS_OVERLAP;
    return SUMS_OK;
}

size_t sums_scratch_bytes(const struct sums_in *in, const struct sums_out *out)
{
    struct sums_frame all;
    if (sums_check_shapes(&all, in, out) != SUMS_OK)
        return SIZE_MAX;
    {
        const uint64_t bytes = sums_layout(&all, NULL, in, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

/* The status for what a call of the runtime gave. */
static int sums_status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return SUMS_OK;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
        return SUMS_NO_DEVICE;
    case cudaErrorMemoryAllocation:
        return SUMS_NO_DEVICE_MEMORY;
    default:
        return SUMS_DEVICE + (int)error;
    }
}

#ifdef FLT_DEBUG
static bool flt_is_of_device(const void *memory)
{
    struct cudaPointerAttributes found;
    return !memory || (cudaPointerGetAttributes(&found, memory) == cudaSuccess
        && found.devicePointer);
}
#endif

int sums_run(const struct sums_in *in, const struct sums_out *out, void *scratch,
    size_t scratch_bytes, struct CUstream_st *stream)
{
    struct sums_frame all;
    const int status = sums_check(&all, in, out);
    if (status != SUMS_OK)
        return status;
    {
        const uint64_t bytes = sums_layout(&all, NULL, in, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return SUMS_BAD_SCRATCH;
    }
    (void)sums_layout(&all, (char *)scratch, in, out);
#ifdef FLT_DEBUG
    const void *const flt_memory[] = {in->data, out->data, scratch};
    for (int i = 0; i <= 2; i++)
        if (!flt_is_of_device(flt_memory[i]))
            return SUMS_ELSEWHERE + i;
#endif
    return sums_status_of(sums_kernels(&all, stream));
}

int sums(const struct sums_in *in, const struct sums_out *out)
{
    struct sums_frame all;
    char *host, *device = NULL;
    cudaError_t error;
    int status = sums_check(&all, in, out);
    if (status != SUMS_OK)
        return status;
    const struct sums_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    struct sums_in flt_copy_of_in = *in;
    flt_copy_of_in.stride_x = 1;
    flt_copy_of_in.stride_y = flt_copy_of_in.stride_x * flt_copy_of_in.x;
    struct sums_out flt_copy_of_out = *out;
    flt_copy_of_out.stride_x = 1;
    flt_copy_of_out.stride_y = flt_copy_of_out.stride_x * flt_copy_of_out.x;
    const uint64_t flt_place_of_in = 0;
    const uint64_t flt_place_of_out =
        flt_behind(flt_place_of_in, flt_times(flt_times(1, in_y), in_x));
    const uint64_t images = flt_behind(flt_place_of_out, flt_times(flt_times(4, in_y), in_x));
    const uint64_t scratch = sums_layout(&all, NULL, &flt_copy_of_in, &flt_copy_of_out);
    host = (char *)malloc((size_t)images);
    if (!host)
        return SUMS_NO_MEMORY;
    const size_t flt_pitch_of_in = !(in->stride_y == flt_copy_of_in.stride_y
        && in->stride_x == flt_copy_of_in.stride_x) && in->stride_x == 1 && in->stride_y >= in->x
        && in->stride_y <= INT32_MAX / 8 ? (size_t)in->stride_y * sizeof *in->data : 0;
    const char *flt_from_in = (const char *)in->data;
    if (!(flt_pitch_of_in
        || (in->stride_y == flt_copy_of_in.stride_y && in->stride_x == flt_copy_of_in.stride_x))) {
        uint8_t *const packed = (uint8_t *)(void *)(host + flt_place_of_in);
        for (int64_t i0 = 0; i0 < in->y; i0++)
            if (in->stride_x == 1)
                memcpy(packed + i0 * flt_copy_of_in.stride_y, in->data + i0 * in->stride_y,
                    (size_t)in->x * sizeof *packed);
            else
                for (int64_t i1 = 0; i1 < in->x; i1++)
                    packed[i0 * flt_copy_of_in.stride_y + i1 * flt_copy_of_in.stride_x] =
                        in->data[i0 * in->stride_y + i1 * in->stride_x];
        flt_from_in = host + flt_place_of_in;
    }
    const size_t flt_pitch_of_out = !(out->stride_y == flt_copy_of_out.stride_y
        && out->stride_x == flt_copy_of_out.stride_x) && out->stride_x == 1
        && out->stride_y >= out->x && out->stride_y <= INT32_MAX / 8
        ? (size_t)out->stride_y * sizeof *out->data : 0;
    char *const flt_to_out = flt_pitch_of_out
        || (out->stride_y == flt_copy_of_out.stride_y && out->stride_x == flt_copy_of_out.stride_x)
        ? (char *)out->data : host + flt_place_of_out;
    error = cudaMalloc((void **)&device, (size_t)(images + scratch));
    if (error == cudaSuccess)
        error = flt_pitch_of_in
            ? cudaMemcpy2D(device + flt_place_of_in, (size_t)in->x * sizeof *in->data, flt_from_in,
            flt_pitch_of_in, (size_t)in->x * sizeof *in->data, (size_t)in->y,
            cudaMemcpyHostToDevice)
            : cudaMemcpy(device + flt_place_of_in, flt_from_in,
                (size_t)flt_times(flt_times(1, in_y), in_x), cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        flt_copy_of_in.data = (const uint8_t *)(void *)(device + flt_place_of_in);
        flt_copy_of_out.data = (uint32_t *)(void *)(device + flt_place_of_out);
        status =
            sums_run(&flt_copy_of_in, &flt_copy_of_out, device + images, (size_t)scratch, NULL);
    }
    if (error == cudaSuccess && status == SUMS_OK)
        error = flt_pitch_of_out
            ? cudaMemcpy2D(flt_to_out, flt_pitch_of_out, device + flt_place_of_out,
            (size_t)out->x * sizeof *out->data, (size_t)out->x * sizeof *out->data, (size_t)out->y,
            cudaMemcpyDeviceToHost)
            : cudaMemcpy(flt_to_out, device + flt_place_of_out,
                (size_t)flt_times(flt_times(4, in_y), in_x), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        status = sums_status_of(error);
    if (status == SUMS_OK && flt_to_out == host + flt_place_of_out) {
        const uint32_t *const packed = (const uint32_t *)(void *)(host + flt_place_of_out);
        for (int64_t i0 = 0; i0 < out->y; i0++)
            if (out->stride_x == 1)
                memcpy(out->data + i0 * out->stride_y, packed + i0 * flt_copy_of_out.stride_y,
                    (size_t)out->x * sizeof *packed);
            else
                for (int64_t i1 = 0; i1 < out->x; i1++)
                    out->data[i0 * out->stride_y + i1 * out->stride_x] =
                        packed[i0 * flt_copy_of_out.stride_y + i1 * flt_copy_of_out.stride_x];
    }
    (void)cudaFree(device);
    free(host);
    return status;
}

int sums_region_of_in(const struct sums_in *in, const int64_t *output_box, int64_t *input_box)
{
    struct sums_frame all;
    const int status = sums_measure(&all, in);
    if (status != SUMS_OK)
        return status;
    if (!output_box || !input_box)
        return SUMS_NULL_POINTER;
    const struct sums_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    input_box[0] = 0;
    input_box[1] = in_y;
    input_box[2] = 0;
    input_box[3] = in_x;
    return SUMS_OK;
}

#undef flt_shift_is_arithmetic
#undef flt_max_index
#undef flt_min_i32
#undef flt_min_index
#undef flt_index
#undef flt_blocks
#undef flt_is_coordinate
#undef flt_places_left
#undef flt_row
#undef flt_times
#undef flt_behind
#undef flt_is_of_device
#undef FLT_NEEDS_EXACT_FLOATS
#undef FLT_RESTRICT
#undef FLT_INLINE
#undef FLT_APART

#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#pragma float_control(pop)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
