/* How far numbers of fixed point may be from those of the same program over real numbers. Roundings
 * are noted when they are made, by the integer that they give; the rest follows from the expression
 * of a stage: sums add errors, a product (a + e)(b + f) errs by |a| f + |b| e + e f. Errors are
 * counted in units of the integers, those of floats as they are; roundings of floats are not
 * counted. What is not followed is not bounded. Equal expressions are one, so an integer may have
 * been made by several roundings, a constant above all: the greatest error counts. */
#include "frontend/elaborator.h"

#include <math.h>

struct noted {
    const struct expr *from; /* what was converted; NULL: a constant, or a quotient; the integer
                              * itself: a whole number that the program over real numbers rounds */
    int digits;              /* behind the point of an integer `from` that are there no more */
    double error;            /* that is added */
    bool saturates;
    bool in_both; /* the program over real numbers rounds here, too */
    struct noted *next;
};

/* ---- The error of an expression ---- */

struct search {
    struct elaborator *el;
    struct hash_map known; /* expression → double */
    bool saturates;
};

static double error_of(struct search *s, const struct expr *node);

/* The greatest magnitude; of floats that are no constants it is not known. */
static double magnitude(const struct expr *node)
{
    if (node->kind == EXPR_REAL)
        return fabs(node->as.real);
    if (scalar_is_float(node->scalar))
        return INFINITY;
    return fmax(fabs((double)node->interval.least), fabs((double)node->interval.greatest));
}

/* 0 times anything is 0. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static double of_product(const struct expr *a, double e, const struct expr *b, double f)
{
    return times(magnitude(a), f) + times(magnitude(b), e) + times(e, f);
}

/* a / b where b stays away from 0: |a f + b e| / (|b| (|b| - f)). */
static double of_quotient(const struct expr *a, double e, const struct expr *b, double f)
{
    if (e == 0 && f == 0)
        return 0;
    const double least = b->kind == EXPR_REAL         ? fabs(b->as.real)
                         : scalar_is_float(b->scalar) ? 0
                         : b->interval.least > 0      ? (double)b->interval.least
                         : b->interval.greatest < 0   ? -(double)b->interval.greatest
                                                      : 0;
    if (!(least > f))
        return INFINITY;
    return times(magnitude(a), f) / (least * (least - f)) + e / (least - f);
}

static double of_load(struct search *s, const struct expr *node)
{
    double error = 0;
    for (unsigned k = 0; k < node->count; k++) {
        const struct border *border = node->as.load.border ? &node->as.load.border[k] : NULL;
        if (error_of(s, node->operand[k]) > 0)
            return INFINITY;
        if (border && border->value)
            error = fmax(error, error_of(s, border->value));
    }
    if (node->as.load.source == SELF_SOURCE)
        return error;
    const struct stage *stage = s->el->graph->stages.item[node->as.load.source];
    s->saturates = s->saturates || stage->quantisation.saturates;
    return fmax(error, ldexp(stage->quantisation.error, stage->fixed.fraction));
}

/* Sum of (k + e)(b + f), where k is known: e of the array is the same for all. */
static double of_weighted_sum(struct search *s, const struct expr *node,
                              const struct weights *weights)
{
    const struct expr *const *factor = node->operand[0]->operand;
    const struct expr *array = factor[factor[0] == weights->of];
    const double terms = (double)expr_reduction_terms(&node->as.reduce);
    const double e = error_of(s, array), f = error_of(s, weights->of);
    return times(weights->above + weights->below, f) +
           times(terms, times(magnitude(weights->of), e) + times(e, f));
}

static double of_reduction(struct search *s, const struct expr *node)
{
    const struct expr_reduction *shape = &node->as.reduce;
    const unsigned first = 1 + (unsigned)shape->fused;
    for (unsigned i = first; i < node->count; i++) /* the condition, counts */
        if (error_of(s, node->operand[i]) > 0)
            return INFINITY;
    double error = error_of(s, node->operand[0]);
    struct weights weights;
    if (error > 0 && fixed_weights_of(s->el, shape, node->operand[0], &weights))
        return of_weighted_sum(s, node, &weights);
    if (shape->fused)
        error =
            of_product(node->operand[0], error, node->operand[1], error_of(s, node->operand[1]));
    if (error == 0)
        return 0;
    switch (shape->operation) {
    case REDUCTION_SUM:
        return error * (double)expr_reduction_terms(shape);
    case REDUCTION_MINIMUM:
    case REDUCTION_MAXIMUM:
    case REDUCTION_MEDIAN:
        return error;
    default:
        return INFINITY;
    }
}

