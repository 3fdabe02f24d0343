/* Reading of parts of images: of files whose samples have places, by as few reads as that takes. */
#include "image/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { START = 65536 /* in which a header is */, SHORT_RUN = 4096 };

struct placement flt_packed_placement(const struct flt_image *image, size_t bytes, uint64_t start)
{
    struct placement placement = {.start = start};
    int64_t step = (int64_t)bytes;
    for (int i = image->rank - 1; i >= 0; i--) {
        placement.step[i] = step;
        step *= image->extent[i];
    }
    return placement;
}

/* ---- Opening ---- */

static enum flt_status no_memory(const char *name, struct flt_detail *detail)
{
    return flt_fail(FLT_NO_MEMORY, detail, "there is not enough memory for %s",
                    flt_short_name(name));
}

static enum flt_status cannot_read(const struct flt_parts_in *in, struct flt_detail *detail)
{
    return flt_fail(FLT_CANNOT_READ, detail, "cannot read %s: %s", flt_short_name(in->name),
                    strerror(errno));
}

enum flt_status flt_read_at(const struct flt_parts_in *in, uint64_t at, void *to, size_t bytes,
                            struct flt_detail *detail)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(in->file, (char *)to + done, bytes - done, (off_t)(at + done));
        if (got == 0)
            return flt_fail(FLT_CORRUPT, detail, "%s is cut off: it has become shorter",
                            flt_short_name(in->name));
        if (got < 0 && errno != EINTR)
            return cannot_read(in, detail);
        done += got > 0 ? (size_t)got : 0;
    }
    return FLT_OK;
}

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Behind the picture stands nothing, or the line break with which some programs end one. */
static bool is_only_picture(const struct flt_parts_in *in)
{
    unsigned char rest[16];
    const uint64_t length = in->length - in->end;
    if (length > sizeof rest || flt_read_at(in, in->end, rest, (size_t)length, NULL) != FLT_OK)
        return false;
    size_t i = 0;
    while (i < length && is_space(rest[i]))
        i++;
    return i == length;
}

/* What the first bytes tell. */
static enum flt_status understand(struct flt_parts_in *in, struct flt_detail *detail)
{
    const size_t length = in->length < START ? (size_t)in->length : START;
    unsigned char *const bytes = malloc(length + 1);
    if (!bytes)
        return no_memory(in->name, detail);
    const struct file_bytes start = {.name = in->name, .bytes = bytes, .length = length};
    enum flt_status status = flt_read_at(in, 0, bytes, length, detail);
    if (status == FLT_OK) {
        flt_parts_of *const parts = flt_parts_of_file(&start);
        status = parts ? parts(in, &start, detail) : FLT_UNSUPPORTED;
    }
    free(bytes);
    return status;
}

/* A pipe is not opened: that could wait for ever. */
static enum flt_status open_file(const char *path, struct flt_parts_in *in,
                                 struct flt_detail *detail)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return FLT_UNSUPPORTED;
    in->file = open(path, O_RDONLY | O_CLOEXEC);
    if (in->file < 0)
        return flt_fail(FLT_CANNOT_OPEN, detail, "cannot open %s: %s", flt_short_name(path),
                        strerror(errno));
    if (fstat(in->file, &about) != 0)
        return cannot_read(in, detail);
    in->length = (uint64_t)about.st_size;
    return S_ISREG(about.st_mode) ? FLT_OK : FLT_UNSUPPORTED;
}

enum flt_status flt_parts_open(const char *path, const struct flt_raw *raw,
                               struct flt_parts_in **in, struct flt_detail *detail)
{
    if (detail)
        detail->text[0] = '\0';
    if (!in)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no reader was given to open");
    *in = NULL;
    if (!path)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no path was given to load from");
    if (strcmp(path, "-") == 0)
        return FLT_UNSUPPORTED;
    struct flt_parts_in *const made = malloc(sizeof *made + strlen(path) + 1);
    if (!made)
        return no_memory(path, detail);
    *made = (struct flt_parts_in){.file = -1};
    made->name = strcpy((char *)(made + 1), path);
    enum flt_status status = open_file(path, made, detail);
    if (status == FLT_OK)
        status = raw ? flt_parts_of_raw(made, raw, detail) : understand(made, detail);
    if (status == FLT_OK && !is_only_picture(made))
        status = FLT_UNSUPPORTED;
    if (status == FLT_UNSUPPORTED && detail)
        detail->text[0] = '\0';
    if (status == FLT_NO_MEMORY)
        no_memory(path, detail);
    if (status == FLT_OK)
        *in = made;
    else
        flt_parts_close(made);
    return status;
}

