/* PBM, PGM and PPM. Reads P1 to P6; writes P4, P5 and P6.
 * Source: pbm(5), pgm(5), ppm(5) of Netpbm. */
#include "image/netpbm.h"
#include "image/parts.h"

#include <stdlib.h>
#include <string.h>

struct pnm_header {
    bool text, bits;    /* samples as decimals (P1 P2 P3); one bit each (P1 P4) */
    uint64_t extent[2]; /* y, x */
    int32_t channels;
    uint64_t maximum; /* of a sample in the file */
};

bool flt_is_pnm(const struct file_bytes *file)
{
    return file->length >= 3 && file->bytes[0] == 'P' && file->bytes[1] >= '1' &&
           file->bytes[1] <= '6' && strchr(" \t\n\v\f\r#", file->bytes[2]) && file->bytes[2];
}

static bool read_header(struct netpbm_text *text, struct pnm_header *header)
{
    const int kind = text->file->bytes[1] - '0';
    *header = (struct pnm_header){
        .text = kind <= 3, .bits = kind % 3 == 1, .channels = kind % 3 == 0 ? 3 : 1, .maximum = 1};
    text->at = 2;
    if (!netpbm_number(text, &header->extent[1]) || !netpbm_number(text, &header->extent[0]))
        return false;
    if (!header->bits && !netpbm_number(text, &header->maximum))
        return false;
    return header->maximum >= 1 && header->maximum <= 65535 && netpbm_one_space(text);
}

/* The fewest bytes that the samples take: exact but for text, where a sample of P1 takes one,
 * others two with the space between them. */
static uint64_t bytes_needed(const struct pnm_header *header)
{
    const uint64_t columns = header->extent[1] * (uint64_t)header->channels;
    if (header->bits)
        return header->extent[0] * (header->text ? columns : (columns + 7) / 8);
    const uint64_t samples = header->extent[0] * columns;
    return header->text ? 2 * samples - 1 : samples * (header->maximum > 255 ? 2 : 1);
}

static enum flt_status form_image(const struct pnm_header *header, struct flt_image *image)
{
    const enum flt_element element = header->bits             ? FLT_BOOL
                                     : header->maximum <= 255 ? FLT_U8
                                                              : FLT_U16;
    const int32_t extent[3] = {(int32_t)header->extent[0], (int32_t)header->extent[1],
                               header->channels};
    return flt_image_form(image, element, header->channels == 1 ? 2 : 3,
                          (const char *const[]){"y", "x", "c"}, extent);
}

/* Puts sample at of the file into the image, stretching 0 .. maximum to the full range of its
 * element, rounding to nearest: keeping the samples would make a file of maximum 100 look dark to
 * every filter that expects 255. In PBM 1 is black. */
static void store(const struct pnm_header *header, uint64_t sample, struct flt_image *image,
                  size_t at)
{
    if (header->bits)
        ((uint8_t *)image->data)[at] = sample == 0;
    else if (header->maximum <= 255)
        ((uint8_t *)image->data)[at] =
            (uint8_t)((sample * 255 + header->maximum / 2) / header->maximum);
    else
        ((uint16_t *)image->data)[at] =
            (uint16_t)((sample * 65535 + header->maximum / 2) / header->maximum);
}

static bool next_text_sample(struct netpbm_text *text, const struct pnm_header *header,
                             uint64_t *sample)
{
    if (!header->bits)
        return netpbm_number(text, sample);
    netpbm_skip_space(text); /* digits of P1 may stand without spaces */
    const int digit = netpbm_peek(text);
    if (digit != '0' && digit != '1')
        return false;
    *sample = digit == '1';
    text->at++;
    return true;
}

static uint64_t binary_sample(const unsigned char *samples, const struct pnm_header *header,
                              size_t at)
{
    if (header->bits) {
        const size_t columns = (size_t)header->extent[1];
        const size_t row = at / columns, column = at % columns;
        return samples[row * ((columns + 7) / 8) + column / 8] >> (7 - column % 8) & 1;
    }
    if (header->maximum > 255)
        return (uint64_t)samples[2 * at] << 8 | samples[2 * at + 1];
    return samples[at];
}

/* Whether the file's samples are the image's, but for the order of their bytes. */
static bool is_plain(const struct pnm_header *header)
{
    return !header->text && (header->maximum == 255 || header->maximum == 65535);
}

static void copy_samples(const struct netpbm_text *text, const struct pnm_header *header,
                         struct flt_image *image)
{
    const size_t size = flt_element_bytes(image->element);
    const size_t bytes = (size_t)bytes_needed(header);
    memcpy(image->data, text->file->bytes + text->at, bytes);
    if (flt_host_is_little())
        flt_swap_bytes(image->data, bytes / size, size);
}

