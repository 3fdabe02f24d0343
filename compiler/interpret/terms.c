#include "interpret/terms.h"
#include "analysis/border_index.h"
#include "expr/borders.h"
#include "interpret/fingerprint.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The variables that stand for leaves, by what they are: `holds` of a term tells which it has. */
#define LEAF_SAMPLE VARIABLE_LOCAL
#define LEAF_PARAMETER VARIABLE_PARAMETER
#define LEAF_UNWRITTEN VARIABLE_EXTENT
#define HOLDS_SAMPLE HOLDS_LOCAL

const char *const uncovered_text[UNCOVERED_COUNT] = {
#define UNCOVERED(name, text) [UNCOVERED_##name] = text,
#include "interpret/uncovered.def"
#undef UNCOVERED
};

struct terms {
    struct expr_pool pool;
    struct symbol_table symbols;
    struct fingerprints prints;
    enum uncovered uncovered;
    VECTOR(struct value) parameters; /* with the leaves that stand for them */
    VECTOR(struct value) placements; /* what particles are placed by */
    bool keeps_placements;           /* there are no others */
    size_t most;
    unsigned unneeded;          /* made so far */
    const struct expr *assumed; /* a part of terms that has one number for now; NULL: none */
    int64_t number;
};

struct terms *terms_create(struct arena *arena, size_t most)
{
    struct terms *terms = ARENA_NEW(arena, struct terms);
    *terms = (struct terms){.pool.arena = arena,
                            .symbols.arena = arena,
                            .prints = {&terms->pool, arena, NULL, 0},
                            .most = most};
    return terms;
}

struct arena *terms_scratch(const struct terms *terms)
{
    return arena_sibling(terms->pool.arena);
}

size_t terms_count(const struct terms *terms)
{
    return terms->pool.count;
}

void terms_uncover(struct terms *terms, enum uncovered why)
{
    if (terms->uncovered == COVERED)
        terms->uncovered = why;
}

enum uncovered terms_uncovered(const struct terms *terms)
{
    return terms->uncovered;
}

bool terms_are_of_samples(struct value value)
{
    return value.term && value.term->holds & HOLDS_SAMPLE;
}

int64_t terms_choose(struct terms *terms, struct value value)
{
    if (terms_are_of_samples(value))
        terms_uncover(terms, UNCOVERED_CHOICE);
    return value.integer;
}

/* ---- Making terms ---- */

static struct value leaf(struct terms *terms, enum variable_kind kind, enum scalar scalar,
                         const char *name, struct value number)
{
    number.term = expr_variable(&terms->pool, kind, symbol_from(&terms->symbols, name), scalar,
                                scalar_info[scalar].interval);
    return number;
}

struct value terms_leaf(struct terms *terms, const char *name, enum scalar scalar, unsigned rank,
                        const int64_t place[], struct value number)
{
    struct text text = text_create(terms->pool.arena);
    text_print(&text, "%s[", name);
    for (unsigned k = 0; k < rank; k++)
        text_print(&text, "%s%" PRId64, k ? ", " : "", place[k]);
    text_print(&text, "]");
    return leaf(terms, LEAF_SAMPLE, scalar, text.bytes, number);
}

const struct value *terms_given(const struct terms *terms, const struct expr *leaf)
{
    for (size_t i = 0; i < terms->parameters.count; i++)
        if (terms->parameters.item[i].term == leaf)
            return &terms->parameters.item[i];
    return NULL;
}

const struct expr *terms_unwritten(struct terms *terms, const char *name, enum scalar scalar)
{
    const char *text = arena_format(terms->pool.arena, "unwritten memory of '%s'", name);
    return leaf(terms, LEAF_UNWRITTEN, scalar, text, (struct value){.integer = 0}).term;
}

const struct expr *terms_unneeded(struct terms *terms, enum scalar scalar)
{
    const char *text =
        arena_format(terms->pool.arena, "what lies outside, read %u", ++terms->unneeded);
    return leaf(terms, LEAF_UNWRITTEN, scalar, text, (struct value){.integer = 0}).term;
}

static const struct expr *term_of(struct terms *terms, enum scalar scalar, struct value value)
{
    return value.term ? value.term : expr_constant(&terms->pool, scalar, value);
}

/* An integer or a truth of parameters alone is that of the values tried: it decides what memory
 * there is, and so which samples can be read. */
static bool is_decided(const struct expr *term)
{
    return !scalar_is_float(term->scalar) && !(term->holds & (HOLDS_SAMPLE | HOLDS_EXTENT));
}

