/* Tails of rows and of columns from one read (algorithm 5 of Nehab et al. 2011). Tiles compute both
 * at rest: what the states of rows add to the tails of columns is made up for later, since a tile's
 * rows and columns are filtered in either order. The tails of columns, as an image of few rows, are
 * themselves lines along which the recurrence of the rows runs, and need only its states:
 *   out.rows.local, out.local in tiles of out.tails (y.blocks: 1, x.blocks: 1)
 *   out.tails[b, p, c, i]     states of columns p at the tile's column i; then those of rows, row i
 *   out.rows.carry[l, c, k]   states of the rows; behind them, of the tails of columns, as rows
 *   out.carry[b, p, x]        out.tails + out.rows.weights[k, i] out.rows.carry[…, c, k], carried on
 * The rest is as segment_overlap.c has it. */
#include "graph/segments/segment_choices.h"

#include "graph/recurrence/recurrence.h"
#include "graph/recurrence/wrapping_form.h"
#include "graph/segments/segments.h"

/* ---- Which ---- */

/* The recurrence along columns, and the rows that it reads. */
struct crossing {
    const struct segment_choices *c;
    const struct stage *columns, *rows;
    unsigned axis;
    bool wraps, is_linear;
};

static bool is_of_both(const struct expr *load, void *user)
{
    const struct crossing *both = user;
    return load->as.load.source == both->columns->id.index ||
           load->as.load.source == both->rows->id.index;
}

/* Whether the same coefficient counts in all lines. */
static bool is_everywhere(struct arena *scratch, const struct stage *stage,
                          const struct expr *coefficient)
{
    bool everywhere = true;
    for (unsigned k = 0; k < stage->rank; k++)
        everywhere = everywhere && !expr_contains(scratch, coefficient, stage->axis[k].variable);
    return everywhere;
}

/* Whether a value is a sum of reads of both alone, each with a factor that all lines share. */
static bool is_linear_in_both(const struct crossing *both, const struct expr *value)
{
    struct arena *scratch = both->c->context->scratch;
    void *user = (void *)(uintptr_t)both;
    struct linear_form form;
    struct wrapping_form of_integers;
    if (value->kind == EXPR_INTEGER || value->kind == EXPR_REAL)
        return value->kind == EXPR_INTEGER ? value->as.integer == 0 : value->as.real == 0;
    if (both->wraps)
        return wrapping_form_of(scratch, value, both->columns->element, is_of_both, user,
                                &of_integers) &&
               !of_integers.has_rest;
    bool fits = linear_form_unrounded(both->c->in, both->c->context->pool, scratch, value,
                                      is_of_both, user, &form) &&
                !form.rest;
    for (size_t i = 0; fits && i < form.terms.count; i++)
        fits = is_everywhere(scratch, both->columns, form.terms.item[i].coefficient);
    return fits;
}

/* Reads of columns without what these begin with. */
static const struct expr *without_start(const struct expr *node, void *user)
{
    const struct crossing *both = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != both->columns->id.index ||
        !node->as.load.border)
        return node;
    struct border border[GRAPH_MAX_RANK];
    memcpy(border, node->as.load.border, node->count * sizeof border[0]);
    border[both->axis] = (struct border){.rule = BORDER_ZERO};
    return expr_load(both->c->context->pool, node->as.load.source, node->scalar, node->interval,
                     node->count, node->operand, border);
}

/* What columns begin with. */
static void note_start(const struct expr *node, void *user)
{
    struct crossing *both = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != both->columns->id.index)
        return;
    const struct border *rule = node->as.load.border ? &node->as.load.border[both->axis] : NULL;
    both->is_linear =
        both->is_linear && rule && rule->value && is_linear_in_both(both, rule->value);
}

/* Whether the chain's state is of its first member alone, with coefficients that are the same in
 * all lines. */
static bool is_of_one(const struct segment_choices *c, const struct chain *chain)
{
    const struct chain_member *member = &chain->member[0];
    bool fits = true;
    for (size_t m = 1; m < chain->count; m++)
        fits = fits && !chain->member[m].feeds;
    for (size_t t = 0; t < member->terms.count; t++)
        fits = fits &&
               is_everywhere(c->context->scratch, member->stage, member->terms.item[t].coefficient);
    return fits;
}

