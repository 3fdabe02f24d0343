/* The search for a chain: what its parts know of each other. chains.c: members and sweeps;
 * chain_states.c: places of their states; chain_terms.c: what members are of, linearly or up to
 * limits. */
#ifndef FLTC_GRAPH_SEGMENTS_CHAIN_SEARCH_H
#define FLTC_GRAPH_SEGMENTS_CHAIN_SEARCH_H

#include "graph/segments/chains.h"

struct chain_search {
    const struct graph *graph;
    struct expr_pool *pool;
    struct arena *scratch;
    const struct stage_readers *readers;
    struct chain *chain;
    const struct stage *reader; /* at hand */
    bool fits;
};

/* The rule of a read along the chain's axis. */
static inline enum border_rule chain_rule_of(const struct chain_search *s, const struct expr *load)
{
    return load->as.load.border ? load->as.load.border[s->chain->axis].rule : BORDER_NONE;
}
static inline bool chain_rule_has_value(enum border_rule rule)
{
    return rule == BORDER_ZERO || rule == BORDER_CONSTANT;
}
/* How far from the reader's own place. */
struct interval chain_offset_of(const struct chain_search *s, const struct expr *load);

/* Finds lags of members, and their places in the states; then which of them the states depend on.
 * What is no chain does not fit. */
void chain_find_state(struct chain_search *s);
void chain_find_feeding(struct chain_search *s);
/* Takes apart what feeds; false: that is neither linear, nor one recurrence that follows itself up
 * to limits. */
bool chain_take_apart(struct chain_search *s);

#endif
