/* Written by fltc 0.1.0 from gaussian_recursive.flt, hash abd2f3e8ae8bc83f.
 * This file is yours, under any terms: fltc's LICENSE, exception for generated files. */
/* gaussian_recursive. Needs the CUDA runtime alone: nvcc -O3 -arch=native -c gaussian_recursive.cu
 * */
#include "gaussian_recursive.h"

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
#define flt_constants_are_double gaussian_recursive_flt_constants_are_double
#define flt_floats gaussian_recursive_flt_floats
#define flt_begin_floats gaussian_recursive_flt_begin_floats
#define flt_end_floats gaussian_recursive_flt_end_floats
#define flt_shift_is_arithmetic gaussian_recursive_flt_shift_is_arithmetic
#define flt_mul_f64 gaussian_recursive_flt_mul_f64
#define flt_div_f64 gaussian_recursive_flt_div_f64
#define flt_pair gaussian_recursive_flt_pair
#define flt_pair_negate gaussian_recursive_flt_pair_negate
#define flt_ordered_sum gaussian_recursive_flt_ordered_sum
#define flt_bits gaussian_recursive_flt_bits
#define flt_from_bits gaussian_recursive_flt_from_bits
#define flt_product gaussian_recursive_flt_product
#define flt_pair_multiply gaussian_recursive_flt_pair_multiply
#define flt_large_quarter_turns gaussian_recursive_flt_large_quarter_turns
#define flt_reduce_large gaussian_recursive_flt_reduce_large
#define flt_sum gaussian_recursive_flt_sum
#define flt_reduce_small gaussian_recursive_flt_reduce_small
#define flt_reduce gaussian_recursive_flt_reduce
#define flt_sin_kernel gaussian_recursive_flt_sin_kernel
#define flt_cos_kernel gaussian_recursive_flt_cos_kernel
#define flt_sine_of gaussian_recursive_flt_sine_of
#define flt_cos_f64 gaussian_recursive_flt_cos_f64
#define flt_power_of_two gaussian_recursive_flt_power_of_two
#define flt_expm1_kernel gaussian_recursive_flt_expm1_kernel
#define flt_exp_reduce gaussian_recursive_flt_exp_reduce
#define flt_expm1_pair gaussian_recursive_flt_expm1_pair
#define flt_scale gaussian_recursive_flt_scale
#define flt_half_exp gaussian_recursive_flt_half_exp
#define flt_pair_add gaussian_recursive_flt_pair_add
#define flt_pair_divide gaussian_recursive_flt_pair_divide
#define flt_cosh_f64 gaussian_recursive_flt_cosh_f64
#define flt_exp_f64 gaussian_recursive_flt_exp_f64
#define flt_greater_f64 gaussian_recursive_flt_greater_f64
#define flt_max_f64 gaussian_recursive_flt_max_f64
#define flt_max_i32 gaussian_recursive_flt_max_i32
#define flt_max_i64 gaussian_recursive_flt_max_i64
#define flt_max_index gaussian_recursive_flt_max_index
#define flt_min_f64 gaussian_recursive_flt_min_f64
#define flt_min_i32 gaussian_recursive_flt_min_i32
#define flt_min_i64 gaussian_recursive_flt_min_i64
#define flt_min_index gaussian_recursive_flt_min_index
#define flt_min_u8 gaussian_recursive_flt_min_u8
#define flt_negate_f64 gaussian_recursive_flt_negate_f64
#define flt_sin_f64 gaussian_recursive_flt_sin_f64
#define flt_sinh_f64 gaussian_recursive_flt_sinh_f64
#define flt_index gaussian_recursive_flt_index
#define flt_blocks gaussian_recursive_flt_blocks
#define flt_is_coordinate gaussian_recursive_flt_is_coordinate
#define flt_places_left gaussian_recursive_flt_places_left
#define flt_row gaussian_recursive_flt_row
#define flt_times gaussian_recursive_flt_times
#define flt_behind gaussian_recursive_flt_behind

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

struct flt_pair {
    double hi, lo;
};

static __host__ __device__ inline struct flt_pair flt_pair_negate(struct flt_pair a)
{
    a.hi = -a.hi;
    a.lo = -a.lo;
    return a;
}

/* a + b, where |a| >= |b| or a is 0. */
static __host__ __device__ inline struct flt_pair flt_ordered_sum(double a, double b)
{
    struct flt_pair r;
    r.hi = a + b;
    r.lo = b - (r.hi - a);
    return r;
}

/* The bits of v. */
static __host__ __device__ inline uint64_t flt_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* The double of these bits. */
static __host__ __device__ inline double flt_from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* a b, for |a|, |b| and |a b| within 2^-900 .. 2^900, or 0. */
static __host__ __device__ inline struct flt_pair flt_product(double a, double b)
{
    const double a1 = flt_from_bits(flt_bits(a) & UINT64_C(0xfffffffff8000000)), a2 = a - a1;
    const double b1 = flt_from_bits(flt_bits(b) & UINT64_C(0xfffffffff8000000)), b2 = b - b1;
    struct flt_pair r;
    r.hi = flt_mul_f64(a, b);
    r.lo = ((flt_mul_f64(a1, b1) - r.hi) + flt_mul_f64(a1, b2) + flt_mul_f64(a2, b1))
        + flt_mul_f64(a2, b2);
    return r;
}

static __host__ __device__ inline struct flt_pair flt_pair_multiply(struct flt_pair a,
    struct flt_pair b)
{
    const struct flt_pair p = flt_product(a.hi, b.hi);
    return flt_ordered_sum(p.hi, p.lo + (flt_mul_f64(a.hi, b.lo) + flt_mul_f64(a.lo, b.hi)));
}

/* v 2/pi modulo 4 in units of 2^-190, as six words, the lowest first; 2^20 <= v < infinity. */
static __host__ __device__ inline void flt_large_quarter_turns(double v, uint32_t turns[6])
{
    /* 64 bits 0, then those of 2/pi behind the point. */
    static const uint32_t two_over_pi[40] = {
        0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
        0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
        0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
        0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
        0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
        0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
    const uint64_t bits = flt_bits(v);
    const uint64_t digits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x10000000000000);
    const int place = (int)(bits >> 52) - 1075 + 62; /* of the first bit that matters */
    const uint32_t part[2] = {(uint32_t)digits, (uint32_t)(digits >> 32)};
    uint32_t window[6];
    for (int i = 0; i < 6; i++) {
        const int word = place / 32 + 5 - i;
        const uint64_t two = (uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1];
        window[i] = (uint32_t)(two >> (32 - place % 32));
        turns[i] = 0;
    }
    for (int h = 0; h < 2; h++) {
        uint64_t carry = 0;
        for (int i = h; i < 6; i++) {
            carry += (uint64_t)part[h] * window[i - h] + turns[i];
            turns[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* v = k pi/2 + r with |r| <= pi/4. Returns k modulo 4. */
static __host__ __device__ inline int flt_reduce_large(double v, struct flt_pair *r)
{
    uint32_t t[6];
    flt_large_quarter_turns(v, t);
    const int up = (int)(t[5] >> 29 & 1), k = (int)(t[5] >> 30) + up;
    /* The fraction, less 1 where it is above 1/2: its bits turned, but for one unit. */
    const uint32_t turn = up ? 0xffffffff : 0;
    const uint64_t first = (uint64_t)((t[5] ^ turn) & 0x3fffffff) << 23 | (t[4] ^ turn) >> 9;
    const uint64_t second = (uint64_t)((t[4] ^ turn) & 0x1ff) << 44 |
                            (uint64_t)(t[3] ^ turn) << 12 | (t[2] ^ turn) >> 20;
    const uint64_t third = (uint64_t)((t[2] ^ turn) & 0xfffff) << 32 | (t[1] ^ turn);
    const struct flt_pair sum = flt_ordered_sum(flt_mul_f64((double)first, 0x1p-53),
        flt_mul_f64((double)second, 0x1p-106));
    struct flt_pair fraction =
        flt_ordered_sum(sum.hi, sum.lo + flt_mul_f64((double)third, 0x1p-158));
    struct flt_pair half_pi = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
    *r = flt_pair_multiply(up ? flt_pair_negate(fraction) : fraction, half_pi);
    return k & 3;
}

/* a + b, exactly. */
static __host__ __device__ inline struct flt_pair flt_sum(double a, double b)
{
    struct flt_pair r;
    r.hi = a + b;
    const double of_b = r.hi - a;
    r.lo = (a - (r.hi - of_b)) + (b - of_b);
    return r;
}

/* The same for |v| < 2^20. */
static __host__ __device__ inline int flt_reduce_small(double v, struct flt_pair *r)
{
    const double shifted = flt_mul_f64(v, 0x1.45f306dc9c883p-1) + 0x1.8p52, k = shifted - 0x1.8p52;
    const struct flt_pair first = flt_sum(v, -(flt_mul_f64(k, 0x1.921fb544p0)));
    const struct flt_pair second = flt_sum(first.hi, -(flt_mul_f64(k, 0x1.0b4611a6p-34)));
    *r = flt_sum(second.hi, (first.lo + second.lo) - flt_mul_f64(k, 0x1.3198a2e037073p-69));
    return (int)(flt_bits(shifted) & 3);
}

static __host__ __device__ inline int flt_reduce(double v, struct flt_pair *r)
{
    if (fabs(v) < 0x1p20)
        return flt_reduce_small(v, r);
    const int k = flt_reduce_large(fabs(v), r);
    if (v > 0)
        return k;
    *r = flt_pair_negate(*r);
    return -k & 3;
}

/* sin r and cos r, for |r| <= pi/4. */
static __host__ __device__ inline struct flt_pair flt_sin_kernel(struct flt_pair r)
{
    const double z = flt_mul_f64(r.hi, r.hi);
    double p = -0x1.8dc64a67232a4p-41;
    p = flt_mul_f64(p, z) + 0x1.60e69e6281394p-33;
    p = flt_mul_f64(p, z) - 0x1.ae63f919e7f3ap-26;
    p = flt_mul_f64(p, z) + 0x1.71de3a10e39bcp-19;
    p = flt_mul_f64(p, z) - 0x1.a01a019fe8e22p-13;
    p = flt_mul_f64(p, z) + 0x1.111111111101fp-7;
    p = flt_mul_f64(p, z) - 0x1.5555555555555p-3;
    return flt_ordered_sum(r.hi,
        flt_mul_f64(flt_mul_f64(r.hi, z), p) + (r.lo - flt_mul_f64(flt_mul_f64(0.5, z), r.lo)));
}

static __host__ __device__ inline struct flt_pair flt_cos_kernel(struct flt_pair r)
{
    const struct flt_pair square = flt_product(r.hi, r.hi);
    const double z = square.hi;
    double p = -0x1.90732aa61f99fp-37;
    p = flt_mul_f64(p, z) + 0x1.1eeb57599cfe8p-29;
    p = flt_mul_f64(p, z) - 0x1.27e4fa0275783p-22;
    p = flt_mul_f64(p, z) + 0x1.a01a019f37ebfp-16;
    p = flt_mul_f64(p, z) - 0x1.6c16c16c168c9p-10;
    p = flt_mul_f64(p, z) + 0x1.5555555555555p-5;
    const struct flt_pair parabola = flt_ordered_sum(1, -flt_mul_f64(0.5, z));
    return flt_ordered_sum(parabola.hi,
                           parabola.lo
                               + (flt_mul_f64(flt_mul_f64(z, z), p)
                               - (flt_mul_f64(0.5, square.lo) + flt_mul_f64(r.hi, r.lo))));
}

/* The sine of r + k pi/2. */
static __host__ __device__ inline double flt_sine_of(struct flt_pair r, int k)
{
    const double v = k & 1 ? flt_cos_kernel(r).hi : flt_sin_kernel(r).hi;
    return k & 2 ? -v : v;
}

static __host__ __device__ inline double flt_cos_f64(double x)
{
    struct flt_pair r;
    if (!(fabs(x) < (double)INFINITY))
        return (double)NAN;
    const int k = flt_reduce(x, &r);
    return flt_sine_of(r, k + 1);
}

/* 2^k, where shifted is k + 0x1.8p52 and -1023 < k < 1024. */
static __host__ __device__ inline double flt_power_of_two(double shifted)
{
    return flt_from_bits((flt_bits(shifted) + 1023) << 52);
}

/* e^r - 1. */
static __host__ __device__ inline struct flt_pair flt_expm1_kernel(struct flt_pair r)
{
    double p = 0x1.1f99227fe3046p-29;
    p = flt_mul_f64(p, r.hi) + 0x1.af6ae93bd591fp-26;
    p = flt_mul_f64(p, r.hi) + 0x1.27e4c32ab0ad7p-22;
    p = flt_mul_f64(p, r.hi) + 0x1.71ddf0d4c646cp-19;
    p = flt_mul_f64(p, r.hi) + 0x1.a01a01b1ca80bp-16;
    p = flt_mul_f64(p, r.hi) + 0x1.a01a01b322a04p-13;
    p = flt_mul_f64(p, r.hi) + 0x1.6c16c16c141fdp-10;
    p = flt_mul_f64(p, r.hi) + 0x1.111111110ed98p-7;
    p = flt_mul_f64(p, r.hi) + 0x1.555555555555ap-5;
    p = flt_mul_f64(p, r.hi) + 0x1.555555555555bp-3;
    const struct flt_pair square = flt_product(r.hi, r.hi);
    const struct flt_pair sum = flt_ordered_sum(r.hi, flt_mul_f64(0.5, square.hi));
    return flt_ordered_sum(
        sum.hi,
            sum.lo
            + (flt_mul_f64(flt_mul_f64(square.hi, r.hi), p)
            + (flt_mul_f64(0.5, square.lo) + (r.lo + flt_mul_f64(r.lo, r.hi)))));
}

/* The k of v, for |v| < 2^20; *r is the rest. */
static __host__ __device__ inline double flt_exp_reduce(double v, struct flt_pair *r)
{
    const double k = (flt_mul_f64(v, 0x1.71547652b82fep0) + 0x1.8p52) - 0x1.8p52;
    *r = flt_sum(v - flt_mul_f64(k, 0x1.62e42fefa38p-1), -(flt_mul_f64(k, 0x1.ef35793c7673p-45)));
    return k;
}

/* e^v - 1, for 0 <= v <= 100. */
static __host__ __device__ inline struct flt_pair flt_expm1_pair(double v)
{
    struct flt_pair r;
    const double scale = flt_power_of_two(flt_exp_reduce(v, &r) + 0x1.8p52);
    struct flt_pair q = flt_expm1_kernel(r);
    q.hi = flt_mul_f64(q.hi, scale);
    q.lo = flt_mul_f64(q.lo, scale);
    const struct flt_pair s = flt_sum(scale - 1, q.hi);
    return flt_ordered_sum(s.hi, s.lo + q.lo);
}

/* v 2^k, for |k| < 2000. */
static __host__ __device__ inline double flt_scale(double v, double k)
{
    const double lower = (flt_mul_f64(0.5, k) + 0x1.8p52) - 0x1.8p52;
    return flt_mul_f64(flt_mul_f64(v, flt_power_of_two(lower + 0x1.8p52)),
        flt_power_of_two((k - lower) + 0x1.8p52));
}

/* e^v / 2, for 36 < v. */
static __host__ __device__ inline double flt_half_exp(double v)
{
    struct flt_pair r;
    const double k = flt_exp_reduce(v > 720 ? 720 : v, &r);
    const struct flt_pair q = flt_expm1_kernel(r), s = flt_ordered_sum(1, q.hi);
    return flt_scale(s.hi + (s.lo + q.lo), k - 1);
}

static __host__ __device__ inline struct flt_pair flt_pair_add(struct flt_pair a, struct flt_pair b)
{
    const struct flt_pair s = flt_sum(a.hi, b.hi);
    return flt_ordered_sum(s.hi, s.lo + (a.lo + b.lo));
}

static __host__ __device__ inline struct flt_pair flt_pair_divide(struct flt_pair a,
    struct flt_pair b)
{
    const double q = flt_div_f64(a.hi, b.hi);
    const struct flt_pair p = flt_product(q, b.hi);
    return flt_ordered_sum(q,
        flt_div_f64(((a.hi - p.hi) - p.lo) + (a.lo - flt_mul_f64(q, b.lo)), b.hi));
}

static __host__ __device__ inline double flt_cosh_f64(double x)
{
    const double v = fabs(x);
    if (v > 36)
        return flt_half_exp(v);
    struct flt_pair one = {1, 0};
    const struct flt_pair e = flt_pair_add(flt_expm1_pair(v), one);
    return flt_mul_f64(0.5, flt_pair_add(e, flt_pair_divide(one, e)).hi);
}

static __host__ __device__ inline double flt_exp_f64(double x)
{
    struct flt_pair r;
    const double k = flt_exp_reduce(x < -750 ? -750 : x > 720 ? 720 : x, &r);
    const struct flt_pair q = flt_expm1_kernel(r), s = flt_ordered_sum(1, q.hi);
    return flt_scale(s.hi + (s.lo + q.lo), k);
}

/* The greater in the order -inf < ... < -0 < +0 < ... < inf < NaN. */
static __host__ __device__ inline double flt_greater_f64(double a, double b)
{
    const double greatest = a > b ? a : b;
    const double ordered =
        flt_from_bits(flt_bits(greatest) & (a == b ? flt_bits(a) : ~UINT64_C(0)));
    return a != a ? a : ordered;
}

static __host__ __device__ inline double flt_max_f64(double a, double b)
{
    return a > b ? a : b;
}

static __host__ __device__ inline int32_t flt_max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
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

static __host__ __device__ inline double flt_min_f64(double a, double b)
{
    return a < b ? a : b;
}

static __host__ __device__ inline int32_t flt_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
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

static __host__ __device__ inline uint8_t flt_min_u8(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* -v, apart from the fused operation that gave v. */
static __host__ __device__ inline double flt_negate_f64(double v)
{
    return flt_from_bits(flt_bits(v) ^ UINT64_C(1) << 63);
}

static __host__ __device__ inline double flt_sin_f64(double x)
{
    struct flt_pair r;
    if (!(fabs(x) < (double)INFINITY))
        return (double)NAN;
    const int k = flt_reduce(x, &r);
    return x == 0 ? x : flt_sine_of(r, k);
}

static __host__ __device__ inline double flt_sinh_f64(double x)
{
    const double v = fabs(x);
    if (v > 36)
        return copysign(flt_half_exp(v), x);
    struct flt_pair one = {1, 0};
    const struct flt_pair e = flt_expm1_pair(v);
    const struct flt_pair twice = flt_pair_add(e, flt_pair_divide(e, flt_pair_add(e, one)));
    return copysign(flt_mul_f64(0.5, twice.hi), x);
}

/* What all kernels of one call share. Strides are in samples. */
struct gaussian_recursive_frame {
    int64_t flt_first_x, flt_first_y, flt_first_z; /* blocks before those of a launch */
    const float *in;
    ptrdiff_t in_stride_y;
    ptrdiff_t in_stride_x;
    int64_t in_y;
    int64_t in_x;
    double *out_down_down_powers;
    ptrdiff_t out_down_down_powers_stride_step;
    ptrdiff_t out_down_down_powers_stride_row;
    double *out_down_down_system;
    ptrdiff_t out_down_down_system_stride_row;
    double *out_down_down_edge;
    double *out_down_farther_powers;
    ptrdiff_t out_down_farther_powers_stride_step;
    ptrdiff_t out_down_farther_powers_stride_row;
    double *out_down_farther_forcing;
    ptrdiff_t out_down_farther_forcing_stride_row;
    double *out_down_farther_system;
    ptrdiff_t out_down_farther_system_stride_row;
    double *out_down_farther_edge;
    double *out_columns_tails;
    ptrdiff_t out_columns_tails_stride_y_blocks;
    ptrdiff_t out_columns_tails_stride_y;
    double *out_columns_ends;
    ptrdiff_t out_columns_ends_stride_y_blocks;
    ptrdiff_t out_columns_ends_stride_y;
    double *out_columns_matrix;
    ptrdiff_t out_columns_matrix_stride_y_place;
    double *out_columns_carry;
    ptrdiff_t out_columns_carry_stride_y_blocks;
    ptrdiff_t out_columns_carry_stride_y_place;
    double *out_down_down_turn;
    ptrdiff_t out_down_down_turn_stride_y;
    double *out_down_farther_turn;
    ptrdiff_t out_down_farther_turn_stride_y;
    float *out_down_farther_kept_turn;
    ptrdiff_t out_down_farther_kept_turn_stride_y;
    double *out_down_up_turn;
    ptrdiff_t out_down_up_turn_stride_y;
    double *out_down_out_state_turn;
    ptrdiff_t out_down_out_state_turn_stride_y;
    double *out_columns_carry_back;
    ptrdiff_t out_columns_carry_back_stride_y_blocks;
    ptrdiff_t out_columns_carry_back_stride_y_place;
    float *out_down_farther_kept_rest;
    ptrdiff_t out_down_farther_kept_rest_stride_y;
    float *out_columns_rest;
    ptrdiff_t out_columns_rest_stride_y;
    float *out_columns_blocks;
    ptrdiff_t out_columns_blocks_stride_y_blocks;
    ptrdiff_t out_columns_blocks_stride_y;
    float *out_columns;
    ptrdiff_t out_columns_stride_y;
    double *out_across_right_powers;
    ptrdiff_t out_across_right_powers_stride_step;
    ptrdiff_t out_across_right_powers_stride_row;
    double *out_across_right_system;
    ptrdiff_t out_across_right_system_stride_row;
    double *out_across_right_edge;
    double *out_across_farther_powers;
    ptrdiff_t out_across_farther_powers_stride_step;
    ptrdiff_t out_across_farther_powers_stride_row;
    double *out_across_farther_forcing;
    ptrdiff_t out_across_farther_forcing_stride_row;
    double *out_across_farther_system;
    ptrdiff_t out_across_farther_system_stride_row;
    double *out_across_farther_edge;
    double *out_tails;
    ptrdiff_t out_tails_stride_y;
    ptrdiff_t out_tails_stride_x_blocks;
    double *out_ends;
    ptrdiff_t out_ends_stride_y;
    ptrdiff_t out_ends_stride_x_blocks;
    double *out_matrix;
    ptrdiff_t out_matrix_stride_x_place;
    double *out_carry;
    ptrdiff_t out_carry_stride_y;
    ptrdiff_t out_carry_stride_x_blocks;
    double *out_across_right_turn;
    ptrdiff_t out_across_right_turn_stride_y;
    double *out_across_farther_turn;
    ptrdiff_t out_across_farther_turn_stride_y;
    float *out_across_farther_kept_turn;
    ptrdiff_t out_across_farther_kept_turn_stride_y;
    double *out_across_left_turn;
    ptrdiff_t out_across_left_turn_stride_y;
    double *out_across_out_state_turn;
    ptrdiff_t out_across_out_state_turn_stride_y;
    double *out_carry_back;
    ptrdiff_t out_carry_back_stride_y;
    ptrdiff_t out_carry_back_stride_x_blocks;
    float *out_across_farther_kept_rest;
    ptrdiff_t out_across_farther_kept_rest_stride_y;
    float *out_rest;
    ptrdiff_t out_rest_stride_y;
    ptrdiff_t out_rest_stride_x;
    float *out_blocks;
    ptrdiff_t out_blocks_stride_y;
    ptrdiff_t out_blocks_stride_x_blocks;
    ptrdiff_t out_blocks_stride_x;
    float *out;
    ptrdiff_t out_stride_y;
    ptrdiff_t out_stride_x;
    double out_down_u[1];
    double out_down_v[1];
    double out_down_m[1];
    double out_down_n[1];
    double out_down_root[1];
    double out_down_up_edge[5];
    double out_down_out_state_edge[5];
    double out_across_left_edge[5];
    double out_across_out_state_edge[5];
    int64_t out_columns_tails_y_blocks;
    int64_t out_columns_ends_y_blocks;
    int64_t out_down_down_turn_y_first;
    int64_t out_down_down_turn_y;
    int64_t out_down_up_turn_y_first;
    int64_t out_down_up_turn_y;
    int64_t out_down_down_rest_y;
    int64_t out_down_down_rest_y_first;
    int64_t out_down_up_rest_y;
    int64_t out_down_up_rest_y_first;
    int64_t out_tails_x_blocks;
    int64_t out_ends_x_blocks;
    int64_t out_across_right_turn_x_first;
    int64_t out_across_right_turn_x;
    int64_t out_across_left_turn_x_first;
    int64_t out_across_left_turn_x;
    int64_t out_across_right_rest_x;
    int64_t out_across_right_rest_x_first;
    int64_t out_across_left_rest_x;
    int64_t out_across_left_rest_x_first;
    float sigma;
};

static __device__ const double out_down_down_outside[1] = {1.0};

static __device__ const double out_down_down_forcing[1] = {1.0};

static __device__ const double out_down_farther_outside[1] = {1.0};

static __device__ const double out_across_right_outside[1] = {1.0};

static __device__ const double out_across_right_forcing[1] = {1.0};

static __device__ const double out_across_farther_outside[1] = {1.0};

/* out.down.down.powers: std.recursive:45 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_down_down_powers(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    FLT_NEEDS_EXACT_FLOATS();
    double *const out_down_down_powers = frame->out_down_down_powers;
    const flt_index out_down_down_powers_stride_step =
        (flt_index)frame->out_down_down_powers_stride_step;
    const flt_index out_down_down_powers_stride_row =
        (flt_index)frame->out_down_down_powers_stride_row;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_u = frame->out_down_u;
    double *const out_down_down_system = frame->out_down_down_system;
    const flt_index out_down_down_system_stride_row =
        (flt_index)frame->out_down_down_system_stride_row;
    double *const out_down_down_edge = frame->out_down_down_edge;
    double *const out_down_farther_powers = frame->out_down_farther_powers;
    const flt_index out_down_farther_powers_stride_step =
        (flt_index)frame->out_down_farther_powers_stride_step;
    const flt_index out_down_farther_powers_stride_row =
        (flt_index)frame->out_down_farther_powers_stride_row;
    double *const out_down_farther_forcing = frame->out_down_farther_forcing;
    const flt_index out_down_farther_forcing_stride_row =
        (flt_index)frame->out_down_farther_forcing_stride_row;
    const double *const out_down_n = frame->out_down_n;
    const double *const out_down_m = frame->out_down_m;
    double *const out_down_farther_system = frame->out_down_farther_system;
    const flt_index out_down_farther_system_stride_row =
        (flt_index)frame->out_down_farther_system_stride_row;
    double *const out_down_farther_edge = frame->out_down_farther_edge;
    const flt_index thread_1 = (flt_index)threadIdx.x;
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index step = 0; step < 3; step++) {
            for (flt_index column = 0; column < 1; column++) {
                double sum_1 = -0.0;
                sum_1 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                    ? out_down_down_powers[flt_max_index(step - 1,
                    0) * out_down_down_powers_stride_step + row * out_down_down_powers_stride_row
                    + 0] : 0.0, out_down_down_outside[0 * 1 + column], sum_1);
                out_down_down_powers[step * out_down_down_powers_stride_step
                    + row * out_down_down_powers_stride_row + column] =
                    (int32_t)step == 0 ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_1;
            }
        }
    }
    __syncthreads();
    /* out.down.down.system */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index column_2 = 0; column_2 < 2; column_2++)
            out_down_down_system[row * out_down_down_system_stride_row
                + column_2] = (int32_t)column_2 == 1
                ? out_down_down_forcing[0 * 1 + row]
                : fma(-(-out_down_v[0]),
                out_down_down_powers[2 * out_down_down_powers_stride_step
                + 0 * out_down_down_powers_stride_row + row],
                fma(-out_down_u[0],
                out_down_down_powers[1 * out_down_down_powers_stride_step
                + 0 * out_down_down_powers_stride_row + row],
                (int32_t)row == (int32_t)column_2 ? 1.0 : 0.0));
    }
    __syncthreads();
    /* out.down.down.edge */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        out_down_down_edge[row] =
            flt_div_f64(out_down_down_system[row * out_down_down_system_stride_row + 1],
            out_down_down_system[row * out_down_down_system_stride_row + 0]);
    }
    __syncthreads();
    /* out.down.farther.powers */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index step = 0; step < 3; step++) {
            for (flt_index column = 0; column < 1; column++) {
                double sum_2 = -0.0;
                sum_2 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                    ? out_down_farther_powers[flt_max_index(step - 1,
                    0) * out_down_farther_powers_stride_step
                    + row * out_down_farther_powers_stride_row + 0] : 0.0,
                    out_down_farther_outside[0 * 1 + column], sum_2);
                out_down_farther_powers[step * out_down_farther_powers_stride_step
                    + row * out_down_farther_powers_stride_row + column] =
                    (int32_t)step == 0 ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_2;
            }
        }
    }
    __syncthreads();
    /* out.down.farther.forcing */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index column = 0; column < 1; column++)
            out_down_farther_forcing[row * out_down_farther_forcing_stride_row + column] =
                out_down_down_edge[0];
    }
    __syncthreads();
    /* out.down.farther.system */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index column_2 = 0; column_2 < 2; column_2++)
            out_down_farther_system[row * out_down_farther_system_stride_row
                + column_2] = (int32_t)column_2 == 1
                ? out_down_farther_forcing[0 * out_down_farther_forcing_stride_row + row]
                : fma(-(-out_down_n[0]),
                out_down_farther_powers[2 * out_down_farther_powers_stride_step
                + 0 * out_down_farther_powers_stride_row + row],
                fma(-out_down_m[0],
                out_down_farther_powers[1 * out_down_farther_powers_stride_step
                + 0 * out_down_farther_powers_stride_row + row],
                (int32_t)row == (int32_t)column_2 ? 1.0 : 0.0));
    }
    __syncthreads();
    /* out.down.farther.edge */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        out_down_farther_edge[row] =
            flt_div_f64(out_down_farther_system[row * out_down_farther_system_stride_row + 1],
            out_down_farther_system[row * out_down_farther_system_stride_row + 0]);
    }
}

