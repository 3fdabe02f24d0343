/* Where all that a program does to floats is linear, errors of rounding stay small beside its greatest samples. */
#include "program/rounding.h"

#include "expr/evaluate.h"

#include <math.h>

#define PART 1e-3 /* of the greatest sample */

static bool depends(const struct expr *node)
{
    return node->holds & HOLDS_LOAD;
}

static bool is_linear(const struct expr *node)
{
    const struct expr *const *of = node->operand;
    if (!scalar_is_float(node->scalar)) { /* what makes an integer of a float jumps */
        for (unsigned i = 0; i < node->count; i++)
            if (scalar_is_float(of[i]->scalar) && depends(of[i]))
                return false;
        return true;
    }
    switch (node->kind) {
    case EXPR_REAL:
    case EXPR_VARIABLE:
    case EXPR_LOAD:
    case EXPR_CONVERT:
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_REDUCE:
    case EXPR_SELECT:
        return true;
    case EXPR_MULTIPLY:
    case EXPR_FUSED:
        return !depends(of[0]) || !depends(of[1]);
    default:
        return !depends(node);
    }
}

static void note_node(const struct expr *node, void *user)
{
    *(bool *)user = *(bool *)user && is_linear(node);
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
    bool linear = scalar_is_float(oracle->scalar);
    for (size_t s = 0; s < graph->stages.count; s++)
        stage_nodes(graph->stages.item[s], arena, note_node, &linear);
    for (unsigned n = 0; n < trial->input_count; n++)
        scale = fmax(scale, greatest(&trial->input[n]));
    if (!linear || !isfinite(scale))
        return NULL;
    for (size_t n = 0; n < samples_count(oracle); n++) {
        const double x = real_at(oracle, n), y = real_at(result, n);
        if (!(fabs(x - y) <= PART * scale))
            return arena_format(arena, "sample %zu is %g, not near %g; the greatest is %g", n, y, x,
                                scale);
    }
    return NULL;
}
