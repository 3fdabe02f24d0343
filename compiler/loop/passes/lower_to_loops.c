/* lower_to_loops: graph → loop. Each stage becomes a buffer and a kernel with one loop an axis.
 *   before: stage blur [y 0 .. in.y] [x 0 .. in.x] = …
 *   after:  kernel blur { loop y { loop x { store blur[y, x] = … } } }
 * A stage of one axis gets two loops, over blocks and within one, so that there is something to run
 * in parallel. Extents of stages get names, computed once per call. Afterwards no stage is left;
 * border rules are still on the loads, with the box they see. */
#include "pass.h"
#include "analysis/regions.h"
#include "loop/input_regions.h"
#include "loop/rewrite.h"

enum { LINE_BLOCK = 8192 };

struct lowering {
    const struct graph *in;
    struct pass_context *context;
    struct program *out;
    buffer_id *buffer;           /* by stage */
    struct expr_rewriter naming; /* extents → their names */
    struct hash_map named;       /* extent → its variable */
};

static const struct expr *name_extent(const struct expr *node, void *user)
{
    const struct lowering *l = user;
    const struct expr *known = hash_map_find(&l->named, node);
    return known ? known : node;
}

/* The value by name, if it is worth one. */
static const struct expr *named_value(struct lowering *l, const struct expr *value,
                                      const struct stage *stage, const char *part,
                                      const struct stage_axis *axis)
{
    value = expr_rewrite(&l->naming, value);
    if (value->count == 0)
        return value;
    struct expr_pool *pool = l->context->pool;
    const struct symbol *name = symbol_format(&l->context->session->symbols, "%s.%s%s",
                                              stage->name->text, axis->name->text, part);
    const struct expr *variable =
        expr_variable(pool, VARIABLE_EXTENT, name, value->scalar, value->interval);
    VECTOR_PUSH(l->context->output, &l->out->values, (struct named_value){variable, value});
    hash_map_put(l->context->scratch, &l->named, value, (void *)(uintptr_t)variable);
    return variable;
}

static const struct graph_output *output_of(const struct graph *graph, const struct stage *stage)
{
    for (size_t i = 0; i < graph->outputs.count; i++)
        if (graph->outputs.item[i].stage.index == stage->id.index)
            return &graph->outputs.item[i];
    return NULL;
}

/* Outputs are called as in the signature. A stage that is called so and is none changes names with the
 * one that is. */
static const struct symbol *buffer_name(const struct graph *graph, const struct stage *stage)
{
    const struct graph_output *own = output_of(graph, stage);
    for (size_t i = 0; !own && i < graph->outputs.count; i++)
        if (graph->outputs.item[i].name == stage->name)
            return graph_stage(graph, graph->outputs.item[i].stage)->name;
    return own ? own->name : stage->name;
}

static void add_buffer(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, stage->rank + 1);
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *a = &stage->axis[k];
        axis[k].name = a->name;
        axis[k].first = named_value(l, a->computed_first, stage, ".first", a);
        axis[k].extent = named_value(l, a->computed_extent, stage, "", a);
    }
    const enum buffer_space space = stage->kind == STAGE_INPUT      ? SPACE_INPUT
                                    : stage->kind == STAGE_CONSTANT ? SPACE_CONSTANT
                                    : output_of(l->in, stage)       ? SPACE_OUTPUT
                                                                    : SPACE_SCRATCH;
    const buffer_id id = program_add_buffer(
        context->output, l->out,
        (struct buffer){.name = buffer_name(l->in, stage),
                        .span = stage->span,
                        .scalar = stage->element,
                        .interval = stage->interval,
                        .space = space,
                        .rank = stage->rank,
                        .axis = axis,
                        .constant = stage->kind == STAGE_CONSTANT ? stage->as.constant.value : NULL,
                        .slot = NO_SLOT});
    l->buffer[stage->id.index] = id;
    if (space == SPACE_INPUT)
        VECTOR_PUSH(context->output, &l->out->inputs, id);
}

