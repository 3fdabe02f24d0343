/* Tiles: blocks of rows of one level in which there are particles, those of the finest level
 * first. */
#include "particles/internal.h"

/* Takes a row into its tile. */
static void take_row(const struct flt_apr_cells *cells, int l, int64_t r, int plane, int line,
                     struct flt_apr_tile *tile)
{
    const uint64_t *row = cells->row[l] + r;
    if (row[0] == row[1])
        return;
    const struct flt_apr_run *first = &cells->run[row[0]], *last = &cells->run[row[1] - 1];
    tile->row[plane] |= (uint16_t)(1u << line);
    tile->first = (int32_t)least_of(tile->first, first->first);
    tile->end = (int32_t)greatest_of(tile->end, (int64_t)last->first + last->count);
}

static struct flt_apr_tile tile_at(const struct flt_apr *apr, int l, int64_t z, int64_t y)
{
    const int32_t *n = apr->extent[l];
    struct flt_apr_tile tile = {
        .level = l, .z = (int32_t)z, .y = (int32_t)y, .first = INT32_MAX, .end = 0};
    for (int64_t k = z; k < least_of(z + TILE_ROWS, n[AXIS_Z]); k++)
        for (int64_t j = y; j < least_of(y + TILE_ROWS, n[AXIS_Y]); j++)
            take_row(&apr->particles, l, k * n[AXIS_Y] + j, (int)(k - z), (int)(j - y), &tile);
    return tile;
}

bool tiles_of_particles(struct flt_apr *apr, struct pool *kept)
{
    uint64_t most = 1;
    for (int l = 1; l <= apr->levels; l++)
        most += (uint64_t)((apr->extent[l][AXIS_Z] - 1) / TILE_ROWS + 1) *
                (uint64_t)((apr->extent[l][AXIS_Y] - 1) / TILE_ROWS + 1);
    struct flt_apr_tile *tile = POOL_ARRAY(kept, struct flt_apr_tile, most);
    if (!tile)
        return false;
    for (int l = apr->levels; l >= 1; l--)
        for (int64_t z = 0; z < apr->extent[l][AXIS_Z]; z += TILE_ROWS)
            for (int64_t y = 0; y < apr->extent[l][AXIS_Y]; y += TILE_ROWS) {
                tile[apr->tiles] = tile_at(apr, l, z, y);
                apr->tiles += tile[apr->tiles].end > 0;
            }
    apr->tile = tile;
    return true;
}
