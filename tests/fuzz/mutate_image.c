/* mutate_image SEED COUNT: loads COUNT damaged files of each kind, made in memory from small valid
 * ones. To be built with sanitizers: they find the faults; this program checks only what load
 * promises on success and on failure. Prints how many of each kind still loaded: a kind of which
 * none does, or all do, is tested badly. mutate_image --write FOLDER: the valid files, there. Exit
 * status: 1 if a promise was broken or a file not written, 3 for wrong usage. */
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/runtime/make_jpeg.h"
#include "../unit/runtime/make_tiff.h"
#include "../unit/runtime/make_tiff_by_hand.h"
#include "check/files.h"
#include "check/measure.h"
#include "image/codec.h"

/* xorshift64*: Marsaglia 2003, Vigna 2016. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1d;
}

/* 0 .. count - 1 */
static size_t below(size_t count, uint64_t *state)
{
    return (size_t)((next_random(state) >> 33) % count);
}

/* ---- Valid files ---- */

static struct bytes from_text(const char *header, size_t samples)
{
    struct bytes file = {.length = 0};
    put_text(&file, header);
    for (size_t i = 0; i < samples; i++)
        put(&file, (unsigned char[]){(unsigned char)(i * 7)}, 1);
    return file;
}

static struct bytes make_png_of(int depth, int color_type, int interlace, size_t raw_length)
{
    static const unsigned char raw[1024] = {0};
    struct bytes file;
    begin_png(&file, 9, 7, depth, color_type, interlace);
    if (color_type == PNG_COLOR_TYPE_PALETTE)
        put_chunk(&file, "PLTE", "rgbRGBxyzXYZ", 12);
    if (!(color_type & PNG_COLOR_MASK_ALPHA))
        put_chunk(&file, "tRNS", "\0\1\0\2\0\3",
                  color_type == PNG_COLOR_TYPE_PALETTE ? 3
                  : color_type == PNG_COLOR_TYPE_RGB   ? 6
                                                       : 2);
    end_png(&file, raw, raw_length);
    return file;
}

static struct bytes make_palette(void)
{
    return make_png_of(2, PNG_COLOR_TYPE_PALETTE, 0, 7 * (1 + 3));
}

static struct bytes make_grey_16(void)
{
    return make_png_of(16, PNG_COLOR_TYPE_GRAY, 0, 7 * (1 + 18));
}

/* Adam7 cuts 7 by 9 into rows of: 1, 1 of 2; 1, 1 of 1; 1 of 3; 2 of 2; 2 of 5; 4 of 4; 3 of 9. */
static struct bytes make_interlaced_rgba(void)
{
    return make_png_of(8, PNG_COLOR_TYPE_RGB_ALPHA, 1, 14 + 4 * 63);
}

/* With true compression and filters, which the others lack. */
static struct bytes make_compressed(void)
{
    unsigned char pixels[32 * 32 * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * i / 97);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = 32, .height = 32, .format = PNG_FORMAT_RGB};
    struct bytes file;
    png_alloc_size_t length = sizeof file.at;
    if (!png_image_write_to_memory(&image, file.at, &length, 0, pixels, 0, NULL))
        abort();
    file.length = length;
    return file;
}

static struct bytes make_pbm_text(void)
{
    return from_text("P1\n# a comment\n5 3\n0 1 0 1 0\n11111\n1 0 1 0 1\n", 0);
}

static struct bytes make_ppm_text(void)
{
    return from_text("P3 2 2 1000\n0 500 1000 3 4 5\n6 7 8 9 10 11\n", 0);
}

static struct bytes make_pbm(void)
{
    return from_text("P4\n13 7\n", 14);
}

static struct bytes make_pgm_16(void)
{
    return from_text("P5\n5 4\n65535\n", 40);
}

static struct bytes make_ppm(void)
{
    return from_text("P6\n5 4\n255\n", 60);
}

