#include "graph/recurrence/wrapping_form.h"

#include "graph/recurrence/term_search.h"

/* From the value to its loads: how often a node counts in the value is the sum of how often it
 * counts in what is computed from it, each node of which is looked at once. */
struct share {
    const struct expr *node;
    uint32_t factor; /* modulo 2^32 */
    bool counts;     /* not in the index of a load alone */
};

struct sharing {
    struct term_search terms;
    unsigned bytes;              /* of the type */
    VECTOR(struct share) shares; /* of nodes that hold a term, operands first */
    struct hash_map place;       /* node → one past its share */
    struct wrapping_form *form;
};

static void add_share(const struct expr *node, void *user)
{
    struct sharing *s = user;
    if (!term_search_holds(&s->terms, node))
        return;
    VECTOR_PUSH(s->terms.arena, &s->shares, (struct share){.node = node});
    hash_map_put(s->terms.arena, &s->place, node, (void *)s->shares.count);
}

/* factor × node is part of the value. */
static bool give(struct sharing *s, const struct expr *node, uint32_t factor)
{
    const size_t place = (size_t)hash_map_find(&s->place, node);
    if (place) {
        s->shares.item[place - 1].factor += factor;
        s->shares.item[place - 1].counts = true;
    } else {
        s->form->has_rest = true;
    }
    return scalar_is_integer(node->scalar);
}

static bool give_product(struct sharing *s, const struct share *share)
{
    const struct expr *const *of = share->node->operand;
    const unsigned constant = of[0]->kind == EXPR_INTEGER ? 0 : 1;
    return of[constant]->kind == EXPR_INTEGER &&
           give(s, of[1 - constant], share->factor * (uint32_t)of[constant]->as.integer);
}

static bool give_operands(struct sharing *s, const struct share *share)
{
    const struct expr *node = share->node, *const *of = node->operand;
    switch (node->kind) {
    case EXPR_LOAD:
        if (scalar_info[node->scalar].bytes < s->bytes || term_search_holds_below(&s->terms, node))
            return false;
        VECTOR_PUSH(s->terms.arena, &s->form->terms,
                    (struct wrapping_term){node, (int32_t)share->factor});
        return true;
    case EXPR_CONVERT:
        return (node->as.convert == CONVERT_EXACT ||
                (node->as.convert == CONVERT_WRAP &&
                 scalar_info[node->scalar].bytes >= s->bytes)) &&
               give(s, of[0], share->factor);
    case EXPR_NEGATE:
        return give(s, of[0], 0 - share->factor);
    case EXPR_ADD:
        return give(s, of[0], share->factor) && give(s, of[1], share->factor);
    case EXPR_SUBTRACT:
        return give(s, of[0], share->factor) && give(s, of[1], 0 - share->factor);
    case EXPR_MULTIPLY:
        return give_product(s, share);
    default:
        return false;
    }
}

bool wrapping_form_of(struct arena *arena, const struct expr *value, enum scalar scalar,
                      bool (*is_term)(const struct expr *load, void *context), void *context,
                      struct wrapping_form *form)
{
    struct sharing s = {
        .terms = {arena, is_term, context}, .bytes = scalar_info[scalar].bytes, .form = form};
    struct expr_walk walk = {.scratch = arena};
    *form = (struct wrapping_form){.has_rest = false};
    expr_visit(&walk, value, add_share, &s);
    bool fits = s.bytes <= 4 && give(&s, value, 1);
    for (size_t i = s.shares.count; i-- > 0 && fits;) /* what uses a node before the node */
        if (s.shares.item[i].counts)
            fits = give_operands(&s, &s.shares.item[i]);
    return fits;
}
