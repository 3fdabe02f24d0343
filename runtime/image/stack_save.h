/* Descriptions of stacks of pages, as ImageJ and OME write them. Internal to tiff_save.c and
 * stack_save.c. */
#ifndef FLT_STACK_SAVE_H
#define FLT_STACK_SAVE_H

#include "image/stack.h"

/* The image as pages; axes of pages may have extent 1. */
struct stack_form {
    struct stack stack; /* its axes; place is not used */
    enum flt_element element;
    size_t rows, columns, channels; /* channels: of a pixel */
};

/* Whether a file of ImageJ has to say more than the tags of TIFF do. */
bool flt_needs_imagej(const struct stack_form *form);

/* Texts that the caller frees; NULL: there is no memory. Pages are in the order of ImageJ, t, z, c,
 * or for OME in that of the stack's axes. */
char *flt_imagej_text(const struct stack_form *form);
char *flt_ome_text(const struct stack_form *form);

/* Whether OME has a type for such samples. */
bool flt_ome_has_element(enum flt_element element);

/* The code of TIFF for units of resolution: 2, inch, or 3, centimetre; else 1. */
unsigned flt_resolution_unit(const struct spacing *spacing);

#endif
