/* block_recurrences: graph → graph. A chain of linear recurrences along the fastest axis, of which there are few lines, is
 * computed in blocks of the line that lie side by side, as if they were lines of an image:
 *   before: s[x] = in[x] + a s[x - 1]   out[x] = round(s[x])
 *   after:  x = B j + i, block j
 *           local:    at rest where the block begins, its last samples alone:   s.local[j, i]   out.tails[j, i]
 *           response: what a state becomes behind B samples, a matrix:          s.response[k, i]   out.matrix[k, i]
 *           carry:    the state where a block begins:                           out.carry[j + 1] = tails[j] + matrix carry[j]
 *           blocks:   the samples, each block from its own state:               s.blocks[j, i]   out.blocks[j, i]
 *           rest:     what is left of the line, fewer than a block:             s.rest[x]   out.rest[x]
 *           out joined of out.blocks and out.rest, which are stored in its place
 * A line is read twice and written once, however many recurrences there are, and blocks are independent. Lines that run
 * backward have their rest before the blocks. The state is carried in f64.
 * Afterwards the last stage of each such chain is joined, and reads its parts alone; group_lines computes blocks together. */
#include "pass.h"
#include "analysis/regions.h"
#include "graph/chains.h"
#include "graph/line_groups.h"
#include "graph/random_schedule.h"

enum {
    BLOCK =
        4160, /* samples: few enough for caches, many for one matrix; not the same place of a page */
    FEW_LINES = 8,    /* beside each other already: no more than these */
    RANDOM_BLOCK = 40 /* at most, for tests */
};

/* One chain. */
struct blocks {
    struct pass_context *context;
    const struct graph *in;
    struct graph *out;
    const uint32_t *place;     /* by old number of a stage: its new one */
    const struct chain *chain; /* of the old graph */
    const struct stage *last;
    unsigned lead;                   /* axes before the one of the line */
    int64_t size;                    /* of a block */
    const struct expr *j, *i, *k;    /* coordinates: of the block, within it, of a state's place */
    const struct symbol *block_name; /* of the axis that counts blocks */
    const struct expr *count;        /* of blocks */
    const struct expr *base;         /* i of a block's first sample */
    stage_id tails, matrix, carry;
};

static struct expr_pool *pool_of(const struct blocks *b)
{
    return b->context->pool;
}

static const struct expr *integer(const struct blocks *b, int64_t value)
{
    return expr_integer(pool_of(b), value);
}

static const struct expr *plus(const struct blocks *b, const struct expr *a, int64_t value)
{
    return region_sum(pool_of(b), a, integer(b, value), 1);
}

static const struct stage_axis *line_axis(const struct blocks *b)
{
    return &b->last->axis[b->chain->axis];
}

static const struct symbol *part_name(const struct blocks *b, const struct symbol *of,
                                      const char *part)
{
    return symbol_format(&b->context->session->symbols, "%s.%s", of->text, part);
}

/* Other passes name stages so, too. */
static const struct symbol *stage_name(const struct blocks *b, const struct symbol *of,
                                       const char *part)
{
    struct symbol_table *symbols = &b->context->session->symbols;
    const struct symbol *name = part_name(b, of, part);
    for (unsigned i = 2; graph_stage_named(b->in, name) || graph_stage_named(b->out, name); i++)
        name = symbol_format(symbols, "%s.%s_%u", of->text, part, i);
    return name;
}

/* ---- Axes ---- */

static struct stage_axis box(const struct symbol *name, const struct expr *variable,
                             const struct expr *first, const struct expr *extent)
{
    return (struct stage_axis){name, variable, first, extent, first, extent};
}

/* Those before the line's, then these. */
static const struct stage_axis *axes(const struct blocks *b, unsigned count,
                                     const struct stage_axis own[])
{
    struct stage_axis *axis =
        ARENA_ARRAY(b->context->output, struct stage_axis, b->lead + count + 1);
    for (unsigned k = 0; k < b->lead; k++) {
        const struct stage_axis *a = &b->last->axis[k];
        axis[k] = box(a->name, a->variable, a->computed_first, a->computed_extent);
    }
    for (unsigned k = 0; k < count; k++)
        axis[b->lead + k] = own[k];
    return axis;
}

