/* Tiles: blocks of rows of one level in which there are particles, those of the finest level
 * first. All shapes are made of small blocks. */
#include "particles/internal.h"

enum { SMALL = 8 };

const int rows_of_shape[TILE_SHAPES][2] = {
    [TILE_SQUARE] = {16, 16}, [TILE_ALONG_Z] = {64, 8}, [TILE_ALONG_Y] = {8, 64}};

/* Where particles of a small block are along x. */
struct extremes {
    int32_t first, end;
};

static int64_t blocks_of(const struct flt_apr *apr, int l, int axis, int64_t rows)
{
    return (apr->extent[l][axis] - 1) / rows + 1;
}

static struct extremes extremes_of(const struct flt_apr *apr, int l, int64_t z, int64_t y)
{
    const int32_t *n = apr->extent[l];
    const struct flt_apr_run *run = apr->particles.run;
    struct extremes e = {INT32_MAX, 0};
    for (int64_t k = z; k < least_of(z + SMALL, n[AXIS_Z]); k++) {
        const uint64_t *row = apr->particles.row[l] + k * n[AXIS_Y];
        for (int64_t j = y; j < least_of(y + SMALL, n[AXIS_Y]); j++) {
            if (row[j] == row[j + 1])
                continue;
            const struct flt_apr_run *last = &run[row[j + 1] - 1];
            e.first = (int32_t)least_of(e.first, run[row[j]].first);
            e.end = (int32_t)greatest_of(e.end, (int64_t)last->first + last->count);
        }
    }
    return e;
}

/* Appends the tiles of a level that have particles. small: extremes of small blocks. */
static void add_tiles(const struct flt_apr *apr, int l, const int rows[2],
                      const struct extremes *small, struct flt_apr_tile *tile, uint64_t *count)
{
    const int64_t high = blocks_of(apr, l, AXIS_Z, SMALL), wide = blocks_of(apr, l, AXIS_Y, SMALL);
    const int64_t by_z = rows[0] / SMALL, by_y = rows[1] / SMALL;
    for (int64_t z = 0; z < high; z += by_z)
        for (int64_t y = 0; y < wide; y += by_y) {
            struct extremes e = {INT32_MAX, 0};
            for (int64_t k = z; k < least_of(z + by_z, high); k++)
                for (int64_t j = y; j < least_of(y + by_y, wide); j++) {
                    e.first = (int32_t)least_of(e.first, small[k * wide + j].first);
                    e.end = (int32_t)greatest_of(e.end, small[k * wide + j].end);
                }
            if (e.end > 0)
                tile[(*count)++] = (struct flt_apr_tile){l, (int32_t)(z * SMALL),
                                                         (int32_t)(y * SMALL), e.first, e.end};
        }
}

bool tiles_of_particles(struct flt_apr *apr, struct pool *kept, struct pool *pool, int threads)
{
    struct flt_apr_tile *tile[TILE_SHAPES];
    for (int s = 0; s < TILE_SHAPES; s++) {
        uint64_t most = 1;
        for (int l = 1; l <= apr->levels; l++)
            most += (uint64_t)(blocks_of(apr, l, AXIS_Z, rows_of_shape[s][0]) *
                               blocks_of(apr, l, AXIS_Y, rows_of_shape[s][1]));
        apr->tile[s] = tile[s] = POOL_ARRAY(kept, struct flt_apr_tile, most);
        apr->tiles[s] = 0;
    }
    const int64_t most_small =
        blocks_of(apr, apr->levels, AXIS_Z, SMALL) * blocks_of(apr, apr->levels, AXIS_Y, SMALL);
    struct extremes *small = POOL_ARRAY(pool, struct extremes, (uint64_t)most_small);
    if (kept->failed || !small)
        return false;
    for (int l = apr->levels; l >= 1; l--) {
        const int64_t wide = blocks_of(apr, l, AXIS_Y, SMALL),
                      count = blocks_of(apr, l, AXIS_Z, SMALL) * wide;
#pragma omp parallel for schedule(static) num_threads(count > 64 ? threads : 1)
        for (int64_t i = 0; i < count; i++)
            small[i] = extremes_of(apr, l, i / wide * SMALL, i % wide * SMALL);
        for (int s = 0; s < TILE_SHAPES; s++)
            add_tiles(apr, l, rows_of_shape[s], small, tile[s], &apr->tiles[s]);
    }
    return true;
}
