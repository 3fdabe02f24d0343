/* Finds the parts of a value that contain a load of a certain kind. Each node is visited once,
 * however often it is used. */
#ifndef FLTC_GRAPH_RECURRENCE_TERM_SEARCH_H
#define FLTC_GRAPH_RECURRENCE_TERM_SEARCH_H

#include "expr/expr.h"
#include "support/hash_map.h"

struct term_search { /* the rest is zero at the start */
    struct arena *arena;
    bool (*is_term)(const struct expr *load, void *context);
    void *context;
    struct hash_map holds; /* node → itself where it holds a term */
    struct expr_walk walk;
};

/* Whether the node is a load for which is_term holds, or contains one, also in indices and border
 * values. */
bool term_search_holds(struct term_search *search, const struct expr *node);
/* Whether the load contains one in its indices or border values. */
bool term_search_holds_below(struct term_search *search, const struct expr *load);

#endif
