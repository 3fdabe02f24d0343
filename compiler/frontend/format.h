/* Syntax tree → canonical source text. */
#ifndef FLTC_FRONTEND_FORMAT_H
#define FLTC_FRONTEND_FORMAT_H

#include "frontend/ast.h"
#include "support/text.h"

/* Appends the module as source text, in lines of at most 100 columns where that is possible.
 * Parsing the result gives the same tree apart from spans; formatting it again changes nothing.
 * With a file, comments, blank lines and the spelling of numbers are taken from it; a tree built by
 * a program has file NULL. Parentheses are added only where the tree needs them. */
void format_module(const struct module *module, struct text *out);

#endif
