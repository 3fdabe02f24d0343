#include "loop/lines/line_strips.h"

#include "analysis/regions.h"
#include "loop/lower/cache_lines.h"
#include "loop/lines/line_scans.h"
#include "loop/lines/line_tiles.h"
#include "loop/lower/prefetch.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

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
    const struct buffer *buffer = &l->program->buffers.item[load->as.load.source];
    return buffer_is_in_memory(buffer) || (buffer->space == SPACE_TILE && !is_own(l, load));
}

static bool is_of_rows(const struct lines *l, const struct expr *load)
{
    struct arena *scratch = l->context->scratch;
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    if (load->count < 1 || !is_in_memory(l, load) || !expr_contains(scratch, load, l->variable) ||
        !expr_contains(scratch, load, lane))
        return false;
    const struct expr *fastest = load->operand[load->count - 1];
    return expr_contains(scratch, fastest, l->variable) ||
           !expr_contains(scratch, fastest, lane); /* or there is nothing to turn */
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

/* Where samples that lie from `first` on begin in the strip at hand, and where those before `end`
 * end: strips are within the places of the sweep. */
static const struct expr *strip_from(const struct lines *l, const struct expr *first)
{
    return first == l->first ? l->from : region_maximum(lines_pool(l), l->from, first);
}

static const struct expr *strip_to(const struct lines *l, const struct expr *end)
{
    return end == l->end ? l->to : region_minimum(lines_pool(l), l->to, end);
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
                                        lines_lanes_first(context, l->group), lanes, false};
    axis[!turned] = (struct buffer_axis){
        sink->axis[l->group->along].name, l->from,
        expr_integer(context->pool, choice_value(context, CHOICE_STRIP)), false};
    return lines_add_memory(l, part,
                            (struct buffer){.name = sink->name,
                                            .span = sink->span,
                                            .scalar = scalar,
                                            .interval = interval,
                                            .rank = 2,
                                            .axis = axis});
}

static const struct expr *load_of(const struct lines *l, const struct buffer *buffer,
                                  const struct expr *a, const struct expr *b)
{
    const struct expr *const index[2] = {a, b};
    return expr_load(lines_pool(l), buffer->id.index, buffer->scalar, buffer->interval, 2, index,
                     NULL);
}

/* ---- Lanes that hold the last row ---- */

/* The row of a lane. */
static const struct expr *row_of_lane(const struct lines *l)
{
    return region_minimum(lines_pool(l), l->group->sink->axis[l->group->lanes].variable,
                          region_sum(lines_pool(l), lines_lanes_end(l->context, l->group),
                                     expr_integer(lines_pool(l), 1), -1));
}

/* The lane in which what is read lies, lane by lane, here or in the tile that the lines are those
 * of; NULL: it does not. */
static const struct expr *lane_of(const struct lines *l, const struct expr *load)
{
    const struct line_group *group = l->group;
    const struct expr *lane = group->sink->axis[group->lanes].variable;
    if (is_own(l, load) || load->as.load.source >= l->own_from)
        return lane;
    const bool in_tile = lines_are_of_tile(group) &&
                         l->program->buffers.item[load->as.load.source].space == SPACE_TILE;
    return in_tile ? region_sum(lines_pool(l), lane, line_tile_shift(l, group->lanes), -1) : NULL;
}

/* What lies lane by lane is read in the lane, all else in its row. */
static const struct expr *take_lane(const struct expr *node, void *user)
{
    const struct lines *l = user;
    if (node == l->group->sink->axis[l->group->lanes].variable)
        return row_of_lane(l);
    const struct expr *lane = node->kind == EXPR_LOAD ? lane_of(l, node) : NULL;
    if (!lane)
        return node;
    const struct expr *const index[2] = {node->operand[0], lane};
    return expr_load(lines_pool(l), node->as.load.source, node->scalar, node->interval, 2, index,
                     node->as.load.border);
}

