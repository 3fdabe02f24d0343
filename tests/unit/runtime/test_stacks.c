/* Stacks of pages in TIFF: their axes and spacing as ImageJ and OME tell them, from files of
 * libtiff, and from our own there and back. */
#include "expect_image.h"
#include "make_tiff.h"
#include "make_tiff_by_hand.h"
#include "temporary_folder.h"

#include <math.h>

enum { ROWS = 2, COLUMNS = 3, PAGE = ROWS * COLUMNS, MOST_PAGES = 12 };

static const struct tiff_form page_form = {ROWS,
                                           COLUMNS,
                                           1,
                                           8,
                                           SAMPLEFORMAT_UINT,
                                           PHOTOMETRIC_MINISBLACK,
                                           COMPRESSION_NONE,
                                           PLANARCONFIG_CONTIG,
                                           0};

/* A page of so many times the letter of its number. */
static struct bytes make_pages(const char *mode, int pages, const char *description)
{
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, mode);
    for (int i = 0; i < pages; i++) {
        char pixels[PAGE];
        memset(pixels, 'a' + i, PAGE);
        set_tiff_form(tiff, &page_form);
        if (i == 0 && description)
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
        put_tiff_page(tiff, &page_form, pixels);
    }
    TIFFClose(tiff);
    return file;
}

/* order: the letters of the pages, in the order of the axes. */
static void expect_stack(const struct bytes *file, const char *axes, const int32_t extent[],
                         const char *order)
{
    char samples[MOST_PAGES * PAGE];
    for (size_t i = 0; order[i]; i++)
        memset(samples + i * PAGE, order[i], PAGE);
    expect_loads(file->at, file->length, FLT_U8, axes, extent, samples);
}

/* ---- ImageJ ---- */

static void imagej_names_the_axes(void **state)
{
    (void)state;
    static const struct {
        const char *description, *axes;
        int pages;
        int32_t extent[5];
    } stacks[] = {
        {"ImageJ=1.53t\nimages=6\nslices=2\nframes=3\nhyperstack=true\n", "tzyx", 6, {3, 2, 2, 3}},
        {"ImageJ=1.11a\nimages=6\nslices=3\nframes=2\nloop=false", "tzyx", 6, {2, 3, 2, 3}},
        {"ImageJ=1.53t\nimages=6\nframes=6\n", "tyx", 6, {6, 2, 3}},
        {"ImageJ=1.53t\nimages=6\nslices=6\n", "zyx", 6, {6, 2, 3}},
        {"ImageJ=1.53t\nimages=6\nchannels=6\n", "cyx", 6, {6, 2, 3}},
        {"ImageJ=1.53t\nimages=6\nchannels=2\nframes=3\n", "tcyx", 6, {3, 2, 2, 3}},
        {"ImageJ=1.53t\nimages=6\nchannels=2\nslices=3\n", "zcyx", 6, {3, 2, 2, 3}},
        {"ImageJ=1.53t\nimages=12\nchannels=3\nslices=2\nframes=2\n", "tzcyx", 12, {2, 2, 3, 2, 3}},
        {"ImageJ=1.53t\r\nimages=6\r\nslices=2\r\nframes=3\r\n", "tzyx", 6, {3, 2, 2, 3}},
        {"ImageJ=1.53t\nslices=2\nframes=3", "tzyx", 6, {3, 2, 2, 3}},
        {"ImageJ=1.53t\nimages=6\n", "zyx", 6, {6, 2, 3}},
        {"ImageJ=1.53t\n", "yx", 1, {2, 3}},
        {"ImageJ=1.53t\nimages=1\nslices=1\nframes=1\nchannels=1\n", "yx", 1, {2, 3}},
        {"ImageJ=\nimages=6", "zyx", 6, {6, 2, 3}},
    };
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++)
        for (int big = 0; big < 2; big++) {
            const struct bytes file =
                make_pages(big ? "wb8" : "wl", stacks[i].pages, stacks[i].description);
            char order[MOST_PAGES + 1] = "";
            memcpy(order, "abcdefghijkl", (size_t)stacks[i].pages);
            expect_stack(&file, stacks[i].axes, stacks[i].extent, order);
        }
}

