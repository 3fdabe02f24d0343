/* Each stage becomes a pipe whose tokens have the stage's lanes. What it reads of a stream at other
 * places comes from windows: up and down the lines first, whose memory then holds as few taps as
 * can be, and along a line behind it. */
#include "hardware/lower.h"
#include "expr/affine.h"
#include "expr/borders.h"
#include "hardware/delay.h"
#include "hardware/values.h"

enum { NOT_GIVEN = UINT32_MAX };

/* How one stage reads another along lines or places. */
struct along {
    bool twice;              /* at (p + offset) / 2 */
    int64_t stride;          /* at p * stride + offset */
    int64_t least, greatest; /* offsets */
    enum border_rule rule;
    int64_t outside; /* of CONSTANT */
};

/* Reads that one chain of windows serves. */
struct group {
    uint32_t source; /* stage */
    struct along along[RASTER_COUNT];
    unsigned edge;
};

struct lowering {
    struct session *session;
    struct values values;
    const struct graph *graph;
    const struct shape *shape;
    struct circuit *circuit;
    uint32_t *given; /* by stage: the process that gives its samples */
    uint32_t *table; /* by stage: its number among the tables */
    const struct stage *stage;
    VECTOR(struct group) groups; /* of the stage at hand */
    VECTOR(struct edge) edges;
    unsigned state_taps; /* steps that a recurrence looks back */
};

static void refuse_stage(struct lowering *l, enum refusal_reason reason, const char *a,
                         const char *b)
{
    refuse(l->values.arena, l->values.refusal, reason, l->stage, a, b);
}

static const char *number(struct lowering *l, int64_t value)
{
    return arena_format(l->values.arena, "%lld", (long long)value);
}

/* ---- Lanes ---- */

/* The coordinates along axes of lanes of lane `lane`, as a substitution. */
static size_t lane_places(struct lowering *l, unsigned lane, struct expr_substitution by[])
{
    const struct shape *shape = &l->shape[l->stage->id.index];
    size_t count = 0;
    for (unsigned k = l->stage->rank; k-- > 0;) {
        if (!shape_has_lane(shape, k))
            continue;
        const struct stage_axis *axis = &l->stage->axis[k];
        const unsigned extent = (unsigned)axis->computed_extent->as.integer;
        by[count++] = (struct expr_substitution){
            axis->variable,
            expr_integer(l->values.pool, axis->computed_first->as.integer + lane % extent)};
        lane /= extent;
    }
    return count;
}

/* The lane that a load reads, whose indices along axes of lanes are numbers. */
static unsigned lane_of(const struct lowering *l, const struct expr *load)
{
    const struct stage *source = l->graph->stages.item[load->as.load.source];
    const struct shape *shape = &l->shape[source->id.index];
    int64_t lane = 0;
    for (unsigned k = 0; k < source->rank; k++)
        if (shape_has_lane(shape, k))
            lane = lane * source->axis[k].computed_extent->as.integer +
                   (load->operand[k]->as.integer - source->axis[k].computed_first->as.integer);
    return (unsigned)lane;
}

/* ---- Reads that are no windows ---- */

static const struct expr *normal(struct lowering *l, const struct expr *value);

static struct border border_of(const struct expr *load, unsigned k)
{
    return load->as.load.border ? load->as.load.border[k]
                                : (struct border){BORDER_NONE, NULL, NULL, NULL};
}

static const struct expr *load_at(struct lowering *l, const struct expr *load, unsigned k,
                                  const struct expr *index)
{
    const struct expr *operand[GRAPH_MAX_RANK];
    memcpy(operand, load->operand, load->count * sizeof *operand);
    operand[k] = index;
    return expr_with_operands(l->values.pool, load, operand);
}

/* Whether the stage reads streams at its own places alone. */
struct pointwise {
    const struct lowering *l;
    const struct stage *stage;
    bool holds;
};

