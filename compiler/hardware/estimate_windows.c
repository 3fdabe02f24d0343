/* Windows, and lines or samples that are given twice. */
#include "hardware/estimate_parts.h"
#include "hardware/registers.h"
#include "hardware/special_places.h"

/* The tap that stands for one of a sample of a token at a special place; -1: what is outside. */
static int tap_at(const struct process *p, int64_t place, int64_t n, unsigned pixel, unsigned tap)
{
    const unsigned pixels = p->as.window.pixels;
    return window_tap(p, place * pixels + pixel, n * pixels, tap);
}

/* LUTs a bit of what stands for a tap at special places, of n. */
static unsigned tap_luts(const struct process *p, const struct special_places *places, int64_t n,
                         unsigned pixel, unsigned tap)
{
    unsigned flags = 0, data = 1;
    for (unsigned i = 0; i < places->count; i++) {
        const int read = tap_at(p, places->item[i], n, pixel, tap);
        bool known = read < 0 || read == (int)tap;
        flags += read != (int)tap;
        for (unsigned k = 0; k < i && !known; k++)
            known = tap_at(p, places->item[k], n, pixel, tap) == read;
        data += !known;
    }
    return flags ? tree_luts(flags + data) : 0;
}

/* Whether something takes the tap of a lane of one sample of its token. */
static bool is_used(const struct estimating *e, const struct process *p, unsigned tap,
                    unsigned pixel, unsigned lane)
{
    const unsigned pixels = p->as.window.pixels;
    return e->used[p->id][(tap * pixels + pixel) * (p->out.lanes / pixels) + lane];
}

static unsigned mux_luts(const struct estimating *e, const struct process *p,
                         const struct special_places *places, int64_t n)
{
    const unsigned pixels = p->as.window.pixels;
    unsigned luts = 0;
    for (unsigned part = 0; part < p->as.window.taps * pixels; part++) {
        const unsigned tap = part / pixels, pixel = part % pixels;
        const unsigned each = tap_luts(p, places, n, pixel, tap);
        for (unsigned lane = 0; lane < p->out.lanes / pixels; lane++)
            luts += is_used(e, p, tap, pixel, lane) ? each : 0;
    }
    return luts * interval_bits(p->out.interval);
}

static struct resources thin_column(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    struct resources r = {.luts = 4 + tree_luts(count_bits(in->tokens)) * (p->out.tagged ? 2 : 1),
                          .registers = 1 + stream_bits(&p->out)};
    resources_add(&r, counter_resources(in->tokens));
    resources_add(&r, counter_resources(in->lines));
    return r;
}

/* Lines that are compared with the one that is centred, without the last one. */
static unsigned compared_lines(const struct process *p, const struct special_places *places,
                               int64_t lines)
{
    const int64_t after = p->as.window.taps - 1 - p->as.window.before;
    unsigned count = after ? 2 : 1;
    for (unsigned i = 0; i < places->count; i++) {
        const int64_t line = places->item[i] * p->as.window.stride;
        count += line != lines - 1 && line != lines - 1 - after;
    }
    return count;
}

static struct resources column(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned x = count_bits(in->tokens), y = count_bits(in->lines), taps = p->as.window.taps;
    const uint64_t behind = (uint64_t)(taps - 1 - p->as.window.before) * in->tokens;
    const unsigned fill = count_bits(behind + 1);
    const unsigned bits = p->out.lanes * interval_bits(p->out.interval);
    const struct special_places places = special_places(p, in->lines);
    const unsigned extra = p->latency == 3 ? taps * bits + x + 2 + places.count + 2 : 0;
    struct resources r = memory_resources(process_memory(e->circuit, p), p->as.window.memory);
    resources_add(&r,
                  counter_resources(in->tokens)); /* place and address; fill has no last number */
    resources_add(&r, counter_resources(in->tokens));
    resources_add(&r, counter_resources(in->lines));
    r.luts += 9 + tree_luts(x) * (p->out.tagged ? 2 : 1) +
              tree_luts(y) * compared_lines(p, &places, in->lines) + 2 * tree_luts(fill) +
              mux_luts(e, p, &places, in->lines);
    r.registers += x + fill + 5 + bits + used_elements(e, p) * interval_bits(p->out.interval) +
                   places.count + (p->out.tagged ? 4 : 0) + extra;
    return r;
}

