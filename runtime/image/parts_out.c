/* Writing of parts of images to their places in a file. All that is not samples is written first,
 * by the codec. */
#include "image/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 17 /* samples that are converted at once */, LARGEST_SAMPLE = 8 };

/* ---- Beginning ---- */

bool flt_parts_can_create(const char *path, const struct flt_save_options *options)
{
    return path && strcmp(path, "-") != 0 && flt_place_for(path, options) &&
           !flt_replace_is_direct(path);
}

enum flt_status flt_place_packed(struct flt_parts_out *out, size_t bytes)
{
    struct flt_image ordered = out->image;
    const off_t start = ftello(out->replacement.stream);
    uint64_t count;
    if (start < 0 || !flt_count_samples(ordered.rank, ordered.extent, &count))
        return FLT_CANNOT_WRITE;
    for (int i = 0; i < ordered.rank; i++)
        ordered.extent[i] = out->image.extent[out->order[i]];
    out->bytes = bytes;
    out->placement = flt_packed_placement(&ordered, bytes, (uint64_t)start);
    out->length = (uint64_t)start + count * bytes;
    return FLT_OK;
}

/* All but the samples, and room for them: the file has its length. */
static enum flt_status begin(const char *path, const struct flt_save_options *options,
                             struct flt_parts_out *out, struct flt_detail *detail)
{
    struct flt_replacement *const r = &out->replacement;
    if (!flt_replace_begin(path, r))
        return flt_cannot_write(path, r->reason, detail);
    enum flt_status status = flt_place_for(path, options)(out, detail);
    if (status == FLT_OK &&
        (fflush(r->stream) != 0 || ftruncate(fileno(r->stream), (off_t)out->length) != 0))
        status = FLT_CANNOT_WRITE;
    if (status == FLT_CANNOT_WRITE)
        status = flt_cannot_write(path, NULL, detail);
    if (status == FLT_NO_MEMORY)
        flt_fail(status, detail, "there is not enough memory to write %s", flt_short_name(path));
    if (status != FLT_OK)
        flt_replace_discard(r);
    return status;
}

static enum flt_status check_options(const char *path, const struct flt_image *image,
                                     const struct flt_save_options *options,
                                     struct flt_detail *detail)
{
    if (!flt_parts_can_create(path, options))
        return flt_fail(FLT_UNSUPPORTED, detail, "%s cannot be written by place",
                        flt_short_name(path));
    if (!options || !options->depth)
        return FLT_OK;
    if (options->depth != 8 && options->depth != 16)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "the depth of samples is 8 or 16 bits, not %d",
                        options->depth);
    if (!flt_image_takes_depth(path, options))
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold samples of %d bits: save as .png, .tif, .pgm or .ppm",
                        flt_short_name(path), options->depth);
    return flt_check_depth(image, path, options->depth, detail);
}

enum flt_status flt_parts_create(const char *path, const struct flt_image *image,
                                 const struct flt_save_options *options, struct flt_parts_out **out,
                                 struct flt_detail *detail)
{
    uint64_t count;
    if (detail)
        detail->text[0] = '\0';
    if (!out)
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no writer was given to open");
    *out = NULL;
    if (!path || !image || flt_element_bytes(image->element) == 0 || image->rank < 0 ||
        image->rank > FLT_MAX_RANK || !flt_count_samples(image->rank, image->extent, &count))
        return flt_fail(FLT_BAD_ARGUMENT, detail, "no path or no valid image was given to save");
    enum flt_status status = check_options(path, image, options, detail);
    if (status != FLT_OK)
        return status;
    struct flt_parts_out *const made = malloc(sizeof *made + strlen(path) + 1);
    if (!made)
        return flt_fail(FLT_NO_MEMORY, detail, "there is not enough memory to write %s",
                        flt_short_name(path));
    *made = (struct flt_parts_out){.image = *image, .given = image->element};
    made->name = strcpy((char *)(made + 1), path);
    made->image.data = NULL;
    if (options && options->depth) {
        made->depth = options->depth;
        made->image.element = options->depth == 8 ? FLT_U8 : FLT_U16;
    }
    for (int i = 0; i < FLT_MAX_RANK; i++)
        made->order[i] = i;
    status = begin(path, options, made, detail);
    /* They are the caller's, and written. */
    made->image.exif = made->image.profile = made->image.chunks = NULL;
    if (status == FLT_OK)
        *out = made;
    else
        free(made);
    return status;
}

/* ---- Writing ---- */

