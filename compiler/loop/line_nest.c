/* Recurrences along one axis, some lines at a time, side by side in lanes:
 *   loop x.block {
 *       let out.x.tile = 64 x.block  let out.x.tile_end = min(…)
 *       allocate down
 *       loop y serial { loop x { store down … } }
 *       loop y serial reversed { loop x { store up … }  loop x { store out … } } }
 * Lines along the fastest axis lie one behind the other in memory; strips of them are turned to lie side by side, and back:
 *       loop x.strip serial {
 *           loop y { loop x { store in.strip[y, x] = in[y, x] } }  loop y turned { loop x { store in.turned[x, y] = in.strip[y, x] } }
 *           loop x serial { loop y { store right[x, y] = in.turned[x, y] + … } } }
 * There are always as many lanes; where rows end, those that are left hold the last row once more.
 * A stage that reads those of the pass before it at places that are computed by then joins that pass. What only its own pass
 * reads has memory for a few places of the line, in turn. */
#include "loop/line_nest.h"

#include "analysis/regions.h"
#include "graph/line_groups.h"
#include "loop/cache_lines.h"
#include "loop/prefetch.h"
#include "loop/rewrite.h"
#include "loop/tile_boxes.h"

enum { STRIP = 64 }; /* places of a line that are turned at once */

/* ---- The group ---- */

static bool is_member(const struct stage *stage, const struct stage *sink)
{
    return stage == sink || (stage_is_at(stage) && stage->schedule->at.index == sink->id.index);
}

/* Of the stage whose lines are cut in bands. */
static const struct line_band *bands_along(const struct stage *sink, struct pass_context *context)
{
    struct expr_pool *pool = context->pool;
    const unsigned axis = sink->schedule->along - 1;
    const struct stage_axis *along = &sink->axis[axis];
    const int64_t places = sink->schedule->tile[axis];
    const struct expr *size = expr_integer(pool, places);
    struct line_band *band = ARENA_NEW(context->scratch, struct line_band);
    band->axis = axis;
    band->variable = expr_variable(pool, VARIABLE_INDEX,
                                   symbol_format(&context->session->symbols, "%s.%s.band",
                                                 sink->name->text, along->name->text),
                                   SCALAR_I32, (struct interval){0, INT32_MAX / places});
    band->first = region_sum(pool, along->computed_first,
                             expr_binary(pool, EXPR_MULTIPLY, size, band->variable), 1);
    band->end = region_minimum(pool, region_sum(pool, band->first, size, 1),
                               region_sum(pool, along->computed_first, along->computed_extent, 1));
    band->count = expr_binary(
        pool, EXPR_DIVIDE,
        region_sum(pool, along->computed_extent, expr_integer(pool, places - 1), 1), size);
    return band;
}

struct line_group line_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    const unsigned along = sink->schedule->along - 1;
    VECTOR(const struct stage *) stage = {0};
    for (uint32_t i = 0; i <= sink->id.index; i++)
        if (is_member(in->stages.item[i], sink))
            VECTOR_PUSH(scratch, &stage, in->stages.item[i]);
    struct line_place *place = ARENA_ARRAY(scratch, struct line_place, stage.count);
    const struct line_group group = {
        .sink = sink,
        .along = along,
        .lanes = line_lanes(sink, along),
        .lane_count = sink->schedule->tile[line_lanes(sink, along)],
        .count = stage.count,
        .stage = stage.item,
        .place = place,
        .band = stage_has_bands(sink) ? bands_along(sink, context)
                : stage_is_in_bands(sink)
                    ? bands_along(graph_stage(in, sink->schedule->at), context)
                    : NULL};
    line_find_passes(scratch, along, group.count, group.stage, place);
    return group;
}

/* The lines at hand, from the first to the end - 1. */
static const struct expr *lanes_first(struct pass_context *context, const struct line_group *group)
{
    return group->tile ? tile_lane(context, group->sink, group->lanes)
                       : tile_first(context, group->sink, group->lanes);
}

static const struct expr *lanes_end(struct pass_context *context, const struct line_group *group)
{
    return group->tile ? tile_lane_end(context, group->sink, group->lanes)
                       : tile_end(context, group->sink, group->lanes);
}

