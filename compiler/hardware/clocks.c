/* The circuit is run without its data: the registers that tell whether a token is there, and the
 * counters that these depend on. A clock is: who offers a token, from the sources on; who takes
 * one, from the sinks back; then all registers. This is what the modules of CIRCUIT.md do with
 * valid and ready, and holds for any rates. */
#include "hardware/clocks.h"
#include "hardware/low_frame.h"

enum { FRAMES = 3, TOLD_FRAMES = 2 };

struct link {           /* an edge */
    bool given;         /* of several readers: this one has taken the token at hand */
    bool holds, full;   /* of a slice and a FIFO: a token at its output; a slice: one behind it */
    uint32_t used;      /* words of a FIFO */
    bool valid, ready;  /* at the reader, in this clock */
    bool offered, free; /* at the giver */
};

struct unit { /* a process */
    const struct process *process;
    int64_t lines, tokens;       /* of what it gives */
    int64_t in_lines, in_tokens; /* and of what it takes */
    struct link *link;           /* by edge */
    bool valid, ready;           /* at its output */
    bool ce, fire;               /* in this clock: it moves on; it takes a token */
    bool *stage;                 /* registers that tell of tokens: of a pipe, around `head` */
    unsigned head;
    int64_t place, line, taken;       /* counters; tokens of a line, or of all frames, taken */
    int64_t fill;                     /* of a window along lines */
    bool run, past, ended, behind[2]; /* behind: registers before the output */
    unsigned at;                      /* of doubled places */
    struct {                          /* of a count: registers of its module */
        bool bank, full[2], last_1, bank_1, drain_bank, last;
        int64_t drain_at;
    } count;
};

struct running {
    const struct circuit *circuit;
    struct unit *unit;
    uint32_t **reader; /* by process: those that take its stream, by number and edge in turn */
    unsigned *readers;
    int64_t clock, first, end[TOLD_FRAMES];
};

/* ---- Who offers, who takes ---- */

static void offer(struct running *r, const struct unit *u)
{
    const unsigned readers = r->readers[u->process->id];
    for (unsigned i = 0; i < readers; i++) {
        const uint32_t *reader = &r->reader[u->process->id][2 * i];
        struct link *link = &r->unit[reader[0]].link[reader[1]];
        const enum edge_kind kind = r->unit[reader[0]].process->edge[reader[1]].kind;
        link->offered = u->valid && !link->given;
        link->valid = kind == EDGE_WIRE ? link->offered : link->holds;
    }
}

static void ask(struct running *r, struct unit *u)
{
    const unsigned readers = r->readers[u->process->id];
    u->ready = true;
    for (unsigned i = 0; i < readers; i++) {
        const uint32_t *reader = &r->reader[u->process->id][2 * i];
        struct link *link = &r->unit[reader[0]].link[reader[1]];
        const struct edge *edge = &r->unit[reader[0]].process->edge[reader[1]];
        link->free = edge->kind == EDGE_WIRE    ? link->ready
                     : edge->kind == EDGE_SLICE ? !link->full
                                                : link->used != edge->depth - 1;
        u->ready = u->ready && (link->free || link->given);
    }
}

static bool doubles_take(const struct unit *u)
{
    const struct process *p = u->process;
    if (p->as.twice.axis == RASTER_LINES)
        return u->line == 0 || (u->line % 2 && (u->lines % 2 || u->line != u->lines - 1));
    return u->at == 0 || (u->at == 1 && !u->ended);
}

/* One number: the last token of a frame waits until the one before is taken. Several: a frame waits
 * for memory that is given. */
static bool count_takes(const struct unit *u)
{
    return u->process->as.count.bins > 1
               ? !u->count.full[u->count.bank]
               : !(u->behind[0] && u->count.last_1 && u->valid && !u->ready);
}

/* Whether the process moves on, and takes a token of each edge. */
static void choose(struct unit *u)
{
    const struct process *p = u->process;
    u->ce = p->kind == PROCESS_COUNT ? count_takes(u) : !u->valid || u->ready;
    u->fire = u->ce;
    for (unsigned e = 0; e < p->edge_count; e++)
        u->fire = u->fire && u->link[e].valid;
    if (p->kind == PROCESS_SOURCE)
        u->fire = u->valid && u->ready;
    if (p->kind == PROCESS_TWICE)
        u->fire = u->fire && doubles_take(u);
    for (unsigned e = 0; e < p->edge_count; e++) {
        u->link[e].ready = u->ce && (p->kind != PROCESS_TWICE || doubles_take(u));
        for (unsigned k = 0; k < p->edge_count; k++)
            u->link[e].ready = u->link[e].ready && (k == e || u->link[k].valid);
    }
}