static enum flt_status read_samples(struct netpbm_text *text, const struct pnm_header *header,
                                    struct flt_image *image, struct flt_detail *detail)
{
    const char *const name = flt_short_name(text->file->name);
    const unsigned char *const binary = text->file->bytes + text->at;
    const size_t row_length = (size_t)header->extent[1] * (size_t)header->channels;
    const size_t count = (size_t)header->extent[0] * row_length;
    for (size_t at = 0; at < count; at++) {
        uint64_t sample;
        if (!header->text)
            sample = binary_sample(binary, header, at);
        else if (!next_text_sample(text, header, &sample))
            return flt_fail(FLT_CORRUPT, detail, "%s is %s in row %zu of %zu", name,
                            netpbm_peek(text) < 0 ? "cut off" : "damaged", at / row_length + 1,
                            (size_t)header->extent[0]);
        if (sample > header->maximum)
            return flt_fail(FLT_CORRUPT, detail,
                            "%s has a sample of %llu in row %zu, but says that %llu is the largest",
                            name, (unsigned long long)sample, at / row_length + 1,
                            (unsigned long long)header->maximum);
        store(header, sample, image, at);
    }
    return FLT_OK;
}

/* Behind the last sample of a text, as far as it is one. */
static void skip_samples(struct netpbm_text *text, const struct pnm_header *header)
{
    uint64_t sample, left = header->extent[0] * header->extent[1] * (uint64_t)header->channels;
    while (left > 0 && next_text_sample(text, header, &sample))
        left--;
    if (left > 0)
        text->at = text->file->length;
}

bool flt_measure_pnm(const struct file_bytes *file, bool is_all, size_t *length)
{
    struct netpbm_text text = {.file = file};
    struct pnm_header header;
    *length = file->length;
    if (!read_header(&text, &header) ||
        flt_check_extents(file->name, 2, header.extent, NULL) != FLT_OK)
        return netpbm_has_header(file, is_all);
    if (!header.text) {
        *length = text.at + bytes_needed(&header);
        return true;
    }
    if (is_all)
        skip_samples(&text, &header);
    *length = text.at;
    return is_all;
}

/* What the header says of a file of that length, and the text behind it. */
static enum flt_status understand(const struct file_bytes *file, uint64_t length,
                                  struct netpbm_text *text, struct pnm_header *header,
                                  struct flt_detail *detail)
{
    *text = (struct netpbm_text){.file = file};
    if (!read_header(text, header))
        return netpbm_bad_header(file, detail);
    const enum flt_status status = flt_check_extents(file->name, 2, header->extent, detail);
    if (status != FLT_OK)
        return status;
    return flt_check_held(file->name, 2, header->extent, bytes_needed(header), length - text->at,
                          detail);
}

enum flt_status flt_load_pnm(const struct file_bytes *file, struct flt_image *image,
                             struct flt_detail *detail)
{
    struct netpbm_text text;
    struct pnm_header header;
    enum flt_status status = understand(file, file->length, &text, &header, detail);
    if (status == FLT_OK)
        status = form_image(&header, image);
    if (status == FLT_OK)
        status = flt_image_allocate(image);
    if (status != FLT_OK)
        return status;
    if (is_plain(&header))
        copy_samples(&text, &header, image);
    else
        status = read_samples(&text, &header, image, detail);
    if (status != FLT_OK)
        flt_image_destroy(image);
    return status;
}

/* As store() does, in place. */
static enum flt_status stretch(const struct flt_parts_in *in, void *samples, size_t count,
                               struct flt_detail *detail)
{
    const unsigned maximum = in->maximum, most = maximum <= 255 ? 255 : 65535;
    uint8_t *const narrow = samples;
    uint16_t *const wide = samples;
    for (size_t i = 0; i < count; i++) {
        const unsigned sample = most == 255 ? narrow[i] : wide[i];
        if (sample > maximum)
            return flt_fail(FLT_CORRUPT, detail,
                            "%s has a sample of %u, but says that %u is the largest",
                            flt_short_name(in->name), sample, maximum);
        const uint32_t stretched = (sample * most + maximum / 2) / maximum;
        if (most == 255)
            narrow[i] = (uint8_t)stretched;
        else
            wide[i] = (uint16_t)stretched;
    }
    return FLT_OK;
}

/* Texts have no places; a part of bits may begin within a byte. */
enum flt_status flt_parts_of_pnm(struct flt_parts_in *in, const struct file_bytes *file,
                                 struct flt_detail *detail)
{
    struct netpbm_text text;
    struct pnm_header header;
    enum flt_status status = understand(file, in->length, &text, &header, detail);
    if (status == FLT_OK && (header.text || header.bits))
        return FLT_UNSUPPORTED;
    if (status == FLT_OK)
        status = form_image(&header, &in->image);
    if (status != FLT_OK)
        return status;
    const size_t bytes = flt_element_bytes(in->image.element);
    in->placement = flt_packed_placement(&in->image, bytes, text.at);
    in->end = text.at + bytes_needed(&header);
    in->swaps = flt_host_is_little();
    in->maximum = (unsigned)header.maximum;
    in->finish = is_plain(&header) ? NULL : stretch;
    return FLT_OK;
}

