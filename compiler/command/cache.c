#include "command/cache.h"
#include "command/output.h"
#include "support/hash_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cache_folder(struct arena *arena)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/')
        return arena_format(arena, "%s/fltc", base);
    if (home && home[0] == '/')
        return arena_format(arena, "%s/.cache/fltc", home);
    return NULL;
}

const char *cache_processor(struct arena *arena)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    struct text text = text_create(arena);
    char line[8192];
    bool model = false, features = false;
    while (file && fgets(line, sizeof line, file) && !(model && features)) {
        if (!model && strncmp(line, "model name", 10) == 0) {
            text_append(&text, line, strlen(line));
            model = true;
        }
        if (!features && (strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0)) {
            text_append(&text, line, strlen(line));
            features = true;
        }
    }
    if (file)
        fclose(file);
    return text.length ? text.bytes : "";
}

/* A file ends with a hash of what stands before it, which the dynamic linker ignores: an object that is damaged would not be
 * refused by it, but end the process. */
static uint64_t seal_of(const struct text *content)
{
    return hash_bytes(content->bytes, content->length, 3);
}

bool cache_read_file(const char *path, struct text *content)
{
    FILE *file = fopen(path, "rb");
    char chunk[1 << 14];
    size_t got;
    while (file && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
        text_append(content, chunk, got);
    const bool good = file && !ferror(file);
    if (file)
        fclose(file);
    return good;
}

bool cache_take(const char *path, struct text *content)
{
    uint64_t seal;
    if (!cache_read_file(path, content) || content->length <= sizeof seal)
        return false;
    content->length -= sizeof seal;
    memcpy(&seal, content->bytes + content->length, sizeof seal);
    content->bytes[content->length] = '\0';
    return seal == seal_of(content);
}

void cache_keep(struct arena *arena, const char *path, const struct text *content)
{
    const char *temporary = arena_format(arena, "%s.%ld.tmp", path, (long)getpid());
    const uint64_t seal = seal_of(content);
    FILE *file = output_make_folders(path) ? fopen(temporary, "wb") : NULL;
    if (!file)
        return;
    const bool written = fwrite(content->bytes, 1, content->length, file) == content->length &&
                         fwrite(&seal, sizeof seal, 1, file) == 1;
    if (fclose(file) != 0 || !written || rename(temporary, path) != 0)
        unlink(temporary);
}
