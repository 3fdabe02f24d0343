/* Prints the texts of helpers, the small functions of emitted files, as tables of C: in C, and in
 * the words of the languages whose helpers are no plain C (emit/launch/spellings.def). */
#include "emit/helper_texts.h"
#include "expr/scalar.h"
#include "spell.h"
#include "support/vector.h"

#include <stdio.h>
#include <string.h>

/* elementary_texts.c, made by the Makefile. They end with a NULL name. */
extern const struct helper_text elementary_texts[], given_texts[];

struct texts { /* a VECTOR */
    struct helper_text *item;
    size_t count, capacity;
};

/* ---- Rows of helpers.def ---- */

static const struct {
    const char *pattern, *types, *text;
} helper[] = {
#define HELPER(pattern, types, text) {pattern, types, text},
#include "emit/kernel/helpers.def"
#undef HELPER
};

static const char *c_type(const char *suffix)
{
    const enum scalar scalar = scalar_from_text(suffix);
    return scalar == SCALAR_COUNT ? "" : scalar_info[scalar].c_type;
}

static void add_pattern(struct texts *texts, struct arena *arena, const char *pattern,
                        const char *name, const char *suffix)
{
    struct text text = text_create(arena);
    for (const char *c = pattern; *c; c++) {
        if (c[0] != '$') {
            text_append(&text, c, 1);
            continue;
        }
        c++;
        text_print(&text, "%s", *c == 'T' ? c_type(suffix) : *c == 'N' ? name : suffix);
    }
    VECTOR_PUSH(arena, texts, (struct helper_text){name, text.bytes, NULL});
}

static void add_rows(struct texts *texts, struct arena *arena)
{
    for (size_t i = 0; i < sizeof helper / sizeof helper[0]; i++)
        for (const char *at = helper[i].types; *at; at += strspn(at, " ")) {
            const char *suffix = arena_text(arena, at, strcspn(at, " "));
            const char *name = arena_format(arena, "flt_%s_%s", helper[i].pattern, suffix);
            add_pattern(texts, arena, helper[i].text, name, suffix);
            at += strlen(suffix);
        }
}

/* ---- Conversions ---- */

/* Narrow types: the value is limited first, so that the conversion is a plain one. The rounded
 * value is never -0: without trapping math gcc takes it itself for the integer made of it and
 * turned back into a float. */
static void print_narrow_conversion(struct text *out, const char *name, enum scalar to,
                                    enum scalar from, const char *rounding)
{
    const struct scalar_info *t = &scalar_info[to];
    const char *letter = from == SCALAR_F32 ? "f" : "";
    const char *type = scalar_info[from].c_type;
    text_print(out, "static inline %s %s(%s v)\n{\n", t->c_type, name, type);
    if (t->interval.least == 0)
        text_print(out, "    v = v > 0 ? v : 0; /* NaN too */\n");
    else
        text_print(out, "    v = v == v ? v : 0;\n    v = v > %lld.0%s ? v : %lld.0%s;\n",
                   (long long)t->interval.least, letter, (long long)t->interval.least, letter);
    text_print(out, "    v = v < %lld.0%s ? v : %lld.0%s;\n    return (%s)",
               (long long)t->interval.greatest, letter, (long long)t->interval.greatest, letter,
               t->c_type);
    text_print(out, t->interval.least == 0 ? "%s%s(v);\n}\n" : "(%s%s(v) + 0); /* not -0 */\n}\n",
               rounding, letter);
}

/* Wide types, whose greatest value is no float: compared with the power of two above it. */
static void print_wide_conversion(struct text *out, const char *name, enum scalar to,
                                  enum scalar from, const char *rounding)
{
    const struct scalar_info *t = &scalar_info[to];
    const char *letter = from == SCALAR_F32 ? "f" : "";
    const char *upper = to == SCALAR_U32   ? "4294967296.0"
                        : to == SCALAR_I32 ? "2147483648.0"
                                           : "9223372036854775808.0";
    const char *least = to == SCALAR_U32 ? "0" : to == SCALAR_I32 ? "INT32_MIN" : "INT64_MIN";
    const char *most = to == SCALAR_U32   ? "UINT32_MAX"
                       : to == SCALAR_I32 ? "INT32_MAX"
                                          : "INT64_MAX";
    text_print(out, "static inline %s %s(%s v)\n{\n", t->c_type, name, scalar_info[from].c_type);
    text_print(out, "    if (v != v)\n        return 0;\n    v = %s%s(v)%s\n", rounding, letter,
               to == SCALAR_U32 ? ";" : " + 0; /* not -0 */");
    text_print(out, "    if (v >= %s%s)\n        return %s;\n", upper, letter, most);
    if (to == SCALAR_U32)
        text_print(out, "    return v > 0 ? (uint32_t)v : 0;\n}\n");
    else
        text_print(out, "    return v < -%s%s ? %s : (%s)v;\n}\n", upper, letter, least, t->c_type);
}

