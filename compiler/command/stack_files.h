/* Several files as one image, and one image as several files: t:frames/?.png, a word of the command
 * line, is an axis and what its files are called. */
#ifndef FLTC_COMMAND_STACK_FILES_H
#define FLTC_COMMAND_STACK_FILES_H

#include "command/command.h"
#include "flt/image.h"

/* What stands behind the axis in a word for several files; NULL: it is no such word. axis: its
 * name. */
const char *stack_word(const char *word, char axis[FLT_AXIS_NAME]);

/* The same of a word for files that are read: not where a file is called so. */
const char *stack_input(struct arena *arena, const char *word, char axis[FLT_AXIS_NAME]);

/* The files of such a word, numbers in their names in order: frame2 before frame10. Empty: there
 * are none. */
struct word_list stack_paths(struct arena *arena, const char *word);

/* Loads them, one at a time, into an image that has the axis before those of each; all are alike.
 * False after a message. */
bool stack_load(struct command_context *c, const char *word, struct flt_image *image);

/* The part of an image at a place along an axis of it, without the axis. */
struct flt_image stack_part(const struct flt_image *image, int axis, int32_t place);

#endif
