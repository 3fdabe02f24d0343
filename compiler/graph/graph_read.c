/* text → graph. */
#include "graph/graph_text.h"

#include <math.h>
#include <stdlib.h>

static struct arena *output_arena(struct expr_reader *reader)
{
    return reader->ir.session->ir;
}

/* ---- What loop programs have too ---- */

static const struct expr *read_optional(struct expr_reader *reader, const char *word)
{
    return ir_accept(&reader->ir, word) ? expr_read(reader) : NULL;
}

static void read_choices(struct expr_reader *reader, struct parameter *p)
{
    VECTOR(const struct symbol *) names = {0};
    if (!ir_accept(&reader->ir, "of"))
        return;
    ir_expect(&reader->ir, "{");
    do
        VECTOR_PUSH(output_arena(reader), &names, ir_expect_kind(&reader->ir, IR_NAME).name);
    while (ir_accept(&reader->ir, ","));
    ir_expect(&reader->ir, "}");
    p->choice = names.item;
    p->choice_count = names.count;
}

struct fixed_point graph_read_fixed(struct expr_reader *reader)
{
    struct fixed_point fixed = {false, 0};
    if (!ir_accept(&reader->ir, "fixed"))
        return fixed;
    const struct ir_token token = reader->ir.token;
    const int64_t fraction = ir_expect_kind(&reader->ir, IR_INTEGER).integer;
    if (fraction < -GRAPH_MOST_FRACTION || fraction > GRAPH_MOST_FRACTION)
        ir_fail_at(&reader->ir, token, "a fraction is -%d .. %d", GRAPH_MOST_FRACTION,
                   GRAPH_MOST_FRACTION);
    else
        fixed = (struct fixed_point){true, (int)fraction};
    return fixed;
}

static struct quantisation read_quantisation(struct ir_reader *ir)
{
    struct quantisation q = {0, false};
    if (ir_accept(ir, "error")) {
        if (ir_accept(ir, "unbounded")) {
            q.error = (double)INFINITY;
        } else {
            const struct ir_token token = ir_expect_kind(ir, IR_REAL);
            q.error = strtod(token.start, NULL);
        }
    }
    q.saturates = ir_accept(ir, "saturates");
    return q;
}

struct parameter graph_read_parameter(struct expr_reader *reader)
{
    struct ir_reader *ir = &reader->ir;
    struct parameter p = {.name = ir_expect_kind(ir, IR_NAME).name};
    struct interval whole;
    ir_expect(ir, "=");
    p.variable = expr_read_variable(reader, VARIABLE_PARAMETER);
    ir_expect(ir, ":");
    p.scalar = expr_read_type(reader, &whole);
    p.fixed = graph_read_fixed(reader);
    p.initial = read_optional(reader, "initial");
    p.least = read_optional(reader, "least");
    p.greatest = read_optional(reader, "greatest");
    read_choices(reader, &p);
    p.text = ir_read_text(ir);
    p.span = ir_read_span(ir);
    return p;
}

struct graph_check graph_read_check(struct expr_reader *reader)
{
    struct graph_check check = {.condition = expr_read(reader)};
    check.text = ir_expect_kind(&reader->ir, IR_TEXT).text;
    check.span = ir_read_span(&reader->ir);
    return check;
}

const struct expr *const *graph_read_constants(struct expr_reader *reader, size_t *count)
{
    VECTOR(const struct expr *) values = {0};
    ir_expect(&reader->ir, "{");
    if (!ir_is(&reader->ir, "}")) {
        do
            VECTOR_PUSH(output_arena(reader), &values, expr_read(reader));
        while (ir_accept(&reader->ir, ","));
    }
    ir_expect(&reader->ir, "}");
    *count = values.count;
    return values.item;
}

/* ---- Stages ---- */

static struct stage_axis read_axis(struct expr_reader *reader)
{
    struct ir_reader *ir = &reader->ir;
    struct stage_axis axis = {.name = ir_expect_kind(ir, IR_NAME).name};
    ir_expect(ir, "=");
    axis.variable = expr_read_variable(reader, VARIABLE_INDEX);
    ir_expect(ir, "from");
    axis.first = expr_read(reader);
    ir_expect(ir, "extent");
    axis.extent = expr_read(reader);
    if (ir_accept(ir, "computed")) {
        ir_expect(ir, "from");
        axis.computed_first = expr_read(reader);
        ir_expect(ir, "extent");
        axis.computed_extent = expr_read(reader);
    }
    return axis;
}

/* Shared lines may stand before an axis and before the fields: all are read first. */
static void read_axes(struct expr_reader *reader, struct stage *stage)
{
    VECTOR(struct stage_axis) axes = {0};
    expr_read_shared(reader);
    while (ir_accept(&reader->ir, "axis")) {
        VECTOR_PUSH(output_arena(reader), &axes, read_axis(reader));
        expr_read_shared(reader);
    }
    stage->rank = (unsigned)axes.count;
    stage->axis = axes.item;
}

