#include "loop/lower/particle_kernels.h"

#include "flt/particles.h"
#include "loop/lower/loop_nest.h"

/* Memory of the stage, in the caller's scratch memory. */
static buffer_id add_buffer(struct lowering *l, const struct stage *stage, const char *part,
                            enum scalar scalar, unsigned rank, const struct buffer_axis axis[])
{
    struct symbol_table *symbols = &l->context->session->symbols;
    return program_add_buffer(
        l->context->output, l->out,
        (struct buffer){.name = program_buffer_name(l->out, symbols, stage->name, part),
                        .span = stage->span,
                        .scalar = scalar,
                        .interval = scalar_info[scalar].interval,
                        .space = SPACE_SCRATCH,
                        .rank = rank,
                        .axis = arena_copy(l->context->output, axis, rank * sizeof *axis),
                        .slot = NO_SLOT});
}

static struct buffer_axis axis_of(struct lowering *l, unsigned k, const struct expr *extent)
{
    return (struct buffer_axis){symbol_format(&l->context->session->symbols, "place_%u", k),
                                expr_integer(l->context->pool, 0), extent, false};
}

static buffer_id add_settings(struct lowering *l, const struct stage *stage)
{
    const struct buffer_axis axis =
        axis_of(l, 0, expr_integer(l->context->pool, PARTICLE_SETTINGS));
    return add_buffer(l, stage, "settings", SCALAR_F32, 1, &axis);
}

/* A buffer of the stage's box. */
static buffer_id add_pixels(struct lowering *l, const struct stage *stage)
{
    const struct buffer *own = program_buffer(l->out, l->buffer[stage->id.index]);
    return add_buffer(l, stage, "pixels", SCALAR_F32, stage->rank, own->axis);
}

/* What functions work in: a grid of half the extents, each 13 larger; of three axes. */
static buffer_id add_room(struct lowering *l, const struct stage *stage)
{
    enum { MORE = 13, AXES = FLT_APR_AXES };
    struct expr_pool *pool = l->context->pool;
    const struct buffer *own = program_buffer(l->out, l->buffer[stage->id.index]);
    struct buffer_axis axis[GRAPH_MAX_RANK + 1];
    int64_t bytes = FLT_APR_DENSE_BYTES;
    for (unsigned k = 0; k < stage->rank; k++)
        axis[k] = axis_of(
            l, k,
            expr_binary(pool, EXPR_ADD,
                        expr_binary(pool, EXPR_DIVIDE, own->axis[k].extent, expr_integer(pool, 2)),
                        expr_integer(pool, MORE)));
    for (unsigned k = stage->rank; k < AXES; k++)
        bytes *= MORE;
    axis[stage->rank] = axis_of(l, stage->rank, expr_integer(pool, bytes));
    return add_buffer(l, stage, "room", SCALAR_U8, stage->rank + 1, axis);
}

static const struct statement *kernel(struct lowering *l, const struct stage *stage,
                                      const char *part, const struct statement *body, bool alone)
{
    const struct symbol *name =
        *part ? symbol_format(&l->context->session->symbols, "%s.%s", stage->name->text, part)
              : stage->name;
    return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_KERNEL,
                         .as.kernel = {.name = name, .body = body, .alone = alone});
}

static const struct statement *store_settings(struct lowering *l, const struct stage *stage,
                                              buffer_id settings)
{
    const struct statement *store[PARTICLE_SETTINGS];
    for (unsigned i = 0; i < PARTICLE_SETTINGS; i++) {
        const struct expr *const place = expr_integer(l->context->pool, i);
        store[i] = STATEMENT_NEW(
            l->context->output, stage->span, .kind = STATEMENT_STORE,
            .as.store = {.buffer = settings,
                         .rank = 1,
                         .index = arena_copy(l->context->output, &place, sizeof place),
                         .value = expr_rewrite(&l->naming, stage->binding[i].value)});
    }
    return statement_block(l->context->output, stage->span, PARTICLE_SETTINGS, store);
}

/* The stage's value at each pixel, stored to a buffer. */
static const struct statement *store_pixels(struct lowering *l, const struct stage *stage,
                                            buffer_id pixels)
{
    const struct stage unbound = {.kind = stage->kind,
                                  .id = stage->id,
                                  .name = stage->name,
                                  .span = stage->span,
                                  .element = stage->value->scalar,
                                  .interval = stage->value->interval,
                                  .rank = stage->rank,
                                  .axis = stage->axis,
                                  .value = stage->value,
                                  .schedule = stage->schedule};
    const struct buffer *buffer = program_buffer(l->out, pixels);
    return loop_nest(l->context, l->out, &unbound, buffer, lowering_sample_to(l, &unbound, pixels));
}

static const struct statement *call(struct lowering *l, const struct stage *stage,
                                    enum particle_call function,
                                    const buffer_id buffer[MOST_PARTICLE_BUFFERS])
{
    struct statement s = {
        .kind = STATEMENT_PARTICLES, .span = stage->span, .as.particles.call = function};
    memcpy(s.as.particles.buffer, buffer, sizeof s.as.particles.buffer);
    return statement_new(l->context->output, s);
}

static const struct statement *levels_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id settings = add_settings(l, stage), pixels = add_pixels(l, stage);
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {pixels, settings, l->buffer[stage->id.index],
                                                     add_room(l, stage)};
    const struct statement *const all[3] = {
        kernel(l, stage, "settings", store_settings(l, stage, settings), true),
        kernel(l, stage, "pixels", store_pixels(l, stage, pixels), false),
        kernel(l, stage, "", call(l, stage, PARTICLES_LEVELS, buffer), true)};
    return statement_block(l->context->output, stage->span, 3, all);
}

static const struct statement *means_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id pixels = l->buffer[stage->id.index];
    const uint32_t levels = stage->binding[0].value->as.load.source;
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {pixels, l->buffer[levels], add_room(l, stage)};
    const struct statement *const all[2] = {
        kernel(l, stage, "pixels", store_pixels(l, stage, pixels), false),
        kernel(l, stage, "", call(l, stage, PARTICLES_MEANS, buffer), true)};
    return statement_block(l->context->output, stage->span, 2, all);
}

const struct statement *particle_kernels(struct lowering *l, const struct stage *stage)
{
    return stage->kind == STAGE_TO_PARTICLES ? levels_kernels(l, stage) : means_kernels(l, stage);
}
