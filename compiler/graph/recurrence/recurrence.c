/* Offsets and linear forms of recurrences. */
#include "graph/recurrence/recurrence.h"

#include "expr/affine.h"
#include "graph/recurrence/term_search.h"

#include <math.h>

struct interval recurrence_offset(const struct expr *index, const struct expr *variable)
{
    const struct interval unknown = {-INT64_MAX, INT64_MAX}; /* both may be negated */
    const struct interval only =
        variable->interval; /* where there is one sample, it may be folded */
    const struct affine of = affine_from(index);
    const bool folded = only.least == only.greatest && affine_coefficient(&of, variable) == 0;
    const struct affine at =
        folded ? (struct affine){.constant = only.least, .exact = true} : affine_from(variable);
    const struct affine form = affine_sum(of, at, -1);
    if (!form.exact || affine_coefficient(&form, variable) != 0)
        return unknown;
    struct interval offset = {form.constant, form.constant};
    for (unsigned i = 0; i < form.count; i++) { /* an exact form stays within 2^62 */
        const struct interval atom = form.term[i].atom->interval;
        const int64_t c = form.term[i].coefficient;
        offset.least += c * (c > 0 ? atom.least : atom.greatest);
        offset.greatest += c * (c > 0 ? atom.greatest : atom.least);
    }
    return offset;
}

const struct stage *recurrence_of(const struct graph *graph, const struct stage *stage)
{
    if (stage->kind == STAGE_MAP) {
        const struct expr *load =
            stage->value->kind == EXPR_CONVERT ? stage->value->operand[0] : stage->value;
        if (load->kind != EXPR_LOAD || load->count != stage->rank)
            return NULL;
        for (unsigned k = 0; k < load->count; k++) {
            const enum border_rule rule =
                load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
            if (load->operand[k] != stage->axis[k].variable ||
                (rule != BORDER_NONE &&
                 rule != BORDER_EXTEND)) /* with a rule it is a stage of its own */
                return NULL;
        }
        stage = graph->stages.item[load->as.load.source];
    }
    return stage->kind == STAGE_RECURRENCE ? stage : NULL;
}

/* ---- Linear forms ---- */

enum {
    MOST_WRITTEN_OUT = 64,
    MOST_STEPS = 1 << 16 /* what is used several times is taken apart as often */
};

struct taking_apart {
    const struct graph *graph;
    struct expr_pool *pool;
    struct arena *arena;
    struct term_search terms;
    enum scalar wide; /* of coefficients and rest */
    bool unrounded;   /* conversions to floats no narrower than the stored are left out */
    enum scalar stored;
    struct hash_map written; /* load of a sum that is written out → as it stands in the value */
    unsigned steps;
};

/* The value in f64, if it is narrower. */
static const struct expr *linear_widen(struct expr_pool *pool, const struct expr *value)
{
    return value->scalar == SCALAR_F32 ? expr_convert(pool, CONVERT_EXACT, SCALAR_F64, value)
                                       : value;
}

static bool holds_term(struct taking_apart *t, const struct expr *node)
{
    return term_search_holds(&t->terms, node);
}

static void add_rest(struct taking_apart *t, struct linear_form *form, const struct expr *rest)
{
    form->rest = form->rest ? expr_binary(t->pool, EXPR_ADD, form->rest, rest) : rest;
}

/* What their sum in f64 is without. Source: Knuth, The Art of Computer Programming 2, 4.2.2,
 * theorem B. */
static double lost_by_sum(const struct expr *a, const struct expr *b)
{
    if (a->kind != EXPR_REAL || b->kind != EXPR_REAL || a->scalar != SCALAR_F64)
        return 0;
    const double left = (double)a->as.real, right = (double)b->as.real, sum = left + right;
    const double of_right = sum - left, of_left = sum - of_right;
    return (left - of_left) + (right - of_right);
}

