/* Stages on particles have one sample per particle. Their memory is large enough for one particle
 * per pixel, but only the part for existing particles is touched.
 *   before: p = cell_means(level, in)   q = p[y, x] * 2   out = q[y, x] + 1
 *   after:  kernel p.pixels { … }  kernel p { particles means … }
 *           kernel q { loop part … threads { loop i … vector { store q.values[i] = p.values[i] * 2 } } }
 *           kernel q.spread { particles spread … }  kernel out { … q[y, x] + 1 } */
#include "loop/lower/particle_kernels.h"

#include "flt/particles.h"
#include "graph/particle_window.h"
#include "loop/lower/loop_nest.h"
#include "loop/lower/particle_windows.h"
#include "graph/placement/choose.h"

static const struct interval any_count = {0, (int64_t)1 << 40};

static const struct symbol *part_name(const struct lowering *l, const struct stage *stage,
                                      const char *part)
{
    return symbol_format(&l->context->session->symbols, "%s.%s", stage->name->text, part);
}

static const struct stage *structure_of(const struct lowering *l, const struct stage *stage)
{
    return l->particles.on[stage->id.index];
}

static const struct structure_memory *memory_of(const struct lowering *l, const struct stage *stage)
{
    return &l->structure[structure_of(l, stage)->id.index];
}

/* ---- Memory ---- */

/* In the caller's scratch memory. */
static buffer_id add_buffer(struct lowering *l, const struct stage *stage, const char *part,
                            enum scalar scalar, unsigned rank, const struct buffer_axis axis[])
{
    struct symbol_table *symbols = &l->context->session->symbols;
    return program_add_buffer(
        l->context->output, l->out,
        (struct buffer){.name = program_buffer_name(l->out, symbols, stage->name, part),
                        .span = stage->span,
                        .scalar = scalar,
                        .interval = scalar == SCALAR_I64       ? any_count
                                    : scalar == stage->element ? stage->interval
                                                               : scalar_info[scalar].interval,
                        .space = SPACE_SCRATCH,
                        .rank = rank,
                        .axis = arena_copy(l->context->output, axis, rank * sizeof *axis),
                        .slot = NO_SLOT});
}

static struct buffer_axis axis_of(const struct lowering *l, unsigned k, const struct expr *extent)
{
    return (struct buffer_axis){symbol_format(&l->context->session->symbols, "place_%u", k),
                                expr_integer(l->context->pool, 0), extent, false};
}

/* So many samples, one after the other. */
static buffer_id add_row(struct lowering *l, const struct stage *stage, const char *part,
                         enum scalar scalar, const struct expr *count)
{
    const struct buffer_axis axis = axis_of(l, 0, count);
    return add_buffer(l, stage, part, scalar, 1, &axis);
}

/* The stage's box. */
static void take_box(struct lowering *l, const struct stage *stage, struct buffer_axis axis[])
{
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *a = &stage->axis[k];
        axis[k] = (struct buffer_axis){a->name, expr_rewrite(&l->naming, a->computed_first),
                                       lowering_extent(l, stage, k), false};
    }
}

static buffer_id add_pixels(struct lowering *l, const struct stage *stage, enum scalar scalar)
{
    struct buffer_axis axis[GRAPH_MAX_RANK];
    take_box(l, stage, axis);
    return add_buffer(l, stage, "pixels", scalar, stage->rank, axis);
}

/* Bytes for each of the places of a grid of half the extents, each 13 larger; of three axes. */
static buffer_id add_bytes(struct lowering *l, const struct stage *stage, const char *part,
                           int64_t bytes)
{
    enum { MORE = 13, AXES = FLT_APR_AXES };
    struct expr_pool *pool = l->context->pool;
    struct buffer_axis axis[GRAPH_MAX_RANK + 1];
    for (unsigned k = 0; k < stage->rank; k++)
        axis[k] = axis_of(l, k,
                          expr_binary(pool, EXPR_ADD,
                                      expr_binary(pool, EXPR_DIVIDE, lowering_extent(l, stage, k),
                                                  expr_integer(pool, 2)),
                                      expr_integer(pool, MORE)));
    for (unsigned k = stage->rank; k < AXES; k++)
        bytes *= MORE;
    axis[stage->rank] = axis_of(l, stage->rank, expr_integer(pool, bytes));
    return add_buffer(l, stage, part, SCALAR_U8, stage->rank + 1, axis);
}

