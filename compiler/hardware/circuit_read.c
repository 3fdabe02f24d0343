/* text → circuit. */
#include "hardware/circuit_text.h"
#include "hardware/written_tables.h"

struct reading {
    struct expr_reader expr;
    struct ir_reader *ir; /* of expr */
    struct circuit *circuit;
};

static struct arena *output_arena(const struct reading *r)
{
    return r->ir->session->ir;
}

/* ---- Numbers ---- */

static uint64_t read_between(struct reading *r, int64_t least, int64_t greatest)
{
    const struct ir_token token = r->ir->token;
    const int64_t number = ir_expect_kind(r->ir, IR_INTEGER).integer;
    if (!r->ir->failed && (number < least || number > greatest))
        ir_fail_at(r->ir, token, "a number here is %lld to %lld", (long long)least,
                   (long long)greatest);
    return r->ir->failed ? (uint64_t)least : (uint64_t)number;
}

enum { MOST_ELEMENTS = 1 << 16, MOST_CLOCKS = 1 << 20 };

/* A count of lines, tokens or bits of a depth. */
static uint32_t read_count(struct reading *r)
{
    return (uint32_t)read_between(r, 1, UINT32_MAX);
}

static int64_t read_integer(struct reading *r)
{
    return ir_expect_kind(r->ir, IR_INTEGER).integer;
}

static struct interval read_interval(struct reading *r)
{
    const struct ir_token first = r->ir->token;
    struct interval interval = {.least = read_integer(r)};
    ir_expect(r->ir, "..");
    interval.greatest = read_integer(r);
    if (!r->ir->failed && interval.least > interval.greatest)
        ir_fail_at(r->ir, first, "an interval begins with its least number");
    return interval;
}

/* "1, 2, 3" */
static const int64_t *read_integers(struct reading *r, size_t *count)
{
    VECTOR(int64_t) values = {0};
    do
        VECTOR_PUSH(output_arena(r), &values, read_integer(r));
    while (ir_accept(r->ir, ","));
    *count = values.count;
    return values.item;
}

/* ---- Parts of processes ---- */

static struct stream read_stream(struct reading *r)
{
    struct stream stream = {.taps = 1, .lanes = 1};
    ir_expect(r->ir, "stream");
    stream.lines = read_count(r);
    ir_expect(r->ir, "x");
    stream.tokens = read_count(r);
    if (ir_accept(r->ir, "taps"))
        stream.taps = (unsigned)read_between(r, 1, MOST_ELEMENTS);
    if (ir_accept(r->ir, "lanes"))
        stream.lanes = (unsigned)read_between(r, 1, MOST_ELEMENTS);
    ir_expect(r->ir, "of");
    stream.interval = read_interval(r);
    stream.tagged = ir_accept(r->ir, "tagged");
    return stream;
}

static enum memory_kind read_memory(struct reading *r)
{
    if (!ir_accept(r->ir, "in"))
        return MEMORY_REGISTERS;
    const unsigned kind = ir_expect_word(r->ir, memory_text, MEMORY_KIND_COUNT, "a memory");
    return kind < MEMORY_KIND_COUNT ? (enum memory_kind)kind : MEMORY_REGISTERS;
}

static enum raster read_along(struct reading *r)
{
    ir_expect(r->ir, "along");
    const unsigned axis = ir_expect_word(r->ir, raster_text, RASTER_COUNT, "lines or tokens");
    return axis < RASTER_COUNT ? (enum raster)axis : RASTER_LINES;
}

static uint32_t read_process_named(struct reading *r)
{
    const struct ir_token token = r->ir->token;
    const struct symbol *name = ir_expect_kind(r->ir, IR_NAME).name;
    for (size_t i = 0; i < r->circuit->processes.count; i++)
        if (r->circuit->processes.item[i].name == name)
            return (uint32_t)i;
    ir_fail_at(r->ir, token, "there is no '%.*s' above this place", (int)token.length, token.start);
    return 0;
}

static void read_edges(struct reading *r, struct process *p)
{
    VECTOR(struct edge) edges = {0};
    for (;;) {
        unsigned kind = 0;
        while (kind < EDGE_KIND_COUNT && !ir_is(r->ir, edge_text[kind]))
            kind++;
        if (kind == EDGE_KIND_COUNT)
            break;
        const struct ir_token token = ir_next(r->ir);
        struct edge edge = {.kind = (enum edge_kind)kind, .from = read_process_named(r)};
        if (edge.kind == EDGE_FIFO) {
            ir_expect(r->ir, "depth");
            edge.depth = read_count(r);
        }
        edge.memory = read_memory(r);
        if (edges.count == PIPE_STATE)
            ir_fail_at(r->ir, token, "a process has %d edges at most", PIPE_STATE);
        VECTOR_PUSH(output_arena(r), &edges, edge);
    }
    p->edge = edges.item;
    p->edge_count = (unsigned)edges.count;
}

