#include "graph/fix_extents.h"
#include "expr/affine.h"

struct required_extent {
    const struct expr *extent;
    int64_t value;
};

struct fixing {
    struct arena *arena;
    struct expr_rewriter rewriter;
    size_t count;
    struct extent_setting *setting;
    int64_t most;
    VECTOR(struct required_extent) required;
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

/* NULL: no requirement fixes it. */
static const struct required_extent *required_of(const struct fixing *f, const struct expr *extent)
{
    for (size_t i = 0; i < f->required.count; i++)
        if (f->required.item[i].extent == extent)
            return &f->required.item[i];
    return NULL;
}

static const struct expr *fixed(const struct expr *node, void *user)
{
    const struct fixing *f = user;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_EXTENT)
        return node;
    struct extent_setting *setting = setting_of(f, node->as.variable.name->text);
    const struct required_extent *required = required_of(f, node);
    if (setting)
        setting->used = true;
    else if (!required)
        return node;
    const int64_t extent = setting ? setting->extent : required->value;
    return extent <= f->most ? expr_integer(f->rewriter.pool, extent) : node;
}

static const struct expr *fix(struct fixing *f, const struct expr *value)
{
    return value ? expr_rewrite(&f->rewriter, value) : NULL;
}

/* A condition that only one value of one extent meets gives it: in.c == 3, 2 * low.y == 64.
 * Returns whether there is one. */
static bool take_required(struct fixing *f, const struct expr *condition)
{
    if (condition->kind == EXPR_AND) {
        const bool first = take_required(f, condition->operand[0]);
        return take_required(f, condition->operand[1]) || first;
    }
    if (condition->kind != EXPR_EQUAL || !scalar_is_integer(condition->operand[0]->scalar))
        return false;
    const struct affine form =
        affine_sum(affine_from(condition->operand[0]), affine_from(condition->operand[1]), -1);
    if (!form.exact || form.count != 1 || form.constant % form.term[0].coefficient != 0)
        return false;
    const struct expr *extent = form.term[0].atom;
    const int64_t value = -(form.constant / form.term[0].coefficient);
    if (extent->kind != EXPR_VARIABLE || extent->as.variable.kind != VARIABLE_EXTENT ||
        required_of(f, extent) || value < extent->interval.least ||
        value > extent->interval.greatest)
        return false;
    VECTOR_PUSH(f->arena, &f->required, ((struct required_extent){extent, value}));
    memset(&f->rewriter.done, 0, sizeof f->rewriter.done); /* expressions of it */
    return true;
}

/* An extent that is found may give others: a.y == b.y. */
static void find_required(struct fixing *f, const struct graph *graph)
{
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < graph->checks.count; i++)
            found = take_required(f, fix(f, graph->checks.item[i].condition)) || found;
    }
}

/* Versions are where what callers give holds, extents among it. */
static const struct stage_details *fix_versions(struct fixing *f,
                                                const struct stage_details *details)
{
    const struct detail *old = &details->of[DETAIL_VERSIONS];
    if (!old->version_count)
        return details;
    struct stage_details *out = arena_copy(f->arena, details, sizeof *details);
    struct graph_check *version =
        arena_copy(f->arena, old->version, old->version_count * sizeof *version);
    for (size_t i = 0; i < old->version_count; i++)
        version[i].condition = fix(f, version[i].condition);
    out->of[DETAIL_VERSIONS].version = version;
    return out;
}

static struct stage fix_stage(struct fixing *f, const struct stage *stage)
{
    struct stage out = stage_rewrite_with_box(f->arena, stage, &f->rewriter);
    out.details = stage->details ? fix_versions(f, stage->details) : NULL;
    return out;
}

/* Of extents that stay the settings are estimates. */
static void estimate_rest(struct fixing *f, const struct graph *graph, struct graph *out)
{
    memset(&out->estimates, 0, sizeof out->estimates);
    for (size_t i = 0; i < graph->estimates.count; i++)
        if (fix(f, graph->estimates.item[i].variable) == graph->estimates.item[i].variable)
            VECTOR_PUSH(f->arena, &out->estimates, graph->estimates.item[i]);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        for (unsigned k = 0; stage->kind == STAGE_INPUT && k < stage->rank; k++) {
            const struct expr *extent = stage->axis[k].extent;
            if (extent->kind != EXPR_VARIABLE || fix(f, extent) != extent)
                continue;
            const struct extent_setting *setting = setting_of(f, extent->as.variable.name->text);
            if (setting)
                VECTOR_PUSH(f->arena, &out->estimates,
                            ((struct graph_estimate){extent, setting->extent}));
        }
    }
}

const struct graph *graph_fix_extents(struct arena *arena, struct arena *scratch,
                                      struct expr_pool *pool, const struct graph *graph,
                                      int64_t most, size_t count, struct extent_setting setting[])
{
    struct fixing f = {.arena = arena, .count = count, .setting = setting, .most = most};
    f.rewriter =
        (struct expr_rewriter){.pool = pool, .rule = fixed, .context = &f, .scratch = scratch};
    find_required(&f, graph);
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
    estimate_rest(&f, graph, out);
    return out;
}

static bool is_among(size_t count, const struct expr *const list[], const struct expr *node)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == node)
            return true;
    return false;
}

size_t graph_unknown_extents(const struct graph *graph, size_t most, const struct expr *extent[])
{
    size_t count = 0;
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        for (unsigned k = 0; stage->kind == STAGE_INPUT && k < stage->rank && count < most; k++)
            if (stage->axis[k].extent->kind != EXPR_INTEGER &&
                !is_among(count, extent, stage->axis[k].extent))
                extent[count++] = stage->axis[k].extent;
    }
    return count;
}
