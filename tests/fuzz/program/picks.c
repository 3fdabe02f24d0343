/* Random reductions that pick one of their terms: argmin, argmax, median. */
#include "program/operators.h"

static const char *const pick_name[] = {"argmin", "argmax", "median"};
enum { PICK_MEDIAN = 2, PICKS };

struct pick {
    unsigned operation, count; /* of ranges */
    const struct ast *range[2];
    struct interval place; /* of both variables */
    int64_t terms;
    bool may_be_empty;
};

static void open_pick(struct generator *g, struct stage_scope *s, struct pick *pick)
{
    const struct syntax *y = &g->s;
    pick->operation = below(&g->random, PICKS);
    pick->count = chance(&g->random, 70) ? 1 : 2;
    pick->terms = 1;
    for (unsigned i = 0; i < pick->count; i++) {
        const int64_t extent = between(&g->random, 1, pick->count == 1 ? 7 : 3);
        const int64_t first = between(&g->random, -3, 1), last = first + extent - 1;
        const struct symbol *name = fresh_name(g, "d");
        const struct ast *to = integer_node(y, last);
        const struct ast *moving =
            chance(&g->random, 15) ? moving_end(g, s, first - 1, last) : NULL;
        pick->range[i] = binding_node(
            y, name, range_node(y, integer_node(y, first), moving ? moving : to, true));
        s->range[s->ranges++] = (struct typed){
            .ast = name_node(y, name), .class = CLASS_INTEGER, .interval = {first, last}};
        pick->place = hull(pick->place, (struct interval){first, last});
        pick->terms *= extent;
        pick->may_be_empty = pick->may_be_empty || moving;
    }
}

/* { let (u, v) = argmin[…](…) else (0, 1); u - v } */
static const struct ast *pair(struct generator *g, const struct ast *call, bool may_be_empty)
{
    const struct syntax *y = &g->s;
    const struct ast *name[2] = {name_node(y, fresh_name(g, "m")),
                                 name_node(y, fresh_name(g, "v"))};
    const struct ast *other[2] = {integer_node(y, 0), integer_node(y, 1)};
    if (may_be_empty)
        call =
            NODE(.kind = AST_ELSE,
                 .as.otherwise = {call, NODE(.kind = AST_TUPLE, .as.list = list_of(y, 2, other))});
    const struct ast *let =
        NODE(.kind = AST_LET, .as.let = {.value = call, .names = list_of(y, 2, name)});
    return NODE(.kind = AST_BLOCK,
                .as.block = {list_of(y, 1, &let),
                             binary_node(y, OPERATOR_SUBTRACT, name[0], name[1])});
}

struct typed generate_pick(struct generator *g, struct stage_scope *s, int depth)
{
    const struct syntax *y = &g->s;
    const unsigned outer_ranges = s->ranges;
    const int64_t outer_terms = s->terms;
    struct pick pick = {.count = 0};
    open_pick(g, s, &pick);
    s->terms *= pick.terms;
    struct typed term = generate_number(g, s, depth - 1);
    const struct ast *where = chance(&g->random, 25) ? generate_truth(g, s, depth - 2).ast : NULL;
    pick.may_be_empty = pick.may_be_empty || where;
    s->ranges = outer_ranges;
    s->terms = outer_terms;
    const struct ast *callee =
        NODE(.kind = AST_INDEX, .as.index = {name_node(y, word(y, pick_name[pick.operation])),
                                             list_of(y, pick.count, pick.range), where});
    struct typed result = as_computed(term);
    result.ast = NODE(.kind = AST_CALL, .as.call = {callee, list_of(y, 1, &term.ast)});
    result.constant = result.untyped = false;
    if (pick.operation != PICK_MEDIAN) {
        result.class = CLASS_INTEGER;
        result.interval = hull(pick.place, (struct interval){0, 1});
    }
    if (pick.operation != PICK_MEDIAN && pick.count == 2) {
        result.ast = pair(g, result.ast, pick.may_be_empty);
        result.interval = (struct interval){-20, 20};
    } else if (pick.may_be_empty) {
        const int64_t other = between(&g->random, 0, 1);
        result.ast = parentheses_node(
            y, NODE(.kind = AST_ELSE, .as.otherwise = {result.ast, integer_node(y, other)}));
        if (result.class == CLASS_INTEGER)
            result.interval = hull(result.interval, (struct interval){0, 1});
    }
    return result;
}
