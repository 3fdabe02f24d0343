#include "loop/known_extents.h"

#include "loop/rewrite.h"

struct knowing {
    const struct program *program;
    const struct graph *known;
    struct arena *arena;
    struct expr_rewriter rewriter;
};

static const struct expr *known_extent(const struct expr *node, void *user)
{
    const struct knowing *k = user;
    const struct program *program = k->program;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_EXTENT)
        return node;
    for (size_t i = 0; i < program->inputs.count; i++) {
        const struct buffer *buffer = program_buffer(program, program->inputs.item[i]);
        const struct stage *input = graph_input_at(k->known, i);
        for (unsigned axis = 0; input && axis < buffer->rank; axis++)
            if (buffer->axis[axis].extent == node && input->axis[axis].extent->kind == EXPR_INTEGER)
                return input->axis[axis].extent;
    }
    return node;
}

static const struct expr *rewritten(struct knowing *k, const struct expr *node)
{
    return node ? expr_rewrite(&k->rewriter, node) : NULL;
}

static const struct expr *const *rewrite_list(struct knowing *k, const struct expr *const list[],
                                              unsigned count)
{
    const struct expr **all = ARENA_ARRAY(k->arena, const struct expr *, count + 1);
    for (unsigned i = 0; i < count; i++)
        all[i] = rewritten(k, list[i]);
    return all;
}

static void rewrite_buffers(struct knowing *k, struct program *out)
{
    for (size_t i = 0; i < out->buffers.count; i++) {
        struct buffer *buffer = &out->buffers.item[i];
        /* one more: emitters know buffers by the addresses of their axes, also those without any */
        struct buffer_axis *axis = ARENA_ARRAY(k->arena, struct buffer_axis, buffer->rank + 1);
        if (buffer->rank)
            memcpy(axis, buffer->axis, buffer->rank * sizeof *axis);
        for (unsigned a = 0; a < buffer->rank; a++) {
            axis[a].first = rewritten(k, axis[a].first);
            axis[a].extent = rewritten(k, axis[a].extent);
        }
        buffer->axis = axis;
    }
}

static void rewrite_checks(struct knowing *k, struct program *out)
{
    memset(&out->checks, 0, sizeof out->checks);
    for (size_t i = 0; i < k->program->checks.count; i++) {
        struct graph_check check = k->program->checks.item[i];
        check.condition = rewritten(k, check.condition);
        if (check.condition != expr_boolean(k->rewriter.pool, true))
            VECTOR_PUSH(k->arena, &out->checks, check);
    }
}

static void rewrite_values(struct knowing *k, struct program *out)
{
    memset(&out->values, 0, sizeof out->values);
    for (size_t i = 0; i < k->program->values.count; i++) {
        struct named_value value = k->program->values.item[i];
        value.value = rewritten(k, value.value);
        VECTOR_PUSH(k->arena, &out->values, value);
    }
}

static void rewrite_regions(struct knowing *k, struct program *out)
{
    memset(&out->regions, 0, sizeof out->regions);
    for (size_t i = 0; i < k->program->regions.count; i++) {
        struct input_region region = k->program->regions.item[i];
        const unsigned rank = program_buffer(k->program, region.input)->rank;
        region.first = rewrite_list(k, region.first, rank);
        region.end = rewrite_list(k, region.end, rank);
        VECTOR_PUSH(k->arena, &out->regions, region);
    }
}

const struct program *program_with_extents(struct arena *arena, struct arena *scratch,
                                           struct expr_pool *pool, const struct program *program,
                                           const struct graph *known)
{
    struct knowing k = {.program = program, .known = known, .arena = arena};
    k.rewriter = (struct expr_rewriter){
        .pool = pool, .rule = known_extent, .context = &k, .scratch = scratch};
    struct program *out = program_copy(arena, program);
    rewrite_buffers(&k, out);
    rewrite_values(&k, out);
    rewrite_checks(&k, out);
    rewrite_regions(&k, out);
    out->body = statement_rewrite(arena, program->body, &k.rewriter);
    return out;
}
