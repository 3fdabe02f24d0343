/* Circuits that take several samples of a line per clock. */
#ifndef FLTC_HARDWARE_PIXELS_H
#define FLTC_HARDWARE_PIXELS_H

#include "hardware/lower.h"

enum { MOST_PIXELS = 16 };

/* Whether each token may have `pixels` samples of a line; else *refusal says why not. */
bool pixels_suit(struct arena *arena, const struct circuit *circuit, unsigned pixels,
                 struct refusal *refusal);

#endif
