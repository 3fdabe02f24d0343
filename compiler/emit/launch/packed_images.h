/* Images of the host, packed into one block of memory `host` on their way to a device and back. */
#ifndef FLTC_EMIT_LAUNCH_PACKED_IMAGES_H
#define FLTC_EMIT_LAUNCH_PACKED_IMAGES_H

#include "emit/host/host.h"

/* Inputs, then outputs. */
size_t image_count(const struct emission *e);
const struct buffer *image_of(const struct emission *e, size_t i);
const char *packed_type(const struct buffer *image);

/* flt_in: as the caller's, but packed. */
void print_packed_image(struct emission *e, const struct buffer *image);
/* Where each begins in the block, flt_in_at, and where all of them end, images. */
void print_packed_places(struct emission *e);
/* Into the block, or out of it. */
void print_packed_copy(struct emission *e, const struct buffer *image);
/* Of the layout or the run: the packed images and the parameters. */
void print_packed_arguments(struct emission *e);

#endif
