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

/* A kernel that stores bindings of the stage to a buffer of their own. */
static const struct statement *store_bindings(struct lowering *l, const struct stage *stage,
                                              const char *part, enum scalar scalar, size_t first,
                                              size_t count, buffer_id *buffer)
{
    const struct buffer_axis axis = axis_of(l, 0, expr_integer(l->context->pool, (int64_t)count));
    const struct statement **store =
        ARENA_ARRAY(l->context->scratch, const struct statement *, count + 1);
    *buffer = add_buffer(l, stage, part, scalar, 1, &axis);
    for (size_t i = 0; i < count; i++) {
        const struct expr *const place = expr_integer(l->context->pool, (int64_t)i);
        store[i] = STATEMENT_NEW(
            l->context->output, stage->span, .kind = STATEMENT_STORE,
            .as.store = {.buffer = *buffer,
                         .rank = 1,
                         .index = arena_copy(l->context->output, &place, sizeof place),
                         .value = lowering_value(l, stage->binding[first + i].value)});
    }
    return kernel(l, stage, part, statement_block(l->context->output, stage->span, count, store),
                  true);
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
    buffer_id buffer[MOST_PARTICLE_BUFFERS] = {
        add_pixels(l, stage), {0}, l->buffer[stage->id.index], add_room(l, stage)};
    const struct statement *const all[3] = {
        store_bindings(l, stage, "settings", SCALAR_F32, 0, PARTICLE_SETTINGS, &buffer[1]),
        kernel(l, stage, "pixels", store_pixels(l, stage, buffer[0]), false),
        kernel(l, stage, "", call(l, stage, PARTICLES_LEVELS, buffer), true)};
    return statement_block(l->context->output, stage->span, 3, all);
}

static const struct statement *given_levels_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id levels = l->buffer[stage->id.index];
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {levels, add_room(l, stage)};
    const struct statement *const all[2] = {
        kernel(l, stage, "pixels", store_pixels(l, stage, levels), false),
        kernel(l, stage, "", call(l, stage, PARTICLES_GIVEN_LEVELS, buffer), true)};
    return statement_block(l->context->output, stage->span, 2, all);
}

static buffer_id levels_of(const struct lowering *l, const struct stage *stage)
{
    return l->buffer[stage->binding[0].value->as.load.source];
}

/* In place of the pixels, what the function makes of them and the levels. */
static const struct statement *means_kernels(struct lowering *l, const struct stage *stage,
                                             enum particle_call function)
{
    const buffer_id pixels = l->buffer[stage->id.index];
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {pixels, levels_of(l, stage),
                                                     add_room(l, stage)};
    const struct statement *const all[2] = {
        kernel(l, stage, "pixels", store_pixels(l, stage, pixels), false),
        kernel(l, stage, "", call(l, stage, function, buffer), true)};
    return statement_block(l->context->output, stage->span, 2, all);
}

static const struct statement *convolve_kernels(struct lowering *l, const struct stage *stage)
{
    buffer_id buffer[MOST_PARTICLE_BUFFERS] = {
        l->buffer[stage->id.index], levels_of(l, stage), {0}, {0}, add_room(l, stage)};
    const struct statement *const all[4] = {
        store_bindings(l, stage, "kernel", SCALAR_F32, CONVOLVE_WEIGHT,
                       stage->binding_count - CONVOLVE_WEIGHT, &buffer[2]),
        store_bindings(l, stage, "form", SCALAR_I32, CONVOLVE_EXTENT,
                       CONVOLVE_WEIGHT - CONVOLVE_EXTENT, &buffer[3]),
        kernel(l, stage, "pixels", store_pixels(l, stage, buffer[0]), false),
        kernel(l, stage, "", call(l, stage, PARTICLES_CONVOLVE, buffer), true)};
    return statement_block(l->context->output, stage->span, 4, all);
}

const struct statement *particle_kernels(struct lowering *l, const struct stage *stage)
{
    switch (stage->kind) {
    case STAGE_TO_PARTICLES:
        return levels_kernels(l, stage);
    case STAGE_GIVEN_LEVELS:
        return given_levels_kernels(l, stage);
    case STAGE_CELL_MEANS:
        return means_kernels(l, stage, PARTICLES_MEANS);
    case STAGE_GIVEN_VALUES:
        return means_kernels(l, stage, PARTICLES_GIVEN_VALUES);
    default:
        return convolve_kernels(l, stage);
    }
}
