/* loop program → text. The body is printed first, which shows which variables occur; they are
 * declared at the top. */
#include "loop/loop_text.h"

#include "graph/graph_text.h"

#include <inttypes.h>

struct program_printer {
    struct expr_printer expr;
    const struct program *program;
    struct text *text;
};

static void print_buffer_name(struct program_printer *printer, buffer_id id)
{
    if (id.index < printer->program->buffers.count)
        text_print(printer->text, " %s", printer->expr.source[id.index].text);
    else
        text_print(printer->text, " #%" PRIu32, id.index);
}

static void print_expression(struct program_printer *printer, const char *word,
                             const struct expr *node)
{
    text_print(printer->text, "%s", word);
    expr_print(&printer->expr, node);
}

static void print_list(struct program_printer *printer, const char *open, size_t count,
                       const struct expr *const node[], const char *close)
{
    text_print(printer->text, "%s", open);
    for (size_t i = 0; i < count; i++)
        print_expression(printer, i ? ", " : "", node[i]);
    text_print(printer->text, "%s", close);
}

/* ---- Buffers ---- */

/* The values are as many as the box has samples; none are printed where the box is not constant. */
static size_t constant_count(const struct buffer *buffer)
{
    int64_t count = buffer->constant != NULL;
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *extent = buffer->axis[k].extent;
        const bool good = extent && extent->kind == EXPR_INTEGER && extent->as.integer >= 0 &&
                          extent->as.integer <= INT32_MAX && count <= INT32_MAX;
        count = good ? count * extent->as.integer : 0;
    }
    return (size_t)count;
}

static void print_buffer(struct program_printer *printer, const struct buffer *buffer, size_t place)
{
    struct text *text = printer->text;
    text_print(text, "\nbuffer %s", printer->expr.source[place].text);
    if (buffer->id.index != place)
        text_print(text, " #%" PRIu32, buffer->id.index);
    text_print(text, " : %s ", space_text[buffer->space]);
    expr_print_type(text, buffer->scalar, buffer->interval);
    graph_print_fixed(text, buffer->fixed);
    ir_print_span(text, buffer->span);
    text_print(text, " {\n");
    text->indent += 4;
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *const root[] = {buffer->axis[k].first, buffer->axis[k].extent};
        expr_print_shared(&printer->expr, 2, root);
        text_print(text, "axis ");
        ir_print_name(text, buffer->axis[k].name);
        print_expression(printer, " from ", root[0]);
        print_expression(printer, " extent ", root[1]);
        text_print(text, buffer->axis[k].circular ? " circular\n" : "\n");
    }
    if (buffer->space == SPACE_PART) {
        text_print(text, "within %" PRIu32, buffer->within.index);
        text_print(text, buffer->cut ? " cut %u\n" : "\n", buffer->cut);
    }
    if (buffer->bypass != BYPASS_IF_LARGE)
        text_print(text, buffer->bypass == BYPASS_ALWAYS ? "bypass always\n" : "bypass never\n");
    if (buffer->slot != NO_SLOT)
        text_print(text, "slot %" PRIu32 "\n", buffer->slot);
    if (buffer->constant) {
        text_print(text, "values ");
        expr_print_shared(&printer->expr, 0, NULL);
        graph_print_constants(&printer->expr, buffer->constant, constant_count(buffer));
    }
    text->indent -= 4;
    text_print(text, "}\n");
}

/* ---- Values, regions ---- */

static void print_values(struct program_printer *printer)
{
    for (size_t i = 0; i < printer->program->values.count; i++) {
        const struct named_value *value = &printer->program->values.item[i];
        expr_print_shared(&printer->expr, 1, &value->value);
        print_expression(printer, "value ", value->variable);
        print_expression(printer, " = ", value->value);
        text_print(printer->text, "\n");
    }
}

