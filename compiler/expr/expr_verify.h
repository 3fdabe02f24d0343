/* What must hold of expressions: used by the verifiers of graphs and loop programs, and by the
 * reader before it builds a node. A result is NULL where all is well, else one sentence in the
 * arena. */
#ifndef FLTC_EXPR_EXPR_VERIFY_H
#define FLTC_EXPR_EXPR_VERIFY_H

#include "expr/expr.h"

/* Operands of an operation of shape FUNCTION: their number and types. exact: the result's interval
 * must fit 64 bits, as the front end has it; a pass may widen it, putting an expression in the
 * place of a coordinate, without widening the values. */
const char *expr_check_operation(struct arena *arena, enum expr_kind kind, unsigned count,
                                 const struct expr *const operand[], bool exact);
const char *expr_check_reduction(struct arena *arena, const struct expr_reduction *shape,
                                 unsigned count, const struct expr *const operand[], bool exact);
/* The call of a C function: its names, types and arguments. exact: as above. */
const char *expr_check_external(struct arena *arena, const struct external *function,
                                unsigned count, const struct expr *const operand[], bool exact);
/* Whether C takes it between the quotes of an #include. */
bool external_header_is_sound(const char *header);
/* NULL where a value of the expression can be stored as the type: floats have the same type,
 * integers lie in its interval. */
const char *expr_check_stored(struct arena *arena, const struct expr *value, enum scalar scalar);

struct expr_rules {
    struct arena *arena;
    /* What the IR knows of a variable that no enclosing reduction binds, and of what a load reads.
     * load may be NULL: then no load may be there. */
    const char *(*variable)(const struct expr *node, void *context);
    const char *(*load)(const struct expr *node, void *context);
    void *context;
    bool exact; /* see expr_check_operation */
};
/* Checks all below the root: operands, variables, borders; index by index what loads read. */
const char *expr_verify(const struct expr_rules *rules, const struct expr *root);
/* The part all IRs have in common of what is checked of a load: rank, type and borders. name: of
 * the stage or buffer. */
const char *expr_check_load(struct arena *arena, const struct expr *load, const char *name,
                            unsigned rank, enum scalar scalar, struct interval interval);

#endif
