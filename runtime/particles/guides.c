/* What a caller knows of an image, at half the resolution. */
#include "particles/internal.h"

/* The greatest of 2 x 2 x 2 samples, of those that are there. */
static float greatest_of_eight(const struct grid *g, const float *sample, int64_t z, int64_t y,
                               int64_t x)
{
    const int64_t *n = g->extent;
    float greatest = -INFINITY;
    for (int part = 0; part < 8; part++) {
        const int64_t k = least_of(2 * z + part / 4, n[AXIS_Z] - 1),
                      j = least_of(2 * y + part / 2 % 2, n[AXIS_Y] - 1),
                      i = least_of(2 * x + part % 2, n[AXIS_X] - 1);
        const float at = sample[grid_row(g, k, j) + (size_t)i];
        greatest = at > greatest ? at : greatest;
    }
    return greatest;
}

void take_guides(const struct grid *pixels, const struct grid *half, const struct guides *guides,
                 float *gradient, float *scale, int threads)
{
    const int64_t rows = half->extent[AXIS_Y], n = half->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(half); r++)
        for (int64_t x = 0; x < n; x++) {
            const int64_t z = r / rows, y = r % rows, i = r * n + x;
            if (guides->gradient)
                gradient[i] = greatest_of_eight(pixels, guides->gradient, z, y, x);
            if (guides->mask && !(greatest_of_eight(pixels, guides->mask, z, y, x) > 0))
                gradient[i] = 0;
        }
    if (guides->scale)
        halve(pixels, half, guides->scale, scale, threads);
}
