/* Files that are there whole or not at all: written beside their place under another name, which
 * takes the place when all is written. All that the compiler and the library of image files write
 * goes this way. */
#ifndef FLT_REPLACE_H
#define FLT_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct flt_replacement {
    FILE *stream; /* what is written to; NULL once it is closed */
    /* the path behind all links; NULL where it is no file: a device, a pipe, /dev/stdout */
    char *target;
    char *temporary; /* what is written, until it takes the place; NULL where it is no file */
    /* the old file keeps its other names and its owner: its bytes are replaced, not its name */
    bool overwrites;
    mode_t mode;        /* of the old file; 0: there is none */
    const char *reason; /* why the last step failed, of the user's words: "it is a socket" */
};

/* Whether what is written to path goes to a device, a pipe or something that this process has open:
 * there is nothing to replace then, and several texts follow one another. */
bool flt_replace_is_direct(const char *path);

/* Opens r->stream for writing. Links are followed, also one to a file that is not there yet. The
 * old file's mode, and its owner where the process may, are those of the one that takes its place;
 * a file that has other names, or whose owner, group or further rights cannot be kept, keeps its
 * place and gets the bytes. Refused, with errno and r->reason: what its owner protected, folders,
 * sockets, disks, a pipe that nobody reads within two seconds. Until the end of flt_replace_finish
 * or flt_replace_discard, flt_image_remove_unfinished removes the temporary file. A step that fails
 * leaves nothing behind but what stood there before. */
bool flt_replace_begin(const char *path, struct flt_replacement *r);
/* Closes the stream: all is written, and not yet at its place. */
bool flt_replace_close(struct flt_replacement *r);
/* Puts what is written into its place, and frees. */
bool flt_replace_finish(struct flt_replacement *r);
/* Removes what is written, and frees; also after a failure. */
void flt_replace_discard(struct flt_replacement *r);

#endif
