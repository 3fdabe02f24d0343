/* Prints the same facts twice: as a table for people and as JSON. Clocks are exact; resources are
 * an estimate (hardware/estimate.h). */
#include "emit/launch/circuit_report.h"
#include "hardware/estimate.h"
#include "hardware/memories.h"

enum { MOST_ERROR = 25 }; /* in percent, of LUTs and registers: tests/circuit/area.sh holds it */

struct report {
    const struct circuit *circuit;
    const char *stem;
    double megahertz;
    struct estimate estimate;
    struct text *text, *json;
    int wide; /* the first column of tables */
};

static const struct process *process_at(const struct report *r, size_t i)
{
    return &r->circuit->processes.item[i];
}

static double milliseconds(const struct report *r, uint64_t clocks)
{
    return (double)clocks / (r->megahertz * 1e3);
}

/* ---- Clocks ---- */

static void report_clocks(const struct report *r)
{
    const struct circuit_times *t = &r->circuit->times;
    const struct {
        const char *name, *text;
        uint64_t clocks;
    } row[] = {{"first", "first result after", t->first},
               {"last", "last result after", t->last},
               {"interval", "a frame every", t->interval}};
    text_print(r->text, "%s at %g MHz\n\n", r->circuit->graph->name->text, r->megahertz);
    text_print(r->json, "{\n    \"filter\": \"%s\",\n    \"megahertz\": %g,\n    \"clocks\": {",
               r->circuit->graph->name->text, r->megahertz);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        text_print(r->text, "%-20s %12llu clocks %12.3f ms\n", row[i].text,
                   (unsigned long long)row[i].clocks, milliseconds(r, row[i].clocks));
        text_print(r->json, "%s\"%s\": %llu", i ? ", " : "", row[i].name,
                   (unsigned long long)row[i].clocks);
    }
    text_print(r->json, "},\n    \"milliseconds\": {");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        text_print(r->json, "%s\"%s\": %.6f", i ? ", " : "", row[i].name,
                   milliseconds(r, row[i].clocks));
    text_print(r->json, "}");
}

/* ---- Resources ---- */

static void text_resources(const struct report *r, struct resources given)
{
    text_print(r->text, "%7u %7u %7u %6u\n", given.luts, given.registers, given.blocks,
               given.multipliers);
}

static void json_resources(const struct report *r, struct resources given)
{
    text_print(r->json, "\"luts\": %u, \"registers\": %u, \"blocks\": %u, \"multipliers\": %u",
               given.luts, given.registers, given.blocks, given.multipliers);
}

static void json_memory(const struct report *r, struct memory_shape shape, enum memory_kind kind)
{
    text_print(r->json, "\"words\": %llu, \"bits\": %u, \"memory\": \"%s\", ",
               (unsigned long long)shape.words, shape.bits, memory_text[kind]);
}

static const char *memory_words(struct arena *arena, struct memory_shape shape,
                                enum memory_kind kind)
{
    return shape.words ? arena_format(arena, "%llu x %u %s", (unsigned long long)shape.words,
                                      shape.bits, memory_text[kind])
                       : "";
}

static struct resources sum(struct resources a, struct resources b)
{
    return (struct resources){a.luts + b.luts, a.registers + b.registers, a.blocks + b.blocks,
                              a.multipliers + b.multipliers};
}

/* With what splits its stream between readers. */
static void report_process(const struct report *r, size_t i)
{
    struct process p = *process_at(r, i);
    struct arena *arena = r->text->arena;
    const enum memory_kind *kind = process_memory_kind(&p);
    const struct memory_shape shape = process_memory(r->circuit, &p);
    const struct resources given = sum(r->estimate.process[i], r->estimate.split[i]);
    const char *stream =
        arena_format(arena, "%u x %u x %u", p.out.lines, p.out.tokens, stream_bits(&p.out));
    text_print(r->text, "%-*s %-7s %-21s %-17s %7u ", r->wide, p.name->text, process_text[p.kind],
               stream, memory_words(arena, shape, kind ? *kind : MEMORY_REGISTERS), p.latency);
    text_resources(r, given);
    text_print(r->json,
               "%s\n        {\"name\": \"%s\", \"kind\": \"%s\", \"lines\": %u, \"tokens\": %u, "
               "\"taps\": %u, \"lanes\": %u, \"token_bits\": %u, \"latency\": %u, ",
               i ? "," : "", p.name->text, process_text[p.kind], p.out.lines, p.out.tokens,
               p.out.taps, p.out.lanes, stream_bits(&p.out), p.latency);
    if (shape.words)
        json_memory(r, shape, *kind);
    json_resources(r, given);
    text_print(r->json, "}");
}

static void report_processes(const struct report *r)
{
    text_print(r->text, "\n%-*s %-7s %-21s %-17s %7s %7s %7s %7s %6s\n", r->wide, "process", "kind",
               "lines x tokens x bits", "words x bits", "latency", "LUT", "FF", "RAMB18", "DSP");
    text_print(r->json, ",\n    \"processes\": [");
    for (size_t i = 0; i < r->circuit->processes.count; i++)
        report_process(r, i);
    text_print(r->json, "\n    ]");
}

/* ---- FIFOs ---- */

/* Of what comes to a process on other edges, the stream that tokens on this one wait for; NULL:
 * they wait for the process itself. */
