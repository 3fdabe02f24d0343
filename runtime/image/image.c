/* Images in memory: the table of elements, making, freeing. */
#include "flt/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/codec.h"

static const struct {
    const char *name;
    size_t bytes;
} elements[] = {
    [FLT_BOOL] = {"bool", 1}, [FLT_U8] = {"u8", 1},   [FLT_I8] = {"i8", 1},
    [FLT_U16] = {"u16", 2},   [FLT_I16] = {"i16", 2}, [FLT_U32] = {"u32", 4},
    [FLT_I32] = {"i32", 4},   [FLT_I64] = {"i64", 8}, [FLT_F32] = {"f32", 4},
    [FLT_F64] = {"f64", 8},   [FLT_F16] = {"f16", 2},
};

static bool is_element(enum flt_element element)
{
    return (size_t)element < sizeof elements / sizeof elements[0];
}

size_t flt_element_bytes(enum flt_element element)
{
    return is_element(element) ? elements[element].bytes : 0;
}

const char *flt_element_name(enum flt_element element)
{
    return is_element(element) ? elements[element].name : "?";
}

float flt_float_of_half(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
                   fraction = half & 0x3ff;
    uint32_t bits = sign | (exponent + 112) << 23 | fraction << 13;
    float value;
    if (exponent == 31)
        bits = sign | 0x7f800000 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    if (exponent > 0)
        return value;
    value = (float)fraction * 0x1p-24F;
    return sign ? -value : value;
}

uint16_t flt_half_of_real(double value)
{
    const unsigned sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value), infinite = 65520; /* from there on it is nearer than 65504 */
    if (!(size < infinite))
        return (uint16_t)(sign | (isnan(value) ? 0x7e00 : 0x7c00));
    int exponent;
    frexp(size, &exponent);
    const int place =
        size == 0 || exponent < -13 ? -24 : exponent - 11; /* of the last of 11 bits */
    const double units = ldexp(size, -place);
    unsigned whole = (unsigned)units;
    const double rest = units - whole;
    whole += rest > 0.5 || (rest == 0.5 && whole % 2 == 1);
    return (uint16_t)(sign + ((unsigned)(place + 24) << 10) + whole); /* it may carry */
}

bool flt_count_samples(int rank, const int32_t extent[], uint64_t *count)
{
    const uint64_t most = (uint64_t)1 << 40;
    *count = 1;
    for (int axis = 0; axis < rank; axis++) {
        if (extent[axis] < 1 || *count > most / (uint64_t)extent[axis])
            return false;
        *count *= (uint64_t)extent[axis];
    }
    return true;
}

enum { ALIGNMENT = 64 };

/* Zeroed memory from an address that ALIGNMENT divides; just before it lies what free() takes.
 * calloc, because aligned_alloc and memset would touch every page of an image that is then
 * overwritten, and that a damaged file may never fill. */
static void *allocate_aligned(uint64_t bytes)
{
    const size_t extra = ALIGNMENT + sizeof(void *);
    if (bytes > SIZE_MAX / 2 - extra)
        return NULL;
    char *const whole = calloc(1, (size_t)bytes + extra);
    if (!whole)
        return NULL;
    char *const after_pointer = whole + sizeof(void *);
    char *const aligned = after_pointer + (ALIGNMENT - (uintptr_t)after_pointer % ALIGNMENT);
    memcpy(aligned - sizeof(void *), &whole, sizeof(void *));
    return aligned;
}

static void free_aligned(void *aligned)
{
    if (!aligned)
        return;
    void *whole;
    memcpy(&whole, (char *)aligned - sizeof(void *), sizeof(void *));
    free(whole);
}

static bool names_fit(int rank, const char *const axis[])
{
    for (int i = 0; i < rank; i++)
        if (!axis[i] || !axis[i][0] || strlen(axis[i]) >= FLT_AXIS_NAME)
            return false;
    return true;
}

static bool extents_positive(int rank, const int32_t extent[])
{
    for (int i = 0; i < rank; i++)
        if (extent[i] < 1)
            return false;
    return true;
}

enum flt_status flt_image_form(struct flt_image *image, enum flt_element element, int rank,
                               const char *const axis[], const int32_t extent[])
{
    if (!image)
        return FLT_BAD_ARGUMENT;
    *image = (struct flt_image){.element = FLT_BOOL};
    if (!is_element(element) || rank < 0 || rank > FLT_MAX_RANK || (rank > 0 && !(axis && extent)))
        return FLT_BAD_ARGUMENT;
    if (!names_fit(rank, axis) || !extents_positive(rank, extent))
        return FLT_BAD_ARGUMENT;
    uint64_t count;
    if (!flt_count_samples(rank, extent, &count))
        return FLT_TOO_LARGE;

    *image = (struct flt_image){.element = element, .rank = rank};
    ptrdiff_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        strcpy(image->axis[i], axis[i]);
        image->extent[i] = extent[i];
        image->stride[i] = stride;
        stride *= extent[i];
    }
    return FLT_OK;
}

enum flt_status flt_image_allocate(struct flt_image *image)
{
    uint64_t count;
    if (flt_count_samples(image->rank, image->extent, &count))
        image->data = allocate_aligned(count * elements[image->element].bytes);
    return image->data ? FLT_OK : FLT_NO_MEMORY;
}

enum flt_status flt_image_create(struct flt_image *image, enum flt_element element, int rank,
                                 const char *const axis[], const int32_t extent[])
{
    const enum flt_status status = flt_image_form(image, element, rank, axis, extent);
    if (status != FLT_OK || flt_image_allocate(image) == FLT_OK)
        return status;
    *image = (struct flt_image){.element = FLT_BOOL};
    return FLT_NO_MEMORY;
}

void flt_image_destroy(struct flt_image *image)
{
    if (!image)
        return;
    free_aligned(image->data);
    free(image->exif);
    free(image->profile);
    free(image->chunks);
    *image = (struct flt_image){.element = FLT_BOOL};
}

bool flt_image_is_complex(const struct flt_image *image)
{
    const int last = image->rank - 1;
    return last >= 0 && image->extent[last] == 2 &&
           (image->element == FLT_F32 || image->element == FLT_F64) &&
           strcmp(image->axis[last], FLT_COMPLEX_AXIS) == 0;
}
