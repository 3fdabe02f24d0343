/* A file or pipe, read as far as one picture needs: tells its format by its first bytes, finds its
 * end, and hands it to the codec. Another picture may stand behind it. */
#include "flt/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/codec.h"

enum { CHUNK = 65536, LONGEST_START = 8 /* by which a format is recognised */ };

struct flt_image_reader {
    const char *name; /* for messages */
    int file;
    bool is_own, has_ended;
    bool is_lent; /* the bytes are the caller's */
    int error;
    unsigned char *bytes; /* what is read and not yet taken: from begin to end */
    size_t begin, end, capacity;
    size_t whole; /* bytes that a plain file has; 0: not known */
};

static enum flt_status no_memory(const char *name, struct flt_detail *detail)
{
    return flt_fail(FLT_NO_MEMORY, detail, "there is not enough memory for %s",
                    flt_short_name(name));
}

/* Of the name; NULL: there is no memory. */
static struct flt_image_reader *make_reader(const char *name)
{
    struct flt_image_reader *const made = malloc(sizeof *made + strlen(name) + 1);
    if (!made)
        return NULL;
    *made = (struct flt_image_reader){.file = -1};
    made->name = strcpy((char *)(made + 1), name);
    return made;
}

enum flt_status flt_image_open_bytes(const char *name, const void *bytes, size_t length,
                                     struct flt_image_reader **reader, struct flt_detail *detail)
{
    *reader = make_reader(name);
    if (!*reader)
        return no_memory(name, detail);
    (*reader)->bytes = (unsigned char *)bytes; /* never written to, as the file has ended */
    (*reader)->end = (*reader)->capacity = (*reader)->whole = length;
    (*reader)->is_lent = (*reader)->has_ended = true;
    return FLT_OK;
}

const char *flt_reader_name(const struct flt_image_reader *reader)
{
    return flt_short_name(reader->name);
}

enum flt_status flt_image_open(const char *path, struct flt_image_reader **reader,
                               struct flt_detail *detail)
{
    struct stat about;
    if (!reader)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no reader was given to open");
    *reader = NULL;
    if (!path)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no path was given to load from");
    const bool is_standard = strcmp(path, "-") == 0;
    const int file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return flt_fail(FLT_CANNOT_OPEN, detail, "cannot open %s: %s", flt_short_name(path),
                        strerror(errno));
    const char *const name = is_standard ? "standard input" : path;
    struct flt_image_reader *const made = make_reader(name);
    if (!made) {
        if (!is_standard)
            close(file);
        return no_memory(name, detail);
    }
    made->file = file;
    made->is_own = !is_standard;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        made->whole = (size_t)about.st_size;
    *reader = made;
    return FLT_OK;
}

void flt_image_close(struct flt_image_reader *reader)
{
    if (!reader)
        return;
    if (reader->is_own)
        close(reader->file);
    if (!reader->is_lent)
        free(reader->bytes);
    free(reader);
}

static struct file_bytes rest_of(const struct flt_image_reader *reader)
{
    return (struct file_bytes){.name = reader->name,
                               .bytes = reader->bytes + reader->begin,
                               .length = reader->end - reader->begin};
}

/* Room for so many bytes, or for more if only one more is wanted, but no more than twice what there
 * is or a plain file has: a header may promise anything. */
static bool make_room(struct flt_image_reader *reader, size_t wanted)
{
    const size_t held = reader->end - reader->begin;
    const size_t most = reader->whole >= held ? reader->whole + 1 : 2 * held;
    size_t capacity = wanted > held + 1 && wanted < most ? wanted : most;
    if (capacity < CHUNK || wanted < CHUNK)
        capacity = CHUNK;
    if (reader->begin > 0)
        memmove(reader->bytes, reader->bytes + reader->begin, held);
    reader->begin = 0;
    reader->end = held;
    if (capacity <= reader->capacity)
        return true;
    unsigned char *const larger = realloc(reader->bytes, capacity);
    if (!larger)
        return false;
    reader->bytes = larger;
    reader->capacity = capacity;
    return true;
}

