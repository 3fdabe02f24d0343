/* EXIF orientation: finding it, and turning an image as it says.
 * Source: TIFF 6.0, tag Orientation; EXIF 2.3, 4.6.4 and the layout of its data, that of TIFF. */
#include <stdlib.h>
#include <string.h>

#include "image/codec.h"

/* ---- Finding it ---- */

struct exif {
    const unsigned char *bytes;
    size_t length;
    bool little;
};

/* size bytes from at on; 0 where there are none. */
static uint32_t number_at(const struct exif *exif, size_t at, size_t size)
{
    const bool is_there = exif->length >= size && at <= exif->length - size;
    return is_there ? (uint32_t)flt_number_of(exif->bytes + at, size, exif->little) : 0;
}

static bool has_exif_head(const unsigned char *bytes, size_t length)
{
    return length >= 8 && (memcmp(bytes, "II*\0", 4) == 0 || memcmp(bytes, "MM\0*", 4) == 0);
}

enum { ENTRY = 12, SHORT = 3, LONG = 4 };

/* The place of a tag's entry in the directory at that place; 0: there is none. */
static size_t find_entry(const struct exif *exif, size_t directory, unsigned tag)
{
    const size_t entries = number_at(exif, directory, 2);
    for (size_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + i * ENTRY;
        if (number_at(exif, entry, 2) == tag && entry <= exif->length - ENTRY)
            return entry;
    }
    return 0;
}

int flt_exif_orientation(const unsigned char *bytes, size_t length)
{
    enum { ORIENTATION = 0x112 };
    if (length < ENTRY || !has_exif_head(bytes, length))
        return 1;
    const struct exif exif = {bytes, length, bytes[0] == 'I'};
    const size_t directory = number_at(&exif, 4, 4);
    const size_t entry = find_entry(&exif, directory, ORIENTATION);
    return entry && number_at(&exif, entry + 2, 2) == SHORT ? (int)number_at(&exif, entry + 8, 2)
                                                            : 1;
}

static void put_number(const struct exif *exif, unsigned char *bytes, size_t at, size_t size,
                       uint32_t number)
{
    for (size_t i = 0; i < size; i++, number >>= 8)
        bytes[exif->little ? at + i : at + size - 1 - i] = (unsigned char)number;
}

/* A single number, where there is one. */
static void set_entry(const struct exif *exif, unsigned char *bytes, size_t directory, unsigned tag,
                      uint32_t number)
{
    const size_t entry = find_entry(exif, directory, tag);
    if (!entry || number_at(exif, entry + 4, 4) != 1)
        return;
    if (number_at(exif, entry + 2, 2) == LONG)
        put_number(exif, bytes, entry + 8, 4, number);
    else if (number_at(exif, entry + 2, 2) == SHORT && number <= UINT16_MAX)
        put_number(exif, bytes, entry + 8, 2, number);
}

void flt_exif_settle(unsigned char *bytes, size_t length, uint32_t rows, uint32_t columns)
{
    enum { ORIENTATION = 0x112, EXIF = 0x8769, COLUMNS = 0xa002, ROWS = 0xa003 };
    if (length < ENTRY || !has_exif_head(bytes, length))
        return;
    const struct exif exif = {bytes, length, bytes[0] == 'I'};
    const size_t directory = number_at(&exif, 4, 4);
    const size_t next = directory + 2 + number_at(&exif, directory, 2) * ENTRY;
    const size_t inner = find_entry(&exif, directory, EXIF);
    set_entry(&exif, bytes, directory, ORIENTATION, 1);
    if (next + 4 <= length)
        put_number(&exif, bytes, next, 4, 0);
    if (!inner)
        return;
    set_entry(&exif, bytes, number_at(&exif, inner + 8, 4), COLUMNS, columns);
    set_entry(&exif, bytes, number_at(&exif, inner + 8, 4), ROWS, rows);
}

/* ---- Turning ---- */

/* How the picture is read from the stored rows: by columns where turned, from the other end along
 * its y and its x where flipped. */
static const struct turning {
    bool turned, flips_y, flips_x;
} turnings[] = {
    [2] = {false, false, true}, [3] = {false, true, true}, [4] = {false, true, false},
    [5] = {true, false, false}, [6] = {true, false, true}, [7] = {true, true, true},
    [8] = {true, true, false},
};

/* Steps in bytes; count of each. */
struct walk {
    ptrdiff_t step;
    size_t count;
};

static struct walk flipped(struct walk walk, bool flips, const char **start)
{
    if (!flips)
        return walk;
    *start += walk.step * (ptrdiff_t)(walk.count - 1);
    return (struct walk){-walk.step, walk.count};
}

/* One plane, from stored rows, to packed. */
static void turn_plane(const struct turning *turning, const char *from, struct walk y,
                       struct walk x, size_t pixel, char *to)
{
    if (turning->turned) {
        const struct walk stored_y = y;
        y = x;
        x = stored_y;
    }
    y = flipped(y, turning->flips_y, &from);
    x = flipped(x, turning->flips_x, &from);
    for (size_t row = 0; row < y.count; row++)
        for (size_t column = 0; column < x.count; column++, to += pixel)
            memcpy(to, from + (ptrdiff_t)row * y.step + (ptrdiff_t)column * x.step, pixel);
}

enum flt_status flt_orient(struct flt_image *image, int orientation)
{
    if (orientation < 2 || orientation > 8)
        return FLT_OK;
    const struct turning *const turning = &turnings[orientation];
    int y = 0;
    while (strcmp(image->axis[y], "y") != 0)
        y++;
    const char *axis[FLT_MAX_RANK];
    int32_t extent[FLT_MAX_RANK];
    size_t planes = 1, pixel = flt_element_bytes(image->element);
    for (int i = 0; i < image->rank; i++) {
        axis[i] = image->axis[i];
        extent[i] = image->extent[i];
        if (i < y)
            planes *= (size_t)extent[i];
        if (i > y + 1)
            pixel *= (size_t)extent[i];
    }
    const struct walk rows = {(ptrdiff_t)(pixel * (size_t)extent[y + 1]), (size_t)extent[y]};
    const struct walk columns = {(ptrdiff_t)pixel, (size_t)extent[y + 1]};
    if (turning->turned) {
        extent[y] = (int32_t)columns.count;
        extent[y + 1] = (int32_t)rows.count;
    }
    struct flt_image turned;
    const enum flt_status status =
        flt_image_create(&turned, image->element, image->rank, axis, extent);
    if (status != FLT_OK)
        return status;
    const size_t plane = rows.count * columns.count * pixel;
    for (size_t i = 0; i < planes; i++)
        turn_plane(turning, (const char *)image->data + i * plane, rows, columns, pixel,
                   (char *)turned.data + i * plane);
    turned.has_alpha = image->has_alpha;
    turned.has_plain_pages = image->has_plain_pages;
    for (int i = 0; i < image->rank; i++) {
        const int from = !turning->turned ? i : i == y ? y + 1 : i == y + 1 ? y : i;
        turned.spacing[i] = image->spacing[from];
        memcpy(turned.unit[i], image->unit[from], FLT_UNIT_NAME);
    }
    turned.exif = image->exif;
    turned.exif_bytes = image->exif_bytes;
    turned.profile = image->profile;
    turned.profile_bytes = image->profile_bytes;
    turned.chunks = image->chunks;
    turned.chunks_bytes = image->chunks_bytes;
    image->exif = image->profile = image->chunks = NULL;
    flt_image_destroy(image);
    *image = turned;
    return FLT_OK;
}
