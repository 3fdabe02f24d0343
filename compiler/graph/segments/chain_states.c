#include "graph/segments/chain_search.h"

#include "graph/recurrence/recurrence.h"

/* The distance of the load from the reader's own place. */
static struct interval chain_offset_of(const struct chain_search *s, const struct expr *load)
{
    const unsigned axis = s->chain->axis;
    return recurrence_offset(load->operand[axis], s->reader->axis[axis].variable);
}

/* The member of that sweep that is read; the count: another one. */
static size_t member_read(const struct chain_search *s, const struct expr *node, bool own_sweep)
{
    const struct chain *chain = s->chain;
    const size_t m =
        node->kind == EXPR_LOAD ? chain_member_of(chain, node->as.load.source) : chain->count;
    const size_t reader = chain_member_of(chain, s->reader->id.index);
    return m < chain->count && (chain->member[m].sweep == chain->member[reader].sweep) == own_sweep
               ? m
               : chain->count;
}

/* A read of a member in its own sweep: how far back, and under no rule that leads elsewhere. */
static void note_read(const struct expr *node, void *user)
{
    struct chain_search *s = user;
    struct chain *chain = s->chain;
    const size_t m = member_read(s, node, true);
    if (m == chain->count)
        return;
    const bool reversed = chain->sweep[chain->member[m].sweep].reversed;
    const struct interval offset = chain_offset_of(s, node);
    const enum border_rule rule = chain_rule_of(s, node);
    const int64_t lag = reversed ? offset.greatest : -offset.least;
    const bool ahead = reversed ? offset.least < 0 : offset.greatest > 0;
    if (ahead || lag > CHAIN_MOST_ORDER || (lag > 0 && !chain_rule_has_value(rule)) ||
        (lag == 0 && !chain_rule_has_value(rule) && rule != BORDER_NONE && rule != BORDER_EXTEND)) {
        s->fits = false;
        return;
    }
    struct chain_member *member = &chain->member[m];
    member->lags = lag > member->lags ? lag : member->lags;
}

/* Whether the node is only an index of a read, such as x + 3. */
static bool is_place(const struct chain_search *s, const struct expr *node)
{
    if (!scalar_is_integer(node->scalar))
        return false;
    const struct interval offset =
        recurrence_offset(node, s->reader->axis[s->chain->axis].variable);
    return offset.least == offset.greatest;
}

/* A read of the sweep before looks back into its state, or ahead where it has gone on. */
static void note_sweep_before(struct chain_search *s, size_t m, const struct expr *load)
{
    struct chain *chain = s->chain;
    struct chain_member *member = &chain->member[m];
    const struct interval offset = chain_offset_of(s, load);
    const int64_t back = chain_back(chain, member, offset.least);
    const enum border_rule rule = chain_rule_of(s, load);
    s->fits = s->fits && offset.least == offset.greatest && back <= CHAIN_MOST_ORDER &&
              -back <= CHAIN_MOST_ORDER &&
              (chain_rule_has_value(rule) ||
               (back <= 0 && (rule == BORDER_NONE || rule == BORDER_EXTEND)));
    if (!s->fits)
        return;
    member->lags = back > member->lags ? back : member->lags;
    chain->ahead = -back > chain->ahead ? -back : chain->ahead;
}

/* What no member is, is read beyond segments as if its edge went on, and coordinates are no numbers
 * there. */
static void note_other_read(const struct expr *node, void *user)
{
    struct chain_search *s = user;
    const size_t m = member_read(s, node, false);
    if (m < s->chain->count) {
        note_sweep_before(s, m, node);
    } else if (node->kind == EXPR_LOAD) {
        const bool is_member = chain_member_of(s->chain, node->as.load.source) < s->chain->count;
        for (unsigned k = 0; k < node->count && node->as.load.border && !is_member; k++)
            s->fits = s->fits && node->as.load.border[k].rule != BORDER_EXTEND;
    } else {
        for (unsigned k = 0; k < node->count; k++)
            s->fits = s->fits && (!is_place(s, node->operand[k]) || is_place(s, node));
    }
}