static buffer_id add_room(struct lowering *l, const struct stage *stage)
{
    return add_bytes(l, stage, "room", FLT_APR_ROOM_BYTES);
}

/* As many as there are pixels. */
static const struct expr *most_particles(struct lowering *l, const struct stage *stage)
{
    struct expr_pool *pool = l->context->pool;
    const struct expr *most = lowering_extent(l, stage, 0);
    for (unsigned k = 1; k < stage->rank; k++) {
        const struct expr *rows = /* fewer in all images that there are */
            expr_binary(pool, EXPR_MINIMUM, most, expr_integer(pool, INT32_MAX));
        most = expr_binary(pool, EXPR_MULTIPLY, rows, lowering_extent(l, stage, k));
    }
    return lowering_named(l, most, part_name(l, stage, "most"));
}

void particle_memory(struct lowering *l, const struct stage *stage)
{
    struct structure_memory *memory = &l->structure[stage->id.index];
    if (stage_is_structure(stage)) {
        memory->cells = add_bytes(l, stage, "cells", FLT_APR_STRUCTURE_BYTES);
        memory->count = add_row(l, stage, "count", SCALAR_I64, expr_integer(l->context->pool, 1));
        memory->most = most_particles(l, stage);
    }
    const struct stage *structure = structure_of(l, stage);
    l->packed[stage->id.index] =
        add_row(l, stage, "values", stage->element, l->structure[structure->id.index].most);
}

/* ---- Kernels ---- */

static const struct statement *kernel(struct lowering *l, const struct stage *stage,
                                      const char *part, const struct statement *body, bool alone)
{
    return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_KERNEL,
                         .as.kernel = {.name = *part ? part_name(l, stage, part) : stage->name,
                                       .body = body,
                                       .alone = alone});
}

static const struct statement *block(struct lowering *l, const struct stage *stage, size_t count,
                                     const struct statement *const item[])
{
    return statement_block(l->context->output, stage->span, count, item);
}

/* A store at a place of a row. */
static const struct statement *store_at(struct lowering *l, const struct stage *stage,
                                        buffer_id row, size_t at, const struct expr *value)
{
    const struct expr *const place = expr_integer(l->context->pool, (int64_t)at);
    return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_STORE,
                         .as.store = {.buffer = row,
                                      .rank = 1,
                                      .index = arena_copy(l->context->output, &place, sizeof place),
                                      .value = value});
}

/* A kernel that stores bindings of the stage to a buffer of their own. */
static const struct statement *store_bindings(struct lowering *l, const struct stage *stage,
                                              const char *part, enum scalar scalar, size_t first,
                                              size_t count, buffer_id *buffer)
{
    struct expr_pool *pool = l->context->pool;
    const struct statement **store =
        ARENA_ARRAY(l->context->scratch, const struct statement *, count + 1);
    *buffer = add_row(l, stage, part, scalar, expr_integer(pool, (int64_t)count));
    for (size_t i = 0; i < count; i++)
        store[i] =
            store_at(l, stage, *buffer, i, lowering_value(l, stage->binding[first + i].value));
    return kernel(l, stage, part, block(l, stage, count, store), true);
}

/* The stage's value, without what its kind makes of it. */
static struct stage value_of(const struct stage *stage)
{
    return (struct stage){.kind = STAGE_MAP,
                          .id = stage->id,
                          .name = stage->name,
                          .span = stage->span,
                          .element = stage->value->scalar,
                          .interval = stage->value->interval,
                          .rank = stage->rank,
                          .axis = stage->axis,
                          .value = stage->value,
                          .schedule = stage->schedule};
}