static bool write_at(const struct flt_parts_out *out, uint64_t at, const void *from, size_t bytes)
{
    const int file = fileno(out->replacement.stream);
    for (size_t done = 0; done < bytes;) {
        const ssize_t put =
            pwrite(file, (const char *)from + done, bytes - done, (off_t)(at + done));
        if (put < 0 && errno != EINTR)
            return false;
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Room for a chunk as it is given, of the depth, and as in the file. */
struct room {
    void *given, *converted, *encoded;
};

/* Samples of parts, at most a chunk where they are not written as they are. */
static bool put_samples(const struct flt_parts_out *out, const struct room *room, uint64_t at,
                        const void *samples, size_t count)
{
    if (out->depth) {
        flt_depth_samples(out->given, samples, count, out->depth == 8 ? 255 : 65535,
                          room->converted);
        samples = room->converted;
    }
    if (out->encode) {
        out->encode(out, samples, count, room->encoded);
        samples = room->encoded;
    }
    return write_at(out, at, samples, count * out->bytes);
}

/* The samples of a view, which follow one another in the file from `at` on. */
static bool put_run(const struct flt_parts_out *out, const struct room *room, uint64_t at,
                    const struct flt_image *run, size_t count)
{
    const size_t size = flt_element_bytes(out->given);
    if (flt_is_packed(run)) {
        const size_t most = out->depth || out->encode ? CHUNK : count;
        for (size_t i = 0; i < count; i += most)
            if (!put_samples(out, room, at + i * out->bytes, (char *)run->data + i * size,
                             count - i < most ? count - i : most))
                return false;
        return true;
    }
    const size_t row = (size_t)run->extent[run->rank - 1];
    const uint64_t rows = flt_row_count(run), at_once = row < CHUNK ? CHUNK / row : 1;
    for (uint64_t i = 0; i < rows; i += at_once, at += at_once * row * out->bytes) {
        const uint64_t taken = rows - i < at_once ? rows - i : at_once;
        for (uint64_t k = 0; k < taken; k++)
            flt_pack_row(run, i + k, (char *)room->given + k * row * size);
        if (!put_samples(out, room, at, room->given, (size_t)taken * row))
            return false;
    }
    return true;
}

/* The part with its axes as in the file, and where they begin. */
static struct flt_image in_order(const struct flt_parts_out *out, const int32_t first[],
                                 const struct flt_image *part, int32_t ordered[])
{
    struct flt_image view = *part;
    for (int i = 0; i < view.rank; i++) {
        view.extent[i] = part->extent[out->order[i]];
        view.stride[i] = part->stride[out->order[i]];
        ordered[i] = first[out->order[i]];
    }
    return view;
}

/* Runs of samples that follow one another in the file: of all places from axis `at` on. */
static bool put_runs(const struct flt_parts_out *out, const struct room *room,
                     const int32_t first[], const struct flt_image *view)
{
    int axis = view->rank - 1;
    while (axis > out->placement.packed &&
           view->extent[axis] == out->image.extent[out->order[axis]])
        axis--;
    axis = axis < 0 ? 0 : axis;
    struct flt_image run = *view;
    uint64_t runs = 1, start = out->placement.start;
    size_t count = 1;
    run.rank = view->rank - axis;
    for (int i = 0; i < view->rank; i++) {
        start += (uint64_t)(out->placement.step[i] * first[i]);
        if (i < axis)
            runs *= (uint64_t)view->extent[i];
        else
            count *= (size_t)view->extent[i];
    }
    for (int i = 0; i < run.rank; i++) {
        run.extent[i] = view->extent[axis + i];
        run.stride[i] = view->stride[axis + i];
    }
    for (uint64_t k = 0; k < runs; k++) {
        uint64_t rest = k, at = start;
        ptrdiff_t offset = 0;
        for (int i = axis - 1; i >= 0; i--) {
            const int64_t place = (int64_t)(rest % (uint64_t)view->extent[i]);
            at += (uint64_t)(out->placement.step[i] * place);
            offset += view->stride[i] * place;
            rest /= (uint64_t)view->extent[i];
        }
        run.data = (char *)view->data + offset * (ptrdiff_t)flt_element_bytes(out->given);
        if (!put_run(out, room, at, &run, count))
            return false;
    }
    return true;
}

static bool is_part(const struct flt_parts_out *out, const int32_t first[],
                    const struct flt_image *part)
{
    if (!part || !part->data || part->rank != out->image.rank || part->element != out->given ||
        (part->rank > 0 && !first))
        return false;
    for (int i = 0; i < part->rank; i++)
        if (first[i] < 0 || part->extent[i] < 1 ||
            first[i] > out->image.extent[i] - part->extent[i])
            return false;
    return true;
}

enum flt_status flt_parts_write(struct flt_parts_out *out, const int32_t first[],
                                const struct flt_image *part, struct flt_detail *detail)
{
    int32_t ordered[FLT_MAX_RANK];
    if (!out || !is_part(out, first, part))
        return flt_fail(FLT_BAD_ARGUMENT, detail, "the part is not one of the image");
    const struct flt_image view = in_order(out, first, part, ordered);
    const size_t row = view.rank > 0 ? (size_t)view.extent[view.rank - 1] : 1,
                 chunk = row > CHUNK ? row : CHUNK;
    const bool is_strided = !flt_is_packed(&view);
    struct room room = {
        .given = is_strided ? malloc(chunk * flt_element_bytes(out->given)) : NULL,
        .converted = out->depth ? malloc(chunk * sizeof(uint16_t)) : NULL,
        .encoded = out->encode ? malloc(chunk * LARGEST_SAMPLE) : NULL,
    };
    enum flt_status status = FLT_OK;
    if ((is_strided && !room.given) || (out->depth && !room.converted) ||
        (out->encode && !room.encoded))
        status = flt_fail(FLT_NO_MEMORY, detail, "there is not enough memory to write %s",
                          flt_short_name(out->name));
    else if (!put_runs(out, &room, ordered, &view))
        status = flt_cannot_write(out->name, NULL, detail);
    free(room.given);
    free(room.converted);
    free(room.encoded);
    return status;
}

/* ---- Ending ---- */

enum flt_status flt_parts_finish(struct flt_parts_out *out, struct flt_detail *detail)
{
    struct flt_replacement *const r = &out->replacement;
    enum flt_status status = FLT_OK;
    if (!flt_replace_close(r) || !flt_replace_finish(r))
        status = flt_cannot_write(out->name, r->reason, detail);
    flt_parts_discard(out);
    return status;
}

void flt_parts_discard(struct flt_parts_out *out)
{
    if (!out)
        return;
    flt_replace_discard(&out->replacement);
    free(out);
}
