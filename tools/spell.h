/* Rewrites C for a language whose compiler would contract a product and a sum: each product and
 * quotient of reals becomes a call, and each definition begins with the language's word for a
 * function.
 *   before: static inline double f(double v) { return v * v + 1; }
 *   after:  static __device__ inline double f(double v) { return flt_mul_f64(v, v) + 1; } */
#ifndef FLTC_TOOLS_SPELL_H
#define FLTC_TOOLS_SPELL_H

#include "support/symbol.h"
#include "support/text.h"

enum real { NOT_REAL, REAL_F32, REAL_F64, REAL_COUNT }; /* of two operands the greater is the
                                                         * result's */

/* The words of a language. */
struct words {
    const char *function; /* definitions begin with it */
    const char *local;    /* before "const" of a table in a function */
    const char *lanes;    /* the line before loops over lanes */
    const char *memory;   /* before the type of what lies in memory of all threads */
    const char *product[REAL_COUNT], *quotient[REAL_COUNT]; /* functions; NULL: a * b, a / b */
};

/* Begin it with arena and words. It knows what the texts before have declared. */
struct speller {
    struct arena *arena;
    const struct words *words;
    struct symbol_table symbols;
    const char *at;
    struct text *out;
    struct hash_map names, members; /* symbol → its enum real, plus 1 */
    bool in_declaration;
    enum real declared;    /* its type */
    bool declares;         /* the next name is one of it */
    unsigned initialisers; /* braces open in it */
    bool in_struct;
};
struct text spell(struct speller *s, const char *text);

#endif
