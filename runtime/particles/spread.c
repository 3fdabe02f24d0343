/* From particles to pixels, and the level and cell of each particle. */
#include "particles/internal.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

/* ---- Pixels ----
 *
 * Rows that differ in their last bits alone share what coarser cells put there: it is put once into
 * rows of a block's own, one for each of its steps, which are copied on. */

enum {
    STEPS = 3,      /* blocks are of 8 x 8 rows */
    PIECE = 1024,   /* samples of a row that are done together */
    LARGE = 4 << 20 /* bytes; what is larger goes past the caches */
};

/* A part of the grid of a level. */
struct part {
    const struct flt_apr *apr;
    const char *value, *node;
    size_t each;
    int top; /* the level whose samples these are */
    bool streams;
    const int64_t *first, *extent;
    char *pixel;
};

/* Rows of the block: [s] has what is s levels above the samples, and more; [0] is what goes out. */
struct piece {
    int64_t x, end;
    _Alignas(64) char row[STEPS + 1][PIECE * sizeof(uint64_t)];
};

static inline void copy_bytes(char *to, const char *from, size_t bytes)
{
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64)
        memcpy(to, from, 64);
#define COPY(count)                                                                                \
    if (bytes & count) {                                                                           \
        memcpy(to, from, count);                                                                   \
        to += count;                                                                               \
        from += count;                                                                             \
    }
    COPY(32) COPY(16) COPY(8) COPY(4) COPY(2) COPY(1)
#undef COPY
}

/* Samples of the row, from the piece's first one on, of cells `first` to `end` 2^shift wide. */
#define REPEAT(type, name)                                                                         \
    static void name(const struct piece *p, int shift, const char *value, int64_t first,           \
                     int64_t end, char *row)                                                       \
    {                                                                                              \
        type *to = (type *)(void *)row;                                                            \
        for (int64_t k = first; k < end; k++) {                                                    \
            type v;                                                                                \
            const int64_t begin = greatest_of(k << shift, p->x),                                   \
                          stop = least_of((k + 1) << shift, p->end);                               \
            memcpy(&v, value + (k - first) * (int64_t)sizeof v, sizeof v);                         \
            for (int64_t x = begin; x < stop; x++)                                                 \
                to[x - p->x] = v;                                                                  \
        }                                                                                          \
    }
REPEAT(uint8_t, repeat_1)
REPEAT(uint16_t, repeat_2)
REPEAT(uint32_t, repeat_4)
REPEAT(uint64_t, repeat_8)
#undef REPEAT

