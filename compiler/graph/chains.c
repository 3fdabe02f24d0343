/* Finds chains, and takes their members apart. */
#include "graph/chains.h"

#include "graph/line_groups.h"
#include "graph/recurrence.h"
#include "graph/wrapping_form.h"

struct search {
    const struct graph *graph;
    struct expr_pool *pool;
    struct arena *scratch;
    const struct stage_readers *readers;
    struct chain *chain;
    const struct stage *reader; /* at hand */
    bool fits;
};

size_t chain_member_of(const struct chain *chain, uint32_t stage)
{
    size_t m = 0;
    while (m < chain->count && chain->member[m].stage->id.index != stage)
        m++;
    return m;
}

/* ---- Members ---- */

/* A result, what a repeat carries, or what the program wants others in tiles of. */
static bool is_kept(const struct graph *graph, const struct stage *stage)
{
    return graph_output_of(graph, stage->id) || stage_is_carried(graph, stage) ||
           stage_has_others(graph, stage);
}

static bool is_among(const struct stage *stage, size_t count, const struct stage *const list[])
{
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found = found || list[i] == stage;
    return found;
}

/* What the last stage is computed from in one pass, itself first. */
static size_t find_members(const struct search *s, const struct stage *last,
                           const struct stage *member[])
{
    const unsigned axis = s->chain->axis;
    size_t count = 0;
    member[count++] = last;
    for (size_t i = last->id.index; i-- > 0 && count < CHAIN_MOST_MEMBERS;) {
        const struct stage *stage = s->graph->stages.item[i];
        const struct stage_readers *of = &s->readers[i];
        bool inside = of->stages.count > 0 &&
                      (!stage->schedule ||
                       (stage_is_at(stage) && stage->schedule->at.index == last->id.index)) &&
                      (stage->kind == STAGE_MAP || stage->kind == STAGE_RECURRENCE);
        for (size_t r = 0; inside && r < of->stages.count; r++)
            inside = is_among(of->stages.item[r], count, member);
        if (inside && !is_kept(s->graph, stage) &&
            line_accepts(s->scratch, stage, last, axis, of->stages.count, of->stages.item) &&
            stage_has_places_of(stage, last, axis))
            member[count++] = stage;
    }
    return count;
}

/* Those of the last pass, in order; false: no recurrence is among them. */
static bool take_last_pass(const struct search *s, size_t count, const struct stage *const found[])
{
    struct chain *chain = s->chain;
    const struct stage **stage = ARENA_ARRAY(s->scratch, const struct stage *, count);
    struct line_place *place = ARENA_ARRAY(s->scratch, struct line_place, count);
    for (size_t i = 0; i < count; i++)
        stage[i] = found[count - 1 - i];
    line_find_passes(s->scratch, chain->axis, count, stage, place);
    const struct line_place *last = &place[count - 1];
    chain->reversed = last->direction == LINE_BACKWARD;
    chain->member = ARENA_ARRAY(s->scratch, struct chain_member, count);
    bool recurs = false;
    for (size_t i = 0; i < count; i++) {
        if (place[i].pass != last->pass)
            continue;
        chain->member[chain->count++].stage = stage[i];
        recurs = recurs || stage[i]->kind == STAGE_RECURRENCE;
    }
    return recurs;
}

/* ---- The state ---- */

/* A read of a member: how far back, and under no rule that leads elsewhere. */
static void note_read(const struct expr *node, void *user)
{
    struct search *s = user;
    const struct chain *chain = s->chain;
    if (node->kind != EXPR_LOAD)
        return;
    const size_t m = chain_member_of(chain, node->as.load.source);
    if (m == chain->count)
        return;
    const struct interval offset =
        recurrence_offset(node->operand[chain->axis], s->reader->axis[chain->axis].variable);
    const enum border_rule rule =
        node->as.load.border ? node->as.load.border[chain->axis].rule : BORDER_NONE;
    const int64_t lag = chain->reversed ? offset.greatest : -offset.least;
    const bool ahead = chain->reversed ? offset.least < 0 : offset.greatest > 0;
    const bool has_value = rule == BORDER_ZERO || rule == BORDER_CONSTANT;
    if (ahead || lag > CHAIN_MOST_ORDER || (lag > 0 && !has_value) ||
        (lag == 0 && !has_value && rule != BORDER_NONE && rule != BORDER_EXTEND)) {
        s->fits = false;
        return;
    }
    struct chain_member *member = &chain->member[m];
    member->lags = lag > member->lags ? lag : member->lags;
}

static void find_state(struct search *s)
{
    struct chain *chain = s->chain;
    for (size_t m = 0; m < chain->count && s->fits; m++) {
        s->reader = chain->member[m].stage;
        stage_nodes(s->reader, s->scratch, note_read, s);
    }
    int64_t order = 0;
    for (size_t m = 0; m < chain->count && s->fits; m++) {
        chain->member[m].slot = (unsigned)order;
        order += chain->member[m].lags;
    }
    chain->order = (unsigned)order;
    s->fits = s->fits && order >= 1 && order <= CHAIN_MOST_ORDER;
}

static void note_feeding(const struct expr *node, void *user)
{
    struct search *s = user;
    const size_t m =
        node->kind == EXPR_LOAD ? chain_member_of(s->chain, node->as.load.source) : s->chain->count;
    if (m < s->chain->count)
        s->chain->member[m].feeds = true;
}

/* What is looked back for, and what that is computed from. */
static void find_feeding(struct search *s)
{
    struct chain *chain = s->chain;
    for (size_t m = chain->count; m-- > 0;) {
        chain->member[m].feeds = chain->member[m].feeds || chain->member[m].lags > 0;
        if (chain->member[m].feeds)
            stage_nodes(chain->member[m].stage, s->scratch, note_feeding, s);
    }
}

