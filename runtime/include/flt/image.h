/* Images in memory, and in files: PNG, PNM (PBM, PGM, PPM), PFM and NPY.
 * Limits: extents 1 .. 2^31 - 1, at most 2^40 samples; a PNG at most 2^36 bytes when decoded.
 * Every function may be called from several threads at once on different images; see
 * flt_image_unfinished for the one thing that threads share. */
#ifndef FLT_IMAGE_H
#define FLT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flt/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum flt_element {
    FLT_BOOL, /* one byte, 0 or 1 */
    FLT_U8,
    FLT_I8,
    FLT_U16,
    FLT_I16,
    FLT_U32,
    FLT_I32,
    FLT_I64,
    FLT_F32,
    FLT_F64,
};

enum { FLT_MAX_RANK = 8, FLT_AXIS_NAME = 16 };

/* Owns its samples when made by flt_image_create or a load: free it by flt_image_destroy alone.
 * A caller may also fill one in over samples of its own, to save them. */
struct flt_image {
    enum flt_element element;
    int rank;                               /* 0 (one sample) .. FLT_MAX_RANK */
    char axis[FLT_MAX_RANK][FLT_AXIS_NAME]; /* names, slowest first: "y", "x" or "z", "y", "x" */
    int32_t extent[FLT_MAX_RANK];           /* samples along each axis */
    ptrdiff_t stride[FLT_MAX_RANK];         /* in elements; may be negative or 0; see _create */
    void *data;                             /* sample 0, 0, …; from _create aligned to 64 bytes */
};

/* One sentence for a person on what failed, "sky.png is cut off: row 120 of 512 is missing",
 * without a newline or a final full stop. Set by a call that fails, left alone by one that
 * succeeds. */
struct flt_detail {
    char text[256];
};

/* Bytes of one sample; 0 for a value outside the enum. */
size_t flt_element_bytes(enum flt_element element);

/* "bool", "u8", … as the filter language writes it; "?" for a value outside the enum. */
const char *flt_element_name(enum flt_element element);

/* Makes *image with all samples 0, packed: the stride of the last axis is 1, that of each other
 * axis is extent * stride of the next.
 * axis, extent: rank of each, slowest first; both may be NULL for rank 0.
 * FLT_BAD_ARGUMENT: no such element or rank, an extent below 1, a name empty or of FLT_AXIS_NAME
 * bytes or more. FLT_TOO_LARGE: more than 2^40 samples. FLT_NO_MEMORY.
 * On failure *image is zeroed. */
enum flt_status flt_image_create(struct flt_image *image, enum flt_element element, int rank,
                                 const char *const axis[], const int32_t extent[]);

/* Frees the samples and zeroes *image, which may be NULL or zeroed already. */
void flt_image_destroy(struct flt_image *image);

/* Reads the file at path into a new *image; "-" is standard input, read to its end.
 * The format is told by the first bytes, whatever the name. Samples are in host order, packed.
 *   PNG  u8, or u16 where it has 16 bits. Axes y, x for grey; y, x, c for others, c = 2 for grey
 *        with alpha, 3 for RGB, 4 for RGBA. Palettes are looked up; 1, 2 and 4 bits are stretched
 *        to 0 .. 255; a transparent color becomes alpha. No gamma is applied.
 *   PBM  bool, true is white (the file's 0).
 *   PGM, PPM  u8 for a maximum up to 255, else u16; stretched to 0 .. 255 or 0 .. 65535.
 *   PFM  f32, row 0 is the top one.
 *   NPY  any element but uint64, float16, complex and structures; axes by rank: x; y, x; y, x, c if
 *        the last extent is 1 .. 4, else z, y, x; z, y, x, c; and t, u, v, w before those.
 * detail may be NULL. On failure *image is zeroed. */
enum flt_status flt_image_load(const char *path, struct flt_image *image,
                               struct flt_detail *detail);

/* The same from a file's length bytes in memory; name is used in detail only. */
enum flt_status flt_image_load_bytes(const char *name, const void *bytes, size_t length,
                                     struct flt_image *image, struct flt_detail *detail);

/* Writes image, of any strides, in the format that the path's ending names (case is ignored):
 *   .png             u8, u16, bool (as 0 and 255); axes y, x or y, x, c with c = 1 .. 4
 *   .pgm .ppm .pnm   the same elements; c = 1, c = 3, either
 *   .pbm             bool of c = 1
 *   .pfm             f32, or f64 rounded to it; c = 1 or 3
 *   .npy             anything
 * f32 and f64 go into the integer formats (not .pbm) as u8: times 255, rounded to nearest, ties to
 * even, saturated; a NaN is 0. Other combinations are FLT_UNSUPPORTED, the detail names the cure.
 * "-" is standard output, in a format chosen by what is lossless: PNM for bool, u8, u16 and PFM for
 * f32 if c = 1 or 3, NPY for all else.
 * The file appears at path whole or not at all: it is written beside it under another name, and
 * renamed when closing it succeeded. (Where path is a pipe or device, it is written to directly.)
 * Failures to create, write or rename are all FLT_CANNOT_WRITE. detail may be NULL. */
enum flt_status flt_image_save(const char *path, const struct flt_image *image,
                               struct flt_detail *detail);

/* Whether flt_image_save would find a format for path: its ending is in the list above, or it is
 * "-". */
bool flt_image_format_known(const char *path);

/* The name of the temporary file while flt_image_save is writing it, else NULL, for a handler of
 * SIGINT or SIGTERM that is about to end the program:
 *     const char *name = flt_image_unfinished;   if (name) unlink(name);
 * It holds one name: of saves that run at the same time in several threads, the last begun. */
extern const char *volatile flt_image_unfinished;

#ifdef __cplusplus
}
#endif

#endif
