/* The local scale of intensity: how far values are from the mean around them, itself averaged
 * around each place, times a factor that makes it 1 for a step smoothed as much as the windows say.
 * */
#include "particles/internal.h"

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

/* ---- Along one axis ---- */

/* One axis of a grid: `lanes` lines side by side, of n samples, a stride apart. */
struct lines {
    float *first;
    int64_t n, stride, lanes;
};

/* Values of the spline from its coefficients, mirrored at the ends. room: 2 x lanes. */
static void evaluate(const struct lines *l, float *room)
{
    float *before = room, *at = room + l->lanes;
    for (int64_t i = 0; i < l->lanes; i++) {
        at[i] = l->first[i];
        before[i] = l->n > 1 ? l->first[l->stride + i] : at[i];
    }
    for (int64_t k = 0; k < l->n; k++) {
        float *sample = l->first + k * l->stride;
        const float *next = k + 1 < l->n ? sample + l->stride : before;
        for (int64_t i = 0; i < l->lanes; i++) {
            const float own = at[i], left = before[i], right = next[i];
            sample[i] = (left + right) * (1 / 6.f) + own * (4 / 6.f);
            before[i] = own;
            at[i] = k + 1 < l->n ? right : own;
        }
    }
}

/* Means of windows of `half` samples to both sides, which the ends cut. room: (n + 1) x lanes. */
static void average(const struct lines *l, int64_t half, float *room)
{
    const int64_t n = l->n, lanes = l->lanes;
    float *sum = room + n * lanes;
    for (int64_t k = 0; k < n; k++)
        memcpy(room + k * lanes, l->first + k * l->stride, (size_t)lanes * sizeof *room);
    memset(sum, 0, (size_t)lanes * sizeof *sum);
    for (int64_t k = 0; k < least_of(half, n); k++)
        for (int64_t i = 0; i < lanes; i++)
            sum[i] += room[k * lanes + i];
    for (int64_t k = 0; k < n; k++) {
        const int64_t first = greatest_of(k - half, 0), last = least_of(k + half, n - 1);
        const float by = 1.f / (float)(last - first + 1);
        for (int64_t i = 0; k + half < n && i < lanes; i++)
            sum[i] += room[(k + half) * lanes + i];
        for (int64_t i = 0; k > half && i < lanes; i++)
            sum[i] -= room[(k - half - 1) * lanes + i];
        for (int64_t i = 0; i < lanes; i++)
            l->first[k * l->stride + i] = sum[i] * by;
    }
}

/* ---- A whole grid ---- */

typedef void action(const struct lines *lines, int64_t argument, float *room);

static void evaluate_lines(const struct lines *lines, int64_t argument, float *room)
{
    (void)argument;
    evaluate(lines, room);
}

/* Lines side by side that one call takes: what fits caches. */
enum { MOST_LANES = 256 };

static struct lines lines_of(const struct grid *g, float *sample, int axis, int64_t i)
{
    const int64_t rows = g->extent[AXIS_Y], n = g->extent[AXIS_X];
    return axis == AXIS_X   ? (struct lines){sample + i * n, n, 1, 1}
           : axis == AXIS_Y ? (struct lines){sample + i * rows * n, rows, n, n}
                            : (struct lines){sample + i * n, g->extent[AXIS_Z], rows * n, n};
}

/* Along axes x, y and z, where they are active. room: of a thread. */
static void along_axes(const struct grid *g, const bool active[], action *act, int64_t argument,
                       float *sample, float *room, int64_t own, int threads)
{
    for (int axis = FLT_APR_AXES; axis-- > 0;) {
        const int64_t count = axis == AXIS_X   ? (int64_t)grid_rows(g)
                              : axis == AXIS_Y ? g->extent[AXIS_Z]
                                               : g->extent[AXIS_Y];
        if (!active[axis])
            continue;
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int t = 0; t < threads; t++)
            for (int64_t i = count * t / threads; i < count * (t + 1) / threads; i++) {
                const struct lines all = lines_of(g, sample, axis, i);
                for (int64_t first = 0; first < all.lanes; first += MOST_LANES) {
                    struct lines some = all;
                    some.first += first;
                    some.lanes = least_of(MOST_LANES, all.lanes - first);
                    act(&some, argument, room + own * t);
                }
            }
    }
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
    for (int a = 0; a < FLT_APR_AXES; a++) {
        smoothed[a] = settings->lambda > 0 && pixels->extent[a] > 2;
        active[a] = half->extent[a] > scale_half[width];
        by[a] = active[a] ? scale_half[width] : 0;
        padded.extent[a] += 2 * by[a];
        longest = greatest_of(longest, padded.extent[a]);
        axes += active[a];
    }
    const int64_t own = (longest + 2) * least_of(MOST_LANES, padded.extent[AXIS_X]);
    float *room = POOL_ARRAY(pool, float, (uint64_t)(own * threads));
    float *value = POOL_ARRAY(pool, float, grid_cells(&padded));
    float *averaged = POOL_ARRAY(pool, float, grid_cells(&padded));
    if (pool->failed)
        return false;
    along_axes(half, smoothed, evaluate_lines, 0, mean, room, own, threads);
    if (axes == 0) {
        scale_everywhere(grid_cells(half), mean, scale);
        return true;
    }
    pad(half, &padded, by, mean, value, threads);
    memcpy(averaged, value, grid_cells(&padded) * sizeof *value);
    along_axes(&padded, active, average, mean_half[width], averaged, room, own, threads);
    take_distances(grid_cells(&padded), value, averaged, threads);
    along_axes(&padded, active, average, scale_half[width], averaged, room, own, threads);
    crop(half, &padded, by, factor[axes - 1][width], averaged, scale, threads);
    return true;
}
