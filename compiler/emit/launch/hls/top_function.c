/* What stands around the processes: ports, splits of streams that several take, and the function of
 * the filter, a DATAFLOW region. */
#include "emit/launch/hls/hls.h"

static const char *image_port(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, p->kind == PROCESS_SOURCE ? "s_axis_%s" : "m_axis_%s",
                        port_name(h->circuit, p, h->name));
}

const char *hls_beat(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, "%s_%s_beat", h->top, port_name(h->circuit, p, h->name));
}

/* "t0.at[2]": lane k of a token. */
static const char *lane_of(const struct hls *h, const struct stream *stream, const char *token,
                           unsigned k)
{
    return stream_elements(stream) > 1 ? arena_format(h->arena, "%s.at[%u]", token, k) : token;
}

/* ---- Ports ---- */

void hls_print_source(const struct hls *h, const struct process *p)
{
    const unsigned bits = element_bits(&p->out);
    text_print(h->out, "\n// Image %s.\nstatic void source_%s(hls::stream<%s> &port", p->name->text,
               h->name[p->id], hls_beat(h, p));
    if (h->readers[p->id])
        text_print(h->out, ", hls::stream<%s> &out", hls_token(h, p));
    text_print(h->out, ")\n{\n");
    h->out->indent += 4;
    text_print(h->out, "#pragma HLS INLINE off\n");
    hls_open_loops(h, p->out.lines, p->out.tokens);
    text_print(h->out, "%s beat = port.read();\n", hls_beat(h, p));
    if (h->readers[p->id]) {
        text_print(h->out, "%s given;\n", hls_token(h, p));
        for (unsigned k = 0; k < stream_elements(&p->out); k++)
            text_print(h->out, "%s = flt_%s<%u>(beat.data.range(%u, %u).to_uint64());\n",
                       lane_of(h, &p->out, "given", k),
                       p->out.interval.least < 0 ? "signed" : "unsigned", bits, (k + 1) * bits - 1,
                       k * bits);
        text_print(h->out, "out.write(given);\n");
    } else
        text_print(h->out, "(void)beat; // no result depends on it\n");
    hls_close_loops(h);
}

/* A single number is carried with its sign over all bits of the port. */
void hls_print_sink(const struct hls *h, const struct process *p)
{
    const struct process *from = &h->circuit->processes.item[p->edge[0].from];
    const unsigned bits = element_bits(&p->out), all = stream_elements(&p->out);
    const char *name = port_name(h->circuit, p, h->name);
    text_print(h->out,
               "\n// Result %s.\nstatic void sink_%s(hls::stream<%s> &in0, hls::stream<%s> &port)"
               "\n{\n",
               name, h->name[p->id], hls_token(h, from), hls_beat(h, p));
    h->out->indent += 4;
    text_print(h->out, "#pragma HLS INLINE off\n");
    hls_open_loops(h, p->out.lines, p->out.tokens);
    text_print(h->out, "const %s t0 = in0.read();\n%s beat;\nbeat.data = 0;\n", hls_token(h, from),
               hls_beat(h, p));
    for (unsigned k = 0; k < all; k++)
        text_print(h->out, "beat.data.range(%u, %u) = (uint64_t)%s;\n",
                   all == 1 ? port_bits(&p->out) - 1 : (k + 1) * bits - 1, k * bits,
                   lane_of(h, &from->out, "t0", k));
    text_print(h->out,
               "beat.keep = -1;\nbeat.strb = -1;\nbeat.user = line == 0 && place == 0;\n"
               "beat.last = place == %u;\nport.write(beat);\n",
               p->out.tokens - 1);
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
                                        unsigned edge, unsigned count))
{
    unsigned count = 0;
    for (unsigned with_fifo = 0; with_fifo < 2; with_fifo++)
        for (size_t i = from->id + 1; i < h->circuit->processes.count; i++) {
            const struct process *p = &h->circuit->processes.item[i];
            for (unsigned e = 0; e < p->edge_count; e++)
                if (p->edge[e].from == from->id && (p->edge[e].kind == EDGE_FIFO) == with_fifo)
                    visit(h, p, e, count++);
        }
}

static void print_split_argument(const struct hls *h, const struct process *reader, unsigned edge,
                                 unsigned count)
{
    text_print(h->out, ", hls::stream<%s> &out%u",
               hls_token(h, &h->circuit->processes.item[reader->edge[edge].from]), count);
}

