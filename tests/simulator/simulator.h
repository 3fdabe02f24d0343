/* Executes kernels of blocks of threads on the CPU. The threads of a block are coroutines; a
 * barrier passes control to the next one. Blocks run one after another. Between barriers the order
 * of the threads is shuffled by sim_seed, so that code that relies on an order fails. */
#ifndef SIMULATOR_H
#define SIMULATOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIM_SHARED static _Alignas(16)

/* So many samples at once between memory, where they begin at a multiple, and registers. */
#define sim_load(count, from, to)                                                                  \
    memcpy(to, sim_aligned(from, (count) * sizeof *(to)), (count) * sizeof *(to))
#define sim_store(count, to, from)                                                                 \
    memcpy((void *)(uintptr_t)sim_aligned(to, (count) * sizeof *(to)), from, (count) * sizeof *(to))
/* The place; that it is no multiple of so many bytes is a fault. */
const void *sim_aligned(const void *place, size_t bytes);

typedef void sim_kernel(const void *argument);

void sim_launch(sim_kernel *kernel, const void *argument, int64_t grid_x, int64_t grid_y,
                int64_t grid_z, int64_t block_x, int64_t block_y);
/* Called by kernels. */
int64_t sim_grid(int axis);
int64_t sim_blocks(int axis); /* of the launch */
int64_t sim_thread(int axis);
void sim_barrier(void);

/* Of an integer of 32 bits and a value of its type; a macro: the sum is modulo 2^32. */
#define sim_add(at, value) (void)(*(at) = (uint32_t)*(at) + (uint32_t)(value))
#define sim_min(at, value) sim_join(at, value, <)
#define sim_max(at, value) sim_join(at, value, >)
#define sim_join(at, value, before)                                                                \
    do {                                                                                           \
        const int64_t joined = (value);                                                            \
        if (joined before *(at))                                                                   \
            *(at) = joined;                                                                        \
    } while (0)

/* The error that the call at hand is to fail with, 0 for none: of the calls that ask, that of the
 * number gives it. number 0: none does. */
void sim_fail_at(int number, int error);
int sim_next_failure(void);
/* How many have asked since. */
int sim_calls(void);

/* Order of threads; 0: as numbered. Set before a launch. */
void sim_seed(uint64_t seed);
/* All memory is the device's but this; NULL: that is all. */
extern const void *sim_host_memory;

/* NULL, or what a kernel did wrong since the last call: a barrier that not all threads reached. */
const char *sim_fault(void);

#ifdef __cplusplus
}
#endif

#endif
