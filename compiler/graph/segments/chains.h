/* Chains: linear recurrences of floats, or of integers that wrap, along one axis, with the maps
 * between them; or one recurrence with limits (clamped_form.h). A chain depends on the past only
 * through a few samples, its state, and linearly:
 *     s1[x] = in[x] + a s1[x - 1]    s2[x] = s1[x] + b s2[x - 1] + c s2[x - 2]    out[x] = round(s2[x])
 *     state: s1[x - 1], s2[x - 2], s2[x - 1]
 * A chain takes one sweep over the line, or two: forward and back. The second sweep has its own
 * state, from the other side:
 *     there[x] = in[x] + a there[x - 1]    out[x] = there[x] + b out[x + 1]
 *     states: there[x - 1]   out[x + 1] */
#ifndef FLTC_GRAPH_SEGMENTS_CHAINS_H
#define FLTC_GRAPH_SEGMENTS_CHAINS_H

#include "graph/segments/carry_algebra.h"
#include "graph/recurrence/clamped_form.h"
#include "graph/readers.h"

enum { CHAIN_MOST_ORDER = 32, CHAIN_MOST_MEMBERS = 32, CHAIN_MOST_SWEEPS = 2 };

/* coefficient × member[offset] */
struct chain_term {
    size_t member;
    int64_t offset; /* along the axis */
    const struct expr *coefficient;
};

struct chain_member {
    const struct stage *stage;
    bool feeds;   /* the state depends on this member */
    int64_t lags; /* how many of its samples are in the state */
    unsigned sweep;
    unsigned slot; /* the place of the oldest of them in the state of all sweeps */
    VECTOR(struct chain_term) terms; /* of a member that feeds: what it reads of the chain */
};

struct chain_sweep {
    bool reversed;
    /* its state: the first place and their number; 0: another chain has computed this sweep
     * (chain_behind) */
    unsigned slot, order;
};

struct chain {
    const struct carry_algebra *algebra; /* of its state */
    const struct clamped_form *clamped;  /* of a recurrence with limits; NULL: members are linear */
    unsigned axis;                       /* along which it runs */
    unsigned sweeps;
    struct chain_sweep sweep[CHAIN_MOST_SWEEPS]; /* in opposite directions */
    unsigned order;                              /* places of all states */
    int64_t turn;  /* places at the end of the first sweep that the second sweep starts from */
    int64_t ahead; /* how far ahead of its own place the second sweep reads the first */
    size_t count;
    struct chain_member *member; /* in the order of the graph; others read only the last one */
};

/* The chain along the axis that ends in the stage `last`, with at most most_sweeps sweeps; NULL:
 * there is none. Only the last member may have a placement; schedules of the others have no details
 * that require a stage of its own. */
const struct chain *chain_of(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage_readers readers[],
                             const struct stage *last, unsigned axis, unsigned most_sweeps);

/* How many places back, in the direction of its sweep, the member reads at that offset. */
static inline int64_t chain_back(const struct chain *chain, const struct chain_member *member,
                                 int64_t offset)
{
    return chain->sweep[member->sweep].reversed ? offset : -offset;
}

/* Wraps a chain of one sweep as the second sweep after an empty first one, so that its segments
 * line up with those of the chain that it reads. reversed: the direction of the empty sweep. */
const struct chain *chain_behind(struct arena *arena, const struct chain *chain, bool reversed);

/* The index of the stage among the members; chain->count: it is not a member. */
size_t chain_member_of(const struct chain *chain, uint32_t stage);

#endif
