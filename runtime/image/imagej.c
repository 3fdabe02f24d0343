/* The description by which ImageJ tells what the pages of a TIFF are: lines of key=value. Pages are
 * in the order of channels, slices, frames, channels fastest. A file of more than 4 GiB has one
 * directory, behind whose samples those of all other pages stand.
 * Source: ij/io/FileSaver, FileInfo and TiffDecoder of ImageJ 1.53 (imagej.net/ij/source). */
#include "image/numbers.h"
#include "image/stack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool flt_is_imagej(const struct tiff_notes *notes)
{
    return notes->description && notes->description_length > 7 &&
           memcmp(notes->description, "ImageJ=", 7) == 0;
}

/* ---- Reading ---- */

/* What stands behind "key=" in the last line that begins so. */
struct value {
    const char *text; /* NULL: there is no such line */
    size_t length;
};

static struct value value_of(const struct tiff_notes *notes, const char *key)
{
    const char *at = notes->description, *const end = at + notes->description_length;
    const size_t length = strlen(key);
    struct value value = {NULL, 0};
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        size_t line = (size_t)(line_end - at);
        while (line > 0 && (at[line - 1] == '\r' || at[line - 1] == ' '))
            line--;
        if (line > length && memcmp(at, key, length) == 0 && at[length] == '=')
            value = (struct value){at + length + 1, line - length - 1};
        at = line_end < end ? line_end + 1 : end;
    }
    return value;
}

struct counts {
    uint32_t images, channels, slices, frames; /* 0: not given */
};

static enum flt_status take_count(const struct tiff_notes *notes, const char *name, const char *key,
                                  uint32_t *count, struct flt_detail *detail)
{
    const struct value value = value_of(notes, key);
    *count = 0;
    if (!value.text || (flt_count_of(value.text, value.length, count) && *count > 0))
        return FLT_OK;
    return flt_fail(FLT_CORRUPT, detail, "%s has a damaged description by ImageJ: %s=%.*s",
                    flt_short_name(name), key, (int)(value.length < 24 ? value.length : 24),
                    value.text);
}

static enum flt_status read_counts(const struct tiff_notes *notes, const char *name,
                                   struct counts *counts, struct flt_detail *detail)
{
    enum flt_status status = take_count(notes, name, "images", &counts->images, detail);
    if (status == FLT_OK)
        status = take_count(notes, name, "channels", &counts->channels, detail);
    if (status == FLT_OK)
        status = take_count(notes, name, "slices", &counts->slices, detail);
    if (status == FLT_OK)
        status = take_count(notes, name, "frames", &counts->frames, detail);
    return status;
}

static uint32_t or_one(uint32_t count)
{
    return count ? count : 1;
}

/* All that it counts, 2^31 for anything more. */
static uint64_t product_of(const struct counts *counts)
{
    const uint64_t most = (uint64_t)1 << 31;
    uint64_t product = (uint64_t)or_one(counts->channels) * or_one(counts->slices);
    if (product < most)
        product *= or_one(counts->frames);
    return product < most ? product : most;
}

/* The number of pages there are, or that a single directory stands for. */
static enum flt_status check_counts(const struct stack_pages *pages, struct counts *counts,
                                    struct stack *stack, struct flt_detail *detail)
{
    const char *const name = flt_short_name(pages->name);
    const uint64_t product = product_of(counts);
    if (product == 1 && counts->images > 1)
        counts->slices = counts->images;
    else if (counts->images && product != counts->images)
        return flt_fail(FLT_CORRUPT, detail,
                        "%s says by ImageJ that it has %u images, but of %u channels, %u slices "
                        "and %u frames",
                        name, counts->images, or_one(counts->channels), or_one(counts->slices),
                        or_one(counts->frames));
    const uint64_t images = product_of(counts);
    stack->is_headless = pages->directories == 1 && images > 1;
    if (images == (uint64_t)pages->count || stack->is_headless)
        return FLT_OK;
    return flt_fail(FLT_CORRUPT, detail,
                    "%s says by ImageJ that it has %llu images, but has %d pages: save it anew, or "
                    "without its description",
                    name, (unsigned long long)images, pages->count);
}