/* A load of a stage becomes a load of its buffer; each border rule gets the box it sees. */
static const struct expr *lower_load(const struct expr *node, void *user)
{
    struct lowering *l = user;
    if (node->kind != EXPR_LOAD)
        return name_extent(node, user);
    const struct stage *source = l->in->stages.item[node->as.load.source];
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; node->as.load.border && k < node->count; k++) {
        border[k] = node->as.load.border[k];
        if (border[k].rule == BORDER_NONE)
            continue;
        const bool extended = border[k].rule == BORDER_EXTEND;
        border[k].first = expr_rewrite(&l->naming, extended ? source->axis[k].computed_first
                                                            : source->axis[k].first);
        border[k].extent = expr_rewrite(&l->naming, extended ? source->axis[k].computed_extent
                                                             : source->axis[k].extent);
    }
    return expr_load(l->context->pool, l->buffer[node->as.load.source].index, node->scalar,
                     node->interval, node->count, node->operand,
                     node->as.load.border ? border : NULL);
}

struct variable_check {
    const struct stage *stage;
    struct arena *scratch;
    struct hash_map reduced; /* names bound by reductions inside the value */
    bool only_axes;
};

static void note_reduced(const struct expr *node, void *user)
{
    struct variable_check *check = user;
    for (unsigned r = 0; node->kind == EXPR_REDUCE && r < node->as.reduce.rank; r++)
        hash_map_put(check->scratch, &check->reduced, node->as.reduce.range[r].variable,
                     (void *)(uintptr_t)node);
}

static void check_variable(const struct expr *node, void *user)
{
    struct variable_check *check = user;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_INDEX)
        return;
    bool found = hash_map_find(&check->reduced, node->as.variable.name) != NULL;
    for (unsigned k = 0; k < check->stage->rank; k++)
        found = found || check->stage->axis[k].variable == node;
    check->only_axes = check->only_axes && found;
}

/* Whether the value can be computed once for a sample: it depends on no reduction around it. */
static bool depends_on_axes_alone(struct lowering *l, const struct stage *stage,
                                  const struct expr *value)
{
    struct variable_check check = {
        .stage = stage, .scratch = l->context->scratch, .only_axes = true};
    struct expr_walk first = {.scratch = l->context->scratch};
    struct expr_walk second = {.scratch = l->context->scratch};
    expr_visit(&first, value, note_reduced, &check);
    expr_visit(&second, value, check_variable, &check);
    return check.only_axes;
}

/* Two lets of a stage may have one name in the program, in braces of their own. */
static const struct symbol *unused_name(struct lowering *l, struct hash_map *taken,
                                        const struct symbol *name)
{
    const struct symbol *unused = name;
    for (unsigned i = 2; hash_map_find(taken, unused); i++)
        unused = symbol_format(&l->context->session->symbols, "%s_%u", name->text, i);
    hash_map_put(l->context->scratch, taken, unused, (void *)(uintptr_t)unused);
    return unused;
}

/* Names of the program for parts of the value become lets, except inside reductions. */
static const struct statement *lower_value(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = lower_load, .context = l, .scratch = context->scratch};
    VECTOR(const struct statement *) body = {0};
    struct hash_map taken = {0};
    const struct expr *root = stage->value;
    for (size_t b = 0; b < stage->binding_count; b++) {
        const struct stage_binding *binding = &stage->binding[b];
        const struct expr *value = expr_rewrite(&rewriter, binding->value);
        if (value->count == 0 || binding->value == root ||
            !depends_on_axes_alone(l, stage, binding->value))
            continue;
        const struct expr *variable =
            expr_variable(context->pool, VARIABLE_LOCAL, unused_name(l, &taken, binding->name),
                          value->scalar, value->interval);
        VECTOR_PUSH(context->scratch, &body,
                    STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LET,
                                  .as.let = {variable, value}));
        /* From here on the name stands for the value. */
        hash_map_put(context->scratch, &rewriter.done, binding->value, (void *)(uintptr_t)variable);
    }
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, stage->rank + 1);
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    VECTOR_PUSH(context->scratch, &body,
                STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_STORE,
                              .as.store = {l->buffer[stage->id.index], stage->rank, index,
                                           expr_rewrite(&rewriter, root)}));
    return statement_block(context->output, stage->span, body.count, body.item);
}