/* Places of a line within a block: its samples; with as many behind as the state has places; those alone. */
enum part { SAMPLES, SAMPLES_AND_STATE, STATE };

static struct stage_axis along_block(const struct blocks *b, enum part part)
{
    const int64_t order = b->chain->order;
    const bool reversed = b->chain->reversed;
    const int64_t first = part == SAMPLES                         ? 0
                          : part == SAMPLES_AND_STATE || reversed ? (reversed ? -order : 0)
                                                                  : b->size;
    const int64_t extent = part == SAMPLES ? b->size : part == STATE ? order : b->size + order;
    return box(line_axis(b)->name, b->i, plus(b, b->base, first), integer(b, extent));
}

static struct stage_axis along_blocks(const struct blocks *b, int64_t first)
{
    return box(b->block_name, b->j, integer(b, first), b->count);
}

static struct stage_axis along_place(const struct blocks *b)
{
    return box(part_name(b, line_axis(b)->name, "place"), b->k, integer(b, 0),
               integer(b, b->chain->order));
}

/* Where a place of the state lies behind a block. */
static const struct expr *place_behind(const struct blocks *b, const struct expr *place)
{
    return b->chain->reversed ? region_sum(pool_of(b), plus(b, b->base, -1), place, -1)
                              : region_sum(pool_of(b), plus(b, b->base, b->size), place, 1);
}

/* ---- Loads ---- */

static const struct expr *load(const struct blocks *b, uint32_t stage, enum scalar scalar,
                               unsigned count, const struct expr *const own[],
                               const struct border border[])
{
    const struct interval none = {0, 0};
    const struct expr *index[GRAPH_MAX_RANK];
    struct border rule[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < b->lead; k++)
        index[k] = b->last->axis[k].variable;
    for (unsigned k = 0; k < count; k++) {
        index[b->lead + k] = own[k];
        if (border)
            rule[b->lead + k] = border[k];
    }
    return expr_load(pool_of(b), stage, scalar, none, b->lead + count, index, border ? rule : NULL);
}

static const struct expr *in_type(const struct blocks *b, enum scalar scalar,
                                  const struct expr *value)
{
    return value->scalar == scalar ? value : expr_convert(pool_of(b), CONVERT_EXACT, scalar, value);
}

/* A sample of the state with which something begins. */
static const struct expr *carried(const struct blocks *b, const struct expr *row,
                                  const struct expr *slot)
{
    const struct expr *const index[2] = {row, slot};
    const struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_CLAMP}};
    return load(b, b->carry.index, SCALAR_F64, 2, index, border);
}

/* ---- Copies of the chain ---- */

/* The members once more, at other coordinates. */
struct copy {
    struct blocks *b;
    const char *part;         /* of names */
    bool is_final;            /* what is stored is computed of them, but for the rest of the line */
    unsigned rank;            /* behind the axes before the line's: 2, or 1 as it was */
    const struct expr *shift; /* x = shift + … */
    const struct expr *along; /* … this */
    const struct expr *at;    /* … where the state is that was before */
    const struct expr *begins;  /* the line begins there */
    const struct expr *row;     /* of the carry, elsewhere; NULL: it is at rest */
    const struct stage *reader; /* member at hand */
    uint32_t stage[CHAIN_MOST_MEMBERS];
};

/* The place in the state of a member's sample before the first one. */
static const struct expr *slot_of(const struct copy *c, const struct chain_member *member,
                                  const struct expr *place)
{
    const struct blocks *b = c->b;
    const int64_t end = (int64_t)member->slot + member->lags;
    return b->chain->reversed ? plus(b, region_sum(pool_of(b), c->at, place, -1), end - 1)
                              : plus(b, region_sum(pool_of(b), place, c->at, -1), end);
}

