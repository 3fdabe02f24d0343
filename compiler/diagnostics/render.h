/* What the renderers share. */
#ifndef FLTC_DIAGNOSTICS_RENDER_H
#define FLTC_DIAGNOSTICS_RENDER_H

#include "diagnostics/diagnostic.h"

struct diagnostics_shown {
    const struct diagnostic **item; /* by position, then in the order of reporting */
    size_t count;
    unsigned errors_left_out; /* beyond the first 20 */
};

struct diagnostics_shown diagnostics_shown(const struct diagnostics *diagnostics,
                                           struct arena *arena);

/* "error", "warning", "remark". */
extern const char *const severity_word[];

#endif
