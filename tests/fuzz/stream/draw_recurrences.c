/* Stages that read themselves, along lines or from line to line: what they keep has few bits or as
 * many as its type, a sign or none, a constant or zero to begin with, and all kinds of operations
 * look at its upper bits. */
#include "stream/drawing.h"

static const struct {
    const char *type;
    int64_t least, greatest;
} stored_as[] = {
    {"wrap<u8>", 0, 255},
    {"wrap<i8>", -128, 127},
    {"wrap<u16>", 0, 65535},
    {"wrap<i16>", -32768, 32767},
    {"wrap<u32>", 0, 4294967295},
    {"wrap<i32>", -2147483648LL, 2147483647},
    {"u8", 0, 255},
    {"i8", -128, 127},
    {"u16", 0, 65535},
    {"i16", -32768, 32767},
    {"i16", -32768, 32767},
    {"u32", 0, 4294967295},
    {"i32", -2147483648LL, 2147483647},
    {"i32", -2147483648LL, 2147483647},
};

/* The recurrence at hand. */
struct feedback {
    struct drawer *d;
    struct scope scope;
    struct image image;
    const char *name;
    bool lanes_first, along_y;
};

static const char *brackets_before(const struct feedback *f, int steps)
{
    struct drawer *d = f->d;
    const struct scope *s = &f->scope;
    const char *y = f->along_y && steps ? FORMAT(d, "y - %d", steps) : "y";
    const char *x = f->along_y || !steps ? "x" : FORMAT(d, "x - %d", steps);
    const char *c = !s->lanes ? "" : f->lanes_first ? "c, " : ", c";
    return FORMAT(d, "%s%s%s%s%s", f->lanes_first ? c : "", s->has[ALONG_Y] ? y : "",
                  s->has[ALONG_Y] ? ", " : "", x, f->lanes_first ? "" : c);
}

/* A result some steps before; before the first one, a number of the type. */
static const char *own(const struct feedback *f, int64_t least, int64_t greatest)
{
    struct drawer *d = f->d;
    const int steps = draw_chance(d, 80) ? 1 : draw_between(d, 2, 3);
    const int64_t low = least < -300 ? -300 : least, high = greatest > 300 ? 300 : greatest;
    return FORMAT(d, "(%s[%s] border %s)", f->name, brackets_before(f, steps),
                  draw_chance(d, 50)
                      ? "zero"
                      : FORMAT(d, "constant(%d)", draw_between(d, (int)low, (int)high)));
}

/* Of own results, which come back weaker, limited, cut, or compared. */
static const char *fed_back(const struct feedback *f, const char *o)
{
    struct drawer *d = f->d;
    const int limit = draw_between(d, 1, 400);
    switch (draw_below(d, 11)) {
    case 0:
        return FORMAT(d, "%s / %d", o, 1 << draw_between(d, 1, 5));
    case 1:
        return FORMAT(d, "%s / %d", o, draw_between(d, 2, 20));
    case 2:
        return FORMAT(d, "(%s >> %d)", o, draw_between(d, 1, 5));
    case 3:
        return FORMAT(d, "clamp(%s, %d, %d)", o, -draw_between(d, 0, 200), limit);
    case 4:
        return FORMAT(d, "min(%s, %d)", o, limit - 200);
    case 5:
        return FORMAT(d, "max(%s, %d)", o, limit - 200);
    case 6:
        return FORMAT(d, "select(%s %s %d, %d, %s / 2)", o,
                      draw_chance(d, 50) ? "<" : ">=", limit - 200, limit, o);
    case 7:
        return FORMAT(d, "%s %% %d", o, limit);
    case 8:
        return FORMAT(d, "abs(%s) / 2", o);
    case 9:
        return FORMAT(d, "(3 * %s) / 4", o);
    }
    return o;
}

