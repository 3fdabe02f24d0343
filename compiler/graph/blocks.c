/* Axes, loads, and copies of a chain. */
#include "graph/blocks.h"

#include "graph/line_groups.h"
#include "graph/random_schedule.h"
#include "graph/recurrence.h"

#include <math.h>

const struct symbol *blocks_part_name(const struct blocks *b, const struct symbol *of,
                                      const char *part)
{
    return symbol_format(&b->context->session->symbols, "%s.%s", of->text, part);
}

const struct symbol *blocks_stage_name(const struct blocks *b, const struct symbol *of,
                                       const char *part)
{
    struct symbol_table *symbols = &b->context->session->symbols;
    const struct symbol *name = blocks_part_name(b, of, part);
    for (unsigned i = 2; graph_stage_named(b->in, name) || graph_stage_named(b->out, name); i++)
        name = symbol_format(symbols, "%s.%s_%u", of->text, part, i);
    return name;
}

/* ---- Axes ---- */

struct stage_axis blocks_box(const struct symbol *name, const struct expr *variable,
                             const struct expr *first, const struct expr *extent)
{
    return (struct stage_axis){name, variable, first, extent, first, extent};
}

const struct stage_axis *blocks_axes(const struct blocks *b, unsigned count,
                                     const struct stage_axis own[])
{
    struct stage_axis *axis =
        ARENA_ARRAY(b->context->output, struct stage_axis, b->lead + count + b->trail + 1);
    for (unsigned k = 0; k < b->lead + b->trail; k++) {
        const unsigned of = k < b->lead ? k : b->chain->axis + 1 + k - b->lead;
        const struct stage_axis *a = &b->last->axis[of];
        const bool part = b->part.first && of == b->part.axis;
        axis[k < b->lead ? k : k + count] =
            blocks_box(a->name, a->variable, part ? b->part.first : a->computed_first,
                       part ? b->part.extent : a->computed_extent);
    }
    for (unsigned k = 0; k < count; k++)
        axis[b->lead + k] = own[k];
    return axis;
}

struct stage_axis blocks_along(const struct blocks *b, enum blocks_part part, unsigned pass)
{
    const int64_t order = b->chain->order;
    const int64_t ahead = pass < blocks_last_pass(b) ? b->chain->ahead : 0;
    const int64_t beyond = part == BLOCKS_SAMPLES || (part != BLOCKS_STATE && ahead > order)
                               ? ahead
                               : order; /* places behind the block */
    const int64_t inside = part == BLOCKS_STATE ? 0 : b->size;
    const int64_t first = b->chain->pass[pass].reversed ? -beyond : b->size - inside;
    return blocks_box(blocks_line(b)->name, b->i, blocks_plus(b, b->base, first),
                      blocks_integer(b, inside + beyond));
}

struct blocks blocks_of_matrix(const struct blocks *b, bool one)
{
    struct blocks of = *b;
    const int64_t beyond = b->chain->order + b->chain->ahead;
    const struct interval interval = {-beyond, b->size + beyond};
    of.base = blocks_integer(b, 0);
    of.i = expr_variable(blocks_pool(b), VARIABLE_INDEX, b->i->as.variable.name,
                         scalar_lane(interval), interval);
    if (one)
        of.lead = of.trail = 0;
    return of;
}

struct stage_axis blocks_along_all(const struct blocks *b, int64_t first)
{
    return blocks_box(b->block_name, b->j, blocks_integer(b, first), b->count);
}

struct stage_axis blocks_along_places(const struct blocks *b, unsigned order)
{
    const struct symbol *name = blocks_part_name(b, blocks_line(b)->name, "place");
    const struct expr *k = expr_variable(blocks_pool(b), VARIABLE_INDEX, name, SCALAR_I32,
                                         (struct interval){0, (int64_t)order - 1});
    return blocks_box(name, k, blocks_integer(b, 0), blocks_integer(b, order));
}

/* The last pass leaves its state next to the block; that of the first one lies behind it, in the order of the line. */
const struct expr *blocks_place_behind(const struct blocks *b, unsigned pass,
                                       const struct expr *place)
{
    struct expr_pool *pool = blocks_pool(b);
    const int64_t order = b->chain->order;
    const bool reversed = b->chain->pass[blocks_last_pass(b)].reversed;
    if (pass == blocks_last_pass(b))
        return reversed ? region_sum(pool, blocks_plus(b, b->base, -1), place, -1)
                        : region_sum(pool, blocks_plus(b, b->base, b->size), place, 1);
    return reversed ? region_sum(pool, blocks_plus(b, b->base, -order), place, 1)
                    : region_sum(pool, blocks_plus(b, b->base, b->size + order - 1), place, -1);
}

