/* Included once for each kind of processor: NAME, TARGET. */

/* Copies a few numbers; runs are short. */
TARGET static inline void NAME(copy_run)(float *to, const float *from, int64_t count)
{
#ifdef FOR_AVX512
    for (; count >= 16; count -= 16, to += 16, from += 16)
        _mm512_storeu_ps(to, _mm512_loadu_ps(from));
    const __mmask16 some = (__mmask16)((1u << count) - 1);
    _mm512_mask_storeu_ps(to, some, _mm512_maskz_loadu_ps(some, from));
#else
    for (; count >= 8; count -= 8, to += 8, from += 8)
        memcpy(to, from, 8 * sizeof *to);
    if (count >= 4) {
        memcpy(to, from, 4 * sizeof *to);
        to += 4, from += 4, count -= 4;
    }
    for (int64_t k = 0; k < count; k++)
        to[k] = from[k];
#endif
}
