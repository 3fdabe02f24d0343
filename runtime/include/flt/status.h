/* Results of runtime calls. The runtime never aborts, prints or exits. If memory or a file is
 * missing, or a file is damaged, a call returns a status and the caller decides. */
#ifndef FLT_STATUS_H
#define FLT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers stay the same in all versions; a new status takes the next one. */
enum flt_status {
    FLT_OK = 0,
    FLT_NO_MEMORY = 1,
    FLT_BAD_ARGUMENT = 2, /* the caller broke the contract that the header states */
    FLT_CANNOT_OPEN = 3,  /* a file to be read is missing or forbidden */
    FLT_CANNOT_READ = 4,  /* it opened, but reading failed */
    FLT_CANNOT_WRITE = 5, /* creating, writing, closing or renaming failed */
    /* on load the first bytes, on save the ending of the file's name, tell no format */
    FLT_UNKNOWN_FORMAT = 6,
    FLT_CORRUPT = 7,     /* the format is known, but the file contradicts it or ends early */
    FLT_UNSUPPORTED = 8, /* valid, but this library cannot hold it, or the format cannot */
    FLT_TOO_LARGE = 9,   /* beyond the limits stated in image.h */
};

/* A short phrase in lower case for a status, such as "out of memory"; "unknown status" for other
 * values. The text is static: do not free it. */
const char *flt_status_text(enum flt_status status);

/* One sentence that tells a person what failed, such as "sky.png is cut off: row 120 of 512 is
 * missing", without a newline or a full stop. A call that fails sets it; a call that succeeds
 * leaves it unchanged, but for loads and saves of image.h. */
struct flt_detail {
    char text[256];
};

#ifdef __cplusplus
}
#endif

#endif
