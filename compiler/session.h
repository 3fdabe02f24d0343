/* All that one compilation owns. */
#ifndef FLTC_SESSION_H
#define FLTC_SESSION_H

#include "diagnostics/diagnostic.h"
#include "expr/expr.h"
#include "source/source_map.h"
#include "support/arena.h"
#include "support/symbol.h"

#include <time.h>

struct header_answer;
struct session;

/* Headers of C functions that programs call. */
struct header_search {
    VECTOR(const char *) folders; /* searched after the one of the program */
    bool refused;           /* --no-extern: no program may declare any */
    bool exhausted;         /* reading one took too much: no other one is read */
    time_t seconds;         /* that reading them took */
    /* header_check; NULL: declarations are taken as they are written, no header is read. */
    struct header_answer (*check)(struct session *session, const char *path,
                                  const struct external *function);
    struct hash_map agreed; /* declarations that were compared with their headers */
};

/* Where the texts of files come from. */
struct text_source {
    /* NULL: files are read. Returns NULL where there is no such file. */
    const char *(*text_of)(void *context, const char *path, size_t *length);
    void *context;
};

struct session {
    struct arena *permanent; /* sources, symbols, diagnostics */
    struct arena *ir;        /* trees, graphs, loops */
    struct arena *scratch;   /* released after each pass */
    struct symbol_table symbols;
    struct source_map sources;
    struct text_source files;
    struct diagnostics diagnostics;
    struct expr_pool pool;
    struct header_search headers;
    bool cache_is_refused; /* the cache of earlier commands is not used, and this was reported */
};

/* permanent: the first arena of a family, which the session owns; NULL: of one that aborts where
 * memory is exhausted. */
struct session *session_create(struct arena *permanent);
void session_destroy(struct session *session);
/* A message without a place in a file: of a request, of a command line, of images. For codes whose
 * template is "%s". */
struct diagnostic *session_error(struct session *session, enum diagnostic_code code,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
