#include "interpret/places.h"

enum { MOST_RANK = 8, MOST_VALUES = 512 };
/* A choice among fewer values is one of terms, though all are known; more are taken as they are. */
enum { LEAST_TABLE = 64, MOST_TABLE = 8192 };

/* ---- What chooses ---- */

/* What decides about an index: a part of it that the rest follows from, and that has few values. */
struct chooser {
    const struct expr *part;
    int64_t least, greatest;
};

/* How far the greatest value is from the least. */
static uint64_t spread_of(const struct expr *part)
{
    return (uint64_t)part->interval.greatest - (uint64_t)part->interval.least;
}

/* The only operand that is no constant; NULL where there are several. */
static const struct expr *only_operand(const struct expr *part)
{
    const struct expr *only = NULL;
    for (unsigned i = 0; i < part->count; i++) {
        const struct expr *operand = part->operand[i];
        if (expr_is_constant(operand) || operand == only)
            continue;
        if (only || !scalar_is_integer(operand->scalar))
            return NULL;
        only = operand;
    }
    return part->kind == EXPR_EXTERNAL ? NULL : only;
}

/* The part of fewest values; of several the deepest. NULL: all have too many. */
static const struct expr *part_of_few_values(const struct expr *term)
{
    const struct expr *found = NULL;
    for (const struct expr *part = term; part; part = only_operand(part))
        if (scalar_is_integer(part->scalar) && spread_of(part) < MOST_VALUES &&
            (!found || spread_of(part) <= spread_of(found)))
            found = part;
    return found;
}

/* False: indices do not depend on samples; or what they depend on has too many values, so that they
 * are taken as they are, which covers no others. */
static bool find_chooser(struct terms *terms, unsigned rank, const struct value index[],
                         struct chooser *chooser)
{
    for (unsigned k = 0; k < rank && terms_uncovered(terms) != UNCOVERED_SIZE; k++) {
        if (!terms_are_of_samples(index[k]))
            continue;
        const struct expr *part = part_of_few_values(index[k].term);
        if (part) {
            *chooser = (struct chooser){part, part->interval.least, part->interval.greatest};
            terms_narrow_assumed(terms, part, &chooser->least, &chooser->greatest);
            return true;
        }
        terms_choose(terms, index[k]);
    }
    return false;
}

/* The indices where the chooser has that value. Whether these are their numbers now. */
static bool chosen_places(struct terms *terms, const struct chooser *chooser, int64_t value,
                          unsigned rank, const struct value index[], struct value chosen[])
{
    bool is_now = true;
    for (unsigned k = 0; k < rank; k++) {
        chosen[k] = index[k].term ? terms_where(terms, index[k], chooser->part, value) : index[k];
        is_now = is_now && chosen[k].integer == index[k].integer;
    }
    return is_now;
}

/* Chooser = value, a truth. */
static struct value chooser_is(struct terms *terms, const struct chooser *chooser, int64_t value,
                               bool is_now)
{
    const struct value part = {.term = chooser->part};
    return terms_binary(terms, EXPR_EQUAL, chooser->part->scalar, part,
                        (struct value){.integer = value}, (struct value){.integer = is_now});
}

/* ---- Loads ---- */

struct loading {
    struct evaluator *evaluator;
    const struct expr *node;
    struct interval box[MOST_RANK]; /* where indices are after border rules */
};

/* Places outside, which no values choose though the interval of the index has them, are told by the
 * evaluator's `outside`. */
static struct value load_by_numbers(const struct loading *l, const struct value index[])
{
    int64_t number[MOST_RANK];
    bool outside = false;
    for (unsigned k = 0; k < l->node->count; k++) {
        number[k] = index[k].integer;
        outside = outside || number[k] < l->box[k].least || number[k] > l->box[k].greatest;
    }
    l->evaluator->outside = outside;
    return outside ? (struct value){.integer = 0}
                   : l->evaluator->load(l->node, number, l->evaluator->context);
}

/* The only index that depends on samples; rank: there is none, or there are several. */
static unsigned only_index(unsigned rank, const struct value index[])
{
    unsigned only = rank;
    for (unsigned k = 0; k < rank; k++) {
        if (!terms_are_of_samples(index[k]))
            continue;
        if (only < rank)
            return rank;
        only = k;
    }
    return only;
}

/* Of numbers one after another: an odd factor and a shift lose nothing, so that other numbers give
 * the same by chance alone. */
static uint64_t hash_on(uint64_t hash, uint64_t bits)
{
    const uint64_t mixed = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 29;
}

/* Numbers that one index chooses among: a function of that index, by what the numbers are. False:
 * not all are known. */
