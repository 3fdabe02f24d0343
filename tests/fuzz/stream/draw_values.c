/* Expressions of integers and of truth, with the intervals that they surely stay in. */
#include "stream/drawing.h"

enum { WIDE = 1 << 30 };
static const struct {
    const char *name;
    int64_t least, greatest;
} type[] = {{"u8", 0, 255},         {"i8", -128, 127},      {"u16", 0, 65535},
            {"i16", -32768, 32767}, {"u32", 0, 4294967295}, {"i32", -2147483648LL, 2147483647}};

struct drawn draw_number(struct drawer *d, int64_t least, int64_t greatest)
{
    const int64_t value = least + (int64_t)(random_next(&d->random) >> 8) % (greatest - least + 1);
    return (struct drawn){value < 0 ? FORMAT(d, "(%lld)", (long long)value)
                                    : FORMAT(d, "%lld", (long long)value),
                          value, value};
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

struct drawn draw_converted(struct drawer *d, struct drawn value, const char **name)
{
    const unsigned t = draw_below(d, draw_chance(d, 95) ? 4 : 6);
    *name = type[t].name;
    if (value.least >= type[t].least && value.greatest <= type[t].greatest && draw_chance(d, 80))
        return value;
    return (struct drawn){
        FORMAT(d, draw_chance(d, 30) ? "wrap<%s>(%s)" : "%s(%s)", type[t].name, value.text),
        type[t].least, type[t].greatest};
}

struct drawn draw_narrowed(struct drawer *d, struct drawn value)
{
    const char *name;
    if (value.least >= -WIDE && value.greatest <= WIDE && draw_chance(d, 97))
        return value;
    if (draw_chance(d, 60))
        return draw_converted(d, value, &name);
    const struct drawn low = draw_number(d, -2000, 0), high = draw_number(d, 1, 3000);
    return (struct drawn){FORMAT(d, "clamp(%s, %s, %s)", value.text, low.text, high.text),
                          low.least, high.least};
}

/* Held to where bit operations and tables take it. */
static struct drawn positive(struct drawer *d, struct drawn value, int64_t most)
{
    if (value.least >= 0 && value.greatest <= most)
        return value;
    return (struct drawn){FORMAT(d, "clamp(%s, 0, %lld)", value.text, (long long)most), 0, most};
}

/* ---- Leaves ---- */

static struct drawn coordinate(struct scope *s)
{
    struct drawer *d = s->d;
    const enum along a = s->has[ALONG_Y] && draw_chance(d, 50) ? ALONG_Y : ALONG_X;
    return (struct drawn){along_name[a], -4, 4294967295};
}

static struct drawn of_table(struct scope *s, int depth)
{
    struct drawer *d = s->d;
    const struct table table = d->tables.item[draw_below(d, (unsigned)d->tables.count)];
    struct drawn at = draw_value(s, depth - 1);
    if (at.least < 0 || at.greatest > table.last)
        at.text = (table.last & (table.last + 1)) == 0 && at.least >= 0 && draw_chance(d, 50)
                      ? FORMAT(d, "%s & %d", at.text, table.last)
                      : FORMAT(d, "clamp(%s, 0, %d)", at.text, table.last);
    return (struct drawn){FORMAT(d, "%s[%s]", table.name, at.text), table.least, table.greatest};
}

static struct drawn leaf(struct scope *s)
{
    struct drawer *d = s->d;
    const unsigned any = draw_below(d, 100);
    if (any < 10)
        return draw_number(d, -20, 300);
    if (any < 16)
        return coordinate(s);
    if (any < 26 && d->parameters.count)
        return d->parameters.item[draw_below(d, (unsigned)d->parameters.count)];
    if (any < 45 && s->locals)
        return s->local[draw_below(d, s->locals)];
    return s->sources ? draw_read(s, draw_below(d, s->sources)) : draw_number(d, -20, 300);
}

/* ---- Operations ---- */

static struct drawn sum_of(struct drawer *d, struct drawn a, struct drawn b)
{
    if (draw_chance(d, 55))
        return (struct drawn){FORMAT(d, "(%s + %s)", a.text, b.text), a.least + b.least,
                              a.greatest + b.greatest};
    return (struct drawn){FORMAT(d, "(%s - %s)", a.text, b.text), a.least - b.greatest,
                          a.greatest - b.least};
}

static struct drawn product_of(struct drawer *d, struct drawn a, struct drawn b)
{
    static const int64_t ends[2] = {INT64_MAX, INT64_MIN};
    struct drawn out = {NULL, ends[0], ends[1]};
    if (draw_chance(d, 60))
        b = draw_number(d, -9, 20);
    a = draw_narrowed(d, a);
    b = draw_narrowed(d, b);
    const int64_t x[2] = {a.least, a.greatest}, y[2] = {b.least, b.greatest};
    for (unsigned i = 0; i < 4; i++) {
        out.least = lesser(out.least, x[i / 2] * y[i % 2]);
        out.greatest = larger(out.greatest, x[i / 2] * y[i % 2]);
    }
    out.text = FORMAT(d, "(%s * %s)", a.text, b.text);
    return out;
}

/* By a constant; now and then by a value, which is refused. */
static struct drawn quotient_of(struct drawer *d, struct drawn a, struct drawn b)
{
    const int64_t most = larger(larger(a.greatest, -a.least), 1);
    if (draw_chance(d, 2))
        return (struct drawn){FORMAT(d, "(%s / %s)", a.text, b.text), -most, most};
    const int64_t by = draw_chance(d, 40) ? (int64_t)1 << draw_below(d, 9)
                                          : draw_between(d, 1, draw_chance(d, 20) ? 3000 : 30);
    if (draw_chance(d, 35))
        return (struct drawn){FORMAT(d, "(%s %% %lld)", a.text, (long long)by), 0, by - 1};
    if (draw_chance(d, 5))
        return (struct drawn){FORMAT(d, "(%s / (-%lld))", a.text, (long long)by), -most, most};
    return (struct drawn){FORMAT(d, "(%s / %lld)", a.text, (long long)by), a.least < 0 ? -most : 0,
                          most};
}

static struct drawn shift_of(struct drawer *d, struct drawn a)
{
    const unsigned by = draw_below(d, 6);
    a = draw_narrowed(d, a);
    if (draw_chance(d, 40))
        return (struct drawn){FORMAT(d, "(%s << %u)", a.text, by), a.least * (1 << by),
                              a.greatest * (1 << by)};
    return (struct drawn){FORMAT(d, "(%s >> %u)", a.text, by), lesser(a.least, -1) * (a.least < 0),
                          larger(a.greatest, 0)};
}

static struct drawn bits_of(struct drawer *d, struct drawn a, struct drawn b)
{
    static const char *const word[] = {"&", "|", "^"};
    a = positive(d, a, 1023);
    b = draw_chance(d, 50) ? draw_number(d, 0, 255) : positive(d, b, 255);
    return (struct drawn){FORMAT(d, "(%s %s %s)", a.text, word[draw_below(d, 3)], b.text), 0,
                          larger(larger(2 * a.greatest, 2 * b.greatest), 1)};
}

static struct drawn function_of(struct drawer *d, struct drawn a, struct drawn b)
{
    const unsigned any = draw_below(d, 4);
    if (any == 0)
        return (struct drawn){FORMAT(d, "abs(%s)", a.text), 0,
                              larger(larger(a.greatest, -a.least), 0)};
    if (any == 1)
        return (struct drawn){FORMAT(d, "min(%s, %s)", a.text, b.text), lesser(a.least, b.least),
                              lesser(a.greatest, b.greatest)};
    if (any == 2)
        return (struct drawn){FORMAT(d, "max(%s, %s)", a.text, b.text), larger(a.least, b.least),
                              larger(a.greatest, b.greatest)};
    const struct drawn low = draw_number(d, -99, 40), high = draw_number(d, 41, 500);
    return (struct drawn){FORMAT(d, "clamp(%s, %s, %s)", a.text, low.text, high.text), low.least,
                          high.least};
}

static struct drawn let_of(struct scope *s, int depth)
{
    struct drawer *d = s->d;
    const char *name = FORMAT(d, "l%u", ++d->names);
    const struct drawn value = draw_value(s, depth - 1);
    if (s->locals == MOST_LOCALS)
        return value;
    s->local[s->locals++] = (struct drawn){name, value.least, value.greatest};
    struct drawn out = sum_of(d, s->local[s->locals - 1], draw_value(s, depth - 1));
    s->locals--;
    out.text = FORMAT(d, "{ let %s = %s; %s }", name, value.text, out.text);
    return out;
}

static struct drawn choice_of(struct scope *s, int depth)
{
    struct drawer *d = s->d;
    const char *condition = draw_truth(s, depth - 1);
    const struct drawn a = draw_value(s, depth - 1), b = draw_value(s, depth - 1);
    return (struct drawn){FORMAT(d, "select(%s, %s, %s)", condition, a.text, b.text),
                          lesser(a.least, b.least), larger(a.greatest, b.greatest)};
}

static struct drawn operation(struct scope *s, int depth)
{
    struct drawer *d = s->d;
    const unsigned any = draw_below(d, 100);
    const char *name;
    if (any < 14)
        return choice_of(s, depth);
    if (any < 19)
        return let_of(s, depth);
    if (any < 26 && d->tables.count)
        return of_table(s, depth);
    const struct drawn a = draw_value(s, depth - 1);
    if (any < 32)
        return draw_converted(d, a, &name);
    if (any < 40)
        return shift_of(d, a);
    const struct drawn b = draw_value(s, depth - 1);
    if (any < 62)
        return sum_of(d, a, b);
    if (any < 72)
        return product_of(d, a, b);
    if (any < 80)
        return quotient_of(d, a, b);
    return any < 86 ? bits_of(d, a, b) : function_of(d, a, b);
}

struct drawn draw_value(struct scope *s, int depth)
{
    if (depth <= 0 || draw_chance(s->d, 15))
        return leaf(s);
    return draw_narrowed(s->d, operation(s, depth));
}

const char *draw_truth(struct scope *s, int depth)
{
    static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
    struct drawer *d = s->d;
    const unsigned any = draw_below(d, 100);
    if (any < 12 && d->truths.count)
        return d->truths.item[draw_below(d, (unsigned)d->truths.count)];
    if (any < 30 && depth > 0) {
        const char *a = draw_truth(s, depth - 1), *b = draw_truth(s, depth - 1);
        return any < 20   ? FORMAT(d, "(%s && %s)", a, b)
               : any < 27 ? FORMAT(d, "(%s || %s)", a, b)
                          : FORMAT(d, "(!%s)", a);
    }
    const struct drawn a = draw_value(s, depth - 1);
    const struct drawn b =
        draw_chance(d, 60) ? draw_number(d, a.least < -99 ? -99 : a.least, 140 + larger(a.least, 0))
                           : draw_value(s, depth - 1);
    return FORMAT(d, "(%s %s %s)", a.text, compare[draw_below(d, 6)], b.text);
}
