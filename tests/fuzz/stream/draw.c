/* A filter: its size, images, parameters, stages, results. */
#include "stream/drawing.h"
#include "stream/check_circuit.h"

#include <stdio.h>

enum { MOST_STAGES = 8 };

/* Many small, also such as no window fits in. */
static int draw_extent(struct drawer *d)
{
    const unsigned any = draw_below(d, 100);
    return any < 18   ? draw_between(d, 1, 3)
           : any < 45 ? draw_between(d, 4, 7)
           : any < 90 ? draw_between(d, 8, 17)
                      : draw_between(d, 18, 41);
}

/* Now and then so many lines that the compiler tells clocks by fewer; long ones for recurrences. */
static void draw_extents(struct drawer *d, int extent[ALONGS])
{
    if (d->recurs) {
        extent[ALONG_Y] = draw_between(d, draw_chance(d, 80) ? 4 : 1, 9);
        extent[ALONG_X] = draw_between(d, draw_chance(d, 80) ? 24 : 6, 48);
        return;
    }
    const bool is_tall = draw_chance(d, 2);
    extent[ALONG_Y] = is_tall ? draw_between(d, 65, 300) : draw_extent(d);
    extent[ALONG_X] = is_tall ? draw_between(d, 1, 6) : draw_extent(d);
}

struct signature {
    struct text text, requires, size;
    int base[ALONGS];
};

/* As large as the first one, or half, or a quarter as large, rounded up. */
static void add_input(struct drawer *d, struct signature *g, unsigned number)
{
    static const char *const type[] = {"u8", "u8", "u8", "i8", "u16", "i16"};
    static const int64_t ends[][2] = {{0, 255},    {0, 255},   {0, 255},
                                      {-128, 127}, {0, 65535}, {-32768, 32767}};
    const unsigned t = draw_below(d, 6);
    const int part = number == 0 || draw_chance(d, 75) ? 1 : draw_chance(d, 75) ? 2 : 4;
    struct image image = {.name = number == 0 && draw_chance(d, 80) ? "in" : fresh_stage(d, "in"),
                          .least = ends[t][0],
                          .greatest = ends[t][1]};
    const char *comma = number ? "," : "", *first = number ? d->images.item[0].name : image.name;
    image.lanes = draw_chance(d, 25) ? 2 + draw_below(d, 3) : 0;
    image.lanes_first = draw_chance(d, 30);
    for (unsigned a = 0; a < ALONGS; a++) {
        image.has[a] = a == ALONG_X || !d->is_line;
        if (!image.has[a]) {
            image.count[a] = 1;
            image.extent[a] = "1";
            continue;
        }
        const char *axis = along_name[a];
        image.count[a] = (g->base[a] + part - 1) / part;
        image.extent[a] = FORMAT(d, "%s.%s", image.name, axis);
        text_print(&g->size, "%s%s.%s=%d", comma, image.name, axis, image.count[a]);
        comma = ",";
        if (number && part == 1 && draw_chance(d, 50))
            text_print(&g->requires, "require %s.%s == %s.%s;\n", image.name, axis, first, axis);
    }
    if (image.lanes) {
        text_print(&g->requires, "require %s.c == %u;\n", image.name, image.lanes);
        text_print(&g->size, ",%s.c=%u", image.name, image.lanes);
    }
    const char *base = d->is_line ? "x" : "y, x";
    text_print(&g->text, "%s%s : image<%s>[%s]", number ? ", " : "", image.name, type[t],
               !image.lanes        ? base
               : image.lanes_first ? FORMAT(d, "c, %s", base)
                                   : FORMAT(d, "%s, c", base));
    VECTOR_PUSH(d->arena, &d->images, image);
}

