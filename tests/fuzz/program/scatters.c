/* Random scatters: a target that is declared, steps over an image; and tables. */
#include "program/operators.h"

struct target {
    struct image image;
    bool wraps;
    const struct ast *box[2]; /* by axis: its range */
    int64_t first[2], extent[2];
};

static const struct ast *one_bracket(struct generator *g, unsigned count,
                                     const struct ast *const item[])
{
    return NODE(.kind = AST_LIST, .as.list = list_of(&g->s, count, item));
}

static void choose_box(struct generator *g, struct image *image, const struct ast *box[],
                       int64_t first[], int64_t extent[])
{
    const struct syntax *y = &g->s;
    image->rank = chance(&g->random, 75) ? 1 : 2;
    const bool large = image->rank == 2 && chance(&g->random, 15); /* than a block can share */
    for (unsigned k = 0; k < image->rank; k++) {
        const struct symbol *name = fresh_name(g, "b");
        first[k] = chance(&g->random, 70) ? 0 : between(&g->random, -4, 4);
        extent[k] = large ? between(&g->random, 100, 130) : between(&g->random, 1, 20);
        const struct interval at = {first[k], first[k] + extent[k] - 1};
        image->axis[k] = (struct image_axis){name, new_grid(g, first[k] == 0, at), false};
        box[k] = binding_node(
            y, name, range_node(y, integer_node(y, at.least), integer_node(y, at.greatest), true));
    }
}

/* What a target starts from: a small number, or one near where sums saturate. */
static const struct ast *start_node(struct generator *g, struct interval within)
{
    const bool near = within.greatest < INT64_MAX && chance(&g->random, 40);
    return integer_node(&g->s, near ? within.greatest - between(&g->random, 0, 90)
                                    : between(&g->random, 0, 90));
}

static void declare_target(struct generator *g, struct body *body, struct target *t)
{
    const struct syntax *y = &g->s;
    static const enum scalar element[] = {SCALAR_U32, SCALAR_U8,  SCALAR_I32, SCALAR_I64,
                                          SCALAR_F32, SCALAR_F64, SCALAR_U16};
    *t = (struct target){.image = {.element = element[below(&g->random, 7)]}};
    t->image.interval = scalar_info[t->image.element].interval;
    t->wraps = scalar_is_integer(t->image.element) && chance(&g->random, 40);
    choose_box(g, &t->image, t->box, t->first, t->extent);
    t->image.name = name_node(y, fresh_name(g, "h"));
    const struct ast *inner = scalar_type_node(y, t->image.element);
    const struct ast *type =
        t->wraps ? NODE(.kind = AST_TYPE, .as.type = {.constructor = word(y, "wrap"),
                                                      .arguments = list_of(y, 1, &inner)})
                 : inner;
    const struct ast *bracket = one_bracket(g, t->image.rank, t->box);
    const struct ast *initial = chance(&g->random, 25) ? start_node(g, t->image.interval) : NULL;
    add_statement(g, body,
                  define_node(y, t->image.name->as.name, list_of(y, 1, &bracket), type, initial));
}

/* Inside the target, or, with `drop`, anywhere. */
static const struct ast *place_in(struct generator *g, struct stage_scope *s,
                                  const struct target *t, unsigned k, bool drops)
{
    const struct syntax *y = &g->s;
    const struct typed place = generate_integer(g, s, 2);
    if (drops && chance(&g->random, 60))
        return chance(&g->random, 50)
                   ? place.ast
                   : binary_node(y, OPERATOR_REMAINDER, parentheses_node(y, place.ast),
                                 integer_node(y, t->extent[k] + 3));
    const struct ast *const three[3] = {place.ast, integer_node(y, t->first[k]),
                                        integer_node(y, t->first[k] + t->extent[k] - 1)};
    return call_node(y, "clamp", 3, three);
}

static void add_step(struct generator *g, struct body *body, const struct target *t)
{
    static const enum ast_assignment assignment[] = {ASSIGN_ADD, ASSIGN_ADD, ASSIGN_MIN,
                                                     ASSIGN_MAX};
    const struct syntax *y = &g->s;
    const struct image *over = lead_image(g, body);
    struct stage_scope s = {.body = body, .rank = over->rank, .terms = 1, .budget = 12};
    const struct ast *axis[MOST_AXES] = {NULL}, *index[2];
    if (over->rank == 0)
        return;
    for (unsigned k = 0; k < over->rank; k++) {
        s.axis[k] =
            (struct stage_axis_model){.name = over->axis[k].name, .grid = over->axis[k].grid};
        axis[k] = name_node(y, over->axis[k].name);
    }
    const bool drops = chance(&g->random, 40);
    for (unsigned k = 0; k < t->image.rank; k++)
        index[k] = place_in(g, &s, t, k, drops);
    struct typed value = generate_number(g, &s, 2);
    if (!give_boxes(g, &s, &value))
        return;
    value = t->wraps ? as_class(g, value, CLASS_INTEGER) : fit(g, value, t->image.element);
    const struct ast *bracket = one_bracket(g, t->image.rank, index);
    add_statement(
        g, body,
        NODE(.kind = AST_DEFINE, .as.define = {.name = t->image.name->as.name,
                                               .brackets = list_of(y, 1, &bracket),
                                               .value = value.ast,
                                               .assignment = assignment[below(&g->random, 4)],
                                               .over = list_of(y, over->rank, axis),
                                               .drop = drops}));
}

void add_scatter(struct generator *g, struct body *body)
{
    struct target target;
    declare_target(g, body, &target);
    for (unsigned i = 1 + below(&g->random, 2); i > 0; i--)
        add_step(g, body, &target);
    keep_image(g, body, target.image);
}

void add_table(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    struct image image = {.rank = 0};
    const struct ast *box[2];
    int64_t first[2], extent[2];
    choose_box(g, &image, box, first, extent);
    struct stage_scope s = {.body = body, .terms = 1, .budget = 12, .scalar_only = true};
    for (unsigned k = 0; k < image.rank; k++) {
        const struct typed at = {.ast = name_node(y, image.axis[k].name),
                                 .class = CLASS_INTEGER,
                                 .interval = image.axis[k].grid->coordinate};
        VECTOR_PUSH(y->arena, &s.locals, at);
    }
    const struct typed value =
        chance(&g->random, 90) ? generate_number(g, &s, 3) : generate_truth(g, &s, 2);
    image.element = natural_element(value);
    image.interval =
        value.class == CLASS_INTEGER ? value.interval : scalar_info[image.element].interval;
    image.depends = s.depends;
    const struct symbol *name = fresh_name(g, "t");
    image.name = name_node(y, name);
    add_statement(g, body,
                  NODE(.kind = AST_TABLE, .as.table = {.name = name,
                                                       .domain = list_of(y, image.rank, box),
                                                       .value = value.ast}));
    keep_image(g, body, image);
}
