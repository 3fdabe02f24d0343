/* What to propose for a number that is not one. */
#ifndef FLTC_FRONTEND_NUMBER_HELP_H
#define FLTC_FRONTEND_NUMBER_HELP_H

#include "support/arena.h"

#include <stdbool.h>

enum number_slip { NUMBER_ENDS_WITH_POINT, NUMBER_HAS_ENDING, NUMBER_RUNS_INTO_NAME };

/* The text that was likely meant by `written`, which begins with digits or a point and is no number
 * of the language: "2." is "2.0", "0.5f" is "0.5", "2x" is "2 * x". *slip: what is wrong with it.
 * NULL: nothing comes to mind. The text lies in the arena. */
const char *number_meant(struct arena *arena, const char *written, enum number_slip *slip);

#endif
