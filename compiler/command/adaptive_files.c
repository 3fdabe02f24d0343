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
    command_error(c->session, DIAGNOSTIC_E0904, "%s", text);
    return false;
}

static bool report_memory(struct command_context *c)
{
    command_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    return false;
}

/* ---- Particles and pixels ---- */

/* A run of particles, as the pixels that its cells cover. */
struct cells {
    int64_t extent[AXES];                 /* of the image */
    int64_t z, y, x, end_z, end_y, end_x; /* pixels */
    int shift;                            /* cells are 2^shift wide */
};

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct cells cells_of(const struct flt_apr *apr, int level, int64_t row,
                             const struct flt_apr_run *run)
{
    const int32_t *n = apr->extent[apr->levels];
    const int shift = apr->levels - level;
    const int64_t rows = apr->extent[level][1], z = row / rows, y = row % rows;
    return (struct cells){.extent = {n[0], n[1], n[2]},
                          .z = z << shift,
                          .y = y << shift,
                          .x = (int64_t)run->first << shift,
                          .end_z = least_of((z + 1) << shift, n[0]),
                          .end_y = least_of((y + 1) << shift, n[1]),
                          .end_x = least_of(((int64_t)run->first + run->count) << shift, n[2]),
                          .shift = shift};
}

static size_t pixel_at(const struct cells *s, int64_t z, int64_t y, int64_t x)
{
    return (size_t)((z * s->extent[1] + y) * s->extent[2] + x);
}

typedef void visit_cells(const struct cells *cells, int level, const struct flt_apr_run *run,
                         void *context);

static void each_run(const struct flt_apr *apr, visit_cells *visit, void *context)
{
    for (int l = apr->particles.least; l <= apr->particles.greatest; l++) {
        const uint64_t *row = apr->particles.row[l];
        const int64_t rows = row ? (int64_t)apr->extent[l][0] * apr->extent[l][1] : 0;
        for (int64_t r = 0; r < rows; r++)
            for (uint64_t i = row[r]; i < row[r + 1]; i++) {
                const struct flt_apr_run *run = &apr->particles.run[i];
                const struct cells cells = cells_of(apr, l, r, run);
                visit(&cells, l, run, context);
            }
    }
}

struct samples_of_both {
    char *value, *pixel; /* of particles, of pixels */
    size_t each;         /* bytes */
};

static void spread_run(const struct cells *s, int level, const struct flt_apr_run *run,
                       void *context)
{
    const struct samples_of_both *both = context;
    (void)level;
    for (int64_t z = s->z; z < s->end_z; z++)
        for (int64_t y = s->y; y < s->end_y; y++)
            for (int64_t x = s->x; x < s->end_x; x++)
                memcpy(both->pixel + pixel_at(s, z, y, x) * both->each,
                       both->value + (run->at + (uint64_t)((x - s->x) >> s->shift)) * both->each,
                       both->each);
}

static void gather_run(const struct cells *s, int level, const struct flt_apr_run *run,
                       void *context)
{
    const struct samples_of_both *both = context;
    (void)level;
    for (uint32_t k = 0; k < run->count; k++)
        memcpy(both->value + (run->at + k) * both->each,
               both->pixel + pixel_at(s, s->z, s->y, s->x + ((int64_t)k << s->shift)) * both->each,
               both->each);
}

static void spread_level(const struct cells *s, int level, const struct flt_apr_run *run,
                         void *context)
{
    uint8_t *pixel = context;
    (void)run;
    for (int64_t z = s->z; z < s->end_z; z++)
        for (int64_t y = s->y; y < s->end_y; y++)
            memset(pixel + pixel_at(s, z, y, s->x), level, (size_t)(s->end_x - s->x));
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

bool adaptive_load(struct command_context *c, const char *path, bool levels,
                   struct flt_image *image)
{
    struct flt_apr_file file;
    struct flt_detail detail;
    *image = (struct flt_image){.data = NULL};
    if (flt_apr_load(path, NULL, NULL, 0, &file, &detail) != FLT_OK)
        return report(c, detail.text);
    const bool good = create_image(c, file.apr, levels ? FLT_U8 : file.element, image);
    struct samples_of_both both = {file.value, image->data, flt_element_bytes(file.element)};
    if (good && levels)
        each_run(file.apr, spread_level, image->data);
    else if (good)
        each_run(file.apr, spread_run, &both);
    flt_apr_file_destroy(&file);
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
    struct samples_of_both both = {.pixel = pixel->data, .each = flt_element_bytes(pixel->element)};
    both.value = calloc(apr->particles.count, both.each);
    bool good = both.value || report_memory(c);
    if (good) {
        each_run(apr, gather_run, &both);
        const struct flt_apr_values values = {.element = pixel->element, .value = both.value};
        const struct flt_apr_channel channel = {.apr = apr, .values = &values, .arrays = 1};
        good = flt_apr_save(path, &channel, 1, NULL, &detail) == FLT_OK || report(c, detail.text);
    }
    free(both.value);
    flt_apr_destroy(apr);
    return good;
}
