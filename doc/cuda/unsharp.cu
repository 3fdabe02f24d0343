/* unsharp: Sharpen: add back what a small blur takes away. Needs the CUDA runtime alone: nvcc -O3
 * -arch=native -c unsharp.cu */
#include "unsharp.h"

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
#define flt_constants_are_double unsharp_flt_constants_are_double
#define flt_floats unsharp_flt_floats
#define flt_begin_floats unsharp_flt_begin_floats
#define flt_end_floats unsharp_flt_end_floats
#define flt_shift_is_arithmetic unsharp_flt_shift_is_arithmetic
#define flt_samples unsharp_flt_samples
#define flt_load unsharp_flt_load
#define flt_max_i64 unsharp_flt_max_i64
#define flt_max_index unsharp_flt_max_index
#define flt_min_i64 unsharp_flt_min_i64
#define flt_min_index unsharp_flt_min_index
#define flt_store unsharp_flt_store
#define flt_u8_round_f32 unsharp_flt_u8_round_f32
#define flt_index unsharp_flt_index
#define flt_blocks unsharp_flt_blocks
#define flt_is_coordinate unsharp_flt_is_coordinate
#define flt_places_left unsharp_flt_places_left
#define flt_times unsharp_flt_times
#define flt_behind unsharp_flt_behind
#define flt_is_of_device unsharp_flt_is_of_device

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

/* Fails with -fsingle-precision-constant. */
typedef char flt_constants_are_double[sizeof 1.0 == sizeof(double) ? 1 : -1];

/* ---- How the processor computes floats ---- */

/* A caller may have set its thread to flush subnormal numbers to zero, to round in another
 * direction, or to trap; linking a program with -ffast-math does the first. The first function sets
 * what IEEE 754 defines and returns the caller's settings; the second one sets these again. Setting
 * takes longer than asking: SSE is left alone where nothing but its flags, the lowest six bits,
 * differs. */
#if defined(__SSE__) || defined(_M_X64)
#define FLT_SSE 0x1f80
#define FLT_SSE_DIFFERS(of) (((of) & ~0x3fu) != FLT_SSE)
#endif
#if defined(__GNUC__) && defined(__SSE__)
struct flt_floats {
    unsigned sse;
#ifdef __i386__
    unsigned short x87; /* converts integers */
#endif
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    struct flt_floats caller;
    caller.sse = __builtin_ia32_stmxcsr();
    if (FLT_SSE_DIFFERS(caller.sse))
        __builtin_ia32_ldmxcsr(FLT_SSE);
#ifdef __i386__
    {
        const unsigned short nearest = 0x37f;
        __asm__ volatile("fnstcw %0" : "=m"(caller.x87));
        __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(nearest));
    }
#endif
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
    if (FLT_SSE_DIFFERS(caller.sse))
        __builtin_ia32_ldmxcsr(caller.sse);
#ifdef __i386__
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(caller.x87));
#endif
}
#elif defined(_M_X64)
#include <xmmintrin.h>
struct flt_floats {
    unsigned sse;
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    struct flt_floats caller;
    caller.sse = _mm_getcsr();
    if (FLT_SSE_DIFFERS(caller.sse))
        _mm_setcsr(FLT_SSE);
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
    if (FLT_SSE_DIFFERS(caller.sse))
        _mm_setcsr(caller.sse);
}
#elif defined(__GNUC__) && (defined(__aarch64__) || defined(__ARM_FP))
struct flt_floats {
    uintptr_t control;
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    const uintptr_t nearest = 0;
    struct flt_floats caller;
#ifdef __aarch64__
    __asm__ volatile("mrs %0, fpcr" : "=r"(caller.control) : : "memory");
    __asm__ volatile("msr fpcr, %0" : : "r"(nearest) : "memory");
#else
    __asm__ volatile("vmrs %0, fpscr" : "=r"(caller.control) : : "memory");
    __asm__ volatile("vmsr fpscr, %0" : : "r"(nearest) : "memory");
#endif
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
#ifdef __aarch64__
    __asm__ volatile("msr fpcr, %0" : : "r"(caller.control) : "memory");
#else
    __asm__ volatile("vmsr fpscr, %0" : : "r"(caller.control) : "memory");
#endif
}
#else
#include <fenv.h>
struct flt_floats {
    fenv_t environment;
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    struct flt_floats caller;
    (void)fegetenv(&caller.environment);
    (void)fesetenv(FE_DFL_ENV);
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
    (void)fesetenv(&caller.environment);
}
#endif

/* Floor division by powers of two is written as a shift. */
typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];

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

static __host__ __device__ inline int64_t flt_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

