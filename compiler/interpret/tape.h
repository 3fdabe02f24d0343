/* Evaluation of expressions, node by node in the order they were built: what both interpreters
 * share. Values are those of evaluate.c. */
#ifndef FLTC_INTERPRET_TAPE_H
#define FLTC_INTERPRET_TAPE_H

#include "expr/borders.h"
#include "expr/evaluate.h"
#include "interpret/terms.h"
#include "support/hash_map.h"

struct tape;

/* The C functions that a program calls, by name. */
struct external_function {
    const char *name;
    void (*call)(const struct value argument[], struct value *result);
};
struct external_functions {
    const struct external_function *item;
    size_t count;
};

struct evaluator {
    struct arena *arena;
    struct hash_map slots; /* variable → slot + 1 */
    struct hash_map tapes; /* of evaluate_once, by expression */
    struct value *slot;    /* values of variables */
    size_t slot_count, slot_capacity;
    /* Value of a load whose indices are known. */
    struct value (*load)(const struct expr *node, const int64_t index[], void *context);
    /* The box that a border rule of a load sees along an axis, and the value of the rule, if it
     * has one. */
    void (*box)(const struct expr *node, unsigned axis, int64_t *first, int64_t *extent,
                struct value *outside, void *context);
    void *context;
    const struct external_functions *externals; /* may be NULL */
    struct terms *terms;                        /* NULL: numbers alone are computed */
    /* Greater than 0 while terms are computed that the numbers have no use for: a load may be
     * outside then, and gives 0. */
    unsigned unused;
    bool outside;        /* the load that has just returned was */
    const char *missing; /* a function that a compiled tape calls and that is not there, or NULL */
};

/* The slot of a variable, made at need. Slots made by compiling a tape stay where they are. */
size_t evaluator_slot(struct evaluator *evaluator, const struct expr *variable);
void evaluator_set(struct evaluator *evaluator, const struct expr *variable, struct value value);

struct tape *tape_compile(struct evaluator *evaluator, const struct expr *root);
struct value tape_run(struct evaluator *evaluator, struct tape *tape);
/* For expressions without a tape of their own; compiled at the first call. */
struct value evaluate_once(struct evaluator *evaluator, const struct expr *root);
/* The number by which the program goes: an index, a bound, a decision. */
static inline int64_t evaluator_choose(const struct evaluator *evaluator, struct value value)
{
    return value.term ? terms_choose(evaluator->terms, value) : value.integer;
}

#endif
