#include "graph/segments/chain_search.h"

#include "graph/recurrence/recurrence.h"
#include "graph/recurrence/wrapping_form.h"

static bool is_member(const struct expr *load, void *user)
{
    const struct chain *chain = user;
    return chain_member_of(chain, load->as.load.source) < chain->count;
}

/* coefficient × load, at one place of the line for all samples. */
static bool add_term(struct chain_search *s, struct chain_member *member, const struct expr *load,
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

/* A sweep back begins with what it reads of the sweep before; between segments it goes on from
 * 0. */
static const struct expr *without_start(const struct expr *node, void *user)
{
    const struct chain_search *s = user;
    const unsigned axis = s->chain->axis;
    if (node->kind != EXPR_LOAD || node->as.load.source != s->reader->id.index ||
        !chain_rule_has_value(chain_rule_of(s, node)))
        return node;
    struct border border[GRAPH_MAX_RANK];
    memcpy(border, node->as.load.border, node->count * sizeof border[0]);
    border[axis].value = carry_zero(s->pool, node->scalar);
    return expr_load(s->pool, node->as.load.source, node->scalar, node->interval, node->count,
                     node->operand, border);
}

static const struct expr *value_between(struct chain_search *s, const struct chain_member *member)
{
    struct expr_rewriter rewriter = {
        .pool = s->pool, .rule = without_start, .context = s, .scratch = s->scratch};
    s->reader = member->stage;
    return member->sweep > 0 ? expr_rewrite(&rewriter, member->stage->value) : member->stage->value;
}

static bool take_reals_apart(struct chain_search *s, struct chain_member *member)
{
    struct linear_form form;
    bool fits = linear_form_unrounded(s->graph, s->pool, s->scratch, value_between(s, member),
                                      is_member, s->chain, &form);
    for (size_t i = 0; i < form.terms.count && fits; i++) /* what is small is added first */
        if (form.terms.item[i].lost != 0)
            fits = add_term(s, member, form.terms.item[i].load,
                            expr_real(s->pool, SCALAR_F64, form.terms.item[i].lost));
    for (size_t i = 0; i < form.terms.count && fits; i++) {
        const struct linear_term *term = &form.terms.item[i];
        fits = term->coefficient->scalar == SCALAR_F64 &&
               add_term(s, member, term->load, term->coefficient);
    }
    return fits;
}

static bool take_integers_apart(struct chain_search *s, struct chain_member *member)
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

static bool take_apart(struct chain_search *s, struct chain_member *member)
{
    return s->chain->algebra->wraps ? take_integers_apart(s, member) : take_reals_apart(s, member);
}

/* The only member that feeds, which looks back by one sample; NULL: there are more, or it looks
 * further. */
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

static bool take_limits_apart(struct chain_search *s)
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

static bool take_all_apart(struct chain_search *s)
{
    bool fits = true;
    for (size_t m = 0; m < s->chain->count && fits; m++)
        fits = !s->chain->member[m].feeds || take_apart(s, &s->chain->member[m]);
    return fits;
}

bool chain_take_apart(struct chain_search *s)
{
    s->chain->algebra = algebra_of(s->chain);
    return take_all_apart(s) || take_limits_apart(s);
}
