/* A tile, block by block: the rows of samples that it needs are laid out one by one, then the
 * function goes over them. Included once for each kind of processor: NAME, TARGET. */

#include "particles/copy_body.h"

/* Each of `count` numbers 2^shift times, in all rows of the group from place x on. */
TARGET static inline void NAME(put_repeated)(const struct group *g, int64_t x, const float *from,
                                             int64_t count, int shift)
{
    if (shift >= 4) {
        for (int64_t k = 0; k < count; k++)
            for (int64_t at = 0; at < (int64_t)1 << shift; at += 16)
                for (int i = 0; i < g->count; i++)
                    for (int64_t q = 0; q < 16; q++)
                        g->row[i][x + (k << shift) + at + q] = from[k];
        return;
    }
#ifdef FOR_AVX512
    const __m512i of = _mm512_srli_epi32(
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), (unsigned)shift);
    const int64_t together = 16 >> shift;
    for (; count > 0; count -= together, from += together, x += 16) {
        const int64_t some = count < together ? count : together;
        const __mmask16 in = (__mmask16)((1u << some) - 1),
                        out = (__mmask16)((1u << (some << shift)) - 1);
        const __m512 v = _mm512_permutexvar_ps(of, _mm512_maskz_loadu_ps(in, from));
        for (int i = 0; i < g->count; i++)
            _mm512_mask_storeu_ps(g->row[i] + x, out, v);
    }
#else
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < g->count; i++)
            for (int64_t q = 0; q < (int64_t)1 << shift; q++)
                g->row[i][x + (k << shift) + q] = from[k];
#endif
}

/* Runs of row r of a level `shift` above, whose cells are many of these, as far as they are
 * between `low` and `high`; a cell that ends behind may be written as a whole where it is of
 * less than 16. */
TARGET static inline void NAME(put_coarse)(const struct flt_apr_cells *cells, int l, int64_t r,
                                           int shift, const float *value, int64_t low, int64_t high,
                                           const struct group *g)
{
    const struct flt_apr_run *run = cells->run + cells->row[l][r],
                             *end = cells->run + cells->row[l][r + 1];
    for (; run < end && (int64_t)run->first << shift < high; run++) {
        const int64_t first = greatest_of(low >> shift, run->first),
                      last = least_of(((high - 1) >> shift) + 1, (int64_t)run->first + run->count);
        const float *from = value + run->at + (first - run->first);
        if (first >= last)
            continue;
        if (shift < 4) {
            NAME(put_repeated)(g, first << shift, from, last - first, shift);
            continue;
        }
        for (int64_t k = first; k < last; k++) {
            const int64_t begin = greatest_of(k << shift, low),
                          stop = least_of((k + 1) << shift, high);
            for (int64_t x = begin; x < stop; x += 16) /* rows have room for 16 more */
                NAME(put_repeated)(g, x, from + (k - first), 1, 4);
        }
    }
}

/* A row of cells of this level: its own runs, as far as they are between `low` and `high`. */
TARGET static inline void NAME(put_own)(const struct flt_apr_cells *cells, int l, int64_t r,
                                        const float *value, int64_t low, int64_t high, float *row)
{
    const struct flt_apr_run *run = cells->run + cells->row[l][r],
                             *end = cells->run + cells->row[l][r + 1];
    for (; run < end && run->first < high; run++) {
        const int64_t first = greatest_of(run->first, low),
                      stop = least_of((int64_t)run->first + run->count, high);
        if (first < stop)
            NAME(copy_run)(row + first, value + run->at + (first - run->first), stop - first);
    }
}

/* Rows of the finest level, which are alike. */
TARGET static inline void NAME(put_finest)(const struct flt_apr_cells *cells, int l,
                                           const float *value, int64_t low, int64_t high,
                                           const struct group *g)
{
    const struct flt_apr_run *of[4] = {NULL};
    const uint64_t count = cells->row[l][g->r[0] + 1] - cells->row[l][g->r[0]];
    for (int i = 0; i < g->count; i++)
        of[i] = cells->run + cells->row[l][g->r[i]];
    for (uint64_t k = 0; k < count && of[0][k].first < high; k++) {
        const int64_t first = greatest_of(of[0][k].first, low),
                      stop = least_of((int64_t)of[0][k].first + of[0][k].count, high);
        for (int i = 0; first < stop && i < g->count; i++)
            NAME(copy_run)
        (g->row[i] + first, value + of[i][k].at + (first - of[0][k].first), stop - first);
    }
}

