#include "command/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OF_FOLDERS = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* A group of the user's own is as good as none: many systems give each user one, and let it
 * write. */
static bool others_write(const struct stat *status)
{
    const bool by_group =
        (status->st_mode & S_IWGRP) && status->st_gid != getegid() && status->st_gid;
    return by_group || (status->st_mode & S_IWOTH);
}

/* Whether the owner is one that the kernel has no number for here, as root is in many sandboxes: no
 * user of these. */
static bool is_outside(uid_t owner)
{
    enum { UNKNOWN_OWNER = 65534 };
    unsigned long first = 0, outside = 0, count = 0;
    FILE *map = owner == UNKNOWN_OWNER ? fopen("/proc/self/uid_map", "r") : NULL;
    const bool known = map && fscanf(map, "%lu %lu %lu", &first, &outside, &count) == 3;
    if (map)
        fclose(map);
    return known && count < 0xffffffff && owner - first >= count;
}

/* NULL: nobody else can replace what is in it. path: what the folder is called. */
static const char *distrust(struct arena *arena, const struct stat *status, const char *path)
{
    if (status->st_uid != geteuid() && status->st_uid != 0 && !is_outside(status->st_uid))
        return arena_format(arena, "'%s' belongs to another user", path);
    if (others_write(status) && !(status->st_mode & S_ISVTX))
        return arena_format(arena, "'%s' can be written by others", path);
    return NULL;
}

int trust_open(struct arena *arena, const char *path, const char **reason)
{
    char *real = realpath(path, NULL);
    struct stat status;
    *reason = NULL;
    int folder = real ? open("/", O_PATH | OF_FOLDERS) : -1;
    /* Each folder is opened in the one before it, so that what was looked at is what is gone
     * through. */
    for (char *part = real; folder >= 0;) {
        const size_t before = (size_t)(part - real);
        if (fstat(folder, &status) != 0 ||
            (*reason = distrust(arena, &status, before ? arena_text(arena, real, before) : "/"))) {
            close(folder);
            folder = -1;
            break;
        }
        if (!*part || !part[1])
            break;
        const size_t length = strcspn(part + 1, "/");
        const int inner = openat(folder, arena_text(arena, part + 1, length), O_PATH | OF_FOLDERS);
        close(folder);
        folder = inner;
        part += length + 1;
    }
    free(real);
    return folder;
}

int trust_open_own(struct arena *arena, int parent, const char *name, const char **reason)
{
    struct stat status;
    *reason = NULL;
    if (mkdirat(parent, name, 0700) != 0 && errno != EEXIST)
        return -1;
    const int folder = openat(parent, name, O_RDONLY | OF_FOLDERS);
    if (folder < 0) {
        if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            *reason = S_ISLNK(status.st_mode) ? "it is a link"
                      : S_ISDIR(status.st_mode) && status.st_uid != geteuid()
                          ? "it belongs to another user"
                          : NULL;
        return -1;
    }
    if (fstat(folder, &status) != 0 || status.st_uid != geteuid())
        *reason = "it belongs to another user";
    else if (status.st_mode & (S_IWGRP | S_IWOTH))
        *reason = arena_format(arena, "others can write it");
    else if (fchmod(folder, 0700) == 0 || !(status.st_mode & 077))
        return folder;
    close(folder);
    return -1;
}

const char *trust_temporary(struct arena *arena, const char *last)
{
    const char *const parents[] = {getenv("TMPDIR"), "/tmp", last};
    for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++) {
        const char *reason;
        const int folder = parents[i] && *parents[i] ? trust_open(arena, parents[i], &reason) : -1;
        char *real = folder >= 0 ? realpath(parents[i], NULL) : NULL;
        if (folder >= 0)
            close(folder);
        if (!real)
            continue;
        char *path = arena_format(arena, "%s/fltc.XXXXXX", real);
        free(real);
        if (mkdtemp(path))
            return path;
    }
    return NULL;
}
