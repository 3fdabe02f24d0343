/* Loops that are calls of functions, as their levels say (loop/idioms.h). A box may end before it
 * begins:
 *     if (x_to > x_from)
 *         flt_transpose_f32(&to[…], to's stride, &from[…], from's stride, rows, columns); */
#include "emit/emission.h"
#include "loop/idioms.h"
#include "loop/scans.h"

#include <assert.h>

/* The address of the buffer's sample at these indices, `by` in place of the node in them. */
static void print_address(struct emission *e, const struct kernel_state *here, uint32_t id,
                          const struct expr *const index[], const struct expr *node,
                          const struct expr *by)
{
    const struct buffer *buffer = &e->program->buffers.item[id];
    const struct expr *at[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < buffer->rank; k++)
        at[k] = expr_substitute(&e->session->pool, e->arena, index[k], node, by);
    text_print(e->out, "&");
    emit_element(e, here, buffer, at);
    text_print(e->out, ", ");
}

static const char *helper_for(struct emission *e, const char *stem, enum scalar scalar)
{
    return helper_use(e, arena_format(e->arena, "flt_%s_%s", stem, scalar_info[scalar].text));
}

static void print_if_any(struct emission *e, const struct kernel_state *here,
                         const struct expr *extent)
{
    text_print(e->out, "if (");
    emit_bound(e, here, extent);
    text_print(e->out, " > 0)\n    ");
}

static void print_transposition(struct emission *e, const struct kernel_state *here,
                                const struct statement *loop)
{
    struct transposition t;
    const bool is_one = transposition_of(e->program, &e->session->pool, e->arena, loop, &t);
    assert(is_one);
    const bool bypassing = t.rows->as.loop.bypassing || t.columns->as.loop.bypassing;
    const enum scalar scalar = t.from->scalar;
    if (bypassing) { /* what its text mentions */
        helper_use(e, "flt_stream_row");
        helper_for(e, "transpose", scalar);
    }
    print_if_any(e, here, t.inner->as.loop.extent);
    text_print(e->out, "%s(&", helper_for(e, bypassing ? "turn" : "transpose", scalar));
    emit_element(e, here, t.to, t.to_index);
    text_print(e->out, ", ");
    emit_stride(e, t.to, t.to->rank - 2);
    text_print(e->out, ", &");
    emit_element(e, here, t.from, t.from_index);
    text_print(e->out, ", ");
    emit_stride(e, t.from, t.from->rank - 2);
    text_print(e->out, ", (int)(");
    emit_index(e, here, t.rows->as.loop.extent);
    text_print(e->out, "), (int)(");
    emit_index(e, here, t.columns->as.loop.extent);
    text_print(e->out, ")");
    if (bypassing)
        text_print(e->out, ", frame->%s", name_of_bypass(e, t.to));
    text_print(e->out, ");\n");
}

/* flt_running_sum_u32(&sums[x_from], &terms[x_from], x_to - x_from); */
static void print_scan(struct emission *e, const struct kernel_state *here,
                       const struct statement *loop)
{
    struct scan scan;
    const bool is_one = scan_of(e->program, e->arena, loop, &scan);
    assert(is_one);
    const struct expr *x = loop->as.loop.variable, *first = loop->as.loop.first;
    text_print(e->out, "%s(",
               helper_for(e, "running_sum", program_buffer(e->program, scan.to)->scalar));
    print_address(e, here, scan.to.index, scan.to_index, x, first);
    print_address(e, here, scan.from->as.load.source, scan.from->operand, x, first);
    emit_index(e, here, loop->as.loop.extent);
    text_print(e->out, ");\n");
}

void emit_lookup(struct emission *e, const struct kernel_state *here, const struct statement *loop,
                 const struct expr *first, const char *row)
{
    struct lookup lookup;
    const bool is_one = lookup_of(e->program, e->arena, loop, &lookup);
    assert(is_one);
    const struct expr *table = lookup.table, *from = lookup.from, *x = loop->as.loop.variable;
    text_print(e->out, "%s(", helper_use(e, "flt_lookup_u8"));
    if (row)
        text_print(e->out, "%s, ", row);
    else
        print_address(e, here, lookup.to->id.index, lookup.to_index, x, first);
    print_address(e, here, from->as.load.source, from->operand, x, first);
    print_address(e, here, table->as.load.source, table->operand, from,
                  expr_integer(&e->session->pool, 0));
}

static void print_lookup(struct emission *e, const struct kernel_state *here,
                         const struct statement *loop)
{
    print_if_any(e, here, loop->as.loop.extent);
    emit_lookup(e, here, loop, loop->as.loop.first, NULL);
    emit_index(e, here, loop->as.loop.extent);
    text_print(e->out, ");\n");
}

bool emit_idiom(struct emission *e, const struct kernel_state *here, const struct statement *loop)
{
    switch ((int)loop->as.loop.level) {
    case LEVEL_TURNED:
        print_transposition(e, here, loop);
        return true;
    case LEVEL_SCANNED:
        print_scan(e, here, loop);
        return true;
    case LEVEL_LOOKED_UP:
        print_lookup(e, here, loop);
        return true;
    default:
        return false;
    }
}
