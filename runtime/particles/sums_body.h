/* Sums of one window each. Included once for each kind of processor: NAME, TARGET. All sums are of
 * products in the order of the weights, from 0 on, so that bits are the same everywhere. */

/* Of windows whose extents are constants where this is called: from cell q on, WIDE vectors of two
 * lines or of one. */
TARGET static inline __attribute__((always_inline)) void
NAME(sums_of)(const struct flt_apr_window *w, const float *weight, int ez, int ey, int ex,
              int64_t q, int lines, int wide, float *out)
{
    lanes sum[2][2] = {{{0}}};
    const int64_t from = w->x + w->first[AXIS_X] + q;
    for (int i = 0; i < ez; i++) {
        const float *const *row = w->row + i * w->pitch;
        for (int j = 0; j < ey; j++, weight += ex)
#pragma GCC unroll 8
            for (int m = 0; m < ex; m++)
#pragma GCC unroll 2
                for (int k = 0; k < lines; k++)
#pragma GCC unroll 2
                    for (int v = 0; v < wide; v++)
                        sum[k][v] +=
                            weight[m] * *(const lanes_anywhere *)(row[j + k] + from + m + 16 * v);
    }
    for (int k = 0; k < lines; k++)
        for (int v = 0; v < wide; v++)
            *(lanes *)(void *)(out + k * w->out_pitch + q + 16 * v) = sum[k][v];
}

TARGET static inline __attribute__((always_inline)) void
NAME(sums_of_all)(const struct flt_apr_window *w, const float *weight, int ez, int ey, int ex,
                  int64_t count, float *out)
{
    int64_t q = 0;
    if (w->lines == 2) {
        for (; q + 32 <= count; q += 32)
            NAME(sums_of)(w, weight, ez, ey, ex, q, 2, 2, out);
        for (; q < count; q += 16)
            NAME(sums_of)(w, weight, ez, ey, ex, q, 2, 1, out);
        return;
    }
    for (; q + 32 <= count; q += 32)
        NAME(sums_of)(w, weight, ez, ey, ex, q, 1, 2, out);
    for (; q < count; q += 16)
        NAME(sums_of)(w, weight, ez, ey, ex, q, 1, 1, out);
}

#define SUMS(name, ez, ey, ex)                                                                     \
    TARGET static void NAME(name)(const void *context, const struct flt_apr_window *w,             \
                                  int64_t count, float *out)                                       \
    {                                                                                              \
        const float *const *weight = context;                                                      \
        NAME(sums_of_all)(w, weight[w->shift], ez, ey, ex, count, out);                            \
    }
SUMS(sums_3, 3, 3, 3)
SUMS(sums_5, 5, 5, 5)
SUMS(sums_7, 7, 7, 7)
SUMS(sums_any, w->extent[AXIS_Z], w->extent[AXIS_Y], w->extent[AXIS_X])
#undef SUMS

/* By the extents of the window. */
TARGET static void NAME(sums)(const void *context, const struct flt_apr_window *w, int64_t count,
                              float *out)
{
    const int32_t *n = w->extent;
    if (n[AXIS_Z] == 3 && n[AXIS_Y] == 3 && n[AXIS_X] == 3)
        NAME(sums_3)(context, w, count, out);
    else if (n[AXIS_Z] == 5 && n[AXIS_Y] == 5 && n[AXIS_X] == 5)
        NAME(sums_5)(context, w, count, out);
    else if (n[AXIS_Z] == 7 && n[AXIS_Y] == 7 && n[AXIS_X] == 7)
        NAME(sums_7)(context, w, count, out);
    else
        NAME(sums_any)(context, w, count, out);
}
