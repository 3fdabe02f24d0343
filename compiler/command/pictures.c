/* Matching of image files with the images of a signature. */
#include "command/pictures.h"
#include "diagnostics/suggest.h"

#include <math.h>
#include <strings.h>
#include <unistd.h>

/* enum flt_element and enum scalar list the same types in the same order. */
_Static_assert((int)FLT_BOOL == (int)SCALAR_BOOL && (int)FLT_F64 == (int)SCALAR_F64,
               "element types of runtime and compiler");

static bool fail_memory(struct session *session)
{
    command_error(session, DIAGNOSTIC_E0907, "there is not enough memory");
    return false;
}

/* ---- Element types ---- */

static size_t sample_count(const struct flt_image *image)
{
    size_t count = 1;
    for (int k = 0; k < image->rank; k++)
        count *= (size_t)image->extent[k];
    return count;
}

/* An integer of one type's range as the same fraction of another's. */
static int64_t rescaled(int64_t v, struct interval from, struct interval to)
{
    const double unit =
        ((double)v - (double)from.least) / ((double)from.greatest - (double)from.least);
    return (int64_t)llrint((double)to.least + unit * ((double)to.greatest - (double)to.least));
}

static union value converted(union value v, enum scalar from, enum scalar to)
{
    union value result = {.integer = 0};
    if (scalar_is_float(from) || to == SCALAR_BOOL)
        return to == SCALAR_BOOL ? v : evaluate_convert(CONVERT_EXACT, from, to, v);
    if (scalar_is_float(to)) { /* 0 .. maximum becomes 0 .. 1 */
        const double most = (double)scalar_info[from].interval.greatest;
        if (to == SCALAR_F32)
            result.f32 = (float)((double)v.integer / most);
        else
            result.f64 = (double)v.integer / most;
        return result;
    }
    result.integer = rescaled(v.integer, scalar_info[from].interval, scalar_info[to].interval);
    return result;
}

static bool may_convert(struct command_context *c, const struct picture *p, enum scalar from,
                        enum scalar to)
{
    const char *name = p->stage->name->text;
    if (scalar_is_float(to))
        return true;
    if (scalar_is_float(from)) {
        struct diagnostic *d =
            command_error(c->session, DIAGNOSTIC_E0905, "'%s' holds %s samples, but '%s' takes %s",
                          p->path, scalar_info[from].text, name, scalar_info[to].text);
        COMMAND_HELP(c->session, d,
                     "declare '%s' as image<%s>, and round where integers are wanted: %s(...)",
                     name, scalar_info[from].text, scalar_info[to].text);
        return false;
    }
    if (c->options->rescale || from == SCALAR_BOOL)
        return true;
    struct diagnostic *d =
        command_error(c->session, DIAGNOSTIC_E0905, "'%s' holds %s samples, but '%s' takes %s",
                      p->path, scalar_info[from].text, name, scalar_info[to].text);
    COMMAND_HELP(c->session, d, "--rescale scales them to the range of %s", scalar_info[to].text);
    COMMAND_HELP(c->session, d, "or declare '%s' as image<%s>", name, scalar_info[from].text);
    return false;
}

static bool convert_image(struct command_context *c, struct picture *p)
{
    const enum scalar from = (enum scalar)p->image.element, to = p->stage->element;
    if (from == to)
        return true;
    if (!may_convert(c, p, from, to))
        return false;
    const char *axis[FLT_MAX_RANK];
    for (int k = 0; k < p->image.rank; k++)
        axis[k] = p->image.axis[k];
    struct flt_image image;
    if (flt_image_create(&image, (enum flt_element)to, p->image.rank, axis, p->image.extent) !=
        FLT_OK)
        return fail_memory(c->session);
    const size_t count = sample_count(&image);
    for (size_t i = 0; i < count; i++)
        value_write((char *)image.data + i * scalar_info[to].bytes, to,
                    converted(value_read((char *)p->image.data + i * scalar_info[from].bytes, from),
                              from, to));
    flt_image_destroy(&p->image);
    p->image = image;
    return true;
}

/* ---- Axes ---- */

static int find_axis(const struct flt_image *image, const char *name)
{
    for (int k = 0; k < image->rank; k++)
        if (strcmp(image->axis[k], name) == 0)
            return k;
    return -1;
}

