#include "loop/lower/grid_nest.h"

#include "analysis/regions.h"
#include "graph/placement/choose.h"
#include "loop/rewrite.h"

/* ---- Axes ---- */

static const struct expr *part_of(struct pass_context *context, const struct grid_axis *axis,
                                  const char *part, int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(context->pool, VARIABLE_INDEX,
                         symbol_format(&context->session->symbols, "%s.%s", axis->name->text, part),
                         SCALAR_I32, interval);
}

struct grid_cut grid_cut_of(struct pass_context *context, const struct grid_axis *axis)
{
    struct expr_pool *pool = context->pool;
    const int64_t samples = axis->tile * axis->rows;
    struct grid_cut cut = {.block = part_of(context, axis, "block", INT32_MAX / samples),
                           .thread = part_of(context, axis, "thread", axis->tile - 1)};
    const struct expr *begin =
        expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, samples), cut.block);
    const struct expr *thread =
        expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, axis->rows), cut.thread);
    cut.offset = region_sum(pool, begin, thread, 1);
    if (axis->rows > 1) {
        cut.row = part_of(context, axis, "row", axis->rows - 1);
        cut.offset = region_sum(pool, cut.offset, cut.row, 1);
    }
    return cut;
}

struct grid_parts grid_parts_of(struct pass_context *context, const struct grid_axis *axis,
                                int64_t places)
{
    struct expr_pool *pool = context->pool;
    struct grid_parts parts = {.count = (places + axis->tile - 1) / axis->tile};
    parts.part =
        expr_variable(pool, VARIABLE_INDEX, symbol_from(&context->session->symbols, "row.part"),
                      SCALAR_I32, (struct interval){0, parts.count - 1});
    parts.place =
        expr_binary(pool, EXPR_ADD, grid_cut_of(context, axis).thread,
                    expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, axis->tile), parts.part));
    return parts;
}

static const struct expr *blocks_of(struct expr_pool *pool, const struct grid_axis *axis)
{
    const int64_t samples = axis->tile * axis->rows;
    return expr_binary(pool, EXPR_DIVIDE,
                       region_sum(pool, axis->extent, expr_integer(pool, samples - 1), 1),
                       expr_integer(pool, samples));
}

int64_t grid_tile(const struct pass_context *context, uint32_t index, unsigned n)
{
    const int64_t most = context->target->block_threads;
    if (n == 0)
        return choose(context, index, CHOICE_BLOCK_X, 1, most);
    return n == 1 ? choose(context, index, CHOICE_BLOCK_Y, 1, most / grid_tile(context, index, 0))
                  : 1;
}

/* ---- Loops ---- */

static const struct statement *loop_over(struct pass_context *context, struct span span,
                                         enum parallel_level level, const struct expr *variable,
                                         const struct expr *first, const struct expr *extent,
                                         const struct statement *body)
{
    return STATEMENT_NEW(context->output, span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false, false, 0});
}

const struct statement *loop_together(struct pass_context *context, struct span span,
                                      const struct expr *variable, int64_t extent,
                                      const struct statement *body)
{
    return STATEMENT_NEW(context->output, span, .kind = STATEMENT_LOOP,
                         .as.loop = {.variable = variable,
                                     .first = expr_integer(context->pool, 0),
                                     .extent = expr_integer(context->pool, extent),
                                     .level = LEVEL_SERIAL,
                                     .body = body,
                                     .together = true});
}

const struct statement *grid_name_coordinate(struct pass_context *context, struct span span,
                                             const struct symbol *name, const struct expr *variable,
                                             const struct expr *value, const struct statement **let,
                                             const struct statement *body)
{
    const struct expr *at =
        expr_variable(context->pool, VARIABLE_LOCAL, name, SCALAR_I64, variable->interval);
    *let = STATEMENT_NEW(context->output, span, .kind = STATEMENT_LET, .as.let = {at, value});
    return statement_substitute(context->output, context->scratch, context->pool, body, variable,
                                at);
}