static void look_for_windows(const struct expr *node, void *user)
{
    struct pointwise *p = user;
    if (node->kind != EXPR_LOAD || !p->l->shape[node->as.load.source].streams)
        return;
    const struct shape *own = &p->l->shape[p->stage->id.index];
    const struct shape *source = &p->l->shape[node->as.load.source];
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        p->holds = p->holds && own->extent[r] == source->extent[r] &&
                   own->first[r] == source->first[r] &&
                   (own->axis[r] == NO_AXIS) == (source->axis[r] == NO_AXIS) &&
                   (own->axis[r] == NO_AXIS ||
                    node->operand[source->axis[r]] == p->stage->axis[own->axis[r]].variable);
}

static bool is_pointwise(struct lowering *l, const struct stage *stage)
{
    struct pointwise p = {l, stage, stage->kind == STAGE_MAP};
    if (p.holds)
        stage_nodes(stage, l->values.scratch, look_for_windows, &p);
    return p.holds;
}

/* Whether the load reads at the places of the stage at hand. */
static bool reads_own_place(struct lowering *l, const struct expr *load)
{
    struct pointwise p = {l, l->stage, true};
    look_for_windows(load, &p);
    return p.holds;
}

/* The value of the stage that is read, at the places where it is read. */
static const struct expr *inlined(struct lowering *l, const struct expr *load)
{
    const struct stage *source = l->graph->stages.item[load->as.load.source];
    struct expr_substitution by[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < source->rank; k++) {
        const struct expr *index = load->operand[k];
        if (shape_has_lane(&l->shape[source->id.index], k))
            index = value_clamped(&l->values, index, border_of(load, k).rule,
                                  source->axis[k].computed_first->as.integer,
                                  source->axis[k].computed_extent->as.integer);
        if (!index) {
            refuse_stage(l, REFUSED_TABLE, source->name->text, NULL);
            return load;
        }
        by[k] = (struct expr_substitution){source->axis[k].variable, index};
    }
    return normal(l, value_substituted(&l->values, source->value, source->rank, by));
}

/* The load where its index along an axis of lanes is a number that is inside, or what stands for
 * it. */
static const struct expr *at_known_lane(struct lowering *l, const struct expr *load, unsigned k)
{
    const struct stage *source = l->graph->stages.item[load->as.load.source];
    const struct border border = border_of(load, k);
    bool outside = false;
    const int64_t index = load->operand[k]->as.integer;
    const int64_t first = source->axis[k].computed_first->as.integer;
    const int64_t extent = source->axis[k].computed_extent->as.integer;
    if (index >= first && index < first + extent)
        return load;
    const int64_t place = border_coordinate(border.rule, index, first, extent, &outside);
    if (!outside)
        return load_at(l, load, k, expr_integer(l->values.pool, place));
    return border.rule == BORDER_CONSTANT ? border.value : expr_integer(l->values.pool, 0);
}

/* Of lanes that data choose: all are there, and one is taken. */
static const struct expr *picked_lane(struct lowering *l, const struct expr *load, unsigned k)
{
    const struct stage *source = l->graph->stages.item[load->as.load.source];
    if (is_pointwise(l, source) && reads_own_place(l, load))
        return inlined(l, load);
    const int64_t first = source->axis[k].computed_first->as.integer;
    const int64_t extent = source->axis[k].computed_extent->as.integer;
    const struct expr *index =
        value_clamped(&l->values, load->operand[k], border_of(load, k).rule, first, extent);
    if (!index) {
        refuse_stage(l, REFUSED_TABLE, source->name->text, NULL);
        return load;
    }
    const struct expr **choice =
        ARENA_ARRAY(l->values.scratch, const struct expr *, (size_t)extent);
    for (int64_t i = 0; i < extent; i++)
        choice[i] = normal(l, load_at(l, load, k, expr_integer(l->values.pool, first + i)));
    return value_picked(&l->values, index, first, (size_t)extent, choice);
}

