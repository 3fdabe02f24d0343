/* What a convolution is at the grid of each level: its kernel there, and what it meets outside. */
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