static const struct process *waited_for(const struct report *r, const struct process *p,
                                        unsigned edge)
{
    const struct process *found = NULL;
    uint32_t least = p->edge[edge].depth;
    for (unsigned e = 0; e < p->edge_count; e++) {
        const uint32_t depth = p->edge[e].kind == EDGE_FIFO ? p->edge[e].depth : 0;
        if (e == edge || depth >= least)
            continue;
        least = depth;
        found = process_at(r, p->edge[e].from);
    }
    return found;
}

static const char *fifo_name(const struct report *r, const struct process *p, unsigned e)
{
    return arena_format(r->text->arena, "%s -> %s", process_at(r, p->edge[e].from)->name->text,
                        p->name->text);
}

/* "waits for up: 3 lines + 25 tokens" */
static const char *fifo_reason(const struct report *r, const struct process *p, unsigned e)
{
    const struct process *other = waited_for(r, p, e);
    const uint32_t depth = p->edge[e].depth;
    const uint32_t tokens = process_at(r, p->edge[e].from)->out.tokens;
    struct text text = text_create(r->text->arena);
    if (p->kind == PROCESS_TWICE)
        text_print(&text, "until each line is taken twice: ");
    else
        text_print(&text, "waits for %s: ", other ? other->name->text : p->name->text);
    if (depth >= tokens)
        text_print(&text, "%u line%s", depth / tokens, depth / tokens == 1 ? "" : "s");
    if (depth % tokens)
        text_print(&text, "%s%u token%s", depth >= tokens ? " + " : "", depth % tokens,
                   depth % tokens == 1 ? "" : "s");
    return text.bytes;
}

static void report_fifo(const struct report *r, const struct process *p, unsigned e, bool first)
{
    const struct edge *edge = &p->edge[e];
    const struct memory_shape shape = edge_memory(r->circuit, edge);
    const struct resources given = r->estimate.edge[p->id][e];
    const char *why = fifo_reason(r, p, e);
    text_print(r->text, "%-*s %7u   %-18s %7u %7u %7u   %s\n", r->wide, fifo_name(r, p, e),
               edge->depth, memory_words(r->text->arena, shape, edge->memory), given.luts,
               given.registers, given.blocks, why);
    text_print(
        r->json, "%s\n        {\"from\": \"%s\", \"to\": \"%s\", \"depth\": %u, \"why\": \"%s\", ",
        first ? "" : ",", process_at(r, edge->from)->name->text, p->name->text, edge->depth, why);
    json_memory(r, shape, edge->memory);
    json_resources(r, given);
    text_print(r->json, "}");
}

static void report_fifos(const struct report *r)
{
    bool first = true;
    text_print(r->json, ",\n    \"fifos\": [");
    for (size_t i = 0; i < r->circuit->processes.count; i++) {
        const struct process *p = process_at(r, i);
        for (unsigned e = 0; e < p->edge_count; e++) {
            if (p->edge[e].kind != EDGE_FIFO)
                continue;
            if (first)
                text_print(r->text, "\n%-*s %7s   %-18s %7s %7s %7s   %s\n", r->wide, "FIFO",
                           "depth", "words x bits", "LUT", "FF", "RAMB18", "why");
            report_fifo(r, p, e, first);
            first = false;
        }
    }
    text_print(r->json, "\n    ]");
}

/* The longest name of a process or FIFO. */
static int first_column(const struct report *r)
{
    int wide = 0;
    for (size_t i = 0; i < r->circuit->processes.count; i++) {
        const struct process *p = process_at(r, i);
        int own = (int)p->name->length;
        for (unsigned e = 0; e < p->edge_count; e++)
            if (p->edge[e].kind == EDGE_FIFO && (int)strlen(fifo_name(r, p, e)) > own)
                own = (int)strlen(fifo_name(r, p, e));
        wide = own > wide ? own : wide;
    }
    return wide;
}

static void report_total(const struct report *r)
{
    const uint64_t bits = circuit_memory_use(r->circuit).bits;
    text_print(r->text, "\n%-*s ", r->wide + 56, "in all");
    text_resources(r, r->estimate.total);
    text_print(r->text,
               "\n%llu bits of lines and FIFOs. Clocks are exact. What is taken of a device is an "
               "estimate, for series 7 of\nXilinx: of LUTs and FFs yosys differs by at most %d %%, "
               "of RAMB18 and DSP not at all.\n",
               (unsigned long long)bits, MOST_ERROR);
    text_print(r->json, ",\n    \"memory_bits\": %llu,\n    \"total\": {",
               (unsigned long long)bits);
    json_resources(r, r->estimate.total);
    text_print(r->json,
               "},\n    \"error_percent\": {\"luts\": %d, \"registers\": %d, \"blocks\": 0, "
               "\"multipliers\": 0}\n}\n",
               MOST_ERROR, MOST_ERROR);
}

void emit_circuit_report(struct session *session, const struct circuit *circuit, const char *stem,
                         double megahertz, struct emitted *emitted)
{
    struct text text = text_create(session->ir), json = text_create(session->ir);
    struct report r = {.circuit = circuit,
                       .stem = stem,
                       .megahertz = megahertz,
                       .estimate = circuit_estimate(session->scratch, circuit),
                       .text = &text,
                       .json = &json};
    r.wide = first_column(&r);
    report_clocks(&r);
    report_processes(&r);
    report_fifos(&r);
    report_total(&r);
    const struct emitted_file files[] = {
        {arena_format(session->ir, "%s_report.txt", stem), text.bytes, text.length},
        {arena_format(session->ir, "%s_report.json", stem), json.bytes, json.length}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        VECTOR_PUSH(session->ir, &emitted->files, files[i]);
}
