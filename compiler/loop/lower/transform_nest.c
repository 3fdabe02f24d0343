/* Lines that are transformed, as many at a time as a panel holds: 32 real ones or 16 complex ones,
 * neighbours along the fastest other axis. The panel belongs to a thread and is as long as a line
 * (transform/transform.h tells its layout). Before all other kernels, s.table is filled, which
 * stages share whose lines take the same one:
 *   kernel s.table { transform dct2 … table s.table }
 *   …
 *   kernel s { loop z independent { loop x.group independent {
 *       allocate s.panel
 *       loop y { prefetch …; loop x { store s.panel[y, x - 32 x.group] = value } }
 *       loop y { loop x.rest { store s.panel[y, x.rest] = 0 } }                 of lines that are not there
 *       transform dct2 … table s.table panel s.panel
 *       loop y { loop x { store s[z, y, x] = s.panel[y, x - 32 x.group] } } } } }
 * where groups that are full stand apart, with loops of known length. The inner loop goes along the
 * faster of both axes. Where that is the axis of the transform, strips of the lines are turned into
 * the panel and back. Of complex samples the panel holds the imaginary parts 16 numbers behind the
 * real ones.
 * Transforms in the panels of the stage (group_transforms) come before it:
 *   …  transform dct2 … table r.table panel s.panel
 *   loop y { loop x { store s.panel[y, x - 32 x.group] = value } }
 *   transform dct3 … table s.table panel s.panel  … */
#include "loop/lower/transform_nest.h"

#include "analysis/regions.h"
#include "loop/lower/prefetch.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

enum { NUMBERS = 2 * TRANSFORM_LANES, MOST_PREFETCHES = 4 };

/* A transform of the lines of a panel. */
struct member {
    const struct stage *stage;
    buffer_id table;
};

struct nest {
    struct lowering *l;
    struct pass_context *context;
    struct expr_pool *pool;
    const struct stage *stage;      /* the last of the members: it is stored */
    const struct buffer_axis *axis; /* of its buffer */
    VECTOR(struct member) members;
    unsigned axes;         /* without that of the parts */
    unsigned along, lanes; /* axes; lanes: `axes` where there is no other one */
    int64_t lines;         /* that a panel holds */
    buffer_id panel, strip;
    const struct expr *group; /* which lines: a variable */
    const struct expr *first; /* of them */
    const struct expr *count; /* how many there are */
};

static const struct statement *loop(const struct nest *n, const struct expr *variable,
                                    const struct expr *first, const struct expr *extent,
                                    enum parallel_level level, const struct statement *body)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false, false, 0});
}

static const struct statement *block(const struct nest *n, size_t count,
                                     const struct statement *const item[])
{
    return statement_block(n->context->output, n->stage->span, count, item);
}

static const struct expr *variable_of(const struct nest *n, const char *axis, const char *part,
                                      int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(n->pool, VARIABLE_INDEX,
                         symbol_format(&n->context->session->symbols, "%s.%s", axis, part),
                         SCALAR_I32, interval);
}

/* ---- Memory ---- */

static buffer_id add_buffer(const struct nest *n, const struct stage *stage, const char *part,
                            enum buffer_space space, unsigned rank,
                            const struct expr *const extent[])
{
    struct symbol_table *symbols = &n->context->session->symbols;
    static const char *const name[2] = {"place", "number"};
    struct buffer_axis *axis = ARENA_ARRAY(n->context->output, struct buffer_axis, rank);
    for (unsigned k = 0; k < rank; k++)
        axis[k] = (struct buffer_axis){symbol_from(symbols, name[k]), expr_integer(n->pool, 0),
                                       extent[k], false};
    return program_add_buffer(
        n->context->output, n->l->out,
        (struct buffer){.name = program_buffer_name(n->l->out, symbols, stage->name, part),
                        .span = stage->span,
                        .scalar = stage->element,
                        .space = space,
                        .rank = rank,
                        .axis = axis,
                        .slot = NO_SLOT});
}