static struct bytes make_pfm(void)
{
    return from_text("PF\n3 4\n-1.0\n", 144);
}

static struct bytes make_npy_of(int version, const char *dictionary, size_t samples)
{
    struct bytes file = {.length = 0};
    const unsigned char start[] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0, (unsigned char)strlen(dictionary),
        0,    0,   0};
    put(&file, start, version == 1 ? 10 : 12);
    const struct bytes rest = from_text(dictionary, samples);
    put(&file, rest.at, rest.length);
    return file;
}

static struct bytes make_npy(void)
{
    return make_npy_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 5, 3), }\n", 240);
}

static struct bytes make_npy_fortran(void)
{
    return make_npy_of(3, "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3, 4, 2), }\n", 96);
}

static struct bytes make_npy_bool(void)
{
    return make_npy_of(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (30,), }\n", 30);
}

static struct bytes make_csv(void)
{
    return from_text("1,2.5,-3e2\nnan, 0.125,+inf\r\n-0,1e-300,7\n", 0);
}

static struct bytes make_jpeg_of(J_COLOR_SPACE colors, bool progressive)
{
    unsigned char pixels[24 * 20 * 4];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * i / 97);
    return make_jpeg(&(struct jpeg_form){24, 20, colors, progressive, 6}, pixels);
}

static struct bytes make_jpeg_grey(void)
{
    return make_jpeg_of(JCS_GRAYSCALE, false);
}

static struct bytes make_jpeg_progressive(void)
{
    return make_jpeg_of(JCS_RGB, true);
}

static struct bytes make_jpeg_cmyk(void)
{
    return make_jpeg_of(JCS_CMYK, false);
}

static struct bytes make_tiff_of(const char *mode, const struct tiff_form *form, int pages)
{
    static const uint16_t alpha = EXTRASAMPLE_ASSOCALPHA;
    unsigned char pixels[2048];
    uint16_t colors[3][256];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * i / 97 % 120);
    for (int i = 0; i < 3 * 256; i++)
        colors[i / 256][i % 256] = (uint16_t)(i * 85);
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, mode);
    for (int i = 0; i < pages; i++) {
        set_tiff_form(tiff, form);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, 1 + pages * 3 % 8);
        if (form->photometric == PHOTOMETRIC_PALETTE)
            TIFFSetField(tiff, TIFFTAG_COLORMAP, colors[0], colors[1], colors[2]);
        if (form->samples == 4)
            TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
        if (form->compression == COMPRESSION_JPEG)
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        else if (form->photometric == PHOTOMETRIC_YCBCR)
            TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
        put_tiff_page(tiff, form, pixels);
    }
    TIFFClose(tiff);
    return file;
}

static struct bytes make_tiff_strips(void)
{
    const struct tiff_form form = {
        5, 7, 3, 16, SAMPLEFORMAT_INT, PHOTOMETRIC_RGB, COMPRESSION_NONE, PLANARCONFIG_SEPARATE, 0};
    return make_tiff_of("wb", &form, 1);
}

static struct bytes make_tiff_tiles(void)
{
    const struct tiff_form form = {
        9, 20, 4, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_RGB, COMPRESSION_LZW, PLANARCONFIG_CONTIG, 16};
    return make_tiff_of("wl", &form, 1);
}

static struct bytes make_tiff_pages(void)
{
    const struct tiff_form form = {4,
                                   6,
                                   1,
                                   32,
                                   SAMPLEFORMAT_IEEEFP,
                                   PHOTOMETRIC_MINISBLACK,
                                   COMPRESSION_ADOBE_DEFLATE,
                                   PLANARCONFIG_CONTIG,
                                   0};
    return make_tiff_of("wl8", &form, 3);
}

static struct bytes make_tiff_palette(void)
{
    const struct tiff_form form = {5,
                                   10,
                                   1,
                                   4,
                                   SAMPLEFORMAT_UINT,
                                   PHOTOMETRIC_PALETTE,
                                   COMPRESSION_PACKBITS,
                                   PLANARCONFIG_CONTIG,
                                   0};
    return make_tiff_of("wl", &form, 1);
}

