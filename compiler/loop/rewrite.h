/* Rewriting all expressions of a statement tree, which most loop passes do. */
#ifndef FLTC_LOOP_REWRITE_H
#define FLTC_LOOP_REWRITE_H

#include "loop/loop.h"

/* The tree with each expression rewritten by the rewriter; unchanged parts are the same
 * pointers. */
const struct statement *statement_rewrite(struct arena *arena, const struct statement *statement,
                                          struct expr_rewriter *rewriter);
/* The tree with one variable replaced by an expression. */
const struct statement *statement_substitute(struct arena *arena, struct arena *scratch,
                                             struct expr_pool *pool,
                                             const struct statement *statement,
                                             const struct expr *variable,
                                             const struct expr *replacement);

/* A name that a LET gives. */
struct let_name {
    const struct expr *variable, *value;
};
/* The node with names replaced by their values, which may use those before them. */
const struct expr *names_replaced(struct expr_pool *pool, struct arena *scratch,
                                  const struct expr *node, size_t count,
                                  const struct let_name name[]);
/* The block without names that nothing after them uses; no block: the statement as it is. */
const struct statement *block_without_unused(struct arena *arena, struct arena *scratch,
                                             const struct statement *block);

/* Whether the node stands in the tree. */
bool statement_uses(struct arena *scratch, const struct statement *statement,
                    const struct expr *node);

/* Whether all integers that the tree stores or names fit the types of their buffers and
 * variables. */
bool statement_values_fit(const struct program *program, const struct statement *statement);

#endif
