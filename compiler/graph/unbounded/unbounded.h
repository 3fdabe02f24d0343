/* Unbounded recurrences: their terms, the boxes that they must compute, and the linear system that
 * they form outside the image. The pass expand_unbounded explains the mathematics. */
#ifndef FLTC_GRAPH_UNBOUNDED_UNBOUNDED_H
#define FLTC_GRAPH_UNBOUNDED_UNBOUNDED_H

#include "analysis/regions.h"
#include "graph/unbounded/matrix_algebra.h"
#include "graph_pass.h"

/* coefficient × u(n + offset), u another unbounded recurrence on the same line. */
struct unbounded_input {
    uint32_t stage; /* of the old graph */
    int64_t offset;
    const struct expr *load, *coefficient;
};

struct unbounded {
    /* is_read: it is read outside its box, or by another recurrence */
    bool is_unbounded, periodic, is_read;
    const struct stage *stage;
    unsigned axis;
    int sign;         /* the direction outward at its start: -1 if it runs forward, 1 backward */
    int64_t farthest; /* the greatest offset of an input, or the order if that is more */
    struct symbolic_feedback feedback;
    VECTOR(struct unbounded_input) inputs;
    const struct expr *rest; /* the part of the value that depends on images alone, or NULL */
    int64_t reach;           /* how far the rest reads along the axis, to either side */
    /* the rows below are valid this far outside, for it and its inputs, at the current side */
    int64_t settled;
    const struct expr *period;
    int64_t memory; /* samples after which the past no longer counts; 0: not known */
    bool fades;     /* its memory is short: it starts at rest, that far outside */
    const struct expr *first, *end; /* the box that is finally computed */
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
    /* the state g has 1 + lags places for each recurrence: its constant and its last samples */
    unsigned recurrences, lags;
    unsigned *number;    /* by stage: its number among the recurrences */
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

/* One recurrence, seen from one side. */
struct outside {
    struct expansion *e;
    const struct matrix_algebra *algebra;
    int sign;
    VECTOR(uint32_t) member; /* the recurrences that it depends on, then itself */
    int64_t reach;           /* this far outside, g depends only on itself */
};

/* unbounded.c: finds all unbounded recurrences of the graph, and settles their boxes. */
void unbounded_find_all(struct expansion *e);
/* The coordinate from which all inputs are constant, going outward. */
const struct expr *unbounded_far_out(struct expansion *e, const struct unbounded *recurrence,
                                     int sign, int64_t reach);
/* The recurrences that the stage depends on at that side. */
struct outside unbounded_outside(struct expansion *e, const struct matrix_algebra *a,
                                 uint32_t stage, int sign);

/* unbounded_outside.c */
/* Adds the stages that give its samples outside the image, at the side where it starts. */
void unbounded_find_inward(const struct outside *o, uint32_t stage);
/* The same at the other side, where it continues outward. */
void unbounded_find_outward(const struct outside *o, uint32_t stage);

#endif