static const char *axes_of_image(struct arena *arena, const struct flt_image *image)
{
    struct text text = text_create(arena);
    for (int k = 0; k < image->rank; k++)
        text_print(&text, "%s%s", k ? ", " : "", image->axis[k]);
    return image->rank ? text.bytes : "";
}

static const char *axes_of_stage(struct arena *arena, const struct stage *stage)
{
    struct text text = text_create(arena);
    for (unsigned k = 0; k < stage->rank; k++)
        text_print(&text, "%s%s", k ? ", " : "", stage->axis[k].name->text);
    return stage->rank ? text.bytes : "";
}

static bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), count = strlen(ending);
    return length > count && strcasecmp(path + length - count, ending) == 0;
}

/* By name; a lone c may be missing (one channel). By position where no name fits, and for arrays,
 * whose axes have no names of their own. */
static bool place_axes(struct command_context *c, struct picture *p)
{
    unsigned missing = 0;
    bool only_channels = true;
    for (unsigned k = 0; k < p->stage->rank; k++) {
        p->place[k] = find_axis(&p->image, p->stage->axis[k].name->text);
        if (p->place[k] >= 0)
            continue;
        missing++;
        only_channels = only_channels && strcmp(p->stage->axis[k].name->text, "c") == 0;
    }
    if (missing == 0 || (only_channels && p->image.rank + 1 == (int)p->stage->rank))
        return true;
    if (p->image.rank == (int)p->stage->rank &&
        (missing == p->stage->rank || has_ending(p->path, ".npy"))) {
        for (unsigned k = 0; k < p->stage->rank; k++) {
            p->place[k] = (int)k;
            snprintf(p->image.axis[k], FLT_AXIS_NAME, "%s", p->stage->axis[k].name->text);
        }
        return true;
    }
    struct arena *arena = c->session->permanent;
    struct diagnostic *d = command_error(
        c->session, DIAGNOSTIC_E0905, "'%s' has axes [%s], but '%s' takes [%s]", p->path,
        axes_of_image(arena, &p->image), p->stage->name->text, axes_of_stage(arena, p->stage));
    COMMAND_HELP(c->session, d, "declare '%s' with axes that the image has", p->stage->name->text);
    return false;
}

static bool is_named(const struct picture *p, int axis)
{
    for (unsigned k = 0; k < p->stage->rank; k++)
        if (p->place[k] == axis)
            return true;
    return false;
}

/* Axes the signature does not name. */
static bool add_mapped(struct session *session, struct pictures *all, struct picture *p)
{
    for (int k = 0; k < p->image.rank; k++) {
        if (is_named(p, k))
            continue;
        int32_t extent = p->image.extent[k];
        if (strcmp(p->image.axis[k], "c") == 0 && has_ending(p->path, ".png") &&
            (extent == 2 || extent == 4)) {
            p->has_alpha = true;
            extent--;
        }
        int m = 0;
        while (m < all->mapped_count && strcmp(all->mapped[m].name, p->image.axis[k]) != 0)
            m++;
        if (m < all->mapped_count && all->mapped[m].extent != extent) {
            command_error(session, DIAGNOSTIC_E0905,
                          "'%s' and another image differ in extent along %s: %d and %d", p->path,
                          p->image.axis[k], (int)extent, (int)all->mapped[m].extent);
            return false;
        }
        if (m < all->mapped_count)
            continue;
        memcpy(all->mapped[m].name, p->image.axis[k], FLT_AXIS_NAME);
        all->mapped[m].extent = extent;
        all->mapped_count++;
    }
    return true;
}

/* ---- Files ---- */

static bool names(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=';
}

/* Whether a word of the command names one of the images. */
static bool names_any(const char *word, size_t count, const char *const name[])
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || names(word, name[i]);
    return any;
}

static const char *named_path(const struct command_context *c, const char *name)
{
    for (size_t i = 1; i < c->options->arguments.count; i++)
        if (names(c->options->arguments.item[i], name))
            return c->options->arguments.item[i] + strlen(name) + 1;
    return NULL;
}

const char *picture_path(const struct command_context *c, size_t count, const char *const name[],
                         size_t index)
{
    const char *own = named_path(c, name[index]);
    size_t position = 0;
    for (size_t i = 0; i < index; i++)
        position += named_path(c, name[i]) == NULL;
    for (size_t i = 1; !own && i < c->options->arguments.count; i++)
        if (!names_any(c->options->arguments.item[i], count, name) && position-- == 0)
            own = c->options->arguments.item[i];
    return own;
}

