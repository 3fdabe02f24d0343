#include "graph/wrapping_form.h"

struct taking {
    struct arena *arena;
    unsigned bytes; /* of the type */
    bool (*is_term)(const struct expr *load, void *context);
    void *context;
    struct wrapping_form *form;
};

struct term_search {
    const struct taking *t;
    bool found;
};

static void search_term(const struct expr *node, void *user)
{
    struct term_search *search = user;
    search->found =
        search->found || (node->kind == EXPR_LOAD && search->t->is_term(node, search->t->context));
}

static bool holds_term(const struct taking *t, const struct expr *node)
{
    struct term_search search = {t, false};
    struct expr_walk walk = {.scratch = t->arena};
    expr_visit(&walk, node, search_term, &search);
    for (unsigned i = 0; node->kind == EXPR_LOAD && node->as.load.border && i < node->count; i++)
        if (node->as.load.border[i].value)
            expr_visit(&walk, node->as.load.border[i].value, search_term, &search);
    return search.found;
}

static bool add_load(struct taking *t, const struct expr *load, uint32_t factor)
{
    if (!t->is_term(load, t->context) || scalar_info[load->scalar].bytes < t->bytes)
        return false;
    for (unsigned i = 0; i < load->count; i++)
        if (holds_term(t, load->operand[i]))
            return false;
    for (size_t i = 0; i < t->form->terms.count; i++) {
        struct wrapping_term *term = &t->form->terms.item[i];
        if (term->load == load) {
            term->coefficient = (int32_t)((uint32_t)term->coefficient + factor);
            return true;
        }
    }
    VECTOR_PUSH(t->arena, &t->form->terms, (struct wrapping_term){load, (int32_t)factor});
    return true;
}

/* form += factor × node */
static bool take(struct taking *t, const struct expr *node, uint32_t factor)
{
    const struct expr *const *of = node->operand;
    if (!scalar_is_integer(node->scalar) || node->scalar == SCALAR_BOOL)
        return false;
    if (!holds_term(t, node))
        return true;
    switch (node->kind) {
    case EXPR_LOAD:
        return add_load(t, node, factor);
    case EXPR_CONVERT:
        return (node->as.convert == CONVERT_EXACT ||
                (node->as.convert == CONVERT_WRAP &&
                 scalar_info[node->scalar].bytes >= t->bytes)) &&
               take(t, of[0], factor);
    case EXPR_NEGATE:
        return take(t, of[0], 0 - factor);
    case EXPR_ADD:
        return take(t, of[0], factor) && take(t, of[1], factor);
    case EXPR_SUBTRACT:
        return take(t, of[0], factor) && take(t, of[1], 0 - factor);
    case EXPR_MULTIPLY:
        return of[0]->kind == EXPR_INTEGER   ? take(t, of[1], factor * (uint32_t)of[0]->as.integer)
               : of[1]->kind == EXPR_INTEGER ? take(t, of[0], factor * (uint32_t)of[1]->as.integer)
                                             : false;
    default:
        return false;
    }
}

bool wrapping_form_of(struct arena *arena, const struct expr *value, enum scalar scalar,
                      bool (*is_term)(const struct expr *load, void *context), void *context,
                      struct wrapping_form *form)
{
    struct taking t = {arena, scalar_info[scalar].bytes, is_term, context, form};
    *form = (struct wrapping_form){{0}};
    return t.bytes <= 4 && take(&t, value, 1);
}
