/* JPEG, through libjpeg (its API of version 6.2, as libjpeg-turbo has it).
 *
 * libjpeg reports an error by calling error_exit, which must not return: it jumps, as in png.c.
 * What it may jump over lives in a struct job, and each call that may jump is made in a step run by
 * attempt(). */
#include "image/codec.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

struct job {
    struct jpeg_decompress_struct decoder; /* loading: */
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    const struct file_bytes *file;
    struct flt_image *image; /* made between two steps */
    bool started, cut_off;
    unsigned char *inks; /* one row of a picture of four inks */

    struct jpeg_compress_struct encoder; /* saving: */
    const struct picture *picture;
    const struct file_out *out;
    unsigned char *packed; /* one row */
    unsigned char *exif;   /* with its head */
    size_t exif_bytes;
    JOCTET *profile; /* loading */
    unsigned profile_bytes;

    struct jpeg_error_mgr errors;
    jmp_buf back;
    bool out_of_memory, unsupported;
    char message[JMSG_LENGTH_MAX];
};

static void keep_error(j_common_ptr codec)
{
    struct job *const job = codec->client_data;
    const int code = job->errors.msg_code;
    job->out_of_memory = code == JERR_OUT_OF_MEMORY;
    job->unsupported = code == JERR_BAD_PRECISION || code == JERR_ARITH_NOTIMPL ||
                       code == JERR_SOF_UNSUPPORTED || code == JERR_CONVERSION_NOTIMPL;
    job->errors.format_message(codec, job->message);
    longjmp(job->back, 1);
}

/* libjpeg goes on after damage, with grey in place of what is missing. Here it is an error. */
static void judge_warning(j_common_ptr codec, int level)
{
    static const int damage[] = {JWRN_HIT_MARKER,    JWRN_HUFF_BAD_CODE,  JWRN_JPEG_EOF,
                                 JWRN_MUST_RESYNC,   JWRN_ARITH_BAD_CODE, JWRN_BOGUS_PROGRESSION,
                                 JWRN_NOT_SEQUENTIAL};
    for (size_t i = 0; level < 0 && i < sizeof damage / sizeof damage[0]; i++)
        if (codec->err->msg_code == damage[i])
            keep_error(codec);
}

static void print_nothing(j_common_ptr codec)
{
    (void)codec;
}

static void prepare_errors(struct job *job)
{
    jpeg_std_error(&job->errors);
    job->errors.error_exit = keep_error;
    job->errors.emit_message = judge_warning;
    job->errors.output_message = print_nothing;
}

/* Whether the step came to its end. */
static bool attempt(struct job *job, void (*step)(struct job *job))
{
    if (setjmp(job->back))
        return false;
    step(job);
    return true;
}

/* ---- Loading ---- */

/* What stands behind the picture belongs to the file, as a rule: previews, a film. */
bool flt_measure_jpeg(const struct file_bytes *file, bool is_all, size_t *length)
{
    *length = file->length;
    return is_all;
}

bool flt_is_jpeg(const struct file_bytes *file)
{
    return file->length >= 3 && memcmp(file->bytes, "\xff\xd8\xff", 3) == 0;
}

static void begin_source(j_decompress_ptr decoder)
{
    (void)decoder;
}

/* All was there from the start: asking for more means that the file ends early. */
static boolean no_more(j_decompress_ptr decoder)
{
    ((struct job *)decoder->client_data)->cut_off = true;
    ERREXIT(decoder, JERR_INPUT_EOF);
    return FALSE;
}

static void skip(j_decompress_ptr decoder, long count)
{
    if (count <= 0)
        return;
    if ((unsigned long)count > decoder->src->bytes_in_buffer)
        no_more(decoder);
    decoder->src->next_input_byte += count;
    decoder->src->bytes_in_buffer -= (unsigned long)count;
}

/* A file may ask to go over all of its rows again for each few bytes: it gets that many times. */
static void limit_scans(j_common_ptr codec)
{
    enum { MOST_SCANS = 200 };
    struct job *const job = codec->client_data;
    if (job->decoder.input_scan_number > MOST_SCANS)
        ERREXIT(codec, JERR_BAD_PROGRESSION);
}

