/* Matching of image files with the images of a signature. */
#include "command/pictures.h"
#include "command/adaptive_files.h"
#include "command/conversion.h"
#include "command/stack_files.h"
#include "interpret/interpret.h"

#include <strings.h>
#include <sys/stat.h>

/* ---- Complex samples ---- */

/* What a file holds, for a person: "1 channel of u8". */
static const char *samples_text(struct arena *arena, const struct flt_image *image)
{
    const int c = picture_find_axis(image, "c");
    const int channels = c < 0 ? 1 : image->extent[c];
    const char *name = flt_element_name(image->element);
    return arena_format(arena, "%d channel%s of %s%s", channels, channels == 1 ? "" : "s", name,
                        image->has_alpha ? ", the last one alpha" : "");
}

/* Most files do not tell complex samples from two channels of floats: the image that takes them
 * does. */
static bool take_parts(struct command_context *c, struct picture *p)
{
    struct flt_image *image = &p->image;
    const int last = image->rank - 1;
    const bool wants = stage_is_complex(p->stage);
    if (wants && last >= 0 && strcmp(image->axis[last], "c") == 0 && image->extent[last] == 2 &&
        scalar_is_float((enum scalar)image->element) && !image->has_alpha)
        snprintf(image->axis[last], FLT_AXIS_NAME, "%s", FLT_COMPLEX_AXIS);
    if (wants == flt_image_is_complex(image))
        return true;
    const char *name = p->stage->name->text;
    struct diagnostic *d =
        session_error(c->session, DIAGNOSTIC_E0905, "'%s' holds %s samples, but '%s' takes %s ones",
                      p->path, wants ? "real" : "complex", name, wants ? "complex" : "real");
    if (wants) {
        diagnostic_note(&c->session->diagnostics, d, "it has %s",
                        samples_text(c->session->permanent, image));
        COMMAND_HELP(c->session, d,
                     "give an NPY file of complex numbers, or a TIFF of two channels of floats, "
                     "real and imaginary parts; or declare '%s' as image<%s>",
                     name, scalar_info[p->stage->element].text);
    } else {
        COMMAND_HELP(c->session, d,
                     "declare '%s' as image<%s>, and take re(...), im(...) or abs(...)", name,
                     image->element == FLT_F64 ? "c64" : "c32");
    }
    return false;
}

/* ---- Element types ---- */

static bool may_convert(struct command_context *c, const struct picture *p, enum scalar from,
                        enum scalar to)
{
    const char *name = p->stage->name->text;
    if (scalar_is_float(to))
        return true;
    if (scalar_is_float(from)) {
        struct diagnostic *d =
            session_error(c->session, DIAGNOSTIC_E0905, "'%s' holds %s samples, but '%s' takes %s",
                          p->path, scalar_info[from].text, name, scalar_info[to].text);
        COMMAND_HELP(c->session, d,
                     "declare '%s' as image<%s>, and round where integers are wanted: %s(...)",
                     name, scalar_info[from].text, scalar_info[to].text);
        return false;
    }
    if (c->options->rescale || from == SCALAR_BOOL)
        return true;
    struct diagnostic *d =
        session_error(c->session, DIAGNOSTIC_E0905, "'%s' holds %s samples, but '%s' takes %s",
                      p->path, scalar_info[from].text, name, scalar_info[to].text);
    COMMAND_HELP(c->session, d, "--rescale scales them to the range of %s", scalar_info[to].text);
    COMMAND_HELP(c->session, d, "or declare '%s' as image<%s>", name, scalar_info[from].text);
    return false;
}

static bool convert_picture(struct command_context *c, struct picture *p)
{
    const enum scalar from = (enum scalar)p->image.element, to = p->stage->element;
    if (from != to && !may_convert(c, p, from, to))
        return false;
    p->stored = p->image.element;
    if (p->parts) { /* each part is converted when it is read */
        p->image.element = (enum flt_element)to;
        return true;
    }
    if (convert_samples(&p->image, to))
        return true;
    session_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    return false;
}