static void read_port(struct reading *r, struct process *p)
{
    struct interval whole;
    size_t lanes = 0;
    ir_expect(r->ir, "position");
    p->as.source.position = (uint32_t)read_between(r, 0, UINT32_MAX);
    ir_expect(r->ir, "of");
    p->as.source.element = expr_read_type(&r->expr, &whole);
    ir_expect(r->ir, "every");
    p->as.source.stride[RASTER_LINES] = read_integer(r);
    ir_expect(r->ir, ",");
    p->as.source.stride[RASTER_TOKENS] = read_integer(r);
    const struct ir_token token = r->ir->token;
    ir_expect(r->ir, "lanes");
    p->as.source.lane = read_integers(r, &lanes);
    if (!r->ir->failed && lanes != stream_elements(&p->out))
        ir_fail_at(r->ir, token, "its tokens have %u elements, not %zu", stream_elements(&p->out),
                   lanes);
}

/* What the loads of a pipe may name: its edges, and all tables. */
static void open_sources(struct reading *r, const struct process *pipe)
{
    struct arena *scratch = r->ir->session->scratch;
    const struct circuit *circuit = r->circuit;
    const char *own;
    const char *const *edge = circuit_edge_names(scratch, circuit, pipe, &own);
    struct expr_source none = {"", SCALAR_I32, {0, 0}};
    r->expr.ids = (struct hash_map){0};
    r->expr.sources.count = 0;
    for (size_t i = 0; i < PIPE_TABLES + circuit->tables.count; i++) {
        const struct circuit_table *table =
            i < PIPE_TABLES ? NULL : &circuit->tables.item[i - PIPE_TABLES];
        struct expr_source source = none;
        if (i < pipe->edge_count)
            source = (struct expr_source){edge[i], SCALAR_I32,
                                          circuit->processes.item[pipe->edge[i].from].out.interval};
        else if (i == PIPE_STATE)
            source = (struct expr_source){own, SCALAR_I32, pipe->out.interval};
        else if (table)
            source = (struct expr_source){table->name->text, SCALAR_I32, table->interval};
        source.scalar = scalar_holding(source.interval);
        VECTOR_PUSH(scratch, &r->expr.sources, source);
        if (*source.text)
            hash_map_put_bytes(scratch, &r->expr.ids, source.text, strlen(source.text),
                               (void *)(uintptr_t)(i + 1));
    }
}

static void read_count_of_frames(struct reading *r, struct process *p)
{
    ir_expect(r->ir, "bins");
    p->as.count.bins = read_count(r);
    ir_expect(r->ir, "start");
    p->as.count.start = read_integer(r);
    p->as.count.memory = read_memory(r);
    open_sources(r, p);
    expr_read_shared(&r->expr);
    ir_expect(r->ir, "step");
    p->as.count.step = expr_read(&r->expr);
}

static void read_state(struct reading *r, struct process *p)
{
    p->as.pipe.state.axis = read_along(r);
    ir_expect(r->ir, "taps");
    p->as.pipe.state.taps = (unsigned)read_between(r, 1, MOST_ELEMENTS);
    p->as.pipe.state.memory = read_memory(r);
}

static void read_pipe(struct reading *r, struct process *p)
{
    VECTOR(const struct expr *) values = {0};
    open_sources(r, p);
    expr_read_shared(&r->expr);
    while (ir_accept(r->ir, "value"))
        VECTOR_PUSH(output_arena(r), &values, expr_read(&r->expr));
    p->as.pipe.value = values.item;
    p->as.pipe.count = values.count;
}

static void read_window(struct reading *r, struct process *p)
{
    p->as.window.axis = read_along(r);
    ir_expect(r->ir, "taps");
    p->as.window.taps = (unsigned)read_between(r, 1, MOST_ELEMENTS);
    ir_expect(r->ir, "before");
    p->as.window.before = (unsigned)read_between(r, 0, MOST_ELEMENTS);
    p->as.window.stride =
        ir_accept(r->ir, "stride") ? (unsigned)read_between(r, 1, MOST_ELEMENTS) : 1;
    p->as.window.pixels =
        ir_accept(r->ir, "pixels") ? (unsigned)read_between(r, 1, MOST_ELEMENTS) : 1;
    const unsigned rule = ir_expect_word(r->ir, border_text, BORDER_COUNT, "a border rule");
    p->as.window.rule = rule < BORDER_COUNT ? (enum border_rule)rule : BORDER_NONE;
    if (p->as.window.rule == BORDER_CONSTANT) {
        ir_expect(r->ir, "(");
        p->as.window.outside = read_integer(r);
        ir_expect(r->ir, ")");
    }
    p->as.window.memory = read_memory(r);
}

