/* IEEE 754's binary16, held in 16 bits, that f16 is stored in. */
#ifndef FLTC_ELEMENTARY_TEXTS_HALF_H
#define FLTC_ELEMENTARY_TEXTS_HALF_H

#include "elementary/texts/bits.h"

/* Every f16 is an f32. */
FLT_INLINE float flt_f32_of_f16(uint16_t stored)
{
    const uint32_t magnitude = stored & 0x7fffu;
    /* The exponent's bias; what is below the normal numbers too. */
    const uint32_t scaled = flt_bits_f32(flt_from_bits_f32(magnitude << 13) * 0x1p112f);
    const uint32_t bits = magnitude < 0x7c00 ? scaled : scaled | 0x7f800000;
    return flt_from_bits_f32(bits | (uint32_t)(stored & 0x8000u) << 16);
}

/* To nearest even; from 65520 on infinite. */
FLT_INLINE uint16_t flt_f16_of_f64(double v)
{
    const uint64_t bits = flt_bits(fabs(v));
    /* Ten bits of the fraction are kept; the exponent's bias is 1008 less. Below 2^-14 the sum has the
     * unit 2^-24. */
    const uint64_t even = bits >> 42 & 1;
    const uint64_t normal =
        ((bits + ((UINT64_C(1) << 41) - 1) + even) >> 42) - (UINT64_C(1008) << 10);
    const uint64_t small = flt_bits(fabs(v) + 0x1p28) - flt_bits(0x1p28);
    uint64_t stored = fabs(v) < 0x1p-14 ? small : normal;
    stored = fabs(v) < 65520 ? stored : 0x7c00;
    stored = v == v ? stored : 0x7e00;
    return (uint16_t)(stored | (flt_bits(v) >> 63) << 15);
}

#endif
