/* A library with a filter, to be loaded and unloaded. */
#include "several.h"

#include <stdlib.h>

int run_by_threads(int threads);
int run_by_threads(int threads)
{
    enum { EXTENT = 300 };
    float *const samples = calloc(3 * EXTENT * EXTENT, sizeof *samples);
    uint8_t *const bytes = calloc(EXTENT * EXTENT, 1);
    uint32_t *const sums = calloc(EXTENT * EXTENT, sizeof *sums);
    const struct several_in in = {samples, EXTENT, EXTENT, EXTENT, 1};
    const struct several_counts counts = {bytes, EXTENT, EXTENT, EXTENT, 1};
    const struct several_smooth smooth = {samples + EXTENT * EXTENT, EXTENT, EXTENT, EXTENT, 1};
    const struct several_area area = {sums, EXTENT, EXTENT, EXTENT, 1};
    const struct several_level level = {samples + 2 * EXTENT * EXTENT, EXTENT, EXTENT, EXTENT, 1};
    const int status = several(&in, &counts, &smooth, &area, &level, threads);
    free(samples);
    free(bytes);
    free(sums);
    return status;
}
