/* Stages: the value is elaborated, then its box follows, then each read is proved to stay inside or
 * gets its border rule. */
#include "frontend/elaborator.h"
#include "frontend/particles.h"
#include "analysis/regions.h"
#include "expr/affine.h"
#include "frontend/ast_build.h"

static const struct interval coordinate_interval = {0, INT32_MAX - 1};

struct stage_context stage_context_open(struct elaborator *el, struct instance *instance,
                                        struct scope *scope, const struct symbol *name,
                                        struct span span)
{
    return (struct stage_context){.instance = instance,
                                  .name = name,
                                  .span = span,
                                  .scope = scope,
                                  .uses_of_intervals_before = el->pool->uses_of_intervals};
}

/* A stage of a called filter is called after the call: "smooth.up"; its only result "smooth", or
 * "smooth_0", "smooth_1" where that is an array. */
const struct symbol *full_stage_name(struct elaborator *el, const struct instance *instance,
                                     const struct symbol *name)
{
    const struct ast_list *results = instance->filter->as.filter.results;
    const struct symbol *prefix = instance->prefix;
    if (!prefix)
        return name;
    const struct symbol *result = results->item[0]->as.formal.name;
    if (results->count == 1 && name == result)
        return prefix;
    const bool is_member = results->count == 1 && results->item[0]->as.formal.each &&
                           strncmp(name->text, result->text, result->length) == 0 &&
                           name->text[result->length] == '_';
    if (is_member)
        return symbol_format(&el->session->symbols, "%s%s", prefix->text,
                             name->text + result->length);
    return symbol_format(&el->session->symbols, "%s.%s", prefix->text, name->text);
}

const struct symbol *unique_stage_name(struct elaborator *el, const struct instance *instance,
                                       const struct symbol *name)
{
    const struct symbol *full = full_stage_name(el, instance, name);
    const struct symbol *unique = full;
    uintptr_t count = (uintptr_t)hash_map_find(&el->stage_names, full);
    for (; hash_map_find(&el->stage_names, unique); count++)
        unique = symbol_format(&el->session->symbols, "%s_%u", full->text, (unsigned)count + 1);
    if (unique != full) /* the next one need not try all again */
        hash_map_put(el->arena, &el->stage_names, full, (void *)count);
    return unique;
}

void take_stage_name(struct elaborator *el, const struct symbol *name)
{
    hash_map_put(el->arena, &el->stage_names, name, (void *)(uintptr_t)1);
}

stage_id elaborate_add_stage(struct elaborator *el, const struct instance *instance,
                             struct stage stage)
{
    stage = elaborate_around(el, instance, stage);
    const stage_id id = elaborate_add_pixels(el, instance, stage);
    const struct stage *added = graph_stage(el->graph, id);
    if (stage_computes(added))
        note_particles(el, added);
    return id;
}

stage_id elaborate_add_pixels(struct elaborator *el, const struct instance *instance,
                              struct stage stage)
{
    stage.repeat = el->repeat;
    stage.name = unique_stage_name(el, instance, stage.name);
    take_stage_name(el, stage.name);
    return graph_add_stage(el->arena, el->graph, stage);
}

/* ---- Reads ---- */

struct settle {
    struct elaborator *el;
    struct stage_context *context;
    struct expr_rewriter *rewriter;
    unsigned bound_count;
    struct affine_bound bound[MOST_CONTEXT_BOUNDS];
    struct affine_bound reach[MOST_CONTEXT_BOUNDS]; /* of what readers need, too */
    bool good;
    bool by_facts; /* the load at hand stays inside in this stage's box alone */
};

static struct affine_bound axis_bound(struct elaborator *el, const struct stage_context_axis *axis)
{
    const struct expr *last =
        sum_normal(el, sum_normal(el, axis->first, axis->extent, 1), expr_integer(el->pool, 1), -1);
    return (struct affine_bound){axis->variable, axis->first, last};
}

/* in[y, x, 1], in[y, -1] */
static void help_constant_place(struct elaborator *el, struct diagnostic *d,
                                const struct pending_read *read, unsigned k, const char *axis)
{
    const struct expr *place = read->load->operand[k];
    if (place->kind != EXPR_INTEGER)
        return;
    if (place->as.integer < 0)
        HELP(el, d, "places are counted from 0; the last is %s.%s - 1", read->image->text, axis);
    else
        HELP(el, d, "or write %s: %lld, which is checked when the filter is called", axis,
             (long long)place->as.integer);
}

