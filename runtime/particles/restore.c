/* A structure from rows that somebody has listed; nothing that they say is believed. In: ends of
 * rows and places of particles. Out: runs of particles, and the nodes above them. */
#include "particles/restore.h"

#include <stdarg.h>
#include <stdio.h>

enum flt_status restore_fail(struct flt_detail *detail, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (detail)
        vsnprintf(detail->text, sizeof detail->text, format, arguments);
    va_end(arguments);
    return FLT_BAD_ARGUMENT;
}

/* ---- Counts ---- */

static enum flt_status check_extents(const int64_t extent[], struct flt_detail *detail)
{
    double samples = 1;
    for (int a = 0; a < FLT_APR_AXES; a++) {
        if (extent[a] < 1)
            return restore_fail(detail, "an extent of the image is below 1");
        if (extent[a] > INT32_MAX)
            return FLT_TOO_LARGE;
        samples *= (double)extent[a];
    }
    return samples > 1099511627776.0 ? FLT_TOO_LARGE : FLT_OK;
}

static enum flt_status check_counts(const struct flt_apr_rows *rows, const struct grid level[],
                                    int levels, struct flt_detail *detail)
{
    if (rows->bytes != 2 && rows->bytes != 4)
        return restore_fail(detail, "places of particles have %d bytes, not 2 or 4", rows->bytes);
    if (rows->least < 1 || rows->least > levels)
        return restore_fail(detail, "level %d is none of the image's, 1 to %d", rows->least,
                            levels);
    uint64_t expected = 0;
    for (int l = rows->least; l <= levels; l++)
        expected += grid_rows(&level[l]);
    if (rows->rows != expected)
        return restore_fail(detail, "there are %llu rows, but levels %d to %d have %llu",
                            (unsigned long long)rows->rows, rows->least, levels,
                            (unsigned long long)expected);
    const uint64_t pixels = grid_cells(&level[levels]);
    if (rows->particles < 1 || rows->particles > pixels)
        return restore_fail(detail, "there are %llu particles for %llu pixels",
                            (unsigned long long)rows->particles, (unsigned long long)pixels);
    if (rows->end[rows->rows - 1] != rows->particles)
        return restore_fail(detail, "the last row ends behind particle %llu of %llu",
                            (unsigned long long)rows->end[rows->rows - 1],
                            (unsigned long long)rows->particles);
    return FLT_OK;
}

/* ---- Rows ---- */

enum row_flaw { ROW_IS_RIGHT, WRONG_END, WRONG_X };

struct row_runs {
    uint64_t runs;
    enum row_flaw flaw;
};

/* The runs of the row of number r, of extent n; written where run is given. */
static struct row_runs take_row(const struct flt_apr_rows *rows, uint64_t r, int64_t n,
                                struct flt_apr_run *run)
{
    const uint64_t first = r > 0 ? rows->end[r - 1] : 0, end = rows->end[r];
    if (first > end || end > rows->particles)
        return (struct row_runs){0, WRONG_END};
    uint64_t runs = 0;
    int64_t before = -1;
    for (uint64_t i = first; i < end; i++) {
        const int64_t x =
            rows->bytes == 2 ? ((const uint16_t *)rows->x)[i] : ((const uint32_t *)rows->x)[i];
        if (x <= before || x >= n)
            return (struct row_runs){0, WRONG_X};
        if (i == first || x != before + 1)
            runs++;
        if (run && (i == first || x != before + 1))
            run[runs - 1] = (struct flt_apr_run){(uint32_t)x, 0, i};
        if (run)
            run[runs - 1].count++;
        before = x;
    }
    return (struct row_runs){runs, ROW_IS_RIGHT};
}

/* Counts the runs of the rows of a level, whose first one has the number `base`. Returns the first
 * row that is wrong; INT64_MAX: none is. */
static int64_t count_level(const struct flt_apr_rows *rows, const struct grid *g, uint64_t base,
                           uint64_t *runs, int threads)
{
    int64_t wrong = INT64_MAX;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : wrong)
    for (int64_t r = 0; r < (int64_t)grid_rows(g); r++) {
        const struct row_runs taken = take_row(rows, base + (uint64_t)r, g->extent[AXIS_X], NULL);
        runs[r] = taken.runs;
        if (taken.flaw != ROW_IS_RIGHT)
            wrong = least_of(wrong, r);
    }
    return wrong;
}

