/* What is read of a stream at other places comes from windows: up and down the lines first, whose
 * memory then holds as few taps as can be, and along a line behind it. */
#include "hardware/lowering.h"
#include "expr/affine.h"

/* ---- Groups of reads ---- */

/* The affine index as a number of places of what is read. False after a refusal. */
static bool place_along(struct lowering *l, const struct expr *load, enum raster r,
                        struct along *out)
{
    const struct stage *source = lowering_stage(l, load->as.load.source);
    const struct shape *from = &l->shape[source->id.index], *own = l->own;
    *out = (struct along){.stride = 1};
    if (from->axis[r] == NO_AXIS) {
        if (own->extent[r] > 1 && from->axis[RASTER_TOKENS] == NO_AXIS)
            refuse_stage(l, REFUSED_WHOLE, source->name->text, NULL);
        else if (own->extent[r] > 1)
            refuse_stage(l, REFUSED_RASTER,
                         arena_format(l->values.arena, "'%s' has one line", source->name->text),
                         NULL);
        return own->extent[r] <= 1;
    }
    const struct border border = border_of(load, from->axis[r]);
    const struct scaled_index index = affine_index(load->operand[from->axis[r]]);
    const struct expr *variable =
        own->axis[r] == NO_AXIS ? NULL : l->stage->axis[own->axis[r]].variable;
    const int64_t factor =
        index.numerator.exact && variable ? affine_coefficient(&index.numerator, variable) : 0;
    const unsigned atoms = factor != 0;
    if (!index.numerator.exact || index.numerator.count != atoms ||
        (factor == 0 && own->extent[r] > 1) || factor < 0 ||
        (index.denominator != 1 && (index.denominator != 2 || factor != 1))) {
        refuse_stage(l, REFUSED_GATHER, source->name->text, NULL);
        return false;
    }
    out->rule =
        border.rule == BORDER_EXTEND || border.rule == BORDER_VALID ? BORDER_NONE : border.rule;
    if (out->rule == BORDER_WRAP ||
        (out->rule == BORDER_CONSTANT && border.value->kind != EXPR_INTEGER)) {
        refuse_stage(l, REFUSED_BORDER, border_text[out->rule], source->name->text);
        return false;
    }
    out->outside = out->rule == BORDER_CONSTANT ? border.value->as.integer : 0;
    const int64_t start = factor * own->first[r] + index.numerator.constant;
    out->twice = index.denominator == 2;
    if (out->twice) {
        const bool mirrors =
            out->rule == BORDER_NONE || out->rule == BORDER_CLAMP || out->rule == BORDER_REFLECT;
        if (from->first[r] != 0 || own->first[r] != 0 || start < 0 || start > 1 || !mirrors) {
            refuse_stage(l, REFUSED_UP, source->name->text, NULL);
            return false;
        }
        if (own->extent[r] > 2 * from->extent[r] || own->extent[r] + 1 < 2 * from->extent[r]) {
            refuse_stage(l, REFUSED_UP, source->name->text, NULL);
            return false;
        }
        out->rule = BORDER_CLAMP;
        out->least = out->greatest = start;
        return true;
    }
    out->stride = factor && own->extent[r] > 1 ? factor : 1;
    if (out->stride & (out->stride - 1)) {
        refuse_stage(l, REFUSED_STRIDE, source->name->text, lowering_number(l, factor));
        return false;
    }
    out->least = out->greatest = start - from->first[r];
    if ((int64_t)(own->extent[r] - 1) * out->stride >= from->extent[r]) {
        refuse_stage(l, REFUSED_LARGER, source->name->text, NULL);
        return false;
    }
    return true;
}

static bool along_agrees(const struct along *a, const struct along *b)
{
    return a->twice == b->twice && a->stride == b->stride &&
           (a->rule == BORDER_NONE || b->rule == BORDER_NONE ||
            (a->rule == b->rule && a->outside == b->outside));
}

/* The group that takes the load in; made at need. NULL after a refusal. */
static struct group *group_of(struct lowering *l, const struct expr *load, struct along along[])
{
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        if (!place_along(l, load, (enum raster)r, &along[r]))
            return NULL;
    for (size_t i = 0; i < l->groups.count; i++) {
        struct group *group = &l->groups.item[i];
        if (group->source == load->as.load.source &&
            along_agrees(&group->along[RASTER_LINES], &along[RASTER_LINES]) &&
            along_agrees(&group->along[RASTER_TOKENS], &along[RASTER_TOKENS]))
            return group;
    }
    struct group group = {.source = load->as.load.source};
    memcpy(group.along, along, sizeof group.along);
    VECTOR_PUSH(l->values.scratch, &l->groups, group);
    return &l->groups.item[l->groups.count - 1];
}