static void read_header(struct job *job)
{
    enum { EXIF = JPEG_APP0 + 1, PROFILE = JPEG_APP0 + 2, WHOLE = 0xffff };
    jpeg_create_decompress(&job->decoder);
    job->progress.progress_monitor = limit_scans;
    job->decoder.progress = &job->progress;
    job->source = (struct jpeg_source_mgr){.next_input_byte = job->file->bytes,
                                           .bytes_in_buffer = job->file->length,
                                           .init_source = begin_source,
                                           .fill_input_buffer = no_more,
                                           .skip_input_data = skip,
                                           .resync_to_restart = jpeg_resync_to_restart,
                                           .term_source = begin_source};
    job->decoder.src = &job->source;
    jpeg_save_markers(&job->decoder, EXIF, WHOLE);
    jpeg_save_markers(&job->decoder, PROFILE, WHOLE);
    jpeg_read_header(&job->decoder, TRUE);
    job->decoder.out_color_space = job->decoder.num_components == 1   ? JCS_GRAYSCALE
                                   : job->decoder.num_components == 4 ? JCS_CMYK
                                                                      : JCS_RGB;
}

/* Inks on white, c, m, y and k, to RGB: the plain formula, without a color profile. What Adobe's
 * programs write is inverted. */
static void convert_inks(const struct job *job, unsigned char *rgb)
{
    const unsigned char *inks = job->inks;
    for (JDIMENSION x = 0; x < job->decoder.output_width; x++, inks += 4, rgb += 3)
        for (int i = 0; i < 3; i++) {
            const int light = job->decoder.saw_Adobe_marker ? inks[i] : 255 - inks[i];
            const int key = job->decoder.saw_Adobe_marker ? inks[3] : 255 - inks[3];
            rgb[i] = (unsigned char)((light * key + 127) / 255);
        }
}

static void read_rows(struct job *job)
{
    jpeg_start_decompress(&job->decoder);
    job->started = true;
    const size_t channels = job->decoder.output_components == 1 ? 1 : 3;
    const size_t row_bytes = job->decoder.output_width * channels;
    while (job->decoder.output_scanline < job->decoder.output_height) {
        unsigned char *const row =
            (unsigned char *)job->image->data + job->decoder.output_scanline * row_bytes;
        unsigned char *target = job->inks ? job->inks : row;
        jpeg_read_scanlines(&job->decoder, &target, 1);
        if (job->inks)
            convert_inks(job, row);
    }
    jpeg_finish_decompress(&job->decoder);
}

static enum flt_status load_failure(const struct job *job, struct flt_detail *detail)
{
    const char *const name = flt_short_name(job->file->name);
    if (job->out_of_memory)
        return FLT_NO_MEMORY;
    if (job->unsupported)
        return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot be read: %s", name, job->message);
    if (!job->cut_off)
        return flt_fail(FLT_CORRUPT, detail, "%s is not a valid JPEG: %s", name, job->message);
    const JDIMENSION row = job->decoder.output_scanline, rows = job->decoder.output_height;
    if (!job->started)
        return flt_fail(FLT_CORRUPT, detail, "%s is cut off in its header", name);
    if (row == rows)
        return flt_fail(FLT_CORRUPT, detail, "%s is cut off after its last row", name);
    return flt_fail(FLT_CORRUPT, detail, "%s is cut off: row %u of %u is missing", name, row + 1,
                    rows);
}

/* The fewest bytes that the samples take: each block of 8 by 8 of a channel at least one bit. An
 * arithmetic code takes as little as one for 32768 decisions, so it tells nothing; there memory
 * grows with the rows read. */
static uint64_t bytes_needed(const struct job *job)
{
    uint64_t blocks = 0;
    for (int i = 0; i < job->decoder.num_components && !job->decoder.arith_code; i++)
        blocks += (uint64_t)job->decoder.comp_info[i].width_in_blocks *
                  job->decoder.comp_info[i].height_in_blocks;
    return blocks / 8;
}

static enum flt_status check_claim(const struct job *job, struct flt_detail *detail)
{
    const uint64_t extent[2] = {job->decoder.image_height, job->decoder.image_width};
    const enum flt_status status = flt_check_extents(job->file->name, 2, extent, detail);
    if (status != FLT_OK)
        return status;
    return flt_check_held(job->file->name, 2, extent, bytes_needed(job), job->file->length, detail);
}

static enum flt_status create_image(struct job *job)
{
    const int32_t extent[3] = {(int32_t)job->decoder.image_height,
                               (int32_t)job->decoder.image_width, 3};
    if (job->decoder.out_color_space == JCS_CMYK)
        job->inks = malloc(4 * (size_t)extent[1]);
    if (job->decoder.out_color_space == JCS_CMYK && !job->inks)
        return FLT_NO_MEMORY;
    return flt_image_create(job->image, FLT_U8,
                            job->decoder.out_color_space == JCS_GRAYSCALE ? 2 : 3,
                            (const char *const[]){"y", "x", "c"}, extent);
}

