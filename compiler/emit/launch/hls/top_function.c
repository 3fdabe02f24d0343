/* What surrounds the processes: ports, splits of streams with several readers, and the function of
 * the filter, a DATAFLOW region. */
#include "emit/launch/hls/dialect.h"

static const char *image_port(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, p->kind == PROCESS_SOURCE ? "s_axis_%s" : "m_axis_%s",
                        port_name(h->circuit, p, h->name));
}

const char *hls_beat(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, "%s_%s_beat", h->top, port_name(h->circuit, p, h->name));
}

/* ---- Ports ---- */

/* Where ports have marks, a frame begins with `user`: what comes before is dropped. The loop stands
 * before the others, so these remain nested without statements between them. */
static void print_beats(const struct hls *h, const struct process *p)
{
    const char *type = hls_beat(h, p), *read = h->dialect->read(h->arena, "port");
    if (!h->dialect->ports_have_marks) {
        hls_open_loops(h, p->out.lines, p->out.tokens);
        text_print(h->out, "%s beat = %s;\n", type, read);
        return;
    }
    text_print(h->out,
               "%s beat = %s;\nbefore:\nwhile (!beat.user) {\n" HLS_PIPELINE "    beat = %s;\n}\n",
               type, read, read);
    hls_open_loops(h, p->out.lines, p->out.tokens);
    text_print(h->out, "if (line != 0 || place != 0)\n    beat = %s;\n", read);
}

void hls_print_source(const struct hls *h, const struct process *p)
{
    struct hls_function f =
        hls_begin_function(h, arena_format(h->arena, "Image %s.", p->name->text),
                           arena_format(h->arena, "source_%s", h->name[p->id]));
    hls_add_stream(&f, hls_beat(h, p), "port", &p->out, false);
    if (h->readers[p->id])
        hls_add_stream(&f, hls_token(h, p), "out", &p->out, true);
    hls_open_function(&f);
    print_beats(h, p);
    if (h->readers[p->id]) {
        text_print(h->out, "%s given;\n", hls_token(h, p));
        for (unsigned k = 0; k < stream_elements(&p->out); k++)
            text_print(
                h->out, "%s = %s;\n", hls_lane(h, &p->out, "given", k),
                h->dialect->held(h->arena, h->dialect->lane_of_beat(h, p, k), p->out.interval));
        hls_write(h, "given");
    } else
        text_print(h->out, "(void)beat; // no result depends on it\n");
    hls_close_loops(h);
}

void hls_print_sink(const struct hls *h, const struct process *p)
{
    const struct process *from = &h->circuit->processes.item[p->edge[0].from];
    struct hls_function f = hls_begin_function(
        h, arena_format(h->arena, "Result %s.", port_name(h->circuit, p, h->name)),
        arena_format(h->arena, "sink_%s", h->name[p->id]));
    hls_add_stream(&f, hls_token(h, from), "in0", &from->out, false);
    hls_add_stream(&f, hls_beat(h, p), "port", &p->out, true);
    hls_open_function(&f);
    hls_open_loops(h, p->out.lines, p->out.tokens);
    text_print(h->out, "const %s t0 = %s;\n%s beat;\n", hls_token(h, from), hls_read(h, 0),
               hls_beat(h, p));
    h->dialect->fill_beat(h, p, &from->out);
    text_print(h->out, "%s\n", h->dialect->write(h->arena, "port", "beat"));
    hls_close_loops(h);
}

/* ---- Streams ---- */

/* The stream that the process takes by its edge: of the process before, or one of its split. */
static const char *edge_name(const struct hls *h, const struct process *p, unsigned e)
{
    const uint32_t from = p->edge[e].from;
    return h->readers[from] > 1 ? arena_format(h->arena, "e_%s_%u", h->name[p->id], e)
                                : arena_format(h->arena, "s_%s", h->name[from]);
}

/* Calls visit for each edge that takes what the process gives: such without a FIFO first, as a
 * split that waits for room in a FIFO has then served those on whom the room depends. */
