/* Files that fltc writes: whole, or not there at all. */
#ifndef FLTC_COMMAND_OUTPUT_H
#define FLTC_COMMAND_OUTPUT_H

#include "session.h"

#include <stdbool.h>
#include <stddef.h>

struct output_file {
    const char *path; /* "-": standard output */
    const char *text;
    size_t length;
};

/* All of the files, or none: each is written beside its place first, then renamed. Reports a failure. */
bool output_write(struct session *session, size_t count, const struct output_file file[]);
/* A folder of files for a while: removed, with the files that are named, when the process is
 * interrupted. At most 4 files; NULL forgets it. */
void output_guard_folder(const char *folder, size_t count, const char *const file[]);
/* Removes what is half written when the process is interrupted or runs out of memory. */
void output_guard(void);
/* Makes the folder of a path, and those above it. */
bool output_make_folders(const char *path);

#endif
