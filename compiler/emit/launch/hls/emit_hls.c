#include "emit/emission.h"
#include "emit/launch/hls/hls.h"

#include <ctype.h>

const char *hls_integer(struct arena *arena, struct interval interval)
{
    return arena_format(arena, interval.least < 0 ? "ap_int<%u>" : "ap_uint<%u>",
                        interval_bits(interval));
}

const char *hls_type(struct arena *arena, const struct expr *node)
{
    return node->scalar == SCALAR_BOOL ? "bool" : hls_integer(arena, node->interval);
}

const char *hls_token(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, "%s_token", h->name[p->id]);
}

const struct expr **hls_parameters(const struct hls *h, const struct process *p)
{
    const size_t most = process_computes(p) ? p->as.pipe.node_count : 0;
    const struct expr **list = ARENA_ARRAY(h->arena, const struct expr *, most + 1);
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const struct expr *node = p->as.pipe.node[i];
        if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_PARAMETER)
            list[count++] = node;
    }
    return list;
}

const char *hls_memory(enum memory_kind asked, uint64_t words)
{
    enum { FEW = 32, MANY = 128 }; /* words that are registers; that are a block */
    if (words < FEW)
        return NULL;
    return asked == MEMORY_BLOCK || (asked != MEMORY_LUT && words >= MANY) ? "bram" : "lutram";
}

void hls_open_function(const struct hls *h, const struct process *p, const char *what)
{
    text_print(h->out, "\n// %s%s%s\nstatic void %s_%s(", p->name->text, *what ? ": " : "", what,
               process_text[p->kind], h->name[p->id]);
    for (unsigned e = 0; e < p->edge_count; e++)
        text_print(h->out, "hls::stream<%s> &in%u, ",
                   hls_token(h, &h->circuit->processes.item[p->edge[e].from]), e);
    for (const struct expr **at = hls_parameters(h, p); *at; at++)
        text_print(h->out, "%s p_%s, ", hls_type(h->arena, *at), (*at)->as.variable.name->text);
    text_print(h->out, "hls::stream<%s> &out)\n{\n", hls_token(h, p));
    h->out->indent += 4;
    text_print(h->out, "#pragma HLS INLINE off\n");
}

void hls_open_loops(const struct hls *h, uint32_t lines, uint32_t places)
{
    text_print(h->out, "lines:\nfor (int line = 0; line < %u; line++) {\n", lines);
    h->out->indent += 4;
    text_print(h->out, "places:\nfor (int place = 0; place < %u; place++) {\n", places);
    h->out->indent += 4;
    text_print(h->out, HLS_PIPELINE);
}

void hls_close_loops(const struct hls *h)
{
    for (unsigned i = 0; i < 3; i++) {
        h->out->indent -= 4;
        text_print(h->out, "}\n");
    }
}

static void print_function(const struct hls *h, const struct process *p)
{
    switch (p->kind) {
    case PROCESS_SOURCE:
        hls_print_source(h, p);
        return;
    case PROCESS_SINK:
        hls_print_sink(h, p);
        return;
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        hls_print_pipe(h, p);
        return;
    case PROCESS_COUNT:
        hls_print_count(h, p);
        return;
    case PROCESS_WINDOW:
        hls_print_window(h, p);
        return;
    case PROCESS_TWICE:
        hls_print_twice(h, p);
        return;
    case PROCESS_KIND_COUNT:
        return;
    }
}

/* ---- Files ---- */

static void print_token_types(const struct hls *h)
{
    text_print(h->out, "\n// What streams carry.\n");
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        const char *type = hls_integer(h->arena, p->out.interval);
        const unsigned elements = stream_elements(&p->out);
        if (p->kind == PROCESS_SINK)
            continue;
        text_print(h->out, elements > 1 ? "typedef flt_token<%s, %u> " : "typedef %s ", type,
                   elements);
        text_print(h->out, "%s; // %lld .. %lld\n", hls_token(h, p),
                   (long long)p->out.interval.least, (long long)p->out.interval.greatest);
    }
}

static void print_functions(const struct hls *h)
{
    text_print(h->out,
               "// %s: a circuit that takes a sample a clock, as HLS C++. Made by fltc.\n"
               "// A process is a function that takes a frame a call; streams join them.\n"
               "#include \"%s.h\"\n",
               h->stem, h->stem);
    print_token_types(h);
    hls_print_tables(h);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        print_function(h, &h->circuit->processes.item[i]);
        if (h->readers[i] > 1)
            hls_print_split(h, &h->circuit->processes.item[i]);
    }
    hls_print_top(h);
}