/* ---- Loads ---- */

const struct expr *blocks_load(const struct blocks *b, uint32_t stage, enum scalar scalar,
                               unsigned count, const struct expr *const own[],
                               const struct border border[])
{
    struct interval interval = stage < b->out->stages.count ? b->out->stages.item[stage]->interval
                                                            : scalar_info[scalar].interval;
    const struct expr *index[GRAPH_MAX_RANK];
    struct border rule[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < b->lead; k++)
        index[k] = b->last->axis[k].variable;
    for (unsigned k = 0; k < b->trail; k++)
        index[b->lead + count + k] = b->last->axis[b->chain->axis + 1 + k].variable;
    for (unsigned k = 0; k < count; k++) {
        index[b->lead + k] = own[k];
        if (!border)
            continue;
        rule[b->lead + k] = border[k];
        if (border[k].value)
            interval = interval_hull(interval, border[k].value->interval);
    }
    return expr_load(blocks_pool(b), stage, scalar, interval, b->lead + count + b->trail, index,
                     border ? rule : NULL);
}

/* A sample of the state with which the pass begins something. */
static const struct expr *carried(const struct blocks *b, unsigned pass, const struct expr *row,
                                  const struct expr *slot)
{
    const struct expr *const index[2] = {row,
                                         blocks_plus(b, slot, -(int64_t)b->chain->pass[pass].slot)};
    const struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_CLAMP}};
    return blocks_load(b, b->carry[pass].index, b->chain->algebra->element, 2, index, border);
}

/* ---- Copies of the chain ---- */

const struct expr *blocks_slot(const struct blocks *b, const struct expr *at,
                               const struct chain_member *member, const struct expr *place)
{
    const int64_t end = (int64_t)member->slot + member->lags;
    return b->chain->pass[member->pass].reversed
               ? blocks_plus(b, region_sum(blocks_pool(b), at, place, -1), end - 1)
               : blocks_plus(b, region_sum(blocks_pool(b), place, at, -1), end);
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
static const struct expr *as_read(const struct blocks *b, const struct expr *node,
                                  const struct expr *state)
{
    struct expr_pool *pool = blocks_pool(b);
    return held_inside(pool, carry_convert(pool, b->chain->algebra, node->scalar, state),
                       node->interval);
}

const struct expr *blocks_at_rest(const struct blocks *b, enum blocks_rest rest, enum scalar scalar,
                                  struct interval interval)
{
    struct expr_pool *pool = blocks_pool(b);
    if (rest == BLOCKS_ZERO)
        return carry_zero(pool, scalar);
    return scalar_is_float(scalar)
               ? expr_real(pool, scalar, rest == BLOCKS_LEAST ? -INFINITY : INFINITY)
               : expr_integer(pool, rest == BLOCKS_LEAST ? interval.least : interval.greatest);
}

/* What is before the member's samples, where the line goes on with it. */
static const struct expr *before_member(const struct blocks_copy *c, size_t m,
                                        const struct expr *node, const struct expr *place)
{
    const struct blocks *b = c->b;
    const struct chain_member *member = &b->chain->member[m];
    const unsigned pass = member->pass;
    const struct expr *row = c->pass[pass].row;
    return row ? as_read(b, node,
                         carried(b, pass, row, blocks_slot(b, c->pass[pass].at, member, place)))
               : blocks_at_rest(b, c->rest, node->scalar, node->interval);
}

/* The pass goes on from what was before, or begins with what the rule says. */
static struct border rule_of_past(const struct blocks_copy *c, size_t m, const struct expr *node,
                                  const struct border *rule, const struct expr *place)
{
    const struct expr *begins = c->pass[c->b->chain->member[m].pass].begins;
    const struct expr *value = before_member(c, m, node, place);
    if (begins)
        value = expr_select(blocks_pool(c->b), begins, rule->value, value);
    return (struct border){.rule = BORDER_CONSTANT, .value = value};
}

/* How a member is read along the line. */
static struct border rule_of_member(const struct blocks_copy *c, size_t m, const struct expr *node,
                                    const struct expr *place)
{
    const struct chain *chain = c->b->chain;
    const struct chain_member *member = &chain->member[m];
    const bool own = member->pass == chain->member[c->reader].pass;
    const struct border *rule = node->as.load.border ? &node->as.load.border[chain->axis] : NULL;
    const int64_t offset = recurrence_offset(place, c->along).least;
    struct border border = {.rule = BORDER_NONE}; /* what the pass before has made is there */
    if (rule && rule->value && (own || chain_back(chain, member, offset) > 0))
        border = rule_of_past(c, m, node, rule, place);
    else if (!own && c->goes_on)
        border.rule = BORDER_CLAMP;
    else if (!own && c->rank == 1 && rule && rule->rule != BORDER_EXTEND)
        border = *rule;
    return border;
}

static const struct expr *read_member(const struct blocks_copy *c, size_t m,
                                      const struct expr *node)
{
    const struct blocks *b = c->b;
    const struct expr *const place =
        region_sum(blocks_pool(b), node->operand[b->chain->axis], c->shift, -1);
    const struct expr *const index[2] = {c->rank == 2 ? b->j : place, place};
    struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_NONE}};
    border[c->rank - 1] = rule_of_member(c, m, node, place);
    return blocks_load(b, c->stage[m], node->scalar, c->rank, index, border);
}

