/* An image to the structure of its particles. */
#include "particles/internal.h"

const struct flt_apr_settings flt_apr_usual_settings = {
    .error = 0.1f, .lambda = 3, .psf = 2, .spacing = {1, 1, 1}};

static bool settings_are_right(const struct flt_apr_settings *s)
{
    bool right = s->error > 0 && s->lambda >= 0 && s->psf > 0 && !isinf(s->error);
    for (int a = 0; a < FLT_APR_AXES; a++)
        right = right && s->spacing[a] > 0 && !isinf(s->spacing[a]);
    return right;
}

static enum flt_status check(const int64_t extent[], const struct flt_apr_settings *settings)
{
    double samples = 1;
    for (int a = 0; a < FLT_APR_AXES; a++) {
        if (extent[a] < 1)
            return FLT_BAD_ARGUMENT;
        if (extent[a] > INT32_MAX)
            return FLT_TOO_LARGE;
        samples *= (double)extent[a];
    }
    if (samples > 1099511627776.0)
        return FLT_TOO_LARGE;
    return settings_are_right(settings) ? FLT_OK : FLT_BAD_ARGUMENT;
}

/* coefficients: room for as many as there are pixels, these themselves, or NULL. */
static bool construct(struct flt_apr *apr, struct pool *pool, const float *pixel,
                      float *coefficients, const struct flt_apr_settings *settings,
                      const struct guides *guides, const struct grid level[], int threads)
{
    uint8_t *cell[FLT_APR_LEVELS + 1] = {NULL};
    threads = worthwhile_threads(threads, grid_cells(&level[apr->levels]));
    if (apr->levels > 2) {
        if (!coefficients)
            coefficients = POOL_ARRAY(pool, float, grid_cells(&level[apr->levels]));
        if (!coefficients || !find_cells(pool, level, apr->levels, pixel, settings, guides,
                                         coefficients, cell, threads))
            return false;
    }
    const struct cell_kinds kinds =
        cell_kinds_of(level, cell, apr->levels, settings->splits_boundary);
    return particles_of_cells(apr, pool, level, &kinds, threads);
}

enum flt_status flt_apr_create(struct flt_apr **out, const float *pixel,
                               const int64_t extent[FLT_APR_AXES],
                               const struct flt_apr_settings *settings,
                               const struct flt_allocator *allocator, int threads)
{
    if (!out || !pixel || !extent)
        return FLT_BAD_ARGUMENT;
    *out = NULL;
    const struct flt_apr_settings *s = settings ? settings : &flt_apr_usual_settings;
    const enum flt_status status = check(extent, s);
    if (status != FLT_OK)
        return status;
    struct pool pool = pool_open(allocator), kept = pool_open(allocator);
    struct flt_apr *apr = POOL_ARRAY(&kept, struct flt_apr, 1);
    if (!apr)
        return FLT_NO_MEMORY;
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid level[FLT_APR_LEVELS + 1];
    *apr = (struct flt_apr){.levels = grids_of(&pixels, level),
                            .balanced = !s->splits_boundary,
                            .allocator = kept.allocator,
                            .blocks = kept.blocks};
    for (int l = 0; l <= apr->levels; l++)
        for (int a = 0; a < FLT_APR_AXES; a++)
            apr->extent[l][a] = (int32_t)level[l].extent[a];
    const bool good = construct(apr, &pool, pixel, NULL, s, NULL, level, apr_threads(threads));
    pool_release(&pool, NULL);
    if (!good) {
        flt_apr_destroy(apr);
        return FLT_NO_MEMORY;
    }
    *out = apr;
    return FLT_OK;
}

bool structure_in_room(struct flt_apr *apr, size_t bytes, const int64_t extent[FLT_APR_AXES],
                       struct grid level[FLT_APR_LEVELS + 1], struct room *kept)
{
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    *kept = (struct room){(char *)apr, (char *)apr + bytes};
    if (bytes < sizeof *apr)
        return false;
    kept->at += (sizeof *apr + 63) / 64 * 64;
    *apr = (struct flt_apr){.levels = grids_of(&pixels, level), .balanced = true};
    for (int l = 0; l <= apr->levels; l++)
        for (int a = 0; a < FLT_APR_AXES; a++)
            apr->extent[l][a] = (int32_t)level[l].extent[a];
    return true;
}

void structure_empty(struct flt_apr *apr)
{
    apr->levels = 0;
    apr->particles = apr->nodes = (struct flt_apr_cells){.least = 1, .greatest = 0};
    for (int s = 0; s < TILE_SHAPES; s++)
        apr->tiles[s] = 0;
}

/* What a structure takes at most is mostly runs, 16 bytes each. At the finest level, where a row
 * has a run in every other pair, there are n / 4 in each of 4 m rows, m the places of half the
 * extents along z and y: 2 for each place of half the extents. Of the levels below, particles
 * and nodes may have a run in every other cell: 1 / 2 each for each cell, 8 / 7 cells for each
 * place. That is 50.3 bytes; rows, tiles and thin or small images stay below the rest of 64,
 * thanks to the 13 more. */
static void place(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                  const struct guides *guides, struct flt_apr *apr, size_t apr_bytes,
                  struct room *room, int threads)
{
    const struct flt_apr_settings settings = settings_of(setting);
    struct room of_apr;
    struct pool pool = pool_in_room(room);
    struct grid level[FLT_APR_LEVELS + 1];
    if (!structure_in_room(apr, apr_bytes, extent, level, &of_apr))
        return;
    apr->allocator = pool_in_room(&of_apr).allocator;
    if (!construct(apr, &pool, pixel, pixel, &settings, guides, level, room_threads(threads)))
        structure_empty(apr);
    apr->allocator = (struct flt_allocator){0};
    apr->blocks = NULL;
}

void flt_apr_place(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                   struct flt_apr *apr, size_t apr_bytes, void *room, size_t bytes, int threads)
{
    struct room given = {room, (char *)room + bytes};
    place(extent, pixel, setting, NULL, apr, apr_bytes, &given, threads);
}

void flt_apr_place_guided(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                          const float *guide, const int32_t given[FLT_APR_GUIDES],
                          struct flt_apr *apr, size_t apr_bytes, void *room, size_t bytes,
                          int threads)
{
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    const size_t count = grid_cells(&pixels);
    const struct guides guides = {given[0] ? guide : NULL, given[1] ? guide + count : NULL,
                                  given[2] ? guide + 2 * count : NULL};
    struct room own = {room, (char *)room + bytes};
    place(extent, pixel, setting, &guides, apr, apr_bytes, &own, threads);
}

void flt_apr_destroy(struct flt_apr *apr)
{
    if (!apr)
        return;
    struct pool kept = {.allocator = apr->allocator, .blocks = apr->blocks};
    pool_release(&kept, NULL); /* apr is in the block that was taken first */
}
