/* The same of f32; the same in f64 is made of this text. */
#ifndef FLTC_TRANSFORM_GIVEN_GIVEN_F32_H
#define FLTC_TRANSFORM_GIVEN_GIVEN_F32_H

#include <string.h>

#include "transform/given/given.h"

/* What a table begins with is there before it is filled. */
static inline void flt_given_f32(const struct flt_fft *fft, const void *plan, float *table)
{
    const struct flt_given given = {fft, plan};
    memcpy(table, &given, sizeof given);
}

static inline void flt_dft_table_f32(int64_t n, float *table)
{
    (void)n;
    (void)table;
}

/* The complex transform of 16 lines side by side in a, each copied to one behind them and back.
 * Behind that one are 8 lines of scratch memory. */
static inline void flt_take_f32(const struct flt_steps *s, int64_t unit, const float *table,
                                float *a)
{
    const int64_t n = s->n;
    struct flt_given given;
    float *const b = a + 32 * n, *const scratch = b + (2 * n + 15) / 16 * 16;
    (void)unit;
    memcpy(&given, table, sizeof given);
    for (int l = 0; l < 16; l++) {
        for (int64_t k = 0; k < n; k++) {
            b[2 * k] = a[32 * k + l];
            b[2 * k + 1] = a[32 * k + 16 + l];
        }
        given.fft->execute(given.plan, b, scratch);
        for (int64_t k = 0; k < n; k++) {
            a[32 * k + l] = b[2 * k];
            a[32 * k + 16 + l] = b[2 * k + 1];
        }
    }
}

#endif
