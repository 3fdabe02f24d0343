/* Finds chains, and takes their members apart. */
#include "graph/chains.h"

#include "analysis/regions.h"
#include "graph/line_groups.h"
#include "graph/recurrence.h"
#include "graph/wrapping_form.h"

#include <string.h>

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

static const struct expr *end_of(const struct search *s, const struct stage_axis *axis)
{
    return region_sum(s->pool, axis->computed_first, axis->computed_extent, 1);
}

/* Whether the line of both has its first, or its last sample at the same place. */
static bool begins_with(const struct search *s, const struct stage *stage, const struct stage *last,
                        bool reversed)
{
    const struct stage_axis *own = &stage->axis[s->chain->axis];
    const struct stage_axis *other = &last->axis[s->chain->axis];
    if (!own->computed_extent || !other->computed_extent) /* of a program: boxes are not settled */
        return own->first == other->first || reversed;
    return reversed ? end_of(s, own) == end_of(s, other)
                    : own->computed_first == other->computed_first;
}

/* Of two passes, the first may go on to where the other one begins. */
static bool may_have_places(const struct search *s, const struct stage *stage,
                            const struct stage *last, unsigned passes)
{
    return stage_has_places_of(stage, last, s->chain->axis) ||
           (passes > 1 &&
            (begins_with(s, stage, last, false) || begins_with(s, stage, last, true)));
}

/* It rounds what is carried along another axis, and is computed with that: so less is in memory. */
static bool ends_other_lines(const struct search *s, const struct stage *stage)
{
    const struct stage *recurrence = recurrence_of(s->graph, stage);
    return recurrence && recurrence->as.recurrence.axis != s->chain->axis;
}

/* What the last stage is computed from on its lines, itself first. */
static size_t find_members(const struct search *s, const struct stage *last, unsigned passes,
                           const struct stage *member[])
{
    const unsigned axis = s->chain->axis;
    size_t count = 0;
    member[count++] = last;
    for (size_t i = last->id.index; i-- > 0 && count < CHAIN_MOST_MEMBERS;) {
        const struct stage *stage = s->graph->stages.item[i];
        const struct stage_readers *of = &s->readers[i];
        if ((!stage->schedule || stage_is_in_tiles_of(stage, last)) &&
            (stage->kind == STAGE_MAP || stage->kind == STAGE_RECURRENCE) &&
            !stage_is_kept(s->graph, stage) && !ends_other_lines(s, stage) &&
            line_joins(s->scratch, stage, last, axis, of->stages.count, of->stages.item, count,
                       member) &&
            may_have_places(s, stage, last, passes))
            member[count++] = stage;
    }
    return count;
}

/* Those of the last passes, in order; false: these are fewer, or do not follow each other. */
static bool take_passes(const struct search *s, size_t count, const struct stage *const found[],
                        unsigned passes)
{
    struct chain *chain = s->chain;
    const struct stage **stage = ARENA_ARRAY(s->scratch, const struct stage *, count);
    struct line_place *place = ARENA_ARRAY(s->scratch, struct line_place, count);
    for (size_t i = 0; i < count; i++)
        stage[i] = found[count - 1 - i];
    line_find_passes(s->scratch, chain->axis, count, stage, place);
    const unsigned end = place[count - 1].pass + 1;
    if (end < passes)
        return false;
    bool recurs[CHAIN_MOST_PASSES] = {false}, fits = true;
    chain->passes = passes;
    chain->member = ARENA_ARRAY(s->scratch, struct chain_member, count);
    for (size_t i = 0; i < count; i++) {
        if (place[i].pass + passes < end)
            continue;
        const unsigned pass = place[i].pass + passes - end;
        struct chain_member *member = &chain->member[chain->count++];
        member->stage = stage[i];
        member->pass = pass;
        recurs[pass] = recurs[pass] || stage[i]->kind == STAGE_RECURRENCE;
        chain->pass[pass].reversed = place[i].direction == LINE_BACKWARD;
        fits = fits &&
               (pass + 1 < passes ? begins_with(s, stage[i], found[0], chain->pass[pass].reversed)
                                  : stage_has_places_of(stage[i], found[0], chain->axis));
    }
    for (unsigned p = 0; p < passes; p++)
        fits = fits && recurs[p] && (p == 0 || chain->pass[p].reversed != chain->pass[0].reversed);
    return fits;
}

/* ---- The state ---- */

static enum border_rule rule_of(const struct search *s, const struct expr *load)
{
    return load->as.load.border ? load->as.load.border[s->chain->axis].rule : BORDER_NONE;
}

static bool rule_has_value(enum border_rule rule)
{
    return rule == BORDER_ZERO || rule == BORDER_CONSTANT;
}

static struct interval offset_of(const struct search *s, const struct expr *load)
{
    const unsigned axis = s->chain->axis;
    return recurrence_offset(load->operand[axis], s->reader->axis[axis].variable);
}

