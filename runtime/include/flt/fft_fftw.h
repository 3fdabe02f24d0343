/* FFTW 3, of f32 and f64: link with libfltfftw, -lfftw3f and -lfftw3 (pkg-config fltfftw).
 * FFTW is under the GNU General Public License, version 2 or later: who distributes a program that
 * is linked with it distributes the program under that licence, or buys another one of MIT. This
 * file, and filters that call the table, are not.
 * Plans are FFTW_ESTIMATE: made without measuring, of the same operations in each run of a build of
 * FFTW. Its planner may run in one thread at a time: the table has a lock for its own plans. A
 * program that plans by itself in other threads calls fftw_make_planner_thread_safe and
 * fftwf_make_planner_thread_safe first. FFTW ends the process where it is refused memory. */
#ifndef FLT_FFT_FFTW_H
#define FLT_FFT_FFTW_H

#include "flt/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct flt_fft flt_fft_fftw;

#ifdef __cplusplus
}
#endif

#endif