/* The value at each pixel. */
static const struct statement *store_pixels(struct lowering *l, const struct stage *stage,
                                            buffer_id pixels)
{
    const struct stage value = value_of(stage);
    return kernel(l, stage, "pixels",
                  loop_nest(l->context, l->out, &value, program_buffer(l->out, pixels),
                            lowering_sample_to(l, &value, pixels)),
                  false);
}

/* The value at each particle: threads take parts of them. */
static const struct statement *store_values(struct lowering *l, const struct stage *stage,
                                            const char *part, buffer_id values)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    const int64_t most = choice_value(context, CHOICE_PART_OF_PARTICLES);
    const struct expr *zero = expr_integer(pool, 0), *parts = expr_integer(pool, most);
    const struct expr *count =
        expr_load(pool, memory_of(l, stage)->count.index, SCALAR_I64, any_count, 1, &zero, NULL);
    const struct expr *number = expr_variable(pool, VARIABLE_INDEX, part_name(l, stage, "part"),
                                              SCALAR_I32, (struct interval){0, most - 1});
    const struct expr *next = expr_binary(pool, EXPR_ADD, number, expr_integer(pool, 1));
    const struct expr *first =
        expr_binary(pool, EXPR_DIVIDE, expr_binary(pool, EXPR_MULTIPLY, count, number), parts);
    const struct expr *end =
        expr_binary(pool, EXPR_DIVIDE, expr_binary(pool, EXPR_MULTIPLY, count, next), parts);
    const struct expr *begin = expr_variable(pool, VARIABLE_LOCAL, part_name(l, stage, "first"),
                                             SCALAR_I64, first->interval);
    const struct expr *extent = expr_variable(pool, VARIABLE_LOCAL, part_name(l, stage, "extent"),
                                              SCALAR_I64, end->interval);
    const struct expr *here = expr_variable(pool, VARIABLE_INDEX, part_name(l, stage, "particle"),
                                            SCALAR_I64, (struct interval){0, any_count.greatest});
    const struct stage value = value_of(stage);
    l->particle = here;
    const struct statement *body = lowering_sample_to(l, &value, values);
    l->particle = NULL;
    const struct statement *const of_part[3] = {
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LET,
                      .as.let = {begin, first}),
        STATEMENT_NEW(
            context->output, stage->span, .kind = STATEMENT_LET,
            .as.let = {extent, expr_binary(pool, EXPR_MAXIMUM, zero,
                                           expr_binary(pool, EXPR_SUBTRACT, end, begin))}),
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LOOP,
                      .as.loop = {here, begin, extent, LEVEL_INDEPENDENT, body, false})};
    const struct statement *loop = STATEMENT_NEW(
        context->output, stage->span, .kind = STATEMENT_LOOP,
        .as.loop = {number, zero, parts, LEVEL_INDEPENDENT, block(l, stage, 3, of_part), false});
    return kernel(l, stage, part, loop, false);
}

/* ---- Calls ---- */

static const struct statement *call(struct lowering *l, const struct stage *stage,
                                    enum particle_call function,
                                    const buffer_id buffer[MOST_PARTICLE_BUFFERS])
{
    struct statement s = {
        .kind = STATEMENT_PARTICLES, .span = stage->span, .as.particles.call = function};
    memcpy(s.as.particles.buffer, buffer, sizeof s.as.particles.buffer);
    return statement_new(l->context->output, s);
}

static const struct statement *call_kernel(struct lowering *l, const struct stage *stage,
                                           const char *part, enum particle_call function,
                                           const buffer_id buffer[MOST_PARTICLE_BUFFERS])
{
    return kernel(l, stage, part, call(l, stage, function, buffer), true);
}

static const struct statement *spread_to(struct lowering *l, const struct stage *stage,
                                         buffer_id pixels)
{
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {pixels, memory_of(l, stage)->cells,
                                                     l->packed[stage->id.index]};
    return call_kernel(l, stage, "spread", PARTICLES_SPREAD, buffer);
}