/* ---- The table ---- */

/* The value by name: it is computed once for each call. */
static const struct expr *named_size(const struct nest *n, const struct stage *stage,
                                     enum expr_kind kind, const char *part)
{
    const struct expr *const operand[2] = {expr_integer(n->pool, stage->as.transform.kind),
                                           n->axis[n->along].extent};
    const struct expr *value = expr_operation(n->pool, kind, 2, operand);
    const struct symbol *name =
        symbol_format(&n->context->session->symbols, "%s.%s", stage->name->text, part);
    const struct expr *variable =
        expr_variable(n->pool, VARIABLE_EXTENT, name, value->scalar, value->interval);
    VECTOR_PUSH(n->context->output, &n->l->out->values, (struct named_value){variable, value});
    return variable;
}

static const struct statement *transform(const struct nest *n, const struct member *member,
                                         bool prepares);
static const struct statement *kernel(const struct nest *n, const struct symbol *name,
                                      const struct statement *body, bool alone);

/* That of a stage before; NULL: none is the same. */
static const struct shared_table *find_table(const struct nest *n, const struct stage *stage)
{
    for (size_t i = 0; i < n->l->tables.count; i++) {
        const struct shared_table *table = &n->l->tables.item[i];
        if (table->element == stage->element && table->extent == n->axis[n->along].extent &&
            transform_same_table(table->kind, table->norm, stage->as.transform.kind,
                                 stage->as.transform.norm))
            return table;
    }
    return NULL;
}

static void add_table(struct nest *n, struct member *member)
{
    const struct stage *stage = member->stage;
    const struct shared_table *shared = find_table(n, stage);
    if (shared) {
        member->table = shared->table;
        return;
    }
    const struct expr *const numbers[1] = {named_size(n, stage, EXPR_TRANSFORM_TABLE, "numbers")};
    member->table = add_buffer(n, stage, "table", SPACE_SCRATCH, 1, numbers);
    VECTOR_PUSH(n->context->scratch, &n->l->tables,
                (struct shared_table){stage->as.transform.kind, stage->as.transform.norm,
                                      stage->element, n->axis[n->along].extent, member->table});
    const struct symbol *name =
        symbol_format(&n->context->session->symbols, "%s.table", stage->name->text);
    VECTOR_PUSH(n->context->scratch, &n->l->preparing,
                kernel(n, name, transform(n, member, true), true));
}

/* Of a sample. */
static unsigned parts_of(const struct nest *n)
{
    return n->axes < n->stage->rank ? 2 : 1;
}

static bool has_lanes(const struct nest *n)
{
    return n->lanes < n->axes;
}

/* Whether all lines of the panel are there. */
static bool is_full(const struct nest *n)
{
    return n->count->kind == EXPR_INTEGER && n->count->as.integer == n->lines;
}

/* Places of lines that are turned at once. */
static int64_t strip_places(const struct nest *n)
{
    return choice_value(n->context, CHOICE_PANEL_STRIP);
}

/* Whether lines lie along the faster axis, and are turned. */
static bool turns(const struct nest *n)
{
    return has_lanes(n) && n->along > n->lanes && n->context->target->has_threads;
}

static void add_memory(struct nest *n)
{
    const struct expr *const strip[2] = {expr_integer(n->pool, n->lines),
                                         expr_integer(n->pool, strip_places(n))};
    const struct expr *panel[2] = {NULL, expr_integer(n->pool, NUMBERS)};
    for (size_t i = 0; i < n->members.count; i++) {
        struct member *member = &n->members.item[i];
        const struct expr *places = named_size(n, member->stage, EXPR_TRANSFORM_PLACES, "places");
        add_table(n, member);
        panel[0] = panel[0] ? expr_binary(n->pool, EXPR_MAXIMUM, panel[0], places) : places;
    }
    n->panel = add_buffer(n, n->stage, "panel", SPACE_TILE, 2, panel);
    if (turns(n))
        n->strip = add_buffer(n, n->stage, "strip", SPACE_TILE, 2, strip);
    for (size_t i = 0; i + 1 < n->members.count; i++)
        n->l->buffer[n->members.item[i].stage->id.index] = n->panel;
}