/* A statement of a sample, for all lanes. */
static const struct statement *in_all_lanes(const struct statement *statement, void *user)
{
    struct lines *l = user;
    struct expr_rewriter rewriter = {
        .pool = lines_pool(l), .rule = take_lane, .context = l, .scratch = l->context->scratch};
    if (statement->kind != STATEMENT_STORE)
        return statement->kind == STATEMENT_BLOCK
                   ? statement_rebuild(l->context->output, statement, in_all_lanes, l)
                   : statement_rewrite(l->context->output, statement, &rewriter);
    struct statement store = *statement;
    store.as.store.value = expr_rewrite(&rewriter, store.as.store.value);
    return statement_new(l->context->output, store);
}

enum { MOST_PREFETCHES = 4 };

/* What asks for a row of the next strip, of all that a row of this one reads. Returns how many. */
static unsigned prefetches_of(struct lines *l, const struct statement *copied,
                              const struct statement *item[])
{
    struct expr_pool *pool = lines_pool(l);
    const struct expr *size = expr_integer(pool, choice_value(l->context, CHOICE_STRIP));
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    const struct prefetch_range range = {
        .x = l->variable,
        .y = lane,
        .below = lane,
        .first = l->reversed ? region_sum(pool, l->from, size, -1) : l->to,
        .end = l->reversed ? l->from : region_sum(pool, l->to, size, 1)};
    const unsigned count =
        prefetch_rows(l->context, l->program, &range, copied, MOST_PREFETCHES, item);
    for (unsigned i = 0; i < count; i++)
        item[i] = statement_substitute(l->context->output, l->context->scratch, pool, item[i], lane,
                                       row_of_lane(l));
    return count;
}

/* Values of memory in a strip. */
struct strip_part {
    const struct expr *value, *from, *to; /* places of the line */
    const struct buffer *turned;
    const struct statement *copied; /* a sample of a row */
};

/* Rows are copied, under rules and with the last row in lanes behind it, then turned. */
static const struct statement *turned_copies(struct lines *l, const struct strip_part *part,
                                             const struct buffer *strip)
{
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    const struct expr *const by_place[2] = {l->variable, lane};
    const struct statement *item[MOST_PREFETCHES + 1], *both[2];
    const unsigned count = prefetches_of(l, part->copied, item);
    item[count] = lines_loop(l, LEVEL_INDEPENDENT, l->variable, part->from, part->to,
                             in_all_lanes(part->copied, l), false);
    both[0] = lines_over_all_lanes(
        l, LEVEL_SERIAL, statement_block(l->context->output, item[count]->span, count + 1, item));
    both[1] = lines_over_all_lanes(l, LEVEL_TURNED,
                                   lines_loop(l, LEVEL_SERIAL, l->variable, part->from, part->to,
                                              lines_store(l, part->turned->id, 2, by_place,
                                                          load_of(l, strip, lane, l->variable)),
                                              false));
    return statement_block(l->context->output, l->group->sink->span, 2, both);
}

/* What the index is more than the coordinate, the same at all places of all lanes; NULL: it is none
 * of that. */
static const struct expr *beyond(const struct lines *l, const struct expr *index,
                                 const struct expr *coordinate)
{
    struct arena *scratch = l->context->scratch;
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    const struct expr *more = region_sum(lines_pool(l), index, coordinate, -1);
    return expr_contains(scratch, more, lane) || expr_contains(scratch, more, l->variable) ? NULL
                                                                                           : more;
}

/* Whether it is a sample in the row of the lane, at the place, so that rows can be turned where
 * they are. */
static bool is_plain_sample(const struct lines *l, const struct strip_part *part)
{
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable, *v = part->value;
    if (v->kind != EXPR_LOAD || v->count < 2 || v->scalar != part->turned->scalar ||
        l->program->buffers.item[v->as.load.source].scalar != v->scalar ||
        !beyond(l, v->operand[v->count - 1], l->variable) ||
        !beyond(l, v->operand[v->count - 2], lane) || !lines_fill_lanes(l))
        return false;
    for (unsigned k = 0; k + 2 < v->count; k++)
        if (expr_contains(l->context->scratch, v->operand[k], lane) ||
            expr_contains(l->context->scratch, v->operand[k], l->variable))
            return false;
    for (unsigned k = 0; v->as.load.border && k + 1 < v->count; k++)
        if (v->as.load.border[k].rule != BORDER_NONE)
            return false;
    return true;
}

