/* PNG, through libpng 1.6.
 *
 * libpng reports an error by a longjmp. So whatever it may jump over lives in a struct job that the
 * caller owns, each call that may jump is made in a step run by attempt(), and nothing else is. */
#include "image/codec.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* What the lengths and types of the chunks say. */
struct frame {
    uint64_t data_bytes;   /* of compressed samples that the file holds */
    bool has_transparency; /* there is a tRNS before them */
    uint32_t frames;       /* of an animation; 0: it is none */
};

struct job {
    png_structp png;
    png_infop info;
    bool out_of_memory;
    char message[128]; /* libpng's, once it failed */

    const struct file_bytes *file; /* loading: */
    size_t at;
    struct frame frame;
    bool cut_off;
    struct flt_image *image; /* made between two steps */
    unsigned char *indices;  /* of a palette, for each pixel; NULL: there is none */
    int passes, pass;        /* 7 if interlaced, else 1 */
    png_uint_32 row;         /* being decoded, from 0 */

    FILE *out; /* saving: */
    const struct picture *picture;
    enum flt_element stored;
    void *packed; /* one row */
    unsigned char *exif;
};

static void keep_error(png_structp png, png_const_charp message)
{
    struct job *const job = png_get_error_ptr(png);
    snprintf(job->message, sizeof job->message, "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    void *const memory = malloc(size);
    if (!memory)
        ((struct job *)png_get_mem_ptr(png))->out_of_memory = true;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* Whether the step came to its end. */
static bool attempt(struct job *job, void (*step)(struct job *job))
{
    if (setjmp(png_jmpbuf(job->png)))
        return false;
    step(job);
    return true;
}

static const png_uint_32 largest_extent = INT32_MAX; /* libpng's own default is 10^6 */

/* ---- Loading ---- */

bool flt_is_png(const struct file_bytes *file)
{
    return file->length >= 8 && png_sig_cmp(file->bytes, 0, 8) == 0;
}

static bool is_type(const unsigned char *type, const char *name)
{
    return memcmp(type, name, 4) == 0;
}

/* To the end of IEND. */
bool flt_measure_png(const struct file_bytes *file, bool is_all, size_t *length)
{
    const size_t signature = 8, head = 8, checksum = 4;
    for (size_t at = signature; at <= file->length && file->length - at >= head;) {
        const bool is_last = is_type(file->bytes + at + 4, "IEND");
        at += head + png_get_uint_32(file->bytes + at) + checksum;
        *length = at;
        if (is_last)
            return true;
    }
    *length = file->length;
    return is_all;
}

/* libpng takes memory for the length that a chunk says, up to 2 GiB, before it reads the chunk: so
 * no chunk may say more than the file holds. IHDR and IDAT it reads piece by piece, and tells what
 * is missing. */
static enum flt_status survey_chunks(const struct file_bytes *file, struct frame *frame,
                                     struct flt_detail *detail)
{
    const size_t signature = 8, head = 8, checksum = 4;
    *frame = (struct frame){.data_bytes = 0};
    for (size_t at = signature; file->length - at >= head;) {
        const unsigned char *const type = file->bytes + at + 4;
        const uint64_t length = png_get_uint_32(file->bytes + at);
        const uint64_t left = file->length - at - head;
        if (is_type(type, "IDAT"))
            frame->data_bytes += length < left ? length : left;
        else if (length > left && !is_type(type, "IHDR"))
            return flt_fail(FLT_CORRUPT, detail,
                            "%s is cut off: a chunk of it says %llu bytes, but %llu are left",
                            flt_short_name(file->name), (unsigned long long)length,
                            (unsigned long long)left);
        if (is_type(type, "acTL") && length == 8 && left >= length)
            frame->frames = png_get_uint_32(type + 4);
        frame->has_transparency |= is_type(type, "tRNS") && frame->data_bytes == 0;
        if (length + checksum > left || is_type(type, "IEND"))
            break;
        at += head + length + checksum;
    }
    return FLT_OK;
}

static void take_bytes(png_structp png, png_bytep to, size_t count)
{
    struct job *const job = png_get_io_ptr(png);
    if (count > job->file->length - job->at) {
        job->cut_off = true;
        png_error(png, "cut off");
    }
    memcpy(to, job->file->bytes + job->at, count);
    job->at += count;
}

/* Chunks that tell colors. They are kept as they are, whether libpng knows them or not. */
static const struct {
    char type[5];
    png_size_t length;
} color_chunks[] = {{"gAMA", 4}, {"cHRM", 32}, {"sRGB", 1}, {"cICP", 4}, {"mDCV", 24}, {"cLLI", 8}};

enum { COLOR_CHUNKS = sizeof color_chunks / sizeof color_chunks[0] };

/* Texts, times and such are skipped, whatever is in them: all that libpng knows but IHDR, PLTE,
 * tRNS, IDAT and IEND (-1), and of these again EXIF data, the profile and the density are wanted.
 * Where they are damaged libpng warns, and does without. */
static void ignore_what_is_no_sample(struct job *job)
{
    png_set_benign_errors(job->png, 1); /* which are warnings then */
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_AS_DEFAULT,
                                (png_const_bytep) "eXIf\0iCCP\0pHYs", 3);
    for (int i = 0; i < COLOR_CHUNKS; i++)
        png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_ALWAYS,
                                    (png_const_bytep)color_chunks[i].type, 1);
}

