/* A tile, block by block: the rows of samples that it needs are laid out one by one, then the
 * function goes over them. Included once for each kind of processor: NAME, TARGET. */

/* Copies a few numbers; runs are short. */
TARGET static inline void NAME(copy_run)(float *to, const float *from, int64_t count)
{
#ifdef BODY_AVX512
    for (; count >= 16; count -= 16, to += 16, from += 16)
        _mm512_storeu_ps(to, _mm512_loadu_ps(from));
    const __mmask16 some = (__mmask16)((1u << count) - 1);
    _mm512_mask_storeu_ps(to, some, _mm512_maskz_loadu_ps(some, from));
#else
    for (; count >= 8; count -= 8, to += 8, from += 8)
        memcpy(to, from, 8 * sizeof *to);
    if (count >= 4) {
        memcpy(to, from, 4 * sizeof *to);
        to += 4, from += 4, count -= 4;
    }
    for (int64_t k = 0; k < count; k++)
        to[k] = from[k];
#endif
}

/* Each number twice. */
TARGET static inline void NAME(copy_pairs)(float *to, const float *from, int64_t count)
{
#ifdef BODY_AVX512
    const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    for (; count > 0; count -= 8, to += 16, from += 8) {
        const int64_t some = count < 8 ? count : 8;
        const __m512 v = _mm512_maskz_loadu_ps((__mmask16)((1u << some) - 1), from);
        _mm512_mask_storeu_ps(to, (__mmask16)((1u << 2 * some) - 1),
                              _mm512_permutexvar_ps(twice, v));
    }
#else
    for (int64_t k = 0; k < count; k++)
        to[2 * k] = to[2 * k + 1] = from[k];
#endif
}

/* A row of cells of one level, as far as it is between the places `low` and `high`: its own runs. */
TARGET static inline void NAME(put_own)(const struct flt_apr_cells *cells, int l, int64_t r,
                                        const float *value, int64_t low, int64_t high, float *row)
{
    const struct flt_apr_run *run = cells->run + cells->row[l][r],
                             *end = cells->run + cells->row[l][r + 1];
    for (; run < end && run->first < high; run++)
        if (run->first + (int64_t)run->count > low)
            NAME(copy_run)(row + run->first, value + run->at, run->count);
}

