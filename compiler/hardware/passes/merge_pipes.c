/* merge_pipes: circuit → circuit. A pipe that one other pipe alone takes becomes part of that: no tokens
 * pass between them.
 *   before: gx = pipe of in.window   gy = pipe of in.window   out = pipe of gx, gy
 *   after:  out = pipe of in.window, which computes gx and gy
 * Afterwards no pipe takes a stream twice. */
#include "circuit_pass.h"

struct merging {
    struct pass_context *context;
    const struct circuit *in;
    const unsigned *readers; /* by process */
    const bool *merged;      /* by process: into its reader */
    struct process *pipe;    /* as it becomes, with processes by their old numbers */
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
    if (p->m->merged[edge.from])
        return value_of(p->m, from, element);
    return circuit_element(p->m->context->pool, edge_from(p->m, edge), element, from->out.interval);
}

/* An element of a pipe in terms of the edges of the one at hand. Truth is a number between pipes. */
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
    const struct process old = *pipe;
    struct interval interval = {INT64_MAX, INT64_MIN};
    m->pipe = &(struct process){0};
    *m->pipe = old;
    memset(&m->edges, 0, sizeof m->edges);
    for (size_t i = 0; i < count; i++) {
        value[i] = value_of(m, m->pipe, i);
        interval = interval_hull(interval, value[i]->scalar == SCALAR_BOOL ? (struct interval){0, 1}
                                                                           : value[i]->interval);
    }
    pipe->as.pipe.value = value;
    pipe->out.interval = interval;
    pipe->edge = m->edges.item;
    pipe->edge_count = (unsigned)m->edges.count;
}

/* Whether its one reader is a pipe. */
static const bool *find_merged(struct pass_context *context, const struct circuit *in,
                               const unsigned *readers)
{
    bool *merged = ARENA_ARRAY(context->scratch, bool, in->processes.count + 1);
    for (size_t i = 0; i < in->processes.count; i++) {
        const struct process *reader = &in->processes.item[i];
        for (unsigned e = 0; reader->kind == PROCESS_PIPE && e < reader->edge_count; e++) {
            const uint32_t from = reader->edge[e].from;
            merged[from] = in->processes.item[from].kind == PROCESS_PIPE && readers[from] == 1;
        }
    }
    return merged;
}

const struct circuit *merge_pipes(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy_without_processes(context->output, in);
    struct merging m = {.context = context, .in = in};
    uint32_t *new_id = ARENA_ARRAY(context->scratch, uint32_t, in->processes.count + 1);
    m.readers = circuit_readers(context->scratch, in);
    m.merged = find_merged(context, in, m.readers);
    for (size_t i = 0; i < in->processes.count; i++) {
        struct process p = in->processes.item[i];
        if (m.merged[i])
            continue;
        if (p.kind == PROCESS_PIPE)
            merge_into(&m, &p);
        new_id[i] = circuit_add_renumbered(context->output, out, p, new_id);
    }
    return out;
}