static bool is_same_index(const struct expr *a, const struct expr *b)
{
    const struct affine apart = affine_sum(affine_from(a), affine_from(b), -1);
    return a == b || (apart.exact && apart.count == 0 && apart.constant == 0);
}

/* Whether both read the same sample, though a place may be written in two ways, x + 2 and
 * (x + 1) + 1. */
static bool is_same_read(const struct expr *a, const struct expr *b)
{
    const struct border *one = a->as.load.border, *other = b->as.load.border;
    if (a->as.load.source != b->as.load.source || a->count != b->count || !one != !other)
        return false;
    for (unsigned k = 0; k < a->count; k++)
        if (!is_same_index(a->operand[k], b->operand[k]) ||
            (one && (one[k].rule != other[k].rule || one[k].value != other[k].value ||
                     one[k].first != other[k].first || one[k].extent != other[k].extent)))
            return false;
    return true;
}

static void add_term(struct taking_apart *t, struct linear_form *form, struct linear_term term)
{
    for (size_t i = 0; i < form->terms.count; i++) {
        struct linear_term *own = &form->terms.item[i];
        if (!is_same_read(own->load, term.load))
            continue;
        own->lost += term.lost + lost_by_sum(own->coefficient, term.coefficient);
        own->coefficient = expr_binary(t->pool, EXPR_ADD, own->coefficient, term.coefficient);
        return;
    }
    VECTOR_PUSH(t->arena, &form->terms, term);
}

static const struct expr *scaled(struct taking_apart *t, const struct expr *value,
                                 enum expr_kind kind, const struct expr *factor)
{
    if (!factor)
        return expr_unary(t->pool, EXPR_NEGATE, value);
    const bool one = value->kind == EXPR_REAL && value->as.real == 1 && kind == EXPR_MULTIPLY;
    return one ? factor : expr_binary(t->pool, kind, value, factor);
}

/* What rounding takes of the coefficient that this makes of the term's. */
static double lost_by_scaling(const struct linear_term *term, enum expr_kind kind,
                              const struct expr *factor)
{
    const struct expr *value = term->coefficient;
    if (!factor)
        return -term->lost;
    if (value->kind != EXPR_REAL || factor->kind != EXPR_REAL || factor->scalar != SCALAR_F64)
        return 0;
    const double v = value->as.real, f = factor->as.real;
    if (kind == EXPR_MULTIPLY)
        return fma(v, f, -(v * f)) + term->lost * f;
    return (fma(-(v / f), f, v) + term->lost) / f;
}

/* form += other, each part of it changed by an operation with `factor`, or negated where it is
 * NULL. */
static void add_scaled(struct taking_apart *t, struct linear_form *form,
                       const struct linear_form *other, enum expr_kind kind,
                       const struct expr *factor)
{
    for (size_t i = 0; i < other->terms.count; i++) {
        const struct linear_term *term = &other->terms.item[i];
        add_term(t, form,
                 (struct linear_term){term->load, term->written,
                                      scaled(t, term->coefficient, kind, factor),
                                      lost_by_scaling(term, kind, factor)});
    }
    if (other->rest)
        add_rest(t, form, scaled(t, other->rest, kind, factor));
}

static bool take_apart(struct taking_apart *t, const struct expr *node, struct linear_form *form);

/* form += a * b, one of which holds no term. */
static bool take_product(struct taking_apart *t, const struct expr *a, const struct expr *b,
                         struct linear_form *form)
{
    if (holds_term(t, b)) {
        const struct expr *swap = a;
        a = b;
        b = swap;
    }
    struct linear_form part = {.rest = NULL};
    if (holds_term(t, b) || !take_apart(t, a, &part))
        return false;
    add_scaled(t, form, &part, EXPR_MULTIPLY, linear_widen(t->pool, b));
    return true;
}

/* Whether it may differ from sample to sample. */
static bool varies(const struct expr *condition)
{
    return condition->holds & (HOLDS_LOAD | HOLDS_INDEX);
}

