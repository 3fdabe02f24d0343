/* An image as picture formats hold it: rows of pixels of 1 to 4 channels, in u8, u16 or f32. */
#include "image/codec.h"

#include <string.h>

/* The axis of channels: the last of three, or the first where that is called c. -1: there is none,
 * -2: they are not those of a picture. */
static int channel_axis(const struct flt_image *image)
{
    if (image->rank == 2)
        return -1;
    if (image->rank != 3)
        return -2;
    const bool is_last_x = strcmp(image->axis[2], "x") == 0;
    return !is_last_x ? 2 : strcmp(image->axis[0], "c") == 0 ? 0 : -2;
}

void flt_picture_order(const struct flt_image *image, int order[3])
{
    const bool is_first = channel_axis(image) == 0;
    for (int i = 0; i < 3; i++)
        order[i] = is_first ? (i + 1) % 3 : i;
}

bool flt_picture_of(const struct flt_image *image, const char *name, struct picture *picture,
                    struct flt_detail *detail)
{
    const int c = channel_axis(image), y = c == 0;
    const int32_t channels = c >= 0 ? image->extent[c] : 1;
    if (c < -1 || channels > 4) {
        flt_fail(FLT_UNSUPPORTED, detail,
                 "%s cannot hold this image: its axes must be y, x or y, x, c with 1 to 4 channels;"
                 " save it as %s or .npy",
                 flt_short_name(name), image->rank < 2 ? ".csv" : ".tif");
        return false;
    }
    *picture = (struct picture){
        .image = image,
        .element = image->element,
        .rows = (size_t)image->extent[y],
        .columns = (size_t)image->extent[y + 1],
        .channels = (size_t)channels,
        .row_stride = image->stride[y],
        .column_stride = image->stride[y + 1],
        .channel_stride = c >= 0 ? image->stride[c] : 1,
        .data = image->data,
    };
    return true;
}

bool flt_stored_element(const struct picture *picture, const char *name, enum flt_element *stored,
                        struct flt_detail *detail)
{
    switch (picture->element) {
    case FLT_BOOL:
    case FLT_U8:
    case FLT_F16:
    case FLT_F32:
    case FLT_F64:
        *stored = FLT_U8;
        return true;
    case FLT_U16:
        *stored = FLT_U16;
        return true;
    case FLT_I8:
    case FLT_I16:
    case FLT_U32:
    case FLT_I32:
    case FLT_I64:
        break;
    }
    flt_fail(FLT_UNSUPPORTED, detail,
             "%s cannot hold samples of %s: convert them to u8 or u16 in the filter, or save as "
             ".npy",
             flt_short_name(name), flt_element_name(picture->element));
    return false;
}

struct picture flt_row_of(enum flt_element element, const void *samples, size_t count)
{
    return (struct picture){.element = element,
                            .rows = 1,
                            .columns = count,
                            .channels = 1,
                            .column_stride = 1,
                            .channel_stride = 1,
                            .data = samples};
}

static uint8_t u8_of_real(double value)
{
    return (uint8_t)flt_integer_of_real(value, 255);
}

/* All samples of a row, one after another: `to` becomes `value`, which may use *from. */
#define EACH_SAMPLE(from_type, to_type, value)                                                     \
    for (size_t column = 0; column < picture->columns; column++) {                                 \
        const from_type *from = (const from_type *)start + (ptrdiff_t)column * column_stride;      \
        for (size_t channel = 0; channel < picture->channels; channel++, from += channel_stride)   \
            ((to_type *)packed)[column * picture->channels + channel] = (value);                   \
    }

static const void *row_address(const struct picture *picture, size_t row)
{
    return (const char *)picture->data +
           (ptrdiff_t)row * picture->row_stride * (ptrdiff_t)flt_element_bytes(picture->element);
}

static bool is_packed_row(const struct picture *picture)
{
    return (picture->channel_stride == 1 || picture->channels == 1) &&
           picture->column_stride == (ptrdiff_t)picture->channels;
}

void flt_picture_row_integers(const struct picture *picture, size_t row, void *packed)
{
    const void *const start = row_address(picture, row);
    const ptrdiff_t column_stride = picture->column_stride,
                    channel_stride = picture->channel_stride;
    const bool copied = picture->element == FLT_U8 || picture->element == FLT_U16;
    if (copied && is_packed_row(picture)) {
        memcpy(packed, start,
               picture->columns * picture->channels * flt_element_bytes(picture->element));
        return;
    }
    switch (picture->element) {
    case FLT_BOOL:
        EACH_SAMPLE(uint8_t, uint8_t, *from ? 255 : 0)
        return;
    case FLT_U8:
        EACH_SAMPLE(uint8_t, uint8_t, *from)
        return;
    case FLT_U16:
        EACH_SAMPLE(uint16_t, uint16_t, *from)
        return;
    case FLT_F16:
        EACH_SAMPLE(uint16_t, uint8_t, u8_of_real((double)flt_float_of_half(*from)))
        return;
    case FLT_F32:
        EACH_SAMPLE(float, uint8_t, u8_of_real((double)*from))
        return;
    case FLT_F64:
        EACH_SAMPLE(double, uint8_t, u8_of_real(*from))
        return;
    case FLT_I8:
    case FLT_I16:
    case FLT_U32:
    case FLT_I32:
    case FLT_I64:
        return; /* flt_stored_element refused */
    }
}

void flt_picture_row_floats(const struct picture *picture, size_t row, float *packed)
{
    const void *const start = row_address(picture, row);
    const ptrdiff_t column_stride = picture->column_stride,
                    channel_stride = picture->channel_stride;
    if (picture->element == FLT_F32) {
        EACH_SAMPLE(float, float, *from)
    } else if (picture->element == FLT_F16) {
        EACH_SAMPLE(uint16_t, float, flt_float_of_half(*from))
    } else {
        EACH_SAMPLE(double, float, (float)*from)
    }
}
