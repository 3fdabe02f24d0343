/* PFM, the float kin of PGM and PPM: "Pf" grey or "PF" RGB, columns, rows, a scale whose sign tells
 * the byte order (negative: little endian), then f32 rows, the bottom one first.
 * Source: Paul Debevec's description, https://www.pauldebevec.com/Research/HDR/PFM/ . The magnitude
 * of the scale is ignored, as nearly every reader does: writers disagree on what it multiplies. */
#include "image/netpbm.h"

#include <stdlib.h>
#include <string.h>

struct pfm_header {
    uint64_t extent[2]; /* y, x */
    int32_t channels;
    bool little;
};

bool flt_is_pfm(const struct file_bytes *file)
{
    return file->length >= 3 && file->bytes[0] == 'P' &&
           (file->bytes[1] == 'f' || file->bytes[1] == 'F') &&
           (file->bytes[2] == '\n' || file->bytes[2] == '\r' || file->bytes[2] == ' ');
}

/* Takes a decimal with a sign perhaps. Not strtod: that would heed the locale. false: not a number,
 * or zero, which tells no byte order. */
static bool read_scale(struct netpbm_text *text, bool *negative)
{
    netpbm_skip_space(text);
    *negative = netpbm_peek(text) == '-';
    if (netpbm_peek(text) == '-' || netpbm_peek(text) == '+')
        text->at++;
    bool other_than_zero = false;
    for (; netpbm_peek(text) > 0 && strchr("0123456789.eE+-", netpbm_peek(text)); text->at++)
        other_than_zero |= netpbm_peek(text) >= '1' && netpbm_peek(text) <= '9';
    return other_than_zero;
}

static bool read_header(struct netpbm_text *text, struct pfm_header *header)
{
    header->channels = text->file->bytes[1] == 'F' ? 3 : 1;
    text->at = 2;
    return netpbm_number(text, &header->extent[1]) && netpbm_number(text, &header->extent[0]) &&
           read_scale(text, &header->little) && netpbm_one_space(text);
}

bool flt_measure_pfm(const struct file_bytes *file, bool is_all, size_t *length)
{
    struct netpbm_text text = {.file = file};
    struct pfm_header header;
    *length = file->length;
    if (!read_header(&text, &header) ||
        flt_check_extents(file->name, 2, header.extent, NULL) != FLT_OK)
        return netpbm_has_header(file, is_all);
    *length =
        text.at + header.extent[0] * header.extent[1] * (uint64_t)header.channels * sizeof(float);
    return true;
}

enum flt_status flt_load_pfm(const struct file_bytes *file, struct flt_image *image,
                             struct flt_detail *detail)
{
    struct netpbm_text text = {.file = file};
    struct pfm_header header;
    if (!read_header(&text, &header))
        return netpbm_bad_header(file, detail);
    enum flt_status status = flt_check_extents(file->name, 2, header.extent, detail);
    if (status != FLT_OK)
        return status;
    const uint64_t row_bytes = header.extent[1] * (uint64_t)header.channels * sizeof(float);
    status = flt_check_held(file->name, 2, header.extent, header.extent[0] * row_bytes,
                            netpbm_bytes_left(&text), detail);
    const int32_t extent[3] = {(int32_t)header.extent[0], (int32_t)header.extent[1],
                               header.channels};
    if (status == FLT_OK)
        status = flt_image_create(image, FLT_F32, header.channels == 1 ? 2 : 3,
                                  (const char *const[]){"y", "x", "c"}, extent);
    if (status != FLT_OK)
        return status;

    const unsigned char *bottom_first = file->bytes + text.at;
    for (uint64_t y = header.extent[0]; y-- > 0; bottom_first += row_bytes)
        memcpy((char *)image->data + y * row_bytes, bottom_first, row_bytes);
    if (header.little != flt_host_is_little())
        flt_swap_bytes(image->data, header.extent[0] * row_bytes / sizeof(float), sizeof(float));
    return FLT_OK;
}

static enum flt_status write_rows(const struct picture *picture, FILE *out)
{
    const size_t samples = picture->columns * picture->channels;
    float *const row = malloc(samples * sizeof *row);
    if (!row)
        return FLT_NO_MEMORY;
    size_t left = picture->rows;
    for (; left > 0; left--) {
        flt_picture_row_floats(picture, left - 1, row);
        if (fwrite(row, sizeof *row, samples, out) != samples)
            break;
    }
    free(row);
    return left == 0 ? FLT_OK : FLT_CANNOT_WRITE;
}

enum flt_status flt_save_pfm(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    const char *const name = out->name;
    struct picture picture;
    if (!flt_picture_of(image, name, &picture, detail))
        return FLT_UNSUPPORTED;
    if (picture.element != FLT_F32 && picture.element != FLT_F64 && picture.element != FLT_F16)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold samples of %s: convert them to f32 in the filter, or save "
                        "as .npy",
                        flt_short_name(name), flt_element_name(picture.element));
    if (picture.channels != 1 && picture.channels != 3)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold %zu channels, only 1 or 3: save as .npy",
                        flt_short_name(name), picture.channels);
    if (fprintf(out->stream, "P%c\n%zu %zu\n%s\n", picture.channels == 1 ? 'f' : 'F',
                picture.columns, picture.rows, flt_host_is_little() ? "-1.0" : "1.0") < 0)
        return FLT_CANNOT_WRITE;
    return write_rows(&picture, out->stream);
}