/* ---- Registers ---- */

static void move_link(const struct edge *edge, struct link *link, bool all_free)
{
    const bool write = link->offered && link->free;
    const bool leaves = !link->holds || link->ready;
    link->given = !all_free && (link->given || write);
    if (edge->kind == EDGE_FIFO) {
        const bool read = link->used != 0 && leaves;
        link->used += (uint32_t)write - (uint32_t)read;
        link->holds = read || !leaves;
    } else if (edge->kind == EDGE_SLICE && leaves) {
        link->holds = link->full || link->offered;
        link->full = false;
    } else if (edge->kind == EDGE_SLICE)
        link->full = link->full || link->offered;
}

/* The next of so many places, and the next line where these are over. */
static void step_place(struct unit *u, int64_t places, int64_t lines)
{
    u->place = u->place == places - 1 ? 0 : u->place + 1;
    if (u->place == 0)
        u->line = u->line == lines - 1 ? 0 : u->line + 1;
}

static void count_taken(struct unit *u)
{
    u->taken = u->taken == u->in_tokens - 1 ? 0 : u->taken + 1;
}

static void move_pipe(struct unit *u)
{
    if (!u->ce)
        return;
    u->stage[u->head] = u->fire;
    u->head = (u->head + 1) % u->process->latency;
    u->valid = u->stage[u->head];
}

static bool is_given(const struct unit *u, int64_t place, int64_t given)
{
    const unsigned stride = u->process->as.window.stride;
    return place % stride == 0 && place < given * stride;
}

static void shift_valid(struct unit *u, bool first)
{
    const unsigned latency = u->process->latency;
    u->valid = latency == 1 ? first : u->behind[latency - 2];
    u->behind[1] = u->behind[0];
    u->behind[0] = first;
}

static void move_column(struct unit *u)
{
    const struct process *p = u->process;
    const int64_t after = window_tokens_after(p);
    const bool flush = u->ce && !u->fire && u->run && u->past && u->fill == 0;
    const bool step = u->fire || flush, is_thin = p->as.window.taps == 1;
    const bool centred =
        is_thin || u->run || (u->past && u->fill == after * u->in_tokens && u->link[0].valid);
    const bool given = step && centred && is_given(u, u->line, u->lines);
    const bool at_end = u->place == u->in_tokens - 1;
    if (u->ce)
        shift_valid(u, given);
    if (u->fire && u->past)
        u->fill++;
    if (!step || !centred)
        return;
    const bool was_past = u->run && u->past;
    u->run = !is_thin && !(at_end && u->line == u->in_lines - 1);
    u->past = was_past;
    if (at_end && u->line == u->in_lines - 1 - after) {
        u->past = true;
        u->fill = 0;
    }
    step_place(u, u->in_tokens, u->in_lines);
}

static void move_row(struct unit *u)
{
    const struct process *p = u->process;
    const unsigned after = window_tokens_after(p);
    bool waits = false;
    for (unsigned i = 0; i < after; i++)
        waits = waits || u->stage[i];
    const bool step = u->fire || (u->ce && u->ended && waits);
    const bool centred = after ? u->stage[after - 1] : u->link[0].valid;
    if (u->ce)
        u->valid = step && centred && is_given(u, u->place, u->tokens);
    if (step && centred)
        step_place(u, u->in_tokens, 1);
    for (unsigned i = after; step && i-- > 1;)
        u->stage[i] = u->stage[i - 1];
    if (step && after)
        u->stage[0] = u->link[0].valid;
    if (!u->fire)
        return;
    u->ended = u->taken == u->in_tokens - 1;
    count_taken(u);
}

static void move_twice_down(struct unit *u)
{
    const bool step = u->fire || (u->ce && !doubles_take(u));
    if (u->ce)
        shift_valid(u, step);
    if (step)
        step_place(u, u->in_tokens, u->lines);
}