static void imagej_that_contradicts_the_pages_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *description, *sentence;
    } wrong[] = {
        {"ImageJ=1.53t\nimages=2147483648\n",
         "it has a damaged description by ImageJ: images=2147483648"},
        {"ImageJ=1.53t\nimages=-6\n", "it has a damaged description by ImageJ: images=-6"},
        {"ImageJ=1.53t\nimages=0\n", "it has a damaged description by ImageJ: images=0"},
        {"ImageJ=1.53t\nimages=\n", "it has a damaged description by ImageJ: images="},
        {"ImageJ=1.53t\nimages=6\nframes=nan\n",
         "it has a damaged description by ImageJ: frames=nan"},
        {"ImageJ=1.53t\nimages=6\nslices=3x\n",
         "it has a damaged description by ImageJ: slices=3x"},
        {"ImageJ=1.53t\nimages=6\nchannels=99999999999999999999999999999999\n",
         "it has a damaged description by ImageJ: channels=999999999999999999999999"},
        {"ImageJ=1.53t\nimages=6\nslices=2\nframes=2\n",
         "it says by ImageJ that it has 6 images, but of 1 channels, 2 slices and 2 frames"},
        {"ImageJ=1.53t\nimages=6\nslices=2147483647\nframes=2147483647\nchannels=2147483647\n",
         NULL},
        {"ImageJ=1.53t\nimages=2147483647\n",
         "it says by ImageJ that it has 2147483647 images, but has 6 pages: save it anew, or "
         "without its description"},
        {"ImageJ=1.53t\nimages=4\nslices=4\n", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct bytes file = make_pages("wl", 6, wrong[i].description);
        expect_refused(file.at, file.length, FLT_CORRUPT, wrong[i].sentence);
    }
}

/* One directory, and samples of so many pages of u16, told by the bytes 1, 2, 3 … */
static struct bytes make_headless(bool little, uint32_t pages, const char *description,
                                  uint16_t compression)
{
    const uint32_t page = PAGE * 2;
    const struct tiff_tag tags[] = {
        {256, SHORT_TAG, 1, COLUMNS},
        {257, SHORT_TAG, 1, ROWS},
        {258, SHORT_TAG, 1, 16},
        {259, SHORT_TAG, 1, compression},
        {262, SHORT_TAG, 1, 1},
        {270, ASCII_TAG, (uint32_t)strlen(description) + 1, TIFF_VALUES},
        {273, LONG_TAG, 1, TIFF_SAMPLES},
        {277, SHORT_TAG, 1, 1},
        {278, SHORT_TAG, 1, ROWS},
        {279, LONG_TAG, 1, page}};
    unsigned char samples[1000];
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (unsigned char)(i + 1);
    struct bytes file = tiff_by_hand(little, false, samples, page * pages, description,
                                     strlen(description) + 1, tags, sizeof tags / sizeof tags[0]);
    return file;
}

static void pages_without_directories_are_read(void **state)
{
    (void)state;
    for (int little = 0; little < 2; little++) {
        uint16_t samples[6 * PAGE];
        for (unsigned i = 0; i < 6 * PAGE; i++) {
            const unsigned low = little ? 2 * i + 1 : 2 * i + 2, high = little ? low + 1 : low - 1;
            samples[i] = (uint16_t)(high << 8 | low);
        }
        const struct bytes file =
            make_headless(little, 6, "ImageJ=1.53t\nimages=6\nslices=2\nframes=3\n", 1);
        expect_loads(file.at, file.length, FLT_U16, "tzyx", (const int32_t[]){3, 2, ROWS, COLUMNS},
                     samples);
    }
}

static void pages_that_are_not_there_are_refused(void **state)
{
    (void)state;
    static const char *const descriptions[] = {
        "ImageJ=1.53t\nimages=1000\n", "ImageJ=1.53t\nimages=2147483647\n",
        "ImageJ=1.53t\nimages=2000000000\nslices=1000000000\nframes=2\n"};
    for (size_t i = 0; i < 3; i++) {
        const struct bytes file = make_headless(true, 6, descriptions[i], 1);
        expect_refused(file.at, file.length, FLT_CORRUPT, NULL);
    }
    const struct bytes compressed = make_headless(true, 6, "ImageJ=1\nimages=6\n", 32773);
    expect_refused(compressed.at, compressed.length, FLT_CORRUPT,
                   "it says by ImageJ that it has 6 images, but has 1: save it anew, or without "
                   "its description");
}

