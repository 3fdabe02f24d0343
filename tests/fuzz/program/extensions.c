/* Random stages on boxes of a few samples that are read beyond them, under the rule extend. What
 * their indices are in the box may be another thing outside: abs(x) is x, min(x, 3) is x, x / 4 is
 * 0, x + 2 of one sample is a number. */
#include "program/operators.h"

struct extension {
    struct generator *g;
    const struct image *from;
    unsigned along; /* axis of it that the box is narrow along */
};

static const struct ast *choice(const struct syntax *y, const struct ast *at, int64_t c,
                                const struct ast *other)
{
    const struct ast *const three[3] = {binary_node(y, OPERATOR_LESS, at, integer_node(y, c)), at,
                                        other};
    return call_node(y, "select", 3, three);
}

static const struct ast *of_two(const struct syntax *y, const char *function, const struct ast *at,
                                int64_t c)
{
    const struct ast *const two[2] = {at, integer_node(y, c)};
    return call_node(y, function, 2, two);
}

/* A quotient, remainder or product by c, of the coordinate and what is added. */
static const struct ast *by_number(const struct syntax *y, enum ast_operator o,
                                   const struct ast *at, int64_t c, int64_t more)
{
    const struct ast *sum = binary_node(y, OPERATOR_ADD, at, integer_node(y, more));
    return binary_node(y, o, parentheses_node(y, sum), integer_node(y, c));
}

/* What a stage may be extended by: a sum of coordinates, or its quotient. */
static const struct ast *scaled_place(struct generator *g, const struct ast *at)
{
    const struct syntax *y = &g->s;
    const int64_t more = between(&g->random, -2, 4), factor = between(&g->random, 2, 5);
    return chance(&g->random, 40)   ? by_number(y, OPERATOR_DIVIDE, at, factor, more)
           : chance(&g->random, 50) ? by_number(y, OPERATOR_MULTIPLY, at, factor, more)
                                    : binary_node(y, OPERATOR_SUBTRACT, integer_node(y, more), at);
}

static const struct ast *bent_place(struct generator *g, const struct ast *at)
{
    const struct syntax *y = &g->s;
    const int64_t c = between(&g->random, -3, 6), more = between(&g->random, -2, 4);
    const int64_t factor = between(&g->random, 2, 5);
    const struct ast *const clamped[3] = {at, integer_node(y, c), integer_node(y, c + factor)};
    switch (below(&g->random, 12)) {
    case 0:
        return call_node(y, "abs", 1, &at);
    case 1:
        return of_two(y, "min", at, c);
    case 2:
        return of_two(y, "max", at, c);
    case 3:
        return call_node(y, "clamp", 3, clamped);
    case 4:
        return choice(y, at, c, integer_node(y, more));
    case 5:
        return by_number(y, OPERATOR_DIVIDE, at, factor, more);
    case 6:
        return by_number(y, OPERATOR_REMAINDER, at, factor, more);
    case 7:
        return by_number(y, OPERATOR_MULTIPLY, at, factor, more);
    case 8:
        return conversion_node(y, CONVERSION_TRUNCATE, SCALAR_U8, call_node(y, "f32", 1, &at));
    case 9:
        return binary_node(y, OPERATOR_MULTIPLY, at, at);
    case 10:
        return binary_node(y, OPERATOR_SUBTRACT, integer_node(y, c), at);
    default:
        return binary_node(y, OPERATOR_ADD, at, integer_node(y, more));
    }
}

/* base[at, y, …] under the rule, `at` along the axis. */
static const struct ast *read_at(const struct extension *e, const struct ast *base,
                                 const struct ast *at, const struct ast *rule)
{
    const struct syntax *y = &e->g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < e->from->rank; k++)
        index[k] = k == e->along ? at : name_node(y, e->from->axis[k].name);
    return parentheses_node(
        y, bordered_node(y, index_node(y, base, list_of(y, e->from->rank, index)), rule));
}

static const struct ast *coordinate(const struct extension *e)
{
    return name_node(&e->g->s, e->from->axis[e->along].name);
}

