/* Pictures and results slice by slice, over the axes that the filter does not name. */
#include "command/pictures.h"

/* The axis of the image that a mapped axis is, or -1: then the image is the same in all
 * slices. */
static int picture_mapped_axis(const struct picture *picture, const char *name)
{
    const int axis = picture_find_axis(&picture->image, name);
    return axis >= 0 && !picture_names(picture, axis) ? axis : -1;
}

void picture_slice(const struct pictures *p, const struct picture *picture, const int32_t at[],
                   void **data, int32_t extent[], ptrdiff_t stride[])
{
    char *start = picture->image.data;
    const ptrdiff_t bytes = (ptrdiff_t)flt_element_bytes(picture->image.element);
    for (int m = 0; m < p->mapped_count; m++) {
        const int axis = picture_mapped_axis(picture, p->mapped[m].name);
        if (axis >= 0)
            start += at[m] * picture->image.stride[axis] * bytes;
    }
    for (unsigned k = 0; k < picture->stage->rank; k++) {
        extent[k] = picture->place[k] < 0 ? 1 : picture_extent(picture, picture->place[k]);
        stride[k] = picture->place[k] < 0 ? 1 : picture->image.stride[picture->place[k]];
    }
    *data = start;
}

/* The parts of complex samples stand behind mapped axes too. */
static void parts_last(const struct stage *result, int count, int axis[])
{
    const int parts = (int)result->rank - 1;
    if (!stage_is_complex(result))
        return;
    int k = 0;
    while (k < count && axis[k] != parts)
        k++;
    if (k == count)
        return;
    for (; k + 1 < count; k++)
        axis[k] = axis[k + 1];
    axis[count - 1] = parts;
}

int result_axes(const struct pictures *p, const struct stage *result, int axis[FLT_MAX_RANK])
{
    const struct picture *pattern = NULL;
    for (size_t i = 0; i < p->count && !pattern; i++)
        for (int k = 0; k < p->item[i].image.rank; k++)
            if (!picture_names(&p->item[i], k))
                pattern = &p->item[i];
    int count = 0, next = 0, slots = 0;
    const int rank = (int)result->rank;
    for (int k = 0; pattern && k < pattern->image.rank; k++)
        slots += picture_names(pattern, k);
    for (int k = 0; pattern && k < pattern->image.rank; k++) {
        if (picture_names(pattern, k)) {
            const int until = --slots == 0 ? rank : next < rank ? next + 1 : rank;
            while (next < until && count < FLT_MAX_RANK)
                axis[count++] = next++;
            continue;
        }
        for (int m = 0; m < p->mapped_count; m++)
            if (strcmp(p->mapped[m].name, pattern->image.axis[k]) == 0 && count < FLT_MAX_RANK)
                axis[count++] = -1 - m;
    }
    while (next < rank && count < FLT_MAX_RANK)
        axis[count++] = next++;
    for (int m = 0; m < p->mapped_count; m++) { /* mapped axes that only other pictures have */
        bool placed = false;
        for (int k = 0; k < count; k++)
            placed = placed || axis[k] == -1 - m;
        if (!placed && count < FLT_MAX_RANK)
            axis[count++] = -1 - m;
    }
    parts_last(result, count, axis);
    return count;
}

struct flt_image pictures_result_form(const struct pictures *p, const struct stage *result,
                                      const int32_t extent[])
{
    int axis[FLT_MAX_RANK];
    ptrdiff_t stride = 1;
    struct flt_image form = {.rank = result_axes(p, result, axis)};
    form.element = result->element == SCALAR_EXTENDED ? FLT_F64 /* no file holds more */
                                                      : (enum flt_element)result->element;
    for (int k = form.rank - 1; k >= 0; k--) {
        const struct mapped *mapped = axis[k] >= 0 ? NULL : &p->mapped[-1 - axis[k]];
        snprintf(form.axis[k], FLT_AXIS_NAME, "%s",
                 mapped ? mapped->name : result->axis[axis[k]].name->text);
        form.extent[k] = mapped ? mapped->extent : extent[axis[k]];
        form.stride[k] = stride;
        stride *= form.extent[k];
    }
    return form;
}

bool pictures_result(struct session *session, const struct pictures *p, const struct stage *result,
                     const int32_t extent[], struct flt_image *image)
{
    const struct flt_image form = pictures_result_form(p, result, extent);
    const char *name[FLT_MAX_RANK];
    for (int k = 0; k < form.rank; k++)
        name[k] = form.axis[k];
    const enum flt_status status =
        flt_image_create(image, form.element, form.rank, name, form.extent);
    if (status == FLT_OK)
        return true;
    session_error(session, DIAGNOSTIC_E0907, "the result cannot be made: %s",
                  flt_status_text(status));
    return false;
}

void result_slice(const struct pictures *p, const struct stage *result,
                  const struct flt_image *image, const int32_t at[], void **data,
                  ptrdiff_t stride[])
{
    int axis[FLT_MAX_RANK];
    const int rank = result_axes(p, result, axis);
    char *start = image->data;
    for (int k = 0; k < rank; k++) {
        if (axis[k] >= 0)
            stride[axis[k]] = image->stride[k];
        else
            start +=
                at[-1 - axis[k]] * image->stride[k] * (ptrdiff_t)flt_element_bytes(image->element);
    }
    *data = start;
}
