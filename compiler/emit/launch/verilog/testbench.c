/* Drives the circuit in Verilator with frames of random samples, ramps and range limits, and
 * compares the results with the same filter in C. Streams never wait, or wait at random. Also
 * compares the clocks with those that the compiler computed. */
#include "emit/launch/circuit_bench.h"
#include "emit/launch/verilog/verilog.h"

static const char head[] =
    "// Drives %s in Verilator. Returns 0 when all samples and clocks are right.\n"
    "// Arguments: frames of each run, and a seed; 3 and 1 without them.\n"
    "#include \"V%s.h\"\n"
    "#include \"verilated.h\"\n"
    "#include \"%s_model.h\"\n"
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "#include <memory>\n"
    "#include <vector>\n\n";

static const char bits[] =
    "\n// Bits of ports: of up to 64, and of more.\n"
    "template <class T> static void clear(T &port) { port = 0; }\n"
    "template <size_t N> static void clear(VlWide<N> &port)\n"
    "{\n"
    "    for (size_t i = 0; i < N; i++)\n"
    "        port[i] = 0;\n"
    "}\n"
    "template <class T> static void put(T &port, unsigned at, unsigned count, uint64_t value)\n"
    "{\n"
    "    const uint64_t mask = count < 64 ? (uint64_t(1) << count) - 1 : ~uint64_t(0);\n"
    "    port |= T((value & mask) << at);\n"
    "}\n"
    "template <size_t N> static void put(VlWide<N> &port, unsigned at, unsigned count, uint64_t "
    "value)\n"
    "{\n"
    "    for (unsigned b = 0; b < count; b++)\n"
    "        port[(at + b) / 32] |= (uint32_t)(value >> b & 1) << (at + b) % 32;\n"
    "}\n"
    "template <class T> static uint64_t get(const T &port, unsigned at, unsigned count)\n"
    "{\n"
    "    const uint64_t mask = count < 64 ? (uint64_t(1) << count) - 1 : ~uint64_t(0);\n"
    "    return uint64_t(port) >> at & mask;\n"
    "}\n"
    "template <size_t N> static uint64_t get(const VlWide<N> &port, unsigned at, unsigned count)\n"
    "{\n"
    "    uint64_t value = 0;\n"
    "    for (unsigned b = 0; b < count; b++)\n"
    "        value |= (uint64_t)(port[(at + b) / 32] >> (at + b) % 32 & 1) << b;\n"
    "    return value;\n"
    "}\n";

