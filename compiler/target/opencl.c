/* OpenCL C 1.2: kernels of blocks of threads on a device, which a driver compiles. */
#include "emit/dialect.h"
#include "target/target.h"

const struct target target_opencl = {
    .name = "opencl",
    .description = "OpenCL C 1.2, in a file of C",
    .is_public = true,
    .execution = EXECUTION_GRID,
    .fast = {32 * 1024, OWNER_BLOCK},
    .byte_cost = 16,
    .launch_cost = 1024,
    .block_threads = 256,
    .dialect = &dialect_opencl,
};
