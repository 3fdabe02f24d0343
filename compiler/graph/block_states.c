/* What a chain makes of each block at rest, what it makes of a state over a block, and the states that follow: for chains of two
 * passes, those of the second one from what it makes of the rest of the line,
 *     carry[j + 1] = tails[j] + matrix carry[j]
 *     carry_back[j] = tails_back[j] + matrix carry_back[j + 1]    tails_back[j] = tails[j] + matrix carry[j] */
#include "graph/blocks.h"

/* The places of the line at which the sample of a member that the state holds lies behind the block, or before: of the last pass
 * as far back at each of them, of the first one as far ahead. */
static const struct expr *sample_behind(const struct blocks *b, const struct chain_member *member)
{
    const struct chain_pass *pass = &b->chain->pass[member->pass];
    const int64_t end = (int64_t)member->slot - pass->slot + member->lags;
    const int64_t across = b->size + b->chain->order - end;
    const int64_t back = member->pass == blocks_last_pass(b) ? -end : across;
    return blocks_plus(b, b->i, pass->reversed ? -back : back);
}

/* Of a pass, at each place of its state what one of its members has there: sample, by member. */
static const struct expr *state_of_pass(const struct blocks *b, unsigned pass,
                                        const struct expr *const sample[])
{
    const struct chain *chain = b->chain;
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *value = NULL;
    const bool ascending = !chain->pass[pass].reversed;
    for (size_t m = chain->count; m-- > 0;) {
        const struct chain_member *member = &chain->member[m];
        if (member->pass != pass || member->lags == 0)
            continue;
        const int64_t last = (int64_t)member->slot - chain->pass[pass].slot + member->lags - 1;
        const struct expr *end = blocks_place_behind(b, pass, blocks_integer(b, last));
        const struct expr *inside = ascending ? expr_binary(pool, EXPR_LESS_EQUAL, b->i, end)
                                              : expr_binary(pool, EXPR_LESS_EQUAL, end, b->i);
        value = value ? expr_select(pool, inside, sample[m], value) : sample[m];
    }
    return value;
}

/* The last samples of the members, each at its place behind the block: all are there by then. */
static const struct expr *state_behind(const struct blocks *b, const struct expr *line,
                                       const uint32_t stage[], bool as_stored)
{
    const struct chain *chain = b->chain;
    const struct carry_algebra *algebra = chain->algebra;
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *sample[CHAIN_MOST_MEMBERS];
    for (size_t m = 0; m < chain->count; m++) {
        const struct chain_member *member = &chain->member[m];
        const struct expr *const index[2] = {line, sample_behind(b, member)};
        if (member->lags > 0)
            sample[m] = carry_convert(
                pool, algebra, algebra->element,
                blocks_load(b, stage[m], as_stored ? member->stage->element : algebra->element, 2,
                            index, NULL));
    }
    const unsigned last = blocks_last_pass(b);
    const struct expr *value = state_of_pass(b, last, sample);
    if (last == blocks_first_pass(b))
        return value;
    const struct expr *end =
        blocks_place_behind(b, last, blocks_integer(b, chain->pass[last].order - 1));
    const struct expr *inside = chain->pass[last].reversed
                                    ? expr_binary(pool, EXPR_LESS_EQUAL, end, b->i)
                                    : expr_binary(pool, EXPR_LESS_EQUAL, b->i, end);
    return expr_select(pool, inside, value, state_of_pass(b, 0, sample));
}

/* The others of some states: a stage; of chains that are behind others, those of lines in the blocks of these, and the rest. */
struct other_states {
    stage_id all;                    /* or those in blocks */
    stage_id rest;                   /* where is_in_blocks is not so */
    const struct expr *is_in_blocks; /* NULL: all are */
};

/* One of all states that passes of that direction begin with, along those places of the line: what the first one is, and the
 * others, which are counted as the states that they are part of. */
