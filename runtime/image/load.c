/* A file, or standard input, to an image: reads all of it, tells the format by its first bytes, and
 * hands it to that codec. */
#include "flt/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image/codec.h"

typedef enum flt_status load_function(const struct file_bytes *file, struct flt_image *image,
                                      struct flt_detail *detail);

static const struct reader {
    bool (*recognises)(const struct file_bytes *file);
    load_function *load;
} readers[] = {
#define READER(codec, name) {flt_is_##codec, flt_load_##codec},
#define WRITER(ending, codec, alpha, complex, depth)
#include "image/formats.def"
#undef READER
#undef WRITER
};

static const char known_formats[] =
#define READER(codec, name) ", " name
#define WRITER(ending, codec, alpha, complex, depth)
#include "image/formats.def"
#undef READER
#undef WRITER
    ;

/* NULL: no format begins like this. */
static const struct reader *reader_of(const struct file_bytes *file)
{
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (readers[i].recognises(file))
            return &readers[i];
    return NULL;
}

enum flt_status flt_image_load_bytes(const char *name, const void *bytes, size_t length,
                                     struct flt_image *image, struct flt_detail *detail)
{
    if (!image)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to load into");
    *image = (struct flt_image){.element = FLT_BOOL};
    if (!name || (!bytes && length > 0))
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no name or no bytes were given to load from");
    const struct file_bytes file = {.name = name, .bytes = bytes, .length = length};
    if (length == 0)
        return flt_fail(FLT_UNKNOWN_FORMAT, detail, "%s is empty", flt_short_name(name));
    const struct reader *const reader = reader_of(&file);
    if (!reader)
        return flt_fail(FLT_UNKNOWN_FORMAT, detail, "%s is none of %s", flt_short_name(name),
                        known_formats + 2);
    if (detail)
        detail->text[0] = '\0';
    const enum flt_status status = reader->load(&file, image, detail);
    if (status == FLT_NO_MEMORY)
        flt_fail(status, detail, "there is not enough memory for %s", flt_short_name(name));
    if (status != FLT_OK)
        *image = (struct flt_image){.element = FLT_BOOL};
    return status;
}

struct contents {
    unsigned char *bytes;
    size_t length, capacity;
};

/* The length that a plain file has now; 0 where there is none to know. */
static size_t length_of(FILE *file)
{
    struct stat about;
    const bool known = fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
    return known && about.st_size > 0 ? (size_t)about.st_size : 0;
}

static bool reserve(struct contents *contents, size_t capacity)
{
    unsigned char *const larger = realloc(contents->bytes, capacity);
    if (!larger)
        return false;
    contents->bytes = larger;
    contents->capacity = capacity;
    return true;
}

/* Whether to go on: a video or an endless device need not be read whole to be refused. */
static bool begins_as_an_image(const struct contents *contents)
{
    return reader_of(&(struct file_bytes){.bytes = contents->bytes, .length = contents->length});
}

/* Reads to the end, or, unless raw, until what was read cannot become an image. contents is the
 * caller's to free, also after a failure. FLT_CANNOT_READ leaves errno. */
static enum flt_status read_contents(FILE *file, bool raw, struct contents *contents)
{
    const size_t chunk = 65536;
    const size_t known = length_of(file);
    while (contents->length < chunk || raw || begins_as_an_image(contents)) {
        /* One byte more than known, so that the end is seen without growing. */
        const size_t wanted = contents->length < chunk    ? chunk
                              : known >= contents->length ? known + 1
                                                          : 2 * contents->length;
        if (wanted > contents->capacity && !reserve(contents, wanted))
            return FLT_NO_MEMORY;
        const size_t room = contents->capacity - contents->length;
        const size_t got = fread(contents->bytes + contents->length, 1, room, file);
        contents->length += got;
        if (got < room)
            return ferror(file) ? FLT_CANNOT_READ : FLT_OK;
    }
    return FLT_OK;
}

/* raw: NULL, or the layout. */
static enum flt_status load_stream(const char *name, FILE *file, const struct flt_raw *raw,
                                   struct flt_image *image, struct flt_detail *detail)
{
    struct contents contents = {.bytes = NULL};
    enum flt_status status = read_contents(file, raw != NULL, &contents);
    if (status == FLT_OK && raw) {
        const struct file_bytes bytes = {name, contents.bytes, contents.length};
        status = flt_raw_image(&bytes, raw, image, detail);
    } else if (status == FLT_OK) {
        status = flt_image_load_bytes(name, contents.bytes, contents.length, image, detail);
    } else if (status == FLT_CANNOT_READ) {
        flt_fail(status, detail, "cannot read %s: %s", flt_short_name(name), strerror(errno));
    }
    if (status == FLT_NO_MEMORY)
        flt_fail(status, detail, "there is not enough memory for %s", flt_short_name(name));
    free(contents.bytes);
    return status;
}

static enum flt_status load(const char *path, const struct flt_raw *raw, struct flt_image *image,
                            struct flt_detail *detail)
{
    if (!image)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to load into");
    *image = (struct flt_image){.element = FLT_BOOL};
    if (detail)
        detail->text[0] = '\0';
    if (!path)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no path was given to load from");
    if (strcmp(path, "-") == 0)
        return load_stream("standard input", stdin, raw, image, detail);
    FILE *const file = fopen(path, "rb");
    if (!file)
        return flt_fail(FLT_CANNOT_OPEN, detail, "cannot open %s: %s", flt_short_name(path),
                        strerror(errno));
    const enum flt_status status = load_stream(path, file, raw, image, detail);
    fclose(file);
    return status;
}

enum flt_status flt_image_load(const char *path, struct flt_image *image, struct flt_detail *detail)
{
    return load(path, NULL, image, detail);
}

enum flt_status flt_image_load_raw(const char *path, const struct flt_raw *raw,
                                   struct flt_image *image, struct flt_detail *detail)
{
    return load(path, raw, image, detail);
}
