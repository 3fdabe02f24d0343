/* Stacks of pages in a TIFF: what the description of its first page says of their axes. ImageJ
 * (imagej.c) and OME (ome_load.c) have two ways to write that; stack_save.c writes both. Internal
 * to the files of TIFF. */
#ifndef FLT_STACK_H
#define FLT_STACK_H

#include "image/codec.h"

enum { STACK_AXES = 3 };

struct stack_axis {
    char name; /* 't', 'z', 'c'; of spacings also 'y', 'x' */
    int32_t extent;
};

struct spacing {
    double distance; /* 0: not known */
    char unit[FLT_UNIT_NAME];
};

/* Where the pages of a file belong. */
struct stack {
    int rank; /* axes along which there are pages, slowest first; none has extent 1 */
    struct stack_axis axis[STACK_AXES];
    struct spacing t, z, y, x;
    /* Place of each page of the file, in the order of the axes, or -1: it is no part of the image.
     * NULL: one after the other. The caller frees it. */
    int32_t *place;
    unsigned char *profile; /* of the colors; NULL: there is none. The caller frees it */
    size_t profile_length;
    bool is_headless; /* all pages but the first have no directory: their samples follow its own */
    bool is_plain;    /* several pages of which nothing is said; they are along z */
};

/* What tags of the first page say beside its samples. No tag is at fault: what is not understood is
 * not there. */
struct tiff_notes {
    char *description; /* NULL: there is none */
    size_t description_length;
    unsigned char *profile; /* NULL: there is none */
    size_t profile_length;
    double per_unit[2]; /* pixels along x and y in a unit; 0: not known */
    unsigned unit;      /* 1: none, 2: inch, 3: centimetre */
};

/* tiff_notes.c. false: there is not enough memory. The caller frees description and profile, also
 * then. */
bool tiff_read_notes(const struct file_bytes *file, struct tiff_notes *notes);

/* The pages that a file has, as its directories tell. */
struct stack_pages {
    bool has_own_colors; /* those of the file: they are not converted */
    const char *name;    /* of the file, for messages */
    int32_t count;       /* pictures */
    int32_t directories; /* those, and smaller copies and masks */
    uint32_t samples;    /* of a pixel in the file */
    uint32_t channels;   /* of a pixel of the image */
    uint32_t columns, rows;
};

/* Whether the description is of that kind; what it says. A description that contradicts the pages
 * is FLT_CORRUPT; what cannot be read FLT_UNSUPPORTED; FLT_NO_MEMORY. */
bool flt_is_imagej(const struct tiff_notes *notes);
enum flt_status flt_imagej_stack(const struct tiff_notes *notes, const struct stack_pages *pages,
                                 struct stack *stack, struct flt_detail *detail);
bool flt_is_ome(const struct tiff_notes *notes);
enum flt_status flt_ome_stack(const struct tiff_notes *notes, const struct stack_pages *pages,
                              struct stack *stack, struct flt_detail *detail);

/* Copies a unit in UTF-8; one too long is none. */
void flt_set_unit(struct spacing *spacing, const char *unit, size_t length);

#endif
