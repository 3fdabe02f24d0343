/* separate_windows: circuit → circuit. For sums over a two-dimensional window whose weights are a
 * column times a row, sums the columns before the samples along the line are stored. This needs
 * fewer adders and fewer registers.
 *   before: in.column (3 taps) → window (3 x 3 taps) → out = a[0] + 2 a[1] + a[2] + 2 a[3] + 4 a[4] + …
 *   after:  in.column (3 taps) → pipe out.column, s = a[0] + 2 a[1] + a[2] → window (3 taps) →
 *           out = s[0] + 2 s[1] + s[2]
 * Several sums may share columns: the horizontal and vertical slopes of Sobel have two. */
#include "circuit_pass.h"
#include "hardware/intervals.h"
#include "hardware/linear_taps.h"
#include "hardware/values.h"

enum { MOST_COLUMNS = 8 };

struct separating {
    struct pass_context *context;
    const struct circuit *in;
    const struct process *pipe, *window, *lines; /* window takes lines, and the pipe window */
    unsigned edge;                               /* of the pipe, that brings the window */
    struct tap_sums sums;
    unsigned columns;                    /* distinct ones */
    const int64_t *column[MOST_COLUMNS]; /* weights of the elements of a token of lines */
    unsigned *of;                        /* by sum: its column */
    const int64_t **row;                 /* by sum: the weights of the columns along the line */
};

/* ---- What can be separated ---- */

static int64_t divisor_of(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* The weights as a column times a row, the column's weights without a common divisor and the first
 * one positive. False: they are no such product. */
static bool factors(struct arena *arena, const int64_t weight[], unsigned places, unsigned elements,
                    const int64_t **column, const int64_t **row)
{
    int64_t *u = ARENA_ARRAY(arena, int64_t, elements + 1),
            *v = ARENA_ARRAY(arena, int64_t, places + 1);
    unsigned place = 0;
    int64_t divisor = 0, first = 0;
    for (unsigned i = 0; i < places * elements && !first; i++) {
        first = weight[i];
        place = i / elements;
    }
    for (unsigned q = 0; q < elements; q++)
        divisor = divisor_of(divisor, weight[place * elements + q]);
    for (unsigned q = 0; q < elements && divisor; q++)
        u[q] = weight[place * elements + q] / (first < 0 ? -divisor : divisor);
    for (unsigned j = 0; j < places && divisor; j++)
        for (unsigned q = 0; q < elements; q++)
            if (u[q])
                v[j] = weight[j * elements + q] / u[q];
    for (unsigned i = 0; i < places * elements; i++)
        if (!divisor || v[i / elements] * u[i % elements] != weight[i])
            return false;
    *column = u;
    *row = v;
    return true;
}

static unsigned nonzero(const int64_t weight[], unsigned count)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++)
        found += weight[i] != 0;
    return found;
}

/* The column among those that there are; made at need. MOST_COLUMNS: there are too many. */
static unsigned column_place(struct separating *s, const int64_t column[], unsigned elements)
{
    for (unsigned i = 0; i < s->columns; i++)
        if (memcmp(s->column[i], column, elements * sizeof *column) == 0)
            return i;
    if (s->columns == MOST_COLUMNS)
        return MOST_COLUMNS;
    s->column[s->columns] = column;
    return s->columns++;
}

/* Fewer adders, and registers of a line that are no wider. */
static bool pays(const struct separating *s, unsigned places, unsigned elements)
{
    unsigned together = 0, apart = 0, bits = 0;
    for (size_t i = 0; i < s->sums.count; i++) {
        together += nonzero(s->sums.item[i].weight, places * elements) - 1;
        apart += nonzero(s->row[i], places) - 1;
    }
    for (unsigned c = 0; c < s->columns; c++) {
        apart += nonzero(s->column[c], elements) - 1;
        bits += interval_bits(tap_sum_interval(s->column[c], elements, s->lines->out.interval));
    }
    return apart < together && bits <= elements * interval_bits(s->lines->out.interval) + elements;
}

/* All that the pipe takes of the window is such sums. */
static bool can_separate(struct separating *s)
{
    struct arena *scratch = s->context->scratch;
    const unsigned elements = stream_elements(&s->lines->out), places = s->window->as.window.taps;
    s->sums = tap_sums(scratch, s->pipe, s->edge, places * elements);
    s->of = ARENA_ARRAY(scratch, unsigned, s->sums.count + 1);
    s->row = ARENA_ARRAY(scratch, const int64_t *, s->sums.count + 1);
    s->columns = 0;
    bool good = s->sums.count > 0 && s->window->as.window.rule != BORDER_CONSTANT;
    for (size_t i = 0; i < s->sums.count && good; i++) {
        const int64_t *column = NULL;
        good = factors(scratch, s->sums.item[i].weight, places, elements, &column, &s->row[i]);
        s->of[i] = good ? column_place(s, column, elements) : 0;
        good = good && s->of[i] < MOST_COLUMNS;
    }
    return good && pays(s, places, elements);
}

/* The window of both directions that the pipe takes alone; false: there is none. */
static bool find_window(struct separating *s, const unsigned *readers)
{
    for (s->edge = 0; s->edge < s->pipe->edge_count; s->edge++) {
        s->window = &s->in->processes.item[s->pipe->edge[s->edge].from];
        if (s->window->kind != PROCESS_WINDOW || s->window->as.window.axis != RASTER_TOKENS ||
            readers[s->window->id] != 1)
            continue;
        s->lines = &s->in->processes.item[s->window->edge[0].from];
        if (stream_elements(&s->lines->out) > 1 && can_separate(s))
            return true;
    }
    return false;
}

