/* The level of the particle of each pixel. */
#include "interpret/particle_definition.h"

#include <math.h>
#include <string.h>

/* ---- Lines ---- */

/* Takes each line along an axis out of the volume, lets it be changed, and puts it back. */
static void each_line(struct definition *d, struct volume *v, int axis,
                      void (*change)(struct definition *d, float line[], int64_t n, int64_t half),
                      int64_t half)
{
    const int64_t n = v->n[axis];
    float *line = ARENA_ARRAY(d->arena, float, (size_t)n + 1);
    int64_t over[AXES] = {v->n[0], v->n[1], v->n[2]}, place[AXES];
    over[axis] = 1;
    for (size_t i = 0; i < volume_places(over); i++) {
        volume_place(over, i, place);
        for (place[axis] = 0; place[axis] < n; place[axis]++)
            line[place[axis]] = *volume_sample(v, place[0], place[1], place[2]);
        change(d, line, n, half);
        for (place[axis] = 0; place[axis] < n; place[axis]++)
            *volume_sample(v, place[0], place[1], place[2]) = line[place[axis]];
    }
}

/* The smoothing spline's coefficients: a recursion there, from two sums over the first samples, and
 * one back, from two sums over the last ones. Samples that a sum needs beyond the line are those at
 * its end. */
static void smooth_line(struct definition *d, float line[], int64_t n, int64_t half)
{
    const float lambda = d->setting[PARTICLE_SETTING_lambda];
    const float q = sqrtf(3 + 144 * lambda), xi = 1 - 96 * lambda + 24 * lambda * q;
    const float rho =
        (24 * lambda - 1 - sqrtf(xi)) / (24 * lambda) * sqrtf((48 * lambda + 24 * lambda * q) / xi);
    const float omega = atanf(sqrtf((144 * lambda - 1) / xi));
    const float b1 = 2 * rho * cosf(omega), b2 = -rho * rho;
    const float ends = 1 - 2 * rho * cosf(omega) + rho * rho, gain = ends * ends;
    const float c0 =
        (1 + rho * rho) / (1 - rho * rho) * ends / (1 + 2 * rho * cosf(omega) + rho * rho);
    const float gamma = (1 - rho * rho) / (1 + rho * rho) / tanf(omega);
    const int64_t reach = (int64_t)ceilf(fabsf(logf(1e-4f) / logf(rho)));
    const int64_t terms = reach < n ? reach : n;
    float *weight[4], sum[4] = {0};
    (void)half;
    for (int w = 0; w < 4; w++)
        weight[w] = ARENA_ARRAY(d->arena, float, (size_t)reach + 1);
#define THERE(k) (powf(rho, (float)(k)) * sinf((float)((k) + 1) * omega) / sinf(omega))
#define BOTH(k)                                                                                    \
    (c0 * powf(rho, (float)(k)) * (cosf(omega * (float)(k)) + gamma * sinf(omega * (float)(k))) /  \
     gain)
    for (int64_t k = 0; k < reach; k++) {
        weight[0][k] = THERE(k);
        weight[1][k] = THERE(k + 1) + (k == 1 ? THERE(0) : 0);
        weight[2][k] = (float)(k ? 2 : 1) * BOTH(k);
        weight[3][k] = k == 0 ? BOTH(1) : BOTH(k - 1) + BOTH(k + 1);
    }
#undef THERE
#undef BOTH
    for (int64_t k = terms; k < reach; k++)
        for (int w = 0; w < 4; w++)
            weight[w][terms - 1] += weight[w][k];
    for (int64_t k = 0; k < terms; k++) {
        sum[0] += weight[0][k] * line[k];
        sum[1] += weight[1][k] * line[k];
        sum[2] += weight[2][k] * line[n - 1 - k];
        sum[3] += weight[3][k] * line[n - 1 - k];
    }
    line[0] = sum[0];
    line[1] = sum[1];
    for (int64_t k = 2; k < n; k++)
        line[k] += b1 * line[k - 1] + b2 * line[k - 2];
    line[n - 1] = sum[2];
    line[n - 2] = sum[3];
    for (int64_t k = n - 3; k >= 0; k--)
        line[k] += b1 * line[k + 1] + b2 * line[k + 2];
    for (int64_t k = 0; k < n; k++)
        line[k] *= gain;
}

