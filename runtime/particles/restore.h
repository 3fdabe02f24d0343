/* What the files that restore structures share. */
#ifndef FLT_PARTICLES_RESTORE_H
#define FLT_PARTICLES_RESTORE_H

#include "particles/internal.h"

/* Sets detail, unless it is NULL, to the sentence, and returns FLT_BAD_ARGUMENT. */
__attribute__((format(printf, 2, 3))) enum flt_status restore_fail(struct flt_detail *detail,
                                                                   const char *format, ...);

/* restore_nodes.c: the nodes above the particles of apr, which are there, in `kept`. They tell
 * whether the particles' cells tile the image, and whether cells that touch are of neighbouring
 * levels: FLT_BAD_ARGUMENT where they do not. FLT_NO_MEMORY. pool: for what is not kept. */
enum flt_status restore_nodes(struct flt_apr *apr, struct pool *kept, struct pool *pool,
                              int threads, struct flt_detail *detail);

#endif
