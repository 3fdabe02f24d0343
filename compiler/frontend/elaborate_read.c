/* Reads of images: indices, border rules, axes over which the filter is mapped. */
#include "frontend/elaborator.h"
#include "expr/affine.h"

static const struct {
    const char *name;
    enum border_rule rule;
    unsigned values;
} border_name[] = {
#define BORDER_NAME(name, rule, values) {name, BORDER_##rule, values},
#include "frontend/border_names.def"
#undef BORDER_NAME
};

const char *border_named(const char *name)
{
    for (size_t i = 0; i < sizeof border_name / sizeof border_name[0]; i++)
        if (strcmp(border_name[i].name, name) == 0)
            return border_text[border_name[i].rule];
    return NULL;
}

static void report_border_name(struct elaborator *el, const struct ast *rule)
{
    struct diagnostic *d = REPORT(el, E0402, rule->span, rule->as.rule.name->text);
    NOTE(el, d, "zero: 000|abcd|000   clamp: aaa|abcd|ddd   constant(v): vvv|abcd|vvv");
    NOTE(el, d, "reflect: cba|abcd|dcb   reflect101: dcb|abcd|cba   wrap: bcd|abcd|abc");
    HELP(el, d, "extend computes the image further out; valid makes the result smaller");
}

/* In steps of the samples beside it. It must fit the memory of one; where the stage at hand reads
 * itself, which has no value yet, its type. */
static struct operand fixed_border_value(struct elaborator *el, const struct stage *source,
                                         struct operand value, struct span span)
{
    const struct interval memory = scalar_info[source->element].interval;
    return fixed_constant(el, fixed_holding(memory, source->fixed.fraction),
                          source->kind == STAGE_RECURRENCE && !source->value ? source->interval
                                                                             : memory,
                          value, span);
}

bool elaborate_border(struct elaborator *el, struct stage_context *context, const struct ast *rule,
                      const struct stage *source, struct border *border)
{
    size_t i = 0;
    const size_t count = sizeof border_name / sizeof border_name[0];
    while (i < count && strcmp(border_name[i].name, rule->as.rule.name->text) != 0)
        i++;
    if (i == count) {
        if (strcmp(rule->as.rule.name->text, "state") == 0)
            REPORT(el, E0415, rule->span, "state");
        else
            report_border_name(el, rule);
        return false;
    }
    const struct ast_list *values = rule->as.rule.arguments;
    *border = (struct border){.rule = border_name[i].rule};
    if (values->count != border_name[i].values) {
        const bool one = border_name[i].values == 1;
        struct diagnostic *d = REPORT(el, E0405, rule->span, border_name[i].name,
                                      one ? "one value" : "no value", (int)values->count);
        HELP(el, d, one ? "write %s(0)" : "write %s", border_name[i].name);
        return false;
    }
    if (border->rule == BORDER_ZERO)
        border->value = source->element == SCALAR_BOOL     ? expr_boolean(el->pool, false)
                        : scalar_is_float(source->element) ? expr_real(el->pool, source->element, 0)
                                                           : expr_integer(el->pool, 0);
    if (border->rule == BORDER_CONSTANT) {
        struct stage_context outside = *context;
        outside.scalar_only = true;
        const struct operand given = elaborate_expr(el, &outside, values->item[0]);
        const struct operand v = source->fixed.is
                                     ? fixed_border_value(el, source, given, rule->span)
                                     : operand_store(el, source->element, given, rule->span);
        border->value = v.expr;
        return v.expr != NULL;
    }
    if (border->rule == BORDER_EXTEND && !stage_may_extend(source)) {
        struct diagnostic *d = REPORT(el, E0404, rule->span, source->name->text,
                                      source->kind == STAGE_INPUT       ? "an input"
                                      : source->kind == STAGE_CONSTANT  ? "a constant"
                                      : source->kind == STAGE_TRANSFORM ? "a transform"
                                                                        : "carried by a repeat");
        HELP(el, d, "say what is outside: zero, clamp, reflect, reflect101 or wrap");
        return false;
    }
    return true;
}

struct extension {
    struct elaborator *el;
    struct arena *scratch;
    struct hash_map seen[2];     /* values, parts of indices */
    const struct expr *variable; /* of the axis along which the stage is to grow */
    const struct expr *bare;     /* a read there without a rule */
};