/* The member of that pass that is read; the count: another one. */
static size_t member_read(const struct search *s, const struct expr *node, bool own_pass)
{
    const struct chain *chain = s->chain;
    const size_t m =
        node->kind == EXPR_LOAD ? chain_member_of(chain, node->as.load.source) : chain->count;
    const size_t reader = chain_member_of(chain, s->reader->id.index);
    return m < chain->count && (chain->member[m].pass == chain->member[reader].pass) == own_pass
               ? m
               : chain->count;
}

/* A read of a member in its own pass: how far back, and under no rule that leads elsewhere. */
static void note_read(const struct expr *node, void *user)
{
    struct search *s = user;
    struct chain *chain = s->chain;
    const size_t m = member_read(s, node, true);
    if (m == chain->count)
        return;
    const bool reversed = chain->pass[chain->member[m].pass].reversed;
    const struct interval offset = offset_of(s, node);
    const enum border_rule rule = rule_of(s, node);
    const int64_t lag = reversed ? offset.greatest : -offset.least;
    const bool ahead = reversed ? offset.least < 0 : offset.greatest > 0;
    if (ahead || lag > CHAIN_MOST_ORDER || (lag > 0 && !rule_has_value(rule)) ||
        (lag == 0 && !rule_has_value(rule) && rule != BORDER_NONE && rule != BORDER_EXTEND)) {
        s->fits = false;
        return;
    }
    struct chain_member *member = &chain->member[m];
    member->lags = lag > member->lags ? lag : member->lags;
}

/* x + 3: where a sample is read, and no number that it is computed from. */
static bool is_place(const struct search *s, const struct expr *node)
{
    if (!scalar_is_integer(node->scalar))
        return false;
    const struct interval offset =
        recurrence_offset(node, s->reader->axis[s->chain->axis].variable);
    return offset.least == offset.greatest;
}

/* A read of the pass before looks back into its state, or ahead where it has gone on. */
static void note_pass_before(struct search *s, size_t m, const struct expr *load)
{
    struct chain *chain = s->chain;
    struct chain_member *member = &chain->member[m];
    const struct interval offset = offset_of(s, load);
    const int64_t back = chain_back(chain, member, offset.least);
    const enum border_rule rule = rule_of(s, load);
    s->fits =
        s->fits && offset.least == offset.greatest && back <= CHAIN_MOST_ORDER &&
        -back <= CHAIN_MOST_ORDER &&
        (rule_has_value(rule) || (back <= 0 && (rule == BORDER_NONE || rule == BORDER_EXTEND)));
    if (!s->fits)
        return;
    member->lags = back > member->lags ? back : member->lags;
    chain->ahead = -back > chain->ahead ? -back : chain->ahead;
}

/* What no member is, is read beyond blocks as if its edge went on, and coordinates are no numbers there. */
static void note_other_read(const struct expr *node, void *user)
{
    struct search *s = user;
    const size_t m = member_read(s, node, false);
    if (m < s->chain->count) {
        note_pass_before(s, m, node);
    } else if (node->kind == EXPR_LOAD) {
        const bool is_member = chain_member_of(s->chain, node->as.load.source) < s->chain->count;
        for (unsigned k = 0; k < node->count && node->as.load.border && !is_member; k++)
            s->fits = s->fits && node->as.load.border[k].rule != BORDER_EXTEND;
    } else {
        for (unsigned k = 0; k < node->count; k++)
            s->fits = s->fits && (!is_place(s, node->operand[k]) || is_place(s, node));
    }
}

/* But for what the pass begins from, which is read near its end. */
static void note_start_read(const struct expr *node, void *user)
{
    struct search *s = user;
    struct chain *chain = s->chain;
    if (member_read(s, node, false) == chain->count)
        return;
    const struct chain_member *reader = &chain->member[chain_member_of(chain, s->reader->id.index)];
    const struct interval offset = offset_of(s, node);
    const enum border_rule rule = rule_of(s, node);
    const int64_t back = chain->pass[reader->pass].reversed ? -offset.least : offset.greatest;
    s->fits = s->fits && back <= CHAIN_MOST_ORDER &&
              (rule_has_value(rule) || rule == BORDER_NONE || rule == BORDER_EXTEND ||
               rule == BORDER_CLAMP);
    if (s->fits && reader->lags + back > chain->turn)
        chain->turn = reader->lags + back;
}

struct start_search {
    struct search *search;
    struct expr_walk main, start; /* without, and within, what stands behind reads of itself */
};

static void note_own(const struct expr *node, void *user)
{
    struct start_search *start = user;
    const struct search *s = start->search;
    if (node->kind != EXPR_LOAD || node->as.load.source != s->reader->id.index)
        return;
    hash_map_put(s->scratch, &start->main.seen, node, start);
    if (node->as.load.border && node->as.load.border[s->chain->axis].value)
        expr_visit(&start->start, node->as.load.border[s->chain->axis].value, note_start_read,
                   start->search);
}

static void note_reads_of_other_pass(struct search *s)
{
    struct start_search start = {s, {.scratch = s->scratch}, {.scratch = s->scratch}};
    s->fits = s->fits && !is_place(s, s->reader->value);
    if (s->reader->kind == STAGE_RECURRENCE)
        stage_nodes(s->reader, s->scratch, note_own, &start);
    expr_visit(&start.main, s->reader->value, note_other_read, s);
}

