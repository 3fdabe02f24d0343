#include "hardware/special_places.h"

struct special_places special_places(const struct process *window, int64_t n)
{
    struct special_places places = {.count = 0};
    const int64_t stride = window->as.window.stride, before = window_tokens_before(window);
    const int64_t after = window_tokens_after(window);
    const int64_t given =
        window->as.window.axis == RASTER_LINES ? window->out.lines : window->out.tokens;
    for (int64_t place = 0; place < given && window->as.window.rule != BORDER_NONE; place++) {
        const int64_t centre = place * stride;
        if (centre >= before && centre < n - after) {
            place = (n - after + stride - 1) / stride - 1; /* on to the last ones */
            continue;
        }
        if (places.count < sizeof places.item / sizeof *places.item)
            places.item[places.count++] = place;
    }
    return places;
}

/* At place p the line begins p slots before the centre, or ends so far behind it. */
struct special_mark special_mark(const struct process *window, int64_t n, int64_t place)
{
    const int64_t centre = place * window->as.window.stride;
    const int64_t after = window_tokens_after(window);
    const bool is_first = centre < window_tokens_before(window);
    return (struct special_mark){is_first,
                                 (unsigned)(is_first ? after + centre : after - (n - 1 - centre))};
}
