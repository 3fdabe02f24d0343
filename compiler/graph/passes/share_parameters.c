/* share_parameters: graph → graph. Computes elementary functions and C functions of parameters once
 * per call, in stages of a single number.
 *   before: out[x] = exp(-1 / sigma) * in[x] + (1 - exp(-1 / sigma)) * in[x - 1]
 *   after:  parameters.1 = exp(-1 / sigma)   parameters.2 = 1 - parameters.1
 *           out[x] = parameters.1 * in[x] + parameters.2 * in[x - 1]
 * Otherwise the coefficients of a recursive filter would be computed again in each kernel that uses
 * them. Indices and conditions do not change, because their analysis needs the parameters.
 * Afterwards only these stages call such functions of parameters alone. */
#include "graph_pass.h"

struct sharing {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *new_id; /* by old id: new id */
    struct expr_uses uses;
    struct hash_map looked_at;     /* nodes below which shared values were sought */
    struct expr_rewriter rewriter; /* its done: node → read of the stage that computes it */
    unsigned count;
};

static void count_uses(const struct expr *root, void *user)
{
    struct sharing *s = user;
    expr_uses_count(&s->uses, root);
}

static bool is_worth_sharing(const struct expr *node)
{
    const unsigned sample = HOLDS_LOAD | HOLDS_REDUCE | HOLDS_INDEX | HOLDS_LOCAL;
    return scalar_is_float(node->scalar) && node->count > 0 && (node->holds & HOLDS_CALL) &&
           !(node->holds & sample);
}

static void make_stage(struct sharing *s, const struct expr *node)
{
    if (hash_map_find(&s->rewriter.done, node))
        return;
    const stage_id id =
        graph_add_stage(s->context->output, s->out,
                        (struct stage){.kind = STAGE_MAP,
                                       .name = symbol_format(&s->context->session->symbols,
                                                             "parameters.%u", ++s->count),
                                       .element = node->scalar,
                                       .value = expr_rewrite(&s->rewriter, node)});
    hash_map_put(s->context->scratch, &s->rewriter.done, node,
                 (void *)(uintptr_t)expr_load(s->context->pool, id.index, node->scalar,
                                              node->interval, 0, NULL, NULL));
}

/* A part of such a value that something else needs too. */
static void make_part(const struct expr *node, void *user)
{
    struct sharing *s = user;
    if (expr_uses_of(&s->uses, node) > 1 && is_worth_sharing(node))
        make_stage(s, node);
}

/* The largest values below the node that are worth it. */
static void find_values(const struct expr *node, void *user)
{
    struct sharing *s = user;
    if (hash_map_find(&s->looked_at, node))
        return;
    hash_map_put(s->context->scratch, &s->looked_at, node, (void *)(uintptr_t)node);
    if (is_worth_sharing(node)) {
        expr_nodes(s->context->scratch, node, make_part, s);
        make_stage(s, node);
        return;
    }
    if (node->kind == EXPR_LOAD || node->scalar == SCALAR_BOOL)
        return;
    for (unsigned i = 0; i < node->count; i++)
        find_values(node->operand[i], s);
}

const struct graph *share_parameters(const struct graph *in, struct pass_context *context)
{
    struct sharing s = {.in = in,
                        .out = graph_copy_without_stages(context->output, in),
                        .context = context,
                        .new_id = ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1),
                        .uses = {.walk = {.scratch = context->scratch}}};
    struct renumbering renumbering = {context->pool, s.new_id};
    s.rewriter = (struct expr_rewriter){.pool = context->pool,
                                        .rule = graph_renumber_read,
                                        .context = &renumbering,
                                        .scratch = context->scratch};
    for (size_t i = 0; i < in->stages.count; i++)
        if (stage_computes(in->stages.item[i]))
            stage_expressions(in->stages.item[i], count_uses, &s);
    for (size_t i = 0; i < in->stages.count; i++) /* before all others: none comes into a repeat */
        if (stage_computes(in->stages.item[i]))
            stage_expressions(in->stages.item[i], find_values, &s);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        s.new_id[i] = (uint32_t)s.out->stages.count; /* a recurrence reads itself */
        if (stage_computes(&stage))
            stage = stage_rewrite(context->output, &stage, &s.rewriter);
        graph_add_stage(context->output, s.out, stage);
    }
    graph_renumber(context->output, s.out, s.new_id);
    return s.out;
}
