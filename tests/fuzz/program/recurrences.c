/* Random recurrences with an initial state: any value, of any type, that holds reads of the stage
 * itself. */
#include "program/operators.h"

struct self_model {
    struct image image; /* name and element type */
    unsigned along;     /* which of the axes */
    bool reversed;
    unsigned farthest;      /* of its reads */
    const struct ast *rule; /* behind each read, or NULL: a statement gives it */
};

static const struct ast *moved_by(struct generator *g, const struct ast *at, int64_t c)
{
    if (c == 0)
        return at;
    return binary_node(&g->s, c < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, at,
                       integer_node(&g->s, c < 0 ? -c : c));
}

static const struct ast *wrap_type(struct generator *g, enum scalar element)
{
    const struct ast *inner = scalar_type_node(&g->s, element);
    return NODE(.kind = AST_TYPE, .as.type = {.constructor = word(&g->s, "wrap"),
                                              .arguments = list_of(&g->s, 1, &inner)});
}

/* ---- Reads of itself ---- */

/* x - 2, or x - d - 1 with a variable of a reduction that is not negative. */
static const struct ast *earlier_place(struct generator *g, const struct stage_scope *s,
                                       const struct self_model *self, const struct ast *at)
{
    const enum ast_operator back = self->reversed ? OPERATOR_ADD : OPERATOR_SUBTRACT;
    for (unsigned i = 0; i < s->ranges && chance(&g->random, 60); i++) {
        const struct interval d = s->range[i].interval;
        if (d.least < 0 || d.greatest > 40)
            continue;
        at = binary_node(&g->s, back, at, s->range[i].ast);
        break;
    }
    const int64_t lag =
        chance(&g->random, 60) ? 1 : between(&g->random, 1, (int64_t)self->farthest);
    return moved_by(g, at, self->reversed ? lag : -lag);
}

struct typed self_read(struct generator *g, struct stage_scope *s)
{
    const struct self_model *self = s->self;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < s->rank; k++) {
        const struct ast *at = name_node(&g->s, s->axis[k].name);
        if (k == self->along)
            index[k] = earlier_place(g, s, self, at);
        else
            index[k] = moved_by(g, at, chance(&g->random, 12) ? between(&g->random, -2, 2) : 0);
    }
    const struct ast *read = index_node(&g->s, self->image.name, list_of(&g->s, s->rank, index));
    return (struct typed){.ast = self->rule ? bordered_node(&g->s, read, self->rule) : read,
                          .class = scalar_info[self->image.element].class,
                          .scalar = self->image.element,
                          .interval = scalar_info[self->image.element].interval};
}

/* A sample of an image where the axis that the recurrence runs along is at 0. */
static struct typed state_sample(struct generator *g, struct stage_scope *s, unsigned along,
                                 const struct image *image)
{
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++) {
        const int a = find_axis(s, image->axis[k].name);
        const bool here = a >= 0 && (unsigned)a != along &&
                          (s->axis[a].written || s->axis[a].grid == image->axis[k].grid);
        index[k] = here ? name_node(&g->s, image->axis[k].name) : integer_node(&g->s, 0);
    }
    s->depends |= image->depends;
    const struct ast *read = image->name;
    if (image->rank > 0)
        read = bordered_node(&g->s, index_node(&g->s, read, list_of(&g->s, image->rank, index)),
                             rule_node(&g->s, "clamp", NULL));
    return (struct typed){.ast = read,
                          .class = scalar_info[image->element].class,
                          .scalar = image->element,
                          .interval = image->interval};
}

/* ---- What lies before the first sample ---- */

static const struct ast *state_value(struct generator *g, struct stage_scope *s,
                                     const struct self_model *self)
{
    const struct body *body = s->body;
    struct typed value = state_sample(
        g, s, self->along, &body->images.item[below(&g->random, (unsigned)body->images.count)]);
    if (value.class == CLASS_BOOL || self->image.element == SCALAR_BOOL)
        value = as_class(g, value, scalar_info[self->image.element].class);
    else if (chance(&g->random, 40))
        value = combine(g, OPERATOR_MULTIPLY, value, typed_integer(g, between(&g->random, -2, 3)));
    return fit(g, value, self->image.element).ast;
}

/* once: for all reads of the stage, others' too. */
static const struct ast *start_rule(struct generator *g, struct stage_scope *s,
                                    const struct self_model *self, bool once)
{
    const enum scalar element = self->image.element;
    switch (below(&g->random, once ? 2 : 4)) {
    case 0:
        if (element == SCALAR_BOOL)
            return rule_node(&g->s, "constant", boolean_node(&g->s, chance(&g->random, 50)));
        if (scalar_is_float(element))
            return rule_node(&g->s, "constant",
                             real_node(&g->s, (double)below(&g->random, 64) / 8));
        return rule_node(&g->s, "constant", integer_node(&g->s, below(&g->random, 100)));
    case 1:
        return rule_node(&g->s, "zero", NULL);
    default:
        return rule_node(&g->s, "state", state_value(g, s, self));
    }
}

