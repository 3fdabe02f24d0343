#include "check/files.h"
#include "check/measure.h"
#include "flt/particles_file.h"

#include <stdint.h>
#include <stdio.h>

enum { MOST_KILOBYTES = 512 << 10 };

/* Pixels of what was loaded, unless there are too many for a test. */
static bool pixels_can_be_made(const struct flt_apr_file *file)
{
    const int32_t *n = file->apr->extent[file->apr->levels];
    const double pixels = (double)n[0] * n[1] * n[2];
    const uint64_t count = file->apr->particles.count;
    if (pixels > 1e7)
        return true;
    float *value = malloc(count * sizeof *value), *pixel = malloc((size_t)pixels * sizeof *pixel),
          *node = malloc((file->apr->nodes.count + 1) * sizeof *node);
    bool good = value && pixel && node;
    for (uint64_t i = 0; i < count && good; i++)
        value[i] = 1 + (float)((const unsigned char *)file->value)[i];
    for (size_t i = 0; i < (size_t)pixels && good; i++)
        pixel[i] = 0;
    if (good) {
        flt_apr_to_pixels(file->apr, value, NULL, 0, pixel, 1);
        good = flt_apr_node_means(file->apr, value, node, 1) == FLT_OK;
    }
    for (size_t i = 0; i < (size_t)pixels && good; i++)
        good = pixel[i] >= 1; /* each has a particle */
    free(value);
    free(pixel);
    free(node);
    return good;
}

static bool is_refused_well(const struct flt_apr_file *file, const struct flt_detail *detail)
{
    return !file->apr && !file->value && detail->text[0] && !strchr(detail->text, '\n');
}

bool check_particles(const unsigned char *bytes, size_t length, size_t *loaded)
{
    unsigned char *const exact = exact_copy(bytes, length);
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    const long before = memory_taken();
    const bool well =
        flt_apr_load_bytes("it", exact, length, NULL, NULL, 1, &file, &detail) == FLT_OK;
    bool kept = well ? pixels_can_be_made(&file) : is_refused_well(&file, &detail);
    if (!kept)
        fprintf(stderr, "a promise is broken: %s\n", well ? "sound" : detail.text);
    if (memory_taken() - before > MOST_KILOBYTES) {
        fprintf(stderr, "a file of %zu bytes took much memory: %s\n", length,
                well ? "sound" : detail.text);
        kept = false;
    }
    *loaded += well;
    flt_apr_file_destroy(&file);
    free(exact);
    return kept;
}
