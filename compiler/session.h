/* All that one compilation owns. */
#ifndef FLTC_SESSION_H
#define FLTC_SESSION_H

#include "diagnostics/diagnostic.h"
#include "expr/expr.h"
#include "source/source_map.h"
#include "support/arena.h"
#include "support/symbol.h"

#include <time.h>

/* Headers of C functions that programs call. */
struct header_search {
    VECTOR(const char *) folders; /* searched after the one of the program */
    bool refused;           /* --no-extern: no program may declare any */
    bool exhausted;         /* reading one took too much: no other one is read */
    time_t seconds;         /* that reading them took */
    bool trusted;           /* declarations are taken as they are written, no header is read */
    struct hash_map agreed; /* declarations that were compared with their headers */
};

struct session {
    struct arena *permanent; /* sources, symbols, diagnostics */
    struct arena *ir;        /* trees, graphs, loops */
    struct arena *scratch;   /* released after each pass */
    struct symbol_table symbols;
    struct source_map sources;
    struct diagnostics diagnostics;
    struct expr_pool pool;
    struct header_search headers;
    bool cache_is_refused; /* the cache of earlier commands is not used, and this was reported */
};

struct session *session_create(void);
void session_destroy(struct session *session);

#endif
