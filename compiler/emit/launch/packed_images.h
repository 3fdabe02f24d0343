/* Copies host images to a device and back, packed into one block of memory called `host`. */
#ifndef FLTC_EMIT_LAUNCH_PACKED_IMAGES_H
#define FLTC_EMIT_LAUNCH_PACKED_IMAGES_H

#include "emit/host/host.h"

const char *packed_type(const struct buffer *image);

/* Prints flt_in: the caller's image structure, but packed. */
void print_packed_image(struct emission *e, const struct buffer *image);
/* Prints the offset of each image in the block, flt_in_at, and the end of all, images. */
void print_packed_places(struct emission *e);
/* Prints flt_from_in, where the samples of an input are that a device copies: the caller's, or a
 * packed copy in the block; and for an image of rows flt_pitch_of_in, the bytes from one to the
 * next, or 0 where they are packed. */
void print_packed_input(struct emission *e, const struct buffer *image);
/* Prints flt_to_out, where those of an output go, and its pitch if it is the only one. */
void print_packed_target(struct emission *e, const struct buffer *image);
/* Prints the copy from there to the caller's image, if they are not there. */
void print_packed_output(struct emission *e, const struct buffer *image);
/* Whether an image has rows, and so may have a pitch. */
bool packed_has_pitch(const struct buffer *image);
/* The bytes of a row, and how many there are. */
void print_packed_rows(struct emission *e, const struct buffer *image, const char *between);
/* The bytes of the samples. */
void print_packed_size(struct emission *e, const struct buffer *image);
/* Prints arguments for the layout or the run: the packed images and the parameters. */
void print_packed_arguments(struct emission *e);

#endif
