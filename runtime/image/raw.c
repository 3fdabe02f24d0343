/* Files that hold nothing but samples: their extents and type are given beside them. */
#include "flt/image.h"

#include <stdlib.h>
#include <string.h>

#include "image/codec.h"
#include "image/parts.h"

/* ---- The layout as it is written ---- */

struct cursor {
    const char *at;
};

static bool take(struct cursor *cursor, char c)
{
    if (*cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

/* A decimal that fits in 62 bits. */
static bool take_number(struct cursor *cursor, uint64_t *number)
{
    const char *const first = cursor->at;
    for (*number = 0; *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        if (*number > ((uint64_t)1 << 58))
            return false;
        *number = 10 * *number + (uint64_t)(*cursor->at - '0');
    }
    return cursor->at > first;
}

/* The number as it is written; what is none of an extent is 0. */
static bool take_extent(struct cursor *cursor, int32_t *extent)
{
    uint64_t number;
    const bool is_number = take_number(cursor, &number);
    *extent = is_number && number <= INT32_MAX ? (int32_t)number : 0;
    return is_number;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* "y=480,x=640,c=3" */
static bool take_named_extents(struct cursor *cursor, struct flt_raw *raw)
{
    do {
        size_t length = 0;
        if (raw->rank == FLT_MAX_RANK)
            return false;
        while (is_letter(cursor->at[length]) && length < FLT_AXIS_NAME - 1)
            length++;
        memcpy(raw->axis[raw->rank], cursor->at, length);
        cursor->at += length;
        if (length == 0 || !take(cursor, '=') || !take_extent(cursor, &raw->extent[raw->rank]))
            return false;
        raw->rank++;
    } while (take(cursor, ','));
    return true;
}

/* "512x512x100": columns, rows, planes. */
static bool take_plain_extents(struct cursor *cursor, struct flt_raw *raw)
{
    static const char *const name[] = {"x", "y", "z"};
    int32_t extent[3];
    do {
        if (raw->rank == 3 || !take_extent(cursor, &extent[raw->rank]))
            return false;
        raw->rank++;
    } while (take(cursor, 'x'));
    for (int i = 0; i < raw->rank; i++) {
        raw->extent[i] = extent[raw->rank - 1 - i];
        strcpy(raw->axis[i], name[raw->rank - 1 - i]);
    }
    return true;
}

static bool take_element(struct cursor *cursor, struct flt_raw *raw)
{
    for (int e = FLT_BOOL; flt_element_bytes((enum flt_element)e) > 0; e++) {
        const char *const name = flt_element_name((enum flt_element)e);
        const size_t length = strlen(name);
        if (strncmp(cursor->at, name, length) != 0)
            continue;
        cursor->at += length;
        raw->element = (enum flt_element)e;
        raw->big_endian = strncmp(cursor->at, "be", 2) == 0;
        if (raw->big_endian || strncmp(cursor->at, "le", 2) == 0)
            cursor->at += 2;
        return true;
    }
    return false;
}

static bool is_named_before(const struct flt_raw *raw, int axis)
{
    for (int i = 0; i < axis; i++)
        if (strcmp(raw->axis[i], raw->axis[axis]) == 0)
            return true;
    return false;
}

/* What is wrong with extents that are well written. */
static enum flt_status check_axes(const char *text, const struct flt_raw *raw,
                                  struct flt_detail *detail)
{
    for (int i = 0; i < raw->rank; i++) {
        if (raw->extent[i] < 1)
            return flt_fail(FLT_BAD_ARGUMENT, detail,
                            "the extent of %s in '%s' is not from 1 to %d", raw->axis[i], text,
                            INT32_MAX);
        if (is_named_before(raw, i))
            return flt_fail(FLT_BAD_ARGUMENT, detail, "'%s' names the axis %s twice", text,
                            raw->axis[i]);
    }
    return FLT_OK;
}

enum flt_status flt_raw_parse(const char *text, struct flt_raw *raw, struct flt_detail *detail)
{
    struct cursor cursor = {text};
    *raw = (struct flt_raw){.element = FLT_BOOL};
    if (!(is_letter(*text) ? take_named_extents(&cursor, raw) : take_plain_extents(&cursor, raw)))
        return flt_fail(FLT_BAD_ARGUMENT, detail,
                        "the extents of '%s' are not written as 640x480, 512x512x100 or "
                        "y=480,x=640,c=3",
                        text);
    if (!take(&cursor, ':') || !take_element(&cursor, raw))
        return flt_fail(FLT_BAD_ARGUMENT, detail,
                        "'%s' names no type of samples behind its extents: write 640x480:u16, or "
                        "u16be where the greatest byte comes first",
                        text);
    const bool skips = take(&cursor, ':');
    if ((skips && !take_number(&cursor, &raw->skip)) || *cursor.at)
        return flt_fail(FLT_BAD_ARGUMENT, detail,
                        "'%s' goes on where it should end, or with :BYTES to skip", text);
    return check_axes(text, raw, detail);
}

/* ---- Loading and saving ---- */

/* The image without its samples, of a file of so many bytes. */
static enum flt_status form_image(const char *name, uint64_t length, const struct flt_raw *raw,
                                  struct flt_image *image, struct flt_detail *detail)
{
    const char *axis[FLT_MAX_RANK];
    for (int i = 0; i < raw->rank; i++)
        axis[i] = raw->axis[i];
    uint64_t count;
    if (!flt_count_samples(raw->rank, raw->extent, &count))
        return flt_fail(FLT_TOO_LARGE, detail,
                        "the extents given for %s make more than 2^40 samples",
                        flt_short_name(name));
    const uint64_t needed = raw->skip + count * flt_element_bytes(raw->element);
    if (needed != length)
        return flt_fail(FLT_CORRUPT, detail,
                        "%s has %llu bytes, but with its extents and type it would have %llu",
                        flt_short_name(name), (unsigned long long)length,
                        (unsigned long long)needed);
    return flt_image_form(image, raw->element, raw->rank, axis, raw->extent);
}

enum flt_status flt_raw_image(const struct file_bytes *file, const struct flt_raw *raw,
                              struct flt_image *image, struct flt_detail *detail)
{
    enum flt_status status = form_image(file->name, file->length, raw, image, detail);
    if (status == FLT_OK)
        status = flt_image_allocate(image);
    if (status != FLT_OK)
        return status;
    const size_t size = flt_element_bytes(raw->element),
                 count = (file->length - (size_t)raw->skip) / size;
    memcpy(image->data, file->bytes + raw->skip, count * size);
    if (raw->big_endian == flt_host_is_little())
        flt_swap_bytes(image->data, count, size);
    if (raw->element == FLT_BOOL)
        flt_make_bools(image->data, count);
    return FLT_OK;
}

enum flt_status flt_parts_of_raw(struct flt_parts_in *in, const struct flt_raw *raw,
                                 struct flt_detail *detail)
{
    const enum flt_status status = form_image(in->name, in->length, raw, &in->image, detail);
    if (status != FLT_OK)
        return status;
    in->placement = flt_packed_placement(&in->image, flt_element_bytes(raw->element), raw->skip);
    in->end = in->length;
    in->swaps = raw->big_endian == flt_host_is_little();
    return FLT_OK;
}

/* Little endian is what a file without header has. */
static enum flt_status check_order(const char *name, struct flt_detail *detail)
{
    if (flt_host_is_little())
        return FLT_OK;
    return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot be written on this processor: save as .npy",
                    flt_short_name(name));
}

enum flt_status flt_save_raw(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    const enum flt_status status = check_order(out->name, detail);
    return status == FLT_OK ? flt_write_samples(image, out->stream) : status;
}

enum flt_status flt_place_raw(struct flt_parts_out *out, struct flt_detail *detail)
{
    const enum flt_status status = check_order(out->name, detail);
    return status == FLT_OK ? flt_place_packed(out, flt_element_bytes(out->image.element)) : status;
}