void line_memory(struct pass_context *context, const struct line_group *group, size_t place,
                 const struct expr *first, const struct expr *extent, struct buffer_axis axis[2])
{
    const struct stage_axis *along = &group->stage[place]->axis[group->along];
    const int64_t rows = group->place[place].rows;
    if (line_goes_on(group)) {
        const struct stage_axis *lanes = &group->stage[place]->axis[group->lanes];
        axis[0] = (struct buffer_axis){along->name, first, expr_integer(context->pool, rows), true};
        axis[1] =
            (struct buffer_axis){lanes->name, lanes->computed_first, lanes->computed_extent, false};
        return;
    }
    if (group->tile)
        first = tile_first(context, group->stage[place], group->along);
    if (group->tile && !rows)
        extent =
            expr_integer(context->pool,
                         tile_extent(&group->tile->needs[group->in_tile[place]].axis[group->along],
                                     group->tile->sink->schedule->tile));
    axis[0] = (struct buffer_axis){along->name, first,
                                   rows ? expr_integer(context->pool, rows) : extent, rows > 0};
    axis[1] =
        (struct buffer_axis){group->sink->axis[group->lanes].name, lanes_first(context, group),
                             expr_integer(context->pool, group->lane_count), false};
}

/* ---- Loops ---- */

struct lines {
    struct pass_context *context;
    struct program *program;
    const struct line_group *group;
    struct tile_group alone;            /* of the sink */
    const struct buffer *const *buffer; /* by place */
    const struct statement **body;      /* by place: a sample, in the sink's variables */
    const struct expr *variable;        /* along the line */
    const struct expr *first, *end;     /* of the pass at hand */
    const struct expr *from, *to;       /* of the part of the line at hand */
    enum parallel_level level;          /* of the pass at hand: independent where its places are */
    bool reversed;
    size_t own_from; /* the first buffer that is of the nest alone: parts of strips */
};

static struct expr_pool *pool_of(const struct lines *l)
{
    return l->context->pool;
}

static const struct statement *loop(const struct lines *l, enum parallel_level level,
                                    const struct expr *variable, const struct expr *first,
                                    const struct expr *end, const struct statement *body,
                                    bool reversed)
{
    return STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, region_sum(pool_of(l), end, first, -1), level,
                                     body, reversed});
}

static const struct expr *first_of(const struct lines *l, const struct stage *stage, unsigned k)
{
    if (l->group->band && l->group->band->axis == k)
        return l->group->band->first;
    return l->group->tile ? tile_first(l->context, stage, k) : stage->axis[k].computed_first;
}

static const struct expr *end_of(const struct lines *l, const struct stage *stage, unsigned k)
{
    if (l->group->band && l->group->band->axis == k)
        return l->group->band->end;
    if (l->group->tile)
        return tile_end(l->context, stage, k);
    return region_sum(pool_of(l), stage->axis[k].computed_first, stage->axis[k].computed_extent, 1);
}

static const struct statement *with_variable(const struct lines *l, const struct statement *body,
                                             const struct expr *from, const struct expr *to)
{
    return from == to ? body
                      : statement_substitute(l->context->output, l->context->scratch, pool_of(l),
                                             body, from, to);
}

static const struct statement *over_lanes(const struct lines *l, enum parallel_level level,
                                          const struct statement *body)
{
    const struct stage *sink = l->group->sink;
    return loop(l, level, sink->axis[l->group->lanes].variable, lanes_first(l->context, l->group),
                lanes_end(l->context, l->group), body, false);
}

/* Rows are so many that all lanes have one: of the last row there may be several, so that loops over lanes are as long as
 * C compilers know. */
static bool fills_lanes(const struct lines *l)
{
    return l->group->lanes < l->group->along;
}

static const struct statement *over_all_lanes(const struct lines *l, enum parallel_level level,
                                              const struct statement *body)
{
    const struct expr *first = lanes_first(l->context, l->group);
    return fills_lanes(l) ? loop(l, level, l->group->sink->axis[l->group->lanes].variable, first,
                                 region_sum(pool_of(l), first,
                                            expr_integer(pool_of(l), l->group->lane_count), 1),
                                 body, false)
                          : over_lanes(l, level, body);
}

