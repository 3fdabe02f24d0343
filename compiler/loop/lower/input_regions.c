/* The samples of the inputs that boxes of the outputs depend on, in closed form. Boxes are
 * propagated from the outputs back through all reads. They are not clipped to the box of a stage
 * between where they have its samples that stand for those outside; who uses them clips them to the
 * input's box. The result is never too small; it may be larger than needed if paths through the
 * graph differ. */
#include "loop/lower/input_regions.h"
#include "analysis/reads.h"
#include "analysis/regions.h"

struct need {
    bool any, all; /* read at all; needed whole */
    bool mirrored; /* of an input: samples near the border stand for those outside */
    const struct expr *first, *end; /* before clipping to the box */
};

/* Reads of a stage that is no input, by what their rule makes of samples outside: nothing, or there
 * are none; the last one inside; those on the other side of the border. */
enum reads_kind { READS_AS_READ, READS_CLAMPED, READS_MIRRORED, READS_COUNT };

struct needs {
    const struct graph *in;
    const buffer_id *buffer; /* by stage */
    struct program *out;
    struct pass_context *context;
    struct need (*need)[GRAPH_MAX_RANK];               /* by stage */
    struct need (*reads)[GRAPH_MAX_RANK][READS_COUNT]; /* of the stage at hand, by stage */
    const struct need *reader;
    /* By axis of the outputs: where the box of one sample, whose end is `end`, may begin. */
    VECTOR(struct affine_bound) begins;
    VECTOR(const struct expr *) ends;
};

static void join_need(struct expr_pool *pool, struct need *need, const struct expr *first,
                      const struct expr *end)
{
    need->first = need->any ? region_minimum(pool, need->first, first) : first;
    need->end = need->any ? region_maximum(pool, need->end, end) : end;
    need->any = true;
}

/* The bound of a need for one sample of each result. */
static const struct expr *of_one_sample(struct needs *needs, const struct expr *bound)
{
    struct expr_pool *pool = needs->context->pool;
    for (size_t i = 0; i < needs->ends.count; i++)
        bound = expr_substitute(
            pool, needs->context->scratch, bound, needs->ends.item[i],
            region_sum(pool, needs->begins.item[i].variable, expr_integer(pool, 1), 1));
    return bound;
}

static struct region_sides sides_inside(const struct needs *needs, const struct expr *index,
                                        const struct expr *first, const struct expr *extent)
{
    return region_sides_inside(needs->context->pool, index, first, extent,
                               (unsigned)needs->begins.count, needs->begins.item, 0, NULL);
}

/* Whether samples first … end - 1 of an axis, some of them outside, have those inside that stand
 * for these, wherever the boxes of the results are: proved for each sample of a result, whose needs
 * are parts of those of a box. A rule that repeats the last sample: some are inside. One that turns
 * around: as many are inside as outside. */
static bool covers_outside(struct needs *needs, const struct stage_axis *axis, bool mirrored,
                           const struct expr *first, const struct expr *end)
{
    struct expr_pool *pool = needs->context->pool;
    const struct expr *low = of_one_sample(needs, first),
                      *high =
                          region_sum(pool, of_one_sample(needs, end), expr_integer(pool, 1), -1);
    if (!mirrored)
        return sides_inside(needs, high, axis->first, axis->extent).low &&
               sides_inside(needs, low, axis->first, axis->extent).high;
    const struct region_sides sides = sides_inside(
        needs, region_sum(pool, low, high, 1), region_sum(pool, axis->first, axis->first, 1),
        region_sum(pool, region_sum(pool, axis->extent, axis->extent, 1), expr_integer(pool, 1),
                   -1));
    return sides.low && sides.high;
}

/* Joins to what is needed what the stage at hand reads of another. */
static void join_reads(struct needs *needs, uint32_t source)
{
    struct expr_pool *pool = needs->context->pool;
    const struct stage *stage = needs->in->stages.item[source];
    for (unsigned k = 0; k < stage->rank; k++) {
        struct need *reads = needs->reads[source][k], *need = &needs->need[source][k];
        const struct stage_axis *axis = &stage->axis[k];
        const struct need as_read = reads[READS_AS_READ];
        for (int kind = 0; kind < READS_COUNT; kind++) {
            struct need all = reads[kind];
            if (!all.any)
                continue;
            if (as_read.any)
                join_need(pool, &all, as_read.first, as_read.end);
            const bool mirrored = kind == READS_MIRRORED;
            if (kind != READS_AS_READ &&
                !covers_outside(needs, axis, mirrored, all.first, all.end)) {
                all = reads[kind];
                region_clip(pool, mirrored, axis->first, axis->extent, &all.first, &all.end);
            }
            join_need(pool, need, all.first, all.end);
        }
        for (int kind = 0; kind < READS_COUNT; kind++)
            reads[kind].any = false;
    }
}

