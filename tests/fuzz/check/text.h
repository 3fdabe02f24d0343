/* What the compiler promises of any source text: no crash, no leak, no fault of fltc found by its
 * own verifiers; of an accepted text that its formatted form is accepted and formats to itself. */
#ifndef CHECK_TEXT_H
#define CHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_TEXT = 1 << 16 };

struct source {
    char at[LONGEST_TEXT];
    size_t length;
};

struct text_check {
    char problem[512];        /* the promise that is broken; "": none */
    size_t largest;           /* bytes of all arenas of one session, at most so far */
    uint64_t parsed, emitted; /* texts, filters so far */
};

/* Formats the text, checks it and compiles each of its filters for C, as far as they go, up to the
 * first problem. Returns the longest of these, in seconds of processor time; *accepted: whether the
 * text is. */
double check_text(struct text_check *check, const struct source *s, bool *accepted);

#endif
