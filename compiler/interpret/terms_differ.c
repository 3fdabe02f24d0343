/* Values of samples at which two terms differ: tried at random. */
#include "interpret/tape.h"

#include <inttypes.h>
#include <math.h>

/* Deeper terms take too much of the stack. */
enum { MOST_DEPTH = 20000, MOST_SHOWN = 8 };

struct leaves {
    struct arena *arena;
    VECTOR(const struct expr *) list;
};

static void note_leaf(const struct expr *node, void *context)
{
    struct leaves *leaves = context;
    if (node->kind == EXPR_VARIABLE)
        VECTOR_PUSH(leaves->arena, &leaves->list, node);
}

/* The ends of the type, numbers near 0 and any others. */
static struct value random_value(uint64_t *seed, enum scalar scalar)
{
    static const double special[] = {0, 1, -1, 0.5, 255, 1e-40, 3e38, -3e38};
    const uint64_t draw = hash_bytes(seed, sizeof *seed, 3);
    const uint64_t kind = draw % 8, other = draw >> 8;
    const struct interval ends = scalar_info[scalar].interval;
    ++*seed;
    if (scalar_is_float(scalar)) {
        const double value = kind == 0   ? special[other % 8]
                             : kind == 1 ? (double)NAN
                             : kind == 2 ? -0.0
                             : kind == 3 ? (double)(int64_t)(other % 512) - 256
                                         : (double)(other % (1u << 24)) * 0x1p-23 - 1;
        return value_from_real(scalar, (extended_real)value);
    }
    const uint64_t width = (uint64_t)ends.greatest - (uint64_t)ends.least;
    return (struct value){.integer = kind == 0   ? ends.least
                                     : kind == 1 ? ends.greatest
                                     : width == UINT64_MAX
                                         ? (int64_t)other >> (draw % 48)
                                         : ends.least + (int64_t)(other % (width + 1))};
}

static void print_number(struct text *text, enum scalar scalar, struct value value)
{
    if (scalar_is_float(scalar))
        text_print(text, "%a", (double)value_real(scalar, value));
    else
        text_print(text, "%" PRId64, value.integer);
}

struct comparing {
    const struct terms *terms;
    struct evaluator evaluator;
    struct leaves leaves;
    struct value side[2];
    struct tape *tape[2]; /* NULL: the number is known */
};

static void compile_side(struct comparing *c, unsigned side, struct value value)
{
    struct expr_walk walk = {.scratch = c->evaluator.arena};
    c->side[side] = value;
    c->tape[side] = value.term ? tape_compile(&c->evaluator, value.term) : NULL;
    if (value.term)
        expr_visit(&walk, value.term, note_leaf, &c->leaves);
}

static bool try_values(struct comparing *c, enum scalar scalar, uint64_t *seed)
{
    for (size_t i = 0; i < c->leaves.list.count; i++) {
        const struct expr *leaf = c->leaves.list.item[i];
        const struct value *given = terms_given(c->terms, leaf);
        struct value value = given ? *given : random_value(seed, leaf->scalar);
        value.term = NULL;
        evaluator_set(&c->evaluator, leaf, value);
    }
    for (unsigned s = 0; s < 2; s++)
        if (c->tape[s])
            c->side[s] = tape_run(&c->evaluator, c->tape[s]);
    return !value_equal(scalar, c->side[0], c->side[1]);
}

static void print_found(const struct comparing *c, enum scalar scalar, struct text *text)
{
    const size_t count = c->leaves.list.count;
    text_print(text, "they differ, for instance, ");
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
        const struct expr *leaf = c->leaves.list.item[i];
        text_print(text, "%s%s = ", i ? ", " : "where ", leaf->as.variable.name->text);
        print_number(text, leaf->scalar,
                     c->evaluator.slot[(uintptr_t)hash_map_find(&c->evaluator.slots, leaf) - 1]);
    }
    text_print(text, "%s: ", count > MOST_SHOWN ? ", …" : "");
    print_number(text, scalar, c->side[0]);
    text_print(text, " and ");
    print_number(text, scalar, c->side[1]);
}

static bool calls_functions(const struct expr *term)
{
    return term && term->holds & HOLDS_EXTERNAL;
}

bool terms_differ(const struct terms *terms, enum scalar scalar, struct value a, struct value b,
                  unsigned tries, struct text *text)
{
    struct arena *arena = terms_scratch(terms);
    struct comparing c = {.terms = terms, .evaluator.arena = arena, .leaves.arena = arena};
    uint64_t seed = 1;
    bool differ = false;
    if (!calls_functions(a.term) && !calls_functions(b.term) &&
        (!a.term || a.term->depth < MOST_DEPTH) && (!b.term || b.term->depth < MOST_DEPTH)) {
        compile_side(&c, 0, a);
        compile_side(&c, 1, b);
        for (unsigned t = 0; t < tries && !differ; t++)
            differ = try_values(&c, scalar, &seed);
        if (differ)
            print_found(&c, scalar, text);
    }
    arena_destroy(arena);
    return differ;
}