static const struct expr *read_member(const struct copy *c, const struct chain_member *member,
                                      const struct expr *node)
{
    const struct blocks *b = c->b;
    struct expr_pool *pool = pool_of(b);
    const unsigned axis = b->chain->axis;
    const struct expr *const place = region_sum(pool, node->operand[axis], c->shift, -1);
    const struct border *rule = node->as.load.border ? &node->as.load.border[axis] : NULL;
    const size_t m = (size_t)(member - b->chain->member);
    const struct expr *const index[2] = {c->rank == 2 ? b->j : place, place};
    struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_NONE}};
    if (rule && rule->value) {
        const struct expr *before =
            c->row ? in_type(b, node->scalar, carried(b, c->row, slot_of(c, member, place)))
                   : expr_real(pool, node->scalar, 0);
        border[c->rank - 1] = (struct border){
            .rule = BORDER_CONSTANT, .value = expr_select(pool, c->begins, rule->value, before)};
    }
    return load(b, c->stage[m], node->scalar, c->rank, index, border);
}

static const struct expr *copied(const struct expr *node, void *user)
{
    const struct copy *c = user;
    const struct blocks *b = c->b;
    if (node == c->reader->axis[b->chain->axis].variable)
        return region_sum(pool_of(b), c->shift, c->along, 1);
    if (node->kind != EXPR_LOAD)
        return node;
    const size_t m = chain_member_of(b->chain, node->as.load.source);
    return m < b->chain->count
               ? read_member(c, &b->chain->member[m], node)
               : expr_load(pool_of(b), b->place[node->as.load.source], node->scalar, node->interval,
                           node->count, node->operand, node->as.load.border);
}

static void copy_member(struct copy *c, size_t m, const struct stage_axis own[])
{
    struct blocks *b = c->b;
    struct expr_rewriter rewriter = {
        .pool = pool_of(b), .rule = copied, .context = c, .scratch = b->context->scratch};
    struct stage stage = *b->chain->member[m].stage;
    c->reader = b->chain->member[m].stage;
    c->stage[m] = (uint32_t)b->out->stages.count;
    /* Of what is computed for good, schedules speak by the program's name. */
    stage.is_made = !c->is_final || m + 1 == b->chain->count;
    if (stage.is_made)
        stage.name = stage_name(b, stage.name, c->part);
    stage.schedule = NULL;
    stage.binding_count = 0;
    stage.rank = b->lead + c->rank;
    stage.axis = axes(b, c->rank, own);
    stage.value = expr_rewrite(&rewriter, stage.value);
    if (stage.kind == STAGE_RECURRENCE)
        stage.as.recurrence.axis = stage.rank - 1;
    graph_add_stage(b->context->output, b->out, stage);
}

/* Each line of blocks begins by itself; places of the state are lines of their own. */
static const struct schedule *line_by_line(const struct blocks *b, unsigned rank)
{
    const uint64_t random = b->context->random_schedule;
    struct schedule schedule = {.placement = PLACED_ROOT, .rank = rank, .along = rank};
    int64_t *tile = ARENA_ARRAY(b->context->output, int64_t, rank);
    for (unsigned k = 0; k + 1 < rank; k++)
        tile[k] = 1;
    tile[rank - 2] =
        random ? 1 + (int64_t)(random_choice(random, b->last->id.index, 5) % 9) : LINE_ROWS;
    schedule.tile = tile;
    return arena_copy(b->context->output, &schedule, sizeof schedule);
}

static stage_id add_map(struct blocks *b, enum stage_kind kind, const char *part,
                        const struct stage_axis own[2], const struct expr *value)
{
    const struct stage stage = {.kind = kind,
                                .name = stage_name(b, b->last->name, part),
                                .span = b->last->span,
                                .is_made = true,
                                .element = SCALAR_F64,
                                .interval = b->last->interval,
                                .repeat = b->last->repeat,
                                .rank = b->lead + 2,
                                .axis = axes(b, 2, own),
                                .value = value};
    return graph_add_stage(b->context->output, b->out, stage);
}

