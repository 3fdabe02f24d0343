/* An expression as a list of its distinct nodes, operands first. A reduction has a tape of its own
 * for its term, run once for each term. */
#include "interpret/tape.h"

#include <assert.h>
#include <stdlib.h>

struct tape_node {
    const struct expr *expr;
    const size_t *operand;    /* positions of the operands */
    size_t slot;              /* of a variable */
    struct tape *term[3];     /* of a reduction: one for each operand */
    const size_t *range_slot; /* of a reduction */
    union value start;        /* of a reduction */
    union value *collected;   /* terms of a median */
    const struct external_function *external;
};

struct tape {
    struct tape_node *node;
    size_t count;
    union value *value;
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
        union value *slot = ARENA_ARRAY(evaluator->arena, union value, capacity);
        if (evaluator->slot_count)
            memcpy(slot, evaluator->slot, evaluator->slot_count * sizeof *slot);
        evaluator->slot = slot;
        evaluator->slot_capacity = capacity;
    }
    hash_map_put(evaluator->arena, &evaluator->slots, variable,
                 (void *)(evaluator->slot_count + 1));
    return evaluator->slot_count++;
}

void evaluator_set(struct evaluator *evaluator, const struct expr *variable, union value value)
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
    if (expr->as.reduce.operation == REDUCTION_MEDIAN)
        node->collected =
            ARENA_ARRAY(arena, union value,
                        (size_t)expr_range_terms(expr->as.reduce.rank, expr->as.reduce.range) + 1);
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
    tape->value = ARENA_ARRAY(evaluator->arena, union value, c.nodes.count);
    return tape;
}

static int compare_integers(const void *a, const void *b)
{
    const int64_t x = ((const union value *)a)->integer, y = ((const union value *)b)->integer;
    return (x > y) - (x < y);
}

/* Whether a goes before b, as the order of floats has it. */
static bool goes_before(enum scalar scalar, union value a, union value b)
{
    const union value least = evaluate_reduction_step(REDUCTION_MINIMUM, scalar, a, b);
    return value_equal(scalar, least, a) && !value_equal(scalar, a, b);
}

/* The lower middle one of the values; they are put in order. */
static union value median_of(enum scalar scalar, union value v[], size_t count)
{
    if (!scalar_is_float(scalar)) {
        qsort(v, count, sizeof *v, compare_integers);
        return v[(count - 1) / 2];
    }
    for (size_t i = 1; i < count; i++) {
        const union value value = v[i];
        size_t k = i;
        for (; k > 0 && goes_before(scalar, value, v[k - 1]); k--)
            v[k] = v[k - 1];
        v[k] = value;
    }
    return v[(count - 1) / 2];
}

/* All terms in index order, the last range fastest. */
static union value run_reduction(struct evaluator *evaluator, const struct tape_node *node)
{
    const struct expr *expr = node->expr;
    const unsigned rank = expr->as.reduce.rank;
    int64_t at[8] = {0};
    union value accumulator = node->start;
    const int64_t terms = expr_range_terms(rank, expr->as.reduce.range);
    const bool is_median = expr->as.reduce.operation == REDUCTION_MEDIAN;
    size_t collected = 0;
    for (int64_t t = 0; t < terms; t++) {
        for (unsigned r = 0; r < rank; r++)
            if (node->range_slot[r] != SIZE_MAX)
                evaluator->slot[node->range_slot[r]].integer =
                    expr->as.reduce.range[r].first + at[r];
        const bool present = !expr->as.reduce.has_condition ||
                             tape_run(evaluator, node->term[expr->count - 1]).integer;
        if (present) {
            const union value term = tape_run(evaluator, node->term[0]);
            if (is_median)
                node->collected[collected++] = term;
            else
                accumulator = expr->as.reduce.fused
                                  ? evaluate_fused(expr->scalar, term,
                                                   tape_run(evaluator, node->term[1]), accumulator)
                                  : evaluate_reduction_step(expr->as.reduce.operation, expr->scalar,
                                                            accumulator, term);
        }
        for (unsigned r = rank; r-- > 0;) {
            if (++at[r] < expr->as.reduce.range[r].extent)
                break;
            at[r] = 0;
        }
    }
    return collected ? median_of(expr->scalar, node->collected, collected) : accumulator;
}

/* A function that is missing is told at the end of the run; until then it gives 0. */
static union value call_external(const struct external_function *function,
                                 const union value argument[])
{
    union value result = {.integer = 0};
    if (function)
        function->call(argument, &result);
    return result;
}

static union value run_node(struct evaluator *evaluator, const struct tape *tape,
                            const struct tape_node *node)
{
    const struct expr *expr = node->expr;
    if (expr_is_constant(expr))
        return evaluate_constant(expr);
    if (expr->kind == EXPR_VARIABLE)
        return evaluator->slot[node->slot];
    if (expr->kind == EXPR_REDUCE)
        return run_reduction(evaluator, node);
    if (expr->kind == EXPR_LOAD) {
        int64_t index[8];
        for (unsigned i = 0; i < expr->count; i++)
            index[i] = tape->value[node->operand[i]].integer;
        return evaluator->load(expr, index, evaluator->context);
    }
    union value operand[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < expr->count; i++)
        operand[i] = tape->value[node->operand[i]];
    return expr->kind == EXPR_EXTERNAL ? call_external(node->external, operand)
                                       : evaluate_operation(expr, operand);
}

union value tape_run(struct evaluator *evaluator, struct tape *tape)
{
    assert(!tape->running && "a tape is not run within itself");
    tape->running = true;
    for (size_t i = 0; i < tape->count; i++)
        tape->value[i] = run_node(evaluator, tape, &tape->node[i]);
    tape->running = false;
    return tape->value[tape->count - 1];
}

union value evaluate_once(struct evaluator *evaluator, const struct expr *root)
{
    struct tape *tape = hash_map_find(&evaluator->tapes, root);
    if (!tape) {
        tape = tape_compile(evaluator, root);
        hash_map_put(evaluator->arena, &evaluator->tapes, root, tape);
    }
    return tape_run(evaluator, tape);
}

int64_t border_coordinate(enum border_rule rule, int64_t index, int64_t first, int64_t extent,
                          bool *outside)
{
    const int64_t i = index - first, n = extent;
    *outside = false;
    if (i >= 0 && i < n)
        return index;
    int64_t place = 0;
    switch (rule) {
    case BORDER_ZERO:
    case BORDER_CONSTANT:
        *outside = true;
        break;
    case BORDER_CLAMP:
        place = i < 0 ? 0 : n - 1;
        break;
    case BORDER_REFLECT: /* period 2n: 0 … n-1, n-1 … 0 */
        place = floor_remainder(i, 2 * n);
        place = place < n ? place : 2 * n - 1 - place;
        break;
    case BORDER_REFLECT101: /* period 2n - 2: 0 … n-1, n-2 … 1; one sample is its own neighbour */
        place = n == 1 ? 0 : floor_remainder(i, 2 * n - 2);
        place = place < n ? place : 2 * n - 2 - place;
        break;
    case BORDER_WRAP:
        place = floor_remainder(i, n);
        break;
    case BORDER_NONE:
    case BORDER_EXTEND:
    case BORDER_VALID:
    case BORDER_COUNT:
        assert(!"a read inside the box");
    }
    return first + place;
}
