/* Files stacked along an axis. */
#include "command/stack_files.h"
#include "command/files.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Words ---- */

const char *stack_word(const char *word, char axis[FLT_AXIS_NAME])
{
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        length++;
    if (length == 0 || length >= FLT_AXIS_NAME || isdigit((unsigned char)word[0]) ||
        word[length] != ':' || !word[length + 1])
        return NULL;
    memcpy(axis, word, length);
    axis[length] = 0;
    return word + length + 1;
}

const char *stack_input(struct arena *arena, const char *word, char axis[FLT_AXIS_NAME])
{
    struct flt_raw layout;
    const char *plain;
    const char *pattern = stack_word(word, axis);
    if (!pattern || access(word, F_OK) == 0)
        return NULL;
    if (files_raw_layout(arena, word, &plain, &layout) && access(plain, F_OK) == 0)
        return NULL;
    return pattern;
}

/* Digits count as one number; else bytes. */
static int compare_names(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    while (*x && *y) {
        if (!isdigit((unsigned char)*x) || !isdigit((unsigned char)*y)) {
            if (*x != *y)
                return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
            x++;
            y++;
            continue;
        }
        x += strspn(x, "0");
        y += strspn(y, "0");
        const size_t x_digits = strspn(x, "0123456789"), y_digits = strspn(y, "0123456789");
        const int order =
            x_digits != y_digits ? (x_digits < y_digits ? -1 : 1) : strncmp(x, y, x_digits);
        if (order != 0)
            return order;
        x += x_digits;
        y += y_digits;
    }
    if (*x || *y)
        return *x ? 1 : -1;
    return strcmp(*(const char *const *)a, *(const char *const *)b); /* frame02 and frame2 */
}

/* The pattern without the layout of samples behind it; *is_raw: there is one. */
static const char *pattern_of(struct arena *arena, const char *word, bool *is_raw,
                              struct flt_raw *layout)
{
    char axis[FLT_AXIS_NAME];
    const char *pattern = stack_word(word, axis), *plain;
    *is_raw = files_raw_layout(arena, pattern, &plain, layout);
    return *is_raw ? plain : pattern;
}

struct word_list stack_paths(struct arena *arena, const char *word)
{
    struct word_list list = {0};
    struct flt_raw layout;
    bool is_raw;
    glob_t found;
    const char *pattern = pattern_of(arena, word, &is_raw, &layout);
    if (access(pattern, F_OK) == 0) {
        VECTOR_PUSH(arena, &list, pattern);
    } else if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            VECTOR_PUSH(arena, &list, arena_format(arena, "%s", found.gl_pathv[i]));
        globfree(&found);
        qsort(list.item, list.count, sizeof *list.item, compare_names);
    }
    return list;
}

/* ---- Loading ---- */

static const char *form_text(struct arena *arena, const struct flt_image *image)
{
    struct text text = text_create(arena);
    for (int k = 0; k < image->rank; k++)
        text_print(&text, "%s%s = %d", k ? ", " : "", image->axis[k], image->extent[k]);
    return arena_format(arena, "[%s] of %s%s", image->rank ? text.bytes : "",
                        flt_element_name(image->element), image->has_alpha ? " with alpha" : "");
}

/* Where the image is one of the whole's parts. */
static bool is_part(const struct flt_image *image, const struct flt_image *whole)
{
    bool same = image->rank + 1 == whole->rank && image->element == whole->element &&
                image->has_alpha == whole->has_alpha;
    for (int k = 0; same && k < image->rank; k++)
        same = image->extent[k] == whole->extent[k + 1] &&
               strcmp(image->axis[k], whole->axis[k + 1]) == 0;
    return same;
}

