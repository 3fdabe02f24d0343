/* Which directives on places the passes did not obey. */
#include "graph/placement/schedule_check.h"

struct checking {
    struct arena *scratch;
    const struct graph *asked, *done;
    const struct remarks *remarks;
    schedule_refusal *report;
    void *context;
};

static bool keeps_tile(const struct schedule *wanted, const struct schedule *made)
{
    for (unsigned k = 0; k < wanted->rank; k++)
        if (wanted->tile[k] && (!made || made->rank == 0 || made->tile[k] != wanted->tile[k]))
            return false;
    return true;
}

/* where: what was asked for, "in blocks". */
static void refuse(const struct checking *c, const struct stage *wanted, unsigned subject,
                   const char *where)
{
    c->report(wanted, wanted->schedule->span, where,
              remark_reason(c->remarks, wanted->name, subject), c->context);
}

static const char *along_text(const struct checking *c, const char *what, const struct stage *stage,
                              unsigned axis)
{
    return arena_format(c->scratch, "in %s along '%s'", what, stage->axis[axis].name->text);
}

/* How much of the stage is computed at once. with_segments: with each segment of others. */
static void check_sizes(const struct checking *c, const struct stage *wanted,
                        const struct stage *made, bool with_segments)
{
    const struct schedule *schedule = wanted->schedule;
    const bool lines = schedule_has_lines(schedule);
    if (stage_is_segmented(wanted) && !stage_is_segmented(made))
        refuse(c, wanted, REMARK_SEGMENTS, "in blocks");
    else if (with_segments)
        return;
    else if (lines && !schedule_runs_along(made->schedule, schedule->as.lines.axis))
        refuse(c, wanted, REMARK_LINES, along_text(c, "lines", wanted, schedule->as.lines.axis));
    else if (!keeps_tile(schedule, made->schedule))
        refuse(c, wanted, lines ? REMARK_LINES : REMARK_TILES, lines ? "in bands" : "in tiles");
    else if (schedule_slides(schedule) &&
             !schedule_slides_along(made->schedule, schedule->as.tiles.axis))
        refuse(c, wanted, REMARK_SLIDING,
               along_text(c, "tiles that slide", wanted, schedule->as.tiles.axis));
}

/* With which stage it is computed. */
static void check_place(const struct checking *c, const struct stage *wanted,
                        const struct stage *made, bool with_segments)
{
    const bool lines = schedule_has_lines(wanted->schedule);
    const struct stage *sink = graph_stage(c->asked, wanted->schedule->at);
    if (with_segments && !stage_is_segmented(graph_stage_named(c->done, sink->name)))
        return; /* another message gives the reason for those */
    const bool there = (lines ? stage_is_in_bands(made) : stage_is_at(made)) &&
                       stage_sink(c->done, made, c->scratch)->name == sink->name;
    if (!there)
        refuse(c, wanted, REMARK_PLACE, schedule_place_text(c->scratch, lines, sink));
}

void schedule_check(struct arena *scratch, const struct graph *asked, const struct graph *done,
                    const struct remarks *remarks, schedule_refusal *report, void *context)
{
    const struct checking c = {scratch, asked, done, remarks, report, context};
    for (size_t i = 0; i < asked->stages.count; i++) {
        const struct stage *wanted = asked->stages.item[i];
        const struct stage *made = wanted->schedule ? graph_stage_named(done, wanted->name) : NULL;
        if (!made) /* it is read by nothing, or inlined */
            continue;
        const bool with_segments = stage_is_in_bands(wanted) &&
                                   stage_is_segmented(graph_stage(asked, wanted->schedule->at));
        if (wanted->schedule->placement == PLACED_INLINE)
            refuse(&c, wanted, REMARK_INLINE, "where it is read");
        check_sizes(&c, wanted, made, with_segments);
        if (wanted->schedule->placement == PLACED_AT)
            check_place(&c, wanted, made, with_segments);
    }
}
