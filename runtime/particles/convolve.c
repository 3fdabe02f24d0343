/* The convolution of an adaptive image, as arrays of pixels: at each particle on the grid of its
 * level, where finer particles have their nodes' means, and coarser ones their own value in each of
 * the cells that they cover. */
#include "particles/internal.h"

/* ---- Kernels of coarser levels ---- */

static int64_t floor_shift(int64_t a, int shift)
{
    return a >= 0 ? a >> shift : -((-a + ((int64_t)1 << shift) - 1) >> shift);
}

/* The sample that weight v of an axis meets is `middle - v` further on. Of the 2^shift places of a
 * cell, how many meet one in the cell that is `d` cells on. */
static int64_t places_meeting(int64_t middle, int64_t v, int64_t d, int shift)
{
    const int64_t side = (int64_t)1 << shift, from = middle - v;
    const int64_t begin = greatest_of(d * side, from), end = least_of((d + 1) * side, from + side);
    return greatest_of(end - begin, 0);
}

/* One axis of a kernel of a level. */
struct kernel_axis {
    int64_t n, middle; /* weights; the one that meets the place itself */
    int reach;         /* cells of 2^reach */
    bool all;          /* weights that meet nothing count, too */
};

/* The weights, from *v to *end, that may meet the cell that is `d` cells on. */
static void weights_meeting(const struct kernel_axis *a, int64_t d, int64_t *v, int64_t *end)
{
    const int64_t side = (int64_t)1 << a->reach;
    *v = a->all ? 0 : greatest_of(0, a->middle - (d + 1) * side + 1);
    *end = a->all ? a->n : least_of(a->n, a->middle - (d - 1) * side);
}

/* The weight of the cell that is `d` cells on: times the share of places whose weight meets it. */
static double weight_of_cell(const float weight[], const struct kernel_axis axis[],
                             const int64_t d[])
{
    int64_t first[FLT_APR_AXES], end[FLT_APR_AXES];
    double sum = 0;
    for (int a = 0; a < FLT_APR_AXES; a++)
        weights_meeting(&axis[a], d[a], &first[a], &end[a]);
    for (int64_t i = first[0]; i < end[0]; i++) {
        const double by_z =
            ldexp((double)places_meeting(axis[0].middle, i, d[0], axis[0].reach), -axis[0].reach);
        for (int64_t j = first[1]; j < end[1]; j++) {
            const double by_y = ldexp(
                (double)places_meeting(axis[1].middle, j, d[1], axis[1].reach), -axis[1].reach);
            const float *row = weight + (i * axis[1].n + j) * axis[2].n;
            for (int64_t m = first[2]; m < end[2]; m++)
                sum += (double)row[m] * by_z * by_y *
                       ldexp((double)places_meeting(axis[2].middle, m, d[2], axis[2].reach),
                             -axis[2].reach);
        }
    }
    return sum;
}

static bool all_are_finite(const float weight[], int64_t count)
{
    bool finite = true;
    for (int64_t i = 0; i < count; i++)
        finite = finite && isfinite(weight[i]);
    return finite;
}

struct kernel kernel_of_level(const float weight[], const int32_t form[], int shift, float *room)
{
    enum flt_apr_coarser coarser = (enum flt_apr_coarser)form[6];
    struct kernel k = {.weight = room};
    struct kernel_axis axis[FLT_APR_AXES];
    const int reach = coarser == FLT_APR_RESTRICTED ? shift : 0;
    const double scale = coarser == FLT_APR_RESCALED ? ldexp(1, -shift) : 1;
    const bool finite = all_are_finite(weight, (int64_t)form[0] * form[1] * form[2]);
    for (int a = 0; a < FLT_APR_AXES; a++) {
        const int64_t n = form[a], middle = n / 2;
        axis[a] = (struct kernel_axis){n, middle, reach, !finite};
        k.first[a] = floor_shift(middle - (n - 1), reach);
        k.extent[a] = floor_shift(((int64_t)1 << reach) - 1 + middle, reach) - k.first[a] + 1;
    }
    for (int64_t i = 0; i < k.extent[0]; i++)
        for (int64_t j = 0; j < k.extent[1]; j++)
            for (int64_t m = 0; m < k.extent[2]; m++) {
                const int64_t d[] = {k.first[0] + i, k.first[1] + j, k.first[2] + m};
                *room++ = (float)(weight_of_cell(weight, axis, d) * scale);
            }
    return k;
}

/* ---- Borders ---- */

int64_t place_at(int64_t i, int64_t n, int border)
{
    if (i >= 0 && i < n)
        return i;
    if (border == FLT_APR_ZERO)
        return -1;
    if (border == FLT_APR_CLAMP || n == 1)
        return i < 0 ? 0 : n - 1;
    const int64_t period = 2 * (n - 1), at = (i % period + period) % period;
    return at < n ? at : period - at;
}

/* ---- Sums ---- */

struct convolution {
    struct grid grid, pixels;
    struct kernel kernel;
    const float *sample; /* of the level's grid */
    const uint8_t *level;
    float *value;          /* of pixels */
    const int32_t *border; /* by axis */
    int l, shift;
};

/* The samples that row (i, j) of the kernel meets; NULL: zeros. */
static const float *row_met(const struct convolution *c, int64_t z, int64_t y, int64_t i, int64_t j)
{
    const int64_t *n = c->grid.extent, *first = c->kernel.first;
    const int64_t at_z = place_at(z + first[AXIS_Z] + i, n[AXIS_Z], c->border[AXIS_Z]),
                  at_y = place_at(y + first[AXIS_Y] + j, n[AXIS_Y], c->border[AXIS_Y]);
    return at_z < 0 || at_y < 0 ? NULL : c->sample + grid_row(&c->grid, at_z, at_y);
}

