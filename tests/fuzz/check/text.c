#include "check/text.h"

#include "diagnostics/diagnostic.h"
#include "emit/emit.h"
#include "frontend/elaborate.h"
#include "frontend/format.h"
#include "pass_manager.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void render(const struct session *session)
{
    struct text text = text_create(session->permanent);
    diagnostics_render_text(&session->diagnostics, &text, false);
    diagnostics_render_text(&session->diagnostics, &text, true);
    diagnostics_render_json(&session->diagnostics, &text);
}

static void note_size(struct text_check *check, const struct session *session)
{
    const size_t bytes = arena_bytes(session->permanent) + arena_bytes(session->ir);
    if (bytes > check->largest)
        check->largest = bytes;
}

/* The filter of the given name, as far as it goes. */
static void emit_filter(struct text_check *check, const struct source *s, const char *name)
{
    struct session *session = session_create(NULL);
    const struct module_set *modules = load_modules_text(session, "mutant.flt", s->at, s->length);
    const struct ast *filter = elaborate_choose(session, modules, name);
    const struct elaborate_options options = {0};
    const struct graph *graph =
        filter ? elaborate_filter(session, modules, filter, &options) : NULL;
    if (graph && !session->diagnostics.error_count) {
        const struct target *target = target_find("c");
        const struct pass_options passes = {.verify_each = true};
        const struct pass_result result = run_passes(session, graph, target, &passes);
        if (result.problem) {
            snprintf(check->problem, sizeof check->problem, "filter %.60s: %.400s", name,
                     result.problem);
        } else {
            const struct emit_options emit = {.stem = "mutant", .entry = true};
            emit_program(session, result.program, target, &emit);
            check->emitted++;
        }
    } else if (!graph && !session->diagnostics.error_count) {
        snprintf(check->problem, sizeof check->problem, "filter %.60s: refused without a message",
                 name);
    }
    render(session);
    note_size(check, session);
    session_destroy(session);
}

/* Formats the text; whether it is accepted by the parser, and by the elaborator. */
static bool format(struct text_check *check, const struct source *s, struct source *out,
                   bool *elaborates)
{
    struct session *session = session_create(NULL);
    const struct module_set *modules = load_modules_text(session, "mutant.flt", s->at, s->length);
    const bool parses = session->diagnostics.error_count == 0;
    out->length = 0;
    if (parses) {
        struct text text = text_create(session->permanent);
        format_module(modules->list.item[0].module, &text);
        out->length = text.length < LONGEST_TEXT ? text.length : 0;
        if (out->length)
            memcpy(out->at, text.bytes, out->length);
        if (!elaborate_all(session, modules, NULL, NULL) && !check->problem[0])
            strcpy(check->problem, "a filter is refused without a message");
    }
    *elaborates = session->diagnostics.error_count == 0;
    render(session);
    note_size(check, session);
    session_destroy(session);
    return parses;
}

static void check_format(struct text_check *check, const struct source *s, bool *accepted)
{
    struct source *once = malloc(sizeof *once), *twice = malloc(sizeof *twice);
    bool again;
    if (!once || !twice)
        abort();
    const bool parses = format(check, s, once, accepted);
    if (parses) {
        check->parsed++;
        const bool parses_again = once->length == 0 || format(check, once, twice, &again);
        if (!parses_again)
            strcpy(check->problem, "the formatted text is not accepted");
        else if (once->length && again != *accepted)
            strcpy(check->problem, "the formatted text is judged differently");
        else if (once->length &&
                 (once->length != twice->length || memcmp(once->at, twice->at, once->length) != 0))
            strcpy(check->problem, "the formatted text is formatted differently");
    }
    *accepted &= parses;
    free(once);
    free(twice);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { MOST_FILTERS = 16, NAME_BYTES = 2048 };

/* Names of the filters of a text that parses. */
static size_t filter_names(const struct source *s, char (*name)[NAME_BYTES])
{
    size_t count = 0;
    struct session *session = session_create(NULL);
    const struct module_set *modules = load_modules_text(session, "mutant.flt", s->at, s->length);
    const struct ast_list *items = modules->list.item[0].module->items;
    for (size_t i = 0; i < items->count && count < MOST_FILTERS; i++)
        if (items->item[i]->kind == AST_FILTER)
            snprintf(name[count++], NAME_BYTES, "%s", items->item[i]->as.filter.name->text);
    session_destroy(session);
    return count;
}

double check_text(struct text_check *check, const struct source *s, bool *accepted)
{
    static char name[MOST_FILTERS][NAME_BYTES];
    const double start = seconds();
    check_format(check, s, accepted);
    double most = seconds() - start;
    const size_t filters = *accepted ? filter_names(s, name) : 0;
    for (size_t i = 0; i < filters && !check->problem[0]; i++) {
        const double before = seconds();
        emit_filter(check, s, name[i]);
        const double took = seconds() - before;
        most = took > most ? took : most;
    }
    return most;
}
