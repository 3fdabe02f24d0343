#include "emit/launch/circuit_bench.h"

static const char head[] =
    "static uint64_t state;\n"
    "static uint64_t draw()\n"
    "{\n"
    "    state = state * 6364136223846793005u + 1442695040888963407u;\n"
    "    return state >> 33;\n"
    "}\n\n"
    "struct port {\n"
    "    const char *name;\n"
    "    long lines, places, lanes, samples; // of a frame\n"
    "    long line, place;                   // from one to the next, in samples of a packed "
    "image\n"
    "    const long *lane;\n"
    "    long long least, greatest; // of samples that come\n"
    "};\n";

static const char draw_samples[] =
    "\nstatic long long sample_of(const port &p, long frame, long i)\n"
    "{\n"
    "    const long long range = p.greatest - p.least;\n"
    "    if (frame % 3 == 1) // the ends of the range, and what is between\n"
    "        return draw() % 3 ? (draw() % 2 ? p.least : p.greatest) : p.least + range / 2;\n"
    "    if (frame % 3 == 2) // a ramp with noise\n"
    "        return p.least + (range == 0 ? 0 : (i * 7 / 4 + (long long)(draw() % 9)) % (range + "
    "1));\n"
    "    return p.least + (long long)((draw() << 31 ^ draw()) % (uint64_t)(range + 1));\n"
    "}\n";

static unsigned count_of(const struct circuit *circuit, enum process_kind kind)
{
    unsigned count = 0;
    for (size_t i = 0; i < circuit->processes.count; i++)
        count += circuit->processes.item[i].kind == kind;
    return count;
}

struct circuit_bench circuit_bench_create(struct arena *arena, struct text *out,
                                          const struct circuit *circuit)
{
    return (struct circuit_bench){arena, out, circuit, count_of(circuit, PROCESS_SOURCE),
                                  count_of(circuit, PROCESS_SINK)};
}

const struct process *bench_port(const struct circuit_bench *b, enum process_kind kind,
                                 uint32_t position)
{
    for (size_t i = 0; i < b->circuit->processes.count; i++) {
        const struct process *p = &b->circuit->processes.item[i];
        if (p->kind == kind && p->as.source.position == position)
            return p;
    }
    return NULL;
}

void bench_print_head(const struct circuit_bench *b)
{
    text_append(b->out, head, sizeof head - 1);
}

void bench_print_samples(const struct circuit_bench *b)
{
    text_append(b->out, draw_samples, sizeof draw_samples - 1);
}

/* ---- Ports ---- */

static const char *image_name(const struct circuit_bench *b, const struct process *p)
{
    return p->kind == PROCESS_SINK
               ? b->circuit->graph->outputs.item[p->as.source.position].name->text
               : p->name->text;
}

static void print_port_rows(const struct circuit_bench *b, enum process_kind kind,
                            const char *array, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct process *p = bench_port(b, kind, i);
        text_print(b->out, "static const long %s_lane_%u[] = {", array, i);
        for (unsigned l = 0; l < stream_elements(&p->out); l++)
            text_print(b->out, "%s%lld", l ? ", " : "", (long long)p->as.source.lane[l]);
        text_print(b->out, "};\n");
    }
    text_print(b->out, "static const port %s[] = {\n", array);
    for (unsigned i = 0; i < count; i++) {
        const struct process *p = bench_port(b, kind, i);
        const uint64_t samples = (uint64_t)p->out.lines * p->out.tokens * stream_elements(&p->out);
        text_print(b->out,
                   "    {\"%s\", %u, %u, %u, %llu, %lld, %lld, %s_lane_%u, %lldLL, %lldLL},\n",
                   image_name(b, p), p->out.lines, p->out.tokens, stream_elements(&p->out),
                   (unsigned long long)samples, (long long)p->as.source.stride[RASTER_LINES],
                   (long long)p->as.source.stride[RASTER_TOKENS], array, i,
                   (long long)p->out.interval.least, (long long)p->out.interval.greatest);
    }
    text_print(b->out, "};\n");
}

void bench_print_ports(const struct circuit_bench *b)
{
    text_print(b->out, "enum { IMAGES = %u, RESULTS = %u };\n", b->images, b->results);
    print_port_rows(b, PROCESS_SOURCE, "images", b->images);
    print_port_rows(b, PROCESS_SINK, "results", b->results);
}

/* ---- Parameters ---- */

