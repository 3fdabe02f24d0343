#include "expr/borders.h"

#include "expr/evaluate.h"

#include <assert.h>

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
    case BORDER_REFLECT_ONCE:
        place = i < 0 ? -1 - i : 2 * n - 1 - i;
        break;
    case BORDER_REFLECT101_ONCE:
        place = i < 0 ? -i : 2 * n - 2 - i;
        break;
    case BORDER_WRAP_ONCE:
        place = i < 0 ? i + n : i - n;
        break;
    case BORDER_NONE:
    case BORDER_EXTEND:
    case BORDER_VALID:
    case BORDER_COUNT:
        assert(!"a read inside the box");
    }
    return first + place;
}
