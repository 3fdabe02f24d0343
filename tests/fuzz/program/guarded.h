/* Images of callers: any strides, in memory that ends or begins at a page that cannot be
 * touched. */
#ifndef FLTC_FUZZ_GUARDED_H
#define FLTC_FUZZ_GUARDED_H

#include "interpret/interpret.h"

struct guarded {
    unsigned char *first; /* the sample of index 0, 0 … */
    int32_t extent[GRAPH_MAX_RANK];
    ptrdiff_t stride[GRAPH_MAX_RANK]; /* in samples */
    unsigned rank, bytes;
    void *pages;
    size_t length;         /* of the pages, guards included */
    unsigned char *usable; /* between the guards */
    size_t usable_length;
};

/* Random strides for the samples: padding, steps, turned axes. False without memory. */
bool guarded_make(struct guarded *image, const struct samples *samples, uint64_t *random);
void guarded_free(struct guarded *image);
/* The samples go in, and the memory becomes read-only. */
void guarded_fill(struct guarded *image, const struct samples *samples);
/* What is in the image as samples again; all other bytes must be as guarded_make left them. NULL,
 * or a sentence. */
const char *guarded_take(const struct guarded *image, struct samples *samples);

#endif