/* An image that is read at places that are data, "lut3": a table, the same in all frames. */
static void add_written_table(struct drawer *d, struct signature *g)
{
    static const struct {
        const char *type;
        int64_t least, greatest;
    } of[] = {{"u8", 0, 255}, {"i8", -128, 127}, {"i16", -32768, 32767}, {"u16", 0, 65535}};
    const unsigned t = draw_below(d, 4);
    const char *name = FORMAT(d, "%s%u", WRITTEN_TABLE, ++d->names);
    const int last = draw_chance(d, 30) ? draw_between(d, 0, 3) : draw_between(d, 4, 300);
    text_print(&g->text, ", %s : image<%s>[v]", name, of[t].type);
    text_print(&g->requires, "require %s.v == %d;\n", name, last + 1);
    text_print(&g->size, ",%s.v=%d", name, last + 1);
    const struct table table = {name, last, of[t].least, of[t].greatest};
    VECTOR_PUSH(d->arena, &d->tables, table);
}

static void add_parameter(struct drawer *d, struct signature *g)
{
    const char *name = FORMAT(d, "v%u", ++d->names);
    if (draw_chance(d, 30)) {
        text_print(&g->text, ", param %s : bool = true", name);
        VECTOR_PUSH(d->arena, &d->truths, name);
        return;
    }
    const int least = draw_between(d, -20, 10), more = draw_between(d, 0, 200);
    text_print(&g->text, ", param %s : i32 = %d in %d .. %d", name, least, least, least + more);
    const struct drawn value = {name, least, least + more};
    VECTOR_PUSH(d->arena, &d->parameters, value);
}

static void choose_default(struct drawer *d)
{
    d->has_default = draw_chance(d, 88);
    d->rule = draw_any_rule(d);
    d->outside = draw_outside(d);
    if (d->has_default)
        text_print(&d->body, "border %s;\n", draw_rule(d, d->rule, d->outside));
}

static void add_statement(struct drawer *d)
{
    const unsigned any = draw_below(d, 100);
    if (d->recurs)
        draw_recurrence(d);
    else if (any < 5)
        draw_table(d);
    else if (any < 11)
        draw_array(d);
    else if (any < 20)
        draw_recurrence(d);
    else if (any >= 36 || !draw_call(d))
        draw_stage(d);
}

static const char *result_list(struct drawer *d)
{
    const unsigned count = draw_chance(d, 70) ? 1 : 2 + draw_below(d, 2);
    struct text text = text_create(d->arena);
    for (unsigned i = 0; i < count; i++) {
        const char *name = i ? fresh_stage(d, "o") : "out";
        text_print(&text, "%s%s : %s", i ? ", " : "", name, draw_result(d, name));
    }
    return count > 1 ? FORMAT(d, "(%s)", text.bytes) : text.bytes;
}

const char *draw_program(struct arena *arena, uint64_t seed, char size[])
{
    struct drawer d = {.arena = arena, .random = seed};
    struct signature g = {text_create(arena), text_create(arena), text_create(arena), {1, 1}};
    struct text text = text_create(arena);
    d.body = text_create(arena);
    d.is_line = draw_chance(&d, 5);
    d.recurs = draw_chance(&d, 25);
    draw_extents(&d, g.base);
    const unsigned shape = draw_below(&d, 100);
    for (unsigned i = 0; i < (d.recurs || shape < 60 ? 1u : shape < 88 ? 2u : 3u); i++)
        add_input(&d, &g, i);
    if (draw_chance(&d, 30))
        add_written_table(&d, &g);
    for (unsigned i = draw_below(&d, 3); i > 0; i--)
        add_parameter(&d, &g);
    choose_default(&d);
    for (unsigned i = d.recurs ? 1 : draw_below(&d, MOST_STAGES); i > 0; i--)
        add_statement(&d);
    const char *results = result_list(&d);
    print_imports(&d, &text);
    text_print(&text, "filter fuzz(%s) -> %s\n{\n%s%s}\n", g.text.bytes, results,
               g.requires.length ? g.requires.bytes : "", d.body.bytes);
    snprintf(size, MOST_SIZE, "%s", g.size.bytes);
    return text.bytes;
}
