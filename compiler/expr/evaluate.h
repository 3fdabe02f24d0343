/* The value of one operation, bit for bit as the language defines it. Used to fold constants and by
 * both interpreters; emitted code must agree with it. */
#ifndef FLTC_EXPR_EVALUATE_H
#define FLTC_EXPR_EVALUATE_H

#include "expr/expr.h"
#include "expr/extended.h"
#include "transform/transform.h"

union value {
    int64_t integer;        /* integers and bool */
    float f32;              /* SCALAR_F32, SCALAR_F16 */
    double f64;             /* SCALAR_F64 */
    extended_real extended; /* SCALAR_EXTENDED */
};

/* node: an operation or CONVERT; operand: the values of its operands in their own scalars. */
union value evaluate_operation(const struct expr *node, const union value operand[]);
union value evaluate_constant(const struct expr *node);
/* One step of a reduction of the scalar: accumulator ∘ term, or fma(term, factor, accumulator). */
union value evaluate_reduction_step(enum reduction operation, enum scalar scalar,
                                    union value accumulator, union value term);
union value evaluate_fused(enum scalar scalar, union value a, union value b, union value c);
union value evaluate_convert(enum conversion mode, enum scalar from, enum scalar to,
                             union value operand);

/* A float of any type as a number, exactly; and a number as a float, rounded once. */
extended_real value_real(enum scalar scalar, union value v);
union value value_from_real(enum scalar scalar, extended_real value);

/* Samples in memory. */
union value value_read(const void *memory, enum scalar scalar);
void value_write(void *memory, enum scalar scalar, union value value);
/* The same bits, all NaNs counting as equal. */
bool value_equal(enum scalar scalar, union value a, union value b);

int64_t floor_divide(int64_t a, int64_t b);    /* toward minus infinity; by zero: 0 */
int64_t floor_remainder(int64_t a, int64_t b); /* sign of b; by zero: 0 */

#endif
