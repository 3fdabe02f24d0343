/* Parameters and constants of a signature: types, defaults, ranges. */
#include "frontend/elaborator.h"

#include <math.h>

const char *number_text(struct elaborator *el, const struct expr *e, struct fixed_point fixed)
{
    struct text text = text_create(el->session->permanent);
    if (fixed.is)
        text_real(&text, ldexp((double)e->as.integer, -fixed.fraction), 64);
    else if (scalar_is_float(e->scalar))
        text_real(&text, e->as.real, e->scalar == SCALAR_F32 ? 32 : 64);
    else
        text_print(&text, "%lld", (long long)e->as.integer);
    return text.bytes;
}

static const struct expr *constant_of_type(struct elaborator *el, struct stage_context *context,
                                           const struct ast *node, struct element_type type)
{
    struct operand value = elaborate_expr(el, context, node);
    value = operand_constant_as(el, type, value, node->span);
    if (value.expr && !expr_is_constant(value.expr)) {
        REPORT(el, E0308, node->span, "this value");
        return NULL;
    }
    return value.expr;
}

/* {ortho, none}: i32, the places of the names. */
static bool elaborate_enumeration(struct elaborator *el, struct stage_context *context,
                                  const struct ast *formal, struct parameter *out)
{
    const struct ast *type = formal->as.formal.type;
    const struct ast_list *names = type->as.type.names;
    const struct symbol **name = ARENA_ARRAY(el->arena, const struct symbol *, names->count);
    if (!check_enumeration(el, type))
        return false;
    if (formal->as.formal.range) {
        struct diagnostic *d = REPORT(el, E0303, formal->as.formal.range->span, "a range",
                                      "a type of numbers", "an enumeration");
        HELP(el, d, "leave it out");
        return false;
    }
    for (size_t i = 0; i < names->count; i++)
        name[i] = names->item[i]->as.name;
    out->scalar = SCALAR_I32;
    out->choice = name;
    out->choice_count = names->count;
    out->least = expr_integer(el->pool, 0);
    out->greatest = expr_integer(el->pool, (int64_t)names->count - 1);
    if (formal->as.formal.value)
        out->initial = enumeration_value(el, context, type, formal->as.formal.value).expr;
    return !formal->as.formal.value || out->initial;
}

static bool is_below(const struct expr *a, const struct expr *b)
{
    return scalar_is_float(a->scalar) ? a->as.real < b->as.real : a->as.integer < b->as.integer;
}

bool is_outside(const struct expr *value, const struct expr *least, const struct expr *greatest)
{
    return (least && is_below(value, least)) || (greatest && is_below(greatest, value));
}

/* A type that has fewer bits than what stores it limits the parameter as a range does. */
static void limit_to_type(struct elaborator *el, struct parameter *out, struct element_type type)
{
    const struct interval ends = element_interval(type);
    if (!out->fixed.is || interval_inside(scalar_info[out->scalar].interval, ends))
        return;
    out->least = expr_integer(el->pool, ends.least);
    out->greatest = expr_integer(el->pool, ends.greatest);
}

/* Type, default and range of a parameter or constant. False: reported. */
bool elaborate_formal(struct elaborator *el, struct instance *instance, const struct ast *formal,
                      struct parameter *out, struct element_type *type)
{
    struct stage_context context =
        stage_context_open(el, instance, instance->scope, formal->as.formal.name, formal->span);
    context.scalar_only = true;
    *out = (struct parameter){.name = formal->as.formal.name,
                              .span = formal->as.formal.name_span,
                              .scalar = SCALAR_COUNT,
                              .text = formal->as.formal.text ? formal->as.formal.text->text : NULL};
    *type = (struct element_type){.scalar = SCALAR_I32};
    if (is_enumeration(formal->as.formal.type))
        return elaborate_enumeration(el, &context, formal, out);
    type->scalar = SCALAR_COUNT;
    if (formal->as.formal.type) {
        *type =
            elaborate_number_type(el, instance, formal->as.formal.type, "a parameter or constant");
        if (type->scalar == SCALAR_COUNT)
            return false;
    }
    if (!formal->as.formal.type && formal->as.formal.value) {
        const struct operand value = elaborate_expr(el, &context, formal->as.formal.value);
        if (!value.expr)
            return false;
        if (value.fixed.is)
            *type = fixed_element(el, fixed_holding(value.expr->interval, value.fixed.fraction));
        else
            type->scalar = scalar_is_integer(value.expr->scalar) ? SCALAR_I64 : value.expr->scalar;
    }
    if (type->scalar == SCALAR_COUNT)
        type->scalar = SCALAR_I64;
    out->scalar = type->scalar;
    out->fixed = fixed_stored(el, type->fixed);
    limit_to_type(el, out, *type);
    if (formal->as.formal.value) {
        out->initial = constant_of_type(el, &context, formal->as.formal.value, *type);
        if (!out->initial)
            return false;
    }
    const struct ast *range = formal->as.formal.range;
    if (range) {
        out->least = constant_of_type(el, &context, range->as.range.first, *type);
        out->greatest = constant_of_type(el, &context, range->as.range.last, *type);
        if (!out->least || !out->greatest)
            return false;
        if (!range->as.range.includes_last && scalar_is_integer(out->scalar) && !out->fixed.is)
            out->greatest =
                expr_binary(el->pool, EXPR_SUBTRACT, out->greatest, expr_integer(el->pool, 1));
        if (is_below(out->greatest, out->least)) {
            report_empty_range(el, range->span);
            return false;
        }
        if (out->initial && is_outside(out->initial, out->least, out->greatest)) {
            REPORT(el, E0309, formal->as.formal.value->span,
                   arena_format(el->arena, "the default %s",
                                number_text(el, out->initial, out->fixed)),
                   out->name->text, number_text(el, out->least, out->fixed),
                   number_text(el, out->greatest, out->fixed));
            return false;
        }
    }
    return true;
}

struct interval parameter_interval(const struct parameter *parameter)
{
    struct interval interval = scalar_info[parameter->scalar].interval;
    if (scalar_is_integer(parameter->scalar) && parameter->least)
        interval = (struct interval){parameter->least->as.integer, parameter->greatest->as.integer};
    return interval;
}

void declare_value(struct elaborator *el, struct instance *instance, const struct ast *formal,
                   const struct expr *value, struct fixed_point fixed)
{
    struct entity *entity =
        scope_declare(el, instance->scope, formal->as.formal.name, formal->as.formal.name_span);
    entity->kind = value ? ENTITY_VALUE : ENTITY_ERROR;
    entity->as.value = operand_from(value);
    entity->as.value.fixed = value ? fixed : (struct fixed_point){false, 0};
    if (is_enumeration(formal->as.formal.type))
        entity->as.value.enumeration = formal->as.formal.type;
    if (value && formal->as.formal.role == FORMAL_CONST && !formal->as.formal.type)
        entity->as.value.untyped = scalar_is_float(value->scalar);
}
