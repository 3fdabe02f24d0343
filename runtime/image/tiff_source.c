/* A TIFF in memory for libtiff: how it gets at the bytes, where its messages go, and which tags it
 * gets to see.
 *
 * libtiff refuses a whole page for the value of a tag that nobody asked for, such as a
 * MaxSampleValue beyond 16 bits, or tells of it in the words of an error. So it sees only the tags
 * that say what samples are or where they lie; each other one is shown as FreeOffsets, which it
 * skips. What it then complains of concerns the picture. */
#include "image/tiff_page.h"

#include <stdarg.h>
#include <string.h>

static bool shapes_samples(unsigned tag)
{
    static const uint16_t tags[] = {
        TIFFTAG_SUBFILETYPE,       TIFFTAG_OSUBFILETYPE,     TIFFTAG_IMAGEWIDTH,
        TIFFTAG_IMAGELENGTH,       TIFFTAG_BITSPERSAMPLE,    TIFFTAG_COMPRESSION,
        TIFFTAG_PHOTOMETRIC,       TIFFTAG_FILLORDER,        TIFFTAG_STRIPOFFSETS,
        TIFFTAG_ORIENTATION,       TIFFTAG_SAMPLESPERPIXEL,  TIFFTAG_ROWSPERSTRIP,
        TIFFTAG_STRIPBYTECOUNTS,   TIFFTAG_PLANARCONFIG,     TIFFTAG_GROUP3OPTIONS,
        TIFFTAG_GROUP4OPTIONS,     TIFFTAG_PREDICTOR,        TIFFTAG_COLORMAP,
        TIFFTAG_TILEWIDTH,         TIFFTAG_TILELENGTH,       TIFFTAG_TILEOFFSETS,
        TIFFTAG_TILEBYTECOUNTS,    TIFFTAG_INKSET,           TIFFTAG_EXTRASAMPLES,
        TIFFTAG_SAMPLEFORMAT,      TIFFTAG_JPEGTABLES,       TIFFTAG_JPEGPROC,
        TIFFTAG_JPEGIFOFFSET,      TIFFTAG_JPEGIFBYTECOUNT,  TIFFTAG_JPEGRESTARTINTERVAL,
        TIFFTAG_JPEGQTABLES,       TIFFTAG_JPEGDCTABLES,     TIFFTAG_JPEGACTABLES,
        TIFFTAG_YCBCRCOEFFICIENTS, TIFFTAG_YCBCRSUBSAMPLING, TIFFTAG_REFERENCEBLACKWHITE,
        TIFFTAG_MATTEING,          TIFFTAG_DATATYPE,         TIFFTAG_IMAGEDEPTH,
        TIFFTAG_TILEDEPTH,         TIFFTAG_LERC_PARAMETERS};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

static uint64_t number_at(const struct tiff_source *source, const unsigned char *bytes, size_t size)
{
    return flt_number_of(bytes, size, source->start[0] == 'I');
}

static void put_number(const struct tiff_source *source, uint64_t number, unsigned char *bytes,
                       size_t size)
{
    const bool little = source->start[0] == 'I';
    for (size_t i = 0; i < size; i++, number >>= 8)
        bytes[little ? i : size - 1 - i] = (unsigned char)number;
}

/* The entries of a directory, each: tag of 2 bytes, type of 2, count, value. */
struct entries {
    unsigned char *first, *end;
    size_t count_bytes; /* of the count, and of the value */
    bool tiled;
    uint64_t samples; /* of a pixel */
};

static size_t entry_bytes(const struct entries *entries)
{
    return 4 + 2 * entries->count_bytes;
}

static unsigned tag_at(const struct tiff_source *source, const unsigned char *entry)
{
    return (unsigned)number_at(source, entry, 2);
}

/* What tells which other tags matter, and what libtiff passes over: numbers of colors that have no
 * map, as it takes them for grey. */
static void survey_entries(struct tiff_source *source, struct entries *entries)
{
    entries->samples = 1;
    source->has_palette = false;
    source->map_entries = 0;
    for (unsigned char *at = entries->first; at < entries->end; at += entry_bytes(entries)) {
        const size_t size = number_at(source, at + 2, 2) == TIFF_SHORT ? 2 : 4;
        if (tag_at(source, at) == TIFFTAG_SAMPLESPERPIXEL)
            entries->samples = number_at(source, at + 4 + entries->count_bytes, size);
        if (tag_at(source, at) == TIFFTAG_PHOTOMETRIC)
            source->has_palette =
                number_at(source, at + 4 + entries->count_bytes, size) == PHOTOMETRIC_PALETTE;
        if (tag_at(source, at) == TIFFTAG_COLORMAP)
            source->map_entries = number_at(source, at + 4, entries->count_bytes);
        entries->tiled |= tag_at(source, at) == TIFFTAG_TILEWIDTH;
    }
}

/* Whether the tag changes the samples of this very page. */
static bool matters(const struct tiff_source *source, const struct entries *entries,
                    const unsigned char *entry)
{
    const unsigned tag = tag_at(source, entry);
    if (tag == TIFFTAG_PLANARCONFIG)
        return entries->samples != 1;
    if (tag == TIFFTAG_EXTRASAMPLES)
        return entries->samples != 1 && number_at(source, entry + 4, entries->count_bytes) > 0;
    if (tag == TIFFTAG_ROWSPERSTRIP)
        return !entries->tiled;
    return shapes_samples(tag);
}

static void hide_tags(struct tiff_source *source, struct entries *entries)
{
    survey_entries(source, entries);
    for (unsigned char *at = entries->first; at < entries->end; at += entry_bytes(entries))
        if (!matters(source, entries, at)) {
            put_number(source, TIFFTAG_FREEOFFSETS, at, 2);
            put_number(source, TIFF_LONG, at + 2, 2);
            put_number(source, 1, at + 4, entries->count_bytes);
        }
}

/* libtiff goes to a directory, reads the number of its entries, then all entries: nothing else is
 * read in two such steps without a seek between them. */
static void watch_directory(struct tiff_source *source, unsigned char *got, uint64_t length)
{
    const bool big = source->start[source->start[0] == 'I' ? 2 : 3] == 43;
    const size_t number_bytes = big ? 8 : 2;
    struct entries entries = {.first = got, .end = got + length, .count_bytes = big ? 8 : 4};
    const uint64_t count = source->entries;
    source->entries = 0;
    if (source->link_follows)
        source->link_is_cut = !source->sought && length < entries.count_bytes;
    source->link_follows = false;
    if (count > 0 && length % count == 0 && length / count == entry_bytes(&entries)) {
        hide_tags(source, &entries);
        source->link_follows = true;
    } else if (source->sought && length == number_bytes) {
        source->entries = number_at(source, got, number_bytes);
    }
    source->sought = false;
}

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t count)
{
    struct tiff_source *const source = handle;
    const uint64_t taken = flt_bytes_at(source->file, source->at, to, (size_t)count);
    source->at += taken;
    watch_directory(source, to, taken);
    return (tmsize_t)taken;
}

