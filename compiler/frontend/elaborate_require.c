/* require and estimate. What a requirement says of one extent or parameter, `in.c == 3`, narrows
 * that variable's interval in the whole filter: the filter is elaborated anew with what was
 * learned. It is checked before all else, so that nothing is computed with an interval that does
 * not hold. */
#include "frontend/elaborator.h"
#include "expr/affine.h"
#include "expr/evaluate.h"

static struct fact *find_fact(const struct facts *facts, const struct symbol *name)
{
    for (size_t i = 0; i < facts->list.count; i++)
        if (facts->list.item[i].name == name)
            return &facts->list.item[i];
    return NULL;
}

struct interval known_interval(const struct elaborator *el, const struct symbol *name,
                               struct interval interval)
{
    const struct fact *fact = find_fact(el->known, name);
    if (fact && fact->interval.least > interval.least)
        interval.least = fact->interval.least;
    if (fact && fact->interval.greatest < interval.greatest)
        interval.greatest = fact->interval.greatest;
    return interval;
}

/* The variable is at least, or at most, the bound. Whether that is checked anyway. */
static bool learn(struct elaborator *el, const struct expr *variable, int64_t bound, bool is_least,
                  struct requirement from)
{
    const struct symbol *name = variable->as.variable.name;
    struct fact *fact = find_fact(&el->learned, name);
    const struct fact *known = find_fact(el->known, name);
    if (!fact) {
        VECTOR_PUSH(el->session->permanent, &el->learned.list,
                    (struct fact){.name = name, .interval = variable->interval});
        fact = &el->learned.list.item[el->learned.list.count - 1];
        if (known)
            *fact = *known;
    }
    if (is_least && bound > fact->interval.least) {
        fact->interval.least = bound;
        fact->least = from;
    }
    if (!is_least && bound < fact->interval.greatest) {
        fact->interval.greatest = bound;
        fact->greatest = from;
    }
    if (fact->interval.least > fact->interval.greatest) {
        struct diagnostic *d = REPORT(el, E0219, from.span);
        NOTE(el, d, "no value of '%s' meets all that is required of it", name->text);
    }
    return known && (is_least ? known->interval.least >= bound : known->interval.greatest <= bound);
}

/* form >= 0, where it has one variable: c v + k >= 0. */
static bool learn_form(struct elaborator *el, struct affine form, struct requirement from)
{
    if (!form.exact || form.count != 1)
        return false;
    const struct expr *variable = form.term[0].atom;
    const int64_t c = form.term[0].coefficient;
    if (variable->kind != EXPR_VARIABLE || (variable->as.variable.kind != VARIABLE_EXTENT &&
                                            variable->as.variable.kind != VARIABLE_PARAMETER))
        return false;
    return c > 0 /* v >= -k / c, rounded up */
               ? learn(el, variable, -floor_divide(form.constant, c), true, from)
               : learn(el, variable, floor_divide(form.constant, -c), false, from);
}

/* Whether all of the condition is checked anyway. */
static bool learn_condition(struct elaborator *el, const struct expr *condition,
                            struct requirement from)
{
    if (condition->kind == EXPR_AND) {
        const bool left = learn_condition(el, condition->operand[0], from);
        return learn_condition(el, condition->operand[1], from) && left;
    }
    const bool compares = condition->kind == EXPR_LESS || condition->kind == EXPR_LESS_EQUAL ||
                          condition->kind == EXPR_EQUAL;
    if (!compares || !scalar_is_integer(condition->operand[0]->scalar))
        return false;
    const struct affine a = affine_from(condition->operand[0]);
    const struct affine b = affine_from(condition->operand[1]);
    struct affine above = affine_sum(b, a, -1);
    if (condition->kind == EXPR_LESS)
        above.constant--;
    const bool known = learn_form(el, above, from);
    if (condition->kind != EXPR_EQUAL)
        return known;
    return learn_form(el, affine_sum(a, b, -1), from) && known;
}

static struct operand scalar_value(struct elaborator *el, struct instance *instance,
                                   struct scope *scope, const struct ast *node, const char *what)
{
    struct stage_context context = stage_context_open(
        el, instance, scope, symbol_from(&el->session->symbols, what), node->span);
    context.scalar_only = true;
    return elaborate_expr(el, &context, node);
}

const struct expr *elaborate_condition(struct elaborator *el, struct instance *instance,
                                       struct scope *scope, const struct ast *node,
                                       const char *what)
{
    const struct operand condition = scalar_value(el, instance, scope, node, what);
    if (!condition.expr || condition.expr->scalar == SCALAR_BOOL)
        return condition.expr;
    REPORT(el, E0303, node->span, what, "a truth value", operand_type_text(el, condition));
    return NULL;
}

const char *condition_text(struct elaborator *el, const struct ast *node)
{
    const struct span span = node->span;
    const struct source_file *file = source_map_file(&el->session->sources, span.start);
    return file ? arena_format(el->session->permanent, "%.*s", (int)(span.end - span.start),
                               file->text + (span.start - file->start))
                : NULL;
}

