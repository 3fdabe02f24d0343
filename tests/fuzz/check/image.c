#include "check/files.h"
#include "check/measure.h"
#include "flt/image_parts.h"
#include "image/codec.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* Whether the two have the same form; a file whose last pages are damaged has fewer when it is
 * loaded. */
static bool is_alike(const struct flt_image *a, const struct flt_image *b)
{
    bool same = a->element == b->element && a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->extent[i] == b->extent[i] && strcmp(a->axis[i], b->axis[i]) == 0;
    return same;
}

/* Reads the places from begin to end along the first axis: what is read is what is loaded. whole:
 * NULL if the file is refused. */
static bool is_part_sound(struct flt_parts_in *in, const struct flt_image *form, int32_t begin,
                          int32_t end, const struct flt_image *whole)
{
    const int32_t first[FLT_MAX_RANK] = {begin};
    int32_t last[FLT_MAX_RANK];
    struct flt_image part;
    struct flt_detail detail;
    for (int i = 0; i < form->rank; i++)
        last[i] = i == 0 ? end : form->extent[i];
    if (flt_parts_read(in, first, last, &part, &detail) != FLT_OK)
        return is_refused_well(&part, &detail);
    size_t length = flt_element_bytes(part.element), before = length;
    for (int i = 0; i < part.rank; i++) {
        length *= (size_t)part.extent[i];
        before *= (size_t)(i == 0 ? begin : part.extent[i]);
    }
    const bool sound =
        is_sound(&part) &&
        (!whole || !is_alike(form, whole) ||
         memcmp(part.data, (char *)whole->data + (form->rank ? before : 0), length) == 0);
    flt_image_destroy(&part);
    return sound;
}

/* The same file read by place, if it can be, in two parts. */
static bool are_parts_sound(const unsigned char *bytes, size_t length,
                            const struct flt_image *whole)
{
    enum { MOST_SAMPLES = 1 << 24 };
    char path[32];
    struct flt_parts_in *in;
    struct flt_image form;
    struct flt_detail detail;
    const int file = memfd_create("it", 0);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const enum flt_status status = flt_parts_open(path, NULL, &in, &detail);
    close(file);
    if (status != FLT_OK)
        return status == FLT_UNSUPPORTED ? !detail.text[0] : detail.text[0] != 0;
    bool sound = flt_parts_image(in, &form) == FLT_OK && !form.data;
    double samples = 1;
    for (int i = 0; i < form.rank; i++)
        samples *= form.extent[i];
    const int32_t extent = form.rank > 0 ? form.extent[0] : 1, middle = (extent + 1) / 2;
    if (samples <= MOST_SAMPLES)
        sound = sound && is_part_sound(in, &form, 0, middle, whole) &&
                (middle == extent || is_part_sound(in, &form, middle, extent, whole));
    flt_image_destroy(&form);
    flt_parts_close(in);
    return sound;
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
    if (!are_parts_sound(bytes, length, well ? &image : NULL)) {
        fprintf(stderr, "parts of a file are not those of the whole\n");
        kept = false;
    }
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
