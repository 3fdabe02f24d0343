/* Unbounded recurrences: what they read is extended without end, and what they read of other
 * such recurrences along the same axis goes on by itself. The pass expand_unbounded makes them
 * start where the box starts. */
#include "frontend/elaborator.h"
#include "expr/affine.h"
#include "graph/recurrence/recurrence.h"

/* Start states take systems of as many unknowns. */
enum { FARTHEST = 32 };

struct unbounded {
    struct elaborator *el;
    struct stage_context *context;
    const struct stage_context_axis *axis;
    unsigned along;        /* named axis */
    enum border_rule rule; /* of the images that are read; NONE: none was read yet */
    struct hash_map seen;  /* nodes that were checked */
};

const struct stage *unbounded_stage(const struct graph *graph, const struct stage *stage,
                                    const struct symbol *axis)
{
    const struct stage *state = recurrence_of(graph, stage);
    return state && state->as.recurrence.unbounded &&
                   state->axis[state->as.recurrence.axis].name == axis
               ? state
               : NULL;
}

/* ---- Errors ---- */

static bool report_needs_state(struct unbounded *l, const char *reason)
{
    const char *name = l->context->name->text;
    struct diagnostic *d =
        REPORT(l->el, E0409, l->context->self_reads.item[0].span, name, l->axis->name->text);
    NOTE(l->el, d, "%s", reason);
    HELP(
        l->el, d,
        "write an initial state behind the read of itself: %s[...] border zero, border constant(v) "
        "or border state(e)",
        name);
    return false;
}

static bool report_not_posed(struct unbounded *l, const char *reason)
{
    struct diagnostic *d = REPORT(l->el, E0413, l->context->self_reads.item[0].span,
                                  l->context->name->text, l->axis->name->text, reason);
    HELP(l->el, d, "give the read of itself an initial state instead: border zero");
    return false;
}

/* ---- Coefficients ---- */

/* The value of a number that is made of parameters, where a coefficient reads it: a stage without
 * axes. */
static const struct expr *number_value(const struct expr *node, void *user)
{
    const struct unbounded *l = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const struct stage *stage = l->el->graph->stages.item[node->as.load.source];
    if (stage->kind != STAGE_MAP || stage->rank > 0)
        return node;
    struct expr_rewriter rewriter = {
        .pool = l->el->pool, .rule = number_value, .context = user, .scratch = l->el->arena};
    return expr_rewrite(&rewriter, stage->value);
}

static const struct expr *without_numbers(struct unbounded *l, const struct expr *node)
{
    struct expr_rewriter rewriter = {
        .pool = l->el->pool, .rule = number_value, .context = l, .scratch = l->el->arena};
    return expr_rewrite(&rewriter, node);
}

/* Made of constants, parameters and extents, and of numbers that are. */
static bool is_uniform(struct unbounded *l, const struct expr *node)
{
    return !(without_numbers(l, node)->holds & (HOLDS_LOAD | HOLDS_INDEX));
}

/* Whether a read is on the line itself: at the stage's own coordinates but for a whole number of
 * samples along the axis. */
static bool is_on_line(struct unbounded *l, const struct expr *load, unsigned line_axis)
{
    for (unsigned k = 0; k < load->count; k++) {
        if (k == line_axis) {
            const struct interval offset = recurrence_offset(load->operand[k], l->axis->variable);
            if (offset.least != offset.greatest)
                return false;
            continue;
        }
        if (load->operand[k]->kind != EXPR_VARIABLE)
            return false;
    }
    return true;
}

static bool check_own_terms(struct unbounded *l, const struct linear_form *form)
{
    for (size_t i = 0; i < form->terms.count; i++) {
        const struct expr *load = form->terms.item[i].load;
        for (unsigned k = 0; k < l->context->axis_count; k++)
            if (k != l->along && load->operand[k] != l->context->axis[k].variable)
                return report_needs_state(l, "it reads itself at other coordinates of other axes, "
                                             "so it is not a recurrence on one line");
        if (!is_on_line(l, load, l->along))
            return report_needs_state(l, "how far back it reads itself is not a constant");
        if (!is_uniform(l, form->terms.item[i].coefficient))
            return report_needs_state(l, "its coefficients differ from sample to sample");
    }
    return true;
}

/* ---- What it reads ---- */

static bool is_unbounded_read(const struct expr *load, void *user)
{
    struct unbounded *l = user;
    const struct stage *stage = l->el->graph->stages.item[load->as.load.source];
    for (unsigned k = 0; load->as.load.border && k < load->count; k++)
        if (stage->axis[k].name == l->axis->name && load->as.load.border[k].rule == BORDER_EXTEND &&
            unbounded_stage(l->el->graph, stage, l->axis->name))
            return true;
    return false;
}

