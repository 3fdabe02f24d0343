/* Medians: terms are put in order by a network of exchanges. */
#ifndef FLTC_LOOP_LOWER_LOWER_MEDIAN_H
#define FLTC_LOOP_LOWER_LOWER_MEDIAN_H

#include "loop_pass.h"

struct median {
    struct pass_context *context;
    struct program *out;
    const struct expr *reduce; /* of the operation median */
    const struct symbol *name; /* of what is made for it */
    struct span span;
    const struct expr *condition;   /* of a term, or NULL */
    const struct span_bound *bound; /* of each range */
};

/* The statements that compute it, of which terms may hold other reductions; returns a read of the
 * result. */
const struct expr *lower_median(const struct median *m, size_t *count,
                                const struct statement ***before);

#endif
