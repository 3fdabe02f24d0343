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
    "    bool is_table;             // written between frames\n"
    "};\n";

static const char draw_samples[] =
    "\nstatic long long sample_of(const port &p, long frame, long i)\n"
    "{\n"
    "    const uint64_t range = (uint64_t)p.greatest - (uint64_t)p.least, values = range + 1;\n"
    "    const auto at = [&p](uint64_t above) { return (long long)((uint64_t)p.least + above); };\n"
    "    if (frame % 3 == 1) // the ends of the range, and what is between\n"
    "        return draw() % 3 ? (draw() % 2 ? p.least : p.greatest) : at(range / 2);\n"
    "    if (frame % 3 == 2 && values) // a ramp with noise\n"
    "        return at(((uint64_t)i * 7 / 4 + draw() % 9) % values);\n"
    "    const uint64_t any = draw() << 31 ^ draw() << 62 ^ draw();\n"
    "    return at(values ? any % values : any);\n"
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
    unsigned images = count_of(circuit, PROCESS_SOURCE);
    for (size_t t = 0; t < circuit->tables.count; t++)
        images += table_is_written(&circuit->tables.item[t]);
    return (struct circuit_bench){arena, out, circuit, images, count_of(circuit, PROCESS_SINK)};
}

/* The table of an image, or NULL. */
static const struct circuit_table *bench_table(const struct circuit_bench *b, uint32_t position)
{
    for (size_t t = 0; t < b->circuit->tables.count; t++) {
        const struct circuit_table *table = &b->circuit->tables.item[t];
        if (table_is_written(table) && table->position == position)
            return table;
    }
    return NULL;
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

/* The least one has no literal. */
static const char *number(const struct circuit_bench *b, int64_t value)
{
    return value == INT64_MIN ? "-9223372036854775807LL - 1"
                              : arena_format(b->arena, "%lldLL", (long long)value);
}

/* A row of images[] or results[]; its lanes stand in `array`_lane_I. */
static const char *port_row(const struct circuit_bench *b, const struct process *p,
                            const char *array, unsigned i)
{
    const uint64_t samples = (uint64_t)p->out.lines * p->out.tokens * stream_elements(&p->out);
    return arena_format(b->arena,
                        "    {\"%s\", %u, %u, %u, %llu, %lld, %lld, %s_lane_%u, %s, %s, false},\n",
                        image_name(b, p), p->out.lines, p->out.tokens, stream_elements(&p->out),
                        (unsigned long long)samples, (long long)p->as.source.stride[RASTER_LINES],
                        (long long)p->as.source.stride[RASTER_TOKENS], array, i,
                        number(b, p->out.interval.least), number(b, p->out.interval.greatest));
}

static const char *table_row(const struct circuit_bench *b, const struct circuit_table *table,
                             const char *array, unsigned i)
{
    return arena_format(b->arena,
                        "    {\"%s\", 1, %zu, 1, %zu, %zu, 1, %s_lane_%u, %s, %s, true},\n",
                        table->name->text, table->count, table->count, table->count, array, i,
                        number(b, table->interval.least), number(b, table->interval.greatest));
}

static void print_port_rows(const struct circuit_bench *b, enum process_kind kind,
                            const char *array, unsigned count)
{
    struct text rows = text_create(b->arena);
    for (unsigned i = 0; i < count; i++) {
        const struct process *p = bench_port(b, kind, i);
        text_print(b->out, "static const long %s_lane_%u[] = {", array, i);
        for (unsigned l = 0; p && l < stream_elements(&p->out); l++)
            text_print(b->out, "%s%lld", l ? ", " : "", (long long)p->as.source.lane[l]);
        text_print(b->out, p ? "};\n" : "0};\n");
        text_print(&rows, "%s",
                   p ? port_row(b, p, array, i) : table_row(b, bench_table(b, i), array, i));
    }
    text_print(b->out, "static const port %s[] = {\n%s};\n", array, rows.bytes);
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
        text_print(b->out, "    long long p_%s;\n",
                   b->circuit->graph->parameters.item[i].name->text);
    text_print(b->out, "};\nstatic parameters draw_parameters()\n{\n    parameters p;\n");
    for (size_t i = 0; i < b->circuit->graph->parameters.count; i++) {
        const struct parameter *p = &b->circuit->graph->parameters.item[i];
        const struct interval range =
            p->scalar == SCALAR_BOOL ? (struct interval){0, 1} : p->variable->interval;
        text_print(b->out, "    p.p_%s = %lldLL + (long long)(draw() %% %lluull);\n", p->name->text,
                   (long long)range.least,
                   (unsigned long long)((uint64_t)range.greatest - (uint64_t)range.least + 1));
    }
    text_print(b->out, "    return p;\n}\n");
}

/* ---- The model ---- */

static const struct stage *image_stage(const struct circuit_bench *b, unsigned position)
{
    for (size_t i = 0; i < b->circuit->graph->stages.count; i++) {
        const struct stage *s = b->circuit->graph->stages.item[i];
        if (s->kind == STAGE_INPUT && s->as.input.position == position)
            return s;
    }
    return NULL;
}

/* `name` of a packed image over `name`_data. */
static void print_packed(const struct circuit_bench *b, const char *struct_of, const char *image,
                         const char *name, const struct stage *stage)
{
    text_print(b->out, "    struct %s_%s %s = {%s_data.data()", struct_of,
               name_in_c(b->arena, image, ROLE_LOCAL), name, name);
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

static void print_image(const struct circuit_bench *b, const char *struct_of, unsigned i)
{
    const struct stage *stage = image_stage(b, i);
    const char *name = arena_format(b->arena, "image_%u", i);
    const char *type = scalar_info[stage->element].c_type;
    text_print(b->out,
               "    std::vector<%s> %s_data(images[%u].samples);\n"
               "    for (long i = 0; i < images[%u].samples; i++)\n"
               "        %s_data[i] = (%s)in[%u][f * images[%u].samples + i];\n",
               type, name, i, i, name, type, i, i);
    print_packed(b, struct_of, stage->name->text, name, stage);
}

static void print_result(const struct circuit_bench *b, const char *struct_of, unsigned i)
{
    const struct graph *graph = b->circuit->graph;
    const struct stage *stage = graph_stage(graph, graph->outputs.item[i].stage);
    const char *name = arena_format(b->arena, "result_%u", i);
    text_print(b->out, "    std::vector<%s> %s_data(results[%u].samples);\n",
               scalar_info[stage->element].c_type, name, i);
    print_packed(b, struct_of, graph->outputs.item[i].name->text, name, stage);
}

void bench_print_model(const struct circuit_bench *b)
{
    const char *filter =
        name_in_c(b->arena, circuit_model_name(b->arena, b->circuit->graph), ROLE_GLOBAL);
    text_print(b->out, "\n// Frame f by the C of the filter.\n"
                       "static bool model(const std::vector<std::vector<long long>> &in,\n"
                       "                  std::vector<std::vector<long long>> &want, long f, const "
                       "parameters &p)\n{\n    (void)p;\n");
    for (unsigned i = 0; i < b->images; i++)
        print_image(b, filter, i);
    for (unsigned i = 0; i < b->results; i++)
        print_result(b, filter, i);
    text_print(b->out, "    if (%s(", filter);
    for (unsigned i = 0; i < b->images; i++)
        text_print(b->out, "&image_%u, ", i);
    for (size_t i = 0; i < b->circuit->graph->parameters.count; i++)
        text_print(b->out, "(%s)p.p_%s, ",
                   scalar_info[b->circuit->graph->parameters.item[i].scalar].c_type,
                   b->circuit->graph->parameters.item[i].name->text);
    for (unsigned i = 0; i < b->results; i++)
        text_print(b->out, "&result_%u, ", i);
    text_print(b->out, "1))\n        return false;\n");
    for (unsigned i = 0; i < b->results; i++)
        text_print(b->out,
                   "    for (long i = 0; i < results[%u].samples; i++)\n"
                   "        want[%u][f * results[%u].samples + i] = result_%u_data[i];\n",
                   i, i, i, i);
    text_print(b->out, "    return true;\n}\n");
}
