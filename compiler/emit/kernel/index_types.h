/* Which integers of a kernel fit 32 bits where images are not huge. */
#ifndef FLTC_EMIT_KERNEL_INDEX_TYPES_H
#define FLTC_EMIT_KERNEL_INDEX_TYPES_H

#include "loop/loop.h"

struct emission;

/* Of an image, or of what is computed from extents, for 32 bits: small multiples of it, and sums
 * with these, fit as well. */
#define INDEX_MOST_EXTENT (INT64_C(1) << 28)

struct index_types {
    struct arena *arena;
    struct hash_map variable; /* → the same in a narrower interval */
    struct hash_map fits;     /* nodes that do, with all integers that they are computed from */
    struct expr_rewriter rewriter;
    bool changed;  /* the range of a variable, in the round at hand */
    bool gives_up; /* nothing fits */
};

struct index_types *index_types_of(struct emission *e, const struct statement *kernel);
/* types: NULL: nothing does. */
bool index_fits(struct index_types *types, const struct expr *node);

#endif