static void report_no_rule(struct settle *settle, const struct pending_read *read, unsigned k,
                           const struct stage_axis *box)
{
    struct elaborator *el = settle->el;
    struct diagnostic *d = REPORT(el, E0401, read->span, read->image->text, box->name->text);
    note_missing_bound(el, d, read, k, box, settle->bound_count, settle->bound);
    NOTE(el, d, "clamp: aaa|abcd|ddd   reflect: cba|abcd|dcb   reflect101: dcb|abcd|cba");
    if (el->convolving) {
        HELP(el, d,
             "write a rule behind the call: convolve(...) border clamp; or once for the whole "
             "filter: border clamp;");
        return;
    }
    HELP(el, d,
         "write a rule behind the read: %s[...] border clamp; or once for the whole filter: "
         "border clamp;",
         read->image->text);
    help_constant_place(el, d, read, k, box->name->text);
}

static bool is_affine_index(const struct expr *index)
{
    const struct scaled_index scaled = affine_index(index);
    for (unsigned i = 0; i < scaled.numerator.count; i++)
        if (scaled.numerator.term[i].atom->kind != EXPR_VARIABLE)
            return false;
    return scaled.numerator.exact;
}

/* The axis of the stage whose box the image has too along k, as its read there implies or an entry
 * check makes sure; NULL: none. */
static const struct stage_context_axis *agreed_axis(const struct stage_context *context,
                                                    const struct pending_read *read, unsigned k)
{
    const struct scaled_index index = affine_index(read->load->operand[k]);
    for (unsigned i = 0; i < context->axis_count + context->mapped_count; i++) {
        const struct stage_context_axis *axis =
            i < context->axis_count ? &context->axis[i] : &context->mapped[i - context->axis_count];
        if (!axis->agreed || !implies_box(context, &index, axis->variable))
            continue;
        for (unsigned before = 0; before < k; before++) { /* the first such index tells the box */
            const struct scaled_index other = affine_index(read->load->operand[before]);
            if (implies_box(context, &other, axis->variable))
                return NULL;
        }
        return axis;
    }
    return NULL;
}

/* Decides the rule of one axis of one read: none where it provably stays inside. */
static bool settle_border(struct settle *settle, const struct pending_read *read, unsigned k,
                          struct border *border)
{
    struct elaborator *el = settle->el;
    const struct stage *source = graph_stage(el->graph, (stage_id){read->load->as.load.source});
    const struct stage_context_axis *agreed = agreed_axis(settle->context, read, k);
    const struct expr *first = agreed ? agreed->first : source->axis[k].first;
    const struct expr *extent = agreed ? agreed->extent : source->axis[k].extent;
    /* What stays inside in the stage's own box alone may be read beyond it as any stage is
     * extended. */
    const bool goes_far = border->rule == BORDER_EXTEND && !is_affine_index(read->load->operand[k]);
    if (region_stays_inside(el->pool, read->load->operand[k], first, extent, settle->bound_count,
                            goes_far ? settle->reach : settle->bound)) {
        if (border->rule == BORDER_VALID && read->default_taken)
            read->default_taken->used = true;
        /* Another rule stays: a reader may extend this stage beyond its box. */
        if (border->rule == BORDER_VALID)
            *border = (struct border){0};
        return true;
    }
    if (border->rule == BORDER_VALID ||
        (border->rule == BORDER_EXTEND && !is_affine_index(read->load->operand[k]))) {
        struct diagnostic *d = REPORT(el, E0406, read->span, border_text[border->rule]);
        if (border->rule == BORDER_EXTEND &&
            unbounded_stage(el->graph, source, source->axis[k].name))
            NOTE(el, d,
                 "'%s' is a recurrence on the whole line; where no rule stands behind the read, it "
                 "goes on beyond its box",
                 read->image ? read->image->text : source->name->text);
        if (border->rule == BORDER_EXTEND)
            HELP(el, d, "choose a rule for the stored box: clamp, reflect, reflect101 or wrap");
        if (border->rule == BORDER_VALID && el->convolving)
            HELP(el, d,
                 "the kernel is as large as a caller likes: choose another rule, or a kernel of a "
                 "constant array");
        else if (border->rule == BORDER_VALID)
            HELP(el, d,
                 "write the range of the axis on the left side so that every read is inside");
        return false;
    }
    if (read->has_rule[k]) {
        if (read->default_taken)
            read->default_taken->used = true;
        return true;
    }
    struct stage_axis box = source->axis[k];
    box.first = first;
    box.extent = extent;
    if (read_stays_inside(el, settle->context, read->load, k, &box, settle->bound_count,
                          settle->bound)) {
        *border = (struct border){.rule = BORDER_CLAMP}; /* where no term is present */
        settle->by_facts = true;
        return true;
    }
    if (el->options->callable) {
        el->graph->is_left_to_callers = true;
        return true;
    }
    report_no_rule(settle, read, k, &box);
    return false;
}

