#include "check/files.h"
#include "check/measure.h"
#include "flt/image.h"
#include "image/codec.h"

#include <stdint.h>
#include <stdio.h>

static bool is_sound(const struct flt_image *image)
{
    size_t length = flt_element_bytes(image->element);
    if (!image->data || (uintptr_t)image->data % 64 != 0 || length == 0 ||
        image->rank > FLT_MAX_RANK)
        return false;
    for (int i = 0; i < image->rank; i++) {
        if (image->extent[i] < 1 || !image->axis[i][0])
            return false;
        length *= (size_t)image->extent[i];
    }
    const unsigned char *const bytes = image->data;
    unsigned any = 0;
    for (size_t i = 0; i < length; i++)
        any |= bytes[i];
    return image->element != FLT_BOOL || any <= 1;
}

static bool is_refused_well(const struct flt_image *image, const struct flt_detail *detail)
{
    return !image->data && image->rank == 0 && detail->text[0] && !strchr(detail->text, '\n');
}

/* Files here have 4 KB, a thousandfold of which some may stand for. */
static const long most_kilobytes = 256 << 10;

bool check_image(const unsigned char *bytes, size_t length, size_t *loaded)
{
    unsigned char *const exact = exact_copy(bytes, length);
    struct flt_image image;
    struct flt_detail detail = {""};
    const long before = memory_taken();
    const bool well = flt_image_load_bytes("it", exact, length, &image, &detail) == FLT_OK;
    bool kept = well ? is_sound(&image) : is_refused_well(&image, &detail);
    *loaded += well;
    if (memory_taken() - before > most_kilobytes) {
        fprintf(stderr, "a file of %zu bytes took much memory: %s\n", length,
                well ? "sound" : detail.text);
        kept = false;
    }
    if (!kept)
        fprintf(stderr, "a promise is broken: %s\n", well ? "sound" : detail.text);
    flt_image_destroy(&image);
    free(exact);
    return kept;
}

bool check_chain(const unsigned char *bytes, size_t length)
{
    unsigned char *const exact = exact_copy(bytes, length);
    struct flt_image_reader *reader;
    struct flt_detail detail = {""};
    if (flt_image_open_bytes("it", exact, length, &reader, &detail) != FLT_OK)
        abort();
    bool kept = true, more = true;
    while (kept && more) {
        struct flt_image image;
        const bool well = flt_image_next(reader, &image, &detail) == FLT_OK;
        kept = well ? is_sound(&image) : is_refused_well(&image, &detail);
        flt_image_destroy(&image);
        more = well && flt_image_more(reader, &detail);
    }
    flt_image_close(reader);
    free(exact);
    if (!kept)
        fprintf(stderr, "a promise is broken in a chain: %s\n", detail.text);
    return kept;
}
