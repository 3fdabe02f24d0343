/* choose_memories: circuit → circuit. Says where lines and FIFOs are kept: few words in LUTs, a
 * single one in registers, all others in blocks of memory. Synthesis goes by its own cost where
 * nothing is said, and is wrong at some hundred bits.
 *   before: fifo in depth 409        window … along lines taps 3 before 1 clamp
 *   after:  fifo in depth 409 in block        … clamp in block
 * Holds afterwards: each memory is in the kind that memory_for says. */
#include "circuit_pass.h"
#include "hardware/memories.h"

const struct circuit *choose_memories(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy(context->output, in);
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        struct edge *edge = arena_copy(context->output, p->edge, p->edge_count * sizeof *edge);
        for (unsigned e = 0; e < p->edge_count; e++)
            edge[e].memory = memory_for(edge_memory(out, &edge[e]));
        p->edge = edge;
        enum memory_kind *kind = process_memory_kind(p);
        if (kind)
            *kind = memory_for(process_memory(out, p));
    }
    return out;
}
