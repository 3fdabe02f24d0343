/* Why a stage is not computed where the program's schedule asks for it. */
#include "graph/placement/schedule_check.h"
#include "graph/segments/chains.h"
#include "graph/recurrence/feedback.h"
#include "graph/placement/tiles.h"

struct checking {
    struct expr_pool *pool;
    struct arena *scratch;
    const struct graph *done;
    const struct target *target; /* NULL: of no matter */
};

static bool reads(struct checking *c, const struct stage *reader, const struct stage *source)
{
    return reader != source && stage_reads(reader, source, c->scratch);
}

/* NULL: its samples could be computed in tiles. */
static const char *reason_of_samples(const struct stage *stage)
{
    return stage->kind == STAGE_CONSTANT  ? "it is known when the filter is compiled"
           : stage_is_structure(stage)    ? "it says where particles are"
           : stage_is_of_particles(stage) ? "it has one sample of each particle"
           : !stage_may_move(stage)       ? "it is not computed sample by sample"
           : stage->rank == 0             ? "it has one sample only"
                                          : NULL;
}

/* Whether tiles may begin it anew, a recurrence. */
static bool forgets(struct checking *c, const struct stage *stage)
{
    return recurrence_memory(c->done, c->pool, c->scratch, stage) > 0;
}

/* NULL: nothing about the stage itself forbids tiles. */
static const char *reason_of_stage(struct checking *c, const struct stage *stage)
{
    if (graph_output_of(c->done, stage->id))
        return "it is a result";
    if (stage->kind == STAGE_RECURRENCE)
        return forgets(c, stage) ? NULL : "it is a recurrence in which samples far before count";
    return reason_of_samples(stage);
}

/* NULL: tiles can be followed through what this stage reads of it. */
static const char *reason_of_reads(struct checking *c, const struct stage *reader,
                                   const struct stage *stage)
{
    struct tile_needs none = {.any = false};
    const struct tile_needs needs = tile_needs_of_sink(reader);
    const char *problem = tile_needs_add(c->pool, c->scratch, reader, &needs, stage, &none);
    return problem ? arena_format(c->scratch, "'%s': %s", reader->name->text, problem) : NULL;
}

static const char *reason_of_tiles(struct checking *c, const struct stage *stage,
                                   const struct stage *sink)
{
    if (sink && stage->kind == STAGE_TRANSFORM)
        return "a panel goes on to a transform of as many lines along the same axis, which alone "
               "reads them, at their own places, and no others";
    const char *reason = sink ? reason_of_stage(c, stage) : "nothing reads that one";
    for (size_t i = 0; i < c->done->stages.count && !reason; i++) {
        const struct stage *reader = c->done->stages.item[i];
        if (!reads(c, reader, stage))
            continue;
        const bool inside = reader == sink || (sink && stage_is_in_tiles_of(reader, sink));
        reason = inside ? reason_of_reads(c, reader, stage)
                        : arena_format(c->scratch, "'%s' reads it too, and is not computed there",
                                       reader->name->text);
    }
    if (reason)
        return reason;
    return c->target && c->target->fast.owner == OWNER_BLOCK
               ? arena_format(c->scratch,
                              "the tile would take more of a block's memory than a half, %u bytes, "
                              "or be the same in all tiles, or be read at two scales",
                              target_fast_bytes(c->target) / 2)
               : "it would be the same in all tiles, or be read at two scales";
}

/* Why a stage has no tiles of its own, or others. */
static const char *reason_of_tile(struct checking *c, const struct stage *stage)
{
    if (stage_is_at(stage))
        return arena_format(c->scratch,
                            "it lies between '%s' and what is computed in tiles of that",
                            graph_stage(c->done, stage->schedule->at)->name->text);
    const char *reason = reason_of_samples(stage);
    return reason ? reason : "nothing in its tiles follows them";
}

/* Why no lines along the axis end in a stage. */
static const char *reason_of_lines(struct checking *c, const struct stage *stage, unsigned along)
{
    if (stage_may_move(stage))
        return "it reads no recurrence along that axis that nothing else reads";
    if (stage->kind != STAGE_RECURRENCE)
        return "it is neither computed sample by sample nor a recurrence";
    return stage->as.recurrence.axis != along
               ? arena_format(c->scratch, "it is a recurrence along '%s'",
                              stage->axis[stage->as.recurrence.axis].name->text)
               : "it reads itself on other lines";
}

