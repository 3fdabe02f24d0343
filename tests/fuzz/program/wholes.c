/* Random images of images: transpose, flip, rename, stack; transforms; complex ones; arrays of
 * arrays, whole arrays by another name. */
#include "program/generator.h"

static const struct image *any_image(struct generator *g, const struct body *body)
{
    return &body->images.item[below(&g->random, (unsigned)body->images.count)];
}

/* An axis name that the image has not, or NULL. */
static const struct symbol *other_axis(struct generator *g, const struct image *image)
{
    for (int i = 0; i < 4; i++) {
        const struct symbol *name = word(&g->s, axis_pool[below(&g->random, AXIS_POOL)]);
        bool known = false;
        for (unsigned k = 0; k < image->rank; k++)
            known = known || image->axis[k].name == name;
        if (!known)
            return name;
    }
    return NULL;
}

static const struct ast *axes_list(struct generator *g, unsigned count,
                                   const struct image_axis axis[])
{
    const struct ast *name[MOST_AXES];
    for (unsigned i = 0; i < count; i++)
        name[i] = name_node(&g->s, axis[i].name);
    return NODE(.kind = AST_LIST, .as.list = list_of(&g->s, count, name));
}

static const struct ast *turned(struct generator *g, struct image *image)
{
    const struct syntax *y = &g->s;
    const unsigned a = below(&g->random, image->rank), b = below(&g->random, image->rank);
    const struct ast *argument[2] = {image->name};
    if (a == b || chance(&g->random, 40)) { /* flip leaves the boxes as they are */
        const bool all = chance(&g->random, 50);
        argument[1] = axes_list(g, 1, &image->axis[a]);
        return call_node(y, "flip", all ? 1 : 2, argument);
    }
    const struct image_axis pair[2] = {image->axis[a], image->axis[b]};
    argument[1] = axes_list(g, 2, pair);
    image->axis[a].grid = pair[1].grid;
    image->axis[b].grid = pair[0].grid;
    return call_node(y, "transpose", image->rank == 2 && chance(&g->random, 50) ? 1 : 2, argument);
}

static const struct ast *renamed(struct generator *g, struct body *body, struct image *image)
{
    const struct syntax *y = &g->s;
    const unsigned k = below(&g->random, image->rank);
    const struct symbol *name = other_axis(g, image);
    if (!name)
        return NULL;
    const struct ast *argument[2] = {image->name,
                                     named_node(y, image->axis[k].name, name_node(y, name))};
    image->axis[k].name = name;
    note_axis(body, name);
    return call_node(y, "rename", 2, argument);
}

static bool same_axes(const struct image *a, const struct image *b)
{
    bool same = a->rank == b->rank;
    for (unsigned k = 0; same && k < a->rank; k++)
        same = a->axis[k].name == b->axis[k].name && a->axis[k].grid == b->axis[k].grid;
    return same;
}

static const struct ast *stacked(struct generator *g, struct body *body, struct image *image)
{
    enum { MOST = 4 };
    const struct ast *item[MOST] = {image->name};
    const struct symbol *name = other_axis(g, image);
    unsigned count = 1;
    if (!name || image->rank > 3)
        return NULL;
    for (int i = 0; i < 6 && count < MOST; i++) {
        const struct image *other = any_image(g, body);
        if (other->element != image->element || !same_axes(other, image))
            continue;
        image->interval = hull(image->interval, other->interval);
        image->depends |= other->depends;
        item[count++] = other->name;
    }
    const struct ast *argument[2] = {NODE(.kind = AST_LIST, .as.list = list_of(&g->s, count, item)),
                                     name_node(&g->s, name)};
    image->axis[image->rank++] =
        (struct image_axis){name, new_grid(g, true, (struct interval){0, count - 1}), false};
    note_axis(body, name);
    if (scalar_is_integer(image->element))
        image->element = scalar_holding(image->interval);
    return call_node(&g->s, "stack", 2, argument);
}

