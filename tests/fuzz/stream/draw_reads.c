/* Reads of images: offsets, border rules, lanes. */
#include "stream/drawing.h"

enum rule draw_any_rule(struct drawer *d)
{
    const unsigned any = draw_below(d, 100);
    return any < 15   ? RULE_ZERO
           : any < 30 ? RULE_CONSTANT
           : any < 60 ? RULE_CLAMP
           : any < 80 ? RULE_REFLECT
           : any < 99 ? RULE_REFLECT101
                      : RULE_WRAP;
}

int64_t draw_outside(struct drawer *d)
{
    return draw_between(d, 0, 127);
}

const char *draw_rule(struct drawer *d, enum rule rule, int64_t outside)
{
    static const char *const text[RULES] = {"zero", "", "clamp", "reflect", "reflect101", "wrap"};
    return rule == RULE_CONSTANT ? FORMAT(d, "constant(%lld)", (long long)outside) : text[rule];
}

/* A read as it comes about. */
struct reading {
    struct scope *s;
    const struct source *source;
    const struct image *image;
    const char *index[ALONGS];
    bool leaves[ALONGS]; /* the box, maybe */
    enum rule rule[ALONGS];
    int64_t outside;
};

static int offset_of(struct scope *s)
{
    if (s->reach == 0 || draw_chance(s->d, 40))
        return 0;
    return draw_between(s->d, -s->reach, s->reach);
}

static const char *with_offset(struct drawer *d, const char *base, int offset)
{
    return offset ? FORMAT(d, "%s %c %d", base, offset < 0 ? '-' : '+', abs(offset)) : base;
}

/* "2 * y + dy - 1" of the places first … first + count - 1. */
static void place_along(struct reading *r, enum along a)
{
    struct scope *s = r->s;
    struct drawer *d = s->d;
    const char *name = along_name[a];
    const enum step step = r->source->step[a];
    const int stride = step == STEP_DOWN ? r->source->stride[a] : 1;
    int least = s->first[a], greatest = s->first[a] + s->count[a] - 1;
    int offset = 0;
    if (step == STEP_UP) {
        const int more = (int)draw_below(d, 2);
        r->index[a] = more ? FORMAT(d, "(%s + 1) / 2", name) : FORMAT(d, "%s / 2", name);
        least = (least + more) / 2;
        greatest = (greatest + more) / 2;
    } else {
        const bool is_at = !s->over[a] || draw_chance(d, 20);
        offset = is_at ? offset_of(s) : 0;
        if (step == STEP_DOWN) /* where its box begins */
            offset += r->image->first[a] - stride * s->first[a];
        const char *base = stride > 1 ? FORMAT(d, "%d * %s", stride, name) : name;
        if (s->over[a])
            base = FORMAT(d, "%s + %s", base, s->over[a]);
        r->index[a] = with_offset(d, base, offset);
        least = stride * least + offset + (s->over[a] ? s->over_least[a] : 0);
        greatest = stride * greatest + offset + (s->over[a] ? s->over_greatest[a] : 0);
    }
    /* What is inside by a quotient may be more than is proved. */
    r->leaves[a] = least < r->image->first[a] ||
                   greatest >= r->image->first[a] + r->image->count[a] || step != STEP_SAME ||
                   strcmp(s->extent[a], r->image->extent[a]) != 0 ||
                   s->first[a] != r->image->first[a];
}

static const char *lane_index(struct reading *r, bool *leaves)
{
    struct scope *s = r->s;
    struct drawer *d = s->d;
    const int last = (int)r->image->lanes - 1;
    *leaves = false;
    if (!r->image->is_array && s->lanes == r->image->lanes && draw_chance(d, 75)) {
        if (draw_chance(d, 85))
            return "c";
        *leaves = true;
        return draw_chance(d, 50) ? "c + 1" : "c - 1";
    }
    if (draw_chance(d, 70) || s->over[ALONG_X] || s->over[ALONG_Y])
        return FORMAT(d, "%d", draw_between(d, 0, last));
    const struct drawn at = draw_read(s, 0);
    return FORMAT(d, "clamp((%s >> %u) - %u, 0, %d)", at.text, draw_below(d, 8), draw_below(d, 4),
                  last);
}

