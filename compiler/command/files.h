/* Words of the command line → files: one for each image of the signature, or a sequence of them,
 * and one for each result of each run. */
#ifndef FLTC_COMMAND_FILES_H
#define FLTC_COMMAND_FILES_H

#include "command/command.h"
#include "flt/image.h"

enum { MOST_PICTURES = 16 };

/* The files for one image: none, one for all runs, or one for each run. */
struct image_files {
    const char *name; /* of the image */
    /* For the levels of an adaptive image: the place of that one, whose file has them, too. */
    bool is_levels;
    size_t of;
    struct word_list path;
};

/* Deals the words behind the program's file: NAME=FILE to the image of that name, the others in
 * order; to the only image without files all of them. A pattern in NAME=frames/?.png is replaced by
 * the files that fit it, in the order of their names. */
void files_deal(struct command_context *c, size_t count, struct image_files files[]);
/* The same, complete and counted: false after a message. *runs: how many files there are for an
 * image, at least 1. */
bool files_choose(struct command_context *c, const struct graph *graph, size_t count,
                  struct image_files files[], size_t *runs);
static inline const char *files_of_run(const struct image_files *files, size_t run)
{
    return files->path.item[files->path.count > 1 ? run : 0];
}

/* A word that stands for a file of samples alone: volume.raw:512x512x100:u16. *path: what stands
 * before the layout. False: it names a file as it is. */
bool files_raw_layout(struct arena *arena, const char *word, const char **path,
                      struct flt_raw *layout);

/* Adds what may be wrong with such a word to the message that there is no file of its name, or that
 * a file of samples alone is none of the formats. */
void files_explain_raw(struct command_context *c, struct diagnostic *message, const char *word);

/* Where something goes, by the word behind -o: a folder, where files are named as `source` is; a
 * name with %d or %04d, the number of the run from 0 on, or %s, source's name without folder and
 * ending; or just a file. source: the file of the run that comes in sequence, or NULL. */
const char *files_target(struct command_context *c, const char *word, const char *source,
                         size_t run);
/* Whether it ends with '/' or is a folder that exists. */
bool files_is_folder(const char *word);
/* Whether the word makes another target for each run. */
bool files_differ_by_run(const char *word);
/* Whether it has the number of the run in it. */
bool files_is_numbered(const char *word);
/* Checks what follows from options alone: that each word behind -o and --save names a format. False
 * after a message. */
bool files_check_targets(struct command_context *c);
/* --format and --quality; false after a message. */
bool files_save_options(struct command_context *c, struct flt_save_options *options);

#endif
