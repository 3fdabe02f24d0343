/* A TIFF through libtiff: the way to its bytes (tiff_source.c), what its pages say (tiff_page.c),
 * and what becomes of their samples (tiff_colors.c). Internal to these and tiff_load.c. */
#ifndef FLT_TIFF_PAGE_H
#define FLT_TIFF_PAGE_H

#include "image/codec.h"

#include <tiffio.h>

/* The file as libtiff sees it, and what libtiff first complained of since it last did something. */
struct tiff_source {
    const struct file_bytes *file;
    unsigned char start[4]; /* of the file */
    uint64_t at;
    bool sought;                    /* nothing was read since the last seek */
    uint64_t entries;               /* of the directory whose entries come next; 0: none does */
    bool link_follows, link_is_cut; /* behind the entries: the place of the next directory */
    /* What the entries of the last directory say, before libtiff mends it; 0: nothing. */
    bool has_palette;
    uint64_t map_entries;
    char message[160];
    bool out_of_memory, cut_off;
    int32_t directories; /* good ones, which survey_file counted; those behind are not read */
    char damage[160];    /* what ended their chain; "": it came to its end */
};

/* What a sample of the file becomes. */
enum tiff_treatment {
    TREAT_COPY,    /* it is kept */
    TREAT_STRETCH, /* of 1 to 7, or 9 to 15, bits: to u8 or u16 */
    TREAT_PALETTE, /* looked up: three of u8 */
    TREAT_CONVERT, /* the whole page is converted to RGB by libtiff */
};

/* What colors the samples are. */
enum tiff_colors {
    COLORS_PLAIN,  /* those of the image */
    COLORS_CIELAB, /* L*, a*, b* of u8 or u16, or L* alone: TIFF 6.0; a* and b* have a sign */
    COLORS_ICCLAB, /* the same with a* and b* from 128 on: Technical Note 4 to TIFF 6.0 */
    COLORS_ITULAB, /* the same with the ranges of ITU-T T.42 */
    COLORS_INKS,   /* cyan, magenta, yellow and black, of u8 or u16 */
    COLORS_YCBCR,  /* luma and two differences of u8, all at each pixel */
    COLORS_XYZ,    /* light, of f32 */
};

/* One page: what its tags say. */
struct tiff_page {
    uint32_t rows, columns;
    uint16_t samples, bits, planar, compression;
    bool tiled, inverted, has_alpha, premultiplied;
    bool is_u64;  /* the element is i64 */
    bool guessed; /* the file does not say which colors its samples are */
    int orientation;
    enum tiff_treatment treatment;
    enum tiff_colors colors;
    float luma[3];      /* of YCbCr: shares of red, green and blue in Y */
    float reference[6]; /* of YCbCr: black and white, or 0 and the greatest, of each sample */
    uint16_t color_samples,
        alpha_sample;         /* of a pixel: those before any others; the alpha, if any */
    enum flt_element stored;  /* of what is treated so, before colors are converted */
    enum flt_element element; /* of the image */
    uint32_t channels;        /* of the image */
};

/* At the first page; closed by TIFFClose. NULL: the source's message tells why. libtiff neither
 * prints nor aborts: its handlers are replaced, for this file alone. (Refused memory for its own
 * tables, a few kilobytes, version 4.5.0 may read from NULL; nothing here can prevent that.) */
TIFF *tiff_open(struct tiff_source *source);

/* Goes to the next page. false: *status tells whether there is none, FLT_OK, or it is damaged, as
 * is a chain that leads back. */
bool tiff_next_page(TIFF *tiff, struct tiff_source *source, enum flt_status *status,
                    struct flt_detail *detail);

/* Forgets what libtiff complained of: it does of what is harmless, too. */
void tiff_forget(struct tiff_source *source);

/* FLT_CORRUPT, with libtiff's message. */
enum flt_status tiff_damaged(const struct tiff_source *source, struct flt_detail *detail);

/* FLT_UNSUPPORTED: it "holds WHAT, which cannot be read: CURE". */
__attribute__((format(printf, 4, 5))) enum flt_status
tiff_unsupported(const struct tiff_source *source, struct flt_detail *detail, const char *cure,
                 const char *what, ...);

/* What the current page's tags say. FLT_UNSUPPORTED. */
enum flt_status tiff_understand_page(TIFF *tiff, struct tiff_source *source, struct tiff_page *page,
                                     struct flt_detail *detail);

/* Checks it, before memory is taken for it. */
enum flt_status tiff_check_claim(TIFF *tiff, const struct tiff_source *source,
                                 const struct tiff_page *page, struct flt_detail *detail);

/* Of a decoded strip or tile of the current page; 0 where there is none. */
uint64_t tiff_chunk_bytes(TIFF *tiff, const struct tiff_page *page);

/* Of pages' samples in the order of the file's, packed, in place: black for white in colors, which
 * are of u8, u16 or u32; colors divided by alpha, of the same or of floats, 0 where alpha is 0. */
void tiff_invert(const struct tiff_page *page, void *samples, size_t pixels);
void tiff_divide_by_alpha(const struct tiff_page *page, void *samples, size_t pixels);

/* Samples, packed, of page->stored, to pixels of the image, packed, of page->element. */
void tiff_convert_colors(const struct tiff_page *page, const void *samples, size_t pixels,
                         void *out);

static const uint64_t tiff_most_bytes = (uint64_t)1 << 36; /* of all pages, decoded */

#endif