bool picture_read(struct command_context *c, const struct picture *p, const int32_t first[],
                  const int32_t end[], struct flt_image *part)
{
    struct flt_detail detail;
    if (flt_parts_read(p->parts, first, end, part, &detail) != FLT_OK) {
        session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text);
        return false;
    }
    for (int k = 0; k < part->rank; k++) /* names that the signature has given to them */
        memcpy(part->axis[k], p->image.axis[k], FLT_AXIS_NAME);
    if (convert_samples(part, p->stage->element))
        return true;
    flt_image_destroy(part);
    session_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    return false;
}

/* ---- Axes ---- */

int picture_find_axis(const struct flt_image *image, const char *name)
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

static bool is_pages_axis(const char *name)
{
    return strcmp(name, "t") == 0 || strcmp(name, "z") == 0;
}

/* Pages of which a TIFF says nothing are frames, or channels, where the signature has no z. */
static void name_pages(struct picture *p)
{
    const int pages = picture_find_axis(&p->image, "z");
    const char *name = NULL;
    if (!p->image.has_plain_pages || pages < 0)
        return;
    for (unsigned k = 0; k < p->stage->rank; k++) {
        const char *axis = p->stage->axis[k].name->text;
        if (strcmp(axis, "z") == 0)
            return;
        if (strcmp(axis, "t") == 0 ||
            (!name && strcmp(axis, "c") == 0 && picture_find_axis(&p->image, "c") < 0))
            name = axis;
    }
    if (name && p->stage->rank > 2)
        snprintf(p->image.axis[pages], FLT_AXIS_NAME, "%s", name);
}

/* A TIFF is a stack of one picture, one slice or one frame where it does not say otherwise. But
 * slices are not taken for frames, nor pages without metadata for one of two. */
static bool lacks_pages_alone(const struct picture *p)
{
    unsigned missing = 0;
    if (!has_ending(p->path, ".tif") && !has_ending(p->path, ".tiff"))
        return false;
    for (unsigned k = 0; k < p->stage->rank; k++) {
        const char *name = p->stage->axis[k].name->text;
        if (p->place[k] >= 0)
            continue;
        if (!is_pages_axis(name) && strcmp(name, "c") != 0)
            return false;
        missing++;
    }
    for (int k = 0; k < p->image.rank; k++)
        if (is_pages_axis(p->image.axis[k]) && (p->image.has_plain_pages || !picture_names(p, k)))
            return false;
    return missing < p->stage->rank;
}

/* By name; a lone c may be missing (one channel), and what a TIFF need not say. By position where
 * no name fits, and for arrays, whose axes have no names of their own. */
static bool place_axes(struct command_context *c, struct picture *p)
{
    unsigned missing = 0;
    bool only_channels = true;
    name_pages(p);
    for (unsigned k = 0; k < p->stage->rank; k++) {
        p->place[k] = picture_find_axis(&p->image, p->stage->axis[k].name->text);
        if (p->place[k] >= 0)
            continue;
        missing++;
        only_channels = only_channels && strcmp(p->stage->axis[k].name->text, "c") == 0;
    }
    if (missing == 0 || (only_channels && p->image.rank + 1 == (int)p->stage->rank) ||
        lacks_pages_alone(p))
        return true;
    if (p->image.rank == (int)p->stage->rank &&
        (missing == p->stage->rank || p->image.has_plain_axes)) {
        for (unsigned k = 0; k < p->stage->rank; k++) {
            p->place[k] = (int)k;
            snprintf(p->image.axis[k], FLT_AXIS_NAME, "%s", p->stage->axis[k].name->text);
        }
        return true;
    }
    struct arena *arena = c->session->permanent;
    struct diagnostic *d = session_error(
        c->session, DIAGNOSTIC_E0905, "'%s' has axes [%s], but '%s' takes [%s]", p->path,
        axes_of_image(arena, &p->image), p->stage->name->text, axes_of_stage(arena, p->stage));
    if (p->image.has_plain_pages)
        COMMAND_HELP(c->session, d,
                     "the file does not say what its %d pages are: save it as a stack of ImageJ or "
                     "as OME-TIFF, which name t, z and c",
                     p->image.extent[picture_find_axis(&p->image, "z")]);
    COMMAND_HELP(c->session, d, "declare '%s' with axes that the image has", p->stage->name->text);
    return false;
}

