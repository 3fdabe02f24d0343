/* The box of a stage: what the program writes, or what the reads imply. */
#include "frontend/elaborator.h"
#include "expr/affine.h"

/* The box a read implies for one axis of the reading stage: where its index is the coordinate plus
 * constants, parameters and reduction variables. */
struct implied {
    const struct expr *first, *extent;
    const struct stage *source;
    const struct symbol *image;
    struct span span;
    bool valid_rule;
};

static bool uses_other_coordinates(const struct affine *form, const struct stage_context *context,
                                   const struct expr *own)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct expr *atom = form->term[i].atom;
        if (atom == own)
            continue;
        if (atom->kind != EXPR_VARIABLE && !expr_is_of_parameters(atom))
            return true;
        for (unsigned k = 0; k < context->axis_count; k++)
            if (context->axis[k].variable == atom)
                return true;
    }
    return false;
}

/* Least and greatest of the part of an index that is not the coordinate. */
static void offset_bounds(struct elaborator *el, const struct affine *form, const struct expr *own,
                          const struct expr **least, const struct expr **greatest)
{
    struct affine low = affine_without(*form, own), high = low;
    for (unsigned i = 0; i < form->count; i++) {
        const struct expr *atom = form->term[i].atom;
        const int64_t c = form->term[i].coefficient;
        if (atom == own ||
            (atom->kind == EXPR_VARIABLE && atom->as.variable.kind == VARIABLE_EXTENT))
            continue;
        const struct affine at_least = affine_from(expr_integer(el->pool, atom->interval.least));
        const struct affine at_most = affine_from(expr_integer(el->pool, atom->interval.greatest));
        low = affine_sum(affine_without(low, atom), c > 0 ? at_least : at_most, c);
        high = affine_sum(affine_without(high, atom), c > 0 ? at_most : at_least, c);
    }
    *least = affine_build(el->pool, &low);
    *greatest = affine_build(el->pool, &high);
}

const struct expr *sum_normal(struct elaborator *el, const struct expr *a, const struct expr *b,
                              int64_t factor)
{
    const struct affine form = affine_sum(affine_from(a), affine_from(b), factor);
    return affine_build(el->pool, &form);
}

/* An index that is the coordinate plus constants, parameters and reduction variables. */
bool implies_box(const struct stage_context *context, const struct scaled_index *index,
                 const struct expr *variable)
{
    return index->denominator == 1 && affine_coefficient(&index->numerator, variable) == 1 &&
           !uses_other_coordinates(&index->numerator, context, variable);
}

/* An index as it is in the box that is found, max(x, 0) being x there, wherever readers extend the
 * stage. */
static const struct expr *index_in_box(struct elaborator *el, const struct stage_context *context,
                                       const struct expr *index, const struct expr *variable)
{
    const struct interval found = {0, INT32_MAX - 1};
    const struct symbol *axis = variable->as.variable.name;
    struct interval reach;
    if (!known_reach(el, context, axis, &reach))
        return index;
    const struct expr *own =
        expr_variable(el->pool, VARIABLE_INDEX, axis, scalar_width(found), found);
    index = expr_substitute(el->pool, el->session->scratch, index, variable, own);
    return expr_substitute(el->pool, el->session->scratch, index, own, variable);
}

static bool implied_by(struct elaborator *el, const struct stage_context *context,
                       const struct pending_read *read, const struct expr *variable,
                       struct implied *implied)
{
    const struct stage *source = graph_stage(el->graph, (stage_id){read->load->as.load.source});
    for (unsigned k = 0; k < source->rank; k++) {
        const struct scaled_index index =
            affine_index(index_in_box(el, context, read->load->operand[k], variable));
        if (!implies_box(context, &index, variable))
            continue;
        const struct stage_axis *axis = &source->axis[k];
        *implied =
            (struct implied){axis->first, axis->extent, source, read->image, read->span, false};
        if (read->load->as.load.border && read->load->as.load.border[k].rule == BORDER_VALID) {
            const struct expr *least, *greatest;
            offset_bounds(el, &index.numerator, variable, &least, &greatest);
            implied->valid_rule = true;
            implied->first = sum_normal(el, axis->first, least, -1);
            implied->extent = sum_normal(el, axis->extent, sum_normal(el, greatest, least, -1), -1);
        }
        return true;
    }
    return false;
}

