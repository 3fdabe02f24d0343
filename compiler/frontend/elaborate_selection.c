/* argmin, argmax and median: reductions that pick one of their terms. argmin and argmax are made of
 * min and max: of the term and its number in one integer, where both fit 64 bits, else of the term,
 * and then of the numbers of those that are equal to it. Floats are compared by their place in the
 * total order. */
#include "frontend/elaborator.h"

bool is_selection(enum reduction operation)
{
    return operation == REDUCTION_ARGMIN || operation == REDUCTION_ARGMAX ||
           operation == REDUCTION_MEDIAN;
}

static const struct expr *integer(struct elaborator *el, int64_t value)
{
    return expr_integer(el->pool, value);
}

static const struct expr *binary(struct elaborator *el, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(el->pool, kind, a, b);
}

struct operand selection_key(struct elaborator *el, struct operand term, struct span span)
{
    if (!term.expr)
        return term;
    if (term.expr->scalar == SCALAR_BOOL) {
        REPORT(el, E0303, span, "argmin or argmax", "numbers", operand_type_text(el, term));
        return operand_error();
    }
    return operand_from(scalar_is_float(term.expr->scalar)
                            ? expr_unary(el->pool, EXPR_ORDER, term.expr)
                            : term.expr);
}

/* The number of the term in index order. */
static const struct expr *term_number(struct elaborator *el, const struct selection *s)
{
    const struct expr *number = integer(el, 0);
    for (unsigned r = 0; r < s->rank; r++) {
        const struct expr_range *range = &s->range[r];
        const struct interval interval = {range->first, range->first + range->extent - 1};
        const struct expr *variable = expr_variable(el->pool, VARIABLE_INDEX, range->variable,
                                                    scalar_width(interval), interval);
        number = binary(el, EXPR_ADD, binary(el, EXPR_MULTIPLY, number, integer(el, range->extent)),
                        binary(el, EXPR_SUBTRACT, variable, integer(el, range->first)));
    }
    return number;
}

static struct operand reduce(struct elaborator *el, const struct selection *s,
                             enum reduction operation, const struct expr *term,
                             const struct expr *condition)
{
    return operand_reduce(el, operation, s->rank, s->range, operand_from(term), condition, false,
                          s->span);
}

/* Term and number in one integer; NULL where they do not fit. */
static const struct expr *packed(struct elaborator *el, const struct selection *s,
                                 const struct expr *key, bool least)
{
    const int64_t terms = expr_range_terms(s->rank, s->range), most = (int64_t)1 << 61;
    const struct expr *number = term_number(el, s);
    if (key->interval.greatest > most / terms || key->interval.least < -(most / terms))
        return NULL;
    if (!least)
        number = binary(el, EXPR_SUBTRACT, integer(el, terms - 1), number);
    return binary(el, EXPR_ADD, binary(el, EXPR_MULTIPLY, key, integer(el, terms)), number);
}

/* The number of the first term that is least (or greatest). */
static const struct expr *best_number(struct elaborator *el, struct stage_context *context,
                                      struct selection *s, const struct expr *key)
{
    const bool least = s->operation == REDUCTION_ARGMIN;
    const enum reduction operation = least ? REDUCTION_MINIMUM : REDUCTION_MAXIMUM;
    const struct expr *both = packed(el, s, key, least);
    const struct expr *terms = integer(el, expr_range_terms(s->rank, s->range));
    if (both) {
        const struct operand best = reduce(el, s, operation, both, s->present);
        if (!best.expr)
            return NULL;
        const struct expr *number = binary(el, EXPR_REMAINDER, best.expr, terms);
        return least ? number
                     : binary(el, EXPR_SUBTRACT, binary(el, EXPR_SUBTRACT, terms, integer(el, 1)),
                              number);
    }
    const struct operand best = reduce(el, s, operation, key, s->present);
    if (!best.expr)
        return NULL;
    if (el->reducing.count == s->rank) /* computed once, before the terms are compared with it */
        VECTOR_PUSH(el->arena, &context->bindings,
                    (struct stage_binding){symbol_from(&el->session->symbols, "best"), best.expr});
    const struct expr *is_best = binary(el, EXPR_EQUAL, key, best.expr);
    const struct expr *present = s->present ? binary(el, EXPR_AND, s->present, is_best) : is_best;
    struct operand number = operand_from(term_number(el, s));
    separate_names(el, context, s->rank, s->range, &number, &present);
    return reduce(el, s, REDUCTION_MINIMUM, number.expr, present).expr;
}

