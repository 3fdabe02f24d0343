/* Values of particles from pixels. */
#include "particles/internal.h"

#define BODY "particles/halve_body.h"
#include "particles/for_processors.h"

void halve_rows(const float *const row[4], int64_t whole, int64_t count, float *out)
{
    FOR_THIS_PROCESSOR(halve_rows)(row, whole, count, out);
}

void halve(const struct grid *g, const struct grid *half, const float *from, float *to, int threads)
{
    const int64_t rows = half->extent[AXIS_Y], n = g->extent[AXIS_X];
    const int many = worthwhile_threads(threads, grid_cells(g));
#pragma omp parallel for schedule(static) num_threads(many)
    for (int64_t r = 0; r < (int64_t)grid_rows(half); r++) {
        const int64_t z = 2 * (r / rows), y = 2 * (r % rows);
        const int64_t next_z = least_of(z + 1, g->extent[AXIS_Z] - 1),
                      next_y = least_of(y + 1, g->extent[AXIS_Y] - 1);
        const float *const row[] = {from + grid_row(g, z, y), from + grid_row(g, z, next_y),
                                    from + grid_row(g, next_z, y),
                                    from + grid_row(g, next_z, next_y)};
        halve_rows(row, n / 2, half->extent[AXIS_X], to + r * half->extent[AXIS_X]);
    }
}

static void take_level(const struct flt_apr *apr, int level, const float *sample, float *value,
                       int threads)
{
    const struct grid g = apr_grid(apr, level);
    const uint64_t *row = apr->particles.row[level];
    const int many = worthwhile_threads(threads, grid_cells(&g));
#pragma omp parallel for schedule(static) num_threads(many)
    for (int64_t r = 0; r < (int64_t)grid_rows(&g); r++)
        for (uint64_t i = row[r]; i < row[r + 1]; i++) {
            const struct flt_apr_run *run = &apr->particles.run[i];
            memcpy(value + run->at, sample + r * g.extent[AXIS_X] + run->first,
                   run->count * sizeof *value);
        }
}

/* By a pyramid of whole levels in the pool. */
static bool means_of_cells(const struct flt_apr *apr, struct pool *pool, const float *pixel,
                           float *value, int threads)
{
    const float *at = pixel;
    for (int l = apr->levels; l >= apr->particles.least; l--) {
        const struct grid g = apr_grid(apr, l), half = grid_half(&g);
        float *next = NULL;
        take_level(apr, l, at, value, threads);
        if (l == apr->particles.least)
            break;
        next = POOL_ARRAY(pool, float, grid_cells(&half));
        if (!next)
            return false;
        halve(&g, &half, at, next, threads);
        at = next;
    }
    return true;
}

enum flt_status flt_apr_sample(const struct flt_apr *apr, const float *pixel, float *value,
                               int threads)
{
    struct pool pool = pool_open(&apr->allocator);
    const bool good = means_of_cells(apr, &pool, pixel, value, apr_threads(threads));
    pool_release(&pool, NULL);
    return good ? FLT_OK : FLT_NO_MEMORY;
}

void flt_apr_cell_means(const struct flt_apr *apr, const float *pixel, float *value, void *room,
                        size_t bytes, int threads)
{
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    means_of_cells(apr, &pool, pixel, value, room_threads(threads));
}
