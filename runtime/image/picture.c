/* An image as picture formats hold it: rows of pixels of 1 to 4 channels, in u8, u16 or f32. */
#include "image/codec.h"

#include <string.h>

bool flt_picture_of(const struct flt_image *image, const char *name, struct picture *picture,
                    struct flt_detail *detail)
{
    const int32_t channels = image->rank == 3 ? image->extent[2] : 1;
    if (image->rank < 2 || image->rank > 3 || channels > 4) {
        flt_fail(FLT_UNSUPPORTED, detail,
                 "%s cannot hold this image: its axes must be y, x or y, x, c with 1 to 4 channels;"
                 " save it as .npy",
                 flt_short_name(name));
        return false;
    }
    *picture = (struct picture){
        .element = image->element,
        .rows = (size_t)image->extent[0],
        .columns = (size_t)image->extent[1],
        .channels = (size_t)channels,
        .row_stride = image->stride[0],
        .column_stride = image->stride[1],
        .channel_stride = image->rank == 3 ? image->stride[2] : 1,
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

/* 0 .. 1 to 0 .. 255, nearest, ties to even, saturated; NaN is 0. Exact for a value that was an
 * f32. By hand rather than by rint(): the result must not depend on the caller's rounding mode. */
static uint8_t u8_of_real(double value)
{
    const double scaled = value * 255;
    if (!(scaled > 0))
        return 0;
    if (scaled >= 255)
        return 255;
    const uint8_t whole = (uint8_t)scaled;
    const double rest = scaled - whole;
    return (uint8_t)(whole + (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)));
}

/* One sample, into element at of packed. */
static void store_integer(enum flt_element element, const void *from, void *packed, size_t at)
{
    switch (element) {
    case FLT_BOOL:
        ((uint8_t *)packed)[at] = *(const uint8_t *)from ? 255 : 0;
        return;
    case FLT_U8:
        ((uint8_t *)packed)[at] = *(const uint8_t *)from;
        return;
    case FLT_U16:
        ((uint16_t *)packed)[at] = *(const uint16_t *)from;
        return;
    case FLT_F16:
        ((uint8_t *)packed)[at] = u8_of_real((double)flt_float_of_half(*(const uint16_t *)from));
        return;
    case FLT_F32:
        ((uint8_t *)packed)[at] = u8_of_real((double)*(const float *)from);
        return;
    case FLT_F64:
        ((uint8_t *)packed)[at] = u8_of_real(*(const double *)from);
        return;
    case FLT_I8:
    case FLT_I16:
    case FLT_U32:
    case FLT_I32:
    case FLT_I64:
        return; /* flt_stored_element refused */
    }
}

static const char *sample_address(const struct picture *picture, size_t row, size_t column,
                                  size_t channel)
{
    const ptrdiff_t offset = (ptrdiff_t)row * picture->row_stride +
                             (ptrdiff_t)column * picture->column_stride +
                             (ptrdiff_t)channel * picture->channel_stride;
    return (const char *)picture->data + offset * (ptrdiff_t)flt_element_bytes(picture->element);
}

void flt_picture_row_integers(const struct picture *picture, size_t row, void *packed)
{
    for (size_t column = 0, at = 0; column < picture->columns; column++)
        for (size_t channel = 0; channel < picture->channels; channel++, at++)
            store_integer(picture->element, sample_address(picture, row, column, channel), packed,
                          at);
}

void flt_picture_row_floats(const struct picture *picture, size_t row, float *packed)
{
    for (size_t column = 0, at = 0; column < picture->columns; column++)
        for (size_t channel = 0; channel < picture->channels; channel++, at++) {
            const void *const from = sample_address(picture, row, column, channel);
            packed[at] = picture->element == FLT_F32   ? *(const float *)from
                         : picture->element == FLT_F16 ? flt_float_of_half(*(const uint16_t *)from)
                                                       : (float)*(const double *)from;
        }
}