static const char run[] =
    "\nstruct regime {\n"
    "    const char *name;\n"
    "    unsigned in, out; // of 256: how often a side begins to wait, for up to 7 clocks\n"
    "    long gap;         // clocks between frames\n"
    "};\n\n"
    "struct side {\n"
    "    long at = 0, wait = 0, hold = 0;\n"
    "    bool valid = false;\n"
    "};\n\n"
    "static int simulate(const regime &r, long frames)\n"
    "{\n"
    "    std::vector<std::vector<long long>> in(IMAGES), want(RESULTS);\n"
    "    long total = 0, largest = 0;\n"
    "    for (int p = 0; p < IMAGES; p++) {\n"
    "        for (long f = 0; f < frames; f++)\n"
    "            for (long i = 0; i < images[p].samples; i++)\n"
    "                in[p].push_back(images[p].is_table && f ? in[p][i] : sample_of(images[p], f, "
    "i));\n"
    "        if (images[p].is_table)\n"
    "            continue;\n"
    "        total += frames * images[p].lines * images[p].places;\n"
    "        largest = images[p].lines * images[p].places > largest ? images[p].lines * "
    "images[p].places : "
    "largest;\n"
    "    }\n"
    "    parameters given = draw_parameters();\n"
    "    for (int p = 0; p < RESULTS; p++) {\n"
    "        want[p].resize(frames * results[p].samples);\n"
    "        const long tokens = results[p].lines * results[p].places;\n"
    "        total += frames * tokens;\n"
    "        largest = tokens > largest ? tokens : largest;\n"
    "    }\n"
    "    for (long f = 0; f < frames; f++)\n"
    "        if (!model(in, want, f, given)) {\n"
    "            printf(\"the model refuses the images\\n\");\n"
    "            return 1;\n"
    "        }\n"
    "    std::unique_ptr<MODULE> m(new MODULE);\n"
    "    std::vector<side> source(IMAGES), sink(RESULTS);\n"
    "    long clock = 0, quiet = 0, begun = -1, first = -1, bad = 0, done = 0;\n"
    "    std::vector<long> end(frames, -1);\n"
    "    set_parameters(*m, given);\n"
    "    for (int p = 0; p < IMAGES; p++)\n"
    "        drive(*m, p, false, nullptr, false, false);\n"
    "    write_tables(*m, in);\n"
    "    for (int k = 0; k < 5; k++) { // a source begins in the clock after the one that ends the "
    "reset\n"
    "        m->aresetn = k == 4;\n"
    "        m->aclk = 0;\n"
    "        m->eval();\n"
    "        m->aclk = 1;\n"
    "        m->eval();\n"
    "    }\n"
    "    const long patience = 8 * largest + 20 * r.gap + 4000;\n"
    "    for (long after = 0; after < 60 && quiet < patience; clock++, quiet++) {\n"
    "        m->aclk = 0;\n"
    "        for (int p = 0; p < IMAGES; p++) {\n"
    "            side &s = source[p];\n"
    "            const port &image = images[p];\n"
    "            if (image.is_table)\n"
    "                continue;\n"
    "            const long tokens = image.lines * image.places;\n"
    "            if (s.wait)\n"
    "                s.wait--;\n"
    "            else if (r.in && draw() % 256 < r.in)\n"
    "                s.wait = draw() % 8;\n"
    "            if (s.hold)\n"
    "                s.hold--;\n"
    "            if (!s.valid)\n"
    "                s.valid = s.at < frames * tokens && !s.wait && !s.hold;\n"
    "            const long f = s.at / tokens, t = s.at % tokens;\n"
    "            std::vector<long long> token(image.lanes);\n"
    "            for (long l = 0; s.valid && l < image.lanes; l++)\n"
    "                token[l] = in[p][f * image.samples + t / image.places * image.line +\n"
    "                                 t % image.places * image.place + image.lane[l]];\n"
    "            drive(*m, p, s.valid, token.data(), t % image.places == image.places - 1, t == "
    "0);\n"
    "        }\n"
    "        for (int p = 0; p < RESULTS; p++) {\n"
    "            side &s = sink[p];\n"
    "            if (s.wait)\n"
    "                s.wait--;\n"
    "            else if (r.out && draw() % 256 < r.out)\n"
    "                s.wait = draw() % 8;\n"
    "            ready(*m, p, !s.wait);\n"
    "        }\n"
    "        m->eval();\n"
    "        for (int p = 0; p < IMAGES; p++) {\n"
    "            side &s = source[p];\n"
    "            if (!s.valid || !is_taken(*m, p))\n"
    "                continue;\n"
    "            begun = begun < 0 ? clock : begun;\n"
    "            s.at++;\n"
    "            s.valid = false;\n"
    "            quiet = 0;\n"
    "            done++;\n"
    "            if (s.at % (images[p].lines * images[p].places) == 0)\n"
    "                s.hold = r.gap;\n"
    "        }\n"
    "        for (int p = 0; p < RESULTS; p++) {\n"
    "            side &s = sink[p];\n"
    "            const port &result = results[p];\n"
    "            const long tokens = result.lines * result.places;\n"
    "            if (s.wait || !is_given(*m, p))\n"
    "                continue;\n"
    "            quiet = 0;\n"
    "            done++;\n"
    "            if (s.at >= frames * tokens) {\n"
    "                printf(\"%s: %s gives more than its frames\\n\", r.name, result.name);\n"
    "                return 1;\n"
    "            }\n"
    "            const long f = s.at / tokens, t = s.at % tokens, y = t / result.places, x = t % "
    "result.places;\n"
    "            for (long l = 0; l < result.lanes; l++) {\n"
    "                const long long wanted =\n"
    "                    want[p][f * result.samples + y * result.line + x * result.place + "
    "result.lane[l]];\n"
    "                const long long got = sample(*m, p, l);\n"
    "                if (got != wanted && bad++ < 5)\n"
    "                    printf(\"%s: %s, frame %ld, line %ld, place %ld, lane %ld: %lld, not "
    "%lld\\n\", "
    "r.name,\n"
    "                           result.name, f, y, x, l, got, wanted);\n"
    "            }\n"
    "            if (marks(*m, p) != ((x == result.places - 1) | (t == 0) << 1) && bad++ < 5)\n"
    "                printf(\"%s: %s, frame %ld, line %ld, place %ld: tlast or tuser is "
    "wrong\\n\", r.name,\n"
    "                       result.name, f, y, x);\n"
    "            first = first < 0 ? clock - begun : first;\n"
    "            if (t == tokens - 1 && clock - begun > end[f])\n"
    "                end[f] = clock - begun;\n"
    "            s.at++;\n"
    "        }\n"
    "        after += done == total;\n"
    "        m->aclk = 1;\n"
    "        m->eval();\n"
    "    }\n"
    "    if (done < total) {\n"
    "        printf(\"%s: deadlock after %ld clocks, %ld of %ld tokens passed\\n\", r.name, clock, "
    "done, total);\n"
    "        bad++;\n"
    "    }\n"
    "    if (m->sync_error) {\n"
    "        printf(\"%s: sync_error is set\\n\", r.name);\n"
    "        bad++;\n"
    "    }\n"
    "    const long interval = frames > 1 ? end[1] - end[0] : INTERVAL;\n"
    "    const bool told = r.in || r.out || r.gap;\n"
    "    if (!told && !bad && (first != FIRST || end[0] != LAST || interval != INTERVAL)) {\n"
    "        printf(\"clocks: first %ld, last %ld, interval %ld, not %ld, %ld, %ld\\n\", first, "
    "end[0], "
    "interval, FIRST,\n"
    "               LAST, INTERVAL);\n"
    "        bad++;\n"
    "    }\n"
    "    printf(\"%s: first %ld, last %ld, interval %ld%s\\n\", r.name, first, end[0], interval, "
    "bad ? \", "
    "FAILED\" : \"\");\n"
    "    m->final();\n"
    "    return bad != 0;\n"
    "}\n\n"
    "int main(int count, char **word)\n"
    "{\n"
    "    const long frames = count > 1 ? atol(word[1]) : 3;\n"
    "    state = (count > 2 ? atol(word[2]) : 1) * 77777 + 1;\n"
    "    long line = 0;\n"
    "    for (const port &image : images)\n"
    "        line = image.is_table || image.places < line ? line : image.places;\n"
    "    const regime regimes[] = {{\"steady\", 0, 0, 0},\n"
    "                              {\"stalls\", 40, 40, 0},\n"
    "                              {\"slow input\", 128, 0, 0},\n"
    "                              {\"slow output\", 0, 128, 0},\n"
    "                              {\"gaps\", 0, 0, 3 * line + 5}};\n"
    "    int bad = 0;\n"
    "    for (const regime &r : regimes)\n"
    "        bad += simulate(r, frames);\n"
    "    return bad != 0;\n"
    "}\n";