/* Where the terms have become too many, numbers go on alone. */
static struct value with_term(struct terms *terms, const struct expr *term, struct value number)
{
    number.term = NULL;
    if (terms->pool.count > terms->most) {
        terms_uncover(terms, UNCOVERED_SIZE);
    } else if (expr_is_constant(term)) {
        assert(value_equal(term->scalar, evaluate_constant(term), number));
    } else if (!is_decided(term)) {
        fingerprint_make(&terms->prints, term);
        number.term = term;
    }
    return number;
}

struct value terms_parameter(struct terms *terms, const char *name, enum scalar scalar,
                             struct value number)
{
    const struct value given = leaf(terms, LEAF_PARAMETER, scalar, name, number);
    VECTOR_PUSH(terms->pool.arena, &terms->parameters, given);
    return with_term(terms, given.term, number);
}

static bool is_real(const struct expr *term, double value)
{
    return term->kind == EXPR_REAL && memcmp(&term->as.real, &value, sizeof value) == 0;
}

/* c ? a : b where it is the lesser or the greater of a and b, which are defined so. */
static const struct expr *chosen_extremum(struct terms *terms, const struct expr *const v[])
{
    const struct expr *const *const compared = v[0]->operand;
    if (v[0]->kind != EXPR_LESS)
        return NULL;
    if (compared[0] == v[1] && compared[1] == v[2])
        return expr_operation(&terms->pool, EXPR_MINIMUM, 2, v + 1);
    return compared[0] == v[2] && compared[1] == v[1]
               ? expr_operation(&terms->pool, EXPR_MAXIMUM, 2, v + 1)
               : NULL;
}

/* The inverse of a power of two, where both are normal numbers of f32: a quotient is a product with
 * it, to the bit. 0: of anything else. */
static double inverse_of_power(const struct expr *term)
{
    int exponent;
    return term->kind == EXPR_REAL && fabs(frexp(term->as.real, &exponent)) == 0.5 &&
                   exponent > -100 && exponent < 100
               ? 1 / term->as.real
               : 0;
}

/* What passes make of floats without a change of any bit, beside what expr_operation() does: x + -0
 * and x - 0 are x, a b + -0 is a b, -0 - x and -1 x are -x; the least of x and NaN, which is the
 * greatest of all, and the greatest of x and -inf are x. */
static const struct expr *identity(struct terms *terms, enum expr_kind kind,
                                   const struct expr *const v[]);

/* max(min(x, b), a) of integers a <= b as min(max(x, a), b). */
static const struct expr *limited(struct terms *terms, const struct expr *const v[])
{
    const unsigned fixed = v[0]->kind != EXPR_INTEGER;
    const struct expr *least = v[fixed], *inner = v[1 - fixed];
    if (least->kind != EXPR_INTEGER || inner->kind != EXPR_MINIMUM)
        return NULL;
    const unsigned end = inner->operand[0]->kind != EXPR_INTEGER;
    const struct expr *greatest = inner->operand[end];
    if (greatest->kind != EXPR_INTEGER || greatest->as.integer < least->as.integer)
        return NULL;
    return expr_binary(&terms->pool, EXPR_MINIMUM,
                       expr_binary(&terms->pool, EXPR_MAXIMUM, inner->operand[1 - end], least),
                       greatest);
}

/* A conversion between integers that limits, as the least and the greatest. */
static const struct expr *converted(struct terms *terms, enum conversion mode, enum scalar to,
                                    const struct expr *a)
{
    struct expr_pool *pool = &terms->pool;
    const struct interval ends = scalar_info[to].interval;
    if (mode == CONVERT_WRAP || !scalar_is_integer(to) || !scalar_is_integer(a->scalar) ||
        to == SCALAR_BOOL || a->scalar == SCALAR_BOOL || interval_inside(a->interval, ends))
        return expr_convert(pool, mode, to, a);
    return expr_convert(
        pool, mode, to,
        expr_binary(pool, EXPR_MINIMUM,
                    expr_binary(pool, EXPR_MAXIMUM, a, expr_integer(pool, ends.least)),
                    expr_integer(pool, ends.greatest)));
}

static const struct expr *made(struct terms *terms, enum expr_kind kind, unsigned count,
                               const struct expr *const operand[])
{
    const struct expr *same = identity(terms, kind, operand);
    return same ? same : expr_operation(&terms->pool, kind, count, operand);
}

static const struct expr *negated(struct terms *terms, const struct expr *a)
{
    return expr_unary(&terms->pool, EXPR_NEGATE, a);
}

