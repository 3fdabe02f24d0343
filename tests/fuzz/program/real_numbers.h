/* Whether samples are as near to those over real numbers as fltc claims. */
#ifndef FLTC_FUZZ_REAL_NUMBERS_H
#define FLTC_FUZZ_REAL_NUMBERS_H

#include "program/check.h"

/* The text of the program whose graph and trials are there. */
void check_real_numbers(struct program_check *check, const char *text);

#endif
