/*   before: in[x in 0 ..< in.x]                  out[x in 0 ..< in.x] = in[x - 1] border clamp
 *   after:  in[x in 0 ..< in.part_x]
 *           in.whole[x in 0 ..< in.x] = in[x - in.first_x] border clamp
 *           out.box[x in out.first_x ..< out.first_x + out.extent_x] = out[x]
 *           out[x in 0 ..< in.x] = in.whole[x - 1] border clamp
 * where in.x, in.first_x, out.first_x and out.extent_x are parameters. No sample of the box depends
 * on what is outside of the parts; stages that are computed whole may read it, hence the rule. */
#include "graph/box_outputs.h"

#include "expr/affine.h"

struct boxing {
    struct session *session;
    struct arena *arena;
    struct expr_pool *pool;
    const struct graph *in;
    struct graph *out;
    struct expr_rewriter rewriter;
    struct hash_map wholes; /* extents of inputs → those parameters */
    uint32_t *new_id;       /* by stage: what reads of it read */
};

static const struct expr *sum(struct boxing *b, const struct expr *x, const struct expr *y)
{
    return expr_binary(b->pool, EXPR_ADD, x, y);
}

static const struct expr *difference(struct boxing *b, const struct expr *x, const struct expr *y)
{
    return expr_binary(b->pool, EXPR_SUBTRACT, x, y);
}

/* "in.first_y", 0 or more. */
static const struct expr *add_parameter(struct boxing *b, const struct symbol *name,
                                        struct interval interval, struct span span)
{
    const struct parameter p = {
        .name = name,
        .span = span,
        .scalar = SCALAR_I32,
        .variable = expr_variable(b->pool, VARIABLE_PARAMETER, name, SCALAR_I32, interval),
        .least = expr_integer(b->pool, interval.least),
        .greatest = expr_integer(b->pool, interval.greatest)};
    VECTOR_PUSH(b->arena, &b->out->parameters, p);
    return p.variable;
}

static const struct symbol *part_name(struct boxing *b, const struct symbol *image,
                                      const char *part, const struct symbol *axis)
{
    return symbol_format(&b->session->symbols, "%s.%s%s", image->text, part, axis->text);
}

static void add_check(struct boxing *b, const struct expr *condition, struct span span,
                      const char *text)
{
    if (condition != expr_boolean(b->pool, true))
        VECTOR_PUSH(b->arena, &b->out->checks, ((struct graph_check){condition, text, span}));
}

static const struct expr *at_most(struct boxing *b, const struct expr *x, const struct expr *y)
{
    return expr_binary(b->pool, EXPR_LESS_EQUAL, x, y);
}

static bool is_cut(const struct stage_axis *axis)
{
    return axis->extent->kind == EXPR_VARIABLE;
}

/* A rule of rewriting: extents of whole images are parameters, reads of inputs read the whole. */
static const struct expr *of_whole(const struct expr *node, void *user)
{
    const struct boxing *b = user;
    const struct expr *whole = hash_map_find(&b->wholes, node);
    if (whole)
        return whole;
    if (node->kind != EXPR_LOAD)
        return node;
    return expr_load(b->pool, b->new_id[node->as.load.source], node->scalar, node->interval,
                     node->count, node->operand, node->as.load.border);
}

static const struct expr *rewritten(struct boxing *b, const struct expr *value)
{
    return value ? expr_rewrite(&b->rewriter, value) : NULL;
}

/* ---- Inputs ---- */

/* Parameters for whole extents come before all stages, whose boxes they are in. */
static void add_whole_extents(struct boxing *b, const struct stage *input)
{
    for (unsigned k = 0; k < input->rank; k++) {
        const struct expr *extent = input->axis[k].extent;
        if (is_cut(&input->axis[k]))
            hash_map_put(b->arena, &b->wholes, extent,
                         (void *)(uintptr_t)add_parameter(b, extent->as.variable.name,
                                                          extent->interval, input->span));
    }
}