/* What the next result is, from what arrives and from own results. */
static const char *step_of(const struct feedback *f, struct drawn value, int64_t least,
                           int64_t greatest)
{
    struct drawer *d = f->d;
    const char *o = own(f, least, greatest);
    switch (draw_below(d, 12)) {
    case 0:
        return FORMAT(d, "%s + %s", value.text, o);
    case 1:
        return FORMAT(d, "max(%s, %s)", o, value.text);
    case 2:
        return FORMAT(d, "min(%s - 1, %s)", value.text, o);
    case 3:
        return FORMAT(d, "(3 * %s + %s + 2) / 4", o, value.text);
    case 4:
        return FORMAT(d, "select(%s > %d, %s, %s + 1)", value.text, draw_between(d, 0, 99),
                      value.text, o);
    case 5:
        return FORMAT(d, "select(%s > %s, %s, %s - %d)", value.text, o, value.text, o,
                      draw_between(d, 1, 9));
    case 6:
        return FORMAT(d, "%s - %s - %s", value.text, fed_back(f, o),
                      fed_back(f, own(f, least, greatest)));
    case 7:
        return FORMAT(d, "%s + %s", value.text, fed_back(f, o));
    }
    return FORMAT(d, "%s - %s", value.text, fed_back(f, o));
}

/* In fixed point, and a stage of integers behind it. */
static void print_fixed(struct feedback *f, struct drawn value)
{
    static const char *const mode[] = {
        "", "", ", floor", ", wrap", ", nearest_up", ", toward_zero"};
    static const char *const factor[] = {"0.25", "0.5", "0.75", "0.875", "1.5", "0.625"};
    struct drawer *d = f->d;
    const char *fixed = FORMAT(d, "fixed<%d, %d%s>", draw_between(d, 7, 17), draw_between(d, 0, 6),
                               mode[draw_below(d, 6)]);
    f->name = fresh_stage(d, "q");
    const char *o = own(f, -60, 60);
    text_print(&d->body, "%s%s : %s = %s(%s) %s %s * %s;\n", f->name,
               scope_brackets(&f->scope, &f->image), fixed, fixed, value.text,
               draw_chance(d, 70) ? "-" : "+", factor[draw_below(d, 6)],
               draw_chance(d, 60) ? o : FORMAT(d, "clamp(%s, -20, 35)", o));
    text_print(&d->body, "%s%s : i16 = i16(%d * %s[%s]);\n", f->image.name,
               scope_brackets(&f->scope, &f->image), draw_between(d, 1, 16), f->name,
               brackets_before(f, 0));
    f->image.least = -32768;
    f->image.greatest = 32767;
}

static void print_integers(struct feedback *f, struct drawn value)
{
    struct drawer *d = f->d;
    const unsigned t = draw_below(d, sizeof stored_as / sizeof *stored_as);
    const char *type = stored_as[t].type;
    f->name = f->image.name;
    f->image.least = stored_as[t].least;
    f->image.greatest = stored_as[t].greatest;
    const char *text = step_of(f, value, f->image.least, f->image.greatest);
    text_print(&d->body, draw_chance(d, 30) ? "%s%s : %s = %s(%s);\n" : "%s%s : %s = %.0s%s;\n",
               f->name, scope_brackets(&f->scope, &f->image), type, type, text);
}

static void draw_feedback(struct drawer *d, size_t image)
{
    struct feedback f = {.d = d, .scope = scope_like(d, image)};
    struct scope *s = &f.scope;
    choose_lanes(s, &f.lanes_first);
    f.image = scope_image(s, f.lanes_first);
    f.image.name = fresh_stage(d, "r");
    f.along_y = s->has[ALONG_Y] && draw_chance(d, 40);
    s->reach = d->recurs ? 0 : (int)draw_below(d, 2);
    struct drawn value = d->recurs ? draw_read(s, 0) : draw_stage_value(s, (int)draw_below(d, 2));
    if (draw_chance(d, 30))
        value.text = FORMAT(d, "clamp(%s, %d, %d)", value.text, -draw_between(d, 0, 100),
                            draw_between(d, 1, 200));
    if (draw_chance(d, 15))
        print_fixed(&f, value);
    else
        print_integers(&f, value);
    remember_image(d, f.image);
}

void draw_recurrence(struct drawer *d)
{
    draw_feedback(d, choose_image(d));
    if (draw_chance(d, 35))
        draw_feedback(d, d->images.count - 1);
}