/* The state, and rules for the other axes, which reads may leave too. */
static const struct ast *self_rule(struct generator *g, struct stage_scope *s,
                                   const struct self_model *self, bool once)
{
    static const char *const other[] = {"zero", "clamp", "reflect", "reflect101", "wrap"};
    const struct ast *rule[MOST_AXES], *start = start_rule(g, s, self, once);
    if (s->rank == 1 || strcmp(start->as.rule.name->text, "zero") == 0)
        return start;
    for (unsigned k = 0; k < s->rank; k++)
        rule[k] = named_node(
            &g->s, s->axis[k].name,
            k == self->along ? start : rule_node(&g->s, other[below(&g->random, 5)], NULL));
    return NODE(.kind = AST_RULE, .as.rule = {NULL, list_of(&g->s, s->rank, rule)});
}

/* ---- The stage ---- */

static void choose_self(struct generator *g, struct stage_scope *s, struct self_model *self)
{
    *self = (struct self_model){.along = below(&g->random, s->rank),
                                .reversed = chance(&g->random, 40),
                                .farthest = 1 + below(&g->random, 5)};
    self->image.name = name_node(&g->s, fresh_name(g, "s"));
    const unsigned kind = below(&g->random, 100);
    self->image.element = kind < 40   ? SCALAR_F32
                          : kind < 55 ? SCALAR_F64
                          : kind < 90 ? any_integer(g)
                                      : SCALAR_BOOL;
}

/* c1 s + c2 s + rest: linear, with coefficients that may differ from sample to sample. */
static struct typed linear_value(struct generator *g, struct stage_scope *s)
{
    struct self_model *self = s->self;
    s->self = NULL;
    struct typed sum = as_class(g, generate_number(g, s, 2), CLASS_FLOAT);
    for (unsigned i = 1 + below(&g->random, 3); i > 0; i--) {
        struct typed factor = generate_number(g, s, 1);
        if (chance(&g->random, 60))
            factor =
                typed_float(real_node(&g->s, (double)between(&g->random, 1, 99) / 100), SCALAR_F32);
        s->self = self;
        const struct typed read = self_read(g, s);
        s->self = NULL;
        sum = combine(g, chance(&g->random, 70) ? OPERATOR_ADD : OPERATOR_SUBTRACT, sum,
                      combine(g, OPERATOR_MULTIPLY, factor, read));
    }
    s->self = self;
    return sum;
}

static struct typed recurrent_value(struct generator *g, struct stage_scope *s)
{
    const enum scalar element = s->self->image.element;
    if (element == SCALAR_BOOL) {
        const struct typed rest = generate_truth(g, s, 3);
        return typed_truth(binary_node(&g->s,
                                       chance(&g->random, 50) ? OPERATOR_AND : OPERATOR_NOT_EQUAL,
                                       parentheses_node(&g->s, rest.ast), self_read(g, s).ast));
    }
    static const enum ast_operator common[] = {OPERATOR_ADD, OPERATOR_SUBTRACT, OPERATOR_MULTIPLY};
    struct typed rest = generate_number(g, s, 1 + (int)below(&g->random, 3));
    const struct typed read = self_read(g, s);
    if (chance(&g->random, 40))
        return either(g, any_extremum(g), rest, read);
    return combine(g, common[below(&g->random, 3)], rest, read);
}

static void say_rule(struct generator *g, struct body *body, const struct symbol *name,
                     const struct ast *rule)
{
    add_statement(
        g, body,
        NODE(.kind = AST_DEFAULT_BORDER, .as.default_border = {.image = name, .rule = rule}));
}

bool add_recurrence(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    struct stage_scope s = {.body = body, .terms = 1, .budget = 20};
    struct self_model self;
    const struct ast *item[MOST_AXES], *type = NULL;
    open_stage(g, &s, item);
    if (s.rank == 0)
        return false;
    choose_self(g, &s, &self);
    const bool once = chance(&g->random, 30);
    const struct ast *rule = self_rule(g, &s, &self, once);
    self.rule = once ? NULL : rule;
    s.self = &self;
    const bool linear = scalar_is_float(self.image.element) && chance(&g->random, 50);
    struct typed value = linear ? linear_value(g, &s) : recurrent_value(g, &s);
    if (!give_boxes(g, &s, &value))
        return false;
    enum scalar element = self.image.element;
    const bool wraps = scalar_is_integer(element) && chance(&g->random, 50);
    if (wraps)
        value = as_class(g, value, CLASS_INTEGER);
    else if (!linear && !scalar_is_integer(element))
        value = fit(g, value, element);
    if (element == SCALAR_F32 && value.class == CLASS_FLOAT && !value.untyped &&
        chance(&g->random, 40)) {
        const struct typed quarter = {real_node(y, 0.25), CLASS_FLOAT, SCALAR_F64, .untyped = true};
        value = combine(g, OPERATOR_ADD, value,
                        combine(g, OPERATOR_MULTIPLY, quarter, self_read(g, &s)));
        element = value.scalar; /* found by what is added: it is real */
    } else {
        type = wraps ? wrap_type(g, element) : scalar_type_node(y, element);
    }
    const struct symbol *name = self.image.name->as.name;
    if (once)
        say_rule(g, body, name, rule);
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, s.rank, item));
    add_statement(g, body, define_node(y, name, list_of(y, 1, &bracket), type, value.ast));
    struct made_stage made = {.scope = s, .value = value};
    made.value.interval = scalar_info[element].interval;
    model_image(g, &made, element);
    made.image.interval = scalar_info[element].interval;
    made.image.name = self.image.name;
    close_axes(&made.image);
    keep_image(g, body, made.image);
    return true;
}
