/* The same for tools that take C alone: streams are arrays. */
#include "target/target.h"

const struct target target_hls_c = {
    .name = "hls-c",
    .description = "the same in C, whose ports and streams are arrays",
    .is_public = true,
    .execution = EXECUTION_DATAFLOW,
    .circuit = {.adders_a_clock = 1, .ready_chain = 9},
};
