/* Warnings where an integer becomes a float by itself: it may be too large for the float, or be a
 * quotient that was rounded down before. */
#include "frontend/elaborator.h"
#include "expr/affine.h"

#include <ctype.h>

/* How the program writes the operand; NULL where that is not known or too long to repeat. */
static const char *written(struct elaborator *el, struct span span)
{
    enum { LONGEST_SHOWN = 60 };
    const struct source_file *file =
        span.end > span.start ? source_map_file(&el->session->sources, span.start) : NULL;
    const size_t length = span.end - span.start;
    if (!file || length > LONGEST_SHOWN)
        return NULL;
    const char *text = file->text + (span.start - file->start);
    return memchr(text, '\n', length) ? NULL : arena_text(el->session->permanent, text, length);
}

/* ---- Precision ---- */

struct magnitudes {
    struct elaborator *el;
    struct arena *scratch;
    struct hash_map known; /* expression → struct interval */
    unsigned stages;       /* one in the other that are being looked into */
};

static struct interval magnitude(struct magnitudes *m, const struct expr *node);

static struct interval magnitude_of_load(struct magnitudes *m, const struct expr *node)
{
    enum { MOST_STAGES = 8 };
    if (node->as.load.source >= m->el->graph->stages.count || m->stages == MOST_STAGES)
        return node->interval;
    const struct stage *stage = graph_stage(m->el->graph, (stage_id){node->as.load.source});
    if (stage->kind != STAGE_MAP || !stage->value || !scalar_is_integer(stage->value->scalar))
        return node->interval;
    m->stages++;
    const struct interval found = magnitude(m, stage->value);
    m->stages--;
    return found;
}

static struct interval magnitude_of_operation(struct magnitudes *m, const struct expr *node)
{
    struct interval operand[3], result;
    for (unsigned i = 0; i < node->count && i < 3; i++) {
        if (!scalar_is_integer(node->operand[i]->scalar))
            return node->interval;
        operand[i] = magnitude(m, node->operand[i]);
    }
    expr_interval(node->kind, node->count, operand, &result);
    return result;
}

/* Where the integer is if extents, coordinates and floats that were cut count for 1: what remains
 * comes from samples and parameters. */
static struct interval new_magnitude(struct magnitudes *m, const struct expr *node)
{
    const struct interval one = {0, 1};
    switch (node->kind) {
    case EXPR_VARIABLE:
        return node->as.variable.kind == VARIABLE_PARAMETER ? node->interval : one;
    case EXPR_LOAD:
        return magnitude_of_load(m, node);
    case EXPR_CONVERT:
        return scalar_is_integer(node->operand[0]->scalar) ? magnitude(m, node->operand[0]) : one;
    case EXPR_SELECT:
        return interval_hull(magnitude(m, node->operand[1]), magnitude(m, node->operand[2]));
    case EXPR_REDUCE:
        return node->as.reduce.counted ? magnitude(m, node->operand[0]) : node->interval;
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_NEGATE:
    case EXPR_MULTIPLY:
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_ABSOLUTE:
        return magnitude_of_operation(m, node);
    default:
        return node->interval;
    }
}

static struct interval magnitude(struct magnitudes *m, const struct expr *node)
{
    const struct interval *known = hash_map_find(&m->known, node);
    if (known)
        return *known;
    const struct interval found = new_magnitude(m, node);
    hash_map_put(m->scratch, &m->known, node, arena_copy(m->scratch, &found, sizeof found));
    return found;
}

static bool is_beyond(struct interval interval, int64_t exact)
{
    return interval.least < -exact || interval.greatest > exact;
}

static void warn_of_precision(struct elaborator *el, struct operand a, enum scalar scalar,
                              struct span span)
{
    const int64_t exact = scalar == SCALAR_F32 ? (int64_t)1 << 24 : (int64_t)1 << 53;
    struct magnitudes m = {.el = el, .scratch = el->session->scratch};
    if (!is_beyond(a.expr->interval, exact) || !is_beyond(magnitude(&m, a.expr), exact))
        return;
    const char *text = a.fixed.is ? NULL : written(el, span);
    const char *type = scalar_info[scalar].text;
    struct diagnostic *d = REPORT(el, W0301, span,
                                  text ? arena_format(el->session->permanent, "'%s', %lld .. %lld,",
                                                      text, (long long)a.expr->interval.least,
                                                      (long long)a.expr->interval.greatest)
                                       : operand_type_text(el, a),
                                  type, scalar == SCALAR_F32 ? "2^24" : "2^53");
    HELP(el, d, "write %s(%s) to say that rounding is meant", type, text ? text : "...");
}

/* ---- Quotients ---- */

