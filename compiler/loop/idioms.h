/* Loops that emitted code computes by a function. Each has a level of its own, which the pass
 * select_idioms sets. */
#ifndef FLTC_LOOP_IDIOMS_H
#define FLTC_LOOP_IDIOMS_H

#include "loop/loop.h"

/* A `turned` loop, with what it copies. */
struct transposition {
    const struct statement *rows, *columns, *inner; /* loops */
    const struct buffer *from, *to;
    const struct expr *from_index[GRAPH_MAX_RANK], *to_index[GRAPH_MAX_RANK]; /* of the corner */
};
/* Take a loop apart; false: it is no such loop. Other passes may make more of a `turned` loop than
 * a copy. */
bool transposition_of(const struct program *program, struct expr_pool *pool, struct arena *arena,
                      const struct statement *loop, struct transposition *t);

/* A `looked_up` loop, of bytes in a table of 256 entries:
 *     for (x = 0; x < in_x; x++)
 *         out[x] = curve[in[x]]; */
struct lookup {
    const struct buffer *to;
    const struct expr *const *to_index;
    const struct expr *table, *from; /* loads: table[from] */
};
bool lookup_of(const struct program *program, struct arena *scratch, const struct statement *loop,
               struct lookup *lookup);

#endif
