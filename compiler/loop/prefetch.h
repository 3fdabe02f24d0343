/* Rows that a tile reads next. */
#ifndef FLTC_LOOP_PREFETCH_H
#define FLTC_LOOP_PREFETCH_H

#include "loop/loop.h"
#include "pass.h"

/* Statements that ask for what the samples of the stage read of rows in memory one row further on, to stand before the
 * loop over a row. The part of a row that a tile takes ends where the one below it does not begin, so that processors do
 * not foresee it. body: computes one sample. first, end: of the part of the row. Returns how many were written to
 * statement[], at most `most`. */
unsigned prefetch_rows(struct pass_context *context, const struct program *program,
                       const struct stage *stage, const struct statement *body,
                       const struct expr *first, const struct expr *end, unsigned most,
                       const struct statement *statement[]);

#endif