static void read_map(struct expr_reader *reader, struct stage *stage)
{
    struct ir_reader *ir = &reader->ir;
    VECTOR(struct stage_binding) bindings = {0};
    while (ir_accept(ir, "binding")) {
        struct stage_binding binding = {.name = ir_expect_kind(ir, IR_NAME).name};
        ir_expect(ir, "=");
        binding.value = expr_read(reader);
        VECTOR_PUSH(output_arena(reader), &bindings, binding);
    }
    stage->binding = bindings.item;
    stage->binding_count = bindings.count;
    ir_expect(ir, "value");
    stage->value = expr_read(reader);
}

static unsigned read_along(struct ir_reader *ir, const struct stage *stage)
{
    ir_expect(ir, "along");
    const struct ir_token token = ir->token;
    const struct symbol *name = ir_expect_kind(ir, IR_NAME).name;
    unsigned k = 0;
    while (k < stage->rank && stage->axis[k].name != name)
        k++;
    if (k == stage->rank)
        ir_fail_at(ir, token, "the stage has no such axis");
    return k;
}

void graph_read_transform(struct ir_reader *ir, enum transform *kind, enum transform_norm *norm)
{
    const char *name[TRANSFORM_COUNT];
    for (unsigned t = 0; t < TRANSFORM_COUNT; t++)
        name[t] = transform_info[t].name;
    const unsigned k = ir_expect_word(ir, name, TRANSFORM_COUNT, "a transform");
    const unsigned n = ir_expect_word(ir, transform_norm_text, NORM_COUNT, "a norm");
    *kind = k < TRANSFORM_COUNT ? (enum transform)k : TRANSFORM_FFT;
    *norm = n < NORM_COUNT ? (enum transform_norm)n : NORM_NONE;
}

static void read_transform(struct expr_reader *reader, struct stage *stage)
{
    struct ir_reader *ir = &reader->ir;
    graph_read_transform(ir, &stage->as.transform.kind, &stage->as.transform.norm);
    stage->as.transform.axis = read_along(ir, stage);
    expr_read_shared(reader);
    read_map(reader, stage);
    expr_read_shared(reader);
    if (ir_accept(ir, "imaginary"))
        stage->as.transform.imaginary = expr_read(reader);
}

static void read_recurrence(struct expr_reader *reader, struct stage *stage)
{
    struct ir_reader *ir = &reader->ir;
    stage->as.recurrence.axis = read_along(ir, stage);
    stage->as.recurrence.reversed = ir_accept(ir, "reversed");
    stage->as.recurrence.unbounded = ir_accept(ir, "unbounded");
    if (ir_accept(ir, "of_tile"))
        stage->as.recurrence.of_tile = ir_expect_kind(ir, IR_INTEGER).integer;
    stage->as.recurrence.narrow = ir_accept(ir, "narrow");
    expr_read_shared(reader);
    read_map(reader, stage);
}

static void read_steps(struct expr_reader *reader, struct stage *scatter)
{
    struct stage *steps = ARENA_NEW(output_arena(reader), struct stage);
    *steps = *scatter;
    steps->kind = STAGE_MAP;
    ir_expect(&reader->ir, "steps");
    ir_expect(&reader->ir, "{");
    read_axes(reader, steps);
    read_map(reader, steps);
    ir_expect(&reader->ir, "}");
    scatter->as.scatter.steps = steps;
}

static uint32_t read_number(struct expr_reader *reader)
{
    const struct ir_token token = reader->ir.token;
    const int64_t number = ir_expect_kind(&reader->ir, IR_INTEGER).integer;
    if (number < 0 || number > UINT32_MAX)
        ir_fail_at(&reader->ir, token, "a number here is not negative, and below 2^32");
    return (uint32_t)number;
}

static const struct symbol *read_levels(struct ir_reader *ir)
{
    return ir_accept(ir, "levels") ? ir_expect_kind(ir, IR_NAME).name : NULL;
}

