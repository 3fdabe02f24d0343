/* What stands around emitted C, whose arithmetic must be exact as written whatever options the
 * compiler was given, and which may share a translation unit with other code. */
#ifndef FLTC_EMIT_LAUNCH_EXACT_H
#define FLTC_EMIT_LAUNCH_EXACT_H

#include "emit/emission.h"

/* Prints the guards against options that no pragma undoes, and the pragmas that undo the others. */
void exact_print_begin(struct emission *e);
/* Prints the functions that set how the processor computes floats, and set it back; nothing for a
 * program without floats. */
void exact_print_floats(struct emission *e);
/* Prints the pragmas that give the code behind the file its own options back. */
void exact_print_end(struct emission *e);

#endif