/* ---- The columns, the window of sums, and the pipe ---- */

static const struct expr *weighted(struct separating *s, unsigned edge, const int64_t weight[],
                                   unsigned count, unsigned step, unsigned offset,
                                   struct interval element)
{
    struct expr_pool *pool = s->context->pool;
    const struct expr **term = ARENA_ARRAY(s->context->scratch, const struct expr *, count + 1);
    size_t terms = 0;
    for (unsigned k = 0; k < count; k++) {
        const struct expr *e = circuit_element(pool, edge, k * step + offset, element);
        if (weight[k])
            term[terms++] = expr_binary(pool, EXPR_MULTIPLY, e, expr_integer(pool, weight[k]));
    }
    struct refusal none = {0};
    struct values v = {s->context->output, s->context->scratch, pool, &none, NULL};
    return value_total(&v, terms, term);
}

static uint32_t add_columns(struct separating *s, struct circuit *out, uint32_t lines)
{
    struct arena *arena = s->context->output;
    const unsigned elements = stream_elements(&s->lines->out);
    const struct expr **value = ARENA_ARRAY(arena, const struct expr *, s->columns + 1);
    const struct edge edge = {.from = lines};
    struct process p = {
        .kind = PROCESS_PIPE,
        .name = symbol_format(&s->context->session->symbols, "%s.columns", s->pipe->name->text),
        .span = s->pipe->span,
        .edge_count = 1,
        .edge = arena_copy(arena, &edge, sizeof edge),
        .out = s->lines->out};
    p.out.taps = 1;
    p.out.lanes = s->columns;
    p.out.interval = (struct interval){INT64_MAX, INT64_MIN};
    for (unsigned c = 0; c < s->columns; c++) {
        value[c] = weighted(s, 0, s->column[c], elements, 1, 0, s->lines->out.interval);
        p.out.interval = interval_hull(p.out.interval, value[c]->interval);
    }
    p.as.pipe.value = value;
    p.as.pipe.count = s->columns;
    return circuit_add(arena, out, p);
}

/* Samples outside are 0, and so are sums of them. */
static uint32_t add_window(struct separating *s, struct circuit *out, uint32_t columns)
{
    struct arena *arena = s->context->output;
    const struct edge edge = {.from = columns};
    struct process p = *s->window;
    p.edge = arena_copy(arena, &edge, sizeof edge);
    p.out.lanes = s->columns;
    p.out.interval = out->processes.item[columns].out.interval;
    if (p.as.window.rule == BORDER_ZERO)
        p.out.interval = interval_hull(p.out.interval, (struct interval){0, 0});
    return circuit_add(arena, out, p);
}

static struct process with_sums(struct separating *s, const struct circuit *out, uint32_t window)
{
    struct arena *arena = s->context->output;
    struct process pipe = *s->pipe;
    struct edge *edge = arena_copy(arena, pipe.edge, pipe.edge_count * sizeof *edge);
    const struct expr **value = ARENA_ARRAY(arena, const struct expr *, pipe.as.pipe.count + 1);
    struct expr_substitution *by =
        ARENA_ARRAY(s->context->scratch, struct expr_substitution, s->sums.count + 1);
    const struct interval element = out->processes.item[window].out.interval;
    struct refusal none = {0};
    struct values v = {arena, s->context->scratch, s->context->pool, &none, NULL};
    for (size_t i = 0; i < s->sums.count; i++) {
        const struct expr *sum = weighted(s, s->edge, s->row[i], s->window->as.window.taps,
                                          s->columns, s->of[i], element);
        by[i].node = s->sums.item[i].node;
        by[i].by = expr_binary(s->context->pool, EXPR_ADD, sum,
                               expr_integer(s->context->pool, s->sums.item[i].constant));
    }
    pipe.out.interval = (struct interval){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < pipe.as.pipe.count; i++) {
        value[i] = value_substituted(&v, pipe.as.pipe.value[i], s->sums.count, by);
        pipe.out.interval = interval_hull(pipe.out.interval, value[i]->scalar == SCALAR_BOOL
                                                                 ? (struct interval){0, 1}
                                                                 : value[i]->interval);
    }
    pipe.as.pipe.value = value;
    edge[s->edge].from = window;
    pipe.edge = edge;
    return pipe;
}

/* Other edges get their new numbers; that of the window has it. */
static uint32_t add_pipe(struct separating *s, struct circuit *out, const uint32_t new_id[])
{
    const uint32_t lines = new_id[s->lines->id];
    const uint32_t window = add_window(s, out, add_columns(s, out, lines));
    struct process pipe = with_sums(s, out, window);
    struct edge *edge = arena_copy(s->context->output, pipe.edge, pipe.edge_count * sizeof *edge);
    for (unsigned e = 0; e < pipe.edge_count; e++)
        edge[e].from = e == s->edge ? window : new_id[edge[e].from];
    pipe.edge = edge;
    return circuit_add(s->context->output, out, pipe);
}

const struct circuit *separate_windows(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy_without_processes(context->output, in);
    const unsigned *readers = circuit_readers(context->scratch, in);
    uint32_t *new_id = ARENA_ARRAY(context->scratch, uint32_t, in->processes.count + 1);
    for (size_t i = 0; i < in->processes.count; i++) {
        const struct process *p = &in->processes.item[i];
        struct separating s = {.context = context, .in = in, .pipe = p};
        new_id[i] = p->kind == PROCESS_PIPE && find_window(&s, readers)
                        ? add_pipe(&s, out, new_id)
                        : circuit_add_renumbered(context->output, out, *p, new_id);
    }
    return circuit_settled(context->output, context->scratch, context->pool,
                           circuit_of_needed(context->output, out));
}