/* The load with the rules that it needs; node: it, with indices that are settled. */
static const struct expr *settle_read(struct settle *settle, const struct pending_read *read,
                                      const struct expr *node)
{
    struct elaborator *el = settle->el;
    struct border border[GRAPH_MAX_RANK] = {0};
    if (node->as.load.border)
        memcpy(border, node->as.load.border, node->count * sizeof *border);
    settle->by_facts = false;
    for (unsigned k = 0; k < node->count; k++)
        settle->good = settle_border(settle, read, k, &border[k]) && settle->good;
    const struct expr *load = expr_load(el->pool, node->as.load.source, node->scalar,
                                        node->interval, node->count, node->operand, border);
    if (settle->by_facts)
        hash_map_put(el->arena, &el->inside, load, (void *)(uintptr_t)1);
    return load;
}

static const struct expr *settle_load(const struct expr *node, void *context)
{
    struct settle *settle = context;
    if (node->kind != EXPR_LOAD)
        return node;
    /* An index may hold a read that was settled just now: reads are known as they were written. */
    for (size_t i = 0; i < settle->context->reads.count; i++) {
        const struct pending_read *read = &settle->context->reads.item[i];
        if (read->load != settle->rewriter->original)
            continue;
        return settle_read(settle, read, node);
    }
    if (node->as.load.source >= settle->el->graph->stages.count) /* of the stage itself */
        return node;
    const struct stage *source = /* a load that is not remembered is not trusted */
        graph_stage(settle->el->graph, (stage_id){node->as.load.source});
    struct pending_read unknown = {
        .load = settle->rewriter->original, .span = settle->context->span, .image = source->name};
    for (unsigned k = 0; k < node->count; k++)
        unknown.has_rule[k] = node->as.load.border && node->as.load.border[k].rule != BORDER_NONE;
    return settle_read(settle, &unknown, node);
}

/* ---- The stage ---- */

unsigned order_axes(const struct stage_context *context,
                    struct stage_context_axis ordered[2 * GRAPH_MAX_RANK])
{
    const struct instance *instance = context->instance;
    unsigned count = 0, next = 0, named_slots = 0;
    bool placed[GRAPH_MAX_RANK] = {false};
    for (unsigned p = 0; p < instance->pattern_count; p++) {
        bool is_mapped = false;
        for (unsigned m = 0; m < instance->mapped_count; m++)
            is_mapped = is_mapped || instance->mapped[m] == instance->pattern[p];
        named_slots += !is_mapped;
    }
    for (unsigned p = 0; p < instance->pattern_count; p++) {
        bool is_mapped = false;
        for (unsigned m = 0; m < instance->mapped_count; m++)
            is_mapped = is_mapped || instance->mapped[m] == instance->pattern[p];
        if (!is_mapped) {
            named_slots--;
            const unsigned until = named_slots == 0             ? context->axis_count
                                   : next < context->axis_count ? next + 1
                                                                : next;
            while (next < until)
                ordered[count++] = context->axis[next++];
            continue;
        }
        for (unsigned m = 0; m < context->mapped_count; m++)
            if (context->mapped[m].name == instance->pattern[p]) {
                ordered[count++] = context->mapped[m];
                placed[m] = true;
            }
    }
    while (next < context->axis_count)
        ordered[count++] = context->axis[next++];
    for (unsigned m = 0; m < context->mapped_count; m++)
        if (!placed[m])
            ordered[count++] = context->mapped[m];
    return count;
}

