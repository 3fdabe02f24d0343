/* graph → text. The body is printed first, which shows which variables occur; they are declared at
 * the top. */
#include "graph/graph_text.h"

#include <inttypes.h>
#include <math.h>

/* ---- What loop programs have too ---- */

static void print_optional(struct expr_printer *printer, const char *word, const struct expr *node)
{
    if (!node)
        return;
    text_print(printer->text, " %s ", word);
    expr_print(printer, node);
}

void graph_print_fixed(struct text *text, struct fixed_point fixed)
{
    if (fixed.is)
        text_print(text, " fixed %d", fixed.fraction);
}

void graph_print_parameters(struct expr_printer *printer, const struct parameter parameter[],
                            size_t count)
{
    struct text *text = printer->text;
    for (size_t i = 0; i < count; i++) {
        const struct parameter *p = &parameter[i];
        expr_print_shared(printer, 0, NULL);
        text_print(text, "parameter ");
        ir_print_name(text, p->name);
        text_print(text, " = ");
        expr_print(printer, p->variable);
        text_print(text, " : %s", scalar_info[p->scalar].text);
        graph_print_fixed(text, p->fixed);
        print_optional(printer, "initial", p->initial);
        print_optional(printer, "least", p->least);
        print_optional(printer, "greatest", p->greatest);
        for (size_t c = 0; c < p->choice_count; c++) {
            text_print(text, c ? ", " : " of { ");
            ir_print_name(text, p->choice[c]);
        }
        text_print(text, p->choice_count ? " }" : "");
        if (p->text) {
            text_print(text, " ");
            ir_print_text(text, p->text);
        }
        ir_print_span(text, p->span);
        text_print(text, "\n");
    }
}

void graph_print_checks(struct expr_printer *printer, const char *word,
                        const struct graph_check check[], size_t count)
{
    struct text *text = printer->text;
    for (size_t i = 0; i < count; i++) {
        expr_print_shared(printer, 1, &check[i].condition);
        text_print(text, "%s ", word);
        expr_print(printer, check[i].condition);
        text_print(text, " ");
        ir_print_text(text, check[i].text);
        ir_print_span(text, check[i].span);
        text_print(text, "\n");
    }
}

void graph_print_constants(struct expr_printer *printer, const struct expr *const value[],
                           size_t count)
{
    enum { LAST_COLUMN = 90 };
    struct text *text = printer->text;
    text_print(text, "{");
    size_t column = text_column(text);
    for (size_t i = 0; i < count; i++) {
        const size_t before = text->length;
        if (column > LAST_COLUMN)
            text_print(text, ",\n    ");
        else
            text_print(text, i ? ", " : " ");
        expr_print(printer, value[i]);
        column = column > LAST_COLUMN ? text_column(text) : column + text->length - before;
    }
    text_print(text, " }\n");
}

/* ---- Stages ---- */

static void print_box(struct expr_printer *printer, const char *words, const struct expr *first,
                      const struct expr *extent)
{
    text_print(printer->text, " %s ", words);
    expr_print(printer, first);
    text_print(printer->text, " extent ");
    expr_print(printer, extent);
}

static void print_axis(struct expr_printer *printer, const struct stage_axis *axis)
{
    struct text *text = printer->text;
    const struct expr *const root[] = {axis->first, axis->extent, axis->computed_first,
                                       axis->computed_extent};
    expr_print_shared(printer, 4, root);
    text_print(text, "axis ");
    ir_print_name(text, axis->name);
    text_print(text, " = ");
    expr_print(printer, axis->variable);
    print_box(printer, "from", axis->first, axis->extent);
    if (axis->computed_first || axis->computed_extent)
        print_box(printer, "computed from", axis->computed_first, axis->computed_extent);
    text_print(text, "\n");
}

/* The bindings and the value share what they have in common. */
static void print_map(struct expr_printer *printer, const struct stage *stage)
{
    struct text *text = printer->text;
    const size_t count = stage->binding_count;
    const struct expr **root = ARENA_ARRAY(text->arena, const struct expr *, count + 1);
    for (size_t i = 0; i < count; i++)
        root[i] = stage->binding[i].value;
    root[count] = stage->value;
    expr_print_shared(printer, count + 1, root);
    for (size_t i = 0; i < count; i++) {
        text_print(text, "binding ");
        ir_print_name(text, stage->binding[i].name);
        text_print(text, " = ");
        expr_print(printer, root[i]);
        text_print(text, "\n");
    }
    text_print(text, "value ");
    expr_print(printer, root[count]);
    text_print(text, "\n");
}