/* ---- Lines ---- */

static const struct expr *number_of_groups(const struct nest *n)
{
    const struct expr *extent = n->axis[n->lanes].extent;
    return expr_binary(n->pool, EXPR_DIVIDE,
                       region_sum(n->pool, extent, expr_integer(n->pool, n->lines - 1), 1),
                       expr_integer(n->pool, n->lines));
}

static void find_lines(struct nest *n)
{
    n->lanes = transform_lanes(n->stage);
    n->lines = transform_together(n->stage->as.transform.kind);
    n->first = expr_integer(n->pool, 0);
    n->count = expr_integer(n->pool, 1);
    if (!has_lanes(n))
        return;
    const struct buffer_axis *axis = &n->axis[n->lanes];
    n->group = variable_of(n, axis->name->text, "group", INT32_MAX / n->lines);
    const struct expr *begin =
        expr_binary(n->pool, EXPR_MULTIPLY, n->group, expr_integer(n->pool, n->lines));
    n->first = region_sum(n->pool, axis->first, begin, 1);
    n->count = expr_binary(n->pool, EXPR_MINIMUM, expr_integer(n->pool, n->lines),
                           expr_binary(n->pool, EXPR_SUBTRACT, axis->extent, begin));
}

/* The lane of the line at hand. */
static const struct expr *own_lane(const struct nest *n)
{
    return has_lanes(n) ? region_sum(n->pool, n->stage->axis[n->lanes].variable, n->first, -1)
                        : n->first;
}

/* The place at hand of the line in that lane, in the panel; part: of a complex sample. */
static const struct expr *const *place_in_panel(const struct nest *n, const struct expr *lane,
                                                unsigned part)
{
    const struct expr **index = ARENA_ARRAY(n->context->output, const struct expr *, 2);
    index[0] = n->stage->axis[n->along].variable;
    index[1] = region_sum(n->pool, lane, expr_integer(n->pool, part * TRANSFORM_LANES), 1);
    return index;
}

static const struct statement *store(const struct nest *n, buffer_id to, unsigned rank,
                                     const struct expr *const index[], const struct expr *value)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_STORE,
                         .as.store = {to, rank, index, value});
}

static const struct statement *over_places(const struct nest *n, const struct statement *body)
{
    const struct buffer_axis *axis = &n->axis[n->along];
    return loop(n, n->stage->axis[n->along].variable, axis->first, axis->extent, LEVEL_INDEPENDENT,
                body);
}

static const struct statement *over_lanes(const struct nest *n, enum parallel_level level,
                                          const struct statement *body)
{
    return has_lanes(n)
               ? loop(n, n->stage->axis[n->lanes].variable, n->first, n->count, level, body)
               : body;
}

/* ---- Strips: places of all lines that are turned at once ---- */

static const struct expr *first_of_strip(const struct nest *n, const struct expr *strip)
{
    return region_sum(
        n->pool, n->axis[n->along].first,
        expr_binary(n->pool, EXPR_MULTIPLY, strip, expr_integer(n->pool, strip_places(n))), 1);
}

static const struct expr *places_of_strip(const struct nest *n, const struct expr *strip)
{
    const struct expr *before =
        expr_binary(n->pool, EXPR_MULTIPLY, strip, expr_integer(n->pool, strip_places(n)));
    return expr_binary(n->pool, EXPR_MINIMUM, expr_integer(n->pool, strip_places(n)),
                       expr_binary(n->pool, EXPR_SUBTRACT, n->axis[n->along].extent, before));
}

/* Over the lines at hand and the places of the strip. */
static const struct statement *over_strip(const struct nest *n, const struct expr *strip,
                                          enum parallel_level lines, enum parallel_level places,
                                          const struct statement *body)
{
    return over_lanes(n, lines,
                      loop(n, n->stage->axis[n->along].variable, first_of_strip(n, strip),
                           places_of_strip(n, strip), places, body));
}

