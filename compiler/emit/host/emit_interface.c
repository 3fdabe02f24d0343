/* The interface of a filter in JSON, version 1: what a program has to know that calls NAME_call and
 * was not compiled with the header. doc/interface.schema.json describes it. */
#include "emit/emission.h"
#include "emit/host/host.h"
#include "expr/infix.h"
#include "loop/input_region.h"
#include "support/json.h"

enum { VERSION = 1 };

/* ---- Values ---- */

static void add_number(struct json *j, struct arena *arena, const char *key, enum scalar scalar,
                       const struct expr *value)
{
    struct text number = text_create(arena);
    if (value && scalar == SCALAR_BOOL)
        text_print(&number, value->as.integer ? "true" : "false");
    else if (value && value->kind == EXPR_INTEGER)
        text_print(&number, "%lld", (long long)value->as.integer);
    else if (value && value->kind == EXPR_REAL)
        text_real(&number, value->as.real, scalar == SCALAR_F32 ? 32 : 64);
    const bool has_number = number.length && !strchr("in", number.bytes[number.bytes[0] == '-']);
    json_add(j, key, has_number || (value && scalar == SCALAR_BOOL) ? number.bytes : "null");
}

struct known_names {
    const struct emission *e;
    bool all;
};

/* Callers know extents of inputs, parameters, and the boxes of results that they ask for. */
static void note_name(const struct expr *node, void *user)
{
    struct known_names *names = user;
    const struct program *program = names->e->program;
    bool known = node->kind != EXPR_VARIABLE || node->as.variable.kind == VARIABLE_PARAMETER;
    for (size_t i = 0; i < program->inputs.count && !known; i++) {
        const struct buffer *input = program_buffer(program, program->inputs.item[i]);
        for (unsigned k = 0; k < input->rank; k++)
            known = known || input->axis[k].extent == node;
    }
    for (size_t i = 0; i < program->region_variables.count && !known; i++)
        known = program->region_variables.item[i] == node;
    names->all = names->all && known;
}

/* "in.y / 2 + 1"; null: it has no such formula, and NAME_extents or NAME_region_of tell it. */
static void add_formula(struct json *j, struct emission *e, const char *key,
                        const struct expr *value)
{
    struct text formula = text_create(e->arena);
    struct known_names names = {e, true};
    for (size_t i = e->program->values.count; i-- > 0;)
        value =
            expr_substitute(&e->session->pool, e->arena, value, e->program->values.item[i].variable,
                            e->program->values.item[i].value);
    expr_nodes(e->arena, value, note_name, &names);
    infix_print(value, &formula);
    json_add_text(j, key, names.all && !strstr(formula.bytes, "…") ? formula.bytes : NULL);
}

static void add_fixed_point(struct json *j, struct fixed_point fixed)
{
    if (fixed.is)
        json_add_integer(j, "fraction_bits", fixed.fraction);
}

/* ---- Images and parameters ---- */