static const struct expr *fused_identity(struct terms *terms, const struct expr *const v[])
{
    if (is_real(v[2], -0.0))
        return made(terms, EXPR_MULTIPLY, 2, v);
    for (unsigned i = 0; i < 2; i++)
        if (is_real(v[i], -1.0))
            return made(terms, EXPR_SUBTRACT, 2, (const struct expr *[]){v[2], v[1 - i]});
    return NULL;
}

static const struct expr *identity(struct terms *terms, enum expr_kind kind,
                                   const struct expr *const v[])
{
    switch ((int)kind) {
    case EXPR_SELECT:
        return chosen_extremum(terms, v);
    case EXPR_DIVIDE: {
        const double inverse = inverse_of_power(v[1]);
        const struct expr *const product[2] = {
            v[0], inverse != 0 ? expr_real(&terms->pool, v[1]->scalar, inverse) : NULL};
        return inverse != 0 ? expr_operation(&terms->pool, EXPR_MULTIPLY, 2, product) : NULL;
    }
    case EXPR_MINIMUM:
        return v[0] == v[1] ? v[0] : NULL;
    case EXPR_MAXIMUM:
        return v[0] == v[1] ? v[0] : limited(terms, v);
    case EXPR_ADD:
        return is_real(v[0], -0.0) ? v[1] : is_real(v[1], -0.0) ? v[0] : NULL;
    case EXPR_SUBTRACT:
        return is_real(v[1], 0.0) ? v[0] : is_real(v[0], -0.0) ? negated(terms, v[1]) : NULL;
    case EXPR_MULTIPLY:
        return is_real(v[0], -1.0)   ? negated(terms, v[1])
               : is_real(v[1], -1.0) ? negated(terms, v[0])
                                     : NULL;
    case EXPR_FUSED:
        return fused_identity(terms, v);
    case EXPR_ORDERED_MINIMUM:
        if (scalar_is_integer(v[0]->scalar))
            return expr_operation(&terms->pool, EXPR_MINIMUM, 2, v);
        for (unsigned i = 0; i < 2; i++)
            if (v[i]->kind == EXPR_REAL && isnan(v[i]->as.real))
                return v[1 - i];
        return NULL;
    case EXPR_ORDERED_MAXIMUM:
        if (scalar_is_integer(v[0]->scalar))
            return expr_operation(&terms->pool, EXPR_MAXIMUM, 2, v);
        return is_real(v[0], (double)-INFINITY)   ? v[1]
               : is_real(v[1], (double)-INFINITY) ? v[0]
                                                  : NULL;
    default:
        return NULL;
    }
}

static struct value operation(struct terms *terms, enum expr_kind kind, unsigned count,
                              const struct expr *const operand[], struct value number)
{
    return with_term(terms, made(terms, kind, count, operand), number);
}

struct value terms_operation(struct terms *terms, const struct expr *node,
                             const struct value operand[], struct value number)
{
    const struct expr *term[EXPR_MOST_OPERANDS];
    bool is_known = true;
    number.term = NULL;
    for (unsigned i = 0; i < node->count; i++)
        is_known = is_known && !operand[i].term;
    if (is_known)
        return number;
    for (unsigned i = 0; i < node->count; i++)
        term[i] = term_of(terms, node->operand[i]->scalar, operand[i]);
    const struct expr *same = node->kind == EXPR_EXTERNAL ? NULL
                              : node->kind == EXPR_CONVERT
                                  ? converted(terms, node->as.convert, node->scalar, term[0])
                                  : identity(terms, node->kind, term);
    return with_term(terms, same ? same : expr_with_operands(&terms->pool, node, term), number);
}

struct value terms_convert(struct terms *terms, enum conversion mode, enum scalar from,
                           enum scalar to, struct value operand, struct value number)
{
    number.term = NULL;
    return operand.term
               ? with_term(terms, converted(terms, mode, to, term_of(terms, from, operand)), number)
               : number;
}

/* The same of an operand of integer arithmetic: a sum counts truths. */
static const struct expr *number_of(struct terms *terms, enum scalar scalar, struct value value)
{
    const struct expr *term = term_of(terms, scalar, value);
    return scalar_is_integer(scalar) && term->scalar == SCALAR_BOOL
               ? expr_convert(&terms->pool, CONVERT_EXACT, SCALAR_I32, term)
               : term;
}