static void print_skews(struct program_printer *printer)
{
    for (size_t i = 0; i < printer->program->skews.count; i++) {
        print_expression(printer, "skew ", printer->program->skews.item[i].variable);
        text_print(printer->text, " of ");
        print_buffer_name(printer, printer->program->skews.item[i].buffer);
        text_print(printer->text, "\n");
    }
}

static void print_buffer_list(struct program_printer *printer, const char *word, size_t count,
                              const buffer_id id[])
{
    for (size_t i = 0; i < count; i++) {
        text_print(printer->text, "%s", word);
        print_buffer_name(printer, id[i]);
        text_print(printer->text, "\n");
    }
}

const char *const input_reach_text[REACH_COUNT] = {
    [REACH_PART] = "part",
    [REACH_MIRRORED] = "mirrored",
    [REACH_WHOLE] = "whole",
    [REACH_NOTHING] = "nothing",
};

static void print_regions(struct program_printer *printer)
{
    const struct program *program = printer->program;
    struct text *text = printer->text;
    expr_print_shared(&printer->expr, 0, NULL);
    if (program->region_variables.count)
        print_list(printer, "region_variables ", program->region_variables.count,
                   program->region_variables.item, "\n");
    for (size_t i = 0; i < program->regions.count; i++) {
        const struct input_region *region = &program->regions.item[i];
        const bool known = region->input.index < program->buffers.count;
        const unsigned rank = known ? program->buffers.item[region->input.index].rank : 0;
        const struct expr **root = ARENA_ARRAY(text->arena, const struct expr *, 2 * rank + 1);
        for (unsigned k = 0; k < rank; k++) {
            root[2 * k] = region->first[k];
            root[2 * k + 1] = region->end[k];
        }
        expr_print_shared(&printer->expr, 2 * rank, root);
        text_print(text, "region");
        print_buffer_name(printer, region->input);
        text_print(text, " (");
        for (unsigned k = 0; k < rank; k++) {
            print_expression(printer, k ? ", " : "", root[2 * k]);
            print_expression(printer, " .. ", root[2 * k + 1]);
            if (region->reach[k] != REACH_PART)
                text_print(text, " %s", input_reach_text[region->reach[k]]);
        }
        text_print(text, ")\n");
    }
}

/* ---- Statements ---- */

static void print_statement(struct program_printer *printer, const struct statement *s);

static void print_items(struct program_printer *printer, const struct statement_list *block)
{
    for (size_t i = 0; i < block->count; i++)
        print_statement(printer, block->item[i]);
}

/* " {", the statements, "}". A block of one statement is written out, to tell it from that
 * statement; the span of the block itself follows the brace. */
static void print_body(struct program_printer *printer, const struct statement *body)
{
    struct text *text = printer->text;
    const bool is_block = body->kind == STATEMENT_BLOCK && body->as.block.count != 1;
    text_print(text, " {\n");
    text->indent += 4;
    if (is_block)
        print_items(printer, &body->as.block);
    else
        print_statement(printer, body);
    text->indent -= 4;
    text_print(text, "}");
    if (is_block)
        ir_print_span(text, body->span);
}

static void print_branches(struct program_printer *printer, const struct statement *s)
{
    print_body(printer, s->as.branch.then);
    if (!s->as.branch.otherwise)
        return;
    text_print(printer->text, " else");
    print_body(printer, s->as.branch.otherwise);
}

static void print_explicit_block(struct program_printer *printer, const struct statement *s)
{
    text_print(printer->text, " {\n");
    printer->text->indent += 4;
    print_items(printer, &s->as.block);
    printer->text->indent -= 4;
    text_print(printer->text, "}");
}