static stage_id add_states(struct blocks *b, const char *part, bool reversed,
                           struct stage_axis along, stage_id first, struct other_states others)
{
    struct expr_pool *pool = blocks_pool(b);
    const enum scalar element = b->chain->algebra->element;
    const struct stage_axis all[2] = {
        blocks_box(b->block_name, b->j, blocks_integer(b, 0), blocks_plus(b, b->count, 1)), along};
    const struct expr *const at[2] = {b->j, b->i};
    const struct expr *is_first = reversed
                                      ? expr_binary(pool, EXPR_LESS_EQUAL, b->count, b->j)
                                      : expr_binary(pool, EXPR_LESS, b->j, blocks_integer(b, 1));
    const struct expr *other = blocks_load(b, others.all.index, element, 2, at, NULL);
    if (others.is_in_blocks)
        other = expr_select(pool, others.is_in_blocks, other,
                            blocks_load(b, others.rest.index, element, 2, at, NULL));
    return blocks_add_map(
        b, STAGE_JOINED, part, all,
        expr_select(pool, is_first, blocks_load(b, first.index, element, 2, at, NULL), other));
}

/* The row of the first of these states. */
static struct stage_axis first_state(const struct blocks *b, bool reversed)
{
    return blocks_box(b->block_name, b->j, reversed ? b->count : blocks_integer(b, 0),
                      blocks_integer(b, 1));
}

/* What a block leaves is counted as the block that begins with it: where they are taken from the first one on, from 1. */
static int64_t first_tail(const struct blocks *b)
{
    return b->chain->pass[blocks_first_pass(b)].reversed ? 0 : 1;
}

/* Each block as if the line were at rest before it, where it does not begin there. */
static stage_id add_tails(struct blocks *b, enum blocks_rest rest, const struct stage *instead)
{
    const struct chain *chain = b->chain;
    const int64_t from = first_tail(b);
    struct blocks_copy local = {.b = b,
                                .part = "local",
                                .goes_on = true,
                                .rank = 2,
                                .from = from,
                                .shift = blocks_begin(b, from),
                                .along = b->i,
                                .pass = {{.begins = blocks_is_first(b, from)}},
                                .rest = rest,
                                .instead = instead};
    const struct stage_axis own[2] = {blocks_along_all(b, from),
                                      blocks_along(b, BLOCKS_STATE, blocks_last_pass(b))};
    blocks_copy_rows(&local, NULL);
    for (size_t m = 0; m < chain->count; m++) {
        const struct stage_axis all[2] = {
            own[0], blocks_along(b, BLOCKS_SAMPLES_AND_STATE, chain->member[m].pass)};
        if (chain->member[m].feeds)
            blocks_copy_member(&local, m, all);
    }
    return blocks_add_lines(b, "tails", own, state_behind(b, b->j, local.stage, !instead));
}

/* Of a chain whose tails are computed with the blocks of another one, those lines apart that are in no block. */
static struct other_states add_all_tails(struct blocks *b, enum blocks_rest rest,
                                         const struct stage *instead)
{
    struct other_states tails = {.is_in_blocks = NULL};
    const struct blocks *before = blocks_are_turned(b) ? b->behind : NULL;
    struct blocks part = *b;
    if (before) {
        struct expr_pool *pool = blocks_pool(b);
        const struct stage_axis *lines = &b->last->axis[before->chain->axis];
        const struct expr *end = blocks_behind_all(before);
        const struct expr *samples = region_sum(pool, end, before->base, -1);
        part.part = (struct blocks_part_of){before->base, samples, before->chain->axis};
        tails.all = blocks_place_behind_tiles(&part, add_tails(&part, rest, instead));
        part.behind = NULL;
        part.part.first = blocks_reversed(before) ? lines->computed_first : end;
        part.part.extent = region_sum(pool, lines->computed_extent, samples, -1);
        tails.rest = add_tails(&part, rest, instead);
        tails.is_in_blocks = blocks_reversed(before)
                                 ? expr_binary(pool, EXPR_LESS_EQUAL, before->base, lines->variable)
                                 : expr_binary(pool, EXPR_LESS, lines->variable, end);
    } else {
        tails.all = add_tails(b, rest, instead);
        if (b->behind)
            (void)blocks_place_behind_tiles(b, tails.all);
    }
    return tails;
}

