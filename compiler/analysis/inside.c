#include "analysis/inside.h"

struct inside_values {
    struct arena *scratch;
    struct hash_map done; /* node → its value */
};

static struct inside_value value_of(const struct expr *node, const int64_t of[])
{
    enum { BLOCK = 1 << 6 };
    const int64_t extent = INT64_C(1) << 24, most = INT64_C(1) << 30;
    switch ((int)node->kind) {
    case EXPR_INTEGER:
        return (struct inside_value){true, node->as.integer};
    case EXPR_VARIABLE:
        return node->as.variable.kind == VARIABLE_INDEX    ? (struct inside_value){true, BLOCK}
               : node->as.variable.kind == VARIABLE_EXTENT ? (struct inside_value){true, extent}
                                                           : (struct inside_value){false, 0};
    case EXPR_ADD:
        return (struct inside_value){true, of[0] + of[1]};
    case EXPR_SUBTRACT:
        return (struct inside_value){true, of[0] - of[1]};
    case EXPR_MULTIPLY:
        return (struct inside_value){of[0] < most && of[1] < most && of[0] > -most && of[1] > -most,
                                     of[0] * of[1]};
    case EXPR_DIVIDE:
        return (struct inside_value){of[1] > 0 && of[0] >= 0, of[1] > 0 ? of[0] / of[1] : 0};
    case EXPR_MINIMUM:
        return (struct inside_value){true, of[0] < of[1] ? of[0] : of[1]};
    case EXPR_MAXIMUM:
        return (struct inside_value){true, of[0] > of[1] ? of[0] : of[1]};
    default:
        return (struct inside_value){false, 0};
    }
}

static void note_value(const struct expr *node, void *user)
{
    struct inside_values *v = user;
    int64_t of[2] = {0};
    bool known = node->count <= 2;
    for (unsigned i = 0; known && i < node->count; i++) {
        const struct inside_value *operand = hash_map_find(&v->done, node->operand[i]);
        known = operand->known && operand->value < INT64_MAX / 4 && operand->value > INT64_MIN / 4;
        of[i] = operand->value;
    }
    struct inside_value value = {false, 0};
    if (known)
        value = value_of(node, of);
    hash_map_put(v->scratch, &v->done, node, arena_copy(v->scratch, &value, sizeof value));
}

struct inside_value inside_value_of(struct arena *scratch, const struct expr *node)
{
    struct inside_values values = {.scratch = scratch};
    expr_nodes(scratch, node, note_value, &values);
    return *(const struct inside_value *)hash_map_find(&values.done, node);
}