/* Whether all lanes have rows of their own, and no place is outside. */
static const struct expr *is_full(const struct lines *l, const struct strip_part *part)
{
    struct expr_pool *pool = lines_pool(l);
    const struct expr *v = part->value;
    const struct expr *full = expr_binary(pool, EXPR_LESS_EQUAL,
                                          region_sum(pool, lines_lanes_first(l->context, l->group),
                                                     expr_integer(pool, l->group->lane_count), 1),
                                          lines_lanes_end(l->context, l->group));
    const struct border *border = v->as.load.border ? &v->as.load.border[v->count - 1] : NULL;
    if (!border || border->rule == BORDER_NONE)
        return full;
    const struct expr *first =
        region_sum(pool, border->first, beyond(l, v->operand[v->count - 1], l->variable), -1);
    full = expr_binary(pool, EXPR_AND, full, expr_binary(pool, EXPR_LESS_EQUAL, first, part->from));
    return expr_binary(
        pool, EXPR_AND, full,
        expr_binary(pool, EXPR_LESS_EQUAL, part->to, region_sum(pool, first, border->extent, 1)));
}

/* Rows are turned where they are. */
static const struct statement *turned_rows(struct lines *l, const struct strip_part *part)
{
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable, *v = part->value;
    const struct expr *const by_place[2] = {l->variable, lane};
    const struct expr *sample = expr_load(lines_pool(l), v->as.load.source, v->scalar, v->interval,
                                          v->count, v->operand, NULL);
    const struct statement *item[MOST_PREFETCHES], *both[2];
    const unsigned count = prefetches_of(l, part->copied, item);
    both[0] = lines_over_all_lanes(l, LEVEL_TURNED,
                                   lines_loop(l, LEVEL_SERIAL, l->variable, part->from, part->to,
                                              lines_store(l, part->turned->id, 2, by_place, sample),
                                              false));
    if (count == 0)
        return both[0];
    both[1] = both[0];
    both[0] = lines_over_all_lanes(
        l, LEVEL_SERIAL, statement_block(l->context->output, l->group->sink->span, count, item));
    return statement_block(l->context->output, l->group->sink->span, 2, both);
}

/* The strip's part of a value of memory. */
static struct turned turn_in(struct lines *l, struct statement_items *items,
                             const struct expr *value, const struct stage *stage)
{
    const struct expr *lane = l->group->sink->axis[l->group->lanes].variable;
    const struct expr *const by_line[2] = {lane, l->variable};
    /* Bytes cannot be turned in registers. */
    const bool is_narrow = scalar_is_integer(value->scalar) && scalar_info[value->scalar].bytes < 4;
    const enum scalar scalar = is_narrow ? SCALAR_I32 : value->scalar;
    const struct buffer *strip = strip_of(l, "strip", scalar, value->interval, false);
    const struct turned turned = {value, lines_first(l, stage, l->group->along),
                                  lines_end(l, stage, l->group->along),
                                  strip_of(l, "turned", scalar, value->interval, true)};
    const struct strip_part part = {.value = value,
                                    .from = strip_from(l, turned.first),
                                    .to = strip_to(l, turned.end),
                                    .turned = turned.turned,
                                    .copied = lines_store(l, strip->id, 2, by_line, value)};
    lines_allocate(l, items, strip);
    lines_allocate(l, items, turned.turned);
    const struct statement *copies = turned_copies(l, &part, strip);
    if (is_plain_sample(l, &part))
        copies = STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_IF,
                               .as.branch = {is_full(l, &part), turned_rows(l, &part), copies});
    VECTOR_PUSH(l->context->scratch, items, copies);
    return turned;
}