/* "LAPLACE" */
static const char *in_capitals(struct arena *arena, const char *word)
{
    char *text = arena_text(arena, word, strlen(word));
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

static void print_header(const struct hls *h)
{
    const char *guard = in_capitals(h->arena, h->top);
    text_print(h->out,
               "// The function of %s. Made by fltc.\n#ifndef %s_H\n#define %s_H\n\n"
               "#include \"%s_params.h\"\n\n"
               "// Takes a frame of each image and gives one of each result. last: the end of a "
               "line; user: the\n"
               "// first sample of a frame. Those of images are not looked at: samples are "
               "counted.\n",
               h->stem, guard, guard, h->stem);
    hls_print_heading(h);
    text_print(h->out, ";\n\n#endif\n");
}

/* Extents, widths and clocks as constants, and the types of ports. */
static void print_params(const struct hls *h)
{
    const char *capitals = in_capitals(h->arena, h->top);
    text_print(h->out,
               "// Sizes and types of %s. Made by fltc.\n#ifndef %s_PARAMS_H\n#define %s_PARAMS_H"
               "\n\n#include \"flt_stream.h\"\n\nenum {\n",
               h->stem, capitals, capitals);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        const char *name = arena_format(h->arena, "%s_%s", capitals,
                                        in_capitals(h->arena, port_name(h->circuit, p, h->name)));
        text_print(h->out,
                   "    %s_LINES = %u,\n    %s_PLACES = %u,\n    %s_LANES = %u,\n    %s_BITS = %u, "
                   "// of a sample\n",
                   name, p->out.lines, name, p->out.tokens, name, stream_elements(&p->out), name,
                   element_bits(&p->out));
    }
    text_print(h->out, "};\n\n// A token of a port: lane k at BITS k of data, in whole bytes.\n");
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (p->kind == PROCESS_SOURCE || p->kind == PROCESS_SINK)
            text_print(h->out, "typedef ap_axiu<%u, 1, 0, 0> %s_%s_beat;\n", port_bits(&p->out),
                       h->top, port_name(h->circuit, p, h->name));
    }
    text_print(h->out, "\n#endif\n");
}

/* The text with each %s replaced by the stem, each %t by the name of the function. */
static void print_filled(const struct hls *h, const char *form)
{
    while (*form) {
        const bool is_mark = form[0] == '%' && (form[1] == 's' || form[1] == 't');
        const char *by = form[1] == 's' ? h->stem : h->top;
        const size_t plain = is_mark ? 0 : 1 + strcspn(form + 1, "%");
        text_append(h->out, is_mark ? by : form, is_mark ? strlen(by) : plain);
        form += is_mark ? 2 : plain;
    }
}

static void print_makefile(const struct hls *h)
{
    print_filled(h, hls_makefile);
}

static void print_tcl(const struct hls *h)
{
    print_filled(h, hls_tcl);
}

static void print_config(const struct hls *h)
{
    print_filled(h, hls_config);
}

static void print_stream_header(const struct hls *h)
{
    text_append(h->out, hls_stream_header, strlen(hls_stream_header));
}

static const char *identifier(struct arena *arena, const char *stem)
{
    char *text = arena_format(arena, "%s%s", isdigit((unsigned char)*stem) ? "_" : "", stem);
    for (char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    return text;
}

static struct emitted emit_hls(struct session *session, const struct circuit *circuit,
                               const char *stem)
{
    static const char *const words[] = {NULL}; /* each name stands behind another word */
    struct arena *arena = session->ir;
    struct emitted emitted = {0};
    struct hls h = {.arena = arena,
                    .circuit = circuit,
                    .stem = stem,
                    .top = identifier(arena, stem),
                    .name = process_names(arena, circuit, words),
                    .readers = circuit_readers(arena, circuit)};
    const struct {
        const char *name;
        void (*print)(const struct hls *h);
    } file[] = {{arena_format(arena, "%s.cpp", stem), print_functions},
                {arena_format(arena, "%s.h", stem), print_header},
                {arena_format(arena, "%s_params.h", stem), print_params},
                {arena_format(arena, "%s_tb.cpp", stem), hls_print_bench},
                {"flt_stream.h", print_stream_header},
                {"run_hls.tcl", print_tcl},
                {"hls_config.cfg", print_config},
                {"Makefile", print_makefile}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        struct text out = text_create(arena);
        h.out = &out;
        file[i].print(&h);
        if (strstr(file[i].name, ".cpp") || strstr(file[i].name, ".h"))
            out = fold_lines(arena, out.bytes);
        VECTOR_PUSH(arena, &emitted.files,
                    (struct emitted_file){file[i].name, out.bytes, out.length});
    }
    return emitted;
}

const struct circuit_language language_hls = {emit_hls, NULL};
