/* A hash of numbers so far, and of the next one. */
static uint64_t flt_check_hash(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

/* The same of samples, packed, as numbers and not as bytes; all that is no number is the same. kind
 * and bytes: as of what flt_check_fill makes. */
static uint64_t flt_check_digest(uint64_t hash, const char *from, size_t count, char kind,
                                 int bytes)
{
    const int fraction_bits = bytes == 2 ? 10 : bytes == 4 ? 23 : 52;
    const uint64_t magnitudes = ~(uint64_t)0 >> (65 - 8 * bytes);
    const uint64_t infinity = magnitudes >> fraction_bits << fraction_bits;
    for (size_t i = 0; i < count; i++) {
        const char *const sample = from + i * (size_t)bytes;
        uint8_t low_8 = 0;
        uint16_t low_16 = 0;
        uint32_t low_32 = 0;
        uint64_t bits = 0;
        memcpy(bytes == 1   ? (void *)&low_8
               : bytes == 2 ? (void *)&low_16
               : bytes == 4 ? (void *)&low_32
                            : (void *)&bits,
               sample, (size_t)bytes);
        bits |= (uint64_t)low_8 | low_16 | low_32;
        if (kind == 'f' && (bits & magnitudes) > infinity)
            bits = infinity + 1;
        hash = flt_check_hash(hash, bits);
    }
    return hash;
}
