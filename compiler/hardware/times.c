/* A process takes a token when it is there and the one before is taken: T[n] = max(A[n], T[n - 1] +
 * 1). Places of a window come D tokens behind; the last D of a frame (or line) follow one a clock,
 * as far as the next frame leaves room, and else with its tokens. Nothing waits for room. */
#include "hardware/times.h"
#include "hardware/low_frame.h"

enum { FRAMES = 3 };
#define NEVER ((int64_t)1 << 60)

struct timing {
    struct arena *arena, *scratch;
    const struct circuit *circuit;
    struct low_frame frame;
    int64_t interval;   /* tokens of a frame where there are most: no frame can be faster */
    int64_t pause;      /* clocks from one token of an image to the next, at least */
    bool ends_are_late; /* the last places of a window come with the next frame (or line) alone */
    const int64_t **given; /* by process: when its tokens are there */
    struct edge_times **edge;
};

static int64_t lines_of(const struct timing *t, const struct process *p)
{
    return low_frame_lines(&t->frame, p);
}

static int64_t tokens_of(const struct timing *t, const struct process *p)
{
    return FRAMES * lines_of(t, p) * p->out.tokens;
}

/* ---- Processes ---- */

/* When tokens are taken that are there at these times. */
static int64_t *taken_at(struct timing *t, int64_t count, const int64_t there[])
{
    int64_t *at = ARENA_ARRAY(t->scratch, int64_t, (size_t)count + 1);
    for (int64_t n = 0; n < count; n++)
        at[n] = n && at[n - 1] + 1 > there[n] ? at[n - 1] + 1 : there[n];
    return at;
}

/* When the place is in the middle of the window, of runs (frames or lines) of n places, that is D
 * tokens behind. */
static int64_t *centred_at(struct timing *t, int64_t runs, int64_t n, int64_t D,
                           const int64_t taken[])
{
    int64_t *at = ARENA_ARRAY(t->scratch, int64_t, (size_t)(runs * n) + 1);
    for (int64_t r = 0; r < runs; r++) {
        const int64_t *own = taken + r * n, last = own[n - 1];
        const int64_t next = r + 1 < runs ? own[n] : NEVER;
        const int64_t room = next - last - 1 < 0 ? 0 : next - last - 1 > D ? D : next - last - 1;
        for (int64_t i = 0; i < n; i++) {
            const int64_t m = i - (n - D); /* of the last D places */
            at[r * n + i] = m < 0          ? own[i + D]
                            : m < room     ? last + 1 + m
                            : r + 1 < runs ? own[n + m - room]
                                           : NEVER;
        }
    }
    return at;
}

static int64_t *window_given(struct timing *t, const struct process *p, const int64_t taken[])
{
    const struct process *from = &t->circuit->processes.item[p->edge[0].from];
    const int64_t lines = lines_of(t, from), tokens = from->out.tokens;
    const bool by_lines = p->as.window.axis == RASTER_LINES;
    const int64_t after = window_tokens_after(p);
    const int64_t *centred = by_lines ? centred_at(t, FRAMES, lines * tokens, after * tokens, taken)
                                      : centred_at(t, FRAMES * lines, tokens, after, taken);
    const int64_t own_lines = lines_of(t, p);
    int64_t *given = ARENA_ARRAY(t->scratch, int64_t, (size_t)tokens_of(t, p) + 1), *next = given;
    for (int64_t f = 0; f < FRAMES; f++)
        for (int64_t y = 0; y < own_lines; y++)
            for (int64_t x = 0; x < p->out.tokens; x++) {
                const int64_t line = by_lines ? y * p->as.window.stride : y;
                const int64_t token = by_lines ? x : x * p->as.window.stride;
                *next++ = centred[(f * lines + line) * tokens + token] + p->latency;
            }
    return given;
}

/* One a clock when the frame is over, and the numbers of the frame before are given. */
static int64_t *count_given(struct timing *t, const struct process *p, const int64_t taken[])
{
    const int64_t frame = tokens_of(t, &t->circuit->processes.item[p->edge[0].from]) / FRAMES;
    int64_t *given = ARENA_ARRAY(t->scratch, int64_t, (size_t)tokens_of(t, p) + 1), next = 0;
    for (int64_t f = 0; f < FRAMES; f++)
        for (int64_t b = 0; b < p->as.count.bins; b++) {
            const int64_t over = taken[(f + 1) * frame - 1] + p->latency + b;
            next = over > next ? over : next;
            given[f * p->as.count.bins + b] = next++;
        }
    return given;
}