/* The body at a coordinate, by the name of its axis; or written out, if threads beyond the box,
 * which do nothing, make no value wider than its type. */
static const struct statement *at_coordinate(struct pass_context *context,
                                             const struct program *written, struct span span,
                                             const struct grid_axis *axis,
                                             const struct expr *coordinate,
                                             const struct statement *body)
{
    if (written) {
        const struct statement *whole = statement_substitute(
            context->output, context->scratch, context->pool, body, axis->variable, coordinate);
        if (statement_values_fit(written, whole))
            return whole;
    }
    if (!statement_uses(context->scratch, body, axis->variable))
        return body;
    const struct statement *both[2];
    both[1] =
        grid_name_coordinate(context, span, axis->name, axis->variable, coordinate, &both[0], body);
    return statement_block(context->output, span, 2, both);
}

static const struct statement *after_barrier(struct pass_context *context,
                                             const struct statement *before,
                                             const struct statement *after)
{
    struct statement_items items = {0};
    const struct statement *const barrier =
        STATEMENT_NEW(context->output, after->span, .kind = STATEMENT_BARRIER);
    const struct statement *const part[] = {before, barrier, after};
    for (unsigned i = 0; i < 3; i++) {
        const struct statement_list list = statement_items_of(&part[i]);
        for (size_t k = 0; k < list.count; k++)
            VECTOR_PUSH(context->scratch, &items, list.item[k]);
    }
    return statement_block(context->output, after->span, items.count, items.item);
}

const struct statement *grid_nest(struct pass_context *context, const struct program *written,
                                  struct span span, unsigned count, const struct grid_axis axis[],
                                  const struct grid_shared *shared, const struct statement *body)
{
    static const enum parallel_level in_block[2] = {LEVEL_BLOCK_X, LEVEL_BLOCK_Y};
    static const enum parallel_level in_grid[2] = {LEVEL_GRID_X, LEVEL_GRID_Y};
    struct expr_pool *pool = context->pool;
    const unsigned tiled = count < 2 ? count : 2;
    const struct expr *inside = NULL, *zero = expr_integer(pool, 0);
    struct grid_cut cut[2];
    for (unsigned t = 0; t < tiled; t++) {
        cut[t] = grid_cut_of(context, &axis[t]);
        const struct expr *within = expr_binary(pool, EXPR_LESS, cut[t].offset, axis[t].extent);
        inside = inside ? expr_binary(pool, EXPR_AND, within, inside) : within;
        body = at_coordinate(context, written, span, &axis[t],
                             region_sum(pool, axis[t].first, cut[t].offset, 1), body);
    }
    if (inside)
        body = STATEMENT_NEW(context->output, span, .kind = STATEMENT_IF,
                             .as.branch = {inside, body, NULL});
    if (shared && shared->ahead)
        body = after_barrier(context, shared->ahead, body);
    if (shared && shared->behind)
        body = after_barrier(context, body, shared->behind);
    for (unsigned t = 0; t < tiled; t++)
        if (cut[t].row)
            body = loop_together(context, span, cut[t].row, axis[t].rows, body);
    for (unsigned t = 0; t < tiled; t++)
        body = loop_over(context, span, in_block[t], cut[t].thread, zero,
                         expr_integer(pool, axis[t].tile), body);
    for (size_t i = shared ? shared->count : 0; i-- > 0;) {
        const struct statement *const all[] = {STATEMENT_NEW(context->output, span,
                                                             .kind = STATEMENT_ALLOCATE,
                                                             .as.allocate = {shared->buffer[i]}),
                                               body};
        body = statement_block(context->output, span, 2, all);
    }
    for (unsigned t = 0; t < tiled; t++)
        body = loop_over(context, span, in_grid[t], cut[t].block, zero, blocks_of(pool, &axis[t]),
                         body);
    return count < GRID_MOST_AXES ? body
                                  : loop_over(context, span, LEVEL_GRID_Z, axis[2].variable,
                                              axis[2].first, axis[2].extent, body);
}
