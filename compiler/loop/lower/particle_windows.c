/* Kernels over windows:
 *   before: d = stencil_cells p[y, x + 1] clamp - p[y, x - 1] clamp
 *   after:  kernel d windows lines cells … { loop row … { loop cell … {
 *               store d.line[row, cell] = d.window[0, row, cell + 1] - d.window[0, row, cell - 1] } } } */
#include "loop/lower/particle_windows.h"

#include "flt/particles.h"
#include "graph/particle_window.h"

static const struct symbol *part_name(const struct lowering *l, const struct stage *stage,
                                      const char *part)
{
    return symbol_format(&l->context->session->symbols, "%s.%s", stage->name->text, part);
}

static buffer_id add_buffer(struct lowering *l, const struct stage *stage, const char *part,
                            enum buffer_space space, unsigned rank, const int64_t first[])
{
    struct expr_pool *pool = l->context->pool;
    struct symbol_table *symbols = &l->context->session->symbols;
    struct buffer_axis *axis = ARENA_ARRAY(l->context->output, struct buffer_axis, rank);
    for (unsigned k = 0; k < rank; k++)
        axis[k] = (struct buffer_axis){symbol_format(symbols, "place_%u", k),
                                       expr_integer(pool, first[k]), expr_integer(pool, INT32_MAX),
                                       false};
    return program_add_buffer(
        l->context->output, l->out,
        (struct buffer){.name = program_buffer_name(l->out, symbols, stage->name, part),
                        .span = stage->span,
                        .scalar = SCALAR_F32,
                        .interval = scalar_info[SCALAR_F32].interval,
                        .space = space,
                        .rank = rank,
                        .axis = axis,
                        .slot = NO_SLOT});
}

const struct expr *particle_window_load(struct lowering *l, const struct expr *load)
{
    struct expr_pool *pool = l->context->pool;
    const struct stage *stage = l->stage;
    const struct expr *index[WINDOW_AXES];
    for (unsigned a = 0; a < WINDOW_AXES; a++) {
        const int axis = (int)a - (int)(WINDOW_AXES - stage->rank);
        index[a] =
            axis < 0 ? expr_integer(pool, 0) : particle_distance(pool, stage, load, (unsigned)axis);
    }
    index[1] = expr_binary(pool, EXPR_ADD, index[1], l->around->row);
    index[2] = expr_binary(pool, EXPR_ADD, index[2], l->around->cell);
    return expr_load(pool, l->around->window.index, load->scalar, load->interval, WINDOW_AXES,
                     index, NULL);
}

static const struct expr *local(struct lowering *l, const struct stage *stage, const char *part,
                                int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(l->context->pool, VARIABLE_LOCAL, part_name(l, stage, part), SCALAR_I32,
                         interval);
}

static const struct expr *place(struct lowering *l, const struct stage *stage, const char *part,
                                int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(l->context->pool, VARIABLE_INDEX, part_name(l, stage, part), SCALAR_I32,
                         interval);
}

static void take_window(const struct particle_window *window, struct kernel_windows *out)
{
    static const enum flt_apr_border borders[BORDER_COUNT] = {[BORDER_NONE] = FLT_APR_CLAMP,
                                                              [BORDER_REFLECT101] =
                                                                  FLT_APR_REFLECT101,
                                                              [BORDER_CLAMP] = FLT_APR_CLAMP,
                                                              [BORDER_ZERO] = FLT_APR_ZERO};
    for (unsigned a = 0; a < WINDOW_AXES; a++) {
        out->first[a] = window->first[a];
        out->extent[a] = window->extent[a];
        out->border[a] = borders[window->border[a]];
    }
}

const struct statement *particle_window_kernel(struct lowering *l, const struct stage *stage,
                                               const struct window_arrays *arrays)
{
    enum { MOST_ROWS = 2, MOST_CELLS = 1 << 30 };
    struct pass_context *context = l->context;
    const struct expr *zero = expr_integer(context->pool, 0);
    const int64_t nowhere[2] = {0, 0};
    struct particle_window window;
    struct kernel_windows *out = ARENA_NEW(context->output, struct kernel_windows);
    particle_window_of(l->in, stage, context->scratch, &window);
    const int64_t first[WINDOW_AXES] = {window.first[0], window.first[1], 0};
    *out = (struct kernel_windows){
        .structure = arrays->structure,
        .values = arrays->values,
        .results = arrays->results,
        .room = arrays->room,
        .window = add_buffer(l, stage, "window", SPACE_WINDOW, WINDOW_AXES, first),
        .line = add_buffer(l, stage, "line", SPACE_LINE, 2, nowhere),
        .lines = local(l, stage, "lines", MOST_ROWS),
        .cells = local(l, stage, "cells", MOST_CELLS)};
    take_window(&window, out);
    struct stage value = *stage;
    value.kind = STAGE_MAP;
    value.binding_count = 0;
    const struct window_memory around = {window.source, out->window,
                                         place(l, stage, "row", MOST_ROWS - 1),
                                         place(l, stage, "cell", MOST_CELLS - 1)};
    l->around = &around;
    l->stage = stage;
    const struct statement *sample = lowering_sample_to(l, &value, out->line);
    l->around = NULL;
    const struct statement *cells =
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LOOP,
                      .as.loop = {around.cell, zero, out->cells, LEVEL_INDEPENDENT, sample, false});
    const struct statement *rows =
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LOOP,
                      .as.loop = {around.row, zero, out->lines, LEVEL_SERIAL, cells, false});
    return STATEMENT_NEW(
        context->output, stage->span, .kind = STATEMENT_KERNEL,
        .as.kernel = {.name = stage->name, .body = rows, .alone = true, .windows = out});
}
