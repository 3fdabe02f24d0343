/* Results of a run: their images, and the files that they go to. */
#ifndef FLTC_COMMAND_RESULTS_H
#define FLTC_COMMAND_RESULTS_H

#include "command/pictures.h"

enum { MOST_RESULTS = 32 };

struct result {
    const struct graph_output *output;
    const struct stage *stage;
    bool centred[GRAPH_MAX_RANK]; /* by axis of a stage of complex samples: spectrum.h */
    struct flt_image image;       /* made at the first slice */
};

struct results {
    size_t count, declared; /* declared: those of the signature, which come first */
    struct result item[MOST_RESULTS];
    VECTOR(struct saving {
        size_t result;
        const char *word;         /* behind -o or --save, without NAME= and the axis */
        const char *along;        /* the axis that has a file for each place; NULL: there is none */
        struct word_list sources; /* the files of the image that is stacked along it, if any */
        const char *const *target; /* by run; not where there is such an axis */
        bool is_stage;             /* --save */
        bool by_place;             /* of slabs: it is written part by part, not by results_save */
    })
    savings;
    size_t runs; /* for which targets are chosen; pictures within a file may make further ones */
    struct flt_save_options options;
    struct diagnostic *shown; /* the message on complex samples that are saved as pictures */
    bool crops;
    int32_t crop[4]; /* first y and x, rows, columns */
};

/* The graph with the stages that --save names as further outputs. NULL after a message. */
const struct graph *results_add_stages(struct command_context *c, const struct graph *graph);
/* Which results go to which files, for all runs. False after a message on wrong usage. */
bool results_choose(struct command_context *c, const struct graph *graph,
                    const struct image_files files[], size_t inputs, size_t runs,
                    struct results *results);
/* Whether a run gives something: a file, or a number that is printed. False after a message. */
bool results_go_somewhere(struct command_context *c, const struct results *results);
/* Why there can be no further runs than there are files: the results go to one file, or take the
 * names of the files. NULL: there can. */
const char *results_of_one_run(struct command_context *c, const struct results *results);
/* Whether all of the files can be written, and hold such samples, as far as that is known before
 * anything is computed. False after a message. */
bool results_check_files(struct command_context *c, const struct results *results, size_t runs);
/* Saves what a run has made and frees it. False after a message. */
bool results_save(struct command_context *c, const struct pictures *pictures, size_t run,
                  struct results *results);
/* What slabs.c shares with it. A result of one channel is saved without the axis, behind which
 * there may be that of the parts of complex samples: that axis, or -1. */
int results_single_channel(const struct flt_image *image);
/* --crop: makes the view smaller; what is beyond it stays. False after a message. */
bool results_crop(struct command_context *c, const struct results *results, const char *name,
                  struct flt_image *view);
/* Where the saving goes in the run; NULL after a message. Then the folders that are missing, where
 * its word is a folder; and the message on a file that cannot be written. */
const char *results_target(struct command_context *c, const struct pictures *pictures, size_t run,
                           const struct saving *saving, const struct results *results);
void results_make_folders(const struct saving *saving, const char *target);
void results_fail(struct command_context *c, const struct saving *saving,
                  const struct result *result, const struct flt_image *view, enum flt_status status,
                  const struct flt_detail *detail);
void results_free(struct results *results);

#endif