static struct bytes make_tiff_fax(void)
{
    const struct tiff_form form = {8,
                                   40,
                                   1,
                                   1,
                                   SAMPLEFORMAT_UINT,
                                   PHOTOMETRIC_MINISWHITE,
                                   COMPRESSION_CCITTFAX4,
                                   PLANARCONFIG_CONTIG,
                                   0};
    return make_tiff_of("wl", &form, 1);
}

static struct bytes make_tiff_jpeg(void)
{
    const struct tiff_form form = {
        16, 32, 3, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_YCBCR, COMPRESSION_JPEG, PLANARCONFIG_CONTIG,
        16};
    return make_tiff_of("wl", &form, 1);
}

static struct bytes make_tiff_cmyk(void)
{
    const struct tiff_form form = {
        5, 7, 4, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_SEPARATED, COMPRESSION_ZSTD, PLANARCONFIG_CONTIG,
        0};
    return make_tiff_of("wl", &form, 1);
}

/* Samples without an order in them, for a form whose rows put_tiff_page understands. */
static struct bytes make_tiff_simple(const char *mode, uint32_t columns, uint16_t samples,
                                     uint16_t bits, uint16_t format, uint16_t photometric,
                                     uint16_t planar)
{
    const struct tiff_form form = {4,           columns,          samples, bits, format,
                                   photometric, COMPRESSION_NONE, planar,  0};
    return make_tiff_of(mode, &form, 1);
}

static struct bytes make_tiff_lab(void)
{
    return make_tiff_simple("wb", 5, 3, 16, SAMPLEFORMAT_UINT, PHOTOMETRIC_CIELAB,
                            PLANARCONFIG_SEPARATE);
}

static struct bytes make_tiff_half_alpha(void)
{
    return make_tiff_simple("wl8", 5, 4, 16, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_RGB,
                            PLANARCONFIG_CONTIG);
}

static struct bytes make_tiff_complex(void)
{
    return make_tiff_simple("wb", 5, 2, 64, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_MINISBLACK,
                            PLANARCONFIG_SEPARATE);
}

static struct bytes make_tiff_white(void)
{
    return make_tiff_simple("wb8", 5, 1, 32, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISWHITE,
                            PLANARCONFIG_CONTIG);
}

static struct bytes make_tiff_ycbcr(void)
{
    return make_tiff_simple("wl", 16, 3, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_YCBCR,
                            PLANARCONFIG_SEPARATE);
}

static struct bytes make_tiff_light(void)
{
    const struct tiff_form form = {4,
                                   7,
                                   3,
                                   32,
                                   SAMPLEFORMAT_IEEEFP,
                                   PHOTOMETRIC_LOGLUV,
                                   COMPRESSION_SGILOG,
                                   PLANARCONFIG_CONTIG,
                                   0};
    return make_tiff_of("wl", &form, 1);
}

/* A stack whose description tells its axes. */
static struct bytes make_tiff_stack(const char *description, int pages)
{
    const struct tiff_form form = {2,
                                   3,
                                   1,
                                   16,
                                   SAMPLEFORMAT_UINT,
                                   PHOTOMETRIC_MINISBLACK,
                                   COMPRESSION_NONE,
                                   PLANARCONFIG_CONTIG,
                                   0};
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    for (int i = 0; i < pages; i++) {
        set_tiff_form(tiff, &form);
        if (i == 0) {
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
            TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 2.5);
            TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, 3);
        }
        put_tiff_page(tiff, &form, "abcdefghijkl");
    }
    TIFFClose(tiff);
    return file;
}

static struct bytes make_tiff_imagej(void)
{
    return make_tiff_stack("ImageJ=1.53t\nimages=8\nchannels=2\nslices=2\nframes=2\n"
                           "hyperstack=true\nunit=\\u00B5m\nspacing=0.5\nfinterval=2\n",
                           8);
}