struct bench {
    const struct verilog *v;
    struct circuit_bench common;
    struct text *out;
};

static void print_set_parameters(const struct bench *b)
{
    const struct graph *graph = b->v->circuit->graph;
    text_print(b->out, "static void set_parameters(MODULE &m, const parameters &p)\n{\n"
                       "    (void)m;\n    (void)p;\n");
    for (size_t i = 0; i < graph->parameters.count; i++) {
        const char *name = graph->parameters.item[i].name->text;
        const struct expr *variable = graph->parameters.item[i].variable;
        const unsigned width = value_bits(variable);
        text_print(b->out, "    m.p_%s = 0;\n    put(m.p_%s, 0, %u, (uint64_t)p.p_%s);\n", name,
                   name, width, name);
    }
    text_print(b->out, "}\n");
}

/* Each sample in a clock of its own, in the reset. */
static void print_write_tables(const struct bench *b)
{
    const struct circuit *circuit = b->v->circuit;
    text_print(
        b->out,
        "static void write_tables(MODULE &m, const std::vector<std::vector<long long>> &in)\n{\n"
        "    (void)m;\n    (void)in;\n");
    for (size_t t = 0; t < circuit->tables.count; t++) {
        const struct circuit_table *table = &circuit->tables.item[t];
        const char *name = table->name->text;
        if (table_is_written(table))
            text_print(b->out,
                       "    m.t_%s_write = 1;\n    for (long i = 0; i < %zu; i++) {\n"
                       "        m.t_%s_address = i;\n        m.t_%s_data = 0;\n"
                       "        put(m.t_%s_data, 0, %u, (uint64_t)in[%u][i]);\n"
                       "        m.aclk = 0;\n        m.eval();\n        m.aclk = 1;\n"
                       "        m.eval();\n    }\n    m.t_%s_write = 0;\n",
                       name, table->count, name, name, name, interval_bits(table->interval),
                       table->position, name);
    }
    text_print(b->out, "}\n");
}

/* ---- Ports ---- */

/* A function with a case for each port of the kind. */
static void print_cases(struct bench *b, enum process_kind kind, unsigned count,
                        const char *heading,
                        void (*print)(struct bench *b, const struct process *p))
{
    text_print(b->out, "\nstatic %s\n{\n    switch (port) {\n", heading);
    for (unsigned i = 0; i < count; i++) {
        if (!bench_port(&b->common, kind, i))
            continue;
        text_print(b->out, "    case %u:\n", i);
        print(b, bench_port(&b->common, kind, i));
    }
    text_print(b->out, "    default:\n        break;\n    }\n");
}