/* By lines along its last axis. */
static stage_id add_lines(struct blocks *b, const char *part, const struct stage_axis own[2],
                          const struct expr *value)
{
    const stage_id id = add_map(b, STAGE_MAP, part, own, value);
    b->out->stages.item[id.index]->schedule = line_by_line(b, b->lead + 2);
    return id;
}

/* ---- States ---- */

/* The last samples of the members, each at its place behind the block: all are there by then. */
static const struct expr *state_behind(const struct blocks *b, const struct expr *line,
                                       const uint32_t stage[], bool as_stored)
{
    struct expr_pool *pool = pool_of(b);
    const struct expr *value = NULL;
    for (size_t m = b->chain->count; m-- > 0;) {
        const struct chain_member *member = &b->chain->member[m];
        if (member->lags == 0)
            continue;
        const int64_t back = (int64_t)member->slot + member->lags;
        const struct expr *const index[2] = {line,
                                             plus(b, b->i, b->chain->reversed ? back : -back)};
        const struct expr *sample =
            load(b, stage[m], as_stored ? member->stage->element : SCALAR_F64, 2, index, NULL);
        const struct expr *end = place_behind(b, integer(b, back - 1));
        const struct expr *inside = b->chain->reversed
                                        ? expr_binary(pool, EXPR_LESS_EQUAL, end, b->i)
                                        : expr_binary(pool, EXPR_LESS_EQUAL, b->i, end);
        sample = in_type(b, SCALAR_F64, sample);
        value = value ? expr_select(pool, inside, sample, value) : sample;
    }
    return value;
}

/* x = … + i, of the block of that number, counted from `from`. */
static const struct expr *begin_of_block(const struct blocks *b, int64_t from)
{
    return expr_binary(pool_of(b), EXPR_MULTIPLY, integer(b, b->size), plus(b, b->j, -from));
}

/* Whether the line begins in that block. */
static const struct expr *is_first_block(const struct blocks *b, int64_t from)
{
    return expr_binary(pool_of(b), EXPR_EQUAL, b->j,
                       b->chain->reversed ? plus(b, b->count, from - 1) : integer(b, from));
}

/* Each block as if the line were at rest before it, where it does not begin there. The tails are counted as the states that
 * they are part of: there is one more, where nothing is before. */
static void add_tails(struct blocks *b)
{
    struct expr_pool *pool = pool_of(b);
    const bool reversed = b->chain->reversed;
    const int64_t from = reversed ? 0 : 1;
    struct copy local = {.b = b,
                         .part = "local",
                         .rank = 2,
                         .shift = begin_of_block(b, from),
                         .along = b->i,
                         .begins = is_first_block(b, from)};
    const struct stage_axis all[2] = {along_blocks(b, from), along_block(b, SAMPLES_AND_STATE)};
    const struct stage_axis behind[2] = {along_blocks(b, from), along_block(b, STATE)};
    const struct stage_axis nothing[2] = {
        box(b->block_name, b->j, reversed ? b->count : integer(b, 0), integer(b, 1)), behind[1]};
    const struct stage_axis both[2] = {
        box(b->block_name, b->j, integer(b, 0), plus(b, b->count, 1)), behind[1]};
    for (size_t m = 0; m < b->chain->count; m++)
        if (b->chain->member[m].feeds)
            copy_member(&local, m, all);
    const struct expr *const at[2] = {b->j, b->i};
    const stage_id own = add_lines(b, "tails", behind, state_behind(b, b->j, local.stage, true));
    const stage_id none = add_map(b, STAGE_MAP, "nothing", nothing, expr_real(pool, SCALAR_F64, 0));
    const struct expr *is_none = reversed ? expr_binary(pool, EXPR_LESS_EQUAL, b->count, b->j)
                                          : expr_binary(pool, EXPR_LESS, b->j, integer(b, 1));
    b->tails = add_map(b, STAGE_JOINED, "ends", both,
                       expr_select(pool, is_none, load(b, none.index, SCALAR_F64, 2, at, NULL),
                                   load(b, own.index, SCALAR_F64, 2, at, NULL)));
}

