/* What the codecs share: messages, checks of a header's claims, byte order. */
#include "image/codec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* From byte at of the text on. */
static void print_detail(struct flt_detail *detail, size_t at, const char *format,
                         va_list arguments)
{
    vsnprintf(detail->text + at, sizeof detail->text - at, format, arguments);
    for (char *c = detail->text + at; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

enum flt_status flt_fail(enum flt_status status, struct flt_detail *detail, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (detail)
        print_detail(detail, 0, format, arguments);
    va_end(arguments);
    return status;
}

void flt_remark(struct flt_detail *detail, const char *format, ...)
{
    if (!detail)
        return;
    size_t at = strlen(detail->text);
    if (at > 0)
        at += (size_t)snprintf(detail->text + at, sizeof detail->text - at, "; ");
    va_list arguments;
    va_start(arguments, format);
    if (at < sizeof detail->text)
        print_detail(detail, at, format, arguments);
    va_end(arguments);
}

const char *flt_short_name(const char *name)
{
    const size_t long_name = 100; /* leaves more than half of a detail to the sentence */
    const char *const slash = strrchr(name, '/');
    return strlen(name) > long_name && slash ? slash + 1 : name;
}

enum { SHAPE_TEXT = FLT_MAX_RANK * 24 };

/* "480 by 640" */
static void print_shape(int rank, const uint64_t extent[], char text[SHAPE_TEXT])
{
    text[0] = '\0';
    for (int i = 0, at = 0; i < rank; i++)
        at +=
            snprintf(text + at, SHAPE_TEXT - (size_t)at, "%s%" PRIu64, i ? " by " : "", extent[i]);
}

enum flt_status flt_check_extents(const char *name, int rank, const uint64_t extent[],
                                  struct flt_detail *detail)
{
    char shape[SHAPE_TEXT];
    print_shape(rank, extent, shape);
    int32_t narrow[FLT_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        if (extent[i] == 0)
            return flt_fail(FLT_CORRUPT, detail, "%s has no samples: it says %s",
                            flt_short_name(name), shape);
        if (extent[i] > INT32_MAX)
            return flt_fail(FLT_TOO_LARGE, detail,
                            "%s says %s samples, but an extent is at most %d", flt_short_name(name),
                            shape, INT32_MAX);
        narrow[i] = (int32_t)extent[i];
    }
    uint64_t count;
    if (!flt_count_samples(rank, narrow, &count))
        return flt_fail(FLT_TOO_LARGE, detail, "%s says %s samples, but an image has at most 2^40",
                        flt_short_name(name), shape);
    return FLT_OK;
}

enum flt_status flt_check_held(const char *name, int rank, const uint64_t extent[], uint64_t needed,
                               size_t held, struct flt_detail *detail)
{
    if (needed <= held)
        return FLT_OK;
    char shape[SHAPE_TEXT];
    print_shape(rank, extent, shape);
    return flt_fail(FLT_CORRUPT, detail, "%s is cut off: it says %s samples, but holds %zu bytes",
                    flt_short_name(name), rank ? shape : "1", held);
}

enum flt_status flt_check_u64(const char *name, const uint64_t samples[], uint64_t count,
                              struct flt_detail *detail)
{
    for (uint64_t i = 0; i < count; i++)
        if (samples[i] > INT64_MAX)
            return flt_fail(FLT_UNSUPPORTED, detail,
                            "%s holds %" PRIu64 ", a sample of 64 bits without sign; those below "
                            "2^63 can be read, as i64",
                            flt_short_name(name), samples[i]);
    return FLT_OK;
}

size_t flt_bytes_at(const struct file_bytes *file, uint64_t at, void *to, size_t count)
{
    const uint64_t left = at < file->length ? file->length - at : 0;
    size_t done = 0;
    if (count > left)
        count = (size_t)left;
    if (file->bytes && count > 0)
        memcpy(to, file->bytes + at, count);
    while (!file->bytes && done < count) {
        const ssize_t got =
            pread(file->descriptor, (char *)to + done, count - done, (off_t)(at + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            return done;
        done += got > 0 ? (size_t)got : 0;
    }
    return count;
}

bool flt_host_is_little(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

uint64_t flt_number_of(const unsigned char *bytes, size_t size, bool little)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[little ? size - 1 - i : i];
    return number;
}

void flt_make_bools(unsigned char *samples, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        samples[i] = samples[i] != 0;
}

void flt_swap_bytes(void *samples, size_t count, size_t size)
{
    unsigned char *sample = samples;
    for (size_t i = 0; size > 1 && i < count; i++, sample += size)
        for (size_t low = 0, high = size - 1; low < high; low++, high--) {
            const unsigned char kept = sample[low];
            sample[low] = sample[high];
            sample[high] = kept;
        }
}