/* A stage's samples at one place of the lines. */
static const struct statement *samples_at_place(const struct lines *l, size_t place,
                                                const struct statement *body)
{
    const struct stage *stage = l->group->stage[place];
    const struct expr *first = first_of(l, stage, l->group->along),
                      *end = end_of(l, stage, l->group->along), *inside = NULL;
    body = over_all_lanes(l, LEVEL_INDEPENDENT, body);
    if (first != l->first)
        inside = expr_binary(pool_of(l), EXPR_LESS_EQUAL, first, l->variable);
    if (end != l->end) {
        const struct expr *below = expr_binary(pool_of(l), EXPR_LESS, l->variable, end);
        inside = inside ? expr_binary(pool_of(l), EXPR_AND, inside, below) : below;
    }
    return inside ? STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_IF,
                                  .as.branch = {inside, body, NULL})
                  : body;
}

/* ---- Strips that are turned ---- */

/* A value of memory alone, over the box of a stage that holds it, and where it is turned. */
struct turned {
    const struct expr *value;
    const struct expr *first, *end; /* along the line */
    const struct buffer *turned;
};

struct turning {
    struct lines *l;
    struct hash_map natures;            /* node → 1 + its nature */
    struct hash_map seen;               /* nodes of the stage at hand */
    VECTOR(const struct expr *) values; /* of the stage at hand */
    VECTOR(struct turned) turned;
};

/* What a value depends on. */
enum nature {
    OF_ROWS = 1, /* samples in memory, others at each place of each line */
    BOUND = 2    /* samples of the group, or names inside its statement */
};

/* Whether it is of the lines at hand: samples that lie side by side. */
static bool is_own(const struct lines *l, const struct expr *load)
{
    bool own = false;
    for (size_t i = 0; i + 1 < l->group->count; i++)
        own = own || l->buffer[i]->id.index == load->as.load.source;
    return own;
}

static bool is_in_memory(const struct lines *l, const struct expr *load)
{
    const enum buffer_space space = l->program->buffers.item[load->as.load.source].space;
    return space == SPACE_INPUT || space == SPACE_SCRATCH || space == SPACE_OUTPUT ||
           (space == SPACE_TILE && !is_own(l, load));
}

static bool is_of_rows(const struct lines *l, const struct expr *load)
{
    struct arena *scratch = l->context->scratch;
    return load->count >= 1 && is_in_memory(l, load) &&
           expr_contains(scratch, load->operand[load->count - 1], l->variable) &&
           expr_contains(scratch, load, l->group->sink->axis[l->group->lanes].variable);
}

static unsigned nature_of(struct turning *t, const struct expr *node)
{
    const uintptr_t known = (uintptr_t)hash_map_find(&t->natures, node);
    if (known)
        return (unsigned)known - 1;
    unsigned nature = 0;
    for (unsigned i = 0; i < node->count; i++)
        nature |= nature_of(t, node->operand[i]);
    for (unsigned i = 0; node->kind == EXPR_LOAD && node->as.load.border && i < node->count; i++)
        nature |= node->as.load.border[i].value ? nature_of(t, node->as.load.border[i].value) : 0;
    if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_LOCAL)
        nature |= BOUND;
    if (node->kind == EXPR_LOAD)
        nature |= is_of_rows(t->l, node) ? OF_ROWS : is_own(t->l, node) ? BOUND : 0;
    hash_map_put(t->l->context->scratch, &t->natures, node, (void *)(uintptr_t)(nature + 1));
    return nature;
}

/* What is left to turn without the operations of the value that have no other operand of memory. */
static const struct expr *core_of(struct turning *t, const struct expr *value)
{
    for (;;) {
        const struct expr *only = NULL;
        unsigned count = 0;
        for (unsigned i = 0; i < value->count; i++)
            if (nature_of(t, value->operand[i]) & OF_ROWS) {
                only = value->operand[i];
                count++;
            }
        if (value->kind == EXPR_LOAD || value->kind == EXPR_REDUCE || count != 1)
            return value;
        value = only;
    }
}

