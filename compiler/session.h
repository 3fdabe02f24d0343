/* All that one compilation owns. */
#ifndef FLTC_SESSION_H
#define FLTC_SESSION_H

#include "diagnostics/diagnostic.h"
#include "expr/expr.h"
#include "source/source_map.h"
#include "support/arena.h"
#include "support/symbol.h"

struct session {
    struct arena *permanent; /* sources, symbols, diagnostics */
    struct arena *ir;        /* trees, graphs, loops */
    struct arena *scratch;   /* released after each pass */
    struct symbol_table symbols;
    struct source_map sources;
    struct diagnostics diagnostics;
    struct expr_pool pool;
};

struct session *session_create(void);
void session_destroy(struct session *session);

#endif
