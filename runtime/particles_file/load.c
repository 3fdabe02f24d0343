/* From a file to a structure, its values and how it was constructed. */
#include "particles_file/blosc_here.h"
#include "particles_file/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Which channel, which values ---- */

/* Members of a group, which come in the order of names. */
struct search {
    bool for_values;
    int found;
    char first[FLT_APR_NAME], second[FLT_APR_NAME];
};

static bool look_at(struct apr_reader *r, const char *name, apr_object object, void *user)
{
    struct search *s = user;
    if (s->for_values ? apr_name_is_taken(name) || !apr_is_data(r, object)
                      : !apr_is_group(r, object))
        return true;
    snprintf(s->found == 0 ? s->first : s->second, FLT_APR_NAME, "%s", name);
    return ++s->found < 2;
}

/* name: FLT_APR_NAME bytes. */
static bool choose_channel(struct apr_reader *r, apr_object root,
                           const struct flt_apr_choice *choice, char *name)
{
    struct search s = {.for_values = false};
    const char *own = choice->channel ? choice->channel : "t";
    if (!choice->channel && choice->time == 0) {
        if (!apr_each_member(r, root, look_at, &s))
            return false;
        if (s.found == 0)
            return apr_reader_fail(r, FLT_CORRUPT, "%s has no channel below " APR_ROOT, r->name);
        snprintf(name, FLT_APR_NAME, "%s", s.first);
        return true;
    }
    const int length = choice->time > 0 ? snprintf(name, FLT_APR_NAME, "%s%d", own, choice->time)
                                        : snprintf(name, FLT_APR_NAME, "%s", own);
    if (length >= FLT_APR_NAME || !apr_name_is_right(name))
        return apr_reader_fail(r, FLT_BAD_ARGUMENT, "no channel can have the name %s", own);
    return true;
}