struct line_search {
    const struct graph *asked;
    bool found;
};

static void search_line(const struct expr *node, void *user)
{
    struct line_search *search = user;
    const struct stage *read =
        node->kind == EXPR_LOAD ? search->asked->stages.item[node->as.load.source] : NULL;
    search->found =
        search->found || (read && read->kind == STAGE_RECURRENCE && read->as.recurrence.unbounded);
}

/* Whether the stage is a unbounded recurrence, or computed from one. */
static bool is_of_unbounded(struct checking *c, const struct graph *asked,
                            const struct stage *stage)
{
    struct line_search search = {.asked = asked};
    stage_nodes(stage, c->scratch, search_line, &search);
    return search.found;
}

/* Why a stage of the program is not in segments. */
static const char *reason_of_segments(struct checking *c, const struct graph *asked,
                                      const struct stage *stage)
{
    const struct chain *chain =
        chain_of(asked, c->pool, c->scratch, graph_readers(asked, c->scratch), stage,
                 stage->schedule->as.lines.axis, CHAIN_MOST_SWEEPS);
    if (chain)
        return arena_format(c->scratch,
                            "what is computed with it looks back for %u samples, more than a "
                            "block has",
                            chain->order);
    return is_of_unbounded(c, asked, stage)
               ? "it is on the whole line, and is in blocks there where it is linear, its "
                 "coefficients are the same along the line, and it does not soon forget: then it "
                 "begins outside of its box"
               : "it is no linear recurrence of floats or of integers that wrap along that axis, "
                 "nor computed from some, "
                 "with coefficients that are the same along the line; nor max(in[x], s[x - 1]), in "
                 "that order, nor of integers up to 32 bits that saturate";
}

/* Why rows are not computed with the segments that are there. */
static const char *reason_of_rows(struct checking *c, const struct graph *asked,
                                  const struct stage *rows)
{
    if (stage_says_any(rows))
        return "it takes no other directive there";
    if (graph_output_of(asked, rows->id))
        return "it is a result";
    return arena_format(c->scratch,
                        "that is for rows with a recurrence along '%s' which '%s' and what is "
                        "computed with it alone read: in the same column, a known distance away, "
                        "under no rule but zero, constant or clamp, and not where a line begins",
                        rows->axis[rows->schedule->as.lines.axis].name->text,
                        graph_stage(asked, rows->schedule->at)->name->text);
}

static bool keeps_tile(const struct schedule *wanted, const struct schedule *made)
{
    for (unsigned k = 0; k < wanted->rank; k++)
        if (wanted->tile[k] && (!made || made->rank == 0 || made->tile[k] != wanted->tile[k]))
            return false;
    return true;
}

struct rule_search {
    uint32_t source;
    bool found; /* a read under a border rule */
};

static void search_rule(const struct expr *node, void *user)
{
    struct rule_search *search = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != search->source)
        return;
    for (unsigned k = 0; node->as.load.border && k < node->count; k++)
        search->found = search->found || node->as.load.border[k].rule != BORDER_NONE;
}

static const char *reason_of_inlining(struct checking *c, const struct stage *stage)
{
    const char *reason = reason_of_stage(c, stage);
    if (reason)
        return reason;
    struct rule_search search = {.source = stage->id.index};
    for (size_t i = 0; i < c->done->stages.count; i++)
        stage_nodes(c->done->stages.item[i], c->scratch, search_rule, &search);
    return search.found
               ? "it is read under a border rule"
               : "it holds a reduction and is read in one, or what reads it is no plain stage";
}

const char *schedule_place_text(struct arena *arena, bool bands, const struct stage *sink)
{
    return arena_format(arena,
                        !bands                     ? "in tiles of '%s'"
                        : stage_is_segmented(sink) ? "with blocks of '%s'"
                                                   : "in bands of '%s'",
                        sink->name->text);
}

