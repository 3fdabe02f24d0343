/* The name nearest to a misspelt one, for helps. */
#ifndef FLTC_DIAGNOSTICS_SUGGEST_H
#define FLTC_DIAGNOSTICS_SUGGEST_H

#include <stddef.h>

struct suggestion {
    const char *best;  /* NULL while none is near enough */
    unsigned distance; /* of best */
};

/* Keeps the candidate if it is nearer than the best so far. Near enough: an edit distance
 * (insertion, deletion, replacement, transposition) of at most a third of the name's length, at
 * least 1; differences of case alone always are. */
void suggest_consider(struct suggestion *suggestion, const char *wanted, const char *candidate);

#endif
