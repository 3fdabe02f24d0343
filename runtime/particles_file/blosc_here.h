/* Blosc, which packs the arrays of a file; or, in a build without it, what takes its place: then
 * files are neither read nor written. */
#ifndef FLT_PARTICLES_FILE_BLOSC_HERE_H
#define FLT_PARTICLES_FILE_BLOSC_HERE_H

#include <stddef.h>

#ifndef FLT_WITHOUT_BLOSC
#include <blosc.h>
enum { HAS_BLOSC = 1 };
#else
enum {
    HAS_BLOSC = 0,
    BLOSC_MAX_OVERHEAD = 16,
    BLOSC_MAX_BUFFERSIZE = 0x7fffffff - BLOSC_MAX_OVERHEAD,
    BLOSC_SHUFFLE = 1,
    BLOSC_VERSION_FORMAT = 2
};
#define BLOSC_ZSTD_COMPNAME "zstd"

static inline int blosc_compress_ctx(int level, int shuffle, size_t each, size_t bytes,
                                     const void *from, void *to, size_t room, const char *name,
                                     size_t block, int threads)
{
    (void)level, (void)shuffle, (void)each, (void)bytes, (void)from, (void)to, (void)room;
    (void)name, (void)block, (void)threads;
    return 0;
}

static inline int blosc_decompress_ctx(const void *from, void *to, size_t room, int threads)
{
    (void)from, (void)to, (void)room, (void)threads;
    return 0;
}

static inline int blosc_cbuffer_validate(const void *from, size_t bytes, size_t *unpacked)
{
    (void)from, (void)bytes;
    *unpacked = 0;
    return -1;
}
#endif

/* The sentence of a build without it. */
#define APR_WITHOUT_BLOSC                                                                          \
    "%s: this build has no Blosc, which packs .apr files; install libblosc-dev and build again"

#endif
