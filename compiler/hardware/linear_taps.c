#include "hardware/linear_taps.h"

/* What a node is, as far as it is a sum: NULL in the map where it is none. */
struct linear {
    int64_t *weight;
    int64_t constant;
    bool takes; /* an element */
};

struct finding {
    struct arena *arena;
    unsigned edge, elements;
    struct hash_map linear; /* node → struct linear */
    struct tap_sums sums;
};

static const struct linear *linear_of(const struct finding *f, const struct expr *node)
{
    return hash_map_find(&f->linear, node);
}

static void note(struct finding *f, const struct expr *node)
{
    const struct linear *l = linear_of(f, node);
    for (size_t i = 0; i < f->sums.count; i++)
        if (f->sums.item[i].node == node)
            return;
    if (l && l->takes)
        VECTOR_PUSH(f->arena, &f->sums, (struct tap_sum){node, l->weight, l->constant});
}

static struct linear *combined(struct finding *f, const struct linear *a, int64_t by_a,
                               const struct linear *b, int64_t by_b)
{
    struct linear *out = ARENA_NEW(f->arena, struct linear);
    out->weight = ARENA_ARRAY(f->arena, int64_t, f->elements + 1);
    for (unsigned k = 0; k < f->elements; k++)
        out->weight[k] = by_a * a->weight[k] + (b ? by_b * b->weight[k] : 0);
    out->constant = by_a * a->constant + (b ? by_b * b->constant : 0);
    out->takes = a->takes || (b && b->takes);
    return out;
}

static bool is_constant(const struct linear *l)
{
    return l && !l->takes;
}

/* Weights stay small: they come from sums that fit 64 bits. */
static struct linear *as_sum(struct finding *f, const struct expr *node)
{
    const struct linear *a = node->count > 0 ? linear_of(f, node->operand[0]) : NULL;
    const struct linear *b = node->count > 1 ? linear_of(f, node->operand[1]) : NULL;
    switch (node->kind) {
    case EXPR_ADD:
        return a && b ? combined(f, a, 1, b, 1) : NULL;
    case EXPR_SUBTRACT:
        return a && b ? combined(f, a, 1, b, -1) : NULL;
    case EXPR_NEGATE:
        return a ? combined(f, a, -1, NULL, 0) : NULL;
    case EXPR_MULTIPLY:
        if (is_constant(b) && a)
            return combined(f, a, b->constant, NULL, 0);
        return is_constant(a) && b ? combined(f, b, a->constant, NULL, 0) : NULL;
    default:
        return NULL;
    }
}

static struct linear *leaf(struct finding *f, const struct expr *node)
{
    struct linear *out = ARENA_NEW(f->arena, struct linear);
    out->weight = ARENA_ARRAY(f->arena, int64_t, f->elements + 1);
    out->takes = node->kind == EXPR_LOAD;
    if (out->takes)
        out->weight[node->operand[0]->as.integer] = 1;
    else
        out->constant = node->as.integer;
    return out;
}

/* Operands come first. */
static void look(const struct expr *node, void *user)
{
    struct finding *f = user;
    const bool is_leaf = (node->kind == EXPR_INTEGER && node->scalar != SCALAR_BOOL) ||
                         (expr_is_element(node) && node->as.load.source == f->edge);
    struct linear *sum = is_leaf ? leaf(f, node) : as_sum(f, node);
    if (sum)
        hash_map_put(f->arena, &f->linear, node, sum);
    for (unsigned k = 0; !sum && k < node->count; k++)
        note(f, node->operand[k]);
}

struct tap_sums tap_sums(struct arena *arena, const struct process *pipe, unsigned edge,
                         unsigned elements)
{
    struct finding f = {.arena = arena, .edge = edge, .elements = elements};
    struct expr_walk walk = {.scratch = arena};
    for (size_t i = 0; i < pipe->as.pipe.count; i++) {
        expr_visit(&walk, pipe->as.pipe.value[i], look, &f);
        note(&f, pipe->as.pipe.value[i]);
    }
    return f.sums;
}

struct interval tap_sum_interval(const int64_t weight[], unsigned elements, struct interval element)
{
    struct interval sum = {0, 0};
    for (unsigned k = 0; k < elements; k++) {
        sum.least += weight[k] * (weight[k] < 0 ? element.greatest : element.least);
        sum.greatest += weight[k] * (weight[k] < 0 ? element.least : element.greatest);
    }
    return sum;
}