static const struct expr *index_at(const struct blocks_copy *c, const struct expr *index,
                                   const struct expr *at)
{
    return expr_substitute(blocks_pool(c->b), c->b->context->scratch, index, c->along, at);
}

/* Coordinates of the first and the last sample that the block has of the pass of the reader. */
struct block_ends {
    const struct expr *first, *last;
};
static struct block_ends ends_of_block(const struct blocks_copy *c)
{
    const struct blocks *b = c->b;
    const struct stage_axis samples =
        blocks_along(b, BLOCKS_SAMPLES, b->chain->member[c->reader].pass);
    const struct expr *end =
        region_sum(blocks_pool(b), samples.computed_first, samples.computed_extent, 1);
    return (struct block_ends){samples.computed_first, blocks_plus(b, end, -1)};
}

/* Where lines go on beyond the samples of a block, for nothing, they read no more rows than these need. */
static const struct expr *near_rows(const struct blocks_copy *c, const struct expr *index)
{
    const struct block_ends ends = ends_of_block(c);
    struct expr_pool *pool = blocks_pool(c->b);
    index = expr_binary(pool, EXPR_MINIMUM, index, index_at(c, index, ends.last));
    return expr_binary(pool, EXPR_MAXIMUM, index, index_at(c, index, ends.first));
}

/* And of a tile what is nearest: there is no more. */
static const struct expr *near_block(const struct blocks_copy *c, const struct expr *index)
{
    const struct block_ends ends = ends_of_block(c);
    struct expr_pool *pool = blocks_pool(c->b);
    return index_at(c, index,
                    region_minimum(pool, region_maximum(pool, c->along, ends.first), ends.last));
}

/* What no member is: it may be read beyond its box where lines go on beyond theirs. */
static const struct expr *read_other(const struct blocks_copy *c, const struct expr *node)
{
    const struct blocks *b = c->b;
    const struct chain *chain = b->chain;
    struct border border[GRAPH_MAX_RANK] = {0};
    const struct expr *index[GRAPH_MAX_RANK];
    const bool beyond = c->goes_on && chain->member[c->reader].pass > 0;
    const uint32_t source = blocks_place_of(c, node->as.load.source);
    const bool in_rows = source != b->place[node->as.load.source];
    for (unsigned k = 0; k < node->count; k++) {
        const bool near = c->goes_on && in_rows && k == chain->axis;
        index[k] = near ? near_rows(c, node->operand[k]) : node->operand[k];
        border[k] =
            node->as.load.border ? node->as.load.border[k] : (struct border){.rule = BORDER_NONE};
        if (beyond && !near && border[k].rule == BORDER_NONE &&
            expr_contains(b->context->scratch, node->operand[k], c->along))
            border[k].rule = BORDER_CLAMP;
    }
    return expr_load(blocks_pool(b), source, node->scalar, node->interval, node->count, index,
                     beyond ? border : node->as.load.border);
}

/* What another chain has stored of the block at hand just before. */
static bool reads_tile(const struct blocks_copy *c, const struct expr *load)
{
    const struct blocks *before = c->b->behind;
    return before && c->goes_on && load->as.load.source == before->last->id.index;
}

