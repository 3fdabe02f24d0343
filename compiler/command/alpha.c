#include "command/alpha.h"
#include "command/conversion.h"

static const struct picture *alpha_picture(const struct pictures *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].image.has_alpha)
            return &p->item[i];
    return NULL;
}

/* Channels of an image with axes y, x or y, x, c: as a rule the last axis is c. */
static int32_t channels_of(const struct flt_image *image)
{
    return picture_find_axis(image, "c") == image->rank - 1 ? image->extent[image->rank - 1] : 1;
}

/* Whether the two are alike but for their channels. */
static bool is_alike(const struct flt_image *image, const struct flt_image *source)
{
    const int c = picture_find_axis(image, "c");
    const int rank = c < 0 ? image->rank : image->rank - 1;
    bool same = (c < 0 || c == image->rank - 1) && rank == source->rank - 1;
    for (int k = 0; same && k < rank; k++)
        same =
            image->extent[k] == source->extent[k] && strcmp(image->axis[k], source->axis[k]) == 0;
    return same;
}

/* The image with one channel more: the source's last. */
static bool add_channel(struct flt_image *image, const struct flt_image *source)
{
    struct flt_image wide;
    const char *axis[FLT_MAX_RANK];
    int32_t extent[FLT_MAX_RANK];
    const size_t channels = (size_t)channels_of(image);
    const int rank = source->rank;
    for (int k = 0; k < rank; k++) {
        axis[k] = source->axis[k];
        extent[k] = k == rank - 1 ? (int32_t)channels + 1 : image->extent[k];
    }
    if (flt_image_create(&wide, image->element, rank, axis, extent) != FLT_OK)
        return false;
    const enum scalar from = (enum scalar)source->element, to = (enum scalar)image->element;
    const size_t bytes = flt_element_bytes(image->element), count = image_samples(image) / channels;
    const size_t from_bytes = flt_element_bytes(source->element);
    const size_t from_channels = (size_t)source->extent[rank - 1];
    for (size_t i = 0; i < count; i++) {
        char *pixel = (char *)wide.data + i * (channels + 1) * bytes;
        const char *alpha = (char *)source->data + ((i + 1) * from_channels - 1) * from_bytes;
        memcpy(pixel, (char *)image->data + i * channels * bytes, channels * bytes);
        value_write(pixel + channels * bytes, to,
                    convert_sample(value_read(alpha, from), from, to));
    }
    flt_image_keep(&wide, image);
    flt_image_destroy(image);
    *image = wide;
    image->has_alpha = true;
    return true;
}

bool alpha_add(struct command_context *c, const struct pictures *p, bool takes_alpha,
               struct flt_image *image)
{
    const struct picture *source = alpha_picture(p);
    if (!source)
        return true;
    const int32_t channels = channels_of(image);
    const bool alike = is_alike(image, &source->image);
    if (!source->keeps_alpha) {
        image->has_alpha = alike && channels == source->image.extent[source->image.rank - 1];
        return true;
    }
    if (alike && (channels == 1 || channels == 3) && takes_alpha &&
        scalar_info[image->element].class != CLASS_BOOL) {
        if (add_channel(image, &source->image))
            return true;
        session_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
        return false;
    }
    return diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_W0901, (struct span){0, 0},
                             source->path)
               ->severity != SEVERITY_ERROR;
}
