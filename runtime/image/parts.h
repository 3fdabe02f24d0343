/* Images in files by place: what the codecs tell parts_in.c and parts_out.c of where samples are.
 * Internal to runtime/image. */
#ifndef FLT_PARTS_H
#define FLT_PARTS_H

#include "flt/image_parts.h"
#include "image/codec.h"
#include "replace.h"

/* Where the samples of an image are in its file: sample i, k, … begins at byte start + i * step[0]
 * + k * step[1] + …. From axis `packed` on they follow one another, so the step of the last axis is
 * the number of bytes of a sample. */
struct placement {
    uint64_t start;
    int64_t step[FLT_MAX_RANK];
    int packed;
};

struct flt_parts_in {
    const char *name; /* of the file, for messages */
    int file;
    uint64_t length;        /* of the file */
    uint64_t end;           /* of its first picture */
    struct flt_image image; /* without samples */
    struct placement placement;
    size_t memory; /* that a call of `read` takes */
    bool swaps;    /* the bytes of samples are not in the order of the host */
    /* Makes samples of the file, in host order, those of the image, in place; NULL: they are. */
    enum flt_status (*finish)(const struct flt_parts_in *in, void *samples, size_t count,
                              struct flt_detail *detail);
    unsigned maximum; /* of PNM */
    /* Of files without a placement: reads the box into part, which is made. NULL: it has one. */
    enum flt_status (*read)(struct flt_parts_in *in, const int32_t first[], const int32_t end[],
                            const struct flt_image *part, struct flt_detail *detail);
    void (*close)(struct flt_parts_in *in); /* frees `own`; or NULL */
    void *own;
};

struct flt_parts_out {
    const char *name; /* of the file, for messages */
    struct flt_replacement replacement;
    struct flt_image image;  /* without samples, of the element that is stored or converted */
    enum flt_element given;  /* of parts; with depth, another one */
    int depth;               /* of the options */
    int order[FLT_MAX_RANK]; /* by axis of the file: axis of the image */
    struct placement placement;
    uint64_t length; /* of the whole file */
    size_t bytes;    /* of a sample in the file */
    /* count samples of the image to those of the file; NULL: they are the same. */
    void (*encode)(const struct flt_parts_out *out, const void *samples, size_t count, void *to);
};

/* Per row of formats.def that names them. _parts_of: whether and how the file, of which `file` has
 * the first bytes, is read by place: sets image, end and what comes behind them in the struct. The
 * format is recognised. Failures are those of flt_load_X; FLT_UNSUPPORTED without detail where it
 * is not. _place: writes all but the samples to replacement.stream and sets placement, length and
 * bytes; also order and encode where samples are stored otherwise than they are in the image.
 * Failures are those of flt_save_X. */
typedef enum flt_status flt_parts_of(struct flt_parts_in *in, const struct file_bytes *file,
                                     struct flt_detail *detail);
typedef enum flt_status flt_place(struct flt_parts_out *out, struct flt_detail *detail);
flt_parts_of flt_parts_of_npy, flt_parts_of_pnm, flt_parts_of_pfm, flt_parts_of_tiff;
flt_place flt_place_npy, flt_place_pgm, flt_place_ppm, flt_place_pnm, flt_place_pfm, flt_place_raw,
    flt_place_tiff;
enum flt_status flt_parts_of_raw(struct flt_parts_in *in, const struct flt_raw *raw,
                                 struct flt_detail *detail);

/* load.c: that of the format that the file begins as; NULL: there is none. save.c: that of the
 * format that flt_image_save_as would choose. */
flt_parts_of *flt_parts_of_file(const struct file_bytes *file);
flt_place *flt_place_for(const char *path, const struct flt_save_options *options);

/* A placement of samples of so many bytes that follow one another, slowest axis first. */
struct placement flt_packed_placement(const struct flt_image *image, size_t bytes, uint64_t start);

/* Sets bytes, placement and length where the samples, of so many bytes, follow one another behind
 * what is written, in the order that is set. FLT_CANNOT_WRITE. */
enum flt_status flt_place_packed(struct flt_parts_out *out, size_t bytes);

/* Bytes of the open file: all of them. FLT_CORRUPT if it ends before; FLT_CANNOT_READ. */
enum flt_status flt_read_at(const struct flt_parts_in *in, uint64_t at, void *to, size_t bytes,
                            struct flt_detail *detail);

#endif