static void add_image(struct json *j, struct emission *e, const struct buffer *image)
{
    json_open(j, NULL, '{');
    json_add_text(j, "name", image->name->text);
    json_add_text(j, "struct", arena_format(e->arena, "%s_%s", e->name, name_of_buffer(e, image)));
    json_add_text(j, "type", scalar_info[image->scalar].text);
    json_add_text(j, "c_type", scalar_info[image->scalar].c_type);
    add_fixed_point(j, image->fixed);
    json_open(j, "axes", '[');
    for (unsigned k = 0; k < image->rank; k++) {
        json_open(j, NULL, '{');
        json_add_text(j, "name", image->axis[k].name->text);
        json_add_text(j, "extent_field", name_of_extent_field(e, image, k));
        json_add_text(j, "stride_field", name_of_stride_field(e, image, k));
        if (image->space == SPACE_OUTPUT)
            add_formula(j, e, "first", image->axis[k].first);
        if (image->space == SPACE_OUTPUT || image->axis[k].extent->kind == EXPR_INTEGER)
            add_formula(j, e, "extent", image->axis[k].extent);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void add_images(struct json *j, struct emission *e, const char *key, size_t first,
                       size_t end)
{
    json_open(j, key, '[');
    for (size_t i = first; i < end; i++)
        add_image(j, e, image_of(e, i));
    json_close(j, ']');
}

static void add_parameter(struct json *j, struct emission *e, const struct parameter *p)
{
    json_open(j, NULL, '{');
    json_add_text(j, "name", p->name->text);
    json_add_text(j, "argument", name_of_variable(e, p->variable));
    json_add_text(j, "type", scalar_info[p->scalar].text);
    json_add_text(j, "c_type", scalar_info[p->scalar].c_type);
    add_fixed_point(j, p->fixed);
    add_number(j, e->arena, "default", p->scalar, p->initial);
    add_number(j, e->arena, "least", p->scalar, p->least);
    add_number(j, e->arena, "greatest", p->scalar, p->greatest);
    if (p->choice_count)
        json_open(j, "choices", '[');
    for (size_t i = 0; i < p->choice_count; i++)
        json_add_text(j, NULL, p->choice[i]->text);
    if (p->choice_count)
        json_close(j, ']');
    json_add_text(j, "text", p->text ? p->text : "");
    json_close(j, '}');
}

/* ---- Reads ---- */

static const char *const reads_text[] = {
    [INPUT_NOTHING] = "nothing", [INPUT_WHOLE] = "whole",         [INPUT_FIXED] = "fixed",
    [INPUT_BOX] = "box",         [INPUT_IRREGULAR] = "irregular",
};

/* "out.y" of "out.y.first" */
static const char *axis_of(struct emission *e, const struct expr *variable)
{
    const char *name = variable->as.variable.name->text;
    return arena_text(e->arena, name, strlen(name) - strlen(".first"));
}

static void add_reads_along(struct json *j, struct emission *e, const struct input_region *region,
                            unsigned axis)
{
    const enum input_reach reach = region->reach[axis];
    const struct input_motion motion =
        input_region_motion(&e->session->pool, e->arena, e->program, region, axis);
    json_open(j, NULL, '{');
    json_add_text(j, "axis", program_buffer(e->program, region->input)->axis[axis].name->text);
    json_add_text(j, "reads", reads_text[motion.reads]);
    if (motion.follows)
        json_add_text(j, "follows", axis_of(e, motion.follows));
    if (motion.reads == INPUT_BOX) {
        json_add_integer(j, "samples", motion.samples);
        json_add_integer(j, "for_each", motion.for_each);
    }
    if (motion.before) {
        add_formula(j, e, "before", motion.before);
        add_formula(j, e, "after", motion.after);
    }
    if (reach == REACH_PART || reach == REACH_MIRRORED) {
        add_formula(j, e, "first", region->first[axis]);
        add_formula(j, e, "end", region->end[axis]);
        json_add_truth(j, "mirrored", reach == REACH_MIRRORED);
    }
    json_close(j, '}');
}

static void add_reads(struct json *j, struct emission *e)
{
    json_open(j, "reads", '[');
    for (size_t i = 0; has_regions(e) && i < e->program->regions.count; i++) {
        const struct input_region *region = &e->program->regions.item[i];
        const struct buffer *input = program_buffer(e->program, region->input);
        json_open(j, NULL, '{');
        json_add_text(j, "input", input->name->text);
        json_add_text(j, "function",
                      arena_format(e->arena, "%s_region_of_%s", e->name, name_of_buffer(e, input)));
        json_open(j, "axes", '[');
        for (unsigned k = 0; k < input->rank; k++)
            add_reads_along(j, e, region, k);
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* ---- The whole ---- */

/* What the text of the program has, and elaboration leaves out. */
static void add_given(struct json *j, const struct interface_given *given)
{
    json_open(j, "constants", '[');
    for (size_t i = 0; i < given->constants.count; i++) {
        json_open(j, NULL, '{');
        json_add_text(j, "name", given->constants.item[i].name);
        json_add_text(j, "declared", given->constants.item[i].declared);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "types", '{');
    for (size_t i = 0; i < given->types.count; i++) {
        json_open(j, given->types.item[i].name, '[');
        for (int s = 0; s < SCALAR_COUNT; s++)
            if (given->types.item[i].allowed[s])
                json_add_text(j, NULL, scalar_info[s].text);
        json_close(j, ']');
    }
    json_close(j, '}');
}

static void add_words(struct json *j, const char *key, size_t count, const char *const word[])
{
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        if (word[i])
            json_add_text(j, NULL, word[i]);
    json_close(j, ']');
}

static void add_needs(struct json *j, struct emission *e)
{
    const struct host_dialect *host = e->dialect->host;
    const char *const call[] = {"extents",
                                "run",
                                "scratch",
                                has_regions(e) ? "region" : NULL,
                                host->print_launch_call ? "launch" : NULL,
                                e->options->boxes && host->run_fields ? "run_box" : NULL};
    const char *const library[] = {makes_particles(e) ? "fltparticles" : NULL};
    add_words(j, "calls", sizeof call / sizeof *call, call);
    json_add_truth(j, "takes_tasks", host->takes_tasks);
    json_add_truth(j, "takes_library", e->opened != NULL);
    json_add_truth(j, "prepares", e->prepared != NULL);
    add_words(j, "libraries", sizeof library / sizeof *library, library);
    json_open(j, "headers", '[');
    for (size_t i = 0; i < e->externals.count; i++)
        json_add_text(j, NULL, e->externals.item[i]->header->text);
    json_close(j, ']');
}

static void add_status(const char *name, long number, const char *text, void *user)
{
    struct json *j = user;
    json_open(j, NULL, '{');
    json_add_integer(j, "value", number);
    json_add_text(j, "name", name);
    json_add_text(j, "text", text);
    json_close(j, '}');
}

const char *interface_text(struct emission *e, bool has_origin)
{
    /* Levels that have a line for each of their parts. */
    enum { LISTS = 1, ROWS = 2, IMAGES = 4 };
    const struct interface_given *given = e->options->interface;
    struct text text = text_create(e->arena);
    struct json j = {.out = &text, .lines = ROWS};
    json_open(&j, NULL, '{');
    if (has_origin) {
        json_add_text(&j, "fltc", given->version);
        json_add_text(&j, "source", given->source);
        json_add_text(&j, "hash", given->hash);
    }
    json_add_integer(&j, "interface", VERSION);
    json_add_text(&j, "filter", e->program->name->text);
    json_add_text(&j, "symbol", e->name);
    json_add_text(&j, "target", e->target->name);
    json_add_text(&j, "source_file",
                  arena_format(e->arena, "%s%s", e->options->stem, e->dialect->ending));
    json_add_text(&j, "header", arena_format(e->arena, "%s.h", e->options->stem));
    json_add_text(&j, "text", e->program->text);
    add_given(&j, given);
    j.lines = IMAGES;
    add_images(&j, e, "inputs", 0, e->program->inputs.count);
    j.lines = ROWS;
    json_open(&j, "parameters", '[');
    for (size_t i = 0; i < e->program->parameters.count; i++)
        add_parameter(&j, e, &e->program->parameters.item[i]);
    json_close(&j, ']');
    j.lines = IMAGES;
    add_images(&j, e, "outputs", e->program->inputs.count, image_count(e));
    add_reads(&j, e);
    j.lines = LISTS;
    add_needs(&j, e);
    j.lines = ROWS;
    json_open(&j, "statuses", '[');
    statuses_visit(e, add_status, &j);
    json_close(&j, ']');
    json_close(&j, '}');
    text_print(&text, "\n");
    return text.bytes;
}
