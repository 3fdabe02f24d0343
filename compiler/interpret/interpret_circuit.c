/* Circuits, without clocks: each process computes the tokens of a whole frame from those of the
 * processes before it, as CIRCUIT.md says what it gives. Every element must lie in the interval of
 * its stream, and no pipe may take a sample that is outside under no border rule. */
#include "hardware/circuit.h"
#include "interpret/interpret.h"

#include <inttypes.h>
#include <stdlib.h>

/* What stands for a sample that is outside where there is no border rule. */
#define UNKNOWN INT64_MIN

/* The elements of a frame, token by token. */
struct frame {
    struct value *element;
};

struct running {
    const struct circuit *circuit;
    struct interpretation *run;
    struct arena *arena;
    struct evaluator evaluator;
    struct frame *frame; /* by process */
    const struct process *process;
    size_t token;        /* that the pipe at hand computes */
    struct value number; /* that the count at hand changes */
};

static const struct stream *stream_of(const struct running *r, uint32_t process)
{
    return &r->circuit->processes.item[process].out;
}

static size_t frame_tokens(const struct stream *stream)
{
    return (size_t)stream->lines * stream->tokens;
}

static bool fail(struct running *r, const char *what, int64_t value)
{
    if (!r->run->problem)
        r->run->problem =
            arena_format(r->arena, "%s '%s' %s %" PRId64, process_text[r->process->kind],
                         r->process->name->text, what, value);
    return false;
}

/* The token at a line and a place of what an edge brings. */
static const struct value *token_at(const struct running *r, const struct edge *edge, int64_t line,
                                    int64_t place)
{
    const struct stream *stream = stream_of(r, edge->from);
    return r->frame[edge->from].element +
           ((size_t)line * stream->tokens + (size_t)place) * stream_elements(stream);
}

/* ---- Images ---- */

/* The number of a sample in its image. */
static int64_t sample_at(const struct process *port, uint32_t line, uint32_t place, unsigned lane)
{
    return line * port->as.source.stride[RASTER_LINES] +
           place * port->as.source.stride[RASTER_TOKENS] + port->as.source.lane[lane];
}

/* Memory may hold more than the type of an input, whose bits alone a port carries. */
static struct value held_sample(const struct running *r, const struct samples *image, int64_t at,
                                struct interval within)
{
    struct value value =
        value_read(image->data + at * scalar_info[image->scalar].bytes, image->scalar);
    value.term = image->term ? image->term[at] : NULL;
    const struct value held = {.integer = value.integer < within.least      ? within.least
                                          : value.integer > within.greatest ? within.greatest
                                                                            : value.integer};
    return value.term ? terms_clamp(r->run->terms, image->scalar, value, within, held) : held;
}

static bool run_source(struct running *r, struct value *next)
{
    const struct process *p = r->process;
    const struct samples *image = &r->run->inputs[p->as.source.position];
    for (uint32_t y = 0; y < p->out.lines; y++)
        for (uint32_t x = 0; x < p->out.tokens; x++)
            for (unsigned k = 0; k < stream_elements(&p->out); k++)
                *next++ = held_sample(r, image, sample_at(p, y, x, k), p->out.interval);
    return true;
}

/* The result as large as the stage that it is of. */
static bool allocate_result(struct running *r, struct samples *result)
{
    const struct graph *graph = r->circuit->graph;
    const struct stage *stage =
        graph_stage(graph, graph->outputs.item[r->process->as.source.position].stage);
    *result = (struct samples){.scalar = stage->element, .rank = stage->rank};
    for (unsigned k = 0; k < stage->rank; k++) {
        result->first[k] = stage->axis[k].first->as.integer;
        result->extent[k] = stage->axis[k].extent->as.integer;
    }
    const size_t samples = frame_tokens(&r->process->out) * stream_elements(&r->process->out);
    if (samples_count(result) != samples)
        return fail(r, "is of another extent than its result; samples:", (int64_t)samples);
    return samples_allocate_with(result, r->run->terms) ||
           fail(r, "finds no memory; samples:", (int64_t)samples);
}

static bool run_sink(struct running *r)
{
    const struct process *p = r->process;
    struct samples *result = &r->run->outputs[p->as.source.position];
    if (!allocate_result(r, result))
        return false;
    for (uint32_t y = 0; y < p->out.lines; y++)
        for (uint32_t x = 0; x < p->out.tokens; x++)
            for (unsigned k = 0; k < stream_elements(&p->out); k++) {
                const int64_t at = sample_at(p, y, x, k);
                const struct value value = token_at(r, &p->edge[0], y, x)[k];
                value_write(result->data + at * scalar_info[result->scalar].bytes, result->scalar,
                            value);
                if (result->term)
                    result->term[at] = value.term;
            }
    return true;
}

/* ---- Pipes ---- */

/* Of a scan: a result of its own some steps before, which must lie in the interval of the load; 0
 * where there is none. */
