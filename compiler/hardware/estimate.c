/* Counts, ports, FIFOs, and what all processes take together. */
#include "hardware/estimate_parts.h"
#include "hardware/registers.h"

/* ---- Counts ---- */

static struct resources count(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned bits = interval_bits(p->out.interval);
    const unsigned token = stream_elements(in) * interval_bits(in->interval);
    struct resources r = step_resources(e, p);
    resources_add(&r, counter_resources((uint64_t)in->lines * in->tokens));
    r.luts += 2 * tree_luts(r.registers) + 2 * bits;
    r.registers += token + 2 * bits;
    if (p->as.count.bins == 1) {
        resources_add(&r, (struct resources){.luts = 6, .registers = 4});
        return r;
    }
    const unsigned place = count_bits(p->as.count.bins);
    for (unsigned bank = 0; bank < 2; bank++)
        resources_add(&r, memory_resources(process_memory(e->circuit, p), p->as.count.memory));
    r.luts += 2 * bits + 5 * place + tree_luts(2 * place) + 3 * tree_luts(place) + 24;
    r.registers += 4 * place + 16;
    return r;
}

/* ---- Streams and ports ---- */

/* Places of the samples that come or go, compared with the marks, or known by them. */
static struct resources port(const struct process *p)
{
    struct resources r = counter_resources(p->out.tokens);
    resources_add(&r, counter_resources(p->out.lines));
    r.luts += 1 + 2 * tree_luts(count_bits(p->out.tokens)) + tree_luts(count_bits(p->out.lines));
    return r;
}

/* With NAME_align, which makes frames whole: the control of its marks, an AND for each bit that may
 * be a zero in place of a sample, and registers: first, start, ended, skips and seen. */
static struct resources source(const struct process *p)
{
    struct resources r = port(p);
    const unsigned bits = stream_elements(&p->out) * interval_bits(p->out.interval);
    resources_add(&r, (struct resources){.luts = 9 + bits, .registers = 5});
    return r;
}

static struct resources edge_resources(const struct estimating *e, const struct edge *edge)
{
    const struct process *from = &e->circuit->processes.item[edge->from];
    const unsigned bits =
        used_elements(e, from) * interval_bits(from->out.interval) + (from->out.tagged ? 2 : 0);
    const struct memory_shape shape = {edge_memory(e->circuit, edge).words, bits};
    switch (edge->kind) {
    case EDGE_WIRE:
    case EDGE_KIND_COUNT:
        break;
    case EDGE_SLICE:
        return (struct resources){.luts = bits + 3, .registers = 2 * bits + 2};
    case EDGE_FIFO: {
        struct resources r = memory_resources(shape, edge->memory);
        const unsigned count = count_bits(shape.words);
        r.luts += 8 + 2 * tree_luts(count) + tree_luts(2 * count);
        r.registers += 2 * count + 2;
        return r;
    }
    }
    return (struct resources){0};
}

static struct resources process_resources(const struct estimating *e, const struct process *p)
{
    switch (p->kind) {
    case PROCESS_SOURCE:
        return source(p);
    case PROCESS_SINK:
        return port(p);
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        return pipe_resources(e, p);
    case PROCESS_COUNT:
        return count(e, p);
    case PROCESS_WINDOW:
        return window_resources(e, p);
    case PROCESS_TWICE:
        return twice_resources(e, p);
    case PROCESS_KIND_COUNT:
        break;
    }
    return (struct resources){0};
}

/* ---- Elements that are used ---- */

struct using
{
    const struct estimating *e;
    const struct process *pipe;
};

static void use_element(const struct expr *node, void *user)
{
    const struct using *u = user;
    if (expr_is_element(node))
        u->e->used[u->pipe->edge[node->as.load.source].from][node->operand[0]->as.integer] = true;
}

static void use_elements(const struct estimating *e, const struct process *p)
{
    struct using u = {e, p};
    struct expr_walk walk = {.scratch = e->arena};
    for (size_t i = 0; process_computes(p) && i < p->as.pipe.count; i++)
        expr_visit(&walk, p->as.pipe.value[i], use_element, &u);
    for (unsigned k = 0; k < p->edge_count && !process_computes(p); k++) {
        const uint32_t from = p->edge[k].from;
        const unsigned lanes = stream_elements(&e->circuit->processes.item[from].out);
        const bool takes_all = p->kind == PROCESS_SINK || p->kind == PROCESS_COUNT ||
                               (p->kind == PROCESS_WINDOW && p->as.window.pixels > 1);
        for (unsigned i = 0; i < lanes && takes_all; i++)
            e->used[from][i] = true;
        for (unsigned i = 0; i < stream_elements(&p->out) && !takes_all; i++)
            if (e->used[p->id][i])
                e->used[from][i % lanes] = true;
    }
}

struct estimate circuit_estimate(struct arena *arena, const struct circuit *circuit)
{
    const size_t count = circuit->processes.count;
    struct estimating e = {arena, circuit, circuit_readers(arena, circuit),
                           ARENA_ARRAY(arena, bool *, count + 1)};
    struct resources **edge = ARENA_ARRAY(arena, struct resources *, count + 1);
    struct estimate out = {.process = ARENA_ARRAY(arena, struct resources, count + 1),
                           .edge = edge,
                           .split = ARENA_ARRAY(arena, struct resources, count + 1),
                           .total = {.luts = 2, .registers = 2}}; /* the reset, and sync_error */
    for (size_t i = 0; i < count; i++)
        e.used[i] = ARENA_ARRAY(arena, bool, stream_elements(&circuit->processes.item[i].out) + 1);
    for (size_t i = count; i-- > 0;)
        use_elements(&e, &circuit->processes.item[i]);
    for (size_t i = 0; i < count; i++) {
        const struct process *p = &circuit->processes.item[i];
        edge[i] = ARENA_ARRAY(arena, struct resources, p->edge_count + 1);
        out.process[i] = process_resources(&e, p);
        if (e.readers[i] > 1)
            out.split[i] =
                (struct resources){.luts = 2 * e.readers[i] + 1, .registers = e.readers[i]};
        for (unsigned k = 0; k < p->edge_count; k++) {
            edge[i][k] = edge_resources(&e, &p->edge[k]);
            resources_add(&out.total, edge[i][k]);
        }
        resources_add(&out.total, out.process[i]);
        resources_add(&out.total, out.split[i]);
    }
    return out;
}
