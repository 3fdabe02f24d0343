#include "loop/idioms.h"

#include "expr/affine.h"
#include "loop/rewrite.h"

/* ---- Transpositions ---- */

/* Whether the index is the coordinate, and what is the same at all rows and columns. */
static bool goes_with(struct expr_pool *pool, struct arena *arena, const struct expr *index,
                      const struct expr *coordinate, const struct expr *other)
{
    const struct expr *more =
        index == coordinate
            ? expr_integer(pool, 0)
            : affine_normal(pool, expr_binary(pool, EXPR_SUBTRACT, index, coordinate));
    return !expr_contains(arena, more, coordinate) && !expr_contains(arena, more, other);
}

/* The last statement of a list of lets, with the lets substituted. */
static const struct statement *without_names(struct expr_pool *pool, struct arena *arena,
                                             const struct statement *body)
{
    while (body->kind == STATEMENT_BLOCK && body->as.block.count) {
        const struct statement_list *list = &body->as.block;
        const struct statement *last = list->item[list->count - 1];
        for (size_t i = list->count - 1; i-- > 0;) {
            if (list->item[i]->kind != STATEMENT_LET)
                return body;
            last = statement_substitute(arena, arena, pool, last, list->item[i]->as.let.variable,
                                        list->item[i]->as.let.value);
        }
        body = last;
    }
    return body;
}

/* The index where both loops begin. */
static const struct expr *at_corner(struct expr_pool *pool, struct arena *arena,
                                    const struct expr *index, const struct statement *rows,
                                    const struct statement *columns)
{
    return expr_substitute(
        pool, arena,
        expr_substitute(pool, arena, index, rows->as.loop.variable, rows->as.loop.first),
        columns->as.loop.variable, columns->as.loop.first);
}

bool transposition_of(const struct program *program, struct expr_pool *pool, struct arena *arena,
                      const struct statement *loop, struct transposition *t)
{
    const struct statement *columns = without_names(pool, arena, loop->as.loop.body);
    const struct statement *store = columns->kind == STATEMENT_LOOP
                                        ? without_names(pool, arena, columns->as.loop.body)
                                        : columns;
    const struct expr *value = store->kind == STATEMENT_STORE ? store->as.store.value : NULL;
    if (!value || value->kind != EXPR_LOAD || value->as.load.border || columns == store)
        return false;
    *t = (struct transposition){.rows = loop,
                                .columns = columns,
                                .inner = columns,
                                .from = &program->buffers.item[value->as.load.source],
                                .to = program_buffer(program, store->as.store.buffer)};
    const unsigned from = t->from->rank, to = t->to->rank;
    const struct expr *row = loop->as.loop.variable, *column = columns->as.loop.variable;
    const struct expr *const corner[4] = {value->operand[from - 2], store->as.store.index[to - 1],
                                          value->operand[from - 1], store->as.store.index[to - 2]};
    bool rows_first = true, columns_first = true;
    for (unsigned k = 0; k < 4; k++) {
        rows_first = rows_first &&
                     goes_with(pool, arena, corner[k], k < 2 ? row : column, k < 2 ? column : row);
        columns_first = columns_first && goes_with(pool, arena, corner[k], k < 2 ? column : row,
                                                   k < 2 ? row : column);
    }
    if (t->from->scalar != t->to->scalar || (!rows_first && !columns_first))
        return false;
    for (unsigned k = 0; k < from; k++)
        t->from_index[k] = at_corner(pool, arena, value->operand[k], loop, columns);
    for (unsigned k = 0; k < to; k++)
        t->to_index[k] = at_corner(pool, arena, store->as.store.index[k], loop, columns);
    if (columns_first) {
        t->rows = columns;
        t->columns = loop;
    }
    return true;
}

/* ---- Look-ups ---- */

enum { TABLE = 256 }; /* entries: one for each byte */

/* Whether the place runs along the last axis alone, one sample at a time. */
static bool runs_along(struct arena *scratch, unsigned rank, const struct expr *const index[],
                       const struct expr *variable)
{
    if (rank == 0)
        return false;
    const struct affine last = affine_sum(affine_from(index[rank - 1]), affine_from(variable), -1);
    bool runs = true;
    for (unsigned t = 0; t < last.count; t++)
        runs = runs && !expr_contains(scratch, last.term[t].atom, variable);
    for (unsigned k = 0; k + 1 < rank; k++)
        runs = runs && !expr_contains(scratch, index[k], variable);
    return runs;
}

static bool is_number(const struct expr *node, int64_t number)
{
    return node->kind == EXPR_INTEGER && node->as.integer == number;
}

static bool is_table(const struct program *program, struct arena *scratch, const struct expr *load,
                     const struct expr *variable)
{
    const struct buffer *buffer = &program->buffers.item[load->as.load.source];
    if (load->kind != EXPR_LOAD || load->as.load.border || buffer->scalar != SCALAR_U8 ||
        buffer->rank == 0)
        return false;
    const struct buffer_axis *axis = &buffer->axis[buffer->rank - 1];
    for (unsigned k = 0; k + 1 < buffer->rank; k++)
        if (expr_contains(scratch, load->operand[k], variable))
            return false;
    return is_number(axis->first, 0) && is_number(axis->extent, TABLE) && !axis->circular;
}

/* Whether the second buffer is other memory than the first: what is stored is not looked up, or
 * read, in the same loop. */
static bool is_apart(const struct buffer *a, const struct buffer *b)
{
    return buffer_memory(a).index != buffer_memory(b).index;
}

bool lookup_of(const struct program *program, struct arena *scratch, const struct statement *loop,
               struct lookup *lookup)
{
    const struct statement *store = loop->as.loop.body;
    const enum parallel_level level = loop->as.loop.level;
    const struct expr *variable = loop->as.loop.variable;
    if (store->kind != STATEMENT_STORE || loop->as.loop.reversed ||
        (level != LEVEL_VECTOR && level != LEVEL_SERIAL && level != LEVEL_LOOKED_UP))
        return false;
    *lookup = (struct lookup){.to = program_buffer(program, store->as.store.buffer),
                              .to_index = store->as.store.index,
                              .table = store->as.store.value};
    if (lookup->table->kind != EXPR_LOAD || !is_table(program, scratch, lookup->table, variable))
        return false;
    lookup->from = lookup->table->operand[lookup->table->count - 1];
    if (lookup->from->kind != EXPR_LOAD || lookup->from->as.load.border ||
        lookup->from->scalar != SCALAR_U8 || lookup->to->scalar != SCALAR_U8)
        return false;
    const struct buffer *from = &program->buffers.item[lookup->from->as.load.source];
    const struct buffer *table = &program->buffers.item[lookup->table->as.load.source];
    return is_apart(lookup->to, from) && is_apart(lookup->to, table) && !buffer_is_circular(from) &&
           !buffer_is_circular(lookup->to) &&
           runs_along(scratch, from->rank, lookup->from->operand, variable) &&
           runs_along(scratch, lookup->to->rank, lookup->to_index, variable);
}
