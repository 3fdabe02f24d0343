/* Axes, loads, and copies of a chain. */
#include "graph/segments/segments.h"

#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"
#include "graph/recurrence/recurrence.h"

#include <math.h>

const struct symbol *segments_part_name(const struct segments *s, const struct symbol *of,
                                        const char *part)
{
    return symbol_format(&s->context->session->symbols, "%s.%s", of->text, part);
}

const struct symbol *segments_stage_name(const struct segments *s, const struct symbol *of,
                                         const char *part)
{
    struct symbol_table *symbols = &s->context->session->symbols;
    const struct symbol *name = segments_part_name(s, of, part);
    for (unsigned i = 2; graph_stage_named(s->in, name) || graph_stage_named(s->out, name); i++)
        name = symbol_format(symbols, "%s.%s_%u", of->text, part, i);
    return name;
}

/* ---- Axes ---- */

struct stage_axis segments_box(const struct symbol *name, const struct expr *variable,
                               const struct expr *first, const struct expr *extent)
{
    return (struct stage_axis){name, variable, first, extent, first, extent};
}

/* What counts lines along an axis. */
static const struct expr *variable_of_lines(const struct segments *s, unsigned axis)
{
    const bool own = s->part.first && s->part.variable && axis == s->part.axis;
    return own ? s->part.variable : s->last->axis[axis].variable;
}

const struct stage_axis *segments_axes(const struct segments *s, unsigned count,
                                       const struct stage_axis own[])
{
    struct stage_axis *axis =
        ARENA_ARRAY(s->context->output, struct stage_axis, s->lead + count + s->trail + 1);
    for (unsigned k = 0; k < s->lead + s->trail; k++) {
        const unsigned of = k < s->lead ? k : s->chain->axis + 1 + k - s->lead;
        const struct stage_axis *a = &s->last->axis[of];
        const bool part = s->part.first && of == s->part.axis;
        axis[k < s->lead ? k : k + count] = segments_box(
            a->name, variable_of_lines(s, of), part ? s->part.first : a->computed_first,
            part ? s->part.extent : a->computed_extent);
    }
    for (unsigned k = 0; k < count; k++)
        axis[s->lead + k] = own[k];
    return axis;
}

struct stage_axis segments_along(const struct segments *s, enum segments_part part, unsigned sweep)
{
    const int64_t order = s->chain->order;
    const int64_t ahead = sweep < segments_last_sweep(s) ? s->chain->ahead : 0;
    const int64_t beyond = part == SEGMENTS_SAMPLES || (part != SEGMENTS_STATE && ahead > order)
                               ? ahead
                               : order; /* places behind the segment */
    const int64_t inside = part == SEGMENTS_STATE ? 0 : s->size;
    const int64_t first = s->chain->sweep[sweep].reversed ? -beyond : s->size - inside;
    return segments_box(segments_line(s)->name, s->i, segments_plus(s, s->base, first),
                        segments_integer(s, inside + beyond));
}

struct segments segments_of_matrix(const struct segments *s, bool one)
{
    struct segments of = *s;
    const int64_t beyond = s->chain->order + s->chain->ahead;
    const struct interval interval = {-beyond, s->size + beyond};
    of.base = segments_integer(s, 0);
    of.i = expr_variable(segments_pool(s), VARIABLE_INDEX, s->i->as.variable.name,
                         scalar_width(interval), interval);
    if (one)
        of.lead = of.trail = 0;
    return of;
}

struct stage_axis segments_along_all(const struct segments *s, int64_t first)
{
    return segments_box(s->segment_name, s->j, segments_integer(s, first), s->count);
}

struct stage_axis segments_along_places(const struct segments *s, unsigned order)
{
    const struct symbol *name = segments_part_name(s, segments_line(s)->name, "place");
    const struct expr *k = expr_variable(segments_pool(s), VARIABLE_INDEX, name, SCALAR_I32,
                                         (struct interval){0, (int64_t)order - 1});
    return segments_box(name, k, segments_integer(s, 0), segments_integer(s, order));
}