/* The operations that are used more than once by the statement itself. */
static void print_shared(struct program_printer *printer, const struct statement *s)
{
    const struct expr *root[GRAPH_MAX_RANK + 2];
    size_t count = 0;
    switch (s->kind) {
    case STATEMENT_LOOP:
        root[count++] = s->as.loop.first;
        root[count++] = s->as.loop.extent;
        break;
    case STATEMENT_IF:
        root[count++] = s->as.branch.condition;
        break;
    case STATEMENT_LET:
        root[count++] = s->as.let.value;
        break;
    case STATEMENT_STORE:
        for (unsigned k = 0; k < s->as.store.rank && k < GRAPH_MAX_RANK; k++)
            root[count++] = s->as.store.index[k];
        root[count++] = s->as.store.value;
        break;
    case STATEMENT_PREFETCH:
        for (unsigned k = 0; k < s->as.prefetch.rank && k < GRAPH_MAX_RANK; k++)
            root[count++] = s->as.prefetch.index[k];
        root[count++] = s->as.prefetch.extent;
        break;
    case STATEMENT_TRANSFORM:
        root[count++] = s->as.transform.extent;
        break;
    case STATEMENT_BLOCK:
    case STATEMENT_ALLOCATE:
    case STATEMENT_BARRIER:
    case STATEMENT_KERNEL:
    case STATEMENT_NOTE:
    case STATEMENT_PARTICLES:
    case STATEMENT_KIND_COUNT:
        break;
    }
    expr_print_shared(&printer->expr, count, root);
}

static void print_windows(struct program_printer *printer, const struct kernel_windows *w)
{
    static const char *const word[] = {"structure", "values", "results", "room", "window", "line"};
    const buffer_id buffer[] = {w->structure, w->values, w->results, w->room, w->window, w->line};
    text_print(printer->text, " windows");
    print_expression(printer, " ", w->lines);
    print_expression(printer, " ", w->cells);
    for (unsigned i = 0; i < sizeof word / sizeof *word; i++) {
        text_print(printer->text, " %s", word[i]);
        print_buffer_name(printer, buffer[i]);
    }
    for (unsigned a = 0; a < 3; a++)
        text_print(printer->text, " %" PRId64 " %" PRId64 " %" PRId64, w->first[a], w->extent[a],
                   w->border[a]);
}

/* Behind the statement's word and span. */
static void print_fields(struct program_printer *printer, const struct statement *s)
{
    struct text *text = printer->text;
    switch (s->kind) {
    case STATEMENT_BLOCK:
        print_explicit_block(printer, s);
        break;
    case STATEMENT_LOOP:
        print_expression(printer, " ", s->as.loop.variable);
        print_expression(printer, " from ", s->as.loop.first);
        print_expression(printer, " extent ", s->as.loop.extent);
        text_print(text, " %s%s%s%s", level_text[s->as.loop.level],
                   s->as.loop.reversed ? " reversed" : "", s->as.loop.bypassing ? " bypassing" : "",
                   s->as.loop.together ? " together" : "");
        if (s->as.loop.by)
            text_print(text, " by %" PRId64, s->as.loop.by);
        print_body(printer, s->as.loop.body);
        break;
    case STATEMENT_IF:
        text_print(text, s->as.branch.packed ? " packed" : "");
        print_expression(printer, " ", s->as.branch.condition);
        print_branches(printer, s);
        break;
    case STATEMENT_LET:
        print_expression(printer, " ", s->as.let.variable);
        print_expression(printer, " = ", s->as.let.value);
        break;
    case STATEMENT_STORE:
        if (s->as.store.join)
            text_print(text, " atomic %s", join_text[s->as.store.join]);
        if (s->as.store.beside)
            text_print(text, " beside %u", s->as.store.beside);
        print_buffer_name(printer, s->as.store.buffer);
        print_list(printer, "[", s->as.store.rank, s->as.store.index, "]");
        print_expression(printer, " = ", s->as.store.value);
        break;
    case STATEMENT_ALLOCATE:
        print_buffer_name(printer, s->as.allocate.buffer);
        break;
    case STATEMENT_KERNEL:
        text_print(text, " ");
        ir_print_name(text, s->as.kernel.name);
        text_print(text, "%s%s%s%s", s->as.kernel.staged ? " staged" : "",
                   s->as.kernel.alone ? " alone" : "", s->as.kernel.on_host ? " on_host" : "",
                   s->as.kernel.small ? " small" : "");
        if (s->as.kernel.windows)
            print_windows(printer, s->as.kernel.windows);
        print_body(printer, s->as.kernel.body);
        break;
    case STATEMENT_PREFETCH:
        text_print(text, s->as.prefetch.beside ? " beside" : "");
        print_buffer_name(printer, s->as.prefetch.buffer);
        print_list(printer, "[", s->as.prefetch.rank, s->as.prefetch.index, "]");
        print_expression(printer, " extent ", s->as.prefetch.extent);
        break;
    case STATEMENT_TRANSFORM:
        text_print(text, " ");
        graph_print_transform(text, s->as.transform.kind, s->as.transform.norm);
        print_expression(printer, " extent ", s->as.transform.extent);
        text_print(text, " table");
        print_buffer_name(printer, s->as.transform.table);
        if (s->as.transform.prepares)
            break;
        text_print(text, " panel");
        print_buffer_name(printer, s->as.transform.panel);
        break;
    case STATEMENT_PARTICLES:
        text_print(text, " %s", particle_call_info[s->as.particles.call].text);
        for (unsigned i = 0; i < particle_call_info[s->as.particles.call].count; i++) {
            text_print(text, " %s", particle_call_info[s->as.particles.call].buffer[i].name);
            print_buffer_name(printer, s->as.particles.buffer[i]);
        }
        break;
    case STATEMENT_NOTE:
        text_print(text, " ");
        ir_print_text(text, s->as.note.text);
        break;
    case STATEMENT_BARRIER:
    case STATEMENT_KIND_COUNT:
        break;
    }
}