static void find_state(struct search *s)
{
    struct chain *chain = s->chain;
    for (size_t m = 0; m < chain->count && s->fits; m++) {
        s->reader = chain->member[m].stage;
        stage_nodes(s->reader, s->scratch, note_read, s);
    }
    for (size_t m = 0; m < chain->count && s->fits; m++) { /* lags are known */
        s->reader = chain->member[m].stage;
        if (chain->member[m].pass > 0)
            note_reads_of_other_pass(s);
    }
    int64_t order = 0;
    for (size_t m = 0; m < chain->count && s->fits; m++) {
        struct chain_member *member = &chain->member[m];
        struct chain_pass *pass = &chain->pass[member->pass];
        member->slot = (unsigned)order;
        if (pass->order == 0)
            pass->slot = (unsigned)order;
        pass->order += (unsigned)member->lags;
        order += member->lags;
    }
    chain->order = (unsigned)order;
    s->fits = s->fits && order <= CHAIN_MOST_ORDER;
    for (unsigned p = 0; p < chain->passes; p++)
        s->fits = s->fits && chain->pass[p].order > 0;
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

/* A pass back begins with what it reads of the pass before; between blocks it goes on from 0. */
static const struct expr *without_start(const struct expr *node, void *user)
{
    const struct search *s = user;
    const unsigned axis = s->chain->axis;
    if (node->kind != EXPR_LOAD || node->as.load.source != s->reader->id.index ||
        !rule_has_value(rule_of(s, node)))
        return node;
    struct border border[GRAPH_MAX_RANK];
    memcpy(border, node->as.load.border, node->count * sizeof border[0]);
    border[axis].value = carry_zero(s->pool, node->scalar);
    return expr_load(s->pool, node->as.load.source, node->scalar, node->interval, node->count,
                     node->operand, border);
}

static const struct expr *value_between(struct search *s, const struct chain_member *member)
{
    struct expr_rewriter rewriter = {
        .pool = s->pool, .rule = without_start, .context = s, .scratch = s->scratch};
    s->reader = member->stage;
    return member->pass > 0 ? expr_rewrite(&rewriter, member->stage->value) : member->stage->value;
}

static bool take_reals_apart(struct search *s, struct chain_member *member)
{
    struct linear_form form;
    bool fits = linear_form_unrounded(s->graph, s->pool, s->scratch, value_between(s, member),
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
    bool fits = wrapping_form_of(s->scratch, value_between(s, member), member->stage->element,
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
static const struct chain *chain_of_members(struct search s, size_t count,
                                            const struct stage *const member[], unsigned axis,
                                            unsigned passes)
{
    struct chain *chain = ARENA_NEW(s.scratch, struct chain);
    s.chain = chain;
    chain->axis = axis;
    if (!take_passes(&s, count, member, passes))
        return NULL;
    chain->algebra = algebra_of(chain);
    find_state(&s);
    if (s.fits)
        find_feeding(&s);
    s.fits = s.fits && (take_all_apart(&s) || take_limits_apart(&s));
    return s.fits ? chain : NULL;
}

const struct chain *chain_behind(struct arena *arena, const struct chain *chain, bool reversed)
{
    struct chain *behind = arena_copy(arena, chain, sizeof *chain);
    behind->member = arena_copy(arena, chain->member, chain->count * sizeof *chain->member);
    for (size_t m = 0; m < chain->count; m++)
        behind->member[m].pass = 1;
    behind->pass[1] = chain->pass[0];
    behind->pass[0] = (struct chain_pass){.reversed = reversed};
    behind->passes = 2;
    return behind;
}

/* Coordinates are then numbers, and do not tell offsets. */
static bool has_one_place(const struct stage_axis *axis)
{
    const struct expr *extent = axis->computed_extent ? axis->computed_extent : axis->extent;
    return extent->kind == EXPR_INTEGER && extent->as.integer == 1;
}

const struct chain *chain_of(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage_readers readers[],
                             const struct stage *last, unsigned axis, unsigned most_passes)
{
    struct chain along = {.axis = axis};
    const struct search s = {graph, pool, scratch, readers, &along, NULL, true};
    const struct stage *member[CHAIN_MOST_MEMBERS];
    if (axis >= last->rank || has_one_place(&last->axis[axis]) ||
        (last->kind != STAGE_MAP && last->kind != STAGE_RECURRENCE) ||
        !line_runs_along(last, axis) || !line_reach_of(scratch, last, last, axis).beside)
        return NULL;
    const struct chain *chain = NULL;
    for (unsigned passes = most_passes; passes > 0 && !chain; passes--) {
        size_t count = find_members(&s, last, passes, member);
        /* What comes first may be no part of it: then that is in memory, a chain of its own, or none. */
        for (; count > 0 && !chain; count--)
            chain = chain_of_members(s, count, member, axis, passes);
    }
    return chain;
}
