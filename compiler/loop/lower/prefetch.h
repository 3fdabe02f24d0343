/* Rows that a tile reads next, or parts of them. */
#ifndef FLTC_LOOP_LOWER_PREFETCH_H
#define FLTC_LOOP_LOWER_PREFETCH_H

#include "loop/loop.h"
#include "loop_pass.h"

/* What to ask for: a part of rows further on. */
struct prefetch_range {
    const struct expr *x, *y;       /* coordinates of the sample along its row, and across */
    const struct expr *below;       /* y of the row for which that is read */
    const struct expr *first, *end; /* the x of the part */
    bool beside;                    /* while a row is stored, not before */
};

/* Statements that ask for what samples read of rows in memory, to stand before the loop over a row.
 * The part of a row that a tile takes ends where the one below it does not begin, so that
 * processors do not foresee it. body: computes one sample. Returns how many were written to
 * statement[], at most `most`. */
unsigned prefetch_rows(struct pass_context *context, const struct program *program,
                       const struct prefetch_range *range, const struct statement *body,
                       unsigned most, const struct statement *statement[]);

#endif
