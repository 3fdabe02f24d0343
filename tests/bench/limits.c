/* What a machine can do: copies, by memcpy and past the caches, and arithmetic without memory. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { PART = 1 << 20 };

void copy(char *to, const char *from, size_t bytes, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (size_t at = 0; at < bytes; at += PART)
        memcpy(to + at, from + at, bytes - at < PART ? bytes - at : PART);
}

/* to: aligned to 16. */
void stream(char *to, const char *from, size_t bytes, int threads)
{
    const size_t whole = bytes & ~(size_t)63;
    memcpy(to + whole, from + whole, bytes - whole);
#pragma omp parallel num_threads(threads)
    {
#ifdef __SSE2__
#pragma omp for
        for (size_t at = 0; at < whole; at += 64)
            for (size_t i = at; i < at + 64; i += 16)
                _mm_stream_si128((__m128i *)(void *)(to + i),
                                 _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
        _mm_sfence();
#else
#pragma omp for
        for (size_t at = 0; at < whole; at += 64)
            memcpy(to + at, from + at, 64);
#endif
    }
}

/* Steps of a generator of random numbers, in registers. */
uint32_t arithmetic(int64_t steps, int threads)
{
    uint32_t sum = 0;
#pragma omp parallel for num_threads(threads) reduction(^ : sum)
    for (int64_t part = 0; part < 64; part++) {
        uint32_t v[64];
        for (int i = 0; i < 64; i++)
            v[i] = (uint32_t)(part * 64 + i);
        for (int64_t s = 0; s < steps; s++)
            for (int i = 0; i < 64; i++)
                v[i] = v[i] * 1664525u + 1013904223u;
        for (int i = 0; i < 64; i++)
            sum ^= v[i];
    }
    return sum;
}
