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

/* All of the files, or none: each is written beside its place first, then put there (replace.h
 * tells how links, modes and devices are met). Reports a failure. */
bool output_write(struct session *session, size_t count, const struct output_file file[]);
/* Whether the path is standard output, a device, a pipe: no file to replace, and what is written is
 * behind what was. */
bool output_is_direct(const char *path);
/* What is the same for all names of a file, also of one that is not there yet: through links, "."
 * and "..". */
const char *output_identity(struct arena *arena, const char *path);
/* Checks that no two of these are the same file. False after a message. */
bool output_check_distinct(struct session *session, size_t count, const char *const path[]);
enum { MOST_GUARDED = 8 };
/* A folder of files for a while: removed, with the files that are named, when the process is
 * interrupted. At most MOST_GUARDED files; NULL forgets it. */
void output_guard_folder(const char *folder, size_t count, const char *const file[]);
/* Removes what is half written when the process is interrupted. */
void output_guard(void);
/* The way out of exhausted memory: the same, after a line. */
void output_end(void *context);
/* Makes the folder of a path, and those above it, of that mode. */
bool output_make_folders(const char *path, unsigned mode);
/* 0, or the error that making a file in the folder of the path would meet, after the folders that
 * are missing have been made. Makes nothing. */
int output_folder_error(struct arena *arena, const char *path);

#endif
