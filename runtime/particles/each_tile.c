/* Tiles, for each kind of processor. */
#include "particles/each.h"

#define NAME(name) name##_portable
#define TARGET
#include "particles/each_body.h"
#undef NAME
#undef TARGET

#ifdef __x86_64__
#include <immintrin.h>

#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,bmi,bmi2")))
#include "particles/each_body.h"
#undef NAME
#undef TARGET

#define BODY_AVX512
#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx2,avx512f,avx512vl,avx512bw,avx512dq,bmi,bmi2")))
#include "particles/each_body.h"
#undef NAME
#undef TARGET
#undef BODY_AVX512
#endif

do_tile *tile_function(void)
{
    switch (processor_kind()) {
#ifdef __x86_64__
    case PROCESSOR_AVX512:
        return tile_avx512;
    case PROCESSOR_AVX2:
        return tile_avx2;
#endif
    default:
        return tile_portable;
    }
}