static const struct expr *normal_load(struct lowering *l, const struct expr *load)
{
    const struct stage *source = l->graph->stages.item[load->as.load.source];
    const struct shape *shape = &l->shape[source->id.index];
    if (source->kind == STAGE_CONSTANT) {
        const struct expr *known = stage_constant_at(source, load);
        return known ? known : load;
    }
    if (!shape->streams && source->kind == STAGE_MAP)
        return inlined(l, load);
    if (source->id.index == l->stage->id.index)
        return load;
    if (!shape->streams) {
        refuse_stage(l, REFUSED_WHOLE, source->name->text, NULL);
        return load;
    }
    for (unsigned k = 0; k < source->rank; k++) {
        if (!shape_has_lane(shape, k))
            continue;
        if (load->operand[k]->kind != EXPR_INTEGER)
            return picked_lane(l, load, k);
        load = at_known_lane(l, load, k);
        if (load->kind != EXPR_LOAD)
            return load;
    }
    return load;
}

static const struct expr *normal_node(const struct expr *node, void *user)
{
    struct lowering *l = user;
    return node->kind == EXPR_LOAD && !l->values.refusal->refused ? normal_load(l, node) : node;
}

/* Without reductions, and with loads of lanes that are known, of stages that stream, and of tables.
 * */
static const struct expr *normal(struct lowering *l, const struct expr *value)
{
    struct expr_rewriter rewriter = {
        .pool = l->values.pool, .rule = normal_node, .context = l, .scratch = l->values.scratch};
    value = value_expanded(&l->values, value);
    if (l->values.refusal->refused)
        return value;
    return expr_rewrite(&rewriter, value);
}

/* ---- Groups of reads ---- */