/* Without images: what a state that is 1 at one place leads to. */
static const struct expr *response_of(const struct blocks *b, const struct chain_member *member,
                                      const uint32_t stage[])
{
    struct expr_pool *pool = pool_of(b);
    const struct renumbering renumbering = {pool, b->place};
    struct expr_rewriter moving = {.pool = pool,
                                   .rule = graph_renumber_read,
                                   .context = (void *)(uintptr_t)&renumbering,
                                   .scratch = b->context->scratch};
    const struct copy before = {.b = (void *)(uintptr_t)b,
                                .at = plus(b, b->base, b->chain->reversed ? b->size : 0)};
    const struct expr *value = NULL;
    for (size_t t = 0; t < member->terms.count; t++) {
        const struct chain_term *term = &member->terms.item[t];
        const struct chain_member *source = &b->chain->member[term->member];
        const struct expr *const index[2] = {b->k, plus(b, b->i, term->offset)};
        const struct expr *is_one =
            expr_binary(pool, EXPR_EQUAL, b->k, slot_of(&before, source, index[1]));
        const struct border border[2] = {
            {.rule = BORDER_NONE},
            {.rule = term->offset ? BORDER_CONSTANT : BORDER_NONE,
             .value = term->offset ? expr_select(pool, is_one, expr_real(pool, SCALAR_F64, 1),
                                                 expr_real(pool, SCALAR_F64, 0))
                                   : NULL}};
        const struct expr *sample = load(b, stage[term->member], SCALAR_F64, 2, index, border);
        const struct expr *factor = expr_rewrite(&moving, term->coefficient);
        const struct expr *const fused[3] = {factor, sample, value};
        value = value ? expr_operation(pool, EXPR_FUSED, 3, fused)
                      : expr_binary(pool, EXPR_MULTIPLY, factor, sample);
    }
    return value ? value : expr_real(pool, SCALAR_F64, 0);
}

static void add_matrix(struct blocks *b)
{
    uint32_t stage[CHAIN_MOST_MEMBERS];
    const struct stage_axis places = along_place(b);
    const struct stage_axis all[2] = {places, along_block(b, SAMPLES_AND_STATE)};
    const struct stage_axis behind[2] = {places, along_block(b, STATE)};
    for (size_t m = 0; m < b->chain->count; m++) {
        const struct chain_member *member = &b->chain->member[m];
        if (!member->feeds)
            continue;
        stage[m] = (uint32_t)b->out->stages.count;
        struct stage response = *member->stage;
        response.name = stage_name(b, response.name, "response");
        response.is_made = true;
        response.schedule = NULL;
        response.binding_count = 0;
        response.element = SCALAR_F64;
        response.rank = b->lead + 2;
        response.axis = axes(b, 2, all);
        response.value = response_of(b, member, stage);
        if (response.kind == STAGE_RECURRENCE) {
            response.as.recurrence.axis = response.rank - 1;
            response.as.recurrence.narrow = false;
        }
        graph_add_stage(b->context->output, b->out, response);
    }
    b->matrix = add_lines(b, "matrix", behind, state_behind(b, b->k, stage, false));
}

/* carry[j] is the state with which block j begins, or block j - 1 of lines that run backward; where nothing is before it is
 * 0, and not read. */
