/* Image files for the images of a signature: by name or position, converted as language.md says,
 * mapped over axes that the filter does not name. */
#ifndef FLTC_COMMAND_PICTURES_H
#define FLTC_COMMAND_PICTURES_H

#include "command/files.h"
#include "flt/image_parts.h"

struct picture {
    const struct stage *stage; /* the INPUT it is for */
    const char *path;
    struct flt_image_reader *reader; /* of a file in which there may be further pictures, or NULL */
    size_t file, number;             /* in the files for the image; of the picture in its file */
    struct flt_image image;          /* in the stage's element type */
    struct flt_parts_in *parts;      /* of a file that is read by place; NULL: it is read whole */
    enum flt_element stored;         /* of such a file: its element type */
    int place[GRAPH_MAX_RANK]; /* by axis of the stage: axis of the image, -1 for an extent of 1 */
    bool keeps_alpha;          /* the last channel is not shown to the filter */
    bool is_made;              /* of another picture's samples: compare.c */
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

/* The images of the signature, in order; no files yet. */
void pictures_prepare(const struct graph *graph, struct pictures *p);
/* Loads what the next run reads; images with one picture for all runs are kept. With --memory,
 * files that can be read by place are only opened: their images have no samples. False after a
 * message. */
bool pictures_load(struct command_context *c, const struct graph *graph,
                   const struct value parameter[], const struct image_files files[],
                   struct pictures *p);
/* Whether a further run has pictures to read; waits for their first bytes. *good: false after a
 * message, such as that one image has fewer pictures than another. */
bool pictures_follow(struct command_context *c, const struct image_files files[],
                     struct pictures *p, bool *good);
/* Checks, once they are loaded, that no file holds further pictures, which are lost for the reason.
 * False after a message; help: NULL, or its cure. */
bool pictures_are_alone(struct command_context *c, struct pictures *p, const char *reason,
                        const char *help);
void pictures_free(struct command_context *c, struct pictures *p);

/* Reads a part of a picture that has `parts`: the samples from first up to end, by axis of its
 * image, in the stage's element type. False after a message. */
bool picture_read(struct command_context *c, const struct picture *picture, const int32_t first[],
                  const int32_t end[], struct flt_image *part);

/* Whether it is the levels of adaptive images of the signature. */
bool picture_is_levels(const struct picture *picture);

/* The image of a file, which is loaded once; NULL after a message. */
const struct flt_image *picture_peek(struct command_context *c, const char *path);
/* element_types.c: adds to the options what type variables of the filter stand for, by the files.
 * False after a message. */
bool pictures_types(struct command_context *c, const struct ast *filter);

int picture_find_axis(const struct flt_image *image, const char *name); /* -1: there is none */
/* Whether the signature names the axis of the image. */
bool picture_names(const struct picture *picture, int axis);
/* Samples along an axis of the image, as the filter sees it. */
int32_t picture_extent(const struct picture *picture, int axis);
struct samples;
/* The extents of the loaded images as the filter sees them: ranks and extents of as many inputs. */
void pictures_extents(const struct pictures *p, struct samples *input);
/* The slice at the given place of the mapped axes. */
void picture_slice(const struct pictures *p, const struct picture *picture, const int32_t at[],
                   void **data, int32_t extent[], ptrdiff_t stride[]);

/* The axes of a result: those of the first picture that has mapped axes, the named ones replaced.
 * axis: by axis of its image that of the stage, or -1 - mapped axis. Returns their number. */
int result_axes(const struct pictures *p, const struct stage *result, int axis[FLT_MAX_RANK]);
/* The form of the image for a result of the given extents, packed, without samples: the mapped axes
 * stand where the first picture has them. */
struct flt_image pictures_result_form(const struct pictures *p, const struct stage *result,
                                      const int32_t extent[]);
/* Makes that image. False after a message. */
bool pictures_result(struct session *session, const struct pictures *p, const struct stage *result,
                     const int32_t extent[], struct flt_image *image);
/* The part of a result for one slice. */
void result_slice(const struct pictures *p, const struct stage *result,
                  const struct flt_image *image, const int32_t at[], void **data,
                  ptrdiff_t stride[]);

#endif
