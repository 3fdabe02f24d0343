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

const char *port_name(const struct circuit *circuit, const struct process *p,
                      const char *const names[])
{
    return p->kind == PROCESS_SINK ? circuit->graph->outputs.item[p->as.source.position].name->text
                                   : names[p->id];
}