/* Whether the coordinate stands in what is given; a read in an index has indices of its own, which
 * are inspected. */
static bool inspect_extension(const struct expr *node, bool is_index, struct extension *extension)
{
    bool found = node == extension->variable;
    const uintptr_t known = (uintptr_t)hash_map_find(&extension->seen[is_index], node);
    if (known)
        return known == 2;
    for (unsigned i = 0; i < node->count; i++) {
        const bool enters = node->kind == EXPR_LOAD;
        const bool inside = inspect_extension(node->operand[i], is_index || enters, extension);
        if (!enters)
            found = found || inside;
        else if (inside && (!node->as.load.border || node->as.load.border[i].rule == BORDER_NONE ||
                            hash_map_find(&extension->el->inside, node)))
            extension->bare = node;
    }
    hash_map_put(extension->scratch, &extension->seen[is_index], node,
                 (void *)(1 + (uintptr_t)found));
    return found;
}

/* Whether the stage can be computed beyond its box along the axis. */
static bool can_extend(struct elaborator *el, const struct stage *stage, unsigned axis,
                       struct span span)
{
    struct extension extension = {
        .el = el, .scratch = el->session->scratch, .variable = stage->axis[axis].variable};
    const struct stage *state = recurrence_of(el->graph, stage);
    if ((state && !state->as.recurrence.unbounded) || stage->kind == STAGE_SCATTER) {
        struct diagnostic *d =
            REPORT(el, E0404, span, stage->name->text,
                   stage->kind == STAGE_SCATTER ? "the target of a scatter"
                                                : "a recurrence with an initial state");
        HELP(el, d, "choose clamp, reflect, reflect101 or wrap for what is stored");
        return false;
    }
    if (inspect_extension(stage->value, false, &extension)) {
        struct diagnostic *d =
            REPORT(el, E0404, span, stage->name->text, "computed from its own coordinates");
        LABEL(el, d, stage->span, "defined here");
        HELP(el, d, "define '%s' on a larger range, or choose clamp, reflect, reflect101 or wrap",
             stage->name->text);
        return false;
    }
    if (!extension.bare)
        return true;
    const struct stage *read = graph_stage(el->graph, (stage_id){extension.bare->as.load.source});
    struct diagnostic *d =
        REPORT(el, E0404, span, stage->name->text,
               arena_format(el->session->permanent, "a stage that reads '%s' without a border rule",
                            read->name->text));
    LABEL(el, d, stage->span, "defined here");
    HELP(el, d, "give the reads of '%s' a border rule", read->name->text);
    return false;
}

/* The part of the rule for one axis: itself, or the entry of `(x: wrap, y: clamp)`. */
static const struct ast *rule_of_axis(const struct ast *rule, const struct symbol *axis)
{
    if (!rule || rule->as.rule.name)
        return rule;
    for (size_t i = 0; i < rule->as.rule.arguments->count; i++) {
        const struct ast *named = rule->as.rule.arguments->item[i];
        if (named->as.named.name == axis)
            return named->as.named.value;
    }
    return NULL;
}

const struct ast *nearest_rule(struct instance *instance, const struct ast *own,
                               const struct symbol *image, const struct symbol *axis,
                               struct border_default **taken)
{
    *taken = NULL;
    const struct ast *found = rule_of_axis(own, axis);
    struct border_default *of_image = image ? hash_map_find(&instance->image_border, image) : NULL;
    if (!found && of_image) {
        found = rule_of_axis(of_image->rule, axis);
        *taken = of_image;
    }
    for (struct instance *at = instance; !found && at; at = at->caller) {
        struct border_default *const nearer[2] = {at->border, at->call_border};
        for (int i = 0; i < 2 && !found; i++)
            if (nearer[i]) {
                found = rule_of_axis(nearer[i]->rule, axis);
                *taken = nearer[i];
            }
    }
    return found;
}

static int find_context_axis(const struct stage_context *context, const struct symbol *name,
                             bool *mapped)
{
    for (unsigned i = 0; i < context->axis_count; i++)
        if (context->axis[i].name == name) {
            *mapped = false;
            return (int)i;
        }
    for (unsigned i = 0; i < context->mapped_count; i++)
        if (context->mapped[i].name == name) {
            *mapped = true;
            return (int)i;
        }
    return -1;
}

