/* C99 on a CPU, its loops spread over cores by OpenMP. */
#include "emit/dialect.h"
#include "target/target.h"

const struct target target_c = {
    .name = "c",
    .description = "C99 with OpenMP",
    .is_public = true,
    .has_threads = true,
    .has_vectors = true,
    .has_streams = true,
    .tile_bytes = 1 << 19,
    .byte_cost = 4,
    .dialect = &dialect_c,
};