static const char exif_head[6] = "Exif\0"; /* and one more 0 */

/* NULL: there are none. */
static jpeg_saved_marker_ptr exif_of(const struct job *job)
{
    for (jpeg_saved_marker_ptr m = job->decoder.marker_list; m; m = m->next)
        if (m->data_length > sizeof exif_head && memcmp(m->data, exif_head, sizeof exif_head) == 0)
            return m;
    return NULL;
}

static int orientation_of(const struct job *job)
{
    const jpeg_saved_marker_ptr m = exif_of(job);
    return m ? flt_exif_orientation(m->data + sizeof exif_head, m->data_length - sizeof exif_head)
             : 1;
}

static void read_profile(struct job *job)
{
    jpeg_read_icc_profile(&job->decoder, &job->profile, &job->profile_bytes);
}

/* The metadata, before the samples are read. A profile of inks is not one of RGB. */
static bool keep_notes(struct job *job)
{
    struct flt_image *const image = job->image;
    const jpeg_saved_marker_ptr m = exif_of(job);
    const int unit = job->decoder.saw_JFIF_marker ? job->decoder.density_unit : 0;
    for (int i = 0; i < 2; i++) {
        const unsigned density = i ? job->decoder.X_density : job->decoder.Y_density;
        if ((unit != 1 && unit != 2) || density == 0)
            continue;
        image->spacing[i] = 1.0 / density;
        strcpy(image->unit[i], unit == 1 ? "inch" : "cm");
    }
    if (m && !flt_set_block(&image->exif, &image->exif_bytes, m->data + sizeof exif_head,
                            m->data_length - sizeof exif_head))
        return false;
    if (job->decoder.out_color_space == JCS_CMYK)
        return true;
    if (!attempt(job, read_profile))
        return !job->out_of_memory;
    return flt_set_block(&image->profile, &image->profile_bytes, job->profile, job->profile_bytes);
}

/* Behind the picture, other than zeros that fill up a file. */
static bool has_more(const struct job *job)
{
    size_t zeros = 0;
    while (zeros < job->source.bytes_in_buffer && job->source.next_input_byte[zeros] == 0)
        zeros++;
    return zeros < job->source.bytes_in_buffer;
}

static enum flt_status load_by_steps(struct job *job, struct flt_detail *detail)
{
    if (!attempt(job, read_header))
        return load_failure(job, detail);
    enum flt_status status = check_claim(job, detail);
    if (status == FLT_OK)
        status = create_image(job);
    if (status != FLT_OK)
        return status;
    const int orientation = orientation_of(job);
    if (!keep_notes(job)) {
        flt_image_destroy(job->image);
        return FLT_NO_MEMORY;
    }
    status =
        attempt(job, read_rows) ? flt_orient(job->image, orientation) : load_failure(job, detail);
    if (status == FLT_OK && has_more(job))
        flt_remark(detail, "%s holds %zu bytes behind its picture, which are not read",
                   flt_short_name(job->file->name), job->source.bytes_in_buffer);
    if (status != FLT_OK)
        flt_image_destroy(job->image);
    return status;
}

enum flt_status flt_load_jpeg(const struct file_bytes *file, struct flt_image *image,
                              struct flt_detail *detail)
{
    struct job *const job = calloc(1, sizeof *job);
    if (!job)
        return FLT_NO_MEMORY;
    job->file = file;
    job->image = image;
    prepare_errors(job);
    job->decoder.err = &job->errors;
    job->decoder.client_data = job;
    const enum flt_status status = load_by_steps(job, detail);
    jpeg_destroy_decompress(&job->decoder);
    free(job->inks);
    free(job->profile);
    free(job);
    return status;
}

/* ---- Saving ---- */

/* Pixels in a centimetre or, else, an inch; 0: not known, or too many. */
static UINT16 density_of(const struct flt_image *image, int axis, bool in_cm)
{
    const double density =
        (in_cm ? 0.01 : 0.0254) / flt_metres(image->spacing[axis], image->unit[axis]);
    return density >= 0.5 && density < 65535 ? (UINT16)(density + 0.5) : 0;
}

