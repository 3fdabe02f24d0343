/* clang fuses products and sums in spite of the pragma above if it is called with
 * -ffp-contract=fast, or with -ffast-math and options that take part of that back. */
#ifdef __clang__
#define FLT_ASK_FUSED(name)                                         \
    static __attribute__((noinline)) int name(void)                 \
    {                                                               \
        static const volatile double factor = 134217729;            \
        const struct flt_floats caller = flt_begin_floats();        \
        volatile double rest = factor * factor - 18014398777917440; \
        flt_end_floats(caller);                                     \
        return rest > 0;                                            \
    }
#if defined(__FMA__) || defined(__FMA4__) || !(defined(__x86_64__) || defined(__i386__))
FLT_ASK_FUSED(flt_is_fused)
#define FLT_FUSED flt_is_fused()
#else
/* Other processors of x86 have nothing to fuse with, but with these options clang replaces fma by
 * a product and a sum there. */
static __attribute__((noinline)) int flt_is_split(void)
{
    static const volatile double factor = 134217729;
    const struct flt_floats caller = flt_begin_floats();
    volatile double rest = fma(factor, factor, -18014398777917440);
    flt_end_floats(caller);
    return !(rest > 0);
}
#define FLT_FUSED flt_is_split()
#endif
/* With -ffinite-math-only, or half of it, clang takes calls and choices for finite, in spite of the
 * pragma above. */
static __attribute__((noinline)) int flt_is_finite(void)
{
    static const volatile double zero = 0;
    const struct flt_floats caller = flt_begin_floats();
    const double nan = zero < 1 ? zero / zero : 0, infinite = zero < 1 ? 1 / zero : 0;
    const int differs = nan == nan || infinite < 1.7976931348623157e308;
    flt_end_floats(caller);
    return differs;
}
#define FLT_LOOSE (FLT_FUSED || flt_is_finite())
#else
#define FLT_LOOSE 0
#endif
