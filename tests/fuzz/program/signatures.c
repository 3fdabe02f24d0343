/* What stands before the stages of a random filter: images, parameters, constants, requirements,
 * the default border rule. */
#include "program/generator.h"

static const struct grid root_grid[AXIS_POOL] = {{true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}}};

static enum scalar any_scalar(struct generator *g)
{
    static const enum scalar common[] = {SCALAR_F32, SCALAR_F32, SCALAR_U8,  SCALAR_U8,
                                         SCALAR_U16, SCALAR_I16, SCALAR_F64, SCALAR_F16};
    return chance(&g->random, 60) ? common[below(&g->random, 8)]
                                  : (enum scalar)below(&g->random, SCALAR_OF_PROGRAMS);
}

const struct ast *image_type(struct generator *g, const struct image *image)
{
    const struct ast *element = scalar_type_node(&g->s, image->element);
    const struct ast *axis[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++)
        axis[k] = name_node(&g->s, image->axis[k].name);
    return NODE(.kind = AST_TYPE, .as.type = {.constructor = word(&g->s, "image"),
                                              .inner = element,
                                              .arguments = list_of(&g->s, 1, &element),
                                              .names = list_of(&g->s, image->rank, axis)});
}

/* rank axes out of the first `pool` names, in any order. */
static void choose_axes(struct generator *g, struct image *image, unsigned rank, unsigned pool)
{
    unsigned taken = 0;
    image->rank = rank;
    for (unsigned k = 0; k < rank; k++) {
        unsigned n = k;
        if (chance(&g->random, 40))
            n = below(&g->random, pool);
        while (taken >> n & 1)
            n = (n + 1) % pool;
        taken |= 1u << n;
        image->axis[k] = (struct image_axis){word(&g->s, axis_pool[n]), &root_grid[n], false};
    }
}

void add_image_formal(struct generator *g, struct body *body, unsigned pool)
{
    const unsigned number = (unsigned)body->images.count;
    const unsigned shape = below(&g->random, 100);
    unsigned rank = shape < 60 ? 2 : shape < 75 ? 1 : shape < 88 ? 3 : shape < 94 ? 4 : 0;
    if (rank > pool)
        rank = pool;
    if (number == 0 && rank == 0)
        rank = 2;
    struct formal formal = {.is_image = true};
    struct image *image = &formal.image;
    image->element = any_scalar(g);
    image->interval = scalar_info[image->element].interval;
    choose_axes(g, image, rank, pool);
    image->depends = 1u << number;
    const struct symbol *name =
        number == 0 && chance(&g->random, 60) ? word(&g->s, "in") : fresh_name(g, "a");
    image->name = name_node(&g->s, name);
    formal.node =
        NODE(.kind = AST_FORMAL,
             .as.formal = {.role = FORMAL_IMAGE, .name = name, .type = image_type(g, image)});
    for (unsigned k = 0; k < rank; k++)
        note_axis(body, image->axis[k].name);
    VECTOR_PUSH(g->s.arena, &body->filter->formals, formal);
    VECTOR_PUSH(g->s.arena, &body->images, *image);
}

/* param kind : {none, soft} = soft, used as the truth value kind == soft. */
static void add_choice(struct generator *g, struct body *body, enum ast_formal_role role)
{
    const struct syntax *y = &g->s;
    static const char *const pool[] = {"none", "soft", "hard", "in", "x"};
    const struct ast *choice[5];
    const unsigned count = 1 + below(&g->random, 5);
    for (unsigned i = 0; i < count; i++)
        choice[i] = name_node(y, word(y, pool[i]));
    const struct symbol *name = fresh_name(g, "p");
    const struct ast *tested = choice[below(&g->random, count)];
    struct formal formal = {.choices = list_of(y, count, choice), .has_default = true};
    formal.value = (struct typed){
        .ast = parentheses_node(
            y, binary_node(y, chance(&g->random, 70) ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL,
                           name_node(y, name), tested)),
        .class = CLASS_BOOL,
        .scalar = SCALAR_BOOL,
        .interval = {0, 1},
        .constant = role == FORMAL_CONST};
    formal.node =
        NODE(.kind = AST_FORMAL,
             .as.formal = {.role = role,
                           .name = name,
                           .type = NODE(.kind = AST_TYPE, .as.type = {.names = formal.choices}),
                           .value = choice[below(&g->random, count)]});
    VECTOR_PUSH(y->arena, &body->filter->formals, formal);
    VECTOR_PUSH(y->arena, &body->scalars, formal.value);
}

