#include "interpret/fingerprint.h"

#include <stdlib.h>

/* The least and the greatest of more are told by their order, too. */
enum { MOST_MEMBERS = 4096 };
#define PRIME ((UINT64_C(1) << 61) - 1)

struct fingerprint {
    uint64_t print; /* below PRIME */
    /* Of the least or greatest of several: their prints, ascending, each once. */
    const uint64_t *member;
    uint32_t members;
    bool known;
};

/* ---- Modulo the prime ---- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    const uint64_t s = a + b;
    return s >= PRIME ? s - PRIME : s;
}

static uint64_t negative(uint64_t a)
{
    return a == 0 ? 0 : PRIME - a;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
    return sum(a, negative(b));
}

static uint64_t product(uint64_t a, uint64_t b)
{
    const unsigned __int128 p = (unsigned __int128)a * b;
    const uint64_t low = (uint64_t)(p & PRIME), high = (uint64_t)(p >> 61);
    return sum(low, high >= PRIME ? high - PRIME : high);
}

static uint64_t of_integer(int64_t value)
{
    return value < 0 ? negative((0 - (uint64_t)value) % PRIME) : (uint64_t)value % PRIME;
}

static uint64_t mixed(uint64_t kind, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t key[4] = {kind, a, b, c};
    return hash_bytes(key, sizeof key, 0x9e3779b97f4a7c15u) % PRIME;
}

/* The smaller one of a number and its negative; *turned: that is the negative. */
static uint64_t magnitude(uint64_t print, bool *turned)
{
    const uint64_t other = negative(print);
    *turned = other < print;
    return *turned ? other : print;
}

/* ---- Rules ---- */

static struct fingerprint *known(struct fingerprints *prints, const struct expr *term)
{
    fingerprint_of(prints, term);
    return &prints->of[term->id];
}

/* d > 0, of integers; not (d > 0) is 1 - d > 0. */
static uint64_t is_positive(uint64_t d)
{
    const uint64_t other = difference(1, d);
    return other < d ? difference(1, mixed(EXPR_LESS, other, 0, 0)) : mixed(EXPR_LESS, d, 0, 0);
}

static uint64_t is_zero(uint64_t d)
{
    bool turned;
    return mixed(EXPR_EQUAL, magnitude(d, &turned), 0, 0);
}

/* A truth, or an integer of its interval, compared with 0 is itself or its opposite. */
static bool compares_truth(const struct expr *t)
{
    const struct expr *a = t->operand[0], *b = t->operand[1];
    return b->kind == EXPR_INTEGER && b->as.integer == 0 && a->interval.least >= 0 &&
           a->interval.greatest <= 1;
}

static uint64_t quotient(uint64_t a, uint64_t b)
{
    return mixed(EXPR_DIVIDE, a, b, 0);
}

static int64_t power_of_two(int64_t exponent)
{
    return exponent >= 0 && exponent < 62 ? INT64_C(1) << exponent : 0;
}

static bool is_mask(const struct expr *t)
{
    return t->kind == EXPR_INTEGER && t->as.integer > 0 && t->as.integer < INT64_MAX &&
           (t->as.integer & (t->as.integer + 1)) == 0;
}