bool picture_names(const struct picture *p, int axis)
{
    for (unsigned k = 0; k < p->stage->rank; k++)
        if (p->place[k] == axis)
            return true;
    return false;
}

int32_t picture_extent(const struct picture *p, int axis)
{
    return p->image.extent[axis] - (p->keeps_alpha && axis == p->image.rank - 1);
}

/* Axes the signature does not name. */
static bool add_mapped(struct session *session, struct pictures *all, struct picture *p)
{
    for (int k = 0; k < p->image.rank; k++) {
        if (picture_names(p, k))
            continue;
        const int32_t extent = picture_extent(p, k);
        int m = 0;
        while (m < all->mapped_count && strcmp(all->mapped[m].name, p->image.axis[k]) != 0)
            m++;
        if (m < all->mapped_count && all->mapped[m].extent != extent) {
            session_error(session, DIAGNOSTIC_E0905,
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

struct peeked_image {
    const char *path;
    struct flt_image image;
    struct flt_image_reader *reader;
    struct flt_parts_in *parts;
};

/* The next picture of a file that is open. */
static bool read_next(struct command_context *c, struct flt_image_reader *reader,
                      struct flt_image *image, struct flt_detail *detail)
{
    if (flt_image_next(reader, image, detail) != FLT_OK)
        return false;
    if (command_remark(c->session, DIAGNOSTIC_W0905, detail))
        return true;
    flt_image_destroy(image);
    return false;
}

/* Samples alone. */
static bool load_raw(struct command_context *c, const char *word, const char *path,
                     const struct flt_raw *layout, struct flt_image *image)
{
    struct flt_detail detail;
    if (flt_image_load_raw(path, layout, image, &detail) == FLT_OK)
        return true;
    files_explain_raw(c, session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text), word);
    return false;
}

/* Opens a file to be read by place; *parts is NULL if it is to be read whole. False after a
 * message. */
static bool open_parts(struct command_context *c, const char *word, const char *path,
                       const struct flt_raw *layout, struct flt_image *image,
                       struct flt_parts_in **parts)
{
    struct flt_detail detail;
    enum flt_status status = flt_parts_open(path, layout, parts, &detail);
    if (status == FLT_UNSUPPORTED)
        return true;
    if (status == FLT_OK && !command_remark(c->session, DIAGNOSTIC_W0905, &detail)) {
        flt_parts_close(*parts);
        return false;
    }
    if (status == FLT_OK && flt_parts_image(*parts, image) == FLT_OK)
        return true;
    if (status == FLT_OK)
        snprintf(detail.text, sizeof detail.text, "there is not enough memory for %s", path);
    flt_parts_close(*parts);
    files_explain_raw(c, session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text), word);
    return false;
}

/* Of what is read whole, a file that is larger than all that --memory leaves is not read. False
 * after a message. */
static bool fits_memory(struct command_context *c, const char *path)
{
    struct stat about;
    const uint64_t most = options_memory(c->options);
    if (most == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        (uint64_t)about.st_size <= most)
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0905,
                               "'%s' has to be read whole, but is larger than --memory %s", path,
                               c->options->memory),
                 "save it as NPY, PGM, PPM, PFM, TIFF or raw samples, one picture in a file: they "
                 "are read by place");
    return false;
}

/* What is read before the run. False: it was not. */
static bool take_peeked(struct command_context *c, const char *path, struct peeked_image *peeked)
{
    for (size_t i = 0; i < c->peeked.count; i++)
        if (strcmp(c->peeked.item[i].path, path) == 0) {
            *peeked = c->peeked.item[i];
            c->peeked.item[i] = c->peeked.item[--c->peeked.count];
            return true;
        }
    return false;
}

/* The image of a file: by place if it can be and --memory asks for it, else read. reader: open
 * where further pictures may follow; else NULL. */
