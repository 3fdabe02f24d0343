/* Random passes of recurrences one after another, there and back along the columns, then along the
 * rows: each reads what the one before has made at the same place, so that with blocks its tails
 * are computed with the tiles of that. */
#include "program/operators.h"

struct pass_step {
    const struct image *from, *own;
    unsigned along;
    bool reversed;
};

/* The image at the coordinates, so far on along the axis. */
static const struct ast *at_place(struct generator *g, const struct image *image, unsigned along,
                                  int64_t further)
{
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++)
        index[k] = name_node(y, image->axis[k].name);
    if (further)
        index[along] = binary_node(y, further < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, index[along],
                                   integer_node(y, further < 0 ? -further : further));
    return index_node(y, image->name, list_of(y, image->rank, index));
}

/* The number before it; outside zero, a number, or, of the sample before alone, what the pass
 * begins at. */
static const struct ast *sample_before(struct generator *g, const struct pass_step *s, int64_t lag,
                                       bool is_float)
{
    const struct syntax *y = &g->s;
    const struct ast *read = at_place(g, s->own, s->along, s->reversed ? lag : -lag);
    const unsigned kind = below(&g->random, 10);
    if (kind < 6)
        return bordered_node(y, read, rule_node(y, "zero", NULL));
    const struct ast *number = is_float ? real_node(y, (double)below(&g->random, 9) / 8)
                                        : integer_node(y, below(&g->random, 9));
    if (kind < 8 || !is_float)
        return bordered_node(y, read, rule_node(y, "constant", number));
    const struct ast *first = at_place(g, s->from, s->along, 0);
    return bordered_node(
        y, read, rule_node(y, "state", call_node(y, scalar_info[s->own->element].text, 1, &first)));
}

/* from[y] + 0.5 * own[y - 1] - 0.25 * own[y - 2] */
static const struct ast *pass_of_floats(struct generator *g, const struct pass_step *s)
{
    const struct syntax *y = &g->s;
    const struct ast *value = at_place(g, s->from, s->along, 0);
    if (chance(&g->random, 30))
        value = binary_node(y, OPERATOR_MULTIPLY, value,
                            real_node(y, (double)between(&g->random, 1, 30) / 16));
    for (int64_t lag = 1 + (chance(&g->random, 40) ? below(&g->random, 3) : 0); lag > 0; lag--)
        value = binary_node(
            y, chance(&g->random, 60) ? OPERATOR_ADD : OPERATOR_SUBTRACT, value,
            binary_node(y, OPERATOR_MULTIPLY,
                        real_node(y, (double)between(&g->random, 1, lag > 1 ? 4 : 12) / 16),
                        sample_before(g, s, lag, true)));
    return value;
}

/* wrap<u32>(from[y] + 3 * own[y - 1]) */
static const struct ast *pass_of_integers(struct generator *g, const struct pass_step *s)
{
    const struct syntax *y = &g->s;
    const struct ast *value = at_place(g, s->from, s->along, 0);
    for (int64_t lag = 1 + below(&g->random, 2); lag > 0; lag--)
        value = binary_node(y, OPERATOR_ADD, value,
                            binary_node(y, OPERATOR_MULTIPLY,
                                        integer_node(y, (int64_t)below(&g->random, 9) - 4),
                                        sample_before(g, s, lag, false)));
    return conversion_node(y, CONVERSION_WRAP, s->own->element, value);
}

bool add_passes(struct generator *g, struct body *body)
{
    static const enum scalar integer[] = {SCALAR_U32, SCALAR_I32, SCALAR_U8};
    const struct syntax *y = &g->s;
    struct image from = *lead_image(g, body), own;
    if (from.rank == 0 || from.element == SCALAR_BOOL || from.element == SCALAR_I64)
        return false;
    const bool is_float = !scalar_is_integer(from.element) || chance(&g->random, 60);
    const unsigned rows = from.rank - 1, passes = 2 + below(&g->random, 3);
    unsigned columns = from.rank == 1 ? 0 : 1 + below(&g->random, passes);
    struct pass_step step = {.from = &from, .own = &own, .reversed = chance(&g->random, 40)};
    for (unsigned i = 0; i < passes; i++) {
        own = from;
        own.name = name_node(y, fresh_name(g, "s"));
        own.element = is_float ? (chance(&g->random, 70) ? SCALAR_F32 : SCALAR_F64)
                               : integer[below(&g->random, 3)];
        own.interval = scalar_info[own.element].interval;
        own.is_line = false;
        close_axes(&own);
        step.along = i < columns ? rows - 1 : rows;
        add_statement(
            g, body,
            define_node(y, own.name->as.name, image_brackets(g, &own),
                        scalar_type_node(y, own.element),
                        is_float ? pass_of_floats(g, &step) : pass_of_integers(g, &step)));
        if (i + 1 == passes || chance(&g->random, 15))
            keep_image(g, body, own);
        from = own;
        step.reversed = chance(&g->random, 75) ? !step.reversed : step.reversed;
    }
    return true;
}
