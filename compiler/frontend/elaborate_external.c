/* Functions from C: extern fn gain(f32, i32) -> f32 from "gain.h". A declaration is compared with
 * the header, once; a call converts its arguments to the parameters' types, as storing does. */
#include "frontend/elaborator.h"
#include "expr/expr_verify.h"
#include "frontend/check_header.h"

static const char *function_text(struct elaborator *el, const struct external *function)
{
    struct text text = text_create(el->session->permanent);
    text_print(&text, "extern fn %s(", function->name->text);
    for (unsigned i = 0; i < function->count; i++)
        text_print(&text, "%s%s", i ? ", " : "", scalar_info[function->parameter[i]].text);
    text_print(&text, ") -> %s from \"%s\";", scalar_info[function->result].text,
               function->header->text);
    return text.bytes;
}

static void report_answer(struct elaborator *el, const struct external *function, const char *path,
                          const struct header_answer *answer, struct span span)
{
    const char *name = function->name->text;
    struct diagnostic *d;
    switch (answer->verdict) {
    case HEADER_AGREES:
        break;
    case HEADER_DOES_NOT_COMPILE:
        d = REPORT(el, E0221, span, path);
        NOTE(el, d, "%s", answer->text);
        break;
    case HEADER_LACKS_FUNCTION:
        d = REPORT(el, E0222, span, path, name);
        HELP(el, d, "declare it there; a macro is no function");
        break;
    case HEADER_DIFFERS:
        d = REPORT(el, E0223, span, name, path);
        NOTE(el, d, "%s", answer->text);
        if (answer->declared.count)
            HELP(el, d, "write %s", function_text(el, &answer->declared));
        else
            NOTE(el, d, "a function has 1 to %d numbers or truth values, and one as its result",
                 EXPR_MOST_OPERANDS);
        break;
    case HEADER_NO_CLANG:
        d = REPORT(el, E0224, span, path);
        HELP(el, d,
             "install it: apt install libclang1-14 libclang-common-14-dev; or name the "
             "library: FLTC_LIBCLANG=/path/libclang.so");
        break;
    }
}

/* Whether the header declares it so. */
static bool agrees(struct elaborator *el, size_t module, const struct ast *declaration,
                   const struct external *function)
{
    struct session *session = el->session;
    const char *header = function->header->text;
    const bool sound = external_header_is_sound(header);
    if (sound && (!session->headers.check || hash_map_find(&session->headers.agreed, declaration)))
        return true;
    const char *path =
        sound ? header_find(session, el->modules->list.item[module].name, header) : NULL;
    if (!path) {
        struct diagnostic *d = REPORT(el, E0220, declaration->span, header, function->name->text);
        NOTE(el, d, "it is looked for beside this file and in the folders of --include");
        return false;
    }
    const struct header_answer answer = session->headers.check(session, path, function);
    report_answer(el, function, path, &answer, declaration->span);
    if (answer.verdict == HEADER_AGREES)
        hash_map_put(session->permanent, &session->headers.agreed, declaration,
                     (void *)(uintptr_t)declaration);
    return answer.verdict == HEADER_AGREES;
}

/* SCALAR_COUNT after an error. */
static enum scalar scalar_of_c(struct elaborator *el, const struct instance *instance,
                               const struct ast *type, const char *name)
{
    const struct element_type number = elaborate_number_type(el, instance, type, name);
    if (number.scalar == SCALAR_COUNT || !number.fixed.is)
        return number.scalar;
    struct diagnostic *d =
        REPORT(el, E0303, type->span, name, "types of C", element_type_text(el, number));
    HELP(el, d, "declare a float, f32, or the integer that is stored");
    return SCALAR_COUNT;
}

static struct external *declared_function(struct elaborator *el, size_t module,
                                          const struct ast *declaration)
{
    const struct ast_list *types = declaration->as.external.types;
    const char *name = declaration->as.external.name->text;
    struct external *function = ARENA_NEW(el->arena, struct external);
    const struct instance *instance = module_instance(el, module, NULL, NULL);
    function->name = declaration->as.external.name;
    function->header = declaration->as.external.header;
    function->count = (unsigned)types->count;
    if (types->count == 0 || types->count > EXPR_MOST_OPERANDS) {
        REPORT(el, E0303, declaration->span, arena_format(el->session->permanent, "'%s'", name),
               arena_format(el->session->permanent, "1 to %d values", EXPR_MOST_OPERANDS),
               arena_format(el->session->permanent, "%zu", types->count));
        return NULL;
    }
    function->result = scalar_of_c(el, instance, declaration->as.external.result, name);
    bool good = function->result != SCALAR_COUNT;
    for (size_t i = 0; i < types->count; i++) {
        function->parameter[i] = scalar_of_c(el, instance, types->item[i], name);
        good = good && function->parameter[i] != SCALAR_COUNT;
    }
    return good ? function : NULL;
}

/* What the declaration says, or NULL after an error. Mistakes are reported once. */
static const struct external *external_of(struct elaborator *el, size_t module,
                                          const struct ast *declaration)
{
    static const struct external none;
    const struct external *known = hash_map_find(&el->externals, declaration);
    if (!known) {
        known = declared_function(el, module, declaration);
        if (!known || !agrees(el, module, declaration, known))
            known = &none;
        hash_map_put(el->arena, &el->externals, declaration, (void *)(uintptr_t)known);
    }
    return known->count ? known : NULL;
}

void elaborate_externals(struct elaborator *el, size_t module)
{
    const struct ast_list *items = el->modules->list.item[module].module->items;
    for (size_t i = 0; i < items->count; i++)
        if (items->item[i]->kind == AST_EXTERN)
            external_of(el, module, items->item[i]);
}

struct operand elaborate_external_call(struct elaborator *el, struct stage_context *context,
                                       const struct ast *node, const struct ast *declaration,
                                       size_t owner)
{
    const struct ast_list *arguments = node->as.call.arguments;
    const struct external *function = external_of(el, owner, declaration);
    const struct expr *value[EXPR_MOST_OPERANDS];
    if (!function)
        return operand_error();
    if (arguments->count != function->count) {
        struct diagnostic *d =
            REPORT(el, E0212, node->span, function->name->text, (int)function->count,
                   function->count == 1 ? "value" : "values", (int)arguments->count);
        LABEL(el, d, declaration->span, "declared here");
        return operand_error();
    }
    bool good = true;
    for (unsigned i = 0; i < function->count; i++) {
        const struct ast *argument = arguments->item[i];
        value[i] = operand_store(el, function->parameter[i],
                                 elaborate_number(el, context, argument), argument->span)
                       .expr;
        good = good && value[i];
    }
    return good ? operand_from(expr_external(el->pool, function, value)) : operand_error();
}
