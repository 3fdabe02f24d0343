#include "loop/lower/loop_details.h"

void details_move(unsigned rank, unsigned order[], unsigned axis, unsigned to)
{
    unsigned at = 0;
    while (order[at] != axis)
        at++;
    for (; at > to; at--)
        order[at] = order[at - 1];
    for (; at < to && at + 1 < rank; at++)
        order[at] = order[at + 1];
    order[at] = axis;
}

/* Why the first axis that keeps its place does, of those along which the stage is unrolled if it is
 * asked about these alone; NULL: none does. */
static const char *first_reason(const char *const fixed[], const struct stage *stage, bool unrolled)
{
    const char *reason = NULL;
    for (unsigned k = 0; k < stage->rank && !reason; k++)
        reason = !unrolled || details_unroll(stage, k) ? fixed[k] : NULL;
    return reason;
}

void details_order(struct pass_context *context, struct program *program, const struct stage *stage,
                   const char *const fixed[], unsigned order[])
{
    const struct detail *said = stage_says(stage, DETAIL_ORDER);
    const struct detail *lanes = stage_says(stage, DETAIL_LANES);
    const unsigned named = stage->rank - stage_is_complex(stage);
    const char *reason = !said || said->count == stage->rank ? first_reason(fixed, stage, false)
                         : said->count < named
                             ? "the order has to name all its axes"
                             : "its samples are complex, and the loop over both parts has no name";
    if (said && reason)
        decline(context, stage, DETAIL_ORDER, "%s", reason);
    else if (said) {
        for (unsigned k = 0; k < stage->rank; k++)
            order[k] = (unsigned)said->value[k];
        program_obey(context->output, program, stage, DETAIL_ORDER);
    }
    if (!lanes || lanes->count == 0)
        return;
    const unsigned axis = (unsigned)lanes->value[0], last = order[stage->rank - 1];
    if (fixed[axis])
        decline(context, stage, DETAIL_LANES, "%s", fixed[axis]);
    else if (said && last != axis)
        decline(context, stage, DETAIL_LANES, "lanes are along the last axis of its order, '%s'",
                stage->axis[last].name->text);
    else {
        details_move(stage->rank, order, axis, stage->rank - 1);
        program_obey(context->output, program, stage, DETAIL_LANES);
    }
}

unsigned details_threads(struct pass_context *context, struct program *program,
                         const struct stage *stage, const char *const fixed[], bool ordered,
                         unsigned count, unsigned order[])
{
    const struct detail *said = stage_says(stage, DETAIL_THREADS);
    if (!said || said->count == 0)
        return 0;
    for (unsigned i = 0; i < said->count; i++) {
        if (fixed[said->value[i]]) {
            decline(context, stage, DETAIL_THREADS, "%s", fixed[said->value[i]]);
            return 0;
        }
        if (ordered && order[i] != said->value[i]) {
            decline(context, stage, DETAIL_THREADS,
                    "threads share its outermost loops, and its order begins with '%s'",
                    stage->axis[order[0]].name->text);
            return 0;
        }
    }
    for (unsigned i = 0; i < said->count; i++)
        details_move(count, order, (unsigned)said->value[i], i);
    program_obey(context->output, program, stage, DETAIL_THREADS);
    return said->count;
}

enum parallel_level details_level(const struct stage *stage, bool innermost)
{
    const struct detail *lanes = stage_says(stage, DETAIL_LANES);
    return innermost && lanes && lanes->count == 0 ? LEVEL_SERIAL : LEVEL_INDEPENDENT;
}

int64_t details_unroll(const struct stage *stage, unsigned axis)
{
    const struct detail *said = stage_says(stage, DETAIL_UNROLL);
    return said && said->value[axis] > 1 ? said->value[axis] : 0;
}

void details_obey_loops(struct pass_context *context, struct program *program,
                        const struct stage *stage, const char *const fixed[])
{
    const struct detail *lanes = stage_says(stage, DETAIL_LANES);
    const char *reason = first_reason(fixed, stage, true);
    if (reason)
        decline(context, stage, DETAIL_UNROLL, "%s", reason);
    else if (stage_says(stage, DETAIL_UNROLL))
        program_obey(context->output, program, stage, DETAIL_UNROLL);
    if (lanes && lanes->count == 0)
        program_obey(context->output, program, stage, DETAIL_LANES);
}

int64_t details_prefetch(const struct stage *stage, int64_t usual)
{
    const struct detail *said = stage_says(stage, DETAIL_PREFETCH);
    return said ? said->value[0] : usual;
}

void details_obey_prefetch(struct pass_context *context, struct program *program,
                           const struct stage *stage, unsigned count, const char *reason)
{
    if (count && stage_says(stage, DETAIL_PREFETCH))
        program_obey(context->output, program, stage, DETAIL_PREFETCH);
    else
        decline(context, stage, DETAIL_PREFETCH, "%s", reason);
}

void details_obey_nothing(struct pass_context *context, struct program *program,
                          const struct stage *stage)
{
    const struct detail *prefetch = stage_says(stage, DETAIL_PREFETCH);
    const struct detail *lanes = stage_says(stage, DETAIL_LANES);
    if (prefetch && prefetch->value[0] == 0)
        program_obey(context->output, program, stage, DETAIL_PREFETCH);
    if (lanes && lanes->count == 0 && stage->rank == 0)
        program_obey(context->output, program, stage, DETAIL_LANES);
}

void details_decline(struct pass_context *context, const struct stage *stage, const char *reason)
{
    static const enum stage_detail of_loops[] = {DETAIL_THREADS, DETAIL_ORDER, DETAIL_LANES,
                                                 DETAIL_UNROLL, DETAIL_PREFETCH};
    for (size_t i = 0; i < sizeof of_loops / sizeof of_loops[0]; i++)
        decline(context, stage, of_loops[i], "%s", reason);
}

const char *details_choosing(struct pass_context *context, const struct stage *stage, unsigned axis)
{
    return arena_format(context->scratch, "each place along '%s' has a formula of its own",
                        stage->axis[axis].name->text);
}

static bool is_obeyed(const struct program *program, const struct symbol *stage,
                      enum stage_detail detail)
{
    bool obeyed = false;
    for (size_t i = 0; i < program->obeyed.count && !obeyed; i++)
        obeyed = program->obeyed.item[i].stage == stage && program->obeyed.item[i].detail == detail;
    return obeyed;
}

void details_check(const struct graph *asked, const struct graph *done,
                   const struct program *program, const struct remarks *remarks,
                   schedule_refusal *report, void *context)
{
    for (size_t i = 0; i < asked->stages.count; i++) {
        const struct stage *wanted = asked->stages.item[i];
        const struct stage *made = wanted->details ? graph_stage_named(done, wanted->name) : NULL;
        const bool is_inline = wanted->schedule && wanted->schedule->placement == PLACED_INLINE;
        for (unsigned d = 0; d < DETAIL_COUNT && wanted->details; d++) {
            const enum stage_detail detail = (enum stage_detail)d;
            const char *reason = remark_reason(remarks, wanted->name, d);
            const bool left = made ? stage_says(made, detail) != NULL : is_inline && reason;
            if (stage_says(wanted, detail) && left && !is_obeyed(program, wanted->name, detail))
                report(wanted, stage_says(wanted, detail)->span, detail_info[d].where, reason,
                       context);
        }
    }
}
