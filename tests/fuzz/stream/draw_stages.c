/* Stages: boxes, what they read, and statements. */
#include "stream/drawing.h"

/* What Verilog reserves, and names that are near those in the text of circuits. */
static const char *const awkward_name[] = {"wire",  "reg",   "fork",  "module",  "fifo",  "clk",
                                           "rst",   "value", "o_v",   "aclk",    "top",   "split",
                                           "i0_v",  "ce",    "wrong", "initial", "o_d",   "line",
                                           "place", "tags",  "s_1",   "slice",   "begin", "dut"};

const char *fresh_stage(struct drawer *d, const char *stem)
{
    enum { COUNT = sizeof awkward_name / sizeof *awkward_name };
    const unsigned n = draw_below(d, COUNT);
    if (draw_chance(d, 6) && !(d->awkward >> n & 1)) {
        d->awkward |= 1u << n;
        return awkward_name[n];
    }
    return FORMAT(d, "%s%u", stem, ++d->names);
}

size_t choose_image(struct drawer *d)
{
    enum { TRIES = 3 };
    size_t at = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        const size_t n = d->images.count;
        at = draw_chance(d, 50) && n > 3 ? n - 1 - draw_below(d, 3) : draw_below(d, (unsigned)n);
        if (!d->images.item[at].is_read)
            break;
    }
    return at;
}

/* ---- Boxes ---- */

enum change { CHANGE_NONE, CHANGE_CROP, CHANGE_DOWN, CHANGE_UP };

static void crop(struct scope *s, enum along a)
{
    struct drawer *d = s->d;
    const int before = draw_between(d, -1, 2);
    const int after = draw_between(d, before < 0 ? 1 : 0, 2);
    if (s->count[a] - before - after < 1)
        return;
    s->first[a] += before;
    s->count[a] -= before + after;
    if (before + after)
        s->extent[a] = FORMAT(d, "(%s - %d)", s->extent[a], before + after);
}

static void go_down(struct scope *s, enum along a)
{
    struct drawer *d = s->d;
    const int stride = draw_chance(d, 88) ? 2 : draw_chance(d, 90) ? 4 : 3;
    const bool all = s->count[a] < stride || draw_chance(d, 75);
    s->source[0].step[a] = STEP_DOWN;
    s->source[0].stride[a] = stride;
    s->extent[a] = all ? FORMAT(d, "((%s + %d) / %d)", s->extent[a], stride - 1, stride)
                       : FORMAT(d, "(%s / %d)", s->extent[a], stride);
    s->count[a] = all ? (s->count[a] + stride - 1) / stride : s->count[a] / stride;
    s->first[a] = 0;
}

static bool is_twice(int more, int less)
{
    return more == 2 * less || more == 2 * less - 1;
}

/* The extent of another image, if one is twice as large, so that the two can be joined. */
static void go_up(struct scope *s, enum along a)
{
    enum { MOST = 48 };
    struct drawer *d = s->d;
    const int n = s->count[a];
    if (s->first[a] != 0 || n > MOST / 2)
        return;
    s->source[0].step[a] = STEP_UP;
    for (size_t i = 0; i < d->images.count && draw_chance(d, 90); i++) {
        const struct image *like = &d->images.item[i];
        if (like->has[a] && like->first[a] == 0 && is_twice(like->count[a], n)) {
            s->count[a] = like->count[a];
            s->extent[a] = like->extent[a];
            return;
        }
    }
    const int less = (int)draw_below(d, 2);
    s->count[a] = 2 * n - less;
    s->extent[a] = FORMAT(d, less ? "(2 * %s - 1)" : "(2 * %s)", s->extent[a]);
}

static void change_box(struct scope *s, enum change change)
{
    const bool both = draw_chance(s->d, 65);
    const enum along alone = draw_below(s->d, 2) ? ALONG_X : ALONG_Y;
    for (unsigned a = 0; a < ALONGS; a++) {
        if (!s->has[a] || (!both && s->has[ALONG_Y] && a != alone))
            continue;
        if (change == CHANGE_CROP)
            crop(s, (enum along)a);
        else if (change == CHANGE_DOWN)
            go_down(s, (enum along)a);
        else if (change == CHANGE_UP)
            go_up(s, (enum along)a);
    }
}

