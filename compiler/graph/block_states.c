/* What a chain makes of each block at rest, what it makes of a state over a block, and the states that follow. */
#include "graph/blocks.h"

/* The last samples of the members, each at its place behind the block: all are there by then. */
static const struct expr *state_behind(const struct blocks *b, const struct expr *line,
                                       const uint32_t stage[], bool as_stored)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *value = NULL;
    for (size_t m = b->chain->count; m-- > 0;) {
        const struct chain_member *member = &b->chain->member[m];
        if (member->lags == 0)
            continue;
        const int64_t back = (int64_t)member->slot + member->lags;
        const struct expr *const index[2] = {
            line, blocks_plus(b, b->i, b->chain->reversed ? back : -back)};
        const struct expr *sample = blocks_load(
            b, stage[m], as_stored ? member->stage->element : algebra->element, 2, index, NULL);
        const struct expr *end = blocks_place_behind(b, blocks_integer(b, back - 1));
        const struct expr *inside = b->chain->reversed
                                        ? expr_binary(pool, EXPR_LESS_EQUAL, end, b->i)
                                        : expr_binary(pool, EXPR_LESS_EQUAL, b->i, end);
        sample = carry_convert(pool, algebra, algebra->element, sample);
        value = value ? expr_select(pool, inside, sample, value) : sample;
    }
    return value;
}

/* Each block as if the line were at rest before it, where it does not begin there. The tails are counted as the states that
 * they are part of: there is one more, where nothing is before. */
stage_id blocks_add_ends(struct blocks *b, enum blocks_rest rest, const struct stage *instead)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    struct expr_pool *pool = blocks_pool(b);
    const bool reversed = b->chain->reversed;
    const int64_t from = reversed ? 0 : 1;
    struct blocks_copy local = {.b = b,
                                .part = "local",
                                .rank = 2,
                                .shift = blocks_begin(b, from),
                                .along = b->i,
                                .begins = blocks_is_first(b, from),
                                .rest = rest,
                                .instead = instead};
    const struct stage_axis all[2] = {blocks_along_all(b, from),
                                      blocks_along(b, BLOCKS_SAMPLES_AND_STATE)};
    const struct stage_axis behind[2] = {blocks_along_all(b, from), blocks_along(b, BLOCKS_STATE)};
    const struct stage_axis nothing[2] = {blocks_box(b->block_name, b->j,
                                                     reversed ? b->count : blocks_integer(b, 0),
                                                     blocks_integer(b, 1)),
                                          behind[1]};
    const struct stage_axis both[2] = {
        blocks_box(b->block_name, b->j, blocks_integer(b, 0), blocks_plus(b, b->count, 1)),
        behind[1]};
    for (size_t m = 0; m < b->chain->count; m++)
        if (b->chain->member[m].feeds)
            blocks_copy_member(&local, m, all);
    const struct expr *const at[2] = {b->j, b->i};
    const stage_id own =
        blocks_add_lines(b, "tails", behind, state_behind(b, b->j, local.stage, !instead));
    const stage_id none = blocks_add_map(
        b, STAGE_MAP, "nothing", nothing,
        blocks_at_rest(b, rest, algebra->element, scalar_info[algebra->element].interval));
    const struct expr *is_none = reversed
                                     ? expr_binary(pool, EXPR_LESS_EQUAL, b->count, b->j)
                                     : expr_binary(pool, EXPR_LESS, b->j, blocks_integer(b, 1));
    return blocks_add_map(b, STAGE_JOINED, "ends", both,
                          expr_select(pool, is_none,
                                      blocks_load(b, none.index, algebra->element, 2, at, NULL),
                                      blocks_load(b, own.index, algebra->element, 2, at, NULL)));
}