/* Finds the values of memory in an expression: as large as they are. */
static void find_values(struct turning *t, const struct expr *node)
{
    const unsigned nature = nature_of(t, node);
    if (!(nature & OF_ROWS) || hash_map_find(&t->seen, node))
        return;
    hash_map_put(t->l->context->scratch, &t->seen, node, t);
    if (!(nature & BOUND)) {
        const struct expr *core = core_of(t, node);
        if (core == node || !hash_map_find(&t->seen, core))
            VECTOR_PUSH(t->l->context->scratch, &t->values, core);
        hash_map_put(t->l->context->scratch, &t->seen, core, t);
        return;
    }
    for (unsigned i = 0; i < node->count && node->kind != EXPR_REDUCE && node->kind != EXPR_LOAD;
         i++)
        find_values(t, node->operand[i]);
}

static void note_expression(const struct expr *root, void *user)
{
    find_values(user, root);
}

static void note_statement(const struct statement *statement, void *user)
{
    statement_expressions(statement, note_expression, user);
    statement_children(statement, note_statement, user);
}

static bool is_taken(const struct program *program, const struct symbol *name)
{
    bool taken = false;
    for (size_t i = 0; i < program->buffers.count; i++)
        taken = taken || program->buffers.item[i].name == name;
    return taken;
}

static const struct symbol *unused_name(const struct lines *l, const struct symbol *like,
                                        const char *part)
{
    struct symbol_table *symbols = &l->context->session->symbols;
    const struct symbol *name = symbol_format(symbols, "%s.%s", like->text, part);
    for (unsigned i = 2; is_taken(l->program, name); i++)
        name = symbol_format(symbols, "%s.%s_%u", like->text, part, i);
    return name;
}

/* Memory of a strip: lines first, or places of the line first. */
static const struct buffer *strip_of(struct lines *l, const char *part, enum scalar scalar,
                                     struct interval interval, bool turned)
{
    struct pass_context *context = l->context;
    const struct stage *sink = l->group->sink;
    const struct expr *lanes = expr_integer(context->pool, l->group->lane_count);
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, 2);
    axis[turned] = (struct buffer_axis){sink->axis[l->group->lanes].name,
                                        lanes_first(context, l->group), lanes, false};
    axis[!turned] = (struct buffer_axis){sink->axis[l->group->along].name, l->from,
                                         expr_integer(context->pool, STRIP), false};
    const buffer_id id =
        program_add_buffer(context->output, l->program,
                           (struct buffer){.name = unused_name(l, sink->name, part),
                                           .span = sink->span,
                                           .scalar = scalar,
                                           .interval = interval,
                                           .space = SPACE_TILE,
                                           .rank = 2,
                                           .axis = axis,
                                           .slot = NO_SLOT});
    return arena_copy(context->scratch, program_buffer(l->program, id), sizeof(struct buffer));
}

static const struct expr *load_of(const struct lines *l, const struct buffer *buffer,
                                  const struct expr *a, const struct expr *b)
{
    const struct expr *const index[2] = {a, b};
    return expr_load(pool_of(l), buffer->id.index, buffer->scalar, buffer->interval, 2, index,
                     NULL);
}

static const struct statement *store_to(const struct lines *l, buffer_id buffer, unsigned count,
                                        const struct expr *const index[], const struct expr *value)
{
    return STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_STORE,
                         .as.store = {buffer, count,
                                      arena_copy(l->context->output, index, count * sizeof *index),
                                      value});
}

static void allocate(struct lines *l, struct statement_items *items, const struct buffer *buffer)
{
    VECTOR_PUSH(l->context->scratch, items,
                STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_ALLOCATE,
                              .as.allocate = {buffer->id}));
}

/* ---- Lanes that hold the last row ---- */

/* The row of a lane. */
static const struct expr *row_of_lane(const struct lines *l)
{
    return region_minimum(
        pool_of(l), l->group->sink->axis[l->group->lanes].variable,
        region_sum(pool_of(l), lanes_end(l->context, l->group), expr_integer(pool_of(l), 1), -1));
}

/* What lies lane by lane is read in the lane, all else in its row. */
static const struct expr *take_lane(const struct expr *node, void *user)
{
    const struct lines *l = user;
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    if (node == lane)
        return row_of_lane(l);
    if (node->kind != EXPR_LOAD || (!is_own(l, node) && node->as.load.source < l->own_from))
        return node;
    const struct expr *const index[2] = {node->operand[0], lane};
    return expr_load(pool_of(l), node->as.load.source, node->scalar, node->interval, 2, index,
                     node->as.load.border);
}

