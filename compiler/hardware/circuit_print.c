/* circuit → text. */
#include "hardware/circuit_text.h"

#include <inttypes.h>

static void print_interval(struct text *text, struct interval interval)
{
    text_print(text, " %" PRId64 " .. %" PRId64, interval.least, interval.greatest);
}

/* "stream 64 x 128 taps 3 lanes 2 of 0 .. 255 tagged" */
static void print_stream(struct text *text, const struct stream *stream)
{
    text_print(text, "stream %u x %u", stream->lines, stream->tokens);
    if (stream->taps != 1)
        text_print(text, " taps %u", stream->taps);
    if (stream->lanes != 1)
        text_print(text, " lanes %u", stream->lanes);
    text_print(text, " of");
    print_interval(text, stream->interval);
    text_print(text, "%s\n", stream->tagged ? " tagged" : "");
}

static void print_edge(const struct circuit *circuit, struct text *text, const struct edge *edge)
{
    text_print(text, "%s ", edge_text[edge->kind]);
    ir_print_name(text, circuit->processes.item[edge->from].name);
    if (edge->kind == EDGE_FIFO)
        text_print(text, " depth %u", edge->depth);
    if (edge->memory != MEMORY_REGISTERS)
        text_print(text, " in %s", memory_text[edge->memory]);
    text_print(text, "\n");
}

/* By id of loads: edges by the names of what they bring, tables by their own. */
static struct expr_source *sources_of(const struct circuit *circuit, const struct process *pipe,
                                      struct arena *arena)
{
    struct expr_source *source =
        ARENA_ARRAY(arena, struct expr_source, PIPE_TABLES + circuit->tables.count);
    for (unsigned i = 0; i < PIPE_TABLES; i++)
        source[i].text = "";
    for (unsigned e = 0; e < pipe->edge_count; e++) {
        const struct process *from = &circuit->processes.item[pipe->edge[e].from];
        source[e] = (struct expr_source){from->name->text, scalar_holding(from->out.interval),
                                         from->out.interval};
    }
    source[PIPE_STATE] = (struct expr_source){pipe->name->text, scalar_holding(pipe->out.interval),
                                              pipe->out.interval};
    for (size_t i = 0; i < circuit->tables.count; i++) {
        const struct circuit_table *table = &circuit->tables.item[i];
        source[PIPE_TABLES + i] = (struct expr_source){
            table->name->text, scalar_holding(table->interval), table->interval};
    }
    return source;
}

static void print_values(const struct circuit *circuit, const struct process *pipe,
                         struct text *text)
{
    struct expr_printer printer = expr_printer_open(text, sources_of(circuit, pipe, text->arena),
                                                    PIPE_TABLES + circuit->tables.count);
    expr_print_shared(&printer, pipe->as.pipe.count, pipe->as.pipe.value);
    for (size_t i = 0; i < pipe->as.pipe.count; i++) {
        text_print(text, "value ");
        expr_print(&printer, pipe->as.pipe.value[i]);
        text_print(text, "\n");
    }
}

static void print_step(const struct circuit *circuit, const struct process *p, struct text *text)
{
    struct expr_printer printer = expr_printer_open(text, sources_of(circuit, p, text->arena),
                                                    PIPE_TABLES + circuit->tables.count);
    expr_print_shared(&printer, 1, &p->as.count.step);
    text_print(text, "step ");
    expr_print(&printer, p->as.count.step);
    text_print(text, "\n");
}

static void print_window(const struct process *p, struct text *text)
{
    text_print(text, "along %s taps %u before %u", raster_text[p->as.window.axis],
               p->as.window.taps, p->as.window.before);
    if (p->as.window.stride != 1)
        text_print(text, " stride %u", p->as.window.stride);
    text_print(text, " %s", border_text[p->as.window.rule]);
    if (p->as.window.rule == BORDER_CONSTANT)
        text_print(text, "(%" PRId64 ")", p->as.window.outside);
    text_print(text, "\n");
}

static void print_process(const struct circuit *circuit, const struct process *p, struct text *text)
{
    text_print(text, "\nprocess ");
    ir_print_name(text, p->name);
    text_print(text, " : %s", process_text[p->kind]);
    ir_print_span(text, p->span);
    text_print(text, " {\n");
    text->indent += 4;
    for (unsigned e = 0; e < p->edge_count; e++)
        print_edge(circuit, text, &p->edge[e]);
    print_stream(text, &p->out);
    if (p->latency)
        text_print(text, "latency %u\n", p->latency);
    switch (p->kind) {
    case PROCESS_SOURCE:
    case PROCESS_SINK:
        text_print(text, "position %u\n", p->as.source.position);
        break;
    case PROCESS_SCAN:
        text_print(text, "along %s taps %u", raster_text[p->as.pipe.state.axis],
                   p->as.pipe.state.taps);
        text_print(text, p->as.pipe.state.memory ? " in %s\n" : "\n",
                   memory_text[p->as.pipe.state.memory]);
        print_values(circuit, p, text);
        break;
    case PROCESS_PIPE:
        print_values(circuit, p, text);
        break;
    case PROCESS_COUNT:
        text_print(text, "bins %u start %" PRId64 "%s%s\n", p->as.count.bins, p->as.count.start,
                   p->as.count.memory ? " in " : "",
                   p->as.count.memory ? memory_text[p->as.count.memory] : "");
        print_step(circuit, p, text);
        break;
    case PROCESS_WINDOW:
        print_window(p, text);
        break;
    case PROCESS_TWICE:
        text_print(text, "along %s\n", raster_text[p->as.twice.axis]);
        break;
    case PROCESS_KIND_COUNT:
        break;
    }
    text->indent -= 4;
    text_print(text, "}\n");
}

void circuit_print(const struct circuit *circuit, struct text *text)
{
    text_print(text, "circuit ");
    ir_print_name(text, circuit->graph->name);
    text_print(text, "\n");
    for (size_t i = 0; i < circuit->tables.count; i++) {
        const struct circuit_table *table = &circuit->tables.item[i];
        text_print(text, "\ntable ");
        ir_print_name(text, table->name);
        text_print(text, " of %zu", table->count);
        print_interval(text, table->interval);
        text_print(text, " {");
        for (size_t k = 0; k < table->count; k++)
            text_print(text, "%s%" PRId64, k ? ", " : " ", table->value[k]);
        text_print(text, " }\n");
    }
    for (size_t i = 0; i < circuit->processes.count; i++)
        print_process(circuit, &circuit->processes.item[i], text);
    if (circuit->times.interval)
        text_print(text, "\nfirst %" PRIu64 " last %" PRIu64 " interval %" PRIu64 "\n",
                   circuit->times.first, circuit->times.last, circuit->times.interval);
}