/* But for what the sweep begins from, which is read near its end. */
static void note_start_read(const struct expr *node, void *user)
{
    struct chain_search *s = user;
    struct chain *chain = s->chain;
    if (member_read(s, node, false) == chain->count)
        return;
    const struct chain_member *reader = &chain->member[chain_member_of(chain, s->reader->id.index)];
    const struct interval offset = chain_offset_of(s, node);
    const enum border_rule rule = chain_rule_of(s, node);
    const int64_t back = chain->sweep[reader->sweep].reversed ? -offset.least : offset.greatest;
    s->fits = s->fits && back <= CHAIN_MOST_ORDER &&
              (chain_rule_has_value(rule) || rule == BORDER_NONE || rule == BORDER_EXTEND ||
               rule == BORDER_CLAMP);
    if (s->fits && reader->lags + back > chain->turn)
        chain->turn = reader->lags + back;
}

struct start_search {
    struct chain_search *search;
    struct expr_walk main, start; /* without, and within, what stands behind reads of itself */
};

static void note_own(const struct expr *node, void *user)
{
    struct start_search *start = user;
    const struct chain_search *s = start->search;
    if (node->kind != EXPR_LOAD || node->as.load.source != s->reader->id.index)
        return;
    hash_map_put(s->scratch, &start->main.seen, node, start);
    if (node->as.load.border && node->as.load.border[s->chain->axis].value)
        expr_visit(&start->start, node->as.load.border[s->chain->axis].value, note_start_read,
                   start->search);
}

static void note_reads_of_other_sweep(struct chain_search *s)
{
    struct start_search start = {s, {.scratch = s->scratch}, {.scratch = s->scratch}};
    s->fits = s->fits && !is_place(s, s->reader->value);
    if (s->reader->kind == STAGE_RECURRENCE)
        stage_nodes(s->reader, s->scratch, note_own, &start);
    expr_visit(&start.main, s->reader->value, note_other_read, s);
}

void chain_find_state(struct chain_search *s)
{
    struct chain *chain = s->chain;
    for (size_t m = 0; m < chain->count && s->fits; m++) {
        s->reader = chain->member[m].stage;
        stage_nodes(s->reader, s->scratch, note_read, s);
    }
    for (size_t m = 0; m < chain->count && s->fits; m++) { /* lags are known */
        s->reader = chain->member[m].stage;
        if (chain->member[m].sweep > 0)
            note_reads_of_other_sweep(s);
    }
    int64_t order = 0;
    for (size_t m = 0; m < chain->count && s->fits; m++) {
        struct chain_member *member = &chain->member[m];
        struct chain_sweep *sweep = &chain->sweep[member->sweep];
        member->slot = (unsigned)order;
        if (sweep->order == 0)
            sweep->slot = (unsigned)order;
        sweep->order += (unsigned)member->lags;
        order += member->lags;
    }
    chain->order = (unsigned)order;
    s->fits = s->fits && order <= CHAIN_MOST_ORDER;
    for (unsigned p = 0; p < chain->sweeps; p++)
        s->fits = s->fits && chain->sweep[p].order > 0;
}

static void note_feeding(const struct expr *node, void *user)
{
    struct chain_search *s = user;
    const size_t m =
        node->kind == EXPR_LOAD ? chain_member_of(s->chain, node->as.load.source) : s->chain->count;
    if (m < s->chain->count)
        s->chain->member[m].feeds = true;
}

/* What is looked back for, and what that is computed from. */
void chain_find_feeding(struct chain_search *s)
{
    struct chain *chain = s->chain;
    for (size_t m = chain->count; m-- > 0;) {
        chain->member[m].feeds = chain->member[m].feeds || chain->member[m].lags > 0;
        if (chain->member[m].feeds)
            stage_nodes(chain->member[m].stage, s->scratch, note_feeding, s);
    }
}
