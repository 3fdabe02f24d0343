/* Chains: linear recurrences of floats, or of integers that wrap, along one axis, and what is
 * computed from them sample by sample; or one recurrence that follows itself up to limits
 * (clamped_form.h). What a chain makes of a line depends on what was before by a few samples alone,
 * its state, and linearly so:
 *     s1[x] = in[x] + a s1[x - 1]    s2[x] = s1[x] + b s2[x - 1] + c s2[x - 2]    out[x] = round(s2[x])
 *     state: s1[x - 1], s2[x - 2], s2[x - 1]
 * A chain takes one sweep over the line, or one there and one back, which has a state of its own,
 * from the other side:
 *     there[x] = in[x] + a there[x - 1]    out[x] = there[x] + b out[x + 1]
 *     states: there[x - 1]   out[x + 1] */
#ifndef FLTC_GRAPH_SEGMENTS_CHAINS_H
#define FLTC_GRAPH_SEGMENTS_CHAINS_H

#include "graph/segments/carry_algebra.h"
#include "graph/recurrence/clamped_form.h"
#include "graph/readers.h"

enum { CHAIN_MOST_ORDER = 32, CHAIN_MOST_MEMBERS = 32, CHAIN_MOST_SWEEPS = 2 };

/* coefficient × the sample of a member at that offset. */
struct chain_term {
    size_t member;
    int64_t offset; /* along the axis */
    const struct expr *coefficient;
};

struct chain_member {
    const struct stage *stage;
    bool feeds;   /* the state depends on it */
    int64_t lags; /* its samples in the state */
    unsigned sweep;
    unsigned slot; /* the place of the oldest of them, among those of all sweeps */
    VECTOR(struct chain_term) terms; /* of what feeds: without what it takes of images */
};

struct chain_sweep {
    bool reversed;
    /* places of its state, from the first on; 0: another chain has made it (chain_behind) */
    unsigned slot, order;
};

struct chain {
    const struct carry_algebra *algebra; /* of its state */
    const struct clamped_form *clamped; /* of the one member that feeds; NULL: members are linear */
    unsigned axis;                      /* along which it runs */
    unsigned sweeps;
    struct chain_sweep sweep[CHAIN_MOST_SWEEPS]; /* in opposite directions */
    unsigned order;                              /* places of all states */
    int64_t turn;  /* places at the end of the first sweep that the next one begins from */
    int64_t ahead; /* places beyond its own that the next one reads of the first sweep */
    size_t count;
    struct chain_member *member; /* in the order of the graph; the last alone is read by others */
};

/* The chain along the axis, of at most so many sweeps, that ends in the stage; NULL: there is none.
 * A chain has no schedule but that of its last member, and none of the others says what only a
 * stage by itself obeys. */
const struct chain *chain_of(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage_readers readers[],
                             const struct stage *last, unsigned axis, unsigned most_sweeps);

/* How far a sample at that offset lies before, in the order of the member's sweep. */
static inline int64_t chain_back(const struct chain *chain, const struct chain_member *member,
                                 int64_t offset)
{
    return chain->sweep[member->sweep].reversed ? offset : -offset;
}

/* The chain of one sweep as the way back of two: behind a sweep in that direction, the other one,
 * that is computed before it. */
const struct chain *chain_behind(struct arena *arena, const struct chain *chain, bool reversed);

/* The member that is the stage; the count: none is. */
size_t chain_member_of(const struct chain *chain, uint32_t stage);

#endif