/* out.columns.tails: std.recursive:78 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) gaussian_recursive_out_columns_tails(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *const out_down_u = frame->out_down_u;
    const double *FLT_RESTRICT const out_down_down_edge = frame->out_down_down_edge;
    const double *const out_down_root = frame->out_down_root;
    const float *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *FLT_RESTRICT const out_down_farther_edge = frame->out_down_farther_edge;
    const double *const out_down_n = frame->out_down_n;
    double *FLT_RESTRICT const out_columns_tails = frame->out_columns_tails;
    const flt_index out_columns_tails_stride_y_blocks =
        (flt_index)frame->out_columns_tails_stride_y_blocks;
    const flt_index out_columns_tails_stride_y = (flt_index)frame->out_columns_tails_stride_y;
    const flt_index out_columns_tails_y_blocks = (flt_index)frame->out_columns_tails_y_blocks;
    (void)out_columns_tails_y_blocks;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index y_blocks_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_blocks_thread = (flt_index)threadIdx.y;
    const flt_index x_thread = (flt_index)threadIdx.x;
    if (in_stride_x == 1 && (8 * y_blocks_block + 8) <= out_columns_tails_y_blocks
        && (32 * x_block + 32) <= in_x && (256 * y_blocks_block + 264) <= in_y) {
        const flt_index y_blocks = 8 * y_blocks_block + y_blocks_thread + 1;
        const flt_index x = 32 * x_block + x_thread;
        double out_down_down_local[40];
        double out_down_farther_local[40];
        float out_down_farther_kept_local[40];
        {
            double out_down_down_local_kept[3];
            out_down_down_local_kept[0] = 0.0;
            out_down_down_local_kept[1] = 0.0;
            double out_down_farther_local_kept[3];
            out_down_farther_local_kept[0] = 0.0;
            out_down_farther_local_kept[1] = 0.0;
            #pragma unroll
            for (flt_index y = 0; y < 40; y++) {
                out_down_farther_local_kept[2] = out_down_farther_local_kept[1];
                out_down_farther_local_kept[1] = out_down_farther_local_kept[0];
                out_down_down_local_kept[2] = out_down_down_local_kept[1];
                out_down_down_local_kept[1] = out_down_down_local_kept[0];
                {
                    const double out_down_down_local_kept_now = fma(out_down_u[0],
                        (0 <= (y - 1) && (y - 1) < 40)
                        ? out_down_down_local_kept[1]
                        : ((int32_t)y_blocks == 1
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y + x])) : 0.0), fma(-out_down_v[0], (0 <= (y - 2)
                        && (y - 2) < 40)
                        ? out_down_down_local_kept[2]
                        : ((int32_t)y_blocks == 1
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x])) : 0.0),
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[(y + 32 * y_blocks - 32) * in_stride_y + x])));
                    out_down_down_local_kept[0] = out_down_down_local_kept_now;
                    out_down_down_local[y] = out_down_down_local_kept_now;
                }
                {
                    const double out_down_farther_local_kept_now = fma(out_down_m[0],
                        (0 <= (y - 1) && (y - 1) < 40)
                        ? out_down_farther_local_kept[1]
                        : ((int32_t)y_blocks == 1
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y + x])) : 0.0), fma(-out_down_n[0], (0 <= (y - 2)
                        && (y - 2) < 40)
                        ? out_down_farther_local_kept[2]
                        : ((int32_t)y_blocks == 1
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y + x])) : 0.0), out_down_down_local_kept[0]));
                    out_down_farther_local_kept[0] = out_down_farther_local_kept_now;
                    out_down_farther_local[y] = out_down_farther_local_kept_now;
                }
                out_down_farther_kept_local[y] = (float)out_down_farther_local_kept[0];
            }
        }
        double out_down_up_local_kept[3];
        out_down_up_local_kept[0] = 0.0;
        out_down_up_local_kept[1] = 0.0;
        double out_down_out_state_local_kept[5];
        out_down_out_state_local_kept[0] = 0.0;
        out_down_out_state_local_kept[1] = 0.0;
        out_down_out_state_local_kept[2] = 0.0;
        out_down_out_state_local_kept[3] = 0.0;
        #pragma unroll
        for (flt_index y = 32; y-- > -8;) {
            out_down_out_state_local_kept[4] = out_down_out_state_local_kept[3];
            out_down_out_state_local_kept[3] = out_down_out_state_local_kept[2];
            out_down_out_state_local_kept[2] = out_down_out_state_local_kept[1];
            out_down_out_state_local_kept[1] = out_down_out_state_local_kept[0];
            out_down_up_local_kept[2] = out_down_up_local_kept[1];
            out_down_up_local_kept[1] = out_down_up_local_kept[0];
            out_down_up_local_kept[0] = fma(out_down_u[0],
                ((-8) <= (y + 1) && (y + 1) < 32) ? out_down_up_local_kept[1] : 0.0,
                fma(-out_down_v[0],
                ((-8) <= (y + 2) && (y + 2) < 32) ? out_down_up_local_kept[2] : 0.0,
                (double)out_down_farther_kept_local[flt_min_index(flt_max_index(y, 0), 39)]));
            out_down_out_state_local_kept[0] = fma(out_down_m[0],
                ((-8) <= (y + 1) && (y + 1) < 32) ? out_down_out_state_local_kept[1] : 0.0,
                fma(-out_down_n[0],
                ((-8) <= (y + 2) && (y + 2) < 32) ? out_down_out_state_local_kept[2] : 0.0,
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_local_kept[0])));
            if (y < 0) {
                out_columns_tails[(y_blocks - 1) * out_columns_tails_stride_y_blocks
                    + (y + 8) * out_columns_tails_stride_y + x] = (-4) <= y
                    ? ((-2) <= y ? out_down_up_local_kept[2] : out_down_out_state_local_kept[4])
                    : (y <= (-7) ? out_down_down_local[y + 38] : out_down_farther_local[y + 36]);
            }
        }
    } else {
        if ((8 * (int32_t)y_blocks_block
            + (int32_t)y_blocks_thread) < (int32_t)out_columns_tails_y_blocks
            && (32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
            const flt_index y_blocks = 8 * y_blocks_block + y_blocks_thread + 1;
            const flt_index x = 32 * x_block + x_thread;
            double out_down_down_local[40];
            double out_down_farther_local[40];
            float out_down_farther_kept_local[40];
            {
                double out_down_down_local_kept[3];
                out_down_down_local_kept[0] = 0.0;
                out_down_down_local_kept[1] = 0.0;
                double out_down_farther_local_kept[3];
                out_down_farther_local_kept[0] = 0.0;
                out_down_farther_local_kept[1] = 0.0;
                #pragma unroll
                for (flt_index y = 0; y < 40; y++) {
                    out_down_farther_local_kept[2] = out_down_farther_local_kept[1];
                    out_down_farther_local_kept[1] = out_down_farther_local_kept[0];
                    out_down_down_local_kept[2] = out_down_down_local_kept[1];
                    out_down_down_local_kept[1] = out_down_down_local_kept[0];
                    {
                        const double out_down_down_local_kept_now = fma(out_down_u[0],
                            (0 <= (y - 1) && (y - 1) < 40)
                            ? out_down_down_local_kept[1]
                            : ((int32_t)y_blocks == 1
                            ? flt_mul_f64(out_down_down_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)in[0 * in_stride_y
                            + x * in_stride_x])) : 0.0), fma(-out_down_v[0], (0 <= (y - 2) && (y
                            - 2) < 40) ? out_down_down_local_kept[2] : ((int32_t)y_blocks == 1
                            ? flt_mul_f64(out_down_down_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)in[0 * in_stride_y
                            + x * in_stride_x])) : 0.0),
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)in[flt_min_index(flt_max_index(32 * y_blocks + y - 32, 0),
                            in_y - 1) * in_stride_y + x * in_stride_x])));
                        out_down_down_local_kept[0] = out_down_down_local_kept_now;
                        out_down_down_local[y] = out_down_down_local_kept_now;
                    }
                    {
                        const double out_down_farther_local_kept_now = fma(out_down_m[0],
                            (0 <= (y - 1) && (y - 1) < 40)
                            ? out_down_farther_local_kept[1]
                            : ((int32_t)y_blocks == 1
                            ? flt_mul_f64(out_down_farther_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)in[0 * in_stride_y
                            + x * in_stride_x])) : 0.0), fma(-out_down_n[0], (0 <= (y - 2) && (y
                            - 2) < 40) ? out_down_farther_local_kept[2] : ((int32_t)y_blocks == 1
                            ? flt_mul_f64(out_down_farther_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)in[0 * in_stride_y
                            + x * in_stride_x])) : 0.0), out_down_down_local_kept[0]));
                        out_down_farther_local_kept[0] = out_down_farther_local_kept_now;
                        out_down_farther_local[y] = out_down_farther_local_kept_now;
                    }
                    out_down_farther_kept_local[y] = (float)out_down_farther_local_kept[0];
                }
            }
            double out_down_up_local_kept[3];
            out_down_up_local_kept[0] = 0.0;
            out_down_up_local_kept[1] = 0.0;
            double out_down_out_state_local_kept[5];
            out_down_out_state_local_kept[0] = 0.0;
            out_down_out_state_local_kept[1] = 0.0;
            out_down_out_state_local_kept[2] = 0.0;
            out_down_out_state_local_kept[3] = 0.0;
            #pragma unroll
            for (flt_index y = 32; y-- > -8;) {
                out_down_out_state_local_kept[4] = out_down_out_state_local_kept[3];
                out_down_out_state_local_kept[3] = out_down_out_state_local_kept[2];
                out_down_out_state_local_kept[2] = out_down_out_state_local_kept[1];
                out_down_out_state_local_kept[1] = out_down_out_state_local_kept[0];
                out_down_up_local_kept[2] = out_down_up_local_kept[1];
                out_down_up_local_kept[1] = out_down_up_local_kept[0];
                out_down_up_local_kept[0] = fma(out_down_u[0],
                    ((-8) <= (y + 1) && (y + 1) < 32) ? out_down_up_local_kept[1] : 0.0,
                    fma(-out_down_v[0],
                    ((-8) <= (y + 2) && (y + 2) < 32) ? out_down_up_local_kept[2] : 0.0,
                    (double)out_down_farther_kept_local[flt_min_index(flt_max_index(y, 0), 39)]));
                out_down_out_state_local_kept[0] = fma(out_down_m[0],
                    ((-8) <= (y + 1) && (y + 1) < 32) ? out_down_out_state_local_kept[1] : 0.0,
                    fma(-out_down_n[0],
                    ((-8) <= (y + 2) && (y + 2) < 32) ? out_down_out_state_local_kept[2] : 0.0,
                    flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_local_kept[0])));
                if (y < 0) {
                    out_columns_tails[(y_blocks - 1) * out_columns_tails_stride_y_blocks
                        + (y + 8) * out_columns_tails_stride_y + x] = (-4) <= y
                        ? ((-2) <= y
                        ? out_down_up_local_kept[2] : out_down_out_state_local_kept[4])
                        : (y <= (-7)
                        ? out_down_down_local[y + 38] : out_down_farther_local[y + 36]);
                }
            }
        }
    }
}

/* out.columns.matrix: std.recursive:78 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_columns_matrix(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_n = frame->out_down_n;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_root = frame->out_down_root;
    double *const out_columns_matrix = frame->out_columns_matrix;
    const flt_index out_columns_matrix_stride_y_place =
        (flt_index)frame->out_columns_matrix_stride_y_place;
    __shared__ double out_columns_matrix_rows[288];
    const flt_index y_place_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    {
        const flt_index y_place_thread = (flt_index)threadIdx.x;
        if ((32 * (int32_t)y_place_block + (int32_t)y_place_thread) < 8) {
            const int64_t y_place = (int64_t)(32 * y_place_block) + (int64_t)y_place_thread;
            double out_down_down_response[40];
            double out_down_farther_response[40];
            double out_down_farther_kept_response[40];
            {
                double out_down_down_response_kept[3];
                out_down_down_response_kept[0] = 0.0;
                out_down_down_response_kept[1] = 0.0;
                double out_down_farther_response_kept[3];
                out_down_farther_response_kept[0] = 0.0;
                out_down_farther_response_kept[1] = 0.0;
                #pragma unroll
                for (flt_index y = 0; y < 40; y++) {
                    out_down_farther_response_kept[2] = out_down_farther_response_kept[1];
                    out_down_farther_response_kept[1] = out_down_farther_response_kept[0];
                    out_down_down_response_kept[2] = out_down_down_response_kept[1];
                    out_down_down_response_kept[1] = out_down_down_response_kept[0];
                    {
                        const double value_1 = fma(-out_down_v[0],
                            (0 <= ((int32_t)y - 2) && ((int32_t)y - 2) < 40)
                            ? out_down_down_response_kept[2]
                            : ((int32_t)y_place == (int32_t)y ? 1.0 : 0.0),
                            flt_mul_f64(out_down_u[0],
                            (0 <= ((int32_t)y - 1) && ((int32_t)y - 1) < 40)
                            ? out_down_down_response_kept[1]
                            : ((int32_t)y_place == ((int32_t)y + 1) ? 1.0 : 0.0)));
                        const double out_down_down_response_kept_now =
                            fabs(value_1) < 1e-300 ? 0.0 : value_1;
                        out_down_down_response_kept[0] = out_down_down_response_kept_now;
                        out_down_down_response[y] = out_down_down_response_kept_now;
                    }
                    {
                        const double value_2 = out_down_down_response_kept[0]
                            + fma(-out_down_n[0],
                            (0 <= ((int32_t)y - 2) && ((int32_t)y - 2) < 40)
                            ? out_down_farther_response_kept[2]
                            : ((int32_t)y_place == ((int32_t)y + 2) ? 1.0 : 0.0),
                            flt_mul_f64(out_down_m[0],
                            (0 <= ((int32_t)y - 1) && ((int32_t)y - 1) < 40)
                            ? out_down_farther_response_kept[1]
                            : ((int32_t)y_place == ((int32_t)y + 3) ? 1.0 : 0.0)));
                        const double out_down_farther_response_kept_now =
                            fabs(value_2) < 1e-300 ? 0.0 : value_2;
                        out_down_farther_response_kept[0] = out_down_farther_response_kept_now;
                        out_down_farther_response[y] = out_down_farther_response_kept_now;
                    }
                    out_down_farther_kept_response[y] = out_down_farther_response_kept[0];
                }
            }
            double out_down_up_response_kept[3];
            out_down_up_response_kept[0] = 0.0;
            out_down_up_response_kept[1] = 0.0;
            double out_down_out_state_response_kept[5];
            out_down_out_state_response_kept[0] = 0.0;
            out_down_out_state_response_kept[1] = 0.0;
            out_down_out_state_response_kept[2] = 0.0;
            out_down_out_state_response_kept[3] = 0.0;
            #pragma unroll
            for (flt_index y = 32; y-- > -8;) {
                out_down_out_state_response_kept[4] = out_down_out_state_response_kept[3];
                out_down_out_state_response_kept[3] = out_down_out_state_response_kept[2];
                out_down_out_state_response_kept[2] = out_down_out_state_response_kept[1];
                out_down_out_state_response_kept[1] = out_down_out_state_response_kept[0];
                out_down_up_response_kept[2] = out_down_up_response_kept[1];
                out_down_up_response_kept[1] = out_down_up_response_kept[0];
                {
                    const double value_3 =
                        out_down_farther_kept_response[flt_min_index(flt_max_index(y, 0), 39)]
                        + fma(-out_down_v[0],
                        ((-8) <= ((int32_t)y + 2) && ((int32_t)y + 2) < 32)
                        ? out_down_up_response_kept[2]
                        : ((int32_t)y_place == (35 - (int32_t)y) ? 1.0 : 0.0),
                        flt_mul_f64(out_down_u[0],
                        ((-8) <= ((int32_t)y + 1) && ((int32_t)y + 1) < 32)
                        ? out_down_up_response_kept[1]
                        : ((int32_t)y_place == (36 - (int32_t)y) ? 1.0 : 0.0)));
                    out_down_up_response_kept[0] = fabs(value_3) < 1e-300 ? 0.0 : value_3;
                }
                {
                    const double value_4 = fma(flt_mul_f64(4.0, out_down_root[0]),
                        out_down_up_response_kept[0],
                        fma(-out_down_n[0],
                        ((-8) <= ((int32_t)y + 2) && ((int32_t)y + 2) < 32)
                        ? out_down_out_state_response_kept[2]
                        : ((int32_t)y_place == (37 - (int32_t)y) ? 1.0 : 0.0),
                        flt_mul_f64(out_down_m[0],
                        ((-8) <= ((int32_t)y + 1) && ((int32_t)y + 1) < 32)
                        ? out_down_out_state_response_kept[1]
                        : ((int32_t)y_place == (38 - (int32_t)y) ? 1.0 : 0.0))));
                    out_down_out_state_response_kept[0] = fabs(value_4) < 1e-300 ? 0.0 : value_4;
                }
                if ((int32_t)y < 0) {
                    out_columns_matrix_rows[0 * 288 + y_place_thread * 9 + y
                        + 8] = (-4) <= (int32_t)y
                        ? ((-2) <= (int32_t)y
                        ? out_down_up_response_kept[2] : out_down_out_state_response_kept[4])
                        : ((int32_t)y <= (-7)
                        ? out_down_down_response[y + 38] : out_down_farther_response[y + 36]);
                }
            }
        }
        __syncthreads();
        for (flt_index row_part = 0; row_part < 8; row_part++) {
            if ((32 * (int32_t)y_place_block
                + (((int32_t)y_place_thread + 32 * (int32_t)row_part) >> 3)) < 8) {
                const int32_t value_5 = ((int32_t)y_place_thread + 32 * (int32_t)row_part) >> 3;
                const int32_t value_6 = ((int32_t)y_place_thread + 32 * (int32_t)row_part) & 7;
                out_columns_matrix[((int64_t)(32 * y_place_block)
                    + (int64_t)((flt_index)value_5)) * out_columns_matrix_stride_y_place
                    + (flt_index)value_6] = out_columns_matrix_rows[0 * 288
                    + (flt_index)value_5 * 9 + (flt_index)value_6];
            }
        }
    }
}

/* out.columns.carry: std.recursive:78 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_columns_carry(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *FLT_RESTRICT const out_columns_matrix = frame->out_columns_matrix;
    const flt_index out_columns_matrix_stride_y_place =
        (flt_index)frame->out_columns_matrix_stride_y_place;
    double *FLT_RESTRICT const out_columns_carry = frame->out_columns_carry;
    const flt_index out_columns_carry_stride_y_blocks =
        (flt_index)frame->out_columns_carry_stride_y_blocks;
    const flt_index out_columns_carry_stride_y_place =
        (flt_index)frame->out_columns_carry_stride_y_place;
    const double *FLT_RESTRICT const out_columns_ends = frame->out_columns_ends;
    const flt_index out_columns_ends_stride_y_blocks =
        (flt_index)frame->out_columns_ends_stride_y_blocks;
    const flt_index out_columns_ends_stride_y = (flt_index)frame->out_columns_ends_stride_y;
    const double *const out_down_u = frame->out_down_u;
    const double *FLT_RESTRICT const out_down_down_edge = frame->out_down_down_edge;
    const double *const out_down_root = frame->out_down_root;
    const float *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    const double *const out_down_v = frame->out_down_v;
    double *FLT_RESTRICT const out_down_down_turn = frame->out_down_down_turn;
    const flt_index out_down_down_turn_stride_y = (flt_index)frame->out_down_down_turn_stride_y;
    const double *const out_down_m = frame->out_down_m;
    const double *FLT_RESTRICT const out_down_farther_edge = frame->out_down_farther_edge;
    const double *const out_down_n = frame->out_down_n;
    double *FLT_RESTRICT const out_down_farther_turn = frame->out_down_farther_turn;
    const flt_index out_down_farther_turn_stride_y =
        (flt_index)frame->out_down_farther_turn_stride_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_columns_ends_y_blocks = (flt_index)frame->out_columns_ends_y_blocks;
    (void)out_columns_ends_y_blocks;
    const flt_index out_down_down_turn_y = (flt_index)frame->out_down_down_turn_y;
    (void)out_down_down_turn_y;
    const flt_index out_columns_tails_y_blocks = (flt_index)frame->out_columns_tails_y_blocks;
    (void)out_columns_tails_y_blocks;
    const flt_index out_down_down_turn_y_first = (flt_index)frame->out_down_down_turn_y_first;
    (void)out_down_down_turn_y_first;
    const flt_index out_down_up_rest_y_first = (flt_index)frame->out_down_up_rest_y_first;
    (void)out_down_up_rest_y_first;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index x_thread = (flt_index)threadIdx.x;
    if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index x = 32 * x_block + x_thread;
        double out_columns_carry_kept[2];
        out_columns_carry_kept[0] = 0.0;
        double out_columns_carry_kept_2[2];
        out_columns_carry_kept_2[0] = 0.0;
        double out_columns_carry_kept_3[2];
        out_columns_carry_kept_3[0] = 0.0;
        double out_columns_carry_kept_4[2];
        out_columns_carry_kept_4[0] = 0.0;
        if (0 < (int32_t)out_columns_ends_y_blocks) {
            out_columns_carry_kept_4[1] = out_columns_carry_kept_4[0];
            out_columns_carry_kept_3[1] = out_columns_carry_kept_3[0];
            out_columns_carry_kept_2[1] = out_columns_carry_kept_2[0];
            out_columns_carry_kept[1] = out_columns_carry_kept[0];
            {
                const double out_columns_carry_kept_now =
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept_4[1],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept_3[1],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept_2[1],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept[1], 0.0))));
                out_columns_carry_kept[0] = out_columns_carry_kept_now;
                out_columns_carry[0 * out_columns_carry_stride_y_blocks
                    + 0 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_now;
            }
            {
                const double out_columns_carry_kept_2_now =
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept_4[1],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept_3[1],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept_2[1],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept[1], 0.0))));
                out_columns_carry_kept_2[0] = out_columns_carry_kept_2_now;
                out_columns_carry[0 * out_columns_carry_stride_y_blocks
                    + 1 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_2_now;
            }
            {
                const double out_columns_carry_kept_3_now =
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept_4[1],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept_3[1],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept_2[1],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept[1], 0.0))));
                out_columns_carry_kept_3[0] = out_columns_carry_kept_3_now;
                out_columns_carry[0 * out_columns_carry_stride_y_blocks
                    + 2 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_3_now;
            }
            const double out_columns_carry_kept_4_now =
                fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept_4[1],
                fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept_3[1],
                fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept_2[1],
                fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept[1], 0.0))));
            out_columns_carry_kept_4[0] = out_columns_carry_kept_4_now;
            out_columns_carry[0 * out_columns_carry_stride_y_blocks
                + 3 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_4_now;
        }
        #pragma unroll 8
        for (flt_index y_blocks = 1; y_blocks < out_columns_ends_y_blocks; y_blocks++) {
            out_columns_carry_kept_4[1] = out_columns_carry_kept_4[0];
            out_columns_carry_kept_3[1] = out_columns_carry_kept_3[0];
            out_columns_carry_kept_2[1] = out_columns_carry_kept_2[0];
            out_columns_carry_kept[1] = out_columns_carry_kept[0];
            {
                const double out_columns_carry_kept_now =
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept_4[1],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept_3[1],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept_2[1],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 0],
                    out_columns_carry_kept[1],
                    out_columns_ends[y_blocks * out_columns_ends_stride_y_blocks
                    + 0 * out_columns_ends_stride_y + x]))));
                out_columns_carry_kept[0] = out_columns_carry_kept_now;
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 0 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_now;
            }
            {
                const double out_columns_carry_kept_2_now =
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept_4[1],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept_3[1],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept_2[1],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 1],
                    out_columns_carry_kept[1],
                    out_columns_ends[y_blocks * out_columns_ends_stride_y_blocks
                    + 1 * out_columns_ends_stride_y + x]))));
                out_columns_carry_kept_2[0] = out_columns_carry_kept_2_now;
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 1 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_2_now;
            }
            {
                const double out_columns_carry_kept_3_now =
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept_4[1],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept_3[1],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept_2[1],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 2],
                    out_columns_carry_kept[1],
                    out_columns_ends[y_blocks * out_columns_ends_stride_y_blocks
                    + 2 * out_columns_ends_stride_y + x]))));
                out_columns_carry_kept_3[0] = out_columns_carry_kept_3_now;
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 2 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_3_now;
            }
            const double out_columns_carry_kept_4_now =
                fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept_4[1],
                fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept_3[1],
                fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept_2[1],
                fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 3],
                out_columns_carry_kept[1],
                out_columns_ends[y_blocks * out_columns_ends_stride_y_blocks
                + 3 * out_columns_ends_stride_y + x]))));
            out_columns_carry_kept_4[0] = out_columns_carry_kept_4_now;
            out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                + 3 * out_columns_carry_stride_y_place + x] = out_columns_carry_kept_4_now;
        }
    }
    /* out.down.down.turn */
    if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index x = 32 * x_block + x_thread;
        double out_down_down_turn_kept[3];
        out_down_down_turn_kept[0] = 0.0;
        out_down_down_turn_kept[1] = 0.0;
        if (0 < out_down_down_turn_y) {
            out_down_down_turn_kept[2] = out_down_down_turn_kept[1];
            out_down_down_turn_kept[1] = out_down_down_turn_kept[0];
            const double out_down_down_turn_kept_now = fma(out_down_u[0],
                (int32_t)out_columns_tails_y_blocks == 0
                ? flt_mul_f64(out_down_down_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[0 * in_stride_y
                + x * in_stride_x]))
                : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                + flt_min_index(flt_max_index(out_down_down_turn_y_first - out_down_up_rest_y_first
                + 1, 0),
                3) * out_columns_carry_stride_y_place + x], fma(-out_down_v[0],
                (int32_t)out_columns_tails_y_blocks == 0
                ? flt_mul_f64(out_down_down_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[0 * in_stride_y
                + x * in_stride_x]))
                : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                + flt_min_index(flt_max_index(out_down_down_turn_y_first - out_down_up_rest_y_first,
                0),
                3) * out_columns_carry_stride_y_place
                + x],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[flt_min_index(flt_max_index(out_down_down_turn_y_first, 0),
                in_y - 1) * in_stride_y + x * in_stride_x])));
            out_down_down_turn_kept[0] = out_down_down_turn_kept_now;
            out_down_down_turn[0 * out_down_down_turn_stride_y + x] = out_down_down_turn_kept_now;
        }
        if (0 < (out_down_down_turn_y - 1)) {
            out_down_down_turn_kept[2] = out_down_down_turn_kept[1];
            out_down_down_turn_kept[1] = out_down_down_turn_kept[0];
            const double out_down_down_turn_kept_now = fma(out_down_u[0],
                out_down_down_turn_kept[1],
                fma(-out_down_v[0],
                (int32_t)out_columns_tails_y_blocks == 0
                ? flt_mul_f64(out_down_down_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[0 * in_stride_y
                + x * in_stride_x]))
                : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                + flt_min_index(flt_max_index(out_down_down_turn_y_first
                + 1 - out_down_up_rest_y_first, 0),
                3) * out_columns_carry_stride_y_place
                + x],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[flt_min_index(flt_max_index(out_down_down_turn_y_first + 1, 0),
                in_y - 1) * in_stride_y + x * in_stride_x])));
            out_down_down_turn_kept[0] = out_down_down_turn_kept_now;
            out_down_down_turn[1 * out_down_down_turn_stride_y + x] = out_down_down_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index y = out_down_down_turn_y_first + 2; y < out_down_down_turn_y_first
            + out_down_down_turn_y; y++) {
            out_down_down_turn_kept[2] = out_down_down_turn_kept[1];
            out_down_down_turn_kept[1] = out_down_down_turn_kept[0];
            const double out_down_down_turn_kept_now = fma(out_down_u[0],
                out_down_down_turn_kept[1],
                fma(-out_down_v[0], out_down_down_turn_kept[2],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[flt_min_index(flt_max_index(y, 0), in_y - 1) * in_stride_y
                + x * in_stride_x])));
            out_down_down_turn_kept[0] = out_down_down_turn_kept_now;
            out_down_down_turn[(y - out_down_down_turn_y_first) * out_down_down_turn_stride_y + x] =
                out_down_down_turn_kept_now;
        }
    }
    /* out.down.farther.turn */
    if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index x = 32 * x_block + x_thread;
        double out_down_farther_turn_kept[3];
        out_down_farther_turn_kept[0] = 0.0;
        out_down_farther_turn_kept[1] = 0.0;
        if (0 < out_down_down_turn_y) {
            out_down_farther_turn_kept[2] = out_down_farther_turn_kept[1];
            out_down_farther_turn_kept[1] = out_down_farther_turn_kept[0];
            const double out_down_farther_turn_kept_now = fma(out_down_m[0],
                (int32_t)out_columns_tails_y_blocks == 0
                ? flt_mul_f64(out_down_farther_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[0 * in_stride_y
                + x * in_stride_x]))
                : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                + flt_min_index(flt_max_index(out_down_down_turn_y_first - out_down_up_rest_y_first
                + 3, 0),
                3) * out_columns_carry_stride_y_place + x], fma(-out_down_n[0],
                (int32_t)out_columns_tails_y_blocks == 0
                ? flt_mul_f64(out_down_farther_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[0 * in_stride_y
                + x * in_stride_x]))
                : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                + flt_min_index(flt_max_index(out_down_down_turn_y_first - out_down_up_rest_y_first
                + 2, 0),
                3) * out_columns_carry_stride_y_place
                + x], out_down_down_turn[0 * out_down_down_turn_stride_y + x]));
            out_down_farther_turn_kept[0] = out_down_farther_turn_kept_now;
            out_down_farther_turn[0 * out_down_farther_turn_stride_y + x] =
                out_down_farther_turn_kept_now;
        }
        if (0 < (out_down_down_turn_y - 1)) {
            out_down_farther_turn_kept[2] = out_down_farther_turn_kept[1];
            out_down_farther_turn_kept[1] = out_down_farther_turn_kept[0];
            const double out_down_farther_turn_kept_now = fma(out_down_m[0],
                out_down_farther_turn_kept[1],
                fma(-out_down_n[0],
                (int32_t)out_columns_tails_y_blocks == 0
                ? flt_mul_f64(out_down_farther_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[0 * in_stride_y
                + x * in_stride_x]))
                : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                + flt_min_index(flt_max_index(out_down_down_turn_y_first
                + 1 - out_down_up_rest_y_first + 2, 0),
                3) * out_columns_carry_stride_y_place
                + x], out_down_down_turn[1 * out_down_down_turn_stride_y + x]));
            out_down_farther_turn_kept[0] = out_down_farther_turn_kept_now;
            out_down_farther_turn[1 * out_down_farther_turn_stride_y + x] =
                out_down_farther_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index y = out_down_down_turn_y_first + 2; y < out_down_down_turn_y_first
            + out_down_down_turn_y; y++) {
            out_down_farther_turn_kept[2] = out_down_farther_turn_kept[1];
            out_down_farther_turn_kept[1] = out_down_farther_turn_kept[0];
            const double out_down_farther_turn_kept_now = fma(out_down_m[0],
                out_down_farther_turn_kept[1],
                fma(-out_down_n[0], out_down_farther_turn_kept[2],
                out_down_down_turn[(y - out_down_down_turn_y_first) * out_down_down_turn_stride_y
                + x]));
            out_down_farther_turn_kept[0] = out_down_farther_turn_kept_now;
            out_down_farther_turn[(y - out_down_down_turn_y_first) * out_down_farther_turn_stride_y
                + x] = out_down_farther_turn_kept_now;
        }
    }
}

