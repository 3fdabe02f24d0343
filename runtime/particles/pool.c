#include "particles/internal.h"

#include <stdlib.h>
#include <unistd.h>

int apr_threads(int threads)
{
    const long processors = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : (int)processors;
}

int room_threads(int threads)
{
    return (int)least_of(apr_threads(threads), FLT_APR_MOST_THREADS);
}

enum { ALIGNMENT = 64 };

static void *take_of_malloc(void *user, size_t bytes)
{
    (void)user;
    void *memory = NULL;
    return posix_memalign(&memory, ALIGNMENT, bytes) == 0 ? memory : NULL;
}

static void give_back_to_malloc(void *user, void *memory)
{
    (void)user;
    free(memory);
}

struct pool pool_open(const struct flt_allocator *allocator)
{
    static const struct flt_allocator of_malloc = {take_of_malloc, give_back_to_malloc, NULL};
    return (struct pool){.allocator = allocator && allocator->take ? *allocator : of_malloc};
}

static void *take_of_room(void *user, size_t bytes)
{
    struct room *room = user;
    const size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (whole > (size_t)(room->end - room->at))
        return NULL;
    room->at += whole;
    return room->at - whole;
}

/* The last one first. */
static void give_back_to_room(void *user, void *memory)
{
    struct room *room = user;
    room->at = memory;
}

struct pool pool_in_room(struct room *room)
{
    const struct flt_allocator of_room = {take_of_room, give_back_to_room, room};
    return pool_open(&of_room);
}

/* A block begins with the one that was taken before it. */
void *pool_take(struct pool *pool, uint64_t count, size_t bytes)
{
    if (pool->failed || count > (SIZE_MAX - 2 * ALIGNMENT) / bytes) {
        pool->failed = true;
        return NULL;
    }
    char *block = pool->allocator.take(pool->allocator.user, (size_t)count * bytes + 2 * ALIGNMENT);
    if (!block) {
        pool->failed = true;
        return NULL;
    }
    *(void **)(void *)block = pool->blocks;
    pool->blocks = block;
    return block + ALIGNMENT;
}

void *pool_mark(const struct pool *pool)
{
    return pool->blocks;
}

void pool_release(struct pool *pool, void *mark)
{
    while (pool->blocks && pool->blocks != mark) {
        void *before = *(void **)pool->blocks;
        pool->allocator.give_back(pool->allocator.user, pool->blocks);
        pool->blocks = before;
    }
}

int grids_of(const struct grid *pixels, struct grid level[FLT_APR_LEVELS + 1])
{
    const int64_t most = greatest_of(pixels->extent[AXIS_Z],
                                     greatest_of(pixels->extent[AXIS_Y], pixels->extent[AXIS_X]));
    int levels = 1;
    while (((int64_t)1 << levels) < most)
        levels++;
    level[levels] = *pixels;
    for (int l = levels; l > 0; l--)
        level[l - 1] = grid_half(&level[l]);
    return levels;
}