static double greatest_of(struct search *s, const struct expr *node)
{
    double error = 0;
    for (unsigned i = 0; i < node->count; i++)
        error = fmax(error, error_of(s, node->operand[i]));
    return error;
}

static double of_conversion(const struct expr *node, double error)
{
    const bool cuts = scalar_is_float(node->operand[0]->scalar) && !scalar_is_float(node->scalar);
    return error == 0 ? 0 : node->as.convert == CONVERT_WRAP ? INFINITY : error + (cuts ? 1 : 0);
}

static double of_operation(struct search *s, const struct expr *node)
{
    double e[3] = {0};
    for (unsigned i = 0; i < node->count && i < 3; i++)
        e[i] = error_of(s, node->operand[i]);
    const struct expr *const *of = node->operand;
    switch ((int)node->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return e[0] + e[1];
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
        return e[0];
    case EXPR_MULTIPLY:
        return of_product(of[0], e[0], of[1], e[1]);
    case EXPR_FUSED:
        return of_product(of[0], e[0], of[1], e[1]) + e[2];
    case EXPR_DIVIDE:
        return of_quotient(of[0], e[0], of[1], e[1]) +
               (e[0] + e[1] > 0 && !scalar_is_float(node->scalar) ? 1 : 0);
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_ORDERED_MINIMUM:
    case EXPR_ORDERED_MAXIMUM:
        return fmax(e[0], e[1]);
    case EXPR_SELECT:
        return e[0] > 0 ? INFINITY : fmax(e[1], e[2]);
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
        return e[0] > 0 ? e[0] + 1 : 0;
    case EXPR_CONVERT:
        return of_conversion(node, e[0]);
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
        if (e[0] == 0 && e[1] == 0)
            return 0;
        if (of[1]->kind != EXPR_INTEGER)
            return INFINITY;
        return node->kind == EXPR_SHIFT_LEFT ? ldexp(e[0], (int)of[1]->as.integer)
                                             : ldexp(e[0], -(int)of[1]->as.integer) + 1;
    case EXPR_LOAD:
        return of_load(s, node);
    case EXPR_REDUCE:
        return of_reduction(s, node);
    }
    return greatest_of(s, node) > 0 ? INFINITY : 0;
}

/* A quotient of fixed point by 0 is 0; over real numbers it is infinite. */
static double of_real_quotient(struct search *s, const struct expr *a, const struct expr *b)
{
    const struct interval zero = {0, 0};
    return interval_inside(zero, b->interval) ? (double)INFINITY
                                              : of_quotient(a, error_of(s, a), b, error_of(s, b));
}

static double of_noted(struct search *s, const struct expr *node, const struct noted *noted)
{
    double before = 0;
    s->saturates = s->saturates || noted->saturates;
    if (noted->from)
        before = ldexp(error_of(s, noted->from), -noted->digits);
    else if (node && node->count == 2)
        before = of_real_quotient(s, node->operand[0], node->operand[1]);
    return noted->in_both && before == 0 ? 0 : before + noted->error;
}

static double error_of(struct search *s, const struct expr *node)
{
    const double *known = hash_map_find(&s->known, node);
    if (known)
        return *known;
    const struct noted *noted = hash_map_find(&s->el->roundings, node);
    double *error = ARENA_NEW(s->el->session->scratch, double);
    *error = (double)INFINITY; /* of what it is made of itself, in a circle */
    hash_map_put(s->el->session->scratch, &s->known, node, error);
    double greatest = 0, whole = 0;
    bool is_made = false; /* by a conversion, and not by the operation */
    for (; noted; noted = noted->next)
        if (noted->from == node) {
            whole = noted->error;
        } else {
            is_made = true;
            greatest = fmax(greatest, of_noted(s, node, noted));
        }
    if (!is_made)
        greatest = of_operation(s, node);
    *error = greatest > 0 ? greatest + whole : 0;
    return *error;
}

/* ---- What is noted ---- */

/* A conversion may give back what another one was made of: (v << 4) >> 4 is v, without an error of
 * its own. */
