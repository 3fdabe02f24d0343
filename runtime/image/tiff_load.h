/* What reading of a TIFF by place shares with reading of all of it. Internal to tiff_load.c and
 * tiff_parts.c. */
#ifndef FLT_TIFF_LOAD_H
#define FLT_TIFF_LOAD_H

#include "image/tiff_stack.h"

/* Some rows and columns of a page. */
struct tiff_window {
    uint32_t first_row, end_row, first_column, end_column;
};

/* What the pages of the file hold, which are all alike, and how they are stacked. Failures are
 * those of flt_load_tiff; the stack is the caller's to free in any case. */
enum flt_status tiff_survey_file(struct tiff_source *source, struct tiff_page *first,
                                 struct stack *stack, struct flt_detail *detail);

/* Whether the page that tiff is at is a picture of its own: not a smaller copy of another, nor a
 * mask. */
bool tiff_is_picture(TIFF *tiff);

/* The samples of that page in the window, packed, with all channels; page: what its tags say,
 * without colors to convert. Then what is done to samples that are as in the file, of whole
 * pixels. */
enum flt_status tiff_read_window(TIFF *tiff, struct tiff_source *source,
                                 const struct tiff_page *page, const struct tiff_window *window,
                                 char *out, struct flt_detail *detail);
enum flt_status tiff_finish_samples(const struct tiff_source *source, const struct tiff_page *page,
                                    size_t pixels, void *samples, struct flt_detail *detail);

/* Tells what of the file is not in the image. */
void tiff_remark(const struct tiff_source *source, const struct tiff_page *page,
                 const struct stack *stack, const struct flt_image *image,
                 struct flt_detail *detail);

#endif
