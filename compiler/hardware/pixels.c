#include "hardware/pixels.h"
#include "hardware/shape.h"

/* What goes along a line from one sample to the next. */
static const char *reason_of(const struct process *p)
{
    switch (p->kind) {
    case PROCESS_SCAN:
        return p->as.pipe.state.axis == RASTER_TOKENS ? "goes on from one sample to the next"
                                                      : NULL;
    case PROCESS_COUNT:
        return "counts sample by sample";
    case PROCESS_TWICE:
        return "gives samples twice";
    case PROCESS_WINDOW:
        return p->as.window.axis == RASTER_TOKENS && p->as.window.stride > 1
                   ? "leaves samples of a line out"
                   : NULL;
    case PROCESS_SOURCE:
    case PROCESS_SINK:
    case PROCESS_PIPE:
    case PROCESS_KIND_COUNT:
        break;
    }
    return NULL;
}

bool pixels_suit(struct arena *arena, const struct circuit *circuit, unsigned pixels,
                 struct refusal *refusal)
{
    const char *count = arena_format(arena, "%u", pixels);
    for (size_t i = 0; i < circuit->processes.count && pixels > 1; i++) {
        const struct process *p = &circuit->processes.item[i];
        const char *why = reason_of(p);
        if (!why && p->out.tokens % pixels)
            why = arena_format(arena, "has lines of %u samples", p->out.tokens);
        if (!why && p->kind == PROCESS_WINDOW && p->as.window.axis == RASTER_TOKENS &&
            p->out.tokens < circuit->processes.item[p->edge[0].from].out.tokens)
            why = "leaves the ends of lines out";
        if (why)
            refuse(arena, refusal, REFUSED_PIXELS, NULL, count,
                   arena_format(arena, "'%s' %s", p->name->text, why));
        if (refusal->refused)
            return false;
    }
    return true;
}
