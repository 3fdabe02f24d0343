/* unroll_loops: loop → loop. Replaces a loop that is marked `unrolled` by its iterations.
 *   before: loop d -1 .. 1 unrolled { sum = fma(k[d], in[x + d], sum) }
 *   after:  sum = fma(0.25, in[x - 1], sum)  sum = fma(0.5, in[x], sum)  …
 * Elements of constant buffers at known indices become numbers. Afterwards no loop is marked. */
#include "loop_pass.h"
#include "expr/affine.h"
#include "loop/rewrite.h"

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct pass_context *context = user;
    if (statement->kind != STATEMENT_LOOP || statement->as.loop.level != LEVEL_UNROLLED)
        return statement_rebuild(context->output, statement, visit, context);
    const int64_t first = statement->as.loop.first->as.integer;
    const int64_t extent = statement->as.loop.extent->as.integer;
    const struct statement **item =
        ARENA_ARRAY(context->scratch, const struct statement *, (size_t)extent + 1);
    for (int64_t i = 0; i < extent; i++)
        item[i] = visit(statement_substitute(context->output, context->scratch, context->pool,
                                             statement->as.loop.body, statement->as.loop.variable,
                                             expr_integer(context->pool, first + i)),
                        context);
    return statement_block(context->output, statement->span, (size_t)extent, item);
}

struct folding {
    const struct program *in;
    struct expr_pool *pool;
};

static const struct expr *fold(const struct expr *node, void *user)
{
    const struct folding *f = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const struct buffer *buffer = &f->in->buffers.item[node->as.load.source];
    if (buffer->space != SPACE_CONSTANT) { /* x + 1 + -1 becomes x */
        const struct expr *index[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < node->count; k++)
            index[k] = affine_normal(f->pool, node->operand[k]);
        return expr_with_operands(f->pool, node, index);
    }
    int64_t at = 0;
    for (unsigned k = 0; k < node->count; k++) {
        if (node->operand[k]->kind != EXPR_INTEGER)
            return node;
        const int64_t extent = buffer->axis[k].extent->as.integer;
        const int64_t place = node->operand[k]->as.integer - buffer->axis[k].first->as.integer;
        if (place < 0 || place >= extent) /* in a branch that is not taken */
            return node;
        at = at * extent + place;
    }
    return buffer->constant[at];
}

const struct program *unroll_loops(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct folding folding = {in, context->pool};
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = fold, .context = &folding, .scratch = context->scratch};
    out->body = statement_rewrite(context->output, visit(in->body, context), &rewriter);
    return out;
}
