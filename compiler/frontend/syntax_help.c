/* Habits of other languages and slips of the pen, recognised by the tokens around a syntax error.
 * The first row that fits is taken. */
#include "frontend/syntax_help.h"

#include <ctype.h>
#include <string.h>

#define TYPES " bool u8 i8 u16 i16 u32 i32 i64 f16 f32 f64 "
#define TYPES_OF_C                                                                                 \
    " float double int uint uchar unsigned short long char byte uint8_t uint16_t int32_t size_t "

/* A statement that begins with one of the words, or inside of a filter has it where the error
 * is. */
static const struct {
    const char *words; /* between blanks */
    bool outside;      /* of filters too */
    const char *help;
} habit[] = {
    {" if else switch ", false, "a value is chosen by select(condition, a, b)"},
    {" while do loop until ", false,
     "a number of steps is given, and no condition: repeat 10 { out = 0.5 * out; }"},
    {" break continue ", false,
     "each step is taken; where a sample is to stay, write select(condition, a, out[y, x])"},
    {" print printf disp puts echo imshow imwrite imsave ", false,
     "fltc run saves results with -o FILE, and any other stage with --save NAME=FILE"},
    {" RDom RVar ", false,
     "a reduction has its ranges in brackets: sum[d in -1 .. 1](in[y, x + d])"},
    {" Func Expr Buffer ImageParam vec2 vec3 vec4 ", false,
     "a definition begins with its name; a type comes behind it: a[y, x] : f32 = ...;"},
    {" return ", false, "a filter gives a result by defining it, as in out[y, x] = ...;"},
    {" let ", false,
     "let stands in a block: out[y, x] = { let a = ...; 2 * a }; a number of its own is const a = "
     "2;"},
    {" param ", false, "a parameter is declared in the parentheses behind the filter's name"},
    {" float double int uint uchar unsigned short long char byte uint8_t uint16_t int32_t size_t "
     "bool void var auto ",
     false, "a definition begins with its name; a type comes behind it: a[y, x] : f32 = ...;"},
    {" def define function func fun kernel void float double int image ", true,
     "a filter is written filter name(in : image<f32>[y, x]) -> out : image<f32>[y, x] { ... }"},
    {" let var auto ", true, "a constant of the file is written const a = 2;"},
    {" include using from #include ", true,
     "a module is imported by import std.pyramid; a file by import \"mine.flt\";"},
};

/* NULL: any. A word in `before_that` stands for itself. */
static const struct {
    const char *before_that, *before, *found, *expected, *help;
} slip[] = {
    {"repeat", "until", NULL, NULL,
     "repeat takes a number of steps, and no condition: repeat 100 { ... }"},
    {"repeat", "while", NULL, NULL,
     "repeat takes a number of steps, and no condition: repeat 100 { ... }"},
    {"repeat", "{", NULL, NULL,
     "repeat takes a number of steps, and no condition: repeat 100 { ... }"},
    {"repeat", NULL, "times", NULL, "write repeat 10 { ... }"},
    {"repeat", NULL, "in", NULL,
     "repeat takes the number of steps, and no variable: repeat 10 { ... }"},
    {"repeat", NULL, "=", NULL,
     "repeat takes the number of steps, and no variable: repeat 10 { ... }"},
    {NULL, "<", ">", NULL, "unequal is written !="},
    {NULL, "*", "*", NULL, "a square is written a * a, a power pow(a, b)"},
    {NULL, "<", "-", NULL, "a definition is written with =, as in a = 2;"},
    {NULL, ":", "=", NULL, "a definition is written with =, as in a = 2;"},
    {NULL, NULL, "to", "..", "a range is written 0 .. 9 with its end, or 0 ..< 10 without"},
    {"import", NULL, "as", NULL,
     "modules are those of the library, import std.gaussian; their filters are called by their own "
     "names"},
    {NULL, NULL, "as", ";", "a conversion is written f32(v), u8(v)"},
    {NULL, "import", NULL, NULL,
     "a module is imported by import std.pyramid; a file by import \"mine.flt\";"},
    {"{", "{", NULL, "let", "rows of an array are separated by ';': {1, 2, 1;  2, 4, 2}"},
    {NULL, NULL, "{", "=",
     "the value of a function stands behind '=': fn g(a : f32) -> f32 = 2 * a;"},
    {NULL, NULL, ":", "->", "behind the ')' comes the result: -> out : image<f32>[y, x]"},
    {NULL, NULL, ",", "{",
     "several results stand in parentheses: -> (a : image<f32>[y, x], b : image<f32>[y, x])"},
    {NULL, "lambda", NULL, NULL,
     "a function is written outside of the filter: fn g(a : f32) -> f32 = 2 * a;"},
    {NULL, "end", NULL, NULL, "'}' ends a filter: leave 'end' out"},
    {NULL, "for", NULL, "a name",
     "write for k in 0 ..< 10 { ... }; steps that carry an image on are repeat 10 { ... }"},
    {NULL, ".", "*", NULL, "images are multiplied sample by sample with *"},
    {NULL, ".", "/", NULL, "images are divided sample by sample with /"},
    {NULL, "..", ".", NULL, "a range is written 0 .. 9 with its end, or 0 ..< 10 without"},
    {NULL, NULL, ":", "..", "a range is written 0 .. 9 with its end, or 0 ..< 10 without"},
    {NULL, NULL, "{", "..", "a range is written 0 .. 9 with its end, or 0 ..< 10 without"},
    {NULL, NULL, ")", "..", "a range is written 0 .. 9 with its end, or 0 ..< 10 without"},
    {NULL, NULL, "=>", NULL, "write ->"},
    {NULL, NULL, "=", "->", "write ->"},
    {NULL, NULL, "=", "]", "close the bracket with ']'"},
    {NULL, NULL, ";", "]", "close the bracket with ']'"},
    {NULL, NULL, ";", ")", "close the parenthesis with ')'"},
    {NULL, NULL, "=", "==", "to compare, write =="},
    {NULL, "border", "=", NULL, "write border clamp;"},
    {NULL, "fast", NULL, "filter",
     "fast stands before filter, or around an expression: fast(a * b + c)"},
    {NULL, NULL, ")", ";", "this ')' has no '(' to close"},
    {NULL, NULL, "]", ";", "this ']' has no '[' to close"},
    {NULL, NULL, "and", NULL, "write &&"},
    {NULL, NULL, "or", NULL, "write ||"},
    {NULL, "not", NULL, NULL, "write !"},
    {NULL, NULL, "in", ")", "ranges stand in brackets, as in sum[d in -1 .. 1](...)"},
    {NULL, NULL, ";", "}", "the value at the end of a block has no ';' behind it"},
    {NULL, "{", NULL, "let",
     "braces hold let ...; before a value; for a mere value use parentheses"},
    {NULL, NULL, "{", "->", "behind the ')' comes the result: -> out : image<f32>[y, x]"},
    {NULL, NULL, "[", "<", "the type of an image is written image<f32>[y, x]"},
    {NULL, "std", "/", NULL, "a module is imported by import std.pyramid;"},
};

