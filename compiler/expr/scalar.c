/* The table of element types. */
#include "expr/scalar.h"

#include <string.h>

const struct scalar_info scalar_info[SCALAR_COUNT] = {
#define SCALAR(name, text, c, bytes, class, least, greatest)                                       \
    [SCALAR_##name] = {text, c, bytes, CLASS_##class, {least, greatest}},
#include "expr/scalar.def"
#undef SCALAR
};

enum scalar scalar_from_text(const char *text)
{
    unsigned i = 0;
    while (i < SCALAR_COUNT && strcmp(scalar_info[i].text, text) != 0)
        i++;
    return (enum scalar)i;
}

enum scalar scalar_holding(struct interval interval)
{
    unsigned i = SCALAR_U8;
    while (i < SCALAR_I64 && !interval_inside(interval, scalar_info[i].interval))
        i++;
    return (enum scalar)i;
}

enum scalar scalar_width(struct interval interval)
{
    return interval_inside(interval, scalar_info[SCALAR_I32].interval) ? SCALAR_I32 : SCALAR_I64;
}
