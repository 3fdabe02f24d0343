/* The oracle's samples of stages given_levels and given_values. */
#ifndef FLTC_INTERPRET_INTERPRET_GIVEN_H
#define FLTC_INTERPRET_INTERPRET_GIVEN_H

#include "interpret/interpret.h"
#include "interpret/tape.h"

void interpret_given_levels(struct evaluator *evaluator, const struct stage *stage,
                            struct samples *samples);
void interpret_given_values(struct evaluator *evaluator, const struct stage *stage,
                            struct samples *samples);

#endif
