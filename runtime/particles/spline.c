/* The smoothing spline of M. Unser, A. Aldroubi and M. Eden, B-spline signal processing, IEEE
 * Trans. Signal Processing 41, 1993: along each axis a recursion of order two there, and one back.
 * Samples beyond the ends are mirrored; where recursions begin is known from so many samples as the
 * response takes to fall to 1e-4. */
#include "particles/internal.h"

struct spline {
    float b1, b2, gain;
    int64_t reach; /* samples that tell where a recursion begins */
    /* Weights of these: of the first two results there, and the last two back. */
    const float *there[2], *back[2];
};

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

/* Lines of n samples, `lanes` of them side by side; from sample to sample it is `stride`. room: 4 x
 * lanes. */
static void smooth_lines(const struct spline *s, float *line, int64_t n, int64_t stride,
                         int64_t lanes, float *room)
{
    float *there0 = room, *there1 = room + lanes, *back0 = room + 2 * lanes,
          *back1 = room + 3 * lanes;
    memset(room, 0, (size_t)(4 * lanes) * sizeof *room);
    for (int64_t k = 0; k < s->reach; k++) {
        const float *a = line + k * stride, *b = line + (n - 1 - k) * stride;
        for (int64_t i = 0; i < lanes; i++) {
            there0[i] += s->there[0][k] * a[i];
            there1[i] += s->there[1][k] * a[i];
            back0[i] += s->back[0][k] * b[i];
            back1[i] += s->back[1][k] * b[i];
        }
    }
    memcpy(line, there0, (size_t)lanes * sizeof *line);
    memcpy(line + stride, there1, (size_t)lanes * sizeof *line);
    for (int64_t k = 2; k < n; k++) {
        float *a = line + k * stride;
        for (int64_t i = 0; i < lanes; i++)
            a[i] += s->b1 * a[i - stride] + s->b2 * a[i - 2 * stride];
    }
    float *last = line + (n - 1) * stride;
    memcpy(last, back0, (size_t)lanes * sizeof *line);
    memcpy(last - stride, back1, (size_t)lanes * sizeof *line);
    for (int64_t k = n - 3; k >= 0; k--) {
        float *a = line + k * stride;
        for (int64_t i = 0; i < lanes; i++)
            a[i] += s->b1 * a[i + stride] + s->b2 * a[i + 2 * stride];
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < lanes; i++)
            line[k * stride + i] *= s->gain;
}

enum { LANES = 16 };

/* Rows, whose samples lie one behind the other: 16 of them are turned, filtered, and turned
 * back. room: 16 x samples of a row, and 4 x 16. */
static void smooth_rows(const struct spline *s, float *row, int64_t count, int64_t n, float *room)
{
    float *turned = room + 4 * LANES;
    for (int64_t first = 0; first < count; first += LANES) {
        const int64_t lanes = least_of(LANES, count - first);
        for (int64_t i = 0; i < n; i++)
            for (int64_t r = 0; r < LANES; r++)
                turned[i * LANES + r] = r < lanes ? row[(first + r) * n + i] : 0;
        smooth_lines(s, turned, n, LANES, LANES, room);
        for (int64_t r = 0; r < lanes; r++)
            for (int64_t i = 0; i < n; i++)
                row[(first + r) * n + i] = turned[i * LANES + r];
    }
}

/* Axes of one or two samples are left as they are. */
bool spline_smooth(struct pool *pool, const struct grid *g, float lambda, float *sample,
                   int threads)
{
    const int64_t planes = g->extent[AXIS_Z], rows = g->extent[AXIS_Y], n = g->extent[AXIS_X];
    struct spline spline[FLT_APR_AXES];
    bool smooths[FLT_APR_AXES];
    for (int a = 0; a < FLT_APR_AXES; a++) {
        smooths[a] = lambda > 0 && g->extent[a] > 2;
        if (smooths[a] && !spline_create(pool, lambda, g->extent[a], &spline[a]))
            return false;
    }
    const int64_t own = greatest_of((n + 4) * LANES, 4 * n);
    float *room = POOL_ARRAY(pool, float, (uint64_t)(own * threads));
    if (!room)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t z = planes * t / threads; z < planes * (t + 1) / threads; z++) {
            float *plane = sample + grid_row(g, z, 0);
            if (smooths[AXIS_X])
                smooth_rows(&spline[AXIS_X], plane, rows, n, room + own * t);
            if (smooths[AXIS_Y])
                smooth_lines(&spline[AXIS_Y], plane, rows, n, n, room + own * t);
        }
    if (!smooths[AXIS_Z])
        return true;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t y = rows * t / threads; y < rows * (t + 1) / threads; y++)
            smooth_lines(&spline[AXIS_Z], sample + y * n, planes, rows * n, n, room + own * t);
    return true;
}