const struct expr *mapped_variable(struct elaborator *el, struct stage_context *context,
                                   const struct stage_axis *axis)
{
    bool mapped;
    const int known = find_context_axis(context, axis->name, &mapped);
    if (known >= 0)
        return mapped ? context->mapped[known].variable : context->axis[known].variable;
    if (context->axis_count + context->mapped_count == GRAPH_MAX_RANK) {
        REPORT(el, E0320, context->span, GRAPH_MAX_RANK);
        return NULL;
    }
    const struct expr *variable =
        coordinate_variable(el, context, axis->name, axis->variable->interval);
    context->mapped[context->mapped_count++] =
        (struct stage_context_axis){.name = axis->name, .variable = variable};
    return variable;
}

static bool image_has_axis(const struct image_view *image, const struct symbol *name)
{
    for (unsigned i = 0; i < image->rank; i++)
        if (image->axis[i] == name)
            return true;
    return false;
}

struct axis_search {
    const struct stage_context *context;
    const struct image_view *image;
    const struct symbol *own;
    const struct symbol *other; /* an axis of the image whose coordinate is used */
    bool has_own;
    struct arena *scratch;
    struct hash_map seen;
};

/* Coordinates in the index; those at which a sample that stands in it is read are not held. */
static void search_coordinates(struct axis_search *search, const struct expr *node)
{
    if (!(node->holds & HOLDS_INDEX) || hash_map_find(&search->seen, node))
        return;
    hash_map_put(search->scratch, &search->seen, node, (void *)(uintptr_t)node);
    for (unsigned i = 0; i < node->count; i++)
        search_coordinates(search, node->operand[i]);
    for (unsigned i = 0; i < search->context->axis_count; i++) {
        if (search->context->axis[i].variable != node)
            continue;
        const struct symbol *name = search->context->axis[i].name;
        if (name == search->own)
            search->has_own = true;
        else if (image_has_axis(search->image, name))
            search->other = name;
    }
}

/* in[x, y] in out[y, x]: every newcomer's first mistake. */
static bool is_transposed(struct elaborator *el, const struct stage_context *context,
                          const struct image_view *image, const struct symbol *name,
                          const struct symbol *axis, const struct expr *index,
                          struct span read_span)
{
    struct axis_search search = {
        .context = context, .image = image, .own = axis, .scratch = el->session->scratch};
    search_coordinates(&search, index);
    if (search.has_own || !search.other)
        return false;
    const char *order = axes_text(el, image->axis, image->rank);
    struct diagnostic *d = REPORT(el, E0305, read_span, name->text, axis->text, search.other->text);
    NOTE(el, d, "indices stand in the order of the axes, [%s]", order);
    HELP(el, d, "write %s[%s]", name->text, order);
    return true;
}

/* in[y, x, c: 0]: a constant place along the axis; on entry it is checked to be inside. */
static bool elaborate_fixed_index(struct elaborator *el, struct stage_context *context,
                                  const struct image_view *image, const struct symbol *name,
                                  const struct symbol *axis, const struct ast *item,
                                  const struct expr **index)
{
    int64_t place;
    if (item->as.named.name != axis) {
        REPORT(el, E0303, item->span, arena_format(el->arena, "the index along %s", axis->text),
               arena_format(el->arena, "an integer or '%s: ...'", axis->text),
               arena_format(el->arena, "'%s: ...'", item->as.named.name->text));
        return false;
    }
    if (!elaborate_constant_integer(el, context, item->as.named.value, &place))
        return false;
    const struct stage *stage = graph_stage(el->graph, image->stage);
    unsigned k = 0;
    while (stage->axis[k].name != axis)
        k++;
    const struct expr *first = stage->axis[k].first;
    *index = expr_integer(el->pool, place);
    const struct expr *inside =
        expr_binary(el->pool, EXPR_AND, expr_binary(el->pool, EXPR_LESS_EQUAL, first, *index),
                    expr_binary(el->pool, EXPR_LESS, *index,
                                expr_binary(el->pool, EXPR_ADD, first, stage->axis[k].extent)));
    if (inside->kind == EXPR_INTEGER && !inside->as.integer) {
        const struct expr *extent = stage->axis[k].extent;
        const long long start = first->kind == EXPR_INTEGER ? (long long)first->as.integer : 0;
        struct arena *texts = el->session->permanent;
        REPORT(el, E0309, item->span, arena_format(texts, "%lld", (long long)place), axis->text,
               arena_format(texts, "%lld", start),
               extent->kind == EXPR_INTEGER
                   ? arena_format(texts, "%lld", start + (long long)extent->as.integer - 1)
                   : arena_format(texts, "%s.%s - 1", name->text, axis->text));
        return false;
    }
    bool known = inside->kind == EXPR_INTEGER;
    for (size_t i = 0; i < el->graph->checks.count; i++)
        known = known || el->graph->checks.item[i].condition == inside;
    if (!known)
        VECTOR_PUSH(el->arena, &el->graph->checks,
                    (struct graph_check){inside,
                                         arena_format(el->arena, "'%s' has nothing at %s: %lld",
                                                      name->text, axis->text, (long long)place),
                                         item->span});
    return true;
}

