/* Files of adaptive images, .apr, as images of pixels: what their particles have, and their
 * levels. */
#ifndef FLTC_COMMAND_ADAPTIVE_FILES_H
#define FLTC_COMMAND_ADAPTIVE_FILES_H

#include "command/command.h"
#include "flt/image.h"

/* By its ending. */
bool adaptive_is_file(const char *path);
/* Of each pixel what its particle has, or its level (u8); axes z, y, x, the last ones where the
 * first extents are 1. False after a message. */
bool adaptive_load(struct command_context *c, const char *path, bool levels,
                   struct flt_image *image);
/* The image under other axes: extents of 1 in front come and go. False: the others do not fit. */
bool adaptive_fit(struct flt_image *image, unsigned rank, const char *const axis[]);
/* Of each particle the sample where its cell begins; level: as adaptive_load gives it, of the same
 * extents. False after a message. */
bool adaptive_save(struct command_context *c, const char *path, const struct flt_image *pixel,
                   const struct flt_image *level);

#endif