void lowering_collect(const struct expr *node, void *user)
{
    struct lowering *l = user;
    struct along along[RASTER_COUNT];
    if (node->kind != EXPR_LOAD || !l->shape[node->as.load.source].streams ||
        node->as.load.source == l->stage->id.index || l->values.refusal->refused)
        return;
    struct group *group = group_of(l, node, along);
    for (unsigned r = 0; group && r < RASTER_COUNT; r++) {
        struct along *all = &group->along[r];
        all->least = along[r].least < all->least ? along[r].least : all->least;
        all->greatest = along[r].greatest > all->greatest ? along[r].greatest : all->greatest;
        if (all->rule == BORDER_NONE) {
            all->rule = along[r].rule;
            all->outside = along[r].outside;
        }
    }
}

/* ---- Processes ---- */

static const struct symbol *fresh_name(struct lowering *l, const char *base)
{
    struct symbol_table *symbols = &l->session->symbols;
    const struct symbol *name = symbol_from(symbols, base);
    for (unsigned n = 2;; n++) {
        bool taken = false;
        for (size_t i = 0; i < l->circuit->processes.count; i++)
            taken = taken || l->circuit->processes.item[i].name == name;
        if (!taken)
            return name;
        name = symbol_format(symbols, "%s_%u", base, n);
    }
}

uint32_t lowering_add(struct lowering *l, const char *name, struct process process)
{
    process.name = fresh_name(l, name);
    process.span = l->stage->span;
    process.edge =
        arena_copy(l->values.arena, process.edge, process.edge_count * sizeof *process.edge);
    return circuit_add(l->values.arena, l->circuit, process);
}

static bool same_process(const struct process *a, const struct process *b)
{
    if (a->kind != b->kind || a->edge_count != 1 || a->edge[0].from != b->edge[0].from ||
        a->out.lines != b->out.lines || a->out.tokens != b->out.tokens)
        return false;
    if (a->kind == PROCESS_TWICE)
        return a->as.twice.axis == b->as.twice.axis;
    return a->kind == PROCESS_WINDOW && a->as.window.axis == b->as.window.axis &&
           a->as.window.taps == b->as.window.taps && a->as.window.before == b->as.window.before &&
           a->as.window.stride == b->as.window.stride && a->as.window.rule == b->as.window.rule &&
           a->as.window.outside == b->as.window.outside;
}

/* The process, or one that does the same already. */
static uint32_t add_once(struct lowering *l, const char *name, struct process process)
{
    for (size_t i = 0; i < l->circuit->processes.count; i++)
        if (same_process(&l->circuit->processes.item[i], &process))
            return (uint32_t)i;
    return lowering_add(l, name, process);
}

static struct interval with_outside(struct interval interval, const struct along *along)
{
    if (along->rule != BORDER_CONSTANT && along->rule != BORDER_ZERO)
        return interval;
    return interval_hull(interval, (struct interval){along->outside, along->outside});
}

/* A place beyond an end stands for one as far on this side of it, which the window must hold, too.
 */
static void reach_mirrored(struct along *along, int64_t n, int64_t extent)
{
    const int64_t less = along->rule == BORDER_REFLECT; /* the sample at the end counts twice */
    const int64_t last = (extent - 1) * along->stride;  /* place in the middle of a window */
    if (along->twice || (along->rule != BORDER_REFLECT && along->rule != BORDER_REFLECT101))
        return;
    const int64_t after = -along->least - less;
    if (along->least < 0 && after > along->greatest)
        along->greatest = after;
    const int64_t before = along->greatest - less - 2 * (n - 1 - last);
    if (last + along->greatest >= n && -before < along->least)
        along->least = -before;
}

