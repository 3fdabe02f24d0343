/* fltc fit: formats of fixed point that are as exact as is asked for, with few bits. */
#ifndef FLTC_COMMAND_FIT_H
#define FLTC_COMMAND_FIT_H

#include "command/compare.h"

/* A declaration whose type of fixed point may change: of a stage, a constant, a constant array, its
 * I and F written as numbers. */
struct fit_declaration {
    const struct ast *type;
    const struct symbol *name;
    int whole, fraction;           /* as written */
    struct fixed_format *proposed; /* among those of the command */
};

struct fit {
    struct execution *x;    /* the program as it is, on the images */
    struct execution *real; /* the same over real numbers */
    double wanted;          /* decibels */
    VECTOR(struct fit_declaration) declarations;
    double written, reached; /* decibels of the program as it is, and with what is proposed */
    double uniform;          /* of what comes nearest, if nothing reaches what is wanted */
};

/* Searches; the images of x are loaded. False after a message: nothing can be changed, or what is
 * wanted is not reached. */
bool fit_search(struct fit *fit);

#endif
