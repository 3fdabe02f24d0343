/* Statuses: their enumeration in the header, and the function that puts them into words. */
#include "emit/emission.h"
#include "emit/host/host.h"

/* The nth requirement of the program has the number CHECKS + n: behind all other numbers, however
 * many requirements there are. */
enum { CHECKS = 100000 };

enum where { ALL, PREPARED, OPENED, TASKS, FLOATS, CHECKED, SIZED, CALLED, BOXES };

static const struct status_row {
    const char *name;
    int number;
    enum where where;
    const char *text;
} row[] = {
#define STATUS(name, number, where, text) {#name, number, where, text},
#include "emit/host/statuses.def"
#undef STATUS
};
enum { ROWS = sizeof row / sizeof row[0] };

/* Whether the filter is for inputs of known extents. */
static bool has_known_extents(const struct emission *e)
{
    bool any = false;
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *buffer = program_buffer(e->program, e->program->inputs.item[i]);
        for (unsigned k = 0; k < buffer->rank; k++)
            any = any || buffer->axis[k].extent->kind == EXPR_INTEGER;
    }
    return any;
}

static bool has_status(const struct emission *e, const struct status_row *status)
{
    return status->where == PREPARED  ? e->prepared != NULL
           : status->where == OPENED  ? e->opened != NULL
           : status->where == TASKS   ? e->dialect->host->takes_tasks
           : status->where == FLOATS  ? host_asks_fused(e)
           : status->where == CHECKED ? e->options->self_check != NULL
           : status->where == SIZED   ? has_known_extents(e)
           : status->where == CALLED  ? e->options->entry
           : status->where == BOXES   ? e->options->boxes
                                      : true;
}

long status_of_check(size_t check)
{
    return (long)(CHECKS + check + 1);
}

void statuses_visit(struct emission *e,
                    void (*visit)(const char *name, long number, const char *text, void *user),
                    void *user)
{
    for (size_t i = 0; i < ROWS; i++)
        if (has_status(e, &row[i]))
            visit(row[i].name, row[i].number, row[i].text, user);
    for (size_t c = 0; c < e->program->checks.count; c++)
        visit(arena_format(e->arena, "CHECK_%zu", c + 1), status_of_check(c),
              e->program->checks.item[c].text, user);
    for (const struct device_status *s = e->dialect->host->statuses; s && s->name; s++)
        visit(s->name, s->number, s->text, user);
}

static void print_value(const char *name, long number, const char *text, void *user)
{
    struct emission *e = user;
    text_print(e->out, "    %s_%s = %ld, /* %s */\n", name_upper(e, e->name), name, number,
               comment_text(e->arena, text));
}

void print_statuses(struct emission *e)
{
    text_print(e->out, "/* A number means the same in all filters and versions of fltc");
    if (e->program->checks.count)
        text_print(e->out, ";\n * CHECK_n are requirements of this filter, as its text now is");
    text_print(e->out, ". */\nenum %s_status {\n", e->name);
    statuses_visit(e, print_value, e);
    if (e->dialect->host->print_statuses)
        e->dialect->host->print_statuses(e);
    text_print(e->out, "};\n\n");
}

static void print_case(const char *name, long number, const char *text, void *user)
{
    struct emission *e = user;
    (void)name;
    text_print(e->out, "    case %ld:\n        return %s;\n", number,
               string_literal(e->arena, text));
}

void print_status_text(struct emission *e)
{
    text_print(e->out, "const char *%s_status_text(int status)\n{\n    switch (status) {\n",
               e->name);
    statuses_visit(e, print_case, e);
    if (e->dialect->host->print_status_cases)
        e->dialect->host->print_status_cases(e);
    text_print(e->out, "    default:\n        return ");
    if (e->dialect->host->print_other_status)
        e->dialect->host->print_other_status(e);
    else
        text_print(e->out, "\"unknown status\"");
    text_print(e->out, ";\n    }\n}\n\n");
}