static bool gives_back(const struct elaborator *el, const struct expr *made, struct noted noted)
{
    return noted.from && made->id < noted.from->id &&
           expr_contains(el->session->scratch, noted.from, made);
}

/* A number that is known stands for many others: its error is computed at once. */
static void note_known(struct elaborator *el, struct noted *noted)
{
    struct search s = {.el = el, .saturates = noted->saturates};
    noted->error = of_noted(&s, NULL, noted);
    noted->saturates = s.saturates;
    noted->from = NULL;
    noted->in_both = false;
}

static void note(struct elaborator *el, const struct expr *made, struct noted noted)
{
    if (!made)
        return;
    if (expr_is_constant(made) && noted.from)
        note_known(el, &noted);
    if ((!noted.from && noted.error == 0 && !noted.saturates) || gives_back(el, made, noted))
        return;
    noted.next = hash_map_find(&el->roundings, made);
    for (const struct noted *old = noted.next; old; old = old->next)
        if (old->from == noted.from && old->digits == noted.digits && old->error >= noted.error &&
            old->saturates >= noted.saturates && old->in_both == noted.in_both)
            return;
    hash_map_put(el->arena, &el->roundings, made, arena_copy(el->arena, &noted, sizeof noted));
}

void fixed_note_constant(struct elaborator *el, const struct expr *made, double error)
{
    if (error != 0)
        note(el, made, (struct noted){.error = error});
}

void fixed_note_quotient(struct elaborator *el, const struct expr *made)
{
    if (made && !expr_is_constant(made))
        note(el, made, (struct noted){.error = 1});
}

void fixed_note_whole(struct elaborator *el, const struct expr *made, struct operand a)
{
    note(el, made,
         (struct noted){.from = a.expr, .digits = a.fixed.fraction, .error = 1, .in_both = true});
}

void fixed_note_float(struct elaborator *el, const struct expr *made, struct operand a)
{
    if (expr_is_constant(made) && el->roundings.count > 0)
        note(el, made, (struct noted){.from = a.expr, .digits = a.fixed.fraction});
}

/* Nothing was folded; 0 + (a + b) is the sum a + b, but not that one. */
static bool is_operation(const struct expr *made, const struct expr *operation)
{
    if (made->kind != operation->kind || made->count != operation->count)
        return false;
    for (unsigned i = 0; i < made->count; i++) {
        bool found = false;
        for (unsigned k = 0; k < operation->count; k++)
            found = found || made->operand[i] == operation->operand[k];
        if (!found)
            return false;
    }
    return true;
}

void fixed_note_folded(struct elaborator *el, const struct expr *made, const struct expr *operation)
{
    if (el->roundings.count == 0 || is_operation(made, operation))
        return;
    struct search s = {.el = el}, own = {.el = el};
    const double error = of_operation(&s, operation), known = error_of(&own, made);
    if (error > known || (s.saturates && !own.saturates))
        note(el, made, (struct noted){.error = error, .saturates = s.saturates});
}

static double unit_error(enum fixed_rounding rounding)
{
    return rounding == ROUNDING_NEAREST_EVEN || rounding == ROUNDING_NEAREST_UP ? 0.5 : 1;
}

void fixed_note_rounding(struct elaborator *el, const struct expr *made, struct operand a,
                         struct fixed_type type, bool saturates)
{
    const bool is_float = scalar_is_float(a.expr->scalar);
    const int digits = is_float ? -type.fraction : a.fixed.fraction - type.fraction;
    struct noted noted = {.from = a.expr, .digits = digits, .saturates = saturates};
    if (made == a.expr && digits == 0)
        return;
    if (is_float || digits > 0)
        noted.error = unit_error(type.rounding);
    if (made->kind == EXPR_INTEGER && expr_is_constant(a.expr)) { /* what is lost is known */
        const double value = is_float ? a.expr->as.real : (double)a.expr->as.integer;
        noted.error = fabs(ldexp(value, -digits) - (double)made->as.integer);
        noted.saturates = false;
    }
    note(el, made, noted);
}

struct quantisation fixed_quantisation(struct elaborator *el, const struct expr *value,
                                       struct fixed_point fixed, bool recurs)
{
    struct search s = {.el = el};
    const double error = el->roundings.count ? error_of(&s, value) : 0;
    return (struct quantisation){
        .error = recurs && error > 0 ? INFINITY : ldexp(error, fixed.is ? -fixed.fraction : 0),
        .saturates = s.saturates};
}
