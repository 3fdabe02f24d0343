/* KissFFT, built for floats, which is all that it can be in one program: f32 alone. Link with
 * libfltkissfft and -lkissfft-float (pkg-config fltkissfft). Its licence is BSD's of 3 clauses.
 * Lengths are up to 2^31 - 1. Of those with a prime factor above 5 it takes memory in each call,
 * and leaves a line as it is where it gets none. */
#ifndef FLT_FFT_KISSFFT_H
#define FLT_FFT_KISSFFT_H

#include "flt/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct flt_fft flt_fft_kissfft;

#ifdef __cplusplus
}
#endif

#endif
