#include "graph/recurrence/clamped_form.h"

#include "graph/recurrence/term_search.h"

struct clamping {
    struct expr_pool *pool;
    struct term_search terms;
    struct clamped_form *form;
};

static const struct expr *as_real(const struct clamping *c, const struct expr *value)
{
    return value->scalar == SCALAR_F64 ? value
                                       : expr_convert(c->pool, CONVERT_EXACT, SCALAR_F64, value);
}

static bool take(struct clamping *c, const struct expr *node);

/* The operand that holds s, where the other one does not; NULL: both do. */
static const struct expr *only_holder(struct clamping *c, const struct expr *node,
                                      const struct expr **other)
{
    const bool first = term_search_holds(&c->terms, node->operand[0]);
    *other = node->operand[first];
    return first && term_search_holds(&c->terms, node->operand[1]) ? NULL : node->operand[!first];
}

/* Integers of which a segment's sum is exact in f64; floats that may be summed in another order. */
static bool adds_exactly(const struct expr *node, const struct expr *term)
{
    const struct interval small = {-((int64_t)1 << 38), (int64_t)1 << 38};
    return scalar_is_integer(node->scalar)
               ? scalar_is_integer(term->scalar) && interval_inside(term->interval, small)
               : node->fast;
}

static void add_offset(struct clamping *c, const struct expr *term, enum expr_kind kind)
{
    const struct expr *real = as_real(c, term), *before = c->form->offset;
    if (before)
        c->form->offset = expr_binary(c->pool, kind, before, real);
    else
        c->form->offset = kind == EXPR_SUBTRACT ? expr_unary(c->pool, EXPR_NEGATE, real) : real;
}

static bool take_sum(struct clamping *c, const struct expr *node)
{
    const struct expr *other, *of = only_holder(c, node, &other);
    if (!of || (node->kind == EXPR_SUBTRACT && of != node->operand[0]) ||
        !adds_exactly(node, other) || !take(c, of))
        return false;
    add_offset(c, other, node->kind);
    return true;
}

/* A number above 0 and up to 1, the same for all samples: what is less than all there is stays so,
 * and nothing grows. */
static bool decays(const struct expr *factor)
{
    return factor->kind == EXPR_CONVERT
               ? decays(factor->operand[0])
               : factor->kind == EXPR_REAL && factor->as.real > 0 && factor->as.real <= 1;
}

/* The first two operands. */
static bool take_product(struct clamping *c, const struct expr *node)
{
    const struct expr *other, *of = only_holder(c, node, &other);
    if (!of || !node->fast || !scalar_is_float(node->scalar) || !decays(other) || !take(c, of))
        return false;
    const struct expr *real = as_real(c, other);
    struct clamped_form *form = c->form;
    form->factor = form->factor ? expr_binary(c->pool, EXPR_MULTIPLY, form->factor, real) : real;
    if (form->offset)
        form->offset = expr_binary(c->pool, EXPR_MULTIPLY, form->offset, real);
    return true;
}

/* factor × s + rest */
static bool take_fused(struct clamping *c, const struct expr *node)
{
    if (term_search_holds(&c->terms, node->operand[2]) || !take_product(c, node))
        return false;
    add_offset(c, node->operand[2], EXPR_ADD);
    return true;
}

/* Floats that are moved are declared fast. */
static bool is_moved(const struct clamping *c)
{
    return c->form->factor || c->form->offset;
}

static bool take_limit(struct clamping *c, const struct expr *node)
{
    const struct expr *other, *of = only_holder(c, node, &other);
    if (!of || !take(c, of) ||
        (of != node->operand[1] && !is_moved(c) && scalar_is_float(node->scalar)))
        return false;
    c->form->has_least = c->form->has_least || node->kind == EXPR_MAXIMUM;
    c->form->has_greatest = c->form->has_greatest || node->kind == EXPR_MINIMUM;
    return true;
}

/* Integers saturate. Floats that are rounded may become 0 of the other sign. */
static bool take_conversion(struct clamping *c, const struct expr *node)
{
    const struct expr *of = node->operand[0];
    if (scalar_is_float(of->scalar) != scalar_is_float(node->scalar) || !take(c, of))
        return false;
    if (scalar_is_float(node->scalar))
        return node->as.convert == CONVERT_EXACT || is_moved(c);
    const struct interval to = scalar_info[node->scalar].interval;
    c->form->has_least = c->form->has_least || of->interval.least < to.least;
    c->form->has_greatest = c->form->has_greatest || of->interval.greatest > to.greatest;
    return node->as.convert != CONVERT_WRAP || interval_inside(of->interval, to);
}

static bool take(struct clamping *c, const struct expr *node)
{
    switch (node->kind) {
    case EXPR_LOAD:
        c->form->load = node;
        return c->terms.is_term(node, c->terms.context) &&
               !term_search_holds_below(&c->terms, node);
    case EXPR_CONVERT:
        return take_conversion(c, node);
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return take_sum(c, node);
    case EXPR_MULTIPLY:
        return take_product(c, node);
    case EXPR_FUSED:
        return take_fused(c, node);
    case EXPR_MAXIMUM:
    case EXPR_MINIMUM:
        return take_limit(c, node);
    default:
        return false;
    }
}

bool clamped_form_of(struct expr_pool *pool, struct arena *arena, const struct expr *value,
                     bool (*is_term)(const struct expr *load, void *context), void *context,
                     struct clamped_form *form)
{
    struct clamping c = {.pool = pool,
                         .terms = {.arena = arena, .is_term = is_term, .context = context},
                         .form = form};
    *form = (struct clamped_form){NULL};
    if (!term_search_holds(&c.terms, value) || !take(&c, value))
        return false;
    return scalar_is_integer(value->scalar) || is_moved(&c) ? form->has_least || form->has_greatest
                                                            : form->has_least != form->has_greatest;
}