static const struct statement *loop(struct lowering *l, const struct stage *stage,
                                    const struct expr *variable, const struct expr *first,
                                    const struct expr *extent, const struct statement *body)
{
    return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, LEVEL_INDEPENDENT, body});
}

/* A line is cut into blocks: loop x_block { loop x in the block }. */
static const struct statement *lower_line(struct lowering *l, const struct stage *stage,
                                          const struct statement *body)
{
    struct expr_pool *pool = l->context->pool;
    const struct buffer_axis *axis =
        &l->out->buffers.item[l->buffer[stage->id.index].index].axis[0];
    const struct interval interval = {0, INT32_MAX / LINE_BLOCK + 1};
    const struct expr *block =
        expr_variable(pool, VARIABLE_INDEX,
                      symbol_format(&l->context->session->symbols, "%s.block", axis->name->text),
                      SCALAR_I32, interval);
    const struct expr *size = expr_integer(pool, LINE_BLOCK);
    const struct expr *blocks =
        expr_binary(pool, EXPR_DIVIDE,
                    region_sum(pool, axis->extent, expr_integer(pool, LINE_BLOCK - 1), 1), size);
    const struct expr *begin = expr_binary(pool, EXPR_MULTIPLY, block, size);
    const struct expr *left = expr_binary(pool, EXPR_SUBTRACT, axis->extent, begin);
    return loop(l, stage, block, expr_integer(pool, 0), blocks,
                loop(l, stage, stage->axis[0].variable, region_sum(pool, axis->first, begin, 1),
                     expr_binary(pool, EXPR_MINIMUM, size, left), body));
}

/* ---- Blocks of threads ---- */

enum { DEFAULT_TILE_Y = 8, DEFAULT_TILE_X = 32 };

static const struct expr *launch_index(struct lowering *l, const struct stage_axis *axis,
                                       const char *part, int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(
        l->context->pool, VARIABLE_INDEX,
        symbol_format(&l->context->session->symbols, "%s.%s", axis->name->text, part), SCALAR_I32,
        interval);
}

static const struct statement *level_loop(struct lowering *l, const struct stage *stage,
                                          enum parallel_level level, const struct expr *variable,
                                          const struct expr *extent, const struct statement *body)
{
    return STATEMENT_NEW(
        l->context->output, stage->span, .kind = STATEMENT_LOOP,
        .as.loop = {variable, expr_integer(l->context->pool, 0), extent, level, body});
}

/* The two fastest axes are cut into tiles, a block of threads each; threads beyond the box do nothing:
 *   loop y.block grid_y { loop x.block grid_x { loop y.thread block_y { loop x.thread block_x {
 *       if (y.block * 8 + y.thread < n …) { store out[…] } } } } }
 * Other axes are loops inside a thread. */
