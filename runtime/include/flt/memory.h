/* Memory for objects whose size is known only when they are computed. */
#ifndef FLT_MEMORY_H
#define FLT_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where an object takes its memory from. take: bytes aligned to 64, or NULL; give_back: of what
 * take returned. Both may be called from the thread of a call alone. */
struct flt_allocator {
    void *(*take)(void *user, size_t bytes);
    void (*give_back)(void *user, void *memory);
    void *user;
};

#ifdef __cplusplus
}
#endif

#endif
