/* NAME_call, the function of flt/filter.h, and NAME_filter, by which programs find it. */
#include "emit/emission.h"
#include "emit/host/host.h"

/* In build/launch_texts.c: flt/filter.h. */
extern const char launch_text_filter[];

/* image_0, …: inputs, then outputs. */
static void print_images(struct emission *e)
{
    for (size_t i = 0; i < image_count(e); i++) {
        const struct buffer *buffer = image_of(e, i);
        const char *constant = buffer->space == SPACE_OUTPUT ? "" : "const ";
        text_print(e->out, "    %sstruct %s_%s image_%zu = {(%s%s *)given->data[%zu]", constant,
                   e->name, name_of_buffer(e, buffer), i, constant,
                   scalar_info[buffer->scalar].c_type, i);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, ", given->extents[%zu][%u]", i, k);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, ", given->strides[%zu][%u]", i, k);
        text_print(e->out, e->dialect->host->object ? ", NULL, 0};\n" : "};\n");
    }
}

/* Inputs as `input`_0, …, parameters and, if asked for, outputs. */
static const char *arguments_with(struct emission *e, const char *input, bool with_outputs)
{
    const size_t inputs = e->program->inputs.count;
    struct text arguments = text_create(e->arena);
    for (size_t i = 0; i < inputs; i++)
        text_print(&arguments, "%s&%s_%zu", i ? ", " : "", input, i);
    for (size_t i = 0; i < e->program->parameters.count; i++)
        text_print(&arguments, "%s*(const %s *)given->parameters[%zu]",
                   arguments.length ? ", " : "",
                   scalar_info[e->program->parameters.item[i].scalar].c_type, i);
    for (size_t i = inputs; with_outputs && i < image_count(e); i++)
        text_print(&arguments, "%s&image_%zu", arguments.length ? ", " : "", i);
    return arguments.length ? arguments.bytes : "";
}

const char *entry_arguments(struct emission *e, bool with_outputs)
{
    return arguments_with(e, "image", with_outputs);
}

static const char *comma(const char *arguments)
{
    return *arguments ? ", " : "";
}

static void print_extents_call(struct emission *e)
{
    text_print(e->out, "    case FLT_EXTENTS: {\n        const int status = %s_extents(%s);\n",
               e->name, entry_arguments(e, true));
    for (size_t i = e->program->inputs.count; i < image_count(e); i++)
        for (unsigned k = 0; k < image_of(e, i)->rank; k++)
            text_print(e->out, "        given->extents[%zu][%u] = image_%zu.%s;\n", i, k, i,
                       name_of_extent_field(e, image_of(e, i), k));
    text_print(e->out, "        return status;\n    }\n");
}

/* The first argument of functions that take one: what the caller has opened. */
static const char *opened_argument(struct emission *e)
{
    return e->opened ? arena_format(e->arena, "(struct %s_opened *)given->opened, ", e->name) : "";
}

/* With scratch memory of the caller. */
static const char *call_of_run(struct emission *e)
{
    const char *arguments = entry_arguments(e, true);
    return arena_format(e->arena,
                        "%s_run_by(%s%s%s%sgiven->scratch, given->scratch_bytes, "
                        "given->threads, given->tasks)",
                        e->name, opened_argument(e), arguments, comma(arguments),
                        e->prepared ? "given->prepared, given->prepared_bytes, " : "");
}

static void print_run_call(struct emission *e)
{
    const struct host_dialect *host = e->dialect->host;
    const char *arguments = entry_arguments(e, true);
    text_print(e->out, "    case FLT_RUN: {\n");
    if (host->takes_tasks)
        text_print(e->out,
                   "        if (given->scratch || given->tasks) {\n"
                   "            const int status = %s;\n"
                   "            if (status == %s_BAD_SCRATCH)\n"
                   "                given->scratch_bytes = %s_scratch_bytes(%s%sgiven->threads);\n"
                   "            return status;\n        }\n",
                   call_of_run(e), name_upper(e, e->name), e->name, arguments, comma(arguments));
    if (host->entry_begin)
        text_print(e->out, "%s", host->entry_begin(e));
    text_print(e->out, "        return %s(%s%s%s%s%s);\n    }\n", e->name,
               host->entry_begin ? "device, " : "", opened_argument(e), arguments,
               *host->argument ? comma(arguments) : "", *host->argument ? "given->threads" : "");
}

static bool has_boxes(const struct emission *e)
{
    return e->options->boxes && e->dialect->host->run_fields;
}

/* part_0, …: of inputs, as NAME_run_box takes them. */
static void print_parts(struct emission *e)
{
    const size_t inputs = e->program->inputs.count;
    for (size_t i = 0; i < inputs; i++)
        if (image_of(e, i)->rank)
            text_print(e->out,
                       "        for (int k = 0; k < %u; k++)\n"
                       "            if (given->parts[%zu][k] < 0 || given->parts[%zu][k] > "
                       "INT32_MAX)\n                return %s_BAD_BOX;\n",
                       2 * image_of(e, i)->rank, i, i, name_upper(e, e->name));
    for (size_t i = 0; i < inputs; i++) {
        text_print(e->out, "        const struct %s_%s_part part_%zu = {image_%zu", e->name,
                   name_of_buffer(e, image_of(e, i)), i, i);
        for (unsigned k = 0; k < image_of(e, i)->rank; k++)
            text_print(e->out, ", (int32_t)given->parts[%zu][%u], (int32_t)given->parts[%zu][%u]",
                       i, 2 * k, i, 2 * k + 1);
        text_print(e->out, "};\n");
    }
}

