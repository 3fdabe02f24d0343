#include "interpret/fingerprint.h"
#include "interpret/linear_form.h"

#include <stdlib.h>

/* The least and the greatest of more are told by their order, too; a choice among more is one
 * number to what is done with it. */
enum { MOST_MEMBERS = 1024, MOST_GUARDS = 64 };
#define PRIME ((UINT64_C(1) << 61) - 1)

struct fingerprint {
    uint64_t print; /* below PRIME */
    /* Of the least or greatest of several: their prints, ascending, each once. */
    const uint64_t *member;
    uint32_t members;
    enum expr_kind set;          /* which of the two */
    const struct expr *constant; /* NULL: it depends on something */
};

/* A condition; of one that compares a part of a term with a number: that part, of which all values
 * lie in the interval, and the number. */
struct guard {
    uint64_t print, part; /* part 0: it is another condition */
    struct interval values;
    int64_t number;
};

/* The value of the first guard that holds; where none does the last value. */
struct choice {
    uint32_t guards;
    const struct guard *guard;
    const struct fingerprint *value; /* guards + 1 */
};

/* A value, and the choice that stands outside of it; NULL: none. */
struct chosen {
    struct fingerprint whole;
    const struct choice *choice;
};

/* By either reading: a select inside, as a sum of products, which has one print in any order of
 * integer arithmetic; and outside, so that it does not matter whether something is computed with
 * what is chosen or what is computed is chosen. */
