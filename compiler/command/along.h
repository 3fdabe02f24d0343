/* Results that are saved as a file for each place along an axis: -o t:out/%04d.png. */
#ifndef FLTC_COMMAND_ALONG_H
#define FLTC_COMMAND_ALONG_H

#include "command/results.h"

/* Takes the axis from the word of a saving, if there is one. */
void along_take(struct arena *arena, struct saving *saving);
/* Checks that the word makes a name for each place, and finds the files that are stacked along the
 * axis, if any. False after a message. */
bool along_choose(struct command_context *c, const struct image_files files[], size_t inputs,
                  size_t runs, struct saving *saving);
/* The name of the first of the files. */
const char *along_first_name(struct command_context *c, const struct saving *saving);
/* The names of files for count places; NULL after a message. */
const char **along_names(struct command_context *c, const struct saving *saving, size_t count);

#endif
