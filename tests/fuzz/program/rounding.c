/* Where all that a program does to floats is linear, errors of rounding stay small beside its greatest samples. */
#include "program/rounding.h"

#include "expr/evaluate.h"

#include <math.h>

#define PART 1e-5 /* of the greatest sample */

/* What follows from recurrences, and whether all that is done to it is linear, or no steeper. */
struct following {
    struct arena *arena;
    const struct stage *stage;
    bool *follows;         /* by stage */
    struct hash_map nodes; /* of the stage at hand: those that follow */
    bool linear;
};

static bool follows(const struct following *f, const struct expr *node)
{
    return hash_map_find(&f->nodes, node) != NULL;
}

static bool is_linear(const struct following *f, const struct expr *node)
{
    const struct expr *const *of = node->operand;
    switch (node->kind) {
    case EXPR_LOAD:
        for (unsigned i = 0; i < node->count; i++)
            if (follows(f, of[i]))
                return false;
        return true;
    case EXPR_CONVERT: /* what makes an integer of a float jumps */
        return scalar_is_float(node->scalar);
    case EXPR_SELECT:
        return !follows(f, of[0]);
    case EXPR_MULTIPLY:
    case EXPR_FUSED:
        return !follows(f, of[0]) || !follows(f, of[1]);
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_REDUCE:
        return scalar_is_float(node->scalar);
    default:
        return false;
    }
}

static void note_node(const struct expr *node, void *user)
{
    struct following *f = user;
    bool any = node->kind == EXPR_LOAD && f->follows[node->as.load.source];
    for (unsigned i = 0; i < node->count; i++)
        any = any || follows(f, node->operand[i]);
    if (!any)
        return;
    hash_map_put(f->arena, &f->nodes, node, (void *)(uintptr_t)node);
    f->follows[f->stage->id.index] = true;
    f->linear = f->linear && is_linear(f, node);
}

static bool all_is_linear(struct arena *arena, const struct graph *graph)
{
    struct following f = {arena, NULL, ARENA_ARRAY(arena, bool, graph->stages.count), {0}, true};
    for (size_t s = 0; s < graph->stages.count; s++) {
        f.stage = graph->stages.item[s];
        f.nodes = (struct hash_map){0};
        f.follows[s] = f.stage->kind == STAGE_RECURRENCE && scalar_is_float(f.stage->element);
        stage_nodes(f.stage, arena, note_node, &f);
        f.linear = f.linear && f.stage->kind != STAGE_CARRIED;
    }
    return f.linear;
}

/* The greatest magnitude; infinity where a sample is not finite. */
static double greatest(const struct samples *samples)
{
    double most = 0;
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    for (size_t i = 0; i < samples_count(samples) && isfinite(most); i++) {
        const union value v = value_read(samples->data + i * bytes, samples->scalar);
        const double x = scalar_is_float(samples->scalar)
                             ? fabs((double)value_real(samples->scalar, v))
                             : fabs((double)v.integer);
        most = !isfinite(x) ? INFINITY : x > most ? x : most;
    }
    return most;
}

static double real_at(const struct samples *samples, size_t n)
{
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    return (double)value_real(samples->scalar,
                              value_read(samples->data + n * bytes, samples->scalar));
}

const char *rounding_difference(struct arena *arena, const struct graph *graph,
                                const struct trial *trial, unsigned i, const struct samples *result)
{
    const struct samples *oracle = &trial->oracle[i];
    double scale = greatest(oracle);
    for (unsigned n = 0; n < trial->input_count; n++)
        scale = fmax(scale, greatest(&trial->input[n]));
    if (!scalar_is_float(oracle->scalar) || !isfinite(scale) || !all_is_linear(arena, graph))
        return NULL;
    for (size_t n = 0; n < samples_count(oracle); n++) {
        const double x = real_at(oracle, n), y = real_at(result, n);
        if (!(fabs(x - y) <= PART * scale))
            return arena_format(arena, "sample %zu is %g, not near %g; the greatest is %g", n, y, x,
                                scale);
    }
    return NULL;
}
