/* By itself, so that tests can put another one in its place. */
#include "particles/internal.h"

enum processor processor_kind(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return PROCESSOR_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return PROCESSOR_AVX2;
#endif
    return PROCESSOR_ANY;
}
