/* The axes of the pages of a TIFF, how far apart its samples are, and pages without directories. */
#include "image/tiff_stack.h"

#include <stdlib.h>
#include <string.h>

/* Of x and y in pixels, by the tags of TIFF, where no description tells it. */
static void take_resolution(const struct tiff_notes *notes, struct stack *stack)
{
    static const char *const units[] = {[2] = "inch", [3] = "cm"};
    if (notes->unit < 2 || notes->unit > 3)
        return;
    for (int i = 0; i < 2; i++) {
        struct spacing *const spacing = i ? &stack->y : &stack->x;
        if (spacing->distance > 0 || !(notes->per_unit[i] > 0))
            continue;
        spacing->distance = 1 / notes->per_unit[i];
        flt_set_unit(spacing, units[notes->unit], strlen(units[notes->unit]));
    }
}

static void set_plain(const struct stack_pages *pages, struct stack *stack)
{
    stack->is_plain = pages->count > 1;
    if (stack->is_plain)
        stack->axis[stack->rank++] = (struct stack_axis){'z', pages->count};
}

void tiff_free_stack(struct stack *stack)
{
    free(stack->place);
    free(stack->profile);
    *stack = (struct stack){.rank = 0};
}

void tiff_plain_stack(const struct stack_pages *pages, struct stack *stack)
{
    tiff_free_stack(stack);
    set_plain(pages, stack);
}

/* What the notes say. */
static enum flt_status take_notes(struct tiff_notes *notes, const struct stack_pages *pages,
                                  struct stack *stack, struct flt_detail *detail)
{
    enum flt_status status = FLT_OK;
    if (flt_is_ome(notes))
        status = flt_ome_stack(notes, pages, stack, detail);
    else if (flt_is_imagej(notes))
        status = flt_imagej_stack(notes, pages, stack, detail);
    if (status != FLT_OK)
        return status;
    take_resolution(notes, stack);
    if (pages->has_own_colors) {
        stack->profile = notes->profile;
        stack->profile_length = notes->profile_length;
        notes->profile = NULL;
    }
    return FLT_OK;
}

enum flt_status tiff_understand_stack(const struct file_bytes *file,
                                      const struct stack_pages *pages, struct stack *stack,
                                      struct flt_detail *detail)
{
    struct tiff_notes notes;
    *stack = (struct stack){.rank = 0};
    const bool good = tiff_read_notes(file, &notes);
    const enum flt_status status = good ? take_notes(&notes, pages, stack, detail) : FLT_NO_MEMORY;
    free(notes.description);
    free(notes.profile);
    if (status != FLT_OK)
        return status;
    if (!stack->z.unit[0])
        memcpy(stack->z.unit, stack->x.unit, FLT_UNIT_NAME);
    if (stack->rank == 0 && !stack->place)
        set_plain(pages, stack);
    for (int i = 0; i < stack->rank && pages->channels > 1; i++)
        if (stack->axis[i].name == 'c')
            return flt_fail(FLT_UNSUPPORTED, detail,
                            "%s has channels both as pages and in each pixel: save each as a page",
                            flt_short_name(file->name));
    return FLT_OK;
}

static void set_spacing(struct flt_image *image, const char *axis, const struct spacing *spacing)
{
    for (int i = 0; i < image->rank; i++) {
        if (strcmp(image->axis[i], axis) != 0 || !(spacing->distance > 0))
            continue;
        image->spacing[i] = spacing->distance;
        memcpy(image->unit[i], spacing->unit, FLT_UNIT_NAME);
    }
}

enum flt_status tiff_form_image(const struct tiff_page *page, const struct stack *stack,
                                struct flt_image *image)
{
    char name[STACK_AXES][2] = {""};
    const char *axis[STACK_AXES + 3];
    int32_t extent[STACK_AXES + 3];
    int rank = 0;
    for (; rank < stack->rank; rank++) {
        name[rank][0] = stack->axis[rank].name;
        axis[rank] = name[rank];
        extent[rank] = stack->axis[rank].extent;
    }
    axis[rank] = "y";
    extent[rank++] = (int32_t)page->rows;
    axis[rank] = "x";
    extent[rank++] = (int32_t)page->columns;
    if (page->channels > 1) {
        axis[rank] = "c";
        extent[rank++] = (int32_t)page->channels;
    }
    const enum flt_status status = flt_image_form(image, page->element, rank, axis, extent);
    if (status != FLT_OK)
        return status;
    image->has_alpha = page->has_alpha;
    image->has_plain_pages = stack->is_plain;
    set_spacing(image, "t", &stack->t);
    set_spacing(image, "z", &stack->z);
    set_spacing(image, "y", &stack->y);
    set_spacing(image, "x", &stack->x);
    if (!stack->profile || flt_set_block(&image->profile, &image->profile_bytes, stack->profile,
                                         stack->profile_length))
        return FLT_OK;
    flt_image_destroy(image);
    return FLT_NO_MEMORY;
}

/* ---- Pages without directories ---- */

uint64_t tiff_page_bytes(const struct tiff_page *page)
{
    return (uint64_t)page->rows * page->columns * page->channels * flt_element_bytes(page->element);
}

uint64_t tiff_samples_at(TIFF *tiff, const struct tiff_page *page)
{
    const bool plain = page->compression == COMPRESSION_NONE && !page->tiled &&
                       page->treatment == TREAT_COPY && page->colors == COLORS_PLAIN &&
                       (page->samples == 1 || page->planar == PLANARCONFIG_CONTIG);
    if (!plain)
        return 0;
    const uint64_t start = TIFFGetStrileOffset(tiff, 0);
    uint64_t end = start;
    const uint32_t strips = TIFFNumberOfStrips(tiff);
    for (uint32_t i = 0; i < strips; i++) {
        if (TIFFGetStrileOffset(tiff, i) != end)
            return 0;
        end += TIFFGetStrileByteCount(tiff, i);
    }
    return end - start >= tiff_page_bytes(page) ? start : 0;
}

uint64_t tiff_stack_pages(const struct stack *stack)
{
    uint64_t pages = 1;
    for (int i = 0; i < stack->rank; i++)
        pages *= (uint64_t)stack->axis[i].extent;
    return pages;
}

enum flt_status tiff_check_headless(TIFF *tiff, const struct tiff_source *source,
                                    const struct tiff_page *page, const struct stack *stack,
                                    struct flt_detail *detail)
{
    const uint64_t start = tiff_samples_at(tiff, page), pages = tiff_stack_pages(stack);
    const uint64_t length = source->file->length;
    const uint64_t held =
        start > 0 && start < length ? (length - start) / tiff_page_bytes(page) : 1;
    if (held >= pages)
        return FLT_OK;
    return flt_fail(FLT_CORRUPT, detail,
                    "%s says by ImageJ that it has %llu images, but has %llu: save it anew, or "
                    "without its description",
                    flt_short_name(source->file->name), (unsigned long long)pages,
                    (unsigned long long)(held > 0 ? held : 1));
}

void tiff_read_headless(TIFF *tiff, const struct tiff_source *source, const struct tiff_page *page,
                        const struct stack *stack, void *out)
{
    const size_t size = flt_element_bytes(page->element);
    const uint64_t bytes = tiff_stack_pages(stack) * tiff_page_bytes(page);
    flt_bytes_at(source->file, tiff_samples_at(tiff, page), out, bytes);
    if ((source->start[0] == 'I') != flt_host_is_little())
        flt_swap_bytes(out, bytes / size, size);
}
