/* Images in memory and in files: PNG, JPEG, TIFF, PNM (PBM, PGM, PPM), PFM, NPY, CSV and raw
 * samples.
 * Limits: extents from 1 to 2^31 - 1, at most 2^40 samples. Decoded PNG, JPEG and TIFF images have
 * at most 2^36 bytes.
 * All functions are thread-safe if the threads use different images. The only shared state is the
 * names of unfinished files. */
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
    FLT_F16, /* the bits of an IEEE 754 binary16 */
};

enum { FLT_MAX_RANK = 8, FLT_AXIS_NAME = 16, FLT_UNIT_NAME = 16 };

/* Complex samples have a last axis of this name, with extent 2: real part, imaginary part. */
#define FLT_COMPLEX_AXIS "re.im"

/* An image that flt_image_create or a load makes owns its samples; free it with flt_image_destroy.
 * To save samples of your own, you may fill in a struct that points to them. */
struct flt_image {
    enum flt_element element;
    int rank;                               /* 0 (a single sample) .. FLT_MAX_RANK */
    char axis[FLT_MAX_RANK][FLT_AXIS_NAME]; /* names, slowest first: "y", "x" or "z", "y", "x" */
    int32_t extent[FLT_MAX_RANK];           /* samples along each axis */
    ptrdiff_t stride[FLT_MAX_RANK];         /* in elements; may be negative or 0; see _create */
    bool has_alpha;       /* the file says that the last channel, along axis c, is alpha */
    bool has_plain_pages; /* axis z numbers pages of a TIFF that does not say what they are */
    bool has_plain_axes;  /* the file, such as NPY, does not name its axes: a rule did */
    void *data;           /* sample 0, 0, …; flt_image_create aligns it to 64 bytes */
    /* The sample spacing along each axis and its unit (UTF-8), such as 0.5 and "µm". Spacing 0: the
     * file gives no spacing. Unit "": the file gives no unit. */
    double spacing[FLT_MAX_RANK];
    char unit[FLT_MAX_RANK][FLT_UNIT_NAME];
    /* EXIF data, beginning with its byte order; the ICC profile of the colors; the chunks of a PNG
     * that tell its colors, each as in the file but without checksum. NULL: none. The image owns
     * them, as it owns its samples. */
    void *exif, *profile, *chunks;
    size_t exif_bytes, profile_bytes, chunks_bytes;
};

/* Whether the image has complex samples: elements F32 or F64, last axis FLT_COMPLEX_AXIS. */
bool flt_image_is_complex(const struct flt_image *image);

/* Bytes per sample; 0 for a value outside the enum. */
size_t flt_element_bytes(enum flt_element element);

/* The name in the filter language: "bool", "u8", …; "?" for a value outside the enum. */
const char *flt_element_name(enum flt_element element);

/* Makes *image with packed samples that are all 0: the stride of the last axis is 1, the stride of
 * every other axis is extent * stride of the next axis. axis, extent: arrays of rank elements,
 * slowest axis first; both may be NULL if rank is 0. Returns FLT_BAD_ARGUMENT if the element or
 * rank does not exist, an extent is below 1, or a name is empty or has FLT_AXIS_NAME bytes or more;
 * FLT_TOO_LARGE for more than 2^40 samples; FLT_NO_MEMORY. On failure *image is zeroed. */
enum flt_status flt_image_create(struct flt_image *image, enum flt_element element, int rank,
                                 const char *const axis[], const int32_t extent[]);

/* Frees the samples and zeroes *image. image may be NULL or already zeroed. */
void flt_image_destroy(struct flt_image *image);

/* Copies metadata that image lacks from source. flt_image_create made image. Copied are the spacing
 * of each axis with the same name and extent; the EXIF data, if axes y and x have the same extents
 * in both; the profile and the chunks, if the number of channels is the same. Returns
 * FLT_NO_MEMORY if some of it could not be copied. */