/* The last sweep leaves its state next to the segment; that of the first one lies behind it, in the
 * order of the line. */
const struct expr *segments_place_behind(const struct segments *s, unsigned sweep,
                                         const struct expr *place)
{
    struct expr_pool *pool = segments_pool(s);
    const int64_t order = s->chain->order;
    const bool reversed = s->chain->sweep[segments_last_sweep(s)].reversed;
    if (sweep == segments_last_sweep(s))
        return reversed ? region_sum(pool, segments_plus(s, s->base, -1), place, -1)
                        : region_sum(pool, segments_plus(s, s->base, s->size), place, 1);
    return reversed ? region_sum(pool, segments_plus(s, s->base, -order), place, 1)
                    : region_sum(pool, segments_plus(s, s->base, s->size + order - 1), place, -1);
}

/* ---- Loads ---- */

const struct expr *segments_load(const struct segments *s, uint32_t stage, enum scalar scalar,
                                 unsigned count, const struct expr *const own[],
                                 const struct border border[])
{
    struct interval interval = stage < s->out->stages.count ? s->out->stages.item[stage]->interval
                                                            : scalar_info[scalar].interval;
    const struct expr *index[GRAPH_MAX_RANK];
    struct border rule[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < s->lead; k++)
        index[k] = variable_of_lines(s, k);
    for (unsigned k = 0; k < s->trail; k++)
        index[s->lead + count + k] = variable_of_lines(s, s->chain->axis + 1 + k);
    for (unsigned k = 0; k < count; k++) {
        index[s->lead + k] = own[k];
        if (!border)
            continue;
        rule[s->lead + k] = border[k];
        if (border[k].value)
            interval = interval_hull(interval, border[k].value->interval);
    }
    return expr_load(segments_pool(s), stage, scalar, interval, s->lead + count + s->trail, index,
                     border ? rule : NULL);
}

/* A sample of the state with which the sweep begins something. */
static const struct expr *carried(const struct segments *s, unsigned sweep, const struct expr *row,
                                  const struct expr *slot)
{
    const struct expr *const index[2] = {
        row, segments_plus(s, slot, -(int64_t)s->chain->sweep[sweep].slot)};
    const struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_CLAMP}};
    return segments_load(s, s->carry[sweep].index, s->chain->algebra->element, 2, index, border);
}

/* ---- Copies of the chain ---- */

const struct expr *segments_slot(const struct segments *s, const struct expr *at,
                                 const struct chain_member *member, const struct expr *place)
{
    const int64_t end = (int64_t)member->slot + member->lags;
    return s->chain->sweep[member->sweep].reversed
               ? segments_plus(s, region_sum(segments_pool(s), at, place, -1), end - 1)
               : segments_plus(s, region_sum(segments_pool(s), place, at, -1), end);
}

/* An integer whose values are in the interval, though its operands do not tell. */
static const struct expr *held_inside(struct expr_pool *pool, const struct expr *value,
                                      struct interval interval)
{
    if (!scalar_is_integer(value->scalar) || interval_inside(value->interval, interval))
        return value;
    value = expr_binary(pool, EXPR_MAXIMUM, value, expr_integer(pool, interval.least));
    return expr_binary(pool, EXPR_MINIMUM, value, expr_integer(pool, interval.greatest));
}

/* A state, as what is read of a member: integers of it are where those of the member are. */
static const struct expr *as_read(const struct segments *s, const struct expr *node,
                                  const struct expr *state)
{
    struct expr_pool *pool = segments_pool(s);
    return held_inside(pool, carry_convert(pool, s->chain->algebra, node->scalar, state),
                       node->interval);
}