struct peeked_image {
    const char *path;
    struct flt_image image;
};

static bool load_image(struct command_context *c, const char *path, struct flt_image *image)
{
    struct flt_detail detail;
    for (size_t i = 0; i < c->peeked.count; i++)
        if (strcmp(c->peeked.item[i].path, path) == 0) {
            *image = c->peeked.item[i].image;
            c->peeked.item[i] = c->peeked.item[--c->peeked.count];
            return true;
        }
    if (flt_image_load(path, image, &detail) == FLT_OK)
        return true;
    command_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text);
    return false;
}

const struct flt_image *picture_peek(struct command_context *c, const char *path)
{
    struct peeked_image peeked = {.path = path};
    if (!load_image(c, path, &peeked.image))
        return NULL;
    VECTOR_PUSH(c->session->permanent, &c->peeked, peeked);
    return &c->peeked.item[c->peeked.count - 1].image;
}

static size_t input_count(const struct graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->stages.count; i++)
        count += graph->stages.item[i]->kind == STAGE_INPUT;
    return count;
}

/* "c=a.png", where no image is called c and no file is there. */
static bool names_no_image(struct command_context *c, const struct graph *graph, const char *word)
{
    const size_t length = strcspn(word, "=");
    struct arena *arena = c->session->permanent;
    if (!word[length] || strchr(word, '/') || access(word, F_OK) == 0)
        return false;
    const char *name = arena_text(arena, word, length);
    struct suggestion near = {0};
    struct text names = text_create(arena);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->kind != STAGE_INPUT)
            continue;
        if (strcmp(stage->name->text, name) == 0)
            return false;
        suggest_consider(&near, name, stage->name->text);
        text_print(&names, "%s%s", names.length ? ", " : "", stage->name->text);
    }
    struct diagnostic *d = command_error(c->session, DIAGNOSTIC_E0903, "'%s' has no image '%s'",
                                         graph->name->text, name);
    if (near.best)
        COMMAND_HELP(c->session, d, "write %s%s", near.best, word + length);
    else
        diagnostic_note(&c->session->diagnostics, d, "it has %s", names.bytes);
    return true;
}

bool pictures_choose(struct command_context *c, const struct graph *graph, struct pictures *p)
{
    const size_t inputs = input_count(graph);
    const char *name[MOST_PICTURES];
    *p = (struct pictures){0};
    if (inputs > MOST_PICTURES) {
        command_error(c->session, DIAGNOSTIC_E0905,
                      "a filter run on files takes at most %d images, but '%s' takes %zu",
                      MOST_PICTURES, graph->name->text, inputs);
        return false;
    }
    if (c->options->arguments.count > inputs + 1) {
        command_error(c->session, DIAGNOSTIC_E0903, "'%s' takes %zu image%s, but %zu are given",
                      graph->name->text, inputs, inputs == 1 ? "" : "s",
                      c->options->arguments.count - 1);
        return false;
    }
    for (size_t i = 1; i < c->options->arguments.count; i++)
        if (names_no_image(c, graph, c->options->arguments.item[i]))
            return false;
    for (size_t i = 0; i < graph->stages.count; i++) {
        if (graph->stages.item[i]->kind != STAGE_INPUT)
            continue;
        name[p->count] = graph->stages.item[i]->name->text;
        p->item[p->count++].stage = graph->stages.item[i];
    }
    for (size_t i = 0; i < inputs; i++) {
        struct picture *picture = &p->item[i];
        const struct stage *stage = picture->stage;
        picture->path = picture_path(c, inputs, name, i);
        if (!picture->path) {
            struct diagnostic *d = command_error(c->session, DIAGNOSTIC_E0903,
                                                 "no file is given for the image '%s' of '%s'",
                                                 stage->name->text, graph->name->text);
            COMMAND_HELP(c->session, d, "write its file behind %s, alone or as %s=FILE",
                         c->options->arguments.item[0], stage->name->text);
            return false;
        }
    }
    return true;
}

bool pictures_load(struct command_context *c, struct pictures *p)
{
    for (size_t i = 0; i < p->count; i++) {
        struct picture *picture = &p->item[i];
        if (!load_image(c, picture->path, &picture->image) || !convert_image(c, picture) ||
            !place_axes(c, picture) || !add_mapped(c->session, p, picture))
            return false;
    }
    return true;
}