static const struct expr *strip_variable(const struct nest *n)
{
    return variable_of(n, n->axis[n->along].name->text, "strip", INT32_MAX / strip_places(n));
}

static const struct statement *over_strips(const struct nest *n, const struct expr *strip,
                                           const struct statement *body)
{
    const struct expr *count =
        expr_binary(n->pool, EXPR_DIVIDE,
                    region_sum(n->pool, n->axis[n->along].extent,
                               expr_integer(n->pool, strip_places(n) - 1), 1),
                    expr_integer(n->pool, strip_places(n)));
    return loop(n, strip, expr_integer(n->pool, 0), count, LEVEL_SERIAL, body);
}

/* ---- To the panel and back ---- */

struct redirection {
    const struct nest *n;
    buffer_id from, to;
    const struct expr *const *index; /* two */
};

static const struct statement *redirect(const struct statement *statement, void *user)
{
    const struct redirection *r = user;
    const struct nest *n = r->n;
    if (statement->kind != STATEMENT_STORE || statement->as.store.buffer.index != r->from.index)
        return statement_rebuild(n->context->output, statement, redirect, user);
    return store(n, r->to, 2, r->index, statement->as.store.value);
}

/* A rule: what is read of the member before is read of the panel. */
static const struct expr *read_panel(const struct expr *node, void *user)
{
    const struct nest *n = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != n->panel.index)
        return node;
    const unsigned part = node->count > n->axes ? (unsigned)node->operand[n->axes]->as.integer : 0;
    return expr_load(n->pool, n->panel.index, n->stage->element, node->interval, 2,
                     place_in_panel(n, own_lane(n), part), NULL);
}

/* A part of the sample that the program gives, stored there. */
static const struct statement *sample_to(const struct nest *n, const struct stage *stage,
                                         unsigned part, buffer_id to,
                                         const struct expr *const index[])
{
    struct arena *output = n->context->output, *scratch = n->context->scratch;
    struct stage sample = *stage;
    struct redirection redirection = {n, n->l->buffer[stage->id.index], to, index};
    struct expr_rewriter panel = {
        .pool = n->pool, .rule = read_panel, .context = (void *)(uintptr_t)n, .scratch = scratch};
    sample.kind = STAGE_MAP;
    if (part)
        sample.value = stage->as.transform.imaginary;
    n->l->stage = &sample;
    const struct statement *statement = redirect(lowering_sample(n->l, &sample), &redirection);
    for (unsigned k = 0; k < n->axes; k++)
        statement = statement_substitute(output, scratch, n->pool, statement,
                                         stage->axis[k].variable, n->stage->axis[k].variable);
    return statement_rewrite(output, statement, &panel);
}

/* Whether the sample is one of memory that lies side by side along the line. */
static bool is_row_of_memory(const struct nest *n, const struct statement *sample)
{
    const struct expr *value = sample->kind == STATEMENT_STORE ? sample->as.store.value : NULL;
    return value && value->kind == EXPR_LOAD && value->count > 1 && !value->as.load.border &&
           value->operand[value->count - 1] == n->stage->axis[n->along].variable;
}

/* So many samples from `first` on along an axis of what a sample reads, at its own place along the
 * other one: what comes next, while this is at hand. Returns how many statements that takes. */
static unsigned prefetch(const struct nest *n, unsigned axis, unsigned other,
                         const struct expr *first, int64_t count, const struct statement *sample,
                         const struct statement *item[])
{
    const struct expr *const y = n->stage->axis[other].variable;
    const struct prefetch_range range = {
        .x = n->stage->axis[axis].variable,
        .y = y,
        .below = y,
        .first = first,
        .end = region_sum(n->pool, first, expr_integer(n->pool, count), 1)};
    return is_full(n) && n->context->target->has_cache_bypass
               ? prefetch_rows(n->context, n->l->out, &range, sample, MOST_PREFETCHES, item)
               : 0;
}