template <typename A, typename B>
static __host__ __device__ inline auto flt_max_index(A v, B w) -> decltype(v + w)
{
    const decltype(v + w) a = v, b = w;
    return a > b ? a : b;
}

static __host__ __device__ inline int64_t flt_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

template <typename A, typename B>
static __host__ __device__ inline auto flt_min_index(A v, B w) -> decltype(v + w)
{
    const decltype(v + w) a = v, b = w;
    return a < b ? a : b;
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

static __host__ __device__ inline uint8_t flt_u8_round_f32(float v)
{
    v = v > 0 ? v : 0; /* NaN too */
    v = v < 255.0f ? v : 255.0f;
    return (uint8_t)rintf(v);
}

/* What all kernels of one call share. Strides are in samples. */
struct unsharp_frame {
    int64_t flt_first_x, flt_first_y, flt_first_z; /* blocks before those of a launch */
    const uint8_t *in;
    ptrdiff_t in_stride_y;
    ptrdiff_t in_stride_x;
    int64_t in_y;
    int64_t in_x;
    uint8_t *out;
    ptrdiff_t out_stride_y;
    ptrdiff_t out_stride_x;
    float amount;
};

/* out: unsharp.flt:8 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) unsharp_out(
    const __grid_constant__ struct unsharp_frame all)
{
    const struct unsharp_frame *const frame = &all;
    FLT_NEEDS_EXACT_FLOATS();
    const uint8_t *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    uint8_t *FLT_RESTRICT const out = frame->out;
    const flt_index out_stride_y = (flt_index)frame->out_stride_y;
    const flt_index out_stride_x = (flt_index)frame->out_stride_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const float amount = frame->amount;
    (void)amount;
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.y;
    const flt_index x_thread = (flt_index)threadIdx.x;
    if (in_stride_x == 1 && out_stride_x == 1 && (16 * y_block + 17) <= in_y
        && (64 * x_block + 65) <= in_x && 1 <= (16 * (int32_t)y_block)
        && 1 <= (64 * (int32_t)x_block)) {
        if ((((uintptr_t)in | (uintptr_t)in_stride_y * sizeof *in) & 3) == 0
            && (((uintptr_t)out | (uintptr_t)out_stride_y * sizeof *out) & 3) == 0) {
            uint8_t in_beside[6];
            in_beside[0] =
                in[(16 * y_block + y_thread - 1) * in_stride_y + 64 * x_block + 4 * x_thread - 1];
            flt_load<4>(&in[(16 * y_block + y_thread - 1) * in_stride_y + 64 * x_block
                + 4 * x_thread], &in_beside[1]);
            in_beside[5] =
                in[(16 * y_block + y_thread - 1) * in_stride_y + 64 * x_block + 4 * x_thread + 4];
            uint8_t in_beside_2[6];
            in_beside_2[0] =
                in[(16 * y_block + y_thread) * in_stride_y + 64 * x_block + 4 * x_thread - 1];
            flt_load<4>(&in[(16 * y_block + y_thread) * in_stride_y + 64 * x_block + 4 * x_thread],
                &in_beside_2[1]);
            in_beside_2[5] =
                in[(16 * y_block + y_thread) * in_stride_y + 64 * x_block + 4 * x_thread + 4];
            uint8_t in_beside_3[6];
            in_beside_3[0] =
                in[(16 * y_block + y_thread + 1) * in_stride_y + 64 * x_block + 4 * x_thread - 1];
            flt_load<4>(&in[(16 * y_block + y_thread + 1) * in_stride_y + 64 * x_block
                + 4 * x_thread], &in_beside_3[1]);
            in_beside_3[5] =
                in[(16 * y_block + y_thread + 1) * in_stride_y + 64 * x_block + 4 * x_thread + 4];
            uint8_t out_beside[4];
            #pragma unroll
            for (flt_index x_row = 0; x_row < 4; x_row++) {
                float sum_1 = -0.0f;
                sum_1 = fmaf(0.0625f, (float)in_beside[x_row], sum_1);
                sum_1 = fmaf(0.125f, (float)in_beside[x_row + 1], sum_1);
                sum_1 = fmaf(0.0625f, (float)in_beside[x_row + 2], sum_1);
                sum_1 = fmaf(0.125f, (float)in_beside_2[x_row], sum_1);
                sum_1 = fmaf(0.25f, (float)in_beside_2[x_row + 1], sum_1);
                sum_1 = fmaf(0.125f, (float)in_beside_2[x_row + 2], sum_1);
                sum_1 = fmaf(0.0625f, (float)in_beside_3[x_row], sum_1);
                sum_1 = fmaf(0.125f, (float)in_beside_3[x_row + 1], sum_1);
                sum_1 = fmaf(0.0625f, (float)in_beside_3[x_row + 2], sum_1);
                const float value_1 = (float)in_beside_2[x_row + 1];
                out_beside[x_row] = flt_u8_round_f32(fmaf(amount, value_1 - sum_1, value_1));
            }
            flt_store<4>(&out[(16 * y_block + y_thread) * out_stride_y + 64 * x_block
                + 4 * x_thread], &out_beside[0]);
        } else {
            for (flt_index x_row = 0; x_row < 4; x_row++) {
                const flt_index y = 16 * y_block + y_thread;
                const flt_index x = 64 * x_block + 4 * x_thread + x_row;
                float sum_1 = -0.0f;
                sum_1 = fmaf(0.0625f, (float)in[(y - 1) * in_stride_y + x - 1], sum_1);
                sum_1 = fmaf(0.125f, (float)in[(y - 1) * in_stride_y + x], sum_1);
                sum_1 = fmaf(0.0625f, (float)in[(y - 1) * in_stride_y + x + 1], sum_1);
                sum_1 = fmaf(0.125f, (float)in[y * in_stride_y + x - 1], sum_1);
                sum_1 = fmaf(0.25f, (float)in[y * in_stride_y + x], sum_1);
                sum_1 = fmaf(0.125f, (float)in[y * in_stride_y + x + 1], sum_1);
                sum_1 = fmaf(0.0625f, (float)in[(y + 1) * in_stride_y + x - 1], sum_1);
                sum_1 = fmaf(0.125f, (float)in[(y + 1) * in_stride_y + x], sum_1);
                sum_1 = fmaf(0.0625f, (float)in[(y + 1) * in_stride_y + x + 1], sum_1);
                const float value_1 = (float)in[y * in_stride_y + x];
                out[y * out_stride_y + x] =
                    flt_u8_round_f32(fmaf(amount, value_1 - sum_1, value_1));
            }
        }
    } else {
        #pragma unroll 1
        for (flt_index x_row = 0; x_row < 4; x_row++) {
            if ((16 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y
                && (64 * (int32_t)x_block + 4 * (int32_t)x_thread
                + (int32_t)x_row) < (int32_t)in_x) {
                const flt_index y = 16 * y_block + y_thread;
                const flt_index x = 64 * x_block + 4 * x_thread + x_row;
                float sum_2 = -0.0f;
                sum_2 = fmaf(0.0625f,
                    (float)in[flt_min_index(flt_max_index(y - 1, 0), in_y - 1) * in_stride_y
                    + flt_min_index(flt_max_index(x - 1, 0), in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.125f,
                    (float)in[flt_min_index(flt_max_index(y - 1, 0), in_y - 1) * in_stride_y
                    + flt_min_index(x, in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.0625f,
                    (float)in[flt_min_index(flt_max_index(y - 1, 0), in_y - 1) * in_stride_y
                    + flt_min_index(x + 1, in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.125f,
                    (float)in[flt_min_index(y, in_y - 1) * in_stride_y
                    + flt_min_index(flt_max_index(x - 1, 0), in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.25f,
                    (float)in[flt_min_index(y, in_y - 1) * in_stride_y
                    + flt_min_index(x, in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.125f,
                    (float)in[flt_min_index(y, in_y - 1) * in_stride_y
                    + flt_min_index(x + 1, in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.0625f,
                    (float)in[flt_min_index(y + 1, in_y - 1) * in_stride_y
                    + flt_min_index(flt_max_index(x - 1, 0), in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.125f,
                    (float)in[flt_min_index(y + 1, in_y - 1) * in_stride_y
                    + flt_min_index(x, in_x - 1) * in_stride_x], sum_2);
                sum_2 = fmaf(0.0625f,
                    (float)in[flt_min_index(y + 1, in_y - 1) * in_stride_y
                    + flt_min_index(x + 1, in_x - 1) * in_stride_x], sum_2);
                const float value_2 = (float)in[y * in_stride_y + x * in_stride_x];
                out[y * out_stride_y + x * out_stride_x] =
                    flt_u8_round_f32(fmaf(amount, value_2 - sum_2, value_2));
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
static cudaError_t unsharp_launch(void (*kernel)(struct unsharp_frame),
    const struct unsharp_frame *frame,
    int64_t grid_x, int64_t grid_y, int64_t grid_z, unsigned block_x, unsigned block_y,
    struct CUstream_st *stream)
{
    const int64_t most_x = FLT_MOST_BLOCKS_X, most = FLT_MOST_BLOCKS;
    struct unsharp_frame all = *frame;
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
static bool unsharp_fits_32_bits(const struct unsharp_frame *frame)
{
    (void)frame;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    return FLT_MOST_PLACES > 0
        && flt_is_coordinate(in_y)
        && flt_is_coordinate(in_x)
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->in_stride_y), in_x,
            frame->in_stride_x) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_stride_y), in_x,
            frame->out_stride_x) >= 0;
}

static cudaError_t unsharp_kernels(const struct unsharp_frame *frame, struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    error = unsharp_launch(unsharp_fits_32_bits(frame)
        ? unsharp_out<int32_t> : unsharp_out<int64_t>, frame, (in_x + 63) / 64, (in_y + 15) / 16, 1,
        16, 16, stream);
    if (error != cudaSuccess)
        return error;
    return error;
}

const char *unsharp_status_text(int status)
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
static FLT_APART int unsharp_measure_exactly(struct unsharp_frame *frame,
    const struct unsharp_in *in, float amount)
{
    if (!in)
        return UNSHARP_NULL_POINTER;
    if (in->y < 1 || in->x < 1)
        return UNSHARP_BAD_EXTENT;
    if ((double)in->y * in->x > 1099511627776.0)
        return UNSHARP_BAD_EXTENT;
    const int64_t in_y = in->y;
    frame->in_y = in_y;
    const int64_t in_x = in->x;
    frame->in_x = in_x;
    if (!(amount >= 0.0f && amount <= 8.0f))
        return UNSHARP_BAD_PARAMETER;
    frame->amount = amount;
    return UNSHARP_OK;
}

static int unsharp_measure(struct unsharp_frame *frame, const struct unsharp_in *in, float amount)
{
    const struct flt_floats flt_caller = flt_begin_floats();
    const int status = unsharp_measure_exactly(frame, in, amount);
    flt_end_floats(flt_caller);
    return status;
}

int unsharp_extents(const struct unsharp_in *in, float amount, struct unsharp_out *out)
{
    struct unsharp_frame all;
    const int status = unsharp_measure(&all, in, amount);
    if (status != UNSHARP_OK)
        return status;
    const struct unsharp_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return UNSHARP_NULL_POINTER;
    out->y = (int32_t)in_y;
    out->x = (int32_t)in_x;
    out->stride_x = 1;
    out->stride_y = out->stride_x * out->x;
    return UNSHARP_OK;
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
static uint64_t unsharp_layout(struct unsharp_frame *frame, char *memory,
    const struct unsharp_in *in, const struct unsharp_out *out)
{
    uint64_t at = 0;
    (void)memory;
    frame->in = in->data;
    frame->in_stride_y = in->stride_y;
    frame->in_stride_x = in->stride_x;
    frame->out = out->data;
    frame->out_stride_y = out->stride_y;
    frame->out_stride_x = out->stride_x;
    return at;
}

/* Checks all but memory of images; sets all of the frame but the scratch memory. */
static int unsharp_check_shapes(struct unsharp_frame *frame, const struct unsharp_in *in,
    float amount, const struct unsharp_out *out)
{
    struct unsharp_frame all;
    int status;
    if (!in)
        return UNSHARP_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = unsharp_measure(&all, in, amount);
    if (status != UNSHARP_OK)
        return status;
    *frame = all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return UNSHARP_NULL_POINTER;
    if (out->y != in_y)
        return UNSHARP_BAD_OUTPUT;
    if (out->x != in_x)
        return UNSHARP_BAD_OUTPUT;
    return UNSHARP_OK;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int unsharp_check(struct unsharp_frame *frame, const struct unsharp_in *in, float amount,
    const struct unsharp_out *out)
{
    if (!in || !in->data)
        return UNSHARP_NULL_POINTER;
    if (!out || !out->data)
        return UNSHARP_NULL_POINTER;
    const int status = unsharp_check_shapes(frame, in, amount, out);
    if (status != UNSHARP_OK)
        return status;
    if ((const void *)out->data == (const void *)in->data)
        return UNSHARP_OVERLAP;
    return UNSHARP_OK;
}

size_t unsharp_scratch_bytes(const struct unsharp_in *in, float amount,
    const struct unsharp_out *out)
{
    struct unsharp_frame all;
    if (unsharp_check_shapes(&all, in, amount, out) != UNSHARP_OK)
        return SIZE_MAX;
    {
        const uint64_t bytes = unsharp_layout(&all, NULL, in, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

/* The status for what a call of the runtime gave. */
static int unsharp_status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return UNSHARP_OK;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
        return UNSHARP_NO_DEVICE;
    case cudaErrorMemoryAllocation:
        return UNSHARP_NO_DEVICE_MEMORY;
    default:
        return UNSHARP_DEVICE + (int)error;
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

int unsharp_run(const struct unsharp_in *in, float amount, const struct unsharp_out *out,
    void *scratch, size_t scratch_bytes, struct CUstream_st *stream)
{
    struct unsharp_frame all;
    const int status = unsharp_check(&all, in, amount, out);
    if (status != UNSHARP_OK)
        return status;
    {
        const uint64_t bytes = unsharp_layout(&all, NULL, in, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return UNSHARP_BAD_SCRATCH;
    }
    (void)unsharp_layout(&all, (char *)scratch, in, out);
#ifdef FLT_DEBUG
    const void *const flt_memory[] = {in->data, out->data, scratch};
    for (int i = 0; i <= 2; i++)
        if (!flt_is_of_device(flt_memory[i]))
            return UNSHARP_ELSEWHERE + i;
#endif
    return unsharp_status_of(unsharp_kernels(&all, stream));
}

int unsharp(const struct unsharp_in *in, float amount, const struct unsharp_out *out)
{
    struct unsharp_frame all;
    char *host, *device = NULL;
    cudaError_t error;
    int status = unsharp_check(&all, in, amount, out);
    if (status != UNSHARP_OK)
        return status;
    const struct unsharp_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    struct unsharp_in flt_copy_of_in = *in;
    flt_copy_of_in.stride_x = 1;
    flt_copy_of_in.stride_y = flt_copy_of_in.stride_x * flt_copy_of_in.x;
    struct unsharp_out flt_copy_of_out = *out;
    flt_copy_of_out.stride_x = 1;
    flt_copy_of_out.stride_y = flt_copy_of_out.stride_x * flt_copy_of_out.x;
    const uint64_t flt_place_of_in = 0;
    const uint64_t flt_place_of_out =
        flt_behind(flt_place_of_in, flt_times(flt_times(1, in_y), in_x));
    const uint64_t images = flt_behind(flt_place_of_out, flt_times(flt_times(1, in_y), in_x));
    const uint64_t scratch = unsharp_layout(&all, NULL, &flt_copy_of_in, &flt_copy_of_out);
    host = (char *)malloc((size_t)images);
    if (!host)
        return UNSHARP_NO_MEMORY;
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
        status = unsharp_run(&flt_copy_of_in, amount, &flt_copy_of_out, device + images,
            (size_t)scratch, NULL);
    }
    if (error == cudaSuccess && status == UNSHARP_OK)
        error = flt_pitch_of_out
            ? cudaMemcpy2D(flt_to_out, flt_pitch_of_out, device + flt_place_of_out,
            (size_t)out->x * sizeof *out->data, (size_t)out->x * sizeof *out->data, (size_t)out->y,
            cudaMemcpyDeviceToHost)
            : cudaMemcpy(flt_to_out, device + flt_place_of_out,
                (size_t)flt_times(flt_times(1, in_y), in_x), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        status = unsharp_status_of(error);
    if (status == UNSHARP_OK && flt_to_out == host + flt_place_of_out) {
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

int unsharp_region_of_in(const struct unsharp_in *in, float amount, const int64_t *output_box,
    int64_t *input_box)
{
    struct unsharp_frame all;
    const int status = unsharp_measure(&all, in, amount);
    if (status != UNSHARP_OK)
        return status;
    if (!output_box || !input_box)
        return UNSHARP_NULL_POINTER;
    const struct unsharp_frame *const frame = &all;
    const int64_t out_y_first = output_box[0];
    const int64_t out_y_end = output_box[1];
    const int64_t out_x_first = output_box[2];
    const int64_t out_x_end = output_box[3];
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    input_box[0] = flt_min_i64(flt_max_i64(out_y_first - 1, 0), in_y - 1);
    input_box[1] = flt_max_i64(flt_min_i64(out_y_end + 1, in_y), 1);
    input_box[2] = flt_min_i64(flt_max_i64(out_x_first - 1, 0), in_x - 1);
    input_box[3] = flt_max_i64(flt_min_i64(out_x_end + 1, in_x), 1);
    return UNSHARP_OK;
}

#undef flt_constants_are_double
#undef flt_floats
#undef flt_begin_floats
#undef flt_end_floats
#undef flt_shift_is_arithmetic
#undef flt_samples
#undef flt_load
#undef flt_max_i64
#undef flt_max_index
#undef flt_min_i64
#undef flt_min_index
#undef flt_store
#undef flt_u8_round_f32
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
#undef FLT_SSE
#undef FLT_SSE_DIFFERS

#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#pragma float_control(pop)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
