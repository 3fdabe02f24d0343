/* Bump allocation: a stack of blocks, the newest on top; only the top one is allocated from.
 * A request that does not fit opens a new block, as large as the request if that is more than
 * usual. So a mark is the top block and its fill, and releasing pops the blocks above it; those of
 * the usual size are kept for what comes next, as pages that the system hands out anew cost more
 * than what most passes do with them.
 * Under AddressSanitizer whatever is not handed out is poisoned, and a red zone follows each
 * allocation, so that running over its end is reported as it would be with malloc. */
#include "support/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define ARENA_UNDER_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_UNDER_ASAN 1
#endif
#endif

#ifdef ARENA_UNDER_ASAN
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 16 };
#else
enum { RED_ZONE = 0 };
#endif

enum {
    ALIGNMENT = alignof(max_align_t),
    USUAL_BLOCK = 64 * 1024, /* bytes */
};

struct block {
    struct block *below; /* older */
    size_t capacity;     /* of bytes */
    size_t used;         /* of bytes; a multiple of ALIGNMENT */
    alignas(max_align_t) unsigned char bytes[];
};

struct family {
    struct arena_escape escape;
    struct arena *first; /* of all its arenas */
};

struct arena {
    struct block *top;   /* NULL while nothing has been allocated */
    struct block *spare; /* popped, of the usual size */
    struct arena *aside; /* NULL until it is asked for */
    struct family *family;
    struct arena *before, *behind; /* in the family */
};

static _Noreturn void exhausted(const struct arena_escape *escape)
{
    if (escape->leave)
        escape->leave(escape->context);
    abort();
}

static void poison(const void *from, size_t bytes)
{
#ifdef ARENA_UNDER_ASAN
    __asan_poison_memory_region(from, bytes);
#else
    (void)from, (void)bytes;
#endif
}

static void unpoison(const void *from, size_t bytes)
{
#ifdef ARENA_UNDER_ASAN
    __asan_unpoison_memory_region(from, bytes);
#else
    (void)from, (void)bytes;
#endif
}

static void *allocate_or_leave(const struct arena_escape *escape, size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        exhausted(escape);
    return memory;
}

static void push_block(struct arena *arena, size_t least)
{
    const size_t capacity = least > USUAL_BLOCK ? least : USUAL_BLOCK;
    struct block *block = capacity == USUAL_BLOCK ? arena->spare : NULL;
    if (block)
        arena->spare = block->below;
    else
        block = allocate_or_leave(&arena->family->escape, sizeof *block + capacity);
    *block = (struct block){.below = arena->top, .capacity = capacity};
    poison(block->bytes, capacity);
    arena->top = block;
}

static void free_block(struct block *block)
{
    unpoison(block->bytes, block->capacity);
    free(block);
}

static void pop_block(struct arena *arena)
{
    struct block *block = arena->top;
    arena->top = block->below;
    if (block->capacity != USUAL_BLOCK) {
        free_block(block);
        return;
    }
    poison(block->bytes, block->capacity);
    block->below = arena->spare;
    arena->spare = block;
}

static struct arena *add_arena(struct family *family)
{
    struct arena *arena = allocate_or_leave(&family->escape, sizeof *arena);
    *arena = (struct arena){.family = family, .behind = family->first};
    if (family->first)
        family->first->before = arena;
    family->first = arena;
    return arena;
}

struct arena *arena_create_family(const struct arena_escape *escape)
{
    const struct arena_escape given = escape ? *escape : (struct arena_escape){NULL, NULL};
    struct family *family = malloc(sizeof *family);
    struct arena *arena = malloc(sizeof *arena);
    if (!family || !arena) {
        free(family);
        free(arena);
        exhausted(&given);
    }
    *family = (struct family){given, arena};
    *arena = (struct arena){.family = family};
    return arena;
}

struct arena *arena_sibling(struct arena *arena)
{
    return add_arena(arena->family);
}

struct arena *arena_create(void)
{
    return arena_create_family(NULL);
}

/* The last one takes the family along. */
static void leave_family(struct arena *arena)
{
    if (arena->behind)
        arena->behind->before = arena->before;
    if (arena->before)
        arena->before->behind = arena->behind;
    else
        arena->family->first = arena->behind;
    if (!arena->family->first)
        free(arena->family);
}

void arena_destroy_family(struct arena *arena)
{
    struct family *family = arena->family;
    for (bool is_last = false; !is_last;) {
        struct arena *first = family->first;
        is_last = !first->behind;
        first->aside = NULL; /* it is of the family, too */
        arena_destroy(first);
    }
}

void arena_destroy(struct arena *arena)
{
    if (arena->aside)
        arena_destroy(arena->aside);
    arena_release(arena, (struct arena_mark){0});
    while (arena->spare) {
        struct block *block = arena->spare;
        arena->spare = block->below;
        free_block(block);
    }
    leave_family(arena);
    free(arena);
}

void *arena_allocate(struct arena *arena, size_t bytes)
{
    if (bytes > PTRDIFF_MAX - USUAL_BLOCK)
        exhausted(&arena->family->escape);
    const size_t taken = (bytes + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->top || taken > arena->top->capacity - arena->top->used)
        push_block(arena, taken);
    struct block *block = arena->top;
    void *memory = block->bytes + block->used;
    block->used += taken;
    unpoison(memory, bytes);
    return memset(memory, 0, bytes);
}

void *arena_copy(struct arena *arena, const void *from, size_t bytes)
{
    void *copy = arena_allocate(arena, bytes);
    if (bytes) /* memcpy takes no NULL */
        memcpy(copy, from, bytes);
    return copy;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_allocate(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_vformat(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(length >= 0 && "a format that printf accepts");
    char *text = arena_allocate(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vformat(arena, format, arguments);
    va_end(arguments);
    return text;
}

struct arena_mark arena_mark(struct arena *arena)
{
    return (struct arena_mark){.block = arena->top, .used = arena->top ? arena->top->used : 0};
}

void arena_release(struct arena *arena, struct arena_mark mark)
{
    while (arena->top != mark.block) {
        assert(arena->top && "the mark is of this arena and was not released");
        pop_block(arena);
    }
    if (!arena->top)
        return;
    assert(mark.used <= arena->top->used && "marks are released newest first");
    arena->top->used = mark.used;
    poison(arena->top->bytes + mark.used, arena->top->capacity - mark.used);
}

struct arena *arena_aside(struct arena *arena)
{
    if (!arena->aside)
        arena->aside = arena_sibling(arena);
    return arena->aside;
}

size_t arena_bytes(const struct arena *arena)
{
    size_t bytes = 0;
    for (const struct block *block = arena->top; block; block = block->below)
        bytes += block->used;
    return bytes;
}