/* Down as often as up again, or so. */
static enum change draw_change(struct drawer *d)
{
    const unsigned any = draw_below(d, 100);
    return any < 58 ? CHANGE_NONE : any < 68 ? CHANGE_CROP : any < 85 ? CHANGE_DOWN : CHANGE_UP;
}

/* ---- Scopes ---- */

/* How the image can be read along an axis by a stage of the box; false: it cannot. */
static bool can_step(const struct scope *s, const struct image *image, enum along a,
                     struct source *out)
{
    const int n = image->count[a], own = s->count[a], ahead = s->first[a] - image->first[a];
    out->stride[a] = 2;
    if (image->has[a] != s->has[a])
        return false;
    if (!s->has[a])
        return true;
    if (own <= n && n - own <= 4 && ahead >= -3 && ahead <= 3)
        out->step[a] = STEP_SAME;
    else if (is_twice(own, n) && image->first[a] == 0 && s->first[a] == 0)
        out->step[a] = STEP_UP;
    else if ((own - 1) * 2 < n && n <= 2 * own + 1)
        out->step[a] = STEP_DOWN;
    else
        return false;
    return true;
}

static void join_sources(struct scope *s)
{
    struct drawer *d = s->d;
    for (unsigned more = draw_below(d, 3); more > 0; more--) {
        struct source source = {.image = choose_image(d)};
        const struct image *image = &d->images.item[source.image];
        if (s->sources < MOST_SOURCES && can_step(s, image, ALONG_Y, &source) &&
            can_step(s, image, ALONG_X, &source))
            s->source[s->sources++] = source;
    }
}

static struct scope scope_of(struct drawer *d, size_t at)
{
    const struct image *image = &d->images.item[at];
    struct scope s = {.d = d, .sources = 1};
    s.source[0].image = at;
    for (unsigned a = 0; a < ALONGS; a++) {
        s.has[a] = image->has[a];
        s.first[a] = image->first[a];
        s.count[a] = image->count[a];
        s.extent[a] = image->extent[a];
    }
    return s;
}

struct scope scope_like(struct drawer *d, size_t image)
{
    struct scope s = scope_of(d, image);
    join_sources(&s);
    return s;
}

struct image scope_image(const struct scope *s, bool lanes_first)
{
    struct image image = {.lanes = s->lanes, .lanes_first = lanes_first};
    for (unsigned a = 0; a < ALONGS; a++) {
        image.has[a] = s->has[a];
        image.first[a] = s->first[a];
        image.count[a] = s->count[a];
        image.extent[a] = s->extent[a];
    }
    return image;
}

/* Whether reads tell the box along the axis. */
static bool can_be_found(const struct scope *s, enum along a)
{
    for (unsigned i = 0; i < s->sources; i++) {
        const struct image *image = &s->d->images.item[s->source[i].image];
        if (s->source[i].step[a] != STEP_SAME || image->first[a] != s->first[a] ||
            image->count[a] != s->count[a])
            return false;
    }
    return true;
}

static const char *range_text(struct scope *s, enum along a)
{
    struct drawer *d = s->d;
    if (can_be_found(s, a) && draw_chance(d, 50))
        return along_name[a];
    return s->first[a] ? FORMAT(d, "%s in %d ..< %s%s%d", along_name[a], s->first[a], s->extent[a],
                                s->first[a] < 0 ? " - " : " + ", abs(s->first[a]))
                       : FORMAT(d, "%s in 0 ..< %s", along_name[a], s->extent[a]);
}

