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

static void print_memory(struct text *text, enum memory_kind memory)
{
    if (memory != MEMORY_REGISTERS)
        text_print(text, " in %s", memory_text[memory]);
}

static void print_edge(const struct circuit *circuit, struct text *text, const struct edge *edge)
{
    text_print(text, "%s ", edge_text[edge->kind]);
    ir_print_name(text, circuit->processes.item[edge->from].name);
    if (edge->kind == EDGE_FIFO)
        text_print(text, " depth %u", edge->depth);
    print_memory(text, edge->memory);
    text_print(text, "\n");
}

const char *const *circuit_edge_names(struct arena *arena, const struct circuit *circuit,
                                      const struct process *pipe, const char **own)
{
    struct ir_names names = {.arena = arena};
    const char **name = ARENA_ARRAY(arena, const char *, pipe->edge_count + 1);
    for (unsigned e = 0; e < pipe->edge_count; e++)
        name[e] = ir_spell(&names, circuit->processes.item[pipe->edge[e].from].name);
    *own = ir_spell(&names, pipe->name);
    return name;
}

static struct expr_source source_of(const char *name, struct interval interval)
{
    return (struct expr_source){name, scalar_holding(interval), interval};
}

/* By id of loads: edges by the names of what they bring, tables by their own. */
static struct expr_source *sources_of(const struct circuit *circuit, const struct process *pipe,
                                      struct arena *arena)
{
    const char *own;
    const char *const *edge = circuit_edge_names(arena, circuit, pipe, &own);
    struct expr_source *source =
        ARENA_ARRAY(arena, struct expr_source, PIPE_TABLES + circuit->tables.count);
    for (unsigned i = 0; i < PIPE_TABLES; i++)
        source[i].text = "";
    for (unsigned e = 0; e < pipe->edge_count; e++)
        source[e] = source_of(edge[e], circuit->processes.item[pipe->edge[e].from].out.interval);
    source[PIPE_STATE] = source_of(own, pipe->out.interval);
    for (size_t i = 0; i < circuit->tables.count; i++)
        source[PIPE_TABLES + i] =
            source_of(circuit->tables.item[i].name->text, circuit->tables.item[i].interval);
    return source;
}

/* word: that each value begins with. */
static void print_values(const struct circuit *circuit, const struct process *process,
                         struct expr_printer *printer, const char *word, size_t count,
                         const struct expr *const value[])
{
    printer->source = sources_of(circuit, process, printer->text->arena);
    printer->source_count = PIPE_TABLES + circuit->tables.count;
    expr_print_shared(printer, count, value);
    for (size_t i = 0; i < count; i++) {
        text_print(printer->text, "%s ", word);
        expr_print(printer, value[i]);
        text_print(printer->text, "\n");
    }
}

/* "position 0 of u8 every 384, 3 lanes 0, 1, 2" */
static void print_port(const struct process *p, struct text *text)
{
    text_print(text, "position %u of %s every %" PRId64 ", %" PRId64 " lanes",
               p->as.source.position, scalar_info[p->as.source.element].text,
               p->as.source.stride[RASTER_LINES], p->as.source.stride[RASTER_TOKENS]);
    for (unsigned k = 0; k < stream_elements(&p->out); k++)
        text_print(text, "%s %" PRId64, k ? "," : "", p->as.source.lane[k]);
    text_print(text, "\n");
}

static void print_window(const struct process *p, struct text *text)
{
    text_print(text, "along %s taps %u before %u", raster_text[p->as.window.axis],
               p->as.window.taps, p->as.window.before);
    if (p->as.window.stride != 1)
        text_print(text, " stride %u", p->as.window.stride);
    if (p->as.window.pixels != 1)
        text_print(text, " pixels %u", p->as.window.pixels);
    text_print(text, " %s", border_text[p->as.window.rule]);
    if (p->as.window.rule == BORDER_CONSTANT)
        text_print(text, "(%" PRId64 ")", p->as.window.outside);
    print_memory(text, p->as.window.memory);
    text_print(text, "\n");
}

static void print_process(const struct circuit *circuit, const struct process *p,
                          struct expr_printer *printer)
{
    struct text *text = printer->text;
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
        print_port(p, text);
        break;
    case PROCESS_SCAN:
        text_print(text, "along %s taps %u", raster_text[p->as.pipe.state.axis],
                   p->as.pipe.state.taps);
        print_memory(text, p->as.pipe.state.memory);
        text_print(text, "\n");
        print_values(circuit, p, printer, "value", p->as.pipe.count, p->as.pipe.value);
        break;
    case PROCESS_PIPE:
        print_values(circuit, p, printer, "value", p->as.pipe.count, p->as.pipe.value);
        break;
    case PROCESS_COUNT:
        text_print(text, "bins %u start %" PRId64, p->as.count.bins, p->as.count.start);
        print_memory(text, p->as.count.memory);
        text_print(text, "\n");
        print_values(circuit, p, printer, "step", 1, &p->as.count.step);
        break;
    case PROCESS_WINDOW:
        print_window(p, text);
        break;
    case PROCESS_TWICE:
        text_print(text, "along %s", raster_text[p->as.twice.axis]);
        print_memory(text, p->as.twice.memory);
        text_print(text, "\n");
        break;
    case PROCESS_KIND_COUNT:
        break;
    }
    text->indent -= 4;
    text_print(text, "}\n");
}

static void print_table(const struct circuit_table *table, struct text *text)
{
    text_print(text, "\ntable ");
    ir_print_name(text, table->name);
    text_print(text, " of");
    print_interval(text, table->interval);
    if (table_is_written(table)) {
        text_print(text, " samples %zu of image %u\n", table->count, table->position);
        return;
    }
    text_print(text, " {");
    for (size_t k = 0; k < table->count; k++)
        text_print(text, "%s%" PRId64, k ? ", " : " ", table->value[k]);
    text_print(text, " }\n");
}

void circuit_print(const struct circuit *circuit, struct text *text)
{
    struct text body = text_create(text->arena);
    struct expr_printer printer = expr_printer_open(&body, NULL, 0);
    for (size_t i = 0; i < circuit->tables.count; i++)
        print_table(&circuit->tables.item[i], &body);
    for (size_t i = 0; i < circuit->processes.count; i++)
        print_process(circuit, &circuit->processes.item[i], &printer);
    if (circuit->times.interval)
        text_print(&body, "\nfirst %" PRIu64 " last %" PRIu64 " interval %" PRIu64 "\n",
                   circuit->times.first, circuit->times.last, circuit->times.interval);
    text_print(text, "circuit ");
    ir_print_name(text, circuit->graph->name);
    text_print(text, "\n");
    expr_print_variables(&printer, text);
    text_append(text, body.bytes, body.length);
}
