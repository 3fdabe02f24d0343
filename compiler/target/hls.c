/* Circuits in C++ for high-level synthesis: a function for each process, streams of tokens. */
#include "target/target.h"

const struct target target_hls = {
    .name = "hls",
    .description = "C++ for high-level synthesis: the same circuit for Vitis",
    .is_public = true,
    .execution = EXECUTION_DATAFLOW,
    .circuit = {.adders_a_clock = 1, .ready_chain = 9},
};