/* ---- OME ---- */

#define OME_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns=\"x\" UUID=\"urn:uuid:1\">"
#define PIXELS(order, z, c, t)                                                                     \
    "<Image ID=\"Image:0\"><Pixels DimensionOrder=\"" order "\" Type=\"uint8\" SizeX=\"3\" "       \
    "SizeY=\"2\" SizeZ=\"" z "\" SizeC=\"" c "\" SizeT=\"" t "\">"
#define OME_TAIL "</Pixels></Image></OME>"
#define OME(order, z, c, t, data)                                                                  \
    OME_HEAD PIXELS(order, z, c, t)                                                                \
    data OME_TAIL

static void ome_names_the_axes(void **state)
{
    (void)state;
    static const struct {
        const char *description, *axes, *order;
        int pages;
        int32_t extent[5];
    } stacks[] = {
        {OME("XYZCT", "2", "1", "3", "<TiffData/>"), "tzyx", "abcdef", 6, {3, 2, 2, 3}},
        {OME("XYTCZ", "2", "1", "3", ""), "ztyx", "abcdef", 6, {2, 3, 2, 3}},
        {OME("XYCZT", "2", "3", "2", "<TiffData IFD=\"0\" PlaneCount=\"12\"/>"),
         "tzcyx",
         "abcdefghijkl",
         12,
         {2, 2, 3, 2, 3}},
        {OME("XYTZC", "1", "3", "2", "<Channel/><TiffData/>"), "ctyx", "abcdef", 6, {3, 2, 2, 3}},
        {OME("XYZCT", "1", "1", "1", ""), "yx", "a", 1, {2, 3}},
        {OME("XYZCT", "3", "1", "1",
             "<TiffData IFD=\"2\" FirstZ=\"0\"/><TiffData IFD=\"0\" FirstZ=\"1\" PlaneCount=\"1\"/>"
             "<TiffData IFD=\"1\" FirstZ=\"2\"/>"),
         "zyx",
         "cab",
         3,
         {3, 2, 3}},
        /* Two planes from z 1 on go over to the next t. */
        {OME("XYZCT", "2", "1", "2",
             "<TiffData IFD=\"0\" FirstZ=\"1\" PlaneCount=\"2\"/><TiffData IFD=\"3\"/>"
             "<TiffData IFD=\"2\" FirstT=\"1\" FirstZ=\"1\"><UUID FileName=\"it\">urn:uuid:1</UUID>"
             "</TiffData>"),
         "tzyx",
         "dabc",
         4,
         {2, 2, 2, 3}},
        /* A page that is no plane. */
        {OME("XYZCT", "2", "1", "1", "<TiffData IFD=\"1\" PlaneCount=\"2\"/>"),
         "zyx",
         "bc",
         3,
         {2, 2, 3}},
        {"\n<!-- --><o:OME xmlns:o=\"x\"><o:Image><o:Pixels DimensionOrder=\"XYZCT\" SizeX=\"3\" "
         "SizeY=\"2\" SizeZ=\"2\" SizeC=\"1\" SizeT=\"2\"><o:TiffData/></o:Pixels></o:Image>"
         "</o:OME>",
         "tzyx",
         "abcd",
         4,
         {2, 2, 2, 3}},
        /* Other XML says nothing of pages. */
        {"<a><OMEN/></a>", "zyx", "abcd", 4, {4, 2, 3}},
    };
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++)
        for (int big = 0; big < 2; big++) {
            const struct bytes file =
                make_pages(big ? "wb8" : "wl", stacks[i].pages, stacks[i].description);
            expect_stack(&file, stacks[i].axes, stacks[i].extent, stacks[i].order);
        }
}

