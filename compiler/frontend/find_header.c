/* Where a header is. */
#include "frontend/check_header.h"

#include <sys/stat.h>

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

const char *header_find(struct session *session, const char *module, const char *header)
{
    struct arena *arena = session->permanent;
    const char *slash = strrchr(module, '/');
    const char *path = slash && header[0] != '/'
                           ? arena_format(arena, "%.*s/%s", (int)(slash - module), module, header)
                           : header;
    for (size_t i = 0; i < session->headers.folders.count && !is_file(path); i++)
        path = arena_format(arena, "%s/%s", session->headers.folders.item[i], header);
    return is_file(path) ? path : NULL;
}