/* param or const, with a range mostly. */
void add_scalar_formal(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const enum ast_formal_role role = chance(&g->random, 70) ? FORMAL_PARAM : FORMAL_CONST;
    if (chance(&g->random, 12)) {
        add_choice(g, body, role);
        return;
    }
    const enum scalar scalar = chance(&g->random, 40)   ? (enum scalar)below(&g->random, SCALAR_F32)
                               : chance(&g->random, 80) ? SCALAR_F32
                                                        : SCALAR_F64;
    struct formal formal = {.value = {.class = scalar_info[scalar].class,
                                      .scalar = scalar,
                                      .interval = scalar_info[scalar].interval,
                                      .constant = role == FORMAL_CONST}};
    const struct symbol *name = fresh_name(g, "p");
    const struct ast *initial = NULL, *range = NULL;
    formal.value.ast = name_node(y, name);
    formal.range = (struct interval){0, 4};
    if (scalar == SCALAR_BOOL) {
        initial = boolean_node(y, chance(&g->random, 50));
    } else {
        const bool negative = scalar_is_float(scalar) || scalar_info[scalar].interval.least < 0;
        const int64_t least = negative ? between(&g->random, -5, 1) : between(&g->random, 0, 2);
        const int64_t greatest = least + between(&g->random, 0, chance(&g->random, 80) ? 6 : 60);
        const int64_t v = between(&g->random, least, greatest);
        if (role == FORMAL_CONST || chance(&g->random, 85)) {
            formal.range = (struct interval){least, greatest};
            const bool real = scalar_is_float(scalar) && chance(&g->random, 50);
            range =
                range_node(y, real ? real_node(y, (double)least) : integer_node(y, least),
                           real ? real_node(y, (double)greatest) : integer_node(y, greatest), true);
            formal.value.interval = formal.range;
        }
        initial = integer_node(y, range ? v : 1);
    }
    formal.has_default = role == FORMAL_CONST || chance(&g->random, 70);
    if (formal.value.constant) /* the value of a call is any of the range */
        formal.value.interval =
            formal.value.class == CLASS_BOOL ? (struct interval){0, 1} : formal.value.interval;
    formal.node =
        NODE(.kind = AST_FORMAL,
             .as.formal = {.role = role,
                           .name = name,
                           .type = scalar_type_node(y, scalar),
                           .value = formal.has_default ? initial : NULL,
                           .range = range,
                           .text = chance(&g->random, 20) ? word(y, "what it is") : NULL});
    VECTOR_PUSH(y->arena, &body->filter->formals, formal);
    VECTOR_PUSH(y->arena, &body->scalars, formal.value);
}

/* ---- Constants ---- */

void add_constant_array(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    struct constant_array array = {.name = fresh_name(g, "k"), .interval = {0, 0}};
    array.rank = chance(&g->random, 75) ? 1 : 2;
    const struct ast *domain[2];
    unsigned count = 1;
    for (unsigned k = 0; k < array.rank; k++) {
        array.extent[k] = between(&g->random, 1, array.rank == 1 ? 7 : 4);
        array.first[k] =
            chance(&g->random, 80) ? -(array.extent[k] / 2) : between(&g->random, -2, 3);
        domain[k] =
            binding_node(y, fresh_name(g, "j"),
                         range_node(y, integer_node(y, array.first[k]),
                                    integer_node(y, array.first[k] + array.extent[k] - 1), true));
        count *= (unsigned)array.extent[k];
    }
    const bool real = chance(&g->random, 50), scaled = chance(&g->random, 30);
    struct ast_list *items = ast_list(y->arena);
    for (unsigned i = 0; i < count; i++) {
        const int64_t v = chance(&g->random, 25) ? 0 : between(&g->random, -8, 8);
        const bool halves = real && !scaled && chance(&g->random, 60);
        ast_list_add(y->arena, items, halves ? real_node(y, (double)v / 10) : integer_node(y, v));
        array.interval = hull(array.interval, (struct interval){v, v});
    }
    const struct ast *value =
        NODE(.kind = AST_ARRAY, .as.array = {items, array.rank == 2 ? (size_t)array.extent[0] : 1});
    if (scaled) {
        const enum ast_operator o = chance(&g->random, 60) ? OPERATOR_DIVIDE : OPERATOR_MULTIPLY;
        value = binary_node(y, o, value, real_node(y, chance(&g->random, 50) ? 16 : 3));
    }
    enum scalar declared = SCALAR_COUNT;
    bool any_real = scaled;
    for (size_t i = 0; i < items->count; i++) {
        const struct ast *item = items->item[i];
        while (item->kind == AST_UNARY)
            item = item->as.unary.operand;
        any_real = any_real || item->kind == AST_REAL;
    }
    if (chance(&g->random, 30))
        declared = any_real ? (chance(&g->random, 70) ? SCALAR_F32 : SCALAR_F64)
                            : (chance(&g->random, 50) ? SCALAR_I16 : SCALAR_F32);
    array.untyped = any_real && declared == SCALAR_COUNT;
    array.element = declared != SCALAR_COUNT ? declared
                    : any_real               ? SCALAR_F64
                                             : scalar_holding(array.interval);
    add_statement(g, body,
                  NODE(.kind = AST_CONSTANT,
                       .as.constant = {
                           .name = array.name,
                           .domain = list_of(y, array.rank, domain),
                           .type = declared != SCALAR_COUNT ? scalar_type_node(y, declared) : NULL,
                           .value = value}));
    VECTOR_PUSH(y->arena, &body->arrays, array);
}

