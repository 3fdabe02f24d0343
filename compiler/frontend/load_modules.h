/* A file and everything it imports, parsed. */
#ifndef FLTC_FRONTEND_LOAD_MODULES_H
#define FLTC_FRONTEND_LOAD_MODULES_H

#include "frontend/ast.h"
#include "session.h"

struct module_set {
    VECTOR(struct loaded_module {
        const struct module *module;
        const char *name;       /* of the library, or the file's path */
        const char *identity;   /* the same however the path is written */
        VECTOR(size_t) imports; /* indices of the modules it may name things of */
    })
    list; /* the main module is the first */
};

/* The library is embedded in the compiler. */
struct library_module {
    const char *name; /* "std.blur" */
    const char *text;
};
extern const struct library_module library[]; /* ends with a NULL name */

/* A whole file in the arena, NUL-terminated; "-" is standard input. NULL with *problem set. */
char *read_whole_file(struct arena *arena, const char *path, size_t *length, const char **problem);
/* path: "-" is standard input. NULL when the main file cannot be read (reported). */
const struct module_set *load_modules(struct session *session, const char *path);
/* A module of the library as the main one; NULL where there is none of the name (reported). */
const struct module_set *load_modules_library(struct session *session, const char *name);
/* The same of a text in memory. */
const struct module_set *load_modules_text(struct session *session, const char *name,
                                           const char *text, size_t length);

#endif
