/* The test bench: passes frames of random samples, range limits and ramps through the function, one
 * per call, and compares the results with the filter in C. */
#include "emit/launch/circuit_bench.h"
#include "emit/launch/hls/dialect.h"

static const char head[] = "// Simulates %s against the same filter in C. Returns 0 "
                           "where all samples are right.\n"
                           "// Arguments: frames, and a seed; 4 and 1 without them.\n"
                           "#include \"%s.h\"\n"
                           "#include \"%s_model.h\"\n"
                           "#include <stdio.h>\n"
                           "#include <stdlib.h>\n"
                           "#include <vector>\n"
                           "\n"
                           "namespace flt_bench { // so that its names hide none of the filter's\n"
                           "\n";

static const char run[] =
    "\n"
    "static void put_frame(streams &s, int p, const std::vector<long long> &in, long f)\n"
    "{\n"
    "    const port &image = images[p];\n"
    "    std::vector<long long> token(image.lanes);\n"
    "    for (long i = 0; i < STRAY; i++)\n"
    "        put_token(s, p, token.data(), i == 1, false);\n"
    "    for (long y = 0; y < image.lines; y++)\n"
    "        for (long x = 0; x < image.places; x++) {\n"
    "            for (long l = 0; l < image.lanes; l++)\n"
    "                token[l] = in[f * image.samples + y * image.line + x * image.place + "
    "image.lane[l]];\n"
    "            put_token(s, p, token.data(), x == image.places - 1, x == 0 && y == 0);\n"
    "        }\n"
    "}\n"
    "\n"
    "static long check_frame(streams &s, int p, const std::vector<long long> &want, long f)\n"
    "{\n"
    "    const port &result = results[p];\n"
    "    std::vector<long long> token(result.lanes);\n"
    "    long bad = 0;\n"
    "    for (long y = 0; y < result.lines; y++)\n"
    "        for (long x = 0; x < result.places; x++) {\n"
    "            const int marks = get_token(s, p, token.data());\n"
    "            if (marks != NO_MARKS && marks != ((x == result.places - 1) | (x == 0 && y == 0) "
    "<< 1) && bad++ < 5)\n"
    "                printf(\"%s, frame %ld, line %ld, place %ld: last or user is wrong\\n\", "
    "result.name, f, y, x);\n"
    "            for (long l = 0; l < result.lanes; l++) {\n"
    "                const long long wanted =\n"
    "                    want[f * result.samples + y * result.line + x * result.place + "
    "result.lane[l]];\n"
    "                if (token[l] != wanted && bad++ < 5)\n"
    "                    printf(\"%s, frame %ld, line %ld, place %ld, lane %ld: %lld, not "
    "%lld\\n\",\n"
    "                           result.name, f, y, x, l, token[l], wanted);\n"
    "            }\n"
    "        }\n"
    "    return bad;\n"
    "}\n"
    "\n"
    "static int simulate(int count, char **word)\n"
    "{\n"
    "    const long frames = count > 1 ? atol(word[1]) : 4;\n"
    "    state = (count > 2 ? atol(word[2]) : 1) * 77777 + 1;\n"
    "    std::vector<std::vector<long long>> in(IMAGES), want(RESULTS);\n"
    "    std::vector<parameters> given;\n"
    "    streams s;\n"
    "    for (int p = 0; p < IMAGES; p++)\n"
    "        for (long f = 0; f < frames; f++) {\n"
    "            for (long i = 0; i < images[p].samples; i++)\n"
    "                in[p].push_back(sample_of(images[p], f, i));\n"
    "            if (!images[p].is_table)\n"
    "                put_frame(s, p, in[p], f);\n"
    "        }\n"
    "    for (int p = 0; p < RESULTS; p++)\n"
    "        want[p].resize(frames * results[p].samples);\n"
    "    for (long f = 0; f < frames; f++) {\n"
    "        given.push_back(draw_parameters());\n"
    "        if (!model(in, want, f, given[f])) {\n"
    "            printf(\"the model refuses the images\\n\");\n"
    "            return 1;\n"
    "        }\n"
    "        call(s, given[f], in, f);\n"
    "    }\n"
    "    long bad = 0;\n"
    "    for (int p = 0; p < RESULTS; p++)\n"
    "        for (long f = 0; f < frames; f++)\n"
    "            bad += check_frame(s, p, want[p], f);\n"
    "    if (!are_empty(s)) {\n"
    "        printf(\"more samples came, or fewer were taken, than frames have\\n\");\n"
    "        bad++;\n"
    "    }\n"
    "    printf(\"%ld frames, %ld wrong\\n\", frames, bad);\n"
    "    return bad != 0;\n"
    "}\n"
    "} // namespace flt_bench\n"
    "\n"
    "int main(int count, char **word)\n"
    "{\n"
    "    return flt_bench::simulate(count, word);\n"
    "}\n";

struct bench {
    const struct hls *h;
    struct circuit_bench common;
    struct text *out;
};

/* "image_0": its stream. */
static const char *stream_of(const struct bench *b, const struct process *p)
{
    return arena_format(b->h->arena, p->kind == PROCESS_SOURCE ? "image_%u" : "result_%u",
                        p->as.source.position);
}

static unsigned count_of(const struct bench *b, enum process_kind kind)
{
    return kind == PROCESS_SOURCE ? b->common.images : b->common.results;
}

