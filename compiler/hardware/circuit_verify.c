#include "hardware/circuit_verify.h"

struct check {
    struct arena *arena;
    const struct circuit *circuit;
    const struct process *process;
    const char *problem;
};

#define FAIL(c, ...)                                                                               \
    do {                                                                                           \
        if (!(c)->problem)                                                                         \
            (c)->problem = arena_format((c)->arena, __VA_ARGS__);                                  \
    } while (0)

static const struct process *giver(const struct check *c, unsigned edge)
{
    return &c->circuit->processes.item[c->process->edge[edge].from];
}

static bool same_interval(struct interval a, struct interval b)
{
    return a.least == b.least && a.greatest == b.greatest;
}

static void check_edges(struct check *c)
{
    const struct process *p = c->process;
    const bool joins = process_computes(p);
    const unsigned wanted = p->kind == PROCESS_SOURCE ? 0 : 1;
    if (joins ? p->edge_count < 1 || p->edge_count > PIPE_STATE : p->edge_count != wanted)
        FAIL(c, "%s '%s' has %u edges", process_text[p->kind], p->name->text, p->edge_count);
    for (unsigned e = 0; e < p->edge_count; e++) {
        if (p->edge[e].from >= p->id)
            FAIL(c, "'%s' takes what process %u gives, which is not before it", p->name->text,
                 p->edge[e].from);
        else if (giver(c, e)->kind == PROCESS_SINK)
            FAIL(c, "'%s' takes what a sink gives", p->name->text);
        if (p->edge[e].kind == EDGE_FIFO && p->edge[e].depth < 2)
            FAIL(c, "'%s' has a FIFO of %u tokens", p->name->text, p->edge[e].depth);
    }
}

static void check_stream(struct check *c)
{
    const struct stream *s = &c->process->out;
    if (!s->lines || !s->tokens || !s->taps || !s->lanes ||
        s->interval.least > s->interval.greatest)
        FAIL(c, "the stream of '%s' has no tokens or elements", c->process->name->text);
}

/* ---- Tables ---- */

/* A written one is an image of the filter, with as many samples, where the graph is known. */
static void check_table(struct check *c, const struct circuit_table *table)
{
    const struct graph *graph = c->circuit->graph;
    size_t samples = 0;
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->kind != STAGE_INPUT || stage->as.input.position != table->position)
            continue;
        samples = 1;
        for (unsigned k = 0; k < stage->rank; k++)
            samples *= (size_t)stage->axis[k].extent->as.integer;
    }
    if (graph->stages.count && table_is_written(table) && samples != table->count)
        FAIL(c, "table '%s' has %zu samples, its image %zu", table->name->text, table->count,
             samples);
}

/* ---- Pipes ---- */

/* What is stored has the bits of the stream's interval, so a load of it must not need more. */
static void check_own_result(struct check *c, const struct expr *load)
{
    const struct process *p = c->process;
    const char *name = p->name->text;
    const bool counts = p->kind == PROCESS_COUNT;
    const int64_t kept =
        counts ? 1
               : (p->kind == PROCESS_SCAN ? p->as.pipe.state.taps * stream_elements(&p->out) : 0);
    if (load->operand[0]->kind != EXPR_INTEGER || load->operand[0]->as.integer >= kept)
        FAIL(c,
             counts ? "count '%s' reads another number than the one at hand"
                    : "'%s' reads results of its own that it does not keep",
             name);
    else if (counts ? !same_interval(load->interval, p->out.interval)
                    : !interval_inside(load->interval, p->out.interval))
        FAIL(c, "'%s' reads results of its own in a wider interval than its stream's", name);
}

