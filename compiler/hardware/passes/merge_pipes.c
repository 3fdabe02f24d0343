/* merge_pipes: circuit → circuit. Merges a pipe into the pipes that read it if this stores no more
 * bits: they read nothing else, or only the same streams, or the pipe consists only of wires.
 *   before: gx = pipe of in.window   gy = pipe of in.window   out = pipe of gx, gy
 *   after:  out = pipe of in.window, which computes gx and gy
 * A pipe whose result is combined with a later stream stays, because its tokens wait for that
 * stream in a FIFO of its own width. Afterwards no pipe takes a stream twice. */
#include "circuit_pass.h"
#include "hardware/intervals.h"

/* ---- What is merged ---- */

/* Whether it is wires: bits moved, put in or left out. */
static void look_for_gates(const struct expr *node, void *user)
{
    bool *is_free = user;
    const bool moves = (node->kind == EXPR_MULTIPLY || node->kind == EXPR_DIVIDE ||
                        node->kind == EXPR_REMAINDER) &&
                       node->operand[1]->kind == EXPR_INTEGER && node->operand[1]->as.integer > 0 &&
                       (node->operand[1]->as.integer & (node->operand[1]->as.integer - 1)) == 0;
    *is_free = *is_free && (moves || node->kind == EXPR_INTEGER || expr_is_element(node));
}

static bool is_wires(struct arena *scratch, const struct process *pipe)
{
    const struct arena_mark mark = arena_mark(scratch);
    bool is_free = true;
    struct expr_walk walk = {.scratch = scratch};
    for (size_t i = 0; i < pipe->as.pipe.count; i++)
        expr_visit(&walk, pipe->as.pipe.value[i], look_for_gates, &is_free);
    arena_release(scratch, mark);
    return is_free;
}

static bool takes(const struct process *p, uint32_t from)
{
    for (unsigned e = 0; e < p->edge_count; e++)
        if (p->edge[e].from == from)
            return true;
    return false;
}

/* Whether all other edges of the reader bring what the pipe takes, or what is made of it at once.
 * */
static bool joins_nothing_else(const struct circuit *in, const struct process *pipe,
                               const struct process *reader)
{
    for (unsigned e = 0; e < reader->edge_count; e++) {
        const struct process *other = &in->processes.item[reader->edge[e].from];
        if (other->id == pipe->id || takes(pipe, other->id))
            continue;
        for (unsigned k = 0; k < other->edge_count; k++)
            if (other->kind != PROCESS_PIPE || !takes(pipe, other->edge[k].from))
                return false;
        if (other->edge_count == 0)
            return false;
    }
    return true;
}

static bool is_merged_into(struct arena *scratch, const struct circuit *in, const unsigned *readers,
                           const struct process *pipe, const struct process *reader)
{
    if (pipe->kind != PROCESS_PIPE || reader->kind != PROCESS_PIPE)
        return false;
    if (pipe->edge_count == 1 && is_wires(scratch, pipe))
        return true;
    return readers[pipe->id] == 1 && joins_nothing_else(in, pipe, reader);
}

/* ---- Values ---- */

struct merging {
    struct pass_context *context;
    const struct circuit *in;
    const unsigned *readers;    /* by process */
    const struct process *pipe; /* that others are merged into */
    VECTOR(struct edge) edges;
};

/* The edge of the pipe at hand that brings the stream; made at need. */
static unsigned edge_from(struct merging *m, struct edge edge)
{
    for (size_t i = 0; i < m->edges.count; i++)
        if (m->edges.item[i].from == edge.from)
            return (unsigned)i;
    VECTOR_PUSH(m->context->output, &m->edges, edge);
    return (unsigned)m->edges.count - 1;
}

struct placing {
    struct merging *m;
    const struct process *pipe; /* whose edges the loads name */
    struct expr_rewriter rewriter;
};

static const struct expr *value_of(struct merging *m, const struct process *pipe, size_t element);

static const struct expr *place_element(const struct expr *node, void *user)
{
    struct placing *p = user;
    if (!expr_is_element(node))
        return node;
    const struct edge edge = p->pipe->edge[node->as.load.source];
    const unsigned element = (unsigned)node->operand[0]->as.integer;
    const struct process *from = &p->m->in->processes.item[edge.from];
    if (is_merged_into(p->m->context->scratch, p->m->in, p->m->readers, from, p->pipe))
        return value_of(p->m, from, element);
    return circuit_element(p->m->context->pool, edge_from(p->m, edge), element, from->out.interval);
}

/* An element of a pipe in terms of the edges of the one at hand. Truth is a number between pipes.
 * */
static const struct expr *value_of(struct merging *m, const struct process *pipe, size_t element)
{
    struct expr_pool *pool = m->context->pool;
    struct placing p = {
        m, pipe, {.pool = pool, .rule = place_element, .scratch = m->context->scratch}};
    p.rewriter.context = &p;
    const struct expr *value = expr_rewrite(&p.rewriter, pipe->as.pipe.value[element]);
    return value->scalar == SCALAR_BOOL && pipe != m->pipe
               ? expr_select(pool, value, expr_integer(pool, 1), expr_integer(pool, 0))
               : value;
}

static void merge_into(struct merging *m, struct process *pipe)
{
    const size_t count = pipe->as.pipe.count;
    const struct expr **value = ARENA_ARRAY(m->context->output, const struct expr *, count + 1);
    const struct arena_mark mark = arena_mark(m->context->scratch);
    const struct process old = *pipe;
    struct interval interval = {INT64_MAX, INT64_MIN};
    m->pipe = &old;
    memset(&m->edges, 0, sizeof m->edges);
    for (size_t i = 0; i < count; i++) {
        value[i] = value_of(m, &old, i);
        interval = interval_hull(interval, value[i]->scalar == SCALAR_BOOL ? (struct interval){0, 1}
                                                                           : value[i]->interval);
    }
    arena_release(m->context->scratch, mark);
    if (m->edges.count == 0) /* constants: as many as there are tokens */
        edge_from(m, old.edge[0]);
    pipe->as.pipe.value = value;
    pipe->out.interval = interval;
    pipe->edge = m->edges.item;
    pipe->edge_count = (unsigned)m->edges.count;
}

const struct circuit *merge_pipes(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy_without_processes(context->scratch, in);
    struct merging m = {
        .context = context, .in = in, .readers = circuit_readers(context->scratch, in)};
    for (size_t i = 0; i < in->processes.count; i++) {
        struct process p = in->processes.item[i];
        if (p.kind == PROCESS_PIPE)
            merge_into(&m, &p);
        circuit_add(context->scratch, out, p);
    }
    return circuit_settled(context->output, context->scratch, context->pool,
                           circuit_of_needed(context->output, out));
}
