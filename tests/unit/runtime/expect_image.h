/* What the tests of images share: cmocka, and whether an image is the one expected. */
#ifndef EXPECT_IMAGE_H
#define EXPECT_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "flt/image.h"

static inline size_t sample_count(const struct flt_image *image)
{
    size_t count = 1;
    for (int i = 0; i < image->rank; i++)
        count *= (size_t)image->extent[i];
    return count;
}

/* axes: one letter for each axis, "yxc". samples: in the host's order, packed. */
static inline void expect_image(const struct flt_image *image, enum flt_element element,
                                const char *axes, const int32_t extent[], const void *samples)
{
    assert_string_equal(flt_element_name(image->element), flt_element_name(element));
    assert_int_equal(image->rank, strlen(axes));
    ptrdiff_t stride = 1;
    for (int i = image->rank - 1; i >= 0; i--) {
        assert_string_equal(image->axis[i], ((char[]){axes[i], '\0'}));
        assert_int_equal(image->extent[i], extent[i]);
        assert_int_equal(image->stride[i], stride);
        stride *= extent[i];
    }
    assert_int_equal((uintptr_t)image->data % 64, 0);
    assert_memory_equal(image->data, samples, sample_count(image) * flt_element_bytes(element));
}

/* Loads the bytes from a block of just their size, so that the sanitizer sees a read beyond them,
 * and expects that image, and the remark on what of the file is not in it. */
static inline void expect_loads_but(const void *bytes, size_t length, enum flt_element element,
                                    const char *axes, const int32_t extent[], const void *samples,
                                    const char *remark)
{
    void *const exact = test_malloc(length);
    memcpy(exact, bytes, length);
    struct flt_image image;
    struct flt_detail detail = {"untouched"};
    const enum flt_status status = flt_image_load_bytes("it", exact, length, &image, &detail);
    test_free(exact);
    assert_string_equal(detail.text, remark);
    assert_int_equal(status, FLT_OK);
    expect_image(&image, element, axes, extent, samples);
    flt_image_destroy(&image);
}

static inline void expect_loads(const void *bytes, size_t length, enum flt_element element,
                                const char *axes, const int32_t extent[], const void *samples)
{
    expect_loads_but(bytes, length, element, axes, extent, samples, "");
}

/* Expects that loading fails with that status and, unless NULL, that sentence. */
static inline void expect_refused(const void *bytes, size_t length, enum flt_status status,
                                  const char *sentence)
{
    void *const exact = test_malloc(length + 1);
    memcpy(exact, bytes, length);
    struct flt_image image;
    struct flt_detail detail = {""};
    assert_string_equal(flt_status_text(flt_image_load_bytes("it", exact, length, &image, &detail)),
                        flt_status_text(status));
    assert_null(image.data);
    assert_int_equal(image.rank, 0);
    assert_true(strlen(detail.text) > 0);
    if (sentence)
        assert_string_equal(detail.text, sentence);
    assert_int_equal(flt_image_load_bytes("it", exact, length, &image, NULL), status);
    test_free(exact);
}

/* Expects that no proper prefix of a valid file loads: of one that has a beginning known only after
 * some bytes, the format is unknown until then. */
static inline void expect_prefixes_refused(const void *bytes, size_t length)
{
    for (size_t cut = 0; cut < length; cut++) {
        void *const exact = cut ? test_malloc(cut) : NULL;
        if (cut)
            memcpy(exact, bytes, cut);
        struct flt_image image;
        struct flt_detail detail = {""};
        const enum flt_status status = flt_image_load_bytes("it", exact, cut, &image, &detail);
        if (exact)
            test_free(exact);
        assert_true(status == FLT_CORRUPT || (cut < 8 && status == FLT_UNKNOWN_FORMAT));
        assert_null(image.data);
        assert_true(strlen(detail.text) > 0);
    }
}

#endif