static void note_need(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *user)
{
    struct needs *needs = user;
    struct expr_pool *pool = needs->context->pool;
    bool whole = false;
    for (unsigned k = 0; k < GRAPH_MAX_RANK; k++)
        whole = whole || needs->reader[k].all;
    if (needs->need[load->as.load.source] == needs->reader) /* a recurrence reads itself */
        return;
    for (unsigned k = 0; k < load->count; k++) {
        struct need *need = &needs->need[load->as.load.source][k];
        const enum border_rule rule =
            load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
        const struct expr *first, *end;
        if (whole || rule == BORDER_WRAP ||
            !region_of_index(pool, load->operand[k], count, bound, &first, &end)) {
            need->any = need->all = true;
            if (!need->first)
                need->first = need->end = expr_integer(pool, 0);
            continue;
        }
        const bool mirrored = rule == BORDER_REFLECT || rule == BORDER_REFLECT101;
        if (needs->in->stages.item[load->as.load.source]->kind != STAGE_INPUT)
            need = &needs->reads[load->as.load.source][k][mirrored               ? READS_MIRRORED
                                                          : rule == BORDER_CLAMP ? READS_CLAMPED
                                                                                 : READS_AS_READ];
        need->mirrored = need->mirrored || mirrored;
        join_need(pool, need, first, end);
    }
}

static void need_all(struct needs *needs, uint32_t stage, unsigned rank)
{
    for (unsigned k = 0; k < rank; k++) {
        struct need *need = &needs->need[stage][k];
        need->any = need->all = true;
        if (!need->first)
            need->first = need->end = expr_integer(needs->context->pool, 0);
    }
}

/* All of a stage of a repeat, and of what is carried into it. */
static void need_whole(struct needs *needs, const struct stage *stage)
{
    need_all(needs, stage->id.index, stage->rank);
    if (stage->kind == STAGE_CARRIED)
        need_all(needs, stage->as.carried.initial.index, stage->rank);
}

struct step_reads {
    struct needs *needs;
    unsigned count;
    struct span_bound bound[GRAPH_MAX_RANK];
};

static void note_step_reads(const struct expr *node, void *user)
{
    const struct step_reads *reads = user;
    reads_visit(reads->needs->context->pool, reads->needs->context->scratch, node, reads->count,
                reads->bound, note_need, reads->needs);
}

/* All steps of a scatter are taken, at what is needed of the axes it is mapped over. */
static void note_steps(struct needs *needs, const struct stage *scatter,
                       const struct span_bound own[])
{
    const struct stage *steps = scatter->as.scatter.steps;
    struct step_reads reads = {.needs = needs, .count = steps->rank};
    for (unsigned k = 0; k < steps->rank; k++) {
        const struct stage_axis *axis = &steps->axis[k];
        reads.bound[k] = (struct span_bound){
            axis->variable, axis->computed_first,
            region_sum(needs->context->pool, axis->computed_first, axis->computed_extent, 1)};
        const unsigned mapped = scatter_axis_mapped(scatter, axis);
        if (mapped != GRAPH_MAX_RANK)
            reads.bound[k] =
                (struct span_bound){axis->variable, own[mapped].first, own[mapped].end};
    }
    stage_expressions(steps, note_step_reads, &reads);
}

static struct input_region region_of_need(struct needs *needs, const struct stage *stage,
                                          const struct need need[])
{
    struct expr_pool *pool = needs->context->pool;
    const struct expr **first =
        ARENA_ARRAY(needs->context->output, const struct expr *, stage->rank + 1);
    const struct expr **end =
        ARENA_ARRAY(needs->context->output, const struct expr *, stage->rank + 1);
    enum input_reach *reach =
        ARENA_ARRAY(needs->context->output, enum input_reach, stage->rank + 1);
    for (unsigned k = 0; k < stage->rank; k++) {
        reach[k] = !need[k].any       ? REACH_NOTHING
                   : need[k].all      ? REACH_WHOLE
                   : need[k].mirrored ? REACH_MIRRORED
                                      : REACH_PART;
        first[k] = need[k].any && !need[k].all ? need[k].first : expr_integer(pool, 0);
        end[k] = !need[k].any  ? expr_integer(pool, 0)
                 : need[k].all ? stage->axis[k].extent
                               : need[k].end;
    }
    return (struct input_region){needs->buffer[stage->id.index], first, end, reach};
}

