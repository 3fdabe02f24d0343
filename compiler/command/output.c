/* Writing of files. Names of unfinished files are kept where a signal handler finds them. */
#include "command/output.h"
#include "command/command.h"
#include "flt/image.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 8, MOST_GUARDED = 4, LONGEST_PATH = 4096 };

/* The one piece of state that outlives a call: a signal handler has nothing else to go by. */
static char unfinished[MOST_FILES][LONGEST_PATH];
static char guarded_folder[LONGEST_PATH], guarded_file[MOST_GUARDED][LONGEST_PATH];

static void remove_unfinished(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (unfinished[i][0])
            unlink(unfinished[i]);
    const char *image = flt_image_unfinished;
    if (image)
        unlink(image);
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

void output_guard(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action = {.sa_handler = on_signal};
        sigaction(numbers[i], &action, NULL);
    }
    arena_on_exhaustion(remove_unfinished);
}

bool output_make_folders(const char *path)
{
    char part[LONGEST_PATH];
    if (strlen(path) >= sizeof part)
        return false;
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

static bool fail(struct session *session, const char *path)
{
    diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0902, (struct span){0, 0}, path,
                      strerror(errno));
    return false;
}

static bool write_standard(struct session *session, const struct output_file *file)
{
    if (fwrite(file->text, 1, file->length, stdout) == file->length && fflush(stdout) == 0)
        return true;
    return fail(session, "standard output");
}

static bool write_beside(struct session *session, const struct output_file *file, char *temporary)
{
    if (strlen(file->path) + 32 > LONGEST_PATH) {
        errno = ENAMETOOLONG;
        return fail(session, file->path);
    }
    if (!output_make_folders(file->path))
        return fail(session, file->path);
    snprintf(temporary, LONGEST_PATH, "%s.%ld.tmp", file->path, (long)getpid());
    FILE *stream = fopen(temporary, "wb");
    if (!stream) {
        temporary[0] = 0;
        return fail(session, file->path);
    }
    const bool written = fwrite(file->text, 1, file->length, stream) == file->length;
    if (fclose(stream) == 0 && written)
        return true;
    return fail(session, file->path);
}

bool output_write(struct session *session, size_t count, const struct output_file file[])
{
    bool good = true;
    for (size_t i = 0; good && i < count && i < MOST_FILES; i++)
        good = strcmp(file[i].path, "-") == 0 ? write_standard(session, &file[i])
                                              : write_beside(session, &file[i], unfinished[i]);
    for (size_t i = 0; i < count && i < MOST_FILES; i++) {
        if (!unfinished[i][0])
            continue;
        if (good && rename(unfinished[i], file[i].path) != 0)
            good = fail(session, file[i].path);
        else if (good)
            unfinished[i][0] = 0;
    }
    if (!good)
        remove_unfinished();
    for (int i = 0; i < MOST_FILES; i++)
        unfinished[i][0] = 0;
    return good;
}
