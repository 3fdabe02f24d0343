/* Pages of a TIFF as the axes of an image. Internal to tiff_load.c and tiff_stack.c. */
#ifndef FLT_TIFF_STACK_H
#define FLT_TIFF_STACK_H

#include "image/stack.h"
#include "image/tiff_page.h"

/* What the file's first page tells of its pages, by ImageJ or OME; else they are along z.
 * FLT_CORRUPT, FLT_UNSUPPORTED, FLT_NO_MEMORY; stack->place is the caller's to free in any case. */
enum flt_status tiff_understand_stack(const struct file_bytes *file,
                                      const struct stack_pages *pages, struct stack *stack,
                                      struct flt_detail *detail);

/* Makes it, whatever it is, pages without metadata. */
void tiff_plain_stack(const struct stack_pages *pages, struct stack *stack);

/* All pages of the image. */
uint64_t tiff_stack_pages(const struct stack *stack);

/* The image of such pages, with its spacing. */
enum flt_status tiff_create_image(const struct tiff_page *page, const struct stack *stack,
                                  struct flt_image *image);

/* Of a stack whose pages stand behind the first one, which tiff is at: whether they are there,
 * before memory is taken for them; FLT_CORRUPT. Then the samples of all pages, as in the file. */
enum flt_status tiff_check_headless(TIFF *tiff, const struct tiff_source *source,
                                    const struct tiff_page *page, const struct stack *stack,
                                    struct flt_detail *detail);
void tiff_read_headless(TIFF *tiff, const struct tiff_source *source, const struct tiff_page *page,
                        const struct stack *stack, void *out);

#endif
