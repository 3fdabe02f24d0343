/* What the tests of libraries share. */
#ifndef TESTS_FFT_LIBRARIES_H
#define TESTS_FFT_LIBRARIES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flt/fft.h"

static unsigned passed, failed;

static inline void expect(int holds, const char *what, const char *of)
{
    passed += holds != 0;
    failed += !holds;
    if (!holds)
        fprintf(stderr, "FAIL %s: %s\n", of, what);
}

static inline int report(const char *name)
{
    printf("%s: %u passed, %u failed\n", name, passed, failed);
    return failed > 0;
}

/* Noise in -1 .. 1, the same in each run. */
static inline double noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

#endif
