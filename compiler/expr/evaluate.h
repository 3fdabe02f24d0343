/* The value of one operation, bit for bit as the language defines it. Used to fold constants and by
 * both interpreters; emitted code must agree with it. */
#ifndef FLTC_EXPR_EVALUATE_H
#define FLTC_EXPR_EVALUATE_H

#include "expr/expr.h"
#include "expr/extended.h"
#include "transform/transform.h"

/* A number and, where an interpreter computes over terms too, the term that it is a value of
 * (interpret/terms.h). */
struct value {
    union {
        int64_t integer;        /* integers and bool */
        float f32;              /* SCALAR_F32, SCALAR_F16 */
        double f64;             /* SCALAR_F64 */
        extended_real extended; /* SCALAR_EXTENDED */
    };
    const struct expr *term; /* NULL: the number is known */
};

/* node: an operation or CONVERT; operand: the values of its operands in their own scalars. */
struct value evaluate_operation(const struct expr *node, const struct value operand[]);
struct value evaluate_constant(const struct expr *node);
/* The constant of that value. */
const struct expr *expr_constant(struct expr_pool *pool, enum scalar scalar, struct value value);
/* One step of a reduction of the scalar: accumulator ∘ term, or fma(term, factor, accumulator). */
struct value evaluate_reduction_step(enum reduction operation, enum scalar scalar,
                                     struct value accumulator, struct value term);
struct value evaluate_fused(enum scalar scalar, struct value a, struct value b, struct value c);
struct value evaluate_convert(enum conversion mode, enum scalar from, enum scalar to,
                              struct value operand);

/* A float of any type as a number, exactly; and a number as a float, rounded once. */
extended_real value_real(enum scalar scalar, struct value v);
struct value value_from_real(enum scalar scalar, extended_real value);

/* Samples in memory. */
struct value value_read(const void *memory, enum scalar scalar);
void value_write(void *memory, enum scalar scalar, struct value value);
/* The same bits, all NaNs counting as equal. */
bool value_equal(enum scalar scalar, struct value a, struct value b);

int64_t floor_divide(int64_t a, int64_t b);    /* toward minus infinity; by zero: 0 */
int64_t floor_remainder(int64_t a, int64_t b); /* sign of b; by zero: 0 */

#endif
