/* The textual form of expressions. Printed piece by piece: a graph or loop program prints its parts
 * with one printer, then puts the table of the variables that occurred on top.
 *
 *     variable x : index i32 0 .. 99          the table
 *     variable x'2 : index i32 0 .. 49
 *
 *     %1 = add(x, 1)                          used more than once below
 *     … in[y, %1] …                           a load of stage or buffer "in", of its type
 *     … in[y clamp, x zero(0) from 0 extent in.x]:u8 0 .. 9 …   with borders, and its own type
 *     … convert(round, u8, 0.5:f32) …
 *     … reduce(sum fused, [k from -1 extent 3], w[k], in[add(x, k)], where less(k, x)) …
 *     … external(f32 gain from "gain.h", f32 in[y, x], i32 3) …       the types of result and parameters */
#ifndef FLTC_EXPR_EXPR_PRINT_H
#define FLTC_EXPR_EXPR_PRINT_H

#include "expr/expr.h"
#include "expr/ir_tokens.h"

struct expr_source { /* a stage or buffer, as loads refer to it */
    const char *text;
    enum scalar scalar;
    struct interval interval;
};

struct expr_printer {
    struct text *text;
    const struct expr_source *source; /* by id; loads of other ids are printed as #7[…] */
    size_t source_count;
    /* Kept from piece to piece: */
    struct ir_names names;
    struct hash_map spelling;              /* variable → text */
    VECTOR(const struct expr *) variables; /* in the order of their first appearance */
    /* Of the piece being printed: */
    struct hash_map uses;
    VECTOR(struct expr_use *) order; /* operands first */
};

struct expr_printer expr_printer_open(struct text *text, const struct expr_source source[],
                                      size_t source_count);
/* Begins a piece: prints one line for each operation that the roots hold more than once, or that is
 * deep. Roots may be NULL. What expr_print() prints until the next piece must be below the roots.
 */
void expr_print_shared(struct expr_printer *printer, size_t count, const struct expr *const root[]);
/* Within the line; NULL is printed as "none", which cannot be read back. */
void expr_print(struct expr_printer *printer, const struct expr *node);
/* In the order in which they were made: sums are sorted by it (affine.h), and the one who reads the
 * text makes them in that order again. */
void expr_print_variables(const struct expr_printer *printer, struct text *text);

/* "u8 0 .. 9"; the interval is left out where it is all of the type's, or the type is a float's. */
void expr_print_type(struct text *text, enum scalar scalar, struct interval interval);

#endif