/* What the program says, or the condition as it is written. */
static const char *requirement_text(struct elaborator *el, const struct ast *node)
{
    const char *written = condition_text(el, node->as.require.condition);
    return node->as.require.text ? node->as.require.text->text
           : written             ? arena_format(el->session->permanent, "not met: %s", written)
                                 : "a requirement is not met";
}

/* Whether constants and types are those of the program, not some to try a filter with. The
 * requirements of filters that an example calls are checked when it runs. */
static bool is_of_program(const struct elaborator *el, const struct instance *instance)
{
    bool generic = false;
    for (const struct instance *at = instance; at; at = at->caller) {
        if (at->example)
            return false;
        for (size_t i = 0; at->filter && i < at->filter->as.filter.formals->count; i++)
            generic = generic || element_variable(at->filter->as.filter.formals->item[i]);
    }
    return !el->options->callable && !(generic && el->options->default_types);
}

static void report_never_met(struct elaborator *el, const struct instance *instance,
                             const struct ast *node)
{
    struct diagnostic *d = REPORT(el, E0219, node->span);
    if (node->as.require.text)
        NOTE(el, d, "%s", node->as.require.text->text);
    if (instance->caller)
        NOTE(el, d, "of '%s', called with these constants and images",
             instance->filter->as.filter.name->text);
}

void elaborate_require(struct elaborator *el, struct instance *instance, struct scope *scope,
                       const struct ast *node)
{
    if (instance->example) {
        elaborate_example_require(el, instance, scope, node);
        return;
    }
    const struct expr *condition =
        elaborate_condition(el, instance, scope, node->as.require.condition, "require");
    if (!condition)
        return;
    const char *text = requirement_text(el, node);
    if (condition->kind == EXPR_INTEGER && !condition->as.integer && is_of_program(el, instance)) {
        report_never_met(el, instance, node);
        return;
    }
    if (learn_condition(el, condition, (struct requirement){text, node->span}))
        return;
    if (condition->kind != EXPR_INTEGER || !condition->as.integer)
        VECTOR_PUSH(el->arena, &el->graph->checks,
                    (struct graph_check){condition, text, node->span});
}

bool learned_more(const struct elaborator *el)
{
    for (size_t i = 0; i < el->learned.list.count; i++) {
        const struct fact *learned = &el->learned.list.item[i];
        const struct fact *known = find_fact(el->known, learned->name);
        if (!known || learned->interval.least > known->interval.least ||
            learned->interval.greatest < known->interval.greatest)
            return true;
    }
    return false;
}

void check_fact(struct elaborator *el, const struct expr *variable)
{
    const struct fact *fact = find_fact(el->known, variable->as.variable.name);
    if (!fact)
        return;
    const struct expr *const bound[2] = {expr_integer(el->pool, fact->interval.least),
                                         expr_integer(el->pool, fact->interval.greatest)};
    const struct requirement *const from[2] = {&fact->least, &fact->greatest};
    const bool equal = bound[0] == bound[1] && from[0]->text && from[0]->text == from[1]->text;
    for (int i = 0; i < 2 - equal; i++)
        if (from[i]->text)
            VECTOR_PUSH(
                el->arena, &el->graph->checks,
                (struct graph_check){expr_binary(el->pool, equal ? EXPR_EQUAL : EXPR_LESS_EQUAL,
                                                 i ? variable : bound[i], i ? bound[i] : variable),
                                     from[i]->text, from[i]->span});
}

void elaborate_estimate(struct elaborator *el, struct instance *instance, struct scope *scope,
                        const struct ast *node)
{
    const struct operand what =
        scalar_value(el, instance, scope, node->as.estimate.what, "estimate");
    const struct operand value =
        scalar_value(el, instance, scope, node->as.estimate.value, "estimate");
    if (!what.expr || !value.expr)
        return;
    const bool is_variable = what.expr->kind == EXPR_VARIABLE;
    if (value.expr->kind != EXPR_INTEGER || !operand_is_integer(value) ||
        (!instance->caller && (!is_variable || !operand_is_integer(what)))) {
        REPORT(el, E0303, node->span, "estimate",
               "an extent or an integer parameter, and a constant", "this");
        return;
    }
    if (instance->caller) /* the caller's images are another matter */
        return;
    if (value.expr->as.integer < what.expr->interval.least ||
        value.expr->as.integer > what.expr->interval.greatest) {
        REPORT(el, E0309, node->as.estimate.value->span, number_text(el, value.expr, what.fixed),
               what.expr->as.variable.name->text,
               number_text(el, expr_integer(el->pool, what.expr->interval.least), what.fixed),
               number_text(el, expr_integer(el->pool, what.expr->interval.greatest), what.fixed));
        return;
    }
    VECTOR_PUSH(el->arena, &el->graph->estimates,
                (struct graph_estimate){what.expr, value.expr->as.integer});
}
