/* What fuzzers of files and their checks share. */
#ifndef CHECK_MEASURE_H
#define CHECK_MEASURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Kilobytes written to, at most so far: what is taken but not written to costs nothing. */
static inline long memory_taken(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* A copy of the file's exact size, for the address sanitizer. */
static inline unsigned char *exact_copy(const unsigned char *bytes, size_t length)
{
    unsigned char *const exact = malloc(length + (length == 0));
    if (!exact)
        abort();
    if (length)
        memcpy(exact, bytes, length);
    return exact;
}

/* False: the file cannot be written. */
static inline bool write_bytes(const char *path, const unsigned char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool is_written = fwrite(bytes, 1, length, file) == length;
    return fclose(file) == 0 && is_written;
}

#endif