static void ome_that_cannot_be_read_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *description;
        enum flt_status status;
        const char *sentence;
    } wrong[] = {
        {OME("XYZCT", "5", "1", "1", ""), FLT_CORRUPT,
         "it says by its OME-XML that it has 1 by 5 by 1 planes, but has 4 pages"},
        {OME("XYZCT", "2147483647", "2147483647", "2147483647", ""), FLT_CORRUPT, NULL},
        {OME("XYZCT", "2147483648", "1", "1", ""), FLT_CORRUPT,
         "it has damaged OME-XML: the attribute SizeZ of it"},
        {OME("XYZCT", "-4", "1", "1", ""), FLT_CORRUPT, NULL},
        {OME("XYZCT", "0", "1", "1", ""), FLT_CORRUPT, NULL},
        {OME("XYZCT", "", "1", "1", ""), FLT_CORRUPT, NULL},
        {OME("XYZZT", "4", "1", "1", ""), FLT_CORRUPT,
         "it has damaged OME-XML: the attribute DimensionOrder of it"},
        {OME("YXZCT", "4", "1", "1", ""), FLT_CORRUPT, NULL},
        {OME("XYZC", "4", "1", "1", ""), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData IFD=\"4\"/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData IFD=\"0\" PlaneCount=\"5\"/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData PlaneCount=\"2147483647\"/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData FirstZ=\"9\"/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData FirstC=\"1\"/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData/><TiffData/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1", "<TiffData IFD=\"0\" PlaneCount=\"3\"/>"), FLT_CORRUPT, NULL},
        {OME("XYZCT", "4", "1", "1",
             "<TiffData IFD=\"0\"/><TiffData IFD=\"1\"/><TiffData IFD=\"2\"/>"
             "<TiffData IFD=\"3\" FirstZ=\"1\"/>"),
         FLT_CORRUPT, NULL},
        {OME_HEAD "<Image><Pixels DimensionOrder=\"XYZCT\" SizeX=\"2\" SizeY=\"2\" SizeZ=\"4\" "
                  "SizeC=\"1\" SizeT=\"1\"/></Image></OME>",
         FLT_CORRUPT, "it has pages of 2 by 3 pixels, but its OME-XML says 2 by 2"},
        {OME_HEAD "</OME>", FLT_UNSUPPORTED, NULL},
        {OME_HEAD "<Image/><Image/></OME>", FLT_UNSUPPORTED,
         "it has 2 images by its OME-XML, of which one can be read: save it alone"},
        {OME_HEAD "<BinaryOnly MetadataFile=\"set.companion.ome\" UUID=\"urn:uuid:2\"/></OME>",
         FLT_UNSUPPORTED,
         "it is one of several files of a set of OME-TIFF, which are not read together: save the "
         "set as one file"},
        {OME("XYZCT", "8", "1", "1",
             "<TiffData IFD=\"0\" PlaneCount=\"4\"><UUID "
             "FileName=\"a\">urn:uuid:1</UUID></TiffData>"
             "<TiffData IFD=\"0\" FirstZ=\"4\" PlaneCount=\"4\"><UUID FileName=\"b\"> urn:uuid:2"
             "</UUID></TiffData>"),
         FLT_UNSUPPORTED, NULL},
        {"<!DOCTYPE OME [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
         "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><OME>&c;</OME>",
         FLT_UNSUPPORTED, "it has OME-XML with a document type, which is not read"},
        {"<!DOCTYPE OME SYSTEM \"file:///etc/passwd\"><OME/>", FLT_UNSUPPORTED, NULL},
        {"<OME>", FLT_CORRUPT, "it has damaged OME-XML: no element found in line 1"},
        {"<OME>\n<Image></OME>", FLT_CORRUPT, "it has damaged OME-XML: mismatched tag in line 2"},
        {"<OME>\xff\xfe</OME>", FLT_CORRUPT, NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct bytes file = make_pages("wl", 4, wrong[i].description);
        expect_refused(file.at, file.length, wrong[i].status, wrong[i].sentence);
    }
    char deep[2000] = "<OME>";
    for (int i = 0; i < 500; i++)
        strcat(deep, "<a>");
    const struct bytes file = make_pages("wl", 4, deep);
    expect_refused(file.at, file.length, FLT_CORRUPT, NULL);
}

