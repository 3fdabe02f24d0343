/* Type variables: T in image<T>[y, x] stands for the element type of the argument, in one instance
 * of a filter. The first place of the signature that has `T : integer | real` says what it may
 * be. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

bool is_type_variable(const struct symbol *name)
{
    char lower[3] = {0};
    if (name->length > 2 || name->text[0] < 'A' || name->text[0] > 'Z')
        return false;
    for (size_t i = 0; i < name->length; i++)
        lower[i] = (char)(name->text[i] | 0x20);
    return scalar_from_text(lower) == SCALAR_COUNT; /* U8 is a mistake for u8 */
}

struct element_type bound_type(const struct instance *instance, const struct symbol *name)
{
    for (size_t i = 0; i < instance->types.count; i++)
        if (instance->types.item[i].name == name)
            return instance->types.item[i].type;
    return (struct element_type){.scalar = SCALAR_COUNT};
}

struct element_type type_by_name(const struct instance *instance, const struct symbol *name)
{
    const enum scalar scalar = scalar_from_text(name->text);
    return scalar != SCALAR_COUNT ? (struct element_type){.scalar = scalar}
                                  : bound_type(instance, name);
}

static const struct ast *element_of(const struct ast *formal)
{
    const struct ast *type = formal->as.formal.type;
    return type && type->as.type.inner && type->as.type.inner->kind == AST_TYPE
               ? type->as.type.inner
               : NULL;
}

const struct symbol *element_variable(const struct ast *formal)
{
    const struct ast *element = element_of(formal);
    const struct symbol *name = element ? element->as.type.element : NULL;
    return name && !element->as.type.constructor &&
                   (element->as.type.bounded || is_type_variable(name))
               ? name
               : NULL;
}

/* The `T : integer | real` of the signature, or NULL. */
static const struct ast *bounds_of(const struct ast *filter, const struct symbol *name)
{
    for (size_t i = 0; i < filter->as.filter.formals->count; i++) {
        const struct ast *formal = filter->as.filter.formals->item[i];
        if (element_variable(formal) == name && element_of(formal)->as.type.bounded)
            return element_of(formal);
    }
    return NULL;
}

static bool is_in_class(const char *class, struct element_type type)
{
    const enum scalar scalar = type.scalar;
    if (type.fixed.is)
        return strcmp(class, "fixed") == 0 ||
               (strcmp(class, "ufixed") == 0 && !type.fixed.has_sign);
    return strcmp(class, "integer") == 0 ? scalar_is_integer(scalar)
           : strcmp(class, "real") == 0  ? scalar_is_float(scalar)
                                         : strcmp(class, scalar_info[scalar].text) == 0;
}

static bool is_allowed(const struct ast *filter, const struct symbol *variable,
                       struct element_type type)
{
    const struct ast *bounds = bounds_of(filter, variable);
    bool allowed = !bounds;
    for (size_t i = 0; bounds && i < bounds->as.type.names->count; i++)
        allowed = allowed || is_in_class(bounds->as.type.names->item[i]->as.name->text, type);
    return allowed;
}

bool element_type_allowed(const struct ast *filter, const struct symbol *variable,
                          enum scalar scalar)
{
    return is_allowed(filter, variable, (struct element_type){.scalar = scalar});
}

/* Each name behind `T :` is a class or a type. */
static bool check_bounds(struct elaborator *el, const struct ast *bounds)
{
    for (size_t i = 0; bounds && i < bounds->as.type.names->count; i++) {
        const struct ast *name = bounds->as.type.names->item[i];
        const char *text = name->as.name->text;
        if (strcmp(text, "integer") == 0 || strcmp(text, "real") == 0 ||
            strcmp(text, "fixed") == 0 || strcmp(text, "ufixed") == 0 ||
            scalar_from_text(text) != SCALAR_COUNT)
            continue;
        struct diagnostic *d = REPORT(el, E0301, name->span, text);
        HELP(el, d, "write integer, real, fixed, or types: T : integer | real, T : u8 | u16");
        return false;
    }
    return true;
}

