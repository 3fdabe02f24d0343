/* PNG files made by hand, byte by byte, so that the reader is not tested against libpng's writer:
 * chunks with their checksums, pixel data in one stored (not compressed) deflate block. */
#ifndef MAKE_PNG_H
#define MAKE_PNG_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    unsigned char at[4096];
    size_t length;
};

static inline void put(struct bytes *to, const void *from, size_t count)
{
    assert(count <= sizeof to->at - to->length && "the file is small");
    if (count > 0)
        memcpy(to->at + to->length, from, count);
    to->length += count;
}

static inline void put_text(struct bytes *to, const char *text)
{
    put(to, text, strlen(text));
}

/* Big endian. */
static inline void put_u32(struct bytes *to, uint32_t value)
{
    put(to,
        (unsigned char[]){(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                          (unsigned char)(value >> 8), (unsigned char)value},
        4);
}

static inline uint32_t crc_of(const unsigned char *bytes, size_t count)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static inline void put_chunk(struct bytes *png, const char *type, const void *data, size_t count)
{
    put_u32(png, (uint32_t)count);
    const size_t start = png->length;
    put_text(png, type);
    put(png, data, count);
    put_u32(png, crc_of(png->at + start, count + 4));
}

/* Starts the file anew: signature and IHDR. */
static inline void begin_png(struct bytes *png, uint32_t columns, uint32_t rows, int depth,
                             int color_type, int interlace)
{
    png->length = 0;
    put(png, "\x89PNG\r\n\x1a\n", 8);
    struct bytes header = {.length = 0};
    put_u32(&header, columns);
    put_u32(&header, rows);
    put(&header,
        (unsigned char[]){(unsigned char)depth, (unsigned char)color_type, 0, 0,
                          (unsigned char)interlace},
        5);
    put_chunk(png, "IHDR", header.at, header.length);
}

/* IDAT and IEND. raw: each row begins with its filter byte, 0 for none. */
static inline void end_png(struct bytes *png, const void *raw, size_t count)
{
    struct bytes data = {.length = 0};
    put(&data,
        (unsigned char[]){0x78, 0x01, 0x01, (unsigned char)count, (unsigned char)(count >> 8),
                          (unsigned char)~count, (unsigned char)(~count >> 8)},
        7);
    put(&data, raw, count);
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = (low + ((const unsigned char *)raw)[i]) % 65521;
        high = (high + low) % 65521;
    }
    put_u32(&data, high << 16 | low);
    put_chunk(png, "IDAT", data.at, data.length);
    put_chunk(png, "IEND", NULL, 0);
}

#endif
