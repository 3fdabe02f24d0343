/* Pointer or bytes → pointer. Lives in an arena; iteration is not offered, so that nothing can
 * depend on addresses. */
#ifndef FLTC_SUPPORT_HASH_MAP_H
#define FLTC_SUPPORT_HASH_MAP_H

#include "support/arena.h"

#include <stdint.h>

struct hash_map {
    struct hash_entry *entry;
    size_t count, capacity;
};

uint64_t hash_bytes(const void *bytes, size_t length, uint64_t seed);

/* NULL where the key is absent. */
void *hash_map_find(const struct hash_map *map, const void *key);
void hash_map_put(struct arena *arena, struct hash_map *map, const void *key, void *value);

/* The same, keys being bytes; the bytes are not copied. */
void *hash_map_find_bytes(const struct hash_map *map, const void *key, size_t length);
void hash_map_put_bytes(struct arena *arena, struct hash_map *map, const void *key, size_t length,
                        void *value);

#endif