static void print_streams(const struct bench *b)
{
    text_print(b->out, "\nstruct streams {\n");
    for (size_t i = 0; i < b->h->circuit->processes.count; i++) {
        const struct process *p = &b->h->circuit->processes.item[i];
        if (p->kind == PROCESS_SOURCE || p->kind == PROCESS_SINK)
            text_print(b->out, "    %s\n",
                       b->h->dialect->bench_stream(b->h->arena, hls_beat(b->h, p), stream_of(b, p),
                                                   port_name(b->h->circuit, p, b->h->name)));
    }
    text_print(b->out, "};\n");
}

/* A function with a case for each port of the kind; format: of stream, lanes and bits. */
static void print_cases(const struct bench *b, enum process_kind kind, const char *heading,
                        void (*print)(const struct bench *b, const struct process *p))
{
    text_print(b->out, "\nstatic %s\n{\n    switch (port) {\n", heading);
    for (unsigned i = 0; i < count_of(b, kind); i++) {
        if (!bench_port(&b->common, kind, i))
            continue;
        text_print(b->out, "    case %u:\n        ", i);
        print(b, bench_port(&b->common, kind, i));
    }
    text_print(b->out, "    default:\n        break;\n    }\n");
}

static void print_put(const struct bench *b, const struct process *p)
{
    text_print(b->out, "put(s.%s, %u, %u, token, last, user);\n        break;\n", stream_of(b, p),
               stream_elements(&p->out), element_bits(&p->out));
}

static void print_get(const struct bench *b, const struct process *p)
{
    text_print(b->out, "return get(s.%s, %u, %u, %s, token);\n", stream_of(b, p),
               stream_elements(&p->out), element_bits(&p->out),
               p->out.interval.least < 0 ? "true" : "false");
}

/* t_NAME: a written table of frame f. */
static void print_table_arguments(const struct bench *b)
{
    for (size_t t = 0; t < b->h->circuit->tables.count; t++) {
        const struct circuit_table *table = &b->h->circuit->tables.item[t];
        const char *name = table->name->text;
        if (table_is_written(table))
            text_print(b->out,
                       "    static %s t_%s[%zu];\n    for (long i = 0; i < %zu; i++)\n"
                       "        t_%s[i] = in[%u][f * %zu + i];\n",
                       hls_integer(b->h, table->interval), name, table->count, table->count, name,
                       table->position, table->count);
    }
}

/* Calls the function as its heading has it. */
static void print_call(const struct bench *b)
{
    const struct graph *graph = b->h->circuit->graph;
    text_print(b->out, "\nstatic void call(streams &s, const parameters &p, const "
                       "std::vector<std::vector<long long>> &in, long f)\n{\n    (void)p;\n"
                       "    (void)in;\n    (void)f;\n");
    print_table_arguments(b);
    text_print(b->out, "    ::%s(", b->h->top);
    const char *comma = "";
    for (size_t i = 0; i < b->h->circuit->processes.count; i++) {
        const struct process *p = &b->h->circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        text_print(b->out, "%s%s", comma,
                   b->h->dialect->bench_argument(b->h->arena, stream_of(b, p), p));
        comma = ", ";
    }
    for (size_t i = 0; i < graph->parameters.count; i++)
        text_print(b->out, ", (%s)p.p_%s", hls_type(b->h, graph->parameters.item[i].variable),
                   graph->parameters.item[i].name->text);
    for (size_t t = 0; t < b->h->circuit->tables.count; t++)
        if (table_is_written(&b->h->circuit->tables.item[t]))
            text_print(b->out, ", t_%s", b->h->circuit->tables.item[t].name->text);
    text_print(b->out, ");\n}\n");
}

static void print_are_empty(const struct bench *b)
{
    text_print(b->out, "\nstatic bool are_empty(streams &s)\n{\n    return true");
    for (size_t i = 0; i < b->h->circuit->processes.count; i++) {
        const struct process *p = &b->h->circuit->processes.item[i];
        if (p->kind == PROCESS_SOURCE || p->kind == PROCESS_SINK)
            text_print(b->out, " && s.%s.empty()", stream_of(b, p));
    }
    text_print(b->out, ";\n}\n");
}

void hls_print_bench(const struct hls *h)
{
    const struct circuit_bench common = circuit_bench_create(h->arena, h->out, h->circuit);
    const struct bench b = {.h = h, .common = common, .out = h->out};
    text_print(h->out, head, h->stem, h->stem, h->stem);
    bench_print_head(&common);
    bench_print_ports(&common);
    bench_print_parameters(&common);
    bench_print_model(&common);
    bench_print_samples(&common);
    text_print(h->out,
               "\nenum { NO_MARKS = -1 }; // of a port without last and user\n"
               "enum { STRAY = %d }; // tokens that come before the first one of each frame\n%s",
               h->dialect->ports_have_marks ? 3 : 0, h->dialect->bench_streams);
    print_streams(&b);
    print_cases(
        &b, PROCESS_SOURCE,
        "void put_token(streams &s, int port, const long long *token, bool last, bool user)",
        print_put);
    text_print(h->out, "}\n");
    print_cases(&b, PROCESS_SINK, "int get_token(streams &s, int port, long long *token)",
                print_get);
    text_print(h->out, "    return 0;\n}\n");
    print_call(&b);
    print_are_empty(&b);
    text_append(h->out, run, sizeof run - 1);
}
