/* Text of one file → syntax tree. Syntax errors are reported; what could be parsed is returned. */
#ifndef FLTC_FRONTEND_PARSE_H
#define FLTC_FRONTEND_PARSE_H

#include "diagnostics/diagnostic.h"
#include "frontend/ast.h"

struct module *parse_file(const struct source_file *file, struct arena *arena,
                          struct symbol_table *symbols, struct diagnostics *diagnostics);

#endif