struct value terms_binary(struct terms *terms, enum expr_kind kind, enum scalar scalar,
                          struct value a, struct value b, struct value number)
{
    number.term = NULL;
    if (!a.term && !b.term)
        return number;
    const struct expr *const pair[2] = {number_of(terms, scalar, a), number_of(terms, scalar, b)};
    return operation(terms, kind, 2, pair, number);
}

struct value terms_not(struct terms *terms, struct value truth, struct value number)
{
    number.term = NULL;
    return truth.term ? operation(terms, EXPR_NOT, 1, &truth.term, number) : number;
}

struct value terms_fused(struct terms *terms, enum scalar scalar, struct value a, struct value b,
                         struct value c, struct value number)
{
    number.term = NULL;
    if (!a.term && !b.term && !c.term)
        return number;
    const struct expr *const three[3] = {term_of(terms, scalar, a), term_of(terms, scalar, b),
                                         term_of(terms, scalar, c)};
    return operation(terms, EXPR_FUSED, 3, three, number);
}

struct value terms_select(struct terms *terms, enum scalar scalar, struct value condition,
                          struct value a, struct value b, struct value number)
{
    number.term = NULL;
    if (!condition.term) {
        number.term = (condition.integer ? a : b).term;
        return number;
    }
    const struct expr *const three[3] = {condition.term, term_of(terms, scalar, a),
                                         term_of(terms, scalar, b)};
    return operation(terms, EXPR_SELECT, 3, three, number);
}

struct value terms_clamp(struct terms *terms, enum scalar scalar, struct value value,
                         struct interval within, struct value number)
{
    struct expr_pool *pool = &terms->pool;
    const struct expr *above = expr_binary(pool, EXPR_MAXIMUM, term_of(terms, scalar, value),
                                           expr_integer(pool, within.least));
    return with_term(
        terms, expr_binary(pool, EXPR_MINIMUM, above, expr_integer(pool, within.greatest)), number);
}

/* Of few arguments each: f(a, b, …) is f(f(a, …), b, …). */
struct value terms_function(struct terms *terms, const char *name, enum scalar scalar, size_t count,
                            const struct value argument[], struct value number)
{
    enum { TOGETHER = EXPR_MOST_OPERANDS - 1 };
    struct external external = {.name = symbol_from(&terms->symbols, name),
                                .header = symbol_from(&terms->symbols, "terms"),
                                .result = scalar};
    const struct expr *operand[EXPR_MOST_OPERANDS] = {NULL};
    const struct expr *so_far = NULL;
    for (size_t i = 0; i < count || !so_far;) {
        external.count = 0;
        if (so_far)
            operand[external.count++] = so_far;
        for (unsigned k = 0; k < TOGETHER && i < count; k++, i++)
            operand[external.count++] = term_of(terms, scalar, argument[i]);
        for (unsigned k = 0; k < external.count; k++)
            external.parameter[k] = scalar;
        so_far = expr_external(&terms->pool, &external, operand);
    }
    return with_term(terms, so_far, number);
}

struct value terms_table(struct terms *terms, const struct number_table *table, struct value index,
                         struct value number)
{
    const struct expr *place = expr_binary(&terms->pool, EXPR_SUBTRACT, index.term,
                                           expr_integer(&terms->pool, table->first));
    const char *name = arena_format(terms->pool.arena, "table %016" PRIx64, table->hash);
    const struct external function = {.name = symbol_from(&terms->symbols, name),
                                      .header = symbol_from(&terms->symbols, "terms"),
                                      .result = table->scalar,
                                      .count = 1,
                                      .parameter = {place->scalar}};
    const struct value taken = {.term = expr_external(&terms->pool, &function, &place)};
    return scalar_is_integer(table->scalar)
               ? terms_clamp(terms, table->scalar, taken, table->within, number)
               : with_term(terms, taken.term, number);
}

void terms_place(struct terms *terms, enum scalar scalar, struct value by)
{
    for (size_t i = 0; i < terms->placements.count; i++)
        if (terms_equal(terms, scalar, terms->placements.item[i], by))
            return;
    if (terms->keeps_placements)
        terms_uncover(terms, UNCOVERED_FORM);
    VECTOR_PUSH(terms->pool.arena, &terms->placements, by);
}

void terms_keep_placements(struct terms *terms)
{
    terms->keeps_placements = true;
}

/* ---- Terms that choose ---- */

void terms_assume(struct terms *terms, const struct expr *part, int64_t number)
{
    terms->assumed = part;
    terms->number = number;
}

void terms_narrow_assumed(const struct terms *terms, const struct expr *part, int64_t *least,
                          int64_t *greatest)
{
    if (part == terms->assumed)
        *least = *greatest = terms->number;
}