/* What is outside along x. low, high: as wanted, of a row of n. */
TARGET static inline void NAME(put_borders)(int64_t n, int border, int64_t low, int64_t high,
                                            float *row)
{
    for (int64_t x = low; x < 0; x++) {
        const int64_t at = place_at(x, n, border);
        row[x] = at < 0 ? 0 : row[at];
    }
    for (int64_t x = n; x < high; x++) {
        const int64_t at = place_at(x, n, border);
        row[x] = at < 0 ? 0 : row[at];
    }
}

/* Rows of a level's grid between low and high. (z, y): one of them; they differ in the last bit of
 * each at most, so that what is coarser is the same. */
TARGET static void NAME(fill_rows)(const struct work *w, int l, int64_t z, int64_t y, int coarsest,
                                   int64_t low, int64_t high, const struct group *g)
{
    const struct flt_apr *apr = w->apr;
    const int64_t n = apr->extent[l][AXIS_X];
    int64_t from = low, to = least_of(high, n);
    if (low < 0) /* mirrored */
        to = least_of(n, greatest_of(to, 1 - low));
    if (high > n)
        from = least_of(from, 2 * n - 2 - high);
    if (from < 0 || high >= 2 * n)
        from = 0, to = high >= 2 * n ? n : to;
    for (int c = coarsest; c < l; c++)
        NAME(put_coarse)
    (&apr->particles, c, (z >> (l - c)) * apr->extent[c][AXIS_Y] + (y >> (l - c)), l - c, w->value,
     from, to, g);
    if (l == apr->levels)
        NAME(put_finest)(&apr->particles, l, w->value, from, to, g);
    for (int i = 0; l < apr->levels && i < g->count; i++) {
        NAME(put_own)(&apr->particles, l, g->r[i], w->value, from, to, g->row[i]);
        NAME(put_own)(&apr->nodes, l, g->r[i], w->node, from, to, g->row[i]);
    }
    for (int i = 0; (low < 0 || high > n) && i < g->count; i++)
        NAME(put_borders)(n, w->windows->border[AXIS_X], low, high, g->row[i]);
}

/* Whether rows r and r + 1 have the same cells. */
TARGET static inline bool NAME(rows_are_alike)(const struct flt_apr_cells *cells, int l, int64_t r)
{
    const uint64_t *row = cells->row[l] + r;
    const uint64_t count = row[1] - row[0];
    if (row[2] - row[1] != count)
        return false;
    for (uint64_t i = row[0]; i < row[1]; i++)
        if (cells->run[i].first != cells->run[i + count].first ||
            cells->run[i].count != cells->run[i + count].count)
            return false;
    return true;
}

/* The cells from `begin` to `stop` of one row, or of two that are alike: runs so close that the
 * function computes what is between them anyway are taken together. */
TARGET static void NAME(do_lines)(const struct work *w, const struct bench *b,
                                  struct flt_apr_window *window, int64_t r, int64_t begin,
                                  int64_t stop)
{
    const struct flt_apr_cells *cells = &w->apr->particles;
    const uint64_t *row = cells->row[window->level] + r;
    const struct flt_apr_run *run = cells->run + row[0], *end = cells->run + row[1];
    const uint64_t count = row[1] - row[0]; /* from a run to the one of the next row */
    while (run < end && run->first + (int64_t)run->count <= begin)
        run++;
    while (run < end && run->first < stop) {
        const struct flt_apr_run *first = run;
        int64_t all = 0;
        window->x = greatest_of(run->first, begin);
        for (; run < end && run->first < stop && (run == first || run->first < window->x + all);
             run++)
            all =
                (least_of((int64_t)run->first + run->count, stop) - window->x + FLT_APR_LANES - 1) /
                FLT_APR_LANES * FLT_APR_LANES;
        w->line(w->context, window, all, b->sums);
        for (int k = 0; k < window->lines; k++)
            for (const struct flt_apr_run *i = first; i < run; i++) {
                const int64_t from = greatest_of(i->first, begin),
                              to = least_of((int64_t)i->first + i->count, stop);
                NAME(copy_run)
                (w->out + i[k ? count : 0].at + (from - i->first),
                 b->sums + k * window->out_pitch + (from - window->x), to - from);
            }
    }
}

