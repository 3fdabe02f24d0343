/* The frame, a struct that all kernels of a call share; and the bodies of host functions, which use
 * its members by name. */
#include "emit/emission.h"
#include "emit/host/host.h"

static bool has_tiles(const struct program *program)
{
    bool found = false;
    for (size_t i = 0; i < program->buffers.count; i++)
        found = found || (program->buffers.item[i].space == SPACE_TILE &&
                          !buffer_holds_lines(&program->buffers.item[i]));
    return found;
}

/* ---- Loops around kernels ---- */

struct host_search {
    struct emission *e;
    struct hash_map around; /* variables of loops around */
    bool in_kernel;
    struct expr_walk walk;
};

static void note_variable(const struct expr *node, void *user)
{
    struct host_search *search = user;
    if (search->in_kernel && hash_map_find(&search->around, node) &&
        !name_is_of_host(search->e, node))
        VECTOR_PUSH(search->e->arena, &search->e->host, node);
}

static void note_expression(const struct expr *root, void *user)
{
    struct host_search *search = user;
    expr_visit(&search->walk, root, note_variable, search);
}

static void note_statement(const struct statement *statement, void *user)
{
    struct host_search *search = user;
    const bool around = search->in_kernel;
    if (statement->kind == STATEMENT_LOOP && !around) {
        hash_map_put(search->e->arena, &search->around, statement->as.loop.variable,
                     (void *)(uintptr_t)statement);
        search->walk.seen = (struct hash_map){0}; /* kernels before may have called theirs so */
    }
    search->in_kernel = around || statement->kind == STATEMENT_KERNEL;
    statement_expressions(statement, note_expression, search);
    statement_children(statement, note_statement, search);
    search->in_kernel = around;
}

void find_host_variables(struct emission *e)
{
    struct host_search search = {.e = e, .walk = {.scratch = e->arena}};
    note_statement(e->program->body, &search);
}

/* What lies in memory: float *u; or an object, and the place in it. */
static void print_memory(struct emission *e, const char *type, const char *name)
{
    const char *const object = e->dialect->host->object;
    if (object)
        text_print(e->out, "%s%s;\nint64_t %s;\n", object, name, name_of_first(e, name));
    else
        text_print(e->out, "%s *%s;\n", type, name);
}

static const char *type_of(struct emission *e, const struct buffer *buffer)
{
    return arena_format(e->arena, "%s%s", buffer->space == SPACE_INPUT ? "const " : "",
                        scalar_info[buffer->scalar].c_type);
}

/* What all kernels of one call share. */
void emit_frame(struct emission *e)
{
    given_print_types(e);
    prepared_print_type(e);
    text_print(e->out,
               "/* What all kernels of one call share. Strides are in samples%s. */\n"
               "struct %s_frame {\n",
               e->dialect->host->takes_strides ? "" : "; the last axis has stride 1", e->name);
    e->out->indent = 4;
    text_print(e->out, "%s", e->dialect->host->frame);
    given_print_field(e);
    prepared_print_field(e);
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (buffer_holds_lines(buffer)) {
            print_memory(e, "char", name_of_lines(e, buffer));
            text_print(e->out, "%s %s; /* so many bytes of it for each thread */\n",
                       size_in_frame(e), name_of_line_bytes(e, buffer));
        }
        const bool in_frame = buffer_is_in_frame(buffer);
        if (in_frame)
            print_memory(e, type_of(e, buffer), name_of_buffer(e, buffer));
        for (unsigned k = 0; k < buffer->rank && buffer_has_stride(e, buffer, k); k++)
            text_print(e->out, "%s %s;\n", stride_in_frame(e), name_of_stride(e, buffer, k));
        if (!in_frame)
            continue;
        if (buffer_bypasses(e, buffer))
            text_print(e->out, "int %s; /* stores to it go past the caches */\n",
                       name_of_bypass(e, buffer));
        for (unsigned k = 0; buffer->space == SPACE_INPUT && k < buffer->rank; k++)
            if (buffer->axis[k].extent->kind == EXPR_VARIABLE)
                text_print(e->out, "int64_t %s;\n", name_of_variable(e, buffer->axis[k].extent));
    }
    if (has_tiles(e->program))
        text_print(e->out, "char *tiles; /* FLT_TILE_BYTES for each thread */\n");
    print_values_of(e, SPACE_FRAME);
    for (size_t i = 0; i < e->program->values.count; i++)
        text_print(e->out, "int64_t %s;\n",
                   name_of_variable(e, e->program->values.item[i].variable));
    for (size_t i = 0; i < e->program->skews.count; i++)
        text_print(e->out, "int64_t %s; /* samples behind the begin of a line of cache */\n",
                   name_of_variable(e, e->program->skews.item[i].variable));
    for (size_t i = 0; i < e->program->parameters.count; i++) {
        const struct parameter *p = &e->program->parameters.item[i];
        text_print(e->out, "%s %s;\n", scalar_info[p->scalar].c_type,
                   name_of_variable(e, p->variable));
    }
    for (size_t i = 0; i < e->host.count; i++)
        text_print(e->out, "int64_t %s; /* at hand */\n", name_of_variable(e, e->host.item[i]));
    e->out->indent = 0;
    text_print(e->out, "};\n\n");
}
