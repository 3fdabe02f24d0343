/* Functions of the program: written out where they are called. */
#include "frontend/elaborator.h"

/* A type such as T: whatever the arguments meet in. */
static bool is_variable(const struct ast *type)
{
    const struct symbol *name = type->as.type.element;
    return !type->as.type.constructor && name && is_type_variable(name);
}

/* What T(e) means in the body: integers have no type of their own there, numbers of fixed point
 * their steps alone. */
static struct element_type met_type(struct elaborator *el, struct operand value)
{
    const struct interval all = scalar_info[SCALAR_I64].interval;
    const enum scalar scalar = value.expr->scalar;
    return value.fixed.is
               ? fixed_element(el, fixed_holding(all, value.fixed.fraction))
               : (struct element_type){.scalar = scalar_is_integer(scalar) ? SCALAR_I64 : scalar};
}

/* All arguments of type T in one type. */
/* Two values in one type. A real number that meets a complex one gets an imaginary part. */
static bool meet(struct elaborator *el, struct operand *a, struct operand *b, struct span span)
{
    if (!a->imaginary && !b->imaginary)
        return operand_promote(el, a, b, span);
    const bool wide = (a->expr->scalar == SCALAR_F64 && !a->untyped) ||
                      (b->expr->scalar == SCALAR_F64 && !b->untyped);
    *a = complex_store(el, wide ? SCALAR_F64 : SCALAR_F32, *a, span);
    *b = complex_store(el, wide ? SCALAR_F64 : SCALAR_F32, *b, span);
    return a->expr && b->expr;
}

static bool meet_variables(struct elaborator *el, const struct ast_list *formals,
                           struct operand value[], struct span span)
{
    bool good = true;
    for (size_t i = 0; i < formals->count; i++)
        for (size_t k = 0; k < formals->count && good; k++) {
            const struct ast *a = formals->item[i]->as.formal.type;
            const struct ast *b = formals->item[k]->as.formal.type;
            if (i != k && is_variable(a) && is_variable(b) &&
                a->as.type.element == b->as.type.element)
                good = meet(el, &value[i], &value[k], span);
        }
    return good;
}

static bool is_tuple_type(const struct ast *type)
{
    return !type->as.type.constructor && !type->as.type.element && type->as.type.arguments;
}

static struct operand under_type(struct elaborator *el, const struct instance *instance,
                                 const struct ast *type, struct operand value, struct span span);

/* A tuple under `(f32, T)`: part by part. */
static struct operand tuple_under_type(struct elaborator *el, const struct instance *instance,
                                       const struct ast *type, struct operand value,
                                       struct span span)
{
    const size_t wanted = is_tuple_type(type) ? type->as.type.arguments->count : 1;
    struct arena *texts = el->session->permanent;
    if (!value.expr && !value.part_count)
        return value;
    if (wanted != (value.part_count ? value.part_count : 1)) {
        struct diagnostic *d =
            REPORT(el, E0303, span, "the result",
                   wanted == 1 ? "a number" : arena_format(texts, "a tuple of %zu", wanted),
                   value.part_count ? arena_format(texts, "a tuple of %zu", value.part_count)
                                    : "a number");
        LABEL(el, d, type->span, "declared here");
        return operand_error();
    }
    struct operand *part = ARENA_ARRAY(el->arena, struct operand, wanted);
    bool good = true;
    for (size_t i = 0; i < wanted; i++) {
        part[i] = under_type(el, instance, type->as.type.arguments->item[i], value.part[i], span);
        good = good && part[i].expr;
    }
    return good ? (struct operand){.part = part, .part_count = wanted} : operand_error();
}

/* The value of an argument, or of the result, under its declared type. */
static struct operand under_type(struct elaborator *el, const struct instance *instance,
                                 const struct ast *type, struct operand value, struct span span)
{
    value.left = value.right = value.present = NULL; /* a call ends the expression */
    value.half = false;
    if (is_tuple_type(type) || value.part_count)
        return tuple_under_type(el, instance, type, value, span);
    if (!value.expr || is_variable(type))
        return value;
    const enum scalar part =
        type->as.type.element ? complex_part(type->as.type.element->text) : SCALAR_COUNT;
    if (part != SCALAR_COUNT)
        return complex_store(el, part, value, span);
    const struct element_type number = elaborate_number_type(el, instance, type, "a function");
    return number.scalar == SCALAR_COUNT ? operand_error()
                                         : operand_store_as(el, number, value, span);
}

static bool calls_itself(struct elaborator *el, const struct ast *called, struct span span)
{
    for (size_t i = 0; i < el->functions.count; i++) {
        if (el->functions.item[i] != called)
            continue;
        struct text circle = text_create(el->session->permanent);
        for (; i < el->functions.count; i++)
            text_print(&circle, "%s → ", el->functions.item[i]->as.function.name->text);
        text_print(&circle, "%s", called->as.function.name->text);
        struct diagnostic *d =
            REPORT(el, E0207, span, called->as.function.name->text, circle.bytes);
        HELP(el, d, "a function is written out where it is called, so it must come to an end");
        return true;
    }
    return false;
}

struct operand elaborate_own_function(struct elaborator *el, struct stage_context *context,
                                      const struct ast *node, const struct ast *called,
                                      size_t owner)
{
    enum { MOST_ARGUMENTS = 32 };
    const struct ast_list *formals = called->as.function.formals;
    const struct ast_list *arguments = node->as.call.arguments;
    struct operand value[MOST_ARGUMENTS];
    if (arguments->count != formals->count || formals->count > MOST_ARGUMENTS) {
        struct diagnostic *d =
            REPORT(el, E0212, node->span, called->as.function.name->text, (int)formals->count,
                   formals->count == 1 ? "value" : "values", (int)arguments->count);
        LABEL(el, d, called->as.function.name_span, "declared here");
        return operand_error();
    }
    if (calls_itself(el, called, node->span))
        return operand_error();
    /* The body, and the types of its arguments, see the function's own module. */
    struct instance *inside = arena_copy(el->arena, context->instance, sizeof *inside);
    inside->module = owner;
    inside->scope = module_scope(el, owner);
    memset(&inside->types, 0, sizeof inside->types);
    bool good = true;
    for (size_t i = 0; i < formals->count; i++) {
        value[i] =
            under_type(el, inside, formals->item[i]->as.formal.type,
                       elaborate_number(el, context, arguments->item[i]), arguments->item[i]->span);
        good = good && value[i].expr;
    }
    if (!good || !meet_variables(el, formals, value, node->span) ||
        !enter_call(el, called, node->span))
        return operand_error();
    /* The body sees its own module and its own names, and reads no image. */
    const struct stage_context outer = *context;
    context->instance = inside;
    context->scope = scope_open(el, module_scope(el, owner));
    for (size_t i = 0; i < formals->count; i++) {
        struct entity *entity = scope_declare(el, context->scope, formals->item[i]->as.formal.name,
                                              formals->item[i]->as.formal.name_span);
        entity->kind = ENTITY_VALUE;
        entity->as.value = value[i];
        const struct ast *type = formals->item[i]->as.formal.type;
        if (is_variable(type))
            VECTOR_PUSH(el->arena, &inside->types,
                        (struct bound_type){type->as.type.element, met_type(el, value[i])});
    }
    VECTOR_PUSH(el->arena, &el->functions, called);
    const struct operand result =
        under_type(el, inside, called->as.function.result,
                   elaborate_loose(el, context, called->as.function.value), node->span);
    el->functions.count--;
    leave_call(el, called);
    context->instance = outer.instance;
    context->scope = outer.scope;
    return result;
}