void schedule_check(struct expr_pool *pool, struct arena *scratch, const struct target *target,
                    const struct graph *asked, const struct graph *done, schedule_refusal *report,
                    void *context)
{
    struct checking c = {pool, scratch, done, target};
    for (size_t i = 0; i < asked->stages.count; i++) {
        const struct stage *wanted = asked->stages.item[i];
        const struct schedule *schedule = wanted->schedule;
        const struct stage *stage = schedule ? graph_stage_named(done, wanted->name) : NULL;
        if (!stage) /* it is read by nothing, or inlined */
            continue;
        const bool lines = schedule_has_lines(schedule);
        const bool with_segments =
            stage_is_in_bands(wanted) && stage_is_segmented(graph_stage(asked, schedule->at));
        if (schedule->placement == PLACED_INLINE)
            report(wanted, schedule->span, "where it is read", reason_of_inlining(&c, stage),
                   context);
        if (stage_is_segmented(wanted) && !stage_is_segmented(stage))
            report(wanted, schedule->span, "in blocks", reason_of_segments(&c, asked, wanted),
                   context);
        else if (lines && !with_segments &&
                 !schedule_runs_along(stage->schedule, schedule->as.lines.axis))
            report(wanted, schedule->span,
                   arena_format(scratch, "in lines along '%s'",
                                wanted->axis[schedule->as.lines.axis].name->text),
                   reason_of_lines(&c, stage, schedule->as.lines.axis), context);
        else if (!with_segments && !keeps_tile(schedule, stage->schedule))
            report(wanted, schedule->span, lines ? "in bands" : "in tiles",
                   lines ? "nothing is computed in them, or its lines take more than one pass"
                         : reason_of_tile(&c, stage),
                   context);
        else if (schedule_slides(schedule) &&
                 !schedule_slides_along(stage->schedule, schedule->as.tiles.axis))
            report(wanted, schedule->span,
                   arena_format(scratch, "in tiles that slide along '%s'",
                                wanted->axis[schedule->as.tiles.axis].name->text),
                   "a stage in them follows that axis along its fastest one, or along two, or is a "
                   "recurrence",
                   context);
        if (schedule->placement != PLACED_AT)
            continue;
        const struct stage *sink = graph_stage(asked, schedule->at);
        if (with_segments && !stage_is_segmented(graph_stage_named(done, sink->name)))
            continue; /* another message gives the reason for those */
        const bool there = (lines ? stage_is_in_bands(stage) : stage_is_at(stage)) &&
                           stage_sink(done, stage, scratch)->name == sink->name;
        if (!there)
            report(wanted, schedule->span, schedule_place_text(scratch, lines, sink),
                   !lines ? reason_of_tiles(&c, stage, graph_stage_named(done, sink->name))
                   : with_segments
                       ? reason_of_rows(&c, asked, wanted)
                       : "what reads it does so at other places, or elsewhere too, or in more than "
                         "one pass",
                   context);
    }
}

const char *schedule_reason(struct expr_pool *pool, struct arena *scratch, const struct graph *done,
                            const struct stage *stage)
{
    struct checking c = {pool, scratch, done, NULL};
    const struct stage *sink = NULL;
    const char *reason = reason_of_stage(&c, stage);
    for (size_t i = 0; i < done->stages.count && !reason; i++) {
        const struct stage *reader = done->stages.item[i];
        if (!reads(&c, reader, stage))
            continue;
        const struct stage *own =
            stage_is_at(reader) ? graph_stage(done, reader->schedule->at) : reader;
        if (reader->kind == STAGE_RECURRENCE && !forgets(&c, reader))
            reason = arena_format(scratch,
                                  "'%s', a recurrence in which samples far before count, reads it",
                                  reader->name->text);
        else if (!stage_may_move(reader) && reader->kind != STAGE_RECURRENCE)
            reason = arena_format(scratch, "'%s', which is not computed sample by sample, reads it",
                                  reader->name->text);
        else if (sink && own != sink)
            reason = arena_format(scratch, "it is read in tiles of '%s' and of '%s'",
                                  sink->name->text, own->name->text);
        else
            reason = reason_of_reads(&c, reader, stage);
        sink = own;
    }
    return reason ? reason : "computing the overlap of tiles would cost more than memory";
}
