/* Linear forms of index expressions; what can be proved of them. */
#include "expr/affine.h"
#include "expr/evaluate.h"

enum { LARGEST_BITS = 40 };

static bool is_large(int64_t value)
{
    return value > (int64_t)1 << LARGEST_BITS || value < -((int64_t)1 << LARGEST_BITS);
}

static struct affine affine_constant(int64_t value)
{
    return (struct affine){.exact = !is_large(value), .constant = value};
}

static struct affine affine_atom(const struct expr *atom)
{
    return (struct affine){.exact = true, .count = 1, .term = {{atom, 1}}};
}

static __int128 magnitude(struct interval interval)
{
    const __int128 below = -(__int128)interval.least;
    return below > interval.greatest ? below : interval.greatest;
}

/* Whether the form, and each part of its sum, stays within 2^62: then it can be built. */
static bool fits(const struct affine *form)
{
    __int128 most = form->constant < 0 ? -form->constant : form->constant;
    for (unsigned i = 0; i < form->count; i++)
        most += (__int128)(form->term[i].coefficient < 0 ? -form->term[i].coefficient
                                                         : form->term[i].coefficient) *
                magnitude(form->term[i].atom->interval);
    return most <= (__int128)1 << 62;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Of nodes without regard to their operands. */
static int compare_heads(const struct expr *a, const struct expr *b)
{
    const int kinds = compare(a->kind, b->kind), counts = compare(a->count, b->count);
    if (kinds || counts)
        return kinds ? kinds : counts;
    switch ((int)a->kind) {
    case EXPR_INTEGER:
        return compare((uint64_t)a->as.integer, (uint64_t)b->as.integer);
    case EXPR_LOAD:
        return compare(a->as.load.source, b->as.load.source);
    case EXPR_CONVERT:
        return compare(a->as.convert, b->as.convert);
    case EXPR_REDUCE:
        return compare(a->as.reduce.operation, b->as.reduce.operation);
    default:
        return 0;
    }
}

/* By the newest variable, then by what they look like: the order is the same whatever was made
 * before, as long as variables are made in the same order. */
static int compare_atoms(const struct expr *a, const struct expr *b)
{
    const int variables = compare(a->newest, b->newest), heads = compare_heads(a, b);
    if (a == b || variables)
        return a == b ? 0 : variables;
    for (unsigned i = 0; !heads && i < a->count; i++)
        if (a->operand[i] != b->operand[i])
            return compare_atoms(a->operand[i], b->operand[i]);
    return heads ? heads : compare(a->id, b->id);
}

struct affine affine_sum(struct affine a, struct affine b, int64_t factor)
{
    struct affine sum = {.exact = a.exact && b.exact && !is_large(factor)};
    unsigned i = 0, j = 0;
    while (sum.exact && (i < a.count || j < b.count)) {
        const int order = j == b.count   ? -1
                          : i == a.count ? 1
                                         : compare_atoms(a.term[i].atom, b.term[j].atom);
        const bool from_a = order <= 0, from_b = order >= 0;
        const struct expr *atom = from_a ? a.term[i].atom : b.term[j].atom;
        __int128 coefficient = 0;
        if (from_a)
            coefficient += a.term[i++].coefficient;
        if (from_b)
            coefficient += (__int128)factor * b.term[j++].coefficient;
        if (coefficient == 0)
            continue;
        if (sum.count == AFFINE_TERMS || coefficient != (int64_t)coefficient ||
            is_large((int64_t)coefficient)) {
            sum.exact = false;
            break;
        }
        sum.term[sum.count].atom = atom;
        sum.term[sum.count++].coefficient = (int64_t)coefficient;
    }
    const __int128 constant = sum.exact ? a.constant + (__int128)factor * b.constant : 0;
    sum.exact = sum.exact && constant == (int64_t)constant && !is_large((int64_t)constant);
    sum.constant = (int64_t)constant;
    sum.exact = sum.exact && fits(&sum);
    return sum;
}

struct affine affine_from(const struct expr *node)
{
    enum { MOST_SIZE = 4096 }; /* nodes are met as often as they are used */
    struct affine form;
    if (node->size > MOST_SIZE)
        return affine_atom(node);
    switch (node->kind) {
    case EXPR_INTEGER:
        return affine_constant(node->as.integer);
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        form = affine_sum(affine_from(node->operand[0]), affine_from(node->operand[1]),
                          node->kind == EXPR_ADD ? 1 : -1);
        break;
    case EXPR_NEGATE:
        form = affine_sum(affine_constant(0), affine_from(node->operand[0]), -1);
        break;
    case EXPR_MULTIPLY:
        if (node->operand[0]->kind == EXPR_INTEGER)
            form = affine_sum(affine_constant(0), affine_from(node->operand[1]),
                              node->operand[0]->as.integer);
        else if (node->operand[1]->kind == EXPR_INTEGER)
            form = affine_sum(affine_constant(0), affine_from(node->operand[0]),
                              node->operand[1]->as.integer);
        else
            return affine_atom(node);
        break;
    default:
        return affine_atom(node);
    }
    return form.exact ? form : affine_atom(node);
}

bool affine_of_variables(const struct affine *form)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].atom->kind != EXPR_VARIABLE)
            return false;
    return form->exact;
}

