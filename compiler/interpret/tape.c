/* An expression as a list of its distinct nodes, operands first. A reduction has a tape of its own
 * for its term, run once for each term. */
#include "interpret/tape.h"
#include "interpret/places.h"

#include <assert.h>
#include <stdlib.h>

struct tape_node {
    const struct expr *expr;
    const size_t *operand;    /* positions of the operands */
    size_t slot;              /* of a variable */
    const size_t *range_slot; /* of a reduction */
    struct value start;       /* of a reduction */
    struct value *collected;  /* of a reduction: terms of a median or of pairs, or runs of a tree */
    size_t capacity;          /* of collected */
    struct tape *term[REDUCTION_MOST_OPERANDS]; /* of a reduction: one for each operand */
    const struct external_function *external;
};

struct tape {
    struct tape_node *node;
    size_t count;
    struct value *value;
    bool running;
};

struct compilation {
    struct evaluator *evaluator;
    struct hash_map position; /* expr → position + 1 */
    VECTOR(struct tape_node) nodes;
};

size_t evaluator_slot(struct evaluator *evaluator, const struct expr *variable)
{
    const uintptr_t known = (uintptr_t)hash_map_find(&evaluator->slots, variable);
    if (known)
        return known - 1;
    if (evaluator->slot_count == evaluator->slot_capacity) {
        const size_t capacity = evaluator->slot_capacity ? 2 * evaluator->slot_capacity : 64;
        struct value *slot = ARENA_ARRAY(evaluator->arena, struct value, capacity);
        if (evaluator->slot_count)
            memcpy(slot, evaluator->slot, evaluator->slot_count * sizeof *slot);
        evaluator->slot = slot;
        evaluator->slot_capacity = capacity;
    }
    hash_map_put(evaluator->arena, &evaluator->slots, variable,
                 (void *)(evaluator->slot_count + 1));
    return evaluator->slot_count++;
}

void evaluator_set(struct evaluator *evaluator, const struct expr *variable, struct value value)
{
    const size_t slot = evaluator_slot(evaluator, variable);
    evaluator->slot[slot] = value;
}

/* A reduction's variable is known by its name and interval, as the front end makes it. */
struct range_search {
    const struct symbol *name;
    const struct expr *found;
};

static void find_range_variable(const struct expr *node, void *context)
{
    struct range_search *search = context;
    if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_INDEX &&
        node->as.variable.name == search->name)
        search->found = node;
}

static size_t compile_node(struct compilation *c, const struct expr *expr);

static void compile_reduction(struct compilation *c, struct tape_node *node)
{
    const struct expr *expr = node->expr;
    struct arena *arena = c->evaluator->arena;
    size_t *slot = ARENA_ARRAY(arena, size_t, expr->as.reduce.rank + 1);
    for (unsigned r = 0; r < expr->as.reduce.rank; r++) {
        struct range_search search = {expr->as.reduce.range[r].variable, NULL};
        struct expr_walk walk = {.scratch = arena};
        for (unsigned i = 0; i < expr->count; i++)
            expr_visit(&walk, expr->operand[i], find_range_variable, &search);
        slot[r] = search.found ? evaluator_slot(c->evaluator, search.found) : SIZE_MAX;
    }
    node->range_slot = slot;
    struct expr_pool pool = {.arena = arena};
    node->start = evaluate_constant(expr_reduction_start(&pool, expr));
    for (unsigned i = 0; i < expr->count; i++)
        node->term[i] = tape_compile(c->evaluator, expr->operand[i]);
}

static const struct external_function *find_external(struct evaluator *evaluator, const char *name)
{
    const struct external_functions *known = evaluator->externals;
    for (size_t i = 0; known && i < known->count; i++)
        if (strcmp(known->item[i].name, name) == 0)
            return &known->item[i];
    evaluator->missing = name;
    return NULL;
}