static const char *axis_name(struct bench *b, const struct process *p)
{
    return port_name(b->v->circuit, p, b->v->name);
}

static void print_drive(struct bench *b, const struct process *p)
{
    const char *name = axis_name(b, p);
    text_print(
        b->out,
        "        m.s_axis_%s_tvalid = valid;\n        m.s_axis_%s_tlast = last;\n"
        "        m.s_axis_%s_tuser = user;\n        clear(m.s_axis_%s_tdata);\n"
        "        for (unsigned l = 0; valid && l < %u; l++)\n"
        "            put(m.s_axis_%s_tdata, l * %u, %u, (uint64_t)token[l]);\n        break;\n",
        name, name, name, name, stream_elements(&p->out), name, element_bits(&p->out),
        element_bits(&p->out));
}

static void print_taken(struct bench *b, const struct process *p)
{
    text_print(b->out, "        return m.s_axis_%s_tready;\n", axis_name(b, p));
}

static void print_given(struct bench *b, const struct process *p)
{
    text_print(b->out, "        return m.m_axis_%s_tvalid;\n", axis_name(b, p));
}

static void print_ready(struct bench *b, const struct process *p)
{
    text_print(b->out, "        m.m_axis_%s_tready = is_ready;\n        break;\n", axis_name(b, p));
}

static void print_marks(struct bench *b, const struct process *p)
{
    text_print(b->out, "        return m.m_axis_%s_tlast | m.m_axis_%s_tuser << 1;\n",
               axis_name(b, p), axis_name(b, p));
}

static void print_sample(struct bench *b, const struct process *p)
{
    const unsigned width = element_bits(&p->out);
    if (p->out.interval.least < 0)
        text_print(
            b->out,
            "        return (long long)(get(m.m_axis_%s_tdata, lane * %u, %u) << %u) >> %u;\n",
            axis_name(b, p), width, width, 64 - width, 64 - width);
    else
        text_print(b->out, "        return (long long)get(m.m_axis_%s_tdata, lane * %u, %u);\n",
                   axis_name(b, p), width, width);
}

static void print_access(struct bench *b)
{
    print_cases(
        b, PROCESS_SOURCE, b->common.images,
        "void drive(MODULE &m, int port, bool valid, const long long *token, bool last, bool user)",
        print_drive);
    text_print(b->out, "}\n");
    print_cases(b, PROCESS_SINK, b->common.results,
                "void ready(MODULE &m, int port, bool is_ready)", print_ready);
    text_print(b->out, "}\n");
    const struct {
        enum process_kind kind;
        const char *heading;
        void (*print)(struct bench *b, const struct process *p);
    } question[] = {
        {PROCESS_SOURCE, "bool is_taken(const MODULE &m, int port)", print_taken},
        {PROCESS_SINK, "bool is_given(const MODULE &m, int port)", print_given},
        {PROCESS_SINK, "int marks(const MODULE &m, int port)", print_marks},
        {PROCESS_SINK, "long long sample(const MODULE &m, int port, unsigned lane)", print_sample},
    };
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        print_cases(b, question[i].kind,
                    question[i].kind == PROCESS_SOURCE ? b->common.images : b->common.results,
                    question[i].heading, question[i].print);
        text_print(b->out, "    return 0;\n}\n");
    }
}

struct emitted_file verilog_testbench(struct verilog *v)
{
    struct text out = text_create(v->session->ir);
    const struct circuit_bench common = circuit_bench_create(v->arena, &out, v->circuit);
    struct bench b = {.v = v, .common = common, .out = &out};
    text_print(&out, head, v->stem, v->stem, v->stem);
    bench_print_head(&common);
    text_print(
        &out,
        "typedef V%s MODULE;\nstatic const long FIRST = %llu, LAST = %llu, INTERVAL = %llu;\n",
        v->stem, (unsigned long long)v->circuit->times.first,
        (unsigned long long)v->circuit->times.last, (unsigned long long)v->circuit->times.interval);
    bench_print_ports(&common);
    text_append(&out, bits, sizeof bits - 1);
    print_access(&b);
    bench_print_parameters(&common);
    print_set_parameters(&b);
    print_write_tables(&b);
    bench_print_model(&common);
    bench_print_samples(&common);
    text_append(&out, run, sizeof run - 1);
    return (struct emitted_file){arena_format(v->session->ir, "%s_rtl.cpp", v->stem), out.bytes,
                                 out.length};
}