static void check_leaf(const struct expr *node, void *user)
{
    struct check *c = user;
    const char *name = c->process->name->text;
    if (scalar_is_float(node->scalar) || node->kind == EXPR_REDUCE || node->kind == EXPR_EXTERNAL)
        FAIL(c, "pipe '%s' has the operation %s of %s", name, expr_info[node->kind].text,
             scalar_info[node->scalar].text);
    if (node->kind != EXPR_LOAD)
        return;
    if (node->count != 1 || node->as.load.border)
        FAIL(c, "pipe '%s' has a load with a border or several indices", name);
    else if (node->as.load.source >= PIPE_TABLES) {
        const uint32_t table = node->as.load.source - PIPE_TABLES;
        if (table >= c->circuit->tables.count)
            FAIL(c, "pipe '%s' reads table %u, which is not there", name, table);
        else if (!same_interval(c->circuit->tables.item[table].interval, node->interval))
            FAIL(c, "pipe '%s' reads table '%s' in another interval than its own", name,
                 c->circuit->tables.item[table].name->text);
    } else if (expr_is_state(node))
        check_own_result(c, node);
    else if (node->as.load.source >= c->process->edge_count)
        FAIL(c, "pipe '%s' reads edge %u, which is not there", name, node->as.load.source);
    else if (node->operand[0]->kind != EXPR_INTEGER ||
             node->operand[0]->as.integer >= stream_elements(&giver(c, node->as.load.source)->out))
        FAIL(c, "pipe '%s' reads an element that '%s' has not", name,
             giver(c, node->as.load.source)->name->text);
    else if (!same_interval(giver(c, node->as.load.source)->out.interval, node->interval))
        FAIL(c, "pipe '%s' reads '%s' in another interval than its own", name,
             giver(c, node->as.load.source)->name->text);
}

static void check_pipe(struct check *c)
{
    const struct process *p = c->process;
    struct expr_walk walk = {.scratch = c->arena};
    if (p->as.pipe.count != stream_elements(&p->out))
        FAIL(c, "pipe '%s' has %zu values for %u elements", p->name->text, p->as.pipe.count,
             stream_elements(&p->out));
    for (unsigned e = 0; e < p->edge_count; e++)
        if (giver(c, e)->out.lines != p->out.lines || giver(c, e)->out.tokens != p->out.tokens)
            FAIL(c, "pipe '%s' takes streams of other extents", p->name->text);
    for (size_t i = 0; i < p->as.pipe.count && !c->problem; i++) {
        const struct expr *value = p->as.pipe.value[i];
        expr_visit(&walk, value, check_leaf, c);
        if (value->scalar != SCALAR_BOOL && !interval_inside(value->interval, p->out.interval))
            FAIL(c, "the stream of '%s' does not hold its values", p->name->text);
    }
}

/* ---- Windows ---- */

static void check_window(struct check *c)
{
    const struct process *p = c->process;
    const struct stream *in = &giver(c, 0)->out;
    const bool by_lines = p->as.window.axis == RASTER_LINES;
    const uint32_t n = by_lines ? in->lines : in->tokens;
    const uint32_t own = by_lines ? p->out.lines : p->out.tokens;
    const uint32_t after = p->as.window.taps - 1 - p->as.window.before;
    const unsigned stride = p->as.window.stride, pixels = p->as.window.pixels;
    if (!pixels || (pixels > 1 && (by_lines || stride > 1 || own < n)))
        FAIL(c, "window '%s' has %u samples a token", p->name->text, pixels);
    if (p->as.window.before >= p->as.window.taps || !stride || (stride & (stride - 1)))
        FAIL(c, "window '%s' has %u taps, %u before, at a stride of %u", p->name->text,
             p->as.window.taps, p->as.window.before, stride);
    if ((uint64_t)n * pixels <= p->as.window.before || (uint64_t)n * pixels <= after ||
        (uint64_t)(own - 1) * stride >= n)
        FAIL(c, "window '%s' is larger than what it reads", p->name->text);
    if (p->out.taps != p->as.window.taps || p->out.lanes != stream_elements(in) ||
        !interval_inside(in->interval, p->out.interval) ||
        (by_lines ? p->out.tokens != in->tokens : p->out.lines != in->lines))
        FAIL(c, "the stream of '%s' is not that of its window", p->name->text);
}