void pictures_free(struct command_context *c, struct pictures *p)
{
    for (size_t i = 0; i < c->peeked.count; i++) /* of a run that came to nothing */
        flt_image_destroy(&c->peeked.item[i].image);
    c->peeked.count = 0;
    for (size_t i = 0; i < p->count; i++)
        flt_image_destroy(&p->item[i].image);
}

/* ---- Slices ---- */

int picture_mapped_axis(const struct picture *picture, const char *name)
{
    const int axis = find_axis(&picture->image, name);
    return axis >= 0 && !is_named(picture, axis) ? axis : -1;
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
        extent[k] = picture->place[k] < 0 ? 1 : picture->image.extent[picture->place[k]];
        stride[k] = picture->place[k] < 0 ? 1 : picture->image.stride[picture->place[k]];
    }
    *data = start;
}

/* The axes of a result: those of the first picture that has mapped axes, the named ones replaced. */
static int result_axes(const struct pictures *p, const struct stage *result,
                       int axis[FLT_MAX_RANK]) /* axis of the result, or -1 - mapped axis */
{
    const struct picture *pattern = NULL;
    for (size_t i = 0; i < p->count && !pattern; i++)
        for (int k = 0; k < p->item[i].image.rank; k++)
            if (!is_named(&p->item[i], k))
                pattern = &p->item[i];
    int count = 0, next = 0, slots = 0;
    const int rank = (int)result->rank;
    for (int k = 0; pattern && k < pattern->image.rank; k++)
        slots += is_named(pattern, k);
    for (int k = 0; pattern && k < pattern->image.rank; k++) {
        if (is_named(pattern, k)) {
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
    return count;
}

bool pictures_result(struct session *session, const struct pictures *p, const struct stage *result,
                     const int32_t extent[], struct flt_image *image)
{
    int axis[FLT_MAX_RANK];
    const int rank = result_axes(p, result, axis);
    const char *name[FLT_MAX_RANK];
    int32_t size[FLT_MAX_RANK];
    for (int k = 0; k < rank; k++) {
        name[k] = axis[k] >= 0 ? result->axis[axis[k]].name->text : p->mapped[-1 - axis[k]].name;
        size[k] = axis[k] >= 0 ? extent[axis[k]] : p->mapped[-1 - axis[k]].extent;
    }
    const enum flt_element element = result->element == SCALAR_EXTENDED
                                         ? FLT_F64 /* no file holds more */
                                         : (enum flt_element)result->element;
    const enum flt_status status = flt_image_create(image, element, rank, name, size);
    if (status == FLT_OK)
        return true;
    command_error(session, DIAGNOSTIC_E0907, "the result cannot be made: %s",
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

static const struct picture *alpha_picture(const struct pictures *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].has_alpha)
            return &p->item[i];
    return NULL;
}

bool pictures_add_alpha(struct session *session, const struct pictures *p, struct flt_image *image)
{
    const struct picture *source = alpha_picture(p);
    if (!source)
        return true;
    const int c = find_axis(image, "c"), from_c = find_axis(&source->image, "c");
    bool same = c == image->rank - 1 && image->rank == source->image.rank &&
                from_c == source->image.rank - 1 && image->element == source->image.element;
    for (int k = 0; same && k + 1 < image->rank; k++)
        same = image->extent[k] == source->image.extent[k];
    if (!same) {
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_W0901, (struct span){0, 0},
                          source->path);
        return true;
    }
    struct flt_image wide;
    const char *axis[FLT_MAX_RANK];
    int32_t extent[FLT_MAX_RANK];
    for (int k = 0; k < image->rank; k++) {
        axis[k] = image->axis[k];
        extent[k] = image->extent[k] + (k == c);
    }
    if (flt_image_create(&wide, image->element, image->rank, axis, extent) != FLT_OK)
        return fail_memory(session);
    const size_t bytes = flt_element_bytes(image->element);
    const size_t channels = (size_t)image->extent[c], count = sample_count(image) / channels;
    const size_t from_channels = (size_t)source->image.extent[from_c];
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)wide.data + i * (channels + 1) * bytes,
               (char *)image->data + i * channels * bytes, channels * bytes);
        memcpy((char *)wide.data + (i * (channels + 1) + channels) * bytes,
               (char *)source->image.data + ((i + 1) * from_channels - 1) * bytes, bytes);
    }
    flt_image_destroy(image);
    *image = wide;
    return true;
}
