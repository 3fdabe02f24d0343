/* From particles to pixels, and what is told of each particle: its level and its cell. */
#include "particles/internal.h"

/* ---- Pixels ---- */

/* A part of the grid of a level. */
struct part {
    const struct flt_apr *apr;
    size_t each;
    int top; /* the level whose samples these are */
    int64_t x, end;
};

/* Samples from `first` to `end` of the row become copies of one value. */
static inline void repeat(size_t each, const void *value, char *row, int64_t first, int64_t end)
{
#define REPEAT(type)                                                                               \
    {                                                                                              \
        type v;                                                                                    \
        memcpy(&v, value, sizeof v);                                                               \
        for (int64_t i = first; i < end; i++)                                                      \
            memcpy(row + i * (int64_t)sizeof v, &v, sizeof v);                                     \
    }
    switch (each) {
    case 1:
        memset(row + first, *(const unsigned char *)value, (size_t)(end - first));
        break;
    case 2:
        REPEAT(uint16_t) break;
    case 4:
        REPEAT(uint32_t) break;
    default:
        REPEAT(uint64_t) break;
    }
#undef REPEAT
}

/* What cells of row r of level l cover of the part's row. */
static void put_runs(const struct part *p, const struct flt_apr_cells *cells, int l, int64_t r,
                     const char *value, char *row)
{
    const int shift = p->top - l;
    for (uint64_t i = cells->row[l][r]; i < cells->row[l][r + 1]; i++) {
        const struct flt_apr_run *run = &cells->run[i];
        const int64_t first = greatest_of(run->first, p->x >> shift),
                      end = least_of((int64_t)run->first + run->count, ((p->end - 1) >> shift) + 1);
        if ((int64_t)run->first << shift >= p->end)
            break;
        const char *from = value + ((int64_t)run->at - run->first) * (int64_t)p->each;
        if (shift == 0) {
            if (first < end)
                memcpy(row + (first - p->x) * (int64_t)p->each, from + first * (int64_t)p->each,
                       (size_t)(end - first) * p->each);
            continue;
        }
        for (int64_t x = first; x < end; x++)
            repeat(p->each, from + x * (int64_t)p->each, row, greatest_of(x << shift, p->x) - p->x,
                   least_of((x + 1) << shift, p->end) - p->x);
    }
}

void flt_apr_spread_box(const struct flt_apr *apr, const void *value, const void *node, size_t each,
                        int coarser, const int64_t first[FLT_APR_AXES],
                        const int64_t extent[FLT_APR_AXES], void *pixel, int threads)
{
    const int many = apr_threads(threads), top = apr->levels - coarser;
    const struct part p = {apr, each, top, first[AXIS_X], first[AXIS_X] + extent[AXIS_X]};
    const int64_t bytes = extent[AXIS_X] * (int64_t)each;
#pragma omp parallel for schedule(static) num_threads(many)
    for (int64_t r = 0; r < extent[AXIS_Z] * extent[AXIS_Y]; r++) {
        const int64_t z = first[AXIS_Z] + r / extent[AXIS_Y],
                      y = first[AXIS_Y] + r % extent[AXIS_Y];
        char *row = (char *)pixel + r * bytes;
        for (int l = apr->particles.least; l <= top; l++)
            put_runs(&p, &apr->particles, l,
                     (z >> (top - l)) * apr->extent[l][AXIS_Y] + (y >> (top - l)), value, row);
        if (coarser > 0)
            put_runs(&p, &apr->nodes, top, z * apr->extent[top][AXIS_Y] + y, node, row);
    }
}

void flt_apr_spread(const struct flt_apr *apr, const void *value, size_t each, void *pixel,
                    int threads)
{
    const int64_t first[FLT_APR_AXES] = {0};
    const struct grid g = apr_grid(apr, apr->levels);
    flt_apr_spread_box(apr, value, NULL, each, 0, first, g.extent, pixel, threads);
}

void flt_apr_to_pixels(const struct flt_apr *apr, const float *value, const float *node,
                       int coarser, float *pixel, int threads)
{
    const int64_t first[FLT_APR_AXES] = {0};
    const struct grid g = apr_grid(apr, apr->levels - coarser);
    flt_apr_spread_box(apr, value, node, sizeof *value, coarser, first, g.extent, pixel, threads);
}

/* ---- Of each particle ---- */

void flt_apr_cell_levels(const struct flt_apr *apr, uint8_t *level, int threads)
{
    const struct flt_apr_cells *cells = &apr->particles;
    (void)threads;
    for (int l = cells->least; l <= cells->greatest; l++) {
        const int64_t rows = (int64_t)apr->extent[l][AXIS_Z] * apr->extent[l][AXIS_Y];
        const uint64_t first = cells->run[cells->row[l][0]].at,
                       end = cells->run[cells->row[l][rows]].at; /* there is one behind the last */
        memset(level + first, l, end - first);
    }
}

static void put_places(const struct flt_apr *apr, int l, int64_t r, int32_t *z, int32_t *y,
                       int32_t *x)
{
    const struct flt_apr_cells *cells = &apr->particles;
    const int32_t rows = apr->extent[l][AXIS_Y];
    for (uint64_t i = cells->row[l][r]; i < cells->row[l][r + 1]; i++) {
        const struct flt_apr_run *run = &cells->run[i];
        for (uint32_t k = 0; z && k < run->count; k++)
            z[run->at + k] = (int32_t)(r / rows);
        for (uint32_t k = 0; y && k < run->count; k++)
            y[run->at + k] = (int32_t)(r % rows);
        for (uint32_t k = 0; x && k < run->count; k++)
            x[run->at + k] = (int32_t)(run->first + k);
    }
}

void flt_apr_cell_places(const struct flt_apr *apr, int32_t *z, int32_t *y, int32_t *x, int threads)
{
    const int many = apr_threads(threads);
    for (int l = apr->particles.least; l <= apr->particles.greatest; l++) {
        const int64_t rows = (int64_t)apr->extent[l][AXIS_Z] * apr->extent[l][AXIS_Y];
#pragma omp parallel for schedule(static) num_threads(many)
        for (int64_t r = 0; r < rows; r++)
            put_places(apr, l, r, z, y, x);
    }
}
