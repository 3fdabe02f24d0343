/* Alpha channels of files, which filters of grey or color do not see. */
#ifndef FLTC_COMMAND_ALPHA_H
#define FLTC_COMMAND_ALPHA_H

#include "command/pictures.h"

/* Adds to the image of a result the alpha channel that the filter did not see, if the file of the
 * result takes one; otherwise warns. If the filter saw alpha and made 2 or 4 channels, the image
 * has alpha as its file had. False after a message: out of memory. */
bool alpha_add(struct command_context *c, const struct pictures *p, bool takes_alpha,
               struct flt_image *image);

#endif
