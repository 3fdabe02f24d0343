/* Status to text. */
#include "flt/status.h"

#include <stddef.h>

static const char *const status_texts[] = {
    [FLT_OK] = "no error",
    [FLT_NO_MEMORY] = "out of memory",
    [FLT_BAD_ARGUMENT] = "bad argument",
    [FLT_CANNOT_OPEN] = "cannot open the file",
    [FLT_CANNOT_READ] = "cannot read the file",
    [FLT_CANNOT_WRITE] = "cannot write the file",
    [FLT_UNKNOWN_FORMAT] = "unknown file format",
    [FLT_CORRUPT] = "the file is damaged",
    [FLT_UNSUPPORTED] = "not supported",
    [FLT_TOO_LARGE] = "too large",
};

const char *flt_status_text(enum flt_status status)
{
    const size_t count = sizeof status_texts / sizeof status_texts[0];
    return (size_t)status < count ? status_texts[status] : "unknown status";
}
