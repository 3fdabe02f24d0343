#include "command/cache.h"
#include "command/output.h"
#include "command/trust.h"
#include "support/hash_map.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 28 };

/* The folder in which the cache's own is, or NULL. */
static const char *base_folder(struct arena *arena)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/')
        return base;
    return home && home[0] == '/' ? arena_format(arena, "%s/.cache", home) : NULL;
}

static void warn(struct session *session, const char *path, const char *reason, const char *help)
{
    if (session->cache_is_refused)
        return;
    session->cache_is_refused = true;
    struct diagnostic *d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_W0903,
                                             (struct span){0, 0}, path, reason);
    diagnostic_help(&session->diagnostics, d, "%s", help);
}

struct cache cache_open(struct session *session)
{
    struct arena *arena = session->permanent;
    const char *base = base_folder(arena), *reason = NULL;
    if (!base || session->cache_is_refused)
        return (struct cache){NULL, -1};
    const char *path = arena_format(arena, "%s/fltc", base);
    const int parent = output_make_folders(path, 0700) ? trust_open(arena, base, &reason) : -1;
    if (reason)
        warn(session, path, reason, "name a folder of your own: XDG_CACHE_HOME=/path");
    const int folder = parent >= 0 ? trust_open_own(arena, parent, "fltc", &reason) : -1;
    if (parent >= 0)
        close(parent);
    if (parent >= 0 && reason)
        warn(session, path, reason,
             "delete it, or name a folder of your own: XDG_CACHE_HOME=/path");
    return (struct cache){path, folder};
}

void cache_close(struct cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
    cache->folder = -1;
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

/* A file ends with a hash of its name and what stands before it, which the dynamic linker ignores:
 * an object that is damaged would not be refused by it, but end the process. */
static uint64_t seal_of(const char *name, const struct text *content)
{
    return hash_bytes(content->bytes, content->length, hash_bytes(name, strlen(name), 3));
}

/* A file of this user's alone: no link, no pipe that would be waited for. */
static int open_own_file(int folder, const char *name)
{
    struct stat status;
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)) &&
        status.st_size <= MOST_BYTES)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

bool cache_take(const struct cache *cache, const char *name, struct text *content)
{
    uint64_t seal;
    const int file = cache->folder >= 0 ? open_own_file(cache->folder, name) : -1;
    char chunk[1 << 14];
    ssize_t got = -1;
    while (file >= 0 && (got = read(file, chunk, sizeof chunk)) > 0 && content->length < MOST_BYTES)
        text_append(content, chunk, (size_t)got);
    if (file >= 0)
        close(file);
    if (got != 0 || content->length <= sizeof seal)
        return false;
    content->length -= sizeof seal;
    memcpy(&seal, content->bytes + content->length, sizeof seal);
    content->bytes[content->length] = '\0';
    return seal == seal_of(name, content);
}

static bool write_all(int file, const void *bytes, size_t length)
{
    ssize_t put = 0;
    for (size_t done = 0; done < length && put >= 0; done += put > 0 ? (size_t)put : 0)
        put = write(file, (const char *)bytes + done, length - done);
    return put >= 0;
}

void cache_keep(struct arena *arena, const struct cache *cache, const char *name,
                const struct text *content)
{
    const uint64_t seal = seal_of(name, content);
    uint64_t random;
    if (cache->folder < 0 || getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return;
    const char *temporary = arena_format(arena, ".%016llx", (unsigned long long)random);
    const int file = openat(cache->folder, temporary,
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    const bool written =
        write_all(file, content->bytes, content->length) && write_all(file, &seal, sizeof seal);
    if (close(file) != 0 || !written ||
        renameat(cache->folder, temporary, cache->folder, name) != 0)
        unlinkat(cache->folder, temporary, 0);
}
