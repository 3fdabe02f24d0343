/* Open addressing with linear probing; the capacity is a power of two, at most half of it filled.
 * A grown table is a new one; the old one stays in the arena, as all tables before together are
 * smaller than the new one. */
#include "support/hash_map.h"

#include <stdbool.h>
#include <string.h>

struct key {
    const void *bytes;
    size_t length; /* IDENTITY: the key is the pointer itself */
};

static const size_t IDENTITY = SIZE_MAX;

struct hash_entry {
    uint64_t hash; /* 0: the entry is free */
    struct key key;
    void *value;
};

static const uint64_t TAKEN = UINT64_C(1) << 63; /* set in each stored hash, so that none is 0 */

/* FNV-1a (Fowler, Noll, Vo), whose low bits depend only on low bits, followed by the finalizer of
 * MurmurHash3 (Appleby), which spreads them. */
uint64_t hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *byte = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

static uint64_t hash_of(struct key key)
{
    if (key.length == IDENTITY)
        return TAKEN | hash_bytes(&key.bytes, sizeof key.bytes, 0);
    return TAKEN | hash_bytes(key.bytes, key.length, 0);
}

static bool same_key(struct key a, struct key b)
{
    if (a.length != b.length)
        return false;
    if (a.length == IDENTITY)
        return a.bytes == b.bytes;
    return a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* The entry with the key, or the free one where it belongs. The map has a free entry. */
static struct hash_entry *locate(const struct hash_map *map, struct key key, uint64_t hash)
{
    const size_t mask = map->capacity - 1;
    size_t at = (size_t)hash & mask;
    while (map->entry[at].hash &&
           (map->entry[at].hash != hash || !same_key(map->entry[at].key, key)))
        at = (at + 1) & mask;
    return &map->entry[at];
}

static void grow(struct arena *arena, struct hash_map *map)
{
    const struct hash_map old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : 16;
    map->entry = ARENA_ARRAY(arena, struct hash_entry, map->capacity);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entry[i].hash)
            *locate(map, old.entry[i].key, old.entry[i].hash) = old.entry[i];
}

static void *find(const struct hash_map *map, struct key key)
{
    return map->count ? locate(map, key, hash_of(key))->value : NULL;
}

static void put(struct arena *arena, struct hash_map *map, struct key key, void *value)
{
    if (2 * (map->count + 1) > map->capacity)
        grow(arena, map);
    const uint64_t hash = hash_of(key);
    struct hash_entry *entry = locate(map, key, hash);
    map->count += entry->hash == 0;
    *entry = (struct hash_entry){.hash = hash, .key = key, .value = value};
}

void *hash_map_find(const struct hash_map *map, const void *key)
{
    return find(map, (struct key){key, IDENTITY});
}

void hash_map_put(struct arena *arena, struct hash_map *map, const void *key, void *value)
{
    put(arena, map, (struct key){key, IDENTITY}, value);
}

void *hash_map_find_bytes(const struct hash_map *map, const void *key, size_t length)
{
    return find(map, (struct key){key, length});
}

void hash_map_put_bytes(struct arena *arena, struct hash_map *map, const void *key, size_t length,
                        void *value)
{
    put(arena, map, (struct key){key, length}, value);
}