static void print_split_write(const struct hls *h, const struct process *reader, unsigned edge,
                              unsigned count)
{
    (void)reader;
    (void)edge;
    text_print(h->out, "out%u.write(t0);\n", count);
}

void hls_print_split(const struct hls *h, const struct process *p)
{
    text_print(h->out, "\n// %s for its readers.\nstatic void split_%s(hls::stream<%s> &in0",
               p->name->text, h->name[p->id], hls_token(h, p));
    visit_readers(h, p, print_split_argument);
    text_print(h->out, ")\n{\n");
    h->out->indent += 4;
    text_print(h->out, "#pragma HLS INLINE off\n");
    hls_open_loops(h, p->out.lines, p->out.tokens);
    text_print(h->out, "const %s t0 = in0.read();\n", hls_token(h, p));
    visit_readers(h, p, print_split_write);
    hls_close_loops(h);
}

/* Two tokens where there is no FIFO, as streams of the vendor have of themselves. */
static void print_stream(const struct hls *h, const char *name, const struct process *from,
                         const char *to, const struct edge *edge)
{
    enum { SHALLOW = 32 }; /* a FIFO that fits shift registers */
    const unsigned depth = edge && edge->kind == EDGE_FIFO ? edge->depth : 2;
    text_print(h->out,
               "hls::stream<%s, %u> %s(\"%s to %s\");\n#pragma HLS STREAM variable=%s depth=%u "
               "type=fifo\n",
               hls_token(h, from), depth, name, from->name->text, to, name, depth);
    if (depth > 2)
        text_print(h->out, "#pragma HLS BIND_STORAGE variable=%s type=fifo impl=%s\n", name,
                   depth <= SHALLOW ? "srl" : hls_memory(edge->memory, depth));
}

static void print_reader_stream(const struct hls *h, const struct process *reader, unsigned edge,
                                unsigned count)
{
    (void)count;
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
    visit_readers(h, from, print_reader_stream);
}

/* ---- The function ---- */

void hls_print_heading(const struct hls *h)
{
    const struct graph *graph = h->circuit->graph;
    const char *comma = "";
    text_print(h->out, "extern \"C\" void %s(", h->top);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        text_print(h->out, "%shls::stream<%s> &%s", comma, hls_beat(h, p), image_port(h, p));
        comma = ", ";
    }
    for (size_t i = 0; i < graph->parameters.count; i++)
        text_print(h->out, ", %s p_%s", hls_type(h->arena, graph->parameters.item[i].variable),
                   graph->parameters.item[i].name->text);
    text_print(h->out, ")");
}

/* Without parameters the function starts by itself and begins the next frame when it can. */
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
    text_print(h->out,
               "#ifndef __BAMBU__\n#pragma HLS INTERFACE mode=%s port=return\n#endif\n"
               "#pragma HLS DATAFLOW\n",
               graph->parameters.count ? "s_axilite" : "ap_ctrl_none");
}

static void print_call(const struct hls *h, const struct process *p)
{
    text_print(h->out, "FLT_PROCESS(%s_%s(", process_text[p->kind], h->name[p->id]);
    if (p->kind == PROCESS_SOURCE)
        text_print(h->out, h->readers[p->id] ? "%s, " : "%s));\n", image_port(h, p));
    for (unsigned e = 0; e < p->edge_count; e++)
        text_print(h->out, "%s, ", edge_name(h, p, e));
    for (const struct expr **at = hls_parameters(h, p); *at; at++)
        text_print(h->out, "p_%s, ", (*at)->as.variable.name->text);
    if (p->kind == PROCESS_SINK)
        text_print(h->out, "%s));\n", image_port(h, p));
    else if (h->readers[p->id])
        text_print(h->out, "s_%s));\n", h->name[p->id]);
}

static void print_edge_argument(const struct hls *h, const struct process *reader, unsigned edge,
                                unsigned count)
{
    (void)count;
    text_print(h->out, ", %s", edge_name(h, reader, edge));
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
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        print_call(h, p);
        if (h->readers[i] <= 1)
            continue;
        text_print(h->out, "FLT_PROCESS(split_%s(s_%s", h->name[i], h->name[i]);
        visit_readers(h, p, print_edge_argument);
        text_print(h->out, "));\n");
    }
    text_print(h->out, "FLT_RUN_PROCESSES\n");
    h->out->indent -= 4;
    text_print(h->out, "}\n");
}
