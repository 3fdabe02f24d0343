/* A folder of its own for each test that writes files: as cmocka's setup and teardown. *state is
 * the folder's name. */
#ifndef TEMPORARY_FOLDER_H
#define TEMPORARY_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int make_folder(void **state)
{
    const char *const parent = getenv("TMPDIR");
    char name[4096];
    snprintf(name, sizeof name, "%s/flt-test-XXXXXX", parent ? parent : "/tmp");
    *state = mkdtemp(name) ? strdup(name) : NULL;
    return *state ? 0 : -1;
}

/* folder/name; the result is overwritten by the second next call. */
static inline const char *in_folder(void *const *state, const char *name)
{
    static char paths[2][8192];
    static int turn = 0;
    turn = 1 - turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", (const char *)*state, name);
    return paths[turn];
}

/* Calls visit, unless NULL, for each file there, and returns how many there are. */
static inline int for_each_file(void *const *state, int (*visit)(const char *path))
{
    DIR *const folder = opendir(*state);
    int count = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (visit)
            visit(in_folder(state, entry->d_name));
    }
    if (folder)
        closedir(folder);
    return count;
}

static inline int files_in(void *const *state)
{
    return for_each_file(state, NULL);
}

static inline int remove_folder(void **state)
{
    for_each_file(state, remove);
    const int status = rmdir(*state);
    free(*state);
    return status;
}

static inline void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
}

/* The file's first bytes, at most room; how many they are. */
static inline size_t read_file(const char *path, void *bytes, size_t room)
{
    FILE *const file = fopen(path, "rb");
    if (!file)
        abort();
    const size_t length = fread(bytes, 1, room, file);
    fclose(file);
    return length;
}

#endif