enum flt_status flt_image_keep(struct flt_image *image, const struct flt_image *source);

/* Reads the file at path into a new *image; "-" is standard input, read to its end.
 * The first bytes determine the format; the name does not matter. Samples are in host order and
 * packed.
 * Pictures are rotated or mirrored as the EXIF orientation (PNG, JPEG) or the orientation tag
 * (TIFF) requires.
 *   PNG  u8, or u16 if it has 16 bits. Axes y, x for grey; y, x, c for others, c = 2 for grey
 *        with alpha, 3 for RGB, 4 for RGBA. Palettes are looked up; samples of 1, 2 and 4 bits are
 *        scaled to 0 .. 255; a transparent color becomes alpha. No gamma is applied. EXIF data,
 *        profile, density, and the chunks gAMA, cHRM, sRGB, cICP, mDCV and cLLI are kept if they
 *        are intact; other chunks without samples are skipped.
 *   JPEG u8. Axes y, x for grey; y, x, c with c = 3 for others; CMYK is converted to RGB. EXIF
 *        data, profile and density are kept.
 *   TIFF u8, i8, u16, i16, u32, i32, i64 (u64 as i64 if all are below 2^63), f16, f32, f64.
 *        Complex samples are read as two channels (c = 2) of f32 or f64, because the file does not
 *        distinguish them from other channels. Samples of 1 to 7 bits are scaled to 0 .. 255, of 9
 *        to 15 bits to 0 .. 65535. Axes are y, x, or y, x, c if there are several channels. Axes of
 *        pages come before them. All pages must be alike; reduced copies and masks are skipped. An
 *        ImageJ description (slowest first: t, z, c) or OME-XML says which of t, z and c the pages
 *        are; axes of extent 1 are dropped. Without a description the axis is z. A description that
 *        contradicts the pages gives FLT_CORRUPT, and an OME set of several files or images
 *        FLT_UNSUPPORTED. ImageJ files with one directory for all pages are supported. Spacing comes
 *        from the description, or else from the resolution tags if their unit is inch or centimetre.
 *        Palettes are looked up and give u8. If 0 means white, unsigned samples are inverted.
 *        Premultiplied alpha is divided out, except in signed samples. YCbCr, CMYK, CIE Lab, ICC Lab
 *        and ITU Lab (relative to D50) of 8 or 16 bits become RGB in u8. LogL and LogLuv become
 *        linear light in f32, grey or RGB. Other combinations are FLT_UNSUPPORTED, and the detail
 *        names the cure. Tags that do not describe samples are ignored.
 *   PBM  bool, true is white (the file's 0).
 *   PGM, PPM  u8 if maxval is at most 255, otherwise u16; scaled to 0 .. 255 or 0 .. 65535.
 *   PFM  f32, row 0 is the top one.
 *   NPY  any element but structures, uint64 as i64 if all are below 2^63; complex samples have the
 *        last axis FLT_COMPLEX_AXIS. Axes by rank: 1: x. 2: y, x. From 3 on: x is the last one, or c
 *        if it has 1 .. 4 places; in front of y and x come z, t, u, v, w, s.
 *   CSV  f64. A line for each row, commas between its numbers, of which the first begins with a
 *        digit, a sign or a point. Axes x for a single column, else y, x.
 * Before it allocates memory, a load compares the extents in the header with the size of the file.
 * If so few bytes cannot hold them even compressed, the result is FLT_CORRUPT. Otherwise memory is
 * written to only as samples are read. detail may be NULL. On success it is empty, or tells what of
 * the file is not in the image, such as pages behind a damaged one. On failure *image is zeroed. */
enum flt_status flt_image_load(const char *path, struct flt_image *image,
                               struct flt_detail *detail);

/* Pictures that stand one behind the other in a file or pipe, such as PNM, PFM, PNG and NPY files
 * put together. Others are one picture to the end of the file. flt_image_load refuses a file of
 * several, FLT_UNSUPPORTED. No more of a pipe is read than a picture needs. */
