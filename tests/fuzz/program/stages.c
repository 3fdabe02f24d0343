/* Random stages: their axes and boxes, and the reads that tell a box; expressions of whole
 * images. */
#include "program/operators.h"

const struct grid *new_grid(struct generator *g, bool starts_at_zero, struct interval at)
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

/* The axis at the end changes places with that one. */
static void move_axis(struct stage_scope *s, const struct ast *item[], unsigned to)
{
    const struct stage_axis_model axis = s->axis[s->rank];
    const struct ast *node = item[s->rank];
    s->axis[s->rank] = s->axis[to];
    item[s->rank] = item[to];
    s->axis[to] = axis;
    item[to] = node;
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
            move_axis(s, item, below(&g->random, s->rank + 1));
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
bool give_boxes(struct generator *g, struct stage_scope *s, struct typed *value)
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

enum scalar natural_element(struct typed value)
{
    return value.class == CLASS_BOOL    ? SCALAR_BOOL
           : value.class == CLASS_FLOAT ? value.scalar
                                        : scalar_holding(value.interval);
}

/* A type that a stage may be declared with. */
enum scalar declared_element(struct generator *g, struct typed value)
{
    static const enum scalar real[8] = {SCALAR_F32, SCALAR_F32, SCALAR_F32, SCALAR_F32,
                                        SCALAR_F32, SCALAR_F64, SCALAR_F64, SCALAR_F16};
    if (value.class != CLASS_INTEGER)
        return value.class == CLASS_BOOL ? SCALAR_BOOL : real[below(&g->random, 8)];
    return chance(&g->random, 60) ? natural_element(value)
                                  : (enum scalar)(SCALAR_U8 + below(&g->random, 9));
}

const struct image *lead_image(struct generator *g, const struct body *body)
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

void open_stage(struct generator *g, struct stage_scope *s, const struct ast *item[])
{
    choose_stage_axes(g, s, lead_image(g, s->body), item);
}

void close_axes(struct image *image)
{
    for (unsigned k = 0; k < image->rank; k++)
        image->axis[k].can_extend = false;
}

void model_image(struct generator *g, struct made_stage *made, enum scalar element)
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

/* select(k == 1, value, …) along an axis of few samples. */
static struct typed choose_by_place(struct generator *g, struct stage_scope *s, struct typed value)
{
    static const enum ast_operator compare[] = {OPERATOR_EQUAL, OPERATOR_LESS, OPERATOR_LESS_EQUAL,
                                                OPERATOR_NOT_EQUAL};
    for (unsigned k = 0; k < s->rank; k++) {
        struct stage_axis_model *axis = &s->axis[k];
        const struct interval at = axis->grid->coordinate;
        if (!axis->written || at.greatest - at.least > 4 || value.class == CLASS_BOOL ||
            !chance(&g->random, 60))
            continue;
        const struct ast *name = name_node(&g->s, axis->name);
        const struct ast *place = integer_node(&g->s, between(&g->random, at.least, at.greatest));
        const struct ast *condition =
            binary_node(&g->s, compare[below(&g->random, 4)], name, place);
        axis->as_value = true;
        value = chosen(g, typed_truth(condition), value, generate_number(g, s, 2));
    }
    return value;
}

/* [axes] and value of a new stage. Its element type is value's natural one, or `element`. */
struct made_stage make_stage(struct generator *g, struct body *body, bool is_result,
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
            open_stage(g, s, item);
        const int depth = 1 + (int)below(&g->random, 4);
        made.value =
            chance(&g->random, 88) ? generate_number(g, s, depth) : generate_truth(g, s, depth);
        made.value = choose_by_place(g, s, made.value);
        const bool good = give_boxes(g, s, &made.value);
        made.axes = scalar ? NULL : list_of(&g->s, s->rank, item);
        if (good)
            break;
    }
    return made;
}

struct image add_stage(struct generator *g, struct body *body, const struct symbol *name)
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
bool make_lifted(struct generator *g, struct body *body, struct image *image, struct typed *value)
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

void keep_image(struct generator *g, struct body *body, struct image image)
{
    VECTOR_PUSH(g->s.arena, &body->images, image);
}

bool add_lifted(struct generator *g, struct body *body)
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

bool add_call(struct generator *g, struct body *body)
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