/* out.down.farther.kept.turn: std.recursive:46 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) gaussian_recursive_out_down_farther_kept_turn(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *FLT_RESTRICT const out_down_farther_turn = frame->out_down_farther_turn;
    const flt_index out_down_farther_turn_stride_y =
        (flt_index)frame->out_down_farther_turn_stride_y;
    float *FLT_RESTRICT const out_down_farther_kept_turn = frame->out_down_farther_kept_turn;
    const flt_index out_down_farther_kept_turn_stride_y =
        (flt_index)frame->out_down_farther_kept_turn_stride_y;
    const flt_index out_down_down_turn_y = (flt_index)frame->out_down_down_turn_y;
    (void)out_down_down_turn_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_down_down_turn_y_first = (flt_index)frame->out_down_down_turn_y_first;
    (void)out_down_down_turn_y_first;
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.y;
    const flt_index x_thread = (flt_index)threadIdx.x;
    if ((8 * y_block + y_thread) < out_down_down_turn_y
        && (32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index y = out_down_down_turn_y_first + 8 * y_block + y_thread;
        const flt_index x = 32 * x_block + x_thread;
        out_down_farther_kept_turn[(y
            - out_down_down_turn_y_first) * out_down_farther_kept_turn_stride_y
            + x] = (float)out_down_farther_turn[(y
            - out_down_down_turn_y_first) * out_down_farther_turn_stride_y + x];
    }
}

/* out.down.up.turn: std.recursive:47 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_down_up_turn(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *const out_down_up_edge = frame->out_down_up_edge;
    const double *const out_down_root = frame->out_down_root;
    const float *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    const double *FLT_RESTRICT const out_down_down_turn = frame->out_down_down_turn;
    const flt_index out_down_down_turn_stride_y = (flt_index)frame->out_down_down_turn_stride_y;
    const double *FLT_RESTRICT const out_down_farther_turn = frame->out_down_farther_turn;
    const flt_index out_down_farther_turn_stride_y =
        (flt_index)frame->out_down_farther_turn_stride_y;
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const float *FLT_RESTRICT const out_down_farther_kept_turn = frame->out_down_farther_kept_turn;
    const flt_index out_down_farther_kept_turn_stride_y =
        (flt_index)frame->out_down_farther_kept_turn_stride_y;
    double *FLT_RESTRICT const out_down_up_turn = frame->out_down_up_turn;
    const flt_index out_down_up_turn_stride_y = (flt_index)frame->out_down_up_turn_stride_y;
    const double *const out_down_out_state_edge = frame->out_down_out_state_edge;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *FLT_RESTRICT const out_down_out_state_turn = frame->out_down_out_state_turn;
    const flt_index out_down_out_state_turn_stride_y =
        (flt_index)frame->out_down_out_state_turn_stride_y;
    const double *FLT_RESTRICT const out_columns_matrix = frame->out_columns_matrix;
    const flt_index out_columns_matrix_stride_y_place =
        (flt_index)frame->out_columns_matrix_stride_y_place;
    double *FLT_RESTRICT const out_columns_carry_back = frame->out_columns_carry_back;
    const flt_index out_columns_carry_back_stride_y_blocks =
        (flt_index)frame->out_columns_carry_back_stride_y_blocks;
    const flt_index out_columns_carry_back_stride_y_place =
        (flt_index)frame->out_columns_carry_back_stride_y_place;
    const double *FLT_RESTRICT const out_columns_carry = frame->out_columns_carry;
    const flt_index out_columns_carry_stride_y_blocks =
        (flt_index)frame->out_columns_carry_stride_y_blocks;
    const flt_index out_columns_carry_stride_y_place =
        (flt_index)frame->out_columns_carry_stride_y_place;
    const double *FLT_RESTRICT const out_columns_ends = frame->out_columns_ends;
    const flt_index out_columns_ends_stride_y_blocks =
        (flt_index)frame->out_columns_ends_stride_y_blocks;
    const flt_index out_columns_ends_stride_y = (flt_index)frame->out_columns_ends_stride_y;
    const double *FLT_RESTRICT const out_down_down_edge = frame->out_down_down_edge;
    const double *FLT_RESTRICT const out_down_farther_edge = frame->out_down_farther_edge;
    float *FLT_RESTRICT const out_down_farther_kept_rest = frame->out_down_farther_kept_rest;
    const flt_index out_down_farther_kept_rest_stride_y =
        (flt_index)frame->out_down_farther_kept_rest_stride_y;
    float *FLT_RESTRICT const out_columns_rest = frame->out_columns_rest;
    const flt_index out_columns_rest_stride_y = (flt_index)frame->out_columns_rest_stride_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_down_up_turn_y = (flt_index)frame->out_down_up_turn_y;
    (void)out_down_up_turn_y;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index out_down_up_turn_y_first = (flt_index)frame->out_down_up_turn_y_first;
    (void)out_down_up_turn_y_first;
    const flt_index out_down_down_turn_y_first = (flt_index)frame->out_down_down_turn_y_first;
    (void)out_down_down_turn_y_first;
    const flt_index out_down_down_turn_y = (flt_index)frame->out_down_down_turn_y;
    (void)out_down_down_turn_y;
    const flt_index out_down_up_rest_y_first = (flt_index)frame->out_down_up_rest_y_first;
    (void)out_down_up_rest_y_first;
    const flt_index out_columns_ends_y_blocks = (flt_index)frame->out_columns_ends_y_blocks;
    (void)out_columns_ends_y_blocks;
    const flt_index out_down_down_rest_y = (flt_index)frame->out_down_down_rest_y;
    (void)out_down_down_rest_y;
    const flt_index out_columns_tails_y_blocks = (flt_index)frame->out_columns_tails_y_blocks;
    (void)out_columns_tails_y_blocks;
    const flt_index out_down_down_rest_y_first = (flt_index)frame->out_down_down_rest_y_first;
    (void)out_down_down_rest_y_first;
    const flt_index out_down_up_rest_y = (flt_index)frame->out_down_up_rest_y;
    (void)out_down_up_rest_y;
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index x_thread = (flt_index)threadIdx.x;
    if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index x = 32 * x_block + x_thread;
        double out_down_up_turn_kept[3];
        out_down_up_turn_kept[0] = 0.0;
        out_down_up_turn_kept[1] = 0.0;
        if (0 < (int32_t)out_down_up_turn_y) {
            out_down_up_turn_kept[2] = out_down_up_turn_kept[1];
            out_down_up_turn_kept[1] = out_down_up_turn_kept[0];
            const double value_1 = flt_mul_f64(out_down_up_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[(in_y - 1) * in_stride_y + x * in_stride_x]));
            const double value_2 = out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_down_turn_stride_y + x];
            const flt_index value_3 = flt_min_index(flt_max_index(out_down_up_turn_y_first
                + out_down_up_turn_y - 1 - 1, out_down_down_turn_y_first),
                out_down_down_turn_y_first + out_down_down_turn_y - 1);
            const double value_4 = out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_farther_turn_stride_y + x];
            const double out_down_up_turn_kept_now = fma(out_down_u[0],
                value_1 + flt_mul_f64(out_down_up_edge[1], value_2)
                + flt_mul_f64(out_down_up_edge[2],
                out_down_down_turn[(value_3
                - out_down_down_turn_y_first) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_up_edge[3], value_4) + flt_mul_f64(out_down_up_edge[4],
                out_down_farther_turn[(value_3
                - out_down_down_turn_y_first) * out_down_farther_turn_stride_y
                + x]), fma(-out_down_v[0],
                value_1
                + flt_mul_f64(out_down_up_edge[1],
                out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_up_edge[2], value_2) + flt_mul_f64(out_down_up_edge[3],
                out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first) * out_down_farther_turn_stride_y
                + x]) + flt_mul_f64(out_down_up_edge[4],
                value_4),
                (double)out_down_farther_kept_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_farther_kept_turn_stride_y + x]));
            out_down_up_turn_kept[0] = out_down_up_turn_kept_now;
            out_down_up_turn[(out_down_up_turn_y - 1) * out_down_up_turn_stride_y + x] =
                out_down_up_turn_kept_now;
        }
        if (0 < ((int32_t)out_down_up_turn_y - 1)) {
            out_down_up_turn_kept[2] = out_down_up_turn_kept[1];
            out_down_up_turn_kept[1] = out_down_up_turn_kept[0];
            const double out_down_up_turn_kept_now = fma(out_down_u[0], out_down_up_turn_kept[1],
                fma(-out_down_v[0],
                flt_mul_f64(out_down_up_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[(in_y - 1) * in_stride_y
                + x * in_stride_x]))
                + flt_mul_f64(out_down_up_edge[1],
                out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_up_edge[2],
                out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 2) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_up_edge[3],
                out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_farther_turn_stride_y
                + x]) + flt_mul_f64(out_down_up_edge[4],
                out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 2) * out_down_farther_turn_stride_y
                + x]), (double)out_down_farther_kept_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 2) * out_down_farther_kept_turn_stride_y + x]));
            out_down_up_turn_kept[0] = out_down_up_turn_kept_now;
            out_down_up_turn[(out_down_up_turn_y - 2) * out_down_up_turn_stride_y + x] =
                out_down_up_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index y =
            out_down_up_turn_y_first + out_down_up_turn_y - 2; y-- > out_down_up_turn_y_first;) {
            out_down_up_turn_kept[2] = out_down_up_turn_kept[1];
            out_down_up_turn_kept[1] = out_down_up_turn_kept[0];
            const double out_down_up_turn_kept_now = fma(out_down_u[0], out_down_up_turn_kept[1],
                fma(-out_down_v[0], out_down_up_turn_kept[2],
                (double)out_down_farther_kept_turn[(y
                - out_down_down_turn_y_first) * out_down_farther_kept_turn_stride_y + x]));
            out_down_up_turn_kept[0] = out_down_up_turn_kept_now;
            out_down_up_turn[(y - out_down_up_turn_y_first) * out_down_up_turn_stride_y + x] =
                out_down_up_turn_kept_now;
        }
    }
    /* out.down.out.state.turn */
    if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index x = 32 * x_block + x_thread;
        double out_down_out_state_turn_kept[3];
        out_down_out_state_turn_kept[0] = 0.0;
        out_down_out_state_turn_kept[1] = 0.0;
        if (0 < (int32_t)out_down_up_turn_y) {
            out_down_out_state_turn_kept[2] = out_down_out_state_turn_kept[1];
            out_down_out_state_turn_kept[1] = out_down_out_state_turn_kept[0];
            const double value_1 = flt_mul_f64(out_down_out_state_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[(in_y - 1) * in_stride_y + x * in_stride_x]));
            const double value_2 = out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_down_turn_stride_y + x];
            const flt_index value_3 = flt_min_index(flt_max_index(out_down_up_turn_y_first
                + out_down_up_turn_y - 1 - 1, out_down_down_turn_y_first),
                out_down_down_turn_y_first + out_down_down_turn_y - 1);
            const double value_4 = out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_farther_turn_stride_y + x];
            const double out_down_out_state_turn_kept_now = fma(out_down_m[0],
                value_1 + flt_mul_f64(out_down_out_state_edge[1], value_2)
                + flt_mul_f64(out_down_out_state_edge[2],
                out_down_down_turn[(value_3
                - out_down_down_turn_y_first) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_out_state_edge[3],
                value_4)
                + flt_mul_f64(out_down_out_state_edge[4],
                out_down_farther_turn[(value_3
                - out_down_down_turn_y_first) * out_down_farther_turn_stride_y
                + x]), fma(-out_down_n[0],
                value_1
                + flt_mul_f64(out_down_out_state_edge[1],
                out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_out_state_edge[2],
                value_2)
                + flt_mul_f64(out_down_out_state_edge[3],
                out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first) * out_down_farther_turn_stride_y
                + x]) + flt_mul_f64(out_down_out_state_edge[4],
                value_4),
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                out_down_up_turn[(out_down_up_turn_y - 1) * out_down_up_turn_stride_y + x])));
            out_down_out_state_turn_kept[0] = out_down_out_state_turn_kept_now;
            out_down_out_state_turn[(out_down_up_turn_y - 1) * out_down_out_state_turn_stride_y
                + x] = out_down_out_state_turn_kept_now;
        }
        if (0 < ((int32_t)out_down_up_turn_y - 1)) {
            out_down_out_state_turn_kept[2] = out_down_out_state_turn_kept[1];
            out_down_out_state_turn_kept[1] = out_down_out_state_turn_kept[0];
            const double out_down_out_state_turn_kept_now = fma(out_down_m[0],
                out_down_out_state_turn_kept[1],
                fma(-out_down_n[0],
                flt_mul_f64(out_down_out_state_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[(in_y - 1) * in_stride_y
                + x * in_stride_x]))
                + flt_mul_f64(out_down_out_state_edge[1],
                out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_out_state_edge[2],
                out_down_down_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 2) * out_down_down_turn_stride_y
                + x]) + flt_mul_f64(out_down_out_state_edge[3],
                out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 1) * out_down_farther_turn_stride_y
                + x]) + flt_mul_f64(out_down_out_state_edge[4],
                out_down_farther_turn[(out_down_up_turn_y_first
                + out_down_up_turn_y - out_down_down_turn_y_first
                - 2) * out_down_farther_turn_stride_y + x]), flt_mul_f64(flt_mul_f64(4.0,
                out_down_root[0]),
                out_down_up_turn[(out_down_up_turn_y - 2) * out_down_up_turn_stride_y + x])));
            out_down_out_state_turn_kept[0] = out_down_out_state_turn_kept_now;
            out_down_out_state_turn[(out_down_up_turn_y - 2) * out_down_out_state_turn_stride_y
                + x] = out_down_out_state_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index y =
            out_down_up_turn_y_first + out_down_up_turn_y - 2; y-- > out_down_up_turn_y_first;) {
            out_down_out_state_turn_kept[2] = out_down_out_state_turn_kept[1];
            out_down_out_state_turn_kept[1] = out_down_out_state_turn_kept[0];
            const double out_down_out_state_turn_kept_now = fma(out_down_m[0],
                out_down_out_state_turn_kept[1],
                fma(-out_down_n[0], out_down_out_state_turn_kept[2],
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                out_down_up_turn[(y - out_down_up_turn_y_first) * out_down_up_turn_stride_y + x])));
            out_down_out_state_turn_kept[0] = out_down_out_state_turn_kept_now;
            out_down_out_state_turn[(y
                - out_down_up_turn_y_first) * out_down_out_state_turn_stride_y
                + x] = out_down_out_state_turn_kept_now;
        }
    }
    /* out.columns.carry_back */
    if ((32 * x_block + 32) <= in_x && out_down_up_turn_y_first <= out_down_up_rest_y_first
        && (out_down_up_rest_y_first + 2) <= (out_down_up_turn_y_first + out_down_up_turn_y)) {
        const flt_index x = 32 * x_block + x_thread;
        double out_columns_carry_back_kept[2];
        out_columns_carry_back_kept[0] = 0.0;
        double out_columns_carry_back_kept_2[2];
        out_columns_carry_back_kept_2[0] = 0.0;
        double out_columns_carry_back_kept_3[2];
        out_columns_carry_back_kept_3[0] = 0.0;
        double out_columns_carry_back_kept_4[2];
        out_columns_carry_back_kept_4[0] = 0.0;
        if (0 < (int32_t)out_columns_ends_y_blocks) {
            out_columns_carry_back_kept_4[1] = out_columns_carry_back_kept_4[0];
            out_columns_carry_back_kept_3[1] = out_columns_carry_back_kept_3[0];
            out_columns_carry_back_kept_2[1] = out_columns_carry_back_kept_2[0];
            out_columns_carry_back_kept[1] = out_columns_carry_back_kept[0];
            {
                const double out_columns_carry_back_kept_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept[1],
                    out_down_up_turn[(out_down_up_rest_y_first - out_down_up_turn_y_first
                    + 1) * out_down_up_turn_stride_y + x]))));
                out_columns_carry_back_kept[0] = out_columns_carry_back_kept_now;
                out_columns_carry_back[(out_columns_ends_y_blocks
                    - 1) * out_columns_carry_back_stride_y_blocks
                    + 0 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_now;
            }
            {
                const double out_columns_carry_back_kept_2_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept[1],
                    out_down_up_turn[(out_down_up_rest_y_first
                    - out_down_up_turn_y_first) * out_down_up_turn_stride_y + x]))));
                out_columns_carry_back_kept_2[0] = out_columns_carry_back_kept_2_now;
                out_columns_carry_back[(out_columns_ends_y_blocks
                    - 1) * out_columns_carry_back_stride_y_blocks
                    + 1 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_2_now;
            }
            {
                const double out_columns_carry_back_kept_3_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept[1],
                    out_down_out_state_turn[(out_down_up_rest_y_first - out_down_up_turn_y_first
                    + 1) * out_down_out_state_turn_stride_y + x]))));
                out_columns_carry_back_kept_3[0] = out_columns_carry_back_kept_3_now;
                out_columns_carry_back[(out_columns_ends_y_blocks
                    - 1) * out_columns_carry_back_stride_y_blocks
                    + 2 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_3_now;
            }
            const double out_columns_carry_back_kept_4_now =
                fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept_4[1],
                fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept_3[1],
                fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept_2[1],
                fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept[1],
                out_down_out_state_turn[(out_down_up_rest_y_first
                - out_down_up_turn_y_first) * out_down_out_state_turn_stride_y + x]))));
            out_columns_carry_back_kept_4[0] = out_columns_carry_back_kept_4_now;
            out_columns_carry_back[(out_columns_ends_y_blocks
                - 1) * out_columns_carry_back_stride_y_blocks
                + 3 * out_columns_carry_back_stride_y_place + x] =
                out_columns_carry_back_kept_4_now;
        }
        #pragma unroll 8
        for (flt_index y_blocks = out_columns_ends_y_blocks - 1; y_blocks-- > 0;) {
            out_columns_carry_back_kept_4[1] = out_columns_carry_back_kept_4[0];
            out_columns_carry_back_kept_3[1] = out_columns_carry_back_kept_3[0];
            out_columns_carry_back_kept_2[1] = out_columns_carry_back_kept_2[0];
            out_columns_carry_back_kept[1] = out_columns_carry_back_kept[0];
            {
                const double out_columns_carry_back_kept_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry_back_kept[1],
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 3 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 2 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 1 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 7],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 0 * out_columns_carry_stride_y_place + x],
                    out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                    + 7 * out_columns_ends_stride_y + x]))))))));
                out_columns_carry_back_kept[0] = out_columns_carry_back_kept_now;
                out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                    + 0 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_now;
            }
            {
                const double out_columns_carry_back_kept_2_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry_back_kept[1],
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 3 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 2 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 1 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 6],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 0 * out_columns_carry_stride_y_place + x],
                    out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                    + 6 * out_columns_ends_stride_y + x]))))))));
                out_columns_carry_back_kept_2[0] = out_columns_carry_back_kept_2_now;
                out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                    + 1 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_2_now;
            }
            {
                const double out_columns_carry_back_kept_3_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry_back_kept[1],
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 3 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 2 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 1 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 5],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 0 * out_columns_carry_stride_y_place + x],
                    out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                    + 5 * out_columns_ends_stride_y + x]))))))));
                out_columns_carry_back_kept_3[0] = out_columns_carry_back_kept_3_now;
                out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                    + 2 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_3_now;
            }
            const double out_columns_carry_back_kept_4_now =
                fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept_4[1],
                fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept_3[1],
                fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept_2[1],
                fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry_back_kept[1],
                fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                + 3 * out_columns_carry_stride_y_place + x],
                fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                + 2 * out_columns_carry_stride_y_place + x],
                fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                + 1 * out_columns_carry_stride_y_place + x],
                fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 4],
                out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                + 0 * out_columns_carry_stride_y_place + x],
                out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                + 4 * out_columns_ends_stride_y + x]))))))));
            out_columns_carry_back_kept_4[0] = out_columns_carry_back_kept_4_now;
            out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                + 3 * out_columns_carry_back_stride_y_place + x] =
                out_columns_carry_back_kept_4_now;
        }
    } else {
        if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
            const flt_index x = 32 * x_block + x_thread;
            double out_columns_carry_back_kept[2];
            out_columns_carry_back_kept[0] = 0.0;
            double out_columns_carry_back_kept_2[2];
            out_columns_carry_back_kept_2[0] = 0.0;
            double out_columns_carry_back_kept_3[2];
            out_columns_carry_back_kept_3[0] = 0.0;
            double out_columns_carry_back_kept_4[2];
            out_columns_carry_back_kept_4[0] = 0.0;
            if (0 < (int32_t)out_columns_ends_y_blocks) {
                out_columns_carry_back_kept_4[1] = out_columns_carry_back_kept_4[0];
                out_columns_carry_back_kept_3[1] = out_columns_carry_back_kept_3[0];
                out_columns_carry_back_kept_2[1] = out_columns_carry_back_kept_2[0];
                out_columns_carry_back_kept[1] = out_columns_carry_back_kept[0];
                {
                    const double out_columns_carry_back_kept_now =
                        fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept_4[1],
                        fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept_3[1],
                        fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept_2[1],
                        fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept[1],
                        out_down_up_turn[(flt_min_index(flt_max_index(out_down_up_rest_y_first - 1
                        + 2, out_down_up_turn_y_first),
                        out_down_up_turn_y_first + out_down_up_turn_y - 1)
                        - out_down_up_turn_y_first) * out_down_up_turn_stride_y + x]))));
                    out_columns_carry_back_kept[0] = out_columns_carry_back_kept_now;
                    out_columns_carry_back[(out_columns_ends_y_blocks
                        - 1) * out_columns_carry_back_stride_y_blocks
                        + 0 * out_columns_carry_back_stride_y_place + x] =
                        out_columns_carry_back_kept_now;
                }
                {
                    const double out_columns_carry_back_kept_2_now =
                        fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept_4[1],
                        fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept_3[1],
                        fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept_2[1],
                        fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept[1],
                        out_down_up_turn[(flt_min_index(flt_max_index(out_down_up_rest_y_first - 2
                        + 2, out_down_up_turn_y_first),
                        out_down_up_turn_y_first + out_down_up_turn_y - 1)
                        - out_down_up_turn_y_first) * out_down_up_turn_stride_y + x]))));
                    out_columns_carry_back_kept_2[0] = out_columns_carry_back_kept_2_now;
                    out_columns_carry_back[(out_columns_ends_y_blocks
                        - 1) * out_columns_carry_back_stride_y_blocks
                        + 1 * out_columns_carry_back_stride_y_place + x] =
                        out_columns_carry_back_kept_2_now;
                }
                {
                    const double out_columns_carry_back_kept_3_now =
                        fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept_4[1],
                        fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept_3[1],
                        fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept_2[1],
                        fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept[1],
                        out_down_out_state_turn[(flt_min_index(flt_max_index(out_down_up_rest_y_first
                        - 3 + 4, out_down_up_turn_y_first),
                        out_down_up_turn_y_first + out_down_up_turn_y - 1)
                        - out_down_up_turn_y_first) * out_down_out_state_turn_stride_y + x]))));
                    out_columns_carry_back_kept_3[0] = out_columns_carry_back_kept_3_now;
                    out_columns_carry_back[(out_columns_ends_y_blocks
                        - 1) * out_columns_carry_back_stride_y_blocks
                        + 2 * out_columns_carry_back_stride_y_place + x] =
                        out_columns_carry_back_kept_3_now;
                }
                const double out_columns_carry_back_kept_4_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept[1],
                    out_down_out_state_turn[(flt_min_index(flt_max_index(out_down_up_rest_y_first
                    - 4 + 4, out_down_up_turn_y_first),
                    out_down_up_turn_y_first + out_down_up_turn_y - 1)
                    - out_down_up_turn_y_first) * out_down_out_state_turn_stride_y + x]))));
                out_columns_carry_back_kept_4[0] = out_columns_carry_back_kept_4_now;
                out_columns_carry_back[(out_columns_ends_y_blocks
                    - 1) * out_columns_carry_back_stride_y_blocks
                    + 3 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_4_now;
            }
            #pragma unroll 8
            for (flt_index y_blocks = out_columns_ends_y_blocks - 1; y_blocks-- > 0;) {
                out_columns_carry_back_kept_4[1] = out_columns_carry_back_kept_4[0];
                out_columns_carry_back_kept_3[1] = out_columns_carry_back_kept_3[0];
                out_columns_carry_back_kept_2[1] = out_columns_carry_back_kept_2[0];
                out_columns_carry_back_kept[1] = out_columns_carry_back_kept[0];
                {
                    const double out_columns_carry_back_kept_now =
                        fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept_4[1],
                        fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept_3[1],
                        fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept_2[1],
                        fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry_back_kept[1],
                        fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 3 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 2 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 1 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 7],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 0 * out_columns_carry_stride_y_place + x],
                        out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                        + 7 * out_columns_ends_stride_y + x]))))))));
                    out_columns_carry_back_kept[0] = out_columns_carry_back_kept_now;
                    out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                        + 0 * out_columns_carry_back_stride_y_place + x] =
                        out_columns_carry_back_kept_now;
                }
                {
                    const double out_columns_carry_back_kept_2_now =
                        fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept_4[1],
                        fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept_3[1],
                        fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept_2[1],
                        fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry_back_kept[1],
                        fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 3 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 2 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 1 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 6],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 0 * out_columns_carry_stride_y_place + x],
                        out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                        + 6 * out_columns_ends_stride_y + x]))))))));
                    out_columns_carry_back_kept_2[0] = out_columns_carry_back_kept_2_now;
                    out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                        + 1 * out_columns_carry_back_stride_y_place + x] =
                        out_columns_carry_back_kept_2_now;
                }
                {
                    const double out_columns_carry_back_kept_3_now =
                        fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept_4[1],
                        fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept_3[1],
                        fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept_2[1],
                        fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry_back_kept[1],
                        fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 3 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 2 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 1 * out_columns_carry_stride_y_place + x],
                        fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 5],
                        out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + 0 * out_columns_carry_stride_y_place + x],
                        out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                        + 5 * out_columns_ends_stride_y + x]))))))));
                    out_columns_carry_back_kept_3[0] = out_columns_carry_back_kept_3_now;
                    out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                        + 2 * out_columns_carry_back_stride_y_place + x] =
                        out_columns_carry_back_kept_3_now;
                }
                const double out_columns_carry_back_kept_4_now =
                    fma(out_columns_matrix[7 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept_4[1],
                    fma(out_columns_matrix[6 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept_3[1],
                    fma(out_columns_matrix[5 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept_2[1],
                    fma(out_columns_matrix[4 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry_back_kept[1],
                    fma(out_columns_matrix[3 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 3 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[2 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 2 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[1 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 1 * out_columns_carry_stride_y_place + x],
                    fma(out_columns_matrix[0 * out_columns_matrix_stride_y_place + 4],
                    out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + 0 * out_columns_carry_stride_y_place + x],
                    out_columns_ends[(y_blocks + 1) * out_columns_ends_stride_y_blocks
                    + 4 * out_columns_ends_stride_y + x]))))))));
                out_columns_carry_back_kept_4[0] = out_columns_carry_back_kept_4_now;
                out_columns_carry_back[y_blocks * out_columns_carry_back_stride_y_blocks
                    + 3 * out_columns_carry_back_stride_y_place + x] =
                    out_columns_carry_back_kept_4_now;
            }
        }
    }
    /* out.columns.rest */
    if ((32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
        const flt_index x = 32 * x_block + x_thread;
        double out_down_down_rest[8];
        double out_down_farther_rest[8];
        {
            double out_down_down_rest_kept[3];
            out_down_down_rest_kept[0] = 0.0;
            out_down_down_rest_kept[1] = 0.0;
            double out_down_farther_rest_kept[3];
            out_down_farther_rest_kept[0] = 0.0;
            out_down_farther_rest_kept[1] = 0.0;
            if (0 < out_down_down_rest_y) {
                out_down_farther_rest_kept[2] = out_down_farther_rest_kept[1];
                out_down_farther_rest_kept[1] = out_down_farther_rest_kept[0];
                out_down_down_rest_kept[2] = out_down_down_rest_kept[1];
                out_down_down_rest_kept[1] = out_down_down_rest_kept[0];
                {
                    const double out_down_down_rest_kept_now = fma(out_down_u[0],
                        (int32_t)out_columns_tails_y_blocks == 0
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(out_down_down_rest_y_first
                        - out_down_up_rest_y_first + 1, 0),
                        3) * out_columns_carry_stride_y_place + x], fma(-out_down_v[0],
                        (int32_t)out_columns_tails_y_blocks == 0
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(out_down_down_rest_y_first
                        - out_down_up_rest_y_first, 0),
                        3) * out_columns_carry_stride_y_place
                        + x],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[flt_min_index(flt_max_index(out_down_down_rest_y_first, 0),
                        in_y - 1) * in_stride_y + x * in_stride_x])));
                    out_down_down_rest_kept[0] = out_down_down_rest_kept_now;
                    out_down_down_rest[(0 & 7)] = out_down_down_rest_kept_now;
                }
                {
                    const double out_down_farther_rest_kept_now = fma(out_down_m[0],
                        (int32_t)out_columns_tails_y_blocks == 0
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(out_down_down_rest_y_first
                        - out_down_up_rest_y_first + 3, 0),
                        3) * out_columns_carry_stride_y_place + x], fma(-out_down_n[0],
                        (int32_t)out_columns_tails_y_blocks == 0
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(out_down_down_rest_y_first
                        - out_down_up_rest_y_first + 2, 0),
                        3) * out_columns_carry_stride_y_place + x], out_down_down_rest_kept[0]));
                    out_down_farther_rest_kept[0] = out_down_farther_rest_kept_now;
                    out_down_farther_rest[(0 & 7)] = out_down_farther_rest_kept_now;
                }
                out_down_farther_kept_rest[0 * out_down_farther_kept_rest_stride_y + x] =
                    (float)out_down_farther_rest_kept[0];
            }
            if (0 < (out_down_down_rest_y - 1)) {
                out_down_farther_rest_kept[2] = out_down_farther_rest_kept[1];
                out_down_farther_rest_kept[1] = out_down_farther_rest_kept[0];
                out_down_down_rest_kept[2] = out_down_down_rest_kept[1];
                out_down_down_rest_kept[1] = out_down_down_rest_kept[0];
                {
                    const double out_down_down_rest_kept_now = fma(out_down_u[0],
                        out_down_down_rest_kept[1],
                        fma(-out_down_v[0],
                        (int32_t)out_columns_tails_y_blocks == 0
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(out_down_down_rest_y_first
                        + 1 - out_down_up_rest_y_first, 0),
                        3) * out_columns_carry_stride_y_place
                        + x],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[flt_min_index(out_down_down_rest_y_first + 1,
                        in_y - 1) * in_stride_y + x * in_stride_x])));
                    out_down_down_rest_kept[0] = out_down_down_rest_kept_now;
                    out_down_down_rest[(1 & 7)] = out_down_down_rest_kept_now;
                }
                {
                    const double out_down_farther_rest_kept_now = fma(out_down_m[0],
                        out_down_farther_rest_kept[1],
                        fma(-out_down_n[0],
                        (int32_t)out_columns_tails_y_blocks == 0
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[out_columns_tails_y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(out_down_down_rest_y_first
                        + 1 - out_down_up_rest_y_first + 2, 0),
                        3) * out_columns_carry_stride_y_place + x], out_down_down_rest_kept[0]));
                    out_down_farther_rest_kept[0] = out_down_farther_rest_kept_now;
                    out_down_farther_rest[(1 & 7)] = out_down_farther_rest_kept_now;
                }
                out_down_farther_kept_rest[1 * out_down_farther_kept_rest_stride_y + x] =
                    (float)out_down_farther_rest_kept[0];
            }
            #pragma unroll 8
            for (flt_index y = out_down_down_rest_y_first + 2; y < out_down_down_rest_y
                + out_down_down_rest_y_first; y++) {
                out_down_farther_rest_kept[2] = out_down_farther_rest_kept[1];
                out_down_farther_rest_kept[1] = out_down_farther_rest_kept[0];
                out_down_down_rest_kept[2] = out_down_down_rest_kept[1];
                out_down_down_rest_kept[1] = out_down_down_rest_kept[0];
                {
                    const double out_down_down_rest_kept_now = fma(out_down_u[0],
                        out_down_down_rest_kept[1],
                        fma(-out_down_v[0], out_down_down_rest_kept[2],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[flt_min_index(y, in_y - 1) * in_stride_y + x * in_stride_x])));
                    out_down_down_rest_kept[0] = out_down_down_rest_kept_now;
                    out_down_down_rest[((y - out_down_down_rest_y_first) & 7)] =
                        out_down_down_rest_kept_now;
                }
                {
                    const double out_down_farther_rest_kept_now = fma(out_down_m[0],
                        out_down_farther_rest_kept[1],
                        fma(-out_down_n[0], out_down_farther_rest_kept[2],
                        out_down_down_rest_kept[0]));
                    out_down_farther_rest_kept[0] = out_down_farther_rest_kept_now;
                    out_down_farther_rest[((y - out_down_down_rest_y_first) & 7)] =
                        out_down_farther_rest_kept_now;
                }
                out_down_farther_kept_rest[(y
                    - out_down_down_rest_y_first) * out_down_farther_kept_rest_stride_y
                    + x] = (float)out_down_farther_rest_kept[0];
            }
        }
        double out_down_up_rest_kept[3];
        out_down_up_rest_kept[0] = 0.0;
        out_down_up_rest_kept[1] = 0.0;
        double out_down_out_state_rest_kept[3];
        out_down_out_state_rest_kept[0] = 0.0;
        out_down_out_state_rest_kept[1] = 0.0;
        if (0 < (int32_t)out_down_up_rest_y) {
            out_down_out_state_rest_kept[2] = out_down_out_state_rest_kept[1];
            out_down_out_state_rest_kept[1] = out_down_out_state_rest_kept[0];
            out_down_up_rest_kept[2] = out_down_up_rest_kept[1];
            out_down_up_rest_kept[1] = out_down_up_rest_kept[0];
            {
                const double value_1 = flt_mul_f64(out_down_up_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[(in_y - 1) * in_stride_y + x * in_stride_x]));
                const double value_2 = out_down_down_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first - out_down_down_rest_y_first - 1) & 7)];
                const flt_index value_3_2 = flt_min_index(flt_max_index(out_down_up_rest_y
                    + out_down_up_rest_y_first - 1 - 1, out_down_down_rest_y_first),
                    out_down_down_rest_y + out_down_down_rest_y_first - 1);
                const double value_4 = out_down_farther_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first - out_down_down_rest_y_first - 1) & 7)];
                out_down_up_rest_kept[0] = fma(out_down_u[0],
                    value_1 + flt_mul_f64(out_down_up_edge[1], value_2)
                    + flt_mul_f64(out_down_up_edge[2],
                    out_down_down_rest[((value_3_2 - out_down_down_rest_y_first) & 7)])
                    + flt_mul_f64(out_down_up_edge[3], value_4)
                    + flt_mul_f64(out_down_up_edge[4],
                    out_down_farther_rest[((value_3_2 - out_down_down_rest_y_first) & 7)]),
                    fma(-out_down_v[0],
                    value_1
                    + flt_mul_f64(out_down_up_edge[1],
                    out_down_down_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first
                    - out_down_down_rest_y_first) & 7)])
                    + flt_mul_f64(out_down_up_edge[2], value_2)
                    + flt_mul_f64(out_down_up_edge[3],
                    out_down_farther_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first
                    - out_down_down_rest_y_first) & 7)])
                    + flt_mul_f64(out_down_up_edge[4], value_4),
                    (double)out_down_farther_kept_rest[(out_down_up_rest_y
                    + out_down_up_rest_y_first - out_down_down_rest_y_first
                    - 1) * out_down_farther_kept_rest_stride_y + x]));
            }
            {
                const double value_5 = flt_mul_f64(out_down_out_state_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[(in_y - 1) * in_stride_y + x * in_stride_x]));
                const double value_6 = out_down_down_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first - out_down_down_rest_y_first - 1) & 7)];
                const flt_index value_7 = flt_min_index(flt_max_index(out_down_up_rest_y
                    + out_down_up_rest_y_first - 1 - 1, out_down_down_rest_y_first),
                    out_down_down_rest_y + out_down_down_rest_y_first - 1);
                const double value_8 = out_down_farther_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first - out_down_down_rest_y_first - 1) & 7)];
                out_down_out_state_rest_kept[0] = fma(out_down_m[0],
                    value_5 + flt_mul_f64(out_down_out_state_edge[1], value_6)
                    + flt_mul_f64(out_down_out_state_edge[2],
                    out_down_down_rest[((value_7 - out_down_down_rest_y_first) & 7)])
                    + flt_mul_f64(out_down_out_state_edge[3], value_8)
                    + flt_mul_f64(out_down_out_state_edge[4],
                    out_down_farther_rest[((value_7 - out_down_down_rest_y_first) & 7)]),
                    fma(-out_down_n[0],
                    value_5
                    + flt_mul_f64(out_down_out_state_edge[1],
                    out_down_down_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first
                    - out_down_down_rest_y_first) & 7)])
                    + flt_mul_f64(out_down_out_state_edge[2], value_6)
                    + flt_mul_f64(out_down_out_state_edge[3],
                    out_down_farther_rest[((out_down_up_rest_y
                    + out_down_up_rest_y_first
                    - out_down_down_rest_y_first) & 7)])
                    + flt_mul_f64(out_down_out_state_edge[4], value_8),
                    flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_rest_kept[0])));
            }
            out_columns_rest[(out_down_up_rest_y - 1) * out_columns_rest_stride_y
                + x] = (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_down_out_state_rest_kept[0]));
        }
        if (0 < ((int32_t)out_down_up_rest_y - 1)) {
            out_down_out_state_rest_kept[2] = out_down_out_state_rest_kept[1];
            out_down_out_state_rest_kept[1] = out_down_out_state_rest_kept[0];
            out_down_up_rest_kept[2] = out_down_up_rest_kept[1];
            out_down_up_rest_kept[1] = out_down_up_rest_kept[0];
            out_down_up_rest_kept[0] = fma(out_down_u[0], out_down_up_rest_kept[1],
                fma(-out_down_v[0],
                flt_mul_f64(out_down_up_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[(in_y - 1) * in_stride_y
                + x * in_stride_x]))
                + flt_mul_f64(out_down_up_edge[1],
                out_down_down_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 1) & 7)])
                + flt_mul_f64(out_down_up_edge[2],
                out_down_down_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 2) & 7)])
                + flt_mul_f64(out_down_up_edge[3],
                out_down_farther_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 1) & 7)])
                + flt_mul_f64(out_down_up_edge[4],
                out_down_farther_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 2) & 7)]),
                (double)out_down_farther_kept_rest[(out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 2) * out_down_farther_kept_rest_stride_y + x]));
            out_down_out_state_rest_kept[0] = fma(out_down_m[0], out_down_out_state_rest_kept[1],
                fma(-out_down_n[0],
                flt_mul_f64(out_down_out_state_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)in[(in_y - 1) * in_stride_y
                + x * in_stride_x]))
                + flt_mul_f64(out_down_out_state_edge[1],
                out_down_down_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 1) & 7)])
                + flt_mul_f64(out_down_out_state_edge[2],
                out_down_down_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 2) & 7)])
                + flt_mul_f64(out_down_out_state_edge[3],
                out_down_farther_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 1) & 7)])
                + flt_mul_f64(out_down_out_state_edge[4],
                out_down_farther_rest[((out_down_up_rest_y
                + out_down_up_rest_y_first - out_down_down_rest_y_first
                - 2) & 7)]),
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_rest_kept[0])));
            out_columns_rest[(out_down_up_rest_y - 2) * out_columns_rest_stride_y
                + x] = (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_down_out_state_rest_kept[0]));
        }
        #pragma unroll 8
        for (flt_index y =
            out_down_up_rest_y + out_down_up_rest_y_first - 2; y-- > out_down_up_rest_y_first;) {
            out_down_out_state_rest_kept[2] = out_down_out_state_rest_kept[1];
            out_down_out_state_rest_kept[1] = out_down_out_state_rest_kept[0];
            out_down_up_rest_kept[2] = out_down_up_rest_kept[1];
            out_down_up_rest_kept[1] = out_down_up_rest_kept[0];
            out_down_up_rest_kept[0] = fma(out_down_u[0], out_down_up_rest_kept[1],
                fma(-out_down_v[0], out_down_up_rest_kept[2],
                (double)out_down_farther_kept_rest[(y
                - out_down_down_rest_y_first) * out_down_farther_kept_rest_stride_y + x]));
            out_down_out_state_rest_kept[0] = fma(out_down_m[0], out_down_out_state_rest_kept[1],
                fma(-out_down_n[0], out_down_out_state_rest_kept[2],
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_rest_kept[0])));
            out_columns_rest[(y - out_down_up_rest_y_first) * out_columns_rest_stride_y
                + x] = (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_down_out_state_rest_kept[0]));
        }
    }
}

/* out.columns.blocks: std.recursive:78 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) gaussian_recursive_out_columns_blocks(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *const out_down_u = frame->out_down_u;
    const double *FLT_RESTRICT const out_down_down_edge = frame->out_down_down_edge;
    const double *const out_down_root = frame->out_down_root;
    const float *FLT_RESTRICT const in = frame->in;
    const flt_index in_stride_y = (flt_index)frame->in_stride_y;
    const flt_index in_stride_x = (flt_index)frame->in_stride_x;
    const double *FLT_RESTRICT const out_columns_carry = frame->out_columns_carry;
    const flt_index out_columns_carry_stride_y_blocks =
        (flt_index)frame->out_columns_carry_stride_y_blocks;
    const flt_index out_columns_carry_stride_y_place =
        (flt_index)frame->out_columns_carry_stride_y_place;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *FLT_RESTRICT const out_down_farther_edge = frame->out_down_farther_edge;
    const double *const out_down_n = frame->out_down_n;
    const double *FLT_RESTRICT const out_columns_carry_back = frame->out_columns_carry_back;
    const flt_index out_columns_carry_back_stride_y_blocks =
        (flt_index)frame->out_columns_carry_back_stride_y_blocks;
    const flt_index out_columns_carry_back_stride_y_place =
        (flt_index)frame->out_columns_carry_back_stride_y_place;
    float *FLT_RESTRICT const out_columns_blocks = frame->out_columns_blocks;
    const flt_index out_columns_blocks_stride_y_blocks =
        (flt_index)frame->out_columns_blocks_stride_y_blocks;
    const flt_index out_columns_blocks_stride_y = (flt_index)frame->out_columns_blocks_stride_y;
    const flt_index out_columns_tails_y_blocks = (flt_index)frame->out_columns_tails_y_blocks;
    (void)out_columns_tails_y_blocks;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index y_blocks_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_blocks_thread = (flt_index)threadIdx.y;
    const flt_index x_thread = (flt_index)threadIdx.x;
    if (in_stride_x == 1 && (8 * y_blocks_block + 8) <= out_columns_tails_y_blocks
        && (32 * x_block + 32) <= in_x && (256 * y_blocks_block + 256) <= in_y) {
        const flt_index y_blocks = 8 * y_blocks_block + y_blocks_thread;
        const flt_index x = 32 * x_block + x_thread;
        float out_down_farther_kept[32];
        {
            double out_down_down_kept[3];
            out_down_down_kept[0] = 0.0;
            out_down_down_kept[1] = 0.0;
            double out_down_farther_kept_2[3];
            out_down_farther_kept_2[0] = 0.0;
            out_down_farther_kept_2[1] = 0.0;
            #pragma unroll
            for (flt_index y = 0; y < 32; y++) {
                out_down_farther_kept_2[2] = out_down_farther_kept_2[1];
                out_down_farther_kept_2[1] = out_down_farther_kept_2[0];
                out_down_down_kept[2] = out_down_down_kept[1];
                out_down_down_kept[1] = out_down_down_kept[0];
                out_down_down_kept[0] = fma(out_down_u[0],
                    (0 <= (y - 1) && (y - 1) < 32)
                    ? out_down_down_kept[1]
                    : ((int32_t)y_blocks == 0
                    ? flt_mul_f64(out_down_down_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[0 * in_stride_y
                    + x]))
                    : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + flt_min_index(flt_max_index(y + 1, 0), 3) * out_columns_carry_stride_y_place
                    + x]), fma(-out_down_v[0],
                    (0 <= (y - 2) && (y - 2) < 32)
                    ? out_down_down_kept[2]
                    : ((int32_t)y_blocks == 0
                    ? flt_mul_f64(out_down_down_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[0 * in_stride_y
                    + x]))
                    : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + flt_min_i64(flt_max_i64((int64_t)y, 0), 3) * out_columns_carry_stride_y_place
                    + x]), flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[(y + 32 * y_blocks) * in_stride_y + x])));
                out_down_farther_kept_2[0] = fma(out_down_m[0],
                    (0 <= (y - 1) && (y - 1) < 32)
                    ? out_down_farther_kept_2[1]
                    : ((int32_t)y_blocks == 0
                    ? flt_mul_f64(out_down_farther_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[0 * in_stride_y
                    + x]))
                    : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + flt_min_index(flt_max_index(y + 3, 0), 3) * out_columns_carry_stride_y_place
                    + x]), fma(-out_down_n[0],
                    (0 <= (y - 2) && (y - 2) < 32)
                    ? out_down_farther_kept_2[2]
                    : ((int32_t)y_blocks == 0
                    ? flt_mul_f64(out_down_farther_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)in[0 * in_stride_y
                    + x]))
                    : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                    + flt_min_index(flt_max_index(y + 2, 0), 3) * out_columns_carry_stride_y_place
                    + x]), out_down_down_kept[0]));
                out_down_farther_kept[y] = (float)out_down_farther_kept_2[0];
            }
        }
        double out_down_up_kept[3];
        out_down_up_kept[0] = 0.0;
        out_down_up_kept[1] = 0.0;
        double out_down_out_state_kept[3];
        out_down_out_state_kept[0] = 0.0;
        out_down_out_state_kept[1] = 0.0;
        #pragma unroll
        for (flt_index y = 32; y-- > 0;) {
            out_down_out_state_kept[2] = out_down_out_state_kept[1];
            out_down_out_state_kept[1] = out_down_out_state_kept[0];
            out_down_up_kept[2] = out_down_up_kept[1];
            out_down_up_kept[1] = out_down_up_kept[0];
            out_down_up_kept[0] = fma(out_down_u[0],
                (0 <= (y + 1) && (y + 1) < 32)
                ? out_down_up_kept[1]
                : out_columns_carry_back[(y_blocks + 1) * out_columns_carry_back_stride_y_blocks
                + flt_min_index(flt_max_index(32 - y, 0),
                3) * out_columns_carry_back_stride_y_place + x], fma(-out_down_v[0],
                (0 <= (y + 2) && (y + 2) < 32)
                ? out_down_up_kept[2]
                : out_columns_carry_back[(y_blocks + 1) * out_columns_carry_back_stride_y_blocks
                + flt_min_index(flt_max_index(31 - y, 0),
                3) * out_columns_carry_back_stride_y_place + x], (double)out_down_farther_kept[y]));
            out_down_out_state_kept[0] = fma(out_down_m[0],
                (0 <= (y + 1) && (y + 1) < 32)
                ? out_down_out_state_kept[1]
                : out_columns_carry_back[(y_blocks + 1) * out_columns_carry_back_stride_y_blocks
                + flt_min_index(flt_max_index(34 - y, 0),
                3) * out_columns_carry_back_stride_y_place + x], fma(-out_down_n[0],
                (0 <= (y + 2) && (y + 2) < 32)
                ? out_down_out_state_kept[2]
                : out_columns_carry_back[(y_blocks + 1) * out_columns_carry_back_stride_y_blocks
                + flt_min_index(flt_max_index(33 - y, 0),
                3) * out_columns_carry_back_stride_y_place
                + x], flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_kept[0])));
            out_columns_blocks[y_blocks * out_columns_blocks_stride_y_blocks
                + y * out_columns_blocks_stride_y + x] = (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_down_out_state_kept[0]));
        }
    } else {
        if ((8 * (int32_t)y_blocks_block
            + (int32_t)y_blocks_thread) < (int32_t)out_columns_tails_y_blocks
            && (32 * (int32_t)x_block + (int32_t)x_thread) < (int32_t)in_x) {
            const flt_index y_blocks = 8 * y_blocks_block + y_blocks_thread;
            const flt_index x = 32 * x_block + x_thread;
            float out_down_farther_kept[32];
            {
                double out_down_down_kept[3];
                out_down_down_kept[0] = 0.0;
                out_down_down_kept[1] = 0.0;
                double out_down_farther_kept_2[3];
                out_down_farther_kept_2[0] = 0.0;
                out_down_farther_kept_2[1] = 0.0;
                #pragma unroll
                for (flt_index y = 0; y < 32; y++) {
                    out_down_farther_kept_2[2] = out_down_farther_kept_2[1];
                    out_down_farther_kept_2[1] = out_down_farther_kept_2[0];
                    out_down_down_kept[2] = out_down_down_kept[1];
                    out_down_down_kept[1] = out_down_down_kept[0];
                    out_down_down_kept[0] = fma(out_down_u[0],
                        (0 <= (y - 1) && (y - 1) < 32)
                        ? out_down_down_kept[1]
                        : ((int32_t)y_blocks == 0
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(y + 1, 0),
                        3) * out_columns_carry_stride_y_place
                        + x]), fma(-out_down_v[0],
                        (0 <= (y - 2) && (y - 2) < 32)
                        ? out_down_down_kept[2]
                        : ((int32_t)y_blocks == 0
                        ? flt_mul_f64(out_down_down_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_i64(flt_max_i64((int64_t)y, 0),
                        3) * out_columns_carry_stride_y_place
                        + x]), flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[flt_min_index(flt_max_index(32 * y_blocks + y, 0),
                        in_y - 1) * in_stride_y + x * in_stride_x])));
                    out_down_farther_kept_2[0] = fma(out_down_m[0],
                        (0 <= (y - 1) && (y - 1) < 32)
                        ? out_down_farther_kept_2[1]
                        : ((int32_t)y_blocks == 0
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(y + 3, 0),
                        3) * out_columns_carry_stride_y_place
                        + x]), fma(-out_down_n[0],
                        (0 <= (y - 2) && (y - 2) < 32)
                        ? out_down_farther_kept_2[2]
                        : ((int32_t)y_blocks == 0
                        ? flt_mul_f64(out_down_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)in[0 * in_stride_y
                        + x * in_stride_x]))
                        : out_columns_carry[y_blocks * out_columns_carry_stride_y_blocks
                        + flt_min_index(flt_max_index(y + 2, 0),
                        3) * out_columns_carry_stride_y_place + x]), out_down_down_kept[0]));
                    out_down_farther_kept[y] = (float)out_down_farther_kept_2[0];
                }
            }
            double out_down_up_kept[3];
            out_down_up_kept[0] = 0.0;
            out_down_up_kept[1] = 0.0;
            double out_down_out_state_kept[3];
            out_down_out_state_kept[0] = 0.0;
            out_down_out_state_kept[1] = 0.0;
            #pragma unroll
            for (flt_index y = 32; y-- > 0;) {
                out_down_out_state_kept[2] = out_down_out_state_kept[1];
                out_down_out_state_kept[1] = out_down_out_state_kept[0];
                out_down_up_kept[2] = out_down_up_kept[1];
                out_down_up_kept[1] = out_down_up_kept[0];
                out_down_up_kept[0] = fma(out_down_u[0],
                    (0 <= (y + 1) && (y + 1) < 32)
                    ? out_down_up_kept[1]
                    : out_columns_carry_back[(y_blocks
                    + 1) * out_columns_carry_back_stride_y_blocks
                    + flt_min_index(flt_max_index(32 - y, 0),
                    3) * out_columns_carry_back_stride_y_place + x], fma(-out_down_v[0],
                    (0 <= (y + 2) && (y + 2) < 32)
                    ? out_down_up_kept[2]
                    : out_columns_carry_back[(y_blocks
                    + 1) * out_columns_carry_back_stride_y_blocks
                    + flt_min_index(flt_max_index(31 - y, 0),
                    3) * out_columns_carry_back_stride_y_place
                    + x], (double)out_down_farther_kept[y]));
                out_down_out_state_kept[0] = fma(out_down_m[0],
                    (0 <= (y + 1) && (y + 1) < 32)
                    ? out_down_out_state_kept[1]
                    : out_columns_carry_back[(y_blocks
                    + 1) * out_columns_carry_back_stride_y_blocks
                    + flt_min_index(flt_max_index(34 - y, 0),
                    3) * out_columns_carry_back_stride_y_place + x], fma(-out_down_n[0],
                    (0 <= (y + 2) && (y + 2) < 32)
                    ? out_down_out_state_kept[2]
                    : out_columns_carry_back[(y_blocks
                    + 1) * out_columns_carry_back_stride_y_blocks
                    + flt_min_index(flt_max_index(33 - y, 0),
                    3) * out_columns_carry_back_stride_y_place
                    + x], flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_down_up_kept[0])));
                out_columns_blocks[y_blocks * out_columns_blocks_stride_y_blocks
                    + y * out_columns_blocks_stride_y
                    + x] = (float)flt_min_f64(3.4028234663852886e+38,
                    flt_max_f64(-3.4028234663852886e+38, out_down_out_state_kept[0]));
            }
        }
    }
}

/* out.across.right.powers: std.recursive:60 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_across_right_powers(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    double *const out_across_right_powers = frame->out_across_right_powers;
    const flt_index out_across_right_powers_stride_step =
        (flt_index)frame->out_across_right_powers_stride_step;
    const flt_index out_across_right_powers_stride_row =
        (flt_index)frame->out_across_right_powers_stride_row;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_u = frame->out_down_u;
    double *const out_across_right_system = frame->out_across_right_system;
    const flt_index out_across_right_system_stride_row =
        (flt_index)frame->out_across_right_system_stride_row;
    double *const out_across_right_edge = frame->out_across_right_edge;
    double *const out_across_farther_powers = frame->out_across_farther_powers;
    const flt_index out_across_farther_powers_stride_step =
        (flt_index)frame->out_across_farther_powers_stride_step;
    const flt_index out_across_farther_powers_stride_row =
        (flt_index)frame->out_across_farther_powers_stride_row;
    double *const out_across_farther_forcing = frame->out_across_farther_forcing;
    const flt_index out_across_farther_forcing_stride_row =
        (flt_index)frame->out_across_farther_forcing_stride_row;
    const double *const out_down_n = frame->out_down_n;
    const double *const out_down_m = frame->out_down_m;
    double *const out_across_farther_system = frame->out_across_farther_system;
    const flt_index out_across_farther_system_stride_row =
        (flt_index)frame->out_across_farther_system_stride_row;
    double *const out_across_farther_edge = frame->out_across_farther_edge;
    const flt_index thread_1 = (flt_index)threadIdx.x;
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index step = 0; step < 3; step++) {
            for (flt_index column = 0; column < 1; column++) {
                double sum_9 = -0.0;
                sum_9 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                    ? out_across_right_powers[flt_max_index(step - 1,
                    0) * out_across_right_powers_stride_step
                    + row * out_across_right_powers_stride_row + 0] : 0.0,
                    out_across_right_outside[0 * 1 + column], sum_9);
                out_across_right_powers[step * out_across_right_powers_stride_step
                    + row * out_across_right_powers_stride_row + column] =
                    (int32_t)step == 0 ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_9;
            }
        }
    }
    __syncthreads();
    /* out.across.right.system */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index column_2 = 0; column_2 < 2; column_2++)
            out_across_right_system[row * out_across_right_system_stride_row
                + column_2] = (int32_t)column_2 == 1
                ? out_across_right_forcing[0 * 1 + row]
                : fma(-(-out_down_v[0]),
                out_across_right_powers[2 * out_across_right_powers_stride_step
                + 0 * out_across_right_powers_stride_row + row],
                fma(-out_down_u[0],
                out_across_right_powers[1 * out_across_right_powers_stride_step
                + 0 * out_across_right_powers_stride_row + row],
                (int32_t)row == (int32_t)column_2 ? 1.0 : 0.0));
    }
    __syncthreads();
    /* out.across.right.edge */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        out_across_right_edge[row] =
            flt_div_f64(out_across_right_system[row * out_across_right_system_stride_row + 1],
            out_across_right_system[row * out_across_right_system_stride_row + 0]);
    }
    __syncthreads();
    /* out.across.farther.powers */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index step = 0; step < 3; step++) {
            for (flt_index column = 0; column < 1; column++) {
                double sum_10 = -0.0;
                sum_10 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                    ? out_across_farther_powers[flt_max_index(step - 1,
                    0) * out_across_farther_powers_stride_step
                    + row * out_across_farther_powers_stride_row + 0] : 0.0,
                    out_across_farther_outside[0 * 1 + column], sum_10);
                out_across_farther_powers[step * out_across_farther_powers_stride_step
                    + row * out_across_farther_powers_stride_row + column] = (int32_t)step == 0
                    ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_10;
            }
        }
    }
    __syncthreads();
    /* out.across.farther.forcing */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index column = 0; column < 1; column++)
            out_across_farther_forcing[row * out_across_farther_forcing_stride_row + column] =
                out_across_right_edge[0];
    }
    __syncthreads();
    /* out.across.farther.system */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        for (flt_index column_2 = 0; column_2 < 2; column_2++)
            out_across_farther_system[row * out_across_farther_system_stride_row
                + column_2] = (int32_t)column_2 == 1
                ? out_across_farther_forcing[0 * out_across_farther_forcing_stride_row + row]
                : fma(-(-out_down_n[0]),
                out_across_farther_powers[2 * out_across_farther_powers_stride_step
                + 0 * out_across_farther_powers_stride_row + row],
                fma(-out_down_m[0],
                out_across_farther_powers[1 * out_across_farther_powers_stride_step
                + 0 * out_across_farther_powers_stride_row + row],
                (int32_t)row == (int32_t)column_2 ? 1.0 : 0.0));
    }
    __syncthreads();
    /* out.across.farther.edge */
    if ((int32_t)thread_1 < 1) {
        const flt_index row = thread_1;
        out_across_farther_edge[row] =
            flt_div_f64(out_across_farther_system[row * out_across_farther_system_stride_row + 1],
            out_across_farther_system[row * out_across_farther_system_stride_row + 0]);
    }
}

