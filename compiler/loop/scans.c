#include "loop/scans.h"

#include "graph/recurrence/recurrence.h"

bool scan_takes(enum scalar scalar)
{
    return scalar == SCALAR_U32 || scalar == SCALAR_I32;
}

/* Whether the load is of one row of a buffer, at that distance from the variable. */
static bool lies_at(const struct program *program, struct arena *scratch, const struct expr *load,
                    int64_t distance, const struct expr *variable)
{
    if (load->kind != EXPR_LOAD || load->as.load.border || load->count == 0 ||
        program->buffers.item[load->as.load.source].scalar != load->scalar)
        return false;
    for (unsigned k = 0; k + 1 < load->count; k++)
        if (expr_contains(scratch, load->operand[k], variable))
            return false;
    const struct interval offset = recurrence_offset(load->operand[load->count - 1], variable);
    return offset.least == distance && offset.greatest == distance;
}

/* In the same row, one sample on. */
static bool follows(const struct statement *store, const struct expr *before)
{
    bool same = store->as.store.buffer.index == before->as.load.source;
    for (unsigned k = 0; same && k + 1 < before->count; k++)
        same = store->as.store.index[k] == before->operand[k];
    return same;
}

bool scan_of(const struct program *program, struct arena *scratch, const struct statement *loop,
             struct scan *scan)
{
    const struct statement *store = loop->as.loop.body;
    const struct expr *x = loop->as.loop.variable;
    if (store->kind != STATEMENT_STORE || store->as.store.rank == 0 || loop->as.loop.reversed)
        return false;
    const struct buffer *to = program_buffer(program, store->as.store.buffer);
    const struct expr *sum = store->as.store.value;
    if (!scan_takes(to->scalar) || sum->kind != EXPR_CONVERT || sum->scalar != to->scalar ||
        sum->as.convert != CONVERT_WRAP || store->as.store.index[to->rank - 1] != x)
        return false;
    sum = sum->operand[0];
    if (sum->kind != EXPR_ADD || !lies_at(program, scratch, sum->operand[0], -1, x) ||
        !lies_at(program, scratch, sum->operand[1], 0, x) || !follows(store, sum->operand[0]) ||
        sum->operand[1]->scalar != to->scalar || sum->operand[1]->as.load.source == to->id.index)
        return false;
    *scan = (struct scan){to->id, store->as.store.index, sum->operand[1]};
    return true;
}
