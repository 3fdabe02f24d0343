/* Loops that look up bytes in a table of 256 entries, which some processors do for a whole register
 * at once:
 *     for (x = 0; x < in_x; x++)
 *         out[x] = curve[in[x]];
 * is flt_lookup_u8(&out[0], &in[0], curve, in_x). */
#include "emit/emission.h"
#include "expr/affine.h"

enum { TABLE = 256 }; /* entries: one for each byte */

/* Whether the place runs along the last axis alone, one sample at a time. */
static bool runs_along(struct emission *e, unsigned rank, const struct expr *const index[],
                       const struct expr *variable)
{
    if (rank == 0)
        return false;
    const struct affine last =
        affine_from(expr_binary(&e->session->pool, EXPR_SUBTRACT, index[rank - 1], variable));
    bool runs = true;
    for (unsigned t = 0; t < last.count; t++)
        runs = runs && !expr_contains(e->arena, last.term[t].atom, variable);
    for (unsigned k = 0; k + 1 < rank; k++)
        runs = runs && !expr_contains(e->arena, index[k], variable);
    return runs;
}

static bool is_table(struct emission *e, const struct expr *load, const struct expr *variable)
{
    const struct buffer *buffer = &e->program->buffers.item[load->as.load.source];
    if (load->kind != EXPR_LOAD || load->as.load.border || buffer->scalar != SCALAR_U8 ||
        buffer->rank == 0)
        return false;
    const struct buffer_axis *axis = &buffer->axis[buffer->rank - 1];
    for (unsigned k = 0; k + 1 < buffer->rank; k++)
        if (expr_contains(e->arena, load->operand[k], variable))
            return false;
    return axis->first == expr_integer(&e->session->pool, 0) &&
           axis->extent == expr_integer(&e->session->pool, TABLE) && !axis->circular;
}

/* Whether the second buffer is other memory than the first: what is stored is not looked up, or
 * read, in the same loop. */
static bool is_apart(const struct buffer *a, const struct buffer *b)
{
    return buffer_memory(a).index != buffer_memory(b).index;
}

bool lookup_of(struct emission *e, const struct statement *loop, struct lookup *lookup)
{
    const struct statement *store = loop->as.loop.body;
    const enum parallel_level level = loop->as.loop.level;
    const struct expr *variable = loop->as.loop.variable;
    if (store->kind != STATEMENT_STORE || loop->as.loop.reversed ||
        e->target->execution == EXECUTION_GRID || (level != LEVEL_VECTOR && level != LEVEL_SERIAL))
        return false;
    *lookup = (struct lookup){.to = program_buffer(e->program, store->as.store.buffer),
                              .to_index = store->as.store.index,
                              .table = store->as.store.value};
    if (lookup->table->kind != EXPR_LOAD || !is_table(e, lookup->table, variable))
        return false;
    lookup->from = lookup->table->operand[lookup->table->count - 1];
    if (lookup->from->kind != EXPR_LOAD || lookup->from->as.load.border ||
        lookup->from->scalar != SCALAR_U8 || lookup->to->scalar != SCALAR_U8)
        return false;
    const struct buffer *from = &e->program->buffers.item[lookup->from->as.load.source];
    const struct buffer *table = &e->program->buffers.item[lookup->table->as.load.source];
    return is_apart(lookup->to, from) && is_apart(lookup->to, table) && !buffer_is_circular(from) &&
           !buffer_is_circular(lookup->to) &&
           runs_along(e, from->rank, lookup->from->operand, variable) &&
           runs_along(e, lookup->to->rank, lookup->to_index, variable);
}

void emit_address(struct emission *e, const struct kernel_state *here, const struct buffer *buffer,
                  const struct expr *const index[], const struct expr *node, const struct expr *by)
{
    const struct expr *at[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < buffer->rank; k++)
        at[k] = expr_substitute(&e->session->pool, e->arena, index[k], node, by);
    text_print(e->out, "&");
    emit_element(e, here, buffer, at);
}

void emit_lookup(struct emission *e, const struct kernel_state *here, const struct lookup *lookup,
                 const struct expr *variable, const struct expr *first, const char *row)
{
    const struct expr *table = lookup->table;
    text_print(e->out, "%s(", helper_use(e, "flt_lookup_u8"));
    if (row)
        text_print(e->out, "%s", row);
    else
        emit_address(e, here, lookup->to, lookup->to_index, variable, first);
    text_print(e->out, ", ");
    emit_address(e, here, &e->program->buffers.item[lookup->from->as.load.source],
                 lookup->from->operand, variable, first);
    text_print(e->out, ", ");
    emit_address(e, here, &e->program->buffers.item[table->as.load.source], table->operand,
                 lookup->from, expr_integer(&e->session->pool, 0));
    text_print(e->out, ", ");
}