/* Marks the rows that windows of the block's rows meet. Returns whether there are any. */
TARGET static bool NAME(mark_needed)(const struct flt_apr *apr, const struct bench *b, int l,
                                     const int64_t corner[2], const int64_t count[2],
                                     const struct flt_apr_reach *reach)
{
    const int64_t high = count[0] + reach->extent[AXIS_Z] - 1,
                  wide = count[1] + reach->extent[AXIS_Y] - 1;
    bool any = false;
    memset(b->needed, 0, (size_t)(high * wide));
    for (int64_t k = 0; k < count[0]; k++) {
        const uint64_t *row =
            apr->particles.row[l] + (corner[0] + k) * apr->extent[l][AXIS_Y] + corner[1];
        uint8_t *needed = b->needed + k * wide;
        for (int64_t j = 0; j < count[1]; j++) {
            if (row[j] == row[j + 1])
                continue;
            any = true;
            for (int64_t i = 0; i < reach->extent[AXIS_Y]; i++)
                needed[j + i] |= 2; /* of this plane alone */
        }
    }
    for (int64_t k = count[0]; any && k-- > 0;)
        for (int64_t i = reach->extent[AXIS_Z]; i-- > 0;)
            for (int64_t j = 0; j < wide; j++)
                b->needed[(k + i) * wide + j] |= b->needed[k * wide + j] >> 1 & 1;
    return any;
}

/* Levels that windows may meet: to meet one s above takes 2^s - 1 cells, where structures are
 * balanced. */
TARGET static int NAME(coarsest_met)(const struct flt_apr *apr, int l,
                                     const struct flt_apr_reach *reach)
{
    int64_t far = 0;
    int s = 0;
    for (int a = 0; a < FLT_APR_AXES; a++)
        far =
            greatest_of(far, greatest_of(-reach->first[a], reach->first[a] + reach->extent[a] - 1));
    while (s < l && (!apr->balanced || ((int64_t)2 << s) - 1 <= far))
        s++;
    return (int)greatest_of(apr->particles.least, l - s);
}

/* Where rows of windows of a block are in the grid, along one axis; their least and greatest. */
TARGET static void NAME(find_places)(int64_t first, int64_t count, int64_t n, int border,
                                     int32_t *place, int64_t *least, int64_t *greatest)
{
    *least = n;
    *greatest = 0;
    for (int64_t i = 0; i < count; i++) {
        place[i] = (int32_t)place_at(first + i, n, border);
        if (place[i] < 0)
            continue;
        *least = least_of(*least, place[i]);
        *greatest = greatest_of(*greatest, place[i]);
    }
}

