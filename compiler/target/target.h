/* What a target has. Passes ask for facts, never which target it is. */
#ifndef FLTC_TARGET_TARGET_H
#define FLTC_TARGET_TARGET_H

#include <stdbool.h>

struct dialect;

struct target {
    const char *name;
    const char *description;
    bool is_public;         /* listed in the help */
    bool has_threads;       /* loops over cores */
    bool has_vectors;       /* loops in vector lanes */
    bool has_streams;       /* stores past the caches */
    bool has_blocks;        /* kernels are launched as a grid of blocks of threads */
    unsigned tile_bytes;    /* of fast memory for what a core computes in a tile; 0: no tiles */
    unsigned byte_cost;     /* of a byte moved to or from memory, in operations of a vector lane */
    unsigned shared_bytes;  /* memory of a block; 0: none */
    unsigned block_threads; /* most threads of a block */
    const struct dialect *dialect;
};

extern const struct target *const target_list[]; /* ends with NULL */
/* NULL where no target has the name. */
const struct target *target_find(const char *name);

#endif
