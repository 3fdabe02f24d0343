/* As test_packed.c, by what runs on processors with AVX2 alone. */
#include "particles/internal.h"

enum processor processor_kind(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return PROCESSOR_AVX2;
#endif
    return PROCESSOR_ANY;
}

#include "test_packed.c"
