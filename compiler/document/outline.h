/* What a reader wants to know of a module: its items with the comments that belong to them.
 *
 * A comment block is a row of lines that begin with //. One that stands directly above a filter, a
 * function or a constant is that item's. An item directly below another, without an empty line or a
 * comment between them, shares its entry. The first block of the file, where it is no item's, is
 * the module's; other blocks are remarks between entries. */
#ifndef FLTC_DOCUMENT_OUTLINE_H
#define FLTC_DOCUMENT_OUTLINE_H

#include "frontend/ast.h"
#include "support/arena.h"

struct paragraph {
    const char *text; /* lines joined by spaces */
    bool is_source;   /* began with "Source: ", which is left out */
};

struct prose {
    VECTOR(struct paragraph) paragraphs;
};

struct outline_entry {
    struct prose prose;
    VECTOR(const struct ast *) items;    /* filters, functions, constants; none: a remark */
    VECTOR(const struct ast *) examples; /* those that call one of the items, and none before */
};

struct outline {
    const struct module *module;
    const char *name; /* "std.box", or "blur.flt" of "filters/blur.flt" */
    struct prose prose;
    VECTOR(const struct symbol *) imports; /* of the library */
    VECTOR(struct outline_entry) entries;
    VECTOR(const struct ast *) examples; /* those that call none of the items */
};

/* name: of the library, or the file's path. The module needs no other than to be parsed. */
struct outline outline_of(struct arena *arena, const struct module *module, const char *name);

/* The text of the source from one offset of the source map to another. */
const char *outline_source(struct arena *arena, const struct module *module, uint32_t start,
                           uint32_t end);
/* The name of a filter, a function or a constant; NULL of other items. */
const struct symbol *outline_item_name(const struct ast *item);

#endif