bool add_other_axes(struct generator *g, struct body *body)
{
    struct image image = *any_image(g, body);
    if (image.rank == 0)
        return false;
    for (unsigned k = 0; k < image.rank; k++)
        image.axis[k].can_extend = false;
    const unsigned kind = below(&g->random, 100);
    const struct ast *call = kind < 50   ? turned(g, &image)
                             : kind < 70 ? renamed(g, body, &image)
                                         : stacked(g, body, &image);
    if (!call)
        return false;
    if (scalar_is_integer(image.element)) /* a stage is as narrow as its samples */
        image.element = scalar_holding(image.interval);
    const struct symbol *name = fresh_name(g, "t");
    add_statement(g, body, define_node(&g->s, name, NULL, NULL, call));
    image.name = name_node(&g->s, name);
    keep_image(g, body, image);
    return true;
}

/* Some axes of the image, in any order; how many. */
static unsigned some_axes(struct generator *g, const struct image *image, struct image_axis axis[])
{
    unsigned count = 0;
    const unsigned start = below(&g->random, image->rank);
    for (unsigned i = 0; i < image->rank; i++)
        if (i == 0 || chance(&g->random, 60))
            axis[count++] = image->axis[(start + i) % image->rank];
    return count;
}

/* dct(a, [y, x], type = 3, norm = ortho), or transform(a, (y: dct3, x: idxst), norm = none) */
static const struct ast *real_transform(struct generator *g, const struct ast *image,
                                        unsigned count, const struct image_axis axis[])
{
    static const char *const norms[] = {"none", "ortho", "inverse"};
    static const char *const kinds[] = {"dct2", "dct3", "dct4",  "dst1", "dst2",
                                        "dst3", "dst4", "idxst", "dct1"};
    static const char *const functions[] = {"dct", "dst", "idxst"};
    const struct syntax *y = &g->s;
    const struct ast *norm =
        named_node(y, word(y, "norm"), name_node(y, word(y, norms[below(&g->random, 3)])));
    if (chance(&g->random, 50)) {
        const struct ast *item[MOST_AXES];
        for (unsigned i = 0; i < count; i++) {
            const char *kind = kinds[below(&g->random, chance(&g->random, 5) ? 9 : 8)];
            const struct ast *rule =
                NODE(.kind = AST_RULE, .as.rule = {word(y, kind), list_of(y, 0, NULL)});
            item[i] = named_node(y, axis[i].name, rule);
        }
        const struct ast *argument[3] = {
            image, NODE(.kind = AST_RULE, .as.rule = {NULL, list_of(y, count, item)}), norm};
        return call_node(y, "transform", 3, argument);
    }
    const unsigned f = below(&g->random, 3);
    const struct ast *type =
        named_node(y, word(y, "type"), integer_node(y, between(&g->random, 2, 4)));
    const struct ast *argument[4] = {image, axes_list(g, count, axis), norm, type};
    return call_node(y, functions[f], f < 2 ? 4 : 3, argument);
}

/* t = dct(a, …);   z = fft(a, [y, x]);  t[axes] : f32 = abs(z[axes]); */
bool add_transform(struct generator *g, struct body *body)
{
    static const char *const part[] = {"re", "im", "abs"};
    const struct syntax *y = &g->s;
    struct image image = *any_image(g, body);
    struct image_axis axis[MOST_AXES];
    if (image.rank == 0 || image.element == SCALAR_BOOL || image.element == SCALAR_I64)
        return false;
    const struct ast *argument = image.name;
    if (scalar_is_integer(image.element))
        argument = call_node(y, "f32", 1, &argument);
    image.element = image.element == SCALAR_F64 ? SCALAR_F64 : SCALAR_F32;
    image.interval = scalar_info[image.element].interval;
    image.is_line = false;
    for (unsigned k = 0; k < image.rank; k++)
        image.axis[k].can_extend = false;
    const unsigned count = some_axes(g, &image, axis);
    for (unsigned i = 0; i < count; i++) /* frequencies begin at 0 */
        if (!axis[i].grid->starts_at_zero)
            return false;
    const struct symbol *name = fresh_name(g, "t");
    if (chance(&g->random, 60)) {
        add_statement(g, body,
                      define_node(y, name, NULL, NULL, real_transform(g, argument, count, axis)));
    } else {
        const struct symbol *spectrum = fresh_name(g, "z");
        const struct ast *both[2] = {argument, axes_list(g, count, axis)}, *at[MOST_AXES];
        add_statement(g, body,
                      define_node(y, spectrum, NULL, NULL,
                                  call_node(y, chance(&g->random, 50) ? "fft" : "ifft", 2, both)));
        for (unsigned k = 0; k < image.rank; k++)
            at[k] = name_node(y, image.axis[k].name);
        const struct ast_list *axes = list_of(y, image.rank, at);
        const struct ast *read = index_node(y, name_node(y, spectrum), axes);
        const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = axes);
        add_statement(g, body,
                      define_node(y, name, list_of(y, 1, &bracket),
                                  scalar_type_node(y, image.element),
                                  call_node(y, part[below(&g->random, 3)], 1, &read)));
    }
    image.name = name_node(y, name);
    keep_image(g, body, image);
    return true;
}