/* For count images like the first, of which there is one so far. */
static bool make_whole(struct command_context *c, const char *word, const struct flt_image *first,
                       size_t count, struct flt_image *whole)
{
    char name[FLT_AXIS_NAME];
    const char *axis[FLT_MAX_RANK + 1];
    int32_t extent[FLT_MAX_RANK + 1];
    stack_word(word, name);
    axis[0] = name;
    extent[0] = count < INT32_MAX ? (int32_t)count : 0;
    for (int k = 0; k < first->rank; k++) {
        axis[k + 1] = first->axis[k];
        extent[k + 1] = first->extent[k];
        if (strcmp(axis[k + 1], name) == 0) {
            session_error(c->session, DIAGNOSTIC_E0905,
                          "each file of '%s' has an axis %s already: its form is %s", word, name,
                          form_text(c->session->permanent, first));
            return false;
        }
    }
    const enum flt_status status =
        flt_image_create(whole, first->element, first->rank + 1, axis, extent);
    if (status != FLT_OK) {
        session_error(c->session, DIAGNOSTIC_E0907, "%zu files cannot be one image: %s", count,
                      flt_status_text(status));
        return false;
    }
    whole->has_alpha = first->has_alpha;
    whole->has_plain_pages = first->has_plain_pages;
    struct flt_image about = *first;
    about.exif = NULL; /* which is of one file alone */
    flt_image_keep(whole, &about);
    return true;
}

static bool load_part(struct command_context *c, const char *path, const struct flt_raw *layout,
                      struct flt_image *part)
{
    struct flt_detail detail;
    if ((layout ? flt_image_load_raw(path, layout, part, &detail)
                : flt_image_load(path, part, &detail)) == FLT_OK) {
        if (command_remark(c->session, DIAGNOSTIC_W0905, &detail))
            return true;
        flt_image_destroy(part);
        return false;
    }
    session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text);
    return false;
}

static bool add_part(struct command_context *c, const struct word_list *paths, size_t i,
                     const struct flt_image *part, struct flt_image *whole)
{
    if (is_part(part, whole)) {
        const size_t bytes = (size_t)whole->stride[0] * flt_element_bytes(whole->element);
        memcpy((char *)whole->data + i * bytes, part->data, bytes);
        return true;
    }
    struct flt_image first = stack_part(whole, 0, 0);
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0905,
                                         "'%s' is not like '%s', with which it is stacked along %s",
                                         paths->item[i], paths->item[0], whole->axis[0]);
    diagnostic_note(&c->session->diagnostics, d, "it is %s; the other is %s",
                    form_text(c->session->permanent, part),
                    form_text(c->session->permanent, &first));
    return false;
}

bool stack_load(struct command_context *c, const char *word, struct flt_image *image)
{
    struct flt_raw layout;
    bool is_raw, good = true;
    const struct word_list paths = stack_paths(c->session->permanent, word);
    pattern_of(c->session->permanent, word, &is_raw, &layout);
    *image = (struct flt_image){.data = NULL};
    if (paths.count == 0) {
        char axis[FLT_AXIS_NAME];
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0904, "there is no file '%s'",
                                   stack_word(word, axis)),
                     "write a pattern of files, in quotes: '%s:frames/*.png'", axis);
    }
    for (size_t i = 0; good && i < paths.count; i++) {
        struct flt_image part;
        if (!load_part(c, paths.item[i], is_raw ? &layout : NULL, &part)) {
            good = false;
            break;
        }
        good = (i > 0 || make_whole(c, word, &part, paths.count, image)) &&
               add_part(c, &paths, i, &part, image);
        flt_image_destroy(&part);
    }
    if (!good)
        flt_image_destroy(image);
    return good && paths.count > 0;
}

/* ---- Parts ---- */

struct flt_image stack_part(const struct flt_image *image, int axis, int32_t place)
{
    struct flt_image part = *image;
    part.rank--;
    part.data = (char *)image->data +
                place * image->stride[axis] * (ptrdiff_t)flt_element_bytes(image->element);
    for (int k = axis; k < part.rank; k++) {
        memcpy(part.axis[k], image->axis[k + 1], FLT_AXIS_NAME);
        memcpy(part.unit[k], image->unit[k + 1], FLT_UNIT_NAME);
        part.extent[k] = image->extent[k + 1];
        part.stride[k] = image->stride[k + 1];
        part.spacing[k] = image->spacing[k + 1];
    }
    return part;
}
