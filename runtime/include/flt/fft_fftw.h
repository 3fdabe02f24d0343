/* FFTW 3 for f32 and f64. Link with libfltfftw, -lfftw3f and -lfftw3 (pkg-config fltfftw).
 * FFTW is licensed under the GNU General Public License, version 2 or later. If you distribute a
 * program that is linked with it, you must distribute the program under that licence or buy another
 * licence from MIT. This file and filters that call the table are not under that licence.
 * Plans are made with FFTW_ESTIMATE, without measuring: one build of FFTW does the same operations
 * in every run. The planner of FFTW may run in one thread at a time, so this table locks its own
 * planning. If your program also plans in other threads, call fftw_make_planner_thread_safe and
 * fftwf_make_planner_thread_safe first. FFTW ends the process if it cannot get memory. */
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
