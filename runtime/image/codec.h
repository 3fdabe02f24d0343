/* What load.c and save.c ask of a codec, and what they offer to it. Internal to runtime/image. */
#ifndef FLT_CODEC_H
#define FLT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "flt/image.h"

/* A whole file: in memory, or for some of the functions open. */
struct file_bytes {
    const char *name;           /* for messages */
    const unsigned char *bytes; /* NULL: they are read from the descriptor */
    size_t length;
    int descriptor;
};

/* Copies so many bytes from the place on, or those that are there; returns their number. */
size_t flt_bytes_at(const struct file_bytes *file, uint64_t at, void *to, size_t count);

/* A file being written. */
struct file_out {
    const char *name; /* for messages */
    FILE *stream;     /* only ever appended to: it may be a pipe */
    int quality;      /* of JPEG: 1 .. 100 */
};

/* Per row of formats.def:
 * flt_is_X    whether the file begins as format X does.
 * flt_load_X  makes *image; called only if flt_is_X, with an empty detail, for which it may have
 *             remarks. On failure sets detail (FLT_NO_MEMORY need not) and *image need not be
 *             valid, but owns nothing.
 * flt_measure_X  sets length to that of the first picture of the file, of which there are more
 *             bytes, or, if is_all, none; it may be beyond them. false: it takes more bytes to
 *             tell. Called as flt_load_X is.
 * flt_save_X  writes a valid image. FLT_CANNOT_WRITE leaves errno and needs no detail; any other
 *             failure sets it. What was written before a failure is the caller's to remove. */
#define READER(codec, name, parts)                                                                 \
    bool flt_is_##codec(const struct file_bytes *file);                                            \
    enum flt_status flt_load_##codec(const struct file_bytes *file, struct flt_image *image,       \
                                     struct flt_detail *detail);                                   \
    bool flt_measure_##codec(const struct file_bytes *file, bool is_all, size_t *length);
#define WRITER(ending, codec, alpha, complex, depth, place)                                        \
    enum flt_status flt_save_##codec(const struct flt_image *image, const struct file_out *out,    \
                                     struct flt_detail *detail);
#include "image/formats.def"
#undef READER
#undef WRITER

/* load.c: whether the file begins as one of a format; then where its first picture ends, as
 * flt_measure_X tells; and the picture that is all of the file. */
bool flt_is_known(const struct file_bytes *file);
bool flt_can_follow(const struct file_bytes *file); /* known, and more than a few digits */
bool flt_picture_length(const struct file_bytes *file, bool is_all, size_t *length);
enum flt_status flt_load_picture(const struct file_bytes *file, struct flt_image *image,
                                 struct flt_detail *detail);

/* reader.c: a reader of bytes that stay the caller's; all of a file as an image. */
enum flt_status flt_image_open_bytes(const char *name, const void *bytes, size_t length,
                                     struct flt_image_reader **reader, struct flt_detail *detail);
const char *flt_reader_name(const struct flt_image_reader *reader);
enum flt_status flt_read_raw(struct flt_image_reader *reader, const struct flt_raw *raw,
                             struct flt_image *image, struct flt_detail *detail);

/* The image in a file of that layout. */
enum flt_status flt_raw_image(const struct file_bytes *file, const struct flt_raw *raw,
                              struct flt_image *image, struct flt_detail *detail);

/* Returns status, having set detail (unless NULL) to the sentence. Control characters in it, which
 * file names may bring, become '?'. */
__attribute__((format(printf, 3, 4))) enum flt_status
flt_fail(enum flt_status status, struct flt_detail *detail, const char *format, ...);

/* Adds to detail (unless NULL), of a call that succeeds, what of a file is not in its image. */
__attribute__((format(printf, 2, 3))) void flt_remark(struct flt_detail *detail, const char *format,
                                                      ...);

/* The last component of a name too long for a message, else the name. */
const char *flt_short_name(const char *name);

/* The value of an f16: every one is an f32. */
float flt_float_of_half(uint16_t half);

/* The nearest f16, of two the even one, infinite from 65520 on. */
uint16_t flt_half_of_real(double value);

/* FLT_CANNOT_WRITE, or FLT_NO_MEMORY if errno says so. reason: NULL where errno tells it. */
enum flt_status flt_cannot_write(const char *path, const char *reason, struct flt_detail *detail);

/* As flt_image_create, without samples: data is NULL; then the samples, all 0. FLT_NO_MEMORY leaves
 * the image as it is. */
enum flt_status flt_image_form(struct flt_image *image, enum flt_element element, int rank,
                               const char *const axis[], const int32_t extent[]);
enum flt_status flt_image_allocate(struct flt_image *image);

/* Samples in all. false: an extent below 1, or more than 2^40 samples. */
bool flt_count_samples(int rank, const int32_t extent[], uint64_t *count);

/* Check what a header says before anything is allocated for it. extent: rank values, as it says.
 * needed: the fewest bytes that the data can take. held: the bytes the file has for them.
 * FLT_CORRUPT: extent 0; needed > held. FLT_TOO_LARGE: an extent beyond 2^31 - 1, or more than 2^40
 * samples. */
enum flt_status flt_check_extents(const char *name, int rank, const uint64_t extent[],
                                  struct flt_detail *detail);
enum flt_status flt_check_held(const char *name, int rank, const uint64_t extent[], uint64_t needed,
                               size_t held, struct flt_detail *detail);