/* At one cell, wherever it is. */
static float sum_at(const struct convolution *c, int64_t z, int64_t y, int64_t x)
{
    const struct kernel *k = &c->kernel;
    const float *weight = k->weight;
    float sum = 0;
    for (int64_t i = 0; i < k->extent[0]; i++)
        for (int64_t j = 0; j < k->extent[1]; j++, weight += k->extent[2]) {
            const float *row = row_met(c, z, y, i, j);
            for (int64_t m = 0; row && m < k->extent[2]; m++) {
                const int64_t at =
                    place_at(x + k->first[2] + m, c->grid.extent[AXIS_X], c->border[AXIS_X]);
                if (at >= 0)
                    sum += weight[m] * row[at];
            }
        }
    return sum;
}

enum { MOST_TOGETHER = 32 };

/* Of `count` cells from x on, whose kernels stay inside along the row; each sum in the same order.
 * */
static void sums_inside(const struct convolution *c, int64_t z, int64_t y, int64_t x, int64_t count,
                        float sum[MOST_TOGETHER])
{
    const struct kernel *k = &c->kernel;
    const float *weight = k->weight;
    for (int64_t q = 0; q < count; q++)
        sum[q] = 0;
    for (int64_t i = 0; i < k->extent[0]; i++)
        for (int64_t j = 0; j < k->extent[1]; j++, weight += k->extent[2]) {
            const float *row = row_met(c, z, y, i, j);
            for (int64_t m = 0; row && m < k->extent[2]; m++)
                for (int64_t q = 0; q < count; q++)
                    sum[q] += weight[m] * row[x + k->first[2] + m + q];
        }
}

/* Pixels of cells from x on become their sums. */
static void put_cells(const struct convolution *c, int64_t z, int64_t y, int64_t x, int64_t count,
                      const float sum[])
{
    const int64_t *all = c->pixels.extent;
    const int64_t end_z = least_of((z + 1) << c->shift, all[AXIS_Z]),
                  end_y = least_of((y + 1) << c->shift, all[AXIS_Y]),
                  end_x = least_of((x + count) << c->shift, all[AXIS_X]);
    for (int64_t k = z << c->shift; k < end_z; k++)
        for (int64_t j = y << c->shift; j < end_y; j++) {
            float *row = c->value + grid_row(&c->pixels, k, j);
            for (int64_t i = x << c->shift; i < end_x; i++)
                row[i] = sum[(i >> c->shift) - x];
        }
}

/* The particles of one row of cells. */
static void convolve_row(const struct convolution *c, int64_t z, int64_t y)
{
    const uint8_t *level = c->level + grid_row(&c->pixels, z << c->shift, y << c->shift);
    const int64_t n = c->grid.extent[AXIS_X], first = -c->kernel.first[2],
                  end = n - c->kernel.extent[2] + 1 + first; /* inside */
    float sum[MOST_TOGETHER];
    for (int64_t x = 0, count; x < n; x += count) {
        count = 1;
        if (level[x << c->shift] != c->l)
            continue;
        if (x < first || x >= end) {
            sum[0] = sum_at(c, z, y, x);
        } else {
            while (count < MOST_TOGETHER && x + count < end &&
                   level[(x + count) << c->shift] == c->l)
                count++;
            sums_inside(c, z, y, x, count, sum);
        }
        put_cells(c, z, y, x, count, sum);
    }
}

/* Of cells in coarser particles their value, which means of equal numbers may miss. */
static void keep_coarser(const struct convolution *c, float *sample, int threads)
{
    const int64_t rows = c->grid.extent[AXIS_Y];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(&c->grid); r++) {
        const size_t from = grid_row(&c->pixels, r / rows << c->shift, r % rows << c->shift);
        for (int64_t x = 0; x < c->grid.extent[AXIS_X]; x++)
            if (c->level[from + (size_t)(x << c->shift)] <= c->l)
                sample[r * c->grid.extent[AXIS_X] + x] = c->value[from + (size_t)(x << c->shift)];
    }
}

void flt_apr_convolve(const int64_t extent[FLT_APR_AXES], float *value, const uint8_t *level,
                      const float kernel[], const int32_t form[], void *room, size_t bytes,
                      int threads)
{
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid grid[FLT_APR_LEVELS + 1];
    float *sample[FLT_APR_LEVELS + 1];
    const int levels = grids_of(&pixels, grid), many = dense_threads(threads);
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    float *weight = POOL_ARRAY(&pool, float, FLT_APR_WEIGHTS);
    struct convolution c = {.pixels = pixels, .level = level, .value = value, .border = form + 3};
    for (int l = levels; l >= 1; l--) {
        sample[l] = POOL_ARRAY(&pool, float, grid_cells(&grid[l]));
        if (pool.failed)
            return;
        c.grid = grid[l];
        c.l = l;
        c.shift = levels - l;
        if (l == levels) {
            memcpy(sample[l], value, grid_cells(&pixels) * sizeof *value);
            continue;
        }
        halve(&grid[l + 1], &grid[l], sample[l + 1], sample[l], many);
        keep_coarser(&c, sample[l], many);
    }
    for (int l = levels; l >= 1; l--) {
        c.grid = grid[l];
        c.l = l;
        c.shift = levels - l;
        c.sample = sample[l];
        c.kernel = kernel_of_level(kernel, form, c.shift, weight);
#pragma omp parallel for schedule(dynamic, 4) num_threads(many)
        for (int64_t r = 0; r < (int64_t)grid_rows(&c.grid); r++)
            convolve_row(&c, r / c.grid.extent[AXIS_Y], r % c.grid.extent[AXIS_Y]);
    }
}