void add_constant(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    struct typed value = {.constant = true};
    const struct ast *type = NULL;
    if (chance(&g->random, 50)) {
        const int64_t v = between(&g->random, -4, 20);
        value.class = CLASS_INTEGER;
        value.interval = (struct interval){v, v};
        value.ast = integer_node(y, v);
    } else {
        value.class = CLASS_FLOAT;
        value.scalar = SCALAR_F64;
        value.untyped = chance(&g->random, 60);
        const struct ast *root = real_node(y, (double)below(&g->random, 50) / 7);
        static const char *const function[] = {"sqrt", "exp", "log", "cos", "atan", "cbrt"};
        value.ast =
            chance(&g->random, 50) ? root : call_node(y, function[below(&g->random, 6)], 1, &root);
        if (!value.untyped) {
            value.scalar = chance(&g->random, 70) ? SCALAR_F32 : SCALAR_F64;
            type = scalar_type_node(y, value.scalar);
        }
    }
    const struct symbol *name = fresh_name(g, "n");
    add_statement(g, body,
                  NODE(.kind = AST_CONSTANT,
                       .as.constant = {.name = name, .type = type, .value = value.ast}));
    value.ast = name_node(y, name);
    VECTOR_PUSH(y->arena, &body->scalars, value);
}

void add_requirement(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct image *image = &body->images.item[below(&g->random, (unsigned)body->images.count)];
    if (image->rank == 0)
        return;
    const struct ast *extent = field_node(y, image->name, image->axis[0].name);
    if (chance(&g->random, 30)) {
        add_statement(g, body,
                      NODE(.kind = AST_ESTIMATE,
                           .as.estimate = {extent, integer_node(y, between(&g->random, 1, 99))}));
        return;
    }
    const struct ast *condition = chance(&g->random, 60)
                                      ? binary_node(y, OPERATOR_GREATER_EQUAL, extent,
                                                    integer_node(y, between(&g->random, 1, 2)))
                                      : binary_node(y, OPERATOR_LESS_EQUAL, extent,
                                                    integer_node(y, between(&g->random, 60, 500)));
    add_statement(g, body,
                  NODE(.kind = AST_REQUIRE,
                       .as.require = {condition, word(y, "an extent is not as wanted")}));
}

void choose_default_rule(struct generator *g, struct body *body)
{
    static const char *const rule[] = {"zero", "clamp", "reflect", "reflect101", "wrap"};
    const struct syntax *y = &g->s;
    const unsigned kind = below(&g->random, 100);
    if (kind < 45) {
        body->default_rule = rule_node(y, rule[below(&g->random, 5)], NULL);
    } else if (kind < 55 && !body->is_fixed) { /* what a type holds of fixed point is not asked */
        body->default_is_constant = true;
        body->default_rule = rule_node(y, "constant", integer_node(y, between(&g->random, 0, 100)));
    } else if (kind < 65) {
        const struct ast *named[AXIS_POOL];
        unsigned count = 0;
        for (unsigned i = 0; i < AXIS_POOL; i++)
            if (body->filter->axis_names >> i & 1)
                named[count++] = named_node(y, word(y, axis_pool[i]),
                                            rule_node(y, rule[below(&g->random, 5)], NULL));
        if (count)
            body->default_rule =
                NODE(.kind = AST_RULE, .as.rule = {NULL, list_of(y, count, named)});
    }
    if (body->default_rule)
        add_statement(
            g, body,
            NODE(.kind = AST_DEFAULT_BORDER, .as.default_border = {.rule = body->default_rule}));
}
