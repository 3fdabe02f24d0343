/* Files that a later command takes up again, in $XDG_CACHE_HOME/fltc or ~/.cache/fltc. Deleting the
 * folder is always safe: what is missing or damaged is made anew. What is kept is run, so the
 * folder is this user's alone (trust.h), or is not used. */
#ifndef FLTC_COMMAND_CACHE_H
#define FLTC_COMMAND_CACHE_H

#include "session.h"
#include "support/text.h"

#include <stdbool.h>

struct cache {
    const char *path;
    int folder; /* -1: there is none */
};

/* Where the folder is not to be trusted, a warning says so, once. */
struct cache cache_open(struct session *session);
void cache_close(struct cache *cache);
/* What of the processor -march=native goes by. */
const char *cache_processor(struct arena *arena);

/* What was kept under that name. False: nothing, or it is damaged, or not this user's. */
bool cache_take(const struct cache *cache, const char *name, struct text *content);
/* By a rename, so that another process never sees half of it. Where that fails it is not kept. */
void cache_keep(struct arena *arena, const struct cache *cache, const char *name,
                const struct text *content);

#endif