/* The image as the body sees it: the context's named axes. */
static struct image_view view_of(const struct stage_context *context, stage_id id)
{
    struct image_view view = {.stage = id, .rank = context->axis_count, .valid = true};
    for (unsigned i = 0; i < context->axis_count; i++)
        view.axis[i] = context->axis[i].name;
    return view;
}

/* Of a stage that declares none. */
static enum scalar own_element(struct operand value)
{
    return scalar_is_integer(value.expr->scalar) ? scalar_holding(value.expr->interval)
           : value.half                          ? SCALAR_F16
                                                 : value.expr->scalar;
}

/* What a stage stores of the value, which does not read the stage itself. */
static struct operand store_value(struct elaborator *el, struct operand value,
                                  struct element_type declared, struct span span)
{
    if (declared.wraps)
        return operand_convert(el, CONVERT_WRAP, declared.scalar, value, span);
    if (declared.scalar != SCALAR_COUNT)
        return operand_store_as(el, declared, value, span);
    if (!value.fixed.is)
        return operand_store(el, own_element(value), value, span);
    const struct expr *stored =
        expr_convert(el->pool, CONVERT_EXACT, own_element(value), value.expr);
    return fixed_from(stored, value.fixed.fraction);
}

bool settle_boxes(struct elaborator *el, struct stage_context *context)
{
    bool good = true;
    for (unsigned i = 0; i < context->axis_count; i++)
        good = settle_axis(el, context, &context->axis[i]) &&
               check_extent(el, context, &context->axis[i]) && good;
    for (unsigned i = 0; i < context->mapped_count; i++)
        good = settle_axis(el, context, &context->mapped[i]) && good;
    return good;
}

unsigned context_bounds(struct elaborator *el, const struct stage_context *context,
                        struct affine_bound bound[])
{
    unsigned count = 0;
    for (unsigned i = 0; i < context->axis_count; i++)
        bound[count++] = axis_bound(el, &context->axis[i]);
    for (unsigned i = 0; i < context->mapped_count; i++)
        bound[count++] = axis_bound(el, &context->mapped[i]);
    for (size_t i = 0; i < context->counted.count && count < MOST_CONTEXT_BOUNDS; i++)
        bound[count++] = context->counted.item[i];
    return count;
}

static void reach_bounds(struct settle *settle)
{
    struct expr_pool *pool = settle->el->pool;
    for (unsigned i = 0; i < settle->bound_count; i++) {
        const struct affine_bound bound = settle->bound[i];
        struct interval reach;
        settle->reach[i] = bound;
        if (known_reach(settle->el, settle->context, bound.variable->as.variable.name, &reach))
            settle->reach[i] =
                (struct affine_bound){bound.variable, expr_integer(pool, reach.least),
                                      expr_integer(pool, reach.greatest)};
    }
}

bool settle_reads(struct elaborator *el, struct stage_context *context, size_t count,
                  const struct expr *value[])
{
    struct settle settle = {.el = el, .context = context, .good = true};
    settle.bound_count = context_bounds(el, context, settle.bound);
    reach_bounds(&settle);
    struct expr_rewriter rewriter = {
        .pool = el->pool, .rule = settle_load, .context = &settle, .scratch = el->session->scratch};
    settle.rewriter = &rewriter;
    for (size_t i = 0; i < count; i++)
        value[i] = expr_rewrite(&rewriter, value[i]);
    return settle.good;
}

/* Both parts of a complex value as one, chosen by the coordinate of the last axis. */
static struct operand complex_parts(struct elaborator *el, struct operand value,
                                    struct element_type declared, struct span span)
{
    const enum scalar own = value.expr->scalar == SCALAR_F64 ? SCALAR_F64 : SCALAR_F32;
    const enum scalar part = declared.scalar != SCALAR_COUNT ? declared.scalar : own;
    if (value.imaginary && declared.scalar != SCALAR_COUNT && !declared.complex)
        return operand_store(el, declared.scalar, value, span); /* reports it */
    value = complex_store(el, part, value, span);
    if (!value.expr)
        return value;
    const struct expr *first =
        expr_binary(el->pool, EXPR_EQUAL, complex_axis(el).variable, expr_integer(el->pool, 0));
    return operand_from(expr_select(el->pool, first, value.expr, value.imaginary));
}

/* The type as one that each step is converted to. */
static struct element_type converting(struct element_type type, bool wraps, bool converts)
{
    type.wraps = wraps;
    type.converts = converts;
    return type;
}

