/* What the files of the formatter share. format.c: items, statements, comments;
 * format_expressions.c: types, signatures, expressions; format_layout.c: lines. */
#ifndef FLTC_FRONTEND_FORMAT_PRINTER_H
#define FLTC_FRONTEND_FORMAT_PRINTER_H

#include "frontend/ast.h"
#include "frontend/format_layout.h"

struct format_printer {
    const struct module *module;
    struct layout layout;
    size_t next_comment; /* of module->comments, not printed yet */
    uint32_t last;       /* where in the source the last printed entry ends; 0: unknown */
    bool at_start;       /* of the file */
    bool needs_blank;    /* line before the next entry */
};

/* Any node. A NAMED is printed as in an index: "name: value". */
void format_node(struct format_printer *printer, const struct ast *node);

static inline void format_word(struct format_printer *printer, const char *text)
{
    layout_add_text(&printer->layout, LAYOUT_TEXT, text, strlen(text));
}

static inline void format_symbol(struct format_printer *printer, const struct symbol *symbol)
{
    layout_add_text(&printer->layout, LAYOUT_TEXT, symbol->text, symbol->length);
}

static inline void format_space(struct format_printer *printer)
{
    layout_add_text(&printer->layout, LAYOUT_SPACE, " ", 1);
}

void format_quoted(struct format_printer *printer, const struct symbol *text);
/* "before" + the nodes with ", " between them + "after"; nothing for NULL. */
void format_list(struct format_printer *printer, const char *before, const struct ast_list *list,
                 const char *after);
/* "(formals) -> result", which ends the line before the arrow if it does not fit. */
void format_signature(struct format_printer *printer, const struct ast_list *formals,
                      const struct ast_list *results);
void format_optional_type(struct format_printer *printer, const struct ast *type);
/* An expression where the grammar wants one of the postfix operators' operands. */
void format_postfix(struct format_printer *printer, const struct ast *node);
/* A node of an expression, a type or a signature, a block { let …; e } excepted. */
void format_expression(struct format_printer *printer, const struct ast *node);

/* The source text at an offset of the source map; NULL where there is none. */
const char *format_source(const struct format_printer *printer, uint32_t offset);
/* The first such byte of the source that is not in a comment; NULL where there is none. */
const char *format_find(const struct format_printer *printer, struct span where, char wanted);
/* Whether the source has no line end there; true where there is no source. */
bool format_is_on_one_line(const struct format_printer *printer, struct span span);

#endif