const struct expr *segments_at_rest(const struct segments *s, enum segments_rest rest,
                                    enum scalar scalar, struct interval interval)
{
    struct expr_pool *pool = segments_pool(s);
    if (rest == SEGMENTS_ZERO)
        return carry_zero(pool, scalar);
    return scalar_is_float(scalar)
               ? expr_real(pool, scalar, rest == SEGMENTS_LEAST ? -INFINITY : INFINITY)
               : expr_integer(pool, rest == SEGMENTS_LEAST ? interval.least : interval.greatest);
}

/* What is before the member's samples, where the line goes on with it. */
static const struct expr *before_member(const struct segments_copy *c, size_t m,
                                        const struct expr *node, const struct expr *place)
{
    const struct segments *s = c->s;
    const struct chain_member *member = &s->chain->member[m];
    const unsigned sweep = member->sweep;
    const struct expr *row = c->sweep[sweep].row;
    return row ? as_read(
                     s, node,
                     carried(s, sweep, row, segments_slot(s, c->sweep[sweep].at, member, place)))
               : segments_at_rest(s, c->rest, node->scalar, node->interval);
}

/* The sweep goes on from what was before, or begins with what the rule says. */
static struct border rule_of_past(const struct segments_copy *c, size_t m, const struct expr *node,
                                  const struct border *rule, const struct expr *place)
{
    const struct expr *begins = c->sweep[c->s->chain->member[m].sweep].begins;
    const struct expr *value = before_member(c, m, node, place);
    if (begins)
        value = expr_select(segments_pool(c->s), begins, rule->value, value);
    return (struct border){.rule = BORDER_CONSTANT, .value = value};
}

/* How a member is read along the line. */
static struct border rule_of_member(const struct segments_copy *c, size_t m,
                                    const struct expr *node, const struct expr *place)
{
    const struct chain *chain = c->s->chain;
    const struct chain_member *member = &chain->member[m];
    const bool own = member->sweep == chain->member[c->reader].sweep;
    const struct border *rule = node->as.load.border ? &node->as.load.border[chain->axis] : NULL;
    const int64_t offset = recurrence_offset(place, c->along).least;
    struct border border = {.rule = BORDER_NONE}; /* what the sweep before has made is there */
    if (rule && rule->value && (own || chain_back(chain, member, offset) > 0))
        border = rule_of_past(c, m, node, rule, place);
    else if (!own && c->goes_on)
        border.rule = BORDER_CLAMP;
    else if (!own && c->rank == 1 && rule && rule->rule != BORDER_EXTEND)
        border = *rule;
    return border;
}

static const struct expr *read_member(const struct segments_copy *c, size_t m,
                                      const struct expr *node)
{
    const struct segments *s = c->s;
    const struct expr *const place =
        region_sum(segments_pool(s), node->operand[s->chain->axis], c->shift, -1);
    const struct expr *const index[2] = {c->rank == 2 ? s->j : place, place};
    struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_NONE}};
    border[c->rank - 1] = rule_of_member(c, m, node, place);
    return segments_load(s, c->stage[m], node->scalar, c->rank, index, border);
}

static const struct expr *index_at(const struct segments_copy *c, const struct expr *index,
                                   const struct expr *at)
{
    return expr_substitute(segments_pool(c->s), c->s->context->scratch, index, c->along, at);
}

/* Coordinates of the first and the last sample that the segment has of the sweep of the reader. */
struct segment_ends {
    const struct expr *first, *last;
};
static struct segment_ends ends_of_segment(const struct segments_copy *c)
{
    const struct segments *s = c->s;
    const struct stage_axis samples =
        segments_along(s, SEGMENTS_SAMPLES, s->chain->member[c->reader].sweep);
    const struct expr *end =
        region_sum(segments_pool(s), samples.computed_first, samples.computed_extent, 1);
    return (struct segment_ends){samples.computed_first, segments_plus(s, end, -1)};
}

/* Where lines go on beyond the samples of a segment, for nothing, they read no more rows than these
 * need. */
