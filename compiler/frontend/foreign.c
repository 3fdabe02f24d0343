/* What is written here for a function, constant or method of NumPy, SciPy, OpenCV, MATLAB, Halide,
 * GLSL and C: rows of foreign.def, filters of the library by their own names, and reductions of a
 * whole image or along axes, written out for the image at hand. */
#include "frontend/foreign.h"
#include "frontend/ast_build.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *names, *help;
} foreign[] = {
#define FOREIGN(names, help) {" " names " ", help},
#define LIBRARY(names, module, call)
#define WHOLE(names, reduction, stage, mean)
#include "frontend/foreign.def"
#undef FOREIGN
#undef LIBRARY
#undef WHOLE
};

static const struct {
    const char *names, *module, *call;
} renamed[] = {
#define FOREIGN(names, help)
#define LIBRARY(names, module, call) {" " names " ", module, call},
#define WHOLE(names, reduction, stage, mean)
#include "frontend/foreign.def"
#undef FOREIGN
#undef LIBRARY
#undef WHOLE
};

static const struct whole {
    const char *names, *reduction, *stage;
    bool mean;
} whole[] = {
#define FOREIGN(names, help)
#define LIBRARY(names, module, call)
#define WHOLE(names, reduction, stage, mean) {" " names " ", reduction, stage, mean},
#include "frontend/foreign.def"
#undef FOREIGN
#undef LIBRARY
#undef WHOLE
};

static bool is_among(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; length && *at; at++)
        if (*at == ' ' && strncasecmp(at + 1, name, length) == 0 && at[length + 1] == ' ')
            return true;
    return false;
}

static void add_helps(struct elaborator *el, struct diagnostic *d, const char *helps)
{
    while (*helps) {
        const size_t length = strcspn(helps, "\n");
        HELP(el, d, "%.*s", (int)length, helps);
        helps += length + (helps[length] == '\n');
    }
}

static const char *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (is_among(foreign[i].names, name))
            return foreign[i].help;
    return NULL;
}

static bool help_row(struct elaborator *el, struct diagnostic *d, const char *name)
{
    const char *helps = row_of(name);
    if (helps)
        add_helps(el, d, helps);
    return helps;
}

/* ---- Filters of the library ---- */

/* The filter in the text of a module, capitals aside; its own spelling, or NULL. */
static const char *spelling_in(struct elaborator *el, const char *text, const char *name)
{
    static const char filter[] = "\nfilter ";
    const size_t length = strlen(name);
    for (const char *at = strstr(text, filter); at; at = strstr(at + 1, filter)) {
        const char *word = at + sizeof filter - 1;
        if (strncasecmp(word, name, length) == 0 && word[length] == '(')
            return arena_text(el->session->permanent, word, length);
    }
    return NULL;
}

static bool help_library(struct elaborator *el, struct diagnostic *d, const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (is_among(renamed[i].names, name)) {
            HELP(el, d, "write import std.%s; above the filter, and %s border reflect",
                 renamed[i].module, renamed[i].call);
            return true;
        }
    for (const struct library_module *l = library; l->name; l++) {
        const char *own = spelling_in(el, l->text, name);
        if (!own)
            continue;
        HELP(el, d, "'%s' is a filter of %s: write import %s; above the filter", own, l->name,
             l->name);
        return true;
    }
    return false;
}

/* ---- Reductions of a whole image, or along axes ---- */

/* The image of the expression: itself, or the first that it names. */
struct image_named {
    const struct stage_context *context;
    const struct ast *name;
};

static void search_named(const struct ast *node, void *user)
{
    struct image_named *search = user;
    const struct entity *entity = !search->name && node->kind == AST_NAME
                                      ? scope_find(search->context->scope, node->as.name)
                                      : NULL;
    if (entity && entity->kind == ENTITY_IMAGE && entity->as.image.valid && entity->as.image.rank)
        search->name = node;
    else if (!search->name)
        ast_children(node, search_named, search);
}

static const struct image_view *image_named(const struct stage_context *context,
                                            const struct ast *node, const struct symbol **name)
{
    struct image_named search = {context, NULL};
    if (node)
        search_named(node, &search);
    *name = search.name ? search.name->as.name : NULL;
    return search.name ? &scope_find(context->scope, *name)->as.image : NULL;
}

