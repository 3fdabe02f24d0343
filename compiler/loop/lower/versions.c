#include "loop/lower/versions.h"
#include "loop/rewrite.h"

struct version {
    struct pass_context *context;
    const struct program *program;
    struct expr_rewriter known; /* what is known → its value */
    unsigned number;            /* of its kernels' names */
};

static void learn(struct version *v, const struct expr *node, const struct expr *value)
{
    hash_map_put(v->context->scratch, &v->known.done, node, (void *)(uintptr_t)value);
}

static bool is_input_of_call(const struct expr *node)
{
    return node->kind == EXPR_VARIABLE && (node->as.variable.kind == VARIABLE_PARAMETER ||
                                           node->as.variable.kind == VARIABLE_EXTENT);
}

static void learn_truth(struct version *v, const struct expr *condition, bool holds)
{
    struct expr_pool *pool = v->context->pool;
    learn(v, condition, expr_boolean(pool, holds));
    if (condition->kind == EXPR_NOT)
        learn_truth(v, condition->operand[0], !holds);
    if (condition->kind == (holds ? EXPR_AND : EXPR_OR)) {
        learn_truth(v, condition->operand[0], holds);
        learn_truth(v, condition->operand[1], holds);
    }
    for (unsigned k = 0; holds && condition->kind == EXPR_EQUAL && k < 2; k++)
        if (is_input_of_call(condition->operand[k]) &&
            condition->operand[1 - k]->kind == EXPR_INTEGER)
            learn(v, condition->operand[k], condition->operand[1 - k]);
}

/* Values that the program computes once, of which nothing is left to compute. */
static void learn_values(struct version *v)
{
    for (size_t i = 0; i < v->program->values.count; i++) {
        const struct named_value *named = &v->program->values.item[i];
        const struct expr *value = expr_rewrite(&v->known, named->value);
        if (value->kind == EXPR_INTEGER)
            learn(v, named->variable, value);
    }
}

static const struct statement *rename_kernel(const struct statement *statement, void *user)
{
    const struct version *v = user;
    if (statement->kind != STATEMENT_KERNEL)
        return statement_rebuild(v->context->output, statement, rename_kernel, user);
    struct statement renamed = *statement;
    renamed.as.kernel.name = symbol_format(&v->context->session->symbols, "%s.version_%u",
                                           statement->as.kernel.name->text, v->number);
    return statement_new(v->context->output, renamed);
}

static struct version version_of(struct pass_context *context, const struct program *program)
{
    return (struct version){.context = context,
                            .program = program,
                            .known = {.pool = context->pool, .scratch = context->scratch}};
}

static const struct statement *with_known(struct version *v, const struct statement *kernels)
{
    learn_values(v);
    return statement_rewrite(v->context->output, kernels, &v->known);
}

const struct statement *kernel_versions(struct pass_context *context, const struct program *program,
                                        const struct detail *versions,
                                        const struct statement *kernels)
{
    struct version rest = version_of(context, program);
    for (size_t i = 0; i < versions->version_count; i++)
        learn_truth(&rest, versions->version[i].condition, false);
    const struct statement *all = with_known(&rest, kernels);
    for (size_t i = versions->version_count; i-- > 0;) {
        const struct graph_check *where = &versions->version[i];
        struct version v = version_of(context, program);
        v.number = (unsigned)i + 1;
        learn_truth(&v, where->condition, true);
        all = STATEMENT_NEW(
            context->output, where->span, .kind = STATEMENT_IF,
            .as.branch = {where->condition, rename_kernel(with_known(&v, kernels), &v), all});
    }
    return all;
}
