/* Lines across those in segments. What the chain reads of them can be computed with each segment,
 * once for its states and once for its samples, and is in no memory as long as the image:
 *   before: rows[y, x] = in[y, x] + a rows[y, x - 1]   out[y, x] = rows[y, x] + b out[y - 1, x]   out in segments along y
 *   after:  rows.local at out.tails, rows at out.segments: for each segment the rows that it reads; rows.rest of what is left
 * An image is then read twice and written once, both axes together (algorithm 5 of Nehab et al.
 * 2011, with whole rows). */
#include "graph/segments/segments.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"

enum { ROWS_ALONG = 1 }; /* of images of two axes, whose segments are along the other one */

/* ---- Which ---- */

static bool is_member(const struct segments *s, const struct stage *stage)
{
    return chain_member_of(s->chain, stage->id.index) < s->chain->count;
}

/* The places of a member along the line. */
static struct span_bound places_of(const struct segments *s, const struct stage *member,
                                   const struct stage_axis *own)
{
    return (struct span_bound){
        member->axis[s->chain->axis].variable, own->computed_first,
        region_sum(segments_pool(s), own->computed_first, own->computed_extent, 1)};
}

/* Whether it is known which rows those are. */
static bool reads_known_rows(const struct segments *s, const struct stage *member,
                             const struct stage *stage)
{
    const struct expr *first = NULL, *end = NULL;
    return line_widen_read(segments_pool(s), s->context->scratch, member,
                           places_of(s, member, &member->axis[s->chain->axis]), stage,
                           s->chain->axis, &first, &end) &&
           first;
}

/* Whether the chain alone reads the stage: a sample of the same column, near the place at hand. */
static bool is_read_beside(const struct segments *s, const struct stage *stage)
{
    const struct stage_readers *of = &s->readers[stage->id.index];
    bool beside = of->stages.count > 0;
    for (size_t r = 0; beside && r < of->stages.count; r++) {
        const struct line_reach reach =
            line_reach_of(s->context->scratch, of->stages.item[r], stage, s->chain->axis);
        beside = is_member(s, of->stages.item[r]) && reach.beside && (reach.near || reach.within) &&
                 reads_known_rows(s, of->stages.item[r], stage);
    }
    return beside;
}

/* Whether it is computed with the lines that end in the sink, and nothing else reads it. */
static bool joins(const struct segments *s, const struct segments_rows *rows,
                  const struct stage *stage)
{
    const struct stage_readers *of = &s->readers[stage->id.index];
    const struct stage *sink = rows->stage[0];
    return rows->count < SEGMENTS_MOST_ROWS && !s->replaced[stage->id.index] &&
           (!stage->schedule || stage_is_in_tiles_of(stage, sink)) &&
           !stage_is_kept(s->in, stage) && stage_computes(stage) && !stage_says_any(stage) &&
           line_joins(s->context->scratch, stage, sink, ROWS_ALONG, of->stages.count,
                      of->stages.item, rows->count, rows->stage);
}

/* Collects the stages that lead to the sink. False: none is a recurrence. */
static bool find_members(const struct segments *s, struct segments_rows *rows)
{
    bool recurs = rows->stage[0]->kind == STAGE_RECURRENCE;
    for (size_t i = rows->stage[0]->id.index; i-- > 0;) {
        const struct stage *stage = s->in->stages.item[i];
        if (!joins(s, rows, stage))
            continue;
        rows->stage[rows->count++] = stage;
        recurs = recurs || stage->kind == STAGE_RECURRENCE;
    }
    return recurs;
}

/* Whether the program wants it, or chance. */
static bool is_wanted(const struct segments *s, const struct stage *stage)
{
    return stage->schedule
               ? stage_is_in_bands(stage) && stage->schedule->at.index == s->last->id.index
               : choose_whether(s->context, stage->id.index, CHOICE_SEGMENT_WITH_ROWS, false);
}

/* Why no rows with segments end in the stage; NULL: they may. */
static const char *reason_against_rows(const struct segments *s, const struct stage *stage)
{
    return !line_runs_along(stage, ROWS_ALONG) || stage->rank != 2 ||
                   s->replaced[stage->id.index] ||
                   !line_reach_of(s->context->scratch, stage, stage, ROWS_ALONG).beside
               ? "it has no rows by themselves"
           : stage->repeat != s->last->repeat  ? "it is read in another step of a repeat"
           : stage_says_any(stage)             ? "it takes no other directive there"
           : graph_output_of(s->in, stage->id) ? "it is a result"
           : stage_is_carried(s->in, stage)    ? "a repeat carries it"
           : !is_read_beside(s, stage)
               ? arena_format(s->context->scratch,
                              "it is not read by '%s' alone, in the same column and a known "
                              "distance away",
                              s->last->name->text)
               : NULL;
}

void segments_find_rows(struct segments *s)
{
    const size_t most = s->last->rank == 2 && s->chain->axis != ROWS_ALONG ? s->last->id.index : 0;
    for (size_t i = 0; i < most; i++) {
        const struct stage *stage = s->in->stages.item[i];
        struct segments_rows rows = {1, {stage}};
        if (!is_wanted(s, stage))
            continue;
        const char *reason = reason_against_rows(s, stage);
        if (!reason && find_members(s, &rows) && s->rows_count < SEGMENTS_MOST_ROWS)
            s->rows[s->rows_count++] = rows;
        else
            decline(s->context, stage, REMARK_PLACE, "%s",
                    reason ? reason : "no recurrence along its rows is among it");
    }
}