/* A statement of a sample, for all lanes. */
static const struct statement *in_all_lanes(const struct statement *statement, void *user)
{
    struct lines *l = user;
    struct expr_rewriter rewriter = {
        .pool = pool_of(l), .rule = take_lane, .context = l, .scratch = l->context->scratch};
    if (statement->kind != STATEMENT_STORE)
        return statement->kind == STATEMENT_BLOCK
                   ? statement_rebuild(l->context->output, statement, in_all_lanes, l)
                   : statement_rewrite(l->context->output, statement, &rewriter);
    struct statement store = *statement;
    store.as.store.value = expr_rewrite(&rewriter, store.as.store.value);
    return statement_new(l->context->output, store);
}

/* A row of a strip, behind what asks for that of the next one. */
static const struct statement *behind_prefetches(struct lines *l, const struct statement *copied,
                                                 const struct statement *row)
{
    enum { MOST = 4 };
    struct expr_pool *pool = pool_of(l);
    const struct expr *size = expr_integer(pool, STRIP);
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    const struct prefetch_range range = {
        .x = l->variable,
        .y = lane,
        .first = l->reversed ? region_sum(pool, l->from, size, -1) : l->to,
        .end = l->reversed ? l->from : region_sum(pool, l->to, size, 1)};
    const struct statement *item[MOST + 1];
    const unsigned count = prefetch_rows(l->context, l->program, &range, copied, MOST, item);
    for (unsigned i = 0; i < count; i++)
        item[i] = statement_substitute(l->context->output, l->context->scratch, pool, item[i], lane,
                                       row_of_lane(l));
    item[count] = row;
    return statement_block(l->context->output, row->span, count + 1, item);
}

/* The strip's part of a value of memory. */
static struct turned turn_in(struct lines *l, struct statement_items *items,
                             const struct expr *value, const struct stage *stage)
{
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    const struct expr *const by_line[2] = {lane, l->variable};
    const struct expr *const by_place[2] = {l->variable, lane};
    /* Bytes cannot be turned in registers. */
    const bool is_narrow = scalar_is_integer(value->scalar) && scalar_info[value->scalar].bytes < 4;
    const enum scalar scalar = is_narrow ? SCALAR_I32 : value->scalar;
    const struct buffer *strip = strip_of(l, "strip", scalar, value->interval, false);
    const struct turned turned = {value, first_of(l, stage, l->group->along),
                                  end_of(l, stage, l->group->along),
                                  strip_of(l, "turned", scalar, value->interval, true)};
    const struct expr *from = region_maximum(pool_of(l), l->from, turned.first);
    const struct expr *to = region_minimum(pool_of(l), l->to, turned.end);
    allocate(l, items, strip);
    allocate(l, items, turned.turned);
    const struct statement *copied = store_to(l, strip->id, 2, by_line, value);
    const struct statement *row =
        loop(l, LEVEL_INDEPENDENT, l->variable, from, to, in_all_lanes(copied, l), false);
    VECTOR_PUSH(l->context->scratch, items,
                over_all_lanes(l, LEVEL_SERIAL, behind_prefetches(l, copied, row)));
    VECTOR_PUSH(l->context->scratch, items,
                over_all_lanes(l, LEVEL_TURNED,
                               loop(l, LEVEL_SERIAL, l->variable, from, to,
                                    store_to(l, turned.turned->id, 2, by_place,
                                             load_of(l, strip, lane, l->variable)),
                                    false)));
    return turned;
}

/* The value as it was turned for a stage of the same box, or now. */
static const struct buffer *turned_of(struct turning *t, struct statement_items *items,
                                      const struct expr *value, const struct stage *stage)
{
    const struct expr *first = first_of(t->l, stage, t->l->group->along);
    const struct expr *end = end_of(t->l, stage, t->l->group->along);
    for (size_t i = 0; i < t->turned.count; i++) {
        const struct turned *known = &t->turned.item[i];
        if (known->value == value && known->first == first && known->end == end)
            return known->turned;
    }
    VECTOR_PUSH(t->l->context->scratch, &t->turned, turn_in(t->l, items, value, stage));
    return t->turned.item[t->turned.count - 1].turned;
}

