/* Writing of files. What is unfinished is known where a signal handler finds it: files to
 * replace.c, folders here. */
#include "command/output.h"
#include "command/command.h"
#include "flt/image.h"
#include "replace.h"
#include "support/hash_map.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 64, LONGEST_PATH = 4096 };

/* The one piece of state that outlives a call: a signal handler has nothing else to go by. */
static char guarded_folder[LONGEST_PATH], guarded_file[MOST_GUARDED][LONGEST_PATH];

static void remove_unfinished(void)
{
    flt_image_remove_unfinished();
    for (int i = 0; i < MOST_GUARDED; i++)
        if (guarded_file[i][0])
            unlink(guarded_file[i]);
    if (guarded_folder[0])
        rmdir(guarded_folder);
}

void output_guard_folder(const char *folder, size_t count, const char *const file[])
{
    guarded_folder[0] = 0;
    for (size_t i = 0; i < MOST_GUARDED; i++)
        guarded_file[i][0] = 0;
    for (size_t i = 0; folder && i < count && i < MOST_GUARDED; i++)
        snprintf(guarded_file[i], LONGEST_PATH, "%s/%s", folder, file[i]);
    if (folder)
        snprintf(guarded_folder, LONGEST_PATH, "%s", folder);
}

static void on_signal(int number)
{
    remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

void output_end(void *context)
{
    (void)context;
    fputs("fltc: out of memory\n", stderr);
    remove_unfinished();
    exit(EXIT_FAULT);
}

void output_guard(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action = {.sa_handler = on_signal}, before;
        sigaction(numbers[i], &action, &before);
        if (numbers[i] == SIGHUP && before.sa_handler == SIG_IGN) /* of nohup */
            sigaction(numbers[i], &before, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of writing */
}

bool output_make_folders(const char *path, unsigned mode)
{
    char part[LONGEST_PATH];
    if (strlen(path) >= sizeof part)
        return false;
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = 0;
        if (mkdir(part, mode) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

int output_folder_error(struct arena *arena, const char *path)
{
    struct stat about;
    const char *slash = strrchr(path, '/');
    const char *at = slash ? arena_text(arena, path, (size_t)(slash - path) + 1) : "./";
    while (stat(at, &about) != 0) {
        if (errno != ENOENT || strcmp(at, "./") == 0)
            return errno;
        size_t length = strlen(at);
        while (length > 0 && at[length - 1] == '/')
            length--;
        while (length > 0 && at[length - 1] != '/')
            length--;
        at = length ? arena_text(arena, at, length) : "./";
    }
    if (!S_ISDIR(about.st_mode))
        return ENOTDIR;
    return access(at, W_OK | X_OK) == 0 ? 0 : errno;
}

static bool fail(struct session *session, const char *path, const char *reason)
{
    diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0902, (struct span){0, 0}, path,
                      reason ? arena_text(session->permanent, reason, strlen(reason))
                             : strerror(errno));
    return false;
}

static bool write_standard(struct session *session, const struct output_file *file)
{
    if (fwrite(file->text, 1, file->length, stdout) == file->length && fflush(stdout) == 0)
        return true;
    return fail(session, "standard output", NULL);
}

/* All of the text, at its place only where that is no file: a device, a pipe. */
static bool write_beside(struct session *session, const struct output_file *file,
                         struct flt_replacement *r)
{
    if (!output_make_folders(file->path, 0777))
        return fail(session, file->path, NULL);
    if (!flt_replace_begin(file->path, r))
        return fail(session, file->path, r->reason);
    const bool written = fwrite(file->text, 1, file->length, r->stream) == file->length;
    const int error = errno;
    if (flt_replace_close(r) && written)
        return true;
    return fail(session, file->path, written ? r->reason : strerror(error));
}

static bool write_some(struct session *session, size_t count, const struct output_file file[])
{
    struct flt_replacement r[MOST_FILES];
    bool good = true;
    size_t begun = 0;
    for (; good && begun < count; begun++) {
        r[begun] = (struct flt_replacement){0};
        good = strcmp(file[begun].path, "-") == 0 ? write_standard(session, &file[begun])
                                                  : write_beside(session, &file[begun], &r[begun]);
    }
    for (size_t i = 0; i < begun; i++) {
        if (good && !flt_replace_finish(&r[i]))
            good = fail(session, file[i].path, r[i].reason);
        flt_replace_discard(&r[i]);
    }
    return good;
}

bool output_write(struct session *session, size_t count, const struct output_file file[])
{
    for (size_t i = 0; i < count; i += MOST_FILES)
        if (!write_some(session, count - i < MOST_FILES ? count - i : MOST_FILES, file + i))
            return false;
    return true;
}

bool output_is_direct(const char *path)
{
    return strcmp(path, "-") == 0 || flt_replace_is_direct(path);
}

/* A file that is there is known by its number, another one by its folder's path without links. */
const char *output_identity(struct arena *arena, const char *path)
{
    struct stat status;
    if (output_is_direct(path))
        return path;
    if (stat(path, &status) == 0)
        return arena_format(arena, "%llu:%llu", (unsigned long long)status.st_dev,
                            (unsigned long long)status.st_ino);
    const char *slash = strrchr(path, '/');
    char *folder =
        realpath(slash ? arena_text(arena, path, (size_t)(slash - path + 1)) : ".", NULL);
    const char *identity =
        folder ? arena_format(arena, "%s/%s", folder, slash ? slash + 1 : path) : path;
    free(folder);
    return identity;
}

bool output_check_distinct(struct session *session, size_t count, const char *const path[])
{
    struct hash_map seen = {0};
    for (size_t i = 0; i < count; i++) {
        const char *identity = output_identity(session->permanent, path[i]);
        const size_t length = strlen(identity) + 1;
        if (hash_map_find_bytes(&seen, identity, length)) {
            struct diagnostic *d =
                session_error(session, DIAGNOSTIC_E0903, "'%s' would be written twice", path[i]);
            COMMAND_HELP(session, d,
                         "name another file, or for each of several inputs out_%%d.png");
            return false;
        }
        hash_map_put_bytes(session->permanent, &seen, identity, length, (void *)1);
    }
    return true;
}
