#include "replace.h"
#include "flt/image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

const char *volatile flt_image_unfinished = NULL;

enum {
    MOST_LINKS = 40,
    NAME_ROOM = 32,
    PIPE_WAITS = 200,
    PIPE_WAIT_NS = 10 * 1000 * 1000,
    MOST_UNFINISHED = 64
};

/* Where a signal handler finds the names. */
static _Atomic(const char *) unfinished[MOST_UNFINISHED];

void flt_image_remove_unfinished(void)
{
    for (size_t i = 0; i < MOST_UNFINISHED; i++) {
        const char *const name = atomic_load(&unfinished[i]);
        if (name)
            unlink(name);
    }
}

/* Puts `to` where `from` is, NULL being where there is room. */
static void replace_name(const char *from, const char *to)
{
    bool found = false;
    for (size_t i = 0; i < MOST_UNFINISHED && !found; i++) {
        const char *expected = from;
        found = atomic_compare_exchange_strong(&unfinished[i], &expected, to);
    }
}

/* A handler that ends the process runs before or after, so that a file is never there without its
 * name being known. */
static void hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, before);
}

static void release_signals(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* ---- What the path names ---- */

/* The number in "/dev/fd/7" and "/proc/self/fd/7", or -1. */
static int open_number(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const size_t length = strlen(folders[i]);
        const char *const digits = path + length;
        if (strncmp(path, folders[i], length) == 0 && *digits && strlen(digits) < 8 &&
            digits[strspn(digits, "0123456789")] == 0)
            return atoi(digits);
    }
    return -1;
}

/* Replaces *path, of room bytes, by what the link there says, seen from the link's folder. */
static bool follow(char *path, size_t room)
{
    char link[PATH_MAX];
    const ssize_t length = readlink(path, link, sizeof link - 1);
    const char *const slash = strrchr(path, '/');
    const size_t folder = slash && link[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    if (length < 0)
        return false;
    if (folder + (size_t)length >= room) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path + folder, link, (size_t)length);
    path[folder + (size_t)length] = 0;
    return true;
}

/* The path behind all links, whether or not anything is there; the caller's to free. *number: of
 * what the process has open under that name, or -1. NULL: errno tells why. */
static char *resolve(const char *path, int *number)
{
    char target[PATH_MAX];
    struct stat status;
    if (strlen(path) >= sizeof target) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    strcpy(target, path);
    *number = open_number(target);
    for (int links = 0; *number < 0 && lstat(target, &status) == 0 && S_ISLNK(status.st_mode);
         links++) {
        if (links == MOST_LINKS)
            errno = ELOOP;
        if (links == MOST_LINKS || !follow(target, sizeof target))
            return NULL;
        *number = open_number(target);
    }
    return strdup(target);
}

bool flt_replace_is_direct(const char *path)
{
    struct stat status;
    int number = -1;
    free(resolve(path, &number));
    return number >= 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/* ---- What is no file ---- */

static bool refuse(struct flt_replacement *r, int error, const char *reason)
{
    errno = error;
    r->reason = reason ? reason : strerror(error);
    return false;
}

static bool fail(struct flt_replacement *r)
{
    return refuse(r, errno, NULL);
}

static bool open_stream(struct flt_replacement *r, int descriptor)
{
    r->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (r->stream)
        return true;
    const int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    return refuse(r, error, NULL);
}

/* A pipe whose other end is not open yet is waited for, but not for ever. */
static int open_special(const char *path)
{
    const struct timespec pause = {.tv_nsec = PIPE_WAIT_NS};
    const int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int descriptor = open(path, flags);
    for (int i = 0; descriptor < 0 && errno == ENXIO && i < PIPE_WAITS; i++) {
        nanosleep(&pause, NULL);
        descriptor = open(path, flags);
    }
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return descriptor;
}

static bool begin_special(const char *path, const struct stat *status, struct flt_replacement *r)
{
    if (S_ISDIR(status->st_mode))
        return refuse(r, EISDIR, NULL);
    if (S_ISSOCK(status->st_mode))
        return refuse(r, ENXIO, "it is a socket");
    if (S_ISBLK(status->st_mode))
        return refuse(r, EPERM, "it is a disk");
    const int descriptor = open_special(path);
    if (descriptor < 0 && errno == ENXIO && S_ISFIFO(status->st_mode))
        return refuse(r, ENXIO, "it is a pipe that nobody reads");
    return open_stream(r, descriptor);
}

/* ---- Files ---- */

/* A file of a name that nobody can foresee; its name is known to a signal handler at once. */
static int create(const char *folder, size_t length, mode_t mode, struct flt_replacement *r)
{
    sigset_t before;
    uint64_t random;
    char *const name = malloc(length + NAME_ROOM);
    if (!name)
        return -1;
    memcpy(name, folder, length);
    hold_signals(&before);
    int descriptor = -1;
    for (int attempt = 0; attempt < 100 && descriptor < 0; attempt++) {
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            break;
        snprintf(name + length, NAME_ROOM, ".flt-%016llx", (unsigned long long)random);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor >= 0) {
        flt_image_unfinished = r->temporary = name;
        replace_name(NULL, name);
    }
    release_signals(&before);
    if (descriptor < 0) {
        const int error = errno;
        free(name);
        errno = error;
    }
    return descriptor;
}

/* Rights that are not in the mode. */
static bool has_list_of_rights(const char *path)
{
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

/* The owner and mode of the old file. False: another one cannot stand in its place. */
static bool take_rights(int descriptor, const char *target, const struct stat *old)
{
    struct stat made;
    if (old->st_nlink > 1 || has_list_of_rights(target) || fstat(descriptor, &made) != 0)
        return false;
    if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
        fchown(descriptor, old->st_uid, old->st_gid) != 0)
        return false;
    fchmod(descriptor, old->st_mode & 0777); /* fails where modes mean nothing: no matter */
    return true;
}

/* Replacing its name would succeed on a file that its owner protected, and for root all does. */
static bool may_be_written(const char *target, const struct stat *old)
{
    if (old->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH))
        return faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0;
    errno = EACCES;
    return false;
}