static size_t compile_node(struct compilation *c, const struct expr *expr)
{
    const uintptr_t known = (uintptr_t)hash_map_find(&c->position, expr);
    if (known)
        return known - 1;
    struct arena *arena = c->evaluator->arena;
    struct tape_node node = {.expr = expr};
    if (expr->kind == EXPR_VARIABLE)
        node.slot = evaluator_slot(c->evaluator, expr);
    if (expr->kind == EXPR_EXTERNAL)
        node.external = find_external(c->evaluator, expr->as.external->name->text);
    if (expr->kind == EXPR_REDUCE) {
        compile_reduction(c, &node);
    } else {
        size_t *operand = ARENA_ARRAY(arena, size_t, expr->count + 1);
        for (unsigned i = 0; i < expr->count; i++)
            operand[i] = compile_node(c, expr->operand[i]);
        node.operand = operand;
    }
    VECTOR_PUSH(arena, &c->nodes, node);
    hash_map_put(arena, &c->position, expr, (void *)c->nodes.count);
    return c->nodes.count - 1;
}

struct tape *tape_compile(struct evaluator *evaluator, const struct expr *root)
{
    struct compilation c = {.evaluator = evaluator};
    compile_node(&c, root);
    struct tape *tape = ARENA_NEW(evaluator->arena, struct tape);
    tape->node = c.nodes.item;
    tape->count = c.nodes.count;
    tape->value = ARENA_ARRAY(evaluator->arena, struct value, c.nodes.count);
    return tape;
}

static int compare_integers(const void *a, const void *b)
{
    const int64_t x = ((const struct value *)a)->integer, y = ((const struct value *)b)->integer;
    return (x > y) - (x < y);
}

/* Whether a goes before b, as the order of floats has it. */
static bool goes_before(enum scalar scalar, struct value a, struct value b)
{
    const struct value least = evaluate_reduction_step(REDUCTION_MINIMUM, scalar, a, b);
    return value_equal(scalar, least, a) && !value_equal(scalar, a, b);
}

/* The lower middle one of the values; they are put in order. */
static struct value median_of(enum scalar scalar, struct value v[], size_t count)
{
    if (!scalar_is_float(scalar)) {
        qsort(v, count, sizeof *v, compare_integers);
        return v[(count - 1) / 2];
    }
    for (size_t i = 1; i < count; i++) {
        const struct value value = v[i];
        size_t k = i;
        for (; k > 0 && goes_before(scalar, value, v[k - 1]); k--)
            v[k] = v[k - 1];
        v[k] = value;
    }
    return v[(count - 1) / 2];
}

/* ---- Reductions ---- */

static struct value reduction_step(const struct evaluator *evaluator, enum reduction operation,
                                   enum scalar scalar, struct value accumulator, struct value term)
{
    const struct value number = evaluate_reduction_step(operation, scalar, accumulator, term);
    return evaluator->terms ? terms_binary(evaluator->terms, expr_reduction_join(operation), scalar,
                                           accumulator, term, number)
                            : number;
}

static struct value fused_step(const struct evaluator *evaluator, enum scalar scalar,
                               struct value a, struct value b, struct value accumulator)
{
    const struct value number = evaluate_fused(scalar, a, b, accumulator);
    return evaluator->terms ? terms_fused(evaluator->terms, scalar, a, b, accumulator, number)
                            : number;
}

struct reducing {
    struct evaluator *evaluator;
    struct tape_node *node;
    const struct expr_reduction *shape;
    int64_t count[REDUCTION_MOST_OPERANDS]; /* values of each range */
    int64_t terms;
};

static struct value run_operand(const struct reducing *r, unsigned i)
{
    return tape_run(r->evaluator, r->node->term[i]);
}

static void count_terms(struct reducing *r)
{
    const unsigned counts = 1 + (unsigned)r->shape->fused + (unsigned)r->shape->has_condition;
    r->terms = 1;
    for (unsigned k = 0; k < r->shape->rank; k++) {
        r->count[k] = r->shape->counted ? evaluator_choose(r->evaluator, run_operand(r, counts + k))
                                        : r->shape->range[k].extent;
        r->terms *= r->count[k];
    }
}

