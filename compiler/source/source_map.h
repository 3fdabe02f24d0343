/* The text of all files of one compilation, laid end to end in one offset space that starts at 1;
 * between two files at least one offset is unused. */
#ifndef FLTC_SOURCE_SOURCE_MAP_H
#define FLTC_SOURCE_SOURCE_MAP_H

#include "source/span.h"
#include "support/arena.h"
#include "support/vector.h"

struct source_file {
    const char *name;     /* as the user wrote it; shown in messages */
    const char *text;     /* NUL-terminated */
    uint32_t length;      /* bytes, the NUL not counted */
    uint32_t start;       /* offset of text[0] in the source map */
    const uint32_t *line; /* offset in text of the first byte of each line */
    uint32_t line_count;
};

struct source_map {
    struct arena *arena;
    VECTOR(const struct source_file *) file;
    uint32_t end; /* next free offset; 0 before the first file */
};

struct source_place {
    const struct source_file *file;
    uint32_t line, column; /* 1-based; the column counts bytes */
};

/* The text is copied. Returns NULL when the map would exceed 2^31 bytes. */
const struct source_file *source_map_add(struct source_map *map, const char *name, const char *text,
                                         size_t length);
/* Before any file is added: the offsets below `end` are of files that the map does not have. */
void source_map_reserve(struct source_map *map, uint32_t end);
/* The file that holds the offset, NULL for an offset in none (as {0, 0}). */
const struct source_file *source_map_file(const struct source_map *map, uint32_t offset);
/* file is NULL for an offset in no file. */
struct source_place source_map_place(const struct source_map *map, uint32_t offset);

#endif
