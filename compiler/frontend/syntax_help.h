/* What to propose after a syntax error. */
#ifndef FLTC_FRONTEND_SYNTAX_HELP_H
#define FLTC_FRONTEND_SYNTAX_HELP_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct syntax_error {
    const char *found;                /* as it is written; "" at the end of the file */
    const char *before, *before_that; /* the tokens before it; "" where there are none */
    const char *first;                /* the first of its statement */
    const char *const *expected;      /* tokens without quotes: ";", "..", "a name" */
    size_t count;
    bool is_keyword;      /* found is a word of the language */
    bool follows_keyword; /* the token before it is */
    bool is_outside;      /* of all braces */
    const char *text;     /* of the whole file */
    size_t length;        /* of the text, in bytes */
    size_t at, after;     /* where in it `found` begins and ends */
};

bool syntax_expects(const struct syntax_error *error, const char *token);
/* NULL: nothing to propose beyond what the message says. What it makes lies in the arena. */
const char *syntax_help(struct arena *arena, const struct syntax_error *error);
/* The part of syntax_help that needs the text around the error: ranges and reductions. */
const char *syntax_help_of_ranges(struct arena *arena, const struct syntax_error *error);

#endif
