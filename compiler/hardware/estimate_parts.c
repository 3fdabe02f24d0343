#include "hardware/estimate_parts.h"
#include "hardware/registers.h"

void resources_add(struct resources *to, struct resources more)
{
    to->luts += more.luts;
    to->registers += more.registers;
    to->blocks += more.blocks;
    to->multipliers += more.multipliers;
}

const struct stream *taken_by(const struct estimating *e, const struct process *p)
{
    return &e->circuit->processes.item[p->edge[0].from].out;
}

unsigned tree_luts(unsigned inputs)
{
    return inputs <= 1 ? 0 : inputs <= 6 ? 1 : (inputs + 3) / 5;
}

struct resources counter_resources(uint64_t count)
{
    const unsigned bits = count_bits(count);
    const bool wraps = count == (uint64_t)1 << bits;
    return (struct resources){.luts = 2 + (wraps ? 0 : tree_luts(bits)), .registers = bits};
}

struct resources chain_resources(unsigned bits, unsigned length, const bool is_read[])
{
    enum { SHORTEST = 3, LUT_LENGTH = 32 };
    struct resources r = {0};
    unsigned begun = 0;
    for (unsigned i = 1; i <= length; i++) {
        const unsigned run = i - begun;
        if (!is_read[i])
            continue;
        if (run >= SHORTEST)
            r.luts += bits * ((run + LUT_LENGTH - 1) / LUT_LENGTH);
        else
            r.registers += bits * run;
        begun = i;
    }
    return r;
}

struct resources memory_resources(struct memory_shape shape, enum memory_kind kind)
{
    if (!shape.words)
        return (struct resources){0};
    switch (kind) {
    case MEMORY_BLOCK:
        return (struct resources){.blocks = memory_blocks(shape)};
    case MEMORY_LUT:
        return (struct resources){.luts = memory_luts(shape), .registers = shape.bits};
    case MEMORY_REGISTERS:
    case MEMORY_KIND_COUNT:
        break;
    }
    return (struct resources){.luts = (unsigned)(shape.words - 1) * shape.bits / 2,
                              .registers = (unsigned)(shape.words + 1) * shape.bits};
}

unsigned used_elements(const struct estimating *e, const struct process *p)
{
    unsigned used = 0;
    for (unsigned k = 0; k < stream_elements(&p->out); k++)
        used += e->used[p->id][k];
    return used;
}
