/* Tags that tell of a picture but not of its samples: its description and its resolution. libtiff
 * does not get to see them (tiff_source.c), as it refuses a page for their faults; so the first
 * directory is read by hand here. Source: TIFF 6.0, BigTIFF. */
#include "image/stack.h"

#include <stdlib.h>
#include <string.h>

struct bytes_at {
    const struct file_bytes *file;
    uint64_t length;
    bool little, big;
};

/* size bytes, up to 8, from at on as a number; 0 where there are none. */
static uint64_t number_at(const struct bytes_at *file, uint64_t at, size_t size)
{
    unsigned char bytes[8];
    return flt_bytes_at(file->file, at, bytes, size) == size
               ? flt_number_of(bytes, size, file->little)
               : 0;
}

struct entry {
    unsigned tag, type;
    uint64_t count, values; /* values: their place in the file */
};

static struct entry entry_at(const struct bytes_at *file, uint64_t at)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    const size_t room = file->big ? 8 : 4;
    struct entry entry = {.tag = (unsigned)number_at(file, at, 2),
                          .type = (unsigned)number_at(file, at + 2, 2),
                          .count = number_at(file, at + 4, room),
                          .values = at + 4 + room};
    const uint64_t size = entry.type < sizeof sizes ? sizes[entry.type] : 0;
    if (size == 0 || entry.count > file->length / size)
        return (struct entry){.tag = 0};
    if (entry.count * size > room)
        entry.values = number_at(file, entry.values, room);
    if (entry.values > file->length || entry.count * size > file->length - entry.values)
        return (struct entry){.tag = 0};
    return entry;
}

static double fraction_at(const struct bytes_at *file, uint64_t at)
{
    const uint64_t below = number_at(file, at + 4, 4);
    return below ? (double)number_at(file, at, 4) / (double)below : 0;
}

/* A copy of the values, which end with a 0; NULL: there is no memory. */
static void *block_of(const struct bytes_at *file, const struct entry *entry)
{
    char *const block = malloc(entry->count + 1);
    if (block)
        block[flt_bytes_at(file->file, entry->values, block, entry->count)] = '\0';
    return block;
}

/* false: there is no memory. */
static bool take_entry(const struct bytes_at *file, const struct entry *entry,
                       struct tiff_notes *notes)
{
    enum { DESCRIPTION = 270, X_RESOLUTION = 282, Y_RESOLUTION = 283, RESOLUTION_UNIT = 296 };
    enum { PROFILE = 34675, BYTE = 1, ASCII = 2, SHORT = 3, RATIONAL = 5, UNDEFINED = 7 };
    if (entry->tag == DESCRIPTION && (entry->type == ASCII || entry->type == BYTE) &&
        !notes->description) {
        notes->description = block_of(file, entry);
        if (!notes->description)
            return false;
        notes->description_length = strnlen(notes->description, entry->count);
    }
    if (entry->tag == PROFILE && (entry->type == UNDEFINED || entry->type == BYTE) &&
        entry->count > 128) {
        free(notes->profile);
        notes->profile = block_of(file, entry);
        notes->profile_length = entry->count;
        if (!notes->profile)
            return false;
    }
    if ((entry->tag == X_RESOLUTION || entry->tag == Y_RESOLUTION) && entry->type == RATIONAL &&
        entry->count == 1)
        notes->per_unit[entry->tag - X_RESOLUTION] = fraction_at(file, entry->values);
    if (entry->tag == RESOLUTION_UNIT && entry->type == SHORT && entry->count == 1)
        notes->unit = (unsigned)number_at(file, entry->values, 2);
    return true;
}

bool tiff_read_notes(const struct file_bytes *file, struct tiff_notes *notes)
{
    unsigned char order = 0;
    struct bytes_at all = {.file = file, .length = file->length};
    *notes = (struct tiff_notes){.unit = 2};
    flt_bytes_at(file, 0, &order, 1);
    all.little = order == 'I';
    all.big = number_at(&all, 2, 2) == 43;
    const size_t count_bytes = all.big ? 8 : 2, entry_bytes = all.big ? 20 : 12;
    const uint64_t directory = all.big ? number_at(&all, 8, 8) : number_at(&all, 4, 4);
    if (directory > all.length)
        return true;
    uint64_t count = number_at(&all, directory, count_bytes);
    const uint64_t most = (all.length - directory) / entry_bytes;
    if (count > most)
        count = most;
    for (uint64_t i = 0; i < count; i++) {
        const struct entry entry = entry_at(&all, directory + count_bytes + i * entry_bytes);
        if (!take_entry(&all, &entry, notes))
            return false;
    }
    return true;
}
