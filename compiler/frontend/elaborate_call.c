/* Calls: an instance of the called filter's body over actual images and values. */
#include "frontend/elaborator.h"
#include "frontend/mistakes.h"
#include "frontend/particles.h"
#include "diagnostics/suggest.h"

/* The argument of a formal: by name, or by position. */
static const struct ast *find_argument(const struct ast_list *arguments, size_t position,
                                       const struct symbol *name)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (arguments->item[i]->kind == AST_NAMED && arguments->item[i]->as.named.name == name)
            return arguments->item[i]->as.named.value;
    if (position < arguments->count && arguments->item[position]->kind != AST_NAMED)
        return arguments->item[position];
    return NULL;
}

static bool check_argument_names(struct elaborator *el, const struct ast *filter,
                                 const struct ast *call)
{
    const struct ast_list *formals = filter->as.filter.formals;
    const struct ast_list *arguments = call->as.call.arguments;
    const char *name = filter->as.filter.name->text;
    if (arguments->count > formals->count) {
        struct diagnostic *d =
            REPORT(el, E0212, call->span, name, (int)formals->count,
                   formals->count == 1 ? "argument" : "arguments", (int)arguments->count);
        LABEL(el, d, filter->as.filter.name_span, "declared here");
        return false;
    }
    for (size_t i = 0; i < arguments->count; i++) {
        if (arguments->item[i]->kind != AST_NAMED)
            continue;
        const char *wanted = arguments->item[i]->as.named.name->text;
        struct suggestion near = {0};
        bool known = false;
        for (size_t k = 0; k < formals->count; k++) {
            known = known || strcmp(formals->item[k]->as.formal.name->text, wanted) == 0;
            suggest_consider(&near, wanted, formals->item[k]->as.formal.name->text);
        }
        if (known)
            continue;
        const struct span span = arguments->item[i]->span;
        const struct span word = {span.start, span.start + (uint32_t)strlen(wanted)};
        struct diagnostic *d = REPORT(el, E0213, span, name, wanted);
        LABEL(el, d, filter->as.filter.name_span, "declared here");
        if (near.best)
            diagnostic_fix(&el->session->diagnostics, d, word, near.best, false, "write '%s'",
                           near.best);
        return false;
    }
    return true;
}

static void add_mapped(struct instance *instance, const struct stage *stage,
                       const struct image_view *view)
{
    bool brings = false;
    for (unsigned k = 0; k < stage->rank; k++) {
        bool named = false, known = false;
        for (unsigned i = 0; i < view->rank; i++)
            named = named || view->axis[i] == stage->axis[k].name;
        named = named || axis_is_of_parts(stage->axis[k].name);
        for (unsigned m = 0; m < instance->mapped_count; m++)
            known = known || instance->mapped[m] == stage->axis[k].name;
        brings = brings || !named;
        if (!named && !known && instance->mapped_count < GRAPH_MAX_RANK)
            instance->mapped[instance->mapped_count++] = stage->axis[k].name;
    }
    if (!brings || instance->pattern_count)
        return;
    for (unsigned k = 0; k < stage->rank; k++)
        instance->pattern[instance->pattern_count++] = stage->axis[k].name;
}

/* The type of an argument's samples. */
static struct element_type own_type(struct elaborator *el, const struct stage *stage,
                                    const struct image_view *view)
{
    if (view->fixed.is)
        return fixed_element(el, view->fixed);
    if (stage->fixed.is)
        return fixed_element(el, fixed_holding(stage->interval, stage->fixed.fraction));
    return (struct element_type){.scalar = view->untyped ? SCALAR_F32 : stage->element};
}

/* Whether samples of the stage are such of the type: also those of narrower integers, and of fixed
 * point in the same steps. */
static bool takes_samples(const struct elaborator *el, const struct stage *stage,
                          struct element_type type)
{
    const struct fixed_point fixed = fixed_stored(el, type.fixed);
    if (fixed.is != stage->fixed.is || fixed.fraction != stage->fixed.fraction)
        return false;
    const bool integers = scalar_is_integer(type.scalar) && scalar_is_integer(stage->element);
    return integers ? interval_inside(stage->interval, element_interval(type))
                    : type.scalar == stage->element;
}

