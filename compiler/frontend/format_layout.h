/* Breaks a sequence of pieces into lines. A group of pieces is put on one line if it fits; if not,
 * its own spaces may become line ends, those of the groups inside it only after them. */
#ifndef FLTC_FRONTEND_FORMAT_LAYOUT_H
#define FLTC_FRONTEND_FORMAT_LAYOUT_H

#include "support/text.h"
#include "support/vector.h"

enum layout_kind {
    LAYOUT_TEXT,
    LAYOUT_SPACE,   /* its text, or the end of the line */
    LAYOUT_NEWLINE, /* always the end of the line */
    LAYOUT_COMMENT, /* a text to which the limit of columns does not apply */
    /* A group begins. What its further lines are indented by, and which of its spaces end lines: */
    LAYOUT_INDENT, /* 4 more than the lines around it; only where the line is full */
    LAYOUT_HANG,   /* to the column at which it begins; only where the line is full */
    LAYOUT_WHOLE,  /* 4 more; all of them, or none */
    LAYOUT_ROWS,   /* to the column at which it begins; all of them, or none */
    LAYOUT_CLOSE,  /* A group ends. */
    LAYOUT_END,    /* A WHOLE group ends; before that, a space that is indented as what is around */
};

struct layout_piece {
    enum layout_kind kind;
    const char *text;
    size_t length;
};

struct layout {
    struct arena *arena;
    VECTOR(struct layout_piece) pieces;
};

void layout_add(struct layout *layout, enum layout_kind kind);
/* A LAYOUT_TEXT, _SPACE or _COMMENT. The bytes are not copied. */
void layout_add_text(struct layout *layout, enum layout_kind kind, const char *text, size_t length);
void layout_print(const struct layout *layout, struct text *out);

#endif
