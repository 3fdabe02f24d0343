/* The interpreters: of graphs (the oracle: what a program means), of loop programs, of circuits. */
#ifndef FLTC_INTERPRET_INTERPRET_H
#define FLTC_INTERPRET_INTERPRET_H

#include "graph/graph.h"
#include "hardware/circuit.h"
#include "interpret/tape.h"
#include "loop/loop.h"
#include "session.h"

/* Samples of a box, packed, slowest axis first. */
struct samples {
    enum scalar scalar;
    unsigned rank;
    int64_t first[GRAPH_MAX_RANK], extent[GRAPH_MAX_RANK];
    unsigned char *data;      /* from malloc */
    const struct expr **term; /* from malloc: of each sample; NULL: of none */
};

size_t samples_count(const struct samples *samples);
/* Zeroed data, without terms; false without memory. */
bool samples_allocate(struct samples *samples);
/* The same with room for terms, where there are any to compute. */
bool samples_allocate_with(struct samples *samples, const struct terms *terms);
void samples_free(struct samples *samples);
struct value samples_read(const struct samples *samples, const int64_t index[]);
void samples_write(struct samples *samples, const int64_t index[], struct value value);
bool samples_contain(const struct samples *samples, const int64_t index[]);

struct interpretation {
    struct session *session;        /* of the graph; always given */
    const struct samples *inputs;   /* in the order of the signature; first is 0 */
    const struct value *parameters; /* in the order of the signature */
    struct samples *outputs;        /* data made by the interpreter; freed by the caller */
    const struct external_functions *externals; /* those that the program calls, or NULL */
    /* May be NULL. Else samples and parameters with terms give such outputs. */
    struct terms *terms;
    bool transforms_as_emitted; /* to the bits of emitted code, not by their definition */
    /* Recurrences on the whole line go along it from rest far outside, as the language says,
     * without any pass; to a few of the last bits. Else they start from the states that
     * expand_unbounded finds, to the bits of emitted code. INTERPRET.md. */
    bool lines_by_definition;
    const char *problem; /* NULL, or why it did not run: a sentence, = problem_text */
    char problem_text[256];
    char values[256]; /* of the extents and parameters of a failed check: "a.x is 4, n is 50" */
    /* May be NULL; called now and then with the part done, 0 .. 1; false stops. */
    bool (*progress)(double done, void *context);
    /* May be NULL; called after each stage that is computed. */
    void (*stage_done)(const struct stage *stage, const struct samples *samples, void *context);
    void *context; /* of both */
};

/* False with a problem: a failed check, a parameter out of range, no memory, stopped. */
bool interpret_graph(const struct graph *graph, struct interpretation *run);
/* Only what is done on entry: whether the graph would run on inputs of these extents, which need no
 * data. False with a problem. */
bool interpret_entry(const struct graph *graph, struct interpretation *run);
/* The box of each stage on inputs of these extents, by stage id, without data. */
void interpret_boxes(const struct graph *graph, const struct interpretation *run,
                     struct samples box[]);
/* Also executes programs in which borders are not yet applied. A read or write outside a buffer is
 * a problem, not a crash. */
bool interpret_program(const struct program *program, struct interpretation *run);
/* One frame, without clocks; images have the extents that the circuit is made for. An element
 * outside the interval of its stream, or a sample that no border rule gives, is a problem. */
bool interpret_circuit(const struct circuit *circuit, struct interpretation *run);

/* The same program with every float that it computes or stores in the wide type: SCALAR_F64, or
 * SCALAR_EXTENDED for long double. Inputs, parameters and constants keep their types and values, so
 * it is run on the same inputs; its outputs are wide. For interpret_graph alone. */
const struct graph *widen_graph(struct arena *arena, struct expr_pool *pool,
                                const struct graph *graph, enum scalar wide);

/* The problem's text survives the interpreter's memory. */
void interpretation_keep_problem(struct interpretation *run);

/* Shared by the two: extents, parameters and checks. False with a problem. */
struct entry {
    const struct parameter *parameters;
    size_t parameter_count;
    const struct graph_check *checks;
    size_t check_count;
};
bool interpret_parameters(struct evaluator *evaluator, const struct entry *entry,
                          struct interpretation *run);
bool interpret_checks(struct evaluator *evaluator, const struct entry *entry,
                      struct interpretation *run);
/* The same of a function that the program calls and that is not there: after the run. */
bool interpret_externals(const struct evaluator *evaluator, struct interpretation *run);

#endif
