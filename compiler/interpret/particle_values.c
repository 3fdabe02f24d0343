/* Volumes, the values of particles, and their convolution. */
#include "interpret/particle_definition.h"

#include <string.h>

/* ---- Volumes ---- */

size_t volume_places(const int64_t n[])
{
    return (size_t)(n[0] * n[1] * n[2]);
}

struct volume volume_create(struct arena *arena, const int64_t n[])
{
    struct volume v = {{n[0], n[1], n[2]}, ARENA_ARRAY(arena, float, volume_places(n) + 1)};
    return v;
}

int64_t place_inside(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

float *volume_sample(const struct volume *v, int64_t z, int64_t y, int64_t x)
{
    return &v->at[(place_inside(z, v->n[0]) * v->n[1] + place_inside(y, v->n[1])) * v->n[2] +
                  place_inside(x, v->n[2])];
}

void volume_place(const int64_t n[], size_t i, int64_t place[])
{
    place[0] = (int64_t)i / (n[1] * n[2]);
    place[1] = (int64_t)i / n[2] % n[1];
    place[2] = (int64_t)i % n[2];
}

int greatest_level_of(const int64_t n[])
{
    int levels = 1;
    for (int a = 0; a < AXES; a++)
        while ((int64_t)1 << levels < n[a])
            levels++;
    return levels;
}

void volume_half(const int64_t n[], int64_t half[])
{
    for (int a = 0; a < AXES; a++)
        half[a] = (n[a] + 1) / 2;
}

struct volume volume_halve(struct definition *d, const struct volume *v)
{
    int64_t half[AXES];
    volume_half(v->n, half);
    struct volume out = volume_create(d->arena, half);
    for (size_t i = 0; i < volume_places(half); i++) {
        int64_t p[AXES];
        float sum = -0.f; /* eight of -0 are -0 */
        volume_place(half, i, p);
        for (int k = 0; k < 8; k++)
            sum += *volume_sample(v, 2 * p[0] + k / 4, 2 * p[1] + k / 2 % 2, 2 * p[2] + k % 2);
        out.at[i] = 0.125f * sum;
    }
    return out;
}

/* ---- Means ---- */

void define_means(struct definition *d, const struct volume *level, struct volume *pixels)
{
    struct volume mean = volume_create(d->arena, pixels->n);
    memcpy(mean.at, pixels->at, volume_places(pixels->n) * sizeof *mean.at);
    for (int l = d->levels; l >= 1; l--) {
        const int shift = d->levels - l;
        for (size_t i = 0; i < volume_places(pixels->n); i++) {
            int64_t p[AXES];
            volume_place(pixels->n, i, p);
            if ((int)level->at[i] == l)
                pixels->at[i] = *volume_sample(&mean, p[0] >> shift, p[1] >> shift, p[2] >> shift);
        }
        mean = volume_halve(d, &mean);
    }
}

/* ---- Convolution ---- */

struct volume define_grid(struct definition *d, const struct convolution *c,
                          const struct volume *finer, int l)
{
    const int shift = d->levels - l;
    struct volume grid =
        l == d->levels ? volume_create(d->arena, finer->n) : volume_halve(d, finer);
    for (size_t i = 0; i < volume_places(grid.n); i++) {
        int64_t p[AXES];
        volume_place(grid.n, i, p);
        if ((int)*volume_sample(c->level, p[0] << shift, p[1] << shift, p[2] << shift) <= l)
            grid.at[i] = *volume_sample(c->value, p[0] << shift, p[1] << shift, p[2] << shift);
    }
    return grid;
}

static float outside(const struct convolution *c, int64_t p[])
{
    for (int a = 0; a < AXES; a++) {
        const int64_t n = c->grid.n[a];
        if ((p[a] < 0 || p[a] >= n) && c->border[a] == FLT_APR_ZERO)
            return 0;
        while (c->border[a] == FLT_APR_REFLECT101 && n > 1 && (p[a] < 0 || p[a] >= n))
            p[a] = p[a] < 0 ? -p[a] : 2 * (n - 1) - p[a];
    }
    return *volume_sample(&c->grid, p[0], p[1], p[2]);
}

/* Of the places of a cell, how many meet the cell `by` further on, a sample `from` further on. */
static int64_t meetings(int64_t side, int64_t from, int64_t by)
{
    int64_t count = 0;
    for (int64_t q = 0; q < side; q++) {
        const int64_t at = q + from;
        count += (at < 0 ? -((-at + side - 1) / side) : at / side) == by;
    }
    return count;
}

/* Those of all weights v of an axis, for cells from -extent to extent further on. */
static int64_t *all_meetings(struct definition *d, int64_t side, int64_t extent)
{
    int64_t *count = ARENA_ARRAY(d->arena, int64_t, (size_t)((2 * extent + 1) * extent));
    for (int64_t by = -extent; by <= extent; by++)
        for (int64_t v = 0; v < extent; v++)
            count[(by + extent) * extent + v] = meetings(side, extent / 2 - v, by);
    return count;
}

/* The weight of the cell at a place of 2 extent + 1 along each axis; false: it meets none. */
static bool weight_of(const struct convolution *c, int64_t side, int64_t *const count[],
                      const int64_t place[], float *weight)
{
    bool meets = false;
    double sum = 0;
    for (size_t i = 0; i < volume_places(c->extent); i++) {
        int64_t v[AXES];
        double part = c->weight[i];
        bool all = true;
        volume_place(c->extent, i, v);
        for (int a = 0; a < AXES; a++) {
            const int64_t met = count[a][place[a] * c->extent[a] + v[a]];
            part *= (double)met / (double)side;
            all = all && met > 0;
        }
        meets = meets || all;
        sum += part;
    }
    *weight =
        (float)(c->coarser == FLT_APR_RESCALED ? sum / (double)((int64_t)1 << c->shift) : sum);
    return meets;
}

struct cell_met {
    int64_t place[AXES];
};

/* Cells that weights may meet: as far as the kernel goes, on either side. */
static void convolve_level(struct definition *d, const struct convolution *c, struct volume *result)
{
    const int64_t around[AXES] = {2 * c->extent[0] + 1, 2 * c->extent[1] + 1, 2 * c->extent[2] + 1};
    const int64_t side = c->coarser == FLT_APR_RESTRICTED ? (int64_t)1 << c->shift : 1;
    float *weight = ARENA_ARRAY(d->arena, float, volume_places(around));
    struct cell_met *met = ARENA_ARRAY(d->arena, struct cell_met, volume_places(around));
    int64_t *count[AXES];
    size_t weights = 0;
    for (int a = 0; a < AXES; a++)
        count[a] = all_meetings(d, side, c->extent[a]);
    for (size_t i = 0; i < volume_places(around); i++) {
        volume_place(around, i, met[weights].place);
        if (weight_of(c, side, count, met[weights].place, &weight[weights]))
            weights++;
    }
    for (size_t i = 0; i < volume_places(result->n); i++) {
        int64_t p[AXES];
        float sum = 0;
        volume_place(result->n, i, p);
        if ((int)c->level->at[i] != c->l)
            continue;
        for (size_t k = 0; k < weights; k++) {
            int64_t at[AXES];
            for (int a = 0; a < AXES; a++)
                at[a] = (p[a] >> c->shift) + met[k].place[a] - c->extent[a];
            sum += weight[k] * outside(c, at);
        }
        result->at[i] = sum;
    }
}

struct volume define_convolution(struct definition *d, struct convolution *c)
{
    struct volume result = volume_create(d->arena, c->value->n);
    for (c->l = d->levels; c->l >= 1; c->l--) {
        c->shift = d->levels - c->l;
        c->grid = define_grid(d, c, c->l == d->levels ? c->value : &c->grid, c->l);
        convolve_level(d, c, &result);
    }
    return result;
}