/* The image that the caller passes, and the whole, of which it is a part. */
static void add_input(struct boxing *b, const struct stage *input)
{
    struct stage part = *input, whole = stage_rewrite_with_box(b->arena, input, &b->rewriter);
    struct stage_axis *axis = arena_copy(b->arena, input->axis, input->rank * sizeof *axis);
    const struct expr *index[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK] = {{.rule = BORDER_NONE}};
    for (unsigned k = 0; k < input->rank; k++) {
        index[k] = axis[k].variable;
        border[k].rule = is_cut(&input->axis[k]) ? BORDER_CLAMP : BORDER_NONE;
        if (!is_cut(&input->axis[k]))
            continue;
        const struct expr *first =
            add_parameter(b, part_name(b, input->name, "first_", axis[k].name),
                          (struct interval){0, INT32_MAX - 1}, input->span);
        axis[k].extent = expr_variable(b->pool, VARIABLE_EXTENT,
                                       part_name(b, input->name, "part_", axis[k].name), SCALAR_I32,
                                       (struct interval){1, INT32_MAX});
        index[k] = difference(b, index[k], first);
        add_check(b, at_most(b, sum(b, first, axis[k].extent), rewritten(b, input->axis[k].extent)),
                  input->span,
                  arena_format(b->arena, "the part of '%s' ends beyond it along %s",
                               input->name->text, axis[k].name->text));
    }
    part.axis = axis;
    const stage_id id = graph_add_stage(b->arena, b->out, part);
    whole.kind = STAGE_MAP;
    whole.name = symbol_format(&b->session->symbols, "%s.whole", input->name->text);
    whole.is_made = true;
    whole.value =
        expr_load(b->pool, id.index, input->element, input->interval, input->rank, index, border);
    graph_add_stage(b->arena, b->out, whole);
}

/* ---- Results ---- */

/* Whether the result is that of one name and read by nothing: then it is computed in the box alone,
 * and else copied from there. */
static bool is_only_result(const struct boxing *b, const struct stage *stage)
{
    unsigned names = 0;
    bool read = false;
    for (size_t i = 0; i < b->in->outputs.count; i++)
        names += b->new_id[b->in->outputs.item[i].stage.index] == stage->id.index;
    for (size_t i = 0; i < b->out->stages.count && !read; i++)
        read = stage_reads(b->out->stages.item[i], stage, b->session->scratch);
    return stage->kind == STAGE_MAP && !stage->repeat && names == 1 && !read;
}

static void add_box(struct boxing *b, const struct graph_output *output)
{
    struct stage *stage = b->out->stages.item[b->new_id[output->stage.index]];
    struct stage box = *stage;
    struct stage_axis *axis = arena_copy(b->arena, stage->axis, stage->rank * sizeof *axis);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *first =
            add_parameter(b, part_name(b, output->name, "first_", axis[k].name),
                          (struct interval){-INT32_MAX, INT32_MAX}, stage->span);
        const struct expr *extent =
            add_parameter(b, part_name(b, output->name, "extent_", axis[k].name),
                          (struct interval){1, INT32_MAX}, stage->span);
        index[k] = axis[k].variable;
        const char *text = arena_format(b->arena, "the box of '%s' is not inside of it along %s",
                                        output->name->text, axis[k].name->text);
        add_check(b, at_most(b, axis[k].first, first), stage->span, text);
        add_check(b, at_most(b, sum(b, first, extent), sum(b, axis[k].first, axis[k].extent)),
                  stage->span, text);
        axis[k].first = first;
        axis[k].extent = extent;
        axis[k].computed_first = axis[k].computed_extent = NULL;
    }
    struct graph_output boxed = *output;
    boxed.stage = stage->id;
    if (is_only_result(b, stage)) {
        stage->axis = axis;
        VECTOR_PUSH(b->arena, &b->out->outputs, boxed);
        return;
    }
    box.kind = STAGE_MAP;
    box.name = symbol_format(&b->session->symbols, "%s.box", output->name->text);
    box.is_made = true;
    box.schedule = NULL;
    box.details = NULL;
    box.binding_count = 0;
    box.repeat = 0;
    box.axis = axis;
    box.value = expr_load(b->pool, stage->id.index, stage->element, stage->interval, stage->rank,
                          index, NULL);
    boxed.stage = graph_add_stage(b->arena, b->out, box);
    VECTOR_PUSH(b->arena, &b->out->outputs, boxed);
}

