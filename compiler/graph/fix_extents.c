#include "graph/fix_extents.h"

struct fixing {
    struct arena *arena;
    struct expr_rewriter rewriter;
    size_t count;
    struct extent_setting *setting;
};

/* A setting of one image goes before one of all. */
static struct extent_setting *setting_of(const struct fixing *f, const char *extent)
{
    const char *axis = strrchr(extent, '.');
    struct extent_setting *found = NULL;
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->setting[i].name, extent) == 0)
            return &f->setting[i];
        if (axis && strcmp(f->setting[i].name, axis + 1) == 0)
            found = &f->setting[i];
    }
    return found;
}

static const struct expr *fixed(const struct expr *node, void *user)
{
    const struct fixing *f = user;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_EXTENT)
        return node;
    struct extent_setting *setting = setting_of(f, node->as.variable.name->text);
    if (!setting)
        return node;
    setting->used = true;
    return expr_integer(f->rewriter.pool, setting->extent);
}

static const struct expr *fix(struct fixing *f, const struct expr *value)
{
    return value ? expr_rewrite(&f->rewriter, value) : NULL;
}

static const struct stage_axis *fix_axes(struct fixing *f, const struct stage *stage)
{
    struct stage_axis *axis = arena_copy(f->arena, stage->axis, stage->rank * sizeof *axis);
    for (unsigned k = 0; k < stage->rank; k++) {
        axis[k].first = fix(f, axis[k].first);
        axis[k].extent = fix(f, axis[k].extent);
        axis[k].computed_first = fix(f, axis[k].computed_first);
        axis[k].computed_extent = fix(f, axis[k].computed_extent);
    }
    return axis;
}

static struct stage fix_stage(struct fixing *f, const struct stage *stage)
{
    struct stage out = stage_rewrite(f->arena, stage, &f->rewriter);
    out.axis = fix_axes(f, stage);
    if (stage->kind == STAGE_SCATTER) {
        struct stage steps = *out.as.scatter.steps;
        steps.axis = fix_axes(f, stage->as.scatter.steps);
        out.as.scatter.steps = arena_copy(f->arena, &steps, sizeof steps);
    }
    return out;
}

const struct graph *graph_fix_extents(struct arena *arena, struct arena *scratch,
                                      struct expr_pool *pool, const struct graph *graph,
                                      size_t count, struct extent_setting setting[])
{
    struct fixing f = {.arena = arena, .count = count, .setting = setting};
    f.rewriter =
        (struct expr_rewriter){.pool = pool, .rule = fixed, .context = &f, .scratch = scratch};
    struct graph *out = graph_copy_without_stages(arena, graph);
    for (size_t i = 0; i < graph->stages.count; i++)
        graph_add_stage(arena, out, fix_stage(&f, graph->stages.item[i]));
    memset(&out->checks, 0, sizeof out->checks);
    for (size_t i = 0; i < graph->checks.count; i++) {
        struct graph_check check = graph->checks.item[i];
        check.condition = fix(&f, check.condition);
        if (check.condition != expr_boolean(pool, true))
            VECTOR_PUSH(arena, &out->checks, check);
    }
    memset(&out->repeats, 0, sizeof out->repeats);
    for (size_t i = 0; i < graph->repeats.count; i++) {
        struct graph_repeat repeat = graph->repeats.item[i];
        repeat.count = fix(&f, repeat.count);
        VECTOR_PUSH(arena, &out->repeats, repeat);
    }
    memset(&out->estimates, 0, sizeof out->estimates);
    return out;
}

const struct expr *graph_unknown_extent(const struct graph *graph)
{
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        for (unsigned k = 0; stage->kind == STAGE_INPUT && k < stage->rank; k++)
            if (stage->axis[k].extent->kind != EXPR_INTEGER)
                return stage->axis[k].extent;
    }
    return NULL;
}