/* Clocks from one token to the next where a reader takes the second of a line at once and then
 * every other clock; the first of a line waits until `places` clocks are over. */
static int64_t paced_step(int64_t places, int64_t tokens, int64_t x)
{
    if (!places || tokens <= 2 || x == 1)
        return 1;
    return x ? 2 : places - (2 * tokens - 3);
}

/* The places along a line that what reads it, by way of pipes alone, makes of its tokens. 0:
 * nothing does. */
static int64_t places_of_reader(const struct timing *t, const struct process *p)
{
    const unsigned *readers = circuit_readers(t->scratch, t->circuit);
    for (size_t i = p->id + 1; i < t->circuit->processes.count; i++) {
        const struct process *reader = &t->circuit->processes.item[i];
        if (reader->edge_count != 1 || reader->edge[0].from != p->id || readers[p->id] != 1)
            continue;
        if (reader->kind == PROCESS_TWICE && reader->as.twice.axis == RASTER_TOKENS)
            return reader->out.tokens;
        if (reader->kind != PROCESS_PIPE)
            return 0;
        p = reader;
    }
    return 0;
}

/* A token is taken for the first place, and for odd ones that are not beyond what is read. */
static int64_t *twice_given(struct timing *t, const struct process *p, const int64_t there[],
                            int64_t **taken)
{
    const struct process *from = &t->circuit->processes.item[p->edge[0].from];
    const int64_t lines = lines_of(t, from), tokens = from->out.tokens;
    const int64_t own_lines = lines_of(t, p), own_tokens = p->out.tokens;
    const bool by_lines = p->as.twice.axis == RASTER_LINES;
    const int64_t places = by_lines ? places_of_reader(t, p) : 0;
    int64_t *given = ARENA_ARRAY(t->scratch, int64_t, (size_t)tokens_of(t, p) + 1);
    *taken = ARENA_ARRAY(t->scratch, int64_t, (size_t)(FRAMES * lines * tokens) + 1);
    int64_t now = -NEVER, n = 0, took = 0;
    for (int64_t f = 0; f < FRAMES; f++)
        for (int64_t y = 0; y < own_lines; y++)
            for (int64_t x = 0; x < own_tokens; x++) {
                const int64_t place = by_lines ? y : x, extent = by_lines ? lines : tokens;
                const bool takes = place == 0 || (place % 2 && (place + 1) / 2 < extent);
                now += paced_step(places, own_tokens, x);
                if (takes) {
                    now = there[took] > now ? there[took] : now;
                    (*taken)[took++] = now;
                }
                given[n++] = now + p->latency;
            }
    return given;
}

/* ---- Edges ---- */

static const int64_t *arrivals(struct timing *t, const struct edge *edge)
{
    const struct process *from = &t->circuit->processes.item[edge->from];
    const int64_t late = edge->kind == EDGE_FIFO    ? FIFO_LATENCY
                         : edge->kind == EDGE_SLICE ? SLICE_LATENCY
                                                    : 0;
    const int64_t count = tokens_of(t, from), *given = t->given[edge->from];
    if (!late)
        return given;
    int64_t *there = ARENA_ARRAY(t->scratch, int64_t, (size_t)count + 1);
    for (int64_t n = 0; n < count; n++)
        there[n] = given[n] + late;
    return there;
}

static void note_edge(struct timing *t, const struct edge *edge, struct edge_times *out,
                      const int64_t taken[])
{
    const int64_t count = tokens_of(t, &t->circuit->processes.item[edge->from]);
    const int64_t *given = t->given[edge->from];
    const int64_t late = edge->kind == EDGE_SLICE ? SLICE_LATENCY : 0;
    for (int64_t n = 0, gone = 0; n < count && taken[n] < NEVER; n++) {
        while (gone < count && taken[gone] < given[n])
            gone++;
        const uint64_t there = (uint64_t)(n + 1 - gone);
        out->most = there > out->most ? there : out->most;
        out->waits = out->waits || taken[n] > given[n] + late;
    }
}