/* Pixels of three samples, of u8. */
static struct bytes make_colors(int pages, const char *description)
{
    struct bytes file;
    struct tiff_form form = page_form;
    form.samples = 3;
    form.photometric = PHOTOMETRIC_RGB;
    TIFF *const tiff = begin_tiff(&file, "wl");
    for (int i = 0; i < pages; i++) {
        set_tiff_form(tiff, &form);
        if (i == 0)
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
        put_tiff_page(tiff, &form, "abcdefghijklmnopqr");
    }
    TIFFClose(tiff);
    return file;
}

static void channels_are_pages_or_in_pixels(void **state)
{
    (void)state;
    static const char samples[] = "abcdefghijklmnopqrabcdefghijklmnopqr";
    static const int32_t extent[] = {2, ROWS, COLUMNS, 3};
    const struct bytes imagej = make_colors(2, "ImageJ=1.53t\nimages=2\nframes=2\n");
    expect_loads(imagej.at, imagej.length, FLT_U8, "tyxc", extent, samples);
    const struct bytes ome = make_colors(2, OME("XYCZT", "1", "3", "2", ""));
    expect_loads(ome.at, ome.length, FLT_U8, "tyxc", extent, samples);
    const struct bytes both = make_colors(2, "ImageJ=1.53t\nimages=2\nchannels=2\n");
    expect_refused(both.at, both.length, FLT_UNSUPPORTED,
                   "it has channels both as pages and in each pixel: save each as a page");
    const struct bytes six = make_colors(2, OME("XYCZT", "1", "6", "1", ""));
    expect_refused(six.at, six.length, FLT_UNSUPPORTED, NULL);
    const struct bytes four = make_colors(2, OME("XYCZT", "1", "4", "2", ""));
    expect_refused(four.at, four.length, FLT_CORRUPT,
                   "it has 3 samples a pixel, but its OME-XML says 4 channels");
}

/* ---- Spacing ---- */

struct expected_spacing {
    char axis;
    double distance;
    const char *unit;
};

static void expect_spacing(const struct flt_image *image, const struct expected_spacing spacing[],
                           size_t count)
{
    for (int i = 0; i < image->rank; i++) {
        struct expected_spacing expected = {'?', 0, ""};
        for (size_t k = 0; k < count; k++)
            if (spacing[k].axis == image->axis[i][0])
                expected = spacing[k];
        if (image->spacing[i] != expected.distance)
            print_message("axis %s: %.17g, not %.17g\n", image->axis[i], image->spacing[i],
                          expected.distance);
        assert_true(image->spacing[i] == expected.distance);
        if (expected.distance > 0)
            assert_string_equal(image->unit[i], expected.unit);
    }
}

/* per_unit: samples along x and y in a unit, unless 0; code: of the unit, unless 0. */
static struct bytes make_spaced(const char *description, float x_per_unit, float y_per_unit,
                                uint16_t code, uint16_t orientation)
{
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    for (int i = 0; i < 4; i++) {
        set_tiff_form(tiff, &page_form);
        if (i == 0 && description)
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
        if (x_per_unit != 0)
            TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (double)x_per_unit);
        if (y_per_unit != 0)
            TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (double)y_per_unit);
        if (code)
            TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, code);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
        put_tiff_page(tiff, &page_form, "abcdef");
    }
    TIFFClose(tiff);
    return file;
}

