/* What the files that lower a graph to a circuit have in common. */
#ifndef FLTC_HARDWARE_LOWERING_H
#define FLTC_HARDWARE_LOWERING_H

#include "hardware/lower.h"
#include "hardware/values.h"

enum { NOT_GIVEN = UINT32_MAX };

/* How one stage reads another along lines or places. */
struct along {
    bool twice;              /* at (p + offset) / 2 */
    int64_t stride;          /* at p * stride + offset */
    int64_t least, greatest; /* offsets */
    enum border_rule rule;
    int64_t outside; /* of CONSTANT */
};

/* Reads that one chain of windows serves. */
struct group {
    uint32_t source; /* stage */
    struct along along[RASTER_COUNT];
    bool tokens_first; /* the window along a line is the first one */
    unsigned edge;
};

struct lowering {
    struct session *session;
    struct values values;
    const struct graph *graph;
    struct shape *shape; /* by stage, those that are made included */
    struct circuit *circuit;
    uint32_t *given;                   /* by stage: the process that gives its samples */
    uint32_t *table;                   /* by stage: its number among the tables */
    VECTOR(const struct stage *) made; /* beside those of the graph: sums of frames */
    const struct stage *stage;         /* at hand */
    const struct shape *own;           /* of its places */
    VECTOR(struct group) groups;       /* of the stage at hand */
    VECTOR(struct edge) edges;
    unsigned state_taps; /* steps that a recurrence looks back */
};

const struct stage *lowering_stage(const struct lowering *l, uint32_t id);
void refuse_stage(struct lowering *l, enum refusal_reason reason, const char *a, const char *b);
/* The decimal text. */
const char *lowering_number(struct lowering *l, int64_t value);

/* lower_reads.c: the coordinates along axes of lanes of lane `lane`, as a substitution; how many.
 * */
size_t lane_places(struct lowering *l, unsigned lane, struct expr_substitution by[]);
/* The lane that a load reads, whose indices along axes of lanes are numbers. */
unsigned lane_of(const struct lowering *l, const struct expr *load);
struct border border_of(const struct expr *load, unsigned k);
/* The value without reductions, and with loads of lanes that are known, of stages that stream, and
 * of tables. */
const struct expr *lowering_normal(struct lowering *l, const struct expr *value);

/* lower_windows.c: notes a load of a normal value: what is read around each place. */
void lowering_collect(const struct expr *node, void *lowering);
/* Makes an edge of each group of loads, by way of windows. */
void lowering_add_edges(struct lowering *l);
/* The element of an edge that a load is. */
const struct expr *lowering_element(struct lowering *l, const struct expr *load);
/* Appends a process of the stage at hand, under a name that is not taken. */
uint32_t lowering_add(struct lowering *l, const char *name, struct process process);

/* lower_scans.c: the result some steps before that a stage reads of itself. */
const struct expr *lowering_own_result(struct lowering *l, const struct expr *load);
/* The pipe of a stage that reads itself as a scan. */
void lowering_make_scan(struct lowering *l, struct process *pipe);

/* lower_counts.c: a stage that counts, as a pipe of its steps and a count behind. */
void lower_scatter(struct lowering *l);
/* The value with what is gathered from whole frames as loads of stages that are made for it. */
const struct expr *lowering_whole_frames(struct lowering *l, const struct expr *value);

/* lower.c: a pipe of values that belong to the places of the stage at hand. Values: before they are
 * normal. NOT_GIVEN after a refusal. */
uint32_t lowering_pipe(struct lowering *l, const char *name, unsigned lanes,
                       const struct expr *const value[]);

#endif
