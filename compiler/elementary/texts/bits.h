/* Floats and their bits. */
#ifndef FLTC_ELEMENTARY_TEXTS_BITS_H
#define FLTC_ELEMENTARY_TEXTS_BITS_H

/* The bits of v. */
FLT_INLINE uint64_t flt_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* The double of these bits. */
FLT_INLINE double flt_from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* 2^k, where shifted is k + 0x1.8p52 and -1023 < k < 1024. */
FLT_INLINE double flt_power_of_two(double shifted)
{
    return flt_from_bits((flt_bits(shifted) + 1023) << 52);
}

/* The same of floats. */
FLT_INLINE uint32_t flt_bits_f32(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

FLT_INLINE float flt_from_bits_f32(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#endif
