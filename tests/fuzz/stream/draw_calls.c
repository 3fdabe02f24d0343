/* Calls of filters of the library. */
#include "stream/drawing.h"

enum import {
    IMPORT_BINOMIAL,
    IMPORT_PYRAMID,
    IMPORT_GRADIENT,
    IMPORT_MEDIAN,
    IMPORT_MORPHOLOGY,
    IMPORTS
};
static const char *const import_name[IMPORTS] = {"binomial", "pyramid", "gradient", "median",
                                                 "morphology"};

void print_imports(const struct drawer *d, struct text *out)
{
    for (unsigned i = 0; i < IMPORTS; i++)
        if (d->imports >> i & 1)
            text_print(out, "import std.%s;\n", import_name[i]);
}

/* The type that samples of the interval have, at most. */
static void take_type(struct image *image)
{
    static const int64_t type[][2] = {{0, 255},          {-128, 127},
                                      {0, 65535},        {-32768, 32767},
                                      {0, 4294967295LL}, {-2147483648LL, 2147483647}};
    for (unsigned i = 0; i < sizeof type / sizeof *type; i++)
        if (image->least >= type[i][0] && image->greatest <= type[i][1]) {
            image->least = type[i][0];
            image->greatest = type[i][1];
            return;
        }
}

static void call(struct drawer *d, enum import import, struct image image, const char *text)
{
    d->imports |= 1u << import;
    text_print(&d->body, "%s = %s;\n", image.name, text);
    image.is_read = false;
    VECTOR_PUSH(d->arena, &d->images, image);
}

static const char *rule_of_call(struct drawer *d)
{
    enum rule rule = draw_any_rule(d);
    rule = rule == RULE_CONSTANT ? RULE_CLAMP : rule;
    return draw_rule(d, rule, 0);
}

static void call_window(struct drawer *d, const struct image *in)
{
    static const struct {
        enum import import;
        const char *call;
    } window[] = {{IMPORT_BINOMIAL, "binomial3(%s)"},    {IMPORT_BINOMIAL, "binomial5(%s)"},
                  {IMPORT_MEDIAN, "median3x3(%s)"},      {IMPORT_MEDIAN, "median(%s, 1)"},
                  {IMPORT_MORPHOLOGY, "dilate(%s, 1)"},  {IMPORT_MORPHOLOGY, "erode(%s, 2)"},
                  {IMPORT_MORPHOLOGY, "opening(%s, 1)"}, {IMPORT_MORPHOLOGY, "closing(%s, 1)"}};
    const unsigned n = draw_below(d, sizeof window / sizeof *window);
    struct image image = *in;
    take_type(&image);
    image.least = image.least > 0 ? 0 : image.least;
    image.name = fresh_stage(d, "b");
    call(d, window[n].import, image,
         FORMAT(d, "%s border %s", FORMAT(d, window[n].call, in->name), rule_of_call(d)));
}

static void call_gradient(struct drawer *d, const struct image *in)
{
    static const char *const name[] = {"difference_integer", "sobel_integer", "scharr_integer"};
    const char *both = fresh_stage(d, "g");
    struct image image = *in;
    const int64_t most = 64 * ((in->greatest > -in->least ? in->greatest : -in->least) + 1);
    image.name = both;
    image.least = -most;
    image.greatest = most;
    call(d, IMPORT_GRADIENT, image,
         FORMAT(d, "%s(%s) border %s", name[draw_below(d, 3)], in->name, rule_of_call(d)));
    struct image *made = &d->images.item[d->images.count - 1];
    made->name = FORMAT(d, "%s.gx", both);
    image = *made;
    image.name = FORMAT(d, "%s.gy", both);
    VECTOR_PUSH(d->arena, &d->images, image);
}

static void halve(struct drawer *d, struct image *image)
{
    for (unsigned a = 0; a < ALONGS; a++)
        if (image->has[a]) {
            image->count[a] = (image->count[a] + 1) / 2;
            image->extent[a] = FORMAT(d, "((%s + 1) / 2)", image->extent[a]);
        }
}

static void call_down(struct drawer *d, const struct image *in)
{
    static const char *const name[] = {"down3_integer", "down5_integer"};
    struct image image = *in;
    take_type(&image);
    halve(d, &image);
    image.name = fresh_stage(d, "d");
    call(d, IMPORT_PYRAMID, image, FORMAT(d, "%s(%s)", name[draw_below(d, 2)], in->name));
}

/* As large as another image. False: none is twice as large. */
static bool call_up(struct drawer *d, const struct image *in)
{
    for (size_t i = 0; i < d->images.count; i++) {
        const struct image *like = &d->images.item[i];
        bool suits = !like->is_array && !like->is_truth;
        for (unsigned a = 0; a < ALONGS; a++)
            suits = suits && like->first[a] == 0 &&
                    (like->count[a] == 2 * in->count[a] || like->count[a] == 2 * in->count[a] - 1);
        if (!suits)
            continue;
        struct image image = *in;
        take_type(&image);
        memcpy(image.count, like->count, sizeof image.count);
        memcpy(image.extent, like->extent, sizeof image.extent);
        image.name = fresh_stage(d, "up");
        call(d, IMPORT_PYRAMID, image, FORMAT(d, "up_integer(%s, %s)", in->name, like->name));
        return true;
    }
    return false;
}

/* A pyramid of details, changed, and what it is again. */
static void call_pyramid(struct drawer *d, const struct image *in)
{
    const char *details = fresh_stage(d, "p"), *changed = fresh_stage(d, "q");
    const unsigned levels = 2 + draw_below(d, 2), taps = draw_chance(d, 60) ? 3 : 5;
    const char *axes = !in->lanes ? "y, x" : in->lanes_first ? "c, y, x" : "y, x, c";
    text_print(&d->body, "%s = laplacian_pyramid_integer(%s, %u, %u);\n", details, in->name, levels,
               taps);
    text_print(&d->body, "%s[l in 0 ..< %u][%s] = clamp(%s[l][%s], -%d, %d);\n", changed, levels,
               axes, details, axes, draw_between(d, 1, 60), draw_between(d, 40, 250));
    struct image image = *in;
    image.least = -240 * (int64_t)levels;
    image.greatest = 1000 * (int64_t)levels;
    image.name = fresh_stage(d, "w");
    call(d, IMPORT_PYRAMID, image, FORMAT(d, "collapse_integer(%s)", changed));
}

bool draw_call(struct drawer *d)
{
    const struct image *chosen = &d->images.item[choose_image(d)];
    const struct image in = *chosen;
    const bool is_wide = in.greatest > 1 << 24 || in.least < -(1 << 24);
    if (in.is_array || in.is_truth || is_wide || !in.has[ALONG_Y] || in.first[ALONG_Y] ||
        in.first[ALONG_X])
        return false;
    d->images.item[chosen - d->images.item].is_read = true;
    const unsigned any = draw_below(d, 100);
    if (any < 45)
        call_window(d, &in);
    else if (any < 60)
        call_gradient(d, &in);
    else if (any < 75)
        call_down(d, &in);
    else if (any < 90)
        return call_up(d, &in);
    else
        call_pyramid(d, &in);
    return true;
}
