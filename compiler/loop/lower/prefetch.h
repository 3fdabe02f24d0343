/* Prefetches of the rows that a tile reads next, or of parts of them. */
#ifndef FLTC_LOOP_LOWER_PREFETCH_H
#define FLTC_LOOP_LOWER_PREFETCH_H

#include "loop/loop.h"
#include "loop_pass.h"

/* What to prefetch: a part of later rows. */
struct prefetch_range {
    const struct expr *x, *y;       /* coordinates of the sample along its row, and across */
    const struct expr *below;       /* y of the row that needs it */
    const struct expr *first, *end; /* the x of the part */
    bool beside;                    /* while a row is stored, not before */
    const char **reason;            /* set to why no row is prefetched; NULL: nobody asks */
};

/* Makes prefetch statements for the rows in memory that samples read, to be placed before the loop
 * over a row. Hardware does not prefetch them, because the next row of a tile is not contiguous
 * with the current one. body: computes one sample. Returns the number of statements stored, at most
 * `most`. */
unsigned prefetch_rows(struct pass_context *context, const struct program *program,
                       const struct prefetch_range *range, const struct statement *body,
                       unsigned most, const struct statement *statement[]);

#endif
