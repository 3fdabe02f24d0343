/* Pages of HTML. Every text of a program goes through print_escaped. */
#include "document/html.h"
#include "support/text.h"
#include "support/utf8.h"

const char *html_style(void)
{
    return "body { max-width: 50em; margin: 2em auto; padding: 0 1em; line-height: 1.5;\n"
           "       font-family: sans-serif; color: #222; background: #fff; }\n"
           "h1, h2 { line-height: 1.2; }\n"
           "h2 { margin-top: 2.5em; border-top: 1px solid #ccc; padding-top: 0.7em; }\n"
           "pre { background: #f4f4f2; padding: 0.7em 1em; overflow-x: auto; line-height: 1.35; }\n"
           "code, pre { font-family: monospace; font-size: 0.95em; }\n"
           "table { border-collapse: collapse; }\n"
           "th, td { text-align: left; vertical-align: top; padding: 0.2em 1.2em 0.2em 0; }\n"
           "th { font-weight: normal; color: #666; }\n"
           ".source, .about { color: #555; }\n"
           "summary { cursor: pointer; color: #555; }\n"
           "a { color: #0055aa; }\n";
}

/* Bytes that are not UTF-8, and control characters, become U+FFFD. */
static void print_escaped(struct text *out, const char *bytes)
{
    size_t length = strlen(bytes);
    while (length) {
        size_t count;
        const uint32_t code = utf8_decode(bytes, length, &count);
        const bool is_control = code < 0x20 && code != '\n' && code != '\t';
        if (code == '&')
            text_print(out, "&amp;");
        else if (code == '<')
            text_print(out, "&lt;");
        else if (code == '>')
            text_print(out, "&gt;");
        else if (code == '"')
            text_print(out, "&quot;");
        else if (code == UTF8_REPLACEMENT || is_control || code == 0x7f)
            text_print(out, "\xEF\xBF\xBD");
        else
            text_append(out, bytes, count);
        bytes += count;
        length -= count;
    }
}

static void print_element(struct text *out, const char *before, const char *text, const char *after)
{
    text_print(out, "%s", before);
    print_escaped(out, text);
    text_print(out, "%s", after);
}

/* `name` becomes code. */
static void print_prose_text(struct text *out, const char *text)
{
    bool is_code = false;
    for (const char *at = text;;) {
        const size_t length = strcspn(at, "`");
        const bool ends = at[length] && (is_code || strchr(at + length + 1, '`'));
        print_escaped(out, arena_text(out->arena, at, length));
        if (!at[length])
            break;
        text_print(out, "%s", ends ? is_code ? "</code>" : "<code>" : "`");
        is_code = ends && !is_code;
        at += length + 1;
    }
}

static void print_prose(struct text *out, const struct prose *prose)
{
    for (size_t i = 0; i < prose->paragraphs.count; i++) {
        const struct paragraph *p = &prose->paragraphs.item[i];
        text_print(out, "%s", p->is_source ? "<p class=\"source\">Source: " : "<p>");
        print_prose_text(out, p->text);
        text_print(out, "</p>\n");
    }
}

static void print_head(struct text *out, const char *title)
{
    print_element(out,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
                  title,
                  "</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n");
}

const char *html_page_name(struct arena *arena, const char *module)
{
    return arena_format(arena, "%s.html", module);
}

/* The page of a module of the list; NULL where it has none. */
static const char *page_of(struct arena *arena, const struct outline_list *list, const char *module)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i].name, module) == 0)
            return html_page_name(arena, module);
    return NULL;
}

static void print_link(struct text *out, const char *page, const char *part, const char *text)
{
    if (page) {
        print_element(out, "<a href=\"", page, "");
        print_element(out, part ? "#" : "", part ? part : "", "\">");
    }
    print_element(out, "<code>", text, page ? "</code></a>" : "</code>");
}

/* ---- Entries ---- */

static uint32_t signature_end(const struct ast *item)
{
    const struct ast_list *results = item->as.filter.results;
    return item->kind == AST_FILTER ? results->item[results->count - 1]->span.end : item->span.end;
}

/* "filter f(a : image<f32>[y, x]) -> out : image<f32>[y, x]"; the whole of a function or a
 * constant. */
static void print_signature(struct text *out, const struct module *module, const struct ast *item)
{
    const bool closes = item->kind == AST_FILTER && item->as.filter.results->count > 1;
    print_escaped(out, outline_source(out->arena, module, item->span.start, signature_end(item)));
    text_print(out, "%s\n", closes ? ")" : "");
}

static void print_cell(struct text *out, const struct module *module, const struct ast *node,
                       const char *otherwise)
{
    text_print(out, "<td>");
    if (node)
        print_element(out, "<code>",
                      outline_source(out->arena, module, node->span.start, node->span.end),
                      "</code>");
    else
        text_print(out, "%s", otherwise);
    text_print(out, "</td>");
}

static void print_parameter(struct text *out, const struct module *module, const struct ast *formal)
{
    const struct symbol *help = formal->as.formal.text;
    print_element(out, "<tr><td><code>", formal->as.formal.name->text, "</code></td>");
    print_cell(out, module, formal->as.formal.type, "");
    print_cell(out, module, formal->as.formal.value, "must be given");
    print_cell(out, module, formal->as.formal.range, "any");
    print_element(out, "<td>", help ? help->text : "", "");
    if (formal->as.formal.role == FORMAL_CONST)
        text_print(out, "%sknown when compiled", help ? "; " : "");
    text_print(out, "</td></tr>\n");
}

