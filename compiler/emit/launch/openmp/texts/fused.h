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
FLT_ASK_FUSED(flt_is_fused)
#define FLT_FUSED flt_is_fused()
#else
#define FLT_FUSED 0
#endif
