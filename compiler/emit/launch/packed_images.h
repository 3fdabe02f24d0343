/* Copies host images to a device and back, packed into one block of memory called `host`. */
#ifndef FLTC_EMIT_LAUNCH_PACKED_IMAGES_H
#define FLTC_EMIT_LAUNCH_PACKED_IMAGES_H

#include "emit/host/host.h"

const char *packed_type(const struct buffer *image);

/* Prints flt_in: the caller's image structure, but packed. */
void print_packed_image(struct emission *e, const struct buffer *image);
/* Prints the offset of each image in the block, flt_in_at, and the end of all, images. */
void print_packed_places(struct emission *e);
/* Prints flt_from_in, where the packed samples of an input are: the caller's, or a copy in the
 * block. */
void print_packed_input(struct emission *e, const struct buffer *image);
/* Prints flt_to_out, where those of an output go. */
void print_packed_target(struct emission *e, const struct buffer *image);
/* Prints the copy from there to the caller's image, if they are not there. */
void print_packed_output(struct emission *e, const struct buffer *image);
/* The bytes of the samples. */
void print_packed_size(struct emission *e, const struct buffer *image);
/* Prints arguments for the layout or the run: the packed images and the parameters. */
void print_packed_arguments(struct emission *e);

#endif
