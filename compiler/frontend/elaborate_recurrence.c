/* Stages that read themselves. Which axis the recurrence runs along, what lies before its first
 * sample, and, where it is a linear recurrence of floats, its form: a stage in f64 that carries the
 * state, and one that rounds it to the type that is stored. */
#include "frontend/elaborator.h"
#include "graph/recurrence/recurrence.h"
#include "analysis/regions.h"
#include "expr/affine.h"

#include <math.h>

/* ---- Reads of the stage that is being defined ---- */

/* The stage as its own reads see it: no more than its element type is known. */
static struct stage *self_stage(struct elaborator *el, const struct stage_context *context)
{
    struct stage *stage = ARENA_NEW(el->arena, struct stage);
    *stage = (struct stage){.kind = STAGE_RECURRENCE,
                            .name = context->name,
                            .span = context->span,
                            .element = context->self_element.scalar,
                            .interval = element_interval(context->self_element),
                            .fixed = fixed_stored(el, context->self_element.fixed)};
    return stage;
}

static bool is_state(const struct ast *rule)
{
    return rule->as.rule.name && strcmp(rule->as.rule.name->text, "state") == 0;
}

/* state(e): what lies before the first sample may depend on the other coordinates, and on
 * images. */
static bool elaborate_state(struct elaborator *el, struct stage_context *context,
                            const struct ast *rule, struct border *border)
{
    if (rule->as.rule.arguments->count != 1) {
        struct diagnostic *d = REPORT(el, E0405, rule->span, "state", "one value",
                                      (int)rule->as.rule.arguments->count);
        HELP(el, d, "write state(0)");
        return false;
    }
    const enum scalar scalar = context->self_element.scalar;
    const struct operand value = recurrence_store(
        el, (struct element_type){.scalar = scalar, .fixed = context->self_element.fixed},
        elaborate_expr(el, context, rule->as.rule.arguments->item[0]), rule->span);
    if (!value.expr)
        return false;
    *border = (struct border){.rule = BORDER_CONSTANT,
                              .value = expr_convert(el->pool, CONVERT_EXACT, scalar, value.expr)};
    return true;
}

static bool elaborate_self_rule(struct elaborator *el, struct stage_context *context,
                                struct self_read *read, unsigned k, const struct ast *own)
{
    struct border_default *taken;
    const struct symbol *axis = context->axis[k].name;
    const struct ast *rule = nearest_rule(context->instance, own, context->name, axis, &taken);
    if (!rule)
        return true;
    struct stage_context where = *context;
    if (taken)
        where.scope = taken->where->scope;
    const bool of_image =
        taken && hash_map_find(&context->instance->image_border, context->name) == taken;
    read->axis[k].given = !taken || of_image;
    read->axis[k].default_taken = taken;
    if (is_state(rule))
        return elaborate_state(el, context, rule, &read->axis[k].border);
    return elaborate_border(el, &where, rule, self_stage(el, context), &read->axis[k].border);
}

struct operand elaborate_self_read(struct elaborator *el, struct stage_context *context,
                                   const struct ast *node, const struct ast *rule)
{
    const struct ast_list *items = node->as.index.items;
    if (items->count != context->axis_count) {
        REPORT(el, E0304, node->span, context->name->text, (int)context->axis_count,
               (int)items->count);
        return operand_error();
    }
    struct image_view view = {.rank = context->axis_count, .valid = true};
    for (unsigned k = 0; k < view.rank; k++)
        view.axis[k] = context->axis[k].name;
    struct self_read read = {.span = node->span};
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < view.rank; k++) {
        if (items->item[k]->kind == AST_NAMED) {
            REPORT(el, E0303, items->item[k]->span, "a read of the stage itself", "indices",
                   "a fixed place");
            return operand_error();
        }
        if (!elaborate_index(el, context, &view, context->name, view.axis[k], items->item[k],
                             node->span, &index[k]) ||
            !elaborate_self_rule(el, context, &read, k, rule))
            return operand_error();
    }
    struct border border[GRAPH_MAX_RANK] = {0}; /* tells reads apart that differ by their rules */
    for (unsigned k = 0; k < view.rank; k++)
        border[k] = read.axis[k].border;
    read.load = expr_load(el->pool, SELF_SOURCE, context->self_element.scalar,
                          element_interval(context->self_element), view.rank, index, border);
    VECTOR_PUSH(el->arena, &context->self_reads, read);
    return operand_of_stage(el, self_stage(el, context), read.load);
}