/* Values of the spline: 1/6, 4/6, 1/6, mirrored at the ends. */
static void evaluate_line(struct definition *d, float line[], int64_t n, int64_t half)
{
    float *old = ARENA_ARRAY(d->arena, float, (size_t)n + 1);
    (void)half;
    memcpy(old, line, (size_t)n * sizeof *line);
    for (int64_t k = 0; k < n; k++) {
        const float left = old[n == 1 ? 0 : k > 0 ? k - 1 : 1];
        const float right = old[n == 1 ? 0 : k + 1 < n ? k + 1 : n - 2];
        line[k] = (left + right) * (1 / 6.f) + old[k] * (4 / 6.f);
    }
}

/* Means of windows that the ends cut, by a sum that goes along with them. */
static void average_line(struct definition *d, float line[], int64_t n, int64_t half)
{
    float *old = ARENA_ARRAY(d->arena, float, (size_t)n + 1), sum = 0;
    memcpy(old, line, (size_t)n * sizeof *line);
    for (int64_t k = 0; k < half && k < n; k++)
        sum += old[k];
    for (int64_t k = 0; k < n; k++) {
        const int64_t first = k > half ? k - half : 0, last = k + half < n ? k + half : n - 1;
        if (k + half < n)
            sum += old[k + half];
        if (k > half)
            sum -= old[k - half - 1];
        line[k] = sum * (1.f / (float)(last - first + 1));
    }
}

/* ---- The level that each place needs ---- */

/* The greatest gradient of each 2 x 2 x 2, and the mean of their coefficients: of rows x, x + 1 in
 * the order of planes and rows. */
static void gradients(struct definition *d, const struct volume *c, struct volume *gradient,
                      struct volume *mean)
{
    const float by[AXES] = {1 / (2 * d->setting[PARTICLE_SETTING_spacing_z]),
                            1 / (2 * d->setting[PARTICLE_SETTING_spacing_y]),
                            1 / (2 * d->setting[PARTICLE_SETTING_spacing_x])};
    for (size_t i = 0; i < volume_places(gradient->n); i++) {
        int64_t p[AXES];
        float most = 0, sum[2] = {0};
        volume_place(gradient->n, i, p);
        for (int k = 0; k < 8; k++) {
            const int64_t z = place_inside(2 * p[0] + k / 4, c->n[0]),
                          y = place_inside(2 * p[1] + k / 2 % 2, c->n[1]),
                          x = place_inside(2 * p[2] + k % 2, c->n[2]);
            const float dy = (*volume_sample(c, z, y + 1, x) - *volume_sample(c, z, y - 1, x)) *
                             by[1],
                        dz = (*volume_sample(c, z + 1, y, x) - *volume_sample(c, z - 1, y, x)) *
                             by[0],
                        dx = (*volume_sample(c, z, y, x + 1) - *volume_sample(c, z, y, x - 1)) *
                             by[2];
            const float square = dy * dy + dz * dz + dx * dx;
            most = most > square ? most : square;
            sum[k % 2] += *volume_sample(c, z, y, x);
        }
        gradient->at[i] = sqrtf(most);
        mean->at[i] = (sum[0] + sum[1]) * 0.125f;
    }
}

