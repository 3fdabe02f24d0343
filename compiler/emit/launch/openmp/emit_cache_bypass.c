/* Loops that store past the caches: some samples at a time lie in a row of their own, which is
 * copied. Where the image is small, the row is that of the image itself:
 *     for (int64_t x_from = 0, x_to; x_from < in_x; x_from = x_to) {
 *         x_to = flt_min_i64(x_from + flt_stream_part(&out[y * out_stride_y + x_from], 4, frame->out_streams), in_x);
 *         float out_row_part[128];
 *         float *FLT_RESTRICT const out_row = frame->out_streams ? out_row_part : &out[y * out_stride_y + x_from];
 *         FLT_SIMD
 *         for (int64_t x = x_from; x < x_to; x++)
 *             out_row[x - x_from] = ...;
 *         if (frame->out_streams)
 *             flt_stream_row(&out[y * out_stride_y + x_from], out_row, 4 * (x_to - x_from));
 *     } */
#include "emit/emission.h"
#include "expr/affine.h"
#include "loop/rewrite.h"
#include "loop/cache_bypass.h"

/* A row that is stored past the caches, part by part. */
struct bypassing_row {
    const struct statement *loop;
    const struct buffer *buffer;
    const struct expr *const *at; /* where a part is stored */
    const struct expr *from;      /* the first place of the part */
    const char *place, *from_name, *to_name, *row, *bypasses;
};

static struct bypassing_row bypassing_row_of(struct emission *e, const struct statement *loop)
{
    const struct statement *store = bypass_store_of(e->program, loop);
    const struct expr *variable = loop->as.loop.variable;
    struct bypassing_row r = {.loop = loop,
                              .buffer = program_buffer(e->program, store->as.store.buffer),
                              .place =
                                  name_of_local(e, variable, variable->as.variable.name->text)};
    /* Names that belong to the loop. */
    r.from = expr_variable(
        &e->session->pool, VARIABLE_LOCAL,
        symbol_format(&e->session->symbols, "%s.from", variable->as.variable.name->text),
        SCALAR_I64, variable->interval);
    r.from_name = name_of_local(e, r.from, r.from->as.variable.name->text);
    r.to_name = name_new_local(e, arena_format(e->arena, "%s_to", r.place));
    r.row = name_new_local(e, arena_format(e->arena, "%s_row", r.buffer->name->text));
    r.bypasses = name_of_bypass(e, r.buffer);
    r.at = statement_substitute(e->arena, e->arena, &e->session->pool, store, variable, r.from)
               ->as.store.index;
    return r;
}

/* x_to = flt_min_i64(x_from + flt_stream_part(&out[...], 4, frame->out_streams), in_x);
 * float out_row_part[128]; float *const out_row = ...; */
static void print_part(struct emission *e, const struct kernel_state *here,
                       const struct bypassing_row *r)
{
    const char *type = scalar_info[r->buffer->scalar].c_type;
    const unsigned bytes = scalar_info[r->buffer->scalar].bytes;
    text_print(e->out, "%s = %s(%s + %s(&", r->to_name, helper_use(e, "flt_min_i64"), r->from_name,
               helper_use(e, "flt_stream_part"));
    emit_element(e, here, r->buffer, r->at);
    text_print(e->out, ", %u, frame->%s), ", bytes, r->bypasses);
    emit_end(e, here, r->loop->as.loop.first, r->loop->as.loop.extent);
    text_print(e->out, ");\n%s %s_part[%u];\n%s *FLT_RESTRICT const %s = frame->%s ? %s_part : &",
               type, r->row, BYPASS_PART / bytes, type, r->row, r->bypasses, r->row);
    emit_element(e, here, r->buffer, r->at);
    text_print(e->out, ";\n");
}

/* if (frame->out_streams)
 *     flt_prefetch_row(&in[...] + (x_from - 1), 4 * (x_to - x_from)); */
static void print_beside(struct emission *e, const struct kernel_state *here,
                         const struct bypassing_row *r)
{
    struct expr_pool *pool = &e->session->pool;
    const size_t count = here->beside.count;
    if (count == 0)
        return;
    text_print(e->out, "if (frame->%s)%s\n", r->bypasses, count > 1 ? " {" : "");
    e->out->indent += 4;
    for (size_t i = 0; i < count; i++) {
        const struct statement *s = here->beside.item[i];
        const struct buffer *buffer = program_buffer(e->program, s->as.prefetch.buffer);
        text_print(e->out, "%s(&", helper_use(e, "flt_prefetch_row"));
        emit_element(e, here, buffer, s->as.prefetch.index);
        const struct expr *const further =
            affine_normal(pool, expr_binary(pool, EXPR_SUBTRACT, r->from, r->loop->as.loop.first));
        text_print(e->out, further == r->from ? " + " : " + (");
        emit_index(e, here, further);
        text_print(e->out, further == r->from ? "" : ")");
        text_print(e->out, ", %u * (%s - %s));\n", scalar_info[buffer->scalar].bytes, r->to_name,
                   r->from_name);
    }
    e->out->indent -= 4;
    text_print(e->out, count > 1 ? "}\n" : "");
}

static void print_samples(struct emission *e, const struct kernel_state *here,
                          const struct bypassing_row *r)
{
    const struct statement *loop = r->loop;
    if (loop->as.loop.level == LEVEL_LOOKED_UP) {
        emit_lookup(e, here, loop, r->from, r->row);
        text_print(e->out, "%s - %s);\n", r->to_name, r->from_name);
        return;
    }
    const char *pragma = e->dialect->loop_pragma[loop->as.loop.level];
    text_print(e->out, "%s%sfor (int64_t %s = %s; %s < %s; %s++)", pragma ? pragma : "",
               pragma ? "\n" : "", r->place, r->from_name, r->place, r->to_name, r->place);
    struct kernel_state inside = *here;
    inside.row = (struct row){
        r->buffer, arena_format(e->arena, "%s[%s - %s]", r->row, r->place, r->from_name)};
    emit_body(e, &inside, loop);
}

void emit_bypassing_loop(struct emission *e, const struct kernel_state *here,
                         const struct statement *loop)
{
    const struct bypassing_row r = bypassing_row_of(e, loop);
    text_print(e->out, "for (int64_t %s = ", r.from_name);
    emit_index(e, here, loop->as.loop.first);
    text_print(e->out, ", %s; %s < ", r.to_name, r.from_name);
    emit_end(e, here, loop->as.loop.first, loop->as.loop.extent);
    text_print(e->out, "; %s = %s) {\n", r.from_name, r.to_name);
    e->out->indent += 4;
    print_part(e, here, &r);
    print_beside(e, here, &r);
    print_samples(e, here, &r);
    text_print(e->out, "if (frame->%s)\n    %s(&", r.bypasses, helper_use(e, "flt_stream_row"));
    emit_element(e, here, r.buffer, r.at);
    text_print(e->out, ", %s, %u * (%s - %s));\n", r.row, scalar_info[r.buffer->scalar].bytes,
               r.to_name, r.from_name);
    e->out->indent -= 4;
    text_print(e->out, "}\n");
}