/* The steps of a scatter: axes; targets and the condition stand as bindings. */
static void print_steps(struct expr_printer *printer, const struct stage *steps)
{
    if (!steps)
        return;
    text_print(printer->text, "steps {\n");
    printer->text->indent += 4;
    for (unsigned i = 0; i < steps->rank; i++)
        print_axis(printer, &steps->axis[i]);
    expr_print_shared(printer, 0, NULL);
    print_map(printer, steps);
    printer->text->indent -= 4;
    text_print(printer->text, "}\n");
}

void graph_print_transform(struct text *text, enum transform kind, enum transform_norm norm)
{
    text_print(text, "%s %s", transform_info[kind].name, transform_norm_text[norm]);
}

static void print_transform(struct expr_printer *printer, const struct stage *stage)
{
    graph_print_transform(printer->text, stage->as.transform.kind, stage->as.transform.norm);
    text_print(printer->text, " along ");
    ir_print_name(printer->text, stage->axis[stage->as.transform.axis].name);
    text_print(printer->text, "\n");
    print_map(printer, stage);
    if (!stage->as.transform.imaginary)
        return;
    expr_print_shared(printer, 1, &stage->as.transform.imaginary);
    text_print(printer->text, "imaginary ");
    expr_print(printer, stage->as.transform.imaginary);
    text_print(printer->text, "\n");
}

/* The image with the levels of an adaptive one. */
static void graph_print_levels(struct text *text, const struct symbol *levels)
{
    if (!levels)
        return;
    text_print(text, " levels ");
    ir_print_name(text, levels);
}

static void print_fields(struct expr_printer *printer, const struct stage *stage)
{
    switch (stage->kind) {
    case STAGE_INPUT:
        text_print(printer->text, "position %" PRIu32, stage->as.input.position);
        graph_print_levels(printer->text, stage->as.input.levels);
        text_print(printer->text, "\n");
        break;
    case STAGE_CONSTANT:
        text_print(printer->text, "values ");
        graph_print_constants(printer, stage->as.constant.value, stage->as.constant.count);
        break;
    case STAGE_RECURRENCE:
        text_print(printer->text, "along ");
        ir_print_name(printer->text, stage->axis[stage->as.recurrence.axis].name);
        text_print(printer->text, "%s%s", stage->as.recurrence.reversed ? " reversed" : "",
                   stage->as.recurrence.unbounded ? " unbounded" : "");
        if (stage->as.recurrence.of_tile)
            text_print(printer->text, " of_tile %lld", (long long)stage->as.recurrence.of_tile);
        text_print(printer->text, "%s\n", stage->as.recurrence.narrow ? " narrow" : "");
        print_map(printer, stage);
        break;
    case STAGE_CARRIED:
        text_print(printer->text, "initial %" PRIu32 " next %" PRIu32 "\n",
                   stage->as.carried.initial.index, stage->as.carried.next.index);
        break;
    case STAGE_SCATTER:
        print_map(printer, stage);
        print_steps(printer, stage->as.scatter.steps);
        break;
    case STAGE_TRANSFORM:
        print_transform(printer, stage);
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
        print_map(printer, stage);
        break;
    case STAGE_KIND_COUNT:
        break;
    }
}

static void print_schedules(struct text *text, const struct schedule *schedule)
{
    for (; schedule; schedule = schedule->next) {
        text_print(text, "schedule %s", placement_text[schedule->placement]);
        if (placement_names_stage(schedule->placement))
            text_print(text, " %" PRIu32, schedule->at.index);
        for (unsigned i = 0; i < schedule->rank; i++)
            text_print(text, "%s%" PRId64, i ? ", " : " tile(", schedule->tile[i]);
        text_print(text, "%s", schedule->rank ? ")" : "");
        if (schedule_slides(schedule))
            text_print(text, " sliding %u", schedule->as.tiles.axis);
        if (schedule_has_lines(schedule))
            text_print(text, " along %u%s", schedule->as.lines.axis,
                       schedule->as.lines.segmented ? " blocked" : "");
        if (schedule_has_lanes(schedule))
            text_print(text, " across %u", schedule->as.lines.lanes);
        text_print(text, "%s", schedule->staged ? " staged" : "");
        ir_print_span(text, schedule->span);
        text_print(text, "\n");
    }
}

