/* A module's items and comments → its outline. */
#include "document/outline.h"
#include "frontend/ast_build.h"
#include "source/source_map.h"
#include "support/text.h"

const char *outline_source(struct arena *arena, const struct module *module, uint32_t start,
                           uint32_t end)
{
    const struct source_file *file = module->file;
    return arena_text(arena, file->text + (start - file->start), end - start);
}

const struct symbol *outline_item_name(const struct ast *item)
{
    return item->kind == AST_FILTER     ? item->as.filter.name
           : item->kind == AST_FUNCTION ? item->as.function.name
           : item->kind == AST_CONSTANT ? item->as.constant.name
           : item->kind == AST_EXTERN   ? item->as.external.name
                                        : NULL;
}

/* Line ends between two offsets. */
static unsigned lines_between(const struct module *module, uint32_t start, uint32_t end)
{
    unsigned lines = 0;
    for (uint32_t at = start; at < end; at++)
        lines += module->file->text[at - module->file->start] == '\n';
    return lines;
}

/* ---- Prose ---- */

static void end_paragraph(struct arena *arena, struct prose *prose, struct text *text)
{
    static const char source[] = "Source: ";
    if (!text->length)
        return;
    char *found = text->bytes;
    if (strncmp(found, source, strlen(source)) != 0) {
        found = strstr(text->bytes, ". Source: ");
        found = found ? found + 2 : NULL;
    }
    if (found != text->bytes)
        VECTOR_PUSH(
            arena, &prose->paragraphs,
            (struct paragraph){arena_text(arena, text->bytes,
                                          found ? (size_t)(found - 1 - text->bytes) : text->length),
                               false});
    if (found)
        VECTOR_PUSH(arena, &prose->paragraphs, (struct paragraph){found + strlen(source), true});
    *text = text_create(arena);
}

/* The comments with these indices. A line that begins with "Source: " begins a paragraph. */
static struct prose prose_of(struct arena *arena, const struct module *module, size_t first,
                             size_t end)
{
    struct prose prose = {0};
    struct text text = text_create(arena);
    for (size_t i = first; i < end; i++) {
        const struct span span = module->comments.item[i];
        const char *line = outline_source(arena, module, span.start, span.end);
        line += strspn(line, "/ \t");
        size_t length = strlen(line);
        while (length && strchr(" \t\r\f", line[length - 1]))
            length--;
        if (!length || strncmp(line, "Source: ", 8) == 0)
            end_paragraph(arena, &prose, &text);
        if (length)
            text_print(&text, "%s%.*s", text.length ? " " : "", (int)length, line);
    }
    end_paragraph(arena, &prose, &text);
    return prose;
}

/* ---- Examples ---- */

struct call_search {
    const struct symbol *name;
    bool found;
};

static void search_call(const struct ast *node, void *context)
{
    struct call_search *search = context;
    search->found =
        search->found || (node->kind == AST_CALL && node->as.call.callee->kind == AST_NAME &&
                          node->as.call.callee->as.name == search->name);
    ast_children(node, search_call, search);
}

static bool calls(const struct ast *example, const struct outline_entry *entry)
{
    struct call_search search = {0};
    for (size_t i = 0; i < entry->items.count && !search.found; i++) {
        search.name = outline_item_name(entry->items.item[i]);
        search_call(example, &search);
    }
    return search.found;
}

static void add_example(struct arena *arena, struct outline *outline, const struct ast *example)
{
    for (size_t i = 0; i < outline->entries.count; i++)
        if (calls(example, &outline->entries.item[i])) {
            VECTOR_PUSH(arena, &outline->entries.item[i].examples, example);
            return;
        }
    VECTOR_PUSH(arena, &outline->examples, example);
}

/* ---- Entries ---- */

struct outlining {
    struct arena *arena;
    struct outline *outline;
    size_t comment;    /* the first that is not taken yet */
    uint32_t item_end; /* of the item before; 0: none */
    bool is_first;     /* no block has been seen */
};

static bool is_whole_line(const struct module *module, struct span comment)
{
    const char *text = module->file->text;
    for (uint32_t at = comment.start - module->file->start; at > 0 && text[at - 1] != '\n'; at--)
        if (!strchr(" \t\r\f", text[at - 1]))
            return false;
    return true;
}

/* Takes the comments before an offset, block by block; the last one is given back where the item
 * there is directly below it. */
static struct prose take_comments(struct outlining *o, uint32_t end, bool may_own)
{
    const struct module *module = o->outline->module;
    while (o->comment < module->comments.count && module->comments.item[o->comment].start < end) {
        const size_t first = o->comment;
        if (!is_whole_line(module, module->comments.item[first])) {
            o->comment++;
            continue;
        }
        while (++o->comment < module->comments.count &&
               module->comments.item[o->comment].start < end &&
               lines_between(module, module->comments.item[o->comment - 1].end,
                             module->comments.item[o->comment].start) == 1)
            ;
        const struct prose prose = prose_of(o->arena, module, first, o->comment);
        const uint32_t last = module->comments.item[o->comment - 1].end;
        if (may_own && lines_between(module, last, end) == 1 &&
            (o->comment == module->comments.count ||
             module->comments.item[o->comment].start >= end))
            return prose;
        if (o->is_first)
            o->outline->prose = prose;
        else if (prose.paragraphs.count)
            VECTOR_PUSH(o->arena, &o->outline->entries, (struct outline_entry){.prose = prose});
        o->is_first = false;
    }
    return (struct prose){0};
}

static void skip_comments_inside(struct outlining *o, const struct ast *item)
{
    const struct module *module = o->outline->module;
    while (o->comment < module->comments.count &&
           module->comments.item[o->comment].start < item->span.end)
        o->comment++;
}

static void add_item(struct outlining *o, const struct ast *item)
{
    const bool has_entry = outline_item_name(item) != NULL;
    const struct prose prose = take_comments(o, item->span.start, has_entry);
    struct outline *outline = o->outline;
    if (has_entry) {
        const bool shares = !prose.paragraphs.count && outline->entries.count && o->item_end &&
                            outline->entries.item[outline->entries.count - 1].items.count &&
                            lines_between(outline->module, o->item_end, item->span.start) <= 1;
        if (!shares)
            VECTOR_PUSH(o->arena, &outline->entries, (struct outline_entry){.prose = prose});
        VECTOR_PUSH(o->arena, &outline->entries.item[outline->entries.count - 1].items, item);
    } else if (item->kind == AST_IMPORT && item->as.import.from_library) {
        VECTOR_PUSH(o->arena, &outline->imports, item->as.import.path);
    }
    o->is_first = o->is_first && item->kind == AST_IMPORT;
    o->item_end = has_entry ? item->span.end : 0;
    skip_comments_inside(o, item);
}

struct outline outline_of(struct arena *arena, const struct module *module, const char *name)
{
    const char *slash = strrchr(name, '/');
    struct outline outline = {.module = module, .name = slash ? slash + 1 : name};
    struct outlining o = {.arena = arena, .outline = &outline, .is_first = true};
    for (size_t i = 0; i < module->items->count; i++)
        add_item(&o, module->items->item[i]);
    take_comments(&o, module->file->start + module->file->length, false);
    for (size_t i = 0; i < module->items->count; i++)
        if (module->items->item[i]->kind == AST_EXAMPLE)
            add_example(arena, &outline, module->items->item[i]);
    return outline;
}