static void print_saturation(struct text *out, const char *name, enum scalar to, enum scalar from)
{
    const struct scalar_info *t = &scalar_info[to];
    const char *type = scalar_info[from].c_type;
    text_print(out, "static inline %s %s(%s v)\n{\n", t->c_type, name, type);
    const struct interval lane = scalar_info[from].interval;
    if (t->interval.least > lane.least)
        text_print(
            out, "    if (v < %lld%s)\n        return %lld%s;\n",
            (long long)t->interval.least + (to == SCALAR_I32), to == SCALAR_I32 ? " - 1" : "",
            (long long)t->interval.least + (to == SCALAR_I32), to == SCALAR_I32 ? " - 1" : "");
    if (t->interval.greatest < lane.greatest)
        text_print(out,
                   to == SCALAR_U32 ? "    if (v > INT64_C(%lld))\n        return %lldU;\n"
                                    : "    if (v > %lld)\n        return %lld;\n",
                   (long long)t->interval.greatest, (long long)t->interval.greatest);
    text_print(out, "    return (%s)v;\n}\n", t->c_type);
}

/* flt_u8_round_f32, flt_i16_trunc_f64, flt_u8_saturate_i32 */
static void add_conversion(struct texts *texts, struct arena *arena, enum scalar to,
                           const char *how, enum scalar from)
{
    struct text text = text_create(arena);
    const char *name =
        arena_format(arena, "flt_%s_%s_%s", scalar_info[to].text, how, scalar_info[from].text);
    const char *rounding = strcmp(how, "round") == 0 ? "rint" : "trunc";
    if (strcmp(how, "saturate") == 0)
        print_saturation(&text, name, to, from);
    else if (scalar_info[to].bytes < 4)
        print_narrow_conversion(&text, name, to, from, rounding);
    else
        print_wide_conversion(&text, name, to, from, rounding);
    VECTOR_PUSH(arena, texts, (struct helper_text){name, text.bytes, NULL});
}

static void add_conversions(struct texts *texts, struct arena *arena)
{
    for (enum scalar to = 0; to < SCALAR_COUNT; to++) {
        if (scalar_is_float(to))
            continue;
        for (enum scalar from = SCALAR_F32; from <= SCALAR_F64; from++) {
            add_conversion(texts, arena, to, "round", from);
            add_conversion(texts, arena, to, "trunc", from);
        }
        add_conversion(texts, arena, to, "saturate", SCALAR_I32);
        add_conversion(texts, arena, to, "saturate", SCALAR_I64);
    }
}

/* ---- Tables ---- */

static void print_string(const char *text)
{
    printf("    \"");
    for (; *text; text++)
        printf(*text == '\n' ? "\\n\"\n    \"" : strchr("\"\\", *text) ? "\\%c" : "%c", *text);
    printf("\"");
}

/* spelled: as it is printed. among: what it may mention. */
static void print_text(const struct helper_text *text, const char *spelled,
                       const struct helper_text among[])
{
    printf("{\"%s\",\n", text->name);
    print_string(spelled);
    printf(",\n    (const char *const[]){");
    for (; among->name; among++)
        if (strcmp(among->name, text->name) != 0 && text_mentions(text->text, among->name))
            printf("\"%s\", ", among->name);
    printf("0}},\n");
}

static void open_table(const char *name)
{
    printf("extern const struct helper_text %s[];\nconst struct helper_text %s[] = {\n", name,
           name);
}

static void print_table(const char *name, const struct helper_text texts[],
                        const struct helper_text among[])
{
    open_table(name);
    for (const struct helper_text *text = texts; text->name; text++)
        print_text(text, text->text, among);
    printf("{0, 0, 0}};\n");
}

/* Texts may call functions of texts behind them: what those are is known the second time. */
static void print_spelled(struct arena *arena, const char *name, const struct words *words,
                          const struct helper_text texts[])
{
    struct speller speller = {.arena = arena, .words = words};
    open_table(name);
    for (int time = 0; time < 2; time++)
        for (const struct helper_text *text = texts; text->name; text++) {
            const struct text spelled = spell(&speller, text->text);
            if (time)
                print_text(text, spelled.bytes, texts);
        }
    printf("{0, 0, 0}};\n");
}

static void add_texts(struct texts *texts, struct arena *arena, const struct helper_text text[])
{
    for (; text->name; text++)
        VECTOR_PUSH(arena, texts, *text);
}

int main(void)
{
    struct arena *arena = arena_create();
    struct texts texts = {0};
    add_texts(&texts, arena, elementary_texts);
    add_rows(&texts, arena);
    add_conversions(&texts, arena);
    VECTOR_PUSH(arena, &texts, (struct helper_text){0});
    printf("#include \"emit/helper_texts.h\"\n");
    print_table("helpers_in_c", texts.item, texts.item);
#define SPELLING(language, function, local, lanes, memory, product_f32, product_f64, quotient_f32, \
                 quotient_f64)                                                                     \
    print_spelled(arena, "helpers_in_" #language,                                                  \
                  &(const struct words){function,                                                  \
                                        local,                                                     \
                                        lanes,                                                     \
                                        memory,                                                    \
                                        {NULL, product_f32, product_f64},                          \
                                        {NULL, quotient_f32, quotient_f64}},                       \
                  texts.item);
#include "emit/launch/spellings.def"
#undef SPELLING
    texts.count--; /* a given text may mention others, too */
    add_texts(&texts, arena, given_texts);
    VECTOR_PUSH(arena, &texts, (struct helper_text){0});
    print_table("given_helpers", given_texts, texts.item);
    arena_destroy(arena);
    return 0;
}
