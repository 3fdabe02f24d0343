/* Random planes: stages over a short axis, each near the one before, joined into one image. A tile
 * computes them a plane at a time, or all of them where the plane is picked by a sample. */
#include "program/operators.h"

struct planes {
    struct generator *g;
    const struct symbol *axis; /* k */
    int64_t first, last;
    const struct image *from;
};

static const char *const rule_name[] = {"clamp", "wrap", "reflect", "reflect101", "zero"};

/* base[k, y, x + by] under a rule; along: the axis that is moved; without k where it is NULL. */
static const struct ast *read_near(const struct planes *p, const struct ast *base,
                                   const struct ast *k, unsigned along, const struct ast *by)
{
    struct generator *g = p->g;
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES + 1];
    unsigned count = 0;
    if (k)
        index[count++] = k;
    for (unsigned i = 0; i < p->from->rank; i++) {
        const struct ast *own = name_node(y, p->from->axis[i].name);
        index[count++] = by && i == along ? binary_node(y, OPERATOR_ADD, own, by) : own;
    }
    const struct ast *read = index_node(y, base, list_of(y, count, index));
    if (by)
        read = parentheses_node(
            y, bordered_node(y, read, rule_node(y, rule_name[below(&g->random, 5)], NULL)));
    return read;
}

static const struct ast *as_f32(const struct planes *p, const struct ast *read)
{
    return p->from->element == SCALAR_F32 ? read : call_node(&p->g->s, "f32", 1, &read);
}

static const struct ast *number_of_plane(const struct planes *p)
{
    return name_node(&p->g->s, p->axis);
}

static const struct ast *range_of_planes(const struct planes *p)
{
    const struct syntax *y = &p->g->s;
    return binding_node(y, p->axis,
                        range_node(y, integer_node(y, p->first), integer_node(y, p->last), true));
}

/* name[k in first .. last, y, x] = value */
static const struct ast *add_planes_stage(const struct planes *p, struct body *body,
                                          const struct ast *value)
{
    const struct syntax *y = &p->g->s;
    const struct symbol *name = fresh_name(p->g, "p");
    const struct ast *item[MOST_AXES + 1] = {range_of_planes(p)};
    for (unsigned i = 0; i < p->from->rank; i++)
        item[1 + i] = name_node(y, p->from->axis[i].name);
    const struct ast *bracket = AST_NEW(y->arena, ((struct span){0, 0}), .kind = AST_LIST,
                                        .as.list = list_of(y, 1 + p->from->rank, item));
    add_statement(p->g, body, define_node(y, name, list_of(y, 1, &bracket), NULL, value));
    return name_node(y, name);
}

/* sum[k in first .. last](plane[k, y, x]), or plane[clamp(…), y, x] */
static const struct ast *joined(const struct planes *p, const struct ast *plane)
{
    static const char *const operation[] = {"sum", "min", "max"};
    struct generator *g = p->g;
    const struct syntax *y = &g->s;
    if (chance(&g->random, 35)) {
        const struct ast *sample = as_f32(p, read_near(p, p->from->name, NULL, 0, NULL));
        const struct ast *clamped[3] = {conversion_node(y, CONVERSION_TRUNCATE, SCALAR_I32, sample),
                                        integer_node(y, p->first), integer_node(y, p->last)};
        return read_near(p, plane, call_node(y, "clamp", 3, clamped), 0, NULL);
    }
    const struct ast *term = read_near(p, plane, number_of_plane(p), 0, NULL);
    const struct ast *range = range_of_planes(p);
    const struct ast *callee =
        NODE(.kind = AST_INDEX, .as.index = {name_node(y, word(y, operation[below(&g->random, 3)])),
                                             list_of(y, 1, &range), NULL});
    return NODE(.kind = AST_CALL, .as.call = {callee, list_of(y, 1, &term)});
}

static bool is_fit(const struct image *image)
{
    const bool small = image->interval.least > -65536 && image->interval.greatest < 65536;
    return image->rank >= 1 && image->rank <= 3 && !image->is_line &&
           (image->element == SCALAR_F32 || (scalar_is_integer(image->element) && small));
}

bool add_planes(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    if (body->images.count == 0)
        return false;
    const struct image from = body->images.item[below(&g->random, (unsigned)body->images.count)];
    if (!is_fit(&from))
        return false;
    struct planes p = {.g = g, .axis = fresh_name(g, "k"), .from = &from};
    p.first = between(&g->random, -2, 1);
    p.last = p.first + between(&g->random, 1, 4);
    const unsigned along = below(&g->random, from.rank);
    const struct ast *plane = add_planes_stage(
        &p, body,
        binary_node(y, OPERATOR_SUBTRACT, as_f32(&p, read_near(&p, from.name, NULL, 0, NULL)),
                    as_f32(&p, read_near(&p, from.name, NULL, along, number_of_plane(&p)))));
    for (unsigned more = 1 + below(&g->random, 3); more > 0; more--) {
        const struct ast *by = integer_node(y, between(&g->random, -2, 2));
        const struct ast *k = number_of_plane(&p);
        if (chance(&g->random, 20)) { /* another plane */
            const struct ast *other[3] = {
                binary_node(y, OPERATOR_ADD, k, integer_node(y, between(&g->random, -1, 1))),
                integer_node(y, p.first), integer_node(y, p.last)};
            k = call_node(y, "clamp", 3, other);
        }
        plane = add_planes_stage(
            &p, body,
            binary_node(y, OPERATOR_ADD, read_near(&p, plane, number_of_plane(&p), 0, NULL),
                        read_near(&p, plane, k, below(&g->random, from.rank), by)));
    }
    const struct symbol *name = fresh_name(g, "s");
    const struct ast *axis[MOST_AXES] = {NULL};
    struct image image = from;
    for (unsigned i = 0; i < from.rank; i++) {
        axis[i] = name_node(y, from.axis[i].name);
        image.axis[i].can_extend = false;
    }
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, from.rank, axis));
    add_statement(g, body, define_node(y, name, list_of(y, 1, &bracket), NULL, joined(&p, plane)));
    image.name = name_node(y, name);
    image.element = SCALAR_F32;
    image.interval = scalar_info[SCALAR_F32].interval;
    keep_image(g, body, image);
    return true;
}
