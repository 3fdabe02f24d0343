/* Addresses of lanes: contiguous with those of neighbouring lanes, or scattered. */
#include "emit/emission.h"

static bool holds_lane(const struct kernel_state *here, const struct expr *node)
{
    bool found = node == here->lane;
    for (unsigned i = 0; i < node->count && !found; i++)
        found = holds_lane(here, node->operand[i]);
    return found;
}

static bool is_scattered(const struct scattered *scattered, const struct expr *variable)
{
    bool found = false;
    for (; scattered && !found; scattered = scattered->around)
        found = hash_map_find(&scattered->locals, variable) != NULL;
    return found;
}

bool place_is_scattered(const struct kernel_state *here, const struct expr *index)
{
    if (!here->lane)
        return false;
    switch ((int)index->kind) {
    case EXPR_LOAD:
        return true;
    case EXPR_VARIABLE:
        return is_scattered(here->scattered, index);
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
    case EXPR_SHIFT_RIGHT:
        if (holds_lane(here, index))
            return true;
        break;
    }
    bool found = false;
    for (unsigned i = 0; i < index->count && !found; i++)
        found = place_is_scattered(here, index->operand[i]);
    return found;
}

bool place_fits_32_bits(const struct kernel_state *here, const struct buffer *buffer,
                        const struct expr *const index[])
{
    bool scattered = false;
    int64_t samples = 1;
    for (unsigned k = 0; k < buffer->rank; k++) {
        if (!buffer_is_fixed(buffer) || buffer->axis[k].extent->kind != EXPR_INTEGER)
            return false;
        scattered = scattered || place_is_scattered(here, index[k]);
        samples *= buffer->axis[k].extent->as.integer;
        if (samples > INT32_MAX)
            return false;
    }
    return scattered;
}