/* select(c, a, b): each load by the coefficient it has there. Where samples decide, what is not
 * chosen must not count, not even an infinity times 0: that is not linear. */
static bool take_choice(struct taking_apart *t, const struct expr *node, struct linear_form *form)
{
    struct linear_form part[2] = {{.rest = NULL}, {.rest = NULL}};
    const struct expr *zero = expr_real(t->pool, t->wide, 0), *condition = node->operand[0];
    if (varies(condition) || !take_apart(t, node->operand[1], &part[0]) ||
        !take_apart(t, node->operand[2], &part[1]))
        return false;
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < part[p].terms.count; i++) {
            const struct linear_term *term = &part[p].terms.item[i];
            add_term(
                t, form,
                (struct linear_term){term->load, term->written,
                                     expr_select(t->pool, condition, p ? zero : term->coefficient,
                                                 p ? term->coefficient : zero),
                                     0});
        }
    if (part[0].rest || part[1].rest)
        add_rest(t, form,
                 expr_select(t->pool, condition, part[0].rest ? part[0].rest : zero,
                             part[1].rest ? part[1].rest : zero));
    return true;
}

struct setting {
    struct taking_apart *taking;
    const struct expr_rewriter *rewriter;
    const struct expr *const *variable;
    const struct expr *const *value;
    unsigned count;
};

static const struct expr *as_written(struct taking_apart *t, const struct expr *load)
{
    const struct expr *written = hash_map_find(&t->written, load);
    return written ? written : load;
}

static const struct expr *set_variable(const struct expr *node, void *user)
{
    const struct setting *s = user;
    struct taking_apart *t = s->taking;
    const struct expr *original = s->rewriter->original;
    for (unsigned i = 0; i < s->count; i++)
        if (node == s->variable[i])
            return s->value[i];
    if (node->kind != EXPR_LOAD)
        return node;
    if (node != original && t->terms.is_term(node, t->terms.context))
        hash_map_put(t->arena, &t->written, node, (void *)(uintptr_t)as_written(t, original));
    const uint32_t source = node->as.load.source; /* of its own: not in the graph yet */
    const struct expr *element = source < t->graph->stages.count
                                     ? stage_constant_at(t->graph->stages.item[source], node)
                                     : NULL;
    return element ? element : node;
}

/* form += the term of a sum, its operands: one, or two factors, and perhaps a condition. */
static bool take_term(struct taking_apart *t, const struct expr *sum,
                      const struct expr *const operand[], struct linear_form *form)
{
    if (sum->as.reduce.has_condition) {
        const struct expr *condition = operand[1 + sum->as.reduce.fused];
        if (condition->kind != EXPR_INTEGER)
            return false;
        if (!condition->as.integer)
            return true;
    }
    return sum->as.reduce.fused ? take_product(t, operand[0], operand[1], form)
                                : take_apart(t, operand[0], form);
}

/* sum[k in …](term): written out. */
static bool take_sum(struct taking_apart *t, const struct expr *node, struct linear_form *form)
{
    const unsigned rank = node->as.reduce.rank;
    const int64_t terms = expr_reduction_terms(&node->as.reduce);
    if (node->as.reduce.operation != REDUCTION_SUM || node->as.reduce.counted ||
        terms > MOST_WRITTEN_OUT)
        return false;
    for (int64_t i = 0; i < terms; i++) {
        const struct expr *variable[8], *value[8], *operand[3];
        int64_t place = i;
        for (unsigned r = rank; r-- > 0;) {
            const struct expr_range *range = &node->as.reduce.range[r];
            const struct interval interval = {range->first, range->first + range->extent - 1};
            variable[r] = expr_variable(t->pool, VARIABLE_INDEX, range->variable,
                                        scalar_width(interval), interval);
            value[r] = expr_integer(t->pool, range->first + place % range->extent);
            place /= range->extent;
        }
        struct setting setting = {t, NULL, variable, value, rank};
        struct expr_rewriter rewriter = {
            .pool = t->pool, .rule = set_variable, .context = &setting, .scratch = t->arena};
        setting.rewriter = &rewriter;
        for (unsigned k = 0; k < node->count; k++)
            operand[k] = expr_rewrite(&rewriter, node->operand[k]);
        if (!take_term(t, node, operand, form))
            return false;
    }
    return true;
}

