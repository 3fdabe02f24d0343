/* Conversion of samples between the type in a file and that of a filter. */
#include "command/conversion.h"

#include <math.h>
#include <stdlib.h>

size_t image_samples(const struct flt_image *image)
{
    size_t count = 1;
    for (int k = 0; k < image->rank; k++)
        count *= (size_t)image->extent[k];
    return count;
}

/* An integer of one type's range as the same fraction of another's. */
static int64_t rescaled(int64_t v, struct interval from, struct interval to)
{
    const double unit =
        ((double)v - (double)from.least) / ((double)from.greatest - (double)from.least);
    return (int64_t)llrint((double)to.least + unit * ((double)to.greatest - (double)to.least));
}

static struct value float_of_integer(int64_t v, enum scalar from, enum scalar to)
{
    const double most = (double)scalar_info[from].interval.greatest;
    return value_from_real(to, (long double)((double)v / most));
}

static struct value integer_of_float(struct value v, enum scalar from, enum scalar to)
{
    const double real = (double)value_real(from, v);
    const double most = (double)scalar_info[to].interval.greatest;
    return evaluate_convert(CONVERT_ROUND, SCALAR_F64, to, (struct value){.f64 = real * most});
}

struct value convert_sample(struct value v, enum scalar from, enum scalar to)
{
    if (from == to)
        return v;
    if (scalar_is_float(from))
        return scalar_is_float(to) ? evaluate_convert(CONVERT_EXACT, from, to, v)
                                   : integer_of_float(v, from, to);
    if (scalar_is_float(to))
        return float_of_integer(v.integer, from, to);
    return (struct value){
        .integer = rescaled(v.integer, scalar_info[from].interval, scalar_info[to].interval)};
}

/* What each sample of one or two bytes becomes, by its bits. NULL: there is not enough memory. */
static unsigned char *table_of(enum scalar from, enum scalar to)
{
    const unsigned bytes = scalar_info[from].bytes, to_bytes = scalar_info[to].bytes;
    const size_t count = (size_t)1 << 8 * bytes;
    unsigned char *table = malloc(count * to_bytes);
    for (size_t i = 0; table && i < count; i++) {
        const uint16_t wide = (uint16_t)i;
        const uint8_t narrow = (uint8_t)i;
        const struct value v =
            value_read(bytes == 1 ? (const void *)&narrow : (const void *)&wide, from);
        value_write(table + i * to_bytes, to, convert_sample(v, from, to));
    }
    return table;
}

static bool convert_by_table(const struct flt_image *image, enum scalar from, enum scalar to,
                             unsigned char *out)
{
    const size_t count = image_samples(image), bytes = scalar_info[to].bytes;
    unsigned char *table = table_of(from, to);
    const uint8_t *narrow = image->data;
    const uint16_t *wide = image->data;
    if (!table)
        return false;
    if (scalar_info[from].bytes == 1 && bytes == 4)
        for (size_t i = 0; i < count; i++)
            memcpy(out + i * 4, table + (size_t)narrow[i] * 4, 4);
    else if (scalar_info[from].bytes == 1)
        for (size_t i = 0; i < count; i++)
            memcpy(out + i * bytes, table + narrow[i] * bytes, bytes);
    else
        for (size_t i = 0; i < count; i++)
            memcpy(out + i * bytes, table + wide[i] * bytes, bytes);
    free(table);
    return true;
}

bool convert_samples(struct flt_image *image, enum scalar to)
{
    const enum scalar from = (enum scalar)image->element;
    const char *axis[FLT_MAX_RANK];
    struct flt_image result;
    if (from == to)
        return true;
    for (int k = 0; k < image->rank; k++)
        axis[k] = image->axis[k];
    if (flt_image_create(&result, (enum flt_element)to, image->rank, axis, image->extent) != FLT_OK)
        return false;
    const size_t count = image_samples(image);
    const unsigned bytes = scalar_info[from].bytes, to_bytes = scalar_info[to].bytes;
    if (bytes <= 2 && count > 4096) {
        if (!convert_by_table(image, from, to, result.data)) {
            flt_image_destroy(&result);
            return false;
        }
    } else {
        for (size_t i = 0; i < count; i++)
            value_write(
                (char *)result.data + i * to_bytes, to,
                convert_sample(value_read((char *)image->data + i * bytes, from), from, to));
    }
    result.has_alpha = image->has_alpha;
    result.has_plain_pages = image->has_plain_pages;
    result.has_plain_axes = image->has_plain_axes;
    if (flt_image_keep(&result, image) != FLT_OK) {
        flt_image_destroy(&result);
        return false;
    }
    flt_image_destroy(image);
    *image = result;
    return true;
}
