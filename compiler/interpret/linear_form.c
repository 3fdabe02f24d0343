#include "interpret/linear_form.h"

#include "support/vector.h"

#include <stdlib.h>

struct addend {
    const struct expr *term;
    uint64_t factor;
};

struct form {
    struct arena *scratch;
    unsigned bits;
    struct hash_map known; /* addends by their terms */
    VECTOR(struct addend *) addends;
};

static unsigned bits_of(enum scalar scalar)
{
    return 8 * scalar_info[scalar].bytes;
}

/* Whether the conversion keeps the number modulo 2^bits. */
static bool keeps_low_bits(const struct expr *t, unsigned bits)
{
    const struct expr *from = t->operand[0];
    if (!scalar_is_integer(t->scalar) || !scalar_is_integer(from->scalar))
        return false;
    return interval_inside(from->interval, scalar_info[t->scalar].interval) ||
           (t->as.convert == CONVERT_WRAP && bits_of(t->scalar) >= bits);
}

/* The factor that is a number; 2: none is. */
static unsigned fixed_operand(const struct expr *product)
{
    unsigned i = 0;
    while (i < 2 && product->operand[i]->kind != EXPR_INTEGER)
        i++;
    return i;
}

/* How many operands the term is a sum of multiples of; 0: it is not taken apart. */
static unsigned parts_of(const struct form *form, const struct expr *t)
{
    if (!scalar_is_integer(t->scalar))
        return 0;
    switch ((int)t->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return 2;
    case EXPR_MULTIPLY:
        return fixed_operand(t) < 2 ? 2 : 0;
    case EXPR_NEGATE:
        return 1;
    case EXPR_CONVERT:
        return keeps_low_bits(t, form->bits) ? 1 : 0;
    default:
        return 0;
    }
}

static struct addend *addend_of(struct form *form, const struct expr *term)
{
    struct addend *addend = hash_map_find(&form->known, term);
    if (!addend) {
        addend = ARENA_NEW(form->scratch, struct addend);
        *addend = (struct addend){term, 0};
        hash_map_put(form->scratch, &form->known, term, addend);
        VECTOR_PUSH(form->scratch, &form->addends, addend);
    }
    return addend;
}

static int operands_last(const void *a, const void *b)
{
    const struct expr *one = (*(struct addend *const *)a)->term;
    const struct expr *other = (*(struct addend *const *)b)->term;
    return (one->id < other->id) - (one->id > other->id);
}

/* Adds a multiple of the term to the addends of its operands. */
static void take_apart(struct form *form, const struct addend *whole)
{
    const struct expr *t = whole->term;
    const unsigned parts = parts_of(form, t);
    for (unsigned i = 0; i < parts; i++) {
        uint64_t factor = whole->factor;
        if (t->kind == EXPR_NEGATE || (t->kind == EXPR_SUBTRACT && i == 1))
            factor = 0 - factor;
        if (t->kind == EXPR_MULTIPLY) {
            if (i != 1 - fixed_operand(t))
                continue;
            factor *= (uint64_t)t->operand[1 - i]->as.integer;
        }
        addend_of(form, t->operand[i])->factor += factor;
    }
}

static int by_print(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Of the multiples of what was not taken apart, terms of one fingerprint together. */
static uint64_t print_of_form(struct form *form,
                              uint64_t (*print_of)(const struct expr *term, void *context),
                              void *context)
{
    const uint64_t mask = form->bits < 64 ? (UINT64_C(1) << form->bits) - 1 : UINT64_MAX;
    const size_t count = form->addends.count;
    uint64_t(*rest)[2] = arena_allocate(form->scratch, (count + 1) * sizeof *rest);
    uint64_t constant = 0;
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct addend *addend = form->addends.item[i];
        if (addend->term->kind == EXPR_INTEGER) {
            constant += addend->factor * (uint64_t)addend->term->as.integer;
        } else if (!parts_of(form, addend->term)) {
            rest[n][0] = print_of(addend->term, context);
            rest[n++][1] = addend->factor;
        }
    }
    qsort(rest, n, sizeof *rest, by_print);
    for (size_t i = 0; i < n;) {
        uint64_t factor = 0;
        const uint64_t print = rest[i][0];
        for (; i < n && rest[i][0] == print; i++)
            factor += rest[i][1];
        if ((factor & mask) == 0)
            continue;
        rest[kept][0] = print;
        rest[kept++][1] = factor & mask;
    }
    rest[kept][0] = constant & mask;
    rest[kept][1] = form->bits;
    return hash_bytes(rest, (kept + 1) * sizeof *rest, 4);
}

uint64_t linear_print(struct arena *scratch, unsigned bits, const struct expr *term,
                      uint64_t (*print_of)(const struct expr *term, void *context), void *context)
{
    enum { MOST_ADDENDS = 8000 };
    const struct arena_mark mark = arena_mark(scratch);
    struct form form = {.scratch = scratch, .bits = bits};
    addend_of(&form, term)->factor = 1;
    for (size_t i = 0; i < form.addends.count && i < MOST_ADDENDS; i++) {
        const struct expr *t = form.addends.item[i]->term;
        for (unsigned k = 0; k < parts_of(&form, t); k++)
            addend_of(&form, t->operand[k]);
    }
    const bool is_whole = form.addends.count <= MOST_ADDENDS;
    uint64_t print = is_whole ? 0 : print_of(term, context);
    if (is_whole) {
        /* Operands are older than what is made of them. */
        const size_t count = form.addends.count;
        qsort(form.addends.item, count, sizeof *form.addends.item, operands_last);
        for (size_t i = 0; i < count; i++)
            take_apart(&form, form.addends.item[i]);
        print = print_of_form(&form, print_of, context);
    }
    arena_release(scratch, mark);
    return print;
}
