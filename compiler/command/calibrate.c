/* Copies within less and less memory: while all of it lies in a core's own cache the rate stays,
 * and memory is slower by a factor that tells what a byte from there costs. */
#include "command/calibrate.h"
#include "command/cache.h"
#include "command/profile.h"
#include "support/hash_map.h"

#include <stdlib.h>
#include <string.h>

/* MEASURED: bytes copied for one time. */
enum { LEAST_TILE = 1 << 17, MOST_TILE = 1 << 19, BEYOND_CACHES = 1 << 26, MEASURED = 1 << 23 };
enum { TIMES = 7, MOST_BYTE_COST = 16 };

struct measured {
    unsigned tile_bytes, byte_cost;
};

/* Of a byte, one half of so much memory copied to the other; the least of some times. */
static double seconds_of_byte(char *memory, size_t bytes)
{
    const size_t copies = bytes < MEASURED ? MEASURED / bytes : 1;
    double least = 1;
    for (int time = 0; time < TIMES; time++) {
        const double start = profile_now();
        for (size_t i = 0; i < copies; i++)
            memcpy(memory + i % 2 * (bytes / 2), memory + (1 - i % 2) * (bytes / 2), bytes / 2);
        const double seconds = (profile_now() - start) / (double)(copies * bytes);
        least = seconds < least ? seconds : least;
    }
    return least;
}

static bool measure(struct measured *facts)
{
    char *memory = malloc(BEYOND_CACHES);
    if (!memory)
        return false;
    memset(memory, 1, BEYOND_CACHES);
    const double near = seconds_of_byte(memory, LEAST_TILE);
    const double far = seconds_of_byte(memory, BEYOND_CACHES);
    facts->tile_bytes = LEAST_TILE;
    while (facts->tile_bytes < MOST_TILE &&
           seconds_of_byte(memory, 2 * (size_t)facts->tile_bytes) < 1.5 * near)
        facts->tile_bytes *= 2;
    free(memory);
    /* Four operations where memory is three times as slow, as the target's own table has it. */
    const double cost = near > 0 ? 4.0 / 3 * far / near : 4;
    facts->byte_cost = 1;
    while (facts->byte_cost < MOST_BYTE_COST && facts->byte_cost * 1.5 < cost)
        facts->byte_cost *= 2;
    return true;
}

static bool is_possible(const struct measured *facts)
{
    return facts->tile_bytes >= LEAST_TILE && facts->tile_bytes <= MOST_TILE &&
           facts->byte_cost >= 1 && facts->byte_cost <= MOST_BYTE_COST;
}

/* A rate of memory is not known, only what a byte of it costs. */
static const struct target *target_of_machine(struct arena *arena, const struct target *target,
                                              const struct measured *facts)
{
    struct machine machine = *target_machine(target);
    machine.name = "this";
    machine.shared_bytes = facts->tile_bytes;
    machine.bytes_a_second = machine.f32_rate / (2.0 * facts->byte_cost);
    struct target *calibrated = arena_copy(arena, target, sizeof *target);
    calibrated->machine = arena_copy(arena, &machine, sizeof machine);
    return calibrated;
}

const struct target *target_calibrated(struct command_context *c, const struct target *target)
{
    struct arena *arena = c->session->permanent;
    if (c->options->no_cache || c->options->machine || target->fast.owner != OWNER_CORE)
        return target;
    struct cache cache = cache_open(c->session);
    if (cache.folder < 0)
        return target;
    const char *processor = cache_processor(arena);
    const char *name = arena_format(
        arena, "machine_%016llx", (unsigned long long)hash_bytes(processor, strlen(processor), 1));
    struct text content = text_create(arena);
    struct measured facts;
    if (!cache_take(&cache, name, &content) ||
        sscanf(content.bytes, "tile_bytes %u byte_cost %u", &facts.tile_bytes, &facts.byte_cost) !=
            2 ||
        !is_possible(&facts)) {
        if (!measure(&facts)) {
            cache_close(&cache);
            return target;
        }
        content = text_create(arena);
        text_print(&content, "tile_bytes %u byte_cost %u\n", facts.tile_bytes, facts.byte_cost);
        cache_keep(arena, &cache, name, &content);
    }
    cache_close(&cache);
    return target_of_machine(arena, target, &facts);
}
