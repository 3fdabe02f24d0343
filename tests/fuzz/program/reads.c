/* Random reads of images and constant arrays: indices of every kind, and border rules for what may
 * leave the box. */
#include "program/generator.h"

int find_axis(const struct stage_scope *s, const struct symbol *name)
{
    for (unsigned i = 0; i < s->rank; i++)
        if (s->axis[i].name == name)
            return (int)i;
    return -1;
}

/* What an index needs. */
struct place {
    const struct ast *ast;
    bool inside; /* surely, so that no rule is needed */
    bool affine; /* rules extend and valid can follow it */
};

static const struct ast *plus(struct generator *g, const struct ast *a, int64_t c)
{
    if (c == 0)
        return a;
    return binary_node(&g->s, c < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, a,
                       integer_node(&g->s, c < 0 ? -c : c));
}

/* An integer parameter or constant of a small range, or NULL. */
static const struct ast *small_scalar(struct generator *g, const struct body *body)
{
    for (int i = 0; i < 4 && body->scalars.count; i++) {
        const struct typed *v =
            &body->scalars.item[below(&g->random, (unsigned)body->scalars.count)];
        if (v->class == CLASS_INTEGER && v->interval.least >= -20 && v->interval.greatest <= 20)
            return v->ast;
    }
    return NULL;
}

/* The coordinate plus constants, parameters and reduction variables. */
static struct place near_place(struct generator *g, struct stage_scope *s,
                               struct stage_axis_model *axis)
{
    const struct syntax *y = &g->s;
    const struct ast *at = name_node(y, axis->name);
    axis->simple_read = true;
    if (s->window) {
        const unsigned a = (unsigned)(axis - s->axis);
        if (a + 2 >= s->rank)
            at = binary_node(y, OPERATOR_ADD, at, s->range[s->window + a + 1 - s->rank].ast);
        return (struct place){at, false, true};
    }
    const unsigned kind = below(&g->random, 100);
    if (s->ranges && kind < 60) {
        const struct ast *d = s->range[below(&g->random, s->ranges)].ast;
        if (chance(&g->random, 15))
            d = binary_node(y, OPERATOR_MULTIPLY, integer_node(y, between(&g->random, 2, 3)), d);
        at = binary_node(y, chance(&g->random, 80) ? OPERATOR_ADD : OPERATOR_SUBTRACT, at, d);
        return (struct place){plus(g, at, chance(&g->random, 20) ? between(&g->random, -2, 2) : 0),
                              false, true};
    }
    if (kind < 50)
        return (struct place){at, !axis->written, true};
    if (kind < 85) {
        const int64_t c = between(&g->random, 1, 3);
        return (struct place){plus(g, at, chance(&g->random, 50) ? c : -c), false, true};
    }
    if (kind < 92)
        return (struct place){plus(g, at, between(&g->random, -60, 60)), false, true};
    const struct ast *p = small_scalar(g, s->body);
    if (p && !s->is_valid)
        return (struct place){
            binary_node(y, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT, at, p), false,
            true};
    return (struct place){at, !axis->written, true};
}

static struct typed sample_of(const struct ast *ast, const struct image *image,
                              struct interval interval)
{
    const enum scalar_class class = scalar_info[image->element].class;
    return (struct typed){
        .ast = ast, .class = class, .scalar = image->element, .interval = interval};
}

/* An integer stage without axes; NULL: there is none. */
static const struct image *single_number(const struct stage_scope *s)
{
    for (size_t i = s->body->images.count; i-- > 0;) {
        const struct image *image = &s->body->images.item[i];
        if (image->rank == 0 && scalar_is_integer(image->element))
            return image;
    }
    return NULL;
}

