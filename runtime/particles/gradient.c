/* Gradients are central differences of spline coefficients; at the ends of an axis, one place is
 * taken for the one beyond. */
#include "particles/internal.h"

struct half_row {
    const struct grid *g;
    const float *coefficient;
    float by[FLT_APR_AXES];
};

#define BODY "particles/gradient_body.h"
#include "particles/for_processors.h"

bool gradient_halves(struct pool *pool, const struct grid *g, const float spacing[],
                     const float *coefficient, float *gradient, float *mean, int threads)
{
    const struct grid half = grid_half(g);
    const int64_t rows = (int64_t)grid_rows(&half), own = 2 * g->extent[AXIS_X];
    struct half_row h = {.g = g, .coefficient = coefficient};
    void *mark = pool_mark(pool);
    float *room = POOL_ARRAY(pool, float, (uint64_t)(own * threads));
    if (!room)
        return false;
    for (int a = 0; a < FLT_APR_AXES; a++)
        h.by[a] = 1 / (2 * spacing[a]);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t r = rows * t / threads; r < rows * (t + 1) / threads; r++) {
            const int64_t z = r / half.extent[AXIS_Y], y = r % half.extent[AXIS_Y];
            FOR_THIS_PROCESSOR(take_half_row)
            (&h, z, y, room + own * t, gradient + grid_row(&half, z, y),
             mean + grid_row(&half, z, y));
        }
    pool_release(pool, mark);
    return true;
}
