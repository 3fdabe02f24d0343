/* Offsets to files and lines, by binary search in the ascending starts of each. A file holds the
 * offset just after its text too: a message about the end of a file has its place there. */
#include "source/source_map.h"

#include <string.h>

static const uint32_t *line_starts(struct arena *arena, const char *text, uint32_t length,
                                   uint32_t *count)
{
    *count = 1;
    for (uint32_t i = 0; i < length; i++)
        *count += text[i] == '\n';
    uint32_t *line = ARENA_ARRAY(arena, uint32_t, *count);
    uint32_t next = 1;
    for (uint32_t i = 0; i < length; i++)
        if (text[i] == '\n')
            line[next++] = i + 1;
    return line;
}

const struct source_file *source_map_add(struct source_map *map, const char *name, const char *text,
                                         size_t length)
{
    const uint32_t limit = UINT32_C(1) << 31;
    const uint32_t start = map->end ? map->end : 1;
    if (length >= limit - start)
        return NULL;
    struct source_file *file = ARENA_NEW(map->arena, struct source_file);
    *file = (struct source_file){
        .name = arena_text(map->arena, name, strlen(name)),
        .text = arena_text(map->arena, text, length),
        .length = (uint32_t)length,
        .start = start,
    };
    file->line = line_starts(map->arena, file->text, file->length, &file->line_count);
    VECTOR_PUSH(map->arena, &map->file, file);
    map->end = start + file->length + 1;
    return file;
}

void source_map_reserve(struct source_map *map, uint32_t end)
{
    map->end = end;
}

const struct source_file *source_map_file(const struct source_map *map, uint32_t offset)
{
    if (map->file.count == 0 || offset < map->file.item[0]->start || offset >= map->end)
        return NULL;
    size_t low = 0, high = map->file.count; /* the file is in [low, high) */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (map->file.item[middle]->start <= offset)
            low = middle;
        else
            high = middle;
    }
    return map->file.item[low];
}

struct source_place source_map_place(const struct source_map *map, uint32_t offset)
{
    const struct source_file *file = source_map_file(map, offset);
    if (!file)
        return (struct source_place){0};
    const uint32_t at = offset - file->start;
    uint32_t low = 0, high = file->line_count; /* the line is in [low, high) */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (file->line[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return (struct source_place){
        .file = file,
        .line = low + 1,
        .column = at - file->line[low] + 1,
    };
}