/* Reads until there are so many bytes, or the file ends. FLT_CANNOT_READ leaves the error. */
static enum flt_status fill(struct flt_image_reader *reader, size_t wanted)
{
    while (!reader->has_ended && reader->end - reader->begin < wanted) {
        if (reader->begin + wanted > reader->capacity && !make_room(reader, wanted))
            return FLT_NO_MEMORY;
        const ssize_t got =
            read(reader->file, reader->bytes + reader->end, reader->capacity - reader->end);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            reader->error = errno;
            return FLT_CANNOT_READ;
        }
        reader->has_ended = got == 0;
        reader->end += (size_t)got;
    }
    return FLT_OK;
}

/* The length of the picture that comes next, as far as it is there. */
static enum flt_status find_end(struct flt_image_reader *reader, size_t *length)
{
    enum flt_status status = fill(reader, LONGEST_START);
    const struct file_bytes start = rest_of(reader);
    *length = start.length;
    if (status != FLT_OK || !flt_is_known(&start))
        return status;
    while (status == FLT_OK) {
        const struct file_bytes rest = rest_of(reader);
        if (flt_picture_length(&rest, reader->has_ended, length) || reader->has_ended)
            break;
        status = fill(reader, rest.length + 1);
    }
    if (status == FLT_OK)
        status = fill(reader, *length);
    const size_t held = reader->end - reader->begin;
    *length = *length < held ? *length : held;
    return status;
}

static enum flt_status cannot_read(const struct flt_image_reader *reader, enum flt_status status,
                                   struct flt_detail *detail)
{
    if (status == FLT_NO_MEMORY)
        return no_memory(reader->name, detail);
    return flt_fail(status, detail, "cannot read %s: %s", flt_short_name(reader->name),
                    strerror(reader->error));
}

enum flt_status flt_read_raw(struct flt_image_reader *reader, const struct flt_raw *raw,
                             struct flt_image *image, struct flt_detail *detail)
{
    enum flt_status status = FLT_OK;
    if (detail)
        detail->text[0] = '\0';
    while (status == FLT_OK && !reader->has_ended)
        status = fill(reader, reader->end + 1);
    if (status != FLT_OK)
        return cannot_read(reader, status, detail);
    const struct file_bytes file = rest_of(reader);
    status = flt_raw_image(&file, raw, image, detail);
    return status == FLT_NO_MEMORY ? no_memory(reader->name, detail) : status;
}

enum flt_status flt_image_next(struct flt_image_reader *reader, struct flt_image *image,
                               struct flt_detail *detail)
{
    size_t length;
    if (!image || !reader)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no image was given to load into");
    *image = (struct flt_image){.element = FLT_BOOL};
    const enum flt_status status = find_end(reader, &length);
    if (status != FLT_OK)
        return cannot_read(reader, status, detail);
    struct file_bytes picture = rest_of(reader);
    picture.length = length;
    reader->begin += length;
    return flt_load_picture(&picture, image, detail);
}

/* Some programs end a picture with a line break. */
static bool skip_space(struct flt_image_reader *reader)
{
    while (fill(reader, 1) == FLT_OK && reader->begin < reader->end) {
        if (!strchr(" \t\r\n", reader->bytes[reader->begin]) || !reader->bytes[reader->begin])
            return true;
        reader->begin++;
    }
    return false;
}

bool flt_image_more(struct flt_image_reader *reader, struct flt_detail *detail)
{
    if (detail)
        detail->text[0] = '\0';
    if (!reader || !skip_space(reader) || fill(reader, LONGEST_START) != FLT_OK)
        return false;
    const struct file_bytes rest = rest_of(reader);
    if (flt_can_follow(&rest))
        return true;
    flt_remark(detail, "%s goes on behind its picture with bytes that are none",
               flt_short_name(reader->name));
    return false;
}

uint64_t flt_image_count(struct flt_image_reader *reader)
{
    uint64_t count = 0;
    size_t length;
    while (reader->whole && flt_image_more(reader, NULL)) {
        if (find_end(reader, &length) != FLT_OK)
            break;
        reader->begin += length;
        count++;
    }
    return count;
}