static bool fits(const char *wanted, const char *word)
{
    return !wanted || strcmp(wanted, word) == 0;
}

bool syntax_expects(const struct syntax_error *error, const char *token)
{
    for (size_t i = 0; i < error->count; i++)
        if (strcmp(error->expected[i], token) == 0)
            return true;
    return false;
}

static bool is_word_of(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(words, word); length && at; at = strstr(at + 1, word))
        if (at > words && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static const char *find_slip(const struct syntax_error *e)
{
    if (e->is_outside && strcmp(e->found, ";") == 0 && syntax_expects(e, ","))
        return "images and parameters are separated by ','";
    for (size_t i = 0; i < sizeof slip / sizeof slip[0]; i++)
        if (fits(slip[i].before_that, e->before_that) && fits(slip[i].before, e->before) &&
            fits(slip[i].found, e->found) &&
            (!slip[i].expected || syntax_expects(e, slip[i].expected)))
            return slip[i].help;
    return NULL;
}

static const char *find_habit(const struct syntax_error *e)
{
    for (size_t i = 0; i < sizeof habit / sizeof habit[0]; i++)
        if (habit[i].outside == e->is_outside &&
            (is_word_of(habit[i].words, e->first) ||
             (!e->is_outside &&
              (is_word_of(habit[i].words, e->found) || is_word_of(habit[i].words, e->before)))))
            return habit[i].help;
    return NULL;
}

static bool ends_operand(const char *token)
{
    return isalnum((unsigned char)token[0]) || token[0] == '_' || token[0] == '.' ||
           strcmp(token, ")") == 0 || strcmp(token, "]") == 0;
}

static bool begins_operand(const char *token)
{
    return isalnum((unsigned char)token[0]) || token[0] == '_' || strcmp(token, "(") == 0;
}

static bool is_number(const char *token)
{
    return isdigit((unsigned char)token[0]) || token[0] == '.' || strcmp(token, "-") == 0;
}

static bool is_comparison(const char *token)
{
    return is_word_of(" < <= > >= == != ", token);
}

static bool is_followed_by(const struct syntax_error *e, char c)
{
    size_t i = e->after;
    while (i < e->length && e->text[i] == ' ')
        i++;
    return i + 1 < e->length && e->text[i] == c && e->text[i + 1] != c;
}

/* Of signatures: choices, axes and texts that are written as elsewhere. */
static const char *find_shape_of_signature(const struct syntax_error *e)
{
    const bool begins_list = strcmp(e->before, "{") == 0 &&
                             (!syntax_expects(e, "let") || strcmp(e->before_that, "in") == 0);
    if (e->is_outside && syntax_expects(e, "{") && is_word_of(" : ; ", e->found))
        return "the body stands in braces: { out = in; }";
    if (begins_list && is_number(e->found))
        return "choices are names, such as {soft, hard}; a number has a range, and the filter may "
               "require more: param k : i32 = 3 in 3 .. 7, then require k % 2 == 1;";
    if (e->found[0] == '"' && (begins_list || strcmp(e->before, "=") == 0))
        return "choices are names without quotes: param mode : {soft, hard} = soft";
    if (isdigit((unsigned char)e->found[0]) && syntax_expects(e, "a name") &&
        (strcmp(e->before, "[") == 0 || strcmp(e->before, ",") == 0))
        return "axes have names, image<f32>[y, x, c]; an extent may be required in the filter: "
               "require in.c == 3;";
    return NULL;
}

/* in[1:, :], in[..., 0], [1 2 1] */
static const char *find_slice(const struct syntax_error *e)
{
    if (strcmp(e->found, ":") == 0 &&
        (strcmp(e->before, "[") == 0 || strcmp(e->before, ",") == 0 || syntax_expects(e, "]")))
        return "a part of an image is a stage with a written box: part[y in 1 ..< in.y, x] = in[y, "
               "x];";
    if (strcmp(e->found, "..") == 0 && strcmp(e->before, "[") == 0)
        return "there is an index for each axis, as in in[y, x, 0]";
    if (is_number(e->before) && is_number(e->found) && syntax_expects(e, "]"))
        return "an array of constants is written const k[y in -1 .. 1, x in -1 .. 1] = {1, 2, 1;  "
               "2, 4, "
               "2;  1, 2, 1};";
    return NULL;
}

/* What the tokens' kinds tell rather than their spelling. */
static const char *find_shape(const struct syntax_error *e)
{
    const bool is_statement = !e->is_outside && strcmp(e->before, e->first) == 0;
    const char *slice = e->is_outside ? NULL : find_slice(e);
    if (slice)
        return slice;
    if (is_comparison(e->found) && ends_operand(e->before) && syntax_expects(e, "+"))
        return "comparisons are joined by &&: 0 < a && a < 1";
    if (strcmp(e->found, "==") == 0 && !syntax_expects(e, "+"))
        return "a definition is written with =, as in a = 2;";
    if (is_statement && is_word_of(" + - ", e->found) && e->text[e->after] == e->found[0])
        return "a name has one value; the next one has another name: m = n + 1;";
    if (is_statement && strcmp(e->found, ",") == 0)
        return "names are defined one by one: a = ...; b = ...;";
    if (strcmp(e->found, "where") == 0 && !syntax_expects(e, "where"))
        return "a value is chosen by select(condition, a, b)";
    if (strcmp(e->found, "%") == 0 && strcmp(e->before, ";") == 0)
        return "a comment begins with //";
    if (strcmp(e->found, ":") == 0 && e->text[e->after] == ':')
        return "names have nothing before them: write max(a, b)";
    if (strcmp(e->before, ")") == 0 && is_word_of(TYPES_OF_C, e->before_that) &&
        begins_operand(e->found))
        return "a conversion is written f32(v), u8(v)";
    if (is_word_of(TYPES, e->before) && begins_operand(e->found))
        return "a conversion is written f32(v), u8(v)";
    if (is_statement && strcmp(e->found, "(") == 0)
        return "samples are named by brackets, as in out[y, x] = in[y, x];";
    if (strcmp(e->found, ",") == 0 && isdigit((unsigned char)e->before[0]) &&
        syntax_expects(e, ";"))
        return "numbers are written with a point, as in 0.5";
    if (e->count == 1 && syntax_expects(e, ":") && strcmp(e->before_that, "->") == 0)
        return "a result has a name: -> out : image<f32>[y, x]";
    if (e->count == 1 && syntax_expects(e, ":"))
        return "a name comes before its type: in : image<f32>[y, x], param s : f32 = 1";
    if (!e->is_outside && is_word_of(" fn filter extern import ", e->found))
        return "this stands outside of the braces of a filter";
    if (e->is_keyword && strcmp(e->found, "in") != 0 && !syntax_expects(e, ";"))
        return "this word belongs to the language; choose another name";
    if (e->follows_keyword && is_statement && is_word_of(" = [ : += ( ", e->found))
        return "the word before it belongs to the language; choose another name";
    if (syntax_expects(e, "+") && ends_operand(e->before) && begins_operand(e->found))
        return syntax_expects(e, ",") ? "an operator or ',' is missing before it"
                                      : "an operator is missing; a product is written 2 * a";
    if (syntax_expects(e, "an integer") && !begins_operand(e->found))
        return "a value is missing before it";
    if (e->is_outside && strcmp(e->before, "") == 0 && is_followed_by(e, '='))
        return "a constant of the file is written const a = 2;";
    if (e->is_outside && strcmp(e->before, "") == 0)
        return "a file holds imports and filters: filter name(in : image<f32>[y, x]) -> out : "
               "image<f32>[y, x] { ... }";
    if (e->is_outside && strcmp(e->found, "}") == 0)
        return "this '}' has no '{' to close";
    return NULL;
}

const char *syntax_help(struct arena *arena, const struct syntax_error *error)
{
    const char *help = find_shape_of_signature(error);
    if (!help)
        help = syntax_help_of_ranges(arena, error);
    if (!help)
        help = find_habit(error);
    if (!help)
        help = find_slip(error);
    return help ? help : find_shape(error);
}
