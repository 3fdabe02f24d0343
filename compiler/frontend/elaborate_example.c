/* Examples: `example "a constant stays" { b = blur(a) border clamp; require b[0, 0] == 3; }`. One
 * becomes a graph without inputs, whose results are the conditions of its requirements, and the
 * sides of those that compare. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

static const struct ast *strip_parentheses(const struct ast *node)
{
    while (node->kind == AST_PARENTHESES)
        node = node->as.inner;
    return node;
}

static bool is_comparison(const struct ast *node)
{
    if (node->kind != AST_BINARY)
        return false;
    const int precedence = ast_operator_info[node->as.binary.operator_].precedence;
    return precedence == ast_operator_info[OPERATOR_EQUAL].precedence ||
           precedence == ast_operator_info[OPERATOR_LESS].precedence;
}

/* A value as a result of the graph: its place among them, or -1 after an error. */
static int add_output(struct elaborator *el, struct instance *instance, struct scope *scope,
                      const struct ast *value, const char *stem, enum scalar scalar)
{
    const struct element_type declared = {.scalar = scalar};
    const struct symbol *name = symbol_format(&el->session->symbols, "%s_%zu", stem,
                                              instance->example->requirements.count + 1);
    const struct image_view image =
        is_image_valued(el, instance, scope, value)
            ? elaborate_lifted(el, instance, scope, name, value, declared)
            : elaborate_stage(el, instance, scope, name, value->span, NULL, value, declared);
    if (!image.valid)
        return -1;
    VECTOR_PUSH(el->arena, &el->graph->outputs, (struct graph_output){image.stage, name, NULL});
    return (int)el->graph->outputs.count - 1;
}

void elaborate_example_require(struct elaborator *el, struct instance *instance,
                               struct scope *scope, const struct ast *node)
{
    const struct ast *condition = strip_parentheses(node->as.require.condition);
    struct example_requirement requirement = {.node = node, .left = -1, .right = -1};
    requirement.condition = add_output(el, instance, scope, condition, "condition", SCALAR_BOOL);
    if (requirement.condition >= 0 && is_comparison(condition)) {
        requirement.left =
            add_output(el, instance, scope, condition->as.binary.left, "left", SCALAR_COUNT);
        requirement.right =
            add_output(el, instance, scope, condition->as.binary.right, "right", SCALAR_COUNT);
    }
    VECTOR_PUSH(el->arena, &instance->example->requirements, requirement);
}

/* One elaboration, with what is known from the one before it. NULL after an error. */
static const struct example *example_once(struct elaborator *el, const struct ast *node)
{
    struct session *session = el->session;
    const unsigned errors = session->diagnostics.error_count;
    struct scope *scope = scope_open(el, module_scope(el, 0));
    struct instance *instance = module_instance(el, 0, scope, node->as.example.body);
    struct example *example = ARENA_NEW(session->ir, struct example);
    el->graph->name = symbol_from(&session->symbols, "example");
    el->graph->text = "";
    instance->example = example;
    elaborate_body(el, instance);
    example->graph = el->graph;
    if (session->diagnostics.error_count > errors)
        return NULL;
    if (example->requirements.count == 0) {
        struct diagnostic *d =
            diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0505, node->span);
        diagnostic_help(&session->diagnostics, d, "say what must hold: require b[0, 0] == 3;");
        return NULL;
    }
    el->reaches_more = learn_reaches(el);
    return example;
}

const struct example *elaborate_example(struct session *session, const struct module_set *modules,
                                        const struct ast *node)
{
    const struct elaborate_options options = {0};
    const struct facts known = {0};
    const struct diagnostics before = session->diagnostics;
    struct reaches reaches = {0};
    struct elaborator last = {.session = session, .reaches = &reaches};
    for (;;) {
        struct elaborator el = {.session = session,
                                .arena = session->ir,
                                .pool = &session->pool,
                                .modules = modules,
                                .options = &options,
                                .nested = node->depth,
                                .known = &known,
                                .reaches = &reaches,
                                .graph = ARENA_NEW(session->ir, struct graph)};
        const struct example *example = example_once(&el, node);
        if (!example)
            tell_reaches(&last, before.list.count);
        if (!el.reaches_more)
            return example;
        last = el;
        diagnostics_go_back(&session->diagnostics, &before);
    }
}