void flt_parts_close(struct flt_parts_in *in)
{
    if (!in)
        return;
    if (in->close)
        in->close(in);
    if (in->file >= 0)
        close(in->file);
    flt_image_destroy(&in->image);
    free(in);
}

/* Without the blocks that an image owns. */
static struct flt_image form_of(const struct flt_image *image)
{
    struct flt_image form = *image;
    form.data = form.exif = form.profile = form.chunks = NULL;
    form.exif_bytes = form.profile_bytes = form.chunks_bytes = 0;
    return form;
}

enum flt_status flt_parts_image(const struct flt_parts_in *in, struct flt_image *image)
{
    *image = form_of(&in->image);
    const enum flt_status status = flt_image_keep(image, &in->image);
    if (status != FLT_OK)
        flt_image_destroy(image);
    return status;
}

size_t flt_parts_memory(const struct flt_parts_in *in)
{
    return in->memory;
}

/* ---- Reading ---- */

/* How a box is read: runs of samples that follow one another in the file, each of the places from
 * first to end along `axis` and all places behind it; one for each place in front of it. */
struct runs {
    int axis;
    uint64_t count;
    size_t inner;   /* samples of a place along the axis */
    size_t samples; /* of a run */
    bool is_whole;  /* all of them are in the box */
};

static struct runs runs_of(const struct flt_parts_in *in, const int32_t first[],
                           const int32_t end[])
{
    const struct flt_image *const image = &in->image;
    const size_t bytes = flt_element_bytes(image->element);
    struct runs runs = {.axis = image->rank - 1, .count = 1, .inner = 1, .is_whole = true};
    while (runs.axis > in->placement.packed) {
        const int32_t length = end[runs.axis] - first[runs.axis];
        const bool all = length == image->extent[runs.axis];
        if (!all && (size_t)length * runs.inner * bytes >= SHORT_RUN)
            break;
        runs.is_whole = runs.is_whole && all;
        runs.inner *= (size_t)image->extent[runs.axis--];
    }
    runs.samples = runs.inner;
    if (runs.axis >= 0)
        runs.samples *= (size_t)(end[runs.axis] - first[runs.axis]);
    for (int i = 0; i < runs.axis; i++)
        runs.count *= (uint64_t)(end[i] - first[i]);
    return runs;
}

/* Where a run begins in the file; they are in the order of the axes. */
static uint64_t place_of(const struct flt_parts_in *in, const struct runs *runs, uint64_t run,
                         const int32_t first[], const int32_t end[])
{
    const struct placement *const placement = &in->placement;
    uint64_t at = placement->start;
    if (runs->axis >= 0)
        at += (uint64_t)(placement->step[runs->axis] * first[runs->axis]);
    for (int i = runs->axis - 1; i >= 0; i--) {
        const uint64_t length = (uint64_t)(end[i] - first[i]);
        at += (uint64_t)(placement->step[i] * (first[i] + (int64_t)(run % length)));
        run /= length;
    }
    return at;
}

static enum flt_status read_samples(const struct flt_parts_in *in, uint64_t at, size_t count,
                                    void *to, struct flt_detail *detail)
{
    const size_t bytes = flt_element_bytes(in->image.element);
    const enum flt_status status = flt_read_at(in, at, to, count * bytes, detail);
    if (status != FLT_OK)
        return status;
    if (in->swaps)
        flt_swap_bytes(to, count, bytes);
    if (in->image.element == FLT_BOOL)
        flt_make_bools(to, count);
    return in->finish ? in->finish(in, to, count, detail) : FLT_OK;
}