static bool load_image(struct command_context *c, const char *path, struct peeked_image *loaded)
{
    struct flt_detail detail;
    struct flt_raw layout;
    const char *plain;
    char axis[FLT_AXIS_NAME];
    if (take_peeked(c, path, loaded))
        return true;
    *loaded = (struct peeked_image){.path = path};
    if (stack_input(c->session->permanent, path, axis))
        return stack_load(c, path, &loaded->image);
    if (adaptive_is_file(path))
        return adaptive_load(c, path, false, &loaded->image);
    const bool is_raw = files_raw_layout(c->session->permanent, path, &plain, &layout);
    if (c->options->memory) {
        const bool good =
            open_parts(c, path, plain, is_raw ? &layout : NULL, &loaded->image, &loaded->parts);
        if (!good || loaded->parts)
            return good;
    }
    if (!fits_memory(c, plain))
        return false;
    if (is_raw)
        return load_raw(c, path, plain, &layout, &loaded->image);
    const size_t errors = c->session->diagnostics.error_count;
    if (flt_image_open(path, &loaded->reader, &detail) == FLT_OK &&
        read_next(c, loaded->reader, &loaded->image, &detail))
        return true;
    flt_image_close(loaded->reader);
    loaded->reader = NULL;
    if (c->session->diagnostics.error_count == errors)
        files_explain_raw(c, session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text), path);
    return false;
}

const struct flt_image *picture_peek(struct command_context *c, const char *path)
{
    struct peeked_image peeked;
    if (!load_image(c, path, &peeked))
        return NULL;
    VECTOR_PUSH(c->session->permanent, &c->peeked, peeked);
    return &c->peeked.item[c->peeked.count - 1].image;
}

/* ---- Adaptive images ---- */

bool picture_is_levels(const struct picture *p)
{
    return p->stage->as.input.levels && p->stage->as.input.levels == p->stage->name;
}

/* The picture of an adaptive image's levels, which comes behind it. */
static const struct picture *levels_of(const struct picture *p)
{
    const struct picture *levels = p;
    while (levels->stage->name != p->stage->as.input.levels)
        levels++;
    return levels;
}

/* Under the axes of the signature. */
static bool fit_adaptive(struct command_context *c, const struct picture *p,
                         struct flt_image *image)
{
    struct arena *arena = c->session->permanent;
    const char *axis[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < p->stage->rank; k++)
        axis[k] = p->stage->axis[k].name->text;
    if (adaptive_fit(image, p->stage->rank, axis))
        return true;
    struct diagnostic *d = session_error(
        c->session, DIAGNOSTIC_E0905, "'%s' has axes [%s], but '%s' takes [%s]", p->path,
        axes_of_image(arena, image), p->stage->name->text, axes_of_stage(arena, p->stage));
    COMMAND_HELP(c->session, d, "declare '%s' on as many axes", p->stage->name->text);
    return false;
}

/* Whether the particles of its own file are those of the levels. */
static bool shares_particles(struct command_context *c, const struct picture *p,
                             const struct picture *levels)
{
    struct flt_image own;
    if (!adaptive_is_file(p->path) || strcmp(p->path, levels->path) == 0 ||
        !adaptive_is_file(levels->path))
        return true;
    if (!adaptive_load(c, p->path, true, &own))
        return false;
    bool same = fit_adaptive(c, p, &own);
    if (!same) {
        flt_image_destroy(&own);
        return false;
    }
    for (int k = 0; k < own.rank; k++)
        same = same && own.extent[k] == levels->image.extent[k];
    same = same && memcmp(own.data, levels->image.data, image_samples(&own)) == 0;
    flt_image_destroy(&own);
    if (same)
        return true;
    struct diagnostic *d = session_error(
        c->session, DIAGNOSTIC_E0905, "'%s' has other particles than '%s'", p->path, levels->path);
    COMMAND_HELP(c->session, d,
                 "adaptive images of a filter on the same axes share their particles: declare '%s' "
                 "on axes of other names",
                 p->stage->name->text);
    return false;
}

