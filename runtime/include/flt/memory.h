/* A memory allocator of the caller, for objects whose size is known only when they are made. */
#ifndef FLT_MEMORY_H
#define FLT_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where an object gets its memory. take returns memory aligned to 64 bytes, or NULL. give_back
 * frees what take returned. Both are called only in the thread that calls the library. user is
 * handed to both. */
struct flt_allocator {
    void *(*take)(void *user, size_t bytes);
    void (*give_back)(void *user, void *memory);
    void *user;
};

#ifdef __cplusplus
}
#endif

#endif
