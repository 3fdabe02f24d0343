/* Compiles the file BODY once for each kind of processor. In it NAME(name) is a name of its own for
 * each kind, TARGET stands before functions, and FOR_AVX512 is defined where these instructions may
 * be used. May be included for several bodies. */
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define NAME(name) name##_portable
#define TARGET
#include BODY
#undef NAME
#undef TARGET

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,bmi,bmi2")))
#include BODY
#undef NAME
#undef TARGET

#define FOR_AVX512
#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx2,avx512f,avx512vl,avx512bw,avx512dq,bmi,bmi2")))
#include BODY
#undef NAME
#undef TARGET
#undef FOR_AVX512
#endif
#undef BODY

/* Of the functions NAME(name), the one for this processor. */
#undef FOR_THIS_PROCESSOR
#ifdef __x86_64__
#define FOR_THIS_PROCESSOR(name)                                                                   \
    (processor_kind() == PROCESSOR_AVX512 ? name##_avx512                                          \
     : processor_kind() == PROCESSOR_AVX2 ? name##_avx2                                            \
                                          : name##_portable)
#else
#define FOR_THIS_PROCESSOR(name) name##_portable
#endif
