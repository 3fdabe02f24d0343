/* The interface to a library for Fourier transforms. Filters that `fltc emit --fft given` writes
 * call such a library for lines of complex samples and compute all kinds of transforms, along all
 * axes, from them. Results are as exact as the library is. They do not have the same bits as
 * results of ordinary filters, which contain their own transform. fft_fftw.h and fft_kissfft.h
 * declare tables for two libraries. */
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

    /* Makes *plan for lines of n samples, n >= 1: y_k = sum over j of x_j e^(sign 2 pi i j k / n)
     * without a factor; sign is -1 or 1. May allocate, and may wait for other threads.
     * Returns FLT_NO_MEMORY, or FLT_UNSUPPORTED if the library has no plan for this n and real.
     * After a failure there is nothing to destroy. */
    enum flt_status (*plan)(void **plan, int64_t n, int sign, enum flt_real real);

    /* Bytes of scratch memory that execute needs: at most the size of 8 lines. */
    size_t (*scratch)(const void *plan);

    /* Transforms a line in place. The line holds n pairs: real part, imaginary part. line and
     * scratch are aligned to 64 bytes. Several threads may call it at once with the same plan and
     * different memory. */
    void (*execute)(const void *plan, void *line, void *scratch);

    /* Frees a plan. */
    void (*destroy)(void *plan);
};

#ifdef __cplusplus
}
#endif

#endif