/* out.tails: std.recursive:81 */
template <typename flt_index>
static __global__ void __launch_bounds__(192) gaussian_recursive_out_tails(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const float *FLT_RESTRICT const out_columns = frame->out_columns;
    const flt_index out_columns_stride_y = (flt_index)frame->out_columns_stride_y;
    const double *const out_down_u = frame->out_down_u;
    const double *FLT_RESTRICT const out_across_right_edge = frame->out_across_right_edge;
    const double *const out_down_root = frame->out_down_root;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *FLT_RESTRICT const out_across_farther_edge = frame->out_across_farther_edge;
    const double *const out_down_n = frame->out_down_n;
    double *const out_tails = frame->out_tails;
    const flt_index out_tails_stride_y = (flt_index)frame->out_tails_stride_y;
    const flt_index out_tails_stride_x_blocks = (flt_index)frame->out_tails_stride_x_blocks;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    __shared__ double out_tails_rows[1728];
    __shared__ float out_columns_rows[6534];
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_blocks_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    {
        const flt_index y_thread = (flt_index)threadIdx.y;
        const flt_index x_blocks_thread = (flt_index)threadIdx.x;
        const int block_inside = (6 * y_block + 6) <= in_y
            && (1024 * x_blocks_block + 1056) <= in_x
            && (32 * x_blocks_block + 32) <= out_tails_x_blocks;
        if (block_inside) {
            for (flt_index row_part = 0; row_part < 33; row_part++)
                out_columns_rows[y_thread * 1089 + ((x_blocks_thread + 32 * row_part) >> 5) * 33
                    + ((x_blocks_thread + 32 * row_part) & 31)] = out_columns[(6 * y_block
                    + y_thread) * out_columns_stride_y + 32 * row_part + 1024 * x_blocks_block
                    + x_blocks_thread];
        } else {
            for (flt_index row_part = 0; row_part < 33; row_part++) {
                if ((6 * y_block + y_thread) < in_y) {
                    out_columns_rows[y_thread * 1089
                        + ((x_blocks_thread + 32 * row_part) >> 5) * 33
                        + ((x_blocks_thread + 32 * row_part) & 31)] = out_columns[(6 * y_block
                        + y_thread) * out_columns_stride_y
                        + flt_min_index(32 * row_part + 1024 * x_blocks_block + x_blocks_thread,
                        in_x - 1)];
                }
            }
        }
        __syncthreads();
        if (block_inside) {
            const flt_index y = 6 * y_block + y_thread;
            const flt_index x_blocks = 32 * x_blocks_block + x_blocks_thread + 1;
            double out_across_right_local[40];
            double out_across_farther_local[40];
            float out_across_farther_kept_local[40];
            {
                double out_across_right_local_kept[3];
                out_across_right_local_kept[0] = 0.0;
                out_across_right_local_kept[1] = 0.0;
                double out_across_farther_local_kept[3];
                out_across_farther_local_kept[0] = 0.0;
                out_across_farther_local_kept[1] = 0.0;
                #pragma unroll
                for (flt_index x = 0; x < 40; x++) {
                    out_across_farther_local_kept[2] = out_across_farther_local_kept[1];
                    out_across_farther_local_kept[1] = out_across_farther_local_kept[0];
                    out_across_right_local_kept[2] = out_across_right_local_kept[1];
                    out_across_right_local_kept[1] = out_across_right_local_kept[0];
                    {
                        const double out_across_right_local_kept_now = fma(out_down_u[0],
                            (0 <= (x - 1) && (x - 1) < 40)
                            ? out_across_right_local_kept[1]
                            : ((int32_t)x_blocks == 1
                            ? flt_mul_f64(out_across_right_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0])) : 0.0), fma(-out_down_v[0], (0 <= (x - 2) && (x
                            - 2) < 40) ? out_across_right_local_kept[2] : ((int32_t)x_blocks == 1
                            ? flt_mul_f64(out_across_right_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0])) : 0.0),
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns_rows[y_thread * 1089
                            + ((x >> 5) + x_blocks_thread) * 33 + (x & 31)])));
                        out_across_right_local_kept[0] = out_across_right_local_kept_now;
                        out_across_right_local[x] = out_across_right_local_kept_now;
                    }
                    {
                        const double out_across_farther_local_kept_now = fma(out_down_m[0],
                            (0 <= (x - 1) && (x - 1) < 40)
                            ? out_across_farther_local_kept[1]
                            : ((int32_t)x_blocks == 1
                            ? flt_mul_f64(out_across_farther_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0])) : 0.0), fma(-out_down_n[0], (0 <= (x - 2) && (x
                            - 2) < 40) ? out_across_farther_local_kept[2] : ((int32_t)x_blocks == 1
                            ? flt_mul_f64(out_across_farther_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0])) : 0.0), out_across_right_local_kept[0]));
                        out_across_farther_local_kept[0] = out_across_farther_local_kept_now;
                        out_across_farther_local[x] = out_across_farther_local_kept_now;
                    }
                    out_across_farther_kept_local[x] = (float)out_across_farther_local_kept[0];
                }
            }
            double out_across_left_local_kept[3];
            out_across_left_local_kept[0] = 0.0;
            out_across_left_local_kept[1] = 0.0;
            double out_across_out_state_local_kept[5];
            out_across_out_state_local_kept[0] = 0.0;
            out_across_out_state_local_kept[1] = 0.0;
            out_across_out_state_local_kept[2] = 0.0;
            out_across_out_state_local_kept[3] = 0.0;
            #pragma unroll
            for (flt_index x = 32; x-- > -8;) {
                out_across_out_state_local_kept[4] = out_across_out_state_local_kept[3];
                out_across_out_state_local_kept[3] = out_across_out_state_local_kept[2];
                out_across_out_state_local_kept[2] = out_across_out_state_local_kept[1];
                out_across_out_state_local_kept[1] = out_across_out_state_local_kept[0];
                out_across_left_local_kept[2] = out_across_left_local_kept[1];
                out_across_left_local_kept[1] = out_across_left_local_kept[0];
                out_across_left_local_kept[0] = fma(out_down_u[0],
                    ((-8) <= (x + 1) && (x + 1) < 32) ? out_across_left_local_kept[1] : 0.0,
                    fma(-out_down_v[0],
                    ((-8) <= (x + 2) && (x + 2) < 32) ? out_across_left_local_kept[2] : 0.0,
                    (double)out_across_farther_kept_local[flt_min_index(flt_max_index(x, 0), 39)]));
                out_across_out_state_local_kept[0] = fma(out_down_m[0],
                    ((-8) <= (x + 1) && (x + 1) < 32) ? out_across_out_state_local_kept[1] : 0.0,
                    fma(-out_down_n[0],
                    ((-8) <= (x + 2) && (x + 2) < 32) ? out_across_out_state_local_kept[2] : 0.0,
                    flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                    out_across_left_local_kept[0])));
                if (x < 0) {
                    out_tails_rows[y_thread * 288 + x_blocks_thread * 9 + x + 8] = (-4) <= x
                        ? ((-2) <= x
                        ? out_across_left_local_kept[2] : out_across_out_state_local_kept[4])
                        : (x <= (-7)
                        ? out_across_right_local[x + 38] : out_across_farther_local[x + 36]);
                }
            }
        } else {
            if ((6 * y_block + y_thread) < in_y
                && (32 * (int32_t)x_blocks_block
                + (int32_t)x_blocks_thread) < (int32_t)out_tails_x_blocks) {
                const flt_index y = 6 * y_block + y_thread;
                const flt_index x_blocks = 32 * x_blocks_block + x_blocks_thread + 1;
                double out_across_right_local[40];
                double out_across_farther_local[40];
                float out_across_farther_kept_local[40];
                {
                    double out_across_right_local_kept[3];
                    out_across_right_local_kept[0] = 0.0;
                    out_across_right_local_kept[1] = 0.0;
                    double out_across_farther_local_kept[3];
                    out_across_farther_local_kept[0] = 0.0;
                    out_across_farther_local_kept[1] = 0.0;
                    #pragma unroll
                    for (flt_index x = 0; x < 40; x++) {
                        out_across_farther_local_kept[2] = out_across_farther_local_kept[1];
                        out_across_farther_local_kept[1] = out_across_farther_local_kept[0];
                        out_across_right_local_kept[2] = out_across_right_local_kept[1];
                        out_across_right_local_kept[1] = out_across_right_local_kept[0];
                        {
                            const double out_across_right_local_kept_now = fma(out_down_u[0],
                                (0 <= (x - 1) && (x - 1) < 40)
                                ? out_across_right_local_kept[1]
                                : ((int32_t)x_blocks == 1
                                ? flt_mul_f64(out_across_right_edge[0],
                                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                                (double)out_columns[y * out_columns_stride_y
                                + 0])) : 0.0), fma(-out_down_v[0], (0 <= (x - 2) && (x
                                - 2) < 40)
                                ? out_across_right_local_kept[2]
                                : ((int32_t)x_blocks == 1
                                ? flt_mul_f64(out_across_right_edge[0],
                                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                                (double)out_columns[y * out_columns_stride_y
                                + 0])) : 0.0),
                                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                                (double)out_columns_rows[y_thread * 1089
                                + ((x >> 5) + x_blocks_thread) * 33 + (x & 31)])));
                            out_across_right_local_kept[0] = out_across_right_local_kept_now;
                            out_across_right_local[x] = out_across_right_local_kept_now;
                        }
                        {
                            const double out_across_farther_local_kept_now = fma(out_down_m[0],
                                (0 <= (x - 1) && (x - 1) < 40)
                                ? out_across_farther_local_kept[1]
                                : ((int32_t)x_blocks == 1
                                ? flt_mul_f64(out_across_farther_edge[0],
                                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                                (double)out_columns[y * out_columns_stride_y
                                + 0])) : 0.0), fma(-out_down_n[0], (0 <= (x - 2) && (x
                                - 2) < 40)
                                ? out_across_farther_local_kept[2]
                                : ((int32_t)x_blocks == 1
                                ? flt_mul_f64(out_across_farther_edge[0],
                                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                                (double)out_columns[y * out_columns_stride_y
                                + 0])) : 0.0), out_across_right_local_kept[0]));
                            out_across_farther_local_kept[0] = out_across_farther_local_kept_now;
                            out_across_farther_local[x] = out_across_farther_local_kept_now;
                        }
                        out_across_farther_kept_local[x] = (float)out_across_farther_local_kept[0];
                    }
                }
                double out_across_left_local_kept[3];
                out_across_left_local_kept[0] = 0.0;
                out_across_left_local_kept[1] = 0.0;
                double out_across_out_state_local_kept[5];
                out_across_out_state_local_kept[0] = 0.0;
                out_across_out_state_local_kept[1] = 0.0;
                out_across_out_state_local_kept[2] = 0.0;
                out_across_out_state_local_kept[3] = 0.0;
                #pragma unroll
                for (flt_index x = 32; x-- > -8;) {
                    out_across_out_state_local_kept[4] = out_across_out_state_local_kept[3];
                    out_across_out_state_local_kept[3] = out_across_out_state_local_kept[2];
                    out_across_out_state_local_kept[2] = out_across_out_state_local_kept[1];
                    out_across_out_state_local_kept[1] = out_across_out_state_local_kept[0];
                    out_across_left_local_kept[2] = out_across_left_local_kept[1];
                    out_across_left_local_kept[1] = out_across_left_local_kept[0];
                    out_across_left_local_kept[0] = fma(out_down_u[0],
                        ((-8) <= (x + 1) && (x + 1) < 32) ? out_across_left_local_kept[1] : 0.0,
                        fma(-out_down_v[0],
                        ((-8) <= (x + 2) && (x + 2) < 32) ? out_across_left_local_kept[2] : 0.0,
                        (double)out_across_farther_kept_local[flt_min_index(flt_max_index(x, 0),
                        39)]));
                    out_across_out_state_local_kept[0] = fma(out_down_m[0],
                        ((-8) <= (x + 1) && (x + 1) < 32)
                        ? out_across_out_state_local_kept[1] : 0.0,
                        fma(-out_down_n[0],
                        ((-8) <= (x + 2) && (x + 2) < 32)
                        ? out_across_out_state_local_kept[2] : 0.0,
                        flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                        out_across_left_local_kept[0])));
                    if (x < 0) {
                        out_tails_rows[y_thread * 288 + x_blocks_thread * 9 + x + 8] = (-4) <= x
                            ? ((-2) <= x
                            ? out_across_left_local_kept[2] : out_across_out_state_local_kept[4])
                            : (x <= (-7)
                            ? out_across_right_local[x + 38] : out_across_farther_local[x + 36]);
                    }
                }
            }
        }
        __syncthreads();
        if (block_inside) {
            for (flt_index row_part_2 = 0; row_part_2 < 8; row_part_2++) {
                if ((32 * (int32_t)x_blocks_block
                    + (((int32_t)x_blocks_thread
                    + 32 * (int32_t)row_part_2) >> 3)) < (int32_t)out_tails_x_blocks) {
                    const int32_t value_1 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part_2) >> 3;
                    const int32_t value_2 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part_2) & 7;
                    out_tails[(6 * y_block + y_thread) * out_tails_stride_y
                        + (32 * x_blocks_block + (flt_index)value_1) * out_tails_stride_x_blocks
                        + (flt_index)value_2] = out_tails_rows[y_thread * 288
                        + (flt_index)value_1 * 9 + (flt_index)value_2];
                }
            }
        } else {
            for (flt_index row_part_2 = 0; row_part_2 < 8; row_part_2++) {
                if ((6 * y_block + y_thread) < in_y
                    && (32 * (int32_t)x_blocks_block
                    + (((int32_t)x_blocks_thread
                    + 32 * (int32_t)row_part_2) >> 3)) < (int32_t)out_tails_x_blocks) {
                    const int32_t value_3 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part_2) >> 3;
                    const int32_t value_4 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part_2) & 7;
                    out_tails[(6 * y_block + y_thread) * out_tails_stride_y
                        + (32 * x_blocks_block + (flt_index)value_3) * out_tails_stride_x_blocks
                        + (flt_index)value_4] = out_tails_rows[y_thread * 288
                        + (flt_index)value_3 * 9 + (flt_index)value_4];
                }
            }
        }
    }
}

/* out.matrix: std.recursive:81 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_matrix(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_n = frame->out_down_n;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_root = frame->out_down_root;
    double *const out_matrix = frame->out_matrix;
    const flt_index out_matrix_stride_x_place = (flt_index)frame->out_matrix_stride_x_place;
    __shared__ double out_matrix_rows[288];
    const flt_index x_place_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    {
        const flt_index x_place_thread = (flt_index)threadIdx.x;
        if ((32 * (int32_t)x_place_block + (int32_t)x_place_thread) < 8) {
            const int64_t x_place = (int64_t)(32 * x_place_block) + (int64_t)x_place_thread;
            double out_across_right_response[40];
            double out_across_farther_response[40];
            double out_across_farther_kept_response[40];
            {
                double out_across_right_response_kept[3];
                out_across_right_response_kept[0] = 0.0;
                out_across_right_response_kept[1] = 0.0;
                double out_across_farther_response_kept[3];
                out_across_farther_response_kept[0] = 0.0;
                out_across_farther_response_kept[1] = 0.0;
                #pragma unroll
                for (flt_index x = 0; x < 40; x++) {
                    out_across_farther_response_kept[2] = out_across_farther_response_kept[1];
                    out_across_farther_response_kept[1] = out_across_farther_response_kept[0];
                    out_across_right_response_kept[2] = out_across_right_response_kept[1];
                    out_across_right_response_kept[1] = out_across_right_response_kept[0];
                    {
                        const double value_1 = fma(-out_down_v[0],
                            (0 <= ((int32_t)x - 2) && ((int32_t)x - 2) < 40)
                            ? out_across_right_response_kept[2]
                            : ((int32_t)x_place == (int32_t)x ? 1.0 : 0.0),
                            flt_mul_f64(out_down_u[0],
                            (0 <= ((int32_t)x - 1) && ((int32_t)x - 1) < 40)
                            ? out_across_right_response_kept[1]
                            : ((int32_t)x_place == ((int32_t)x + 1) ? 1.0 : 0.0)));
                        const double out_across_right_response_kept_now =
                            fabs(value_1) < 1e-300 ? 0.0 : value_1;
                        out_across_right_response_kept[0] = out_across_right_response_kept_now;
                        out_across_right_response[x] = out_across_right_response_kept_now;
                    }
                    {
                        const double value_2 = out_across_right_response_kept[0]
                            + fma(-out_down_n[0],
                            (0 <= ((int32_t)x - 2) && ((int32_t)x - 2) < 40)
                            ? out_across_farther_response_kept[2]
                            : ((int32_t)x_place == ((int32_t)x + 2) ? 1.0 : 0.0),
                            flt_mul_f64(out_down_m[0],
                            (0 <= ((int32_t)x - 1) && ((int32_t)x - 1) < 40)
                            ? out_across_farther_response_kept[1]
                            : ((int32_t)x_place == ((int32_t)x + 3) ? 1.0 : 0.0)));
                        const double out_across_farther_response_kept_now =
                            fabs(value_2) < 1e-300 ? 0.0 : value_2;
                        out_across_farther_response_kept[0] = out_across_farther_response_kept_now;
                        out_across_farther_response[x] = out_across_farther_response_kept_now;
                    }
                    out_across_farther_kept_response[x] = out_across_farther_response_kept[0];
                }
            }
            double out_across_left_response_kept[3];
            out_across_left_response_kept[0] = 0.0;
            out_across_left_response_kept[1] = 0.0;
            double out_across_out_state_response_kept[5];
            out_across_out_state_response_kept[0] = 0.0;
            out_across_out_state_response_kept[1] = 0.0;
            out_across_out_state_response_kept[2] = 0.0;
            out_across_out_state_response_kept[3] = 0.0;
            #pragma unroll
            for (flt_index x = 32; x-- > -8;) {
                out_across_out_state_response_kept[4] = out_across_out_state_response_kept[3];
                out_across_out_state_response_kept[3] = out_across_out_state_response_kept[2];
                out_across_out_state_response_kept[2] = out_across_out_state_response_kept[1];
                out_across_out_state_response_kept[1] = out_across_out_state_response_kept[0];
                out_across_left_response_kept[2] = out_across_left_response_kept[1];
                out_across_left_response_kept[1] = out_across_left_response_kept[0];
                {
                    const double value_3 =
                        out_across_farther_kept_response[flt_min_index(flt_max_index(x, 0), 39)]
                        + fma(-out_down_v[0],
                        ((-8) <= ((int32_t)x + 2) && ((int32_t)x + 2) < 32)
                        ? out_across_left_response_kept[2]
                        : ((int32_t)x_place == (35 - (int32_t)x) ? 1.0 : 0.0),
                        flt_mul_f64(out_down_u[0],
                        ((-8) <= ((int32_t)x + 1) && ((int32_t)x + 1) < 32)
                        ? out_across_left_response_kept[1]
                        : ((int32_t)x_place == (36 - (int32_t)x) ? 1.0 : 0.0)));
                    out_across_left_response_kept[0] = fabs(value_3) < 1e-300 ? 0.0 : value_3;
                }
                {
                    const double value_4 = fma(flt_mul_f64(4.0, out_down_root[0]),
                        out_across_left_response_kept[0],
                        fma(-out_down_n[0],
                        ((-8) <= ((int32_t)x + 2) && ((int32_t)x + 2) < 32)
                        ? out_across_out_state_response_kept[2]
                        : ((int32_t)x_place == (37 - (int32_t)x) ? 1.0 : 0.0),
                        flt_mul_f64(out_down_m[0],
                        ((-8) <= ((int32_t)x + 1) && ((int32_t)x + 1) < 32)
                        ? out_across_out_state_response_kept[1]
                        : ((int32_t)x_place == (38 - (int32_t)x) ? 1.0 : 0.0))));
                    out_across_out_state_response_kept[0] = fabs(value_4) < 1e-300 ? 0.0 : value_4;
                }
                if ((int32_t)x < 0) {
                    out_matrix_rows[0 * 288 + x_place_thread * 9 + x + 8] = (-4) <= (int32_t)x
                        ? ((-2) <= (int32_t)x
                        ? out_across_left_response_kept[2] : out_across_out_state_response_kept[4])
                        : ((int32_t)x <= (-7)
                        ? out_across_right_response[x + 38] : out_across_farther_response[x + 36]);
                }
            }
        }
        __syncthreads();
        for (flt_index row_part = 0; row_part < 8; row_part++) {
            if ((32 * (int32_t)x_place_block
                + (((int32_t)x_place_thread + 32 * (int32_t)row_part) >> 3)) < 8) {
                const int32_t value_5 = ((int32_t)x_place_thread + 32 * (int32_t)row_part) >> 3;
                const int32_t value_6 = ((int32_t)x_place_thread + 32 * (int32_t)row_part) & 7;
                out_matrix[((int64_t)(32 * x_place_block)
                    + (int64_t)((flt_index)value_5)) * out_matrix_stride_x_place
                    + (flt_index)value_6] =
                    out_matrix_rows[0 * 288 + (flt_index)value_5 * 9 + (flt_index)value_6];
            }
        }
    }
}

/* out.carry: std.recursive:81 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_carry(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *FLT_RESTRICT const out_matrix = frame->out_matrix;
    const flt_index out_matrix_stride_x_place = (flt_index)frame->out_matrix_stride_x_place;
    double *FLT_RESTRICT const out_carry = frame->out_carry;
    const flt_index out_carry_stride_y = (flt_index)frame->out_carry_stride_y;
    const flt_index out_carry_stride_x_blocks = (flt_index)frame->out_carry_stride_x_blocks;
    const double *FLT_RESTRICT const out_ends = frame->out_ends;
    const flt_index out_ends_stride_y = (flt_index)frame->out_ends_stride_y;
    const flt_index out_ends_stride_x_blocks = (flt_index)frame->out_ends_stride_x_blocks;
    const double *const out_down_u = frame->out_down_u;
    const double *FLT_RESTRICT const out_across_right_edge = frame->out_across_right_edge;
    const double *const out_down_root = frame->out_down_root;
    const float *FLT_RESTRICT const out_columns = frame->out_columns;
    const flt_index out_columns_stride_y = (flt_index)frame->out_columns_stride_y;
    const double *const out_down_v = frame->out_down_v;
    double *FLT_RESTRICT const out_across_right_turn = frame->out_across_right_turn;
    const flt_index out_across_right_turn_stride_y =
        (flt_index)frame->out_across_right_turn_stride_y;
    const double *const out_down_m = frame->out_down_m;
    const double *FLT_RESTRICT const out_across_farther_edge = frame->out_across_farther_edge;
    const double *const out_down_n = frame->out_down_n;
    double *FLT_RESTRICT const out_across_farther_turn = frame->out_across_farther_turn;
    const flt_index out_across_farther_turn_stride_y =
        (flt_index)frame->out_across_farther_turn_stride_y;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index out_ends_x_blocks = (flt_index)frame->out_ends_x_blocks;
    (void)out_ends_x_blocks;
    const flt_index out_across_right_turn_x = (flt_index)frame->out_across_right_turn_x;
    (void)out_across_right_turn_x;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    const flt_index out_across_right_turn_x_first = (flt_index)frame->out_across_right_turn_x_first;
    (void)out_across_right_turn_x_first;
    const flt_index out_across_left_rest_x_first = (flt_index)frame->out_across_left_rest_x_first;
    (void)out_across_left_rest_x_first;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index y_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.x;
    if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
        const flt_index y = 32 * y_block + y_thread;
        double out_carry_kept[2];
        out_carry_kept[0] = 0.0;
        double out_carry_kept_2[2];
        out_carry_kept_2[0] = 0.0;
        double out_carry_kept_3[2];
        out_carry_kept_3[0] = 0.0;
        double out_carry_kept_4[2];
        out_carry_kept_4[0] = 0.0;
        if (0 < (int32_t)out_ends_x_blocks) {
            out_carry_kept_4[1] = out_carry_kept_4[0];
            out_carry_kept_3[1] = out_carry_kept_3[0];
            out_carry_kept_2[1] = out_carry_kept_2[0];
            out_carry_kept[1] = out_carry_kept[0];
            {
                const double out_carry_kept_now = fma(out_matrix[3 * out_matrix_stride_x_place + 0],
                    out_carry_kept_4[1],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 0], out_carry_kept_3[1],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 0], out_carry_kept_2[1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 0], out_carry_kept[1], 0.0))));
                out_carry_kept[0] = out_carry_kept_now;
                out_carry[y * out_carry_stride_y + 0 * out_carry_stride_x_blocks + 0] =
                    out_carry_kept_now;
            }
            {
                const double out_carry_kept_2_now = fma(out_matrix[3 * out_matrix_stride_x_place
                    + 1], out_carry_kept_4[1],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 1], out_carry_kept_3[1],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 1], out_carry_kept_2[1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 1], out_carry_kept[1], 0.0))));
                out_carry_kept_2[0] = out_carry_kept_2_now;
                out_carry[y * out_carry_stride_y + 0 * out_carry_stride_x_blocks + 1] =
                    out_carry_kept_2_now;
            }
            {
                const double out_carry_kept_3_now = fma(out_matrix[3 * out_matrix_stride_x_place
                    + 2], out_carry_kept_4[1],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 2], out_carry_kept_3[1],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 2], out_carry_kept_2[1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 2], out_carry_kept[1], 0.0))));
                out_carry_kept_3[0] = out_carry_kept_3_now;
                out_carry[y * out_carry_stride_y + 0 * out_carry_stride_x_blocks + 2] =
                    out_carry_kept_3_now;
            }
            const double out_carry_kept_4_now = fma(out_matrix[3 * out_matrix_stride_x_place + 3],
                out_carry_kept_4[1],
                fma(out_matrix[2 * out_matrix_stride_x_place + 3], out_carry_kept_3[1],
                fma(out_matrix[1 * out_matrix_stride_x_place + 3], out_carry_kept_2[1],
                fma(out_matrix[0 * out_matrix_stride_x_place + 3], out_carry_kept[1], 0.0))));
            out_carry_kept_4[0] = out_carry_kept_4_now;
            out_carry[y * out_carry_stride_y + 0 * out_carry_stride_x_blocks + 3] =
                out_carry_kept_4_now;
        }
        #pragma unroll 8
        for (flt_index x_blocks = 1; x_blocks < out_ends_x_blocks; x_blocks++) {
            out_carry_kept_4[1] = out_carry_kept_4[0];
            out_carry_kept_3[1] = out_carry_kept_3[0];
            out_carry_kept_2[1] = out_carry_kept_2[0];
            out_carry_kept[1] = out_carry_kept[0];
            {
                const double out_carry_kept_now = fma(out_matrix[3 * out_matrix_stride_x_place + 0],
                    out_carry_kept_4[1],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 0], out_carry_kept_3[1],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 0], out_carry_kept_2[1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 0], out_carry_kept[1],
                    out_ends[y * out_ends_stride_y + x_blocks * out_ends_stride_x_blocks + 0]))));
                out_carry_kept[0] = out_carry_kept_now;
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 0] =
                    out_carry_kept_now;
            }
            {
                const double out_carry_kept_2_now = fma(out_matrix[3 * out_matrix_stride_x_place
                    + 1], out_carry_kept_4[1],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 1], out_carry_kept_3[1],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 1], out_carry_kept_2[1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 1], out_carry_kept[1],
                    out_ends[y * out_ends_stride_y + x_blocks * out_ends_stride_x_blocks + 1]))));
                out_carry_kept_2[0] = out_carry_kept_2_now;
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 1] =
                    out_carry_kept_2_now;
            }
            {
                const double out_carry_kept_3_now = fma(out_matrix[3 * out_matrix_stride_x_place
                    + 2], out_carry_kept_4[1],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 2], out_carry_kept_3[1],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 2], out_carry_kept_2[1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 2], out_carry_kept[1],
                    out_ends[y * out_ends_stride_y + x_blocks * out_ends_stride_x_blocks + 2]))));
                out_carry_kept_3[0] = out_carry_kept_3_now;
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 2] =
                    out_carry_kept_3_now;
            }
            const double out_carry_kept_4_now = fma(out_matrix[3 * out_matrix_stride_x_place + 3],
                out_carry_kept_4[1],
                fma(out_matrix[2 * out_matrix_stride_x_place + 3], out_carry_kept_3[1],
                fma(out_matrix[1 * out_matrix_stride_x_place + 3], out_carry_kept_2[1],
                fma(out_matrix[0 * out_matrix_stride_x_place + 3], out_carry_kept[1],
                out_ends[y * out_ends_stride_y + x_blocks * out_ends_stride_x_blocks + 3]))));
            out_carry_kept_4[0] = out_carry_kept_4_now;
            out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 3] =
                out_carry_kept_4_now;
        }
    }
    /* out.across.right.turn */
    if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
        const flt_index y = 32 * y_block + y_thread;
        double out_across_right_turn_kept[3];
        out_across_right_turn_kept[0] = 0.0;
        out_across_right_turn_kept[1] = 0.0;
        if (0 < out_across_right_turn_x) {
            out_across_right_turn_kept[2] = out_across_right_turn_kept[1];
            out_across_right_turn_kept[1] = out_across_right_turn_kept[0];
            const double out_across_right_turn_kept_now = fma(out_down_u[0],
                (int32_t)out_tails_x_blocks == 0
                ? flt_mul_f64(out_across_right_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + 0]))
                : out_carry[y * out_carry_stride_y + out_tails_x_blocks * out_carry_stride_x_blocks
                + flt_min_index(flt_max_index(out_across_right_turn_x_first
                - out_across_left_rest_x_first + 1, 0),
                3)], fma(-out_down_v[0],
                (int32_t)out_tails_x_blocks == 0
                ? flt_mul_f64(out_across_right_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + 0]))
                : out_carry[y * out_carry_stride_y + out_tails_x_blocks * out_carry_stride_x_blocks
                + flt_min_index(flt_max_index(out_across_right_turn_x_first
                - out_across_left_rest_x_first, 0), 3)], flt_mul_f64(flt_mul_f64(out_down_root[0],
                0.25),
                (double)out_columns[y * out_columns_stride_y
                + flt_min_index(flt_max_index(out_across_right_turn_x_first, 0), in_x - 1)])));
            out_across_right_turn_kept[0] = out_across_right_turn_kept_now;
            out_across_right_turn[y * out_across_right_turn_stride_y + 0] =
                out_across_right_turn_kept_now;
        }
        if (0 < (out_across_right_turn_x - 1)) {
            out_across_right_turn_kept[2] = out_across_right_turn_kept[1];
            out_across_right_turn_kept[1] = out_across_right_turn_kept[0];
            const double out_across_right_turn_kept_now = fma(out_down_u[0],
                out_across_right_turn_kept[1],
                fma(-out_down_v[0],
                (int32_t)out_tails_x_blocks == 0
                ? flt_mul_f64(out_across_right_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + 0]))
                : out_carry[y * out_carry_stride_y + out_tails_x_blocks * out_carry_stride_x_blocks
                + flt_min_index(flt_max_index(out_across_right_turn_x_first
                + 1 - out_across_left_rest_x_first, 0),
                3)], flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + flt_min_index(flt_max_index(out_across_right_turn_x_first + 1, 0), in_x - 1)])));
            out_across_right_turn_kept[0] = out_across_right_turn_kept_now;
            out_across_right_turn[y * out_across_right_turn_stride_y + 1] =
                out_across_right_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index x = out_across_right_turn_x_first + 2; x < out_across_right_turn_x_first
            + out_across_right_turn_x; x++) {
            out_across_right_turn_kept[2] = out_across_right_turn_kept[1];
            out_across_right_turn_kept[1] = out_across_right_turn_kept[0];
            const double out_across_right_turn_kept_now = fma(out_down_u[0],
                out_across_right_turn_kept[1],
                fma(-out_down_v[0], out_across_right_turn_kept[2],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + flt_min_index(flt_max_index(x, 0), in_x - 1)])));
            out_across_right_turn_kept[0] = out_across_right_turn_kept_now;
            out_across_right_turn[y * out_across_right_turn_stride_y
                + x - out_across_right_turn_x_first] = out_across_right_turn_kept_now;
        }
    }
    /* out.across.farther.turn */
    if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
        const flt_index y = 32 * y_block + y_thread;
        double out_across_farther_turn_kept[3];
        out_across_farther_turn_kept[0] = 0.0;
        out_across_farther_turn_kept[1] = 0.0;
        if (0 < out_across_right_turn_x) {
            out_across_farther_turn_kept[2] = out_across_farther_turn_kept[1];
            out_across_farther_turn_kept[1] = out_across_farther_turn_kept[0];
            const double out_across_farther_turn_kept_now = fma(out_down_m[0],
                (int32_t)out_tails_x_blocks == 0
                ? flt_mul_f64(out_across_farther_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + 0]))
                : out_carry[y * out_carry_stride_y + out_tails_x_blocks * out_carry_stride_x_blocks
                + flt_min_index(flt_max_index(out_across_right_turn_x_first
                - out_across_left_rest_x_first + 3, 0),
                3)], fma(-out_down_n[0],
                (int32_t)out_tails_x_blocks == 0
                ? flt_mul_f64(out_across_farther_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + 0]))
                : out_carry[y * out_carry_stride_y + out_tails_x_blocks * out_carry_stride_x_blocks
                + flt_min_index(flt_max_index(out_across_right_turn_x_first
                - out_across_left_rest_x_first + 2, 0),
                3)], out_across_right_turn[y * out_across_right_turn_stride_y + 0]));
            out_across_farther_turn_kept[0] = out_across_farther_turn_kept_now;
            out_across_farther_turn[y * out_across_farther_turn_stride_y + 0] =
                out_across_farther_turn_kept_now;
        }
        if (0 < (out_across_right_turn_x - 1)) {
            out_across_farther_turn_kept[2] = out_across_farther_turn_kept[1];
            out_across_farther_turn_kept[1] = out_across_farther_turn_kept[0];
            const double out_across_farther_turn_kept_now = fma(out_down_m[0],
                out_across_farther_turn_kept[1],
                fma(-out_down_n[0],
                (int32_t)out_tails_x_blocks == 0
                ? flt_mul_f64(out_across_farther_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + 0]))
                : out_carry[y * out_carry_stride_y + out_tails_x_blocks * out_carry_stride_x_blocks
                + flt_min_index(flt_max_index(out_across_right_turn_x_first
                + 1 - out_across_left_rest_x_first + 2, 0),
                3)], out_across_right_turn[y * out_across_right_turn_stride_y + 1]));
            out_across_farther_turn_kept[0] = out_across_farther_turn_kept_now;
            out_across_farther_turn[y * out_across_farther_turn_stride_y + 1] =
                out_across_farther_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index x = out_across_right_turn_x_first + 2; x < out_across_right_turn_x_first
            + out_across_right_turn_x; x++) {
            out_across_farther_turn_kept[2] = out_across_farther_turn_kept[1];
            out_across_farther_turn_kept[1] = out_across_farther_turn_kept[0];
            const double out_across_farther_turn_kept_now = fma(out_down_m[0],
                out_across_farther_turn_kept[1],
                fma(-out_down_n[0], out_across_farther_turn_kept[2],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + x - out_across_right_turn_x_first]));
            out_across_farther_turn_kept[0] = out_across_farther_turn_kept_now;
            out_across_farther_turn[y * out_across_farther_turn_stride_y
                + x - out_across_right_turn_x_first] = out_across_farther_turn_kept_now;
        }
    }
}

