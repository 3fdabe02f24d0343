/* Random functions, with one result or two, and constants outside of filters. */
#include "program/generator.h"

const struct ast *make_function(struct generator *g, unsigned number)
{
    const struct syntax *y = &g->s;
    struct filter_model model = {0};
    struct body body = {.filter = &model};
    struct stage_scope s = {.body = &body, .scalar_only = true, .terms = 1, .budget = 12};
    struct function_model *function = ARENA_NEW(y->arena, struct function_model);
    const struct ast *formal[2], *type[2], *value[2];
    function->name = symbol_format(y->symbols, "fn%u", number);
    function->results = chance(&g->random, 60) ? 2 : 1;
    for (unsigned i = 0; i < 2; i++) {
        const struct symbol *name = fresh_name(g, "a");
        struct typed argument = {
            .ast = name_node(y, name), .class = CLASS_FLOAT, .scalar = SCALAR_F32};
        formal[i] =
            NODE(.kind = AST_FORMAL, .as.formal = {.role = FORMAL_IMAGE,
                                                   .name = name,
                                                   .type = scalar_type_node(y, SCALAR_F32)});
        VECTOR_PUSH(y->arena, &s.locals, argument);
    }
    for (unsigned i = 0; i < function->results; i++) {
        type[i] = scalar_type_node(y, SCALAR_F32);
        value[i] = fit(g, generate_number(g, &s, 2), SCALAR_F32).ast;
    }
    VECTOR_PUSH(y->arena, &g->functions, function);
    const bool pair = function->results == 2;
    return NODE(.kind = AST_FUNCTION,
                .as.function = {
                    .name = function->name,
                    .formals = list_of(y, 2, formal),
                    .result =
                        pair ? NODE(.kind = AST_TYPE, .as.type = {.arguments = list_of(y, 2, type)})
                             : type[0],
                    .value = pair ? NODE(.kind = AST_TUPLE, .as.list = list_of(y, 2, value))
                                  : value[0]});
}

/* { let (u, v) = fn0(a, b); u - v }, or fn0(a, b). */
struct typed call_function(struct generator *g, struct typed a, struct typed b)
{
    const struct syntax *y = &g->s;
    const struct function_model *function =
        g->functions.item[below(&g->random, (unsigned)g->functions.count)];
    const struct ast *argument[2] = {fit(g, a, SCALAR_F32).ast, fit(g, b, SCALAR_F32).ast};
    struct typed result = {.ast = call_node(y, function->name->text, 2, argument),
                           .class = CLASS_FLOAT,
                           .scalar = SCALAR_F32};
    if (function->results == 1)
        return result;
    const struct symbol *u = fresh_name(g, "m"), *v = fresh_name(g, "v");
    const struct ast *name[2] = {name_node(y, u), name_node(y, v)};
    const struct ast *let =
        NODE(.kind = AST_LET, .as.let = {.value = result.ast, .names = list_of(y, 2, name)});
    static const enum ast_operator join[] = {OPERATOR_ADD, OPERATOR_SUBTRACT, OPERATOR_MULTIPLY};
    result.ast = NODE(.kind = AST_BLOCK,
                      .as.block = {list_of(y, 1, &let),
                                   binary_node(y, join[below(&g->random, 3)], name[0], name[1])});
    return result;
}

const struct ast *make_constant(struct generator *g, unsigned number)
{
    const struct syntax *y = &g->s;
    const struct symbol *name = symbol_format(y->symbols, "shared%u", number);
    const int64_t v = between(&g->random, -3, 9);
    const bool real = chance(&g->random, 40);
    struct typed constant = {.ast = name_node(y, name),
                             .class = real ? CLASS_FLOAT : CLASS_INTEGER,
                             .scalar = SCALAR_F64,
                             .interval = {v, v},
                             .untyped = real,
                             .constant = true};
    VECTOR_PUSH(y->arena, &g->constants, constant);
    return NODE(.kind = AST_CONSTANT,
                .as.constant = {.name = name,
                                .value = real ? real_node(y, (double)v / 4) : integer_node(y, v)});
}
