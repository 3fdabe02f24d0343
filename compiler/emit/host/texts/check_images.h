/* The next 64 random bits: SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t flt_check_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The bits of a float, made by integers alone. content 0: from 2^-8 to 1. 1: of both signs, from
 * 2^-16 to 2^16, of f16 from 2^-14 to 2^14. 2: subnormal ones, those next to them, zeros. 3: as 0;
 * now and then what is no number, an infinity, the greatest, the least, zero. */
static uint64_t flt_check_float(uint64_t random, int content, int exponent_bits, int fraction_bits)
{
    const uint64_t most = ((uint64_t)1 << exponent_bits) - 1, bias = most >> 1;
    const uint64_t ones = ((uint64_t)1 << fraction_bits) - 1;
    const uint64_t span = bias - 1 < 16 ? bias - 1 : 16, choice = random >> 54;
    uint64_t sign = random >> 53 & 1, exponent = bias - 1 - choice % 8, fraction = random & ones;
    if (content == 0) {
        sign = 0;
    } else if (content == 1) {
        exponent = bias - span + choice % (2 * span);
    } else if (content == 2) {
        exponent = choice % 4;
        if (choice / 4 % 8 == 0)
            exponent = fraction = 0;
    } else {
        const uint64_t rare = choice / 8;
        if (rare > 4)
            sign = 0;
        else
            exponent = rare < 2 ? most : rare == 2 ? most - 1 : 0;
        if (rare < 5)
            fraction = rare == 0 ? ones / 2 + 1 : rare == 2 ? ones : rare == 3 ? 1 : 0;
    }
    return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

/* The bits of an integer of so many bits. content 0: any. 1: of all magnitudes. 2: 0 to 3. 3: as 0,
 * but one in two an end of the type. */
static uint64_t flt_check_integer(uint64_t random, int content, int bits, int is_signed)
{
    const uint64_t ones = ~(uint64_t)0 >> (64 - bits), greatest = is_signed ? ones >> 1 : ones;
    const uint64_t choice = random >> 32, any = random ^ choice;
    if (content == 1) {
        const uint64_t size = (any & greatest) >> choice % (uint64_t)bits;
        return is_signed && choice / 64 % 2 ? (0 - size) & ones : size;
    }
    if (content == 2)
        return choice % 4;
    if (content == 3 && choice % 4 < 2)
        return choice % 4 == 0 ? greatest : greatest ^ ones;
    return any & ones;
}

/* So many samples, packed. kind: 'b' for bool, 'u' and 'i' for integers without and with a sign,
 * 'f' for floats. */
static void flt_check_fill(char *to, size_t count, int content, char kind, int bytes,
                           uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = flt_check_next(state);
        const uint64_t bits = kind == 'b' ? random >> 63
                              : kind != 'f'
                                  ? flt_check_integer(random, content, 8 * bytes, kind == 'i')
                              : bytes == 2 ? flt_check_float(random, content, 5, 10)
                              : bytes == 4 ? flt_check_float(random, content, 8, 23)
                                           : flt_check_float(random, content, 11, 52);
        const uint8_t low_8 = (uint8_t)bits;
        const uint16_t low_16 = (uint16_t)bits;
        const uint32_t low_32 = (uint32_t)bits;
        const void *const sample = bytes == 1   ? (const void *)&low_8
                                   : bytes == 2 ? (const void *)&low_16
                                   : bytes == 4 ? (const void *)&low_32
                                                : (const void *)&bits;
        memcpy(to + i * (size_t)bytes, sample, (size_t)bytes);
    }
}