struct readings {
    struct fingerprint inside;
    struct chosen outside;
    bool chooses; /* a select stands somewhere in it: else the two are the same */
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
static struct fingerprint joined(struct fingerprints *prints, enum expr_kind set,
                                 const struct fingerprint operand[2])
{
    struct fingerprint side[2];
    for (unsigned i = 0; i < 2; i++) {
        const bool joins = operand[i].members && operand[i].set == set;
        side[i].member = joins ? operand[i].member : &operand[i].print;
        side[i].members = joins ? operand[i].members : 1;
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
    return (struct fingerprint){.print = hash_bytes(member, count * sizeof *member, set) % PRIME,
                                .member = member,
                                .members = count > MOST_MEMBERS ? 0 : count,
                                .set = set};
}

static uint64_t by_operands(const struct expr *t, const struct fingerprint operand[])
{
    uint64_t key[2 + EXPR_MOST_OPERANDS] = {t->kind, t->scalar};
    if (t->kind == EXPR_EXTERNAL)
        key[1] = hash_bytes(t->as.external->name->text, t->as.external->name->length, 1);
    /* Places of a noise that are not given are 0. */
    const unsigned count = t->kind != EXPR_NOISE ? t->count : t->count <= 5 ? 5 : 9;
    for (unsigned i = 0; i < t->count; i++)
        key[2 + i] = operand[i].print;
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

/* Of operands that are no choices. */
static struct fingerprint found(struct fingerprints *prints, const struct expr *t,
                                const struct fingerprint operand[])
{
    struct fingerprint result = {.print = 0};
    const uint64_t a = t->count > 0 ? operand[0].print : 0, b = t->count > 1 ? operand[1].print : 0;
    const uint64_t c = t->count > 2 ? operand[2].print : 0;
    if (is_kept(t))
        return operand[0];
    if (set_kind(t) != EXPR_KIND_COUNT)
        return joined(prints, set_kind(t), operand);
    if (t->kind == EXPR_CONVERT)
        result.print = of_conversion(t, a);
    else if (t->kind == EXPR_EXTERNAL || t->kind == EXPR_NOISE ||
             !(scalar_is_float(t->operand[0]->scalar) ? of_floats(t, a, b, c, &result.print)
                                                      : of_integers(t, a, b, &result.print)))
        result.print = by_operands(t, operand);
    return result;
}

/* ---- Choices inside ---- */

/* The print of select(guard, a, b). */
static uint64_t print_of_select(uint64_t guard, uint64_t a, uint64_t b)
{
    return sum(b, product(guard, difference(a, b)));
}

static uint64_t print_inside(const struct expr *term, void *context)
{
    struct fingerprints *prints = context;
    fingerprint_make(prints, term);
    return prints->of[term->id].inside.print;
}

uint64_t fingerprint_modulo(struct fingerprints *prints, unsigned bits, const struct expr *term)
{
    return linear_print(arena_aside(prints->arena), bits, term, print_inside, prints);
}

/* A conversion between integers to a type that does not hold them, by its lowest bits. */
static bool wraps(const struct expr *t)
{
    return t->kind == EXPR_CONVERT && t->as.convert == CONVERT_WRAP &&
           scalar_is_integer(t->scalar) && scalar_is_integer(t->operand[0]->scalar) && !is_kept(t);
}

static struct fingerprint find_inside(struct fingerprints *prints, const struct expr *t)
{
    struct fingerprint operand[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < t->count; i++)
        operand[i] = prints->of[t->operand[i]->id].inside;
    if (wraps(t)) /* a sum that wraps around, in any order */
        operand[0].print =
            fingerprint_modulo(prints, 8 * scalar_info[t->scalar].bytes, t->operand[0]) % PRIME;
    if (t->kind != EXPR_SELECT)
        return found(prints, t, operand);
    return (struct fingerprint){
        .print = print_of_select(operand[0].print, operand[1].print, operand[2].print)};
}

/* ---- Choices outside ---- */

static struct chosen of_choice(struct fingerprints *prints, uint32_t guards,
                               const struct guard guard[], const struct fingerprint value[])
{
    const struct choice choice = {guards, guard, value};
    struct fingerprint whole = value[guards];
    for (uint32_t k = guards; k-- > 0;)
        if (value[k].print != whole.print)
            whole = (struct fingerprint){
                .print = print_of_select(guard[k].print, value[k].print, whole.print)};
    return (struct chosen){whole, arena_copy(prints->arena, &choice, sizeof choice)};
}

/* What the choice gives where its first guard does not hold. */
static struct chosen otherwise(struct fingerprints *prints, const struct choice *c)
{
    return c->guards == 1 ? (struct chosen){c->value[1], NULL}
                          : of_choice(prints, c->guards - 1, c->guard + 1, c->value + 1);
}

static struct guard guard_of(const struct fingerprints *prints, const struct expr *condition)
{
    struct guard guard = {.print = prints->of[condition->id].outside.whole.print};
    if (condition->kind != EXPR_EQUAL || condition->operand[1]->kind != EXPR_INTEGER)
        return guard;
    guard.part = prints->of[condition->operand[0]->id].outside.whole.print;
    guard.values = condition->operand[0]->interval;
    guard.number = condition->operand[1]->as.integer;
    return guard;
}

/* Whether one of the guards always holds: each compares the part with another one of its values. */
static bool is_complete(uint32_t guards, const struct guard guard[])
{
    const uint64_t more = (uint64_t)guard[0].values.greatest - (uint64_t)guard[0].values.least;
    uint64_t seen = 0;
    if (!guard[0].part || more >= MOST_GUARDS || guards != more + 1)
        return false;
    for (uint32_t k = 0; k < guards; k++) {
        if (guard[k].part != guard[0].part || guard[k].number < guard[0].values.least ||
            guard[k].number > guard[0].values.greatest)
            return false;
        seen |= UINT64_C(1) << (guard[k].number - guard[0].values.least);
    }
    return seen == (more == 63 ? UINT64_MAX : (UINT64_C(1) << (more + 1)) - 1);
}

/* select(guard, a, b): within it the guard is known. */
static struct chosen of_select(struct fingerprints *prints, const struct expr *t,
                               const struct chosen operand[])
{
    const struct guard guard = guard_of(prints, t->operand[0]);
    struct chosen a = operand[1], b = operand[2];
    if (a.choice && a.choice->guard[0].print == guard.print)
        a = (struct chosen){a.choice->value[0], NULL};
    if (b.choice && b.choice->guard[0].print == guard.print)
        b = otherwise(prints, b.choice);
    if (a.whole.print == b.whole.print)
        return b;
    const struct choice *rest = b.choice && b.choice->guards < MOST_GUARDS ? b.choice : NULL;
    uint32_t guards = rest ? rest->guards + 1 : 1;
    struct guard *all = ARENA_ARRAY(prints->arena, struct guard, guards);
    struct fingerprint *value = ARENA_ARRAY(prints->arena, struct fingerprint, guards + 1);
    all[0] = guard;
    value[0] = a.whole;
    value[1] = b.whole;
    if (rest) {
        memcpy(all + 1, rest->guard, rest->guards * sizeof *all);
        memcpy(value + 1, rest->value, guards * sizeof *value);
    }
    guards -= guards > 1 && is_complete(guards, all);
    return of_choice(prints, guards, all, value);
}

/* The choice that all operands share that are choices: the guards of each begin those of the
 * longest. NULL: none. */
static const struct choice *shared_choice(unsigned count, const struct chosen operand[])
{
    const struct choice *longest = NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct choice *own = operand[i].choice;
        if (own && (!longest || own->guards > longest->guards))
            longest = own;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct choice *own = operand[i].choice;
        for (uint32_t k = 0; own && k < own->guards; k++)
            if (own->guard[k].print != longest->guard[k].print)
                return NULL;
    }
    return longest;
}

static struct fingerprint fingerprint_of_leaf(const struct expr *t)
{
    return (struct fingerprint){.print = of_leaf(t), .constant = expr_is_constant(t) ? t : NULL};
}

/* The operation of the parts that were chosen, which may all be known now. */
static struct fingerprint found_among(struct fingerprints *prints, const struct expr *t,
                                      const struct fingerprint part[])
{
    const struct expr *constant[EXPR_MOST_OPERANDS];
    bool is_known = t->kind != EXPR_EXTERNAL;
    for (unsigned i = 0; i < t->count && is_known; i++) {
        constant[i] = part[i].constant;
        is_known =
            constant[i] &&
            (constant[i]->scalar == t->operand[i]->scalar ||
             (scalar_is_integer(constant[i]->scalar) && scalar_is_integer(t->operand[i]->scalar)));
    }
    const struct expr *result = is_known ? expr_with_operands(prints->pool, t, constant) : t;
    return expr_is_constant(result) ? fingerprint_of_leaf(result) : found(prints, t, part);
}

static struct chosen find_outside(struct fingerprints *prints, const struct expr *t)
{
    struct chosen operand[EXPR_MOST_OPERANDS];
    struct fingerprint part[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < t->count; i++) {
        operand[i] = prints->of[t->operand[i]->id].outside;
        part[i] = operand[i].whole;
    }
    if (t->kind == EXPR_SELECT)
        return of_select(prints, t, operand);
    const struct choice *choice = shared_choice(t->count, operand);
    if (!choice)
        return (struct chosen){found(prints, t, part), NULL};
    struct fingerprint *value = ARENA_ARRAY(prints->arena, struct fingerprint, choice->guards + 1);
    for (uint32_t k = 0; k <= choice->guards; k++) {
        for (unsigned i = 0; i < t->count; i++) {
            const struct choice *own = operand[i].choice;
            if (own)
                part[i] = own->value[k < own->guards ? k : own->guards];
        }
        value[k] = found_among(prints, t, part);
    }
    return of_choice(prints, choice->guards, choice->guard, value);
}

/* ---- All readings ---- */

static void make_room(struct fingerprints *prints, uint32_t id)
{
    if (id < prints->capacity)
        return;
    const size_t capacity = id < 512 ? 1024 : 2 * (size_t)id;
    struct readings *of = ARENA_ARRAY(prints->arena, struct readings, capacity);
    if (prints->capacity)
        memcpy(of, prints->of, prints->capacity * sizeof *of);
    prints->of = of;
    prints->capacity = capacity;
}

void fingerprint_make(struct fingerprints *prints, const struct expr *term)
{
    make_room(prints, term->id);
    if (prints->of[term->id].known)
        return;
    for (unsigned i = 0; i < term->count; i++)
        fingerprint_make(prints, term->operand[i]);
    struct readings made = {.known = true};
    if (term->count == 0 && term->kind != EXPR_EXTERNAL) {
        made.inside = made.outside.whole = fingerprint_of_leaf(term);
    } else {
        made.inside = find_inside(prints, term);
        made.chooses = term->kind == EXPR_SELECT;
        for (unsigned i = 0; i < term->count; i++)
            made.chooses = made.chooses || prints->of[term->operand[i]->id].chooses;
        made.outside =
            made.chooses ? find_outside(prints, term) : (struct chosen){.whole = made.inside};
    }
    prints->of[term->id] = made;
}

bool fingerprints_equal(struct fingerprints *prints, const struct expr *a, const struct expr *b)
{
    fingerprint_make(prints, a);
    fingerprint_make(prints, b);
    const struct readings *one = &prints->of[a->id], *other = &prints->of[b->id];
    return one->inside.print == other->inside.print ||
           one->outside.whole.print == other->outside.whole.print;
}