/* ---- Copies ---- */

/* The rows that a part of the line reads. own: by member, its places there. */
static struct stage_axis needed_rows(const struct segments *s, const struct stage *rows,
                                     const struct stage_axis own[])
{
    struct expr_pool *pool = segments_pool(s);
    const struct expr *first = NULL, *end = NULL;
    struct stage_axis axis = rows->axis[s->chain->axis];
    for (size_t m = 0; m < s->chain->count; m++) {
        const struct stage *member = s->chain->member[m].stage;
        (void)line_widen_read(pool, s->context->scratch, member, places_of(s, member, &own[m]),
                              rows, s->chain->axis, &first, &end); /* that is known */
    }
    region_clip(pool, false, axis.computed_first, axis.computed_extent, &first, &end);
    axis.computed_first = first;
    axis.computed_extent =
        region_maximum(pool, region_sum(pool, end, first, -1), segments_integer(s, 0));
    return axis;
}

/* The stage at those rows, with reads renumbered. */
static struct stage copied(struct segments_copy *c, const struct stage *stage,
                           const struct stage_axis *rows, const uint32_t new_id[])
{
    struct segments *s = c->s;
    const struct renumbering renumbering = {segments_pool(s), new_id};
    struct expr_rewriter moving = {.pool = segments_pool(s),
                                   .rule = graph_renumber_read,
                                   .context = (void *)(uintptr_t)&renumbering,
                                   .scratch = s->context->scratch};
    struct stage copy = stage_rewrite(s->context->output, stage, &moving);
    struct stage_axis *axis =
        arena_copy(s->context->output, stage->axis, stage->rank * sizeof *stage->axis);
    if (rows) { /* its own coordinate, which may lie in another interval than that of the sink */
        axis[s->chain->axis].computed_first = rows->computed_first;
        axis[s->chain->axis].computed_extent = rows->computed_extent;
    }
    copy.axis = axis;
    copy.schedule = NULL;
    copy.binding_count = 0;
    copy.is_made = !c->is_final;
    if (copy.is_made)
        copy.name = segments_stage_name(s, stage->name, c->part);
    return copy;
}

/* Rows are turned as they are stored, and are not read from there. */
static void add_sink(struct segments *s, struct stage sink)
{
    if (sink.kind == STAGE_RECURRENCE) {
        const struct expr *const index[2] = {sink.axis[0].variable, sink.axis[1].variable};
        struct stage state = sink;
        state.is_made = true;
        state.name = segments_stage_name(s, sink.name, "state");
        const stage_id id = graph_add_stage(s->context->output, s->out, state);
        sink.kind = STAGE_MAP;
        sink.value =
            expr_load(segments_pool(s), id.index, sink.element, sink.interval, 2, index, NULL);
    }
    graph_add_stage(s->context->output, s->out, sink);
}

static void copy_rows(struct segments_copy *c, const struct segments_rows *rows,
                      const struct stage_axis *axis)
{
    struct segments *s = c->s;
    uint32_t *new_id =
        arena_copy(s->context->scratch, s->new_id, (s->last->id.index + 1) * sizeof *s->new_id);
    for (size_t i = rows->count; i-- > 1;) {
        new_id[rows->stage[i]->id.index] =
            (uint32_t)s->out->stages.count; /* it reads itself there */
        graph_add_stage(s->context->output, s->out, copied(c, rows->stage[i], axis, new_id));
    }
    new_id[rows->stage[0]->id.index] = (uint32_t)s->out->stages.count;
    add_sink(s, copied(c, rows->stage[0], axis, new_id));
}

/* Some rows at a time. */
static const struct schedule *row_by_row(const struct segments *s, const struct stage *rows)
{
    const struct schedule *asked = rows->schedule;
    int64_t *tile = ARENA_ARRAY(s->context->output, int64_t, 2);
    tile[0] = asked ? asked->tile[0]
                    : choose(s->context, rows->id.index, CHOICE_SEGMENT_ROWS, 1, CHOICE_MOST);
    struct schedule schedule = {.placement = PLACED_ROOT,
                                .rank = 2,
                                .tile = tile,
                                .kind = SCHEDULE_LINES,
                                .as.lines.axis = ROWS_ALONG};
    if (asked)
        schedule.span = asked->span;
    return arena_copy(s->context->output, &schedule, sizeof schedule);
}

void segments_copy_rows(struct segments_copy *c, const struct stage_axis own[])
{
    struct segments *s = c->s;
    for (size_t r = 0; r < s->rows_count; r++) {
        const struct stage *sink = s->rows[r].stage[0];
        struct stage_axis needed;
        if (own)
            needed = needed_rows(s, sink, own);
        copy_rows(c, &s->rows[r], own ? &needed : NULL);
        c->rows[r] = (uint32_t)s->out->stages.count - 1;
        s->out->stages.item[c->rows[r]]->schedule = row_by_row(s, sink);
    }
}

uint32_t segments_place_of(const struct segments_copy *c, uint32_t stage)
{
    const struct segments *s = c->s;
    uint32_t new_id = s->new_id[stage];
    for (size_t r = 0; r < s->rows_count; r++)
        if (s->rows[r].stage[0]->id.index == stage)
            new_id = c->rows[r];
    return new_id;
}