static void spacing_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *description;
        float x, y;
        uint16_t code, orientation;
        struct expected_spacing spacing[4];
    } files[] = {
        {NULL, 4, 2, 2, 1, {{'x', 0.25, "inch"}, {'y', 0.5, "inch"}}},
        {NULL, 4, 2, 3, 1, {{'x', 0.25, "cm"}, {'y', 0.5, "cm"}}},
        {NULL, 4, 2, 3, 6, {{'y', 0.25, "cm"}, {'x', 0.5, "cm"}}},
        {NULL, 4, 2, 1, 1, {{'x', 0, ""}}},
        {NULL, 4, 0, 3, 1, {{'x', 0.25, "cm"}}},
        {"ImageJ=1\nimages=4\nslices=4\nunit=um\nspacing=0.75\n",
         4,
         2,
         1,
         1,
         {{'x', 0.25, "um"}, {'y', 0.5, "um"}, {'z', 0.75, "um"}}},
        {"ImageJ=1\nimages=4\nslices=2\nframes=2\nunit=\\u00B5m\nspacing=-3\nfinterval=2.5\n",
         4,
         4,
         1,
         1,
         {{'x', 0.25, "\u00b5m"}, {'y', 0.25, "\u00b5m"}, {'z', 3, "\u00b5m"}, {'t', 2.5, "s"}}},
        {"ImageJ=1\nimages=4\nframes=4\nunit=\xb5m\nyunit=mm\nfinterval=8\ntunit=ms\n",
         4,
         2,
         1,
         1,
         {{'x', 0.25, "\u00b5m"}, {'y', 0.5, "mm"}, {'t', 8, "ms"}}},
        {"ImageJ=1\nimages=4\nslices=4\nspacing=2\n",
         4,
         4,
         3,
         1,
         {{'x', 0.25, "cm"}, {'y', 0.25, "cm"}, {'z', 2, "cm"}}},
        {"ImageJ=1\nimages=4\nspacing=nan\nfinterval=inf\nunit=a-unit-that-is-too-long\n",
         4,
         4,
         1,
         1,
         {{'x', 0.25, ""}, {'y', 0.25, ""}}},
        {"ImageJ=1\nimages=4\nspacing=1e999\nunit=um\n", 0, 0, 1, 1, {{'x', 0, ""}}},
        {"ImageJ=1\nimages=4\nspacing=0x1p3\nunit=um\n", 0, 0, 1, 1, {{'z', 8, "um"}}},
        {OME_HEAD "<Image><Pixels DimensionOrder=\"XYZCT\" SizeX=\"3\" SizeY=\"2\" SizeZ=\"2\" "
                  "SizeC=\"1\" SizeT=\"2\" PhysicalSizeX=\"0.1\" PhysicalSizeY=\"200\" "
                  "PhysicalSizeYUnit=\"nm\" PhysicalSizeZ=\"3e-1\" PhysicalSizeZUnit=\"\u00b5m\" "
                  "TimeIncrement=\"40\" TimeIncrementUnit=\"ms\"/></Image></OME>",
         4,
         2,
         2,
         1,
         {{'x', 0.1, "\u00b5m"}, {'y', 200, "nm"}, {'z', 0.3, "\u00b5m"}, {'t', 40, "ms"}}},
        {OME_HEAD "<Image><Pixels DimensionOrder=\"XYZCT\" SizeX=\"3\" SizeY=\"2\" SizeZ=\"4\" "
                  "SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"-1\" PhysicalSizeY=\"NaN\" "
                  "PhysicalSizeZ=\"0\"/></Image></OME>",
         0,
         0,
         0,
         1,
         {{'x', 0, ""}}},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const struct bytes file = make_spaced(files[i].description, files[i].x, files[i].y,
                                              files[i].code, files[i].orientation);
        struct flt_image image;
        assert_int_equal(flt_image_load_bytes("it", file.at, file.length, &image, NULL), FLT_OK);
        expect_spacing(&image, files[i].spacing, 4);
        flt_image_destroy(&image);
    }
}

/* ---- There and back ---- */

/* Of any order of axes; samples count from 0. */
static struct flt_image numbered(uint16_t samples[], const char *axes, const int32_t extent[])
{
    struct flt_image image = {.element = FLT_U16, .rank = (int)strlen(axes), .data = samples};
    ptrdiff_t stride = 1;
    for (int i = image.rank - 1; i >= 0; i--) {
        image.axis[i][0] = axes[i];
        image.extent[i] = extent[i];
        image.stride[i] = stride;
        stride *= extent[i];
    }
    for (ptrdiff_t i = 0; i < stride; i++)
        samples[i] = (uint16_t)(i * 259);
    return image;
}

static int axis_of(const struct flt_image *image, const char *name)
{
    int axis = 0;
    while (axis < image->rank && strcmp(image->axis[axis], name) != 0)
        axis++;
    return axis;
}