/* Whether the dividend is a multiple of the divisor. */
static bool divides_exactly(const struct expr *quotient)
{
    const struct expr *by = quotient->operand[1], *of = quotient->operand[0];
    if (of->kind == EXPR_SUBTRACT && of->operand[1]->kind == EXPR_REMAINDER &&
        of->operand[1]->operand[0] == of->operand[0] && of->operand[1]->operand[1] == by)
        return true; /* (a - a % b) / b */
    if (by->kind != EXPR_INTEGER || by->as.integer == 0)
        return of->kind == EXPR_MULTIPLY && (of->operand[0] == by || of->operand[1] == by);
    const struct affine form = affine_from(of);
    bool divisible = form.exact && form.constant % by->as.integer == 0;
    for (unsigned i = 0; i < form.count; i++)
        divisible = divisible && form.term[i].coefficient % by->as.integer == 0;
    return divisible;
}

/* Whether it comes from samples, or from parameters alone: with coordinates and extents it is a
 * place. */
static bool is_measured(const struct expr *quotient)
{
    const unsigned held = quotient->holds;
    return (held & HOLDS_LOAD) ||
           ((held & HOLDS_PARAMETER) && !(held & (HOLDS_INDEX | HOLDS_EXTENT)));
}

/* Whether it is seen there that it is divided; a parameter of a called filter may be a quotient
 * that the call makes an integer on purpose. */
static bool is_seen(const struct expr *quotient, const char *text)
{
    return (quotient->holds & HOLDS_LOAD) || !text || strchr(text, '/');
}

/* A quotient of samples or parameters in the integer; NULL: there is none. One that is multiplied
 * by its divisor again is meant as it is. */
static const struct expr *find_quotient(const struct expr *node, const struct expr *factor,
                                        unsigned depth)
{
    enum { DEEPEST = 12 };
    const struct expr *found = NULL;
    if (depth > DEEPEST)
        return NULL;
    switch (node->kind) {
    case EXPR_DIVIDE:
        return is_measured(node) && node->operand[1] != factor && !divides_exactly(node) ? node
                                                                                         : NULL;
    case EXPR_MULTIPLY:
        found = find_quotient(node->operand[0], node->operand[1], depth + 1);
        return found ? found : find_quotient(node->operand[1], node->operand[0], depth + 1);
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        found = find_quotient(node->operand[0], NULL, depth + 1);
        return found ? found : find_quotient(node->operand[1], NULL, depth + 1);
    case EXPR_SELECT:
        found = find_quotient(node->operand[1], NULL, depth + 1);
        return found ? found : find_quotient(node->operand[2], NULL, depth + 1);
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
        return find_quotient(node->operand[0], NULL, depth + 1);
    default:
        return NULL;
    }
}

/* in[y, x] / 255, of whose divisor the text tells; with the divisor as a real number. NULL: the
 * text is otherwise. */
static const char *real_quotient(struct elaborator *el, const char *text, int64_t divisor)
{
    struct arena *arena = el->session->permanent;
    const char *digits = arena_format(arena, "%lld", (long long)divisor);
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == ')')
        end--;
    const size_t length = strlen(digits);
    if (end < length + 1 || memcmp(text + end - length, digits, length) != 0 ||
        (text[end - length - 1] != ' ' && text[end - length - 1] != '/'))
        return NULL;
    return arena_format(arena, "%.*s.0%s", (int)end, text, text + end);
}

static void warn_of_quotient(struct elaborator *el, struct operand a, enum scalar scalar,
                             struct span span)
{
    const struct expr *quotient = find_quotient(a.expr, NULL, 0);
    const char *text = written(el, span);
    if (!quotient || a.fixed.is || !is_seen(quotient, text))
        return;
    const char *type = scalar_info[scalar].text;
    struct diagnostic *d =
        REPORT(el, W0305, span,
               text ? arena_format(el->session->permanent, "'%s'", text) : "this quotient");
    const bool is_all = quotient == a.expr && quotient->operand[1]->kind == EXPR_INTEGER;
    const char *real =
        text && is_all ? real_quotient(el, text, quotient->operand[1]->as.integer) : NULL;
    if (real)
        diagnostic_fix(&el->session->diagnostics, d, span, real, false, "write %s for the fraction",
                       real);
    else
        HELP(el, d, "make the divisor a real number for the fraction: a / 255.0, a / %s(b)", type);
    HELP(el, d, "write %s(%s) where the whole number is meant", type, text ? text : "...");
}

void warn_of_integer(struct elaborator *el, struct operand a, enum scalar scalar, struct span span)
{
    if (!scalar_is_integer(a.expr->scalar) || !(a.expr->holds & (HOLDS_LOAD | HOLDS_PARAMETER)))
        return;
    if (a.span.end > a.span.start)
        span = a.span;
    warn_of_precision(el, a, scalar, span);
    warn_of_quotient(el, a, scalar, span);
}
