/* Results that are single numbers, as text. */
#ifndef FLTC_COMMAND_PRINT_NUMBERS_H
#define FLTC_COMMAND_PRINT_NUMBERS_H

#include "command/results.h"

/* Whether the signature declares it a number, without axes. */
bool result_is_number(const struct result *result);
/* As the language writes it, so that it reads back. */
void print_value(struct text *text, enum scalar scalar, struct fixed_point fixed,
                 struct value value);
/* Prints "NAME = VALUE", on a line for each place along axes that the filter is mapped over; behind
 * "FILE: " where a sequence of files is run. On standard output, or on standard error where
 * is_taken, as other results go there. False after a message. */
bool print_number(struct command_context *c, const struct result *result, const char *file,
                  bool is_taken);

#endif
