/* schedule_streams: circuit → circuit. Puts a FIFO where tokens wait, as deep as most of them are
 * there at once, and says when results come.
 *   before: difference takes in at once, and up 3 lines later
 *   after:  in → FIFO of 409 tokens → difference
 * A FIFO makes tokens come later, so others may have to wait: again, until no more do. */
#include "circuit_pass.h"
#include "hardware/times.h"

/* What reads one line twice makes tokens wait that need not come so early: two lines are enough. */
static uint32_t depth_of(const struct circuit *circuit, const struct process *p,
                         const struct edge *edge, uint64_t most)
{
    const uint64_t lines = 2 * (uint64_t)circuit->processes.item[edge->from].out.tokens;
    const bool capped = p->kind == PROCESS_TWICE && p->as.twice.axis == RASTER_LINES;
    const uint64_t depth = capped && most > lines ? lines : most;
    return depth < FIFO_LATENCY ? FIFO_LATENCY : (uint32_t)depth;
}

/* Where tokens may wait: other processes take them as they come. */
static bool takes_late(const struct process *p)
{
    return process_computes(p) || (p->kind == PROCESS_TWICE && p->as.twice.axis == RASTER_LINES);
}

static const struct circuit *with_edges(struct pass_context *context, const struct circuit *in,
                                        const struct stream_times *times, bool *changed)
{
    struct circuit *out = circuit_copy(context->output, in);
    out->times = times->circuit;
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        struct edge *edge = arena_copy(context->output, p->edge, p->edge_count * sizeof *edge);
        p->edge = edge;
        for (unsigned e = 0; e < p->edge_count; e++) {
            const struct edge_times *at = &times->edge[i][e];
            if (edge[e].kind != EDGE_FIFO && (!at->waits || !takes_late(p)))
                continue;
            *changed = *changed || edge[e].kind != EDGE_FIFO;
            edge[e].kind = EDGE_FIFO;
            edge[e].depth = depth_of(out, p, &edge[e], at->most);
        }
    }
    return out;
}

const struct circuit *schedule_streams(const struct circuit *in, struct pass_context *context)
{
    for (bool changed = true; changed;) {
        const struct arena_mark mark = arena_mark(context->scratch);
        const struct stream_times times = stream_times(context->scratch, context->scratch, in);
        changed = false;
        in = with_edges(context, in, &times, &changed);
        arena_release(context->scratch, mark);
    }
    return in;
}
