/* choose_memories: circuit → circuit. Chooses the memory of lines and FIFOs: a single word in
 * registers, few words in LUTs, all others in block memory. Synthesis alone would choose badly for
 * some hundred bits.
 *   before: fifo in depth 409        window … along lines taps 3 before 1 clamp
 *   after:  fifo in depth 409 in block        … clamp in block
 * `lut_words 512;` in a schedule sets the limit for all. */
#include "circuit_pass.h"
#include "hardware/memories.h"

/* What the schedule says, or where it is cheapest; a word is in registers. */
static enum memory_kind kind_of(const struct circuit *circuit, struct memory_shape shape)
{
    const int64_t words = graph_setting(circuit->graph, CIRCUIT_SETTING_lut_words, -1);
    if (words < 0 || shape.words <= 1)
        return memory_for(shape);
    return shape.words <= (uint64_t)words ? MEMORY_LUT : MEMORY_BLOCK;
}

const struct circuit *choose_memories(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy(context->output, in);
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        struct edge *edge = arena_copy(context->output, p->edge, p->edge_count * sizeof *edge);
        for (unsigned e = 0; e < p->edge_count; e++)
            edge[e].memory = kind_of(out, edge_memory(out, &edge[e]));
        p->edge = edge;
        enum memory_kind *kind = process_memory_kind(p);
        if (kind)
            *kind = kind_of(out, process_memory(out, p));
    }
    return out;
}
