#include "hardware/circuit.h"
#include "expr/borders.h"

#include <assert.h>

const char *const process_text[PROCESS_KIND_COUNT] = {
#define PROCESS(kind, text) text,
#include "hardware/processes.def"
#undef PROCESS
};
const char *const raster_text[RASTER_COUNT] = {"lines", "tokens"};
const char *const raster_variable[RASTER_COUNT] = {"line", "place"};
const char *const edge_text[EDGE_KIND_COUNT] = {"wire", "slice", "fifo"};
const char *const memory_text[MEMORY_KIND_COUNT] = {"registers", "lut", "block"};

static unsigned bit_length(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

unsigned interval_bits(struct interval interval)
{
    if (interval.least >= 0) {
        const unsigned bits = bit_length((uint64_t)interval.greatest);
        return bits ? bits : 1;
    }
    const unsigned negative = bit_length(~(uint64_t)interval.least);
    const unsigned positive = interval.greatest > 0 ? bit_length((uint64_t)interval.greatest) : 0;
    return (negative > positive ? negative : positive) + 1;
}

unsigned stream_bits(const struct stream *stream)
{
    return stream_elements(stream) * interval_bits(stream->interval) + (stream->tagged ? 2 : 0);
}

struct circuit *circuit_copy_without_processes(struct arena *arena, const struct circuit *circuit)
{
    struct circuit *copy = arena_copy(arena, circuit, sizeof *circuit);
    memset(&copy->processes, 0, sizeof copy->processes);
    copy->tables.item = arena_copy(arena, circuit->tables.item,
                                   circuit->tables.count * sizeof *circuit->tables.item);
    copy->tables.capacity = circuit->tables.count;
    return copy;
}

struct circuit *circuit_copy(struct arena *arena, const struct circuit *circuit)
{
    struct circuit *copy = circuit_copy_without_processes(arena, circuit);
    for (size_t i = 0; i < circuit->processes.count; i++)
        circuit_add(arena, copy, circuit->processes.item[i]);
    return copy;
}

uint32_t circuit_add(struct arena *arena, struct circuit *circuit, struct process process)
{
    process.id = (uint32_t)circuit->processes.count;
    VECTOR_PUSH(arena, &circuit->processes, process);
    return process.id;
}

uint32_t circuit_add_renumbered(struct arena *arena, struct circuit *circuit,
                                struct process process, const uint32_t new_id[])
{
    struct edge *edge = arena_copy(arena, process.edge, process.edge_count * sizeof *edge);
    for (unsigned e = 0; e < process.edge_count; e++)
        edge[e].from = new_id[edge[e].from];
    process.edge = edge;
    return circuit_add(arena, circuit, process);
}

struct circuit *circuit_of_needed(struct arena *arena, const struct circuit *circuit)
{
    const size_t count = circuit->processes.count;
    struct circuit *out = circuit_copy_without_processes(arena, circuit);
    bool *needed = ARENA_ARRAY(arena, bool, count + 1);
    uint32_t *new_id = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (size_t i = count; i-- > 0;) {
        const struct process *p = &circuit->processes.item[i];
        needed[i] = needed[i] || p->kind == PROCESS_SINK || p->kind == PROCESS_SOURCE;
        for (unsigned e = 0; needed[i] && e < p->edge_count; e++)
            needed[p->edge[e].from] = true;
    }
    for (size_t i = 0; i < count; i++)
        if (needed[i])
            new_id[i] = circuit_add_renumbered(arena, out, circuit->processes.item[i], new_id);
    return out;
}

const unsigned *circuit_readers(struct arena *arena, const struct circuit *circuit)
{
    unsigned *count = ARENA_ARRAY(arena, unsigned, circuit->processes.count + 1);
    for (size_t i = 0; i < circuit->processes.count; i++)
        for (unsigned k = 0; k < circuit->processes.item[i].edge_count; k++)
            count[circuit->processes.item[i].edge[k].from]++;
    return count;
}

const struct expr *circuit_position(struct expr_pool *pool, struct symbol_table *symbols,
                                    enum raster axis, uint32_t extent)
{
    const struct interval interval = {0, extent ? (int64_t)extent - 1 : 0};
    return expr_variable(pool, VARIABLE_INDEX, symbol_from(symbols, raster_variable[axis]),
                         SCALAR_I32, interval);
}

const struct expr *circuit_element(struct expr_pool *pool, unsigned edge, unsigned element,
                                   struct interval interval)
{
    const struct expr *const index = expr_integer(pool, element);
    return expr_load(pool, edge, scalar_holding(interval), interval, 1, &index, NULL);
}

const struct expr *circuit_sample(struct expr_pool *pool, const struct circuit *circuit,
                                  uint32_t table, const struct expr *address)
{
    const struct interval interval = circuit->tables.item[table].interval;
    return expr_load(pool, PIPE_TABLES + table, scalar_holding(interval), interval, 1, &address,
                     NULL);
}

unsigned window_tokens_before(const struct process *window)
{
    const unsigned pixels = window->as.window.pixels;
    return (window->as.window.before + pixels - 1) / pixels;
}

unsigned window_tokens_after(const struct process *window)
{
    const unsigned pixels = window->as.window.pixels;
    const unsigned after = window->as.window.taps - 1 - window->as.window.before;
    return (after + pixels - 1) / pixels;
}

int window_tap(const struct process *window, int64_t place, int64_t n, unsigned tap)
{
    const int64_t first = place * window->as.window.stride - window->as.window.before;
    const int64_t index = first + tap;
    if (index >= 0 && index < n)
        return (int)tap;
    if (window->as.window.rule == BORDER_NONE)
        return (int)tap; /* nothing reads it */
    bool outside;
    const int64_t read = border_coordinate(window->as.window.rule, index, 0, n, &outside);
    if (outside)
        return -1;
    assert(read >= first && read < first + window->as.window.taps);
    return (int)(read - first);
}
