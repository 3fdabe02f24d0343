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