/* out.across.farther.kept.turn: std.recursive:61 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) gaussian_recursive_out_across_farther_kept_turn(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *FLT_RESTRICT const out_across_farther_turn = frame->out_across_farther_turn;
    const flt_index out_across_farther_turn_stride_y =
        (flt_index)frame->out_across_farther_turn_stride_y;
    float *FLT_RESTRICT const out_across_farther_kept_turn = frame->out_across_farther_kept_turn;
    const flt_index out_across_farther_kept_turn_stride_y =
        (flt_index)frame->out_across_farther_kept_turn_stride_y;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index out_across_right_turn_x = (flt_index)frame->out_across_right_turn_x;
    (void)out_across_right_turn_x;
    const flt_index out_across_right_turn_x_first = (flt_index)frame->out_across_right_turn_x_first;
    (void)out_across_right_turn_x_first;
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.y;
    const flt_index x_thread = (flt_index)threadIdx.x;
    if ((8 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y
        && (32 * x_block + x_thread) < out_across_right_turn_x) {
        const flt_index y = 8 * y_block + y_thread;
        const flt_index x = out_across_right_turn_x_first + 32 * x_block + x_thread;
        out_across_farther_kept_turn[y * out_across_farther_kept_turn_stride_y
            + x
            - out_across_right_turn_x_first] =
            (float)out_across_farther_turn[y * out_across_farther_turn_stride_y
            + x - out_across_right_turn_x_first];
    }
}

/* out.across.left.turn: std.recursive:62 */
template <typename flt_index>
static __global__ void __launch_bounds__(32) gaussian_recursive_out_across_left_turn(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const double *const out_across_left_edge = frame->out_across_left_edge;
    const double *const out_down_root = frame->out_down_root;
    const float *FLT_RESTRICT const out_columns = frame->out_columns;
    const flt_index out_columns_stride_y = (flt_index)frame->out_columns_stride_y;
    const double *FLT_RESTRICT const out_across_right_turn = frame->out_across_right_turn;
    const flt_index out_across_right_turn_stride_y =
        (flt_index)frame->out_across_right_turn_stride_y;
    const double *FLT_RESTRICT const out_across_farther_turn = frame->out_across_farther_turn;
    const flt_index out_across_farther_turn_stride_y =
        (flt_index)frame->out_across_farther_turn_stride_y;
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const float *FLT_RESTRICT const out_across_farther_kept_turn =
        frame->out_across_farther_kept_turn;
    const flt_index out_across_farther_kept_turn_stride_y =
        (flt_index)frame->out_across_farther_kept_turn_stride_y;
    double *FLT_RESTRICT const out_across_left_turn = frame->out_across_left_turn;
    const flt_index out_across_left_turn_stride_y = (flt_index)frame->out_across_left_turn_stride_y;
    const double *const out_across_out_state_edge = frame->out_across_out_state_edge;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *FLT_RESTRICT const out_across_out_state_turn = frame->out_across_out_state_turn;
    const flt_index out_across_out_state_turn_stride_y =
        (flt_index)frame->out_across_out_state_turn_stride_y;
    const double *FLT_RESTRICT const out_matrix = frame->out_matrix;
    const flt_index out_matrix_stride_x_place = (flt_index)frame->out_matrix_stride_x_place;
    double *FLT_RESTRICT const out_carry_back = frame->out_carry_back;
    const flt_index out_carry_back_stride_y = (flt_index)frame->out_carry_back_stride_y;
    const flt_index out_carry_back_stride_x_blocks =
        (flt_index)frame->out_carry_back_stride_x_blocks;
    const double *FLT_RESTRICT const out_carry = frame->out_carry;
    const flt_index out_carry_stride_y = (flt_index)frame->out_carry_stride_y;
    const flt_index out_carry_stride_x_blocks = (flt_index)frame->out_carry_stride_x_blocks;
    const double *FLT_RESTRICT const out_ends = frame->out_ends;
    const flt_index out_ends_stride_y = (flt_index)frame->out_ends_stride_y;
    const flt_index out_ends_stride_x_blocks = (flt_index)frame->out_ends_stride_x_blocks;
    const double *FLT_RESTRICT const out_across_right_edge = frame->out_across_right_edge;
    const double *FLT_RESTRICT const out_across_farther_edge = frame->out_across_farther_edge;
    float *FLT_RESTRICT const out_across_farther_kept_rest = frame->out_across_farther_kept_rest;
    const flt_index out_across_farther_kept_rest_stride_y =
        (flt_index)frame->out_across_farther_kept_rest_stride_y;
    float *FLT_RESTRICT const out_rest = frame->out_rest;
    const flt_index out_rest_stride_y = (flt_index)frame->out_rest_stride_y;
    const flt_index out_rest_stride_x = (flt_index)frame->out_rest_stride_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index out_across_left_turn_x = (flt_index)frame->out_across_left_turn_x;
    (void)out_across_left_turn_x;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_across_left_turn_x_first = (flt_index)frame->out_across_left_turn_x_first;
    (void)out_across_left_turn_x_first;
    const flt_index out_across_right_turn_x_first = (flt_index)frame->out_across_right_turn_x_first;
    (void)out_across_right_turn_x_first;
    const flt_index out_across_right_turn_x = (flt_index)frame->out_across_right_turn_x;
    (void)out_across_right_turn_x;
    const flt_index out_across_left_rest_x_first = (flt_index)frame->out_across_left_rest_x_first;
    (void)out_across_left_rest_x_first;
    const flt_index out_ends_x_blocks = (flt_index)frame->out_ends_x_blocks;
    (void)out_ends_x_blocks;
    const flt_index out_across_right_rest_x = (flt_index)frame->out_across_right_rest_x;
    (void)out_across_right_rest_x;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    const flt_index out_across_right_rest_x_first = (flt_index)frame->out_across_right_rest_x_first;
    (void)out_across_right_rest_x_first;
    const flt_index out_across_left_rest_x = (flt_index)frame->out_across_left_rest_x;
    (void)out_across_left_rest_x;
    const flt_index y_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    const flt_index y_thread = (flt_index)threadIdx.x;
    if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
        const flt_index y = 32 * y_block + y_thread;
        double out_across_left_turn_kept[3];
        out_across_left_turn_kept[0] = 0.0;
        out_across_left_turn_kept[1] = 0.0;
        if (0 < (int32_t)out_across_left_turn_x) {
            out_across_left_turn_kept[2] = out_across_left_turn_kept[1];
            out_across_left_turn_kept[1] = out_across_left_turn_kept[0];
            const double value_1 = flt_mul_f64(out_across_left_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y + in_x - 1]));
            const double value_2 = out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first - 1];
            const flt_index value_3 = flt_min_index(flt_max_index(out_across_left_turn_x_first
                + out_across_left_turn_x - 1 - 1, out_across_right_turn_x_first),
                out_across_right_turn_x_first + out_across_right_turn_x - 1);
            const double value_4 = out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first - 1];
            const double out_across_left_turn_kept_now = fma(out_down_u[0],
                value_1 + flt_mul_f64(out_across_left_edge[1], value_2)
                + flt_mul_f64(out_across_left_edge[2],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + value_3 - out_across_right_turn_x_first]) + flt_mul_f64(out_across_left_edge[3],
                value_4)
                + flt_mul_f64(out_across_left_edge[4],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + value_3 - out_across_right_turn_x_first]), fma(-out_down_v[0],
                value_1
                + flt_mul_f64(out_across_left_edge[1],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x
                - out_across_right_turn_x_first]) + flt_mul_f64(out_across_left_edge[2],
                value_2)
                + flt_mul_f64(out_across_left_edge[3],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x
                - out_across_right_turn_x_first]) + flt_mul_f64(out_across_left_edge[4],
                value_4),
                (double)out_across_farther_kept_turn[y * out_across_farther_kept_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first - 1]));
            out_across_left_turn_kept[0] = out_across_left_turn_kept_now;
            out_across_left_turn[y * out_across_left_turn_stride_y + out_across_left_turn_x - 1] =
                out_across_left_turn_kept_now;
        }
        if (0 < ((int32_t)out_across_left_turn_x - 1)) {
            out_across_left_turn_kept[2] = out_across_left_turn_kept[1];
            out_across_left_turn_kept[1] = out_across_left_turn_kept[0];
            const double out_across_left_turn_kept_now = fma(out_down_u[0],
                out_across_left_turn_kept[1],
                fma(-out_down_v[0],
                flt_mul_f64(out_across_left_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + in_x
                - 1]))
                + flt_mul_f64(out_across_left_edge[1],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 1]) + flt_mul_f64(out_across_left_edge[2],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 2]) + flt_mul_f64(out_across_left_edge[3],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 1]) + flt_mul_f64(out_across_left_edge[4],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 2]),
                (double)out_across_farther_kept_turn[y * out_across_farther_kept_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first - 2]));
            out_across_left_turn_kept[0] = out_across_left_turn_kept_now;
            out_across_left_turn[y * out_across_left_turn_stride_y + out_across_left_turn_x - 2] =
                out_across_left_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index x = out_across_left_turn_x_first
            + out_across_left_turn_x - 2; x-- > out_across_left_turn_x_first;) {
            out_across_left_turn_kept[2] = out_across_left_turn_kept[1];
            out_across_left_turn_kept[1] = out_across_left_turn_kept[0];
            const double out_across_left_turn_kept_now = fma(out_down_u[0],
                out_across_left_turn_kept[1],
                fma(-out_down_v[0], out_across_left_turn_kept[2],
                (double)out_across_farther_kept_turn[y * out_across_farther_kept_turn_stride_y
                + x - out_across_right_turn_x_first]));
            out_across_left_turn_kept[0] = out_across_left_turn_kept_now;
            out_across_left_turn[y * out_across_left_turn_stride_y
                + x - out_across_left_turn_x_first] = out_across_left_turn_kept_now;
        }
    }
    /* out.across.out.state.turn */
    if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
        const flt_index y = 32 * y_block + y_thread;
        double out_across_out_state_turn_kept[3];
        out_across_out_state_turn_kept[0] = 0.0;
        out_across_out_state_turn_kept[1] = 0.0;
        if (0 < (int32_t)out_across_left_turn_x) {
            out_across_out_state_turn_kept[2] = out_across_out_state_turn_kept[1];
            out_across_out_state_turn_kept[1] = out_across_out_state_turn_kept[0];
            const double value_1 = flt_mul_f64(out_across_out_state_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y + in_x - 1]));
            const double value_2 = out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first - 1];
            const flt_index value_3 = flt_min_index(flt_max_index(out_across_left_turn_x_first
                + out_across_left_turn_x - 1 - 1, out_across_right_turn_x_first),
                out_across_right_turn_x_first + out_across_right_turn_x - 1);
            const double value_4 = out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first - 1];
            const double out_across_out_state_turn_kept_now = fma(out_down_m[0],
                value_1 + flt_mul_f64(out_across_out_state_edge[1], value_2)
                + flt_mul_f64(out_across_out_state_edge[2],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + value_3
                - out_across_right_turn_x_first]) + flt_mul_f64(out_across_out_state_edge[3],
                value_4)
                + flt_mul_f64(out_across_out_state_edge[4],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + value_3 - out_across_right_turn_x_first]), fma(-out_down_n[0],
                value_1
                + flt_mul_f64(out_across_out_state_edge[1],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x
                - out_across_right_turn_x_first]) + flt_mul_f64(out_across_out_state_edge[2],
                value_2)
                + flt_mul_f64(out_across_out_state_edge[3],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x
                - out_across_right_turn_x_first]) + flt_mul_f64(out_across_out_state_edge[4],
                value_4),
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                out_across_left_turn[y * out_across_left_turn_stride_y
                + out_across_left_turn_x - 1])));
            out_across_out_state_turn_kept[0] = out_across_out_state_turn_kept_now;
            out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                + out_across_left_turn_x - 1] = out_across_out_state_turn_kept_now;
        }
        if (0 < ((int32_t)out_across_left_turn_x - 1)) {
            out_across_out_state_turn_kept[2] = out_across_out_state_turn_kept[1];
            out_across_out_state_turn_kept[1] = out_across_out_state_turn_kept[0];
            const double out_across_out_state_turn_kept_now = fma(out_down_m[0],
                out_across_out_state_turn_kept[1],
                fma(-out_down_n[0],
                flt_mul_f64(out_across_out_state_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + in_x
                - 1]))
                + flt_mul_f64(out_across_out_state_edge[1],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 1]) + flt_mul_f64(out_across_out_state_edge[2],
                out_across_right_turn[y * out_across_right_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 2]) + flt_mul_f64(out_across_out_state_edge[3],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 1]) + flt_mul_f64(out_across_out_state_edge[4],
                out_across_farther_turn[y * out_across_farther_turn_stride_y
                + out_across_left_turn_x_first
                + out_across_left_turn_x - out_across_right_turn_x_first
                - 2]), flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                out_across_left_turn[y * out_across_left_turn_stride_y
                + out_across_left_turn_x - 2])));
            out_across_out_state_turn_kept[0] = out_across_out_state_turn_kept_now;
            out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                + out_across_left_turn_x - 2] = out_across_out_state_turn_kept_now;
        }
        #pragma unroll 8
        for (flt_index x = out_across_left_turn_x_first
            + out_across_left_turn_x - 2; x-- > out_across_left_turn_x_first;) {
            out_across_out_state_turn_kept[2] = out_across_out_state_turn_kept[1];
            out_across_out_state_turn_kept[1] = out_across_out_state_turn_kept[0];
            const double out_across_out_state_turn_kept_now = fma(out_down_m[0],
                out_across_out_state_turn_kept[1],
                fma(-out_down_n[0], out_across_out_state_turn_kept[2],
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]),
                out_across_left_turn[y * out_across_left_turn_stride_y
                + x - out_across_left_turn_x_first])));
            out_across_out_state_turn_kept[0] = out_across_out_state_turn_kept_now;
            out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                + x - out_across_left_turn_x_first] = out_across_out_state_turn_kept_now;
        }
    }
    /* out.carry_back */
    if ((32 * y_block + 32) <= in_y && out_across_left_turn_x_first <= out_across_left_rest_x_first
        && (out_across_left_rest_x_first + 2) <= (out_across_left_turn_x_first
        + out_across_left_turn_x)) {
        const flt_index y = 32 * y_block + y_thread;
        double out_carry_back_kept[2];
        out_carry_back_kept[0] = 0.0;
        double out_carry_back_kept_2[2];
        out_carry_back_kept_2[0] = 0.0;
        double out_carry_back_kept_3[2];
        out_carry_back_kept_3[0] = 0.0;
        double out_carry_back_kept_4[2];
        out_carry_back_kept_4[0] = 0.0;
        if (0 < (int32_t)out_ends_x_blocks) {
            out_carry_back_kept_4[1] = out_carry_back_kept_4[0];
            out_carry_back_kept_3[1] = out_carry_back_kept_3[0];
            out_carry_back_kept_2[1] = out_carry_back_kept_2[0];
            out_carry_back_kept[1] = out_carry_back_kept[0];
            {
                const double out_carry_back_kept_now = fma(out_matrix[7 * out_matrix_stride_x_place
                    + 7], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 7], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 7], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 7], out_carry_back_kept[1],
                    out_across_left_turn[y * out_across_left_turn_stride_y
                    + out_across_left_rest_x_first - out_across_left_turn_x_first + 1]))));
                out_carry_back_kept[0] = out_carry_back_kept_now;
                out_carry_back[y * out_carry_back_stride_y
                    + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 0] =
                    out_carry_back_kept_now;
            }
            {
                const double out_carry_back_kept_2_now =
                    fma(out_matrix[7 * out_matrix_stride_x_place + 6], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 6], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 6], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 6], out_carry_back_kept[1],
                    out_across_left_turn[y * out_across_left_turn_stride_y
                    + out_across_left_rest_x_first - out_across_left_turn_x_first]))));
                out_carry_back_kept_2[0] = out_carry_back_kept_2_now;
                out_carry_back[y * out_carry_back_stride_y
                    + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 1] =
                    out_carry_back_kept_2_now;
            }
            {
                const double out_carry_back_kept_3_now =
                    fma(out_matrix[7 * out_matrix_stride_x_place + 5], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 5], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 5], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 5], out_carry_back_kept[1],
                    out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                    + out_across_left_rest_x_first - out_across_left_turn_x_first + 1]))));
                out_carry_back_kept_3[0] = out_carry_back_kept_3_now;
                out_carry_back[y * out_carry_back_stride_y
                    + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 2] =
                    out_carry_back_kept_3_now;
            }
            const double out_carry_back_kept_4_now = fma(out_matrix[7 * out_matrix_stride_x_place
                + 4], out_carry_back_kept_4[1],
                fma(out_matrix[6 * out_matrix_stride_x_place + 4], out_carry_back_kept_3[1],
                fma(out_matrix[5 * out_matrix_stride_x_place + 4], out_carry_back_kept_2[1],
                fma(out_matrix[4 * out_matrix_stride_x_place + 4], out_carry_back_kept[1],
                out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                + out_across_left_rest_x_first - out_across_left_turn_x_first]))));
            out_carry_back_kept_4[0] = out_carry_back_kept_4_now;
            out_carry_back[y * out_carry_back_stride_y
                + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 3] =
                out_carry_back_kept_4_now;
        }
        #pragma unroll 8
        for (flt_index x_blocks = out_ends_x_blocks - 1; x_blocks-- > 0;) {
            out_carry_back_kept_4[1] = out_carry_back_kept_4[0];
            out_carry_back_kept_3[1] = out_carry_back_kept_3[0];
            out_carry_back_kept_2[1] = out_carry_back_kept_2[0];
            out_carry_back_kept[1] = out_carry_back_kept[0];
            {
                const double out_carry_back_kept_now = fma(out_matrix[7 * out_matrix_stride_x_place
                    + 7], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 7], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 7], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 7], out_carry_back_kept[1],
                    fma(out_matrix[3 * out_matrix_stride_x_place + 7],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 3],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 7],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 2],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 7],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 7],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 0],
                    out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                    + 7]))))))));
                out_carry_back_kept[0] = out_carry_back_kept_now;
                out_carry_back[y * out_carry_back_stride_y
                    + x_blocks * out_carry_back_stride_x_blocks + 0] = out_carry_back_kept_now;
            }
            {
                const double out_carry_back_kept_2_now =
                    fma(out_matrix[7 * out_matrix_stride_x_place + 6], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 6], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 6], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 6], out_carry_back_kept[1],
                    fma(out_matrix[3 * out_matrix_stride_x_place + 6],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 3],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 6],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 2],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 6],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 6],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 0],
                    out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                    + 6]))))))));
                out_carry_back_kept_2[0] = out_carry_back_kept_2_now;
                out_carry_back[y * out_carry_back_stride_y
                    + x_blocks * out_carry_back_stride_x_blocks + 1] = out_carry_back_kept_2_now;
            }
            {
                const double out_carry_back_kept_3_now =
                    fma(out_matrix[7 * out_matrix_stride_x_place + 5], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 5], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 5], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 5], out_carry_back_kept[1],
                    fma(out_matrix[3 * out_matrix_stride_x_place + 5],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 3],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 5],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 2],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 5],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 5],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 0],
                    out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                    + 5]))))))));
                out_carry_back_kept_3[0] = out_carry_back_kept_3_now;
                out_carry_back[y * out_carry_back_stride_y
                    + x_blocks * out_carry_back_stride_x_blocks + 2] = out_carry_back_kept_3_now;
            }
            const double out_carry_back_kept_4_now = fma(out_matrix[7 * out_matrix_stride_x_place
                + 4], out_carry_back_kept_4[1],
                fma(out_matrix[6 * out_matrix_stride_x_place + 4], out_carry_back_kept_3[1],
                fma(out_matrix[5 * out_matrix_stride_x_place + 4], out_carry_back_kept_2[1],
                fma(out_matrix[4 * out_matrix_stride_x_place + 4], out_carry_back_kept[1],
                fma(out_matrix[3 * out_matrix_stride_x_place + 4],
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 3],
                fma(out_matrix[2 * out_matrix_stride_x_place + 4],
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 2],
                fma(out_matrix[1 * out_matrix_stride_x_place + 4],
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 1],
                fma(out_matrix[0 * out_matrix_stride_x_place + 4],
                out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 0],
                out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                + 4]))))))));
            out_carry_back_kept_4[0] = out_carry_back_kept_4_now;
            out_carry_back[y * out_carry_back_stride_y + x_blocks * out_carry_back_stride_x_blocks
                + 3] = out_carry_back_kept_4_now;
        }
    } else {
        if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
            const flt_index y = 32 * y_block + y_thread;
            double out_carry_back_kept[2];
            out_carry_back_kept[0] = 0.0;
            double out_carry_back_kept_2[2];
            out_carry_back_kept_2[0] = 0.0;
            double out_carry_back_kept_3[2];
            out_carry_back_kept_3[0] = 0.0;
            double out_carry_back_kept_4[2];
            out_carry_back_kept_4[0] = 0.0;
            if (0 < (int32_t)out_ends_x_blocks) {
                out_carry_back_kept_4[1] = out_carry_back_kept_4[0];
                out_carry_back_kept_3[1] = out_carry_back_kept_3[0];
                out_carry_back_kept_2[1] = out_carry_back_kept_2[0];
                out_carry_back_kept[1] = out_carry_back_kept[0];
                {
                    const double out_carry_back_kept_now =
                        fma(out_matrix[7 * out_matrix_stride_x_place + 7], out_carry_back_kept_4[1],
                        fma(out_matrix[6 * out_matrix_stride_x_place + 7], out_carry_back_kept_3[1],
                        fma(out_matrix[5 * out_matrix_stride_x_place + 7], out_carry_back_kept_2[1],
                        fma(out_matrix[4 * out_matrix_stride_x_place + 7], out_carry_back_kept[1],
                        out_across_left_turn[y * out_across_left_turn_stride_y
                        + flt_min_index(flt_max_index(out_across_left_rest_x_first - 1 + 2,
                        out_across_left_turn_x_first),
                        out_across_left_turn_x_first + out_across_left_turn_x - 1)
                        - out_across_left_turn_x_first]))));
                    out_carry_back_kept[0] = out_carry_back_kept_now;
                    out_carry_back[y * out_carry_back_stride_y
                        + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 0] =
                        out_carry_back_kept_now;
                }
                {
                    const double out_carry_back_kept_2_now =
                        fma(out_matrix[7 * out_matrix_stride_x_place + 6], out_carry_back_kept_4[1],
                        fma(out_matrix[6 * out_matrix_stride_x_place + 6], out_carry_back_kept_3[1],
                        fma(out_matrix[5 * out_matrix_stride_x_place + 6], out_carry_back_kept_2[1],
                        fma(out_matrix[4 * out_matrix_stride_x_place + 6], out_carry_back_kept[1],
                        out_across_left_turn[y * out_across_left_turn_stride_y
                        + flt_min_index(flt_max_index(out_across_left_rest_x_first - 2 + 2,
                        out_across_left_turn_x_first),
                        out_across_left_turn_x_first + out_across_left_turn_x - 1)
                        - out_across_left_turn_x_first]))));
                    out_carry_back_kept_2[0] = out_carry_back_kept_2_now;
                    out_carry_back[y * out_carry_back_stride_y
                        + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 1] =
                        out_carry_back_kept_2_now;
                }
                {
                    const double out_carry_back_kept_3_now =
                        fma(out_matrix[7 * out_matrix_stride_x_place + 5], out_carry_back_kept_4[1],
                        fma(out_matrix[6 * out_matrix_stride_x_place + 5], out_carry_back_kept_3[1],
                        fma(out_matrix[5 * out_matrix_stride_x_place + 5], out_carry_back_kept_2[1],
                        fma(out_matrix[4 * out_matrix_stride_x_place + 5], out_carry_back_kept[1],
                        out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                        + flt_min_index(flt_max_index(out_across_left_rest_x_first - 3 + 4,
                        out_across_left_turn_x_first),
                        out_across_left_turn_x_first + out_across_left_turn_x - 1)
                        - out_across_left_turn_x_first]))));
                    out_carry_back_kept_3[0] = out_carry_back_kept_3_now;
                    out_carry_back[y * out_carry_back_stride_y
                        + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 2] =
                        out_carry_back_kept_3_now;
                }
                const double out_carry_back_kept_4_now =
                    fma(out_matrix[7 * out_matrix_stride_x_place + 4], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 4], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 4], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 4], out_carry_back_kept[1],
                    out_across_out_state_turn[y * out_across_out_state_turn_stride_y
                    + flt_min_index(flt_max_index(out_across_left_rest_x_first - 4 + 4,
                    out_across_left_turn_x_first),
                    out_across_left_turn_x_first + out_across_left_turn_x - 1)
                    - out_across_left_turn_x_first]))));
                out_carry_back_kept_4[0] = out_carry_back_kept_4_now;
                out_carry_back[y * out_carry_back_stride_y
                    + (out_ends_x_blocks - 1) * out_carry_back_stride_x_blocks + 3] =
                    out_carry_back_kept_4_now;
            }
            #pragma unroll 8
            for (flt_index x_blocks = out_ends_x_blocks - 1; x_blocks-- > 0;) {
                out_carry_back_kept_4[1] = out_carry_back_kept_4[0];
                out_carry_back_kept_3[1] = out_carry_back_kept_3[0];
                out_carry_back_kept_2[1] = out_carry_back_kept_2[0];
                out_carry_back_kept[1] = out_carry_back_kept[0];
                {
                    const double out_carry_back_kept_now =
                        fma(out_matrix[7 * out_matrix_stride_x_place + 7], out_carry_back_kept_4[1],
                        fma(out_matrix[6 * out_matrix_stride_x_place + 7], out_carry_back_kept_3[1],
                        fma(out_matrix[5 * out_matrix_stride_x_place + 7], out_carry_back_kept_2[1],
                        fma(out_matrix[4 * out_matrix_stride_x_place + 7], out_carry_back_kept[1],
                        fma(out_matrix[3 * out_matrix_stride_x_place + 7],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 3],
                        fma(out_matrix[2 * out_matrix_stride_x_place + 7],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 2],
                        fma(out_matrix[1 * out_matrix_stride_x_place + 7],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 1],
                        fma(out_matrix[0 * out_matrix_stride_x_place + 7],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 0],
                        out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                        + 7]))))))));
                    out_carry_back_kept[0] = out_carry_back_kept_now;
                    out_carry_back[y * out_carry_back_stride_y
                        + x_blocks * out_carry_back_stride_x_blocks + 0] = out_carry_back_kept_now;
                }
                {
                    const double out_carry_back_kept_2_now =
                        fma(out_matrix[7 * out_matrix_stride_x_place + 6], out_carry_back_kept_4[1],
                        fma(out_matrix[6 * out_matrix_stride_x_place + 6], out_carry_back_kept_3[1],
                        fma(out_matrix[5 * out_matrix_stride_x_place + 6], out_carry_back_kept_2[1],
                        fma(out_matrix[4 * out_matrix_stride_x_place + 6], out_carry_back_kept[1],
                        fma(out_matrix[3 * out_matrix_stride_x_place + 6],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 3],
                        fma(out_matrix[2 * out_matrix_stride_x_place + 6],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 2],
                        fma(out_matrix[1 * out_matrix_stride_x_place + 6],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 1],
                        fma(out_matrix[0 * out_matrix_stride_x_place + 6],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 0],
                        out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                        + 6]))))))));
                    out_carry_back_kept_2[0] = out_carry_back_kept_2_now;
                    out_carry_back[y * out_carry_back_stride_y
                        + x_blocks * out_carry_back_stride_x_blocks + 1] =
                        out_carry_back_kept_2_now;
                }
                {
                    const double out_carry_back_kept_3_now =
                        fma(out_matrix[7 * out_matrix_stride_x_place + 5], out_carry_back_kept_4[1],
                        fma(out_matrix[6 * out_matrix_stride_x_place + 5], out_carry_back_kept_3[1],
                        fma(out_matrix[5 * out_matrix_stride_x_place + 5], out_carry_back_kept_2[1],
                        fma(out_matrix[4 * out_matrix_stride_x_place + 5], out_carry_back_kept[1],
                        fma(out_matrix[3 * out_matrix_stride_x_place + 5],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 3],
                        fma(out_matrix[2 * out_matrix_stride_x_place + 5],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 2],
                        fma(out_matrix[1 * out_matrix_stride_x_place + 5],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 1],
                        fma(out_matrix[0 * out_matrix_stride_x_place + 5],
                        out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + 0],
                        out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                        + 5]))))))));
                    out_carry_back_kept_3[0] = out_carry_back_kept_3_now;
                    out_carry_back[y * out_carry_back_stride_y
                        + x_blocks * out_carry_back_stride_x_blocks + 2] =
                        out_carry_back_kept_3_now;
                }
                const double out_carry_back_kept_4_now =
                    fma(out_matrix[7 * out_matrix_stride_x_place + 4], out_carry_back_kept_4[1],
                    fma(out_matrix[6 * out_matrix_stride_x_place + 4], out_carry_back_kept_3[1],
                    fma(out_matrix[5 * out_matrix_stride_x_place + 4], out_carry_back_kept_2[1],
                    fma(out_matrix[4 * out_matrix_stride_x_place + 4], out_carry_back_kept[1],
                    fma(out_matrix[3 * out_matrix_stride_x_place + 4],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 3],
                    fma(out_matrix[2 * out_matrix_stride_x_place + 4],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 2],
                    fma(out_matrix[1 * out_matrix_stride_x_place + 4],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 1],
                    fma(out_matrix[0 * out_matrix_stride_x_place + 4],
                    out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks + 0],
                    out_ends[y * out_ends_stride_y + (x_blocks + 1) * out_ends_stride_x_blocks
                    + 4]))))))));
                out_carry_back_kept_4[0] = out_carry_back_kept_4_now;
                out_carry_back[y * out_carry_back_stride_y
                    + x_blocks * out_carry_back_stride_x_blocks + 3] = out_carry_back_kept_4_now;
            }
        }
    }
    /* out.rest */
    if ((32 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
        const flt_index y = 32 * y_block + y_thread;
        double out_across_right_rest[8];
        double out_across_farther_rest[8];
        {
            double out_across_right_rest_kept[3];
            out_across_right_rest_kept[0] = 0.0;
            out_across_right_rest_kept[1] = 0.0;
            double out_across_farther_rest_kept[3];
            out_across_farther_rest_kept[0] = 0.0;
            out_across_farther_rest_kept[1] = 0.0;
            if (0 < out_across_right_rest_x) {
                out_across_farther_rest_kept[2] = out_across_farther_rest_kept[1];
                out_across_farther_rest_kept[1] = out_across_farther_rest_kept[0];
                out_across_right_rest_kept[2] = out_across_right_rest_kept[1];
                out_across_right_rest_kept[1] = out_across_right_rest_kept[0];
                {
                    const double out_across_right_rest_kept_now = fma(out_down_u[0],
                        (int32_t)out_tails_x_blocks == 0
                        ? flt_mul_f64(out_across_right_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y
                        + out_tails_x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first
                        - out_across_left_rest_x_first + 1, 0),
                        3)], fma(-out_down_v[0],
                        (int32_t)out_tails_x_blocks == 0
                        ? flt_mul_f64(out_across_right_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y
                        + out_tails_x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first
                        - out_across_left_rest_x_first, 0),
                        3)], flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first, 0),
                        in_x - 1)])));
                    out_across_right_rest_kept[0] = out_across_right_rest_kept_now;
                    out_across_right_rest[(0 & 7)] = out_across_right_rest_kept_now;
                }
                {
                    const double out_across_farther_rest_kept_now = fma(out_down_m[0],
                        (int32_t)out_tails_x_blocks == 0
                        ? flt_mul_f64(out_across_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y
                        + out_tails_x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first
                        - out_across_left_rest_x_first + 3, 0),
                        3)], fma(-out_down_n[0],
                        (int32_t)out_tails_x_blocks == 0
                        ? flt_mul_f64(out_across_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y
                        + out_tails_x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first
                        - out_across_left_rest_x_first + 2, 0),
                        3)], out_across_right_rest_kept[0]));
                    out_across_farther_rest_kept[0] = out_across_farther_rest_kept_now;
                    out_across_farther_rest[(0 & 7)] = out_across_farther_rest_kept_now;
                }
                out_across_farther_kept_rest[y * out_across_farther_kept_rest_stride_y + 0] =
                    (float)out_across_farther_rest_kept[0];
            }
            if (0 < (out_across_right_rest_x - 1)) {
                out_across_farther_rest_kept[2] = out_across_farther_rest_kept[1];
                out_across_farther_rest_kept[1] = out_across_farther_rest_kept[0];
                out_across_right_rest_kept[2] = out_across_right_rest_kept[1];
                out_across_right_rest_kept[1] = out_across_right_rest_kept[0];
                {
                    const double out_across_right_rest_kept_now = fma(out_down_u[0],
                        out_across_right_rest_kept[1],
                        fma(-out_down_v[0],
                        (int32_t)out_tails_x_blocks == 0
                        ? flt_mul_f64(out_across_right_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y
                        + out_tails_x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first
                        + 1 - out_across_left_rest_x_first, 0),
                        3)], flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + flt_min_index(out_across_right_rest_x_first + 1, in_x - 1)])));
                    out_across_right_rest_kept[0] = out_across_right_rest_kept_now;
                    out_across_right_rest[(1 & 7)] = out_across_right_rest_kept_now;
                }
                {
                    const double out_across_farther_rest_kept_now = fma(out_down_m[0],
                        out_across_farther_rest_kept[1],
                        fma(-out_down_n[0],
                        (int32_t)out_tails_x_blocks == 0
                        ? flt_mul_f64(out_across_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y
                        + out_tails_x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(out_across_right_rest_x_first
                        + 1 - out_across_left_rest_x_first + 2, 0),
                        3)], out_across_right_rest_kept[0]));
                    out_across_farther_rest_kept[0] = out_across_farther_rest_kept_now;
                    out_across_farther_rest[(1 & 7)] = out_across_farther_rest_kept_now;
                }
                out_across_farther_kept_rest[y * out_across_farther_kept_rest_stride_y + 1] =
                    (float)out_across_farther_rest_kept[0];
            }
            #pragma unroll 8
            for (flt_index x = out_across_right_rest_x_first + 2; x < out_across_right_rest_x
                + out_across_right_rest_x_first; x++) {
                out_across_farther_rest_kept[2] = out_across_farther_rest_kept[1];
                out_across_farther_rest_kept[1] = out_across_farther_rest_kept[0];
                out_across_right_rest_kept[2] = out_across_right_rest_kept[1];
                out_across_right_rest_kept[1] = out_across_right_rest_kept[0];
                {
                    const double out_across_right_rest_kept_now = fma(out_down_u[0],
                        out_across_right_rest_kept[1],
                        fma(-out_down_v[0], out_across_right_rest_kept[2],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + flt_min_index(x, in_x - 1)])));
                    out_across_right_rest_kept[0] = out_across_right_rest_kept_now;
                    out_across_right_rest[((x - out_across_right_rest_x_first) & 7)] =
                        out_across_right_rest_kept_now;
                }
                {
                    const double out_across_farther_rest_kept_now = fma(out_down_m[0],
                        out_across_farther_rest_kept[1],
                        fma(-out_down_n[0], out_across_farther_rest_kept[2],
                        out_across_right_rest_kept[0]));
                    out_across_farther_rest_kept[0] = out_across_farther_rest_kept_now;
                    out_across_farther_rest[((x - out_across_right_rest_x_first) & 7)] =
                        out_across_farther_rest_kept_now;
                }
                out_across_farther_kept_rest[y * out_across_farther_kept_rest_stride_y
                    + x - out_across_right_rest_x_first] = (float)out_across_farther_rest_kept[0];
            }
        }
        double out_across_left_rest_kept[3];
        out_across_left_rest_kept[0] = 0.0;
        out_across_left_rest_kept[1] = 0.0;
        double out_across_out_state_rest_kept[3];
        out_across_out_state_rest_kept[0] = 0.0;
        out_across_out_state_rest_kept[1] = 0.0;
        if (0 < (int32_t)out_across_left_rest_x) {
            out_across_out_state_rest_kept[2] = out_across_out_state_rest_kept[1];
            out_across_out_state_rest_kept[1] = out_across_out_state_rest_kept[0];
            out_across_left_rest_kept[2] = out_across_left_rest_kept[1];
            out_across_left_rest_kept[1] = out_across_left_rest_kept[0];
            {
                const double value_1 = flt_mul_f64(out_across_left_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)out_columns[y * out_columns_stride_y + in_x - 1]));
                const double value_2 = out_across_right_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first - out_across_right_rest_x_first - 1) & 7)];
                const flt_index value_3_2 = flt_min_index(flt_max_index(out_across_left_rest_x
                    + out_across_left_rest_x_first - 1 - 1, out_across_right_rest_x_first),
                    out_across_right_rest_x + out_across_right_rest_x_first - 1);
                const double value_4 = out_across_farther_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first - out_across_right_rest_x_first - 1) & 7)];
                out_across_left_rest_kept[0] = fma(out_down_u[0],
                    value_1 + flt_mul_f64(out_across_left_edge[1], value_2)
                    + flt_mul_f64(out_across_left_edge[2],
                    out_across_right_rest[((value_3_2 - out_across_right_rest_x_first) & 7)])
                    + flt_mul_f64(out_across_left_edge[3], value_4)
                    + flt_mul_f64(out_across_left_edge[4],
                    out_across_farther_rest[((value_3_2 - out_across_right_rest_x_first) & 7)]),
                    fma(-out_down_v[0],
                    value_1
                    + flt_mul_f64(out_across_left_edge[1],
                    out_across_right_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first
                    - out_across_right_rest_x_first) & 7)])
                    + flt_mul_f64(out_across_left_edge[2], value_2)
                    + flt_mul_f64(out_across_left_edge[3],
                    out_across_farther_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first
                    - out_across_right_rest_x_first) & 7)])
                    + flt_mul_f64(out_across_left_edge[4], value_4),
                    (double)out_across_farther_kept_rest[y * out_across_farther_kept_rest_stride_y
                    + out_across_left_rest_x
                    + out_across_left_rest_x_first - out_across_right_rest_x_first - 1]));
            }
            {
                const double value_5 = flt_mul_f64(out_across_out_state_edge[0],
                    flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                    (double)out_columns[y * out_columns_stride_y + in_x - 1]));
                const double value_6 = out_across_right_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first - out_across_right_rest_x_first - 1) & 7)];
                const flt_index value_7 = flt_min_index(flt_max_index(out_across_left_rest_x
                    + out_across_left_rest_x_first - 1 - 1, out_across_right_rest_x_first),
                    out_across_right_rest_x + out_across_right_rest_x_first - 1);
                const double value_8 = out_across_farther_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first - out_across_right_rest_x_first - 1) & 7)];
                out_across_out_state_rest_kept[0] = fma(out_down_m[0],
                    value_5 + flt_mul_f64(out_across_out_state_edge[1], value_6)
                    + flt_mul_f64(out_across_out_state_edge[2],
                    out_across_right_rest[((value_7 - out_across_right_rest_x_first) & 7)])
                    + flt_mul_f64(out_across_out_state_edge[3], value_8)
                    + flt_mul_f64(out_across_out_state_edge[4],
                    out_across_farther_rest[((value_7 - out_across_right_rest_x_first) & 7)]),
                    fma(-out_down_n[0],
                    value_5
                    + flt_mul_f64(out_across_out_state_edge[1],
                    out_across_right_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first
                    - out_across_right_rest_x_first) & 7)])
                    + flt_mul_f64(out_across_out_state_edge[2], value_6)
                    + flt_mul_f64(out_across_out_state_edge[3],
                    out_across_farther_rest[((out_across_left_rest_x
                    + out_across_left_rest_x_first
                    - out_across_right_rest_x_first) & 7)])
                    + flt_mul_f64(out_across_out_state_edge[4], value_8),
                    flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_across_left_rest_kept[0])));
            }
            out_rest[y * out_rest_stride_y
                + (out_across_left_rest_x
                - 1) * out_rest_stride_x] = (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_across_out_state_rest_kept[0]));
        }
        if (0 < ((int32_t)out_across_left_rest_x - 1)) {
            out_across_out_state_rest_kept[2] = out_across_out_state_rest_kept[1];
            out_across_out_state_rest_kept[1] = out_across_out_state_rest_kept[0];
            out_across_left_rest_kept[2] = out_across_left_rest_kept[1];
            out_across_left_rest_kept[1] = out_across_left_rest_kept[0];
            out_across_left_rest_kept[0] = fma(out_down_u[0], out_across_left_rest_kept[1],
                fma(-out_down_v[0],
                flt_mul_f64(out_across_left_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + in_x
                - 1]))
                + flt_mul_f64(out_across_left_edge[1],
                out_across_right_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 1) & 7)])
                + flt_mul_f64(out_across_left_edge[2],
                out_across_right_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 2) & 7)])
                + flt_mul_f64(out_across_left_edge[3],
                out_across_farther_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 1) & 7)])
                + flt_mul_f64(out_across_left_edge[4],
                out_across_farther_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 2) & 7)]),
                (double)out_across_farther_kept_rest[y * out_across_farther_kept_rest_stride_y
                + out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first - 2]));
            out_across_out_state_rest_kept[0] = fma(out_down_m[0],
                out_across_out_state_rest_kept[1],
                fma(-out_down_n[0],
                flt_mul_f64(out_across_out_state_edge[0],
                flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                (double)out_columns[y * out_columns_stride_y
                + in_x
                - 1]))
                + flt_mul_f64(out_across_out_state_edge[1],
                out_across_right_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 1) & 7)])
                + flt_mul_f64(out_across_out_state_edge[2],
                out_across_right_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 2) & 7)])
                + flt_mul_f64(out_across_out_state_edge[3],
                out_across_farther_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 1) & 7)])
                + flt_mul_f64(out_across_out_state_edge[4],
                out_across_farther_rest[((out_across_left_rest_x
                + out_across_left_rest_x_first - out_across_right_rest_x_first
                - 2) & 7)]),
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_across_left_rest_kept[0])));
            out_rest[y * out_rest_stride_y
                + (out_across_left_rest_x
                - 2) * out_rest_stride_x] = (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_across_out_state_rest_kept[0]));
        }
        #pragma unroll 8
        for (flt_index x = out_across_left_rest_x
            + out_across_left_rest_x_first - 2; x-- > out_across_left_rest_x_first;) {
            out_across_out_state_rest_kept[2] = out_across_out_state_rest_kept[1];
            out_across_out_state_rest_kept[1] = out_across_out_state_rest_kept[0];
            out_across_left_rest_kept[2] = out_across_left_rest_kept[1];
            out_across_left_rest_kept[1] = out_across_left_rest_kept[0];
            out_across_left_rest_kept[0] = fma(out_down_u[0], out_across_left_rest_kept[1],
                fma(-out_down_v[0], out_across_left_rest_kept[2],
                (double)out_across_farther_kept_rest[y * out_across_farther_kept_rest_stride_y
                + x - out_across_right_rest_x_first]));
            out_across_out_state_rest_kept[0] = fma(out_down_m[0],
                out_across_out_state_rest_kept[1],
                fma(-out_down_n[0], out_across_out_state_rest_kept[2],
                flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_across_left_rest_kept[0])));
            out_rest[y * out_rest_stride_y
                + (x
                - out_across_left_rest_x_first) * out_rest_stride_x] =
                (float)flt_min_f64(3.4028234663852886e+38,
                flt_max_f64(-3.4028234663852886e+38, out_across_out_state_rest_kept[0]));
        }
    }
}