/* Without images: what a state that is 1 at one place leads to. */
static const struct expr *response_of(const struct blocks *b, const struct chain_member *member,
                                      const uint32_t stage[])
{
    const struct carry_algebra *algebra = b->chain->algebra;
    struct expr_pool *pool = blocks_pool(b);
    const struct renumbering renumbering = {pool, b->place};
    struct expr_rewriter moving = {.pool = pool,
                                   .rule = graph_renumber_read,
                                   .context = (void *)(uintptr_t)&renumbering,
                                   .scratch = b->context->scratch};
    const struct expr *const before = blocks_before(b);
    const struct expr *value = NULL;
    for (size_t t = 0; t < member->terms.count; t++) {
        const struct chain_term *term = &member->terms.item[t];
        const struct chain_member *source = &b->chain->member[term->member];
        const struct expr *const index[2] = {b->k, blocks_plus(b, b->i, term->offset)};
        const struct expr *is_one =
            expr_binary(pool, EXPR_EQUAL, b->k, blocks_slot(b, before, source, index[1]));
        const struct border border[2] = {
            {.rule = BORDER_NONE},
            {.rule = term->offset ? BORDER_CONSTANT : BORDER_NONE,
             .value = term->offset ? expr_select(pool, is_one, carry_one(pool, algebra),
                                                 carry_zero(pool, algebra->element))
                                   : NULL}};
        const struct expr *sample =
            blocks_load(b, stage[term->member], algebra->element, 2, index, border);
        const struct expr *factor = expr_rewrite(&moving, term->coefficient);
        for (unsigned k = 0; k < b->lead; k++)
            factor = expr_substitute(pool, b->context->scratch, factor,
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
            for (unsigned k = 0; k < b->lead; k++)
                differs = differs || expr_contains(b->context->scratch,
                                                   b->chain->member[m].terms.item[t].coefficient,
                                                   b->chain->member[m].stage->axis[k].variable);
    return differs;
}

stage_id blocks_add_matrix(struct blocks *b)
{
    uint32_t stage[CHAIN_MOST_MEMBERS];
    const struct stage_axis places = blocks_along_places(b);
    const struct stage_axis all[2] = {places, blocks_along(b, BLOCKS_SAMPLES_AND_STATE)};
    const struct stage_axis behind[2] = {places, blocks_along(b, BLOCKS_STATE)};
    for (size_t m = 0; m < b->chain->count; m++) {
        const struct chain_member *member = &b->chain->member[m];
        if (!member->feeds)
            continue;
        stage[m] = (uint32_t)b->out->stages.count;
        struct stage response = *member->stage;
        response.name = blocks_stage_name(b, response.name, "response");
        response.is_made = true;
        response.schedule = NULL;
        response.binding_count = 0;
        response.element = b->chain->algebra->element;
        response.interval = scalar_info[response.element].interval;
        response.rank = b->lead + 2;
        response.axis = blocks_axes(b, 2, all);
        response.value = response_of(b, member, stage);
        if (response.kind == STAGE_RECURRENCE) {
            response.as.recurrence.axis = response.rank - 1;
            response.as.recurrence.narrow = false;
        }
        graph_add_stage(b->context->output, b->out, response);
    }
    return blocks_add_lines(b, "matrix", behind, state_behind(b, b->k, stage, false));
}

const struct expr *blocks_before_carry(const struct blocks *b, unsigned place)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct border start[2] = {
        {.rule = BORDER_CONSTANT, .value = carry_zero(blocks_pool(b), algebra->element)},
        {.rule = BORDER_NONE}};
    const struct expr *const state[2] = {blocks_plus(b, b->j, b->chain->reversed ? 1 : -1),
                                         blocks_integer(b, place)};
    return blocks_load(b, (uint32_t)b->out->stages.count, algebra->element, 2, state, start);
}

/* carry[j] is the state with which block j begins, or block j - 1 of lines that run backward; what is before all is not
 * read by blocks. */
stage_id blocks_add_carry(struct blocks *b, const struct expr *value)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct stage_axis own[2] = {
        blocks_box(b->block_name, b->j, blocks_integer(b, 0), blocks_plus(b, b->count, 1)),
        blocks_along_places(b)};
    const struct stage stage = {.kind = STAGE_RECURRENCE,
                                .name = blocks_stage_name(b, b->last->name, "carry"),
                                .span = b->last->span,
                                .is_made = true,
                                .element = algebra->element,
                                .interval = scalar_info[algebra->element].interval,
                                .repeat = b->last->repeat,
                                .rank = b->lead + 2,
                                .axis = blocks_axes(b, 2, own),
                                .value = value,
                                .as.recurrence = {.axis = b->lead, .reversed = b->chain->reversed}};
    return graph_add_stage(b->context->output, b->out, stage);
}

/* tails[j] + matrix carry[j - 1] */
static const struct expr *linear_step(const struct blocks *b, stage_id tails,
                                      const struct blocks *of_matrix, stage_id matrix)
{
    const struct carry_algebra *algebra = b->chain->algebra;
    const struct expr *const behind = blocks_place_behind(b, b->k);
    const struct expr *const tail[2] = {b->j, behind};
    const struct expr *value = blocks_load(b, tails.index, algebra->element, 2, tail, NULL);
    for (unsigned k = 0; k < b->chain->order; k++) {
        const struct expr *const weight[2] = {blocks_integer(b, k), behind};
        value = carry_step(blocks_pool(b), algebra,
                           blocks_load(of_matrix, matrix.index, algebra->element, 2, weight, NULL),
                           blocks_before_carry(b, k), value);
    }
    return value;
}

void blocks_add_states(struct blocks *b)
{
    struct blocks of_matrix = *b; /* one for all lines, if it can be */
    of_matrix.lead = differs_by_line(b) ? b->lead : 0;
    const stage_id tails = blocks_add_ends(b, BLOCKS_ZERO, NULL);
    const stage_id matrix = blocks_add_matrix(&of_matrix);
    b->carry = blocks_add_carry(b, linear_step(b, tails, &of_matrix, matrix));
}
