/* An image to a file, or to standard output: picks the codec by the name's ending. How a file is
 * replaced by another one: replace.h. */
#include "flt/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/codec.h"
#include "image/parts.h"
#include "replace.h"

typedef enum flt_status save_function(const struct flt_image *image, const struct file_out *out,
                                      struct flt_detail *detail);

static const struct writer {
    const char *ending;
    save_function *save;
    bool takes_alpha;
    enum flt_complex_form complex;
    int deepest;
    flt_place *place;
} writers[] = {
#define READER(codec, name, parts)
#define WRITER(ending, codec, alpha, complex, depth, place)                                        \
    {#ending, flt_save_##codec, alpha, FLT_COMPLEX_##complex, depth, place},
#include "image/formats.def"
#undef READER
#undef WRITER
};

static const char known_endings[] =
#define READER(codec, name, parts)
#define WRITER(ending, codec, alpha, complex, depth, place) " ." #ending
#include "image/formats.def"
#undef READER
#undef WRITER
    ;

const char *flt_image_endings(void)
{
    return known_endings + 1;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_ignoring_case(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

/* NULL: there is no such ending, without its dot. */
static const struct writer *writer_of_ending(const char *ending)
{
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if (same_ignoring_case(ending, writers[i].ending))
            return &writers[i];
    return NULL;
}

/* By the format asked for, else by the name's ending. NULL: neither is known, or path is "-" and
 * no format is asked for. */
static const struct writer *writer_for(const char *path, const struct flt_save_options *options)
{
    if (options && options->format)
        return writer_of_ending(options->format);
    const char *const dot = strrchr(path, '.');
    return dot && strcmp(path, "-") != 0 ? writer_of_ending(dot + 1) : NULL;
}

/* Without a name to go by: the simplest format that loses nothing. */
static const struct writer *writer_for_pipe(const struct flt_image *image)
{
    const bool one_or_three =
        !flt_image_is_complex(image) &&
        (image->rank == 2 || (image->rank == 3 && strcmp(image->axis[2], "x") != 0 &&
                              (image->extent[2] == 1 || image->extent[2] == 3)));
    if (!one_or_three)
        return writer_of_ending("npy");
    switch (image->element) {
    case FLT_BOOL:
    case FLT_U8:
    case FLT_U16:
        return writer_of_ending("pnm");
    case FLT_F32:
        return writer_of_ending("pfm");
    case FLT_I8:
    case FLT_I16:
    case FLT_U32:
    case FLT_I32:
    case FLT_I64:
    case FLT_F64:
    case FLT_F16:
        break;
    }
    return writer_of_ending("npy");
}

flt_place *flt_place_for(const char *path, const struct flt_save_options *options)
{
    const struct writer *const writer = writer_for(path, options);
    return writer ? writer->place : NULL;
}

bool flt_image_format_known(const char *path, const struct flt_save_options *options)
{
    return path &&
           (writer_for(path, options) || (strcmp(path, "-") == 0 && !(options && options->format)));
}

bool flt_image_takes_alpha(const char *path, const struct flt_save_options *options)
{
    const struct writer *const writer = path ? writer_for(path, options) : NULL;
    return writer ? writer->takes_alpha : path && strcmp(path, "-") == 0;
}

bool flt_image_can_follow(const struct flt_save_options *options)
{
    const struct writer *const writer = writer_for("-", options);
    return !writer || (writer->save != flt_save_tiff && writer->save != flt_save_csv);
}

enum flt_complex_form flt_image_complex_form(const char *path,
                                             const struct flt_save_options *options)
{
    const struct writer *const writer = path ? writer_for(path, options) : NULL;
    const bool is_pipe = path && strcmp(path, "-") == 0;
    return writer ? writer->complex : is_pipe ? FLT_COMPLEX_KEPT : FLT_COMPLEX_REFUSED;
}

bool flt_image_takes_depth(const char *path, const struct flt_save_options *options)
{
    const struct writer *const writer = path ? writer_for(path, options) : NULL;
    const int depth = options ? options->depth : 0;
    return depth == 0 || (writer ? depth <= writer->deepest : path && strcmp(path, "-") == 0);
}

static bool is_valid(const struct flt_image *image)
{
    uint64_t count;
    return image && image->data && flt_element_bytes(image->element) > 0 && image->rank >= 0 &&
           image->rank <= FLT_MAX_RANK && flt_count_samples(image->rank, image->extent, &count);
}

enum flt_status flt_cannot_write(const char *path, const char *reason, struct flt_detail *detail)
{
    return flt_fail(errno == ENOMEM ? FLT_NO_MEMORY : FLT_CANNOT_WRITE, detail,
                    "cannot write %s: %s", flt_short_name(path), reason ? reason : strerror(errno));
}

/* What is saved, and how. */
struct task {
    const struct flt_image *image;
    const char *path;
    const struct writer *writer;
    int quality;
    struct flt_detail *detail;
};

static enum flt_status write_image(const struct task *task, FILE *out)
{
    const struct file_out file = {.name = task->path, .stream = out, .quality = task->quality};
    const enum flt_status status = task->writer->save(task->image, &file, task->detail);
    if (status == FLT_CANNOT_WRITE)
        return flt_cannot_write(task->path, NULL, task->detail);
    if (status == FLT_NO_MEMORY)
        flt_fail(status, task->detail, "there is not enough memory to write %s",
                 flt_short_name(task->path));
    return status;
}

/* Write errors show only when the stream is flushed. */
static enum flt_status save_to_output(const struct task *task)
{
    const enum flt_status status = write_image(task, stdout);
    return fflush(stdout) != 0 && status == FLT_OK
               ? flt_cannot_write(task->path, NULL, task->detail)
               : status;
}

static enum flt_status save_to_path(const struct task *task)
{
    struct flt_replacement r;
    if (!flt_replace_begin(task->path, &r))
        return flt_cannot_write(task->path, r.reason, task->detail);
    enum flt_status status = write_image(task, r.stream);
    if (!flt_replace_close(&r) && status == FLT_OK)
        status = flt_cannot_write(task->path, r.reason, task->detail);
    if (status == FLT_OK && !flt_replace_finish(&r))
        status = flt_cannot_write(task->path, r.reason, task->detail);
    if (status != FLT_OK)
        flt_replace_discard(&r);
    return status;
}

static enum flt_status save_image(const char *path, const struct flt_image *image,
                                  const struct flt_save_options *options, int quality,
                                  struct flt_detail *detail)
{
    const bool is_pipe = strcmp(path, "-") == 0;
    const struct writer *const writer = writer_for(path, options);
    const struct task task = {.image = image,
                              .path = is_pipe ? "standard output" : path,
                              .writer = writer ? writer : writer_for_pipe(image),
                              .quality = quality,
                              .detail = detail};
    if (flt_image_is_complex(image) && task.writer->complex != FLT_COMPLEX_KEPT)
        return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot hold complex numbers: save as %s.npy",
                        flt_short_name(task.path), image->rank > 2 ? ".tif or " : "");
    return is_pipe ? save_to_output(&task) : save_to_path(&task);
}

/* The same of its samples in so many bits. */
static enum flt_status save_of_depth(const char *path, const struct flt_image *image,
                                     const struct flt_save_options *options, int quality,
                                     struct flt_detail *detail)
{
    struct flt_image converted;
    if (options->depth != 8 && options->depth != 16)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "the depth of samples is 8 or 16 bits, not %d",
                        options->depth);
    if (!flt_image_takes_depth(path, options))
        return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot hold samples of %d bits%s",
                        flt_short_name(path), options->depth, ": save as .png, .tif, .pgm or .ppm");
    enum flt_status status = flt_image_of_depth(image, path, options->depth, &converted, detail);
    if (status != FLT_OK)
        return status;
    status = save_image(path, &converted, options, quality, detail);
    free(converted.data);
    return status;
}

