/* Files of adaptive images, made by the library from small volumes, for tests. */
#ifndef FLTC_TEST_PARTICLES_FILES_H
#define FLTC_TEST_PARTICLES_FILES_H

#include "../particles/listed.h"
#include "../runtime/temporary_folder.h"

#include "flt/particles_file.h"

static const enum flt_element file_elements[] = {FLT_U8,  FLT_I8,  FLT_U16, FLT_I16, FLT_U32,
                                                 FLT_I32, FLT_I64, FLT_F32, FLT_F64};
enum { FILE_ELEMENTS = sizeof file_elements / sizeof file_elements[0] };

/* Values that differ: bytes at random, of small numbers. */
static inline void *values_for(const struct flt_apr *apr, enum flt_element element)
{
    const size_t bytes = flt_element_bytes(element);
    unsigned char *value = calloc(apr->particles.count, bytes);
    uint64_t random = 7;
    for (uint64_t i = 0; i < apr->particles.count; i++) {
        const int number = (int)(volume_random(&random) % 120);
        const double d = number + 0.25;
        const float f = (float)d;
        if (element == FLT_F64)
            memcpy(value + i * bytes, &d, bytes);
        else if (element == FLT_F32)
            memcpy(value + i * bytes, &f, bytes);
        else
            memcpy(value + i * bytes, &number, bytes < sizeof number ? bytes : sizeof number);
    }
    return value;
}

/* Saves one channel of one array. */
static inline enum flt_status save_one(const char *path, const struct flt_apr *apr,
                                       enum flt_element element, const void *value,
                                       struct flt_detail *detail)
{
    const struct flt_apr_values values = {NULL, element, value};
    const struct flt_apr_channel channel = {NULL, apr, &settings_of_balls, &values, 1};
    return flt_apr_save(path, &channel, 1, NULL, detail);
}

static inline void assert_loads(const char *path, const struct flt_apr_choice *choice,
                                struct flt_apr_file *file)
{
    struct flt_detail detail = {""};
    const enum flt_status status = flt_apr_load(path, choice, NULL, 2, file, &detail);
    if (status != FLT_OK)
        print_error("%s: %s\n", flt_status_text(status), detail.text);
    assert_int_equal(status, FLT_OK);
}

static inline void assert_same_values(const struct flt_apr_file *file, enum flt_element element,
                                      const void *value)
{
    assert_int_equal(file->element, element);
    assert_memory_equal(file->value, value,
                        file->apr->particles.count * flt_element_bytes(element));
}

/* The bytes of a file; free them. */
static inline unsigned char *bytes_of(const char *path, size_t *length)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *length = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *bytes = malloc(*length + 1);
    assert_int_equal(fread(bytes, 1, *length, stream), *length);
    fclose(stream);
    return bytes;
}

#endif