static bool may_be_complex(struct elaborator *el, const struct stage_context *context,
                           struct span span)
{
    const bool recurs = context->self_reads.count > 0;
    if (!recurs && context->axis_count + context->mapped_count < GRAPH_MAX_RANK)
        return true;
    report_not_yet(el, span,
                   recurs ? "a recurrence of complex numbers" : "a complex image of so many axes");
    return false;
}

/* The value of a stage as the declared type stores it; without an expression after an error. */
static struct operand as_stored(struct elaborator *el, const struct stage_context *context,
                                struct operand value, struct element_type declared,
                                struct span span)
{
    const bool recurs = context->self_reads.count > 0;
    if (value.imaginary || declared.complex)
        return complex_parts(el, value, declared, span);
    if (!recurs && !declared.converts)
        return store_value(el, value, declared, span);
    return recurrence_store(el, converting(context->self_element, declared.wraps, !recurs), value,
                            span);
}

/* Settles the reads in a stage's value and bindings. Returns the value; NULL after an error. */
static const struct expr *settle_values(struct elaborator *el, struct stage_context *context,
                                        const struct expr *value)
{
    const size_t count = context->bindings.count;
    const struct expr **part = ARENA_ARRAY(el->arena, const struct expr *, count + 1);
    part[0] = value;
    for (size_t i = 0; i < count; i++)
        part[i + 1] = context->bindings.item[i].value;
    if (!settle_reads(el, context, count + 1, part))
        return NULL;
    for (size_t i = 0; i < count; i++)
        context->bindings.item[i].value = part[i + 1];
    return part[0];
}

/* The axes of a stage, that of complex parts last. */
static const struct stage_axis *axes_of_stage(struct elaborator *el,
                                              const struct stage_context *context, bool complex,
                                              unsigned *rank)
{
    struct stage_context_axis ordered[2 * GRAPH_MAX_RANK];
    *rank = order_axes(context, ordered);
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, *rank + 2);
    for (unsigned i = 0; i < *rank; i++)
        axis[i] = (struct stage_axis){.name = ordered[i].name,
                                      .variable = ordered[i].variable,
                                      .first = ordered[i].first,
                                      .extent = ordered[i].extent};
    if (complex)
        axis[(*rank)++] = complex_axis(el);
    return axis;
}

/* Boxes, borders, element type, and the stage itself. */
struct image_view elaborate_finish(struct elaborator *el, struct stage_context *context,
                                   struct operand value, struct element_type declared,
                                   struct span value_span)
{
    const struct image_view none = {0};
    const bool recurs = context->self_reads.count > 0;
    const bool complex = value.imaginary || declared.complex;
    if (!settle_boxes(el, context) || (complex && !may_be_complex(el, context, value_span)))
        return none;
    value = as_stored(el, context, value, declared, value_span);
    if (!value.expr)
        return none;
    const struct quantisation quantisation =
        fixed_quantisation(el, value.expr, value.fixed, recurs);
    const struct expr *settled = settle_values(el, context, value.expr);
    if (!settled)
        return none;
    unsigned rank;
    const struct stage_axis *axis = axes_of_stage(el, context, complex, &rank);
    const struct stage stage = {.kind = STAGE_MAP,
                                .name = context->name,
                                .span = context->span,
                                .element = recurs ? context->self_element.scalar
                                           : declared.scalar != SCALAR_COUNT ? declared.scalar
                                                                             : settled->scalar,
                                .interval = settled->interval,
                                .fixed = value.fixed,
                                .quantisation = quantisation,
                                .rank = rank,
                                .axis = axis,
                                .value = settled,
                                .binding = context->bindings.item,
                                .binding_count = context->bindings.count};
    stage_id id;
    const size_t first = el->graph->stages.count;
    if (!recurs)
        id = elaborate_add_stage(el, context->instance, stage);
    else if (!elaborate_recurrence(el, context, &stage, &id))
        return none;
    note_definition(el, context, first);
    return view_of(context, id);
}