/* All edges bring a token at once. */
static int64_t *pipe_taken(struct timing *t, const struct process *p)
{
    const int64_t count = tokens_of(t, p);
    int64_t *all = ARENA_ARRAY(t->scratch, int64_t, (size_t)count + 1);
    for (unsigned e = 0; e < p->edge_count; e++) {
        const int64_t *there = arrivals(t, &p->edge[e]);
        for (int64_t n = 0; n < count; n++)
            all[n] = !e || there[n] > all[n] ? there[n] : all[n];
    }
    return taken_at(t, count, all);
}

static int64_t *moved(struct timing *t, int64_t count, const int64_t at[], int64_t by)
{
    int64_t *later = ARENA_ARRAY(t->scratch, int64_t, (size_t)count + 1);
    for (int64_t n = 0; n < count; n++)
        later[n] = at[n] + by;
    return later;
}

/* Where others have more tokens, those of an image have to wait, evenly in the long run. */
static int64_t *source_given(struct timing *t, const struct process *p)
{
    const int64_t count = tokens_of(t, p), frame = count / FRAMES;
    int64_t *at = ARENA_ARRAY(t->scratch, int64_t, (size_t)count + 1);
    for (int64_t n = 0; n < count; n++)
        at[n] = (n / frame * t->interval + n % frame * t->interval / frame) * t->pause;
    return at;
}

static void time_process(struct timing *t, const struct process *p)
{
    int64_t *taken = NULL;
    switch (p->kind) {
    case PROCESS_SOURCE:
        t->given[p->id] = source_given(t, p);
        return;
    case PROCESS_SINK:
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        taken = pipe_taken(t, p);
        t->given[p->id] = moved(t, tokens_of(t, p), taken, p->latency);
        break;
    case PROCESS_COUNT:
        taken = taken_at(t, tokens_of(t, &t->circuit->processes.item[p->edge[0].from]),
                         arrivals(t, &p->edge[0]));
        t->given[p->id] = count_given(t, p, taken);
        break;
    case PROCESS_WINDOW:
        taken = taken_at(t, tokens_of(t, &t->circuit->processes.item[p->edge[0].from]),
                         arrivals(t, &p->edge[0]));
        t->given[p->id] = window_given(t, p, taken);
        break;
    case PROCESS_TWICE:
        t->given[p->id] = twice_given(t, p, arrivals(t, &p->edge[0]), &taken);
        break;
    case PROCESS_KIND_COUNT:
        return;
    }
    for (unsigned e = 0; e < p->edge_count; e++)
        note_edge(t, &p->edge[e], &t->edge[p->id][e], taken);
}

static int64_t interval_of(const struct timing *t)
{
    int64_t most = 0;
    for (size_t i = 0; i < t->circuit->processes.count; i++) {
        const int64_t tokens = tokens_of(t, &t->circuit->processes.item[i]) / FRAMES;
        most = tokens > most ? tokens : most;
    }
    return most;
}

/* Times of all tokens, and of edges. */
static struct timing timed(struct arena *arena, struct arena *scratch,
                           const struct circuit *circuit, int64_t pause)
{
    const size_t count = circuit->processes.count;
    struct timing t = {.arena = arena, .scratch = scratch, .circuit = circuit, .pause = pause};
    t.given = ARENA_ARRAY(scratch, const int64_t *, count + 1);
    t.edge = ARENA_ARRAY(arena, struct edge_times *, count + 1);
    t.frame = low_frame_of(scratch, circuit);
    t.interval = interval_of(&t);
    for (size_t i = 0; i < count; i++) {
        const struct process *p = &circuit->processes.item[i];
        t.edge[i] = ARENA_ARRAY(arena, struct edge_times, p->edge_count + 1);
        time_process(&t, p);
    }
    return t;
}

struct stream_times stream_times(struct arena *arena, struct arena *scratch,
                                 const struct circuit *circuit)
{
    return (struct stream_times){timed(arena, scratch, circuit, 1).edge};
}

struct stream_times stream_times_of_slow(struct arena *arena, struct arena *scratch,
                                         const struct circuit *circuit)
{
    enum { PAUSE = 1 << 24 };
    return (struct stream_times){timed(arena, scratch, circuit, PAUSE).edge};
}
