/* Shared by the files that lower a graph to a circuit. */
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
    bool tokens_first; /* the window along a line comes first */
    unsigned edge;
};

struct lowering {
    struct session *session;
    struct values values;
    const struct graph *graph;
    struct shape *shape; /* by stage, including made stages */
    struct circuit *circuit;
    uint32_t *given;                   /* by stage: the process that gives its samples */
    uint32_t *table;                   /* by stage: its number among the tables */
    VECTOR(const struct stage *) made; /* besides those of the graph: sums of frames */
    const struct stage *stage;         /* at hand */
    const struct shape *own;           /* of its places */
    VECTOR(struct group) groups;       /* of the stage at hand */
    VECTOR(struct edge) edges;
    unsigned state_taps; /* steps that a recurrence reads back */
};

const struct stage *lowering_stage(const struct lowering *l, uint32_t id);
void refuse_stage(struct lowering *l, enum refusal_reason reason, const char *a, const char *b);
/* The decimal text. */
const char *lowering_number(struct lowering *l, int64_t value);

/* lower_reads.c: substitutes the coordinates of lane `lane` for the axes of lanes; returns their
 * number. */
size_t lane_places(struct lowering *l, unsigned lane, struct expr_substitution by[]);
/* The lane that a load reads; its indices along axes of lanes are constants. */
unsigned lane_of(const struct lowering *l, const struct expr *load);
struct border border_of(const struct expr *load, unsigned k);
/* The value in normal form: without reductions, and with loads only of known lanes of streams and
 * of tables. */
const struct expr *lowering_normal(struct lowering *l, const struct expr *value);

/* lower_windows.c: notes which neighbours a load of a normal value reads. */
void lowering_collect(const struct expr *node, void *lowering);
/* Makes an edge, through windows, for each group of loads. */
void lowering_add_edges(struct lowering *l);
/* The element of an edge that stands for a load. */
const struct expr *lowering_element(struct lowering *l, const struct expr *load);
/* Appends a process for the current stage, with a unique name. */
uint32_t lowering_add(struct lowering *l, const char *name, struct process process);

/* lower_scans.c: a stage's read of its own earlier result. */
const struct expr *lowering_own_result(struct lowering *l, const struct expr *load);
/* Turns the pipe of a stage that reads itself into a scan. */
void lowering_make_scan(struct lowering *l, struct process *pipe);

/* lower_counts.c: lowers a scatter to a pipe of its steps and a count after it. */
void lower_scatter(struct lowering *l);
/* The value with reductions over whole frames replaced by loads of stages that are made for
 * them. */
const struct expr *lowering_whole_frames(struct lowering *l, const struct expr *value);

/* lower.c: adds a pipe of values at the places of the current stage. value: not yet in normal form.
 * NOT_GIVEN after a refusal. */
uint32_t lowering_pipe(struct lowering *l, const char *name, unsigned lanes,
                       const struct expr *const value[]);

#endif
