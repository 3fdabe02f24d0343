#include "loop/input_region.h"
#include "analysis/motion.h"
#include "analysis/regions.h"

void input_region_cut(struct expr_pool *pool, const struct program *program,
                      const struct input_region *region, unsigned axis, const struct expr **first,
                      const struct expr **end)
{
    const enum input_reach reach = region->reach[axis];
    *first = region->first[axis];
    *end = region->end[axis];
    if (reach == REACH_PART || reach == REACH_MIRRORED)
        region_clip(pool, reach == REACH_MIRRORED, expr_integer(pool, 0),
                    program_buffer(program, region->input)->axis[axis].extent, first, end);
}

/* The variables for the ends of the results' boxes stand in pairs: first, end. */
struct followed {
    const struct expr *first, *end; /* NULL: none */
    bool several;
};

static struct followed followed_by(struct arena *scratch, const struct program *program,
                                   const struct expr *first, const struct expr *end)
{
    struct followed found = {NULL, NULL, false};
    for (size_t v = 0; v + 1 < program->region_variables.count; v += 2) {
        const struct expr *const *pair = &program->region_variables.item[v];
        bool depends = false;
        for (int i = 0; i < 2; i++)
            depends = depends || expr_contains(scratch, first, pair[i]) ||
                      expr_contains(scratch, end, pair[i]);
        if (!depends)
            continue;
        found.several = found.first != NULL;
        found.first = pair[0];
        found.end = pair[1];
    }
    return found;
}

/* Whether both ends go on by as many samples, each with that end of the result's box. */
static struct motion motion_of_both(struct arena *scratch, const struct followed *follows,
                                    const struct expr *first, const struct expr *end)
{
    const struct motion begins = motion_of(scratch, first, follows->first),
                        ends = motion_of(scratch, end, follows->end),
                        apart = motion_sum(begins, ends, -1);
    if (!apart.known || apart.distance != 0 || begins.distance == 0 ||
        expr_contains(scratch, first, follows->end) || expr_contains(scratch, end, follows->first))
        return (struct motion){false, 1, 0};
    return (struct motion){true, apart.period, begins.distance * (apart.period / begins.period)};
}

struct input_motion input_region_motion(struct expr_pool *pool, struct arena *scratch,
                                        const struct program *program,
                                        const struct input_region *region, unsigned axis)
{
    const struct expr *first = region->first[axis], *end = region->end[axis];
    const enum input_reach reach = region->reach[axis];
    const struct followed follows = followed_by(scratch, program, first, end);
    if (reach == REACH_NOTHING)
        return (struct input_motion){.reads = INPUT_NOTHING};
    if (reach == REACH_WHOLE)
        return (struct input_motion){.reads = INPUT_WHOLE};
    if (follows.several)
        return (struct input_motion){.reads = INPUT_IRREGULAR};
    if (!follows.first)
        return (struct input_motion){.reads = INPUT_FIXED};
    const struct motion moves = motion_of_both(scratch, &follows, first, end);
    struct input_motion motion = {.reads = moves.known ? INPUT_BOX : INPUT_IRREGULAR,
                                  .follows = follows.first};
    if (!moves.known)
        return motion;
    motion.samples = moves.distance;
    motion.for_each = moves.period;
    if (motion.samples == motion.for_each) {
        motion.before = region_sum(pool, follows.first, first, -1);
        motion.after = region_sum(pool, end, follows.end, -1);
    }
    return motion;
}
