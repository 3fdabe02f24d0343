/* What loading promises of any bytes: a sound image or a refusal in one line, in little memory.
 * Each check returns whether that holds, and says on standard error what does not; *loaded counts
 * the files that load. */
#ifndef CHECK_FILES_H
#define CHECK_FILES_H

#include <stdbool.h>
#include <stddef.h>

bool check_image(const unsigned char *bytes, size_t length, size_t *loaded);
/* Files of pictures one behind the other, up to one that is refused. */
bool check_chain(const unsigned char *bytes, size_t length);
/* A file of an adaptive image, of which pixels are made. */
bool check_particles(const unsigned char *bytes, size_t length, size_t *loaded);

#endif
