/* Fourier and related transforms of a line of N samples, x to y, with n and k from 0:
 *   fft    y_k = sum x_n e^(-2 pi i n k / N)           ifft: with e^(+…)
 *   dct1   x_0 + (-1)^k x_N-1 + 2 sum over 0 < n < N-1 of x_n cos(pi n k / (N-1)); N >= 2
 *   dct2   2 sum x_n cos(pi (n + 1/2) k / N)
 *   dct3   x_0 + 2 sum over n > 0 of x_n cos(pi n (k + 1/2) / N)
 *   dct4   2 sum x_n cos(pi (n + 1/2) (k + 1/2) / N)
 *   dst1   2 sum x_n sin(pi (n + 1) (k + 1) / (N + 1))
 *   dst2   2 sum x_n sin(pi (n + 1/2) (k + 1) / N)
 *   dst3   (-1)^k x_N-1 + 2 sum over n < N-1 of x_n sin(pi (n + 1) (k + 1/2) / N)
 *   dst4   2 sum x_n sin(pi (n + 1/2) (k + 1/2) / N)
 *   idxst  sum over n > 0 of x_n sin(pi n (k + 1/2) / N)
 * with the norms
 *   none     as above
 *   inverse  divided by L: the kind that undoes it, with the norm none, gives the line back
 *   ortho    divided by sqrt(L), and the samples that stand alone in a formula (dct1: the first and last, dct2:
 *            y_0, dct3: x_0, dst2: y_N-1, dst3: x_N-1; the first and last of y in dct1, too) scaled by sqrt(2) or its
 *            inverse, so that the matrix is orthogonal
 * where L is N for fft, 2(N-1) for dct1, 2(N+1) for dst1, else 2N. Of idxst, which has no inverse
 * and half the factor of dst3, inverse divides by N, and ortho multiplies by 2 / sqrt(2N). */
#ifndef FLTC_TRANSFORM_TRANSFORM_H
#define FLTC_TRANSFORM_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

enum transform {
#define TRANSFORM(kind, name, samples, inverse, times, more, table) TRANSFORM_##kind,
#include "transform/transforms.def"
#undef TRANSFORM
    TRANSFORM_COUNT
};
enum transform_norm { NORM_NONE, NORM_ORTHO, NORM_INVERSE, NORM_COUNT };
extern const char *const transform_norm_text[NORM_COUNT];

struct transform_info {
    const char *name;
    bool is_complex; /* samples, before and after */
    enum transform inverse;
    int times, more;   /* a line is transformed as times * n + more complex samples */
    const char *table; /* of the text */
};
extern const struct transform_info transform_info[TRANSFORM_COUNT];

/* The definition, in long double and in index order, for the oracle and tests. x, y: n samples;
 * complex samples are pairs. */
void transform_define(enum transform kind, enum transform_norm norm, int64_t n,
                      const long double x[], long double y[]);

/* ---- Lines side by side: what emitted code computes (texts/) ----
 * A panel has places of 2 * TRANSFORM_LANES numbers. Real lines: place n holds sample n of 32
 * lines. Complex lines: place n holds the real parts of sample n of 16 lines, then the imaginary
 * ones. */
enum { TRANSFORM_LANES = 16 };
/* Lines of a panel. */
int transform_together(enum transform kind);

/* The number of places of a panel for lines of n samples, and of numbers in its table. Both depend
 * on the kind and n. */
#define TRANSFORM_MOST (INT64_C(1) << 44) /* greater than any line of an image */
/* The least length >= n whose prime factors are 2, 3, 5 and 7; 1 if n < 1; n if n >
 * TRANSFORM_MOST. */
int64_t transform_fast_length(int64_t n);
/* The greatest divisor of n that is at most its square root. */
int64_t transform_divisor(int64_t n);
int64_t transform_places(enum transform kind, int64_t n);
int64_t transform_table(enum transform kind, int64_t n);
/* Whether lines of the same n have the same table. */
bool transform_same_table(enum transform a, enum transform_norm norm_a, enum transform b,
                          enum transform_norm norm_b);
/* Fills the table for kind, norm and n. */
void transform_prepare_f32(enum transform kind, enum transform_norm norm, int64_t n, float table[]);
void transform_prepare_f64(enum transform kind, enum transform_norm norm, int64_t n,
                           double table[]);
/* Transforms the lines of a panel in place. The content of places after the samples does not
 * matter. */
void transform_lines_f32(enum transform kind, enum transform_norm norm, int64_t n,
                         const float table[], float panel[]);
void transform_lines_f64(enum transform kind, enum transform_norm norm, int64_t n,
                         const double table[], double panel[]);

#endif
