/* Programs that failed once and are run again. */
#include "program/kept.h"
#include "../../share.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

unsigned kept_programs(struct arena *arena, const char *folder, const char *path[], unsigned most)
{
    DIR *directory = opendir(folder);
    unsigned count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory)) && count < most;) {
        const size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".flt") == 0 &&
            strncmp(entry->d_name, "text_", 5) != 0)
            path[count++] = arena_format(arena, "%s/%s", folder, entry->d_name);
    }
    if (directory)
        closedir(directory);
    qsort(path, count, sizeof *path, by_name);
    unsigned chosen = 0;
    for (unsigned i = 0; i < count; i++)
        if (is_in_share(i))
            path[chosen++] = path[i];
    return chosen;
}