/* Which of the marks of slots are read, from 1 on. */
struct marks {
    bool first[1024], last[1024];
};

/* The slots, from 1 on, the newest first, whose sample number `own` something takes. */
static const bool *used_slots(const struct estimating *e, const struct process *p,
                              const struct special_places *places, unsigned own, unsigned lane)
{
    const unsigned pixels = p->as.window.pixels, before = window_tokens_before(p);
    const unsigned slots = before + 1 + window_tokens_after(p);
    bool *used = ARENA_ARRAY(e->arena, bool, slots + 1);
    for (unsigned part = 0; part < p->as.window.taps * pixels; part++) {
        const unsigned tap = part / pixels, pixel = part % pixels;
        for (unsigned i = 0; is_used(e, p, tap, pixel, lane) && i <= places->count; i++) {
            const int read = i == places->count
                                 ? (int)tap
                                 : tap_at(p, places->item[i], taken_by(e, p)->tokens, pixel, tap);
            const unsigned sample = pixel + (unsigned)read + before * pixels - p->as.window.before;
            if (read >= 0 && sample % pixels == own)
                used[slots - sample / pixels] = true;
        }
    }
    return used;
}

static struct resources row(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned after = window_tokens_after(p), slots = window_tokens_before(p) + 1 + after;
    const unsigned phase = (unsigned)__builtin_ctz(p->as.window.stride);
    const unsigned pixels = p->as.window.pixels;
    const bool crops = (uint64_t)p->out.tokens * p->as.window.stride < in->tokens;
    const struct special_places places = special_places(p, in->tokens);
    bool *firsts = ARENA_ARRAY(e->arena, bool, slots + 1);
    bool *lasts = ARENA_ARRAY(e->arena, bool, slots + 1);
    for (unsigned i = 0; i < places.count; i++) {
        const struct special_mark mark = special_mark(p, in->tokens, places.item[i]);
        if (mark.slot < slots)
            (mark.is_first ? firsts : lasts)[mark.slot + 1] = true;
    }
    if (phase || crops)
        lasts[after ? after : 1] = true;
    struct resources r = {.luts = 5 + mux_luts(e, p, &places, in->tokens), .registers = 2 + after};
    for (unsigned own = 0; own < pixels; own++)
        for (unsigned lane = 0; lane < p->out.lanes / pixels; lane++)
            resources_add(&r, chain_resources(interval_bits(p->out.interval), slots,
                                              used_slots(e, p, &places, own, lane)));
    resources_add(&r, chain_resources(1, slots, firsts));
    resources_add(&r, chain_resources(1, slots, lasts));
    if (crops)
        resources_add(&r, counter_resources(in->tokens));
    else if (phase)
        resources_add(&r, (struct resources){.luts = 1, .registers = phase});
    return r;
}

/* The counter of output tokens that sets the first and last marks. */
static struct resources given_marks(const struct process *p)
{
    struct resources r = {0};
    if (p->out.tagged)
        r = counter_resources(p->out.tokens);
    if (p->out.tagged)
        r.luts += tree_luts(r.registers);
    return r;
}

static struct resources twice_down(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned x = count_bits(in->tokens), y = count_bits(p->out.lines);
    const unsigned bits = stream_elements(in) * interval_bits(in->interval);
    struct resources r = memory_resources(process_memory(e->circuit, p), p->as.twice.memory);
    resources_add(&r, counter_resources(in->tokens));
    resources_add(&r, counter_resources(p->out.lines));
    r.luts += 4 + tree_luts(x) * (p->out.tagged ? 2 : 1) + 2 * tree_luts(y) + 2 * bits;
    r.registers += x + 4 + 3 * bits + (p->out.tagged ? 4 : 0);
    return r;
}

static struct resources twice_along(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned bits = stream_elements(in) * interval_bits(in->interval);
    struct resources r = {.luts = bits + 9, .registers = 2 * bits + 5};
    resources_add(&r, given_marks(p));
    return r;
}

struct resources window_resources(const struct estimating *e, const struct process *p)
{
    if (p->as.window.axis == RASTER_TOKENS)
        return row(e, p);
    return p->as.window.taps > 1 ? column(e, p) : thin_column(e, p);
}

struct resources twice_resources(const struct estimating *e, const struct process *p)
{
    return p->as.twice.axis == RASTER_LINES ? twice_down(e, p) : twice_along(e, p);
}
