/* TIFF files in memory, by libtiff: the reader is tested against files of another writer than
 * ours. */
#ifndef MAKE_TIFF_H
#define MAKE_TIFF_H

#include <stdlib.h>
#include <tiffio.h>

#include "make_png.h"

/* A file as it grows, and where libtiff stands in it. */
struct tiff_memory {
    struct bytes *file;
    size_t at;
};

static inline tmsize_t tiff_memory_read(thandle_t handle, void *to, tmsize_t count)
{
    struct tiff_memory *const m = handle;
    const size_t left = m->at < m->file->length ? m->file->length - m->at : 0;
    const size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(to, m->file->at + m->at, taken);
    m->at += taken;
    return (tmsize_t)taken;
}

static inline tmsize_t tiff_memory_write(thandle_t handle, void *from, tmsize_t count)
{
    struct tiff_memory *const m = handle;
    assert(m->at + (size_t)count <= sizeof m->file->at && "the file is small");
    memcpy(m->file->at + m->at, from, (size_t)count);
    m->at += (size_t)count;
    if (m->at > m->file->length)
        m->file->length = m->at;
    return count;
}

static inline toff_t tiff_memory_seek(thandle_t handle, toff_t offset, int from)
{
    struct tiff_memory *const m = handle;
    m->at = (size_t)offset + (from == SEEK_CUR ? m->at : from == SEEK_END ? m->file->length : 0);
    return m->at;
}

static inline int tiff_memory_close(thandle_t handle)
{
    free(handle);
    return 0;
}

static inline toff_t tiff_memory_size(thandle_t handle)
{
    return ((struct tiff_memory *)handle)->file->length;
}

/* mode: "wl" little endian, "wb" big endian, with 8 behind it BigTIFF. */
static inline TIFF *begin_tiff(struct bytes *file, const char *mode)
{
    struct tiff_memory *const m = malloc(sizeof *m);
    memset(file, 0, sizeof *file);
    *m = (struct tiff_memory){file, 0};
    return TIFFClientOpen("it", mode, m, tiff_memory_read, tiff_memory_write, tiff_memory_seek,
                          tiff_memory_close, tiff_memory_size, NULL, NULL);
}

struct tiff_form {
    uint32_t rows, columns;
    uint16_t samples, bits, format, photometric, compression, planar;
    uint32_t tile; /* side of a square tile; 0: strips of 2 rows */
};

static inline void set_tiff_form(TIFF *tiff, const struct tiff_form *form)
{
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, form->rows);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, form->columns);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, form->samples);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, form->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, form->format);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, form->photometric);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, form->compression);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, form->planar);
    if (form->tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, form->tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, form->tile);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
    }
}

/* Writes the page's samples and its directory. pixels: bytes of whole samples, packed, channels
 * last; or, for fewer than 8 bits, in strips of one channel, rows of bits. */
static inline void put_tiff_page(TIFF *tiff, const struct tiff_form *form, const void *pixels)
{
    const uint32_t planes = form->planar == PLANARCONFIG_SEPARATE ? form->samples : 1;
    const size_t size = form->bits / 8, pixel = planes > 1 ? size : form->samples * size;
    const uint32_t height = form->tile ? form->tile : 2;
    const uint32_t width = form->tile ? form->tile : form->columns;
    const size_t row_bytes = form->bits < 8 ? (width * form->bits + 7) / 8 : width * pixel;
    for (uint32_t plane = 0; plane < planes; plane++)
        for (uint32_t y = 0; y < form->rows; y += height)
            for (uint32_t x = 0; x < form->columns; x += width) {
                unsigned char chunk[4096] = {0};
                const uint32_t rows = form->rows - y < height ? form->rows - y : height;
                assert(height * row_bytes <= sizeof chunk && "the chunk is small");
                for (uint32_t i = 0; i < rows; i++) {
                    const size_t row = y + i;
                    if (form->bits < 8)
                        memcpy(chunk + i * row_bytes, (const char *)pixels + row * row_bytes,
                               row_bytes);
                    for (uint32_t k = 0; form->bits >= 8 && k < width && x + k < form->columns; k++)
                        memcpy(chunk + i * row_bytes + k * pixel,
                               (const char *)pixels +
                                   ((row * form->columns + x + k) * form->samples + plane) * size,
                               pixel);
                }
                if (form->tile)
                    TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, (uint16_t)plane),
                                         chunk, (tmsize_t)(height * row_bytes));
                else
                    TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y, (uint16_t)plane), chunk,
                                          (tmsize_t)(rows * row_bytes));
            }
    TIFFWriteDirectory(tiff);
}

static inline struct bytes make_tiff(const char *mode, const struct tiff_form *form,
                                     const void *pixels)
{
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, mode);
    set_tiff_form(tiff, form);
    put_tiff_page(tiff, form, pixels);
    TIFFClose(tiff);
    return file;
}

#endif