/* From the tile of that chain. */
static const struct expr *read_tile(const struct blocks_copy *c, const struct expr *node)
{
    const struct blocks *b = c->b, *before = b->behind;
    struct expr_pool *pool = blocks_pool(b);
    const unsigned along = before->chain->axis;
    const struct expr *from = region_sum(pool, node->operand[along], before->base, -1);
    const struct expr *size = blocks_integer(b, before->size);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++)
        index[k + (k > along)] =
            k == b->chain->axis ? near_block(c, node->operand[k]) : node->operand[k];
    if (blocks_are_turned(b)) {
        index[along] = expr_binary(pool, EXPR_DIVIDE, from, size);
        index[along + 1] =
            region_sum(pool, before->base, expr_binary(pool, EXPR_REMAINDER, from, size), 1);
    } else {
        index[along] = blocks_plus(b, b->j, -c->from);
        index[along + 1] = near_block(c, c->along);
    }
    return expr_load(pool, before->kept, node->scalar, node->interval, node->count + 1, index,
                     NULL);
}

static const struct expr *copied(const struct expr *node, void *user)
{
    const struct blocks_copy *c = user;
    const struct blocks *b = c->b;
    const struct stage *reader = b->chain->member[c->reader].stage;
    if (node == reader->axis[b->chain->axis].variable)
        return region_sum(blocks_pool(b), c->shift, c->along, 1);
    for (unsigned k = 0; k < reader->rank; k++) /* members may call them otherwise */
        if (k != b->chain->axis && node == reader->axis[k].variable)
            return b->last->axis[k].variable;
    if (node->kind != EXPR_LOAD)
        return node;
    const size_t m = chain_member_of(b->chain, node->as.load.source);
    return m < b->chain->count   ? read_member(c, m, node)
           : reads_tile(c, node) ? read_tile(c, node)
                                 : read_other(c, node);
}

void blocks_copy_member(struct blocks_copy *c, size_t m, const struct stage_axis own[])
{
    struct blocks *b = c->b;
    struct expr_rewriter rewriter = {
        .pool = blocks_pool(b), .rule = copied, .context = c, .scratch = b->context->scratch};
    struct stage stage = c->instead ? *c->instead : *b->chain->member[m].stage;
    c->reader = m;
    c->stage[m] = (uint32_t)b->out->stages.count;
    /* Of what is computed for good, schedules speak by the program's name. */
    stage.is_made = !c->is_final || m + 1 == b->chain->count;
    if (stage.is_made)
        stage.name = blocks_stage_name(b, stage.name, c->part);
    stage.schedule = NULL;
    stage.binding_count = 0;
    if (c->is_little)
        stage.details = blocks_of_little(b);
    stage.rank = b->lead + c->rank + b->trail;
    stage.axis = blocks_axes(b, c->rank, own);
    /* Coordinates of blocks lie in wider intervals than those of the line. */
    stage.value =
        held_inside(blocks_pool(b), expr_rewrite(&rewriter, stage.value), stage.interval);
    if (stage.kind == STAGE_RECURRENCE)
        stage.as.recurrence.axis = b->lead + c->rank - 1;
    graph_add_stage(b->context->output, b->out, stage);
}

/* Whether blocks lie side by side in lanes, though their lines are interleaved with others: those would fill no vector. */
static bool are_lanes(const struct blocks *b, unsigned own)
{
    const uint64_t random = b->context->random_schedule;
    if (own != 2 || b->trail == 0 || b->rows_count > 0)
        return false;
    return random ? random_choice(random, b->last->id.index, 12) % 2 : b->choice->few;
}

const struct schedule *blocks_line_by_line(const struct blocks *b, unsigned own)
{
    const uint64_t random = b->context->random_schedule;
    const unsigned rank = b->lead + own + b->trail, along = b->lead + own; /* 1 + the axis */
    const bool blocks = are_lanes(b, own);
    struct schedule schedule = {
        .placement = PLACED_ROOT, .rank = rank, .along = along, .across = blocks ? along - 1 : 0};
    int64_t *tile = ARENA_ARRAY(b->context->output, int64_t, rank);
    for (unsigned k = 0; k < rank; k++)
        tile[k] = k + 1 == along ? 0 : 1;
    tile[along == rank || blocks ? along - 2 : rank - 1] =
        b->choice->panel      ? b->choice->panel
        : random              ? 1 + (int64_t)(random_choice(random, b->last->id.index, 5) % 9)
        : b->trail && !blocks ? BLOCKS_LANES
                              : LINE_ROWS;
    schedule.tile = tile;
    return arena_copy(b->context->output, &schedule, sizeof schedule);
}

