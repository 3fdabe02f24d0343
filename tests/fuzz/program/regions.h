/* A box of the results does not depend on samples outside of the regions of the inputs. */
#ifndef FLTC_FUZZ_REGIONS_H
#define FLTC_FUZZ_REGIONS_H

#include "program/check.h"

#include "flt/filter.h"

/* A run of the emitted filter on inputs that differ outside of the regions of a random box. call:
 * NAME_call. NULL, or what is wrong, in the session's permanent memory. */
const char *regions_check(int (*call)(int what, struct flt_arguments *arguments),
                          const struct program_check *check, const struct trial *trial,
                          uint64_t *random);

#endif
