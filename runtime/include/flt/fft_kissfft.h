/* KissFFT for f32; one program can contain KissFFT for one type only. Link with libfltkissfft and
 * -lkissfft-float (pkg-config fltkissfft). KissFFT has the 3-clause BSD licence. Lengths are at
 * most 2^31 - 1. For lengths with a prime factor above 5, KissFFT allocates memory in each call; if
 * it gets none, it leaves the line unchanged. */
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