static int64_t mirrored(int64_t i, int64_t n)
{
    return n == 1 ? 0 : i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

static struct volume padded(struct definition *d, const struct volume *v, const int64_t by[])
{
    const int64_t n[AXES] = {v->n[0] + 2 * by[0], v->n[1] + 2 * by[1], v->n[2] + 2 * by[2]};
    struct volume out = volume_create(d->arena, n);
    for (size_t i = 0; i < volume_places(n); i++) {
        int64_t p[AXES];
        volume_place(n, i, p);
        out.at[i] =
            *volume_sample(v, mirrored(p[0] - by[0], v->n[0]), mirrored(p[1] - by[1], v->n[1]),
                           mirrored(p[2] - by[2], v->n[2]));
    }
    return out;
}

/* mean: of coefficients, which become values. */
/* No axis has room for windows: how far the mean is above the least value, everywhere. */
static struct volume scale_of_all(struct definition *d, const struct volume *mean)
{
    struct volume scale = volume_create(d->arena, mean->n);
    double sum = 0;
    float least = mean->at[0];
    for (size_t i = 0; i < volume_places(mean->n); i++) {
        sum += (double)mean->at[i];
        least = fminf(least, mean->at[i]);
    }
    for (size_t i = 0; i < volume_places(scale.n); i++)
        scale.at[i] = (float)(sum / (double)volume_places(mean->n) - (double)least);
    return scale;
}

static struct volume local_scale(struct definition *d, const int64_t pixels[], struct volume *mean)
{
    static const int64_t mean_half[] = {1, 1, 1, 2, 2, 3}, scale_half[] = {2, 3, 4, 4, 5, 6};
    static const float factor[AXES][6] = {
        {13.9040f, 31.2843f, 57.4037f, 30.3767f, 45.9930f, 29.0890f},
        {13.2421f, 28.7069f, 52.0385f, 24.4272f, 34.9565f, 21.1891f},
        {12.8214f, 26.1256f, 40.2795f, 23.3692f, 36.2061f, 27.0385f}};
    const float samples =
        roundf(d->setting[PARTICLE_SETTING_psf] / d->setting[PARTICLE_SETTING_spacing_y]) - 1;
    const int w = samples < 0 ? 0 : samples > 5 ? 5 : (int)samples;
    int64_t by[AXES];
    int active = 0;
    for (int a = AXES; a-- > 0;) {
        by[a] = mean->n[a] > scale_half[w] ? scale_half[w] : 0;
        active += by[a] > 0;
        if (d->setting[PARTICLE_SETTING_lambda] > 0 && pixels[a] > 2)
            each_line(d, mean, a, evaluate_line, 0);
    }
    if (active == 0)
        return scale_of_all(d, mean);
    const struct volume value = padded(d, mean, by);
    struct volume around = padded(d, mean, by);
    for (int pass = 0; pass < 2; pass++) {
        for (int a = AXES; a-- > 0;)
            if (by[a])
                each_line(d, &around, a, average_line, pass ? scale_half[w] : mean_half[w]);
        for (size_t i = 0; !pass && i < volume_places(around.n); i++)
            around.at[i] = fabsf(around.at[i] - value.at[i]);
    }
    struct volume scale = volume_create(d->arena, mean->n);
    for (size_t i = 0; i < volume_places(scale.n); i++) {
        int64_t p[AXES];
        volume_place(scale.n, i, p);
        scale.at[i] = *volume_sample(&around, p[0] + by[0], p[1] + by[1], p[2] + by[2]) *
                      factor[active - 1][w];
    }
    return scale;
}

static int level_of(float ratio)
{
    int level = 0;
    if (!(ratio <= 4e9f))
        return 31;
    for (double power = 2; power <= (double)truncf(ratio); power *= 2)
        level++;
    return level;
}

static float least3(float a, float b, float c)
{
    return fminf(a, fminf(b, c));
}

/* The greatest of 2 x 2 x 2, of those that are there. */
static float greatest_of_eight(const struct volume *v, const int64_t p[])
{
    float greatest = -INFINITY;
    for (int part = 0; part < 8; part++) {
        const float at =
            *volume_sample(v, 2 * p[0] + part / 4, 2 * p[1] + part / 2 % 2, 2 * p[2] + part % 2);
        greatest = at > greatest ? at : greatest;
    }
    return greatest;
}

/* Where guides are given, they stand for what was computed. */
static void take_guides(struct definition *d, const int64_t half[], struct volume *gradient,
                        struct volume *scale)
{
    const struct volume *guide = d->guide;
    for (size_t i = 0; i < volume_places(half); i++) {
        int64_t p[AXES];
        volume_place(half, i, p);
        if (guide[GUIDE_GRADIENT].at)
            gradient->at[i] = greatest_of_eight(&guide[GUIDE_GRADIENT], p);
        if (guide[GUIDE_MASK].at && !(greatest_of_eight(&guide[GUIDE_MASK], p) > 0))
            gradient->at[i] = 0;
    }
    if (guide[GUIDE_SCALE].at)
        *scale = volume_halve(d, &guide[GUIDE_SCALE]);
}

/* By place of half the resolution. */
static int *needed_levels(struct definition *d, const struct volume *pixels)
{
    int64_t half[AXES];
    volume_half(pixels->n, half);
    struct volume c = volume_create(d->arena, pixels->n);
    struct volume gradient = volume_create(d->arena, half), mean = volume_create(d->arena, half);
    int *needed = ARENA_ARRAY(d->arena, int, volume_places(half) + 1);
    const float *s = d->setting;
    memcpy(c.at, pixels->at, volume_places(c.n) * sizeof *c.at);
    for (int a = AXES; a-- > 0;)
        if (s[PARTICLE_SETTING_lambda] > 0 && c.n[a] > 2)
            each_line(d, &c, a, smooth_line, 0);
    gradients(d, &c, &gradient, &mean);
    struct volume scale = local_scale(d, pixels->n, &mean);
    take_guides(d, half, &gradient, &scale);
    const float by = (float)((uint64_t)1 << d->levels) *
                     least3(s[PARTICLE_SETTING_spacing_z], s[PARTICLE_SETTING_spacing_y],
                            s[PARTICLE_SETTING_spacing_x]) /
                     s[PARTICLE_SETTING_error];
    for (size_t i = 0; i < volume_places(half); i++) {
        float g = mean.at[i] <= s[PARTICLE_SETTING_intensity_min] ? 0 : gradient.at[i];
        float sigma = scale.at[i];
        if (sigma < s[PARTICLE_SETTING_sigma_min])
            sigma =
                sigma < s[PARTICLE_SETTING_sigma_ignored] ? 60000 : s[PARTICLE_SETTING_sigma_min];
        if (g < s[PARTICLE_SETTING_gradient_min])
            g = 0;
        needed[i] = level_of(g / sigma * by);
    }
    return needed;
}

/* ---- Cells ---- */

enum cell { EMPTY, SEED, BESIDE, FILLER, ABOVE, ABOVE_BESIDE, SPREAD };

struct cells {
    struct definition *d;
    int *cell[MOST_LEVELS + 1];
};

static int *cell_at(const struct cells *c, int l, const int64_t p[])
{
    const int64_t *n = c->d->extent[l];
    return &c->cell[l][(p[0] * n[1] + p[1]) * n[2] + p[2]];
}

/* Whether a cell has a neighbour, at corners too, of one of the kinds. */
static bool is_beside(const struct cells *c, int l, const int64_t p[], unsigned kinds)
{
    const int64_t *n = c->d->extent[l];
    for (int k = 0; k < 27; k++) {
        const int64_t q[AXES] = {p[0] + k / 9 - 1, p[1] + k / 3 % 3 - 1, p[2] + k % 3 - 1};
        if (q[0] >= 0 && q[0] < n[0] && q[1] >= 0 && q[1] < n[1] && q[2] >= 0 && q[2] < n[2] &&
            kinds >> *cell_at(c, l, q) & 1)
            return true;
    }
    return false;
}

static void seed_cells(struct cells *c, int *needed)
{
    const int top = c->d->levels - 1;
    for (int l = top; l >= 1; l--) {
        const int64_t *n = c->d->extent[l];
        for (size_t i = 0; i < volume_places(n); i++)
            c->cell[l][i] =
                l == top ? needed[i] >= l : needed[i] == l || (l == 1 && needed[i] == 0);
        const int64_t *above = c->d->extent[l - 1];
        int *most = ARENA_ARRAY(c->d->arena, int, volume_places(above) + 1);
        for (size_t i = 0; i < volume_places(n); i++) {
            int64_t p[AXES];
            volume_place(n, i, p);
            int *at = &most[(p[0] / 2 * above[1] + p[1] / 2) * above[2] + p[2] / 2];
            *at = *at > needed[i] ? *at : needed[i];
        }
        needed = most;
    }
}

/* Each rule looks at what the rules before it have left. */
static void pull_level(struct cells *c, int l)
{
    const int64_t *n = c->d->extent[l];
    const int top = c->d->levels - 1;
    for (int rule = 0; rule < 4; rule++) {
        int *made = ARENA_ARRAY(c->d->arena, int, volume_places(n) + 1);
        memcpy(made, c->cell[l], volume_places(n) * sizeof *made);
        for (size_t i = 0; i < volume_places(n); i++) {
            int64_t p[AXES];
            const int own = c->cell[l][i];
            volume_place(n, i, p);
            if (rule == 0 && l < top && (own == EMPTY || own == SEED) &&
                is_beside(c, l, p, 1u << ABOVE))
                made[i] = own == EMPTY ? ABOVE_BESIDE : SPREAD;
            if (rule == 2 && own == EMPTY && is_beside(c, l, p, 1u << SEED | 1u << SPREAD))
                made[i] = BESIDE;
            for (int k = 0; rule == 1 && l < top && (own == ABOVE_BESIDE || own == SPREAD) && k < 8;
                 k++) {
                const int64_t q[AXES] = {2 * p[0] + k / 4, 2 * p[1] + k / 2 % 2, 2 * p[2] + k % 2};
                const int64_t *m = c->d->extent[l + 1];
                if (q[0] < m[0] && q[1] < m[1] && q[2] < m[2] && *cell_at(c, l + 1, q) == EMPTY)
                    *cell_at(c, l + 1, q) = FILLER;
            }
            if (rule == 3 && l > 1 && (own == SEED || own == SPREAD || own == ABOVE)) {
                const int64_t q[AXES] = {p[0] / 2, p[1] / 2, p[2] / 2};
                if (*cell_at(c, l - 1, q) != SEED)
                    *cell_at(c, l - 1, q) = ABOVE;
            }
        }
        c->cell[l] = made;
    }
}

/* Whether a cell of level l is a particle: one that is beside fine ones or fills, or a part of a
 * seed. */
static bool is_particle(const struct cells *c, int l, const int64_t p[])
{
    const int64_t above[AXES] = {p[0] / 2, p[1] / 2, p[2] / 2};
    if (c->d->levels <= 2)
        return l == c->d->levels;
    if (l < c->d->levels && (*cell_at(c, l, p) == BESIDE || *cell_at(c, l, p) == FILLER))
        return true;
    return l > 1 && *cell_at(c, l - 1, above) == SEED;
}

void define_levels(struct definition *d, struct volume *pixels)
{
    struct cells c = {d, {NULL}};
    for (int l = 1; l < d->levels; l++)
        c.cell[l] = ARENA_ARRAY(d->arena, int, volume_places(d->extent[l]) + 1);
    if (d->levels > 2) {
        seed_cells(&c, needed_levels(d, pixels));
        for (int l = d->levels - 1; l >= 1; l--)
            pull_level(&c, l);
    }
    for (int l = d->levels; l >= 1; l--) {
        const int shift = d->levels - l;
        for (size_t i = 0; i < volume_places(pixels->n); i++) {
            int64_t p[AXES];
            volume_place(pixels->n, i, p);
            const int64_t q[AXES] = {p[0] >> shift, p[1] >> shift, p[2] >> shift};
            if (is_particle(&c, l, q))
                pixels->at[i] = (float)l;
        }
    }
}