struct flt_image_reader;

/* Opens the file at path; "-" is standard input, read by its descriptor. Returns FLT_CANNOT_OPEN,
 * FLT_BAD_ARGUMENT or FLT_NO_MEMORY; then *reader is NULL. */
enum flt_status flt_image_open(const char *path, struct flt_image_reader **reader,
                               struct flt_detail *detail);
/* Reads the next picture, as flt_image_load does. After a failure only closing is of use. */
enum flt_status flt_image_next(struct flt_image_reader *reader, struct flt_image *image,
                               struct flt_detail *detail);
/* Whether another picture follows; waits for its first bytes. If other bytes than white space do,
 * detail tells that; else it is empty. detail may be NULL. */
bool flt_image_more(struct flt_image_reader *reader, struct flt_detail *detail);
/* How many pictures follow, which are skipped; 0 for what is no plain file. */
uint64_t flt_image_count(struct flt_image_reader *reader);
/* reader may be NULL. */
void flt_image_close(struct flt_image_reader *reader);

/* As flt_image_load, but the file is in memory: length bytes at bytes. name appears only in
 * detail. */
enum flt_status flt_image_load_bytes(const char *name, const void *bytes, size_t length,
                                     struct flt_image *image, struct flt_detail *detail);

/* The layout of a file that holds only samples, slowest axis first. */
struct flt_raw {
    enum flt_element element;
    int rank;
    char axis[FLT_MAX_RANK][FLT_AXIS_NAME];
    int32_t extent[FLT_MAX_RANK];
    bool big_endian;
    uint64_t skip; /* bytes before the first sample */
};

/* Parses a layout as the command line writes it: EXTENTS:ELEMENT[le|be][:SKIP], little endian by
 * default. EXTENTS is COLUMNSxROWS (640x480; axes y, x), COLUMNSxROWSxPLANES (512x512x100; axes
 * z, y, x), or names any axes, slowest first: y=480,x=640,c=3.
 * Returns FLT_BAD_ARGUMENT and sets detail to what is wrong. */
enum flt_status flt_raw_parse(const char *text, struct flt_raw *raw, struct flt_detail *detail);

/* Reads a file with that layout into a new *image; path "-" is standard input. The file must end
 * after the last sample. detail may be NULL. On failure *image is zeroed. */
enum flt_status flt_image_load_raw(const char *path, const struct flt_raw *raw,
                                   struct flt_image *image, struct flt_detail *detail);

/* Writes image, of any strides, in the format that the path's ending names (case is ignored):
 *   .png             u8, u16, bool (as 0 and 255); axes y, x or y, x, c with c = 1 .. 4
 *   .jpg .jpeg       u8, bool; c = 1 or 3
 *   .tif .tiff       all elements, bool as 0 and 255; axes y, x or y, x, c with any c. Axes t, z
 *                    and c before them become pages in ImageJ's order, and an ImageJ description
 *                    gives their axes and spacing. A single axis of another name becomes pages
 *                    without a description. Complex samples are two channels. Not compressed;
 *                    beyond 4 GiB it is a BigTIFF.
 *   .ome.tif .ome.tiff  as .tif, except that i64 and f16 are not supported; OME-XML replaces
 *                    ImageJ's description
 *   .pgm .ppm .pnm   u8, u16, bool; c = 1 for .pgm, 3 for .ppm, either for .pnm
 *   .pbm             bool; c = 1
 *   .pfm             f32 and f16; f64 is rounded to f32; c = 1 or 3
 *   .npy             anything
 *   .csv             anything real of up to 2 axes, as text: a line for each place along the first
 *   .raw             anything: the samples alone, little endian, slowest axis first
 * f16, f32 and f64 go into the integer formats (not .pbm) as u8: times 255, rounded to nearest,
 * ties to even, saturated; a NaN is 0. Complex samples go into TIFF, NPY and raw. Other
 * combinations are FLT_UNSUPPORTED, and the detail names the cure. "-" is standard output. The
 * format is one that loses nothing: PNM for bool, u8, u16 and PFM for f32 if c = 1 or 3, otherwise
 * NPY.
 * The save is atomic: the data goes to a temporary file with an unpredictable name in the same
 * folder, which is renamed to path once it has been closed without error. Symbolic links are
 * followed. An existing file keeps its mode and owner. If it has other hard links, or its owner
 * cannot be kept, it is overwritten in place once all data has been written. A file without write
 * permission for anyone is not replaced. A pipe or device is written to directly. Failures to
 * create, write or rename are all FLT_CANNOT_WRITE. detail may be NULL. On success it is empty, or
 * tells what of the image is not in the file, such as the gamma of a PNG in a JPEG. */
