/* Stages that gather frames: scatters, and reductions over whole images. A pipe computes, for each
 * token, which number is meant, whether it counts, and what joins it; a count behind it keeps the
 * numbers and gives them when the frame is over. */
#include "hardware/delay.h"
#include "hardware/lowering.h"

#include "analysis/reductions.h"

#include <assert.h>

enum { MOST_BINS = 1 << 16, MOST_MADE = 256, CLOCKS_BETWEEN = 8 };

/* Elements of the tokens of a count. */
enum { ELEMENT_BIN, ELEMENT_COUNTS, FIRST_TERM };

/* What is computed before: parts of a step that what is counted does not change. */
struct step {
    struct lowering *l;
    const struct expr *self; /* the number as it is */
    const struct expr *term[64];
    unsigned count;
};

/* ---- Steps ---- */

static bool holds_self(const struct step *s, const struct expr *node)
{
    return expr_contains(s->l->values.scratch, node, s->self);
}

/* The largest parts without the number itself. */
static void find_terms(struct step *s, const struct expr *node)
{
    if (node == s->self || node->kind == EXPR_INTEGER)
        return;
    if (holds_self(s, node)) {
        for (unsigned k = 0; node->kind != EXPR_LOAD && k < node->count; k++)
            find_terms(s, node->operand[k]);
        return;
    }
    for (unsigned i = 0; i < s->count; i++)
        if (s->term[i] == node)
            return;
    assert(s->count < sizeof s->term / sizeof *s->term && "what is joined, and little more");
    s->term[s->count++] = node;
}

/* Of a number that is 0 or 1. */
static const struct expr *expr_truth(struct lowering *l, const struct expr *number)
{
    return expr_binary(l->values.pool, EXPR_NOT_EQUAL, number, expr_integer(l->values.pool, 0));
}

/* The step over elements of the tokens of `pipe`. */
static const struct expr *step_over(const struct step *s, const struct expr *value, uint32_t pipe,
                                    struct interval state)
{
    struct lowering *l = s->l;
    struct expr_substitution by[sizeof s->term / sizeof *s->term + 1];
    const struct interval element = l->circuit->processes.item[pipe].out.interval;
    by[0] =
        (struct expr_substitution){s->self, circuit_element(l->values.pool, PIPE_STATE, 0, state)};
    for (unsigned i = 0; i < s->count; i++) {
        const struct expr *e = circuit_element(l->values.pool, 0, FIRST_TERM + i, element);
        by[1 + i] = (struct expr_substitution){
            s->term[i],
            s->term[i]->scalar == SCALAR_BOOL
                ? expr_binary(l->values.pool, EXPR_NOT_EQUAL, e, expr_integer(l->values.pool, 0))
                : e};
    }
    return value_expanded(&l->values, value_substituted(&l->values, value, 1 + s->count, by));
}

/* ---- The count ---- */

static uint32_t add_count(struct lowering *l, const char *name, uint32_t pipe, unsigned bins,
                          int64_t start, const struct expr *step, struct interval interval)
{
    const struct stream *in = &l->circuit->processes.item[pipe].out;
    const struct edge edge = {.from = pipe};
    const unsigned delay = loop_delay(l->values.scratch, &step, 1);
    struct process p = {.kind = PROCESS_COUNT,
                        .edge_count = 1,
                        .edge = &edge,
                        .out = {1, bins, 1, 1, interval, false}};
    if (delay > MOST_LOOP_DELAY)
        refuse_stage(l, REFUSED_LOOP,
                     lowering_number(l, (delay + DELAY_OF_ADDER - 1) / DELAY_OF_ADDER), NULL);
    if ((uint64_t)in->lines * in->tokens < (uint64_t)bins + CLOCKS_BETWEEN)
        refuse_stage(l, REFUSED_FRAME, lowering_number(l, bins),
                     lowering_number(l, (int64_t)in->lines * in->tokens));
    p.as.count.bins = bins;
    p.as.count.start = start;
    p.as.count.step = step;
    return l->values.refusal->refused ? NOT_GIVEN : lowering_add(l, name, p);
}

/* ---- Scatters ---- */

static const struct expr *truth(struct lowering *l, const struct expr *condition)
{
    return condition ? condition : expr_boolean(l->values.pool, true);
}

