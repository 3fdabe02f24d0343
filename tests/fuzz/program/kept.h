/* Programs that failed once and are run again. */
#ifndef FLTC_FUZZ_KEPT_H
#define FLTC_FUZZ_KEPT_H

#include "support/arena.h"

/* The paths of the folder's programs, by name, of at most so many; their number. Of them those of
 * the share that the environment asks for (tests/share.h). Texts that mutate_text has kept are no
 * programs. */
unsigned kept_programs(struct arena *arena, const char *folder, const char *path[], unsigned most);

#endif