bool segment_is_rounded(const struct chain *chain)
{
    const struct stage *last = chain->member[chain->count - 1].stage;
    const struct expr *value = last->value;
    if (chain->count == 1)
        return true;
    while (value->kind == EXPR_CONVERT && scalar_is_float(value->scalar))
        value = value->operand[0];
    bool rounded = chain->count == 2 && value->kind == EXPR_LOAD &&
                   value->as.load.source == chain->member[0].stage->id.index;
    for (unsigned k = 0; rounded && k < last->rank; k++)
        rounded = value->operand[k] == last->axis[k].variable;
    return rounded;
}

static bool begins_at_zero(const struct stage *stage)
{
    bool zero = true;
    for (unsigned k = 0; k < stage->rank; k++)
        zero = zero && stage->axis[k].computed_first->kind == EXPR_INTEGER &&
               stage->axis[k].computed_first->as.integer == 0;
    return zero;
}

/* Whether rows are rounded no more than columns: what states of rows add to columns is not. */
static bool is_fine_enough(const struct chain *chain, const struct chain *before)
{
    const enum scalar columns = chain->member[chain->count - 1].stage->element;
    const enum scalar rows = before->member[before->count - 1].stage->element;
    return chain->algebra->wraps || scalar_info[rows].bytes >= scalar_info[columns].bytes;
}

bool segment_may_cross(const struct segment_choices *c, const struct chain *chain,
                       const struct chain *before)
{
    struct crossing both = {.c = c,
                            .columns = chain->member[0].stage,
                            .rows = before->member[before->count - 1].stage,
                            .axis = chain->axis,
                            .wraps = chain->algebra->wraps};
    if (!segment_is_rounded(before) || !is_fine_enough(chain, before) ||
        chain->algebra != before->algebra || !is_of_one(c, chain) || !is_of_one(c, before) ||
        !begins_at_zero(both.columns) || !begins_at_zero(both.rows))
        return false;
    struct expr_rewriter rewriter = {.pool = c->context->pool,
                                     .rule = without_start,
                                     .context = &both,
                                     .scratch = c->context->scratch};
    both.is_linear = is_linear_in_both(&both, expr_rewrite(&rewriter, both.columns->value));
    stage_nodes(both.columns, c->context->scratch, note_start, &both);
    return both.is_linear;
}

/* ---- Stages ---- */

/* Axes of rows and columns may have other names: stages of tiles have those of columns. */
struct tails {
    struct segments *columns, *rows;
    int64_t size;
    const struct expr *number; /* of a tile along x */
    const struct expr *blocks; /* tiles along y */
    const struct expr *place;  /* in a tile: of a column in its rows, or of a row in its columns */
    uint32_t sink;
};

static const struct expr *binary(const struct tails *t, enum expr_kind kind, const struct expr *a,
                                 int64_t b)
{
    return expr_binary(segments_pool(t->columns), kind, a, segments_integer(t->columns, b));
}

/* The same with those axes alone, of which a tile has no part: the first ones. */
static struct segments planes_of(const struct segments *s, unsigned lead)
{
    struct segments planes = *s;
    planes.lead = lead;
    planes.trail = 0;
    return planes;
}

/* The sample of a stage in tiles, at a row and a column of the tile at hand. */
static const struct expr *in_tile(const struct tails *t, uint32_t stage, const struct expr *row,
                                  const struct expr *column)
{
    const struct segments *s = t->columns, planes = planes_of(s, s->lead);
    struct expr_pool *pool = segments_pool(s);
    const struct border clamped = {.rule = BORDER_CLAMP}; /* the last tile is shorter */
    const struct expr *const own[2] = {
        region_sum(pool, binary(t, EXPR_MULTIPLY, s->j, t->size), row, 1),
        region_sum(pool, binary(t, EXPR_MULTIPLY, t->number, t->size), column, 1)};
    const struct border border[2] = {clamped, clamped};
    return carry_convert(
        pool, s->chain->algebra, s->chain->algebra->element,
        segments_load(&planes, stage, s->out->stages.item[stage]->element, 2, own, border));
}

