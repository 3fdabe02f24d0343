/* What functions of all particles share, whatever the processor: see each.c. */
#ifndef FLT_PARTICLES_EACH_H
#define FLT_PARTICLES_EACH_H

#include "particles/internal.h"

/* What is computed. */
struct work {
    const struct flt_apr *apr;
    const float *value, *node;
    float *out;
    const struct flt_apr_windows *windows;
    flt_apr_line *line;
    const void *context;
    int shape;            /* of tiles */
    int64_t block[2];     /* rows that are computed together: planes, rows of each */
    int64_t cells;        /* of a row that are computed together */
    int64_t left, pitch;  /* of a row of samples: those before the first cell, all of them */
    int64_t most_rows[2]; /* of the windows of a block, by axis */
};

/* The memory of a thread. */
struct bench {
    float *samples;    /* rows of the block and around it */
    float *zeros;      /* a row that is outside */
    float *sums;       /* of two lines */
    const float **row; /* of the windows of a block */
    uint8_t *needed;   /* of these */
    uint8_t *filled;   /* of the rows of samples */
    int32_t *place[2]; /* by axis: where rows of windows are in the grid */
};

/* Rows of samples that are laid out together. */
struct group {
    float *row[4]; /* at cell 0 */
    int64_t r[4];  /* rows of the grid */
    int count;
};

/* Computes a tile. */
typedef void do_tile(const struct work *work, const struct bench *bench,
                     const struct flt_apr_tile *tile);
/* The one for this processor. */
do_tile *tile_function(void);

#endif
