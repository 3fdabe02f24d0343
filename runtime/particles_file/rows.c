/* Where particles are, from both layouts of files, as rows for flt_apr_restore, which checks them.
 * Linear: y_vec, the x of each particle, and xz_end_vec, where rows end. Maps: runs of particles,
 * map_y_begin to map_y_end, for each row that has any; of the greatest level for each two rows of
 * two planes, which have the same ones. */
#include "particles_file/internal.h"

static uint64_t rows_from(const struct grid level[], int levels, int least)
{
    uint64_t rows = 0;
    for (int l = least; l <= levels; l++)
        rows += grid_rows(&level[l]);
    return rows;
}

/* ---- Linear ---- */

static bool read_linear(struct apr_reader *r, apr_object channel, struct flt_apr_rows *rows)
{
    uint64_t ends = rows->rows + 1, particles = rows->particles;
    const uint64_t *end = apr_data_take(r, channel, "xz_end_vec", sizeof *end, &ends);
    if (!end)
        return false;
    if (end[0] != 0)
        return apr_reader_fail(r, FLT_CORRUPT, "%s: its xz_end_vec begins with %llu, not 0",
                               r->name, (unsigned long long)end[0]);
    rows->end = end + 1;
    rows->x = apr_data_take(r, channel, "y_vec", 2, &particles);
    return rows->x != NULL;
}

/* ---- Maps ---- */

/* By entry: a row, or four of them; by run. */
struct maps {
    uint64_t entries, runs;
    const uint8_t *level;
    const uint16_t *z, *y, *count; /* of runs */
    const uint16_t *first, *last;
};

static bool read_maps(struct apr_reader *r, apr_object channel, struct maps *m)
{
    m->entries = m->runs = APR_ANY;
    return (m->level = apr_data_take(r, channel, "map_level", 1, &m->entries)) &&
           (m->z = apr_data_take(r, channel, "map_z", 2, &m->entries)) &&
           (m->y = apr_data_take(r, channel, "map_x", 2, &m->entries)) &&
           (m->count = apr_data_take(r, channel, "map_number_gaps", 2, &m->entries)) &&
           (m->first = apr_data_take(r, channel, "map_y_begin", 2, &m->runs)) &&
           (m->last = apr_data_take(r, channel, "map_y_end", 2, &m->runs));
}

/* Whether the entry lies in the image, and behind the one before it. */
static bool entry_is_right(const struct maps *m, uint64_t e, const struct grid level[], int levels)
{
    const int l = m->level[e];
    if (l < 1 || l > levels)
        return false;
    const struct grid *g = &level[l < levels ? l : l - 1];
    if (m->z[e] >= g->extent[AXIS_Z] || m->y[e] >= g->extent[AXIS_Y])
        return false;
    if (e == 0 || m->level[e - 1] != l)
        return e == 0 || m->level[e - 1] < l;
    return m->z[e - 1] != m->z[e] ? m->z[e - 1] < m->z[e] : m->y[e - 1] < m->y[e];
}

/* The particles of one row of the entry whose runs begin at `run`; UINT64_MAX: a run is none, or
 * there are too few. */
static uint64_t entry_particles(const struct maps *m, uint64_t e, uint64_t run)
{
    uint64_t particles = 0;
    if (m->count[e] > m->runs - run)
        return UINT64_MAX;
    for (uint64_t i = run; i < run + m->count[e]; i++) {
        if (m->last[i] < m->first[i])
            return UINT64_MAX;
        particles += (uint64_t)(m->last[i] - m->first[i]) + 1;
    }
    return particles;
}

/* Numbers of the rows of an entry; base: of the first row of its level. */
static int entry_rows(const struct maps *m, uint64_t e, const struct grid level[], int levels,
                      uint64_t base, uint64_t row[4])
{
    const struct grid *g = &level[m->level[e]];
    const int64_t z = m->z[e], y = m->y[e];
    if (m->level[e] < levels) {
        row[0] = base + (uint64_t)(z * g->extent[AXIS_Y] + y);
        return 1;
    }
    int many = 0;
    for (int part = 0; part < 4; part++) {
        const int64_t k = 2 * z + part / 2, j = 2 * y + part % 2;
        if (k < g->extent[AXIS_Z] && j < g->extent[AXIS_Y])
            row[many++] = base + (uint64_t)(k * g->extent[AXIS_Y] + j);
    }
    return many;
}