static void add_carry(struct blocks *b)
{
    struct expr_pool *pool = pool_of(b);
    const bool reversed = b->chain->reversed;
    const struct expr *zero = expr_real(pool, SCALAR_F64, 0);
    const struct border start[2] = {{.rule = BORDER_CONSTANT, .value = zero},
                                    {.rule = BORDER_NONE}};
    const struct expr *const before = plus(b, b->j, reversed ? 1 : -1);
    const struct expr *const behind = place_behind(b, b->k);
    const struct expr *const tail[2] = {b->j, behind};
    b->carry.index = (uint32_t)b->out->stages.count;
    const struct expr *value = load(b, b->tails.index, SCALAR_F64, 2, tail, NULL);
    for (unsigned k = 0; k < b->chain->order; k++) {
        const struct expr *const weight[2] = {integer(b, k), behind};
        const struct expr *const state[2] = {before, integer(b, k)};
        const struct expr *const fused[3] = {load(b, b->matrix.index, SCALAR_F64, 2, weight, NULL),
                                             load(b, b->carry.index, SCALAR_F64, 2, state, start),
                                             value};
        value = expr_operation(pool, EXPR_FUSED, 3, fused);
    }
    const struct stage_axis own[2] = {box(b->block_name, b->j, integer(b, 0), plus(b, b->count, 1)),
                                      along_place(b)};
    const struct stage stage = {.kind = STAGE_RECURRENCE,
                                .name = stage_name(b, b->last->name, "carry"),
                                .span = b->last->span,
                                .is_made = true,
                                .element = SCALAR_F64,
                                .repeat = b->last->repeat,
                                .rank = b->lead + 2,
                                .axis = axes(b, 2, own),
                                .value = value,
                                .as.recurrence = {.axis = b->lead, .reversed = reversed}};
    graph_add_stage(b->context->output, b->out, stage);
}

/* ---- Samples ---- */

/* What is stored, apart from a recurrence that it is of. */
static uint32_t stored(struct copy *c, const struct stage_axis own[])
{
    struct blocks *b = c->b;
    const uint32_t state = c->stage[b->chain->count - 1];
    if (b->last->kind == STAGE_MAP)
        return state;
    const struct expr *const index[2] = {own[0].variable, own[c->rank - 1].variable};
    struct stage stage = *b->out->stages.item[state];
    stage.kind = STAGE_MAP;
    stage.name = stage_name(b, stage.name, "stored");
    stage.value = load(b, state, stage.element, c->rank, index, NULL);
    return graph_add_stage(b->context->output, b->out, stage).index;
}

static uint32_t add_blocks(struct blocks *b)
{
    struct copy blocks = {.b = b,
                          .part = "blocks",
                          .is_final = true,
                          .rank = 2,
                          .shift = begin_of_block(b, 0),
                          .along = b->i,
                          .at = plus(b, b->base, b->chain->reversed ? b->size : 0),
                          .begins = is_first_block(b, 0),
                          .row = plus(b, b->j, b->chain->reversed ? 1 : 0)};
    const struct stage_axis own[2] = {along_blocks(b, 0), along_block(b, SAMPLES)};
    for (size_t m = 0; m < b->chain->count; m++)
        copy_member(&blocks, m, own);
    const uint32_t sink = stored(&blocks, own);
    b->out->stages.item[sink]->schedule = line_by_line(b, b->lead + 2);
    return sink;
}

static uint32_t add_rest(struct blocks *b)
{
    struct expr_pool *pool = pool_of(b);
    const struct stage_axis *line = line_axis(b);
    const bool reversed = b->chain->reversed;
    const struct expr *behind = region_sum(pool, b->base, b->count, b->size);
    const struct expr *extent = region_sum(pool, line->computed_extent, b->count, -b->size);
    struct copy rest = {.b = b,
                        .part = "rest",
                        .rank = 1,
                        .shift = integer(b, 0),
                        .along = line->variable,
                        .at = reversed ? b->base : behind,
                        .begins = expr_binary(pool, EXPR_EQUAL, b->count, integer(b, 0)),
                        .row = reversed ? integer(b, 0) : b->count};
    const struct stage_axis own[1] = {
        box(line->name, line->variable, reversed ? line->computed_first : behind, extent)};
    for (size_t m = 0; m < b->chain->count; m++)
        copy_member(&rest, m, own);
    return stored(&rest, own);
}