/* An actual image under the signature's axes: matched by name, the rest is mapped over. */
static struct image_view under_signature(struct elaborator *el, struct instance *instance,
                                         const struct ast *formal, struct image_view actual,
                                         struct span span)
{
    const struct image_view none = {0};
    const struct symbol *name = formal->as.formal.name;
    const struct stage *stage = graph_stage(el->graph, actual.stage);
    const struct symbol *variable = element_variable(formal);
    struct filter_type type;
    const struct element_type own = own_type(el, stage, &actual);
    if (variable && bound_type(instance, variable).scalar == SCALAR_COUNT &&
        !bind_type(el, instance, formal, own, span))
        return none;
    if (!elaborate_type(el, instance, formal->as.formal.type, &type))
        return none;
    const struct element_type element = {
        .scalar = type.scalar, .complex = type.complex, .fixed = type.fixed};
    if (actual.undeclared &&
        (type.fixed.is || (scalar_is_float(type.scalar) && type.scalar != stage->element))) {
        actual = constant_under_type(el, instance, actual, element, span);
        if (!actual.valid)
            return none;
        stage = graph_stage(el->graph, actual.stage);
    }
    struct image_view view = {
        .stage = actual.stage, .rank = type.rank, .valid = true, .fixed = type.fixed};
    for (unsigned i = 0; i < type.rank; i++) {
        bool found = false;
        for (unsigned k = 0; k < actual.rank; k++)
            found = found || actual.axis[k] == type.axis[i];
        if (!found) {
            struct diagnostic *d = REPORT(el, E0318, span, instance->filter->as.filter.name->text,
                                          type.axis[i]->text, stage->name->text);
            LABEL(el, d, formal->span, "declared here");
            NOTE(el, d, "the axes of '%s' are [%s]", stage->name->text,
                 axes_text(el, actual.axis, actual.rank));
            return none;
        }
        view.axis[i] = type.axis[i];
    }
    const bool complex = stage_is_complex(stage);
    if (!takes_samples(el, stage, element) || type.complex != complex) {
        const char *wanted = element_type_text(el, element);
        struct element_type given = own;
        given.complex = complex;
        struct diagnostic *d =
            REPORT(el, E0317, span, name->text, instance->filter->as.filter.name->text, wanted,
                   element_type_text(el, given));
        LABEL(el, d, formal->span, "declared here");
        if (complex && !type.complex)
            HELP(el, d, "take a part of it: re(...), im(...), abs(...)");
        else
            HELP(el, d, "convert the argument: %s(...)", wanted);
        return none;
    }
    if (!suits_as_adaptive(el, formal, view, span))
        return none;
    add_mapped(instance, stage, &view);
    return view;
}

static bool report_argument(struct elaborator *el, const struct instance *instance,
                            const struct ast *formal, struct span span, const char *what)
{
    REPORT(el, E0303, span,
           arena_format(el->session->permanent, "'%s' of '%s'", formal->as.formal.name->text,
                        instance->filter->as.filter.name->text),
           formal->as.formal.each ? "an array of images" : "an image", what);
    return false;
}

static bool bind_image(struct elaborator *el, struct stage_context *context,
                       struct instance *instance, const struct ast *formal,
                       const struct ast *argument)
{
    const struct symbol *name = formal->as.formal.name;
    const enum entity_kind kind = entity_kind_of(el, context->instance, context->scope, argument);
    if (kind == ENTITY_LEVELS || kind == ENTITY_RESULTS)
        return report_argument(el, instance, formal, argument->span, entity_text(kind));
    if (!is_image_valued(el, context->instance, context->scope, argument)) {
        const struct operand value = elaborate_expr(el, context, argument);
        if (value.expr)
            report_argument(el, instance, formal, argument->span, operand_type_text(el, value));
        return false;
    }
    struct image_view view = elaborate_image(el, context->instance, context->scope, argument, name);
    if (view.valid)
        view = under_signature(el, instance, formal, view, argument->span);
    if (!view.valid)
        return false;
    struct entity *entity = scope_declare(el, instance->scope, name, formal->as.formal.name_span);
    entity->kind = ENTITY_IMAGE;
    entity->as.image = view;
    return true;
}

