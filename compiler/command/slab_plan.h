/* Slabs: boxes of the results that are computed one after the other, each from parts of the images,
 * such that all that is in memory at a time stays below a limit. */
#ifndef FLTC_COMMAND_SLAB_PLAN_H
#define FLTC_COMMAND_SLAB_PLAN_H

#include "command/execute.h"

/* Of a result; coordinates are those of its stage. */
struct slab_result {
    int64_t first[GRAPH_MAX_RANK], end[GRAPH_MAX_RANK]; /* what of it is computed */
    int cut;       /* the axis along which slabs follow one another; -1: all is in each of them */
    bool is_whole; /* its image is in memory from beginning to end */
};

/* A result in a file that is written by place. */
struct slab_file {
    const struct saving *saving;
    const char *target;
    struct flt_parts_out *out;
    int single; /* the axis of one channel that the file lacks, or -1 */
};

struct slabs {
    struct execution *x;
    struct slab_file *file;
    size_t file_count;
    /* Of the axes that the filter is mapped over, those before all axes that it names are outer:
     * there is one place of them at a time. The others are all in each slab. */
    bool is_outer[FLT_MAX_RANK];
    /* As x->pictures, but the outer axes have extent 1: the form of what is in memory. */
    struct pictures pictures;
    struct slab_result result[MOST_RESULTS];
    int64_t places; /* of all slabs: those of the longest axis that is cut */
    int64_t *end;   /* where each slab ends, in these places */
    size_t count;   /* of slabs */
    uint64_t whole; /* bytes of the images that are in memory whole */
    /* Where none fit: the bytes that the highest of slabs of one place takes, the axis of that
     * place, and which images it reads all of. */
    uint64_t needed;
    const struct symbol *needed_along;
    bool reads_all[MOST_PICTURES];
};

/* What a call of the filter takes for one slab. */
struct slab_call {
    /* By input: the part that is in memory, by axis of its image, and its image, which has the
     * extents of the part. */
    int32_t first[MOST_PICTURES][FLT_MAX_RANK], end[MOST_PICTURES][FLT_MAX_RANK];
    struct flt_image input[MOST_PICTURES];
    struct flt_image output[MOST_RESULTS]; /* the box, or the whole */
    int64_t box_first[MOST_RESULTS][GRAPH_MAX_RANK], box_end[MOST_RESULTS][GRAPH_MAX_RANK];
    bool is_new[MOST_RESULTS]; /* the box has places that no slab before has */
    /* struct flt_arguments and what it points to. */
    struct flt_arguments arguments;
    void *data[MOST_PICTURES + MOST_RESULTS];
    int32_t extent[MOST_PICTURES + MOST_RESULTS][GRAPH_MAX_RANK],
        *extents[MOST_PICTURES + MOST_RESULTS];
    ptrdiff_t stride[MOST_PICTURES + MOST_RESULTS][GRAPH_MAX_RANK];
    const ptrdiff_t *strides[MOST_PICTURES + MOST_RESULTS];
    int64_t box[MOST_RESULTS * 2 * GRAPH_MAX_RANK], part[MOST_PICTURES][2 * GRAPH_MAX_RANK];
    const int64_t *parts[MOST_PICTURES];
    unsigned char memory[MOST_PARAMETERS][8];
    const void *parameters[MOST_PARAMETERS + 1];
};

/* The slabs along the first axis of the results with which all stays below x->memory, as few as
 * that takes. slabs->result has the boxes and what is whole, slabs->whole its bytes. False after a
 * message. */
bool slabs_plan(struct slabs *slabs);

/* The whole image of a result, or all that is computed of it; without samples, unless they are in
 * memory. */
struct flt_image slabs_whole_form(const struct slabs *slabs, size_t r);
/* Makes the call for the places from begin up to end: boxes, parts, forms of images without data.
 * False after a message. */
bool slab_call_make(const struct slabs *slabs, int64_t begin, int64_t end, struct slab_call *call);
/* Aims it at a place of the axes that the filter is mapped over; images have their data. */
void slab_call_aim(const struct slabs *slabs, const int32_t at[], struct slab_call *call);
/* Runs it. False after a message. */
bool slab_call_run(const struct slabs *slabs, struct slab_call *call);

#endif
