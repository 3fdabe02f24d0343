/* C functions that the program calls: reserves their names and includes their headers. */
#include "emit/emission.h"

/* All that the session knows of: names that are kept free for nothing do no harm. */
void externals_reserve(struct emission *e)
{
    const struct external_list known = expr_externals(&e->session->pool, e->arena);
    for (size_t i = 0; i < known.count; i++)
        hash_map_put(e->arena, &e->taken, known.item[i]->name,
                     (void *)(uintptr_t)known.item[i]->name);
}

const char *external_use(struct emission *e, const struct external *function)
{
    bool known = false;
    for (size_t i = 0; i < e->externals.count; i++)
        known = known || external_equal(e->externals.item[i], function);
    if (!known)
        VECTOR_PUSH(e->arena, &e->externals, function);
    const char *name = function->name->text;
    return name_is_own(name) ? arena_format(e->arena, "flt_external_%s", name) : name;
}

/* The type in C's own headers, where a truth value is none of ours. */
static const char *external_c_type(enum scalar scalar)
{
    return scalar == SCALAR_BOOL ? "_Bool" : scalar_info[scalar].c_type;
}

/* A function named like something that the emitted kernels have of their own:
 * static float (*const flt_external_at)(float) = at; */
static void print_alias(struct emission *e, const struct external *function)
{
    text_print(e->out, "static %s (*const %s)(", external_c_type(function->result),
               external_use(e, function));
    for (unsigned i = 0; i < function->count; i++)
        text_print(e->out, "%s%s", i ? ", " : "", external_c_type(function->parameter[i]));
    text_print(e->out, ") = %s;\n", function->name->text);
}

void emit_includes(struct text *out, const struct external_list *functions)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct symbol *header = functions->item[i]->header;
        bool known = false;
        for (size_t k = 0; k < i; k++)
            known = known || functions->item[k]->header == header;
        if (!known)
            text_print(out, "#include \"%s\"\n", header->text);
    }
}

/* Behind the pragmas of the prologue, so that what a header defines keeps to them too. */
void externals_print(struct emission *e)
{
    emit_includes(e->out, &e->externals);
    for (size_t i = 0; i < e->externals.count; i++)
        if (name_is_own(e->externals.item[i]->name->text))
            print_alias(e, e->externals.item[i]);
    text_print(e->out, e->externals.count ? "\n" : "");
}
