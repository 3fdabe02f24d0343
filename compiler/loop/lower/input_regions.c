/* The samples of the inputs that boxes of the outputs depend on, in closed form. Boxes are
 * propagated from the outputs back through all reads, unclipped; who uses them clips them to the
 * input's box. The result is never too small; it may be larger than needed if paths through the
 * graph differ. */
#include "loop/lower/input_regions.h"
#include "analysis/reads.h"

struct need {
    bool any, all; /* read at all; needed whole */
    bool mirrored; /* a reflecting rule: samples near the border stand for those outside */
    const struct expr *first, *end; /* before clipping to the box */
};

struct needs {
    const buffer_id *buffer; /* by stage */
    struct program *out;
    struct pass_context *context;
    struct need (*need)[GRAPH_MAX_RANK]; /* by stage */
    const struct need *reader;
};

static void join_need(struct expr_pool *pool, struct need *need, const struct expr *first,
                      const struct expr *end)
{
    need->first = need->any ? region_minimum(pool, need->first, first) : first;
    need->end = need->any ? region_maximum(pool, need->end, end) : end;
    need->any = true;
}

struct own_reads {
    const struct stage *stage;
    bool *along; /* by axis: a sample depends on others along it */
};

static void note_own_read(const struct expr *node, void *user)
{
    const struct own_reads *own = user;
    for (unsigned k = 0; node->kind == EXPR_LOAD && k < own->stage->rank; k++)
        if (node->as.load.source == own->stage->id.index &&
            node->operand[k] != own->stage->axis[k].variable)
            own->along[k] = true;
}

static void note_need(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *user)
{
    struct needs *needs = user;
    struct expr_pool *pool = needs->context->pool;
    bool whole = false, mirrored = false;
    for (unsigned k = 0; k < GRAPH_MAX_RANK; k++) {
        whole = whole || needs->reader[k].all;
        mirrored = mirrored || needs->reader[k].mirrored;
    }
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
        need->mirrored =
            need->mirrored || mirrored || rule == BORDER_REFLECT || rule == BORDER_REFLECT101;
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
        needs->need[output->stage.index][k] =
            (struct need){.any = true, .first = variable[0], .end = variable[1]};
    }
}

void input_regions_add(const struct graph *in, const buffer_id buffer[], struct program *out,
                       struct pass_context *context)
{
    struct needs needs = {
        .buffer = buffer,
        .out = out,
        .context = context,
        .need = arena_allocate(context->scratch, (in->stages.count + 1) * sizeof *needs.need)};
    for (size_t i = 0; i < in->outputs.count; i++)
        need_output(&needs, in, &in->outputs.item[i]);
    for (size_t i = 0; i < in->stages.count; i++) /* each step needs all of the one before */
        if (in->stages.item[i]->repeat)
            need_whole(&needs, in->stages.item[i]);
    for (size_t i = in->stages.count; i-- > 0;) {
        const struct stage *stage = in->stages.item[i];
        struct span_bound bound[GRAPH_MAX_RANK];
        bool any = stage->rank == 0, along[GRAPH_MAX_RANK] = {false};
        struct own_reads own = {stage, along};
        struct expr_walk walk = {.scratch = context->scratch};
        if (stage->kind == STAGE_RECURRENCE)
            expr_visit(&walk, stage->value, note_own_read, &own);
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
    }
    for (size_t i = 0; i < in->stages.count; i++)
        if (in->stages.item[i]->kind == STAGE_INPUT)
            VECTOR_PUSH(context->output, &out->regions,
                        region_of_need(&needs, in->stages.item[i], needs.need[i]));
}