static struct value own_result(struct running *r, const struct expr *node, size_t element)
{
    const struct process *p = r->process;
    const size_t elements = stream_elements(&p->out), steps = element / elements + 1;
    const bool by_lines = p->as.pipe.state.axis == RASTER_LINES;
    const size_t back = by_lines ? steps * p->out.tokens : steps;
    const bool is_there = by_lines ? back <= r->token : steps <= r->token % p->out.tokens;
    if (!is_there)
        return (struct value){.integer = 0};
    const struct value result =
        r->frame[p->id].element[(r->token - back) * elements + element % elements];
    if (result.integer < node->interval.least || result.integer > node->interval.greatest)
        fail(r, "reads a result of its own that leaves its interval:", result.integer);
    return result;
}

static struct value table_sample(struct running *r, const struct circuit_table *table,
                                 int64_t index)
{
    struct value value = {.integer = 0};
    if (index < 0 || (uint64_t)index >= table->count) {
        r->evaluator.outside = true;
        if (!r->evaluator.unused)
            fail(r, "reads a table outside, at", index);
        return value;
    }
    if (table_is_written(table))
        return held_sample(r, &r->run->inputs[table->position], index, table->interval);
    value.integer = table->value[index];
    return value;
}

static struct value load(const struct expr *node, const int64_t index[], void *context)
{
    struct running *r = context;
    const uint32_t source = node->as.load.source;
    if (expr_is_sample(node))
        return table_sample(r, &r->circuit->tables.item[source - PIPE_TABLES], index[0]);
    if (expr_is_state(node))
        return r->process->kind == PROCESS_COUNT ? r->number
                                                 : own_result(r, node, (size_t)index[0]);
    const uint32_t from = r->process->edge[source].from;
    const unsigned elements = stream_elements(stream_of(r, from));
    const struct value value = r->frame[from].element[r->token * elements + (size_t)index[0]];
    if (value.integer == UNKNOWN)
        fail(r, "takes a place outside, without a border rule: element", index[0]);
    return value;
}

struct positions {
    const struct expr *of[RASTER_COUNT];
};

static void find_position(const struct expr *node, void *context)
{
    struct positions *positions = context;
    for (unsigned axis = 0; axis < RASTER_COUNT; axis++)
        if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_INDEX &&
            strcmp(node->as.variable.name->text, raster_variable[axis]) == 0)
            positions->of[axis] = node;
}

static bool run_pipe(struct running *r, struct value *next)
{
    const struct process *p = r->process;
    struct tape **tape = ARENA_ARRAY(r->arena, struct tape *, p->as.pipe.count + 1);
    struct expr_walk walk = {.scratch = r->arena};
    struct positions position = {{NULL}};
    for (size_t i = 0; i < p->as.pipe.count; i++) {
        tape[i] = tape_compile(&r->evaluator, p->as.pipe.value[i]);
        expr_visit(&walk, p->as.pipe.value[i], find_position, &position);
    }
    for (r->token = 0; r->token < frame_tokens(&p->out) && !r->run->problem; r->token++) {
        const int64_t at[RASTER_COUNT] = {(int64_t)(r->token / p->out.tokens),
                                          (int64_t)(r->token % p->out.tokens)};
        for (unsigned axis = 0; axis < RASTER_COUNT; axis++)
            if (position.of[axis])
                evaluator_set(&r->evaluator, position.of[axis],
                              (struct value){.integer = at[axis]});
        for (size_t i = 0; i < p->as.pipe.count; i++)
            *next++ = tape_run(&r->evaluator, tape[i]);
    }
    return !r->run->problem;
}

/* ---- Counts ---- */

static bool run_count(struct running *r, struct value *numbers)
{
    const struct process *p = r->process;
    const struct stream *in = stream_of(r, p->edge[0].from);
    struct tape *tape = tape_compile(&r->evaluator, p->as.count.step);
    for (unsigned b = 0; b < p->as.count.bins; b++)
        numbers[b] = (struct value){.integer = p->as.count.start};
    for (r->token = 0; r->token < frame_tokens(in) && !r->run->problem; r->token++) {
        const struct value *token =
            r->frame[p->edge[0].from].element + r->token * stream_elements(in);
        const int64_t number = evaluator_choose(&r->evaluator, token[0]);
        if (!evaluator_choose(&r->evaluator, token[1]))
            continue;
        if (number < 0 || number >= p->as.count.bins)
            return fail(r, "counts into a number that is not there:", number);
        r->number = numbers[number];
        numbers[number] = tape_run(&r->evaluator, tape);
    }
    return !r->run->problem;
}

/* ---- Windows, and samples twice ---- */

/* The elements at a place along the axis. */
static const struct value *along_axis(const struct running *r, enum raster axis, uint32_t y,
                                      uint32_t x, int64_t place)
{
    return axis == RASTER_LINES ? token_at(r, &r->process->edge[0], place, x)
                                : token_at(r, &r->process->edge[0], y, place);
}

