/* Random calls of the C functions of tests/externals/functions.h. */
#include "program/generator.h"

static const struct {
    const char *name;
    enum scalar result;
    unsigned count;
    enum scalar parameter[3];
} external[] = {
#define TYPES(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define FUNCTION(name, result, member, count, types, arguments)                                    \
    {#name, SCALAR_##result, count, TYPES types},
#include "../../externals/functions.def"
#undef FUNCTION
#undef TYPES
};
enum { EXTERNALS = sizeof external / sizeof external[0] };

/* extern fn c_gain(f32, i32) -> f32 from "functions.h"; */
static const struct ast *declaration(struct generator *g, unsigned which)
{
    const struct syntax *y = &g->s;
    const struct ast *type[3];
    for (unsigned i = 0; i < external[which].count; i++)
        type[i] = scalar_type_node(y, external[which].parameter[i]);
    return NODE(.kind = AST_EXTERN,
                .as.external = {.name = word(y, external[which].name),
                                .header = word(y, "functions.h"),
                                .types = list_of(y, external[which].count, type),
                                .result = scalar_type_node(y, external[which].result)});
}

void declare_externals(struct generator *g, struct ast_list *items)
{
    for (unsigned i = 1 + below(&g->random, 3); i > 0; i--) {
        const unsigned which = below(&g->random, EXTERNALS);
        bool known = false;
        for (size_t k = 0; k < g->externals.count; k++)
            known = known || g->externals.item[k] == which;
        if (known)
            continue;
        VECTOR_PUSH(g->s.arena, &g->externals, which);
        ast_list_add(g->s.arena, items, declaration(g, which));
    }
}

struct typed call_external(struct generator *g, struct stage_scope *s, int depth)
{
    const unsigned which = g->externals.item[below(&g->random, (unsigned)g->externals.count)];
    const enum scalar result = external[which].result;
    const struct ast *argument[3];
    for (unsigned i = 0; i < external[which].count; i++) {
        const enum scalar parameter = external[which].parameter[i];
        const struct typed value = parameter == SCALAR_BOOL ? generate_truth(g, s, depth - 1)
                                                            : generate_number(g, s, depth - 1);
        argument[i] = fit(g, value, parameter).ast;
    }
    return (struct typed){
        .ast = call_node(&g->s, external[which].name, external[which].count, argument),
        .class = scalar_info[result].class,
        .scalar = result,
        .interval = scalar_info[result].interval};
}
