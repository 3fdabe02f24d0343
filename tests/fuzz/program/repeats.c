/* Random repetitions: a stage that each step makes anew from itself and from what is local to the
 * step. */
#include "program/operators.h"

static const struct ast *step_count(struct generator *g, const struct body *body)
{
    const struct stage_scope s = {.body = (struct body *)(uintptr_t)body};
    const int64_t most = between(&g->random, -1, 3);
    const struct ast *moving = chance(&g->random, 50) ? moving_end(g, &s, -2, most) : NULL;
    return moving ? moving : integer_node(&g->s, most);
}

/* name[axes] = …, on the box of the carried image. */
static const struct ast *make_step(struct generator *g, struct body *inner,
                                   const struct image *carried, const struct symbol *name,
                                   enum scalar element)
{
    const struct syntax *y = &g->s;
    struct stage_scope s = {.body = inner, .rank = carried->rank, .terms = 1, .budget = 12};
    const struct ast *axis[MOST_AXES] = {NULL};
    for (unsigned k = 0; k < carried->rank; k++) {
        s.axis[k] =
            (struct stage_axis_model){.name = carried->axis[k].name, .grid = carried->axis[k].grid};
        axis[k] = name_node(y, carried->axis[k].name);
    }
    struct typed value =
        element == SCALAR_BOOL ? generate_truth(g, &s, 2) : generate_number(g, &s, 3);
    if (!give_boxes(g, &s, &value))
        return NULL;
    value = fit(g, value, element);
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, carried->rank, axis));
    return define_node(y, name, list_of(y, 1, &bracket),
                       name == carried->name->as.name ? NULL : scalar_type_node(y, element),
                       value.ast);
}

void add_repeat(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    struct image carried = add_stage(g, body, fresh_name(g, "w"));
    if (carried.rank > 0) {
        carried.interval = scalar_info[carried.element].interval;
        close_axes(&carried);
    }
    keep_image(g, body, carried);
    if (carried.rank == 0)
        return;
    struct ast_list *steps = ast_list(y->arena);
    struct body inner = *body;
    inner.is_main = true; /* rules of a call are told to the filter's own stages */
    if (chance(&g->random, 40)) {
        struct image local = carried;
        const struct symbol *name = fresh_name(g, "v");
        local.element = chance(&g->random, 50) ? SCALAR_F32 : SCALAR_I16;
        local.interval = scalar_info[local.element].interval;
        const struct ast *step = make_step(g, &inner, &carried, name, local.element);
        if (step) {
            ast_list_add(y->arena, steps, step);
            local.name = name_node(y, name);
            VECTOR_PUSH(y->arena, &inner.images, local);
        }
    }
    const struct ast *last = make_step(g, &inner, &carried, carried.name->as.name, carried.element);
    if (!last)
        return;
    ast_list_add(y->arena, steps, last);
    add_statement(g, body, NODE(.kind = AST_REPEAT, .as.repeat = {step_count(g, body), steps}));
}