bool bind_type(struct elaborator *el, struct instance *instance, const struct ast *formal,
               struct element_type type, struct span span)
{
    const struct symbol *variable = element_variable(formal);
    const struct ast *bounds = bounds_of(instance->filter, variable);
    if (!check_bounds(el, bounds))
        return false;
    const bool allowed = is_allowed(instance->filter, variable, type);
    if (!allowed) {
        struct diagnostic *d =
            REPORT(el, E0325, span, variable->text, instance->filter->as.filter.name->text,
                   alternatives_text(el, bounds), element_type_text(el, type));
        LABEL(el, d, bounds->span, "declared here");
        if (scalar_is_integer(type.scalar) &&
            element_type_allowed(instance->filter, variable, SCALAR_F32))
            HELP(el, d, "give it an image of floats: f32(...)");
    }
    /* A type that is not allowed is bound, too: one message is enough. */
    VECTOR_PUSH(el->arena, &instance->types, (struct bound_type){variable, type});
    return allowed;
}

/* ---- The filter that is compiled: types from outside ---- */

static struct element_type default_type(const struct elaborator *el, const struct ast *filter,
                                        const struct symbol *variable)
{
    static const enum scalar likely[] = {SCALAR_F32, SCALAR_U8};
    const struct fixed_type plain = {.is = true, .has_sign = false, .bits = 16, .fraction = 8};
    struct element_type type = {.scalar = SCALAR_F32}; /* else it is refused */
    for (size_t i = el->options->integers_first; i < sizeof likely / sizeof likely[0]; i++)
        if (element_type_allowed(filter, variable, likely[i])) {
            type.scalar = likely[i];
            return type;
        }
    for (unsigned s = 0; s < SCALAR_COUNT; s++)
        if (element_type_allowed(filter, variable, (enum scalar)s)) {
            type.scalar = (enum scalar)s;
            return type;
        }
    return is_allowed(filter, variable, fixed_element(el, plain)) ? fixed_element(el, plain) : type;
}

/* A type as it stands behind --type: "u8", "fixed<8, 4>". Of SCALAR_COUNT: it is none. */
static struct element_type type_from_text(struct elaborator *el, const struct instance *instance,
                                          const char *text)
{
    const struct element_type named = {.scalar = scalar_from_text(text)};
    if (named.scalar != SCALAR_COUNT || strstr(text, "fixed<") == NULL)
        return named;
    const char *program = arena_format(el->session->permanent, "const type : %s = 0;", text);
    const struct module_set *modules =
        load_modules_text(el->session, "--type", program, strlen(program));
    const struct ast_list *items = modules ? modules->list.item[0].module->items : NULL;
    const struct ast *type = items && items->count == 1 && items->item[0]->kind == AST_CONSTANT
                                 ? items->item[0]->as.constant.type
                                 : NULL;
    return type && is_fixed_type(type) ? elaborate_fixed_type(el, instance, type) : named;
}

static struct element_type type_setting(struct elaborator *el, const struct instance *instance,
                                        const struct symbol *variable, bool *wrong)
{
    struct element_type type = {.scalar = SCALAR_COUNT};
    for (size_t i = 0; i < el->options->type_count; i++) {
        const struct constant_setting *setting = &el->options->types[i];
        if (strcmp(setting->name, variable->text) != 0)
            continue;
        const unsigned errors = el->session->diagnostics.error_count;
        type = type_from_text(el, instance, setting->value);
        *wrong = type.scalar == SCALAR_COUNT;
        if (*wrong && el->session->diagnostics.error_count == errors)
            REPORT(el, E0301, ((struct span){0, 0}), setting->value);
        return type;
    }
    return type;
}

bool bind_type_settings(struct elaborator *el, struct instance *instance)
{
    const struct ast_list *formals = instance->filter->as.filter.formals;
    bool good = true;
    for (size_t i = 0; i < formals->count; i++) {
        const struct ast *formal = formals->item[i];
        const struct symbol *variable = element_variable(formal);
        bool wrong = false;
        if (!variable || bound_type(instance, variable).scalar != SCALAR_COUNT)
            continue;
        struct element_type type = type_setting(el, instance, variable, &wrong);
        if (type.scalar == SCALAR_COUNT && el->options->default_types)
            type = default_type(el, instance->filter, variable);
        if (type.scalar != SCALAR_COUNT) {
            good = bind_type(el, instance, formal, type, formal->span) && good;
            continue;
        }
        good = false;
        if (!wrong) {
            struct diagnostic *d = REPORT(el, E0326, formal->span, variable->text,
                                          instance->filter->as.filter.name->text);
            HELP(el, d, "give it: --type %s=%s", variable->text,
                 element_type_text(el, default_type(el, instance->filter, variable)));
        }
    }
    return good;
}