/* ---- Linear forms ---- */

static bool is_member(const struct expr *load, void *user)
{
    const struct chain *chain = user;
    return chain_member_of(chain, load->as.load.source) < chain->count;
}

/* coefficient × load, at one place of the line for all samples. */
static bool add_term(struct search *s, struct chain_member *member, const struct expr *load,
                     const struct expr *coefficient)
{
    const struct chain *chain = s->chain;
    const struct expr *x = member->stage->axis[chain->axis].variable;
    const struct interval offset = recurrence_offset(load->operand[chain->axis], x);
    if (offset.least != offset.greatest || expr_contains(s->scratch, coefficient, x))
        return false;
    VECTOR_PUSH(s->scratch, &member->terms,
                (struct chain_term){chain_member_of(chain, load->as.load.source), offset.least,
                                    coefficient});
    return true;
}

static bool take_reals_apart(struct search *s, struct chain_member *member)
{
    struct linear_form form;
    bool fits = linear_form_unrounded(s->graph, s->pool, s->scratch, member->stage->value,
                                      is_member, s->chain, &form);
    for (size_t i = 0; i < form.terms.count && fits; i++) {
        const struct linear_term *term = &form.terms.item[i];
        fits = term->coefficient->scalar == SCALAR_F64 &&
               add_term(s, member, term->load, term->coefficient);
    }
    return fits;
}

static bool take_integers_apart(struct search *s, struct chain_member *member)
{
    struct wrapping_form form;
    bool fits = wrapping_form_of(s->scratch, member->stage->value, member->stage->element,
                                 is_member, s->chain, &form);
    for (size_t i = 0; i < form.terms.count && fits; i++)
        fits = add_term(s, member, form.terms.item[i].load,
                        expr_integer(s->pool, form.terms.item[i].coefficient));
    return fits;
}

/* Recurrences of integers have states of integers. */
static const struct carry_algebra *algebra_of(const struct chain *chain)
{
    bool integers = false;
    for (size_t m = 0; m < chain->count; m++)
        integers = integers || (chain->member[m].stage->kind == STAGE_RECURRENCE &&
                                scalar_is_integer(chain->member[m].stage->element));
    return integers ? &carry_integers : &carry_reals;
}

static bool take_apart(struct search *s, struct chain_member *member)
{
    return s->chain->algebra->wraps ? take_integers_apart(s, member) : take_reals_apart(s, member);
}

/* The only member that feeds, which looks back by one sample; NULL: there are more, or it looks further. */
static struct chain_member *only_feeding(const struct chain *chain)
{
    struct chain_member *only = NULL;
    size_t count = 0;
    for (size_t m = 0; m < chain->count; m++)
        if (chain->member[m].feeds) {
            only = &chain->member[m];
            count++;
        }
    return count == 1 && chain->order == 1 && only->stage->kind == STAGE_RECURRENCE ? only : NULL;
}

static bool take_limits_apart(struct search *s)
{
    struct chain *chain = s->chain;
    struct chain_member *member = only_feeding(chain);
    struct clamped_form *form = ARENA_NEW(s->scratch, struct clamped_form);
    if (!member || member->stage->element == SCALAR_I64 ||
        !clamped_form_of(s->pool, s->scratch, member->stage->value, is_member, chain, form))
        return false;
    chain->clamped = form;
    chain->algebra = &carry_reals;
    member->terms.count = 0;
    return add_term(s, member, form->load,
                    form->factor ? form->factor : expr_real(s->pool, SCALAR_F64, 1));
}

static bool take_all_apart(struct search *s)
{
    bool fits = true;
    for (size_t m = 0; m < s->chain->count && fits; m++)
        fits = !s->chain->member[m].feeds || take_apart(s, &s->chain->member[m]);
    return fits;
}

/* The chain of these alone, the last one first; NULL: they are none. */
static const struct chain *chain_of_members(struct search s, const struct stage *last, size_t count,
                                            const struct stage *const member[])
{
    struct chain *chain = ARENA_NEW(s.scratch, struct chain);
    s.chain = chain;
    chain->axis = last->rank - 1;
    if (!take_last_pass(&s, count, member))
        return NULL;
    chain->algebra = algebra_of(chain);
    find_state(&s);
    if (s.fits)
        find_feeding(&s);
    s.fits = s.fits && (take_all_apart(&s) || take_limits_apart(&s));
    return s.fits ? chain : NULL;
}

/* Coordinates are then numbers, and do not tell offsets. */
static bool has_one_place(const struct stage_axis *axis)
{
    const struct expr *extent = axis->computed_extent ? axis->computed_extent : axis->extent;
    return extent->kind == EXPR_INTEGER && extent->as.integer == 1;
}

const struct chain *chain_of(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage_readers readers[],
                             const struct stage *last)
{
    struct chain axis = {.axis = last->rank ? last->rank - 1 : 0};
    const struct search s = {graph, pool, scratch, readers, &axis, NULL, true};
    const struct stage *member[CHAIN_MOST_MEMBERS];
    if (last->rank == 0 || has_one_place(&last->axis[axis.axis]) ||
        (last->kind != STAGE_MAP && last->kind != STAGE_RECURRENCE) ||
        !line_runs_along(last, axis.axis) || !line_reach_of(scratch, last, last, axis.axis).beside)
        return NULL;
    size_t count = find_members(&s, last, member);
    const struct chain *chain = NULL;
    /* What comes first may be no part of it: then that is in memory, a chain of its own, or none. */
    for (; count > 0 && !chain; count--)
        chain = chain_of_members(s, last, count, member);
    return chain;
}