/* A stage's samples, with what they take of memory turned. */
static const struct statement *with_turned(struct turning *t, struct statement_items *items,
                                           size_t place)
{
    const struct lines *l = t->l;
    struct arena *scratch = l->context->scratch;
    struct expr_rewriter rewriter = {.pool = pool_of(l), .scratch = scratch};
    t->seen = (struct hash_map){0};
    t->values.count = 0;
    note_statement(l->body[place], t);
    for (size_t i = 0; i < t->values.count; i++) {
        const struct expr *value = t->values.item[i];
        const struct buffer *turned = turned_of(t, items, value, l->group->stage[place]);
        hash_map_put(scratch, &rewriter.done, value,
                     (void *)(uintptr_t)load_of(l, turned, l->variable,
                                                l->group->sink->axis[l->group->lanes].variable));
    }
    return statement_rewrite(l->context->output, l->body[place], &rewriter);
}

/* The sink's samples are stored side by side, then turned into memory. */
static const struct statement *turn_out(struct lines *l, struct statement_items *items,
                                        const struct statement *body, const struct statement **back)
{
    const struct stage *sink = l->group->sink;
    const struct statement *store =
        body->kind == STATEMENT_BLOCK ? body->as.block.item[body->as.block.count - 1] : body;
    const struct buffer *memory =
        arena_copy(l->context->scratch, program_buffer(l->program, store->as.store.buffer),
                   sizeof(struct buffer));
    const struct buffer *turned = strip_of(l, "result", memory->scalar, memory->interval, true);
    const struct expr *lane = sink->axis[l->group->lanes].variable;
    const struct expr *const by_place[2] = {l->variable, lane};
    allocate(l, items, turned);
    *back = over_lanes(l, LEVEL_TURNED,
                       loop(l, LEVEL_SERIAL, l->variable,
                            region_maximum(pool_of(l), l->from, first_of(l, sink, l->group->along)),
                            region_minimum(pool_of(l), l->to, end_of(l, sink, l->group->along)),
                            store_to(l, memory->id, store->as.store.rank, store->as.store.index,
                                     load_of(l, turned, l->variable, lane)),
                            false));
    const struct statement *kept = store_to(l, turned->id, 2, by_place, store->as.store.value);
    if (body == store)
        return kept;
    const size_t count = body->as.block.count;
    const struct statement **item =
        arena_copy(l->context->scratch, body->as.block.item, count * sizeof *item);
    item[count - 1] = kept;
    return statement_block(l->context->output, body->span, count, item);
}

static const struct expr *part_of_line(const struct lines *l, const char *part)
{
    const struct interval along = l->variable->interval;
    return expr_variable(pool_of(l), VARIABLE_LOCAL,
                         symbol_format(&l->context->session->symbols, "%s.%s",
                                       l->variable->as.variable.name->text, part),
                         SCALAR_I64, (struct interval){along.least, along.greatest + STRIP});
}

/* Asks for the rows that the lines reach some places on: each lies in a page of its own, so that processors do not foresee
 * it. */
static unsigned prefetch_places(const struct lines *l, size_t begin, size_t end,
                                const struct statement *const body[], unsigned most,
                                const struct statement *item[])
{
    enum { FURTHER = 8 };
    const struct prefetch_range range = {.x = l->group->sink->axis[l->group->lanes].variable,
                                         .y = l->variable,
                                         .further = l->reversed ? -FURTHER : FURTHER,
                                         .first = lanes_first(l->context, l->group),
                                         .end = lanes_end(l->context, l->group)};
    unsigned count = 0;
    for (size_t i = begin; i < end && count == 0; i++) /* what others read is nearer by then */
        count = prefetch_rows(l->context, l->program, &range, body[i], most, item);
    return count;
}

