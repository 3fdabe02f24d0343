/* Elementary functions of the language's own: less than 1 unit in the last place off, and the same
 * bits wherever they run, because the compiler computes with the very text that emitted code
 * carries.
 *
 * texts/ holds them in C that C++ takes too: operations of IEEE 754 on f64 and integers, no table
 * for f32, no fused multiply-add, no call but fabs, copysign and sqrt. The functions of f32 are
 * computed in f64 without a branch, huge arguments too, so that loops over them become vectors;
 * those of f64 carry pairs of doubles. Alternatives that failed: the C library's functions differ
 * between machines; f32 with fused multiply-add is faster where there is one and slower by far
 * where there is none. Measured: tests/elementary/RESULTS.md. Polynomials:
 * tests/elementary/coefficients.sollya. */
#ifndef FLTC_ELEMENTARY_ELEMENTARY_H
#define FLTC_ELEMENTARY_ELEMENTARY_H

#include <stdint.h>

enum elementary {
#define ELEMENTARY(kind, name, arguments) ELEMENTARY_##kind,
#include "elementary/elementary.def"
#undef ELEMENTARY
    ELEMENTARY_COUNT
};

/* One argument or two, as elementary.def says. */
float elementary_f32(enum elementary function, const float argument[]);
double elementary_f64(enum elementary function, const double argument[]);
/* By the C library; for the oracle's more exact numbers, which no emitted code has. */
long double elementary_extended(enum elementary function, const long double argument[]);

/* A number of 0 ..< 1 for a seed and up to so many integers that make the place: seed first, count
 * of both. */
enum { NOISE_PLACES = 8 };
float elementary_noise(unsigned count, const int64_t argument[]);

/* The bits of an f16, and its value. */
float half_to_f32(uint16_t half);
uint16_t half_from_f64(double v);

#endif
