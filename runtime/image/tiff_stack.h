/* Pages of a TIFF as the axes of an image. Internal to tiff_load.c and tiff_stack.c. */
#ifndef FLT_TIFF_STACK_H
#define FLT_TIFF_STACK_H

#include "image/stack.h"
#include "image/tiff_page.h"

/* What the file's first page tells of its pages, by ImageJ or OME; else they are along z.
 * FLT_CORRUPT, FLT_UNSUPPORTED, FLT_NO_MEMORY; stack is the caller's to free in any case. */
enum flt_status tiff_understand_stack(const struct file_bytes *file,
                                      const struct stack_pages *pages, struct stack *stack,
                                      struct flt_detail *detail);

/* Frees what it owns; there is one page. */
void tiff_free_stack(struct stack *stack);

/* Makes it, whatever it is, pages without metadata. */
void tiff_plain_stack(const struct stack_pages *pages, struct stack *stack);

/* All pages of the image. */
uint64_t tiff_stack_pages(const struct stack *stack);

/* Bytes of a page of the image. Where the samples of the page that tiff is at begin, if they are as
 * in memory, all in one piece; 0: they are not. */
uint64_t tiff_page_bytes(const struct tiff_page *page);
uint64_t tiff_samples_at(TIFF *tiff, const struct tiff_page *page);

/* The image of such pages, with its spacing, without samples. */
enum flt_status tiff_form_image(const struct tiff_page *page, const struct stack *stack,
                                struct flt_image *image);

/* Of a stack whose pages stand behind the first one, which tiff is at: whether they are there,
 * before memory is taken for them; FLT_CORRUPT. Then the samples of all pages, as in the file. */
enum flt_status tiff_check_headless(TIFF *tiff, const struct tiff_source *source,
                                    const struct tiff_page *page, const struct stack *stack,
                                    struct flt_detail *detail);
void tiff_read_headless(TIFF *tiff, const struct tiff_source *source, const struct tiff_page *page,
                        const struct stack *stack, void *out);

#endif
