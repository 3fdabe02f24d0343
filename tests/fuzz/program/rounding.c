/* Where all that a program does to floats is linear, errors of rounding stay small beside its
 * greatest samples. */
#include "program/rounding.h"

#include "command/trial_images.h"
#include "expr/evaluate.h"
#include "graph/readers.h"

#include <math.h>

#define PART 1e-5     /* of the greatest sample */
#define LONG_LINE 100 /* samples of one that the trials have */
#define LEAST 1e-40   /* what is that small has few digits in f32 */

/* What follows from recurrences, transforms and from code that is fast, and whether all that is
 * done to it is linear, or no steeper; without recurrences products are among it, as they are small
 * beside those of magnitudes. */
struct following {
    struct arena *arena;
    const struct stage *stage;
    bool *follows;         /* by stage */
    struct hash_map nodes; /* of the stage at hand: those that follow */
    bool linear, fast;     /* all is; some is */
    bool is_read_by_none;  /* the stage at hand, a result */
    bool recurs;
    double gain; /* of transforms that keep no norm: sums of a line */
    struct expr_rewriter rewriter;
    struct graph *magnitudes; /* bounds of what follows: no difference is less than a sum */
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
    case EXPR_CONVERT: /* what makes an integer of a float jumps: by 1, where nothing reads it */
        return scalar_is_float(node->scalar) ||
               (f->is_read_by_none && node == f->stage->value && node->as.convert != CONVERT_WRAP);
    case EXPR_SELECT:
        return !follows(f, of[0]);
    case EXPR_MULTIPLY:
    case EXPR_FUSED:
        return !f->recurs || !follows(f, of[0]) || !follows(f, of[1]);
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_ORDERED_MINIMUM:
    case EXPR_ORDERED_MAXIMUM:
        return scalar_is_float(node->scalar);
    case EXPR_REDUCE:
        for (unsigned i = 1; i < node->count; i++) /* a second factor, a condition */
            if (follows(f, of[i]) && (f->recurs || !node->as.reduce.fused || i > 1))
                return false;
        return scalar_is_float(node->scalar) && node->as.reduce.operation != REDUCTION_PRODUCT;
    default:
        return false;
    }
}

static void note_node(const struct expr *node, void *user)
{
    struct following *f = user;
    bool any = node->fast || (node->kind == EXPR_LOAD && f->follows[node->as.load.source]);
    for (unsigned i = 0; i < node->count; i++)
        any = any || follows(f, node->operand[i]);
    f->fast = f->fast || node->fast;
    if (!any)
        return;
    hash_map_put(f->arena, &f->nodes, node, (void *)(uintptr_t)node);
    f->follows[f->stage->id.index] = true;
    f->linear = f->linear && is_linear(f, node);
}

/* Of a sum, which has no less without its condition. */
static const struct expr *bound_reduction(struct expr_pool *pool, const struct expr *node,
                                          const struct expr *const operand[])
{
    struct expr_reduction shape = node->as.reduce;
    const struct expr *of[REDUCTION_MOST_OPERANDS];
    unsigned count = 0;
    for (unsigned i = 0; i < node->count; i++)
        if (!shape.has_condition || i != 1U + shape.fused)
            of[count++] = operand[i];
    shape.operation = shape.operation == REDUCTION_SUM ? REDUCTION_SUM : REDUCTION_MAXIMUM;
    shape.has_condition = false;
    return expr_reduce_as(pool, &shape, of);
}

/* ---- Magnitudes ---- */

static const struct expr *magnitude(const struct expr *node, void *user)
{
    struct following *f = user;
    struct expr_pool *pool = f->rewriter.pool;
    const struct expr *operand[EXPR_MOST_OPERANDS] = {NULL};
    if (node->kind == EXPR_LOAD || node->count > 3)
        return node;
    for (unsigned i = 0; i < node->count; i++) {
        const bool is_number = scalar_is_float(node->operand[i]->scalar);
        operand[i] = is_number && !follows(f, f->rewriter.original->operand[i])
                         ? expr_unary(pool, EXPR_ABSOLUTE, node->operand[i])
                         : node->operand[i];
    }
    switch (node->kind) {
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
        return operand[0];
    case EXPR_SUBTRACT:
        return expr_binary(pool, EXPR_ADD, operand[0], operand[1]);
    case EXPR_MINIMUM:
    case EXPR_ORDERED_MINIMUM:
        return expr_binary(pool, EXPR_MAXIMUM, operand[0], operand[1]);
    case EXPR_SELECT:
        return expr_binary(pool, EXPR_MAXIMUM, operand[1], operand[2]);
    case EXPR_REDUCE:
        return bound_reduction(pool, node, operand);
    default:
        return expr_with_operands(pool, node, operand);
    }
}

