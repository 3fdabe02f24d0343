/* The smoothing spline of M. Unser, A. Aldroubi and M. Eden, B-spline signal processing, IEEE
 * Trans. Signal Processing 41, 1993: along each axis a recursion of order two there, and one back.
 * Samples beyond the ends are mirrored; where recursions begin is known from so many samples as the
 * response takes to fall to 1e-4. */
#include "particles/lines.h"

/* The response of one way, and of both ways together. */
struct responses {
    float rho, omega, all, phase, gain;
};

static float response_there(const struct responses *r, int64_t k)
{
    return powf(r->rho, (float)k) * sinf((float)(k + 1) * r->omega) / sinf(r->omega);
}

static float response_of_both(const struct responses *r, int64_t k)
{
    return r->all * powf(r->rho, (float)k) *
           (cosf(r->omega * (float)k) + r->phase * sinf(r->omega * (float)k)) / r->gain;
}

static struct responses responses_of(float lambda)
{
    const float q = sqrtf(3 + 144 * lambda), xi = 1 - 96 * lambda + 24 * lambda * q;
    const float rho =
        (24 * lambda - 1 - sqrtf(xi)) / (24 * lambda) * sqrtf((48 * lambda + 24 * lambda * q) / xi);
    const float omega = atanf(sqrtf((144 * lambda - 1) / xi)), c = cosf(omega);
    const float ends = 1 - 2 * rho * c + rho * rho;
    return (struct responses){.rho = rho,
                              .omega = omega,
                              .all = (1 + rho * rho) / (1 - rho * rho) * ends /
                                     (1 + 2 * rho * c + rho * rho),
                              .phase = (1 - rho * rho) / (1 + rho * rho) / tanf(omega),
                              .gain = ends * ends};
}

/* For lines of n samples. What would lie beyond the line is added to its last sample. */
static bool spline_create(struct pool *pool, float lambda, int64_t n, struct spline *s)
{
    const struct responses r = responses_of(lambda);
    const int64_t whole = (int64_t)ceilf(fabsf(logf(1e-4f) / logf(r.rho)));
    float *weight = POOL_ARRAY(pool, float, (uint64_t)(4 * whole));
    if (!weight)
        return false;
    float *there0 = weight, *there1 = weight + whole, *back0 = weight + 2 * whole,
          *back1 = weight + 3 * whole;
    for (int64_t k = 0; k < whole; k++) {
        there0[k] = response_there(&r, k);
        there1[k] = response_there(&r, k + 1) + (k == 1 ? response_there(&r, 0) : 0);
        back0[k] = (float)(k ? 2 : 1) * response_of_both(&r, k);
        back1[k] = k == 0 ? response_of_both(&r, 1)
                          : response_of_both(&r, k - 1) + response_of_both(&r, k + 1);
    }
    *s = (struct spline){.b1 = 2 * r.rho * cosf(r.omega),
                         .b2 = -r.rho * r.rho,
                         .gain = r.gain,
                         .reach = least_of(whole, n),
                         .there = {there0, there1},
                         .back = {back0, back1}};
    for (int64_t k = s->reach; k < whole; k++)
        for (int i = 0; i < 4; i++)
            weight[i * whole + s->reach - 1] += weight[i * whole + k];
    return true;
}

/* Axes of one or two samples are left as they are. */
bool spline_smooth(struct pool *pool, const struct grid *g, float lambda, float *sample,
                   int threads)
{
    const int64_t planes = g->extent[AXIS_Z], rows = g->extent[AXIS_Y], n = g->extent[AXIS_X];
    struct spline spline[FLT_APR_AXES];
    struct lines_filter filter[FLT_APR_AXES];
    bool smooths[FLT_APR_AXES];
    void *mark = pool_mark(pool);
    for (int a = 0; a < FLT_APR_AXES; a++) {
        smooths[a] = lambda > 0 && g->extent[a] > 2;
        filter[a] = (struct lines_filter){LINES_SMOOTH, &spline[a], 0};
        if (smooths[a] && !spline_create(pool, lambda, g->extent[a], &spline[a]))
            return false;
    }
    const int64_t own = (int64_t)floats_of_lines(greatest_of(planes, greatest_of(rows, n)));
    float *room = POOL_ARRAY(pool, float, (uint64_t)(own * threads));
    if (!room)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t z = planes * t / threads; z < planes * (t + 1) / threads; z++) {
            float *plane = sample + grid_row(g, z, 0);
            if (smooths[AXIS_X])
                filter_rows(&filter[AXIS_X], plane, rows, n, room + own * t);
            if (smooths[AXIS_Y])
                filter_columns(&filter[AXIS_Y], plane, rows, n, n, room + own * t);
        }
#pragma omp parallel for schedule(static) num_threads(threads) if (smooths[AXIS_Z])
    for (int t = 0; t < threads; t++)
        for (int64_t y = rows * t / threads; smooths[AXIS_Z] && y < rows * (t + 1) / threads; y++)
            filter_columns(&filter[AXIS_Z], sample + y * n, planes, rows * n, n, room + own * t);
    pool_release(pool, mark);
    return true;
}
