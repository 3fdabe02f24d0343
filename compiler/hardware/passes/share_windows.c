/* share_windows: circuit → circuit. Merges vertical windows of one stream with different heights
 * into one, which stores the lines for all of them; pipes select the taps that each needs.
 *   before: in.column (3 taps)  in.column_2 (5 taps)             6 lines in memory
 *   after:  in.column (5 taps), pipe in.column.part of 3 of them  4 lines in memory
 * The smaller windows then give their results later, so another stream may need a FIFO to wait for
 * them. If that costs more, the schedule can say `share 0;`. */
#include "circuit_pass.h"

struct sharing {
    struct pass_context *context;
    const struct circuit *in;
    const uint32_t *leader; /* by process: of windows the first that they are shared with */
    struct circuit *out;
    uint32_t *new_id; /* by process of `in`; */
    uint32_t *window; /* by leader: the window of all */
    bool shares;      /* some do */
};

static bool is_of_lines(const struct process *p)
{
    return p->kind == PROCESS_WINDOW && p->as.window.axis == RASTER_LINES;
}

/* Whether one window can be both, but for how far they reach. */
static bool agree(const struct process *a, const struct process *b)
{
    return a->edge[0].from == b->edge[0].from && a->out.lines == b->out.lines &&
           a->out.tokens == b->out.tokens && a->as.window.stride == b->as.window.stride &&
           a->as.window.rule == b->as.window.rule && a->as.window.outside == b->as.window.outside;
}

static unsigned taps_after(const struct process *window)
{
    return window->as.window.taps - 1 - window->as.window.before;
}

/* The window of all members. */
static struct process union_of(const struct sharing *s, uint32_t leader)
{
    struct process all = s->in->processes.item[leader];
    unsigned after = taps_after(&all);
    for (size_t i = leader + 1; i < s->in->processes.count; i++) {
        const struct process *p = &s->in->processes.item[i];
        if (s->leader[i] != leader)
            continue;
        after = taps_after(p) > after ? taps_after(p) : after;
        all.as.window.before =
            p->as.window.before > all.as.window.before ? p->as.window.before : all.as.window.before;
    }
    all.as.window.taps = all.out.taps = all.as.window.before + 1 + after;
    return all;
}

/* Fewer lines than the members keep in all. */
static bool saves_lines(const struct sharing *s, uint32_t leader)
{
    unsigned lines = 0;
    for (size_t i = leader; i < s->in->processes.count; i++)
        if (s->leader[i] == leader)
            lines += s->in->processes.item[i].as.window.taps - 1;
    return union_of(s, leader).as.window.taps - 1 < lines;
}

/* The taps of a member, of those of the window of all. */
static uint32_t add_part(struct sharing *s, const struct process *member, uint32_t from)
{
    const struct process *all = &s->out->processes.item[from];
    const unsigned lanes = all->out.lanes, count = stream_elements(&member->out);
    const unsigned before = (all->as.window.before - member->as.window.before) * lanes;
    const struct expr **value = ARENA_ARRAY(s->context->output, const struct expr *, count + 1);
    struct edge *edge = ARENA_NEW(s->context->output, struct edge);
    for (unsigned i = 0; i < count; i++)
        value[i] = circuit_element(s->context->pool, 0, before + i, all->out.interval);
    edge->from = from;
    struct process part = {
        .kind = PROCESS_PIPE,
        .name = symbol_format(&s->context->session->symbols, "%s.part", member->name->text),
        .span = member->span,
        .edge_count = 1,
        .edge = edge,
        .out = member->out};
    part.as.pipe.value = value;
    part.as.pipe.count = count;
    return circuit_add(s->context->output, s->out, part);
}

static void add(struct sharing *s, uint32_t id)
{
    const struct process *p = &s->in->processes.item[id];
    const uint32_t leader = s->leader[id];
    if (!is_of_lines(p) || !saves_lines(s, leader)) {
        s->new_id[id] = circuit_add_renumbered(s->context->output, s->out, *p, s->new_id);
        return;
    }
    if (id == leader) {
        const struct process all = union_of(s, leader);
        s->window[id] = circuit_add_renumbered(s->context->output, s->out, all, s->new_id);
    }
    s->shares = true;
    const struct process *all = &s->out->processes.item[s->window[leader]];
    const bool is_whole = p->as.window.taps == all->as.window.taps;
    s->new_id[id] = is_whole ? s->window[leader] : add_part(s, p, s->window[leader]);
}

/* By process: the first window that it may be one with, or itself. */
static const uint32_t *leaders_of(struct arena *scratch, const struct circuit *in)
{
    uint32_t *leader = ARENA_ARRAY(scratch, uint32_t, in->processes.count + 1);
    for (uint32_t i = 0; i < in->processes.count; i++) {
        const struct process *p = &in->processes.item[i];
        leader[i] = i;
        for (uint32_t j = i; is_of_lines(p) && j-- > 0;)
            if (is_of_lines(&in->processes.item[j]) && agree(p, &in->processes.item[j]))
                leader[i] = j;
    }
    return leader;
}

const struct circuit *share_windows(const struct circuit *in, struct pass_context *context)
{
    const size_t count = in->processes.count;
    struct sharing s = {.context = context,
                        .in = in,
                        .leader = leaders_of(context->scratch, in),
                        .out = circuit_copy_without_processes(context->output, in),
                        .new_id = ARENA_ARRAY(context->scratch, uint32_t, count + 1),
                        .window = ARENA_ARRAY(context->scratch, uint32_t, count + 1)};
    if (!graph_setting(in->graph, CIRCUIT_SETTING_share, 1))
        return in;
    for (uint32_t i = 0; i < count; i++)
        add(&s, i);
    return s.shares ? merge_pipes(s.out, context) : in;
}