/* Axes by their names or numbers, counted from 0, or from -1 backwards; a list or tuple of them. */
static unsigned axes_meant(const struct image_view *image, const struct ast *node)
{
    unsigned set = 0;
    if (node->kind == AST_LIST || node->kind == AST_TUPLE || node->kind == AST_ARRAY) {
        const struct ast_list *items =
            node->kind == AST_ARRAY ? node->as.array.items : node->as.list;
        for (size_t i = 0; i < items->count; i++)
            set |= axes_meant(image, items->item[i]);
        return set;
    }
    const bool negative = node->kind == AST_UNARY;
    const struct ast *number = negative ? node->as.unary.operand : node;
    for (unsigned k = 0; k < image->rank; k++)
        if (node->kind == AST_NAME ? image->axis[k] == node->as.name
            : number->kind == AST_INTEGER
                ? number->as.integer == (negative ? (int64_t)image->rank - k : (int64_t)k)
                : false)
            set |= 1u << k;
    return set;
}

static bool is_axis_word(const char *name)
{
    return is_among(" axis axes dim dims ", name);
}

const struct ast *axis_argument(const struct stage_context *context, const struct ast *call)
{
    const struct ast_list *arguments = call->as.call.arguments;
    const struct symbol *name;
    const struct image_view *image =
        arguments->count ? image_named(context, arguments->item[0], &name) : NULL;
    for (size_t i = 0; i < arguments->count; i++) {
        const struct ast *item = arguments->item[i];
        if (item->kind == AST_NAMED && is_axis_word(item->as.named.name->text))
            return item;
        const bool is_new_name =
            item->kind == AST_NAME && !scope_find(context->scope, item->as.name);
        if (i > 0 && image && item->kind != AST_INTEGER && item->kind != AST_UNARY &&
            (item->kind != AST_NAME || is_new_name) && axes_meant(image, item))
            return item;
    }
    return NULL;
}

/* Of in[z, y, x] in a stage of y and x: the axes that are read at names of no coordinate. */
static unsigned axes_read_whole(const struct stage_context *context, const struct image_view *image,
                                const struct ast *read)
{
    unsigned set = 0;
    const struct ast_list *items = read->as.index.items;
    for (unsigned k = 0; k < image->rank && k < items->count; k++)
        if (items->item[k]->kind == AST_NAME &&
            !scope_find(context->scope, items->item[k]->as.name))
            set |= 1u << k;
    return set;
}

/* Axes that the call reduces: those it names, else all. 0: it is not known which. */
static unsigned axes_reduced(const struct stage_context *context, const struct image_view *image,
                             const struct ast *call, const struct ast *base)
{
    const struct ast_list *arguments = call->as.call.arguments;
    const struct ast *first = base ? base : arguments->item[0];
    if (first->kind == AST_INDEX)
        return axes_read_whole(context, image, first);
    for (size_t i = base ? 0 : 1; i < arguments->count; i++) {
        const struct ast *item = arguments->item[i];
        const bool is_axis = item->kind != AST_NAMED || is_axis_word(item->as.named.name->text);
        const unsigned set =
            is_axis ? axes_meant(image, item->kind == AST_NAMED ? item->as.named.value : item) : 0;
        if (set)
            return set;
    }
    return (1u << image->rank) - 1;
}

/* Whether the call is all that the stage is, and the stage has as many axes as are kept. */
static bool is_whole_value(const struct stage_context *context, const struct ast *call,
                           unsigned kept)
{
    const struct ast *definition = definition_of(context->instance, context->name);
    const struct ast_list *brackets = definition ? definition->as.define.brackets : NULL;
    return definition && definition->as.define.value == call &&
           (!brackets->count || brackets->item[0]->as.list->count == kept);
}

