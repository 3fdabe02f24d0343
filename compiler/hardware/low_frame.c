#include "hardware/low_frame.h"

enum { LINES_ENOUGH = 64, OF_FRAMES = 40 /* a level: its lines are the same for all images */ };

static int level_of(const int level[], const struct process *p)
{
    if (p->edge_count == 0)
        return 0;
    if (p->kind == PROCESS_COUNT)
        return OF_FRAMES;
    int own = level[p->edge[0].from];
    if (p->kind == PROCESS_WINDOW && p->as.window.axis == RASTER_LINES)
        own += __builtin_ctz(p->as.window.stride);
    if (p->kind == PROCESS_TWICE && p->as.twice.axis == RASTER_LINES)
        own -= 1;
    return own;
}

struct low_frame low_frame_of(struct arena *arena, const struct circuit *circuit)
{
    int *level = ARENA_ARRAY(arena, int, circuit->processes.count + 1), deepest = 0;
    uint32_t lines = 0;
    for (size_t i = 0; i < circuit->processes.count; i++) {
        const struct process *p = &circuit->processes.item[i];
        level[i] = level_of(level, p);
        if (level[i] < OF_FRAMES / 2 && level[i] > deepest)
            deepest = level[i];
        if (p->kind == PROCESS_SOURCE && p->out.lines > lines)
            lines = p->out.lines;
    }
    const int64_t enough = (int64_t)LINES_ENOUGH << deepest, unit = (int64_t)1 << deepest;
    return (struct low_frame){lines > enough ? (lines - enough) / unit * unit : 0, level};
}

int64_t low_frame_lines(const struct low_frame *frame, const struct process *process)
{
    const int level = frame->level[process->id];
    return (int64_t)process->out.lines -
           (level >= 0 ? frame->left_out >> level : frame->left_out << -level);
}

int64_t low_frame_clocks(const struct low_frame *frame, const struct circuit *circuit)
{
    int64_t most = 0;
    for (size_t i = 0; i < circuit->processes.count; i++) {
        const struct process *p = &circuit->processes.item[i];
        const int64_t out = (int64_t)p->out.lines - low_frame_lines(frame, p);
        most = out * p->out.tokens > most ? out * p->out.tokens : most;
    }
    return most;
}