int64_t affine_coefficient(const struct affine *form, const struct expr *atom)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].atom == atom)
            return form->term[i].coefficient;
    return 0;
}

struct affine affine_without(struct affine form, const struct expr *atom)
{
    return affine_sum(form, affine_atom(atom), -affine_coefficient(&form, atom));
}

static const struct expr *scaled(struct expr_pool *pool, const struct expr *atom, int64_t factor)
{
    return expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, factor), atom);
}

const struct expr *affine_build(struct expr_pool *pool, const struct affine *form)
{
    const struct expr *sum = NULL;
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].coefficient > 0) {
            const struct expr *part = scaled(pool, form->term[i].atom, form->term[i].coefficient);
            sum = sum ? expr_binary(pool, EXPR_ADD, sum, part) : part;
        }
    int64_t constant = form->constant;
    if (!sum) {
        sum = expr_integer(pool, constant);
        constant = 0;
    }
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].coefficient < 0)
            sum = expr_binary(pool, EXPR_SUBTRACT, sum,
                              scaled(pool, form->term[i].atom, -form->term[i].coefficient));
    if (constant < 0)
        return expr_binary(pool, EXPR_SUBTRACT, sum, expr_integer(pool, -constant));
    return expr_binary(pool, EXPR_ADD, sum, expr_integer(pool, constant));
}

const struct expr *affine_normal(struct expr_pool *pool, const struct expr *node)
{
    const struct affine form = affine_from(node);
    return affine_build(pool, &form);
}

/* A proof branches at each minimum and maximum, and at each fact. One that takes more steps in all
 * is given up, or one that needs more facts after one another. */
enum { MOST_PROOF_STEPS = 256, MOST_STEPS_WITH_FACTS = 1024, MOST_FACTS_IN_A_ROW = 4 };

struct proof {
    unsigned count;
    const struct affine_bound *bound;
    size_t fact_count;
    const struct affine *fact;
    int steps; /* that are left */
};

static bool is_nonnegative(struct proof *proof, struct affine form, unsigned depth);

/* c × floor(e / k), c × min(a, b) … of a lower bound: replaces one such term by a form that is not
 * larger. All of the form is multiplied by k where needed; as it is an integer, it is at least 0
 * already where k times it is at least 1 - k. */
static bool bound_one_term(struct proof *proof, struct affine *form, unsigned depth)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct expr *atom = form->term[i].atom;
        const int64_t c = form->term[i].coefficient;
        struct affine rest = affine_without(*form, atom);
        if (atom->kind == EXPR_DIVIDE && atom->operand[1]->kind == EXPR_INTEGER &&
            atom->operand[1]->as.integer > 0) {
            const int64_t k = atom->operand[1]->as.integer;
            struct affine e = affine_from(atom->operand[0]);
            if (is_large(k))
                return false;
            if (c > 0) /* floor(e / k) >= (e - k + 1) / k */
                e.constant -= k - 1;
            *form = affine_sum(affine_sum(affine_constant(k - 1), rest, k), e, c);
            return form->exact;
        }
        if (atom->kind == EXPR_REMAINDER && atom->operand[1]->interval.least > 0) {
            /* 0 <= a % b <= b - 1 */
            struct affine most = affine_from(atom->operand[1]);
            most.constant--;
            *form = c > 0 ? rest : affine_sum(rest, most, c);
            return form->exact;
        }
        const bool minimum = atom->kind == EXPR_MINIMUM, maximum = atom->kind == EXPR_MAXIMUM;
        if ((minimum && c < 0) || (maximum && c > 0)) {
            for (int side = 0; side < 2; side++)
                if (is_nonnegative(proof, affine_sum(rest, affine_from(atom->operand[side]), c),
                                   depth)) {
                    *form = affine_constant(0);
                    return true;
                }
            return false;
        }
        if (minimum || maximum) {
            bool both = true;
            for (int side = 0; side < 2 && both; side++)
                both = is_nonnegative(proof, affine_sum(rest, affine_from(atom->operand[side]), c),
                                      depth);
            *form = affine_constant(both ? 0 : -1);
            return true;
        }
    }
    return false;
}