/* Of a float, that a conversion may be left out of the form. */
static unsigned least_bytes(const struct taking_apart *t, const struct expr *conversion)
{
    return t->unrounded ? scalar_info[t->stored].bytes
                        : scalar_info[conversion->operand[0]->scalar].bytes + 1;
}

/* form += node */
static bool take_apart(struct taking_apart *t, const struct expr *node, struct linear_form *form)
{
    struct linear_form part = {.rest = NULL};
    if (++t->steps > MOST_STEPS)
        return false;
    if (!holds_term(t, node)) {
        add_rest(t, form, linear_widen(t->pool, node));
        return true;
    }
    switch (node->kind) {
    case EXPR_LOAD:
        if (term_search_holds_below(&t->terms, node))
            return false;
        add_term(
            t, form,
            (struct linear_term){node, as_written(t, node), expr_real(t->pool, t->wide, 1), 0});
        return true;
    case EXPR_CONVERT:
        return scalar_is_float(node->operand[0]->scalar) && scalar_is_float(node->scalar) &&
               scalar_info[node->scalar].bytes >= least_bytes(t, node) &&
               take_apart(t, node->operand[0], form);
    case EXPR_NEGATE:
        if (!take_apart(t, node->operand[0], &part))
            return false;
        add_scaled(t, form, &part, EXPR_NEGATE, NULL);
        return true;
    case EXPR_ADD:
        return take_apart(t, node->operand[0], form) && take_apart(t, node->operand[1], form);
    case EXPR_SUBTRACT:
        if (!take_apart(t, node->operand[0], form) || !take_apart(t, node->operand[1], &part))
            return false;
        add_scaled(t, form, &part, EXPR_NEGATE, NULL);
        return true;
    case EXPR_MULTIPLY:
        return take_product(t, node->operand[0], node->operand[1], form);
    case EXPR_DIVIDE:
        if (holds_term(t, node->operand[1]) || !take_apart(t, node->operand[0], &part))
            return false;
        add_scaled(t, form, &part, EXPR_DIVIDE, linear_widen(t->pool, node->operand[1]));
        return true;
    case EXPR_FUSED:
        return take_product(t, node->operand[0], node->operand[1], form) &&
               take_apart(t, node->operand[2], form);
    case EXPR_SELECT:
        return take_choice(t, node, form);
    case EXPR_REDUCE:
        return take_sum(t, node, form);
    default:
        return false;
    }
}

static bool form_of(struct taking_apart t, const struct expr *value, struct linear_form *form)
{
    t.wide = value->scalar == SCALAR_F32 || t.unrounded ? SCALAR_F64 : value->scalar;
    t.stored = value->scalar;
    *form = (struct linear_form){.rest = NULL};
    return scalar_is_float(value->scalar) && take_apart(&t, value, form);
}

bool linear_form_of(const struct graph *graph, struct expr_pool *pool, struct arena *arena,
                    const struct expr *value,
                    bool (*is_term)(const struct expr *load, void *context), void *context,
                    struct linear_form *form)
{
    const struct taking_apart t = {
        .graph = graph, .pool = pool, .arena = arena, .terms = {arena, is_term, context}};
    return form_of(t, value, form);
}

bool linear_form_unrounded(const struct graph *graph, struct expr_pool *pool, struct arena *arena,
                           const struct expr *value,
                           bool (*is_term)(const struct expr *load, void *context), void *context,
                           struct linear_form *form)
{
    const struct taking_apart t = {.graph = graph,
                                   .pool = pool,
                                   .arena = arena,
                                   .terms = {arena, is_term, context},
                                   .unrounded = true};
    return form_of(t, value, form);
}
