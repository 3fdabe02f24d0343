/* Gradients are central differences of spline coefficients; at the ends of an axis, one place is
 * taken for the one beyond. */
#include "particles/internal.h"

/* Of one row of coefficients: its neighbours along y and z. */
struct neighbours {
    const float *at, *above, *below, *front, *behind;
};

static struct neighbours neighbours_of(const struct grid *g, const float *coefficient, int64_t z,
                                       int64_t y)
{
    const int64_t last_z = g->extent[AXIS_Z] - 1, last_y = g->extent[AXIS_Y] - 1;
    return (struct neighbours){.at = coefficient + grid_row(g, z, y),
                               .above = coefficient + grid_row(g, z, greatest_of(y - 1, 0)),
                               .below = coefficient + grid_row(g, z, least_of(y + 1, last_y)),
                               .front = coefficient + grid_row(g, greatest_of(z - 1, 0), y),
                               .behind = coefficient + grid_row(g, least_of(z + 1, last_z), y)};
}

static inline float square_at(const struct neighbours *n, const float by[], int64_t x, int64_t left,
                              int64_t right)
{
    const float dy = (n->below[x] - n->above[x]) * by[AXIS_Y],
                dz = (n->behind[x] - n->front[x]) * by[AXIS_Z],
                dx = (n->at[right] - n->at[left]) * by[AXIS_X];
    return dy * dy + dz * dz + dx * dx;
}

/* Takes one row into the greatest squares and the sums. */
static void take_row(const struct neighbours *n, int64_t count, const float by[], float *square,
                     float *sum)
{
    const int64_t last = count - 1;
    for (int64_t x = 1; x < last; x++) {
        const float s = square_at(n, by, x, x - 1, x + 1);
        square[x] = square[x] > s ? square[x] : s;
        sum[x] += n->at[x];
    }
    for (int end = 0; end < (last > 0 ? 2 : 1); end++) {
        const int64_t x = end ? last : 0;
        const float s = square_at(n, by, x, greatest_of(x - 1, 0), least_of(x + 1, last));
        square[x] = square[x] > s ? square[x] : s;
        sum[x] += n->at[x];
    }
}

static void take_half_row(const struct grid *g, const float by[], const float *coefficient,
                          int64_t z, int64_t y, float *room, float *gradient, float *mean)
{
    const int64_t count = g->extent[AXIS_X];
    float *square = room, *sum = room + count;
    memset(room, 0, (size_t)(2 * count) * sizeof *room);
    for (int part = 0; part < 4; part++) {
        const struct neighbours n =
            neighbours_of(g, coefficient, least_of(2 * z + part / 2, g->extent[AXIS_Z] - 1),
                          least_of(2 * y + part % 2, g->extent[AXIS_Y] - 1));
        take_row(&n, count, by, square, sum);
    }
    for (int64_t x = 0; x < (count + 1) / 2; x++) {
        const int64_t next = least_of(2 * x + 1, count - 1);
        gradient[x] = sqrtf(square[2 * x] > square[next] ? square[2 * x] : square[next]);
        mean[x] = (sum[2 * x] + sum[next]) * 0.125f;
    }
}

bool gradient_halves(struct pool *pool, const struct grid *g, const float spacing[],
                     const float *coefficient, float *gradient, float *mean, int threads)
{
    const struct grid half = grid_half(g);
    const int64_t rows = (int64_t)grid_rows(&half), own = 2 * g->extent[AXIS_X];
    float by[FLT_APR_AXES];
    void *mark = pool_mark(pool);
    float *room = POOL_ARRAY(pool, float, (uint64_t)(own * threads));
    if (!room)
        return false;
    for (int a = 0; a < FLT_APR_AXES; a++)
        by[a] = 1 / (2 * spacing[a]);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t r = rows * t / threads; r < rows * (t + 1) / threads; r++) {
            const int64_t z = r / half.extent[AXIS_Y], y = r % half.extent[AXIS_Y];
            take_half_row(g, by, coefficient, z, y, room + own * t,
                          gradient + grid_row(&half, z, y), mean + grid_row(&half, z, y));
        }
    pool_release(pool, mark);
    return true;
}