/* The same sample of the state, which is not rounded. */
static const struct expr *state_load(struct unbounded *l, const struct expr *load)
{
    const struct stage *stage = l->el->graph->stages.item[load->as.load.source];
    const struct stage *state = unbounded_stage(l->el->graph, stage, l->axis->name);
    struct border border[GRAPH_MAX_RANK] = {0};
    border[state->as.recurrence.axis].rule = BORDER_EXTEND;
    return expr_load(l->el->pool, state->id.index, SCALAR_F64, (struct interval){0, 0}, load->count,
                     load->operand, border);
}

static bool uses(const struct unbounded *l, const struct expr *node)
{
    return expr_contains(l->el->arena, node, l->axis->variable);
}

/* A rule of the filter or the call that extends an image is used, wherever the reads are. */
static void note_rules_used(struct unbounded *l)
{
    for (size_t i = 0; i < l->context->reads.count; i++) {
        const struct pending_read *read = &l->context->reads.item[i];
        for (unsigned k = 0; read->default_taken && k < read->load->count; k++)
            if (uses(l, read->load->operand[k]))
                read->default_taken->used = true;
    }
}

/* An index along the line of an image that is extended: the coordinate plus what is the same for
 * all. */
static bool check_image_index(struct unbounded *l, const struct expr *load, unsigned k)
{
    const struct stage *stage = l->el->graph->stages.item[load->as.load.source];
    const struct scaled_index index = affine_index(load->operand[k]);
    const enum border_rule rule = load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
    if (!implies_box(l->context, &index, l->axis->variable))
        return report_not_posed(
            l, "an image is read there otherwise than at the coordinate plus constants");
    const bool same_box =
        stage->axis[k].first == l->axis->first && stage->axis[k].extent == l->axis->extent;
    if (!same_box && !l->axis->agreed) /* agreed: an entry check makes sure */
        return report_not_posed(l, "it reads an image whose box there is not its own");
    if (rule == BORDER_NONE)
        return report_needs_state(
            l, "either the images it reads have a border rule, which makes them go on without end, "
               "or the stage has an initial state");
    if (rule == BORDER_EXTEND)
        return report_not_posed(l, "it reads a stage under the rule extend");
    if (l->rule != BORDER_NONE && l->rule != rule)
        return report_not_posed(l, "the images it reads have different border rules");
    l->rule = rule;
    return true;
}

/* Below and at the node: reads along the line have a rule, and the coordinate serves nothing
 * else. */
static bool check_rest(struct unbounded *l, const struct expr *node)
{
    if (hash_map_find(&l->seen, node))
        return true;
    hash_map_put(l->el->arena, &l->seen, node, (void *)(uintptr_t)node);
    if (node == l->axis->variable)
        return report_not_posed(l, "its value depends on the coordinate");
    if (node->kind == EXPR_LOAD && is_unbounded_read(node, l))
        return report_not_posed(l, "a recurrence on that line enters it otherwise than linearly");
    for (unsigned k = 0; k < node->count; k++) {
        const bool along = node->kind == EXPR_LOAD && uses(l, node->operand[k]);
        if (along ? !check_image_index(l, node, k) : !check_rest(l, node->operand[k]))
            return false;
    }
    return true;
}

static bool take_rest(struct unbounded *l, struct linear_form *form)
{
    struct linear_form parts;
    struct expr_pool *pool = l->el->pool;
    if (!form->rest)
        return true;
    if (!linear_form_of(l->el->graph, pool, l->el->arena, form->rest, is_unbounded_read, l, &parts))
        return report_not_posed(l, "a recurrence on that line enters it otherwise than linearly");
    const struct expr *rest = parts.rest;
    if (rest && !check_rest(l, rest))
        return false;
    for (size_t i = 0; i < parts.terms.count; i++) {
        const struct expr *load = state_load(l, parts.terms.item[i].load);
        const struct stage *state = l->el->graph->stages.item[load->as.load.source];
        const struct expr *coefficient = parts.terms.item[i].coefficient;
        if (!is_on_line(l, load, state->as.recurrence.axis) || !is_uniform(l, coefficient))
            return report_not_posed(
                l,
                "a recurrence on that line enters it with coefficients or at places that differ");
        const struct interval offset =
            recurrence_offset(load->operand[state->as.recurrence.axis], l->axis->variable);
        if (offset.least < -FARTHEST || offset.greatest > FARTHEST)
            return report_not_posed(l,
                                    "it reads a recurrence on that line more than 32 samples away");
        const struct stage_axis *axis = &state->axis[state->as.recurrence.axis];
        if (axis->first != l->axis->first || axis->extent != l->axis->extent)
            return report_not_posed(l, "it reads a recurrence whose box there is not its own");
        const struct expr *const three[3] = {coefficient, load, rest};
        const bool one = coefficient->kind == EXPR_REAL && coefficient->as.real == 1;
        rest = rest  ? one ? expr_binary(pool, EXPR_ADD, load, rest)
                           : expr_operation(pool, EXPR_FUSED, 3, three)
                : one ? load
                     : expr_binary(pool, EXPR_MULTIPLY, coefficient, load);
    }
    form->rest = rest;
    return true;
}

