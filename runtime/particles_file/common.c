/* What reading and writing share: messages, names, types of elements. */
#include "particles_file/internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Messages ---- */

static void tell(struct flt_detail *detail, const char *format, va_list arguments)
{
    if (!detail)
        return;
    vsnprintf(detail->text, sizeof detail->text, format, arguments);
    for (char *c = detail->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

enum flt_status apr_file_fail(enum flt_status status, struct flt_detail *detail, const char *format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(detail, format, arguments);
    va_end(arguments);
    return status;
}

bool apr_malloc_has(size_t bytes)
{
    char *room = malloc(bytes);
    if (!room)
        return false;
    *(volatile char *)room = 0; /* compilers leave out memory that nothing uses */
    free(room);
    return true;
}

bool apr_reader_fail(struct apr_reader *r, enum flt_status status, const char *format, ...)
{
    if (r->status != FLT_OK)
        return false;
    va_list arguments;
    va_start(arguments, format);
    tell(r->detail, format, arguments);
    va_end(arguments);
    r->status = status;
    return false;
}

bool apr_damaged(struct apr_reader *r, const char *what)
{
    return apr_reader_fail(r, FLT_CORRUPT, "%s is damaged: %s", r->name, what);
}

bool apr_reader_allows(struct apr_reader *r, uint64_t count, size_t bytes)
{
    if (r->status != FLT_OK)
        return false;
    if (count > r->allowance / bytes)
        return apr_reader_fail(
            r, FLT_TOO_LARGE, "%s has %llu bytes, but says what would take more than %llu MB",
            r->name, (unsigned long long)r->length, (unsigned long long)(r->allowance >> 20));
    r->allowance -= count * bytes;
    return true;
}

void *apr_reader_take(struct apr_reader *r, struct pool *pool, uint64_t count, size_t bytes)
{
    if (!apr_reader_allows(r, count, bytes))
        return NULL;
    void *memory = pool_take(pool, count, bytes);
    if (!memory)
        apr_reader_fail(r, FLT_NO_MEMORY, "%s: there is not enough memory", r->name);
    return memory;
}

enum { WORK_OF_READING = 256 };

bool apr_bytes(struct apr_reader *r, uint64_t at, size_t count, void *out)
{
    if (r->status != FLT_OK)
        return false;
    const uint64_t work = count + WORK_OF_READING;
    if (work > r->work)
        return apr_damaged(r, "it tells of the same again and again");
    r->work -= work;
    if (at > r->length || count > r->length - at)
        return apr_damaged(r, "it tells of bytes behind its end");
    if (r->bytes) {
        memcpy(out, r->bytes + at, count);
        return true;
    }
    for (size_t done = 0; done < count;) {
        const ssize_t got = pread(r->handle, (char *)out + done, count - done, (off_t)(at + done));
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return apr_reader_fail(r, FLT_CANNOT_READ, "cannot read %s", r->name);
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* ---- Names ---- */

bool apr_name_is_right(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length < FLT_APR_NAME && !strchr(name, '/') && strcmp(name, ".") != 0;
}

bool apr_name_is_taken(const char *name)
{
    static const char *const taken[] = {
        "y_vec",           "xz_end_vec",  "map_level", "map_x", "map_z", "map_global_index",
        "map_number_gaps", "map_y_begin", "map_y_end", "Tree"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return true;
    return false;
}

/* ---- Types ---- */

static const struct element_type {
    enum flt_element element;
    size_t bytes;
    bool is_signed, is_real;
} element_types[] = {
    {FLT_U8, 1, false, false}, {FLT_I8, 1, true, false},   {FLT_U16, 2, false, false},
    {FLT_I16, 2, true, false}, {FLT_U32, 4, false, false}, {FLT_I32, 4, true, false},
    {FLT_I64, 8, true, false}, {FLT_F32, 4, true, true},   {FLT_F64, 8, true, true}};
enum { ELEMENT_TYPES = sizeof element_types / sizeof element_types[0] };

bool apr_element_of(const struct apr_type *type, enum flt_element *element)
{
    for (int i = 0; i < ELEMENT_TYPES; i++)
        if (element_types[i].bytes == type->bytes &&
            element_types[i].is_signed == type->is_signed &&
            element_types[i].is_real == type->is_real) {
            *element = element_types[i].element;
            return true;
        }
    return false;
}

size_t apr_element_bytes(enum flt_element element)
{
    for (int i = 0; i < ELEMENT_TYPES; i++)
        if (element_types[i].element == element)
            return element_types[i].bytes;
    return 0;
}