static const struct statement *gather_turned(const struct nest *n, unsigned part)
{
    const struct expr *const *const place = place_in_panel(n, own_lane(n), part);
    const struct expr *const strip = strip_variable(n);
    const struct statement *const plain =
        sample_to(n, n->members.item[0].stage, part, n->panel, place);
    if (plain->kind == STATEMENT_STORE && plain->as.store.value->kind == EXPR_REAL)
        return over_places(n, over_lanes(n, LEVEL_INDEPENDENT, plain));
    const struct statement *ahead[MOST_PREFETCHES], *item[4];
    const unsigned asked = prefetch(
        n, n->along, n->lanes,
        region_sum(n->pool, first_of_strip(n, strip), expr_integer(n->pool, strip_places(n)), 1),
        strip_places(n), plain, ahead);
    size_t count = 0;
    if (asked)
        item[count++] = over_lanes(n, LEVEL_SERIAL, block(n, asked, ahead));
    if (is_row_of_memory(n, plain)) {
        item[count++] = over_strip(n, strip, LEVEL_TURNED, LEVEL_SERIAL, plain);
        return over_strips(n, strip, block(n, count, item));
    }
    const struct expr **const in_strip = ARENA_ARRAY(n->context->output, const struct expr *, 2);
    in_strip[0] = own_lane(n);
    in_strip[1] =
        region_sum(n->pool, n->stage->axis[n->along].variable, first_of_strip(n, strip), -1);
    const struct expr *const value = expr_load(n->pool, n->strip.index, n->stage->element,
                                               (struct interval){0, 0}, 2, in_strip, NULL);
    item[count++] = STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {n->strip});
    item[count++] = over_strip(n, strip, LEVEL_INDEPENDENT, LEVEL_INDEPENDENT,
                               sample_to(n, n->members.item[0].stage, part, n->strip, in_strip));
    item[count++] =
        over_strip(n, strip, LEVEL_TURNED, LEVEL_SERIAL, store(n, n->panel, 2, place, value));
    return over_strips(n, strip, block(n, count, item));
}

/* A part of the samples that the program gives. */
static const struct statement *gather(const struct nest *n, unsigned part)
{
    if (turns(n))
        return gather_turned(n, part);
    const struct statement *item[MOST_PREFETCHES + 1];
    const struct statement *const sample = sample_to(n, n->members.item[0].stage, part, n->panel,
                                                     place_in_panel(n, own_lane(n), part));
    if (has_lanes(n) && n->along > n->lanes)
        return over_lanes(n, LEVEL_INDEPENDENT, over_places(n, sample));
    const struct expr *const next =
        region_sum(n->pool, n->first, expr_integer(n->pool, n->lines), 1);
    const unsigned count =
        has_lanes(n) ? prefetch(n, n->lanes, n->along, next, n->lines, sample, item) : 0;
    item[count] = over_lanes(n, LEVEL_INDEPENDENT, sample);
    return over_places(n, block(n, count + 1, item));
}

/* Lines that are not there are 0: nothing that is not known is computed with. */
static const struct statement *clear_rest(const struct nest *n, unsigned part)
{
    const struct expr *lane = variable_of(n, n->stage->name->text, "rest", NUMBERS - 1);
    const struct statement *zero = store(n, n->panel, 2, place_in_panel(n, lane, part),
                                         expr_real(n->pool, n->stage->element, 0));
    const struct expr *left =
        expr_binary(n->pool, EXPR_SUBTRACT, expr_integer(n->pool, n->lines), n->count);
    return over_places(n, loop(n, lane, n->count, left, LEVEL_INDEPENDENT, zero));
}

