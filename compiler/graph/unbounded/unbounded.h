/* Unbounded recurrences: what they are made of, the boxes that they must compute, and the system
 * that those of a chain form outside of their box. For the pass expand_unbounded, which tells the
 * mathematics. */
#ifndef FLTC_GRAPH_UNBOUNDED_UNBOUNDED_H
#define FLTC_GRAPH_UNBOUNDED_UNBOUNDED_H

#include "analysis/regions.h"
#include "graph/unbounded/matrix_algebra.h"
#include "graph_pass.h"

/* c u(n + offset), u another recurrence of the line. */
struct unbounded_input {
    uint32_t stage; /* in the graph as it was */
    int64_t offset;
    const struct expr *load, *coefficient;
};

struct unbounded {
    bool is_unbounded, periodic, is_read; /* is_read: outside the box, or by another recurrence */
    const struct stage *stage;
    unsigned axis;
    int sign;         /* outward, at the side where it starts: -1 causal, 1 anticausal */
    int64_t farthest; /* offset of an input, or the order */
    struct symbolic_feedback feedback;
    VECTOR(struct unbounded_input) inputs;
    const struct expr *rest; /* of images, or NULL */
    int64_t reach;           /* of the rest, along the axis, to either side */
    /* so far out at the side that is looked at, the rows hold for it and its inputs */
    int64_t settled;
    const struct expr *period;
    int64_t memory; /* samples after which nothing of the past is left; 0: not known */
    bool fades;     /* of a short memory: starts at rest, so far out */
    const struct expr *first, *end; /* what is computed in the end */
    /* Outside, at the side where it starts: s(q) = inward g(q - shift). At the other side, where it
     * runs outward: s(q) = outward g(q). Rows over all places; known once its stages are made. */
    int64_t shift;
    struct matrix inward, outward;
};

struct expansion {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    struct expr_pool *pool;
    struct unbounded *recurrence; /* by stage */
    uint32_t *new_id;             /* by stage: its new id */
    unsigned recurrences,
        lags;            /* g has 1 + lags places for each line: its constant, its last samples */
    unsigned *number;    /* by stage: which line it is */
    enum scalar element; /* of all states */
};

static inline const struct expr *unbounded_integer(const struct expansion *e, int64_t value)
{
    return expr_integer(e->pool, value);
}

static inline const struct expr *unbounded_plus(const struct expansion *e, const struct expr *a,
                                                int64_t b)
{
    return region_sum(e->pool, a, unbounded_integer(e, b), 1);
}

/* Places of g. */
static inline unsigned unbounded_constant_place(const struct expansion *e, uint32_t stage)
{
    return e->number[stage] * (1 + e->lags);
}

static inline unsigned unbounded_lag_place(const struct expansion *e, uint32_t stage, int64_t lag)
{
    return unbounded_constant_place(e, stage) + (unsigned)lag;
}

static inline unsigned unbounded_places(const struct expansion *e)
{
    return e->recurrences * (1 + e->lags);
}

/* One recurrence, and the side where it starts. */
struct outside {
    struct expansion *e;
    const struct matrix_algebra *algebra;
    int sign;
    VECTOR(uint32_t) member; /* recurrences that it depends on, and itself, in order */
    int64_t reach;           /* so far out g runs by itself */
};

/* unbounded.c: finds all lines of the graph, and settles their boxes. */
void unbounded_find_all(struct expansion *e);
/* The first coordinate at the side from which on all that enters is constant. */
const struct expr *unbounded_far_out(struct expansion *e, const struct unbounded *recurrence,
                                     int sign, int64_t reach);
/* Which recurrences take part, for the one of that stage, at the side. */
struct outside unbounded_outside(struct expansion *e, const struct matrix_algebra *a,
                                 uint32_t stage, int sign);

/* unbounded_outside.c */
/* At the side where it starts: makes the stages that tell its samples there. */
void unbounded_find_inward(const struct outside *o, uint32_t stage);
/* At the other side, where it goes on by itself. */
void unbounded_find_outward(const struct outside *o, uint32_t stage);

#endif