/* What the tile at hand leaves: in that order the states of columns and those of rows. */
static const struct expr *states_of_tile(const struct tails *t, const struct expr *part)
{
    const struct segments *s = t->columns, *rows = t->rows;
    struct expr_pool *pool = segments_pool(s);
    const int64_t of_columns = s->chain->order, of_rows = rows->chain->order;
    const struct expr *value = NULL;
    for (int64_t p = of_columns + of_rows; p-- > 0;) {
        const struct expr *state =
            p < of_columns
                ? in_tile(t, s->tile_first, segments_integer(s, t->size - of_columns + p), t->place)
                : in_tile(t, rows->tile_first, t->place,
                          segments_integer(s, t->size - of_rows + p - of_columns));
        value = value ? expr_select(pool, binary(t, EXPR_EQUAL, part, p), state, value) : state;
    }
    return value;
}

static void add_tails(struct tails *t)
{
    struct segments *s = t->columns;
    struct expr_pool *pool = segments_pool(s);
    const struct expr *zero = segments_integer(s, 0);
    const int64_t parts = (int64_t)s->chain->order + t->rows->chain->order;
    const struct symbol *part_name = segments_part_name(s, segments_line(s)->name, "state");
    const struct symbol *place_name = segments_part_name(s, segments_line(s)->name, "place");
    const struct expr *part =
        expr_variable(pool, VARIABLE_INDEX, part_name, SCALAR_I32, (struct interval){0, parts - 1});
    const struct symbol *number_name =
        segments_part_name(s, s->last->axis[s->chain->axis + 1].name, "blocks");
    t->number = expr_variable(pool, VARIABLE_INDEX, number_name, SCALAR_I32, t->rows->j->interval);
    t->place = expr_variable(pool, VARIABLE_INDEX, place_name, SCALAR_I32,
                             (struct interval){0, t->size - 1});
    const struct expr *columns = region_floor_divide(
        pool, segments_plus(s, segments_line(t->rows)->computed_extent, t->size - 1), t->size);
    const struct stage_axis own[4] = {
        segments_box(s->segment_name, s->j, zero, t->blocks),
        segments_box(part_name, part, zero, segments_integer(s, parts)),
        segments_box(number_name, t->number, zero, columns),
        segments_box(place_name, t->place, zero, segments_integer(s, t->size))};
    struct segments lines = *s;
    lines.trail = 0; /* places of a tile are in place of it */
    const enum scalar element = s->chain->algebra->element;
    const struct stage tails = {.kind = STAGE_MAP,
                                .name = segments_stage_name(s, s->last->name, "tails"),
                                .span = s->last->span,
                                .is_made = true,
                                .element = element,
                                .interval = scalar_info[element].interval,
                                .repeat = s->last->repeat,
                                .rank = s->lead + 4,
                                .axis = segments_axes(&lines, 4, own),
                                .value = states_of_tile(t, part)};
    int64_t tile[GRAPH_MAX_RANK];
    t->sink = graph_add_stage(s->context->output, s->out, tails).index;
    for (unsigned k = 0; k < tails.rank; k++)
        tile[k] = 1;
    tile[s->lead + 1] = tile[s->lead + 3] = 0; /* all places */
    segments_place_at(s, t->rows->tile_first, t->rows->tile_end, t->sink);
    segments_place_at(s, s->tile_first, s->tile_end, t->sink);
    segments_give_tile(s, t->sink, tile);
}

/* A state that a tile has left, read by a stage of those segments. own: its four places. There may
 * be no tile before the first: then any. */
static const struct expr *state_of(const struct tails *t, const struct segments *of,
                                   const struct expr *const own[4])
{
    const struct segments planes = planes_of(of, t->columns->lead);
    const struct border border[4] = {{.rule = BORDER_CLAMP},
                                     {.rule = BORDER_NONE},
                                     {.rule = BORDER_CLAMP},
                                     {.rule = BORDER_NONE}};
    return segments_load(&planes, t->sink, of->chain->algebra->element, 4, own, border);
}

/* 0 where nothing is before, else the value. */
static const struct expr *unless_first(const struct segments *s, const struct expr *value)
{
    const struct carry_algebra *algebra = s->chain->algebra;
    return expr_select(segments_pool(s),
                       expr_binary(segments_pool(s), EXPR_LESS, s->j, segments_integer(s, 1)),
                       carry_zero(segments_pool(s), algebra->element), value);
}

/* The states of rows, and behind these lines those of the tails of columns. Returns the weights of
 * a state in its segment. */