/* old: what is at r->target, or NULL. */
static bool begin_file(const struct stat *old, struct flt_replacement *r)
{
    const char *const slash = strrchr(r->target, '/');
    const size_t folder = slash ? (size_t)(slash - r->target) + 1 : 0;
    if (old && !may_be_written(r->target, old))
        return fail(r);
    int descriptor = create(r->target, folder, old ? 0600 : 0666, r);
    if (descriptor < 0 && old && (errno == EACCES || errno == EROFS)) {
        const char *const elsewhere = "/tmp/"; /* the file may be written, its folder not */
        r->overwrites = true;
        descriptor = create(elsewhere, strlen(elsewhere), 0600, r);
    }
    if (descriptor < 0)
        return fail(r);
    if (old) {
        r->mode = old->st_mode;
        r->overwrites = r->overwrites || !take_rights(descriptor, r->target, old);
    }
    return open_stream(r, descriptor);
}

bool flt_replace_begin(const char *path, struct flt_replacement *r)
{
    struct stat old;
    int number = -1;
    *r = (struct flt_replacement){0};
    r->target = resolve(path, &number);
    if (!r->target)
        return fail(r);
    bool good;
    fflush(stdout); /* which may be what the path names */
    if (number >= 0)
        good = open_stream(r, fcntl(number, F_DUPFD_CLOEXEC, 0));
    else if (stat(r->target, &old) != 0)
        good = errno == ENOENT ? begin_file(NULL, r) : fail(r);
    else if (S_ISREG(old.st_mode))
        good = begin_file(&old, r);
    else
        good = begin_special(r->target, &old, r);
    if (good && !r->temporary) {
        free(r->target);
        r->target = NULL;
    }
    if (!good)
        flt_replace_discard(r);
    return good;
}

bool flt_replace_close(struct flt_replacement *r)
{
    FILE *const stream = r->stream;
    const bool written = !ferror(stream);
    r->stream = NULL;
    if (fclose(stream) == 0 && written)
        return true;
    return fail(r);
}

/* Room for all of it before anything is overwritten: a full disk loses nothing. */
static bool make_room(int to, off_t size, off_t old)
{
    const int error = size > old ? posix_fallocate(to, old, size - old) : 0;
    if (error != ENOSPC && error != EFBIG && error != EDQUOT)
        return true;
    if (ftruncate(to, old) == 0)
        errno = error;
    return false;
}

static bool copy(int from, int to)
{
    char chunk[1 << 16];
    ssize_t got;
    while ((got = read(from, chunk, sizeof chunk)) > 0)
        for (ssize_t done = 0, part; done < got; done += part)
            if ((part = write(to, chunk + done, (size_t)(got - done))) < 0)
                return false;
    return got == 0;
}

/* The bytes of the temporary file in place of those of the target. */
static bool overwrite(const struct flt_replacement *r)
{
    struct stat made, old;
    sigset_t before;
    const int from = open(r->temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const int to = open(r->target, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool good = from >= 0 && to >= 0 && fstat(from, &made) == 0 && fstat(to, &old) == 0 &&
                S_ISREG(old.st_mode);
    hold_signals(&before);
    good = good && make_room(to, made.st_size, old.st_size) && copy(from, to) &&
           ftruncate(to, made.st_size) == 0;
    const int error = errno;
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0)
        good = false;
    else
        errno = error;
    release_signals(&before);
    return good;
}

/* The name is of no file any more. */
static void forget_temporary(struct flt_replacement *r)
{
    if (flt_image_unfinished == r->temporary)
        flt_image_unfinished = NULL;
    replace_name(r->temporary, NULL);
    free(r->temporary);
    r->temporary = NULL;
}

bool flt_replace_finish(struct flt_replacement *r)
{
    bool good = !r->temporary;
    if (r->temporary && !r->overwrites)
        good = rename(r->temporary, r->target) == 0;
    /* A file that something is mounted on, or of another owner in a folder such as /tmp. */
    const bool stays = errno == EBUSY || errno == EPERM || errno == EACCES;
    if (!good && (r->overwrites || (r->mode && stays)))
        good = overwrite(r) && unlink(r->temporary) == 0;
    if (good)
        forget_temporary(r);
    else
        fail(r);
    flt_replace_discard(r);
    return good;
}

void flt_replace_discard(struct flt_replacement *r)
{
    sigset_t before;
    const int error = errno;
    if (r->stream)
        fclose(r->stream);
    hold_signals(&before);
    if (r->temporary) {
        unlink(r->temporary);
        forget_temporary(r);
    }
    release_signals(&before);
    free(r->target);
    r->stream = NULL;
    r->target = NULL;
    errno = error;
}
