/* Fixed point: fixed<I, F> and ufixed<I, F>. Numbers are integers times 2^-F, so a fixed-point
 * operand is an integer expression and a fraction, and what goes on behind elaboration is
 * arithmetic of integers. Types convert what is stored under their modes (fixed_modes.def). */
#ifndef FLTC_FRONTEND_FIXED_H
#define FLTC_FRONTEND_FIXED_H

#include "graph/graph.h"

enum fixed_rounding {
#define ROUNDING(name, word) ROUNDING_##name,
#define OVERFLOWING(name, word)
#include "frontend/fixed_modes.def"
#undef ROUNDING
#undef OVERFLOWING
    ROUNDING_COUNT
};
enum fixed_overflow {
#define ROUNDING(name, word)
#define OVERFLOWING(name, word) OVERFLOW_##name,
#include "frontend/fixed_modes.def"
#undef ROUNDING
#undef OVERFLOWING
    OVERFLOW_COUNT
};

enum { FIXED_MOST_BITS = 63, FIXED_MOST_FRACTION = GRAPH_MOST_FRACTION };

/* I is bits - fraction. */
struct fixed_type {
    bool is; /* false: it is another type */
    bool has_sign;
    int bits;     /* 1 .. FIXED_MOST_BITS, the sign counted */
    int fraction; /* -FIXED_MOST_FRACTION .. FIXED_MOST_FRACTION */
    enum fixed_rounding rounding;
    enum fixed_overflow overflow;
};

#endif
