/* Image files for the images of a signature: by name or position, converted as language.md says,
 * mapped over axes that the filter does not name. */
#ifndef FLTC_COMMAND_PICTURES_H
#define FLTC_COMMAND_PICTURES_H

#include "command/command.h"
#include "flt/image.h"

enum { MOST_PICTURES = 16 };

struct picture {
    const struct stage *stage; /* the INPUT it is for */
    const char *path;
    struct flt_image image;    /* in the stage's element type */
    int place[GRAPH_MAX_RANK]; /* by axis of the stage: axis of the image, -1 for an extent of 1 */
    bool has_alpha;            /* the last channel is passed through */
};

/* An axis that the filter is mapped over, slice by slice. */
struct mapped {
    char name[FLT_AXIS_NAME];
    int32_t extent;
};

struct pictures {
    size_t count;
    struct picture item[MOST_PICTURES];
    int mapped_count;
    struct mapped mapped[FLT_MAX_RANK];
};

/* A file for each image, by name or position; false after a message on wrong usage. */
bool pictures_choose(struct command_context *c, const struct graph *graph, struct pictures *p);
/* Loads all of them; false after a message. */
bool pictures_load(struct command_context *c, struct pictures *p);
void pictures_free(struct command_context *c, struct pictures *p);

/* The file for one of the images of those names, by name or position; NULL: none is given. */
const char *picture_path(const struct command_context *c, size_t count, const char *const name[],
                         size_t index);
/* The image of a file, which is loaded once; NULL after a message. */
const struct flt_image *picture_peek(struct command_context *c, const char *path);
/* element_types.c: adds to the options what type variables of the filter stand for, by the files. False
 * after a message. */
bool pictures_types(struct command_context *c, const struct ast *filter);

/* The axis of the image that a mapped axis is, or -1: then the image is the same in all slices. */
int picture_mapped_axis(const struct picture *picture, const char *name);
/* The slice at the given place of the mapped axes. */
void picture_slice(const struct pictures *p, const struct picture *picture, const int32_t at[],
                   void **data, int32_t extent[], ptrdiff_t stride[]);

/* Makes the image for a result of the given extents: the mapped axes stand where the first picture
 * has them. False after a message. */
bool pictures_result(struct session *session, const struct pictures *p, const struct stage *result,
                     const int32_t extent[], struct flt_image *image);
/* The part of a result for one slice. */
void result_slice(const struct pictures *p, const struct stage *result,
                  const struct flt_image *image, const int32_t at[], void **data,
                  ptrdiff_t stride[]);
/* The alpha channel of the first picture behind the channels of the result, where their extents
 * agree; a warning where they do not. */
bool pictures_add_alpha(struct session *session, const struct pictures *p, struct flt_image *image);

#endif