static const struct statement *scatter(const struct nest *n, unsigned part)
{
    const unsigned rank = n->stage->rank;
    const struct expr *value =
        expr_load(n->pool, n->panel.index, n->stage->element, (struct interval){0, 0}, 2,
                  place_in_panel(n, own_lane(n), part), NULL);
    const struct expr **index = ARENA_ARRAY(n->context->output, const struct expr *, rank);
    for (unsigned k = 0; k < rank; k++)
        index[k] = n->stage->axis[k].variable;
    if (n->axes < rank)
        index[n->axes] = expr_integer(n->pool, part);
    const struct statement *const stored =
        store(n, n->l->buffer[n->stage->id.index], rank, index, value);
    const struct expr *const strip = strip_variable(n);
    if (turns(n))
        return over_strips(n, strip, over_strip(n, strip, LEVEL_TURNED, LEVEL_SERIAL, stored));
    return has_lanes(n) && n->along > n->lanes
               ? over_lanes(n, LEVEL_INDEPENDENT, over_places(n, stored))
               : over_places(n, over_lanes(n, LEVEL_INDEPENDENT, stored));
}

/* ---- In the panel ---- */

static void add_items(const struct nest *n, struct statement_items *items,
                      const struct statement *body)
{
    const struct statement_list list = statement_items_of(&body);
    for (size_t i = 0; i < list.count; i++) {
        bool is_there = false; /* both parts use the same names */
        for (size_t k = 0; k < items->count; k++)
            is_there =
                is_there ||
                (list.item[i]->kind == STATEMENT_LET && items->item[k]->kind == STATEMENT_LET &&
                 items->item[k]->as.let.variable == list.item[i]->as.let.variable);
        if (!is_there)
            VECTOR_PUSH(n->context->scratch, items, list.item[i]);
    }
}

/* What the member transforms, of the results of the one before: all parts of a sample are read
 * before one is stored. */
static const struct statement *work_between(const struct nest *n, const struct stage *stage)
{
    const unsigned parts = parts_of(n);
    struct statement_items items = {0};
    const struct statement *stored[2];
    for (unsigned p = 0; p < parts; p++) {
        struct statement_items own = {0};
        add_items(n, &own, sample_to(n, stage, p, n->panel, place_in_panel(n, own_lane(n), p)));
        const struct statement *last = own.item[--own.count];
        add_items(n, &items, block(n, own.count, own.item));
        const struct expr *value = last->as.store.value;
        const struct expr *name = expr_variable(
            n->pool, VARIABLE_LOCAL,
            symbol_format(&n->context->session->symbols, "%s.part.%u", stage->name->text, p),
            value->scalar, value->interval);
        stored[p] = parts == 1 ? last : store(n, n->panel, 2, last->as.store.index, name);
        if (parts > 1)
            VECTOR_PUSH(n->context->scratch, &items,
                        STATEMENT_NEW(n->context->output, stage->span, .kind = STATEMENT_LET,
                                      .as.let = {name, value}));
    }
    for (unsigned p = 0; p < parts; p++)
        VECTOR_PUSH(n->context->scratch, &items, stored[p]);
    return over_places(n, over_lanes(n, LEVEL_INDEPENDENT, block(n, items.count, items.item)));
}

static const struct statement *transform(const struct nest *n, const struct member *member,
                                         bool prepares)
{
    return STATEMENT_NEW(n->context->output, member->stage->span, .kind = STATEMENT_TRANSFORM,
                         .as.transform = {member->stage->as.transform.kind,
                                          member->stage->as.transform.norm, prepares, member->table,
                                          prepares ? member->table : n->panel,
                                          n->axis[n->along].extent});
}

/* ---- All lines ---- */

static const struct statement *work_of_lines(const struct nest *n)
{
    const unsigned parts = parts_of(n);
    struct statement_items items = {0};
    struct arena *scratch = n->context->scratch;
    for (unsigned p = 0; p < parts; p++)
        VECTOR_PUSH(scratch, &items, gather(n, p));
    for (size_t i = 0; i < n->members.count; i++) {
        if (i > 0)
            VECTOR_PUSH(scratch, &items, work_between(n, n->members.item[i].stage));
        for (unsigned p = 0; p < parts && !is_full(n); p++) /* two real lines are a complex one */
            VECTOR_PUSH(scratch, &items, clear_rest(n, p));
        VECTOR_PUSH(scratch, &items, transform(n, &n->members.item[i], false));
    }
    for (unsigned p = 0; p < parts; p++)
        VECTOR_PUSH(scratch, &items, scatter(n, p));
    return block(n, items.count, items.item);
}