static void add_axis(struct stack *stack, char name, uint32_t extent)
{
    if (extent > 1)
        stack->axis[stack->rank++] = (struct stack_axis){name, (int32_t)extent};
}

/* Four hexadecimal digits; -1: they are none. */
static int code_of(const char *text)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const char *const digits = "0123456789abcdef";
        const char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] - 'A' + 'a') : text[i];
        const char *const digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            return -1;
        code = code << 4 | (int)(digit - digits);
    }
    return code;
}

static size_t put_utf8(int code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

/* A letter beyond ASCII is \u00B5, or a byte of ISO 8859-1, or UTF-8. */
static void take_unit(struct value value, struct spacing *spacing)
{
    char unit[FLT_UNIT_NAME * 2];
    size_t length = 0;
    for (size_t i = 0; i < value.length && length < FLT_UNIT_NAME; i++) {
        const unsigned char c = (unsigned char)value.text[i];
        const bool follows =
            i + 1 < value.length && ((unsigned char)value.text[i + 1] & 0xc0) == 0x80;
        const int code = c == '\\' && value.length - i >= 6 && value.text[i + 1] == 'u'
                             ? code_of(value.text + i + 2)
                             : -1;
        if (code > 0 && (code < 0xd800 || code > 0xdfff)) {
            length += put_utf8(code, unit + length);
            i += 5;
        } else if (c >= 0xc2 && c < 0xe0 && follows) {
            unit[length++] = (char)c;
            unit[length++] = value.text[++i];
        } else {
            length += put_utf8(c, unit + length);
        }
    }
    flt_set_unit(spacing, unit, length);
}

void flt_set_unit(struct spacing *spacing, const char *unit, size_t length)
{
    memset(spacing->unit, 0, sizeof spacing->unit);
    if (length < sizeof spacing->unit)
        memcpy(spacing->unit, unit, length);
}

static void take_distance(const struct tiff_notes *notes, const char *key, struct spacing *spacing)
{
    const struct value value = value_of(notes, key);
    double distance;
    if (value.text && flt_real_of(value.text, value.length, &distance))
        spacing->distance = fabs(distance);
}

/* The description gives spacings of x and y only if TIFF has no such unit, or has this one. */
static void take_spacings(const struct tiff_notes *notes, struct stack *stack)
{
    const struct value unit = value_of(notes, "unit");
    const struct value y_unit = value_of(notes, "yunit"), z_unit = value_of(notes, "zunit"),
                       time_unit = value_of(notes, "tunit");
    if (unit.text) {
        for (int i = 0; i < 2; i++) {
            struct spacing *const spacing = i ? &stack->y : &stack->x;
            if (notes->per_unit[i] > 0)
                spacing->distance = 1 / notes->per_unit[i];
            take_unit(i && y_unit.text ? y_unit : unit, spacing);
        }
        take_unit(z_unit.text ? z_unit : unit, &stack->z);
    }
    take_distance(notes, "spacing", &stack->z);
    take_distance(notes, "finterval", &stack->t);
    take_unit(time_unit.text ? time_unit : (struct value){"s", 1}, &stack->t);
    if (strcmp(stack->t.unit, "sec") == 0)
        flt_set_unit(&stack->t, "s", 1);
}

enum flt_status flt_imagej_stack(const struct tiff_notes *notes, const struct stack_pages *pages,
                                 struct stack *stack, struct flt_detail *detail)
{
    struct counts counts;
    enum flt_status status = read_counts(notes, pages->name, &counts, detail);
    if (status == FLT_OK)
        status = check_counts(pages, &counts, stack, detail);
    if (status != FLT_OK)
        return status;
    add_axis(stack, 't', or_one(counts.frames));
    add_axis(stack, 'z', or_one(counts.slices));
    add_axis(stack, 'c', or_one(counts.channels));
    take_spacings(notes, stack);
    return FLT_OK;
}
