/* Collects messages: gives each its text and its severity, drops repetitions and what is switched
 * off, and chooses those that are shown. */
#include "diagnostics/diagnostic.h"
#include "diagnostics/render.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct diagnostic_info diagnostic_info[DIAGNOSTIC_COUNT] = {
#define DIAGNOSTIC(code, severity, name, message)                                                  \
    [DIAGNOSTIC_##code] = {#code, SEVERITY_##severity, name, message},
#include "diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

const char *const severity_word[] = {
    [SEVERITY_ERROR] = "error",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_REMARK] = "remark",
};

static bool same_span(struct span a, struct span b)
{
    return a.start == b.start && a.end == b.end;
}

static bool is_listed(const struct diagnostics *diagnostics, const struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < diagnostics->list.count; i++) {
        const struct diagnostic *other = diagnostics->list.item[i];
        if (other->code == diagnostic->code && same_span(other->span, diagnostic->span))
            return true;
    }
    return false;
}

struct diagnostic *diagnostic_report(struct diagnostics *diagnostics, enum diagnostic_code code,
                                     struct span span, ...)
{
    assert(code < DIAGNOSTIC_COUNT && "a code of diagnostics.def");
    const struct diagnostic_info *info = &diagnostic_info[code];
    struct diagnostic *diagnostic = ARENA_NEW(diagnostics->arena, struct diagnostic);
    va_list arguments;
    va_start(arguments, span);
    *diagnostic = (struct diagnostic){
        .code = code,
        .severity = diagnostics->setting[code].error ? SEVERITY_ERROR : info->severity,
        .span = span,
        .text = arena_vformat(diagnostics->arena, info->message, arguments),
        .order = (unsigned)diagnostics->list.count,
    };
    va_end(arguments);
    if (diagnostics->setting[code].off)
        return diagnostic;
    diagnostics->error_count += diagnostic->severity == SEVERITY_ERROR;
    if (is_listed(diagnostics, diagnostic))
        return diagnostic;
    VECTOR_PUSH(diagnostics->arena, &diagnostics->list, diagnostic);
    diagnostics->warning_count += diagnostic->severity == SEVERITY_WARNING;
    return diagnostic;
}

void diagnostics_go_back(struct diagnostics *diagnostics, const struct diagnostics *state)
{
    diagnostics->list.count = state->list.count;
    diagnostics->error_count = state->error_count;
    diagnostics->warning_count = state->warning_count;
}

void diagnostic_label(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                      struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(diagnostics->arena, format, arguments);
    va_end(arguments);
    VECTOR_PUSH(diagnostics->arena, &diagnostic->labels,
                (struct diagnostic_label){.span = span, .text = text});
}

void diagnostic_note(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(diagnostics->arena, format, arguments);
    va_end(arguments);
    VECTOR_PUSH(diagnostics->arena, &diagnostic->notes, text);
}

void diagnostic_help(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(diagnostics->arena, format, arguments);
    va_end(arguments);
    VECTOR_PUSH(diagnostics->arena, &diagnostic->helps, (struct diagnostic_help){.text = text});
}

void diagnostic_fix(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
                    struct span span, const char *replacement, bool safe, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(diagnostics->arena, format, arguments);
    va_end(arguments);
    const struct diagnostic_fix fix = {
        .span = span,
        .replacement = arena_text(diagnostics->arena, replacement, strlen(replacement)),
        .safe = safe,
    };
    VECTOR_PUSH(diagnostics->arena, &diagnostic->helps,
                (struct diagnostic_help){.text = text, .fix = fix});
}

bool diagnostics_set_warning(struct diagnostics *diagnostics, const char *setting)
{
    const bool error = strncmp(setting, "error=", 6) == 0;
    const bool off = strncmp(setting, "no-", 3) == 0;
    const char *name = setting + (error ? 6 : off ? 3 : 0);
    bool known = false;
    for (size_t code = 0; code < DIAGNOSTIC_COUNT; code++) {
        const struct diagnostic_info *info = &diagnostic_info[code];
        if (info->severity != SEVERITY_WARNING || !info->name || strcmp(info->name, name) != 0)
            continue;
        known = true;
        diagnostics->setting[code].off = off;
        diagnostics->setting[code].error |= error;
    }
    return known;
}

static int compare_by_position(const void *left, const void *right)
{
    const struct diagnostic *a = *(const struct diagnostic *const *)left;
    const struct diagnostic *b = *(const struct diagnostic *const *)right;
    if (a->span.start != b->span.start)
        return a->span.start < b->span.start ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

struct diagnostics_shown diagnostics_shown(const struct diagnostics *diagnostics,
                                           struct arena *arena)
{
    enum { MOST_ERRORS = 20 };
    struct diagnostics_shown shown = {0};
    const size_t all = diagnostics->list.count;
    if (all == 0)
        return shown;
    shown.item = arena_copy(arena, diagnostics->list.item, all * sizeof shown.item[0]);
    qsort(shown.item, all, sizeof shown.item[0], compare_by_position);
    unsigned errors = 0;
    for (size_t i = 0; i < all; i++)
        if (shown.item[i]->severity != SEVERITY_ERROR || errors++ < MOST_ERRORS)
            shown.item[shown.count++] = shown.item[i];
    shown.errors_left_out = errors > MOST_ERRORS ? errors - MOST_ERRORS : 0;
    return shown;
}
