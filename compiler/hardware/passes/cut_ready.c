/* cut_ready: circuit → circuit. Limits the number of processes that a `ready` signal passes through
 * in one clock to what the target allows: a slice (two words) cuts it, on the narrowest edge of the
 * path. A FIFO cuts it too.
 *   before: in → a → b → c → d → out, all wires          after: in → a → b → slice → c → d → out
 * Slices delay tokens by a clock, so FIFOs and clocks are computed again. */
#include "circuit_pass.h"
#include "hardware/schedule.h"

/* Of each process: how many `ready` runs through from what takes its stream to the nearest cut, and
 * by way of which reader. */
struct way {
    unsigned length;
    uint32_t reader;
    unsigned edge;
};

static struct way *find_ways(struct arena *scratch, const struct circuit *circuit)
{
    struct way *way = ARENA_ARRAY(scratch, struct way, circuit->processes.count + 1);
    for (size_t i = circuit->processes.count; i-- > 0;) {
        const struct process *reader = &circuit->processes.item[i];
        for (unsigned e = 0; e < reader->edge_count; e++) {
            struct way *from = &way[reader->edge[e].from];
            if (reader->edge[e].kind == EDGE_WIRE && way[i].length + 1 > from->length)
                *from = (struct way){way[i].length + 1, (uint32_t)i, e};
        }
    }
    return way;
}

/* The narrowest edge of the way from a process on; false: the way is not too long. */
static bool find_cut(const struct circuit *circuit, const struct way way[], unsigned most,
                     uint32_t *reader, unsigned *edge)
{
    for (size_t i = 0; i < circuit->processes.count; i++) {
        unsigned least = UINT32_MAX;
        if (way[i].length <= most)
            continue;
        for (uint32_t at = (uint32_t)i; way[at].length; at = way[at].reader) {
            const unsigned bits = stream_bits(&circuit->processes.item[at].out);
            if (bits >= least)
                continue;
            least = bits;
            *reader = way[at].reader;
            *edge = way[at].edge;
        }
        return true;
    }
    return false;
}

static void cut(struct arena *arena, struct circuit *circuit, uint32_t reader, unsigned edge)
{
    struct process *p = &circuit->processes.item[reader];
    struct edge *edges = arena_copy(arena, p->edge, p->edge_count * sizeof *edges);
    edges[edge].kind = EDGE_SLICE;
    p->edge = edges;
}

const struct circuit *cut_ready(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy(context->output, in);
    uint32_t reader = 0;
    unsigned edge = 0;
    bool changed = false;
    while (find_cut(out, find_ways(context->scratch, out), context->target->circuit.ready_chain,
                    &reader, &edge)) {
        cut(context->output, out, reader, edge);
        changed = true;
    }
    return changed ? circuit_scheduled(context->output, context->scratch, out) : in;
}
