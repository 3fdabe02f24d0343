/* Several emitted files in one translation unit. Each file defines functions, types and macros of
 * its own that have the same names as those of other files, and not always the same text. The names
 * become the filter's while its file is read:
 *     #define flt_cpu blur_flt_cpu        in front
 *     #undef flt_cpu                      at the end
 *     #undef FLT_KERNEL */
#ifndef FLTC_EMIT_UNIT_NAMES_H
#define FLTC_EMIT_UNIT_NAMES_H

#include "support/text.h"

/* The text of a file from behind its includes on, between these lines. filter: the name that names
 * of the file begin with. */
struct text unit_names(struct arena *arena, const char *text, const char *filter);

#endif