static void read_fields(struct reading *r, struct process *p)
{
    switch (p->kind) {
    case PROCESS_SOURCE:
    case PROCESS_SINK:
        read_port(r, p);
        return;
    case PROCESS_SCAN:
        read_state(r, p);
        read_pipe(r, p);
        return;
    case PROCESS_PIPE:
        read_pipe(r, p);
        return;
    case PROCESS_COUNT:
        read_count_of_frames(r, p);
        return;
    case PROCESS_WINDOW:
        read_window(r, p);
        return;
    case PROCESS_TWICE:
        p->as.twice.axis = read_along(r);
        p->as.twice.memory = read_memory(r);
        return;
    case PROCESS_KIND_COUNT:
        return;
    }
}

/* Behind "process". */
static void read_process(struct reading *r)
{
    struct process p = {.name = ir_expect_kind(r->ir, IR_NAME).name};
    ir_expect(r->ir, ":");
    const unsigned kind =
        ir_expect_word(r->ir, process_text, PROCESS_KIND_COUNT, "a kind of process");
    p.kind = kind < PROCESS_KIND_COUNT ? (enum process_kind)kind : PROCESS_PIPE;
    p.span = ir_read_span(r->ir);
    ir_expect(r->ir, "{");
    read_edges(r, &p);
    p.out = read_stream(r);
    if (ir_accept(r->ir, "latency"))
        p.latency = (unsigned)read_between(r, 1, MOST_CLOCKS);
    read_fields(r, &p);
    ir_expect(r->ir, "}");
    if (!r->ir->failed)
        circuit_add(output_arena(r), r->circuit, p);
}

/* Behind "table". */
static void read_table(struct reading *r)
{
    struct circuit_table table = {.name = ir_expect_kind(r->ir, IR_NAME).name};
    ir_expect(r->ir, "of");
    table.interval = read_interval(r);
    if (ir_accept(r->ir, "samples")) {
        table.count = (size_t)read_between(r, 1, MOST_TABLE_SAMPLES);
        ir_expect(r->ir, "of");
        ir_expect(r->ir, "image");
        table.position = (uint32_t)read_between(r, 0, UINT16_MAX);
        VECTOR_PUSH(output_arena(r), &r->circuit->tables, table);
        return;
    }
    ir_expect(r->ir, "{");
    const struct ir_token token = r->ir->token;
    table.value = read_integers(r, &table.count);
    ir_expect(r->ir, "}");
    for (size_t i = 0; i < table.count && !r->ir->failed; i++)
        if (table.value[i] < table.interval.least || table.value[i] > table.interval.greatest)
            ir_fail_at(r->ir, token, "sample %zu of the table leaves its interval", i);
    VECTOR_PUSH(output_arena(r), &r->circuit->tables, table);
}

static void read_times(struct reading *r)
{
    if (!ir_accept(r->ir, "first"))
        return;
    r->circuit->times.first = read_between(r, 0, INT64_MAX);
    ir_expect(r->ir, "last");
    r->circuit->times.last = read_between(r, 0, INT64_MAX);
    ir_expect(r->ir, "interval");
    r->circuit->times.interval = read_between(r, 1, INT64_MAX);
}

const struct circuit *circuit_read(struct session *session, const struct graph *graph,
                                   const char *name, const char *text, size_t length)
{
    struct reading r = {.expr = expr_reader_open(session, name, text, length)};
    r.ir = &r.expr.ir;
    r.circuit = ARENA_NEW(session->ir, struct circuit);
    r.circuit->graph = graph;
    ir_expect(r.ir, "circuit");
    const struct ir_token token = r.ir->token;
    if (ir_expect_kind(r.ir, IR_NAME).name != graph->name)
        ir_fail_at(r.ir, token, "the graph of this circuit is '%s'", graph->name->text);
    expr_read_variables(&r.expr);
    while (ir_accept(r.ir, "table"))
        read_table(&r);
    while (ir_accept(r.ir, "process"))
        read_process(&r);
    read_times(&r);
    ir_expect_kind(r.ir, IR_END);
    return r.ir->failed ? NULL : r.circuit;
}