/* Runs go to where they are in the part; those that follow one another are read at once. */
static enum flt_status read_whole_runs(const struct flt_parts_in *in, const struct runs *runs,
                                       const int32_t first[], const int32_t end[],
                                       const struct flt_image *part, struct flt_detail *detail)
{
    const size_t bytes = flt_element_bytes(part->element) * runs->samples;
    enum flt_status status = FLT_OK;
    for (uint64_t run = 0, behind; run < runs->count && status == FLT_OK; run = behind) {
        const uint64_t at = place_of(in, runs, run, first, end);
        behind = run + 1;
        while (behind < runs->count &&
               place_of(in, runs, behind, first, end) == at + (behind - run) * bytes)
            behind++;
        status = read_samples(in, at, (size_t)(behind - run) * runs->samples,
                              (char *)part->data + run * bytes, detail);
    }
    return status;
}

/* The samples of a run that are in the box, packed. */
static void take_from_run(const struct flt_image *image, const struct runs *runs,
                          const int32_t first[], const int32_t end[], const void *run, char *to)
{
    const size_t bytes = flt_element_bytes(image->element);
    struct flt_image view = {.element = image->element, .rank = image->rank - runs->axis};
    ptrdiff_t offset = 0, stride = 1;
    for (int i = view.rank - 1; i >= 0; i--) {
        const int axis = runs->axis + i;
        view.extent[i] = end[axis] - first[axis];
        view.stride[i] = stride;
        if (i > 0) /* a run begins at its first place along the first axis */
            offset += stride * first[axis];
        stride *= image->extent[axis];
    }
    view.data = (char *)(uintptr_t)run + offset * (ptrdiff_t)bytes;
    const uint64_t rows = flt_row_count(&view);
    const size_t row = (size_t)view.extent[view.rank - 1] * bytes;
    for (uint64_t i = 0; i < rows; i++)
        flt_pack_row(&view, i, to + i * row);
}

static enum flt_status read_cut_runs(const struct flt_parts_in *in, const struct runs *runs,
                                     const int32_t first[], const int32_t end[],
                                     const struct flt_image *part, struct flt_detail *detail)
{
    const size_t bytes = flt_element_bytes(part->element);
    size_t kept = 1; /* samples of a run that are in the box */
    for (int i = runs->axis; i < part->rank; i++)
        kept *= (size_t)(end[i] - first[i]);
    void *const memory = malloc(runs->samples * bytes);
    if (!memory)
        return no_memory(in->name, detail);
    enum flt_status status = FLT_OK;
    for (uint64_t run = 0; run < runs->count && status == FLT_OK; run++) {
        status =
            read_samples(in, place_of(in, runs, run, first, end), runs->samples, memory, detail);
        if (status == FLT_OK)
            take_from_run(&in->image, runs, first, end, memory,
                          (char *)part->data + run * kept * bytes);
    }
    free(memory);
    return status;
}

static enum flt_status read_box(struct flt_parts_in *in, const int32_t first[], const int32_t end[],
                                const struct flt_image *part, struct flt_detail *detail)
{
    if (in->read)
        return in->read(in, first, end, part, detail);
    const struct runs runs = runs_of(in, first, end);
    return runs.is_whole ? read_whole_runs(in, &runs, first, end, part, detail)
                         : read_cut_runs(in, &runs, first, end, part, detail);
}

enum flt_status flt_parts_read(struct flt_parts_in *in, const int32_t first[], const int32_t end[],
                               struct flt_image *part, struct flt_detail *detail)
{
    if (!part)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to read into");
    *part = (struct flt_image){.element = FLT_BOOL};
    if (detail)
        detail->text[0] = '\0';
    if (!in || (in->image.rank > 0 && !(first && end)))
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no part was given to read");
    struct flt_image made = form_of(&in->image);
    ptrdiff_t stride = 1;
    for (int i = made.rank - 1; i >= 0; i--) {
        if (first[i] < 0 || first[i] >= end[i] || end[i] > in->image.extent[i])
            return flt_fail(FLT_BAD_ARGUMENT, detail, "the part is not inside %s",
                            flt_short_name(in->name));
        made.extent[i] = end[i] - first[i];
        made.stride[i] = stride;
        stride *= made.extent[i];
    }
    enum flt_status status = flt_image_allocate(&made);
    if (status != FLT_OK)
        return no_memory(in->name, detail);
    status = read_box(in, first, end, &made, detail);
    if (status == FLT_OK)
        *part = made;
    else
        flt_image_destroy(&made);
    return status;
}