static bool load_from_table(const struct loading *l, const struct value index[],
                            struct value *result)
{
    struct evaluator *evaluator = l->evaluator;
    const enum scalar scalar = l->node->scalar;
    const unsigned k = only_index(l->node->count, index);
    if (k == l->node->count)
        return false;
    const struct interval *box = &l->box[k], *all = &index[k].term->interval;
    const int64_t least = all->least > box->least ? all->least : box->least;
    const int64_t greatest = all->greatest < box->greatest ? all->greatest : box->greatest;
    const uint64_t more = (uint64_t)greatest - (uint64_t)least;
    if (greatest < least || more < LEAST_TABLE || more >= MOST_TABLE)
        return false;
    struct value place[MOST_RANK];
    memcpy(place, index, l->node->count * sizeof *place);
    struct number_table table = {scalar, least, scalar, {INT64_MAX, INT64_MIN}};
    for (int64_t v = least; v <= greatest; v++) {
        place[k] = (struct value){.integer = v};
        const bool is_now = v == index[k].integer;
        evaluator->unused += !is_now;
        const struct value number = load_by_numbers(l, place);
        evaluator->unused -= !is_now;
        if (number.term)
            return false;
        uint64_t bits = 0;
        value_write(&bits, scalar, number);
        table.hash = hash_on(table.hash, evaluator->outside ? ~bits : bits);
        if (scalar_is_integer(scalar) && !evaluator->outside)
            table.within =
                interval_hull(table.within, (struct interval){number.integer, number.integer});
        if (is_now)
            *result = number;
    }
    evaluator->outside = false;
    *result = terms_table(evaluator->terms, &table, index[k], *result);
    return true;
}

static struct value load_inside(const struct loading *l, const struct value index[])
{
    struct evaluator *evaluator = l->evaluator;
    struct terms *terms = evaluator->terms;
    struct value known;
    if (load_from_table(l, index, &known))
        return known;
    struct chooser chooser;
    if (!find_chooser(terms, l->node->count, index, &chooser))
        return load_by_numbers(l, index);
    struct value result = {.integer = 0};
    bool is_first = true;
    for (int64_t v = chooser.greatest; v >= chooser.least; v--) {
        struct value place[MOST_RANK];
        const bool is_now = chosen_places(terms, &chooser, v, l->node->count, index, place);
        evaluator->unused += !is_now;
        const struct value sample = load_inside(l, place);
        evaluator->unused -= !is_now;
        if (evaluator->outside)
            continue;
        result = is_first
                     ? sample
                     : terms_select(terms, l->node->scalar, chooser_is(terms, &chooser, v, is_now),
                                    sample, result, is_now ? sample : result);
        is_first = false;
        if (terms_uncovered(terms) == UNCOVERED_SIZE)
            return load_by_numbers(l, index);
    }
    evaluator->outside = is_first;
    return result;
}

struct value load_chosen(struct evaluator *evaluator, const struct expr *node,
                         const struct value index[])
{
    struct loading l = {.evaluator = evaluator, .node = node};
    struct value place[MOST_RANK], inside[MOST_RANK], outside[MOST_RANK] = {{.integer = 0}};
    for (unsigned k = 0; k < node->count; k++) {
        l.box[k] = (struct interval){INT64_MIN, INT64_MAX};
        const struct border *rule = node->as.load.border ? &node->as.load.border[k] : NULL;
        place[k] = index[k];
        inside[k] = (struct value){.integer = 1};
        if (!rule || rule->rule == BORDER_NONE || rule->rule == BORDER_EXTEND)
            continue;
        int64_t first = 0, extent = 0;
        evaluator->box(node, k, &first, &extent, &outside[k], evaluator->context);
        l.box[k] = (struct interval){first, first + extent - 1};
        terms_border(evaluator->terms, rule->rule, first, extent, &place[k], &inside[k]);
    }
    struct value result = load_inside(&l, place);
    evaluator->outside = false; /* for a load that needs this one */
    /* The first axis that is outside gives the value: so the last one is put innermost. */
    for (unsigned k = node->count; k-- > 0;) {
        const struct border *rule = node->as.load.border ? &node->as.load.border[k] : NULL;
        if (!rule || (rule->rule != BORDER_ZERO && rule->rule != BORDER_CONSTANT))
            continue;
        result = terms_select(evaluator->terms, node->scalar, inside[k], result, outside[k],
                              inside[k].integer ? result : outside[k]);
    }
    return result;
}

/* ---- Stores ---- */

bool store_chosen(struct evaluator *evaluator, unsigned rank, const struct value target[],
                  struct value taken,
                  bool (*store)(int64_t index[], struct value taken, void *context), void *context)
{
    struct terms *terms = evaluator->terms;
    struct chooser chooser = {NULL, 0, 0};
    const bool is_chosen = find_chooser(terms, rank, target, &chooser);
    bool is_done = false, good = true; /* several values may choose the place that it is */
    for (int64_t v = chooser.least; v <= chooser.greatest && good; v++) {
        struct value place[MOST_RANK], here = taken;
        int64_t index[MOST_RANK] = {0};
        memcpy(place, target, rank * sizeof *place);
        if (is_chosen) {
            const bool is_now = chosen_places(terms, &chooser, v, rank, target, place) && !is_done;
            const struct value both = {.integer = taken.integer && is_now};
            is_done = is_done || is_now;
            here = terms_binary(terms, EXPR_AND, SCALAR_BOOL, taken,
                                chooser_is(terms, &chooser, v, is_now), both);
            terms_assume(terms, chooser.part, v);
        }
        for (unsigned k = 0; k < rank; k++)
            index[k] = terms_choose(terms, place[k]);
        evaluator->unused += !here.integer;
        good = store(index, here, context);
        evaluator->unused -= !here.integer;
        terms_assume(terms, NULL, 0);
    }
    return good;
}
