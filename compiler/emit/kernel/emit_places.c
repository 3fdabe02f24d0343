/* Addresses of lanes: contiguous with those of neighbouring lanes, or scattered. */
#include "emit/emission.h"

static bool holds_lane(const struct emission *e, const struct expr *node)
{
    bool found = node == e->lane;
    for (unsigned i = 0; i < node->count && !found; i++)
        found = holds_lane(e, node->operand[i]);
    return found;
}

bool place_is_scattered(const struct emission *e, const struct expr *index)
{
    if (!e->lane)
        return false;
    switch ((int)index->kind) {
    case EXPR_LOAD:
        return true;
    case EXPR_VARIABLE:
        return hash_map_find(&e->scattered, index) != NULL;
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
    case EXPR_SHIFT_RIGHT:
        if (holds_lane(e, index))
            return true;
        break;
    }
    bool found = false;
    for (unsigned i = 0; i < index->count && !found; i++)
        found = place_is_scattered(e, index->operand[i]);
    return found;
}

void place_note_local(struct emission *e, const struct expr *variable, const struct expr *value)
{
    if (place_is_scattered(e, value))
        hash_map_put(e->arena, &e->scattered, variable, (void *)(uintptr_t)variable);
}

bool place_fits_32_bits(const struct emission *e, const struct buffer *buffer,
                        const struct expr *const index[])
{
    bool scattered = false;
    int64_t samples = 1;
    for (unsigned k = 0; k < buffer->rank; k++) {
        if (!buffer_is_fixed(buffer) || buffer->axis[k].extent->kind != EXPR_INTEGER)
            return false;
        scattered = scattered || place_is_scattered(e, index[k]);
        samples *= buffer->axis[k].extent->as.integer;
        if (samples > INT32_MAX)
            return false;
    }
    return scattered;
}