stage_id blocks_add_ends(struct blocks *b, enum blocks_rest rest, const struct stage *instead)
{
    const enum scalar element = b->chain->algebra->element;
    const bool reversed = blocks_reversed(b);
    const struct stage_axis behind = blocks_along(b, BLOCKS_STATE, blocks_last_pass(b));
    const struct stage_axis nothing[2] = {first_state(b, reversed), behind};
    const struct other_states tails = add_all_tails(b, rest, instead);
    const stage_id none =
        blocks_add_map(b, STAGE_MAP, "nothing", nothing,
                       blocks_at_rest(b, rest, element, scalar_info[element].interval));
    return add_states(b, "ends", reversed, behind, none, tails);
}

/* What decays goes on as 0 before it is so small that processors take a hundred times as long for it. */
static const struct expr *zero_if_tiny(struct expr_pool *pool, const struct expr *value)
{
    const struct expr *is_tiny =
        expr_binary(pool, EXPR_LESS, expr_unary(pool, EXPR_ABSOLUTE, value),
                    expr_real(pool, SCALAR_F64, 1e-300));
    return expr_select(pool, is_tiny, expr_real(pool, SCALAR_F64, 0), value);
}

/* Without images: what a state that is 1 at one place leads to. */
static const struct expr *response_of(const struct blocks *b, const struct expr *place,
                                      const struct chain_member *member, const uint32_t stage[])
{
    const struct carry_algebra *algebra = b->chain->algebra;
    struct expr_pool *pool = blocks_pool(b);
    const struct renumbering renumbering = {pool, b->place};
    struct expr_rewriter moving = {.pool = pool,
                                   .rule = graph_renumber_read,
                                   .context = (void *)(uintptr_t)&renumbering,
                                   .scratch = b->context->scratch};
    const struct expr *value = NULL;
    for (size_t t = 0; t < member->terms.count; t++) {
        const struct chain_term *term = &member->terms.item[t];
        const struct chain_member *source = &b->chain->member[term->member];
        const struct expr *const index[2] = {place, blocks_plus(b, b->i, term->offset)};
        const struct expr *is_one =
            expr_binary(pool, EXPR_EQUAL, place,
                        blocks_slot(b, blocks_before(b, source->pass), source, index[1]));
        const bool looks_back = chain_back(b->chain, source, term->offset) > 0;
        const struct border border[2] = {
            {.rule = BORDER_NONE},
            {.rule = looks_back                     ? BORDER_CONSTANT
                     : source->pass != member->pass ? BORDER_CLAMP /* behind the block */
                                                    : BORDER_NONE,
             .value = looks_back ? expr_select(pool, is_one, carry_one(pool, algebra),
                                               carry_zero(pool, algebra->element))
                                 : NULL}};
        const struct expr *sample =
            blocks_load(b, stage[term->member], algebra->element, 2, index, border);
        const struct expr *factor = expr_rewrite(&moving, term->coefficient);
        for (unsigned k = 0; k < b->last->rank; k++)
            if (k != b->chain->axis)
                factor =
                    expr_substitute(pool, b->context->scratch, factor,
                                    member->stage->axis[k].variable, b->last->axis[k].variable);
        value = carry_step(pool, algebra, factor, sample, value);
    }
    return value ? value : carry_zero(pool, algebra->element);
}

/* Whether lines have coefficients of their own. */
static bool differs_by_line(const struct blocks *b)
{
    bool differs = false;
    for (size_t m = 0; m < b->chain->count; m++)
        for (size_t t = 0; t < b->chain->member[m].terms.count; t++)
            for (unsigned k = 0; k < b->last->rank; k++)
                differs = differs || (k != b->chain->axis &&
                                      expr_contains(b->context->scratch,
                                                    b->chain->member[m].terms.item[t].coefficient,
                                                    b->chain->member[m].stage->axis[k].variable));
    return differs;
}