/* ---- Stability ---- */

/* Whether all roots of z^r - a1 z^(r-1) - … - ar are inside the unit circle: the reflection
 * coefficients of the polynomial, taken off one after another, are below 1 (Schur and Cohn). */
static const struct expr *is_stable(struct unbounded *l, const struct linear_form *form)
{
    enum { MOST_ORDER = 32 };
    struct expr_pool *pool = l->el->pool;
    const struct expr *c[MOST_ORDER + 1], *one = expr_real(pool, SCALAR_F64, 1);
    const struct expr *stable = expr_boolean(pool, true);
    int64_t order = 0;
    for (int i = 0; i <= MOST_ORDER; i++)
        c[i] = expr_real(pool, SCALAR_F64, 0);
    for (size_t i = 0; i < form->terms.count; i++) {
        const struct interval offset =
            recurrence_offset(form->terms.item[i].load->operand[l->along], l->axis->variable);
        const int64_t lag = offset.least < 0 ? -offset.least : offset.least;
        if (lag > MOST_ORDER)
            return NULL;
        order = lag > order ? lag : order;
        c[lag] = expr_unary(pool, EXPR_NEGATE, without_numbers(l, form->terms.item[i].coefficient));
    }
    for (int64_t m = order; m > 0; m--) {
        const struct expr *k = c[m], *next[MOST_ORDER + 1];
        const struct expr *below =
            expr_binary(pool, EXPR_LESS, expr_unary(pool, EXPR_ABSOLUTE, k), one);
        stable = expr_binary(pool, EXPR_AND, stable, below);
        const struct expr *scale =
            expr_binary(pool, EXPR_SUBTRACT, one, expr_binary(pool, EXPR_MULTIPLY, k, k));
        for (int64_t i = 1; i < m; i++)
            next[i] = expr_binary(pool, EXPR_DIVIDE,
                                  expr_binary(pool, EXPR_SUBTRACT, c[i],
                                              expr_binary(pool, EXPR_MULTIPLY, k, c[m - i])),
                                  scale);
        for (int64_t i = 1; i < m; i++)
            c[i] = next[i];
    }
    return stable;
}

static bool check_stability(struct unbounded *l, const struct linear_form *form)
{
    const struct expr *stable = is_stable(l, form);
    const char *name = l->context->name->text;
    if (!stable)
        return report_needs_state(l, "it reads itself more than 32 samples back");
    if (stable->kind == EXPR_INTEGER && stable->as.integer)
        return true;
    if (stable->kind == EXPR_INTEGER) {
        struct diagnostic *d =
            REPORT(l->el, E0412, l->context->self_reads.item[0].span, name, l->axis->name->text);
        NOTE(
            l->el, d,
            "a pole of it is on or outside the unit circle, so what came infinitely long ago would "
            "still count");
        HELP(l->el, d, "a running sum has an initial state: %s[...] border zero", name);
        return false;
    }
    VECTOR_PUSH(l->el->arena, &l->el->graph->checks,
                (struct graph_check){
                    stable,
                    arena_format(l->el->arena,
                                 "the recurrence '%s' along %s is not stable for these parameters",
                                 name, l->axis->name->text),
                    l->context->span});
    return true;
}

bool elaborate_unbounded(struct elaborator *el, struct stage_context *context, unsigned along,
                         struct linear_form *form)
{
    struct unbounded l = {
        .el = el, .context = context, .axis = &context->axis[along], .along = along};
    if (!form)
        return report_needs_state(&l, "it is not a linear recurrence of floats, which alone can be "
                                      "followed back without end");
    note_rules_used(&l);
    return check_own_terms(&l, form) && take_rest(&l, form) && check_stability(&l, form);
}