/* out.blocks: std.recursive:81 */
template <typename flt_index>
static __global__ void __launch_bounds__(256) gaussian_recursive_out_blocks(
    const __grid_constant__ struct gaussian_recursive_frame all)
{
    const struct gaussian_recursive_frame *const frame = &all;
    const float *FLT_RESTRICT const out_columns = frame->out_columns;
    const flt_index out_columns_stride_y = (flt_index)frame->out_columns_stride_y;
    const double *const out_down_u = frame->out_down_u;
    const double *FLT_RESTRICT const out_across_right_edge = frame->out_across_right_edge;
    const double *const out_down_root = frame->out_down_root;
    const double *FLT_RESTRICT const out_carry = frame->out_carry;
    const flt_index out_carry_stride_y = (flt_index)frame->out_carry_stride_y;
    const flt_index out_carry_stride_x_blocks = (flt_index)frame->out_carry_stride_x_blocks;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *FLT_RESTRICT const out_across_farther_edge = frame->out_across_farther_edge;
    const double *const out_down_n = frame->out_down_n;
    const double *FLT_RESTRICT const out_carry_back = frame->out_carry_back;
    const flt_index out_carry_back_stride_y = (flt_index)frame->out_carry_back_stride_y;
    const flt_index out_carry_back_stride_x_blocks =
        (flt_index)frame->out_carry_back_stride_x_blocks;
    float *const out_blocks = frame->out_blocks;
    const flt_index out_blocks_stride_y = (flt_index)frame->out_blocks_stride_y;
    const flt_index out_blocks_stride_x_blocks = (flt_index)frame->out_blocks_stride_x_blocks;
    const flt_index out_blocks_stride_x = (flt_index)frame->out_blocks_stride_x;
    const flt_index in_y = (flt_index)frame->in_y;
    (void)in_y;
    const flt_index in_x = (flt_index)frame->in_x;
    (void)in_x;
    const flt_index out_tails_x_blocks = (flt_index)frame->out_tails_x_blocks;
    (void)out_tails_x_blocks;
    __shared__ float out_blocks_rows[8448];
    const flt_index y_block = (flt_index)(frame->flt_first_y + blockIdx.y);
    const flt_index x_blocks_block = (flt_index)(frame->flt_first_x + blockIdx.x);
    {
        const flt_index y_thread = (flt_index)threadIdx.y;
        const flt_index x_blocks_thread = (flt_index)threadIdx.x;
        const int block_inside = (8 * y_block + 8) <= in_y
            && (1024 * x_blocks_block + 1024) <= in_x
            && (32 * x_blocks_block + 32) <= out_tails_x_blocks;
        if (block_inside) {
            for (flt_index row_part = 0; row_part < 32; row_part++)
                out_blocks_rows[y_thread * 1056 + ((x_blocks_thread + 32 * row_part) >> 5) * 33
                    + ((x_blocks_thread + 32 * row_part) & 31)] = out_columns[(8 * y_block
                    + y_thread) * out_columns_stride_y + 1024 * x_blocks_block + x_blocks_thread
                    + 32 * row_part];
        } else {
            for (flt_index row_part = 0; row_part < 32; row_part++) {
                if ((8 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y) {
                    out_blocks_rows[y_thread * 1056 + ((x_blocks_thread + 32 * row_part) >> 5) * 33
                        + ((x_blocks_thread + 32 * row_part) & 31)] = out_columns[(8 * y_block
                        + y_thread) * out_columns_stride_y
                        + flt_min_index(1024 * x_blocks_block + x_blocks_thread + 32 * row_part,
                        in_x - 1)];
                }
            }
        }
        __syncthreads();
        if (block_inside) {
            const flt_index y = 8 * y_block + y_thread;
            const flt_index x_blocks = 32 * x_blocks_block + x_blocks_thread;
            float out_across_farther_kept[32];
            {
                double out_across_right_kept[3];
                out_across_right_kept[0] = 0.0;
                out_across_right_kept[1] = 0.0;
                double out_across_farther_kept_2[3];
                out_across_farther_kept_2[0] = 0.0;
                out_across_farther_kept_2[1] = 0.0;
                #pragma unroll
                for (flt_index x = 0; x < 32; x++) {
                    out_across_farther_kept_2[2] = out_across_farther_kept_2[1];
                    out_across_farther_kept_2[1] = out_across_farther_kept_2[0];
                    out_across_right_kept[2] = out_across_right_kept[1];
                    out_across_right_kept[1] = out_across_right_kept[0];
                    out_across_right_kept[0] = fma(out_down_u[0],
                        (0 <= (x - 1) && (x - 1) < 32)
                        ? out_across_right_kept[1]
                        : ((int32_t)x_blocks == 0
                        ? flt_mul_f64(out_across_right_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(x + 1, 0), 3)]), fma(-out_down_v[0],
                        (0 <= (x - 2) && (x - 2) < 32)
                        ? out_across_right_kept[2]
                        : ((int32_t)x_blocks == 0
                        ? flt_mul_f64(out_across_right_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + flt_min_i64(flt_max_i64((int64_t)x, 0),
                        3)]), flt_mul_f64(flt_mul_f64(out_down_root[0],
                        0.25),
                        (double)out_blocks_rows[y_thread * 1056 + x_blocks_thread * 33 + x])));
                    out_across_farther_kept_2[0] = fma(out_down_m[0],
                        (0 <= (x - 1) && (x - 1) < 32)
                        ? out_across_farther_kept_2[1]
                        : ((int32_t)x_blocks == 0
                        ? flt_mul_f64(out_across_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(x + 3, 0), 3)]), fma(-out_down_n[0],
                        (0 <= (x - 2) && (x - 2) < 32)
                        ? out_across_farther_kept_2[2]
                        : ((int32_t)x_blocks == 0
                        ? flt_mul_f64(out_across_farther_edge[0],
                        flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                        (double)out_columns[y * out_columns_stride_y
                        + 0]))
                        : out_carry[y * out_carry_stride_y + x_blocks * out_carry_stride_x_blocks
                        + flt_min_index(flt_max_index(x + 2, 0), 3)]), out_across_right_kept[0]));
                    out_across_farther_kept[x] = (float)out_across_farther_kept_2[0];
                }
            }
            double out_across_left_kept[3];
            out_across_left_kept[0] = 0.0;
            out_across_left_kept[1] = 0.0;
            double out_across_out_state_kept[3];
            out_across_out_state_kept[0] = 0.0;
            out_across_out_state_kept[1] = 0.0;
            #pragma unroll
            for (flt_index x = 32; x-- > 0;) {
                out_across_out_state_kept[2] = out_across_out_state_kept[1];
                out_across_out_state_kept[1] = out_across_out_state_kept[0];
                out_across_left_kept[2] = out_across_left_kept[1];
                out_across_left_kept[1] = out_across_left_kept[0];
                out_across_left_kept[0] = fma(out_down_u[0],
                    (0 <= (x + 1) && (x + 1) < 32)
                    ? out_across_left_kept[1]
                    : out_carry_back[y * out_carry_back_stride_y
                    + (x_blocks + 1) * out_carry_back_stride_x_blocks
                    + flt_min_index(flt_max_index(32 - x, 0), 3)],
                    fma(-out_down_v[0],
                    (0 <= (x + 2) && (x + 2) < 32)
                    ? out_across_left_kept[2]
                    : out_carry_back[y * out_carry_back_stride_y
                    + (x_blocks + 1) * out_carry_back_stride_x_blocks
                    + flt_min_index(flt_max_index(31 - x, 0), 3)],
                    (double)out_across_farther_kept[x]));
                out_across_out_state_kept[0] = fma(out_down_m[0],
                    (0 <= (x + 1) && (x + 1) < 32)
                    ? out_across_out_state_kept[1]
                    : out_carry_back[y * out_carry_back_stride_y
                    + (x_blocks + 1) * out_carry_back_stride_x_blocks
                    + flt_min_index(flt_max_index(34 - x, 0), 3)],
                    fma(-out_down_n[0],
                    (0 <= (x + 2) && (x + 2) < 32)
                    ? out_across_out_state_kept[2]
                    : out_carry_back[y * out_carry_back_stride_y
                    + (x_blocks + 1) * out_carry_back_stride_x_blocks
                    + flt_min_index(flt_max_index(33 - x, 0), 3)],
                    flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_across_left_kept[0])));
                out_blocks_rows[y_thread * 1056 + x_blocks_thread * 33
                    + x] = (float)flt_min_f64(3.4028234663852886e+38,
                    flt_max_f64(-3.4028234663852886e+38, out_across_out_state_kept[0]));
            }
        } else {
            if ((8 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y
                && (32 * (int32_t)x_blocks_block
                + (int32_t)x_blocks_thread) < (int32_t)out_tails_x_blocks) {
                const flt_index y = 8 * y_block + y_thread;
                const flt_index x_blocks = 32 * x_blocks_block + x_blocks_thread;
                float out_across_farther_kept[32];
                {
                    double out_across_right_kept[3];
                    out_across_right_kept[0] = 0.0;
                    out_across_right_kept[1] = 0.0;
                    double out_across_farther_kept_2[3];
                    out_across_farther_kept_2[0] = 0.0;
                    out_across_farther_kept_2[1] = 0.0;
                    #pragma unroll
                    for (flt_index x = 0; x < 32; x++) {
                        out_across_farther_kept_2[2] = out_across_farther_kept_2[1];
                        out_across_farther_kept_2[1] = out_across_farther_kept_2[0];
                        out_across_right_kept[2] = out_across_right_kept[1];
                        out_across_right_kept[1] = out_across_right_kept[0];
                        out_across_right_kept[0] = fma(out_down_u[0],
                            (0 <= (x - 1) && (x - 1) < 32)
                            ? out_across_right_kept[1]
                            : ((int32_t)x_blocks == 0
                            ? flt_mul_f64(out_across_right_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0]))
                            : out_carry[y * out_carry_stride_y
                            + x_blocks * out_carry_stride_x_blocks
                            + flt_min_index(flt_max_index(x + 1, 0), 3)]), fma(-out_down_v[0],
                            (0 <= (x - 2) && (x - 2) < 32)
                            ? out_across_right_kept[2]
                            : ((int32_t)x_blocks == 0
                            ? flt_mul_f64(out_across_right_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0]))
                            : out_carry[y * out_carry_stride_y
                            + x_blocks * out_carry_stride_x_blocks
                            + flt_min_i64(flt_max_i64((int64_t)x, 0),
                            3)]), flt_mul_f64(flt_mul_f64(out_down_root[0],
                            0.25),
                            (double)out_blocks_rows[y_thread * 1056 + x_blocks_thread * 33 + x])));
                        out_across_farther_kept_2[0] = fma(out_down_m[0],
                            (0 <= (x - 1) && (x - 1) < 32)
                            ? out_across_farther_kept_2[1]
                            : ((int32_t)x_blocks == 0
                            ? flt_mul_f64(out_across_farther_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0]))
                            : out_carry[y * out_carry_stride_y
                            + x_blocks * out_carry_stride_x_blocks
                            + flt_min_index(flt_max_index(x + 3, 0), 3)]), fma(-out_down_n[0],
                            (0 <= (x - 2) && (x - 2) < 32)
                            ? out_across_farther_kept_2[2]
                            : ((int32_t)x_blocks == 0
                            ? flt_mul_f64(out_across_farther_edge[0],
                            flt_mul_f64(flt_mul_f64(out_down_root[0], 0.25),
                            (double)out_columns[y * out_columns_stride_y
                            + 0]))
                            : out_carry[y * out_carry_stride_y
                            + x_blocks * out_carry_stride_x_blocks
                            + flt_min_index(flt_max_index(x + 2, 0),
                            3)]), out_across_right_kept[0]));
                        out_across_farther_kept[x] = (float)out_across_farther_kept_2[0];
                    }
                }
                double out_across_left_kept[3];
                out_across_left_kept[0] = 0.0;
                out_across_left_kept[1] = 0.0;
                double out_across_out_state_kept[3];
                out_across_out_state_kept[0] = 0.0;
                out_across_out_state_kept[1] = 0.0;
                #pragma unroll
                for (flt_index x = 32; x-- > 0;) {
                    out_across_out_state_kept[2] = out_across_out_state_kept[1];
                    out_across_out_state_kept[1] = out_across_out_state_kept[0];
                    out_across_left_kept[2] = out_across_left_kept[1];
                    out_across_left_kept[1] = out_across_left_kept[0];
                    out_across_left_kept[0] = fma(out_down_u[0],
                        (0 <= (x + 1) && (x + 1) < 32)
                        ? out_across_left_kept[1]
                        : out_carry_back[y * out_carry_back_stride_y
                        + (x_blocks + 1) * out_carry_back_stride_x_blocks
                        + flt_min_index(flt_max_index(32 - x, 0), 3)],
                        fma(-out_down_v[0],
                        (0 <= (x + 2) && (x + 2) < 32)
                        ? out_across_left_kept[2]
                        : out_carry_back[y * out_carry_back_stride_y
                        + (x_blocks + 1) * out_carry_back_stride_x_blocks
                        + flt_min_index(flt_max_index(31 - x, 0), 3)],
                        (double)out_across_farther_kept[x]));
                    out_across_out_state_kept[0] = fma(out_down_m[0],
                        (0 <= (x + 1) && (x + 1) < 32)
                        ? out_across_out_state_kept[1]
                        : out_carry_back[y * out_carry_back_stride_y
                        + (x_blocks + 1) * out_carry_back_stride_x_blocks
                        + flt_min_index(flt_max_index(34 - x, 0), 3)],
                        fma(-out_down_n[0],
                        (0 <= (x + 2) && (x + 2) < 32)
                        ? out_across_out_state_kept[2]
                        : out_carry_back[y * out_carry_back_stride_y
                        + (x_blocks + 1) * out_carry_back_stride_x_blocks
                        + flt_min_index(flt_max_index(33 - x, 0), 3)],
                        flt_mul_f64(flt_mul_f64(4.0, out_down_root[0]), out_across_left_kept[0])));
                    out_blocks_rows[y_thread * 1056 + x_blocks_thread * 33
                        + x] = (float)flt_min_f64(3.4028234663852886e+38,
                        flt_max_f64(-3.4028234663852886e+38, out_across_out_state_kept[0]));
                }
            }
        }
        __syncthreads();
        if (out_blocks_stride_x == 1 && block_inside) {
            for (flt_index row_part = 0; row_part < 32; row_part++) {
                if ((32 * (int32_t)x_blocks_block
                    + (((int32_t)x_blocks_thread
                    + 32 * (int32_t)row_part) >> 5)) < (int32_t)out_tails_x_blocks) {
                    const int32_t value_1 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part) >> 5;
                    const int32_t value_2 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part) & 31;
                    out_blocks[(8 * y_block + y_thread) * out_blocks_stride_y
                        + (32 * x_blocks_block + (flt_index)value_1) * out_blocks_stride_x_blocks
                        + (flt_index)value_2] = out_blocks_rows[y_thread * 1056
                        + (flt_index)value_1 * 33 + (flt_index)value_2];
                }
            }
        } else {
            for (flt_index row_part = 0; row_part < 32; row_part++) {
                if ((8 * (int32_t)y_block + (int32_t)y_thread) < (int32_t)in_y
                    && (32 * (int32_t)x_blocks_block
                    + (((int32_t)x_blocks_thread
                    + 32 * (int32_t)row_part) >> 5)) < (int32_t)out_tails_x_blocks) {
                    const int32_t value_3 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part) >> 5;
                    const int32_t value_4 =
                        ((int32_t)x_blocks_thread + 32 * (int32_t)row_part) & 31;
                    out_blocks[(8 * y_block + y_thread) * out_blocks_stride_y
                        + (32 * x_blocks_block + (flt_index)value_3) * out_blocks_stride_x_blocks
                        + (flt_index)value_4 * out_blocks_stride_x] =
                        out_blocks_rows[y_thread * 1056 + (flt_index)value_3 * 33
                        + (flt_index)value_4];
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
static cudaError_t gaussian_recursive_launch(void (*kernel)(struct gaussian_recursive_frame),
    const struct gaussian_recursive_frame *frame,
    int64_t grid_x, int64_t grid_y, int64_t grid_z, unsigned block_x, unsigned block_y,
    struct CUstream_st *stream)
{
    const int64_t most_x = FLT_MOST_BLOCKS_X, most = FLT_MOST_BLOCKS;
    struct gaussian_recursive_frame all = *frame;
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
static bool gaussian_recursive_fits_32_bits(const struct gaussian_recursive_frame *frame)
{
    (void)frame;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    const int64_t out_columns_tails_y_blocks = frame->out_columns_tails_y_blocks;
    const int64_t out_columns_ends_y_blocks = frame->out_columns_ends_y_blocks;
    const int64_t out_down_down_turn_y_first = frame->out_down_down_turn_y_first;
    const int64_t out_down_down_turn_y = frame->out_down_down_turn_y;
    const int64_t out_down_up_turn_y_first = frame->out_down_up_turn_y_first;
    const int64_t out_down_up_turn_y = frame->out_down_up_turn_y;
    const int64_t out_down_down_rest_y = frame->out_down_down_rest_y;
    const int64_t out_down_down_rest_y_first = frame->out_down_down_rest_y_first;
    const int64_t out_down_up_rest_y = frame->out_down_up_rest_y;
    const int64_t out_down_up_rest_y_first = frame->out_down_up_rest_y_first;
    const int64_t out_tails_x_blocks = frame->out_tails_x_blocks;
    const int64_t out_ends_x_blocks = frame->out_ends_x_blocks;
    const int64_t out_across_right_turn_x_first = frame->out_across_right_turn_x_first;
    const int64_t out_across_right_turn_x = frame->out_across_right_turn_x;
    const int64_t out_across_left_turn_x_first = frame->out_across_left_turn_x_first;
    const int64_t out_across_left_turn_x = frame->out_across_left_turn_x;
    const int64_t out_across_right_rest_x = frame->out_across_right_rest_x;
    const int64_t out_across_right_rest_x_first = frame->out_across_right_rest_x_first;
    const int64_t out_across_left_rest_x = frame->out_across_left_rest_x;
    const int64_t out_across_left_rest_x_first = frame->out_across_left_rest_x_first;
    return FLT_MOST_PLACES > 0
        && flt_is_coordinate(in_y)
        && flt_is_coordinate(in_x)
        && flt_is_coordinate(out_columns_tails_y_blocks)
        && flt_is_coordinate(out_columns_ends_y_blocks)
        && flt_is_coordinate(out_down_down_turn_y_first)
        && flt_is_coordinate(out_down_down_turn_y)
        && flt_is_coordinate(out_down_up_turn_y_first)
        && flt_is_coordinate(out_down_up_turn_y)
        && flt_is_coordinate(out_down_down_rest_y)
        && flt_is_coordinate(out_down_down_rest_y_first)
        && flt_is_coordinate(out_down_up_rest_y)
        && flt_is_coordinate(out_down_up_rest_y_first)
        && flt_is_coordinate(out_tails_x_blocks)
        && flt_is_coordinate(out_ends_x_blocks)
        && flt_is_coordinate(out_across_right_turn_x_first)
        && flt_is_coordinate(out_across_right_turn_x)
        && flt_is_coordinate(out_across_left_turn_x_first)
        && flt_is_coordinate(out_across_left_turn_x)
        && flt_is_coordinate(out_across_right_rest_x)
        && flt_is_coordinate(out_across_right_rest_x_first)
        && flt_is_coordinate(out_across_left_rest_x)
        && flt_is_coordinate(out_across_left_rest_x_first)
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->in_stride_y), in_x,
            frame->in_stride_x) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, 3,
            frame->out_down_down_powers_stride_step), 1,
            frame->out_down_down_powers_stride_row) >= 0
        && flt_places_left(FLT_MOST_PLACES, 1, frame->out_down_down_system_stride_row) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, 3,
            frame->out_down_farther_powers_stride_step), 1,
            frame->out_down_farther_powers_stride_row) >= 0
        && flt_places_left(FLT_MOST_PLACES, 1, frame->out_down_farther_forcing_stride_row) >= 0
        && flt_places_left(FLT_MOST_PLACES, 1, frame->out_down_farther_system_stride_row) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_columns_tails_y_blocks,
            frame->out_columns_tails_stride_y_blocks), 8, frame->out_columns_tails_stride_y) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_columns_ends_y_blocks,
            frame->out_columns_ends_stride_y_blocks), 8, frame->out_columns_ends_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, 8, frame->out_columns_matrix_stride_y_place) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_columns_ends_y_blocks,
            frame->out_columns_carry_stride_y_blocks), 4,
            frame->out_columns_carry_stride_y_place) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_down_turn_y,
            frame->out_down_down_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_down_turn_y,
            frame->out_down_farther_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_down_turn_y,
            frame->out_down_farther_kept_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_up_turn_y,
            frame->out_down_up_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_up_turn_y,
            frame->out_down_out_state_turn_stride_y) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_columns_ends_y_blocks,
            frame->out_columns_carry_back_stride_y_blocks), 4,
            frame->out_columns_carry_back_stride_y_place) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_down_rest_y,
            frame->out_down_farther_kept_rest_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, out_down_up_rest_y,
            frame->out_columns_rest_stride_y) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, out_columns_tails_y_blocks,
            frame->out_columns_blocks_stride_y_blocks), 32, frame->out_columns_blocks_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_columns_stride_y) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, 3,
            frame->out_across_right_powers_stride_step), 1,
            frame->out_across_right_powers_stride_row) >= 0
        && flt_places_left(FLT_MOST_PLACES, 1, frame->out_across_right_system_stride_row) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, 3,
            frame->out_across_farther_powers_stride_step), 1,
            frame->out_across_farther_powers_stride_row) >= 0
        && flt_places_left(FLT_MOST_PLACES, 1, frame->out_across_farther_forcing_stride_row) >= 0
        && flt_places_left(FLT_MOST_PLACES, 1, frame->out_across_farther_system_stride_row) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_tails_stride_y),
            out_tails_x_blocks, frame->out_tails_stride_x_blocks) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_ends_stride_y),
            out_ends_x_blocks, frame->out_ends_stride_x_blocks) >= 0
        && flt_places_left(FLT_MOST_PLACES, 8, frame->out_matrix_stride_x_place) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_carry_stride_y),
            out_ends_x_blocks, frame->out_carry_stride_x_blocks) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_across_right_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_across_farther_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_across_farther_kept_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_across_left_turn_stride_y) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_across_out_state_turn_stride_y) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_carry_back_stride_y),
            out_ends_x_blocks, frame->out_carry_back_stride_x_blocks) >= 0
        && flt_places_left(FLT_MOST_PLACES, in_y, frame->out_across_farther_kept_rest_stride_y) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_rest_stride_y),
            out_across_left_rest_x, frame->out_rest_stride_x) >= 0
        && flt_places_left(flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y,
            frame->out_blocks_stride_y), out_tails_x_blocks,
            frame->out_blocks_stride_x_blocks), 32, frame->out_blocks_stride_x) >= 0
        && flt_places_left(flt_places_left(FLT_MOST_PLACES, in_y, frame->out_stride_y), in_x,
            frame->out_stride_x) >= 0;
}

/* What the host computes for itself. */
struct gaussian_recursive_host {
    double parameters_1[1];
    double parameters_2[1];
    double parameters_3[1];
    double parameters_4[1];
    double parameters_5[1];
    double parameters_6[1];
    double parameters_7[1];
    double parameters_8[1];
    double parameters_9[1];
    double parameters_10[1];
    double parameters_11[1];
    double parameters_12[1];
    double parameters_13[1];
    double parameters_14[1];
    double parameters_15[1];
    double parameters_16[1];
    double parameters_17[1];
    double parameters_18[1];
    double parameters_19[1];
    double parameters_20[1];
    double out_down_up_outside[25];
    double out_down_up_powers[75];
    double out_down_up_forcing[5];
    double out_down_up_system[30];
    double out_down_up_elimination[180];
    double out_down_out_state_outside[25];
    double out_down_out_state_powers[75];
    double out_down_out_state_forcing[5];
    double out_down_out_state_system[30];
    double out_down_out_state_elimination[180];
    double out_across_left_outside[25];
    double out_across_left_powers[75];
    double out_across_left_forcing[5];
    double out_across_left_system[30];
    double out_across_left_elimination[180];
    double out_across_out_state_outside[25];
    double out_across_out_state_powers[75];
    double out_across_out_state_forcing[5];
    double out_across_out_state_system[30];
    double out_across_out_state_elimination[180];
};

/* parameters.1 */
static FLT_APART void gaussian_recursive_parameters_1(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const parameters_1 = host->parameters_1;
    const float sigma = frame->sigma;
    const double value_1 = sqrt(fma((double)sigma, (double)sigma, 0.6666666666666666) / 4.668264);
    parameters_1[0] =
        fma(flt_cosh_f64(0.536369847 / value_1), flt_cos_f64(0.847000232 / value_1), -1.0);
}

/* parameters.2 */
static FLT_APART void gaussian_recursive_parameters_2(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const parameters_2 = host->parameters_2;
    const float sigma = frame->sigma;
    const double value_1 = sqrt(fma((double)sigma, (double)sigma, 0.6666666666666666) / 4.668264);
    parameters_2[0] = flt_sinh_f64(0.536369847 / value_1) * flt_sin_f64(0.847000232 / value_1);
}

/* parameters.3 */
static FLT_APART void gaussian_recursive_parameters_3(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const parameters_3 = host->parameters_3;
    const float sigma = frame->sigma;
    const double value_1 = sqrt(fma((double)sigma, (double)sigma, 0.6666666666666666) / 4.668264);
    parameters_3[0] =
        fma(flt_cosh_f64(0.61278643 / value_1), flt_cos_f64(0.25617285 / value_1), -1.0);
}

/* parameters.4 */
static FLT_APART void gaussian_recursive_parameters_4(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const parameters_4 = host->parameters_4;
    const float sigma = frame->sigma;
    const double value_1 = sqrt(fma((double)sigma, (double)sigma, 0.6666666666666666) / 4.668264);
    parameters_4[0] = flt_sinh_f64(0.61278643 / value_1) * flt_sin_f64(0.25617285 / value_1);
}

/* parameters.5 */
static FLT_APART void gaussian_recursive_parameters_5(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_1 = host->parameters_1;
    const double *const parameters_2 = host->parameters_2;
    const double *const parameters_3 = host->parameters_3;
    const double *const parameters_4 = host->parameters_4;
    double *const parameters_5 = host->parameters_5;
    const float sigma = frame->sigma;
    const double value_1 = sqrt(fma((double)sigma, (double)sigma, 0.6666666666666666) / 4.668264);
    parameters_5[0] = sqrt(fma(value_1, value_1,
        fma((double)sigma, (double)sigma,
        -(2.0 * parameters_1[0] / fma(parameters_1[0], parameters_1[0],
        parameters_2[0] * parameters_2[0])
        + 2.0 * parameters_3[0] / fma(parameters_3[0], parameters_3[0],
        parameters_4[0] * parameters_4[0]))) / 4.668264));
}

/* parameters.6 */
static FLT_APART void gaussian_recursive_parameters_6(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_5 = host->parameters_5;
    double *const parameters_6 = host->parameters_6;
    (void)frame;
    parameters_6[0] = 0.536369847 / parameters_5[0];
}

/* parameters.7 */
static FLT_APART void gaussian_recursive_parameters_7(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_5 = host->parameters_5;
    double *const parameters_7 = host->parameters_7;
    (void)frame;
    parameters_7[0] = 0.847000232 / parameters_5[0];
}

/* parameters.8 */
static FLT_APART void gaussian_recursive_parameters_8(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_6 = host->parameters_6;
    const double *const parameters_7 = host->parameters_7;
    double *const parameters_8 = host->parameters_8;
    (void)frame;
    parameters_8[0] = fma(flt_cosh_f64(parameters_6[0]), flt_cos_f64(parameters_7[0]), -1.0);
}

/* parameters.9 */
static FLT_APART void gaussian_recursive_parameters_9(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_6 = host->parameters_6;
    const double *const parameters_7 = host->parameters_7;
    double *const parameters_9 = host->parameters_9;
    (void)frame;
    parameters_9[0] = flt_sinh_f64(parameters_6[0]) * flt_sin_f64(parameters_7[0]);
}

/* parameters.10 */
static FLT_APART void gaussian_recursive_parameters_10(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_5 = host->parameters_5;
    double *const parameters_10 = host->parameters_10;
    (void)frame;
    parameters_10[0] = 0.61278643 / parameters_5[0];
}

/* parameters.11 */
static FLT_APART void gaussian_recursive_parameters_11(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_5 = host->parameters_5;
    double *const parameters_11 = host->parameters_11;
    (void)frame;
    parameters_11[0] = 0.25617285 / parameters_5[0];
}

/* parameters.12 */
static FLT_APART void gaussian_recursive_parameters_12(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_10 = host->parameters_10;
    const double *const parameters_11 = host->parameters_11;
    double *const parameters_12 = host->parameters_12;
    (void)frame;
    parameters_12[0] = fma(flt_cosh_f64(parameters_10[0]), flt_cos_f64(parameters_11[0]), -1.0);
}

/* parameters.13 */
static FLT_APART void gaussian_recursive_parameters_13(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_10 = host->parameters_10;
    const double *const parameters_11 = host->parameters_11;
    double *const parameters_13 = host->parameters_13;
    (void)frame;
    parameters_13[0] = flt_sinh_f64(parameters_10[0]) * flt_sin_f64(parameters_11[0]);
}

/* parameters.14 */
static FLT_APART void gaussian_recursive_parameters_14(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_5 = host->parameters_5;
    const double *const parameters_8 = host->parameters_8;
    const double *const parameters_9 = host->parameters_9;
    const double *const parameters_12 = host->parameters_12;
    const double *const parameters_13 = host->parameters_13;
    double *const parameters_14 = host->parameters_14;
    const float sigma = frame->sigma;
    parameters_14[0] = sqrt(fma(parameters_5[0], parameters_5[0],
        fma((double)sigma, (double)sigma,
        -(2.0 * parameters_8[0] / fma(parameters_8[0], parameters_8[0],
        parameters_9[0] * parameters_9[0])
        + 2.0 * parameters_12[0] / fma(parameters_12[0], parameters_12[0],
        parameters_13[0] * parameters_13[0]))) / 4.668264));
}

/* parameters.15 */
static FLT_APART void gaussian_recursive_parameters_15(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_14 = host->parameters_14;
    double *const parameters_15 = host->parameters_15;
    (void)frame;
    parameters_15[0] = 0.536369847 / parameters_14[0];
}

/* parameters.16 */
static FLT_APART void gaussian_recursive_parameters_16(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_15 = host->parameters_15;
    const double *const parameters_14 = host->parameters_14;
    double *const parameters_16 = host->parameters_16;
    (void)frame;
    parameters_16[0] =
        2.0 * flt_exp_f64(-parameters_15[0]) * flt_cos_f64(0.847000232 / parameters_14[0]);
}

/* parameters.17 */
static FLT_APART void gaussian_recursive_parameters_17(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_15 = host->parameters_15;
    double *const parameters_17 = host->parameters_17;
    (void)frame;
    parameters_17[0] = flt_exp_f64((-2.0) * parameters_15[0]);
}

/* parameters.18 */
static FLT_APART void gaussian_recursive_parameters_18(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_14 = host->parameters_14;
    double *const parameters_18 = host->parameters_18;
    (void)frame;
    parameters_18[0] = 0.61278643 / parameters_14[0];
}

/* parameters.19 */
static FLT_APART void gaussian_recursive_parameters_19(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_18 = host->parameters_18;
    const double *const parameters_14 = host->parameters_14;
    double *const parameters_19 = host->parameters_19;
    (void)frame;
    parameters_19[0] =
        2.0 * flt_exp_f64(-parameters_18[0]) * flt_cos_f64(0.25617285 / parameters_14[0]);
}

/* parameters.20 */
static FLT_APART void gaussian_recursive_parameters_20(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_18 = host->parameters_18;
    double *const parameters_20 = host->parameters_20;
    (void)frame;
    parameters_20[0] = flt_exp_f64((-2.0) * parameters_18[0]);
}

/* out.down.u: std.recursive:40 */
static FLT_APART void gaussian_recursive_out_down_u(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_16 = host->parameters_16;
    double *const out_down_u = frame->out_down_u;
    out_down_u[0] = parameters_16[0];
}

/* out.down.v: std.recursive:41 */
static FLT_APART void gaussian_recursive_out_down_v(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_17 = host->parameters_17;
    double *const out_down_v = frame->out_down_v;
    out_down_v[0] = parameters_17[0];
}

/* out.down.m: std.recursive:42 */
static FLT_APART void gaussian_recursive_out_down_m(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_19 = host->parameters_19;
    double *const out_down_m = frame->out_down_m;
    out_down_m[0] = parameters_19[0];
}

/* out.down.n: std.recursive:43 */
static FLT_APART void gaussian_recursive_out_down_n(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const parameters_20 = host->parameters_20;
    double *const out_down_n = frame->out_down_n;
    out_down_n[0] = parameters_20[0];
}

/* out.down.root: std.recursive:44 */
static FLT_APART void gaussian_recursive_out_down_root(struct gaussian_recursive_frame *frame)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_down_root = frame->out_down_root;
    out_down_root[0] =
        (1.0 - out_down_u[0] + out_down_v[0]) * (1.0 - out_down_m[0] + out_down_n[0]);
}

/* out.down.up.outside: std.recursive:47 */
static FLT_APART void gaussian_recursive_out_down_up_outside(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_down_up_outside = host->out_down_up_outside;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_down_up_outside[row * 5 + column] = (int32_t)row == 0
                    ? ((int32_t)column == 0 ? 1.0 : 0.0)
                    : ((int32_t)row == 1
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2 ? -out_down_v[0] : 0.0))) : ((int32_t)row == 2
                    ? ((int32_t)column == 0 ? 0.0 : ((int32_t)column == 1 ? 1.0 : 0.0))
                    : ((int32_t)row == 3
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2
                    ? -out_down_v[0]
                    : ((int32_t)column == 3
                    ? out_down_m[0]
                    : -out_down_n[0]))))
                    : ((int32_t)column == 0
                    ? 0.0
                    : ((int32_t)column == 1
                    ? 0.0 : ((int32_t)column == 2 ? 0.0 : ((int32_t)column == 3 ? 1.0 : 0.0)))))));
            }
        }
    }
}