static struct value known_or_not(const struct expr *term)
{
    return expr_is_constant(term) ? evaluate_constant(term) : (struct value){.term = term};
}

struct value terms_where(struct terms *terms, struct value value, const struct expr *part,
                         int64_t number)
{
    if (value.term == part)
        return (struct value){.integer = number};
    struct arena *scratch = arena_aside(terms->pool.arena);
    const struct arena_mark mark = arena_mark(scratch);
    const struct expr *by = expr_integer(&terms->pool, number);
    struct value result =
        known_or_not(expr_substitute(&terms->pool, scratch, value.term, part, by));
    if (result.term)
        result.integer = value.integer;
    arena_release(scratch, mark);
    return result;
}

void terms_border(struct terms *terms, enum border_rule rule, int64_t first, int64_t extent,
                  struct value *index, struct value *inside)
{
    struct expr_pool *pool = &terms->pool;
    const struct border border = {
        .rule = rule, .first = expr_integer(pool, first), .extent = expr_integer(pool, extent)};
    bool outside;
    const int64_t place = border_coordinate(rule, index->integer, first, extent, &outside);
    const int64_t nearest = index->integer < first ? first : first + extent - 1;
    const struct expr *term = index->term;
    index->integer = outside ? nearest : place;
    inside->integer = !outside;
    if (!term)
        return;
    const struct expr *is_inside = border_is_inside(pool, term, &border);
    *index = with_term(terms, border_index(pool, term, &border), *index);
    *inside = with_term(terms, is_inside, *inside);
}

/* ---- Comparing ---- */

bool terms_equal(struct terms *terms, enum scalar scalar, struct value a, struct value b)
{
    if (!a.term && !b.term)
        return value_equal(scalar, a, b);
    const struct expr *one = term_of(terms, scalar, a), *other = term_of(terms, scalar, b);
    if (one == other || fingerprints_equal(&terms->prints, one, other))
        return true;
    const unsigned bits = 8 * scalar_info[scalar].bytes;
    return scalar_is_integer(scalar) && fingerprint_modulo(&terms->prints, bits, one) ==
                                            fingerprint_modulo(&terms->prints, bits, other);
}

/* The operand of one that differs from that of the other: the only one, in any order of two; else
 * the first one. False: the two are other operations. */
static bool differing_operands(struct terms *terms, const struct expr **a, const struct expr **b)
{
    const struct expr *one = *a, *other = *b;
    if (one->kind != other->kind || one->count != other->count || one->count == 0)
        return false;
    const bool turns = one->count == 2 && one->scalar == other->scalar;
    for (unsigned i = 0; turns && i < 2; i++)
        for (unsigned k = 0; k < 2; k++)
            if (fingerprints_equal(&terms->prints, one->operand[i], other->operand[k])) {
                *a = one->operand[1 - i];
                *b = other->operand[1 - k];
                return true;
            }
    for (unsigned i = 0; i < one->count; i++)
        if (!fingerprints_equal(&terms->prints, one->operand[i], other->operand[i])) {
            *a = one->operand[i];
            *b = other->operand[i];
            return true;
        }
    return false;
}

void terms_narrow(struct terms *terms, struct value *a, struct value *b)
{
    while (a->term && b->term && differing_operands(terms, &a->term, &b->term))
        ;
}

static void print_part(struct text *text, const struct expr *term, unsigned depth)
{
    if (term->kind == EXPR_VARIABLE)
        text_print(text, "%s", term->as.variable.name->text);
    else if (term->kind == EXPR_INTEGER)
        text_print(text, "%" PRId64, term->as.integer);
    else if (term->kind == EXPR_REAL)
        text_real(text, term->as.real, term->scalar == SCALAR_F64 ? 64 : 32);
    else if (depth == 0)
        text_print(text, "…");
    if (term->count == 0 || depth == 0)
        return;
    text_print(text, "%s(",
               term->kind == EXPR_EXTERNAL  ? term->as.external->name->text
               : term->kind == EXPR_CONVERT ? scalar_info[term->scalar].text
                                            : expr_info[term->kind].text);
    for (unsigned i = 0; i < term->count; i++) {
        text_print(text, "%s", i ? ", " : "");
        print_part(text, term->operand[i], depth - 1);
    }
    text_print(text, ")");
}

void terms_print(struct terms *terms, enum scalar scalar, struct value value, struct text *text)
{
    enum { DEPTH = 5 };
    print_part(text, term_of(terms, scalar, value), DEPTH);
}
