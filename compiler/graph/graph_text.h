/* The textual form of graphs, described in GRAPH.md. Printing what was read gives the same text. */
#ifndef FLTC_GRAPH_GRAPH_TEXT_H
#define FLTC_GRAPH_GRAPH_TEXT_H

#include "expr/expr_read.h"
#include "graph/graph.h"
#include "session.h"

void graph_print(const struct graph *graph, struct text *text);
/* NULL after a mistake, which is reported at its place (E0120). The graph is in session->ir and
 * session->pool; it is as the text says, and still to be verified. */
const struct graph *graph_read(struct session *session, const char *name, const char *text,
                               size_t length);

/* What loop programs have in common with graphs. */
/* " fixed 4", or nothing. */
void graph_print_fixed(struct text *text, struct fixed_point fixed);
struct fixed_point graph_read_fixed(struct expr_reader *reader);
void graph_print_parameters(struct expr_printer *printer, const struct parameter parameter[],
                            size_t count);
/* word: that each begins with. */
void graph_print_checks(struct expr_printer *printer, const char *word,
                        const struct graph_check check[], size_t count);
/* "{ 1, 2, 1 }" with a line end. */
void graph_print_constants(struct expr_printer *printer, const struct expr *const value[],
                           size_t count);
/* "dct2 ortho" */
void graph_print_transform(struct text *text, enum transform kind, enum transform_norm norm);
void graph_read_transform(struct ir_reader *ir, enum transform *kind, enum transform_norm *norm);
/* Behind the words "parameter", and "check" or "when". */
struct parameter graph_read_parameter(struct expr_reader *reader);
struct graph_check graph_read_check(struct expr_reader *reader);
const struct expr *const *graph_read_constants(struct expr_reader *reader, size_t *count);

#endif
