/* The most memory that constructing an adaptive image takes.
 * peak OP FILE N THREADS: FILE has N^3 samples of uint16. Prints, in bytes: of the samples as f32,
 * which are what the functions take; the most that was resident before construction; and the most
 * afterwards.
 * OP: create, by flt_apr_create, which leaves the samples alone; place, by flt_apr_place, which
 * works in the memory of the samples and in the caller's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flt/particles.h"

/* Of this program alone: what getrusage tells is that of its parent, too. */
static long long resident(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long long most = -1;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM:", 6))
            most = strtoll(line + 6, NULL, 10) * 1024;
    if (file)
        fclose(file);
    return most;
}

/* NULL where it cannot be read; row by row, as a whole file would count. */
static float *loaded(const char *path, size_t n)
{
    FILE *file = fopen(path, "rb");
    float *pixel = malloc(sizeof *pixel * n * n * n);
    uint16_t *row = malloc(sizeof *row * n);
    int good = file && pixel && row;
    for (size_t at = 0; good && at < n * n * n; at += n) {
        good = fread(row, sizeof *row, n, file) == n;
        for (size_t i = 0; good && i < n; i++)
            pixel[at + i] = row[i];
    }
    if (file)
        fclose(file);
    free(row);
    if (good)
        return pixel;
    free(pixel);
    return NULL;
}

static int construct(int in_place, float *pixel, size_t n, int threads)
{
    const int64_t extent[] = {(int64_t)n, (int64_t)n, (int64_t)n};
    struct flt_apr_settings s = flt_apr_usual_settings;
    s.gradient_min = 15;
    s.sigma_min = 100;
    s.sigma_ignored = 50;
    if (!in_place) {
        struct flt_apr *apr = NULL;
        const enum flt_status status = flt_apr_create(&apr, pixel, extent, &s, NULL, threads);
        flt_apr_destroy(apr);
        return status == FLT_OK;
    }
    const float setting[] = {
        s.error, s.lambda, s.sigma_min, s.sigma_ignored, s.gradient_min, s.intensity_min, s.psf, 1,
        1,       1};
    const size_t half = (n + 1) / 2 + 13, bytes = half * half * half * FLT_APR_ROOM_BYTES;
    void *apr = aligned_alloc(64, bytes), *room = aligned_alloc(64, bytes);
    if (apr && room)
        flt_apr_place(extent, pixel, setting, apr, bytes, room, bytes, threads);
    free(room);
    free(apr);
    return apr && room;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    const size_t n = strtoull(argv[3], NULL, 10);
    float *pixel = loaded(argv[2], n);
    const long long before = resident();
    const int good = pixel && construct(!strcmp(argv[1], "place"), pixel, n, atoi(argv[4]));
    printf("%zu %lld %lld\n", n * n * n * sizeof *pixel, before, resident());
    free(pixel);
    return !good;
}