static const struct expr *near_rows(const struct segments_copy *c, const struct expr *index)
{
    const struct segment_ends ends = ends_of_segment(c);
    struct expr_pool *pool = segments_pool(c->s);
    index = expr_binary(pool, EXPR_MINIMUM, index, index_at(c, index, ends.last));
    return expr_binary(pool, EXPR_MAXIMUM, index, index_at(c, index, ends.first));
}

/* And of a tile what is nearest: there is no more. */
static const struct expr *near_segment(const struct segments_copy *c, const struct expr *index)
{
    const struct segment_ends ends = ends_of_segment(c);
    struct expr_pool *pool = segments_pool(c->s);
    return index_at(c, index,
                    region_minimum(pool, region_maximum(pool, c->along, ends.first), ends.last));
}

/* What no member is: it may be read beyond its box where lines go on beyond theirs. */
static const struct expr *read_other(const struct segments_copy *c, const struct expr *node)
{
    const struct segments *s = c->s;
    const struct chain *chain = s->chain;
    struct border border[GRAPH_MAX_RANK] = {0};
    const struct expr *index[GRAPH_MAX_RANK];
    const bool to_end =
        s->choice->is_again || s->choice->again; /* its segments take all of a line */
    const bool beyond = c->goes_on && (chain->member[c->reader].sweep > 0 || to_end);
    const uint32_t source = segments_place_of(c, node->as.load.source);
    const bool in_rows = source != s->new_id[node->as.load.source];
    for (unsigned k = 0; k < node->count; k++) {
        const bool near = c->goes_on && in_rows && k == chain->axis;
        index[k] = near ? near_rows(c, node->operand[k]) : node->operand[k];
        border[k] =
            node->as.load.border ? node->as.load.border[k] : (struct border){.rule = BORDER_NONE};
        if (beyond && !near && border[k].rule == BORDER_NONE &&
            expr_contains(s->context->scratch, node->operand[k], c->along))
            border[k].rule = BORDER_CLAMP;
    }
    return expr_load(segments_pool(s), source, node->scalar, node->interval, node->count, index,
                     beyond ? border : node->as.load.border);
}

/* What another chain has stored of the segment at hand just before. */
static bool reads_tile(const struct segments_copy *c, const struct expr *load)
{
    const struct segments *before = c->s->behind;
    return before && c->goes_on && load->as.load.source == before->last->id.index;
}

/* From the tile of that chain. */
static const struct expr *read_tile(const struct segments_copy *c, const struct expr *node)
{
    const struct segments *s = c->s, *before = s->behind;
    struct expr_pool *pool = segments_pool(s);
    const unsigned along = before->chain->axis;
    const struct expr *from = region_sum(pool, node->operand[along], before->base, -1);
    const struct expr *size = segments_integer(s, before->size);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++)
        index[k + (k > along)] =
            k == s->chain->axis ? near_segment(c, node->operand[k]) : node->operand[k];
    if (segments_are_turned(s)) {
        index[along] = expr_binary(pool, EXPR_DIVIDE, from, size);
        index[along + 1] =
            region_sum(pool, before->base, expr_binary(pool, EXPR_REMAINDER, from, size), 1);
    } else {
        index[along] = segments_plus(s, s->j, -c->from);
        index[along + 1] = near_segment(c, c->along);
    }
    return expr_load(pool, before->kept, node->scalar, node->interval, node->count + 1, index,
                     NULL);
}

static const struct expr *copied(const struct expr *node, void *user)
{
    const struct segments_copy *c = user;
    const struct segments *s = c->s;
    const struct stage *reader = s->chain->member[c->reader].stage;
    if (node == reader->axis[s->chain->axis].variable)
        return region_sum(segments_pool(s), c->shift, c->along, 1);
    for (unsigned k = 0; k < reader->rank; k++) /* members may call them otherwise */
        if (k != s->chain->axis && node == reader->axis[k].variable)
            return s->last->axis[k].variable;
    if (node->kind != EXPR_LOAD)
        return node;
    const size_t m = chain_member_of(s->chain, node->as.load.source);
    return m < s->chain->count   ? read_member(c, m, node)
           : reads_tile(c, node) ? read_tile(c, node)
                                 : read_other(c, node);
}