/* own: the name of the channel. */
static bool choose_values(struct apr_reader *r, apr_object channel, const char *own,
                          const struct flt_apr_choice *choice, char *name)
{
    static const char *const usual[] = {"particle_intensities", "particles"};
    struct search s = {.for_values = true};
    apr_object found;
    if (choice->values) {
        if (apr_name_is_taken(choice->values) || !apr_find(r, channel, choice->values, &found))
            return apr_reader_fail(r, FLT_CORRUPT, "%s has no values %s", r->name, choice->values);
        snprintf(name, FLT_APR_NAME, "%s", choice->values);
        return true;
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (apr_find(r, channel, usual[i], &found)) {
            snprintf(name, FLT_APR_NAME, "%s", usual[i]);
            return true;
        }
    if (!apr_each_member(r, channel, look_at, &s))
        return false;
    if (s.found == 0)
        return apr_reader_fail(r, FLT_CORRUPT, "%s has no values of particles in channel %s",
                               r->name, own);
    if (s.found > 1)
        return apr_reader_fail(r, FLT_BAD_ARGUMENT,
                               "%s has several values, '%s' and '%s' say: name one", r->name,
                               s.first, s.second);
    snprintf(name, FLT_APR_NAME, "%s", s.first);
    return true;
}

/* ---- Numbers about the image ---- */

struct about {
    int64_t extent[FLT_APR_AXES];
    int least;
    uint64_t particles;
    bool is_ordered; /* values as rows of particles */
};

static bool must_have(struct apr_reader *r, apr_object object, const char *name, bool low,
                      uint64_t *value)
{
    bool missing;
    if (!apr_whole(r, object, name, low, value, &missing))
        return false;
    return !missing || apr_reader_fail(r, FLT_CORRUPT, "%s has no attribute %s", r->name, name);
}

/* Files of before 2019 have the description of the image at APR_ROOT. */
static apr_object object_with(struct apr_reader *r, apr_object channel, apr_object root,
                              const char *name)
{
    uint64_t value;
    bool missing = true;
    return apr_whole(r, channel, name, true, &value, &missing) && missing ? root : channel;
}

static bool read_about(struct apr_reader *r, apr_object channel, apr_object root,
                       struct about *about)
{
    static const char *const extents[] = {"z_num", "x_num", "y_num"};
    const apr_object object = object_with(r, channel, root, "level_max");
    uint64_t value[FLT_APR_AXES], least, greatest, order = 0;
    bool missing;
    for (int a = 0; a < FLT_APR_AXES; a++) {
        if (!must_have(r, object, extents[a], true, &value[a]))
            return false;
        if (value[a] < 1 || value[a] > INT32_MAX)
            return apr_reader_fail(r, FLT_CORRUPT, "%s: its attribute %s is no extent", r->name,
                                   extents[a]);
        about->extent[a] = (int64_t)value[a];
    }
    if (!must_have(r, object, "level_min", true, &least) ||
        !must_have(r, object, "level_max", true, &greatest) ||
        !must_have(r, object, "total_number_particles", false, &about->particles) ||
        !apr_whole(r, channel, "lzxy_order", true, &order, &missing))
        return false;
    about->is_ordered = !missing;
    if ((double)value[0] * (double)value[1] * (double)value[2] > 1099511627776.0)
        return apr_reader_fail(r, FLT_TOO_LARGE, "%s says more than 2^40 pixels", r->name);
    const struct grid pixels = {{about->extent[0], about->extent[1], about->extent[2]}};
    struct grid level[FLT_APR_LEVELS + 1];
    const int levels = grids_of(&pixels, level);
    if (greatest != (uint64_t)levels || least < 1 || least > greatest)
        return apr_reader_fail(
            r, FLT_CORRUPT, "%s says levels %llu to %llu, but its extents make %d the greatest",
            r->name, (unsigned long long)least, (unsigned long long)greatest, levels);
    about->least = (int)least;
    if (about->particles < 1 || about->particles > grid_cells(&pixels))
        return apr_reader_fail(r, FLT_CORRUPT, "%s says %llu particles for %llu pixels", r->name,
                               (unsigned long long)about->particles,
                               (unsigned long long)grid_cells(&pixels));
    return true;
}

static bool values_are_kept(struct apr_reader *r, apr_object channel, apr_object root)
{
    uint64_t compressed = 0;
    bool missing;
    if (!apr_whole(r, object_with(r, channel, root, "compress_type"), "compress_type", true,
                   &compressed, &missing))
        return false;
    return missing || compressed == 0 ||
           apr_reader_fail(r, FLT_UNSUPPORTED,
                           "%s has values that LibAPR has compressed with loss (compress_type "
                           "%llu): write it again with compression type 0",
                           r->name, (unsigned long long)compressed);
}

static bool read_settings(struct apr_reader *r, apr_object channel, apr_object root,
                          struct flt_apr_settings *s)
{
    *s = flt_apr_usual_settings;
    const apr_object object = object_with(r, channel, root, "level_max");
    const struct {
        const char *name;
        float *to;
        bool positive;
    } known[] = {{"rel_error", &s->error, false},
                 {"lambda", &s->lambda, false},
                 {"sigma_th", &s->sigma_min, false},
                 {"sigma_th_max", &s->sigma_ignored, false},
                 {"grad_th", &s->gradient_min, false},
                 {"I_th", &s->intensity_min, false},
                 {"psfx", &s->psf, false},
                 {"dz", &s->spacing[AXIS_Z], true},
                 {"dx", &s->spacing[AXIS_Y], true},
                 {"dy", &s->spacing[AXIS_X], true}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double value;
        bool missing;
        if (!apr_real(r, object, known[i].name, &value, &missing))
            return false;
        if (missing)
            continue;
        if (!isfinite(value) || fabs(value) > 1e30 || (known[i].positive && value < 1e-30))
            return apr_reader_fail(r, FLT_CORRUPT, "%s: its attribute %s is %g", r->name,
                                   known[i].name, value);
        *known[i].to = (float)value;
    }
    return true;
}

/* ---- Values ---- */

static bool fits_in_i64(struct apr_reader *r, const char *name, const uint64_t *value,
                        uint64_t count)
{
    uint64_t all = 0;
    for (uint64_t i = 0; i < count; i++)
        all |= value[i];
    return all <= INT64_MAX ||
           apr_reader_fail(r, FLT_UNSUPPORTED,
                           "%s: some of its values %s are 2^63 or more, which no element holds",
                           r->name, name);
}

static bool read_values(struct apr_reader *r, apr_object channel, const struct about *about,
                        struct flt_apr_file *file)
{
    struct apr_data data;
    if (!apr_data_open(r, channel, file->values, &data))
        return false;
    const bool is_u64 = data.type.bytes == 8 && !data.type.is_signed;
    bool good = true;
    file->element = FLT_I64;
    if (!is_u64 && !apr_element_of(&data.type, &file->element))
        good = apr_reader_fail(r, FLT_UNSUPPORTED,
                               "%s: its values %s have a type of numbers that "
                               "no element is",
                               r->name, file->values);
    else if (data.count != about->particles)
        good = apr_reader_fail(r, FLT_CORRUPT, "%s has %llu values %s of %llu particles", r->name,
                               (unsigned long long)data.count, file->values,
                               (unsigned long long)about->particles);
    struct pool kept = pool_open(&file->allocator);
    file->value = good ? apr_reader_take(r, &kept, data.count, data.type.bytes) : NULL;
    file->blocks = kept.blocks;
    good = file->value && apr_data_read(r, &data, file->value) &&
           (!is_u64 || fits_in_i64(r, file->values, file->value, data.count));
    return good;
}

static bool order_values(struct apr_reader *r, const struct flt_apr_rows *rows,
                         const struct grid level[], int levels, struct flt_apr_file *file)
{
    const size_t bytes = apr_element_bytes(file->element);
    char *old = apr_reader_take(r, &r->pool, rows->particles, bytes);
    if (!old)
        return false;
    memcpy(old, file->value, (size_t)rows->particles * bytes);
    apr_order_values(rows, level, levels, bytes, old, file->value);
    return true;
}

/* ---- The whole ---- */

/* That a structure of so many rows and particles is about to be made: tables of rows, runs of
 * particles and of nodes. */
static bool allows_structure(struct apr_reader *r, const struct flt_apr_rows *rows)
{
    return apr_reader_allows(r, rows->rows + rows->particles, 24);
}

static bool read_structure(struct apr_reader *r, apr_object channel, const struct about *about,
                           struct flt_apr_file *file)
{
    const struct grid pixels = {{about->extent[0], about->extent[1], about->extent[2]}};
    struct grid level[FLT_APR_LEVELS + 1];
    struct flt_apr_rows rows;
    struct flt_detail why = {""};
    const int levels = grids_of(&pixels, level);
    if (!apr_read_rows(r, channel, level, levels, about->least, about->particles, &rows) ||
        !allows_structure(r, &rows))
        return false;
    const enum flt_status status =
        flt_apr_restore(&file->apr, about->extent, &rows, &file->allocator, r->threads, &why);
    if (status == FLT_BAD_ARGUMENT)
        return apr_reader_fail(r, FLT_CORRUPT, "%s is no adaptive image: %s", r->name, why.text);
    if (status != FLT_OK)
        return apr_reader_fail(r, status, "%s: there is not enough memory", r->name);
    return about->is_ordered || order_values(r, &rows, level, levels, file);
}

static bool read_channel(struct apr_reader *r, apr_object root, const struct flt_apr_choice *choice,
                         struct flt_apr_file *file)
{
    struct about about;
    apr_object channel;
    if (!choose_channel(r, root, choice, file->channel))
        return false;
    if (!apr_find(r, root, file->channel, &channel))
        return apr_reader_fail(r, FLT_CORRUPT, "%s has no channel %s", r->name, file->channel);
    return choose_values(r, channel, file->channel, choice, file->values) &&
           read_about(r, channel, root, &about) && values_are_kept(r, channel, root) &&
           read_settings(r, channel, root, &file->settings) &&
           read_values(r, channel, &about, file) && read_structure(r, channel, &about, file);
}

static void read_file(struct apr_reader *r, const struct flt_apr_choice *choice,
                      struct flt_apr_file *file)
{
    static const struct flt_apr_choice first = {.channel = NULL};
    apr_object all, root;
    r->allowance = ((uint64_t)64 << 20) + 32768 * r->length;
    r->work = ((uint64_t)64 << 20) + 256 * r->length;
    if (!apr_open_file(r, &all))
        return;
    if (apr_find(r, all, APR_ROOT, &root))
        read_channel(r, root, choice ? choice : &first, file);
    else
        apr_reader_fail(r, FLT_UNSUPPORTED,
                        "%s is HDF5, but no adaptive image: it has no group " APR_ROOT, r->name);
}

static enum flt_status finish(struct apr_reader *r, struct flt_apr_file *file)
{
    pool_release(&r->pool, NULL);
    if (r->status != FLT_OK)
        flt_apr_file_destroy(file);
    return r->status;
}

static struct apr_reader reader_of(const char *name, int threads, const struct flt_apr_file *file,
                                   struct flt_detail *detail)
{
    return (struct apr_reader){.name = name,
                               .handle = -1,
                               .threads = threads,
                               .pool = pool_open(&file->allocator),
                               .detail = detail,
                               .status = FLT_OK};
}

static enum flt_status begin(struct flt_apr_file *file, const struct flt_allocator *allocator,
                             const struct flt_apr_choice *choice, bool given)
{
    if (!file)
        return FLT_BAD_ARGUMENT;
    *file = (struct flt_apr_file){.allocator = pool_open(allocator).allocator};
    return given && !(choice && choice->time < 0) ? FLT_OK : FLT_BAD_ARGUMENT;
}

enum flt_status flt_apr_load_bytes(const char *name, const void *bytes, size_t length,
                                   const struct flt_apr_choice *choice,
                                   const struct flt_allocator *allocator, int threads,
                                   struct flt_apr_file *file, struct flt_detail *detail)
{
    const enum flt_status status = begin(file, allocator, choice, name && bytes);
    if (status != FLT_OK)
        return apr_file_fail(status, detail, "an argument is NULL, or a time below 0");
    if (!HAS_BLOSC)
        return apr_file_fail(FLT_UNSUPPORTED, detail, APR_WITHOUT_BLOSC, name);
    struct apr_reader r = reader_of(name, threads, file, detail);
    r.bytes = bytes;
    r.length = length;
    read_file(&r, choice, file);
    return finish(&r, file);
}

static bool open_path(struct apr_reader *r, const char *path)
{
    struct stat is;
    r->handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (r->handle < 0)
        return apr_reader_fail(r, FLT_CANNOT_OPEN, "cannot open %s: %s", path, strerror(errno));
    if (fstat(r->handle, &is) != 0 || !S_ISREG(is.st_mode))
        return apr_reader_fail(r, FLT_CANNOT_READ, "%s is no file of bytes", path);
    r->length = (uint64_t)is.st_size;
    return true;
}

enum flt_status flt_apr_load(const char *path, const struct flt_apr_choice *choice,
                             const struct flt_allocator *allocator, int threads,
                             struct flt_apr_file *file, struct flt_detail *detail)
{
    const enum flt_status status = begin(file, allocator, choice, path != NULL);
    if (status != FLT_OK)
        return apr_file_fail(status, detail, "an argument is NULL, or a time below 0");
    if (!HAS_BLOSC)
        return apr_file_fail(FLT_UNSUPPORTED, detail, APR_WITHOUT_BLOSC, path);
    struct apr_reader r = reader_of(path, threads, file, detail);
    if (open_path(&r, path))
        read_file(&r, choice, file);
    if (r.handle >= 0)
        close(r.handle);
    return finish(&r, file);
}

void flt_apr_file_destroy(struct flt_apr_file *file)
{
    if (!file)
        return;
    flt_apr_destroy(file->apr);
    struct pool kept = {.allocator = file->allocator, .blocks = file->blocks};
    pool_release(&kept, NULL);
    *file = (struct flt_apr_file){.apr = NULL};
}