/* A kernel of floats, or of whole numbers, with its axes: a constant array or an image; NULL: none
 * is there. */
static const struct ast *a_kernel(struct generator *g, struct body *body, unsigned most,
                                  unsigned *rank, enum scalar *element)
{
    if (body->arrays.count && chance(&g->random, 60)) {
        const struct constant_array *array =
            &body->arrays.item[below(&g->random, (unsigned)body->arrays.count)];
        *rank = array->rank;
        *element = array->element;
        return array->rank <= most && array->element != SCALAR_BOOL ? name_node(&g->s, array->name)
                                                                    : NULL;
    }
    const struct image *image = any_image(g, body);
    *rank = image->rank;
    *element = image->element;
    return image->rank > 0 && image->rank <= most && scalar_is_float(image->element) ? image->name
                                                                                     : NULL;
}

/* t = convolve(a, k, [x, y]) border (x: wrap, y: clamp), of floats */
bool add_convolution(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    struct image image = *any_image(g, body);
    struct interval outside = {0, 0};
    unsigned rank = 0;
    enum scalar element;
    if (image.rank == 0 || image.element == SCALAR_BOOL || image.element == SCALAR_I64 ||
        image.is_line)
        return false;
    const struct ast *kernel = a_kernel(g, body, image.rank, &rank, &element), *axis[MOST_AXES];
    if (!kernel)
        return false;
    const unsigned start = below(&g->random, image.rank);
    for (unsigned i = 0; i < rank; i++)
        axis[i] = name_node(y, image.axis[(start + i) % image.rank].name);
    const struct ast *in = image.name;
    if (scalar_is_integer(image.element))
        in = call_node(y, "f32", 1, &in);
    image.element = image.element == SCALAR_F64 || element == SCALAR_F64 ? SCALAR_F64 : SCALAR_F32;
    const struct ast *argument[3] = {in, kernel,
                                     NODE(.kind = AST_LIST, .as.list = list_of(y, rank, axis))};
    const struct ast *rule = generate_rule(g, &image, &outside);
    const struct symbol *name = fresh_name(g, "t");
    add_statement(g, body,
                  define_node(y, name, NULL, NULL,
                              bordered_node(y, call_node(y, "convolve", 3, argument), rule)));
    image.name = name_node(y, name);
    image.interval = scalar_info[image.element].interval;
    for (unsigned k = 0; k < image.rank; k++)
        image.axis[k].can_extend = false;
    keep_image(g, body, image);
    return true;
}