static const struct expr *closer(struct elaborator *el, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    if (affine_at_most(a, b))
        return kind == EXPR_MINIMUM ? a : b;
    if (affine_at_most(b, a))
        return kind == EXPR_MINIMUM ? b : a;
    return expr_binary(el->pool, kind, a, b);
}

static void intersect(struct elaborator *el, struct implied *a, const struct implied *b)
{
    const struct expr *end = closer(el, EXPR_MINIMUM, sum_normal(el, a->first, a->extent, 1),
                                    sum_normal(el, b->first, b->extent, 1));
    a->first = closer(el, EXPR_MAXIMUM, a->first, b->first);
    a->extent = sum_normal(el, end, a->first, -1);
}

void add_entry_check(struct elaborator *el, const struct expr *condition, struct span span,
                     const char *text)
{
    for (size_t i = 0; i < el->graph->checks.count; i++)
        if (el->graph->checks.item[i].condition == condition)
            return;
    VECTOR_PUSH(el->arena, &el->graph->checks, (struct graph_check){condition, text, span});
}

/* Two sources of a box along one axis must have the same one: proved, refuted, or checked on
 * entry. */
static bool agree(struct elaborator *el, const struct implied *a, const struct implied *b,
                  const struct symbol *axis)
{
    const struct expr *pair[2][2] = {{a->first, b->first}, {a->extent, b->extent}};
    for (int i = 0; i < 2; i++) {
        if (pair[i][0] == pair[i][1])
            continue;
        const struct affine difference =
            affine_sum(affine_from(pair[i][0]), affine_from(pair[i][1]), -1);
        if (difference.exact && difference.count == 0) {
            struct diagnostic *d =
                REPORT(el, E0313, b->span, a->image->text, b->image->text, axis->text);
            LABEL(el, d, a->span, "'%s' is read here", a->image->text);
            HELP(el, d, "write the range of %s on the left side, or read both with border valid",
                 axis->text);
            return false;
        }
        add_entry_check(el, expr_binary(el->pool, EXPR_EQUAL, pair[i][0], pair[i][1]), b->span,
                        arena_format(el->arena, "'%s' and '%s' differ in extent along %s",
                                     a->image->text, b->image->text, axis->text));
    }
    return true;
}

bool same_box(struct elaborator *el, const struct stage *a, const struct stage *b, unsigned k,
              struct span span)
{
    const struct implied first = {
        .first = a->axis[k].first, .extent = a->axis[k].extent, .image = a->name, .span = span};
    const struct implied second = {
        .first = b->axis[k].first, .extent = b->axis[k].extent, .image = b->name, .span = span};
    return agree(el, &first, &second, a->axis[k].name);
}

/* An image read here that has the axis, from 0 on, if there is one at a place that the coordinate
 * tells; NULL: none. Its extent is likely what is meant. */
static const struct symbol *image_of_axis(struct elaborator *el,
                                          const struct stage_context *context,
                                          const struct stage_context_axis *axis)
{
    const struct symbol *any = NULL;
    for (size_t i = 0; i < context->reads.count; i++) {
        const struct pending_read *read = &context->reads.item[i];
        const struct stage *source = graph_stage(el->graph, (stage_id){read->load->as.load.source});
        for (unsigned k = 0; k < source->rank; k++) {
            if (source->axis[k].name != axis->name ||
                source->axis[k].first != expr_integer(el->pool, 0))
                continue;
            if (expr_contains(el->session->scratch, read->load->operand[k], axis->variable))
                return read->image;
            any = any ? any : read->image;
        }
    }
    return any;
}

/* over t in 0 ..< 4, y: the range of the target's axis of that name where it is known, "..." where
 * it is not. */
