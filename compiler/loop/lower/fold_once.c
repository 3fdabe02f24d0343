#include "loop/lower/fold_once.h"

#include "analysis/reads.h"
#include "graph/equal_extents.h"
#include "loop/rewrite.h"

/* Further outside, rules stay as they are. */
enum { MOST_REACH = 64 };

void fold_once_begin(struct lowering *l, bool allowed)
{
    l->folds = (struct folds){.allowed = allowed};
    if (allowed)
        l->folds.equal = equal_extents(l->in, l->context->pool, l->context->scratch);
}

/* ---- Reads ---- */

static enum border_rule once(enum border_rule rule)
{
    return rule == BORDER_REFLECT      ? BORDER_REFLECT_ONCE
           : rule == BORDER_REFLECT101 ? BORDER_REFLECT101_ONCE
           : rule == BORDER_WRAP       ? BORDER_WRAP_ONCE
                                       : rule;
}

static enum border_rule repeated(enum border_rule rule)
{
    return rule == BORDER_REFLECT_ONCE      ? BORDER_REFLECT
           : rule == BORDER_REFLECT101_ONCE ? BORDER_REFLECT101
           : rule == BORDER_WRAP_ONCE       ? BORDER_WRAP
                                            : rule;
}

/* The least number of places, up to MOST_REACH, that first … end - 1 is outside of the box. */
static int64_t reach_of(struct lowering *l, const struct expr *first, const struct expr *end,
                        const struct stage_axis *box)
{
    struct expr_pool *pool = l->context->pool;
    const struct expr *box_first = expr_rewrite(&l->folds.equal, box->first);
    const struct expr *box_end =
        expr_rewrite(&l->folds.equal, region_sum(pool, box->first, box->extent, 1));
    first = expr_rewrite(&l->folds.equal, first);
    end = expr_rewrite(&l->folds.equal, end);
    int64_t reach = 0;
    while (reach <= MOST_REACH &&
           !(affine_at_most(box_first, region_sum(pool, first, expr_integer(pool, reach), 1)) &&
             affine_at_most(end, region_sum(pool, box_end, expr_integer(pool, reach), 1))))
        reach++;
    return reach;
}

static void note_read(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *context)
{
    struct lowering *l = context;
    const struct stage *source = l->in->stages.item[load->as.load.source];
    struct expr_pool *pool = l->context->pool;
    int64_t *reach = NULL;
    for (unsigned k = 0; load->as.load.border && k < load->count; k++) {
        const enum border_rule rule = load->as.load.border[k].rule;
        const struct expr *first, *end;
        if (once(rule) == rule)
            continue;
        if (!reach)
            reach = ARENA_ARRAY(l->context->scratch, int64_t, GRAPH_MAX_RANK);
        reach[k] = region_of_index(pool, load->operand[k], count, bound, &first, &end)
                       ? reach_of(l, first, end, &source->axis[k])
                       : MOST_REACH + 1;
    }
    if (reach)
        hash_map_put(l->context->scratch, &l->folds.reach, load, reach);
}

void fold_once_step(struct lowering *l)
{
    l->folds.reach = (struct hash_map){0};
}

void fold_once_sample(struct lowering *l, const struct stage *stage)
{
    struct span_bound bound[GRAPH_MAX_RANK];
    fold_once_step(l);
    if (!l->folds.allowed)
        return;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        bound[k] = (struct span_bound){
            axis->variable, axis->computed_first,
            region_sum(l->context->pool, axis->computed_first, axis->computed_extent, 1)};
    }
    reads_visit(l->context->pool, l->context->scratch, stage->value, stage->rank, bound, note_read,
                l);
}

/* False: the box is never as wide. */
static bool require(struct lowering *l, const struct expr *extent, int64_t least)
{
    if (extent->interval.greatest < least)
        return false;
    if (extent->interval.least >= least)
        return true;
    for (size_t i = 0; i < l->folds.boxes.count; i++) {
        struct fold_box *box = &l->folds.boxes.item[i];
        if (box->extent != extent)
            continue;
        box->least = box->least > least ? box->least : least;
        return true;
    }
    VECTOR_PUSH(l->context->scratch, &l->folds.boxes, (struct fold_box){extent, least});
    return true;
}

enum border_rule fold_once_rule(struct lowering *l, const struct expr *read, unsigned axis,
                                const struct border *border)
{
    const int64_t *reach = l->folds.allowed ? hash_map_find(&l->folds.reach, read) : NULL;
    if (!reach || once(border->rule) == border->rule || reach[axis] > MOST_REACH)
        return border->rule;
    const int64_t least = reach[axis] + (border->rule == BORDER_REFLECT101);
    return require(l, border->extent, least) ? once(border->rule) : border->rule;
}

/* ---- Kernels ---- */

static const struct expr *repeat_rules(const struct expr *node, void *user)
{
    struct border border[GRAPH_MAX_RANK];
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    for (unsigned k = 0; k < node->count; k++) {
        border[k] = node->as.load.border[k];
        border[k].rule = repeated(border[k].rule);
    }
    return expr_load(user, node->as.load.source, node->scalar, node->interval, node->count,
                     node->operand, border);
}

static const struct statement *name_small(const struct statement *statement, void *user)
{
    struct lowering *l = user;
    if (statement->kind != STATEMENT_KERNEL)
        return statement_rebuild(l->context->output, statement, name_small, l);
    struct statement kernel = *statement;
    kernel.as.kernel.small = true;
    kernel.as.kernel.name =
        symbol_format(&l->context->session->symbols, "%s.small", kernel.as.kernel.name->text);
    return statement_new(l->context->output, kernel);
}

const struct statement *fold_once_kernels(struct lowering *l, const struct statement *kernels)
{
    struct pass_context *context = l->context;
    struct expr_rewriter rewriter = {.pool = context->pool,
                                     .rule = repeat_rules,
                                     .context = context->pool,
                                     .scratch = context->scratch};
    const struct expr *where = NULL;
    for (size_t i = 0; i < l->folds.boxes.count; i++) {
        const struct fold_box *box = &l->folds.boxes.item[i];
        const struct expr *wide = expr_binary(context->pool, EXPR_LESS_EQUAL,
                                              expr_integer(context->pool, box->least), box->extent);
        where = where ? expr_binary(context->pool, EXPR_AND, where, wide) : wide;
    }
    if (!where)
        return kernels;
    const struct statement *small =
        name_small(statement_rewrite(context->output, kernels, &rewriter), l);
    return STATEMENT_NEW(context->output, kernels->span, .kind = STATEMENT_IF,
                         .as.branch = {where, kernels, small, false});
}
