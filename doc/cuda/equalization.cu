/* equalization. Needs the CUDA runtime alone: nvcc -O3 -arch=native -c equalization.cu */
#include "equalization.h"

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
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#if defined(__i386__) || defined(__x86_64__)
#error "compile this file for arithmetic without excess precision: -msse2 -mfpmath=sse"
#else
#error "compile this file for arithmetic without excess precision: -fexcess-precision=fast"
#endif
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
#define flt_shift_is_arithmetic equalization_flt_shift_is_arithmetic
#define flt_mul_f64 equalization_flt_mul_f64
#define flt_div_f64 equalization_flt_div_f64
#define flt_samples equalization_flt_samples
#define flt_load equalization_flt_load
#define flt_max_i32 equalization_flt_max_i32
#define flt_min_i32 equalization_flt_min_i32
#define flt_min_index equalization_flt_min_index
#define flt_saturating_sum_u32 equalization_flt_saturating_sum_u32
#define flt_store equalization_flt_store
#define flt_u32_saturate_i64 equalization_flt_u32_saturate_i64
#define flt_u8_round_f64 equalization_flt_u8_round_f64
#define flt_u8_saturate_i32 equalization_flt_u8_saturate_i32
#define flt_index equalization_flt_index
#define flt_blocks equalization_flt_blocks
#define flt_is_coordinate equalization_flt_is_coordinate
#define flt_places_left equalization_flt_places_left
#define flt_times equalization_flt_times
#define flt_behind equalization_flt_behind
#define flt_is_of_device equalization_flt_is_of_device

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