struct array_argument {
    struct elaborator *el;
    struct instance *instance;
    const struct ast *formal;
    struct span span;
};

static struct image_view member_under_signature(struct image_view image, const struct symbol *name,
                                                void *user)
{
    const struct array_argument *a = user;
    (void)name;
    return image.valid ? under_signature(a->el, a->instance, a->formal, image, a->span) : image;
}

/* An array for `pyramid : image<f32>[y, x] each l in 0 ..< levels`. given: its argument. */
static bool bind_array(struct elaborator *el, struct instance *instance, const struct ast *formal,
                       const struct ast *argument, const struct entity *given)
{
    const char *filter = instance->filter->as.filter.name->text;
    const char *what =
        arena_format(el->session->permanent, "%s of %s", formal->as.formal.name->text, filter);
    int64_t first, extent;
    if (given->kind == ENTITY_ERROR || !each_range(el, instance, formal, &first, &extent) ||
        !check_members(el, given->as.levels, first, extent, what, argument->span, formal->span))
        return false;
    struct array_argument a = {el, instance, formal, argument->span};
    const unsigned errors = el->session->diagnostics.error_count;
    struct entity *entity =
        scope_declare(el, instance->scope, formal->as.formal.name, formal->as.formal.name_span);
    const struct entity bound = change_levels(el, given->as.levels, member_under_signature, &a);
    entity->kind = ENTITY_LEVELS;
    entity->as.levels = bound.as.levels;
    return el->session->diagnostics.error_count == errors;
}

/* The argument of an array, before the constants that tell its length are known. */
static struct entity array_argument(struct elaborator *el, struct stage_context *context,
                                    const struct instance *instance, const struct ast *formal,
                                    const struct ast *argument)
{
    const struct entity none = {.kind = ENTITY_ERROR};
    const enum entity_kind kind = entity_kind_of(el, context->instance, context->scope, argument);
    if (kind == ENTITY_LEVELS)
        return elaborate_entity(el, context->instance, context->scope, argument,
                                formal->as.formal.name);
    if (is_image_valued(el, context->instance, context->scope, argument) ||
        kind == ENTITY_RESULTS) {
        report_argument(el, instance, formal, argument->span,
                        entity_text(kind == ENTITY_RESULTS ? kind : ENTITY_IMAGE));
        return none;
    }
    const struct operand value = elaborate_expr(el, context, argument);
    if (value.expr)
        report_argument(el, instance, formal, argument->span, operand_type_text(el, value));
    return none;
}

/* A constant that is not given and ends the range of an array, `each l in 0 ..< levels`, is how
 * many members the argument has. NULL: it ends none. */
static const struct expr *length_of_array(struct elaborator *el, const struct ast_list *formals,
                                          const struct entity given[], const struct symbol *name)
{
    for (size_t i = 0; i < formals->count; i++) {
        const struct ast *each = formals->item[i]->as.formal.each;
        const struct ast *range = each ? each->as.binding.range : NULL;
        if (!range || given[i].kind != ENTITY_LEVELS || range->as.range.includes_last ||
            range->as.range.last->kind != AST_NAME || range->as.range.last->as.name != name ||
            range->as.range.first->kind != AST_INTEGER || range->as.range.first->as.integer != 0)
            continue;
        return expr_integer(el->pool, (int64_t)given[i].as.levels->member.count);
    }
    return NULL;
}

static const struct expr *range_check(struct elaborator *el, const struct expr *value,
                                      const struct parameter *p)
{
    return expr_binary(el->pool, EXPR_AND, expr_binary(el->pool, EXPR_LESS_EQUAL, p->least, value),
                       expr_binary(el->pool, EXPR_LESS_EQUAL, value, p->greatest));
}

/* The value of an integer parameter inside the filter: the entry check holds there, so that ranges
 * and reads may rely on it. */
