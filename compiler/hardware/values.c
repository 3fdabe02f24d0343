#include "hardware/values.h"
#include "analysis/exchanges.h"
#include "analysis/reductions.h"
#include "expr/evaluate.h"

enum { MOST_TERMS = 4096, MOST_SORTED = 81 };

static const struct expr *integer(const struct values *v, int64_t value)
{
    return expr_integer(v->pool, value);
}

static const struct expr *binary(const struct values *v, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(v->pool, kind, a, b);
}

const struct expr *value_substituted(struct values *v, const struct expr *value, size_t count,
                                     const struct expr_substitution by[])
{
    struct expr_rewriter rewriter = {.pool = v->pool, .scratch = v->scratch};
    for (size_t i = 0; i < count; i++)
        hash_map_put(v->scratch, &rewriter.done, by[i].node, (void *)(uintptr_t)by[i].by);
    return expr_rewrite(&rewriter, value);
}

/* ---- Reductions ---- */

struct terms {
    const struct expr **item;
    size_t count;
};

static bool is_constant_reduction(struct values *v, const struct expr *reduce)
{
    const char *why = NULL;
    const int64_t terms = expr_reduction_terms(&reduce->as.reduce);
    if (reduce->as.reduce.counted)
        why = "has a number of terms that depends on a parameter or an extent";
    else if (terms > MOST_TERMS)
        why = arena_format(v->arena, "has %lld terms, more than %d", (long long)terms, MOST_TERMS);
    else if (reduce->as.reduce.operation == REDUCTION_MEDIAN && terms > MOST_SORTED)
        why = arena_format(v->arena, "takes the median of %lld, more than %d", (long long)terms,
                           MOST_SORTED);
    else if (reduce->as.reduce.operation == REDUCTION_MEDIAN && expr_reduce_condition(reduce))
        why = "takes the median of terms of which some may be missing";
    if (why)
        refuse(v->arena, v->refusal, REFUSED_REDUCTION, v->stage, why, NULL);
    return !why;
}

/* The term as its operation joins it: a product where it is fused, the neutral value where the
 * condition excludes it. */
static const struct expr *term_of(struct values *v, const struct expr *reduce, size_t count,
                                  const struct expr_substitution by[])
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    const struct expr *condition = expr_reduce_condition(reduce);
    const struct expr *term = reduce->operand[0];
    if (shape->fused)
        term = binary(v, EXPR_MULTIPLY, term, reduce->operand[1]);
    term = value_substituted(v, term, count, by);
    if (shape->operation == REDUCTION_TALLY)
        term = expr_select(v->pool, term, integer(v, 1), integer(v, 0));
    if (condition)
        term = expr_select(v->pool, value_substituted(v, condition, count, by), term,
                           expr_reduction_start(v->pool, reduce));
    return term;
}

static struct terms terms_of(struct values *v, const struct expr *reduce)
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    struct expr_substitution by[GRAPH_MAX_RANK + REDUCTION_MOST_OPERANDS];
    int64_t at[GRAPH_MAX_RANK + REDUCTION_MOST_OPERANDS] = {0};
    const size_t count = (size_t)expr_reduction_terms(shape);
    struct terms terms = {ARENA_ARRAY(v->scratch, const struct expr *, count + 1), 0};
    for (unsigned k = 0; k < shape->rank; k++)
        by[k].node = reduction_variable(v->pool, v->scratch, reduce, k);
    while (terms.count < count) {
        for (unsigned k = 0; k < shape->rank; k++)
            by[k].by = integer(v, shape->range[k].first + at[k]);
        terms.item[terms.count++] = term_of(v, reduce, shape->rank, by);
        for (unsigned k = shape->rank; k-- > 0 && ++at[k] == shape->range[k].extent;)
            at[k] = 0;
    }
    return terms;
}

/* Joined in pairs, and pairs of pairs: as few in a row as there can be. */
static const struct expr *joined(struct values *v, enum expr_kind join, struct terms terms)
{
    while (terms.count > 1) {
        size_t made = 0;
        for (size_t i = 0; i < terms.count; i += 2)
            terms.item[made++] = i + 1 < terms.count
                                     ? binary(v, join, terms.item[i], terms.item[i + 1])
                                     : terms.item[i];
        terms.count = made;
    }
    return terms.item[0];
}