const char *scope_brackets(struct scope *s, const struct image *image)
{
    struct text text = text_create(s->d->arena);
    const char *lanes = s->lanes ? FORMAT(s->d, "c in 0 ..< %u", s->lanes) : NULL;
    text_print(&text, "[");
    if (lanes && image->lanes_first)
        text_print(&text, "%s, ", lanes);
    for (unsigned a = 0; a < ALONGS; a++)
        if (s->has[a])
            text_print(&text, "%s%s", range_text(s, (enum along)a), a == ALONG_Y ? ", " : "");
    if (lanes && !image->lanes_first)
        text_print(&text, ", %s", lanes);
    text_print(&text, "]");
    return text.bytes;
}

/* ---- Windows ---- */

struct window {
    const char *ranges; /* "dy in -1 .. 1, dx in 0 .. 2" */
    const char *at;     /* "dy, dx" */
    int count[ALONGS], terms;
};

static struct window open_window(struct scope *s)
{
    struct drawer *d = s->d;
    static const char *const variable[ALONGS] = {"dy", "dx"};
    struct window w = {.ranges = "", .at = "", .count = {1, 1}, .terms = 1};
    const unsigned which = s->has[ALONG_Y] ? 1 + draw_below(d, 3) : 2;
    for (unsigned a = 0; a < ALONGS; a++) {
        if (!(which >> a & 1))
            continue;
        const int reach = which == 3 && s->reach > 2 ? 2 : s->reach;
        const bool even = draw_chance(d, 60);
        s->over[a] = variable[a];
        s->over_least[a] = even ? -reach : draw_between(d, -reach, 0);
        s->over_greatest[a] = even ? reach : draw_between(d, 0, reach);
        w.count[a] = s->over_greatest[a] - s->over_least[a] + 1;
        w.terms *= w.count[a];
        const char *comma = *w.ranges ? ", " : "";
        w.ranges = FORMAT(d, "%s%s%s in %d .. %d", w.ranges, comma, variable[a], s->over_least[a],
                          s->over_greatest[a]);
        w.at = FORMAT(d, "%s%s%s", w.at, comma, variable[a]);
    }
    return w;
}

static void close_window(struct scope *s)
{
    s->over[ALONG_Y] = s->over[ALONG_X] = NULL;
}

/* Weights: a column times a row, or any. The greatest magnitude is told. */
static const char *add_kernel(struct drawer *d, const struct window *w, int64_t *most)
{
    const char *name = fresh_stage(d, "k");
    int column[16], row[16];
    const bool is_product = draw_chance(d, 60), is_large = draw_chance(d, 20);
    for (int i = 0; i < 16; i++) {
        column[i] = draw_between(d, is_product ? -1 : 0, is_large ? 40 : 3);
        row[i] = draw_between(d, -2, is_large ? 40 : 4);
    }
    *most = 0;
    text_print(&d->body, "const %s[%s] = {", name, w->ranges);
    for (int y = 0; y < w->count[ALONG_Y]; y++)
        for (int x = 0; x < w->count[ALONG_X]; x++) {
            const int weight =
                is_product ? column[y] * row[x] : draw_between(d, -4, is_large ? 90 : 5);
            const bool ends_row = x + 1 == w->count[ALONG_X], ends = y + 1 == w->count[ALONG_Y];
            *most = abs(weight) > *most ? abs(weight) : *most;
            text_print(&d->body, "%d%s", weight, !ends_row ? ", " : ends ? "};\n" : ";  ");
        }
    return name;
}

static int64_t magnitude(struct drawn value)
{
    return -value.least > value.greatest ? -value.least : value.greatest;
}

static struct drawn window_term(struct scope *s)
{
    struct drawer *d = s->d;
    struct drawn read = draw_read(s, 0);
    if (draw_chance(d, 70))
        return read;
    const struct drawn more = draw_value(s, 1);
    return draw_narrowed(d, (struct drawn){FORMAT(d, "(%s - %s)", read.text, more.text),
                                           read.least - more.greatest, read.greatest - more.least});
}

