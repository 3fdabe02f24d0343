#include "analysis/exchanges.h"

bool exchange_next(struct exchange *e, int64_t *last, int64_t top)
{
    if (e->bit == 0) { /* the first */
        *e = (struct exchange){top, 0, top};
        *last = top;
        return top > 0;
    }
    if (*last != e->bit) {
        e->distance = *last - e->bit;
        *last /= 2;
        e->rest = e->bit;
        return true;
    }
    e->bit /= 2;
    e->rest = 0;
    e->distance = e->bit;
    *last = top;
    return e->bit > 0;
}

int64_t exchange_top(int64_t count)
{
    int64_t top = 0;
    for (int64_t bit = 1; bit < count; bit *= 2)
        top = bit;
    return top;
}
