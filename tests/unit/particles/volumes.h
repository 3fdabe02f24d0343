/* Images for tests of particles, and what holds of every structure. */
#ifndef FLTC_TEST_VOLUMES_H
#define FLTC_TEST_VOLUMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flt/particles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct volume {
    int64_t extent[FLT_APR_AXES];
    float *pixel;
};

static inline size_t volume_samples(const struct volume *v)
{
    return (size_t)(v->extent[0] * v->extent[1] * v->extent[2]);
}

static inline uint64_t volume_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* A few bright balls over a background with noise. */
static inline struct volume volume_of_balls(int64_t z, int64_t y, int64_t x, uint64_t seed)
{
    struct volume v = {{z, y, x}, NULL};
    uint64_t state = seed * 77777 + 1;
    v.pixel = malloc(volume_samples(&v) * sizeof *v.pixel);
    for (size_t i = 0; i < volume_samples(&v); i++)
        v.pixel[i] = 200 + (float)(volume_random(&state) % 8);
    for (int ball = 0; ball < 3; ball++) {
        double c[3];
        for (int a = 0; a < 3; a++)
            c[a] = (double)(volume_random(&state) % 1000) / 1000 * (double)v.extent[a];
        const double r = 2 + (double)(volume_random(&state) % 6);
        const float light = 500 + (float)(volume_random(&state) % 2000);
        for (size_t i = 0; i < volume_samples(&v); i++) {
            const double d[3] = {(double)((int64_t)i / (y * x)) - c[0],
                                 (double)((int64_t)i / x % y) - c[1],
                                 (double)((int64_t)i % x) - c[2]};
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < r * r)
                v.pixel[i] += light;
        }
    }
    return v;
}

/* What light-sheet volumes are constructed with. */
static const struct flt_apr_settings settings_of_balls = {.error = 0.1f,
                                                          .lambda = 3,
                                                          .sigma_min = 100,
                                                          .sigma_ignored = 50,
                                                          .gradient_min = 15,
                                                          .psf = 2,
                                                          .spacing = {1, 1, 1}};

static inline struct flt_apr *apr_of(const struct volume *v)
{
    struct flt_apr *apr = NULL;
    assert_int_equal(flt_apr_create(&apr, v->pixel, v->extent, &settings_of_balls, NULL, 2),
                     FLT_OK);
    return apr;
}

/* Thin, odd, flat and tiny ones. */
static const int64_t volume_shapes[][FLT_APR_AXES] = {
    {33, 40, 37}, {16, 16, 16}, {1, 60, 51}, {1, 1, 200}, {3, 30, 64}, {40, 2, 33},
    {25, 31, 1},  {1, 1, 1},    {2, 2, 2},   {1, 4, 1},   {5, 5, 5},   {64, 1, 30}};
enum { VOLUME_SHAPES = sizeof volume_shapes / sizeof volume_shapes[0] };

/* The level of each pixel's particle; fails where two have it, or none. */
static inline uint8_t *levels_of_pixels(const struct flt_apr *apr)
{
    const int32_t *n = apr->extent[apr->levels];
    const size_t samples = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    uint8_t *level = calloc(samples + 1, 1);
    for (int l = apr->particles.least; l <= apr->particles.greatest; l++) {
        const int32_t *e = apr->extent[l];
        const int shift = apr->levels - l;
        for (int64_t r = 0; r < (int64_t)e[0] * e[1]; r++)
            for (uint64_t i = apr->particles.row[l][r]; i < apr->particles.row[l][r + 1]; i++) {
                const struct flt_apr_run *run = &apr->particles.run[i];
                assert_true(run->count > 0 && run->first + run->count <= (uint32_t)e[2]);
                for (int64_t z = r / e[1] << shift; z < (r / e[1] + 1) << shift && z < n[0]; z++)
                    for (int64_t y = r % e[1] << shift; y < (r % e[1] + 1) << shift && y < n[1];
                         y++)
                        for (int64_t x = (int64_t)run->first << shift;
                             x < (int64_t)(run->first + run->count) << shift && x < n[2]; x++) {
                            uint8_t *at = &level[(z * n[1] + y) * n[2] + x];
                            assert_int_equal(*at, 0);
                            *at = (uint8_t)l;
                        }
            }
    }
    for (size_t i = 0; i < samples; i++)
        assert_int_not_equal(level[i], 0);
    return level;
}

#endif