/* What NAME_run_box_scratch_bytes gives. */
static const char *scratch_of_box(struct emission *e)
{
    return arena_format(e->arena, "%s_run_box_scratch_bytes(%s, given->box%s)", e->name,
                        arguments_with(e, "part", true),
                        *e->dialect->host->argument ? ", given->threads" : "");
}

static void print_scratch_call(struct emission *e)
{
    const char *arguments = entry_arguments(e, true);
    const bool threads = *e->dialect->host->argument;
    const char *more = threads ? arena_format(e->arena, "%sgiven->threads", comma(arguments)) : "";
    text_print(e->out, "    case FLT_SCRATCH: {\n");
    if (has_boxes(e)) {
        text_print(e->out, "        if (given->parts) {\n");
        print_parts(e);
        text_print(e->out,
                   "        given->scratch_bytes = %s;\n"
                   "        return given->scratch_bytes == SIZE_MAX ? %s_BAD_BOX : %s_OK;\n"
                   "        }\n",
                   scratch_of_box(e), name_upper(e, e->name), name_upper(e, e->name));
    }
    text_print(e->out,
               "        struct %s_frame all;\n"
               "        given->scratch_bytes = %s_scratch_bytes(%s%s);\n"
               "        return %s_check_shapes(&all%s%s%s);\n    }\n",
               e->name, e->name, arguments, more, e->name, comma(arguments), arguments,
               threads ? ", given->threads" : "");
}

static void print_region_calls(struct emission *e)
{
    const char *arguments = entry_arguments(e, false);
    if (!has_regions(e))
        return;
    text_print(e->out, "    case FLT_REGION:\n        switch (given->input) {\n");
    for (size_t i = 0; i < e->program->regions.count; i++)
        text_print(e->out,
                   "        case %zu:\n"
                   "            return %s_region_of_%s(%s%sgiven->box, given->region);\n",
                   i, e->name,
                   name_of_buffer(e, program_buffer(e->program, e->program->regions.item[i].input)),
                   arguments, comma(arguments));
    text_print(e->out, "        default:\n            return %s_BAD_CALL;\n        }\n",
               name_upper(e, e->name));
}

static void print_box_call(struct emission *e)
{
    if (!has_boxes(e))
        return;
    text_print(e->out, "    case FLT_RUN_BOX: {\n");
    print_parts(e);
    text_print(e->out,
               "        const int status = %s_run_box(%s, given->box, given->scratch, "
               "given->scratch_bytes, %s);\n"
               "        if (status == %s_BAD_SCRATCH)\n"
               "            given->scratch_bytes = %s;\n"
               "        return status;\n    }\n",
               e->name, arguments_with(e, "part", true), e->dialect->host->run_fields,
               name_upper(e, e->name), scratch_of_box(e));
}

void entry_print_header(struct emission *e)
{
    if (!e->options->entry)
        return;
    text_print(e->out,
               "/* Does what `what` names, an enum flt_what of flt/filter.h; returns a status. */\n"
               "int %s_call(int what, struct flt_arguments *given);\n"
               "extern const struct flt_filter %s_filter;\n",
               e->name, e->name);
}

void entry_print_types(struct emission *e)
{
    if (e->options->entry)
        text_print(e->out, "%s\n", launch_text_filter);
}

/* A line of the text in each line. Longer than any compiler of C99 must take. */
static void print_json(struct emission *e)
{
    const char *text = interface_text(e, true);
    text_print(e->out,
               "#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
               "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n"
               "static const char %s_json[] =",
               e->name);
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\n") + 1;
        text_print(e->out, "\n    %s",
                   string_literal(e->arena, arena_text(e->arena, text, length)));
    }
    text_print(e->out, ";\n#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n");
}

/* NAME_filter, and the name that programs know that do not know NAME. */
static void print_filter(struct emission *e)
{
    static const char definition[] = "const struct flt_filter %s%s = {%s%s, %s_call, "
                                     "%s_status_text};\n";
    const char *json = e->options->interface ? e->name : "NULL",
               *part = e->options->interface ? "_json" : "";
    if (e->options->interface)
        print_json(e);
    text_print(e->out, definition, e->name, "_filter", json, part, e->name, e->name);
    text_print(e->out, "#ifdef __GNUC__\n#ifndef FLT_FIRST_FILTER\n"
                       "#define FLT_FIRST_FILTER /* of this translation unit */\n"
                       "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                       "extern __attribute__((weak)) const struct flt_filter flt_filter;\n");
    text_print(e->out, definition, "flt", "_filter", json, part, e->name, e->name);
    text_print(e->out, "#ifdef __cplusplus\n}\n#endif\n#endif\n#endif\n");
}

void entry_print_source(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    if (!e->options->entry)
        return;
    text_print(e->out,
               "int %s_call(int what, struct flt_arguments *given)\n{\n"
               "    if (!given || given->size < sizeof *given)\n        return %s_BAD_CALL;\n",
               e->name, upper);
    print_images(e);
    text_print(e->out, "    switch (what) {\n");
    print_extents_call(e);
    print_run_call(e);
    print_scratch_call(e);
    print_region_calls(e);
    print_box_call(e);
    if (e->dialect->host->print_launch_call)
        e->dialect->host->print_launch_call(e);
    text_print(e->out, "    default:\n        return %s_BAD_CALL;\n    }\n}\n\n", upper);
    print_filter(e);
}
