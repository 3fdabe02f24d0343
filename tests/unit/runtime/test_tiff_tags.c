/* Tags of TIFF that do not change samples: none of them, whatever it says, keeps a file from being
 * read. Those that do are believed or refused. */
#include "expect_image.h"
#include "make_tiff_by_hand.h"

enum { ROWS = 3, COLUMNS = 4, LENGTH = ROWS * COLUMNS, BASE = 9 };

static const char pixels[] = "abcdefghijkl";

static const struct tiff_tag base[BASE] = {
    {256, SHORT_TAG, 1, COLUMNS}, {257, SHORT_TAG, 1, ROWS}, {258, SHORT_TAG, 1, 8},
    {259, SHORT_TAG, 1, 1},       {262, SHORT_TAG, 1, 1},    {273, LONG_TAG, 1, TIFF_SAMPLES},
    {277, SHORT_TAG, 1, 1},       {278, SHORT_TAG, 1, ROWS}, {279, LONG_TAG, 1, LENGTH},
};

/* The base, with one tag added, or put in the place of the same one. */
static struct bytes with_tag(bool little, bool big, const struct tiff_tag *tag)
{
    struct tiff_tag tags[BASE + 1];
    size_t count = BASE;
    memcpy(tags, base, sizeof base);
    for (size_t i = 0; i < BASE; i++)
        if (tags[i].tag == tag->tag)
            tags[i] = tags[--count];
    tags[count++] = *tag;
    return tiff_by_hand(little, big, pixels, LENGTH, "\0\0\0\0\0\0\0\0", 8, tags, count);
}

static void expect_base(const struct bytes *file, const struct tiff_tag *tag)
{
    struct flt_image image;
    struct flt_detail detail = {""};
    if (flt_image_load_bytes("it", file->at, file->length, &image, &detail) != FLT_OK)
        print_message("tag %u, type %u, count %u, value %u: ", tag->tag, tag->type, tag->count,
                      tag->value);
    assert_string_equal(detail.text, "");
    expect_image(&image, FLT_U8, "yx", (const int32_t[]){ROWS, COLUMNS}, pixels);
    flt_image_destroy(&image);
}