static void read_fields(struct expr_reader *reader, struct stage *stage)
{
    struct ir_reader *ir = &reader->ir;
    switch (stage->kind) {
    case STAGE_INPUT:
        ir_expect(ir, "position");
        stage->as.input.position = read_number(reader);
        stage->as.input.levels = read_levels(ir);
        break;
    case STAGE_CONSTANT:
        ir_expect(ir, "values");
        stage->as.constant.value = graph_read_constants(reader, &stage->as.constant.count);
        break;
    case STAGE_RECURRENCE:
        read_recurrence(reader, stage);
        break;
    case STAGE_CARRIED:
        ir_expect(ir, "initial");
        stage->as.carried.initial.index = read_number(reader);
        ir_expect(ir, "next");
        stage->as.carried.next.index = read_number(reader);
        break;
    case STAGE_SCATTER:
        read_map(reader, stage);
        read_steps(reader, stage);
        break;
    case STAGE_TRANSFORM:
        read_transform(reader, stage);
        break;
    case STAGE_TABLE:
    case STAGE_JOINED:
    case STAGE_TO_PARTICLES:
    case STAGE_CELL_MEANS:
    case STAGE_CONVOLVE_CELLS:
    case STAGE_STENCIL_CELLS:
    case STAGE_GIVEN_LEVELS:
    case STAGE_GIVEN_VALUES:
    case STAGE_MAP:
        read_map(reader, stage);
        break;
    case STAGE_KIND_COUNT:
        break;
    }
}

/* Behind "along". */
static void read_lines(struct expr_reader *reader, struct schedule *schedule)
{
    struct schedule_lines *lines = &schedule->as.lines;
    schedule->kind = SCHEDULE_LINES;
    lines->axis = read_number(reader);
    lines->segmented = ir_accept(&reader->ir, "blocked");
    lines->has_lanes = ir_accept(&reader->ir, "across");
    if (lines->has_lanes)
        lines->lanes = read_number(reader);
}

static const struct schedule *read_schedules(struct expr_reader *reader)
{
    struct ir_reader *ir = &reader->ir;
    const struct schedule *first = NULL, **link = &first;
    while (ir_accept(ir, "schedule")) {
        struct schedule *schedule = ARENA_NEW(output_arena(reader), struct schedule);
        VECTOR(int64_t) tile = {0};
        const unsigned placement =
            ir_expect_word(ir, placement_text, PLACEMENT_COUNT, "a placement");
        schedule->placement = placement < PLACEMENT_COUNT ? (enum placement)placement : PLACED_ROOT;
        if (placement_names_stage(schedule->placement))
            schedule->at.index = read_number(reader);
        if (ir_accept(ir, "tile")) {
            ir_expect(ir, "(");
            do
                VECTOR_PUSH(output_arena(reader), &tile, ir_expect_kind(ir, IR_INTEGER).integer);
            while (ir_accept(ir, ","));
            ir_expect(ir, ")");
        }
        schedule->rank = (unsigned)tile.count;
        schedule->tile = tile.item;
        if (ir_accept(ir, "sliding"))
            schedule->as.tiles = (struct schedule_tiles){true, read_number(reader)};
        else if (ir_accept(ir, "along"))
            read_lines(reader, schedule);
        schedule->staged = ir_accept(ir, "staged");
        schedule->span = ir_read_span(ir);
        *link = schedule;
        link = &schedule->next;
    }
    return first;
}

static void read_versions(struct expr_reader *reader, struct detail *detail)
{
    VECTOR(struct graph_check) versions = {0};
    expr_read_shared(reader);
    while (ir_accept(&reader->ir, "when")) {
        VECTOR_PUSH(output_arena(reader), &versions, graph_read_check(reader));
        expr_read_shared(reader);
    }
    detail->version = versions.item;
    detail->version_count = versions.count;
}

static const struct stage_details *read_details(struct expr_reader *reader)
{
    struct ir_reader *ir = &reader->ir;
    struct stage_details *details = NULL;
    const char *word[DETAIL_COUNT];
    for (unsigned d = 0; d < DETAIL_COUNT; d++)
        word[d] = detail_info[d].text;
    while (ir_accept(ir, "detail")) {
        const unsigned kind = ir_expect_word(ir, word, DETAIL_COUNT, "a detail");
        if (kind >= DETAIL_COUNT)
            return details;
        details = details ? details : ARENA_NEW(output_arena(reader), struct stage_details);
        struct detail *detail = &details->of[kind];
        *detail = (struct detail){.said = true};
        while (ir->token.kind == IR_INTEGER && detail->count < GRAPH_MAX_RANK)
            detail->value[detail->count++] = ir_expect_kind(ir, IR_INTEGER).integer;
        detail->span = ir_read_span(ir);
        read_versions(reader, detail);
    }
    return details;
}

static enum stage_kind read_kind(struct ir_reader *ir)
{
    const char *text[STAGE_KIND_COUNT];
    for (unsigned i = 0; i < STAGE_KIND_COUNT; i++)
        text[i] = stage_info[i].text;
    const unsigned kind = ir_expect_word(ir, text, STAGE_KIND_COUNT, "a kind of stage");
    return kind < STAGE_KIND_COUNT ? (enum stage_kind)kind : STAGE_MAP;
}