/* One tap of one sample of a token: all its lanes. Returns what is behind them. */
static struct value *window_sample(const struct running *r, uint32_t y, uint32_t x, unsigned tap,
                                   unsigned pixel, struct value *next)
{
    const struct process *p = r->process;
    const enum raster axis = p->as.window.axis;
    const unsigned pixels = p->as.window.pixels;
    const struct stream *in = stream_of(r, p->edge[0].from);
    const int64_t n = (axis == RASTER_LINES ? in->lines : in->tokens) * (int64_t)pixels;
    const int64_t place = (axis == RASTER_LINES ? y : x) * (int64_t)pixels + pixel;
    const int64_t wanted = place * p->as.window.stride - p->as.window.before + (int64_t)tap;
    const bool inside = wanted >= 0 && wanted < n;
    bool outside = !inside;
    int64_t read = wanted;
    if (!inside && p->as.window.rule != BORDER_NONE)
        read = border_coordinate(p->as.window.rule, wanted, 0, n, &outside);
    const struct value none = {.integer = p->as.window.rule == BORDER_NONE ? UNKNOWN
                                                                           : p->as.window.outside};
    const struct value *token = outside ? NULL : along_axis(r, axis, y, x, read / pixels);
    for (unsigned part = 0; part < in->taps; part++)
        for (unsigned lane = 0; lane < in->lanes / pixels; lane++)
            *next++ =
                token ? token[(part * pixels + read % pixels) * (in->lanes / pixels) + lane] : none;
    return next;
}

static bool run_window(struct running *r, struct value *next)
{
    const struct process *p = r->process;
    for (uint32_t y = 0; y < p->out.lines; y++)
        for (uint32_t x = 0; x < p->out.tokens; x++)
            for (unsigned tap = 0; tap < p->as.window.taps; tap++)
                for (unsigned pixel = 0; pixel < p->as.window.pixels; pixel++)
                    next = window_sample(r, y, x, tap, pixel, next);
    return true;
}

static bool run_twice(struct running *r, struct value *next)
{
    const struct process *p = r->process;
    const enum raster axis = p->as.twice.axis;
    const struct stream *in = stream_of(r, p->edge[0].from);
    const int64_t last = (axis == RASTER_LINES ? in->lines : in->tokens) - 1;
    for (uint32_t y = 0; y < p->out.lines; y++)
        for (uint32_t x = 0; x < p->out.tokens; x++)
            for (int64_t tap = 0; tap < 2; tap++) {
                const int64_t read = ((axis == RASTER_LINES ? y : x) + tap) / 2;
                const struct value *token = along_axis(r, axis, y, x, read > last ? last : read);
                for (unsigned lane = 0; lane < p->out.lanes; lane++)
                    *next++ = token[lane];
            }
    return true;
}

/* ---- */

static bool run_process(struct running *r, struct value *next)
{
    switch (r->process->kind) {
    case PROCESS_SOURCE:
        return run_source(r, next);
    case PROCESS_SINK:
        return run_sink(r);
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        return run_pipe(r, next);
    case PROCESS_COUNT:
        return run_count(r, next);
    case PROCESS_WINDOW:
        return run_window(r, next);
    case PROCESS_TWICE:
        return run_twice(r, next);
    case PROCESS_KIND_COUNT:
        break;
    }
    return false;
}

static bool elements_are_inside(struct running *r, const struct value element[], size_t count)
{
    const struct interval interval = r->process->out.interval;
    for (size_t i = 0; i < count; i++) {
        const int64_t number = element[i].integer;
        if (number != UNKNOWN && (number < interval.least || number > interval.greatest))
            return fail(r, "leaves the interval of its stream:", number);
    }
    return true;
}

static bool run_all(struct running *r)
{
    for (size_t i = 0; i < r->circuit->processes.count; i++) {
        r->process = &r->circuit->processes.item[i];
        const size_t count =
            r->process->kind == PROCESS_SINK
                ? 0
                : frame_tokens(&r->process->out) * stream_elements(&r->process->out);
        r->frame[i].element = malloc((count + 1) * sizeof(struct value));
        if (!r->frame[i].element)
            return fail(r, "finds no memory; elements:", (int64_t)count);
        if (!run_process(r, r->frame[i].element) ||
            !elements_are_inside(r, r->frame[i].element, count))
            return false;
    }
    return true;
}

bool interpret_circuit(const struct circuit *circuit, struct interpretation *run)
{
    struct arena *arena = arena_sibling(run->session->permanent);
    const struct graph *graph = circuit->graph;
    struct running r = {.circuit = circuit,
                        .run = run,
                        .arena = arena,
                        .evaluator = {.arena = arena, .load = load, .terms = run->terms},
                        .frame = ARENA_ARRAY(arena, struct frame, circuit->processes.count + 1)};
    r.evaluator.context = &r;
    const struct entry entry = {graph->parameters.item, graph->parameters.count, graph->checks.item,
                                graph->checks.count};
    run->problem = NULL;
    const bool good = interpret_parameters(&r.evaluator, &entry, run) &&
                      interpret_checks(&r.evaluator, &entry, run) && run_all(&r);
    for (size_t i = 0; i < circuit->processes.count; i++)
        free(r.frame[i].element);
    interpretation_keep_problem(run);
    arena_destroy(arena);
    return good;
}