static void choose_rules(struct reading *r)
{
    struct drawer *d = r->s->d;
    r->outside = draw_outside(d);
    for (unsigned a = 0; a < ALONGS; a++) {
        const bool is_up = r->image->has[a] && r->source->step[a] == STEP_UP;
        r->rule[a] = a == ALONG_X && draw_chance(d, 70) ? r->rule[ALONG_Y] : draw_any_rule(d);
        if (is_up)
            r->rule[a] = draw_chance(d, 90) ? RULE_CLAMP : RULE_REFLECT;
    }
}

/* The rule of the filter is right for the read. */
static bool default_suits(const struct reading *r)
{
    const struct drawer *d = r->s->d;
    for (unsigned a = 0; a < ALONGS; a++)
        if (r->image->has[a] && r->source->step[a] == STEP_UP && d->rule != RULE_CLAMP &&
            d->rule != RULE_REFLECT)
            return false;
    return d->has_default;
}

static void widen(struct drawn *value, int64_t outside)
{
    value->least = outside < value->least ? outside : value->least;
    value->greatest = outside > value->greatest ? outside : value->greatest;
}

static const char *rule_suffix(struct reading *r, bool of_lanes, struct drawn *value)
{
    struct drawer *d = r->s->d;
    const bool leaves = r->leaves[ALONG_Y] || r->leaves[ALONG_X] || of_lanes;
    if (!leaves && draw_chance(d, 90))
        return "";
    if (default_suits(r) && draw_chance(d, 60)) {
        widen(value, d->rule == RULE_CONSTANT ? d->outside : 0);
        return "";
    }
    choose_rules(r);
    widen(value, r->outside);
    widen(value, 0);
    const char *y = draw_rule(d, r->rule[ALONG_Y], r->outside);
    const char *x = draw_rule(d, r->rule[ALONG_X], r->outside);
    if (!r->image->has[ALONG_Y])
        return FORMAT(d, " border %s", x);
    if (strcmp(x, y) == 0 || (of_lanes && !d->has_default))
        return FORMAT(d, " border %s", r->source->step[ALONG_X] == STEP_UP ? x : y);
    return FORMAT(d, " border (y: %s, x: %s)", y, x);
}

struct drawn draw_read(struct scope *s, unsigned source)
{
    struct drawer *d = s->d;
    struct image *image = &d->images.item[s->source[source].image];
    struct reading r = {.s = s, .source = &s->source[source], .image = image};
    struct drawn value = {.least = image->least, .greatest = image->greatest};
    bool of_lanes = false;
    const char *lane = NULL;
    image->is_read = true;
    if (image->lanes)
        lane = lane_index(&r, &of_lanes);
    r.image = image = &d->images.item[s->source[source].image];
    struct text text = text_create(d->arena);
    if (image->is_array)
        text_print(&text, image->name, lane);
    else
        text_print(&text, "%s", image->name);
    text_print(&text, "[%s",
               lane && !image->is_array && image->lanes_first ? FORMAT(d, "%s, ", lane) : "");
    for (unsigned a = 0; a < ALONGS; a++) {
        if (!image->has[a])
            continue;
        place_along(&r, (enum along)a);
        text_print(&text, "%s%s", r.index[a], a == ALONG_Y ? ", " : "");
    }
    text_print(&text, "%s]",
               lane && !image->is_array && !image->lanes_first ? FORMAT(d, ", %s", lane) : "");
    if (image->is_truth) {
        const char *rule = draw_rule(d, draw_chance(d, 70) ? RULE_CLAMP : RULE_REFLECT, 0);
        return (struct drawn){FORMAT(d, "select(%s border %s, 1, 0)", text.bytes, rule), 0, 1};
    }
    const char *suffix = rule_suffix(&r, of_lanes, &value);
    value.text = *suffix ? FORMAT(d, "(%s%s)", text.bytes, suffix) : text.bytes;
    return value;
}