/* A product that is rounded by itself, not with a sum. */
static __host__ __device__ inline double flt_mul_f64(double a, double b)
{
#ifdef __CUDA_ARCH__
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

/* A quotient, whatever is known of the divisor. */
static __host__ __device__ inline double flt_div_f64(double a, double b)
{
#ifdef __CUDA_ARCH__
    return __ddiv_rn(a, b);
#else
    return a / b;
#endif
}

/* Samples beside each other, in one access. */
template <int count, typename T>
struct alignas(count * sizeof(T)) flt_samples {
    T at[count];
};

template <int count, typename T>
static __device__ inline void flt_load(const T *from, T *to)
{
    const flt_samples<count, T> all = *(const flt_samples<count, T> *)from;
#pragma unroll
    for (int i = 0; i < count; i++)
        to[i] = all.at[i];
}

static __host__ __device__ inline int32_t flt_max_i32(int32_t a, int32_t b)
{
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

/* At most the greatest value. */
static __host__ __device__ inline uint32_t flt_saturating_sum_u32(uint32_t a, uint32_t b)
{
    const uint32_t sum = a + b;
    return sum < a ? UINT32_MAX : sum;
}

template <int count, typename T>
static __device__ inline void flt_store(T *to, const T *from)
{
    flt_samples<count, T> all;
#pragma unroll
    for (int i = 0; i < count; i++)
        all.at[i] = from[i];
    *(flt_samples<count, T> *)to = all;
}

static __host__ __device__ inline uint32_t flt_u32_saturate_i64(int64_t v)
{
    if (v < 0)
        return 0;
    if (v > INT64_C(4294967295))
        return 4294967295U;
    return (uint32_t)v;
}

static __host__ __device__ inline uint8_t flt_u8_round_f64(double v)
{
    v = v > 0 ? v : 0; /* NaN too */
    v = v < 255.0 ? v : 255.0;
    return (uint8_t)rint(v);
}

static __host__ __device__ inline uint8_t flt_u8_saturate_i32(int32_t v)
{
    if (v < 0)
        return 0;
    if (v > 255)
        return 255;
    return (uint8_t)v;
}

/* What all kernels of one call share. Strides are in samples. */
struct equalization_frame {
    int64_t flt_first_x, flt_first_y, flt_first_z; /* blocks before those of a launch */
    const uint8_t *in;
    ptrdiff_t in_stride_y;
    ptrdiff_t in_stride_x;
    int64_t in_y;
    int64_t in_x;
    uint32_t *out_hist_part;
    ptrdiff_t out_hist_part_stride_part;
    uint32_t *out_hist;
    double *out_upto;
    uint8_t *out_least;
    uint8_t *out_greatest;
    uint8_t *out_level;
    uint8_t *out;
    ptrdiff_t out_stride_y;
    ptrdiff_t out_stride_x;
};

/* out.hist.part: std.histogram:8 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) equalization_out_hist_part(
    const __grid_constant__ struct equalization_frame all)
{
    const struct equalization_frame *const frame = &all;
    FLT_NEEDS_EXACT_FLOATS();
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    uint32_t *const out_hist_part = frame->out_hist_part;
    const flt_index out_hist_part_stride_part = (flt_index)frame->out_hist_part_stride_part;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    alignas(16) __shared__ uint32_t out_hist_part_counts[256];
    const flt_index part = (flt_index)(frame->flt_first_x + blockIdx.x);
    {
        const flt_index x_thread = (flt_index)threadIdx.x;
        {
            const flt_index b = x_thread;
            out_hist_part_counts[b] = 0;
        }
        __syncthreads();
        for (flt_index x_part = 0; x_part < (in_x + 255) / 256; x_part++) {
            if (((int32_t)x_thread + 256 * (int32_t)x_part) < (int32_t)in_x) {
                const flt_index x = x_thread + 256 * x_part;
                for (flt_index y_row = 0; y_row < (in_y + 255) / 256; y_row++) {
                    if (((in_y + 255) / 256 * part + y_row) < in_y) {
                        atomicAdd(&out_hist_part_counts[in[flt_min_index((in_y + 255) / 256 * part
                            + y_row, in_y - 1) * in_stride_y + x * in_stride_x]], (uint32_t)(1));
                    }
                }
            }
        }
        __syncthreads();
        const flt_index b = x_thread;
        out_hist_part[part * out_hist_part_stride_part + b] = out_hist_part_counts[b];
    }
}

/* out.hist.part.start: std.histogram:8 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) equalization_out_hist_part_start(
    const __grid_constant__ struct equalization_frame all)
{
    const struct equalization_frame *const frame = &all;
    uint32_t *FLT_RESTRICT const out_hist_part = frame->out_hist_part;
    const flt_index out_hist_part_stride_part = (flt_index)frame->out_hist_part_stride_part;
    const flt_index part_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index b_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index part_thread = (flt_index)threadIdx.y;
    const flt_index b_thread = (flt_index)threadIdx.x;
    if ((8 * (int32_t)part_block + (int32_t)part_thread) < 256
        && (32 * (int32_t)b_block + (int32_t)b_thread) < 256) {
        const flt_index part = 8 * part_block + part_thread;
        const flt_index b = 32 * b_block + b_thread;
        out_hist_part[part * out_hist_part_stride_part + b] = 0;
    }
}

/* out.hist.part.in_order: std.histogram:8 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) equalization_out_hist_part_in_order(
    const __grid_constant__ struct equalization_frame all)
{
    const struct equalization_frame *const frame = &all;
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    uint32_t *FLT_RESTRICT const out_hist_part = frame->out_hist_part;
    const flt_index out_hist_part_stride_part = (flt_index)frame->out_hist_part_stride_part;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index part_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index part_thread = (flt_index)threadIdx.x;
    if ((32 * (int32_t)part_block + (int32_t)part_thread) < 256) {
        const flt_index part = 32 * part_block + part_thread;
        for (flt_index y_row = 0; y_row < (in_y + 255) / 256; y_row++) {
            for (flt_index x = 0; x < in_x; x++) {
                if (((in_y + 255) / 256 * part + y_row) < in_y) {
                    const flt_index value_1 = (in_y + 255) / 256;
                    const int32_t value_2 = in[flt_min_index(value_1 * part + y_row,
                        in_y - 1) * in_stride_y + x * in_stride_x];
                    out_hist_part[part * out_hist_part_stride_part
                        + (flt_index)value_2] =
                        (uint32_t)(((int64_t)value_1 * (int64_t)in_x) < 2147483647
                        ? (int64_t)(uint32_t)((int64_t)out_hist_part[part * out_hist_part_stride_part
                        + (flt_index)value_2]
                        + 1)
                        : (int64_t)flt_saturating_sum_u32(out_hist_part[part * out_hist_part_stride_part
                        + (flt_index)value_2], 1));
                }
            }
        }
    }
}

/* out.hist: std.histogram:8 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) equalization_out_hist(
    const __grid_constant__ struct equalization_frame all)
{
    const struct equalization_frame *const frame = &all;
    const uint32_t *FLT_RESTRICT const out_hist_part = frame->out_hist_part;
    const flt_index out_hist_part_stride_part = (flt_index)frame->out_hist_part_stride_part;
    uint32_t *const out_hist = frame->out_hist;
    double *const out_upto = frame->out_upto;
    uint8_t *const out_least = frame->out_least;
    uint8_t *const out_greatest = frame->out_greatest;
    uint8_t *const out_level = frame->out_level;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_hist_thread = (flt_index)threadIdx.x;
    if ((int32_t)out_hist_thread < 256) {
        const flt_index b = out_hist_thread;
        int64_t sum_1 = 0;
        for (flt_index part = 0; part < 256; part++)
            sum_1 = sum_1 + (int64_t)out_hist_part[part * out_hist_part_stride_part + b];
        out_hist[b] = flt_u32_saturate_i64(sum_1);
    }
    __syncthreads();
    /* out.upto */
    if ((int32_t)out_hist_thread < 1) {
        double out_upto_kept[2];
        out_upto_kept[0] = 0.0;
        for (flt_index b_2 = 0; b_2 < 256; b_2++) {
            out_upto_kept[1] = out_upto_kept[0];
            const double out_upto_kept_now = out_upto_kept[1] + (double)(int64_t)out_hist[b_2];
            out_upto_kept[0] = out_upto_kept_now;
            out_upto[b_2] = out_upto_kept_now;
        }
    }
    __syncthreads();
    /* out.least */
    if ((int32_t)out_hist_thread < 1) {
        uint8_t min_2 = 255;
        for (flt_index b_3 = 0; b_3 < 256; b_3++)
            min_2 = (uint8_t)flt_min_i32(min_2, 0 < (int64_t)out_hist[b_3] ? (int32_t)b_3 : 255);
        out_least[0] = (uint8_t)(int32_t)min_2;
    }
    __syncthreads();
    /* out.greatest */
    if ((int32_t)out_hist_thread < 1) {
        uint8_t max_3 = 0;
        for (flt_index b_3 = 0; b_3 < 256; b_3++)
            max_3 = (uint8_t)flt_max_i32(max_3, 0 < (int64_t)out_hist[b_3] ? (int32_t)b_3 : 0);
        out_greatest[0] = (uint8_t)(int32_t)max_3;
    }
    __syncthreads();
    /* out.level */
    if ((((uintptr_t)out_upto) & 15) == 0 && (((uintptr_t)out_level) & 3) == 0
        && (4 * (int32_t)out_hist_thread + 3) < 256) {
        double out_upto_beside[4];
        flt_load<2>(&out_upto[4 * out_hist_thread], &out_upto_beside[0]);
        flt_load<2>(&out_upto[4 * out_hist_thread + 2], &out_upto_beside[2]);
        uint8_t out_level_beside[4];
        #pragma unroll
        for (flt_index b_row = 0; b_row < 4; b_row++) {
            const flt_index b_4 = 4 * out_hist_thread + b_row;
            const double out_upto_sample = out_upto_beside[b_row];
            const int32_t out_least_sample = out_least[0];
            const double below = (double)(int64_t)out_hist[(flt_index)out_least_sample];
            const double whole = flt_mul_f64((double)(int32_t)in_y, (double)(int32_t)in_x);
            out_level_beside[b_row] = (uint8_t)(out_least_sample < out_greatest[0]
                ? flt_u8_round_f64(flt_div_f64(flt_mul_f64(255.0, out_upto_sample - below),
                whole - below)) : flt_u8_saturate_i32((int32_t)b_4));
        }
        flt_store<4>(&out_level[4 * out_hist_thread], &out_level_beside[0]);
    } else {
        #pragma unroll 1
        for (flt_index b_row = 0; b_row < 4; b_row++) {
            if ((4 * (int32_t)out_hist_thread + (int32_t)b_row) < 256) {
                const flt_index b_4 = 4 * out_hist_thread + b_row;
                const double out_upto_sample = out_upto[b_4];
                const int32_t out_least_sample = out_least[0];
                const double below = (double)(int64_t)out_hist[(flt_index)out_least_sample];
                const double whole = flt_mul_f64((double)(int32_t)in_y, (double)(int32_t)in_x);
                out_level[b_4] = (uint8_t)(out_least_sample < out_greatest[0]
                    ? flt_u8_round_f64(flt_div_f64(flt_mul_f64(255.0, out_upto_sample - below),
                    whole - below)) : flt_u8_saturate_i32((int32_t)b_4));
            }
        }
    }
}

/* out: std.histogram:26 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) equalization_out(
    const __grid_constant__ struct equalization_frame all)
{
    const struct equalization_frame *const frame = &all;
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    const uint8_t *FLT_RESTRICT const out_level = frame->out_level;
    uint8_t *FLT_RESTRICT const out = frame->out;
    const flt_index out_stride_y = (flt_index)frame->out_stride_y;
    const flt_index out_stride_x = (flt_index)frame->out_stride_x;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.y;
    const flt_index x_thread = (flt_index)threadIdx.x;
    if (in_stride_x == 1 && (((uintptr_t)in | (uintptr_t)in_stride_y * sizeof *in) & 3) == 0
        && out_stride_x == 1 && (((uintptr_t)out | (uintptr_t)out_stride_y * sizeof *out) & 3) == 0
        && (64 * (int32_t)x_block + 4 * (int32_t)x_thread + 3) < (int32_t)in_x) {
        if ((16 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
            uint8_t in_beside[4];
            flt_load<4>(&in[(16 * y_block + y_thread) * in_stride_y + 64 * x_block + 4 * x_thread],
                &in_beside[0]);
            uint8_t out_beside[4];
            #pragma unroll
            for (flt_index x_row = 0; x_row < 4; x_row++)
                out_beside[x_row] = out_level[in_beside[x_row]];
            flt_store<4>(&out[(16 * y_block + y_thread) * out_stride_y + 64 * x_block
                + 4 * x_thread], &out_beside[0]);
        }
    } else {
        #pragma unroll 1
        for (flt_index x_row = 0; x_row < 4; x_row++) {
            if ((16 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y
                && (64 * (int32_t)x_block + 4 * (int32_t)x_thread
                + (int32_t)x_row) < (int32_t)in_x) {
                const flt_index y = 16 * y_block + y_thread;
                const flt_index x = 64 * x_block + 4 * x_thread + x_row;
                out[y * out_stride_y + x * out_stride_x] =
                    out_level[in[y * in_stride_y + x * in_stride_x]];
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
static cudaError_t equalization_launch(void (*kernel)(struct equalization_frame),
    const struct equalization_frame *frame,
    int64_t grid_x, int64_t grid_y, int64_t grid_z, unsigned block_x, unsigned block_y,
    struct CUstream_st *stream)
{
    const int64_t most_x = FLT_MOST_BLOCKS_X, most = FLT_MOST_BLOCKS;
    struct equalization_frame all = *frame;
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
static bool equalization_fits_32_bits(const struct equalization_frame *frame)
{
    (void)frame;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    return FLT_MOST_PLACES > 0
        && flt_is_coordinate(in_y)
        && flt_is_coordinate(in_x)
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->in_stride_y), in_x,
            frame->in_stride_x) >= 0
        && flt_places_left(FLT_MOST_PLACES, 256, frame->out_hist_part_stride_part) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_stride_y), in_x,
            frame->out_stride_x) >= 0;
}

static cudaError_t equalization_kernels(const struct equalization_frame *frame,
    struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (((in_y + 255) / 256 * in_x) < 2147483647) {
        error = equalization_launch(equalization_fits_32_bits(frame)
            ? equalization_out_hist_part<int32_t> : equalization_out_hist_part<int64_t>, frame, 256,
            1, 1, 256, 1, stream);
        if (error != cudaSuccess)
            return error;
    } else {
        error = equalization_launch(equalization_fits_32_bits(frame)
            ? equalization_out_hist_part_start<int32_t> : equalization_out_hist_part_start<int64_t>,
            frame, 8, 32, 1, 32, 8, stream);
        if (error != cudaSuccess)
            return error;
        error = equalization_launch(equalization_fits_32_bits(frame)
            ? equalization_out_hist_part_in_order<int32_t>
            : equalization_out_hist_part_in_order<int64_t>, frame, 8, 1, 1, 32, 1, stream);
        if (error != cudaSuccess)
            return error;
    }
    error = equalization_launch(equalization_fits_32_bits(frame)
        ? equalization_out_hist<int32_t> : equalization_out_hist<int64_t>, frame, 1, 1, 1, 256, 1,
        stream);
    if (error != cudaSuccess)
        return error;
    error = equalization_launch(equalization_fits_32_bits(frame)
        ? equalization_out<int32_t> : equalization_out<int64_t>, frame, (in_x + 63) / 64,
        (in_y + 15) / 16, 1, 16, 16, stream);
    if (error != cudaSuccess)
        return error;
    return error;
}

const char *equalization_status_text(int status)
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
static int equalization_measure(struct equalization_frame *frame, const struct equalization_in *in)
{
    if (!in)
        return EQUALIZATION_NULL_POINTER;
    if (in->y < 1 || in->x < 1)
        return EQUALIZATION_BAD_EXTENT;
    if ((double)in->y * in->x > 1099511627776.0)
        return EQUALIZATION_BAD_EXTENT;
    const int64_t in_y = in->y;
    frame->in_y = in_y;
    const int64_t in_x = in->x;
    frame->in_x = in_x;
    return EQUALIZATION_OK;
}

int equalization_extents(const struct equalization_in *in, struct equalization_out *out)
{
    struct equalization_frame all;
    const int status = equalization_measure(&all, in);
    if (status != EQUALIZATION_OK)
        return status;
    const struct equalization_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return EQUALIZATION_NULL_POINTER;
    out->y = (int32_t)in_y;
    out->x = (int32_t)in_x;
    out->stride_x = 1;
    out->stride_y = out->stride_x * out->x;
    return EQUALIZATION_OK;
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
static uint64_t equalization_layout(struct equalization_frame *frame, char *memory,
    const struct equalization_in *in, const struct equalization_out *out)
{
    uint64_t at = 0;
    if (memory)
        frame->out_hist_part = (uint32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, 256), 256));
    if (memory)
        frame->out_hist = (uint32_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(4, 256));
    if (memory)
        frame->out_upto = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(8, 256));
    if (memory)
        frame->out_least = (uint8_t *)(void *)(memory + at);
    at = flt_behind(at, 1);
    if (memory)
        frame->out_greatest = (uint8_t *)(void *)(memory + at);
    at = flt_behind(at, 1);
    if (memory)
        frame->out_level = (uint8_t *)(void *)(memory + at);
    at = flt_behind(at, flt_times(1, 256));
    frame->out_hist_part_stride_part = (ptrdiff_t)256;
    frame->in = in->data;
    frame->in_stride_y = in->stride_y;
    frame->in_stride_x = in->stride_x;
    frame->out = out->data;
    frame->out_stride_y = out->stride_y;
    frame->out_stride_x = out->stride_x;
    return at;
}

/* Checks all but memory of images; sets all of the frame but the scratch memory. */
static int equalization_check_shapes(struct equalization_frame *frame,
    const struct equalization_in *in, const struct equalization_out *out)
{
    struct equalization_frame all;
    int status;
    if (!in)
        return EQUALIZATION_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = equalization_measure(&all, in);
    if (status != EQUALIZATION_OK)
        return status;
    *frame = all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return EQUALIZATION_NULL_POINTER;
    if (out->y != in_y)
        return EQUALIZATION_BAD_OUTPUT;
    if (out->x != in_x)
        return EQUALIZATION_BAD_OUTPUT;
    return EQUALIZATION_OK;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int equalization_check(struct equalization_frame *frame, const struct equalization_in *in,
    const struct equalization_out *out)
{
    if (!in || !in->data)
        return EQUALIZATION_NULL_POINTER;
    if (!out || !out->data)
        return EQUALIZATION_NULL_POINTER;
    const int status = equalization_check_shapes(frame, in, out);
    if (status != EQUALIZATION_OK)
        return status;
    if ((const void *)out->data == (const void *)in->data)
        return EQUALIZATION_OVERLAP;
    return EQUALIZATION_OK;
}

size_t equalization_scratch_bytes(const struct equalization_in *in,
    const struct equalization_out *out)
{
    struct equalization_frame all;
    if (equalization_check_shapes(&all, in, out) != EQUALIZATION_OK)
        return SIZE_MAX;
    {
        const uint64_t bytes = equalization_layout(&all, NULL, in, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

/* The status for what a call of the runtime gave. */
static int equalization_status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return EQUALIZATION_OK;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
        return EQUALIZATION_NO_DEVICE;
    case cudaErrorMemoryAllocation:
        return EQUALIZATION_NO_DEVICE_MEMORY;
    default:
        return EQUALIZATION_DEVICE + (int)error;
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

int equalization_run(const struct equalization_in *in, const struct equalization_out *out,
    void *scratch, size_t scratch_bytes, struct CUstream_st *stream)
{
    struct equalization_frame all;
    const int status = equalization_check(&all, in, out);
    if (status != EQUALIZATION_OK)
        return status;
    {
        const uint64_t bytes = equalization_layout(&all, NULL, in, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return EQUALIZATION_BAD_SCRATCH;
    }
    (void)equalization_layout(&all, (char *)scratch, in, out);
#ifdef FLT_DEBUG
    const void *const flt_memory[] = {in->data, out->data, scratch};
    for (int i = 0; i <= 2; i++)
        if (!flt_is_of_device(flt_memory[i]))
            return EQUALIZATION_ELSEWHERE + i;
#endif
    return equalization_status_of(equalization_kernels(&all, stream));
}

int equalization(const struct equalization_in *in, const struct equalization_out *out)
{
    struct equalization_frame all;
    char *host, *device = NULL;
    cudaError_t error;
    int status = equalization_check(&all, in, out);
    if (status != EQUALIZATION_OK)
        return status;
    const struct equalization_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    struct equalization_in flt_copy_of_in = *in;
    flt_copy_of_in.stride_x = 1;
    flt_copy_of_in.stride_y = flt_copy_of_in.stride_x * flt_copy_of_in.x;
    struct equalization_out flt_copy_of_out = *out;
    flt_copy_of_out.stride_x = 1;
    flt_copy_of_out.stride_y = flt_copy_of_out.stride_x * flt_copy_of_out.x;
    const uint64_t flt_place_of_in = 0;
    const uint64_t flt_place_of_out =
        flt_behind(flt_place_of_in, flt_times(flt_times(1, in_y), in_x));
    const uint64_t images = flt_behind(flt_place_of_out, flt_times(flt_times(1, in_y), in_x));
    const uint64_t scratch = equalization_layout(&all, NULL, &flt_copy_of_in, &flt_copy_of_out);
    host = (char *)malloc((size_t)images);
    if (!host)
        return EQUALIZATION_NO_MEMORY;
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
        flt_copy_of_out.data = (uint8_t *)(void *)(device + flt_place_of_out);
        status = equalization_run(&flt_copy_of_in, &flt_copy_of_out, device + images,
            (size_t)scratch, NULL);
    }
    if (error == cudaSuccess && status == EQUALIZATION_OK)
        error = flt_pitch_of_out
            ? cudaMemcpy2D(flt_to_out, flt_pitch_of_out, device + flt_place_of_out,
            (size_t)out->x * sizeof *out->data, (size_t)out->x * sizeof *out->data, (size_t)out->y,
            cudaMemcpyDeviceToHost)
            : cudaMemcpy(flt_to_out, device + flt_place_of_out,
                (size_t)flt_times(flt_times(1, in_y), in_x), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        status = equalization_status_of(error);
    if (status == EQUALIZATION_OK && flt_to_out == host + flt_place_of_out) {
        const uint8_t *const packed = (const uint8_t *)(void *)(host + flt_place_of_out);
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

int equalization_region_of_in(const struct equalization_in *in, const int64_t *output_box,
    int64_t *input_box)
{
    struct equalization_frame all;
    const int status = equalization_measure(&all, in);
    if (status != EQUALIZATION_OK)
        return status;
    if (!output_box || !input_box)
        return EQUALIZATION_NULL_POINTER;
    const struct equalization_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    input_box[0] = 0;
    input_box[1] = in_y;
    input_box[2] = 0;
    input_box[3] = in_x;
    return EQUALIZATION_OK;
}

#undef flt_shift_is_arithmetic
#undef flt_mul_f64
#undef flt_div_f64
#undef flt_samples
#undef flt_load
#undef flt_max_i32
#undef flt_min_i32
#undef flt_min_index
#undef flt_saturating_sum_u32
#undef flt_store
#undef flt_u32_saturate_i64
#undef flt_u8_round_f64
#undef flt_u8_saturate_i32
#undef flt_index
#undef flt_blocks
#undef flt_is_coordinate
#undef flt_places_left
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