static void no_tag_beside_the_samples_keeps_a_file_from_being_read(void **state)
{
    (void)state;
    const uint32_t beyond = 1 << 20;
    const struct tiff_tag odd[] = {
        {274, SHORT_TAG, 1, 0},               /* Orientation */
        {274, SHORT_TAG, 1, 9},               /* */
        {274, ASCII_TAG, 2, 'x'},             /* */
        {282, RATIONAL_TAG, 1, TIFF_VALUES},  /* XResolution 0/0 */
        {283, RATIONAL_TAG, 1, beyond},       /* YResolution */
        {282, RATIONAL_TAG, 0, 0},            /* */
        {282, ASCII_TAG, 4, '7'},             /* */
        {286, RATIONAL_TAG, 1, TIFF_VALUES},  /* XPosition */
        {296, SHORT_TAG, 1, 0},               /* ResolutionUnit */
        {296, SHORT_TAG, 1, 77},              /* */
        {296, RATIONAL_TAG, 1, beyond},       /* */
        {280, LONG_TAG, 1, 70000},            /* MinSampleValue */
        {281, LONG_TAG, 1, 0xffffffff},       /* MaxSampleValue */
        {281, RATIONAL_TAG, 1, TIFF_VALUES},  /* */
        {281, SHORT_TAG, 7, beyond},          /* */
        {340, SHORT_TAG, 5, TIFF_VALUES},     /* SMinSampleValue */
        {341, ASCII_TAG, 2, '9'},             /* SMaxSampleValue */
        {263, SHORT_TAG, 1, 0},               /* Threshholding */
        {264, LONG_TAG, 9, beyond},           /* CellWidth */
        {266, SHORT_TAG, 1, 0},               /* FillOrder */
        {269, SHORT_TAG, 1, 5},               /* DocumentName */
        {270, ASCII_TAG, 0, 0},               /* ImageDescription */
        {270, ASCII_TAG, 0xfffffff0, 8},      /* */
        {338, SHORT_TAG, 1, 9},               /* ExtraSamples of one sample */
        {338, ASCII_TAG, 0, 0},               /* */
        {284, SHORT_TAG, 1, 0},               /* PlanarConfiguration of one sample */
        {290, SHORT_TAG, 1, 0},               /* GrayResponseUnit */
        {291, SHORT_TAG, 3, TIFF_VALUES},     /* GrayResponseCurve */
        {297, SHORT_TAG, 1, 5},               /* PageNumber */
        {301, SHORT_TAG, 2, 5},               /* TransferFunction */
        {305, ASCII_TAG, 40, beyond},         /* Software */
        {306, ASCII_TAG, 3, 'x'},             /* DateTime */
        {317, SHORT_TAG, 1, 77},              /* Predictor, without a compression */
        {318, RATIONAL_TAG, 2, TIFF_VALUES},  /* WhitePoint */
        {319, RATIONAL_TAG, 2, beyond},       /* PrimaryChromaticities */
        {320, SHORT_TAG, 3, TIFF_VALUES},     /* ColorMap of grey */
        {321, SHORT_TAG, 1, 5},               /* HalftoneHints */
        {330, LONG_TAG, 1, beyond},           /* SubIFDs */
        {330, RATIONAL_TAG, 1, TIFF_VALUES},  /* */
        {332, SHORT_TAG, 1, 9},               /* InkSet of grey */
        {333, ASCII_TAG, 3, 'x'},             /* InkNames */
        {336, SHORT_TAG, 1, 5},               /* DotRange */
        {347, BYTE_TAG, 900, beyond},         /* JPEGTables of what is not compressed */
        {529, RATIONAL_TAG, 3, TIFF_VALUES},  /* YCbCrCoefficients of grey */
        {530, SHORT_TAG, 2, 0},               /* YCbCrSubsampling of grey */
        {531, SHORT_TAG, 1, 9},               /* YCbCrPositioning */
        {532, RATIONAL_TAG, 6, beyond},       /* ReferenceBlackWhite */
        {700, LONG_TAG, 0xffffffff, beyond},  /* XMP */
        {33432, LONG_TAG, 1, 5},              /* Copyright */
        {33550, 12, 2, beyond},               /* a scale of GeoTIFF */
        {33723, LONG_TAG, 3, beyond},         /* IPTC */
        {34377, BYTE_TAG, 9, beyond},         /* Photoshop */
        {34665, LONG_TAG, 1, beyond},         /* EXIF */
        {34665, LONG_TAG, 1, TIFF_DIRECTORY}, /* */
        {34665, ASCII_TAG, 1, 'x'},           /* */
        {34675, 7, 0x7fffffff, 8},            /* ICC */
        {34675, SHORT_TAG, 0, 0},             /* */
        {34853, SHORT_TAG, 1, 1},             /* GPS */
        {40965, LONG_TAG, 1, beyond},         /* interoperability */
        {42113, LONG_TAG, 1, 5},              /* no data, of GDAL */
        {50000, 0, 0, 0},                     /* unknown tags */
        {50000, 0, 0xffffffff, 0xffffffff},   /* */
        {50001, 99, 1, 0},                    /* */
        {50002, 13, 5, beyond},               /* */
        {50003, 16, 0x7fffffff, beyond},      /* */
        {0, SHORT_TAG, 1, 0},                 /* */
        {65535, BYTE_TAG, 1, 0},              /* */
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        for (int turn = 0; turn < 4; turn++) {
            const struct bytes file = with_tag(turn & 1, turn & 2, &odd[i]);
            expect_base(&file, &odd[i]);
        }
}

/* What a file says of samples it must be able to mean. */
static void tags_of_samples_are_not_passed_over(void **state)
{
    (void)state;
    static const struct tiff_tag odd[] = {
        {256, SHORT_TAG, 1, 0},      /* ImageWidth */
        {257, ASCII_TAG, 2, 'x'},    /* ImageLength */
        {258, SHORT_TAG, 1, 0},      /* BitsPerSample */
        {259, SHORT_TAG, 1, 50},     /* Compression */
        {262, SHORT_TAG, 1, 4},      /* PhotometricInterpretation: a mask */
        {262, SHORT_TAG, 1, 32803},  /* of a camera */
        {273, LONG_TAG, 1, 1 << 20}, /* StripOffsets */
        {339, SHORT_TAG, 1, 7},      /* SampleFormat */
        {32997, LONG_TAG, 1, 2},     /* ImageDepth */
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        const struct bytes file = with_tag(true, false, &odd[i]);
        struct flt_image image;
        struct flt_detail detail = {""};
        const enum flt_status status =
            flt_image_load_bytes("it", file.at, file.length, &image, &detail);
        if (status == FLT_OK)
            print_message("tag %u is passed over\n", odd[i].tag);
        assert_true(status == FLT_CORRUPT || status == FLT_UNSUPPORTED);
        assert_true(strlen(detail.text) > 0);
    }
    const struct bytes file = with_tag(true, false, &odd[3]);
    expect_refused(file.at, file.length, FLT_UNSUPPORTED,
                   "it holds samples compressed in way 50, which cannot be read: save it with LZW "
                   "or Deflate");
}

/* Without all of its colors a palette's numbers would pass for a grey picture. */
static void palettes_without_colors_are_refused(void **state)
{
    (void)state;
    enum { MAP = 65 * 3 };
    static const uint16_t colors[MAP];
    struct tiff_tag tags[BASE + 1];
    memcpy(tags, base, sizeof base);
    tags[4].value = 3;
    tags[BASE] = (struct tiff_tag){320, SHORT_TAG, MAP, TIFF_VALUES};
    struct bytes file =
        tiff_by_hand(true, false, pixels, LENGTH, colors, sizeof colors, tags, BASE + 1);
    expect_refused(file.at, file.length, FLT_CORRUPT,
                   "it is not a valid TIFF: its color map has 195 entries, but samples of 8 bits "
                   "take 768");
    file = tiff_by_hand(true, false, pixels, LENGTH, colors, sizeof colors, tags, BASE);
    expect_refused(file.at, file.length, FLT_CORRUPT,
                   "it is not a valid TIFF: it has a palette without a color map");
    tags[2].value = 4;
    file = tiff_by_hand(true, false, pixels, LENGTH, colors, sizeof colors, tags, BASE);
    expect_refused(file.at, file.length, FLT_CORRUPT, NULL);
}

/* libtiff takes the beginning of the file for strips whose place is not told. */
static void strips_without_a_place_are_refused(void **state)
{
    (void)state;
    struct tiff_tag tags[BASE + 1];
    memcpy(tags, base, sizeof base);
    tags[7].value = 1; /* rows of a strip */
    tags[5] = (struct tiff_tag){273, SHORT_TAG, 2, TIFF_SAMPLES | (TIFF_SAMPLES + COLUMNS) << 16};
    tags[8] = (struct tiff_tag){279, SHORT_TAG, 2, COLUMNS | COLUMNS << 16};
    struct bytes file = tiff_by_hand(true, false, pixels, LENGTH, "", 0, tags, BASE);
    memcpy(file.at + TIFF_DIRECTORY + 2 + 5 * 12 + 8, "\x10\0\x14\0", 4);
    memcpy(file.at + TIFF_DIRECTORY + 2 + 8 * 12 + 8, "\4\0\4\0", 4);
    expect_refused(file.at, file.length, FLT_CORRUPT,
                   "it is not a valid TIFF: it does not say where its strip or tile 2 is");
    memcpy(tags, base, sizeof base);
    tags[0].value = 1;
    tags[1].value = 4;
    tags[6].value = 3;
    tags[4].value = 2;
    tags[7].value = 4;
    tags[BASE] = (struct tiff_tag){284, SHORT_TAG, 1, 2}; /* three planes in one strip */
    file = tiff_by_hand(true, false, pixels, LENGTH, "", 0, tags, BASE + 1);
    expect_refused(file.at, file.length, FLT_CORRUPT,
                   "it is not a valid TIFF: it does not say where its strip or tile 1 is");
}

static void colors_that_are_guessed_are_told(void **state)
{
    (void)state;
    struct tiff_tag tags[BASE];
    memcpy(tags, base, sizeof base);
    tags[4] = (struct tiff_tag){305, SHORT_TAG, 1, 1}; /* not PhotometricInterpretation */
    const struct bytes file = tiff_by_hand(true, false, pixels, LENGTH, "", 0, tags, BASE);
    expect_loads_but(file.at, file.length, FLT_U8, "yx", (const int32_t[]){ROWS, COLUMNS}, pixels,
                     "it does not say which colors its samples are: they are taken for grey, 0 for "
                     "black");
}

/* A page that cannot be reached is missed, though libtiff returns as at the end. */
static void a_lost_page_is_missed(void **state)
{
    (void)state;
    static const struct {
        const char *next, *remark;
    } ends[] = {
        {"\0\0\1\0", "it is damaged behind page 1, up to which it is read: "},
        {"\xff\xff\xff\x7f", "it is damaged behind page 1, up to which it is read: "},
        {"\0\x08\0\0",
         "it is damaged behind page 1, up to which it is read: the chain of its pages leads back"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct bytes file = tiff_by_hand(true, false, pixels, LENGTH, "", 0, base, BASE);
        struct flt_image image;
        struct flt_detail detail = {"untouched"};
        memcpy(file.at + file.length - 4, ends[i].next, 4);
        assert_int_equal(flt_image_load_bytes("it", file.at, file.length, &image, &detail), FLT_OK);
        expect_image(&image, FLT_U8, "yx", (const int32_t[]){ROWS, COLUMNS}, pixels);
        assert_true(strncmp(detail.text, ends[i].remark, strlen(ends[i].remark)) == 0);
        flt_image_destroy(&image);
    }
}

/* A claim of more than the file can hold, in each place that can make one. */
static void claims_beyond_the_file_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct tiff_tag tags[3];
        size_t count;
    } claims[] = {
        {{{256, LONG_TAG, 1, 1 << 20}, {257, LONG_TAG, 1, 1 << 11}}, 2},
        {{{256, LONG_TAG, 1, 1 << 20}, {257, LONG_TAG, 1, 1 << 11}, {259, SHORT_TAG, 1, 8}}, 3},
        {{{256, LONG_TAG, 1, 1 << 20}, {257, LONG_TAG, 1, 1 << 11}, {259, SHORT_TAG, 1, 5}}, 3},
        {{{256, LONG_TAG, 1, 1 << 16}, {257, LONG_TAG, 1, 1 << 11}, {259, SHORT_TAG, 1, 32773}}, 3},
        {{{322, LONG_TAG, 1, 1 << 15}, {323, LONG_TAG, 1, 1 << 15}}, 2}, /* a tile */
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        struct tiff_tag tags[BASE + 3];
        size_t count = 0;
        for (size_t k = 0; k < BASE; k++) {
            bool replaced = claims[i].tags[0].tag == 322 && base[k].tag == 278;
            for (size_t c = 0; c < claims[i].count; c++)
                replaced |= claims[i].tags[c].tag == base[k].tag;
            if (!replaced)
                tags[count++] = base[k];
        }
        memcpy(tags + count, claims[i].tags, sizeof claims[i].tags);
        count += claims[i].count;
        for (size_t k = 0; k < count && claims[i].tags[0].tag == 322; k++)
            tags[k].tag = (uint16_t)(tags[k].tag == 273   ? 324
                                     : tags[k].tag == 279 ? 325
                                                          : tags[k].tag);
        const struct bytes file = tiff_by_hand(true, false, pixels, LENGTH, "", 0, tags, count);
        struct flt_image image;
        struct flt_detail detail = {""};
        assert_int_equal(flt_image_load_bytes("it", file.at, file.length, &image, &detail),
                         FLT_CORRUPT);
        assert_non_null(strstr(detail.text, "it is cut off: it says "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_tag_beside_the_samples_keeps_a_file_from_being_read),
        cmocka_unit_test(tags_of_samples_are_not_passed_over),
        cmocka_unit_test(palettes_without_colors_are_refused),
        cmocka_unit_test(strips_without_a_place_are_refused),
        cmocka_unit_test(colors_that_are_guessed_are_told),
        cmocka_unit_test(a_lost_page_is_missed),
        cmocka_unit_test(claims_beyond_the_file_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
