/* One piece of memory: a stack, then what is allocated, never freed before all is. */
#include "memory.h"

#include "../simulator/simulator.h"

#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
    STACK = 16 << 20,
    STACKS = 80 << 20,
    SIZE = 288 << 20,
    MOST_BYTES = 64 << 20,
    LINE = 64,
    GARBAGE = 0x5b
};

struct cpp_memory cpp_memory;
static size_t used;
/* What blocks of threads share. Two launches have other places: no kernel is launched twice. */
enum { MOST_SHARED = 4096 };
static struct shared {
    int place;
    int64_t block[3];
    void *memory;
} shared_memory[MOST_SHARED];
static size_t shared_count;
static uint64_t streams_from = UINT64_MAX;

bool memory_open(void)
{
    const size_t shadow = (size_t)SIZE * sizeof *cpp_memory.shadow;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *const base = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    void *const words = mmap(NULL, shadow, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (base == MAP_FAILED || words == MAP_FAILED)
        return false;
    cpp_memory = (struct cpp_memory){base, SIZE, words};
    memory_clear();
    return true;
}

void memory_clear(void)
{
    madvise(cpp_memory.base, SIZE, MADV_DONTNEED);
    madvise(cpp_memory.shadow, (size_t)SIZE * sizeof *cpp_memory.shadow, MADV_DONTNEED);
    used = STACK + STACKS;
    shared_count = 0;
}

/* ---- Threads of the simulator ---- */

void *memory_of_thread(size_t bytes)
{
    static size_t of_threads;
    char *const stack = cpp_memory.base + STACK + of_threads;
    of_threads += bytes;
    return of_threads <= STACKS ? stack : NULL;
}

static bool is_of_block(const struct shared *shared)
{
    return shared->block[0] == sim_grid(0) && shared->block[1] == sim_grid(1) &&
           shared->block[2] == sim_grid(2);
}

void *cpp_shared(int place, size_t bytes)
{
    for (size_t i = shared_count; i-- > 0;)
        if (shared_memory[i].place == place && is_of_block(&shared_memory[i]))
            return shared_memory[i].memory;
    if (shared_count == MOST_SHARED)
        return NULL;
    struct shared *const shared = &shared_memory[shared_count++];
    *shared = (struct shared){place, {sim_grid(0), sim_grid(1), sim_grid(2)}, cpp_malloc(bytes)};
    return shared->memory;
}

void memory_stream_from(uint64_t bytes)
{
    streams_from = bytes;
}

uint64_t cpp_stream_bytes(void)
{
    return streams_from;
}

/* ---- The stack ---- */

static struct {
    ucontext_t caller, own;
    void (*function)(void *context);
    void *context;
} running;

static void enter(void)
{
    running.function(running.context);
}

void memory_run(void (*function)(void *context), void *context)
{
    running.function = function;
    running.context = context;
    getcontext(&running.own);
    running.own.uc_stack.ss_sp = cpp_memory.base;
    running.own.uc_stack.ss_size = STACK;
    running.own.uc_link = &running.caller;
    makecontext(&running.own, enter, 0);
    swapcontext(&running.caller, &running.own);
}

/* ---- The shadow ---- */

static size_t place_of(const void *at)
{
    return (size_t)((const char *)at - cpp_memory.base);
}

void memory_set_term(void *at, size_t bytes, const struct expr *term)
{
    const struct expr **const shadow = cpp_memory.shadow + place_of(at);
    for (size_t i = 0; i < bytes; i++)
        shadow[i] = i == 0 ? term : term ? CPP_REST : NULL;
}

const struct expr *memory_shadow(const void *at)
{
    return cpp_memory.shadow[place_of(at)];
}

/* ---- What text calls ---- */

void *cpp_malloc(size_t bytes)
{
    if (bytes > MOST_BYTES || used + bytes + 2 * LINE > SIZE)
        return NULL;
    used = (used + LINE - 1) / LINE * LINE;
    char *const memory = cpp_memory.base + used;
    used += bytes + LINE; /* what is behind the last byte is never written */
    memset(memory, GARBAGE, bytes + LINE);
    for (size_t i = 0; i < bytes + LINE; i++)
        cpp_memory.shadow[place_of(memory) + i] = CPP_UNWRITTEN;
    return memory;
}

void *cpp_aligned_alloc(size_t alignment, size_t bytes)
{
    (void)alignment;
    return cpp_malloc(bytes);
}

void *cpp_calloc(size_t count, size_t bytes)
{
    void *const memory = cpp_malloc(count * bytes);
    return memory ? cpp_memset(memory, 0, count * bytes) : NULL;
}

void cpp_free(void *memory)
{
    (void)memory;
}

void *cpp_memcpy(void *to, const void *from, size_t bytes)
{
    const size_t target = place_of(to), source = place_of(from);
    if (target < SIZE && source < SIZE)
        memmove(cpp_memory.shadow + target, cpp_memory.shadow + source,
                bytes * sizeof *cpp_memory.shadow);
    else if (target < SIZE)
        memset(cpp_memory.shadow + target, 0, bytes * sizeof *cpp_memory.shadow);
    return memmove(to, from, bytes);
}

void *cpp_memset(void *to, int value, size_t bytes)
{
    if (place_of(to) < SIZE)
        memset(cpp_memory.shadow + place_of(to), 0, bytes * sizeof *cpp_memory.shadow);
    return memset(to, value, bytes);
}