/* The first run of a row that ends behind cell x. */
static const struct flt_apr_run *run_behind(const struct flt_apr_run *run,
                                            const struct flt_apr_run *end, int64_t x)
{
    int64_t count = end - run;
    if (x <= 0)
        return run;
    while (count > 0) {
        const int64_t half = count / 2;
        if ((int64_t)run[half].first + run[half].count <= x) {
            run += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return run;
}

/* What cells of row r of level l cover of the piece. */
static inline void put_runs(const struct part *p, const struct piece *piece,
                            const struct flt_apr_cells *cells, int l, int64_t r, const char *value,
                            char *row)
{
    const int shift = p->top - l;
    const int64_t low = piece->x >> shift, high = ((piece->end - 1) >> shift) + 1,
                  each = (int64_t)p->each;
    const struct flt_apr_run *end = cells->run + cells->row[l][r + 1],
                             *run = run_behind(cells->run + cells->row[l][r], end, low);
    for (; run < end && run->first < high; run++) {
        const int64_t first = greatest_of(run->first, low),
                      last = least_of((int64_t)run->first + run->count, high);
        const char *from = value + ((int64_t)run->at + first - run->first) * each;
        if (shift == 0)
            copy_bytes(row + (first - piece->x) * each, from, (size_t)((last - first) * each));
        else if (each == 4)
            repeat_4(piece, shift, from, first, last, row);
        else if (each == 1)
            repeat_1(piece, shift, from, first, last, row);
        else if (each == 2)
            repeat_2(piece, shift, from, first, last, row);
        else
            repeat_8(piece, shift, from, first, last, row);
    }
}

/* Of level `top - s`, at sample (z, y) of the top. */
static inline void put_level(const struct part *p, struct piece *piece, int s, int64_t z, int64_t y,
                             char *row)
{
    const int l = p->top - s;
    const int64_t r = (z >> s) * p->apr->extent[l][AXIS_Y] + (y >> s);
    if (l >= p->apr->particles.least)
        put_runs(p, piece, &p->apr->particles, l, r, p->value, row);
    if (s == 0 && p->top < p->apr->levels)
        put_runs(p, piece, &p->apr->nodes, l, r, p->node, row);
}

/* Past the caches, where the processor can and bytes lie so. */
static void put_out(const struct part *p, const char *row, size_t bytes, char *to)
{
#ifdef __x86_64__
    if (p->streams && (uintptr_t)to % 16 == 0 && bytes % 16 == 0) {
        for (size_t i = 0; i < bytes; i += 16)
            _mm_stream_si128((__m128i *)(void *)(to + i),
                             _mm_load_si128((const __m128i *)(const void *)(row + i)));
        return;
    }
#endif
    (void)p;
    memcpy(to, row, bytes);
}

/* The rows of a square of 2^s, whose corner is (z, y), that are in the part: of steps s and
 * below. */
static void put_square(const struct part *p, struct piece *piece, int s, int64_t z, int64_t y)
{
    const int64_t *first = p->first, *n = p->extent, side = (int64_t)1 << s;
    const size_t bytes = (size_t)(piece->end - piece->x) * p->each;
    if (z + side <= first[AXIS_Z] || z >= first[AXIS_Z] + n[AXIS_Z] || y + side <= first[AXIS_Y] ||
        y >= first[AXIS_Y] + n[AXIS_Y])
        return;
    if (s < STEPS)
        memcpy(piece->row[s], piece->row[s + 1], bytes);
    for (int c = p->top - p->apr->particles.least; s == STEPS && c > s; c--)
        put_level(p, piece, c, z, y, piece->row[s]);
    if (s <= p->top)
        put_level(p, piece, s, z, y, piece->row[s]);
    if (s == 0) {
        const int64_t r = (z - first[AXIS_Z]) * n[AXIS_Y] + (y - first[AXIS_Y]);
        put_out(p, piece->row[0], bytes,
                p->pixel + (size_t)(r * n[AXIS_X] + piece->x - first[AXIS_X]) * p->each);
        return;
    }
    for (int part = 0; part < 4; part++)
        put_square(p, piece, s - 1, z + part / 2 * (side / 2), y + part % 2 * (side / 2));
}

void flt_apr_spread_box(const struct flt_apr *apr, const void *value, const void *node, size_t each,
                        int coarser, const int64_t first[FLT_APR_AXES],
                        const int64_t extent[FLT_APR_AXES], void *pixel, int threads)
{
    const int many = worthwhile_threads(
        apr_threads(threads), (uint64_t)(extent[AXIS_Z] * extent[AXIS_Y] * extent[AXIS_X]));
    const int64_t corner_z = first[AXIS_Z] >> STEPS, corner_y = first[AXIS_Y] >> STEPS;
    const int64_t high = ((first[AXIS_Z] + extent[AXIS_Z] - 1) >> STEPS) - corner_z + 1,
                  wide = ((first[AXIS_Y] + extent[AXIS_Y] - 1) >> STEPS) - corner_y + 1;
    const struct part p = {.apr = apr,
                           .value = value,
                           .node = node,
                           .each = each,
                           .top = apr->levels - coarser,
                           .streams = extent[0] * extent[1] * extent[2] * (int64_t)each > LARGE,
                           .first = first,
                           .extent = extent,
                           .pixel = pixel};
#pragma omp parallel for schedule(dynamic, 4) num_threads(many)
    for (int64_t i = 0; i < high * wide; i++) {
        struct piece piece;
        const int64_t end = first[AXIS_X] + extent[AXIS_X];
        for (piece.x = first[AXIS_X]; piece.x < end; piece.x = piece.end) {
            piece.end = least_of(piece.x + PIECE, end);
            put_square(&p, &piece, STEPS, (corner_z + i / wide) << STEPS,
                       (corner_y + i % wide) << STEPS);
        }
#ifdef __x86_64__
        _mm_sfence();
#endif
    }
}

void flt_apr_spread(const struct flt_apr *apr, const void *value, size_t each, void *pixel,
                    int threads)
{
    const int64_t first[FLT_APR_AXES] = {0};
    const struct grid g = apr_grid(apr, apr->levels);
    flt_apr_spread_box(apr, value, NULL, each, 0, first, g.extent, pixel, threads);
}

void flt_apr_spread_part(const int64_t first[FLT_APR_AXES], const int64_t extent[FLT_APR_AXES],
                         void *pixel, const struct flt_apr *apr, const void *value, size_t each,
                         int threads)
{
    flt_apr_spread_box(apr, value, NULL, each, 0, first, extent, pixel, threads);
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
    const int many = worthwhile_threads(apr_threads(threads), apr->particles.count);
    for (int l = apr->particles.least; l <= apr->particles.greatest; l++) {
        const int64_t rows = (int64_t)apr->extent[l][AXIS_Z] * apr->extent[l][AXIS_Y];
#pragma omp parallel for schedule(static) num_threads(many)
        for (int64_t r = 0; r < rows; r++)
            put_places(apr, l, r, z, y, x);
    }
}