/* Full groups have loops of known length. */
static const struct statement *work_of_group(const struct nest *n)
{
    const struct expr *const lines = expr_integer(n->pool, n->lines);
    const struct statement *item[2] = {STATEMENT_NEW(
        n->context->output, n->stage->span, .kind = STATEMENT_ALLOCATE, .as.allocate = {n->panel})};
    struct nest full = *n;
    full.count = lines;
    item[1] = has_lanes(n)
                  ? STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_IF,
                                  .as.branch = {expr_binary(n->pool, EXPR_EQUAL, n->count, lines),
                                                work_of_lines(&full), work_of_lines(n)})
                  : work_of_lines(n);
    return block(n, 2, item);
}

static const struct statement *kernel(const struct nest *n, const struct symbol *name,
                                      const struct statement *body, bool alone)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_KERNEL,
                         .as.kernel = {name, body, false, alone});
}

/* Those before the stage in its panels, and itself. */
static void find_members(struct nest *n)
{
    for (size_t i = 0; i <= n->stage->id.index; i++) {
        const struct stage *stage = n->l->in->stages.item[i];
        if (stage == n->stage ||
            (stage_is_in_panels(stage) && stage->schedule->at.index == n->stage->id.index))
            VECTOR_PUSH(n->context->scratch, &n->members, (struct member){.stage = stage});
    }
}

/* A loop around a panel, the number-th from the inside: on a grid a panel is a block's. */
static const struct statement *loop_around(const struct nest *n, unsigned number,
                                           const struct expr *variable, const struct expr *first,
                                           const struct expr *extent, const struct statement *body)
{
    static const enum parallel_level level[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z};
    const bool is_grid = n->context->target->execution == EXECUTION_GRID;
    return loop(n, variable, first, extent, is_grid ? level[number] : LEVEL_INDEPENDENT, body);
}

/* Over all lines. A grid has three axes: beyond them the slowest are loops inside a block. */
static const struct statement *over_panels(const struct nest *n, const struct statement *body)
{
    unsigned axis[GRAPH_MAX_RANK], count = 0;
    for (unsigned k = n->axes; k-- > 0;)
        if (k != n->along && k != n->lanes)
            axis[count++] = k;
    const unsigned outer = count < 2 ? count : 2;
    const bool is_grid = n->context->target->execution == EXECUTION_GRID;
    for (unsigned i = outer; is_grid && i < count; i++)
        body = loop(n, n->stage->axis[axis[i]].variable, n->axis[axis[i]].first,
                    n->axis[axis[i]].extent, LEVEL_SERIAL, body);
    if (has_lanes(n))
        body = loop_around(n, 0, n->group, expr_integer(n->pool, 0), number_of_groups(n), body);
    for (unsigned i = 0; i < (is_grid ? outer : count); i++)
        body = loop_around(n, 1 + i, n->stage->axis[axis[i]].variable, n->axis[axis[i]].first,
                           n->axis[axis[i]].extent, body);
    return body;
}

const struct statement *transform_kernel(struct lowering *l, const struct stage *stage, bool alone)
{
    struct nest n = {.l = l,
                     .context = l->context,
                     .pool = l->context->pool,
                     .stage = stage,
                     .axis = program_buffer(l->out, l->buffer[stage->id.index])->axis,
                     .axes = stage_transformed_axes(stage),
                     .along = stage->as.transform.axis};
    find_members(&n);
    find_lines(&n);
    add_memory(&n);
    const struct statement *body = over_panels(&n, work_of_group(&n));
    alone = alone || !has_lanes(&n); /* threads do not share the loops of one line */
    return kernel(&n, stage->name, body, alone);
}