/* Of integers and truths; false: no rule. */
static bool of_integers(const struct expr *t, uint64_t a, uint64_t b, uint64_t *print)
{
    const struct expr *right = t->count > 1 ? t->operand[1] : NULL;
    const bool fixed = right && right->kind == EXPR_INTEGER;
    const int64_t power = fixed ? power_of_two(right->as.integer) : 0;
    bool turned;
    switch ((int)t->kind) {
    case EXPR_NEGATE:
        *print = negative(a);
        return true;
    case EXPR_ADD:
        *print = sum(a, b);
        return true;
    case EXPR_SUBTRACT:
        *print = difference(a, b);
        return true;
    case EXPR_MULTIPLY:
    case EXPR_AND:
        *print = product(a, b);
        return true;
    case EXPR_OR:
        *print = difference(sum(a, b), product(a, b));
        return true;
    case EXPR_NOT:
        *print = difference(1, a);
        return true;
    case EXPR_EQUAL:
        *print = compares_truth(t) ? difference(1, a) : is_zero(difference(a, b));
        return true;
    case EXPR_NOT_EQUAL:
        *print = compares_truth(t) ? a : difference(1, is_zero(difference(a, b)));
        return true;
    case EXPR_LESS:
        *print = is_positive(difference(b, a));
        return true;
    case EXPR_LESS_EQUAL:
        *print = is_positive(sum(difference(b, a), 1));
        return true;
    case EXPR_ABSOLUTE:
        *print = mixed(EXPR_ABSOLUTE, magnitude(a, &turned), 0, 0);
        return true;
    case EXPR_BIT_AND: /* with 2^k - 1: the remainder by 2^k */
        if (is_mask(right)) {
            const uint64_t size = of_integer(right->as.integer + 1);
            *print = difference(a, product(quotient(a, size), size));
            return true;
        }
        *print = mixed(t->kind, sum(a, b), product(a, b), 0);
        return true;
    case EXPR_BIT_OR:
    case EXPR_BIT_XOR:
        *print = mixed(t->kind, sum(a, b), product(a, b), 0);
        return true;
    case EXPR_SHIFT_LEFT:
        *print = power ? product(a, of_integer(power)) : mixed(t->kind, a, b, 0);
        return true;
    case EXPR_SHIFT_RIGHT:
        *print = power ? quotient(a, of_integer(power)) : mixed(t->kind, a, b, 0);
        return true;
    case EXPR_DIVIDE:
        *print = quotient(a, b);
        return true;
    case EXPR_REMAINDER: /* by 0 it is 0 */
        *print = fixed && right->as.integer != 0 ? difference(a, product(quotient(a, b), b))
                                                 : mixed(t->kind, a, b, 0);
        return true;
    default:
        return false;
    }
}

static uint64_t float_product(uint64_t a, uint64_t b, enum scalar scalar)
{
    bool one, other;
    const uint64_t x = magnitude(a, &one), y = magnitude(b, &other);
    const uint64_t of_both = mixed(EXPR_MULTIPLY, sum(x, y), product(x, y), scalar);
    return one != other ? negative(of_both) : of_both;
}

/* Of operands that are floats; false: no rule. */
static bool of_floats(const struct expr *t, uint64_t a, uint64_t b, uint64_t c, uint64_t *print)
{
    bool turned;
    switch ((int)t->kind) {
    case EXPR_NEGATE:
        *print = negative(a);
        return true;
    case EXPR_SUBTRACT:
        b = negative(b);
        __attribute__((fallthrough));
    case EXPR_ADD:
        *print = mixed(EXPR_ADD, sum(a, b), product(a, b), t->scalar);
        return true;
    case EXPR_MULTIPLY:
        *print = float_product(a, b, t->scalar);
        return true;
    case EXPR_FUSED:
        *print = mixed(EXPR_FUSED, float_product(a, b, t->scalar), c, t->scalar);
        return true;
    case EXPR_ABSOLUTE:
        *print = mixed(EXPR_ABSOLUTE, magnitude(a, &turned), 0, 0);
        return true;
    case EXPR_EQUAL:
        *print = mixed(EXPR_EQUAL, sum(a, b), product(a, b), 1);
        return true;
    case EXPR_NOT_EQUAL:
        *print = difference(1, mixed(EXPR_EQUAL, sum(a, b), product(a, b), 1));
        return true;
    default:
        return false;
    }
}

/* Whether a conversion keeps every value: between integers, to a type that holds them. */
static bool is_kept(const struct expr *t)
{
    return t->kind == EXPR_CONVERT && !scalar_is_float(t->scalar) &&
           !scalar_is_float(t->operand[0]->scalar) &&
           interval_inside(t->operand[0]->interval, scalar_info[t->scalar].interval);
}

static uint64_t of_conversion(const struct expr *t, uint64_t a)
{
    if (scalar_is_float(t->scalar))
        return mixed(EXPR_CONVERT, a, t->scalar, 0);
    if (scalar_is_float(t->operand[0]->scalar))
        return mixed(EXPR_CONVERT, a, t->scalar, 1 + (uint64_t)t->as.convert);
    if (is_kept(t))
        return a;
    return mixed(EXPR_CONVERT, a, t->scalar, 1 + (uint64_t)(t->as.convert == CONVERT_WRAP));
}

static enum expr_kind set_kind(const struct expr *t)
{
    const bool real = scalar_is_float(t->scalar);
    if (t->kind == EXPR_ORDERED_MINIMUM || (t->kind == EXPR_MINIMUM && !real))
        return EXPR_ORDERED_MINIMUM;
    return t->kind == EXPR_ORDERED_MAXIMUM || (t->kind == EXPR_MAXIMUM && !real)
               ? EXPR_ORDERED_MAXIMUM
               : EXPR_KIND_COUNT;
}