static const struct statement *lower_blocks(struct lowering *l, const struct stage *stage,
                                            const struct statement *body)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    const struct buffer *buffer = &l->out->buffers.item[l->buffer[stage->id.index].index];
    const unsigned tiled = stage->rank < 2 ? stage->rank : 2;
    const struct expr *block[2], *thread[2], *blocks[2], *inside = NULL;
    int64_t tile[2];
    for (unsigned k = 0; k + tiled < stage->rank; k++)
        body = loop(l, stage, stage->axis[k].variable, buffer->axis[k].first,
                    buffer->axis[k].extent, body);
    for (unsigned t = 0; t < tiled; t++) { /* 0 is the fastest axis, x */
        const unsigned k = stage->rank - 1 - t;
        const struct stage_axis *axis = &stage->axis[k];
        tile[t] = stage->schedule ? stage->schedule->tile[k]
                  : t == 0        ? DEFAULT_TILE_X
                                  : DEFAULT_TILE_Y;
        block[t] = launch_index(l, axis, "block", INT32_MAX / tile[t]);
        thread[t] = launch_index(l, axis, "thread", tile[t] - 1);
        const struct expr *size = expr_integer(pool, tile[t]);
        blocks[t] = expr_binary(
            pool, EXPR_DIVIDE,
            region_sum(pool, buffer->axis[k].extent, expr_integer(pool, tile[t] - 1), 1), size);
        const struct expr *offset =
            region_sum(pool, expr_binary(pool, EXPR_MULTIPLY, size, block[t]), thread[t], 1);
        const struct expr *within = expr_binary(pool, EXPR_LESS, offset, buffer->axis[k].extent);
        inside = inside ? expr_binary(pool, EXPR_AND, within, inside) : within;
        body = statement_substitute(context->output, context->scratch, pool, body, axis->variable,
                                    region_sum(pool, buffer->axis[k].first, offset, 1));
    }
    if (inside)
        body = STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_IF,
                             .as.branch = {inside, body, NULL});
    static const enum parallel_level in_block[2] = {LEVEL_BLOCK_X, LEVEL_BLOCK_Y};
    static const enum parallel_level in_grid[2] = {LEVEL_GRID_X, LEVEL_GRID_Y};
    for (unsigned t = 0; t < tiled; t++)
        body = level_loop(l, stage, in_block[t], thread[t], expr_integer(pool, tile[t]), body);
    for (unsigned t = 0; t < tiled; t++)
        body = level_loop(l, stage, in_grid[t], block[t], blocks[t], body);
    return body;
}

static const struct statement *lower_stage(struct lowering *l, const struct stage *stage)
{
    const struct buffer *buffer = &l->out->buffers.item[l->buffer[stage->id.index].index];
    const struct statement *body = lower_value(l, stage);
    if (l->context->target->has_blocks)
        body = lower_blocks(l, stage, body);
    else if (stage->rank == 1)
        body = lower_line(l, stage, body);
    else
        for (unsigned k = stage->rank; k-- > 0;)
            body = loop(l, stage, stage->axis[k].variable, buffer->axis[k].first,
                        buffer->axis[k].extent, body);
    return STATEMENT_NEW(
        l->context->output, stage->span, .kind = STATEMENT_KERNEL,
        .as.kernel = {stage->name, body, stage->schedule && stage->schedule->staged});
}

const struct program *lower_to_loops(const struct graph *in, struct pass_context *context)
{
    struct lowering l = {.in = in,
                         .context = context,
                         .out = ARENA_NEW(context->output, struct program),
                         .buffer = ARENA_ARRAY(context->scratch, buffer_id, in->stages.count + 1)};
    l.naming = (struct expr_rewriter){
        .pool = context->pool, .rule = name_extent, .context = &l, .scratch = context->scratch};
    l.out->name = in->name;
    l.out->text = in->text;
    for (size_t i = 0; i < in->parameters.count; i++)
        VECTOR_PUSH(context->output, &l.out->parameters, in->parameters.item[i]);
    for (size_t i = 0; i < in->checks.count; i++)
        VECTOR_PUSH(context->output, &l.out->checks, in->checks.item[i]);
    VECTOR(const struct statement *) kernels = {0};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        add_buffer(&l, stage);
        if (stage_computes(stage))
            VECTOR_PUSH(context->scratch, &kernels, lower_stage(&l, stage));
    }
    for (size_t i = 0; i < in->outputs.count; i++)
        VECTOR_PUSH(context->output, &l.out->outputs, l.buffer[in->outputs.item[i].stage.index]);
    input_regions_add(in, l.buffer, l.out, context);
    const struct span nowhere = {0, 0};
    l.out->body = statement_block(context->output, nowhere, kernels.count, kernels.item);
    return l.out;
}
