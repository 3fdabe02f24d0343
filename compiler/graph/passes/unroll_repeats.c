/* unroll_repeats: graph → graph. Unrolls repeats with a constant number of steps, since each step
 * of a circuit is its own hardware.
 *   before: repeat 2 { a = blur(a); }                   after: a.step_1 = blur(in)   a.step_2 = blur(a.step_1)
 * Does nothing if a number of steps is unknown or large. Afterwards either no repeat is left, or
 * all of them are. */
#include "graph/rebuild.h"

enum { MOST_STEPS = 64, MOST_STAGES = 4096, MOST_VISITS = 16 * MOST_STAGES };

struct unrolling {
    const struct graph *in;
    struct rebuild r;
    struct pass_context *context;
    size_t visits; /* of stages and repeats, in each step; a repeat may hold none that are kept */
};

/* Whether it leaves the repeats as they are: each of those one in another multiplies the steps. */
static bool is_too_large(const struct unrolling *u)
{
    return u->r.out->stages.count > MOST_STAGES || u->visits > MOST_VISITS;
}

static bool can_unroll(const struct graph *in)
{
    for (size_t i = 0; i < in->repeats.count; i++) {
        const struct expr *count = in->repeats.item[i].count;
        if (count->kind != EXPR_INTEGER || count->as.integer > MOST_STEPS)
            return false;
    }
    return in->repeats.count > 0;
}

static size_t end_of(const struct unrolling *u, size_t first, uint32_t repeat)
{
    size_t end = first;
    while (end < u->in->stages.count &&
           repeat_is_inside(u->in, u->in->stages.item[end]->repeat, repeat))
        end++;
    return end;
}

/* A copy of the stage as it is in a step, under a name of its own. */
static void keep_in_step(struct unrolling *u, const struct stage *stage, int64_t step)
{
    struct stage copy = *stage;
    copy.repeat = 0;
    copy.name = symbol_format(&u->context->session->symbols, "%s.step_%lld_%zu", stage->name->text,
                              (long long)step + 1, u->r.out->stages.count);
    copy.is_made = true;
    rebuild_keep(&u->r, &copy, NULL);
}

/* What is carried has the samples of `initial`, or of `next` behind a step. */
static void carry(struct unrolling *u, size_t first, size_t end, uint32_t repeat, bool behind)
{
    uint32_t *by = ARENA_ARRAY(u->context->scratch, uint32_t, end - first + 1);
    for (unsigned assigns = 0; assigns < 2; assigns++)
        for (size_t i = first; i < end; i++) {
            const struct stage *stage = u->in->stages.item[i];
            if (stage->kind != STAGE_CARRIED || stage->repeat != repeat)
                continue;
            const stage_id from = behind ? stage->as.carried.next : stage->as.carried.initial;
            if (assigns)
                rebuild_replace(&u->r, stage, by[i - first]);
            else
                by[i - first] = u->r.new_id[from.index];
        }
}

/* Returns the first stage behind the repeat. */
static size_t unroll(struct unrolling *u, size_t first)
{
    const uint32_t repeat = u->in->stages.item[first]->repeat;
    const size_t end = end_of(u, first, repeat);
    const int64_t steps = u->in->repeats.item[repeat - 1].count->as.integer;
    carry(u, first, end, repeat, false);
    for (int64_t step = 0; step < steps && !is_too_large(u); step++) {
        for (size_t i = first; i < end && !is_too_large(u);) {
            const struct stage *stage = u->in->stages.item[i];
            u->visits++;
            if (stage->repeat != repeat) {
                i = unroll(u, i);
                continue;
            }
            if (stage->kind != STAGE_CARRIED)
                keep_in_step(u, stage, step);
            i++;
        }
        carry(u, first, end, repeat, true);
    }
    return end;
}

const struct graph *unroll_repeats(const struct graph *in, struct pass_context *context)
{
    if (!can_unroll(in))
        return in;
    struct unrolling u = {in, rebuild_begin(in, context), context, 0};
    for (size_t i = 0; i < in->stages.count;) {
        if (in->stages.item[i]->repeat) {
            i = unroll(&u, i);
            if (is_too_large(&u))
                return in;
            continue;
        }
        rebuild_keep(&u.r, in->stages.item[i], NULL);
        i++;
    }
    memset(&u.r.out->repeats, 0, sizeof u.r.out->repeats);
    return rebuild_end(&u.r);
}