static struct bytes make_tiff_ome(void)
{
    return make_tiff_stack(
        "<?xml version=\"1.0\"?><OME UUID=\"1\"><Image><Pixels DimensionOrder=\"XYZCT\" "
        "SizeX=\"3\" SizeY=\"2\" SizeZ=\"2\" SizeC=\"1\" SizeT=\"2\" PhysicalSizeX=\"0.5\" "
        "PhysicalSizeXUnit=\"mm\" TimeIncrement=\"2\"><TiffData IFD=\"2\" PlaneCount=\"2\">"
        "<UUID>1</UUID></TiffData><TiffData IFD=\"0\" FirstT=\"1\" PlaneCount=\"2\"/></Pixels>"
        "</Image></OME>",
        4);
}

/* One directory for six pages. */
static struct bytes make_tiff_headless(void)
{
    static const char description[] = "ImageJ=1.53t\nimages=6\nslices=3\nframes=2\n";
    static const struct tiff_tag tags[] = {
        {256, SHORT_TAG, 1, 4},           {257, SHORT_TAG, 1, 3},
        {258, SHORT_TAG, 1, 8},           {259, SHORT_TAG, 1, 1},
        {262, SHORT_TAG, 1, 1},           {270, ASCII_TAG, sizeof description, TIFF_VALUES},
        {273, LONG_TAG, 1, TIFF_SAMPLES}, {277, SHORT_TAG, 1, 1},
        {278, SHORT_TAG, 1, 3},           {279, LONG_TAG, 1, 12}};
    return tiff_by_hand(false, false, "abcdefghijkl", 12, description, sizeof description, tags,
                        sizeof tags / sizeof tags[0]);
}

/* Tags that are no samples, of every type, true to the format or not. */
static struct bytes make_tiff_tags(void)
{
    enum { OWN = 9, MOST = 24 };
    struct tiff_tag tags[MOST] = {
        {256, SHORT_TAG, 1, 4}, {257, SHORT_TAG, 1, 3}, {258, SHORT_TAG, 1, 8},
        {259, SHORT_TAG, 1, 1}, {262, SHORT_TAG, 1, 1}, {273, LONG_TAG, 1, TIFF_SAMPLES},
        {277, SHORT_TAG, 1, 1}, {278, SHORT_TAG, 1, 3}, {279, LONG_TAG, 1, 12}};
    static const uint16_t others[] = {274, 280,   281,   282,   296,   301,   306,  320,
                                      330, 34665, 34675, 34853, 50000, 65000, 33550};
    for (size_t i = 0; i < MOST - OWN; i++)
        tags[OWN + i] = (struct tiff_tag){others[i], (uint16_t)(i % 14), 1U << i, TIFF_VALUES};
    return tiff_by_hand(false, false, "abcdefghijkl", 12, "\0\0\0\1", 4, tags, MOST);
}

static struct bytes make_png_chunks(void)
{
    struct bytes file;
    begin_png(&file, 3, 2, 8, PNG_COLOR_TYPE_GRAY, 0);
    put_chunk(&file, "gAMA", "\0\0\xb1\x8f", 4);
    put_chunk(&file, "sBIT", "\5", 1);
    put_chunk(&file, "cICP", "\11\20\0\1", 4);
    put_chunk(&file, "cLLI", "\0\1\2\3\4\5\6\7", 8);
    put_chunk(&file, "iCCP", "x\0\0zzzz", 7);
    put_chunk(&file, "tRNS", "\0a", 2);
    put_chunk(&file, "eXIf", "II*\0\10\0\0\0\1\0\22\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0", 26);
    put_chunk(&file, "tEXt", "Title\0sky", 9);
    put_chunk(&file, "tIME", "\7\7\7\7\7\7\7", 7);
    end_png(&file, "\0abc\0def", 8);
    return file;
}