struct operand recurrence_store(struct elaborator *el, struct element_type element,
                                struct operand value, struct span span)
{
    if (!value.expr)
        return value;
    if (element.fixed.is)
        return fixed_convert(el, element.fixed, value, span);
    if (scalar_is_integer(element.scalar) && value.expr->scalar != SCALAR_BOOL)
        return operand_convert(el, element.wraps ? CONVERT_WRAP : CONVERT_ROUND, element.scalar,
                               value, span);
    /* A linear recurrence is carried in f64 and rounded to what it stores. */
    const bool narrows = element.scalar == SCALAR_F16
                             ? scalar_is_float(value.expr->scalar) && !value.half
                             : element.scalar == SCALAR_F32 && value.expr->scalar == SCALAR_F64;
    if (narrows && !value.untyped && !element.converts)
        return value;
    return operand_store(el, element.scalar, value, span);
}

static void note_real(const struct expr *node, void *user)
{
    bool *real = user;
    if (!scalar_is_float(node->scalar))
        return;
    if (node->kind == EXPR_REAL)
        *real = *real || floor(node->as.real) != node->as.real;
    else if (node->kind == EXPR_LOAD || node->kind == EXPR_VARIABLE)
        *real = *real || node->kind == EXPR_VARIABLE || node->as.load.source != SELF_SOURCE;
}

bool recurrence_is_real(struct elaborator *el, const struct expr *value)
{
    bool real = false;
    expr_nodes(el->arena, value, note_real, &real);
    return real;
}

/* ---- The axis ---- */

struct recurrence {
    struct elaborator *el;
    struct stage_context *context;
    struct stage stage;             /* that is being made */
    stage_id id;                    /* its own */
    unsigned place[GRAPH_MAX_RANK]; /* by named axis: among the stage's */
    unsigned along;                 /* named axis that it runs along */
    bool reversed, unbounded;
    enum scalar element; /* of reads of itself */
};

/* 0: neither; -1: all reads are strictly before, 1: strictly after. */
static int direction_along(const struct stage_context *context, unsigned k)
{
    int direction = 0;
    for (size_t i = 0; i < context->self_reads.count; i++) {
        const struct interval offset = recurrence_offset(
            context->self_reads.item[i].load->operand[k], context->axis[k].variable);
        const int here = offset.greatest < 0 ? -1 : offset.least > 0 ? 1 : 0;
        if (here == 0 || (i > 0 && here != direction))
            return 0;
        direction = here;
    }
    return direction;
}

/* Whether each read is strictly before or after along some axis. */
static bool each_has_axis(const struct stage_context *context)
{
    for (size_t i = 0; i < context->self_reads.count; i++) {
        bool found = false;
        for (unsigned k = 0; k < context->axis_count; k++) {
            const struct interval offset = recurrence_offset(
                context->self_reads.item[i].load->operand[k], context->axis[k].variable);
            found = found || offset.greatest < 0 || offset.least > 0;
        }
        if (!found)
            return false;
    }
    return true;
}

static bool report_no_axis(struct recurrence *r)
{
    const struct self_read *first = &r->context->self_reads.item[0];
    struct diagnostic *d = REPORT(r->el, E0408, first->span, r->context->name->text);
    for (size_t i = 1; i < r->context->self_reads.count && i < 4; i++)
        LABEL(r->el, d, r->context->self_reads.item[i].span, "and here");
    NOTE(r->el, d,
         "all these reads must be earlier along one axis, or all be later along it; then the stage "
         "can be computed in that order");
    if (!each_has_axis(r->context))
        HELP(r->el, d, "the sample itself is not there yet: read at a coordinate minus 1 or more");
    else if (r->context->axis_count > 1)
        HELP(
            r->el, d,
            "write one stage for each axis: down[y, x] reads down[y - 1, x], and right[y, x] reads "
            "down[y, x] and right[y, x - 1]");
    else
        HELP(r->el, d, "a stage for each direction: one reads itself before, the next one after");
    return false;
}

