/* Calls: an instance of the called filter's body over actual images and values. */
#include "frontend/elaborator.h"
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

/* The actual image under the signature's axes: matched by name, the rest is mapped over. */
static bool bind_image(struct elaborator *el, struct stage_context *context,
                       struct instance *instance, const struct ast *formal,
                       const struct ast *argument)
{
    struct filter_type type;
    const struct symbol *name = formal->as.formal.name;
    if (formal->as.formal.each) {
        report_not_yet(el, formal->span, "an array of images in a signature");
        return false;
    }
    if (!is_image_valued(el, context->instance, context->scope, argument)) {
        const struct operand value = elaborate_expr(el, context, argument);
        if (value.expr)
            REPORT(el, E0303, argument->span,
                   arena_format(el->session->permanent, "'%s' of '%s'", name->text,
                                instance->filter->as.filter.name->text),
                   "an image", operand_type_text(el, value));
        return false;
    }
    struct image_view actual =
        elaborate_image(el, context->instance, context->scope, argument, name);
    if (!actual.valid)
        return false;
    const struct stage *stage = graph_stage(el->graph, actual.stage);
    const struct symbol *variable = element_variable(formal);
    if (variable && bound_type(instance, variable) == SCALAR_COUNT &&
        !bind_type(el, instance, formal, stage->element, argument->span))
        return false;
    if (!elaborate_type(el, instance, formal->as.formal.type, &type))
        return false;
    struct image_view view = {.stage = actual.stage, .rank = type.rank, .valid = true};
    for (unsigned i = 0; i < type.rank; i++) {
        bool found = false;
        for (unsigned k = 0; k < actual.rank; k++)
            found = found || actual.axis[k] == type.axis[i];
        if (!found) {
            struct diagnostic *d =
                REPORT(el, E0318, argument->span, instance->filter->as.filter.name->text,
                       type.axis[i]->text, stage->name->text);
            LABEL(el, d, formal->span, "declared here");
            NOTE(el, d, "the axes of '%s' are [%s]", stage->name->text,
                 axes_text(el, actual.axis, actual.rank));
            return false;
        }
        view.axis[i] = type.axis[i];
    }
    const bool integers = scalar_is_integer(type.scalar) && scalar_is_integer(stage->element) &&
                          interval_inside(stage->interval, scalar_info[type.scalar].interval);
    if (!integers && type.scalar != stage->element) {
        struct diagnostic *d =
            REPORT(el, E0317, argument->span, name->text, instance->filter->as.filter.name->text,
                   scalar_info[type.scalar].text, scalar_info[stage->element].text);
        LABEL(el, d, formal->span, "declared here");
        HELP(el, d, "convert the argument: %s(...)", scalar_info[type.scalar].text);
        return false;
    }
    add_mapped(instance, stage, &view);
    struct entity *entity = scope_declare(el, instance->scope, name, formal->as.formal.name_span);
    entity->kind = ENTITY_IMAGE;
    entity->as.image = view;
    return true;
}

static const struct expr *range_check(struct elaborator *el, const struct expr *value,
                                      const struct parameter *p)
{
    return expr_binary(el->pool, EXPR_AND, expr_binary(el->pool, EXPR_LESS_EQUAL, p->least, value),
                       expr_binary(el->pool, EXPR_LESS_EQUAL, value, p->greatest));
}

static bool bind_scalar(struct elaborator *el, struct stage_context *context,
                        struct instance *instance, const struct ast *formal,
                        const struct ast *argument, struct span call_span)
{
    struct parameter p;
    if (!elaborate_formal(el, instance, formal, &p))
        return false;
    const char *filter = instance->filter->as.filter.name->text;
    if (!argument && !p.initial) {
        struct diagnostic *d = REPORT(el, E0214, call_span, p.name->text, filter);
        LABEL(el, d, formal->span, "declared here");
        HELP(el, d, "write %s(..., %s = ...)", filter, p.name->text);
        return false;
    }
    const struct expr *value = p.initial;
    if (argument) {
        struct stage_context scalar = *context;
        scalar.scalar_only = true;
        scalar.lifted = false;
        const struct operand given =
            operand_store(el, p.scalar, elaborate_expr(el, &scalar, argument), argument->span);
        if (!given.expr)
            return false;
        value = given.expr;
        if (formal->as.formal.role == FORMAL_CONST && !expr_is_constant(value)) {
            struct diagnostic *d =
                REPORT(el, E0308, argument->span,
                       arena_format(el->session->permanent, "'%s'", p.name->text));
            LABEL(el, d, formal->span, "declared here as const");
            return false;
        }
        if (p.least && expr_is_constant(value) && is_outside(value, p.least, p.greatest)) {
            struct diagnostic *d =
                REPORT(el, E0309, argument->span, number_text(el, value), p.name->text,
                       number_text(el, p.least), number_text(el, p.greatest));
            LABEL(el, d, formal->span, "declared here");
            return false;
        }
        const struct expr *inside = p.least ? range_check(el, value, &p) : NULL;
        if (inside && !expr_is_constant(inside) &&
            (scalar_is_float(p.scalar) ||
             !interval_inside(value->interval, parameter_interval(&p))))
            VECTOR_PUSH(
                el->arena, &el->graph->checks,
                (struct graph_check){inside,
                                     arena_format(el->arena, "'%s' of '%s' is outside %s .. %s",
                                                  p.name->text, filter, number_text(el, p.least),
                                                  number_text(el, p.greatest)),
                                     argument->span});
    }
    declare_value(el, instance, formal, value);
    return true;
}

