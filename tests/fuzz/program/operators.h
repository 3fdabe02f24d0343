/* Typed expressions, put together without choices about what to read. */
#ifndef FLTC_FUZZ_OPERATORS_H
#define FLTC_FUZZ_OPERATORS_H

#include "program/generator.h"

struct typed typed_float(const struct ast *ast, enum scalar scalar);
struct typed typed_truth(const struct ast *ast);
enum scalar any_integer(struct generator *g);
/* What is done with an f16 is f32. */
struct typed as_computed(struct typed a);
/* A function that keeps its argument's type. */
struct typed call1(struct generator *g, const char *name, struct typed a);
/* u8(a); trunc<u8>(a), wrap<u8>(a) */
struct typed convert(struct generator *g, enum scalar scalar, struct typed a);
struct typed cut(struct generator *g, enum ast_conversion_mode mode, enum scalar scalar,
                 struct typed a);
/* abs(a), -a, sqrt(a); min or max of two; clamp; select. Integers are narrowed where they have to
 * be. */
struct typed absolute(struct generator *g, struct typed a);
/* Of an integer. */
struct typed fast_length(struct generator *g, struct typed a);
struct typed negative(struct generator *g, struct typed a);
struct typed square_root(struct generator *g, struct typed a);
/* A function of one number or two whose value is real. */
struct typed real_function(struct generator *g, const char *name, unsigned count,
                           const struct typed argument[]);
/* min, max, lesser or greater. */
const char *any_extremum(struct generator *g);
struct typed either(struct generator *g, const char *name, struct typed a, struct typed b);
struct typed clamped(struct generator *g, struct typed v, struct typed low, struct typed high);
struct typed chosen(struct generator *g, struct typed condition, struct typed a, struct typed b);
/* The interval of an operation; false where it leaves 64 bits. */
bool integer_interval(enum expr_kind kind, struct typed a, struct typed b, struct interval *result);

#endif
