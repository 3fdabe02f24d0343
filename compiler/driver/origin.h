/* What stands at the top of each file that is emitted: by which fltc, from what, whose it
 * is. */
#ifndef FLTC_DRIVER_ORIGIN_H
#define FLTC_DRIVER_ORIGIN_H

#include "driver/driver.h"

struct origin {
    const char *name; /* of the program's file, without its folder */
    const char *hash; /* 16 hexadecimal digits */
};

/* What decides what is written, besides texts. */
struct origin_from {
    const char *path; /* of the program; "-": standard input */
    const struct target *target;
    struct word_list options; /* "NAME VALUE" */
    const struct setting_list *settings;
};

/* Of a filter of the loaded modules; of a loop program: text, and the name is in the text.
 * The hash is the first 64 bits of SHA-256 over
 *   a line for each thing that decides what is written, sorted: "target NAME", "filter NAME",
 *   "NAME VALUE" for each other option but those that change no text, "param NAME=VALUE" for each
 *   constant, and "machine TILE COST" where --calibrated found other numbers than the usual ones;
 *   "module BYTES", a newline and the text, for the program's file and each that it imports, those
 *   of the library too, in the order in which they are met.
 * fltc's version, names of files and folders, and the output's name are no part of it. */
struct origin origin_of_modules(struct session *session, const struct module_set *modules,
                                const struct origin_from *from, const char *filter);
struct origin origin_of_text(struct session *session, const struct origin_from *from,
                             const char *text, size_t length);

/* The file with its first lines, comments as its ending wants them. */
struct emitted_file origin_stamp(struct arena *arena, const struct origin *origin,
                                 const struct emitted_file *file);

#endif