static void print_statement(struct program_printer *printer, const struct statement *s)
{
    print_shared(printer, s);
    text_print(printer->text, "%s", statement_text[s->kind]);
    ir_print_span(printer->text, s->span);
    print_fields(printer, s);
    text_print(printer->text, "\n");
}

/* ---- The program ---- */

/* Buffers as loads name them. */
static const struct expr_source *sources_of(const struct program *program, struct arena *arena)
{
    struct ir_names names = {.arena = arena};
    struct expr_source *source = ARENA_ARRAY(arena, struct expr_source, program->buffers.count + 1);
    for (size_t i = 0; i < program->buffers.count; i++) {
        const struct buffer *buffer = &program->buffers.item[i];
        source[i] =
            (struct expr_source){ir_spell(&names, buffer->name), buffer->scalar, buffer->interval};
    }
    return source;
}

static void print_parts(struct program_printer *printer)
{
    const struct program *program = printer->program;
    graph_print_parameters(&printer->expr, program->parameters.item, program->parameters.count);
    for (size_t i = 0; i < program->buffers.count; i++)
        print_buffer(printer, &program->buffers.item[i], i);
    text_print(printer->text, "\n");
    print_values(printer);
    print_skews(printer);
    graph_print_checks(&printer->expr, "check", program->checks.item, program->checks.count);
    print_buffer_list(printer, "input", program->inputs.count, program->inputs.item);
    print_buffer_list(printer, "output", program->outputs.count, program->outputs.item);
    print_regions(printer);
    text_print(printer->text, "\nbody");
    print_body(printer, program->body);
    text_print(printer->text, "\n");
}

void program_print(const struct program *program, struct text *text)
{
    struct text body = text_create(text->arena);
    struct program_printer printer = {
        .expr = expr_printer_open(&body, sources_of(program, text->arena), program->buffers.count),
        .program = program,
        .text = &body};
    print_parts(&printer);
    text_print(text, "program ");
    ir_print_name(text, program->name);
    if (program->text && *program->text) {
        text_print(text, " ");
        ir_print_text(text, program->text);
    }
    text_print(text, "\n");
    expr_print_variables(&printer.expr, text);
    text_append(text, body.bytes, body.length);
}