static void help_reduction(struct elaborator *el, const struct stage_context *context,
                           struct diagnostic *d, const struct whole *w, const struct ast *call,
                           const struct ast *first, const struct image_view *image,
                           const struct symbol *name, unsigned reduced)
{
    struct arena *texts = el->session->permanent;
    struct text kept = text_create(texts), ranges = text_create(texts), index = text_create(texts);
    struct text count = text_create(texts);
    unsigned factors = 0;
    for (unsigned k = 0; k < image->rank; k++) {
        const char *axis = image->axis[k]->text;
        const bool is_reduced = reduced >> k & 1;
        text_print(&index, "%s%s", k ? ", " : "", axis);
        if (is_reduced) {
            text_print(&ranges, "%s%s in 0 ..< %s.%s", ranges.length ? ", " : "", axis, name->text,
                       axis);
            text_print(&count, factors++ ? " * %s.%s" : "f32(%s.%s)", name->text, axis);
        } else {
            text_print(&kept, "%s%s", kept.length ? ", " : "", axis);
        }
    }
    const bool all = kept.length == 0;
    const bool own = !all && is_whole_value(context, call, image->rank - factors);
    const char *left =
        all ? w->stage
            : arena_format(texts, "%s[%s]", own ? context->name->text : w->stage, kept.bytes);
    const char *divided = !w->mean      ? ""
                          : factors > 1 ? arena_format(texts, " / (%s)", count.bytes)
                                        : arena_format(texts, " / %s", count.bytes);
    const bool is_plain = first->kind == AST_NAME || first->kind == AST_INDEX;
    const char *term = arena_format(texts, "%s[%s]", name->text, index.bytes);
    HELP(el, d, "%s%s = %s[%s](%s)%s;%s",
         all   ? "a number of the whole image is a stage of its own: "
         : own ? "write "
               : "make it a stage of its own: ",
         left, w->reduction, ranges.bytes, is_plain ? term : "...", divided,
         is_plain ? "" : arena_format(texts, " with %s for '%s'", term, name->text));
    if (w->mean && all && image->rank == 2)
        HELP(el, d, "or import std.arithmetic; s = statistics(%s); and take s.mean", name->text);
}

bool help_whole(struct elaborator *el, const struct stage_context *context, struct diagnostic *d,
                const char *name, const struct ast *call, const struct ast *base)
{
    if (!call || (!base && !call->as.call.arguments->count))
        return false;
    const struct symbol *image_name;
    const struct ast *first = base ? base : call->as.call.arguments->item[0];
    const struct image_view *image = image_named(context, first, &image_name);
    const unsigned reduced = image ? axes_reduced(context, image, call, base) : 0;
    for (size_t i = 0; reduced && i < sizeof whole / sizeof whole[0]; i++)
        if (is_among(whole[i].names, name)) {
            help_reduction(el, context, d, &whole[i], call, first, image, image_name, reduced);
            return true;
        }
    if (image && reduced && is_among(" median ", name))
        return help_row(el, d, name);
    if (!image || !is_among(" std var nanstd nanvar stddev ", name))
        return false;
    HELP(el, d,
         "write import std.arithmetic; above the filter, s = statistics(%s); and take "
         "sqrt(s.variance)",
         image_name->text);
    return true;
}

bool help_foreign(struct elaborator *el, const struct stage_context *context, struct diagnostic *d,
                  const char *name, const struct ast *call, const struct ast *base)
{
    if (help_whole(el, context, d, name, call, base) || help_row(el, d, name))
        return true;
    const char *type = type_of_other_languages(name);
    if (type)
        HELP(el, d, "write %s(...)", type);
    else if (base && is_reserved_function(name))
        HELP(el, d, "write %s(%s)", name, condition_text(el, base));
    else if (is_reserved_function(name))
        HELP(el, d, "write %s(...), with nothing before it", name);
    return type || is_reserved_function(name) || help_library(el, d, name);
}

bool is_foreign_value(const char *name)
{
    return strcasecmp(name, "true") == 0 || strcasecmp(name, "false") == 0 || row_of(name);
}

bool help_foreign_value(struct elaborator *el, struct diagnostic *d, const char *name)
{
    for (int truth = 0; truth < 2; truth++)
        if (strcasecmp(name, truth ? "true" : "false") == 0) {
            HELP(el, d, "write %s", truth ? "true" : "false");
            return true;
        }
    return help_row(el, d, name);
}