/* For those who ask how it is computed. */
static const struct schedule *in_blocks_of(const struct blocks *b)
{
    const unsigned rank = b->last->rank;
    int64_t *tile = ARENA_ARRAY(b->context->output, int64_t, rank);
    for (unsigned k = 0; k + 1 < rank; k++)
        tile[k] = k + 2 < rank;
    tile[rank - 1] = b->size;
    struct schedule schedule = {
        .placement = PLACED_ROOT, .rank = rank, .tile = tile, .along = rank};
    if (b->last->schedule)
        schedule.span = b->last->schedule->span;
    return arena_copy(b->context->output, &schedule, sizeof schedule);
}

static void add_joined(struct blocks *b, uint32_t blocks, uint32_t rest)
{
    struct expr_pool *pool = pool_of(b);
    const struct expr *x = line_axis(b)->variable;
    const struct expr *size = integer(b, b->size), *from = region_sum(pool, x, b->base, -1);
    const struct expr *const place[2] = {
        expr_binary(pool, EXPR_DIVIDE, from, size),
        region_sum(pool, b->base, expr_binary(pool, EXPR_REMAINDER, from, size), 1)};
    struct stage joined = *b->last;
    const struct expr *in_blocks = load(b, blocks, joined.element, 2, place, NULL);
    const struct expr *in_rest = load(b, rest, joined.element, 1, &x, NULL);
    joined.kind = STAGE_JOINED;
    joined.binding_count = 0;
    joined.schedule = in_blocks_of(b);
    joined.value =
        b->chain->reversed
            ? expr_select(pool, expr_binary(pool, EXPR_LESS, x, b->base), in_rest, in_blocks)
            : expr_select(
                  pool,
                  expr_binary(pool, EXPR_LESS, x, region_sum(pool, b->base, b->count, b->size)),
                  in_blocks, in_rest);
    graph_add_stage(b->context->output, b->out, joined);
}

static void add_chain(struct blocks *b)
{
    struct expr_pool *pool = pool_of(b);
    const struct stage_axis *line = line_axis(b);
    const int64_t order = b->chain->order;
    const struct interval x = line->variable->interval;
    b->block_name = part_name(b, line->name, "blocks");
    b->j = expr_variable(pool, VARIABLE_INDEX, b->block_name, SCALAR_I32,
                         (struct interval){0, INT32_MAX / b->size});
    b->i = expr_variable(pool, VARIABLE_INDEX, line->name, SCALAR_I64,
                         (struct interval){x.least - order, x.greatest + b->size + order});
    b->k = expr_variable(pool, VARIABLE_INDEX, part_name(b, line->name, "place"), SCALAR_I32,
                         (struct interval){0, order - 1});
    /* As many as leave room for the state behind the last one. */
    b->count = region_maximum(
        pool, region_floor_divide(pool, plus(b, line->computed_extent, -order), b->size),
        integer(b, 0));
    const struct expr *end = region_sum(pool, line->computed_first, line->computed_extent, 1);
    b->base = b->chain->reversed ? region_sum(pool, end, b->count, -b->size) : line->computed_first;
    add_tails(b);
    add_matrix(b);
    add_carry(b);
    const uint32_t blocks = add_blocks(b);
    add_joined(b, blocks, add_rest(b));
}

/* ---- Which ---- */

/* Lines beside each other; 0: more than a few, or not known. */
static int64_t lines_of(const struct stage *stage)
{
    int64_t lines = 1;
    for (unsigned k = 0; k + 1 < stage->rank; k++) {
        const struct expr *extent = stage->axis[k].computed_extent;
        lines *= extent->kind == EXPR_INTEGER ? extent->as.integer : FEW_LINES + 1;
        if (lines > FEW_LINES)
            return 0;
    }
    return lines;
}