/* Runs of a level `shift` above, whose cells are many of these. n: the row's extent. */
TARGET static inline void NAME(put_coarse)(const struct flt_apr_cells *cells, int l, int64_t r,
                                           int shift, const float *value, int64_t low, int64_t high,
                                           int64_t n, float *row)
{
    const struct flt_apr_run *run = cells->run + cells->row[l][r],
                             *end = cells->run + cells->row[l][r + 1];
    for (; run < end && (int64_t)run->first << shift < high; run++) {
        const float *from = value + run->at;
        if (((int64_t)run->first + run->count) << shift <= low)
            continue;
        /* a pair at an odd end has one sample outside, where border follows */
        if (shift == 1) {
            NAME(copy_pairs)(row + 2 * (int64_t)run->first, from, run->count);
            continue;
        }
        for (uint32_t k = 0; k < run->count; k++) {
            const int64_t first = (int64_t)(run->first + k) << shift,
                          last = least_of(first + ((int64_t)1 << shift), n);
            for (int64_t x = first; x < last; x++)
                row[x] = from[k];
        }
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

/* Row (z, y) of a level's grid, between low and high. */
TARGET static void NAME(fill_row)(const struct work *w, const struct flt_apr_tile *tile, int64_t z,
                                  int64_t y, int coarsest, int64_t low, int64_t high, float *row)
{
    const struct flt_apr *apr = w->apr;
    const int l = tile->level;
    const int64_t n = apr->extent[l][AXIS_X], r = z * apr->extent[l][AXIS_Y] + y;
    int64_t from = low, to = high;
    if (low < 0) /* mirrored */
        to = least_of(n, greatest_of(to, 1 - low));
    if (high > n)
        from = least_of(from, 2 * n - 2 - high);
    if (from < 0 || high >= 2 * n)
        from = 0, to = high >= 2 * n ? n : to;
    for (int c = coarsest; c < l; c++)
        NAME(put_coarse)
        (&apr->particles, c, (z >> (l - c)) * apr->extent[c][AXIS_Y] + (y >> (l - c)), l - c,
         w->value, from, to, n, row);
    NAME(put_own)(&apr->particles, l, r, w->value, from, to, row);
    if (l < apr->levels)
        NAME(put_own)(&apr->nodes, l, r, w->node, from, to, row);
    if (low < 0 || high > n)
        NAME(put_borders)(n, w->windows->border[AXIS_X], low, high, row);
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

/* The cells of one row, or of two that are alike: runs so close that the function computes what is
 * between them anyway are taken together. */
TARGET static void NAME(do_lines)(const struct work *w, const struct bench *b,
                                  struct flt_apr_window *window, int64_t r)
{
    const struct flt_apr_cells *cells = &w->apr->particles;
    const uint64_t *row = cells->row[window->level] + r;
    const struct flt_apr_run *run = cells->run + row[0], *end = cells->run + row[1];
    const uint64_t count = row[1] - row[0]; /* from a run to the one of the next row */
    while (run < end) {
        const struct flt_apr_run *first = run;
        int64_t all = 0;
        for (; run < end && (run == first || run->first < first->first + all); run++)
            all = ((int64_t)run->first + run->count - first->first + FLT_APR_LANES - 1) /
                  FLT_APR_LANES * FLT_APR_LANES;
        window->x = first->first;
        w->line(w->context, window, all, b->sums);
        for (int k = 0; k < window->lines; k++)
            for (const struct flt_apr_run *i = first; i < run; i++)
                NAME(copy_run)
                (w->out + i[k ? count : 0].at,
                 b->sums + k * window->out_pitch + (i->first - first->first), i->count);
    }
}

/* Whether a tile has particles in row (plane, line) of it. */
TARGET static inline bool NAME(has_row)(const struct flt_apr_tile *tile, int64_t plane,
                                        int64_t line)
{
    return tile->row[plane] >> line & 1;
}

/* Marks the rows that windows of the block's rows meet. wide: rows of windows, along y. */
TARGET static bool NAME(mark_needed)(const struct bench *b, const struct flt_apr_tile *tile,
                                     const int64_t first[2], const int64_t count[2],
                                     const struct flt_apr_reach *reach)
{
    const int64_t high = count[0] + reach->extent[AXIS_Z] - 1,
                  wide = count[1] + reach->extent[AXIS_Y] - 1;
    bool any = false;
    memset(b->needed, 0, (size_t)(high * wide));
    for (int64_t k = 0; k < count[0]; k++) {
        uint8_t *needed = b->needed + k * wide;
        const unsigned rows = tile->row[first[0] + k] >> first[1] & ((1u << count[1]) - 1);
        for (int64_t j = 0; rows && j < count[1]; j++)
            for (int64_t i = 0; rows >> j & 1 && i < reach->extent[AXIS_Y]; i++)
                needed[j + i] |= 2; /* of this plane alone */
        any = any || rows;
    }
    if (!any)
        return false;
    for (int64_t k = count[0]; k-- > 0;)
        for (int64_t i = reach->extent[AXIS_Z]; i-- > 0;)
            for (int64_t j = 0; j < wide; j++)
                b->needed[(k + i) * wide + j] |= (b->needed[k * wide + j] & 2) >> 1;
    return true;
}

/* Lays out the rows of samples that are needed, and says where they are. */
TARGET static void NAME(fill_block)(const struct work *w, const struct bench *b,
                                    const struct flt_apr_tile *tile, const int64_t first[2],
                                    const int64_t count[2], const struct flt_apr_reach *reach)
{
    const int32_t *n = w->apr->extent[tile->level];
    const int64_t rows[2] = {count[0] + reach->extent[AXIS_Z] - 1,
                             count[1] + reach->extent[AXIS_Y] - 1};
    const int64_t low = tile->first + reach->first[AXIS_X],
                  high = tile->end + reach->first[AXIS_X] + reach->extent[AXIS_X] - 1;
    const int64_t corner[2] = {tile->z + first[0], tile->y + first[1]};
    int32_t least[2], greatest[2];
    int coarsest = w->apr->particles.least;
    if (w->apr->balanced) { /* to meet a level s above takes 2^s - 1 cells */
        int64_t far = 0;
        for (int a = 0; a < FLT_APR_AXES; a++)
            far = greatest_of(
                far, greatest_of(-reach->first[a], reach->first[a] + reach->extent[a] - 1));
        int s = 0;
        while (s < tile->level && ((int64_t)2 << s) - 1 <= far)
            s++;
        coarsest = (int)greatest_of(coarsest, tile->level - s);
    }
    for (int a = 0; a < 2; a++) {
        least[a] = INT32_MAX;
        greatest[a] = 0;
        for (int64_t i = 0; i < rows[a]; i++) {
            const int32_t at =
                (int32_t)place_at(corner[a] + reach->first[a] + i, n[a], w->windows->border[a]);
            b->place[a][i] = at;
            if (at >= 0) {
                least[a] = at < least[a] ? at : least[a];
                greatest[a] = at > greatest[a] ? at : greatest[a];
            }
        }
    }
    const int64_t wide = greatest[1] - least[1] + 1;
    memset(b->filled, 0, (size_t)((greatest[0] - least[0] + 1) * wide));
    for (int64_t k = 0; k < rows[0]; k++)
        for (int64_t j = 0; j < rows[1]; j++) {
            const int32_t z = b->place[0][k], y = b->place[1][j];
            if (!b->needed[k * rows[1] + j])
                continue;
            if (z < 0 || y < 0) {
                b->row[k * rows[1] + j] = b->zeros;
                continue;
            }
            const int64_t at = (z - least[0]) * wide + (y - least[1]);
            float *row = b->samples + at * w->pitch + w->left;
            b->row[k * rows[1] + j] = row;
            if (!b->filled[at])
                NAME(fill_row)(w, tile, z, y, coarsest, low, high, row);
            b->filled[at] = 1;
        }
}

TARGET static void NAME(do_block)(const struct work *w, const struct bench *b,
                                  const struct flt_apr_tile *tile, const int64_t first[2],
                                  const int64_t count[2], const struct flt_apr_reach *reach)
{
    const int l = tile->level;
    const int64_t lines = w->apr->extent[l][AXIS_Y];
    struct flt_apr_window window = {.pitch = count[1] + reach->extent[AXIS_Y] - 1,
                                    .out_pitch = w->pitch,
                                    .level = l,
                                    .shift = w->apr->levels - l};
    if (!NAME(mark_needed)(b, tile, first, count, reach))
        return;
    NAME(fill_block)(w, b, tile, first, count, reach);
    for (int a = 0; a < FLT_APR_AXES; a++) {
        window.first[a] = reach->first[a];
        window.extent[a] = reach->extent[a];
    }
    for (int64_t k = 0; k < count[0]; k++)
        for (int64_t j = 0; j < count[1]; j += window.lines) {
            const int64_t z = tile->z + first[0] + k, y = tile->y + first[1] + j;
            window.lines = 1;
            if (!NAME(has_row)(tile, first[0] + k, first[1] + j))
                continue;
            if (j + 1 < count[1] && NAME(rows_are_alike)(&w->apr->particles, l, z * lines + y))
                window.lines = 2;
            window.z = z;
            window.y = y;
            window.row = b->row + k * window.pitch + j;
            NAME(do_lines)(w, b, &window, z * lines + y);
        }
}

TARGET static void NAME(tile)(const struct work *w, const struct bench *b,
                              const struct flt_apr_tile *tile)
{
    const int shift = w->apr->levels - tile->level;
    const struct flt_apr_reach *reach =
        &w->windows->reach[least_of(shift, w->windows->reaches - 1)];
    const int32_t *n = w->apr->extent[tile->level];
    const int64_t planes = least_of(TILE_ROWS, n[AXIS_Z] - tile->z),
                  lines = least_of(TILE_ROWS, n[AXIS_Y] - tile->y);
    for (int64_t z = 0; z < planes; z += w->block[0])
        for (int64_t y = 0; y < lines; y += w->block[1]) {
            const int64_t first[2] = {z, y}, count[2] = {least_of(w->block[0], planes - z),
                                                         least_of(w->block[1], lines - y)};
            NAME(do_block)(w, b, tile, first, count, reach);
        }
}
