/* An image to a file, or to standard output: picks the codec by the name's ending, has it write
 * into a temporary file beside the target, and renames that over it. */
#include "flt/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/codec.h"

const char *volatile flt_image_unfinished = NULL;

typedef enum flt_status save_function(const struct flt_image *image, const struct file_out *out,
                                      struct flt_detail *detail);

static const struct writer {
    const char *ending;
    save_function *save;
    bool takes_alpha;
} writers[] = {
#define READER(codec, name)
#define WRITER(ending, codec, alpha) {#ending, flt_save_##codec, alpha},
#include "image/formats.def"
#undef READER
#undef WRITER
};

static const char known_endings[] =
#define READER(codec, name)
#define WRITER(ending, codec, alpha) " ." #ending
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
        (image->rank == 2 ||
         (image->rank == 3 && (image->extent[2] == 1 || image->extent[2] == 3)));
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

static bool is_valid(const struct flt_image *image)
{
    uint64_t count;
    return image && image->data && flt_element_bytes(image->element) > 0 && image->rank >= 0 &&
           image->rank <= FLT_MAX_RANK && flt_count_samples(image->rank, image->extent, &count);
}

/* errno tells why. */
static enum flt_status cannot_write(const char *path, struct flt_detail *detail)
{
    return flt_fail(errno == ENOMEM ? FLT_NO_MEMORY : FLT_CANNOT_WRITE, detail,
                    "cannot write %s: %s", flt_short_name(path), strerror(errno));
}

/* What is saved, and how. */
struct task {
    const struct flt_image *image;
    const char *path;
    const struct writer *writer;
    int quality;
    struct flt_detail *detail;
};

/* Writes the image and closes out, unless it is standard output, which is flushed. Only then is it
 * known that nothing was lost. */
static enum flt_status write_and_close(const struct task *task, FILE *out)
{
    const char *const path = task->path;
    struct flt_detail *const detail = task->detail;
    const struct file_out file = {.name = path, .stream = out, .quality = task->quality};
    enum flt_status status = task->writer->save(task->image, &file, detail);
    if (status == FLT_CANNOT_WRITE)
        status = cannot_write(path, detail);
    else if (status == FLT_NO_MEMORY)
        flt_fail(status, detail, "there is not enough memory to write %s", flt_short_name(path));
    const bool finished = (out == stdout ? fflush(out) : fclose(out)) == 0;
    return status == FLT_OK && !finished ? cannot_write(path, detail) : status;
}

enum { TEMPORARY_NAME = 64 };

/* Opens a new file in the folder of target for writing, with the permissions any new file gets, and
 * its name registered. Not mkstemp: that makes it private. *name is the caller's to free, also
 * after a failure: NULL, which leaves errno. */
static FILE *create_beside(const char *target, char **name)
{
    const char *const slash = strrchr(target, '/');
    const size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    *name = malloc(folder + TEMPORARY_NAME);
    if (!*name)
        return NULL;
    memcpy(*name, target, folder);
    int descriptor = -1;
    for (int attempt = 0; attempt < 1000 && descriptor < 0; attempt++) {
        snprintf(*name + folder, TEMPORARY_NAME, ".flt-%ld-%d", (long)getpid(), attempt);
        descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return NULL;
    }
    if (descriptor < 0)
        return NULL;
    flt_image_unfinished = *name;
    FILE *const out = fdopen(descriptor, "wb");
    if (!out) {
        const int reason = errno;
        close(descriptor);
        unlink(*name);
        flt_image_unfinished = NULL;
        errno = reason;
    }
    return out;
}

/* target: a plain file, or nothing yet. old: what is there, or NULL. */
static enum flt_status save_by_renaming(const struct task *task, const char *target,
                                        const struct stat *old)
{
    const char *const path = task->path;
    struct flt_detail *const detail = task->detail;
    /* Renaming would succeed on a file that its owner protected. */
    if (old && access(target, W_OK) != 0)
        return cannot_write(path, detail);
    char *temporary;
    FILE *const out = create_beside(target, &temporary);
    if (!out) {
        const enum flt_status status = cannot_write(path, detail);
        free(temporary);
        return status;
    }
    if (old)
        fchmod(fileno(out), old->st_mode & 0777); /* fails where modes mean nothing: no matter */
    enum flt_status status = write_and_close(task, out);
    if (status == FLT_OK && rename(temporary, target) != 0)
        status = cannot_write(path, detail);
    if (status != FLT_OK)
        unlink(temporary);
    flt_image_unfinished = NULL;
    free(temporary);
    return status;
}

/* A pipe or a device cannot be replaced. */
static enum flt_status save_in_place(const struct task *task)
{
    FILE *const out = fopen(task->path, "wb");
    return out ? write_and_close(task, out) : cannot_write(task->path, task->detail);
}

static enum flt_status save_to_path(const struct task *task)
{
    const char *const path = task->path;
    struct stat old;
    if (stat(path, &old) != 0)
        return save_by_renaming(task, path, NULL);
    if (!S_ISREG(old.st_mode))
        return save_in_place(task);
    /* Through symbolic links, lest the link be replaced instead of the file. */
    char *const target = realpath(path, NULL);
    if (!target)
        return cannot_write(path, task->detail);
    const enum flt_status status = save_by_renaming(task, target, &old);
    free(target);
    return status;
}

enum flt_status flt_image_save_as(const char *path, const struct flt_image *image,
                                  const struct flt_save_options *options, struct flt_detail *detail)
{
    enum { USUAL_QUALITY = 90 };
    const int quality = options && options->quality ? options->quality : USUAL_QUALITY;
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
    const bool is_pipe = strcmp(path, "-") == 0;
    const struct writer *const writer = writer_for(path, options);
    const struct task task = {.image = image,
                              .path = is_pipe ? "standard output" : path,
                              .writer = writer ? writer : writer_for_pipe(image),
                              .quality = quality,
                              .detail = detail};
    if (flt_image_is_complex(image) && task.writer->save != flt_save_npy)
        return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot hold complex numbers: save as .npy",
                        flt_short_name(task.path));
    return is_pipe ? write_and_close(&task, stdout) : save_to_path(&task);
}

enum flt_status flt_image_save(const char *path, const struct flt_image *image,
                               struct flt_detail *detail)
{
    return flt_image_save_as(path, image, NULL, detail);
}