/* Into the caller's image, whose rows may lie anywhere. */
static const struct statement *spread_to_output(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    const buffer_id pixels = add_pixels(l, stage, stage->element);
    const struct buffer *output = program_buffer(l->out, l->buffer[stage->id.index]);
    const struct stage value = value_of(stage);
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, stage->rank + 1);
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    const struct expr *load = expr_load(context->pool, pixels.index, stage->element,
                                        stage->interval, stage->rank, index, NULL);
    const struct statement *store =
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_STORE,
                      .as.store = {output->id, stage->rank, index, load});
    const struct statement *const both[2] = {
        spread_to(l, stage, pixels),
        kernel(l, stage, "copy", loop_nest(context, l->out, &value, output, store), false)};
    return block(l, stage, 2, both);
}

/* The pixels, where others read them. */
static const struct statement *spread(struct lowering *l, const struct stage *stage)
{
    const buffer_id pixels = l->buffer[stage->id.index];
    if (!l->particles.at_pixels[stage->id.index])
        return block(l, stage, 0, NULL);
    return program_buffer(l->out, pixels)->space == SPACE_OUTPUT ? spread_to_output(l, stage)
                                                                 : spread_to(l, stage, pixels);
}

const struct statement *particle_carried_pixels(struct lowering *l, const struct stage *stage)
{
    return l->particles.on[stage->id.index] && !l->particles.in_steps[stage->id.index]
               ? spread(l, stage)
               : block(l, stage, 0, NULL);
}

/* How many particles there are, and the levels of each, if they are read. */
static const struct statement *count_kernels(struct lowering *l, const struct stage *stage)
{
    const struct structure_memory *memory = &l->structure[stage->id.index];
    const bool has_levels =
        l->particles.at_particles[stage->id.index] || l->particles.at_pixels[stage->id.index];
    const buffer_id count[MOST_PARTICLE_BUFFERS] = {memory->cells, memory->count};
    const buffer_id levels[MOST_PARTICLE_BUFFERS] = {memory->cells, l->packed[stage->id.index]};
    const struct statement *const all[2] = {
        call_kernel(l, stage, "count", PARTICLES_COUNT, count),
        has_levels ? call_kernel(l, stage, "each", PARTICLES_LEVELS, levels)
                   : block(l, stage, 0, NULL)};
    return block(l, stage, 2, all);
}

/* The guides one behind the other, and which of them there are. */
static const struct statement *guide_kernels(struct lowering *l, const struct stage *stage,
                                             buffer_id pixels, buffer_id *guides, buffer_id *given)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    struct buffer_axis axis[GRAPH_MAX_RANK];
    const struct statement *store[PARTICLE_GUIDES], *all[PARTICLE_GUIDES + 1];
    axis[0] = axis_of(l, 0, expr_integer(pool, PARTICLE_GUIDES));
    take_box(l, stage, axis + 1);
    *guides = add_buffer(l, stage, "guides", SCALAR_F32, stage->rank + 1, axis);
    *given = add_row(l, stage, "given", SCALAR_I32, expr_integer(pool, PARTICLE_GUIDES));
    for (unsigned g = 0; g < PARTICLE_GUIDES; g++) {
        const struct expr *value = stage->binding[PARTICLE_SETTINGS + g].value;
        const bool is_given = value->scalar != SCALAR_BOOL;
        struct stage guide = value_of(stage);
        store[g] = store_at(l, stage, *given, g, expr_integer(pool, is_given));
        all[g] = block(l, stage, 0, NULL);
        if (!is_given)
            continue;
        guide.value = value;
        guide.element = SCALAR_F32;
        const struct expr **index =
            ARENA_ARRAY(context->output, const struct expr *, stage->rank + 1);
        index[0] = expr_integer(pool, g);
        for (unsigned k = 0; k < stage->rank; k++)
            index[k + 1] = stage->axis[k].variable;
        l->stage = stage;
        const struct statement *sample =
            STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_STORE,
                          .as.store = {*guides, stage->rank + 1, index, lowering_value(l, value)});
        all[g] = kernel(l, stage, "guide",
                        loop_nest(context, l->out, &guide, program_buffer(l->out, pixels), sample),
                        false);
    }
    all[PARTICLE_GUIDES] = kernel(l, stage, "given", block(l, stage, PARTICLE_GUIDES, store), true);
    return block(l, stage, PARTICLE_GUIDES + 1, all);
}

