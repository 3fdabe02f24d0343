/* Random arrays of images: levels that read each other, loops; a call of the library. */
#include "program/generator.h"

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
void add_levels(struct generator *g, struct body *body)
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
    give_boxes(g, &s, &value);
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

/* c[axes] : type = r[index][axes], where the index is known only when it runs. */
static void add_choice_of_member(struct generator *g, struct body *body, const struct image *model,
                                 const struct symbol *array, int64_t first, int64_t count)
{
    static const char *const rule[] = {"clamp", "wrap", "reflect", "reflect101", "zero"};
    const struct syntax *y = &g->s;
    struct stage_scope s = {.body = body, .rank = model->rank, .terms = 1, .budget = 8};
    const struct ast *axis[MOST_AXES] = {NULL};
    for (unsigned k = 0; k < model->rank; k++) {
        s.axis[k] =
            (struct stage_axis_model){.name = model->axis[k].name, .grid = model->axis[k].grid};
        axis[k] = name_node(y, model->axis[k].name);
    }
    struct typed index = narrow(g, generate_integer(g, &s, 2));
    const bool limited = chance(&g->random, 50);
    const struct ast *limit[3] = {index.ast, integer_node(y, first),
                                  integer_node(y, first + count - 1)};
    const struct ast *place = limited ? call_node(y, "clamp", 3, limit) : index.ast;
    const struct ast *read = index_node(y, member(g, array, place), list_of(y, model->rank, axis));
    if (!limited)
        read = bordered_node(y, read, rule_node(y, rule[below(&g->random, 5)], NULL));
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, model->rank, axis));
    const struct symbol *name = fresh_name(g, "c");
    add_statement(
        g, body,
        define_node(y, name, list_of(y, 1, &bracket), scalar_type_node(y, model->element), read));
    struct image image = *model;
    image.depends |= s.depends;
    image.name = name_node(y, name);
    keep_image(g, body, image);
}

/* for k in 0 ..< n { r[k][axes] = …; } */
void add_loop(struct generator *g, struct body *body)
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
    for (unsigned a = 0; a < made.image.rank; a++)
        made.image.axis[a].can_extend = false;
    if (made.image.rank > 0 && chance(&g->random, 60))
        add_choice_of_member(g, body, &made.image, array, first, count);
}

/* Half the resolution by the standard library's pyramid. */
bool add_library_call(struct generator *g, struct body *body)
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