bool starts_below_zero(struct elaborator *el, const struct stage_context *start,
                       struct stage_context *context, struct stage_context *again)
{
    bool below = false;
    *again = *start;
    for (unsigned i = 0; i < context->axis_count; i++) {
        struct stage_context_axis axis = context->axis[i];
        if (axis.first || !settle_axis(el, context, &axis) || axis.first->interval.least >= 0)
            continue;
        const struct interval interval = {axis.first->interval.least, coordinate_interval.greatest};
        again->axis[i].variable = coordinate_variable(el, context, axis.name, interval);
        below = true;
    }
    if (!below)
        return false;
    again->scope = scope_open(el, start->scope->outer);
    again->lifts = context->lifts;
    for (unsigned i = 0; i < again->axis_count; i++) {
        struct entity *entity =
            scope_declare(el, again->scope, again->axis[i].name, again->axis[i].span);
        entity->kind = ENTITY_VALUE;
        entity->as.value = operand_from(again->axis[i].variable);
    }
    return true;
}

/* The value over a context whose axes are given; a second time where the box turns out to start
 * below 0, so that intervals of coordinates are right. */
static struct image_view elaborate_value(struct elaborator *el, struct stage_context *context,
                                         const struct ast *value, struct element_type declared)
{
    const unsigned errors = el->session->diagnostics.error_count;
    context->self_element = declared;
    if (declared.scalar == SCALAR_COUNT)
        context->self_element.scalar = SCALAR_F32;
    struct stage_context start = *context;
    struct operand operand = elaborate_number(el, context, value);
    if (!operand.expr)
        return (struct image_view){0};
    if (context->self_reads.count > 0 && declared.scalar == SCALAR_COUNT) {
        if (!scalar_is_float(operand.expr->scalar) || !recurrence_is_real(el, operand.expr)) {
            struct diagnostic *d = REPORT(el, E0414, context->span, context->name->text);
            HELP(el, d, "declare what it stores: %s[...] : i32 = ...", context->name->text);
            return (struct image_view){0};
        }
        if (operand.expr->scalar == SCALAR_F64 && !operand.untyped) { /* so are its own samples */
            start.self_element.scalar = SCALAR_F64;
            *context = start;
            operand = elaborate_number(el, context, value);
        }
    }
    struct stage_context again;
    if (el->session->diagnostics.error_count > errors ||
        !starts_below_zero(el, &start, context, &again))
        return elaborate_finish(el, context, operand, declared, value->span);
    operand = elaborate_number(el, &again, value);
    return operand.expr ? elaborate_finish(el, &again, operand, declared, value->span)
                        : (struct image_view){0};
}

/* A box has one extent along an axis, wherever one stands on the others; reports where it is not
 * so. */
static bool is_same_everywhere(struct elaborator *el, const struct stage_context *context,
                               const struct stage_context_axis *axis)
{
    const bool found = (axis->first->holds | axis->extent->holds) & HOLDS_INDEX;
    if (found) {
        struct diagnostic *d = REPORT(el, E0314, axis->span, context->name->text, axis->name->text);
        HELP(el, d, "write its range with extents, parameters and constants, without coordinates");
    }
    return !found;
}

bool declare_axis(struct elaborator *el, struct stage_context *context, const struct ast *item)
{
    struct stage_context_axis axis = {.span = item->span};
    struct interval interval = coordinate_interval;
    if (item->kind == AST_NAME) {
        axis.name = item->as.name;
    } else if (item->kind == AST_BINDING) {
        axis.name = item->as.binding.name;
        if (!elaborate_range(el, context, item->as.binding.range, &axis.first, &axis.extent) ||
            !is_same_everywhere(el, context, &axis))
            return false;
        interval.least = axis.first->interval.least;
        interval.greatest =
            axis.first->interval.greatest +
            (axis.extent->interval.greatest > 0 ? axis.extent->interval.greatest - 1 : 0);
    } else {
        struct diagnostic *d = REPORT(el, E0303, item->span, "the left side",
                                      "axis names or ranges", ast_kind_text(item->kind));
        HELP(el, d, "write the coordinates as names: %s[y, x]", context->name->text);
        return false;
    }
    const struct instance *instance = context->instance;
    for (unsigned i = 0; i < instance->mapped_count; i++)
        if (instance->mapped[i] == axis.name) {
            struct diagnostic *d =
                REPORT(el, E0319, item->span, context->name->text, axis.name->text);
            HELP(el, d, "give the axis of '%s' another name", context->name->text);
            return false;
        }
    for (unsigned i = 0; i < context->axis_count; i++)
        if (context->axis[i].name == axis.name) {
            REPORT(el, E0202, item->span, axis.name->text);
            return false;
        }
    if (context->axis_count == GRAPH_MAX_RANK) {
        REPORT(el, E0320, item->span, GRAPH_MAX_RANK);
        return false;
    }
    axis.variable = coordinate_variable(el, context, axis.name, interval);
    struct entity *entity = scope_declare(el, context->scope, axis.name, item->span);
    entity->kind = ENTITY_VALUE;
    entity->as.value = operand_from(axis.variable);
    context->axis[context->axis_count++] = axis;
    return true;
}