static const struct statement *places(const struct lines *l, size_t begin, size_t end,
                                      const struct statement *const body[])
{
    enum { MOST = 4 };
    const struct statement **item =
        ARENA_ARRAY(l->context->scratch, const struct statement *, end - begin + MOST);
    unsigned count = fills_lanes(l) ? 0 : prefetch_places(l, begin, end, body, MOST, item);
    for (size_t i = begin; i < end; i++)
        item[count++] = samples_at_place(l, i, body[i]);
    return loop(l, l->level, l->variable, l->from, l->to,
                statement_block(l->context->output, l->group->sink->span, count, item),
                l->reversed);
}

/* A pass strip by strip. */
static const struct statement *strips(struct lines *l, size_t begin, size_t end)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    struct turning t = {.l = l};
    struct statement_items items = {0};
    const struct statement **body = ARENA_ARRAY(context->scratch, const struct statement *,
                                                l->group->count),
                           *back = NULL;
    const struct expr *size = expr_integer(pool, STRIP);
    const struct expr *strip = expr_variable(
        pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.strip", l->variable->as.variable.name->text),
        SCALAR_I32, (struct interval){0, INT32_MAX / STRIP + 1});
    struct tile_code code = {.context = context, .group = &l->alone};
    l->from = part_of_line(l, "from");
    l->to = part_of_line(l, "to");
    /* Rows in the caller's memory are stored by whole lines of cache. */
    const struct expr *lag = end < l->group->count
                                 ? expr_integer(pool, 0)
                                 : cache_lag(context, l->program, l->buffer[end - 1], l->first);
    const struct expr *begin_of_strip = region_sum(
        pool, region_sum(pool, l->first, expr_binary(pool, EXPR_MULTIPLY, size, strip), 1), lag,
        -1);
    tile_add_let(&code, l->from, region_maximum(pool, begin_of_strip, l->first));
    tile_add_let(&code, l->to,
                 region_minimum(pool, region_sum(pool, begin_of_strip, size, 1), l->end));
    items = code.lets;
    for (size_t i = begin; i < end; i++) {
        body[i] = with_turned(&t, &items, i);
        if (i + 1 == l->group->count)
            body[i] = turn_out(l, &items, body[i], &back);
        body[i] = in_all_lanes(body[i], l);
    }
    VECTOR_PUSH(context->scratch, &items, places(l, begin, end, body));
    if (back)
        VECTOR_PUSH(context->scratch, &items, back);
    const struct expr *count = expr_binary(
        pool, EXPR_DIVIDE,
        region_sum(pool, region_sum(pool, region_sum(pool, l->end, l->first, -1), lag, 1),
                   expr_integer(pool, STRIP - 1), 1),
        size);
    return loop(l, l->level, strip, expr_integer(pool, 0), count,
                statement_block(context->output, l->group->sink->span, items.count, items.item),
                l->reversed);
}

/* ---- Passes ---- */

/* A coordinate along the line that holds those of all stages from `begin` to `end` - 1. */
static const struct expr *variable_of(const struct lines *l, size_t begin, size_t end)
{
    const struct expr *leading = l->group->stage[begin]->axis[l->group->along].variable;
    struct interval all = leading->interval;
    for (size_t i = begin + 1; i < end; i++) {
        const struct interval own = l->group->stage[i]->axis[l->group->along].variable->interval;
        all.least = own.least < all.least ? own.least : all.least;
        all.greatest = own.greatest > all.greatest ? own.greatest : all.greatest;
    }
    return expr_variable(pool_of(l), VARIABLE_INDEX, leading->as.variable.name, scalar_lane(all),
                         all);
}

/* The stages from `begin` to `end` - 1, place by place of the line. */
static const struct statement *pass_over(struct lines *l, size_t begin, size_t end)
{
    const unsigned along = l->group->along;
    const struct stage *leading = l->group->stage[begin];
    const enum line_direction direction = l->group->place[begin].direction;
    bool in_turn = false;
    l->variable = variable_of(l, begin, end);
    l->first = first_of(l, leading, along);
    l->end = end_of(l, leading, along);
    for (size_t i = begin; i < end; i++) {
        const struct stage *stage = l->group->stage[i];
        l->body[i] = with_variable(l, l->body[i], stage->axis[along].variable, l->variable);
        l->first = region_minimum(pool_of(l), l->first, first_of(l, stage, along));
        l->end = region_maximum(pool_of(l), l->end, end_of(l, stage, along));
        in_turn = in_turn || (stage != l->group->sink && l->group->place[i].rows > 0);
    }
    l->from = l->first;
    l->to = l->end;
    l->reversed = direction == LINE_BACKWARD;
    l->level = direction == LINE_ANY && !in_turn ? LEVEL_INDEPENDENT : LEVEL_SERIAL;
    return fills_lanes(l) ? strips(l, begin, end) : places(l, begin, end, l->body);
}

