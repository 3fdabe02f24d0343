/* Functions of the samples around each particle. Threads take tiles of rows of all levels one by
 * one. In a tile each row of samples that it needs is laid out once, in memory that caches hold;
 * nothing is done for rows without particles. */
#include "particles/each.h"

enum {
    BLOCK_BYTES = 896 << 10, /* of samples: what a cache of a core holds */
    MANY_CELLS = 640         /* of longer rows some are taken together */
};

/* The greatest extents of all windows, and how far they go to both sides along x. */
static void measure(const struct flt_apr *apr, const struct flt_apr_windows *windows,
                    int64_t extent[FLT_APR_AXES], int64_t *left, int64_t *right)
{
    *left = *right = 0;
    extent[0] = extent[1] = extent[2] = 1;
    for (int i = 0; i < windows->reaches && i < apr->levels; i++) {
        const struct flt_apr_reach *reach = &windows->reach[i];
        for (int a = 0; a < FLT_APR_AXES; a++)
            extent[a] = greatest_of(extent[a], reach->extent[a]);
        *left = greatest_of(*left, -reach->first[AXIS_X]);
        *right = greatest_of(*right, reach->first[AXIS_X] + reach->extent[AXIS_X] - 1);
    }
}

static int64_t rounded(int64_t count)
{
    return (count + FLT_APR_LANES - 1) / FLT_APR_LANES * FLT_APR_LANES;
}

/* Rows of samples of a block. */
static int64_t rows_of_samples(const struct work *w)
{
    const int32_t *n = w->apr->extent[w->apr->levels];
    return least_of(w->most_rows[0], n[AXIS_Z]) * least_of(w->most_rows[1], n[AXIS_Y]);
}

static size_t whole_lines(int64_t bytes)
{
    return (size_t)(bytes + 63) / 64 * 64 + 2 * 64; /* as pools take them */
}

static size_t bytes_of_bench(const struct work *w)
{
    const int64_t rows = w->most_rows[0] * w->most_rows[1];
    return whole_lines(rows_of_samples(w) * w->pitch * (int64_t)sizeof(float)) +
           whole_lines(w->pitch * (int64_t)sizeof(float)) +
           whole_lines(2 * w->pitch * (int64_t)sizeof(float)) +
           whole_lines(rows * (int64_t)sizeof(float *)) + 2 * whole_lines(rows) +
           whole_lines(w->most_rows[0] * (int64_t)sizeof(int32_t)) +
           whole_lines(w->most_rows[1] * (int64_t)sizeof(int32_t));
}

/* Blocks of a shape of tiles as large as a cache and the room allow. Returns how many rows of
 * samples they need for each row of theirs. */
static double choose_block(struct work *w, int shape, const int64_t extent[], size_t left)
{
    const int32_t *n = w->apr->extent[w->apr->levels];
    w->shape = shape;
    for (int a = 0; a < 2; a++)
        w->block[a] = least_of(rows_of_shape[shape][a], n[a]);
    for (;;) {
        const int larger = w->block[0] > w->block[1] ? 0 : 1;
        for (int a = 0; a < 2; a++)
            w->most_rows[a] = w->block[a] + extent[a] - 1;
        const bool suits =
            (w->block[0] * w->block[1] <= 16 ||
             rows_of_samples(w) * w->pitch * (int64_t)sizeof(float) <= BLOCK_BYTES) &&
            bytes_of_bench(w) <= left;
        if (suits || w->block[larger] == 1)
            return (double)rows_of_samples(w) / (double)(w->block[0] * w->block[1]);
        w->block[larger] = (w->block[larger] + 1) / 2;
    }
}

static void choose_shape(struct work *w, const int64_t extent[], size_t left)
{
    int best = 0;
    double least = choose_block(w, 0, extent, left);
    for (int s = 1; s < TILE_SHAPES; s++) {
        const double cost = choose_block(w, s, extent, left);
        if (cost < 0.9 * least) {
            best = s;
            least = cost;
        }
    }
    choose_block(w, best, extent, left);
}