static void visit_readers(const struct hls *h, const struct process *from,
                          void (*visit)(const struct hls *h, const struct process *reader,
                                        unsigned edge, unsigned count, void *user),
                          void *user)
{
    unsigned count = 0;
    for (unsigned with_fifo = 0; with_fifo < 2; with_fifo++)
        for (size_t i = from->id + 1; i < h->circuit->processes.count; i++) {
            const struct process *p = &h->circuit->processes.item[i];
            for (unsigned e = 0; e < p->edge_count; e++)
                if (p->edge[e].from == from->id && (p->edge[e].kind == EDGE_FIFO) == with_fifo)
                    visit(h, p, e, count++, user);
        }
}

static const char *split_name(const struct hls *h, unsigned count)
{
    return arena_format(h->arena, "out%u", count);
}

static void add_split_stream(const struct hls *h, const struct process *reader, unsigned edge,
                             unsigned count, void *function)
{
    const struct process *from = &h->circuit->processes.item[reader->edge[edge].from];
    hls_add_stream(function, hls_token(h, from), split_name(h, count), &from->out, true);
}

static void print_split_write(const struct hls *h, const struct process *reader, unsigned edge,
                              unsigned count, void *user)
{
    (void)reader;
    (void)edge;
    (void)user;
    text_print(h->out, "%s\n", h->dialect->write(h->arena, split_name(h, count), "t0"));
}

void hls_print_split(const struct hls *h, const struct process *p)
{
    struct hls_function f =
        hls_begin_function(h, arena_format(h->arena, "%s for its readers.", p->name->text),
                           arena_format(h->arena, "split_%s", h->name[p->id]));
    hls_add_stream(&f, hls_token(h, p), "in0", &p->out, false);
    visit_readers(h, p, add_split_stream, &f);
    hls_open_function(&f);
    hls_open_loops(h, p->out.lines, p->out.tokens);
    text_print(h->out, "const %s t0 = %s;\n", hls_token(h, p), hls_read(h, 0));
    visit_readers(h, p, print_split_write, NULL);
    hls_close_loops(h);
}

/* Two tokens where there is no FIFO, as streams of the vendor have of themselves. */
static void print_stream(const struct hls *h, const char *name, const struct process *from,
                         const char *to, const struct edge *edge)
{
    enum { SHALLOW = 32 }; /* a FIFO that fits shift registers */
    const unsigned depth = edge && edge->kind == EDGE_FIFO ? edge->depth : 2;
    const char *between = arena_format(h->arena, "%s to %s", from->name->text, to);
    text_print(h->out, "%s\n#pragma HLS STREAM variable=%s depth=%u type=fifo\n",
               h->dialect->variable(h->arena, hls_token(h, from), name, between, &from->out, depth),
               name, depth);
    if (depth > 2)
        text_print(h->out, "#pragma HLS BIND_STORAGE variable=%s type=fifo impl=%s\n", name,
                   depth <= SHALLOW ? "srl" : hls_memory(edge->memory, depth));
}

static void print_reader_stream(const struct hls *h, const struct process *reader, unsigned edge,
                                unsigned count, void *user)
{
    (void)count;
    (void)user;
    print_stream(h, edge_name(h, reader, edge),
                 &h->circuit->processes.item[reader->edge[edge].from], reader->name->text,
                 &reader->edge[edge]);
}

/* Those that take what the process gives. */
static void print_streams(const struct hls *h, const struct process *from)
{
    if (h->readers[from->id] > 1)
        print_stream(h, arena_format(h->arena, "s_%s", h->name[from->id]), from, "its readers",
                     NULL);
    visit_readers(h, from, print_reader_stream, NULL);
}

/* ---- The function ---- */

void hls_print_heading(const struct hls *h)
{
    const struct graph *graph = h->circuit->graph;
    const char *comma = "";
    text_print(h->out, "%svoid %s(", h->dialect->linkage, h->top);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        text_print(h->out, "%s%s", comma,
                   h->dialect->parameter(h->arena, hls_beat(h, p), image_port(h, p), &p->out,
                                         p->kind == PROCESS_SINK));
        comma = ", ";
    }
    for (size_t i = 0; i < graph->parameters.count; i++)
        text_print(h->out, ", %s p_%s", hls_type(h, graph->parameters.item[i].variable),
                   graph->parameters.item[i].name->text);
    for (uint32_t t = 0; t < h->circuit->tables.count; t++)
        if (table_is_written(&h->circuit->tables.item[t]))
            text_print(
                h->out, ", %s",
                hls_table_parameter(
                    h, t, arena_format(h->arena, "t_%s", h->circuit->tables.item[t].name->text)));
    text_print(h->out, ")");
}