/* name[x in first .. last, y] = value */
static const struct ast *add_boxed(const struct extension *e, struct body *body,
                                   const struct symbol *name, int64_t first, int64_t last,
                                   const struct ast *value)
{
    const struct syntax *y = &e->g->s;
    const struct ast *item[MOST_AXES];
    for (unsigned k = 0; k < e->from->rank; k++)
        item[k] =
            k == e->along
                ? binding_node(y, e->from->axis[k].name,
                               range_node(y, integer_node(y, first), integer_node(y, last), true))
                : name_node(y, e->from->axis[k].name);
    const struct ast *bracket = AST_NEW(y->arena, ((struct span){0, 0}), .kind = AST_LIST,
                                        .as.list = list_of(y, e->from->rank, item));
    add_statement(e->g, body, define_node(y, name, list_of(y, 1, &bracket), NULL, value));
    return name_node(y, name);
}

static const struct ast *extend_rule(const struct syntax *y)
{
    return rule_node(y, "extend", NULL);
}

static const struct ast *near(const struct extension *e)
{
    struct generator *g = e->g;
    return binary_node(&g->s, OPERATOR_ADD, coordinate(e),
                       integer_node(&g->s, between(&g->random, -4, 4)));
}

/* The stage that is read beyond its box, of the image or of the stage before. */
static const struct ast *add_narrow(const struct extension *e, struct body *body,
                                    const struct ast *base, const struct ast *rule)
{
    struct generator *g = e->g;
    const int64_t first = between(&g->random, -2, 3);
    const bool extends = strcmp(rule->as.rule.name ? rule->as.rule.name->text : "", "extend") == 0;
    const struct ast *at = !extends                 ? bent_place(g, coordinate(e))
                           : chance(&g->random, 60) ? near(e)
                                                    : scaled_place(g, coordinate(e));
    return add_boxed(e, body, fresh_name(g, "e"), first,
                     first + (chance(&g->random, 40) ? 0 : between(&g->random, 1, 4)),
                     read_at(e, base, at, rule));
}

static bool is_fit(const struct image *image)
{
    return image->rank >= 1 && !image->is_line && image->element != SCALAR_BOOL &&
           (image->element == SCALAR_F32 || image->interval.greatest < 1 << 20) &&
           image->interval.least > -(1 << 20);
}

bool add_extension(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    if (body->images.count == 0)
        return false;
    const struct image from = body->images.item[below(&g->random, (unsigned)body->images.count)];
    if (!is_fit(&from))
        return false;
    const struct extension e = {g, &from, below(&g->random, from.rank)};
    struct interval outside = from.interval;
    const struct ast *base = add_narrow(&e, body, from.name, generate_rule(g, &from, &outside));
    for (unsigned more = below(&g->random, 3); more > 0; more--)
        base = add_narrow(&e, body, base, extend_rule(y));
    const int64_t first = between(&g->random, -2, 0);
    const struct ast *value = binary_node(
        y, OPERATOR_SUBTRACT, read_at(&e, base, near(&e), extend_rule(y)),
        read_at(&e, base, chance(&g->random, 50) ? near(&e) : coordinate(&e), extend_rule(y)));
    if (chance(&g->random, 50))
        value = read_at(&e, base, near(&e), extend_rule(y));
    const struct symbol *name = fresh_name(g, "s");
    const int64_t last = first + between(&g->random, 0, 9);
    struct image image = from;
    image.name = add_boxed(&e, body, name, first, last, value);
    image.axis[e.along].grid = new_grid(g, first == 0, (struct interval){first, last});
    close_axes(&image);
    image.interval = hull(outside, (struct interval){0, 0});
    image.interval =
        hull(image.interval, (struct interval){image.interval.least - image.interval.greatest,
                                               image.interval.greatest - image.interval.least});
    image.element = scalar_is_float(from.element) ? from.element : scalar_holding(image.interval);
    keep_image(g, body, image);
    return true;
}