/* Sets the variables to the term's place in index order, the last range fastest. */
static void go_to_term(const struct reducing *r, int64_t term)
{
    for (unsigned k = r->shape->rank; k-- > 0; term /= r->count[k])
        if (r->node->range_slot[k] != SIZE_MAX)
            r->evaluator->slot[r->node->range_slot[k]].integer =
                r->shape->range[k].first + term % r->count[k];
}

static struct value presence(const struct reducing *r)
{
    return r->shape->has_condition ? run_operand(r, 1 + r->shape->fused)
                                   : (struct value){.integer = 1};
}

static struct value taken(const struct reducing *r, struct value accumulator)
{
    const enum scalar scalar = r->node->expr->scalar;
    const struct value term = run_operand(r, 0);
    return r->shape->fused
               ? fused_step(r->evaluator, scalar, term, run_operand(r, 1), accumulator)
               : reduction_step(r->evaluator, r->shape->operation, scalar, accumulator, term);
}

/* The accumulator after the term at hand, which may be excluded: by a condition that is a term, the
 * term of the result is chosen by that. */
static struct value step(const struct reducing *r, struct value accumulator)
{
    const struct value present = presence(r);
    if (!present.term)
        return present.integer ? taken(r, accumulator) : accumulator;
    r->evaluator->unused += !present.integer;
    const struct value after = taken(r, accumulator);
    r->evaluator->unused -= !present.integer;
    return terms_select(r->evaluator->terms, r->node->expr->scalar, present, after, accumulator,
                        present.integer ? after : accumulator);
}

static void collect(const struct reducing *r, size_t count, struct value value)
{
    struct tape_node *node = r->node;
    if (count == node->capacity) {
        const size_t capacity = node->capacity ? 2 * node->capacity : 16;
        struct value *larger = ARENA_ARRAY(r->evaluator->arena, struct value, capacity);
        if (count)
            memcpy(larger, node->collected, count * sizeof *larger);
        node->collected = larger;
        node->capacity = capacity;
    }
    node->collected[count] = value;
}

/* In pairs, level by level; an odd last one moves up. */
static struct value join_pairs(const struct reducing *r, struct value part[], size_t count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < (count + 1) / 2; i++)
            part[i] = 2 * i + 1 < count
                          ? reduction_step(r->evaluator, r->shape->operation, r->node->expr->scalar,
                                           part[2 * i], part[2 * i + 1])
                          : part[2 * i];
    return part[0];
}

/* Terms REDUCTION_RUN * run and following: term i goes to accumulator i modulo 16. */
static struct value reduce_run(const struct reducing *r, int64_t run)
{
    struct value lane[REDUCTION_LANES];
    for (int i = 0; i < REDUCTION_LANES; i++)
        lane[i] = r->node->start;
    for (int64_t t = REDUCTION_RUN * run; t < REDUCTION_RUN * (run + 1) && t < r->terms; t++) {
        go_to_term(r, t);
        lane[t % REDUCTION_LANES] = step(r, lane[t % REDUCTION_LANES]);
    }
    return join_pairs(r, lane, REDUCTION_LANES);
}

static struct value reduce_tree(const struct reducing *r)
{
    size_t runs = 0;
    do {
        const struct value run = reduce_run(r, (int64_t)runs);
        collect(r, runs++, run);
    } while ((int64_t)runs * REDUCTION_RUN < r->terms);
    return join_pairs(r, r->node->collected, runs);
}

static size_t collect_terms(const struct reducing *r)
{
    size_t collected = 0;
    for (int64_t t = 0; t < r->terms; t++) {
        go_to_term(r, t);
        if (evaluator_choose(r->evaluator, presence(r)))
            collect(r, collected++, run_operand(r, 0));
    }
    return collected;
}

static struct value reduce_in_index_order(const struct reducing *r)
{
    struct value accumulator = r->node->start;
    for (int64_t t = 0; t < r->terms; t++) {
        go_to_term(r, t);
        accumulator = step(r, accumulator);
    }
    return accumulator;
}

