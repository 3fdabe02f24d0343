/* TIFF files made byte by byte: one page whose tags may be such as libtiff would not write. */
#ifndef MAKE_TIFF_BY_HAND_H
#define MAKE_TIFF_BY_HAND_H

#include <stdbool.h>

#include "make_png.h"

/* values: small ones in the entry itself; else the place in the file, and bytes of one's own are at
 * TIFF_VALUES. */
struct tiff_tag {
    uint16_t tag, type;
    uint32_t count, value;
};

enum { TIFF_SAMPLES = 16, TIFF_VALUES = 1024, TIFF_DIRECTORY = 2048, TIFF_MOST_TAGS = 32 };
enum { BYTE_TAG = 1, ASCII_TAG, SHORT_TAG, LONG_TAG, RATIONAL_TAG };

static inline void put_tiff_number(struct bytes *file, bool little, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const size_t place = little ? i : size - 1 - i;
        put(file, (unsigned char[]){(unsigned char)(number >> 8 * place)}, 1);
    }
}

static inline void put_tiff_tag(struct bytes *file, bool little, bool big,
                                const struct tiff_tag *tag)
{
    const size_t size = tag->type == SHORT_TAG && tag->count < 3 ? 2
                        : tag->type < 3 && tag->count < 5        ? 1
                                                                 : 4;
    const size_t room = big ? 8 : 4, end = file->length + 4 + 2 * room;
    put_tiff_number(file, little, tag->tag, 2);
    put_tiff_number(file, little, tag->type, 2);
    put_tiff_number(file, little, tag->count, room);
    put_tiff_number(file, little, tag->value, size);
    while (file->length < end)
        put(file, "", 1);
}

/* samples: at TIFF_SAMPLES; values: at TIFF_VALUES. Each as it is. tags: in any order. */
static inline struct bytes tiff_by_hand(bool little, bool big, const void *samples, size_t length,
                                        const void *values, size_t values_length,
                                        const struct tiff_tag tags[], size_t count)
{
    struct bytes file = {.length = 0};
    put_text(&file, little ? "II" : "MM");
    put_tiff_number(&file, little, big ? 43 : 42, 2);
    if (big)
        put_tiff_number(&file, little, 8, little ? 4 : 2);
    if (big && !little)
        put_tiff_number(&file, little, 0, 2);
    put_tiff_number(&file, little, TIFF_DIRECTORY, big ? 8 : 4);
    file.length = TIFF_DIRECTORY;
    memcpy(file.at + TIFF_SAMPLES, samples, length);
    memcpy(file.at + TIFF_VALUES, values, values_length);
    put_tiff_number(&file, little, count, big ? 8 : 2);
    for (uint32_t tag = 0; tag <= UINT16_MAX; tag++)
        for (size_t i = 0; i < count; i++)
            if (tags[i].tag == tag)
                put_tiff_tag(&file, little, big, &tags[i]);
    put_tiff_number(&file, little, 0, big ? 8 : 4);
    return file;
}

#endif