/* The affine index as a number of places of what is read. False after a refusal. */
static bool place_along(struct lowering *l, const struct expr *load, enum raster r,
                        struct along *out)
{
    const struct stage *source = l->graph->stages.item[load->as.load.source];
    const struct shape *from = &l->shape[source->id.index], *own = &l->shape[l->stage->id.index];
    *out = (struct along){.stride = 1};
    if (from->axis[r] == NO_AXIS) {
        if (own->extent[r] > 1)
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
    out->stride = factor ? factor : 1;
    if (out->stride & (out->stride - 1)) {
        refuse_stage(l, REFUSED_STRIDE, source->name->text, number(l, factor));
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

static void collect(const struct expr *node, void *user)
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

static uint32_t add_process(struct lowering *l, const char *name, struct process process)
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
    return add_process(l, name, process);
}

static struct interval with_outside(struct interval interval, const struct along *along)
{
    if (along->rule != BORDER_CONSTANT && along->rule != BORDER_ZERO)
        return interval;
    return interval_hull(interval, (struct interval){along->outside, along->outside});
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
        refuse_stage(l, REFUSED_SMALL, number(l, before + 1 + after),
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
    p.as.window.rule = along->rule;
    p.as.window.outside = along->outside;
    return add_once(l, arena_format(l->values.arena, "%s.%s", of, window_word[r]), p);
}

static void add_edges(struct lowering *l)
{
    const struct shape *own = &l->shape[l->stage->id.index];
    for (size_t i = 0; i < l->groups.count && !l->values.refusal->refused; i++) {
        struct group *group = &l->groups.item[i];
        uint32_t from = l->given[group->source];
        for (unsigned r = 0; r < RASTER_COUNT && !l->values.refusal->refused; r++)
            from = add_along(l, from, (enum raster)r, &group->along[r], own->extent[r]);
        group->edge = (unsigned)l->edges.count;
        VECTOR_PUSH(l->values.scratch, &l->edges, (struct edge){.from = from});
    }
}

/* ---- Values of pipes ---- */

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

static const struct expr *element_of(struct lowering *l, const struct expr *load)
{
    struct along along[RASTER_COUNT];
    const struct group *group = group_of(l, load, along);
    if (!group)
        return load;
    const unsigned lanes = l->shape[load->as.load.source].lanes;
    const unsigned line = tap_of(&group->along[RASTER_LINES], &along[RASTER_LINES]);
    const unsigned place = tap_of(&group->along[RASTER_TOKENS], &along[RASTER_TOKENS]);
    const unsigned element =
        (place * taps_of(&group->along[RASTER_LINES]) + line) * lanes + lane_of(l, load);
    const struct stream *stream = &l->circuit->processes.item[l->edges.item[group->edge].from].out;
    return circuit_element(l->values.pool, group->edge, element, stream->interval);
}

/* The table of a constant stage; made at the first read. */
static uint32_t table_of(struct lowering *l, const struct stage *stage)
{
    if (l->table[stage->id.index] != NOT_GIVEN)
        return l->table[stage->id.index];
    int64_t *value = ARENA_ARRAY(l->values.arena, int64_t, stage->as.constant.count + 1);
    struct interval interval = {INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < stage->as.constant.count; i++) {
        const struct expr *v = stage->as.constant.value[i];
        value[i] = v->as.integer;
        interval = interval_hull(interval, (struct interval){value[i], value[i]});
    }
    const struct circuit_table table = {stage->name, interval, stage->as.constant.count, value};
    l->table[stage->id.index] = (uint32_t)l->circuit->tables.count;
    VECTOR_PUSH(l->values.arena, &l->circuit->tables, table);
    return l->table[stage->id.index];
}

static const struct expr *sample_of(struct lowering *l, const struct expr *load)
{
    const struct stage *stage = l->graph->stages.item[load->as.load.source];
    const struct expr *address = expr_integer(l->values.pool, 0);
    if (scalar_is_float(stage->element)) {
        refuse_stage(l, REFUSED_FLOAT, scalar_info[stage->element].text, NULL);
        return load;
    }
    for (unsigned k = 0; k < stage->rank; k++) {
        const int64_t first = stage->axis[k].computed_first->as.integer;
        const int64_t extent = stage->axis[k].computed_extent->as.integer;
        const struct expr *index =
            value_clamped(&l->values, load->operand[k], border_of(load, k).rule, first, extent);
        if (!index) {
            refuse_stage(l, REFUSED_TABLE, stage->name->text, NULL);
            return load;
        }
        struct expr_pool *pool = l->values.pool;
        address = expr_binary(pool, EXPR_ADD,
                              expr_binary(pool, EXPR_MULTIPLY, address, expr_integer(pool, extent)),
                              expr_binary(pool, EXPR_SUBTRACT, index, expr_integer(pool, first)));
    }
    return circuit_sample(l->values.pool, l->circuit, table_of(l, stage), address);
}

/* ---- Recurrences ---- */

/* Which of the axes of lines and places the recurrence runs along. False after a refusal. */
static bool scan_axis(struct lowering *l, enum raster *axis)
{
    const struct shape *own = &l->shape[l->stage->id.index];
    const char *why = NULL;
    if (l->stage->as.recurrence.reversed)
        why = "from the end of the frame on";
    else if (l->stage->as.recurrence.unbounded)
        why = "on a line without ends";
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        if (own->axis[r] == l->stage->as.recurrence.axis) {
            *axis = (enum raster)r;
            if (!why)
                return true;
        }
    refuse_stage(l, REFUSED_SELF, why ? why : "along an axis of channels", NULL);
    return false;
}

/* How many lines or places before the load is; 0 after a refusal. */
static int64_t steps_before(struct lowering *l, const struct expr *load, enum raster axis)
{
    const struct shape *own = &l->shape[l->stage->id.index];
    const enum raster other = axis == RASTER_LINES ? RASTER_TOKENS : RASTER_LINES;
    const struct expr *variable = l->stage->axis[own->axis[axis]].variable;
    const struct affine along = affine_from(load->operand[own->axis[axis]]);
    const bool straight =
        own->axis[other] == NO_AXIS ||
        load->operand[own->axis[other]] == l->stage->axis[own->axis[other]].variable;
    if (straight && along.exact && along.count == 1 && affine_coefficient(&along, variable) == 1 &&
        along.constant < 0)
        return -along.constant;
    refuse_stage(l, REFUSED_SELF, "at places that are not straight before", NULL);
    return 0;
}

/* The result some steps before, or the number that stands for it where there is none. */
static const struct expr *own_result(struct lowering *l, const struct expr *load)
{
    enum raster axis = RASTER_LINES;
    struct expr_pool *pool = l->values.pool;
    const struct shape *own = &l->shape[l->stage->id.index];
    if (!scan_axis(l, &axis))
        return load;
    const int64_t steps = steps_before(l, load, axis);
    const struct border border = border_of(load, own->axis[axis]);
    const bool is_number = border.rule == BORDER_ZERO ||
                           (border.rule == BORDER_CONSTANT && border.value->kind == EXPR_INTEGER);
    if (!steps)
        return load;
    if (!is_number) {
        refuse_stage(l, REFUSED_SELF, "from what is no number on", NULL);
        return load;
    }
    if (steps >= own->extent[axis]) {
        refuse_stage(l, REFUSED_SELF, "farther away than the image is large", NULL);
        return load;
    }
    l->state_taps = steps > l->state_taps ? (unsigned)steps : l->state_taps;
    const unsigned element = (unsigned)(steps - 1) * own->lanes + lane_of(l, load);
    const struct expr *before = circuit_element(pool, PIPE_STATE, element, load->interval);
    const struct expr *position =
        circuit_position(pool, &l->session->symbols, axis, own->extent[axis]);
    return expr_select(
        pool, expr_binary(pool, EXPR_LESS, position, expr_integer(pool, steps)),
        expr_integer(pool, border.rule == BORDER_ZERO ? 0 : border.value->as.integer), before);
}

/* A pipe that reads its own results. Those of lines are in memory when the next line wants them: a
 * line is longer than the pipe. */
static void make_scan(struct lowering *l, struct process *pipe)
{
    enum { MORE = 4 };
    const size_t count = pipe->as.pipe.count;
    pipe->kind = PROCESS_SCAN;
    pipe->out.interval = interval_hull(pipe->out.interval, l->stage->interval);
    pipe->as.pipe.state.taps = l->state_taps;
    scan_axis(l, &pipe->as.pipe.state.axis);
    if (pipe->as.pipe.state.axis == RASTER_TOKENS) {
        const unsigned delay = loop_delay(l->values.scratch, pipe->as.pipe.value, count);
        if (delay > MOST_LOOP_DELAY)
            refuse_stage(l, REFUSED_LOOP, number(l, (delay + DELAY_OF_ADDER - 1) / DELAY_OF_ADDER),
                         NULL);
        return;
    }
    uint32_t depth = 0;
    for (size_t i = 0; i < count; i++)
        depth = pipe->as.pipe.value[i]->depth > depth ? pipe->as.pipe.value[i]->depth : depth;
    if (pipe->out.tokens <= 2 * depth + MORE)
        refuse_stage(
            l, REFUSED_SELF,
            arena_format(l->values.arena, "of lines shorter than %u places", 2 * depth + MORE + 1),
            NULL);
}

struct leaves {
    struct lowering *l;
    struct expr_rewriter rewriter;
};

static const struct expr *leaf(const struct expr *node, void *user)
{
    struct leaves *leaves = user;
    struct lowering *l = leaves->l;
    const struct shape *own = &l->shape[l->stage->id.index];
    if (l->values.refusal->refused)
        return node;
    if (node->kind == EXPR_LOAD && node->as.load.source == l->stage->id.index)
        return own_result(l, leaves->rewriter.original);
    if (node->kind == EXPR_LOAD) /* places of streams are those that the program gave */
        return l->shape[node->as.load.source].streams ? element_of(l, leaves->rewriter.original)
                                                      : sample_of(l, node);
    for (unsigned r = 0; node->kind == EXPR_VARIABLE && r < RASTER_COUNT; r++)
        if (own->axis[r] != NO_AXIS && node == l->stage->axis[own->axis[r]].variable)
            return expr_binary(l->values.pool, EXPR_ADD,
                               circuit_position(l->values.pool, &l->session->symbols,
                                                (enum raster)r, own->extent[r]),
                               expr_integer(l->values.pool, own->first[r]));
    return node;
}

/* Ranges become those of the elements, so that conversions may turn out to do nothing. */
static const struct expr *settled(struct lowering *l, const struct expr *value)
{
    struct leaves leaves = {.l = l};
    leaves.rewriter = (struct expr_rewriter){
        .pool = l->values.pool, .rule = leaf, .context = &leaves, .scratch = l->values.scratch};
    return value_expanded(&l->values, expr_rewrite(&leaves.rewriter, value));
}

static struct stream stream_of(const struct lowering *l, struct interval interval)
{
    const struct shape *shape = &l->shape[l->stage->id.index];
    return (struct stream){shape->extent[RASTER_LINES],
                           shape->extent[RASTER_TOKENS],
                           1,
                           shape->lanes,
                           interval,
                           false};
}

static void lower_map(struct lowering *l)
{
    const unsigned lanes = l->shape[l->stage->id.index].lanes;
    const struct expr **value = ARENA_ARRAY(l->values.arena, const struct expr *, lanes + 1);
    struct expr_walk walk = {.scratch = l->values.scratch};
    memset(&l->groups, 0, sizeof l->groups);
    memset(&l->edges, 0, sizeof l->edges);
    l->state_taps = 0;
    for (unsigned lane = 0; lane < lanes && !l->values.refusal->refused; lane++) {
        struct expr_substitution by[GRAPH_MAX_RANK];
        const size_t count = lane_places(l, lane, by);
        value[lane] = normal(l, value_substituted(&l->values, l->stage->value, count, by));
        if (!l->values.refusal->refused)
            expr_visit(&walk, value[lane], collect, l);
    }
    if (!l->values.refusal->refused)
        add_edges(l);
    struct interval interval = {INT64_MAX, INT64_MIN};
    for (unsigned lane = 0; lane < lanes && !l->values.refusal->refused; lane++) {
        value[lane] = settled(l, value[lane]);
        const bool truth = value[lane]->scalar == SCALAR_BOOL;
        interval = interval_hull(interval, truth ? (struct interval){0, 1} : value[lane]->interval);
    }
    if (l->values.refusal->refused)
        return;
    if (l->edges.count == 0) {
        refuse_stage(l, REFUSED_RASTER, "it reads no image", NULL);
        return;
    }
    struct process pipe = {.kind = PROCESS_PIPE,
                           .edge_count = (unsigned)l->edges.count,
                           .edge = l->edges.item,
                           .out = stream_of(l, interval)};
    pipe.as.pipe.value = value;
    pipe.as.pipe.count = lanes;
    if (l->stage->kind == STAGE_RECURRENCE && l->state_taps)
        make_scan(l, &pipe);
    if (l->values.refusal->refused)
        return;
    l->given[l->stage->id.index] = add_process(l, l->stage->name->text, pipe);
}

/* Where the samples of the stage at hand lie, were it packed. */
static void lay_out(struct lowering *l, struct process *port)
{
    const struct shape *shape = &l->shape[l->stage->id.index];
    int64_t stride[GRAPH_MAX_RANK], packed = 1;
    int64_t *lane = ARENA_ARRAY(l->values.arena, int64_t, shape->lanes + 1);
    for (unsigned k = l->stage->rank; k-- > 0;) {
        stride[k] = packed;
        packed *= l->stage->axis[k].computed_extent->as.integer;
    }
    for (unsigned i = 0; i < shape->lanes; i++) {
        unsigned rest = i;
        for (unsigned k = l->stage->rank; k-- > 0;) {
            const unsigned extent = (unsigned)l->stage->axis[k].computed_extent->as.integer;
            if (!shape_has_lane(shape, k))
                continue;
            lane[i] += rest % extent * stride[k];
            rest /= extent;
        }
    }
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        port->as.source.stride[r] = shape->axis[r] == NO_AXIS ? 0 : stride[shape->axis[r]];
    port->as.source.lane = lane;
    port->as.source.element = l->stage->element;
}

static void lower_input(struct lowering *l)
{
    if (scalar_is_float(l->stage->element)) {
        refuse_stage(l, REFUSED_FLOAT, scalar_info[l->stage->element].text, NULL);
        return;
    }
    struct process source = {.kind = PROCESS_SOURCE, .out = stream_of(l, l->stage->interval)};
    source.as.source.position = l->stage->as.input.position;
    lay_out(l, &source);
    l->given[l->stage->id.index] = add_process(l, l->stage->name->text, source);
}

static void lower_stage(struct lowering *l)
{
    switch (l->stage->kind) {
    case STAGE_INPUT:
        lower_input(l);
        return;
    case STAGE_MAP:
    case STAGE_TABLE:
    case STAGE_RECURRENCE:
        if (l->shape[l->stage->id.index].streams)
            lower_map(l);
        return;
    case STAGE_CONSTANT:
        return;
    case STAGE_SCATTER:
        refuse_stage(l, REFUSED_KIND, "it counts", "count on a processor");
        return;
    case STAGE_TRANSFORM:
        refuse_stage(l, REFUSED_KIND, "a transform needs whole lines", "filter by windows");
        return;
    case STAGE_CARRIED:
        refuse_stage(l, REFUSED_KIND, "it is repeated as often as a number tells that is not known",
                     "use for k in 0 ..< n with a constant n");
        return;
    case STAGE_REDUCE:
    case STAGE_JOINED:
    case STAGE_TO_PARTICLES:
    case STAGE_FROM_PARTICLES:
    case STAGE_EXTERNAL:
    case STAGE_KIND_COUNT:
        refuse_stage(l, REFUSED_KIND, "it is of a kind that no process computes",
                     "write it otherwise");
    }
}

static void lower_results(struct lowering *l)
{
    for (size_t i = 0; i < l->graph->outputs.count && !l->values.refusal->refused; i++) {
        const struct graph_output *output = &l->graph->outputs.item[i];
        l->stage = l->graph->stages.item[output->stage.index];
        const uint32_t from = l->given[output->stage.index];
        if (from == NOT_GIVEN) {
            refuse_stage(l, REFUSED_KIND, "it is no stream of lines and places",
                         "let each result be an image as large as what it is computed of");
            return;
        }
        const struct edge edge = {.from = from};
        struct process sink = {.kind = PROCESS_SINK,
                               .edge_count = 1,
                               .edge = &edge,
                               .out = l->circuit->processes.item[from].out};
        sink.as.source.position = (uint32_t)i;
        lay_out(l, &sink);
        add_process(l, arena_format(l->values.arena, "%s.out", output->name->text), sink);
    }
}

const struct circuit *circuit_from_graph(struct session *session, const struct graph *graph,
                                         struct refusal *refusal)
{
    const size_t count = graph->stages.count;
    struct lowering l = {.session = session, .graph = graph};
    *refusal = (struct refusal){0};
    l.values = (struct values){session->ir, session->scratch, &session->pool, refusal, NULL};
    l.shape = shapes_of(session->ir, session->scratch, graph, refusal);
    l.circuit = ARENA_NEW(session->ir, struct circuit);
    l.circuit->graph = graph;
    l.given = ARENA_ARRAY(session->scratch, uint32_t, count + 1);
    l.table = ARENA_ARRAY(session->scratch, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        l.given[i] = l.table[i] = NOT_GIVEN;
    for (size_t i = 0; i < count && !refusal->refused; i++) {
        l.stage = l.values.stage = graph->stages.item[i];
        lower_stage(&l);
    }
    if (!refusal->refused)
        lower_results(&l);
    return refusal->refused ? NULL : circuit_of_needed(session->ir, l.circuit);
}