stage_id blocks_add_matrix(struct blocks *b)
{
    const struct chain *chain = b->chain;
    uint32_t stage[CHAIN_MOST_MEMBERS];
    const struct stage_axis places = blocks_along_places(b, chain->order);
    const struct stage_axis behind[2] = {places,
                                         blocks_along(b, BLOCKS_STATE, blocks_last_pass(b))};
    for (size_t m = 0; m < chain->count; m++) {
        const struct chain_member *member = &chain->member[m];
        const struct stage_axis all[2] = {places,
                                          blocks_along(b, BLOCKS_SAMPLES_AND_STATE, member->pass)};
        if (!member->feeds)
            continue;
        stage[m] = (uint32_t)b->out->stages.count;
        struct stage response = *member->stage;
        response.name = blocks_stage_name(b, response.name, "response");
        response.is_made = true;
        response.schedule = NULL;
        response.binding_count = 0;
        response.element = chain->algebra->element;
        response.interval = scalar_info[response.element].interval;
        response.rank = b->lead + 2 + b->trail;
        response.axis = blocks_axes(b, 2, all);
        response.value = response_of(b, places.variable, member, stage);
        if (response.kind == STAGE_RECURRENCE) {
            if (!chain->algebra->wraps)
                response.value = zero_if_tiny(blocks_pool(b), response.value);
            response.as.recurrence.axis = b->lead + 1;
            response.as.recurrence.narrow = false;
        }
        graph_add_stage(b->context->output, b->out, response);
    }
    const stage_id matrix =
        blocks_add_lines(b, "matrix", behind, state_behind(b, places.variable, stage, false));
    b->out->stages.item[matrix.index]->kind = STAGE_TABLE; /* of coefficients alone */
    return matrix;
}

/* The row of the pass's carry that is computed before the one at hand. */
static const struct expr *row_before(const struct blocks *b, unsigned pass)
{
    return blocks_plus(b, b->j, b->chain->pass[pass].reversed ? 1 : -1);
}

const struct expr *blocks_before_carry(const struct blocks *b, unsigned pass, unsigned place)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct border start[2] = {
        {.rule = BORDER_CONSTANT, .value = carry_zero(blocks_pool(b), algebra->element)},
        {.rule = BORDER_NONE}};
    const struct expr *const state[2] = {row_before(b, pass), blocks_integer(b, place)};
    return blocks_load(b, (uint32_t)b->out->stages.count, algebra->element, 2, state, start);
}

/* carry[j] is the state with which block j begins, or block j - 1 of passes that run backward; what is before all is not
 * read by blocks. */
stage_id blocks_add_carry(struct blocks *b, unsigned pass, struct stage_axis places,
                          const struct expr *value)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct stage_axis own[2] = {
        blocks_box(b->block_name, b->j, blocks_integer(b, 0), blocks_plus(b, b->count, 1)), places};
    const struct stage stage = {
        .kind = STAGE_RECURRENCE,
        .name = blocks_stage_name(b, b->last->name, pass == 0 ? "carry" : "carry_back"),
        .span = b->last->span,
        .is_made = true,
        .element = algebra->element,
        .interval = scalar_info[algebra->element].interval,
        .repeat = b->last->repeat,
        .rank = b->lead + 2 + b->trail,
        .axis = blocks_axes(b, 2, own),
        .value = value,
        .details = blocks_of_little(b),
        .as.recurrence = {.axis = b->lead, .reversed = b->chain->pass[pass].reversed}};
    return graph_add_stage(b->context->output, b->out, stage);
}

const struct expr *blocks_weight(const struct blocks *b, const struct blocks_states *states,
                                 unsigned slot, const struct expr *behind)
{
    const struct expr *const index[2] = {blocks_integer(b, slot),
                                         region_sum(blocks_pool(b), behind, b->base, -1)};
    return blocks_load(&states->of_matrix, states->matrix.index, b->chain->algebra->element, 2,
                       index, NULL);
}

/* ends[j] + matrix carry[j - 1], of places of the pass's own state */
static void add_carry(struct blocks *b, unsigned pass, const struct blocks_states *states,
                      stage_id ends)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct chain_pass *own = &b->chain->pass[pass];
    const struct stage_axis places = blocks_along_places(b, own->order);
    const struct expr *const behind = blocks_place_behind(b, pass, places.variable);
    const struct expr *const end[2] = {b->j, behind};
    const struct expr *value = blocks_load(b, ends.index, algebra->element, 2, end, NULL);
    for (unsigned k = 0; k < own->order; k++)
        value = carry_step(blocks_pool(b), algebra, blocks_weight(b, states, own->slot + k, behind),
                           blocks_before_carry(b, pass, k), value);
    b->carry[pass] = blocks_add_carry(b, pass, places, value);
}

