#include "hardware/memories.h"

struct memory_shape process_memory(const struct circuit *circuit, const struct process *process)
{
    const struct stream *in =
        process->edge_count ? &circuit->processes.item[process->edge[0].from].out : NULL;
    const unsigned element = interval_bits(process->out.interval);
    switch (process->kind) {
    case PROCESS_WINDOW: /* the lines side by side, in words of one place */
        if (process->as.window.axis == RASTER_LINES && process->as.window.taps > 1)
            return (struct memory_shape){in->tokens, (process->as.window.taps - 1) *
                                                         process->out.lanes * element};
        break;
    case PROCESS_TWICE:
        if (process->as.twice.axis == RASTER_LINES)
            return (struct memory_shape){in->tokens, stream_elements(in) * element};
        break;
    case PROCESS_SCAN:
        if (process->as.pipe.state.axis == RASTER_LINES)
            return (struct memory_shape){process->out.tokens, process->as.pipe.state.taps *
                                                                  stream_elements(&process->out) *
                                                                  element};
        break;
    case PROCESS_COUNT: /* one of two */
        if (process->as.count.bins > 1)
            return (struct memory_shape){process->as.count.bins, element};
        break;
    case PROCESS_SOURCE:
    case PROCESS_SINK:
    case PROCESS_PIPE:
    case PROCESS_KIND_COUNT:
        break;
    }
    return (struct memory_shape){0, 0};
}

struct memory_shape edge_memory(const struct circuit *circuit, const struct edge *edge)
{
    if (edge->kind != EDGE_FIFO)
        return (struct memory_shape){0, 0};
    return (struct memory_shape){edge->depth - 1,
                                 stream_bits(&circuit->processes.item[edge->from].out)};
}

enum memory_kind *process_memory_kind(struct process *process)
{
    switch (process->kind) {
    case PROCESS_WINDOW:
        return &process->as.window.memory;
    case PROCESS_TWICE:
        return &process->as.twice.memory;
    case PROCESS_SCAN:
        return &process->as.pipe.state.memory;
    case PROCESS_COUNT:
        return &process->as.count.memory;
    case PROCESS_SOURCE:
    case PROCESS_SINK:
    case PROCESS_PIPE:
    case PROCESS_KIND_COUNT:
        break;
    }
    return NULL;
}

static void note_memory(struct memory_use *use, struct memory_shape shape,
                        const struct process *process, const struct edge *edge)
{
    const uint64_t bits = shape.words * shape.bits;
    use->bits += bits;
    if (bits <= use->most_bits)
        return;
    use->most_bits = bits;
    use->most = process;
    use->edge = edge;
}

struct memory_use circuit_memory_use(const struct circuit *circuit)
{
    struct memory_use use = {0};
    for (size_t i = 0; i < circuit->processes.count; i++) {
        const struct process *p = &circuit->processes.item[i];
        struct memory_shape own = process_memory(circuit, p);
        own.words *= p->kind == PROCESS_COUNT ? 2 : 1;
        note_memory(&use, own, p, NULL);
        for (unsigned e = 0; e < p->edge_count; e++)
            note_memory(&use, edge_memory(circuit, &p->edge[e]), p, &p->edge[e]);
    }
    return use;
}

/* Words that LUTs hold, of any width, and of few bits. */
enum { LUT_WORDS = 32, LUT_WORDS_NARROW = 64, NARROW = 24 };

enum memory_kind memory_for(struct memory_shape shape)
{
    if (shape.words <= 1)
        return MEMORY_REGISTERS;
    if (shape.words <= LUT_WORDS || (shape.words <= LUT_WORDS_NARROW && shape.bits <= NARROW))
        return MEMORY_LUT;
    return MEMORY_BLOCK;
}

struct memory_shape written_table_memory(const struct circuit_table *table)
{
    return (struct memory_shape){table->count, interval_bits(table->interval)};
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

unsigned memory_blocks(struct memory_shape shape)
{
    static const struct {
        unsigned words, bits, blocks;
    } form[] = {{512, 36, 1},  {1024, 18, 1}, {2048, 9, 1},  {4096, 4, 1},  {8192, 2, 1},
                {16384, 1, 1}, {512, 72, 2},  {1024, 36, 2}, {2048, 18, 2}, {4096, 9, 2},
                {8192, 4, 2},  {16384, 2, 2}, {32768, 1, 2}};
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        const uint64_t blocks = divide_up(shape.words, form[i].words) *
                                divide_up(shape.bits, form[i].bits) * form[i].blocks;
        least = blocks < least ? blocks : least;
    }
    return (unsigned)least;
}

unsigned memory_luts(struct memory_shape shape)
{
    /* four LUTs have 32 words of 6 bits, or 64 of 3 */
    if (shape.words <= LUT_WORDS)
        return 4 * (unsigned)divide_up(shape.bits, 6);
    const uint64_t parts = divide_up(shape.words, 64);
    const uint64_t chosen = parts > 1 ? shape.bits * divide_up(parts, 4) : 0; /* among them */
    return (unsigned)(4 * divide_up(shape.bits, 3) * parts + chosen);
}
