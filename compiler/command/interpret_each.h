/* Runs a filter on small random images after every pass and compares with the graph it started
 * from. */
#ifndef FLTC_COMMAND_INTERPRET_EACH_H
#define FLTC_COMMAND_INTERPRET_EACH_H

#include "interpret/interpret.h"
#include "session.h"

enum { INTERPRET_EACH_IMAGES = 32, INTERPRET_EACH_TRIES = 3 };

struct interpret_each {
    struct session *session;
    const struct graph *graph;
    const struct external_functions *externals;
    char problem[256]; /* "" while all agrees */
    struct each_try {
        struct samples input[INTERPRET_EACH_IMAGES];
        struct value parameter[32];
        struct samples expected[INTERPRET_EACH_IMAGES];
        bool valid; /* the graph accepts these inputs */
    } tries[INTERPRET_EACH_TRIES];
};

void interpret_each_start(struct interpret_each *each, struct session *session,
                          const struct graph *graph, const struct external_functions *externals);
/* For pass_options.after, and .after_circuit. */
bool interpret_each_after(const char *pass, const struct graph *graph,
                          const struct program *program, void *context);
bool interpret_each_after_circuit(const char *pass, const struct circuit *circuit, void *context);
/* Frees; true where something disagreed (problem says what). */
bool interpret_each_end(struct interpret_each *each);

/* Random samples of an element type: small integers, floats of many magnitudes, now and then
 * special values. */
void random_samples(uint64_t *seed, struct samples *samples);
/* Samples for an image of the signature. */
void random_input(uint64_t *seed, const struct stage *input, struct samples *samples);
/* A random value inside the parameter's range. */
struct value random_parameter(uint64_t *seed, const struct parameter *parameter);
uint64_t random_next(uint64_t *seed);
/* Where the two differ, as a sentence; NULL where all bits agree. */
const char *samples_difference(struct arena *arena, const struct samples *a,
                               const struct samples *b);

#endif
