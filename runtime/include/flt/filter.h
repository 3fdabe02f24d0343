/* NAME_call: a function with the same arguments for all filters, for programs that find a filter
 * when they run. Files that are emitted with --interface have it; what there is to know of images
 * and parameters is in the filter's interface, a text in JSON. */
#ifndef FLT_FILTER_H
#define FLT_FILTER_H

#include <stddef.h>
#include <stdint.h>

struct flt_tasks;

/* What NAME_call does. */
enum flt_what {
    FLT_EXTENTS = 0, /* sets the extents of the results */
    FLT_RUN = 1,     /* computes the results */
    FLT_SCRATCH = 2, /* sets scratch_bytes to what FLT_RUN needs; with `parts`, FLT_RUN_BOX */
    FLT_REGION = 3,  /* sets `region` to the box of an input that boxes of the results depend on */
    FLT_LAUNCH = 4,  /* in CUDA, as NAME_run: starts kernels on images in the device's memory */
    FLT_RUN_BOX = 5  /* as NAME_run_box: computes a part of the results; in CUDA as FLT_LAUNCH */
};

/* Images are the inputs in the order of the signature, then the results. All but `size`, `data`,
 * `extents`, `strides` and `parameters` may be 0 where their comment allows it. */
struct flt_arguments {
    size_t size;             /* sizeof(struct flt_arguments): later versions append fields */
    void *const *data;       /* by image; each may be NULL but for FLT_RUN, FLT_LAUNCH */
    int32_t *const *extents; /* by image, by axis */
    const ptrdiff_t *const *strides; /* by image, by axis: in samples, may be negative */
    const void *const *parameters;   /* by parameter: its value, of its type in C */
    /* As of NAME_run, aligned to 64 bytes. NULL: FLT_RUN takes it from malloc, unless there are
     * tasks. A call that returns BAD_SCRATCH has set scratch_bytes to what it needs. */
    void *scratch;
    size_t scratch_bytes;
    int threads;                   /* of FLT_RUN and FLT_SCRATCH: as of NAME_run */
    const struct flt_tasks *tasks; /* as of NAME_run_by; NULL: the filter's own threads */
    /* Of FLT_REGION: the number of the input; two numbers for each axis, as of NAME_region_of. */
    unsigned input;
    const int64_t *box; /* of FLT_RUN_BOX, too */
    int64_t *region;
    void *stream;         /* of FLT_LAUNCH: a cudaStream_t; NULL: the default one */
    void *opened;         /* what NAME_open has opened, of a filter that takes a library */
    const void *prepared; /* what NAME_prepare has filled, of a filter with tables; or NULL */
    size_t prepared_bytes;
    /* Of FLT_RUN_BOX, and of its FLT_SCRATCH: by input, two numbers for each axis: what of it is in
     * memory. Its data is the first sample of that, its extents are those of the whole image. */
    const int64_t *const *parts;
};

/* A filter in an object file, under the name NAME_filter. The first one that is linked into a
 * program or a library is also there as flt_filter, where the compiler has weak symbols. */
struct flt_filter {
    const char *json; /* the interface; NULL: it was emitted without */
    int (*call)(int what, struct flt_arguments *arguments); /* NAME_call; returns a status */
    const char *(*status_text)(int status);                 /* NAME_status_text */
};

#endif
