/* A TIFF through libtiff: the way to its bytes, and what its pages say. Internal to tiff_page.c and
 * tiff_load.c. */
#ifndef FLT_TIFF_PAGE_H
#define FLT_TIFF_PAGE_H

#include "image/codec.h"

#include <tiffio.h>

/* The file as libtiff sees it, and what libtiff first complained of. */
struct tiff_source {
    const struct file_bytes *file;
    uint64_t at;
    char message[160];
    bool out_of_memory;
};

/* What a sample of the file becomes. */
enum tiff_treatment {
    TREAT_COPY,    /* it is kept */
    TREAT_STRETCH, /* of 1 to 7, or 9 to 15, bits: to u8 or u16 */
    TREAT_PALETTE, /* looked up: three of u8 */
    TREAT_CONVERT, /* the whole page is converted to RGB by libtiff */
};

/* One page: what its tags say. */
struct tiff_page {
    uint32_t rows, columns;
    uint16_t samples, bits, planar, compression;
    bool tiled, inverted, has_alpha, premultiplied;
    int orientation;
    enum tiff_treatment treatment;
    enum flt_element element;
    uint32_t channels; /* of the image */
};

/* At the first page; closed by TIFFClose. NULL: the source's message tells why. libtiff neither
 * prints nor aborts: its handlers are replaced, for this file alone. (Refused memory for its own
 * tables, a few kilobytes, version 4.5.0 may read from NULL; nothing here can prevent that.) */
TIFF *tiff_open(struct tiff_source *source);

/* FLT_CORRUPT, with libtiff's message; FLT_UNSUPPORTED: it "holds WHAT, which cannot be read". */
enum flt_status tiff_damaged(const struct tiff_source *source, struct flt_detail *detail);
enum flt_status tiff_unsupported(const struct tiff_source *source, const char *what,
                                 struct flt_detail *detail);

/* What the current page's tags say. FLT_UNSUPPORTED. */
enum flt_status tiff_understand_page(TIFF *tiff, const struct tiff_source *source,
                                     struct tiff_page *page, struct flt_detail *detail);

/* Checks it, before memory is taken for it. */
enum flt_status tiff_check_claim(TIFF *tiff, const struct tiff_source *source,
                                 const struct tiff_page *page, struct flt_detail *detail);

/* Of a decoded strip or tile of the current page; 0 where there is none. */
uint64_t tiff_chunk_bytes(TIFF *tiff, const struct tiff_page *page);

static const uint64_t tiff_most_bytes = (uint64_t)1 << 36; /* of all pages, decoded */

#endif