static void check_twice(struct check *c)
{
    const struct process *p = c->process;
    const struct stream *in = &giver(c, 0)->out;
    const bool by_lines = p->as.twice.axis == RASTER_LINES;
    const uint32_t n = by_lines ? in->lines : in->tokens;
    const uint32_t own = by_lines ? p->out.lines : p->out.tokens;
    if (own > 2 * n || own + 1 < 2 * n || p->out.taps != 2 || p->out.lanes != stream_elements(in) ||
        !same_interval(in->interval, p->out.interval) ||
        (by_lines ? p->out.tokens != in->tokens : p->out.lines != in->lines))
        FAIL(c, "the stream of '%s' is not twice what it reads", p->name->text);
}

static void check_count(struct check *c)
{
    const struct process *p = c->process;
    const struct stream *in = &giver(c, 0)->out;
    struct expr_walk walk = {.scratch = c->arena};
    if (stream_elements(in) < 2 || p->out.lines != 1 || p->out.tokens != p->as.count.bins ||
        stream_elements(&p->out) != 1 || (uint64_t)in->lines * in->tokens < p->as.count.bins)
        FAIL(c, "the streams of count '%s' are not those of its numbers", p->name->text);
    expr_visit(&walk, p->as.count.step, check_leaf, c);
    if (p->as.count.step->scalar != SCALAR_BOOL &&
        !interval_inside(p->as.count.step->interval, p->out.interval))
        FAIL(c, "the numbers of count '%s' leave their interval", p->name->text);
}

static void check_sink(struct check *c)
{
    const struct stream *in = &giver(c, 0)->out, *own = &c->process->out;
    if (in->lines != own->lines || in->tokens != own->tokens ||
        stream_elements(in) != stream_elements(own) || !same_interval(in->interval, own->interval))
        FAIL(c, "sink '%s' is of another stream than it takes", c->process->name->text);
}

static void check_process(struct check *c)
{
    check_edges(c);
    check_stream(c);
    if (c->problem)
        return;
    switch (c->process->kind) {
    case PROCESS_SOURCE:
        return;
    case PROCESS_SINK:
        check_sink(c);
        return;
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        check_pipe(c);
        return;
    case PROCESS_COUNT:
        check_count(c);
        return;
    case PROCESS_WINDOW:
        check_window(c);
        return;
    case PROCESS_TWICE:
        check_twice(c);
        return;
    case PROCESS_KIND_COUNT:
        FAIL(c, "process '%s' is of no kind", c->process->name->text);
    }
}

static void check_name(struct check *c)
{
    for (size_t k = 0; k < c->process->id; k++)
        if (c->circuit->processes.item[k].name == c->process->name)
            FAIL(c, "two processes are called '%s'", c->process->name->text);
}

static void check_readers(struct check *c)
{
    const unsigned *readers = circuit_readers(c->arena, c->circuit);
    for (size_t i = 0; i < c->circuit->processes.count; i++) {
        const struct process *p = &c->circuit->processes.item[i];
        if (p->kind != PROCESS_SINK && p->kind != PROCESS_SOURCE && !readers[i])
            FAIL(c, "nothing takes what '%s' gives", p->name->text);
    }
}

const char *circuit_verify(const struct circuit *circuit, struct arena *arena)
{
    struct check c = {.arena = arena, .circuit = circuit};
    for (size_t i = 0; i < circuit->tables.count; i++)
        check_table(&c, &circuit->tables.item[i]);
    for (size_t i = 0; i < circuit->processes.count && !c.problem; i++) {
        c.process = &circuit->processes.item[i];
        check_process(&c);
        check_name(&c);
    }
    if (!c.problem)
        check_readers(&c);
    return c.problem;
}
