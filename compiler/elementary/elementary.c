/* The texts as part of the compiler. */
#include "elementary/elementary.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define FLT_INLINE static inline
#include "elementary/texts/arc_f32.h"
#include "elementary/texts/arc_f64.h"
#include "elementary/texts/exponential_f32.h"
#include "elementary/texts/exponential_f64.h"
#include "elementary/texts/half.h"
#include "elementary/texts/logarithm_f32.h"
#include "elementary/texts/logarithm_f64.h"
#include "elementary/texts/noise.h"
#include "elementary/texts/trigonometric_f32.h"
#include "elementary/texts/trigonometric_f64.h"

#define ARGUMENTS_1 argument[0]
#define ARGUMENTS_2 argument[0], argument[1]

float elementary_f32(enum elementary function, const float argument[])
{
    switch (function) {
#define ELEMENTARY(kind, name, arguments)                                                          \
    case ELEMENTARY_##kind:                                                                        \
        return flt_##name##_f32(ARGUMENTS_##arguments);
#include "elementary/elementary.def"
#undef ELEMENTARY
    case ELEMENTARY_COUNT:
        break;
    }
    assert(!"an elementary function");
    return 0;
}

double elementary_f64(enum elementary function, const double argument[])
{
    switch (function) {
#define ELEMENTARY(kind, name, arguments)                                                          \
    case ELEMENTARY_##kind:                                                                        \
        return flt_##name##_f64(ARGUMENTS_##arguments);
#include "elementary/elementary.def"
#undef ELEMENTARY
    case ELEMENTARY_COUNT:
        break;
    }
    assert(!"an elementary function");
    return 0;
}

long double elementary_extended(enum elementary function, const long double argument[])
{
    switch (function) {
#define ELEMENTARY(kind, name, arguments)                                                          \
    case ELEMENTARY_##kind:                                                                        \
        return name##l(ARGUMENTS_##arguments);
#include "elementary/elementary.def"
#undef ELEMENTARY
    case ELEMENTARY_COUNT:
        break;
    }
    assert(!"an elementary function");
    return 0;
}

float elementary_noise(unsigned count, const int64_t argument[])
{
    int64_t a[1 + NOISE_PLACES] = {0};
    memcpy(a, argument, count * sizeof *a);
    return count <= 5 ? flt_noise_4(a[0], a[1], a[2], a[3], a[4])
                      : flt_noise_8(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
}

float half_to_f32(uint16_t half)
{
    return flt_f32_of_f16(half);
}

uint16_t half_from_f64(double v)
{
    return flt_f16_of_f64(v);
}