static const struct expr *narrowed(struct elaborator *el, const struct expr *value,
                                   const struct parameter *p)
{
    if (!p->least || !scalar_is_integer(p->scalar) ||
        interval_inside(value->interval, parameter_interval(p)))
        return value;
    return expr_binary(el->pool, EXPR_MINIMUM, expr_binary(el->pool, EXPR_MAXIMUM, value, p->least),
                       p->greatest);
}

/* Whether a constant lies in the range of the parameter; reports one that does not. */
static bool is_in_range(struct elaborator *el, const struct parameter *p, const struct expr *value,
                        struct span span, const struct span *declared)
{
    if (!p->least || !is_outside(value, p->least, p->greatest))
        return true;
    struct diagnostic *d =
        REPORT(el, E0309, span, number_text(el, value, p->fixed), p->name->text,
               number_text(el, p->least, p->fixed), number_text(el, p->greatest, p->fixed));
    if (declared)
        LABEL(el, d, *declared, "declared here");
    return false;
}

/* The value of an argument, with a check on entry where it may leave the range. NULL after an
 * error. */
static const struct expr *argument_value(struct elaborator *el, const struct stage_context *context,
                                         const struct instance *instance, const struct ast *formal,
                                         const struct parameter *p, struct element_type type,
                                         const struct ast *argument)
{
    struct stage_context scalar = *context;
    scalar.scalar_only = true;
    scalar.lifted = false;
    const struct expr *value =
        (is_enumeration(formal->as.formal.type)
             ? enumeration_value(el, &scalar, formal->as.formal.type, argument)
             : operand_store_as(el, type, elaborate_expr(el, &scalar, argument), argument->span))
            .expr;
    if (!value)
        return NULL;
    if (formal->as.formal.role == FORMAL_CONST && !expr_is_constant(value)) {
        struct diagnostic *d = REPORT(el, E0308, argument->span,
                                      arena_format(el->session->permanent, "'%s'", p->name->text));
        LABEL(el, d, formal->span, "declared here as const");
        return NULL;
    }
    if (expr_is_constant(value) && !is_in_range(el, p, value, argument->span, &formal->span))
        return NULL;
    const struct expr *inside = p->least ? range_check(el, value, p) : NULL;
    if (inside && !expr_is_constant(inside) &&
        (scalar_is_float(p->scalar) || !interval_inside(value->interval, parameter_interval(p))))
        VECTOR_PUSH(
            el->arena, &el->graph->checks,
            (struct graph_check){inside,
                                 arena_format(el->arena, "'%s' of '%s' is outside %s .. %s",
                                              p->name->text, instance->filter->as.filter.name->text,
                                              number_text(el, p->least, p->fixed),
                                              number_text(el, p->greatest, p->fixed)),
                                 argument->span});
    return narrowed(el, value, p);
}

/* The value without an argument: the length, or the default. NULL after an error. */
static const struct expr *default_value(struct elaborator *el, const struct instance *instance,
                                        const struct ast *formal, const struct parameter *p,
                                        const struct expr *length, struct span call_span)
{
    const char *filter = instance->filter->as.filter.name->text;
    if (length)
        return is_in_range(el, p, length, call_span, NULL) ? length : NULL;
    if (p->initial)
        return p->initial;
    struct diagnostic *d = REPORT(el, E0214, call_span, p->name->text, filter);
    LABEL(el, d, formal->span, "declared here");
    HELP(el, d, "write %s(..., %s = ...)", filter, p->name->text);
    return NULL;
}

static bool bind_scalar(struct elaborator *el, struct stage_context *context,
                        struct instance *instance, const struct ast *formal,
                        const struct ast *argument, const struct expr *length,
                        struct span call_span)
{
    struct parameter p;
    struct element_type type;
    if (!elaborate_formal(el, instance, formal, &p, &type))
        return false;
    const struct expr *value =
        argument ? argument_value(el, context, instance, formal, &p, type, argument)
                 : default_value(el, instance, formal, &p, length, call_span);
    if (!value)
        return false;
    declare_value(el, instance, formal, value, p.fixed);
    return true;
}

static bool is_width(const struct ast *filter, const struct ast *formal)
{
    return formal->as.formal.role == FORMAL_CONST &&
           is_width_of_image(filter, formal->as.formal.name);
}