static enum flt_status write_rows(const struct picture *picture, enum flt_element stored, FILE *out)
{
    const size_t samples = picture->columns * picture->channels;
    const size_t size = flt_element_bytes(stored);
    void *const row = malloc(samples * size);
    if (!row)
        return FLT_NO_MEMORY;
    size_t y = 0;
    for (; y < picture->rows; y++) {
        flt_picture_row_integers(picture, y, row);
        if (flt_host_is_little())
            flt_swap_bytes(row, samples, size);
        if (fwrite(row, size, samples, out) != samples)
            break;
    }
    free(row);
    return y == picture->rows ? FLT_OK : FLT_CANNOT_WRITE;
}

/* The image as a picture of stored elements and its header. grey, color: which of them the ending
 * allows. */
static enum flt_status begin_integers(const struct flt_image *image, const struct file_out *out,
                                      bool grey, bool color, struct picture *picture,
                                      enum flt_element *stored, struct flt_detail *detail)
{
    const char *const name = out->name;
    if (!flt_picture_of(image, name, picture, detail) ||
        !flt_stored_element(picture, name, stored, detail))
        return FLT_UNSUPPORTED;
    if (!(grey && picture->channels == 1) && !(color && picture->channels == 3))
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold %zu channels: save as .pgm for 1, .ppm for 3, .png for 1 "
                        "to 4",
                        flt_short_name(name), picture->channels);
    if (fprintf(out->stream, "P%c\n%zu %zu\n%d\n", picture->channels == 1 ? '5' : '6',
                picture->columns, picture->rows, *stored == FLT_U8 ? 255 : 65535) < 0)
        return FLT_CANNOT_WRITE;
    flt_remark_chunks(image, name, detail);
    return FLT_OK;
}

/* P5 or P6. */
static enum flt_status save_integers(const struct flt_image *image, const struct file_out *out,
                                     bool grey, bool color, struct flt_detail *detail)
{
    struct picture picture;
    enum flt_element stored;
    const enum flt_status status =
        begin_integers(image, out, grey, color, &picture, &stored, detail);
    return status == FLT_OK ? write_rows(&picture, stored, out->stream) : status;
}

static void encode_integers(const struct flt_parts_out *out, const void *samples, size_t count,
                            void *to)
{
    const struct picture row = flt_row_of(out->image.element, samples, count);
    flt_picture_row_integers(&row, 0, to);
    if (flt_host_is_little())
        flt_swap_bytes(to, count, out->bytes);
}

static enum flt_status place_integers(struct flt_parts_out *out, bool grey, bool color,
                                      struct flt_detail *detail)
{
    struct picture picture;
    enum flt_element stored;
    const struct file_out file = {.name = out->name, .stream = out->replacement.stream};
    const enum flt_status status =
        begin_integers(&out->image, &file, grey, color, &picture, &stored, detail);
    if (status != FLT_OK)
        return status;
    flt_picture_order(&out->image, out->order);
    out->encode = encode_integers;
    return flt_place_packed(out, flt_element_bytes(stored));
}

enum flt_status flt_save_pgm(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    return save_integers(image, out, true, false, detail);
}

enum flt_status flt_save_ppm(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    return save_integers(image, out, false, true, detail);
}

enum flt_status flt_save_pnm(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    return save_integers(image, out, true, true, detail);
}

/* row: 0 and 255, one byte each. Writes their bits, 1 for 0, each row filled up with 0 bits. */
static bool write_bits(const unsigned char *row, size_t columns, FILE *out)
{
    for (size_t first = 0; first < columns; first += 8) {
        int byte = 0;
        for (size_t i = first; i < first + 8 && i < columns; i++)
            byte |= (row[i] == 0) << (7 - (i - first));
        if (putc(byte, out) == EOF)
            return false;
    }
    return true;
}

enum flt_status flt_save_pbm(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    const char *const name = out->name;
    struct picture picture;
    if (!flt_picture_of(image, name, &picture, detail))
        return FLT_UNSUPPORTED;
    if (picture.element != FLT_BOOL || picture.channels != 1)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s can hold bool of one channel only: save as .pgm, .ppm or .png",
                        flt_short_name(name));
    if (fprintf(out->stream, "P4\n%zu %zu\n", picture.columns, picture.rows) < 0)
        return FLT_CANNOT_WRITE;
    unsigned char *const row = malloc(picture.columns);
    if (!row)
        return FLT_NO_MEMORY;
    bool written = true;
    for (size_t y = 0; y < picture.rows && written; y++) {
        flt_picture_row_integers(&picture, y, row);
        written = write_bits(row, picture.columns, out->stream);
    }
    free(row);
    return written ? FLT_OK : FLT_CANNOT_WRITE;
}

enum flt_status flt_place_pgm(struct flt_parts_out *out, struct flt_detail *detail)
{
    return place_integers(out, true, false, detail);
}

enum flt_status flt_place_ppm(struct flt_parts_out *out, struct flt_detail *detail)
{
    return place_integers(out, false, true, detail);
}

enum flt_status flt_place_pnm(struct flt_parts_out *out, struct flt_detail *detail)
{
    return place_integers(out, true, true, detail);
}
