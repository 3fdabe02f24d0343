/* What a check on entry was made of. */
#ifndef FLTC_INTERPRET_CHECK_VALUES_H
#define FLTC_INTERPRET_CHECK_VALUES_H

#include "interpret/interpret.h"
#include "support/text.h"

struct evaluator;

/* Appends the values of the extents and parameters in the part of the condition that does not hold:
 * "a.x is 4, n is 50". Of a comparison of more than two such values its sides, too: "; the sides
 * are 4 and 47". The evaluator knows all variables. */
void check_values(struct evaluator *evaluator, const struct entry *entry,
                  const struct expr *condition, struct text *out);

#endif
