/* C99 on a CPU, its loops spread over cores by OpenMP. */
#include "emit/dialect.h"
#include "target/target.h"

const struct target target_c = {
    .name = "c",
    .description = "C99 with OpenMP",
    .is_public = true,
    .execution = EXECUTION_CORES,
    .has_threads = true,
    .has_vectors = true,
    .has_cache_bypass = true,
    .runs_on_host = true,
    .fast = {1 << 19, OWNER_CORE},
    .byte_cost = 4,
    .dialect = &dialect_c,
};
