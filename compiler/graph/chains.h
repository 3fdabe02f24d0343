/* Chains: linear recurrences of floats, or of integers that wrap, along one axis, in one direction, and what is computed from them sample by sample;
 * or one recurrence that follows itself up to limits (clamped_form.h).
 * What a chain makes of a line depends on what was before by a few samples alone, its state, and linearly so:
 *     s1[x] = in[x] + a s1[x - 1]    s2[x] = s1[x] + b s2[x - 1] + c s2[x - 2]    out[x] = round(s2[x])
 *     state: s1[x - 1], s2[x - 2], s2[x - 1] */
#ifndef FLTC_GRAPH_CHAINS_H
#define FLTC_GRAPH_CHAINS_H

#include "graph/carry_algebra.h"
#include "graph/clamped_form.h"
#include "graph/readers.h"

enum { CHAIN_MOST_ORDER = 32, CHAIN_MOST_MEMBERS = 32 };

/* coefficient × the sample of a member at that offset. */
struct chain_term {
    size_t member;
    int64_t offset; /* along the axis */
    const struct expr *coefficient;
};

struct chain_member {
    const struct stage *stage;
    bool feeds;                      /* the state depends on it */
    int64_t lags;                    /* its samples in the state */
    unsigned slot;                   /* the place of the oldest of them */
    VECTOR(struct chain_term) terms; /* of what feeds: without what it takes of images */
};

struct chain {
    const struct carry_algebra *algebra; /* of its state */
    const struct clamped_form *clamped; /* of the one member that feeds; NULL: members are linear */
    unsigned axis;                      /* along which it runs */
    bool reversed;
    unsigned order; /* places of the state */
    size_t count;
    struct chain_member
        *member; /* in the order of the graph; the last one alone is read by others */
};

/* The chain that ends in the stage; NULL: there is none. A chain has no schedule but that of its last member. */
const struct chain *chain_of(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage_readers readers[],
                             const struct stage *last);

/* The member that is the stage; the count: none is. */
size_t chain_member_of(const struct chain *chain, uint32_t stage);

#endif
