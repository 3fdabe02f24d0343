/* Adaptive images as the oracle computes them: what runtime/particles computes, written down once
 * more: slowly, a formula at a time, over whole pyramids. Sums are taken in the order that is part
 * of the definition, in f32. Images of fewer axes have an extent of 1 in front. */
#ifndef FLTC_INTERPRET_PARTICLE_DEFINITION_H
#define FLTC_INTERPRET_PARTICLE_DEFINITION_H

#include "graph/graph.h"

#include "flt/particles.h"

enum { AXES = 3, MOST_LEVELS = 32 };

struct volume {
    int64_t n[AXES];
    float *at;
};

struct definition {
    float setting[PARTICLE_SETTINGS];
    struct volume guide[PARTICLE_GUIDES]; /* of pixels; NULL: it is not given */
    struct arena *arena;
    int levels;
    int64_t extent[MOST_LEVELS + 1][AXES]; /* by level */
};

/* ---- Volumes ---- */

size_t volume_places(const int64_t n[]);
struct volume volume_create(struct arena *arena, const int64_t n[]);
void volume_place(const int64_t n[], size_t i, int64_t place[]);
int64_t place_inside(int64_t i, int64_t n);
/* Ends repeated. */
float *volume_sample(const struct volume *v, int64_t z, int64_t y, int64_t x);
/* The least number of halvings that leave one place, 1 or more. */
int greatest_level_of(const int64_t n[]);
/* Extents of the next coarser grid, and means of 2 x 2 x 2, ends repeated. */
void volume_half(const int64_t n[], int64_t half[]);
struct volume volume_halve(struct definition *d, const struct volume *v);

/* ---- particle_levels.c ---- */

/* Levels in place of pixels. */
void define_levels(struct definition *d, struct volume *pixels);

/* ---- particle_values.c ---- */

/* Means in place of pixels; level: as define_levels makes it. */
void define_means(struct definition *d, const struct volume *level, struct volume *pixels);

struct convolution {
    const struct volume *level, *value; /* of pixels */
    struct volume grid;                 /* what a level has */
    int64_t extent[AXES];               /* of the kernel */
    const float *weight;
    int l, shift, border[AXES], coarser;
};
/* At level l: means of the finer ones, and what coarser particles have. */
struct volume define_grid(struct definition *d, const struct convolution *c,
                          const struct volume *finer, int l);
struct volume define_convolution(struct definition *d, struct convolution *c);

#endif
