/* Samples of images of any strides, in the order of their axes: the last one fastest. */
#include <stdlib.h>
#include <string.h>

#include "image/codec.h"

/* Elements from data to the first sample of a row: a line along the last axis; rows count in the
 * order of the axes. */
static ptrdiff_t row_offset(const struct flt_image *image, uint64_t row)
{
    ptrdiff_t offset = 0;
    for (int i = image->rank - 2; i >= 0; i--) {
        offset += (ptrdiff_t)(row % (uint64_t)image->extent[i]) * image->stride[i];
        row /= (uint64_t)image->extent[i];
    }
    return offset;
}

uint64_t flt_row_count(const struct flt_image *image)
{
    uint64_t rows = 1;
    for (int i = 0; i < image->rank - 1; i++)
        rows *= (uint64_t)image->extent[i];
    return rows;
}

/* Copies count samples of size bytes; steps in bytes. */
static void copy_samples(const char *from, ptrdiff_t from_step, size_t count, size_t size, char *to,
                         ptrdiff_t to_step)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, size);
}

void flt_fill_samples(const void *packed, const struct flt_image *image)
{
    const size_t size = flt_element_bytes(image->element);
    const size_t length = image->rank ? (size_t)image->extent[image->rank - 1] : 1;
    const ptrdiff_t step = image->rank ? image->stride[image->rank - 1] : 1;
    const uint64_t rows = flt_row_count(image);
    const char *from = packed;
    for (uint64_t row = 0; row < rows; row++, from += length * size)
        copy_samples(from, (ptrdiff_t)size, length, size,
                     (char *)image->data + row_offset(image, row) * (ptrdiff_t)size,
                     step * (ptrdiff_t)size);
}

bool flt_is_packed(const struct flt_image *image)
{
    ptrdiff_t stride = 1;
    for (int i = image->rank - 1; i >= 0; i--) {
        if (image->extent[i] > 1 && image->stride[i] != stride)
            return false;
        stride *= image->extent[i];
    }
    return true;
}

static bool write_packed(const struct flt_image *image, FILE *out)
{
    size_t count = 1;
    for (int i = 0; i < image->rank; i++)
        count *= (size_t)image->extent[i];
    return fwrite(image->data, flt_element_bytes(image->element), count, out) == count;
}

void flt_pack_row(const struct flt_image *image, uint64_t row, void *packed)
{
    const size_t size = flt_element_bytes(image->element);
    const int last = image->rank - 1;
    copy_samples((const char *)image->data + row_offset(image, row) * (ptrdiff_t)size,
                 image->stride[last] * (ptrdiff_t)size, (size_t)image->extent[last], size, packed,
                 (ptrdiff_t)size);
}

/* image: of rank 1 at least, as one of rank 0 is packed. */
static enum flt_status write_rows(const struct flt_image *image, FILE *out)
{
    const size_t size = flt_element_bytes(image->element);
    const size_t length = (size_t)image->extent[image->rank - 1];
    const uint64_t rows = flt_row_count(image);
    void *const packed = malloc(length * size);
    if (!packed)
        return FLT_NO_MEMORY;
    uint64_t row = 0;
    for (; row < rows; row++) {
        flt_pack_row(image, row, packed);
        if (fwrite(packed, size, length, out) != length)
            break;
    }
    free(packed);
    return row == rows ? FLT_OK : FLT_CANNOT_WRITE;
}

enum flt_status flt_write_samples(const struct flt_image *image, FILE *out)
{
    if (flt_is_packed(image))
        return write_packed(image, out) ? FLT_OK : FLT_CANNOT_WRITE;
    return write_rows(image, out);
}