static void print_details(struct expr_printer *printer, const struct stage *stage)
{
    struct text *text = printer->text;
    for (unsigned d = 0; d < DETAIL_COUNT; d++) {
        const struct detail *detail = stage_says(stage, (enum stage_detail)d);
        if (!detail)
            continue;
        text_print(text, "detail %s", detail_info[d].text);
        for (unsigned i = 0; i < detail->count; i++)
            text_print(text, " %" PRId64, detail->value[i]);
        ir_print_span(text, detail->span);
        text_print(text, "\n");
        graph_print_checks(printer, "when", detail->version, detail->version_count);
    }
}

static void print_quantisation(struct text *text, struct quantisation q)
{
    if (q.error > 0 && isinf(q.error)) {
        text_print(text, " error unbounded");
    } else if (q.error > 0) {
        text_print(text, " error ");
        text_real(text, q.error, 64);
    }
    text_print(text, "%s", q.saturates ? " saturates" : "");
}

static void print_stage(struct expr_printer *printer, const struct stage *stage, size_t place)
{
    struct text *text = printer->text;
    text_print(text, "\nstage %s", printer->source[place].text);
    if (stage->id.index != place)
        text_print(text, " #%" PRIu32, stage->id.index);
    text_print(text, " : %s ", stage_info[stage->kind].text);
    expr_print_type(text, stage->element, stage->interval);
    graph_print_fixed(text, stage->fixed);
    print_quantisation(text, stage->quantisation);
    text_print(text, "%s", stage->is_made ? " made" : "");
    ir_print_span(text, stage->span);
    text_print(text, " {\n");
    text->indent += 4;
    for (unsigned i = 0; i < stage->rank; i++)
        print_axis(printer, &stage->axis[i]);
    expr_print_shared(printer, 0, NULL);
    if (stage->repeat)
        text_print(text, "repeat %" PRIu32 "\n", stage->repeat);
    print_fields(printer, stage);
    print_schedules(text, stage->schedule);
    print_details(printer, stage);
    text->indent -= 4;
    text_print(text, "}\n");
}

/* Stages as loads name them. */
static const struct expr_source *sources_of(const struct graph *graph, struct arena *arena)
{
    struct ir_names names = {.arena = arena};
    struct expr_source *source = ARENA_ARRAY(arena, struct expr_source, graph->stages.count + 1);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        source[i] =
            (struct expr_source){ir_spell(&names, stage->name), stage->element, stage->interval};
    }
    return source;
}

void graph_print(const struct graph *graph, struct text *text)
{
    struct arena *arena = text->arena;
    const struct expr_source *source = sources_of(graph, arena);
    struct text body = text_create(arena);
    struct expr_printer printer = expr_printer_open(&body, source, graph->stages.count);
    graph_print_parameters(&printer, graph->parameters.item, graph->parameters.count);
    for (size_t i = 0; i < graph->repeats.count; i++) {
        const struct graph_repeat *repeat = &graph->repeats.item[i];
        expr_print_shared(&printer, 1, &repeat->count);
        text_print(&body, "repeat %zu : ", i + 1);
        expr_print(&printer, repeat->count);
        text_print(&body, " inside %" PRIu32, repeat->outer);
        ir_print_span(&body, repeat->span);
        text_print(&body, "\n");
    }
    for (size_t i = 0; i < graph->stages.count; i++)
        print_stage(&printer, graph->stages.item[i], i);
    text_print(&body, "\n");
    graph_print_checks(&printer, "check", graph->checks.item, graph->checks.count);
    for (size_t i = 0; i < graph->settings.count; i++)
        text_print(&body, "setting %s %" PRId64 "\n",
                   circuit_setting_text[graph->settings.item[i].setting],
                   graph->settings.item[i].value);
    for (size_t i = 0; i < graph->estimates.count; i++) {
        text_print(&body, "estimate ");
        expr_print(&printer, graph->estimates.item[i].variable);
        text_print(&body, " = %" PRId64 "\n", graph->estimates.item[i].value);
    }
    for (size_t i = 0; i < graph->outputs.count; i++) {
        const struct graph_output *output = &graph->outputs.item[i];
        text_print(&body, "output ");
        ir_print_name(&body, output->name);
        if (output->stage.index < graph->stages.count)
            text_print(&body, " = %s", source[output->stage.index].text);
        else
            text_print(&body, " = #%" PRIu32, output->stage.index);
        graph_print_levels(&body, output->levels);
        text_print(&body, "\n");
    }

    text_print(text, "graph ");
    ir_print_name(text, graph->name);
    if (graph->text && *graph->text) {
        text_print(text, " ");
        ir_print_text(text, graph->text);
    }
    text_print(text, graph->is_boxed ? " boxed\n" : "\n");
    expr_print_variables(&printer, text);
    text_append(text, body.bytes, body.length);
}
