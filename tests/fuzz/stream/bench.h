/* A test bench in plain Verilog. */
#ifndef FLTC_FUZZ_BENCH_H
#define FLTC_FUZZ_BENCH_H

#include "hardware/circuit.h"
#include "interpret/interpret.h"
#include "support/text.h"

/* What circulates through a circuit in CIRCUIT_FRAMES frames. */
struct bench_data {
    struct samples *input, *output; /* by frame, then by position */
    unsigned inputs, outputs;
    const struct value *parameter;
};

/* Drives the module `dut` of the text. It prints a line for each thing that is wrong, "bad WHAT:
 * …"; "fifo MOST DEPTH" for each FIFO; and "end". The seed tells when streams wait. */
void bench_print(struct text *out, struct arena *arena, const struct circuit *circuit,
                 const char *text, const struct bench_data *data, uint64_t seed);
/* The tokens of one source or sink, as $readmemh takes them: a file for each, in_K.hex and
 * out_K.hex by position. */
void bench_tokens(struct text *out, const struct process *port, const struct bench_data *data);

#endif