static struct drawn weighted_sum(struct scope *s, const struct window *w)
{
    struct drawer *d = s->d;
    int64_t most = 1;
    const bool has_kernel = draw_chance(d, 75);
    const char *kernel = has_kernel ? add_kernel(d, w, &most) : NULL;
    const struct drawn term = draw_narrowed(d, window_term(s));
    const int64_t all = magnitude(term) * most * w->terms;
    return (struct drawn){
        kernel ? FORMAT(d, "sum[%s](%s[%s] * %s)", w->ranges, kernel, w->at, term.text)
               : FORMAT(d, "sum[%s](%s)", w->ranges, term.text),
        -all, all};
}

static struct drawn draw_window(struct scope *s)
{
    static const char *const order[] = {"min", "max", "median"};
    struct drawer *d = s->d;
    const struct window w = open_window(s);
    const unsigned any = draw_below(d, 100);
    struct drawn out;
    if (any < 50)
        out = weighted_sum(s, &w);
    else if (any < 80) {
        out = window_term(s);
        out.text = FORMAT(d, "%s[%s](%s)", order[draw_below(d, w.terms <= 16 ? 3 : 2)], w.ranges,
                          out.text);
    } else {
        const struct drawn term = window_term(s);
        const char *truth = FORMAT(d, "%s > %s", term.text,
                                   draw_number(d, -9, term.greatest > 255 ? 400 : 130).text);
        out = any < 90 ? (struct drawn){FORMAT(d, "count[%s](%s)", w.ranges, truth), 0, w.terms}
                       : (struct drawn){FORMAT(d, "select(%s[%s](%s), 200, 7)",
                                               any < 95 ? "any" : "all", w.ranges, truth),
                                        7, 200};
    }
    close_window(s);
    return out;
}

/* ---- Statements ---- */

struct drawn draw_stage_value(struct scope *s, int depth)
{
    struct drawer *d = s->d;
    const struct drawn own =
        s->reach && draw_chance(d, 45) ? draw_narrowed(d, draw_window(s)) : draw_read(s, 0);
    if (draw_chance(d, 25) || depth == 0)
        return own;
    const struct drawn more = draw_value(s, depth);
    return (struct drawn){
        FORMAT(d, draw_chance(d, 70) ? "(%s + %s)" : "(%s + 2 * %s)", own.text, more.text),
        own.least + 2 * (more.least < 0 ? more.least : 0),
        own.greatest + 2 * (more.greatest > 0 ? more.greatest : 0)};
}

void remember_image(struct drawer *d, struct image image)
{
    VECTOR_PUSH(d->arena, &d->images, image);
}

void choose_lanes(struct scope *s, bool *lanes_first)
{
    struct drawer *d = s->d;
    const struct image *image = &d->images.item[s->source[0].image];
    *lanes_first = image->lanes && !image->is_array ? image->lanes_first : draw_chance(d, 20);
    if (image->lanes && !image->is_array)
        s->lanes = draw_chance(d, 80) ? image->lanes : 0;
    else if (draw_chance(d, 6))
        s->lanes = 2 + draw_below(d, 3);
}

/* The value as the stage stores it, with its type or without. */
static const char *stored(struct drawer *d, struct drawn *value)
{
    const char *type;
    *value = draw_narrowed(d, *value);
    if (draw_chance(d, 60))
        return "";
    *value = draw_converted(d, *value, &type);
    return FORMAT(d, " : %s", type);
}

void draw_stage(struct drawer *d)
{
    static const int reach[] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4};
    struct scope s = scope_of(d, choose_image(d));
    bool lanes_first;
    change_box(&s, draw_change(d));
    choose_lanes(&s, &lanes_first);
    join_sources(&s);
    s.reach = reach[draw_below(d, sizeof reach / sizeof *reach)];
    struct image image = scope_image(&s, lanes_first);
    image.name = fresh_stage(d, "s");
    if (draw_chance(d, 5)) {
        const struct drawn value = draw_stage_value(&s, 2);
        image.is_truth = true;
        image.greatest = 1;
        text_print(&d->body, "%s%s = %s > %d || %s;\n", image.name, scope_brackets(&s, &image),
                   value.text, draw_between(d, 0, 200), draw_truth(&s, 1));
    } else {
        struct drawn value = draw_stage_value(&s, 1 + (int)draw_below(d, 3));
        const char *type = stored(d, &value);
        image.least = value.least;
        image.greatest = value.greatest;
        text_print(&d->body, "%s%s%s = %s;\n", image.name, scope_brackets(&s, &image), type,
                   value.text);
    }
    remember_image(d, image);
}