/* Images are in the signature. */
static void print_parameters(struct text *out, const struct module *module,
                             const struct ast *filter)
{
    const struct ast_list *formals = filter->as.filter.formals;
    bool any = false;
    for (size_t i = 0; i < formals->count; i++) {
        if (formals->item[i]->as.formal.role == FORMAL_IMAGE)
            continue;
        if (!any)
            text_print(out, "<table>\n<tr><th>parameter</th><th>type</th><th>default</th>"
                            "<th>range</th><th></th></tr>\n");
        print_parameter(out, module, formals->item[i]);
        any = true;
    }
    text_print(out, "%s", any ? "</table>\n" : "");
}

static void print_example(struct text *out, const struct module *module, const struct ast *example)
{
    print_element(out, "<pre><code>",
                  outline_source(out->arena, module, example->span.start, example->span.end),
                  "</code></pre>\n");
}

static void print_entry(struct text *out, const struct module *module,
                        const struct outline_entry *entry)
{
    for (size_t i = 0; i < entry->items.count; i++) {
        const char *name = outline_item_name(entry->items.item[i])->text;
        print_element(out, i ? ", <span id=\"" : "<h2 id=\"", name, "\">");
        print_element(out, "<code>", name, i ? "</code></span>" : "</code>");
    }
    text_print(out, "%s", entry->items.count ? "</h2>\n" : "");
    print_prose(out, &entry->prose);
    if (entry->items.count)
        text_print(out, "<pre><code>");
    for (size_t i = 0; i < entry->items.count; i++)
        print_signature(out, module, entry->items.item[i]);
    if (entry->items.count)
        text_print(out, "</code></pre>\n");
    for (size_t i = 0; i < entry->items.count; i++) {
        const struct ast *item = entry->items.item[i];
        if (item->kind != AST_FILTER)
            continue;
        print_parameters(out, module, item);
        print_element(out, "<details><summary>Definition</summary><pre><code>",
                      outline_source(out->arena, module, item->span.start, item->span.end),
                      "</code></pre></details>\n");
    }
    if (entry->examples.count)
        text_print(out, "<p>%s:</p>\n", entry->examples.count == 1 ? "Example" : "Examples");
    for (size_t i = 0; i < entry->examples.count; i++)
        print_example(out, module, entry->examples.item[i]);
}

static void print_names(struct text *out, const struct outline *outline, const char *page)
{
    const char *before = "";
    for (size_t i = 0; i < outline->entries.count; i++)
        for (size_t k = 0; k < outline->entries.item[i].items.count; k++) {
            const char *name = outline_item_name(outline->entries.item[i].items.item[k])->text;
            text_print(out, "%s", before);
            print_link(out, page, name, name);
            before = ",\n";
        }
}

const char *html_page(struct arena *arena, const struct outline *outline,
                      const struct outline_list *list)
{
    struct text out = text_create(arena);
    print_head(&out, outline->name);
    print_element(&out, "<p><a href=\"index.html\">All modules</a></p>\n<h1><code>", outline->name,
                  "</code></h1>\n");
    print_prose(&out, &outline->prose);
    if (outline->module->from_library)
        print_element(&out, "<pre><code>import ", outline->name, ";</code></pre>\n");
    if (outline->imports.count)
        text_print(&out, "<p class=\"about\">Made with");
    for (size_t i = 0; i < outline->imports.count; i++) {
        const char *name = outline->imports.item[i]->text;
        text_print(&out, i ? ", " : " ");
        print_link(&out, page_of(arena, list, name), NULL, name);
    }
    text_print(&out, outline->imports.count ? ".</p>\n<p>" : "<p>");
    print_names(&out, outline, "");
    text_print(&out, "</p>\n");
    for (size_t i = 0; i < outline->entries.count; i++)
        print_entry(&out, outline->module, &outline->entries.item[i]);
    if (outline->examples.count)
        text_print(&out, "<h2>Examples</h2>\n");
    for (size_t i = 0; i < outline->examples.count; i++)
        print_example(&out, outline->module, outline->examples.item[i]);
    text_print(&out, "</body>\n</html>\n");
    return out.bytes;
}

const char *html_index(struct arena *arena, const struct outline_list *list)
{
    struct text out = text_create(arena);
    print_head(&out, "Filters");
    text_print(&out, "<h1>Filters</h1>\n<dl>\n");
    for (size_t i = 0; i < list->count; i++) {
        const struct outline *outline = &list->item[i];
        const char *page = html_page_name(arena, outline->name);
        text_print(&out, "<dt>");
        print_link(&out, page, NULL, outline->name);
        text_print(&out, "</dt>\n<dd>\n");
        print_prose(&out, &outline->prose);
        text_print(&out, "<p>");
        print_names(&out, outline, page);
        text_print(&out, "</p>\n</dd>\n");
    }
    text_print(&out, "</dl>\n</body>\n</html>\n");
    return out.bytes;
}
