#include "emit/launch/circuit_parts.h"

unsigned element_bits(const struct stream *stream)
{
    return interval_bits(stream->interval);
}

unsigned token_bits(const struct stream *stream)
{
    return stream_elements(stream) * element_bits(stream);
}

unsigned port_bits(const struct stream *stream)
{
    return (token_bits(stream) + 7) / 8 * 8;
}

const struct stream *process_edge(const struct circuit *circuit, const struct process *p,
                                  unsigned edge)
{
    return &circuit->processes.item[p->edge[edge].from].out;
}

const bool *written_tables_read(struct arena *arena, const struct circuit *circuit,
                                const struct process *p)
{
    bool *read = ARENA_ARRAY(arena, bool, circuit->tables.count + 1);
    for (size_t i = 0; process_computes(p) && i < p->as.pipe.node_count; i++) {
        const struct expr *node = p->as.pipe.node[i];
        const uint32_t table = expr_is_sample(node) ? node->as.load.source - PIPE_TABLES : 0;
        if (expr_is_sample(node) && table_is_written(&circuit->tables.item[table]))
            read[table] = true;
    }
    return read;
}

const char *port_name(const struct circuit *circuit, const struct process *p,
                      const char *const names[])
{
    return p->kind == PROCESS_SINK ? circuit->graph->outputs.item[p->as.source.position].name->text
                                   : names[p->id];
}

const char *circuit_period(struct arena *arena, const struct target *target)
{
    char *text = arena_format(arena, "%.3f", 1e3 / target->circuit.megahertz);
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    text[length - (text[length - 1] == '.')] = 0;
    return text;
}
