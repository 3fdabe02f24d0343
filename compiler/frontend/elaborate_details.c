/* Directives that say a detail of how a stage is computed: of its loops, its stores, how a window
 * or scatter is taken apart, what carries a state. Whether all of it is done is found out when the
 * passes have run. */
#include "frontend/scheduling.h"

enum { MOST_NUMBER = 4096, MOST_AT_A_TIME = 256 };

static const char *const preposition[] = {
    [NO_VALUES] = "",    [ALONG_AXIS] = " along", [ALONG_AXES] = " along", [BY_AXES] = " by",
    [BY_COUNTS] = " by", [BY_NUMBER] = " by",     [AS_TYPE] = " as",       [AS_FORM] = " as",
    [AS_METHOD] = " as", [WHERE_HOLDS] = ""};

static const char *const form_text[] = {
    [REALISED_DIRECT] = "direct", [REALISED_CASCADE] = "cascade", [REALISED_PARALLEL] = "parallel"};
static const char *const method_text[] = {[FORM_QUADRUPLE] = "quadruple",
                                          [FORM_MIRRORED] = "mirrored",
                                          [FORM_PADDED] = "padded",
                                          [FORM_REORDERED] = "reordered",
                                          [FORM_THREE_STAGES] = "three_stages"};
enum {
    FORMS = sizeof form_text / sizeof form_text[0],
    METHODS = sizeof method_text / sizeof method_text[0]
};

