#include "loop/lower/particle_kernels.h"

#include "flt/particles.h"
#include "loop/lower/loop_nest.h"

/* Memory of the stage, in the caller's scratch memory. */
static buffer_id add_buffer(struct lowering *l, const struct stage *stage, const char *part,
                            enum scalar scalar, unsigned rank, const struct expr *const extent[])
{
    struct symbol_table *symbols = &l->context->session->symbols;
    struct buffer_axis *axis = ARENA_ARRAY(l->context->output, struct buffer_axis, rank + 1);
    for (unsigned k = 0; k < rank; k++)
        axis[k] = (struct buffer_axis){symbol_format(symbols, "place_%u", k),
                                       expr_integer(l->context->pool, 0), extent[k], false};
    return program_add_buffer(
        l->context->output, l->out,
        (struct buffer){.name = program_buffer_name(l->out, symbols, stage->name, part),
                        .span = stage->span,
                        .scalar = scalar,
                        .interval = scalar_info[scalar].interval,
                        .space = SPACE_SCRATCH,
                        .rank = rank,
                        .axis = axis,
                        .slot = NO_SLOT});
}

static buffer_id add_settings(struct lowering *l, const struct stage *stage)
{
    const struct expr *const extent[1] = {expr_integer(l->context->pool, PARTICLE_SETTINGS)};
    return add_buffer(l, stage, "settings", SCALAR_F32, 1, extent);
}

static buffer_id add_coefficients(struct lowering *l, const struct stage *stage)
{
    const struct buffer *pixels = program_buffer(l->out, l->buffer[stage->id.index]);
    const struct expr *extent[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        extent[k] = pixels->axis[k].extent;
    return add_buffer(l, stage, "coefficients", SCALAR_F32, stage->rank, extent);
}

/* A grid of half the extents, each 13 larger; of three axes. */
static buffer_id add_halves(struct lowering *l, const struct stage *stage)
{
    enum { MORE = 13, AXES = FLT_APR_AXES };
    struct expr_pool *pool = l->context->pool;
    const struct buffer *pixels = program_buffer(l->out, l->buffer[stage->id.index]);
    const struct expr *extent[GRAPH_MAX_RANK];
    int64_t bytes = FLT_APR_SPREAD_BYTES;
    for (unsigned k = 0; k < stage->rank; k++)
        extent[k] = expr_binary(
            pool, EXPR_ADD,
            expr_binary(pool, EXPR_DIVIDE, pixels->axis[k].extent, expr_integer(pool, 2)),
            expr_integer(pool, MORE));
    for (unsigned k = stage->rank; k < AXES; k++)
        bytes *= MORE;
    extent[stage->rank] = expr_integer(pool, bytes);
    return add_buffer(l, stage, "halves", SCALAR_U8, stage->rank + 1, extent);
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

const struct statement *particle_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id pixels = l->buffer[stage->id.index];
    const buffer_id settings = add_settings(l, stage);
    const struct stage unbound = {.kind = stage->kind,
                                  .id = stage->id,
                                  .name = stage->name,
                                  .span = stage->span,
                                  .element = stage->element,
                                  .interval = stage->interval,
                                  .rank = stage->rank,
                                  .axis = stage->axis,
                                  .value = stage->value,
                                  .schedule = stage->schedule};
    const struct statement *samples = loop_nest(
        l->context, l->out, &unbound, program_buffer(l->out, pixels), lowering_sample(l, &unbound));
    const struct statement *spread = STATEMENT_NEW(
        l->context->output, stage->span, .kind = STATEMENT_PARTICLES,
        .as.particles = {pixels, settings, add_coefficients(l, stage), add_halves(l, stage)});
    const struct statement *const all[3] = {
        kernel(l, stage, "settings", store_settings(l, stage, settings), true),
        kernel(l, stage, "pixels", samples, false), kernel(l, stage, "", spread, true)};
    return statement_block(l->context->output, stage->span, 3, all);
}