/* left, right: how far windows go. */
static void choose_pitch(struct work *w, int64_t left, int64_t right)
{
    const int64_t n = w->apr->extent[w->apr->levels][AXIS_X];
    int64_t margin = 0;
    w->cells = n;
    if (n > MANY_CELLS && left + right < MANY_CELLS / 4) {
        const int64_t parts = (n + MANY_CELLS - 1) / MANY_CELLS;
        w->cells = rounded((n + parts - 1) / parts);
        margin = rounded(left + right) + FLT_APR_LANES; /* what is mirrored, and whole cells */
    }
    w->left = rounded(left) + margin;
    w->pitch = w->left + rounded(w->cells + right) + FLT_APR_LANES + margin;
    /* an odd number of lines of caches, lest rows meet in the same sets */
    w->pitch += w->pitch / FLT_APR_LANES % 2 == 0 ? FLT_APR_LANES : 0;
}

static struct bench bench_of(const struct work *w, struct pool *pool)
{
    const size_t rows = (size_t)(w->most_rows[0] * w->most_rows[1]);
    const size_t samples = (size_t)(rows_of_samples(w) * w->pitch);
    struct bench b = {.samples = POOL_ARRAY(pool, float, samples),
                      .zeros = POOL_ARRAY(pool, float, (uint64_t)w->pitch),
                      .sums = POOL_ARRAY(pool, float, (uint64_t)(2 * w->pitch)),
                      .row = POOL_ARRAY(pool, const float *, rows),
                      .needed = POOL_ARRAY(pool, uint8_t, rows),
                      .filled = POOL_ARRAY(pool, uint8_t, rows),
                      .place = {POOL_ARRAY(pool, int32_t, (uint64_t)w->most_rows[0]),
                                POOL_ARRAY(pool, int32_t, (uint64_t)w->most_rows[1])}};
    return b;
}

static void work_on_tiles(const struct work *w, const struct bench *bench, uint64_t *next)
{
    do_tile *act = tile_function();
    /* by this thread, whose cache it is to be in */
    memset(bench->samples, 0, (size_t)(rows_of_samples(w) * w->pitch) * sizeof *bench->samples);
    memset(bench->zeros, 0, (size_t)w->pitch * sizeof *bench->zeros);
    for (;;) {
        const uint64_t i = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
        if (i >= w->apr->tiles[w->shape])
            return;
        act(w, bench, &w->apr->tile[w->shape][i]);
    }
}

void flt_apr_cells_each(const struct flt_apr *apr, const float *value, float *out,
                        const struct flt_apr_windows *windows, flt_apr_line *line,
                        const void *context, void *room, size_t bytes, int threads)
{
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    struct work w = {.apr = apr,
                     .value = value,
                     .node = windows->node,
                     .out = out,
                     .windows = windows,
                     .line = line,
                     .context = context};
    int64_t extent[FLT_APR_AXES], right;
    struct bench bench[FLT_APR_MOST_THREADS];
    int many = room_threads(threads), ready = 0;
    uint64_t next = 0;
    many = worthwhile_threads(many, 8 * apr->particles.count);
    if (!w.node) {
        float *node = POOL_ARRAY(&pool, float, apr->nodes.count + 1);
        if (!node)
            return;
        flt_apr_cell_nodes(apr, value, FLT_APR_MEAN, node, many);
        w.node = node;
    }
    measure(apr, windows, extent, &w.left, &right);
    choose_pitch(&w, w.left, right);
    choose_shape(&w, extent, (size_t)(given.end - given.at));
    many = (int)greatest_of(1, least_of(many, (int64_t)apr->tiles[w.shape]));
    while (ready < many && bytes_of_bench(&w) <= (size_t)(given.end - given.at))
        bench[ready++] = bench_of(&w, &pool);
    if (ready == 0) /* there is less room than was asked for */
        return;
#pragma omp parallel for schedule(static) num_threads(ready)
    for (int t = 0; t < ready; t++)
        work_on_tiles(&w, &bench[t], &next);
}