enum flt_status flt_image_save(const char *path, const struct flt_image *image,
                               struct flt_detail *detail);

struct flt_save_options {
    const char *format; /* one of the endings above without its dot, such as "png", which overrides
                         * the path's ending; NULL: use the path's ending */
    int quality;        /* of JPEG, 1 .. 100; 0 means 90. From 90 up, chroma is not subsampled */
    /* Bits per sample in the file, whatever the image's element: 8 or 16 for PNG, TIFF and PNM, 8
     * for JPEG. The full range of bool, u8 and u16, and 0 .. 1 of floats, is scaled to 0 .. 255 or
     * 0 .. 65535. 0: as listed above */
    int depth;
};

/* As flt_image_save, with options, which may be NULL. */
enum flt_status flt_image_save_as(const char *path, const struct flt_image *image,
                                  const struct flt_save_options *options,
                                  struct flt_detail *detail);

/* Whether flt_image_save_as would find a format: options->format or the ending of the path is in
 * the list above, or the path is "-". options may be NULL. */
bool flt_image_format_known(const char *path, const struct flt_save_options *options);

/* Whether flt_image_save_as can store samples of the element, in color or gray: FLT_OK,
 * FLT_UNSUPPORTED, FLT_UNKNOWN_FORMAT or FLT_NO_MEMORY. Sets detail as flt_image_save_as would.
 * Writes nothing. detail and options may be NULL. */
enum flt_status flt_image_can_save(const char *path, enum flt_element element,
                                   const struct flt_save_options *options,
                                   struct flt_detail *detail);

/* Whether the format that flt_image_save_as would choose can store the last of 2 or 4 channels as
 * an alpha channel. */
bool flt_image_takes_alpha(const char *path, const struct flt_save_options *options);

/* Whether the format that flt_image_save_as would choose can store options->depth bits per sample;
 * true if depth is 0. */
bool flt_image_takes_depth(const char *path, const struct flt_save_options *options);

/* Whether images that are saved to "-" with the options can be read again one by one. */
bool flt_image_can_follow(const struct flt_save_options *options);

enum flt_complex_form {
    FLT_COMPLEX_KEPT,    /* complex samples are saved */
    FLT_COMPLEX_SHOWN,   /* they cannot be saved, but a picture of their magnitudes can */
    FLT_COMPLEX_REFUSED, /* they cannot be saved in any form */
};

/* What the format that flt_image_save_as would choose does with complex samples;
 * FLT_COMPLEX_REFUSED if it finds none. */
enum flt_complex_form flt_image_complex_form(const char *path,
                                             const struct flt_save_options *options);

/* The endings in the list above: ".png .jpg …". */
const char *flt_image_endings(void);

/* Removes the temporary files of all that is being written, of the first 64 if there are more. For
 * a handler of SIGINT or SIGTERM that is about to end the program; it may be called in one. */
void flt_image_remove_unfinished(void);

/* The name of such a file while flt_image_save writes it, else NULL. If there are several, it is
 * that of the one begun last. */
extern const char *volatile flt_image_unfinished;

#ifdef __cplusplus
}
#endif

#endif