/* Whether the rules of its reads along the axis can be initial states. */
static bool can_start_along(const struct stage_context *context, unsigned k)
{
    for (size_t i = 0; i < context->self_reads.count; i++) {
        const struct self_read *read = &context->self_reads.item[i];
        const enum border_rule rule = read->axis[k].border.rule;
        if (read->axis[k].given && rule != BORDER_ZERO && rule != BORDER_CONSTANT)
            return false;
    }
    return true;
}

/* Of several axes one whose rules are states, as x of s[y - 1, x - 1] border (y: clamp, x:
 * zero). */
static bool find_axis(struct recurrence *r)
{
    bool found = false;
    for (unsigned k = 0; k < r->context->axis_count; k++) {
        const int direction = direction_along(r->context, k);
        const bool starts = can_start_along(r->context, k);
        if (!direction || (found && !starts))
            continue;
        r->along = k;
        r->reversed = direction > 0;
        found = true;
        if (starts)
            return true;
    }
    return found || report_no_axis(r);
}

/* Whether what lies before the first sample is given, for all reads or for none. */
static bool find_start(struct recurrence *r)
{
    const struct self_read *reads = r->context->self_reads.item;
    const struct symbol *axis = r->context->axis[r->along].name;
    for (size_t i = 0; i < r->context->self_reads.count; i++) {
        const enum border_rule rule = reads[i].axis[r->along].border.rule;
        if (reads[i].axis[r->along].given != reads[0].axis[r->along].given) {
            struct diagnostic *d =
                REPORT(r->el, E0411, reads[i].span, r->context->name->text, axis->text);
            LABEL(r->el, d, reads[0].span, "this read does otherwise");
            return false;
        }
        if (reads[i].axis[r->along].given && rule != BORDER_ZERO && rule != BORDER_CONSTANT) {
            struct diagnostic *d = REPORT(r->el, E0415, reads[i].span, border_text[rule]);
            HELP(r->el, d,
                 "behind a read of the stage itself stands its initial state: zero, constant(v) or "
                 "state(e); a rule for what it reads stands behind those reads");
            return false;
        }
    }
    r->unbounded = !reads[0].axis[r->along].given;
    return true;
}

/* ---- The reads, with all indices and rules ---- */

static const struct border *other_rule(struct recurrence *r, const struct self_read *read,
                                       const struct expr *index, unsigned k, struct border *border)
{
    const struct stage_context_axis *axis = &r->context->axis[k];
    const struct affine_bound bound = {axis->variable, axis->first,
                                       sum_normal(r->el,
                                                  sum_normal(r->el, axis->first, axis->extent, 1),
                                                  expr_integer(r->el->pool, 1), -1)};
    *border = (struct border){0};
    if (region_stays_inside(r->el->pool, index, axis->first, axis->extent, 1, &bound))
        return border;
    *border = read->axis[k].border;
    if (read->axis[k].default_taken)
        read->axis[k].default_taken->used = true;
    if (border->rule != BORDER_NONE && border->rule != BORDER_EXTEND &&
        border->rule != BORDER_VALID)
        return border;
    struct diagnostic *d =
        REPORT(r->el, E0401, read->span, r->context->name->text, axis->name->text);
    HELP(r->el, d, "write a rule by axis behind the read: border (%s: zero, %s: clamp)",
         r->context->axis[r->along].name->text, axis->name->text);
    return NULL;
}

