/* A stage that transforms lines, for the oracle. */
#ifndef FLTC_INTERPRET_INTERPRET_TRANSFORM_H
#define FLTC_INTERPRET_INTERPRET_TRANSFORM_H

#include "interpret/interpret.h"

/* The samples of the stage, whose box is there: by the sums of the definition in long double,
 * rounded once; or, as emitted, by the text that emitted code carries, with the same neighbours in
 * a panel, so to the same bits. NULL, or why not: there is not enough memory. */
const char *interpret_transform(struct evaluator *evaluator, const struct stage *stage,
                                bool as_emitted, struct samples *samples);

#endif