static stage_id add_states_of_rows(struct tails *t)
{
    struct segments *rows = t->rows;
    struct expr_pool *pool = segments_pool(rows);
    const int64_t of_columns = t->columns->chain->order, of_rows = rows->chain->order;
    const struct interval y = segments_line(t->columns)->variable->interval;
    const struct interval all = {0, y.greatest + (y.greatest / t->size + 1) * of_columns};
    const struct expr *line = expr_variable(pool, VARIABLE_INDEX, segments_line(t->columns)->name,
                                            scalar_width(all), all);
    const struct expr *extent = segments_line(t->columns)->computed_extent;
    const struct expr *behind = region_sum(pool, line, extent, -1);
    const struct expr *is_row = expr_binary(pool, EXPR_LESS, line, extent);
    const struct expr *before = segments_plus(rows, rows->j, -1);
    const struct expr *k = segments_plus(rows, rows->i, -t->size); /* of the state */
    const struct expr *const of_row[4] = {binary(t, EXPR_DIVIDE, line, t->size),
                                          segments_plus(rows, k, of_columns), before,
                                          binary(t, EXPR_REMAINDER, line, t->size)};
    const struct expr *const of_tails[4] = {binary(t, EXPR_DIVIDE, behind, of_columns),
                                            binary(t, EXPR_REMAINDER, behind, of_columns), before,
                                            segments_plus(rows, k, t->size - of_rows)};
    struct segments_states states = {.of_matrix = segments_of_matrix(rows, true)};
    states.matrix = segments_add_matrix(&states.of_matrix);
    const stage_id weights = segments_add_weights(&states.of_matrix);
    rows->part = (struct segments_part_of){
        segments_integer(rows, 0),
        region_sum(pool, extent, binary(t, EXPR_MULTIPLY, t->blocks, of_columns), 1),
        t->columns->chain->axis, line};
    segments_add_carry_from(rows, 0, &states,
                            unless_first(rows, expr_select(pool, is_row, state_of(t, rows, of_row),
                                                           state_of(t, rows, of_tails))));
    rows->part.first = NULL;
    return weights;
}

/* The tails of columns, with what the states of rows add to them. */
static const struct expr *tails_of_columns(const struct tails *t, stage_id weights)
{
    const struct segments *s = t->columns, *rows = t->rows;
    const struct carry_algebra *algebra = s->chain->algebra;
    struct expr_pool *pool = segments_pool(s);
    const int64_t of_columns = s->chain->order;
    const struct expr *before = segments_plus(s, s->j, -1);
    const struct expr *p = segments_plus(s, s->i, -t->size); /* of the state */
    const struct expr *column = s->last->axis[s->chain->axis + 1].variable;
    const struct expr *place = binary(t, EXPR_REMAINDER, column, t->size);
    const struct expr *const own[4] = {before, p, binary(t, EXPR_DIVIDE, column, t->size), place};
    const struct expr *line = region_sum(pool, binary(t, EXPR_MULTIPLY, before, of_columns), p, 1);
    const struct segments planes = planes_of(s, s->lead);
    const struct border border[3] = {
        {.rule = BORDER_CLAMP}, {.rule = BORDER_NONE}, {.rule = BORDER_NONE}};
    const struct expr *value = state_of(t, s, own);
    for (unsigned k = 0; k < rows->chain->order; k++) {
        const struct expr *const weight[2] = {segments_integer(s, k), place};
        const struct expr *const state[3] = {
            region_sum(pool, segments_line(s)->computed_extent, line, 1), own[2], weight[0]};
        value = carry_step(
            pool, algebra,
            expr_load(pool, weights.index, algebra->element, scalar_info[algebra->element].interval,
                      2, weight, NULL),
            segments_load(&planes, rows->carry[0].index, algebra->element, 3, state, border),
            value);
    }
    return value;
}

void segments_add_crossing(struct segments *s, struct segments *rows)
{
    struct expr_pool *pool = segments_pool(s);
    struct tails t = {.columns = s, .rows = rows, .size = s->size};
    t.blocks = region_floor_divide(
        pool, segments_plus(s, segments_line(s)->computed_extent, t.size - 1), t.size);
    segments_add_of_tile(rows, "local", true);
    s->new_id[rows->last->id.index] = rows->tile_end - 1;
    segments_add_of_tile(s, "local", true);
    add_tails(&t);
    const stage_id weights = add_states_of_rows(&t);
    struct segments_states states = {.of_matrix = segments_of_matrix(s, true)};
    states.matrix = segments_add_matrix(&states.of_matrix);
    segments_add_carry_from(s, 0, &states, unless_first(s, tails_of_columns(&t, weights)));
}
