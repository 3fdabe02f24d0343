/* Statuses: their enumeration in the header, and the function that puts them into words. */
#include "emit/emission.h"
#include "emit/host/host.h"

/* The nth requirement of the program has the number CHECKS + n: behind all other numbers, however
 * many requirements there are. */
enum { CHECKS = 100000 };

enum where { ALL, PREPARED, OPENED, TASKS, FLOATS, CHECKED, SIZED };

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
                                      : true;
}

void print_statuses(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out, "/* A number means the same in all filters and versions of fltc");
    if (e->program->checks.count)
        text_print(e->out, ";\n * CHECK_n are requirements of this filter, as its text now is");
    text_print(e->out, ". */\nenum %s_status {\n", e->name);
    for (size_t i = 0; i < ROWS; i++)
        if (has_status(e, &row[i]))
            text_print(e->out, "    %s_%s = %d, /* %s */\n", upper, row[i].name, row[i].number,
                       row[i].text);
    for (size_t c = 0; c < e->program->checks.count; c++)
        text_print(e->out, "    %s_CHECK_%zu = %zu, /* %s */\n", upper, c + 1, CHECKS + c + 1,
                   comment_text(e->arena, e->program->checks.item[c].text));
    for (const struct device_status *s = e->dialect->host->statuses; s && s->name; s++)
        text_print(e->out, "    %s_%s = %d, /* %s */\n", upper, s->name, s->number, s->text);
    if (e->dialect->host->print_statuses)
        e->dialect->host->print_statuses(e);
    text_print(e->out, "};\n\n");
}

void print_status_text(struct emission *e)
{
    text_print(e->out, "const char *%s_status_text(int status)\n{\n    switch (status) {\n",
               e->name);
    for (size_t i = 0; i < ROWS; i++)
        if (has_status(e, &row[i]))
            text_print(e->out, "    case %d:\n        return \"%s\";\n", row[i].number,
                       row[i].text);
    for (size_t c = 0; c < e->program->checks.count; c++)
        text_print(e->out, "    case %zu:\n        return %s;\n", CHECKS + c + 1,
                   string_literal(e->arena, e->program->checks.item[c].text));
    for (const struct device_status *s = e->dialect->host->statuses; s && s->name; s++)
        text_print(e->out, "    case %d:\n        return \"%s\";\n", s->number, s->text);
    if (e->dialect->host->print_status_cases)
        e->dialect->host->print_status_cases(e);
    text_print(e->out, "    default:\n        return ");
    if (e->dialect->host->print_other_status)
        e->dialect->host->print_other_status(e);
    else
        text_print(e->out, "\"unknown status\"");
    text_print(e->out, ";\n    }\n}\n\n");
}