void bench_print_parameters(const struct circuit_bench *b)
{
    text_print(b->out, "\nstruct parameters {\n");
    for (size_t i = 0; i < b->circuit->graph->parameters.count; i++)
        text_print(b->out, "    long long %s;\n", b->circuit->graph->parameters.item[i].name->text);
    text_print(b->out, "};\nstatic parameters draw_parameters()\n{\n    parameters p;\n");
    for (size_t i = 0; i < b->circuit->graph->parameters.count; i++) {
        const struct parameter *p = &b->circuit->graph->parameters.item[i];
        const struct interval range =
            p->scalar == SCALAR_BOOL ? (struct interval){0, 1} : p->variable->interval;
        text_print(b->out, "    p.%s = %lldLL + (long long)(draw() %% %lluull);\n", p->name->text,
                   (long long)range.least,
                   (unsigned long long)((uint64_t)range.greatest - (uint64_t)range.least + 1));
    }
    text_print(b->out, "    return p;\n}\n");
}

/* ---- The model ---- */

static const char *local_name(const struct circuit_bench *b, const struct process *p)
{
    return arena_format(b->arena, "%s_%u", p->kind == PROCESS_SINK ? "result" : "image",
                        p->as.source.position);
}

static void print_image(const struct circuit_bench *b, const struct process *p,
                        const char *struct_of, bool given)
{
    const char *name = local_name(b, p), *type = scalar_info[p->as.source.element].c_type;
    const struct stage *stage = NULL;
    for (size_t i = 0; i < b->circuit->graph->stages.count; i++) {
        const struct stage *s = b->circuit->graph->stages.item[i];
        if (given
                ? s->kind == STAGE_INPUT && s->as.input.position == p->as.source.position
                : s->id.index == b->circuit->graph->outputs.item[p->as.source.position].stage.index)
            stage = s;
    }
    text_print(b->out, "    std::vector<%s> %s_data(%s[%u].samples);\n", type, name,
               given ? "images" : "results", p->as.source.position);
    if (given)
        text_print(b->out,
                   "    for (long i = 0; i < images[%u].samples; i++)\n"
                   "        %s_data[i] = (%s)in[%u][f * images[%u].samples + i];\n",
                   p->as.source.position, name, type, p->as.source.position, p->as.source.position);
    text_print(b->out, "    struct %s_%s %s = {%s_data.data()", struct_of, image_name(b, p), name,
               name);
    for (unsigned k = 0; k < stage->rank; k++)
        text_print(b->out, ", %lld", (long long)stage->axis[k].extent->as.integer);
    for (unsigned k = 0; k < stage->rank; k++) {
        int64_t stride = 1;
        for (unsigned i = k + 1; i < stage->rank; i++)
            stride *= stage->axis[i].extent->as.integer;
        text_print(b->out, ", %lld", (long long)stride);
    }
    text_print(b->out, "};\n");
}

void bench_print_model(const struct circuit_bench *b)
{
    const char *filter = circuit_model_name(b->arena, b->circuit->graph);
    text_print(b->out, "\n// Frame f by the C of the filter.\n"
                       "static bool model(const std::vector<std::vector<long long>> &in,\n"
                       "                  std::vector<std::vector<long long>> &want, long f, const "
                       "parameters &p)\n{\n    (void)p;\n");
    for (unsigned i = 0; i < b->images; i++)
        print_image(b, bench_port(b, PROCESS_SOURCE, i), filter, true);
    for (unsigned i = 0; i < b->results; i++)
        print_image(b, bench_port(b, PROCESS_SINK, i), filter, false);
    text_print(b->out, "    if (%s(", filter);
    for (unsigned i = 0; i < b->images; i++)
        text_print(b->out, "&%s, ", local_name(b, bench_port(b, PROCESS_SOURCE, i)));
    for (size_t i = 0; i < b->circuit->graph->parameters.count; i++)
        text_print(b->out, "(%s)p.%s, ",
                   scalar_info[b->circuit->graph->parameters.item[i].scalar].c_type,
                   b->circuit->graph->parameters.item[i].name->text);
    for (unsigned i = 0; i < b->results; i++)
        text_print(b->out, "&%s, ", local_name(b, bench_port(b, PROCESS_SINK, i)));
    text_print(b->out, "1))\n        return false;\n");
    for (unsigned i = 0; i < b->results; i++)
        text_print(b->out,
                   "    for (long i = 0; i < results[%u].samples; i++)\n"
                   "        want[%u][f * results[%u].samples + i] = %s_data[i];\n",
                   i, i, i, local_name(b, bench_port(b, PROCESS_SINK, i)));
    text_print(b->out, "    return true;\n}\n");
}
