/* widen_tokens: circuit → circuit. Puts several samples of a line into each token, as the target
 * says. Lanes are the lanes of the first sample, then of the next one; pipes compute all samples,
 * and windows along a line give the taps of each.
 *   before: in 64 x 128, lanes 1 → window taps 3 → pipe, one value
 *   after:  in 64 x 32, lanes 4 → window taps 3, pixels 4 → pipe, four values */
#include "circuit_pass.h"

struct widening {
    struct pass_context *context;
    const struct circuit *in;
    unsigned pixels, pixel; /* the one at hand */
    const struct process *pipe;
};

/* Element (tap, lane) of a token becomes (tap, pixel, lane). */
static unsigned widened_element(const struct widening *w, const struct stream *stream,
                                unsigned element)
{
    const unsigned tap = element / stream->lanes, lane = element % stream->lanes;
    return (tap * w->pixels + w->pixel) * stream->lanes + lane;
}

static const struct expr *widen_leaf(const struct expr *node, void *user)
{
    const struct widening *w = user;
    struct expr_pool *pool = w->context->pool;
    if (expr_is_element(node) || expr_is_state(node)) {
        const struct stream *stream =
            expr_is_state(node)
                ? &w->pipe->out
                : &w->in->processes.item[w->pipe->edge[node->as.load.source].from].out;
        return circuit_element(pool, node->as.load.source,
                               widened_element(w, stream, (unsigned)node->operand[0]->as.integer),
                               node->interval);
    }
    const bool is_place = node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_INDEX &&
                          node == circuit_position(pool, &w->context->session->symbols,
                                                   RASTER_TOKENS, w->pipe->out.tokens);
    if (!is_place)
        return node;
    const struct expr *token = circuit_position(pool, &w->context->session->symbols, RASTER_TOKENS,
                                                w->pipe->out.tokens / w->pixels);
    return expr_binary(pool, EXPR_ADD,
                       expr_binary(pool, EXPR_MULTIPLY, token, expr_integer(pool, w->pixels)),
                       expr_integer(pool, w->pixel));
}

static void widen_pipe(struct widening *w, struct process *pipe)
{
    const size_t count = pipe->as.pipe.count;
    const struct expr **value =
        ARENA_ARRAY(w->context->output, const struct expr *, count * w->pixels + 1);
    w->pipe = &w->in->processes.item[pipe->id];
    for (w->pixel = 0; w->pixel < w->pixels; w->pixel++) {
        struct expr_rewriter rewriter = {.pool = w->context->pool,
                                         .rule = widen_leaf,
                                         .context = w,
                                         .scratch = w->context->scratch};
        for (size_t i = 0; i < count; i++)
            value[w->pixel * count + i] = expr_rewrite(&rewriter, pipe->as.pipe.value[i]);
    }
    pipe->as.pipe.value = value;
    pipe->as.pipe.count = count * w->pixels;
}

static void widen_port(const struct widening *w, struct process *port)
{
    const unsigned lanes = w->in->processes.item[port->id].out.lanes;
    int64_t *lane = ARENA_ARRAY(w->context->output, int64_t, lanes * w->pixels + 1);
    for (unsigned i = 0; i < lanes * w->pixels; i++)
        lane[i] =
            port->as.source.lane[i % lanes] + i / lanes * port->as.source.stride[RASTER_TOKENS];
    port->as.source.lane = lane;
    port->as.source.stride[RASTER_TOKENS] *= w->pixels;
}

const struct circuit *widen_tokens(const struct circuit *in, struct pass_context *context)
{
    struct widening w = {.context = context, .in = in, .pixels = context->target->circuit.pixels};
    if (w.pixels <= 1)
        return in;
    struct circuit *out = circuit_copy(context->output, in);
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        if (process_computes(p))
            widen_pipe(&w, p);
        if (p->kind == PROCESS_SOURCE || p->kind == PROCESS_SINK)
            widen_port(&w, p);
        if (p->kind == PROCESS_WINDOW && p->as.window.axis == RASTER_TOKENS)
            p->as.window.pixels = w.pixels;
        p->out.lanes *= w.pixels;
        p->out.tokens /= w.pixels;
    }
    return out;
}
