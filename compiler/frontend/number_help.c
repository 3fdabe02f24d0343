/* What was likely meant by a number that is not written as the language writes numbers: "2." is
 * 2.0, "0.5f" is 0.5, "2x" is 2 * x. */
#include "frontend/number_help.h"

#include <ctype.h>
#include <string.h>

static size_t digits_at(const char *text)
{
    size_t count = 0;
    while (isdigit((unsigned char)text[count]))
        count++;
    return count;
}

/* The length of "e-3", or 0. */
static size_t exponent_at(const char *text)
{
    const size_t sign = (text[0] | 32) == 'e' && (text[1] == '+' || text[1] == '-') ? 2 : 1;
    const size_t digits = (text[0] | 32) == 'e' ? digits_at(text + sign) : 0;
    return digits ? sign + digits : 0;
}

static bool is_one_of(const char *word, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], word) == 0)
            return true;
    return false;
}

const char *number_meant(struct arena *arena, const char *written, enum number_slip *slip)
{
    static const char *const real_ending[] = {"f", "F"};
    static const char *const whole_ending[] = {"u", "U", "l", "L", "ul", "UL", "ull", "ll", "LL"};
    const size_t whole = digits_at(written);
    const bool has_point = written[whole] == '.';
    const char *behind = written + whole + has_point;
    const size_t fraction = has_point ? digits_at(behind) : 0;
    const size_t exponent = exponent_at(behind + fraction);
    const char *ending = behind + fraction + exponent;
    const bool is_real_ending =
        is_one_of(ending, real_ending, sizeof real_ending / sizeof real_ending[0]);
    const bool is_ending =
        is_real_ending ||
        (!has_point && !exponent &&
         is_one_of(ending, whole_ending, sizeof whole_ending / sizeof whole_ending[0]));
    const char *point = has_point || (is_real_ending && !exponent) ? "." : "";
    const char *number = arena_format(
        arena, "%s%.*s%s%.*s%s%.*s", whole ? "" : "0", (int)whole, written, point, (int)fraction,
        behind, *point && !fraction ? "0" : "", (int)exponent, behind + fraction);
    *slip = has_point && !fraction ? NUMBER_ENDS_WITH_POINT
            : is_ending            ? NUMBER_HAS_ENDING
                                   : NUMBER_RUNS_INTO_NAME;
    if (!*ending || is_ending)
        return number;
    const bool is_hexadecimal = strncmp(written, "0x", 2) == 0 || strncmp(written, "0X", 2) == 0;
    return is_hexadecimal || (ending[0] | 32) == 'e'
               ? NULL
               : arena_format(arena, "%s * %s", number, ending);
}