static const struct statement *place_guided_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id pixels = add_pixels(l, stage, SCALAR_F32);
    buffer_id buffer[MOST_PARTICLE_BUFFERS] = {
        pixels, {0}, {0}, {0}, l->structure[stage->id.index].cells, add_room(l, stage)};
    const struct statement *const guides = guide_kernels(l, stage, pixels, &buffer[2], &buffer[3]);
    const struct statement *const all[5] = {
        store_bindings(l, stage, "settings", SCALAR_F32, 0, PARTICLE_SETTINGS, &buffer[1]), guides,
        store_pixels(l, stage, pixels), call_kernel(l, stage, "", PARTICLES_PLACE_GUIDED, buffer),
        count_kernels(l, stage)};
    return block(l, stage, 5, all);
}

static const struct statement *place_kernels(struct lowering *l, const struct stage *stage)
{
    if (stage->binding_count > PARTICLE_SETTINGS)
        return place_guided_kernels(l, stage);
    const buffer_id pixels = add_pixels(l, stage, SCALAR_F32);
    buffer_id buffer[MOST_PARTICLE_BUFFERS] = {
        pixels, {0}, l->structure[stage->id.index].cells, add_room(l, stage)};
    const struct statement *const all[4] = {
        store_bindings(l, stage, "settings", SCALAR_F32, 0, PARTICLE_SETTINGS, &buffer[1]),
        store_pixels(l, stage, pixels), call_kernel(l, stage, "", PARTICLES_PLACE, buffer),
        count_kernels(l, stage)};
    return block(l, stage, 4, all);
}

static const struct statement *given_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id levels = add_pixels(l, stage, SCALAR_U8);
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {levels, l->structure[stage->id.index].cells,
                                                     add_room(l, stage)};
    const struct statement *const all[3] = {
        store_pixels(l, stage, levels), call_kernel(l, stage, "", PARTICLES_PLACE_GIVEN, buffer),
        count_kernels(l, stage)};
    return block(l, stage, 3, all);
}

static const struct statement *means_kernels(struct lowering *l, const struct stage *stage)
{
    const buffer_id pixels = add_pixels(l, stage, SCALAR_F32);
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {
        memory_of(l, stage)->cells, pixels, l->packed[stage->id.index], add_room(l, stage)};
    const struct statement *const all[2] = {store_pixels(l, stage, pixels),
                                            call_kernel(l, stage, "", PARTICLES_MEANS, buffer)};
    return block(l, stage, 2, all);
}

/* Of each particle the value where its cell begins. */
static const struct statement *gather_kernels(struct lowering *l, const struct stage *stage,
                                              const char *part, buffer_id values)
{
    const buffer_id pixels = add_pixels(l, stage, stage->value->scalar);
    const buffer_id buffer[MOST_PARTICLE_BUFFERS] = {memory_of(l, stage)->cells, pixels, values};
    const struct statement *const all[2] = {store_pixels(l, stage, pixels),
                                            call_kernel(l, stage, part, PARTICLES_GATHER, buffer)};
    return block(l, stage, 2, all);
}

