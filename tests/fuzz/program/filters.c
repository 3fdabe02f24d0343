/* Random filters: signatures, constants, stages, arrays of images, calls; and the module. */
#include "program/generator.h"

const char *const axis_pool[AXIS_POOL] = {"y", "x", "z", "c", "t"};

/* Legal in the language, and words of C, C++, their libraries, or the emitted code. */
static const char *const awkward_name[] = {
    "int",    "double", "register", "restrict", "inline",  "class",  "new",     "template",
    "this",   "frame",  "threads",  "status",   "scratch", "data",   "main",    "abort",
    "printf", "fma",    "NULL",     "INFINITY", "memset",  "bytes",  "errno",   "linux",
    "unix",   "I",      "y0",       "j1",       "index",   "signed", "extern_", "asm",
    "auto",   "typeof", "bool_",    "stdin",    "M_PI",    "kernel", "first",   "end"};
enum { AWKWARD_COUNT = sizeof awkward_name / sizeof awkward_name[0] };

static const struct grid root_grid[AXIS_POOL] = {{true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}},
                                                 {true, {0, INT32_MAX - 1}}};

#define NODE(...) AST_NEW(g->s.arena, ((struct span){0, 0}), __VA_ARGS__)

const struct symbol *fresh_name(struct generator *g, const char *stem)
{
    const unsigned n = below(&g->random, AWKWARD_COUNT);
    if (chance(&g->random, 6) && n < 32 && !(g->awkward >> n & 1)) {
        g->awkward |= 1u << n;
        return word(&g->s, awkward_name[n]);
    }
    return symbol_format(g->s.symbols, "%s%u", stem, ++g->names);
}

static unsigned pool_index(const struct symbol *name)
{
    unsigned i = 0;
    while (i < AXIS_POOL && strcmp(axis_pool[i], name->text) != 0)
        i++;
    return i;
}

static void note_axis(struct body *body, const struct symbol *name)
{
    const unsigned i = pool_index(name);
    if (i < AXIS_POOL)
        body->filter->axis_names |= 1u << i;
}

static enum scalar any_scalar(struct generator *g)
{
    static const enum scalar common[] = {SCALAR_F32, SCALAR_F32, SCALAR_U8, SCALAR_U8,
                                         SCALAR_U16, SCALAR_I16, SCALAR_F64};
    return chance(&g->random, 60) ? common[below(&g->random, 7)]
                                  : (enum scalar)below(&g->random, SCALAR_COUNT);
}

static void add_statement(struct generator *g, struct body *body, const struct ast *node)
{
    ast_list_add(g->s.arena, body->statements, node);
}

/* ---- Signatures ---- */

static const struct ast *image_type(struct generator *g, const struct image *image)
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

static void add_image_formal(struct generator *g, struct body *body, unsigned pool)
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

