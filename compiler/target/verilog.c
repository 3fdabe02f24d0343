/* Circuits in Verilog-2001: a token a clock, streams with valid and ready. */
#include "target/target.h"

const struct target target_verilog = {
    .name = "verilog",
    .description = "Verilog-2001: a circuit that takes one sample per clock",
    .is_public = true,
    .execution = EXECUTION_DATAFLOW,
    .circuit = {.adders_a_clock = 1, .ready_chain = 9},
};