/* What is convolved, of each particle. */
static const struct statement *convolved_kernels(struct lowering *l, const struct stage *stage,
                                                 buffer_id *values)
{
    const struct expr *value = stage->value;
    if (!particle_layout_suits(&l->particles, l->in, stage, value, structure_of(l, stage),
                               l->context->scratch)) {
        *values = add_row(l, stage, "convolved", SCALAR_F32, memory_of(l, stage)->most);
        return gather_kernels(l, stage, "convolved", *values);
    }
    if (value->kind == EXPR_LOAD) {
        *values = l->packed[value->as.load.source];
        return block(l, stage, 0, NULL);
    }
    *values = add_row(l, stage, "convolved", SCALAR_F32, memory_of(l, stage)->most);
    return store_values(l, stage, "convolved", *values);
}

static const struct statement *convolve_kernels(struct lowering *l, const struct stage *stage)
{
    buffer_id buffer[MOST_PARTICLE_BUFFERS] = {
        memory_of(l, stage)->cells, {0}, l->packed[stage->id.index], {0}, {0}, add_room(l, stage)};
    const struct expr *image = stage_kernel_image(stage);
    if (image)
        buffer[3] = l->buffer[image->as.load.source];
    const struct statement *const all[4] = {
        image ? block(l, stage, 0, NULL)
              : store_bindings(l, stage, "kernel", SCALAR_F32, CONVOLVE_WEIGHT,
                               stage->binding_count - CONVOLVE_WEIGHT, &buffer[3]),
        store_bindings(l, stage, "form", SCALAR_I32, CONVOLVE_EXTENT,
                       CONVOLVE_WEIGHT - CONVOLVE_EXTENT, &buffer[4]),
        convolved_kernels(l, stage, &buffer[1]),
        call_kernel(l, stage, "", PARTICLES_CONVOLVE, buffer)};
    return block(l, stage, 4, all);
}

/* What the window is over, of each particle. */
static const struct statement *window_kernels(struct lowering *l, const struct stage *stage,
                                              const struct stage *source, buffer_id *values)
{
    *values = l->packed[source->id.index];
    if (structure_of(l, source) == structure_of(l, stage))
        return block(l, stage, 0, NULL);
    const struct expr *index[GRAPH_MAX_RANK];
    struct stage here = *stage;
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    here.value = expr_load(l->context->pool, source->id.index, source->element, source->interval,
                           source->rank, index, NULL);
    *values = add_row(l, stage, "around", SCALAR_F32, memory_of(l, stage)->most);
    return gather_kernels(l, &here, "around", *values);
}

static const struct statement *stencil_kernels(struct lowering *l, const struct stage *stage)
{
    struct particle_window window;
    struct window_arrays arrays = {.structure = memory_of(l, stage)->cells,
                                   .results = l->packed[stage->id.index],
                                   .room = add_room(l, stage)};
    particle_window_of(l->in, stage, l->context->scratch, &window);
    const struct statement *const values = window_kernels(l, stage, window.source, &arrays.values);
    const struct statement *const both[2] = {values, particle_window_kernel(l, stage, &arrays)};
    return block(l, stage, 2, both);
}

static const struct statement *own_kernels(struct lowering *l, const struct stage *stage)
{
    switch (stage->kind) {
    case STAGE_TO_PARTICLES:
        return place_kernels(l, stage);
    case STAGE_GIVEN_LEVELS:
        return given_kernels(l, stage);
    case STAGE_CELL_MEANS:
        return means_kernels(l, stage);
    case STAGE_GIVEN_VALUES:
        return gather_kernels(l, stage, "", l->packed[stage->id.index]);
    case STAGE_CONVOLVE_CELLS:
        return convolve_kernels(l, stage);
    case STAGE_STENCIL_CELLS:
        return stencil_kernels(l, stage);
    default:
        return store_values(l, stage, "", l->packed[stage->id.index]);
    }
}

const struct statement *particle_kernels(struct lowering *l, const struct stage *stage)
{
    const bool carries = l->in->stages.item[stage->id.index]->kind == STAGE_CARRIED;
    const bool spreads = !carries || l->particles.in_steps[stage->id.index];
    const struct statement *const all[2] = {own_kernels(l, stage),
                                            spreads ? spread(l, stage) : block(l, stage, 0, NULL)};
    return block(l, stage, 2, all);
}