/* The place of the target among all, the last axis fastest. */
static const struct expr *bin_of(struct lowering *l, const struct stage *scatter)
{
    struct expr_pool *pool = l->values.pool;
    const struct expr *bin = expr_integer(pool, 0);
    for (unsigned k = 0; k < scatter->rank; k++) {
        const struct stage_axis *axis = &scatter->axis[k];
        const struct expr *at = stage_target(scatter->as.scatter.steps, k);
        bin = expr_binary(pool, EXPR_ADD,
                          expr_binary(pool, EXPR_MULTIPLY, bin, axis->computed_extent),
                          expr_binary(pool, EXPR_SUBTRACT, at, axis->computed_first));
    }
    return bin;
}

/* The load of the target itself. */
struct self_search {
    uint32_t scatter;
    const struct expr *found;
};

static void look_for_self(const struct expr *node, void *user)
{
    struct self_search *search = user;
    if (node->kind == EXPR_LOAD && node->as.load.source == search->scatter)
        search->found = node;
}

static bool is_mapped(const struct stage *scatter)
{
    const struct stage *steps = scatter->as.scatter.steps;
    for (unsigned k = 0; k < steps->rank; k++)
        if (scatter_axis_mapped(scatter, &steps->axis[k]) != GRAPH_MAX_RANK)
            return true;
    return false;
}

/* What is added to the number; NULL: it is not a sum. */
static const struct expr *added_term(const struct expr *value, const struct expr *self)
{
    while (value->kind == EXPR_CONVERT)
        value = value->operand[0];
    if (value->kind != EXPR_ADD || (value->operand[0] != self && value->operand[1] != self))
        return NULL;
    return value->operand[value->operand[0] == self];
}

/* All numbers of so many bits: those above are left out of a step whose result is one of them. */
static struct interval whole_bits(struct interval interval)
{
    const unsigned bits = interval_bits(interval);
    return interval.least < 0 ? scalar_info[scalar_holding(interval)].interval
                              : (struct interval){0, (int64_t)(((uint64_t)1 << bits) - 1)};
}

static const struct expr *in_whole_bits(struct lowering *l, const struct expr *after,
                                        struct interval interval)
{
    if (interval_inside(after->interval, interval))
        return after;
    return interval.least < 0
               ? expr_convert(l->values.pool, CONVERT_WRAP, scalar_holding(interval), after)
               : expr_binary(l->values.pool, EXPR_REMAINDER, after,
                             expr_integer(l->values.pool, interval.greatest + 1));
}

/* A sum of terms that are not negative is no larger than all of them in a frame: its bits follow
 * from that. */
static struct interval sum_interval(const struct expr *term, int64_t start,
                                    const struct shape *shape, struct interval all)
{
    const int64_t terms = (int64_t)shape->extent[RASTER_LINES] * shape->extent[RASTER_TOKENS];
    const __int128 most = (__int128)terms * term->interval.greatest + start;
    if (term->interval.least < 0 || start < 0 || most >= all.greatest)
        return all;
    return whole_bits((struct interval){0, (int64_t)most});
}

static void count_steps(struct lowering *l, const struct stage *scatter, unsigned bins,
                        int64_t start)
{
    const struct stage *steps = scatter->as.scatter.steps;
    struct self_search search = {scatter->id.index, NULL};
    expr_nodes(l->values.scratch, steps->value, look_for_self, &search);
    struct step step = {.l = l, .self = search.found};
    if (!search.found) {
        refuse_stage(l, REFUSED_KIND, "its steps store one number, whatever is there",
                     "let what is there count, as += 1 does");
        return;
    }
    find_terms(&step, steps->value);
    const struct expr *value[FIRST_TERM + sizeof step.term / sizeof *step.term] = {
        bin_of(l, scatter), truth(l, stage_condition(scatter))};
    memcpy(value + FIRST_TERM, step.term, step.count * sizeof *value);
    const uint32_t pipe =
        lowering_pipe(l, arena_format(l->values.arena, "%s.steps", scatter->name->text),
                      FIRST_TERM + step.count, value);
    if (pipe == NOT_GIVEN)
        return;
    const struct expr *term = added_term(steps->value, search.found);
    const struct interval interval =
        term ? sum_interval(term, start, l->own, scatter->interval) : scatter->interval;
    const struct expr *after =
        in_whole_bits(l, step_over(&step, steps->value, pipe, interval), interval);
    l->given[scatter->id.index] =
        add_count(l, scatter->name->text, pipe, bins, start, after, interval);
}

