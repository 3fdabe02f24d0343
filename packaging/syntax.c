/* Syntax files of editors from the compiler's own tables: syntax vim | syntax textmate, to standard
 * output. What a word is, the first list that has it tells. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 100 };

struct word_class {
    const char *vim_group, *vim_link,
        *scope;                   /* the group that it looks like; TextMate's name for it */
    const char *word[MOST_WORDS]; /* ends with NULL */
};

static const struct word_class word_class[] = {
    {"fltKeyword",
     "Keyword",
     "keyword.control.flt",
     {
#define KEYWORD(token, spelling) spelling,
#include "keywords.def"
#undef KEYWORD
     }},
    {"fltType",
     "Type",
     "storage.type.flt",
     {
         "image",
#define SCALAR(name, text, c_type, bytes, class, least, greatest) text,
#include "expr/scalar.def"
#undef SCALAR
     }},
    {"fltFunction",
     "Function",
     "support.function.flt",
     {
#define FUNCTION(name, operation, arguments) name,
#define LATER(name) name,
#include "frontend/functions.def"
#undef FUNCTION
#undef LATER
#define AXES_FUNCTION(kind, name) name,
#include "frontend/axes_functions.def"
#undef AXES_FUNCTION
#define TRANSFORM_FUNCTION(kind, name, norm, says) name,
#include "frontend/transform_functions.def"
#undef TRANSFORM_FUNCTION
         "convolve",
#define REDUCTION(name, text) text,
#include "expr/reductions.def"
#undef REDUCTION
     }},
    {"fltBorder",
     "Constant",
     "constant.language.border.flt",
     {
#define BORDER_NAME(name, rule, values) name,
#include "frontend/border_names.def"
#undef BORDER_NAME
     }},
};
enum { CLASS_COUNT = sizeof word_class / sizeof word_class[0] };

static bool is_known(size_t class_end, size_t word_end, const char *word)
{
    for (size_t c = 0; c <= class_end; c++)
        for (size_t w = 0; word_class[c].word[w] && (c < class_end || w < word_end); w++)
            if (strcmp(word_class[c].word[w], word) == 0)
                return true;
    return false;
}

static void print_words(size_t c, const char *separator)
{
    const char *before = "";
    for (size_t w = 0; word_class[c].word[w]; w++)
        if (!strchr(word_class[c].word[w], ' ') && !is_known(c, w, word_class[c].word[w])) {
            printf("%s%s", before, word_class[c].word[w]);
            before = separator;
        }
}

static void print_vim(void)
{
    printf("\" Vim syntax file of fltc's filters, made from the compiler's tables.\n"
           "if exists(\"b:current_syntax\")\n  finish\nendif\n\n");
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        printf("syntax keyword %s ", word_class[c].vim_group);
        print_words(c, " ");
        printf("\n");
    }
    printf("syntax match fltNumber \"\\<0x\\x\\+\\>\"\n"
           "syntax match fltNumber \"\\<\\d\\+\\(\\.\\d\\+\\)\\=\\([eE][-+]\\=\\d\\+\\)\\=\\>\"\n"
           "syntax match fltNumber \"\\.\\d\\+\\([eE][-+]\\=\\d\\+\\)\\=\\>\"\n"
           "syntax region fltString start=+\"+ end=+\"+ oneline\n"
           "syntax match fltComment \"//.*$\" contains=@Spell\n\n");
    for (size_t c = 0; c < CLASS_COUNT; c++)
        printf("highlight default link %s %s\n", word_class[c].vim_group, word_class[c].vim_link);
    printf("highlight default link fltNumber Number\n"
           "highlight default link fltString String\n"
           "highlight default link fltComment Comment\n\n"
           "let b:current_syntax = \"flt\"\n");
}

static void print_textmate(void)
{
    printf(
        "{\n  \"name\": \"fltc filter\",\n  \"scopeName\": \"source.flt\",\n"
        "  \"fileTypes\": [\"flt\"],\n  \"patterns\": [\n"
        "    {\"name\": \"comment.line.double-slash.flt\", \"match\": \"//.*$\"},\n"
        "    {\"name\": \"string.quoted.double.flt\", \"begin\": \"\\\"\", \"end\": \"\\\"|$\"},\n"
        "    {\"match\": \"\\\\b(filter|fn)\\\\s+([A-Za-z_]\\\\w*)\", \"captures\": {\n"
        "      \"1\": {\"name\": \"keyword.control.flt\"}, \"2\": {\"name\": "
        "\"entity.name.function.flt\"}}},\n"
        "    {\"name\": \"constant.numeric.flt\", \"match\": "
        "\"\\\\b0x[0-9A-Fa-f]+\\\\b|(\\\\b\\\\d+(\\\\.\\\\d+)?|\\\\.\\\\d+)([eE][-+]?\\\\d+)?"
        "\\\\b\"}");
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        printf(",\n    {\"name\": \"%s\", \"match\": \"\\\\b(", word_class[c].scope);
        print_words(c, "|");
        printf(")\\\\b\"}");
    }
    printf("\n  ]\n}\n");
}

int main(int count, char **words)
{
    const char *form = count == 2 ? words[1] : "";
    if (strcmp(form, "vim") == 0)
        print_vim();
    else if (strcmp(form, "textmate") == 0)
        print_textmate();
    else
        fprintf(stderr, "syntax vim | syntax textmate\n");
    return *form == 0;
}