static void set_density(struct job *job)
{
    const struct flt_image *const image = job->picture->image;
    const int y = strcmp(image->axis[0], "c") == 0;
    const bool in_cm = strcmp(image->unit[y], "cm") == 0;
    const UINT16 rows = density_of(image, y, in_cm), columns = density_of(image, y + 1, in_cm);
    if (rows == 0 || columns == 0)
        return;
    job->encoder.density_unit = in_cm ? 2 : 1;
    job->encoder.Y_density = rows;
    job->encoder.X_density = columns;
}

static void write_notes(struct job *job)
{
    const struct flt_image *const image = job->picture->image;
    if (job->exif)
        jpeg_write_marker(&job->encoder, JPEG_APP0 + 1, job->exif, (unsigned)job->exif_bytes);
    if (image->profile && image->profile_bytes <= 255 * 65519)
        jpeg_write_icc_profile(&job->encoder, image->profile, (unsigned)image->profile_bytes);
}

static void write_all(struct job *job)
{
    enum { FULL_COLOR_FROM = 90 };
    struct jpeg_compress_struct *const encoder = &job->encoder;
    jpeg_create_compress(encoder);
    jpeg_stdio_dest(encoder, job->out->stream);
    encoder->image_width = (JDIMENSION)job->picture->columns;
    encoder->image_height = (JDIMENSION)job->picture->rows;
    encoder->input_components = (int)job->picture->channels;
    encoder->in_color_space = job->picture->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(encoder);
    jpeg_set_quality(encoder, job->out->quality, TRUE);
    if (job->out->quality >= FULL_COLOR_FROM) {
        encoder->comp_info[0].h_samp_factor = 1;
        encoder->comp_info[0].v_samp_factor = 1;
    }
    set_density(job);
    jpeg_start_compress(encoder, TRUE);
    write_notes(job);
    for (size_t y = 0; y < job->picture->rows; y++) {
        flt_picture_row_integers(job->picture, y, job->packed);
        jpeg_write_scanlines(encoder, &job->packed, 1);
    }
    jpeg_finish_compress(encoder);
}

/* false: there is no memory. */
static bool take_exif(struct job *job)
{
    unsigned char *exif;
    if (!flt_picture_exif(job->picture, &exif))
        return false;
    if (!exif)
        return true;
    job->exif_bytes = job->picture->image->exif_bytes + sizeof exif_head;
    job->exif = malloc(job->exif_bytes);
    if (job->exif) {
        memcpy(job->exif, exif_head, sizeof exif_head);
        memcpy(job->exif + sizeof exif_head, exif, job->picture->image->exif_bytes);
    }
    free(exif);
    return job->exif != NULL;
}

static enum flt_status save_job(struct job *job, struct flt_detail *detail)
{
    if (!take_exif(job))
        return FLT_NO_MEMORY;
    job->packed = malloc(job->picture->columns * job->picture->channels);
    if (!job->packed)
        return FLT_NO_MEMORY;
    prepare_errors(job);
    job->encoder.err = &job->errors;
    job->encoder.client_data = job;
    const bool written = attempt(job, write_all);
    jpeg_destroy_compress(&job->encoder);
    free(job->packed);
    if (written)
        return FLT_OK;
    if (job->out_of_memory)
        return FLT_NO_MEMORY;
    if (ferror(job->out->stream))
        return FLT_CANNOT_WRITE;
    return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot be written as JPEG: %s",
                    flt_short_name(job->out->name), job->message);
}

enum flt_status flt_save_jpeg(const struct flt_image *image, const struct file_out *out,
                              struct flt_detail *detail)
{
    struct picture picture;
    enum flt_element stored;
    if (!flt_picture_of(image, out->name, &picture, detail) ||
        !flt_stored_element(&picture, out->name, &stored, detail))
        return FLT_UNSUPPORTED;
    if (stored != FLT_U8)
        return flt_fail(
            FLT_UNSUPPORTED, detail,
            "%s cannot hold samples of u16: convert them to u8 in the filter, or save as "
            ".png",
            flt_short_name(out->name));
    if (picture.channels != 1 && picture.channels != 3)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold %zu channels, only 1 or 3: save as .png",
                        flt_short_name(out->name), picture.channels);
    struct job *const job = calloc(1, sizeof *job);
    if (!job)
        return FLT_NO_MEMORY;
    job->picture = &picture;
    job->out = out;
    const enum flt_status status = save_job(job, detail);
    free(job->exif);
    free(job);
    if (status == FLT_OK)
        flt_remark_chunks(image, out->name, detail);
    return status;
}
