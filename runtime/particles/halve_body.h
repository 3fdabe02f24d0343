/* Means of 2 x 2 x 2. Included once for each kind of processor: NAME, TARGET. */
TARGET static void NAME(halve_rows)(const float *const row[4], int64_t whole, int64_t count,
                                    float *restrict out)
{
    const float *restrict a = row[0], *restrict b = row[1], *restrict c = row[2],
                          *restrict d = row[3];
    for (int64_t x = 0; x < whole; x++) {
        const int64_t i = 2 * x, k = i + 1;
        out[x] = 0.125f * (a[i] + a[k] + b[i] + b[k] + c[i] + c[k] + d[i] + d[k]);
    }
    if (whole < count) {
        const int64_t i = 2 * whole;
        out[whole] = 0.125f * (a[i] + a[i] + b[i] + b[i] + c[i] + c[i] + d[i] + d[i]);
    }
}