/* Sample for sample, whatever the order of the axes; those of extent 1 may be missing. */
static void expect_same(const struct flt_image *image, const struct flt_image *loaded)
{
    const size_t count = sample_count(image);
    assert_int_equal(sample_count(loaded), count);
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t at = 0, there = 0;
        for (int k = image->rank - 1; k >= 0; k--) {
            const int axis = axis_of(loaded, image->axis[k]);
            const ptrdiff_t place = (ptrdiff_t)(rest % (size_t)image->extent[k]);
            rest /= (size_t)image->extent[k];
            at += place * image->stride[k];
            if (axis == loaded->rank)
                assert_int_equal(image->extent[k], 1);
            else
                there += place * loaded->stride[axis];
        }
        assert_int_equal(((const uint16_t *)loaded->data)[there],
                         ((const uint16_t *)image->data)[at]);
    }
}

static void expect_there_and_back(void **state, const char *name, const struct flt_image *image,
                                  const struct expected_spacing spacing[], size_t count)
{
    const char *const path = in_folder(state, name);
    struct flt_detail detail = {""};
    struct flt_image loaded;
    if (flt_image_save(path, image, &detail) != FLT_OK)
        assert_string_equal(detail.text, "");
    if (flt_image_load(path, &loaded, &detail) != FLT_OK)
        assert_string_equal(detail.text, "");
    expect_same(image, &loaded);
    expect_spacing(&loaded, spacing, count);
    flt_image_destroy(&loaded);
    remove(path);
}

static const char *const names[] = {"it.tif", "it.ome.tif", "it.OME.tiff"};

static void axes_of_any_order_come_back(void **state)
{
    static const struct {
        const char *axes;
        int32_t extent[5];
    } shapes[] = {{"tzyx", {3, 2, 2, 5}},     {"ztyx", {3, 2, 2, 5}},
                  {"tzcyx", {3, 2, 4, 2, 5}}, {"cztyx", {3, 2, 4, 2, 5}},
                  {"zctyx", {2, 3, 4, 2, 5}}, {"tyx", {3, 2, 5}},
                  {"cyx", {3, 2, 5}},         {"zyx", {3, 2, 3}},
                  {"tzyxc", {3, 2, 2, 5, 3}}, {"tyxc", {3, 2, 5, 2}},
                  {"tzyx", {1, 3, 2, 5}},     {"tzyx", {3, 1, 2, 5}},
                  {"tzyx", {1, 1, 2, 5}},     {"yx", {2, 5}},
                  {"zyx", {3, 1, 1}},         {"tzcyx", {1, 1, 4, 1, 1}},
                  {"cyx", {1, 2, 5}},         {"yxc", {2, 5, 4}}};
    uint16_t samples[256];
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (size_t n = 0; n < 3; n++) {
            const struct flt_image image = numbered(samples, shapes[i].axes, shapes[i].extent);
            expect_there_and_back(state, names[n], &image, NULL, 0);
        }
}

static void set_spacing(struct flt_image *image, const char *axis, double distance,
                        const char *unit)
{
    const int at = axis_of(image, axis);
    image->spacing[at] = distance;
    memset(image->unit[at], 0, FLT_UNIT_NAME);
    memcpy(image->unit[at], unit, strlen(unit));
}

static void spacing_comes_back(void **state)
{
    static const struct expected_spacing known[][4] = {
        {{'x', 0.1, "\u00b5m"}, {'y', 0.1, "\u00b5m"}, {'z', 0.35, "\u00b5m"}, {'t', 2.5, "s"}},
        {{'x', 0.1, "mm"}, {'y', 1.0 / 3, "nm"}, {'z', 7, "cm"}, {'t', 40, "ms"}},
        {{'x', 2.54, "cm"}, {'y', 0.5, "cm"}, {'z', 0.25, "cm"}, {'t', 1, "min"}},
        {{'x', 1.0 / 300, "in"}, {'y', 1.0 / 600, "in"}, {'z', 1e-3, "in"}, {'t', 1e-9, "s"}},
        {{'x', 1, "pixel"}, {'y', 1, "pixel"}, {'z', 3, "pixel"}, {'t', 0, ""}},
        {{'z', 3, "mm"}},
    };
    uint16_t samples[64];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (size_t n = 0; n < 3; n++) {
            struct flt_image image = numbered(samples, "tzyx", (const int32_t[]){3, 2, 2, 5});
            for (int k = 0; k < 4; k++)
                if (known[i][k].distance > 0)
                    set_spacing(&image, (char[]){known[i][k].axis, 0}, known[i][k].distance,
                                known[i][k].unit);
            expect_there_and_back(state, names[n], &image, known[i], 4);
        }
    for (int inch = 0; inch < 2; inch++) {
        const char *const unit = inch ? "inch" : "\u00b5m";
        struct flt_image image = numbered(samples, "yx", (const int32_t[]){2, 5});
        set_spacing(&image, "y", 0.125, unit);
        set_spacing(&image, "x", 1.0 / 72, unit);
        expect_there_and_back(
            state, "it.tif", &image,
            (const struct expected_spacing[]){{'y', 0.125, unit}, {'x', 1.0 / 72, unit}}, 2);
    }
}