/* What gives the places of one group along lines or places of `from`, for `extent` of them. */
static uint32_t add_along(struct lowering *l, uint32_t from, enum raster r,
                          const struct along *along, uint32_t extent)
{
    static const char *const window_word[RASTER_COUNT] = {"column", "window"};
    static const char *const twice_word[RASTER_COUNT] = {"twice_down", "twice_along"};
    const struct process *giver = &l->circuit->processes.item[from];
    const char *of = giver->name->text;
    const uint32_t n = r == RASTER_LINES ? giver->out.lines : giver->out.tokens;
    const struct edge edge = {.from = from};
    struct process p = {.edge_count = 1, .edge = &edge, .out = giver->out};
    p.out.lanes = stream_elements(&giver->out);
    p.out.tagged = false;
    if (r == RASTER_LINES)
        p.out.lines = extent;
    else
        p.out.tokens = extent;
    if (along->twice) {
        p.kind = PROCESS_TWICE;
        p.out.taps = 2;
        p.as.twice.axis = r;
        return add_once(l, arena_format(l->values.arena, "%s.%s", of, twice_word[r]), p);
    }
    const int64_t before = along->least < 0 ? -along->least : 0;
    const int64_t after = along->greatest > 0 ? along->greatest : 0;
    if (before == 0 && after == 0 && along->stride == 1 && extent == n)
        return from;
    if (before >= n || after >= n) {
        refuse_stage(l, REFUSED_SMALL, lowering_number(l, before + 1 + after),
                     arena_format(l->values.arena, "%u %s that '%s' has", n, raster_text[r], of));
        return from;
    }
    p.kind = PROCESS_WINDOW;
    p.out.taps = (unsigned)(before + 1 + after);
    p.out.interval = with_outside(p.out.interval, along);
    p.as.window.axis = r;
    p.as.window.taps = p.out.taps;
    p.as.window.before = (unsigned)before;
    p.as.window.stride = (unsigned)along->stride;
    p.as.window.pixels = 1;
    p.as.window.rule = along->rule;
    p.as.window.outside = along->outside;
    return add_once(l, arena_format(l->values.arena, "%s.%s", of, window_word[r]), p);
}

static bool has_constant(const struct along *along)
{
    return along->rule == BORDER_ZERO || along->rule == BORDER_CONSTANT;
}

/* What is outside of both lines and places is what the rule of lines says: where that of places
 * says something else, lines have to come last. */
static bool corners_are_of_lines(const struct group *group)
{
    const struct along *lines = &group->along[RASTER_LINES], *tokens = &group->along[RASTER_TOKENS];
    return has_constant(lines) && has_constant(tokens) && lines->outside != tokens->outside;
}

void lowering_add_edges(struct lowering *l)
{
    const struct shape *own = l->own;
    for (size_t i = 0; i < l->groups.count && !l->values.refusal->refused; i++) {
        struct group *group = &l->groups.item[i];
        const struct shape *source = &l->shape[group->source];
        uint32_t from = l->given[group->source];
        for (unsigned r = 0; r < RASTER_COUNT; r++)
            reach_mirrored(&group->along[r], source->extent[r], own->extent[r]);
        group->tokens_first = corners_are_of_lines(group);
        for (unsigned k = 0; k < RASTER_COUNT && !l->values.refusal->refused; k++) {
            const enum raster r = (enum raster)(group->tokens_first ? RASTER_COUNT - 1 - k : k);
            from = add_along(l, from, r, &group->along[r], own->extent[r]);
        }
        group->edge = (unsigned)l->edges.count;
        VECTOR_PUSH(l->values.scratch, &l->edges, (struct edge){.from = from});
    }
}

/* ---- Elements ---- */

/* The tap that an offset is, of those of the group. */
static unsigned tap_of(const struct along *group, const struct along *load)
{
    return (unsigned)(load->least - (group->least < 0 ? group->least : 0));
}

static unsigned taps_of(const struct along *group)
{
    const int64_t before = group->least < 0 ? -group->least : 0;
    const int64_t after = group->greatest > 0 ? group->greatest : 0;
    return group->twice ? 2 : (unsigned)(before + 1 + after);
}

const struct expr *lowering_element(struct lowering *l, const struct expr *load)
{
    struct along along[RASTER_COUNT];
    const struct group *group = group_of(l, load, along);
    if (!group)
        return load;
    const unsigned lanes = l->shape[load->as.load.source].lanes;
    const unsigned line = tap_of(&group->along[RASTER_LINES], &along[RASTER_LINES]);
    const unsigned place = tap_of(&group->along[RASTER_TOKENS], &along[RASTER_TOKENS]);
    const unsigned tap = group->tokens_first ? line * taps_of(&group->along[RASTER_TOKENS]) + place
                                             : place * taps_of(&group->along[RASTER_LINES]) + line;
    const unsigned element = tap * lanes + lane_of(l, load);
    const struct stream *stream = &l->circuit->processes.item[l->edges.item[group->edge].from].out;
    const struct expr *taken =
        circuit_element(l->values.pool, group->edge, element, stream->interval);
    return load->scalar == SCALAR_BOOL /* in a stream it is a number */
               ? expr_binary(l->values.pool, EXPR_NOT_EQUAL, taken, expr_integer(l->values.pool, 0))
               : taken;
}
