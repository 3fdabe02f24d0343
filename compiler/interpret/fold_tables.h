/* What the passes evaluate_tables and evaluate_matrices do, of programs and of segments. */
#ifndef FLTC_INTERPRET_FOLD_TABLES_H
#define FLTC_INTERPRET_FOLD_TABLES_H

#include "graph_pass.h"

/* Tables that depend on constants alone become constant stages, and reads of a constant stage at a
 * known place its value. Stages that served such tables alone are not there. Tables that are large
 * or take long stay as they are. */
const struct graph *fold_tables(const struct graph *in, struct pass_context *context);

#endif