/* Lays out the rows of samples that are needed, and says where they are. */
TARGET static void NAME(fill_block)(const struct work *w, const struct bench *b, int l,
                                    const int64_t corner[2], const int64_t count[2], int64_t begin,
                                    int64_t stop, const struct flt_apr_reach *reach)
{
    const int32_t *n = w->apr->extent[l];
    const int64_t rows[2] = {count[0] + reach->extent[AXIS_Z] - 1,
                             count[1] + reach->extent[AXIS_Y] - 1};
    const int64_t low = begin + reach->first[AXIS_X],
                  high = stop + reach->first[AXIS_X] + reach->extent[AXIS_X] - 1,
                  shift = w->left - begin; /* of cell 0 */
    const int coarsest = NAME(coarsest_met)(w->apr, l, reach);
    int64_t least[2], greatest[2];
    for (int a = 0; a < 2; a++)
        NAME(find_places)
    (corner[a] + reach->first[a], rows[a], n[a], w->windows->border[a], b->place[a], &least[a],
     &greatest[a]);
    const int64_t wide = greatest[1] - least[1] + 1;
    if (greatest[0] < least[0] || greatest[1] < least[1])
        least[0] = least[1] = greatest[0] = greatest[1] = 0; /* all are outside */
    memset(b->filled, 0, (size_t)((greatest[0] - least[0] + 1) * greatest_of(wide, 1)));
    for (int64_t k = 0; k < rows[0]; k++)
        for (int64_t j = 0; j < rows[1]; j++) {
            const int32_t z = b->place[0][k], y = b->place[1][j];
            const int64_t at = (z - least[0]) * wide + (y - least[1]);
            if (!b->needed[k * rows[1] + j])
                continue;
            b->row[k * rows[1] + j] =
                z < 0 || y < 0 ? b->zeros + shift : b->samples + at * w->pitch + shift;
            if (z >= 0 && y >= 0)
                b->filled[at] = 1;
        }
    for (int64_t z = least[0] & ~(int64_t)1; z <= greatest[0]; z += 2)
        for (int64_t y = least[1] & ~(int64_t)1; y <= greatest[1]; y += 2) {
            struct group g = {.count = 0};
            for (int part = 0; part < 4; part++) {
                const int64_t own_z = z + part / 2, own_y = y + part % 2;
                const int64_t at = (own_z - least[0]) * wide + (own_y - least[1]);
                if (own_z < least[0] || own_z > greatest[0] || own_y < least[1] ||
                    own_y > greatest[1] || !b->filled[at])
                    continue;
                g.r[g.count] = own_z * n[AXIS_Y] + own_y;
                g.row[g.count++] = b->samples + at * w->pitch + shift;
            }
            if (g.count)
                NAME(fill_rows)(w, l, z, y, coarsest, low, high, &g);
        }
}

TARGET static void NAME(do_block)(const struct work *w, const struct bench *b, int l,
                                  const int64_t corner[2], const int64_t count[2], int64_t begin,
                                  int64_t stop, const struct flt_apr_reach *reach)
{
    struct flt_apr_window window = {.pitch = count[1] + reach->extent[AXIS_Y] - 1,
                                    .out_pitch = w->pitch,
                                    .level = l,
                                    .shift = w->apr->levels - l};
    if (!NAME(mark_needed)(w->apr, b, l, corner, count, reach))
        return;
    NAME(fill_block)(w, b, l, corner, count, begin, stop, reach);
    for (int a = 0; a < FLT_APR_AXES; a++) {
        window.first[a] = reach->first[a];
        window.extent[a] = reach->extent[a];
    }
    for (int64_t k = 0; k < count[0]; k++) {
        const int64_t r = (corner[0] + k) * w->apr->extent[l][AXIS_Y] + corner[1];
        const uint64_t *row = w->apr->particles.row[l] + r;
        window.z = corner[0] + k;
        for (int64_t j = 0; j < count[1]; j += window.lines) {
            window.lines = 1;
            if (row[j] == row[j + 1])
                continue;
            if (j + 1 < count[1] && NAME(rows_are_alike)(&w->apr->particles, l, r + j))
                window.lines = 2;
            window.y = corner[1] + j;
            window.row = b->row + k * window.pitch + j;
            NAME(do_lines)(w, b, &window, r + j, begin, stop);
        }
    }
}

TARGET static void NAME(tile)(const struct work *w, const struct bench *b,
                              const struct flt_apr_tile *tile)
{
    const int shift = w->apr->levels - tile->level;
    const struct flt_apr_reach *reach =
        &w->windows->reach[least_of(shift, w->windows->reaches - 1)];
    const int32_t *n = w->apr->extent[tile->level];
    const int64_t end_z = least_of(tile->z + rows_of_shape[w->shape][0], n[AXIS_Z]),
                  end_y = least_of(tile->y + rows_of_shape[w->shape][1], n[AXIS_Y]);
    for (int64_t z = tile->z; z < end_z; z += w->block[0])
        for (int64_t y = tile->y; y < end_y; y += w->block[1]) {
            const int64_t corner[2] = {z, y}, count[2] = {least_of(w->block[0], end_z - z),
                                                          least_of(w->block[1], end_y - y)};
            for (int64_t x = tile->first; x < tile->end; x += w->cells)
                NAME(do_block)
            (w, b, tile->level, corner, count, x, least_of(x + w->cells, tile->end), reach);
        }
}