static void move_twice_along(struct unit *u)
{
    const bool step = u->fire || (u->ce && !doubles_take(u)), ended = u->ended;
    if (u->ce)
        u->valid = step;
    if (u->fire) {
        u->ended = u->taken == u->in_tokens - 1;
        count_taken(u);
    }
    if (!step || u->tokens == 1)
        return;
    if (u->tokens % 2)
        u->at = u->at == 0 ? 1 : u->at == 1 ? 2 : ended ? 0 : 1;
    else
        u->at = u->at == 1 ? (ended ? 0 : 2) : 1;
}

static void move_count_of_one(struct unit *u)
{
    const bool ends = u->ce && u->behind[0] && u->count.last_1;
    u->valid = ends || (u->valid && !u->ready);
    if (!u->ce)
        return;
    u->behind[0] = u->fire;
    u->count.last_1 = u->taken == u->in_lines * u->in_tokens - 1;
    if (u->fire)
        u->taken = u->count.last_1 ? 0 : u->taken + 1;
}

static void move_count(struct unit *u)
{
    const int64_t bins = u->process->as.count.bins;
    const bool moves = !u->valid || u->ready;
    const bool drains = moves && u->count.full[u->count.drain_bank] && !u->count.last;
    const bool ends = u->fire && u->taken == u->in_lines * u->in_tokens - 1;
    if (moves) {
        u->valid = u->behind[0];
        u->behind[0] = drains;
        if (u->count.last) {
            u->count.full[u->count.drain_bank] = false;
            u->count.drain_bank = !u->count.drain_bank;
        }
        u->count.last = drains && u->count.drain_at == bins - 1;
    }
    if (u->count.last_1)
        u->count.full[u->count.bank_1] = true;
    if (drains)
        u->count.drain_at = u->count.drain_at == bins - 1 ? 0 : u->count.drain_at + 1;
    u->count.last_1 = ends;
    u->count.bank_1 = u->count.bank;
    u->count.bank = u->count.bank != ends;
    if (u->fire)
        u->taken = ends ? 0 : u->taken + 1;
}

static void move_sink(struct running *r, struct unit *u)
{
    const int64_t frame = u->lines * u->tokens;
    if (!u->fire)
        return;
    r->first = r->first < 0 ? r->clock : r->first;
    u->taken++;
    if (u->taken % frame == 0 && u->taken / frame <= TOLD_FRAMES)
        r->end[u->taken / frame - 1] = r->clock; /* the latest one is the last to write */
}

static void move(struct running *r, struct unit *u)
{
    const struct process *p = u->process;
    switch (p->kind) {
    case PROCESS_SOURCE:
        u->taken += u->fire;
        u->valid = u->taken < FRAMES * u->lines * u->tokens;
        return;
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        move_pipe(u);
        return;
    case PROCESS_COUNT:
        if (p->as.count.bins > 1)
            move_count(u);
        else
            move_count_of_one(u);
        return;
    case PROCESS_WINDOW:
        if (p->as.window.axis == RASTER_LINES)
            move_column(u);
        else
            move_row(u);
        return;
    case PROCESS_TWICE:
        if (p->as.twice.axis == RASTER_LINES)
            move_twice_down(u);
        else
            move_twice_along(u);
        return;
    case PROCESS_SINK:
        move_sink(r, u);
        return;
    case PROCESS_KIND_COUNT:
        return;
    }
}

/* ---- */

static void make_unit(struct running *r, struct arena *arena, const struct low_frame *frame,
                      const struct process *p)
{
    struct unit *u = &r->unit[p->id];
    const unsigned registers = p->kind == PROCESS_WINDOW ? p->as.window.taps
                               : p->latency              ? p->latency
                                                         : 1;
    *u = (struct unit){.process = p,
                       .lines = low_frame_lines(frame, p),
                       .tokens = p->out.tokens,
                       .link = ARENA_ARRAY(arena, struct link, p->edge_count + 1),
                       .stage = ARENA_ARRAY(arena, bool, registers + 1),
                       .valid = p->kind == PROCESS_SOURCE,
                       .past = true,
                       .ended = p->kind == PROCESS_WINDOW};
    for (unsigned e = 0; e < p->edge_count; e++) {
        const uint32_t from = p->edge[e].from;
        uint32_t *slot = &r->reader[from][2 * r->readers[from]++];
        slot[0] = p->id;
        slot[1] = e;
        u->in_lines = r->unit[from].lines;
        u->in_tokens = r->unit[from].tokens;
    }
}