static bool has_written_table(const struct circuit *circuit)
{
    for (size_t t = 0; t < circuit->tables.count; t++)
        if (table_is_written(&circuit->tables.item[t]))
            return true;
    return false;
}

/* Without parameters and tables the function starts by itself and begins the next frame when it
 * can. */
static void print_interfaces(const struct hls *h)
{
    const struct graph *graph = h->circuit->graph;
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (p->kind == PROCESS_SOURCE || p->kind == PROCESS_SINK)
            text_print(h->out, "#pragma HLS INTERFACE mode=axis port=%s\n", image_port(h, p));
    }
    for (size_t i = 0; i < graph->parameters.count; i++)
        text_print(h->out, "#pragma HLS INTERFACE mode=s_axilite port=p_%s\n",
                   graph->parameters.item[i].name->text);
    hls_print_table_interfaces(h);
    text_print(h->out,
               "#ifndef __BAMBU__\n#pragma HLS INTERFACE mode=%s port=return\n#endif\n"
               "#pragma HLS DATAFLOW\n",
               graph->parameters.count || has_written_table(h->circuit) ? "s_axilite"
                                                                        : "ap_ctrl_none");
}

static void add_argument(struct text *arguments, const char *argument)
{
    text_print(arguments, "%s%s", arguments->length ? ", " : "", argument);
}

static void print_call(const struct hls *h, const char *function, const struct text *arguments)
{
    text_print(
        h->out, "%s\n",
        h->dialect->call(h->arena, arena_format(h->arena, "%s(%s)", function, arguments->bytes)));
}

static void print_process_call(const struct hls *h, const struct process *p)
{
    struct text arguments = text_create(h->arena);
    if (p->kind == PROCESS_SOURCE)
        add_argument(&arguments, image_port(h, p));
    for (unsigned e = 0; e < p->edge_count; e++)
        add_argument(&arguments, edge_name(h, p, e));
    for (const struct expr **at = hls_parameters(h, p); *at; at++)
        add_argument(&arguments, arena_format(h->arena, "p_%s", (*at)->as.variable.name->text));
    hls_visit_table_arguments(h, p, add_argument, &arguments);
    if (p->kind == PROCESS_SINK)
        add_argument(&arguments, image_port(h, p));
    else if (h->readers[p->id])
        add_argument(&arguments, arena_format(h->arena, "s_%s", h->name[p->id]));
    print_call(h, arena_format(h->arena, "%s_%s", process_text[p->kind], h->name[p->id]),
               &arguments);
}

static void add_edge_argument(const struct hls *h, const struct process *reader, unsigned edge,
                              unsigned count, void *arguments)
{
    (void)count;
    add_argument(arguments, edge_name(h, reader, edge));
}

static void print_split_call(const struct hls *h, const struct process *p)
{
    struct text arguments = text_create(h->arena);
    add_argument(&arguments, arena_format(h->arena, "s_%s", h->name[p->id]));
    visit_readers(h, p, add_edge_argument, &arguments);
    print_call(h, arena_format(h->arena, "split_%s", h->name[p->id]), &arguments);
}

void hls_print_top(const struct hls *h)
{
    text_print(h->out, "\n");
    hls_print_heading(h);
    text_print(h->out, "\n{\n");
    h->out->indent += 4;
    print_interfaces(h);
    for (size_t i = 0; i < h->circuit->processes.count; i++)
        print_streams(h, &h->circuit->processes.item[i]);
    hls_print_table_calls(h);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        print_process_call(h, p);
        if (h->readers[i] > 1)
            print_split_call(h, p);
    }
    text_print(h->out, "%s", h->dialect->after_calls);
    h->out->indent -= 4;
    text_print(h->out, "}\n");
}
