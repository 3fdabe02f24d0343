/* What the three files that search for a chain share: chains.c finds members and sweeps,
 * chain_states.c the places of their states, chain_terms.c the coefficients. */
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

/* Finds how many samples of each member are in the state, and where. Clears `fits` if the stages do
 * not form a chain. */
void chain_find_state(struct chain_search *s);
/* Finds the members that the state depends on. */
void chain_find_feeding(struct chain_search *s);
/* Finds the coefficients of the members that feed the state; false: they are not linear and not one
 * recurrence with limits. */
bool chain_take_apart(struct chain_search *s);

#endif
