/* Makes a volume of spheres with soft edges: what adaptive images are timed on.
 * spheres N COUNT LEAST GREATEST SEED NOISE FILE: N^3 samples of uint16, x fastest. Radii are from
 * LEAST to GREATEST, heights from 1000 to 3000 over a background of 200; where spheres meet, the
 * higher one counts. The edge is a step behind a Gaussian of 1.2 pixels. NOISE: the standard
 * deviation of Gaussian noise. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLUR 1.2

struct sphere {
    double center[3], radius, height;
};

/* xorshift64*, of [0, 1). */
static double drawn(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)((*state * 0x2545F4914F6CDD1DULL) >> 11) * 0x1p-53;
}

/* The finalizer of MurmurHash3: a number of 64 bits for each place, in any order. */
static uint64_t mixed(uint64_t v)
{
    v = (v ^ v >> 33) * 0xFF51AFD7ED558CCDULL;
    v = (v ^ v >> 33) * 0xC4CEB9FE1A85EC53ULL;
    return v ^ v >> 33;
}

static double noise(uint64_t seed, uint64_t place)
{
    const uint64_t a = mixed(seed + 2 * place + 1), b = mixed(a + 0x1234567);
    const double u = (double)((a >> 11) + 1) * 0x1p-53, v = (double)(b >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static int64_t bound(int64_t v, int64_t n)
{
    return v < 0 ? 0 : v > n ? n : v;
}

static void put(float *volume, int64_t n, const struct sphere *s)
{
    const int64_t reach = (int64_t)ceil(s->radius + 4 * BLUR);
    int64_t first[3], end[3];
    for (int a = 0; a < 3; a++) {
        first[a] = bound((int64_t)s->center[a] - reach, n);
        end[a] = bound((int64_t)s->center[a] + reach + 1, n);
    }
    for (int64_t z = first[0]; z < end[0]; z++)
        for (int64_t y = first[1]; y < end[1]; y++)
            for (int64_t x = first[2]; x < end[2]; x++) {
                const double dz = (double)z - s->center[0], dy = (double)y - s->center[1];
                const double dx = (double)x - s->center[2];
                const double outside = sqrt(dz * dz + dy * dy + dx * dx) - s->radius;
                const double value = 200 + s->height / 2 * erfc(outside / (sqrt(2) * BLUR));
                float *sample = &volume[(z * n + y) * n + x];
                *sample = fmaxf(*sample, (float)value);
            }
}

static void fill(float *volume, int64_t n, int count, const double radius[2], uint64_t *state)
{
    for (int64_t i = 0; i < n * n * n; i++)
        volume[i] = 200;
    for (int k = 0; k < count; k++) {
        struct sphere s;
        s.center[0] = drawn(state) * (double)n;
        s.center[1] = drawn(state) * (double)n;
        s.center[2] = drawn(state) * (double)n;
        s.radius = radius[0] + (radius[1] - radius[0]) * drawn(state);
        s.height = 1000 + 2000 * drawn(state);
        put(volume, n, &s);
    }
}

/* Rounded, with noise; false where the file cannot be written. */
static int save(const float *volume, int64_t n, uint64_t seed, double deviation, const char *path)
{
    FILE *file = fopen(path, "wb");
    uint16_t *row = malloc(sizeof *row * (size_t)n);
    int good = file && row;
    for (int64_t at = 0; good && at < n * n * n; at += n) {
        for (int64_t i = 0; i < n; i++) {
            const double v = volume[at + i] + deviation * noise(seed, (uint64_t)(at + i)) + 0.5;
            row[i] = (uint16_t)fmin(fmax(v, 0), 65535);
        }
        good = fwrite(row, sizeof *row, (size_t)n, file) == (size_t)n;
    }
    free(row);
    return file && !fclose(file) && good;
}

int main(int argc, char **argv)
{
    if (argc != 8) {
        fprintf(stderr, "usage: spheres N COUNT LEAST GREATEST SEED NOISE FILE\n");
        return 2;
    }
    const int64_t n = strtoll(argv[1], NULL, 10);
    const double radius[2] = {atof(argv[3]), atof(argv[4])};
    uint64_t state = strtoull(argv[5], NULL, 10) * 0x9E3779B97F4A7C15ULL + 1;
    float *volume = n > 0 && n <= 2048 ? malloc(sizeof *volume * (size_t)(n * n * n)) : NULL;
    if (!volume) {
        fprintf(stderr, "spheres: no memory for %s^3 samples\n", argv[1]);
        return 1;
    }
    fill(volume, n, atoi(argv[2]), radius, &state);
    const int good = save(volume, n, state, atof(argv[6]), argv[7]);
    if (!good)
        fprintf(stderr, "spheres: cannot write %s: %s\n", argv[7], strerror(errno));
    free(volume);
    return !good;
}
