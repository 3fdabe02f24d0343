/* CUDA C++: kernels of blocks of threads on a device of its own, launched by the host. */
#include "emit/dialect.h"
#include "target/target.h"

const struct target target_cuda = {
    .name = "cuda",
    .description = "CUDA C++",
    .is_public = true,
    .execution = EXECUTION_GRID,
    .fast = {48 * 1024, OWNER_BLOCK},
    .byte_cost = 16,
    .launch_cost = 1024,
    .block_threads = 1024,
    .dialect = &dialect_cuda,
};