/* All formals: constants that types of images name, then images, which tell types; then arguments
 * that are arrays, whose length may tell constants; then numbers; then the arrays under their
 * ranges. */
static bool bind_formals(struct elaborator *el, struct stage_context *context,
                         struct instance *instance, const struct ast *call)
{
    const struct ast_list *formals = instance->filter->as.filter.formals;
    const struct ast **argument = ARENA_ARRAY(el->arena, const struct ast *, formals->count + 1);
    struct entity *given = ARENA_ARRAY(el->arena, struct entity, formals->count + 1);
    bool good = true;
    for (size_t i = 0; i < formals->count; i++) {
        const struct ast *formal = formals->item[i];
        argument[i] = find_argument(call->as.call.arguments, i, formal->as.formal.name);
        if (is_width(instance->filter, formal))
            good =
                bind_scalar(el, context, instance, formal, argument[i], NULL, call->span) && good;
    }
    for (size_t i = 0; good && i < formals->count; i++) {
        const struct ast *formal = formals->item[i];
        if (formal->as.formal.role != FORMAL_IMAGE)
            continue;
        if (!argument[i]) {
            struct diagnostic *d = REPORT(el, E0214, call->span, formal->as.formal.name->text,
                                          instance->filter->as.filter.name->text);
            LABEL(el, d, formal->span, "declared here");
            good = false;
        } else if (formal->as.formal.each) {
            given[i] = array_argument(el, context, instance, formal, argument[i]);
            good = good && given[i].kind == ENTITY_LEVELS;
        } else {
            good = bind_image(el, context, instance, formal, argument[i]) && good;
        }
    }
    for (size_t i = 0; i < formals->count; i++) {
        const struct ast *formal = formals->item[i];
        if (formal->as.formal.role != FORMAL_IMAGE && !is_width(instance->filter, formal))
            good = bind_scalar(el, context, instance, formal, argument[i],
                               length_of_array(el, formals, given, formal->as.formal.name),
                               call->span) &&
                   good;
    }
    for (size_t i = 0; good && i < formals->count; i++)
        if (formals->item[i]->as.formal.each)
            good = bind_array(el, instance, formals->item[i], argument[i], &given[i]);
    return good;
}

/* a → b → a, where the filter is already being elaborated. */
static bool report_recursion(struct elaborator *el, const struct instance *caller,
                             const struct ast *filter, struct span span)
{
    const struct instance *at = caller;
    while (at && at->filter != filter)
        at = at->caller;
    if (!at)
        return false;
    const char *circle = filter->as.filter.name->text;
    for (const struct instance *i = caller; i != at; i = i->caller)
        circle = arena_format(el->session->permanent, "%s → %s", i->filter->as.filter.name->text,
                              circle);
    circle = arena_format(el->session->permanent, "%s → %s", filter->as.filter.name->text, circle);
    struct diagnostic *d = REPORT(el, E0207, span, filter->as.filter.name->text, circle);
    HELP(el, d,
         "repeat a step with for, or with an array of images: g[l in 1 ..< n] = f(g[l - 1])");
    return true;
}

struct caller_view {
    const struct elaborator *el;
    const struct instance *caller;
};

/* The axes as the caller sees them: all but those over which it is mapped itself. */
static struct image_view view_in_caller(struct image_view result, const struct symbol *name,
                                        void *user)
{
    const struct caller_view *c = user;
    (void)name;
    if (!result.valid)
        return result;
    const struct stage *stage = graph_stage(c->el->graph, result.stage);
    struct image_view view = {.stage = result.stage, .valid = true};
    for (unsigned k = 0; k < stage->rank; k++) {
        bool mapped = axis_is_of_parts(stage->axis[k].name);
        for (unsigned m = 0; m < c->caller->mapped_count; m++)
            mapped = mapped || c->caller->mapped[m] == stage->axis[k].name;
        if (!mapped)
            view.axis[view.rank++] = stage->axis[k].name;
    }
    return view;
}

