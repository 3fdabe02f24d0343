#include "hardware/schedule.h"
#include "hardware/clocks.h"
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
    return process_computes(p) || p->kind == PROCESS_TWICE;
}

static struct circuit *with_edges(struct arena *arena, const struct circuit *in,
                                  const struct stream_times *times, const struct stream_times *slow,
                                  bool *changed)
{
    struct circuit *out = circuit_copy(arena, in);
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        struct edge *edge = arena_copy(arena, p->edge, p->edge_count * sizeof *edge);
        p->edge = edge;
        for (unsigned e = 0; e < p->edge_count; e++) {
            const struct edge_times *at = &times->edge[i][e], *in_pause = &slow->edge[i][e];
            const bool joins = process_computes(p) && p->edge_count > 1;
            const uint64_t most = joins && in_pause->most > at->most ? in_pause->most : at->most;
            const bool waits = (at->waits && takes_late(p)) || (joins && in_pause->most > 1);
            if (edge[e].kind != EDGE_FIFO && !waits)
                continue;
            *changed = *changed || edge[e].kind != EDGE_FIFO;
            edge[e].kind = EDGE_FIFO;
            edge[e].depth = depth_of(out, p, &edge[e], most);
        }
    }
    return out;
}

static void deepen(struct arena *arena, struct circuit *circuit, const struct full_fifo *full)
{
    struct process *p = &circuit->processes.item[full->process];
    struct edge *edge = arena_copy(arena, p->edge, p->edge_count * sizeof *edge);
    edge[full->edge].depth += (full->depth + 3) / 4;
    p->edge = edge;
}

/* Depths are those of a circuit in which no token waits for room. Where tokens wait for each other,
 * one FIFO may be full before another one has its token: the shallowest such is made deeper until
 * the circuit moves, as Parks' rule for process networks has it. */
static void deepen_until_it_moves(struct arena *arena, struct arena *scratch,
                                  struct circuit *circuit)
{
    enum { MOST_DEPTH = 1 << 24 }; /* tokens: no frame asks for more */
    const struct arena_mark mark = arena_mark(scratch);
    struct full_fifo full;
    while (!circuit_clocks(scratch, circuit, &circuit->times, &full) && full.depth &&
           full.depth < MOST_DEPTH) {
        deepen(arena, circuit, &full);
        arena_release(scratch, mark);
    }
}

/* A FIFO makes tokens come later, so others may have to wait: again, until no more do. */
const struct circuit *circuit_scheduled(struct arena *arena, struct arena *scratch,
                                        const struct circuit *circuit)
{
    struct circuit *out = NULL;
    const struct stream_times slow = stream_times_of_slow(scratch, scratch, circuit);
    for (bool changed = true; changed;) {
        const struct arena_mark mark = arena_mark(scratch);
        const struct stream_times times = stream_times(scratch, scratch, circuit);
        changed = false;
        circuit = out = with_edges(arena, circuit, &times, &slow, &changed);
        arena_release(scratch, mark);
    }
    deepen_until_it_moves(arena, scratch, out);
    return out;
}