/* Any integer, held near the image, with the coordinate in it where the image has that axis. */
static struct place gather_place(struct generator *g, struct stage_scope *s, int depth,
                                 const struct image *image, const struct image_axis *of,
                                 const struct ast *coordinate)
{
    const struct syntax *y = &g->s;
    struct typed value = {0};
    const struct image *number = coordinate && chance(&g->random, 30) ? single_number(s) : NULL;
    if (number)
        value = narrow(g, sample_of(number->name, number, number->interval));
    /* One that can only be one value is a constant, which tells a box. */
    if (number && value.interval.least < value.interval.greatest) {
        s->depends |= number->depends;
        return (struct place){binary_node(y, OPERATOR_ADD, coordinate, value.ast), false, false};
    }
    if (depth > 0)
        value = generate_integer(g, s, depth - 1);
    else
        value = s->ranges ? s->range[below(&g->random, s->ranges)]
                          : typed_integer(g, below(&g->random, 5));
    if (coordinate) {
        if (value.interval.greatest > (int64_t)1 << 40 ||
            value.interval.least < -((int64_t)1 << 40))
            value = narrow(g, value);
        value.ast = binary_node(y, OPERATOR_ADD, coordinate, value.ast);
    }
    if (of->grid->starts_at_zero && image->rank && chance(&g->random, 40)) {
        const struct ast *const three[3] = {value.ast, integer_node(y, 0),
                                            plus(g, field_node(y, image->name, of->name), -1)};
        return (struct place){call_node(y, "clamp", 3, three), chance(&g->random, 60), false};
    }
    if (chance(&g->random, 50)) {
        const struct ast *low = integer_node(y, between(&g->random, -9, 2));
        const struct ast *high = integer_node(y, between(&g->random, 3, 50));
        const struct ast *const three[3] = {value.ast, low, high};
        return (struct place){call_node(y, "clamp", 3, three), false, false};
    }
    return (struct place){
        binary_node(y, OPERATOR_REMAINDER, value.ast, integer_node(y, between(&g->random, 1, 30))),
        false, false};
}

/* Multiples and quotients of the coordinate. */
static struct place scaled_place(struct generator *g, const struct image *image,
                                 const struct stage_axis_model *axis)
{
    const struct syntax *y = &g->s;
    const struct ast *at = name_node(y, axis->name);
    const struct ast *two = integer_node(y, between(&g->random, 2, 3));
    switch (below(&g->random, 5)) {
    case 0:
        at = plus(g, binary_node(y, OPERATOR_MULTIPLY, two, at), between(&g->random, -2, 2));
        break;
    case 1:
        at = binary_node(y, OPERATOR_DIVIDE, at, two);
        break;
    case 2:
        at = plus(g, binary_node(y, OPERATOR_MULTIPLY, integer_node(y, 3), at), 1);
        at = binary_node(y, OPERATOR_DIVIDE, parentheses_node(y, at), two);
        break;
    case 3:
        at = binary_node(y, OPERATOR_DIVIDE,
                         parentheses_node(y, plus(g, at, between(&g->random, -3, 3))), two);
        break;
    default:
        at = binary_node(y, OPERATOR_SUBTRACT, plus(g, field_node(y, image->name, axis->name), -1),
                         at);
        return (struct place){at, false, false};
    }
    return (struct place){at, false, true};
}

/* Over thousands of samples. Along two axes of an image, a stage that extends so far has millions,
 * which takes minutes to interpret: extend follows such ranges along the first axis alone. */
static bool is_far(const struct typed *range)
{
    return range->interval.greatest == MOST_OF_LONG - 1;
}

/* Along an axis that the stage does not have. */
static struct place foreign_place(struct generator *g, struct stage_scope *s, int depth,
                                  const struct image *image, const struct image_axis *of)
{
    const struct syntax *y = &g->s;
    if (s->ranges && chance(&g->random, 60)) {
        const struct typed *d = &s->range[below(&g->random, s->ranges)];
        const int64_t offset = chance(&g->random, 20) ? between(&g->random, -1, 2) : 0;
        return (struct place){plus(g, d->ast, offset), false, of == image->axis || !is_far(d)};
    }
    for (unsigned i = 0; i < s->rank && chance(&g->random, 30); i++) {
        bool shared = false;
        for (unsigned k = 0; k < image->rank; k++)
            shared = shared || image->axis[k].name == s->axis[i].name;
        if (s->axis[i].written && !shared) {
            s->axis[i].bare = true;
            return (struct place){name_node(y, s->axis[i].name), false, true};
        }
    }
    if (chance(&g->random, 20))
        return (struct place){plus(g, field_node(y, image->name, of->name), -1), false, true};
    (void)depth;
    const int64_t c = chance(&g->random, 60) ? 0 : between(&g->random, -2, 12);
    return (struct place){integer_node(y, c), c == 0 && of->grid->starts_at_zero, true};
}

