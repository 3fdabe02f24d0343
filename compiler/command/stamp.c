#include "command/stamp.h"
#include "command/output.h"
#include "command/print_numbers.h"
#include "command/sources.h"
#include "command/stack_files.h"
#include "support/sha256.h"

#include <errno.h>

/* Options that change no sample of a result, and those that the stamp tells in another way. */
static const char *const left_out[] = {
    "output",  "save",    "param",     "stamp",   "diagnostics", "warn",   "progress",
    "profile", "compare", "no-cache",  "threads", "memory",      "target", "filter",
    "with",    "include", "no-extern", "psnr",    "verify-each"};

static bool refuse(const struct execution *x, const char *what)
{
    COMMAND_HELP(x->c->session, session_error(x->c->session, DIAGNOSTIC_E0903, "%s", what),
                 "name files: a stamp tells their hashes");
    return false;
}

/* "-", or what another process writes or reads meanwhile. */
static bool is_stream(const char *path)
{
    return strcmp(path, "-") == 0 || output_is_direct(path);
}

bool stamp_suits(const struct execution *x)
{
    if (!x->c->options->stamp)
        return true;
    if (x->results.savings.count == 0)
        return refuse(x, "--stamp has no use where no result goes to a file");
    if (is_stream(x->c->options->arguments.item[0]))
        return refuse(x, "--stamp takes no program from standard input");
    for (size_t i = 0; i < x->pictures.count; i++)
        for (size_t k = 0; k < x->files[i].path.count; k++)
            if (is_stream(x->files[i].path.item[k]))
                return refuse(x, "--stamp takes no image from standard input or a device");
    for (size_t i = 0; i < x->results.savings.count; i++)
        if (is_stream(x->results.savings.item[i].word))
            return refuse(x, "--stamp takes no result that goes to standard output or a device");
    return true;
}

/* ---- Hashes of files ---- */

/* A name as sha256sum writes it: behind a '\' where it has that, or the end of a line. */
static void print_name(struct text *text, const char *name)
{
    for (; *name; name++)
        if (*name == '\\' || *name == '\n' || *name == '\r')
            text_print(text, "\\%c", *name == '\\' ? '\\' : *name == '\n' ? 'n' : 'r');
        else
            text_append(text, name, 1);
}

static bool print_hash(struct command_context *c, struct text *text, const char *path)
{
    unsigned char part[1 << 14];
    char digits[SHA256_DIGITS + 1];
    struct sha256 hash;
    FILE *file = fopen(path, "rb");
    sha256_begin(&hash);
    for (size_t length; file && (length = fread(part, 1, sizeof part, file)) > 0;)
        sha256_add(&hash, part, length);
    const bool good = file && !ferror(file);
    const int error = errno;
    if (file)
        fclose(file);
    if (!good) {
        diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0901, (struct span){0, 0}, path,
                          strerror(error));
        return false;
    }
    text_print(text, "%s%s", strpbrk(path, "\\\n\r") ? "\\" : "", sha256_digits(&hash, digits));
    text_print(text, "  ");
    print_name(text, path);
    text_print(text, "\n");
    return true;
}

static void add_once(struct arena *arena, struct word_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i], path) == 0)
            return;
    VECTOR_PUSH(arena, list, path);
}

/* The files of a word for an image: several are stacked, a layout stands behind raw samples. */
static void add_image(struct arena *arena, struct word_list *list, const char *word)
{
    char axis[FLT_AXIS_NAME];
    const char *plain = word;
    struct flt_raw layout;
    if (!stack_input(arena, word, axis)) {
        (void)files_raw_layout(arena, word, &plain, &layout);
        add_once(arena, list, plain);
        return;
    }
    const struct word_list stacked = stack_paths(arena, word);
    for (size_t i = 0; i < stacked.count; i++)
        add_once(arena, list, stacked.item[i]);
}

/* What a run was made of. */
static struct word_list files_of(const struct execution *x)
{
    struct arena *arena = x->c->session->permanent;
    struct word_list list = sources_of(x->c, x->c->modules);
    for (size_t i = 0; i < x->c->options->files.count; i++)
        add_once(arena, &list, x->c->options->files.item[i]);
    for (size_t i = 0; i < x->pictures.count; i++)
        add_image(arena, &list, x->pictures.item[i].path);
    return list;
}

/* ---- How it was made ---- */

static bool is_parameter(const struct graph *graph, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < graph->parameters.count; i++)
        found = found || strcmp(graph->parameters.item[i].name->text, name) == 0;
    return found;
}

static void print_parameter(struct text *text, const struct parameter *p, struct value value)
{
    text_print(text, "# %s = ", p->name->text);
    if (p->choice_count)
        text_print(text, "%s", p->choice[value.integer]->text);
    else
        print_value(text, p->scalar, p->fixed, value);
    text_print(text, "\n");
}

static void print_making(struct text *text, const struct execution *x)
{
    const struct options *o = x->c->options;
    const struct word_list given =
        options_given(x->c->session->permanent, o, left_out, sizeof left_out / sizeof *left_out);
    const char *made = x->interprets ? "none, interpreted" : command_target(x->c)->name;
    text_print(text, "# fltc %s, target %s, filter %s\n", version_text(), made,
               x->graph->name->text);
    for (size_t i = 0; i < x->graph->parameters.count; i++)
        print_parameter(text, &x->graph->parameters.item[i], x->parameter[i]);
    for (size_t i = 0; i < o->settings.count; i++)
        if (!is_parameter(x->graph, o->settings.item[i].name))
            text_print(text, "# %s = %s\n", o->settings.item[i].name, o->settings.item[i].value);
    for (size_t i = 0; i < given.count; i++)
        text_print(text, "# %s\n", given.item[i]);
}

bool stamp_write(struct execution *x)
{
    struct command_context *c = x->c;
    struct arena *arena = c->session->permanent;
    struct text made = text_create(arena);
    const struct word_list saved = {c->saved.item, c->saved.count, c->saved.count};
    c->saved.count = 0;
    if (!c->options->stamp)
        return true;
    print_making(&made, x);
    const struct word_list files = files_of(x);
    for (size_t i = 0; i < files.count; i++)
        if (!print_hash(c, &made, files.item[i]))
            return false;
    for (size_t i = 0; i < saved.count; i++) {
        struct text text = text_create(arena);
        text_append(&text, made.bytes, made.length);
        const char *path = arena_format(arena, "%s.stamp", saved.item[i]);
        if (!print_hash(c, &text, saved.item[i]) || !sources_are_spared(c, path))
            return false;
        const struct output_file file = {path, text.bytes, text.length};
        if (!output_write(c->session, 1, &file))
            return false;
    }
    return true;
}
