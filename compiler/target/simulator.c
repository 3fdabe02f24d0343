/* Kernels of blocks of threads, executed on a CPU: what a GPU back end is tested with. */
#include "target/target.h"

const struct target target_simulator = {
    .name = "simulator",
    .description = "kernels run on the CPU, for tests",
    .execution = EXECUTION_GRID,
    .runs_on_host = true,
    .fast = {48 * 1024, OWNER_BLOCK},
    .frame_bytes = 2048,
    .block_threads = 1024,
};
