/* Types that a program names. */
#include "frontend/elaborator.h"
#include "frontend/particles.h"
#include "diagnostics/suggest.h"

#include <strings.h>

const char *type_of_other_languages(const char *name)
{
    static const char *const known[][2] = {
        {"float", "f32"},   {"double", "f64"},   {"float32", "f32"}, {"float64", "f64"},
        {"single", "f32"},  {"real", "f32"},     {"int", "i32"},     {"uint", "u32"},
        {"int8", "i8"},     {"uint8", "u8"},     {"int16", "i16"},   {"uint16", "u16"},
        {"int32", "i32"},   {"uint32", "u32"},   {"int64", "i64"},   {"long", "i64"},
        {"int8_t", "i8"},   {"uint8_t", "u8"},   {"int16_t", "i16"}, {"uint16_t", "u16"},
        {"int32_t", "i32"}, {"uint32_t", "u32"}, {"int64_t", "i64"}, {"short", "i16"},
        {"char", "u8"},     {"uchar", "u8"},     {"byte", "u8"},     {"boolean", "bool"},
        {"half", "f16"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i][0], name) == 0)
            return known[i][1];
    return NULL;
}

bool is_later_type(const char *name)
{
    static const char *const later[] = {"c32", "c64", "u64"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        if (strcmp(later[i], name) == 0)
            return true;
    return false;
}

/* Whether it is wrap<u32> or its like, the type of what is stored modulo a power of two. */
static bool is_wrapping_type(const struct ast *type)
{
    return type->kind == AST_TYPE && type->as.type.constructor &&
           strcmp(type->as.type.constructor->text, "wrap") == 0;
}

/* wrap<u32> is stored as u32. */
static enum scalar wrapped_type(struct elaborator *el, const struct instance *instance,
                                const struct ast *type)
{
    const struct ast *inner =
        type->as.type.arguments->count == 1 ? type->as.type.arguments->item[0] : NULL;
    const enum scalar scalar = inner ? elaborate_scalar_type(el, instance, inner) : SCALAR_COUNT;
    if (scalar != SCALAR_COUNT ? !scalar_is_integer(scalar) : !inner) {
        REPORT(el, E0303, type->span, "wrap<>", "an integer type",
               inner ? scalar_info[scalar].text : "several types");
        return SCALAR_COUNT;
    }
    return scalar;
}

/* Of a type of fixed point where none can be. */
static void report_fixed(struct elaborator *el, const struct ast *type, struct element_type fixed)
{
    struct diagnostic *d = REPORT(el, E0303, type->span, "this place",
                                  "a type of integers or floats", element_type_text(el, fixed));
    HELP(el, d, "convert by %s(...)", element_type_text(el, fixed));
}

enum scalar elaborate_scalar_type(struct elaborator *el, const struct instance *instance,
                                  const struct ast *type)
{
    if (type->kind != AST_TYPE) { /* image<8>[y, x] */
        struct diagnostic *d = REPORT(el, E0301, type->span,
                                      arena_format(el->arena, "%lld", (long long)type->as.integer));
        HELP(el, d, "types are bool u8 i8 u16 i16 u32 i32 i64 f16 f32 f64");
        return SCALAR_COUNT;
    }
    if (is_wrapping_type(type))
        return wrapped_type(el, instance, type);
    if (is_fixed_type(type)) {
        const struct element_type fixed = elaborate_fixed_type(el, instance, type);
        if (fixed.scalar != SCALAR_COUNT)
            report_fixed(el, type, fixed);
        return SCALAR_COUNT;
    }
    const struct symbol *name =
        type->as.type.constructor ? type->as.type.constructor : type->as.type.element;
    if (!name) {
        struct diagnostic *d =
            REPORT(el, E0301, type->span, type->as.type.arguments ? "(...)" : "{...}");
        HELP(el, d,
             type->as.type.arguments ? "a tuple is the result of a function"
                                     : "an enumeration is the type of a param or const");
        return SCALAR_COUNT;
    }
    const struct element_type known = type_by_name(instance, name);
    if (known.scalar != SCALAR_COUNT && !type->as.type.constructor) {
        if (!known.fixed.is)
            return known.scalar;
        report_fixed(el, type, known);
        return SCALAR_COUNT;
    }
    if (is_later_type(name->text)) {
        report_not_yet(el, type->span, arena_format(el->arena, "the type %s", name->text));
        return SCALAR_COUNT;
    }
    struct diagnostic *d = REPORT(el, E0301, type->span, name->text);
    if (is_type_variable(name)) {
        HELP(el, d,
             "%s may stand for the element type of an image of the signature: image<%s>[y, x]",
             name->text, name->text);
        return SCALAR_COUNT;
    }
    if (strcmp(name->text, "image") == 0) {
        HELP(el, d, "here stands the type of one number, as in f32");
        return SCALAR_COUNT;
    }
    if (strcasecmp(name->text, "image") == 0) {
        HELP(el, d, "write image<f32>[y, x]");
        return SCALAR_COUNT;
    }
    struct suggestion near = {.best = type_of_other_languages(name->text)};
    for (unsigned i = 0; i < SCALAR_COUNT && !near.best; i++)
        suggest_consider(&near, name->text, scalar_info[i].text);
    if (near.best)
        diagnostic_fix(&el->session->diagnostics, d, type->span, near.best, false, "write '%s'",
                       near.best);
    else
        HELP(el, d, "types are bool u8 i8 u16 i16 u32 i32 i64 f16 f32 f64, and image<...>[y, x]");
    return SCALAR_COUNT;
}

/* The type of fixed point that is written or that a variable stands for; else not of fixed
 * point. */
static bool names_fixed(struct elaborator *el, const struct instance *instance,
                        const struct ast *type, struct element_type *out)
{
    const bool is_name =
        type->kind == AST_TYPE && type->as.type.element && !type->as.type.constructor;
    *out = is_fixed_type(type) ? elaborate_fixed_type(el, instance, type)
           : is_name           ? bound_type(instance, type->as.type.element)
                               : (struct element_type){.scalar = SCALAR_COUNT};
    return is_fixed_type(type) || (out->scalar != SCALAR_COUNT && out->fixed.is);
}

struct element_type elaborate_number_type(struct elaborator *el, const struct instance *instance,
                                          const struct ast *type, const char *what)
{
    struct element_type number;
    if (names_fixed(el, instance, type, &number))
        return number;
    number = (struct element_type){.scalar = elaborate_scalar_type(el, instance, type)};
    if (number.scalar != SCALAR_F16)
        return number;
    if (scalar_from_text(type->as.type.element->text) == SCALAR_COUNT) { /* a type variable */
        number.scalar = SCALAR_F32;
        return number;
    }
    struct diagnostic *d =
        REPORT(el, E0303, type->span, what, "a type to compute in", "f16, a type of samples");
    HELP(el, d, "declare it f32");
    number.scalar = SCALAR_COUNT;
    return number;
}

struct element_type elaborate_element_type(struct elaborator *el, const struct instance *instance,
                                           const struct ast *type)
{
    const bool named = type->kind == AST_TYPE && type->as.type.element;
    const enum scalar part = named ? complex_part(type->as.type.element->text) : SCALAR_COUNT;
    if (part != SCALAR_COUNT)
        return (struct element_type){.scalar = part, .complex = true};
    struct element_type fixed;
    if (names_fixed(el, instance, type, &fixed))
        return fixed;
    return (struct element_type){.scalar = elaborate_scalar_type(el, instance, type),
                                 .wraps = is_wrapping_type(type)};
}

bool elaborate_type(struct elaborator *el, const struct instance *instance, const struct ast *type,
                    struct filter_type *out)
{
    *out = (struct filter_type){.scalar = SCALAR_COUNT};
    const struct symbol *constructor = type->as.type.constructor;
    out->adaptive = constructor && strcmp(constructor->text, "apr") == 0;
    if (!constructor || (!out->adaptive && strcmp(constructor->text, "image") != 0)) {
        const struct element_type element = elaborate_element_type(el, instance, type);
        out->scalar = element.scalar;
        out->wraps = element.wraps;
        out->complex = element.complex;
        out->fixed = element.fixed;
        return out->scalar != SCALAR_COUNT;
    }
    out->is_image = true;
    if (!type->as.type.inner || !type->as.type.names) {
        struct diagnostic *d = REPORT(el, E0301, type->span, constructor->text);
        HELP(el, d, "write its elements and axes: %s<f32>[y, x]", constructor->text);
        return false;
    }
    const struct element_type element = elaborate_element_type(el, instance, type->as.type.inner);
    out->scalar = element.scalar;
    out->wraps = element.wraps;
    out->complex = element.complex;
    out->fixed = element.fixed;
    for (size_t i = 0; i < type->as.type.names->count; i++) {
        const struct ast *name = type->as.type.names->item[i];
        if (out->rank + out->complex == GRAPH_MAX_RANK) {
            REPORT(el, E0320, type->span, GRAPH_MAX_RANK);
            return false;
        }
        for (unsigned k = 0; k < out->rank; k++)
            if (out->axis[k] == name->as.name) {
                REPORT(el, E0202, name->span, name->as.name->text);
                return false;
            }
        out->axis[out->rank++] = name->as.name;
    }
    return out->scalar != SCALAR_COUNT && (!out->adaptive || may_be_adaptive(el, type->span, out));
}

const char *axes_text(struct elaborator *el, const struct symbol *const axis[], unsigned rank)
{
    struct text text = text_create(el->session->permanent);
    for (unsigned i = 0; i < rank; i++)
        text_print(&text, "%s%s", i ? ", " : "", axis[i]->text);
    return rank ? text.bytes : "";
}
const char *stage_axes_text(struct elaborator *el, const struct stage *stage)
{
    const struct symbol *axis[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        axis[k] = stage->axis[k].name;
    return axes_text(el, axis, stage->rank);
}
