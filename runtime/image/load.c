/* A file in memory to an image: tells the format by its first bytes, and hands it to that codec. */
#include "flt/image.h"

#include "image/codec.h"
#include "image/parts.h"

typedef enum flt_status load_function(const struct file_bytes *file, struct flt_image *image,
                                      struct flt_detail *detail);

static const struct reader {
    bool (*recognises)(const struct file_bytes *file);
    load_function *load;
    bool (*measure)(const struct file_bytes *file, bool is_all, size_t *length);
    flt_parts_of *parts;
} readers[] = {
#define READER(codec, name, parts) {flt_is_##codec, flt_load_##codec, flt_measure_##codec, parts},
#define WRITER(ending, codec, alpha, complex, depth, place)
#include "image/formats.def"
#undef READER
#undef WRITER
};

static const char known_formats[] =
#define READER(codec, name, parts) ", " name
#define WRITER(ending, codec, alpha, complex, depth, place)
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

flt_parts_of *flt_parts_of_file(const struct file_bytes *file)
{
    const struct reader *const reader = reader_of(file);
    return reader ? reader->parts : NULL;
}

bool flt_is_known(const struct file_bytes *file)
{
    return reader_of(file) != NULL;
}

bool flt_can_follow(const struct file_bytes *file)
{
    const struct reader *const reader = reader_of(file);
    return reader && reader->recognises != flt_is_csv;
}

bool flt_picture_length(const struct file_bytes *file, bool is_all, size_t *length)
{
    return reader_of(file)->measure(file, is_all, length);
}

enum flt_status flt_load_picture(const struct file_bytes *file, struct flt_image *image,
                                 struct flt_detail *detail)
{
    if (detail)
        detail->text[0] = '\0';
    if (file->length == 0)
        return flt_fail(FLT_UNKNOWN_FORMAT, detail, "%s is empty", flt_short_name(file->name));
    const struct reader *const reader = reader_of(file);
    if (!reader)
        return flt_fail(FLT_UNKNOWN_FORMAT, detail, "%s is none of %s", flt_short_name(file->name),
                        known_formats + 2);
    const enum flt_status status = reader->load(file, image, detail);
    if (status == FLT_NO_MEMORY)
        flt_fail(status, detail, "there is not enough memory for %s", flt_short_name(file->name));
    if (status != FLT_OK)
        *image = (struct flt_image){.element = FLT_BOOL};
    return status;
}

/* What stands behind the only picture that is wanted: nothing, or white space, is in order. */
static enum flt_status check_rest(struct flt_image_reader *reader, struct flt_detail *detail)
{
    struct flt_detail behind;
    if (!flt_image_more(reader, &behind)) {
        if (behind.text[0])
            flt_remark(detail, "%s", behind.text);
        return FLT_OK;
    }
    const char *const name = flt_reader_name(reader);
    const unsigned long long others = flt_image_count(reader);
    return others > 0
               ? flt_fail(FLT_UNSUPPORTED, detail,
                          "%s holds %llu pictures, one behind the other, where one is expected",
                          name, others + 1)
               : flt_fail(FLT_UNSUPPORTED, detail,
                          "%s holds more than one picture, where one is expected", name);
}

static enum flt_status load_only(struct flt_image_reader *reader, struct flt_image *image,
                                 struct flt_detail *detail)
{
    enum flt_status status = flt_image_next(reader, image, detail);
    if (status == FLT_OK)
        status = check_rest(reader, detail);
    if (status != FLT_OK && image)
        flt_image_destroy(image);
    flt_image_close(reader);
    return status;
}

enum flt_status flt_image_load_bytes(const char *name, const void *bytes, size_t length,
                                     struct flt_image *image, struct flt_detail *detail)
{
    struct flt_image_reader *reader;
    if (!image)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to load into");
    *image = (struct flt_image){.element = FLT_BOOL};
    if (!name || (!bytes && length > 0))
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no name or no bytes were given to load from");
    const enum flt_status status = flt_image_open_bytes(name, bytes, length, &reader, detail);
    return status == FLT_OK ? load_only(reader, image, detail) : status;
}

enum flt_status flt_image_load(const char *path, struct flt_image *image, struct flt_detail *detail)
{
    struct flt_image_reader *reader;
    if (!image)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to load into");
    *image = (struct flt_image){.element = FLT_BOOL};
    const enum flt_status status = flt_image_open(path, &reader, detail);
    return status == FLT_OK ? load_only(reader, image, detail) : status;
}

enum flt_status flt_image_load_raw(const char *path, const struct flt_raw *raw,
                                   struct flt_image *image, struct flt_detail *detail)
{
    struct flt_image_reader *reader;
    if (!image)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to load into");
    *image = (struct flt_image){.element = FLT_BOOL};
    enum flt_status status = flt_image_open(path, &reader, detail);
    if (status != FLT_OK)
        return status;
    status = flt_read_raw(reader, raw, image, detail);
    flt_image_close(reader);
    return status;
}
