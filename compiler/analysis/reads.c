/* Walking the reads of a value. A reduction's variables carry their range as their interval; where
 * one reduction alone has a variable, its bounds may be narrower. */
#include "analysis/reads.h"
#include "analysis/reductions.h"

struct collection {
    struct expr_pool *pool;
    struct arena *scratch;
    VECTOR(struct span_bound) bounds;
    VECTOR(const struct expr *) loads;
    struct hash_map reduced; /* names of reduction variables → a reduction */
    struct hash_map shared;  /* those that several reductions have */
};

static void note_ranges(const struct expr *node, void *context)
{
    struct collection *c = context;
    if (node->kind == EXPR_LOAD)
        VECTOR_PUSH(c->scratch, &c->loads, node);
    for (unsigned r = 0; node->kind == EXPR_REDUCE && r < node->as.reduce.rank; r++) {
        const struct symbol *name = node->as.reduce.range[r].variable;
        const struct expr *other = hash_map_find(&c->reduced, name);
        if (other && other != node)
            hash_map_put(c->scratch, &c->shared, name, (void *)(uintptr_t)node);
        hash_map_put(c->scratch, &c->reduced, name, (void *)(uintptr_t)node);
    }
}

static void note_variables(const struct expr *node, void *context)
{
    struct collection *c = context;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_INDEX ||
        !hash_map_find(&c->reduced, node->as.variable.name))
        return;
    const struct expr *reduce = hash_map_find(&c->reduced, node->as.variable.name);
    const struct interval interval = node->interval;
    struct span_bound bound = {node, expr_integer(c->pool, interval.least),
                               expr_integer(c->pool, interval.greatest + 1)};
    for (unsigned k = 0; k < reduce->as.reduce.rank; k++)
        if (reduce->as.reduce.range[k].variable == node->as.variable.name &&
            !hash_map_find(&c->shared, node->as.variable.name))
            bound = reduction_bounds_by_parameters(c->pool, reduce, k, node);
    VECTOR_PUSH(c->scratch, &c->bounds, bound);
}

void reads_visit(struct expr_pool *pool, struct arena *scratch, const struct expr *root,
                 unsigned count, const struct span_bound bound[],
                 void (*visit)(const struct expr *load, unsigned count,
                               const struct span_bound bound[], void *context),
                 void *context)
{
    struct arena *aside = arena_aside(scratch);
    const struct arena_mark mark = arena_mark(aside);
    struct collection c = {.pool = pool, .scratch = aside};
    for (unsigned i = 0; i < count; i++)
        VECTOR_PUSH(aside, &c.bounds, bound[i]);
    expr_nodes(aside, root, note_ranges, &c);
    expr_nodes(aside, root, note_variables, &c);
    for (size_t i = 0; i < c.loads.count; i++)
        visit(c.loads.item[i], (unsigned)c.bounds.count, c.bounds.item, context);
    arena_release(aside, mark);
}