bool elaborate_index(struct elaborator *el, struct stage_context *context,
                     const struct image_view *image, const struct symbol *name,
                     const struct symbol *axis, const struct ast *item, struct span read_span,
                     const struct expr **index)
{
    if (item->kind == AST_NAMED)
        return elaborate_fixed_index(el, context, image, name, axis, item, index);
    if (item->kind == AST_BINDING) {
        REPORT(el, E0303, item->span, "an index", "an integer", "a range");
        return false;
    }
    const struct operand value = elaborate_expr(el, context, item);
    if (!value.expr)
        return false;
    if (!operand_is_integer(value)) {
        struct diagnostic *d =
            REPORT(el, E0303, item->span, "an index", "an integer", operand_type_text(el, value));
        HELP(el, d, "round it with i32(...), or cut it with trunc<i32>(...)");
        return false;
    }
    const int64_t most = (int64_t)1 << 60;
    if (value.expr->interval.least < -most || value.expr->interval.greatest > most) {
        struct diagnostic *d = REPORT(el, E0310, item->span);
        HELP(el, d, "limit the index: clamp(..., 0, %s.%s - 1)", name->text, axis->text);
        return false;
    }
    *index = value.expr;
    return !is_transposed(el, context, image, name, axis, value.expr, read_span);
}

/* The samples of the stage, and what the border rules give outside. */
static struct interval with_border_values(const struct stage *stage, const struct border border[])
{
    struct interval interval = stage->interval;
    for (unsigned k = 0; k < stage->rank; k++) {
        if (!border[k].value || scalar_is_float(stage->element))
            continue;
        const struct interval outside = border[k].value->interval;
        if (outside.least < interval.least)
            interval.least = outside.least;
        if (outside.greatest > interval.greatest)
            interval.greatest = outside.greatest;
    }
    return interval;
}

/* Whether the read's index along the axis is written `c: 0`. items: NULL or one for each axis. */
static bool is_fixed(const struct ast_list *items, const struct symbol *axis)
{
    for (size_t i = 0; items && i < items->count; i++)
        if (items->item[i]->kind == AST_NAMED && items->item[i]->as.named.name == axis)
            return true;
    return false;
}

/* Whether a constant array holds nothing but 0, and its border rules give nothing else. */
static bool is_zero_everywhere(const struct stage *stage, const struct border border[])
{
    for (unsigned k = 0; k < stage->rank; k++)
        if (border[k].rule == BORDER_CONSTANT)
            return false;
    for (size_t i = 0; i < stage->as.constant.count; i++) {
        const struct expr *value = stage->as.constant.value[i];
        if (value->kind == EXPR_REAL ? value->as.real != 0 : value->as.integer != 0)
            return false;
    }
    return true;
}

static bool gives_number(struct elaborator *el, const struct stage_context *context,
                         const struct ast *rule)
{
    struct stage_context outside = *context;
    outside.scalar_only = true;
    if (strcmp(rule->as.rule.name->text, "constant") != 0 || rule->as.rule.arguments->count != 1)
        return false;
    const struct operand value = elaborate_expr(el, &outside, rule->as.rule.arguments->item[0]);
    return value.expr && value.expr->scalar != SCALAR_BOOL;
}

