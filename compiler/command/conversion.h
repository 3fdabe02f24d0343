/* Samples of one type as another, as files and filters meet. */
#ifndef FLTC_COMMAND_CONVERSION_H
#define FLTC_COMMAND_CONVERSION_H

#include "expr/evaluate.h"
#include "flt/image.h"

/* enum flt_element and enum scalar list the same types in the same order. */
_Static_assert((int)FLT_BOOL == (int)SCALAR_BOOL && (int)FLT_F16 == (int)SCALAR_F16,
               "element types of runtime and compiler");

/* 0 .. greatest of an integer type is 0 .. 1 of a float, both ways, rounded to nearest even and
 * saturated, NaN giving 0; between integer types the least and the greatest correspond. A bool is 0
 * or the greatest. */
struct value convert_sample(struct value value, enum scalar from, enum scalar to);

/* All samples of an image; it has no strides of its own. False: there is not enough memory. */
bool convert_samples(struct flt_image *image, enum scalar to);

size_t image_samples(const struct flt_image *image);

#endif