/* Behind "stage". Its name and type are known to its own expressions: a recurrence reads itself. */
static void read_stage(struct expr_reader *reader, struct graph *graph)
{
    struct ir_reader *ir = &reader->ir;
    uint32_t place;
    struct stage stage = {.name = expr_read_new_source(reader, &place)};
    stage.id.index = ir->token.kind == IR_RAW ? (uint32_t)ir_next(ir).integer : place;
    ir_expect(ir, ":");
    stage.kind = read_kind(ir);
    stage.element = expr_read_type(reader, &stage.interval);
    stage.fixed = graph_read_fixed(reader);
    stage.quantisation = read_quantisation(ir);
    stage.is_made = ir_accept(ir, "made");
    stage.span = ir_read_span(ir);
    reader->sources.item[place].scalar = stage.element;
    reader->sources.item[place].interval = stage.interval;
    ir_expect(ir, "{");
    read_axes(reader, &stage);
    if (ir_accept(ir, "repeat"))
        stage.repeat = read_number(reader);
    expr_read_shared(reader);
    read_fields(reader, &stage);
    stage.schedule = read_schedules(reader);
    stage.details = read_details(reader);
    ir_expect(ir, "}");
    VECTOR_PUSH(output_arena(reader), &graph->stages,
                arena_copy(output_arena(reader), &stage, sizeof stage));
}

static void read_estimate(struct expr_reader *reader, struct graph *graph)
{
    const struct ir_token start = reader->ir.token;
    struct graph_estimate estimate = {.variable = expr_read(reader)};
    ir_expect(&reader->ir, "=");
    const struct expr *value = expr_read(reader);
    if (!reader->ir.failed &&
        (estimate.variable->kind != EXPR_VARIABLE || value->kind != EXPR_INTEGER))
        ir_fail_at(&reader->ir, start, "an estimate is of a variable, and an integer");
    estimate.value = value->kind == EXPR_INTEGER ? value->as.integer : 0;
    VECTOR_PUSH(output_arena(reader), &graph->estimates, estimate);
}

static void read_setting(struct expr_reader *reader, struct graph *graph)
{
    struct ir_reader *ir = &reader->ir;
    const unsigned setting =
        ir_expect_word(ir, circuit_setting_text, CIRCUIT_SETTING_COUNT, "a setting");
    const int64_t value = ir_expect_kind(ir, IR_INTEGER).integer;
    if (setting < CIRCUIT_SETTING_COUNT)
        VECTOR_PUSH(output_arena(reader), &graph->settings,
                    (struct graph_setting){(enum circuit_setting)setting, value});
}

static void read_output(struct expr_reader *reader, struct graph *graph)
{
    struct graph_output output = {.name = ir_expect_kind(&reader->ir, IR_NAME).name};
    ir_expect(&reader->ir, "=");
    output.stage.index = expr_read_source(reader);
    output.levels = read_levels(&reader->ir);
    VECTOR_PUSH(output_arena(reader), &graph->outputs, output);
}

/* The parts in the order they are printed in. */
const struct graph *graph_read(struct session *session, const char *name, const char *text,
                               size_t length)
{
    struct arena *arena = session->ir;
    struct expr_reader reader = expr_reader_open(session, name, text, length);
    reader.widened = true; /* verifiers know whether a pass may have */
    struct ir_reader *ir = &reader.ir;
    struct graph *graph = ARENA_NEW(arena, struct graph);
    ir_expect(ir, "graph");
    graph->name = ir_expect_kind(ir, IR_NAME).name;
    graph->text = ir_read_text(ir);
    if (!graph->text)
        graph->text = "";
    graph->is_boxed = ir_accept(ir, "boxed");
    expr_read_variables(&reader);
    while (ir_accept(ir, "parameter"))
        VECTOR_PUSH(arena, &graph->parameters, graph_read_parameter(&reader));
    expr_read_shared(&reader);
    while (ir_accept(ir, "repeat")) {
        struct graph_repeat repeat = {NULL, 0, {0, 0}};
        read_number(&reader);
        ir_expect(ir, ":");
        repeat.count = expr_read(&reader);
        ir_expect(ir, "inside");
        repeat.outer = read_number(&reader);
        repeat.span = ir_read_span(ir);
        VECTOR_PUSH(arena, &graph->repeats, repeat);
        expr_read_shared(&reader);
    }
    while (ir_accept(ir, "stage"))
        read_stage(&reader, graph);
    expr_read_shared(&reader);
    while (ir_accept(ir, "check")) {
        VECTOR_PUSH(arena, &graph->checks, graph_read_check(&reader));
        expr_read_shared(&reader);
    }
    while (ir_accept(ir, "setting"))
        read_setting(&reader, graph);
    while (ir_accept(ir, "estimate"))
        read_estimate(&reader, graph);
    while (ir_accept(ir, "output"))
        read_output(&reader, graph);
    ir_expect_kind(ir, IR_END);
    return ir->failed ? NULL : graph;
}