const struct stage_details *blocks_of_little(const struct blocks *b)
{
    if (!b->choice->few)
        return NULL;
    struct stage_details *details = ARENA_NEW(b->context->output, struct stage_details);
    details->of[DETAIL_THREADS] = (struct detail){.said = true, .span = b->last->span};
    return details;
}

/* Of the states' element. */
static struct stage made(const struct blocks *b, enum stage_kind kind, const char *part,
                         const struct stage_axis own[2], const struct expr *value)
{
    return (struct stage){.kind = kind,
                          .name = blocks_stage_name(b, b->last->name, part),
                          .span = b->last->span,
                          .is_made = true,
                          .element = b->chain->algebra->element,
                          .interval = scalar_info[b->chain->algebra->element].interval,
                          .repeat = b->last->repeat,
                          .rank = b->lead + 2 + b->trail,
                          .axis = blocks_axes(b, 2, own),
                          .value = value};
}

stage_id blocks_add_map(struct blocks *b, enum stage_kind kind, const char *part,
                        const struct stage_axis own[2], const struct expr *value)
{
    struct stage stage = made(b, kind, part, own, value);
    stage.details = kind == STAGE_MAP ? blocks_of_little(b) : NULL;
    return graph_add_stage(b->context->output, b->out, stage);
}

stage_id blocks_add_lines(struct blocks *b, const char *part, const struct stage_axis own[2],
                          const struct expr *value)
{
    struct stage stage = made(b, STAGE_MAP, part, own, value);
    stage.schedule = blocks_line_by_line(b, 2);
    return graph_add_stage(b->context->output, b->out, stage);
}

/* ---- Behind tiles of the samples that are read ---- */

bool blocks_fit_tiles(const struct blocks *b)
{
    const struct blocks *before = b->behind;
    const bool lanes = b->out->stages.item[before->sink]->schedule->across || are_lanes(b, 2);
    return b->rows_count == 0 && !lanes &&
           (blocks_are_turned(b)
                ? b->base == blocks_line(b)->computed_first && before->choice->panel == b->size
                : b->base == before->base && b->count == before->count && b->size == before->size);
}

/* Across the lines of the tile, some at a time. */
static const struct schedule *turned_lines(const struct blocks *b)
{
    const uint64_t random = b->context->random_schedule;
    const unsigned rank = b->lead + 2 + b->trail, lanes = b->behind->chain->axis;
    int64_t *tile = ARENA_ARRAY(b->context->output, int64_t, rank);
    for (unsigned k = 0; k < rank; k++)
        tile[k] = k == b->lead + 1 ? 0 : 1;
    tile[lanes] =
        random ? 1 + (int64_t)(random_choice(random, b->last->id.index, 5) % 9) : LINE_ROWS;
    const struct schedule schedule = {.placement = PLACED_ROOT,
                                      .rank = rank,
                                      .tile = tile,
                                      .along = b->lead + 2,
                                      .across = 1 + lanes};
    return arena_copy(b->context->output, &schedule, sizeof schedule);
}

stage_id blocks_place_behind_tiles(struct blocks *b, stage_id lines)
{
    const uint32_t at = b->behind->sink;
    b->out->stages.item[lines.index]->schedule =
        blocks_are_turned(b) ? turned_lines(b) : b->out->stages.item[at]->schedule;
    VECTOR_PUSH(b->context->scratch, &b->all_behind->items,
                (struct blocks_behind){lines.index, at});
    return lines;
}

/* ---- Coordinates of blocks ---- */

const struct expr *blocks_begin(const struct blocks *b, int64_t from)
{
    return expr_binary(blocks_pool(b), EXPR_MULTIPLY, blocks_integer(b, b->size),
                       blocks_plus(b, b->j, -from));
}

const struct expr *blocks_before(const struct blocks *b, unsigned pass)
{
    return blocks_plus(b, b->base, b->chain->pass[pass].reversed ? b->size : 0);
}

const struct expr *blocks_behind_all(const struct blocks *b)
{
    return region_sum(blocks_pool(b), b->base, b->count, b->size);
}

const struct expr *blocks_is_first(const struct blocks *b, int64_t from)
{
    return expr_binary(blocks_pool(b), EXPR_EQUAL, b->j,
                       blocks_reversed(b) ? blocks_plus(b, b->count, from - 1)
                                          : blocks_integer(b, from));
}
