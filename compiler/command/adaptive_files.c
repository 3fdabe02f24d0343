#include "command/adaptive_files.h"
#include "command/conversion.h"
#include "flt/particles_file.h"

#include <stdlib.h>
#include <strings.h>

enum { AXES = FLT_APR_AXES };

bool adaptive_is_file(const char *path)
{
    static const char ending[] = ".apr";
    const size_t length = strlen(path), count = sizeof ending - 1;
    return length > count && strcasecmp(path + length - count, ending) == 0;
}

static bool report(struct command_context *c, const char *text)
{
    session_error(c->session, DIAGNOSTIC_E0904, "%s", text);
    return false;
}

static bool report_memory(struct command_context *c)
{
    session_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    return false;
}

/* ---- Reading ---- */

static bool create_image(struct command_context *c, const struct flt_apr *apr,
                         enum flt_element element, struct flt_image *image)
{
    static const char *const axis[AXES] = {"z", "y", "x"};
    const int32_t *extent = apr->extent[apr->levels];
    int first = 0;
    while (first < AXES - 1 && extent[first] == 1)
        first++;
    return flt_image_create(image, element, AXES - first, axis + first, extent + first) == FLT_OK ||
           report_memory(c);
}

/* Of each pixel the level of its particle. */
static bool spread_levels(struct command_context *c, const struct flt_apr *apr, uint8_t *pixel)
{
    uint8_t *level = malloc(apr->particles.count);
    if (!level)
        return report_memory(c);
    flt_apr_cell_levels(apr, level, 0);
    flt_apr_spread(apr, level, 1, pixel, 0);
    free(level);
    return true;
}

bool adaptive_load(struct command_context *c, const char *path, bool levels,
                   struct flt_image *image)
{
    struct flt_apr_file file;
    struct flt_detail detail;
    *image = (struct flt_image){.data = NULL};
    if (flt_apr_load(path, NULL, NULL, 0, &file, &detail) != FLT_OK)
        return report(c, detail.text);
    bool good = create_image(c, file.apr, levels ? FLT_U8 : file.element, image);
    if (good && levels)
        good = spread_levels(c, file.apr, image->data);
    else if (good)
        flt_apr_spread(file.apr, file.value, flt_element_bytes(file.element), image->data, 0);
    flt_apr_file_destroy(&file);
    if (!good)
        flt_image_destroy(image);
    return good;
}

bool adaptive_fit(struct flt_image *image, unsigned rank, const char *const axis[])
{
    int32_t extent[AXES] = {1, 1, 1};
    const int own = image->rank, wanted = (int)rank;
    if (wanted > AXES)
        return false;
    for (int k = 0; k < own; k++) {
        const int to = wanted - own + k;
        if (to < 0 && image->extent[k] != 1)
            return false;
        if (to >= 0)
            extent[to] = image->extent[k];
    }
    image->rank = wanted;
    ptrdiff_t stride = 1;
    for (int k = wanted; k-- > 0;) {
        snprintf(image->axis[k], FLT_AXIS_NAME, "%s", axis[k]);
        image->extent[k] = extent[k];
        image->stride[k] = stride;
        stride *= extent[k];
    }
    return true;
}

/* ---- Writing ---- */

struct row_lists {
    uint64_t *end;
    uint32_t *x;
    uint64_t rows, particles;
};

/* The particles of all rows, level by level. x: NULL: they are counted. */
static void list_particles(const uint8_t *level, const int64_t n[AXES], int levels,
                           struct row_lists *lists)
{
    uint64_t row = 0, count = 0;
    for (int l = 1; l <= levels; l++) {
        const int shift = levels - l;
        for (int64_t z = 0; z < n[0]; z += (int64_t)1 << shift)
            for (int64_t y = 0; y < n[1]; y += (int64_t)1 << shift) {
                const uint8_t *own = level + (z * n[1] + y) * n[2];
                for (int64_t x = 0; x < n[2]; x += (int64_t)1 << shift)
                    if (own[x] == l) {
                        if (lists->x)
                            lists->x[count] = (uint32_t)(x >> shift);
                        count++;
                    }
                if (lists->end)
                    lists->end[row] = count;
                row++;
            }
    }
    lists->rows = row;
    lists->particles = count;
}

static struct flt_apr *restore(const struct flt_image *level, const int64_t n[AXES],
                               struct flt_detail *detail)
{
    struct row_lists lists = {NULL, NULL, 0, 0};
    struct flt_apr *apr = NULL;
    int levels = 1;
    for (int a = 0; a < AXES; a++)
        while (((int64_t)1 << levels) < n[a])
            levels++;
    list_particles(level->data, n, levels, &lists);
    lists.end = calloc(lists.rows + 1, sizeof *lists.end);
    lists.x = calloc(lists.particles + 1, sizeof *lists.x);
    snprintf(detail->text, sizeof detail->text, "there is not enough memory");
    if (lists.end && lists.x) {
        list_particles(level->data, n, levels, &lists);
        const struct flt_apr_rows rows = {.least = 1,
                                          .rows = lists.rows,
                                          .end = lists.end,
                                          .particles = lists.particles,
                                          .bytes = sizeof *lists.x,
                                          .x = lists.x};
        flt_apr_restore(&apr, n, &rows, NULL, 0, detail);
    }
    free(lists.end);
    free(lists.x);
    return apr;
}

bool adaptive_save(struct command_context *c, const char *path, const struct flt_image *pixel,
                   const struct flt_image *level)
{
    struct flt_detail detail;
    int64_t n[AXES] = {1, 1, 1};
    for (int k = 0; k < level->rank; k++)
        n[AXES - level->rank + k] = level->extent[k];
    struct flt_apr *apr = restore(level, n, &detail);
    if (!apr)
        return report(c, detail.text);
    const size_t each = flt_element_bytes(pixel->element);
    void *value = calloc(apr->particles.count, each);
    bool good = value || report_memory(c);
    if (good) {
        flt_apr_cell_gather(apr, pixel->data, each, value, 0);
        const struct flt_apr_values values = {.element = pixel->element, .value = value};
        const struct flt_apr_channel channel = {.apr = apr, .values = &values, .arrays = 1};
        good = flt_apr_save(path, &channel, 1, NULL, &detail) == FLT_OK || report(c, detail.text);
    }
    free(value);
    flt_apr_destroy(apr);
    return good;
}
