/* specialise STAGE where CONDITION: versions of a stage. A condition that no call meets, or that
 * all do, is a mistake; so is one whose calls have a version already. */
#include "frontend/scheduling.h"

enum { MOST_VERSIONS = 8, MOST_VARIABLES = 16, MOST_EXCLUDED = 16 };

/* The values that an integer of the call may have. */
struct possible {
    const struct expr *variable;
    struct interval within;
    int64_t excluded[MOST_EXCLUDED];
    unsigned excluded_count;
};
struct possibilities {
    struct possible of[MOST_VARIABLES];
    unsigned count;
    bool none; /* a condition without variables does not hold */
};

static struct possible *possible_of(struct possibilities *p, const struct expr *variable)
{
    const struct interval truth = {0, 1};
    for (unsigned i = 0; i < p->count; i++)
        if (p->of[i].variable == variable)
            return &p->of[i];
    if (variable->kind != EXPR_VARIABLE ||
        (!scalar_is_integer(variable->scalar) && variable->scalar != SCALAR_BOOL) ||
        p->count == MOST_VARIABLES)
        return NULL;
    p->of[p->count] =
        (struct possible){.variable = variable,
                          .within = variable->scalar == SCALAR_BOOL ? truth : variable->interval};
    return &p->of[p->count++];
}

static void limit(struct possible *v, int64_t least, int64_t greatest)
{
    v->within.least = least > v->within.least ? least : v->within.least;
    v->within.greatest = greatest < v->within.greatest ? greatest : v->within.greatest;
}

static void exclude(struct possible *v, int64_t value)
{
    for (unsigned i = 0; i < v->excluded_count; i++)
        if (v->excluded[i] == value)
            return;
    if (v->excluded_count < MOST_EXCLUDED)
        v->excluded[v->excluded_count++] = value;
}

/* variable KIND number, or number KIND variable; or not. */
static void compare(struct possible *v, enum expr_kind kind, bool number_first, int64_t number,
                    bool holds)
{
    const bool equal = kind == EXPR_EQUAL || kind == EXPR_NOT_EQUAL;
    const bool strict = (kind == EXPR_LESS) == holds; /* the opposite of < is >= */
    const bool below = number_first != holds;         /* the variable is less */
    const bool is_end = number == (below ? INT64_MIN : INT64_MAX);
    if (equal && (kind == EXPR_EQUAL) == holds)
        limit(v, number, number);
    else if (equal)
        exclude(v, number);
    else if (strict && is_end)
        limit(v, 1, 0); /* nothing is beyond */
    else if (below)
        limit(v, INT64_MIN, number - strict);
    else
        limit(v, number + strict, INT64_MAX);
}

/* What is possible where the condition holds, or where it does not. What is not understood is
 * possible. */
static void suppose(struct possibilities *p, const struct expr *c, bool holds)
{
    const bool compares = c->kind == EXPR_EQUAL || c->kind == EXPR_NOT_EQUAL ||
                          c->kind == EXPR_LESS || c->kind == EXPR_LESS_EQUAL;
    if (c->kind == EXPR_NOT)
        suppose(p, c->operand[0], !holds);
    for (unsigned k = 0; k < 2 && c->kind == (holds ? EXPR_AND : EXPR_OR); k++)
        suppose(p, c->operand[k], holds);
    if (c->kind == EXPR_INTEGER)
        p->none = p->none || (c->as.integer != 0) != holds;
    if (c->kind == EXPR_VARIABLE && c->scalar == SCALAR_BOOL && possible_of(p, c))
        limit(possible_of(p, c), holds, holds);
    for (unsigned k = 0; compares && k < 2; k++) {
        struct possible *v =
            c->operand[1 - k]->kind == EXPR_INTEGER ? possible_of(p, c->operand[k]) : NULL;
        if (v)
            compare(v, c->kind, k == 1, c->operand[1 - k]->as.integer, holds);
    }
}

static bool is_impossible(const struct possibilities *p)
{
    bool impossible = p->none;
    for (unsigned i = 0; i < p->count; i++) {
        const struct possible *v = &p->of[i];
        int64_t excluded = 0;
        for (unsigned k = 0; k < v->excluded_count; k++)
            excluded += v->excluded[k] >= v->within.least && v->excluded[k] <= v->within.greatest;
        impossible = impossible || v->within.least > v->within.greatest ||
                     (uint64_t)v->within.greatest - (uint64_t)v->within.least < (uint64_t)excluded;
    }
    return impossible;
}

/* NULL: there are calls for the version, and others. */
static const char *reason_against(struct arena *arena, const struct detail *versions,
                                  const struct expr *condition)
{
    struct possibilities some = {.count = 0}, others = {.count = 0}, left = {.count = 0};
    suppose(&some, condition, true);
    suppose(&others, condition, false);
    suppose(&left, condition, true);
    for (size_t i = 0; i < versions->version_count; i++)
        suppose(&left, versions->version[i].condition, false);
    return condition->holds & HOLDS_REDUCE
               ? "its condition holds a reduction; write out what is compared, with && and ||"
           : is_impossible(&some)   ? "the condition never holds"
           : is_impossible(&others) ? "the condition always holds"
           : is_impossible(&left) ? "all calls for which the condition holds have a version already"
           : versions->version_count == MOST_VERSIONS
               ? arena_format(arena, "it has %d already", MOST_VERSIONS)
               : NULL;
}

bool take_version(struct scheduling *s, const struct stage *stage, struct detail *detail)
{
    struct elaborator *el = s->el;
    const struct ast *where = s->directive->as.directive.where;
    const struct expr *condition =
        elaborate_condition(el, s->instance, s->instance->scope, where, "specialise");
    const char *reason = condition ? reason_against(el->arena, detail, condition) : NULL;
    if (reason)
        REPORT(el, E0605, where->span, stage->name->text, detail_info[DETAIL_VERSIONS].where,
               reason);
    if (!condition || reason)
        return false;
    struct graph_check *all = ARENA_ARRAY(el->arena, struct graph_check, MOST_VERSIONS);
    for (size_t i = 0; i < detail->version_count; i++)
        all[i] = detail->version[i];
    const char *text = condition_text(el, where);
    all[detail->version_count++] =
        (struct graph_check){condition, text ? text : "", s->directive->span};
    detail->version = all;
    return true;
}