/* out.down.up.powers: std.recursive:47 */
static FLT_APART void gaussian_recursive_out_down_up_powers(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_down_up_powers = host->out_down_up_powers;
    const double *const out_down_up_outside = host->out_down_up_outside;
    (void)frame;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            for (int64_t step = 0; step < 3; step++) {
                for (int64_t column = 0; column < 5; column++) {
                    double sum_3 = -0.0;
                    sum_3 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_up_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 0] : 0.0,
                        out_down_up_outside[0 * 5 + column], sum_3);
                    sum_3 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_up_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 1] : 0.0,
                        out_down_up_outside[1 * 5 + column], sum_3);
                    sum_3 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_up_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 2] : 0.0,
                        out_down_up_outside[2 * 5 + column], sum_3);
                    sum_3 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_up_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 3] : 0.0,
                        out_down_up_outside[3 * 5 + column], sum_3);
                    sum_3 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_up_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 4] : 0.0,
                        out_down_up_outside[4 * 5 + column], sum_3);
                    out_down_up_powers[step * 25 + row * 5 + column] =
                        (int32_t)step == 0 ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_3;
                }
            }
        }
    }
}

/* out.down.up.forcing: std.recursive:47 */
static FLT_APART void gaussian_recursive_out_down_up_forcing(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_down_up_forcing = host->out_down_up_forcing;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 1 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_down_up_forcing[row * 5 + column] = (int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2
                    ? -out_down_v[0] : ((int32_t)column == 3 ? out_down_m[0] : -out_down_n[0])));
            }
        }
    }
}

/* out.down.up.system: std.recursive:47 */
static FLT_APART void gaussian_recursive_out_down_up_system(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_up_forcing = host->out_down_up_forcing;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_up_powers = host->out_down_up_powers;
    const double *const out_down_u = frame->out_down_u;
    double *const out_down_up_system = host->out_down_up_system;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 6) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_down_up_system[row * 6 + column] = (int32_t)column == 5
                    ? out_down_up_forcing[0 * 5 + row]
                    : fma(-(-out_down_v[0]),
                    out_down_up_powers[2 * 25 + flt_min_i64(column, 4) * 5 + row],
                    fma(-out_down_u[0],
                    out_down_up_powers[1 * 25 + flt_min_i64(column, 4) * 5 + row],
                    (int32_t)row == (int32_t)column ? 1.0 : 0.0));
            }
        }
    }
}

/* out.down.up.elimination: std.recursive:47 */
static FLT_APART void gaussian_recursive_out_down_up_elimination(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_down_up_elimination = host->out_down_up_elimination;
    const double *const out_down_up_system = host->out_down_up_system;
    (void)frame;
    for (int64_t step = 0; step < 6; step++) {
        for (int64_t row = 0; row < 5; row++) {
            for (int64_t column = 0; column < 6; column++) {
                uint8_t min_4 = 4;
                {
                    double max_5 = -(double)INFINITY;
                    {
                        const int32_t value_1 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_1 * 30 + 0 * 6
                            + (int64_t)value_1] : 0.0));
                    }
                    {
                        const int32_t value_2 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_2 * 30 + 1 * 6
                            + (int64_t)value_2] : 0.0));
                    }
                    {
                        const int32_t value_3 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_3 * 30 + 2 * 6
                            + (int64_t)value_3] : 0.0));
                    }
                    {
                        const int32_t value_4 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_4 * 30 + 3 * 6
                            + (int64_t)value_4] : 0.0));
                    }
                    {
                        const int32_t value_5 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_5 * 30 + 4 * 6
                            + (int64_t)value_5] : 0.0));
                    }
                    const int32_t value_6 = flt_max_i32((int32_t)step - 1, 0);
                    min_4 = (uint8_t)flt_min_i32(min_4,
                        (0 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_up_elimination[(int64_t)value_6 * 30 + 0 * 6 + (int64_t)value_6]
                        : 0.0)) == max_5 ? 0 : 4);
                }
                {
                    double max_5 = -(double)INFINITY;
                    {
                        const int32_t value_7 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_7 * 30 + 0 * 6
                            + (int64_t)value_7] : 0.0));
                    }
                    {
                        const int32_t value_8 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_8 * 30 + 1 * 6
                            + (int64_t)value_8] : 0.0));
                    }
                    {
                        const int32_t value_9 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_9 * 30 + 2 * 6
                            + (int64_t)value_9] : 0.0));
                    }
                    {
                        const int32_t value_10 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_10 * 30 + 3 * 6
                            + (int64_t)value_10] : 0.0));
                    }
                    {
                        const int32_t value_11 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_11 * 30 + 4 * 6
                            + (int64_t)value_11] : 0.0));
                    }
                    const int32_t value_12 = flt_max_i32((int32_t)step - 1, 0);
                    min_4 = (uint8_t)flt_min_i32(min_4,
                        (1 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_up_elimination[(int64_t)value_12 * 30 + 1 * 6
                        + (int64_t)value_12] : 0.0)) == max_5 ? 1 : 4);
                }
                {
                    double max_5 = -(double)INFINITY;
                    {
                        const int32_t value_13 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_13 * 30 + 0 * 6
                            + (int64_t)value_13] : 0.0));
                    }
                    {
                        const int32_t value_14 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_14 * 30 + 1 * 6
                            + (int64_t)value_14] : 0.0));
                    }
                    {
                        const int32_t value_15 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_15 * 30 + 2 * 6
                            + (int64_t)value_15] : 0.0));
                    }
                    {
                        const int32_t value_16 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_16 * 30 + 3 * 6
                            + (int64_t)value_16] : 0.0));
                    }
                    {
                        const int32_t value_17 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_17 * 30 + 4 * 6
                            + (int64_t)value_17] : 0.0));
                    }
                    const int32_t value_18 = flt_max_i32((int32_t)step - 1, 0);
                    min_4 = (uint8_t)flt_min_i32(min_4,
                        (2 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_up_elimination[(int64_t)value_18 * 30 + 2 * 6
                        + (int64_t)value_18] : 0.0)) == max_5 ? 2 : 4);
                }
                {
                    double max_5 = -(double)INFINITY;
                    {
                        const int32_t value_19 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_19 * 30 + 0 * 6
                            + (int64_t)value_19] : 0.0));
                    }
                    {
                        const int32_t value_20 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_20 * 30 + 1 * 6
                            + (int64_t)value_20] : 0.0));
                    }
                    {
                        const int32_t value_21 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_21 * 30 + 2 * 6
                            + (int64_t)value_21] : 0.0));
                    }
                    {
                        const int32_t value_22 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_22 * 30 + 3 * 6
                            + (int64_t)value_22] : 0.0));
                    }
                    {
                        const int32_t value_23 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_23 * 30 + 4 * 6
                            + (int64_t)value_23] : 0.0));
                    }
                    const int32_t value_24 = flt_max_i32((int32_t)step - 1, 0);
                    min_4 = (uint8_t)flt_min_i32(min_4,
                        (3 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_up_elimination[(int64_t)value_24 * 30 + 3 * 6
                        + (int64_t)value_24] : 0.0)) == max_5 ? 3 : 4);
                }
                {
                    double max_5 = -(double)INFINITY;
                    {
                        const int32_t value_25 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_25 * 30 + 0 * 6
                            + (int64_t)value_25] : 0.0));
                    }
                    {
                        const int32_t value_26 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_26 * 30 + 1 * 6
                            + (int64_t)value_26] : 0.0));
                    }
                    {
                        const int32_t value_27 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_27 * 30 + 2 * 6
                            + (int64_t)value_27] : 0.0));
                    }
                    {
                        const int32_t value_28 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_28 * 30 + 3 * 6
                            + (int64_t)value_28] : 0.0));
                    }
                    {
                        const int32_t value_29 = flt_max_i32((int32_t)step - 1, 0);
                        max_5 = flt_greater_f64(max_5,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_up_elimination[(int64_t)value_29 * 30 + 4 * 6
                            + (int64_t)value_29] : 0.0));
                    }
                    min_4 = (uint8_t)flt_min_u8(min_4, 4);
                }
                const int value_30 = 0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5;
                const int32_t value_31 = flt_max_i32((int32_t)step - 1, 0);
                out_down_up_elimination[step * 30 + row * 6 + column] = (int32_t)step == 0
                    ? out_down_up_system[row * 6 + column]
                    : ((int32_t)row == ((int32_t)step - 1)
                    ? (value_30
                    ? out_down_up_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_4) * 6 + column] : 0.0) / (value_30
                    ? out_down_up_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_4) * 6 + (int64_t)value_31]
                    : 0.0)
                    : fma(-(value_30
                    ? out_down_up_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_4
                    ? (int32_t)step - 1 : (int32_t)row,
                    0)) * 6 + (int64_t)value_31] : 0.0),
                    (value_30
                    ? out_down_up_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_4) * 6 + column] : 0.0) / (value_30
                    ? out_down_up_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_4) * 6 + (int64_t)value_31]
                    : 0.0),
                    value_30
                    ? out_down_up_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_4
                    ? (int32_t)step - 1 : (int32_t)row, 0)) * 6 + column] : 0.0));
            }
        }
    }
}

/* out.down.up.edge: std.recursive:47 */
static FLT_APART void gaussian_recursive_out_down_up_edge(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_up_elimination = host->out_down_up_elimination;
    double *const out_down_up_edge = frame->out_down_up_edge;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            out_down_up_edge[row] = out_down_up_elimination[5 * 30 + row * 6 + 5];
        }
    }
}

/* out.down.out.state.outside: std.recursive:48 */
static FLT_APART void gaussian_recursive_out_down_out_state_outside(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_down_out_state_outside = host->out_down_out_state_outside;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_down_out_state_outside[row * 5 + column] = (int32_t)row == 0
                    ? ((int32_t)column == 0 ? 1.0 : 0.0)
                    : ((int32_t)row == 1
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2 ? -out_down_v[0] : 0.0))) : ((int32_t)row == 2
                    ? ((int32_t)column == 0 ? 0.0 : ((int32_t)column == 1 ? 1.0 : 0.0))
                    : ((int32_t)row == 3
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2
                    ? -out_down_v[0]
                    : ((int32_t)column == 3
                    ? out_down_m[0]
                    : -out_down_n[0]))))
                    : ((int32_t)column == 0
                    ? 0.0
                    : ((int32_t)column == 1
                    ? 0.0 : ((int32_t)column == 2 ? 0.0 : ((int32_t)column == 3 ? 1.0 : 0.0)))))));
            }
        }
    }
}

/* out.down.out.state.powers: std.recursive:48 */
static FLT_APART void gaussian_recursive_out_down_out_state_powers(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_down_out_state_powers = host->out_down_out_state_powers;
    const double *const out_down_out_state_outside = host->out_down_out_state_outside;
    (void)frame;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            for (int64_t step = 0; step < 3; step++) {
                for (int64_t column = 0; column < 5; column++) {
                    double sum_6 = -0.0;
                    sum_6 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 0]
                        : 0.0, out_down_out_state_outside[0 * 5 + column], sum_6);
                    sum_6 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 1]
                        : 0.0, out_down_out_state_outside[1 * 5 + column], sum_6);
                    sum_6 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 2]
                        : 0.0, out_down_out_state_outside[2 * 5 + column], sum_6);
                    sum_6 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 3]
                        : 0.0, out_down_out_state_outside[3 * 5 + column], sum_6);
                    sum_6 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_down_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 4]
                        : 0.0, out_down_out_state_outside[4 * 5 + column], sum_6);
                    out_down_out_state_powers[step * 25 + row * 5 + column] =
                        (int32_t)step == 0 ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_6;
                }
            }
        }
    }
}

/* out.down.out.state.forcing: std.recursive:48 */
static FLT_APART void gaussian_recursive_out_down_out_state_forcing(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_root = frame->out_down_root;
    const double *const out_down_up_edge = frame->out_down_up_edge;
    double *const out_down_out_state_forcing = host->out_down_out_state_forcing;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 1 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_down_out_state_forcing[row * 5 + column] = (int32_t)column == 0
                    ? 4.0 * out_down_root[0] * out_down_up_edge[0]
                    : ((int32_t)column == 1
                    ? 4.0 * out_down_root[0] * out_down_up_edge[1]
                    : ((int32_t)column == 2
                    ? 4.0 * out_down_root[0] * out_down_up_edge[2]
                    : ((int32_t)column == 3
                    ? 4.0 * out_down_root[0] * out_down_up_edge[3]
                    : 4.0 * out_down_root[0] * out_down_up_edge[4])));
            }
        }
    }
}

/* out.down.out.state.system: std.recursive:48 */
static FLT_APART void gaussian_recursive_out_down_out_state_system(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_out_state_forcing = host->out_down_out_state_forcing;
    const double *const out_down_n = frame->out_down_n;
    const double *const out_down_out_state_powers = host->out_down_out_state_powers;
    const double *const out_down_m = frame->out_down_m;
    double *const out_down_out_state_system = host->out_down_out_state_system;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 6) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_down_out_state_system[row * 6 + column] = (int32_t)column == 5
                    ? out_down_out_state_forcing[0 * 5 + row]
                    : fma(-(-out_down_n[0]),
                    out_down_out_state_powers[2 * 25 + flt_min_i64(column, 4) * 5 + row],
                    fma(-out_down_m[0],
                    out_down_out_state_powers[1 * 25 + flt_min_i64(column, 4) * 5 + row],
                    (int32_t)row == (int32_t)column ? 1.0 : 0.0));
            }
        }
    }
}

/* out.down.out.state.elimination: std.recursive:48 */
static FLT_APART void gaussian_recursive_out_down_out_state_elimination(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_down_out_state_elimination = host->out_down_out_state_elimination;
    const double *const out_down_out_state_system = host->out_down_out_state_system;
    (void)frame;
    for (int64_t step = 0; step < 6; step++) {
        for (int64_t row = 0; row < 5; row++) {
            for (int64_t column = 0; column < 6; column++) {
                uint8_t min_7 = 4;
                {
                    double max_8 = -(double)INFINITY;
                    {
                        const int32_t value_1 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_1 * 30 + 0 * 6
                            + (int64_t)value_1] : 0.0));
                    }
                    {
                        const int32_t value_2 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_2 * 30 + 1 * 6
                            + (int64_t)value_2] : 0.0));
                    }
                    {
                        const int32_t value_3 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_3 * 30 + 2 * 6
                            + (int64_t)value_3] : 0.0));
                    }
                    {
                        const int32_t value_4 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_4 * 30 + 3 * 6
                            + (int64_t)value_4] : 0.0));
                    }
                    {
                        const int32_t value_5 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_5 * 30 + 4 * 6
                            + (int64_t)value_5] : 0.0));
                    }
                    const int32_t value_6 = flt_max_i32((int32_t)step - 1, 0);
                    min_7 = (uint8_t)flt_min_i32(min_7,
                        (0 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_out_state_elimination[(int64_t)value_6 * 30 + 0 * 6
                        + (int64_t)value_6] : 0.0)) == max_8 ? 0 : 4);
                }
                {
                    double max_8 = -(double)INFINITY;
                    {
                        const int32_t value_7 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_7 * 30 + 0 * 6
                            + (int64_t)value_7] : 0.0));
                    }
                    {
                        const int32_t value_8 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_8 * 30 + 1 * 6
                            + (int64_t)value_8] : 0.0));
                    }
                    {
                        const int32_t value_9 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_9 * 30 + 2 * 6
                            + (int64_t)value_9] : 0.0));
                    }
                    {
                        const int32_t value_10 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_10 * 30 + 3 * 6
                            + (int64_t)value_10] : 0.0));
                    }
                    {
                        const int32_t value_11 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_11 * 30 + 4 * 6
                            + (int64_t)value_11] : 0.0));
                    }
                    const int32_t value_12 = flt_max_i32((int32_t)step - 1, 0);
                    min_7 = (uint8_t)flt_min_i32(min_7,
                        (1 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_out_state_elimination[(int64_t)value_12 * 30 + 1 * 6
                        + (int64_t)value_12] : 0.0)) == max_8 ? 1 : 4);
                }
                {
                    double max_8 = -(double)INFINITY;
                    {
                        const int32_t value_13 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_13 * 30 + 0 * 6
                            + (int64_t)value_13] : 0.0));
                    }
                    {
                        const int32_t value_14 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_14 * 30 + 1 * 6
                            + (int64_t)value_14] : 0.0));
                    }
                    {
                        const int32_t value_15 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_15 * 30 + 2 * 6
                            + (int64_t)value_15] : 0.0));
                    }
                    {
                        const int32_t value_16 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_16 * 30 + 3 * 6
                            + (int64_t)value_16] : 0.0));
                    }
                    {
                        const int32_t value_17 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_17 * 30 + 4 * 6
                            + (int64_t)value_17] : 0.0));
                    }
                    const int32_t value_18 = flt_max_i32((int32_t)step - 1, 0);
                    min_7 = (uint8_t)flt_min_i32(min_7,
                        (2 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_out_state_elimination[(int64_t)value_18 * 30 + 2 * 6
                        + (int64_t)value_18] : 0.0)) == max_8 ? 2 : 4);
                }
                {
                    double max_8 = -(double)INFINITY;
                    {
                        const int32_t value_19 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_19 * 30 + 0 * 6
                            + (int64_t)value_19] : 0.0));
                    }
                    {
                        const int32_t value_20 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_20 * 30 + 1 * 6
                            + (int64_t)value_20] : 0.0));
                    }
                    {
                        const int32_t value_21 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_21 * 30 + 2 * 6
                            + (int64_t)value_21] : 0.0));
                    }
                    {
                        const int32_t value_22 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_22 * 30 + 3 * 6
                            + (int64_t)value_22] : 0.0));
                    }
                    {
                        const int32_t value_23 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_23 * 30 + 4 * 6
                            + (int64_t)value_23] : 0.0));
                    }
                    const int32_t value_24 = flt_max_i32((int32_t)step - 1, 0);
                    min_7 = (uint8_t)flt_min_i32(min_7,
                        (3 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_down_out_state_elimination[(int64_t)value_24 * 30 + 3 * 6
                        + (int64_t)value_24] : 0.0)) == max_8 ? 3 : 4);
                }
                {
                    double max_8 = -(double)INFINITY;
                    {
                        const int32_t value_25 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_25 * 30 + 0 * 6
                            + (int64_t)value_25] : 0.0));
                    }
                    {
                        const int32_t value_26 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_26 * 30 + 1 * 6
                            + (int64_t)value_26] : 0.0));
                    }
                    {
                        const int32_t value_27 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_27 * 30 + 2 * 6
                            + (int64_t)value_27] : 0.0));
                    }
                    {
                        const int32_t value_28 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_28 * 30 + 3 * 6
                            + (int64_t)value_28] : 0.0));
                    }
                    {
                        const int32_t value_29 = flt_max_i32((int32_t)step - 1, 0);
                        max_8 = flt_greater_f64(max_8,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_down_out_state_elimination[(int64_t)value_29 * 30 + 4 * 6
                            + (int64_t)value_29] : 0.0));
                    }
                    min_7 = (uint8_t)flt_min_u8(min_7, 4);
                }
                const int value_30 = 0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5;
                const int32_t value_31 = flt_max_i32((int32_t)step - 1, 0);
                out_down_out_state_elimination[step * 30 + row * 6 + column] = (int32_t)step == 0
                    ? out_down_out_state_system[row * 6 + column]
                    : ((int32_t)row == ((int32_t)step - 1)
                    ? (value_30
                    ? out_down_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_7) * 6 + column] : 0.0) / (value_30
                    ? out_down_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_7) * 6 + (int64_t)value_31]
                    : 0.0)
                    : fma(-(value_30
                    ? out_down_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_7
                    ? (int32_t)step - 1 : (int32_t)row,
                    0)) * 6 + (int64_t)value_31] : 0.0),
                    (value_30
                    ? out_down_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_7) * 6 + column] : 0.0) / (value_30
                    ? out_down_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_7) * 6 + (int64_t)value_31]
                    : 0.0),
                    value_30
                    ? out_down_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_7
                    ? (int32_t)step - 1 : (int32_t)row, 0)) * 6 + column] : 0.0));
            }
        }
    }
}

/* out.down.out.state.edge: std.recursive:48 */
static FLT_APART void gaussian_recursive_out_down_out_state_edge(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_out_state_elimination = host->out_down_out_state_elimination;
    double *const out_down_out_state_edge = frame->out_down_out_state_edge;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            out_down_out_state_edge[row] = out_down_out_state_elimination[5 * 30 + row * 6 + 5];
        }
    }
}

/* out.across.left.outside: std.recursive:62 */
static FLT_APART void gaussian_recursive_out_across_left_outside(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_across_left_outside = host->out_across_left_outside;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_across_left_outside[row * 5 + column] = (int32_t)row == 0
                    ? ((int32_t)column == 0 ? 1.0 : 0.0)
                    : ((int32_t)row == 1
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2 ? -out_down_v[0] : 0.0))) : ((int32_t)row == 2
                    ? ((int32_t)column == 0 ? 0.0 : ((int32_t)column == 1 ? 1.0 : 0.0))
                    : ((int32_t)row == 3
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2
                    ? -out_down_v[0]
                    : ((int32_t)column == 3
                    ? out_down_m[0]
                    : -out_down_n[0]))))
                    : ((int32_t)column == 0
                    ? 0.0
                    : ((int32_t)column == 1
                    ? 0.0 : ((int32_t)column == 2 ? 0.0 : ((int32_t)column == 3 ? 1.0 : 0.0)))))));
            }
        }
    }
}

/* out.across.left.powers: std.recursive:62 */
static FLT_APART void gaussian_recursive_out_across_left_powers(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_across_left_powers = host->out_across_left_powers;
    const double *const out_across_left_outside = host->out_across_left_outside;
    (void)frame;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            for (int64_t step = 0; step < 3; step++) {
                for (int64_t column = 0; column < 5; column++) {
                    double sum_11 = -0.0;
                    sum_11 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_left_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 0] : 0.0,
                        out_across_left_outside[0 * 5 + column], sum_11);
                    sum_11 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_left_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 1] : 0.0,
                        out_across_left_outside[1 * 5 + column], sum_11);
                    sum_11 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_left_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 2] : 0.0,
                        out_across_left_outside[2 * 5 + column], sum_11);
                    sum_11 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_left_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 3] : 0.0,
                        out_across_left_outside[3 * 5 + column], sum_11);
                    sum_11 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_left_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 4] : 0.0,
                        out_across_left_outside[4 * 5 + column], sum_11);
                    out_across_left_powers[step * 25 + row * 5 + column] = (int32_t)step == 0
                        ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_11;
                }
            }
        }
    }
}

/* out.across.left.forcing: std.recursive:62 */
static FLT_APART void gaussian_recursive_out_across_left_forcing(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_across_left_forcing = host->out_across_left_forcing;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 1 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_across_left_forcing[row * 5 + column] = (int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2
                    ? -out_down_v[0] : ((int32_t)column == 3 ? out_down_m[0] : -out_down_n[0])));
            }
        }
    }
}

/* out.across.left.system: std.recursive:62 */
static FLT_APART void gaussian_recursive_out_across_left_system(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_across_left_forcing = host->out_across_left_forcing;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_across_left_powers = host->out_across_left_powers;
    const double *const out_down_u = frame->out_down_u;
    double *const out_across_left_system = host->out_across_left_system;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 6) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_across_left_system[row * 6 + column] = (int32_t)column == 5
                    ? out_across_left_forcing[0 * 5 + row]
                    : fma(-(-out_down_v[0]),
                    out_across_left_powers[2 * 25 + flt_min_i64(column, 4) * 5 + row],
                    fma(-out_down_u[0],
                    out_across_left_powers[1 * 25 + flt_min_i64(column, 4) * 5 + row],
                    (int32_t)row == (int32_t)column ? 1.0 : 0.0));
            }
        }
    }
}

/* out.across.left.elimination: std.recursive:62 */
static FLT_APART void gaussian_recursive_out_across_left_elimination(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_across_left_elimination = host->out_across_left_elimination;
    const double *const out_across_left_system = host->out_across_left_system;
    (void)frame;
    for (int64_t step = 0; step < 6; step++) {
        for (int64_t row = 0; row < 5; row++) {
            for (int64_t column = 0; column < 6; column++) {
                uint8_t min_12 = 4;
                {
                    double max_13 = -(double)INFINITY;
                    {
                        const int32_t value_1 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_1 * 30 + 0 * 6
                            + (int64_t)value_1] : 0.0));
                    }
                    {
                        const int32_t value_2 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_2 * 30 + 1 * 6
                            + (int64_t)value_2] : 0.0));
                    }
                    {
                        const int32_t value_3 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_3 * 30 + 2 * 6
                            + (int64_t)value_3] : 0.0));
                    }
                    {
                        const int32_t value_4 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_4 * 30 + 3 * 6
                            + (int64_t)value_4] : 0.0));
                    }
                    {
                        const int32_t value_5 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_5 * 30 + 4 * 6
                            + (int64_t)value_5] : 0.0));
                    }
                    const int32_t value_6 = flt_max_i32((int32_t)step - 1, 0);
                    min_12 = (uint8_t)flt_min_i32(min_12,
                        (0 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_left_elimination[(int64_t)value_6 * 30 + 0 * 6
                        + (int64_t)value_6] : 0.0)) == max_13 ? 0 : 4);
                }
                {
                    double max_13 = -(double)INFINITY;
                    {
                        const int32_t value_7 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_7 * 30 + 0 * 6
                            + (int64_t)value_7] : 0.0));
                    }
                    {
                        const int32_t value_8 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_8 * 30 + 1 * 6
                            + (int64_t)value_8] : 0.0));
                    }
                    {
                        const int32_t value_9 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_9 * 30 + 2 * 6
                            + (int64_t)value_9] : 0.0));
                    }
                    {
                        const int32_t value_10 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_10 * 30 + 3 * 6
                            + (int64_t)value_10] : 0.0));
                    }
                    {
                        const int32_t value_11 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_11 * 30 + 4 * 6
                            + (int64_t)value_11] : 0.0));
                    }
                    const int32_t value_12 = flt_max_i32((int32_t)step - 1, 0);
                    min_12 = (uint8_t)flt_min_i32(min_12,
                        (1 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_left_elimination[(int64_t)value_12 * 30 + 1 * 6
                        + (int64_t)value_12] : 0.0)) == max_13 ? 1 : 4);
                }
                {
                    double max_13 = -(double)INFINITY;
                    {
                        const int32_t value_13 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_13 * 30 + 0 * 6
                            + (int64_t)value_13] : 0.0));
                    }
                    {
                        const int32_t value_14 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_14 * 30 + 1 * 6
                            + (int64_t)value_14] : 0.0));
                    }
                    {
                        const int32_t value_15 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_15 * 30 + 2 * 6
                            + (int64_t)value_15] : 0.0));
                    }
                    {
                        const int32_t value_16 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_16 * 30 + 3 * 6
                            + (int64_t)value_16] : 0.0));
                    }
                    {
                        const int32_t value_17 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_17 * 30 + 4 * 6
                            + (int64_t)value_17] : 0.0));
                    }
                    const int32_t value_18 = flt_max_i32((int32_t)step - 1, 0);
                    min_12 = (uint8_t)flt_min_i32(min_12,
                        (2 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_left_elimination[(int64_t)value_18 * 30 + 2 * 6
                        + (int64_t)value_18] : 0.0)) == max_13 ? 2 : 4);
                }
                {
                    double max_13 = -(double)INFINITY;
                    {
                        const int32_t value_19 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_19 * 30 + 0 * 6
                            + (int64_t)value_19] : 0.0));
                    }
                    {
                        const int32_t value_20 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_20 * 30 + 1 * 6
                            + (int64_t)value_20] : 0.0));
                    }
                    {
                        const int32_t value_21 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_21 * 30 + 2 * 6
                            + (int64_t)value_21] : 0.0));
                    }
                    {
                        const int32_t value_22 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_22 * 30 + 3 * 6
                            + (int64_t)value_22] : 0.0));
                    }
                    {
                        const int32_t value_23 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_23 * 30 + 4 * 6
                            + (int64_t)value_23] : 0.0));
                    }
                    const int32_t value_24 = flt_max_i32((int32_t)step - 1, 0);
                    min_12 = (uint8_t)flt_min_i32(min_12,
                        (3 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_left_elimination[(int64_t)value_24 * 30 + 3 * 6
                        + (int64_t)value_24] : 0.0)) == max_13 ? 3 : 4);
                }
                {
                    double max_13 = -(double)INFINITY;
                    {
                        const int32_t value_25 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_25 * 30 + 0 * 6
                            + (int64_t)value_25] : 0.0));
                    }
                    {
                        const int32_t value_26 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_26 * 30 + 1 * 6
                            + (int64_t)value_26] : 0.0));
                    }
                    {
                        const int32_t value_27 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_27 * 30 + 2 * 6
                            + (int64_t)value_27] : 0.0));
                    }
                    {
                        const int32_t value_28 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_28 * 30 + 3 * 6
                            + (int64_t)value_28] : 0.0));
                    }
                    {
                        const int32_t value_29 = flt_max_i32((int32_t)step - 1, 0);
                        max_13 = flt_greater_f64(max_13,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_left_elimination[(int64_t)value_29 * 30 + 4 * 6
                            + (int64_t)value_29] : 0.0));
                    }
                    min_12 = (uint8_t)flt_min_u8(min_12, 4);
                }
                const int value_30 = 0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5;
                const int32_t value_31 = flt_max_i32((int32_t)step - 1, 0);
                out_across_left_elimination[step * 30 + row * 6 + column] = (int32_t)step == 0
                    ? out_across_left_system[row * 6 + column]
                    : ((int32_t)row == ((int32_t)step - 1)
                    ? (value_30
                    ? out_across_left_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_12) * 6 + column] : 0.0) / (value_30
                    ? out_across_left_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_12) * 6 + (int64_t)value_31]
                    : 0.0)
                    : fma(-(value_30
                    ? out_across_left_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_12
                    ? (int32_t)step - 1 : (int32_t)row,
                    0)) * 6 + (int64_t)value_31] : 0.0),
                    (value_30
                    ? out_across_left_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_12) * 6 + column] : 0.0) / (value_30
                    ? out_across_left_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_12) * 6 + (int64_t)value_31]
                    : 0.0),
                    value_30
                    ? out_across_left_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_12
                    ? (int32_t)step - 1 : (int32_t)row, 0)) * 6 + column] : 0.0));
            }
        }
    }
}

/* out.across.left.edge: std.recursive:62 */
static FLT_APART void gaussian_recursive_out_across_left_edge(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_across_left_elimination = host->out_across_left_elimination;
    double *const out_across_left_edge = frame->out_across_left_edge;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            out_across_left_edge[row] = out_across_left_elimination[5 * 30 + row * 6 + 5];
        }
    }
}

/* out.across.out.state.outside: std.recursive:63 */
static FLT_APART void gaussian_recursive_out_across_out_state_outside(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_u = frame->out_down_u;
    const double *const out_down_v = frame->out_down_v;
    const double *const out_down_m = frame->out_down_m;
    const double *const out_down_n = frame->out_down_n;
    double *const out_across_out_state_outside = host->out_across_out_state_outside;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_across_out_state_outside[row * 5 + column] = (int32_t)row == 0
                    ? ((int32_t)column == 0 ? 1.0 : 0.0)
                    : ((int32_t)row == 1
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2 ? -out_down_v[0] : 0.0))) : ((int32_t)row == 2
                    ? ((int32_t)column == 0 ? 0.0 : ((int32_t)column == 1 ? 1.0 : 0.0))
                    : ((int32_t)row == 3
                    ? ((int32_t)column == 0
                    ? 1.0
                    : ((int32_t)column == 1
                    ? out_down_u[0]
                    : ((int32_t)column == 2
                    ? -out_down_v[0]
                    : ((int32_t)column == 3
                    ? out_down_m[0]
                    : -out_down_n[0]))))
                    : ((int32_t)column == 0
                    ? 0.0
                    : ((int32_t)column == 1
                    ? 0.0 : ((int32_t)column == 2 ? 0.0 : ((int32_t)column == 3 ? 1.0 : 0.0)))))));
            }
        }
    }
}

/* out.across.out.state.powers: std.recursive:63 */
static FLT_APART void gaussian_recursive_out_across_out_state_powers(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_across_out_state_powers = host->out_across_out_state_powers;
    const double *const out_across_out_state_outside = host->out_across_out_state_outside;
    (void)frame;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            for (int64_t step = 0; step < 3; step++) {
                for (int64_t column = 0; column < 5; column++) {
                    double sum_14 = -0.0;
                    sum_14 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 0]
                        : 0.0, out_across_out_state_outside[0 * 5 + column], sum_14);
                    sum_14 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 1]
                        : 0.0, out_across_out_state_outside[1 * 5 + column], sum_14);
                    sum_14 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 2]
                        : 0.0, out_across_out_state_outside[2 * 5 + column], sum_14);
                    sum_14 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 3]
                        : 0.0, out_across_out_state_outside[3 * 5 + column], sum_14);
                    sum_14 = fma((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 2)
                        ? out_across_out_state_powers[flt_max_i64(step - 1, 0) * 25 + row * 5 + 4]
                        : 0.0, out_across_out_state_outside[4 * 5 + column], sum_14);
                    out_across_out_state_powers[step * 25 + row * 5 + column] = (int32_t)step == 0
                        ? ((int32_t)row == (int32_t)column ? 1.0 : 0.0) : sum_14;
                }
            }
        }
    }
}

/* out.across.out.state.forcing: std.recursive:63 */
static FLT_APART void gaussian_recursive_out_across_out_state_forcing(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_down_root = frame->out_down_root;
    const double *const out_across_left_edge = frame->out_across_left_edge;
    double *const out_across_out_state_forcing = host->out_across_out_state_forcing;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 1 && (int32_t)column_thread < 5) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_across_out_state_forcing[row * 5 + column] = (int32_t)column == 0
                    ? 4.0 * out_down_root[0] * out_across_left_edge[0]
                    : ((int32_t)column == 1
                    ? 4.0 * out_down_root[0] * out_across_left_edge[1]
                    : ((int32_t)column == 2
                    ? 4.0 * out_down_root[0] * out_across_left_edge[2]
                    : ((int32_t)column == 3
                    ? 4.0 * out_down_root[0] * out_across_left_edge[3]
                    : 4.0 * out_down_root[0] * out_across_left_edge[4])));
            }
        }
    }
}

/* out.across.out.state.system: std.recursive:63 */
static FLT_APART void gaussian_recursive_out_across_out_state_system(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_across_out_state_forcing = host->out_across_out_state_forcing;
    const double *const out_down_n = frame->out_down_n;
    const double *const out_across_out_state_powers = host->out_across_out_state_powers;
    const double *const out_down_m = frame->out_down_m;
    double *const out_across_out_state_system = host->out_across_out_state_system;
    for (int64_t row_thread = 0; row_thread < 8; row_thread++) {
        for (int64_t column_thread = 0; column_thread < 32; column_thread++) {
            if ((int32_t)row_thread < 5 && (int32_t)column_thread < 6) {
                const int64_t row = row_thread;
                const int64_t column = column_thread;
                out_across_out_state_system[row * 6 + column] = (int32_t)column == 5
                    ? out_across_out_state_forcing[0 * 5 + row]
                    : fma(-(-out_down_n[0]),
                    out_across_out_state_powers[2 * 25 + flt_min_i64(column, 4) * 5 + row],
                    fma(-out_down_m[0],
                    out_across_out_state_powers[1 * 25 + flt_min_i64(column, 4) * 5 + row],
                    (int32_t)row == (int32_t)column ? 1.0 : 0.0));
            }
        }
    }
}