void lower_scatter(struct lowering *l)
{
    const struct stage *scatter = l->stage;
    const struct shape *own = l->own;
    struct stage steps = *scatter->as.scatter.steps;
    const struct expr *start = lowering_normal(l, scatter->value);
    int64_t bins = 1;
    for (unsigned k = 0; k < scatter->rank; k++)
        bins *= scatter->axis[k].computed_extent->as.integer;
    if (start->kind != EXPR_INTEGER)
        refuse_stage(l, REFUSED_KIND, "it does not start from one constant number",
                     "start from one, and add what else there is in a second stage");
    else if (is_mapped(scatter))
        refuse_stage(l, REFUSED_KIND, "it counts separately for each place of an axis",
                     "count over the whole image");
    else if (bins > MOST_BINS)
        refuse_stage(l, REFUSED_BINS, lowering_number(l, bins), lowering_number(l, MOST_BINS));
    if (l->values.refusal->refused)
        return;
    steps.kind = STAGE_MAP;
    steps.id = scatter->id;
    steps.name = scatter->name;
    steps.span = scatter->span;
    const struct shape shape = shape_as_map(l->values.arena, l->values.scratch, l->graph, l->shape,
                                            &steps, l->values.refusal);
    if (!l->values.refusal->refused && shape.lanes > 1)
        refuse_stage(l, REFUSED_KIND, "it counts several channels of each place",
                     "count in one filter for each channel");
    l->stage = &steps;
    l->own = &shape;
    if (!l->values.refusal->refused)
        count_steps(l, scatter, (unsigned)bins, start->as.integer);
    l->stage = scatter;
    l->own = own;
}

/* ---- Reductions over frames ---- */

/* Its ranges as axes of a stage, by numbers; false after a refusal. */
static bool range_axes(struct lowering *l, const struct expr *reduce, struct stage_axis axis[])
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    for (unsigned k = 0; k < shape->rank; k++) {
        const struct expr *first = expr_integer(l->values.pool, shape->range[k].first);
        const struct expr *count = expr_reduce_count(l->values.pool, reduce, k);
        if (count->kind != EXPR_INTEGER) {
            refuse_stage(l, REFUSED_REDUCTION, "has a number of terms that depends on a parameter",
                         NULL);
            return false;
        }
        axis[k] =
            (struct stage_axis){shape->range[k].variable,
                                reduction_variable(l->values.pool, l->values.scratch, reduce, k),
                                first,
                                count,
                                first,
                                count};
    }
    return true;
}

/* The term where it counts, and what changes nothing elsewhere. */
static const struct expr *term_of_frame(struct lowering *l, const struct expr *reduce)
{
    struct expr_pool *pool = l->values.pool;
    const struct expr *condition = expr_reduce_condition(reduce), *term = reduce->operand[0];
    if (reduce->as.reduce.fused)
        term = expr_binary(pool, EXPR_MULTIPLY, term, reduce->operand[1]);
    if (reduce->as.reduce.operation == REDUCTION_TALLY)
        term = expr_integer(pool, 1);
    return condition ? expr_select(pool, condition, term, expr_reduction_start(pool, reduce))
                     : term;
}

/* The terms of all lanes of a place, joined. */
static const struct expr *joined_lanes(struct lowering *l, const struct expr *reduce,
                                       const struct expr *term)
{
    const struct expr *all = NULL;
    for (unsigned lane = 0; lane < l->own->lanes; lane++) {
        struct expr_substitution by[GRAPH_MAX_RANK];
        const size_t count = lane_places(l, lane, by);
        const struct expr *own = value_substituted(&l->values, term, count, by);
        all = all ? expr_binary(l->values.pool, expr_reduction_join(reduce->as.reduce.operation),
                                all, own)
                  : own;
    }
    return all;
}

/* The numbers that the reduction may be, of so many terms. */
static struct interval frame_interval(const struct expr *reduce, const struct expr *term,
                                      const struct stage *places)
{
    struct interval result = reduce->interval;
    int64_t terms = 1;
    for (unsigned k = 0; k < places->rank; k++)
        terms *= places->axis[k].computed_extent->as.integer;
    if (term->scalar == SCALAR_BOOL)
        return (struct interval){0, 1};
    return expr_reduction_interval(&reduce->as.reduce, terms, term->interval, &result)
               ? result
               : reduce->interval;
}