void segments_copy_member(struct segments_copy *c, size_t m, const struct stage_axis own[])
{
    struct segments *s = c->s;
    struct expr_rewriter rewriter = {
        .pool = segments_pool(s), .rule = copied, .context = c, .scratch = s->context->scratch};
    struct stage stage = c->instead ? *c->instead : *s->chain->member[m].stage;
    c->reader = m;
    c->stage[m] = (uint32_t)s->out->stages.count;
    /* Of what is computed for good, schedules speak by the program's name. */
    stage.is_made = !c->is_final || m + 1 == s->chain->count;
    if (stage.is_made)
        stage.name = segments_stage_name(s, stage.name, c->part);
    stage.schedule = NULL;
    stage.binding_count = 0;
    if (c->is_little)
        stage.details = segments_of_little(s);
    stage.rank = s->lead + c->rank + s->trail;
    stage.axis = segments_axes(s, c->rank, own);
    /* Coordinates of segments, and the states that a member reads of itself, lie in wider intervals
     * than those of the line. */
    stage.value =
        held_inside(segments_pool(s), expr_rewrite(&rewriter, stage.value), stage.interval);
    if (scalar_is_integer(stage.value->scalar) && stage.value->scalar != stage.element)
        stage.value = expr_convert(segments_pool(s), CONVERT_EXACT, stage.element, stage.value);
    if (stage.kind == STAGE_RECURRENCE)
        stage.as.recurrence.axis = s->lead + c->rank - 1;
    graph_add_stage(s->context->output, s->out, stage);
}

/* Whether segments lie side by side in lanes, though their lines are interleaved with others: those
 * would fill no vector. */
static bool are_lanes(const struct segments *s, unsigned own)
{
    if (own != 2 || s->trail == 0 || s->rows_count > 0)
        return false;
    return choose_whether(s->context, s->last->id.index, CHOICE_SEGMENT_LANES, s->choice->few);
}

const struct schedule *segments_line_by_line(const struct segments *s, unsigned own)
{
    const unsigned rank = s->lead + own + s->trail, along = s->lead + own; /* 1 + the axis */
    const bool segments = are_lanes(s, own);
    struct schedule schedule = {
        .placement = PLACED_ROOT,
        .rank = rank,
        .kind = SCHEDULE_LINES,
        .as.lines = {.axis = along - 1, .has_lanes = segments, .lanes = segments ? along - 2 : 0}};
    int64_t *tile = ARENA_ARRAY(s->context->output, int64_t, rank);
    for (unsigned k = 0; k < rank; k++)
        tile[k] = k + 1 == along ? 0 : 1;
    tile[along == rank || segments ? along - 2 : rank - 1] =
        s->choice->panel
            ? s->choice->panel
            : choose(s->context, s->last->id.index,
                     s->trail && !segments ? CHOICE_SEGMENT_COLUMNS : CHOICE_SEGMENT_LINES, 1,
                     CHOICE_MOST);
    schedule.tile = tile;
    return arena_copy(s->context->output, &schedule, sizeof schedule);
}

const struct stage_details *segments_of_little(const struct segments *s)
{
    if (!s->choice->few)
        return NULL;
    struct stage_details *details = ARENA_NEW(s->context->output, struct stage_details);
    details->of[DETAIL_THREADS] = (struct detail){.said = true, .span = s->last->span};
    return details;
}