static void read_header(struct job *job)
{
    png_set_user_limits(job->png, largest_extent, largest_extent);
    png_set_read_fn(job->png, job, take_bytes);
    ignore_what_is_no_sample(job);
    png_read_info(job->png, job->info);
}

static bool has_palette(const struct job *job)
{
    return png_get_color_type(job->png, job->info) == PNG_COLOR_TYPE_PALETTE;
}

/* Asks for whole samples of 8 or 16 bits in host order, and for alpha instead of a transparent
 * color. libpng would look up a color that the palette lacks as black. */
static void choose_samples(struct job *job)
{
    if (has_palette(job))
        png_set_packing(job->png);
    else
        png_set_expand(job->png);
    if (flt_host_is_little())
        png_set_swap(job->png);
    job->passes = png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
}

/* Each pass of an interlaced file adds pixels to rows that hold those of the passes before. */
static void read_rows(struct job *job)
{
    const size_t row_bytes = png_get_rowbytes(job->png, job->info);
    const png_uint_32 rows = png_get_image_height(job->png, job->info);
    png_bytep const first = job->indices ? job->indices : job->image->data;
    for (job->pass = 0; job->pass < job->passes; job->pass++)
        for (job->row = 0; job->row < rows; job->row++)
            png_read_row(job->png, first + job->row * row_bytes, NULL);
    png_read_end(job->png, job->info); /* EXIF may stand behind the rows */
}

/* What stopped a step of loading. */
static enum flt_status load_failure(const struct job *job, struct flt_detail *detail)
{
    const char *const name = flt_short_name(job->file->name);
    if (job->out_of_memory)
        return FLT_NO_MEMORY;
    if (!job->cut_off)
        return flt_fail(FLT_CORRUPT, detail, "%s is not a valid PNG: %s", name, job->message);
    if (job->passes == 0)
        return flt_fail(FLT_CORRUPT, detail, "%s is cut off in its header", name);
    const png_uint_32 rows = png_get_image_height(job->png, job->info);
    if (job->pass == job->passes)
        return flt_fail(FLT_CORRUPT, detail, "%s is cut off after its last row", name);
    if (job->passes > 1)
        return flt_fail(FLT_CORRUPT, detail, "%s is cut off: pass %d of %d is incomplete", name,
                        job->pass + 1, job->passes);
    return flt_fail(FLT_CORRUPT, detail, "%s is cut off: row %lu of %lu is missing", name,
                    (unsigned long)job->row + 1, (unsigned long)rows);
}

/* Checks what the header says, for which memory is about to be taken. Deflate makes at most 1032
 * bytes from one (258 from 2 bits; see "Maximum Compression Factor" on zlib.net/zlib_tech.html); a
 * black picture comes near to that. Of what can be, memory grows with the rows read: it is not
 * touched before. */
