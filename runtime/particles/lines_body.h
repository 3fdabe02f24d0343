/* Filters of strips of lines. Included once for each kind of processor: NAME, TARGET. Each line's
 * operations are the same, in the same order, wherever it is. */

/* `wide` vectors side by side, of n samples; from sample to sample it is `by`. room: from sample to
 * sample `room_by`; it may be the samples themselves. */
TARGET static inline __attribute__((always_inline)) void NAME(smooth)(const struct spline *s,
                                                                      float *at, int64_t by,
                                                                      int64_t n, float *room,
                                                                      int64_t room_by, int wide)
{
    lanes sum[4][4] = {{{0}}};
    const float b1 = s->b1, b2 = s->b2, gain = s->gain;
    for (int64_t k = 0; k < s->reach; k++)
        for (int v = 0; v < wide; v++) {
            const lanes a = *(const lanes_anywhere *)(at + k * by + 16 * v),
                        b = *(const lanes_anywhere *)(at + (n - 1 - k) * by + 16 * v);
            sum[0][v] += s->there[0][k] * a;
            sum[1][v] += s->there[1][k] * a;
            sum[2][v] += s->back[0][k] * b;
            sum[3][v] += s->back[1][k] * b;
        }
    for (int v = 0; v < wide; v++) {
        *(lanes_anywhere *)(room + 16 * v) = sum[0][v];
        *(lanes_anywhere *)(room + room_by + 16 * v) = sum[1][v];
    }
    for (int64_t k = 2; k < n; k++) {
        const float *next = at + k * by;
        __builtin_prefetch(next + 16 * wide, 0);
        __builtin_prefetch(next + 16 * wide + 16, 0);
        __builtin_prefetch(next + 16 * wide + 32, 0);
        __builtin_prefetch(next + 16 * wide + 48, 0);
#pragma GCC unroll 4
        for (int v = 0; v < wide; v++) {
            const lanes own =
                *(const lanes_anywhere *)(next + 16 * v) + (b1 * sum[1][v] + b2 * sum[0][v]);
            sum[0][v] = sum[1][v];
            sum[1][v] = own;
            *(lanes_anywhere *)(room + k * room_by + 16 * v) = own;
        }
    }
    for (int v = 0; v < wide; v++) {
        *(lanes_anywhere *)(at + (n - 1) * by + 16 * v) = sum[2][v] * gain;
        *(lanes_anywhere *)(at + (n - 2) * by + 16 * v) = sum[3][v] * gain;
    }
    for (int64_t k = n - 3; k >= 0; k--)
#pragma GCC unroll 4
        for (int v = 0; v < wide; v++) {
            const lanes own = *(const lanes_anywhere *)(room + k * room_by + 16 * v) +
                              (b1 * sum[3][v] + b2 * sum[2][v]);
            sum[2][v] = sum[3][v];
            sum[3][v] = own;
            *(lanes_anywhere *)(at + k * by + 16 * v) = own * gain;
        }
}

/* Values of the spline from its coefficients, mirrored at the ends. */
TARGET static inline __attribute__((always_inline)) void NAME(evaluate)(float *at, int64_t by,
                                                                        int64_t n, int wide)
{
    lanes before[4], own[4];
    for (int v = 0; v < wide; v++) {
        own[v] = *(const lanes_anywhere *)(at + 16 * v);
        before[v] = *(const lanes_anywhere *)(at + (n > 1 ? by : 0) + 16 * v);
    }
    for (int64_t k = 0; k < n; k++)
#pragma GCC unroll 4
        for (int v = 0; v < wide; v++) {
            lanes right = before[v];
            if (k + 1 < n)
                right = *(const lanes_anywhere *)(at + (k + 1) * by + 16 * v);
            *(lanes_anywhere *)(at + k * by + 16 * v) =
                (before[v] + right) * (1 / 6.f) + own[v] * (4 / 6.f);
            before[v] = own[v];
            own[v] = right;
        }
}

/* Means of windows of `half` samples to both sides, which the ends cut. room: a copy. */
TARGET static inline __attribute__((always_inline)) void NAME(average)(int64_t half, float *at,
                                                                       int64_t by, int64_t n,
                                                                       float *room, int64_t room_by,
                                                                       int wide)
{
    lanes sum[4] = {{0}};
    for (int64_t k = 0; k < n; k++)
        for (int v = 0; v < wide; v++) {
            const lanes own = *(const lanes_anywhere *)(at + k * by + 16 * v);
            *(lanes_anywhere *)(room + k * room_by + 16 * v) = own;
            if (k < half)
                sum[v] += own;
        }
    for (int64_t k = 0; k < n; k++) {
        const int64_t first = greatest_of(k - half, 0), last = least_of(k + half, n - 1);
        const float share = 1.f / (float)(last - first + 1);
#pragma GCC unroll 4
        for (int v = 0; v < wide; v++) {
            if (k + half < n)
                sum[v] += *(const lanes_anywhere *)(room + (k + half) * room_by + 16 * v);
            if (k > half)
                sum[v] -= *(const lanes_anywhere *)(room + (k - half - 1) * room_by + 16 * v);
            *(lanes_anywhere *)(at + k * by + 16 * v) = sum[v] * share;
        }
    }
}

TARGET static inline __attribute__((always_inline)) void
NAME(strip_of)(const struct lines_filter *f, float *at, int64_t by, int64_t n, float *room,
               int64_t room_by, int wide)
{
    if (f->kind == LINES_SMOOTH)
        NAME(smooth)(f->spline, at, by, n, room, room_by, wide);
    else if (f->kind == LINES_EVALUATE)
        NAME(evaluate)(at, by, n, wide);
    else
        NAME(average)(f->half, at, by, n, room, room_by, wide);
}

/* 16 lines, STRIP or half of them. */
TARGET static void NAME(strip)(const struct lines_filter *f, float *at, int64_t by, int64_t n,
                               int64_t count, float *room)
{
    if (count == STRIP)
        NAME(strip_of)(f, at, by, n, room, STRIP, STRIP / 16);
    else if (count == STRIP / 2)
        NAME(strip_of)(f, at, by, n, room, STRIP / 2, STRIP / 32);
    else
        NAME(strip_of)(f, at, by, n, room, 16, 1);
}
