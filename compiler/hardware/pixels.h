/* Circuits that take several samples of a line a clock. */
#ifndef FLTC_HARDWARE_PIXELS_H
#define FLTC_HARDWARE_PIXELS_H

#include "hardware/lower.h"

enum { MOST_PIXELS = 16 };

/* Whether tokens may have so many samples of a line each; else *refusal says why not. */
bool pixels_suit(struct arena *arena, const struct circuit *circuit, unsigned pixels,
                 struct refusal *refusal);

#endif