static bool bind_formal(struct elaborator *el, struct stage_context *context,
                        struct instance *instance, const struct ast *call, size_t position)
{
    const struct ast *filter = instance->filter;
    const struct ast *formal = filter->as.filter.formals->item[position];
    const struct ast *argument =
        find_argument(call->as.call.arguments, position, formal->as.formal.name);
    if (formal->as.formal.role != FORMAL_IMAGE)
        return bind_scalar(el, context, instance, formal, argument, call->span);
    if (argument)
        return bind_image(el, context, instance, formal, argument);
    struct diagnostic *d =
        REPORT(el, E0214, call->span, formal->as.formal.name->text, filter->as.filter.name->text);
    LABEL(el, d, formal->span, "declared here");
    return false;
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

static struct image_view result_in_caller(const struct elaborator *el,
                                          const struct instance *caller,
                                          const struct image_view *result)
{
    if (!result->valid)
        return *result;
    const struct stage *stage = graph_stage(el->graph, result->stage);
    struct image_view view = {.stage = result->stage, .valid = true};
    for (unsigned k = 0; k < stage->rank; k++) {
        bool mapped = false;
        for (unsigned m = 0; m < caller->mapped_count; m++)
            mapped = mapped || caller->mapped[m] == stage->axis[k].name;
        if (!mapped)
            view.axis[view.rank++] = stage->axis[k].name;
    }
    return view;
}

struct image_view elaborate_call(struct elaborator *el, struct stage_context *context,
                                 const struct ast *call, const struct ast *rule,
                                 const struct symbol *result_name)
{
    enum { MOST_CALLS_DEEP = 64 };
    struct instance *caller = context->instance;
    size_t owner;
    const struct ast *filter = find_item(el, caller->module, call->as.call.callee->as.name, &owner);
    const struct image_view none = {0};
    if (report_recursion(el, caller, filter, call->span) ||
        !check_argument_names(el, filter, call) || !elaborate_work(el, call->span, STATEMENT_WORK))
        return none;
    if (el->depth == MOST_CALLS_DEEP) {
        struct diagnostic *d = REPORT(el, E0504, call->span, MOST_CALLS_DEEP);
        HELP(el, d,
             "repeat a step with for, or with an array of images: "
             "g[l in 1 ..< n] = f(g[l - 1])");
        return none;
    }
    struct instance *instance = ARENA_NEW(el->arena, struct instance);
    instance->filter = filter;
    instance->module = owner;
    instance->caller = caller;
    instance->scope = scope_open(el, NULL);
    const struct symbol *name = result_name ? result_name : filter->as.filter.name;
    instance->prefix = caller->prefix ? symbol_format(&el->session->symbols, "%s.%s",
                                                      caller->prefix->text, name->text)
                                      : name;
    if (rule) {
        instance->call_border = ARENA_NEW(el->arena, struct border_default);
        *instance->call_border = (struct border_default){rule, caller, false};
    }
    const struct ast_list *formals = filter->as.filter.formals;
    const unsigned errors = el->session->diagnostics.error_count;
    bool good = true;
    for (int scalars = 0; scalars < 2; scalars++) /* images first: they tell types */
        for (size_t i = 0; i < formals->count; i++)
            if ((formals->item[i]->as.formal.role != FORMAL_IMAGE) == scalars)
                good = bind_formal(el, context, instance, call, i) && good;
    if (!good)
        return none;
    const struct symbol *outer = el->defining;
    el->defining = NULL;
    el->depth++;
    elaborate_body(el, instance);
    el->depth--;
    el->defining = outer;
    if (rule && !instance->call_border->used && el->session->diagnostics.error_count == errors) {
        struct diagnostic *d = REPORT(el, E0403, rule->span,
                                      rule->as.rule.name ? rule->as.rule.name->text : "by axis");
        NOTE(el, d, "no read inside '%s' takes it: all stay inside, or have rules of their own",
             filter->as.filter.name->text);
        HELP(el, d, "leave it out");
        return none;
    }
    return result_in_caller(el, caller, &instance->result);
}
