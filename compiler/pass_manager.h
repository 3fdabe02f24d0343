/* Runs the passes of passes.def in order. */
#ifndef FLTC_PASS_MANAGER_H
#define FLTC_PASS_MANAGER_H

#include "circuit_pass.h"
#include "loop_pass.h"

enum pass_flags {
    BITWISE = 1,
    OPTIONAL = 2,
    REASSOCIATES = 4,
    WIDENS = 8,
    LOWERS_BORDERS = 16,
    LOWERS_REDUCTIONS = 32,
};

/* In the words of passes.def. */
enum pass_needs {
    NOTHING = 0,
#define FACT(name, bit, text, condition) name = FACT_##name,
#include "target/facts.def"
#undef FACT
};

struct pass_info {
    const char *name, *from, *to, *description;
    unsigned flags, needs; /* sums of pass_flags and of facts of a target */
};
extern const struct pass_info pass_list[]; /* ends with a NULL name */

/* What a pass has made. */
struct pass_text {
    const char *pass, *kind; /* "fuse_stages", "graph" */
    unsigned number;         /* of passes so far */
    const struct text *text;
};

struct pass_options {
    const char *from;        /* the pass that runs first, on what those before it make; NULL: all */
    /* Called with the text of what a pass has made: of those that `dump` names, "after:NAME",
     * "changed", "all"; NULL: of none. */
    const char *dump;
    void (*print)(const struct pass_text *made, void *context);
    /* Called with the seconds that each pass takes; may be NULL. */
    void (*time)(const char *pass, double seconds, void *context);
    void *print_context; /* of both */
    const char *stop_after;  /* NULL: run all that follow */
    const char *skip;        /* names, separated by commas */
    bool verify_each;
    uint64_t random_schedule;      /* 0, or a seed: schedules at random, for tests */
    const struct choices *choices; /* that are pinned; NULL: none */
    /* Called with the graph or program after each pass; may be NULL. False stops. */
    bool (*after)(const char *pass, const struct graph *graph, const struct program *program,
                  void *context);
    /* The same of the passes that make circuits. */
    bool (*after_circuit)(const char *pass, const struct circuit *circuit, void *context);
    void *after_context; /* of both */
    /* Called with the graph before it is lowered; may be NULL. False stops: it cannot be. */
    bool (*accepts)(const struct graph *graph, void *context);
    void *accepts_context;
};

struct pass_result {
    const struct graph *graph;     /* the last one */
    const struct program *program; /* NULL when stopped before lower_to_loops */
    const struct circuit *circuit; /* NULL when stopped before lower_to_circuit */
    bool rounds;            /* a pass that is not BITWISE has been over recurrences of floats */
    const char *problem;    /* a fault of fltc: which pass broke which rule; NULL: none */
    struct remarks remarks; /* of all passes */
};

/* What the first pass takes: one of the two. */
struct pass_input {
    const struct graph *graph;
    const struct program *program;
};

struct pass_result run_passes(struct session *session, const struct graph *graph,
                              const struct target *target, const struct pass_options *options);
/* The same of a graph or program that passes may have been over, such as one read from text. */
struct pass_result run_passes_over(struct session *session, const struct pass_input *input,
                                   const struct target *target, const struct pass_options *options);
/* NULL, or one sentence in the arena: what the verifier has against the input, where the passes
 * before `from` have run. from: NULL: for a graph none has, for a program all have. */
const char *pass_input_problem(const struct pass_input *input, const struct target *target,
                               const char *from, struct arena *arena);
bool pass_exists(const char *name);
/* Of passes that exist. Whether the second one comes later in the table. */
bool pass_is_before(const char *name, const char *other);
/* Of a pass that exists: "GRAPH", "LOOP" or "CIRCUIT". */
const char *pass_takes(const char *name);
const char *pass_makes(const char *name);
/* Whether programs for the target go through the pass. The name exists. */
bool pass_runs(const char *name, const struct target *target);
/* Whether results may be others than before the pass, within the bounds that LANGUAGE.md gives: it
 * is not BITWISE, and the graph has recurrences of floats or transforms that it may compute in
 * another way. */
bool pass_may_round(const char *name, const struct graph *graph, struct arena *scratch);

#endif
