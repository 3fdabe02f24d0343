/* Samples of any range as integers of 8 or 16 bits. */
#include "image/codec.h"

#include <stdlib.h>

/* By hand rather than by rint(): the result must not depend on the caller's rounding mode. */
unsigned flt_integer_of_real(double value, unsigned most)
{
    const double scaled = value * most;
    if (!(scaled > 0))
        return 0;
    if (scaled >= most)
        return most;
    const unsigned whole = (unsigned)scaled;
    const double rest = scaled - whole;
    return whole + (rest > 0.5 || (rest == 0.5 && whole % 2 == 1));
}

/* 0 .. 65535 is 257 times 0 .. 255: there are no ties. */
static unsigned convert(enum flt_element element, const void *sample, unsigned most)
{
    switch (element) {
    case FLT_BOOL:
        return *(const uint8_t *)sample ? most : 0;
    case FLT_U8:
        return *(const uint8_t *)sample * (most / 255);
    case FLT_U16:
        return (*(const uint16_t *)sample + (most == 255 ? 128U : 0)) / (65535 / most);
    case FLT_F16:
        return flt_integer_of_real((double)flt_float_of_half(*(const uint16_t *)sample), most);
    case FLT_F32:
        return flt_integer_of_real((double)*(const float *)sample, most);
    case FLT_F64:
        return flt_integer_of_real(*(const double *)sample, most);
    case FLT_I8:
    case FLT_I16:
    case FLT_U32:
    case FLT_I32:
    case FLT_I64:
        break;
    }
    return 0;
}

static bool is_convertible(const struct flt_image *image)
{
    const enum flt_element e = image->element;
    return image->rank > 0 && !flt_image_is_complex(image) &&
           (e == FLT_BOOL || e == FLT_U8 || e == FLT_U16 || e == FLT_F16 || e == FLT_F32 ||
            e == FLT_F64);
}

void flt_depth_samples(enum flt_element element, const void *row, size_t length, unsigned most,
                       void *to)
{
    const size_t size = flt_element_bytes(element);
    for (size_t i = 0; i < length; i++) {
        const unsigned value = convert(element, (const char *)row + i * size, most);
        if (most == 255)
            ((uint8_t *)to)[i] = (uint8_t)value;
        else
            ((uint16_t *)to)[i] = (uint16_t)value;
    }
}

enum flt_status flt_check_depth(const struct flt_image *image, const char *path, int depth,
                                struct flt_detail *detail)
{
    if (is_convertible(image))
        return FLT_OK;
    return flt_fail(FLT_UNSUPPORTED, detail,
                    "%s is to hold samples of %d bits, which %s cannot become: those of bool, "
                    "u8, u16 and floats can",
                    flt_short_name(path), depth,
                    flt_image_is_complex(image) ? "complex numbers"
                                                : flt_element_name(image->element));
}

enum flt_status flt_image_of_depth(const struct flt_image *image, const char *path, int depth,
                                   struct flt_image *out, struct flt_detail *detail)
{
    const size_t bytes = (size_t)depth / 8;
    const enum flt_status status = flt_check_depth(image, path, depth, detail);
    if (status != FLT_OK)
        return status;
    const size_t length = (size_t)image->extent[image->rank - 1];
    const uint64_t rows = flt_row_count(image);
    *out = *image;
    out->element = depth == 8 ? FLT_U8 : FLT_U16;
    void *const row = malloc(length * flt_element_bytes(image->element));
    out->data = malloc(rows * length * bytes);
    if (!row || !out->data) {
        free(row);
        free(out->data);
        out->data = NULL;
        return flt_fail(FLT_NO_MEMORY, detail, "there is not enough memory to write %s",
                        flt_short_name(path));
    }
    ptrdiff_t stride = 1;
    for (int i = image->rank - 1; i >= 0; i--) {
        out->stride[i] = stride;
        stride *= image->extent[i];
    }
    for (uint64_t i = 0; i < rows; i++) {
        flt_pack_row(image, i, row);
        flt_depth_samples(image->element, row, length, depth == 8 ? 255 : 65535,
                          (char *)out->data + i * length * bytes);
    }
    free(row);
    return FLT_OK;
}