/* param or const, with a range mostly. */
static void add_scalar_formal(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const enum ast_formal_role role = chance(&g->random, 70) ? FORMAL_PARAM : FORMAL_CONST;
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

static void add_constant_array(struct generator *g, struct body *body)
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
            binding_node(y, fresh_name(g, "i"),
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

static void add_constant(struct generator *g, struct body *body)
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
        value.ast = chance(&g->random, 50) ? root : call_node(y, "sqrt", 1, &root);
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

static void add_requirement(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct image *image = &body->images.item[below(&g->random, (unsigned)body->images.count)];
    if (image->rank == 0)
        return;
    const struct ast *extent = field_node(y, image->name, image->axis[0].name);
    const struct ast *condition = chance(&g->random, 60)
                                      ? binary_node(y, OPERATOR_GREATER_EQUAL, extent,
                                                    integer_node(y, between(&g->random, 1, 2)))
                                      : binary_node(y, OPERATOR_LESS_EQUAL, extent,
                                                    integer_node(y, between(&g->random, 9, 50)));
    add_statement(g, body,
                  NODE(.kind = AST_REQUIRE,
                       .as.require = {condition, word(y, "an extent is not as wanted")}));
}

static void choose_default_rule(struct generator *g, struct body *body)
{
    static const char *const rule[] = {"zero", "clamp", "reflect", "reflect101", "wrap"};
    const struct syntax *y = &g->s;
    const unsigned kind = below(&g->random, 100);
    if (kind < 45) {
        body->default_rule = rule_node(y, rule[below(&g->random, 5)], NULL);
    } else if (kind < 55) {
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

/* ---- Stages ---- */

static const struct grid *new_grid(struct generator *g, bool starts_at_zero, struct interval at)
{
    struct grid *grid = ARENA_NEW(g->s.arena, struct grid);
    *grid = (struct grid){starts_at_zero, at};
    return grid;
}

/* A range of the axis on the left side. */
static const struct ast *written_range(struct generator *g, const struct image *image,
                                       struct stage_axis_model *axis, bool is_known)
{
    const struct syntax *y = &g->s;
    const int64_t shift = chance(&g->random, 60) ? 0 : between(&g->random, -4, 4);
    const struct ast *first = integer_node(y, shift);
    if (!is_known || chance(&g->random, 15)) {
        const int64_t count = between(&g->random, 1, 6);
        const bool includes = chance(&g->random, 50);
        axis->grid = new_grid(g, shift == 0, (struct interval){shift, shift + count - 1});
        return range_node(y, first, integer_node(y, shift + count - includes), includes);
    }
    const struct ast *last = field_node(y, image->name, axis->name);
    const struct ast *one = integer_node(y, 1), *two = integer_node(y, 2);
    switch (below(&g->random, 6)) {
    case 0:
        last = binary_node(y, OPERATOR_DIVIDE,
                           parentheses_node(y, binary_node(y, OPERATOR_ADD, last, one)), two);
        break;
    case 1:
        last = binary_node(y, OPERATOR_MULTIPLY, two, last);
        break;
    case 2:
        last = binary_node(y, OPERATOR_ADD, last, integer_node(y, between(&g->random, 1, 5)));
        break;
    case 3:
        last = binary_node(y, OPERATOR_ADD,
                           binary_node(y, OPERATOR_DIVIDE, last, integer_node(y, 3)), one);
        break;
    default:
        break;
    }
    if (shift > 0) /* so that something is left */
        last = binary_node(y, OPERATOR_ADD, last, integer_node(y, shift));
    const bool includes = chance(&g->random, 15);
    axis->grid = new_grid(g, shift == 0, (struct interval){shift < 0 ? shift : 0, INT32_MAX});
    return range_node(y, first, last, includes);
}

static void shuffle(struct generator *g, struct image_axis axis[], unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        const unsigned k = below(&g->random, i);
        const struct image_axis kept = axis[i - 1];
        axis[i - 1] = axis[k];
        axis[k] = kept;
    }
}

/* The axes of a new stage: those of an image in any order, less some, plus some. */
static void choose_stage_axes(struct generator *g, struct stage_scope *s, const struct image *lead,
                              const struct ast *item[])
{
    const struct syntax *y = &g->s;
    struct image shape = *lead;
    if (chance(&g->random, 20))
        shuffle(g, shape.axis, shape.rank);
    if (shape.rank > 1 && chance(&g->random, 8))
        shape.rank--;
    if (chance(&g->random, 12) && !s->is_valid) {
        const struct image *other =
            &s->body->images.item[below(&g->random, (unsigned)s->body->images.count)];
        for (unsigned k = 0; k < other->rank && shape.rank < 4; k++) {
            bool known = false;
            for (unsigned i = 0; i < shape.rank; i++)
                known = known || shape.axis[i].name == other->axis[k].name;
            if (!known)
                shape.axis[shape.rank++] = other->axis[k];
        }
    }
    s->rank = shape.rank;
    for (unsigned k = 0; k < shape.rank; k++) {
        s->axis[k] =
            (struct stage_axis_model){.name = shape.axis[k].name, .grid = shape.axis[k].grid};
        item[k] = name_node(y, s->axis[k].name);
        if (!s->is_valid && chance(&g->random, 18)) {
            s->axis[k].written = true;
            bool known = false;
            for (unsigned i = 0; i < lead->rank; i++)
                known = known || lead->axis[i].name == s->axis[k].name;
            item[k] = binding_node(y, s->axis[k].name, written_range(g, lead, &s->axis[k], known));
        }
    }
    if (s->rank < 4 && !s->is_valid && chance(&g->random, 8)) {
        const struct symbol *name = word(y, axis_pool[below(&g->random, AXIS_POOL)]);
        if (find_axis(s, name) < 0) {
            struct stage_axis_model *axis = &s->axis[s->rank];
            *axis = (struct stage_axis_model){.name = name, .written = true};
            item[s->rank] = binding_node(y, name, written_range(g, lead, axis, false));
            s->rank++;
        }
    }
    for (unsigned k = 0; k < s->rank; k++)
        note_axis(s->body, s->axis[k].name);
}

/* An image with the axis on the very grid, for a read that tells the box. */
static const struct image *image_on(const struct body *body, const struct stage_axis_model *axis,
                                    const struct stage_scope *s)
{
    for (size_t i = body->images.count; i-- > 0;) {
        const struct image *image = &body->images.item[i];
        bool all = image->rank > 0, has = false;
        for (unsigned k = 0; k < image->rank; k++) {
            const int a = find_axis(s, image->axis[k].name);
            all = all && a >= 0 && s->axis[a].grid == image->axis[k].grid && !s->axis[a].written;
            has = has || image->axis[k].name == axis->name;
        }
        if (all && has)
            return image;
    }
    return NULL;
}

/* Reads that give each axis its box, where the expression has none. False: no image can. */
static bool settle_boxes(struct generator *g, struct stage_scope *s, struct typed *value)
{
    for (unsigned k = 0; k < s->rank; k++) {
        if (s->axis[k].written || s->axis[k].simple_read)
            continue;
        const struct image *image = image_on(s->body, &s->axis[k], s);
        if (!image)
            return false;
        struct typed read = plain_read(g, s, image);
        if (value->class == CLASS_BOOL)
            *value = (struct typed){.ast = binary_node(&g->s, OPERATOR_NOT_EQUAL, value->ast,
                                                       as_class(g, read, CLASS_BOOL).ast),
                                    .class = CLASS_BOOL,
                                    .interval = {0, 1}};
        else
            *value = combine(g, OPERATOR_ADD, *value,
                             read.class == CLASS_BOOL ? as_class(g, read, CLASS_INTEGER) : read);
    }
    return true;
}

static enum scalar natural_element(struct typed value)
{
    return value.class == CLASS_BOOL    ? SCALAR_BOOL
           : value.class == CLASS_FLOAT ? value.scalar
                                        : scalar_holding(value.interval);
}

/* A type that a stage may be declared with. */
static enum scalar declared_element(struct generator *g, struct typed value)
{
    if (value.class != CLASS_INTEGER)
        return value.class == CLASS_BOOL ? SCALAR_BOOL
                                         : (chance(&g->random, 75) ? SCALAR_F32 : SCALAR_F64);
    return chance(&g->random, 60) ? natural_element(value)
                                  : (enum scalar)(SCALAR_U8 + below(&g->random, 9));
}

static const struct image *lead_image(struct generator *g, const struct body *body)
{
    for (int i = 0; i < 8; i++) {
        const unsigned count = (unsigned)body->images.count;
        const unsigned a = below(&g->random, count), b = below(&g->random, count);
        const struct image *image = &body->images.item[a > b ? a : b];
        if (image->rank > 0)
            return image;
    }
    return &body->images.item[0];
}

struct made_stage {
    struct stage_scope scope;
    const struct ast_list *axes; /* NULL: none */
    struct typed value;
    struct image image; /* without its name */
};

static void model_image(struct generator *g, struct made_stage *made, enum scalar element)
{
    const struct stage_scope *s = &made->scope;
    made->image = (struct image){.element = element,
                                 .interval = made->value.class == CLASS_INTEGER
                                                 ? made->value.interval
                                                 : scalar_info[element].interval,
                                 .rank = s->rank,
                                 .depends = s->depends};
    for (unsigned k = 0; k < s->rank; k++) {
        const struct grid *grid = s->is_valid
                                      ? new_grid(g, false, (struct interval){INT32_MIN, INT32_MAX})
                                      : s->axis[k].grid;
        made->image.axis[k] =
            (struct image_axis){s->axis[k].name, grid, !s->axis[k].as_value && !s->axis[k].bare};
    }
}

/* [axes] and value of a new stage. Its element type is value's natural one, or `element`. */
static struct made_stage make_stage(struct generator *g, struct body *body, bool is_result,
                                    const struct typed *local)
{
    struct made_stage made;
    for (;;) {
        made = (struct made_stage){.scope = {.body = body, .terms = 1, .budget = 26}};
        struct stage_scope *s = &made.scope;
        s->is_valid = chance(&g->random, 6);
        if (local)
            VECTOR_PUSH(g->s.arena, &s->locals, *local);
        const struct ast *item[MOST_AXES];
        const bool scalar = !is_result && chance(&g->random, 5);
        if (!scalar)
            choose_stage_axes(g, s, lead_image(g, body), item);
        const int depth = 1 + (int)below(&g->random, 4);
        made.value =
            chance(&g->random, 88) ? generate_number(g, s, depth) : generate_truth(g, s, depth);
        const bool good = settle_boxes(g, s, &made.value);
        made.axes = scalar ? NULL : list_of(&g->s, s->rank, item);
        if (good)
            break;
    }
    return made;
}

static struct image add_stage(struct generator *g, struct body *body, const struct symbol *name)
{
    struct made_stage made = make_stage(g, body, false, NULL);
    const struct ast *type = NULL;
    enum scalar element = natural_element(made.value);
    if (chance(&g->random, 35)) {
        element = declared_element(g, made.value);
        made.value = fit(g, made.value, element);
        type = scalar_type_node(&g->s, element);
    }
    const struct ast *bracket = made.axes ? NODE(.kind = AST_LIST, .as.list = made.axes) : NULL;
    add_statement(
        g, body,
        define_node(&g->s, name, list_of(&g->s, bracket != NULL, &bracket), type, made.value.ast));
    model_image(g, &made, element);
    made.image.name = name_node(&g->s, name);
    return made.image;
}

/* An expression of images without indices; false where it names none. */
static bool make_lifted(struct generator *g, struct body *body, struct image *image,
                        struct typed *value)
{
    struct stage_scope s = {.body = body, .terms = 1, .budget = 12, .is_lifted = true};
    struct image called;
    *value = chance(&g->random, 88) ? generate_number(g, &s, 3) : generate_truth(g, &s, 2);
    if (chance(&g->random, 25) && generate_call(g, body, &called) && can_lift(&s, &called)) {
        /* Its axes come after those that are there. */
        use_lifted(&s, &called);
        struct typed second = {.ast = called.name,
                               .class = scalar_info[called.element].class,
                               .scalar = called.element,
                               .interval = called.interval};
        *value = combine(g, OPERATOR_SUBTRACT,
                         value->class == CLASS_BOOL ? as_class(g, *value, CLASS_INTEGER) : *value,
                         second.class == CLASS_BOOL ? as_class(g, second, CLASS_INTEGER) : second);
    }
    if (s.lifted_rank == 0)
        return false;
    *image = (struct image){.element = natural_element(*value),
                            .interval = value->class == CLASS_INTEGER
                                            ? value->interval
                                            : scalar_info[natural_element(*value)].interval,
                            .rank = s.lifted_rank,
                            .depends = s.depends};
    memcpy(image->axis, s.lifted_axis, sizeof image->axis);
    return true;
}

static void keep_image(struct generator *g, struct body *body, struct image image)
{
    VECTOR_PUSH(g->s.arena, &body->images, image);
}

static bool add_lifted(struct generator *g, struct body *body)
{
    struct image image;
    struct typed value;
    if (!make_lifted(g, body, &image, &value))
        return false;
    const struct symbol *name = fresh_name(g, "s");
    add_statement(g, body, define_node(&g->s, name, NULL, NULL, value.ast));
    image.name = name_node(&g->s, name);
    keep_image(g, body, image);
    return true;
}

static bool add_call(struct generator *g, struct body *body)
{
    struct image image;
    if (!generate_call(g, body, &image))
        return false;
    const struct symbol *name = fresh_name(g, "s");
    add_statement(g, body, define_node(&g->s, name, NULL, NULL, image.name));
    image.name = name_node(&g->s, name);
    keep_image(g, body, image);
    return true;
}

/* ---- Arrays of images ---- */

static const struct ast *member(struct generator *g, const struct symbol *array,
                                const struct ast *index)
{
    return index_node(&g->s, name_node(&g->s, array), list_of(&g->s, 1, &index));
}

static const struct ast_list *two_brackets(struct generator *g, const struct ast *place,
                                           const struct ast_list *axes)
{
    const struct ast *bracket[2] = {NODE(.kind = AST_LIST, .as.list = list_of(&g->s, 1, &place)),
                                    NODE(.kind = AST_LIST, .as.list = axes)};
    return list_of(&g->s, 2, bracket);
}

/* g[0] = …; g[l in 1 ..< n] = … g[l - 1] …; */
static void add_levels(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct symbol *array = fresh_name(g, "g"), *l = fresh_name(g, "l");
    struct image first = add_stage(g, body, fresh_name(g, "s"));
    keep_image(g, body, first);
    if (first.rank == 0)
        return;
    const struct ast *zero = integer_node(y, 0);
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, 1, &zero));
    add_statement(g, body, define_node(y, array, list_of(y, 1, &bracket), NULL, first.name));
    const int64_t count = between(&g->random, 2, 4);
    const struct ast *place =
        binding_node(y, l, range_node(y, integer_node(y, 1), integer_node(y, count), false));
    struct image level = first;
    const struct ast *before =
        binary_node(y, OPERATOR_SUBTRACT, name_node(y, l), integer_node(y, 1));
    level.name = member(g, array, before);
    level.interval = scalar_info[level.element].interval;
    for (unsigned k = 0; k < level.rank; k++)
        level.axis[k].can_extend = false;
    /* Pointwise and near reads of the level before, at its own axes. */
    struct body inner = *body;
    inner.images.item = &level;
    inner.images.count = 1;
    struct stage_scope s = {.body = &inner, .rank = first.rank, .terms = 1, .budget = 10};
    const struct ast *axis[MOST_AXES] = {NULL};
    for (unsigned k = 0; k < first.rank; k++) {
        s.axis[k] =
            (struct stage_axis_model){.name = first.axis[k].name, .grid = first.axis[k].grid};
        axis[k] = name_node(y, first.axis[k].name);
    }
    struct typed index = {
        .ast = name_node(y, l), .class = CLASS_INTEGER, .interval = {1, count - 1}};
    index.constant = true;
    VECTOR_PUSH(y->arena, &s.locals, index);
    struct typed value =
        first.element == SCALAR_BOOL ? generate_truth(g, &s, 2) : generate_number(g, &s, 3);
    settle_boxes(g, &s, &value);
    value = fit(g, value, first.element);
    add_statement(g, body,
                  define_node(y, array, two_brackets(g, place, list_of(y, first.rank, axis)),
                              scalar_type_node(y, first.element), value.ast));
    for (int64_t i = 1; i < count; i++) {
        struct image made = level;
        made.name = member(g, array, integer_node(y, i));
        for (unsigned k = 0; k < made.rank; k++)
            made.axis[k].can_extend = false;
        keep_image(g, body, made);
    }
}

/* for k in 0 ..< n { r[k][axes] = …; } */
static void add_loop(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct symbol *array = fresh_name(g, "r"), *k = fresh_name(g, "q");
    const int64_t first = between(&g->random, 0, 2), count = between(&g->random, 1, 3);
    const struct ast *place = name_node(y, k);
    const struct typed index = {.ast = place,
                                .class = CLASS_INTEGER,
                                .interval = {first, first + count - 1},
                                .constant = true};
    struct made_stage made = make_stage(g, body, true, &index);
    const enum scalar element = declared_element(g, made.value);
    made.value = fit(g, made.value, element);
    model_image(g, &made, element);
    made.image.interval = scalar_info[element].interval;
    const struct ast *define = define_node(y, array, two_brackets(g, place, made.axes),
                                           scalar_type_node(y, element), made.value.ast);
    const struct ast *range =
        range_node(y, integer_node(y, first), integer_node(y, first + count), false);
    add_statement(
        g, body,
        NODE(.kind = AST_FOR, .as.loop = {binding_node(y, k, range), list_of(y, 1, &define)}));
    for (int64_t i = first; i < first + count; i++) {
        struct image image = made.image;
        /* Each member's stage has a box of its own where the range is written. */
        for (unsigned a = 0; a < image.rank; a++)
            image.axis[a].can_extend = false;
        image.name = member(g, array, integer_node(y, i));
        keep_image(g, body, image);
    }
}

/* Half the resolution by the standard library's pyramid. */
static bool add_library_call(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct symbol *axis_y = word(y, "y"), *axis_x = word(y, "x");
    for (size_t i = body->images.count; i-- > 0;) {
        const struct image *image = &body->images.item[i];
        if (image->rank != 2 || image->axis[0].name != axis_y || image->axis[1].name != axis_x ||
            image->element == SCALAR_BOOL)
            continue;
        g->imports_pyramid = true;
        const struct ast *argument =
            image->element == SCALAR_F32 ? image->name : call_node(y, "f32", 1, &image->name);
        struct image result = *image;
        result.element = SCALAR_F32;
        const struct symbol *name = fresh_name(g, "s");
        for (unsigned k = 0; k < 2; k++) {
            result.axis[k].grid = new_grid(g, true, (struct interval){0, INT32_MAX});
            result.axis[k].can_extend = false;
        }
        add_statement(g, body,
                      define_node(y, name, NULL, NULL, call_node(y, "down", 1, &argument)));
        result.name = name_node(y, name);
        keep_image(g, body, result);
        return true;
    }
    return false;
}

/* ---- Filters ---- */

static void add_statement_of_any_kind(struct generator *g, struct body *body)
{
    const unsigned kind = below(&g->random, 100);
    if (kind < 12 && add_lifted(g, body))
        return;
    if (kind < 32 && add_call(g, body))
        return;
    if (kind < 38) {
        add_levels(g, body);
        return;
    }
    if (kind < 43) {
        add_loop(g, body);
        return;
    }
    if (kind < 46 && add_library_call(g, body))
        return;
    keep_image(g, body, add_stage(g, body, fresh_name(g, "s")));
}

/* The result: a stage, or images named as they are. */
static struct image add_result(struct generator *g, struct body *body, const struct symbol *name)
{
    struct image image;
    struct typed value;
    const unsigned kind = below(&g->random, 100);
    if (kind < 8 && make_lifted(g, body, &image, &value)) {
        add_statement(g, body, define_node(&g->s, name, NULL, NULL, value.ast));
        return image;
    }
    if (kind < 14 && generate_call(g, body, &image) && image.rank > 0) {
        add_statement(g, body, define_node(&g->s, name, NULL, NULL, image.name));
        return image;
    }
    if (kind < 17 && body->is_main) {
        image = body->images.item[body->images.count - 1];
        if (image.rank > 0) {
            add_statement(g, body, define_node(&g->s, name, NULL, NULL, image.name));
            return image;
        }
    }
    struct made_stage made = make_stage(g, body, !body->is_main || chance(&g->random, 90), NULL);
    const enum scalar element = declared_element(g, made.value);
    made.value = fit(g, made.value, element);
    const struct ast *bracket = made.axes ? NODE(.kind = AST_LIST, .as.list = made.axes) : NULL;
    add_statement(
        g, body,
        define_node(&g->s, name, list_of(&g->s, bracket != NULL, &bracket), NULL, made.value.ast));
    model_image(g, &made, element);
    return made.image;
}

static const struct ast *make_filter(struct generator *g, const struct symbol *name, bool is_main)
{
    const struct syntax *y = &g->s;
    struct filter_model *model = ARENA_NEW(y->arena, struct filter_model);
    struct body body = {.filter = model, .is_main = is_main};
    body.statements = ast_list(y->arena);
    g->awkward = 0;
    model->name = name;
    const unsigned pool = 2 + (chance(&g->random, 35) ? below(&g->random, AXIS_POOL - 1) : 0);
    const unsigned shape = below(&g->random, 100);
    const unsigned images = shape < 55 ? 1 : shape < 85 ? 2 : 3;
    for (unsigned i = 0; i < images; i++)
        add_image_formal(g, &body, pool);
    for (unsigned i = below(&g->random, 3); i > 0; i--)
        add_scalar_formal(g, &body);
    choose_default_rule(g, &body);
    for (unsigned i = below(&g->random, 3); i > 0; i--)
        add_constant_array(g, &body);
    if (chance(&g->random, 20))
        add_constant(g, &body);
    if (chance(&g->random, 10))
        add_requirement(g, &body);
    for (unsigned i = below(&g->random, is_main ? 5 : 3); i > 0; i--)
        add_statement_of_any_kind(g, &body);
    const struct symbol *out = chance(&g->random, 80) ? word(y, "out") : fresh_name(g, "o");
    struct image result = add_result(g, &body, out);
    model->result = result;
    const struct ast *type = result.rank > 0 || chance(&g->random, 50)
                                 ? image_type(g, &result)
                                 : scalar_type_node(y, result.element);
    const struct ast *formal =
        NODE(.kind = AST_FORMAL, .as.formal = {.role = FORMAL_IMAGE, .name = out, .type = type});
    struct ast_list *formals = ast_list(y->arena);
    for (size_t i = 0; i < model->formals.count; i++)
        ast_list_add(y->arena, formals, model->formals.item[i].node);
    if (!is_main)
        VECTOR_PUSH(y->arena, &g->filters, model);
    return NODE(.kind = AST_FILTER, .as.filter = {.name = name,
                                                  .formals = formals,
                                                  .results = list_of(y, 1, &formal),
                                                  .body = body.statements});
}

const struct module *generate_module(struct session *session, uint64_t seed, const char *suffix)
{
    struct generator g = {
        .session = session, .s = {session->permanent, &session->symbols}, .random = seed};
    struct ast_list *filters = ast_list(g.s.arena), *items = ast_list(g.s.arena);
    const unsigned shape = below(&g.random, 100);
    const unsigned helpers = shape < 55 ? 0 : shape < 85 ? 1 : 2;
    for (unsigned i = 0; i < helpers; i++)
        ast_list_add(g.s.arena, filters,
                     make_filter(&g, symbol_format(g.s.symbols, "helper%u", i), false));
    ast_list_add(g.s.arena, filters,
                 make_filter(&g, symbol_format(g.s.symbols, "fuzz%s", suffix), true));
    if (g.imports_pyramid)
        ast_list_add(g.s.arena, items,
                     AST_NEW(g.s.arena, ((struct span){0, 0}), .kind = AST_IMPORT,
                             .as.import = {word(&g.s, "std.pyramid"), true}));
    for (size_t i = 0; i < filters->count; i++)
        ast_list_add(g.s.arena, items, filters->item[i]);
    struct module *module = ARENA_NEW(g.s.arena, struct module);
    module->items = items;
    return module;
}