/* The value as it was turned for a stage of the same box, or now. */
static const struct buffer *turned_of(struct turning *t, struct statement_items *items,
                                      const struct expr *value, const struct stage *stage)
{
    const struct expr *first = lines_first(t->l, stage, t->l->group->along);
    const struct expr *end = lines_end(t->l, stage, t->l->group->along);
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
    struct expr_rewriter rewriter = {.pool = lines_pool(l), .scratch = scratch};
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
    lines_allocate(l, items, turned);
    *back = lines_over_lanes(
        l, LEVEL_TURNED,
        lines_loop(l, LEVEL_SERIAL, l->variable,
                   strip_from(l, lines_first(l, sink, l->group->along)),
                   strip_to(l, lines_end(l, sink, l->group->along)),
                   lines_store(l, memory->id, store->as.store.rank, store->as.store.index,
                               load_of(l, turned, l->variable, lane)),
                   false));
    const struct statement *kept = lines_store(l, turned->id, 2, by_place, store->as.store.value);
    if (body == store)
        return kept;
    const size_t count = body->as.block.count;
    const struct statement **item =
        arena_copy(l->context->scratch, body->as.block.item, count * sizeof *item);
    item[count - 1] = kept;
    return statement_block(l->context->output, body->span, count, item);
}

static const struct expr *part_of_line(const struct lines *l, const char *part, int64_t size)
{
    const struct interval along = l->variable->interval;
    return expr_variable(lines_pool(l), VARIABLE_LOCAL,
                         symbol_format(&l->context->session->symbols, "%s.%s",
                                       l->variable->as.variable.name->text, part),
                         SCALAR_I64, (struct interval){along.least, along.greatest + size});
}

/* What is computed of a strip: what it takes of memory is turned, and what is stored is turned
 * back. */
static void add_turned(struct lines *l, size_t begin, size_t end, struct statement_items *items)
{
    struct turning t = {.l = l};
    const struct statement *back = NULL;
    const struct statement **body =
        ARENA_ARRAY(l->context->scratch, const struct statement *, l->group->count);
    for (size_t i = begin; i < end; i++) {
        body[i] = with_turned(&t, items, i);
        if (i + 1 == l->group->count)
            body[i] = turn_out(l, items, body[i], &back);
        body[i] = in_all_lanes(body[i], l);
    }
    VECTOR_PUSH(l->context->scratch, items, lines_places(l, begin, end, body));
    if (back)
        VECTOR_PUSH(l->context->scratch, items, back);
}

/* Rows in the caller's memory are stored by whole lines of cache: samples by which the first strip
 * is shorter. Not where next to nothing of what is computed along a row is stored. */
static const struct expr *lag_of_strips(const struct lines *l, size_t end)
{
    enum { FEW = 32 };
    const struct expr *stored = l->group->sink->axis[l->group->along].computed_extent;
    const bool few = stored->kind == EXPR_INTEGER && stored->as.integer <= FEW;
    return end < l->group->count || few
               ? expr_integer(lines_pool(l), 0)
               : cache_lag(l->context, l->program, l->buffer[end - 1], l->first);
}

const struct statement *line_strips(struct lines *l, size_t begin, size_t end)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    const bool scans = line_scans(l, begin, end);
    const int64_t most = choice_value(context, scans ? CHOICE_STRIP_OF_SUMS : CHOICE_STRIP);
    const struct expr *size = expr_integer(pool, most);
    const struct expr *lag = lag_of_strips(l, end);
    const struct expr *strip = expr_variable(
        pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.strip", l->variable->as.variable.name->text),
        SCALAR_I32, (struct interval){0, INT32_MAX / most + 1});
    struct tile_code code = {.context = context, .group = &l->alone};
    l->from = part_of_line(l, "from", most);
    l->to = part_of_line(l, "to", most);
    const struct expr *begin_of_strip = region_sum(
        pool, region_sum(pool, l->first, expr_binary(pool, EXPR_MULTIPLY, size, strip), 1), lag,
        -1);
    tile_add_let(&code, l->from, region_maximum(pool, begin_of_strip, l->first));
    tile_add_let(&code, l->to,
                 region_minimum(pool, region_sum(pool, begin_of_strip, size, 1), l->end));
    struct statement_items items = code.lets;
    if (scans)
        VECTOR_PUSH(context->scratch, &items, line_scan(l, most));
    else
        add_turned(l, begin, end, &items);
    const struct expr *count = expr_binary(
        pool, EXPR_DIVIDE,
        region_sum(pool, region_sum(pool, region_sum(pool, l->end, l->first, -1), lag, 1),
                   expr_integer(pool, most - 1), 1),
        size);
    return lines_loop(
        l, l->level, strip, expr_integer(pool, 0), count,
        statement_block(context->output, l->group->sink->span, items.count, items.item),
        l->reversed);
}