static bool enters(const struct expr *node, void *user)
{
    return follows(user, node);
}

static void add_magnitude(struct following *f)
{
    const bool rewrites = f->linear && f->follows[f->stage->id.index];
    f->rewriter.done = (struct hash_map){0};
    graph_add_stage(f->arena, f->magnitudes,
                    rewrites ? stage_rewrite(f->arena, f->stage, &f->rewriter) : *f->stage);
}

static bool is_recurrence(const struct stage *stage)
{
    return stage->kind == STAGE_RECURRENCE && scalar_is_float(stage->element);
}

static bool is_transform(const struct stage *stage)
{
    return stage->kind == STAGE_TRANSFORM;
}

static struct following follow(struct session *session, const struct graph *graph)
{
    struct arena *arena = session->permanent;
    struct following f = {arena, NULL, ARENA_ARRAY(arena, bool, graph->stages.count),
                          .linear = true, .gain = 1};
    f.rewriter = (struct expr_rewriter){
        .pool = &session->pool, .rule = magnitude, .enters = enters, .scratch = arena};
    f.magnitudes = graph_copy_without_stages(arena, graph);
    const struct stage_readers *readers = graph_readers(graph, arena);
    for (size_t s = 0; s < graph->stages.count; s++)
        f.recurs = f.recurs || is_recurrence(graph->stages.item[s]);
    for (size_t s = 0; s < graph->stages.count; s++) {
        f.stage = graph->stages.item[s];
        f.is_read_by_none = readers[s].stages.count == 0;
        f.nodes = (struct hash_map){0};
        /* What a repeat carries is of stages before it and of those of its steps. */
        f.follows[s] = is_recurrence(f.stage) || is_transform(f.stage) ||
                       (f.recurs && f.stage->kind == STAGE_CARRIED);
        if (is_transform(f.stage) && f.stage->as.transform.norm == NORM_NONE)
            f.gain *= LONG_LINE;
        stage_nodes(f.stage, arena, note_node, &f);
        f.linear = f.linear && f.stage->kind != STAGE_CARRIED;
        f.rewriter.context = &f;
        add_magnitude(&f);
    }
    return f;
}

/* ---- Differences ---- */

static double real_at(const struct samples *samples, size_t n)
{
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    const struct value v = value_read(samples->data + n * bytes, samples->scalar);
    return scalar_is_float(samples->scalar) ? (double)value_real(samples->scalar, v)
                                            : (double)v.integer;
}

/* The greatest magnitude; infinity where a sample is not finite. */
static double greatest(const struct samples *samples)
{
    double most = 0;
    for (size_t i = 0; i < samples_count(samples) && isfinite(most); i++) {
        const double x = fabs(real_at(samples, i));
        most = !isfinite(x) ? INFINITY : x > most ? x : most;
    }
    return most;
}

/* The greatest that rounding is small beside; infinity where none is known. */
static double scale_of(struct session *session, const struct following *f,
                       const struct trial *trial, unsigned i)
{
    double scale = greatest(&trial->oracle[i]);
    for (unsigned n = 0; n < trial->input_count; n++)
        scale = fmax(scale, greatest(&trial->input[n]));
    if (!f->fast || !f->linear || !isfinite(scale))
        return scale;
    struct samples result[TRIAL_IMAGES] = {0};
    struct interpretation run = trial_run(session, trial, result);
    scale = interpret_graph(f->magnitudes, &run) ? fmax(scale, greatest(&result[i])) : INFINITY;
    for (unsigned n = 0; n < trial->output_count; n++)
        samples_free(&result[n]);
    return scale;
}

const char *rounding_difference(struct session *session, const struct graph *graph,
                                const struct trial *trial, unsigned i, const struct samples *result)
{
    const struct samples *oracle = &trial->oracle[i];
    const double jump = scalar_is_float(oracle->scalar) ? 0 : 1;
    const struct following f = follow(session, graph);
    if (!f.follows[graph->outputs.item[i].stage.index])
        return samples_difference(session->permanent, oracle, result);
    const double scale = scale_of(session, &f, trial, i);
    if (!isfinite(scale) || !f.linear)
        return NULL;
    for (size_t n = 0; n < samples_count(oracle); n++) {
        const double x = real_at(oracle, n), y = real_at(result, n);
        if (!(fabs(x - y) <= jump + LEAST + PART * f.gain * scale))
            return arena_format(session->permanent,
                                "sample %zu is %g, not near %g; the greatest is %g", n, y, x,
                                scale);
    }
    return NULL;
}