bool flt_host_is_little(void);
/* size bytes, up to 8, as a number without sign. */
uint64_t flt_number_of(const unsigned char *bytes, size_t size, bool little);

/* Whether samples of u64 can be those of i64: none is 2^63 or more. FLT_UNSUPPORTED. */
enum flt_status flt_check_u64(const char *name, const uint64_t samples[], uint64_t count,
                              struct flt_detail *detail);

/* Makes any byte but 0 a 1, as NumPy takes any other byte for true as well. */
void flt_make_bools(unsigned char *samples, uint64_t count);

/* Reverses the bytes of each of count samples of size bytes, in place; size 1 does nothing. */
void flt_swap_bytes(void *samples, size_t count, size_t size);

/* Writes all samples in the order of the axes, in host order. FLT_CANNOT_WRITE leaves errno;
 * FLT_NO_MEMORY. flt_fill_samples takes them in that order from memory. */
enum flt_status flt_write_samples(const struct flt_image *image, FILE *out);
void flt_fill_samples(const void *packed, const struct flt_image *image);

/* Rows: lines along the last axis. Their number, and one of an image of rank 1 or more, packed;
 * rows count in the order of the other axes. */
uint64_t flt_row_count(const struct flt_image *image);
/* Whether the samples follow one another without gaps. */
bool flt_is_packed(const struct flt_image *image);
void flt_pack_row(const struct flt_image *image, uint64_t row, void *packed);

/* An image seen as what picture formats hold: y, x or y, x, c. Strides in elements. */
struct picture {
    const struct flt_image *image;
    enum flt_element element;
    size_t rows, columns, channels; /* channels 1 .. 4 */
    ptrdiff_t row_stride, column_stride, channel_stride;
    const void *data;
};

/* A length in metres; not above 0 where it is none that is known. */
double flt_metres(double length, const char *unit);

/* A copy of the image's EXIF data that is settled for the picture, the caller's to free; NULL:
 * there are none, or too many for a file. false: there is no memory. */
bool flt_picture_exif(const struct picture *picture, unsigned char **exif);

/* false, and detail set, if the image has other axes. */
bool flt_picture_of(const struct flt_image *image, const char *name, struct picture *picture,
                    struct flt_detail *detail);

/* The axes of the image in the order y, x or y, x, c, where it is a picture. */
void flt_picture_order(const struct flt_image *image, int order[3]);

/* The element in which a format of integers stores one of the image's: u8 or u16.
 * false, and detail set, if it stores none such. */
bool flt_stored_element(const struct picture *picture, const char *name, enum flt_element *stored,
                        struct flt_detail *detail);

/* The image with samples of 8 or 16 bits, packed, which is *out's to free by free(out->data). 0 and
 * the greatest of bool, u8 and u16, 0 and 1 of floats, are 0 and the greatest; nearest, of two the
 * even one, saturated; a NaN is 0. Other elements and complex samples are FLT_UNSUPPORTED, path is
 * for the message; FLT_NO_MEMORY. */
enum flt_status flt_image_of_depth(const struct flt_image *image, const char *path, int depth,
                                   struct flt_image *out, struct flt_detail *detail);

/* Whether the image can have samples of 8 or 16 bits: FLT_UNSUPPORTED as above. Then so many of its
 * samples, from one place to another; most: 255 or 65535. */
enum flt_status flt_check_depth(const struct flt_image *image, const char *path, int depth,
                                struct flt_detail *detail);
void flt_depth_samples(enum flt_element element, const void *samples, size_t count, unsigned most,
                       void *to);

/* 0 .. 1 to 0 .. most, which has 16 bits at most, nearest, ties to even, saturated; NaN is 0. Exact
 * for a value that was an f32. */
unsigned flt_integer_of_real(double value, unsigned most);

/* Turns the image, packed with axes y, x and perhaps others, as the EXIF value tells: 1 .. 8, any
 * other is 1. FLT_NO_MEMORY leaves it as it is. */
enum flt_status flt_orient(struct flt_image *image, int orientation);

/* Copies a block into the place of another one, which is freed; nothing where length is 0. false:
 * there is no memory. */
bool flt_set_block(void **block, size_t *bytes, const void *from, size_t length);

/* One of the chunks of an image, whose data have the length that the type has: gAMA, cHRM, ... */
struct color_chunk {
    const unsigned char *type, *data; /* of the image */
    uint32_t length;
};

/* Goes to the next one, at first where data is NULL. false: there is none. */
bool flt_next_chunk(const struct flt_image *image, struct color_chunk *chunk);

/* Tells which of them say something that a file without them does not. */
void flt_remark_chunks(const struct flt_image *image, const char *name, struct flt_detail *detail);

/* Makes EXIF data, in place, those of a picture of that size that is as it is shown: orientation 1,
 * its rows and columns, no thumbnail. */
void flt_exif_settle(unsigned char *bytes, size_t length, uint32_t rows, uint32_t columns);

/* The orientation in EXIF data, which begins with the byte order; 1 if there is none. */
int flt_exif_orientation(const unsigned char *bytes, size_t length);

/* Samples one after the other, as the only row of a grey picture. */
struct picture flt_row_of(enum flt_element element, const void *samples, size_t count);

/* Converts one row into packed: columns * channels samples, in host order. _integers: of the
 * element flt_stored_element tells; _floats: of a picture of floats. */
void flt_picture_row_integers(const struct picture *picture, size_t row, void *packed);
void flt_picture_row_floats(const struct picture *picture, size_t row, float *packed);

#endif