/* for k in 0 ..< n { r[k][l in 0 ..< m][axes] : type = …; }   w = r;   v = r[1]; */
void add_nested_array(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct symbol *array = fresh_name(g, "r"), *k = fresh_name(g, "q"),
                        *l = fresh_name(g, "l"), *whole = fresh_name(g, "w"),
                        *part = fresh_name(g, "m");
    const int64_t count = between(&g->random, 1, 2), inner = between(&g->random, 1, 2);
    const struct typed index = {.ast = name_node(y, k),
                                .class = CLASS_INTEGER,
                                .interval = {0, count - 1},
                                .constant = true};
    struct made_stage made = make_stage(g, body, true, &index);
    const enum scalar element = declared_element(g, made.value);
    made.value = fit(g, made.value, element);
    model_image(g, &made, element);
    made.image.interval = scalar_info[element].interval;
    const struct ast *first = name_node(y, k);
    const struct ast *second =
        binding_node(y, l, range_node(y, integer_node(y, 0), integer_node(y, inner), false));
    const struct ast *bracket[3] = {NODE(.kind = AST_LIST, .as.list = list_of(y, 1, &first)),
                                    NODE(.kind = AST_LIST, .as.list = list_of(y, 1, &second)),
                                    NODE(.kind = AST_LIST, .as.list = made.axes)};
    const struct ast *define =
        define_node(y, array, list_of(y, 3, bracket), scalar_type_node(y, element), made.value.ast);
    const struct ast *range = range_node(y, integer_node(y, 0), integer_node(y, count), false);
    add_statement(
        g, body,
        NODE(.kind = AST_FOR, .as.loop = {binding_node(y, k, range), list_of(y, 1, &define)}));
    add_statement(g, body, define_node(y, whole, NULL, NULL, name_node(y, array)));
    const struct ast *zero = integer_node(y, 0);
    add_statement(
        g, body,
        define_node(y, part, NULL, NULL, index_node(y, name_node(y, whole), list_of(y, 1, &zero))));
    for (int64_t i = 0; i < count; i++) {
        struct image image = made.image;
        const struct ast *place[2] = {integer_node(y, i),
                                      integer_node(y, between(&g->random, 0, inner - 1))};
        const struct ast *base =
            i == 0 ? name_node(y, part)
                   : index_node(y, name_node(y, chance(&g->random, 50) ? array : whole),
                                list_of(y, 1, &place[0]));
        for (unsigned a = 0; a < image.rank; a++)
            image.axis[a].can_extend = false;
        image.name = index_node(y, base, list_of(y, 1, &place[1]));
        keep_image(g, body, image);
    }
}

/* z[axes] = c32(v, a) * … or cis(v) * … ; s[axes] : f32 = abs(z[axes] / …); */
void add_complex(struct generator *g, struct body *body)
{
    static const enum ast_operator common[] = {OPERATOR_ADD, OPERATOR_SUBTRACT, OPERATOR_MULTIPLY,
                                               OPERATOR_DIVIDE};
    static const char *const part[] = {"re", "im", "abs", "arg"};
    const struct syntax *y = &g->s;
    const struct symbol *pair = fresh_name(g, "z"), *name = fresh_name(g, "s");
    struct made_stage made = make_stage(g, body, true, NULL);
    const bool wide = chance(&g->random, 30);
    const enum scalar element = wide ? SCALAR_F64 : SCALAR_F32;
    const char *type = wide ? "c64" : "c32";
    made.value = fit(g, made.value, element);
    const struct ast *first[2] = {made.value.ast,
                                  real_node(y, (double)between(&g->random, 0, 9) / 4)};
    const struct ast *second[2] = {real_node(y, (double)between(&g->random, 1, 9) / 8),
                                   made.value.ast};
    const struct ast *left = chance(&g->random, 25) ? call_node(y, "cis", 1, &made.value.ast)
                                                    : call_node(y, type, 2, first);
    const struct ast *value =
        binary_node(y, common[below(&g->random, 4)], left,
                    chance(&g->random, 70) ? call_node(y, type, 2, second) : second[0]);
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = made.axes);
    add_statement(g, body, define_node(y, pair, list_of(y, 1, &bracket), NULL, value));
    const struct ast *axis[MOST_AXES];
    for (unsigned k = 0; k < made.scope.rank; k++)
        axis[k] = name_node(y, made.scope.axis[k].name);
    const struct ast_list *axes = list_of(y, made.scope.rank, axis);
    const struct ast *read = index_node(y, name_node(y, pair), axes);
    const struct ast *turned_read = call_node(y, "conj", 1, &read);
    read = binary_node(y, common[below(&g->random, 4)], read,
                       chance(&g->random, 50) ? turned_read : second[0]);
    bracket = NODE(.kind = AST_LIST, .as.list = axes);
    add_statement(g, body,
                  define_node(y, name, list_of(y, 1, &bracket), scalar_type_node(y, element),
                              call_node(y, part[below(&g->random, 4)], 1, &read)));
    model_image(g, &made, element);
    for (unsigned k = 0; k < made.image.rank; k++)
        made.image.axis[k].can_extend = false;
    made.image.name = name_node(y, name);
    keep_image(g, body, made.image);
}
