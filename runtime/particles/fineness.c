#include "particles/internal.h"

/* The whole part of the logarithm to base 2; of what is no number the greatest level there is. */
static uint8_t level_of(float ratio)
{
    if (!(ratio <= 4e9f))
        return 31;
    const uint32_t whole = ratio < 1 ? 1 : (uint32_t)ratio;
    return (uint8_t)(31 - __builtin_clz(whole));
}

/* Where the scale is small, either there is no signal, or the least scale counts. */
static float counted_scale(const struct flt_apr_settings *settings, float scale)
{
    const float none = 60000;
    if (!(scale < settings->sigma_min))
        return scale;
    return scale < settings->sigma_ignored ? none : settings->sigma_min;
}

void needed_levels(const struct grid *half, const struct flt_apr_settings *settings, int levels,
                   const float *gradient, const float *mean, const float *scale, uint8_t *needed,
                   int threads)
{
    const float *h = settings->spacing;
    const float by =
        (float)((uint64_t)1 << levels) * fminf(h[0], fminf(h[1], h[2])) / settings->error;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < (int64_t)grid_cells(half); i++) {
        const float slope = mean[i] <= settings->intensity_min ? 0 : gradient[i];
        const float counted = slope < settings->gradient_min ? 0 : slope;
        needed[i] = level_of(counted / counted_scale(settings, scale[i]) * by);
    }
}
