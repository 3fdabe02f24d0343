/* The places where a program makes floats of what is none: for targets that compute with integers
 * alone, whose messages point there. */
#ifndef FLTC_FRONTEND_FLOAT_USES_H
#define FLTC_FRONTEND_FLOAT_USES_H

#include "frontend/elaborate.h"
#include "frontend/ast.h"

struct float_use {
    struct span stage;  /* the definition whose value it stands in */
    struct span span;   /* the expression */
    struct span called; /* the call in the filter itself that leads there; {0, 0}: none does */
    const char *what;   /* "sqrt() gives" */
    const char *cure;   /* for a help line */
    bool is_of_reals;   /* a function such as sqrt(): its cure replaces what it is given, too */
};

struct float_uses {
    VECTOR(struct float_use) list; /* in the order of the program, operands first */
};

/* The use to point at for a stage of the graph that is no circuit because it holds floats: in its
 * own value, or in what is put in its place before it. NULL: none is known. */
const struct float_use *float_use_of(const struct float_uses *uses, const struct graph *graph,
                                     const struct stage *stage);

#endif
