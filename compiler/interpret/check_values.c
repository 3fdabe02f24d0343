/* The numbers that a check which failed was made of: "a.x is 4, n is 50". */
#include "interpret/check_values.h"
#include "interpret/tape.h"

#include <math.h>

enum { MOST_NAMED = 8 };

struct listing {
    struct evaluator *evaluator;
    const struct entry *entry;
    struct text *out;
    unsigned count;
};

static const struct parameter *parameter_of(const struct entry *entry, const struct expr *variable)
{
    for (size_t i = 0; i < entry->parameter_count; i++)
        if (entry->parameters[i].variable == variable)
            return &entry->parameters[i];
    return NULL;
}

static void print_value(struct text *out, const struct expr *node, const struct parameter *p,
                        struct value value)
{
    if (scalar_is_float(node->scalar))
        text_real(out, (double)value_real(node->scalar, value),
                  node->scalar == SCALAR_F32 ? 32 : 64);
    else if (node->scalar == SCALAR_BOOL)
        text_print(out, "%s", value.integer ? "true" : "false");
    else if (p && p->fixed.is)
        text_real(out, ldexp((double)value.integer, -p->fixed.fraction), 64);
    else if (p && value.integer >= 0 && (size_t)value.integer < p->choice_count)
        text_print(out, "%s", p->choice[value.integer]->text);
    else
        text_print(out, "%lld", (long long)value.integer);
}

static void list_variable(const struct expr *node, void *user)
{
    struct listing *list = user;
    if (node->kind != EXPR_VARIABLE || list->count == MOST_NAMED)
        return;
    text_print(list->out, "%s%s is ", list->count++ ? ", " : "", node->as.variable.name->text);
    print_value(list->out, node, parameter_of(list->entry, node),
                evaluate_once(list->evaluator, node));
}

/* The part of a conjunction that does not hold. */
static const struct expr *failing_part(struct evaluator *evaluator, const struct expr *condition)
{
    while (condition->kind == EXPR_AND)
        condition =
            condition->operand[evaluate_once(evaluator, condition->operand[0]).integer != 0];
    return condition;
}

static bool is_plain(const struct expr *node)
{
    return node->count == 0;
}

void check_values(struct evaluator *evaluator, const struct entry *entry,
                  const struct expr *condition, struct text *out)
{
    const struct expr *part = failing_part(evaluator, condition);
    struct listing list = {evaluator, entry, out, 0};
    struct expr_walk walk = {.scratch = evaluator->arena};
    const bool compares = part->kind == EXPR_EQUAL || part->kind == EXPR_NOT_EQUAL ||
                          part->kind == EXPR_LESS || part->kind == EXPR_LESS_EQUAL;
    expr_visit(&walk, part, list_variable, &list);
    if (!compares || (is_plain(part->operand[0]) && is_plain(part->operand[1])))
        return;
    text_print(out, "%sthe sides are ", list.count ? "; " : "");
    for (int side = 0; side < 2; side++) {
        print_value(out, part->operand[side], NULL, evaluate_once(evaluator, part->operand[side]));
        text_print(out, side ? "" : " and ");
    }
}