static void help_with_range_behind_over(struct elaborator *el, const struct stage_context *context,
                                        const struct stage_context_axis *axis, struct diagnostic *d)
{
    const struct entity *target = scope_find(context->scope, context->name);
    const char *last = "...";
    if (target && target->kind == ENTITY_IMAGE) {
        const struct stage *stage = graph_stage(el->graph, target->as.image.stage);
        for (unsigned k = 0; k < stage->rank; k++)
            if (stage->axis[k].name == axis->name && stage->axis[k].extent->kind == EXPR_INTEGER &&
                stage->axis[k].first == expr_integer(el->pool, 0))
                last = arena_format(el->session->permanent, "%lld",
                                    (long long)stage->axis[k].extent->as.integer);
    }
    struct text over = text_create(el->session->permanent);
    for (size_t i = 0; i < context->over->count; i++) {
        const struct ast *item = context->over->item[i];
        text_print(&over, "%s%s", i ? ", " : "", condition_text(el, item));
        if (item->kind == AST_NAME && item->as.name == axis->name)
            text_print(&over, " in 0 ..< %s", last);
    }
    HELP(el, d, "write its range behind over: over %s", over.bytes);
}

static bool report_unknown_extent(struct elaborator *el, const struct stage_context *context,
                                  const struct stage_context_axis *axis)
{
    const char *name = axis->name->text;
    const char *const stage = context->name->text; /* a reduction's own is called out.sum */
    struct diagnostic *d =
        REPORT(el, E0314, context->span,
               arena_text(el->session->permanent, stage, strcspn(stage, ".")), name);
    NOTE(el, d, "no image is read there at %s plus a constant, so its box tells nothing", name);
    const struct symbol *image = image_of_axis(el, context, axis);
    if (context->over)
        help_with_range_behind_over(el, context, axis, d);
    else if (image)
        HELP(el, d, "write the range on the left side, for instance %s in 0 ..< %s.%s", name,
             image->text, name);
    else
        HELP(el, d, "write the range: %s[%s in 0 ..< ..., ...]", context->name->text, name);
    return false;
}

/* first and extent of the axis, by what is written or by the reads. False: reported. */
bool settle_axis(struct elaborator *el, const struct stage_context *context,
                 struct stage_context_axis *axis)
{
    if (axis->first)
        return true;
    struct implied box = {0};
    bool any = false, valid = false, good = true;
    for (int pass = 0; pass < 2; pass++) { /* whether any read is valid, then the box */
        for (size_t i = 0; i < context->reads.count; i++) {
            struct implied implied;
            if (!implied_by(el, context, &context->reads.item[i], axis->variable, &implied))
                continue;
            valid = valid || implied.valid_rule;
            if (pass == 0)
                continue;
            if (!any)
                box = implied;
            else if (valid)
                intersect(el, &box, &implied);
            else
                good = agree(el, &box, &implied, axis->name) && good;
            any = true;
        }
    }
    if (!any)
        return report_unknown_extent(el, context, axis);
    axis->first = box.first;
    axis->extent = box.extent;
    axis->agreed = good && !valid;
    return good;
}

/* An extent that may be 0 or less, or more than an axis has, is checked on entry. */
bool check_extent(struct elaborator *el, const struct stage_context *context,
                  const struct stage_context_axis *axis)
{
    const struct expr *one = expr_integer(el->pool, 1);
    const struct expr *most = expr_integer(el->pool, INT32_MAX);
    if (axis->extent->interval.greatest < 1) {
        report_empty_range(el, axis->span.end ? axis->span : context->span);
        return false;
    }
    if (!affine_at_most(one, axis->extent))
        add_entry_check(
            el, expr_binary(el->pool, EXPR_LESS_EQUAL, one, axis->extent), context->span,
            arena_format(el->arena, "the input is too small for '%s': nothing is left along %s",
                         context->name->text, axis->name->text));
    if (axis->extent->interval.greatest > INT32_MAX)
        add_entry_check(
            el, expr_binary(el->pool, EXPR_LESS_EQUAL, axis->extent, most), context->span,
            arena_format(el->arena, "'%s' would have more than 2^31 - 1 samples along %s",
                         context->name->text, axis->name->text));
    return true;
}