static enum flt_status check_claim(const struct job *job, struct flt_detail *detail)
{
    const uint64_t most_expanded = 1032;
    const uint64_t extent[2] = {png_get_image_height(job->png, job->info),
                                png_get_image_width(job->png, job->info)};
    const enum flt_status status = flt_check_extents(job->file->name, 2, extent, detail);
    if (status != FLT_OK)
        return status;
    const uint64_t bits_per_pixel =
        (uint64_t)png_get_bit_depth(job->png, job->info) * png_get_channels(job->png, job->info);
    const uint64_t compressed = extent[0] * ((extent[1] * bits_per_pixel + 7) / 8) / most_expanded;
    return flt_check_held(job->file->name, 2, extent, compressed, job->frame.data_bytes, detail);
}

/* libpng goes on without a tRNS that is damaged, with other samples than the file's. */
static enum flt_status check_transparency(const struct job *job, struct flt_detail *detail)
{
    if (!job->frame.has_transparency || png_get_valid(job->png, job->info, PNG_INFO_tRNS) ||
        png_get_color_type(job->png, job->info) & PNG_COLOR_MASK_ALPHA)
        return FLT_OK;
    return flt_fail(FLT_CORRUPT, detail,
                    "%s is not a valid PNG: its transparency, tRNS, is damaged",
                    flt_short_name(job->file->name));
}

/* Of the image: those of the palette's colors, if there is one. */
static int channels_of(const struct job *job)
{
    return has_palette(job) ? 3 + job->frame.has_transparency
                            : png_get_channels(job->png, job->info);
}

static enum flt_status create_image(struct job *job, struct flt_detail *detail)
{
    const uint64_t most_bytes = (uint64_t)1 << 36;
    const uint64_t rows = png_get_image_height(job->png, job->info),
                   columns = png_get_image_width(job->png, job->info);
    const int channels = channels_of(job);
    const size_t size = png_get_bit_depth(job->png, job->info) == 16 ? 2 : 1;
    if (columns * (uint64_t)channels * size > most_bytes / rows)
        return flt_fail(FLT_TOO_LARGE, detail, "%s would take more than 64 GiB when decoded",
                        flt_short_name(job->file->name));
    const int32_t extent[3] = {(int32_t)rows, (int32_t)columns, channels};
    enum flt_status status =
        flt_image_create(job->image, size == 2 ? FLT_U16 : FLT_U8, channels == 1 ? 2 : 3,
                         (const char *const[]){"y", "x", "c"}, extent);
    job->image->has_alpha = status == FLT_OK && channels % 2 == 0;
    if (status == FLT_OK && has_palette(job) && !(job->indices = calloc(rows, columns))) {
        flt_image_destroy(job->image);
        status = FLT_NO_MEMORY;
    }
    return status;
}

/* Colors for the indices of a palette. */
static enum flt_status look_up(const struct job *job, struct flt_detail *detail)
{
    png_colorp colors = NULL;
    png_bytep alpha = NULL;
    int count = 0, alphas = 0;
    png_get_PLTE(job->png, job->info, &colors, &count);
    png_get_tRNS(job->png, job->info, &alpha, &alphas, NULL);
    const size_t columns = png_get_image_width(job->png, job->info);
    const size_t pixels = png_get_image_height(job->png, job->info) * columns;
    unsigned char *to = job->image->data;
    for (size_t i = 0; i < pixels; i++) {
        const int index = job->indices[i];
        if (index >= count)
            return flt_fail(FLT_CORRUPT, detail,
                            "%s is not a valid PNG: row %zu has color %d, but its palette has %d",
                            flt_short_name(job->file->name), i / columns + 1, index, count);
        *to++ = colors[index].red;
        *to++ = colors[index].green;
        *to++ = colors[index].blue;
        if (job->image->has_alpha)
            *to++ = index < alphas ? alpha[index] : UINT8_MAX;
    }
    return FLT_OK;
}

