/* Types of fixed point, as programs write them: fixed<8, 4, floor, wrap>. */
#include "frontend/elaborator.h"
#include "diagnostics/suggest.h"

static const char *const rounding_word[ROUNDING_COUNT] = {
#define ROUNDING(name, word) word,
#define OVERFLOWING(name, word)
#include "frontend/fixed_modes.def"
#undef ROUNDING
#undef OVERFLOWING
};
static const char *const overflow_word[OVERFLOW_COUNT] = {
#define ROUNDING(name, word)
#define OVERFLOWING(name, word) word,
#include "frontend/fixed_modes.def"
#undef ROUNDING
#undef OVERFLOWING
};

bool is_fixed_type(const struct ast *type)
{
    const struct symbol *name = type->kind == AST_TYPE ? type->as.type.constructor : NULL;
    return name && (strcmp(name->text, "fixed") == 0 || strcmp(name->text, "ufixed") == 0);
}

/* Whether fixed<…>, or an image of it, has the name as a width. */
static bool names_width(const struct ast *type, const struct symbol *name)
{
    if (type && type->as.type.inner && type->as.type.inner->kind == AST_TYPE)
        type = type->as.type.inner;
    bool found = false;
    for (size_t i = 0; type && is_fixed_type(type) && i < type->as.type.arguments->count; i++) {
        const struct ast *argument = type->as.type.arguments->item[i];
        found = found || (argument->kind == AST_TYPE && argument->as.type.element == name);
    }
    return found;
}

bool is_width_of_image(const struct ast *filter, const struct symbol *name)
{
    const struct ast_list *formals = filter->as.filter.formals;
    bool found = false;
    for (size_t i = 0; i < formals->count; i++)
        found = found || (formals->item[i]->as.formal.role == FORMAL_IMAGE &&
                          names_width(formals->item[i]->as.formal.type, name));
    return found;
}

struct interval fixed_interval(struct fixed_type type)
{
    const int64_t half = (int64_t)1 << (type.bits - 1);
    return type.has_sign ? (struct interval){-half, half - 1}
                         : (struct interval){0, half - 1 + half};
}

struct element_type fixed_element(const struct elaborator *el, struct fixed_type type)
{
    return (struct element_type){
        .scalar = el->options->fixed_as_real ? SCALAR_F64 : scalar_holding(fixed_interval(type)),
        .fixed = type};
}

struct fixed_type fixed_holding(struct interval interval, int fraction)
{
    struct fixed_type type = {
        .is = true, .has_sign = interval.least < 0, .bits = 1, .fraction = fraction};
    while (type.bits < FIXED_MOST_BITS && !interval_inside(interval, fixed_interval(type)))
        type.bits++;
    return type;
}

struct fixed_point fixed_stored(const struct elaborator *el, struct fixed_type type)
{
    return type.is && !el->options->fixed_as_real ? (struct fixed_point){true, type.fraction}
                                                  : (struct fixed_point){false, 0};
}

struct element_type stored_type(struct elaborator *el, const struct stage *stage,
                                const struct image_view *view)
{
    if (view->fixed.is)
        return fixed_element(el, view->fixed);
    if (stage->fixed.is)
        return fixed_element(
            el, fixed_holding(scalar_info[stage->element].interval, stage->fixed.fraction));
    return (struct element_type){.scalar = stage->element, .wraps = view->wraps};
}

bool is_stored_as(const struct elaborator *el, const struct stage *stage, struct element_type type)
{
    const struct fixed_point fixed = fixed_stored(el, type.fixed);
    return stage->element == type.scalar && stage->fixed.is == fixed.is &&
           stage->fixed.fraction == fixed.fraction &&
           (!fixed.is || interval_inside(stage->interval, fixed_interval(type.fixed)));
}

struct interval element_interval(struct element_type type)
{
    return type.fixed.is && scalar_is_integer(type.scalar) ? fixed_interval(type.fixed)
                                                           : scalar_info[type.scalar].interval;
}

const char *element_type_text(struct elaborator *el, struct element_type type)
{
    const struct fixed_type *fixed = &type.fixed;
    if (!fixed->is)
        return type.complex ? complex_text(type.scalar) : scalar_info[type.scalar].text;
    const bool says_overflow = fixed->overflow != (enum fixed_overflow)0;
    const bool says_rounding = fixed->rounding != (enum fixed_rounding)0;
    return arena_format(
        el->session->permanent, "%s<%d, %d%s%s%s%s>", fixed->has_sign ? "fixed" : "ufixed",
        fixed->bits - fixed->fraction, fixed->fraction, says_rounding ? ", " : "",
        says_rounding ? rounding_word[fixed->rounding] : "", says_overflow ? ", " : "",
        says_overflow ? overflow_word[fixed->overflow] : "");
}

const char *fixed_step_text(struct elaborator *el, int fraction)
{
    return fraction == 0 ? "1" : arena_format(el->session->permanent, "2^%d", -fraction);
}

/* A place in a table of words, or its length. */
static unsigned place_of(const char *const word[], unsigned count, const char *wanted)
{
    unsigned i = 0;
    while (i < count && strcmp(word[i], wanted) != 0)
        i++;
    return i;
}

static void suggest_mode(struct elaborator *el, struct diagnostic *d, const struct ast *argument)
{
    struct suggestion near = {0};
    for (unsigned i = 0; i < ROUNDING_COUNT; i++)
        suggest_consider(&near, argument->as.type.element->text, rounding_word[i]);
    for (unsigned i = 0; i < OVERFLOW_COUNT; i++)
        suggest_consider(&near, argument->as.type.element->text, overflow_word[i]);
    if (near.best)
        diagnostic_fix(&el->session->diagnostics, d, argument->span, near.best, false, "write '%s'",
                       near.best);
}