struct operand selection_place(struct elaborator *el, unsigned rank,
                               const struct expr *const first[], const struct expr *const extent[],
                               const struct expr *number)
{
    struct operand *part = ARENA_ARRAY(el->arena, struct operand, rank + 1);
    for (unsigned r = rank; r-- > 0;) {
        const struct expr *place = r == 0 ? number : binary(el, EXPR_REMAINDER, number, extent[r]);
        if (r > 0)
            number = binary(el, EXPR_DIVIDE, number, extent[r]);
        /* Where there is no term, the number is anything. */
        const struct expr *last = binary(el, EXPR_SUBTRACT, extent[r], integer(el, 1));
        place = binary(el, EXPR_MINIMUM, binary(el, EXPR_MAXIMUM, place, integer(el, 0)), last);
        part[r] = operand_from(binary(el, EXPR_ADD, first[r], place));
    }
    return rank == 1 ? part[0] : (struct operand){.part = part, .part_count = rank};
}

struct operand selection_or(struct elaborator *el, struct stage_context *context,
                            const struct selection *s, struct operand value, const struct expr *any)
{
    if (!s->other)
        return value;
    const struct operand other = elaborate_loose(el, context, s->other);
    if (!value.expr && !value.part_count)
        return value;
    if (other.part_count != value.part_count) {
        REPORT(el, E0303, s->other->span, "'else'",
               value.part_count ? "a tuple of as many places" : "a number",
               other.part_count ? "a tuple" : operand_type_text(el, other));
        return operand_error();
    }
    const struct operand found = operand_from(any);
    if (!value.part_count)
        return operand_select(el, found, value, other, s->span);
    struct operand *part = ARENA_ARRAY(el->arena, struct operand, value.part_count);
    for (size_t i = 0; i < value.part_count; i++)
        part[i] = operand_select(el, found, value.part[i], other.part[i], s->span);
    return (struct operand){.part = part, .part_count = value.part_count};
}

bool check_selection(struct elaborator *el, const struct selection *s, bool can_be_empty)
{
    if (!can_be_empty || s->other)
        return true;
    struct diagnostic *d = REPORT(el, E0330, s->span, reduction_text[s->operation]);
    HELP(el, d, "give its value for that case: %s[...](...) else 0", reduction_text[s->operation]);
    return false;
}

struct operand elaborate_selection(struct elaborator *el, struct stage_context *context,
                                   struct selection *s, struct operand term, bool can_be_empty)
{
    enum { MOST_MEDIAN_TERMS = 1 << 14 };
    const int64_t terms = expr_range_terms(s->rank, s->range);
    if (!term.expr || !check_selection(el, s, can_be_empty || terms == 0))
        return operand_error();
    const struct expr *any = expr_boolean(el->pool, terms > 0);
    if (s->present && terms > 0)
        any = reduce(el, s, REDUCTION_ANY, s->present, NULL).expr;
    if (terms == 0)
        return selection_or(el, context, s, operand_from(integer(el, 0)), any);
    if (s->operation == REDUCTION_MEDIAN) {
        if (terms > MOST_MEDIAN_TERMS) {
            report_long_range(el, context->instance, s->call->as.call.callee, terms,
                              MOST_MEDIAN_TERMS);
            return operand_error();
        }
        term.left = term.right = NULL;
        return selection_or(el, context, s,
                            operand_reduce(el, REDUCTION_MEDIAN, s->rank, s->range, term,
                                           s->present, false, s->span),
                            any);
    }
    const struct operand key = selection_key(el, term, s->span);
    const struct expr *first[GRAPH_MAX_RANK], *extent[GRAPH_MAX_RANK];
    for (unsigned r = 0; r < s->rank; r++) {
        first[r] = integer(el, s->range[r].first);
        extent[r] = integer(el, s->range[r].extent);
    }
    const struct expr *number = key.expr ? best_number(el, context, s, key.expr) : NULL;
    return number ? selection_or(el, context, s,
                                 selection_place(el, s->rank, first, extent, number), any)
                  : operand_error();
}