static int orientation_of(const struct job *job)
{
    png_uint_32 length = 0;
    png_bytep exif = NULL;
    png_get_eXIf_1(job->png, job->info, &length, &exif);
    return exif ? flt_exif_orientation(exif, length) : 1;
}

/* The first of the type before the samples, of the right length; NULL: there is none. */
static const png_unknown_chunk *color_chunk_of(const struct job *job, int kind)
{
    png_unknown_chunkp list = NULL;
    const int count = png_get_unknown_chunks(job->png, job->info, &list);
    for (int i = 0; i < count; i++)
        if (is_type(list[i].name, color_chunks[kind].type) &&
            list[i].size == color_chunks[kind].length && !(list[i].location & PNG_AFTER_IDAT))
            return &list[i];
    return NULL;
}

static bool keep_chunks(const struct job *job)
{
    unsigned char all[128];
    size_t at = 0;
    for (int i = 0; i < COLOR_CHUNKS; i++) {
        const png_unknown_chunk *const chunk = color_chunk_of(job, i);
        if (!chunk)
            continue;
        png_save_uint_32(all + at, (png_uint_32)chunk->size);
        memcpy(all + at + 4, chunk->name, 4);
        memcpy(all + at + 8, chunk->data, chunk->size);
        at += 8 + chunk->size;
    }
    return flt_set_block(&job->image->chunks, &job->image->chunks_bytes, all, at);
}

/* The metadata. */
static bool keep_notes(const struct job *job)
{
    struct flt_image *const image = job->image;
    png_uint_32 x = 0, y = 0, length = 0;
    png_bytep block = NULL;
    png_charp name;
    int unit = PNG_RESOLUTION_UNKNOWN, compression;
    png_get_pHYs(job->png, job->info, &x, &y, &unit);
    for (int i = 0; i < 2; i++)
        if (unit == PNG_RESOLUTION_METER && (i ? x : y) > 0) {
            image->spacing[i] = 100.0 / (i ? x : y);
            strcpy(image->unit[i], "cm");
        }
    bool good = keep_chunks(job);
    if (png_get_eXIf_1(job->png, job->info, &length, &block))
        good = flt_set_block(&image->exif, &image->exif_bytes, block, length) && good;
    if (png_get_iCCP(job->png, job->info, &name, &compression, &block, &length))
        good = flt_set_block(&image->profile, &image->profile_bytes, block, length) && good;
    return good;
}

static enum flt_status load_by_steps(struct job *job, struct flt_detail *detail)
{
    enum flt_status status = survey_chunks(job->file, &job->frame, detail);
    if (status != FLT_OK)
        return status;
    if (!attempt(job, read_header))
        return load_failure(job, detail);
    status = check_claim(job, detail);
    if (status == FLT_OK)
        status = check_transparency(job, detail);
    if (status != FLT_OK)
        return status;
    if (!attempt(job, choose_samples))
        return load_failure(job, detail);
    status = create_image(job, detail);
    if (status != FLT_OK)
        return status;
    if (!attempt(job, read_rows))
        status = load_failure(job, detail);
    else if (job->indices)
        status = look_up(job, detail);
    if (status == FLT_OK && job->frame.frames > 1)
        flt_remark(detail, "%s is an animation of %lu frames, of which one is read",
                   flt_short_name(job->file->name), (unsigned long)job->frame.frames);
    if (status == FLT_OK)
        status = keep_notes(job) ? flt_orient(job->image, orientation_of(job)) : FLT_NO_MEMORY;
    if (status != FLT_OK)
        flt_image_destroy(job->image);
    return status;
}

enum flt_status flt_load_png(const struct file_bytes *file, struct flt_image *image,
                             struct flt_detail *detail)
{
    struct job job = {.file = file, .image = image};
    job.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job, keep_error, ignore_warning,
                                       &job, allocate, release);
    if (!job.png)
        return FLT_NO_MEMORY;
    job.info = png_create_info_struct(job.png);
    const enum flt_status status = job.info ? load_by_steps(&job, detail) : FLT_NO_MEMORY;
    png_destroy_read_struct(&job.png, &job.info, NULL);
    free(job.indices);
    return status;
}

/* ---- Saving ---- */