struct image_view elaborate_stage(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct symbol *name, struct span span,
                                  const struct ast_list *axes, const struct ast *value,
                                  struct element_type declared)
{
    struct stage_context context =
        stage_context_open(el, instance, scope_open(el, scope), name, span);
    for (size_t i = 0; axes && i < axes->count; i++)
        if (!declare_axis(el, &context, axes->item[i]))
            return (struct image_view){0};
    return elaborate_value(el, &context, value, declared);
}

struct lift {
    struct elaborator *el;
    struct stage_context *context;
    bool good;
};

/* Makes the images without indices and takes the union of their axes. */
static void collect_lift(const struct ast *node, void *user)
{
    struct lift *lift = user;
    struct stage_context *context = lift->context;
    if (!is_direct_image(lift->el, context->instance, context->scope, node)) {
        if (node->kind == AST_CALL && node->as.call.callee->kind != AST_NAME)
            return;
        if (node->kind == AST_INDEX || node->kind == AST_FIELD || node->kind == AST_RULE)
            return;
        if (node->kind == AST_CALL) {
            for (size_t i = 0; i < node->as.call.arguments->count; i++)
                collect_lift(node->as.call.arguments->item[i], lift);
            return;
        }
        const bool fast = elaborate_fast(lift->el, lift->el->pool->fast || node->kind == AST_FAST);
        ast_children(node, collect_lift, lift);
        elaborate_fast(lift->el, fast);
        return;
    }
    const struct image_view image = context_image(lift->el, context, node);
    lift->good = lift->good && image.valid;
    for (unsigned i = 0; image.valid && i < image.rank; i++) {
        bool known = false;
        for (unsigned k = 0; k < context->axis_count; k++)
            known = known || context->axis[k].name == image.axis[i];
        if (known || context->axis_count == GRAPH_MAX_RANK)
            continue;
        context->axis[context->axis_count++] = (struct stage_context_axis){
            .name = image.axis[i],
            .variable = coordinate_variable(lift->el, context, image.axis[i], coordinate_interval)};
    }
}

struct image_view elaborate_lifted(struct elaborator *el, struct instance *instance,
                                   struct scope *scope, const struct symbol *name,
                                   const struct ast *value, struct element_type declared)
{
    struct stage_context context =
        stage_context_open(el, instance, scope_open(el, scope), name, value->span);
    context.lifted = true;
    struct lift lift = {el, &context, true};
    collect_lift(value, &lift);
    if (!lift.good)
        return (struct image_view){0};
    return elaborate_value(el, &context, value, declared);
}

struct image_view elaborate_copy(struct elaborator *el, struct instance *instance,
                                 struct image_view image, const struct symbol *name,
                                 struct element_type element, struct span span)
{
    const struct stage *source = graph_stage(el->graph, image.stage);
    const struct expr *index[GRAPH_MAX_RANK];
    struct stage_axis *axis =
        arena_copy(el->arena, source->axis, (source->rank + 1) * sizeof *source->axis);
    for (unsigned k = 0; k < source->rank; k++)
        index[k] = axis[k].variable;
    const struct expr *load = expr_load(el->pool, image.stage.index, source->element,
                                        source->interval, source->rank, index, NULL);
    const struct operand value =
        operand_store_as(el, element, operand_of_stage(el, source, load), span);
    if (!value.expr)
        return (struct image_view){0};
    image.stage = elaborate_add_stage(
        el, instance,
        (struct stage){.kind = STAGE_MAP,
                       .name = name,
                       .span = span,
                       .element = element.scalar,
                       .interval = value.expr->interval,
                       .fixed = value.fixed,
                       .quantisation = fixed_quantisation(el, value.expr, value.fixed, false),
                       .rank = source->rank,
                       .axis = axis,
                       .value = value.expr});
    return image;
}