/* out.across.out.state.elimination: std.recursive:63 */
static FLT_APART void gaussian_recursive_out_across_out_state_elimination(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    double *const out_across_out_state_elimination = host->out_across_out_state_elimination;
    const double *const out_across_out_state_system = host->out_across_out_state_system;
    (void)frame;
    for (int64_t step = 0; step < 6; step++) {
        for (int64_t row = 0; row < 5; row++) {
            for (int64_t column = 0; column < 6; column++) {
                uint8_t min_15 = 4;
                {
                    double max_16 = -(double)INFINITY;
                    {
                        const int32_t value_1 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_1 * 30 + 0 * 6
                            + (int64_t)value_1] : 0.0));
                    }
                    {
                        const int32_t value_2 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_2 * 30 + 1 * 6
                            + (int64_t)value_2] : 0.0));
                    }
                    {
                        const int32_t value_3 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_3 * 30 + 2 * 6
                            + (int64_t)value_3] : 0.0));
                    }
                    {
                        const int32_t value_4 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_4 * 30 + 3 * 6
                            + (int64_t)value_4] : 0.0));
                    }
                    {
                        const int32_t value_5 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_5 * 30 + 4 * 6
                            + (int64_t)value_5] : 0.0));
                    }
                    const int32_t value_6 = flt_max_i32((int32_t)step - 1, 0);
                    min_15 = (uint8_t)flt_min_i32(min_15,
                        (0 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_out_state_elimination[(int64_t)value_6 * 30 + 0 * 6
                        + (int64_t)value_6] : 0.0)) == max_16 ? 0 : 4);
                }
                {
                    double max_16 = -(double)INFINITY;
                    {
                        const int32_t value_7 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_7 * 30 + 0 * 6
                            + (int64_t)value_7] : 0.0));
                    }
                    {
                        const int32_t value_8 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_8 * 30 + 1 * 6
                            + (int64_t)value_8] : 0.0));
                    }
                    {
                        const int32_t value_9 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_9 * 30 + 2 * 6
                            + (int64_t)value_9] : 0.0));
                    }
                    {
                        const int32_t value_10 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_10 * 30 + 3 * 6
                            + (int64_t)value_10] : 0.0));
                    }
                    {
                        const int32_t value_11 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_11 * 30 + 4 * 6
                            + (int64_t)value_11] : 0.0));
                    }
                    const int32_t value_12 = flt_max_i32((int32_t)step - 1, 0);
                    min_15 = (uint8_t)flt_min_i32(min_15,
                        (1 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_out_state_elimination[(int64_t)value_12 * 30 + 1 * 6
                        + (int64_t)value_12] : 0.0)) == max_16 ? 1 : 4);
                }
                {
                    double max_16 = -(double)INFINITY;
                    {
                        const int32_t value_13 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_13 * 30 + 0 * 6
                            + (int64_t)value_13] : 0.0));
                    }
                    {
                        const int32_t value_14 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_14 * 30 + 1 * 6
                            + (int64_t)value_14] : 0.0));
                    }
                    {
                        const int32_t value_15 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_15 * 30 + 2 * 6
                            + (int64_t)value_15] : 0.0));
                    }
                    {
                        const int32_t value_16 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_16 * 30 + 3 * 6
                            + (int64_t)value_16] : 0.0));
                    }
                    {
                        const int32_t value_17 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_17 * 30 + 4 * 6
                            + (int64_t)value_17] : 0.0));
                    }
                    const int32_t value_18 = flt_max_i32((int32_t)step - 1, 0);
                    min_15 = (uint8_t)flt_min_i32(min_15,
                        (2 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_out_state_elimination[(int64_t)value_18 * 30 + 2 * 6
                        + (int64_t)value_18] : 0.0)) == max_16 ? 2 : 4);
                }
                {
                    double max_16 = -(double)INFINITY;
                    {
                        const int32_t value_19 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_19 * 30 + 0 * 6
                            + (int64_t)value_19] : 0.0));
                    }
                    {
                        const int32_t value_20 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_20 * 30 + 1 * 6
                            + (int64_t)value_20] : 0.0));
                    }
                    {
                        const int32_t value_21 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_21 * 30 + 2 * 6
                            + (int64_t)value_21] : 0.0));
                    }
                    {
                        const int32_t value_22 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_22 * 30 + 3 * 6
                            + (int64_t)value_22] : 0.0));
                    }
                    {
                        const int32_t value_23 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_23 * 30 + 4 * 6
                            + (int64_t)value_23] : 0.0));
                    }
                    const int32_t value_24 = flt_max_i32((int32_t)step - 1, 0);
                    min_15 = (uint8_t)flt_min_i32(min_15,
                        (3 < ((int32_t)step - 1)
                        ? -1.0
                        : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                        ? out_across_out_state_elimination[(int64_t)value_24 * 30 + 3 * 6
                        + (int64_t)value_24] : 0.0)) == max_16 ? 3 : 4);
                }
                {
                    double max_16 = -(double)INFINITY;
                    {
                        const int32_t value_25 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            0 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_25 * 30 + 0 * 6
                            + (int64_t)value_25] : 0.0));
                    }
                    {
                        const int32_t value_26 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            1 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_26 * 30 + 1 * 6
                            + (int64_t)value_26] : 0.0));
                    }
                    {
                        const int32_t value_27 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            2 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_27 * 30 + 2 * 6
                            + (int64_t)value_27] : 0.0));
                    }
                    {
                        const int32_t value_28 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            3 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_28 * 30 + 3 * 6
                            + (int64_t)value_28] : 0.0));
                    }
                    {
                        const int32_t value_29 = flt_max_i32((int32_t)step - 1, 0);
                        max_16 = flt_greater_f64(max_16,
                            4 < ((int32_t)step - 1)
                            ? -1.0
                            : fabs((0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5)
                            ? out_across_out_state_elimination[(int64_t)value_29 * 30 + 4 * 6
                            + (int64_t)value_29] : 0.0));
                    }
                    min_15 = (uint8_t)flt_min_u8(min_15, 4);
                }
                const int value_30 = 0 <= ((int32_t)step - 1) && ((int32_t)step - 1) <= 5;
                const int32_t value_31 = flt_max_i32((int32_t)step - 1, 0);
                out_across_out_state_elimination[step * 30 + row * 6 + column] = (int32_t)step == 0
                    ? out_across_out_state_system[row * 6 + column]
                    : ((int32_t)row == ((int32_t)step - 1)
                    ? (value_30
                    ? out_across_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_15) * 6 + column] : 0.0) / (value_30
                    ? out_across_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_15) * 6 + (int64_t)value_31]
                    : 0.0)
                    : fma(-(value_30
                    ? out_across_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_15
                    ? (int32_t)step - 1 : (int32_t)row,
                    0)) * 6 + (int64_t)value_31] : 0.0),
                    (value_30
                    ? out_across_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_15) * 6 + column] : 0.0) / (value_30
                    ? out_across_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)((int32_t)min_15) * 6 + (int64_t)value_31]
                    : 0.0),
                    value_30
                    ? out_across_out_state_elimination[(int64_t)value_31 * 30
                    + (int64_t)(flt_max_i32((int32_t)row == (int32_t)min_15
                    ? (int32_t)step - 1 : (int32_t)row, 0)) * 6 + column] : 0.0));
            }
        }
    }
}

/* out.across.out.state.edge: std.recursive:63 */
static FLT_APART void gaussian_recursive_out_across_out_state_edge(struct gaussian_recursive_frame *frame,
    struct gaussian_recursive_host *host)
{
    const double *const out_across_out_state_elimination = host->out_across_out_state_elimination;
    double *const out_across_out_state_edge = frame->out_across_out_state_edge;
    for (int64_t row_thread = 0; row_thread < 32; row_thread++) {
        if ((int32_t)row_thread < 5) {
            const int64_t row = row_thread;
            out_across_out_state_edge[row] = out_across_out_state_elimination[5 * 30 + row * 6 + 5];
        }
    }
}

static cudaError_t gaussian_recursive_kernels(struct gaussian_recursive_frame *frame,
    struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    struct gaussian_recursive_host host;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    const int64_t out_columns_tails_y_blocks = frame->out_columns_tails_y_blocks;
    const int64_t out_down_down_turn_y = frame->out_down_down_turn_y;
    const int64_t out_tails_x_blocks = frame->out_tails_x_blocks;
    const int64_t out_across_right_turn_x = frame->out_across_right_turn_x;
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_1(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_2(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_3(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_4(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_5(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_6(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_7(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_8(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_9(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_10(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_11(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_12(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_13(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_14(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_15(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_16(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_17(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_18(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_19(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_parameters_20(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_u(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_v(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_m(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_n(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_root(frame);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_up_outside(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_up_powers(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_up_forcing(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_up_system(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_up_elimination(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_up_edge(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_out_state_outside(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_out_state_powers(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_out_state_forcing(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_out_state_system(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_out_state_elimination(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_down_out_state_edge(frame, &host);
        flt_end_floats(caller);
    }
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_down_down_powers<int32_t>
        : gaussian_recursive_out_down_down_powers<int64_t>, frame, 1, 1, 1, 32, 1, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_columns_tails<int32_t>
        : gaussian_recursive_out_columns_tails<int64_t>, frame, (in_x + 31) / 32,
        (out_columns_tails_y_blocks + 7) / 8, 1, 32, 8, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_columns_matrix<int32_t>
        : gaussian_recursive_out_columns_matrix<int64_t>, frame, 1, 1, 1, 32, 1, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_columns_carry<int32_t>
        : gaussian_recursive_out_columns_carry<int64_t>, frame, (in_x + 31) / 32, 1, 1, 32, 1,
        stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_down_farther_kept_turn<int32_t>
        : gaussian_recursive_out_down_farther_kept_turn<int64_t>, frame, (in_x + 31) / 32,
        (out_down_down_turn_y + 7) >> 3, 1, 32, 8, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_down_up_turn<int32_t>
        : gaussian_recursive_out_down_up_turn<int64_t>, frame, (in_x + 31) / 32, 1, 1, 32, 1,
        stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_columns_blocks<int32_t>
        : gaussian_recursive_out_columns_blocks<int64_t>, frame, (in_x + 31) / 32,
        (out_columns_tails_y_blocks + 7) / 8, 1, 32, 8, stream);
    if (error != cudaSuccess)
        return error;
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_left_outside(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_left_powers(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_left_forcing(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_left_system(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_left_elimination(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_left_edge(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_out_state_outside(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_out_state_powers(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_out_state_forcing(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_out_state_system(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_out_state_elimination(frame, &host);
        flt_end_floats(caller);
    }
    {
        const struct flt_floats caller = flt_begin_floats();
        gaussian_recursive_out_across_out_state_edge(frame, &host);
        flt_end_floats(caller);
    }
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_across_right_powers<int32_t>
        : gaussian_recursive_out_across_right_powers<int64_t>, frame, 1, 1, 1, 32, 1, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_tails<int32_t> : gaussian_recursive_out_tails<int64_t>, frame,
        (out_tails_x_blocks + 31) / 32, (in_y + 5) / 6, 1, 32, 6, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_matrix<int32_t> : gaussian_recursive_out_matrix<int64_t>, frame, 1,
        1, 1, 32, 1, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_carry<int32_t> : gaussian_recursive_out_carry<int64_t>, frame,
        (in_y + 31) / 32, 1, 1, 32, 1, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_across_farther_kept_turn<int32_t>
        : gaussian_recursive_out_across_farther_kept_turn<int64_t>, frame,
        (out_across_right_turn_x + 31) >> 5, (in_y + 7) / 8, 1, 32, 8, stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_across_left_turn<int32_t>
        : gaussian_recursive_out_across_left_turn<int64_t>, frame, (in_y + 31) / 32, 1, 1, 32, 1,
        stream);
    if (error != cudaSuccess)
        return error;
    error = gaussian_recursive_launch(gaussian_recursive_fits_32_bits(frame)
        ? gaussian_recursive_out_blocks<int32_t> : gaussian_recursive_out_blocks<int64_t>, frame,
        (out_tails_x_blocks + 31) / 32, (in_y + 7) / 8, 1, 32, 8, stream);
    if (error != cudaSuccess)
        return error;
    return error;
}

const char *gaussian_recursive_status_text(int status)
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
    case 100001:
        return "'sigma' of 'recursive_gaussian' is outside 0.5 .. 200.0";
    case 100002:
        return "the recurrence 'down' along y is not stable for these parameters";
    case 100003:
        return "the recurrence 'farther' along y is not stable for these parameters";
    case 100004:
        return "the recurrence 'up' along y is not stable for these parameters";
    case 100005:
        return "the recurrence 'out' along y is not stable for these parameters";
    case 100006:
        return "the recurrence 'right' along x is not stable for these parameters";
    case 100007:
        return "the recurrence 'farther' along x is not stable for these parameters";
    case 100008:
        return "the recurrence 'left' along x is not stable for these parameters";
    case 100009:
        return "the recurrence 'out' along x is not stable for these parameters";
    case 10000:
        return "there is no device, or no driver for it";
    case 10001:
        return "there is not enough memory on the device";
    default:
        return status > 20000
            ? cudaGetErrorString((cudaError_t)(status - 20000)) : "unknown status";
    }
}

/* Checks inputs and parameters; sets extents. */
static FLT_APART int gaussian_recursive_measure_exactly(struct gaussian_recursive_frame *frame,
    const struct gaussian_recursive_in *in, float sigma)
{
    if (!in)
        return GAUSSIAN_RECURSIVE_NULL_POINTER;
    if (in->y < 1 || in->x < 1)
        return GAUSSIAN_RECURSIVE_BAD_EXTENT;
    if ((double)in->y * in->x > 1099511627776.0)
        return GAUSSIAN_RECURSIVE_BAD_EXTENT;
    const int64_t in_y = in->y;
    frame->in_y = in_y;
    const int64_t in_x = in->x;
    frame->in_x = in_x;
    if (!(sigma >= 0.5f && sigma <= 200.0f))
        return GAUSSIAN_RECURSIVE_BAD_PARAMETER;
    frame->sigma = sigma;
    if (!(0.5f <= sigma && sigma <= 200.0f))
        return GAUSSIAN_RECURSIVE_CHECK_1;
    const double part_1 =
        sqrt(flt_div_f64(fma((double)sigma, (double)sigma, 0.6666666666666666), 4.668264));
    const double part_2 = flt_div_f64(0.536369847, part_1);
    const double part_3 = flt_div_f64(0.847000232, part_1);
    const double part_4 = fma(flt_cosh_f64(part_2), flt_cos_f64(part_3), -1.0);
    const double part_5 = flt_mul_f64(flt_sinh_f64(part_2), flt_sin_f64(part_3));
    const double part_6 = flt_div_f64(0.61278643, part_1);
    const double part_7 = flt_div_f64(0.25617285, part_1);
    const double part_8 = fma(flt_cosh_f64(part_6), flt_cos_f64(part_7), -1.0);
    const double part_9 = flt_mul_f64(flt_sinh_f64(part_6), flt_sin_f64(part_7));
    const double part_10 = sqrt(fma(part_1, part_1,
        flt_div_f64(fma((double)sigma, (double)sigma,
        -(flt_div_f64(flt_mul_f64(2.0, part_4), fma(part_4, part_4, flt_mul_f64(part_5, part_5)))
        + flt_div_f64(flt_mul_f64(2.0, part_8),
        fma(part_8, part_8, flt_mul_f64(part_9, part_9))))), 4.668264)));
    const double part_11 = flt_div_f64(0.536369847, part_10);
    const double part_12 = flt_div_f64(0.847000232, part_10);
    const double part_13 = fma(flt_cosh_f64(part_11), flt_cos_f64(part_12), -1.0);
    const double part_14 = flt_mul_f64(flt_sinh_f64(part_11), flt_sin_f64(part_12));
    const double part_15 = flt_div_f64(0.61278643, part_10);
    const double part_16 = flt_div_f64(0.25617285, part_10);
    const double part_17 = fma(flt_cosh_f64(part_15), flt_cos_f64(part_16), -1.0);
    const double part_18 = flt_mul_f64(flt_sinh_f64(part_15), flt_sin_f64(part_16));
    const double part_19 = sqrt(fma(part_10, part_10,
        flt_div_f64(fma((double)sigma, (double)sigma,
        -(flt_div_f64(flt_mul_f64(2.0, part_13),
        fma(part_13, part_13, flt_mul_f64(part_14, part_14)))
        + flt_div_f64(flt_mul_f64(2.0, part_17),
        fma(part_17, part_17, flt_mul_f64(part_18, part_18))))), 4.668264)));
    const double part_20 = flt_div_f64(0.536369847, part_19);
    const double part_21 = -(-flt_exp_f64(flt_mul_f64(-2.0, part_20)));
    const double part_22 = -flt_mul_f64(flt_mul_f64(2.0, flt_exp_f64(flt_negate_f64(part_20))),
        flt_cos_f64(flt_div_f64(0.847000232, part_19)));
    if (!(fabs(part_21) < 1.0
        && fabs(flt_div_f64(part_22 - flt_mul_f64(part_21, part_22),
        1.0 - flt_mul_f64(part_21, part_21))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_2;
    const double part_23 = flt_div_f64(0.61278643, part_19);
    const double part_24 = -(-flt_exp_f64(flt_mul_f64(-2.0, part_23)));
    const double part_25 = -flt_mul_f64(flt_mul_f64(2.0, flt_exp_f64(flt_negate_f64(part_23))),
        flt_cos_f64(flt_div_f64(0.25617285, part_19)));
    if (!(fabs(part_24) < 1.0
        && fabs(flt_div_f64(part_25 - flt_mul_f64(part_24, part_25),
        1.0 - flt_mul_f64(part_24, part_24))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_3;
    if (!(fabs(part_21) < 1.0
        && fabs(flt_div_f64(part_22 - flt_mul_f64(part_21, part_22),
        1.0 - flt_mul_f64(part_21, part_21))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_4;
    if (!(fabs(part_24) < 1.0
        && fabs(flt_div_f64(part_25 - flt_mul_f64(part_24, part_25),
        1.0 - flt_mul_f64(part_24, part_24))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_5;
    if (!(fabs(part_21) < 1.0
        && fabs(flt_div_f64(part_22 - flt_mul_f64(part_21, part_22),
        1.0 - flt_mul_f64(part_21, part_21))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_6;
    if (!(fabs(part_24) < 1.0
        && fabs(flt_div_f64(part_25 - flt_mul_f64(part_24, part_25),
        1.0 - flt_mul_f64(part_24, part_24))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_7;
    if (!(fabs(part_21) < 1.0
        && fabs(flt_div_f64(part_22 - flt_mul_f64(part_21, part_22),
        1.0 - flt_mul_f64(part_21, part_21))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_8;
    if (!(fabs(part_24) < 1.0
        && fabs(flt_div_f64(part_25 - flt_mul_f64(part_24, part_25),
        1.0 - flt_mul_f64(part_24, part_24))) < 1.0))
        return GAUSSIAN_RECURSIVE_CHECK_9;
    const int64_t out_columns_tails_y_blocks = flt_max_i64((in_y - 8) >> 5, 0);
    frame->out_columns_tails_y_blocks = out_columns_tails_y_blocks;
    const int64_t out_columns_ends_y_blocks = out_columns_tails_y_blocks + 1;
    frame->out_columns_ends_y_blocks = out_columns_ends_y_blocks;
    const int64_t out_down_down_turn_y_first = in_y
        + flt_min_i64(0, in_y - 2)
        - ((int32_t)out_columns_tails_y_blocks == 0
        ? flt_min_i64(in_y, 8) : in_y - 32 * out_columns_tails_y_blocks);
    frame->out_down_down_turn_y_first = out_down_down_turn_y_first;
    const int64_t out_down_down_turn_y = ((int32_t)out_columns_tails_y_blocks == 0
        ? flt_min_i64(in_y, 8) : in_y - 32 * out_columns_tails_y_blocks) - flt_min_i64(0, in_y - 2)
        + 3;
    frame->out_down_down_turn_y = out_down_down_turn_y;
    const int64_t out_down_up_turn_y_first = in_y
        - ((int32_t)out_columns_tails_y_blocks == 0
        ? flt_min_i64(in_y, 8) : in_y - 32 * out_columns_tails_y_blocks);
    frame->out_down_up_turn_y_first = out_down_up_turn_y_first;
    const int64_t out_down_up_turn_y = (int32_t)out_columns_tails_y_blocks == 0
        ? flt_min_i64(in_y, 8) : in_y - 32 * out_columns_tails_y_blocks;
    frame->out_down_up_turn_y = out_down_up_turn_y;
    const int64_t out_down_down_rest_y =
        in_y - flt_min_i64(0, in_y - 2) - 32 * out_columns_tails_y_blocks + 3;
    frame->out_down_down_rest_y = out_down_down_rest_y;
    const int64_t out_down_down_rest_y_first =
        flt_min_i64(0, in_y - 2) + 32 * out_columns_tails_y_blocks;
    frame->out_down_down_rest_y_first = out_down_down_rest_y_first;
    const int64_t out_down_up_rest_y = in_y - 32 * out_columns_tails_y_blocks;
    frame->out_down_up_rest_y = out_down_up_rest_y;
    const int64_t out_down_up_rest_y_first = 32 * out_columns_tails_y_blocks;
    frame->out_down_up_rest_y_first = out_down_up_rest_y_first;
    const int64_t out_tails_x_blocks = flt_max_i64((in_x - 8) >> 5, 0);
    frame->out_tails_x_blocks = out_tails_x_blocks;
    const int64_t out_ends_x_blocks = out_tails_x_blocks + 1;
    frame->out_ends_x_blocks = out_ends_x_blocks;
    const int64_t out_across_right_turn_x_first = in_x
        + flt_min_i64(0, in_x - 2)
        - ((int32_t)out_tails_x_blocks == 0
        ? flt_min_i64(in_x, 8) : in_x - 32 * out_tails_x_blocks);
    frame->out_across_right_turn_x_first = out_across_right_turn_x_first;
    const int64_t out_across_right_turn_x = ((int32_t)out_tails_x_blocks == 0
        ? flt_min_i64(in_x, 8) : in_x - 32 * out_tails_x_blocks) - flt_min_i64(0, in_x - 2) + 3;
    frame->out_across_right_turn_x = out_across_right_turn_x;
    const int64_t out_across_left_turn_x_first = in_x
        - ((int32_t)out_tails_x_blocks == 0
        ? flt_min_i64(in_x, 8) : in_x - 32 * out_tails_x_blocks);
    frame->out_across_left_turn_x_first = out_across_left_turn_x_first;
    const int64_t out_across_left_turn_x =
        (int32_t)out_tails_x_blocks == 0 ? flt_min_i64(in_x, 8) : in_x - 32 * out_tails_x_blocks;
    frame->out_across_left_turn_x = out_across_left_turn_x;
    const int64_t out_across_right_rest_x =
        in_x - flt_min_i64(0, in_x - 2) - 32 * out_tails_x_blocks + 3;
    frame->out_across_right_rest_x = out_across_right_rest_x;
    const int64_t out_across_right_rest_x_first =
        flt_min_i64(0, in_x - 2) + 32 * out_tails_x_blocks;
    frame->out_across_right_rest_x_first = out_across_right_rest_x_first;
    const int64_t out_across_left_rest_x = in_x - 32 * out_tails_x_blocks;
    frame->out_across_left_rest_x = out_across_left_rest_x;
    const int64_t out_across_left_rest_x_first = 32 * out_tails_x_blocks;
    frame->out_across_left_rest_x_first = out_across_left_rest_x_first;
    return GAUSSIAN_RECURSIVE_OK;
}

static int gaussian_recursive_measure(struct gaussian_recursive_frame *frame,
    const struct gaussian_recursive_in *in, float sigma)
{
    const struct flt_floats caller = flt_begin_floats();
    const int status = gaussian_recursive_measure_exactly(frame, in, sigma);
    flt_end_floats(caller);
    return status;
}

int gaussian_recursive_extents(const struct gaussian_recursive_in *in, float sigma,
    struct gaussian_recursive_out *out)
{
    struct gaussian_recursive_frame all;
    const int status = gaussian_recursive_measure(&all, in, sigma);
    if (status != GAUSSIAN_RECURSIVE_OK)
        return status;
    const struct gaussian_recursive_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out)
        return GAUSSIAN_RECURSIVE_NULL_POINTER;
    out->y = (int32_t)in_y;
    out->x = (int32_t)in_x;
    out->stride_x = 1;
    out->stride_y = out->stride_x * out->x;
    return GAUSSIAN_RECURSIVE_OK;
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
static uint64_t gaussian_recursive_layout(struct gaussian_recursive_frame *frame, char *memory,
    const struct gaussian_recursive_in *in, const struct gaussian_recursive_out *out)
{
    uint64_t at = 0;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    const int64_t out_columns_ends_y_blocks = frame->out_columns_ends_y_blocks;
    const int64_t out_down_down_turn_y = frame->out_down_down_turn_y;
    const int64_t out_down_up_turn_y = frame->out_down_up_turn_y;
    const int64_t out_down_down_rest_y = frame->out_down_down_rest_y;
    const int64_t out_down_up_rest_y_first = frame->out_down_up_rest_y_first;
    const int64_t out_ends_x_blocks = frame->out_ends_x_blocks;
    const int64_t out_across_right_turn_x = frame->out_across_right_turn_x;
    const int64_t out_across_left_turn_x = frame->out_across_left_turn_x;
    const int64_t out_across_right_rest_x = frame->out_across_right_rest_x;
    const int64_t out_across_left_rest_x_first = frame->out_across_left_rest_x_first;
    if (memory)
        frame->out_down_down_powers = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_right_powers = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(8, 3), 1), 1));
    if (memory)
        frame->out_down_down_system = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_right_system = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, 1), 2));
    if (memory)
        frame->out_down_down_edge = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_right_edge = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(8, 1));
    if (memory)
        frame->out_down_farther_powers = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_farther_powers = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(8, 3), 1), 1));
    if (memory)
        frame->out_down_farther_forcing = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_farther_forcing = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, 1), 1));
    if (memory)
        frame->out_down_farther_system = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_farther_system = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, 1), 2));
    if (memory)
        frame->out_down_farther_edge = (double *)(void *)(memory + at);
    if (memory)
        frame->out_across_farther_edge = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(8, 1));
    if (memory)
        frame->out_columns_ends = (double *)(void *)(memory + at);
    at = flt_behind(at,
        flt_times(flt_times(flt_times(8, out_columns_ends_y_blocks), 8), flt_row(in_x, 8)));
    if (memory)
        frame->out_columns_matrix = (double *)(void *)(memory + at);
    if (memory)
        frame->out_matrix = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, 8), 8));
    if (memory)
        frame->out_columns_carry = (double *)(void *)(memory + at);
    at = flt_behind(at,
        flt_times(flt_times(flt_times(8, out_columns_ends_y_blocks), 4), flt_row(in_x, 8)));
    if (memory)
        frame->out_down_down_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, out_down_down_turn_y), flt_row(in_x, 8)));
    if (memory)
        frame->out_down_farther_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, out_down_down_turn_y), flt_row(in_x, 8)));
    if (memory)
        frame->out_down_farther_kept_turn = (float *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, out_down_down_turn_y), flt_row(in_x, 4)));
    if (memory)
        frame->out_down_up_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, out_down_up_turn_y), flt_row(in_x, 8)));
    if (memory)
        frame->out_down_out_state_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, out_down_up_turn_y), flt_row(in_x, 8)));
    if (memory)
        frame->out_columns_carry_back = (double *)(void *)(memory + at);
    at = flt_behind(at,
        flt_times(flt_times(flt_times(8, out_columns_ends_y_blocks), 4), flt_row(in_x, 8)));
    if (memory)
        frame->out_down_farther_kept_rest = (float *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, out_down_down_rest_y), flt_row(in_x, 4)));
    if (memory)
        frame->out_columns = (float *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, in_y), flt_row(in_x, 4)));
    if (memory)
        frame->out_ends = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(8, in_y), out_ends_x_blocks), 8));
    if (memory)
        frame->out_carry = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(8, in_y), out_ends_x_blocks), 4));
    if (memory)
        frame->out_across_right_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, in_y), flt_row(out_across_right_turn_x, 8)));
    if (memory)
        frame->out_across_farther_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, in_y), flt_row(out_across_right_turn_x, 8)));
    if (memory)
        frame->out_across_farther_kept_turn = (float *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, in_y), flt_row(out_across_right_turn_x, 4)));
    if (memory)
        frame->out_across_left_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, in_y), flt_row(out_across_left_turn_x, 8)));
    if (memory)
        frame->out_across_out_state_turn = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(8, in_y), flt_row(out_across_left_turn_x, 8)));
    if (memory)
        frame->out_carry_back = (double *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(flt_times(8, in_y), out_ends_x_blocks), 4));
    if (memory)
        frame->out_across_farther_kept_rest = (float *)(void *)(memory + at);
    at = flt_behind(at, flt_times(flt_times(4, in_y), flt_row(out_across_right_rest_x, 4)));
    frame->out_down_down_powers_stride_step = (ptrdiff_t)(1 * 1);
    frame->out_down_down_powers_stride_row = (ptrdiff_t)1;
    frame->out_down_down_system_stride_row = (ptrdiff_t)2;
    frame->out_down_farther_powers_stride_step = (ptrdiff_t)(1 * 1);
    frame->out_down_farther_powers_stride_row = (ptrdiff_t)1;
    frame->out_down_farther_forcing_stride_row = (ptrdiff_t)1;
    frame->out_down_farther_system_stride_row = (ptrdiff_t)2;
    frame->out_columns_ends_stride_y_blocks = (ptrdiff_t)(8 * flt_row(in_x, 8));
    frame->out_columns_ends_stride_y = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_columns_matrix_stride_y_place = (ptrdiff_t)8;
    frame->out_columns_carry_stride_y_blocks = (ptrdiff_t)(4 * flt_row(in_x, 8));
    frame->out_columns_carry_stride_y_place = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_down_down_turn_stride_y = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_down_farther_turn_stride_y = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_down_farther_kept_turn_stride_y = (ptrdiff_t)flt_row(in_x, 4);
    frame->out_down_up_turn_stride_y = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_down_out_state_turn_stride_y = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_columns_carry_back_stride_y_blocks = (ptrdiff_t)(4 * flt_row(in_x, 8));
    frame->out_columns_carry_back_stride_y_place = (ptrdiff_t)flt_row(in_x, 8);
    frame->out_down_farther_kept_rest_stride_y = (ptrdiff_t)flt_row(in_x, 4);
    frame->out_columns_stride_y = (ptrdiff_t)flt_row(in_x, 4);
    frame->out_across_right_powers_stride_step = (ptrdiff_t)(1 * 1);
    frame->out_across_right_powers_stride_row = (ptrdiff_t)1;
    frame->out_across_right_system_stride_row = (ptrdiff_t)2;
    frame->out_across_farther_powers_stride_step = (ptrdiff_t)(1 * 1);
    frame->out_across_farther_powers_stride_row = (ptrdiff_t)1;
    frame->out_across_farther_forcing_stride_row = (ptrdiff_t)1;
    frame->out_across_farther_system_stride_row = (ptrdiff_t)2;
    frame->out_ends_stride_y = (ptrdiff_t)(out_ends_x_blocks * 8);
    frame->out_ends_stride_x_blocks = (ptrdiff_t)8;
    frame->out_matrix_stride_x_place = (ptrdiff_t)8;
    frame->out_carry_stride_y = (ptrdiff_t)(out_ends_x_blocks * 4);
    frame->out_carry_stride_x_blocks = (ptrdiff_t)4;
    frame->out_across_right_turn_stride_y = (ptrdiff_t)flt_row(out_across_right_turn_x, 8);
    frame->out_across_farther_turn_stride_y = (ptrdiff_t)flt_row(out_across_right_turn_x, 8);
    frame->out_across_farther_kept_turn_stride_y = (ptrdiff_t)flt_row(out_across_right_turn_x, 4);
    frame->out_across_left_turn_stride_y = (ptrdiff_t)flt_row(out_across_left_turn_x, 8);
    frame->out_across_out_state_turn_stride_y = (ptrdiff_t)flt_row(out_across_left_turn_x, 8);
    frame->out_carry_back_stride_y = (ptrdiff_t)(out_ends_x_blocks * 4);
    frame->out_carry_back_stride_x_blocks = (ptrdiff_t)4;
    frame->out_across_farther_kept_rest_stride_y = (ptrdiff_t)flt_row(out_across_right_rest_x, 4);
    frame->in = in->data;
    frame->in_stride_y = in->stride_y;
    frame->in_stride_x = in->stride_x;
    frame->out = out->data;
    frame->out_stride_y = out->stride_y;
    frame->out_stride_x = out->stride_x;
    if (memory)
        frame->out_columns_tails =
            frame->out_columns_ends + (1) * frame->out_columns_ends_stride_y_blocks;
    frame->out_columns_tails_stride_y_blocks = frame->out_columns_ends_stride_y_blocks;
    frame->out_columns_tails_stride_y = frame->out_columns_ends_stride_y;
    if (memory)
        frame->out_columns_rest =
            frame->out_columns + (out_down_up_rest_y_first) * frame->out_columns_stride_y;
    frame->out_columns_rest_stride_y = frame->out_columns_stride_y;
    if (memory)
        frame->out_columns_blocks = frame->out_columns;
    frame->out_columns_blocks_stride_y_blocks = 32 * frame->out_columns_stride_y;
    frame->out_columns_blocks_stride_y = frame->out_columns_stride_y;
    if (memory)
        frame->out_tails = frame->out_ends + (1) * frame->out_ends_stride_x_blocks;
    frame->out_tails_stride_y = frame->out_ends_stride_y;
    frame->out_tails_stride_x_blocks = frame->out_ends_stride_x_blocks;
    if (memory)
        frame->out_rest = frame->out + (out_across_left_rest_x_first) * frame->out_stride_x;
    frame->out_rest_stride_y = frame->out_stride_y;
    frame->out_rest_stride_x = frame->out_stride_x;
    if (memory)
        frame->out_blocks = frame->out;
    frame->out_blocks_stride_y = frame->out_stride_y;
    frame->out_blocks_stride_x_blocks = 32 * frame->out_stride_x;
    frame->out_blocks_stride_x = frame->out_stride_x;
    return at;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int gaussian_recursive_check(struct gaussian_recursive_frame *frame,
    const struct gaussian_recursive_in *in, float sigma, const struct gaussian_recursive_out *out)
{
    struct gaussian_recursive_frame all;
    int status;
    if (!in || !in->data)
        return GAUSSIAN_RECURSIVE_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = gaussian_recursive_measure(&all, in, sigma);
    if (status != GAUSSIAN_RECURSIVE_OK)
        return status;
    *frame = all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    if (!out || !out->data)
        return GAUSSIAN_RECURSIVE_NULL_POINTER;
    if (out->y != in_y)
        return GAUSSIAN_RECURSIVE_BAD_OUTPUT;
    if (out->x != in_x)
        return GAUSSIAN_RECURSIVE_BAD_OUTPUT;
    if ((const void *)out->data == (const void *)in->data)
        return GAUSSIAN_RECURSIVE_OVERLAP;
    return GAUSSIAN_RECURSIVE_OK;
}

size_t gaussian_recursive_scratch_bytes(const struct gaussian_recursive_in *in, float sigma,
    const struct gaussian_recursive_out *out)
{
    struct gaussian_recursive_frame all;
    if (gaussian_recursive_check(&all, in, sigma, out) != GAUSSIAN_RECURSIVE_OK)
        return 0;
    {
        const uint64_t bytes = gaussian_recursive_layout(&all, NULL, in, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

/* The status for what a call of the runtime gave. */
static int gaussian_recursive_status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return GAUSSIAN_RECURSIVE_OK;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
        return GAUSSIAN_RECURSIVE_NO_DEVICE;
    case cudaErrorMemoryAllocation:
        return GAUSSIAN_RECURSIVE_NO_DEVICE_MEMORY;
    default:
        return GAUSSIAN_RECURSIVE_DEVICE + (int)error;
    }
}

int gaussian_recursive_run(const struct gaussian_recursive_in *in, float sigma,
    const struct gaussian_recursive_out *out, void *scratch, size_t scratch_bytes,
    struct CUstream_st *stream)
{
    struct gaussian_recursive_frame all;
    const int status = gaussian_recursive_check(&all, in, sigma, out);
    if (status != GAUSSIAN_RECURSIVE_OK)
        return status;
    {
        const uint64_t bytes = gaussian_recursive_layout(&all, NULL, in, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return GAUSSIAN_RECURSIVE_BAD_SCRATCH;
    }
    (void)gaussian_recursive_layout(&all, (char *)scratch, in, out);
    return gaussian_recursive_status_of(gaussian_recursive_kernels(&all, stream));
}

int gaussian_recursive(const struct gaussian_recursive_in *in, float sigma,
    const struct gaussian_recursive_out *out)
{
    struct gaussian_recursive_frame all;
    char *host, *device = NULL;
    cudaError_t error;
    int status = gaussian_recursive_check(&all, in, sigma, out);
    if (status != GAUSSIAN_RECURSIVE_OK)
        return status;
    const struct gaussian_recursive_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    struct gaussian_recursive_in flt_copy_of_in = *in;
    flt_copy_of_in.stride_x = 1;
    flt_copy_of_in.stride_y = flt_copy_of_in.stride_x * flt_copy_of_in.x;
    struct gaussian_recursive_out flt_copy_of_out = *out;
    flt_copy_of_out.stride_x = 1;
    flt_copy_of_out.stride_y = flt_copy_of_out.stride_x * flt_copy_of_out.x;
    const uint64_t flt_place_of_in = 0;
    const uint64_t flt_place_of_out =
        flt_behind(flt_place_of_in, flt_times(flt_times(4, in_y), in_x));
    const uint64_t images = flt_behind(flt_place_of_out, flt_times(flt_times(4, in_y), in_x));
    const uint64_t scratch =
        gaussian_recursive_layout(&all, NULL, &flt_copy_of_in, &flt_copy_of_out);
    host = (char *)malloc((size_t)images);
    if (!host)
        return GAUSSIAN_RECURSIVE_NO_MEMORY;
    const char *flt_from_in = (const char *)in->data;
    if (!(in->stride_y == flt_copy_of_in.stride_y && in->stride_x == flt_copy_of_in.stride_x)) {
        float *const packed = (float *)(void *)(host + flt_place_of_in);
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
    char *const flt_to_out = out->stride_y == flt_copy_of_out.stride_y
        && out->stride_x == flt_copy_of_out.stride_x ? (char *)out->data : host + flt_place_of_out;
    error = cudaMalloc((void **)&device, (size_t)(images + scratch));
    if (error == cudaSuccess)
        error = cudaMemcpy(device + flt_place_of_in, flt_from_in,
            (size_t)flt_times(flt_times(4, in_y), in_x), cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        flt_copy_of_in.data = (const float *)(void *)(device + flt_place_of_in);
        flt_copy_of_out.data = (float *)(void *)(device + flt_place_of_out);
        status = gaussian_recursive_run(&flt_copy_of_in, sigma, &flt_copy_of_out, device + images,
            (size_t)scratch, NULL);
    }
    if (error == cudaSuccess && status == GAUSSIAN_RECURSIVE_OK)
        error = cudaMemcpy(flt_to_out, device + flt_place_of_out,
            (size_t)flt_times(flt_times(4, in_y), in_x), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        status = gaussian_recursive_status_of(error);
    if (status == GAUSSIAN_RECURSIVE_OK && flt_to_out == host + flt_place_of_out) {
        const float *const packed = (const float *)(void *)(host + flt_place_of_out);
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

int gaussian_recursive_region_of_in(const struct gaussian_recursive_in *in, float sigma,
    const int64_t *output_box, int64_t *input_box)
{
    struct gaussian_recursive_frame all;
    const int status = gaussian_recursive_measure(&all, in, sigma);
    if (status != GAUSSIAN_RECURSIVE_OK)
        return status;
    if (!output_box || !input_box)
        return GAUSSIAN_RECURSIVE_NULL_POINTER;
    const struct gaussian_recursive_frame *const frame = &all;
    const int64_t in_y = frame->in_y;
    const int64_t in_x = frame->in_x;
    input_box[0] = 0;
    input_box[1] = in_y;
    input_box[2] = 0;
    input_box[3] = in_x;
    return GAUSSIAN_RECURSIVE_OK;
}

#undef flt_constants_are_double
#undef flt_floats
#undef flt_begin_floats
#undef flt_end_floats
#undef flt_shift_is_arithmetic
#undef flt_mul_f64
#undef flt_div_f64
#undef flt_pair
#undef flt_pair_negate
#undef flt_ordered_sum
#undef flt_bits
#undef flt_from_bits
#undef flt_product
#undef flt_pair_multiply
#undef flt_large_quarter_turns
#undef flt_reduce_large
#undef flt_sum
#undef flt_reduce_small
#undef flt_reduce
#undef flt_sin_kernel
#undef flt_cos_kernel
#undef flt_sine_of
#undef flt_cos_f64
#undef flt_power_of_two
#undef flt_expm1_kernel
#undef flt_exp_reduce
#undef flt_expm1_pair
#undef flt_scale
#undef flt_half_exp
#undef flt_pair_add
#undef flt_pair_divide
#undef flt_cosh_f64
#undef flt_exp_f64
#undef flt_greater_f64
#undef flt_max_f64
#undef flt_max_i32
#undef flt_max_i64
#undef flt_max_index
#undef flt_min_f64
#undef flt_min_i32
#undef flt_min_i64
#undef flt_min_index
#undef flt_min_u8
#undef flt_negate_f64
#undef flt_sin_f64
#undef flt_sinh_f64
#undef flt_index
#undef flt_blocks
#undef flt_is_coordinate
#undef flt_places_left
#undef flt_row
#undef flt_times
#undef flt_behind
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