static struct blocks_states states_of(const struct blocks *b)
{
    return (struct blocks_states){.of_matrix = blocks_of_matrix(b, !differs_by_line(b))};
}

struct blocks_states blocks_add_states(struct blocks *b)
{
    struct blocks_states states = states_of(b);
    states.ends = blocks_add_ends(b, BLOCKS_ZERO, NULL);
    states.matrix = blocks_add_matrix(&states.of_matrix);
    add_carry(b, 0, &states, states.ends);
    return states;
}

/* ---- The way back ---- */

/* The last samples of the second pass on what is left of the line, with which it begins the blocks. */
static const struct expr *state_behind_rest(const struct blocks *b, const uint32_t rest[])
{
    const struct chain *chain = b->chain;
    const struct carry_algebra *algebra = chain->algebra;
    struct expr_pool *pool = blocks_pool(b);
    const struct chain_pass *pass = &chain->pass[1];
    const struct expr *sample[CHAIN_MOST_MEMBERS];
    const struct expr *to_rest = pass->reversed
                                     ? region_sum(pool, blocks_behind_all(b), b->base, -1)
                                     : blocks_integer(b, -b->size);
    for (size_t m = 0; m < chain->count; m++) {
        const struct chain_member *member = &chain->member[m];
        const int64_t end = (int64_t)member->slot - pass->slot + member->lags;
        const struct border border = {.rule = BORDER_CLAMP};
        const struct expr *const index =
            region_sum(pool, to_rest, blocks_plus(b, b->i, pass->reversed ? end : -end), 1);
        if (member->pass == 1 && member->lags > 0)
            sample[m] =
                carry_convert(pool, algebra, algebra->element,
                              blocks_load(b, rest[m], member->stage->element, 1, &index, &border));
    }
    return state_of_pass(b, 1, sample);
}

/* Tails, and what the state of the first pass adds to them. */
static const struct expr *tails_back(const struct blocks *b, const struct blocks_states *states)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct expr *const end[2] = {row_before(b, 1), b->i};
    const struct expr *value = blocks_load(b, states->ends.index, algebra->element, 2, end, NULL);
    for (unsigned k = 0; k < b->chain->pass[0].order; k++) {
        const struct expr *const state[2] = {b->j, blocks_integer(b, k)};
        value =
            carry_step(blocks_pool(b), algebra, blocks_weight(b, states, k, b->i),
                       blocks_load(b, b->carry[0].index, algebra->element, 2, state, NULL), value);
    }
    return value;
}

void blocks_add_states_back(struct blocks *b, const struct blocks_states *states,
                            const uint32_t rest[])
{
    const bool reversed = b->chain->pass[1].reversed;
    const int64_t order = b->chain->pass[1].order;
    const struct stage_axis along =
        blocks_box(blocks_line(b)->name, b->i, blocks_plus(b, b->base, reversed ? -order : b->size),
                   blocks_integer(b, order));
    const struct stage_axis first[2] = {first_state(b, reversed), along};
    const struct stage_axis others[2] = {blocks_along_all(b, reversed ? 0 : 1), along};
    const stage_id begin =
        blocks_add_map(b, STAGE_MAP, "begin_back", first, state_behind_rest(b, rest));
    const stage_id tails =
        blocks_add_map(b, STAGE_MAP, "tails_back", others, tails_back(b, states));
    add_carry(
        b, 1, states,
        add_states(b, "ends_back", reversed, along, begin, (struct other_states){.all = tails}));
}

void blocks_add_states_behind(struct blocks *b, const uint32_t rest[])
{
    const bool reversed = b->chain->pass[1].reversed;
    const struct stage_axis behind = blocks_along(b, BLOCKS_STATE, 1);
    const struct stage_axis first[2] = {first_state(b, reversed), behind};
    struct blocks_states states = states_of(b);
    const struct other_states tails = add_all_tails(b, BLOCKS_ZERO, NULL);
    const stage_id begin = blocks_add_map(b, STAGE_MAP, "begin", first, state_behind_rest(b, rest));
    states.ends = add_states(b, "ends", reversed, behind, begin, tails);
    states.matrix = blocks_add_matrix(&states.of_matrix);
    add_carry(b, 1, &states, states.ends);
}
