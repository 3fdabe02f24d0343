/* Random linear recurrences along rows, and along columns of these, which a tile of a grid computes
 * from one read; and what forbids that. */
#include "program/operators.h"

struct crossing {
    const struct image *lead, *own;
    struct image from;
    unsigned along; /* which axis */
    int64_t forward;
    const struct ast *rule; /* of reads of itself */
    bool is_float;
};

/* The image, so far back along the axis. */
static const struct ast *place_back(struct generator *g, const struct crossing *c,
                                    const struct image *of, int64_t back)
{
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < of->rank; k++)
        index[k] = name_node(y, of->axis[k].name);
    if (back)
        index[c->along] =
            binary_node(y, OPERATOR_SUBTRACT, index[c->along], integer_node(y, back * c->forward));
    return index_node(y, of->name, list_of(y, of->rank, index));
}

static const struct ast *product(struct generator *g, const struct crossing *c, double factor,
                                 const struct ast *of)
{
    const struct syntax *y = &g->s;
    return binary_node(y, OPERATOR_MULTIPLY,
                       c->is_float ? real_node(y, factor) : integer_node(y, (int64_t)factor), of);
}

/* What a line begins with: a constant, or what it reads. */
static const struct ast *start_of(struct generator *g, const struct crossing *c)
{
    const struct syntax *y = &g->s;
    const unsigned kind = below(&g->random, 100);
    const double value = (double)below(&g->random, 9);
    if (kind < 60)
        return rule_node(y, "zero", NULL);
    if (kind < 75)
        return rule_node(y, "constant",
                         c->is_float ? real_node(y, value / 8) : integer_node(y, (int64_t)value));
    const struct ast *first = place_back(g, c, &c->from, 0);
    return rule_node(y, "state",
                     c->is_float ? first
                                 : conversion_node(y, CONVERSION_WRAP, c->own->element, first));
}

static const struct ast *sum(struct generator *g, const struct ast *a, const struct ast *b)
{
    return binary_node(&g->s, OPERATOR_ADD, a, b);
}

/* Poles inside the unit circle, some of a long memory. */
static const struct ast *of_reals(struct generator *g, const struct crossing *c)
{
    static const double pole[] = {0.5, 0.9, 0.96875, 0.984375, -0.75, -0.96875};
    const double first = pole[below(&g->random, 6)], second = pole[below(&g->random, 6)];
    const bool one = chance(&g->random, 50);
    const struct ast *before = bordered_node(&g->s, place_back(g, c, c->own, 1), c->rule);
    const struct ast *value = sum(g, product(g, c, 0.0625, place_back(g, c, &c->from, 0)),
                                  product(g, c, one ? first : first + second, before));
    if (one)
        return value;
    const struct ast *farther = bordered_node(&g->s, place_back(g, c, c->own, 2), c->rule);
    return sum(g, value, product(g, c, -first * second, farther));
}

static const struct ast *of_integers(struct generator *g, const struct crossing *c)
{
    const struct ast *value =
        product(g, c, (double)between(&g->random, -3, 3), place_back(g, c, &c->from, 0));
    for (int64_t lag = 1 + below(&g->random, 3); lag > 0; lag--)
        value = sum(g, value,
                    product(g, c, (double)between(&g->random, -3, 3),
                            bordered_node(&g->s, place_back(g, c, c->own, lag), c->rule)));
    return value;
}

/* A part of its own, which is not linear in what it reads, or not of that at all. */
static const struct ast *more(struct generator *g, const struct crossing *c)
{
    const struct syntax *y = &g->s;
    const struct ast *read = place_back(g, c, &c->from, 0);
    switch (below(&g->random, 3)) {
    case 0:
        return c->is_float ? real_node(y, 0.5) : integer_node(y, 3);
    case 1:
        return place_back(g, c, c->lead, 0);
    default:
        return c->is_float ? product(g, c, 0.125, binary_node(y, OPERATOR_MULTIPLY, read, read))
                           : read;
    }
}

static void add_lines(struct generator *g, struct body *body, struct crossing *c, bool is_read)
{
    static const enum scalar element[] = {SCALAR_U32, SCALAR_I32, SCALAR_U32,
                                          SCALAR_U16, SCALAR_I16, SCALAR_U8};
    const struct syntax *y = &g->s;
    struct image own = c->from;
    own.name = name_node(y, fresh_name(g, "s"));
    if (!c->is_float)
        own.element = element[below(&g->random, sizeof element / sizeof element[0])];
    own.interval = scalar_info[own.element].interval;
    own.is_line = false;
    close_axes(&own);
    c->own = &own;
    c->forward = chance(&g->random, 85) ? 1 : -1;
    c->rule = start_of(g, c);
    const struct ast *value = c->is_float ? of_reals(g, c) : of_integers(g, c);
    if (chance(&g->random, 15))
        value = sum(g, value, more(g, c));
    if (!c->is_float)
        value = conversion_node(y, CONVERSION_WRAP, own.element, value);
    add_statement(g, body,
                  define_node(y, own.name->as.name, image_brackets(g, &own),
                              scalar_type_node(y, own.element), value));
    if (is_read)
        keep_image(g, body, own);
    c->from = own;
}

bool add_crossing(struct generator *g, struct body *body)
{
    const struct image image = *lead_image(g, body); /* images are added meanwhile */
    if (image.rank < 2 || image.element == SCALAR_BOOL || image.element == SCALAR_I64 ||
        image.element == SCALAR_F16)
        return false;
    struct crossing c = {.lead = &image,
                         .from = image,
                         .along = image.rank - 1,
                         .is_float = scalar_is_float(image.element)};
    add_lines(g, body, &c, chance(&g->random, 10));
    c.along = image.rank - 2;
    add_lines(g, body, &c, true);
    return true;
}