static int color_type_of(size_t channels)
{
    static const int types[] = {[1] = PNG_COLOR_TYPE_GRAY,
                                [2] = PNG_COLOR_TYPE_GRAY_ALPHA,
                                [3] = PNG_COLOR_TYPE_RGB,
                                [4] = PNG_COLOR_TYPE_RGB_ALPHA};
    return types[channels];
}

/* Pixels in a metre along an axis that a spacing tells in the units of length there are; 0: it does
 * not. */
static png_uint_32 density_of(const struct flt_image *image, const char *axis)
{
    for (int i = 0; i < image->rank; i++)
        if (strcmp(image->axis[i], axis) == 0) {
            const double density = 1 / flt_metres(image->spacing[i], image->unit[i]);
            return density >= 1 && density < INT32_MAX ? (png_uint_32)(density + 0.5) : 0;
        }
    return 0;
}

/* A profile that libpng does not take is left out: it only warns of it. */
static void put_notes(struct job *job)
{
    const struct flt_image *const image = job->picture->image;
    const png_uint_32 x = density_of(image, "x"), y = density_of(image, "y");
    png_set_benign_errors(job->png, 1);
    if (x > 0 && y > 0)
        png_set_pHYs(job->png, job->info, x, y, PNG_RESOLUTION_METER);
    if (image->profile && image->profile_bytes < INT32_MAX)
        png_set_iCCP(job->png, job->info, "profile", PNG_COMPRESSION_TYPE_BASE, image->profile,
                     (png_uint_32)image->profile_bytes);
    if (job->exif)
        png_set_eXIf_1(job->png, job->info, (png_uint_32)image->exif_bytes, job->exif);
}

static void write_chunks(struct job *job)
{
    struct color_chunk chunk = {.data = NULL};
    while (flt_next_chunk(job->picture->image, &chunk))
        png_write_chunk(job->png, chunk.type, chunk.data, chunk.length);
}

static void write_all(struct job *job)
{
    png_set_user_limits(job->png, largest_extent, largest_extent);
    png_init_io(job->png, job->out);
    png_set_IHDR(job->png, job->info, (png_uint_32)job->picture->columns,
                 (png_uint_32)job->picture->rows, job->stored == FLT_U16 ? 16 : 8,
                 color_type_of(job->picture->channels), PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    put_notes(job);
    png_write_info_before_PLTE(job->png, job->info);
    write_chunks(job);
    png_write_info(job->png, job->info);
    if (job->stored == FLT_U16 && flt_host_is_little())
        png_set_swap(job->png);
    for (size_t y = 0; y < job->picture->rows; y++) {
        flt_picture_row_integers(job->picture, y, job->packed);
        png_write_row(job->png, job->packed);
    }
    png_write_end(job->png, job->info);
}

static enum flt_status save_job(struct job *job, const char *name, struct flt_detail *detail)
{
    job->info = png_create_info_struct(job->png);
    job->packed =
        malloc(job->picture->columns * job->picture->channels * flt_element_bytes(job->stored));
    if (!job->info || !job->packed || !flt_picture_exif(job->picture, &job->exif))
        return FLT_NO_MEMORY;
    if (attempt(job, write_all))
        return FLT_OK;
    if (job->out_of_memory)
        return FLT_NO_MEMORY;
    if (ferror(job->out))
        return FLT_CANNOT_WRITE;
    return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot be written as PNG: %s",
                    flt_short_name(name), job->message);
}

enum flt_status flt_save_png(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    const char *const name = out->name;
    struct picture picture;
    struct job job = {.out = out->stream, .picture = &picture};
    if (!flt_picture_of(image, name, &picture, detail) ||
        !flt_stored_element(&picture, name, &job.stored, detail))
        return FLT_UNSUPPORTED;
    job.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job, keep_error, ignore_warning,
                                        &job, allocate, release);
    if (!job.png)
        return FLT_NO_MEMORY;
    const enum flt_status status = save_job(&job, name, detail);
    free(job.packed);
    free(job.exif);
    png_destroy_write_struct(&job.png, &job.info);
    return status;
}
