/* Bump allocation. Memory of an arena is released all at once; nothing in it is freed by itself.
 * There is no failure to handle: when the system has no memory left, the arena prints one line,
 * calls the hook set by arena_on_exhaustion (which removes unfinished outputs) and exits with 2. */
#ifndef FLTC_SUPPORT_ARENA_H
#define FLTC_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;
struct arena_mark {
    void *block;
    size_t used;
};

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);

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

/* hook runs before the exit when memory is exhausted; it must not allocate. NULL: none. */
void arena_on_exhaustion(void (*hook)(void));

#define ARENA_NEW(arena, type) ((type *)arena_allocate((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_allocate((arena), (count) * sizeof(type)))

#endif
