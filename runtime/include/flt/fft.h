/* A library that transforms one line of complex samples, under the filters that
 * `fltc emit --fft given` writes: these compute all kinds of transforms, along all axes, from such
 * lines. What such a table does is the library's: results are within its errors, not the same bits
 * as those of filters that carry their own transform, which are the usual ones.
 * fft_fftw.h and fft_kissfft.h are tables of two libraries. */
#ifndef FLT_FFT_H
#define FLT_FFT_H

#include <stddef.h>
#include <stdint.h>

#include "flt/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum flt_real { FLT_REAL_F32, FLT_REAL_F64 };

struct flt_fft {
    const char *name;

    /* Makes *plan for lines of n samples, n >= 1: y_k = sum over j of x_j e^(sign 2 pi i j k / n),
     * sign -1 or 1, divided by nothing. May allocate and wait for others.
     * FLT_NO_MEMORY; FLT_UNSUPPORTED: it has none for this n or real. Then nothing is owned. */
    enum flt_status (*plan)(void **plan, int64_t n, int sign, enum flt_real real);

    /* Bytes of memory that execute needs besides: at most as many as 8 lines have. */
    size_t (*scratch)(const void *plan);

    /* Transforms a line in place: n pairs of real and imaginary part. line and scratch are aligned
     * to 64 bytes. Several threads call it at once with one plan, and other memory. */
    void (*execute)(const void *plan, void *line, void *scratch);

    void (*destroy)(void *plan);
};

#ifdef __cplusplus
}
#endif

#endif
