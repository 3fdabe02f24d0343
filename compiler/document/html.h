/* Outlines of modules → pages of HTML. */
#ifndef FLTC_DOCUMENT_HTML_H
#define FLTC_DOCUMENT_HTML_H

#include "document/outline.h"

struct outline_list { /* a VECTOR */
    struct outline *item;
    size_t count, capacity;
};

/* The file name of the page of a module of that name in its outline: "std.box.html",
 * "blur.flt.html". */
const char *html_page_name(struct arena *arena, const char *module);
/* A page of one module; modules of the list link to each other. */
const char *html_page(struct arena *arena, const struct outline *outline,
                      const struct outline_list *list);
/* The page that lists the modules and what is in them. */
const char *html_index(struct arena *arena, const struct outline_list *list);
/* The style sheet that all pages take, "style.css". */
const char *html_style(void);

#endif