/* Each file for an adaptive image has particles, or their levels are in another one. */
static bool have_particles(struct command_context *c, const struct pictures *all,
                           const struct image_files files[])
{
    size_t i = 0;
    for (; i < all->count; i++) {
        const struct picture *p = &all->item[i];
        const char *path = files_of_run(&files[i], p->file);
        const struct picture *levels = p->stage->as.input.levels ? levels_of(p) : p;
        if (levels != p && !adaptive_is_file(path) &&
            strcmp(path, files_of_run(&files[levels - all->item], levels->file)) == 0)
            break;
    }
    if (i == all->count)
        return true;
    const char *name = all->item[i].stage->name->text;
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0905,
                                         "'%s' holds pixels, but '%s' takes an adaptive image",
                                         files_of_run(&files[i], all->item[i].file), name);
    COMMAND_HELP(c->session, d,
                 "give an .apr file; or declare '%s' as image<...>, and write to_apr(%s)", name,
                 name);
    return false;
}

void pictures_extents(const struct pictures *p, struct samples *input)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct picture *picture = &p->item[i];
        input[i].rank = picture->stage->rank;
        for (unsigned k = 0; k < input[i].rank; k++)
            input[i].extent[k] =
                picture->place[k] < 0 ? 1 : picture_extent(picture, picture->place[k]);
    }
}

/* Alpha is shown to a filter only if its entry checks ask for it: they fail without it and hold
 * with it, as `require in.c == 4` does. */
static void decide_alpha(struct session *session, const struct graph *graph,
                         const struct value parameter[], struct pictures *p)
{
    bool accepted = false;
    for (int shown = 0; shown < 2 && !accepted; shown++) {
        struct samples input[MOST_PICTURES] = {0};
        struct interpretation run = {
            .session = session, .inputs = input, .parameters = parameter};
        for (size_t i = 0; i < p->count; i++) {
            struct picture *picture = &p->item[i];
            picture->keeps_alpha = picture->image.has_alpha &&
                                   (!shown || !picture_names(picture, picture->image.rank - 1));
        }
        pictures_extents(p, input);
        accepted = interpret_entry(graph, &run);
    }
    for (size_t i = 0; i < p->count && !accepted; i++) /* the run will tell what is wrong */
        p->item[i].keeps_alpha = p->item[i].image.has_alpha;
}

static bool load_picture(struct command_context *c, struct picture *p)
{
    struct flt_detail detail;
    const bool is_adaptive = p->stage->as.input.levels && adaptive_is_file(p->path);
    if (p->reader) {
        if (read_next(c, p->reader, &p->image, &detail))
            return true;
        struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text);
        diagnostic_note(&c->session->diagnostics, d, "that is picture %zu of it", p->number + 1);
        return false;
    }
    if (is_adaptive && picture_is_levels(p))
        return adaptive_load(c, p->path, true, &p->image) && fit_adaptive(c, p, &p->image);
    struct peeked_image loaded;
    if (!load_image(c, p->path, &loaded))
        return false;
    p->image = loaded.image;
    p->reader = loaded.reader;
    p->parts = loaded.parts;
    return !is_adaptive || fit_adaptive(c, p, &p->image);
}

/* Closes what the last run has read. */
static void close_picture(struct picture *p)
{
    flt_image_destroy(&p->image);
    flt_parts_close(p->parts);
    p->parts = NULL;
}

/* The alpha that the filter is not shown goes to results from the whole picture. */
static bool load_alpha(struct command_context *c, struct picture *p)
{
    struct flt_image whole;
    int32_t first[FLT_MAX_RANK] = {0};
    if (!p->parts || !p->keeps_alpha)
        return true;
    if (!picture_read(c, p, first, p->image.extent, &whole))
        return false;
    flt_image_keep(&whole, &p->image);
    close_picture(p);
    p->image = whole;
    return true;
}

/* Goes to the next picture of the file or the next file; false: one picture is for all runs. */
static bool advance(const struct image_files *files, struct picture *p)
{
    if (p->path && p->reader) {
        p->number++;
        return true;
    }
    if (p->path && p->file + 1 >= files->path.count)
        return false;
    p->file += p->path != NULL;
    p->number = 0;
    p->path = files_of_run(files, p->file);
    return true;
}

