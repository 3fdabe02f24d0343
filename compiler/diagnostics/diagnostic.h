/* Messages to the user: collected, sorted, limited, rendered as text or JSON.
 * A row of diagnostics.def:   DIAGNOSTIC(E0304, ERROR, NULL, "'%s' has %d axes, but is read with %d")
 * gives code, severity, the -W name of a warning, and a printf template. */
#ifndef FLTC_DIAGNOSTICS_DIAGNOSTIC_H
#define FLTC_DIAGNOSTICS_DIAGNOSTIC_H

#include "source/source_map.h"
#include "source/span.h"
#include "support/arena.h"
#include "support/text.h"

#include <stdbool.h>

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_REMARK };

enum diagnostic_code {
#define DIAGNOSTIC(code, severity, name, message) DIAGNOSTIC_##code,
#include "diagnostics/diagnostics.def"
#undef DIAGNOSTIC
    DIAGNOSTIC_COUNT
};

struct diagnostic_info {
    const char *code; /* "E0304" */
    enum severity severity;
    const char *name; /* of a warning, for -Wname; else NULL */
    const char *message;
};
extern const struct diagnostic_info diagnostic_info[DIAGNOSTIC_COUNT];

struct diagnostic_label { /* a second place */
    struct span span;
    const char *text;
};
struct diagnostic_fix { /* help that an editor can apply; replacement NULL: words alone */
    struct span span;
    const char *replacement;
    bool safe; /* may be applied unseen */
};
struct diagnostic_help {
    const char *text;
    struct diagnostic_fix fix;
};

struct diagnostic {
    enum diagnostic_code code;
    enum severity severity; /* after -Werror */
    struct span span;
    const char *text;
    VECTOR(struct diagnostic_label) labels;
    VECTOR(const char *) notes;
    VECTOR(struct diagnostic_help) helps;
    unsigned order; /* in which they were reported: breaks ties in sorting */
};

struct diagnostics {
    struct arena *arena;
    const struct source_map *sources;
    VECTOR(struct diagnostic *) list;
    /* Errors that were listed before count too: whether a part is in order shows by it. */
    unsigned error_count, warning_count;
    struct { /* per warning code: */
        bool off, error;
    } setting[DIAGNOSTIC_COUNT];
};

/* Reports one. The result takes labels, notes and helps; it is never NULL. A warning that is
 * switched off is made, but not listed. The same code at the same span is listed once. */
struct diagnostic *diagnostic_report(struct diagnostics *diagnostics, enum diagnostic_code code,
                                     struct span span, ...);
/* Drops what was reported since the state was copied. */
void diagnostics_go_back(struct diagnostics *diagnostics, const struct diagnostics *state);
void diagnostic_label(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                      struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diagnostic_note(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));
void diagnostic_help(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A help with an edit; an empty span inserts, an empty replacement deletes. */
void diagnostic_fix(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                    struct span span, const char *replacement, bool safe, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* "name", "no-name", "error=name" of a -W option. False where no warning has the name. */
bool diagnostics_set_warning(struct diagnostics *diagnostics, const char *setting);

/* All that was listed, by position, at most 20 errors ("… and 7 more errors"). Text has carets;
 * JSON is one object a line. color: with terminal colours. */
void diagnostics_render_text(const struct diagnostics *diagnostics, struct text *out, bool color);
void diagnostics_render_json(const struct diagnostics *diagnostics, struct text *out);

#endif