/* ---- The graph ---- */

static struct stage rewritten_stage(struct boxing *b, const struct stage *stage)
{
    struct stage out = stage_rewrite_with_box(b->arena, stage, &b->rewriter);
    out.schedule = NULL; /* of whole images */
    out.details = NULL;
    if (stage->kind == STAGE_CARRIED) {
        out.as.carried.initial.index = b->new_id[stage->as.carried.initial.index];
        out.as.carried.next.index = b->new_id[stage->as.carried.next.index];
    }
    return out;
}

static void rewrite_lists(struct boxing *b)
{
    memset(&b->out->checks, 0, sizeof b->out->checks);
    for (size_t i = 0; i < b->in->checks.count; i++) {
        struct graph_check check = b->in->checks.item[i];
        check.condition = rewritten(b, check.condition);
        VECTOR_PUSH(b->arena, &b->out->checks, check);
    }
    memset(&b->out->repeats, 0, sizeof b->out->repeats);
    for (size_t i = 0; i < b->in->repeats.count; i++) {
        struct graph_repeat repeat = b->in->repeats.item[i];
        repeat.count = rewritten(b, repeat.count);
        VECTOR_PUSH(b->arena, &b->out->repeats, repeat);
    }
    memset(&b->out->estimates, 0, sizeof b->out->estimates);
    memset(&b->out->outputs, 0, sizeof b->out->outputs);
}

static const char *problem_of(const struct graph *in)
{
    const char *problem = graph_has_structure(in) ? "it makes or reads adaptive images" : NULL;
    for (size_t i = 0; i < in->stages.count && !problem; i++)
        if (in->stages.item[i]->kind == STAGE_INPUT && in->stages.item[i]->as.input.levels)
            problem = "it reads adaptive images";
    bool any_axes = false;
    for (size_t i = 0; i < in->outputs.count; i++)
        any_axes = any_axes || graph_stage(in, in->outputs.item[i].stage)->rank > 0;
    return problem || any_axes ? problem : "none of its results has an axis";
}

/* Behind each input stands the whole that it is a part of. */
static void number_stages(struct boxing *b)
{
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < b->in->stages.count; i++) {
        inputs += b->in->stages.item[i]->kind == STAGE_INPUT;
        b->new_id[i] = i + inputs;
    }
}

const struct graph *graph_box_outputs(struct session *session, const struct graph *in,
                                      const char **problem)
{
    struct boxing b = {.session = session,
                       .arena = session->ir,
                       .pool = &session->pool,
                       .in = in,
                       .out = graph_copy_without_stages(session->ir, in)};
    b.rewriter = (struct expr_rewriter){
        .pool = b.pool, .rule = of_whole, .context = &b, .scratch = session->permanent};
    b.new_id = ARENA_ARRAY(session->permanent, uint32_t, in->stages.count + 1);
    *problem = problem_of(in);
    if (*problem)
        return NULL;
    b.out->is_boxed = true;
    for (size_t i = 0; i < in->stages.count; i++)
        if (in->stages.item[i]->kind == STAGE_INPUT)
            add_whole_extents(&b, in->stages.item[i]);
    number_stages(&b);
    rewrite_lists(&b);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        if (stage->kind == STAGE_INPUT)
            add_input(&b, stage);
        else
            graph_add_stage(b.arena, b.out, rewritten_stage(&b, stage));
    }
    for (size_t i = 0; i < in->outputs.count; i++)
        add_box(&b, &in->outputs.item[i]);
    return b.out;
}