/* The load, remembered until the stage's box tells whether it stays inside. */
static struct operand make_load(struct elaborator *el, struct stage_context *context,
                                const struct image_view *image, const struct symbol *name,
                                const struct expr *const index[], const struct ast_list *items,
                                const struct ast *rule, struct span span)
{
    const struct stage *stage = graph_stage(el->graph, image->stage);
    struct border border[GRAPH_MAX_RANK] = {0};
    struct pending_read read = {.span = span,
                                .image = name,
                                .widened_count = el->widened.count,
                                .widened = arena_copy(el->arena, el->widened.item,
                                                      el->widened.count * sizeof *read.widened)};
    for (unsigned i = 0; items && i < image->rank; i++)
        for (unsigned k = 0; k < stage->rank; k++)
            if (stage->axis[k].name == image->axis[i])
                read.item[k] = items->item[i];
    for (unsigned k = 0; k < stage->rank; k++) {
        if (is_fixed(items,
                     stage->axis[k].name)) { /* an entry check makes sure: clamp does nothing */
            border[k] = (struct border){.rule = BORDER_CLAMP};
            read.has_rule[k] = true;
            continue;
        }
        if (!rule_of_axis(rule, stage->axis[k].name) &&
            unbounded_stage(el->graph, stage,
                            stage->axis[k].name)) { /* the line goes on by itself */
            border[k] = (struct border){.rule = BORDER_EXTEND};
            read.has_rule[k] = true;
            continue;
        }
        struct border_default *taken;
        const struct ast *found =
            nearest_rule(context->instance, rule, name, stage->axis[k].name, &taken);
        struct stage_context where = *context;
        if (taken)
            where.scope = taken->where->scope;
        /* A number that the filter's rule gives says nothing of truth values. */
        if (!found || (taken && stage->element == SCALAR_BOOL && gives_number(el, &where, found)))
            continue;
        if (!elaborate_border(el, &where, found, stage, &border[k]))
            return operand_error();
        if (border[k].rule == BORDER_EXTEND && stage_computes(stage) &&
            !can_extend(el, stage, k, found->span))
            return operand_error();
        read.has_rule[k] = true;
        if (taken)
            read.default_taken = taken;
    }
    read.load = expr_load(el->pool, image->stage.index, stage->element,
                          with_border_values(stage, border), stage->rank, index, border);
    VECTOR_PUSH(el->arena, &context->reads, read);
    struct operand result = operand_of_stage(el, stage, read.load);
    if (stage->kind == STAGE_CONSTANT) {
        result.untyped = image->untyped;
        const struct expr *zero = scalar_is_float(stage->element)
                                      ? expr_real(el->pool, stage->element, 0)
                                      : expr_integer(el->pool, 0);
        result.present = is_zero_everywhere(stage, border)
                             ? expr_boolean(el->pool, false)
                             : expr_binary(el->pool, EXPR_NOT_EQUAL, read.load, zero);
    }
    return result;
}

/* Indices by position of the view become indices by axis of the stage. */
static bool spread_indices(struct elaborator *el, struct stage_context *context,
                           const struct image_view *image, const struct expr *const by_position[],
                           unsigned part, const struct expr *index[])
{
    const struct stage *stage = graph_stage(el->graph, image->stage);
    for (unsigned k = 0; k < stage->rank; k++) {
        index[k] = NULL;
        for (unsigned i = 0; i < image->rank; i++)
            if (image->axis[i] == stage->axis[k].name)
                index[k] = by_position[i];
        if (axis_is_of_parts(stage->axis[k].name))
            index[k] = expr_integer(el->pool, part);
        if (!index[k])
            index[k] = mapped_variable(el, context, &stage->axis[k]);
        if (!index[k])
            return false;
    }
    return true;
}