static struct entity result_in_caller(struct elaborator *el, const struct instance *caller,
                                      struct entity result)
{
    struct caller_view c = {el, caller};
    if (result.kind == ENTITY_LEVELS)
        return change_levels(el, result.as.levels, view_in_caller, &c);
    if (result.kind == ENTITY_IMAGE)
        result.as.image = view_in_caller(result.as.image, NULL, &c);
    return result;
}

/* What the call stands for. */
static struct entity results_in_caller(struct elaborator *el, const struct instance *caller,
                                       const struct instance *instance, struct span span)
{
    const size_t count = instance->filter->as.filter.results->count;
    if (count == 1)
        return result_in_caller(el, caller, instance->result[0]);
    struct entity *item = ARENA_ARRAY(el->arena, struct entity, count);
    for (size_t i = 0; i < count; i++)
        item[i] = result_in_caller(el, caller, instance->result[i]);
    struct results *results = ARENA_NEW(el->arena, struct results);
    *results = (struct results){instance->filter, item};
    return (struct entity){.kind = ENTITY_RESULTS, .span = span, .as.results = results};
}

bool enter_call(struct elaborator *el, const struct ast *called, struct span span)
{
    enum { MOST_CALLS = 64, MOST_NESTED = AST_MAX_DEPTH + AST_MAX_DEPTH / 4 };
    if (el->calls == MOST_CALLS) {
        struct diagnostic *d = REPORT(el, E0504, span, MOST_CALLS);
        HELP(el, d,
             "repeat a step with for, or with an array of images: "
             "g[l in 1 ..< n] = f(g[l - 1])");
        return false;
    }
    if (el->nested + called->depth > MOST_NESTED) {
        struct diagnostic *d = REPORT(el, E0111, span, MOST_NESTED);
        NOTE(el, d, "counting all enclosing calls and blocks");
        return false;
    }
    if (el->calls++ == 0)
        el->called = span;
    el->nested += called->depth;
    return true;
}

void leave_call(struct elaborator *el, const struct ast *called)
{
    if (--el->calls == 0)
        el->called = (struct span){0, 0};
    el->nested -= called->depth;
}

struct entity elaborate_call(struct elaborator *el, struct stage_context *context,
                             const struct ast *call, const struct ast *rule,
                             const struct symbol *result_name)
{
    struct instance *caller = context->instance;
    size_t owner;
    const struct ast *filter = find_item(el, caller->module, call->as.call.callee->as.name, &owner);
    const struct entity none = {.kind = ENTITY_ERROR, .span = call->span};
    if (report_recursion(el, caller, filter, call->span) ||
        !check_argument_names(el, filter, call) || !elaborate_work(el, call->span, STATEMENT_WORK))
        return none;
    struct instance *instance = ARENA_NEW(el->arena, struct instance);
    instance->filter = filter;
    instance->module = owner;
    instance->caller = caller;
    instance->scope = scope_open(el, module_scope(el, owner));
    const struct symbol *name = result_name ? result_name : filter->as.filter.name;
    instance->prefix = full_stage_name(el, caller, name);
    if (rule) {
        instance->call_border = ARENA_NEW(el->arena, struct border_default);
        *instance->call_border = (struct border_default){rule, caller, false};
    }
    const unsigned errors = el->session->diagnostics.error_count;
    if (!bind_formals(el, context, instance, call) || !enter_call(el, filter, call->span))
        return none;
    const struct symbol *outer = el->defining;
    el->defining = NULL;
    elaborate_body(el, instance);
    leave_call(el, filter);
    el->defining = outer;
    if (rule && !instance->call_border->used && el->session->diagnostics.error_count == errors) {
        struct diagnostic *d = REPORT(el, E0403, rule->span,
                                      rule->as.rule.name ? rule->as.rule.name->text : "by axis");
        NOTE(el, d, "no read inside '%s' takes it: all stay inside, or have rules of their own",
             filter->as.filter.name->text);
        HELP(el, d, "leave it out");
        return none;
    }
    if (el->session->diagnostics.error_count == errors)
        warn_of_mapped_kernel(el, instance, call);
    return results_in_caller(el, caller, instance, call->span);
}
