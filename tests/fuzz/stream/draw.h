/* Seed → the text of a random program of integers, most of which can stream, and a size. */
#ifndef FLTC_FUZZ_DRAW_H
#define FLTC_FUZZ_DRAW_H

#include "support/arena.h"

#include <stdint.h>

/* What names of images begin with that are tables, which are written before the frames. */
#define WRITTEN_TABLE "lut"

/* size: MOST_SIZE characters, as --size takes it. The last filter of the text is the one to
 * compile. */
const char *draw_program(struct arena *arena, uint64_t seed, char size[]);

#endif
