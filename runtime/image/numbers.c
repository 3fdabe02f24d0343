#include "image/numbers.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool flt_count_of(const char *text, size_t length, uint32_t *count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        number = 10 * number + (uint64_t)(text[i] - '0');
        if (number > INT32_MAX)
            return false;
    }
    *count = (uint32_t)number;
    return length > 0;
}

/* The locale in which a point is a point; the caller frees it. */
static locale_t plain_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

bool flt_real_of(const char *text, size_t length, double *value)
{
    char copy[64];
    if (length == 0 || length >= sizeof copy || !strchr("+-.0123456789", text[0]))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end = copy;
    const locale_t plain = plain_locale();
    if (!plain)
        return false;
    *value = strtod_l(copy, &end, plain);
    freelocale(plain);
    return *end == '\0' && end > copy && isfinite(*value);
}

bool flt_odd_real_of(const char *text, size_t length, double *value)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {{"nan", NAN}, {"inf", INFINITY}, {"+inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == length && strncasecmp(text, names[i].name, length) == 0) {
            *value = names[i].value;
            return true;
        }
    return false;
}

/* With digits from the fewest to the most that any value takes. */
static void print_shortest(double value, int fewest, int most, char text[FLT_REAL_TEXT])
{
    const locale_t plain = plain_locale();
    const locale_t before = plain ? uselocale(plain) : (locale_t)0;
    if (isnan(value)) /* whose sign means nothing */
        value = (double)NAN;
    for (int digits = fewest; digits <= most; digits++) {
        snprintf(text, FLT_REAL_TEXT, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if ((most > 9 ? back : (double)(float)back) == value)
            break;
    }
    if (!plain)
        return;
    uselocale(before);
    freelocale(plain);
}

void flt_print_real(double value, char text[FLT_REAL_TEXT])
{
    print_shortest(value, 15, 17, text);
}

void flt_print_float(float value, char text[FLT_REAL_TEXT])
{
    print_shortest((double)value, 6, 9, text);
}

/* By continued fractions: each is the nearest of all with a denominator that is not greater. */
bool flt_fraction_of(double value, uint32_t *numerator, uint32_t *denominator)
{
    double above = 1, below = 0, above_before = 0, below_before = 1, rest = value;
    if (!(value > 0) || value > UINT32_MAX)
        return false;
    for (int step = 0; step < 64; step++) {
        const double whole = floor(rest);
        const double next_above = whole * above + above_before,
                     next_below = whole * below + below_before;
        if (next_above > UINT32_MAX || next_below > UINT32_MAX)
            break;
        above_before = above;
        below_before = below;
        above = next_above;
        below = next_below;
        if (above / below == value || !(rest > whole))
            break;
        rest = 1 / (rest - whole);
    }
    if (!(above > 0) || !(below > 0) || !(fabs(above / below - value) <= 1e-9 * value))
        return false;
    *numerator = (uint32_t)above;
    *denominator = (uint32_t)below;
    return true;
}