/* Defines the lines at hand, of those in the tile; the coordinate of such parts, and how many there are. */
static const struct expr *cut_lanes(const struct lines *l, struct tile_code *code,
                                    const struct expr **count)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    const struct stage *sink = l->group->sink;
    const struct expr *first = first_of(l, sink, l->group->lanes);
    const struct expr *end = end_of(l, sink, l->group->lanes);
    const struct expr *size = expr_integer(pool, l->group->lane_count);
    const struct expr *part =
        expr_variable(pool, VARIABLE_INDEX,
                      symbol_format(&context->session->symbols, "%s.part",
                                    sink->axis[l->group->lanes].name->text),
                      SCALAR_I32, (struct interval){0, INT32_MAX / l->group->lane_count});
    const struct expr *own = lanes_first(context, l->group);
    tile_add_let(code, own,
                 region_sum(pool, first, expr_binary(pool, EXPR_MULTIPLY, size, part), 1));
    tile_add_let(code, lanes_end(context, l->group),
                 region_minimum(pool, region_sum(pool, own, size, 1), end));
    *count = expr_binary(pool, EXPR_DIVIDE,
                         region_sum(pool, region_sum(pool, end, first, -1),
                                    expr_integer(pool, l->group->lane_count - 1), 1),
                         size);
    return part;
}

const struct statement *line_nest(struct pass_context *context, struct program *program,
                                  const struct line_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[])
{
    const struct stage *sink = group->sink;
    struct lines l = {.context = context,
                      .program = program,
                      .group = group,
                      .alone = {.sink = sink, .sliding = NO_AXIS},
                      .own_from = program->buffers.count,
                      .buffer = buffer,
                      .body = arena_copy(context->scratch, body, group->count * sizeof *body)};
    struct tile_code tile = {.context = context, .group = &l.alone};
    const struct expr *count;
    struct buffer_axis lanes = buffer[group->count - 1]->axis[group->lanes];
    if (group->band && group->band->axis == group->lanes) {
        lanes.first = group->band->first;
        lanes.extent = region_sum(context->pool, group->band->end, group->band->first, -1);
    }
    const struct expr *lag =
        fills_lanes(&l) ? expr_integer(context->pool, 0)
                        : cache_lag(context, program, buffer[group->count - 1], lanes.first);
    const struct expr *block = group->tile
                                   ? cut_lanes(&l, &tile, &count)
                                   : tile_cut_axis(&tile, &lanes, group->lanes, lag, &count);
    for (size_t i = 0; i < group->count; i++)
        for (unsigned k = 0; k < sink->rank; k++)
            if (k != group->along)
                l.body[i] = with_variable(&l, l.body[i], group->stage[i]->axis[k].variable,
                                          sink->axis[k].variable);
    for (size_t i = 0; i + 1 < group->count && !line_goes_on(group); i++)
        allocate(&l, &tile.lets, buffer[i]);
    for (size_t begin = 0, end; begin < group->count; begin = end) {
        for (end = begin + 1;
             end < group->count && group->place[end].pass == group->place[begin].pass;)
            end++;
        VECTOR_PUSH(context->scratch, &tile.lets, pass_over(&l, begin, end));
    }
    const struct statement *nest =
        statement_block(context->output, sink->span, tile.lets.count, tile.lets.item);
    nest = loop(&l, LEVEL_INDEPENDENT, block, expr_integer(context->pool, 0), count, nest, false);
    for (unsigned k = sink->rank; k-- > 0;)
        if (k != group->along && k != group->lanes)
            nest = loop(&l, LEVEL_INDEPENDENT, sink->axis[k].variable, first_of(&l, sink, k),
                        end_of(&l, sink, k), nest, false);
    return nest;
}