static tmsize_t write_nothing(thandle_t handle, void *from, tmsize_t count)
{
    (void)handle;
    (void)from;
    (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int from)
{
    struct tiff_source *const source = handle;
    const uint64_t base = from == SEEK_CUR   ? source->at
                          : from == SEEK_END ? source->file->length
                                             : 0;
    source->at = base + offset;
    source->sought = true;
    return source->at;
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle)
{
    return ((struct tiff_source *)handle)->file->length;
}

static int keep_error(TIFF *tiff, void *user, const char *module, const char *format,
                      va_list arguments)
{
    struct tiff_source *const source = user;
    (void)tiff;
    (void)module;
    if (source->message[0])
        return 1;
    vsnprintf(source->message, sizeof source->message, format, arguments);
    /* It has no codes for what went wrong, only words. */
    source->out_of_memory =
        strstr(format, "memory") || strstr(format, "alloc") || strstr(format, "No space");
    return 1;
}

/* libjpeg goes on where the data of a strip end, with grey in place of what is missing. All other
 * warnings are of what is harmless. */
static int judge_warning(TIFF *tiff, void *user, const char *module, const char *format,
                         va_list arguments)
{
    struct tiff_source *const source = user;
    char text[160];
    (void)tiff;
    if (!module || strcmp(module, "JPEGLib") != 0)
        return 1;
    vsnprintf(text, sizeof text, format, arguments);
    source->cut_off |= strstr(text, "Premature end") || strstr(text, "premature end");
    return 1;
}

TIFF *tiff_open(struct tiff_source *source)
{
    TIFFOpenOptions *const options = TIFFOpenOptionsAlloc();
    tiff_forget(source);
    source->at = 0;
    flt_bytes_at(source->file, 0, source->start, sizeof source->start);
    source->out_of_memory = !options;
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, source);
    TIFFOpenOptionsSetWarningHandlerExtR(options, judge_warning, source);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)tiff_most_bytes);
    TIFF *const tiff =
        TIFFClientOpenExt(flt_short_name(source->file->name), "rm", source, read_bytes,
                          write_nothing, seek, close_nothing, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

void tiff_forget(struct tiff_source *source)
{
    source->message[0] = '\0';
    source->cut_off = false;
    source->out_of_memory = false;
}

bool tiff_next_page(TIFF *tiff, struct tiff_source *source, enum flt_status *status,
                    struct flt_detail *detail)
{
    *status = FLT_OK;
    if (TIFFLastDirectory(tiff) && !source->link_is_cut)
        return false;
    tiff_forget(source);
    if (source->link_is_cut) /* libtiff takes it for the end */
        snprintf(source->message, sizeof source->message, "it ends in the chain of its pages");
    else if (TIFFReadDirectory(tiff))
        return true;
    if (!source->message[0]) /* version 4.5 only warns of it */
        snprintf(source->message, sizeof source->message, "the chain of its pages leads back");
    *status = tiff_damaged(source, detail);
    return false;
}

enum flt_status tiff_damaged(const struct tiff_source *source, struct flt_detail *detail)
{
    if (source->out_of_memory)
        return FLT_NO_MEMORY;
    if (strstr(source->message, "different values per-sample"))
        return tiff_unsupported(source, detail, "save it with the same bits and type in all",
                                "channels whose samples differ in bits or type");
    return flt_fail(FLT_CORRUPT, detail, "%s is not a valid TIFF: %s",
                    flt_short_name(source->file->name),
                    source->message[0] ? source->message : "its data end early");
}

enum flt_status tiff_unsupported(const struct tiff_source *source, struct flt_detail *detail,
                                 const char *cure, const char *what, ...)
{
    char text[120];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    return flt_fail(FLT_UNSUPPORTED, detail, "%s holds %s, which cannot be read: %s",
                    flt_short_name(source->file->name), text, cure);
}
