/* Files that a later command takes up again, in $XDG_CACHE_HOME/fltc or ~/.cache/fltc. Deleting the folder is always safe:
 * what is missing or damaged is made anew. */
#ifndef FLTC_COMMAND_CACHE_H
#define FLTC_COMMAND_CACHE_H

#include "support/text.h"

#include <stdbool.h>
#include <stdint.h>

/* NULL: there is none. */
const char *cache_folder(struct arena *arena);
/* What of the processor -march=native goes by. */
const char *cache_processor(struct arena *arena);

/* What was kept there. False: nothing, or it is damaged. */
bool cache_take(const char *path, struct text *content);
/* By a rename, so that another process never sees half of it. Where that fails it is not kept. */
void cache_keep(struct arena *arena, const char *path, const struct text *content);
bool cache_read_file(const char *path, struct text *content);

#endif
