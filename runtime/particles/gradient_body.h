/* Gradients and means of a row of half the resolution. Included once for each kind of processor:
 * NAME, TARGET. */

/* Of one row of coefficients: its neighbours along y and z. */
struct NAME(neighbours) {
    const float *at, *above, *below, *front, *behind;
};

TARGET static inline struct NAME(neighbours)
    NAME(neighbours_of)(const struct grid *g, const float *coefficient, int64_t z, int64_t y)
{
    const int64_t last_z = g->extent[AXIS_Z] - 1, last_y = g->extent[AXIS_Y] - 1;
    return (struct NAME(neighbours)){.at = coefficient + grid_row(g, z, y),
                                     .above = coefficient + grid_row(g, z, greatest_of(y - 1, 0)),
                                     .below = coefficient + grid_row(g, z, least_of(y + 1, last_y)),
                                     .front = coefficient + grid_row(g, greatest_of(z - 1, 0), y),
                                     .behind =
                                         coefficient + grid_row(g, least_of(z + 1, last_z), y)};
}

/* Takes one row into the greatest squares and the sums. first: they are not there yet. */
TARGET static inline void NAME(take_places)(const struct NAME(neighbours) * n, int64_t begin,
                                            int64_t end, int64_t left, int64_t right,
                                            const float by[], float *restrict square,
                                            float *restrict sum)
{
    const float *restrict at = n->at, *restrict above = n->above, *restrict below = n->below,
                          *restrict front = n->front, *restrict behind = n->behind;
    const float by_z = by[AXIS_Z], by_y = by[AXIS_Y], by_x = by[AXIS_X];
    for (int64_t x = begin; x < end; x++) {
        const float dy = (below[x] - above[x]) * by_y, dz = (behind[x] - front[x]) * by_z,
                    dx = (at[x + right] - at[x + left]) * by_x;
        const float s = dy * dy + dz * dz + dx * dx;
        square[x] = square[x] > s ? square[x] : s;
        sum[x] += at[x];
    }
}

TARGET static void NAME(take_half_row)(const struct half_row *h, int64_t z, int64_t y, float *room,
                                       float *restrict gradient, float *restrict mean)
{
    const struct grid *g = h->g;
    const int64_t count = g->extent[AXIS_X], last = count - 1;
    float *restrict square = room, *restrict sum = room + count;
    memset(room, 0, (size_t)(2 * count) * sizeof *room);
    for (int part = 0; part < 4; part++) {
        const struct NAME(neighbours) n = NAME(neighbours_of)(
            g, h->coefficient, least_of(2 * z + part / 2, g->extent[AXIS_Z] - 1),
            least_of(2 * y + part % 2, g->extent[AXIS_Y] - 1));
        NAME(take_places)(&n, 0, 1, 0, last > 0, h->by, square, sum);
        NAME(take_places)(&n, 1, last, -1, 1, h->by, square, sum);
        if (last > 0)
            NAME(take_places)(&n, last, count, -1, 0, h->by, square, sum);
    }
    for (int64_t x = 0; x < count / 2; x++) {
        const float a = square[2 * x], b = square[2 * x + 1];
        gradient[x] = sqrtf(a > b ? a : b);
        mean[x] = (sum[2 * x] + sum[2 * x + 1]) * 0.125f;
    }
    if (count % 2) {
        gradient[last / 2] = sqrtf(square[last]);
        mean[last / 2] = (sum[last] + sum[last]) * 0.125f;
    }
}