bool pictures_load(struct command_context *c, const struct graph *graph,
                   const struct value parameter[], const struct image_files files[],
                   struct pictures *p)
{
    bool is_new[MOST_PICTURES];
    p->mapped_count = 0;
    for (size_t i = 0; i < p->count; i++)
        is_new[i] = advance(&files[i], &p->item[i]);
    if (!have_particles(c, p, files))
        return false;
    for (size_t i = 0; i < p->count; i++) {
        struct picture *picture = &p->item[i];
        if (!is_new[i])
            continue;
        close_picture(picture);
        if (!load_picture(c, picture) || !take_parts(c, picture) || !convert_picture(c, picture) ||
            !place_axes(c, picture))
            return false;
    }
    for (size_t i = 0; i < p->count; i++)
        if (p->item[i].stage->as.input.levels &&
            !shares_particles(c, &p->item[i], levels_of(&p->item[i])))
            return false;
    decide_alpha(c->session, graph, parameter, p);
    for (size_t i = 0; i < p->count; i++)
        if (!load_alpha(c, &p->item[i]) || !add_mapped(c->session, p, &p->item[i]))
            return false;
    return true;
}

/* ---- Further pictures ---- */

/* Whether the picture's file holds another one; a file that does not is closed. */
static bool file_goes_on(struct command_context *c, struct picture *p, bool *good)
{
    struct flt_detail detail;
    if (!p->reader || flt_image_more(p->reader, &detail))
        return p->reader != NULL;
    *good = command_remark(c->session, DIAGNOSTIC_W0905, &detail) && *good;
    flt_image_close(p->reader);
    p->reader = NULL;
    return false;
}

/* Where one image has further pictures, each other one that had several has, too. */
static bool fail_unequal(struct command_context *c, const struct picture *longer,
                         const struct picture *shorter)
{
    session_error(c->session, DIAGNOSTIC_E0904,
                  "'%s' holds more pictures than there are for '%s': the last of those is in '%s'",
                  longer->path, shorter->stage->name->text, shorter->path);
    return false;
}

bool pictures_follow(struct command_context *c, const struct image_files files[],
                     struct pictures *p, bool *good)
{
    const struct picture *longer = NULL, *shorter = NULL;
    *good = true;
    for (size_t i = 0; i < p->count; i++) {
        struct picture *picture = &p->item[i];
        const bool more = file_goes_on(c, picture, good) || picture->file + 1 < files[i].path.count;
        if (more)
            longer = picture;
        else if (picture->file + picture->number > 0)
            shorter = picture;
    }
    if (longer && shorter)
        *good = fail_unequal(c, longer, shorter);
    return longer && *good;
}

bool pictures_are_alone(struct command_context *c, struct pictures *p, const char *reason,
                        const char *help)
{
    bool good = true;
    for (size_t i = 0; i < p->count && good; i++) {
        struct picture *picture = &p->item[i];
        if (!file_goes_on(c, picture, &good))
            continue;
        const uint64_t others = flt_image_count(picture->reader);
        const char *count =
            others ? arena_format(c->session->permanent, "%llu", (unsigned long long)others + 1)
                   : "several";
        struct diagnostic *d = session_error(
            c->session, DIAGNOSTIC_E0903, "'%s' holds %s pictures, but %s",
            strcmp(picture->path, "-") == 0 ? "standard input" : picture->path, count, reason);
        if (help)
            COMMAND_HELP(c->session, d, "%s", help);
        good = false;
    }
    return good;
}

void pictures_prepare(const struct graph *graph, struct pictures *p)
{
    *p = (struct pictures){0};
    for (size_t i = 0; i < graph->stages.count && p->count < MOST_PICTURES; i++)
        if (graph->stages.item[i]->kind == STAGE_INPUT)
            p->item[p->count++].stage = graph->stages.item[i];
}

void pictures_free(struct command_context *c, struct pictures *p)
{
    for (size_t i = 0; i < c->peeked.count; i++) /* of a run that came to nothing */
    {
        flt_image_destroy(&c->peeked.item[i].image);
        flt_image_close(c->peeked.item[i].reader);
        flt_parts_close(c->peeked.item[i].parts);
    }
    c->peeked.count = 0;
    for (size_t i = 0; i < p->count; i++) {
        close_picture(&p->item[i]);
        flt_image_close(p->item[i].reader);
    }
}