static struct place any_place(struct generator *g, struct stage_scope *s, int depth,
                              const struct image *image, const struct image_axis *of)
{
    const int a = find_axis(s, of->name);
    if (a < 0)
        return foreign_place(g, s, depth, image, of);
    struct stage_axis_model *axis = &s->axis[a];
    if ((axis->grid == of->grid || axis->written || s->is_valid) &&
        (s->is_valid || s->window || chance(&g->random, axis->written ? 65 : 85)))
        return near_place(g, s, axis);
    if (chance(&g->random, 70))
        return scaled_place(g, image, axis);
    return gather_place(g, s, depth, image, of, name_node(&g->s, axis->name));
}

/* ---- Rules ---- */

static const char *simple_rule(struct generator *g)
{
    static const char *const rule[] = {"zero",       "clamp",     "reflect",     "reflect101",
                                       "wrap",       "zero",      "clamp",       "reflect",
                                       "reflect101", "wrap",      "nearest",     "edge",
                                       "mirror",     "replicate", "repeat_edge", "repeat_image"};
    return rule[below(&g->random, sizeof rule / sizeof rule[0])];
}

/* constant(v) of the element type. */
static const struct ast *constant_rule(struct generator *g, enum scalar element,
                                       struct interval *outside)
{
    const struct syntax *y = &g->s;
    int64_t v = between(&g->random, 0, 100);
    if (element == SCALAR_BOOL)
        return rule_node(y, "constant", boolean_node(y, v % 2));
    if (scalar_is_float(element) && v % 2)
        return rule_node(y, "constant", real_node(y, (double)v / 8));
    if (scalar_info[element].interval.least < 0 || scalar_is_float(element))
        v = chance(&g->random, 30) ? -v : v;
    *outside = hull(*outside, (struct interval){v, v});
    return rule_node(y, "constant", integer_node(y, v));
}

const struct ast *generate_rule(struct generator *g, const struct image *image,
                                struct interval *outside)
{
    const struct syntax *y = &g->s;
    if (chance(&g->random, 15))
        return constant_rule(g, image->element, outside);
    if (image->rank == 0 || chance(&g->random, 85)) {
        const char *name = simple_rule(g);
        if (strcmp(name, "zero") == 0)
            *outside = hull(*outside, (struct interval){0, 0});
        return rule_node(y, name, NULL);
    }
    const struct ast *rule[MOST_AXES];
    for (unsigned i = 0; i < image->rank; i++) {
        const struct ast *one = chance(&g->random, 15) ? constant_rule(g, image->element, outside)
                                                       : rule_node(y, simple_rule(g), NULL);
        rule[i] = named_node(y, image->axis[i].name, one);
    }
    *outside = hull(*outside, (struct interval){0, 0});
    return NODE(.kind = AST_RULE, .as.rule = {NULL, list_of(y, image->rank, rule)});
}

bool default_covers(const struct body *body, const struct image *image)
{
    const struct ast *rule = body->default_rule;
    if (!rule || (body->default_is_constant && image->element == SCALAR_BOOL))
        return false;
    for (unsigned k = 0; !rule->as.rule.name && k < image->rank; k++) {
        bool found = false;
        for (size_t i = 0; i < rule->as.rule.arguments->count; i++)
            found = found || rule->as.rule.arguments->item[i]->as.named.name == image->axis[k].name;
        if (!found)
            return false;
    }
    return true;
}

/* The read with a rule of its own where it needs one or for a change. */
static const struct ast *with_rule(struct generator *g, struct stage_scope *s,
                                   const struct ast *read, const struct image *image,
                                   const struct place place[], struct interval *outside)
{
    bool inside = true, affine = true, extends = image->rank > 0;
    for (unsigned k = 0; k < image->rank; k++) {
        inside = inside && place[k].inside;
        affine = affine && place[k].affine;
        extends = extends && image->axis[k].can_extend;
    }
    const bool covered = default_covers(s->body, image);
    const bool waits = !s->body->is_main && !s->body->default_rule && !inside && affine &&
                       image->element != SCALAR_BOOL && chance(&g->random, 50);
    if (waits)
        s->body->filter->needs_rule = s->body->filter->takes_rule = true;
    *outside = image->interval;
    if (s->body->default_is_constant)
        *outside = hull(*outside, (struct interval){-100, 100});
    *outside = hull(*outside, (struct interval){0, 0});
    const struct ast *rule = NULL;
    if (s->is_valid && (!inside || chance(&g->random, 50)) && chance(&g->random, 80))
        rule = rule_node(&g->s, "valid", NULL);
    else if (extends && affine && chance(&g->random, 30))
        rule = rule_node(&g->s, "extend", NULL);
    else if ((!inside && !covered && !waits) || (image->is_line && !affine) ||
             chance(&g->random, 12))
        rule = generate_rule(g, image, outside);
    const char *name = rule && rule->as.rule.name ? rule->as.rule.name->text : "";
    const bool bare = rule ? strcmp(name, "valid") == 0 : !covered;
    for (unsigned k = 0; k < image->rank; k++) {
        const int a = find_axis(s, image->axis[k].name);
        if (a >= 0 && bare)
            s->axis[a].bare = true;
    }
    if (waits)
        *outside = hull(*outside, (struct interval){-100, 100});
    return rule ? bordered_node(&g->s, read, rule) : read;
}

