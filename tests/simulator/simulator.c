/* Coroutines by ucontext: slow, but on every system, and sanitizers can follow them. With SIM_RACES
 * the thread sanitizer takes them for threads that nothing orders but barriers: it reports what two
 * threads of a block load and store between the same ones. Only the kernels are compiled with it,
 * not this file. */
#include "simulator.h"

#include <stdbool.h>
#include <stdlib.h>
#include <ucontext.h>
#ifdef SIM_RACES
#include <sanitizer/tsan_interface.h>
#endif

enum { MOST_THREADS = 1024, STACK_BYTES = 64 * 1024 };

enum state { READY, AT_BARRIER, DONE };

struct thread {
    ucontext_t context;
    enum state state;
    int64_t place[2];
    char *stack;
    void *fiber;  /* the sanitizer's */
    int barriers; /* how many it has passed */
};

/* A simulator runs one launch at a time, so its state is the file's. */
static struct {
    struct thread thread[MOST_THREADS];
    ucontext_t scheduler;
    sim_kernel *kernel;
    const void *argument;
    void *fiber;                  /* the scheduler's */
    char began, ended, passed[2]; /* what is ordered by: their addresses matter alone */
    int count, current, done;
    int64_t grid[3], blocks[3]; /* the block at hand; how many there are */
    uint64_t seed;
    const char *fault;
    int calls, failing_call, error;
} sim;

const void *sim_host_memory;

void sim_fail_at(int number, int error)
{
    sim.calls = 0;
    sim.failing_call = number;
    sim.error = error;
}

const void *sim_aligned(const void *place, size_t bytes)
{
    if ((uintptr_t)place % bytes)
        sim.fault = "an access of several samples begins inside of one";
    return place;
}

int sim_next_failure(void)
{
    sim.calls++;
    return sim.calls == sim.failing_call ? sim.error : 0;
}

int sim_calls(void)
{
    return sim.calls;
}

int64_t sim_grid(int axis)
{
    return sim.grid[axis];
}

int64_t sim_blocks(int axis)
{
    return sim.blocks[axis];
}

int64_t sim_thread(int axis)
{
    return sim.thread[sim.current].place[axis];
}

#ifdef SIM_RACES

/* What comes before `release` at a place comes before what is behind `acquire`. */
static void release(char *place)
{
    __tsan_release(place);
}

static void acquire(char *place)
{
    __tsan_acquire(place);
}

static void make_fiber(struct thread *thread)
{
    if (!sim.fiber)
        sim.fiber = __tsan_get_current_fiber();
    if (!thread->fiber)
        thread->fiber = __tsan_create_fiber(0);
}

static void switch_to(void *fiber)
{
    __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
}

#else

static void release(char *place)
{
    (void)place;
}

static void acquire(char *place)
{
    (void)place;
}

static void make_fiber(struct thread *thread)
{
    (void)thread;
}

static void switch_to(void *fiber)
{
    (void)fiber;
}

#endif

static void leave(enum state state)
{
    struct thread *self = &sim.thread[sim.current];
    self->state = state;
    switch_to(sim.fiber);
    swapcontext(&self->context, &sim.scheduler);
}

/* Two places in turn: a thread that is at the next barrier already orders nothing for one that
 * leaves this. */
void sim_barrier(void)
{
    char *const place = &sim.passed[sim.thread[sim.current].barriers++ % 2];
    release(place);
    leave(AT_BARRIER);
    acquire(place);
}

static void enter(void)
{
    acquire(&sim.began);
    sim.kernel(sim.argument);
    release(&sim.ended);
    leave(DONE);
}

static uint64_t next_random(void)
{
    sim.seed ^= sim.seed << 13;
    sim.seed ^= sim.seed >> 7;
    sim.seed ^= sim.seed << 17;
    return sim.seed;
}

static void shuffle(int order[])
{
    for (int i = 0; i < sim.count; i++)
        order[i] = i;
    for (int i = sim.count - 1; sim.seed && i > 0; i--) {
        const int k = (int)(next_random() % (uint64_t)(i + 1)), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

/* From one barrier to the next until all threads are done. */
static void run_block(void)
{
    int order[MOST_THREADS];
    sim.done = 0;
    for (int t = 0; t < sim.count; t++) {
        struct thread *thread = &sim.thread[t];
        thread->state = READY;
        thread->barriers = 0;
        make_fiber(thread);
        getcontext(&thread->context);
        thread->context.uc_stack.ss_sp = thread->stack;
        thread->context.uc_stack.ss_size = STACK_BYTES;
        thread->context.uc_link = NULL;
        makecontext(&thread->context, enter, 0);
    }
    release(&sim.began);
    while (sim.done < sim.count) {
        int waiting = 0;
        shuffle(order);
        for (int i = 0; i < sim.count; i++) {
            sim.current = order[i];
            if (sim.thread[order[i]].state != READY)
                continue;
            switch_to(sim.thread[order[i]].fiber);
            swapcontext(&sim.scheduler, &sim.thread[order[i]].context);
            sim.done += sim.thread[order[i]].state == DONE;
        }
        for (int t = 0; t < sim.count; t++) {
            waiting += sim.thread[t].state == AT_BARRIER;
            if (sim.thread[t].state == AT_BARRIER)
                sim.thread[t].state = READY;
        }
        if (waiting && sim.done)
            sim.fault = "a barrier was reached by some threads of a block while others had ended";
    }
    acquire(&sim.ended);
}

void sim_launch(sim_kernel *kernel, const void *argument, int64_t grid_x, int64_t grid_y,
                int64_t grid_z, int64_t block_x, int64_t block_y)
{
    sim.kernel = kernel;
    sim.argument = argument;
    sim.count = (int)(block_x * block_y);
    if (block_x * block_y > MOST_THREADS) {
        sim.fault = "a block has more than 1024 threads";
        return;
    }
    for (int t = 0; t < sim.count; t++) {
        struct thread *thread = &sim.thread[t];
        thread->place[0] = t % block_x;
        thread->place[1] = t / block_x;
        if (!thread->stack)
            thread->stack = (char *)malloc(STACK_BYTES);
        if (!thread->stack) {
            sim.fault = "there is not enough memory";
            return;
        }
    }
    sim.blocks[0] = grid_x;
    sim.blocks[1] = grid_y;
    sim.blocks[2] = grid_z;
    for (int64_t z = 0; z < grid_z; z++)
        for (int64_t y = 0; y < grid_y; y++)
            for (int64_t x = 0; x < grid_x; x++) {
                sim.grid[0] = x;
                sim.grid[1] = y;
                sim.grid[2] = z;
                run_block();
            }
}

void sim_seed(uint64_t seed)
{
    sim.seed = seed;
}

const char *sim_fault(void)
{
    const char *fault = sim.fault;
    sim.fault = NULL;
    return fault;
}