static struct value run_reduction(struct evaluator *evaluator, struct tape_node *node)
{
    struct reducing r = {evaluator, node, &node->expr->as.reduce, {0}, 0};
    count_terms(&r);
    if (r.shape->operation == REDUCTION_MEDIAN) {
        const size_t collected = collect_terms(&r);
        for (size_t i = 0; i < collected; i++)
            if (node->collected[i].term)
                terms_uncover(evaluator->terms, UNCOVERED_ORDER);
        return collected ? median_of(node->expr->scalar, node->collected, collected) : node->start;
    }
    switch (r.shape->order) {
    case ORDER_TREE:
        return reduce_tree(&r);
    case ORDER_RUN:
        return reduce_run(&r, evaluator_choose(evaluator, run_operand(&r, node->expr->count - 1)));
    case ORDER_PAIRS: {
        const size_t collected = collect_terms(&r);
        return collected ? join_pairs(&r, node->collected, collected) : node->start;
    }
    case ORDER_INDEX:
    case ORDER_COUNT:
        break;
    }
    return reduce_in_index_order(&r);
}

/* A missing function is reported at the end of the run; until then it gives 0. */
static struct value call_external(const struct external_function *function,
                                  const struct value argument[])
{
    struct value result = {.integer = 0};
    if (function)
        function->call(argument, &result);
    return result;
}

/* What lies outside is not needed for the values that samples have now: it equals nothing. */
static struct value load_at(struct evaluator *evaluator, const struct expr *load,
                            const int64_t index[])
{
    evaluator->outside = false;
    struct value value = evaluator->load(load, index, evaluator->context);
    if (evaluator->outside && evaluator->terms)
        value.term = terms_unneeded(evaluator->terms, load->scalar);
    evaluator->outside = false; /* for a load that needs this one */
    return value;
}

static struct value run_load(struct evaluator *evaluator, const struct tape *tape,
                             const struct tape_node *node)
{
    const struct expr *expr = node->expr;
    struct value place[8];
    int64_t index[8];
    bool is_chosen = false;
    for (unsigned i = 0; i < expr->count; i++) {
        place[i] = tape->value[node->operand[i]];
        index[i] = place[i].integer;
        is_chosen = is_chosen || terms_are_of_samples(place[i]);
    }
    return is_chosen ? load_chosen(evaluator, expr, place) : load_at(evaluator, expr, index);
}

static struct value run_node(struct evaluator *evaluator, const struct tape *tape,
                             struct tape_node *node)
{
    const struct expr *expr = node->expr;
    if (expr_is_constant(expr))
        return evaluate_constant(expr);
    if (expr->kind == EXPR_VARIABLE)
        return evaluator->slot[node->slot];
    if (expr->kind == EXPR_REDUCE)
        return run_reduction(evaluator, node);
    if (expr->kind == EXPR_LOAD)
        return run_load(evaluator, tape, node);
    struct value operand[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < expr->count; i++)
        operand[i] = tape->value[node->operand[i]];
    const struct value number = expr->kind == EXPR_EXTERNAL ? call_external(node->external, operand)
                                                            : evaluate_operation(expr, operand);
    return evaluator->terms ? terms_operation(evaluator->terms, expr, operand, number) : number;
}

struct value tape_run(struct evaluator *evaluator, struct tape *tape)
{
    assert(!tape->running && "a tape is not run within itself");
    tape->running = true;
    for (size_t i = 0; i < tape->count; i++)
        tape->value[i] = run_node(evaluator, tape, &tape->node[i]);
    tape->running = false;
    return tape->value[tape->count - 1];
}

struct value evaluate_once(struct evaluator *evaluator, const struct expr *root)
{
    struct tape *tape = hash_map_find(&evaluator->tapes, root);
    if (!tape) {
        tape = tape_compile(evaluator, root);
        hash_map_put(evaluator->arena, &evaluator->tapes, root, tape);
    }
    return tape_run(evaluator, tape);
}
