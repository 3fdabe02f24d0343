/* What files tell beside samples: on its way from image to image. */
#include "image/codec.h"

#include <stdlib.h>
#include <string.h>

bool flt_set_block(void **block, size_t *bytes, const void *from, size_t length)
{
    void *const copy = length > 0 ? malloc(length) : NULL;
    if (!copy)
        return length == 0;
    memcpy(copy, from, length);
    free(*block);
    *block = copy;
    *bytes = length;
    return true;
}

/* The extent along the axis of that name; 0: there is none. */
static int32_t extent_of(const struct flt_image *image, const char *name)
{
    for (int i = 0; i < image->rank; i++)
        if (strcmp(image->axis[i], name) == 0)
            return image->extent[i];
    return 0;
}

static bool is_alike(const struct flt_image *image, const struct flt_image *source,
                     const char *name)
{
    return extent_of(image, name) == extent_of(source, name);
}

/* Whether colors are of the same kind; alpha is none of them. */
static bool has_like_colors(const struct flt_image *image, const struct flt_image *source)
{
    const int32_t c = extent_of(image, "c") - image->has_alpha,
                  s = extent_of(source, "c") - source->has_alpha;
    return (c > 0 ? c : 1) == (s > 0 ? s : 1);
}

static void keep_spacing(struct flt_image *image, const struct flt_image *source)
{
    for (int i = 0; i < image->rank; i++)
        for (int k = 0; k < source->rank && !(image->spacing[i] > 0); k++) {
            if (image->extent[i] != source->extent[k] ||
                strcmp(image->axis[i], source->axis[k]) != 0)
                continue;
            image->spacing[i] = source->spacing[k];
            memcpy(image->unit[i], source->unit[k], FLT_UNIT_NAME);
        }
}

enum flt_status flt_image_keep(struct flt_image *image, const struct flt_image *source)
{
    bool good = true;
    keep_spacing(image, source);
    if (!image->exif && source->exif && is_alike(image, source, "y") &&
        is_alike(image, source, "x"))
        good = flt_set_block(&image->exif, &image->exif_bytes, source->exif, source->exif_bytes);
    if (!image->profile && !image->chunks && has_like_colors(image, source))
        good = flt_set_block(&image->profile, &image->profile_bytes, source->profile,
                             source->profile_bytes) &&
               flt_set_block(&image->chunks, &image->chunks_bytes, source->chunks,
                             source->chunks_bytes) &&
               good;
    return good ? FLT_OK : FLT_NO_MEMORY;
}

bool flt_next_chunk(const struct flt_image *image, struct color_chunk *chunk)
{
    const unsigned char *const from = chunk->data ? chunk->data + chunk->length : image->chunks;
    if (!from || from == (const unsigned char *)image->chunks + image->chunks_bytes)
        return false;
    chunk->length = (uint32_t)flt_number_of(from, 4, false);
    chunk->type = from + 4;
    chunk->data = from + 8;
    return true;
}

/* What sRGB is in a chunk of the type; NULL: it has none. */
static const char *srgb_in(const unsigned char *type)
{
    static const struct {
        char type[5];
        const char *data;
    } rows[] = {
        {"gAMA", "\0\0\xb1\x8f"}, /* 1 / 2.2 */
        {"cHRM", "\0\0\x7a\x26\0\0\x80\x84\0\0\xfa\0\0\0\x80\xe8"
                 "\0\0\x75\x30\0\0\xea\x60\0\0\x3a\x98\0\0\x17\x70"},
        {"cICP", "\1\15\0\1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (memcmp(type, rows[i].type, 4) == 0)
            return rows[i].data;
    return NULL;
}

/* Whether the chunk tells other colors than those that a picture has by default. */
static bool is_other(const struct color_chunk *chunk, bool is_srgb)
{
    const char *const srgb = srgb_in(chunk->type);
    const bool is_overruled = is_srgb && memcmp(chunk->type, "cICP", 4) != 0;
    if (memcmp(chunk->type, "sRGB", 4) == 0 || (srgb && is_overruled))
        return false;
    return !srgb || memcmp(chunk->data, srgb, chunk->length) != 0;
}

void flt_remark_chunks(const struct flt_image *image, const char *name, struct flt_detail *detail)
{
    struct color_chunk chunk = {.data = NULL};
    char lost[64] = "";
    bool is_srgb = false; /* then gAMA and cHRM are for readers that do not know better */
    while (flt_next_chunk(image, &chunk))
        is_srgb |= memcmp(chunk.type, "sRGB", 4) == 0;
    for (chunk.data = NULL; flt_next_chunk(image, &chunk);) {
        const size_t at = strlen(lost);
        if (is_other(&chunk, is_srgb))
            snprintf(lost + at, sizeof lost - at, "%s%.4s", at ? ", " : "",
                     (const char *)chunk.type);
    }
    if (*lost)
        flt_remark(detail, "%s cannot hold what the PNG says of its colors: %s",
                   flt_short_name(name), lost);
}

double flt_metres(double length, const char *unit)
{
    static const struct {
        const char *unit;
        double metres;
    } units[] = {{"m", 1},          {"cm", 1e-2},     {"mm", 1e-3},     {"\u00b5m", 1e-6},
                 {"\u03bcm", 1e-6}, {"um", 1e-6},     {"micron", 1e-6}, {"microns", 1e-6},
                 {"nm", 1e-9},      {"inch", 0.0254}, {"in", 0.0254},   {"km", 1e3}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strncmp(unit, units[i].unit, FLT_UNIT_NAME) == 0)
            return length * units[i].metres;
    return 0;
}

bool flt_picture_exif(const struct picture *picture, unsigned char **exif)
{
    const size_t most = 65000; /* of a segment of JPEG */
    const struct flt_image *const image = picture->image;
    void *copy = NULL;
    size_t bytes;
    *exif = NULL;
    if (!image->exif || image->exif_bytes > most)
        return true;
    if (!flt_set_block(&copy, &bytes, image->exif, image->exif_bytes))
        return false;
    *exif = copy;
    flt_exif_settle(*exif, image->exif_bytes, (uint32_t)picture->rows, (uint32_t)picture->columns);
    return true;
}
