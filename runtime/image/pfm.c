/* PFM, the float kin of PGM and PPM: "Pf" grey or "PF" RGB, columns, rows, a scale whose sign tells
 * the byte order (negative: little endian), then f32 rows, the bottom one first.
 * Source: Paul Debevec's description, https://www.pauldebevec.com/Research/HDR/PFM/ . The magnitude
 * of the scale is ignored, as nearly every reader does: writers disagree on what it multiplies. */
#include "image/netpbm.h"
#include "image/parts.h"

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

static uint64_t row_bytes(const struct pfm_header *header)
{
    return header->extent[1] * (uint64_t)header->channels * sizeof(float);
}

/* What the header says of a file of that length, and the image without its samples. */
static enum flt_status understand(const struct file_bytes *file, uint64_t length,
                                  struct netpbm_text *text, struct pfm_header *header,
                                  struct flt_image *image, struct flt_detail *detail)
{
    *text = (struct netpbm_text){.file = file};
    if (!read_header(text, header))
        return netpbm_bad_header(file, detail);
    enum flt_status status = flt_check_extents(file->name, 2, header->extent, detail);
    if (status == FLT_OK)
        status = flt_check_held(file->name, 2, header->extent,
                                header->extent[0] * row_bytes(header), length - text->at, detail);
    const int32_t extent[3] = {(int32_t)header->extent[0], (int32_t)header->extent[1],
                               header->channels};
    if (status == FLT_OK)
        status = flt_image_form(image, FLT_F32, header->channels == 1 ? 2 : 3,
                                (const char *const[]){"y", "x", "c"}, extent);
    return status;
}

enum flt_status flt_load_pfm(const struct file_bytes *file, struct flt_image *image,
                             struct flt_detail *detail)
{
    struct netpbm_text text;
    struct pfm_header header;
    enum flt_status status = understand(file, file->length, &text, &header, image, detail);
    if (status == FLT_OK)
        status = flt_image_allocate(image);
    if (status != FLT_OK)
        return status;
    const uint64_t bytes = row_bytes(&header);
    const unsigned char *bottom_first = file->bytes + text.at;
    for (uint64_t y = header.extent[0]; y-- > 0; bottom_first += bytes)
        memcpy((char *)image->data + y * bytes, bottom_first, bytes);
    if (header.little != flt_host_is_little())
        flt_swap_bytes(image->data, header.extent[0] * bytes / sizeof(float), sizeof(float));
    return FLT_OK;
}

/* Rows go down in the image and up in the file. */
static void turn_rows(size_t rows, struct placement *placement)
{
    placement->start += (uint64_t)placement->step[0] * (rows - 1);
    placement->step[0] = -placement->step[0];
    placement->packed = 1;
}

enum flt_status flt_parts_of_pfm(struct flt_parts_in *in, const struct file_bytes *file,
                                 struct flt_detail *detail)
{
    struct netpbm_text text;
    struct pfm_header header;
    const enum flt_status status = understand(file, in->length, &text, &header, &in->image, detail);
    if (status != FLT_OK)
        return status;
    in->placement = flt_packed_placement(&in->image, sizeof(float), text.at);
    turn_rows(header.extent[0], &in->placement);
    in->end = text.at + header.extent[0] * row_bytes(&header);
    in->swaps = header.little != flt_host_is_little();
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

/* The image as a picture of floats, and its header. */
static enum flt_status begin(const struct flt_image *image, const struct file_out *out,
                             struct picture *picture, struct flt_detail *detail)
{
    const char *const name = out->name;
    if (!flt_picture_of(image, name, picture, detail))
        return FLT_UNSUPPORTED;
    if (picture->element != FLT_F32 && picture->element != FLT_F64 && picture->element != FLT_F16)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold samples of %s: convert them to f32 in the filter, or save "
                        "as .npy",
                        flt_short_name(name), flt_element_name(picture->element));
    if (picture->channels != 1 && picture->channels != 3)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold %zu channels, only 1 or 3: save as .npy",
                        flt_short_name(name), picture->channels);
    if (fprintf(out->stream, "P%c\n%zu %zu\n%s\n", picture->channels == 1 ? 'f' : 'F',
                picture->columns, picture->rows, flt_host_is_little() ? "-1.0" : "1.0") < 0)
        return FLT_CANNOT_WRITE;
    return FLT_OK;
}

enum flt_status flt_save_pfm(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    struct picture picture;
    const enum flt_status status = begin(image, out, &picture, detail);
    return status == FLT_OK ? write_rows(&picture, out->stream) : status;
}

static void encode(const struct flt_parts_out *out, const void *samples, size_t count, void *to)
{
    const struct picture row = flt_row_of(out->image.element, samples, count);
    flt_picture_row_floats(&row, 0, to);
}

enum flt_status flt_place_pfm(struct flt_parts_out *out, struct flt_detail *detail)
{
    struct picture picture;
    const struct file_out file = {.name = out->name, .stream = out->replacement.stream};
    const enum flt_status status = begin(&out->image, &file, &picture, detail);
    if (status != FLT_OK)
        return status;
    flt_picture_order(&out->image, out->order);
    out->encode = encode;
    const enum flt_status placed = flt_place_packed(out, sizeof(float));
    turn_rows(picture.rows, &out->placement);
    return placed;
}
