/* Images in files by place: a part of an image is read from a file, or written to one, and neither
 * the file nor the image has to be in memory. A part is a box of the image: along each axis the
 * samples from `first` up to `end`, which is not in it.
 *   by place are read     NPY, PFM, PGM and PPM (not as text), TIFF and raw samples
 *   by place are written  the same
 * Only plain files are: a pipe and a device are not. A file of several pictures, one behind the
 * other, is not read by place; a TIFF is not if its colors are converted or its orientation tag
 * turns it. All functions are thread-safe if the threads use different objects. */
#ifndef FLT_IMAGE_PARTS_H
#define FLT_IMAGE_PARTS_H

#include "flt/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading ---- */

/* A file that is open. */
struct flt_parts_in;

/* Opens the file at path; raw: the layout of a file of samples alone, or NULL. Reads and checks all
 * but the samples. Returns FLT_UNSUPPORTED, with an empty detail, if the file cannot be read by
 * place: flt_image_load may read it. Other failures are those of flt_image_load: FLT_CANNOT_OPEN,
 * FLT_CORRUPT, FLT_TOO_LARGE, FLT_NO_MEMORY, ... ; then *in is NULL. detail may be NULL. On success
 * it is empty, or tells what of the file is not in the image. */
enum flt_status flt_parts_open(const char *path, const struct flt_raw *raw,
                               struct flt_parts_in **in, struct flt_detail *detail);

/* Makes *image as flt_image_load would, but without samples: data is NULL. The caller frees it with
 * flt_image_destroy. FLT_NO_MEMORY; then *image is zeroed. */
enum flt_status flt_parts_image(const struct flt_parts_in *in, struct flt_image *image);

/* Bytes of memory that reading takes beside the part itself: a decoded strip or tile. */
size_t flt_parts_memory(const struct flt_parts_in *in);

/* Reads a part into a new *part, packed, its extents end - first. first, end: rank values each,
 * 0 <= first < end <= extent, else FLT_BAD_ARGUMENT. Has the same samples, axes, alpha and spacing
 * as flt_image_load, but no EXIF data and profile. FLT_CORRUPT if the file ends early or is
 * damaged, FLT_CANNOT_READ, FLT_NO_MEMORY, and FLT_UNSUPPORTED for an integer of 2^63 or more. On
 * failure *part is zeroed. detail may be NULL. */
enum flt_status flt_parts_read(struct flt_parts_in *in, const int32_t first[], const int32_t end[],
                               struct flt_image *part, struct flt_detail *detail);

/* in may be NULL. */
void flt_parts_close(struct flt_parts_in *in);

/* ---- Writing ---- */

/* A file that is being written. */
struct flt_parts_out;

/* Whether the format that flt_image_save_as would choose for the path can be written by place, and
 * the path is that of a plain file. */
bool flt_parts_can_create(const char *path, const struct flt_save_options *options);

/* Creates the file of an image of such axes, extents, element and metadata, whose data and strides
 * do not matter. The file has the bytes that flt_image_save_as would write. It is at path when
 * flt_parts_finish has returned FLT_OK, and under another name until then (flt_image.h tells how
 * files are replaced). Returns what flt_image_save_as would, and FLT_UNSUPPORTED also if
 * flt_parts_can_create does not hold; then *out is NULL. options and detail may be NULL. On success
 * detail is empty, or tells what of the image is not in the file. */
enum flt_status flt_parts_create(const char *path, const struct flt_image *image,
                                 const struct flt_save_options *options, struct flt_parts_out **out,
                                 struct flt_detail *detail);

/* Writes a part, of any strides, whose first sample is that at first, rank values, of the image.
 * Parts may come in any order. FLT_BAD_ARGUMENT if it is not inside the image, or has another
 * element or rank; FLT_CANNOT_WRITE, FLT_NO_MEMORY. detail may be NULL. */
enum flt_status flt_parts_write(struct flt_parts_out *out, const int32_t first[],
                                const struct flt_image *part, struct flt_detail *detail);

/* Puts the file into its place and frees *out, also after a failure: FLT_CANNOT_WRITE. Samples that
 * were never written are 0. */
enum flt_status flt_parts_finish(struct flt_parts_out *out, struct flt_detail *detail);

/* Removes what is written and frees *out, which may be NULL. */
void flt_parts_discard(struct flt_parts_out *out);

#ifdef __cplusplus
}
#endif

#endif