/* The read as a load of the stage, at the indices of `at`; NULL after an error. */
static const struct expr *whole_load(struct recurrence *r, const struct self_read *read,
                                     const struct expr *at)
{
    struct expr_pool *pool = r->el->pool;
    const struct expr *index[GRAPH_MAX_RANK];
    struct border border[GRAPH_MAX_RANK] = {0};
    struct interval interval = r->element == r->context->self_element.scalar
                                   ? element_interval(r->context->self_element)
                                   : scalar_info[r->element].interval;
    for (unsigned k = 0; k < r->stage.rank; k++)
        index[k] = r->stage.axis[k].variable;
    for (unsigned k = 0; k < r->context->axis_count; k++) {
        const unsigned place = r->place[k];
        index[place] = at->operand[k];
        if (k != r->along && !other_rule(r, read, at->operand[k], k, &border[place]))
            return NULL;
        if (k == r->along && !r->unbounded)
            border[place] = at->as.load.border[k];
        if (border[place].value && scalar_is_float(r->element))
            border[place].value =
                expr_convert(pool, CONVERT_EXACT, r->element, border[place].value);
    }
    return expr_load(pool, r->id.index, r->element, interval, r->stage.rank, index, border);
}

static bool has_rules_of(const struct expr *load, const struct expr *other)
{
    bool same = load->count == other->count && !load->as.load.border == !other->as.load.border;
    for (unsigned k = 0; same && load->as.load.border && k < load->count; k++)
        same = load->as.load.border[k].rule == other->as.load.border[k].rule &&
               load->as.load.border[k].value == other->as.load.border[k].value;
    return same;
}

/* As it was written; of one whose index has become a number, as in a range of one place, one with
 * its rules. */
static const struct self_read *read_of(const struct recurrence *r, const struct expr *load)
{
    const struct self_read *like = NULL;
    for (size_t i = 0; i < r->context->self_reads.count; i++) {
        const struct self_read *read = &r->context->self_reads.item[i];
        if (read->load == load)
            return read;
        if (!like && has_rules_of(read->load, load))
            like = read;
    }
    return like;
}

struct replacing {
    struct recurrence *r;
    struct expr_rewriter *rewriter;
    bool good;
};

/* Reads are known as they were written: what stands in their indices is replaced before. */
static const struct expr *replace_read(const struct expr *node, void *user)
{
    struct replacing *replacing = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != SELF_SOURCE)
        return node;
    const struct self_read *read = read_of(replacing->r, replacing->rewriter->original);
    const struct expr *load = read ? whole_load(replacing->r, read, node) : NULL;
    replacing->good = replacing->good && load;
    return load ? load : node;
}

static const struct expr *replace_reads(struct recurrence *r, const struct expr *value)
{
    struct replacing replacing = {.r = r, .good = true};
    struct expr_rewriter rewriter = {
        .pool = r->el->pool, .rule = replace_read, .context = &replacing, .scratch = r->el->arena};
    replacing.rewriter = &rewriter;
    value = expr_rewrite(&rewriter, value);
    return replacing.good ? value : NULL;
}

/* ---- Linear recurrences ---- */

static bool is_self(const struct expr *load, void *user)
{
    (void)user;
    return load->as.load.source == SELF_SOURCE;
}

static int64_t distance(const struct recurrence *r, const struct expr *load)
{
    const struct interval offset =
        recurrence_offset(load->operand[r->along], r->context->axis[r->along].variable);
    return r->reversed ? offset.least : -offset.greatest;
}

/* rest + c1 s(1) + … in f64, the nearest read last: it is what the next sample waits for. */
static const struct expr *carried_value(struct recurrence *r, const struct linear_form *form)
{
    struct expr_pool *pool = r->el->pool;
    const struct expr *sum = form->rest;
    bool *done = ARENA_ARRAY(r->el->arena, bool, form->terms.count);
    for (size_t n = 0; n < form->terms.count; n++) {
        size_t farthest = SIZE_MAX;
        for (size_t i = 0; i < form->terms.count; i++)
            if (!done[i] &&
                (farthest == SIZE_MAX || distance(r, form->terms.item[i].load) >
                                             distance(r, form->terms.item[farthest].load)))
                farthest = i;
        done[farthest] = true;
        const struct linear_term *term = &form->terms.item[farthest];
        const struct expr *load = whole_load(r, read_of(r, term->written), term->load);
        if (!load)
            return NULL;
        const struct expr *const factor[3] = {term->coefficient, load, sum};
        sum = sum ? expr_operation(pool, EXPR_FUSED, 3, factor)
                  : expr_binary(pool, EXPR_MULTIPLY, factor[0], load);
    }
    return sum;
}

