/* Recurrences on the whole line, by definition: along the line, from rest far outside the box. */
#ifndef FLTC_INTERPRET_INTERPRET_LINES_H
#define FLTC_INTERPRET_INTERPRET_LINES_H

#include "interpret/interpret.h"

/* Places of a line beyond its box, on each side. What is further out counts as 0. */
enum { FAR_OUTSIDE = 1 << 13 };

struct whole_lines {
    struct arena *arena;
    struct hash_map known; /* (stage, coordinates along other axes) → struct whole_line */
};

/* The sample of an unbounded recurrence at the index, in its box or not. first, extent: of its box
 * along its axis. The line of the index is computed when it is first asked for: compute gives the
 * sample at an index, and asks for those before it. */
struct value whole_lines_sample(struct whole_lines *lines, const struct stage *stage, int64_t first,
                                int64_t extent, const int64_t index[],
                                struct value (*compute)(const struct stage *stage,
                                                        const int64_t index[], void *context),
                                void *context);

#endif
