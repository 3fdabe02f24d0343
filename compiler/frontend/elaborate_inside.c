/* Whether reads stay inside their images by what is known besides the bounds of variables: the
 * conditions that are checked on entry, and the ranges of reductions that parameters bound, outside
 * of which no term is present. What cannot be shown is reported with the bound that is missing.
 *
 *     require b.x == in.x;              in.x - b.x = 0
 *     out[x in 0 ..< in.x] = b[x];      b.x - 1 - x >= b.x - 1 - (in.x - 1) = 0
 */
#include "frontend/elaborator.h"
#include "analysis/regions.h"

/* ---- Facts ---- */

enum { MOST_FACTS = 64 };

struct known_facts {
    size_t count;
    struct affine item[MOST_FACTS]; /* each is at least 0 */
};

static void add_fact(struct known_facts *facts, struct affine form)
{
    if (form.exact && form.count > 0 && facts->count < MOST_FACTS)
        facts->item[facts->count++] = form;
}

/* What a condition that holds says of integers. */
static void add_condition(struct known_facts *facts, const struct expr *condition)
{
    if (condition->kind == EXPR_AND) {
        add_condition(facts, condition->operand[0]);
        add_condition(facts, condition->operand[1]);
        return;
    }
    const bool compares = condition->kind == EXPR_LESS || condition->kind == EXPR_LESS_EQUAL ||
                          condition->kind == EXPR_EQUAL;
    if (!compares || !scalar_is_integer(condition->operand[0]->scalar))
        return;
    const struct affine a = affine_from(condition->operand[0]);
    const struct affine b = affine_from(condition->operand[1]);
    struct affine above = affine_sum(b, a, -1);
    if (condition->kind == EXPR_LESS)
        above.constant--;
    add_fact(facts, above);
    if (condition->kind == EXPR_EQUAL)
        add_fact(facts, affine_sum(a, b, -1));
}

static struct known_facts *facts_of_checks(struct elaborator *el)
{
    struct known_facts *facts = ARENA_NEW(el->session->scratch, struct known_facts);
    facts->count = 0;
    for (size_t i = 0; i < el->graph->checks.count; i++)
        add_condition(facts, el->graph->checks.item[i].condition);
    return facts;
}

/* ---- Bounds ---- */

/* The bounds of the stage's variables and of the reductions around the read. */
static unsigned bounds_of_read(const struct pending_read *read, unsigned count,
                               const struct affine_bound bound[], struct affine_bound all[])
{
    memcpy(all, bound, count * sizeof *all);
    for (size_t i = 0; i < read->widened_count && count < MOST_CONTEXT_BOUNDS; i++)
        all[count++] = read->widened[i];
    return count;
}

bool read_stays_inside(struct elaborator *el, const struct stage_context *context,
                       const struct expr *load, unsigned k, const struct stage_axis *box,
                       unsigned count, const struct affine_bound bound[])
{
    struct affine_bound all[MOST_CONTEXT_BOUNDS];
    const struct known_facts *facts = facts_of_checks(el);
    for (size_t i = 0; i < context->reads.count; i++) {
        const struct pending_read *read = &context->reads.item[i];
        if (read->load != load)
            continue;
        const unsigned all_count = bounds_of_read(read, count, bound, all);
        const struct region_sides inside =
            region_sides_inside(el->pool, load->operand[k], box->first, box->extent, all_count, all,
                                facts->count, facts->item);
        if (!inside.low || !inside.high)
            return false;
    }
    return true;
}

/* ---- The bound that is missing ---- */

static bool print_expression(struct text *out, const struct expr *node, unsigned depth);

static bool print_operation(struct text *out, const struct expr *node, const char *before,
                            const char *between, const char *after, unsigned depth)
{
    text_print(out, "%s", before);
    if (!print_expression(out, node->operand[0], depth + 1))
        return false;
    text_print(out, "%s", between);
    if (!print_expression(out, node->operand[1], depth + 1))
        return false;
    text_print(out, "%s", after);
    return true;
}

static bool print_form(struct text *out, const struct affine *form, unsigned depth)
{
    bool any = false;
    for (int negative = 0; negative < 2; negative++) {
        for (unsigned i = 0; i < form->count; i++) {
            const int64_t c = form->term[i].coefficient;
            if ((c < 0) != (negative == 1))
                continue;
            const int64_t size = c < 0 ? -c : c;
            text_print(out, "%s", c < 0 ? any ? " - " : "-" : any ? " + " : "");
            const bool is_product = size != 1, wraps = is_product && form->term[i].atom->count > 0;
            if (is_product)
                text_print(out, wraps ? "%lld * (" : "%lld * ", (long long)size);
            if (!print_expression(out, form->term[i].atom, depth + 1))
                return false;
            text_print(out, wraps ? ")" : "");
            any = true;
        }
        if (negative == 0 && form->constant > 0) {
            text_print(out, "%s%lld", any ? " + " : "", (long long)form->constant);
            any = true;
        }
    }
    if (form->constant < 0)
        text_print(out, any ? " - %lld" : "-%lld", (long long)-form->constant);
    else if (!any)
        text_print(out, "0");
    return true;
}