enum flt_status flt_image_save_as(const char *path, const struct flt_image *image,
                                  const struct flt_save_options *options, struct flt_detail *detail)
{
    enum { USUAL_QUALITY = 90 };
    const int quality = options && options->quality ? options->quality : USUAL_QUALITY;
    if (detail)
        detail->text[0] = '\0';
    if (!path || !is_valid(image))
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no path or no valid image was given to save");
    if (quality < 1 || quality > 100)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "the quality of a JPEG is 1 to 100, not %d",
                        quality);
    if (!flt_image_format_known(path, options))
        return options && options->format
                   ? flt_fail(FLT_UNKNOWN_FORMAT, detail, "the format %s is none of%s",
                              options->format, known_endings)
                   : flt_fail(FLT_UNKNOWN_FORMAT, detail, "the ending of %s is none of%s",
                              flt_short_name(path), known_endings);
    return options && options->depth ? save_of_depth(path, image, options, quality, detail)
                                     : save_image(path, image, options, quality, detail);
}

static enum flt_status write_to_memory(const char *path, const struct writer *writer,
                                       const struct flt_image *image, struct flt_detail *detail)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *const memory = open_memstream(&bytes, &length);
    const struct task task = {
        .image = image, .path = path, .writer = writer, .quality = 90, .detail = detail};
    const enum flt_status status = memory ? write_image(&task, memory) : FLT_NO_MEMORY;
    if (memory)
        fclose(memory);
    free(bytes);
    return status;
}

/* Saves a picture of one sample of so many channels, but to memory. depth: of the options, or 0. */
static enum flt_status try_channels(const char *path, const struct writer *writer,
                                    enum flt_element element, int32_t channels, int depth,
                                    struct flt_detail *detail)
{
    static const char *const axis[3] = {"y", "x", "c"};
    const int32_t extent[3] = {1, 1, channels};
    struct flt_image image, converted = {0};
    enum flt_status status = flt_image_create(&image, element, channels > 1 ? 3 : 2, axis, extent);
    if (status == FLT_OK && depth)
        status = flt_image_of_depth(&image, path, depth, &converted, detail);
    if (status == FLT_OK)
        status = write_to_memory(path, writer, depth ? &converted : &image, detail);
    free(converted.data);
    flt_image_destroy(&image);
    return status;
}

enum flt_status flt_image_can_save(const char *path, enum flt_element element,
                                   const struct flt_save_options *options,
                                   struct flt_detail *detail)
{
    const struct writer *const writer = path ? writer_for(path, options) : NULL;
    if (!writer)
        return flt_image_format_known(path, options)
                   ? FLT_OK
                   : flt_fail(FLT_UNKNOWN_FORMAT, detail, "the ending of %s is none of%s",
                              path ? flt_short_name(path) : "no path", known_endings);
    const int depth = options ? options->depth : 0;
    /* Color is tried first, so that the message is about gray, which more formats take. */
    const enum flt_status status = try_channels(path, writer, element, 3, depth, detail);
    return status == FLT_UNSUPPORTED ? try_channels(path, writer, element, 1, depth, detail)
                                     : status;
}

enum flt_status flt_image_save(const char *path, const struct flt_image *image,
                               struct flt_detail *detail)
{
    return flt_image_save_as(path, image, NULL, detail);
}
