/* Loops that store past the caches: some samples at a time lie in a row of their own, which is copied. Where the image is
 * small, the row is that of the image itself:
 *     for (int64_t x_from = 0; x_from < in_x; x_from += 1024) {
 *         const int64_t x_to = flt_min_i64(x_from + 1024, in_x);
 *         float out_part[1024], *FLT_RESTRICT const out_row = frame->out_streams ? out_part : &out[y * out_stride_y + x_from];
 *         FLT_SIMD
 *         for (int64_t x = x_from; x < x_to; x++)
 *             out_row[x - x_from] = ...;
 *         if (frame->out_streams)
 *             flt_stream_row(&out[y * out_stride_y + x_from], out_row, 4 * (x_to - x_from));
 *     } */
#include "emit/emission.h"
#include "loop/rewrite.h"
#include "loop/streams.h"

enum { PART_BYTES = 4096 };

static void note_streams(const struct statement *statement, void *user)
{
    struct emission *e = user;
    const struct statement *store = statement->kind == STATEMENT_LOOP && statement->as.loop.streamed
                                        ? stream_store_of(e->program, statement)
                                        : NULL;
    if (store)
        e->streamed[store->as.store.buffer.index] = true;
    statement_children(statement, note_streams, e);
}

void find_streams(struct emission *e)
{
    e->streamed = ARENA_ARRAY(e->arena, bool, e->program->buffers.count + 1);
    note_streams(e->program->body, e);
}

bool buffer_is_streamed(const struct emission *e, const struct buffer *buffer)
{
    return e->streamed[buffer->id.index];
}

static void search_stream(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || (statement->kind == STATEMENT_LOOP && statement->as.loop.streamed);
    if (!*found)
        statement_children(statement, search_stream, found);
}

bool kernel_streams(const struct statement *kernel)
{
    bool found = false;
    search_stream(kernel, &found);
    return found;
}

const char *name_of_streams(struct emission *e, const struct buffer *buffer)
{
    return name_of(e, (const char *)buffer->axis + 4,
                   arena_format(e->arena, "%s_streams", buffer->name->text));
}

void emit_streamed_loop(struct emission *e, const struct statement *loop)
{
    const struct statement *store = stream_store_of(e->program, loop);
    const struct buffer *buffer = program_buffer(e->program, store->as.store.buffer);
    const char *type = scalar_info[buffer->scalar].c_type;
    const unsigned bytes = scalar_info[buffer->scalar].bytes, count = PART_BYTES / bytes;
    const struct expr *variable = loop->as.loop.variable;
    const char *name = name_of_local(e, variable, variable->as.variable.name->text);
    /* The first place of the part at hand, and the one behind it: names that belong to the loop. */
    const struct expr *from = expr_variable(
        &e->session->pool, VARIABLE_LOCAL,
        symbol_format(&e->session->symbols, "%s.from", variable->as.variable.name->text),
        SCALAR_I64, variable->interval);
    const char *from_name = name_of_local(e, from, from->as.variable.name->text);
    const char *to_name = name_of_local(e, store, arena_format(e->arena, "%s_to", name));
    const char *row = name_of_local(e, loop, arena_format(e->arena, "%s_row", buffer->name->text));
    const char *streams = name_of_streams(e, buffer);
    const struct statement *const at =
        statement_substitute(e->arena, e->arena, &e->session->pool, store, variable, from);

    text_print(e->out, "for (int64_t %s = ", from_name);
    emit_index(e, loop->as.loop.first);
    text_print(e->out, "; %s < ", from_name);
    emit_end(e, loop->as.loop.first, loop->as.loop.extent);
    text_print(e->out, "; %s += %u) {\n", from_name, count);
    e->out->indent += 4;
    text_print(e->out, "const int64_t %s = %s(%s + %u, ", to_name, helper_use(e, "flt_min_i64"),
               from_name, count);
    emit_end(e, loop->as.loop.first, loop->as.loop.extent);
    text_print(e->out, ");\n%s %s_part[%u];\n%s *FLT_RESTRICT const %s = frame->%s ? %s_part : &",
               type, row, count, type, row, streams, row);
    emit_element(e, buffer, at->as.store.index);
    const char *pragma = e->dialect->loop_pragma[loop->as.loop.level];
    text_print(e->out, ";\n%s%sfor (int64_t %s = %s; %s < %s; %s++)", pragma ? pragma : "",
               pragma ? "\n" : "", name, from_name, name, to_name, name);
    e->row = (struct row){buffer, arena_format(e->arena, "%s[%s - %s]", row, name, from_name)};
    emit_body(e, loop->as.loop.body);
    e->row.buffer = NULL;
    text_print(e->out, "if (frame->%s)\n    %s(&", streams, helper_use(e, "flt_stream_row"));
    emit_element(e, buffer, at->as.store.index);
    text_print(e->out, ", %s, %u * (%s - %s));\n", row, bytes, to_name, from_name);
    e->out->indent -= 4;
    text_print(e->out, "}\n");
}