static const struct kind {
    const char *name;
    struct bytes (*make)(void);
    bool is_png;
} kinds[] = {
    {"PNG palette", make_palette, true},
    {"PNG grey of 16 bits", make_grey_16, true},
    {"PNG RGBA interlaced", make_interlaced_rgba, true},
    {"PNG RGB compressed", make_compressed, true},
    {"PNG many chunks", make_png_chunks, true},
    {"PBM text", make_pbm_text, false},
    {"PPM text", make_ppm_text, false},
    {"PBM", make_pbm, false},
    {"PGM of 16 bits", make_pgm_16, false},
    {"PPM", make_ppm, false},
    {"PFM", make_pfm, false},
    {"NPY", make_npy, false},
    {"NPY fortran order", make_npy_fortran, false},
    {"NPY bool", make_npy_bool, false},
    {"CSV", make_csv, false},
    {"JPEG grey", make_jpeg_grey, false},
    {"JPEG progressive", make_jpeg_progressive, false},
    {"JPEG CMYK", make_jpeg_cmyk, false},
    {"TIFF strips, planes", make_tiff_strips, false},
    {"TIFF tiles, LZW", make_tiff_tiles, false},
    {"TIFF pages, deflate", make_tiff_pages, false},
    {"TIFF palette", make_tiff_palette, false},
    {"TIFF fax", make_tiff_fax, false},
    {"TIFF JPEG", make_tiff_jpeg, false},
    {"TIFF CMYK, zstd", make_tiff_cmyk, false},
    {"TIFF many tags", make_tiff_tags, false},
    {"TIFF of ImageJ", make_tiff_imagej, false},
    {"TIFF of OME", make_tiff_ome, false},
    {"TIFF without heads", make_tiff_headless, false},
    {"TIFF Lab, planes", make_tiff_lab, false},
    {"TIFF f16 by alpha", make_tiff_half_alpha, false},
    {"TIFF re and im", make_tiff_complex, false},
    {"TIFF 0 is white", make_tiff_white, false},
    {"TIFF YCbCr, planes", make_tiff_ycbcr, false},
    {"TIFF LogLuv", make_tiff_light, false},
};

/* ---- Damage ---- */

static void change_bit(struct bytes *file, uint64_t *random)
{
    file->at[below(file->length, random)] ^= (unsigned char)(1 << below(8, random));
}

static void change_byte(struct bytes *file, uint64_t *random)
{
    static const unsigned char telling[] = {0,    1,   0x7f, 0x80, 0xff, ' ',
                                            '\n', '#', '9',  '-',  '(',  '}'};
    file->at[below(file->length, random)] = telling[below(sizeof telling, random)];
}

/* Four bytes that a length or an offset may stand in. */
static void claim_much(struct bytes *file, uint64_t *random)
{
    static const unsigned char claims[][5] = {"\x7f\xff\xff\xff", "\xff\xff\xff\x7f",
                                              "\xff\xff\xff\xff", "\0\1\0\0",
                                              "\0\0\1\0",         "\0\x10\0\0"};
    if (file->length >= 4)
        memcpy(file->at + below(file->length - 3, random),
               claims[below(sizeof claims / sizeof claims[0], random)], 4);
}

static void cut(struct bytes *file, uint64_t *random)
{
    file->length = 1 + below(file->length, random);
}

/* Copies some bytes over others of the same file. */
static void copy_part(struct bytes *file, uint64_t *random)
{
    const size_t length = 1 + below(file->length < 16 ? file->length : 16, random);
    const size_t from = below(file->length - length + 1, random);
    const size_t to = below(file->length - length + 1, random);
    memmove(file->at + to, file->at + from, length);
}

static void remove_part(struct bytes *file, uint64_t *random)
{
    const size_t length = below(file->length < 16 ? file->length : 16, random);
    const size_t from = below(file->length - length + 1, random);
    memmove(file->at + from, file->at + from + length, file->length - length - from);
    file->length -= length;
}