/* What no file can say is left out. */
static void odd_spacing_is_not_written(void **state)
{
    static const double odd[] = {-1, NAN, INFINITY, 1e300, 1e-300};
    uint16_t samples[64];
    for (size_t i = 0; i < 5; i++)
        for (size_t n = 0; n < 3; n++) {
            struct flt_image image = numbered(samples, "tzyx", (const int32_t[]){3, 2, 2, 5});
            for (int k = 0; k < 4; k++) {
                image.spacing[k] = k < 2 && i >= 3 ? 0 : odd[i];
                memset(image.unit[k], '"', FLT_UNIT_NAME);
            }
            expect_there_and_back(state, names[n], &image, NULL, 0);
        }
}

static void what_ome_lacks_is_refused(void **state)
{
    static const enum flt_element lacking[] = {FLT_I64, FLT_F16};
    uint16_t samples[256];
    struct flt_detail detail;
    for (int i = 0; i < 2; i++) {
        struct flt_image image = numbered(samples, "zyx", (const int32_t[]){3, 2, 5});
        image.element = lacking[i];
        assert_int_equal(flt_image_save(in_folder(state, "it.ome.tif"), &image, &detail),
                         FLT_UNSUPPORTED);
        assert_non_null(strstr(detail.text, "which OME lacks: save it as .tif or .npy"));
    }
    const struct flt_image other = numbered(samples, "kzyx", (const int32_t[]){3, 2, 2, 5});
    for (int i = 0; i < 3; i++)
        assert_int_equal(flt_image_save(in_folder(state, names[i]), &other, NULL), FLT_UNSUPPORTED);
    const struct flt_image twice = numbered(samples, "cyxc", (const int32_t[]){3, 2, 2, 5});
    assert_int_equal(flt_image_save(in_folder(state, "it.tif"), &twice, NULL), FLT_UNSUPPORTED);
    assert_int_equal(files_in(state), 0);
}

/* Pages of which the file says nothing are told from those that it names. */
static void plain_pages_are_marked(void **state)
{
    (void)state;
    static const char *const descriptions[] = {NULL, "a text", "ImageJ=1\nimages=4\n"};
    for (int i = 0; i < 3; i++) {
        const struct bytes file = make_pages("wl", 4, descriptions[i]);
        struct flt_image image;
        assert_int_equal(flt_image_load_bytes("it", file.at, file.length, &image, NULL), FLT_OK);
        assert_int_equal(image.has_plain_pages, i < 2);
        flt_image_destroy(&image);
    }
}

int main(void)
{
    TIFFSetErrorHandler(NULL); /* of make_tiff.h: the reader has its own */
    TIFFSetWarningHandler(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imagej_names_the_axes),
        cmocka_unit_test(imagej_that_contradicts_the_pages_is_refused),
        cmocka_unit_test(pages_without_directories_are_read),
        cmocka_unit_test(pages_that_are_not_there_are_refused),
        cmocka_unit_test(ome_names_the_axes),
        cmocka_unit_test(ome_that_cannot_be_read_is_refused),
        cmocka_unit_test(channels_are_pages_or_in_pixels),
        cmocka_unit_test(spacing_is_read),
        cmocka_unit_test_setup_teardown(axes_of_any_order_come_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(spacing_comes_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(odd_spacing_is_not_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_ome_lacks_is_refused, make_folder, remove_folder),
        cmocka_unit_test(plain_pages_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
