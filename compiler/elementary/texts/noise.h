/* Random numbers that depend on their place alone: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw
 * 2011), a block cipher whose key is the seed and whose plain text is the place. */
#ifndef FLTC_ELEMENTARY_TEXTS_NOISE_H
#define FLTC_ELEMENTARY_TEXTS_NOISE_H

struct flt_words {
    uint32_t w[4];
};

/* One round, under the round's key. */
FLT_INLINE struct flt_words flt_philox_round(struct flt_words c, uint32_t k0, uint32_t k1)
{
    const uint64_t p = (uint64_t)c.w[0] * UINT32_C(0xd2511f53);
    const uint64_t q = (uint64_t)c.w[2] * UINT32_C(0xcd9e8d57);
    struct flt_words r;
    r.w[0] = (uint32_t)(q >> 32) ^ c.w[1] ^ k0;
    r.w[1] = (uint32_t)q;
    r.w[2] = (uint32_t)(p >> 32) ^ c.w[3] ^ k1;
    r.w[3] = (uint32_t)p;
    return r;
}

/* Ten rounds; the keys are the seed plus multiples of the golden ratio and sqrt(3) - 1. */
FLT_INLINE struct flt_words flt_philox(uint64_t seed, struct flt_words c)
{
    const uint32_t s = UINT32_C(0x9e3779b9), t = UINT32_C(0xbb67ae85);
    const uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    c = flt_philox_round(c, k0, k1);
    c = flt_philox_round(c, k0 + s, k1 + t);
    c = flt_philox_round(c, k0 + 2 * s, k1 + 2 * t);
    c = flt_philox_round(c, k0 + 3 * s, k1 + 3 * t);
    c = flt_philox_round(c, k0 + 4 * s, k1 + 4 * t);
    c = flt_philox_round(c, k0 + 5 * s, k1 + 5 * t);
    c = flt_philox_round(c, k0 + 6 * s, k1 + 6 * t);
    c = flt_philox_round(c, k0 + 7 * s, k1 + 7 * t);
    c = flt_philox_round(c, k0 + 8 * s, k1 + 8 * t);
    return flt_philox_round(c, k0 + 9 * s, k1 + 9 * t);
}

/* The first word's 24 upper bits, in 0 ..< 1. */
FLT_INLINE float flt_uniform(struct flt_words c)
{
    return (float)(int32_t)(c.w[0] >> 8) * 0x1p-24f;
}

/* The place is a, b, c, d modulo 2^32. */
FLT_INLINE struct flt_words flt_noise_words(int64_t seed, int64_t a, int64_t b, int64_t c,
                                            int64_t d)
{
    const struct flt_words place = {{(uint32_t)a, (uint32_t)b, (uint32_t)c, (uint32_t)d}};
    return flt_philox((uint64_t)seed, place);
}

FLT_INLINE float flt_noise_4(int64_t seed, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return flt_uniform(flt_noise_words(seed, a, b, c, d));
}

/* More than four: the result for the first four is combined with the others, and encrypted again. */
FLT_INLINE float flt_noise_8(int64_t seed, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e,
                             int64_t f, int64_t g, int64_t h)
{
    struct flt_words r = flt_noise_words(seed, a, b, c, d);
    r.w[0] ^= (uint32_t)e;
    r.w[1] ^= (uint32_t)f;
    r.w[2] ^= (uint32_t)g;
    r.w[3] ^= (uint32_t)h;
    return flt_uniform(flt_philox((uint64_t)seed, r));
}

#endif