/* A stage of one number a frame, whose samples the process gives. */
static const struct expr *made_load(struct lowering *l, uint32_t process, struct interval interval)
{
    const uint32_t id = (uint32_t)(l->graph->stages.count + l->made.count);
    const enum scalar scalar = scalar_holding(interval);
    struct stage *stage = ARENA_NEW(l->values.arena, struct stage);
    *stage = (struct stage){.kind = STAGE_MAP,
                            .id = {id},
                            .name = l->circuit->processes.item[process].name,
                            .span = l->stage->span,
                            .element = scalar,
                            .interval = interval};
    VECTOR_PUSH(l->values.arena, &l->made, stage);
    l->shape[id] = shape_of_number();
    l->given[id] = process;
    return expr_load(l->values.pool, id, scalar, interval, 0, NULL, NULL);
}

/* A pipe of the terms, and the count of one number behind it. NOT_GIVEN after a refusal. */
static uint32_t add_frame_count(struct lowering *l, const struct expr *reduce, const char *name,
                                const struct expr *term, struct interval interval)
{
    struct expr_pool *pool = l->values.pool;
    const struct expr *start = expr_reduction_start(pool, reduce);
    const struct expr *const value[] = {expr_integer(pool, 0), expr_boolean(pool, true), term};
    struct step step = {.l = l, .term = {term}, .count = 1};
    const uint32_t pipe =
        lowering_pipe(l, arena_format(l->values.arena, "%s.terms", name), FIRST_TERM + 1, value);
    if (pipe == NOT_GIVEN)
        return NOT_GIVEN;
    step.self = circuit_element(pool, PIPE_STATE, 0, interval);
    const struct expr *before = start->scalar == SCALAR_BOOL ? expr_truth(l, step.self) : step.self;
    const struct expr *after = step_over(
        &step, expr_binary(pool, expr_reduction_join(reduce->as.reduce.operation), before, term),
        pipe, interval);
    return add_count(l, arena_format(l->values.arena, "%s.frame", name), pipe, 1, start->as.integer,
                     in_whole_bits(l, after, interval), interval);
}

/* The reduction as a load of a stage that is made for it. */
static const struct expr *counted_frame(struct lowering *l, const struct expr *reduce)
{
    struct stage_axis axis[GRAPH_MAX_RANK];
    const struct stage *stage = l->stage;
    const struct shape *own = l->own;
    struct stage places = *stage;
    if (reduce->as.reduce.rank > GRAPH_MAX_RANK || !range_axes(l, reduce, axis))
        return reduce;
    places.kind = STAGE_MAP;
    places.rank = reduce->as.reduce.rank;
    places.axis = axis;
    places.binding_count = 0;
    places.value = term_of_frame(l, reduce);
    const struct shape shape = shape_as_map(l->values.arena, l->values.scratch, l->graph, l->shape,
                                            &places, l->values.refusal);
    if (l->made.count == MOST_MADE)
        refuse_stage(
            l, REFUSED_REDUCTION,
            arena_format(l->values.arena, "is one of more than %d over whole frames", MOST_MADE),
            NULL);
    if (l->values.refusal->refused)
        return reduce;
    const struct interval interval = whole_bits(frame_interval(reduce, places.value, &places));
    l->stage = &places;
    l->own = &shape;
    const uint32_t process = add_frame_count(l, reduce, stage->name->text,
                                             joined_lanes(l, reduce, places.value), interval);
    l->stage = stage;
    l->own = own;
    if (process == NOT_GIVEN)
        return reduce;
    const struct expr *number = made_load(l, process, interval);
    return expr_reduction_start(l->values.pool, reduce)->scalar == SCALAR_BOOL
               ? expr_truth(l, number)
               : number;
}

/* Whether the reduction runs over a stream. */
struct stream_search {
    const struct lowering *l;
    bool found;
};

static void look_for_stream(const struct expr *node, void *user)
{
    struct stream_search *search = user;
    search->found = search->found ||
                    (node->kind == EXPR_LOAD && search->l->shape[node->as.load.source].streams);
}

static const struct expr *whole_frame(const struct expr *node, void *user)
{
    struct lowering *l = user;
    struct stream_search search = {l, false};
    struct expr_walk walk = {.scratch = l->values.scratch};
    if (node->kind != EXPR_REDUCE || l->values.refusal->refused)
        return node;
    expr_visit(&walk, node, look_for_stream, &search);
    return search.found ? counted_frame(l, node) : node;
}

const struct expr *lowering_whole_frames(struct lowering *l, const struct expr *value)
{
    struct expr_rewriter rewriter = {
        .pool = l->values.pool, .rule = whole_frame, .context = l, .scratch = l->values.scratch};
    return expr_rewrite(&rewriter, value);
}
