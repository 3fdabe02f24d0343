/* Programs with schedules at random, legal or not. */
#ifndef FLTC_FUZZ_SCHEDULES_H
#define FLTC_FUZZ_SCHEDULES_H

#include "program/check.h"

/* The complete schedule of the program, put behind it, gives the same code. */
void check_round_trip(struct program_check *check, const char *program);
/* The program, whose oracle has run, with a few schedules behind it, one after the other. */
void check_schedules(struct program_check *check, const char *program, uint64_t seed);

#endif