/* Of the states' element. */
static struct stage made(const struct segments *s, enum stage_kind kind, const char *part,
                         const struct stage_axis own[2], const struct expr *value)
{
    return (struct stage){.kind = kind,
                          .name = segments_stage_name(s, s->last->name, part),
                          .span = s->last->span,
                          .is_made = true,
                          .element = s->chain->algebra->element,
                          .interval = scalar_info[s->chain->algebra->element].interval,
                          .repeat = s->last->repeat,
                          .rank = s->lead + 2 + s->trail,
                          .axis = segments_axes(s, 2, own),
                          .value = value};
}

stage_id segments_add_map(struct segments *s, enum stage_kind kind, const char *part,
                          const struct stage_axis own[2], const struct expr *value)
{
    struct stage stage = made(s, kind, part, own, value);
    stage.details = kind == STAGE_MAP ? segments_of_little(s) : NULL;
    return graph_add_stage(s->context->output, s->out, stage);
}

stage_id segments_add_lines(struct segments *s, const char *part, const struct stage_axis own[2],
                            const struct expr *value)
{
    struct stage stage = made(s, STAGE_MAP, part, own, value);
    stage.schedule = segments_line_by_line(s, 2);
    return graph_add_stage(s->context->output, s->out, stage);
}

/* ---- Behind tiles of the samples that are read ---- */

bool segments_fit_tiles(const struct segments *s)
{
    const struct segments *before = s->behind;
    const bool lanes =
        schedule_has_lanes(s->out->stages.item[before->sink]->schedule) || are_lanes(s, 2);
    return s->rows_count == 0 && !lanes &&
           (segments_are_turned(s)
                ? s->base == segments_line(s)->computed_first && before->choice->panel == s->size
                : s->base == before->base && s->count == before->count && s->size == before->size);
}

/* Across the lines of the tile, some at a time. */
static const struct schedule *turned_lines(const struct segments *s)
{
    const unsigned rank = s->lead + 2 + s->trail, lanes = s->behind->chain->axis;
    int64_t *tile = ARENA_ARRAY(s->context->output, int64_t, rank);
    for (unsigned k = 0; k < rank; k++)
        tile[k] = k == s->lead + 1 ? 0 : 1;
    tile[lanes] = choose(s->context, s->last->id.index, CHOICE_SEGMENT_LINES, 1, CHOICE_MOST);
    const struct schedule schedule = {
        .placement = PLACED_ROOT,
        .rank = rank,
        .tile = tile,
        .kind = SCHEDULE_LINES,
        .as.lines = {.axis = s->lead + 1, .has_lanes = true, .lanes = lanes}};
    return arena_copy(s->context->output, &schedule, sizeof schedule);
}

stage_id segments_place_behind_tiles(struct segments *s, stage_id lines)
{
    const uint32_t at = s->behind->sink;
    s->out->stages.item[lines.index]->schedule =
        segments_are_turned(s) ? turned_lines(s) : s->out->stages.item[at]->schedule;
    VECTOR_PUSH(s->context->scratch, &s->all_placed->items,
                (struct segments_placed){lines.index, at, PLACED_BEHIND});
    return lines;
}

/* ---- Coordinates of segments ---- */

const struct expr *segments_begin(const struct segments *s, int64_t from)
{
    return expr_binary(segments_pool(s), EXPR_MULTIPLY, segments_integer(s, s->size),
                       segments_plus(s, s->j, -from));
}

const struct expr *segments_before(const struct segments *s, unsigned sweep)
{
    return segments_plus(s, s->base, s->chain->sweep[sweep].reversed ? s->size : 0);
}

const struct expr *segments_behind_all(const struct segments *s)
{
    return region_sum(segments_pool(s), s->base, s->count, s->size);
}

const struct expr *segments_is_first(const struct segments *s, int64_t from)
{
    return expr_binary(segments_pool(s), EXPR_EQUAL, s->j,
                       segments_reversed(s) ? segments_plus(s, s->count, from - 1)
                                            : segments_integer(s, from));
}