/* Of a block; 0: there are none. */
static int64_t size_for(const struct pass_context *context, const struct stage *last,
                        const struct chain *chain)
{
    const struct expr *extent = last->axis[chain->axis].computed_extent;
    const uint64_t random = context->random_schedule;
    if (last->schedule) {
        const int64_t asked = stage_has_blocks(last) ? last->schedule->tile[chain->axis] : 0;
        return asked >= chain->order ? asked : 0;
    }
    if (random && last->kind == STAGE_MAP && random_choice(random, last->id.index, 6) % 4 == 0)
        return 0;
    if (random)
        return chain->order + (int64_t)(random_choice(random, last->id.index, 7) % RANDOM_BLOCK);
    return extent->kind == EXPR_INTEGER && extent->as.integer < 4 * BLOCK ? 0 : BLOCK;
}

struct choosing {
    const struct graph *in;
    struct pass_context *context;
    const struct stage_readers *readers;
    const struct chain **chain; /* by stage: that ends in it, in blocks */
    bool *inside;               /* by stage: of a chain, whether that is in blocks or not */
    bool any;
};

static void choose(struct choosing *c, const struct stage *last)
{
    if (c->inside[last->id.index] || last->rank + 1 > GRAPH_MAX_RANK ||
        (!lines_of(last) && !stage_has_blocks(last)))
        return;
    const struct chain *chain =
        chain_of(c->in, c->context->pool, c->context->scratch, c->readers, last);
    if (!chain)
        return;
    for (size_t m = 0; m < chain->count; m++)
        c->inside[chain->member[m].stage->id.index] = true;
    if (size_for(c->context, last, chain) == 0)
        return;
    c->chain[last->id.index] = chain;
    c->any = true;
}

/* By stage: another one is in its place. */
static const bool *gone(const struct choosing *c)
{
    const size_t count = c->in->stages.count;
    bool *gone = ARENA_ARRAY(c->context->scratch, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; c->chain[i] && m < c->chain[i]->count; m++)
            gone[c->chain[i]->member[m].stage->id.index] = true;
    return gone;
}

/* A stage that is not in blocks; what the program wants in vain is not there afterwards. */
static struct stage other_stage(const struct choosing *c, const struct stage *stage,
                                const uint32_t place[])
{
    struct renumbering renumbering = {c->context->pool, place};
    struct expr_rewriter rewriter = {.pool = c->context->pool,
                                     .rule = graph_renumber_read,
                                     .context = &renumbering,
                                     .scratch = c->context->scratch};
    struct stage other = stage_rewrite(c->context->output, stage, &rewriter);
    if (stage_has_blocks(stage) ||
        (stage_is_at(stage) && stage_has_blocks(graph_stage(c->in, stage->schedule->at))))
        other.schedule = NULL;
    return other;
}

const struct graph *block_recurrences(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct choosing c = {.in = in,
                         .context = context,
                         .chain = ARENA_ARRAY(context->scratch, const struct chain *, count),
                         .inside = ARENA_ARRAY(context->scratch, bool, count)};
    if (context->target->tile_bytes == 0)
        return in;
    c.readers = graph_readers(in, context->scratch);
    for (size_t i = in->stages.count; i-- > 0;) {
        choose(&c, in->stages.item[i]);
        c.any = c.any || stage_has_blocks(in->stages.item[i]);
    }
    if (!c.any)
        return in;
    const bool *replaced = gone(&c);
    uint32_t *place = ARENA_ARRAY(context->scratch, uint32_t, count);
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        if (c.chain[i])
            add_chain(&(struct blocks){.context = context,
                                       .in = in,
                                       .out = out,
                                       .place = place,
                                       .chain = c.chain[i],
                                       .last = stage,
                                       .lead = stage->rank - 1,
                                       .size = size_for(context, stage, c.chain[i])});
        place[i] = (uint32_t)out->stages.count - (c.chain[i] != NULL); /* it reads itself there */
        if (!replaced[i])
            graph_add_stage(context->output, out, other_stage(&c, stage, place));
    }
    graph_renumber(context->output, out, place);
    return out;
}
