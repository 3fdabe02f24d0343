/* Folders whose content others than this user and root cannot change. */
#ifndef FLTC_COMMAND_TRUST_H
#define FLTC_COMMAND_TRUST_H

#include "support/arena.h"

#include <stdbool.h>

/* Opens the folder where no other user can put anything else in place of what is below it: it and
 * all above belong to this user or root, and are not written by others, but for those in which
 * files stay their owners' (the sticky bit of /tmp). Links of the path are followed first. A
 * descriptor, or -1: *reason tells why, of a folder that is there; else it is NULL. */
int trust_open(struct arena *arena, const char *path, const char **reason);
/* The same of a folder in it that is this user's alone: no link, of mode 0700, to which it is set.
 * It is made where it is missing. */
int trust_open_own(struct arena *arena, int parent, const char *name, const char **reason);
/* A new folder of mode 0700 in the first of $TMPDIR, /tmp and `last` (which may be NULL) that is
 * trusted; its path, or NULL. */
const char *trust_temporary(struct arena *arena, const char *last);

#endif