/* The sample, in two loads where it is complex. */
static struct operand load_sample(struct elaborator *el, struct stage_context *context,
                                  const struct image_view *image, const struct symbol *name,
                                  const struct expr *const by_position[],
                                  const struct ast_list *items, const struct ast *rule,
                                  struct span span)
{
    const struct expr *index[GRAPH_MAX_RANK];
    struct operand part[2];
    const unsigned parts = stage_is_complex(graph_stage(el->graph, image->stage)) ? 2 : 1;
    for (unsigned i = 0; i < parts; i++) {
        if (!spread_indices(el, context, image, by_position, i, index))
            return operand_error();
        part[i] = make_load(el, context, image, name, index, items, rule, span);
        if (!part[i].expr)
            return operand_error();
    }
    if (parts == 2)
        part[0].imaginary = part[1].expr;
    return part[0];
}

static bool may_read(struct elaborator *el, const struct stage_context *context,
                     const struct symbol *name, struct span span)
{
    if (!context->scalar_only)
        return true;
    struct diagnostic *d = REPORT(el, E0308, span, "this value");
    NOTE(el, d, "samples of '%s' are known only when it runs", name->text);
    const struct ast *definition = definition_of(context->instance, name);
    if (definition && definition->as.define.value && !definition->as.define.brackets->count)
        HELP(el, d,
             "a range is made of extents, parameters and constants: write %s in place of '%s'",
             condition_text(el, definition->as.define.value), name->text);
    return false;
}

/* The axes that `border (x: wrap, y: clamp)` behind a read names are the image's. */
static bool check_rule_axes(struct elaborator *el, const struct image_view *image,
                            const struct symbol *name, const struct ast *rule)
{
    const struct stage *stage = graph_stage(el->graph, image->stage);
    for (size_t i = 0; rule && !rule->as.rule.name && i < rule->as.rule.arguments->count; i++) {
        const struct ast *named = rule->as.rule.arguments->item[i];
        unsigned k = 0;
        while (k < stage->rank && stage->axis[k].name != named->as.named.name)
            k++;
        if (k == stage->rank) {
            REPORT(el, E0306, named->span, name->text, named->as.named.name->text);
            return false;
        }
    }
    return true;
}

struct operand elaborate_read(struct elaborator *el, struct stage_context *context,
                              const struct image_view *image, const struct symbol *name,
                              const struct ast *node, const struct ast_list *items,
                              const struct ast *rule)
{
    if (!image->valid || !may_read(el, context, name, node->span))
        return operand_error();
    if (items->count != image->rank) {
        struct diagnostic *d =
            REPORT(el, E0304, node->span, name->text, (int)image->rank, (int)items->count);
        LABEL(el, d, graph_stage(el->graph, image->stage)->span, "declared here");
        HELP(el, d, "write %s[%s], with an index for each axis", name->text,
             axes_text(el, image->axis, image->rank));
        return operand_error();
    }
    const struct expr *by_position[GRAPH_MAX_RANK];
    bool good = check_rule_axes(el, image, name, rule);
    for (unsigned i = 0; i < image->rank; i++)
        good = elaborate_index(el, context, image, name, image->axis[i], items->item[i], node->span,
                               &by_position[i]) &&
               good;
    return good ? load_sample(el, context, image, name, by_position, items, rule, node->span)
                : operand_error();
}

struct operand elaborate_read_at(struct elaborator *el, struct stage_context *context,
                                 const struct image_view *image, const struct expr *const index[],
                                 struct span span)
{
    const struct symbol *name = graph_stage(el->graph, image->stage)->name;
    if (!image->valid || !may_read(el, context, name, span))
        return operand_error();
    return load_sample(el, context, image, name, index, NULL, NULL, span);
}

struct operand elaborate_read_by_name(struct elaborator *el, struct stage_context *context,
                                      const struct image_view *image, struct span span)
{
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned i = 0; i < image->rank; i++) {
        bool mapped;
        const int axis = find_context_axis(context, image->axis[i], &mapped);
        if (axis < 0)
            return operand_error();
        index[i] = mapped ? context->mapped[axis].variable : context->axis[axis].variable;
    }
    return elaborate_read_at(el, context, image, index, span);
}

struct operand elaborate_lifted_read(struct elaborator *el, struct stage_context *context,
                                     const struct image_view *image, const struct ast *node)
{
    return elaborate_read_by_name(el, context, image, node->span);
}