void draw_array(struct drawer *d)
{
    struct scope s = scope_like(d, choose_image(d));
    s.reach = (int)draw_below(d, 3);
    struct image image = scope_image(&s, false);
    const char *name = fresh_stage(d, "a");
    const char *type = NULL;
    const char *const box = scope_brackets(&s, &image);
    image.lanes = 2 + draw_below(d, 3);
    for (unsigned k = 0; k < image.lanes; k++) {
        struct drawn value = draw_stage_value(&s, 2);
        if (k == 0)
            value = draw_converted(d, value, &type);
        text_print(&d->body, "%s[%u]%s : %s = %s(%s);\n", name, k, box, type, type, value.text);
        if (k == 0) {
            image.least = value.least;
            image.greatest = value.greatest;
        }
    }
    image.least = -2147483648LL; /* whichever type it is */
    image.greatest = 4294967295LL;
    image.is_array = true;
    image.name = FORMAT(d, "%s[%%s]", name);
    remember_image(d, image);
}

void draw_table(struct drawer *d)
{
    static const int last[] = {1, 3, 7, 15, 63, 255, 99};
    struct table t = {.name = fresh_stage(d, "t"), .last = last[draw_below(d, 7)]};
    const unsigned form = draw_below(d, 4);
    t.least = form == 2 ? -t.last : 0;
    t.greatest = form == 0 ? (int64_t)t.last * t.last : 3 * t.last + 9;
    if (form == 3 && t.last <= 15) {
        text_print(&d->body, "const %s[v in 0 .. %d] = {", t.name, t.last);
        for (int i = 0; i <= t.last; i++)
            text_print(&d->body, "%d%s", draw_between(d, 0, t.last + 3),
                       i < t.last ? ", " : "};\n");
    } else
        text_print(&d->body, "table %s[v in 0 .. %d] = %s;\n", t.name, t.last,
                   form == 0   ? "v * v"
                   : form == 1 ? FORMAT(d, "(v * 7 + 3) %% %d", t.last + 1)
                   : form == 2 ? FORMAT(d, "select(v %% 3 == 0, -v, 3 * v + 2)")
                               : FORMAT(d, "%d - v / 2", t.last));
    VECTOR_PUSH(d->arena, &d->tables, t);
}

/* ---- Results ---- */

static const char *axes_text(struct drawer *d, const struct image *image)
{
    const char *base = image->has[ALONG_Y] ? "y, x" : "x";
    return !image->lanes        ? base
           : image->lanes_first ? FORMAT(d, "c, %s", base)
                                : FORMAT(d, "%s, c", base);
}

const char *draw_result(struct drawer *d, const char *name)
{
    struct scope s = scope_like(d, choose_image(d));
    bool lanes_first;
    const char *type;
    choose_lanes(&s, &lanes_first);
    s.reach = draw_chance(d, 30) ? 1 + (int)draw_below(d, 2) : 0;
    struct image image = scope_image(&s, lanes_first);
    image.name = name;
    const struct drawn value =
        draw_converted(d, draw_stage_value(&s, (int)draw_below(d, 3)), &type);
    text_print(&d->body, "%s%s = %s;\n", name, scope_brackets(&s, &image), value.text);
    image.least = value.least;
    image.greatest = value.greatest;
    image.is_read = true;
    remember_image(d, image);
    return FORMAT(d, "image<%s>[%s]", type, axes_text(d, &image));
}
