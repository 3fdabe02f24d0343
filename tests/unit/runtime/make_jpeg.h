/* JPEG files in memory, by libjpeg. */
#ifndef MAKE_JPEG_H
#define MAKE_JPEG_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "make_png.h"

struct jpeg_form {
    unsigned rows, columns;
    J_COLOR_SPACE colors; /* JCS_GRAYSCALE, JCS_RGB or JCS_CMYK */
    bool progressive;
    int orientation; /* 0: no EXIF */
};

/* pixels: packed, channels last. */
static inline struct bytes make_jpeg(const struct jpeg_form *form, const unsigned char *pixels)
{
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    unsigned char *memory = NULL;
    unsigned long length = 0;
    struct bytes file = {.length = 0};
    encoder.err = jpeg_std_error(&errors); /* which ends the process */
    jpeg_create_compress(&encoder);
    jpeg_mem_dest(&encoder, &memory, &length);
    encoder.image_height = form->rows;
    encoder.image_width = form->columns;
    encoder.in_color_space = form->colors;
    encoder.input_components = form->colors == JCS_GRAYSCALE ? 1 : form->colors == JCS_RGB ? 3 : 4;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, 100, TRUE);
    if (form->progressive)
        jpeg_simple_progression(&encoder);
    jpeg_start_compress(&encoder, TRUE);
    unsigned char exif[] = "Exif\0\0MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0?\0\0\0\0\0\0";
    exif[25] = (unsigned char)form->orientation;
    if (form->orientation)
        jpeg_write_marker(&encoder, JPEG_APP0 + 1, exif, sizeof exif - 1);
    for (unsigned y = 0; y < form->rows; y++) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)y * form->columns *
                                                          (unsigned)encoder.input_components);
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    put(&file, memory, length);
    free(memory);
    return file;
}

#endif