/* The members of both, ascending, each once. */
static void join_members(struct fingerprints *prints, const struct expr *t,
                         struct fingerprint *result)
{
    struct fingerprint side[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *part = t->operand[i];
        while (is_kept(part))
            part = part->operand[0];
        const struct fingerprint *operand = known(prints, part);
        const bool joins = operand->members && set_kind(part) == set_kind(t);
        side[i].member = joins ? operand->member : &operand->print;
        side[i].members = joins ? operand->members : 1;
    }
    uint64_t *member = ARENA_ARRAY(prints->arena, uint64_t, side[0].members + side[1].members);
    uint32_t count = 0;
    for (uint32_t i = 0, k = 0; i < side[0].members || k < side[1].members;) {
        const bool first =
            k == side[1].members || (i < side[0].members && side[0].member[i] <= side[1].member[k]);
        const uint64_t next = first ? side[0].member[i++] : side[1].member[k++];
        if (count == 0 || member[count - 1] != next)
            member[count++] = next;
    }
    result->member = member;
    result->members = count > MOST_MEMBERS ? 0 : count;
    result->print = hash_bytes(member, count * sizeof *member, set_kind(t)) % PRIME;
}

static uint64_t by_operands(struct fingerprints *prints, const struct expr *t)
{
    uint64_t key[2 + EXPR_MOST_OPERANDS] = {t->kind, t->scalar};
    if (t->kind == EXPR_EXTERNAL)
        key[1] = hash_bytes(t->as.external->name->text, t->as.external->name->length, 1);
    /* Places of a noise that are not given are 0. */
    const unsigned count = t->kind != EXPR_NOISE ? t->count : t->count <= 5 ? 5 : 9;
    for (unsigned i = 0; i < t->count; i++)
        key[2 + i] = fingerprint_of(prints, t->operand[i]);
    for (unsigned i = t->count; i < count; i++)
        key[2 + i] = of_integer(0);
    return hash_bytes(key, (2 + count) * sizeof *key, 2) % PRIME;
}

static uint64_t of_leaf(const struct expr *t)
{
    uint64_t bits;
    if (t->kind == EXPR_INTEGER)
        return of_integer(t->as.integer);
    memcpy(&bits, &t->as.real, sizeof bits);
    return t->kind == EXPR_REAL ? mixed(EXPR_REAL, bits, t->scalar, 0)
                                : mixed(t->kind, t->id, t->scalar, 0);
}

static void find(struct fingerprints *prints, const struct expr *t, struct fingerprint *result)
{
    if (t->count == 0 && t->kind != EXPR_EXTERNAL) {
        result->print = of_leaf(t);
        return;
    }
    if (set_kind(t) != EXPR_KIND_COUNT) {
        join_members(prints, t, result);
        return;
    }
    uint64_t print[3] = {0, 0, 0};
    for (unsigned i = 0; i < t->count && i < 3; i++)
        print[i] = fingerprint_of(prints, t->operand[i]);
    const uint64_t a = print[0], b = print[1], c = print[2];
    if (t->kind == EXPR_CONVERT)
        result->print = of_conversion(t, a);
    else if (t->kind == EXPR_SELECT)
        result->print = sum(c, product(a, difference(b, c)));
    else if (t->kind == EXPR_EXTERNAL || t->kind == EXPR_NOISE ||
             !(scalar_is_float(t->operand[0]->scalar) ? of_floats(t, a, b, c, &result->print)
                                                      : of_integers(t, a, b, &result->print)))
        result->print = by_operands(prints, t);
}

static void make_room(struct fingerprints *prints, uint32_t id)
{
    if (id < prints->capacity)
        return;
    const size_t capacity = id < 512 ? 1024 : 2 * (size_t)id;
    struct fingerprint *of = ARENA_ARRAY(prints->arena, struct fingerprint, capacity);
    if (prints->capacity)
        memcpy(of, prints->of, prints->capacity * sizeof *of);
    prints->of = of;
    prints->capacity = capacity;
}

uint64_t fingerprint_of(struct fingerprints *prints, const struct expr *term)
{
    make_room(prints, term->id);
    if (!prints->of[term->id].known) {
        struct fingerprint found = {0, NULL, 0, true};
        find(prints, term, &found);
        prints->of[term->id] = found;
    }
    return prints->of[term->id].print;
}