/* The lower middle of the terms in order. */
static const struct expr *median(struct values *v, struct terms terms)
{
    const int64_t top = exchange_top((int64_t)terms.count);
    struct exchange e = {0};
    for (int64_t last = 0; exchange_next(&e, &last, top);)
        for (int64_t i = 0; i + e.distance < (int64_t)terms.count; i++) {
            if ((i & e.bit) != e.rest)
                continue;
            const struct expr *a = terms.item[i], *b = terms.item[i + e.distance];
            terms.item[i] = binary(v, EXPR_MINIMUM, a, b);
            terms.item[i + e.distance] = binary(v, EXPR_MAXIMUM, a, b);
        }
    return terms.item[(terms.count - 1) / 2];
}

static const struct expr *written_out(struct values *v, const struct expr *reduce)
{
    const struct expr *start = expr_reduction_start(v->pool, reduce);
    if (!is_constant_reduction(v, reduce))
        return start;
    struct terms terms = terms_of(v, reduce);
    if (terms.count == 0)
        return start;
    if (reduce->as.reduce.operation == REDUCTION_MEDIAN)
        return median(v, terms);
    return joined(v, expr_reduction_join(reduce->as.reduce.operation), terms);
}

/* ---- Sums and products ---- */

/* How many powers of two are added or taken away to make the number. */
static unsigned digits(int64_t value)
{
    const uint64_t u = (uint64_t)value;
    return (unsigned)__builtin_popcountll(u ^ (3 * u)); /* signed digits, no two side by side */
}

/* A product by a positive number, as a sum of products by numbers of two digits: each takes one
 * adder, and no interval grows. */
static const struct expr *multiple(struct values *v, const struct expr *x, int64_t by)
{
    if (digits(by) <= 2)
        return binary(v, EXPR_MULTIPLY, x, integer(v, by));
    int64_t low = 0;
    for (int64_t bit = 1; digits(low | (by & bit)) <= 2; bit *= 2)
        low |= by & bit;
    return binary(v, EXPR_ADD, multiple(v, x, by - low),
                  binary(v, EXPR_MULTIPLY, x, integer(v, low)));
}

static const struct expr *product(struct values *v, const struct expr *node)
{
    const unsigned constant = node->operand[1]->kind == EXPR_INTEGER;
    const struct expr *by = node->operand[constant], *x = node->operand[1 - constant];
    if (by->kind != EXPR_INTEGER || by->as.integer == INT64_MIN || by->as.integer == 0)
        return node;
    if (by->as.integer > 0)
        return multiple(v, x, by->as.integer);
    return expr_unary(v->pool, EXPR_NEGATE, multiple(v, x, -by->as.integer));
}

/* a + -b is a - b. */
static const struct expr *sum(struct values *v, const struct expr *node)
{
    const struct expr *a = node->operand[0], *b = node->operand[1];
    if (a->kind == EXPR_NEGATE && b->kind == EXPR_NEGATE)
        return expr_unary(v->pool, EXPR_NEGATE, binary(v, EXPR_ADD, a->operand[0], b->operand[0]));
    if (b->kind == EXPR_NEGATE)
        return binary(v, EXPR_SUBTRACT, a, b->operand[0]);
    return a->kind == EXPR_NEGATE ? binary(v, EXPR_SUBTRACT, b, a->operand[0]) : node;
}

/* ---- Quotients ---- */