static const struct {
    const char *word;
    struct detail_directive row;
} words[] = {
#define DIRECTIVE(word, tiles, blocks)
#define DETAIL_DIRECTIVE(word, detail, arguments, value, tiles, blocks)                            \
    {#word, {DETAIL_##detail, arguments, value}},
#include "frontend/directives.def"
#undef DETAIL_DIRECTIVE
#undef DIRECTIVE
};

static bool is_list(const struct ast *word, enum ast_kind kind)
{
    bool all = word->kind == AST_LIST;
    for (size_t i = 0; all && i < word->as.list->count; i++)
        all = word->as.list->item[i]->kind == kind;
    return all;
}

bool directive_has_counts(const struct ast *list)
{
    return is_list(list, AST_NAMED);
}

/* Which of them the last word is; count: none. */
static unsigned word_named(const struct scheduling *s, unsigned count, const char *const text[])
{
    unsigned k = 0;
    while (k < count && !directive_word(s, 3, text[k]))
        k++;
    return k;
}

/* Whether the words behind the stage are those of the form. */
static bool has_form(const struct scheduling *s, enum detail_arguments arguments)
{
    if (s->words->count < 2 || s->words->item[1]->kind != AST_NAME)
        return false;
    if (arguments == NO_VALUES || arguments == WHERE_HOLDS)
        return s->words->count == 2;
    if (s->words->count != 4 || !directive_word(s, 2, preposition[arguments] + 1))
        return false;
    const struct ast *last = s->words->item[3];
    switch (arguments) {
    case ALONG_AXIS:
        return last->kind == AST_NAME;
    case ALONG_AXES:
        return last->kind == AST_NAME || is_list(last, AST_NAME);
    case BY_AXES:
        return is_list(last, AST_NAME);
    case BY_COUNTS:
        return directive_has_counts(last);
    case BY_NUMBER:
        return last->kind == AST_INTEGER;
    case AS_TYPE:
        return directive_word(s, 3, "f32") || directive_word(s, 3, "f64");
    case AS_FORM:
        return word_named(s, FORMS, form_text) < FORMS;
    case AS_METHOD:
        return word_named(s, METHODS, method_text) < METHODS;
    case NO_VALUES:
    case WHERE_HOLDS:
        break;
    }
    return false;
}

static bool reports_number(struct scheduling *s, struct span span, int64_t number, int least,
                           int most)
{
    if (number >= least && number <= most)
        return false;
    REPORT(s->el, E0607, span, least, most, (long long)number);
    return true;
}

static bool add_axis(struct scheduling *s, const struct stage *stage, const struct ast *name,
                     struct detail *detail)
{
    const unsigned axis = directive_axis(s, stage, name->as.name, name->span);
    if (axis == stage->rank)
        return false;
    for (unsigned i = 0; i < detail->count; i++)
        if (detail->value[i] == axis) {
            REPORT(s->el, E0608, name->span, name->as.name->text);
            return false;
        }
    detail->value[detail->count++] = axis;
    return true;
}

static bool add_count(struct scheduling *s, const struct stage *stage, const struct ast *pair,
                      struct detail *detail)
{
    const unsigned axis = directive_axis(s, stage, pair->as.named.name, pair->span);
    const int64_t number = pair->as.named.value->as.integer;
    if (axis == stage->rank || reports_number(s, pair->span, number, 1, MOST_AT_A_TIME))
        return false;
    if (detail->value[axis]) {
        REPORT(s->el, E0608, pair->span, pair->as.named.name->text);
        return false;
    }
    detail->value[axis] = number;
    return true;
}

/* False after a message. */
static bool take_values(struct scheduling *s, const struct stage *stage,
                        const struct detail_directive *row, struct detail *detail)
{
    const struct ast *last = s->words->count > 3 ? s->words->item[3] : NULL;
    const int least = row->detail == DETAIL_PARTS;
    int64_t samples = 1;
    bool good = true;
    switch (row->arguments) {
    case NO_VALUES:
        detail->count = row->detail != DETAIL_THREADS && row->detail != DETAIL_LANES;
        detail->value[0] = row->value;
        break;
    case BY_COUNTS:
        detail->count = stage->rank;
        for (size_t i = 0; good && i < last->as.list->count; i++)
            good = add_count(s, stage, last->as.list->item[i], detail);
        for (unsigned k = 0; good && k < stage->rank; k++) {
            samples *= detail->value[k] ? detail->value[k] : 1;
            good = !reports_number(s, last->span, samples, 1, MOST_AT_A_TIME);
        }
        break;
    case BY_NUMBER:
        detail->count = 1;
        detail->value[0] = last->as.integer;
        good = !reports_number(s, last->span, last->as.integer, least, MOST_NUMBER);
        break;
    case AS_TYPE:
        detail->count = 1;
        detail->value[0] = directive_word(s, 3, "f32") ? 32 : 64;
        break;
    case AS_FORM:
        detail->count = 1;
        detail->value[0] = word_named(s, FORMS, form_text);
        break;
    case AS_METHOD:
        detail->count = 1;
        detail->value[0] = word_named(s, METHODS, method_text);
        break;
    case WHERE_HOLDS:
        return take_version(s, stage, detail);
    case ALONG_AXIS:
    case ALONG_AXES:
    case BY_AXES:
        if (last->kind == AST_NAME)
            return add_axis(s, stage, last, detail);
        for (size_t i = 0; good && i < last->as.list->count; i++)
            good = add_axis(s, stage, last->as.list->item[i], detail);
        break;
    }
    return good;
}

bool take_detail(struct scheduling *s, const struct detail_directive *row)
{
    struct elaborator *el = s->el;
    if (!has_form(s, row->arguments))
        return false;
    struct stage *stage = directive_stage(s, 1);
    if (!stage)
        return true;
    const struct detail *before = stage_says(stage, row->detail);
    if (before && row->arguments != WHERE_HOLDS) {
        struct diagnostic *d = REPORT(el, E0606, s->directive->span, stage->name->text);
        LABEL(el, d, before->span, "this one");
        HELP(el, d, "leave one of them out");
        return true;
    }
    struct stage_details *details =
        stage->details ? arena_copy(el->arena, stage->details, sizeof *stage->details)
                       : ARENA_NEW(el->arena, struct stage_details);
    struct detail *detail = &details->of[row->detail];
    if (!before)
        *detail = (struct detail){.said = true, .span = s->directive->span};
    if (take_values(s, stage, row, detail))
        stage->details = details;
    return true;
}

/* ---- As text ---- */

static bool is_row_of(const struct detail_directive *row, enum stage_detail kind,
                      const struct detail *said)
{
    const bool has_values = kind == DETAIL_THREADS || kind == DETAIL_LANES
                                ? said->count > 0
                                : row->arguments != NO_VALUES;
    return row->detail == kind && has_values == (row->arguments != NO_VALUES) &&
           (row->arguments != NO_VALUES || said->count == 0 || said->value[0] == row->value);
}

static void print_values(struct text *text, const struct stage *stage,
                         enum detail_arguments arguments, const struct detail *said)
{
    const bool one = arguments != BY_COUNTS && arguments != BY_AXES && said->count == 1;
    unsigned printed = 0;
    text_print(text, one ? " " : " (");
    for (unsigned i = 0; i < said->count; i++) {
        if (arguments == BY_COUNTS && said->value[i] == 0)
            continue;
        text_print(text, printed++ ? ", " : "");
        if (arguments == BY_COUNTS)
            text_print(text, "%s: %lld", stage->axis[i].name->text, (long long)said->value[i]);
        else if (arguments == BY_NUMBER || arguments == AS_TYPE)
            text_print(text, arguments == AS_TYPE ? "f%lld" : "%lld", (long long)said->value[i]);
        else if (arguments == AS_FORM)
            text_print(text, "%s", form_text[said->value[i]]);
        else if (arguments == AS_METHOD)
            text_print(text, "%s", method_text[said->value[i]]);
        else
            text_print(text, "%s", stage->axis[said->value[i]].name->text);
    }
    text_print(text, one ? "" : ")");
}

const char *directive_text(struct arena *arena, const struct stage *stage, enum stage_detail detail)
{
    const struct detail *said = stage_says(stage, detail);
    struct text text = text_create(arena);
    size_t i = 0;
    while (!is_row_of(&words[i].row, detail, said))
        i++;
    const enum detail_arguments arguments = words[i].row.arguments;
    for (size_t v = 0; v < said->version_count; v++)
        text_print(&text, "%s%s %s where %s;", v ? "\n    " : "", words[i].word, stage->name->text,
                   said->version[v].text);
    if (said->version_count)
        return text.bytes;
    text_print(&text, "%s %s%s", words[i].word, stage->name->text, preposition[arguments]);
    if (arguments != NO_VALUES)
        print_values(&text, stage, arguments, said);
    text_print(&text, ";");
    return text.bytes;
}
