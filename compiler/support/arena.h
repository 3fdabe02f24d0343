/* Bump allocation. Memory of an arena is released all at once; nothing in it is freed by itself.
 * There is no failure to handle: when the system has no memory left, the way out of the arena's
 * family is taken. */
#ifndef FLTC_SUPPORT_ARENA_H
#define FLTC_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;
struct arena_mark {
    void *block;
    size_t used;
};

/* What is called when memory is exhausted: it does not return and does not allocate. */
struct arena_escape {
    void (*leave)(void *context);
    void *context;
};

/* The first arena of a family. NULL: exhausted memory aborts the program. */
struct arena *arena_create_family(const struct arena_escape *escape);
/* Another one of the same family, which lives until it is destroyed or the family is. */
struct arena *arena_sibling(struct arena *arena);
/* Of a family of its own, without a way out. */
struct arena *arena_create(void);
void arena_destroy(struct arena *arena);
/* All arenas of the family that this one belongs to. */
void arena_destroy_family(struct arena *arena);

/* Zeroed memory, aligned for any type. */
void *arena_allocate(struct arena *arena, size_t bytes);
void *arena_copy(struct arena *arena, const void *from, size_t bytes);
/* A NUL-terminated copy of `length` bytes. */
char *arena_text(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vformat(struct arena *arena, const char *format, va_list arguments);

struct arena_mark arena_mark(struct arena *arena);
/* Gives back everything allocated since the mark. */
void arena_release(struct arena *arena, struct arena_mark mark);
/* Another arena, which lives as long: for what a function needs only while it runs, when those that
 * it calls take memory of the first one that stays. It releases what it took before it returns. */
struct arena *arena_aside(struct arena *arena);
/* Bytes in use, alignment included, for tests of what stays allocated. */
size_t arena_bytes(const struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_allocate((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_allocate((arena), (count) * sizeof(type)))

#endif