/* By the intervals of the atoms alone. */
static bool interval_is_nonnegative(const struct affine *form)
{
    __int128 least = form->constant;
    for (unsigned i = 0; i < form->count; i++) {
        const int64_t c = form->term[i].coefficient;
        const struct interval interval = form->term[i].atom->interval;
        least += (__int128)c * (c > 0 ? interval.least : interval.greatest);
    }
    return least >= 0;
}

/* Bounded variables are replaced by the bound that makes the form smallest. */
static struct affine at_bounds(struct affine form, unsigned count,
                               const struct affine_bound bound[])
{
    for (unsigned i = 0; i < count; i++) {
        const int64_t c = affine_coefficient(&form, bound[i].variable);
        if (c != 0)
            form = affine_sum(affine_without(form, bound[i].variable),
                              affine_from(c > 0 ? bound[i].least : bound[i].greatest), c);
    }
    return form;
}

static int64_t absolute(int64_t value)
{
    return value < 0 ? -value : value;
}

int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* form >= 0 where a fact is: k form = m fact + what remains, of which an atom is no part any more.
 * As the form is an integer, it is at least 0 already where k times it is at least 1 - k. */
static bool follows_by_fact(struct proof *proof, const struct affine *form, unsigned depth)
{
    for (unsigned i = 0; i < form->count; i++)
        for (size_t f = 0; f < proof->fact_count && proof->steps > 0; f++) {
            const int64_t c = form->term[i].coefficient;
            const int64_t of_fact = affine_coefficient(&proof->fact[f], form->term[i].atom);
            if (of_fact == 0 || (c > 0) != (of_fact > 0))
                continue;
            const int64_t divisor = greatest_divisor(absolute(c), absolute(of_fact));
            const int64_t k = absolute(of_fact) / divisor, m = absolute(c) / divisor;
            const struct affine scaled = affine_sum(affine_constant(k - 1), *form, k);
            if (is_nonnegative(proof, affine_sum(scaled, proof->fact[f], -m), depth + 1))
                return true;
        }
    return false;
}

static bool is_nonnegative(struct proof *proof, struct affine form, unsigned depth)
{
    while (form.exact && proof->steps-- > 0) {
        form = at_bounds(form, proof->count, proof->bound);
        if (form.exact && interval_is_nonnegative(&form))
            return true;
        if (form.exact && depth < MOST_FACTS_IN_A_ROW && follows_by_fact(proof, &form, depth))
            return true;
        if (!form.exact || !bound_one_term(proof, &form, depth))
            return false;
    }
    return false;
}

bool affine_is_nonnegative(struct affine form, unsigned count, const struct affine_bound bound[])
{
    struct proof proof = {.count = count, .bound = bound, .steps = MOST_PROOF_STEPS};
    return is_nonnegative(&proof, form, 0);
}

bool affine_follows(struct affine form, unsigned count, const struct affine_bound bound[],
                    size_t fact_count, const struct affine fact[])
{
    struct proof proof = {count, bound, fact_count, fact, MOST_STEPS_WITH_FACTS};
    return is_nonnegative(&proof, form, 0);
}

bool affine_at_most(const struct expr *a, const struct expr *b)
{
    return affine_is_nonnegative(affine_sum(affine_from(b), affine_from(a), -1), 0, NULL);
}

struct scaled_index affine_index(const struct expr *index)
{
    struct affine form = affine_from(index);
    if (form.count == 1 && form.term[0].coefficient == 1) {
        const struct expr *atom = form.term[0].atom;
        int64_t divisor = 0;
        if (atom->kind == EXPR_DIVIDE && atom->operand[1]->kind == EXPR_INTEGER)
            divisor = atom->operand[1]->as.integer;
        else if (atom->kind == EXPR_SHIFT_RIGHT && atom->operand[1]->kind == EXPR_INTEGER &&
                 atom->operand[1]->as.integer < 32)
            divisor = (int64_t)1 << atom->operand[1]->as.integer;
        if (divisor > 0 && divisor <= INT32_MAX) {
            struct scaled_index inner = affine_index(atom->operand[0]);
            if (inner.denominator <= INT32_MAX / divisor) {
                inner.denominator *= divisor;
                inner.numerator =
                    affine_sum(inner.numerator, affine_constant(form.constant), inner.denominator);
                if (inner.numerator.exact)
                    return inner;
            }
        }
    }
    return (struct scaled_index){form, 1};
}