static stage_id add_rounding(struct recurrence *r, const struct stage *stage, stage_id state)
{
    struct expr_pool *pool = r->el->pool;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = stage->axis[k].variable;
    /* On a line the state goes on beyond the box, and so does what is rounded. */
    struct border border[GRAPH_MAX_RANK] = {0};
    if (r->unbounded)
        border[r->place[r->along]].rule = BORDER_EXTEND;
    struct stage rounded = *stage;
    rounded.kind = STAGE_MAP;
    rounded.binding_count = 0;
    rounded.value = expr_convert(pool, CONVERT_EXACT, stage->element,
                                 expr_load(pool, state.index, SCALAR_F64, (struct interval){0, 0},
                                           stage->rank, index, border));
    return elaborate_add_stage(r->el, r->context->instance, rounded);
}

static bool add_linear(struct recurrence *r, const struct stage *stage,
                       const struct linear_form *form, stage_id *id)
{
    r->element = SCALAR_F64;
    r->stage.element = SCALAR_F64;
    r->stage.as.recurrence.narrow = stage->element == SCALAR_F32;
    r->stage.value = carried_value(r, form);
    r->stage.binding_count = 0;
    if (!r->stage.value)
        return false;
    if (stage->element == SCALAR_F64 && !r->unbounded) {
        *id = elaborate_add_stage(r->el, r->context->instance, r->stage);
        return true;
    }
    r->stage.name = symbol_format(&r->el->session->symbols, "%s.state", stage->name->text);
    *id = add_rounding(r, stage, elaborate_add_stage(r->el, r->context->instance, r->stage));
    return true;
}

/* ---- The stage ---- */

static void find_places(struct recurrence *r)
{
    for (unsigned k = 0; k < r->context->axis_count; k++)
        for (unsigned p = 0; p < r->stage.rank; p++)
            if (r->stage.axis[p].variable == r->context->axis[k].variable)
                r->place[k] = p;
}

bool elaborate_recurrence(struct elaborator *el, struct stage_context *context,
                          const struct stage *stage, stage_id *id)
{
    struct recurrence r = {.el = el,
                           .context = context,
                           .stage = *stage,
                           .id = {(uint32_t)el->graph->stages.count},
                           .element = stage->element};
    find_places(&r);
    if (!find_axis(&r) || !find_start(&r))
        return false;
    r.stage.kind = STAGE_RECURRENCE;
    r.stage.as.recurrence.axis = r.place[r.along];
    r.stage.as.recurrence.reversed = r.reversed;
    r.stage.as.recurrence.unbounded = r.unbounded;
    struct linear_form form;
    /* What is stored is rounded in any case: a conversion around all of it says nothing more. */
    const bool rounds = stage->value->kind == EXPR_CONVERT &&
                        scalar_is_float(stage->value->scalar) &&
                        scalar_is_float(stage->value->operand[0]->scalar);
    const bool linear =
        linear_form_of(el->graph, el->pool, el->arena,
                       rounds ? stage->value->operand[0] : stage->value, is_self, NULL, &form);
    if (r.unbounded && !elaborate_unbounded(el, context, r.along, linear ? &form : NULL))
        return false;
    if (linear)
        return add_linear(&r, stage, &form, id);
    const struct operand value =
        operand_store(el, stage->element, operand_from(stage->value), context->span);
    if (!value.expr)
        return false;
    r.stage.value = replace_reads(&r, value.expr);
    struct stage_binding *binding =
        ARENA_ARRAY(el->arena, struct stage_binding, stage->binding_count + 1);
    bool whole = r.stage.value != NULL;
    for (size_t i = 0; whole && i < stage->binding_count; i++) {
        binding[i] = (struct stage_binding){stage->binding[i].name,
                                            replace_reads(&r, stage->binding[i].value)};
        whole = binding[i].value != NULL;
    }
    r.stage.binding = binding;
    if (!whole)
        return false;
    *id = elaborate_add_stage(el, context->instance, r.stage);
    return true;
}