/* By row its particles, 0 where no entry has it; their sum. */
static bool count_maps(struct apr_reader *r, const struct maps *m, const struct grid level[],
                       int levels, int least, uint64_t *count, uint64_t *sum)
{
    uint64_t run = 0;
    *sum = 0;
    for (uint64_t e = 0; e < m->entries; e++) {
        uint64_t row[4];
        const uint64_t own = entry_is_right(m, e, level, levels) && m->level[e] >= least
                                 ? entry_particles(m, e, run)
                                 : UINT64_MAX;
        if (own == UINT64_MAX)
            return apr_reader_fail(r, FLT_CORRUPT,
                                   "%s: entry %llu of its maps is no row of the image", r->name,
                                   (unsigned long long)e);
        const uint64_t base = rows_from(level, m->level[e] - 1, least);
        for (int many = entry_rows(m, e, level, levels, base, row); many > 0; many--) {
            count[row[many - 1]] = own;
            *sum += own;
        }
        run += m->count[e];
    }
    if (run != m->runs)
        return apr_reader_fail(r, FLT_CORRUPT, "%s: its maps have %llu runs, but tell of %llu",
                               r->name, (unsigned long long)m->runs, (unsigned long long)run);
    return true;
}

/* end: by row. */
static void fill_maps(const struct maps *m, const struct grid level[], int levels, int least,
                      const uint64_t *end, uint16_t *x)
{
    uint64_t run = 0;
    for (uint64_t e = 0; e < m->entries; run += m->count[e], e++) {
        uint64_t row[4];
        const uint64_t base = rows_from(level, m->level[e] - 1, least);
        for (int many = entry_rows(m, e, level, levels, base, row); many > 0; many--) {
            uint64_t at = row[many - 1] > 0 ? end[row[many - 1] - 1] : 0;
            for (uint64_t i = run; i < run + m->count[e]; i++)
                for (uint32_t k = m->first[i]; k <= m->last[i]; k++)
                    x[at++] = (uint16_t)k;
        }
    }
}

static bool rows_of_maps(struct apr_reader *r, apr_object channel, const struct grid level[],
                         int levels, struct flt_apr_rows *rows)
{
    struct maps m;
    uint64_t sum;
    if (!read_maps(r, channel, &m))
        return false;
    uint64_t *end = apr_reader_take(r, &r->pool, rows->rows, sizeof *end);
    if (!end)
        return false;
    memset(end, 0, (size_t)rows->rows * sizeof *end);
    if (!count_maps(r, &m, level, levels, rows->least, end, &sum))
        return false;
    if (sum != rows->particles)
        return apr_reader_fail(r, FLT_CORRUPT, "%s says %llu particles, but its maps have %llu",
                               r->name, (unsigned long long)rows->particles,
                               (unsigned long long)sum);
    for (uint64_t i = 1; i < rows->rows; i++)
        end[i] += end[i - 1];
    uint16_t *x = apr_reader_take(r, &r->pool, sum, sizeof *x);
    if (!x)
        return false;
    fill_maps(&m, level, levels, rows->least, end, x);
    rows->end = end;
    rows->x = x;
    return true;
}

/* ---- Both ---- */

bool apr_read_rows(struct apr_reader *r, apr_object channel, const struct grid level[], int levels,
                   int least, uint64_t particles, struct flt_apr_rows *rows)
{
    *rows = (struct flt_apr_rows){.least = least,
                                  .rows = rows_from(level, levels, least),
                                  .particles = particles,
                                  .bytes = 2};
    apr_object found;
    if (apr_find(r, channel, "y_vec", &found))
        return read_linear(r, channel, rows);
    if (apr_find(r, channel, "map_level", &found))
        return rows_of_maps(r, channel, level, levels, rows);
    return apr_reader_fail(r, FLT_CORRUPT,
                           "%s tells of no particles: it has neither y_vec nor map_level", r->name);
}

void apr_order_values(const struct flt_apr_rows *rows, const struct grid level[], int levels,
                      size_t bytes, const void *value, void *out)
{
    const struct grid *g = &level[levels], *half = &level[levels - 1];
    const uint64_t base = rows->rows - grid_rows(g);
    uint64_t from = base > 0 ? rows->end[base - 1] : 0;
    memcpy(out, value, (size_t)from * bytes);
    for (uint64_t e = 0; e < grid_rows(half); e++)
        for (int part = 0; part < 4; part++) {
            const int64_t z = 2 * ((int64_t)e / half->extent[AXIS_Y]) + part / 2,
                          y = 2 * ((int64_t)e % half->extent[AXIS_Y]) + part % 2;
            if (z >= g->extent[AXIS_Z] || y >= g->extent[AXIS_Y])
                continue;
            const uint64_t row = base + (uint64_t)(z * g->extent[AXIS_Y] + y);
            const uint64_t first = row > 0 ? rows->end[row - 1] : 0;
            const size_t own = (size_t)(rows->end[row] - first) * bytes;
            memcpy((char *)out + (size_t)first * bytes, (const char *)value + (size_t)from * bytes,
                   own);
            from += rows->end[row] - first;
        }
}