/* In front of a digit usually, as headers are short: sizes become large. */
static void insert_digits(struct bytes *file, uint64_t *random)
{
    const size_t length = 1 + below(10, random);
    const size_t at = below(file->length < 80 ? file->length : 80, random);
    if (file->length + length > sizeof file->at)
        return;
    memmove(file->at + at + length, file->at + at, file->length - at);
    for (size_t i = 0; i < length; i++)
        file->at[at + i] = (unsigned char)('0' + below(10, random));
    file->length += length;
}

static void mutate(struct bytes *file, uint64_t *random)
{
    static void (*const mutations[])(struct bytes *, uint64_t *) = {
        change_bit, change_byte, change_bit,    change_byte, cut,
        copy_part,  remove_part, insert_digits, claim_much};
    for (size_t left = 1 + below(4, random); left > 0 && file->length > 0; left--)
        mutations[below(sizeof mutations / sizeof mutations[0], random)](file, random);
}

static uint32_t u32_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Makes the checksums of the chunks right again; else nearly all damage would end there. */
static void repair_checksums(struct bytes *file)
{
    size_t at = 8;
    while (file->length >= at + 12 && u32_at(file->at + at) <= file->length - at - 12) {
        const size_t length = u32_at(file->at + at);
        const uint32_t crc = crc_of(file->at + at + 4, 4 + length);
        for (size_t i = 0; i < 4; i++)
            file->at[at + 8 + length + i] = (unsigned char)(crc >> (24 - 8 * i));
        at += 12 + length;
    }
}

/* ---- What load promises ---- */

/* Whether the promises hold. */
static bool try_load(const struct bytes *file, size_t *loaded)
{
    return check_image(file->at, file->length, loaded);
}

/* The file with a sound one behind it. */
static bool try_chain(const struct bytes *file, const struct bytes *sound)
{
    const size_t length = file->length + sound->length;
    unsigned char *const both = malloc(length);
    if (!both)
        abort();
    memcpy(both, file->at, file->length);
    memcpy(both + file->length, sound->at, sound->length);
    const bool kept = check_chain(both, length);
    free(both);
    return kept;
}

static bool try_kind(const struct kind *kind, size_t count, uint64_t *random)
{
    const struct bytes valid = kind->make();
    size_t loaded = 0;
    bool kept = try_load(&valid, &loaded);
    if (loaded != 1) {
        fprintf(stderr, "mutate_image: %s: the undamaged file does not load\n", kind->name);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct bytes file = valid;
        mutate(&file, random);
        if (kind->is_png && below(4, random) > 0)
            repair_checksums(&file);
        kept &= try_load(&file, &loaded) && try_chain(&file, &valid);
    }
    printf("%-20s %zu of %zu loaded\n", kind->name, loaded - 1, count);
    return kept;
}

/* The undamaged file of each kind, in the folder. False: it cannot be written. */
static bool write_kinds(const char *folder)
{
    bool is_written = true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct bytes file = kinds[i].make();
        char path[4096];
        snprintf(path, sizeof path, "%s/%zu", folder, i);
        is_written &= write_bytes(path, file.at, file.length);
    }
    return is_written;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: mutate_image SEED COUNT\n"
                        "       mutate_image --write FOLDER\n");
        return 3;
    }
    if (strcmp(argv[1], "--write") == 0)
        return write_kinds(argv[2]) ? 0 : 1;
    uint64_t random = strtoull(argv[1], NULL, 10) * 2 + 1;
    const size_t count = strtoull(argv[2], NULL, 10);
    const size_t all = sizeof kinds / sizeof kinds[0];
    size_t passed = 0;
    for (size_t i = 0; i < all; i++)
        passed += try_kind(&kinds[i], count, &random);
    printf("kinds of images: %zu passed, %zu failed\n", passed, all - passed);
    return passed == all ? 0 : 1;
}