static void note_modes(struct elaborator *el, struct diagnostic *d)
{
    struct text roundings = text_create(el->session->permanent);
    struct text overflows = text_create(el->session->permanent);
    for (unsigned i = 0; i < ROUNDING_COUNT; i++)
        text_print(&roundings, "%s%s", i ? ", " : "", rounding_word[i]);
    for (unsigned i = 0; i < OVERFLOW_COUNT; i++)
        text_print(&overflows, "%s%s", i ? ", " : "", overflow_word[i]);
    NOTE(el, d, "roundings are %s; what does not fit: %s; the first of each is taken without one",
         roundings.bytes, overflows.bytes);
}

/* I or F: a number, or the name of a constant. */
static bool read_width(struct elaborator *el, const struct instance *instance,
                       const struct ast *argument, int64_t *width)
{
    const struct symbol *name = argument->kind == AST_TYPE && !argument->as.type.constructor
                                    ? argument->as.type.element
                                    : NULL;
    if (argument->kind == AST_INTEGER) {
        *width = argument->as.integer;
        return true;
    }
    const struct entity *entity = name ? scope_find(instance->scope, name) : NULL;
    if (name && !entity) {
        report_undeclared(el, instance, instance->scope, name, argument->span, NULL);
        return false;
    }
    if (entity && entity->kind == ENTITY_ERROR && el->session->diagnostics.error_count)
        return false; /* its mistake was reported */
    const bool is_value = entity && entity->kind == ENTITY_VALUE;
    if (!is_value || !entity->as.value.expr || entity->as.value.expr->kind != EXPR_INTEGER ||
        !operand_is_integer(entity->as.value)) {
        struct diagnostic *d = REPORT(
            el, E0303, argument->span, "a number of bits", "an integer that is constant",
            is_value && entity->as.value.expr ? operand_type_text(el, entity->as.value) : "this");
        HELP(el, d, "write numbers, or names of constants: fixed<8, 4>, fixed<8, F>");
        return false;
    }
    *width = entity->as.value.expr->as.integer;
    return true;
}

/* One word behind the widths. */
static bool read_mode(struct elaborator *el, const struct ast *argument, struct fixed_type *type,
                      bool said[2])
{
    const struct symbol *name = argument->kind == AST_TYPE && !argument->as.type.constructor
                                    ? argument->as.type.element
                                    : NULL;
    const unsigned rounding = name ? place_of(rounding_word, ROUNDING_COUNT, name->text) : 0;
    const unsigned overflow = name ? place_of(overflow_word, OVERFLOW_COUNT, name->text) : 0;
    if (!name || (rounding == ROUNDING_COUNT && overflow == OVERFLOW_COUNT)) {
        struct diagnostic *d = REPORT(el, E0333, argument->span);
        if (name)
            suggest_mode(el, d, argument);
        note_modes(el, d);
        return false;
    }
    const bool is_overflow = rounding == ROUNDING_COUNT;
    if (said[is_overflow]) {
        REPORT(el, E0202, argument->span, is_overflow ? "what does not fit" : "rounding");
        return false;
    }
    said[is_overflow] = true;
    if (is_overflow)
        type->overflow = (enum fixed_overflow)overflow;
    else
        type->rounding = (enum fixed_rounding)rounding;
    return true;
}

/* What is tried in place of what is written. */
static void take_format(const struct elaborator *el, const struct ast *type, int64_t *before,
                        int64_t *behind)
{
    for (size_t i = 0; i < el->options->format_count; i++)
        if (el->options->formats[i].type == type) {
            *before = el->options->formats[i].whole;
            *behind = el->options->formats[i].fraction;
        }
}

struct element_type elaborate_fixed_type(struct elaborator *el, const struct instance *instance,
                                         const struct ast *type)
{
    const struct element_type none = {.scalar = SCALAR_COUNT};
    const struct ast_list *arguments = type->as.type.arguments;
    const char *name = type->as.type.constructor->text;
    const size_t count = arguments ? arguments->count : 0;
    struct fixed_type fixed = {.is = true, .has_sign = strcmp(name, "fixed") == 0};
    int64_t before, behind;
    bool said[2] = {false, false};
    if (count < 2 || type->as.type.names) {
        struct diagnostic *d =
            REPORT(el, E0303, type->span, arena_format(el->session->permanent, "%s<>", name),
                   "the numbers of bits before and behind the point", "this");
        HELP(el, d, "%s<8, 4> has 12 bits, 4 of them behind the point", name);
        return none;
    }
    if (!read_width(el, instance, arguments->item[0], &before) ||
        !read_width(el, instance, arguments->item[1], &behind))
        return none;
    take_format(el, type, &before, &behind);
    if (behind < -FIXED_MOST_FRACTION || behind > FIXED_MOST_FRACTION ||
        before > 2 * FIXED_MOST_FRACTION || before + behind < 1 ||
        before + behind > FIXED_MOST_BITS) {
        struct diagnostic *d = REPORT(el, E0334, type->span, (long long)before, (long long)behind,
                                      FIXED_MOST_BITS, FIXED_MOST_FRACTION);
        NOTE(el, d,
             "%s<I, F> has I bits before the point%s and F behind it; I may be negative where all "
             "numbers are small, F where all are multiples of a power of two",
             name, fixed.has_sign ? ", one of them the sign," : "");
        return none;
    }
    fixed.bits = (int)(before + behind);
    fixed.fraction = (int)behind;
    for (size_t i = 2; i < count; i++)
        if (!read_mode(el, arguments->item[i], &fixed, said))
            return none;
    return fixed_element(el, fixed);
}
