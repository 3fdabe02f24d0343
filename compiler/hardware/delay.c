#include "hardware/delay.h"

unsigned operation_delay(const struct expr *node)
{
    switch (node->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
        return DELAY_OF_ADDER;
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        return DELAY_OF_ADDER + DELAY_OF_ADDER / 2;
    case EXPR_SELECT:
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
        /* a bit of a number is a wire */
        return node->kind != EXPR_SELECT && interval_bits(node->operand[0]->interval) == 1
                   ? 0
                   : DELAY_OF_ADDER / 2;
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
        return DELAY_OF_ADDER;
    case EXPR_MULTIPLY:
        return node->operand[1]->kind == EXPR_INTEGER
                   ? (node->operand[1]->as.integer & (node->operand[1]->as.integer - 1)
                          ? DELAY_OF_ADDER
                          : 0)
                   : DELAY_OF_ADDER;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_BIT_AND:
    case EXPR_BIT_OR:
    case EXPR_BIT_XOR:
        return DELAY_OF_ADDER / 4;
    default:
        return 0;
    }
}

bool is_product(const struct expr *node)
{
    return node->kind == EXPR_MULTIPLY && node->operand[0]->kind != EXPR_INTEGER &&
           node->operand[1]->kind != EXPR_INTEGER;
}

struct looping {
    struct arena *scratch;
    struct hash_map
        delay; /* node → 1 + delay from the nearest own result; none: it depends on none */
    unsigned longest;
};

static void follow(const struct expr *node, void *user)
{
    struct looping *l = user;
    uintptr_t found = expr_is_state(node) ? 1 : 0;
    for (unsigned k = 0; !expr_is_element(node) && k < node->count; k++) {
        const uintptr_t before = (uintptr_t)hash_map_find(&l->delay, node->operand[k]);
        const unsigned own =
            is_product(node) || expr_is_sample(node) ? MOST_LOOP_DELAY + 1 : operation_delay(node);
        if (before && before + own > found)
            found = before + own;
    }
    if (!found)
        return;
    hash_map_put(l->scratch, &l->delay, node, (void *)found);
    l->longest = found - 1 > l->longest ? (unsigned)found - 1 : l->longest;
}

unsigned loop_delay(struct arena *scratch, const struct expr *const value[], size_t count)
{
    struct looping l = {.scratch = scratch};
    struct expr_walk walk = {.scratch = scratch};
    for (size_t i = 0; i < count; i++)
        expr_visit(&walk, value[i], follow, &l);
    return l.longest;
}
