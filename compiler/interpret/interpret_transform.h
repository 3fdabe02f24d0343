/* A stage that transforms lines, for the oracle. */
#ifndef FLTC_INTERPRET_INTERPRET_TRANSFORM_H
#define FLTC_INTERPRET_INTERPRET_TRANSFORM_H

#include "interpret/interpret.h"

/* The samples of the stage, whose box is there: by the sums of the definition in long double,
 * rounded once; or, as emitted, by the text that emitted code carries, with the same neighbours in
 * a panel, so to the same bits. NULL, or why not: there is not enough memory. */
const char *interpret_transform(struct evaluator *evaluator, const struct stage *stage,
                                bool as_emitted, struct samples *samples);

/* ---- Terms of a panel: of each sample after a transform, a function of its line before it ---- */

/* The numbers of n places of a panel with their terms, before a transform of lines of n samples.
 * From malloc; NULL: there is no memory. */
struct value *panel_values(enum scalar scalar, int64_t n, const void *panel,
                           const struct expr *const term[]);
/* The terms of the panel after it. */
void panel_transformed(struct terms *terms, enum transform kind, enum transform_norm norm,
                       enum scalar scalar, int64_t n, const struct value before[],
                       const void *panel, const struct expr *term[]);

#endif
