/* Runs a filter on small random images after every pass and compares with the graph it started
 * from: numbers, and terms where they are asked for. */
#ifndef FLTC_COMMAND_INTERPRET_EACH_H
#define FLTC_COMMAND_INTERPRET_EACH_H

#include "command/trial_images.h"
#include "session.h"

#include <stdio.h>

enum { INTERPRET_EACH_IMAGES = 32, INTERPRET_EACH_TRIES = 3 };

struct interpret_each {
    struct session *session;
    const struct graph *graph;
    const struct external_functions *externals;
    const char *problem; /* NULL while all agrees */
    bool with_terms;
    bool rounds; /* a pass that may round came by: what it made is compared from there on */
    /* The first terms that differ though no values were found at which the results do; NULL: none.
     * What that pass made is compared from there on. */
    const char *open;
    unsigned compared; /* samples */
    uint64_t print;    /* of the text of what the last pass made */
    struct each_try {
        struct samples input[INTERPRET_EACH_IMAGES];
        struct value parameter[32];
        struct samples expected[INTERPRET_EACH_IMAGES];
        bool valid; /* the graph accepts these inputs */
        struct arena *arena; /* of the terms */
        struct terms *terms;
    } tries[INTERPRET_EACH_TRIES];
};

void interpret_each_start(struct interpret_each *each, struct session *session,
                          const struct graph *graph, const struct external_functions *externals,
                          bool with_terms);
/* A line about terms: of how many comparisons of a program they were equal, or why these cover too
 * little. Before the end. */
void interpret_each_tell(const struct interpret_each *each, FILE *out);
/* The first reason why equal terms do not cover all values; COVERED where they do. */
enum uncovered interpret_each_uncovered(const struct interpret_each *each);
/* For pass_options.after, and .after_circuit. */
bool interpret_each_after(const char *pass, const struct graph *graph,
                          const struct program *program, void *context);
bool interpret_each_after_circuit(const char *pass, const struct circuit *circuit, void *context);
/* Frees; true where something disagreed (problem says what). */
bool interpret_each_end(struct interpret_each *each);

#endif
