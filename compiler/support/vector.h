/* A growable array of one type, in an arena.
 *     VECTOR(int) numbers = {0};
 *     VECTOR_PUSH(arena, &numbers, 42);      numbers.item[0], numbers.count */
#ifndef FLTC_SUPPORT_VECTOR_H
#define FLTC_SUPPORT_VECTOR_H

#include "support/arena.h"

#include <stddef.h>
#include <string.h>

#define VECTOR(type)                                                                               \
    struct {                                                                                       \
        type *item;                                                                                \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

#define VECTOR_PUSH(arena, vector, ...)                                                            \
    do {                                                                                           \
        if ((vector)->count == (vector)->capacity) {                                               \
            (vector)->capacity = (vector)->capacity ? 2 * (vector)->capacity : 8;                  \
            void *grown_ = arena_allocate((arena), (vector)->capacity * sizeof *(vector)->item);   \
            if ((vector)->count)                                                                   \
                memcpy(grown_, (vector)->item, (vector)->count * sizeof *(vector)->item);          \
            (vector)->item = grown_;                                                               \
        }                                                                                          \
        (vector)->item[(vector)->count++] = (__VA_ARGS__);                                         \
    } while (0)

#endif