/* ---- Reads ---- */

struct typed plain_read(struct generator *g, struct stage_scope *s, const struct image *image)
{
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++) {
        const int a = find_axis(s, image->axis[k].name);
        index[k] = name_node(&g->s, image->axis[k].name);
        if (a >= 0) {
            s->axis[a].simple_read = true;
            s->axis[a].bare = true;
        }
    }
    s->depends |= image->depends;
    return sample_of(index_node(&g->s, image->name, list_of(&g->s, image->rank, index)), image,
                     image->interval);
}

static bool fits_valid(const struct stage_scope *s, const struct image *image)
{
    for (unsigned k = 0; k < image->rank; k++)
        if (find_axis(s, image->axis[k].name) < 0)
            return false;
    return true;
}

static struct typed read_image(struct generator *g, struct stage_scope *s, int depth,
                               const struct image *image)
{
    s->depends |= image->depends;
    if (image->rank == 0)
        return sample_of(image->name, image, image->interval);
    struct place place[MOST_AXES];
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++) {
        place[k] = any_place(g, s, depth, image, &image->axis[k]);
        index[k] = place[k].ast;
    }
    const struct ast *read = index_node(&g->s, image->name, list_of(&g->s, image->rank, index));
    struct interval outside;
    read = with_rule(g, s, read, image, place, &outside);
    return sample_of(read, image, outside);
}

/* An element of a constant array at reduction variables that stay inside it, or anywhere under a
 * rule. */
static struct typed read_array(struct generator *g, struct stage_scope *s,
                               const struct constant_array *array)
{
    const struct syntax *y = &g->s;
    const struct ast *index[2];
    bool inside = true;
    for (unsigned k = 0; k < array->rank; k++) {
        const struct typed *best = NULL;
        for (unsigned i = 0; i < s->ranges; i++)
            if (s->range[i].interval.least >= array->first[k] &&
                s->range[i].interval.greatest < array->first[k] + array->extent[k] &&
                (!best || chance(&g->random, 50)))
                best = &s->range[i];
        if (best) {
            index[k] = best->ast;
        } else if (s->ranges && chance(&g->random, 50)) {
            index[k] = s->range[below(&g->random, s->ranges)].ast;
            inside = false;
        } else {
            index[k] = integer_node(y, array->first[k] +
                                           (int64_t)below(&g->random, (unsigned)array->extent[k]));
        }
    }
    const struct ast *read =
        index_node(y, name_node(y, array->name), list_of(y, array->rank, index));
    if (!inside)
        read = bordered_node(y, read, rule_node(y, simple_rule(g), NULL));
    return (struct typed){.ast = read,
                          .class = scalar_info[array->element].class,
                          .scalar = array->element,
                          .interval = hull(array->interval, (struct interval){0, 0}),
                          .untyped = array->untyped};
}

bool generate_read(struct generator *g, struct stage_scope *s, int depth, struct typed *result)
{
    const struct body *body = s->body;
    if (s->scalar_only)
        return false;
    if (body->arrays.count && !s->is_lifted && chance(&g->random, s->ranges ? 30 : 5)) {
        *result =
            read_array(g, s, &body->arrays.item[below(&g->random, (unsigned)body->arrays.count)]);
        return true;
    }
    for (int i = 0; i < 4 && body->images.count; i++) {
        /* Later images are read more often. */
        const unsigned count = (unsigned)body->images.count;
        const unsigned a = below(&g->random, count), b = below(&g->random, count);
        const struct image *image = &body->images.item[a > b ? a : b];
        if (s->is_lifted) {
            if (!can_lift(s, image))
                continue;
            use_lifted(s, image);
            *result = sample_of(image->name, image, image->interval);
            return true;
        }
        if (s->is_valid && !fits_valid(s, image))
            continue;
        *result = read_image(g, s, depth, image);
        return true;
    }
    return false;
}