/* As the program would say it; false where it has no short form. */
static bool print_expression(struct text *out, const struct expr *node, unsigned depth)
{
    enum { DEEPEST_SHOWN = 6 };
    if (depth > DEEPEST_SHOWN)
        return false;
    if (node->kind == EXPR_VARIABLE) {
        text_print(out, "%s", node->as.variable.name->text);
        return true;
    }
    if (node->kind == EXPR_DIVIDE && node->operand[0]->kind == EXPR_VARIABLE)
        return print_operation(out, node, "", " / ", "", depth);
    if (node->kind == EXPR_DIVIDE)
        return print_operation(out, node, "(", ") / ", "", depth);
    if (node->kind == EXPR_MINIMUM)
        return print_operation(out, node, "min(", ", ", ")", depth);
    if (node->kind == EXPR_MAXIMUM)
        return print_operation(out, node, "max(", ", ", ")", depth);
    const struct affine form = affine_from(node);
    if (form.count == 1 && form.term[0].atom == node)
        return node->kind == EXPR_MULTIPLY && print_operation(out, node, "", " * ", "", depth);
    return print_form(out, &form, depth);
}

static bool is_known_before(const struct affine *form)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].atom->holds & (HOLDS_LOAD | HOLDS_REDUCE | HOLDS_EXTERNAL | HOLDS_INDEX))
            return false;
    return form->exact;
}

/* The least or greatest that the form can be, of what is known before any sample is; a number where
 * nothing else is known. */
static void print_extreme(struct text *out, const struct expr *index, bool greatest, unsigned count,
                          const struct affine_bound bound[], bool as_number)
{
    const struct scaled_index scaled = affine_index(index);
    struct affine form = scaled.numerator;
    for (unsigned i = 0; i < count; i++) {
        const int64_t c = affine_coefficient(&form, bound[i].variable);
        if (c != 0)
            form = affine_sum(affine_without(form, bound[i].variable),
                              affine_from((c > 0) == greatest ? bound[i].greatest : bound[i].least),
                              c);
    }
    for (unsigned i = 0; i < form.count;
         i++) /* other variables of reductions: by their intervals */
        if (form.exact && form.term[i].atom->kind == EXPR_VARIABLE &&
            form.term[i].atom->as.variable.kind == VARIABLE_INDEX) {
            const struct expr *atom = form.term[i].atom;
            const int64_t c = form.term[i].coefficient;
            form = affine_without(form, atom);
            form.constant +=
                c * ((c > 0) == greatest ? atom->interval.greatest : atom->interval.least);
            i = UINT32_MAX; /* all again */
        }
    struct text text = text_create(out->arena);
    if (!as_number && is_known_before(&form) && print_form(&text, &form, 0)) {
        const bool is_name = form.count == 1 && form.constant == 0;
        text_print(out,
                   scaled.denominator == 1 ? "%s"
                   : is_name               ? "%s / %lld"
                                           : "(%s) / %lld",
                   text.bytes, (long long)scaled.denominator);
        return;
    }
    text_print(out, "%lld",
               (long long)(greatest ? index->interval.greatest : index->interval.least));
}

static bool is_number(const struct expr *node)
{
    return !(node->holds & (HOLDS_INDEX | HOLDS_EXTENT | HOLDS_PARAMETER));
}

void note_missing_bound(struct elaborator *el, struct diagnostic *d,
                        const struct pending_read *read, unsigned k, const struct stage_axis *box,
                        unsigned count, const struct affine_bound bound[])
{
    if (el->convolving) /* its indices are not the program's */
        return;
    struct affine_bound all[MOST_CONTEXT_BOUNDS];
    const struct expr *index = read->load->operand[k];
    const unsigned all_count = bounds_of_read(read, count, bound, all);
    const struct known_facts *facts = facts_of_checks(el);
    const struct region_sides inside = region_sides_inside(
        el->pool, index, box->first, box->extent, all_count, all, facts->count, facts->item);
    const struct expr *last =
        sum_normal(el, sum_normal(el, box->first, box->extent, 1), expr_integer(el->pool, 1), -1);
    struct arena *texts = el->session->permanent;
    struct text what = text_create(texts), value = text_create(texts), end = text_create(texts);
    const bool is_written = read->item[k] != NULL;
    if (is_written)
        text_print(&what, "%s", condition_text(el, read->item[k]));
    const bool is_shown = is_written || print_expression(&what, index, 0);
    const struct expr *side = inside.low ? last : box->first;
    print_extreme(&value, index, inside.low, all_count, all, is_number(side) && is_number(last));
    if (!print_expression(&end, side, 0))
        return;
    NOTE(el, d, "%s may be %s, and '%s' %s at %s", is_shown ? what.bytes : "its index", value.bytes,
         read->image->text, inside.low ? "ends" : "begins", end.bytes);
}