static void run_clock(struct running *r)
{
    const size_t count = r->circuit->processes.count;
    for (size_t i = 0; i < count; i++)
        offer(r, &r->unit[i]);
    for (size_t i = count; i-- > 0;) {
        ask(r, &r->unit[i]);
        choose(&r->unit[i]);
    }
    for (size_t i = 0; i < count; i++) {
        struct unit *u = &r->unit[i];
        for (unsigned e = 0; e < u->process->edge_count; e++)
            move_link(&u->process->edge[e], &u->link[e], r->unit[u->process->edge[e].from].ready);
        move(r, u);
    }
    r->clock++;
}

/* Tokens that all sinks have taken of the reported frames. */
static bool is_over(const struct running *r, int64_t *passed)
{
    bool over = true;
    *passed = 0;
    for (size_t i = 0; i < r->circuit->processes.count; i++) {
        const struct unit *u = &r->unit[i];
        if (u->process->kind == PROCESS_SINK)
            over = over && u->taken >= TOLD_FRAMES * u->lines * u->tokens;
        if (u->process->kind == PROCESS_SINK || u->process->kind == PROCESS_SOURCE)
            *passed += u->taken;
    }
    return over;
}

/* The shallowest FIFO that has no room for a token that waits. */
static struct full_fifo find_full_fifo(const struct running *r)
{
    struct full_fifo shallowest = {.depth = 0};
    for (size_t i = 0; i < r->circuit->processes.count; i++) {
        const struct process *p = &r->circuit->processes.item[i];
        for (unsigned e = 0; e < p->edge_count; e++) {
            const struct link *link = &r->unit[i].link[e];
            const bool full = p->edge[e].kind == EDGE_FIFO && link->offered && !link->free;
            if (full && (!shallowest.depth || p->edge[e].depth < shallowest.depth))
                shallowest = (struct full_fifo){p->id, e, p->edge[e].depth};
        }
    }
    return shallowest;
}

/* Of frames without the lines that are left out. */
static bool run_frames(struct arena *scratch, const struct circuit *circuit,
                       const struct low_frame *frame, int64_t *first, int64_t end[],
                       struct full_fifo *full)
{
    enum { PATIENCE = 4096 };
    const size_t count = circuit->processes.count;
    const unsigned *readers = circuit_readers(scratch, circuit);
    struct running r = {.circuit = circuit, .first = -1};
    int64_t passed = 0, before = -1, since = 0, largest = 0;
    r.unit = ARENA_ARRAY(scratch, struct unit, count + 1);
    r.reader = ARENA_ARRAY(scratch, uint32_t *, count + 1);
    r.readers = ARENA_ARRAY(scratch, unsigned, count + 1);
    for (size_t i = 0; i < count; i++) {
        r.reader[i] = ARENA_ARRAY(scratch, uint32_t, 2 * readers[i] + 1);
        make_unit(&r, scratch, frame, &circuit->processes.item[i]);
        const int64_t tokens = r.unit[i].lines * r.unit[i].tokens;
        largest = tokens > largest ? tokens : largest;
    }
    while (!is_over(&r, &passed) && since < PATIENCE + 2 * largest) {
        since = passed == before ? since + 1 : 0;
        before = passed;
        run_clock(&r);
    }
    *first = r.first < 0 ? 0 : r.first;
    memcpy(end, r.end, sizeof r.end);
    if (is_over(&r, &passed))
        return true;
    *full = find_full_fifo(&r);
    return false;
}

/* Some lines more take so many clocks more, and so do all that are left out. */
bool circuit_clocks(struct arena *scratch, const struct circuit *circuit,
                    struct circuit_times *times, struct full_fifo *full)
{
    const struct low_frame frame = low_frame_of(scratch, circuit);
    struct low_frame more = frame;
    int64_t first, end[TOLD_FRAMES], end_of_more[TOLD_FRAMES];
    *full = (struct full_fifo){.depth = 0};
    bool moves = run_frames(scratch, circuit, &frame, &first, end, full);
    more.left_out -= frame.unit;
    if (moves && frame.left_out)
        moves = run_frames(scratch, circuit, &more, &first, end_of_more, full);
    for (unsigned f = 0; f < TOLD_FRAMES && frame.left_out; f++)
        end[f] += (end_of_more[f] - end[f]) * (frame.left_out / frame.unit);
    *times = (struct circuit_times){0}; /* a circuit that comes to a halt has none */
    if (moves)
        *times =
            (struct circuit_times){(uint64_t)first, (uint64_t)end[0], (uint64_t)(end[1] - end[0])};
    return moves;
}
