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
    TARGET static void NAME(name)(const struct flt_apr_window *w, const float *weight,             \
                                  int64_t count, float *out)                                       \
    {                                                                                              \
        NAME(sums_of_all)(w, weight, ez, ey, ex, count, out);                                      \
    }
SUMS(sums_3, 3, 3, 3)
SUMS(sums_z, w->extent[AXIS_Z], 1, 1)
SUMS(sums_y, 1, w->extent[AXIS_Y], 1)
SUMS(sums_by_1, w->extent[AXIS_Z], w->extent[AXIS_Y], 1)
SUMS(sums_by_2, w->extent[AXIS_Z], w->extent[AXIS_Y], 2)
SUMS(sums_by_3, w->extent[AXIS_Z], w->extent[AXIS_Y], 3)
SUMS(sums_by_5, w->extent[AXIS_Z], w->extent[AXIS_Y], 5)
SUMS(sums_by_7, w->extent[AXIS_Z], w->extent[AXIS_Y], 7)
SUMS(sums_by_any, w->extent[AXIS_Z], w->extent[AXIS_Y], w->extent[AXIS_X])
#undef SUMS

/* By the extents of the window. context: weights, by shift. */
TARGET static void NAME(sums)(const void *context, const struct flt_apr_window *w, int64_t count,
                              float *out)
{
    const float *weight = ((const float *const *)context)[w->shift];
    const int32_t *n = w->extent;
    switch (n[AXIS_X]) {
    case 1:
        if (n[AXIS_Y] == 1)
            NAME(sums_z)(w, weight, count, out);
        else if (n[AXIS_Z] == 1)
            NAME(sums_y)(w, weight, count, out);
        else
            NAME(sums_by_1)(w, weight, count, out);
        break;
    case 2:
        NAME(sums_by_2)(w, weight, count, out);
        break;
    case 3:
        if (n[AXIS_Z] == 3 && n[AXIS_Y] == 3)
            NAME(sums_3)(w, weight, count, out);
        else
            NAME(sums_by_3)(w, weight, count, out);
        break;
    case 5:
        NAME(sums_by_5)(w, weight, count, out);
        break;
    case 7:
        NAME(sums_by_7)(w, weight, count, out);
        break;
    default:
        NAME(sums_by_any)(w, weight, count, out);
        break;
    }
}
