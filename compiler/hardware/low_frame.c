#include "hardware/low_frame.h"

enum {
    LINES_ENOUGH = 64,
    LINES_LEFT = 16,
    CLOCKS_BETWEEN = 64, /* that a frame has at least, besides those in which numbers are given */
    OF_FRAMES = 40       /* a level: its lines are the same for all images */
};

static uint32_t most_lines(const struct circuit *circuit)
{
    uint32_t most = 0;
    for (size_t i = 0; i < circuit->processes.count; i++) {
        const struct process *p = &circuit->processes.item[i];
        if (p->kind == PROCESS_SOURCE && p->out.lines > most)
            most = p->out.lines;
    }
    return most;
}

/* An image of half the lines, rounded up, is one level up. */
static int level_of_source(uint64_t lines, uint64_t most)
{
    int level = 0;
    while (most >> level > 1 && lines << (level + 1) < most + ((uint64_t)1 << (level + 1)))
        level++;
    return level;
}

static int level_of(const int level[], const struct process *p, uint32_t most)
{
    if (p->edge_count == 0)
        return level_of_source(p->out.lines, most);
    if (p->kind == PROCESS_COUNT)
        return OF_FRAMES;
    int own = level[p->edge[0].from];
    if (p->kind == PROCESS_WINDOW && p->as.window.axis == RASTER_LINES)
        own += __builtin_ctz(p->as.window.stride);
    if (p->kind == PROCESS_TWICE && p->as.twice.axis == RASTER_LINES)
        own -= 1;
    return own;
}

/* So many lines of the largest image as the process has beyond those that are to be left; none of
 * an image that is no half or quarter of it: its frames have their ends at other clocks. */
static int64_t can_leave_out(const struct process *p, int level, uint32_t most)
{
    const bool is_part = p->kind != PROCESS_SOURCE || p->out.lines == most >> level ||
                         p->out.lines == (most + (1u << level) - 1) >> level;
    if (!is_part)
        return 0;
    const int64_t lines = p->out.lines > LINES_LEFT ? (int64_t)p->out.lines - LINES_LEFT : 0;
    return level >= 0 ? lines << level : lines >> -level;
}

/* Numbers of a frame are given while the next one counts, which has to take as long. */
static int64_t count_can_leave_out(const struct circuit *circuit, const int level[],
                                   const struct process *count)
{
    const uint32_t from = count->edge[0].from;
    const struct stream *in = &circuit->processes.item[from].out;
    const int64_t needed = (count->as.count.bins + CLOCKS_BETWEEN) / in->tokens + 1;
    const int64_t lines = in->lines > needed ? in->lines - needed : 0;
    return level[from] >= 0 ? lines << level[from] : lines >> -level[from];
}

struct low_frame low_frame_of(struct arena *arena, const struct circuit *circuit)
{
    const size_t count = circuit->processes.count;
    int *level = ARENA_ARRAY(arena, int, count + 1), deepest = 0;
    const uint32_t most = most_lines(circuit);
    for (size_t i = 0; i < count; i++) {
        level[i] = level_of(level, &circuit->processes.item[i], most);
        if (level[i] < OF_FRAMES / 2 && level[i] > deepest)
            deepest = level[i];
    }
    int64_t left_out = (int64_t)most - ((int64_t)LINES_ENOUGH << deepest);
    for (size_t i = 0; i < count; i++) {
        const struct process *p = &circuit->processes.item[i];
        if (level[i] >= OF_FRAMES / 2 && p->kind != PROCESS_COUNT)
            continue;
        const int64_t can = p->kind == PROCESS_COUNT ? count_can_leave_out(circuit, level, p)
                                                     : can_leave_out(p, level[i], most);
        left_out = can < left_out ? can : left_out;
    }
    const int64_t unit = (int64_t)1 << deepest;
    return (struct low_frame){left_out > 0 ? left_out / unit * unit : 0, unit, level};
}

int64_t low_frame_lines(const struct low_frame *frame, const struct process *process)
{
    const int level = frame->level[process->id];
    return (int64_t)process->out.lines -
           (level >= 0 ? frame->left_out >> level : frame->left_out << -level);
}