/* The box of an output is given: "out.y.first" and "out.y.end" along each axis. */
static void need_output(struct needs *needs, const struct graph *in,
                        const struct graph_output *output)
{
    const struct interval interval = {-(int64_t)INT32_MAX, INT32_MAX};
    const char *part[2] = {"first", "end"};
    const struct stage *stage = graph_stage(in, output->stage);
    struct pass_context *context = needs->context;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *variable[2];
        for (int i = 0; i < 2; i++) {
            variable[i] =
                expr_variable(context->pool, VARIABLE_LOCAL,
                              symbol_format(&context->session->symbols, "%s.%s.%s",
                                            output->name->text, stage->axis[k].name->text, part[i]),
                              SCALAR_I64, interval);
            VECTOR_PUSH(context->output, &needs->out->region_variables, variable[i]);
        }
        const struct stage_axis *axis = &stage->axis[k];
        const struct affine_bound begins = {
            variable[0], axis->first,
            region_sum(context->pool, region_sum(context->pool, axis->first, axis->extent, 1),
                       expr_integer(context->pool, 1), -1)};
        VECTOR_PUSH(context->scratch, &needs->begins, begins);
        VECTOR_PUSH(context->scratch, &needs->ends, variable[1]);
        join_need(context->pool, &needs->need[output->stage.index][k], variable[0], variable[1]);
    }
}

void input_regions_add(const struct graph *in, const buffer_id buffer[], struct program *out,
                       struct pass_context *context)
{
    struct needs needs = {
        .in = in,
        .buffer = buffer,
        .out = out,
        .context = context,
        .need = arena_allocate(context->scratch, (in->stages.count + 1) * sizeof *needs.need),
        .reads = arena_allocate(context->scratch, (in->stages.count + 1) * sizeof *needs.reads)};
    for (size_t i = 0; i < in->outputs.count; i++)
        need_output(&needs, in, &in->outputs.item[i]);
    for (size_t i = 0; i < in->stages.count; i++) /* each step needs all of the one before */
        if (in->stages.item[i]->repeat)
            need_whole(&needs, in->stages.item[i]);
    for (size_t i = in->stages.count; i-- > 0;) {
        const struct stage *stage = in->stages.item[i];
        struct span_bound bound[GRAPH_MAX_RANK];
        bool any = stage->rank == 0, along[GRAPH_MAX_RANK];
        stage_own_reads(stage, context->scratch, along);
        for (unsigned k = 0; k < stage->rank; k++) {
            const struct need *need = &needs.need[i][k];
            any = any || need->any;
            const struct expr *all_first = stage->axis[k].computed_first;
            const struct expr *all_end =
                region_sum(context->pool, all_first, stage->axis[k].computed_extent, 1);
            const bool whole = need->all || !need->any || along[k] || stage_reads_whole(stage, k);
            bound[k] = (struct span_bound){stage->axis[k].variable, whole ? all_first : need->first,
                                           whole ? all_end : need->end};
        }
        needs.reader = needs.need[i];
        if (any && stage_computes(stage))
            reads_visit(context->pool, context->scratch, stage->value, stage->rank, bound,
                        note_need, &needs);
        if (any && stage_imaginary(stage))
            reads_visit(context->pool, context->scratch, stage_imaginary(stage), stage->rank, bound,
                        note_need, &needs);
        if (any && stage->kind == STAGE_SCATTER)
            note_steps(&needs, stage, bound);
        for (uint32_t source = 0; source < i; source++)
            join_reads(&needs, source);
    }
    for (size_t i = 0; i < in->stages.count; i++)
        if (in->stages.item[i]->kind == STAGE_INPUT)
            VECTOR_PUSH(context->output, &out->regions,
                        region_of_need(&needs, in->stages.item[i], needs.need[i]));
}
