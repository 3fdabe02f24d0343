/* Common parts of the test benches of circuits, in C++: random images, and the model, the same
 * filter in C. */
#ifndef FLTC_EMIT_CIRCUIT_BENCH_H
#define FLTC_EMIT_CIRCUIT_BENCH_H

#include "emit/circuit_language.h"

struct circuit_bench {
    struct arena *arena;
    struct text *out;
    const struct circuit *circuit;
    unsigned images, results; /* their numbers; images include tables */
};

struct circuit_bench circuit_bench_create(struct arena *arena, struct text *out,
                                          const struct circuit *circuit);
/* The process of this kind at that position: the source of an image or the sink of a result. NULL:
 * the image is a table. */
const struct process *bench_port(const struct circuit_bench *b, enum process_kind kind,
                                 uint32_t position);

/* Call these in order. Prints `state`, draw() and `struct port`. */
void bench_print_head(const struct circuit_bench *b);
/* IMAGES and RESULTS; images[] and results[], a port each; a table is one line of samples. */
void bench_print_ports(const struct circuit_bench *b);
/* `struct parameters`, draw_parameters(). */
void bench_print_parameters(const struct circuit_bench *b);
/* model(in, want, f, parameters): the samples of frame f. */
void bench_print_model(const struct circuit_bench *b);
/* sample_of(port, frame, i): what an image holds. */
void bench_print_samples(const struct circuit_bench *b);

#endif