static enum flt_status tell_row(const struct flt_apr_rows *rows, const struct grid *g, int l,
                                uint64_t base, int64_t r, struct flt_detail *detail)
{
    const bool ends = take_row(rows, base + (uint64_t)r, g->extent[AXIS_X], NULL).flaw == WRONG_END;
    return restore_fail(detail, "row %lld of plane %lld of level %d %s",
                        (long long)(r % g->extent[AXIS_Y]), (long long)(r / g->extent[AXIS_Y]), l,
                        ends ? "ends before it begins, or behind the last particle"
                             : "has particles outside of the image or not in ascending order");
}

static void fill_level(const struct flt_apr_rows *rows, const struct grid *g, uint64_t base,
                       const uint64_t *row, struct flt_apr_run *run, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(g); r++)
        take_row(rows, base + (uint64_t)r, g->extent[AXIS_X], run + row[r]);
}

static enum flt_status take_particles(struct flt_apr *apr, struct pool *kept,
                                      const struct flt_apr_rows *rows, const struct grid level[],
                                      int threads, struct flt_detail *detail)
{
    uint64_t *row[FLT_APR_LEVELS + 1] = {NULL}, base = 0, runs = 0;
    for (int l = 1; l <= apr->levels; l++) {
        const uint64_t many = grid_rows(&level[l]);
        row[l] = POOL_ARRAY(kept, uint64_t, many + 1);
        if (!row[l])
            return FLT_NO_MEMORY;
        apr->particles.row[l] = row[l];
        const bool listed = l >= rows->least;
        if (!listed)
            memset(row[l], 0, (many + 1) * sizeof *row[l]);
        const int64_t wrong =
            listed ? count_level(rows, &level[l], base, row[l], threads) : INT64_MAX;
        if (wrong != INT64_MAX)
            return tell_row(rows, &level[l], l, base, wrong, detail);
        for (uint64_t r = 0; r < many; r++) {
            const uint64_t own = row[l][r];
            row[l][r] = runs;
            runs += own;
        }
        row[l][many] = runs;
        base += listed ? many : 0;
    }
    struct flt_apr_run *run = POOL_ARRAY(kept, struct flt_apr_run, runs + 1);
    if (!run)
        return FLT_NO_MEMORY;
    base = 0;
    for (int l = rows->least; l <= apr->levels; l++) {
        fill_level(rows, &level[l], base, row[l], run, threads);
        base += grid_rows(&level[l]);
    }
    run[runs] = (struct flt_apr_run){.at = rows->particles}; /* behind the last one */
    apr->particles.run = run;
    apr->particles.count = rows->particles;
    return FLT_OK;
}

/* ---- The whole ---- */

static enum flt_status restore(struct flt_apr *apr, const struct flt_apr_rows *rows,
                               const struct grid level[], int threads, struct flt_detail *detail)
{
    struct pool kept = {.allocator = apr->allocator, .blocks = apr->blocks};
    struct pool pool = {.allocator = apr->allocator};
    apr->particles = (struct flt_apr_cells){.least = 1, .greatest = apr->levels};
    enum flt_status status = take_particles(apr, &kept, rows, level, threads, detail);
    if (status == FLT_OK)
        status = restore_nodes(apr, &kept, &pool, threads, detail);
    if (status == FLT_OK && !tiles_of_particles(apr, &kept, &pool, threads))
        status = FLT_NO_MEMORY;
    apr->balanced = true; /* it is checked */
    pool_release(&pool, NULL);
    apr->blocks = kept.blocks;
    return status;
}

enum flt_status flt_apr_restore(struct flt_apr **out, const int64_t extent[FLT_APR_AXES],
                                const struct flt_apr_rows *rows,
                                const struct flt_allocator *allocator, int threads,
                                struct flt_detail *detail)
{
    if (out)
        *out = NULL;
    if (!out || !extent || !rows || !rows->end || !rows->x)
        return restore_fail(detail, "an argument is NULL");
    enum flt_status status = check_extents(extent, detail);
    if (status != FLT_OK)
        return status;
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid level[FLT_APR_LEVELS + 1];
    const int levels = grids_of(&pixels, level);
    status = check_counts(rows, level, levels, detail);
    if (status != FLT_OK)
        return status;
    struct pool kept = pool_open(allocator);
    struct flt_apr *apr = POOL_ARRAY(&kept, struct flt_apr, 1);
    if (!apr)
        return FLT_NO_MEMORY;
    *apr = (struct flt_apr){.levels = levels, .allocator = kept.allocator, .blocks = kept.blocks};
    for (int l = 0; l <= levels; l++)
        for (int a = 0; a < FLT_APR_AXES; a++)
            apr->extent[l][a] = (int32_t)level[l].extent[a];
    status = restore(apr, rows, level, apr_threads(threads), detail);
    if (status == FLT_OK)
        *out = apr;
    else
        flt_apr_destroy(apr);
    return status;
}
