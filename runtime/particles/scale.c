/* The local scale of intensity: how far values are from the mean around them, itself averaged
 * around each place, times a factor that makes it 1 for a step smoothed as much as the windows say.
 * */
#include "particles/lines.h"

/* By width of the point spread function, in samples: half-widths of the two windows. The factors
 * are those of LibAPR, found for steps in one, two and three dimensions. */
enum { WIDTHS = 6 };
static const int mean_half[WIDTHS] = {1, 1, 1, 2, 2, 3}, scale_half[WIDTHS] = {2, 3, 4, 4, 5, 6};
static const float factor[FLT_APR_AXES][WIDTHS] = {
    {13.9040f, 31.2843f, 57.4037f, 30.3767f, 45.9930f, 29.0890f},
    {13.2421f, 28.7069f, 52.0385f, 24.4272f, 34.9565f, 21.1891f},
    {12.8214f, 26.1256f, 40.2795f, 23.3692f, 36.2061f, 27.0385f}};

static int width_of(const struct flt_apr_settings *settings)
{
    const float samples = roundf(settings->psf / settings->spacing[AXIS_Y]) - 1;
    return samples < 0 ? 0 : samples > WIDTHS - 1 ? WIDTHS - 1 : (int)samples;
}

/* ---- A whole grid ---- */

/* Along axes x, y and z, where they are active. room: of a thread. */
static void along_axes(const struct grid *g, const bool active[], const struct lines_filter *f,
                       float *sample, float *room, int64_t own, int threads)
{
    const int64_t planes = g->extent[AXIS_Z], rows = g->extent[AXIS_Y], n = g->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t z = planes * t / threads; z < planes * (t + 1) / threads; z++) {
            float *plane = sample + grid_row(g, z, 0);
            if (active[AXIS_X])
                filter_rows(f, plane, rows, n, room + own * t);
            if (active[AXIS_Y])
                filter_columns(f, plane, rows, n, n, room + own * t);
        }
    if (!active[AXIS_Z])
        return;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t y = rows * t / threads; y < rows * (t + 1) / threads; y++)
            filter_columns(f, sample + y * n, planes, rows * n, n, room + own * t);
}

/* Without repeating the end; of an axis of one sample it is that. */
static int64_t mirrored(int64_t i, int64_t n)
{
    return n == 1 ? 0 : i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

static void pad(const struct grid *half, const struct grid *padded, const int64_t by[],
                const float *value, float *out, int threads)
{
    const int64_t n = half->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(padded); r++) {
        const int64_t z = r / padded->extent[AXIS_Y] - by[AXIS_Z],
                      y = r % padded->extent[AXIS_Y] - by[AXIS_Y];
        const float *from = value + grid_row(half, mirrored(z, half->extent[AXIS_Z]),
                                             mirrored(y, half->extent[AXIS_Y]));
        float *to = out + r * padded->extent[AXIS_X];
        for (int64_t i = 0; i < by[AXIS_X]; i++) {
            to[i] = from[mirrored(i - by[AXIS_X], n)];
            to[by[AXIS_X] + n + i] = from[mirrored(n + i, n)];
        }
        memcpy(to + by[AXIS_X], from, (size_t)n * sizeof *to);
    }
}

static void take_distances(uint64_t count, const float *value, float *mean, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < (int64_t)count; i++)
        mean[i] = fabsf(mean[i] - value[i]);
}

static void crop(const struct grid *half, const struct grid *padded, const int64_t by[],
                 float factor_of_scale, const float *value, float *out, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(half); r++) {
        const int64_t z = r / half->extent[AXIS_Y], y = r % half->extent[AXIS_Y];
        const float *from = value + grid_row(padded, z + by[AXIS_Z], y + by[AXIS_Y]) + by[AXIS_X];
        for (int64_t i = 0; i < half->extent[AXIS_X]; i++)
            out[r * half->extent[AXIS_X] + i] = from[i] * factor_of_scale;
    }
}

/* Of an image too small for windows along any axis: how far its mean is above its least value. */
static void scale_everywhere(uint64_t count, const float *value, float *scale)
{
    double sum = 0;
    float least = value[0];
    for (uint64_t i = 0; i < count; i++) {
        sum += (double)value[i];
        least = fminf(least, value[i]);
    }
    for (uint64_t i = 0; i < count; i++)
        scale[i] = (float)(sum / (double)count - (double)least);
}

bool local_scale(struct pool *pool, const struct grid *pixels, const struct grid *half,
                 const struct flt_apr_settings *settings, float *mean, float *scale, int threads)
{
    const int width = width_of(settings);
    bool smoothed[FLT_APR_AXES], active[FLT_APR_AXES];
    int64_t by[FLT_APR_AXES], longest = 1;
    struct grid padded = *half;
    int axes = 0;
    void *mark = pool_mark(pool);
    for (int a = 0; a < FLT_APR_AXES; a++) {
        smoothed[a] = settings->lambda > 0 && pixels->extent[a] > 2;
        active[a] = half->extent[a] > scale_half[width];
        by[a] = active[a] ? scale_half[width] : 0;
        padded.extent[a] += 2 * by[a];
        longest = greatest_of(longest, padded.extent[a]);
        axes += active[a];
    }
    const struct lines_filter evaluation = {.kind = LINES_EVALUATE},
                              around = {LINES_AVERAGE, NULL, mean_half[width]},
                              around_more = {LINES_AVERAGE, NULL, scale_half[width]};
    const int64_t own = (int64_t)floats_of_lines(longest);
    float *room = POOL_ARRAY(pool, float, (uint64_t)(own * threads));
    float *value = POOL_ARRAY(pool, float, grid_cells(&padded));
    float *averaged = POOL_ARRAY(pool, float, grid_cells(&padded));
    if (pool->failed)
        return false;
    along_axes(half, smoothed, &evaluation, mean, room, own, threads);
    if (axes == 0) {
        scale_everywhere(grid_cells(half), mean, scale);
        pool_release(pool, mark);
        return true;
    }
    pad(half, &padded, by, mean, value, threads);
    memcpy(averaged, value, grid_cells(&padded) * sizeof *value);
    along_axes(&padded, active, &around, averaged, room, own, threads);
    take_distances(grid_cells(&padded), value, averaged, threads);
    along_axes(&padded, active, &around_more, averaged, room, own, threads);
    crop(half, &padded, by, factor[axes - 1][width], averaged, scale, threads);
    pool_release(pool, mark);
    return true;
}