static bool is_power_of_two(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* floor(x / d) = (x m) >> k for 0 <= x <= most: m = ceil(2^k / d), and k the least for which
 * (m d - 2^k) most < 2^k. */
static const struct expr *reciprocal(struct values *v, const struct expr *x, int64_t d)
{
    const __int128 most = x->interval.greatest;
    for (unsigned k = 0; k < 62; k++) {
        const __int128 power = (__int128)1 << k, m = (power + d - 1) / d;
        if ((m * d - power) * most >= power)
            continue;
        if (m * most > INT64_MAX)
            break;
        return binary(v, EXPR_DIVIDE, multiple(v, x, (int64_t)m), integer(v, (int64_t)power));
    }
    refuse(v->arena, v->refusal, REFUSED_WIDE, v->stage, NULL, NULL);
    return x;
}

/* Of any x: q d is added to make it positive, and q taken away behind. */
static const struct expr *quotient(struct values *v, const struct expr *x, const struct expr *by)
{
    if (by->kind != EXPR_INTEGER) {
        refuse(v->arena, v->refusal, REFUSED_DIVISOR, v->stage, NULL, NULL);
        return x;
    }
    const int64_t d = by->as.integer;
    if (is_power_of_two(d))
        return binary(v, EXPR_DIVIDE, x, by);
    if (d < 0) {
        if (d == INT64_MIN || x->interval.least == INT64_MIN) {
            refuse(v->arena, v->refusal, REFUSED_WIDE, v->stage, NULL, NULL);
            return x;
        }
        return quotient(v, expr_unary(v->pool, EXPR_NEGATE, x), integer(v, -d));
    }
    const int64_t q = x->interval.least < 0 ? -floor_divide(x->interval.least, d) : 0;
    if (q == 0)
        return reciprocal(v, x, d);
    struct interval moved;
    const struct interval pair[2] = {x->interval, {q * d, q * d}};
    if (q > INT64_MAX / d || !expr_interval(EXPR_ADD, 2, pair, &moved)) {
        refuse(v->arena, v->refusal, REFUSED_WIDE, v->stage, NULL, NULL);
        return x;
    }
    x = binary(v, EXPR_ADD, x, integer(v, q * d));
    return binary(v, EXPR_SUBTRACT, reciprocal(v, x, d), integer(v, q));
}

/* x - d (x / d), of which the low bits are enough. */
static const struct expr *remainder_of(struct values *v, const struct expr *x,
                                       const struct expr *by)
{
    if (by->kind == EXPR_INTEGER && is_power_of_two(by->as.integer))
        return binary(v, EXPR_REMAINDER, x, by);
    if (by->kind != EXPR_INTEGER) {
        refuse(v->arena, v->refusal, REFUSED_DIVISOR, v->stage, NULL, NULL);
        return x;
    }
    if (by->as.integer < 0) {
        refuse(v->arena, v->refusal, REFUSED_REMAINDER, v->stage, NULL, NULL);
        return x;
    }
    const struct expr *whole = multiple(v, quotient(v, x, by), by->as.integer);
    const int64_t power = (int64_t)1 << interval_bits((struct interval){0, by->as.integer - 1});
    return binary(v, EXPR_REMAINDER, binary(v, EXPR_SUBTRACT, x, whole), integer(v, power));
}

/* ---- Conversions, shifts ---- */

static const struct expr *clamped(struct values *v, const struct expr *x, struct interval to)
{
    if (x->interval.greatest > to.greatest)
        x = binary(v, EXPR_MINIMUM, x, integer(v, to.greatest));
    if (x->interval.least < to.least)
        x = binary(v, EXPR_MAXIMUM, x, integer(v, to.least));
    return x;
}

static const struct expr *converted(struct values *v, const struct expr *node)
{
    const struct expr *x = node->operand[0];
    const struct interval to = scalar_info[node->scalar].interval;
    if (x->scalar == SCALAR_BOOL)
        return node->scalar == SCALAR_BOOL ? x
                                           : expr_select(v->pool, x, integer(v, 1), integer(v, 0));
    if (node->scalar == SCALAR_BOOL)
        return binary(v, EXPR_NOT_EQUAL, x, integer(v, 0));
    switch (node->as.convert) {
    case CONVERT_EXACT:
        return x;
    case CONVERT_ROUND:
    case CONVERT_TRUNCATE:
        return clamped(v, x, to);
    case CONVERT_WRAP:
    case CONVERSION_COUNT:
        break;
    }
    return interval_inside(x->interval, to) ? x : node;
}

/* A comparison that the intervals decide. */
static const struct expr *decided(struct values *v, const struct expr *node)
{
    const struct interval a = node->operand[0]->interval, b = node->operand[1]->interval;
    if (scalar_is_float(node->operand[0]->scalar))
        return node;
    const bool apart = a.greatest < b.least || b.greatest < a.least;
    switch (node->kind) {
    case EXPR_LESS:
        return a.greatest < b.least    ? expr_boolean(v->pool, true)
               : a.least >= b.greatest ? expr_boolean(v->pool, false)
                                       : node;
    case EXPR_LESS_EQUAL:
        return a.greatest <= b.least  ? expr_boolean(v->pool, true)
               : a.least > b.greatest ? expr_boolean(v->pool, false)
                                      : node;
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
        return apart ? expr_boolean(v->pool, node->kind == EXPR_NOT_EQUAL) : node;
    default:
        return node;
    }
}

static const struct expr *shifted(struct values *v, const struct expr *node)
{
    const struct expr *by = node->operand[1];
    if (by->kind != EXPR_INTEGER || by->as.integer > 62)
        return node;
    return binary(v, node->kind == EXPR_SHIFT_LEFT ? EXPR_MULTIPLY : EXPR_DIVIDE, node->operand[0],
                  integer(v, (int64_t)1 << by->as.integer));
}

/* ---- */

static const struct expr *expand(const struct expr *node, void *user)
{
    struct values *v = user;
    if (scalar_is_float(node->scalar)) {
        refuse(v->arena, v->refusal, REFUSED_FLOAT, v->stage, scalar_info[node->scalar].text, NULL);
        return node;
    }
    if (v->refusal->refused)
        return node;
    switch (node->kind) {
    case EXPR_CONVERT:
        return scalar_is_float(node->operand[0]->scalar) ? node : converted(v, node);
    case EXPR_REDUCE: {
        struct expr_rewriter rewriter = {
            .pool = v->pool, .rule = expand, .context = v, .scratch = v->scratch};
        return expr_rewrite(&rewriter, written_out(v, node));
    }
    case EXPR_MULTIPLY:
        return product(v, node);
    case EXPR_ADD:
        return sum(v, node);
    case EXPR_ORDERED_MINIMUM:
        return binary(v, EXPR_MINIMUM, node->operand[0], node->operand[1]);
    case EXPR_ORDERED_MAXIMUM:
        return binary(v, EXPR_MAXIMUM, node->operand[0], node->operand[1]);
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
        return decided(v, node);
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
        return shifted(v, node);
    case EXPR_DIVIDE:
        return quotient(v, node->operand[0], node->operand[1]);
    case EXPR_REMAINDER:
        return remainder_of(v, node->operand[0], node->operand[1]);
    default:
        return node;
    }
}

const struct expr *value_expanded(struct values *v, const struct expr *value)
{
    struct expr_rewriter rewriter = {
        .pool = v->pool, .rule = expand, .context = v, .scratch = v->scratch};
    return expr_rewrite(&rewriter, value);
}

const struct expr *value_total(struct values *v, size_t count, const struct expr *const term[])
{
    struct terms terms = {arena_copy(v->scratch, term, count * sizeof(const struct expr *)), count};
    return value_expanded(v, joined(v, EXPR_ADD, terms));
}

/* ---- Choices ---- */

/* By one bit of the index after the other. */
static const struct expr *picked_from(struct values *v, const struct expr *index, unsigned bit,
                                      size_t count, const struct expr *const choice[])
{
    const size_t half = (size_t)1 << bit;
    if (count == 1)
        return choice[0];
    if (count <= half)
        return picked_from(v, index, bit - 1, count, choice);
    const struct expr *low = picked_from(v, index, bit ? bit - 1 : 0, half, choice);
    const struct expr *high = picked_from(v, index, bit ? bit - 1 : 0, count - half, choice + half);
    const struct expr *shifted_index = binary(v, EXPR_DIVIDE, index, integer(v, (int64_t)half));
    const struct expr *is_high = binary(
        v, EXPR_NOT_EQUAL, binary(v, EXPR_REMAINDER, shifted_index, integer(v, 2)), integer(v, 0));
    return expr_select(v->pool, is_high, high, low);
}

const struct expr *value_picked(struct values *v, const struct expr *index, int64_t first,
                                size_t count, const struct expr *const choice[])
{
    unsigned bit = 0;
    while (((size_t)2 << bit) < count)
        bit++;
    return picked_from(v, binary(v, EXPR_SUBTRACT, index, integer(v, first)), bit, count, choice);
}

const struct expr *value_clamped(struct values *v, const struct expr *index, enum border_rule rule,
                                 int64_t first, int64_t extent)
{
    const struct interval box = {first, first + extent - 1};
    if (rule == BORDER_NONE || interval_inside(index->interval, box))
        return index;
    return rule == BORDER_CLAMP ? clamped(v, index, box) : NULL;
}
